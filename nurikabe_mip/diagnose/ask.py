"""Questions to a backend under one time limit, easy ones first."""

import math
from collections.abc import Callable, Iterable
from dataclasses import dataclass

import numpy as np

from ..backends.base import LimitReached, Run
from ..constraints import ShadingModel
from ..puzzles import Puzzle, Shading
from ..solve import Solutions

# looks at the limits (64 decisions and conflicts of `search` each) after which a question is put off for a later
# round: counted, not timed, so that every machine asks the same
ROUNDS = (16, 256, 4096, math.inf)

Progress = Callable[[str, int, int], None]


@dataclass(frozen=True)
class Found:
    """The solutions found, whether there are no more, and how many decisions that took (0 where not counted)."""

    shadings: tuple[Shading, ...]
    complete: bool
    nodes: int = 0

    @property
    def is_unique(self) -> bool:
        return self.complete and len(self.shadings) == 1


class _Share(Run):
    """A part of a run: it also ends after so many looks at its limits."""

    def __init__(self, run: Run, looks: float):
        left = None if run.time_limit is None else max(run.remaining, 1e-6)
        super().__init__(left, run.threads, run.seed, run.cancel)
        self.looks = looks

    @property
    def is_over(self) -> bool:
        self.looks -= 1
        return self.looks < 0 or super().is_over


class Ask:
    """Asks one backend, until the run is over: then LimitReached comes out of every question."""

    def __init__(self, run: Run, backend: str, progress: Progress | None = None):
        self.run, self.backend = run, backend
        self.tell: Progress = progress or (lambda what, done, total: None)

    def find(
        self, puzzle: Puzzle, most: int = 2, patience: float = math.inf, model: ShadingModel | None = None
    ) -> Found | None:
        """Up to `most` solutions of a puzzle (or of another model of it); None if `patience` came to its end.

        Raises LimitReached if the run is over, or for a limit of the backend's own.
        """
        self.run.poll()
        share = _Share(self.run, patience)
        source = Solutions(puzzle, model or ShadingModel.of(puzzle), self.backend, {}, share, None)
        shadings: list[Shading] = []
        while len(shadings) < most and (shading := next(source, None)) is not None:
            shadings.append(shading)
        if source.interrupted:
            raise KeyboardInterrupt
        if len(shadings) < most and not source.complete:
            self.run.poll()
            if patience == math.inf:
                raise LimitReached(source.reason)
            return None
        return Found(tuple(shadings), source.complete, share.stats.nodes or 0)

    def settle(
        self, items: Iterable, test: Callable[[object, float], bool], what: str = "", rounds: Iterable[float] = ROUNDS
    ) -> list:
        """Call `test(item, patience)` for each item, again with more patience where it is false; what stays open.

        `what` names the work for the progress.
        """
        left = list(items)
        total = len(left)
        for patience in rounds:
            again = []
            for number, item in enumerate(left):
                if what:
                    self.tell(what, total - len(left) + number - len(again), total)
                if not test(item, patience):
                    again.append(item)
            left = again
        return left


def changed(puzzle: Puzzle, clues: np.ndarray) -> Puzzle:
    """The puzzle with other clues (flat)."""
    return type(puzzle)(clues.reshape(puzzle.shape), puzzle.name)
