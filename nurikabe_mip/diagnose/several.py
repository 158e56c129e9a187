"""Several solutions: the fewest clues to change so that one is left.

One solution, the target, is kept: clues are changed only to what it says, so that it stays a solution whatever is
changed. For islands these are another cell of the same island, and the size of one that has a `?`; else the number of
any empty cell that the target leaves unshaded. Every other answer must be ruled out by some change, so this is a
search for a set that meets them all. The answers are not listed beforehand: whenever all those known are ruled out,
the backend is asked for another, until it proves that there is none.
"""

import math
from collections.abc import Callable, Iterable, Sequence
from itertools import count

import numpy as np

from ..puzzles import NO_CLUE, UNKNOWN_SIZE, Puzzle, Shading
from .ask import ROUNDS, Ask, changed
from .changes import NUMBER, Change, Changes, Repair, repair_of, try_changes
from .reading import Reading, has_islands

TARGETS = 4  # solutions that are tried as the one to keep
SAMPLE = 24  # other answers that are looked at before a change is chosen at a venture
NODES = 4000  # of the search for fewer changes, for each target and number of changes
MOST = 5  # changes that are searched for without knowing of a way with more


class Target:
    """The changes that keep one solution of a puzzle, and the search among them for the fewest."""

    def __init__(self, puzzle: Puzzle, solution: Shading, ask: Ask):
        self.puzzle, self.ask, self.solution = puzzle, ask, solution
        self.clues = puzzle.clues.ravel()
        self.others: list[Reading] = []  # answers that are to be ruled out
        self.changes = tuple(self._changes(Reading(puzzle, solution)))

    def _changes(self, reading: Reading) -> Iterable[Change]:
        changes = Changes(self.puzzle)
        for c in np.flatnonzero(self.clues == UNKNOWN_SIZE).tolist():
            yield changes.number(c, int(reading.numbers[c]))
        for island in reading.islands:
            (clue,) = [c for c in island if self.clues[c] != NO_CLUE]
            yield from (changes.move(clue, c) for c in island if c != clue)
        if not has_islands(self.puzzle):
            for c in np.flatnonzero((self.clues == NO_CLUE) & (reading.numbers > 0)).tolist():
                yield changes.add(c, int(reading.numbers[c]))

    def apply(self, changes: Iterable[Change]) -> np.ndarray:
        clues = self.clues
        for change in changes:
            clues = change.of(clues)
        return clues

    def another(self, clues: np.ndarray, most: int = 1, patience: float = ROUNDS[1]) -> list[Reading] | None:
        """Up to `most` solutions but the target with these clues, none if it is proved the only one.

        None if `patience` came to its end first.
        """
        found = self.ask.find(changed(self.puzzle, clues), most + 1, patience)
        if found is None:
            return None
        new = [Reading(self.puzzle, answer) for answer in found.shadings if answer != self.solution][:most]
        self.others = new + self.others
        return new

    def left(self, clues: np.ndarray) -> list[Reading]:
        """The known answers that these clues do not rule out."""
        return [other for other in self.others if other.fits(clues)]

    def greedy(self) -> tuple[Change, ...] | None:
        """Changes that leave the target alone, each chosen because it rules out the most; None if they get stuck."""
        chosen: list[Change] = []
        while True:
            new = self.another(self.apply(chosen), SAMPLE)
            if new is None:
                return None
            if not new:
                break
            left = self.left(self.apply(chosen))
            free = self._others(chosen)
            best = min(free, key=lambda change: self._remaining(left, chosen, change), default=None)
            if best is None or self._remaining(left, chosen, best) == len(left):
                return None
            chosen.append(best)
        for change in tuple(chosen):  # some may have become needless
            rest = [other for other in chosen if other is not change]
            if not self.left(self.apply(rest)) and self.another(self.apply(rest)) == []:
                chosen = rest
        return tuple(chosen)

    def _others(self, chosen: Iterable[Change]) -> list[Change]:
        """The changes of other clues."""
        used = {change.edits[0][0] for change in chosen}
        return [change for change in self.changes if change.edits[0][0] not in used]

    def _remaining(self, left: list[Reading], chosen: Iterable[Change], change: Change) -> int:
        clues = change.of(self.apply(chosen))
        return sum(other.fits(clues) for other in left)

    def exactly(self, number: int) -> tuple[Change, ...] | None:
        """So many changes that leave the target alone; None if there are none, or it is too much work."""
        nodes = count()

        def search(chosen: tuple[Change, ...]) -> tuple[Change, ...] | None:
            clues = self.apply(chosen)
            while True:
                if next(nodes) > NODES:
                    return None
                alive = next((other for other in self.others if other.fits(clues)), None)
                if alive is None:
                    new = self.another(clues)
                    if new == []:
                        return chosen
                    if new is None:
                        return None
                    alive = new[0]
                if len(chosen) == number:
                    return None
                for change in self._others(chosen):
                    if not alive.fits(change.of(clues)):
                        found = search((*chosen, change))
                        if found is not None:
                            return found
                return None

        return search(())


def make_unique(
    puzzle: Puzzle, solutions: Sequence[Shading], ask: Ask, note: Callable[[Repair, bool], None], known: Shading | None
) -> bool:
    """Look for the fewest clues to change so that one solution is left, one of `solutions` if that can be.

    `note` is called with each change of one clue that does it; where there is none, with fewer and fewer changes. With
    each it is told whether it is proved that no fewer do. Returns false if something was too hard to decide.
    """
    targets = [Target(puzzle, solution, ask) for solution in solutions[:TARGETS]]
    likely, others = _single_changes(puzzle, targets)
    best = math.inf
    none_alone = False  # whether it is proved that no change of one clue does it

    def found(one: Repair) -> None:
        nonlocal best
        if one.number == 1 or one.number < best:
            best = min(best, one.number)
            note(one, best <= 1 + none_alone)

    def several(what: str, look: Callable[[Target], tuple[Change, ...] | None]) -> None:
        for number, target in enumerate(targets):
            ask.tell(what, number, TARGETS)
            if (changes := look(target)) is not None:
                found(repair_of(changed(puzzle, target.apply(changes)), changes, target.solution, known))

    first, later = ROUNDS[:2], ROUNDS[2:]
    left = try_changes(puzzle, likely, ask, found, known, first)
    if best > 1:
        several("changes of several clues", Target.greedy)
        left += try_changes(puzzle, others, ask, found, known, first)
    if best > 1:
        none_alone = not left
        for size in range(2, MOST + 1):
            if size < best:
                several(f"changes of {size} clues", lambda target, size=size: target.exactly(size))
    return not try_changes(puzzle, left, ask, found, known, later)


def _single_changes(puzzle: Puzzle, targets: Iterable[Target]) -> tuple[list[Change], list[Change]]:
    """The changes of one clue that may well leave one solution, and those that are tried only where none does."""
    changes = Changes(puzzle)
    clues = np.flatnonzero(puzzle.clues.ravel()).tolist()
    keeping = [change for target in targets for change in target.changes]
    every = [*keeping, *changes.numbers(clues), *changes.moves(), *changes.removals()]
    if has_islands(puzzle):
        every += changes.additions(changes.free_cells())
    every = list({change.edits: change for change in every}.values())
    kept = {change.edits for change in keeping}
    likely = [change for change in every if change.edits in kept or change.kind < NUMBER]
    return likely, [change for change in every if not (change.edits in kept or change.kind < NUMBER)]
