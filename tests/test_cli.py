import json
import os
import signal
import subprocess
import sys
import time
from xml.etree import ElementTree

import boards
import pytest
from click.testing import CliRunner

import nurikabe_mip as nm
from nurikabe_mip.cli import main, parsed

UNIQUE = "nurikabe:3x3:.,.,.,.,.,.,5,.,1"
ANSWER = "---\n-##\n-#-\n"
SEVERAL = "nurikabe:2x2:3,.,.,."
NONE = "nurikabe:2x2:2,.,3,."
STRESS = f"https://puzz.link/p?{boards.STRESS}"
ORACLE = ("--backend", "brute_force")
COMMAND = (sys.executable, "-m", "nurikabe_mip")


@pytest.fixture(autouse=True)
def no_colour_settings(monkeypatch):
    for name in ("NO_COLOR", "FORCE_COLOR"):
        monkeypatch.delenv(name, raising=False)


def run(*arguments, stdin=None, code=0):
    """Run in this process; the exit code must be `code`, and nothing but an exit may come out."""
    result = CliRunner().invoke(main, [str(argument) for argument in arguments], input=stdin)
    assert result.exception is None or isinstance(result.exception, SystemExit), result.exc_info
    assert result.exit_code == code, (result.stdout, result.stderr)
    assert "Traceback" not in result.stderr
    return result


def batch(tmp_path, *records):
    file = tmp_path / "puzzles.txt"
    file.write_text("\n".join(records) + "\n")
    return file


# where puzzles come from


def test_argument_file_and_standard_input_are_the_same(tmp_path):
    shown = [
        run("solve", UNIQUE, *ORACLE),
        run("solve", batch(tmp_path, UNIQUE), *ORACLE),
        run("solve", *ORACLE, stdin=UNIQUE),
        run("solve", "-", *ORACLE, stdin=UNIQUE),
    ]
    for result in shown:
        *board, status = result.stdout.splitlines()
        assert board == ["- - -", "- # #", "5 # 1"]
        assert status.startswith("unique: exactly one solution (brute_force, 0.")
        assert not result.stderr


@pytest.mark.parametrize(
    "text", ["...\n...\n5.1", "https://puzz.link/p?nurikabe/3/3/l5g1", '{"genre":"nurikabe","puzzle":{"grid":["1"]}}']
)
def test_other_formats(text):
    run("show", text)


def test_neither_a_file_nor_a_puzzle():
    for text in ("puzzles.txt", "hello world", "nurikabe:3x3:1,2", "x" * 5000, "a\x00b"):
        error = run("solve", text, code=2).stderr
        assert error.startswith("error: ") and "neither a file nor a puzzle: " in error
        assert error.count("\n") == 1 and len(error) < 600


@pytest.mark.parametrize("command", ["solve", "check", "show"])
def test_nothing_to_read(command, tmp_path):
    empty = tmp_path / "empty.txt"
    empty.write_text("")
    for result in (run(command, empty, code=2), run(command, stdin="", code=2), run(command, stdin="\n \n", code=2)):
        assert result.stderr.startswith("error: ") and not result.stdout
    assert run(command, tmp_path, code=2).stderr.startswith("error: ")  # a folder


def test_bytes_that_are_no_text(tmp_path):
    file = tmp_path / "odd.txt"
    file.write_bytes(b"\xff\xfe\x00nurikabe")
    assert run("solve", file, code=2).stderr.startswith("error: ")
    assert run("solve", stdin=file.read_bytes(), code=2).stderr.startswith("error: ")


def test_bad_record_is_reported_and_the_rest_goes_on(tmp_path):
    file = batch(tmp_path, UNIQUE, "nurikabe:3x3:1,2", SEVERAL)
    result = run("solve", file, "--json", *ORACLE, code=2)
    assert [json.loads(line)["status"] for line in result.stdout.splitlines()] == ["unique", "multiple"]
    assert result.stderr.startswith(f"error: {file}: ") and result.stderr.count("\n") == 1


def test_pick_counts_records(tmp_path):
    file = batch(tmp_path, "nurikabe:3x3:1,2", UNIQUE, SEVERAL)
    result = run("solve", file, "--pick", 2, *ORACLE)
    assert "unique" in result.stdout and "multiple" not in result.stdout and not result.stderr
    assert "multiple" in run("solve", file, "--pick", 3, *ORACLE, code=1).stdout
    assert run("solve", file, "--pick", 1, code=2).stderr.startswith("error: ")
    assert "number 4" in run("solve", file, "--pick", 4, code=2).stderr


def test_format_can_be_forced():
    assert run("show", "2,1 1,0,0", "--format", "river").stdout == "1 .\n"
    assert "river" in run("show", "2,1 1,0,0", "--format", "rivers", code=2).stderr


# solve


def test_one_cell():
    assert run("solve", ".", *ORACLE).stdout.startswith("#\nunique")
    assert run("solve", "1", *ORACLE, code=1).stdout.splitlines()[0] == "1!"
    assert json.loads(run("solve", ".", "--json", *ORACLE).stdout)["solution"] == ["#"]


def test_two_solutions_are_both_shown():
    lines = run("solve", SEVERAL, *ORACLE, code=1).stdout.splitlines()
    assert lines[0] == "one solution:" and lines[3] == "another:"
    for row in range(2):
        first, second = lines[1 + row].ljust(4), lines[4 + row].ljust(4)
        for column in range(0, 4, 2):
            assert (first[column] != second[column]) == (first[column + 1] == "*") == (second[column + 1] == "*")
    assert lines[-1].startswith("multiple: at least two solutions, which differ in 2 cells")


def test_no_solution_names_the_mistake():
    lines = run("solve", NONE, *ORACLE, code=1).stdout.splitlines()
    assert lines[:2] == ["2!.", "3!."]
    assert "side by side" in lines[2] and lines[-1].startswith("infeasible: no solution")


def test_json_record():
    record = json.loads(run("solve", SEVERAL, "--json", "--common", *ORACLE, code=1).stdout)
    assert record["genre"] == "nurikabe" and record["shape"] == [2, 2] and record["status"] == "multiple"
    assert len(record["differing"]) == 2 and record["common"] == ["-.", ".."]
    assert record["backend"] == "brute_force" and 0 < record["seconds"] < 5
    assert record["stats"]["total_seconds"] == record["seconds"]
    assert nm.read(record["puzzle"]) == boards.board(boards.SEVERAL)
    for answer in ("solution", "second"):
        assert not nm.check(boards.board(boards.SEVERAL), nm.Shading(record[answer]))
    record = json.loads(run("solve", NONE, "--json", *ORACLE, code=1).stdout)
    assert record["solution"] is None and "side by side" in record["reason"]
    assert {"name": "side_by_side", "cells": [[0, 0], [1, 0]]}.items() <= record["mistakes"][0].items()


def test_known_cells_from_the_argument_or_a_file(tmp_path):
    file = tmp_path / "known.txt"
    file.write_text("..\n.#\n")
    for known in (file, "..\n.#"):
        assert "unique" in run("solve", SEVERAL, "--known", known, *ORACLE).stdout
    assert "shape" in run("solve", SEVERAL, "--known", "...", *ORACLE, code=2).stderr
    assert "neither a file nor an answer" in run("solve", SEVERAL, "--known", "abc", *ORACLE, code=2).stderr


def test_verify():
    assert "verified by cpsat" in run("solve", UNIQUE, *ORACLE, "--verify", "cpsat").stdout


def test_time_limit():
    result = run("solve", STRESS, "--time-limit", 0.3, *ORACLE, code=3)
    assert "unknown: the limit came" in result.stdout


def test_wrong_options_are_one_line_and_stop_a_batch(tmp_path):
    file = batch(tmp_path, UNIQUE, SEVERAL)
    for options in (
        ("--backend", "simplex"),
        ("--time-limit", "-1"),
        ("--time-limit", "nan"),
        ("--threads", "0"),
        ("--option", "colour=3"),
        ("--option", "colour"),
        ("--option", "seed=3"),
    ):
        result = run("solve", file, *ORACLE, *options, code=2)
        assert result.stderr.startswith("error: ") and result.stderr.count("\n") == 1, result.stderr
        assert not result.stdout
    assert "cpsat" in run("solve", file, "--backend", "simplex", code=2).stderr  # what is known is listed


def test_missing_backend_says_how_to_install_it(monkeypatch):
    monkeypatch.setattr(sys.modules["nurikabe_mip.backends"], "find_spec", lambda name: None)
    assert 'pip install "nurikabe-mip[cpsat]"' in run("solve", UNIQUE, "--backend", "cpsat", code=2).stderr
    assert 'pip install "nurikabe-mip[cpsat]"' in run("backends").stdout


def test_an_error_of_one_puzzle_does_not_stop_the_batch(tmp_path, monkeypatch):
    def fail_on_first(puzzle, **arguments):
        if puzzle.shape == (3, 3):
            raise nm.SolverError("the engine crashed")
        return real(puzzle, **arguments)

    real = nm.solve
    monkeypatch.setattr(nm, "solve", fail_on_first)
    result = run("solve", batch(tmp_path, UNIQUE, SEVERAL), *ORACLE, code=2)
    assert result.stderr == "error: puzzle 1: the engine crashed\n" and "multiple" in result.stdout


def test_exit_code_of_a_batch_is_the_worst(tmp_path):
    limit = ("--time-limit", 0.3)
    assert run("solve", batch(tmp_path, UNIQUE, UNIQUE), *ORACLE).exit_code == 0
    run("solve", batch(tmp_path, UNIQUE, NONE, UNIQUE), *ORACLE, code=1)
    run("solve", batch(tmp_path, STRESS, NONE), *ORACLE, *limit, code=3)
    run("solve", batch(tmp_path, "nurikabe:3x3:1", STRESS, NONE), *ORACLE, *limit, code=2)


def test_parsed_options():
    texts = ("3", "-1", "2.5", "1e-3", "true", "False", "none", "ranks", "nan", "")
    assert list(map(parsed, texts)) == [3, -1, 2.5, 0.001, True, False, None, "ranks", "nan", ""]


def test_svg_files(tmp_path):
    run("solve", UNIQUE, "--svg", tmp_path / "one.svg", *ORACLE)
    ElementTree.parse(tmp_path / "one.svg")
    run("solve", batch(tmp_path, UNIQUE, SEVERAL), "--svg", tmp_path / "many.svg", *ORACLE, code=1)
    run("show", UNIQUE, "--svg", tmp_path / "shown.svg")
    assert {file.name for file in tmp_path.glob("*.svg")} == {"one.svg", "many-1.svg", "many-2.svg", "shown.svg"}
    assert "error: " in run("show", UNIQUE, "--svg", tmp_path / "no" / "such.svg", code=2).stderr


# check


def test_check(tmp_path):
    file = tmp_path / "answer.txt"
    file.write_text(ANSWER)
    for answer in (file, ANSWER, "---/-##/-#-"):
        assert run("check", UNIQUE, answer).stdout.splitlines()[-1] == "right: every rule holds"
    lines = run("check", UNIQUE, "###\n-##\n-#-", code=1).stdout.splitlines()
    assert lines[:3] == ["# #!#!", "-!#!#!", "5!# 1"]
    assert any(line.startswith("R4: ") and line.endswith("[r1c2 r1c3 r2c2 r2c3]") for line in lines)
    assert lines[-1].startswith("wrong: ")
    assert "-: " not in run("check", "-", ANSWER, stdin=UNIQUE).stdout


def test_check_judges_by_the_rules_and_not_by_a_stored_answer():
    for answer in ("-#\n--", "--\n-#", "--\n#-"):
        run("check", SEVERAL, answer)


def test_check_of_a_partial_answer():
    partial = "...\n.##\n.#."
    result = run("check", UNIQUE, partial, code=1)
    assert result.stdout.splitlines()[-1] == "unfinished: no rule is broken; undecided cells: 4"
    run("check", UNIQUE, partial, "--finish")
    record = json.loads(run("check", UNIQUE, partial, "--json", code=1).stdout)
    assert record == {"name": None, "violations": [], "undecided": 4}


def test_check_of_a_reversed_answer():
    run("check", UNIQUE, "###\n#..\n#.#", "--answer-format", "river")


def test_check_of_bad_input(tmp_path):
    for answer in ("abc", "--", "---\n-##", "nothing.txt"):
        assert run("check", UNIQUE, answer, code=2).stderr.startswith("error: ")
    assert "no stored answer" in run("check", UNIQUE, code=2).stderr
    assert "--pick" in run("check", batch(tmp_path, UNIQUE, SEVERAL), ANSWER, code=2).stderr
    assert "standard input" in run("check", "-", "-", stdin=UNIQUE, code=2).stderr


# convert, show, backends


@pytest.mark.parametrize("form", ["text", "id", "json", "river", "puzzlink", "janko", "puzzlekit", "grid"])
def test_convert_there_and_back(form, tmp_path):
    file = batch(tmp_path, UNIQUE, SEVERAL)
    there = tmp_path / "there"
    run("convert", file, "--to", form, "-o", there)
    assert run("convert", there, "--to", "id").stdout == f"{UNIQUE}\n{SEVERAL}\n"
    piped = run("convert", file, "--to", form).stdout
    assert run("convert", "--to", "id", stdin=piped).stdout == f"{UNIQUE}\n{SEVERAL}\n"


def test_convert_reports_what_a_format_cannot_hold(tmp_path):
    result = run("convert", batch(tmp_path, "nurikabe:1x2:?,.", "nurikabe:1x2:1,."), "--to", "river", code=2)
    assert result.stderr.startswith("error: puzzle 1: ") and result.stdout == "2,1 1,0,0\n"
    assert run("convert", UNIQUE, "--to", "jpeg", code=2).stderr.startswith("error: ")


def test_show_puzzles_and_stored_answers(tmp_path):
    puzzle = nm.Nurikabe(["...", "...", "5.1"], name="small", answer=nm.Shading(ANSWER))
    file = tmp_path / "puzzle.txt"
    file.write_text(nm.write(puzzle, "puzzlekit"))
    assert run("show", file).stdout.endswith(". . .\n. . .\n5 . 1\n")
    assert run("show", file, "--answer").stdout.endswith("- - -\n- # #\n5 # 1\n")
    assert run("check", file).stdout.endswith("right: every rule holds\n")
    assert run("show", batch(tmp_path, UNIQUE, SEVERAL)).stdout.startswith("puzzle 1\n. . .\n")


def test_backends():
    lines = run("backends").stdout.splitlines()
    assert [line.split()[0] for line in lines[1:]] == [info.name for info in nm.backends()]
    records = [json.loads(line) for line in run("backends", "--json").stdout.splitlines()]
    assert {record["name"]: record["installed"] for record in records}["cpsat"] is True


def test_help():
    assert "nurikabe-mip" in run("--version").stdout and nm.__version__ in run("--version").stdout
    for command in ("solve", "check"):
        text = run(command, "--help").stdout
        assert "Exit codes:" in text and "3  a limit was met" in text and "standard input" in " ".join(text.split())
    assert "puzzlink" in run("convert", "--help").stdout


# as a process


def process(*arguments, **kwargs) -> subprocess.CompletedProcess:
    return subprocess.run((*COMMAND, *map(str, arguments)), capture_output=True, text=True, timeout=30, **kwargs)


def test_process_with_standard_input():
    done = process("solve", *ORACLE, input=UNIQUE)
    assert done.returncode == 0 and "unique" in done.stdout and not done.stderr
    done = process("solve", *ORACLE, input="nurikabe:3x3:1,2")
    assert done.returncode == 2 and done.stderr.startswith("error: standard input: ") and not done.stdout


def test_help_is_quick_and_imports_no_solver():
    code = "import sys\nfrom nurikabe_mip.cli import main\nmain(['--help'], standalone_mode=False)\nprint(*sys.modules)"
    start = time.perf_counter()
    done = subprocess.run((sys.executable, "-c", code), capture_output=True, text=True, timeout=30)
    assert time.perf_counter() - start < 2  # much more than it takes, for machines that are busy
    assert not {"numpy", "rich", "ortools", "pulp"} & set(done.stdout.split())


def test_closed_pipe_is_silent(tmp_path):
    file = batch(tmp_path, *[SEVERAL] * 2000)
    with subprocess.Popen((*COMMAND, "show", file), stdout=subprocess.PIPE, stderr=subprocess.PIPE) as child:
        assert child.stdout.readline() == b"puzzle 1\n"
        child.stdout.close()
        assert child.stderr.read() == b""
    assert child.returncode == 141


def test_boards_that_begin_like_options():
    assert "unique" in run("solve", "- 1 -\n- - -").stdout
    assert run("hint", "nurikabe:1x3:1,.,.", "-##").stdout.endswith("The answer is a solution.\n")
    assert "Did you mean '--wrong'" in run("hint", UNIQUE, "--wrnog", code=2).stderr


def test_output_to_what_is_no_ordinary_file(tmp_path):
    run("convert", UNIQUE, "--to", "id", "-o", os.devnull)
    assert not os.path.isfile(os.devnull)
    for target in (tmp_path, tmp_path / "no" / "such"):
        assert f"'{target}'" in run("convert", UNIQUE, "--to", "id", "-o", target, code=2).stderr
    assert list(tmp_path.iterdir()) == []
    file = batch(tmp_path, UNIQUE, SEVERAL)
    run("convert", file, "--to", "id", "-o", file)  # into itself
    assert file.read_text() == f"{UNIQUE}\n{SEVERAL}\n"


def test_options_that_are_none_of_the_backend(tmp_path):
    for option in ("puzzle=3", "cancel=3", "seed=3"):
        assert "is no option of a backend" in run("solve", UNIQUE, "--option", option, code=2).stderr
    assert (
        "unknown solver 'nope'" in run("solve", UNIQUE, "--backend", "pulp", "--option", "solver=nope", code=2).stderr
    )
    for value, what in (("5", "is a dict"), ("foo:1", "is a dict")):
        pairs = ("--backend", "cpsat", "--option", f"parameters={value}")
        assert what in run("solve", UNIQUE, *pairs, code=2).stderr
    assert (
        "out of its range"
        in run("solve", UNIQUE, "--backend", "cpsat", "--presolve", "none", "--threads", "100000", code=2).stderr
    )
    records = tmp_path / "records.jsonl"
    assert "neither a file nor a puzzle" in run("bench", "run", "--corpus", "no such", "-o", records, code=2).stderr
    assert (
        "such as tcp://host:8786"
        in run("bench", "run", "--corpus", UNIQUE, "-o", records, "--scheduler", "nowhere", code=2).stderr
    )
    records.write_bytes(b"\xff\xfe\n")
    assert "expected a line of the records" in run("bench", "compare", records, code=2).stderr


def test_errors_are_short(tmp_path):
    errors = run("solve", batch(tmp_path, *["nurikabe:9"] * 30, UNIQUE), code=2).stderr.splitlines()
    assert len(errors) == 11 and "20 more records that are no puzzles" in errors[-1]
    assert "is a folder" in run("solve", tmp_path, code=2).stderr
    assert len(run("hint", "no such file", code=2).stderr.splitlines()) == 1
    assert "random seed" in run("show", "7x7#123", code=2).stderr


def test_a_limit_is_said():
    assert "the limit came before it was proved" in run("rate", STRESS, "--time-limit", "0.2", code=3).stdout
    found = run("hint", STRESS, "--time-limit", "0.01", code=3)
    assert "the limit came before it was known whether a solution contains the answer" in found.stderr


@pytest.mark.skipif(os.name != "posix", reason="signals of POSIX")
def test_interrupted_rating_ends_the_batch(tmp_path):
    file = batch(tmp_path, UNIQUE, STRESS, STRESS)
    program = "import nurikabe_mip as nm; nm.solve('nurikabe:1x2:1,.'); from nurikabe_mip.cli import main; main()"
    command = (sys.executable, "-c", program, "rate", file, "--json")
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as child:
        assert json.loads(child.stdout.readline())["level"] == "easy"
        time.sleep(0.5)
        child.send_signal(signal.SIGINT)
        rest, errors = child.communicate(timeout=20)
    assert (child.returncode, rest, errors) == (3, "", "interrupted: 1 of 3 puzzles\n")


@pytest.mark.skipif(os.name != "posix", reason="signals of POSIX")
def test_interrupted_batch_keeps_what_it_has(tmp_path):
    file = batch(tmp_path, UNIQUE, STRESS, UNIQUE)
    command = (*COMMAND, "solve", file, "--json", "--backend", "cpsat")
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as child:
        first = child.stdout.readline()  # printed at once, though the batch goes on
        time.sleep(1)
        child.send_signal(signal.SIGINT)
        start = time.perf_counter()
        rest, errors = child.communicate(timeout=20)
    assert time.perf_counter() - start < 3
    assert child.returncode == 3 and "Traceback" not in errors and "interrupted" in errors
    assert json.loads(first)["status"] == "unique"
    records = [json.loads(line) for line in rest.splitlines()]
    assert [record["status"] for record in records] == ["unknown"] and records[0]["interrupted"]


@pytest.mark.skipif(os.name != "posix", reason="terminals of POSIX")
@pytest.mark.parametrize("no_color", [False, True])
def test_terminal_has_colours_and_a_bar(no_color, tmp_path):
    """A batch in a real terminal; with NO_COLOR the boards are plain."""
    import pty

    file = batch(tmp_path, UNIQUE, "nurikabe:9", SEVERAL)
    leader, follower = pty.openpty()
    env = os.environ | {"TERM": "xterm-256color"} | ({"NO_COLOR": "1"} if no_color else {})
    with subprocess.Popen((*COMMAND, "solve", file, *ORACLE), stdout=follower, stderr=follower, env=env) as child:
        os.close(follower)
        shown = b""
        while True:
            try:
                chunk = os.read(leader, 65536)
            except OSError:  # Linux says so when the other side is closed
                break
            if not chunk:
                break
            shown += chunk
    os.close(leader)
    text = shown.decode()
    assert child.returncode == 2 and "unique" in text and "multiple" in text and "error: " in text
    assert ("\x1b[1;38;2" in text or "\x1b[38;5" in text or "\x1b[1;38;5" in text) is not no_color
    assert "/2" in text  # the bar
    if no_color:
        assert "5 # 1" in text
