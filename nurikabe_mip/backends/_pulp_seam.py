"""The one place that knows PuLP's versions and how its solvers are called, stopped and believed.

PuLP 3 and 4 differ in what `solve` returns, in how a linear expression is made and in the solvers that they bring.
Its status alone proves nothing: a time-out with numbers is called optimal, one without can be called infeasible. So
an answer is a proof only if the solver says so and had time left; else it is numbers to be checked, or a limit.
"""

import inspect
import math
import os
import re
import shutil
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass
from functools import cache
from importlib.metadata import PackageNotFoundError
from importlib.metadata import version as distribution_version

import pulp

from ..errors import BackendNotFound, OptionError, SolverError
from .base import LimitReached, Run

PREFERRED = ("HiGHS", "COIN_CMD", "PULP_CBC_CMD")
INSTALL = {
    "HiGHS": "pip install highspy",
    "COIN_CMD": 'pip install "pulp[cbc]", or put the program cbc on the PATH',
    "CPSAT": "pip install ortools",
    "SCIP_PY": 'pip install "nurikabe-mip[scip]"',
    "GUROBI": "pip install gurobipy",
    "CPLEX_PY": "pip install cplex",
    "COPT": "pip install coptpy",
    "XPRESS_PY": "pip install xpress",
    "MOSEK": "pip install mosek",
    "CyLP": "pip install cylp",
    "GLPK_CMD": "put the program glpsol on the PATH (Debian: apt install glpk-utils)",
}
# arguments that hand a seed to a solver; solvers that are not listed keep their own
SEED = {
    "HiGHS": lambda seed: {"random_seed": seed},
    "HiGHS_CMD": lambda seed: {"options": [f"random_seed={seed}"]},
    "COIN_CMD": lambda seed: {"options": [f"randomSeed {seed}", f"randomCbcSeed {seed}"]},
    "PULP_CBC_CMD": lambda seed: {"options": [f"randomSeed {seed}", f"randomCbcSeed {seed}"]},
    "GLPK_CMD": lambda seed: {"options": ["--seed", str(seed)]},
    "CPSAT": lambda seed: {"random_seed": seed},
    "GUROBI": lambda seed: {"Seed": seed},
}
VERDICTS = {
    "Infeasible": "infeasible",
    "Not Solved": "stopped",  # PuLP 3
    **dict.fromkeys(("NotSolved", "TimeLimit", "MemoryLimit", "NodeLimit", "Interrupted", "Stopped"), "stopped"),
}
# HiGHS spends most of its time on these where any solution will do; with its other heuristics it takes half as long
NO_HEURISTICS = {
    "mip_heuristic_effort": 0.0,
    "mip_heuristic_run_rens": False,
    "mip_heuristic_run_rins": False,
    "mip_heuristic_run_root_reduced_cost": False,
    "mip_allow_restart": False,
}
WHOLE_SECONDS = ("GLPK_CMD",)
MARGIN = 0.15  # seconds before the end in which a program shall have written its answer
KILLING = 0.3  # seconds in which a program that is just starting is looked for

# what an expression is made from: a list of (variable, coefficient)
linear = getattr(pulp.LpAffineExpression, "from_list", pulp.LpAffineExpression)


def add_variable(problem: pulp.LpProblem, name: str, least: float, most: float, category: str = pulp.LpContinuous):
    """A new variable of the problem, with bounds."""
    if hasattr(problem, "add_variable"):
        return problem.add_variable(name, least, most, category)
    variable = pulp.LpVariable(name, least, most, category)  # before PuLP 3.3.2
    problem.addVariable(variable)
    return variable


def set_objective(problem: pulp.LpProblem, pairs: list) -> None:
    """Minimise the sum of (variable, coefficient) instead of nothing."""
    dummy = getattr(problem, "dummyVar", None)
    if dummy is not None:  # PuLP 3 had it in the empty objective; CBC refuses a variable that occurs nowhere
        pairs = [*pairs, (dummy, 1)]
    problem.setObjective(linear(pairs))


@dataclass
class Answer:
    """The values of the variables asked for; `proved` is false for an incumbent at a limit.

    `bound` is what the solver proved of the objective, `root_bound` what its root relaxation says; None if it does not
    tell.
    """

    values: list[float | None]
    proved: bool = True
    bound: float | None = None
    root_bound: float | None = None


def version() -> str:
    """The versions of PuLP and of the solver that is taken when none is named."""
    name = next((name for name in PREFERRED if _is_available(name)), None)
    return f"{_title(name)} (PuLP {pulp.__version__})" if name else f"PuLP {pulp.__version__}"


def engine(name: str | None, options: dict) -> "Engine":
    """The solver of that name, or the first of PREFERRED that is installed, with arguments for its class in PuLP.

    Raises OptionError for a name that PuLP does not list, BackendNotFound if the solver is not installed.
    """
    if name is None:
        name = next((name for name in PREFERRED if _is_available(name)), None)
        if name is None:
            raise BackendNotFound(f"PuLP {pulp.__version__} finds no solver: {INSTALL['HiGHS']}")
    if not isinstance(options, dict):
        raise OptionError(f"solver_options is a dict of arguments for {name}; got {options!r}")
    _require(name, options.get("path"))
    return {"HiGHS": _HiGHS, "SCIP_PY": _SCIP}.get(name, Engine)(name, options)


@cache  # to probe a solver takes a millisecond
def _require(name: str, path: str | None) -> None:
    known = list(dict.fromkeys(pulp.listSolvers()))
    if name not in known:
        raise OptionError(f"unknown solver {name!r}; PuLP {pulp.__version__} lists {', '.join(known)}")
    if not _is_available(name, path):
        raise BackendNotFound(f"solver {name!r} is not installed: {INSTALL.get(name, 'see the documentation of PuLP')}")


@cache
def _class(name: str) -> type:
    solvers = [s for s in vars(pulp.apis).values() if isinstance(s, type) and issubclass(s, pulp.LpSolver)]
    found = {solver.name: solver for solver in solvers}
    return found[name] if name in found else type(pulp.getSolver(name))  # the latter warns about deprecated ones


@cache
def _parameters(name: str) -> frozenset[str]:
    return frozenset(inspect.signature(_class(name)).parameters)


def _make(name: str, **arguments):
    """A solver of PuLP that prints nothing, neither its log nor that it is deprecated."""
    if "_skip_v4_deprecation" in _parameters(name):
        arguments["_skip_v4_deprecation"] = True
    return _class(name)(**{"msg": False, **arguments})


def _is_available(name: str, path: str | None = None) -> bool:
    if name not in pulp.listSolvers():
        return False
    try:
        return bool(_make(name, **({} if path is None else {"path": path})).available())
    except Exception:  # a probe of somebody's licence or library may fail in any way
        return False


@cache
def _title(name: str) -> str:
    try:
        if name == "SCIP_PY":
            from pyscipopt import Model

            scip = Model()
            return f"SCIP {scip.getMajorVersion()}.{scip.getMinorVersion()}.{scip.getTechVersion()}"
        return f"{name} {distribution_version('highspy')}" if name == "HiGHS" else name
    except (PackageNotFoundError, ImportError):
        return name


class Engine:
    """A solver that PuLP runs: a program with files in a directory of its own, or a library."""

    def __init__(self, name: str, options: dict):
        self.name, self.options = name, options
        self.title = _title(name)
        self.bounds: tuple[float | None, float | None] = (None, None)  # of the objective: at the end, at the root

    def version(self) -> str:
        return f"{self.title} (PuLP {pulp.__version__})"

    def row_added(self, pairs: list, sense: str, bound: float) -> None:
        """The problem has one row more: the sum of (variable, coefficient) is "<=", "==" or ">=" the bound."""

    def objective_changed(self, pairs: list) -> None:
        """The problem has another objective, the sum of (variable, coefficient)."""

    def solve(self, problem: pulp.LpProblem, variables: list, run: Run, warm: bool = False) -> Answer | None:
        """The values of the variables in a solution, None for the proof that there is none.

        With `warm` the solution of the solve before is one of this problem, too, and starts the solver if it can.
        Raises LimitReached, and SolverError where the solver fails or does not say what it found.
        """
        with _work_directory() as directory:
            return self._solve(problem, variables, run, directory, warm)

    def _solve(self, problem, variables: list, run: Run, directory: str, warm: bool) -> Answer | None:
        limit = self._time_limit(run)
        solver = self._solver(run, limit, directory, warm)
        started = time.perf_counter()

        def out_of_time() -> bool:
            return run.is_over or (limit is not None and time.perf_counter() - started >= limit)

        try:
            result = run.native(lambda: problem.solve(solver), lambda: _kill(directory))
        except LimitReached:
            raise
        except Exception as error:
            if out_of_time():  # a program that was stopped fails, too
                raise LimitReached from None
            raise SolverError(f"{self.title} failed: {type(error).__name__}: {error}") from error
        finally:
            self._read_log(run, os.path.join(directory, "log"))
        over, verdict = out_of_time(), _verdict(problem, result)
        if verdict == "solution":
            return Answer([variable.varValue for variable in variables], not over, *self.bounds)
        if verdict == "infeasible" and not over:
            return None
        if over or (verdict == "stopped" and limit is not None):  # CBC may stop well before its limit
            raise LimitReached
        raise SolverError(f"{self.title} ended without an answer, status {verdict}")

    def _time_limit(self, run: Run, margin: float = MARGIN) -> float | None:
        """Seconds for one solve, None without a limit: those that are left, or less if the options say so."""
        seconds = min(max(run.remaining - margin, 0.01), self.options.get("timeLimit") or math.inf)
        if math.isinf(seconds):
            return None
        return max(math.floor(seconds), 1) if self.name in WHOLE_SECONDS else seconds

    def _solver(self, run: Run, limit: float | None, directory: str, warm: bool = False):
        parameters = _parameters(self.name)
        arguments: dict = SEED.get(self.name, lambda seed: {})(run.seed)
        # libraries take all cores by themselves, programs one
        library = not self.name.endswith("_CMD")
        one = self.name == "SCIP_PY"  # it warns about more
        if self.name == "CPSAT" or ("threads" in parameters and not one and (library or run.threads > 1)):
            arguments["threads"] = run.threads
        if "logPath" in parameters:
            arguments["logPath"] = os.path.join(directory, "log")
        if self.name == "GLPK_CMD":
            arguments["options"] += ["--log", os.path.join(directory, "log")]
        if warm and "warmStart" in parameters:
            arguments["warmStart"] = True
        options = dict(self.options)
        if "options" in arguments and "options" in options:
            options["options"] = [*arguments["options"], *options["options"]]
        try:
            solver = _make(self.name, **{**arguments, **options, "timeLimit": limit})
        except TypeError as error:
            raise OptionError(f"solver_options for {self.name}: {error}") from None
        if hasattr(solver, "tmpDir"):
            solver.tmpDir = directory
        return solver

    def _read_log(self, run: Run, path: str) -> None:
        try:
            with open(path, errors="replace") as file:
                text = file.read()
        except OSError:
            return
        if run.log:
            run.write(text)
        if "CBC" in self.name or self.name == "COIN_CMD":
            program = re.search(r"^(?:Version: |CBC )(\S+)", text, re.MULTILINE)
            nodes = re.search(r"^Enumerated nodes:\s+(\d+)", text, re.MULTILINE)
            if program:
                self.title = f"CBC {program[1]}"
            if nodes:
                run.stats.add(nodes=int(nodes[1]))
            self.bounds = (
                _found(r"^Lower bound:\s+(\S+)", text),
                _found(r"^(?:Continuous objective value is|.*LP Optimal .* Obj:) +(\S+)", text),
            )
        if self.name == "GLPK_CMD":
            program = re.search(r"GLPK \S+ (\S+)", text)
            if program:
                self.title = f"GLPK {program[1]}"
            self.bounds = None, _found(r"obj = +(\S+) inf = .*\n(?:Perturbing.*\n|Removing.*\n)*OPTIMAL LP", text)


def _found(pattern: str, text: str) -> float | None:
    """The last number that a pattern finds in a log."""
    numbers = re.findall(pattern, text, re.MULTILINE)
    return float(numbers[-1]) if numbers else None


def _verdict(problem, result) -> str:
    """What the solver says: "solution", "infeasible", "stopped", or the text of any other status."""
    if hasattr(result, "has_solution"):  # PuLP 4 returns statistics, PuLP 3 sets the status of the problem
        found, status = result.has_solution, result.status.name
    else:
        found = problem.sol_status in (pulp.LpSolutionOptimal, pulp.LpSolutionIntegerFeasible)
        status = pulp.LpStatus[problem.status]
    if found:
        return "solution"
    return VERDICTS.get(status, status)


@contextmanager
def _work_directory() -> Iterator[str]:
    """A fresh directory for a solver's files; PuLP splits the command of CBC at spaces, so its path has none."""
    for place in (tempfile.gettempdir(), "/tmp", "/var/tmp", os.path.expanduser("~"), os.environ.get("PUBLIC", "")):
        if place and not any(sign.isspace() for sign in place) and os.access(place, os.W_OK | os.X_OK):
            directory = tempfile.mkdtemp(prefix="nurikabe-mip-", dir=place)
            break
    else:
        raise SolverError("no directory for temporary files without a space in its path: set TMPDIR to one")
    try:
        yield directory
    finally:
        for _ in range(10):  # a thread that was left behind may still be writing
            shutil.rmtree(directory, ignore_errors=True)
            if not os.path.exists(directory):
                break
            time.sleep(0.02)


def _kill(directory: str) -> None:
    """Kill the child processes that work in the directory; one that is just starting is waited for."""
    try:
        import psutil
    except ImportError:
        return  # the program ends at its own time limit
    deadline = time.perf_counter() + KILLING
    while time.perf_counter() < deadline:
        for child in psutil.Process().children(recursive=True):
            try:
                if any(directory in word for word in child.cmdline()):
                    child.kill()
                    return
            except psutil.Error:
                continue
        time.sleep(0.01)


class _HiGHS(Engine):
    """HiGHS in this process. The native model is kept: a row more, or another objective, changes it."""

    def __init__(self, name: str, options: dict):
        super().__init__(name, options)
        self.highs = None
        self.columns: dict[str, int] = {}
        self.running = False

    def row_added(self, pairs: list, sense: str, bound: float) -> None:
        columns = [self.columns.get(variable.name) for variable, _ in pairs]
        if None in columns:  # a cell that was in no row yet: read the problem anew
            self.highs = None
        if self.highs is not None:
            coefficients = [float(coefficient) for _, coefficient in pairs]
            least, most = -math.inf if sense == "<=" else bound, math.inf if sense == ">=" else bound
            self.highs.addRow(float(least), float(most), len(columns), columns, coefficients)

    def objective_changed(self, pairs: list) -> None:
        if self.highs is not None:
            costs = {self.columns[variable.name]: coefficient for variable, coefficient in pairs}
            for column in range(self.highs.numVariables):
                self.highs.changeColCost(column, float(costs.get(column, 0)))

    def solve(self, problem, variables: list, run: Run, warm: bool = False) -> Answer | None:
        with _work_directory() if run.log else nullcontext() as directory:
            return self._solve(problem, variables, run, directory, warm)

    def _solve(self, problem, variables: list, run: Run, directory: str | None, warm: bool) -> Answer | None:
        if self.highs is None:
            self._load(problem, run)
        highs = self.highs
        root = self._root_bound(run) if warm else None
        answer = self._run(run, directory)
        if answer is None:
            # 1.16 has a presolve that fails on models which are solved without it
            highs.clearSolver()
            self._set("presolve", "off")
            answer = self._run(run, directory)
        if answer is None:
            status = highs.modelStatusToString(highs.getModelStatus())
            raise SolverError(f"{self.title} ended without an answer, status {status!r}")
        if answer == "infeasible":
            return None
        values = list(highs.getSolution().col_value)
        places = [self.columns.get(variable.name) for variable in variables]
        bound = highs.getInfo().mip_dual_bound
        return Answer([None if i is None else values[i] for i in places], answer == "optimal", bound, root)

    def _root_bound(self, run: Run) -> float | None:
        """The optimum of the relaxation; the solution of the solve before starts the next one."""
        import highspy

        start = self.highs.getSolution()
        self._set("solve_relaxation", True)
        answer = self._run(run, None)
        bound = self.highs.getObjectiveValue() if answer == "optimal" else None
        self._set("solve_relaxation", False)
        solution = highspy.HighsSolution()
        solution.col_value = list(start.col_value)
        self.highs.setSolution(solution)
        return bound

    def _run(self, run: Run, directory: str | None) -> str | None:
        """Solve once: "optimal", "feasible" (at a limit) or "infeasible"; None if HiGHS failed."""
        from highspy import HighsModelStatus as Status

        highs = self.highs
        limit = self._time_limit(run, margin=0)
        self._set("time_limit", math.inf if limit is None else limit)
        if directory:
            # the log is read when the solve has ended: a function of the user's has no place on the solver's thread
            self._set("output_flag", True)
            self._set("log_to_console", False)
            self._set("log_file", os.path.join(directory, "log"))
        try:
            run.native(self._call, self._stop)
        finally:
            if directory and not self.running:
                self._set("log_file", "")  # closes it; a run that was left behind still writes
                self._read_log(run, os.path.join(directory, "log"))
        info, status = highs.getInfo(), highs.getModelStatus()
        run.stats.add(nodes=max(info.mip_node_count, 0))
        if status == Status.kOptimal:
            return "optimal"
        if status == Status.kInfeasible:
            return "infeasible"
        if status in (Status.kTimeLimit, Status.kInterrupt):
            if info.primal_solution_status != 2:  # kSolutionStatusFeasible
                raise LimitReached
            return "feasible"
        run.poll()
        return None

    def _stop(self) -> None:
        self.highs.cancelSolve()
        self._set("time_limit", 0.0)  # its presolve, which can take seconds, looks at the time alone

    def _call(self) -> None:
        self.running = True
        self.highs.run()
        self.running = False
        if hasattr(self.highs, "resetThreadScheduler"):
            self.highs.resetThreadScheduler(False)  # the pool of workers belongs to this thread, which ends now

    def _load(self, problem, run: Run) -> None:
        solver = self._solver(run, None, "")
        self.highs = problem.solverModel = _quiet_highs()
        self.highs.HandleUserInterrupt = True  # cancelSolve works
        settings = {"mip_rel_gap": solver.gapRel, "mip_abs_gap": solver.gapAbs, "threads": solver.threads}
        for option, value in NO_HEURISTICS.items():
            self.highs.setOptionValue(option, value)  # an old version may not know it
        for option, value in {**settings, **solver.optionsDict}.items():
            if value is not None and option not in ("logPath", "warmStart"):
                self._set(option, value)
        solver.buildSolverModel(problem)
        self.columns = {variable.name: i for i, variable in enumerate(_exported(problem))}

    def _set(self, option: str, value) -> None:
        import highspy

        if self.highs.setOptionValue(option, value) == highspy.HighsStatus.kError:
            raise OptionError(f"HiGHS does not take the option {option!r} with the value {value!r}")


def _exported(problem) -> list:
    """The variables in the order in which a library receives them."""
    return problem.exported_variables() if hasattr(problem, "exported_variables") else problem.variables()


def _quiet_highs():
    """A Highs that is silent from the start: 1.16 prints its version as soon as callbacks are enabled."""
    import highspy

    class QuietHighs(highspy.Highs):
        def enableCallbacks(self):
            self.setOptionValue("output_flag", False)
            super().enableCallbacks()

    highs = QuietHighs()
    highs.setOptionValue("output_flag", False)
    return highs


class _SCIP(Engine):
    """SCIP in this process, on a model that PuLP makes anew for each solve.

    With `separate`, a function of the values of the variables, a constraint handler calls it for each incumbent. It
    tells whether these are a solution; if they are not and `add` is true it adds rows, which come in through
    `row_added` and go into the running search.
    """

    def __init__(self, name: str, options: dict):
        super().__init__(name, options)
        self.separate: Callable[[list[float], bool], bool] | None = None
        self.scip = None
        self.native: dict[str, object] = {}
        self.rows = 0  # that went into a running search
        self.error: Exception | None = None

    def row_added(self, pairs: list, sense: str, bound: float) -> None:
        if self.scip is not None:
            from pyscipopt import quicksum

            total = quicksum(coefficient * self.native[variable.name] for variable, coefficient in pairs)
            self.scip.addCons(total <= bound if sense == "<=" else total >= bound)
            self.rows += 1

    def _solve(self, problem, variables: list, run: Run, directory: str, warm: bool) -> Answer | None:
        limit = self._time_limit(run, margin=0)
        solver = self._solver(run, limit, directory, warm)
        handles = solver.buildSolverModel(problem)
        exported = _exported(problem)
        native = handles[0] if handles else [variable.solverVar for variable in exported]  # PuLP 4, PuLP 3
        self.native = {variable.name: handle for variable, handle in zip(exported, native, strict=True)}
        scip = problem.solverModel
        scip.setParam("misc/catchctrlc", False)
        scip.setParam("randomization/randomseedshift", run.seed)
        if self.separate:
            self._attach(scip, variables)
        self.scip, self.running = scip, False
        try:
            run.native(self._call, scip.interruptSolve)
            return self._answer(variables, exported, run)
        finally:
            self.scip = None
            if not self.running:
                self.native, problem.solverModel = {}, None
                scip.free()  # a cycle of it and its handler must not be left to the garbage collector
            self._read_log(run, os.path.join(directory, "log"))

    def _call(self) -> None:
        self.running = True
        self.scip.optimizeNogil()
        self.running = False

    def _answer(self, variables: list, exported: list, run: Run) -> Answer | None:
        if self.error is not None:
            raise self.error
        scip, status = self.scip, self.scip.getStatus()
        run.stats.add(nodes=scip.getNTotalNodes())
        if status == "infeasible":
            return None
        if status not in ("optimal", "timelimit", "userinterrupt", "memlimit", "nodelimit", "gaplimit"):
            raise SolverError(f"{self.title} ended without an answer, status {status!r}")
        if not scip.getNSols():
            raise LimitReached
        best = scip.getBestSol()
        for variable in exported:
            variable.varValue = best[self.native[variable.name]]  # a warm start begins with these
        values = [variable.varValue if variable.name in self.native else None for variable in variables]
        bounds = [
            None if scip.isInfinity(abs(bound)) else bound for bound in (scip.getDualbound(), scip.getDualboundRoot())
        ]
        return Answer(values, status == "optimal", *bounds)

    def _attach(self, scip, variables: list) -> None:
        """Have `separate` called for every incumbent, and nothing done that holds only without it."""
        import pyscipopt
        from pyscipopt import SCIP_RESULT

        engine = self

        class Separator(pyscipopt.Conshdlr):
            def ask(self, solution, add: bool):
                """FEASIBLE or not; rows are added if `add`. An error ends the search and is raised behind it."""
                before = engine.rows
                try:
                    values = [self.model.getSolVal(solution, x) if x is not None else None for x in watched]
                    if engine.separate(values, add):
                        return {"result": SCIP_RESULT.FEASIBLE}
                except Exception as error:
                    engine.error = error
                if not add:
                    return {"result": SCIP_RESULT.INFEASIBLE}
                if engine.rows > before and engine.error is None:
                    return {"result": SCIP_RESULT.CONSADDED}
                self.model.interruptSolve()
                return {"result": SCIP_RESULT.CUTOFF}

            def conscheck(self, constraints, solution, *_):
                return self.ask(solution, add=False)

            def consenfolp(self, *_):
                return self.ask(None, add=True)

            def consenfops(self, *_):
                return self.ask(None, add=True)

            def conslock(self, constraint, locktype, nlockspos, nlocksneg):
                for handle in engine.native.values():
                    self.model.addVarLocks(handle, nlockspos + nlocksneg, nlockspos + nlocksneg)

        watched = [self.native.get(variable.name) for variable in variables]
        # priorities below 0: after integrality
        scip.includeConshdlr(
            Separator(), "separator", "connectivity", enfopriority=-10, chckpriority=-10, needscons=False
        )
        scip.setParam("misc/usesymmetry", 0)  # what is not in the rows may break it
        scip.setParam("constraints/components/maxprerounds", 0)
