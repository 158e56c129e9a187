"""One solve, measured: what the workers do, and scripts that measure in their own process."""

import hashlib
import os
import time

import numpy as np

from .. import check
from ..backends import Status
from ..errors import WrongAnswerError
from ..formats import read
from ..puzzles import Puzzle, Shading
from ..solve import SolveResult, solve

SMALL = {  # what warms a backend up
    "nurikabe": "nurikabe:3x3:1,.,1,.,.,.,1,.,1",
    "kuromasu": "kuromasu:3x3:.,3,.,.,.,.,.,.,4",
}
DECIDED = (Status.UNIQUE, Status.MULTIPLE, Status.INFEASIBLE)


def measure(puzzle: Puzzle | str, backend: str = "auto", *, limit: float, **arguments) -> dict:
    """Solve a puzzle once and return the figures of a record, all of plain types.

    `limit` is the time limit in seconds, `arguments` are others of `solve`. The record has

    * `status`: that of the result, or "error" where the solver failed (`error` says how);
    * `answer`: a short digest of the solution if it is the only one, to compare solvers by;
    * `verdict`: "wrong" if the answer breaks the rules or contradicts the stored answer of the puzzle, "right" if it
      is the stored one, else None (no proof, or nothing to compare with); a stored answer that breaks the rules
      counts as none;
    * `solved`: whether the puzzle was decided, within the limit, and not wrong;
    * `seconds` for the whole call, `cpu_seconds` of all threads and finished child processes, and the Statistics.

    A Ctrl-C is passed on.

    >>> record = measure("nurikabe:3x3:.,.,.,.,.,.,5,.,1", limit=10)
    >>> record["status"], record["solved"], record["verdict"]
    ('unique', True, None)
    """
    puzzle = read(puzzle)
    cpu, start = _cpu_seconds(), time.perf_counter()
    try:
        result, error = solve(puzzle, backend, time_limit=limit, **arguments), None
    except Exception as raised:  # whatever a solver does is a record
        result, error = None, raised
    seconds = time.perf_counter() - start
    cpu = _cpu_seconds() - cpu
    if result is None:
        record = {"status": "memory" if isinstance(error, MemoryError) else "error"}
        record |= {"error": f"{type(error).__name__}: {error}"}
        verdict = "wrong" if isinstance(error, WrongAnswerError) else None
    elif result.interrupted:
        raise KeyboardInterrupt
    else:
        record = {"status": str(result.status), "answer": _digest(result), **vars(result.stats)}
        del record["total_seconds"]  # `seconds` is taken from outside the call
        record["reason"] = result.reason
        verdict = _verdict(result)
    solved = record["status"] in DECIDED and verdict != "wrong" and seconds <= limit
    record |= {"verdict": verdict, "solved": solved, "seconds": seconds, "cpu_seconds": cpu}
    return {name: value.item() if isinstance(value, np.generic) else value for name, value in record.items()}


def _cpu_seconds() -> float:
    times = os.times()
    return time.process_time() + times.children_user + times.children_system


def _digest(result: SolveResult) -> str | None:
    if result.status is not Status.UNIQUE:
        return None
    return hashlib.sha256(str(result.solution).encode()).hexdigest()[:12]


def _verdict(result: SolveResult) -> str | None:
    stored: Shading | None = result.puzzle.answer
    if stored is None or result.status not in (Status.UNIQUE, Status.INFEASIBLE):
        return None  # two solutions that were checked need no comparison
    if result.solution == stored:
        return "right"
    return "wrong" if stored.is_finished and not check(result.puzzle, stored) else None
