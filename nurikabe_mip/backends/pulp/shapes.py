"""Formulation `shapes`: set partitioning over the shapes that each island can take.

A binary `shape_k_i` for each shape i of island k, listed as the backend `shapes` does it. One shape an island is chosen;
each cell is sea or in one chosen shape; the shapes of one island that lie beside a cell make it sea:

    sum_i shape_k_i = 1,   sea_c + sum over shapes with c inside = 1,   sum of k's shapes beside c <= sea_c

Each island is connected and of its size by itself, so its relaxation is the best there is (the convex hull); such
extended formulations are Dantzig and Wolfe's ("Decomposition principle for linear programs", Oper. Res. 8, 1960), here
with every column made beforehand. The sea is connected as in `flow`. N binaries and one for each shape, some 2 N rows
and up to N for each island. The number of shapes grows exponentially with the size of an island: more than `max_shapes`
for all islands together end it with the reason "too many shapes".
"""

from functools import partial

from ..shapes import TooManyShapes, listed
from .common import Shapes, Territory
from .encoder import Encoder

FEW = 500  # shapes of an island that `mixed` lists
STEPS = 200_000  # for all of these lists together


def all_shapes(m: Encoder) -> list[Shapes | None] | None:
    return listed(m.model, m.run, m.style.max_shapes)


def few_shapes(m: Encoder) -> list[Shapes | None] | None:
    return listed(m.model, m.run, STEPS, FEW)
