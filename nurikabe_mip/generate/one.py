"""Make one puzzle under limits, and prove it: the rules by `check`, the level and that it is unique by `rate`."""

from dataclasses import replace

from ..backends.base import LimitReached, Run
from ..check import violations
from ..constraints import ShadingModel
from ..errors import GenerationFailed, SolverError
from ..puzzles import GENRES, Puzzle, Shading
from ..rate import Rating, rate
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
        rating, wrong = proof(puzzle, request, run)
    except LimitReached:
        reason, words = ("time", "the time was up") if run.remaining <= 0 else ("cancelled", "it was cancelled")
        done = (maker.attempts, maker.counts) if maker else (0, {})
        message = _failed(request, f"{run.elapsed:.1f} s and {done[0]} attempts: {words}")
        raise GenerationFailed(message, reason, *done) from None
    if wrong:
        raise SolverError(f"the generator made a wrong puzzle ({request}, seed {seed}): {'; '.join(wrong)}")
    if request.level == ANY:
        puzzle = replace(puzzle, info=info | {"level": rating.level})
        rating = replace(rating, puzzle=puzzle)
    return Generated(
        puzzle, puzzle.answer, rating, maker.attempts, seed, method.VERSION, maker.counts, round(run.elapsed, 6)
    )


def proof(puzzle: Puzzle, request: Request, run: Run) -> tuple[Rating, list[str]]:
    """The rating of a puzzle with a stored answer, and what is wrong with it: it is not what was asked for.

    Raises LimitReached if the run is over before that is proved, NotUniqueError for a puzzle without one solution.
    """
    rating = rate(puzzle, time_limit=None if run.time_limit is None else max(run.remaining, 1e-9), cancel=run.cancel)
    if rating.unique is None or rating.level is None:
        raise LimitReached
    wrong = [str(violation) for violation in violations(ShadingModel.of(puzzle), puzzle.answer.cells.ravel())]
    if not puzzle.answer.is_finished:
        wrong.append("the answer has undecided cells")
    if request.level not in (ANY, rating.level):
        wrong.append(f"the level is {rating.level}")
    return rating, wrong


def _failed(request: Request, tried: str) -> str:
    return f"no puzzle found ({request}) after {tried}; seconds and attempts can be raised, or less be asked for"
