"""The compiled search: every solution, each once; sound reasons; limits; the same without a compiler."""

import itertools
import os
import random
import subprocess
import sys
import threading
import time

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from nurikabe_mip import solve
from nurikabe_mip.backends import brute_force, search
from nurikabe_mip.backends import search_kernel as kernel
from nurikabe_mip.backends.base import LimitReached, Run
from nurikabe_mip.check import violations
from nurikabe_mip.constraints import Connected, Islands, NoPool, NoTouch, ShadingModel, Sight
from nurikabe_mip.errors import OptionError
from nurikabe_mip.puzzles import SHADED, UNSHADED, Nurikabe

STRESS = [  # few big clues on an open board: minutes for every solver that we know
    "5 . . . 11 . . . . 4",
    ". . . . . . . . . .",
    ". . . . . . . . . .",
    ". . . . . . . . . .",
    "7 . . . 9 . . . . 6",
    ". . . . . . . . . .",
    ". . . . . . . . . .",
    ". . . . . . . . . .",
    ". . . . . . . . . .",
    "3 . . . 8 . . . . 10",
]
EIGHT = [
    ". . . 2 . . . .",
    ". . . . . . 3 .",
    ". 3 . . . . . .",
    ". . . . 2 . . .",
    ". . . 3 . . . .",
    ". . . . . . 4 .",
    ". 4 . . . . . .",
    ". . . . 3 . . .",
]


def texts(shadings):
    return ["".join("#" if value == SHADED else "-" for value in values) for values in shadings]


def agree(model):
    """Search and brute force find the same solutions; returns how many there are."""
    expected = sorted(texts(brute_force.shadings(model, Run())))
    found = texts(search.shadings(model, Run()))
    assert len(set(found)) == len(found)
    assert sorted(found) == expected
    return len(found)


def with_known(model, rng, share):
    """The model with a share of its cells decided at random, clue cells too."""
    fixed = model.fixed.copy()
    for c in range(fixed.size):
        if rng.random() < share:
            fixed[c] = rng.choice([SHADED, UNSHADED])
    return model.with_fixed(fixed)


def random_board(rng, rows, columns, density):
    sizes = [-1, 1, 1, 2, 2, 3, 3, 4, 5, 6, 7]
    largest = rows * columns
    return [
        [min(rng.choice(sizes), largest) if rng.random() < density else 0 for _ in range(columns)] for _ in range(rows)
    ]


@pytest.mark.parametrize("shape", [(1, 1), (1, 2), (2, 1), (1, 4), (4, 1), (2, 2), (2, 3)])
def test_every_board_of_a_small_shape(shape):
    size = shape[0] * shape[1]
    solutions = 0
    for clues in itertools.product(*[[-1, 0, 1, 2, 3]] * size):
        board = np.minimum(clues, size).reshape(shape)
        solutions += agree(ShadingModel.of(Nurikabe(board)))
    assert solutions > 0


@pytest.mark.parametrize("shape", [(3, 3), (3, 4), (4, 3), (4, 4), (3, 5), (2, 6), (1, 9), (8, 1)])
def test_random_boards_against_brute_force(shape):
    rng = random.Random(repr(shape))
    numbers = set()
    for board in range(60):
        model = ShadingModel.of(Nurikabe(random_board(rng, *shape, rng.choice([0.05, 0.15, 0.3]))))
        if board % 3 == 0:
            model = with_known(model, rng, 0.2)
        numbers.add(agree(model))
    assert {0, 1} <= numbers


@settings(deadline=None, max_examples=150)
@given(st.data())
def test_drawn_boards_against_brute_force(data):
    rows, columns = data.draw(st.integers(1, 4)), data.draw(st.integers(1, 4))
    clue = st.sampled_from([0] * 6 + [-1, 1, 2, 3, 5])
    board = data.draw(st.lists(clue, min_size=rows * columns, max_size=rows * columns))
    fixed = data.draw(st.lists(st.sampled_from([0] * 8 + [1, -1]), min_size=rows * columns, max_size=rows * columns))
    model = ShadingModel.of(Nurikabe(np.minimum(board, rows * columns).reshape(rows, columns)))
    agree(model.with_fixed(np.where(np.array(fixed) != 0, fixed, model.fixed)))


def test_boards_without_clues():
    assert texts(search.shadings(ShadingModel.of(Nurikabe([[0]])), Run())) == ["#"]
    assert texts(search.shadings(ShadingModel.of(Nurikabe([[0] * 5])), Run())) == ["#####"]
    assert texts(search.shadings(ShadingModel.of(Nurikabe(["..", ".."])), Run())) == []


def test_contradictory_facts_have_no_solution():
    model = ShadingModel.of(Nurikabe(["1.."]))
    for fixed in ([1, 0, 0], [-1, -1, 0], [-1, 1, -1]):
        assert texts(search.shadings(model.with_fixed(np.array(fixed)), Run())) == []
    assert texts(search.shadings(ShadingModel.of(Nurikabe(["1.1", "1.1"])), Run())) == []
    assert texts(search.shadings(ShadingModel.of(Nurikabe(["9..", "...", "..."])), Run())) == []


def test_many_solutions_of_one_unknown_island():
    model = ShadingModel.of(Nurikabe(["?...", "....", "....", "...."]))
    found = [values.copy() for values in search.shadings(model, Run())]
    assert len({values.tobytes() for values in found}) == len(found) > 100
    assert not any(violations(model, values) for values in found)
    assert len(found) == agree(model)


def test_the_solutions_after_the_first_come_when_asked():
    shadings = search.shadings(ShadingModel.of(Nurikabe(["3.", ".."])), Run())
    assert len({next(shadings).tobytes() for _ in range(3)}) == 3
    with pytest.raises(StopIteration):
        next(shadings)


def other_models(rng, number):
    """Models of constraints that Nurikabe has not, or not together."""
    kinds = [
        NoTouch(),
        NoPool(),
        Connected(UNSHADED),
        Connected(UNSHADED, True),
        Connected(SHADED),
        Connected(SHADED, True),
    ]
    for _ in range(number):
        shape = rng.choice([(3, 3), (3, 4), (2, 5), (1, 4), (4, 4)])
        size = shape[0] * shape[1]
        constraints = rng.sample(kinds, rng.choice([1, 2, 2, 3]))
        if rng.random() < 0.3:
            cells = sorted(rng.sample(range(size), rng.choice([0, 1, 2])))
            constraints.append(Islands(tuple((c, rng.choice([-1, 1, 2, 3, 4])) for c in cells)))
        yield with_known(ShadingModel(shape, tuple(constraints), np.zeros(size)), rng, rng.choice([0.1, 0.3]))


def test_other_constraints_against_brute_force():
    assert sum(agree(model) > 0 for model in other_models(random.Random(5), 120)) > 50


def test_what_it_cannot_encode_is_named():
    model = ShadingModel((1, 2), (Sight(((0, 2),)),), np.zeros(2))
    with pytest.raises(OptionError, match="Sight"):
        next(search.shadings(model, Run()))
    twice = ShadingModel((1, 2), (Islands(()), Islands(())), np.zeros(2))
    with pytest.raises(OptionError, match="Islands"):
        next(search.shadings(twice, Run()))


def test_statistics():
    run = Run()
    assert len(list(search.shadings(ShadingModel.of(Nurikabe(["?....", ".....", "....2"])), run))) > 1
    assert run.stats.solver.startswith("nurikabe-mip search ")
    assert run.stats.variables == 15
    assert run.stats.nodes > 0
    assert run.stats.conflicts >= run.stats.cuts > 0
    assert run.stats.solve_seconds > 0


def test_statistics_of_a_search_that_is_left_before_its_end():
    stats = solve(Nurikabe(["?....", ".....", "....2"]), "search").stats  # two solutions are enough for it
    assert stats.nodes > 0


# limits: no board of this size that is known to be hard may hold the caller


def test_time_limit():
    run = Run(time_limit=0.3)
    start = time.perf_counter()
    with pytest.raises(LimitReached):
        for _ in search.shadings(ShadingModel.of(Nurikabe(["?" + "." * 11, *["." * 12] * 11])), run):
            pass
    assert time.perf_counter() - start < 1.3
    assert run.stats.conflicts > 0


def test_the_kernel_comes_back_soon():
    rules, clues = search._rules(ShadingModel.of(Nurikabe(STRESS)))
    cells, sizes = np.array(clues, dtype=np.int32).T.copy()
    state = kernel.new_state(10, 10, cells, sizes, np.zeros(100, np.int32), rules)
    for _ in range(20):
        start = time.perf_counter()
        assert kernel.run(state, search.BUDGET) in (kernel.PAUSED, kernel.SOLUTION, kernel.FINISHED)
        assert time.perf_counter() - start < 0.5


def test_cancel():
    cancel = threading.Event()
    shadings = search.shadings(ShadingModel.of(Nurikabe(["?....", ".....", ".....", "....."])), Run(cancel=cancel))
    next(shadings)
    cancel.set()
    with pytest.raises(LimitReached):
        next(shadings)


# what it learns


class Watched:
    """A search run a conflict at a time, with all solutions of its model at hand."""

    def __init__(self, model):
        rules, clues = search._rules(model)
        pairs = np.array(clues, dtype=np.int32).reshape(-1, 2)
        fixed = model.fixed.astype(np.int32)
        self.left = [np.array(values) for values in brute_force.shadings(model, Run())]
        self.state = kernel.new_state(*model.shape, pairs[:, 0].copy(), pairs[:, 1].copy(), fixed, rules)

    def steps(self):
        """Yield the clauses (arrays of literals) that are new after each step, before a solution found is dropped."""
        known = 0
        while (found := kernel.run(self.state, 1)) != kernel.FINISHED:
            literals, starts, _ = kernel.clauses(self.state)
            if found == kernel.SOLUTION:
                values = kernel.solution(self.state)
                self.left = [other for other in self.left if (other != values).any()]
            yield [literals[starts[i] : starts[i + 1]] for i in range(known, len(starts) - 1)]
            known = len(starts) - 1


def holds(literals, values):
    return any(values[literal >> 1] == (UNSHADED if literal & 1 else SHADED) for literal in literals)


def test_learnt_clauses_are_implied():
    """No learnt clause rules out a solution that is still to come, and every solution comes."""
    rng = random.Random(11)
    checked = 0
    for _ in range(80):
        shape = rng.choice([(4, 4), (3, 5), (3, 4)])
        watched = Watched(with_known(ShadingModel.of(Nurikabe(random_board(rng, *shape, 0.12))), rng, 0.05))
        for new in watched.steps():
            for literals in new:
                assert all(holds(literals, values) for values in watched.left)
                checked += 1
        assert not watched.left
    assert checked > 300


def test_reasons_are_implied(monkeypatch):
    """Where nothing is compiled every reason is seen: no solution agrees with it and not with what it implies."""
    if kernel.VERSION is not None:
        run_plain("-k", "reasons_are_implied or marks_begin_anew")
        return
    current = []
    seen = [0]
    imply, learn = kernel.imply, kernel.learn

    def agreeing(s):
        because = s.because[: s.n_because]
        seen[0] += 1
        return [values for values in current[0].left if (values[because] == s.value[because]).all()]

    def checked_imply(s, c, colour):
        assert all(values[c] == colour for values in agreeing(s))
        return imply(s, c, colour)

    def checked_learn(s):
        assert not agreeing(s)
        return learn(s)

    monkeypatch.setattr(kernel, "imply", checked_imply)
    monkeypatch.setattr(kernel, "learn", checked_learn)
    rng = random.Random(3)
    models = [ShadingModel.of(Nurikabe(random_board(rng, *rng.choice([(4, 4), (3, 5)]), 0.12))) for _ in range(30)]
    for model in [*models, *other_models(rng, 30)]:
        current[:] = [Watched(model)]
        for _ in current[0].steps():
            pass
    assert seen[0] > 1500


@pytest.mark.skipif(kernel.VERSION is not None, reason="a compiled constant cannot be changed; run by the test above")
def test_marks_begin_anew(monkeypatch):
    monkeypatch.setattr(kernel, "MARK_LIMIT", 40)
    times = []
    clear_marks = kernel.clear_marks
    monkeypatch.setattr(kernel, "clear_marks", lambda s: (times.append(s.mark_now), clear_marks(s)))
    rng = random.Random(8)
    for _ in range(20):
        agree(ShadingModel.of(Nurikabe(random_board(rng, 3, 4, 0.12))))
    assert len(times) > 10


def run_plain(*arguments):
    """Run tests of this file in a process where nothing is compiled."""
    environment = os.environ | {"NUMBA_DISABLE_JIT": "1"}
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", __file__, *arguments]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout[-3000:]


# the same everywhere

PRINT = """
import sys
{before}
from nurikabe_mip.backends import search
from nurikabe_mip.backends.base import Run
from nurikabe_mip.constraints import ShadingModel
from nurikabe_mip.puzzles import Nurikabe
for rows in {boards!r}:
    run = Run()
    for values in search.shadings(ShadingModel.of(Nurikabe(rows)), run):
        print(values.tolist())
    print(run.stats.nodes, run.stats.conflicts, run.stats.cuts)
"""
BOARDS = [["?....", ".....", "....2"], ["..3.", "....", "....", "2..."], EIGHT]


def printed(before="", **environment):
    code = PRINT.format(before=before, boards=BOARDS)
    done = subprocess.run(
        [sys.executable, "-c", code], env=os.environ | environment, capture_output=True, text=True, check=True
    )
    return done.stdout


def test_deterministic_and_the_same_without_a_compiler():
    expected = printed(PYTHONHASHSEED="0")
    assert expected.count("[") > 10
    assert printed(PYTHONHASHSEED="1") == expected
    assert printed(NUMBA_DISABLE_JIT="1") == expected
    assert printed(before="sys.modules['numba'] = None") == expected


def test_interrupt():
    code = PRINT.format(before="", boards=[["?" + "." * 11, *["." * 12] * 11]])
    process = subprocess.Popen(
        [sys.executable, "-c", code], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True
    )
    time.sleep(2)
    process.send_signal(2)
    _, errors = process.communicate(timeout=5)
    assert "KeyboardInterrupt" in errors
