"""Game IDs and saved games of Range in Simon Tatham's Portable Puzzle Collection: Kuromasu, width first.

An ID is `7x7:d7b3e8e5c7a7c13e4e8b4d`: columns x rows, then the cells row by row; a letter is a gap of 1 (`a`) to 26
(`z`) cells, `_` parts two numbers that touch. A saved game is a file of lines `KEY:length:value`, read for its
parameters and its description; the moves in it are not.
"""

import re
from collections.abc import Iterator
from itertools import groupby

from ..errors import OptionError
from ..puzzles import NO_CLUE, SHADED, UNKNOWN_SIZE, UNSHADED, Puzzle
from .base import Piece, Signs, any_line, board, lines, short, sides, size

SIGNS = Signs({"#": SHADED, ".": UNSHADED, "-": UNSHADED})
GENRE = "kuromasu"
GAP = 26  # the longest that a letter can be
SAVED = re.compile(r"([A-Z]+) *:\d+:(.*)")

detect = any_line(r"\d+(?:x\d+)?\w*:|SAVEFILE *:")


def records(text: str) -> Iterator[Piece | list[Piece]]:
    """Game IDs, one a line, and saved games as their lines."""
    saved: list[Piece] = []
    for line in map(Piece.trimmed, lines(text)):
        if line.startswith("SAVEFILE") and saved:
            yield saved
            saved = []
        if line.startswith("SAVEFILE") or (saved and SAVED.fullmatch(line)):
            saved.append(line)
            continue
        if saved:
            yield saved
            saved = []
        if line and not line.startswith("#"):
            yield line
    if saved:
        yield saved


def read(record: Piece | list[Piece], genre: str) -> Puzzle:
    if isinstance(record, Piece):
        parameters, *cells = record.cut(":")
        if len(cells) != 1:
            raise record.error(f"expected COLUMNSxROWS:cells, found {short(record)}")
        return _read(parameters, cells[0])
    fields = {}
    for line in record:
        found = SAVED.fullmatch(line)
        if found is None:
            raise line.error(f"expected KEY:length:value, found {short(line)}")
        fields.setdefault(found[1], line.part(*found.span(2)))
    game = fields.get("GAME")
    if game is not None and game != "Range":
        raise game.error(f"this is a saved game of {short(game)}: only those of 'Range' are read")
    for key in ("PARAMS", "DESC"):
        if key not in fields:
            raise record[0].error(f"expected a line {key} in the saved game, found none")
    return _read(fields["PARAMS"], fields["DESC"])


def _read(parameters: Piece, description: Piece) -> Puzzle:
    found = re.fullmatch(r"(\d+)(?:x(\d+))?", parameters)
    if found is None:
        raise parameters.error(f"expected COLUMNSxROWS, found {short(parameters)}")
    columns = parameters.part(*found.span(1))
    rows = parameters.part(*found.span(2)) if found[2] else columns
    shape = size(rows, columns)
    cells: list[str] = []
    for token in description.matches(r"[0-9]+|."):
        if "a" <= token <= "z":
            cells += ["."] * (ord(token) - ord("a") + 1)
        elif token[0].isdecimal():
            cells.append(token)
        elif token != "_":
            raise token.error(f"expected a number, '_' or a letter from a to z, found {short(token)}")
    if len(cells) != shape[0] * shape[1]:
        expected = f"{sides(shape)} = {shape[0] * shape[1]} cells"
        raise description.error(f"expected {expected}, found {len(cells)}")
    return board(GENRE, [cells[i : i + shape[1]] for i in range(0, len(cells), shape[1])], description)


def write(puzzle: Puzzle) -> str:
    """The game ID."""
    if puzzle.genre != GENRE:
        raise OptionError(f"sgt holds {GENRE} alone, this is a puzzle of {puzzle.genre}")
    if (puzzle.clues == UNKNOWN_SIZE).any():
        raise OptionError("sgt cannot hold a clue '?': write text, id, json or puzzlink instead")
    rows, columns = puzzle.shape
    if puzzle.clues.max() > rows + columns - 1:
        raise OptionError(f"sgt holds numbers up to {rows + columns - 1} on this board: write text or id instead")
    tokens: list[str] = []
    for empty, run in groupby(puzzle.clues.ravel().tolist(), key=lambda clue: clue == NO_CLUE):
        if empty:
            whole, rest = divmod(len(list(run)), GAP)
            tokens.append("z" * whole + (chr(ord("a") + rest - 1) if rest else ""))
        else:
            tokens.append("_".join(map(str, run)))
    return f"{columns}x{rows}:{''.join(tokens)}"
