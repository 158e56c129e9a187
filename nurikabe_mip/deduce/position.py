"""A board in the arrays of the compiled kernel, and the way to and from them."""

import sys
import time
from collections.abc import Callable
from functools import cache
from types import ModuleType

import numpy as np

from ..errors import PuzzleError
from ..puzzles import NO_CLUE, SHADED, UNDECIDED, UNSHADED, Shading

# assumptions times cells that the kernel tries before it returns: limits and Ctrl-C are looked at in between
TRIES = 8192


@cache
def load_kernel() -> ModuleType:
    """The kernel's module; the first import on a machine compiles it and says so in a line on stderr."""
    try:
        from numba.core import event
    except ImportError:
        from . import kernel

        return kernel

    class Notice(event.Listener):
        given = False

        def on_start(self, event):
            if not self.given:
                self.given = True
                print("nurikabe-mip: compiling the deductions, once on this machine (10 to 30 s)", file=sys.stderr)

        def on_end(self, event):
            pass

    with event.install_listener("numba:compile", Notice()):
        from . import kernel
    return kernel


def board_of(clues) -> np.ndarray:
    """`clues` as an array of shape (rows, columns); PuzzleError if it has another dimension or no cell."""
    board = np.asarray(clues)
    if board.ndim != 2 or board.size == 0 or board.dtype.kind not in "iu":
        raise PuzzleError(f"clues are whole numbers of shape (rows, columns); these have the shape {board.shape}")
    return board


def values_of(board: np.ndarray, values) -> np.ndarray:
    """A partial answer (None, a Shading, flat or 2-D) as int8 of the board's shape, open clue cells as land."""
    if values is None:
        start = np.zeros(board.shape, dtype=np.int8)
    else:
        given = np.asarray(values.cells if isinstance(values, Shading) else values)
        if given.shape not in (board.shape, (board.size,)):
            raise PuzzleError(f"the puzzle has the shape {board.shape} and the answer {given.shape}")
        if given.dtype.kind not in "iu" or given.min() < UNSHADED or given.max() > SHADED:
            raise PuzzleError("a cell of a shading is 1 (shaded), -1 (unshaded) or 0 (undecided)")
        start = given.reshape(board.shape).astype(np.int8)
    start[(board != NO_CLUE) & (start == UNDECIDED)] = UNSHADED
    return start


class Position:
    """A position that the kernel steps on; `values` must not shade a clue cell."""

    def __init__(self, board: np.ndarray, values: np.ndarray):
        self.kernel = k = load_kernel()
        rows, columns = self.shape = board.shape
        stride = columns + 1
        size = (rows + 2) * stride + 2
        # where the kernel keeps each cell
        self.places = ((np.arange(1, rows + 1) * stride + 1)[:, None] + np.arange(columns)).ravel()
        clues = board.ravel()
        cells = np.flatnonzero(clues)
        islands = len(cells)
        words = islands // k.ISLANDS_A_WORD + 1
        self.S = np.zeros((k.OWNERS + words, size), dtype=np.int64)
        # the lists of a row take at most four entries a decided cell
        self.T = np.zeros((k.CRITICAL + 3 * words, 4 * size + 64), dtype=np.int64)
        self.R = np.empty((max(islands, 1), size), dtype=np.int32)
        # pairs; each cell is relabelled and its neighbourhood changes a few times, each island is touched by each
        # cell and loses each cell once. The most that can be needed: what is not written takes no memory
        self.L = np.empty(2 * size * (3 * islands + 64), dtype=np.int64)
        work = self.T[k.WORK]
        work[k.STRIDE], work[k.SIZE], work[k.N_ISLANDS], work[k.N_WORDS] = stride, size, islands, words
        self.T[k.AROUND, :4] = -stride, -1, 1, stride
        self.T[k.CLUE_AT, self.places[cells]] = np.arange(1, islands + 1)
        self.T[k.CLUE_CELL, :islands] = self.places[cells]
        self.T[k.CLUE_SIZE, :islands] = clues[cells]
        self.T[k.QUEUE, :size] = k.WALL
        self.T[k.QUEUE, self.places] = values.ravel()
        k.start(self.S, self.T, self.R, self.L)

    @property
    def values(self) -> np.ndarray:
        """int8 of shape (rows, columns)"""
        return self.S[self.kernel.VALUE, self.places].astype(np.int8).reshape(self.shape)

    @property
    def is_broken(self) -> bool:
        return bool(self.T[self.kernel.WORK, self.kernel.BROKEN])

    def _repeat(self, call: Callable[..., int], arguments: tuple, deadline, stop) -> bool:
        tries = max(TRIES // len(self.places), 1)
        while call(self.S, self.T, self.R, self.L, *arguments, tries) == self.kernel.PAUSED:
            if (deadline is not None and time.perf_counter() >= deadline) or (stop is not None and stop()):
                return False
        return True

    def run(self, top: int, max_steps: int, deadline, stop) -> tuple[list[tuple[int, int, list[int]]], bool]:
        """Steps as (technique, value, cells), and whether the end came before `deadline` and `stop`."""
        k = self.kernel
        steps = np.empty((len(self.places) + 1, 4), dtype=np.int64)
        ended = self._repeat(k.run, (steps, top, max_steps), deadline, stop)
        made = steps[: self.T[k.WORK, k.N_STEPS]].tolist()
        trail = self.T[k.TRAIL, : self.S[k.NUMBER, k.N_TRAIL]]
        row, column = np.divmod(trail - 1, self.shape[1] + 1)
        cells = ((row - 1) * self.shape[1] + column).tolist()
        return [(technique, value, cells[first:last]) for technique, value, first, last in made], ended

    def look_ahead(self, deadline, stop) -> bool:
        """Fix what look-ahead fixes; False if `deadline` or `stop` came first."""
        return self._repeat(self.kernel.look_ahead, (), deadline, stop)
