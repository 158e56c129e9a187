"""What only the SAT backend has."""

import os
import random
import subprocess
import sys
import threading
import time

import boards
import numpy as np
import pytest
from test_backends import agree, raw

import nurikabe_mip as nm
from nurikabe_mip.backends import sat
from nurikabe_mip.backends.base import Run
from nurikabe_mip.check import violations
from nurikabe_mip.constraints import Connected, NoPool, NoTouch, ShadingModel
from nurikabe_mip.puzzles import SHADED, UNDECIDED, UNSHADED


def test_random_boards_agree_with_the_oracle():
    rng = random.Random(17)
    for shape in [(4, 4), (3, 5), (2, 7), (1, 7)]:
        for _ in range(60):
            agree("sat", boards.random_board(rng, *shape), 1000)


@pytest.mark.parametrize("solver", sat.SOLVERS)
def test_every_solver(solver):
    rng = random.Random(3)
    for _ in range(15):
        agree("sat", boards.random_board(rng, 4, 4), 1000, solver=solver)
    for rows, answer in boards.WITNESSES.values():
        assert raw("sat", ShadingModel.of(boards.board(rows)), solver=solver) == [answer.replace("/", "\n")]
    assert raw("sat", ShadingModel.of(boards.board(boards.NONE)), solver=solver) == []
    assert raw("sat", ShadingModel((1, 1), (), [UNDECIDED]), solver=solver) in (["#", "-"], ["-", "#"])


def test_unknown_solver():
    with pytest.raises(nm.OptionError, match=r"solver is one of .*'cadical195'.*; got 'cadical'"):
        nm.solve("1.", "sat", solver="cadical")


def test_a_constraint_without_encoder_is_refused():
    model = ShadingModel((1, 1), (object(),), [0])
    with pytest.raises(nm.OptionError, match="cannot encode the constraint object"):
        raw("sat", model)


def test_known_cells_that_contradict():
    for rows, known in [("1..", "#.."), ("2..", "-#-"), ("1.1", "-.-"), ("1.1", "---"), ("3.1", "--."), ("...", "-..")]:
        puzzle = boards.board(rows)
        model = ShadingModel.of(puzzle).with_fixed(nm.Shading([known]).cells)
        expected = {answer for answer in boards.answers(puzzle) if _extends(answer, known)}
        assert set(raw("sat", model)) == expected


def _extends(answer: str, known: str) -> bool:
    return all(sign in (".", given) for given, sign in zip(answer, known, strict=True))


def _violated(clause: list[int], values) -> bool:
    return not any((values[abs(literal) - 1] == SHADED) == (literal > 0) for literal in clause)


def _examine(model: ShadingModel, solutions: list[np.ndarray], rng: random.Random) -> int:
    """Cuts of some random shadings, each against all solutions; returns how many there were."""
    formula = sat._Formula(model)
    start = formula.clauses()
    for solution in solutions:
        assert not any(_violated(clause, solution) for clause in start)
        assert all(known in (UNDECIDED, value) for known, value in zip(formula.known, solution, strict=True))
        assert formula.cuts(solution.tolist()) == []
        assert _violated(formula.no_good(solution.tolist()), solution)
    for cells, least in formula.counts():
        assert all(sum(solution[c] == UNSHADED for c in cells) >= least for solution in solutions)
    if [] in start:
        assert not solutions
        return 0
    number = 0
    for _ in range(30):
        share = rng.random()
        values = [known or (SHADED if rng.random() < share else UNSHADED) for known in formula.known]
        cuts = formula.cuts(values)
        number += len(cuts)
        for cut in cuts:
            assert _violated(cut, values)
            assert not any(_violated(cut, solution) for solution in solutions)
        # the clauses of the start and the cuts together tell right from wrong
        wrong = bool(cuts) or any(_violated(clause, values) for clause in start)
        assert wrong == bool(violations(model, np.array(values, dtype=np.int8)))
    return number


@pytest.mark.parametrize("shape", [(4, 4), (5, 3)])
def test_cuts_are_violated_by_their_model_and_met_by_every_solution(shape):
    rng = random.Random(str(shape))
    number = 0
    for _ in range(60):
        puzzle = boards.random_board(rng, *shape)
        answers = [nm.Shading(answer).cells.ravel() for answer in sorted(boards.answers(puzzle))]
        fixed = ShadingModel.of(puzzle).fixed.copy()
        if answers and rng.random() < 0.5:
            # some more cells are known, as after deductions
            known = rng.sample(range(fixed.size), 4)
            fixed[known] = answers[0][known]
            answers = [answer for answer in answers if (answer[known] == answers[0][known]).all()]
        number += _examine(ShadingModel.of(puzzle).with_fixed(fixed), answers, rng)
    assert number > 500


@pytest.mark.parametrize("value", [SHADED, UNSHADED])
@pytest.mark.parametrize("nonempty", [False, True])
@pytest.mark.parametrize("local", [NoTouch(), NoPool()])
def test_constraints_of_other_genres(value, nonempty, local):
    rng = random.Random(value)
    patterns = (np.arange(1 << 12)[:, None] >> np.arange(12) & 1) * 2 - 1
    fixed = np.zeros(12, dtype=np.int8)
    for cells in [(), (5,), (0, 11)]:
        fixed[list(cells)] = value
        model = ShadingModel((3, 4), (Connected(value, nonempty), local), fixed)
        extending = patterns[((patterns == fixed) | (fixed == UNDECIDED)).all(axis=1)].astype(np.int8)
        expected = [values for values in extending if not violations(model, values)]
        found = raw("sat", model)
        assert len(found) == len(set(found)) == len(expected)
        assert set(found) == {str(nm.Shading(values.reshape(3, 4))) for values in expected}
        _examine(model, expected, rng)


@pytest.mark.parametrize("solver", ["cadical195", "cadical103", "glucose4", "gluecard4", "maplechrono"])
def test_limits_hold_with_each_kind_of_solver(solver):
    start = time.perf_counter()
    result = nm.solve(boards.STRESS, "sat", time_limit=1, presolve="none", solver=solver)
    assert time.perf_counter() - start < 2
    assert result.status == "unknown" and result.stats.conflicts > 0 and result.stats.cuts > 0
    assert not [thread for thread in threading.enumerate() if thread.name == "nurikabe-mip solver"]


def test_cancel_ends_the_search():
    cancel = threading.Event()
    threading.Timer(0.3, cancel.set).start()
    start = time.perf_counter()
    assert nm.solve(boards.STRESS, "sat", presolve="none", cancel=cancel).status == "unknown"
    assert time.perf_counter() - start < 1.3


def test_statistics_and_log():
    lines = []
    puzzle = boards.board("......./..5..../......./....6../......./.4...../.......")
    result = nm.solve(puzzle, "sat", presolve="none", log=lines.append)
    stats = result.stats
    assert result.status == "multiple" and stats.iterations > 2 and stats.cuts > 0 and stats.constraints > 36
    assert lines[0] == f"cadical195: {stats.variables} variables, {stats.constraints} clauses"
    assert lines[-1] == f"{stats.iterations} models, {stats.cuts} cuts, {stats.conflicts} conflicts"


def test_a_proof_goes_on_after_the_gate_has_changed(monkeypatch):
    monkeypatch.setattr(sat, "SLICE", 1)
    monkeypatch.setattr(sat, "TURN", 2)
    rng = random.Random(9)
    for _ in range(40):
        agree("sat", boards.random_board(rng, 4, 4), 1000)


def test_large_counts_are_left_out(monkeypatch):
    puzzle = boards.board("2.../..3./..../1...")
    models = []
    for counted in (sat.COUNTED, 3):
        monkeypatch.setattr(sat, "COUNTED", counted)
        run = Run()
        found = {values.tobytes() for values in sat.shadings(ShadingModel.of(puzzle), run, "cadical195")}
        models.append((run.stats.constraints, found))
    assert models[0][0] > models[1][0] and models[0][1] == models[1][1]


def test_the_search_does_not_depend_on_the_hash_seed():
    code = (
        "import nurikabe_mip as nm\n"
        "rows = '2......?/..5...../......../....6.3./......../.4....../?.......'.split('/')\n"
        "found = nm.solutions(nm.Nurikabe(rows), 'sat', presolve='none')\n"
        "print([next(found).rows for _ in range(5)], found.stats.iterations, found.stats.cuts, found.stats.conflicts)"
    )
    outputs = {
        subprocess.run([sys.executable, "-c", code], env=os.environ | {"PYTHONHASHSEED": seed}, capture_output=True,
                       check=True).stdout
        for seed in "012"
    }  # fmt: skip
    assert len(outputs) == 1
