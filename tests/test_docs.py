"""Every example in a docstring or a page does what it says."""

import doctest
import pkgutil
from importlib import import_module
from pathlib import Path

import pytest

import nurikabe_mip

ROOT = Path(__file__).parent.parent
MODULES = sorted(module.name for module in pkgutil.walk_packages(nurikabe_mip.__path__, "nurikabe_mip."))
PAGES = sorted(path for path in ROOT.glob("**/*.md") if ".venv" not in str(path))


@pytest.mark.parametrize("name", [name for name in MODULES if not name.endswith("__main__")])
def test_docstrings(name, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert doctest.testmod(import_module(name)).failed == 0


@pytest.mark.parametrize("page", PAGES, ids=lambda path: str(path.relative_to(ROOT)))
def test_pages(page, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert doctest.testfile(str(page), module_relative=False).failed == 0
