"""Pictures of the results of a run. Each function returns a Plot, which draws itself in a notebook."""

import io
import re
from collections.abc import Callable
from contextlib import contextmanager
from itertools import combinations
from pathlib import Path

import numpy as np

from ..deduce import BEYOND, LEVELS
from ..extras import require
from .records import Results
from .statistics import Times, percentile

# Okabe and Ito's palette, which colour-blind people can tell apart, without its yellow; dashes and marks differ as well
COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000")
DASHES = ("-", "--", "-.", (0, (1, 1)), (0, (5, 1, 1, 1, 1, 1)))
MARKS = ("o", "s", "^", "D", "v", "P", "X")
STYLE = {
    "font.size": 10,
    "axes.titlesize": 11,
    "axes.grid": True,
    "grid.color": "#dddddd",
    "axes.axisbelow": True,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "legend.frameon": False,
    "svg.hashsalt": "nurikabe-mip",  # the same picture for the same figures
    "figure.facecolor": "white",
}
RESOLUTION = 150  # dots an inch
FASTEST = 1e-4  # seconds; the axes begin here at the least
MOST_POINTS = 300  # of a scatter plot as vectors; of more an SVG would be large
BINS = 8  # of board sizes


class Plot:
    """A picture: `figure` is matplotlib's, `caption` says how to read it."""

    def __init__(self, figure, caption: str):
        self.figure, self.caption = figure, caption

    @property
    def svg(self) -> str:
        """The picture as SVG."""
        with require("matplotlib", "bench").rc_context(STYLE):
            text = io.StringIO()
            self.figure.savefig(text, format="svg", metadata={"Date": None}, dpi=RESOLUTION)
        return re.sub(r"^.*?(?=<svg)", "", text.getvalue(), flags=re.DOTALL)

    def save(self, path: Path | str) -> None:
        """Write it to a file; the ending of its name says the format."""
        self.figure.savefig(path, dpi=RESOLUTION)

    def _repr_html_(self) -> str:
        return f'<figure style="margin:0">{self.svg}<figcaption>{self.caption}</figcaption></figure>'


@contextmanager
def _figure(width: float = 7.2, height: float = 4.2):
    """A matplotlib figure in our style, without the global state of pyplot."""
    matplotlib = require("matplotlib", "bench")
    from matplotlib.figure import Figure

    with matplotlib.rc_context(STYLE):
        yield Figure(figsize=(width, height), layout="constrained")


def _style(number: int) -> dict:
    return {"color": COLOURS[number % len(COLOURS)], "linestyle": DASHES[number % len(DASHES)], "linewidth": 1.8}


def _legend(axes) -> None:
    """To the right of the axes, where it covers nothing."""
    if axes.get_legend_handles_labels()[0]:
        axes.legend(loc="upper left", bbox_to_anchor=(1.0, 1.0), borderaxespad=0.3, handlelength=3)


def _seconds_axis(axis) -> None:
    from matplotlib.ticker import FuncFormatter

    axis.set_major_formatter(FuncFormatter(lambda value, _: duration(value)))


def duration(seconds: float, limit: float = np.inf) -> str:
    """A time in words, with two digits that matter: "0.93 ms", "12 s"; an infinite one is more than the limit.

    >>> duration(0.000934), duration(0.5), duration(12.3), duration(float("inf"), 20)
    ('0.93 ms', '500 ms', '12 s', '> 20 s')
    """
    if np.isnan(seconds):
        return "–"
    if np.isinf(seconds):
        return f"> {limit:g} s"
    value, unit = (seconds, "s") if seconds >= 1 else (1000 * seconds, "ms")
    return f"{value:.0f} {unit}" if value >= 9.95 else f"{float(f'{value:.2g}'):g} {unit}"


def cactus(results: Results) -> Plot:
    """How many puzzles each backend solves within which time."""
    times = Times.of(results)
    with _figure() as figure:
        axes = figure.add_subplot()
        for number, label in enumerate(times.labels):
            solved = np.sort(times.column(label))
            solved = np.maximum(solved[np.isfinite(solved)], FASTEST)
            axes.plot(np.arange(1, len(solved) + 1), solved, label=f"{label} ({len(solved)})", **_style(number))
        axes.set_yscale("log")
        axes.axhline(times.limit, color="#666666", linewidth=1, linestyle=":")
        axes.set_xlim(0, len(times.puzzles) * 1.01)
        axes.set(xlabel="puzzles solved", ylabel="time of the slowest of them", title="Puzzles solved over time")
        _seconds_axis(axes.yaxis)
        _legend(axes)
    return Plot(figure, "Lower and further right is better; the dotted line is the limit, the number is that solved.")


def profile(results: Results) -> Plot:
    """For what share of the puzzles each backend is within a factor of the fastest (a performance profile).

    E. D. Dolan and J. J. Moré, Benchmarking optimization software with performance profiles, Mathematical Programming
    91 (2002).
    """
    times = Times.of(results)
    seconds = np.where(np.isnan(times.seconds), np.inf, times.seconds)
    best = seconds.min(axis=1, initial=np.inf)
    with _figure() as figure:
        axes = figure.add_subplot()
        some = np.isfinite(best)
        factors = np.maximum(seconds[some], FASTEST) / np.maximum(best[some], FASTEST)[:, None]
        largest = max(10.0, factors[np.isfinite(factors)].max(initial=1.0) * 1.2)
        for number, label in enumerate(times.labels):
            column = np.sort(factors[:, number])
            column = column[np.isfinite(column)]
            share = np.arange(1, len(column) + 1) / max(len(times.puzzles), 1)
            x = np.concatenate([[1.0], column, [largest]])
            y = np.concatenate([[0.0], share, share[-1:] if len(share) else [0.0]])
            axes.step(x, y, where="post", label=label, **_style(number))
        axes.set_xscale("log")
        axes.set_xlim(1, largest)
        axes.set_ylim(0, 1.02)
        axes.xaxis.set_major_formatter(lambda value, _: f"{value:g}x")
        axes.yaxis.set_major_formatter(lambda value, _: f"{value:.0%}")
        axes.set(xlabel="within this factor of the fastest", ylabel="share of the puzzles", title="Performance profile")
        _legend(axes)
    return Plot(
        figure, "At 1x: how often a backend is the fastest. At the right end: how many of the puzzles it solves at all."
    )


def scatter(results: Results, most: int = 6) -> Plot | None:
    """Two backends against each other, a point a puzzle, for the first `most` pairs; None without a pair."""
    times = Times.of(results)
    pairs = list(combinations(times.labels, 2))[:most]
    if not pairs:
        return None
    columns = min(3, len(pairs))
    rows = -(-len(pairs) // columns)
    with _figure(3.4 * columns, 3.4 * rows) as figure:
        low, failed = FASTEST, times.limit * 2.5
        for place, (base, label) in enumerate(pairs, 1):
            axes = figure.add_subplot(rows, columns, place)
            ours, theirs = times.column(label), times.column(base)
            ran = ~(np.isnan(ours) | np.isnan(theirs))
            x, y = (np.clip(np.where(np.isfinite(c), c, failed), low, failed)[ran] for c in (theirs, ours))
            axes.plot([low, failed], [low, failed], color="#666666", linewidth=1)
            for factor in (0.1, 10):
                axes.plot([low, failed], [low * factor, failed * factor], color="#999999", linewidth=0.8, linestyle=":")
            for line in (axes.axhline, axes.axvline):
                line(times.limit, color="#D55E00", linewidth=1, linestyle="--")
            axes.scatter(x, y, s=12, alpha=0.5, color=COLOURS[0], linewidths=0, rasterized=len(x) > MOST_POINTS)
            axes.set(xscale="log", yscale="log", xlim=(low, failed * 1.3), ylim=(low, failed * 1.3), aspect="equal")
            axes.set(xlabel=base, ylabel=label)
            for axis in (axes.xaxis, axes.yaxis):
                _seconds_axis(axis)
            axes.tick_params(axis="x", labelrotation=45)
    return Plot(
        figure,
        "A point is a puzzle; below the diagonal the backend at the side is faster. Dotted: ten times faster or "
        "slower. Beyond the dashed limit: not solved.",
    )


def growth(results: Results) -> Plot:
    """The time over the size of the board: medians of groups of boards of like size, and their middle half."""
    times = Times.of(results)
    cells = np.array([results.puzzles[name]["rows"] * results.puzzles[name]["columns"] for name in times.puzzles])
    return _trend(
        times,
        [(f"{group.min()}" if group.min() == group.max() else f"{group.min()}–{group.max()}", chosen)
         for chosen, group in _groups(cells)],
        "cells of the board",
        "Growth with the size of the board",
    )  # fmt: skip


def difficulty(results: Results) -> Plot | None:
    """The time over the level for a person; None if no puzzle has one."""
    times = Times.of(results)
    levels = np.array([results.puzzles[name]["level"] or "" for name in times.puzzles])
    groups = [(level, levels == level) for level in (*LEVELS, BEYOND) if (levels == level).any()]
    if not groups:
        return None
    return _trend(times, groups, "level for a person", "Difficulty for a person and effort of the solver")


def _groups(cells: np.ndarray) -> list[tuple[np.ndarray, np.ndarray]]:
    """Up to BINS groups of boards, about equally many in each and all of one size in one: which, and their cells."""
    edges = np.unique(np.quantile(cells, np.linspace(0, 1, BINS + 1), method="higher"))
    which = np.searchsorted(edges, cells, side="right")
    which = np.where(cells == edges[-1], len(edges) - 1, which) if len(edges) > 1 else which
    return [(which == number, cells[which == number]) for number in np.unique(which)]


def _trend(times: Times, groups: list[tuple[str, np.ndarray]], xlabel: str, title: str) -> Plot:
    """Median and middle half of the times in each group, the backends side by side."""
    failed = times.limit * 2
    with _figure(8.2) as figure:
        axes = figure.add_subplot()
        width = 0.7 / max(len(times.labels), 1)
        for number, label in enumerate(times.labels):
            column = times.column(label)
            middle = []
            for place, (_, chosen) in enumerate(groups):
                group = column[chosen & ~np.isnan(column)]
                marks = [min(max(percentile(group, share), FASTEST), failed) for share in (25, 50, 75, 95)]
                x = place + (number - (len(times.labels) - 1) / 2) * width
                colour = COLOURS[number % len(COLOURS)]
                axes.plot([x, x], [marks[0], marks[2]], color=colour, linewidth=5, alpha=0.35, solid_capstyle="butt")
                axes.plot([x, x], [marks[2], marks[3]], color=colour, linewidth=1, alpha=0.6)
                middle.append((x, marks[1]))
            style = _style(number) | {"linewidth": 1, "marker": MARKS[number % len(MARKS)], "markersize": 5}
            axes.plot(*zip(*middle, strict=True), label=label, **style)
        axes.axhline(times.limit, color="#666666", linewidth=1, linestyle=":")
        axes.set_yscale("log")
        names = [f"{name}\n({int(chosen.sum())})" for name, chosen in groups]
        axes.set_xticks(range(len(groups)), names)
        axes.set(xlabel=xlabel, ylabel="time", title=title)
        axes.grid(False, axis="x")
        _seconds_axis(axes.yaxis)
        _legend(axes)
    return Plot(
        figure,
        "Mark: median; bar: the middle half of the puzzles; line: up to the 95th percentile; in brackets the number "
        "of puzzles. Above the dotted limit: not solved.",
    )


PLOTS: dict[str, Callable[[Results], Plot | None]] = {
    "cactus": cactus,
    "profile": profile,
    "scatter": scatter,
    "growth": growth,
    "difficulty": difficulty,
}


def all_plots(results: Results) -> dict[str, Plot]:
    """Every plot for which there is something to show, by name."""
    return {name: plot for name, draw in PLOTS.items() if (plot := draw(results)) is not None}
