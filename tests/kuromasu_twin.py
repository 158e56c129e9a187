"""Kuromasu by the book: every answer of small boards, and the techniques in plain Python, as slow as they are short.

It shares no code with the package.
"""

from functools import cache
from itertools import product

import numpy as np

BLACK, WHITE, OPEN = 1, -1, 0
TECHNIQUES = (
    "beside_black",
    "sight_complete",
    "sight_needs",
    "sight_too_far",
    "sight_splits",
    "keeps_together",
    "short_contradiction",
    "contradiction",
)
EASY, MEDIUM = TECHNIQUES[:4], TECHNIQUES[:6]


def beside(cell, shape):
    r, c = cell
    near = ((r - 1, c), (r, c - 1), (r, c + 1), (r + 1, c))
    return [(r, c) for r, c in near if 0 <= r < shape[0] and 0 <= c < shape[1]]


def rays(cell, shape):
    """The cells above, left, right and below, the nearest first."""
    (r, c), (rows, columns) = cell, shape
    return (
        [(i, c) for i in range(r - 1, -1, -1)],
        [(r, j) for j in range(c - 1, -1, -1)],
        [(r, j) for j in range(c + 1, columns)],
        [(i, c) for i in range(r + 1, rows)],
    )


def parts(cells, shape):
    """The connected parts of a set of cells."""
    left, found = set(cells), []
    while left:
        part = [left.pop()]
        for cell in part:
            near = left.intersection(beside(cell, shape))
            left -= near
            part += near
        found.append(part)
    return found


@cache
def patterns(rows: int, columns: int) -> list[tuple[np.ndarray, str]]:
    """For every answer of a board without clues what each cell sees (0 if it is black), and its text."""
    shape = (rows, columns)
    cells = list(product(range(rows), range(columns)))
    found = []
    for signs in product("-#", repeat=len(cells)):
        black = {cell for cell, sign in zip(cells, signs, strict=True) if sign == "#"}
        if any(black.intersection(beside(cell, shape)) for cell in black):
            continue
        if len(parts(set(cells) - black, shape)) != 1:
            continue
        seen = np.zeros(shape, dtype=int)
        for cell in set(cells) - black:
            seen[cell] = 1 + sum(
                next((i for i, c in enumerate(ray) if c in black), len(ray)) for ray in rays(cell, shape)
            )
        text = "\n".join("".join(signs[r * columns : (r + 1) * columns]) for r in range(rows))
        found.append((seen, text))
    return found


def answers(clues: np.ndarray) -> set[str]:
    """The texts of all solutions."""
    where = clues != 0
    return {
        text
        for seen, text in patterns(*clues.shape)
        if (seen[where] > 0).all() and ((clues[where] < 0) | (seen[where] == clues[where])).all()
    }


class Position:
    """What is known, cell by cell, and the next step."""

    def __init__(self, clues: np.ndarray, values: np.ndarray | None = None):
        self.clues, self.shape = clues, clues.shape
        self.cells = list(product(range(self.shape[0]), range(self.shape[1])))
        self.values = np.zeros(self.shape, dtype=int) if values is None else values.reshape(self.shape).astype(int)
        self.values[(clues != 0) & (self.values == OPEN)] = WHITE
        self.numbers = [(cell, int(clues[cell]) - 1) for cell in self.cells if clues[cell] > 0]

    def are(self, value):
        return [cell for cell in self.cells if self.values[cell] == value]

    def counts(self, ray):
        """The numbers of cells of a direction that may be seen."""
        found = []
        for number, cell in enumerate(ray):
            if self.values[cell] != WHITE:
                found.append(number)
            if self.values[cell] == BLACK:
                return found
        return [*found, len(ray)]

    def ways(self, clue, wanted):
        return [way for way in product(*map(self.counts, rays(clue, self.shape))) if sum(way) == wanted]

    def parted(self, black=()):
        """Whether white cells cannot be connected, or none is left, once these cells are black too."""
        rest = [cell for cell in self.cells if self.values[cell] != BLACK and cell not in black]
        with_white = [part for part in parts(rest, self.shape) if any(self.values[cell] == WHITE for cell in part)]
        return len(with_white) > 1 or not rest

    def is_broken(self):
        if any(self.values[d] == BLACK for cell in self.are(BLACK) for d in beside(cell, self.shape)):
            return True
        return self.parted() or not all(self.ways(clue, wanted) for clue, wanted in self.numbers)

    def next(self, techniques):
        """The first technique that applies: its name, the cells and their value; None if there is none."""
        for name in techniques:
            found = getattr(self, name)()
            if found is not None:
                return name, *found
        return None

    def open_among(self, cells):
        return sorted(cell for cell in cells if self.values[cell] == OPEN)

    def beside_black(self):
        for cell in self.are(BLACK):
            if self.open_among(beside(cell, self.shape)):
                return self.open_among(beside(cell, self.shape)), WHITE

    def least(self, ray):
        return next((i for i, cell in enumerate(ray) if self.values[cell] != WHITE), len(ray))

    def sight_complete(self):
        for clue, wanted in self.numbers:
            least = [(ray, self.least(ray)) for ray in rays(clue, self.shape)]
            ends = self.open_among(ray[n] for ray, n in least if n < len(ray))
            if sum(n for _, n in least) == wanted and ends:
                return ends, BLACK

    def sight_needs(self):
        for clue, wanted in self.numbers:
            most = [(ray, self.counts(ray)[-1]) for ray in rays(clue, self.shape)]
            for ray, n in most:
                needed = wanted - sum(m for _, m in most) + n
                if self.open_among(ray[: max(needed, 0)]):
                    return self.open_among(ray[:needed]), WHITE

    def sight_too_far(self):
        for clue, wanted in self.numbers:
            for ray in rays(clue, self.shape):
                n = self.least(ray)
                if n < len(ray) and self.values[ray[n]] == OPEN:
                    self.values[ray[n]] = WHITE
                    seen = sum(map(self.least, rays(clue, self.shape)))
                    self.values[ray[n]] = OPEN
                    if seen > wanted:
                        return [ray[n]], BLACK

    def sight_splits(self):
        for clue, wanted in self.numbers:
            ways = self.ways(clue, wanted)
            for side, ray in enumerate(rays(clue, self.shape)):
                numbers = {way[side] for way in ways}
                if self.open_among(ray[: min(numbers)]):
                    return self.open_among(ray[: min(numbers)]), WHITE
                ends = ray[min(numbers) : min(numbers) + 1]
                if len(numbers) == 1 and self.open_among(ends):
                    return ends, BLACK

    def keeps_together(self):
        for cell in self.are(OPEN):
            if self.parted([cell]):
                return [cell], WHITE

    def short_contradiction(self, limit=6):
        for cell in self.are(OPEN):
            for value in (BLACK, WHITE):
                if self.breaks(cell, value, limit):
                    return [cell], -value

    def contradiction(self):
        return self.short_contradiction(20)

    def breaks(self, cell, value, limit):
        inner = self.with_value(cell, value)
        while not inner.is_broken():
            step = inner.next(MEDIUM) if limit else None
            if step is None:
                return False
            inner.make(step)
            limit -= step[0] != "beside_black"
        return True

    def with_value(self, cell, value):
        other = Position(self.clues, self.values.copy())
        other.values[cell] = value
        return other

    def make(self, step):
        for cell in step[1]:
            self.values[cell] = step[2]

    def settled(self, techniques):
        """The same after all that the techniques find, or None if that is broken."""
        while not self.is_broken():
            step = self.next(techniques)
            if step is None:
                return self
            self.make(step)
        return None


def run(clues, values=None, techniques=TECHNIQUES):
    """The steps as (technique, cells, value), the values after them, and whether these are broken."""
    position, steps = Position(clues, values), []
    while not position.is_broken():
        step = position.next(techniques)
        if step is None:
            return steps, position.values, False
        steps.append(step)
        position.make(step)
    return steps, position.values, True


def search_nodes(clues) -> int:
    """The tries of the plain search through all solutions."""
    position = Position(clues).settled(EASY)
    return 0 if position is None else _nodes(position)


def _nodes(position) -> int:
    if not position.are(OPEN):
        return 0
    below = [position.with_value(position.are(OPEN)[0], value).settled(EASY) for value in (BLACK, WHITE)]
    return 2 + sum(_nodes(other) for other in below if other is not None)
