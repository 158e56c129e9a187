"""Find what is wrong with a collection of puzzles, whoever made it."""

import csv
import json
import time
import warnings
from collections import Counter, deque
from collections.abc import Callable, Iterator
from concurrent.futures.process import BrokenProcessPool
from contextlib import closing, contextmanager
from dataclasses import asdict, dataclass, field, fields
from functools import partial
from hashlib import blake2b
from html import escape
from itertools import count
from pathlib import Path
from typing import NamedTuple

import numpy as np

from .. import pool
from ..backends import Run, Status
from ..backends.base import choice, whole
from ..check import check
from ..deduce import load_kernel
from ..errors import FormatError, SolverError
from ..formats import items
from ..generate import canonical
from ..puzzles import GENRES, UNDECIDED, Puzzle, answer_of
from ..solve import SolveResult, solve
from . import data_frame

KINDS = {
    "malformed": "no puzzle of a known format",
    "mended": "a puzzle once a defect of the record was mended",
    "infeasible": "no solution",
    "multiple": "several solutions",
    "wrong_answer": "the stored answer breaks a rule or is not the solution",
    "duplicate": "the board of an earlier record, perhaps turned or mirrored",
    "unproved": "a limit came before the proof, or a solver failed",
}
"""The kinds of findings, in the order of the summary."""

REPORTS = (".jsonl", ".csv")
AHEAD = 8  # puzzles for each process that are read before the first of them is judged
WARM_UP = "nurikabe:1x2:1,."


@dataclass(frozen=True)
class Finding:
    """What is wrong with a record; `kind` is one of KINDS, `message` a sentence.

    `record` counts the records from 1, `name` is the puzzle's, `file` the one that it is in, `line` and `column` the
    place of an error in that, `same_as` the record that a duplicate repeats; each None where there is none.
    """

    kind: str
    message: str
    record: int
    name: str | None = None
    file: str | None = None
    line: int | None = None
    column: int | None = None
    same_as: int | None = None

    def __str__(self):
        name = f" ({self.name})" if self.name else ""
        places = (("line", self.line), ("column", self.column))
        place = "".join(f", {what} {number}" for what, number in places if number is not None)
        return (
            f"record {self.record}{name}{f' in {self.file}' if self.file else ''}{place}: {self.kind}: {self.message}"
        )


@dataclass
class Audit:
    """What an audit found: the `findings` in the order of the records, and how many `records` it looked at.

    `sound` counts the records without a finding: puzzles that are proved to have exactly one solution, with no answer
    stored or the right one. `complete` is false after Ctrl-C. `seconds` is the wall time.
    """

    findings: list[Finding] = field(default_factory=list)
    records: int = 0
    sound: int = 0
    complete: bool = False
    seconds: float = 0.0

    @property
    def counts(self) -> dict[str, int]:
        """The number of findings of each kind."""
        found = Counter(finding.kind for finding in self.findings)
        return {kind: found[kind] for kind in KINDS}

    def frame(self):
        """The findings as a pandas DataFrame; raises ImportError if pandas is not installed."""
        return data_frame([asdict(finding) for finding in self.findings])

    def _rows(self) -> list[tuple[str, int, str]]:
        end = "" if self.complete else ", interrupted before the end"
        return [
            ("records", self.records, f"looked at in {self.seconds:.1f} s{end}"),
            ("sound", self.sound, "exactly one solution, and no wrong answer stored"),
            *((kind, count, KINDS[kind]) for kind, count in self.counts.items()),
        ]

    def __str__(self):
        return "\n".join(f"{name:12} {count:7}  {what}" for name, count, what in self._rows())

    def _repr_html_(self):
        rows = "".join(
            f"<tr><td>{name}</td><td>{count}</td><td>{escape(what)}</td></tr>" for name, count, what in self._rows()
        )
        return f"<table>{rows}</table>"


class Record(NamedTuple):
    """A record of the source, and what reading it showed."""

    number: int
    puzzle: Puzzle | None
    findings: list[Finding]
    note: Callable[..., Finding]  # makes a finding of this record


def audit(
    source,
    genre: str = "nurikabe",
    *,
    format: str | None = None,
    backend: str = "auto",
    verify: str | None = None,
    time_limit: float | None = 10.0,
    jobs: int = 1,
    report: str | Path | None = None,
    progress: Callable[[Audit], object] | None = None,
) -> Audit:
    """Look through a collection of puzzles for defects; KINDS has those that are found.

    Records are read one after another and not kept. A record may have several findings. Two boards are the same if
    one of the eight symmetries makes them equal.

    Parameters
    ----------
    source, genre, format
        As for `read_many`: a text, a Path of a file or a folder, or an iterable of Paths, Puzzles and lines.
    backend, verify, time_limit
        As for `solve`, the limit in wall seconds for each puzzle. With `verify` a puzzle is sound if both backends
        prove it unique.
    jobs
        The number of processes; what is found is the same for any, but for puzzles at the time limit. In a script the
        call must be below `if __name__ == "__main__":` for more than one.
    report
        A file, `.jsonl` or `.csv`, that gets each finding as soon as it is known; outside of the folder looked at.
    progress
        Called after each record with the Audit so far.

    Returns
    -------
    Audit
        After Ctrl-C, too: what was found until then.

    Raises
    ------
    FormatError, OSError
        The source is none, or a file that it names cannot be opened.
    OptionError, BackendNotFound
        An option or a backend that does not exist or is not installed.

    Examples
    --------
    >>> found = audit("nurikabe:2x2:3,.,.,.\\nnurikabe:1x2:1,.\\nnurikabe:2x1:.,1")
    >>> for finding in found.findings:
    ...     print(finding)
    record 1: multiple: several solutions, which differ in 2 cells, first at row 2, column 1
    record 3: duplicate: the same board as record 2, turned or mirrored
    >>> found.records, found.sound, found.complete
    (3, 1, True)
    """
    found, start = Audit(), time.perf_counter()
    Run(time_limit)  # refuses a wrong value
    jobs = whole("jobs", jobs)
    records = _records(items(source, genre, format))
    judge = partial(_judged, backend=backend, verify=verify, time_limit=time_limit)
    try:
        # unknown backends are refused here, and what must be compiled is, before the clock of a puzzle runs
        for known in GENRES:
            load_kernel(known)
        solve(WARM_UP, backend, verify=verify)
        with _report(report) as write, closing(_in_order(judge, records, jobs)) as judged:
            for record, judgements in judged:
                findings = record.findings + [record.note(*judgement) for judgement in judgements]
                for finding in findings:
                    write(finding)
                found.findings += findings
                found.records = record.number
                found.sound += not findings
                found.seconds = time.perf_counter() - start
                if progress is not None:
                    progress(found)
        found.complete = True
    except KeyboardInterrupt:
        pass
    return found


def _records(source: Iterator[tuple[Puzzle | FormatError, str]]) -> Iterator[Record]:
    seen: dict[bytes, tuple[int, str | None, bytes]] = {}
    for number in count(1):
        with warnings.catch_warnings(record=True) as mended:
            warnings.simplefilter("always")
            item, file = next(source, (None, None))
        if item is None:
            return
        if isinstance(item, FormatError):
            place = {"line": item.line, "column": item.column}
            yield Record(number, None, [Finding("malformed", item.message, number, None, file or None, **place)], None)
            continue
        note = partial(Finding, record=number, name=item.name, file=file or None)
        findings = [note("mended", str(warning.message)) for warning in mended]
        key, as_it_lies = _keys(item)
        if key in seen:
            first, name, lay = seen[key]
            named = f" ({name})" if name else ""
            how = "" if lay == as_it_lies else ", turned or mirrored"
            findings.append(note("duplicate", f"the same board as record {first}{named}{how}", same_as=first))
        else:
            seen[key] = (number, item.name, as_it_lies)
        yield Record(number, item, findings, note)


def _keys(puzzle: Puzzle) -> tuple[bytes, bytes]:
    """Short keys of the board: one that is the same for all its symmetries, and one of how it lies."""
    boards = canonical(puzzle).clues, puzzle.clues
    return tuple(
        blake2b(f"{puzzle.genre} {board.shape}".encode() + board.tobytes(), digest_size=16).digest() for board in boards
    )


def _judged(puzzle: Puzzle | None, *, backend, verify, time_limit, cancel=None) -> list[tuple[str, str]]:
    """What is wrong with a puzzle, as (kind, message)."""
    if puzzle is None:
        return []
    try:
        result = solve(puzzle, backend, verify=verify, time_limit=time_limit, cancel=cancel)
    except SolverError as error:
        return [("unproved", str(error))]
    if result.interrupted:
        raise KeyboardInterrupt
    answer = None if puzzle.answer is None else answer_of(puzzle, puzzle.answer)
    broken = [] if answer is None else check(puzzle, answer)
    judgements = []
    if broken:
        more = f", and {len(broken) - 1} more" if len(broken) > 1 else ""
        judgements.append(("wrong_answer", f"the stored answer breaks {broken[0]}{more}"))
    elif answer is not None and answer.is_finished and _excludes(result, answer):
        return [("unproved", f"{result.backend} fails: it says {result.status}, and the stored answer is right")]
    elif answer is not None and result.status is Status.UNIQUE:
        differing = (answer.cells != UNDECIDED) & (answer.cells != result.solution.cells)
        if differing.any():
            row, column = np.argwhere(differing)[0]
            place = f"row {row + 1}, column {column + 1}"
            judgements.append(("wrong_answer", f"the stored answer is not the solution, first at {place}"))
    match result.status:
        case Status.INFEASIBLE:
            judgements.append(("infeasible", result.reason or "no solution, by a complete search"))
        case Status.MULTIPLE:
            row, column = result.differing[0]
            place = f"row {row + 1}, column {column + 1}"
            cells = f"{len(result.differing)} cells"
            judgements.append(("multiple", f"several solutions, which differ in {cells}, first at {place}"))
        case Status.FEASIBLE | Status.UNKNOWN:
            least = "a solution" if result.solution is not None else "nothing"
            reason = result.reason or f"the limit of {time_limit} s came first"
            judgements.append(("unproved", f"{least} found, no proof: {reason}"))
        case Status.UNIQUE if verify is not None and result.verified_by is None:
            judgements.append(("unproved", f"{result.backend} says unique, {verify} came to no end in {time_limit} s"))
    return judgements


def _excludes(result: SolveResult, answer) -> bool:
    return result.status is Status.INFEASIBLE or (result.status is Status.UNIQUE and result.solution != answer)


def _in_order(judge, records: Iterator[Record], jobs: int) -> Iterator[tuple[Record, list]]:
    """Each record with what `judge` says of its puzzle, in the order of the records."""
    if jobs == 1:
        yield from ((record, judge(record.puzzle)) for record in records)
        return
    pending: deque = deque()
    try:
        with pool.pool(jobs) as executor:
            for record in records:
                pending.append((record, executor.submit(_work, judge, record.puzzle)))
                if len(pending) > AHEAD * jobs:
                    record, future = pending.popleft()
                    yield record, future.result()
            for record, future in pending:
                yield record, future.result()
    except BrokenProcessPool:
        raise SolverError("a process of the audit ended abruptly; it may have run out of memory") from None


def _work(judge, puzzle: Puzzle | None) -> list[tuple[str, str]]:
    return judge(puzzle, cancel=pool.stop)


@contextmanager
def _report(path: str | Path | None):
    """A function that writes a finding."""
    if path is None:
        yield lambda finding: None
        return
    suffix = choice("the ending of a report", Path(path).suffix.lower(), REPORTS)
    with open(path, "w", encoding="utf-8", newline="", buffering=1) as file:
        if suffix == ".csv":
            table = csv.DictWriter(file, [column.name for column in fields(Finding)])
            table.writeheader()
            yield lambda finding: table.writerow(asdict(finding))
        else:
            yield lambda finding: file.write(f"{json.dumps(asdict(finding), ensure_ascii=False)}\n")
