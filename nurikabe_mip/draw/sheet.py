"""Sheets to print: puzzles on A4 pages, and the answers on pages of their own."""

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from ..backends.base import Status, choice
from ..errors import NotUniqueError, OptionError
from ..puzzles import Puzzle, Shading
from .board import Board
from .svg import CELL, INK, MARGIN, elements, extent, text
from .words import describe

if TYPE_CHECKING:
    from ..generate import Generated

# in tenths of a millimetre
PAGE = (2100, 2970)
BORDER, GAP, HEADING, CAPTION = 120, 60, 110, 60
CELLS = (75, 35)  # the least width of a cell that is written in, and of one of an answer
MOST_COLUMNS = 6
FONT = "font-family=\"'Helvetica Neue', Helvetica, Arial, 'DejaVu Sans', sans-serif\""
STYLE = "@page{size:A4;margin:0}body{margin:0}svg{display:block;width:210mm;height:297mm;break-after:page}"


def sheet(puzzles: "Iterable[Puzzle | Generated]", *, title: str = "", fmt: str = "html") -> str:
    """Puzzles to print on A4 pages, several a page where they are small, then their answers.

    `puzzles` are Puzzles, or what `generate` has made; those without such a proof are solved here, so that the word
    "unique" under each is true. `fmt` is "html", with a page break after each page, or "svg", one drawing with the
    pages below each other. Raises NotUniqueError for a puzzle without exactly one solution, OptionError if there is
    none at all.

    >>> from nurikabe_mip import read
    >>> sheet([read("nurikabe/5/5/g5k2o1k3g")], fmt="svg").count("unique")
    2
    """
    choice("fmt", fmt, ("html", "svg"))
    entries = [_entry(number, item) for number, item in enumerate(puzzles, 1)]
    if not entries:
        raise OptionError("a sheet has at least one puzzle")
    heading = title or ("Puzzle" if len(entries) == 1 else f"{len(entries)} puzzles")
    pages = list(_pages(heading, [(puzzle, None, words) for puzzle, _, words in entries], CELLS[0]))
    pages += _pages(f"{heading}: answers", entries, CELLS[1])
    width, height = PAGE
    if fmt == "svg":
        total = height * len(pages)
        shifted = [f'<g transform="translate(0 {height * i})">{page}</g>' for i, page in enumerate(pages)]
        return _svg(f'viewBox="0 0 {width} {total}" width="210mm" height="{297 * len(pages)}mm"', "\n".join(shifted))
    drawn = "\n".join(_svg(f'viewBox="0 0 {width} {height}"', page) for page in pages)
    head = f'<meta charset="utf-8"><title>{text(heading)}</title><style>{STYLE}</style>'
    return f"<!DOCTYPE html>\n<html><head>{head}</head>\n<body>\n{drawn}\n</body></html>\n"


def _svg(attributes: str, content: str) -> str:
    return f'<svg xmlns="http://www.w3.org/2000/svg" {attributes}>\n{content}\n</svg>'


def _entry(number: int, item: "Puzzle | Generated") -> tuple[Puzzle, Shading, str]:
    """The puzzle, its answer, and the line below it."""
    if isinstance(item, Puzzle):
        from ..solve import solve

        puzzle, result = item, solve(item)
        if result.status is not Status.UNIQUE:
            raise NotUniqueError(f"puzzle {number} of the sheet: {describe(result)}", result)
        answer = result.solution
    else:
        puzzle, answer = item.puzzle, item.solution
    rows, columns = puzzle.shape
    words = [str(number), puzzle.name, f"{rows}x{columns}", puzzle.info.get("level"), "unique"]
    if "seed" in puzzle.info:
        words.append(f"seed {puzzle.info['seed']}")
    return puzzle, answer, " · ".join(filter(None, words))


def _pages(heading: str, entries: list[tuple[Puzzle, Shading | None, str]], least: int) -> Iterator[str]:
    """The pages, each a white sheet with a heading and as many boards as have cells of at least that width."""
    boards = [(puzzle, Board.of(puzzle, shading), words) for puzzle, shading, words in entries]
    wide, high = (max(extent(board)[side] for _, board, _ in boards) for side in range(2))
    width, height = PAGE[0] - 2 * BORDER, PAGE[1] - 2 * BORDER - HEADING

    def scale(columns: int) -> float:
        """Of boards in so many columns; a cell need not be wider than twice the least."""
        slot = (width - (columns - 1) * GAP) / columns
        return min(slot / wide, (height - CAPTION) / high, 2 * least / CELL)

    columns = max((n for n in range(1, MOST_COLUMNS + 1) if scale(n) * CELL >= least), default=1)
    columns = min(columns, len(boards))
    rows = max(int((height + GAP) // (high * least / CELL + CAPTION + GAP)), 1)
    zoom = min(scale(columns), ((height + GAP) / rows - CAPTION - GAP) / high)
    step = high * zoom + CAPTION + GAP
    slot = (width - (columns - 1) * GAP) / columns
    a_page = columns * rows
    total = -(-len(boards) // a_page)
    for page in range(total):
        words = f"{heading}, page {page + 1} of {total}" if total > 1 else heading
        drawn = [
            f'<rect width="{PAGE[0]}" height="{PAGE[1]}" fill="#ffffff"/>',
            f'<text x="{BORDER}" y="{BORDER + 45}" font-size="52" font-weight="600" {FONT} fill="{INK}">'
            f"{text(words)}</text>",
        ]
        for place, (puzzle, board, caption) in enumerate(boards[page * a_page : (page + 1) * a_page]):
            row, column = divmod(place, columns)
            x, y = BORDER + column * (slot + GAP), BORDER + HEADING + row * step
            own_width, own_height = extent(board)
            inner = "\n".join(elements(puzzle, board))
            drawn.append(
                f'<svg x="{x:.1f}" y="{y:.1f}" width="{own_width * zoom:.1f}" height="{own_height * zoom:.1f}" '
                f'viewBox="0 0 {own_width} {own_height}">\n{inner}\n</svg>'
            )
            baseline = y + own_height * zoom + 40
            drawn.append(
                f'<text x="{x + MARGIN * zoom:.1f}" y="{baseline:.1f}" font-size="32" {FONT} fill="{INK}">'
                f"{text(caption)}</text>"
            )
        yield "\n".join(drawn)
