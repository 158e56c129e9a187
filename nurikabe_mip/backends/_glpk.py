"""GLPK in a process of its own, started by the backend `mathprog`: builds a model, solves it, adds a row, solves again.

    python _glpk.py FOLDER MODEL DATA

FOLDER is where swiglpk is. GLPK keeps Python's interpreter locked while it works, is not safe in threads and can be
stopped only with its process. This file imports little, so that the process is there at once.

Lines of numbers go both ways. The size of the model comes first: columns, rows, nonzeros. Then each line read is
answered. An empty line solves the model. `bound row column coefficient row column coefficient …` adds the row that the
sum of coefficient times `sea` is at least the bound, and solves. The answer is `sea row column row column …`, the
shaded cells of a solution, or `none`, proved. What GLPK prints, errors included, goes to standard error.
"""

import os
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
            name, _, place = glpk.glp_get_col_name(problem, column).rstrip("]").partition("[")
            if name == "sea":
                self.sea[tuple(place.split(","))] = column
        self.parameters = glpk.glp_iocp()
        glpk.glp_init_iocp(self.parameters)
        self.parameters.presolve = glpk.GLP_ON
        self.parameters.mip_gap = 1e300  # the first solution will do; without one the gap is the largest float

    @property
    def size(self) -> list[int]:
        counts = (glpk.glp_get_num_cols, glpk.glp_get_num_rows, glpk.glp_get_num_nz)
        return [count(self.problem) for count in counts]

    def add_row(self, bound: str, *terms: str) -> None:
        length = len(terms) // 3
        columns, values = glpk.intArray(length + 1), glpk.doubleArray(length + 1)
        for place in range(length):
            row, column, coefficient = terms[3 * place : 3 * place + 3]
            columns[place + 1], values[place + 1] = self.sea[row, column], float(coefficient)
        number = glpk.glp_add_rows(self.problem, 1)
        glpk.glp_set_row_bnds(self.problem, number, glpk.GLP_LO, float(bound), 0)
        glpk.glp_set_mat_row(self.problem, number, length, columns, values)

    def solve(self) -> list[str]:
        code = glpk.glp_intopt(self.problem, self.parameters)
        status = glpk.glp_mip_status(self.problem)
        if code == glpk.GLP_ENOPFS or (code == 0 and status == glpk.GLP_NOFEAS):
            return ["none"]
        if code in (0, glpk.GLP_EMIPGAP) and status in (glpk.GLP_OPT, glpk.GLP_FEAS):
            shaded = (c for c, column in self.sea.items() if glpk.glp_mip_col_val(self.problem, column) > 0.5)
            return ["sea", *(number for cell in shaded for number in cell)]
        sys.exit(f"GLPK ended with the code {code} and the status {status}")


def main() -> None:
    folder, model, data = sys.argv[1:]
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent decides what Ctrl-C ends
    answers = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)  # GLPK prints there
    sys.path.append(folder)
    global glpk
    import swiglpk as glpk

    def answer(words: list) -> None:
        watch_parent(False)
        print(*words, file=answers, flush=True)

    watch_parent(True)
    built = Model(model, data)
    answer(built.size)
    for line in sys.stdin:
        watch_parent(True)
        row = line.split()
        if row:
            built.add_row(*row)
        answer(built.solve())


if __name__ == "__main__":
    main()
