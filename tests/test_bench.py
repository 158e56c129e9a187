"""Runs with real processes, real limits and real kills."""

import json
import os
import shutil
import signal
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path

import psutil
import pytest
from click.testing import CliRunner

import nurikabe_mip as nm
from nurikabe_mip import bench
from nurikabe_mip.bench.processes import Settings, Task, Worker
from nurikabe_mip.bench.records import RecordFile
from nurikabe_mip.cli import main

HOSTILE = "foreign.hostile"  # in this folder
RIVER = Path(nm.__file__).parent / "corpus" / "river.txt"
UNIQUE, SEVERAL, NONE = "nurikabe:3x3:.,.,.,.,.,.,5,.,1", "nurikabe:2x2:3,.,.,.", "nurikabe:2x2:2,.,3,."
LARGER = nm.Nurikabe([".2..", "....", "...1", ".3.."], answer=nm.Shading(["#--#", "####", "#-#-", "--##"]))


def keys(path) -> Counter:
    """How often each solve is in a file, read without the package."""
    entries = [json.loads(line) for line in Path(path).read_text().splitlines()]
    return Counter(
        (entry["puzzle"], entry["backend"], json.dumps(entry["options"]), entry["repeat"])
        for entry in entries
        if entry["kind"] == "solve"
    )


def workers() -> list:
    """Processes of a run that are still there."""
    children = psutil.Process().children(recursive=True)
    return [child for child in children if "nurikabe_mip.bench.worker" in child.cmdline()]


def test_records_and_what_comes_to_an_existing_file(tmp_path):
    path = tmp_path / "records.jsonl"
    stored = [nm.Nurikabe(["1.1", "...", "1.1"], name="stored", answer=nm.Shading(["-#-", "###", "-#-"]))]
    stored += [nm.Nurikabe(["1.1", "...", "1.."], name="invalid", answer=nm.Shading(["---", "---", "---"]))]
    corpus = [*stored, *nm.read_many("\n".join([UNIQUE, SEVERAL, NONE]))]
    seen = []
    results = bench.run(corpus, ["auto"], path, limit=10, progress=lambda *what: seen.append(what))
    assert seen[-1][:2] == (5, 5)
    statuses = {record["puzzle"]: (record["status"], record["verdict"]) for record in results.records}
    assert statuses == {
        "stored": ("unique", "right"),
        "invalid": ("infeasible", None),
        "puzzle 3": ("unique", None),
        "puzzle 4": ("multiple", None),
        "puzzle 5": ("infeasible", None),
    }
    for record in results.records:
        assert record["solved"] and 0 < record["seconds"] < 10 and record["cpu_seconds"] >= 0
        assert record["memory_peak"] >= record["memory_before"] > 10**7
        assert record["solver"].startswith("nurikabe-mip search") and record["variables"] == record["cells"]
    (machine,) = results.environments.values()
    assert machine["cores"] == os.cpu_count() and machine["packages"]["numpy"] and machine["jobs"] == 1
    assert machine["settings"]["OMP_NUM_THREADS"] == "1"

    # a second backend, a repeat and a puzzle more: what is there stays as it is
    before = path.read_text()
    options = ("sat", {"presolve": "none", "seed": 5})
    results = bench.run([*corpus, LARGER], ["auto", options], path, limit=10, repeats=2)
    assert path.read_text().startswith(before)
    assert len(results.records) == 24 and set(keys(path).values()) == {1}
    assert results.labels == ["auto", "sat:presolve=none,seed=5"]
    assert {(r["backend"], r["repeat"], r["seed"]) for r in results.records} == {
        ("auto", 0, 0), ("auto", 1, 1), ("sat", 0, 5), ("sat", 1, 5)
    }  # fmt: skip

    # other settings, another puzzle of a known name, and a file that is none of ours are refused and left alone
    before = path.read_bytes()
    with pytest.raises(nm.OptionError, match=r"limit is 10 there and 11 here.*take another file"):
        bench.run(corpus, ["auto"], path, limit=11)
    with pytest.raises(nm.OptionError, match="another puzzle of the name 'puzzle 1'"):
        bench.run([UNIQUE], ["auto"], tmp_path / "other.jsonl", limit=10)
        bench.run([SEVERAL], ["auto"], tmp_path / "other.jsonl", limit=10)
    with (
        RecordFile(path, results.settings),
        pytest.raises(nm.OptionError, match="another run is writing"),
    ):
        bench.run(corpus, ["auto"], path, limit=10)
    assert path.read_bytes() == before
    for content in ("1.1\n...\n1.1", '{"kind": "run"}\n', '{"kind": "run", "schema": 0}\nhalf', "one line"):
        (tmp_path / "mine").write_text(content)
        with pytest.raises((nm.FormatError, nm.OptionError), match=r"mine: expected|mine is there and holds something"):
            bench.run([UNIQUE], ["auto"], tmp_path / "mine", limit=10)
        assert (tmp_path / "mine").read_text() == content


def test_a_backend_that_is_given_twice_solves_once(tmp_path):
    results = bench.run([UNIQUE], ["auto", "auto", ("auto", {})], tmp_path / "records.jsonl", limit=10)
    assert len(results.records) == 1


def test_without_psutil(tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "psutil", None)
    with pytest.raises(nm.PackageNotFound, match=r"psutil.*nurikabe-mip\[bench\]"):
        bench.run([UNIQUE], ["auto"], tmp_path / "records.jsonl", limit=10)


def test_files_of_one_name_stay_apart_and_an_empty_run_has_a_report(tmp_path):
    paths = [tmp_path / folder / "records.jsonl" for folder in ("old", "new")]
    for path in paths:
        path.parent.mkdir()
        bench.run([UNIQUE, NONE], ["auto"], path, limit=10)
    results = bench.load(*paths)
    assert results.labels == [f"{path} auto" for path in paths] and len(bench.compare(results)) == 1
    lines = paths[0].read_text().splitlines(keepends=True)
    paths[0].write_text("".join(line for line in lines if '"kind": "solve"' not in line))
    bench.report(bench.load(paths[0]), tmp_path / "report.html")
    assert "There is no record of a solve yet." in (tmp_path / "report.html").read_text()


def test_a_kuromasu_has_its_level(tmp_path):
    made = nm.generate((5, 5), "medium", genre="kuromasu")
    results = bench.run([made.puzzle], ["auto"], tmp_path / "records.jsonl", limit=10)
    assert [record["level"] for record in results.records] == ["medium"]


def test_a_backend_that_loops_one_that_eats_memory_and_one_that_exits(tmp_path):
    ways = ("loop", "memory", "exit", "raise", "wrong", "deny")
    backends = [(HOSTILE, {"how": how}) for how in ways]
    corpus = [LARGER, UNIQUE]
    results = bench.run(corpus, backends, tmp_path / "records.jsonl", limit=0.5, grace=3, memory=0.7)
    found = {(r["options"]["how"], r["puzzle"]): r for r in results.records}
    assert len(results.records) == len(found) == 12
    bad = [found[how, "puzzle 1"] for how in ways]
    assert [(r["status"], r["exit_code"]) for r in bad[:3]] == [("hung", None), ("memory", None), ("died", 7)]
    assert [r.get("verdict") for r in bad] == [None, None, None, None, "wrong", "wrong"]
    assert bad[0]["seconds"] >= 3.5 and bad[1]["memory_peak"] > 0.7e9
    assert bad[2]["error"] == "its process ended with exit code 7; it said: the last words"
    assert bad[3]["status"] == bad[4]["status"] == "error" and bad[3]["error"] == "RuntimeError: it failed"
    assert "R4" in bad[4]["error"]
    assert bad[5]["status"] == "infeasible"  # and the stored answer is a solution
    assert not any(record["solved"] for record in bad)
    assert all(found[how, "puzzle 2"]["status"] == "unique" for how in ways)  # the run went on
    assert not workers()
    rows = {row["label"]: row for row in bench.summary(results)}
    assert rows[f"{HOSTILE}:how=exit"]["failures"] == {"died": 1}
    assert rows[f"{HOSTILE}:how=wrong"]["wrong"] == 1


def test_a_backend_that_hangs_at_the_first_small_solve():
    worker = Worker(Settings(limit=10, warm=0.5))
    try:
        record = worker.solve(Task("small", nm.read(UNIQUE), HOSTILE, {"how": "stuck"}, 0))
    finally:
        worker.close()
    assert record["status"] == "hung" and record["error"].startswith("in the first small solve: no answer after ")
    assert record["seconds"] < 10 and record["memory_before"] is None


def test_a_solver_that_goes_on_after_the_limit_has_no_share_of_the_next_solve():
    worker = Worker(Settings(limit=0.3))
    try:
        records = [worker.solve(Task("large", LARGER, HOSTILE, {"how": how}, 0)) for how in ("deaf", "deaf")]
        assert [record["status"] for record in records] == ["unknown"] * 2
        assert not workers()
    finally:
        worker.close()


@pytest.mark.skipif(sys.platform == "win32", reason="a program of POSIX")
def test_no_process_starts(tmp_path, monkeypatch):
    monkeypatch.setattr(sys, "executable", shutil.which("false"))
    with pytest.raises(nm.SolverError, match=r"does not start: .*exit code 1"):
        bench.run([UNIQUE], ["auto"], tmp_path / "records.jsonl")


def test_wrong_arguments(tmp_path):
    path = tmp_path / "records.jsonl"
    for arguments, words in (
        ({"backends": ["nosuch"]}, "unknown backend 'nosuch'"),
        ({"backends": [("auto", {"formulation": "flow"})]}, "no option 'formulation'"),
        ({"backends": [("cpsat", {"parameters": {"x": object()}})]}, "values that JSON can hold"),
        ({"backends": ["nurikabe_mip.grid"]}, "is no backend: it has no OPTIONS"),
        ({"limit": 0}, "time_limit"),
        ({"memory": -1}, "memory is a number above 0"),
        ({"repeats": 0}, "repeats is a whole number"),
        ({"jobs": 1.5}, "jobs is a whole number"),
    ):
        with pytest.raises(nm.OptionError, match=words):
            bench.run([UNIQUE], **{"backends": ["auto"], "path": path} | arguments)
        assert not path.exists()
    with pytest.raises(nm.BackendNotFound, match=r"no\.such\.module"):
        bench.run([UNIQUE], ["no.such.module"], path)


# killed and stopped


def command(path, *arguments):
    here = Path(__file__).parent
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([str(here.parent), str(here)])}
    arguments = ["--corpus", str(RIVER), "--backend", f"{HOSTILE}:how=slow", "--repeats", "3", "-o", path, *arguments]
    return subprocess.Popen(
        [sys.executable, "-m", "nurikabe_mip", "bench", "run", *arguments],
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def wait_for_records(path, process, number):
    while not path.exists() or path.read_text().count('"kind": "solve"') < number:
        assert process.poll() is None, process.stderr.read()
        time.sleep(0.02)


@pytest.mark.skipif(sys.platform == "win32", reason="signals of POSIX")
def test_killed_and_interrupted_and_started_again(tmp_path):
    path = tmp_path / "records.jsonl"
    for kill, code, records in ((signal.SIGKILL, -signal.SIGKILL, 5), (signal.SIGINT, 3, 12)):
        process = command(path)
        wait_for_records(path, process, records)
        children = psutil.Process(process.pid).children(recursive=True)
        assert children
        process.send_signal(kill)
        _, errors = process.communicate(timeout=20)
        assert process.returncode == code and (kill == signal.SIGKILL or "the same command goes on" in errors)
        assert not psutil.wait_procs(children, timeout=5)[1]
        assert records <= sum(keys(path).values()) < 30
    with path.open("a") as file:
        file.write('{"kind": "solve", "puz')  # as if the machine had failed
    assert len(bench.load(path).records) < 30
    process = command(path)
    output, errors = process.communicate(timeout=60)
    assert (process.returncode, output, errors) == (0, f"30 records of 10 puzzles in {path}\n", "")
    assert len(keys(path)) == 30 and set(keys(path).values()) == {1}


def test_a_line_that_is_broken(tmp_path):
    path = tmp_path / "records.jsonl"
    bench.run([UNIQUE], ["auto"], path, limit=10)
    lines = path.read_text().splitlines()
    path.write_text("\n".join([*lines[:2], lines[2][:20], *lines[3:]]) + "\n")
    with pytest.raises(nm.FormatError, match=r"line 3: records\.jsonl: expected a line of the records"):
        bench.load(path)


def test_command_line(tmp_path):
    def call(*arguments):
        result = CliRunner().invoke(main, ["bench", *map(str, arguments)], catch_exceptions=False)
        assert result.exit_code == 0, result.output
        return result.output

    path, corpus = tmp_path / "records.jsonl", tmp_path / "corpus.txt"
    corpus.write_text("\n".join([UNIQUE, SEVERAL, nm.write(LARGER, "id")]))
    run = ["--corpus", corpus, "--every", 2, "--backend", "cpsat:formulation=ranks,presolve=none", "--backend", "auto"]
    assert call("run", *run, "--jobs", 2, "--limit", 10, "-o", path) == f"4 records of 2 puzzles in {path}\n"
    results = bench.load(path)
    assert set(results.labels) == {"cpsat:formulation=ranks,presolve=none", "auto"}
    assert {r["formulation"] for r in results.records if r["backend"] == "cpsat"} == {"ranks"}
    assert {machine["jobs"] for machine in results.environments.values()} == {2}
    assert call("report", path, "--title", "Two <backends>") == f"{tmp_path / 'records.html'}\n"
    assert "<h1>Two &lt;backends&gt;</h1>" in (tmp_path / "records.html").read_text()
    compared = call("compare", path, "--baseline", "auto")
    assert "\ncpsat:formulation=ranks,presolve=none  auto " in compared
    assert CliRunner().invoke(main, ["bench", "compare", str(path), "--baseline", "x"]).exit_code == 2
