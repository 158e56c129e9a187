"""How a Nurikabe is made: an answer is grown, and then changed until the puzzle is what was asked for.

An answer with a number on each island is grown by the kernel. From then on the board is always a puzzle with a known
answer, and a climb looks for one that is unique and of the level: a random change near a cell that is still open is
kept if the board is not worse by it.

* What is open after the techniques is what there is to lose: `easy` counts the cells that easy techniques leave open,
  the others those that medium ones do. Where all are decided that is the proof of uniqueness.
* Above medium a complete search looks for a second answer among the cells left open. Where there is one, the next
  change is made where it differs. Where there is none the puzzle is unique and is rated.
* A unique puzzle that is too easy for hard or more becomes harder the more cells medium techniques leave open.

Changes keep the rules of an answer, the share of land, and about the number of islands: without that, climbs end in
boards of ones and twos, which are easier to make unique. The spots where a board is open are far from each other, so
the way to climb does not depend on the size of the board.

A climb without progress is given up on a small board; on a large one it goes on from a few changes in the bad spot.
"""

import hashlib

import numpy as np

from .. import deduce
from ..backends import search
from ..backends.base import LimitReached, Run
from ..compiled import Kernel
from ..deduce.position import KERNELS, NurikabeScreen
from ..puzzles import NO_CLUE, UNDECIDED, UNKNOWN_SIZE, UNSHADED
from .request import ANY, Request, images

VERSION = "1"
KERNEL = Kernel(f"{__package__}.kernel", "the generator")
LEAST_LAND, MOST_LAND = 40, 55  # per cent
LARGEST_ISLAND = 6
EASY_LEAST_LAND, EASY_LARGEST_ISLAND = 36, 3  # small islands are further apart
PATIENCE = 12  # changes without progress, times rows + columns, after which a climb is stuck
SMALL = 36  # cells below which an island more is allowed than were grown
KICK = 4  # changes in the bad spot when it is stuck
CELLS_A_KICK = 100
LARGE = 400  # cells from which on a board is first looked at near the change alone,
WINDOW = 4  # that many cells around it
TOO_EASY = 8  # what an easier puzzle than asked for counts, in open cells
NOT_UNIQUE = 1 << 20  # added where unique puzzles of the wrong level are compared, too
SEARCH_CALLS = 64  # of search.BUDGET decisions and conflicts; a board that takes more is as good as not unique
HARDER = {"hard": ("expert", deduce.BEYOND), "expert": (deduce.BEYOND,), deduce.BEYOND: ()}
EASY, MEDIUM = map(deduce.NURIKABE.hardest, ("easy", "medium"))
NO_SIGHT = np.zeros(0, dtype=np.int32)
COUNTS = ("seeds", "grown", "added", "removed", "joined", "moved")


class Maker:
    """Make one puzzle; `clues` and `values` are the board at hand, of shape (rows, columns)."""

    def __init__(self, request: Request, seed: int, run: Run):
        for kernel in (KERNEL, KERNELS["nurikabe"].compiled, search.KERNEL):
            if not kernel.ready(lambda: run.is_over):
                raise LimitReached
        self.request, self.run = request, run
        self.kernel = KERNEL.load()
        self.searcher = search.KERNEL.load()
        self.done = dict.fromkeys(("screenings", "searches", "nodes", "ratings", "changes", "kicks"), 0)
        self.attempts = 0
        self._set_up(f"nurikabe {VERSION}: {request.shape} {request.options} {seed}")

    def _set_up(self, key: str) -> None:
        k, request = self.kernel, self.request
        rows, columns = request.shape
        stride, size, n = columns + 1, (rows + 2) * (columns + 1) + 2, rows * columns
        self.places = ((np.arange(1, rows + 1) * stride + 1)[:, None] + np.arange(columns)).ravel()
        turns = images(request.symmetry, request.shape)
        self.G = np.zeros((k.IMAGES + len(turns), 2 * size + k.N_NUMBERS), dtype=np.int64)
        self.G[k.VALUE] = k.WALL
        self.G[k.VALUE, self.places] = k.SEA
        for row, image in enumerate(turns):
            self.G[k.IMAGES + row, self.places] = self.places[image]
        least, most = (
            (EASY_LEAST_LAND, EASY_LARGEST_ISLAND) if request.level == "easy" else (LEAST_LAND, LARGEST_ISLAND)
        )
        self.N = N = self.G[k.NUMBER]
        N[k.STRIDE], N[k.SIZE], N[k.MOST], N[k.N_IMAGES] = stride, size, most, len(turns)
        N[k.LEAST_LAND], N[k.MOST_LAND] = n * least // 100, -(-n * MOST_LAND // 100)
        N[k.RANDOM : k.RANDOM + 4] = np.frombuffer(hashlib.sha256(key.encode()).digest()[:16], "<u4")
        self.screen = NurikabeScreen(request.shape)
        self.clues = np.zeros(request.shape, dtype=np.int64)
        self.values = np.zeros(request.shape, dtype=np.int64)

    def attempt(self) -> bool:
        """Grow an answer and climb; whether that led to a puzzle as asked for."""
        self.attempts += 1
        k = self.kernel
        n = len(self.places)
        self.N[k.MOST_CLUES] = n
        if not k.grow(self.G):
            return False
        # with a symmetry the clues come and go by several, and nothing else adds islands
        self.N[k.MOST_CLUES] = self.N[k.N_CLUES] + (n // 20 if self.request.symmetry else n < SMALL)
        patience, kicks = PATIENCE * sum(self.request.shape), n // CELLS_A_KICK
        stuck, kicked = 0, 0
        best, bound = NOT_UNIQUE * 2, NOT_UNIQUE * 2
        self.focus, self.known = self.places, None
        changed = True
        while True:
            self.run.poll()
            stuck += 1
            if changed:
                k.read(self.G, self.clues.reshape(n), self.values.reshape(n))
                loss, focus = self._judge(bound)
                if loss is None:
                    return self._hide()
                if loss > bound:
                    k.undo(self.G)
                else:
                    if loss < best:
                        best, stuck, kicked = loss, 0, 0
                    bound, self.focus = loss, focus
                    if n >= LARGE:
                        self.known = self.fixed
            if stuck > patience:
                if kicked == kicks:
                    return False
                kicked, stuck, bound, self.known = kicked + 1, 0, NOT_UNIQUE * 2, None
                self.done["kicks"] += 1
                for _ in range(KICK):
                    self._change()
            changed = self._change()

    def _change(self) -> bool:
        self.done["changes"] += 1
        self.N[self.kernel.N_FOCUS] = len(self.focus)
        self.G[self.kernel.FOCUS, : len(self.focus)] = self.focus
        return bool(self.kernel.mutate(self.G))

    def _judge(self, bound: int) -> tuple[int | None, np.ndarray | None]:
        """How far the board is from what was asked for, and the cells to change; None if it is what was asked for.

        If the first is above `bound` it need not be exact.
        """
        level = self.request.level
        top = EASY if level == "easy" else MEDIUM
        most_open = bound - NOT_UNIQUE if level in HARDER else bound
        if self.known is not None and most_open >= 0:
            # with what was known away from the change more follows than without it: if this is not enough, nothing is
            n_open = int((self._screen(top, self._known_outside()) == UNDECIDED).sum())
            if n_open > most_open:
                return NOT_UNIQUE * 2, None
        fixed = self.fixed = self._screen(top)
        open_cells = (fixed == UNDECIDED).nonzero()[0]
        n_open = len(open_cells)
        if level in HARDER:
            return self._judge_hard(bound, fixed, open_cells)
        if n_open > bound:
            return n_open, None
        if n_open and level == ANY:
            unique, differing = self._search(fixed)
            if not unique:
                return n_open, self.places[differing if differing is not None else open_cells]
        elif n_open:
            return n_open, self.places[open_cells]
        if (level == "medium" and (self._screen(EASY) != UNDECIDED).all()) or not self._has_required():
            return TOO_EASY, self.places
        return None, None

    def _judge_hard(self, bound: int, fixed: np.ndarray, open_cells: np.ndarray):
        """The same for the levels above medium: not unique is worst, then comes too hard, then too easy by degrees."""
        n_open = len(open_cells)
        if n_open:
            if n_open + NOT_UNIQUE > bound >= NOT_UNIQUE:
                return n_open + NOT_UNIQUE, None
            unique, differing = self._search(fixed)
            if not unique:
                return n_open + NOT_UNIQUE, self.places[open_cells if differing is None else differing]
            if -n_open > bound:
                return -n_open, None
            deduction = self._rate("hard" if self.request.level == "hard" else "expert")
            if deduction.level == self.request.level and self._has_required(deduction):
                return None, None
            if deduction.level in HARDER[self.request.level]:
                return 0, self.places[open_cells]
        return -n_open, self.places

    def _known_outside(self) -> np.ndarray:
        """What was known of the board before, but for the part around the last change."""
        k = self.kernel
        rows, columns = np.divmod(self.G[k.LOG_CELL, : self.N[k.N_LOG]] - 1, self.request.shape[1] + 1)
        known = self.known.reshape(self.request.shape).copy()
        top, left = max(rows.min() - 1 - WINDOW, 0), max(columns.min() - WINDOW, 0)
        known[top : rows.max() + WINDOW, left : columns.max() + WINDOW + 1] = UNDECIDED
        return known

    def _screen(self, top: int, known: np.ndarray | int = UNDECIDED) -> np.ndarray:
        """What the techniques up to `top` find out about the clues and what is known, flat."""
        self.done["screenings"] += 1
        return self.screen.fixed(self.clues, np.where(self.clues != NO_CLUE, UNSHADED, known), top)

    def _search(self, fixed: np.ndarray) -> tuple[bool, np.ndarray | None]:
        """Whether the answer is the only one that has the values fixed; if not the cells where another differs."""
        self.done["searches"] += 1
        k = self.searcher
        clues, values = self.clues.ravel(), self.values.ravel()
        cells = clues.nonzero()[0].astype(np.int32)
        rules = k.RULE_ISLANDS | k.RULE_NO_POOL | k.RULE_SEA_CONNECTED | k.RULE_NEEDS_SEA
        sizes, fixed = clues[cells].astype(np.int32), fixed.astype(np.int32)
        state = k.new_state(*self.request.shape, cells, sizes, NO_SIGHT, NO_SIGHT, fixed, rules)
        k.suggest(state, values.astype(np.int32))  # another answer is near
        unique, differing = False, None
        for _ in range(SEARCH_CALLS):
            self.run.poll()
            found = k.run(state, search.BUDGET)
            if found == k.FINISHED:
                unique = True
                break
            if found == k.SOLUTION and (k.solution(state) != values).any():
                differing = np.flatnonzero(k.solution(state) != values)
                break
        self.done["nodes"] += int(k.counters(state)[0])
        return unique, differing

    def _rate(self, level: str = "expert") -> deduce.Deduction:
        """The steps of the rating, up to a level."""
        self.done["ratings"] += 1
        deduction = deduce.rated(self.clues, level=level, stop=lambda: self.run.is_over)
        if deduction.interrupted:
            raise LimitReached
        return deduction

    def _has_required(self, deduction: deduce.Deduction | None = None) -> bool:
        require = self.request.require
        return require is None or (deduction or self._rate()).counts[require] > 0

    def _hide(self) -> bool:
        """Replace clues by `?` while the puzzle is as asked for; whether the share asked for was reached."""
        k = self.kernel
        self.known = None
        clues = self.clues.ravel()
        cells = np.flatnonzero(clues)
        wanted = int(self.request.hidden * len(cells) + 0.5)
        for i in range(len(cells)):
            if wanted == 0:
                break
            j = i + k.draw(self.G, len(cells) - i)
            cells[i], cells[j] = cells[j], cells[i]
            number = clues[cells[i]]
            clues[cells[i]] = UNKNOWN_SIZE
            if self._judge(NOT_UNIQUE * 2)[0] is None:
                wanted -= 1
            else:
                clues[cells[i]] = number
        return wanted == 0

    @property
    def counts(self) -> dict[str, int]:
        """How often each operation was done."""
        k = self.kernel
        return {name: int(self.N[getattr(k, name.upper())]) for name in COUNTS} | self.done
