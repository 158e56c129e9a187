"""Every shading of a small board, in order: the oracle of the tests.

It knows no rule but the checker's. The undecided cells run through all their values, a few thousand patterns at a
time; two array operations drop most of the patterns that break a local rule, and `check` judges the rest.
"""

from collections.abc import Iterator

import numpy as np

from ..check import violations
from ..constraints import Islands, NoPool, NoTouch, ShadingModel
from ..puzzles import SHADED, UNKNOWN_SIZE, UNSHADED
from .base import Run

OPTIONS: dict = {}
PRESOLVE = "none"  # an oracle stands on its own feet
CHUNK = 12  # patterns of 2^CHUNK cells are filtered at once


def version() -> str:
    from .. import __version__

    return f"nurikabe-mip {__version__}"


def shadings(model: ShadingModel, run: Run) -> Iterator[np.ndarray]:
    """Yield every solution, in the order of the binary numbers that the undecided cells spell."""
    run.stats.variables = len(model.free)
    low = model.free[: min(CHUNK, len(model.free))]
    high = model.free[len(low) :]
    pattern = np.arange(1 << len(low))
    chunk = np.tile(model.fixed, (len(pattern), 1))
    chunk[:, low] = np.where(pattern[:, None] >> np.arange(len(low)) & 1, SHADED, UNSHADED)
    for number in range(1 << len(high)):
        run.poll()
        for bit, cell in enumerate(high):
            chunk[:, cell] = SHADED if number >> bit & 1 else UNSHADED
        with run.stats.timed("solve"):
            candidates = chunk[_plausible(model, chunk)]
        run.stats.add(nodes=len(chunk))
        for values in candidates:
            run.poll()
            with run.stats.timed("solve"):
                right = not violations(model, values)
            if right:
                yield values.copy()


def _plausible(model: ShadingModel, chunk: np.ndarray) -> np.ndarray:
    """Which rows of `chunk` break no rule that arrays can judge."""
    shaded = chunk == SHADED
    good = np.ones(len(chunk), dtype=bool)
    for constraint in model.constraints:
        if isinstance(constraint, NoPool):
            good &= ~shaded[:, model.grid.blocks].all(axis=2).any(axis=1)
        elif isinstance(constraint, NoTouch):
            first, second = np.array(model.grid.edges, dtype=int).reshape(-1, 2).T
            good &= ~(shaded[:, first] & shaded[:, second]).any(axis=1)
        elif isinstance(constraint, Islands) and all(size != UNKNOWN_SIZE for _, size in constraint.clues):
            good &= (~shaded).sum(axis=1) == sum(size for _, size in constraint.clues)
    return good
