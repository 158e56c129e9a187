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
from .encoder import Encoder, Terms, Variable

LAYERS = 3  # layer rows of a cell, from the clue and from the cell: with all of them large islands are slow


def no_pool(constraint: NoPool, m: Encoder) -> None:
    for block in m.grid.blocks.tolist():
        m.row([(1, m.sea[c]) for c in block], "<=", 3, "pool", block[0])


def no_touch(constraint: NoTouch, m: Encoder) -> None:
    for c, d in m.grid.edges:
        m.row([(1, m.sea[c]), (1, m.sea[d])], "<=", 1, "touch", c, d)


@dataclass
class Territory:
    """The cells that an island can own: `own` maps them to variables, 1 in its `component`, the cells that it has.

    It can take `room` more cells; `reach` has for each cell how many of them it takes to get there, -1 out of reach.
    """

    name: str
    component: list[int]
    room: int
    reach: list[int]
    own: dict[int, Variable]
    is_limited: bool

    @property
    def beyond(self) -> list[int]:
        """The cells that are not in the component."""
        return [c for c in self.own if self.reach[c] > 0]


def islands(constraint: Islands, m: Encoder, connect: Callable[[list[Territory], Encoder], None]) -> None:
    """Ownership; `connect` sees to it that what an island owns is connected."""
    grid = m.grid
    state = constraint.state(grid, m.values)
    if state.crowded and not m.contradiction:
        m.contradiction = m.name("crowded", state.crowded[0][0])
    numbered = state.numbered
    least = [max(size, len(component)) for _, size, component in numbered]
    territories: list[Territory] = []
    owners: list[list[Territory]] = [[] for _ in range(grid.size)]
    for k, (_, size, component) in enumerate(numbered):
        m.run.poll()
        reach = state.reach(k).tolist()
        # an island of open size leaves the others at least their share
        room = (size if size != UNKNOWN_SIZE else grid.size - sum(least) + least[k]) - len(component)
        own = {c: m.binary("own", c, f"k{k}") if step else 1 for c, step in enumerate(reach) if 0 <= step <= room}
        territories.append(Territory(f"k{k}", component, room, reach, own, size != UNKNOWN_SIZE))
        for c in own:
            owners[c].append(territories[-1])
        if size != UNKNOWN_SIZE:
            m.row([(1, x) for x in own.values()], "==", size, "size", f"k{k}")
    for c in range(grid.size):
        m.row([(1, m.sea[c]), *((1, island.own[c]) for island in owners[c])], "==", 1, "partition", c)
        for island in owners[c]:
            SEPARATIONS[m.style.separation](c, island, m)
    if m.land() is not None:
        m.row([(1, x) for x in m.sea], "==", grid.size - sum(size for _, size in constraint.clues), "sea_size")
    for island in territories:
        for inequality in ISLAND_INEQUALITIES:
            if inequality in m.style.inequalities:
                ISLAND_INEQUALITIES[inequality](island, m)
    connect(territories, m)


def _clique(c: int, island: Territory, m: Encoder) -> None:
    for d in m.grid.neighbours[c]:
        if not (isinstance(m.sea[d], int) and m.sea[d]):
            terms = [(1, island.own[c]), (-1, m.sea[d]), (-1, island.own.get(d, 0))]
            m.row(terms, "<=", 0, "apart", c, d, island.name)


def _big_m(c: int, island: Territory, m: Encoder) -> None:
    near = m.grid.neighbours[c]
    apart = [term for d in near for term in ((1, 1), (-1, m.sea[d]), (-1, island.own.get(d, 0)))]
    m.row([*apart, (len(near), island.own[c])], "<=", len(near), "apart", c, island.name)


SEPARATIONS: dict[str, Callable[[int, Territory, Encoder], None]] = {"clique": _clique, "big-m": _big_m}


def _degree(island: Territory, m: Encoder) -> None:
    own, reach = island.own, island.reach
    for c in island.beyond:
        if reach[c] > 1:
            near = [(-1, own[d]) for d in m.grid.neighbours[c] if d in own]
            m.row([(1, own[c]), *near], "<=", 0, "degree", c, island.name)
    if island.is_limited and island.room > 0:
        m.row([(1, own[c]) for c in island.beyond if reach[c] == 1], ">=", 1, "grow", island.name)


def _layers(island: Territory, m: Encoder) -> None:
    own, reach, room = island.own, island.reach, island.room
    if not island.is_limited:
        return
    inside = [c in own for c in range(m.grid.size)]
    cells = island.beyond
    for c in cells:
        if reach[c] > 1:
            back = m.grid.distances([c], inside, room).tolist()
            for step in sorted({*range(1, reach[c])[:LAYERS], *range(1, reach[c])[-LAYERS:]}):
                layer = [d for d in cells if reach[d] == step and 0 <= back[d] <= room - step]
                m.row([(1, own[c]), *((-1, own[d]) for d in layer)], "<=", 0, "layer", c, f"{island.name}_{step}")


ISLAND_INEQUALITIES: dict[str, Callable[[Territory, Encoder], None]] = {"degree": _degree, "layers": _layers}
INEQUALITIES = tuple(ISLAND_INEQUALITIES)


@dataclass
class Members:
    """The cells that can have the value that is connected, at most `most` of them at the same time.

    `root` is a cell that is known to have it, None where none is.
    """

    value: int
    name: str
    cells: list[int]
    possible: list[bool]
    most: int
    root: int | None


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
    connect(Members(value, name, cells, possible, most, known[0] if known else None), m)


def movable_root(members: Members, m: Encoder) -> dict[int, Terms]:
    """For each cell terms that are 1 in the root and 0 elsewhere; none where the root is known.

    Else the first cell in reading order that has the value is the root: a binary `from_r_c` turns to 1 there and stays.
    """
    if members.root is not None:
        return {c: [] for c in members.cells}
    at_root: dict[int, Terms] = {}
    before: Variable = 0
    for c in members.cells:
        here = m.binary("from", c, members.name)
        at_root[c] = [(1, here), (-1, before)]
        m.row([(1, before), (-1, here)], "<=", 0, "from_stays", c, members.name)
        m.row([*m.holds(c, members.value), (-1, here)], "<=", 0, "from_first", c, members.name)
        m.row([*at_root[c], *m.holds(c, members.value, -1)], "<=", 0, "from_here", c, members.name)
        before = here
    return at_root


def steps_from_root(members: Members, m: Encoder) -> list[int]:
    """Steps of each cell from the root over cells that can have the value, -1 for more than there is room for.

    Where the root is not known it is one step to any cell.
    """
    if members.root is None:
        return [1] * m.grid.size
    return m.grid.distances([members.root], members.possible, max(members.most - 1, 0)).tolist()
