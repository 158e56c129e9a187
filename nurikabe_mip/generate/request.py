"""What is asked for, and what is handed back; the same for every genre."""

import numbers
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from types import MappingProxyType

import numpy as np

from ..backends.base import choice
from ..deduce import BEYOND, LEVELS, TECHNIQUES
from ..errors import OptionError
from ..grid import shape_of
from ..puzzles import GENRES, Puzzle, Shading
from ..rate import Rating

ANY = "any"
ASKED = (ANY, *LEVELS[1:], BEYOND)
LARGEST = 100  # rows or columns
# the turns and mirror images under which a clue pattern can stay as it is, as generators of their group: functions of
# (row, column, rows, columns)
SYMMETRIES = {
    "rotate180": (lambda r, c, rows, columns: (rows - 1 - r, columns - 1 - c)),
    "rotate90": (lambda r, c, rows, columns: (c, rows - 1 - r)),
    "mirror": (lambda r, c, rows, columns: (r, columns - 1 - c)),
    "flip": (lambda r, c, rows, columns: (rows - 1 - r, c)),
    "diagonal": (lambda r, c, rows, columns: (c, r)),
}
SQUARE = ("rotate90", "diagonal")
KNOBS = {"require": (None, "nurikabe"), "hidden": (0.0, "nurikabe"), "black_share": (None, "kuromasu")}


@lru_cache(maxsize=64)
def images(symmetry: str | None, shape: tuple[int, int]) -> list[np.ndarray]:
    """For each turn or mirror image in the group the flat index of where it takes each cell; the identity first."""
    rows, columns = shape
    row, column = np.divmod(np.arange(rows * columns), columns)
    identity = row * columns + column
    found = [identity]
    if symmetry is not None:
        r, c = SYMMETRIES[symmetry](row, column, rows, columns)
        image = step = r * columns + c
        while (image != identity).any():
            found.append(image)
            image = step[image]
    return found


@dataclass(frozen=True)
class Request:
    """The kind of puzzle asked for; OptionError for what cannot be."""

    genre: str
    shape: tuple[int, int]
    level: str
    require: str | None
    symmetry: str | None
    hidden: float
    black_share: float | None = None

    def __post_init__(self):
        choice("genre", self.genre, GENRES)
        choice("level", self.level, ASKED)
        rows, columns = shape_of("shape", self.shape)
        if max(rows, columns) > LARGEST:
            raise OptionError(f"a board has at most {LARGEST} rows and columns; got {rows}x{columns}")
        object.__setattr__(self, "shape", (rows, columns))
        if self.symmetry is not None:
            choice("symmetry", self.symmetry, SYMMETRIES)
            if self.symmetry in SQUARE and rows != columns:
                raise OptionError(f"symmetry {self.symmetry!r} is for square boards; the shape is {rows}x{columns}")
        if self.require is not None:
            choice("require", self.require, [technique.name for technique in TECHNIQUES])
            level = next(technique.level for technique in TECHNIQUES if technique.name == self.require)
            if self.level not in (ANY, BEYOND) and LEVELS.index(level) > LEVELS.index(self.level):
                raise OptionError(f"a puzzle of level {self.level!r} does not need {self.require!r}, which is {level}")
        if isinstance(self.hidden, bool) or not isinstance(self.hidden, numbers.Real) or not 0 <= self.hidden <= 1:
            raise OptionError(f"hidden is the share of clues to replace by ?, from 0 to 1; got {self.hidden!r}")
        object.__setattr__(self, "hidden", float(self.hidden))
        share = self.black_share
        if share is not None:
            if isinstance(share, bool) or not isinstance(share, numbers.Real) or not 0 <= share <= 0.5:
                raise OptionError(f"black_share is a number from 0 to 0.5; got {share!r}")
            object.__setattr__(self, "black_share", float(share))
        for name, (default, genre) in KNOBS.items():
            if getattr(self, name) != default and self.genre != genre:
                raise OptionError(f"{name} is an option of {genre} alone; the genre is {self.genre}")

    @property
    def options(self) -> dict[str, str]:
        """All but genre and shape as texts, for a record; what is not asked for is left out."""
        given = {
            "asked": self.level,
            "require": self.require,
            "symmetry": self.symmetry,
            "hidden": self.hidden or None,
            "black_share": self.black_share,
        }
        return {name: str(value) for name, value in given.items() if value is not None}

    def __str__(self):
        rows, columns = self.shape
        parts = [f"{rows}x{columns}", self.level]
        parts += [f"{name} {value}" for name, value in self.options.items() if name != "asked"]
        return ", ".join(parts)


@dataclass(frozen=True, eq=False)
class Generated:
    """A puzzle that was made, with its proof.

    `puzzle` holds `solution` as its answer, and in `info` what makes it again: `level` (of `rating`), `asked` (the
    level asked for), `seed`, `version` and the other options. `rating` proves level and uniqueness. `attempts` is the
    number of answers that were begun, `counts` how often each operation was done; both depend on nothing but the
    request and the seed. `seconds` is wall time. `version` is that of the generator: with another one, the same seed
    makes another puzzle.
    """

    puzzle: Puzzle
    solution: Shading
    rating: Rating
    attempts: int
    seed: int
    version: str
    counts: Mapping[str, int] = field(default_factory=dict)
    seconds: float = 0.0

    def __post_init__(self):
        object.__setattr__(self, "counts", MappingProxyType(dict(self.counts)))

    def __reduce__(self):
        values = (self.puzzle, self.solution, self.rating, self.attempts, self.seed, self.version)
        return type(self), (*values, dict(self.counts), self.seconds)

    @property
    def level(self) -> str:
        """The level of the rating."""
        return self.rating.level

    def __str__(self):
        return f"{self.puzzle}\n{self.level}, unique, seed {self.seed}"

    def _repr_html_(self):
        return self.puzzle._repr_html_()
