"""Mixed-integer programs through PuLP: formulations by name, handed to any solver that PuLP lists.

Every formulation has a binary `sea_r_c` for each open cell, and binaries for what each island has: `own_r_c_k` for a
cell in its reach, or `shape_k_i` for each shape that it can take; see `common` for these, for the separation of islands
and for valid inequalities. They differ in how they connect an island's cells, and the sea:

=============== ============================================================ ===========================================
formulation     connectivity                                                 size, N cells, A pairs (cell, island)
=============== ============================================================ ===========================================
`flow`          a flow from each clue, one more for the sea                  A + N binaries, 4 A + 4 N flows
`arborescence`  the same along chosen arcs                                   5 A + 5 N binaries, 4 A + 4 N flows
`levels`        parents of a lower level                                     A + 9 N binaries, 2 N levels
`lazy`          separator cuts from each wrong incumbent, solved again       A + N binaries
`lazy-callback` the same cuts inside one search tree (SCIP)                  A + N binaries
`shapes`        a binary for each shape of each island; arcs for the sea     shapes + 5 N binaries, 4 N flows
`mixed`         `shapes` for islands that have few, `arborescence` for       between those two
                the others and the sea
=============== ============================================================ ===========================================

The modules `flow`, `levels`, `lazy` and `shapes` describe them with their sources. `mixed` is the default: where flows
need a tree of thousands of nodes its relaxation often needs none.

The objective is zero. After a solution, `second="cut"` forbids it by a no-good cut and solves again (where the number
of sea cells is known, it is enough to ask that one cell of its land becomes sea). `second="difference"` maximises the
number of cells that differ from the first solution, which is 0 if there is no other; the first solution starts that
solve where the solver takes a start, and the statistics have its bounds.

PuLP (BSD) hands the model to a solver: HiGHS (MIT) and CBC (EPL 2.0) are the usual ones, SCIP (Apache 2.0), GLPK
(GPL 3) and others work where they are installed; commercial ones want their own licence.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import partial

import numpy as np
import pulp

from ...check import violations
from ...constraints import Connected, Islands, NoPool, NoTouch, ShadingModel, Sight
from ...errors import OptionError, SolverError
from ...grid import Cell
from ...puzzles import SHADED, UNSHADED, Puzzle, Shading
from .. import _pulp_seam as seam
from ..base import LimitReached, Option, Run, as_model, choice, whole
from . import flow, lazy, levels, shapes
from .common import INEQUALITIES, SEPARATIONS, connected, islands, no_pool, no_touch, sight
from .encoder import Encoder, Row, Style, Variable


def _formulation(connect_islands: Callable, connect_all: Callable, listed: Callable | None = None):
    return {
        NoPool: no_pool,
        NoTouch: no_touch,
        Sight: sight,
        Connected: partial(connected, connect=connect_all),
        Islands: partial(islands, connect=connect_islands, listed=listed),
    }


_arcs_of_islands = partial(flow.connect_islands, arcs=True)
_arcs_of_all = partial(flow.connect_all, arcs=True)
# a formulation is one encoder for each kind of constraint
FORMULATIONS: dict[str, dict[type, Callable]] = {
    "flow": _formulation(flow.connect_islands, flow.connect_all),
    "arborescence": _formulation(_arcs_of_islands, _arcs_of_all),
    "levels": _formulation(levels.connect_islands, levels.connect_all),
    "lazy": _formulation(lazy.connect_islands, lazy.connect_all),
    "lazy-callback": _formulation(lazy.connect_islands, lazy.connect_all),
    "shapes": _formulation(_arcs_of_islands, _arcs_of_all, shapes.all_shapes),
    "mixed": _formulation(_arcs_of_islands, _arcs_of_all, shapes.few_shapes),
}
IN_TREE = {"lazy-callback": "SCIP_PY"}  # formulations whose cuts go into a search tree, and the solver that takes them
SECONDS = ("cut", "difference")
OPTIONS = {
    "formulation": Option("mixed", f"how connectivity is modelled: {', '.join(FORMULATIONS)}", tuple(FORMULATIONS)),
    "solver": Option(
        None, "a solver that PuLP lists, such as HiGHS, COIN_CMD or GLPK_CMD; None takes the best installed"
    ),
    "solver_options": Option(None, "a dict of arguments for the solver's class in PuLP, such as {'gapRel': 0}"),
    "inequalities": Option(INEQUALITIES, f"a tuple of the valid inequalities to add, of {', '.join(INEQUALITIES)}"),
    "separation": Option("clique", f"how islands are kept apart: {', '.join(SEPARATIONS)}", tuple(SEPARATIONS)),
    "second": Option("cut", f"how a second solution is looked for: {', '.join(SECONDS)}", SECONDS),
    "max_shapes": Option(20_000, "shapes of all islands together at most, for formulation 'shapes'"),
}
PRESOLVE = "lookahead"
INTEGRALITY = 0.01  # how far from 0 or 1 the value of a binary may be


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


def build(
    puzzle: Puzzle | ShadingModel | str,
    formulation: str = "mixed",
    inequalities: tuple[str, ...] = INEQUALITIES,
    separation: str = "clique",
    max_shapes: int = 20_000,
) -> Built:
    """The LpProblem of a puzzle or its text, for inspection, more constraints, export (`problem.writeLP`) and solving.

    >>> from nurikabe_mip import Nurikabe
    >>> from nurikabe_mip.backends import pulp
    >>> built = pulp.build(Nurikabe(["1.1", "...", "1.1"]))
    >>> built.cells[0, 0], str(built.cells[1, 1]) in ("1", "sea_1_1")
    (0, True)

    A solution of a lazy formulation need not be one of the puzzle: it says nothing of connectivity. Raises OptionError
    for an unknown name, a constraint that the formulation cannot encode, and too many shapes.
    """
    try:
        encoder = _encoder(as_model(puzzle), formulation, inequalities, separation, max_shapes, Run())
    except LimitReached as limit:
        raise OptionError(str(limit)) from None
    cells = {encoder.grid.cell(c): x for c, x in enumerate(encoder.sea)}
    return Built(encoder.problem, cells, encoder.model.shape)


@dataclass(frozen=True, eq=False)
class Relaxation:
    """The linear relaxation of a model: `values` has how far each cell is shaded, shape (rows, columns), from 0 to 1.

    `values` is None if the relaxation is infeasible, which proves that there is no solution. `bound` is its optimum
    where there is an objective: so many cells at most can differ from a given solution.
    """

    values: np.ndarray | None
    bound: float | None = None

    @property
    def is_feasible(self) -> bool:
        return self.values is not None

    @property
    def fractional(self) -> int:
        """The number of cells that are neither 0 nor 1 (to 0.01); 0 if the relaxation is infeasible."""
        return 0 if self.values is None else int((np.abs(self.values - self.values.round()) > INTEGRALITY).sum())


def relaxation(
    puzzle: Puzzle | ShadingModel | str,
    formulation: str = "mixed",
    inequalities: tuple[str, ...] = INEQUALITIES,
    separation: str = "clique",
    max_shapes: int = 20_000,
    other_than: Shading | None = None,
) -> Relaxation:
    """Solve the linear relaxation of a model, by HiGHS.

    With `other_than`, a solution, the objective is the number of cells that differ from it, to be maximised.

    >>> from nurikabe_mip import solve
    >>> from nurikabe_mip.backends import pulp
    >>> puzzle = "nurikabe:4x4:.,.,.,.,.,8,.,.,.,.,.,.,1,.,.,2"
    >>> solution = solve(puzzle).solution
    >>> for formulation in ("levels", "flow", "mixed"):
    ...     bound = pulp.relaxation(puzzle, formulation, other_than=solution).bound
    ...     print(formulation, round(abs(bound), 3))  # 0 proves that there is no other solution
    levels 3.0
    flow 2.0
    mixed 0.0

    Raises OptionError, BackendNotFound and SolverError as `shadings` does.
    """
    model = as_model(puzzle)
    encoder = _encoder(model, formulation, inequalities, separation, max_shapes, Run())
    search = _Search(encoder, seam.engine("HiGHS", {"mip": False}), Run())
    most = 0
    if other_than is not None:
        most = search.differ_from(other_than.cells.ravel())
    values = np.where(search.decided == SHADED, 1.0, 0.0)
    bound = 0.0
    if encoder.rows or encoder.contradiction:
        answer = search.engine.solve(encoder.problem, search.variables, search.run)
        if answer is None:
            return Relaxation(None)
        values[search.free] = [value or 0.0 for value in answer.values]
        bound = sum(
            coefficient * (value or 0.0) for coefficient, value in zip(search.signs, answer.values, strict=True)
        )
    return Relaxation(values.reshape(model.shape), None if other_than is None else most - bound)


def check_options(formulation, solver, solver_options, inequalities, separation, second, max_shapes) -> None:
    """Raise OptionError for an unknown solver or inequality, for solver options that are no dict, and for a solver that
    does not suit the formulation; BackendNotFound for a solver that is not installed.
    """
    needed = IN_TREE.get(formulation)
    if needed and solver not in (None, needed):
        raise OptionError(f"formulation {formulation!r} needs the solver {needed}; got {solver!r}")
    if (solver, needed, solver_options) != (None, None, None):
        seam.engine(solver or needed, {} if solver_options is None else solver_options)
    _names(inequalities)
    whole("max_shapes", max_shapes)


def _names(inequalities) -> list[str]:
    """The valid inequalities asked for; a text has them with commas between."""
    names = [name for name in inequalities.split(",") if name] if isinstance(inequalities, str) else list(inequalities)
    for name in names:
        choice("inequalities", name, INEQUALITIES)
    return names


def shadings(
    model: ShadingModel,
    run: Run,
    formulation: str = "mixed",
    solver: str | None = None,
    solver_options=None,
    inequalities: tuple[str, ...] = INEQUALITIES,
    separation: str = "clique",
    second: str = "cut",
    max_shapes: int = 20_000,
) -> Iterator[np.ndarray]:
    """Yield every solution of the model.

    Raises BackendNotFound for a solver that is not installed, SolverError where the solver fails.
    """
    needed = IN_TREE.get(formulation)
    engine = seam.engine(solver or needed, solver_options or {})
    run.stats.formulation, run.stats.solver = formulation, engine.version()
    with run.stats.timed("build"):
        encoder = _encoder(model, formulation, inequalities, separation, max_shapes, run)
        search = _Search(encoder, engine, run)
        if needed:
            engine.separate = search.separate
    while (values := search.next()) is not None:
        yield values
        with run.stats.timed("build"):
            if not search.look_further(values, second):
                return


def _encoder(
    model: ShadingModel, formulation: str, inequalities, separation: str, max_shapes: int, run: Run
) -> Encoder:
    encoders = FORMULATIONS[choice("formulation", formulation, FORMULATIONS)]
    style = Style(frozenset(_names(inequalities)), choice("separation", separation, SEPARATIONS), max_shapes)
    return Encoder(model, formulation, encoders, style, run)


class _Search:
    """The loop around a solver: cuts from wrong incumbents, and what keeps the solutions found so far away."""

    def __init__(self, encoder: Encoder, engine: seam.Engine, run: Run):
        self.encoder, self.engine, self.run = encoder, engine, run
        self.free = [c for c, x in enumerate(encoder.sea) if not isinstance(x, int)]
        self.variables = [encoder.sea[c] for c in self.free]
        self.decided = np.array([SHADED if isinstance(x, int) and x else UNSHADED for x in encoder.sea], dtype=np.int8)
        self.seen: list[np.ndarray] = []
        self.first: np.ndarray | None = None  # the solution that others shall differ from, while it is not forbidden
        self.signs = [0] * len(self.free)  # the objective's coefficients
        self.warm = False  # whether the last solution of the solver is one of the problem as it is now
        run.stats.variables, run.stats.constraints = encoder.variables, encoder.rows
        run.stats.nonzeros = encoder.nonzeros

    def next(self) -> np.ndarray | None:
        """The next solution as flat cell values; None for the proof that there are no more."""
        encoder, engine, run = self.encoder, self.engine, self.run
        while not encoder.contradiction:
            answer = seam.Answer([None] * len(self.free))  # what no row restricts is free: no solver needs to be asked
            if encoder.rows:
                run.stats.add(iterations=1)
                with run.stats.timed("solve"):
                    answer = self._solve()
                run.stats.solver = engine.version()
                if answer is None:
                    return None
            values = self._values(answer)
            if self.first is not None:
                self._note_bounds(answer, values)
                if answer.proved and (values == self.first).all():
                    return None  # nothing differs more
            cuts = encoder.separate(values.tolist())
            if cuts and answer.proved:
                self._cut(cuts)
                continue
            is_old = any((values == old).all() for old in self.seen)
            if not answer.proved and (is_old or violations(encoder.model, values)):
                raise LimitReached  # numbers of a solver at its limit that only look like a solution
            if is_old:
                raise SolverError(f"{engine.version()} returned a solution that was cut off")
            self.seen.append(values)
            return values
        return None

    def _solve(self) -> seam.Answer | None:
        warm, self.warm = self.warm, False
        try:
            answer = self.engine.solve(self.encoder.problem, self.variables, self.run, warm)
        except LimitReached:
            if self.encoder.contradiction:  # a cut in the tree said that there is no solution
                return None
            raise
        return None if self.encoder.contradiction else answer

    def _values(self, answer: seam.Answer) -> np.ndarray:
        values = self.decided.copy()
        try:
            values[self.free] = [SHADED if rounded(value) else UNSHADED for value in answer.values]
        except SolverError:
            if answer.proved:
                raise
            raise LimitReached from None
        return values

    def _note_bounds(self, answer: seam.Answer, values: np.ndarray) -> None:
        stats, difference = self.run.stats, int((values != self.first).sum())
        most = int((self.first[self.free] == SHADED).sum())
        if answer.root_bound is not None and stats.root_bound is None:
            stats.root_bound = most - answer.root_bound
        stats.bound = most - answer.bound if answer.bound is not None else float(difference) if answer.proved else None
        if stats.root_bound is not None:
            stats.root_gap = stats.root_bound - difference

    def _add(self, row: Row) -> None:
        added = self.encoder.row(row.terms, row.sense, row.bound, *row.name)
        if added:
            self.engine.row_added(*added)

    def _cut(self, cuts: list[Row]) -> None:
        self.run.stats.add(cuts=len(cuts))
        for row in cuts:
            self._add(row)

    def separate(self, values: list[float], add: bool) -> bool:
        """Whether the values of an incumbent are a solution; if not, cuts go in if `add`."""
        cuts = self.encoder.separate(self._values(seam.Answer(values)).tolist())
        if add and cuts:
            self._cut(cuts)
        return not cuts

    def look_further(self, values: np.ndarray, second: str) -> bool:
        """Look for another solution than these values from now on; false if there can be none."""
        row = self.encoder.other_than(values)
        if row is None:
            return False
        if second == "difference" and len(self.seen) == 1:
            self.differ_from(values)
            self.first, self.warm = values, True
            return True
        if self.first is not None:
            self._add(self.encoder.other_than(self.first))
            self.first = None
        self._add(row)
        return True

    def differ_from(self, values: np.ndarray) -> int:
        """Maximise the number of cells that differ from the values, as sea cells of it less the objective; these."""
        self.signs = [1 if values[c] == SHADED else -1 for c in self.free]
        pairs = list(zip(self.variables, self.signs, strict=True))
        seam.set_objective(self.encoder.problem, pairs)
        self.engine.objective_changed(pairs)
        return self.signs.count(1)
