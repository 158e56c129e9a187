"""Files of pzpr (`pzprv3`) and Kanpen links: rows first, words for cells, with the marks of an answer so far.

`.` is an empty cell, `-` a clue `?`, `#` shaded and `+` unshaded. Nurikabe has clues and marks in one block of rows,
other genres have a second block for the marks.
"""

import re
from collections.abc import Iterator

from ..puzzles import SHADED, UNDECIDED, UNSHADED, Puzzle
from .base import Piece, Signs, any_line, board, genre_named, lines, short, size

SIGNS = Signs({"#": SHADED, "+": UNSHADED, ".": UNDECIDED, "-": UNSHADED}, separator=" ")
PIDS = {"nurikabe": "nurikabe", "kurodoko": "kuromasu"}
MARKS = ("#", "+")
ONE_BLOCK = ("nurikabe",)
HEAD = re.compile(r"pzprv3(?:\.\d+)?|problem=")
AFTER = re.compile(r"info:|history:|__HISTORY__|TrialData|https?:")

detect = any_line(r"pzprv3(?:\.\d+)?/?[ \t]*$")


def pid_of(genre: str) -> str:
    return next(pid for pid, name in PIDS.items() if name == genre)


def head(line: str) -> re.Match | None:
    """The match of what such a file or the query of such a link begins with."""
    found = HEAD.search(line)
    return found if found and (found.start() == 0 or line[found.start() - 1] == "?") else None


def records(text: str) -> Iterator[list[Piece]]:
    record = []
    for line in lines(text):
        if record and detect(line):
            yield record
            record = []
        if line.strip() and (record or not line.lstrip().startswith("#")):
            record.append(line.trimmed())
    if record:
        yield record


def read(record: list[Piece], genre: str) -> Puzzle:
    first = record[0]
    found = head(first)
    if found is None:
        raise first.error(f"expected 'pzprv3', found {short(first)}")
    parts = [part for line in (first.part(found.end()), *record[1:]) for part in line.cut("/") if part]
    end = record[-1].end()
    if found[0] == "problem=":
        page = re.search(r"(\w+)\.html", first[: found.start()])
        genre = genre_named(first.part(*page.span(1)), PIDS) if page else genre
    elif parts:
        genre = genre_named(parts.pop(0), PIDS)
    if len(parts) < 2:
        raise end.error("expected the numbers of rows and columns, found the end")
    height, width = shape = size(*parts[:2])
    rows = parts[2:]
    stop = next((index for index, part in enumerate(rows) if AFTER.match(part)), len(rows))
    rows = [row.matches(r"[^\s_]+") for row in rows[:stop]]
    if len(rows) not in (height, 2 * height):
        place = parts[2 + height] if len(rows) > height else end
        raise place.error(f"expected {height} rows of cells, or twice as many with an answer, found {len(rows)}")
    clues, marks = rows[:height], rows[-height:]
    if len(clues[0]) != width:
        raise parts[1].error(f"expected {len(clues[0])} columns as row 1 has, found {width}")
    answer = None
    if any(cell in MARKS for row in marks for cell in row):
        answer = SIGNS.shading(marks, end, shape)
    grid = [[_clue(cell) for cell in row] for row in clues]
    return board(genre, grid, end, answer=answer)


def _clue(cell: Piece) -> Piece:
    clue = {"-": "?", "#": ".", "+": "."}.get(cell, cell)
    return Piece.at(clue, cell.line, cell.column)


def write(puzzle: Puzzle) -> str:
    clues = [[token.replace("?", "-") for token in row] for row in puzzle.tokens]
    marks = [] if puzzle.answer is None else [row.split() for row in SIGNS.rows(puzzle.answer)]
    if marks and puzzle.genre in ONE_BLOCK:
        clues = [[m if c == "." else c for c, m in zip(*rows, strict=True)] for rows in zip(clues, marks, strict=True)]
        marks = []
    return "\n".join(
        ["pzprv3", pid_of(puzzle.genre), *map(str, puzzle.shape), *(" ".join(row) for row in clues + marks)]
    )
