"""A run: (corpus) x (backends with options) x (repeats), each solve in a process of its own, each record kept."""

import json
import queue
import threading
from collections.abc import Callable, Iterable, Iterator
from contextlib import closing, suppress
from dataclasses import asdict
from pathlib import Path

from .. import deduce
from ..backends import load as load_backend
from ..backends.base import LOOK, Run, checked_options, whole
from ..errors import OptionError
from ..formats import read_many
from ..puzzles import Kuromasu, Puzzle
from ..rate import kuromasu_band
from .processes import Settings, Stopped, Task, Worker
from .records import RecordFile, Results, key_of, label_of, load, named

RATING = 5.0  # seconds that the rating of a puzzle may take
SOLVE_OPTIONS = ("presolve", "threads", "seed")  # arguments of `solve` that may stand among the options of a backend

Backend = str | tuple[str, dict]


def run(
    corpus,
    backends: Iterable[Backend],
    path: Path | str,
    *,
    repeats: int = 1,
    limit: float = 20.0,
    grace: float = 5.0,
    memory: float = 4.0,
    threads: int = 1,
    seed: int = 0,
    jobs: int = 1,
    scheduler: str | None = None,
    progress: Callable[[int, int, str], object] | None = None,
) -> Results:
    """Solve every puzzle of a corpus with every backend, and write a record of each solve to a file.

    A file that is there already is continued: what it has is not solved again, whether the run before came to its end,
    was stopped by Ctrl-C or killed; backends, repeats and puzzles may be added. Each solve runs in a warm process of
    its own backend, one at a time unless `jobs` says otherwise. A process that hangs, takes too much memory or dies is
    killed with its children and replaced, and the record says so in its status: "hung", "memory" or "died".

    Parameters
    ----------
    corpus
        What `read_many` takes: a Path, puzzles, lines of text.
    backends
        Names, or pairs of a name and a dict of options, in which `presolve`, `threads` and `seed` may be too.
    path
        The file of the records, see `records`; JSON lines.
    repeats
        Solves of each puzzle with each backend. Each has the next seed.
    limit
        Time limit of each solve in seconds.
    grace
        Seconds after the limit until a process counts as hung.
    memory
        Most memory of a process and its children, in GB (10**9 bytes).
    threads, seed
        For the solvers.
    jobs
        Solves at one time on this machine. More than one disturb each other: their times are for quick looks.
    scheduler
        The address of a Dask scheduler whose workers solve instead, or "local" for a cluster of `jobs` processes on
        this machine, for which a script needs `if __name__ == "__main__":`. A Dask worker solves as many puzzles at
        one time as it has threads.
    progress
        Called with the number of records done, that of all, and a word on what came last.

    Raises
    ------
    OptionError
        An option is wrong, or the file is of other settings, or another run writes to it.
    PackageNotFound, BackendNotFound
        Something is not installed.
    SolverError
        No process could be started at all.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     results = run(["nurikabe:3x3:.,.,.,.,.,.,5,.,1"], ["auto", "shapes"], f"{folder}/records.jsonl", limit=10)
    >>> [(record["label"], record["status"], record["solved"]) for record in results.records]
    [('auto', 'unique', True), ('shapes', 'unique', True)]
    """
    backends = [backends] if isinstance(backends, str) else backends
    configurations = {label_of(*found): found for found in map(_configuration, backends)}.values()
    settings = Settings(
        limit=Run(limit).time_limit,
        grace=_positive("grace", grace),
        memory=int(_positive("memory", memory) * 1e9),
        threads=Run(threads=threads).threads,
        seed=Run(seed=seed).seed,
    )
    repeats, jobs = whole("repeats", repeats), whole("jobs", jobs)
    puzzles = named(read_many(corpus))
    report = progress or (lambda done, total, what: None)
    with RecordFile(path, asdict(settings)) as file:
        for genre in {puzzle.genre: None for puzzle in puzzles.values()}:
            deduce.load_kernel(genre)
        new = [(name, puzzle) for name, puzzle in puzzles.items() if not file.has_puzzle(name, puzzle)]
        for done, (name, puzzle) in enumerate(new):
            report(done, len(new), f"rating {name}")
            file.add_puzzle(name, puzzle, _level(puzzle))
        tasks = [
            Task(name, puzzle, backend, options, repeat)
            for backend, options in configurations
            for repeat in range(repeats)
            for name, puzzle in puzzles.items()
        ]
        total = len(tasks)
        tasks = [task for task in tasks if _key(task) not in file.done]
        done = total - len(tasks)
        report(done, total, "")
        with closing(_records(tasks, settings, jobs, scheduler)) as records:
            for record in records:
                done += file.add(record)
                report(done, total, f"{label_of(record['backend'], record['options'])} {record['puzzle']}")
    return load(path)


def _positive(name: str, value: float) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 < value < float("inf"):
        raise OptionError(f"{name} is a number above 0; got {value!r}")
    return value


def _configuration(backend: Backend) -> tuple[str, dict]:
    """A backend and its options, which exist and can be written to the file."""
    name, options = (backend, {}) if isinstance(backend, str) else backend
    own = {option: value for option, value in options.items() if option not in SOLVE_OPTIONS}
    try:
        options = json.loads(json.dumps(options))
    except TypeError as error:
        raise OptionError(f"options of a run are values that JSON can hold; got {options!r}") from error
    checked_options(name, load_backend(name)[1], own)
    return name, options


def _level(puzzle: Puzzle) -> str | None:
    """How hard the puzzle is for a person; None if that is not known in time."""
    run = Run(RATING)
    if isinstance(puzzle, Kuromasu):
        return kuromasu_band(puzzle.clues, run)[0]
    found = deduce.rated(puzzle.clues, stop=lambda: run.is_over)
    return None if found.interrupted else found.level


def _key(task: Task) -> tuple:
    return key_of({"puzzle": task.name, "backend": task.backend, "options": task.options, "repeat": task.repeat})


def _records(tasks: list[Task], settings: Settings, jobs: int, scheduler: str | None) -> Iterator[dict]:
    if scheduler is None:
        return _here(tasks, settings, jobs)
    from .cluster import on_cluster

    return on_cluster(tasks, settings, jobs, scheduler)


def _here(tasks: list[Task], settings: Settings, jobs: int) -> Iterator[dict]:
    """The records of the tasks as they come, from processes on this machine; closing it ends these."""
    waiting: queue.SimpleQueue = queue.SimpleQueue()
    for task in tasks:
        waiting.put(task)
    done: queue.SimpleQueue = queue.SimpleQueue()
    stop = threading.Event()

    def work():
        try:
            with closing(Worker(settings, jobs, stop)) as worker:
                while not stop.is_set():
                    done.put(worker.solve(waiting.get_nowait()))
        except (queue.Empty, Stopped):
            pass
        except BaseException as error:  # raised in the caller's thread
            done.put(error)

    threads = [threading.Thread(target=work, name="nurikabe-mip bench") for _ in range(min(jobs, len(tasks)))]
    for thread in threads:
        thread.start()
    try:
        for _ in tasks:
            while True:
                with suppress(queue.Empty):
                    record = done.get(timeout=LOOK)
                    break
            if isinstance(record, BaseException):
                raise record
            yield record
    finally:
        stop.set()
        for thread in threads:
            thread.join()
