"""An ID: `nurikabe:3x3:1,.,1,.,.,.,1,.,1`, genre, rows x columns and the cells row by row."""

from ..puzzles import Puzzle
from .base import OWN, Piece, any_line, board, genre_named, line_records, size

SIGNS = OWN

detect = any_line(r"[a-z]\w*:(?!//)")
records = line_records


def read(record: Piece, genre: str) -> Puzzle:
    parts = record.cut(":")
    shape = parts[1].cut("x") if len(parts) == 3 else ()
    if len(shape) != 2:
        raise record.error("expected genre:ROWSxCOLUMNS:cells")
    genre = genre_named(parts[0])
    rows, columns = size(*shape)
    tokens = parts[2].cut(",")
    if len(tokens) != rows * columns:
        place = tokens[rows * columns] if len(tokens) > rows * columns else parts[2].end()
        raise place.error(f"expected {rows}x{columns} = {rows * columns} cells, found {len(tokens)}")
    return board(genre, [tokens[i : i + columns] for i in range(0, len(tokens), columns)], parts[2])


def write(puzzle: Puzzle) -> str:
    rows, columns = puzzle.shape
    return f"{puzzle.genre}:{rows}x{columns}:{','.join(token for row in puzzle.tokens for token in row)}"
