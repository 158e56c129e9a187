"""A bare grid: one row a line, one character a cell or words; `.`, `-` or `_` is no clue. A blank line ends a grid."""

from collections.abc import Iterator
from itertools import groupby

from ..puzzles import Puzzle
from .base import COMMENT, OWN, Piece, board, cells, lines, written_rows

SIGNS = OWN


def detect(text: str) -> bool:
    return True


def records(text: str) -> Iterator[list[Piece]]:
    rows = (line for line in lines(text) if not COMMENT.match(line))
    for blank, block in groupby(rows, key=lambda line: not line.strip()):
        if not blank:
            yield [line.trimmed() for line in block]


def read(record: list[Piece], genre: str) -> Puzzle:
    return board(genre, cells(record), record[0])


def write(puzzle: Puzzle) -> str:
    return "\n".join(written_rows(puzzle))
