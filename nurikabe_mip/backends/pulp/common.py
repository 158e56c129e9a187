"""What the formulations share: the encoders without connectivity, the ownership of cells, and the root of a flow.

Ownership, for islands k of size n_k and a board of N cells: `sea_r_c` is 1 where the cell is shaded, `own_r_c_k` where
it belongs to island k. Both exist only for cells that are open, and `own` only where the island can still reach
(`Islands.state`). What is decided beforehand is a constant. With A the number of pairs (cell, island in reach):

partition
    `sea + sum_k own = 1` for each cell; N rows.
size
    `sum_c own = n_k` for each island, and then the sea has N - sum n_k cells.
separation
    of two neighbours c and d, `own_c_k + sum of own_d_j over other islands j <= 1`, a set of variables of which one is
    1 at most, written `own_c_k <= sea_d + own_d_k` ("clique", up to 4 A rows); or one row a pair, `sum over neighbours
    d of (1 - sea_d - own_d_k) <= degree * (1 - own_c_k)` ("big-m", A rows, a weaker relaxation).

Valid inequalities tighten the relaxation:

degree
    an owned cell has an owned neighbour, unless it touches what the island has; an island that must grow has a cell
    beside what it has; a sea cell has a sea neighbour if the sea is larger. A + N rows.
layers
    an owned cell that is d steps away from what its island has needs an owned cell in each layer 1 .. d-1: the cells
    so many steps away that lie on a short enough path. Each is a separator (see `lazy`) that is known beforehand. Up to
    6 A rows: those of the layers next to both ends.
"""

from collections.abc import Callable
from dataclasses import dataclass

from ...constraints import Connected, Islands, NoPool, NoTouch
from ...puzzles import SHADED, UNKNOWN_SIZE, UNSHADED
from .encoder import Encoder, Terms, Variable, times

Shapes = list[list[int]]  # the cells of each
LAYERS = 3  # layer rows of a cell, from the clue and from the cell: with all of them large islands are slow


def no_pool(constraint: NoPool, m: Encoder) -> None:
    for block in m.grid.blocks.tolist():
        m.row([(1, m.sea[c]) for c in block], "<=", 3, "pool", block[0])


def no_touch(constraint: NoTouch, m: Encoder) -> None:
    for c, d in m.grid.edges:
        m.row([(1, m.sea[c]), (1, m.sea[d])], "<=", 1, "touch", c, d)


@dataclass
class Territory:
    """The cells that an island can own: `own` maps them to terms that are 1 where it does.

    It has the `component` already and can take `room` more cells; `reach` has for each cell how many of them it takes
    to get there, -1 out of reach. `is_limited` is false for a `?`.
    """

    name: str
    component: list[int]
    room: int
    reach: list[int]
    own: dict[int, Terms]
    is_limited: bool

    @property
    def beyond(self) -> list[int]:
        """The cells that are not in the component."""
        return [c for c in self.own if self.reach[c] > 0]

    def owns(self, c: int, factor: int = 1) -> Terms:
        """`factor` if the island owns the cell, else 0."""
        return times(factor, self.own.get(c, []))


def islands(
    constraint: Islands,
    m: Encoder,
    connect: Callable[[list[Territory], Encoder], None],
    listed: Callable[[Islands, Encoder], list[Shapes | None] | None] | None = None,
) -> None:
    """Ownership; `connect` sees to it that what an island owns is connected.

    `listed` gives the shapes of each island, or None for one that `connect` has to deal with; None for all of them says
    that there is no solution.
    """
    grid = m.grid
    state = constraint.state(grid, m.values)
    shapes = listed(constraint, m) if listed else [None] * len(state.numbered)
    if state.crowded or shapes is None:
        m.contradiction = m.contradiction or (m.name("crowded", state.crowded[0][0]) if state.crowded else "no_shape")
        return
    numbered = state.numbered
    least = [max(size, len(component)) for _, size, component in numbered]
    owners: list[list[Territory]] = [[] for _ in range(grid.size)]
    grown: list[Territory] = []  # the islands without a list of shapes
    for k, (_, size, component) in enumerate(numbered):
        m.run.poll()
        reach = state.reach(k).tolist()
        # an island of open size leaves the others at least their share
        room = (size if size != UNKNOWN_SIZE else grid.size - sum(least) + least[k]) - len(component)
        island = Territory(f"k{k}", component, room, reach, {}, size != UNKNOWN_SIZE)
        if shapes[k] is not None:
            _choose_shape(island, shapes[k], m)
        else:
            for c, step in enumerate(reach):
                if 0 <= step <= room:
                    island.own[c] = [(1, m.binary("own", c, island.name) if step else 1)]
            if island.is_limited:
                m.row([term for terms in island.own.values() for term in terms], "==", size, "size", island.name)
            grown.append(island)
        for c in island.own:
            owners[c].append(island)
    for c in range(grid.size):
        owned = [term for island in owners[c] for term in island.own[c]]
        m.row([(1, m.sea[c]), *owned], "==", 1, "partition", c)
    if m.land() is not None:
        m.row([(1, x) for x in m.sea], "==", grid.size - m.land(), "sea_size")
    for island in grown:
        for c in island.own:
            SEPARATIONS[m.style.separation](c, island, m)
        for inequality in INEQUALITIES:
            if inequality in m.style.inequalities:
                ISLAND_INEQUALITIES[inequality](island, m)
    connect(grown, m)


def _choose_shape(island: Territory, shapes: Shapes, m: Encoder) -> None:
    beside: dict[int, Terms] = {}
    chosen: Terms = [(1, m.binary("shape", island.name, str(i)) if len(shapes) > 1 else 1) for i in range(len(shapes))]
    m.row(chosen, "==", 1, "one_shape", island.name)
    for term, cells in zip(chosen, shapes, strict=True):
        for c in cells:
            island.own.setdefault(c, []).append(term)
        for c in m.grid.shore(cells):
            beside.setdefault(c, []).append(term)
    for c in sorted(beside):
        m.row([*beside[c], (-1, m.sea[c])], "<=", 0, "beside", c, island.name)


def _clique(c: int, island: Territory, m: Encoder) -> None:
    for d in m.grid.neighbours[c]:
        if not (isinstance(m.sea[d], int) and m.sea[d]):
            m.row([*island.owns(c), (-1, m.sea[d]), *island.owns(d, -1)], "<=", 0, "apart", c, d, island.name)


def _big_m(c: int, island: Territory, m: Encoder) -> None:
    near = m.grid.neighbours[c]
    apart = [term for d in near for term in ((1, 1), (-1, m.sea[d]), *island.owns(d, -1))]
    m.row([*apart, *island.owns(c, len(near))], "<=", len(near), "apart", c, island.name)


SEPARATIONS: dict[str, Callable[[int, Territory, Encoder], None]] = {"clique": _clique, "big-m": _big_m}


def _degree(island: Territory, m: Encoder) -> None:
    for c in island.beyond:
        if island.reach[c] > 1:
            near = [term for d in m.grid.neighbours[c] for term in island.owns(d, -1)]
            m.row([*island.owns(c), *near], "<=", 0, "degree", c, island.name)
    if island.is_limited and island.room > 0:
        shore = [term for c in island.beyond if island.reach[c] == 1 for term in island.owns(c)]
        m.row(shore, ">=", 1, "grow", island.name)


def _layers(island: Territory, m: Encoder) -> None:
    reach, room = island.reach, island.room
    if not island.is_limited:
        return
    inside = [c in island.own for c in range(m.grid.size)]
    cells = island.beyond
    for c in cells:
        if reach[c] > 1:
            back = m.grid.distances([c], inside, room).tolist()
            for step in sorted({*range(1, reach[c])[:LAYERS], *range(1, reach[c])[-LAYERS:]}):
                layer = [d for d in cells if reach[d] == step and 0 <= back[d] <= room - step]
                terms = [*island.owns(c), *(term for d in layer for term in island.owns(d, -1))]
                m.row(terms, "<=", 0, "layer", c, f"{island.name}_{step}")


ISLAND_INEQUALITIES: dict[str, Callable[[Territory, Encoder], None]] = {"degree": _degree, "layers": _layers}
INEQUALITIES = tuple(ISLAND_INEQUALITIES)


@dataclass
class Members:
    """The cells that can have the value that is connected, at most `most` of them at the same time.

    At least one of `roots` has it if any cell has: a cell where that is known, else a few cells if that can be said.
    """

    value: int
    name: str
    cells: list[int]
    possible: list[bool]
    most: int
    roots: list[int]

    @property
    def root(self) -> int | None:
        """The cell that is known to have the value; None where the root is one of several cells."""
        return self.roots[0] if len(self.roots) == 1 else None


def connected(constraint: Connected, m: Encoder, connect: Callable[[Members, Encoder], None]) -> None:
    """`connect` sees to it that the cells of the value are connected; here is what else is known of them."""
    grid, value = m.grid, constraint.value
    name = "sea" if value == SHADED else "land"
    possible = m.possible(value)
    cells = [c for c in range(grid.size) if possible[c]]
    most, land = len(cells), m.land()
    if land is not None:
        most = min(most, land if value == UNSHADED else grid.size - land)
    if constraint.nonempty:
        m.row([term for c in cells for term in m.holds(c, value)], ">=", 1, f"{name}_nonempty")
    known = [c for c in cells if isinstance(m.sea[c], int)]
    if "degree" in m.style.inequalities and (len(known) > 1 or (land is not None and most > 1)):
        for c in cells:
            near = [term for d in grid.neighbours[c] if possible[d] for term in m.holds(d, value)]
            m.row([*m.holds(c, value, -1), *near], ">=", 0, f"{name}_degree", c)
    roots = known[:1] or (value == SHADED and _between_clues(m)) or cells
    connect(Members(value, name, cells, possible, most, roots), m)


def _between_clues(m: Encoder) -> list[int]:
    """The fewest cells between two clues: one of them is sea, for their islands are apart. Empty if there are none."""
    grid, shortest = m.grid, []
    clues = [
        clue for constraint in m.model.constraints if isinstance(constraint, Islands) for clue, _ in constraint.clues
    ]
    for clue in clues:
        m.run.poll()
        steps = grid.distances([clue], [True] * grid.size).tolist()
        others = [c for c in clues if steps[c] > 1]
        for c in sorted(others, key=lambda c: steps[c])[:1]:
            path = []
            while steps[c] > 1:
                c = next(d for d in grid.neighbours[c] if steps[d] == steps[c] - 1)
                path.append(c)
            if not shortest or len(path) < len(shortest):
                shortest = path
    return [c for c in sorted(shortest) if not isinstance(m.sea[c], int) or m.sea[c]]


def movable_root(members: Members, m: Encoder) -> dict[int, Terms]:
    """For each cell terms that are 1 in the root and 0 elsewhere; none where the root is known.

    Else the first of `roots` that has the value is the root: a binary `from_r_c` turns to 1 there and stays.
    """
    at_root: dict[int, Terms] = {c: [] for c in members.cells}
    if members.root is None:
        before: Variable = 0
        for c in members.roots:
            here = m.binary("from", c, members.name)
            at_root[c] = [(1, here), (-1, before)]
            m.row([(1, before), (-1, here)], "<=", 0, "from_stays", c, members.name)
            m.row([*m.holds(c, members.value), (-1, here)], "<=", 0, "from_first", c, members.name)
            m.row([*at_root[c], *m.holds(c, members.value, -1)], "<=", 0, "from_here", c, members.name)
            before = here
    return at_root


def steps_from_root(members: Members, m: Encoder) -> list[int]:
    """Steps of each cell from the nearest root over cells that can have the value; -1 if that takes too many."""
    return m.grid.distances(members.roots, members.possible, max(members.most - 1, 0)).tolist()
