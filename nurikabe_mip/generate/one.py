"""Make one puzzle under limits, and look at it again with what shares no code with the method."""

from dataclasses import replace

from ..backends.base import LimitReached, Run
from ..check import violations
from ..constraints import ShadingModel
from ..errors import GenerationFailed, SolverError
from ..puzzles import GENRES, Shading
from ..rate import rate
from . import kuromasu, nurikabe
from .request import ANY, Generated, Request

METHODS = {"nurikabe": nurikabe, "kuromasu": kuromasu}  # each has a VERSION and a Maker


def make(request: Request, seed: int, attempts: int, run: Run) -> Generated:
    """The puzzle of a seed; GenerationFailed at a limit."""
    method = METHODS[request.genre]
    maker = None
    try:
        maker = method.Maker(request, seed, run)
        while not maker.attempt():
            if maker.attempts >= attempts:
                tried = f"{attempts} attempt{'s' if attempts > 1 else ''}"
                raise GenerationFailed(_failed(request, tried), "attempts", maker.attempts, maker.counts)
        info = {"level": request.level, **request.options, "seed": str(seed), "version": method.VERSION}
        info["attempts"] = str(maker.attempts)
        puzzle = GENRES[request.genre](maker.clues, None, Shading(maker.values), info)
        rating = rate(puzzle, time_limit=None if run.time_limit is None else max(run.remaining, 1e-9))
        if rating.unique is None or rating.level is None:
            raise LimitReached
    except LimitReached:
        reason, words = ("time", "the time was up") if run.remaining <= 0 else ("cancelled", "it was cancelled")
        done = (maker.attempts, maker.counts) if maker else (0, {})
        message = _failed(request, f"{run.elapsed:.1f} s and {done[0]} attempts: {words}")
        raise GenerationFailed(message, reason, *done) from None
    wrong = [str(violation) for violation in violations(ShadingModel.of(puzzle), maker.values.ravel())]
    if request.level not in (ANY, rating.level):
        wrong.append(f"the level is {rating.level}")
    if wrong:
        raise SolverError(f"the generator made a wrong puzzle ({request}, seed {seed}): {'; '.join(wrong)}")
    if request.level == ANY:
        puzzle = replace(puzzle, info=info | {"level": rating.level})
        rating = replace(rating, puzzle=puzzle)
    return Generated(
        puzzle, puzzle.answer, rating, maker.attempts, seed, method.VERSION, maker.counts, round(run.elapsed, 6)
    )


def _failed(request: Request, tried: str) -> str:
    return f"no puzzle found ({request}) after {tried}; seconds and attempts can be raised, or less be asked for"
