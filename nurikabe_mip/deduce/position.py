"""A board in the arrays of the compiled kernel, and the way to and from them."""

import importlib.util
import time
from collections.abc import Callable
from functools import cache, lru_cache
from types import ModuleType

import numpy as np

from ..compiled import Kernel
from ..errors import PuzzleError
from ..puzzles import NO_CLUE, SHADED, UNDECIDED, UNSHADED, Shading

# assumptions times cells that the kernel tries before it returns: limits and Ctrl-C are looked at in between
TRIES = 8192
# small boards are looked at in plain Python, until it has taken so long that the compiled kernel is worth loading
PLAIN_CELLS, PLAIN_SECONDS = 150, 0.2
PLAIN_SHARE = 16  # of TRIES, before it returns


COMPILED = Kernel(f"{__package__}.kernel", "the deductions")


def load_kernel() -> ModuleType:
    """The compiled kernel; its first import on a machine compiles it and says so in a line on stderr.

    Call it beforehand to have every board dealt with at full speed from the first one on.
    """
    return COMPILED.load()


@cache
def plain_kernel() -> ModuleType:
    """The same functions, not compiled: some 60 times slower, but there at once."""
    origin = importlib.util.find_spec(f"{__package__}.kernel").origin
    spec = importlib.util.spec_from_file_location(f"{__package__}.kernel_plain", origin)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    module.seconds = 0.0  # spent in it
    return module


def is_over(deadline: float | None, stop: Callable[[], bool] | None) -> bool:
    """Whether a moment on time.perf_counter() is past, or a function says so; None for either is no limit."""
    return (deadline is not None and time.perf_counter() >= deadline) or (stop is not None and stop())


def ready(cells: int, over: Callable[[], bool]) -> bool:
    """Wait until a board of so many cells can be dealt with; False if `over` said so first."""
    return cells <= PLAIN_CELLS or COMPILED.ready(over)


def _kernel_for(cells: int) -> ModuleType:
    """The kernel to use now for a board of so many cells: the plain one until the other is worth its loading."""
    if COMPILED.is_loaded or cells > PLAIN_CELLS:
        return COMPILED.load()
    if plain_kernel().seconds > PLAIN_SECONDS:
        COMPILED.start()
    return plain_kernel()


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


@lru_cache(maxsize=64)
def _layout(shape: tuple[int, int]) -> tuple[int, np.ndarray]:
    """The length of the kernel's rows, and where in them it keeps each cell."""
    rows, columns = shape
    stride = columns + 1
    places = (np.arange(1, rows + 1) * stride + 1)[:, None] + np.arange(columns)
    return (rows + 2) * stride + 2, places.ravel()


class Position:
    """A position that the kernel steps on; `values` must not shade a clue cell."""

    def __init__(self, board: np.ndarray, values: np.ndarray):
        self.kernel = k = _kernel_for(board.size)
        self.shape = board.shape
        size, self.places = _layout(board.shape)
        islands = np.count_nonzero(board)
        words = islands // k.ISLANDS_A_WORD + 1
        self.S = np.zeros((k.OWNERS + words, size), dtype=np.int64)
        # the lists of a row take at most four entries a decided cell
        self.T = np.zeros((k.CRITICAL + 3 * words, 4 * size + 64), dtype=np.int64)
        self.R = np.empty((max(islands, 1), size), dtype=np.int32)
        # pairs; each cell is relabelled and its neighbourhood changes a few times, each island is touched by each
        # cell and loses each cell once. The most that can be needed: what is not written takes no memory
        self.L = np.empty(2 * size * (3 * islands + 64), dtype=np.int64)
        clues, start = np.ascontiguousarray(board, dtype=np.int64), np.ascontiguousarray(values, dtype=np.int64)
        k.start(self.S, self.T, self.R, self.L, clues, start)

    @property
    def values(self) -> np.ndarray:
        """int8 of shape (rows, columns)"""
        return self.S[self.kernel.VALUE, self.places].astype(np.int8).reshape(self.shape)

    @property
    def is_broken(self) -> bool:
        return bool(self.T[self.kernel.WORK, self.kernel.BROKEN])

    def _repeat(self, entry: str, arguments: tuple, deadline, stop) -> bool:
        """Call an entry of the kernel until it has ended; False if `deadline` or `stop` came first."""
        tries = max(TRIES // len(self.places), 1)
        while True:
            plain = self.kernel.njit is None
            start = time.perf_counter()
            limit = max(tries // PLAIN_SHARE, 1) if plain else tries
            code = getattr(self.kernel, entry)(self.S, self.T, self.R, self.L, *arguments, limit)
            now = time.perf_counter()
            if code != self.kernel.PAUSED:
                break
            if is_over(deadline, stop):
                return False
            if plain:
                self.kernel.seconds += now - start
                # the position is in the arrays: the other kernel takes it over as it stands
                self.kernel = _kernel_for(len(self.places))
        if plain:
            self.kernel.seconds += now - start
        return True

    def run(self, top: int, max_steps: int, deadline, stop) -> tuple[list[tuple[int, int, list[int]]], bool]:
        """Steps as (technique, value, cells), and whether the end came before `deadline` and `stop`."""
        k = self.kernel
        steps = np.empty((len(self.places) + 1, 4), dtype=np.int64)
        ended = self._repeat("run", (steps, top, max_steps), deadline, stop)
        made = steps[: self.T[k.WORK, k.N_STEPS]].tolist()
        trail = self.T[k.TRAIL, : self.S[k.NUMBER, k.N_TRAIL]]
        row, column = np.divmod(trail - 1, self.shape[1] + 1)
        cells = ((row - 1) * self.shape[1] + column).tolist()
        return [(technique, value, cells[first:last]) for technique, value, first, last in made], ended

    def fix(self, top: int) -> None:
        """Make all steps up to technique `top` (`forced` at most) without noting them."""
        steps = np.empty((len(self.places) + 1, 4), dtype=np.int64)
        self.kernel.run(self.S, self.T, self.R, self.L, steps, top, len(self.places), 1)  # never pauses without tries

    def look_ahead(self, deadline, stop) -> bool:
        """Fix what look-ahead fixes; False if `deadline` or `stop` came first."""
        return self._repeat("look_ahead", (), deadline, stop)
