"""The backends, each imported when it is first used."""

from dataclasses import dataclass
from importlib import import_module
from importlib.metadata import PackageNotFoundError, version
from importlib.util import find_spec
from types import ModuleType

from ..errors import BackendNotFound, OptionError
from .base import Run, Statistics, Status

__all__ = ["REGISTRY", "BackendInfo", "Run", "Statistics", "Status", "backends", "load"]


@dataclass(frozen=True)
class Entry:
    """A line of the registry: `packages` maps each import name that the backend needs to its distribution."""

    summary: str
    packages: dict[str, str]
    extra: str | None = None
    capabilities: tuple[str, ...] = ()


# the order is that in which backends are listed
REGISTRY = {
    "search": Entry("compiled conflict-driven search", {}),
    "cpsat": Entry("CP-SAT, one full model", {"ortools": "ortools"}, "cpsat", ("threads", "build", "log", "seed")),
    "pulp": Entry("MIP formulations through PuLP", {"pulp": "PuLP"}, "pulp", ("threads", "build", "log", "seed")),
    "sat": Entry("lazy SAT, cuts from wrong models", {"pysat": "python-sat"}, "sat", ("log",)),
    "shapes": Entry("island-shape enumeration, the clue with the fewest shapes first", {}),
    "brute_force": Entry("every shading of a small board: the oracle", {}),
}
ALIASES = {"auto": "search"}  # the fastest on every corpus so far


@dataclass(frozen=True)
class BackendInfo:
    """What `backends()` tells of one backend; `install` is the command that brings what is missing, else None."""

    name: str
    summary: str
    installed: bool
    version: str | None
    capabilities: tuple[str, ...]
    install: str | None


def _info(name: str) -> BackendInfo:
    entry = REGISTRY[name]
    installed = all(find_spec(package) is not None for package in entry.packages)
    install = None if installed else f'pip install "nurikabe-mip[{entry.extra}]"'
    try:
        versions = [f"{distribution} {version(distribution)}" for distribution in entry.packages.values()]
    except PackageNotFoundError:
        versions = []
    return BackendInfo(name, entry.summary, installed, ", ".join(versions) or None, entry.capabilities, install)


def backends() -> list[BackendInfo]:
    """The backends that this version knows, whether each is installed, and what it can do. Imports no solver."""
    return [_info(name) for name in REGISTRY]


# the package has this function under the name of this module: `import nurikabe_mip.backends.cpsat as cpsat` looks here
backends.__name__ = __name__


def load(name: str) -> tuple[str, ModuleType]:
    """The name behind an alias, and the module of that backend.

    Raises OptionError for a name that is not in the registry, BackendNotFound for one that is not installed.
    """
    name = ALIASES.get(name, name)
    if name not in REGISTRY:
        raise OptionError(f"unknown backend {name!r}; known are {', '.join([*ALIASES, *REGISTRY])}")
    info = _info(name)
    if not info.installed:
        missing = ", ".join(p for p in REGISTRY[name].packages if find_spec(p) is None)
        raise BackendNotFound(f"backend {name!r} needs {missing}, which is not installed: {info.install}")
    return name, import_module(f".{name}", __name__)
