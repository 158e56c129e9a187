"""Conflict-driven search with propagators for islands, sea and reach; `search_kernel` has the algorithm.

The kernel runs a few milliseconds at a time and comes back, so that limits and Ctrl-C need no thread. The search is
deterministic; threads and seed change nothing.
"""

from collections.abc import Iterator

import numpy as np

from ..compiled import Kernel
from ..constraints import Connected, Islands, NoPool, NoTouch, ShadingModel
from ..errors import OptionError
from ..puzzles import SHADED
from .base import LimitReached, Run

OPTIONS: dict = {}
LARGE = 400  # cells from which on deductions beforehand pay: their kernel does in one sweep what ours does in many
KERNEL = Kernel(f"{__package__}.search_kernel", "the search")
BUDGET = 64  # decisions and conflicts until the kernel comes back


def PRESOLVE(model: ShadingModel) -> str:
    """Deductions beforehand for large boards only."""
    return "rules" if model.grid.size >= LARGE else "none"


def version() -> str:
    from .. import __version__

    return f"nurikabe-mip search {__version__}"


def shadings(model: ShadingModel, run: Run) -> Iterator[np.ndarray]:
    """Yield the solutions one by one, each blocked by a clause before the search goes on."""
    with run.stats.timed("build"):
        if not KERNEL.ready(lambda: run.is_over):
            raise LimitReached
        kernel = KERNEL.load()
        rules, clues = _rules(model)
        sizes = np.array(clues, dtype=np.int32).reshape(-1, 2)
        cells, sizes = sizes[:, 0].copy(), sizes[:, 1].copy()
        state = kernel.new_state(*model.shape, cells, sizes, model.fixed.astype(np.int32), rules)
    run.stats.variables = model.grid.size
    run.stats.solver = version()
    while True:
        run.poll()
        with run.stats.timed("solve"):
            found = kernel.run(state, BUDGET)
            run.stats.nodes, run.stats.conflicts, run.stats.cuts, _ = map(int, kernel.counters(state))
        if found == kernel.FINISHED:
            return
        if found == kernel.SOLUTION:
            yield kernel.solution(state).astype(np.int8)


def _rules(model: ShadingModel) -> tuple[int, tuple]:
    """The rules of the model as the kernel's flags, and its clues."""
    kernel = KERNEL.load()
    rules, clues = 0, ()
    for constraint in model.constraints:
        match constraint:
            case Islands() if not rules & kernel.RULE_ISLANDS:
                rules |= kernel.RULE_ISLANDS
                clues = constraint.clues
            case NoPool():
                rules |= kernel.RULE_NO_POOL
            case NoTouch():
                rules |= kernel.RULE_NO_TOUCH
            case Connected(value, nonempty):
                shaded = value == SHADED
                rules |= kernel.RULE_SEA_CONNECTED if shaded else kernel.RULE_LAND_CONNECTED
                if nonempty:
                    rules |= kernel.RULE_NEEDS_SEA if shaded else kernel.RULE_NEEDS_LAND
            case _:
                raise OptionError(
                    f"backend 'search' cannot encode {type(constraint).__name__} yet; "
                    "it knows Islands (once), Connected, NoPool and NoTouch"
                )
    return rules, clues
