"""How the time to solve a puzzle and prove it unique grows with the board.

    python benchmarks/growth.py --backend auto --backend cpsat

The boards come from the generator, level "any", all sizes with about as many cells together. The time a cell is that of
all boards of a size over all their cells; one that is not solved in time makes it infinite. The 50x50 boards take
minutes to make, so `--folder` keeps them.
"""

import sys
import tempfile
import time
from contextlib import nullcontext
from pathlib import Path

import click
import numpy as np

import nurikabe_mip as nm
from nurikabe_mip import bench
from nurikabe_mip.deduce import load_kernel

SIDES, CELLS = (10, 20, 30, 50), 10_000


def seconds(puzzle: nm.Nurikabe, backend: str, limit: float, repeats: int) -> float:
    """Wall time of the best of some solves; infinite if there was no proof."""
    best = np.inf
    for _ in range(repeats):
        start = time.perf_counter()
        result = nm.solve(puzzle, backend, time_limit=limit)
        if result.status is nm.Status.UNIQUE:
            best = min(best, time.perf_counter() - start)
    return best


@click.command(help=__doc__.split("\n\n")[0])
@click.option("--backend", "backends", multiple=True, default=["auto"], show_default=True, help="May be repeated.")
@click.option("--limit", default=20.0, show_default=True, help="Seconds a puzzle.")
@click.option("--repeats", default=3, show_default=True, help="Of each solve; the best counts.")
@click.option("--folder", type=click.Path(file_okay=False, path_type=Path), help="Where the boards are kept.")
@click.option("--quick", is_flag=True, help="Sizes up to 20x20, one solve each, two seconds.")
def main(backends, limit, repeats, folder, quick):
    sides, repeats, limit = (SIDES[:2], 1, min(limit, 2.0)) if quick else (SIDES, repeats, limit)
    load_kernel()
    print(bench.machine(), flush=True)
    with nullcontext(folder) if folder else tempfile.TemporaryDirectory() as place:
        Path(place).mkdir(parents=True, exist_ok=True)
        sizes = {side: boards(side, Path(place, f"{side}x{side}.jsonl")) for side in sides}
    for backend in backends:
        first = None
        for side, puzzles in sizes.items():
            with progress(puzzles, f"{backend} {side}x{side}") as bar:
                times = [seconds(puzzle, backend, limit, repeats) for puzzle in bar]
            cell = 1e6 * sum(times) / (side**2 * len(times))
            first = first or cell
            print(
                f"{backend} {side}x{side}: {np.isfinite(times).sum()} of {len(times)} in time, median "
                f"{1000 * np.median(times):.2f} ms, {cell:.2f} us a cell, {cell / first:.2f} times that of "
                f"{sides[0]}x{sides[0]}",
                flush=True,
            )


def boards(side: int, path: Path) -> list[nm.Nurikabe]:
    """The boards of a size, from the file if they are there."""
    wanted = CELLS // side**2
    with progress(nm.generate_many(wanted, (side, side), jobs=1, output=path), f"making {side}x{side}", wanted) as bar:
        return [made.puzzle for made in bar]


def progress(items, label: str, length: int | None = None):
    return click.progressbar(items, length, label=label, file=sys.stderr, hidden=not sys.stderr.isatty())


if __name__ == "__main__":
    main()
