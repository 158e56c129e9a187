"""CP-SAT: one full model, connectivity by reachability from a root.

Every cell has a Boolean `sea_r_c` (shaded). An island k of the clue in cell q has a Boolean `own_r_c_k` for each cell
that it can still reach, a clue of sight in cell q a Boolean `sees_q_r_c` for each cell of its row and column that is
not too far. Formulations differ in how a chosen set of cells is made connected:

`layers`
    islands: `near_r_c_k_t` says that the cell can be reached from the clue inside the island in at most t steps; each
    needs a neighbour that is near in t - 1. There are at most size - distance layers for a cell, so the model grows
    with the sum over islands of size x reach. The sea: ranks. Where unshaded cells are connected as a whole: flow, for
    on sets as large as these ranks are now and then raised one by one, without end. This is the default.
`ranks`
    islands and sea: every cell but the root chooses a parent among its neighbours, and its integer rank is larger
    than the parent's (Miller, Tucker and Zemlin 1960). About four Booleans and one integer a cell and island.
`circuit`
    islands: layers. The sea: Booleans `tree_r_c_r_c` choose a spanning tree, and CP-SAT's circuit constraint runs once
    around it. Each cell has four corners; at a side without a tree edge the way turns to the next corner of the cell,
    at a side with one it crosses to the neighbour, so that there is one circuit exactly if the edges are one tree (a
    spanning tree of a grid and the Hamiltonian cycle of the grid refined by two are the same thing).
`flow`
    islands and sea: a unit of an integer flow from the root for every other chosen cell (Gavish and Graves 1978).

Measured on 31 real puzzles without presolve, two cores, limit 4 s: `layers` solves all in 2.7 s. With the parameter
`linearization_level` 0 it is 2.6 s and with 2 it is 6.2 s, without probing 3.4 s, without symmetry 2.7 s. Threads do
not help on models this small: 2.8 s with two, 3.2 s with eight. After look-ahead, of the 123 puzzles of 556 that took
some search, `layers` solves all in 16.5 s and `circuit` all but two within 10 s each; without presolve `circuit` has
the better tail.

Places count from 0 at the top left, and islands are k0, k1, … in the order of their clues, row by row: `own_3_4_k2`
says that row 3, column 4 belongs to the third island.

A sea without a cell known to be in it takes its first cell as the root. Solver: OR-Tools CP-SAT (Apache 2.0). After
each solution a clause forbids it and the model is solved again; CP-SAT keeps nothing from one solve to the next.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import partial, singledispatchmethod

import numpy as np
import ortools
from ortools.sat.python import cp_model

from ..constraints import Connected, Islands, NoPool, NoTouch, ShadingModel, Sight
from ..errors import OptionError, SolverError
from ..grid import Cell
from ..puzzles import SHADED, UNKNOWN_SIZE, UNSHADED, Puzzle, Shading
from .base import LimitReached, Option, Run, as_model, choice

FORMULATIONS = ("layers", "circuit", "ranks", "flow")
OPTIONS = {
    "formulation": Option("layers", f"how connectivity is modelled: {', '.join(FORMULATIONS)}", FORMULATIONS),
    "parameters": Option(None, "a dict of CP-SAT parameters set last, such as {'linearization_level': 2}"),
}
PRESOLVE = "lookahead"


def version() -> str:
    return f"CP-SAT {ortools.__version__}"


@dataclass(frozen=True)
class Built:
    """A native model: `problem` is a CpModel, `cells` maps (row, column) to the Boolean "shaded"."""

    problem: cp_model.CpModel
    cells: dict[Cell, cp_model.IntVar]
    shape: tuple[int, int]

    def decode(self, values: Mapping[str, float] | Callable[[cp_model.IntVar], float]) -> Shading:
        """The shading in a solution: `values` by the names of variables, or a function such as `CpSolver.value`.

        A name without a value counts as 0, as files of solutions may leave zeros out.
        """
        value = values if callable(values) else lambda variable: values.get(variable.name, 0)
        cells = np.full(self.shape, UNSHADED)
        for cell, variable in self.cells.items():
            if round(value(variable)):
                cells[cell] = SHADED
        return Shading(cells)


def build(puzzle: Puzzle | ShadingModel | str, formulation: str = "layers") -> Built:
    """The CpModel of a puzzle, for inspection, more constraints, export (`problem.export_to_file`) and solving.

    >>> from nurikabe_mip import Nurikabe
    >>> from nurikabe_mip.backends import cpsat
    >>> from ortools.sat.python import cp_model
    >>> built = cpsat.build(Nurikabe(["1.1", "...", "1.1"]))
    >>> solver = cp_model.CpSolver()
    >>> solver.solve(built.problem) == cp_model.OPTIMAL
    True
    >>> print(built.decode(solver.value))
    -#-
    ###
    -#-
    """
    model = as_model(puzzle)
    encoder = _Encoder(model, choice("formulation", formulation, FORMULATIONS), Run())
    return Built(encoder.problem, {model.grid.cell(c): v for c, v in enumerate(encoder.sea)}, model.shape)


def check_options(formulation: str, parameters: dict | None) -> None:
    """Raise OptionError for parameters that CP-SAT does not have, or that cannot have such a value."""
    if not isinstance(parameters, dict | None):
        raise OptionError(f"parameters is a dict of CP-SAT parameters; got {parameters!r}")
    known = cp_model.CpSolver().parameters
    for name, value in (parameters or {}).items():
        if not hasattr(known, name):
            raise OptionError(f"CP-SAT has no parameter {name!r}")
        try:
            setattr(known, name, value)
        except (TypeError, ValueError) as error:
            raise OptionError(f"CP-SAT parameter {name}: {error}") from None


def shadings(model: ShadingModel, run: Run, formulation: str, parameters: dict | None) -> Iterator[np.ndarray]:
    """Yield every solution of the model."""
    with run.stats.timed("build"):
        encoder = _Encoder(model, formulation, run)
    problem, sea = encoder.problem, encoder.sea
    run.stats.formulation, run.stats.solver = formulation, version()
    run.stats.variables = len(problem.proto.variables)
    run.stats.constraints = len(problem.proto.constraints)
    while True:
        with run.stats.timed("solve"):
            values = _solve(problem, sea, run, parameters or {})
        if values is None:
            return
        yield values
        # the fixed cells are the same in all solutions
        problem.add_bool_or(sea[c] if values[c] == UNSHADED else ~sea[c] for c in model.free)


def _solve(problem: cp_model.CpModel, sea: list, run: Run, parameters: dict) -> np.ndarray | None:
    """One solution as flat cell values, or None for the proof that there is none."""
    solver = cp_model.CpSolver()
    solver.parameters.num_workers = run.threads
    solver.parameters.random_seed = run.seed
    solver.parameters.catch_sigint_signal = False  # its own handler would replace Python's
    if run.time_limit is not None:
        solver.parameters.max_time_in_seconds = max(run.remaining, 0.001)
    if run.log:
        solver.parameters.log_search_progress = True
        solver.parameters.log_to_stdout = False
        solver.log_callback = run.write
    for name, value in parameters.items():
        setattr(solver.parameters, name, value)
    status = run.native(partial(solver.solve, problem), solver.stop_search)
    run.stats.add(iterations=1, nodes=solver.num_branches, conflicts=solver.num_conflicts)
    if status in (cp_model.OPTIMAL, cp_model.FEASIBLE):
        return np.array([SHADED if solver.boolean_value(v) else UNSHADED for v in sea], dtype=np.int8)
    if status == cp_model.INFEASIBLE:
        return None
    if status == cp_model.MODEL_INVALID:
        what = problem.validate() or f"a parameter that is out of its range: {solver.parameters}"
        raise SolverError(f"CP-SAT refuses the model: {what}")
    raise LimitReached


class _Encoder:
    """The CpModel of a ShadingModel: `problem`, and the Boolean `sea[c]` of each cell."""

    def __init__(self, model: ShadingModel, formulation: str, run: Run):
        self.model, self.grid, self.run = model, model.grid, run
        self.problem = cp_model.CpModel()
        self.connect_islands, self.connect_sea, self.connect_land = {
            "layers": (self._connect_layers, self._connect_ranks, self._connect_flow),
            "circuit": (self._connect_layers, self._connect_circuit, self._connect_circuit),
            "ranks": (self._connect_ranks, self._connect_ranks, self._connect_ranks),
            "flow": (self._connect_flow, self._connect_flow, self._connect_flow),
        }[formulation]
        self.sea = [self.problem.new_bool_var(f"sea_{self._place(c)}") for c in range(self.grid.size)]
        self.problem.add_bool_and(
            self.sea[c] if value == SHADED else ~self.sea[c] for c, value in enumerate(model.fixed) if value
        )
        for constraint in model.constraints:
            self.encode(constraint)

    def _place(self, c: int) -> str:
        return "_".join(map(str, self.grid.cell(c)))

    @singledispatchmethod
    def encode(self, constraint):
        kind = type(constraint).__name__
        raise OptionError(f"backend 'cpsat' cannot encode the constraint {kind}")

    @encode.register
    def _(self, constraint: NoPool):
        for block in self.grid.blocks.tolist():
            self.problem.add_bool_or(~self.sea[c] for c in block)

    @encode.register
    def _(self, constraint: NoTouch):
        for c, d in self.grid.edges:
            self.problem.add_bool_or(~self.sea[c], ~self.sea[d])

    @encode.register
    def _(self, constraint: Connected):
        problem = self.problem
        chosen = [v if constraint.value == SHADED else ~v for v in self.sea]
        possible = [c for c in range(self.grid.size) if self.model.fixed[c] != -constraint.value]
        if constraint.nonempty:
            problem.add_bool_or(chosen[c] for c in possible)
        known = [c for c in possible if self.model.fixed[c] == constraint.value]
        name = "sea" if constraint.value == SHADED else "white"
        roots = known[:1] or possible
        is_root = {c: problem.new_bool_var(f"root_{self._place(c)}_{name}") for c in roots}
        if known:
            problem.add_bool_and(is_root.values())
        else:
            # the first chosen cell is the root; without any there is none
            earlier = problem.new_constant(0)
            for c in roots:
                problem.add_bool_and(chosen[c], ~earlier).only_enforce_if(is_root[c])
                problem.add_bool_or(is_root[c], ~chosen[c], earlier)
                upto = problem.new_bool_var(f"upto_{self._place(c)}_{name}")
                problem.add_max_equality(upto, [earlier, chosen[c]])
                earlier = upto
        connect = self.connect_sea if constraint.value == SHADED else self.connect_land
        connect(name, {c: chosen[c] for c in possible}, is_root, self._largest(constraint))

    def _largest(self, connected: Connected) -> int:
        """The most cells that can have the value of `connected`."""
        sizes = [
            size for islands in self.model.constraints if isinstance(islands, Islands) for _, size in islands.clues
        ]
        land = sum(max(size, 1) for size in sizes)
        return max(self.grid.size - land, 1) if connected.value == SHADED else self.grid.size

    @encode.register
    def _(self, constraint: Islands):
        problem, grid, sea = self.problem, self.grid, self.sea
        state = constraint.state(grid, self.model.fixed.tolist())
        owners: list[dict[int, cp_model.IntVar]] = [{} for _ in range(grid.size)]
        for k, (clue, size, _) in enumerate(state.numbered):
            self.run.poll()
            reach = state.reach(k) >= 0
            distance = grid.distances([clue], reach, None if size == UNKNOWN_SIZE else size - 1)
            own = {int(c): problem.new_bool_var(f"own_{self._place(c)}_k{k}") for c in np.flatnonzero(distance >= 0)}
            for c, variable in own.items():
                owners[c][k] = variable
            problem.add_bool_and(own[clue])
            if size != UNKNOWN_SIZE:
                problem.add(cp_model.LinearExpr.sum(list(own.values())) == size)
            largest = size if size != UNKNOWN_SIZE else len(own)
            if distance.max() > 1:
                self.connect_islands(f"k{k}", own, {clue: own[clue]}, largest)
        if all(size != UNKNOWN_SIZE for _, size in constraint.clues):
            problem.add(cp_model.LinearExpr.sum(sea) == grid.size - sum(size for _, size in constraint.clues))
        for c in range(grid.size):
            problem.add_exactly_one(sea[c], *owners[c].values())
            for d in grid.neighbours[c]:
                # a neighbour of an island's cell is sea or of the same island
                for k, variable in owners[c].items():
                    same = [owners[d][k]] if k in owners[d] else []
                    problem.add_bool_or(~variable, sea[d], *same)

    @encode.register
    def _(self, constraint: Sight):
        problem, sea = self.problem, self.sea
        for clue, number in constraint.clues:
            self.run.poll()
            problem.add_bool_and(~sea[clue])
            if number == UNKNOWN_SIZE:
                continue
            visible = []
            for ray in self.grid.rays(clue):
                before = ~sea[clue]
                for c in ray[:number]:
                    # seen exactly if it is land and the cell before it is seen
                    sees = problem.new_bool_var(f"sees_{self._place(clue)}_{self._place(c)}")
                    problem.add_bool_or(sees, sea[c], ~before)
                    problem.add_implication(sees, before)
                    problem.add_implication(sees, ~sea[c])
                    visible.append(sees)
                    before = sees
            problem.add(cp_model.LinearExpr.sum(visible) == number - 1)

    def _connect_layers(self, name: str, chosen: dict, is_root: dict, largest: int):
        """Each chosen cell is reached from the root in at most `largest` - 1 steps, a layer of Booleans a step."""
        problem, grid = self.problem, self.grid
        member = [c in chosen for c in range(grid.size)]
        distance = grid.distances(is_root, member).tolist()
        last = min(largest, len(chosen)) - 1
        previous: dict[int, object] = dict(is_root)
        for step in range(1, last + 1):
            self.run.poll()
            layer = {}
            for c, variable in chosen.items():
                if c in is_root:
                    layer[c] = variable
                elif 0 <= distance[c] <= step:
                    final = step == last
                    near = variable if final else problem.new_bool_var(f"near_{self._place(c)}_{name}_{step}")
                    support = [previous[d] for d in grid.neighbours[c] if d in previous]
                    problem.add_bool_or(~near, *support)
                    if not final:
                        problem.add_implication(near, variable)
                    layer[c] = near
            previous = layer

    def _connect_ranks(self, name: str, chosen: dict, is_root: dict, largest: int):
        """Each chosen cell but the root has a chosen parent of a lower rank among its neighbours."""
        problem, grid = self.problem, self.grid
        rank = {c: problem.new_int_var(0, max(largest - 1, 0), f"rank_{self._place(c)}_{name}") for c in chosen}
        for c, variable in chosen.items():
            self.run.poll()
            arcs = []
            for d in grid.neighbours[c]:
                if d in chosen:
                    arc = problem.new_bool_var(f"parent_{self._place(c)}_{self._place(d)}_{name}")
                    problem.add_implication(arc, chosen[d])
                    problem.add(rank[c] >= rank[d] + 1).only_enforce_if(arc)
                    arcs.append(arc)
            root = [is_root[c]] if c in is_root else []
            problem.add_exactly_one(~variable, *arcs, *root)
            for literal in root:
                problem.add(rank[c] == 0).only_enforce_if(literal)
            problem.add(rank[c] == 0).only_enforce_if(~variable)

    def _connect_flow(self, name: str, chosen: dict, is_root: dict, largest: int):
        """The root sends one unit to every other chosen cell, through chosen cells only."""
        problem, grid = self.problem, self.grid
        most = max(largest - 1, 0)
        into: dict[int, list] = {c: [] for c in chosen}
        out: dict[int, list] = {c: [] for c in chosen}
        for c in chosen:
            self.run.poll()
            for d in grid.neighbours[c]:
                if d in chosen and not (len(is_root) == 1 and d in is_root):
                    flow = problem.new_int_var(0, most, f"flow_{self._place(c)}_{self._place(d)}_{name}")
                    out[c].append(flow)
                    into[d].append(flow)
        for c, variable in chosen.items():
            received, sent = cp_model.LinearExpr.sum(into[c]), cp_model.LinearExpr.sum(out[c])
            problem.add(sent <= most * variable)
            if c in is_root:
                problem.add(received <= most * (1 - is_root[c]))
                problem.add(received - sent == 1 * variable).only_enforce_if(~is_root[c])
            else:
                problem.add(received - sent == 1 * variable)

    def _connect_circuit(self, name: str, chosen: dict, is_root: dict, largest: int):
        """One circuit runs around a spanning tree of the chosen cells; there is no need of a root."""
        problem, grid = self.problem, self.grid
        tree = {}
        for c, d in grid.edges:
            if c in chosen and d in chosen:
                edge = problem.new_bool_var(f"tree_{self._place(c)}_{self._place(d)}_{name}")
                problem.add_implication(edge, chosen[c])
                problem.add_implication(edge, chosen[d])
                tree[c, d] = tree[d, c] = edge
        arcs = []
        for c, variable in chosen.items():
            self.run.poll()
            row, column = grid.cell(c)
            sides = ((row - 1, column), (row, column + 1), (row + 1, column), (row, column - 1))
            for side, (r, k) in enumerate(sides):
                # clockwise: along each side from the corner `side` to the next, or over to the neighbour's corner
                here, following = 4 * c + side, 4 * c + (side + 1) % 4
                arcs.append((here, here, ~variable))
                d = grid.index((r, k)) if 0 <= r < grid.rows and 0 <= k < grid.columns else None
                edge = tree.get((c, d))
                if edge is None:
                    arcs.append((here, following, variable))
                    continue
                stays = problem.new_bool_var(f"along_{self._place(c)}_{side}_{name}")
                problem.add_bool_and(variable, ~edge).only_enforce_if(stays)
                problem.add_bool_or(stays, ~variable, edge)
                arcs.append((here, following, stays))
                arcs.append((here, 4 * d + (side + 3) % 4, edge))
        problem.add_circuit(arcs)
