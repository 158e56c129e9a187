"""Diagnosis: clashes, repairs and wrong cells against every shading of small boards."""

import json
import os
import random
import signal
import subprocess
import sys
from functools import cache
from itertools import combinations, product

import boards
import numpy as np
import pytest
from click.testing import CliRunner

import nurikabe_mip as nm
from nurikabe_mip.cli import main
from nurikabe_mip.diagnose.changes import DIGIT, KEY, NUMBER, slip
from nurikabe_mip.grid import grid_of
from nurikabe_mip.puzzles import Kuromasu

LARGE = "nurikabe/10/10/g1m-14k1s1s1jem1zt1i1j"  # one solution


@cache
def every_shading(genre: str, rows: int, columns: int) -> list[dict]:
    """What each shading of a board is like: the rules that it breaks apart from the clues, and its numbers."""
    grid = grid_of((rows, columns))
    found = []
    for values in product((1, -1), repeat=rows * columns):
        sea, land = ([value == wanted for value in values] for wanted in (1, -1))
        islands = grid.components(land)
        broken = set()
        if genre == "nurikabe":
            if len(grid.components(sea)) != 1:
                broken.add("R3")
            if any(all(sea[c] for c in block) for block in grid.blocks.tolist()):
                broken.add("R4")
            numbers = {c: len(island) for island in islands for c in island}
        else:
            if len(islands) != 1:
                broken.add("K3")
            if any(sea[c] and sea[d] for c, d in grid.edges):
                broken.add("K2")
            numbers = {c: sight(grid, land, c) for c in range(grid.size) if land[c]}
        text = "\n".join("".join("#" if v > 0 else "-" for v in values[r * columns :][:columns]) for r in range(rows))
        found.append({"text": text, "broken": broken, "numbers": numbers, "islands": [set(one) for one in islands]})
    return found


def sight(grid, land: list[bool], c: int) -> int:
    row, column = grid.cell(c)
    total = 1
    for down, right in ((0, 1), (0, -1), (1, 0), (-1, 0)):
        r, k = row + down, column + right
        while 0 <= r < grid.rows and 0 <= k < grid.columns and land[grid.index((r, k))]:
            total += 1
            r, k = r + down, k + right
    return total


def answers(puzzle: nm.Puzzle, without: frozenset[str] = frozenset(), loose: bool = False) -> set[str]:
    """The texts of all solutions, if need be without some rules, or (`loose`) with islands that have no number."""
    clues = {c: clue for c, clue in enumerate(puzzle.clues.ravel().tolist()) if clue}
    found = set()
    for one in every_shading(puzzle.genre, *puzzle.shape):
        if one["broken"] - without:
            continue
        if not all(c in one["numbers"] and clue in (-1, one["numbers"][c]) for c, clue in clues.items()):
            continue
        if puzzle.genre == "nurikabe":
            held = [sum(c in island for c in clues) for island in one["islands"]]
            if any(number > 1 for number in held) or (not loose and 0 in held):
                continue
        found.add(one["text"])
    return found


def with_clues(puzzle: nm.Puzzle, clues: dict[int, int]) -> nm.Puzzle:
    board = np.zeros(puzzle.clues.size, dtype=int)
    board[list(clues)] = list(clues.values())
    return type(puzzle)(board.reshape(puzzle.shape))


def clues_of(puzzle: nm.Puzzle) -> dict[int, int]:
    return {c: clue for c, clue in enumerate(puzzle.clues.ravel().tolist()) if clue}


def random_puzzle(genre: type[nm.Puzzle], rng: random.Random) -> nm.Puzzle:
    rows, columns = rng.choice([(1, 5), (2, 3), (2, 4), (3, 3), (3, 4)])
    board = np.zeros(rows * columns, dtype=int)
    for cell in rng.sample(range(board.size), rng.randint(0, 4)):
        board[cell] = rng.choice([-1, 1, 2, 2, 3, 3, 4, 5])
    return genre(board.reshape(rows, columns))


def single_changes(puzzle: nm.Puzzle, additions: bool) -> dict[nm.Puzzle, str]:
    """Every puzzle with one clue changed."""
    clues = clues_of(puzzle)
    size = puzzle.clues.size
    grid = grid_of(puzzle.shape)
    changed = {}
    for c, clue in clues.items():
        rest = {other: number for other, number in clues.items() if other != c}
        changed[with_clues(puzzle, rest)] = "removed"
        for number in range(1, size + 1):
            if number != clue:
                changed[with_clues(puzzle, {**clues, c: number})] = "number"
        for d in grid.neighbours[c]:
            if d not in clues:
                changed[with_clues(puzzle, {**rest, d: clue})] = "moved"
    if additions:
        for c in range(size):
            if c not in clues:
                for number in range(1, size + 1):
                    changed[with_clues(puzzle, {**clues, c: number})] = "added"
    return changed


def judge_clash(puzzle: nm.Puzzle, clash) -> None:
    """Compare a clash with every set of clues."""
    grid = grid_of(puzzle.shape)
    clues = clues_of(puzzle)
    cells = {grid.index(cell) for cell in clash.cells}
    optional = {"R3", "R4"} if puzzle.genre == "nurikabe" else {"K2", "K3"}
    left_out = frozenset(optional - set(clash.rules))

    if clash.about == "numbers":

        def holds(keep, without=frozenset()):
            return bool(answers(with_clues(puzzle, {c: n if c in keep else -1 for c, n in clues.items()}), without))

        smaller = [keep for keep in combinations(clues, len(cells) - 1) if not holds(set(keep))]
        assert not smaller and clash.smallest
    else:
        assert not answers(with_clues(puzzle, dict.fromkeys(clues, -1)))

        def holds(keep, without=frozenset()):
            part = with_clues(puzzle, dict.fromkeys(keep, -1))
            return bool(answers(part, without, loose=len(keep) < len(clues)))

    assert clash.minimal
    assert not holds(cells) and not holds(cells, left_out)
    assert all(holds(cells - {c}) for c in cells)
    assert all(holds(cells, left_out | {rule}) for rule in optional - left_out)


@pytest.mark.parametrize("genre", [nm.Nurikabe, Kuromasu])
def test_small_boards(genre):
    """Clashes, repairs, common cells and the fewest changes of random boards are what trying everything gives."""
    rng = random.Random(5)
    met = {"infeasible": 0, "multiple": 0, "several changes": 0, "places": 0, "added": 0}
    for _ in range(150):
        puzzle = random_puzzle(genre, rng)
        found = nm.diagnose(puzzle)
        right = answers(puzzle)
        assert found.complete and found.seconds > 0
        assert found.status == {0: "infeasible", 1: "unique"}.get(len(right), "multiple")
        assert {str(one) for one in found.solutions} <= right and len(found.solutions) == min(len(right), 2)
        for repair in found.repairs:
            assert answers(repair.puzzle) == {str(repair.solution)}
            before, after = puzzle.clues, repair.puzzle.clues
            assert set(repair.cells) == set(map(tuple, np.argwhere(before != after).tolist()))
        alone = {one.puzzle for one in found.repairs if one.number == 1}
        assert len(alone) == sum(one.number == 1 for one in found.repairs)
        if found.status == "unique":
            assert not found.repairs and not found.clashes
            continue
        met[found.status] += 1
        if found.status == "infeasible":
            for clash in found.clashes[:1]:
                judge_clash(puzzle, clash)
                met["places"] += clash.about == "places"
            used = [cell for clash in found.clashes for cell in clash.cells]
            assert len(used) == len(set(used))
            if found.proof is not None:
                assert found.proof.is_broken
            expected = {one for one in single_changes(puzzle, False) if len(answers(one)) == 1}
            if not expected:
                expected = {one for one in single_changes(puzzle, True) if len(answers(one)) == 1}
                met["added"] += bool(expected)
            assert alone == expected
        else:
            cells = np.array([[[*row] for row in text.split("\n")] for text in right])
            same = np.where((cells == cells[0]).all(axis=0), cells[0], ".")
            assert found.common.rows == ["".join(row) for row in same]
            unique = {one for one in single_changes(puzzle, True) if len(answers(one)) == 1}
            assert bool(alone) == bool(unique)
            if found.repairs and not alone:
                met["several changes"] += 1
                assert found.fewest == (found.repairs[0].number == 2)
    assert met["infeasible"] > 10 and met["multiple"] > 10
    if genre is nm.Nurikabe:
        assert met["places"] > 3 and met["added"] > 3


def spoilt(seed: int) -> tuple[nm.Puzzle, nm.Puzzle, tuple[int, int]]:
    """A puzzle with one solution, the same with one number changed by one so that it has none, and its cell."""
    rng = random.Random(seed)
    right = nm.read(LARGE)
    while True:
        clues = np.array(right.clues)
        cell = rng.choice(right.clue_cells)
        clues[cell] += rng.choice((-1, 1))
        if clues[cell] > 0 and nm.solve(nm.Nurikabe(clues)).status == "infeasible":
            return right, nm.Nurikabe(clues), cell


@pytest.mark.parametrize("seed", range(4))
def test_wrong_number(seed):
    right, wrong, cell = spoilt(seed)
    found = nm.diagnose(wrong)
    assert found.complete and found.status == "infeasible"
    assert cell in found.clash and "R1" in found.rules
    # the same with plain solves of another kind
    clues = np.where(wrong.clues != 0, -1, 0)
    for left_out in (None, *found.clash):
        weaker = clues.copy()
        for kept in found.clash:
            weaker[kept] = wrong.clues[kept] if kept != left_out else -1
        assert (nm.solve(nm.Nurikabe(weaker), "sat").status == "infeasible") == (left_out is None)
    (repair,) = [one for one in found.repairs if one.puzzle == right]
    assert found.repairs.index(repair) < 3
    assert repair.cells == (cell,)
    assert str(wrong.clues[cell]) in repair.what and repair.what.endswith(f"becomes {right.clues[cell]}")


def test_two_wrong_numbers():
    """Two numbers that cannot grow, in two corners: no single number is to blame."""
    rows = ["3 . ? . . .", ". . . . . .", "? . . . . .", ". . . . . ?", ". . . . . .", ". . . ? . 4"]
    found = nm.diagnose(nm.Nurikabe(rows))
    assert {clash.cells for clash in found.clashes} == {((0, 0),), ((5, 5),)}
    assert all(clash.smallest for clash in found.clashes)
    assert not found.repairs and "no number in common" in str(found)


def test_named_mistakes():
    found = nm.diagnose("12\n..")
    assert [mistake.name for mistake in found.mistakes] == ["side_by_side"]
    assert found.clash == ((0, 0), (0, 1)) and found.rules == ("R2",)
    found = nm.diagnose("5..\n...\n..4")
    assert [mistake.name for mistake in found.mistakes] == ["no_sea"]
    assert found.clash == ((0, 0), (2, 2)) and "R1" in found.rules


def test_several_solutions_made_unique():
    rng = random.Random(3)
    solution = nm.solve(LARGE).solution
    grid = grid_of(solution.shape)
    islands = grid.components((solution.cells < 0).ravel().tolist())
    numbers = set()
    for _ in range(3):
        clues = np.zeros(grid.size, dtype=int)
        for island in islands:
            clues[rng.choice(island)] = len(island)
        puzzle = nm.Nurikabe(clues.reshape(solution.shape))
        found = nm.diagnose(puzzle, time_limit=60)
        assert found.status == "multiple" and len(found.differing) > 1
        assert nm.solve(found.repairs[0].puzzle, verify="sat").verified_by == "sat"
        assert found.repairs[0].solution == nm.solve(found.repairs[0].puzzle).solution
        numbers.add(found.repairs[0].number)
    assert numbers


def test_changes_for_a_wanted_answer():
    """With an answer given, changes that leave just that one come first."""
    puzzle = nm.Nurikabe(["...5..", "......", "2.3...", "......", ".....1", "..4..."])
    for wanted in list(nm.solutions(puzzle))[:3]:
        found = nm.diagnose(puzzle, wanted)
        assert found.wrong == () and wanted in found.solutions
        first = found.repairs[0]
        assert first.solution == wanted or all(one.solution != wanted for one in found.repairs)


def test_wrong_answers():
    rng = random.Random(8)
    met = {"right": 0, "alone": 0, "together": 0, "by steps": 0}
    for _ in range(200):
        puzzle = random_puzzle(rng.choice((nm.Nurikabe, Kuromasu)), rng)
        right = [nm.Shading(text) for text in sorted(answers(puzzle))]
        if not right:
            continue
        # parts of several solutions, and now and then a cell that is in none
        cells = np.array(rng.choice(right).cells)
        for _ in range(2):
            part = rng.randrange(cells.shape[1])
            cells[:, part] = rng.choice(right).cells[:, part]
        cells[np.array([[rng.random() < 0.4 for _ in row] for row in cells])] = 0
        for _ in range(rng.choice((0, 0, 1))):
            cells[rng.randrange(cells.shape[0]), rng.randrange(cells.shape[1])] = rng.choice((1, -1))
        known = nm.Shading(cells)
        found = nm.diagnose(puzzle, known)
        given = cells.copy()
        given[(given == 0) & (puzzle.clues != 0)] = -1

        def fits(shading, keep, given=given):
            return all(shading.cells[cell] == given[cell] for cell in keep)

        decided = list(map(tuple, np.argwhere(given).tolist()))
        if any(fits(shading, decided) for shading in right):
            assert found.wrong == () and found.violation is None
            met["right"] += 1
            continue
        violations = nm.check(puzzle, known)
        assert (found.violation in violations) if violations else (found.proof is None) == (found.violation is None)
        met["by steps"] += not violations and found.violation is not None
        alone = {cell for cell in decided if not any(fits(shading, [cell]) for shading in right)}
        if alone:
            assert set(found.wrong) == alone
            met["alone"] += 1
        else:
            assert not any(fits(shading, found.wrong) for shading in right)
            for cell in found.wrong:
                assert any(fits(shading, set(found.wrong) - {cell}) for shading in right)
            met["together"] += 1
    assert min(met.values()) > 0, met


def test_slips():
    assert [slip(9, 10), slip(3, 2)] == [KEY, KEY]
    # doubled, dropped, exchanged, and a key above the other
    assert [slip(11, 1), slip(1, 17), slip(12, 21), slip(4, 7), slip(14, 17)] == [DIGIT] * 5
    assert [slip(2, 9), slip(1, 23), slip(12, 34)] == [NUMBER] * 3


def test_limits():
    """A limit, a set event and Ctrl-C give what was found until then."""
    hard = nm.read(boards.STRESS)
    clues = np.array(hard.clues)
    clues[hard.clue_cells[0]] = -1
    found = nm.diagnose(nm.Nurikabe(clues), time_limit=0.3)
    assert not found.complete and not found.interrupted
    _, wrong, _ = spoilt(0)

    class Set:
        def is_set(self):
            return True

    found = nm.diagnose(wrong, cancel=Set())
    assert not found.complete and found.status == "unknown" and not found.solutions
    assert "not known" in str(found)

    def interrupt(what, done, total):
        if what.endswith("(the rest)"):
            signal.raise_signal(signal.SIGINT)

    found = nm.diagnose(wrong, progress=interrupt)
    assert found.interrupted and not found.complete
    assert found.status == "infeasible" and found.clashes[0].minimal and found.repairs
    assert "interrupted" in str(found)
    with pytest.raises(nm.OptionError):
        nm.diagnose(wrong, time_limit=0)
    with pytest.raises(nm.PuzzleError):
        nm.diagnose(wrong, "--\n--")


def test_progress():
    calls = []
    nm.diagnose(spoilt(1)[1], progress=lambda *call: calls.append(call))
    assert {what for what, _, _ in calls} >= {
        "clashes",
        "a proof by techniques",
        "changes of one clue (numbers off by one)",
    }
    assert all(0 <= done <= total for _, done, total in calls)


def test_the_same_whatever_the_hash_seed():
    program = (
        "import nurikabe_mip as nm\n"
        "for text in ('nurikabe:3x3:.,.,.,.,.,.,3,.,1', '...5..\\n......\\n2.3...\\n......\\n.....1\\n..4...'):\n"
        "    found = nm.diagnose(text)\n"
        "    print(found, found.clashes, [one.what for one in found.repairs])\n"
    )
    out = {
        subprocess.run(
            [sys.executable, "-c", program],
            env={**os.environ, "PYTHONHASHSEED": seed},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for seed in ("1", "2")
    }
    assert len(out) == 1


def test_backends():
    """Other backends come to the same."""
    puzzle = nm.read("nurikabe:3x3:.,.,.,.,.,.,3,.,1")
    expected = nm.diagnose(puzzle)
    for backend in ("brute_force", "sat"):
        found = nm.diagnose(puzzle, backend=backend)
        assert found.clashes == expected.clashes
        assert {one.puzzle for one in found.repairs} == {one.puzzle for one in expected.repairs}


def test_shown():
    found = nm.diagnose("nurikabe:3x3:.,.,.,.,.,.,3,.,1")
    text = str(found)
    assert "3!. 1!" in text and "no solution" in text and "becomes 4" in text
    page = found._repr_html_()
    assert page.count("<svg") == 2 and "becomes 4" in page
    assert found.repairs[0]._repr_html_().startswith("<svg")
    page = nm.diagnose("3.\n..")._repr_html_()
    assert page.count("<svg") == 4
    assert "right so far" in str(nm.diagnose("3.\n..", "..\n.-"))
    for puzzle in (nm.Nurikabe(["..", ".."]), Kuromasu(["1."]), nm.Nurikabe(["1"])):
        assert str(nm.diagnose(puzzle)) and nm.diagnose(puzzle)._repr_html_()


def run(*arguments: str):
    return CliRunner().invoke(main, arguments)


def test_command(tmp_path):
    page = tmp_path / "page.html"
    done = run("diagnose", "nurikabe:3x3:.,.,.,.,.,.,3,.,1", "--steps", "--html", str(page))
    assert done.exit_code == 1
    assert "cannot all be right" in done.output and "becomes 4" in done.output and "  1. island_complete" in done.output
    assert "<svg" in page.read_text()
    done = run("diagnose", "3.\n..", "--json")
    record = json.loads(done.output)
    assert done.exit_code == 1 and record["status"] == "multiple" and len(record["solutions"]) == 2
    assert record["repairs"][0]["number"] == 1 and record["fewest"] and record["complete"]
    assert run("diagnose", "nurikabe:3x3:.,.,.,.,.,.,5,.,1").exit_code == 0
    done = run("diagnose", "nurikabe:3x3:.,.,.,.,.,.,5,.,1", "--#/---/---")
    assert done.exit_code == 1 and "Wrong in the answer: row 1, column 3" in done.output
    assert run("diagnose", boards.STRESS.replace("5i", "g-1g"), "--time-limit", "0.2").exit_code in (2, 3)


def test_solve_points_to_it():
    advice = "diagnose says why, and which clue to change"
    for puzzle in ("12\n..", "3.\n.."):
        result = nm.solve(puzzle)
        assert result.advice == advice and advice in str(result) and advice in result._repr_html_()
        assert f"nurikabe-mip {advice}" in run("solve", puzzle).output
    assert nm.solve("nurikabe:3x3:.,.,.,.,.,.,5,.,1").advice is None
