"""The pulp backend on every engine that is installed: HiGHS in the process, CBC as a program."""

import os
import random
import signal
import subprocess
import sys
import tempfile
import threading
import time
import warnings
from functools import cache
from itertools import islice
from pathlib import Path

import boards
import numpy as np
import psutil
import pulp as modeller
import pytest

import nurikabe_mip as nm
from nurikabe_mip.backends import _pulp_seam as seam
from nurikabe_mip.backends import brute_force, pulp
from nurikabe_mip.backends.base import LimitReached, Run
from nurikabe_mip.constraints import Connected, Islands, NoPool, NoTouch, ShadingModel
from nurikabe_mip.errors import BackendNotFound, OptionError, SolverError
from nurikabe_mip.puzzles import SHADED, UNSHADED, Nurikabe, Shading

installed = modeller.listSolvers(True)
available = [name for name in ("HiGHS", "COIN_CMD", "PULP_CBC_CMD", "GLPK_CMD", "SCIP_PY") if name in installed]
programs = [name for name in available if name.endswith("_CMD")]
engines = pytest.mark.parametrize("solver", available)
formulations = pytest.mark.parametrize("formulation", pulp.FORMULATIONS)
each_program = pytest.mark.parametrize("solver", programs)

# a board that no formulation here finishes in seconds
STRESS = [
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
LARGE = [[30 if row % 8 == column % 8 == 0 else 0 for column in range(57)] for row in range(40)]


def model_of(rows) -> ShadingModel:
    return ShadingModel.of(Nurikabe(rows))


def solutions(model, solver=None, run=None, most=None, **options) -> list[list[str]]:
    found = islice(pulp.shadings(model, run or Run(), solver=solver, **options), most)
    return sorted(Shading(values.reshape(model.shape)).rows for values in found)


def oracle(model) -> list[list[str]]:
    return sorted(Shading(values.reshape(model.shape)).rows for values in brute_force.shadings(model, Run()))


def agree(model, solver) -> int:
    """Compare with brute force; the number of solutions. Of very many only the first are asked for."""
    expected, most = oracle(model), 25 if solver == "HiGHS" else 5
    found = solutions(model, solver, most=most + 1)
    if len(expected) <= most:
        assert found == expected, (model.shape, model.constraints, model.fixed)
    else:
        assert len(found) == most + 1
        assert len(set(map(tuple, found)) & set(map(tuple, expected))) == most + 1
    return len(expected)


@pytest.fixture
def places(tmp_path, monkeypatch):
    """A working directory and a directory for temporary files, both of which must be empty afterwards."""
    working, temporary = tmp_path / "working", tmp_path / "temporary"
    working.mkdir()
    temporary.mkdir()
    monkeypatch.chdir(working)
    for name in ("TMPDIR", "TMP", "TEMP"):
        monkeypatch.setenv(name, str(temporary))
    monkeypatch.setattr(tempfile, "tempdir", None)
    yield temporary
    assert list(working.iterdir()) == list(temporary.iterdir()) == []


# --- the model --------------------------------------------------------------------------------------------------------


@engines
@pytest.mark.parametrize(
    ("rows", "answer"),
    [
        (["1..", "..3", "..."], ["-##", "##-", "#--"]),  # the sea is connected
        (["2...", "..2."], ["-###", "-#--"]),
        ([".6.1", "....", "...."], ["--#-", "-###", "---#"]),  # flow stays inside an island
        ([".1"], ["#-"]),  # the sea may be one cell
    ],
)
def test_witnesses(solver, rows, answer):
    assert solutions(model_of(rows), solver) == [answer]


@engines
@pytest.mark.parametrize(
    ("rows", "number"),
    [
        (["3.", ".."], 3),
        (["..", ".."], 0),  # a pool
        (["."], 1),  # all sea
        (["....."], 1),
        (["1"], 0),  # no sea
        (["?"], 0),
        (["2."], 0),
        (["4.", ".."], 0),
        (["11"], 0),  # two clues in one island
        (["1.3"], 0),  # no room
        ([".3...2"], 1),
        (["..2.."], 0),  # a sea in two parts
        (["4....."], 1),
        (["?....."], 5),
        (["?", ".", "."], 2),
        (["?.", ".?"], 0),
        (["?..", "...", "..1"], 4),
    ],
)
def test_counts(solver, rows, number):
    model = model_of(rows)
    assert len(oracle(model)) == number
    assert len(solutions(model, solver)) == number


def random_models(seed: int, number: int):
    """Boards up to 3x4 with numbers and `?`, some with cells decided, most of them without a solution."""
    rng = random.Random(seed)
    for _ in range(number):
        shape = rng.randint(1, 3), rng.randint(1, 4)
        clues = np.zeros(shape, dtype=int)
        for _ in range(rng.randint(0, 3)):
            clues[rng.randrange(shape[0]), rng.randrange(shape[1])] = rng.choice([-1, 1, 2, 3, 4, 5])
        model = model_of(np.minimum(clues, clues.size))
        fixed = model.fixed.copy()
        if rng.random() < 0.3:
            for c in rng.sample(range(fixed.size), min(fixed.size, 2)):
                fixed[c] = fixed[c] or rng.choice([SHADED, UNSHADED])
        yield model.with_fixed(fixed)


@engines
def test_agrees_with_brute_force(solver):
    numbers = [agree(model, solver) for model in random_models(seed=5, number=160 if solver == "HiGHS" else 60)]
    assert min(numbers.count(0), numbers.count(1), sum(number > 1 for number in numbers)) > 5


@engines
@pytest.mark.parametrize(
    "constraints",
    [
        (NoTouch(), Connected(UNSHADED)),
        (NoTouch(), Connected(UNSHADED, nonempty=True)),
        (NoPool(), Connected(SHADED), Connected(UNSHADED, nonempty=True)),
        (Connected(SHADED, nonempty=True), Connected(SHADED, nonempty=True)),
        (NoTouch(),),
        (),
    ],
)
def test_other_genres(solver, constraints):
    for shape, fixed in (((1, 1), {}), ((1, 4), {1: SHADED}), ((2, 3), {}), ((3, 3), {0: SHADED, 5: UNSHADED})):
        values = np.zeros(shape[0] * shape[1], dtype=np.int8)
        for c, value in fixed.items():
            values[c] = value
        agree(ShadingModel(shape, constraints, values), solver)


@engines
def test_fixed_cells(solver):
    """Clue cells count as unshaded though undecided; a finished board is judged; a shaded clue is a contradiction."""
    puzzle = Nurikabe(["3.", ".."])
    model = ShadingModel.of(puzzle)
    assert len(solutions(model.with_fixed(np.zeros(4)), solver)) == 3
    assert solutions(model.with_fixed([UNSHADED, UNSHADED, UNSHADED, SHADED]), solver) == [["--", "-#"]]
    assert solutions(model.with_fixed([UNSHADED, UNSHADED, SHADED, SHADED]), solver) == []
    assert solutions(model.with_fixed([SHADED, 0, 0, 0]), solver) == []


def test_a_constraint_without_encoder_is_refused():
    model = ShadingModel((1, 2), (object(),), np.zeros(2))
    with pytest.raises(OptionError, match=r"cannot encode object; it encodes NoPool, .*Islands"):
        list(pulp.shadings(model, Run()))


def test_build_names_and_decode():
    built = pulp.build(Nurikabe(["2...", "..2."]), formulation="flow")
    names = [variable.name for variable in built.problem.variables()]
    assert len(set(names)) == len(names)
    assert {"sea_0_2", "own_0_1_k0", "own_1_3_k1"} <= set(names)
    assert built.cells[0, 0] == 0 and built.cells[0, 3] == 1 and built.cells[0, 2].name == "sea_0_2"
    values = {f"sea_{row}_{column}": 1.0 for row, column in ((0, 1), (0, 2), (1, 1))}
    assert built.decode(values).rows == ["-###", "-#--"]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        built.problem.solve(modeller.getSolver(available[0], msg=False))
    assert built.decode().rows == ["-###", "-#--"]


def test_build_of_a_contradiction_has_no_solution(tmp_path):
    built = pulp.build(model_of(["11"]))
    built.problem.writeLP(str(tmp_path / "model.lp"))
    assert "never" in (tmp_path / "model.lp").read_text()


def test_the_export_is_the_same_in_every_process(tmp_path):
    code = (
        "import sys; from nurikabe_mip import Nurikabe; from nurikabe_mip.backends import pulp\n"
        "pulp.build(Nurikabe(['1..', '..3', '?..'])).problem.writeLP(sys.argv[1])"
    )
    texts = set()
    for seed in ("0", "1", "2"):
        path = tmp_path / f"{seed}.lp"
        subprocess.run([sys.executable, "-c", code, str(path)], check=True, env={**os.environ, "PYTHONHASHSEED": seed})
        texts.add(path.read_text())
    assert len(texts) == 1


def test_duplicate_constraints_keep_names_unique():
    model = ShadingModel((2, 2), (Connected(UNSHADED), Connected(UNSHADED)), np.zeros(4))
    problem = pulp.build(model).problem
    names = [variable.name for variable in problem.variables()]
    assert len(set(names)) == len(names)


# --- formulations -----------------------------------------------------------------------------------------------------


def solver_for(formulation: str) -> str:
    """The solver of a formulation, HiGHS unless it needs another; skips the test where that is not installed."""
    solver = pulp.IN_TREE.get(formulation, "HiGHS")
    if solver not in installed:
        pytest.skip(f"{solver} is not installed")
    return solver


@cache
def random_boards() -> list[tuple[Nurikabe, str | None, set[str]]]:
    """Boards up to 5x5 with `?`, a partial answer of the largest, and all solutions; none, one or several."""
    rng = random.Random(11)
    found = []
    for shape in [(1, 5), (2, 2), (2, 3), (3, 3), (3, 4), (4, 4)] * 2:
        board = boards.random_board(rng, *shape)
        found.append((board, None, boards.answers(board)))
    for clues in ("..3../...../?...2/...../..3..", "2..../..?../....4/1..../...3.", "....3/.4.../...../..?../2...1"):
        board = boards.board(clues)
        solution = nm.solve(board).solution
        cells = solution.cells.copy()
        for cell in rng.sample(list(np.ndindex(board.shape)), 13):
            if board.clues[cell] == 0:
                cells[cell] = 0
        known = str(Shading(cells))
        model = ShadingModel.of(board, Shading(known.splitlines()))
        found.append((board, known, {"\n".join(rows) for rows in oracle(model)}))
    return [(board, known, answers) for board, known, answers in found if len(answers) < 12]


def test_the_random_boards_are_of_all_kinds():
    numbers = [len(answers) for _, _, answers in random_boards()]
    assert 0 in numbers and 1 in numbers and max(numbers) > 1
    assert any(-1 in board.clues for board, _, _ in random_boards())


@formulations
@pytest.mark.parametrize("presolve", ["none", "rules", "lookahead"])
def test_every_formulation_agrees_with_brute_force(formulation, presolve):
    solver_for(formulation)
    for board, known, answers in random_boards():
        found = nm.solutions(board, "pulp", formulation=formulation, presolve=presolve, known=known)
        texts = [str(shading) for shading in found]
        assert found.complete
        assert sorted(texts) == sorted(answers), (board, known)


@pytest.mark.parametrize(
    "style",
    [
        {"inequalities": ()},
        {"inequalities": ("degree",), "separation": "big-m"},
        {"inequalities": ("layers",)},
        {"second": "difference"},
        {"second": "difference", "formulation": "lazy"},
        {"second": "difference", "formulation": "lazy-callback"},
        {"separation": "big-m", "formulation": "lazy"},
    ],
)
def test_every_option_agrees_with_brute_force(style):
    solver_for(style.get("formulation", ""))
    for board, known, answers in random_boards()[::2]:
        found = nm.solutions(board, "pulp", presolve="none", known=known, **{"formulation": "flow", **style})
        assert sorted(map(str, found)) == sorted(answers)


@formulations
def test_other_genres_in_every_formulation(formulation):
    solver = solver_for(formulation)
    for constraints in ((NoTouch(), Connected(UNSHADED)), (NoPool(), Connected(SHADED), Connected(UNSHADED, True))):
        for fixed in ({}, {0: SHADED, 5: UNSHADED}):
            values = np.zeros(9, dtype=np.int8)
            values[list(fixed)] = list(fixed.values())
            model = ShadingModel((3, 3), constraints, values)
            expected = oracle(model)[:12]
            found = solutions(model, solver, formulation=formulation, most=len(expected))
            assert len(found) == len(expected) and set(map(tuple, found)) <= set(map(tuple, oracle(model)))


def test_islands_without_the_other_rules():
    """`mixed` lists shapes only where all rules of a Nurikabe hold: elsewhere there are more of them."""
    model = ShadingModel((2, 3), (Islands(((0, 2),)),), np.zeros(6))
    assert solutions(model) == oracle(model) != []
    with pytest.raises(OptionError, match="needs the constraints of a Nurikabe"):
        solutions(model, formulation="shapes")


@formulations
@pytest.mark.parametrize("limit", [0.01, 0.6])
def test_limits_hold_in_every_formulation(places, formulation, limit):
    solver = solver_for(formulation)
    for rows in (STRESS, LARGE):
        model = model_of(rows)
        run = Run(time_limit=limit)
        with pytest.raises(LimitReached):
            solutions(model, solver, run, formulation=formulation)
        assert run.elapsed < limit + 1


def test_too_many_shapes():
    result = nm.solve(Nurikabe(STRESS), "pulp", presolve="none", formulation="shapes", max_shapes=50)
    assert result.status is nm.Status.UNKNOWN and result.reason.startswith("too many shapes: the island of the")
    with pytest.raises(OptionError, match="too many shapes"):
        pulp.build(Nurikabe(STRESS), formulation="shapes", max_shapes=50)
    with pytest.raises(OptionError, match="whole number"):
        pulp.build(Nurikabe(STRESS), formulation="shapes", max_shapes=0)


def test_cuts_are_counted_and_needed():
    """No connectivity is said beforehand: the first answers are wrong, and cuts put them right."""
    for formulation in ("lazy", "lazy-callback"):
        if pulp.IN_TREE.get(formulation, "HiGHS") in installed:
            run = Run()
            rows = ["2...", "....", "..3.", "...."]
            assert solutions(model_of(rows), run=run, formulation=formulation, inequalities=()) == oracle(
                model_of(rows)
            )
            assert run.stats.cuts > 0


def test_a_cut_without_variables_is_a_proof():
    """Known sea in two parts with nothing but land between them, which no row of a lazy formulation says."""
    model = ShadingModel((1, 5), (Connected(SHADED),), [SHADED, UNSHADED, 0, UNSHADED, SHADED])
    for formulation in ("lazy", "lazy-callback"):
        if pulp.IN_TREE.get(formulation, "HiGHS") in installed:
            assert solutions(model, formulation=formulation) == []


@engines
def test_the_difference_and_its_bounds(solver):
    """Two of the three solutions differ in two cells; with `difference` the second is as far away as can be."""
    result = nm.solve("2...\n....\n...?", "pulp", presolve="none", solver=solver, second="difference")
    every = [str(shading) for shading in nm.solutions("2...\n....\n...?", "brute_force")]
    most = max(sum(a != b for a, b in zip(str(result.solution), text, strict=True)) for text in every)
    assert len(result.differing) == most == result.stats.bound
    if result.stats.root_bound is not None:
        assert result.stats.root_bound >= most
        assert result.stats.root_gap == pytest.approx(result.stats.root_bound - most)
    unique = nm.solve("1..\n..3\n...", "pulp", presolve="none", solver=solver, second="difference")
    assert unique.status is nm.Status.UNIQUE and unique.stats.bound == 0


@pytest.mark.parametrize("solver", [name for name in available if "C" in name and name != "GLPK_CMD"])
def test_the_first_solution_starts_the_solve_for_the_second(solver):
    run = Run(log=lambda line: None)
    solutions(model_of(["2...", "....", "...?"]), solver, run, formulation="flow", second="difference")
    sign = "feasible solution found by completesol" if solver == "SCIP_PY" else "MIPStart provided solution"
    assert sign in "\n".join(run.lines)


def test_relaxation():
    board = Nurikabe(["2...", "....", "...3"])
    loose = pulp.relaxation(board, "flow", inequalities=(), separation="big-m")
    assert loose.is_feasible and loose.values.shape == (3, 4) and loose.bound is None
    assert loose.values.min() >= 0 and loose.values.max() <= 1
    shading = nm.solve(board).solution
    weak = pulp.relaxation(board, "levels", (), "big-m", other_than=shading).bound
    strong = pulp.relaxation(board, "shapes", other_than=shading).bound
    assert 0 <= strong < weak
    for rows, formulation in ((["1.3"], "mixed"), (["..2.."], "flow")):
        impossible = pulp.relaxation(Nurikabe(rows), formulation)
        assert not impossible.is_feasible and impossible.fractional == 0


def test_options_that_do_not_fit():
    puzzle = "nurikabe:3x3:1,.,1,.,.,.,1,.,1"  # which deductions finish
    assert not nm.solve(puzzle, "pulp").searched
    with pytest.raises(OptionError, match="'lazy-callback' needs the solver SCIP_PY; got 'HiGHS'"):
        nm.solve(puzzle, "pulp", solver="HiGHS", formulation="lazy-callback")
    for name, value in (("inequalities", ("degre",)), ("separation", "bigm"), ("second", "other")):
        with pytest.raises(OptionError, match=f"{name} is one of"):
            nm.solve(puzzle, "pulp", **{name: value})
    for options, what in (
        ({"solver": "HiGS"}, "unknown solver 'HiGS'"),
        ({"solver_options": 5}, "solver_options is a dict"),
        ({"max_shapes": 0}, "max_shapes is a whole number from 1"),
    ):
        with pytest.raises(OptionError, match=what):
            nm.solve(puzzle, "pulp", **options)


# --- numbers and statuses ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("value", "expected"), [(0, 0), (0.9999, 1), (1.0000001, 1), (-1e-7, 0), (None, 0)])
def test_rounded(value, expected):
    assert pulp.rounded(value) == expected


@pytest.mark.parametrize("value", [0.5, 0.9, -0.2, 2, 1e30, float("nan"), float("inf")])
def test_rounded_refuses(value):
    with pytest.raises(SolverError, match="0 or 1"):
        pulp.rounded(value)


def fake_program(tmp_path: Path, solution: str, seconds: float = 0, code: int = 0) -> str:
    """A program that is called like cbc and writes that text as its solution."""
    path = tmp_path / "cbc"
    path.write_text(
        f"#!{sys.executable}\n"
        "import os, signal, sys, time\n"
        f"time.sleep({seconds})\n"
        f"open(sys.argv[sys.argv.index('-solution') + 1], 'w').write({solution!r})\n"
        f"os.kill(os.getpid(), signal.SIGILL) if {code} == 4 else sys.exit({code})\n"
    )
    path.chmod(0o755)
    return str(path)


FAKE = [
    ("Stopped on time - objective value 0\n", 0.3, LimitReached),  # PuLP 3 calls this optimal, with all values 0
    ("Stopped on time - objective value 0\n      0 X0000000  0.5  0\n", 0.3, LimitReached),
    ("Stopped on time (no integer solution - continuous used) - objective value 0\n", 0.3, LimitReached),
    ("Stopped on time (no integer solution - continuous used) - objective value 0\n", 0.01, LimitReached),
    ("Infeasible - objective value 0\n", 0.3, LimitReached),  # a time-out that looks like a proof
    ("Infeasible - objective value 0\n", 0, []),
    ("Unbounded - objective value 0\n", 0, SolverError),
    ("Something new\n", 0, SolverError),
]


@pytest.mark.skipif(os.name == "nt", reason="the program is a script")
@pytest.mark.parametrize(("solution", "seconds", "expected"), FAKE)
def test_what_a_program_says_is_judged(tmp_path, solution, seconds, expected):
    path = fake_program(tmp_path, solution, seconds)
    found = pulp.shadings(
        model_of(["3.", ".."]),
        Run(time_limit=0.3 if seconds == 0.3 else 20),
        solver="COIN_CMD",
        solver_options={"path": path},
    )
    if expected == []:
        assert list(found) == []
    else:
        with pytest.raises(expected):
            list(found)


@pytest.mark.skipif(os.name == "nt", reason="the program is a script")
@pytest.mark.parametrize("code", [1, 4])
def test_a_crash_names_the_engine(tmp_path, code):
    path = fake_program(tmp_path, "", code=code)
    with pytest.raises(SolverError, match="COIN_CMD"):
        solutions(model_of(["3.", ".."]), "COIN_CMD", solver_options={"path": path})


@pytest.mark.skipif(os.name == "nt", reason="the program is a script")
def test_a_cut_that_is_ignored_is_noticed(tmp_path):
    path = fake_program(tmp_path, "Optimal - objective value 0\n")
    with pytest.raises(SolverError, match="cut off"):  # all values 0, twice
        solutions(ShadingModel((1, 2), (NoTouch(),), np.zeros(2)), "COIN_CMD", solver_options={"path": path})


def test_highs_is_asked_again_without_presolve(monkeypatch):
    from highspy import HighsModelStatus

    tries = []

    class Broken(seam._quiet_highs().__class__):
        def getModelStatus(self):
            tries.append(self.getOptionValue("presolve")[1])
            return HighsModelStatus.kSolveError if tries[-1] != "off" else super().getModelStatus()

    monkeypatch.setattr(seam, "_quiet_highs", Broken)
    assert len(solutions(model_of(["3.", ".."]), "HiGHS")) == 3
    assert tries[0] != "off" and "off" in tries


# --- limits, Ctrl-C, and what is left behind --------------------------------------------------------------------------


@engines
@pytest.mark.parametrize(
    ("rows", "limit"),
    [(STRESS, 0.01), (STRESS, 0.4), (STRESS, 2), (LARGE, 0.01), (LARGE, 2)],
    ids=["stress-0.01", "stress-0.4", "stress-2", "large-0.01", "large-2"],
)
def test_time_limit(places, solver, rows, limit):
    before = set(psutil.Process().children())
    model = model_of(rows)
    run = Run(time_limit=limit)
    with pytest.raises(LimitReached):
        solutions(model, solver, run)
    assert run.elapsed < limit + 1
    assert set(psutil.Process().children()) <= before


@engines
@pytest.mark.parametrize("wait", [0, 0.05, 0.8])
def test_cancel(places, solver, wait):
    before = set(psutil.Process().children())
    cancel = threading.Event()
    run = Run(cancel=cancel)
    threading.Timer(wait, cancel.set).start()
    with pytest.raises(LimitReached):
        solutions(model_of(STRESS), solver, run)
    assert run.elapsed < wait + 1.5
    assert set(psutil.Process().children()) <= before


@engines
@pytest.mark.skipif(os.name == "nt", reason="signals")
def test_ctrl_c(places, solver):
    code = (
        "import sys; from nurikabe_mip.backends import pulp; from nurikabe_mip.backends.base import Run\n"
        "from nurikabe_mip.constraints import ShadingModel; from nurikabe_mip.puzzles import Nurikabe\n"
        "model = ShadingModel.of(Nurikabe(sys.stdin.read().splitlines()))\n"
        "print('ready', flush=True)\n"
        f"list(pulp.shadings(model, Run(), 'flow', solver={solver!r}))"
    )
    command = [sys.executable, "-c", code]
    pipe = subprocess.PIPE
    with subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=pipe, text=True) as process:
        process.stdin.write("\n".join(STRESS))
        process.stdin.close()
        process.stdout.readline()
        start = time.perf_counter()
        while not (children := psutil.Process(process.pid).children()) and time.perf_counter() - start < 20:
            time.sleep(0.05)
            if solver not in programs and time.perf_counter() - start > 1:
                break
        start = time.perf_counter()
        process.send_signal(signal.SIGINT)
        try:
            process.wait(timeout=20)
        except subprocess.TimeoutExpired:
            for child in children:  # it would run on
                child.kill()
            raise
        finally:
            process.kill()
        assert bool(children) == (solver in programs)
        assert time.perf_counter() - start < 2
        assert "KeyboardInterrupt" in process.stderr.read()
        assert not [child for child in children if child.is_running() and child.status() != psutil.STATUS_ZOMBIE]


@each_program
def test_a_space_in_the_temporary_directory(tmp_path, monkeypatch, solver):
    place = tmp_path / "a directory with spaces"
    place.mkdir()
    for name in ("TMPDIR", "TMP", "TEMP"):
        monkeypatch.setenv(name, str(place))
    monkeypatch.setattr(tempfile, "tempdir", None)
    assert len(solutions(model_of(["3.", ".."]), solver)) == 3
    assert list(place.iterdir()) == []


@each_program
def test_the_files_of_a_half_read_enumeration_are_gone(places, solver):
    found = pulp.shadings(model_of(["3.", ".."]), Run(), solver=solver)
    next(found)
    assert list(places.iterdir()) == []


@engines
def test_threads_at_once(places, solver):
    """Runs in several Python threads, with different numbers of solver threads."""
    boards = [["3.", ".."], ["1..", "..3", "1.."], [".6.1", "....", "...."], ["?..", "...", "..1"]] * 2
    results = [None] * len(boards)

    def work(i):
        results[i] = solutions(model_of(boards[i]), solver, Run(threads=1 + i // 4))

    workers = [threading.Thread(target=work, args=(i,)) for i in range(len(boards))]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    assert results[:4] == results[4:] == [oracle(model_of(rows)) for rows in boards[:4]]


# --- options, log, statistics -----------------------------------------------------------------------------------------


@engines
def test_silence(solver, capfd):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert len(solutions(model_of(["3.", ".."]), solver)) == 3
    assert capfd.readouterr() == ("", "")


def test_silence_of_a_fresh_process():
    """HiGHS prints a line at its first use unless it is told not to before that."""
    code = (
        "from nurikabe_mip.backends import pulp; from nurikabe_mip.backends.base import Run\n"
        "from nurikabe_mip.constraints import ShadingModel; from nurikabe_mip.puzzles import Nurikabe\n"
        "assert len(list(pulp.shadings(ShadingModel.of(Nurikabe(['3.', '..'])), Run()))) == 3"
    )
    done = subprocess.run([sys.executable, "-W", "error", "-c", code], capture_output=True, text=True)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


@engines
def test_log(solver, capfd):
    lines = []
    run = Run(log=lines.append)
    solutions(model_of([".6.1", "....", "...."]), solver, run)
    assert capfd.readouterr() == ("", "")
    assert lines == run.lines
    text = "\n".join(lines)
    assert {"HiGHS": "Presolving model", "GLPK_CMD": "GLPSOL", "SCIP_PY": "presolving"}.get(solver, "CBC") in text
    assert len([line for line in lines if "rows" in line.lower() and "cols" in line.lower()]) < 12


@engines
def test_statistics(solver):
    run = Run()
    solutions(model_of(["3.", ".."]), solver, run)
    stats = run.stats
    assert stats.iterations == 4
    assert min(stats.variables, stats.constraints, stats.nonzeros) > 3
    assert stats.build_seconds > 0 and stats.solve_seconds > 0
    assert stats.formulation == "mixed"
    assert stats.bound is None  # there is no objective
    assert f"(PuLP {modeller.__version__})" in stats.solver
    assert stats.solver.startswith({"HiGHS": "HiGHS 1.", "GLPK_CMD": "GLPK ", "SCIP_PY": "SCIP "}.get(solver, "CBC "))


@engines
def test_the_same_seed_gives_the_same_order(solver):
    model = model_of(["?..", "...", "..?"])
    orders = [
        [values.tobytes() for values in islice(pulp.shadings(model, Run(seed=7), solver=solver), 6)] for _ in range(2)
    ]
    assert orders[0] == orders[1]


def test_unknown_names_are_listed():
    model = model_of(["3.", ".."])
    with pytest.raises(OptionError, match=r"unknown solver 'Nonsense'.*HiGHS"):
        solutions(model, "Nonsense")
    with pytest.raises(OptionError, match="'flow'"):
        solutions(model, formulation="fluid")
    with pytest.raises(OptionError, match="nonsense"):
        solutions(model, "HiGHS", solver_options={"nonsense": 1})
    with pytest.raises(OptionError, match="dict"):
        solutions(model, "HiGHS", solver_options=["presolve"])
    for solver in programs:
        with pytest.raises(OptionError, match="nonsense"):
            solutions(model, solver, solver_options={"nonsense": 1})


SOLVER_OPTIONS = {  # and what the log says of them
    "HiGHS": ({"presolve": "off"}, "presolve is switched off"),
    "COIN_CMD": ({"options": ["preprocess off"], "gapRel": 0}, "preprocess off"),
    "PULP_CBC_CMD": ({"options": ["preprocess off"], "gapRel": 0}, "preprocess off"),
    "GLPK_CMD": ({"options": ["--nopresol"]}, "--nopresol"),
    "SCIP_PY": ({"options": ["presolving/maxrounds=0"]}, "presolving (0 rounds: 0 fast"),
}


@engines
def test_solver_options_reach_the_solver(solver):
    options, sign = SOLVER_OPTIONS[solver]
    run = Run(log=lambda line: None)
    assert len(solutions(model_of(["3.", ".."]), solver, run, solver_options=options)) == 3
    assert sign in "\n".join(run.lines).lower()


def test_whole_seconds_for_glpk():
    glpk = seam.Engine("GLPK_CMD", {})
    assert [glpk._time_limit(Run(limit)) for limit in (None, 0.4, 2.7)] == [None, 1, 2]


@engines
def test_a_time_limit_among_the_options_is_no_proof(solver):
    with pytest.raises(LimitReached):
        solutions(model_of(STRESS), solver, solver_options={"timeLimit": 0.3})


def test_missing_solvers():
    model = model_of(["3.", ".."])
    missing = [name for name in ("GUROBI", "SCIP_PY", "MOSEK") if name not in modeller.listSolvers(True)]
    for name in missing[:1]:
        with pytest.raises(BackendNotFound, match="pip install"):
            solutions(model, name)


def test_the_default_is_probed(monkeypatch):
    monkeypatch.setattr(seam, "_is_available", lambda name, options=None: name == programs[0])
    assert seam.engine(None, {}).name == programs[0]
    monkeypatch.setattr(seam, "_is_available", lambda name, options=None: False)
    with pytest.raises(BackendNotFound, match="pip install highspy"):
        seam.engine(None, {})


def test_only_what_is_open_gets_a_variable():
    puzzle = Nurikabe(["3....", ".....", "....."])
    built = pulp.build(puzzle)
    assert [cell for cell, x in built.cells.items() if not isinstance(x, int)] == [
        (0, 1),
        (0, 2),
        (1, 0),
        (1, 1),
        (2, 0),
    ]
    known = pulp.build(ShadingModel.of(puzzle, Shading(["..#..", ".....", "....."])))
    assert len(known.problem.variables()) < len(built.problem.variables())
