"""What numbers an answer would give its cells: which clues fit it."""

from itertools import groupby

import numpy as np

from ..constraints import Islands, ShadingModel
from ..puzzles import UNKNOWN_SIZE, UNSHADED, Puzzle, Shading


def has_islands(puzzle: Puzzle) -> bool:
    """Whether the numbers are sizes of islands; else they count the cells in sight."""
    return any(isinstance(constraint, Islands) for constraint in puzzle.constraints())


class Reading:
    """An answer that keeps all rules but those of the clues.

    `numbers` has for each cell (flat) the number that a clue there would have to have, 0 where it is shaded; `islands`
    the cells of each island, none where numbers do not tell islands.
    """

    def __init__(self, puzzle: Puzzle, answer: Shading):
        self.answer = answer
        land = answer.cells == UNSHADED
        self.islands: list[list[int]] = []
        self._label = None
        if has_islands(puzzle):
            self.islands = ShadingModel.of(puzzle).grid.components(land.ravel().tolist())
            self._label = np.full(land.size, -1)
            self.numbers = np.zeros(land.size, dtype=int)
            for label, island in enumerate(self.islands):
                self._label[island] = label
                self.numbers[island] = len(island)
        else:
            both = _runs(land) + _runs(land.T).T
            self.numbers = np.where(land, both - 1, 0).ravel()

    def fitting(self, clues: np.ndarray) -> np.ndarray:
        """For each cell (flat) whether it has a clue with the right number."""
        return (clues > 0) & (clues == self.numbers)

    def fits(self, clues: np.ndarray) -> bool:
        """Whether the answer is a solution with these clues (flat)."""
        cells = clues.nonzero()[0]
        wanted, given = clues[cells], self.numbers[cells]
        if not ((wanted == given) | ((wanted == UNKNOWN_SIZE) & (given > 0))).all():
            return False
        if self._label is None:
            return True
        return len(cells) == len(self.islands) == len(np.unique(self._label[cells]))


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
