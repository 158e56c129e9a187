"""Figures that can be trusted: what counts as solved, how failures count, and how sure a comparison is.

A solve counts as solved if it decided the puzzle within the limit and was not wrong. The time of a backend on a puzzle
is the median of its repeats, a failed one infinite.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np

from ..errors import OptionError
from .records import Results

SHIFT = 0.01  # seconds, of the shifted geometric mean
PAR = 2  # what a failure counts in PAR-2, in limits
SAMPLES, CONFIDENCE, BOOTSTRAP_SEED = 2000, 0.95, 0
LEAST = 1e-6  # seconds; no time is taken for less in a ratio

RULES = (
    "A solve counts as solved if it proved the status of the puzzle within the limit of {limit:g} s and contradicts no "
    "valid stored answer. The time is the wall time of the whole call: deductions, model, search, proof, and the check "
    "of every answer; of several repeats the median. A failure (the limit, an error, a process that hung, died or took "
    "too much memory, a wrong answer) counts as infinite in median, percentiles and plots, as the limit in the shifted "
    "geometric mean (shift {shift:g} s) and in ratios, and as twice the limit in PAR-2. A ratio is the geometric mean "
    "of the ratios of times over the puzzles that at least one of the two solved; its {confidence:.0%} confidence "
    "interval is from {samples} bootstrap samples of these puzzles (seed {seed})."
)


def rules(limit: float, shift: float = SHIFT) -> str:
    """How failures count, in words."""
    return RULES.format(limit=limit, shift=shift, confidence=CONFIDENCE, samples=SAMPLES, seed=BOOTSTRAP_SEED)


@dataclass(frozen=True, eq=False)
class Times:
    """`seconds` is a float array of shape (puzzles, labels): infinite where a backend failed, nan where it did not run.

    `limit` is in seconds, too.
    """

    puzzles: list[str]
    labels: list[str]
    seconds: np.ndarray
    limit: float

    @classmethod
    def of(cls, results: Results) -> "Times":
        """The times of a run."""
        puzzles, labels = list(results.puzzles), results.labels
        rows, columns = ({name: i for i, name in enumerate(names)} for names in (puzzles, labels))
        repeats: dict[tuple[int, int], list[float]] = {}
        for record in results.records:
            solved = record["solved"] and record["seconds"] <= results.limit
            time = record["seconds"] if solved else np.inf
            repeats.setdefault((rows[record["puzzle"]], columns[record["label"]]), []).append(time)
        seconds = np.full((len(puzzles), len(labels)), np.nan)
        for place, times in repeats.items():
            seconds[place] = percentile(times, 50)
        return cls(puzzles, labels, seconds, results.limit)

    def column(self, label: str) -> np.ndarray:
        """The times of one backend, of the shape (puzzles,)."""
        if label not in self.labels:
            raise OptionError(f"there are no records of {label!r}; there are {', '.join(self.labels)}")
        return self.seconds[:, self.labels.index(label)]


def percentile(times: Sequence[float], share: float) -> float:
    """The percentile of times some of which may be infinite, by linear interpolation; nan of none.

    >>> percentile([1.0, 2.0, float("inf")], 50), percentile([1.0, 2.0, float("inf")], 75)
    (2.0, inf)
    """
    ordered = np.sort(np.asarray(times, dtype=float))
    if not len(ordered):
        return float("nan")
    position = share / 100 * (len(ordered) - 1)
    low, part = int(position), position % 1
    if not part:
        return float(ordered[low])
    step = ordered[low + 1] - ordered[low] if np.isfinite(ordered[low]) else 0.0
    return float(ordered[low] + part * step)


def shifted_geometric_mean(times: Sequence[float], limit: float, shift: float = SHIFT) -> float:
    """exp of the mean of log(time + shift), minus the shift; infinite times count as the limit.

    >>> round(shifted_geometric_mean([0.0, float("inf")], limit=0.03, shift=0.01), 6)
    0.01
    """
    return float(np.exp(np.log(np.minimum(times, limit) + shift).mean()) - shift)


def par2(times: Sequence[float], limit: float) -> float:
    """The mean of the times, infinite ones as twice the limit.

    >>> par2([1.0, float("inf")], limit=10)
    10.5
    """
    return float(np.where(np.isfinite(times), times, PAR * limit).mean())


def summary(results: Results, shift: float = SHIFT) -> list[dict]:
    """A dict of figures for each backend with its options, the times in seconds.

    `puzzles` is the number of those that it ran on, `solved` of those that it solved in every sense of `rules`,
    `wrong` the number of wrong answers, `failures` how the solves that do not count as solved ended; `median`,
    `percentile_95`, `maximum`, `geometric_mean` (shifted) and `par2` as `rules` says; `memory` the largest peak in
    bytes.
    """
    if not 0 <= shift < np.inf:
        raise OptionError(f"shift is a number of seconds from 0; got {shift!r}")
    times = Times.of(results)
    rows = []
    for label in times.labels:
        column = times.column(label)
        column = column[~np.isnan(column)]
        records = [record for record in results.records if record["label"] == label]
        failures = Counter(record["status"] for record in records if not record["solved"])
        rows.append(
            {
                "label": label,
                "puzzles": len(column),
                "solved": int(np.isfinite(column).sum()),
                "wrong": sum(record["verdict"] == "wrong" for record in records),
                "failures": dict(sorted(failures.items())),
                "median": percentile(column, 50),
                "percentile_95": percentile(column, 95),
                "maximum": percentile(column, 100),
                "geometric_mean": shifted_geometric_mean(column, times.limit, shift),
                "par2": par2(column, times.limit),
                "memory": max((record.get("memory_peak") or 0 for record in records), default=0) or None,
            }
        )
    return rows


def ratio(times: Times, label: str, baseline: str) -> dict:
    """How the times of one backend compare with those of another, on the puzzles that both ran on.

    `ratio` is the geometric mean of time / time of the baseline (below 1: faster), `low` and `high` its confidence
    interval, over the `puzzles` that at least one solved; nan if there are none. `faster` is the number of puzzles on
    which it was faster, `both`, `only`, `only_baseline` and `neither` count who solved.
    """
    ours, theirs = times.column(label), times.column(baseline)
    ran = ~(np.isnan(ours) | np.isnan(theirs))
    ours, theirs = ours[ran], theirs[ran]
    solved, base_solved = np.isfinite(ours), np.isfinite(theirs)
    either = solved | base_solved
    counted = [np.clip(column[either], LEAST, times.limit) for column in (ours, theirs)]
    logs = np.log(counted[0]) - np.log(counted[1])
    low, middle, high = _mean_with_interval(logs)
    return {
        "label": label,
        "baseline": baseline,
        "puzzles": int(either.sum()),
        "ratio": float(np.exp(middle)),
        "low": float(np.exp(low)),
        "high": float(np.exp(high)),
        "faster": int((ours < theirs).sum()),
        "both": int((solved & base_solved).sum()),
        "only": int((solved & ~base_solved).sum()),
        "only_baseline": int((base_solved & ~solved).sum()),
        "neither": int((~either).sum()),
    }


def _mean_with_interval(values: np.ndarray) -> tuple[float, float, float]:
    """The mean, between the ends of its percentile bootstrap interval."""
    if not len(values):
        return (np.nan,) * 3
    rng = np.random.default_rng(BOOTSTRAP_SEED)
    means = [values[rng.integers(len(values), size=len(values))].mean() for _ in range(SAMPLES)]
    tail = 50 * (1 - CONFIDENCE)
    low, high = np.percentile(means, [tail, 100 - tail])
    return low, values.mean(), high


def compare(results: Results, baseline: str | None = None) -> list[dict]:
    """The `ratio` of every pair of backends, or of all others to one of them."""
    times = Times.of(results)
    if baseline is not None:
        times.column(baseline)
        return [ratio(times, label, baseline) for label in times.labels if label != baseline]
    return [ratio(times, label, base) for base, label in combinations(times.labels, 2)]


def disagreements(results: Results) -> list[tuple[str, dict[str, str]]]:
    """The puzzles on which two proofs contradict each other, with what each backend proved."""
    found: dict[str, dict[str, dict[str, None]]] = {}
    for record in results.records:
        if record["solved"]:
            proof = f"{record['status']} {record.get('answer') or ''}".strip()
            found.setdefault(record["puzzle"], {}).setdefault(record["label"], {})[proof] = None
    return [
        (name, {label: " and ".join(said) for label, said in proofs.items()})
        for name, proofs in found.items()
        if len(set().union(*proofs.values())) > 1
    ]
