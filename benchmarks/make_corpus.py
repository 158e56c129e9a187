"""Make the packaged corpus: the river boards with solutions and ratings, and our own from the generator.

    python benchmarks/make_corpus.py
    python benchmarks/make_corpus.py --genre kuromasu

Deterministic: each group of PLAN takes the seeds 0, 1, 2, … until it has enough puzzles. A puzzle that is an earlier
one turned, mirrored or with other hidden numbers is left out, and of those up to 10x10 one whose rating takes more than
MOST_TRIALS assumptions, which is known without a clock and keeps a rating under 8.5 ms. What is made is written at once
beside the corpus: after Ctrl-C the same command goes on from there. The corpus itself changes at the end, and with it,
for Nurikabe, the table of its README.md.
"""

import json
from collections.abc import Iterator
from dataclasses import replace
from itertools import count
from pathlib import Path

import click

import nurikabe_mip as nm
from nurikabe_mip.cli import Output
from nurikabe_mip.corpus import CORPUS_LEVELS, Corpus, counts_text
from nurikabe_mip.deduce import PROFILES, canonical_orientation, turned
from nurikabe_mip.deduce.position import POSITIONS, values_of
from nurikabe_mip.generate import canonical, generate
from nurikabe_mip.generate.one import METHODS
from nurikabe_mip.jsonl import JsonLines

FOLDER = Path(nm.__file__).parent / "corpus"
LEVELS = (*CORPUS_LEVELS, "any")
# shape: how many of each of LEVELS are asked for
PLAN = {
    (5, 5): (8, 8, 8, 6, 4, 4),
    (6, 6): (8, 8, 8, 8, 4, 4),
    (6, 9): (4, 4, 4, 4, 2, 2),
    (7, 7): (10, 10, 10, 10, 5, 5),
    (8, 8): (10, 10, 10, 10, 5, 5),
    (8, 12): (6, 6, 6, 6, 3, 3),
    (10, 10): (14, 14, 14, 14, 6, 8),
    (10, 16): (4, 4, 4, 4, 2, 2),
    (12, 5): (3, 3, 3, 3, 1, 1),
    (12, 12): (10, 10, 10, 8, 4, 4),
    (15, 15): (8, 8, 8, 8, 4, 4),
    (20, 20): (6, 6, 4, 4, 2, 2),
}
# shape, options, how many of each of LEVELS: boards with `?`, and clue patterns with a symmetry
SPECIAL = [
    ((6, 6), {"hidden": 0.3}, (2, 2, 2, 2)),
    ((8, 8), {"hidden": 0.3}, (2, 2, 2, 2)),
    ((10, 10), {"hidden": 0.3}, (2, 2, 2, 2)),
    ((12, 12), {"hidden": 0.2}, (1, 1, 1, 1)),
    ((7, 7), {"symmetry": "rotate90"}, (1, 1, 1, 1)),
    ((8, 8), {"symmetry": "mirror"}, (1, 1, 1, 1)),
    ((9, 9), {"symmetry": "diagonal"}, (1, 1, 1, 1)),
    ((10, 10), {"symmetry": "rotate180"}, (2, 2, 2, 2)),
]
PLANS = {
    "nurikabe": PLAN,
    "kuromasu": dict.fromkeys([(5, 5), (7, 7), (6, 9), (9, 9), (10, 10), (12, 12), (15, 15)], (4,) * 4),
}
SPECIALS = {
    "nurikabe": SPECIAL,
    "kuromasu": [
        ((8, 8), {"symmetry": "rotate180"}, (1,) * 4),
        ((11, 11), {"symmetry": "rotate90"}, (1,) * 4),
        ((8, 10), {"symmetry": "mirror"}, (1,) * 4),
        ((13, 13), {"symmetry": "diagonal"}, (1,) * 4),
    ],
}
MOST_TRIALS = 500
LONG_TRIALS = ("nurikabe", "beyond")  # these take twice as long: no trial is cut short


def groups(genre: str) -> Iterator[tuple[tuple[int, int], str, dict, int]]:
    """Shape, level, options and number of puzzles."""
    plan = ((shape, {}, numbers) for shape, numbers in PLANS[genre].items())
    for shape, options, numbers in [*plan, *SPECIALS[genre]]:
        yield from ((shape, level, options, number) for level, number in zip(LEVELS, numbers, strict=False) if number)


def river() -> list[nm.Puzzle]:
    boards = nm.read_many(FOLDER / "river.txt")
    info = {"source": "islands in the stream, Code Golf question 51006"}
    return [
        finished(replace(board, answer=nm.solve(board).solution), nm.rate(board), f"river-{number}", info)
        for number, board in enumerate(boards, 1)
    ]


def finished(puzzle: nm.Puzzle, rating: nm.Rating, name: str, info: dict) -> nm.Puzzle:
    """The puzzle as it is stored."""
    return replace(puzzle, name=name, info={"level": rating.level, "counts": counts_text(rating)} | info)


def trials(puzzle: nm.Puzzle, rating: nm.Rating) -> float:
    """How many assumptions a rating tries; of a plain search, as Kuromasu have it, ten nodes are as much work."""
    orientation = canonical_orientation(puzzle.clues)
    board = turned(puzzle.clues, orientation)
    position = POSITIONS[puzzle.genre](board, values_of(board, None))
    position.run(len(PROFILES[puzzle.genre].techniques) - 1, board.size, None, None)
    tried = int(position.work[position.kernel.N_TRIALS]) * (2 if (puzzle.genre, rating.level) == LONG_TRIALS else 1)
    return tried + (rating.search_nodes_per_cell or 0) * board.size / 10


def ours(genre, shape, level, options, seed) -> nm.Puzzle | None:
    """The puzzle of a seed as it is stored; None if its rating takes too long."""
    made = generate(shape, level, seed, genre=genre, **options)
    if max(shape) <= 10 and trials(made.puzzle, made.rating) > MOST_TRIALS:
        return None
    prefix = [] if genre == "nurikabe" else [genre]
    name = "-".join([*prefix, f"{shape[0]}x{shape[1]}", level, *options, str(seed)])
    return finished(made.puzzle, made.rating, name, {"source": "nurikabe-mip"} | made.puzzle.info)


class Unfinished(JsonLines):
    """What was made so far: for each request and seed the record, empty if that is left out."""

    def __init__(self, path: Path):
        super().__init__(path, b"[")
        self.records = dict(map(json.loads, self.lines))

    def puzzle(self, genre, shape, level, options, seed) -> nm.Puzzle | None:
        key = json.dumps([genre, METHODS[genre].VERSION, shape, level, options, seed])
        if key not in self.records:
            puzzle = ours(genre, shape, level, options, seed)
            self.records[key] = "" if puzzle is None else nm.write(puzzle, "json")
            self.add(json.dumps([key, self.records[key]]))
        return nm.read(self.records[key]) if self.records[key] else None


@click.command(help=__doc__.split("\n\n")[0])
@click.option("--genre", type=click.Choice(list(PLANS)), default="nurikabe", show_default=True)
def main(genre):
    output = FOLDER / f"{genre}.jsonl"
    path = output.with_suffix(".unfinished")
    puzzles = river() if genre == "nurikabe" else []
    seen = {canonical(puzzle, fill=True) for puzzle in puzzles}
    total = len(puzzles) + sum(number for *_, number in groups(genre))
    with Unfinished(path) as unfinished, Output().progress(total) as step:
        for shape, level, options, number in groups(genre):
            seeds = count()
            enough = len(puzzles) + number
            while len(puzzles) < enough:
                puzzle = unfinished.puzzle(genre, shape, level, options, next(seeds))
                if puzzle is not None and canonical(puzzle, fill=True) not in seen:
                    seen.add(canonical(puzzle, fill=True))
                    puzzles.append(puzzle)
                    step(len(puzzles), puzzle.name)
    output.write_text("".join(f"{nm.write(puzzle, 'json')}\n" for puzzle in puzzles), encoding="utf-8")
    path.unlink()
    if genre != "nurikabe":
        return  # the page has the table of these alone
    page = FOLDER / "README.md"
    before, command, after = page.read_text(encoding="utf-8").partition(">>> print(nm.load_corpus())\n")
    after = after[after.index("\n\n```") :]
    page.write_text(f"{before}{command}{Corpus(puzzles)}{after}", encoding="utf-8")


if __name__ == "__main__":
    main()
