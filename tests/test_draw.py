import io
import itertools
import re
from xml.etree import ElementTree

import boards
import numpy as np
import pytest
from rich.console import Console

import nurikabe_mip as nm
from nurikabe_mip.draw import describe, html, mistake_cells, summary, svg, terminal, wants_color
from nurikabe_mip.draw.svg import CELL, FONT_SIZES, MISTAKE, OUTLINE, SEA
from nurikabe_mip.solve import SolveResult

SVG = "{http://www.w3.org/2000/svg}"


@pytest.fixture(autouse=True)
def no_colour_settings(monkeypatch):
    for name in ("NO_COLOR", "FORCE_COLOR"):
        monkeypatch.delenv(name, raising=False)


def drawn(*args, **kwargs) -> ElementTree.Element:
    return ElementTree.fromstring(svg(*args, **kwargs))


def squares(root, colour: str) -> set:
    """The cells (row, column) that are filled with a colour."""
    paths = [path.get("d") for path in root.iter(f"{SVG}path") if path.get("fill") == colour]
    return {(int(y) // CELL, int(x) // CELL) for path in paths for x, y in re.findall(r"M(\d+) (\d+)h", path)}


def dots(root) -> set:
    paths = [path.get("d") for path in root.iter(f"{SVG}path") if path.get("stroke-linecap") == "round"]
    return {(int(y) // CELL, int(x) // CELL) for path in paths for x, y in re.findall(r"M(\d+) (\d+)h", path)}


def frames(root, colour: str) -> set:
    rects = [rect for rect in root.iter(f"{SVG}rect") if rect.get("stroke") == colour]
    return {(int(float(rect.get("y")) // CELL), int(float(rect.get("x")) // CELL)) for rect in rects}


def texts(root) -> dict:
    return {
        (int(float(text.get("y")) // CELL), int(text.get("x")) // CELL): text.text for text in root.iter(f"{SVG}text")
    }


def solved(rows: str, **arguments) -> SolveResult:
    return nm.solve(boards.board(rows), "brute_force", **arguments)


def test_svg_shows_each_kind_of_cell():
    puzzle = nm.Nurikabe([[12, 0, 0, 0, 0], [0, 0, 0, 0, "?"], [0, 0, 0, 0, 0]])
    root = drawn(puzzle, "--#.. .#-#. ...#.", outline=[(0, 2), (0, 3)], mistakes=[(1, 1), (1, 4)])
    assert texts(root) == {(0, 0): "12", (1, 4): "?"}
    assert squares(root, SEA) == {(0, 2), (1, 3), (2, 3)}  # (1, 1) is shaded in the colour of a mistake
    assert dots(root) == {(0, 1), (1, 2)}
    assert frames(root, OUTLINE) == {(0, 2), (0, 3)}
    assert frames(root, MISTAKE) == {(1, 1), (1, 4)}


def test_svg_of_a_puzzle_or_a_shading_alone():
    puzzle = boards.board("1../..3/...")
    root = drawn(puzzle)
    assert texts(root) == {(0, 0): "1", (1, 2): "3"}
    assert not squares(root, SEA) and not dots(root)
    root = drawn(None, nm.Shading("-#"))
    assert not texts(root)
    assert squares(root, SEA) == {(0, 1)} and dots(root) == {(0, 0)}
    assert puzzle._repr_html_() == svg(puzzle)
    assert nm.Shading("-#")._repr_html_() == svg(None, "-#")


@pytest.mark.parametrize("shape", [(1, 1), (1, 7), (7, 1), (3, 5), (50, 50)])
def test_svg_scales_and_numbers_fit_their_cells(shape):
    clues = np.zeros(shape, dtype=int)
    values = itertools.cycle(value for value in (1, -1, 7, 12, 130, 2500) if value <= clues.size)
    for place in np.ndindex(shape):
        clues[place] = next(values)
    root = drawn(nm.Nurikabe(clues))
    assert len(texts(root)) == clues.size
    for text in root.iter(f"{SVG}text"):
        assert len(text.text) * 0.62 * float(text.get("font-size")) < CELL
    left, top, width, height = map(int, root.get("viewBox").split())
    assert (left, top) == (0, 0) and width / height == pytest.approx((shape[1] * 40 + 16) / (shape[0] * 40 + 16))
    pixels = float(root.get("width")) * CELL / width
    assert min(FONT_SIZES[:2]) * pixels / CELL >= 7.5  # of a number of two digits


def test_svg_size_of_a_cell():
    assert drawn(boards.board("1..."), size=20).get("width") == "88"
    for size in (0, -1, float("nan")):
        with pytest.raises(nm.OptionError, match="size"):
            svg(boards.board("1..."), size=size)


def test_names_are_escaped():
    name = 'A <script>alert("&")</script> \x00\x0b board'
    root = drawn(boards.board("1.", name=name))
    title = root.find(f"{SVG}title").text
    assert title.startswith('Nurikabe, 1 rows by 2 columns: A <script>alert("&")</script> ')
    assert "<script>" not in svg(boards.board("1.", name=name))
    assert root.find(f"{SVG}desc").text


def test_what_cannot_be_drawn():
    puzzle = boards.board("1.")
    for draw in (svg, lambda *args, **kwargs: terminal(*args, color=False, **kwargs)):
        with pytest.raises(nm.PuzzleError, match="nothing to draw"):
            draw(None)
        with pytest.raises(nm.PuzzleError, match="shape"):
            draw(puzzle, "#")
        with pytest.raises(nm.PuzzleError, match="outside"):
            draw(puzzle, outline=[(1, 0)])
        with pytest.raises(nm.PuzzleError, match="outside"):
            draw(puzzle, mistakes=[(0, -1)])


def test_html_of_each_status():
    unique = solved(".1")
    page = html(unique)
    assert unique._repr_html_() == page
    assert "<b>unique</b>: exactly one solution" in page and page.count("<svg") == 1
    assert "brute_force" in page

    several = solved(boards.SEVERAL)
    page = html(several)
    assert "<b>multiple</b>" in page and page.count("<svg") == 2
    for picture in re.findall("<svg.*?</svg>", page, re.DOTALL):
        assert frames(ElementTree.fromstring(picture), OUTLINE) == set(several.differing) != set()
    page = html(solved(boards.SEVERAL, common=True))
    assert page.count("<svg") == 3 and "the same in all" in page

    page = html(solved("2./3."))
    assert "<b>infeasible</b>: no solution" in page and "side by side" in page
    picture = ElementTree.fromstring(re.search("<svg.*?</svg>", page, re.DOTALL)[0])
    assert frames(picture, MISTAKE) == {(0, 0), (1, 0)}
    assert texts(picture) == {(0, 0): "2", (1, 0): "3"}

    unknown = SolveResult(boards.board("1."), nm.Status.UNKNOWN, backend="<b>")
    page = html(unknown)
    assert "<b>unknown</b>: the limit came" in page and page.count("<svg") == 1
    assert "&lt;b&gt;" in page

    feasible = SolveResult(boards.board(".1"), nm.Status.FEASIBLE, nm.Shading("#-"), interrupted=True)
    assert "<b>feasible</b>: one solution found; it was interrupted" in html(feasible)
    for page in map(html, (unique, several, unknown, feasible)):
        ElementTree.fromstring(page)  # every tag is closed


def test_words():
    result = solved(boards.SEVERAL)
    assert describe(result) == "at least two solutions, which differ in 2 cells"
    result.stats.total_seconds, result.verified_by = 0.0414, "other"
    assert summary(result) == "brute_force, verified by other, 0.041 s"
    assert mistake_cells(solved("23/..")) == ((0, 0), (0, 1))


def test_plain_terminal_aligns_two_digits():
    puzzle = nm.Nurikabe([[12, 0, 0, 0], [0, 0, "?", 0], [1, 0, 0, 0]])
    assert terminal(puzzle, color=False).splitlines() == ["12  .  .  .", " .  .  ?  .", " 1  .  .  ."]
    view = terminal(puzzle, "-#.- ##.- ..##", outline=[(0, 1)], mistakes=[(0, 0), (2, 3)], color=False)
    assert view.splitlines() == ["12! #* .  -", " #  #  ?  -", " 1  .  #  #!"]


def test_plain_terminal_shows_a_shaded_clue_as_shaded():
    assert terminal(boards.board("1."), "#-", mistakes=[(0, 0)], color=False) == "#!-"


def test_coloured_terminal():
    puzzle = nm.Nurikabe([[12, 0, 0, 0, 0], [0, 0, 0, 0, 0], [0, 0, 0, 0, 0]])
    view = terminal(puzzle, "-#..- ##... .....", outline=[(0, 1)], mistakes=[(0, 0)], color=True)
    lines = view.plain.splitlines()
    assert {len(line) for line in lines} == {15}
    assert lines[0].startswith("!12*  ")
    console = Console(file=io.StringIO(), force_terminal=True, color_system="truecolor", width=8)
    console.print(view, soft_wrap=True)
    printed = console.file.getvalue()
    assert "\x1b[" in printed and printed.count("\n") == 3  # a board is never wrapped


def test_colour_only_where_the_terminal_has_it(monkeypatch):
    class Terminal(io.StringIO):
        def isatty(self):
            return True

    monkeypatch.setenv("TERM", "xterm")
    assert wants_color(Terminal()) and not wants_color(io.StringIO())
    monkeypatch.setenv("TERM", "dumb")
    assert not wants_color(Terminal())
    monkeypatch.setenv("FORCE_COLOR", "1")
    assert wants_color(io.StringIO())
    monkeypatch.setenv("NO_COLOR", "1")
    assert not wants_color(Terminal())
    assert isinstance(terminal(boards.board("1.")), str)
