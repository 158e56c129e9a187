"""The pipeline around the backends."""

import json
import os
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import boards
import numpy as np
import pytest

import nurikabe_mip as nm
from nurikabe_mip.backends import REGISTRY, Entry
from nurikabe_mip.backends.base import LimitReached, Run, Statistics

UNIQUE = boards.board("1.1/.../1.1")


@pytest.fixture
def fake(monkeypatch):
    """Register a backend that yields the given answers and then ends, or raises what it is given."""

    def register(*answers, name="fake", error=None):
        def shadings(model, run):
            for answer in answers:
                yield nm.Shading(answer.split("/")).cells.ravel()
            if error is not None:
                raise error

        module = SimpleNamespace(OPTIONS={}, PRESOLVE="none", shadings=shadings, version=lambda: "fake 1")
        monkeypatch.setitem(REGISTRY, name, Entry("a fake", {}))
        monkeypatch.setitem(sys.modules, f"nurikabe_mip.backends.{name}", module)
        return name

    return register


@pytest.mark.parametrize(
    "answers, error, status",
    [
        (["-#-/###/-#-"], None, "unique"),
        (["-#-/###/-#-"], LimitReached(), "feasible"),
        ([], LimitReached(), "unknown"),
        ([], None, "infeasible"),
        (["-#-/###/-#-"], KeyboardInterrupt(), "feasible"),
        ([], KeyboardInterrupt(), "unknown"),
    ],
)
def test_status_is_what_is_proved(fake, answers, error, status):
    result = nm.solve(UNIQUE, fake(*answers, error=error))
    assert result.status == status and isinstance(result.status, str)
    assert result.interrupted == isinstance(error, KeyboardInterrupt)
    assert bool(result.solution) == bool(answers)


def test_wrong_answers_are_refused(fake):
    with pytest.raises(nm.SolverError, match=r"'fake' returned a wrong answer, -##/###/-#-: R5.*R4"):
        nm.solve(UNIQUE, fake("-##/###/-#-"))
    with pytest.raises(nm.SolverError, match="it was returned before"):
        nm.solve(UNIQUE, fake("-#-/###/-#-", "-#-/###/-#-"))
    with pytest.raises(nm.SolverError, match="does not keep the cells that were given"):
        nm.solve(boards.board(boards.SEVERAL), fake("--/-#"), known="-#\n..")
    with pytest.raises(nm.SolverError, match="does not keep"):
        nm.solve(boards.board("?.."), fake("-.#"))


def test_multiple_has_two_answers_and_their_difference():
    result = nm.solve(boards.board(boards.SEVERAL))
    assert result.status is nm.Status.MULTIPLE
    assert result.differing == result.solution.differing(result.second) != ()
    assert {str(result.solution), str(result.second)} < boards.answers(boards.board(boards.SEVERAL))


def test_reason_and_mistakes():
    result = nm.solve(boards.board("12/.."))
    assert result.status is nm.Status.INFEASIBLE
    assert "side by side" in result.reason
    assert [mistake.cells for mistake in result.mistakes] == [((0, 0), (0, 1))]
    right = nm.solve(UNIQUE)
    assert right.reason is None and right.mistakes == right.violations == []
    short = nm.solve(boards.board("1.3/.../..1"))
    assert not short.mistakes and [violation.rule for violation in short.violations] == ["R1"]


def test_deduction_alone_is_a_proof(fake):
    """The backend is not asked, and the result says so."""
    result = nm.solve(UNIQUE, fake(error=ZeroDivisionError()), presolve="rules")
    assert result.status is nm.Status.UNIQUE and not result.searched
    assert result.presolved.cells_removed == 5 and result.presolved.owners_removed == 0
    none = nm.solve(boards.board("2../..2/.2."), fake(error=ZeroDivisionError()), presolve="lookahead")
    assert none.status is nm.Status.INFEASIBLE and "what the clues force" in none.reason and not none.searched
    with pytest.raises(ZeroDivisionError):
        nm.solve(UNIQUE, fake(error=ZeroDivisionError()), presolve="none")
    with pytest.raises(nm.OptionError, match="presolve is one of 'none', 'rules', 'lookahead'; got 'all'"):
        nm.solve(UNIQUE, presolve="all")


def test_verify_agrees():
    for rows, status in [("1.1/.../1.1", "unique"), (boards.SEVERAL, "multiple"), (boards.NONE, "infeasible")]:
        result = nm.solve(boards.board(rows), "cpsat", verify="brute_force")
        assert (result.status, result.verified_by) == (status, "brute_force")


def test_verify_that_reaches_a_limit_proves_nothing(fake):
    assert nm.solve(UNIQUE, verify=fake(error=LimitReached())).verified_by is None
    assert nm.solve(UNIQUE, fake("-#-/###/-#-", error=LimitReached()), verify="cpsat").verified_by is None


@pytest.mark.parametrize("liar", [[], ["--/-#"], ["-#/--"]])
def test_disagreement_is_an_error_with_the_case(fake, liar, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(nm.DisagreementError) as caught:
        nm.solve(boards.board(boards.SEVERAL), "cpsat", verify=fake(*liar), seed=3)
    case = json.loads(Path(caught.value.path).read_text())
    assert case["puzzle"] == "nurikabe:2x2:3,.,.,." and case["seed"] == 3
    assert [answer["status"] for answer in case["answers"]] == ["multiple", "unique" if liar else "infeasible"]
    assert str(caught.value).endswith(caught.value.path) and caught.value.path.startswith(str(tmp_path))


def test_two_unique_answers_disagree(fake, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    puzzle = boards.board(boards.SEVERAL)
    with pytest.raises(nm.DisagreementError, match="fake says unique and fake2 says unique"):
        nm.solve(puzzle, fake("--/-#"), verify=fake("-#/--", name="fake2"))


def test_solutions_tell_complete_from_limited(fake):
    found = nm.solutions(boards.board(boards.SEVERAL))
    assert len({str(next(found)) for _ in range(3)}) == 3 and not found.complete
    assert list(found) == [] and found.complete
    limited = nm.solutions(UNIQUE, fake("-#-/###/-#-", error=LimitReached()))
    assert len(list(limited)) == 1 and not limited.complete and not limited.interrupted
    stopped = nm.solutions(UNIQUE, fake("-#-/###/-#-", error=KeyboardInterrupt()))
    assert len(list(stopped)) == 1 and not stopped.complete and stopped.interrupted


def test_count():
    puzzle = boards.board(boards.SEVERAL)
    assert (int(nm.count(puzzle)), nm.count(puzzle).exact, str(nm.count(puzzle))) == (3, True, "3")
    two = nm.count(puzzle, limit=2)
    assert two == 2 and not two.exact and str(two) == "at least 2"
    assert nm.count(puzzle, limit=4).exact
    for limit in (0, True, 1.5):
        with pytest.raises(nm.OptionError, match="limit is a whole number from 1"):
            nm.count(puzzle, limit=limit)


def test_unknown_and_missing_backends(monkeypatch):
    with pytest.raises(nm.OptionError, match=r"unknown backend 'cpsta'.*cpsat"):
        nm.solve(UNIQUE, "cpsta")
    monkeypatch.setitem(REGISTRY, "gone", Entry("not here", {"no_such_module": "no-such"}, "gone"))
    with pytest.raises(nm.BackendNotFound, match=r'no_such_module.*pip install "nurikabe-mip\[gone\]"'):
        nm.solve(UNIQUE, "gone")
    info = {info.name: info for info in nm.backends()}
    assert not info["gone"].installed and info["gone"].install == 'pip install "nurikabe-mip[gone]"'
    assert info["cpsat"].installed and info["cpsat"].version.startswith("ortools") and info["cpsat"].install is None


@pytest.mark.parametrize("argument, value", [("threads", 0), ("threads", 1.5), ("seed", -1), ("seed", True)])
def test_bad_threads_and_seeds(argument, value):
    with pytest.raises(nm.OptionError, match=f"{argument} is a whole number"):
        nm.solve(UNIQUE, **{argument: value})


def test_known_of_another_shape():
    with pytest.raises(nm.PuzzleError, match="the puzzle has the shape"):
        nm.solve(UNIQUE, known="#")


def test_importing_the_package_imports_no_solver():
    code = """
import sys, nurikabe_mip as nm
loaded = {"ortools", "pulp", "highspy", "numpy", "rich", "click"} & set(sys.modules)
nm.backends(), nm.read("1."), nm.check(nm.Nurikabe(["1."]), "-#"), nm.Nurikabe(["1."])._repr_html_()
print(loaded, {"ortools", "pulp", "highspy"} & set(sys.modules))
"""
    out = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    assert out == "set() set()\n"


@pytest.mark.parametrize("order", ["import nurikabe_mip.check", "from nurikabe_mip.solve import solve", "pass"])
def test_functions_are_not_hidden_by_their_modules(order):
    code = f"{order}\nimport nurikabe_mip as nm\nnm.check(nm.read('1.'), '-#'), nm.solve('1.'), nm.backends()"
    subprocess.run([sys.executable, "-c", code], check=True, env=os.environ)


def test_public_names_exist():
    for name in nm.__all__:
        assert getattr(nm, name) is not None
    assert set(nm.__all__) <= set(dir(nm))
    with pytest.raises(AttributeError, match="no_such_name"):
        nm.no_such_name  # noqa: B018


def test_a_native_call_that_fails_raises_in_the_caller():
    def fail():
        raise ZeroDivisionError("inside")

    with pytest.raises(ZeroDivisionError, match="inside"):
        Run().native(fail, lambda: None)


def test_a_native_call_that_does_not_obey_is_left_behind():
    import threading
    import time

    never = threading.Event()
    start = time.perf_counter()
    with pytest.raises(LimitReached):
        Run(time_limit=0.1).native(never.wait, lambda: None)
    assert time.perf_counter() - start < 1
    never.set()


def test_statistics_add_and_time():
    stats = Statistics()
    stats.add(nodes=2, cuts=1)
    stats.add(nodes=np.int64(3))
    with stats.timed("build"):
        pass
    assert (stats.nodes, stats.cuts, stats.conflicts) == (5, 1, None) and stats.build_seconds > 0
