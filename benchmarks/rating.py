"""Measure the techniques on a corpus: parity with known ratings, reach, soundness and speed, in one thread.

    python benchmarks/rating.py PUZZLES RATINGS

PUZZLES is a file of puzzles with names and stored answers, in any format; RATINGS is a CSV file with the columns `id`,
`level`, one a technique, and `open`. Without RATINGS there is nothing to be equal to.
"""

import csv
import random
import sys
import time
from dataclasses import dataclass
from pathlib import Path

import click
import numpy as np

from nurikabe_mip import Nurikabe, read_many, solutions
from nurikabe_mip.bench import machine
from nurikabe_mip.deduce import PROFILE, PROFILE_VERSION, TECHNIQUES, load_kernel, lookahead, rated, rules, run
from nurikabe_mip.puzzles import UNDECIDED


@dataclass
class Item:
    name: str
    clues: np.ndarray
    solution: np.ndarray


def read_puzzles(path: Path) -> list[Item]:
    return [Item(puzzle.name, puzzle.clues, puzzle.answer.cells) for puzzle in read_many(path) if puzzle.answer]


def progress(items, label: str):
    """The items, with a bar on a terminal."""
    with click.progressbar(items, label=label, file=sys.stderr, hidden=not sys.stderr.isatty()) as bar:
        yield from bar


def seconds(call, argument, repeats: int) -> float:
    """The best thread time of a call."""
    best = float("inf")
    for _ in range(repeats):
        start = time.thread_time()
        call(argument)
        best = min(best, time.thread_time() - start)
    return best


def print_parity(items: list[Item], ratings: dict[str, dict]) -> None:
    names = [technique.name for technique in TECHNIQUES]
    equal = 0
    rated_items = [item for item in items if item.name in ratings]
    for item in progress(rated_items, "parity"):
        expected = ratings[item.name]
        found = rated(item.clues)
        ours = {"level": found.level, **found.counts, "open": found.open}
        theirs = {
            name: expected[name] if name == "level" else int(expected[name]) for name in ["level", *names, "open"]
        }
        wrong = {name: (ours[name], theirs[name]) for name in ours if ours[name] != theirs[name]}
        equal += not wrong
        for name, (our, their) in wrong.items():
            print(f"  {item.name}: {name} is {our}, expected {their}")
    print(f"parity: {equal} of {len(rated_items)} ratings equal in level, every count and open cells")


def agrees(values: np.ndarray, solution: np.ndarray) -> bool:
    return bool(((values == UNDECIDED) | (values == solution)).all())


def print_reach_and_soundness(items: list[Item]) -> None:
    wrong = []
    for name, call in (("rules", rules), ("lookahead", lookahead)):
        found = [call(item.clues) for item in progress(items, name)]
        finished = sum(one.is_finished for one in found)
        print(f"{name} alone: {finished} of {len(items)} finished ({100 * finished / len(items):.1f} %)")
        wrong += [item.name for item, one in zip(items, found, strict=True) if not agrees(one.values, item.solution)]
    steps = 0
    for item in progress(items, "soundness"):
        solution = item.solution.ravel()
        for deduction in (rated(item.clues), run(item.clues)):
            steps += len(deduction.moves)
            if any((solution[list(move.cells)] != move.value).any() for move in deduction.moves):
                wrong.append(item.name)
    print(
        f"soundness: {steps} steps and the presolve of {len(items)} puzzles, against the solution in: {wrong or 'none'}"
    )


def random_board(rng: random.Random) -> np.ndarray:
    """A board of up to 12 cells with up to four clues, some of them `?`; about a third have a solution."""
    rows = rng.randint(1, 4)
    columns = rng.randint(1, 12 // rows)
    clues = np.zeros(rows * columns, dtype=int)
    for cell in rng.sample(range(clues.size), min(clues.size, rng.randint(0, 4))):
        clues[cell] = rng.choice([-1, 1, 1, 2, 2, 3, 4, min(clues.size, 6)])
    return np.minimum(clues, clues.size).reshape(rows, columns)


def print_soundness_on_random_boards(number: int) -> None:
    """Every step against all solutions by brute force: none that contains the board so far may differ from it."""
    rng = random.Random(0)
    steps = solvable = wrong = 0
    for _ in progress(range(number), "random boards"):
        clues = random_board(rng)
        answers = [shading.cells.ravel() for shading in solutions(Nurikabe(clues), "brute_force")]
        solvable += bool(answers)
        for deduction in (rated(clues), run(clues)):
            steps += len(deduction.moves)
            wrong += any(
                (answer[list(move.cells)] != move.value).any() for move in deduction.moves for answer in answers
            )
            wrong += bool(answers and deduction.is_broken) or bool(not answers and deduction.is_finished)
        for fixed in (rules(clues), lookahead(clues)):
            wrong += bool(answers and fixed.is_broken) or not all(
                agrees(fixed.values.ravel(), answer) for answer in answers
            )
    print(f"soundness on {number} random boards, {solvable} of them solvable: {steps} steps, {wrong} wrong")


def print_speed(items: list[Item], ratings: dict[str, dict], repeats: int) -> None:
    is_rated = [item for item in items if item.name in ratings or not ratings]
    small = [item for item in is_rated if max(item.clues.shape) <= 10]
    middle = [item for item in items if item.clues.shape == (15, 15)]
    print(f"{'milliseconds of thread time, warm, best of ' + str(repeats):50}{'median':>9}{'95th pct':>10}{'max':>10}")
    for name, call, chosen in (
        ("rated, up to 10x10", rated, small),
        ("rated, all", rated, is_rated),
        ("rules, 15x15", rules, middle),
        ("rules, all", rules, items),
        ("lookahead, all", lookahead, items),
    ):
        if chosen:
            times = 1000 * np.array([seconds(call, item.clues, repeats) for item in progress(chosen, name)])
            label = f"{name} ({len(chosen)})"
            print(f"{label:50}{np.median(times):9.3f}{np.percentile(times, 95):10.2f}{times.max():10.1f}")


@click.command(help=__doc__.split("\n\n")[0])
@click.argument("puzzles", type=click.Path(exists=True, path_type=Path))
@click.argument("ratings", type=click.Path(exists=True, path_type=Path), required=False)
@click.option("--repeats", default=3, show_default=True, help="Runs a puzzle; the best counts.")
@click.option("--boards", default=2000, show_default=True, help="Random boards for the look at soundness.")
@click.option("--quick", is_flag=True, help="Every tenth puzzle, one run, 100 random boards.")
def main(puzzles, ratings, repeats, boards, quick):
    items, known = read_puzzles(puzzles), {}
    if quick:
        items, repeats, boards = items[::10], 1, 100
    if ratings:
        with ratings.open(newline="") as file:
            known = {row["id"]: row for row in csv.DictReader(file)}
    if not items:
        raise click.ClickException(f"{puzzles} has no puzzle with a stored answer")
    print(f"{machine()}\nprofile {PROFILE} {PROFILE_VERSION}")
    start = time.perf_counter()
    rules(items[0].clues)
    middle = time.perf_counter()
    load_kernel()
    now = time.perf_counter()
    print(f"first call after {middle - start:.2f} s, compiled kernel loaded after {now - middle:.2f} s")
    if known:
        print_parity(items, known)
    print_reach_and_soundness(items)
    print_soundness_on_random_boards(boards)
    print_speed(items, known, repeats)


if __name__ == "__main__":
    main()
