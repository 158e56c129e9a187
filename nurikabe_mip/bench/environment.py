"""The machine and the software that figures come from."""

import os
import platform
import sys
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

PACKAGES = (
    "nurikabe-mip", "numpy", "numba", "llvmlite", "ortools", "PuLP", "highspy", "cbcbox", "python-sat",
)  # fmt: skip
# what solvers and libraries read; a worker gets those that say how many threads
THREAD_SETTINGS = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "NUMBA_NUM_THREADS")
SETTINGS = (*THREAD_SETTINGS, "PYTHONHASHSEED", "NUMBA_OPT")


def environment() -> dict:
    """The processor, cores, memory (bytes), system, Python, package versions, and what is set that matters.

    >>> sorted(environment())
    ['cores', 'cpu', 'memory', 'packages', 'python', 'settings', 'system', 'usable_cores']
    """
    affinity = getattr(os, "sched_getaffinity", None)
    return {
        "cpu": _cpu(),
        "cores": os.cpu_count(),
        "usable_cores": len(affinity(0)) if affinity else os.cpu_count(),
        "memory": _memory(),
        "system": platform.platform(),
        "python": f"{platform.python_implementation()} {sys.version.split()[0]}",
        "packages": {name: found for name in PACKAGES if (found := _version(name))},
        "settings": {name: os.environ[name] for name in SETTINGS if name in os.environ},
    }


def machine() -> str:
    """The same in a line, for the head of a table."""
    told = environment()
    packages = ", ".join(f"{name} {version}" for name, version in told["packages"].items())
    return f"{told['cpu']}, {told['usable_cores']} cores; {told['system']}, {told['python']}; {packages}"


def _version(package: str) -> str | None:
    try:
        return version(package)
    except PackageNotFoundError:
        return None


def _cpu() -> str:
    try:
        for line in Path("/proc/cpuinfo").read_text().splitlines():
            if line.startswith("model name"):
                return line.partition(":")[2].strip()
    except OSError:
        pass
    return platform.processor() or platform.machine()


def _memory() -> int | None:
    try:
        return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    except (AttributeError, OSError, ValueError):
        return None
