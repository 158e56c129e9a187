"""Geometry of a rectangular board, without rules.

A cell has a place `(row, column)`, counted from 0 at the top left, and an index `row * columns + column`. Public
functions of the package speak of places; what is computed here works on indices and on flat arrays.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from numbers import Integral
from operator import index

import numpy as np

from .errors import OptionError

Cell = tuple[int, int]


def shape_of(name: str, value) -> tuple[int, int]:
    """A shape from (rows, columns), a text such as "8x12", or a number for a square board.

    Raises OptionError, which calls it `name`, for anything else.

    >>> shape_of("shape", "8x12"), shape_of("shape", 10)
    ((8, 12), (10, 10))
    """
    try:
        if isinstance(value, str):
            rows, columns = map(int, value.lower().split("x")) if "x" in value.lower() else (int(value),) * 2
        else:
            rows, columns = map(index, (value, value) if isinstance(value, Integral) else value)
    except (TypeError, ValueError):
        rows = columns = 0
    if min(rows, columns) < 1:
        raise OptionError(f'{name} is (rows, columns), a text such as "8x12", or 10 for 10x10; got {value!r}')
    return rows, columns


@dataclass(frozen=True)
class Grid:
    """The cells of a board and how they touch; make one with `grid_of(shape)`, which keeps them."""

    rows: int
    columns: int

    @property
    def size(self) -> int:
        """Number of cells."""
        return self.rows * self.columns

    def index(self, cell: Cell) -> int:
        return cell[0] * self.columns + cell[1]

    def cell(self, index: int) -> Cell:
        return divmod(int(index), self.columns)

    def cells(self, indices: Iterable[int]) -> tuple[Cell, ...]:
        return tuple(self.cell(i) for i in indices)

    @cached_property
    def neighbours(self) -> tuple[tuple[int, ...], ...]:
        """For each cell the cells that share a side with it: above, left, right, below."""
        rows, columns = self.rows, self.columns
        return tuple(
            tuple(
                r * columns + c
                for r, c in ((row - 1, column), (row, column - 1), (row, column + 1), (row + 1, column))
                if 0 <= r < rows and 0 <= c < columns
            )
            for row in range(rows)
            for column in range(columns)
        )

    @cached_property
    def edges(self) -> tuple[tuple[int, int], ...]:
        """Each pair of cells that share a side, once, the smaller index first."""
        return tuple((c, d) for c in range(self.size) for d in self.neighbours[c] if c < d)

    @cached_property
    def blocks(self) -> np.ndarray:
        """The 2x2 blocks as an array of shape (blocks, 4): top left, top right, bottom left, bottom right."""
        index = np.arange(self.size).reshape(self.rows, self.columns)
        corners = (index[:-1, :-1], index[:-1, 1:], index[1:, :-1], index[1:, 1:])
        return np.stack([corner.ravel() for corner in corners], axis=-1)

    def rays(self, c: int) -> tuple[range, range, range, range]:
        """The cells above, left of, right of and below a cell, the nearest first."""
        row, columns = c // self.columns, self.columns
        return (
            range(c - columns, -1, -columns),
            range(c - 1, row * columns - 1, -1),
            range(c + 1, (row + 1) * columns),
            range(c + columns, self.size, columns),
        )

    def shore(self, cells: Iterable[int]) -> set[int]:
        """The neighbours of a set of cells that are not in it."""
        return {d for c in cells for d in self.neighbours[c]}.difference(cells)

    def components(self, member: Sequence[bool]) -> list[list[int]]:
        """The connected components of the cells where `member` is true, in the order of their first cells."""
        seen = [not m for m in member]
        found = []
        for start in range(self.size):
            if seen[start]:
                continue
            seen[start] = True
            component = [start]
            for c in component:
                for d in self.neighbours[c]:
                    if not seen[d]:
                        seen[d] = True
                        component.append(d)
            found.append(sorted(component))
        return found

    def distances(self, sources: Iterable[int], passable: Sequence[bool], limit: int | None = None) -> np.ndarray:
        """Steps from the nearest source to each cell over passable cells; -1 where more than `limit` or no way.

        Sources count as passable. Shape (cells,), dtype int32.
        """
        distance = np.full(self.size, -1, dtype=np.int32)
        queue = list(sources)
        distance[queue] = 0
        for c in queue:
            step = distance[c] + 1
            if limit is not None and step > limit:
                break
            for d in self.neighbours[c]:
                if distance[d] < 0 and passable[d]:
                    distance[d] = step
                    queue.append(d)
        return distance


@lru_cache(maxsize=256)
def grid_of(shape: tuple[int, int]) -> Grid:
    """The grid of a board with that many rows and columns."""
    return Grid(*map(int, shape))
