"""Do all backends say the same of random boards?

    python benchmarks/agreement.py --boards 5000

Boards of up to 5x5 with up to five clues, some of them `?`; each backend that is asked for (by default those that take
milliseconds) solves each from the bare model. What is proved, and the solution where it is the only one, must be equal;
a limit proves nothing.
"""

import random
import sys
import time
from collections import Counter

import click
import numpy as np

import nurikabe_mip as nm

PROOFS = ("unique", "multiple", "infeasible")


def random_board(rng: random.Random, side: int) -> nm.Nurikabe:
    """Clues anywhere, mostly small: about half of these boards have a solution."""
    rows, columns = rng.randint(1, side), rng.randint(1, side)
    clues = np.zeros(rows * columns, dtype=int)
    for cell in rng.sample(range(clues.size), min(clues.size, rng.randint(0, 5))):
        clues[cell] = min(rng.choice([-1, 1, 1, 2, 2, 3, 4, 5, 7]), clues.size)
    return nm.Nurikabe(clues.reshape(rows, columns))


@click.command(help=__doc__.split("\n\n")[0])
@click.option("--boards", default=5000, show_default=True)
@click.option("--side", default=5, show_default=True, help="The most rows and columns.")
@click.option("--backend", "backends", multiple=True, default=["search", "sat", "cpsat", "pulp", "shapes"])
def main(boards, side, backends):
    rng = random.Random(0)
    puzzles = [random_board(rng, side) for _ in range(boards)]
    answers = {}
    for backend in backends:
        start = time.perf_counter()
        results = [nm.solve(puzzle, backend, presolve="none", time_limit=60) for puzzle in puzzles]
        answers[backend] = [(str(r.status), r.solution if r.status is nm.Status.UNIQUE else None) for r in results]
        counts = dict(Counter(status for status, _ in answers[backend]))
        print(f"{backend}: {counts}, {time.perf_counter() - start:.1f} s", flush=True)
    together = zip(puzzles, *answers.values(), strict=True)
    wrong = [puzzle for puzzle, *found in together if len({proof for proof in found if proof[0] in PROOFS}) > 1]
    print(f"{len(wrong)} of {boards} boards on which {len(backends)} backends disagree")
    for puzzle in wrong[:10]:
        print(nm.write(puzzle, "id"))
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
