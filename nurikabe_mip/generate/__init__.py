"""Make puzzles: unique, of a level, the same on every machine for the same seed.

`request.py` has what is asked for and handed back, `many.py` makes many at once; a genre has a module with its method,
whose `Maker` climbs to one puzzle.
"""

import time

from ..backends.base import LimitReached, Run
from ..check import check
from ..errors import GenerationFailed, OptionError, SolverError
from ..puzzles import GENRES, Shading
from ..rate import rate
from . import nurikabe
from .request import ANY, ASKED, SYMMETRIES, Generated, Request

METHODS = {"nurikabe": nurikabe}
ATTEMPTS = 1000


def generate(
    shape: tuple[int, int],
    level: str = ANY,
    seed: int = 0,
    *,
    genre: str = "nurikabe",
    require: str | None = None,
    symmetry: str | None = None,
    hidden: float = 0.0,
    time_limit: float | None = None,
    attempts: int = ATTEMPTS,
    cancel=None,
) -> Generated:
    return made(Request(genre, shape, level, require, symmetry, hidden), seed, time_limit, attempts, cancel)


def made(request, seed, time_limit, attempts, cancel) -> Generated:
    run = Run(time_limit, seed=seed, cancel=cancel)
    method = METHODS[request.genre]
    maker = None
    try:
        maker = method.Maker(request, seed, run)
        for _ in range(attempts):
            if maker.attempt():
                break
        else:
            raise GenerationFailed(f"no puzzle found ({request}) in {attempts} attempts", "attempts", attempts, maker.all_counts)
    except LimitReached:
        reason = "time" if run.remaining <= 0 else "cancelled"
        done = (maker.attempts, maker.all_counts) if maker else (0, {})
        raise GenerationFailed(f"no puzzle found ({request}): {reason}", reason, *done) from None
    shape = request.shape
    solution = Shading(maker.values.reshape(shape))
    info = {"level": "", **request.options, "seed": str(seed), "version": method.VERSION}
    puzzle = GENRES[request.genre](maker.clues.reshape(shape), None, solution, info)
    violations = check(puzzle, solution)
    rating = rate(puzzle)
    if violations or not rating.unique or (request.level not in (ANY, rating.level)):
        raise SolverError("bug")
    return Generated(puzzle, solution, rating, maker.attempts, seed, method.VERSION, maker.all_counts, run.elapsed)
