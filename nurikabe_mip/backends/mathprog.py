"""GNU MathProg: the model file of the genre, such as `nurikabe.mod`, built and solved by GLPK.

The file is the one that `glpsol` reads, in the folder `nurikabe_mip.export.MODELS` with a page about it. It has a
binary `sea[r,c]` a cell; for Nurikabe `own[r,c,k]` for each island that can reach the cell, and a flow in each island
that needs one; for Kuromasu `sees[q,r,c]` for the cells that a clue may see; and a flow in what must be connected.
Cells that are decided beforehand are data. A solution is cut off by a row, and GLPK starts again.

Language and solver are GLPK's (Makhorin; GPL 3), through swiglpk (GPL 3). It runs in a process of its own, which ends
with the iteration or at a limit. It has one thread and makes no random choices.
"""

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
import swiglpk

from ..constraints import Islands, ShadingModel
from ..errors import OptionError, SolverError
from ..export import mathprog_data, model_path
from ..puzzles import SHADED, UNKNOWN_SIZE, UNSHADED
from . import _glpk
from .base import Option, Run

OPTIONS = {
    "model_file": Option(None, "the path of another MathProg model, which takes the same data and has sea[row,column]"),
}
PRESOLVE = "lookahead"


def version() -> str:
    return f"GLPK {swiglpk.glp_version()}"


def check_options(model_file: str | Path | None) -> None:
    """Raise OptionError if there is no such file."""
    if model_file is not None and not (isinstance(model_file, str | Path) and Path(model_file).is_file()):
        raise OptionError(f"model_file: there is no file {str(model_file)!r}")


def shadings(model: ShadingModel, run: Run, model_file: str | None = None) -> Iterator[np.ndarray]:
    """Yield every solution of the model.

    Raises OptionError if there is no model file for the constraints, SolverError where GLPK fails.
    """
    run.poll()
    path = model_path(model, ".mod")
    if model_file is not None:
        path = Path(model_file)
    run.stats.formulation = path.name
    islands = [constraint for constraint in model.constraints if isinstance(constraint, Islands)]
    counted = bool(islands) and all(size != UNKNOWN_SIZE for one in islands for _, size in one.clues)
    with run.stats.timed("build"):
        data = mathprog_data(model)
    with _Process(path, data, run) as glpk:
        cut: list[int] = []
        while True:
            with run.stats.timed("solve"):
                verdict, *places = glpk.ask(*cut)
            run.stats.add(iterations=1)
            if verdict == "none":
                return
            values = np.full(model.shape, UNSHADED, dtype=np.int8)
            values[tuple(np.array(places, dtype=int).reshape(-1, 2).T)] = SHADED
            values = values.ravel()
            yield values
            # another solution has sea in this land or, where the number of sea cells is open, land in this sea
            changes = [c for c in model.free if values[c] == UNSHADED or not counted]
            cut = [1 - sum(values[c] == SHADED for c in changes)]
            for c in changes:
                cut += [*model.grid.cell(c), -values[c]]


class _Process:
    """The process of GLPK, as a context that ends it; limits and Ctrl-C hold while it is waited for."""

    def __init__(self, model: Path, data: str, run: Run):
        self.run = run
        self.folder = TemporaryDirectory(prefix="nurikabe-mip-", ignore_cleanup_errors=True)
        data_path, log_path = Path(self.folder.name, "data"), Path(self.folder.name, "log")
        data_path.write_text(data, encoding="utf-8")
        place = os.path.dirname(os.path.dirname(swiglpk.__file__))
        command = [sys.executable, "-S", "-E", _glpk.__file__, place, str(model), str(data_path)]
        pipe = subprocess.PIPE
        with log_path.open("wb") as log:
            self.process = subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=log, text=True)
        self.printed = log_path.open(encoding="utf-8", errors="replace")

    def __enter__(self):
        try:
            with self.run.stats.timed("build"):
                stats = self.run.stats
                stats.variables, stats.constraints, stats.nonzeros = map(int, self._answer())
        except BaseException:
            self.__exit__()
            raise
        return self

    def __exit__(self, *error):
        self.process.kill()
        self.process.communicate()
        self.printed.close()
        self.folder.cleanup()

    def ask(self, *cut: int) -> list[str]:
        """What GLPK answers to an empty line or a row that cuts a solution off; see `_glpk`."""
        with suppress(OSError):  # it has ended: the missing answer says so
            self.process.stdin.write(f"{' '.join(map(str, cut))}\n")
            self.process.stdin.flush()
        return self._answer()

    def _answer(self) -> list[str]:
        line = self.run.native(self.process.stdout.readline, self.process.kill)
        printed = self.printed.read()
        if self.run.log:
            self.run.write(printed)
        if line.endswith("\n"):
            return line.split()
        self.run.poll()  # at a limit the process was killed
        last = "; ".join(printed.splitlines()[-3:])
        raise SolverError(f"GLPK failed with the code {self.process.wait()}: {last or 'it printed nothing'}")
