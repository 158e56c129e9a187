import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))  # for boards.py


def pytest_configure():
    """Compile the kernels before the tests: these measure limits, and workers would each do it."""
    from nurikabe_mip.backends import search
    from nurikabe_mip.deduce import load_kernel
    from nurikabe_mip.generate import nurikabe

    load_kernel()
    search.KERNEL.load()
    nurikabe.KERNEL.load()
