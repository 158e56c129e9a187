"""The model files, run by the programs that they are for: glpsol and minizinc."""

import random
import shutil
import subprocess

import boards
import pytest

import nurikabe_mip as nm
from nurikabe_mip.export import MODELS

glpsol = pytest.mark.skipif(not shutil.which("glpsol"), reason="the program glpsol is not installed (glpk-utils)")
minizinc = pytest.mark.skipif(not shutil.which("minizinc"), reason="the program minizinc is not installed")
DATA = {
    "example": "nurikabe:3x3:.,.,.,.,.,.,5,.,1",
    "one-cell-sea": "nurikabe:1x2:.,1",
    "unknown-size": "nurikabe:4x4:1,.,.,1,.,?,.,.,.,.,.,.,.,.,4,.",
} | {
    f"river-{number}": puzzle
    for number, puzzle in enumerate(nm.read_many((MODELS.parent / "nurikabe_mip/corpus/river.txt").read_text()), 1)
}


def run(*command) -> str:
    done = subprocess.run(list(map(str, command)), capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def by_glpsol(puzzle: nm.Nurikabe, folder, known=None) -> str | None:
    """The board that the MathProg model prints, None if there is no solution."""
    nm.export(puzzle, "mathprog", folder / "board.dat", known=known)
    text = run("glpsol", "-m", MODELS / "nurikabe.mod", "-d", folder / "board.dat")
    if "NO PRIMAL FEASIBLE SOLUTION" in text or "NO INTEGER FEASIBLE SOLUTION" in text:
        assert "no solution found\n" in text or "successfully processed" not in text  # it gives up before it prints
        return None
    lines = text.splitlines()
    assert lines.pop() == "Model has been successfully processed"
    return "\n".join(lines[-puzzle.shape[0] :])


def by_minizinc(puzzle: nm.Nurikabe, folder, known=None) -> list[str]:
    """All the boards that the MiniZinc model has."""
    nm.export(puzzle, "minizinc", folder / "board.dzn", known=known)
    text = run("minizinc", "--solver", "gecode", "-a", MODELS / "nurikabe.mzn", folder / "board.dzn")
    solutions = text.split("----------\n")
    assert solutions.pop().strip() in ("==========", "=====UNSATISFIABLE=====")
    return [solution.strip() for solution in solutions]


def some_boards() -> list[nm.Nurikabe]:
    rng = random.Random(8)
    small = list(boards.small_boards())
    contradictory = ["11", "1.2/...", "4/.", "?1", "9../.../...", "2../..2/.2."]
    return [
        *(boards.board(rows) for rows, _ in boards.WITNESSES.values()),
        *(boards.board(rows) for rows in contradictory if not rows.startswith("4")),
        *rng.sample(small, 12),
        *(boards.random_board(rng, 4, 4) for _ in range(12)),
        *(boards.random_board(rng, *shape) for shape in [(3, 5), (5, 3), (1, 7), (7, 2)]),
    ]


@glpsol
def test_mathprog_agrees_with_the_oracle(tmp_path):
    for puzzle in some_boards():
        expected = boards.answers(puzzle)
        found = by_glpsol(puzzle, tmp_path)
        assert found in expected if expected else found is None, repr(puzzle)


@minizinc
def test_minizinc_has_each_solution_once(tmp_path):
    for puzzle in some_boards():
        found = by_minizinc(puzzle, tmp_path)
        assert len(set(found)) == len(found) and set(found) == boards.answers(puzzle), repr(puzzle)


@pytest.mark.parametrize("name", boards.WITNESSES)
@pytest.mark.parametrize("program", [pytest.param("glpsol", marks=glpsol), pytest.param("minizinc", marks=minizinc)])
def test_known_cells(program, name, tmp_path):
    """The answer as known cells is the answer; with one cell the other way there is none."""
    rows, answer = boards.WITNESSES[name]
    puzzle, text = boards.board(rows), answer.replace("/", "\n")
    cells = "".join(answer)
    place = cells.index("-")
    wrong = (cells[:place] + "#" + cells[place + 1 :]).replace("/", "\n")
    if program == "glpsol":
        assert by_glpsol(puzzle, tmp_path, known=text) == text
        assert by_glpsol(puzzle, tmp_path, known=wrong) is None
    else:
        assert by_minizinc(puzzle, tmp_path, known=text) == [text]
        assert by_minizinc(puzzle, tmp_path, known=wrong) == []


@pytest.mark.parametrize("name", DATA)
def test_data_is_what_export_writes(name):
    for suffix, format in ((".dat", "mathprog"), (".dzn", "minizinc")):
        assert (MODELS / "data" / f"{name}{suffix}").read_text() == nm.export(DATA[name], format) + "\n"


@glpsol
@pytest.mark.parametrize("name", DATA)
def test_mathprog_solves_the_data(name):
    lines = run("glpsol", "-m", MODELS / "nurikabe.mod", "-d", MODELS / "data" / f"{name}.dat").splitlines()
    puzzle = nm.read(DATA[name])
    assert nm.check(puzzle, "\n".join(lines[-1 - puzzle.shape[0] : -1])) == []


@minizinc
def test_minizinc_solves_a_15x15():
    text = run("minizinc", "--solver", "gecode", MODELS / "nurikabe.mzn", MODELS / "data/river-3.dzn")
    assert nm.check(DATA["river-3"], text.removesuffix("----------\n")) == []


@glpsol
def test_mathprog_takes_data_written_by_hand_and_says_what_it_misses(tmp_path):
    data = tmp_path / "hand.dat"
    data.write_text("param rows := 3; param columns := 3; param clue := [2,0] 5 [2,2] 1;")
    assert "---\n-##\n-#-\n" in run("glpsol", "-m", MODELS / "nurikabe.mod", "-d", data)
    done = subprocess.run(["glpsol", "-m", MODELS / "nurikabe.mod"], capture_output=True, text=True)
    assert done.returncode and "This model needs data: rows, columns, and a clue where there is one." in done.stdout


@minizinc
def test_minizinc_takes_data_written_by_hand_and_says_what_it_misses():
    model = MODELS / "nurikabe.mzn"
    hand = "rows = 3; columns = 3; clue = [| 0, 0, 0 | 0, 0, 0 | 5, 0, 1 |];"
    assert "---\n-##\n-#-\n" in run("minizinc", "--solver", "gecode", model, "-D", hand)
    done = subprocess.run(["minizinc", model], capture_output=True, text=True)
    assert done.returncode and "`rows' must be defined" in done.stdout + done.stderr
