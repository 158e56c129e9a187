"""Statistics, plots and reports on results made by hand."""

import math
import re
from dataclasses import asdict
from xml.etree import ElementTree

import numpy as np
import pytest

import nurikabe_mip as nm
from nurikabe_mip import bench
from nurikabe_mip.bench.plots import PLOTS, duration
from nurikabe_mip.bench.processes import Settings
from nurikabe_mip.bench.records import RecordFile
from nurikabe_mip.bench.statistics import Times, percentile, ratio

INF = math.inf
LEVELS = ("easy", "hard", "beyond", None)


def write(path, times: dict[str, list[float]], limit=10.0):
    """A file of records: for each backend a time a puzzle, infinite for a failure, nan for none; one machine."""
    with RecordFile(path, asdict(Settings(limit=limit))) as file:
        for number in range(max(map(len, times.values()))):
            puzzle = nm.Nurikabe([["."] * (3 + number % 5)] * 4, name=f"p{number}")
            if not file.has_puzzle(puzzle.name, puzzle):
                file.add_puzzle(puzzle.name, puzzle, LEVELS[number % 4])
        for backend, column in times.items():
            for number, seconds in enumerate(column):
                if math.isnan(seconds):
                    continue
                solved = math.isfinite(seconds)
                figures = {"status": "unique" if solved else "hung", "verdict": None, "solved": solved}
                figures |= {"answer": "abc", "seconds": seconds if solved else limit, "memory_peak": 10**8}
                figures |= {"error": None if solved else "no <answer>", "environment": {"cpu": "Abacus | 1"}}
                file.add({"puzzle": f"p{number}", "backend": backend, "options": {}, "repeat": 0, **figures})
    return bench.load(path)


def test_failures_are_infinite_and_the_means_follow_their_rules(tmp_path):
    results = write(tmp_path / "r.jsonl", {"a": [1, 2, 3, INF], "b": [2, INF, INF, INF], "c": [1, 2, math.nan, 3]})
    a, b, c = bench.summary(results, shift=1.0)
    assert (a["solved"], a["puzzles"], a["failures"]) == (3, 4, {"hung": 1})
    assert (a["median"], a["maximum"], a["percentile_95"]) == (2.5, INF, INF)
    assert (b["median"], c["puzzles"], c["maximum"]) == (INF, 3, 3)
    assert a["par2"] == pytest.approx((1 + 2 + 3 + 20) / 4)
    assert a["geometric_mean"] == pytest.approx((2 * 3 * 4 * 11) ** (1 / 4) - 1)
    assert a["memory"] == 10**8
    assert "limit of 10 s" in bench.rules(results.limit) and "shift 1 s" in bench.rules(results.limit, 1.0)


def test_percentiles_are_numpys_where_all_is_finite():
    times = np.random.default_rng(1).random(37)
    for share in (0, 5, 50, 93.1, 95, 100):
        assert percentile(times, share) == pytest.approx(np.percentile(times, share))
    assert math.isnan(percentile([], 50)) and percentile([1, INF, INF], 25) == INF


def test_ratio_and_its_interval(tmp_path):
    rng = np.random.default_rng(0)
    base = np.exp(rng.normal(-3, 1, 200))
    slow = base * np.exp(rng.normal(np.log(3), 0.5, 200))  # three times as long in the mean
    results = write(tmp_path / "r.jsonl", {"base": [*base, 1, INF, INF], "slow": [*slow, INF, 2, INF]})
    found = ratio(Times.of(results), "slow", "base")
    logs = np.log([*(slow / base), 10 / 1, 2 / 10])
    error = logs.std() / math.sqrt(len(logs))
    assert found["ratio"] == pytest.approx(np.exp(logs.mean()))
    assert found["low"] == pytest.approx(np.exp(logs.mean() - 1.96 * error), rel=0.02)
    assert found["high"] == pytest.approx(np.exp(logs.mean() + 1.96 * error), rel=0.02)
    assert (found["puzzles"], found["both"], found["only"], found["only_baseline"], found["neither"]) == (
        202, 200, 1, 1, 1
    )  # fmt: skip
    assert found["faster"] == (slow < base).sum() + 1
    assert bench.compare(results) == bench.compare(results, baseline="base") == [found]  # the bootstrap has a seed
    other = ratio(Times.of(results), "base", "slow")
    assert other["ratio"] == pytest.approx(1 / found["ratio"])
    with pytest.raises(nm.OptionError, match="no records of 'x'; there are base, slow"):
        bench.compare(results, baseline="x")


def test_repeats_count_with_their_median_and_a_late_proof_is_a_failure(tmp_path):
    path = tmp_path / "r.jsonl"
    write(path, {"a": [1.0, 10.5]})
    with RecordFile(path, asdict(Settings(limit=10.0))) as file:
        for repeat, seconds in ((1, 5.0), (2, 2.0)):
            figures = {"status": "unique", "verdict": None, "solved": True, "seconds": seconds, "environment": {}}
            file.add({"puzzle": "p0", "backend": "a", "options": {}, "repeat": repeat, "answer": "x", **figures})
    times = Times.of(bench.load(path))
    assert times.column("a").tolist() == [2.0, INF]
    # it also contradicts itself
    assert bench.disagreements(bench.load(path)) == [("p0", {"a": "unique abc and unique x"})]


def test_files_together(tmp_path):
    before = write(tmp_path / "before.jsonl", {"a": [4, 4], "b": [1, 1]}, limit=20)
    write(tmp_path / "after.jsonl", {"a": [2, 11]}, limit=10)
    both = bench.load(tmp_path / "before.jsonl", tmp_path / "after.jsonl")
    assert (both.labels, both.limit, before.limit) == (["before a", "b", "after a"], 10, 20)
    assert bench.compare(both, "before a")[1]["only_baseline"] == 1
    with RecordFile(tmp_path / "other.jsonl", asdict(Settings())) as file:
        file.add_puzzle("p0", nm.Nurikabe(["1"]), None)
    with pytest.raises(nm.OptionError, match="'p0' is not the one of that name"):
        bench.load(tmp_path / "before.jsonl", tmp_path / "other.jsonl")


def test_disagreements(tmp_path):
    path = tmp_path / "r.jsonl"
    write(path, {"a": [1, 1], "b": [1, INF]})
    with RecordFile(path, asdict(Settings(limit=10.0))) as file:
        figures = {"status": "infeasible", "verdict": None, "solved": True, "seconds": 1.0, "environment": {}}
        file.add({"puzzle": "p0", "backend": "c", "options": {}, "repeat": 0, **figures})
    ((name, proofs),) = bench.disagreements(bench.load(path))
    assert name == "p0" and proofs == {"a": "unique abc", "b": "unique abc", "c": "infeasible"}
    text = bench.pages.notes(bench.load(path))[0]
    assert text.startswith("Proofs contradict each other on p0: a says unique")


def test_report(tmp_path):
    rng = np.random.default_rng(3)
    times = {name: [*np.exp(rng.normal(-4, 2, 30)), INF] for name in ("auto", "cpsat <x> & |y|")}
    results = write(tmp_path / "r.jsonl", times)
    (path,) = bench.report(results, tmp_path / "r.html", title="Two & more")
    page = path.read_text()
    assert page.count("<svg") == len(PLOTS) == 5
    assert "cpsat &lt;x&gt; &amp; |y|" in page and "<x>" not in page and "no &lt;answer&gt;" in page
    assert bench.rules(10.0) in page.replace("&gt;", ">")
    # nothing is loaded from elsewhere
    assert not re.search(r"""(?:src|href)=["'](?!#)""", page) and "url(http" not in page and "@import" not in page
    for picture in re.findall(r"<svg.*?</svg>", page, re.DOTALL):
        ElementTree.fromstring(picture.replace("xlink:href", "href"))
    files = bench.report(results, tmp_path / "r.md")
    text = files[0].read_text()
    assert len(files) == 6 and all(f"r-plots/{name}.png" in text for name in PLOTS)
    assert "Abacus \\| 1" in text
    for line in filter(lambda line: line.startswith("|"), text.splitlines()):
        assert len(re.findall(r"(?<!\\)\|", line)) >= 3
    again = bench.report(results, tmp_path / "again.html", title="Two & more")[0].read_text()
    assert again == page  # the same figures give the same page
    with pytest.raises(nm.OptionError, match=r"ends in \.html or \.md"):
        bench.report(results, tmp_path / "r.pdf")


def test_plots_of_little(tmp_path):
    """One backend, nothing solved, no level: something is drawn or nothing is, and no warning comes."""
    results = write(tmp_path / "r.jsonl", {"a": [INF, INF]})
    for about in results.puzzles.values():
        about["level"] = None
    drawn = {name: draw(results) for name, draw in PLOTS.items()}
    assert [name for name, plot in drawn.items() if plot is None] == ["scatter", "difficulty"]
    assert all(plot._repr_html_().count("<svg") == 1 for plot in drawn.values() if plot)
    drawn["cactus"].save(tmp_path / "cactus.png")
    assert (tmp_path / "cactus.png").read_bytes().startswith(b"\x89PNG")


def test_durations():
    assert [duration(s) for s in (0.00012, 0.0096, 0.0123, 0.9999, 1, 9.94, 9.96, 600, math.nan)] == [
        "0.12 ms", "9.6 ms", "12 ms", "1000 ms", "1 s", "9.9 s", "10 s", "600 s", "–"
    ]  # fmt: skip


def test_frames(tmp_path):
    results = write(tmp_path / "r.jsonl", {"a": [1, INF], "b": [2, 2]})
    for source in (tmp_path / "r.jsonl", str(tmp_path / "r.jsonl"), results):
        frame = bench.frame(source)
        assert len(frame) == 4 and frame.groupby("label").solved.sum().to_dict() == {"a": 1, "b": 2}
        assert frame.cells.tolist() == [12, 16, 12, 16] and frame.level.tolist() == ["easy", "hard"] * 2
    corpus = tmp_path / "corpus.txt"
    corpus.write_text("nurikabe:1x2:1,.\nnurikabe:1x3:?,.,2\n")
    frame = bench.frame(corpus)
    assert frame[["rows", "columns", "clues", "unknown"]].values.tolist() == [[1, 2, 1, 0], [1, 3, 2, 1]]
    assert len(bench.frame(nm.load_corpus(shape=5))) == len(nm.load_corpus(shape=5))
