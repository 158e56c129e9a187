"""The pipeline: a puzzle goes in, a backend enumerates, every answer is checked, a status comes out."""

import hashlib
import json
import tempfile
import weakref
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from .backends import Statistics, Status, load
from .backends.base import LimitReached, Run, checked_options, choice, whole
from .check import Mistake, Violation, named_mistakes, violations
from .constraints import ShadingModel
from .deduce.presolve import METHODS, Presolved, presolve
from .errors import DisagreementError, SolverError, WrongAnswerError
from .formats import read, write
from .grid import Cell
from .puzzles import UNDECIDED, Puzzle, Shading


@dataclass
class SolveResult:
    """What is proved about a puzzle, with the answers that show it.

    `status` is UNIQUE, MULTIPLE, FEASIBLE (one found, the limit came before the proof), INFEASIBLE or UNKNOWN (the
    limit came before anything); `solution` and `second` are Shadings or None, both checked against the rules;
    `differing` are the cells where they differ. `common` (on request) has the cells that are the same in all
    solutions, the others undecided. `stats` are Statistics, `backend` is the one that ran, `log` the solver's log as
    one text. `reason` is a sentence where the clues, the known cells or deductions rule every solution out, or where a
    limit of the backend's own was met. `searched` is false if deductions were the whole proof, `presolved` says what
    they fixed. `interrupted` is true after Ctrl-C, `verified_by` names the second backend that came to the same status.
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
    searched: bool = True
    presolved: Presolved | None = None
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

    @property
    def violations(self) -> list[Violation]:
        """The rules that clues and known cells already break, where there is no solution."""
        if self.status is not Status.INFEASIBLE or self.presolved is None:
            return []
        return violations(self.presolved.before, self.presolved.before.fixed)

    @property
    def advice(self) -> str | None:
        """Where to learn more about a puzzle that has not exactly one solution."""
        wrong = self.status in (Status.INFEASIBLE, Status.MULTIPLE)
        return "diagnose says why, and which clue to change" if wrong else None

    def __str__(self):
        lines = [str(self.status), *filter(None, (self.reason, self.advice))]
        lines += [str(shading) for shading in (self.solution, self.second) if shading is not None]
        return "\n".join(lines)

    def _repr_html_(self):
        from .draw import html

        return html(self)


class Solutions(Iterator[Shading]):
    """The solutions of a puzzle, one after another, each checked; what `solutions()` returns.

    `complete` becomes true once it is proved that there are no more: an iteration that ends with `complete` false met
    a limit, or Ctrl-C (`interrupted`). `stats`, `log` and `backend` are as in SolveResult.
    """

    def __init__(
        self, puzzle: Puzzle, model: ShadingModel, backend: str, options: dict, run: Run, presolve: str | None
    ):
        self.puzzle, self.model, self.run = puzzle, model, run
        self.backend, self._module = load(backend)
        if hasattr(self._module, "applies"):
            self._module.applies(model)
        self.options = options
        self.complete = self.interrupted = False
        self.presolved: Presolved | None = None
        self.searched = False
        suits = self._module.PRESOLVE
        self._method = (suits(model) if callable(suits) else suits) if presolve is None else presolve
        choice("presolve", self._method, METHODS)
        self._limited, self._limit = False, ""
        self._seen: set[bytes] = set()
        run.stats.solver = self._module.version()
        options = checked_options(self.backend, self._module, options)
        # no reference back: an iteration that is dropped lets go at once of what the backend holds, a process perhaps
        self._source = Solutions._shadings(weakref.proxy(self), options)

    def _shadings(self, options: dict) -> Iterator[np.ndarray]:
        with self.run.stats.timed("deduce"):
            self.presolved = presolved = presolve(self.model, self._method, self.run)
        if presolved.violation is not None:
            return
        if presolved.method != "none" and not len(presolved.after.free):
            yield presolved.after.fixed
            return
        self.searched = True
        yield from self._module.shadings(presolved.after, self.run, **options)

    def of(self, model: ShadingModel) -> "Solutions":
        """A fresh iteration over the solutions of another model of the puzzle, under the same limits."""
        return Solutions(self.puzzle, model, self.backend, self.options, self.run, self._method)

    @property
    def reason(self) -> str | None:
        """Why there is no solution, where clues, given cells or deductions show it, or what limit was met if not time.

        None if a search was needed to see that there is none.
        """
        if not self.complete or self._seen:
            return self._limit or None
        mistakes = named_mistakes(self.puzzle)
        if mistakes:
            return "; ".join(map(str, mistakes))
        broken = violations(self.model, self.model.fixed)
        if broken:
            return f"the given cells already break a rule: {'; '.join(map(str, broken))}"
        violation = self.presolved.violation
        return f"what the clues force breaks a rule: {violation}" if violation is not None else None

    @property
    def stats(self) -> Statistics:
        self.run.stats.total_seconds = self.run.elapsed
        return self.run.stats

    @property
    def log(self) -> str:
        return "\n".join(self.run.lines)

    def __next__(self) -> Shading:
        try:
            values = next(self._source)
            with self.run.stats.timed("check"):
                self._judge(values)
            return Shading(values.reshape(self.model.shape))
        except StopIteration:
            self.complete = not (self.interrupted or self._limited)
        except LimitReached as limit:
            self._limited, self._limit = True, str(limit)
        except KeyboardInterrupt:
            self.interrupted = True
        self._source = iter(())
        raise StopIteration

    def _judge(self, values: np.ndarray) -> None:
        """Raise SolverError unless the values are a solution, keep what was given, and are new."""
        fixed = self.model.fixed
        wrong = [str(violation) for violation in violations(self.model, values)]
        if (values == UNDECIDED).any() or ((fixed != UNDECIDED) & (values != fixed)).any():
            wrong.append("it does not keep the cells that were given")
        if values.tobytes() in self._seen:
            wrong.append("it was returned before")
        self._seen.add(values.tobytes())
        if wrong:
            rows = "/".join(Shading(values.reshape(self.model.shape)).rows)
            raise WrongAnswerError(f"backend {self.backend!r} returned a wrong answer, {rows}: {'; '.join(wrong)}")


def solutions(
    puzzle,
    backend: str = "auto",
    *,
    time_limit=None,
    threads=1,
    seed=0,
    known=None,
    presolve=None,
    log=False,
    cancel=None,
    **options,
) -> Solutions:
    """Iterate over the solutions of a puzzle, each checked against the rules; the arguments are those of `solve`.

    The time limit holds for the whole iteration. When it ends, `complete` of the iterator tells a proof that there
    are no more from a limit.

    >>> found = solutions("3.|..".replace("|", "\\n"))
    >>> [shading.rows for shading in sorted(found, key=str)], found.complete
    ([['-#', '--'], ['--', '#-'], ['--', '-#']], True)
    """
    run = Run(time_limit, threads, seed, cancel, log)
    puzzle = read(puzzle)
    return Solutions(puzzle, ShadingModel.of(puzzle, known), backend, options, run, presolve)


class Count(int):
    """The number of solutions found; `exact` is true if it is proved that there are no more."""

    exact: bool

    def __new__(cls, number: int, exact: bool):
        count = super().__new__(cls, number)
        count.exact = exact
        return count

    def __getnewargs__(self):
        return int(self), self.exact

    def __repr__(self):
        return f"Count({int(self)}, exact={self.exact})"

    def __str__(self):
        return str(int(self)) if self.exact else f"at least {int(self)}"


def count(puzzle, backend: str = "auto", *, limit: int | None = None, **arguments) -> Count:
    """How many solutions a puzzle has, at most `limit` of them counted; the other arguments are those of `solve`.

    >>> count("3.|..".replace("|", "\\n")), count("3.|..".replace("|", "\\n"), limit=2)
    (Count(3, exact=True), Count(2, exact=False))
    """
    if limit is not None:
        whole("limit", limit)
    found = solutions(puzzle, backend, **arguments)
    number = 0
    while number != limit and next(found, None) is not None:
        number += 1
    return Count(number, found.complete)


def solve(
    puzzle,
    backend: str = "auto",
    *,
    time_limit: float | None = None,
    threads: int = 1,
    seed: int = 0,
    known: Shading | str | None = None,
    presolve: str | None = None,
    verify: str | None = None,
    common: bool = False,
    log=False,
    cancel=None,
    **options,
) -> SolveResult:
    """Solve a puzzle and prove whether the solution is the only one.

    Parameters
    ----------
    puzzle
        A Puzzle, or text in any format that `read` knows.
    backend
        A name that `backends()` lists, or "auto".
    time_limit
        Wall seconds for everything, building, proof and verification included; None for no limit.
    threads
        Threads that the solver may use.
    seed
        Of every random choice; one thread, seed and version give the same answers in the same order.
    known
        A partial answer that solutions must extend: a Shading or its text.
    presolve
        What is fixed by deduction before the search: "none", "rules" (the easy and medium techniques) or "lookahead"
        (each value of each cell tried, for a limited time); by default what suits the backend.
    verify
        A second backend that must agree, started without presolve; if it does, `verified_by` of the result names it.
    common
        Also find the cells that are the same in all solutions.
    log
        True prints the solver's log, a function receives its lines; the result keeps them in any case but False.
    cancel
        A threading.Event; setting it ends the work as a limit does.
    options
        The backend's own, such as `formulation="ranks"`.

    Returns
    -------
    SolveResult
        A limit, a cancelled run and Ctrl-C give a result too, with what was found until then.

    Raises
    ------
    FormatError, PuzzleError
        The text is no puzzle, or `known` does not fit it.
    OptionError, BackendNotFound
        An option or a backend that does not exist, or that is not installed.
    SolverError
        The solver failed or returned an answer that breaks the rules.
    DisagreementError
        The backends do not agree; the case is saved to the file `path` of the error.

    >>> result = solve("nurikabe:3x3:.,.,.,.,.,.,5,.,1")
    >>> print(result)
    unique
    ---
    -##
    -#-
    """
    found = solutions(
        puzzle,
        backend,
        time_limit=time_limit,
        threads=threads,
        seed=seed,
        known=known,
        presolve=presolve,
        log=log,
        cancel=cancel,
        **options,
    )
    result = _result(found)
    if common:
        result.common = _common(found, result)
    if verify is not None:
        _verify(result, verify, found)
    result.stats = found.stats
    result.log = found.log
    result.interrupted = found.interrupted
    return result


def _result(found: Solutions) -> SolveResult:
    solution = next(found, None)
    second = next(found, None) if solution is not None else None
    if second is not None:
        status = Status.MULTIPLE
    elif solution is not None:
        status = Status.UNIQUE if found.complete else Status.FEASIBLE
    else:
        status = Status.INFEASIBLE if found.complete else Status.UNKNOWN
    return SolveResult(
        puzzle=found.puzzle,
        status=status,
        solution=solution,
        second=second,
        stats=found.stats,
        backend=found.backend,
        log=found.log,
        reason=found.reason,
        searched=found.searched,
        presolved=found.presolved,
        interrupted=found.interrupted,
    )


def _common(found: Solutions, result: SolveResult) -> Shading | None:
    """The cells that are the same in all solutions; None without a solution and where a limit came before the proof.

    A cell on which the solutions so far agree is given the other value: either that has a solution, and more cells
    may turn out to differ, or the cell is settled.
    """
    if result.status is not Status.MULTIPLE:
        return result.solution if result.status is Status.UNIQUE else None
    model = found.model
    agreed = np.where(result.solution.cells == result.second.cells, result.solution.cells, UNDECIDED).ravel()
    fixed = model.fixed.copy()
    for c in model.free:
        if agreed[c] == UNDECIDED:
            continue
        trial = fixed.copy()
        trial[c] = -agreed[c]
        other = found.of(model.with_fixed(trial))
        shading = next(other, None)
        if shading is not None:
            agreed = np.where(agreed == shading.cells.ravel(), agreed, UNDECIDED)
        elif other.complete:
            fixed[c] = agreed[c]
        else:
            found.interrupted |= other.interrupted
            return None
    return Shading(np.where(model.fixed == UNDECIDED, agreed, model.fixed).reshape(model.shape))


# how many solutions each status claims, at least and at most
CLAIMS = {
    Status.UNIQUE: (1, 1),
    Status.MULTIPLE: (2, np.inf),
    Status.FEASIBLE: (1, np.inf),
    Status.INFEASIBLE: (0, 0),
    Status.UNKNOWN: (0, np.inf),
}


def _verify(result: SolveResult, backend: str, found: Solutions) -> None:
    """Solve again with a second backend in the time that is left; note that it agrees, or raise DisagreementError."""
    run = found.run
    if run.is_over:
        return
    time_limit = None if run.time_limit is None else run.remaining
    again = Solutions(
        found.puzzle, found.model, backend, {}, Run(time_limit, run.threads, run.seed, run.cancel), "none"
    )
    other = _result(again)
    found.interrupted |= again.interrupted
    (least, most), (other_least, other_most) = CLAIMS[result.status], CLAIMS[other.status]
    answers = {answer for answer in (result.solution, other.solution) if answer is not None}
    if max(least, other_least, len(answers)) > min(most, other_most):
        path = _save_case(result, other, found)
        raise DisagreementError(
            f"{result.backend} says {result.status} and {other.backend} says {other.status}; the case is in {path}",
            path,
        )
    if result.status is other.status and result.status in (Status.UNIQUE, Status.MULTIPLE, Status.INFEASIBLE):
        result.verified_by = other.backend


def _save_case(result: SolveResult, other: SolveResult, found: Solutions) -> str:
    """Write what is needed to see a disagreement again into a JSON file of the working directory; return its path."""
    from . import __version__

    def answers(one: SolveResult) -> dict:
        rows = [shading.rows for shading in (one.solution, one.second) if shading is not None]
        return {"backend": one.backend, "solver": one.stats.solver, "status": str(one.status), "solutions": rows}

    case = {
        "puzzle": write(found.puzzle, "id"),
        "known": Shading(found.model.fixed.reshape(found.model.shape)).rows,
        "answers": [answers(result), answers(other)],
        "options": {name: repr(value) for name, value in found.options.items()},
        "threads": found.run.threads,
        "seed": found.run.seed,
        "version": __version__,
    }
    text = json.dumps(case, indent=1)
    name = f"nurikabe-mip-disagreement-{hashlib.sha256(text.encode()).hexdigest()[:12]}.json"
    for folder in (Path.cwd(), Path(tempfile.gettempdir())):
        try:
            (folder / name).write_text(text, encoding="utf-8")
            return str(folder / name)
        except OSError:
            continue
    raise SolverError(f"backends disagree, and the case could not be saved: {text}")
