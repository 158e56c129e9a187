"""Rate a puzzle as a person solves it, and hint at the next step."""

import threading
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from . import deduce
from .backends import Run, Status
from .backends.base import LimitReached
from .check import Violation, check
from .deduce import Deduction, Step
from .diagnose.answers import wrong_cells
from .diagnose.ask import Ask
from .errors import NotUniqueError
from .formats import read
from .grid import Cell
from .puzzles import UNDECIDED, Puzzle, Shading, answer_of
from .solve import SolveResult, solve

# the most search nodes per cell of each level. Of 277 puzzles of janko.at, from 5x5 to 31x45, 100 are easy, 64 medium,
# 63 hard, 46 expert, and 4 beyond, where the search is given up
KUROMASU_BANDS = {"easy": 0.0, "medium": 0.1, "hard": 0.5, "expert": 100.0}


@dataclass(frozen=True)
class Rating:
    """How hard a puzzle is for a person, and the steps that show it.

    `level` is easy, medium, hard, expert, or beyond where the techniques do not finish it, None where a limit came
    first; `counts` has the number of steps of each technique, easiest first. `solved` says whether the techniques
    finish, `shading` how far they come, `unique` whether exactly one solution is proved (None where a limit came
    before that). `profile` and `version` name the techniques. `search_nodes_per_cell` is what a Kuromasu's level is
    read from, see `rate`; None for other genres, beyond the last band, and where a limit came first.
    """

    puzzle: Puzzle
    level: str | None
    counts: Mapping[str, int]
    solved: bool
    shading: Shading
    unique: bool | None
    profile: str = deduce.PROFILE
    version: int = deduce.PROFILE_VERSION
    deduction: Deduction = field(default=None, repr=False, compare=False)
    search_nodes_per_cell: float | None = None

    @cached_property
    def steps(self) -> tuple[Step, ...]:
        """The steps with their reasons; they are worked out when first asked for."""
        return self.deduction.steps

    def boards(self) -> list[Shading]:
        """The board before the first step and after each."""
        values = self.deduction.start.copy()
        boards = [Shading(values)]
        for move in self.deduction.moves:
            values.ravel()[list(move.cells)] = move.value
            boards.append(Shading(values))
        return boards

    def __str__(self):
        used = ", ".join(f"{name} {count}" for name, count in self.counts.items() if count)
        left = "" if self.solved else f", {int((self.shading.cells == UNDECIDED).sum())} cells left open"
        nodes = self.search_nodes_per_cell
        effort = "" if nodes is None else f", {nodes:.3g} search nodes a cell"
        text = f"{self.level or 'unknown'} ({sum(self.counts.values())} steps{left}{effort})"
        if used or self.solved:
            text += f": {used or 'nothing to do'}"
        return text if self.unique else f"{text}; the limit came before it was proved to have exactly one solution"

    def _repr_html_(self):
        from .draw import cards

        return cards(self)


def rate(
    puzzle: Puzzle | str,
    *,
    time_limit: float | None = None,
    backend: str = "auto",
    cancel: threading.Event | None = None,
) -> Rating:
    """Rate a puzzle: the hardest technique that it needs, how often each is used, and the steps.

    The steps are those of the genre's profile, made on the board in its canonical orientation and turned back: level
    and counts are the same for all eight symmetries. Techniques that finish the board prove its solution the only one;
    else `backend` proves it. `time_limit` is in wall seconds for all of it, None for no limit; `cancel` is an event
    that another thread may set to end it, too.

    The level of a Kuromasu is not that of its techniques but read from the effort of a plain search, as
    `search_nodes_per_cell`: it takes the first open cell, tries black and white, draws the easy conclusions and so on
    through all solutions, and each try is a node. The bands are `KUROMASU_BANDS`.

    Raises NotUniqueError, whose `result` has two solutions or the reason why there is none, for a puzzle without
    exactly one solution; FormatError for text that is no puzzle.

    >>> rating = rate("nurikabe/5/5/g5k2o1k3g")
    >>> rating.level, rating.solved, rating.counts["island_exit"]
    ('easy', True, 7)
    """
    puzzle = read(puzzle)
    profile = deduce.PROFILES[puzzle.genre]
    run = Run(time_limit, cancel=cancel)
    deduction = deduce.rated(puzzle.clues, stop=lambda: run.is_over, profile=profile)
    unique = True if deduction.is_finished else None
    if not deduction.is_finished and not deduction.interrupted:
        left = None if time_limit is None else max(run.remaining, 0.001)
        result = solve(puzzle, backend, time_limit=left, cancel=cancel)
        if result.interrupted:
            raise KeyboardInterrupt
        if result.status in (Status.INFEASIBLE, Status.MULTIPLE):
            raise NotUniqueError(_not_unique(result), result)
        unique = True if result.status is Status.UNIQUE else None
    level, nodes = (None if deduction.interrupted else deduction.level), None
    if profile is deduce.KUROMASU:
        level, nodes = kuromasu_band(puzzle.clues, run)
    return Rating(
        puzzle=puzzle,
        level=level,
        counts=deduction.counts,
        solved=deduction.is_finished,
        shading=Shading(deduction.values),
        unique=unique,
        profile=profile.name,
        version=profile.version,
        deduction=deduction,
        search_nodes_per_cell=nodes,
    )


def kuromasu_band(clues: np.ndarray, run: Run) -> tuple[str | None, float | None]:
    """The level of a Kuromasu and its search nodes per cell.

    ("beyond", None) if there are more nodes than the bands hold, (None, None) if the run was over before that.
    """
    most = int(KUROMASU_BANDS["expert"] * clues.size)
    found = deduce.plain_search(clues, most, stop=lambda: run.is_over)
    if found is None:
        return None, None
    nodes = found[0]
    if nodes > most:
        return deduce.BEYOND, None
    return next(level for level, bound in KUROMASU_BANDS.items() if nodes <= bound * clues.size), nodes / clues.size


def _not_unique(result: SolveResult) -> str:
    if result.status is Status.INFEASIBLE:
        return f"the puzzle has no solution{f': {result.reason}' if result.reason else ''}"
    boards = ["/".join(shading.rows) for shading in (result.solution, result.second)]
    return f"the puzzle has several solutions, such as {boards[0]} and {boards[1]}"


@dataclass(frozen=True)
class Hint:
    """What to do next in a partial answer.

    `status` is "step" (`step` is the next one), "finished" (the answer is a solution), "stuck" (no technique
    applies), "broken" (the answer breaks a rule: `violations`) or "wrong" (it breaks none yet, but no solution
    contains it). `text` is a sentence. `wrong` has the cells that are like that in no solution, where it was asked
    for and proved, else None. `compared` is false where the limit came before it was known whether a solution contains
    the answer: what follows from it may be as wrong as it.
    """

    puzzle: Puzzle
    shading: Shading
    status: str
    text: str
    step: Step | None = None
    violations: tuple[Violation, ...] = ()
    wrong: tuple[Cell, ...] | None = None
    compared: bool = True

    @property
    def technique(self) -> str | None:
        """The technique of the step."""
        return self.step.technique if self.step else None

    @property
    def cells(self) -> tuple[Cell, ...]:
        """The cells that the step decides."""
        return self.step.cells if self.step else ()

    @property
    def value(self) -> int | None:
        """What these cells become: SHADED (1) or UNSHADED (-1)."""
        return self.step.value if self.step else None

    def __str__(self):
        return self.text

    def _repr_html_(self):
        from .draw import hint_card

        return hint_card(self)


def hint(
    puzzle: Puzzle | str,
    partial: Shading | str | None = None,
    *,
    wrong: bool = False,
    time_limit: float | None = 10.0,
    backend: str = "auto",
) -> Hint:
    """The next step from a partial answer, or what is wrong with it.

    `partial` is a Shading or its text, None for the empty board. The answer is compared with what has a solution, for
    at most `time_limit` wall seconds; with `wrong` the cells that are in no solution like that are found too.
    Raises the errors of `rate`, but a puzzle may have several solutions.

    >>> print(hint("nurikabe/5/5/g5k2o1k3g"))
    The island of the 1 at row 4, column 3 has its one cell, so the open cells around it are sea.
    """
    puzzle = read(puzzle)
    shading = answer_of(puzzle, partial)
    violations = tuple(check(puzzle, shading))
    if violations:
        cells = _wrong_cells(puzzle, shading, time_limit, backend) if wrong else None
        text = f"The answer breaks a rule: {violations[0].message}."
        return Hint(puzzle, shading, "broken", text, violations=violations, wrong=cells)
    if shading.is_finished:
        return Hint(puzzle, shading, "finished", "The answer is a solution.")
    result = solve(puzzle, backend, known=shading, time_limit=time_limit)
    if result.interrupted:
        raise KeyboardInterrupt
    if result.status is Status.INFEASIBLE:
        cells = _wrong_cells(puzzle, shading, time_limit, backend) if wrong else None
        count = f": {len(cells)} cell{'s are' if len(cells) > 1 else ' is'} like that in none" if cells else ""
        return Hint(puzzle, shading, "wrong", f"No solution contains this answer{count}.", wrong=cells)
    compared = result.solution is not None
    steps = deduce.rated(puzzle.clues, shading, max_steps=1, profile=deduce.PROFILES[puzzle.genre]).steps
    if not steps:
        return Hint(puzzle, shading, "stuck", "No technique of the profile applies here.", compared=compared)
    return Hint(puzzle, shading, "step", steps[0].text, step=steps[0], compared=compared)


def _wrong_cells(puzzle: Puzzle, shading: Shading, time_limit: float | None, backend: str) -> tuple[Cell, ...] | None:
    """The decided cells whose value is in no solution; None if that could not be proved in time or there is none."""
    result = solve(puzzle, backend, time_limit=time_limit)
    if result.interrupted:
        raise KeyboardInterrupt
    if result.solution is None:
        return None
    solutions = [answer for answer in (result.solution, result.second) if answer is not None]
    try:
        return wrong_cells(puzzle, shading, solutions, result.status is Status.UNIQUE, Ask(Run(time_limit), backend))
    except LimitReached:
        return None
