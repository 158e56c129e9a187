"""Many puzzles at once: on a pool of processes, in the order of their seeds, into a file that can be gone on with."""

import os
from collections import deque
from collections.abc import Callable, Iterator
from concurrent.futures import Executor
from concurrent.futures import TimeoutError as Late
from contextlib import closing, nullcontext
from dataclasses import replace
from itertools import count
from pathlib import Path

import numpy as np

from .. import pool
from ..backends.base import LOOK, LimitReached, Run, whole
from ..deduce import canonical_orientation, turned
from ..errors import FormatError, GenerationFailed, NotUniqueError, OptionError
from ..formats import read, write
from ..grid import grid_of
from ..jsonl import JsonLines
from ..puzzles import UNKNOWN_SIZE, UNSHADED, Nurikabe, Puzzle, Shading
from .one import make, proof
from .request import Generated, Request

AHEAD = 8  # seeds begun ahead of the one that is waited for, times the number of workers
REPEATS = 300  # puzzles in a row that were there already, after which there are taken to be no others


def canonical(puzzle: Puzzle, *, fill: bool = False) -> Puzzle:
    """The puzzle, with its answer, in the one of its eight orientations whose clues come first.

    Puzzles that are turned or mirrored images of each other become equal. With `fill` each `?` of a Nurikabe becomes
    the size of its island in the stored answer, so that puzzles equal but for hidden numbers become equal too.

    >>> from nurikabe_mip import Nurikabe
    >>> canonical(Nurikabe(["1..", "..."])) == canonical(Nurikabe(["..", "..", ".1"]))
    True
    """
    clues, answer = puzzle.clues, puzzle.answer
    if fill and isinstance(puzzle, Nurikabe) and answer is not None and (clues == UNKNOWN_SIZE).any():
        clues = np.array(clues)
        for island in grid_of(puzzle.shape).components((answer.cells == UNSHADED).ravel().tolist()):
            hidden = [cell for cell in island if clues.flat[cell] == UNKNOWN_SIZE]
            clues.flat[hidden] = len(island)
    orientation = canonical_orientation(clues)
    answer = None if answer is None else Shading(turned(answer.cells, orientation))
    return replace(puzzle, clues=turned(clues, orientation), answer=answer)


class Store(JsonLines):
    """The puzzles of a run, a record a line, written as soon as they are there; `puzzles` are those of a run before."""

    def __init__(self, path: str | Path, request: Request, seed: int, version: str):
        super().__init__(path, b'{"genre":"')
        self.request = request
        self.puzzles = [self._puzzle(line, number, seed, version) for number, line in enumerate(self.lines, 1)]

    def _puzzle(self, line: str, number: int, seed: int, version: str) -> Puzzle:
        try:
            puzzle = read(line, self.request.genre, format="json")
        except FormatError as error:
            raise OptionError(f"{self.path}, line {number} is no record of a run: {error.message}") from None
        rows, columns = puzzle.shape
        found = {"genre": puzzle.genre, "shape": f"{rows}x{columns}", **puzzle.info}
        rows, columns = self.request.shape
        asked = {"genre": self.request.genre, "shape": f"{rows}x{columns}", **self.request.options, "version": version}
        asked |= {"require": None, "symmetry": None, "hidden": None, "black_share": None} | asked
        if number == 1:
            asked["seed"] = str(seed)
        for name, value in asked.items():
            if found.get(name) != value:
                raise OptionError(
                    f"{self.path} was made by another run: line {number} has {name} {found.get(name)}, not {value}; "
                    "give another file, or the same options"
                )
        if not found.get("seed", "").isdigit() or not found.get("attempts", "").isdigit() or puzzle.answer is None:
            raise OptionError(f"{self.path}, line {number} is no record of a run: no seed, no attempts or no solution")
        return puzzle

    def stored(self, puzzle: Puzzle, run: Run) -> Generated:
        """One of `puzzles`, proved again; its operations are not counted again."""
        info = puzzle.info
        run.poll()
        try:
            rating, wrong = proof(puzzle, self.request, run)
        except NotUniqueError as error:
            wrong = [str(error)]
        if wrong:
            raise OptionError(f"{self.path}: the puzzle of seed {info['seed']} is wrong: {'; '.join(wrong)}")
        return Generated(puzzle, puzzle.answer, rating, int(info["attempts"]), int(info["seed"]), info["version"])


def many(
    request: Request,
    n: int,
    seed: int,
    version: str,
    jobs: int | None,
    executor: Executor | None,
    output: str | Path | None,
    attempts: int,
    run: Run,
    progress: Callable[[int, int], object] | None,
) -> Iterator[Generated]:
    """The iterator of `generate_many`, whose arguments are checked here, before the first puzzle is asked for."""
    n = whole("n", n, 0)
    if jobs is not None and executor is not None:
        raise OptionError("give jobs for a pool of processes, or an executor, not both")
    if executor is not None and not isinstance(executor, Executor):
        raise OptionError(f"executor is one of concurrent.futures, got {type(executor).__name__}")
    if jobs is None and executor is None:
        jobs = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    if jobs is not None:
        jobs = min(whole("jobs", jobs, 1), max(n, 1))
    store = None if output is None else Store(output, request, seed, version)
    return _different(request, n, seed, jobs, executor, store, attempts, run, progress)


def _different(request, n, seed, jobs, executor, store, attempts, run, progress) -> Iterator[Generated]:
    """What the seeds give in their order, without what is the same under the symmetries."""
    seen: set[Puzzle] = set()
    with nullcontext() if store is None else store:
        for puzzle in [] if store is None else store.puzzles:
            seen.add(canonical(puzzle, fill=True))
            seed = int(puzzle.info["seed"]) + 1
            if len(seen) <= n:
                try:
                    made = store.stored(puzzle, run)
                except LimitReached:
                    raise _late(request, run) from None
                if progress is not None:
                    progress(len(seen), n)
                yield made
        repeats = 0
        with closing(_in_order(request, seed, jobs, executor, attempts, run)) as source:
            while len(seen) < n:
                made = next(source)
                form = canonical(made.puzzle, fill=True)
                if form in seen:
                    repeats += 1
                    if repeats == REPEATS:
                        raise GenerationFailed(
                            f"{len(seen)} different puzzles found ({request}); the next {REPEATS} seeds gave no other",
                            "attempts",
                        )
                    continue
                repeats = 0
                seen.add(form)
                if store is not None:
                    store.add(write(made.puzzle, "json"))
                if progress is not None:
                    progress(len(seen), n)
                yield made


def _in_order(request, seed, jobs, executor, attempts, run) -> Iterator[Generated]:
    """Puzzle after puzzle, one a seed."""
    if jobs == 1:
        for one in count(seed):
            yield make(request, one, attempts, Run(_left(run), cancel=run.cancel))
    if executor is None:
        workers, processes = jobs, pool.pool(jobs)
    else:
        workers, processes = getattr(executor, "_max_workers", None) or os.cpu_count() or 1, nullcontext(executor)
    waiting: deque = deque()
    seeds = count(seed)
    with processes as executor:
        try:
            while True:
                while len(waiting) < AHEAD * workers:
                    waiting.append(executor.submit(_work, request, next(seeds), attempts, _left(run)))
                yield _result(waiting.popleft(), request, run)
        finally:
            for future in waiting:
                future.cancel()


def _left(run: Run) -> float | None:
    """The time limit of what is begun now."""
    return None if run.time_limit is None else max(run.remaining, 1e-9)


def _result(future, request, run: Run) -> Generated:
    """What a worker has made; looks at the limits while it waits."""
    while True:
        try:
            return future.result(timeout=min(run.remaining, LOOK))
        except Late:
            if run.is_over:
                raise _late(request, run) from None


def _late(request: Request, run: Run) -> GenerationFailed:
    reason = "cancelled" if run.remaining > 0 else "time"
    return GenerationFailed(f"not all puzzles were found ({request}) before the limit", reason)


def _work(request: Request, seed: int, attempts: int, time_limit: float | None) -> Generated:
    return make(request, seed, attempts, Run(time_limit, cancel=pool.stop))
