"""What every backend must do; a new backend is one more name in BACKENDS."""

import asyncio
import math
import multiprocessing
import os
import pickle
import random
import signal
import subprocess
import sys
import textwrap
import threading
import time
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor

import boards
import numpy as np
import pytest

import nurikabe_mip as nm
from nurikabe_mip.backends import load
from nurikabe_mip.backends.base import Run, checked_options
from nurikabe_mip.check import violations
from nurikabe_mip.constraints import Connected, NoTouch, ShadingModel
from nurikabe_mip.puzzles import UNSHADED

BACKENDS = ["brute_force", "cpsat", "mathprog", "pulp", "sat", "search", "shapes"]


@pytest.fixture(params=BACKENDS)
def backend(request):
    return request.param


def raw(backend: str, model: ShadingModel, most: int | None = None, **options) -> list[str]:
    """The answers of a backend alone, without the pipeline's look at the clues beforehand."""
    name, module = load(backend)
    found = []
    for values in module.shadings(model, Run(), **checked_options(name, module, options)):
        found.append(str(nm.Shading(values.reshape(model.shape))))
        if len(found) == most:
            break
    return found


def agree(backend: str, puzzle: nm.Nurikabe, most: int, **options) -> None:
    expected = boards.answers(puzzle)
    found = raw(backend, ShadingModel.of(puzzle), most, **options)
    assert len(set(found)) == len(found) == min(len(expected), most), repr(puzzle)
    assert set(found) <= expected, repr(puzzle)


@pytest.mark.parametrize("part", range(4))
def test_every_small_board(backend, part):
    """Boards of up to 9 cells with up to two clues, `?` included, one of each symmetry class: none, one or several."""
    share = {"mathprog": 20, "pulp": 4, "cpsat": 2}.get(backend, 1)  # the slow ones get less; mathprog starts a process
    for puzzle in list(boards.small_boards())[part :: 4 * share]:
        agree(backend, puzzle, 2)


@pytest.mark.parametrize("shape", [(4, 4), (3, 5), (5, 3), (2, 7)])
def test_random_boards(backend, shape):
    rng = random.Random(str(shape))
    for _ in range(80):
        agree(backend, boards.random_board(rng, *shape), 3)


def test_all_solutions_of_several(backend):
    rng = random.Random(5)
    for _ in range(10):
        agree(backend, boards.random_board(rng, 3, 4), 1000)
    assert nm.count(boards.board("...", name="no clue"), backend) == 1
    three = nm.count(boards.board(boards.SEVERAL), backend)
    assert three == 3 and three.exact


@pytest.mark.parametrize("presolve", ["none", "rules", "lookahead"])
def test_presolve_changes_no_answer(backend, presolve):
    rng = random.Random(11)
    for _ in range(60):
        puzzle = boards.random_board(rng, 4, 4)
        expected = boards.answers(puzzle)
        result = nm.solve(puzzle, backend, presolve=presolve)
        assert result.status == ["infeasible", "unique", "multiple"][min(len(expected), 2)], repr(puzzle)
        assert {str(answer) for answer in (result.solution, result.second) if answer} <= expected
        assert result.searched or presolve != "none"
        assert 0 <= result.presolved.cells_removed <= 16 and result.presolved.owners_removed >= 0


@pytest.mark.parametrize("name", boards.WITNESSES)
def test_witnesses(backend, name):
    rows, answer = boards.WITNESSES[name]
    result = nm.solve(boards.board(rows), backend)
    assert result.status is nm.Status.UNIQUE
    assert result.solution == nm.Shading(answer.split("/"))


@pytest.mark.parametrize("rows", [".", "1", "?", "1.", ".?.", "1/./.", "...../....."])
def test_thin_and_empty_boards(backend, rows):
    puzzle = boards.board(rows)
    expected = boards.answers(puzzle)
    result = nm.solve(puzzle, backend)
    assert result.status == ["infeasible", "unique", "multiple"][min(len(expected), 2)]
    assert {str(answer) for answer in (result.solution, result.second) if answer} <= expected


def test_no_solution(backend):
    result = nm.solve(boards.board(boards.NONE), backend)
    assert result.status is nm.Status.INFEASIBLE and result.solution is None
    assert raw(backend, ShadingModel.of(boards.board(boards.NONE))) == []


def test_constraints_of_another_genre(backend):
    """NoTouch and Connected of the unshaded cells, over every pattern of a board."""
    model = ShadingModel((3, 3), (NoTouch(), Connected(UNSHADED, nonempty=True)), np.zeros(9))
    every = (np.arange(512)[:, None] >> np.arange(9) & 1) * 2 - 1
    expected = {str(nm.Shading(values.reshape(3, 3))) for values in every if not violations(model, values)}
    refusals = {
        "shapes": "does not apply to the constraint NoTouch",
        "mathprog": "no model file has the constraints NoTouch, Connected; there are files for nurikabe",
    }
    if backend in refusals:
        with pytest.raises(nm.OptionError, match=refusals[backend]):
            raw(backend, model)
        return
    found = raw(backend, model)
    assert len(found) == len(expected) == 39 and set(found) == expected


def test_known_cells_choose_among_solutions(backend):
    puzzle = boards.board(boards.SEVERAL)
    for answer in boards.answers(puzzle):
        result = nm.solve(puzzle, backend, known=answer.replace("-", "."))
        assert result.status is nm.Status.UNIQUE and str(result.solution) == answer
    wrong = nm.solve(puzzle, backend, known="##/..".replace("/", "\n"))
    assert wrong.status is nm.Status.INFEASIBLE and "row 1, column 1" in wrong.reason


def test_common_cells(backend):
    puzzle = boards.board("..../..3./..../..3.")
    assert len(boards.answers(puzzle)) == 8
    assert nm.solve(puzzle, backend, common=True).common.rows == ["#..#", ".--.", "####", ".--."]
    unique = nm.solve(boards.board(".1"), backend, common=True)
    assert unique.common == unique.solution
    assert nm.solve(boards.board(boards.NONE), backend, common=True).common is None


def test_time_limit(backend):
    start = time.perf_counter()
    result = nm.solve(boards.STRESS, backend, time_limit=2)
    assert time.perf_counter() - start < 3
    assert result.status in ("unknown", "feasible", "unique")


@pytest.mark.parametrize("time_limit", [0.001, 0.3])
def test_time_limit_while_building(backend, time_limit):
    """A board too large to build in time: the limit holds there too, and is no proof."""
    rows = [["3" if r % 4 == c % 4 == 0 else "." for c in range(60)] for r in range(60)]
    start = time.perf_counter()
    result = nm.solve(nm.Nurikabe(rows), backend, time_limit=time_limit, presolve="none")
    assert time.perf_counter() - start < time_limit + 1.3
    assert result.status in ("unknown", "infeasible") and not result.interrupted  # it has no solution


@pytest.mark.parametrize("time_limit", [0, -1, math.nan, "5", True])
def test_bad_time_limits(backend, time_limit):
    with pytest.raises(nm.OptionError, match="time_limit is a number of seconds above 0, or None for no limit; got"):
        nm.solve("1.", backend, time_limit=time_limit)


@pytest.mark.parametrize("delay", [0, 0.05, 0.5])
def test_cancel(backend, delay):
    cancel = threading.Event()
    threading.Timer(delay, cancel.set).start()
    start = time.perf_counter()
    result = nm.solve(boards.STRESS, backend, cancel=cancel)
    assert time.perf_counter() - start < delay + 1.5
    assert result.status in ("unknown", "feasible")


CHILD = """
import sys, nurikabe_mip as nm
nm.solve("1.", {backend!r})  # imports done
print("ready", flush=True)
result = nm.solve({puzzle!r}, {backend!r})
print(result.status, result.interrupted, flush=True)
import psutil
print([child.name() for child in psutil.Process().children(recursive=True)])
"""


@pytest.mark.skipif(os.name == "nt", reason="signals of POSIX")
@pytest.mark.parametrize("delay", [0.03, 1.0])
def test_interrupt(backend, delay, tmp_path):
    code = CHILD.format(backend=backend, puzzle=boards.STRESS)
    env = os.environ | {"TMPDIR": str(tmp_path)}
    child = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=env)
    assert child.stdout.readline() == b"ready\n"
    time.sleep(delay)
    child.send_signal(signal.SIGINT)
    start = time.perf_counter()
    out, err = child.communicate(timeout=30)
    assert time.perf_counter() - start < 2, err
    assert out.decode().split("\n")[:2] in (["unknown True", "[]"], ["feasible True", "[]"]), err
    assert err == b""
    assert list(tmp_path.iterdir()) == []


def test_threads_do_not_disturb_each_other(backend):
    rng = random.Random(1)
    puzzles = [boards.random_board(rng, 3, 4) for _ in range(24)]
    serial = [nm.solve(puzzle, backend) for puzzle in puzzles]
    with ThreadPoolExecutor(8) as pool:
        parallel = list(pool.map(lambda puzzle: nm.solve(puzzle, backend), puzzles))
    assert [(r.status, r.solution, r.second) for r in parallel] == [(r.status, r.solution, r.second) for r in serial]


def test_limit_in_a_thread(backend):
    with ThreadPoolExecutor(1) as pool:
        result = pool.submit(nm.solve, boards.STRESS, backend, time_limit=0.5).result(timeout=3)
    assert result.status in ("unknown", "feasible")


def test_inside_a_running_event_loop(backend):
    async def main():
        return nm.solve("nurikabe:1x2:.,1", backend)

    assert asyncio.run(main()).status is nm.Status.UNIQUE


def test_pickle(backend):
    result = nm.solve(boards.board(boards.SEVERAL), backend)
    again = pickle.loads(pickle.dumps(result))
    assert (again.status, again.puzzle, again.solution, again.second) == (
        result.status,
        result.puzzle,
        result.solution,
        result.second,
    )


def _status(arguments):
    return str(nm.solve(*arguments).status)


def test_spawned_processes(backend):
    rows = [answer for answer, _ in boards.WITNESSES.values()] + [boards.SEVERAL, boards.NONE]
    context = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(2, mp_context=context) as pool:
        found = list(pool.map(_status, [(boards.board(row), backend) for row in rows]))
    assert found == ["unique"] * 4 + ["multiple", "infeasible"]


def test_the_same_seed_gives_the_same_answers(backend):
    code = textwrap.dedent(f"""
        import nurikabe_mip as nm
        found = nm.solutions("nurikabe:4x4:2,.,.,2,.,.,.,.,.,.,.,.,?,.,.,.", {backend!r}, seed=7)
        print([next(found).rows for _ in range(3)])
    """)
    outputs = {
        subprocess.run([sys.executable, "-c", code], env=os.environ | {"PYTHONHASHSEED": seed}, capture_output=True,
                       check=True).stdout
        for seed in "012"
    }  # fmt: skip
    assert len(outputs) == 1


def test_silence(backend, capfd):
    result = nm.solve(boards.board(boards.SEVERAL), backend)
    assert capfd.readouterr() == ("", "") and result.log == ""


def test_log(backend, capfd):
    lines = []
    result = nm.solve(boards.board(boards.SEVERAL), backend, log=lines.append)
    assert capfd.readouterr() == ("", "")
    assert result.log == "\n".join(lines)
    printed = nm.solve(boards.board(boards.SEVERAL), backend, log=True)
    out, err = capfd.readouterr()
    assert (out.rstrip("\n"), err) == (printed.log, "")
    capabilities = {info.name: info.capabilities for info in nm.backends()}[backend]
    assert bool(result.log) == ("log" in capabilities)


def test_unknown_option(backend):
    with pytest.raises(nm.OptionError, match=f"backend '{backend}' has no option 'formulatoin'; its options: "):
        nm.solve("1.", backend, formulatoin="flow")


def test_more_threads_same_answers(backend):
    rng = random.Random(3)
    for _ in range(20):
        puzzle = boards.random_board(rng, 3, 4)
        expected = boards.answers(puzzle)
        result = nm.solve(puzzle, backend, threads=4)
        assert result.status == ["infeasible", "unique", "multiple"][min(len(expected), 2)]


def test_statistics(backend):
    stats = nm.solve(boards.board(boards.SEVERAL), backend).stats
    parts = stats.build_seconds + stats.solve_seconds + stats.check_seconds
    assert 0 < parts <= stats.total_seconds
    assert stats.solver and stats.variables >= 3
