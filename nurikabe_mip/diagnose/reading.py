"""What numbers an answer gives to its cells."""

from itertools import groupby

import numpy as np

from ..constraints import Islands
from ..grid import grid_of
from ..puzzles import UNSHADED, Puzzle, Shading


def has_islands(puzzle: Puzzle) -> bool:
    """Whether the numbers are sizes of islands; else they count the cells in sight."""
    return any(isinstance(constraint, Islands) for constraint in puzzle.constraints())


class Reading:
    """An answer that keeps all rules but those of the clues.

    `numbers` has for each cell (flat) the number that a clue there would have to have, 0 where it is shaded; `labels`
    the number of the island that it is in, -1 where it is shaded, None where clues do not make islands.
    """

    def __init__(self, puzzle: Puzzle, answer: Shading):
        self.answer = answer
        land = answer.cells == UNSHADED
        self.labels: np.ndarray | None = None
        if has_islands(puzzle):
            self.labels = np.full(land.size, -1)
            self.numbers = np.zeros(land.size, dtype=int)
            for label, island in enumerate(grid_of(land.shape).components(land.ravel().tolist())):
                self.labels[island] = label
                self.numbers[island] = len(island)
        else:
            both = _runs(land) + _runs(land.T).T
            self.numbers = np.where(land, both - 1, 0).ravel()


def _runs(land: np.ndarray) -> np.ndarray:
    """For each cell of land how many there are without a gap in its row."""
    lines = []
    for row in land.tolist():
        line: list[int] = []
        for is_land, cells in groupby(row):
            length = len(list(cells))
            line += [length if is_land else 0] * length
        lines.append(line)
    return np.array(lines)
