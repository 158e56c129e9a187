"""A view for terminals: coloured where the terminal has colours, plain characters elsewhere."""

import os
import sys
from collections.abc import Iterable
from typing import TYPE_CHECKING, TextIO

from ..grid import Cell
from ..puzzles import SHADED, SYMBOLS, UNDECIDED, UNSHADED, Puzzle, Shading
from .board import Board

if TYPE_CHECKING:
    from rich.text import Text

OUTLINE, MISTAKE = "*", "!"

# (mark, shaded): ink and paper
COLOURS = {
    ("", False): "#1d2a38 on #f6f3ea",
    ("", True): "#ffffff on #2f4d6b",
    (OUTLINE, False): "bold #1d2a38 on #ffc98a",
    (OUTLINE, True): "bold #ffffff on #b65c00",
    (MISTAKE, False): "bold #a01414 on #f6b9b2",
    (MISTAKE, True): "bold #ffffff on #a3212f",
}

# two greys in turn, for undecided cells have no sign by which to count them
UNDECIDED_COLOURS = ("#1d2a38 on #e6e2d6", "#1d2a38 on #dad5c6")


def wants_color(stream: TextIO | None = None) -> bool:
    """True if a stream (standard output by default) is a terminal with colours and NO_COLOR is not set."""
    stream = sys.stdout if stream is None else stream
    if os.environ.get("NO_COLOR"):
        return False
    if os.environ.get("FORCE_COLOR"):
        return True
    return stream.isatty() and os.environ.get("TERM") != "dumb"


def terminal(
    puzzle: Puzzle | None,
    shading: Shading | str | None = None,
    *,
    outline: Iterable[Cell] = (),
    mistakes: Iterable[Cell] = (),
    color: bool | None = None,
) -> "str | Text":
    """Draw a puzzle, an answer or both for a terminal: a text, or a rich Text if `color`.

    The plain view has the clues, `#` for shaded, `-` for unshaded and `.` for undecided cells, a `*` after each cell
    of `outline` and a `!` after each of `mistakes`. `color` None takes what `wants_color` says of standard output.
    Raises PuzzleError if there is nothing to draw, shapes differ or a cell is outside of the board.

    >>> print(terminal(None, "#-- #-#", outline=[(0, 1)], color=False))
    # -*-
    # - #
    """
    board = Board.of(puzzle, shading, outline, mistakes)
    return _coloured(board) if (wants_color() if color is None else color) else _plain(board)


def _mark(board: Board, cell: Cell) -> str:
    return MISTAKE if cell in board.mistakes else OUTLINE if cell in board.outline else ""


def _width(board: Board) -> int:
    return max(map(len, board.clues.values()), default=1)


def _plain(board: Board) -> str:
    width = _width(board)
    lines = []
    for row, values in enumerate(board.values.tolist()):
        line = ""
        for column, value in enumerate(values):
            clue = board.clues.get((row, column))
            # a shaded clue is wrong, and the answer is what has to be seen
            sign = SYMBOLS[value] if clue is None or value == SHADED else clue
            line += sign.rjust(width) + (_mark(board, (row, column)) or " ")
        lines.append(line.rstrip())
    return "\n".join(lines)


def _coloured(board: Board) -> "Text":
    from rich.text import Text

    dot = "·" if "utf" in (getattr(sys.stdout, "encoding", None) or "").lower() else "."
    width = _width(board) + 1  # two characters are about as wide as one is high
    text = Text(no_wrap=True)
    for row, values in enumerate(board.values.tolist()):
        if row:
            text.append("\n")
        for column, value in enumerate(values):
            mark = _mark(board, (row, column))
            sign = board.clues.get((row, column), dot if value == UNSHADED else "")
            style = COLOURS[mark, value == SHADED]
            if (row, column) in board.clues:
                style = f"bold {style}"
            elif value == UNDECIDED and not mark:
                style = UNDECIDED_COLOURS[(row + column) % 2]
            text.append(mark + sign.rjust(width - len(mark)), style)
    return text
