"""Measure the diagnosis: puzzles spoilt by one number, and puzzles with several solutions.

    python benchmarks/diagnosis.py PUZZLES [--quick]

PUZZLES is a file that `read_many` takes, of puzzles with exactly one solution; those of more than `--area` cells are
left out. Everything is drawn from `--seed`.

1. One number of each is changed by one so that there is no solution. Printed is in how many the clash contains the
   changed number, is minimal (proved again by plain solves: without any one of its clues the rest has a solution),
   and smallest; in how many the number that was there is among the repairs, and how high; and the times.
2. Boards with several solutions. Of puzzles with islands in two ways: one clue in another cell of its island or read as
   `?`; all clues in any cells of their islands. Of others: up to three clues taken out. Printed is for how many changes
   were found that leave one solution, proved by two backends, and how many clues they change.
"""

import random
import sys
import time
from pathlib import Path

import click
import numpy as np

import nurikabe_mip as nm
from nurikabe_mip import bench
from nurikabe_mip.deduce import load_kernel
from nurikabe_mip.diagnose.clash import relaxed
from nurikabe_mip.diagnose.reading import has_islands
from nurikabe_mip.grid import grid_of


def progress(what: str, done: int, total: int) -> None:
    if sys.stderr.isatty():
        print(f"\r{what}: {done} of {total} ", end="" if done < total else "\n", file=sys.stderr, flush=True)


def with_clues(puzzle: nm.Puzzle, clues: np.ndarray) -> nm.Puzzle:
    return type(puzzle)(clues.reshape(puzzle.shape), puzzle.name)


def spoilt(puzzles: list[nm.Puzzle], number: int, rng: random.Random):
    """Pairs of a puzzle and the same with one number changed by one, which has no solution, and the cell."""
    found = []
    for puzzle in rng.sample(puzzles, len(puzzles)):
        if len(found) == number:
            break
        for _ in range(20):
            clues = puzzle.clues.ravel().copy()
            cell = rng.choice(np.flatnonzero(clues > 0).tolist())
            clues[cell] += rng.choice((-1, 1))
            if clues[cell] < 1:
                continue
            wrong = with_clues(puzzle, clues)
            if nm.solve(wrong).status is nm.Status.INFEASIBLE:
                found.append((puzzle, wrong, grid_of(puzzle.shape).cell(cell)))
                break
    return found


def has_solution(puzzle: nm.Puzzle) -> bool:
    return nm.solve(puzzle).status is not nm.Status.INFEASIBLE


def is_minimal(puzzle: nm.Puzzle, clash: tuple) -> bool:
    """Whether the clash has no solution, and has one without any one of its clues."""
    cells = [grid_of(puzzle.shape).index(cell) for cell in clash]
    if has_solution(relaxed(puzzle, cells)):
        return False
    return all(has_solution(relaxed(puzzle, [other for other in cells if other != c])) for c in cells)


def print_spoilt(puzzles: list[nm.Puzzle], number: int, rng: random.Random, limit: float) -> None:
    cases = spoilt(puzzles, number, rng)
    contains = restores = minimal = smallest = complete = 0
    ranks, wall, thread, sizes, found_repairs = [], [], [], [], []
    for done, (right, wrong, cell) in enumerate(cases):
        progress("spoilt", done, len(cases))
        start, start_thread = time.perf_counter(), time.thread_time()
        found = nm.diagnose(wrong, time_limit=limit)
        wall.append(time.perf_counter() - start)
        thread.append(time.thread_time() - start_thread)
        contains += cell in found.clash
        clues = wrong.clues.ravel()
        index = grid_of(wrong.shape).index(cell)
        restores += has_solution(relaxed(wrong, [c for c in np.flatnonzero(clues) if c != index]))
        minimal += is_minimal(wrong, found.clash)
        smallest += found.clashes[0].smallest
        complete += found.complete
        sizes.append(len(found.clash))
        found_repairs.append(len(found.repairs))
        ranks.append(next((k for k, one in enumerate(found.repairs, 1) if one.puzzle == right), None))
    progress("spoilt", len(cases), len(cases))
    n = len(cases)
    print(f"one number off by one, no solution: {n} puzzles of up to {max(p.clues.size for p, _, _ in cases)} cells")
    print(f"  the clash contains the changed number: {contains}; without it the puzzle has a solution: {restores}")
    print(f"  clash minimal, proved by solves: {minimal}; proved smallest: {smallest}; clues: {figures(sizes)}")
    listed = sum(rank is not None for rank in ranks)
    top = [sum(rank is not None and rank <= k for rank in ranks) for k in (1, 3)]
    print(
        f"  the true number among the repairs: {listed} ({100 * listed / n:.1f} %), first: {top[0]} "
        f"({100 * top[0] / n:.1f} %), in the first three: {top[1]} ({100 * top[1] / n:.1f} %)"
    )
    print(f"  repairs: {figures(found_repairs)}; everything looked at within {limit:g} s: {complete}")
    print(f"  seconds: {figures(wall)}; of thread time: {figures(thread)}")


def one_off(puzzle: nm.Puzzle, islands: list[list[int]], rng: random.Random) -> np.ndarray:
    """The clues with one of them read as `?`, or in another cell of its island."""
    clues = puzzle.clues.ravel().copy()
    island = rng.choice(islands)
    clue = next(c for c in island if clues[c])
    number = -1 if rng.random() < 0.5 else len(island)
    clues[clue] = 0
    clues[rng.choice(island) if number > 0 else clue] = number
    return clues


def anywhere(puzzle: nm.Puzzle, islands: list[list[int]], rng: random.Random) -> np.ndarray:
    """All clues in any cell of their islands, one in ten as a `?`."""
    clues = np.zeros(puzzle.clues.size, dtype=int)
    for island in islands:
        clues[rng.choice(island)] = -1 if rng.random() < 0.1 else len(island)
    return clues


def thinned(puzzle: nm.Puzzle, islands: list[list[int]], rng: random.Random) -> np.ndarray:
    """The clues without one to three of them."""
    clues = puzzle.clues.ravel().copy()
    given = np.flatnonzero(clues).tolist()
    clues[rng.sample(given, min(len(given), rng.randint(1, 3)))] = 0
    return clues


def several(puzzles: list[nm.Puzzle], number: int, rng: random.Random, change) -> list[nm.Puzzle]:
    """Puzzles with several solutions, made by a change of the clues."""
    found = []
    for puzzle in rng.sample(puzzles, len(puzzles)):
        if len(found) == number:
            break
        land = (nm.solve(puzzle).solution.cells < 0).ravel().tolist()
        islands = grid_of(puzzle.shape).components(land)
        for _ in range(20):
            board = with_clues(puzzle, change(puzzle, islands, rng))
            if nm.solve(board).status is nm.Status.MULTIPLE:
                found.append(board)
                break
    return found


def print_several(puzzles: list[nm.Puzzle], number: int, rng: random.Random, limit: float, second: str, change) -> None:
    boards = several(puzzles, number, rng, change)
    found_one = by_one = by_two = fewest = complete = 0
    changes, wall = [], []
    for done, board in enumerate(boards):
        progress("several solutions", done, len(boards))
        start = time.perf_counter()
        found = nm.diagnose(board, time_limit=limit)
        wall.append(time.perf_counter() - start)
        complete += found.complete
        fewest += found.fewest
        if not found.repairs:
            print(f"  no change found: {nm.write(board, 'id').strip()}")
            continue
        found_one += 1
        changes.append(found.repairs[0].number)
        result = nm.solve(found.repairs[0].puzzle, verify=second)
        by_one += result.status is nm.Status.UNIQUE
        by_two += result.verified_by == second
    progress("several solutions", len(boards), len(boards))
    print(f"several solutions, {change.__doc__[0].lower()}{change.__doc__[1:-1]}: {len(boards)} boards")
    print(f"  a change that leaves one: {found_one}, proved by search: {by_one}, and by {second}: {by_two}")
    print(f"  clues changed: {figures(changes)}, proved the fewest: {fewest}; everything looked at: {complete}")
    print(f"  seconds: {figures(wall)}")


def figures(values: list[float]) -> str:
    middle, high = np.percentile(values, (50, 95))
    return f"median {middle:.3g}, 95th percentile {high:.3g}, max {max(values):.3g}"


@click.command(help=__doc__.split("\n\n")[0])
@click.argument("puzzles", type=click.Path(exists=True, path_type=Path))
@click.option("--area", default=150, show_default=True, help="Most cells of a puzzle.")
@click.option("--spoilt", "n_spoilt", default=200, show_default=True, help="Puzzles with one number changed.")
@click.option(
    "--several", "n_several", default=50, show_default=True, help="Boards with several solutions, of each kind."
)
@click.option("--limit", default=60.0, show_default=True, help="Seconds for each.")
@click.option("--second", default="cpsat", show_default=True, help="The second backend.")
@click.option("--seed", default=0, show_default=True)
@click.option("--quick", is_flag=True, help="20 of the first, 5 of each of the others, 5 seconds each.")
def main(puzzles, area, n_spoilt, n_several, limit, second, seed, quick):
    if quick:
        n_spoilt, n_several, limit = 20, 5, 5.0
    puzzles = [one for one in nm.read_many(puzzles) if one.clues.size <= area]
    print(bench.machine())
    nm.solve(puzzles[0])  # compiled, or loaded
    for genre in {one.genre for one in puzzles}:
        load_kernel(genre)
    rng = random.Random(seed)
    print_spoilt(puzzles, n_spoilt, rng, limit)
    for change in (one_off, anywhere) if has_islands(puzzles[0]) else (thinned,):
        print_several(puzzles, n_several, rng, limit, second, change)


if __name__ == "__main__":
    main()
