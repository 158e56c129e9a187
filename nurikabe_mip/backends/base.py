"""The contract of a backend: what it receives, what it yields, and how limits and Ctrl-C reach it.

A backend is a module of this package with

* `OPTIONS`, a dict from the name of each option to an Option;
* `PRESOLVE`, how much deduction beforehand suits it: "none", "rules" or "lookahead", or a function of the model;
* `shadings(model, run, **options)`, a generator of flat int8 arrays of cell values: solutions of the ShadingModel,
  each different from those before. It returns when there are no more, which is its proof, and lets LimitReached and
  KeyboardInterrupt pass. `run` (a Run) carries limits in, and statistics and the log out;
* `version()`, the solver's name and version as one text;
* if it does not take every model, `applies(model)`, which raises OptionError and is asked before any deduction;
* if a value of an option can be wrong in other ways than not to be among its choices, `check_options(**options)`,
  which raises OptionError or BackendNotFound and is asked before any deduction, too;
* if it has a native model, `build(puzzle_or_model, **options)`, which hands that back.

and one line in `nurikabe_mip.backends.REGISTRY`.
"""

import atexit
import math
import numbers
import threading
import time
from collections.abc import Callable
from contextlib import contextmanager
from dataclasses import dataclass, field
from enum import StrEnum
from types import ModuleType
from typing import NamedTuple

from ..constraints import ShadingModel
from ..errors import OptionError
from ..formats import read

SOLVER_THREAD = "nurikabe-mip solver"  # the name of the threads in which native solvers run
# seconds between two looks at limits and Ctrl-C: a signal that another thread takes does not wake one that waits
LOOK = 0.05
GRACE = 0.7  # seconds that a native solver gets to obey a stop before its thread is left behind
LEAVING = 1.0  # seconds that such a thread gets when the process ends: some libraries crash or hang under it


class Status(StrEnum):
    """What is proved about a puzzle; each is also the text of its value."""

    UNIQUE = "unique"  # exactly one solution
    MULTIPLE = "multiple"  # at least two
    FEASIBLE = "feasible"  # at least one; a limit came before the proof of more or none
    INFEASIBLE = "infeasible"  # none
    UNKNOWN = "unknown"  # a limit came before anything was found or proved


class LimitReached(Exception):
    """Raised inside a backend when the time is up or the cancel token is set; never seen by a user.

    A limit of the backend's own says in the message what it was; that becomes the `reason` of the result.
    """


@dataclass
class Statistics:
    """Where the time went (seconds) and how large the work was; None where a backend has no such figure.

    `variables`, `constraints` and `nonzeros` are those of the native model, `iterations` the number of times that it
    was solved, `nodes`, `conflicts` and `cuts` sums over all of these. Where a MIP maximises the number of cells that
    differ from the first solution, `bound` is what is proved of that number at the end, `root_bound` what the
    relaxation at the root allows, and `root_gap` how much that is above the number found, in cells.
    """

    deduce_seconds: float = 0.0
    build_seconds: float = 0.0
    solve_seconds: float = 0.0
    check_seconds: float = 0.0
    total_seconds: float = 0.0
    variables: int | None = None
    constraints: int | None = None
    nonzeros: int | None = None
    iterations: int | None = None
    nodes: int | None = None
    conflicts: int | None = None
    cuts: int | None = None
    bound: float | None = None
    root_bound: float | None = None
    root_gap: float | None = None
    formulation: str | None = None
    solver: str | None = None

    @contextmanager
    def timed(self, phase: str):
        """Add the time of the block to `<phase>_seconds`."""
        start = time.perf_counter()
        try:
            yield
        finally:
            name = f"{phase}_seconds"
            setattr(self, name, getattr(self, name) + time.perf_counter() - start)

    def add(self, **figures: int) -> None:
        """Add to figures that may be None yet."""
        for name, figure in figures.items():
            setattr(self, name, (getattr(self, name) or 0) + int(figure))


@dataclass
class Run:
    """One call of a backend: its limits, and what it reports. The clock starts when it is made.

    `time_limit` in seconds or None, `threads` the number of threads, `seed` of every random choice, `cancel` an event
    that another thread may set, `log` False, True (print) or a function that takes a line.
    """

    time_limit: float | None = None
    threads: int = 1
    seed: int = 0
    cancel: threading.Event | None = None
    log: bool | Callable[[str], None] = False
    stats: Statistics = field(default_factory=Statistics)
    lines: list[str] = field(default_factory=list)

    def __post_init__(self):
        limit = self.time_limit
        if limit is not None and (
            isinstance(limit, bool) or not isinstance(limit, numbers.Real) or math.isnan(limit) or limit <= 0
        ):
            raise OptionError(f"time_limit is a number of seconds above 0, or None for no limit; got {limit!r}")
        for name, least in (("threads", 1), ("seed", 0)):
            whole(name, getattr(self, name), least, 2**31 - 1)
        self.started = time.perf_counter()

    @property
    def elapsed(self) -> float:
        """Seconds since the start."""
        return time.perf_counter() - self.started

    @property
    def remaining(self) -> float:
        """Seconds until the time limit, infinity without one; not below 0."""
        return math.inf if self.time_limit is None else max(self.time_limit - self.elapsed, 0.0)

    @property
    def is_over(self) -> bool:
        return self.remaining <= 0 or (self.cancel is not None and self.cancel.is_set())

    def poll(self) -> None:
        """Raise LimitReached if the time is up or the run is cancelled; call it in every loop that can take long."""
        if self.is_over:
            raise LimitReached

    def write(self, text: str) -> None:
        """Take lines of a solver's log."""
        for line in text.splitlines():
            self.lines.append(line)
            if callable(self.log):
                self.log(line)
            elif self.log:
                print(line)

    def native(self, call: Callable[[], object], stop: Callable[[], None]):
        """Return `call()`, a native solver's run that holds its thread, while limits and Ctrl-C keep working.

        The call runs on a thread of its own, and `stop` is called when a limit is reached; the call's result is
        returned then too, for it may have found something. Raises LimitReached if it does not obey within GRACE
        seconds (its thread is left behind), and passes a KeyboardInterrupt on once the call has ended.
        """
        outcome: dict[str, object] = {}
        done = threading.Event()

        def work():
            try:
                outcome["result"] = call()
            except BaseException as error:  # handed to the caller's thread below
                outcome["error"] = error
            finally:
                done.set()

        self.poll()
        threading.Thread(target=work, daemon=True, name=SOLVER_THREAD).start()
        try:
            while not done.wait(min(self.remaining, LOOK)):
                if self.is_over:
                    stop()
                    if not done.wait(GRACE):
                        atexit.register(done.wait, LEAVING)
                        raise LimitReached
        except KeyboardInterrupt:
            stop()
            if not done.wait(GRACE):
                atexit.register(done.wait, LEAVING)
            raise
        if "error" in outcome:
            raise outcome["error"]
        return outcome.get("result")


class Option(NamedTuple):
    """An option of a backend: its default, one line of text, and the values that it can take if they are few."""

    default: object
    text: str
    choices: tuple = ()


def checked_options(backend: str, module: ModuleType, given: dict) -> dict:
    """`given` over the defaults of a backend; raises OptionError for a name or a value that it does not know."""
    known = module.OPTIONS
    for name, value in given.items():
        if name not in known:
            listed = ", ".join(f"{option} ({known[option].text})" for option in known) or "none"
            raise OptionError(f"backend {backend!r} has no option {name!r}; its options: {listed}")
        if known[name].choices:
            choice(name, value, known[name].choices)
    options = {name: option.default for name, option in known.items()} | given
    if given and hasattr(module, "check_options"):
        module.check_options(**options)
    return options


def whole(name: str, value, least: int = 1, most: int | None = None) -> int:
    """`value` as an int; OptionError unless it is a whole number from `least` to `most`."""
    right = isinstance(value, numbers.Integral) and not isinstance(value, bool) and value >= least
    if not right or (most is not None and value > most):
        to = "" if most is None else f" to {most}"
        raise OptionError(f"{name} is a whole number from {least}{to}; got {value!r}")
    return int(value)


def choice(name: str, value: str, known) -> str:
    """`value` if it is among `known`, else OptionError with the list."""
    if value not in known:
        raise OptionError(f"{name} is one of {', '.join(map(repr, known))}; got {value!r}")
    return value


def as_model(puzzle) -> ShadingModel:
    """What `build` of a backend takes: a ShadingModel as it is, or the model of a puzzle or of its text."""
    return puzzle if isinstance(puzzle, ShadingModel) else ShadingModel.of(read(puzzle))
