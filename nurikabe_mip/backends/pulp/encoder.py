"""A model of PuLP while it is built: rows of terms over variables and constants."""

from collections.abc import Callable, Iterator
from typing import NamedTuple

import numpy as np
import pulp

from ...constraints import Islands, ShadingModel
from ...errors import OptionError
from ...puzzles import SHADED, UNDECIDED, UNKNOWN_SIZE, UNSHADED
from .. import _pulp_seam as seam
from ..base import Run

ROWS_A_POLL = 64  # rows that are added between two looks at the clock

Variable = pulp.LpVariable | int  # what is decided beforehand is the constant 0 or 1
Terms = list[tuple[int, Variable]]


def times(factor: int, terms: Terms) -> Terms:
    """The terms, each times a factor."""
    return [(factor * coefficient, x) for coefficient, x in terms]


class Row(NamedTuple):
    """`sum of coefficient * x`, a sense ("<=", "==", ">=") and a bound; `name` is a kind with places and suffixes."""

    terms: Terms
    sense: str
    bound: int
    name: tuple[int | str, ...]


class Style(NamedTuple):
    """How a formulation is written down; see OPTIONS of the backend."""

    inequalities: frozenset[str]
    separation: str
    max_shapes: int


class Encoder:
    """The problem of a ShadingModel, and what the encoders of the kinds of constraints write into it.

    `sea` has a variable or a constant for each cell. A row without variables is left out if it holds; one that does
    not hold is the `contradiction`, and the problem gets a row that cannot be met. `separators` are functions that an
    encoder appends if its rows do not say all: from flat cell values that meet the rows they make cuts, rows that
    the values break and every solution meets.
    """

    def __init__(self, model: ShadingModel, formulation: str, encoders: dict[type, Callable], style: Style, run: Run):
        for constraint in model.constraints:
            if type(constraint) not in encoders:
                known = ", ".join(kind.__name__ for kind in encoders)
                raise OptionError(
                    f"formulation {formulation!r} of backend 'pulp' cannot encode {type(constraint).__name__}; "
                    f"it encodes {known}"
                )
        self.model, self.grid, self.style, self.run = model, model.grid, style, run
        self.problem = pulp.LpProblem("nurikabe_mip")
        self.problem += seam.linear([])  # a zero objective: any solution will do
        self.variables = self.rows = self.nonzeros = self.cuts = 0
        self.contradiction: str | None = None
        self.separators: list[Callable[[list[int]], Iterator[Row]]] = []
        self._names: dict[str, int] = {}
        self.values = self._decided()
        self.sea: list[Variable] = [
            self.binary("sea", c) if value == UNDECIDED else int(value == SHADED) for c, value in enumerate(self.values)
        ]
        for constraint in model.constraints:
            encoders[type(constraint)](constraint, self)
        if self.contradiction:
            never = seam.add_variable(self.problem, "never", 0, 0)
            self.problem.addConstraint(seam.linear([(never, 1)]) >= 1, f"contradiction_{self.contradiction}")

    def _decided(self) -> list[int]:
        """The fixed cells, with clue cells unshaded and cells that no island reaches shaded."""
        values = self.model.fixed.copy()
        for constraint in self.model.constraints:
            if isinstance(constraint, Islands):
                for clue, _ in constraint.clues:
                    if values[clue] == SHADED:
                        self.contradiction = self.contradiction or self.name("clue", clue)
                    values[clue] = UNSHADED
        for constraint in self.model.constraints:
            if isinstance(constraint, Islands):
                state = constraint.state(self.grid, values)
                reached = np.zeros(self.grid.size, dtype=bool)
                for number in range(len(state.numbered)):
                    self.run.poll()
                    reached |= state.reach(number) >= 0
                values[~reached & (values == UNDECIDED)] = SHADED
        return values.tolist()

    def name(self, kind: str, *parts: int | str) -> str:
        """`kind` with places and suffixes: cell indices become `row_column`."""
        places = ("_".join(map(str, self.grid.cell(part))) if isinstance(part, int) else part for part in parts)
        return "_".join((kind, *places))

    def _unused(self, name: str) -> str:
        """The name, with a number from its second use on: a constraint that is listed twice, a cut like another."""
        number = self._names.get(name, 0) + 1
        self._names[name] = number
        return name if number == 1 else self._unused(f"{name}_{number}")

    def binary(self, kind: str, *parts: int | str) -> pulp.LpVariable:
        return self._variable(1, pulp.LpBinary, kind, *parts)

    def continuous(self, most: int, kind: str, *parts: int | str) -> pulp.LpVariable:
        return self._variable(most, pulp.LpContinuous, kind, *parts)

    def _variable(self, most: int, category: str, *name: int | str) -> pulp.LpVariable:
        self.variables += 1
        return seam.add_variable(self.problem, self._unused(self.name(*name)), 0, most, category)

    def row(self, terms: Terms, sense: str, bound: int, kind: str, *parts: int | str) -> tuple[list, str, int] | None:
        """Add `sum of coefficient * x <= bound` (or "==", ">="); what was added, without constants."""
        if self.rows % ROWS_A_POLL == 0:
            self.run.poll()
        coefficients: dict[pulp.LpVariable, int] = {}
        for coefficient, x in terms:
            if isinstance(x, int):
                bound -= coefficient * x
            else:
                coefficients[x] = coefficients.get(x, 0) + coefficient
        pairs = [(x, coefficient) for x, coefficient in coefficients.items() if coefficient]
        if not pairs:
            holds = {"<=": bound >= 0, "==": bound == 0, ">=": bound <= 0}[sense]
            if not holds and not self.contradiction:
                self.contradiction = self.name(kind, *parts)
            return None
        self.rows += 1
        self.nonzeros += len(pairs)
        name = self._unused(self.name(kind, *parts))
        self.problem.addConstraint(COMPARE[sense](seam.linear(pairs), bound), name)
        return pairs, sense, bound

    def holds(self, c: int, value: int, times: int = 1) -> Terms:
        """`times` if the cell has the value, else 0."""
        return [(times, self.sea[c])] if value == SHADED else [(times, 1), (-times, self.sea[c])]

    def possible(self, value: int) -> list[bool]:
        """For each cell whether it can have the value."""
        return [not isinstance(x, int) or x == (value == SHADED) for x in self.sea]

    def land(self) -> int | None:
        """The number of unshaded cells, None if the clues leave it open."""
        for constraint in self.model.constraints:
            if isinstance(constraint, Islands) and all(size != UNKNOWN_SIZE for _, size in constraint.clues):
                return sum(size for _, size in constraint.clues)
        return None

    def separate(self, values: list[int]) -> list[Row]:
        """The cuts that flat cell values break; none if they are a solution."""
        return [row for separator in self.separators for row in separator(values)]

    def other_than(self, values: np.ndarray) -> Row | None:
        """What forbids a solution; None if there can be no other."""
        free = [c for c, x in enumerate(self.sea) if not isinstance(x, int)]
        land = [c for c in free if values[c] == UNSHADED]
        sea = [c for c in free if values[c] == SHADED]
        self.cuts += 1
        name = (f"other_{self.cuts}",)
        if self.land() is not None:
            # another solution has as many sea cells: one of them lies in this land
            return Row([(1, self.sea[c]) for c in land], ">=", 1, name) if land and sea else None
        terms = [(1, self.sea[c]) for c in land] + [(-1, self.sea[c]) for c in sea]
        return Row(terms, ">=", 1 - len(sea), name) if terms else None


COMPARE: dict[str, Callable] = {
    "<=": lambda terms, bound: terms <= bound,
    "==": lambda terms, bound: terms == bound,
    ">=": lambda terms, bound: terms >= bound,
}
