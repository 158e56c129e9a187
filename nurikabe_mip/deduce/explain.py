"""Say why each step of a deduction is right, from the board as it was before the step."""

from collections.abc import Iterator
from itertools import takewhile

import numpy as np

from ..check import Violation
from ..constraints import Islands, IslandState, Sight, nurikabe
from ..grid import Cell, grid_of
from ..puzzles import SHADED, UNDECIDED, UNKNOWN_SIZE, UNSHADED
from .deduction import Deduction, Move
from .techniques import Step

DIRECTIONS = ("above", "to the left", "to the right", "below")


def _cells(number: int) -> str:
    return "1 cell" if number == 1 else f"{number} cells"


def explained(deduction: Deduction) -> Iterator[Step]:
    """The steps of a deduction with their reasons."""
    values = deduction.start.ravel().copy()
    board = BOARDS[deduction.profile.genre]
    for move in deduction.moves:
        yield board(deduction, values).step(move)
        values[list(move.cells)] = move.value


class _Board:
    """The board before a step; cells are flat indices here.

    A genre has a method for each technique: cells it follows from, clue cells, sentence, and what else a Step has of a
    refutation.
    """

    def __init__(self, deduction: Deduction, values: np.ndarray):
        self.deduction = deduction
        self.grid = grid_of(deduction.clues.shape)
        self.clues = deduction.clues.ravel()
        self.values = values.copy()

    def step(self, move: Move) -> Step:
        because, clues, text, *refuted = getattr(self, f"_{move.name}")(move)
        cells = self.grid.cells
        because, clues = cells(sorted(set(because))), cells(sorted(set(clues)))
        word = self.deduction.profile.words[move.value]
        return Step(move.name, cells(move.cells), move.value, because, clues, text, word, **dict(*refuted))

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

    # refutations, the same in all genres

    def _forced(self, move: Move):
        (c,) = move.cells
        assumed = -move.value
        techniques, words = self.deduction.profile.techniques, self.deduction.profile.words
        values = self.values.copy()
        values[c] = assumed
        inner = self.deduction.assume(values)
        violation = inner.violation
        counted = sum(techniques[step.technique].level != "bookkeeping" for step in inner.moves)
        after = "at once" if not inner.moves else f"after {counted} step{'s' * (counted != 1)}"
        # what the broken rule and the steps before it rest on, as far as it stood before the assumption
        used = self.rests_on(violation, inner.values.ravel())
        for step in inner.steps:
            used.update(step.because, step.clues)
        if not used:  # it takes them all to see that no cell is sea
            used.update(self.grid.cells(range(self.grid.size)))
        because = [d for d in map(self.grid.index, used) if self.values[d] != UNDECIDED]
        clues = [d for d in because if self.clues[d]]
        text = (
            f"If {self.place(c)} were {words[assumed]}, a rule would break {after}: {violation.message}. "
            f"So it is {words[move.value]}."
        )
        refutation = inner if inner.moves else None
        return because, clues, text, {"assumed": assumed, "rule": violation.rule, "refutation": refutation}

    _short_contradiction = _contradiction = _forced

    def rests_on(self, violation: Violation, values: np.ndarray) -> set[Cell]:
        """The cells that a broken rule rests on, where it is broken."""
        used = {*violation.cells, *sum(violation.components, ())}
        return used if violation.clue is None else used | {violation.clue}


class _NurikabeBoard(_Board):
    @property
    def islands(self) -> IslandState:
        islands = next(c for c in nurikabe(self.deduction.clues) if isinstance(c, Islands))
        return islands.state(self.grid, self.values.tolist())

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


class _KuromasuBoard(_Board):
    def view(self, clue: int) -> list[tuple[range, list[int]]]:
        return Sight.in_view(self.grid, self.values.tolist(), clue)

    def seen(self, ray: range) -> list[int]:
        """The white cells at the beginning of a direction."""
        return list(takewhile(lambda c: self.values[c] == UNSHADED, ray))

    def decided(self, clue: int) -> list[int]:
        """The decided cells that a clue may see, one more than it should, and where its sight ends for sure."""
        furthest = max(int(self.clues[clue]), 1)
        near = (c for ray, numbers in self.view(clue) for c in ray[: min(numbers[-1] + 1, furthest)])
        return [c for c in near if self.values[c] != UNDECIDED]

    def open_cells(self, cells) -> tuple[int, ...]:
        return tuple(sorted(c for c in cells if self.values[c] == UNDECIDED))

    @property
    def numbers(self) -> list[tuple[int, int]]:
        """Clue cells and how many other cells each sees."""
        return [(int(c), int(self.clues[c]) - 1) for c in np.flatnonzero(self.clues > 0)]

    def rests_on(self, violation, values):
        used = super().rests_on(violation, values)
        model = _KuromasuBoard(self.deduction, values)
        if violation.rule == "K1":
            used.update(self.grid.cells(model.decided(self.grid.index(violation.clue))))
        if violation.components:
            used.update(self.grid.cells(model.walls(self.grid.index(min(violation.components, key=len)[0]))))
        return used

    def walls(self, c: int, without: int | None = None) -> list[int]:
        """The black cells around all that cell c can be connected with, not through cell `without`."""
        passable = self.values != SHADED
        if without is not None:
            passable[without] = False
        inside = np.flatnonzero(self.grid.distances([c], passable) >= 0).tolist()
        return [e for d in inside for e in self.beside(d, SHADED)]

    def _beside_black(self, move: Move):
        for d in self.beside(move.cells[0], SHADED):
            if set(self.beside(d, UNDECIDED)) == set(move.cells):
                return [d], (), f"{self.place(d).capitalize()} is black, so no cell beside it is."
        raise AssertionError("no black cell has these open neighbours")

    def _sight_complete(self, move: Move):
        for clue, wanted in self.numbers:
            rays = [(ray, self.seen(ray)) for ray in self.grid.rays(clue)]
            ends = [ray[len(seen)] for ray, seen in rays if len(seen) < len(ray)]
            seen = [c for _, cells in rays for c in cells]
            if len(seen) == wanted and self.open_cells(ends) == move.cells:
                text = f"{self.number(clue).capitalize()} sees {_cells(wanted + 1)}, so its sight ends there."
                return seen, [clue], text
        raise AssertionError("no clue that sees its number ends here")

    def _sight_needs(self, move: Move):
        for clue, wanted in self.numbers:
            view = self.view(clue)
            most = sum(numbers[-1] for _, numbers in view)
            for direction, (ray, numbers) in zip(DIRECTIONS, view, strict=True):
                others = most - numbers[-1]
                if self.open_cells(ray[: max(wanted - others, 0)]) == move.cells:
                    ends = [r[n[-1]] for r, n in view if r is not ray and n[-1] < len(r)]
                    text = f"{self.number(clue).capitalize()} sees at most {_cells(others)} in the other directions, "
                    text += f"besides its own, so at least {_cells(wanted - others)} {direction}."
                    return ends, [clue], text
        raise AssertionError("no clue needs these cells")

    def _sight_too_far(self, move: Move):
        (c,) = move.cells
        values = self.values.copy()
        values[c] = UNSHADED
        joined = _KuromasuBoard(self.deduction, values)
        for clue, wanted in self.numbers:
            seen = [d for ray in self.grid.rays(clue) for d in joined.seen(ray)]
            if c in seen and len(seen) > wanted:
                text = f"If {self.place(c)} were white, {self.number(clue)} would see {len(seen) + 1} cells."
                return [d for d in seen if d != c], [clue], f"{text} So it is black."
        raise AssertionError("no clue would see too much")

    def _sight_splits(self, move: Move):
        white = move.value == UNSHADED
        for clue, wanted in self.numbers:
            view = self.view(clue)
            for side, (direction, (ray, numbers)) in enumerate(zip(DIRECTIONS, view, strict=True)):
                rest = {0}
                for _, others in view[:side] + view[side + 1 :]:
                    rest = {total + seen for total in rest for seen in others}
                ways = [seen for seen in numbers if wanted - seen in rest]
                least = min(ways)
                shown = ray[:least] if white else ray[least : least + (len(ways) == 1)]
                if self.open_cells(shown) == move.cells:
                    text = f"In every way to see {wanted + 1} cells, {self.number(clue)} sees "
                    text += f"{'at least' if white else 'exactly'} {least} of them {direction}."
                    return self.decided(clue), [clue], text
        raise AssertionError("no clue has these cells in all its ways")

    def _keeps_together(self, move: Move):
        (c,) = move.cells
        member = self.values != SHADED
        member[c] = False
        parts = [[d for d in part if self.values[d] == UNSHADED] for part in self.grid.components(member.tolist())]
        first, second = sorted(filter(None, parts), key=len)[:2]
        text = f"If {self.place(c)} were black, the white cells at {self.place(first[0])} and "
        text += f"{self.place(second[0])} could not be connected. So it is white."
        return [first[0], second[0], *self.walls(first[0], c)], (), text


BOARDS = {"nurikabe": _NurikabeBoard, "kuromasu": _KuromasuBoard}
