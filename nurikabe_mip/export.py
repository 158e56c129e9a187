"""Write the model of a puzzle for other programs: LP, MPS and CP-SAT files, and data for the model files.

The model files, `.mod` (GNU MathProg) and `.mzn` (MiniZinc) of each genre, are in the folder MODELS; its page says how
to run them, and how to read solutions back.
"""

from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np

from .backends import load
from .backends.base import Run, choice
from .constraints import ShadingModel, kuromasu, nurikabe
from .deduce.presolve import METHODS
from .deduce.presolve import presolve as deduced
from .errors import OptionError
from .formats import read
from .puzzles import NO_CLUE, SHADED, UNDECIDED, UNSHADED

PACKAGE = Path(__file__).parent
# beside the package in a clone, inside it where it is installed
MODELS = next((folder for folder in (PACKAGE / "models", PACKAGE.parent / "models") if folder.is_dir()), PACKAGE)
# the stem of a model file, and the constraints that it has
GENRES: dict[str, Callable[[np.ndarray], tuple]] = {"nurikabe": nurikabe, "kuromasu": kuromasu}


def export(puzzle, format: str, path=None, *, formulation: str | None = None, presolve: str = "none", known=None):
    """The model of a puzzle as text for another program; with `path` it is written to that file instead.

    Parameters
    ----------
    puzzle
        A Puzzle, or text in any format that `read` knows.
    format
        "lp" or "mps" (backend pulp), "cpsat" (the protocol buffer of CP-SAT: text, or binary if the name of `path` does
        not end in txt), "mathprog" or "minizinc" (data for the model files in MODELS).
    path
        Where to write.
    formulation
        Of the backend that writes lp, mps and cpsat; its default for None.
    presolve
        What is fixed by deduction beforehand: "none", "rules" or "lookahead", as in `solve`.
    known
        A partial answer that solutions must extend: a Shading or its text.

    Returns
    -------
    str or None
        The text; None if it went to a file.

    Variables of lp, mps and cpsat are named by places from 0 at the top left: `sea_3_4` is 1 where row 3, column 4 is
    shaded, `own_3_4_k2` where it belongs to the island of the third clue. `decode` of what `build` of the backend makes
    of the same `presolved_model` turns values by these names into a Shading. There is no variable in lp and mps for a
    cell that is decided beforehand.

    Raises OptionError for a format, formulation or presolve that is not known and for constraints without a model file,
    BackendNotFound if the backend that writes the format is not installed, and FormatError, PuzzleError and OSError.

    >>> print(export("nurikabe:1x3:2,.,?", "mathprog"))
    # for nurikabe.mod
    data;
    param rows := 1;
    param columns := 3;
    param clue :
         0  1  2 :=
      0  2  . -1
    ;
    end;
    >>> export("nurikabe:1x2:.,1", "lp", "model.lp")
    """
    write = FORMATS[choice("format", format, FORMATS)]
    model = presolved_model(puzzle, presolve, known)
    if path is not None:
        write(model, formulation, Path(path))
        return None
    with TemporaryDirectory(prefix="nurikabe-mip-") as folder:
        path = Path(folder, "model.txt")
        write(model, formulation, path)
        return path.read_text(encoding="utf-8").rstrip("\n")


def presolved_model(puzzle, presolve: str = "none", known=None) -> ShadingModel:
    """The model that `export` writes; what `build` of a backend makes of it decodes the solutions of the file."""
    choice("presolve", presolve, METHODS)
    return deduced(ShadingModel.of(read(puzzle), known), presolve, Run()).after


def model_path(model: ShadingModel, suffix: str) -> Path:
    """The model file, `.mod` or `.mzn`, with the constraints of the model; OptionError if there is none."""
    for genre, constraints in GENRES.items():
        if set(model.constraints) == set(constraints(_clues(model))):
            return MODELS / f"{genre}{suffix}"
    kinds = ", ".join(type(constraint).__name__ for constraint in model.constraints)
    raise OptionError(f"no model file has the constraints {kinds}; there are files for {', '.join(GENRES)}")


def mathprog_data(model: ShadingModel) -> str:
    """Data for the `.mod` file of the model: rows, columns, the clues, and the cells that are known."""
    lines = [f"# for {model_path(model, '.mod').name}", "data;"]
    lines += [f"param {name} := {number};" for name, number in zip(("rows", "columns"), model.shape, strict=True)]
    tables = {"clue": _clues(model), "known": _known(model)}
    width = 1 + max(len(str(number)) for number in (*model.shape, tables["clue"].max(), -1))
    for name, table in tables.items():
        if name == "clue" or table.any():
            rows = [[value or "." for value in row] for row in table.tolist()]
            header = "".join(f"{column:{width}}" for column in range(model.shape[1]))
            lines += [f"param {name} :", f"{'':{width}}{header} :="]
            lines += [f"{r:{width}}{''.join(f'{value:>{width}}' for value in row)}" for r, row in enumerate(rows)]
            lines.append(";")
    return "\n".join([*lines, "end;\n"])


def minizinc_data(model: ShadingModel) -> str:
    """Data for the `.mzn` file of the model: rows, columns, the clues, and the numbers of the cells that are known."""
    rows = [", ".join(f"{value:2}" for value in row) for row in _clues(model).tolist()]
    lines = [f"% for {model_path(model, '.mzn').name}"]
    lines += [f"{name} = {number};" for name, number in zip(("rows", "columns"), model.shape, strict=True)]
    lines += ["clue = [|", " |\n".join(rows), "|];"]
    for name, value in (("known_sea", SHADED), ("known_land", UNSHADED)):
        cells = np.flatnonzero(_known(model) == value) + 1
        if len(cells):
            lines.append(f"{name} = {{{', '.join(map(str, cells))}}};")
    return "\n".join([*lines, ""])


def _clues(model: ShadingModel) -> np.ndarray:
    """The clues of all constraints that have some, as a puzzle has them."""
    clues = np.full(model.grid.size, NO_CLUE)
    for constraint in model.constraints:
        for cell, number in getattr(constraint, "clues", ()):
            clues[cell] = number
    return clues.reshape(model.shape)


def _known(model: ShadingModel) -> np.ndarray:
    """The values of the fixed cells, of shape (rows, columns); clue cells are unshaded anyway."""
    fixed = model.fixed.reshape(model.shape)
    return np.where((_clues(model) != NO_CLUE) & (fixed == UNSHADED), UNDECIDED, fixed)


def _build(backend: str, model: ShadingModel, formulation: str | None):
    return load(backend)[1].build(model, **({} if formulation is None else {"formulation": formulation})).problem


def _write_lp(model: ShadingModel, formulation: str | None, path: Path) -> None:
    _build("pulp", model, formulation).writeLP(str(path))


def _write_mps(model: ShadingModel, formulation: str | None, path: Path) -> None:
    _build("pulp", model, formulation).writeMPS(str(path))


def _write_cpsat(model: ShadingModel, formulation: str | None, path: Path) -> None:
    if not _build("cpsat", model, formulation).export_to_file(str(path)):
        raise OSError(f"CP-SAT cannot write the file {path}")


def _writer_of_data(data: Callable[[ShadingModel], str]):
    def write(model: ShadingModel, formulation: str | None, path: Path) -> None:
        if formulation is not None:
            raise OptionError("the formulation of mathprog and minizinc is that of the model file; it cannot be chosen")
        path.write_text(data(model), encoding="utf-8")

    return write


FORMATS: dict[str, Callable[[ShadingModel, str | None, Path], None]] = {
    "lp": _write_lp,
    "mps": _write_mps,
    "mathprog": _writer_of_data(mathprog_data),
    "minizinc": _writer_of_data(minizinc_data),
    "cpsat": _write_cpsat,
}
