"""What only the backend mathprog has: a model file, and GLPK in a process of its own."""

import os
import signal
import subprocess
import sys
import time

import boards
import psutil
import pytest

import nurikabe_mip as nm
from nurikabe_mip.export import MODELS


def test_it_is_the_model_file_that_is_solved():
    stats = nm.solve(boards.board("3./.."), "mathprog").stats
    assert (stats.formulation, stats.variables, stats.iterations) == ("nurikabe.mod", 24, 2)
    assert stats.solver.startswith("GLPK ")


def test_another_model_file(tmp_path):
    """A model with more in it: a cell must be sea. One with an error, and none."""
    mine = tmp_path / "mine.mod"
    text = (MODELS / "nurikabe.mod").read_text()
    mine.write_text(text.replace("solve;", "s.t. more: sea[0, 1] = 1;\nsolve;"))
    puzzle = boards.board("..../..3./..../..3.")
    found = {str(answer) for answer in nm.solutions(puzzle, "mathprog", model_file=str(mine))}
    assert found == {answer for answer in boards.answers(puzzle) if answer[1] == "#"} != boards.answers(puzzle)
    mine.write_text(text.replace("solve;", "s.t. more: sea[0 1] = 1;\nsolve;"))
    with pytest.raises(nm.SolverError, match=r"mine.mod:\d+: syntax error in subscript list.*cannot build the model"):
        nm.solve(puzzle, "mathprog", model_file=str(mine), presolve="none")
    with pytest.raises(nm.OptionError, match=r"model_file: there is no file '.*none.mod'"):
        nm.solve(puzzle, "mathprog", model_file=str(tmp_path / "none.mod"), presolve="none")


def test_the_process_ends_with_the_iteration(tmp_path, monkeypatch):
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    before = set(psutil.Process().children())
    found = nm.solutions(boards.board(boards.SEVERAL), "mathprog", presolve="none")
    assert next(found) and set(psutil.Process().children()) - before and list(tmp_path.iterdir())
    del found
    assert set(psutil.Process().children()) == before and not list(tmp_path.iterdir())


def test_a_process_that_dies_is_an_error():
    before = set(psutil.Process().children())
    found = nm.solutions(boards.board(boards.SEVERAL), "mathprog", presolve="none")
    next(found)
    (glpk,) = set(psutil.Process().children()) - before
    glpk.kill()
    with pytest.raises(nm.SolverError, match="GLPK failed with the code -9"):
        next(found)


CHILD = """
import nurikabe_mip as nm
print("ready", flush=True)
result = nm.solve({puzzle!r}, "mathprog", presolve="none")
print(result.status, result.interrupted, flush=True)
"""


@pytest.mark.skipif(os.name == "nt", reason="signals of POSIX")
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGKILL])
def test_nothing_is_left_when_the_program_is_stopped(number):
    """While GLPK works; after SIGINT to the group, as a terminal sends it, there is a result, too."""
    command = [sys.executable, "-c", CHILD.format(puzzle=boards.STRESS)]
    child = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, start_new_session=True)
    assert child.stdout.readline() == "ready\n"
    process = psutil.Process(child.pid)
    deadline = time.perf_counter() + 30
    while not process.children() or process.children()[0].cpu_times().user < 0.3:
        assert time.perf_counter() < deadline
        time.sleep(0.05)
    (glpk,) = process.children()
    if number == signal.SIGKILL and sys.platform != "linux":
        pytest.skip("only Linux tells the process")
    os.killpg(child.pid, number) if number == signal.SIGINT else child.kill()
    out, _ = child.communicate(timeout=10)
    assert out == ("unknown True\n" if number == signal.SIGINT else "")
    glpk.wait(5)
