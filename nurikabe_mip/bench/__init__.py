"""Compare backends, formulations and settings on any corpus: runs, their records, statistics, plots and reports.

>>> import tempfile
>>> from nurikabe_mip import bench
>>> puzzles = ["nurikabe:2x2:3,.,.,.", "nurikabe:3x3:1,.,1,.,.,.,1,.,1"]
>>> with tempfile.TemporaryDirectory() as folder:
...     results = bench.run(puzzles, ["auto", "shapes"], f"{folder}/records.jsonl", limit=10)
>>> for row in bench.summary(results):
...     print(row["label"], row["solved"], "of", row["puzzles"])
auto 2 of 2
shapes 2 of 2
"""

from .environment import machine
from .measure import measure
from .pages import report
from .plots import cactus, difficulty, growth, profile, scatter
from .records import Results, frame, load
from .runner import run
from .statistics import Times, compare, disagreements, rules, summary

__all__ = [
    "Results",
    "Times",
    "cactus",
    "compare",
    "difficulty",
    "disagreements",
    "frame",
    "growth",
    "load",
    "machine",
    "measure",
    "profile",
    "report",
    "rules",
    "run",
    "scatter",
    "summary",
]
