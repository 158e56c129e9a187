"""Puzzles that come with the package, with their solutions and ratings.

`nurikabe.jsonl` and `kuromasu.jsonl` have them, one JSON record a line, as `read_many` reads them. `river.txt` has ten
of them (7x7, 5x5, six 15x15, two 20x20) in the river format, free to copy. README.md says what is in it and how it was
made.
"""

from collections import Counter
from collections.abc import Iterable
from fnmatch import fnmatchcase
from functools import cache
from importlib import resources

from ..deduce import BEYOND, LEVELS, PROFILES
from ..errors import OptionError
from ..extras import require
from ..formats import read_many, write
from ..grid import shape_of
from ..puzzles import GENRES, NO_CLUE, UNKNOWN_SIZE, UNSHADED, Puzzle

CORPUS_LEVELS = (*(level for level in LEVELS if level != "bookkeeping"), BEYOND)
MOST_PICTURES = 24  # a sheet of more would be too much for a page
WIDTH = 150  # pixels of a board on the sheet


class Corpus(tuple[Puzzle, ...]):
    """Puzzles in a fixed order; a slice of them is a Corpus, too. In a notebook it shows the first of its boards."""

    def __getitem__(self, index):
        found = super().__getitem__(index)
        return Corpus(found) if isinstance(index, slice) else found

    def __repr__(self):
        return f"<Corpus of {len(self)} puzzles>"

    def __str__(self):
        """How many there are of each shape and level."""
        counts = Counter((puzzle.shape, puzzle.info.get("level", "")) for puzzle in self)
        shapes = sorted({shape for shape, _ in counts})
        levels = [level for level in (*CORPUS_LEVELS, "") if any((shape, level) in counts for shape in shapes)]
        rows = [
            ("shape", *(level or "unrated" for level in levels), "all"),
            *(
                (
                    f"{shape[0]}x{shape[1]}",
                    *(counts[shape, level] for level in levels),
                    sum(p.shape == shape for p in self),
                )
                for shape in shapes
            ),
            ("all", *(sum(counts[shape, level] for shape in shapes) for level in levels), len(self)),
        ]
        return "\n".join(f"{shape:7}" + "".join(f"{number:>8}" for number in numbers) for shape, *numbers in rows)

    def _repr_html_(self):
        from ..draw.svg import figure, svg, text

        boards = [
            figure(svg(puzzle, size=WIDTH / puzzle.shape[1]), text(f"{puzzle.name}: {puzzle.info.get('level', '')}"))
            for puzzle in self[:MOST_PICTURES]
        ]
        more = f", the first {len(boards)}" if len(boards) < len(self) else ""
        return (
            f"<div><b>{len(self)} puzzles</b>{more}"
            f'<div style="display:flex;flex-wrap:wrap;gap:16px;margin:6px 0">{"".join(boards)}</div></div>'
        )

    def frame(self):
        """A pandas DataFrame, one row a puzzle.

        Columns: name, genre, rows, columns, clues (how many), unknown (those that are `?`), land (unshaded cells of the
        answer), what `info` has (level, source, seed, …), one column a technique with its number of steps
        where that is known, and the puzzle as a link. Raises PackageNotFound if pandas is not installed.

        >>> load_corpus(name="river-*").frame().groupby("rows").size().to_dict()
        {5: 1, 7: 1, 15: 6, 20: 2}
        """
        return data_frame([_row(puzzle) for puzzle in self])


def _row(puzzle: Puzzle) -> dict:
    info = dict(puzzle.info)
    counted = "counts" in info
    counts = dict(entry.split("=") for entry in info.pop("counts", "").split())
    return {
        "name": puzzle.name,
        "genre": puzzle.genre,
        "rows": puzzle.shape[0],
        "columns": puzzle.shape[1],
        "clues": int((puzzle.clues != NO_CLUE).sum()),
        "unknown": int((puzzle.clues == UNKNOWN_SIZE).sum()),
        "land": None if puzzle.answer is None else int((puzzle.answer.cells == UNSHADED).sum()),
        **info,
        **(
            {technique.name: int(counts.get(technique.name, 0)) for technique in PROFILES[puzzle.genre].techniques}
            if counted
            else {}
        ),
        "link": write(puzzle, "puzzlink"),
    }


def counts_text(rating) -> str:
    """How the corpus keeps the counts of a Rating: `island_exit=7 forced=2`."""
    return " ".join(f"{technique}={count}" for technique, count in rating.counts.items() if count)


def data_frame(rows: list[dict]):
    """A pandas DataFrame; PackageNotFound says how to install pandas."""
    return require("pandas", "bench").DataFrame(rows)


def load_corpus(
    level: str | Iterable[str] | None = None,
    shape: str | int | tuple[int, int] | None = None,
    *,
    max_shape: str | int | tuple[int, int] | None = None,
    genre: str | None = "nurikabe",
    name: str | None = None,
) -> Corpus:
    """The puzzles that come with the package: each has exactly one solution, which is its `answer`.

    `info` of a puzzle has its `level`, the `counts` of each technique, its `source`, and for those that we made what
    makes them again: `asked` (the level asked for), `seed`, `version` (of the generator), perhaps `hidden`, `symmetry`.

    Parameters
    ----------
    level
        One or several of easy, medium, hard, expert, beyond; None for all.
    shape
        (rows, columns), "8x12", or 10 for 10x10.
    max_shape
        The most rows and columns, as the board lies.
    genre
        None for all.
    name
        The name, perhaps with `*`.

    Raises
    ------
    OptionError
        A level or a genre that does not exist, or a shape that is none. That nothing is found is no error.

    Examples
    --------
    >>> puzzle = load_corpus(name="river-1")[0]
    >>> puzzle.shape, puzzle.info["level"]
    ((7, 7), 'medium')
    >>> {puzzle.info["level"] for puzzle in load_corpus(["hard", "expert"], max_shape="10x10")} <= {"hard", "expert"}
    True
    """
    levels = CORPUS_LEVELS if level is None else (level,) if isinstance(level, str) else tuple(level)
    for one in levels:
        if one not in CORPUS_LEVELS:
            raise OptionError(f"level is one or several of {', '.join(CORPUS_LEVELS)}; got {one!r}")
    if genre is not None and genre not in GENRES:
        raise OptionError(f"there is no genre {genre!r}, there are: {', '.join(GENRES)}")
    exact = None if shape is None else shape_of("shape", shape)
    most = None if max_shape is None else shape_of("max_shape", max_shape)
    return Corpus(
        puzzle
        for puzzle in _packaged()
        if puzzle.info["level"] in levels
        and genre in (None, puzzle.genre)
        and exact in (None, puzzle.shape)
        and (most is None or (puzzle.shape[0] <= most[0] and puzzle.shape[1] <= most[1]))
        and (name is None or fnmatchcase(puzzle.name, name))
    )


@cache
def _packaged() -> tuple[Puzzle, ...]:
    files = [resources.files(__name__).joinpath(f"{genre}.jsonl") for genre in GENRES]
    text = "".join(file.read_text(encoding="utf-8") for file in files)
    return tuple(read_many(text, on_error=_fail, format="json"))


def _fail(error):
    raise error
