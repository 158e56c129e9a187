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
    """The decided cells that are like that in no solution.

    `solutions` are some of the puzzle, one at least, all if `complete`.
    """
    cells = known.cells.ravel()
    wrong = np.flatnonzero(cells)
    for solution in solutions:
        wrong = wrong[cells[wrong] != solution.cells.ravel()[wrong]]
    left = [c for c in wrong.tolist() if complete or _with(puzzle, _part(known, [c]), ask) is None]
    return grid_of(puzzle.shape).cells(left)


def clashing_cells(puzzle: Puzzle, known: Shading, ask: Ask) -> tuple[Cell, ...]:
    """Decided cells that no solution has together, each of them needed for that; no solution may have all of them."""
    kept = np.flatnonzero(known.cells).tolist()
    for c in tuple(kept):
        fewer = [d for d in kept if d != c]
        if _with(puzzle, _part(known, fewer), ask) is None:
            kept = fewer
    return grid_of(puzzle.shape).cells(kept)


def _part(known: Shading, keep: list[int]) -> Shading:
    """The answer with only these cells (flat) decided."""
    cells = np.full(known.cells.size, UNDECIDED, dtype=np.int8)
    cells[keep] = known.cells.ravel()[keep]
    return Shading(cells.reshape(known.shape))


def _with(puzzle: Puzzle, known: Shading, ask: Ask) -> Shading | None:
    return next(iter(ask.find(puzzle, 1, model=ShadingModel.of(puzzle, known)).shadings), None)
