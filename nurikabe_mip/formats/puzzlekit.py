"""The puzzlekit data set: `{"name": "Nurikabe", "data": {"1_3x3": {"problem": "3 3\\n1 - -\\n…", "solution": …}}}`.

Some of its problems have swallowed the sections that followed them on the page, and their headers count these lines
too: they are cut at the first `[…]`, with a BadRecordWarning, and the header is not believed.
"""

import json
import re
import warnings
from collections.abc import Iterator

from ..errors import FormatError
from ..puzzles import Puzzle
from . import json as json_format
from .base import WORDS, BadRecordWarning, Piece, board, genre_named, labels, rectangle, sides, size

SIGNS = WORDS
OTHER_KEYS = ("problem", "solution", "name")


def detect(text: str) -> bool:
    return json_format.detect(text) and re.search(r'"(?:data"\s*:\s*\{|problem"\s*:\s*")', text) is not None


def records(text: str) -> Iterator[tuple[Piece, dict] | FormatError]:
    """(place, entry) of each record, the entry with its key as `id` and the name of the data set as `name`."""
    for record in json_format.records(text):
        data = None if isinstance(record, FormatError) or not isinstance(record[1], dict) else record[1].get("data")
        if not isinstance(data, dict):
            yield record
            continue
        name = record[1].get("name")
        for key, entry in data.items():
            place = json_format.place_of(entry)
            yield place, {"id": key, **entry, "name": name} if isinstance(entry, dict) else entry


def read(record: tuple[Piece, dict], genre: str) -> Puzzle:
    where, entry = record
    if not isinstance(entry, dict) or not isinstance(entry.get("problem"), Piece):
        raise where.error('expected an object with a text "problem"')
    if isinstance(entry.get("name"), Piece):
        genre = genre_named(entry["name"])
    name = entry.get("id", "")
    rows = _rows(entry["problem"], f"the problem of record {name}")
    answer = None
    if isinstance(entry.get("solution"), Piece) and entry["solution"].strip():
        solution = _rows(entry["solution"], f"the solution of record {name}")
        answer = SIGNS.shading(solution, entry["solution"], rectangle(rows, where))
    info = {key: value for key, value in entry.items() if isinstance(value, str) and value and key not in OTHER_KEYS}
    return board(genre, rows, entry["problem"], answer=answer, **labels(info))


def _rows(text: Piece, what: str) -> list[list[Piece]]:
    # line breaks are escaped in JSON: the columns within the text are not those of the source
    lines = [Piece.at(line, text.line, None) for line in text.split("\n") if line.strip()]
    stop = next((index for index, line in enumerate(lines) if line.lstrip().startswith("[")), len(lines))
    if not lines[:stop] or len(lines[0].words()) != 2:
        raise text.error(f"expected {what} to begin with its rows and columns")
    header = size(*lines[0].words())
    rows = [line.words() for line in lines[1:stop]]
    found = rectangle(rows, text)
    if stop < len(lines):
        message = (
            f"{what} is cut at {lines[stop].strip()}: the header says {sides(header)}, the board has {sides(found)}"
        )
        warnings.warn(message, BadRecordWarning, stacklevel=2)
    elif header != found:
        raise text.error(f"expected {what} to have {sides(header)} as its header says, found {sides(found)}")
    return rows


def write(puzzle: Puzzle) -> str:
    rows, columns = puzzle.shape
    header = f"{rows} {columns}"
    problem = [" ".join(row).replace(".", "-") for row in puzzle.tokens]
    solution = [header, *SIGNS.rows(puzzle.answer)] if puzzle.answer is not None else []
    info = {"source": "", "info": ""} | {
        key: str(value) for key, value in puzzle.info.items() if key not in ("id", *OTHER_KEYS)
    }
    entry = {"problem": "\n".join([header, *problem]), "solution": "\n".join(solution)} | info
    data = {puzzle.name or f"1_{rows}x{columns}": entry}
    record = {"count": 1, "count_sol": int(bool(solution)), "name": puzzle.genre.capitalize(), "data": data}
    return json.dumps(record, ensure_ascii=False)
