"""Make the packaged corpus: the river boards with solutions and ratings, and our own from the generator.

python benchmarks/make_corpus.py
"""

from dataclasses import replace
from pathlib import Path

import nurikabe_mip as nm
from nurikabe_mip.corpus import counts_text

CORPUS = Path(nm.__file__).parent / "corpus"


def river() -> list[nm.Puzzle]:
    boards = nm.read_many(CORPUS / "river.txt")
    source = "islands in the stream, Code Golf question 51006"
    return [
        finished(board, f"river-{number}", nm.solve(board).solution, source=source)
        for number, board in enumerate(boards, 1)
    ]


def finished(puzzle: nm.Puzzle, name: str, answer: nm.Shading, **info) -> nm.Puzzle:
    """The puzzle as it is stored, with its rating."""
    rating = nm.rate(puzzle)
    rated = {"level": rating.level, "counts": counts_text(rating)}
    return replace(puzzle, name=name, answer=answer, info=rated | info)


def main():
    puzzles = river()
    (CORPUS / "nurikabe.jsonl").write_text("".join(f"{nm.write(puzzle, 'json')}\n" for puzzle in puzzles))


if __name__ == "__main__":
    main()
