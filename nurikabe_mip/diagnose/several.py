"""Several solutions: the fewest clues to change so that one is left.

Changes of one clue are tried first. Where none does, solutions are whittled away: of a sample of them, the change that
leaves the fewest, but one at least, is made, and the next sample is taken from the puzzle with it, until the backend
proves that one is left. Only changes count that keep some solution: for islands another cell of the same island, and
its size for a `?`; else the number that a cell has in a solution. Then what became needless is taken back. That is
done several times with other choices among equals, and the fewest changes are kept.
"""

import math
import random
from collections.abc import Callable, Iterator
from itertools import islice

import numpy as np

from ..puzzles import NO_CLUE, UNKNOWN_SIZE, Puzzle, Shading
from .ask import ROUNDS, Ask, changed
from .changes import NUMBER, Change, Changes, Repair, repair_of, try_changes
from .reading import Reading, has_islands

SAMPLE = 100  # solutions that are looked at before a change is chosen
STEPS = 40  # changes before a way is given up
WAYS = 8  # that are gone, at most

Places = dict[int, tuple[int, int]]  # for each changed clue, by its cell before: its cell now, and its number


def make_unique(
    puzzle: Puzzle, wanted: Shading | None, ask: Ask, note: Callable[[Repair], None], known: Shading | None
) -> tuple[bool, bool]:
    """Look for the fewest clues to change so that one solution is left, `wanted` if it is given and if that can be.

    `note` is called with each change of one clue that does it; where there is none, with fewer and fewer changes.
    Returns whether it is proved that no change of one clue does it, and whether everything was decided.
    """
    best = math.inf

    def found(repair: Repair) -> None:
        nonlocal best
        if repair.number == 1 or repair.number < best:
            best = min(best, repair.number)
            note(repair)

    def go(way: int) -> None:
        ask.tell("changes of several clues", way, WAYS)
        # half of the ways are not bound to what is wanted, for it may be an answer that no clues single out
        places = _whittled(puzzle, ask, random.Random(way), wanted if way % 2 == 0 else None)
        if places is not None:
            clues, changes = _clues(puzzle, places), Changes(puzzle)
            several = tuple(changes.place(cell, *place) for cell, place in sorted(places.items()))
            (solution,) = ask.find(changed(puzzle, clues), 1).shadings
            found(repair_of(changed(puzzle, clues), several, solution, known))

    likely, others = _single_changes(puzzle, _Sample(puzzle, {}, ask, math.inf))
    first, later = ROUNDS[:2], ROUNDS[2:]
    left = try_changes(puzzle, likely, ask, found, known, first)
    ways = iter(range(WAYS))
    for way in islice(ways, WAYS // 2):
        if best < math.inf:
            break
        go(way)
    if best > 1:  # there are very many of the others
        left += try_changes(puzzle, others, ask, found, known, first)
    for way in ways:
        if best <= 2:
            break
        go(way)
    left = try_changes(puzzle, left, ask, found, known, later)
    return best > 1 and not left, not left


def _single_changes(puzzle: Puzzle, sample: "_Sample") -> tuple[list[Change], list[Change]]:
    """The changes of one clue that may well leave one solution, and those that are tried only where none does."""
    changes = Changes(puzzle)
    clues = np.flatnonzero(puzzle.clues.ravel()).tolist()
    keeping = [changes.place(cell, *place) for _, cell, place in sample.choices()]
    every = [*keeping, *changes.numbers(clues), *changes.moves(), *changes.removals()]
    if has_islands(puzzle):
        every += changes.additions(changes.free_cells())
    every = list({change.edits: change for change in every}.values())
    kept = {change.edits for change in keeping}
    likely = [change for change in every if change.edits in kept or change.kind < NUMBER]
    return likely, [change for change in every if not (change.edits in kept or change.kind < NUMBER)]


def _whittled(puzzle: Puzzle, ask: Ask, rng: random.Random, wanted: Shading | None) -> Places | None:
    """Changed clues that leave one solution, none of them needless; None if this way leads nowhere."""
    places: Places = {}
    seen: list[Places] = []
    for _ in range(STEPS):
        sample = _Sample(puzzle, places, ask, ROUNDS[1], wanted)
        if sample.is_single:
            return _needed(puzzle, places, ask)
        seen.append(places)
        choices = []
        for left, cell, place in sample.choices():
            after = {**places, cell: place}
            if place == (cell, puzzle.clues.ravel()[cell]):
                del after[cell]
            if after not in seen:
                # a clue that is changed already costs nothing more
                choices.append((left, cell not in places, rng.random(), after))
        if not choices:
            return None
        places = min(choices, key=lambda choice: choice[:3])[3]
    return None


def _needed(puzzle: Puzzle, places: Places, ask: Ask) -> Places:
    """The changes without those that can be taken back."""
    for cell in tuple(places):
        rest = {other: place for other, place in places.items() if other != cell}
        found = ask.find(changed(puzzle, _clues(puzzle, rest)), 2, ROUNDS[1])
        if found is not None and found.is_unique:
            places = rest
    return places


def _clues(puzzle: Puzzle, places: Places) -> np.ndarray:
    """The clues (flat) with the changes."""
    clues = puzzle.clues.ravel().copy()
    clues[list(places)] = NO_CLUE
    for cell, number in places.values():
        clues[cell] = number
    return clues


class _Sample:
    """Some solutions of a puzzle with changes, and which further changes leave how many of them.

    Empty if `patience` came to its end. `wanted` is among them, if it is given and a solution.
    """

    def __init__(self, puzzle: Puzzle, places: Places, ask: Ask, patience: float, wanted: Shading | None = None):
        self.puzzle, self.places = puzzle, places
        self.clues = puzzle.clues.ravel()
        found = ask.find(changed(puzzle, _clues(puzzle, places)), SAMPLE, patience)
        answers = found.shadings if found is not None else ()
        self.is_single = found is not None and found.is_unique
        self.is_bound = wanted is not None
        if wanted is not None:  # it comes first
            answers = (wanted, *(answer for answer in answers if answer != wanted))
        self.readings = [Reading(puzzle, answer) for answer in answers]

    def choices(self) -> Iterator[tuple[int, int, tuple[int, int]]]:
        """For each change that leaves some of them, but not all: how many, the clue's cell before, cell and number."""
        if not self.readings:
            return
        numbers = np.array([reading.numbers for reading in self.readings])
        for cell, clue, places in self._where(numbers):
            for to in np.flatnonzero(places.any(axis=0)).tolist():
                fits = places[:, to]
                for number in np.unique(numbers[fits, to]).tolist() if clue == UNKNOWN_SIZE else (clue,):
                    left = fits if number == UNKNOWN_SIZE else fits & (numbers[:, to] == number)
                    if 0 < left.sum() < len(left) and (left[0] or not self.is_bound):
                        yield int(left.sum()), cell, (to, number)

    def _where(self, numbers: np.ndarray) -> Iterator[tuple[int, int, np.ndarray]]:
        """Each clue's cell before, its number, and for each solution and cell whether the clue could be there."""
        if not has_islands(self.puzzle):
            # a clue is added to a cell, or gets a number
            for cell in np.flatnonzero(self.clues <= 0).tolist():
                if cell not in self.places:
                    yield cell, UNKNOWN_SIZE, (numbers > 0) & (np.arange(numbers.shape[1]) == cell)
            return
        labels = np.array([reading.labels for reading in self.readings])
        for cell in np.flatnonzero(self.clues).tolist():
            now, _ = self.places.get(cell, (cell, None))
            yield cell, int(self.clues[cell]), labels == labels[:, [now]]
