"""Judge an answer by the rules, and name the mistakes that a puzzle shows before any search."""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import singledispatch
from itertools import takewhile

import numpy as np

from .constraints import Connected, Islands, IslandState, NoPool, NoTouch, ShadingModel, Sight
from .formats import read
from .grid import Cell, Grid
from .puzzles import SHADED, UNDECIDED, UNKNOWN_SIZE, UNSHADED, Puzzle, Shading, answer_of

OPPOSITE = {SHADED: UNSHADED, UNSHADED: SHADED}
NAMES = {SHADED: "shaded", UNSHADED: "unshaded"}


@dataclass(frozen=True)
class Violation:
    """One rule broken in one place.

    `rule` is the rule's short name (R1 to R5 for Nurikabe, K1 to K4 for Kuromasu), `message` a sentence, `cells` every
    cell to point at; what else is set depends on the rule: `clue` (its cell), `minimum` and `maximum` (the sizes, or
    the numbers of cells seen, that were still possible), `components` (the cells of each offending component),
    `shaded` (shaded cells that may not be).
    """

    rule: str
    message: str
    cells: tuple[Cell, ...] = ()
    clue: Cell | None = None
    minimum: int | None = None
    maximum: int | None = None
    components: tuple[tuple[Cell, ...], ...] = ()
    shaded: tuple[Cell, ...] = ()

    def __str__(self):
        return f"{self.rule}: {self.message}"


@dataclass(frozen=True)
class Mistake:
    """Why a puzzle cannot have a solution, seen from its clues alone; `cells` are the clue cells to blame."""

    name: str
    message: str
    cells: tuple[Cell, ...]

    def __str__(self):
        return self.message


def check(puzzle: Puzzle | str, shading: Shading | str) -> list[Violation]:
    """The rules that an answer breaks, none if it is right so far; the puzzle may be anything that `read` takes.

    A finished answer is a solution exactly if the list is empty. In a partial answer an undecided cell can still
    become either, and only what can no longer be mended is reported: `Shading.finished()` makes such cells unshaded
    first, as people do who only mark the sea. Undecided clue cells count as unshaded. Raises PuzzleError if the
    shapes differ.

    >>> from nurikabe_mip import Nurikabe
    >>> [str(violation) for violation in check(Nurikabe(["1.1", "...", "1.1"]), "-#-/###/-##".replace("/", " "))]
    ['R5: the numbered cell at row 3, column 3 is shaded', 'R4: the 2x2 block at row 2, column 2 is all shaded']
    """
    puzzle = read(puzzle)
    answer = answer_of(puzzle, shading)
    return violations(ShadingModel.of(puzzle), answer.cells.ravel())


def violations(model: ShadingModel, values: np.ndarray) -> list[Violation]:
    """The same for a model and a flat array of cell values."""
    values = values.tolist()
    return [violation for constraint in model.constraints for violation in _check(constraint, model.grid, values)]


def _place(grid: Grid, index: int) -> str:
    row, column = grid.cell(index)
    return f"row {row + 1}, column {column + 1}"


def _sizes(minimum: int, maximum: int) -> str:
    cells = "cell" if maximum == 1 else "cells"
    return f"{minimum} {cells}" if minimum == maximum else f"{minimum} to {maximum} cells"


@singledispatch
def _check(constraint, grid: Grid, values: list[int]) -> Iterable[Violation]:
    raise TypeError(f"no check for {constraint!r}")


@_check.register
def _(constraint: NoPool, grid, values):
    for block in grid.blocks.tolist():
        a, b, c, d = block
        if values[a] == values[b] == values[c] == values[d] == SHADED:
            cells = grid.cells(block)
            yield Violation("R4", f"the 2x2 block at {_place(grid, block[0])} is all shaded", cells, shaded=cells)


@_check.register
def _(constraint: NoTouch, grid, values):
    for c, d in grid.edges:
        if values[c] == values[d] == SHADED:
            cells = grid.cells((c, d))
            message = f"two shaded cells touch at {_place(grid, c)} and {_place(grid, d)}"
            yield Violation("K2", message, cells, shaded=cells)


@_check.register
def _(constraint: Connected, grid, values):
    value = constraint.value
    rule = "R3" if value == SHADED else "K3"
    if constraint.nonempty and OPPOSITE[value] in values and values.count(OPPOSITE[value]) == grid.size:
        yield Violation(rule, f"no cell is {NAMES[value]}")
        return
    possible = grid.components([v != OPPOSITE[value] for v in values])
    used = [[c for c in component if values[c] == value] for component in possible]
    parts = [part for part in used if part]
    if len(parts) > 1:
        # on a finished answer these are the components; before, the parts that can no longer meet
        components = tuple(grid.cells(part) for part in parts)
        smallest = min(components, key=len)
        message = f"the {NAMES[value]} cells fall into {len(parts)} parts that cannot be connected"
        yield Violation(rule, message, smallest, components=components)


@_check.register
def _(constraint: Islands, grid, values):
    for clue, _size in constraint.clues:
        if values[clue] == SHADED:
            message = f"the numbered cell at {_place(grid, clue)} is shaded"
            yield Violation("R5", message, (grid.cell(clue),), clue=grid.cell(clue))
    state = IslandState(constraint, grid, values)
    finished = UNDECIDED not in values
    for component in state.crowded:
        cells = grid.cells(component)
        clues = [_place(grid, c) for c in component if c in state.size_of]
        message = f"one island holds {len(clues)} numbers, at {' and '.join(clues)}"
        yield Violation("R2", message, cells, components=(cells,))
    held: list[np.ndarray] = []
    crowded = {c for component in state.crowded for c in component}
    for number, (clue, size, component) in enumerate(state.numbered):
        reach = None
        if state.loose:
            reach = state.reach(number) >= 0
            held.append(reach)
        if size == UNKNOWN_SIZE or clue in crowded:
            continue
        minimum = len(component)
        maximum = minimum if finished else int((state.reach(number, limited=False) >= 0).sum())
        if minimum <= size <= maximum:
            continue
        message = f"the island of the {size} at {_place(grid, clue)} {'has' if finished else 'can have'} "
        message += _sizes(minimum, maximum)
        yield Violation("R1", message, grid.cells(component), grid.cell(clue), minimum, maximum)
    for component in state.loose:
        if not any(reach[component].all() for reach in held):
            cells = grid.cells(component)
            message = f"no number can belong to the island at {_place(grid, component[0])}"
            yield Violation("R2", message, cells, components=(cells,))


@_check.register
def _(constraint: Sight, grid, values):
    finished = UNDECIDED not in values
    for clue, number in constraint.clues:
        if values[clue] == SHADED:
            message = f"the numbered cell at {_place(grid, clue)} is shaded"
            yield Violation("K4", message, (grid.cell(clue),), clue=grid.cell(clue))
            continue
        if number == UNKNOWN_SIZE:
            continue
        view = constraint.in_view(grid, values, clue)
        totals = {1}
        for _, numbers in view:
            totals = {total + seen for total in totals for seen in numbers}
        if number in totals:
            continue
        minimum, maximum = min(totals), max(totals)
        message = f"the {number} at {_place(grid, clue)} {'sees' if finished else 'can see'} "
        message += _sizes(minimum, maximum) + (f", but not {number}" if minimum < number < maximum else "")
        cells = {clue}.union(*(takewhile(lambda c: values[c] == UNSHADED, ray) for ray, _ in view))
        yield Violation("K1", message, grid.cells(sorted(cells)), grid.cell(clue), minimum, maximum)


def named_mistakes(puzzle: Puzzle | str) -> list[Mistake]:
    """The mistakes in the clues that rule every solution out at sight.

    For islands: two numbers side by side, numbers that add up to more cells than the board has, and numbers that
    cover the whole board and leave no sea. A `?` counts as one cell.
    For sight: a number above rows + columns - 1, one that the numbered cells beside it already exceed, and a 1 where
    there are cells beyond its neighbours (a 1 has a solution on 1x1 and 1x2 boards and in the middle of a 1x3).

    >>> from nurikabe_mip import Nurikabe
    >>> [str(mistake) for mistake in named_mistakes(Nurikabe(["2.", "3."]))]
    ['the numbers at row 1, column 1 and row 2, column 1 are side by side: their islands would merge', \
'the numbers add up to 5 cells and the board has 4']
    """
    model = ShadingModel.of(read(puzzle))
    return [mistake for constraint in model.constraints for mistake in _mistakes(constraint, model.grid)]


@singledispatch
def _mistakes(constraint, grid: Grid) -> Iterable[Mistake]:
    return ()


@_mistakes.register
def _(constraint: Islands, grid):
    sizes = dict(constraint.clues)
    for c, d in grid.edges:
        if c in sizes and d in sizes:
            message = f"the numbers at {_place(grid, c)} and {_place(grid, d)} are side by side"
            yield Mistake("side_by_side", f"{message}: their islands would merge", grid.cells((c, d)))
    total = sum(max(size, 1) for size in sizes.values())
    if total > grid.size:
        message = f"the numbers add up to {total} cells and the board has {grid.size}"
        yield Mistake("too_many_cells", message, grid.cells(sizes))
    elif total == grid.size:
        message = f"the numbers cover all {total} cells of the board and leave no sea"
        yield Mistake("no_sea", message, grid.cells(sizes))


@_mistakes.register
def _(constraint: Sight, grid):
    numbers = dict(constraint.clues)
    furthest = grid.rows + grid.columns - 1
    for c, number in numbers.items():
        place = f"the {number} at {_place(grid, c)}"
        if number > furthest:
            message = f"{place} is more than the {furthest} cells of its row and column"
            yield Mistake("out_of_sight", message, grid.cells((c,)))
            continue
        beside = [d for ray in grid.rays(c) for d in takewhile(numbers.__contains__, ray)]
        if UNKNOWN_SIZE < number < len(beside) + 1:
            message = f"{place} sees at least {len(beside) + 1} cells, for numbered cells stay unshaded"
            yield Mistake("sees_too_much", message, grid.cells(sorted([c, *beside])))
        elif number == 1 and len(grid.neighbours[c]) + 1 < grid.size:
            yield Mistake("walled_in", f"{place} would be cut off by the shaded cells around it", grid.cells((c,)))
