"""Formulations `lazy` and `lazy-callback`: no connectivity up front, cuts from each wrong incumbent.

A solution of the rows so far is flood-filled. For land cut off from every clue, and for parts of the sea, cuts go in
that the values break and every solution meets; in `lazy` the model is solved again, in `lazy-callback` they go into the
search tree of SCIP, whose constraint handler meets each incumbent. They are separator inequalities (Carvajal and
others, "Imposing connectivity constraints in forest planning models", Oper. Res. 61, 2013; Fischetti and others,
"Thinning out Steiner trees", Math. Prog. Comp. 9, 2017): for island k, a cell c of the piece and cells S that every way
to c passes,

    own_c_k <= sum over d in S of own_d_k

where only cells d count that lie on a way to c with at most n_k cells; and for sea cells a and b of two parts
`sea_a + sea_b - 1 <= sum over d in S of sea_d`. S is a minimal separator beside the piece, and another one beside the
clue's land (the other part of the sea). A cut without variables says that there is no solution.

The model has A + N variables, no flows, N + 5 A rows and those of the inequalities; cuts are added as they are needed.
"""

from collections.abc import Iterator
from functools import partial

from ...puzzles import UNSHADED
from .common import Members, Territory
from .encoder import Encoder, Row


def connect_islands(territories: list[Territory], m: Encoder) -> None:
    m.separators.append(partial(_island_cuts, territories, m))


def connect_all(members: Members, m: Encoder) -> None:
    m.separators.append(partial(_cuts, members, m))


def _island_cuts(territories: list[Territory], m: Encoder, values: list[int]) -> Iterator[Row]:
    grid = m.grid
    home = {c: island for island in territories for c in island.component}
    pieces = grid.components([value == UNSHADED for value in values])
    grown = {id(home[c]): piece for piece in pieces for c in piece if c in home}
    for piece in pieces:
        if any(c in home for c in piece):
            continue
        for island in territories:
            own, reach, room = island.own, island.reach, island.room
            cells = [c for c in piece if c in own]
            if not cells:
                continue
            inside = [c in own for c in range(grid.size)]
            shores = [grid.shore(piece), grid.shore(grown[id(island)])]
            for c in cells:
                steps = grid.distances([c], inside, room).tolist()
                cuts = []
                for shore in shores:
                    cut = sorted(d for d in shore if d in own and 0 <= steps[d] <= room - reach[d])
                    if cut not in cuts:
                        cuts.append(cut)
                for cut in cuts:
                    terms = [*island.owns(c), *(term for d in cut for term in island.owns(d, -1))]
                    yield Row(terms, "<=", 0, ("cut", c, island.name))


def _cuts(members: Members, m: Encoder, values: list[int]) -> Iterator[Row]:
    value = members.value
    parts = m.grid.components([v == value for v in values])
    if len(parts) < 2:
        return
    main = max(parts, key=len) if members.root is None else next(part for part in parts if members.root in part)
    for part in parts:
        if part is main:
            continue
        ends = [next((c for c in cells if isinstance(m.sea[c], int)), cells[0]) for cells in (main, part)]
        separators = [_separator(part, main, members, m), _separator(main, part, members, m)]
        for separator in separators[: 1 if separators[0] == separators[1] else 2]:
            terms = [term for c in separator for term in m.holds(c, value)]
            terms += [term for c in ends for term in m.holds(c, value, -1)]
            yield Row(terms, ">=", -1, ("cut", ends[1], members.name))


def _separator(part: list[int], other: list[int], members: Members, m: Encoder) -> list[int]:
    """The cells beside `part` that can be reached from `other` without passing through such a cell."""
    beside = m.grid.shore(part)
    seen = [not possible for possible in members.possible]
    for c in other:
        seen[c] = True
    queue = list(other)
    separator = []
    for c in queue:
        for d in m.grid.neighbours[c]:
            if not seen[d]:
                seen[d] = True
                (separator if d in beside else queue).append(d)
    return sorted(separator)
