"""GLPK in a process of its own, started by the backend `mathprog`: builds a model, solves it, adds a row, solves again.

    python _glpk.py FOLDER MODEL DATA

FOLDER is where swiglpk is. GLPK keeps Python's interpreter locked while it works, is not safe in threads and can be
stopped only with its process. This file imports nothing of the package, so that the process is there at once.

Lines of JSON go both ways. The size of the model comes first, `[columns, rows, nonzeros]`. Then each line read is
answered: `null` solves the model, `[cells, coefficients, bound]` adds the row that the sum of coefficient times `sea`
is at least the bound, and solves. The answer is the list of the shaded cells `[row, column]`, or `null` for the proof
that there is no solution. What GLPK prints, errors included, goes to standard error.
"""

import json
import os
import re
import signal
import sys


def watch_parent(watched: bool) -> None:
    """End as soon as standard input is closed, although GLPK works: on Linux SIGIO comes then and ends the process."""
    try:
        import fcntl
    except ImportError:  # Windows
        return
    fcntl.fcntl(0, fcntl.F_SETOWN, os.getpid())
    flags = fcntl.fcntl(0, fcntl.F_GETFL)
    fcntl.fcntl(0, fcntl.F_SETFL, flags | os.O_ASYNC if watched else flags & ~os.O_ASYNC)


class Model:
    """The problem of GLPK, and the column of each cell's variable `sea[row,column]`."""

    def __init__(self, model: str, data: str):
        workspace = glpk.glp_mpl_alloc_wksp()
        if (
            glpk.glp_mpl_read_model(workspace, model, 0)
            or glpk.glp_mpl_read_data(workspace, data)
            or glpk.glp_mpl_generate(workspace, None)
        ):
            sys.exit(f"GLPK cannot build the model {model}")
        self.problem = problem = glpk.glp_create_prob()
        glpk.glp_mpl_build_prob(workspace, problem)
        glpk.glp_mpl_free_wksp(workspace)
        self.sea = {}
        for column in range(1, glpk.glp_get_num_cols(problem) + 1):
            name = re.fullmatch(r"sea\[(\d+),(\d+)\]", glpk.glp_get_col_name(problem, column))
            if name:
                self.sea[int(name[1]), int(name[2])] = column
        self.parameters = glpk.glp_iocp()
        glpk.glp_init_iocp(self.parameters)
        self.parameters.presolve = glpk.GLP_ON
        self.parameters.mip_gap = 1e300  # the first solution will do; without one the gap is the largest float

    @property
    def size(self) -> list[int]:
        counts = (glpk.glp_get_num_cols, glpk.glp_get_num_rows, glpk.glp_get_num_nz)
        return [count(self.problem) for count in counts]

    def add_row(self, cells: list, coefficients: list[int], bound: int) -> None:
        row = glpk.glp_add_rows(self.problem, 1)
        glpk.glp_set_row_bnds(self.problem, row, glpk.GLP_LO, bound, 0)
        columns, values = glpk.intArray(len(cells) + 1), glpk.doubleArray(len(cells) + 1)
        for place, (cell, coefficient) in enumerate(zip(cells, coefficients, strict=True), 1):
            columns[place], values[place] = self.sea[tuple(cell)], coefficient
        glpk.glp_set_mat_row(self.problem, row, len(cells), columns, values)

    def solve(self) -> list | None:
        code = glpk.glp_intopt(self.problem, self.parameters)
        status = glpk.glp_mip_status(self.problem)
        if code == glpk.GLP_ENOPFS or (code == 0 and status == glpk.GLP_NOFEAS):
            return None
        if code in (0, glpk.GLP_EMIPGAP) and status in (glpk.GLP_OPT, glpk.GLP_FEAS):
            return [cell for cell, column in self.sea.items() if glpk.glp_mip_col_val(self.problem, column) > 0.5]
        sys.exit(f"GLPK ended with the code {code} and the status {status}")


def main() -> None:
    folder, model, data = sys.argv[1:]
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent decides what Ctrl-C ends
    answers = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)  # GLPK prints there
    sys.path.append(folder)
    global glpk
    import swiglpk as glpk

    def answer(value) -> None:
        watch_parent(False)
        print(json.dumps(value), file=answers, flush=True)

    watch_parent(True)
    built = Model(model, data)
    answer(built.size)
    for line in sys.stdin:
        watch_parent(True)
        row = json.loads(line)
        if row:
            built.add_row(*row)
        answer(built.solve())


if __name__ == "__main__":
    main()
