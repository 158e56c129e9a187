"""Mixed-integer programs through PuLP: formulations by name, handed to any solver that PuLP lists.

Every formulation has a binary `sea_r_c` for each open cell, and all but `shapes` a binary `own_r_c_k` for each island
in reach of it; see `common` for these, the separation of islands and the valid inequalities. They differ in how they
connect an island's cells, and the sea:

=============== ============================================================ ===========================================
formulation     connectivity                                                 size, for N cells and A (cell, island) pairs
=============== ============================================================ ===========================================
`flow`          a flow from each clue, one more for the sea                  A + N binaries, 4 A + 4 N flows
`arborescence`  the same on chosen arcs                                      5 A + 5 N binaries, 4 A + 4 N flows
`levels`        parents of a lower level                                     A + 9 N binaries, 2 N levels
`lazy`          separator cuts from each wrong incumbent, solved again       A + N binaries
`lazy-callback` the same cuts inside one search tree (SCIP)                  A + N binaries
`shapes`        one binary for each shape of each island, a flow for the sea N + shapes binaries, 4 N flows
=============== ============================================================ ===========================================

The modules `flow`, `levels`, `lazy` and `shapes` describe them with their sources. The objective is zero. After the
first solution, `second="cut"` forbids it by a no-good cut and solves again (where the number of sea cells is known, it
is enough to ask that one cell of its land becomes sea); `second="difference"` maximises the number of cells that differ
from the first, which is 0 if there is no other. The first solution starts that solve where the solver takes a start,
and the statistics have its bounds.

PuLP (BSD) hands the model to a solver: HiGHS (MIT) and CBC (EPL 2.0) are the usual ones, SCIP (Apache 2.0), GLPK
(GPL 3) and others work where they are installed; commercial ones want their own licence.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import partial

import numpy as np
import pulp

from ...check import violations
from ...constraints import Connected, Islands, NoPool, NoTouch, ShadingModel
from ...errors import OptionError, SolverError
from ...grid import Cell
from ...puzzles import SHADED, UNSHADED, Puzzle, Shading
from .. import _pulp_seam as seam
from ..base import LimitReached, Option, Run, as_model, choice
from . import flow, lazy, levels, shapes
from .common import INEQUALITIES, SEPARATIONS, connected, islands, no_pool, no_touch
from .encoder import Encoder, Style, Variable


def _formulation(island: Callable, everything: Callable, listed: Callable | None = None) -> dict[type, Callable]:
    return {
        NoPool: no_pool,
        NoTouch: no_touch,
        Connected: partial(connected, connect=everything),
        Islands: partial(islands, connect=island, listed=listed),
    }


ARCS_ISLANDS=partial(flow.connect_islands, arcs=True)
ARCS=partial(flow.connect_all, arcs=True)


# a formulation is one encoder for each kind of constraint
FORMULATIONS: dict[str, dict[type, Callable]] = {
    "flow": _formulation(flow.connect_islands, flow.connect_all),
    "arborescence": _formulation(partial(flow.connect_islands, arcs=True), partial(flow.connect_all, arcs=True)),
    "levels": _formulation(levels.connect_islands, levels.connect_all),
    "lazy": _formulation(lazy.connect_islands, lazy.connect_all),
    "lazy-callback": _formulation(lazy.connect_islands, lazy.connect_all),
    "shapes": _formulation(flow.connect_islands, ARCS, shapes.all_shapes),
    "mixed": _formulation(ARCS_ISLANDS, ARCS, shapes.few_shapes),
    "mixedflow": _formulation(flow.connect_islands, ARCS, shapes.few_shapes),
    "mixedlazy": _formulation(lazy.connect_islands, ARCS, shapes.few_shapes),
}
for a in list(FORMULATIONS):
    for b in list(FORMULATIONS):
        FORMULATIONS[a+"/"+b]={**FORMULATIONS[a],Connected:FORMULATIONS[b][Connected]}
SECONDS = ("cut", "difference")
OPTIONS = {
    "formulation": Option("flow", f"how connectivity is modelled: {', '.join(FORMULATIONS)}", tuple(FORMULATIONS)),
    "solver": Option(
        None, "a solver that PuLP lists, such as HiGHS, COIN_CMD or GLPK_CMD; None takes the best installed"
    ),
    "solver_options": Option(None, "a dict of arguments for the solver's class in PuLP, such as {'gapRel': 0}"),
    "inequalities": Option(INEQUALITIES, f"which valid inequalities are added: any of {', '.join(INEQUALITIES)}"),
    "separation": Option("clique", f"how islands are kept apart: {', '.join(SEPARATIONS)}", tuple(SEPARATIONS)),
    "second": Option("cut", f"how a second solution is looked for: {', '.join(SECONDS)}", SECONDS),
    "max_shapes": Option(20_000, "formulation 'shapes': shapes of all islands together at most"),
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


def _encoder(model: ShadingModel, formulation: str, inequalities, separation: str, max_shapes: int, run: Run) -> Encoder:
    encoders = FORMULATIONS[choice("formulation", formulation, FORMULATIONS)]
    for inequality in inequalities:
        choice("inequalities", inequality, INEQUALITIES)
    style = Style(frozenset(inequalities), choice("separation", separation, SEPARATIONS), max_shapes)
    return Encoder(model, formulation, encoders, style, run)


def build(
    puzzle: Puzzle | ShadingModel | str,
    formulation: str = "flow",
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

    Raises OptionError for an unknown formulation and for a constraint that it cannot encode.
    """
    encoder = _encoder(as_model(puzzle), formulation, inequalities, separation, max_shapes, Run())
    cells = {encoder.grid.cell(c): x for c, x in enumerate(encoder.sea)}
    return Built(encoder.problem, cells, encoder.model.shape)


def shadings(
    model: ShadingModel,
    run: Run,
    formulation: str = "flow",
    solver: str | None = None,
    solver_options=None,
    inequalities: tuple[str, ...] = INEQUALITIES,
    separation: str = "clique",
    second: str = "cut",
    max_shapes: int = 20_000,
) -> Iterator[np.ndarray]:
    """Yield every solution of the model.

    Raises OptionError for an unknown formulation, solver or solver option, BackendNotFound for a solver that is not
    installed, SolverError where the solver fails.
    """
    if formulation.startswith("lazy-callback"):
        solver = solver or "SCIP_PY"
    engine = seam.engine(solver, solver_options or {})
    run.stats.formulation, run.stats.solver = formulation, engine.version()
    with run.stats.timed("build"):
        encoder = _encoder(model, formulation, inequalities, separation, max_shapes, run)
        search = _Search(encoder, engine, run, formulation.startswith("lazy-callback"))
    while (values := search.next()) is not None:
        yield values
        with run.stats.timed("build"):
            if not search.look_for_another(values, second):
                return


class _Search:
    """The loop around a solver: cuts for wrong incumbents, and what forbids the solutions so far."""

    def __init__(self, encoder: Encoder, engine: seam.Engine, run: Run, in_tree: bool):
        self.encoder, self.engine, self.run = encoder, engine, run
        free = [c for c, x in enumerate(encoder.sea) if not isinstance(x, int)]
        self.free, self.variables = free, [encoder.sea[c] for c in free]
        self.decided = np.array([SHADED if isinstance(x, int) and x else UNSHADED for x in encoder.sea], dtype=np.int8)
        self.seen: list[np.ndarray] = []
        self.maximising = False
        run.stats.variables, run.stats.constraints = encoder.variables, encoder.rows
        run.stats.nonzeros = encoder.nonzeros
        if in_tree:
            engine.separate = self._separate

    def next(self) -> np.ndarray | None:
        """The next solution as flat cell values; None for the proof that there are no more."""
        encoder, engine, run = self.encoder, self.engine, self.run
        while not encoder.contradiction:
            answer = seam.Answer([None] * len(self.free))  # what no row restricts is free: no solver needs to be asked
            if encoder.rows:
                run.stats.add(iterations=1)
                with run.stats.timed("solve"):
                    answer = engine.solve(encoder.problem, self.variables, run, warm=self.maximising)
                run.stats.solver = engine.version()
                if answer is None or encoder.contradiction:
                    return None
            values = self._values(answer)
            if self.maximising:
                # todo bounds
                if answer.proved and values.tobytes() == self.seen[0].tobytes():
                    return None
            cuts = encoder.separate(values.tolist())
            for row in cuts: self._add(row)
            run.stats.add(cuts=len(cuts))
            if cuts and answer.proved:
                continue
            if not answer.proved and (self._is_old(values) or violations(encoder.model, values)):
                raise LimitReached  # numbers of a solver at its limit that only look like a solution
            if self._is_old(values):
                raise SolverError(f"{engine.version()} returned a solution that was cut off")
            self.seen.append(values)
            return values
        return None

    def _is_old(self, values: np.ndarray) -> bool:
        return any((values == old).all() for old in self.seen)

    def _values(self, answer: seam.Answer) -> np.ndarray:
        values = self.decided.copy()
        try:
            values[self.free] = [SHADED if rounded(value) else UNSHADED for value in answer.values]
        except SolverError:
            if answer.proved:
                raise
            raise LimitReached from None
        return values

    def _add(self, row):
        added = self.encoder.row(*row[:3], *row[3])
        if added:
            self.engine.row_added(*added)

    def _separate(self, values: list[float], add: bool) -> bool:
        """Whether the values of an incumbent are a solution; if not, cuts go in if `add`."""
        cuts = self.encoder.separate(self._values(seam.Answer(values)).tolist())
        if add:
            for row in cuts: self._add(row)
            self.run.stats.add(cuts=len(cuts))
        return not cuts

    def look_for_another(self, values: np.ndarray, second: str) -> bool:
        row = self.encoder.other_than(values)
        if row is None:
            return False
        self._add(row)
        return True
