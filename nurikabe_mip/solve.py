"""The pipeline: a puzzle goes in, a backend enumerates, every answer is checked, a status comes out."""

import json
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from .backends import Statistics, Status, load
from .backends.base import LimitReached, Run, checked_options
from .check import Mistake, Violation, check, named_mistakes, violations
from .constraints import ShadingModel
from .errors import DisagreementError, SolverError
from .grid import Cell
from .puzzles import UNDECIDED, Puzzle, Shading, answer_of


@dataclass
class SolveResult:
    """What is proved about a puzzle, with the answers that show it.

    `status` is UNIQUE, MULTIPLE, FEASIBLE (one found, the limit came before the proof), INFEASIBLE or UNKNOWN (the
    limit came before anything); `solution` and `second` are Shadings or None, both checked against the rules;
    `differing` are the cells where they differ. `common` (on request) has the cells that are the same in all
    solutions, the others undecided. `stats` are Statistics, `backend` is the one that ran, `log` the solver's log as
    one text. `reason` is a sentence where the clues or the known cells alone rule every solution out, `interrupted`
    is true after Ctrl-C, `verified_by` names the second backend that came to the same status.
    """

    puzzle: Puzzle
    status: Status
    solution: Shading | None = None
    second: Shading | None = None
    common: Shading | None = None
    stats: Statistics = field(default_factory=Statistics)
    backend: str = ""
    log: str = ""
    reason: str | None = None
    interrupted: bool = False
    verified_by: str | None = None

    @property
    def differing(self) -> tuple[Cell, ...]:
        """The cells where `solution` and `second` differ; empty unless the status is MULTIPLE."""
        return self.solution.differing(self.second) if self.second is not None else ()

    @property
    def mistakes(self) -> list[Mistake]:
        """The named mistakes of the puzzle, where there is no solution."""
        return named_mistakes(self.puzzle) if self.status is Status.INFEASIBLE else []

    def __str__(self):
        lines = [str(self.status)]
        if self.reason:
            lines.append(self.reason)
        lines += [str(shading) for shading in (self.solution, self.second) if shading is not None]
        return "\n".join(lines)

    def _repr_html_(self):
        from .draw import html

        return html(self)
