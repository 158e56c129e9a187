"""Lazy SAT: connectivity as clauses that are learnt from wrong models, on one incremental solver.

Every undecided cell is a variable, true for shaded. Clauses about a cell and its surroundings go in first. Each model
of the solver is then split into its components, and every component that breaks a rule becomes *cuts*: clauses that the
model violates and every solution meets. The solver goes on with them and with its lemmas until a model breaks nothing;
that is a solution. A no-good forbids it, and the same search goes on to the next, or to the proof that there is none.

A cut names few cells:

two clues in one island
    a cell of a shortest path between them is sea.
too many cells around a clue
    a cell of a connected set with the clue and one cell more than the island may have is sea.
too few cells around a clue
    a cell of the shore is land, where only cells count that the island can still reach.
an island without a clue
    one of its cells is sea or a cell of the shore is land, where only cells count that are close enough to some clue.
a clue that sees too many cells
    a cell of those that it sees, of one more than its number, is black.
a clue that sees too few cells
    a cell where its sight ends is white, where only directions count that are long enough to matter.
cells in parts that should be connected
    a cell of a minimal separator joins them, or the cells in the two parts are not both there. One separator is beside
    each part.

The number of land cells counts too, as "at least" alone: the cuts see to "at most", and both together only burden the
solver. On some boards even that does, on others nothing is proved without it. So the counts stand behind a literal, the
gate, which is assumed to be true and false by turns; both searches share what they learn.

Cut-set clauses do for a connected set what subtour constraints do for a tour (Dantzig, Fulkerson and Johnson 1954). The
solvers are those of PySAT (Ignatiev, Morgado and Marques-Silva 2018; MIT), by default CaDiCaL 1.9.5 (Biere and others;
MIT); the counts are its k-modulo totalizer (Morgado, Ignatiev and Marques-Silva 2014). CaDiCaL cannot be interrupted
there and keeps other threads waiting, so every solver runs in slices of a few hundred conflicts.
"""

from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from itertools import combinations, takewhile

import numpy as np
import pysat
from pysat.card import CardEnc, EncType
from pysat.solvers import Solver, SolverNames

from ..constraints import Connected, Islands, NoPool, NoTouch, ShadingModel, Sight
from ..errors import OptionError
from ..puzzles import SHADED, UNDECIDED, UNKNOWN_SIZE, UNSHADED
from .base import LimitReached, Option, Run, choice

# CryptoMiniSat is another package, Kissat is not incremental, and Lingeling knows no limit
NOT_USABLE = ("cryptosat", "kissat404", "lingeling")
SOLVERS = tuple(name for name in vars(SolverNames) if not name.startswith("_") and name not in NOT_USABLE)
OPTIONS = {"solver": Option("cadical195", "a SAT solver of PySAT", SOLVERS)}
PRESOLVE = "lookahead"
SLICE = 300  # conflicts between two looks at the limits
TURN = 200  # models after which the gate changes, if no slice ended before
COUNTED = 2000  # cells; the clauses of a larger count take too long to make
UNLIMITED = 1 << 30  # the size of a `?`

Clause = list[int]  # of literals; cell c is the variable c + 1
Parts = list[list[int]]


def version() -> str:
    return f"PySAT {pysat.__version__}"


def shadings(model: ShadingModel, run: Run, solver: str) -> Iterator[np.ndarray]:
    """Yield every solution of the model."""
    choice("solver", solver, SOLVERS)
    with run.stats.timed("build"):
        search = _Search(model, run, solver)
    while True:
        with run.stats.timed("solve"):
            values = run.native(search.next, search.stop)
        if values is None:
            return
        yield values


class _Search:
    """The solver, and the loop of models and cuts."""

    def __init__(self, model: ShadingModel, run: Run, solver: str):
        self.run = run
        self.formula = formula = _Formula(model, run.poll)
        self.solver = Solver(name=getattr(SolverNames, solver)[0])
        self.free = [c for c, value in enumerate(formula.known) if value == UNDECIDED]
        self.gate = top = model.grid.size + 1  # as a literal, its sign what is assumed next
        self.turn = 0
        self.conflicts = 0  # of the solver, those in the statistics
        self.exhausted = self.stopped = False
        clauses = formula.clauses()
        for cells, least in formula.counts():
            if least > len(cells):
                clauses.append([])
            elif least > 0 and len(cells) <= COUNTED:
                land = [-c - 1 for c in cells]
                count = CardEnc.atleast(land, least, top_id=top, encoding=EncType.kmtotalizer)
                top = max(top, count.nv)
                clauses += [[*clause, -self.gate] for clause in count.clauses]
        for number, clause in enumerate(clauses):
            if number % 10000 == 0:
                run.poll()
            self._add(clause)
        run.stats.variables = len(self.free) + top - model.grid.size
        run.stats.constraints = len(clauses)
        if run.log:
            run.write(f"{solver}: {run.stats.variables} variables, {run.stats.constraints} clauses")

    def stop(self) -> None:
        """End `next` soon; called from another thread."""
        self.stopped = True
        with suppress(NotImplementedError):  # its slice ends soon
            self.solver.interrupt()

    def next(self) -> np.ndarray | None:
        """The next solution as flat cell values, or None for the proof that there is none."""
        formula, stats = self.formula, self.run.stats
        try:
            while not self.exhausted and self._has_model():
                answer = self.solver.get_model()
                stats.add(iterations=1)
                values = formula.known.copy()
                for c in self.free:
                    values[c] = SHADED if answer[c] > 0 else UNSHADED
                cuts = formula.cuts(values)
                stats.add(cuts=len(cuts))
                for cut in cuts:
                    self._add(cut)
                if not cuts:
                    self._add(formula.no_good(values))
                    return np.array(values, dtype=np.int8)
            return None
        finally:
            self._report()

    def _has_model(self) -> bool:
        while True:
            if self.stopped or self.run.is_over:
                raise LimitReached
            self.solver.conf_budget(SLICE)
            answer = self.solver.solve_limited([self.gate], expect_interrupt=True)
            self.turn += 1
            if answer is None or self.turn == TURN:
                self.turn = 0
                self.gate = -self.gate
                self._report()
            if answer is not None:
                return answer

    def _add(self, clause: Clause) -> None:
        if clause:
            self.solver.add_clause(clause)
        else:
            self.exhausted = True

    def _report(self) -> None:
        conflicts = self.solver.accum_stats()["conflicts"]
        stats = self.run.stats
        stats.add(conflicts=conflicts - self.conflicts)
        self.conflicts = conflicts
        if self.run.log:
            self.run.write(f"{stats.iterations or 0} models, {stats.cuts or 0} cuts, {stats.conflicts} conflicts")


class _Formula:
    """The clauses of a ShadingModel: those of the start, and the cuts of a model that breaks a rule.

    `known` has the values of cells that are the same in all solutions; clauses leave them out, so one without literals
    says that there is no solution. `sea` is the number of shaded cells, None if the clues leave it open.
    """

    def __init__(self, model: ShadingModel, poll: Callable[[], None] = lambda: None):
        self.grid, self.poll = model.grid, poll
        self.neighbours = model.grid.neighbours
        self.known: list[int] = model.fixed.tolist()
        self.contradictory = False
        self.sea: int | None = None
        for constraint in model.constraints:
            if isinstance(constraint, Islands):
                for clue, _ in constraint.clues:
                    self.contradictory |= self.known[clue] == SHADED
                    self.known[clue] = UNSHADED
                if all(size != UNKNOWN_SIZE for _, size in constraint.clues):
                    self.sea = self.grid.size - sum(size for _, size in constraint.clues)
        self.encoders = [self._encoder(constraint) for constraint in model.constraints]

    def _encoder(self, constraint) -> "_Encoder":
        if type(constraint) not in ENCODERS:
            raise OptionError(f"backend 'sat' cannot encode the constraint {type(constraint).__name__}")
        return ENCODERS[type(constraint)](constraint, self)

    def clauses(self) -> list[Clause]:
        """The clauses of the start."""
        if self.contradictory:
            return [[]]
        found = []
        for encoder in self.encoders:
            self.poll()
            found += self._open(encoder.clauses())
        return found

    def _open(self, clauses: Iterable[Clause]) -> Iterator[Clause]:
        """The clauses that known cells leave open, without their literals of known cells."""
        for clause in clauses:
            literals = []
            for literal in clause:
                value = self.known[abs(literal) - 1]
                if value == UNDECIDED:
                    literals.append(literal)
                elif (value == SHADED) == (literal > 0):
                    break
            else:
                yield literals

    def counts(self) -> list[tuple[list[int], int]]:
        """Lists of open cells, and how many of each are land at least."""
        return [] if self.contradictory else [count for encoder in self.encoders for count in encoder.counts()]

    def cuts(self, values: list[int]) -> list[Clause]:
        """What forbids a model that meets the clauses of the start; nothing if it is a solution."""
        parts = self._parts(values)
        return [cut for encoder in self.encoders for cut in self._open(encoder.cuts(values, parts))]

    def no_good(self, values: list[int]) -> Clause:
        """What forbids a solution."""
        free = [c for c, value in enumerate(self.known) if value == UNDECIDED]
        land = [c + 1 for c in free if values[c] == UNSHADED]
        if self.sea is not None:
            return land  # another solution has as many sea cells: one of them lies in this land
        return land + [-c - 1 for c in free if values[c] == SHADED]

    def _parts(self, values: list[int]) -> Parts:
        """The components of both values."""
        neighbours = self.neighbours
        seen = [False] * self.grid.size
        parts = []
        for start, value in enumerate(values):
            if seen[start]:
                continue
            seen[start] = True
            part = [start]
            for c in part:
                for d in neighbours[c]:
                    if not seen[d] and values[d] == value:
                        seen[d] = True
                        part.append(d)
            parts.append(part)
        return parts


class _Encoder:
    """One constraint; what a kind has nothing to say about stays empty."""

    def __init__(self, constraint, formula: _Formula):
        self.constraint, self.formula = constraint, formula

    def clauses(self) -> list[Clause]:
        return []

    def counts(self) -> list[tuple[list[int], int]]:
        return []

    def cuts(self, values: list[int], parts: Parts) -> list[Clause]:
        return []


class _NoPool(_Encoder):
    def clauses(self):
        return [[-c - 1 for c in block] for block in self.formula.grid.blocks.tolist()]


class _NoTouch(_Encoder):
    def clauses(self):
        return [[-c - 1, -d - 1] for c, d in self.formula.grid.edges]


class _Connected(_Encoder):
    def __init__(self, constraint: Connected, formula: _Formula):
        super().__init__(constraint, formula)
        self.value = constraint.value
        self.root = next((c for c, value in enumerate(formula.known) if value == self.value), None)

    def _has(self, c: int) -> int:
        """The literal for "the cell has the value that is connected"."""
        return (c + 1) * self.value

    def clauses(self):
        formula = self.formula
        cells = range(formula.grid.size)
        found = [[self._has(c) for c in cells]] if self.constraint.nonempty else []
        # where there are two cells of the value, each has another one beside it
        most = None if formula.sea is None else formula.sea if self.value == SHADED else formula.grid.size - formula.sea
        several = formula.known.count(self.value) > 1 or (most or 0) > 1
        for c in cells:
            if several or (self.root is not None and c != self.root):
                found.append([-self._has(c), *map(self._has, formula.neighbours[c])])
        return found

    def cuts(self, values, parts):
        mine = [part for part in parts if values[part[0]] == self.value]
        if len(mine) < 2:
            return []
        main = max(mine, key=len) if self.root is None else next(part for part in mine if self.root in part)
        known = self.formula.known
        closed = [value == -self.value for value in known]
        found = []
        for part in mine:
            if part is not main:
                ends = [next((c for c in cells if known[c] == self.value), cells[0]) for cells in (main, part)]
                separators = [self._separator(part, main, closed), self._separator(main, part, closed)]
                for separator in separators[: 1 if separators[0] == separators[1] else 2]:
                    found.append([-self._has(c) for c in ends] + [self._has(c) for c in separator])
        return found

    def _separator(self, part: list[int], other: list[int], closed: list[bool]) -> list[int]:
        """The cells beside `part` that can be reached from `other` without passing through such a cell.

        `closed` tells for each cell that it is known to have the other value.
        """
        neighbours = self.formula.neighbours
        seen = closed.copy()
        beside = {d for c in part for d in neighbours[c]}.difference(part)
        for c in other:
            seen[c] = True
        queue = list(other)
        separator = []
        for c in queue:
            for d in neighbours[c]:
                if not seen[d]:
                    seen[d] = True
                    (separator if d in beside else queue).append(d)
        return sorted(separator)


class _Islands(_Encoder):
    """Islands grow from the known cells around their clues, as `IslandState` has it.

    `component` has these cells of each clue, `room` for each clue and cell how many more cells the island can take once
    it has reached that cell (-1 out of reach), `slack` the most room of any clue.
    """

    def __init__(self, constraint: Islands, formula: _Formula):
        super().__init__(constraint, formula)
        grid, known = formula.grid, formula.known
        self.size = {c: UNLIMITED if size == UNKNOWN_SIZE else size for c, size in constraint.clues}
        state = constraint.state(grid, known)
        self.crowded = bool(state.crowded)
        self.component = {clue: component for clue, _, component in state.numbered}
        self.numbered = {c for component in self.component.values() for c in component}
        self.room: dict[int, list[int]] = {}
        self.slack = [-1] * grid.size
        for number, clue in enumerate(self.component):
            formula.poll()
            left = self._left(clue)
            self.room[clue] = [left - step if step >= 0 else -1 for step in state.reach(number).tolist()]
            self.slack = list(map(max, self.slack, self.room[clue]))
        for c, slack in enumerate(self.slack):
            if slack < 0 and known[c] == UNDECIDED:
                known[c] = SHADED

    def _left(self, clue: int) -> int:
        """How many cells the island still needs."""
        return self.size[clue] - len(self.component[clue])

    def clauses(self):
        grid, neighbours, known = self.formula.grid, self.formula.neighbours, self.formula.known
        if self.crowded or any(self._left(clue) < 0 for clue in self.component):
            return [[]]
        found = []
        for c in range(grid.size):
            if c not in self.size:
                found.append([c + 1, *(-d - 1 for d in neighbours[c])])
        beside: dict[int, set[int]] = {}  # the clues whose known cells a cell touches
        for clue, component in self.component.items():
            shore = sorted({d for c in component for d in neighbours[c] if known[d] == UNDECIDED})
            for c in shore:
                beside.setdefault(c, set()).add(clue)
            if self._left(clue) > 0 and self.size[clue] != UNLIMITED:
                found.append([-c - 1 for c in shore if self.room[clue][c] >= 0])
            if self._left(clue) == 1:
                # one cell of the shore is land, and what lies behind it is sea
                found += [[c + 1, d + 1] for c, d in combinations(shore, 2)]
                found += [[c + 1, d + 1] for c in shore for d in neighbours[c] if d not in {*component, *shore}]
        for c, d in grid.edges:
            if c in beside and d in beside and len(beside[c] | beside[d]) > 1:
                found.append([c + 1, d + 1])
        return found

    def counts(self):
        """For islands that can reach the same cells, and so on: together these cells have what the islands need."""
        if self.crowded:
            return []
        groups: list[tuple[set[int], int]] = []
        for clue, room in self.room.items():
            cells = {c for c, left in enumerate(room) if left >= 0 and c not in self.numbered}
            need = self._left(clue) if self.size[clue] != UNLIMITED else 0
            for group in [group for group in groups if not cells.isdisjoint(group[0])]:
                groups.remove(group)
                cells |= group[0]
                need += group[1]
            groups.append((cells, need))
        known = self.formula.known
        return [
            (sorted(c for c in cells if known[c] == UNDECIDED), need - sum(known[c] == UNSHADED for c in cells))
            for cells, need in groups
        ]

    def cuts(self, values, parts):
        known = self.formula.known
        found = []
        for part in parts:
            if values[part[0]] == SHADED:
                continue
            clues = [c for c in part if c in self.size]
            if not clues:
                start = next((c for c in part if known[c] == UNSHADED), part[0])
                shore = self._shore([start], values, lambda c, step: self.slack[c] >= step)
                found.append([start + 1, *(-c - 1 for c in shore)])
            elif len(clues) > 1:
                found += [[c + 1 for c in path] for path in dict.fromkeys(self._path(clue, values) for clue in clues)]
            elif len(part) > self.size[clues[0]]:
                found.append([c + 1 for c in self._crowd(clues[0], values)])
            elif len(part) < self.size[clues[0]] < UNLIMITED:
                room = self.room[clues[0]]
                shore = self._shore(self.component[clues[0]], values, lambda c, step, room=room: room[c] >= 0)
                found.append([-c - 1 for c in shore])
        return found

    def _shore(self, start: list[int], values: list[int], counts: Callable[[int, int], bool]) -> list[int]:
        """The sea cells around the land that `start` is part of, where `counts(cell, steps from the start)`."""
        neighbours = self.formula.neighbours
        seen = set(start)
        layer, step = start, 0
        shore = []
        while layer:
            step += 1
            ahead = []
            for c in layer:
                for d in neighbours[c]:
                    if d not in seen and counts(d, step):
                        seen.add(d)
                        (ahead if values[d] == UNSHADED else shore).append(d)
            layer = ahead
        return shore

    def _path(self, clue: int, values: list[int]) -> tuple[int, ...]:
        """Land that joins a clue's known cells to those of another, with the fewest open cells; these, sorted."""
        neighbours, known = self.formula.neighbours, self.formula.known
        before: dict[int, int | None] = dict.fromkeys(self.component[clue])
        layer = list(before)
        while True:
            ahead = []
            for c in layer:
                for d in neighbours[c]:
                    if d in before or values[d] == SHADED:
                        continue
                    before[d] = c
                    if d in self.numbered:
                        path = []
                        while c is not None:
                            path.append(c)
                            c = before[c]
                        return tuple(sorted(c for c in path if known[c] == UNDECIDED))
                    (ahead if known[d] == UNDECIDED else layer).append(d)
            layer = ahead

    def _crowd(self, clue: int, values: list[int]) -> list[int]:
        """Cells that are together with the clue's known ones a connected set of one more than its size."""
        neighbours, known = self.formula.neighbours, self.formula.known
        component = self.component[clue]
        seen = set(component)
        crowd: list[int] = []
        layer = list(component)
        while True:
            ahead = []
            for c in layer:
                for d in neighbours[c]:
                    if d not in seen and values[d] == UNSHADED:
                        seen.add(d)
                        crowd.append(d)
                        if len(crowd) > self._left(clue):
                            return crowd
                        # known land first: it does not make the clause longer
                        (ahead if known[d] == UNDECIDED else layer).append(d)
            layer = ahead


class _Sight(_Encoder):
    def clauses(self):
        return [[-clue - 1] for clue, _ in self.constraint.clues]

    def cuts(self, values, parts):
        return [
            cut
            for clue, number in self.constraint.clues
            if number != UNKNOWN_SIZE
            for cut in self._cuts(self.formula.grid.rays(clue), number - 1, values)
        ]

    def _cuts(self, rays, wanted: int, values: list[int]) -> Iterator[Clause]:
        """What forbids that a clue sees another number of cells than `wanted`, its own cell not counted."""
        known = self.formula.known
        seen = [list(takewhile(lambda c: values[c] == UNSHADED, ray)) for ray in rays]
        excess = sum(map(len, seen)) - wanted
        if excess > 0:
            # one cell too many is enough, and known ones cost nothing: open cells at the far ends go first
            for _ in range(excess - 1):
                max(seen, key=lambda cells: (bool(cells) and known[cells[-1]] == UNDECIDED, len(cells))).pop()
            yield [c + 1 for cells in seen for c in cells]
        if excess < 0:
            ends = []
            for ray, cells in zip(rays, seen, strict=True):
                room = len(list(takewhile(lambda c: known[c] != SHADED, ray))) - len(cells)
                if excess + room < 0:
                    excess += room  # even without this end there would be too few
                else:
                    ends.append(ray[len(cells)])
            yield [-c - 1 for c in ends]


ENCODERS: dict[type, type[_Encoder]] = {
    NoPool: _NoPool,
    NoTouch: _NoTouch,
    Connected: _Connected,
    Islands: _Islands,
    Sight: _Sight,
}
