"""The file of a run: JSON lines, each written at once and for good.

The first line is {"kind": "run"} with the settings. Then come, as they are needed, {"kind": "puzzle"} (name, shape,
rating), {"kind": "environment"} (a machine), and for each solve {"kind": "solve"}, which refers to the two others by
`puzzle` and `environment`.
"""

import hashlib
import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from ..corpus import Corpus
from ..errors import FormatError, OptionError
from ..extras import require
from ..formats import read_many
from ..jsonl import JsonLines, whole_lines
from ..puzzles import Puzzle

SCHEMA = 1
_HEAD = b'{"kind": "run", '  # how a file begins


@dataclass
class Results:
    """What a file of a run holds: the settings, the environments and the puzzles by name, and the records.

    Each record is a dict: what `measure` says, and `puzzle`, `backend`, `options`, `repeat`, `seed`, `threads`,
    `label` (backend and options in one word), `memory_before` and `memory_peak` (bytes), `exit_code`, `environment`,
    and `rows`, `columns`, `cells`, `clues`, `genre` and `level` of the puzzle.
    """

    settings: dict
    environments: dict[str, dict] = field(default_factory=dict)
    puzzles: dict[str, dict] = field(default_factory=dict)
    records: list[dict] = field(default_factory=list)

    @property
    def limit(self) -> float:
        """The time limit of each solve in seconds."""
        return self.settings["limit"]

    @property
    def labels(self) -> list[str]:
        """The backends with their options, in the order of their first record."""
        return list(dict.fromkeys(record["label"] for record in self.records))

    def frame(self):
        """A pandas DataFrame, a row a record."""
        return frame(self)


def label_of(backend: str, options: dict) -> str:
    """A backend with its options as one word, as the command line takes it: "cpsat:formulation=ranks"."""
    words = ",".join(f"{name}={value}" for name, value in sorted(options.items()))
    return f"{backend}:{words}" if words else backend


def key_of(record: dict) -> tuple:
    """What is solved once: puzzle, backend with options, repeat."""
    return record["puzzle"], label_of(record["backend"], record["options"]), record["repeat"]


def load(*paths: Path | str) -> Results:
    """The results of one file, or of several as one.

    Of several files, a backend that is in more than one gets the name of the file before its label (the path, where
    names are the same), and the limit is the smallest. A puzzle may not have two shapes or clues. Raises FormatError,
    with the line, for anything that is no such file; a last line that was not written to its end is left out.
    """
    if not paths:
        raise OptionError("give at least one file of records")
    parts = [_read(Path(path)) for path in paths]
    whole = Results(dict(parts[0].settings))
    whole.settings["limit"] = min(part.limit for part in parts)
    stems = [Path(path).stem for path in paths]
    names = stems if len(set(stems)) == len(stems) else list(map(str, paths))
    for path, name, part in zip(paths, names, parts, strict=True):
        others = {label for other in parts if other is not part for label in other.labels}
        for puzzle, about in part.puzzles.items():
            if whole.puzzles.setdefault(puzzle, about)["digest"] != about["digest"]:
                raise OptionError(f"{path}: the puzzle {puzzle!r} is not the one of that name in the files before")
        whole.environments |= part.environments
        for record in part.records:
            label = record["label"]
            whole.records.append(record | {"label": f"{name} {label}" if label in others else label})
    return whole


def _read(path: Path) -> Results:
    lines = list(_lines(path))
    results = Results(_settings(path, lines))
    kinds = {"puzzle": results.puzzles, "environment": results.environments}
    for entry in lines[1:]:
        kind = entry.pop("kind")
        if kind == "solve":
            label = label_of(entry["backend"], entry["options"])
            results.records.append({**entry, "label": label, **_about(results.puzzles[entry["puzzle"]])})
        else:
            kinds[kind][entry.pop("name")] = entry
    return results


def _about(puzzle: dict) -> dict:
    about = {name: puzzle[name] for name in ("genre", "rows", "columns", "clues", "level")}
    return about | {"cells": puzzle["rows"] * puzzle["columns"]}


def _lines(path: Path) -> Iterator[dict]:
    for number, line in enumerate(whole_lines(path.read_bytes())[0], 1):
        try:
            entry = json.loads(line)
            known = entry["kind"] in ("run", "puzzle", "environment", "solve")
        except (ValueError, KeyError, TypeError):
            known = False
        if not known:
            raise FormatError(f"{path.name}: expected a line of the records of a run", number)
        yield entry


def _settings(path: Path, lines: Sequence[dict]) -> dict:
    if not lines or lines[0]["kind"] != "run" or lines[0].get("schema") != SCHEMA:
        raise FormatError(f"{path.name}: expected the records of a run, which begin with its settings", 1)
    return lines[0]["settings"]


class RecordFile:
    """The file while a run writes to it; `done` are the keys of the records that it has.

    Entering it continues a file of the same settings, or begins one. Raises OptionError if its settings are others, or
    if another run is writing to it.
    """

    def __init__(self, path: Path | str, settings: dict):
        self.path = Path(path)
        self._file = JsonLines(path, _HEAD)
        self._is_new = not self._file.lines
        self.results = Results(settings) if self._is_new else _read(self.path)
        other = [
            f"{name} is {self.results.settings.get(name)} there and {value} here"
            for name, value in settings.items()
            if self.results.settings.get(name) != value
        ]
        if other:
            raise OptionError(f"{self.path} was made with other settings: {'; '.join(other)}; take another file")
        self.done = {key_of(record) for record in self.results.records}

    def __enter__(self):
        self._file.__enter__()
        if self._is_new:
            self._write({"kind": "run", "schema": SCHEMA, "settings": self.results.settings})
        return self

    def __exit__(self, *_):
        self._file.__exit__()

    def add_puzzle(self, name: str, puzzle: Puzzle, level: str | None) -> None:
        rows, columns = puzzle.shape
        about = {"genre": puzzle.genre, "rows": rows, "columns": columns, "clues": len(puzzle.clue_cells)}
        about |= {"level": level, "digest": digest(puzzle)}
        self._write({"kind": "puzzle", "name": name, **about})
        self.results.puzzles[name] = about

    def has_puzzle(self, name: str, puzzle: Puzzle) -> bool:
        """Whether it is there; raises OptionError if another one is there under its name."""
        there = self.results.puzzles.get(name)
        if there is not None and there["digest"] != digest(puzzle):
            raise OptionError(f"{self.path} was made with another puzzle of the name {name!r}; take another file")
        return there is not None

    def add(self, record: dict) -> bool:
        """Write a record, its `environment` as a line of its own where it is new; False if it is there already."""
        key = key_of(record)
        if key in self.done:
            return False
        environment = record["environment"]
        name = _short_hash(json.dumps(environment, sort_keys=True))
        if name not in self.results.environments:
            self._write({"kind": "environment", "name": name, **environment})
            self.results.environments[name] = environment
        self._write({"kind": "solve", **record, "environment": name})
        self.done.add(key)
        return True

    def _write(self, entry: dict) -> None:
        self._file.add(json.dumps(entry))


def digest(puzzle: Puzzle) -> str:
    """A short digest of genre, shape and clues, and of the stored answer."""
    return _short_hash(f"{puzzle.genre} {puzzle.tokens} {puzzle.answer}")


def _short_hash(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()[:12]


def named(puzzles: Iterable[Puzzle]) -> dict[str, Puzzle]:
    """Puzzles by a name that no other has: their own, or their number."""
    found: dict[str, Puzzle] = {}
    for number, puzzle in enumerate(puzzles, 1):
        name = puzzle.name or f"puzzle {number}"
        found[f"{name} ({number})" if name in found else name] = puzzle
    return found


def frame(source):
    """A pandas DataFrame of the records of a run, a row a solve, or of puzzles, a row a puzzle as in `Corpus.frame`.

    `source` is a file of records (its path), Results, or what `read_many` takes: a file or an iterable of puzzles.
    Raises PackageNotFound without pandas.

    >>> frame(["nurikabe:3x3:.,.,.,.,.,.,5,.,1"])[["rows", "columns", "clues"]].values.tolist()
    [[3, 3, 2]]
    """
    if isinstance(source, str | Path) and _holds_records(source):
        source = load(source)
    if isinstance(source, Results):
        return require("pandas", "bench").json_normalize(source.records, max_level=0)
    return Corpus(read_many(source)).frame()


def _holds_records(path: str | Path) -> bool:
    try:
        with open(path, "rb") as file:
            return file.read(len(_HEAD)) == _HEAD
    except (OSError, ValueError):  # a text that is no file's name
        return False
