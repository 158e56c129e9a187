"""How a Kuromasu is made: the answer first, then numbers, then as few of them as will do.

Cells become black in random order, each if it touches no black cell and the white ones stay connected, until their
share is reached; so the pass cannot get stuck. Every white cell gets its number: that board has one solution, for its
cells without a number are the black ones, and one more white cell would let some clue see more. Then numbers are taken
away in random order, with their images where the clues are to be symmetric, each for good if the solution stays the
only one. That is proved after each by a complete search.

For a level the search is the plain one that the level is read from, see `rate`: a number also stays if the board would
become harder than asked for without it. In the end the board is as hard as it may be, or the next answer is begun.
"""

import hashlib
import random

import numpy as np

from .. import deduce
from ..backends import search
from ..backends.base import LimitReached, Run
from ..constraints import ShadingModel
from ..deduce.position import KERNELS
from ..grid import grid_of
from ..puzzles import NO_CLUE, SHADED, UNSHADED, Kuromasu
from ..rate import KUROMASU_BANDS, kuromasu_band
from .request import ANY, Request, images

VERSION = "1"
BLACK_SHARE = 0.2  # what people's puzzles have: 0.17 to 0.25


class Maker:
    """Make one puzzle; `clues` and `values` are the board at hand, of shape (rows, columns)."""

    def __init__(self, request: Request, seed: int, run: Run):
        for kernel in (KERNELS["kuromasu"].compiled, search.KERNEL):
            if not kernel.ready(lambda: run.is_over):
                raise LimitReached
        self.request, self.run = request, run
        self.grid = grid_of(request.shape)
        self.images = images(request.symmetry, request.shape)
        bound = KUROMASU_BANDS.get(request.level)
        self.most_nodes = None if bound is None else int(bound * self.grid.size)
        self.counts = dict.fromkeys(("blacks", "searches", "removed"), 0)
        self.attempts = 0
        key = f"kuromasu {VERSION}: {request.shape} {request.options} {seed}"
        self.random = random.Random(int.from_bytes(hashlib.sha256(key.encode()).digest()))

    def attempt(self) -> bool:
        """Make an answer, number it and take numbers away; whether that led to a puzzle as asked for."""
        self.attempts += 1
        values = self._answer()
        clues = np.array([self._sight(values, c) if values[c] == UNSHADED else NO_CLUE for c in range(self.grid.size)])
        self.values = np.array(values).reshape(self.request.shape)
        for c in range(self.grid.size):
            if (clues[[image[c] for image in self.images]] == NO_CLUE).any():  # it has an image that is black
                clues[[image[c] for image in self.images]] = NO_CLUE
        if len(self.images) > 1 and not self._is_good(clues):
            return False
        for c in self._shuffled():
            together = [image[c] for image in self.images]
            if clues[c] == NO_CLUE:
                continue
            without = clues.copy()
            without[together] = NO_CLUE
            if self._is_good(without):
                clues = without
                self.counts["removed"] += len(set(together))
        self.clues = clues.reshape(self.request.shape)
        return self.request.level in (ANY, kuromasu_band(self.clues, self.run)[0])

    def _shuffled(self) -> list[int]:
        """The cells in random order; drawn in whole numbers, the same on every machine."""
        cells = list(range(self.grid.size))
        for i in range(len(cells) - 1, 0, -1):
            j = self.random.getrandbits(32) * (i + 1) >> 32
            cells[i], cells[j] = cells[j], cells[i]
        return cells

    def _answer(self) -> list[int]:
        """Cell values with the share of black cells asked for, or as many as fit."""
        grid = self.grid
        share = BLACK_SHARE if self.request.black_share is None else self.request.black_share
        wanted = int(share * grid.size + 0.5)
        values = [UNSHADED] * grid.size
        for c in self._shuffled():
            self.run.poll()
            if wanted == 0:
                break
            if any(values[d] == SHADED for d in grid.neighbours[c]):
                continue
            values[c] = SHADED
            if len(grid.components([value == UNSHADED for value in values])) == 1:
                wanted -= 1
                self.counts["blacks"] += 1
            else:
                values[c] = UNSHADED
        return values

    def _sight(self, values: list[int], c: int) -> int:
        seen = 1
        for ray in self.grid.rays(c):
            for d in ray:
                if values[d] == SHADED:
                    break
                seen += 1
        return seen

    def _is_good(self, clues: np.ndarray) -> bool:
        """Whether there is exactly one solution, and the board is not harder than asked for."""
        self.run.poll()
        self.counts["searches"] += 1
        clues = clues.reshape(self.request.shape)
        if self.most_nodes is None:
            found = search.shadings(ShadingModel.of(Kuromasu(clues)), self.run)
            return sum(1 for _ in zip(range(2), found, strict=False)) == 1
        found = deduce.plain_search(clues, self.most_nodes, answers=2, stop=lambda: self.run.is_over)
        if found is None:
            raise LimitReached
        nodes, answers = found
        return nodes <= self.most_nodes and answers == 1
