"""Changes of clues, which of them make a puzzle uniquely solvable, and which is likely the one that was meant."""

import math
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field

import numpy as np

from ..draw.words import cell_words
from ..grid import Cell, grid_of
from ..puzzles import NO_CLUE, UNKNOWN_SIZE, Puzzle, Shading
from .answers import agrees
from .ask import ROUNDS, Ask, changed
from .reading import has_islands

# how unlikely it is that a change undoes a slip, by its kind
KEY, DIGIT, MOVE, REMOVE, NUMBER, FAR, ADD = range(7)
# those of a group are looked at together, hard ones put off
GROUPS = {(KEY, KEY): "numbers off by one", (DIGIT, REMOVE): "other slips", (NUMBER, ADD): "the rest"}
# digits that are taken for each other, or are above each other on a keypad
TAKEN_FOR = {frozenset(pair) for pair in ("17", "38", "69", "56", "14", "47", "25", "58", "36", "08")}


@dataclass(frozen=True)
class Change:
    """One clue changed: `edits` are the cells (flat) with their new clues, `what` says it in words."""

    edits: tuple[tuple[int, int], ...]
    what: str
    kind: int

    def of(self, clues: np.ndarray) -> np.ndarray:
        """Clues (flat) with the change."""
        after = clues.copy()
        for cell, clue in self.edits:
            after[cell] = clue
        return after


@dataclass(frozen=True)
class Repair:
    """A change that makes a puzzle uniquely solvable.

    `puzzle` is the changed one, `what` says in words what was changed, `cells` are the cells with other clues, `number`
    is how many clues were changed, and `solution` is the solution, proved to be the only one.
    """

    puzzle: Puzzle
    what: str
    cells: tuple[Cell, ...]
    number: int
    solution: Shading
    rank: tuple = field(default=(), repr=False, compare=False)

    def __str__(self):
        return self.what

    def _repr_html_(self):
        from ..draw import svg

        return svg(self.puzzle, self.solution, outline=self.cells)


def slip(number: int, meant: int) -> int:
    """The kind of slip that makes `number` of the number that was meant.

    >>> slip(4, 5) == KEY, slip(1, 12) == DIGIT, slip(2, 9) == NUMBER
    (True, True, True)
    """
    if abs(number - meant) == 1:
        return KEY
    typed, right = str(number), str(meant)
    if len(typed) == len(right):
        wrong = [i for i, (a, b) in enumerate(zip(typed, right, strict=True)) if a != b]
        if len(wrong) == 1 and frozenset({typed[wrong[0]], right[wrong[0]]}) in TAKEN_FOR:
            return DIGIT
        return DIGIT if len(wrong) == 2 and sorted(typed) == sorted(right) else NUMBER
    short, long = sorted((typed, right), key=len)
    return DIGIT if short in {long[:i] + long[i + 1 :] for i in range(len(long))} else NUMBER


class Changes:
    """The changes of one clue of a puzzle, in the order in which they are tried."""

    def __init__(self, puzzle: Puzzle):
        self.puzzle = puzzle
        self.clues = puzzle.clues.ravel()
        self.grid = grid_of(puzzle.shape)

    def name(self, clue: int) -> str:
        return "?" if clue == UNKNOWN_SIZE else str(clue)

    def at(self, cell: int) -> str:
        return cell_words((self.grid.cell(cell),))

    def number(self, cell: int, meant: int) -> Change:
        """Another number in a clue's cell."""
        old = int(self.clues[cell])
        kind = slip(old, meant) if old != UNKNOWN_SIZE else DIGIT
        return Change(((cell, meant),), f"the {self.name(old)} at {self.at(cell)} becomes {meant}", kind)

    def move(self, cell: int, to: int) -> Change:
        """The clue in another cell."""
        clue = int(self.clues[cell])
        what = f"the {self.name(clue)} at {self.at(cell)} moves to {self.at(to)}"
        return Change(((cell, NO_CLUE), (to, clue)), what, MOVE if to in self.grid.neighbours[cell] else FAR)

    def place(self, cell: int, to: int, number: int) -> Change:
        """A clue in `cell`, or a new one, to be in a cell with a number."""
        clue = int(self.clues[cell])
        if clue == NO_CLUE:
            return self.add(to, number)
        if to == cell:
            return self.number(cell, number)
        move = self.move(cell, to)
        if number == clue:
            return move
        return Change(((cell, NO_CLUE), (to, number)), f"{move.what} and becomes {number}", FAR)

    def remove(self, cell: int) -> Change:
        what = f"the {self.name(int(self.clues[cell]))} at {self.at(cell)} is taken out"
        return Change(((cell, NO_CLUE),), what, REMOVE)

    def add(self, cell: int, clue: int) -> Change:
        return Change(((cell, clue),), f"{self.name(clue)} is added at {self.at(cell)}", ADD)

    def numbers(self, cells: Iterable[int]) -> Iterator[Change]:
        """Every other number in these clues' cells."""
        for cell in cells:
            yield from (self.number(cell, meant) for meant in self._numbers(cell) if meant != self.clues[cell])

    def _numbers(self, cell: int) -> range:
        """The numbers that the board has room for in a cell."""
        most = self.puzzle.largest_clue(self.puzzle.shape)
        if has_islands(self.puzzle):
            others = np.delete(self.clues, cell)
            most = self.grid.size - 1 - int(np.abs(others).sum())  # a `?` is -1 and takes one cell at least
        return range(1, most + 1)

    def moves(self) -> Iterator[Change]:
        """Each clue to each empty cell beside it."""
        for cell in np.flatnonzero(self.clues).tolist():
            yield from (self.move(cell, to) for to in self.grid.neighbours[cell] if self.clues[to] == NO_CLUE)

    def removals(self) -> Iterator[Change]:
        return map(self.remove, np.flatnonzero(self.clues).tolist())

    def free_cells(self) -> list[int]:
        """The cells where a clue can be added."""
        taken = self.clues != NO_CLUE
        beside = has_islands(self.puzzle)
        return [
            c
            for c in np.flatnonzero(~taken).tolist()
            if not (beside and any(taken[d] for d in self.grid.neighbours[c]))
        ]

    def additions(self, cells: Iterable[int]) -> Iterator[Change]:
        """Every number in these empty cells."""
        return (self.add(cell, number) for cell in cells for number in self._numbers(cell))

    def surprise(self, change: Change, nodes: int) -> float:
        """How little the outcome looks like a puzzle that somebody made: less is likelier.

        Numbers that other clues have too are likelier than those that none has, and a puzzle that takes much search is
        less likely than one that does not. On 250 puzzles with one number off by one this puts the true number first
        among all numbers off by one in 70 %, in the first three in 98 % (61 and 94 % by chance).
        """
        score = math.log1p(nodes)
        if change.kind in (KEY, DIGIT, NUMBER):
            ((cell, meant),) = change.edits
            others = np.delete(self.clues, cell)
            score += math.log((others == self.clues[cell]).sum() + 0.5) - math.log((others == meant).sum() + 0.5)
        return score


def try_changes(
    puzzle: Puzzle,
    changes: Iterable[Change],
    ask: Ask,
    note: Callable[[Repair], None],
    known: Shading | None = None,
    rounds: Iterable[float] = ROUNDS,
) -> list[Change]:
    """Try changes of one clue, the likely slips first; `note` is called with each that makes the puzzle unique.

    Returns those that were too hard to decide in these rounds. What agrees with the answer `known` ranks before what
    does not.
    """
    changes = tuple(changes)
    all_changes = Changes(puzzle)
    possible: dict[int, bool] = {}  # whether some number in that cell gives a solution

    def test(change: Change, patience: float) -> bool:
        (cell, clue), *_ = change.edits
        if clue > 0 and cell not in possible:
            wild = all_changes.clues.copy()
            wild[cell] = UNKNOWN_SIZE
            found = ask.find(changed(puzzle, wild), 1, patience)
            if found is None:
                return False
            possible[cell] = bool(found.shadings)
        if clue > 0 and not possible[cell]:
            return True
        after = changed(puzzle, change.of(all_changes.clues))
        found = ask.find(after, 2, patience)
        if found is not None and found.is_unique:
            rank = (change.kind, all_changes.surprise(change, found.nodes))
            note(repair_of(after, (change,), found.shadings[0], known, rank))
        return found is not None

    left: list[Change] = []
    for (first, last), words in GROUPS.items():
        group = sorted((change for change in changes if first <= change.kind <= last), key=lambda one: one.kind)
        left += ask.settle(group, test, f"changes of one clue ({words})", rounds)
    return left


def repair_of(puzzle: Puzzle, changes: tuple[Change, ...], solution: Shading, known: Shading | None, rank=()) -> Repair:
    cells = grid_of(puzzle.shape).cells(sorted({cell for change in changes for cell, _ in change.edits}))
    what = "; ".join(change.what for change in changes)
    return Repair(puzzle, what, cells, len(changes), solution, (len(changes), not agrees(solution, known), *rank))
