"""nurikabe_mip: solve, prove unique, check, convert and draw Nurikabe; backends stand behind one `solve`."""

import sys
from importlib import import_module
from types import ModuleType

__version__ = "0.1.0"

# public name -> its module, imported when the name is first used: importing the package imports no solver
_PUBLIC = {
    "Puzzle": "puzzles", "Nurikabe": "puzzles", "Shading": "puzzles",
    "read": "formats", "read_many": "formats", "write": "formats", "read_answer": "formats", "write_answer": "formats",
    "check": "check", "named_mistakes": "check", "Violation": "check", "Mistake": "check",
    "solve": "solve", "solutions": "solve", "count": "solve", "SolveResult": "solve", "Count": "solve",
    "rate": "rate", "Rating": "rate", "hint": "rate", "Hint": "rate",
    "load_corpus": "corpus", "Corpus": "corpus", "audit": "corpus.audit", "Audit": "corpus.audit",
    "backends": "backends", "Status": "backends",
    "NurikabeMipError": "errors", "PuzzleError": "errors", "FormatError": "errors", "OptionError": "errors",
    "BackendNotFound": "errors", "SolverError": "errors", "DisagreementError": "errors",
    "NotUniqueError": "errors", "GenerationFailed": "errors", "WrongAnswerError": "errors", "PackageNotFound": "errors",
    "generate": "generate", "generate_many": "generate", "Generated": "generate", "canonical": "generate",
    "BoardWidget": "widget",
}  # fmt: skip
_MODULES = ("bench",)  # modules that are public as such
__all__ = sorted({*_PUBLIC, *_MODULES} - {"BoardWidget"})  # without the one that needs an extra: for `import *`


class _Package(ModuleType):
    def __setattr__(self, name, value):
        # `check` is both a function and the module that holds it: importing the module must not hide the function
        if not (name in _PUBLIC and isinstance(value, ModuleType)):
            super().__setattr__(name, value)


sys.modules[__name__].__class__ = _Package


def __getattr__(name: str):
    if name in _MODULES:
        return import_module(f"{__name__}.{name}")
    if name not in _PUBLIC:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = getattr(import_module(f"{__name__}.{_PUBLIC[name]}"), name)
    globals()[name] = value
    return value


def __dir__():
    return sorted({*globals(), *__all__})
