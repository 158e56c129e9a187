"""Measure the techniques on a corpus: parity with known ratings, reach, soundness and speed, in one thread.

PUZZLES is a file of JSON lines with `id`, `grid` (rows of tokens) and `solution` (rows of # and -); RATINGS is a CSV
file with the columns `id`, `level`, one a technique, and `open`.
"""

import argparse
import csv
import json
import random
import time
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from nurikabe_mip import Nurikabe, Shading, solutions
from nurikabe_mip.deduce import PROFILE, PROFILE_VERSION, TECHNIQUES, load_kernel, lookahead, rated, rules, run
from nurikabe_mip.puzzles import UNDECIDED


@dataclass
class Item:
    name: str
    clues: np.ndarray
    solution: np.ndarray


def read_puzzles(path: Path) -> list[Item]:
    records = map(json.loads, path.read_text().splitlines())
    return [
        Item(record["id"], Nurikabe(record["grid"]).clues, Shading(record["solution"]).cells)
        for record in records
        if record["genre"] == "nurikabe"
    ]


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
    for item in items:
        if item.name not in ratings:
            continue
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
    print(f"parity: {equal} of {len(ratings)} ratings equal in level, every count and open cells")


def agrees(values: np.ndarray, solution: np.ndarray) -> bool:
    return bool(((values == UNDECIDED) | (values == solution)).all())


def print_reach_and_soundness(items: list[Item]) -> None:
    wrong = []
    for name, call in (("rules", rules), ("lookahead", lookahead)):
        found = [call(item.clues) for item in items]
        finished = sum(one.is_finished for one in found)
        print(f"{name} alone: {finished} of {len(items)} finished ({100 * finished / len(items):.1f} %)")
        wrong += [item.name for item, one in zip(items, found, strict=True) if not agrees(one.values, item.solution)]
    steps = 0
    for item in items:
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
    for _ in range(number):
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
    is_rated = [item for item in items if item.name in ratings]
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
            times = 1000 * np.array([seconds(call, item.clues, repeats) for item in chosen])
            label = f"{name} ({len(chosen)})"
            print(f"{label:50}{np.median(times):9.3f}{np.percentile(times, 95):10.2f}{times.max():10.1f}")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("puzzles", type=Path, metavar="PUZZLES")
    parser.add_argument("ratings", type=Path, metavar="RATINGS")
    parser.add_argument("--repeats", type=int, default=3, help="runs a puzzle, the best counts (3)")
    parser.add_argument("--boards", type=int, default=2000, help="random boards for the look at soundness (2000)")
    arguments = parser.parse_args()
    items = read_puzzles(arguments.puzzles)
    with arguments.ratings.open(newline="") as file:
        ratings = {row["id"]: row for row in csv.DictReader(file)}
    print(f"profile {PROFILE} {PROFILE_VERSION}")
    start = time.perf_counter()
    rules(items[0].clues)
    middle = time.perf_counter()
    load_kernel()
    now = time.perf_counter()
    print(f"first call after {middle - start:.2f} s, compiled kernel loaded after {now - middle:.2f} s")
    print_parity(items, ratings)
    print_reach_and_soundness(items)
    print_soundness_on_random_boards(arguments.boards)
    print_speed(items, ratings, arguments.repeats)


if __name__ == "__main__":
    main()
