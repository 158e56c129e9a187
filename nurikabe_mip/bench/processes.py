"""Solve in a process of its own under hard limits: a hung or dead one is a record, and the next task gets a new one."""

import os
import pickle
import queue
import subprocess
import sys
import threading
import time
from collections import deque
from dataclasses import dataclass

from ..errors import SolverError
from ..extras import require
from ..puzzles import Puzzle
from .environment import THREAD_SETTINGS

STARTING = 600.0  # seconds in which a process must be ready; it may have to compile the kernels
WATCH = 0.05  # seconds between two looks at memory and clock
LOOKS = 5  # of these looks one counts the children, which takes longer


@dataclass(frozen=True)
class Settings:
    """What holds for every solve of a run.

    `limit` is the time limit that the solver is given, in seconds; `grace` how much longer until its process is
    killed; `warm` how long the first small solve with a backend may take, imports included; `memory` in bytes, of the
    process and its children; `threads` for the solver; `seed` of the first repeat, each later one has the next.
    """

    limit: float = 20.0
    grace: float = 5.0
    warm: float = 300.0
    memory: int = 4 * 10**9
    threads: int = 1
    seed: int = 0


@dataclass(frozen=True)
class Task:
    """One solve: a puzzle under the name that it has in the run, a backend, its options, the number of the repeat."""

    name: str
    puzzle: Puzzle
    backend: str
    options: dict
    repeat: int

    def arguments(self, settings: Settings) -> dict:
        """The arguments of `solve`, but for puzzle and limit."""
        common = {"threads": settings.threads, "seed": settings.seed + self.repeat}
        return {"backend": self.backend, **common, **self.options}

    def record(self, settings: Settings, figures: dict) -> dict:
        """What identifies the solve, and its figures."""
        arguments = self.arguments(settings)
        return {
            "puzzle": self.name,
            "backend": self.backend,
            "options": self.options,
            "repeat": self.repeat,
            "seed": arguments["seed"],
            "threads": arguments["threads"],
            **figures,
        }


def failed(status: str, error: str, seconds: float | None = None, exit_code: int | None = None) -> dict:
    """The figures of a solve of which nothing came back."""
    figures = {"status": status, "verdict": None, "solved": False, "seconds": seconds}
    return {**figures, "exit_code": exit_code, "error": error}


class Stopped(Exception):
    """The run was stopped while a task was being solved."""


class Worker:
    """A process that solves tasks one by one, and is started again when it was lost or the backend changes.

    One process serves one backend with one set of options, so that memory and imports of one solver are not those of
    another. `jobs` says how many work on this machine at one time, for the record; `stop` is an event that ends
    everything.
    """

    def __init__(self, settings: Settings, jobs: int = 1, stop: threading.Event | None = None):
        self.settings = settings
        self.jobs = jobs
        self.stop = stop or threading.Event()
        self.environment: dict = {}
        self._psutil = require("psutil", "bench")
        self._process: subprocess.Popen | None = None
        self._serves: tuple | None = None
        self._peak = 0

    def solve(self, task: Task) -> dict:
        """The record of a task, whatever happens to the process. Raises Stopped, and SolverError if none starts."""
        serves = task.backend, task.options
        if self._process is None or self._process.poll() is not None or serves != self._serves:
            self._start()
            self._serves = serves
        started = time.perf_counter()
        self._peak, before = 0, None
        outcome = self._send(task) or self._reply(self.settings.warm)
        if not isinstance(outcome, str):
            started, self._peak, (_, before) = time.perf_counter(), 0, outcome
            outcome = self._reply(self.settings.limit + self.settings.grace)
        if isinstance(outcome, str):
            figures = self._lost(outcome, time.perf_counter() - started, warm=before is None)
        else:
            _, figures, busy = outcome
            if busy:
                self.close()
        peaks = filter(None, [self._peak, figures.get("memory_peak"), before])
        memory = {"memory_before": before, "memory_peak": max(peaks, default=None)}
        return task.record(self.settings, {**figures, **memory, "environment": self.environment})

    def close(self) -> None:
        """End the process and all that it started."""
        if self._process is None:
            return
        process, self._process = self._process, None
        for one in [*self._family(), process]:
            try:
                one.kill()
            except (self._psutil.Error, OSError):
                continue
        process.wait()
        for stream in (process.stdin, process.stdout):
            try:
                stream.close()
            except OSError:  # what was not sent yet
                continue

    def _start(self) -> None:
        self.close()
        threads = {name: str(self.settings.threads) for name in THREAD_SETTINGS}
        path = os.pathsep.join(entry or os.getcwd() for entry in sys.path)
        self._process = subprocess.Popen(
            [sys.executable, "-P", "-m", f"{__package__}.worker"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env={**threads, **os.environ, "PYTHONPATH": path},
            start_new_session=True,  # a Ctrl-C in the terminal is for us, not for it
        )
        self._watched = self._psutil.Process(self._process.pid)
        self._replies: queue.SimpleQueue = queue.SimpleQueue()
        self._errors: deque[str] = deque(maxlen=20)
        listeners = ((_listen, self._process.stdout, self._replies), (_keep, self._process.stderr, self._errors))
        self._listeners = [threading.Thread(target=call, args=args, daemon=True) for call, *args in listeners]
        for thread in self._listeners:
            thread.start()
        outcome = self._send(self.settings) or self._reply(STARTING)
        if isinstance(outcome, str):
            lost = self._lost(outcome, STARTING, warm=True)
            raise SolverError(f"a process to solve in does not start: {lost['error']}")
        self.environment = {**outcome[1], "jobs": self.jobs}

    def _send(self, message) -> str | None:
        try:
            pickle.dump(message, self._process.stdin)
            self._process.stdin.flush()
        except OSError:
            return "died"
        return None

    def _reply(self, seconds: float) -> tuple | str:
        """The next message of the process, or how it was lost: "hung", "memory" or "died"."""
        deadline = time.perf_counter() + seconds
        looks = 0
        while True:
            try:
                reply = self._replies.get(timeout=WATCH)
            except queue.Empty:
                pass
            else:
                return "died" if reply is None else reply
            if self.stop.is_set():
                self.close()
                raise Stopped
            used = self._memory(children=looks % LOOKS == 0)
            looks += 1
            self._peak = max(self._peak, used)
            if used > self.settings.memory:
                return "memory"
            if time.perf_counter() > deadline:
                return "hung"

    def _memory(self, children: bool) -> int:
        """Bytes in use by the process, and by its children as far as they were last seen."""
        if children:
            self._children = self._family()
        used = 0
        for process in [self._watched, *self._children]:
            try:
                used += process.memory_info().rss
            except self._psutil.Error:
                continue
        return used

    def _family(self) -> list:
        try:
            return self._watched.children(recursive=True)
        except self._psutil.Error:
            return []

    def _lost(self, how: str, seconds: float, warm: bool) -> dict:
        """What there is to say of a process that was lost, and its end."""
        process = self._process
        if how == "died":
            process.wait()
        self.close()
        for thread in self._listeners:
            thread.join(1.0)
        said = " ".join("".join(self._errors).split())[-500:]
        what = {
            "hung": f"no answer after {seconds:.0f} s; its process was killed",
            "memory": f"more than {self.settings.memory / 1e9:g} GB of memory; its process was killed",
            "died": f"its process ended with exit code {process.returncode}",
        }[how]
        if warm:
            what = f"in the first small solve: {what}"
        exit_code = process.returncode if how == "died" else None
        return failed(how, f"{what}; it said: {said}" if said else what, seconds, exit_code)


def _listen(stream, replies: queue.SimpleQueue) -> None:
    try:
        while True:
            replies.put(pickle.load(stream))
    except (EOFError, pickle.UnpicklingError, OSError, ValueError):  # cut off in the middle of a message, or closed
        replies.put(None)


def _keep(stream, lines: deque) -> None:
    with stream:
        for line in stream:
            lines.append(line.decode(errors="replace"))
