"""Measure the generator: how many of the seeds 0 to 19 are found, how fast, and in how many attempts.

First the sizes and levels for which figures of a native Rust program on its author's machine are known; its median
stands beside ours. Then for each level the largest size at which all seeds are found with a 95th percentile of at most
2 s (B1), and large boards. A seed that is not found within the limit counts as infinite time. Times are of this
process alone (`--clock`), one puzzle at a time; the compiled kernels are loaded before.
"""

import csv
import math
import statistics
import sys
import time
from dataclasses import dataclass

import click

from nurikabe_mip import GenerationFailed, bench, generate
from nurikabe_mip.generate import ASKED

LEVELS = ASKED[:5]
# medians in milliseconds
REFERENCE = {
    5: (2.8, 0.3, 1.0, 5.5, 51),
    7: (22, 17, 14, 23, 147),
    8: (146, 27, 31, 169, 256),
    10: (498, 125, 394, 562, 1300),
}
SIZES_OF_B1 = (8, 10, 12, 15, 18, 20, 25, 30)
B1_SECONDS = 2.0
WARM_UP = 0.2  # seconds, of other seeds
LARGE = ((15, LEVELS[1:]), (20, LEVELS[1:]), (30, ("any", "easy", "medium")), (50, ("any", "easy", "medium")))
CLOCKS = {"wall": time.perf_counter, "process": time.process_time}


@dataclass
class Row:
    """The seeds of one size and level."""

    side: int
    level: str
    seconds: list[float]
    attempts: list[int]
    counts: list[dict[str, int]]

    @property
    def found(self) -> int:
        return sum(map(math.isfinite, self.seconds))

    @property
    def median(self) -> float:
        return statistics.median(self.seconds)

    @property
    def late(self) -> float:
        """The 95th percentile, the smallest value that is not below 95 % of all."""
        return sorted(self.seconds)[math.ceil(0.95 * len(self.seconds)) - 1]

    def line(self, reference: float | None = None) -> str:
        known = "" if reference is None else f"{reference:10.1f} {self.median * 1000 / reference:7.2f}"
        return (
            f"{f'{self.side}x{self.side}':>6} {self.level:8} {self.found:3}/{len(self.seconds)} "
            f"{self.median * 1000:10.2f} {self.late * 1000:10.2f} {statistics.mean(self.attempts):9.1f} {known}"
        )


HEADER = (
    f"{'size':>6} {'level':8} {'found':>6} {'median ms':>10} {'95th pct':>10} {'attempts':>9} {'reference':>10} ratio"
)


def measure(side: int, level: str, seeds: int, limit: float, clock) -> Row:
    start, seed = clock(), 10**6
    while side <= 20 and clock() < start + WARM_UP:
        generate((side, side), level, seed)
        seed += 1
    row = Row(side, level, [], [], [])
    for seed in range(seeds):
        if sys.stderr.isatty():
            print(f"\r{side}x{side} {level}: seed {seed} ", end="", file=sys.stderr, flush=True)
        start = clock()
        try:
            made = generate((side, side), level, seed, time_limit=limit)
        except GenerationFailed as failed:
            row.seconds.append(math.inf)
            made = failed
        else:
            row.seconds.append(clock() - start)
        row.attempts.append(made.attempts)
        row.counts.append(dict(made.counts))
    if sys.stderr.isatty():
        print("\r\033[K", end="", file=sys.stderr)
    return row


@click.command(help=__doc__.split("\n\n")[0])
@click.option("--seeds", default=20, show_default=True, help="The seeds 0 to N - 1.")
@click.option("--limit", default=60.0, show_default=True, help="Seconds for a puzzle.")
@click.option("--huge-seeds", default=3, show_default=True, help="Seeds for boards above 20x20, 600 s for each.")
@click.option("--clock", type=click.Choice(list(CLOCKS)), default="wall", show_default=True, help="What is measured.")
@click.option("--csv", "path", default="generator.csv", show_default=True, help="The file for the operation counts.")
@click.option("--quick", is_flag=True, help="The known sizes alone, 5 seeds.")
def main(seeds, limit, huge_seeds, clock, path, quick):
    clock = CLOCKS[clock]
    seeds = min(seeds, 5) if quick else seeds
    rows: dict[tuple[int, str], Row] = {}

    def row(side: int, level: str, n: int = seeds, limit: float = limit) -> Row:
        if (side, level) not in rows:
            rows[side, level] = measure(side, level, n, limit, clock)
        return rows[side, level]

    print(bench.machine())
    print(HEADER)
    worse = []
    for side, medians in REFERENCE.items():
        for level, reference in zip(LEVELS, medians, strict=True):
            measured = row(side, level)
            print(measured.line(reference), flush=True)
            if measured.found < seeds or measured.median * 1000 > reference:
                worse.append(f"{side}x{side} {level}")
    print(f"all found, every median at most the reference's: {'no: ' + ', '.join(worse) if worse else 'yes'}")
    if not quick:
        print(f"\nB1: the largest size with all found and a 95th percentile of at most {B1_SECONDS:.0f} s")
        for level in LEVELS:
            best = None
            for side in SIZES_OF_B1:
                measured = row(side, level)
                if measured.found < seeds or measured.late > B1_SECONDS:
                    break
                best = measured
            print(best.line() if best else f"{'none':>6} {level}", flush=True)
        print("\nlarge boards")
        for side, levels in LARGE:
            for level in levels:
                huge = side > 20 and (side, level) not in rows
                print((row(side, level, huge_seeds, 600.0) if huge else row(side, level)).line(), flush=True)
    with open(path, "w", newline="") as file:
        names = list(next(iter(rows.values())).counts[0])
        writer = csv.writer(file)
        writer.writerow(["side", "level", "seed", "seconds", "attempts", *names])
        for measured in rows.values():
            for seed, counts in enumerate(measured.counts):
                figures = (counts.get(name, 0) for name in names)
                seconds = f"{measured.seconds[seed]:.6f}"
                writer.writerow([measured.side, measured.level, seed, seconds, measured.attempts[seed], *figures])
    print(f"\noperation counts in {path}")


if __name__ == "__main__":
    main()
