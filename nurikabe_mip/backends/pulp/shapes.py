"""Formulations `shapes` and `mixed`: set partitioning over the shapes that each island can take.

A binary `shape_k_i` for each shape i of island k, listed as the backend `shapes` does it. An island takes one; each
cell is sea or in one chosen shape; the shapes of an island that lie beside a cell make it sea:

    sum_i shape_k_i = 1,   sea_c + sum over shapes with c inside = 1,   sum of k's shapes beside c <= sea_c

An island is connected and of its size by itself, so the relaxation of one island is its convex hull; such extended
formulations are those of Dantzig and Wolfe ("Decomposition principle for linear programs", Oper. Res. 8, 1960), here
with every column made beforehand. The sea is connected as in `arborescence`. 5 N binaries and one for each shape, 4 N
flows, some 14 N rows and up to N for each island.

The number of shapes grows exponentially with the size of an island. `shapes` lists all of them: more than `max_shapes`
for all islands together end it with the reason "too many shapes". `mixed` lists an island only if it has at most FEW,
the small lists first and MANY in all, and models the others as `arborescence` does.
"""

from ...constraints import Islands
from ..shapes import applies, listed
from .common import Shapes
from .encoder import Encoder

FEW = 3000  # shapes of an island that `mixed` lists
MANY = 40_000  # shapes of all islands, and steps to list them


def all_shapes(constraint: Islands, m: Encoder) -> list[Shapes | None] | None:
    return listed(m.model, m.run, m.style.max_shapes)


def few_shapes(constraint: Islands, m: Encoder) -> list[Shapes | None] | None:
    return listed(m.model, m.run, MANY, FEW) if applies(m.model) else [None] * len(constraint.clues)
