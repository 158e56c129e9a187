"""What the deductions fix before a backend starts."""

import time
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from ..backends.base import LimitReached, Run
from ..check import Violation
from ..constraints import Islands, ShadingModel, Sight
from .deduction import lookahead, rules
from .position import KERNELS
from .techniques import PROFILES, Profile

METHODS = ("none", "rules", "lookahead")
LOOKAHEAD_SECONDS, LOOKAHEAD_SHARE = 2.0, 0.25  # look-ahead ends after that time, or that share of what is left


@dataclass(frozen=True)
class Presolved:
    """The model before and after, and what that saved.

    `violation` is a rule that the deductions found broken: the model has no solution then. `interrupted` is true if
    look-ahead came to its deadline.
    """

    method: str
    before: ShadingModel
    after: ShadingModel
    violation: Violation | None = None
    interrupted: bool = False

    @property
    def cells_removed(self) -> int:
        """Number of cells that were open before and are decided now."""
        return len(self.before.free) - len(self.after.free)

    @cached_property
    def owners_removed(self) -> int:
        """Number of pairs of an open cell and an island that can reach it that were ruled out."""
        return _owners(self.before) - _owners(self.after)

    def __str__(self):
        return f"{self.method}: {self.cells_removed} cells and {self.owners_removed} ownership variables removed"


def _owners(model: ShadingModel) -> int:
    states = [
        constraint.state(model.grid, model.fixed.tolist())
        for constraint in model.constraints
        if isinstance(constraint, Islands)
    ]
    return sum(
        int((state.reach(number)[model.free] > 0).sum()) for state in states for number in range(len(state.numbered))
    )


def _genre(model: ShadingModel) -> tuple[Profile, np.ndarray] | None:
    """The profile of the genre that has the model's constraints, and the clues; None if there is none."""
    clues = np.zeros(model.grid.size, dtype=np.int32)
    for constraint in model.constraints:
        if isinstance(constraint, Islands | Sight):
            for cell, number in constraint.clues:
                clues[cell] = number
    clues = clues.reshape(model.shape)
    for profile in PROFILES.values():
        if {*profile.constraints(clues)} == {*model.constraints}:
            return profile, clues
    return None


def presolve(model: ShadingModel, method: str, run: Run) -> Presolved:
    """Fix the cells that "rules" or "lookahead" decides; a model of another genre, or "none", stays as it is."""
    genre = None if method == "none" else _genre(model)
    if genre is None:
        return Presolved("none", model, model)
    profile, clues = genre

    def over() -> bool:
        return run.is_over

    if not KERNELS[profile.genre].ready(model.grid.size, over):
        raise LimitReached
    if method == "rules":
        fixed = rules(clues, model.fixed, profile)
    else:
        share = min(LOOKAHEAD_SECONDS, run.remaining * LOOKAHEAD_SHARE)
        fixed = lookahead(clues, model.fixed, time.perf_counter() + share, over, profile)
    after = model.with_fixed(fixed.values)
    return Presolved(method, model, after, fixed.violation, fixed.interrupted)
