"""Compare the formulations of the backend pulp: a table of formulation x solver x presolve.

    python benchmarks/formulations.py CORPUS --formulation flow --formulation mixed --presolve none

One thread, one process, after a small puzzle that warms each combination up. Every 7th of the puzzles of up to 150
cells is taken, with proof of uniqueness. Times are those of the whole call of `solve`; a puzzle that is not solved
counts as infinite. Build is the share of the time that goes into building models. Without CORPUS it is the packaged
one.
"""

import json
import math
import os
import sys
from pathlib import Path

import click
import pulp as modeller
from rich.console import Console
from rich.table import Table

import nurikabe_mip as nm
from nurikabe_mip import bench
from nurikabe_mip.backends import pulp
from nurikabe_mip.bench.measure import SMALL
from nurikabe_mip.bench.statistics import percentile
from nurikabe_mip.deduce import load_kernel
from nurikabe_mip.deduce.presolve import METHODS


@click.command(help=__doc__.split("\n\n")[0])
@click.argument("corpus", type=click.Path(exists=True, path_type=Path), required=False)
@click.option("--formulation", "formulations", multiple=True, help="May be repeated; all by default.")
@click.option("--solver", "solvers", multiple=True, default=["HiGHS"], show_default=True, help="May be repeated.")
@click.option("--presolve", "presolves", multiple=True, help="May be repeated; none and lookahead by default.")
@click.option("--limit", default=60.0, show_default=True, help="Seconds a puzzle.")
@click.option("--every", default=7, show_default=True, help="Take only every n-th puzzle.")
@click.option("--area", default=150, show_default=True, help="Cells of a puzzle at most.")
@click.option("--quick", is_flag=True, help="Three puzzles of up to 60 cells, one second each.")
@click.option("-o", "--output", type=click.Path(path_type=Path), help="Write one JSON record a solve there.")
def main(corpus, formulations, solvers, presolves, limit, every, area, quick, output):
    area, limit = (60, 1.0) if quick else (area, limit)
    puzzles = [puzzle for puzzle in (nm.read_many(corpus) if corpus else nm.load_corpus()) if puzzle.clues.size <= area]
    puzzles = puzzles[::every][: 3 if quick else None]
    load_kernel()  # else small boards begin in plain Python, as they do in a fresh process
    print(bench.machine(), flush=True)
    table = Table("formulation", "solver", "presolve", title=f"{len(puzzles)} puzzles, {limit:g} s each", box=None)
    for heading in ("solved", "wrong", "median ms", "95th pct ms", "max ms", "build"):
        table.add_column(heading, justify="right")
    rows = [
        (formulation, pulp.IN_TREE.get(formulation, solver), presolve)
        for formulation in formulations or pulp.FORMULATIONS
        for solver in solvers
        for presolve in presolves or [method for method in METHODS if method != "rules"]
    ]
    with output.open("w") if output else open(os.devnull, "w") as out:
        for row in dict.fromkeys(rows):
            table.add_row(*row, *_figures(puzzles, *row, limit, out))
    console = Console(width=None if sys.stdout.isatty() else 110)
    console.print(table)


def _figures(puzzles: list, formulation: str, solver: str, presolve: str, limit: float, out) -> list[str]:
    if solver not in modeller.listSolvers(True):
        return ["not installed"]
    options = {"formulation": formulation, "solver": solver, "presolve": presolve}
    bench.measure(SMALL["nurikabe"], "pulp", limit=limit, **options)
    times, wrong, total, build = [], 0, 0.0, 0.0
    label = f"{formulation} {solver} {presolve}"
    with click.progressbar(puzzles, label=label, file=sys.stderr, hidden=not sys.stderr.isatty()) as bar:
        for puzzle in bar:
            record = bench.measure(puzzle, "pulp", limit=limit, **options)
            print(json.dumps({"name": puzzle.name, "options": options, **record}), file=out, flush=True)
            times.append(1000 * record["seconds"] if record["solved"] else math.inf)
            wrong += record["verdict"] == "wrong"
            total += record["seconds"]
            build += record.get("build_seconds", 0.0)
    figures = [f"{time:.1f}" for time in (percentile(times, 50), percentile(times, 95), max(times))]
    return [f"{sum(map(math.isfinite, times))}", f"{wrong}", *figures, f"{build / total:.0%}"]


if __name__ == "__main__":
    main()
