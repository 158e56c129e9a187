"""Formulations `flow` and `arborescence`: each cell gets a unit of a flow from its root.

`flow`
    One commodity for each island flows out of the cells that it has and leaves one unit in each cell it owns (Gavish
    and Graves, "The travelling salesman problem and related problems", MIT OR 078-78, 1978). What enters a cell d steps
    away is at most `(n_k - d) * own`, so flow runs through cells of the island alone. Islands of one or two cells need
    none. Up to 4 A flows and 2 A rows. One more commodity connects the sea: from a cell that is known to be sea, else
    from a movable root (`from_r_c`, see `common`).
`arborescence`
    The same flows run on arcs that are chosen: every cell but the root has one arc into it, a binary `arc_from_to` for
    its parent, and flow comes along that arc alone (Magnanti and Wolsey, "Optimal trees", Handbooks in OR & MS 7,
    1995). 4 A binaries and 4 A rows more for the islands, which own a cell as their arc enters it; some 9 N variables
    and 12 N rows for the sea.
"""

from .common import Members, Territory, movable_root, steps_from_root
from .encoder import Encoder, Terms, Variable, times


def connect_islands(territories: list[Territory], m: Encoder, arcs: bool = False) -> None:
    for island in territories:
        m.run.poll()
        _connect_island(island, m, arcs)


def _connect_island(island: Territory, m: Encoder, arcs: bool) -> None:
    reach, room, k = island.reach, island.room, island.name
    cells = island.beyond
    if all(reach[c] == 1 for c in cells):
        return  # they touch the component
    into: dict[int, Terms] = {c: [] for c in cells}
    out: dict[int, Terms] = {c: [] for c in cells}
    for c in cells:
        most = room - reach[c] + 1  # units that can pass into this cell: for itself and those behind it
        chosen: Terms = []
        sources = [(d, min(most, room - reach[d])) for d in m.grid.neighbours[c] if d in into]
        if reach[c] == 1:
            sources.append((-1, most))
        for d, capacity in sources:
            if capacity <= 0:
                continue
            parts = (c, k) if d < 0 else (d, c, k)
            kind = "start" if d < 0 else "flow"
            flow = m.continuous(capacity, kind, *parts)
            into[c].append((1, flow))
            if d >= 0:
                out[d].append((-1, flow))
            if arcs:
                arc = m.binary("arc" if d >= 0 else "first", *parts)
                chosen.append((1, arc))
                m.row([(1, flow), (-capacity, arc)], "<=", 0, "arc_flow", kind, *parts)
                if d >= 0:
                    m.row([(1, arc), *island.owns(d, -1)], "<=", 0, "arc_from", *parts)
        if arcs:
            m.row([*chosen, *island.owns(c, -1)], "==", 0, "one_arc", c, k)
    for c in cells:
        m.row([*into[c], *out[c], *island.owns(c, -1)], "==", 0, "balance", c, k)
        if not arcs:
            m.row([*into[c], *island.owns(c, reach[c] - room - 1)], "<=", 0, "capacity", c, k)


def connect_all(members: Members, m: Encoder, arcs: bool = False) -> None:
    grid, value, name = m.grid, members.value, members.name
    at_root, steps = movable_root(members, m), steps_from_root(members, m)
    into: dict[int, Terms] = {c: [] for c in members.cells}
    out: dict[int, Terms] = {c: [] for c in members.cells}
    chosen: dict[tuple[int, int], Variable] = {}
    others = [c for c in members.cells if c != members.root]
    rooms = {c: members.most - steps[c] if steps[c] >= 0 else 0 for c in others}
    for c in others:
        for d in grid.neighbours[c]:
            # what enters a cell is for itself and the cells behind it
            if rooms[c] > 0 and members.possible[d] and steps[d] >= 0:
                flow = m.continuous(rooms[c], "flow", d, c, name)
                into[c].append((1, flow))
                out[d].append((-1, flow))
                if arcs:
                    chosen[c, d] = m.binary("arc", d, c, name)
                    m.row([(1, flow), (-rooms[c], chosen[c, d])], "<=", 0, "arc_flow", d, c, name)
        if at_root[c]:
            start = (1, m.continuous(members.most, "start", c, name))
            into[c].append(start)
            m.row([start, *times(-members.most, at_root[c])], "<=", 0, "start_flow", c, name)
    for c in others:
        if arcs:
            parents = [(1, chosen[c, d]) for d in grid.neighbours[c] if (c, d) in chosen]
            m.row([*parents, *at_root[c], *m.holds(c, value, -1)], "==", 0, "one_arc", c, name)
        else:
            m.row([*into[c], *m.holds(c, value, -rooms[c])], "<=", 0, "capacity", c, name)
        m.row([*into[c], *out[c], *m.holds(c, value, -1)], "==", 0, "balance", c, name)
    for c, d in grid.edges:
        if (c, d) in chosen and (d, c) in chosen:
            both = [(1, chosen[c, d]), (1, chosen[d, c])]
            m.row([*both, *m.holds(c, value, -1)], "<=", 0, "one_way", c, d, name)
            m.row([*both, *m.holds(d, value, -1)], "<=", 0, "one_way", d, c, name)
