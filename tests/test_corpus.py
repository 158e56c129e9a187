import csv
import json
import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import boards
import numpy as np
import pytest
from click.testing import CliRunner

import nurikabe_mip as nm
from nurikabe_mip.backends import REGISTRY, Entry
from nurikabe_mip.cli import main
from nurikabe_mip.corpus import CORPUS_LEVELS, Corpus, load_corpus
from nurikabe_mip.corpus.audit import KINDS, audit
from nurikabe_mip.generate import generate
from nurikabe_mip.generate.nurikabe import VERSION

RIGHT = nm.Nurikabe(["...", "...", "5.1"], answer=nm.Shading(["---", "-##", "-#-"]))
SEVERAL = "nurikabe:2x2:3,.,.,."
NONE = "nurikabe:2x2:2,.,3,."


# the packaged puzzles


def test_every_puzzle_is_complete():
    corpus = load_corpus(genre=None)
    assert len({puzzle.name for puzzle in corpus}) == len(corpus) >= 10
    for puzzle in corpus:
        assert puzzle.answer.is_finished and nm.check(puzzle, puzzle.answer) == [], puzzle.name
        assert puzzle.info["level"] in CORPUS_LEVELS and puzzle.info["source"], puzzle.name


def test_a_sample_passes_the_whole_check():
    script = Path(__file__).parent.parent / "benchmarks/check_corpus.py"
    result = subprocess.run([sys.executable, script, "--every", "12"], capture_output=True, text=True)
    assert result.returncode == 0, result.stdout + result.stderr


def test_a_seed_makes_its_puzzle_again():
    sample = [puzzle for puzzle in load_corpus(max_shape=8) if puzzle.info.get("version") == VERSION][::9]
    if not sample:
        pytest.skip("the corpus was made by another version of the generator")
    for puzzle in sample:
        info = puzzle.info
        options = {"hidden": float(info.get("hidden", 0)), "symmetry": info.get("symmetry")}
        made = generate(puzzle.shape, info["asked"], int(info["seed"]), **options)
        assert made.puzzle == puzzle and made.solution == puzzle.answer, puzzle.name


@pytest.mark.parametrize("genre", ["nurikabe", "kuromasu"])
def test_the_files_are_as_we_write_them(genre):
    text = Path(nm.corpus.__file__).with_name(f"{genre}.jsonl").read_text(encoding="utf-8")
    assert text == "".join(f"{nm.write(puzzle, 'json')}\n" for puzzle in load_corpus(genre=genre))


def test_the_river_boards_are_among_them():
    river = list(nm.read_many(Path(nm.corpus.__file__).with_name("river.txt")))
    assert list(load_corpus(name="river-*")) == river and len(river) == 10


def test_filters():
    corpus = load_corpus()
    for level in CORPUS_LEVELS:
        assert load_corpus(level) == tuple(puzzle for puzzle in corpus if puzzle.info["level"] == level)
    assert load_corpus(["medium", "hard"]) == load_corpus(iter(("hard", "medium"))) != load_corpus("hard")
    assert (
        load_corpus(shape="15x15") == load_corpus(shape=15) == load_corpus(shape=(15, 15)) == load_corpus(None, "15X15")
    )
    assert {puzzle.shape for puzzle in load_corpus(shape=15)} == {(15, 15)}
    within = load_corpus(max_shape=(7, 9))
    assert within == tuple(puzzle for puzzle in corpus if puzzle.shape[0] <= 7 and puzzle.shape[1] <= 9) != ()
    kuromasu = load_corpus(genre="kuromasu")
    assert load_corpus(genre=None) == (*corpus, *kuromasu) and {puzzle.genre for puzzle in kuromasu} == {"kuromasu"}
    assert [puzzle.name for puzzle in load_corpus(name="river-3")] == ["river-3"]
    assert load_corpus("easy", "1x1") == Corpus() == load_corpus(name="nobody")


@pytest.mark.parametrize(
    "arguments, message",
    [
        ({"level": "esay"}, "easy, medium, hard, expert, beyond; got 'esay'"),
        ({"level": ["easy", 3]}, "got 3"),
        ({"genre": "sudoku"}, "there are: nurikabe"),
        ({"shape": "ten"}, "shape is .* got 'ten'"),
        ({"shape": (5, 0)}, "shape is"),
        ({"max_shape": (5, 5, 5)}, "max_shape is"),
        ({"shape": 0}, "got 0"),
    ],
)
def test_wrong_filters(arguments, message):
    with pytest.raises(nm.OptionError, match=message):
        load_corpus(**arguments)


def test_a_corpus_shows_itself():
    corpus = load_corpus()
    assert isinstance(corpus[:30], Corpus) and corpus[0].name and repr(corpus[:3]) == "<Corpus of 3 puzzles>"
    table = [line.split() for line in str(Corpus([*load_corpus(name="river-*"), RIGHT])).splitlines()]
    assert table[0] == ["shape", "medium", "hard", "unrated", "all"] and table[1] == ["3x3", "0", "0", "1", "1"]
    assert table[-2:] == [["20x20", "0", "2", "0", "2"], ["all", "3", "7", "1", "11"]]
    page = corpus[:3]._repr_html_()
    assert page.count("<svg") == 3 and corpus[0].name in page and "the first" not in page
    assert Corpus(corpus[:5] * 10)._repr_html_().count("<svg") == 24
    assert "<b>0 puzzles</b>" in Corpus()._repr_html_()


def test_frame():
    corpus = load_corpus()
    frame = corpus.frame()
    assert list(frame["name"]) == [puzzle.name for puzzle in corpus]
    for puzzle, row in zip(corpus[:20], frame.to_dict("records"), strict=False):
        assert (row["rows"], row["columns"]) == puzzle.shape and nm.read(row["link"]) == puzzle
        assert row["land"] == str(puzzle.answer).count("-") and row["level"] == puzzle.info["level"]
        assert row["clues"] == len(puzzle.clue_cells) and row["unknown"] == str(puzzle).count("?")
    steps = frame["island_exit"]
    assert steps.dtype == np.int64 and steps.sum() > 0


def test_frame_says_how_to_install_pandas(monkeypatch):
    monkeypatch.setitem(sys.modules, "pandas", None)
    with pytest.raises(ImportError, match=r"pip install .nurikabe-mip\[bench\]"):
        load_corpus().frame()


# the audit


def kinds(found):
    return [(finding.kind, finding.record) for finding in found.findings]


def test_each_kind_of_defect(tmp_path):
    wrong, partial = (
        nm.Nurikabe(RIGHT.clues, answer=nm.Shading(rows)) for rows in (["---", "###", "-#-"], ["..#", "...", "..."])
    )
    for puzzle, name in ((wrong, "wrong"), (partial, "partial")):
        (tmp_path / f"4-{name}.json").write_text(nm.write(puzzle, "json"))
    (tmp_path / "1-right.txt").write_text(nm.write(RIGHT, "text"))
    (tmp_path / "2-links.txt").write_text(f"# links\n{SEVERAL}\n{NONE}\nnurikabe:1x2:7,.\nnurikabe/3/3/g4l2\n")
    (tmp_path / "3-picture.png").write_bytes(b"\x89PNG")
    (tmp_path / "5-set.json").write_text(
        '{"data": {"9_5x2": {"problem": "5 2\\n1 - \\n- - \\n[solution]\\n- x\\nx x"}}}'
    )
    (tmp_path / "6-again.txt").write_text("1..\n...\n5..\n\n1..\n...\n5..")
    found = audit(tmp_path)
    assert [str(finding) for finding in found.findings] == [
        "record 2 in 2-links.txt: multiple: several solutions, which differ in 2 cells, first at row 2, column 1",
        "record 3 in 2-links.txt: infeasible: the numbers at row 1, column 1 and row 2, column 1 are side by side: "
        "their islands would merge; the numbers add up to 5 cells and the board has 4",
        "record 4 in 2-links.txt, line 4, column 14: malformed: expected '.', '?' or a number from 1 to 2, found '7'",
        "record 5 in 2-links.txt: infeasible: no solution, by a complete search",
        "record 6 in 3-picture.png: malformed: expected text in UTF-8, found other bytes at byte 1",
        "record 7 in 4-partial.json: duplicate: the same board as record 1",
        "record 7 in 4-partial.json: wrong_answer: the stored answer is not the solution, first at row 1, column 3",
        "record 8 in 4-wrong.json: duplicate: the same board as record 1",
        "record 8 in 4-wrong.json: wrong_answer: the stored answer breaks R1: the island of the 5 at row 3, column 1 "
        "has 1 cell, and 1 more",
        "record 9 (9_5x2) in 5-set.json: mended: the problem of record 9_5x2 is cut at [solution]: the header says "
        "5 rows x 2 columns, the board has 2 rows x 2 columns",
        "record 10 in 6-again.txt: duplicate: the same board as record 1, turned or mirrored",
        "record 11 in 6-again.txt: duplicate: the same board as record 1, turned or mirrored",
    ]
    assert (found.records, found.sound, found.complete) == (11, 1, True)
    assert found.counts == {
        "malformed": 2, "mended": 1, "infeasible": 2, "multiple": 1, "wrong_answer": 2, "duplicate": 4, "unproved": 0
    }  # fmt: skip
    assert list(found.frame()["record"]) == [finding.record for finding in found.findings]
    for line in ("records           11", "sound              1", "duplicate          4"):
        assert line in str(found)
    assert "<td>duplicate</td><td>4</td>" in found._repr_html_()


def test_all_eight_symmetries_are_one_board():
    board = nm.Nurikabe(["2...", ".?.3", "...."])
    turned = [nm.Nurikabe(clues) for clues in boards.orientations(board.clues)]
    other = nm.Nurikabe(["2...", "...3", ".?.."])
    found = audit([*turned, other], time_limit=None)
    assert [finding.record for finding in found.findings if finding.kind == "duplicate"] == [2, 3, 4, 5, 6, 7, 8]
    assert {finding.same_as for finding in found.findings if finding.kind == "duplicate"} == {1}


def test_a_limit_is_no_verdict():
    found = audit([boards.STRESS, RIGHT], time_limit=0.001)
    assert ("unproved", 1) in kinds(found) and found.counts["infeasible"] == 0
    assert "the limit of 0.001 s came first" in found.findings[0].message
    assert audit([RIGHT], backend="shapes", verify="sat").sound == 1
    left = audit([boards.STRESS], verify="brute_force", time_limit=1.0).findings
    assert [finding.kind for finding in left] == ["unproved"]


def test_a_solver_that_is_wrong(monkeypatch):
    """An answer that obeys the rules is proof enough that there is one."""

    class Blind:
        OPTIONS, PRESOLVE = {}, "none"
        version = staticmethod(lambda: "blind 1")
        shadings = staticmethod(lambda model, run: iter(()))

    monkeypatch.setitem(REGISTRY, "blind", Entry("finds nothing", {}))
    monkeypatch.setitem(sys.modules, "nurikabe_mip.backends.blind", Blind)
    found = audit([RIGHT], backend="blind")
    assert kinds(found) == [("unproved", 1)] and "blind fails: it says infeasible" in found.findings[0].message


def test_processes_change_nothing():
    source = [*load_corpus()[:25], SEVERAL, "nurikabe:1x1:x", RIGHT, RIGHT, boards.board("4./..")]
    alone, together = audit(source, "nurikabe"), audit(source, jobs=2)
    assert together.findings == alone.findings != [] and together.records == alone.records == len(source)
    assert together.sound == alone.sound


@pytest.mark.parametrize("ending", ["jsonl", "csv"])
def test_report_and_progress(tmp_path, ending):
    path = tmp_path / f"report.{ending}"
    lines = []  # the findings are in the file as soon as they are known

    def progress(found):
        lines.append((found.records, path.read_text().count("several")))

    found = audit(f"{SEVERAL}\nnurikabe:1x2:1,.\n{SEVERAL}\n", report=path, progress=progress)
    assert lines == [(1, 1), (2, 1), (3, 2)]
    with path.open(newline="") as file:
        rows = list(csv.DictReader(file)) if ending == "csv" else [json.loads(line) for line in file]
    assert [row["kind"] for row in rows] == ["multiple", "duplicate", "multiple"]
    assert [int(row["same_as"] or 0) for row in rows] == [0, 1, 0] and rows[0]["message"] == found.findings[0].message


def test_wrong_options(tmp_path):
    for arguments in ({"jobs": 0}, {"jobs": True}, {"time_limit": 0}, {"backend": "no"}, {"verify": "no"},
                      {"format": "no"}, {"genre": "sudoku"}, {"report": tmp_path / "report.txt"}):  # fmt: skip
        with pytest.raises(nm.OptionError):
            audit(SEVERAL, **arguments)
    with pytest.raises(nm.FormatError):
        audit(5)
    with pytest.raises(FileNotFoundError):
        audit(tmp_path / "none")


# the command


def run(*arguments, code=0):
    result = CliRunner().invoke(main, ["audit", *map(str, arguments)])
    assert result.exit_code == code, (result.output, result.exc_info)
    return result


def test_command(tmp_path):
    good, bad = tmp_path / "good.txt", tmp_path / "bad.txt"
    good.write_text(nm.write(RIGHT, "json"))
    bad.write_text(f"{SEVERAL}\nrubbish\n")
    assert run(good).stdout.splitlines()[1].split()[:2] == ["sound", "1"]
    first = run(good, bad, code=1).stdout.splitlines()
    assert first[0].startswith("record 2 in bad.txt: multiple: ") and first[1].startswith("record 3 in bad.txt, line 2")
    report = tmp_path / "report.jsonl"
    shown = run(bad, "--json", "--report", report, "--verify", "brute_force", code=1).stdout
    assert shown == report.read_text() and [json.loads(line)["record"] for line in shown.splitlines()] == [1, 2]
    good.write_text(boards.STRESS)
    assert "unproved" in run(good, "--time-limit", "0.001", code=3).stdout
    assert "unknown backend 'no'" in run(good, "--backend", "no", code=2).stderr
    run(tmp_path / "none", code=2)
    good.write_text("")
    assert "there is no puzzle in" in run(good, code=2).stderr
    table = run(bad, code=1).stdout
    assert re.findall(r"^(\w+) +\d+  ", table, re.M) == ["records", "sound", *KINDS]


@pytest.mark.skipif(os.name != "posix", reason="signals")
@pytest.mark.parametrize("jobs", ["1", "2"])
def test_ctrl_c_keeps_what_is_found(tmp_path, jobs):
    path, report = tmp_path / "puzzles.txt", tmp_path / "report.jsonl"
    path.write_text(f"{SEVERAL}\n{boards.STRESS}\n{SEVERAL}\n")
    command = [sys.executable, "-m", "nurikabe_mip", "audit", str(path), "--report", str(report), "--jobs", jobs]
    process = subprocess.Popen(
        [*command, "--backend", "sat", "--time-limit", "100"],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True,
    )  # fmt: skip
    first = process.stdout.readline()
    time.sleep(0.5)
    os.killpg(process.pid, signal.SIGINT)
    start = time.monotonic()
    rest, errors = process.communicate(timeout=20)
    assert time.monotonic() - start < 5
    assert first.startswith("record 1 in puzzles.txt: multiple") and process.returncode == 3, errors
    assert "interrupted before the end" in rest and "Traceback" not in errors
    assert [json.loads(line)["record"] for line in report.read_text().splitlines()] == [1]
