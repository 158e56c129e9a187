"""Say why each step of a deduction is right, from the board as it was before the step."""

from collections.abc import Iterator

import numpy as np

from ..constraints import Islands, IslandState, nurikabe
from ..grid import grid_of
from ..puzzles import SHADED, UNDECIDED, UNKNOWN_SIZE, UNSHADED
from .deduction import Deduction, Move
from .techniques import TECHNIQUES, Step

NAMES = {SHADED: "sea", UNSHADED: "land"}


def explained(deduction: Deduction) -> Iterator[Step]:
    """The steps of a deduction with their reasons."""
    values = deduction.start.ravel().copy()
    for move in deduction.moves:
        yield _Board(deduction, values).step(move)
        values[list(move.cells)] = move.value


class _Board:
    """The board before a step; cells are flat indices here."""

    def __init__(self, deduction: Deduction, values: np.ndarray):
        self.deduction = deduction
        self.grid = grid_of(deduction.clues.shape)
        self.clues = deduction.clues.ravel()
        self.values = values.copy()

    @property
    def islands(self) -> IslandState:
        islands = next(c for c in nurikabe(self.deduction.clues) if isinstance(c, Islands))
        return islands.state(self.grid, self.values.tolist())

    def step(self, move: Move) -> Step:
        because, clues, text, *refuted = getattr(self, f"_{move.name}")(move)
        cells = self.grid.cells
        because, clues = cells(sorted(set(because))), cells(sorted(set(clues)))
        return Step(move.name, cells(move.cells), move.value, because, clues, text, **dict(*refuted))

    # words

    def place(self, c: int) -> str:
        row, column = self.grid.cell(c)
        return f"row {row + 1}, column {column + 1}"

    def number(self, clue: int) -> str:
        size = "?" if self.clues[clue] == UNKNOWN_SIZE else self.clues[clue]
        return f"the {size} at {self.place(clue)}"

    # geometry

    def beside(self, c: int, value: int) -> list[int]:
        return [d for d in self.grid.neighbours[c] if self.values[d] == value]

    def group(self, c: int) -> list[int]:
        """The group of c, which is decided."""
        member = self.values == self.values[c]
        return np.flatnonzero(self.grid.distances([c], member) >= 0).tolist()

    def group_with_way_out(self, c: int, value: int) -> list[int]:
        """A group beside the open cell c that has no other way out, the first one in the order of the groups."""
        groups = sorted(self.group(d) for d in self.beside(c, value))
        for group in groups:
            clues = [d for d in group if self.clues[d]]
            if any(self.clues[d] in (UNKNOWN_SIZE, len(group)) for d in clues):
                continue
            if {e for d in group for e in self.beside(d, UNDECIDED)} == {c}:
                return group
        raise AssertionError("no group has this cell as its only way out")

    # one method a technique: cells it follows from, clue cells, sentence, and what else a Step has of a refutation

    def _island_complete(self, move: Move):
        wanted = set(move.cells)
        for d in self.beside(move.cells[0], UNSHADED):
            group = self.group(d)
            clues = [c for c in group if self.clues[c] == len(group)]
            if clues and {e for c in group for e in self.beside(c, UNDECIDED)} == wanted:
                size = len(group)
                has = "has its one cell" if size == 1 else f"has all its {size} cells"
                number = self.number(clues[0])
                return group, clues, f"The island of {number} {has}, so the open cells around it are sea."
        raise AssertionError("no full island has these cells around it")

    def _all_complete(self, move: Move):
        clues = np.flatnonzero(self.clues).tolist()
        land = np.flatnonzero(self.values == UNSHADED).tolist()
        if not clues:
            return (), (), "There is no number, so there is no island and every open cell is sea."
        return land, clues, "Every island is complete, so every open cell is sea."

    def _separate_clues(self, move: Move):
        (c,) = move.cells
        land = self.beside(c, UNSHADED)
        clues = {e for d in land for e in self.group(d) if self.clues[e]}
        *first, last = map(self.number, sorted(clues))
        numbers = f"{', '.join(first)} and {last}"
        return land, clues, f"{self.place(c).capitalize()} touches the islands of {numbers}, so it is sea between them."

    def _no_pool(self, move: Move):
        (c,) = move.cells
        for block in self.grid.blocks.tolist():
            others = [d for d in block if d != c]
            if c in block and all(self.values[d] == SHADED for d in others):
                place = self.place(block[0])
                text = f"The other three cells of the 2x2 block at {place} are sea, so {self.place(c)} is land."
                return others, (), text
        raise AssertionError("no block has this cell as its last")

    def _island_exit(self, move: Move):
        (c,) = move.cells
        group = self.group_with_way_out(c, UNSHADED)
        clues = [d for d in group if self.clues[d]]
        if clues:
            grows = f"The island of {self.number(clues[0])} has {len(group)} so far and must grow"
        else:
            grows = f"The land at {self.place(group[0])} must still reach a number"
        return group, clues, f"{grows}; its one way out is {self.place(c)}."

    def _sea_exit(self, move: Move):
        (c,) = move.cells
        group = self.group_with_way_out(c, SHADED)
        text = f"The sea at {self.place(group[0])} must join the other sea; its one way out is {self.place(c)}."
        return group, (), text

    def _unreachable(self, move: Move):
        (c,) = move.cells
        islands = self.islands
        nearest = None
        for number, (clue, size, component) in enumerate(islands.numbered):
            distance = int(islands.reach(number, limited=False)[c])
            if distance > 0 and size > len(component):
                short = distance - (size - len(component))
                if nearest is None or short < nearest[0]:
                    nearest = short, distance, size - len(component), clue, component
        place = self.place(c)
        if nearest is None:
            clues = np.flatnonzero(self.clues).tolist()
            return (), clues, f"No island that can still grow has a way to {place}, so it is sea."
        _, distance, left, clue, component = nearest
        text = f"No island reaches {place}: that of {self.number(clue)} can grow by {left} and would need {distance}."
        return component, (clue,), text

    def _forced(self, move: Move):
        (c,) = move.cells
        assumed = -move.value
        values = self.values.copy()
        values[c] = assumed
        inner = self.deduction.assume(values)
        violation = inner.violation
        counted = sum(TECHNIQUES[step.technique].level != "bookkeeping" for step in inner.moves)
        after = "at once" if not inner.moves else f"after {counted} step{'s' * (counted != 1)}"
        # what the broken rule and the steps before it rest on, as far as it stood before the assumption
        used = {*violation.cells, *sum(violation.components, ())}
        if violation.clue is not None:
            used.add(violation.clue)
        for step in inner.steps:
            used.update(step.because, step.clues)
        if not used:  # it takes them all to see that no cell is sea
            used.update(self.grid.cells(range(self.grid.size)))
        because = [d for d in map(self.grid.index, used) if self.values[d] != UNDECIDED]
        clues = [d for d in because if self.clues[d]]
        text = (
            f"If {self.place(c)} were {NAMES[assumed]}, a rule would break {after}: {violation.message}. "
            f"So it is {NAMES[move.value]}."
        )
        refutation = inner if inner.moves else None
        return because, clues, text, {"assumed": assumed, "rule": violation.rule, "refutation": refutation}

    _short_contradiction = _contradiction = _forced
