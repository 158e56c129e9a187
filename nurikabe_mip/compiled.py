"""Modules that numba compiles: loaded in a thread, so that no limit and no Ctrl-C waits for a compilation."""

import sys
import threading
from collections.abc import Callable
from importlib import import_module
from types import ModuleType

# two threads that import parts of numba at one time may wait for each other, or see half of it
_LOADING = threading.RLock()


def njit(signature, function, entry: bool = False):
    """Compile a function for a signature, or load it from numba's cache; only an `entry` can be called from Python."""
    import numba

    options = {"nogil": True, "error_model": "numpy", "no_cfunc_wrapper": True, "no_cpython_wrapper": not entry}
    try:
        return numba.njit(signature, cache=True, **options)(function)
    except RuntimeError:  # there is no place for a cache that can be written to
        return numba.njit(signature, **options)(function)


def decorator(module: str):
    """The decorator `compiled(signature, entry=False)` of a kernel, which compiles its functions when they are defined.

    It leaves them as they are where numba is missing, and in a copy of the module whose name ends in `_plain`.
    """
    try:
        if not module.endswith("_plain"):
            import_module("numba")
            return lambda signature, entry=False: lambda function: njit(signature, function, entry)
    except ImportError:
        pass
    return lambda signature, entry=False: lambda function: function


class Kernel:
    """A module whose functions are compiled when it is imported, once on a machine; later imports take 0.3 seconds.

    Without numba the module's functions are plain Python.
    """

    def __init__(self, module: str, what: str):
        self.name, self.what = module, what
        self._module: ModuleType | None = None
        self._thread: threading.Thread | None = None
        self._lock = threading.Lock()

    @property
    def is_loaded(self) -> bool:
        return self._module is not None

    def load(self) -> ModuleType:
        """The module; where it must be compiled first, a line on stderr says so."""
        if self._module is None:
            with _LOADING:
                try:
                    from numba.core import event
                except ImportError:
                    self._module = import_module(self.name)
                else:
                    with event.install_listener("numba:compile", _notice(event, self.what)):
                        self._module = import_module(self.name)
        return self._module

    def start(self) -> threading.Thread:
        """Load it in a thread. The interpreter waits for that at its end, so a compilation is never cut off."""
        with self._lock:
            if self._thread is None:
                self._thread = threading.Thread(target=self.load, name=f"nurikabe-mip loads {self.what}")
                self._thread.start()
        return self._thread

    def ready(self, over: Callable[[], bool]) -> bool:
        """Wait until it is loaded; False if `over` said so first."""
        while not self.is_loaded:
            if over():
                return False
            thread = self.start()
            thread.join(0.05)
            if not thread.is_alive():
                self.load()  # where it failed, fail here
        return True


def _notice(event: ModuleType, what: str):
    """A listener to numba's compilations that says once what is compiled."""

    class Notice(event.Listener):
        given = False

        def on_start(self, event):
            if not self.given:
                self.given = True
                print(f"nurikabe-mip: compiling {what}, once on this machine (10 to 30 s)", file=sys.stderr)

        def on_end(self, event):
            pass

    return Notice()
