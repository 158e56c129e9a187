"""The river of the code-golf thread: `columns,rows size,x,y …` with the origin at the bottom left.

Its answers are the other way round: `#` is land and `.` is water.
"""

from ..errors import OptionError
from ..puzzles import SHADED, UNKNOWN_SIZE, UNSHADED, Puzzle
from .base import Piece, Signs, any_line, board, line_records, number, short, size

SIGNS = Signs({"#": UNSHADED, ".": SHADED})

detect = any_line(r"\d+,\d+(?:\s|$)")
records = line_records


def _numbers(word: Piece, form: str) -> list[Piece]:
    parts = word.cut(",")
    if len(parts) != form.count(",") + 1:
        raise word.error(f"expected {form}, found {short(word)}")
    return parts


def read(record: Piece, genre: str) -> Puzzle:
    head, *clues = record.words()
    columns, rows = _numbers(head, "columns,rows")
    shape = size(rows, columns)
    grid = [["."] * shape[1] for _ in range(shape[0])]
    for clue in clues:
        value, *place = _numbers(clue, "size,x,y")
        x, y = (number(piece, f"a number from 0 to {side - 1}") for piece, side in zip(place, shape[::-1], strict=True))
        for piece, at, side in zip(place, (x, y), shape[::-1], strict=True):
            if at >= side:
                raise piece.error(f"expected a number from 0 to {side - 1}, found {at}")
        if grid[-1 - y][x] != ".":
            raise clue.error(f"expected one clue at x {x}, y {y}, found a second")
        number(value, "a number as the clue")
        grid[-1 - y][x] = value
    return board(genre, grid, record)


def write(puzzle: Puzzle) -> str:
    if (puzzle.clues == UNKNOWN_SIZE).any():
        raise OptionError("river cannot hold a clue '?': write text, id, json or puzzlink instead")
    rows, columns = puzzle.shape
    clues = sorted((rows - 1 - row, column, puzzle.clues[row, column]) for row, column in puzzle.clue_cells)
    return " ".join([f"{columns},{rows}", *(f"{clue},{x},{y}" for y, x, clue in clues)])
