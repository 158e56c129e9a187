"""Puzzles and answers: frozen values over numpy arrays of shape (rows, columns)."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import ClassVar

import numpy as np

from .errors import PuzzleError
from .grid import Cell, grid_of

SHADED, UNSHADED, UNDECIDED = 1, -1, 0
SYMBOLS = {SHADED: "#", UNSHADED: "-", UNDECIDED: "."}
NO_CLUE, UNKNOWN_SIZE = 0, -1
CLUE_TOKENS = {".": NO_CLUE, "-": NO_CLUE, None: NO_CLUE, "?": UNKNOWN_SIZE}


def _frozen(array: np.ndarray) -> np.ndarray:
    array = np.array(array, order="C")
    array.flags.writeable = False
    return array


@dataclass(frozen=True, eq=False, repr=False)
class Shading:
    """An answer, finished or not: each cell is shaded, unshaded or undecided.

    `cells` is a read-only int8 array of shape (rows, columns) with SHADED (1), UNSHADED (-1) and UNDECIDED (0); it is
    made from anything array-like of these numbers, from rows of text (`#`, `-`, `.`) or from one text of such rows.
    Raises PuzzleError on other signs or ragged rows.
    """

    cells: np.ndarray

    def __post_init__(self):
        cells = self.cells
        if isinstance(cells, str):
            cells = cells.split()
        if not isinstance(cells, np.ndarray):
            if not isinstance(cells, Iterable):
                raise PuzzleError(f"a shading is made of rows of #, - and ., or of numbers; got {cells!r}")
            cells = list(cells)
            if cells and all(isinstance(row, str) for row in cells):
                cells = self._from_rows(cells)
        try:
            array = np.asarray(cells)
        except ValueError:
            raise PuzzleError("the rows of a shading must be of one length") from None
        if array.ndim != 2 or array.size == 0:
            raise PuzzleError(f"a shading has rows and columns, at least 1x1; this one has the shape {array.shape}")
        if array.dtype.kind not in "iu" or array.max() > SHADED or array.min() < UNSHADED:
            raise PuzzleError("a cell of a shading is 1 (shaded), -1 (unshaded) or 0 (undecided)")
        object.__setattr__(self, "cells", _frozen(array.astype(np.int8)))

    @staticmethod
    def _from_rows(rows: list[str]) -> list[list[int]]:
        values = {symbol: value for value, symbol in SYMBOLS.items()}
        for number, row in enumerate(rows, 1):
            for column, sign in enumerate(row, 1):
                if sign not in values:
                    raise PuzzleError(f"row {number}, column {column}: expected #, - or . and found {sign!r}")
        if len(set(map(len, rows))) > 1:
            raise PuzzleError(f"the rows of a shading must be of one length, these have {sorted(set(map(len, rows)))}")
        return [[values[sign] for sign in row] for row in rows]

    @property
    def shape(self) -> tuple[int, int]:
        """(rows, columns)"""
        return self.cells.shape

    @property
    def rows(self) -> list[str]:
        """One text a row of `#`, `-` and `.`."""
        return ["".join(SYMBOLS[int(value)] for value in row) for row in self.cells]

    @property
    def is_finished(self) -> bool:
        """True if no cell is undecided."""
        return bool(self.cells.all())

    def finished(self) -> "Shading":
        """The same answer with every undecided cell unshaded."""
        return Shading(np.where(self.cells == UNDECIDED, UNSHADED, self.cells))

    def differing(self, other: "Shading") -> tuple[Cell, ...]:
        """The cells whose values differ, row by row; both answers must have one shape."""
        if self.shape != other.shape:
            raise PuzzleError(f"shadings of the shapes {self.shape} and {other.shape} cannot be compared")
        return grid_of(self.shape).cells(np.flatnonzero(self.cells != other.cells))

    def __str__(self):
        return "\n".join(self.rows)

    def __repr__(self):
        return f"Shading({self.rows})"

    def __eq__(self, other):
        if not isinstance(other, Shading):
            return NotImplemented
        return self.shape == other.shape and bool((self.cells == other.cells).all())

    def __hash__(self):
        return hash((self.shape, self.cells.tobytes()))

    def __reduce__(self):
        return Shading, (np.array(self.cells),)

    def _repr_html_(self):
        from .draw import svg

        return svg(None, self)


@dataclass(frozen=True, eq=False, repr=False)
class Puzzle:
    """A board with clues; a genre is a subclass with a name and a list of constraints.

    `clues` is a read-only int32 array of shape (rows, columns): 0 no clue, -1 a clue `?`, else the number. It is made
    from anything array-like; a row may hold numbers, None, "." and "?", or be a text of one character a cell or of
    words. `name`, `answer` (a stored answer, not believed by anybody) and `info` (author, source, …) travel along and
    do not count when puzzles are compared.
    Raises PuzzleError on ragged rows and on clues out of range.
    """

    clues: np.ndarray
    name: str | None = None
    answer: Shading | None = None
    info: Mapping[str, str] = field(default_factory=dict)

    genre: ClassVar[str]

    def __post_init__(self):
        array = self.clues
        if not (isinstance(array, np.ndarray) and array.ndim == 2 and array.size and array.dtype.kind in "iu"):
            array = self._parsed(array)
        largest = self.largest_clue(array.shape)
        if array.max() > largest or array.min() < UNKNOWN_SIZE:
            row, column = np.argwhere((array > largest) | (array < UNKNOWN_SIZE))[0]
            raise PuzzleError(
                f"row {row + 1}, column {column + 1}: a clue is a number from 1 to {largest} or ?, "
                f"found {array[row, column]}"
            )
        if self.answer is not None and self.answer.shape != array.shape:
            raise PuzzleError(f"the puzzle has the shape {array.shape} and its answer {self.answer.shape}")
        object.__setattr__(self, "clues", _frozen(array.astype(np.int32)))
        object.__setattr__(self, "info", MappingProxyType(dict(self.info)))

    @classmethod
    def _parsed(cls, clues) -> np.ndarray:
        rows = [cls._tokens(row) for row in clues]
        if not rows or not rows[0]:
            raise PuzzleError("a puzzle has at least one row and one column")
        if len(set(map(len, rows))) > 1:
            raise PuzzleError(f"the rows of a puzzle must be of one length, these have {sorted(set(map(len, rows)))}")
        return np.array([[cls._clue(token) for token in row] for row in rows])

    @staticmethod
    def _tokens(row) -> list:
        return row.split() if isinstance(row, str) and " " in row.strip() else list(row)

    @staticmethod
    def _clue(token) -> int:
        if token is None or isinstance(token, str):
            if token in CLUE_TOKENS:
                return CLUE_TOKENS[token]
            if not (token.isascii() and token.isdigit()):
                raise PuzzleError(f"a clue is a number or ?, found {token!r}")
            if int(token) == 0:
                raise PuzzleError("a clue is a number from 1 or ?, found 0")
        value = int(token)
        if value != (token if not isinstance(token, str) else value):
            raise PuzzleError(f"a clue is a whole number, found {token!r}")
        return value

    @classmethod
    def largest_clue(cls, shape: tuple[int, int]) -> int:
        """The largest number that a clue can be on a board of that shape."""
        return shape[0] * shape[1]

    @property
    def shape(self) -> tuple[int, int]:
        """(rows, columns)"""
        return self.clues.shape

    @property
    def clue_cells(self) -> tuple[Cell, ...]:
        """The cells with a clue, row by row."""
        return grid_of(self.shape).cells(np.flatnonzero(self.clues))

    @property
    def tokens(self) -> list[list[str]]:
        """The rows as texts: `.` no clue, `?`, or the number."""
        names = {NO_CLUE: ".", UNKNOWN_SIZE: "?"}
        return [[names.get(int(clue), str(clue)) for clue in row] for row in self.clues]

    def constraints(self) -> tuple:
        """The constraints that the rules put on this board; see `nurikabe_mip.constraints`."""
        raise NotImplementedError

    def __str__(self):
        width = max(len(token) for row in self.tokens for token in row)
        return "\n".join(" ".join(token.rjust(width) for token in row) for row in self.tokens)

    def __repr__(self):
        return f"{type(self).__name__}({[' '.join(row) for row in self.tokens]})"

    def __eq__(self, other):
        if not isinstance(other, Puzzle):
            return NotImplemented
        return self.genre == other.genre and self.shape == other.shape and bool((self.clues == other.clues).all())

    def __hash__(self):
        return hash((self.genre, self.shape, self.clues.tobytes()))

    def __reduce__(self):
        return type(self), (np.array(self.clues), self.name, self.answer, dict(self.info))

    def _repr_html_(self):
        from .draw import svg

        return svg(self)


class Nurikabe(Puzzle):
    """A Nurikabe: islands of the sizes given, in one connected sea without pools.

    >>> Nurikabe([[5, 0, 1]]).shape
    Traceback (most recent call last):
        ...
    nurikabe_mip.errors.PuzzleError: row 1, column 1: a clue is a number from 1 to 3 or ?, found 5
    >>> print(Nurikabe(["...", "...", "5.1"]))
    . . .
    . . .
    5 . 1
    """

    genre = "nurikabe"

    def constraints(self) -> tuple:
        from .constraints import nurikabe

        return nurikabe(self.clues)


class Kuromasu(Puzzle):
    """A Kuromasu (Kurodoko, Range): from its cell each number sees so many unshaded cells, itself included.

    Shaded cells touch no other, and the unshaded ones are one connected area.

    >>> from nurikabe_mip import solve
    >>> print(solve(Kuromasu(["...7.", "5....", "..2..", "....2", ".4..."])).solution)
    -#---
    --#--
    -#--#
    --#--
    #---#
    """

    genre = "kuromasu"

    def constraints(self) -> tuple:
        from .constraints import kuromasu

        return kuromasu(self.clues)


GENRES: dict[str, type[Puzzle]] = {puzzle.genre: puzzle for puzzle in (Nurikabe, Kuromasu)}


def answer_of(puzzle: Puzzle, known: Shading | str | Iterable | None) -> Shading:
    """`known` as a Shading of the puzzle's shape (all undecided for None), with the clue cells unshaded where open."""
    cells = np.zeros(puzzle.shape, dtype=np.int8)
    if known is not None:
        shading = known if isinstance(known, Shading) else Shading(known)
        if shading.shape != puzzle.shape:
            raise PuzzleError(f"the puzzle has the shape {puzzle.shape} and the answer {shading.shape}")
        cells += shading.cells
    cells[(cells == UNDECIDED) & (puzzle.clues != NO_CLUE)] = UNSHADED
    return Shading(cells)
