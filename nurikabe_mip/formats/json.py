"""JSON: `{"genre": "nurikabe", "puzzle": {"grid": [...]}}` or `{"genre": ..., "grid": [...]}`, perhaps a `solution`.

Several objects stand one a line or in one list. A row is a text as in `text`, or a list of cells.
"""

import json
import json.scanner
import re
from bisect import bisect_right
from collections.abc import Iterator

from ..errors import FormatError
from ..puzzles import Puzzle
from .base import OWN, Piece, board, cells, genre_named, labels, rectangle, written_rows

SIGNS = OWN
BOARD_KEYS = ("genre", "grid", "puzzle", "solution")
# numbers are kept as texts, so that no length of them does harm
CELLS = {"0": ".", "-1": "?"}


def detect(text: str) -> bool:
    return re.search(r"\A\s*\[|^[ \t]*\{", text, re.MULTILINE) is not None


def decode(text: str, first_line: int = 1):
    """The value of a JSON text; its strings are Pieces, its numbers plain texts. Raises FormatError."""
    starts = [0, *(match.end() for match in re.finditer("\n", text))]

    def string(source, start, strict=True):
        value, end = json.decoder.scanstring(source, start, strict)
        line = bisect_right(starts, start)
        return Piece.at(value, first_line + line - 1, start - starts[line - 1] + 1), end

    decoder = json.JSONDecoder(parse_int=str, parse_float=str)
    decoder.parse_string = string
    # the compiled scanner would not ask `parse_string`
    decoder.scan_once = json.scanner.py_make_scanner(decoder)
    try:
        return decoder.decode(text)
    except json.JSONDecodeError as error:
        raise FormatError(f"JSON: {error.msg}", first_line + error.lineno - 1, error.colno) from None
    except RecursionError:
        raise FormatError("JSON: nested too deeply", first_line) from None


def records(text: str) -> Iterator[tuple[Piece, object] | FormatError]:
    """(place, value) of each record."""
    text = re.sub(r"^[ \t]*#.*", "", text, flags=re.MULTILINE)
    try:
        value = decode(text)
    except FormatError as error:
        starts = [match.start() for match in re.finditer(r"^\{", text, re.MULTILINE)]
        if starts in ([], [0]):
            yield error
            return
    else:
        for item in value if isinstance(value, list) else [value]:
            yield place_of(item), item
        return
    line = 1
    for start, end in zip([0, *starts], [*starts, len(text)], strict=True):
        chunk = text[start:end]
        try:
            if chunk.strip():
                yield Piece.at("", line, 1), decode(chunk, line)
        except FormatError as error:
            yield error
        line += chunk.count("\n")


def place_of(value) -> Piece:
    """The first text in a value, for the place of an error."""
    inner = value.values() if isinstance(value, dict) else [value]
    return next((item for item in inner if isinstance(item, Piece)), Piece()).part(0, 0)


def read(record: tuple[Piece, object], genre: str) -> Puzzle:
    where, value = record
    inner = value.get("puzzle", value) if isinstance(value, dict) else None
    if not isinstance(inner, dict) or "grid" not in inner:
        raise where.error('expected an object with "genre" and "grid" or "puzzle": {"grid"}')
    if "genre" in value:
        name = value["genre"]
        genre = genre_named(name if isinstance(name, Piece) else Piece.at(str(name), where.line, where.column))
    rows = _rows(inner["grid"], where)
    answer = None
    if value.get("solution") is not None:
        answer = SIGNS.shading(_rows(value["solution"], where), where, rectangle(rows, where))
    entries = {key: text for key, text in value.items() if isinstance(text, str) and key not in BOARD_KEYS}
    return board(genre, rows, where, answer=answer, **labels(entries))


def _rows(grid, where: Piece) -> list[list[Piece]]:
    if isinstance(grid, list) and all(isinstance(row, Piece) for row in grid):
        return cells(grid)
    if isinstance(grid, list) and all(isinstance(row, list) for row in grid):
        return [[_cell(cell) for cell in row] for row in grid]
    raise where.error("expected a list of rows, each of them a text or a list of cells")


def _cell(value) -> Piece:
    if isinstance(value, Piece):
        return value
    return Piece("." if value is None else CELLS.get(value, value) if isinstance(value, str) else type(value).__name__)


def write(puzzle: Puzzle) -> str:
    record = {"id": puzzle.name} if puzzle.name else {}
    record |= {"genre": puzzle.genre, "puzzle": {"grid": written_rows(puzzle)}}
    if puzzle.answer is not None:
        record["solution"] = SIGNS.rows(puzzle.answer)
    record |= {key: str(value) for key, value in puzzle.info.items() if key not in ("id", *BOARD_KEYS)}
    return json.dumps(record, ensure_ascii=False, separators=(",", ":"))
