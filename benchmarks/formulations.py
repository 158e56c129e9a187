"""Compare MIP formulations, solvers and presolve on a corpus: a table of what each solves, and how fast.

    python benchmarks/formulations.py CORPUS -o records.jsonl
    python benchmarks/formulations.py CORPUS --formulation mixed --formulation flow --solver HiGHS --solver SCIP_PY
    python benchmarks/formulations.py CORPUS --quick

Taken are the puzzles of at most `--area` cells, and every n-th of these. One thread, one process, after a small puzzle
that warms it up. The time of a puzzle is the wall time of the whole call of `solve`: presolve, model, search, proof of
uniqueness and the check of the answers. A puzzle counts as solved if it is proved unique and, where the corpus stores
an answer, the answers are equal; one that is not solved counts as infinitely long in median, percentile and maximum.
`build` is the share of the model in the sum of the times spent on models and in the solver; `searched` is how many
puzzles the deductions left something of.
"""

import json
import math
import os
from pathlib import Path

import click
import numpy as np
from rich.console import Console
from rich.progress import track
from rich.table import Table
from solve_corpus import record

import nurikabe_mip as nm
from nurikabe_mip.backends import pulp
from nurikabe_mip.deduce import load_kernel
from nurikabe_mip.deduce.presolve import METHODS

COLUMNS = ("formulation", "solver", "presolve", "solved", "wrong", "median", "95th", "max", "build", "searched")
QUICK_LIMIT, QUICK_PUZZLES = 1.0, 2


def names(option: str, known, default, text: str):
    """An option that may be repeated."""
    return click.option(option, f"{option[2:]}s", multiple=True, type=click.Choice(known), default=default, help=text)


@click.command(help=__doc__.split("\n\n")[0])
@click.argument("corpus", type=click.Path(exists=True, path_type=Path))
@names("--formulation", tuple(pulp.FORMULATIONS), tuple(pulp.FORMULATIONS), "May be repeated; by default all.")
@click.option("--solver", "solvers", multiple=True, default=["HiGHS"], show_default=True, help="May be repeated.")
@names("--presolve", METHODS, METHODS, "May be repeated; by default all.")
@click.option("--limit", default=60.0, show_default=True, help="Seconds a puzzle.")
@click.option("--area", default=150, show_default=True, help="Cells of a puzzle at most.")
@click.option("--every", default=7, show_default=True, help="Take only every n-th puzzle.")
@click.option("--quick", is_flag=True, help=f"{QUICK_PUZZLES} puzzles and {QUICK_LIMIT:.0f} seconds a puzzle.")
@click.option("-o", "--output", type=click.Path(path_type=Path), help="Write one JSON record a puzzle there.")
def main(corpus, formulations, solvers, presolves, limit, area, every, quick, output):
    puzzles = [puzzle for puzzle in nm.read_many(corpus) if puzzle.clues.size <= area][::every]
    if quick:
        puzzles, limit = puzzles[:QUICK_PUZZLES], min(limit, QUICK_LIMIT)
    load_kernel()  # else small boards begin in plain Python, as they do in a fresh process
    table = Table(*COLUMNS, title=f"{len(puzzles)} puzzles, times in ms, limit {limit:g} s")
    with output.open("w") if output else open(os.devnull, "w") as out:
        for formulation in formulations:
            needed = pulp.IN_TREE.get(formulation)
            for solver in [needed] if needed else solvers:
                for presolve in presolves:
                    options = {"formulation": formulation, "solver": solver, "presolve": presolve}
                    record(nm.read("nurikabe:3x3:1,.,1,.,.,.,1,.,1"), "pulp", limit, options)
                    records = []
                    label = " ".join(options.values())
                    for puzzle in track(puzzles, label, console=Console(stderr=True), transient=True):
                        records.append(record(puzzle, "pulp", limit, options))
                        print(json.dumps(records[-1]), file=out, flush=True)
                    table.add_row(*options.values(), *figures(records))
    Console(width=None if os.isatty(1) else 120).print(table)


def figures(records: list[dict]) -> list[str]:
    """The columns of a table row behind the names."""
    times = [record["seconds"] * 1000 if record["solved"] else math.inf for record in records]
    build, solve = (sum(record[f"{phase}_seconds"] for record in records) for phase in ("build", "solve"))
    return [
        f"{sum(record['solved'] for record in records)} of {len(records)}",
        str(sum(record["wrong"] for record in records)),
        f"{np.median(times):.1f}",
        f"{np.percentile(times, 95, method='higher'):.0f}",
        f"{max(times):.0f}",
        f"{build / (build + solve):.0%}" if build + solve else "-",
        str(sum(record["iterations"] is not None for record in records)),
    ]


if __name__ == "__main__":
    main()
