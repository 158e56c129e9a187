"""A compact mixed-integer program through PuLP: one binary a cell and island in reach, connectivity as a flow.

Formulation `flow`, for islands k of size n_k and a board of N cells:

variables
    `sea_r_c` is 1 where the cell is shaded, `own_r_c_k` where it belongs to island k: only for cells that are open and
    that the island can still reach (`Islands.state`). What is decided beforehand is a constant, not a variable. The
    flows are continuous.
cells and islands
    `sea + sum_k own = 1`; of two neighbours, `own_c_k <= sea_d + own_d_k`; `sum_c own = n_k`, and then the sea has
    N - sum n_k cells. A 2x2 block has at most 3 sea cells, two neighbours that may not touch at most 1 together.
islands are connected
    one commodity for each island flows out of its clue and leaves one unit in each cell it owns (Gavish and Graves,
    "The travelling salesman problem and related problems", MIT OR 078-78, 1978). What enters a cell d steps away is at
    most `(n_k - d) * own`, so flow runs through cells of the island alone. Islands of one or two cells need none.
    Two kinds of valid inequalities tighten the relaxation: a cell needs an owned neighbour, and an owned cell in
    each of the layers next to it and next to the clue: the cells d steps from the clue on a short enough path to it.
the sea is connected
    one commodity flows from a cell that is known to be sea. Where none is known, the first sea cell in reading order is
    the root: a binary `from_r_c` turns to 1 there. Every sea cell but the root chooses one neighbour as its parent
    (binary `parent_..`), and flow comes from the parent alone.

With A the number of pairs (cell, island in reach) the islands take about A binaries, 4 A flows, 7 A rows and up to 6 A
layer rows; the sea takes about 9 N variables and 12 N rows more. A 15x15 of 30 islands has some 1500 to 1900 variables
and 2500 to 3400 rows before any deduction. The objective is zero. Each solution is cut off and the model is solved
again; where the number of sea cells is known, it is enough to ask that one cell of its land becomes sea.

PuLP (BSD) hands the model to a solver: HiGHS (MIT) and CBC (EPL 2.0) are the usual ones, GLPK (GPL 3) and others work
where they are installed; commercial ones want their own licence.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

import numpy as np
import pulp

from ..check import violations
from ..constraints import Connected, Islands, NoPool, NoTouch, ShadingModel, Sight
from ..errors import OptionError, SolverError
from ..grid import Cell
from ..puzzles import SHADED, UNDECIDED, UNKNOWN_SIZE, UNSHADED, Puzzle, Shading
from . import _pulp_seam as seam
from .base import LimitReached, Option, Run, as_model, choice

OPTIONS = {
    "formulation": Option("flow", "how connectivity is modelled: flow", ("flow",)),
    "solver": Option(
        None, "a solver that PuLP lists, such as HiGHS, COIN_CMD or GLPK_CMD; None takes the best installed"
    ),
    "solver_options": Option(None, "a dict of arguments for the solver's class in PuLP, such as {'gapRel': 0}"),
}
PRESOLVE = "lookahead"

ROWS_A_POLL = 64  # rows that are added between two looks at the clock
LAYERS = 3  # layer rows of a cell, from the clue and from the cell: with all of them large islands are slow
INTEGRALITY = 0.01  # how far from 0 or 1 the value of a binary may be

Variable = pulp.LpVariable | int  # what is decided beforehand is the constant 0 or 1
Terms = list[tuple[int, Variable]]


def version() -> str:
    return seam.version()


@dataclass(frozen=True)
class Built:
    """A native model: `problem` is a pulp.LpProblem, `cells` maps (row, column) to the variable "shaded".

    A cell that is decided beforehand is a constant, 1 (shaded) or 0, instead of a variable.
    """

    problem: pulp.LpProblem
    cells: dict[Cell, Variable]
    shape: tuple[int, int]

    def decode(self, values: Mapping[str, float] | None = None) -> Shading:
        """The shading in a solution: that of the variables, or `values` by the names of variables.

        Raises SolverError if a value is not 0 or 1 (to 0.01). A variable without a value, which occurs in no row,
        counts as 0.
        """
        cells = np.full(self.shape, UNSHADED)
        for cell, variable in self.cells.items():
            value = variable
            if not isinstance(variable, int):
                value = variable.varValue if values is None else values.get(variable.name)
            if rounded(value):
                cells[cell] = SHADED
        return Shading(cells)


def rounded(value: float | None) -> int:
    """0 or 1 from the value of a binary variable, None (a variable that no row mentions) as 0.

    >>> rounded(0.9999), rounded(-1e-9)
    (1, 0)

    Raises SolverError for anything that is more than 0.01 away from both.
    """
    if value is None:
        return 0
    nearest = round(value) if abs(value) < 2 else -1
    if nearest not in (0, 1) or abs(value - nearest) > INTEGRALITY:
        raise SolverError(f"the solver returned {value} for a variable that is 0 or 1")
    return nearest


def build(puzzle: Puzzle | ShadingModel | str, formulation: str = "flow") -> Built:
    """The LpProblem of a puzzle or its text, for inspection, more constraints, export (`problem.writeLP`) and solving.

    >>> from nurikabe_mip import Nurikabe
    >>> from nurikabe_mip.backends import pulp
    >>> built = pulp.build(Nurikabe(["1.1", "...", "1.1"]))
    >>> built.cells[0, 0], str(built.cells[1, 1]) in ("1", "sea_1_1")
    (0, True)

    Raises OptionError for an unknown formulation and for a constraint that it cannot encode.
    """
    return _Encoder(as_model(puzzle), formulation, Run()).built


def shadings(
    model: ShadingModel, run: Run, formulation: str = "flow", solver: str | None = None, solver_options=None
) -> Iterator[np.ndarray]:
    """Yield every solution of the model.

    Raises OptionError for an unknown formulation, solver or solver option, BackendNotFound for a solver that is not
    installed, SolverError where the solver fails.
    """
    engine = seam.engine(solver, solver_options or {})
    run.stats.formulation, run.stats.solver = formulation, engine.version()
    with run.stats.timed("build"):
        encoder = _Encoder(model, formulation, run)
    if encoder.contradiction:
        return
    problem = encoder.built.problem
    free = [c for c in range(model.grid.size) if not isinstance(encoder.sea[c], int)]
    variables = [encoder.sea[c] for c in free]
    run.stats.variables, run.stats.nonzeros = encoder.variables, encoder.nonzeros
    run.stats.constraints = encoder.rows
    decided = np.array([SHADED if isinstance(x, int) and x else UNSHADED for x in encoder.sea], dtype=np.int8)
    seen: set[bytes] = set()
    while True:
        answer = seam.Answer([None] * len(free))  # what no row restricts is free: no solver needs to be asked
        if encoder.rows:
            run.stats.add(iterations=1)
            with run.stats.timed("solve"):
                answer = engine.solve(problem, variables, run)
            run.stats.solver = engine.version()
            if answer is None:
                return
        values = decided.copy()
        try:
            values[free] = [SHADED if rounded(value) else UNSHADED for value in answer.values]
        except SolverError:
            if answer.proved:
                raise
            raise LimitReached from None
        if not answer.proved and (values.tobytes() in seen or violations(model, values)):
            raise LimitReached  # numbers of a solver at its limit that only look like a solution
        if values.tobytes() in seen:
            raise SolverError(f"{engine.version()} returned a solution that was cut off")
        seen.add(values.tobytes())
        yield values
        with run.stats.timed("build"):
            if not encoder.cut_off(values, free, engine):
                return


class _Encoder:
    """A model of PuLP while it is built: rows of terms over variables and constants.

    `sea` has a variable or a constant for each cell. A row without variables is left out if it holds; one that does
    not hold is the `contradiction`, and the problem gets a row that cannot be met.
    """

    def __init__(self, model: ShadingModel, formulation: str, run: Run):
        encoders = FORMULATIONS[choice("formulation", formulation, FORMULATIONS)]
        for constraint in model.constraints:
            if type(constraint) not in encoders:
                known = ", ".join(kind.__name__ for kind in encoders)
                raise OptionError(
                    f"formulation {formulation!r} of backend 'pulp' cannot encode {type(constraint).__name__}; "
                    f"it encodes {known}"
                )
        self.model, self.grid, self.run = model, model.grid, run
        self.problem = pulp.LpProblem("nurikabe_mip")
        self.problem += seam.linear([])  # a zero objective: any solution will do
        self.variables = self.rows = self.nonzeros = self.cuts = 0
        self.contradiction: str | None = None
        self._names: set[str] = set()
        self.values = self._decided()
        self.sea: list[Variable] = [
            self.binary("sea", c) if value == UNDECIDED else int(value == SHADED) for c, value in enumerate(self.values)
        ]
        for constraint in model.constraints:
            encoders[type(constraint)](constraint, self)
        if self.contradiction:
            never = seam.add_variable(self.problem, "never", 0, 0)
            self.problem.addConstraint(seam.linear([(never, 1)]) >= 1, f"contradiction_{self.contradiction}")
        self.built = Built(self.problem, {self.grid.cell(c): x for c, x in enumerate(self.sea)}, model.shape)

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
        while name in self._names:
            name += "_again"  # a constraint that is listed twice
        self._names.add(name)
        return name

    def binary(self, kind: str, *parts: int | str) -> pulp.LpVariable:
        self.variables += 1
        return seam.add_variable(self.problem, self._unused(self.name(kind, *parts)), 0, 1, pulp.LpBinary)

    def flow(self, most: int, kind: str, *parts: int | str) -> pulp.LpVariable:
        self.variables += 1
        return seam.add_variable(self.problem, self._unused(self.name(kind, *parts)), 0, most)

    def row(self, terms: Terms, sense: str, bound: int, kind: str, *parts: int | str) -> None:
        """Add `sum of coefficient * x <= bound` (or "==", ">=")."""
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
            return
        self.rows += 1
        self.nonzeros += len(pairs)
        name = self._unused(self.name(kind, *parts))
        self.problem.addConstraint(COMPARE[sense](seam.linear(pairs), bound), name)

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

    def cut_off(self, values: np.ndarray, free: list[int], engine: "seam.Engine") -> bool:
        """Forbid a solution; False if there can be no other."""
        land = [c for c in free if values[c] == UNSHADED]
        sea = [c for c in free if values[c] == SHADED]
        if self.land() is not None:
            # another solution has as many sea cells: one of them lies in this land
            terms, bound = [(1, self.sea[c]) for c in land], 1
            changes = bool(land and sea)
        else:
            terms, bound = [(1, self.sea[c]) for c in land] + [(-1, self.sea[c]) for c in sea], 1 - len(sea)
            changes = bool(land or sea)
        if changes:
            self.cuts += 1
            self.row(terms, ">=", bound, f"other_{self.cuts}")
            engine.row_added([(x, coefficient) for coefficient, x in terms], bound)
        return changes


COMPARE: dict[str, Callable] = {
    "<=": lambda terms, bound: terms <= bound,
    "==": lambda terms, bound: terms == bound,
    ">=": lambda terms, bound: terms >= bound,
}


def _no_pool(constraint: NoPool, m: _Encoder) -> None:
    for block in m.grid.blocks.tolist():
        m.row([(1, m.sea[c]) for c in block], "<=", 3, "pool", block[0])


def _no_touch(constraint: NoTouch, m: _Encoder) -> None:
    for c, d in m.grid.edges:
        m.row([(1, m.sea[c]), (1, m.sea[d])], "<=", 1, "touch", c, d)


def _connected(constraint: Connected, m: _Encoder) -> None:
    """A flow from a root over parents; see the head of the module."""
    grid, value = m.grid, constraint.value
    name = "sea" if value == SHADED else "land"
    possible = m.possible(value)
    cells = [c for c in range(grid.size) if possible[c]]
    most, land = len(cells), m.land()
    if land is not None:
        most = min(most, land if value == UNSHADED else grid.size - land)
    if constraint.nonempty:
        m.row([term for c in cells for term in m.holds(c, value)], ">=", 1, f"{name}_nonempty")
    root = next((c for c in cells if isinstance(m.sea[c], int)), None)
    # `at_root` has terms that are 1 in the root and 0 elsewhere, `steps` the least distance from the root
    at_root: dict[int, Terms] = {c: [] for c in cells}
    steps = [1] * grid.size
    if root is None:
        before: Variable = 0
        for c in cells:
            # `from` turns to 1 in the root and stays 1, so the root is the first cell that has the value
            here = m.binary("from", c, name)
            at_root[c] = [(1, here), (-1, before)]
            m.row([(1, before), (-1, here)], "<=", 0, "from_stays", c, name)
            m.row([*m.holds(c, value), (-1, here)], "<=", 0, "from_first", c, name)
            m.row([*at_root[c], *m.holds(c, value, -1)], "<=", 0, "from_here", c, name)
            before = here
    else:
        steps = grid.distances([root], possible, max(most - 1, 0)).tolist()
    into: dict[int, Terms] = {c: [] for c in cells}
    out: dict[int, Terms] = {c: [] for c in cells}
    parents: dict[tuple[int, int], pulp.LpVariable] = {}
    others = [c for c in cells if c != root]
    for c in others:
        room = most - steps[c]  # what enters a cell is for itself and the cells behind it
        if steps[c] < 0 or room <= 0:
            continue
        for d in grid.neighbours[c]:
            if possible[d] and steps[d] >= 0:
                parents[c, d] = m.binary("parent", c, d, name)
                flow = m.flow(room, "flow", d, c, name)
                m.row([(1, flow), (-room, parents[c, d])], "<=", 0, "parent_flow", d, c, name)
                into[c].append((1, flow))
                out[d].append((-1, flow))
    for c in others:
        start: Terms = []
        if root is None:
            start = [(1, m.flow(most, "start", c, name))]
            m.row([*start, *((-most * times, x) for times, x in at_root[c])], "<=", 0, "start_flow", c, name)
        chosen = [(1, parents[c, d]) for d in grid.neighbours[c] if (c, d) in parents]
        m.row([*chosen, *at_root[c], *m.holds(c, value, -1)], "==", 0, "one_parent", c, name)
        m.row([*start, *into[c], *out[c], *m.holds(c, value, -1)], "==", 0, "balance", c, name)
    for c, d in grid.edges:
        if (c, d) in parents and (d, c) in parents:
            both = [(1, parents[c, d]), (1, parents[d, c])]
            m.row([*both, *m.holds(c, value, -1)], "<=", 0, "one_way", c, d, name)
            m.row([*both, *m.holds(d, value, -1)], "<=", 0, "one_way", d, c, name)


def _islands(constraint: Islands, m: _Encoder) -> None:
    grid = m.grid
    state = constraint.state(grid, m.values)
    if state.crowded and not m.contradiction:
        m.contradiction = m.name("crowded", state.crowded[0][0])
    numbered = state.numbered
    least = [max(size, len(component)) for _, size, component in numbered]
    own: list[dict[int, Variable]] = []  # for each island the cells that it can own
    owners: list[list[int]] = [[] for _ in range(grid.size)]
    for k, (_, size, component) in enumerate(numbered):
        m.run.poll()
        reach = state.reach(k).tolist()
        # an island of open size leaves the others at least their share
        room = (size if size != UNKNOWN_SIZE else grid.size - sum(least) + least[k]) - len(component)
        own.append({c: m.binary("own", c, f"k{k}") if step else 1 for c, step in enumerate(reach) if 0 <= step <= room})
        for c in own[k]:
            owners[c].append(k)
        if size != UNKNOWN_SIZE:
            m.row([(1, x) for x in own[k].values()], "==", size, "size", f"k{k}")
        _connected_island(m, f"k{k}", own[k], reach, room, layers=size != UNKNOWN_SIZE)
    for c in range(grid.size):
        m.row([(1, m.sea[c]), *((1, own[k][c]) for k in owners[c])], "==", 1, "partition", c)
        for d in grid.neighbours[c]:
            if not (isinstance(m.sea[d], int) and m.sea[d]):
                for k in owners[c]:
                    terms = [(1, own[k][c]), (-1, m.sea[d]), (-1, own[k].get(d, 0))]
                    m.row(terms, "<=", 0, "apart", c, d, f"k{k}")
    if m.land() is not None:
        m.row([(1, x) for x in m.sea], "==", grid.size - sum(size for _, size in constraint.clues), "sea_size")


def _connected_island(m: _Encoder, k: str, own: dict[int, Variable], reach: list[int], room: int, layers: bool) -> None:
    """Connect the cells that an island owns to its component, which can take `room` more, `reach` steps away."""
    neighbours = m.grid.neighbours
    cells = [c for c in own if reach[c] > 0]
    if all(reach[c] == 1 for c in cells):
        return  # they touch the component
    into: dict[int, Terms] = {c: [] for c in cells}
    out: dict[int, Terms] = {c: [] for c in cells}
    for c in cells:
        most = room - reach[c] + 1  # units that can pass into this cell: for itself and those behind it
        if reach[c] == 1:
            into[c].append((1, m.flow(most, "start", c, k)))
        for d in neighbours[c]:
            if d in into and min(most, room - reach[d]) > 0:
                flow = m.flow(min(most, room - reach[d]), "flow", d, c, k)
                into[c].append((1, flow))
                out[d].append((-1, flow))
    inside = [c in own for c in range(m.grid.size)]
    for c in cells:
        m.row([*into[c], *out[c], (-1, own[c])], "==", 0, "balance", c, k)
        m.row([*into[c], (reach[c] - room - 1, own[c])], "<=", 0, "capacity", c, k)
        if reach[c] == 1:
            continue
        m.row([(1, own[c]), *((-1, own[d]) for d in neighbours[c] if d in own)], "<=", 0, "neighbour", c, k)
        if layers:
            back = m.grid.distances([c], inside, room).tolist()
            for step in sorted({*range(1, reach[c])[:LAYERS], *range(1, reach[c])[-LAYERS:]}):
                layer = [d for d in cells if reach[d] == step and 0 <= back[d] <= room - step]
                m.row([(1, own[c]), *((-1, own[d]) for d in layer)], "<=", 0, "layer", c, f"{k}_{step}")


def _sight(constraint: Sight, m: _Encoder) -> None:
    """`sees_q_c` is 1 exactly where the cell is land and the cell before it is seen from clue cell q."""
    for clue, number in constraint.clues:
        m.row([(1, m.sea[clue])], "==", 0, "clue", clue)
        if number == UNKNOWN_SIZE:
            continue
        visible: Terms = []
        for ray in m.grid.rays(clue):
            before: Variable = 1
            for c in ray[:number]:
                if m.values[c] == SHADED:
                    break
                sees = m.flow(1, "sees", clue, c)
                m.row([(1, sees), (1, m.sea[c])], "<=", 1, "sees_land", clue, c)
                m.row([(1, sees), (-1, before)], "<=", 0, "sees_on", clue, c)
                m.row([(1, sees), (1, m.sea[c]), (-1, before)], ">=", 0, "sees", clue, c)
                visible.append((1, sees))
                before = sees
        m.row(visible, "==", number - 1, "sight", clue)


# a formulation is one encoder for each kind of constraint
FORMULATIONS: dict[str, dict[type, Callable]] = {
    "flow": {NoPool: _no_pool, NoTouch: _no_touch, Connected: _connected, Islands: _islands, Sight: _sight},
}
