"""The five kinds of constraints that genres are made of, and the model that a backend receives.

A genre is a short list of these; a backend has one encoder for each kind. To add a genre, write its list here.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from .errors import PuzzleError
from .grid import Grid, grid_of
from .puzzles import NO_CLUE, SHADED, UNDECIDED, UNKNOWN_SIZE, UNSHADED, Puzzle, Shading, answer_of


@dataclass(frozen=True)
class NoPool:
    """No 2x2 block is entirely shaded."""


@dataclass(frozen=True)
class NoTouch:
    """No two shaded cells share a side."""


@dataclass(frozen=True)
class Connected:
    """The cells of one value, SHADED or UNSHADED, are one connected component, and at least one if `nonempty`."""

    value: int
    nonempty: bool = False


@dataclass(frozen=True)
class Islands:
    """Every unshaded component holds exactly one clue, and has as many cells as the clue says.

    `clues` are pairs (cell index, size); a size of UNKNOWN_SIZE (-1) leaves the size open.
    """

    clues: tuple[tuple[int, int], ...]

    def state(self, grid: Grid, values: Sequence[int]) -> "IslandState":
        """What the cells decided so far (`values`, flat) leave to the islands."""
        return IslandState(self, grid, values)


@dataclass(frozen=True)
class Sight:
    """Each clue cell is unshaded and sees as many unshaded cells as its number says.

    It sees along the four directions up to the first shaded cell or the edge, and itself once. `clues` are pairs
    (cell index, number); a number of UNKNOWN_SIZE (-1) is left open.
    """

    clues: tuple[tuple[int, int], ...]

    @staticmethod
    def in_view(grid: Grid, values: Sequence[int], clue: int) -> list[tuple[range, list[int]]]:
        """The cells above, left of, right of and below a clue's cell, and the numbers of them that it may see.

        The numbers go up, the last is the most; `values` are the cells decided so far, flat.
        """
        found = []
        for ray in grid.rays(clue):
            numbers = []
            for number, c in enumerate(ray):
                if values[c] != UNSHADED:
                    numbers.append(number)
                if values[c] == SHADED:
                    break
            else:
                numbers.append(len(ray))
            found.append((ray, numbers))
        return found


class IslandState:
    """The unshaded components of a partial answer, and how far each clue's island can still grow.

    An island grows over undecided and loose (unshaded, without a clue) cells that touch no other numbered island;
    each costs one unit, and it can take as many as its size leaves.
    """

    def __init__(self, islands: Islands, grid: Grid, values: Sequence[int]):
        self.grid = grid
        self.size_of = dict(islands.clues)
        self.components = grid.components([value == UNSHADED for value in values])
        self.numbered: list[tuple[int, int, list[int]]] = []  # clue cell, size, cells of its component
        self.loose: list[list[int]] = []
        self.crowded: list[list[int]] = []  # components with two clues or more
        for component in self.components:
            clues = [c for c in component if c in self.size_of]
            if not clues:
                self.loose.append(component)
                continue
            if len(clues) > 1:
                self.crowded.append(component)
            for clue in clues:
                self.numbered.append((clue, self.size_of[clue], component))
        self.numbered.sort()
        self._values = values

    @cached_property
    def _owner(self) -> list[int]:
        """For each cell the numbered island that it belongs to or touches; -1 if none, -2 if several."""
        owner = [-1] * self.grid.size
        for number, (_, _, component) in enumerate(self.numbered):
            for c in set(component).union(*(self.grid.neighbours[c] for c in component)):
                owner[c] = number if owner[c] in (-1, number) else -2
        return owner

    def reach(self, number: int, limited: bool = True) -> np.ndarray:
        """Units that numbered island `number` needs to take in each cell: 0 its own, -1 out of reach; flat, int32.

        With `limited`, cells that need more than the island's size leaves are out of reach too.
        """
        _, size, component = self.numbered[number]
        limit = max(size - len(component), 0) if limited and size != UNKNOWN_SIZE else None
        passable = [
            value != SHADED and owner in (-1, number) for value, owner in zip(self._values, self._owner, strict=True)
        ]
        return self.grid.distances(component, passable, limit)


def _clues(clues: np.ndarray) -> tuple[tuple[int, int], ...]:
    return tuple((c, clue) for c, clue in enumerate(clues.ravel().tolist()) if clue != NO_CLUE)


def nurikabe(clues: np.ndarray) -> tuple:
    """The constraints of Nurikabe."""
    return Islands(_clues(clues)), Connected(SHADED, nonempty=True), NoPool()


def kuromasu(clues: np.ndarray) -> tuple:
    """The constraints of Kuromasu."""
    return Sight(_clues(clues)), Connected(UNSHADED, nonempty=True), NoTouch()


@dataclass(frozen=True, eq=False)
class ShadingModel:
    """What a backend solves: find shadings of a board of `shape` that meet all `constraints` and keep `fixed`.

    `fixed` is a flat, read-only int8 array: SHADED or UNSHADED where a cell is decided beforehand, else UNDECIDED.
    """

    shape: tuple[int, int]
    constraints: tuple
    fixed: np.ndarray

    def __post_init__(self):
        fixed = np.array(self.fixed, dtype=np.int8).ravel()
        if fixed.size != self.grid.size:
            raise PuzzleError(f"a board of shape {self.shape} has {self.grid.size} cells, {fixed.size} are given")
        fixed.flags.writeable = False
        object.__setattr__(self, "fixed", fixed)

    @classmethod
    def of(cls, puzzle: Puzzle, known: Shading | None = None) -> "ShadingModel":
        """The model of a puzzle, its clue cells and the cells of a partial answer fixed."""
        fixed = (
            np.where(puzzle.clues != NO_CLUE, UNSHADED, UNDECIDED) if known is None else answer_of(puzzle, known).cells
        )
        return cls(puzzle.shape, puzzle.constraints(), fixed)

    @property
    def grid(self) -> Grid:
        return grid_of(self.shape)

    @property
    def free(self) -> np.ndarray:
        """The indices of the cells that are not fixed."""
        return np.flatnonzero(self.fixed == UNDECIDED)

    def with_fixed(self, fixed: np.ndarray) -> "ShadingModel":
        """The same model with other cells fixed."""
        return ShadingModel(self.shape, self.constraints, fixed)
