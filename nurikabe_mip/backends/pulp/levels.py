"""Formulation `levels`: every cell has a neighbour of a lower level as its parent.

Each land cell that no island has yet has one parent among its land neighbours, a binary `parent_from_to`, and a
`level`, at least one above its parent's (Miller, Tucker and Zemlin, "Integer programming formulation of traveling
salesman problems", J. ACM 7, 1960): `level_c >= level_d + 1 - M (1 - parent_d_c)`. Neighbours on land belong to one
island, so one level a cell does for all islands together. It lies between the steps that the cell's owner needs to get
there and the cells that the owner can take, which is M as well. The sea gets levels the same way.

Up to 5 N variables and 12 N rows for the islands, as many for the sea. M makes the relaxation weak.
"""

from .common import Members, Territory, movable_root, steps_from_root
from .encoder import Encoder, Terms


def connect_islands(territories: list[Territory], m: Encoder) -> None:
    owners: dict[int, list[Territory]] = {}
    for island in territories:
        for c in island.beyond:
            owners.setdefault(c, []).append(island)
    first = {c: [term for k in owners[c] if k.reach[c] == 1 for term in k.owns(c)] for c in owners}
    most = {c: max(k.room for k in owners[c]) for c in owners}
    level = {c: m.continuous(most[c], "level", c) for c in owners}
    for c in sorted(owners):
        m.run.poll()
        # a cell beside what its owner has needs no parent
        least = [term for k in owners[c] for term in k.owns(c, -k.reach[c])]
        greatest = [term for k in owners[c] for term in k.owns(c, -k.room)]
        m.row([(1, level[c]), *least], ">=", 0, "level_least", c)
        m.row([(1, level[c]), *greatest], "<=", 0, "level_most", c)
        parents: Terms = []
        for d in m.grid.neighbours[c]:
            if d in level:
                parent = m.binary("parent", d, c)
                parents.append((1, parent))
                m.row([(1, parent), (1, m.sea[d])], "<=", 1, "parent_land", d, c)
                m.row([(1, parent), (1, m.sea[c])], "<=", 1, "parent_of_land", d, c)
                big = most[d] + 1
                m.row([(1, level[d]), (-1, level[c]), (big, parent)], "<=", big - 1, "above", d, c)
        m.row([*parents, *first[c], (1, m.sea[c])], ">=", 1, "one_parent", c)


def connect_all(members: Members, m: Encoder) -> None:
    value, name, most = members.value, members.name, members.most
    at_root, steps = movable_root(members, m), steps_from_root(members, m)
    level = {c: m.continuous(max(most - 1, 0), "level", c, name) for c in members.cells if c != members.root}
    for c in level:
        if members.root is not None:
            # a cell that is out of reach cannot have the value
            least = steps[c] if steps[c] >= 0 else most
            m.row([(1, level[c]), *m.holds(c, value, -least)], ">=", 0, "level_least", c, name)
        parents: Terms = []
        for d in m.grid.neighbours[c]:
            if members.possible[d]:
                parent = m.binary("parent", d, c, name)
                parents.append((1, parent))
                m.row([(1, parent), *m.holds(d, value, -1)], "<=", 0, "parent_has", d, c, name)
                if d in level:
                    m.row([(1, level[d]), (-1, level[c]), (most, parent)], "<=", most - 1, "above", d, c, name)
        m.row([*parents, *at_root[c], *m.holds(c, value, -1)], "==", 0, "one_parent", c, name)
