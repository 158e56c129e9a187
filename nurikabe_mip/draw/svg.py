"""SVG and HTML. Colours stand in attributes, not in a style sheet: it would reach every other picture of a notebook."""

import re
from collections.abc import Iterable
from html import escape
from typing import TYPE_CHECKING

from ..backends.base import Status
from ..errors import OptionError
from ..grid import Cell
from ..puzzles import SHADED, UNSHADED, Puzzle, Shading
from .board import Board
from .words import describe, mistake_cells, summary

if TYPE_CHECKING:
    from ..solve import SolveResult

CELL = 40  # units of the drawing that a cell is wide
MARGIN = 8
PAPER, INK, SEA, LINES, DOTS = "#fffdf7", "#1d2a38", "#2f4d6b", "#9fb0c0", "#a3b0bc"
OUTLINE, MISTAKE, MISTAKE_LAND, MISTAKE_SEA, SUPPORT = "#f08a24", "#d42f2f", "#fbd9d4", "#7d2b3a", "#4a90d9"
# one to four digits: the largest number of a board is that of its cells
FONT_SIZES = (23, 20, 15, 12)
# a board is shown about this large, its cells within these bounds (pixels)
SHOWN, SMALLEST, LARGEST = 560, 16, 40

# what XML 1.0 cannot hold in any spelling
_FORBIDDEN = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def svg(
    puzzle: Puzzle | None,
    shading: Shading | str | None = None,
    *,
    outline: Iterable[Cell] = (),
    mistakes: Iterable[Cell] = (),
    support: Iterable[Cell] = (),
    size: float | None = None,
) -> str:
    """Draw a puzzle, an answer or both as SVG.

    Shaded cells are filled, unshaded ones without a clue carry a dot, undecided ones are blank. `outline` are cells
    to frame, such as those in which two solutions differ, `mistakes` cells to mark in red, `support` cells from which
    something follows, framed thinly. `size` is the width of a cell in pixels; by default the board is made to fit a
    page. The drawing has its own background and scales.
    Raises PuzzleError if there is nothing to draw, shapes differ or a cell is outside of the board.

    >>> svg(None, "#-").startswith('<svg xmlns="http://www.w3.org/2000/svg"')
    True
    """
    board = Board.of(puzzle, shading, outline, mistakes, support)
    if size is None:
        size = min(max(SHOWN / max(board.shape), SMALLEST), LARGEST)
    elif not size > 0:
        raise OptionError(f"size is the width of a cell in pixels, above 0; got {size!r}")
    width, height = extent(board)
    pixels = [f"{length * size / CELL:.0f}" for length in (width, height)]
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{pixels[0]}" '
        f'height="{pixels[1]}" role="img" style="max-width:100%">'
    )
    return "\n".join([head, *elements(puzzle, board), "</svg>"])


def extent(board: Board) -> tuple[int, int]:
    """Width and height of the drawing, in its units."""
    rows, columns = board.shape
    return columns * CELL + 2 * MARGIN, rows * CELL + 2 * MARGIN


def elements(puzzle: Puzzle | None, board: Board) -> list[str]:
    """What stands in the drawing's svg element."""
    width, height = extent(board)
    return [
        f"<title>{text(_title(puzzle, board))}</title>\n<desc>{text(_description(board))}</desc>",
        f'<rect width="{width}" height="{height}" rx="{MARGIN}" fill="{PAPER}"/>',
        f'<g transform="translate({MARGIN} {MARGIN})">',
        *_cells(board),
        *_lines(*board.shape),
        *_marks(board),
        *_clues(board),
        "</g>",
    ]


def text(words: str) -> str:
    """Words as XML takes them."""
    return escape(_FORBIDDEN.sub("\ufffd", words))


def _title(puzzle: Puzzle | None, board: Board) -> str:
    rows, columns = board.shape
    what = "Shading" if puzzle is None else puzzle.genre.capitalize()
    name = f": {puzzle.name}" if puzzle is not None and puzzle.name else ""
    return f"{what}, {rows} rows by {columns} columns{name}"


def _description(board: Board) -> str:
    parts = [
        f"{len(board.clues)} clues" if board.clues else "",
        f"{(board.values == SHADED).sum()} shaded and {(board.values == UNSHADED).sum()} unshaded cells"
        if board.values.any()
        else "",
        *(
            f"{what}: {', '.join(f'row {row + 1} column {column + 1}' for row, column in sorted(cells))}"
            for what, cells in (("outlined", board.outline), ("mistakes", board.mistakes), ("from", board.support))
            if cells
        ),
    ]
    return "; ".join(filter(None, parts)) or "an empty board"


def _path(cells: Iterable[Cell], colour: str) -> list[str]:
    """The cells filled, as one path: apart, their edges would show as hairlines at most sizes."""
    squares = "".join(f"M{column * CELL} {row * CELL}h{CELL}v{CELL}h-{CELL}z" for row, column in cells)
    return [f'<path d="{squares}" fill="{colour}"/>'] if squares else []


def _cells(board: Board) -> list[str]:
    layers: dict[str, list[Cell]] = {SEA: [], MISTAKE_SEA: [], MISTAKE_LAND: []}
    dots = ""
    for row, column in _places(board):
        wrong = (row, column) in board.mistakes
        if board.values[row, column] == SHADED:
            layers[MISTAKE_SEA if wrong else SEA].append((row, column))
            continue
        if wrong:
            layers[MISTAKE_LAND].append((row, column))
        if board.values[row, column] == UNSHADED and (row, column) not in board.clues:
            dots += f"M{column * CELL + CELL // 2} {row * CELL + CELL // 2}h0"
    drawn = [path for colour, cells in layers.items() for path in _path(cells, colour)]
    if dots:
        drawn.append(f'<path d="{dots}" stroke="{DOTS}" stroke-width="8" stroke-linecap="round" fill="none"/>')
    return drawn


def _places(board: Board) -> list[Cell]:
    rows, columns = board.shape
    return [(row, column) for row in range(rows) for column in range(columns)]


def _lines(rows: int, columns: int) -> list[str]:
    width, height = columns * CELL, rows * CELL
    inner = "".join(f"M0 {row * CELL}h{width}" for row in range(1, rows))
    inner += "".join(f"M{column * CELL} 0v{height}" for column in range(1, columns))
    return [
        f'<path d="{inner}" stroke="{LINES}" stroke-width="1" stroke-opacity="0.7" fill="none"/>' if inner else "",
        f'<rect width="{width}" height="{height}" fill="none" stroke="{INK}" stroke-width="3" rx="2"/>',
    ]


def _marks(board: Board) -> list[str]:
    def frame(cell: Cell, inset: float, colour: str, width: float = 4) -> str:
        row, column = cell
        side = CELL - 2 * inset
        return (
            f'<rect x="{column * CELL + inset}" y="{row * CELL + inset}" width="{side}" height="{side}" rx="5" '
            f'fill="none" stroke="{colour}" stroke-width="{width}"/>'
        )

    return [
        *(frame(cell, 3.5, SUPPORT, 2) for cell in sorted(board.support - board.outline - board.mistakes)),
        # a cell with both marks shows both
        *(frame(cell, 3.5, MISTAKE) for cell in sorted(board.mistakes)),
        *(frame(cell, 8.5 if cell in board.mistakes else 3.5, OUTLINE) for cell in sorted(board.outline)),
    ]


def _clues(board: Board) -> list[str]:
    if not board.clues:
        return []
    texts = []
    for (row, column), clue in board.clues.items():
        size = FONT_SIZES[min(len(clue), len(FONT_SIZES)) - 1]
        colour = ""
        if board.values[row, column] == SHADED:
            colour = f' fill="{PAPER}"'
        elif (row, column) in board.mistakes:
            colour = f' fill="{MISTAKE}"'
        # centred by hand, for not every viewer knows dominant-baseline: a digit is about 0.72 of its size high
        x, y = column * CELL + CELL // 2, row * CELL + CELL / 2 + 0.36 * size
        texts.append(f'<text x="{x}" y="{y:.1f}" font-size="{size}"{colour}>{text(clue)}</text>')
    font = "font-family=\"'Helvetica Neue', Helvetica, Arial, 'DejaVu Sans', sans-serif\" font-weight=\"600\""
    return [f'<g {font} text-anchor="middle" fill="{INK}">', *texts, "</g>"]


def figure(picture: str, caption: str = "") -> str:
    """A picture with a line below."""
    words = f'<figcaption style="text-align:center">{caption}</figcaption>' if caption else ""
    return f'<figure style="margin:0">{picture}{words}</figure>'


def html(result: "SolveResult") -> str:
    """Show a result in a notebook: the status in words, the boards that prove it, and who found them how fast.

    Two solutions stand side by side, the cells in which they differ outlined. Without a solution the clues are
    drawn, the named mistakes marked.
    """
    puzzle = result.puzzle
    status = f"<b>{result.status}</b>"
    notes = "" if result.reason is None else f"<div>{text(result.reason)}</div>"
    if result.status is Status.MULTIPLE:
        boards = [
            ("one solution", svg(puzzle, result.solution, outline=result.differing)),
            ("another", svg(puzzle, result.second, outline=result.differing)),
        ]
        if result.common is not None:
            boards.append(("the same in all", svg(puzzle, result.common)))
    else:
        boards = [("", svg(puzzle, result.solution, mistakes=mistake_cells(result)))]
    figures = "".join(figure(picture, caption) for caption, picture in boards)
    return (
        f"<div><div>{status}: {text(describe(result))}</div>{notes}"
        f'<div style="display:flex;flex-wrap:wrap;gap:16px;margin:6px 0">{figures}</div>'
        f'<div style="opacity:0.7;font-size:smaller">{text(summary(result))}</div></div>'
    )
