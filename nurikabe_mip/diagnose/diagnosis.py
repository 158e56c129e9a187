"""The diagnosis: what is wrong with a puzzle or an answer, and what to change."""

import time
from dataclasses import dataclass, field
from itertools import chain

from .. import deduce
from ..backends.base import LimitReached, Run, Status
from ..check import Mistake, Violation, check, named_mistakes
from ..deduce import PROFILES, Deduction
from ..formats import read
from ..grid import Cell, grid_of
from ..puzzles import Puzzle, Shading, answer_of
from ..solve import SolveResult, solve
from .answers import clashing_cells, extending, wrong_cells
from .ask import ROUNDS, Ask, Progress
from .changes import Changes, Repair, try_changes
from .clash import NUMBERS, Clash, find_clash, refine_clash, relaxed
from .several import make_unique

PROOF_SECONDS, PROOF_SHARE = 2.0, 0.25  # a proof by techniques is looked for so long, or that share of what is left


@dataclass
class Diagnosis:
    """What is wrong with a puzzle, and what to change; all of it is proved, but for the order of the repairs.

    Attributes
    ----------
    status
        Of the puzzle, as `solve` has it.
    solutions
        Of the puzzle: none, the only one, or two that differ (in the cells `differing`).
    common
        Where there are several solutions: the cells that are the same in all, the others undecided. Else None.
    clashes
        Where there is no solution: clues that have none together, as `Clash`. More than one if they have no clue in
        common: then no single number is to blame. `clash` has the clue cells of the first, `rules` the rules.
    mistakes
        The mistakes that the clues show at sight.
    proof
        A proof by techniques that there is no solution, where one was found: a Deduction, with `steps` and the
        `violation` at their end. It is about the clues of the first clash alone if `proof_of_clash`.
    repairs
        Changes that make the puzzle uniquely solvable, best first: those of one clue, the likely slips first; where
        there are none of these, for a puzzle with several solutions, the fewest that were found.
    fewest
        Whether it is proved that no fewer clues need to be changed than in the first repair.
    known, violation, wrong
        The answer that was given; the rule that it breaks first, or that breaks by what follows from it; and its wrong
        cells: those that are like that in no solution, else cells that no solution has together, each of them needed.
        None and empty if a solution contains the answer; `wrong` is None where it is not known.
    complete, interrupted
        Whether everything was looked at; false if a limit, or Ctrl-C (`interrupted`), came before.
    seconds
        The time that it took.
    """

    puzzle: Puzzle
    known: Shading | None = None
    status: Status = Status.UNKNOWN
    solutions: tuple[Shading, ...] = ()
    common: Shading | None = None
    clashes: tuple[Clash, ...] = ()
    mistakes: tuple[Mistake, ...] = ()
    proof: Deduction | None = field(default=None, repr=False)
    proof_of_clash: bool = False
    repairs: tuple[Repair, ...] = ()
    fewest: bool = False
    violation: Violation | None = None
    wrong: tuple[Cell, ...] | None = None
    complete: bool = False
    interrupted: bool = False
    seconds: float = 0.0

    @property
    def clash(self) -> tuple[Cell, ...]:
        """Clue cells that have no solution together, as few as `clashes[0]` says; none if there is a solution."""
        return self.clashes[0].cells if self.clashes else ()

    @property
    def rules(self) -> tuple[str, ...]:
        """The short names of the rules that the clash takes."""
        return self.clashes[0].rules if self.clashes else ()

    @property
    def differing(self) -> tuple[Cell, ...]:
        """The cells in which two solutions differ."""
        return self.solutions[0].differing(self.solutions[1]) if len(self.solutions) > 1 else ()

    def add(self, repair: Repair) -> None:
        """Put a repair where it belongs."""
        self.repairs = tuple(sorted((*self.repairs, repair), key=lambda one: one.rank))
        self.fewest = self.repairs[0].number == 1

    @property
    def lines(self) -> list[str]:
        """It all in sentences."""
        from ..draw.diagnosis import diagnosis_lines

        return diagnosis_lines(self)

    def __str__(self):
        from ..draw.diagnosis import diagnosis_boards
        from ..draw.terminal import terminal

        boards = [
            f"{caption}\n{terminal(*board, color=False, **marks)}"
            if caption
            else terminal(*board, color=False, **marks)
            for caption, board, marks in diagnosis_boards(self)
        ]
        return "\n".join([*boards, *self.lines])

    def _repr_html_(self):
        from ..draw.diagnosis import diagnosis_html

        return diagnosis_html(self)


def diagnose(
    puzzle: Puzzle | str,
    known: Shading | str | None = None,
    time_limit: float | None = None,
    *,
    backend: str = "auto",
    progress: Progress | None = None,
    cancel=None,
) -> Diagnosis:
    """Say why a puzzle has no solution or several, what is wrong in an answer to it, and which clues to change.

    Parameters
    ----------
    puzzle
        A Puzzle, or text in any format that `read` knows.
    known
        An answer to judge, finished or not. Where the puzzle itself is wrong, repairs that agree with it come first.
    time_limit
        Wall seconds for everything; None for no limit. Hard boards can take long, and what is most likely comes first.
    backend
        The one that answers the questions, some hundreds of them.
    progress
        A function that is called with what is done now, how much of it is done and how much there is.
    cancel
        A threading.Event; setting it ends the work as a limit does.

    Returns
    -------
    Diagnosis
        A limit and Ctrl-C give one too, with what was found until then and `complete` false.

    Raises the errors of `solve`.

    >>> found = diagnose("nurikabe:3x3:.,.,.,.,.,.,3,.,1")
    >>> found.clash, found.rules
    (((2, 0), (2, 2)), ('R1', 'R2', 'R3', 'R4'))
    >>> print(found.repairs[0])
    the 3 at row 3, column 1 becomes 4
    """
    run = Run(time_limit, cancel=cancel)
    puzzle = read(puzzle)
    if known is not None and not isinstance(known, Shading):
        known = Shading(known)
    answer_of(puzzle, known)  # the shapes must be the same
    found = Diagnosis(puzzle, known)
    ask = Ask(run, backend, progress)
    try:
        found.complete = _look(found, ask)
    except LimitReached:
        pass
    except KeyboardInterrupt:
        found.interrupted = True
    found.seconds = run.elapsed
    return found


def _look(found: Diagnosis, ask: Ask) -> bool:
    """Fill the diagnosis; false if something was too hard to decide."""
    puzzle = found.puzzle
    if found.known is not None:
        order = PROFILES[puzzle.genre].rules.index
        found.violation = min(check(puzzle, found.known), key=lambda one: order(one.rule), default=None)
    result = _solved(found, ask)
    found.status = result.status
    found.solutions = tuple(answer for answer in (result.solution, result.second) if answer is not None)
    _go_on(result, ask)
    if found.status is Status.INFEASIBLE:
        return _no_solution(found, ask)
    if found.status in (Status.UNIQUE, Status.MULTIPLE):
        if found.known is not None:
            _answer(found, ask)
        return found.status is Status.UNIQUE or _several(found, ask)
    return False


def _solved(found: Diagnosis, ask: Ask, **options) -> SolveResult:
    time_limit = None if ask.run.time_limit is None else max(ask.run.remaining, 1e-6)
    return solve(found.puzzle, ask.backend, time_limit=time_limit, cancel=ask.run.cancel, **options)


def _go_on(result: SolveResult, ask: Ask) -> None:
    """Let Ctrl-C and the limit that ended a solve end the diagnosis too."""
    if result.interrupted:
        raise KeyboardInterrupt
    ask.run.poll()


def _no_solution(found: Diagnosis, ask: Ask) -> bool:
    puzzle = found.puzzle
    found.mistakes = tuple(named_mistakes(puzzle))
    ask.tell("clashes", 0, 1)
    find_clash(puzzle, ask, _noted(found, 0))
    _find_proof(found, ask)
    changes = Changes(puzzle)
    # the clash stays whatever a number outside of it becomes
    suspects = map(changes.grid.index, found.clash if found.clashes[0].about == NUMBERS else ())
    likely = chain(changes.numbers(suspects), changes.moves(), changes.removals())
    left = try_changes(puzzle, likely, ask, found.add, found.known, ROUNDS[:2])
    _find_clashes(found, ask)
    left = try_changes(puzzle, left, ask, found.add, found.known, ROUNDS[2:])
    if not found.repairs:
        left += try_changes(puzzle, changes.additions(changes.free_cells()), ask, found.add, found.known)
    return not left and all(clash.minimal for clash in found.clashes)


def _noted(found: Diagnosis, place: int):
    """A function that puts a clash in its place."""

    def note(clash: Clash) -> None:
        found.clashes = (*found.clashes[:place], clash)

    return note


def _find_clashes(found: Diagnosis, ask: Ask) -> None:
    """Make the clash as small as can be, and look for others without a number in common with those before."""
    aside: list[int] = []
    for place in range(len(found.puzzle.clue_cells) + 1):
        ask.tell("clashes", place, place + 1)
        note = _noted(found, place)
        if place:
            find_clash(found.puzzle, ask, note, aside)
        if place == len(found.clashes):
            return
        refine_clash(found.puzzle, ask, found.clashes[place], note, aside)
        clash = found.clashes[place]
        if clash.about != NUMBERS:
            return
        aside += map(grid_of(found.puzzle.shape).index, clash.cells)


def _find_proof(found: Diagnosis, ask: Ask) -> None:
    """A proof by techniques: from the clues of the clash alone, else from all."""
    ask.tell("a proof by techniques", 0, 1)
    share = min(PROOF_SECONDS, ask.run.remaining * PROOF_SHARE)
    deadline = time.perf_counter() + share
    numbers = found.clash if found.clashes[0].about == NUMBERS else ()
    clash_alone = None
    # where places are forgotten islands without a clue may be anywhere, of which the techniques know nothing
    if numbers or len(found.clash) in (0, len(found.puzzle.clue_cells)):
        clash_alone = relaxed(found.puzzle, map(grid_of(found.puzzle.shape).index, numbers))
    for puzzle in (clash_alone, found.puzzle):
        if puzzle is None:
            continue
        profile = PROFILES[puzzle.genre]
        deduction = deduce.rated(puzzle.clues, deadline=deadline, stop=lambda: ask.run.is_over, profile=profile)
        if deduction.is_broken:
            found.proof, found.proof_of_clash = deduction, puzzle is clash_alone
            return


def _answer(found: Diagnosis, ask: Ask) -> None:
    """What is wrong in the answer."""
    known = answer_of(found.puzzle, found.known)
    if found.violation is None:
        solution = extending(found.puzzle, known, found.solutions, ask)
        if solution is not None:
            found.wrong = ()
            if solution not in found.solutions:
                # one of the two that are shown contains the answer
                found.solutions = (solution, found.solutions[0])
            return
    if found.violation is None:
        profile = PROFILES[found.puzzle.genre]
        deduction = deduce.run(found.puzzle.clues, known, stop=lambda: ask.run.is_over, profile=profile)
        if deduction.is_broken:
            found.proof, found.violation = deduction, deduction.violation
    unique = found.status is Status.UNIQUE
    wrong = wrong_cells(found.puzzle, known, found.solutions, unique, ask)
    found.wrong = wrong or clashing_cells(found.puzzle, known, ask)


def _several(found: Diagnosis, ask: Ask) -> bool:
    wanted = found.solutions[0] if found.known is not None and found.wrong == () else None
    none_alone, complete = make_unique(found.puzzle, wanted, ask, found.add, found.known)
    found.fewest |= none_alone and bool(found.repairs) and found.repairs[0].number == 2
    ask.tell("cells common to all solutions", 0, 1)
    result = _solved(found, ask, common=True)
    found.common = result.common
    _go_on(result, ask)
    return complete
