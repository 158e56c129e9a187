"""Solve every puzzle of a corpus, prove uniqueness, and print the figures.

    python benchmarks/solve_corpus.py CORPUS --backend cpsat --backend pulp -o records.jsonl

CORPUS is a file of puzzles; without one it is the puzzles of the package. One thread, one process, after a small puzzle
that warms it up; `nurikabe-mip bench run` measures the same in processes under hard limits. The time of a puzzle is
that of the whole call of `solve`: presolve, model, search, proof and the check of the answers. A puzzle counts as
solved if its status is proved and, where the corpus stores an answer, the answers are equal; an unsolved one keeps the
time that it took.
"""

import json
import os
import sys
from pathlib import Path

import click
import numpy as np

import nurikabe_mip as nm
from nurikabe_mip import bench
from nurikabe_mip.bench.measure import SMALL
from nurikabe_mip.cli import parsed_options
from nurikabe_mip.deduce import load_kernel


@click.command(help=__doc__.split("\n\n")[0])
@click.argument("corpus", type=click.Path(exists=True, path_type=Path), required=False)
@click.option("--backend", "backends", multiple=True, default=["auto"], show_default=True, help="May be repeated.")
@click.option("--limit", default=20.0, show_default=True, help="Seconds a puzzle.")
@click.option("--option", "pairs", multiple=True, metavar="NAME=VALUE", help="An option of the backend.")
@click.option("--every", default=1, show_default=True, help="Take only every n-th puzzle.")
@click.option("--quick", is_flag=True, help="Every tenth puzzle, one second each.")
@click.option("-o", "--output", type=click.Path(path_type=Path), help="Write one JSON record a puzzle there.")
def main(corpus, backends, limit, pairs, every, quick, output):
    options = parsed_options(pairs, {})
    if quick:
        every, limit = max(every, 10), min(limit, 1.0)
    puzzles = list(nm.read_many(corpus) if corpus else nm.load_corpus())[::every]
    genres = sorted({puzzle.genre for puzzle in puzzles})
    for genre in genres:
        load_kernel(genre)  # else small boards begin in plain Python, as they do in a fresh process
    print(bench.machine(), flush=True)
    with output.open("w") if output else open(os.devnull, "w") as out:
        for backend in backends:
            for genre in genres:
                bench.measure(SMALL[genre], backend, limit=limit, **options)
            records = []
            with click.progressbar(puzzles, label=backend, file=sys.stderr, hidden=not sys.stderr.isatty()) as bar:
                for puzzle in bar:
                    records.append(bench.measure(puzzle, backend, limit=limit, **options))
                    about = {"name": puzzle.name, "rows": puzzle.shape[0], "columns": puzzle.shape[1]}
                    print(json.dumps({**about, "backend": backend, "options": options, **records[-1]}), file=out)
                    out.flush()
            print(f"{backend}{''.join(f' {pair}' for pair in pairs)}: {summary(records)}", flush=True)


def summary(records: list[dict]) -> str:
    """One line of figures, times in milliseconds."""
    times = np.array([record["seconds"] for record in records]) * 1000
    solved = sum(record["solved"] for record in records)
    wrong = sum(record["verdict"] == "wrong" for record in records)
    return (
        f"solved {solved} of {len(records)}, wrong {wrong}, median {np.median(times):.2f} ms, "
        f"95th percentile {np.percentile(times, 95):.1f} ms, max {times.max():.0f} ms, total {times.sum() / 1000:.2f} s"
    )


if __name__ == "__main__":
    main()
