"""Why there is no solution: a smallest set of clues, with the rules, that clash.

Taking a clue out of a puzzle makes it weaker, never stronger, so that clues that clash still do with others added. It
is done in two ways:

numbers
    the number becomes a `?`: there is still a clue, and it may have any number. A clash says that these numbers cannot
    all be right, whatever the other numbers are. So in a puzzle that was spoilt by one wrong number, that number is in
    every clash.
places
    where even without all numbers there is no solution: the clue is forgotten, its cell may be shaded, and there may
    be islands without a number anywhere. Only the places of the clues clash.

A set is shrunk clue by clue. Then smaller ones are looked for with implicit hitting sets: a smallest clash meets each
set of clues without which the rest has a solution, so a smallest set that meets those known so far is tried until one
clashes (Ignatiev, Previti, Liffiton and Marques-Silva, "Smallest MUS extraction with minimal hitting set
dualization", CP 2015).
"""

import math
from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass

import numpy as np

from ..constraints import Connected, Islands, NoPool, NoTouch, ShadingModel, Sight
from ..grid import Cell
from ..puzzles import NO_CLUE, SHADED, UNDECIDED, UNKNOWN_SIZE, UNSHADED, Puzzle, Shading
from .ask import ROUNDS, Ask, changed
from .reading import Reading

NUMBERS, PLACES = "numbers", "places"
TRIES = 100  # sets that are tried for a smaller clash
NODES = 5_000  # of the search for one such set
GROWN = 4  # looks at the limits while a clue is added to a set that has a solution


@dataclass(frozen=True)
class Clash:
    """Clues that have no solution together under the rules.

    `cells` are clue cells, `rules` the short names that `check` gives to the rules that it takes; `about` tells what of
    the clues clashes, their "numbers" or their "places". `minimal`: without any one of the clues there is a solution,
    and so it is without any one of the rules but those that a clue stands for. `smallest`: no fewer clues clash.
    """

    cells: tuple[Cell, ...]
    rules: tuple[str, ...]
    about: str
    minimal: bool = False
    smallest: bool = False


def relaxed(puzzle: Puzzle, keep: Iterable[int]) -> Puzzle:
    """The puzzle with a `?` for every clue whose cell (flat) is not in `keep`."""
    clues = puzzle.clues.ravel()
    weaker = np.where(clues == NO_CLUE, NO_CLUE, UNKNOWN_SIZE)
    keep = list(keep)
    weaker[keep] = clues[keep]
    return changed(puzzle, weaker)


def find_clash(puzzle: Puzzle, ask: Ask, note: Callable[[Clash], None], aside: Collection[int] = ()) -> None:
    """Look for a clash of the clues of a puzzle without a solution, as far as that is easy.

    `note` is called with smaller and smaller ones. None of them has clues of `aside` (flat cells); where the others
    have a solution it is never called.
    """
    clues: _Clues = _Numbers(puzzle, ask, aside)
    if aside and clues.hold(clues.cells, ROUNDS[1]) is not False:
        return
    if clues.hold((), ROUNDS[1]) is False:
        clues = _Places(puzzle, ask)
    note(clues.clash(clues.cells))
    kept = clues.cells
    size = len(kept) // 2
    while size > 1:  # on a large board most clues have nothing to do with it
        for start in range(0, len(clues.cells), size):
            rest = tuple(c for c in kept if c not in clues.cells[start : start + size])
            if len(rest) < len(kept) and clues.hold(rest, ROUNDS[0]) is False:
                kept = rest
                note(clues.clash(kept))
        size //= 2
    _shrink(clues, kept, note, ROUNDS[:1])


def refine_clash(
    puzzle: Puzzle, ask: Ask, clash: Clash, note: Callable[[Clash], None], aside: Iterable[int] = ()
) -> None:
    """Make a clash that `find_clash` found minimal, and look for a smallest."""
    clues: _Clues = _Numbers(puzzle, ask, aside) if clash.about == NUMBERS else _Places(puzzle, ask)
    kept: tuple[int, ...] | None = tuple(map(clues.grid.index, clash.cells))
    if not clash.minimal:
        kept = _shrink(clues, kept, note, ROUNDS[1:])
    smallest = None if kept is None else _smallest(clues, kept)
    if smallest is not None:
        note(clues.clash(smallest, minimal=True, smallest=True))


def _shrink(
    clues: "_Clues", clash: tuple[int, ...], note: Callable[[Clash], None], rounds: Iterable[float]
) -> tuple[int, ...] | None:
    """Take out clue after clue for as long as the rest clashes: a minimal clash, None if some were too hard."""
    kept = clash

    def without(cell: int, patience: float) -> bool:
        nonlocal kept
        rest = tuple(c for c in kept if c != cell)
        holds = clues.hold(rest, patience)
        if holds is False:
            kept = rest
            note(clues.clash(kept))
        return holds is not None

    if clues.ask.settle(clash, without, rounds=rounds):
        return None
    note(clues.clash(kept, minimal=True))
    return kept


class _Clues:
    """The clues of a puzzle (`cells`, flat, in order), and whether some of them have a solution together."""

    about: str
    cells: tuple[int, ...]

    def __init__(self, puzzle: Puzzle, ask: Ask):
        self.puzzle, self.ask = puzzle, ask
        self.grid = ShadingModel.of(puzzle).grid

    def hold(self, keep: Iterable[int], patience: float = math.inf, without: tuple[type, ...] = ()) -> bool | None:
        """Whether these clues alone have a solution, if need be without constraints of some kinds.

        None if `patience` came to its end.
        """
        raise NotImplementedError

    def clash(self, keep: tuple[int, ...], minimal: bool = False, smallest: bool = False) -> Clash:
        """These clues, with the rules that their clash takes: once it is minimal, as few as can be."""
        left_out: tuple[type, ...] = ()
        constraints = self.puzzle.constraints()
        for kind in map(type, constraints) if minimal else ():
            more = (*left_out, kind)
            if kind not in (Islands, Sight) and self.hold(keep, ROUNDS[-2], more) is False:
                left_out = more
        rules = {name for one in constraints if not isinstance(one, left_out) for name in self._names(one)}
        return Clash(self.grid.cells(sorted(keep)), tuple(sorted(rules)), self.about, minimal, smallest)

    def _names(self, constraint) -> tuple[str, ...]:
        match constraint:
            case Islands():
                return ("R1", "R2") if self.about == NUMBERS else ("R2",)
            case Connected(value):
                return ("R3",) if value == SHADED else ("K3",)
        return {NoPool: ("R4",), Sight: ("K1",), NoTouch: ("K2",)}[type(constraint)]

    def _find(self, keep: Iterable[int], patience: float, without: tuple[type, ...]) -> Shading | bool | None:
        """A solution with a `?` for the other clues; False if there is none, None if patience came to its end."""
        puzzle = relaxed(self.puzzle, keep)
        model = ShadingModel.of(puzzle)
        constraints = tuple(one for one in model.constraints if not isinstance(one, without))
        found = self.ask.find(puzzle, 1, patience, ShadingModel(model.shape, constraints, model.fixed))
        return None if found is None else found.shadings[0] if found.shadings else False


class _Numbers(_Clues):
    """Clues that are taken out are read as `?`."""

    about = NUMBERS

    def __init__(self, puzzle: Puzzle, ask: Ask, aside: Iterable[int]):
        super().__init__(puzzle, ask)
        aside = frozenset(aside)
        self.cells = tuple(c for c in np.flatnonzero(puzzle.clues.ravel() > 0).tolist() if c not in aside)

    def hold(self, keep, patience=math.inf, without=()):
        found = self._find(keep, patience, without)
        return bool(found) if found is not None else None

    def most_right(self, keep: frozenset[int]) -> frozenset[int]:
        """Clues that have a solution together, as many as come easily: those of `keep`, which have one, and others."""
        right = keep
        for c in (None, *self.cells):
            if c not in right:
                trial, patience = (right, ROUNDS[1]) if c is None else (right | {c}, GROWN)
                if answer := self._find(trial, patience, ()):
                    numbers, clues = Reading(self.puzzle, answer).numbers, self.puzzle.clues.ravel()
                    right = frozenset(c for c in self.cells if numbers[c] == clues[c])
        return right


class _Places(_Clues):
    """Clues that are taken out are forgotten; as soon as one is, islands without a number may be anywhere."""

    about = PLACES

    def __init__(self, puzzle: Puzzle, ask: Ask):
        super().__init__(puzzle, ask)
        self.cells = tuple(np.flatnonzero(puzzle.clues.ravel()).tolist())

    def hold(self, keep, patience=math.inf, without=()):
        keep = sorted(keep)
        if len(keep) == len(self.cells):
            answer = self._find((), patience, without)
            return None if answer is None else bool(answer)
        left = patience
        fixed = np.full(self.grid.size, UNDECIDED, dtype=np.int8)
        fixed[keep] = UNSHADED
        stack = [fixed]
        while stack:
            fixed = stack.pop()
            left -= 1
            found = self.ask.find(self.puzzle, 1, left, self._without_islands(fixed, without)) if left > 0 else None
            if found is None:
                return None
            if not found.shadings:
                continue
            bridge = self._bridge(found.shadings[0], keep)
            if bridge is None:
                return True
            # one of the cells that join two clues is shaded: the first such one is this
            for number, c in enumerate(bridge):
                if fixed[c] == UNDECIDED:
                    branch = fixed.copy()
                    branch[bridge[:number]] = UNSHADED
                    branch[c] = SHADED
                    stack.append(branch)
        return False

    def _without_islands(self, fixed: np.ndarray, without: tuple[type, ...]) -> ShadingModel:
        constraints = self.puzzle.constraints()
        left = tuple(one for one in constraints if not isinstance(one, (Islands, *without)))
        return ShadingModel(self.puzzle.shape, left, fixed)

    def _bridge(self, answer: Shading, clues: list[int]) -> list[int] | None:
        """The cells between two clues that are in one island, on a shortest way; None if there is no such island."""
        land = (answer.cells == UNSHADED).ravel().tolist()
        for component in self.grid.components(land):
            first, *others = [c for c in clues if c in set(component)] or [None]
            if others:
                steps = self.grid.distances([first], land)
                c = min(others, key=lambda c: steps[c])
                path = []
                while steps[c] > 1:
                    c = next(d for d in self.grid.neighbours[c] if steps[d] == steps[c] - 1)
                    path.append(c)
                return path
        return None


def _smallest(clues: _Clues, clash: tuple[int, ...]) -> tuple[int, ...] | None:
    """A smallest clash, where one of this size is known; None if that is too much work or cannot be told."""
    if not isinstance(clues, _Numbers):
        return None
    corrections: list[frozenset[int]] = []
    size = 1
    for _ in range(TRIES):
        try:
            while (trial := _meeting(corrections, size, clues.ask.run.poll)) is None:
                size += 1
        except _TooHard:
            return None
        if size >= len(clash):
            return clash
        holds = clues.hold(trial, ROUNDS[1])
        if holds is None:
            return None
        if not holds:
            return tuple(sorted(trial))
        corrections.append(frozenset(clues.cells) - clues.most_right(trial))
    return None


class _TooHard(Exception):
    """The search for a set took too long."""


def _meeting(sets: list[frozenset[int]], most: int, poll: Callable[[], None]) -> frozenset[int] | None:
    """At most so many elements, of which each set has one; None if there are none. Raises _TooHard."""
    nodes = 0

    def search(chosen: frozenset[int], left: int) -> frozenset[int] | None:
        nonlocal nodes
        nodes += 1
        poll()
        if nodes > NODES:
            raise _TooHard
        unmet = sorted((one for one in sets if one.isdisjoint(chosen)), key=len)
        if not unmet:
            return chosen
        # sets without a common element take one each
        apart: set[int] = set()
        number = 0
        for one in unmet:
            if apart.isdisjoint(one):
                apart |= one
                number += 1
        if number > left:
            return None
        for element in sorted(unmet[0], key=lambda e: (-sum(e in one for one in unmet), e)):
            found = search(chosen | {element}, left - 1)
            if found is not None:
                return found
        return None

    return search(frozenset(), most)
