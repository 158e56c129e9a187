"""Run the techniques on a board: all that is deduced, in which steps, and how far it goes."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from typing import NamedTuple

import numpy as np

from ..check import Violation, violations
from ..constraints import ShadingModel
from ..errors import OptionError
from ..puzzles import NO_CLUE, SHADED, UNDECIDED
from .position import KERNELS, POSITIONS, KuromasuPosition, Position, board_of, is_over, values_of
from .techniques import BEYOND, LEVELS, NURIKABE, Profile, Step

INNER = "medium"  # the level of the techniques that follow an assumption
ALL_STEPS = 1 << 40


class Move(NamedTuple):
    """A step without its reasons: the technique's index and name, the value, and the cells as flat indices."""

    technique: int
    name: str
    value: int
    cells: tuple[int, ...]


@dataclass(frozen=True, eq=False)
class Deduction:
    """What the techniques up to a level found out about a board.

    `clues` has the shape (rows, columns); `start` and `values` are int8 arrays of that shape, the values before the
    first step and after the last: SHADED, UNSHADED, or UNDECIDED. `made` are the steps as the kernel made them, on the
    turned board: technique, value, cells; `moves` are the same on the board as it lies. `violation` is the rule that
    the position breaks, None if it breaks none: then the start had no solution. `interrupted` is true if a limit came
    before the end. `profile` has the techniques, `orientation` is the one in which they were run, see `orientations`.
    """

    clues: np.ndarray
    start: np.ndarray
    values: np.ndarray
    made: Sequence[tuple[int, int, list[int]]] = field(repr=False)
    violation: Violation | None = None
    interrupted: bool = False
    orientation: int = field(default=0, repr=False)
    profile: Profile = field(default=NURIKABE, repr=False)

    @property
    def is_broken(self) -> bool:
        """Whether the position breaks a rule, so that no solution contains `start`."""
        return self.violation is not None

    @property
    def is_finished(self) -> bool:
        """Whether every cell is decided and no rule broken: then it is the only solution that contains `start`."""
        return not self.is_broken and bool(self.values.all())

    @property
    def open(self) -> int:
        """The number of cells left open."""
        return int((self.values == UNDECIDED).sum())

    @cached_property
    def moves(self) -> tuple[Move, ...]:
        """The steps in short."""
        names = [technique.name for technique in self.profile.techniques]
        where = _back(self.clues.shape, self.orientation)[1]
        return tuple(
            Move(technique, names[technique], value, tuple(sorted(where[c] for c in cells)))
            for technique, value, cells in self.made
        )

    @property
    def counts(self) -> dict[str, int]:
        """How many steps each technique made, easiest first."""
        techniques = self.profile.techniques
        found = [0] * len(techniques)
        for technique, _, _ in self.made:
            found[technique] += 1
        return {technique.name: count for technique, count in zip(techniques, found, strict=True)}

    @property
    def level(self) -> str | None:
        """The level of the hardest technique used, at least easy; `beyond` if cells are open, None if broken."""
        if self.is_broken:
            return None
        if self.open:
            return BEYOND
        used = {self.profile.techniques[technique].level for technique, _, _ in self.made}
        return max(used | {"easy"}, key=LEVELS.index)

    @cached_property
    def steps(self) -> tuple[Step, ...]:
        """The steps with their reasons; worked out when first asked for."""
        from .explain import explained

        return tuple(explained(self))

    def assume(self, values: np.ndarray) -> "Deduction":
        """What the techniques that follow an assumption make of `values` (flat), run as this deduction was."""
        top = self.profile.hardest(INNER)
        return _deduce(self.profile, self.clues, values.reshape(self.clues.shape), self.orientation, top)


def turned(board: np.ndarray, orientation: int) -> np.ndarray:
    """A board in an orientation: 0 to 3 are that many turns clockwise, 4 to 7 mirror left to right first."""
    if orientation >= 4:
        board = board[:, ::-1]
    match orientation % 4:  # plain views: np.rot90 takes ten times as long, and this is called for every rating
        case 1:
            return board[::-1].T
        case 2:
            return board[::-1, ::-1]
        case 3:
            return board[:, ::-1].T
    return board


def orientations(shape: tuple[int, int]) -> list[np.ndarray]:
    """For each orientation the flat index of the original cell in each of its cells, in its own shape."""
    index = np.arange(shape[0] * shape[1]).reshape(shape)
    return [turned(index, orientation) for orientation in range(8)]


def canonical_orientation(clues: np.ndarray) -> int:
    """The orientation whose (rows, columns, row-major clues) come first; the smallest such number among equals.

    `clues` has the shape (rows, columns), 0 for no clue and -1 for `?`. A board that is rated in it has the same
    level and counts however it is turned.
    """
    board = board_of(clues)
    rows, columns = board.shape
    # big-endian and not negative, so that the bytes compare as the numbers do
    numbers = (board + 1).astype(">u4")
    candidates = range(8) if rows == columns else range(int(rows > columns), 8, 2)
    return min(candidates, key=lambda orientation: turned(numbers, orientation).tobytes())


def _violation(profile: Profile, board: np.ndarray, values: np.ndarray) -> Violation | None:
    model = ShadingModel(board.shape, profile.constraints(board), values)
    return min(violations(model, values.ravel()), key=lambda found: profile.rules.index(found.rule), default=None)


@lru_cache(maxsize=256)
def _back(shape: tuple[int, int], orientation: int) -> tuple[np.ndarray, list[int]]:
    """The flat index of the original cell in each cell of a turned board, as an array and as a list."""
    index = turned(np.arange(shape[0] * shape[1]).reshape(shape), orientation).ravel()
    return index, index.tolist()


def _deduce(profile, board, start, orientation, top, max_steps=ALL_STEPS, deadline=None, stop=None) -> Deduction:
    settings = {"orientation": orientation, "profile": profile}
    if ((board != NO_CLUE) & (start == SHADED)).any():
        return Deduction(board, start, start, (), _violation(profile, board, start), **settings)
    if not KERNELS[profile.genre].ready(board.size, lambda: is_over(deadline, stop)):
        return Deduction(board, start, start, (), interrupted=True, **settings)
    position = POSITIONS[profile.genre](turned(board, orientation), turned(start, orientation))
    made, ended = position.run(top, max_steps, deadline, stop)
    values = position.values
    if orientation:
        flat = np.empty(board.size, dtype=np.int8)
        flat[_back(board.shape, orientation)[0]] = values.ravel()
        values = flat.reshape(board.shape)
    violation = _violation(profile, board, values) if position.is_broken else None
    return Deduction(board, start, values, made, violation, not ended, **settings)


def _run(profile, board, orientation, values, level, max_steps, deadline, stop) -> Deduction:
    if level not in LEVELS:
        raise OptionError(f"level is one of {', '.join(map(repr, LEVELS))}; got {level!r}")
    if max_steps is not None and not max_steps >= 1:
        raise OptionError(f"max_steps is a whole number from 1, or None for no limit; got {max_steps!r}")
    start = values_of(board, values)
    top = profile.hardest(level)
    return _deduce(profile, board, start, orientation, top, max_steps or ALL_STEPS, deadline, stop)


def run(
    clues,
    values=None,
    *,
    level: str = "expert",
    max_steps: int | None = None,
    deadline: float | None = None,
    stop: Callable[[], bool] | None = None,
    profile: Profile = NURIKABE,
) -> Deduction:
    """Run the techniques up to `level` on the board as it lies, each step the first that applies.

    `clues` has the shape (rows, columns), 0 for no clue and -1 for `?`; `values` is a partial answer, a Shading or an
    array of that shape or flat. At most `max_steps` steps are made; `deadline` is a moment on time.perf_counter(),
    `stop` a function that is asked every few milliseconds whether to end; `profile` has the genre's techniques. Raises
    PuzzleError if the shapes differ and OptionError for an unknown level or fewer than one step.
    """
    return _run(profile, board_of(clues), 0, values, level, max_steps, deadline, stop)


def rated(
    clues,
    values=None,
    *,
    level: str = "expert",
    max_steps: int | None = None,
    deadline: float | None = None,
    stop: Callable[[], bool] | None = None,
    profile: Profile = NURIKABE,
) -> Deduction:
    """The same in the board's canonical orientation, the steps turned back: equal under the board's symmetries."""
    board = board_of(clues)
    return _run(profile, board, canonical_orientation(board), values, level, max_steps, deadline, stop)


@dataclass(frozen=True, eq=False)
class Fixed:
    """What holds in every solution that contains a partial answer, as far as it was found.

    `values` is an int8 array of shape (rows, columns): SHADED, UNSHADED, or UNDECIDED. `violation` is a rule that is
    broken by what must hold, so that there is no solution; None otherwise. `interrupted` is true if a limit came
    before the end; what was found until then holds all the same.
    """

    values: np.ndarray
    violation: Violation | None = None
    interrupted: bool = False

    @property
    def is_broken(self) -> bool:
        """Whether there is no solution."""
        return self.violation is not None

    @property
    def is_finished(self) -> bool:
        """Whether every cell is decided and no rule broken: then it is the only solution."""
        return not self.is_broken and bool(self.values.all())


def _fixed(profile, clues, values, work: Callable[[Position], bool], deadline=None, stop=None) -> Fixed:
    board = board_of(clues)
    start = values_of(board, values)
    if ((board != NO_CLUE) & (start == SHADED)).any():
        return Fixed(start, _violation(profile, board, start))
    if not KERNELS[profile.genre].ready(board.size, lambda: is_over(deadline, stop)):
        return Fixed(start, None, True)
    position = POSITIONS[profile.genre](board, start)
    ended = work(position)
    fixed = position.values
    return Fixed(fixed, _violation(profile, board, fixed) if position.is_broken else None, not ended)


def rules(clues, values=None, profile: Profile = NURIKABE) -> Fixed:
    """What the techniques up to medium fix; arguments as in `run`. Some 0.1 ms for a 10x10."""

    def work(position: Position) -> bool:
        position.fix(profile.hardest(INNER))
        return True

    return _fixed(profile, clues, values, work)


def lookahead(
    clues,
    values=None,
    deadline: float | None = None,
    stop: Callable[[], bool] | None = None,
    profile: Profile = NURIKABE,
) -> Fixed:
    """What look-ahead of one cell fixes: both values of each open cell are tried with the techniques up to medium.

    A value that breaks a rule is ruled out, and what follows from both values holds; so on until no value is known to
    break one, or `deadline` (a moment on time.perf_counter()) or `stop` ends it. A value that cannot break a rule since
    an earlier try is not tried again, and what it would have in common with the other one is not looked for. Other
    arguments as in `run`.
    """
    return _fixed(profile, clues, values, lambda position: position.look_ahead(deadline, stop), deadline, stop)


def plain_search(clues, most: int, answers: int = 0, stop: Callable[[], bool] | None = None) -> tuple[int, int] | None:
    """The effort of a plain search through all solutions of a Kuromasu, and their number.

    In the canonical orientation, each value that is tried for the first open cell, row by row, black first, is a node,
    and the easy techniques follow it. The search ends soon after more than `most` nodes, or at once after `answers`
    solutions if that is not 0; None if `stop`, a function that is asked every few milliseconds, said so first.
    """
    board = board_of(clues)
    if not KERNELS["kuromasu"].ready(board.size, lambda: is_over(None, stop)):
        return None
    board = turned(board, canonical_orientation(board))
    return KuromasuPosition(board, values_of(board, None)).search(most, answers, stop)
