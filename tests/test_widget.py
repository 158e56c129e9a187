"""The interactive board, in a real JupyterLab in a real headless Chromium."""

import json
import os
import re
import shutil
import subprocess
import sys
import time
import urllib.request
from pathlib import Path

import boards
import nbformat
import pytest

import nurikabe_mip as nm

anywidget = pytest.importorskip("anywidget")
UNIQUE = "https://puzz.link/p?nurikabe/5/5/g5k2o1k3g"
STRESS = f"https://puzz.link/p?{boards.STRESS}"
SHOTS = os.environ.get("NURIKABE_MIP_SCREENSHOTS")  # a folder to keep pictures in


def wait(condition, seconds=20, words=lambda: "it did not come in time"):
    deadline = time.monotonic() + seconds
    while not (found := condition()):
        assert time.monotonic() < deadline, words()
        time.sleep(0.05)
    return found


# without a browser


def settled(board):
    wait(lambda: not board.busy)
    return board.kind


def test_what_python_sees():
    board = nm.BoardWidget(UNIQUE)
    assert (board.puzzle, board.shading.is_finished) == (nm.read(UNIQUE), False)
    board.hint()
    assert settled(board) == "step" and board.outline and board.message.endswith("(island_complete)")
    assert all(cell in [[2, 2], [3, 1], [3, 3], [4, 2]] for cell in board.outline)
    board.solve()
    assert settled(board) == "unique" and board.marks == nm.solve(UNIQUE).solution.rows
    assert board.result.status is nm.Status.UNIQUE and not board.outline
    board.check()
    assert settled(board) == "finished" and board.message == "right: every rule holds"
    board.marks = ["#" * 5] * 5
    board.check()
    assert settled(board) == "broken" and len(board.mistakes) == 25
    board.clear()
    assert board.marks == ["....."] * 5 and not board.mistakes and not board.message
    board.paste("3.\n..")
    board.solve()
    assert settled(board) == "multiple" and len(board.outline) == len(board.result.differing)
    assert board.second == board.result.second.rows
    board.paste("3.\n.x")
    assert board.kind == "error" and "expected '.', '?' or a number" in board.message and len(board.tokens) == 2
    board.tokens = [["9", "."], [".", "."]]
    board.solve()
    assert settled(board) == "error" and "from 1 to 4" in board.message


def test_stop_and_what_comes_too_late():
    board = nm.BoardWidget(STRESS, backend="sat")
    board.solve()
    time.sleep(0.3)
    board.stop()
    assert settled(board) == "unknown" and board.message.startswith("stopped; ")
    board.solve()
    board.paste("2.")  # the answer to the other board must not appear on this one
    assert not board.busy and board.marks == [".."]
    time.sleep(0.5)
    assert board.marks == [".."] and board.message == "nurikabe:1x2:2,."


# in a browser


def chromium() -> str | None:
    names = ("chromium", "chromium-browser", "google-chrome", "chrome")
    return os.environ.get("NURIKABE_MIP_CHROMIUM") or next(filter(None, map(shutil.which, names)), None)


@pytest.fixture
def browser():
    playwright = pytest.importorskip("playwright.sync_api")
    with playwright.sync_playwright() as run:
        path = chromium() or run.chromium.executable_path
        if not Path(path).exists():
            pytest.skip("no Chromium: install it, or run `playwright install chromium`")
        browser = run.chromium.launch(executable_path=path, args=["--no-sandbox"])
        yield browser
        browser.close()


@pytest.fixture
def lab(tmp_path):
    """The address of a JupyterLab that serves a folder with a notebook, which shows a board."""
    pytest.importorskip("jupyterlab")
    source = f"import nurikabe_mip as nm\nboard = nm.BoardWidget({UNIQUE!r}, backend='sat')\nboard"
    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(source)])
    notebook.metadata["kernelspec"] = {"name": "python3", "display_name": "Python 3", "language": "python"}
    root = tmp_path / "root"
    root.mkdir()
    nbformat.write(notebook, root / "board.ipynb")
    folders = {name: str(tmp_path / name) for name in ("JUPYTER_CONFIG_DIR", "JUPYTER_RUNTIME_DIR", "JUPYTER_DATA_DIR")}
    # the front ends of widgets, where they are installed apart from the interpreter's own folder
    folders["JUPYTER_PATH"] = str(Path(anywidget.__file__).parents[4] / "share" / "jupyter")
    command = [sys.executable, "-m", "jupyterlab", "--no-browser", "--ip=127.0.0.1", "--port=0", "--allow-root"]
    command += ["--IdentityProvider.token=", f"--ServerApp.root_dir={root}", "--LabApp.news_url=None"]
    log = (tmp_path / "log").open("w")
    server = subprocess.Popen(command, env={**os.environ, **folders}, stdout=log, stderr=log)

    def address():
        assert server.poll() is None, (tmp_path / "log").read_text()
        files = list((tmp_path / "JUPYTER_RUNTIME_DIR").glob("jpserver-*.json"))
        return files and files[0].read_text() and json.loads(files[0].read_text())["url"]

    try:
        url = wait(address, 60)
        wait(lambda: answers(f"{url}api"), 30)
        yield url
    finally:
        server.terminate()
        server.wait(10)
        log.close()


def answers(url: str) -> bool:
    try:
        return urllib.request.urlopen(url, timeout=5).status == 200
    except OSError:
        return False


def test_in_jupyterlab(lab, browser):
    page = browser.new_page(viewport={"width": 1000, "height": 800})
    page.set_default_timeout(30_000)
    complaints = []
    page.on("pageerror", lambda error: complaints.append(str(error)))
    page.goto(f"{lab}doc/tree/board.ipynb")
    first = page.locator(".jp-Notebook .jp-CodeCell").first

    def started():
        """Run the cell; JupyterLab forgets that where it comes before the kernel is there."""
        first.locator(".cm-content").click()
        page.keyboard.press("Shift+Enter")
        page.wait_for_timeout(500)
        return first.locator(".jp-InputArea-prompt").text_content() != "[ ]:"

    wait(started)
    page.locator(".nm-grid").wait_for()

    def shot(name):
        if SHOTS:
            page.screenshot(path=f"{SHOTS}/{name}.png")

    def values():
        return "".join(page.locator(".nm-cell").evaluate_all("cells => cells.map(c => c.dataset.value)"))

    def cell(row, column):
        return page.locator(f'.nm-cell[data-row="{row}"][data-column="{column}"]')

    def press(name):
        page.locator(f".nm-{name}").click()

    def said():
        return page.locator(".nm-message").text_content()

    def message(start):
        wait(lambda: re.match(start, said()), 15, lambda: f"expected {start!r}, found {said()!r}")

    assert cell(0, 1).text_content() == "5" and values() == "." * 25
    shot("before")

    # shade and dot by mouse and by keys
    cell(0, 0).click()
    cell(1, 1).click(button="right")
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("Space")
    assert values()[0] == "#" and values()[5:7] == "#-"
    press("check")
    message("R1|R2|R3|no rule")
    press("clear")
    wait(lambda: values() == "." * 25)
    press("hint")
    message("The island of the 1")
    assert page.locator(".nm-outline").count() == 4
    shot("hint")

    # a clue more, and there is no solution; without it there is one
    cell(4, 4).click()
    for key in ("1", "2"):
        page.keyboard.press(key)
    assert cell(4, 4).text_content() == "12"
    press("solve")
    message("what the clues|the numbers|no solution")
    shot("none")
    page.keyboard.press("Escape")
    cell(4, 4).click()
    for _ in range(2):
        page.keyboard.press("Backspace")
    assert cell(4, 4).text_content() == ""
    press("solve")
    message("exactly one solution")
    assert values() == "".join(nm.solve(UNIQUE).solution.rows)
    shot("after")

    # two solutions, the difference outlined; the second on demand
    def paste(text):
        page.locator(".nm-paste").fill(text)
        page.locator(".nm-paste").press("Enter")

    paste("nurikabe:2x2:3,.,.,.")
    wait(lambda: len(values()) == 4)
    press("solve")
    message("at least two solutions")
    first = values()
    assert page.locator(".nm-outline").count() == 2
    press("other")
    assert values() != first and sorted(values()) == sorted(first)
    shot("several")

    # a solve that takes long is stopped, while the kernel is free
    paste(STRESS)
    wait(lambda: len(values()) == 100)
    press("solve")
    message("solving")
    wait(page.locator(".nm-solve").is_disabled)
    press("stop")
    message("stopped; ")
    wait(page.locator(".nm-solve").is_enabled)
    shot("stopped")
    assert not complaints
