"""How the time to solve and prove grows with the board.

    python benchmarks/growth.py --backend auto --backend cpsat

The boards are generated, answer first: islands of up to six cells grow in a connected sea until every 2x2 block holds
land, and each gets its number on one of its cells. Most of these have several solutions: `several` is the time until
two are found. For `unique` cells of the answer are given, one at a time where two solutions differ, until it is the
only one; the time is that of the proof with these cells known.
"""

import random
import sys

import click
import numpy as np

import nurikabe_mip as nm
from nurikabe_mip import bench
from nurikabe_mip.deduce import load_kernel
from nurikabe_mip.grid import Grid, grid_of
from nurikabe_mip.puzzles import SHADED, UNSHADED

SIDES, LARGEST = (10, 20, 30, 50), 6


class Answer:
    """A sea with islands in it: `island[c]` is the number of a land cell's island, -1 for sea."""

    def __init__(self, side: int, rng: random.Random):
        self.grid: Grid = grid_of((side, side))
        self.rng = rng
        self.island = [-1] * self.grid.size
        self.islands: list[list[int]] = []

    def touched(self, c: int) -> set[int]:
        return {self.island[d] for d in self.grid.neighbours[c]} - {-1}

    def may_sink(self, c: int) -> bool:
        """The sea stays connected without sea cell c; it is enough to look at the eight cells around c."""
        row, column = self.grid.cell(c)
        around = [(-1, -1), (-1, 0), (-1, 1), (0, 1), (1, 1), (1, 0), (1, -1), (0, -1)]
        ring = []
        for dr, dc in around:
            r, k = row + dr, column + dc
            inside = 0 <= r < self.grid.rows and 0 <= k < self.grid.columns
            ring.append(inside and self.island[self.grid.index((r, k))] < 0)
        sides = [ring[i] for i in (1, 3, 5, 7)]
        # stretches of sea around c that hold one of its four neighbours; two of them could be connected far away only
        stretches = sum(
            sides[i] and not (ring[(2 * i + 2) % 8] and sides[(i + 1) % 4]) for i in range(4)
        )  # fmt: skip
        return stretches == 1 or (stretches == 0 and all(sides))

    def add(self, c: int, number: int) -> None:
        if number == len(self.islands):
            self.islands.append([])
        self.islands[number].append(c)
        self.island[c] = number

    def grow(self) -> bool:
        """Fill the board; False if blocks of sea are left."""
        cells = list(range(self.grid.size))
        self.rng.shuffle(cells)
        for c in cells:
            if self.island[c] < 0 and not self.touched(c) and self.may_sink(c) and self.rng.random() < 0.5:
                number = len(self.islands)
                self.add(c, number)
                for _ in range(self.rng.randint(0, LARGEST - 1)):
                    rim = sorted({d for e in self.islands[number] for d in self.grid.neighbours[e]})
                    rim = [d for d in rim if self.island[d] < 0 and self.touched(d) == {number} and self.may_sink(d)]
                    if rim:
                        self.add(self.rng.choice(rim), number)
        blocks = self.grid.blocks.tolist()
        for _ in range(40):
            pools = [block for block in blocks if all(self.island[c] < 0 for c in block)]
            if not pools:
                return True
            for block in pools:
                if all(self.island[c] < 0 for c in block):
                    self.break_up(block)
        return False

    def break_up(self, block: list[int]) -> None:
        """Make a cell of a block of sea land, or if none can be, drown an island beside it to make room."""
        fits = [c for c in block if len(self.touched(c)) <= 1 and self.may_sink(c)]
        if fits:
            c = min(fits, key=lambda c: (len(self.touched(c)), self.rng.random()))
            self.add(c, next(iter(self.touched(c)), len(self.islands)))
            return
        number = self.rng.choice(sorted(set().union(*map(self.touched, block))))
        for c in self.islands[number]:
            self.island[c] = -1
        self.islands[number] = []

    def shading(self) -> np.ndarray:
        return np.array([SHADED if number < 0 else UNSHADED for number in self.island])


def board(side: int, seed: int) -> tuple[nm.Nurikabe, nm.Shading]:
    """A board with an answer, and the cells of that answer which make it the only one."""
    rng = random.Random(f"{side} {seed}")
    answer = Answer(side, rng)
    while not answer.grow():
        answer = Answer(side, rng)
    clues = np.zeros(answer.grid.size, dtype=int)
    for island in filter(None, answer.islands):
        clues[rng.choice(island)] = len(island)
    puzzle = nm.Nurikabe(clues.reshape(side, side))
    shading, known = answer.shading().reshape(side, side), np.zeros((side, side), dtype=int)
    while (result := nm.solve(puzzle, known=nm.Shading(known))).status is nm.Status.MULTIPLE:
        cell = rng.choice(result.differing)
        known[cell] = shading[cell]
    return puzzle, nm.Shading(known)


def seconds(puzzle: nm.Puzzle, known: nm.Shading | None, backend: str, limit: float, repeats: int) -> float:
    """The best time of some solves, infinite if none comes to an end."""
    records = [bench.measure(puzzle, backend, limit=limit, known=known) for _ in range(repeats)]
    return min((record["seconds"] for record in records if record["solved"]), default=np.inf)


@click.command(help=__doc__.split("\n\n")[0])
@click.option("--backend", "backends", multiple=True, default=["auto"], show_default=True, help="May be repeated.")
@click.option("--limit", default=20.0, show_default=True, help="Seconds a puzzle.")
@click.option("--boards", default=12, show_default=True, help="Of each size.")
@click.option("--repeats", default=3, show_default=True, help="Of each solve; the best counts.")
@click.option("--quick", is_flag=True, help="Three boards of each size up to 30x30, one solve each, two seconds.")
def main(backends, limit, boards, repeats, quick):
    sides = SIDES
    if quick:
        sides, boards, repeats, limit = SIDES[:3], 3, 1, 2.0
    load_kernel()
    print(bench.machine(), flush=True)
    places = [(side, seed) for side in sides for seed in range(boards)]
    sizes = {side: [] for side in sides}
    with progress(places, "making boards") as bar:
        for side, seed in bar:
            sizes[side].append(board(side, seed))
    for backend in backends:
        for kind in ("several", "unique"):
            first = None
            for side, chosen in sizes.items():
                with progress(chosen, f"{backend} {kind} {side}x{side}") as bar:
                    times = [
                        seconds(puzzle, known if kind == "unique" else None, backend, limit, repeats)
                        for puzzle, known in bar
                    ]
                median = 1000 * np.median(times)
                first = first or median / side**2
                print(
                    f"{backend} {kind} {side}x{side}: {np.isfinite(times).sum()} of {len(times)} in time, median "
                    f"{median:.2f} ms, {1000 * median / side**2:.2f} us a cell, {median / side**2 / first:.2f} times "
                    f"that of {sides[0]}x{sides[0]}",
                    flush=True,
                )


def progress(items: list, label: str):
    return click.progressbar(items, label=label, file=sys.stderr, hidden=not sys.stderr.isatty())


if __name__ == "__main__":
    main()
