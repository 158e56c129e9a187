"""A text record: `genre: nurikabe`, lines `key: value`, `grid:` and its rows, perhaps `solution:` and its rows.

A blank line ends the rows. Several records may follow each other, each begins with `genre:`.
"""

import re
from collections.abc import Iterator

from ..puzzles import Puzzle
from .base import (
    COMMENT,
    OWN,
    Piece,
    any_line,
    board,
    cells,
    genre_named,
    label_lines,
    labels,
    lines,
    rectangle,
    short,
    written_rows,
)

SIGNS = OWN
BLOCKS = ("grid", "solution")
ENTRY = re.compile(r"\s*([A-Za-z]\w*)\s*:\s*(.*?)\s*")

detect = any_line(r"(?:genre|grid)\s*:")


def _key(line: Piece) -> str | None:
    entry = ENTRY.fullmatch(line)
    return entry and entry[1].lower()


def records(text: str) -> Iterator[list[Piece]]:
    record, in_rows = [], None  # None before the grid, False after its rows
    for line in lines(text):
        key = _key(line)
        if not line.strip():
            if in_rows:
                in_rows = False
            continue
        if COMMENT.match(line) or (not in_rows and line.lstrip().startswith("#")):
            continue
        # what follows a grid and is not its solution belongs to the next record, even if that lacks its `genre:`
        if key == "genre" or (in_rows is not None and key != "solution" and (key or not in_rows)):
            if record:
                yield record
            record, in_rows = [], None
        record.append(line)
        if key in BLOCKS:
            in_rows = True
    if record:
        yield record


def read(record: list[Piece], genre: str) -> Puzzle:
    entries, blocks, rows = {}, {}, None
    for line in record:
        entry = ENTRY.fullmatch(line)
        if entry is None:
            if rows is None:
                raise line.trimmed().error(f"expected 'key: value' or 'grid:', found {short(line.strip())}")
            rows.append(line.trimmed())
            continue
        key, value = entry[1].lower(), line.part(*entry.span(2))
        if key in entries or key in blocks:
            raise line.trimmed().error(f"expected one '{key}:' in a record, found a second")
        if key in BLOCKS:
            if value:
                raise value.error(f"expected the rows on the lines after '{key}:', found {short(value)}")
            rows = blocks[key] = []
        else:
            entries[key] = value
    where = record[0].trimmed()
    for key, given in (("genre", entries), ("grid", blocks)):
        if key not in given:
            raise where.error(f"expected a record with '{key}:', found none")
    genre, end = genre_named(entries.pop("genre")), record[-1].end()
    grid, answer = cells(blocks["grid"]), None
    if "solution" in blocks:
        answer = SIGNS.shading(cells(blocks["solution"]), end, rectangle(grid, end))
    return board(genre, grid, end, answer=answer, **labels(entries))


def write(puzzle: Puzzle) -> str:
    solution = ["solution:", *SIGNS.rows(puzzle.answer)] if puzzle.answer is not None else []
    about = label_lines(puzzle, "{key}: {value}", ("genre", *BLOCKS))
    return "\n".join([f"genre: {puzzle.genre}", *about, "grid:", *written_rows(puzzle), *solution])
