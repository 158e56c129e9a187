"""What the formats share: pieces of text that know their place, and the boards and answers made of them.

A format is a module with

    detect(text) -> bool            whether a text looks like this format; the first format that says so reads it
    records(text) -> Iterator       the records of a text, or in place of a garbled one its FormatError
    read(record, genre) -> Puzzle   one record; raises FormatError with the place
    write(puzzle) -> str            the puzzle, with its name, answer and info where the format has a place for them
    SIGNS                           how its answers are written

where `genre` is what a record that does not name its genre is taken to be.
"""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from ..errors import FormatError, OptionError, PuzzleError
from ..puzzles import GENRES, NO_CLUE, SHADED, SYMBOLS, UNKNOWN_SIZE, UNSHADED, Puzzle, Shading

EMPTY = (".", "-", "_")
MAX_CELLS = 1_000_000
NUMBER = re.compile("[0-9]{1,9}")
# where rows may stand, `#` alone is a sign of an answer
COMMENT = re.compile(r"\s*#.*[A-Za-z]{2}")


class BadRecordWarning(UserWarning):
    """A record of a batch that was left out, or one that was mended."""


class Piece(str):
    """A piece of the source that knows its line and its column, counted from 1; None where that is not known."""

    line: int | None = None
    column: int | None = None

    @classmethod
    def at(cls, text: str, line: int | None, column: int | None) -> "Piece":
        piece = cls(text)
        piece.line, piece.column = line, column
        return piece

    def part(self, start: int, end: int | None = None) -> "Piece":
        return Piece.at(self[start:end], self.line, None if self.column is None else self.column + start)

    def matches(self, pattern: str) -> list["Piece"]:
        return [self.part(*match.span()) for match in re.finditer(pattern, self)]

    def words(self) -> list["Piece"]:
        return self.matches(r"\S+")

    def cut(self, separator: str) -> list["Piece"]:
        """The parts between the separators, without the blanks around them."""
        return [part.trimmed() for part in self.matches(f"(?:^|(?<={separator}))[^{separator}]*")]

    def trimmed(self) -> "Piece":
        return self.part(len(self) - len(self.lstrip()), len(self.rstrip()))

    def end(self) -> "Piece":
        return self.part(len(self))

    def error(self, message: str) -> FormatError:
        return FormatError(message, self.line, self.column)


def short(text: str) -> str:
    """A text quoted for a message, cut if it is long."""
    return repr(str(text) if len(text) <= 24 else text[:24] + "…")


def lines(text: str) -> list[Piece]:
    return [Piece.at(line, number, 1) for number, line in enumerate(text.split("\n"), 1)]


def line_records(text: str) -> Iterator[Piece]:
    """The records of a format that takes one line a puzzle: blank lines and lines that begin with `#` are skipped."""
    return (line.trimmed() for line in lines(text) if line.strip() and not line.lstrip().startswith("#"))


def any_line(pattern: str) -> Callable[[str], bool]:
    """A `detect` that looks for a line that begins like this."""
    compiled = re.compile(rf"^[ \t]*(?:{pattern})", re.IGNORECASE | re.MULTILINE)
    return lambda text: compiled.search(text) is not None


def number(piece: Piece, what: str) -> int:
    if not NUMBER.fullmatch(piece):
        raise piece.error(f"expected {what}, found {short(piece)}")
    return int(piece)


def size(rows: Piece, columns: Piece) -> tuple[int, int]:
    """The shape that a header gives."""
    shape = number(rows, "the number of rows"), number(columns, "the number of columns")
    if not 0 < shape[0] * shape[1] <= MAX_CELLS:
        raise rows.error(f"expected a board of 1 to {MAX_CELLS} cells, found {sides(shape)}")
    return shape


def sides(shape: tuple[int, int]) -> str:
    return f"{shape[0]} rows x {shape[1]} columns"


def genre_named(name: Piece, names: Mapping[str, str] | None = None) -> str:
    """The genre that a record names; `names` are the genres by what the format calls them, if not as we do."""
    names = names or {genre: genre for genre in GENRES}
    known = {called: genre for called, genre in names.items() if genre in GENRES}
    if name.lower() not in known:
        raise name.error(f"expected a genre that is known ({', '.join(known)}), found {short(name)}")
    return known[name.lower()]


def cells(rows: Sequence[Piece]) -> list[list[Piece]]:
    """The cells of rows that are written as words or, with no blank in any row, as one character a cell."""
    words = [row.words() for row in rows]
    if max(map(len, words), default=0) > 1:
        return words
    characters = [row.matches(r"\S") for row in rows]
    # ragged as characters, but each row one cell: a single column that holds a number of several digits
    column = len(set(map(len, characters))) > 1 and all(NUMBER.fullmatch(w[0]) or len(w[0]) == 1 for w in words if w)
    return words if column else characters


def written_rows(puzzle: Puzzle) -> list[str]:
    """The rows as `cells` reads them: characters, or words as soon as a number has two digits."""
    widths = {len(token) for row in puzzle.tokens for token in row}
    if puzzle.shape[1] == 1 and len(widths) == 1 and widths != {1}:
        raise OptionError("a single column of numbers of several digits cannot be told from rows of characters: use id")
    return [("" if widths == {1} else " ").join(row) for row in puzzle.tokens]


def rectangle(rows: Sequence[Sequence[Piece]], where: Piece) -> tuple[int, int]:
    """The shape of rows of cells; `where` is to blame if there are none."""
    if not rows or not rows[0]:
        raise where.error("expected the rows of a grid, found none")
    width = len(rows[0])
    for index, row in enumerate(rows, 1):
        if len(row) != width:
            place = where if not row else row[width] if len(row) > width else row[-1].end()
            raise place.error(f"expected {width} cells in row {index} as in row 1, found {len(row)}")
    return len(rows), width


def cell_error(cell: Piece, row: int, column: int, expected: str) -> FormatError:
    message = f"expected {expected}, found {short(cell)}"
    return cell.error(message if cell.column else f"row {row}, column {column}: {message}")


def board(genre: str, rows: Sequence[Sequence[Piece]], where: Piece, **fields) -> Puzzle:
    """The puzzle with these cells; `where` is the place of an error that is not in one of them."""
    kind = GENRES[genre]
    shape = rectangle(rows, where)
    largest = kind.largest_clue(shape)

    def clue(cell: str, row: int, column: int) -> int:
        if cell in EMPTY:
            return NO_CLUE
        if cell == "?":
            return UNKNOWN_SIZE
        if NUMBER.fullmatch(cell) and 1 <= int(cell) <= largest:
            return int(cell)
        raise cell_error(cell, row, column, f"'.', '?' or a number from 1 to {largest}")

    clues = [[clue(cell, r, c) for c, cell in enumerate(row, 1)] for r, row in enumerate(rows, 1)]
    try:
        return kind(clues, **fields)
    except PuzzleError as error:
        raise where.error(str(error)) from None


@dataclass(frozen=True)
class Signs:
    """How a format writes answers: sign -> cell value; of two signs for one value the first is written."""

    values: Mapping[str, int]
    separator: str = ""

    def rows(self, shading: Shading) -> list[str]:
        signs = {value: sign for sign, value in reversed(self.values.items())}
        missing = {SYMBOLS[value] for value in shading.cells.ravel().tolist() if value not in signs}
        if missing:
            raise OptionError("answers of this format have no sign for an undecided cell: finish the answer first")
        return [self.separator.join(signs[value] for value in row) for row in shading.cells.tolist()]

    def shading(self, rows: Sequence[Sequence[Piece]], where: Piece, shape: tuple[int, int] | None = None) -> Shading:
        """The answer with these cells, which must have the shape; a clue printed in an answer is unshaded."""
        found = rectangle(rows, where)
        if shape is not None and found != shape:
            raise where.error(f"expected an answer of {sides(shape)} as the board has, found {sides(found)}")

        def value(cell: Piece, row: int, column: int) -> int:
            if cell in self.values:
                return self.values[cell]
            if cell == "?" or NUMBER.fullmatch(cell):
                return UNSHADED
            raise cell_error(cell, row, column, f"one of {' '.join(self.values)}")

        return Shading([[value(cell, r, c) for c, cell in enumerate(row, 1)] for r, row in enumerate(rows, 1)])


OWN = Signs({sign: value for value, sign in SYMBOLS.items()})
WORDS = Signs({"x": SHADED, "-": UNSHADED, ".": 0}, separator=" ")


def labels(entries: Mapping[str, str]) -> dict:
    """A puzzle's name and info from the entries of a record that say nothing about its board."""
    info = {key: str(value) for key, value in entries.items()}
    name = info.pop("id" if "id" in info else "name", None)
    return {"name": name or None, "info": info}


def label_lines(puzzle: Puzzle, form: str, reserved: Sequence[str]) -> list[str]:
    """A puzzle's name and info as lines `form`; keys that are no word or mean something else are left out."""
    entries = {"name": puzzle.name} if puzzle.name else {}
    entries |= {key.lower(): value for key, value in puzzle.info.items() if key.lower() not in ("id", *entries)}
    return [
        form.format(key=key, value=" ".join(str(value).split())).rstrip()
        for key, value in entries.items()
        if re.fullmatch(r"[A-Za-z]\w*", key) and key not in reserved
    ]
