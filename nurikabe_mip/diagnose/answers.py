"""What is wrong in an answer: cells that no solution has."""

from collections.abc import Iterable

import numpy as np

from ..constraints import ShadingModel
from ..grid import Cell, grid_of
from ..puzzles import UNDECIDED, Puzzle, Shading
from .ask import Ask


def agrees(solution: Shading, known: Shading | None) -> bool:
    """Whether a solution has all that an answer has decided."""
    return known is None or not ((known.cells != UNDECIDED) & (known.cells != solution.cells)).any()


def extending(puzzle: Puzzle, known: Shading, solutions: Iterable[Shading], ask: Ask) -> Shading | None:
    """A solution that has all that an answer has decided, one of `solutions` if possible; None if there is none."""
    return next((solution for solution in solutions if agrees(solution, known)), None) or _with(puzzle, known, ask)


def wrong_cells(
    puzzle: Puzzle, known: Shading, solutions: Iterable[Shading], complete: bool, ask: Ask
) -> tuple[Cell, ...]:
    """The decided cells that are like that in no solution; else a set of them that no solution has together.

    `solutions` are some of the puzzle, one at least, all if `complete`; no solution may have all that is decided. Each
    cell of the set is needed: with the others alone there is a solution.
    """
    cells = known.cells.ravel()

    def has_solution(keep: list[int]) -> bool:
        part = np.full_like(cells, UNDECIDED)
        part[keep] = cells[keep]
        return _with(puzzle, Shading(part.reshape(puzzle.shape)), ask) is not None

    suspects = np.flatnonzero(cells)
    for solution in solutions:
        suspects = suspects[cells[suspects] != solution.cells.ravel()[suspects]]
    wrong = suspects.tolist()
    if not complete:
        wrong = [c for c in wrong if not has_solution([c])]
    if not wrong:
        wrong = np.flatnonzero(cells).tolist()
        for c in tuple(wrong):
            fewer = [d for d in wrong if d != c]
            if not has_solution(fewer):
                wrong = fewer
    return grid_of(puzzle.shape).cells(wrong)


def _with(puzzle: Puzzle, known: Shading, ask: Ask) -> Shading | None:
    return next(iter(ask.find(puzzle, 1, model=ShadingModel.of(puzzle, known)).shadings), None)
