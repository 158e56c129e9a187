"""Make puzzles: unique, of a level, the same on every machine for the same seed.

`request.py` has what is asked for and handed back, `one.py` makes one puzzle under limits, `many.py` many at once. A
genre has a module with its method, whose `Maker` climbs to a puzzle; they stand in `one.METHODS`.
"""

from collections.abc import Callable, Iterator
from concurrent.futures import Executor
from pathlib import Path

from ..backends.base import Run, whole
from .many import canonical, many
from .one import METHODS, make
from .request import ANY, ASKED, SYMMETRIES, Generated, Request

__all__ = ["ASKED", "SYMMETRIES", "Generated", "Request", "canonical", "generate", "generate_many"]

ATTEMPTS = 1000


def generate(
    shape: tuple[int, int] | str | int,
    level: str = ANY,
    seed: int = 0,
    *,
    genre: str = "nurikabe",
    require: str | None = None,
    symmetry: str | None = None,
    hidden: float = 0.0,
    black_share: float | None = None,
    time_limit: float | None = None,
    attempts: int = ATTEMPTS,
    cancel=None,
) -> Generated:
    """Make a puzzle with exactly one solution.

    The same arguments give the same puzzle on every machine, as long as `Generated.version` stays the same; limits
    decide only whether there is one.

    Parameters
    ----------
    shape
        (rows, columns), "8x12", or 10 for 10x10; each from 1 to 100.
    level
        "easy", "medium", "hard", "expert", or "beyond" what techniques finish; "any" takes whatever comes.
    seed
        A whole number from 0.
    genre
        "nurikabe" or "kuromasu".
    require
        The name of a technique (see `deduce.techniques()`) that the puzzle needs: easier techniques alone do not
        finish it, and its rating uses this one. For nurikabe.
    symmetry
        The clue cells stay where they are under a turn or a mirror image: "rotate180", "rotate90", "mirror" (left to
        right), "flip" (upside down) or "diagonal"; rotate90 and diagonal are for square boards.
    hidden
        The share of the clues that become `?`, from 0 to 1; the number of them is rounded. For nurikabe.
    black_share
        The share of black cells aimed at, from 0 to 0.5; None for 0.2. There are fewer where no more fit. For kuromasu.
    time_limit, attempts, cancel
        Wall seconds, None for no limit; the number of answers that are begun; an event that another thread may set.

    Raises
    ------
    GenerationFailed
        At a limit; with what was tried. Some kinds do not exist, such as expert puzzles of 2x2.
    OptionError
        If an argument is out of range.

    Examples
    --------
    >>> made = generate((6, 6), "hard", seed=1)
    >>> made.level, made.rating.unique, made.puzzle == generate((6, 6), "hard", seed=1).puzzle
    ('hard', True, True)
    """
    request = Request(genre, shape, level, require, symmetry, hidden, black_share)
    return make(request, whole("seed", seed, 0), whole("attempts", attempts, 1), Run(time_limit, cancel=cancel))


def generate_many(
    n: int,
    shape: tuple[int, int] | str | int,
    level: str = ANY,
    seed: int = 0,
    *,
    genre: str = "nurikabe",
    require: str | None = None,
    symmetry: str | None = None,
    hidden: float = 0.0,
    black_share: float | None = None,
    jobs: int | None = None,
    executor: Executor | None = None,
    output: str | Path | None = None,
    time_limit: float | None = None,
    attempts: int = ATTEMPTS,
    cancel=None,
    progress: Callable[[int, int], object] | None = None,
) -> Iterator[Generated]:
    """Make n different puzzles, those of `seed`, `seed` + 1, …; an iterator that yields each as soon as it is there.

    Puzzles that are the same turned, mirrored or but for hidden numbers come once. Order and content do not depend on
    the number of workers. Closing the iterator, or Ctrl-C, ends the workers.

    Parameters
    ----------
    n
        The number of puzzles.
    shape, level, seed, genre, require, symmetry, hidden, black_share
        As for `generate`.
    jobs
        Processes, by default as many as there are processors; 1 is this process itself. A script that uses more needs
        `if __name__ == "__main__":`.
    executor
        In place of `jobs` an executor of concurrent.futures, such as that of Dask's `Client.get_executor()`.
    output
        A file of JSON lines, to which each puzzle is written at once. If it is there, its puzzles are yielded first
        (without counts) and the run goes on behind them; `read_many` reads it.
    time_limit, cancel
        As for `generate`, for all puzzles together.
    attempts
        As for `generate`, for each puzzle.
    progress
        A function that is called with the number of puzzles found and n.

    Raises
    ------
    GenerationFailed
        At a limit, and where the seeds give no other puzzles any more.
    OptionError
        If an argument is out of range or `output` was made with others.

    Examples
    --------
    >>> [made.level for made in generate_many(3, (5, 5), "medium", jobs=1)]
    ['medium', 'medium', 'medium']
    """
    request = Request(genre, shape, level, require, symmetry, hidden, black_share)
    run = Run(time_limit, cancel=cancel)
    seed, attempts = whole("seed", seed, 0), whole("attempts", attempts, 1)
    return many(request, n, seed, METHODS[genre].VERSION, jobs, executor, output, attempts, run, progress)
