"""The techniques of the profile once more, in plain Python: everything is recomputed at every step.

It says what the compiled kernel must do, step for step; read this one to learn what a technique means. Cells are
indices into a flat board, values are SHADED (sea), UNSHADED (land) and UNDECIDED (open).
"""

from collections.abc import Iterator

import numpy as np

from nurikabe_mip.grid import grid_of
from nurikabe_mip.puzzles import SHADED, UNDECIDED, UNSHADED

TECHNIQUES = (
    "island_complete",
    "all_complete",
    "separate_clues",
    "no_pool",
    "island_exit",
    "sea_exit",
    "unreachable",
    "forced",
    "short_contradiction",
    "contradiction",
)
FREE = ("island_complete", "all_complete")
INNER = TECHNIQUES[: TECHNIQUES.index("forced") + 1]
LIMITS = {"short_contradiction": 6, "contradiction": 20}

Step = tuple[str, int, tuple[int, ...]]  # technique, value, cells


class Board:
    """A position, its groups and the reach of its islands."""

    def __init__(self, shape: tuple[int, int], clues: dict[int, int], values: list[int]):
        self.grid = grid_of(shape)
        self.clues = clues
        self.values = values

    def with_value(self, cells, value: int) -> "Board":
        values = list(self.values)
        for c in cells:
            values[c] = value
        return Board((self.grid.rows, self.grid.columns), self.clues, values)

    def around(self, group, value: int = UNDECIDED) -> list[int]:
        """The cells of that value beside a group."""
        return sorted({d for c in group for d in self.grid.neighbours[c] if self.values[d] == value and d not in group})

    @property
    def open(self) -> list[int]:
        return [c for c, value in enumerate(self.values) if value == UNDECIDED]

    def groups(self, value: int) -> list[list[int]]:
        return self.grid.components([v == value for v in self.values])

    def analyse(self) -> None:
        """Find the groups, the numbered islands (in the order of their clues) and their reach."""
        land = self.groups(UNSHADED)
        self.sea_groups = self.groups(SHADED)
        self.land_groups = [(group, [c for c in group if c in self.clues]) for group in land]
        self.islands = [(clue, self.clues[clue], group) for group, clues in self.land_groups for clue in clues]
        self.islands.sort()
        self.beside = [set() for _ in self.values]  # the numbered islands that a cell belongs to or touches
        for number, (_, _, group) in enumerate(self.islands):
            for c in group:
                for d in (c, *self.grid.neighbours[c]):
                    self.beside[d].add(number)
        self.reach = [self._reach(number) for number in range(len(self.islands))]

    def _reach(self, number: int) -> set[int]:
        _, size, group = self.islands[number]
        passable = [v != SHADED and self.beside[c] <= {number} for c, v in enumerate(self.values)]
        limit = None if size < 0 else max(size - len(group), 0)
        return set(np.flatnonzero(self.grid.distances(group, passable, limit) >= 0).tolist())

    def broken(self) -> str | None:
        """The first rule that the position breaks, in the order R4, R3, R2, R1."""
        if any(all(self.values[c] == SHADED for c in block) for block in self.grid.blocks.tolist()):
            return "R4"
        if all(v == UNSHADED for v in self.values):
            return "R3"
        parts = self.grid.components([v != UNSHADED for v in self.values])
        if sum(any(self.values[c] == SHADED for c in part) for part in parts) > 1:
            return "R3"
        self.analyse()
        for group, clues in self.land_groups:
            if len(clues) > 1 or (not clues and not any(reach.issuperset(group) for reach in self.reach)):
                return "R2"
        for (_, size, group), reach in zip(self.islands, self.reach, strict=True):
            if size > 0 and not len(group) <= size <= len(reach):
                return "R1"
        return None

    def is_full(self, number: int) -> bool:
        _, size, group = self.islands[number]
        return size == len(group)

    # one generator a technique: the steps that it could make, in the order of their places

    def island_complete(self) -> Iterator[Step]:
        for number, (_, _, group) in enumerate(self.islands):
            cells = self.around(group)
            if self.is_full(number) and cells:
                yield "island_complete", SHADED, tuple(cells)

    def all_complete(self) -> Iterator[Step]:
        done = (
            not self.around(group) if size < 0 else self.is_full(number)
            for number, (_, size, group) in enumerate(self.islands)
        )
        if self.open and all(done):
            yield "all_complete", SHADED, tuple(self.open)

    def separate_clues(self) -> Iterator[Step]:
        for c in self.open:
            if len(self.beside[c]) > 1:
                yield "separate_clues", SHADED, (c,)

    def no_pool(self) -> Iterator[Step]:
        for c in self.open:
            for block in self.grid.blocks.tolist():
                if c in block and all(self.values[d] == SHADED for d in block if d != c):
                    yield "no_pool", UNSHADED, (c,)

    def island_exit(self) -> Iterator[Step]:
        number_of = {clue: number for number, (clue, _, _) in enumerate(self.islands)}
        for group, clues in self.land_groups:
            exits = self.around(group)
            if clues:
                number = number_of[clues[0]]
                if self.clues[clues[0]] < 0 or self.is_full(number):
                    continue
                exits = [c for c in exits if self.beside[c] <= {number}]
            if len(exits) == 1:
                yield "island_exit", UNSHADED, tuple(exits)

    def sea_exit(self) -> Iterator[Step]:
        for group in self.sea_groups:
            exits = self.around(group)
            if len(self.sea_groups) > 1 and len(exits) == 1:
                yield "sea_exit", SHADED, tuple(exits)

    def unreachable(self) -> Iterator[Step]:
        for c in self.open:
            if not any(c in reach for reach in self.reach):
                yield "unreachable", SHADED, (c,)

    def forced(self) -> Iterator[Step]:
        for c in self.open:
            for value in (UNSHADED, SHADED):
                if self.with_value((c,), value).broken():
                    yield "forced", -value, (c,)

    def _contradiction(self, name: str) -> Iterator[Step]:
        for c in self.open:
            for value in (UNSHADED, SHADED):
                if breaks(self.with_value((c,), value), LIMITS[name]):
                    yield name, -value, (c,)

    def short_contradiction(self) -> Iterator[Step]:
        return self._contradiction("short_contradiction")

    def contradiction(self) -> Iterator[Step]:
        return self._contradiction("contradiction")

    def step(self, techniques=TECHNIQUES) -> Step | None:
        """The first technique that applies, at its first place; `broken` must have been called before."""
        return next((step for name in techniques for step in getattr(self, name)()), None)


def breaks(board: Board, limit: int) -> bool:
    """Whether that many counted steps of the techniques up to `forced` break a rule."""
    counted = 0
    while not board.broken():
        step = board.step(INNER) if counted < limit else None
        if step is None:
            return False
        counted += step[0] not in FREE
        board = board.with_value(step[2], step[1])
    return True


def run(clues: np.ndarray, values=None, techniques=TECHNIQUES) -> tuple[list[Step], list[int], str | None]:
    """Steps, final values (flat) and the broken rule or None, from clues of shape (rows, columns)."""
    sizes = {int(c): int(clues.ravel()[c]) for c in np.flatnonzero(clues)}
    start = [UNDECIDED] * clues.size if values is None else [int(v) for v in np.ravel(values)]
    start = [UNSHADED if c in sizes and v == UNDECIDED else v for c, v in enumerate(start)]
    if any(start[c] == SHADED for c in sizes):
        return [], start, "R5"
    board = Board(clues.shape, sizes, start)
    steps = []
    while True:
        rule = board.broken()
        step = None if rule else board.step(techniques)
        if step is None:
            return steps, board.values, rule
        steps.append(step)
        board = board.with_value(step[2], step[1])


def orientations(clues: np.ndarray) -> list[np.ndarray]:
    """The board as it is, turned clockwise once, twice, three times, then mirrored left to right and turned so."""
    return [np.rot90(board, -turns) for board in (clues, clues[:, ::-1]) for turns in range(4)]


def canonical(clues: np.ndarray) -> np.ndarray:
    """The first orientation by (rows, columns, tokens)."""
    return min(orientations(clues), key=lambda board: (*board.shape, *board.ravel().tolist()))
