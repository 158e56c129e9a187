"""Check the packaged corpus, or every n-th puzzle of it, and print the figures; the exit code is 1 if a check fails.

    python benchmarks/check_corpus.py --every 10

Each puzzle must be proved unique by two backends with its stored answer, no two may be the same under the eight
symmetries or but for hidden numbers, and rating it must give the stored level and counts. With --again the generator
must make each puzzle again, if it is still of the version that made it. The time of a rating is the best of three calls
of `rate`, in milliseconds of thread time.
"""

import sys
import time

import click
import numpy as np

import nurikabe_mip as nm
from nurikabe_mip.cli import Output
from nurikabe_mip.corpus import CORPUS_LEVELS, counts_text
from nurikabe_mip.generate import canonical, generate
from nurikabe_mip.generate.nurikabe import VERSION


def rated(puzzle: nm.Puzzle, repeats: int = 3) -> tuple[nm.Rating, float]:
    """A rating, and its best time in milliseconds."""
    best = float("inf")
    for _ in range(repeats):
        start = time.thread_time()
        rating = nm.rate(puzzle)
        best = min(best, time.thread_time() - start)
    return rating, 1000 * best


def made_again(puzzle: nm.Puzzle) -> nm.Puzzle | None:
    """What the generator makes of the stored request and seed; None for a puzzle of another version or source."""
    info = puzzle.info
    if info.get("version") != VERSION:
        return None
    options = {"hidden": float(info.get("hidden", 0)), "symmetry": info.get("symmetry")}
    return generate(puzzle.shape, info["asked"], int(info["seed"]), **options).puzzle


@click.command(help=__doc__.split("\n\n")[0])
@click.option("--every", default=1, show_default=True, help="Take only every n-th puzzle.")
@click.option("--backend", default="auto", show_default=True)
@click.option("--verify", default="sat", show_default=True, help="The second backend.")
@click.option("--jobs", default=1, show_default=True, help="Processes for the proofs.")
@click.option("--again", is_flag=True, help="Make them again.")
def main(every, backend, verify, jobs, again):
    corpus = nm.load_corpus(genre=None)[::every]
    print(corpus, end="\n\n")
    with Output().progress(len(corpus)) as step:
        found = nm.audit(
            corpus,
            backend=backend,
            verify=verify,
            jobs=jobs,
            time_limit=60,
            progress=lambda a: step(a.records, "proof"),
        )
    print(*found.findings, found, sep="\n", end="\n\n")
    names = len({puzzle.name for puzzle in corpus})
    forms = len({canonical(puzzle, fill=True) for puzzle in corpus})
    changed, times = [], {}
    for puzzle in corpus:
        rating, milliseconds = rated(puzzle)
        if (rating.level, counts_text(rating)) != (puzzle.info["level"], puzzle.info["counts"]):
            changed.append(f"{puzzle.name}: rated {rating.level} with {counts_text(rating)}")
        small = "up to 10x10" if max(puzzle.shape) <= 10 else "larger"
        times.setdefault((small, rating.level), []).append(milliseconds)
    print(f"different names {names} and boards {forms} of {len(corpus)}")
    print(*changed, f"rating: {len(corpus) - len(changed)} of {len(corpus)} as stored", sep="\n")
    if again:
        pairs = [(puzzle, new) for puzzle in corpus if (new := made_again(puzzle)) is not None]
        others = [puzzle.name for puzzle, new in pairs if new != puzzle]
        print(f"made again: {len(pairs) - len(others)} of {len(pairs)}", *others)
        changed += others
    print()
    print(f"{'milliseconds a rating':24}{'puzzles':>8}{'median':>9}{'95th pct':>10}{'max':>8}")
    for size in ("up to 10x10", "larger"):
        for level in CORPUS_LEVELS:
            if (size, level) in times:
                one = np.array(times[size, level])
                figures = f"{np.median(one):9.2f}{np.percentile(one, 95):10.2f}{one.max():8.2f}"
                print(f"{f'{size}, {level}':24}{len(one):8}{figures}")
    sys.exit(0 if found.sound == names == forms == len(corpus) and not changed else 1)


if __name__ == "__main__":
    main()
