"""A board in the arrays of the compiled kernel, and the way to and from them."""

import importlib.util
import time
from collections.abc import Callable
from functools import cached_property, lru_cache
from types import FunctionType, ModuleType
from typing import ClassVar

import numpy as np

from ..compiled import Kernel
from ..errors import PuzzleError
from ..puzzles import NO_CLUE, SHADED, UNDECIDED, UNSHADED, Shading

# assumptions times cells that the kernel tries before it returns: limits and Ctrl-C are looked at in between
TRIES = 8192
# small boards are looked at in plain Python, until it has taken so long that the compiled kernel is worth loading
PLAIN_CELLS, PLAIN_SECONDS = 150, 0.2
PLAIN_SHARE = 16  # of TRIES, before it returns


class Kernels:
    """The kernel of a genre, compiled, and the same functions not compiled."""

    def __init__(self, module: str, what: str):
        self.module = module
        self.compiled = Kernel(f"{__package__}.{module}", what)
        self.plain_seconds = 0.0  # spent in what is not compiled

    @cached_property
    def plain(self) -> ModuleType:
        """The functions not compiled: some 60 times slower, but there at once."""
        origin = importlib.util.find_spec(f"{__package__}.{self.module}").origin
        spec = importlib.util.spec_from_file_location(f"{__package__}.{self.module}_plain", origin)
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
        return module

    def ready(self, cells: int, over: Callable[[], bool]) -> bool:
        """Wait until a board of so many cells can be dealt with; False if `over` said so first."""
        return cells <= PLAIN_CELLS or self.compiled.ready(over)

    def for_board(self, cells: int) -> ModuleType:
        """The kernel to use now for a board of so many cells: the plain one until the other is worth its loading."""
        if self.compiled.is_loaded or cells > PLAIN_CELLS:
            return self.compiled.load()
        if self.plain_seconds > PLAIN_SECONDS:
            self.compiled.start()
        return self.plain


KERNELS = {
    "nurikabe": Kernels("kernel", "the deductions"),
    "kuromasu": Kernels("kuromasu_kernel", "the deductions for Kuromasu"),
}


def load_kernel(genre: str = "nurikabe") -> ModuleType:
    """The compiled kernel of a genre; its first import on a machine compiles it and says so in a line on stderr.

    Call it beforehand to have every board dealt with at full speed from the first one on.
    """
    return KERNELS[genre].compiled.load()


def is_over(deadline: float | None, stop: Callable[[], bool] | None) -> bool:
    """Whether a moment on time.perf_counter() is past, or a function says so; None for either is no limit."""
    return (deadline is not None and time.perf_counter() >= deadline) or (stop is not None and stop())


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
def _layout(shape: tuple[int, int]) -> tuple[int, int, np.ndarray]:
    """The kernel's stride, the length of its rows, and where in them it keeps each cell."""
    rows, columns = shape
    stride = columns + 1
    places = (np.arange(1, rows + 1) * stride + 1)[:, None] + np.arange(columns)
    return stride, (rows + 2) * stride + 2, places.ravel()


class Position:
    """A position that the kernel steps on; `values` must not shade a clue cell.

    A genre fills in `arrays`, what the functions of its kernel take first, and says where in them the figures are.
    """

    genre: ClassVar[str]

    def __init__(self, board: np.ndarray, values: np.ndarray):
        self.kernel = KERNELS[self.genre].for_board(board.size)
        self.shape = board.shape
        self.stride, self.size, self.places = _layout(board.shape)
        self.arrays: tuple[np.ndarray, ...] = self._start(board, values)

    def _start(self, board: np.ndarray, values: np.ndarray) -> tuple[np.ndarray, ...]:
        """Have the kernel begin, and return the arrays."""
        raise NotImplementedError

    @property
    def trail(self) -> np.ndarray:
        """The cells decided so far, in order, where the kernel keeps them."""
        raise NotImplementedError

    @property
    def work(self) -> np.ndarray:
        """The single numbers of the kernel."""
        raise NotImplementedError

    @property
    def values(self) -> np.ndarray:
        """int8 of shape (rows, columns)"""
        return self.arrays[0][self.kernel.VALUE, self.places].astype(np.int8).reshape(self.shape)

    @property
    def is_broken(self) -> bool:
        return bool(self.work[self.kernel.BROKEN])

    def _repeat(self, entry: str, arguments: tuple, deadline, stop) -> bool:
        """Call an entry of the kernel until it has ended; False if `deadline` or `stop` came first."""
        tries = max(TRIES // len(self.places), 1)
        kernels = KERNELS[self.genre]
        while True:
            function = getattr(self.kernel, entry)
            plain = isinstance(function, FunctionType)
            start = time.perf_counter()
            limit = max(tries // PLAIN_SHARE, 1) if plain else tries
            code = function(*self.arrays, *arguments, limit)
            if plain:
                kernels.plain_seconds += time.perf_counter() - start
            if code != self.kernel.PAUSED:
                return True
            if is_over(deadline, stop):
                return False
            if plain:
                # the position is in the arrays: the other kernel takes it over as it stands
                self.kernel = kernels.for_board(len(self.places))

    def run(self, top: int, max_steps: int, deadline, stop) -> tuple[list[tuple[int, int, list[int]]], bool]:
        """Steps as (technique, value, cells), and whether the end came before `deadline` and `stop`."""
        steps = np.empty((len(self.places) + 1, 4), dtype=np.int64)
        ended = self._repeat("run", (steps, top, max_steps), deadline, stop)
        made = steps[: self.work[self.kernel.N_STEPS]].tolist()
        row, column = np.divmod(self.trail - 1, self.stride)
        cells = ((row - 1) * self.shape[1] + column).tolist()
        return [(technique, value, cells[first:last]) for technique, value, first, last in made], ended

    def fix(self, top: int) -> None:
        """Make all steps up to technique `top` (no look-ahead among them) without noting them."""
        self.kernel.fix(*self.arrays, top)

    def look_ahead(self, deadline, stop) -> bool:
        """Fix what look-ahead fixes; False if `deadline` or `stop` came first."""
        return self._repeat("look_ahead", (), deadline, stop)


def _arrays(k: ModuleType, size: int, islands: int) -> tuple[np.ndarray, ...]:
    """Arrays of zeros for rows of that size and at most so many islands."""
    words = islands // k.ISLANDS_A_WORD + 1
    S = np.zeros((k.OWNERS + words, size), dtype=np.int64)
    # the lists of a row take at most four entries a decided cell
    T = np.zeros((k.CRITICAL + 3 * words, 4 * size + 64), dtype=np.int64)
    R = np.empty((max(islands, 1), size), dtype=np.int32)
    # pairs; each cell is relabelled and its neighbourhood changes a few times, each island is touched by each
    # cell and loses each cell once. The most that can be needed: what is not written takes no memory
    L = np.empty(2 * size * (3 * islands + 64), dtype=np.int64)
    return S, T, R, L


class NurikabeScreen:
    """What the techniques decide on one board of a shape after the other, in the same arrays."""

    def __init__(self, shape: tuple[int, int]):
        self.kernel = KERNELS["nurikabe"].for_board(shape[0] * shape[1])
        _, self.size, self.places = _layout(shape)
        self.islands, self.arrays = -1, ()

    def fixed(self, clues: np.ndarray, values: np.ndarray, top: int) -> np.ndarray:
        """What follows by the techniques up to `top` (no look-ahead among them): flat int64.

        Clues and values are int64 of shape (rows, columns), clue cells land in the values.
        """
        islands = np.count_nonzero(clues)
        if islands > self.islands:
            self.islands = islands + islands // 8 + 1
            self.arrays = _arrays(self.kernel, self.size, self.islands)
        self.kernel.screen(*self.arrays, clues, values, top)
        return self.arrays[0][self.kernel.VALUE, self.places]


class NurikabePosition(Position):
    genre = "nurikabe"

    def _start(self, board, values):
        arrays = _arrays(self.kernel, self.size, np.count_nonzero(board))
        clues = np.ascontiguousarray(board, dtype=np.int64)
        self.kernel.start(*arrays, clues, np.ascontiguousarray(values, dtype=np.int64))
        return arrays

    @property
    def work(self):
        return self.arrays[1][self.kernel.WORK]

    @property
    def trail(self):
        S, T = self.arrays[:2]
        return T[self.kernel.TRAIL, : S[self.kernel.NUMBER, self.kernel.N_TRAIL]]


class KuromasuPosition(Position):
    genre = "kuromasu"

    def _start(self, board, values):
        k, size, clues = self.kernel, self.size, board.ravel()
        cells = clues.nonzero()[0]
        S = np.zeros((k.ROWS, max(size, k.COLUMNS)), dtype=np.int64)
        work = S[k.WORK]
        work[k.STRIDE], work[k.SIZE], work[k.N_CLUES], work[k.TOP] = self.stride, size, len(cells), k.KEEPS_TOGETHER
        S[k.AROUND, :4] = -self.stride, -1, 1, self.stride
        S[k.NUMBER, self.places] = clues
        S[k.CLUE_AT, self.places[cells]] = np.arange(1, len(cells) + 1)
        S[k.CLUE_CELL, : len(cells)] = self.places[cells]
        S[k.FOUND, :size] = k.WALL
        S[k.FOUND, self.places] = values.ravel()
        k.start(S)
        return (S,)

    @property
    def work(self):
        return self.arrays[0][self.kernel.WORK]

    @property
    def trail(self):
        return self.arrays[0][self.kernel.TRAIL, : self.work[self.kernel.N_TRAIL]]

    def fix(self, top):
        self.work[self.kernel.TOP] = top
        self.kernel.settle_all(*self.arrays)

    def search(self, most: int, answers: int, stop: Callable[[], bool] | None) -> tuple[int, int] | None:
        """The numbers of nodes and solutions of the plain search; None if `stop` said so first.

        It draws the easy conclusions alone, and ends soon after more than `most` nodes, or at once after `answers`
        solutions if that is not 0.
        """
        k, work = self.kernel, self.work
        work[k.TOP], work[k.MOST_ANSWERS] = k.SIGHT_TOO_FAR, answers
        ended = self._repeat("search", (), None, lambda: work[k.N_NODES] > most or is_over(None, stop))
        return (int(work[k.N_NODES]), int(work[k.N_ANSWERS])) if ended or work[k.N_NODES] > most else None


POSITIONS = {position.genre: position for position in (NurikabePosition, KuromasuPosition)}
