"""Packages that only parts of this one need, imported where they are used."""

from importlib import import_module
from types import ModuleType

from .errors import PackageNotFound


def require(module: str, extra: str) -> ModuleType:
    """Import a module; where it is not installed, raise PackageNotFound with the command that installs it."""
    try:
        return import_module(module)
    except ImportError as error:
        package = module.partition(".")[0]
        raise PackageNotFound(
            f'this needs {package}, which is not installed: pip install "nurikabe-mip[{extra}]"'
        ) from error
