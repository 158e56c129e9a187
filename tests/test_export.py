"""Models as files for other programs."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import boards
import highspy
import pulp as pulp_library
import pytest
from ortools.sat.python import cp_model

import nurikabe_mip as nm
from nurikabe_mip.backends import cpsat, pulp
from nurikabe_mip.constraints import NoTouch, ShadingModel
from nurikabe_mip.export import FORMATS, MODELS, mathprog_data, minizinc_data, presolved_model

RIVER = MODELS.parent / "nurikabe_mip/corpus/river.txt"
PICK = 3  # a 15x15
needs_glpsol = pytest.mark.skipif(not shutil.which("glpsol"), reason="the program glpsol is not installed (glpk-utils)")


def command_line(*arguments, code=0) -> subprocess.CompletedProcess:
    command = [sys.executable, "-m", "nurikabe_mip", "export", *map(str, arguments)]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == code, done.stderr
    return done


def cbc() -> str:
    """The program that PuLP 3 brings, that of PuLP 4's extra, or another."""
    bundled = getattr(pulp_library, "PULP_CBC_CMD", None)
    path = bundled(msg=False).path if bundled else None
    if not (path and os.path.exists(path)):
        path = shutil.which("cbc", path=os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]]))
    assert path, "the tests need CBC: see the extra `test`"
    return path


def values_in(file: Path) -> dict[str, float]:
    """Values by the names of variables, from a file with a solution: the page of the models shows this."""
    pairs = re.findall(r"(sea[_\[(]\d+[_,]\d+[\])]?)\s+(?:\*\s+)?(\S+)", file.read_text())
    return {re.sub(r"\W", "_", name).rstrip("_"): float(value) for name, value in pairs}


def solved_by_highs(model: Path, solution: Path) -> None:
    highs = highspy.Highs()
    highs.setOptionValue("output_flag", False)
    assert highs.readModel(str(model)) == highspy.HighsStatus.kOk
    highs.run()
    highs.writeSolution(str(solution), 0)


def solved_by_cbc(model: Path, solution: Path) -> None:
    subprocess.run([cbc(), str(model), "-solve", "-solution", str(solution)], capture_output=True, check=True)


def solved_by_glpsol(model: Path, solution: Path) -> None:
    language = {
        ".lp": ["--lp", model],
        ".mps": ["--freemps", model],
        ".dat": ["-m", MODELS / "nurikabe.mod", "-d", model],
    }
    command = ["glpsol", *language[model.suffix], "-o", solution]
    subprocess.run(list(map(str, command)), capture_output=True, check=True)


@pytest.fixture(scope="module")
def exported(tmp_path_factory) -> Path:
    """A folder with a 15x15 in three formats, from the command line."""
    folder = tmp_path_factory.mktemp("exported")
    for format, name in (("lp", "board.lp"), ("mps", "board.mps"), ("mathprog", "board.dat")):
        command_line(RIVER, "--pick", PICK, "--to", format, "-o", folder / name)
    if shutil.which("glpsol"):  # the MathProg model for programs that do not know the language
        model = ["-m", str(MODELS / "nurikabe.mod"), "-d", str(folder / "board.dat")]
        subprocess.run(
            ["glpsol", *model, "--check", "--wlp", str(folder / "mathprog.lp")], capture_output=True, check=True
        )
    return folder


@pytest.mark.filterwarnings("ignore:PULP_CBC_CMD is deprecated")
@pytest.mark.parametrize("file", ["board.lp", "board.mps", "board.dat"])
@pytest.mark.parametrize(
    "solver",
    [solved_by_highs, solved_by_cbc, pytest.param(solved_by_glpsol, marks=needs_glpsol)],
    ids=lambda f: f.__name__,
)
def test_a_15x15_is_read_back_and_solved_to_the_same_board_pulp(exported, tmp_path, file, solver):
    puzzle = list(nm.read_many(RIVER.read_text()))[PICK - 1]
    if file == "board.dat" and solver is not solved_by_glpsol:
        if not shutil.which("glpsol"):
            pytest.skip("the program glpsol, which turns MathProg into LP, is not installed (glpk-utils)")
        file = "mathprog.lp"
    solver(exported / file, tmp_path / "solution")
    values = values_in(tmp_path / "solution")
    assert pulp.build(puzzle).decode(values) == nm.solve(puzzle).solution


def test_cpsat_protocol_buffers(tmp_path):
    puzzle = boards.board(".6.1/..../....")
    command_line("nurikabe:3x4:.,6,.,1,.,.,.,.,.,.,.,.", "--to", "cpsat", "-o", tmp_path / "board.pbtxt")
    nm.export(puzzle, "cpsat", tmp_path / "board.pb")
    problem = cp_model.CpModel()
    assert problem.proto.parse_text_format((tmp_path / "board.pbtxt").read_text())
    solver = cp_model.CpSolver()
    assert solver.solve(problem) == cp_model.OPTIMAL
    names = [variable.name for variable in problem.proto.variables]
    values = {name: solver.value(problem.get_int_var_from_proto_index(i)) for i, name in enumerate(names)}
    assert cpsat.build(puzzle).decode(values).rows == ["--#-", "-###", "---#"]
    binary = (tmp_path / "board.pb").read_bytes()
    assert b"sea_2_3" in binary and len(binary) < (tmp_path / "board.pbtxt").stat().st_size
    assert "circuit {" in nm.export(puzzle, "cpsat", formulation="circuit") and "circuit {" not in nm.export(
        puzzle, "cpsat"
    )


def test_presolve_and_known_cells_are_in_the_model():
    puzzle = boards.board(boards.SEVERAL)
    assert "param known" not in nm.export(puzzle, "mathprog")
    assert nm.export(puzzle, "mathprog", known=".#/..".replace("/", "\n")).endswith(
        "param known :\n     0  1 :=\n  0  .  1\n  1  .  .\n;\nend;"
    )
    assert "known_sea = {2};" in nm.export(puzzle, "minizinc", known=".#/..".replace("/", "\n"))
    decided = nm.export("https://puzz.link/p?nurikabe/5/5/g5k2o1k3g", "minizinc", presolve="lookahead")
    assert len(re.search(r"known_sea = {(.*)}", decided)[1].split(",")) == 14


def test_decode_with_presolve():
    puzzle = "https://puzz.link/p?nurikabe/5/5/g5k2o1k3g"
    model = presolved_model(puzzle, "lookahead")
    assert pulp.build(model).decode({}) == nm.solve(puzzle).solution


@pytest.mark.parametrize("format", FORMATS)
def test_text_and_file_are_the_same(format, tmp_path):
    path = tmp_path / "board.txt"
    assert nm.export("3.\n..", format, path) is None
    assert (
        path.read_text().rstrip("\n")
        == nm.export("3.\n..", format)
        == command_line("3.\n..", "--to", format).stdout.rstrip("\n")
    )


def test_export_is_deterministic():
    code = "import nurikabe_mip as nm\nfor f in {formats!r}: print(nm.export({text!r}, f))".format(
        formats=list(FORMATS), text="2...\n..?.\n....\n.1.."
    )
    outputs = {
        subprocess.run(
            [sys.executable, "-c", code], env=os.environ | {"PYTHONHASHSEED": seed}, capture_output=True, check=True
        ).stdout
        for seed in "01"
    }
    assert len(outputs) == 1 and b"known" not in outputs.pop()


def test_errors(tmp_path):
    with pytest.raises(
        nm.OptionError, match="format is one of 'lp', 'mps', 'mathprog', 'minizinc', 'cpsat'; got 'xml'"
    ):
        nm.export("1.", "xml")
    with pytest.raises(nm.OptionError, match=r"formulation is one of 'layers', .*; got 'flows'"):
        nm.export("1.", "cpsat", formulation="flows")
    with pytest.raises(nm.OptionError, match="the formulation of mathprog and minizinc is that of the model file"):
        nm.export("1.", "minizinc", formulation="flow")
    with pytest.raises(nm.OptionError, match="presolve is one of"):
        nm.export("1.", "lp", presolve="some")
    for format in FORMATS:
        with pytest.raises(OSError, match="none"):
            nm.export("1.", format, tmp_path / "none" / "board.txt")
    model = ShadingModel((1, 2), (NoTouch(),), [0, 0])
    for data in (mathprog_data, minizinc_data):
        with pytest.raises(
            nm.OptionError, match="no model file has the constraints NoTouch; there are files for nurikabe"
        ):
            data(model)


def test_errors_of_the_command_line(tmp_path):
    assert command_line(RIVER, "--to", "lp", code=2).stderr == (
        "error: a model is of one puzzle, here are 10: choose one with --pick N\n"
    )
    assert "format is one of" in command_line("1.", "--to", "lpp", code=2).stderr
    assert "No such file" in command_line("1.", "--to", "lp", "-o", tmp_path / "none" / "x.lp", code=2).stderr
    assert "GENRE.mod and GENRE.mzn" in " ".join(command_line("--help").stdout.split())


def test_importing_export_loads_no_solver():
    code = "import sys, nurikabe_mip as nm; nm.export('1.', 'mathprog')"
    code += "; print({'pulp', 'ortools', 'swiglpk'} & set(sys.modules))"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout == "set()\n"
