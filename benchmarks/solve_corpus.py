"""Solve every puzzle of a corpus, prove uniqueness, and print the figures.

    python benchmarks/solve_corpus.py CORPUS --backend cpsat --backend pulp -o records.jsonl

One thread, one process, after a small puzzle that warms it up. The time of a puzzle is that of the whole call of
`solve`: presolve, model, search, proof and the check of the answers. A puzzle counts as solved if it is proved unique
and, where the corpus stores an answer, the answers are equal; an unsolved one keeps the time that it took.
"""

import json
import os
import sys
import time
from pathlib import Path

import click
import numpy as np

import nurikabe_mip as nm
from nurikabe_mip.cli import parsed_options
from nurikabe_mip.deduce import load_kernel

SMALL = {"nurikabe": "nurikabe:3x3:1,.,1,.,.,.,1,.,1", "kuromasu": "kuromasu:3x3:.,3,.,.,.,.,.,.,4"}


def record(puzzle: nm.Puzzle, backend: str, limit: float, options: dict) -> dict:
    """Solve one puzzle; a flat dict of the figures."""
    start = time.perf_counter()
    result = nm.solve(puzzle, backend, time_limit=limit, **options)
    seconds = time.perf_counter() - start
    right = result.status is nm.Status.UNIQUE and (puzzle.answer is None or result.solution == puzzle.answer)
    wrong = puzzle.answer is not None and (
        result.status in (nm.Status.INFEASIBLE, nm.Status.MULTIPLE)
        or (result.status is nm.Status.UNIQUE and result.solution != puzzle.answer)
    )
    return {
        "name": puzzle.name,
        "rows": puzzle.shape[0],
        "columns": puzzle.shape[1],
        "backend": backend,
        "options": options,
        "status": str(result.status),
        "solved": right,
        "wrong": wrong,
        "seconds": seconds,
        **vars(result.stats),
    }


@click.command(help=__doc__.split("\n\n")[0])
@click.argument("corpus", type=click.Path(exists=True, path_type=Path))
@click.option("--backend", "backends", multiple=True, default=["auto"], show_default=True, help="May be repeated.")
@click.option("--limit", default=20.0, show_default=True, help="Seconds a puzzle.")
@click.option("--option", "pairs", multiple=True, metavar="NAME=VALUE", help="An option of the backend.")
@click.option("--every", default=1, show_default=True, help="Take only every n-th puzzle.")
@click.option("-o", "--output", type=click.Path(path_type=Path), help="Write one JSON record a puzzle there.")
def main(corpus, backends, limit, pairs, every, output):
    options = parsed_options(pairs, {})
    puzzles = list(nm.read_many(corpus))[::every]
    genres = sorted({puzzle.genre for puzzle in puzzles})
    for genre in genres:
        load_kernel(genre)  # else small boards begin in plain Python, as they do in a fresh process
    with output.open("w") if output else open(os.devnull, "w") as out:
        for backend in backends:
            for genre in genres:
                record(nm.read(SMALL[genre]), backend, limit, options)
            records = []
            with click.progressbar(puzzles, label=backend, file=sys.stderr, hidden=not sys.stderr.isatty()) as bar:
                for puzzle in bar:
                    records.append(record(puzzle, backend, limit, options))
                    print(json.dumps(records[-1]), file=out, flush=True)
            print(f"{backend}{''.join(f' {pair}' for pair in pairs)}: {summary(records)}", flush=True)


def summary(records: list[dict]) -> str:
    """One line of figures, times in milliseconds."""
    times = np.array([record["seconds"] for record in records]) * 1000
    solved, wrong = (sum(record[key] for record in records) for key in ("solved", "wrong"))
    return (
        f"solved {solved} of {len(records)}, wrong {wrong}, median {np.median(times):.2f} ms, "
        f"95th percentile {np.percentile(times, 95):.1f} ms, max {times.max():.0f} ms, total {times.sum() / 1000:.2f} s"
    )


if __name__ == "__main__":
    main()
