"""Does every backend find the answers of every small Kuromasu?

    python benchmarks/small_kuromasu.py --backend search --backend cpsat

All boards of up to 3x4 with up to three clues, `?` and impossible numbers included, one of each class under the board's
symmetries. What a backend finds from the bare model must be what is left of all black and white patterns, and it must
end by itself; with `--most N` it is asked for N answers at most.
"""

import sys
import time
from itertools import combinations, product
from pathlib import Path

import click
import numpy as np

import nurikabe_mip as nm
from nurikabe_mip.backends import load
from nurikabe_mip.backends.base import Run, checked_options
from nurikabe_mip.constraints import ShadingModel

sys.path.insert(0, str(Path(__file__).parent.parent / "tests"))
from kuromasu_twin import answers


def boards(rows: int, columns: int, most: int = 3):
    """The clues of each class of boards of that shape, once."""
    size = rows * columns
    turns = [np.rot90(np.arange(size).reshape(rows, columns), k) for k in range(4)]
    turns += [turn[:, ::-1] for turn in turns]
    images = [turn.ravel() for turn in turns if turn.shape == (rows, columns)]
    numbers = [-1, *range(1, min(size, rows + columns) + 1)]
    for k in range(min(most, size) + 1):
        for places in combinations(range(size), k):
            for values in product(numbers, repeat=k):
                clues = np.zeros(size, dtype=int)
                clues[list(places)] = values
                if all(clues.tolist() <= clues[image].tolist() for image in images):
                    yield clues.reshape(rows, columns)


def agrees(backend: str, clues: np.ndarray, most: int | None) -> bool:
    name, module = load(backend)
    model = ShadingModel.of(nm.Kuromasu(clues))
    found = []
    for values in module.shadings(model, Run(), **checked_options(name, module, {})):
        found.append(str(nm.Shading(values.reshape(model.shape))))
        if len(found) == most:
            break
    expected = answers(clues)
    wanted = len(expected) if most is None else min(len(expected), most)
    return len(set(found)) == len(found) == wanted and expected.issuperset(found)


@click.command(help=__doc__.split("\n\n")[0])
@click.option("--backend", "backends", multiple=True, default=["search", "sat", "cpsat", "pulp", "brute_force"])
@click.option("--most", type=int, help="Answers to ask for.  [default: all]")
@click.option("--quick", is_flag=True, help="Boards of up to six cells.")
def main(backends, most, quick):
    shapes = [(r, c) for r in (1, 2, 3) for c in (1, 2, 3, 4) if r <= c and (not quick or r * c <= 6)]
    failed = False
    for backend in backends:
        start, number, wrong = time.process_time(), 0, []
        for rows, columns in shapes:
            for clues in boards(rows, columns):
                number += 1
                if not agrees(backend, clues, most):
                    wrong.append(nm.write(nm.Kuromasu(clues), "id"))
        print(f"{backend}: {number} boards, {len(wrong)} wrong, {time.process_time() - start:.0f} s", flush=True)
        for puzzle in wrong[:10]:
            print(puzzle)
        failed |= bool(wrong)
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
