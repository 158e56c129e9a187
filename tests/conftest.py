import signal
import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))  # for boards.py


def pytest_configure():
    """Compile the kernels before the tests: these measure limits, and workers would each do it."""
    from nurikabe_mip.backends import search
    from nurikabe_mip.deduce import PROFILES, load_kernel
    from nurikabe_mip.generate import nurikabe

    for genre in PROFILES:
        load_kernel(genre)
    search.KERNEL.load()
    nurikabe.KERNEL.load()


@pytest.fixture(autouse=True)
def ctrl_c():
    """Ctrl-C raises KeyboardInterrupt: OR-Tools, where a test calls it directly, leaves it to kill the process."""
    signal.signal(signal.SIGINT, signal.default_int_handler)
