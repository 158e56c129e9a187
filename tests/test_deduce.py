"""The compiled techniques against their plain twin, against brute force, and board by board."""

import os
import random
import subprocess
import sys
import textwrap
import time

import deduce_twin as twin
import numpy as np
import pytest
from boards import STRESS, answers, board, orientations, random_board

from nurikabe_mip import Nurikabe, OptionError, PuzzleError, Shading, read
from nurikabe_mip.deduce import (
    LEVELS,
    TECHNIQUES,
    canonical_orientation,
    load_kernel,
    lookahead,
    position,
    rated,
    rules,
    run,
    techniques,
)
from nurikabe_mip.puzzles import SHADED, UNDECIDED, UNSHADED

SIGNS = {"#": SHADED, "-": UNSHADED, ".": UNDECIDED}
SHAPES = ((1, 1), (1, 2), (1, 6), (6, 1), (2, 2), (2, 5), (3, 3), (3, 4), (4, 3), (4, 4))


@pytest.fixture(scope="module", autouse=True)
def compiled():
    load_kernel()


def values(rows: str) -> np.ndarray:
    return np.array([[SIGNS[sign] for sign in row] for row in rows.split("/")], dtype=np.int8)


def any_clues(rng: random.Random) -> np.ndarray:
    """Clues of a board of up to 36 cells: mostly read off random land, else thrown at random."""
    while True:
        rows, columns = rng.randint(1, 7), rng.randint(1, 7)
        if rows * columns <= 36:
            break
    size = rows * columns
    clues = np.zeros(size, dtype=int)
    if rng.random() < 0.7:
        share = rng.choice([0.4, 0.5])
        for group in twin.grid_of((rows, columns)).components([rng.random() < share for _ in range(size)]):
            clues[rng.choice(group)] = len(group) if rng.random() < 0.85 else -1
    else:
        for _ in range(rng.randint(0, size // 5)):
            clues[rng.randrange(size)] = rng.choice([-1, 1, 2, 3, min(size, 9)])
    return np.minimum(clues, size).reshape(rows, columns)


def any_start(rng: random.Random, size: int) -> list[int] | None:
    """Nothing known, or random cells."""
    if rng.random() < 0.5:
        return None
    share = rng.choice([0.05, 0.15, 0.3])
    return [rng.choice([SHADED, UNSHADED]) if rng.random() < share else UNDECIDED for _ in range(size)]


def in_short(deduction) -> tuple:
    moves = [(move.name, move.value, move.cells) for move in deduction.moves]
    rule = deduction.violation.rule if deduction.is_broken else None
    return moves, deduction.values.ravel().tolist(), rule


# the twin


@pytest.mark.parametrize("seed", range(8))
def test_kernel_steps_as_its_twin_does(seed):
    rng = random.Random(seed)
    used = set()
    for _ in range(90):
        clues = any_clues(rng)
        start = any_start(rng, clues.size)
        level = rng.choice([*LEVELS, *["expert"] * 5])
        names = [t.name for t in TECHNIQUES if LEVELS.index(t.level) <= LEVELS.index(level)]
        expected = twin.run(clues, start, names)
        assert in_short(run(clues, start, level=level)) == expected, (clues.tolist(), start, level)
        used.update(name for name, _, _ in expected[0])
    assert len(used) >= 9


def test_twin_and_kernel_choose_the_same_orientation():
    rng = random.Random(1)
    for _ in range(100):
        clues = any_clues(rng)
        chosen = twin.orientations(clues)[canonical_orientation(clues)]
        assert np.array_equal(chosen, twin.canonical(clues))


def test_a_pause_changes_nothing(monkeypatch):
    rng = random.Random(2)
    for _ in range(60):
        clues = any_clues(rng)
        whole, ahead = in_short(run(clues)), lookahead(clues).values
        monkeypatch.setattr(position, "TRIES", 1)
        assert in_short(run(clues)) == whole
        assert np.array_equal(lookahead(clues).values, ahead)
        monkeypatch.undo()


# each technique: a board where it makes the first step, and one where it just does not

FIRES = {
    "island_complete": ("1../...", None, "#", {(0, 1), (1, 0)}),
    "all_complete": ("1..", ".#.", "#", {(0, 2)}),
    "separate_clues": ("2.2/.../...", None, "#", {(0, 1)}),
    "no_pool": (".../.../..3", "##./#../...", "-", {(1, 1)}),
    "island_exit": ("3../...", ".../#..", "-", {(0, 1)}),
    "sea_exit": (".../4../...", "#../.../..#", "#", {(0, 1)}),
    "unreachable": ("2../.../...", None, "#", {(0, 2)}),
    "forced": (".?./.../3..", None, "#", {(1, 1)}),
    "short_contradiction": ("..?/.../3..", None, "#", {(1, 1)}),
    "contradiction": ("...5./.....", None, "-", {(0, 2)}),
}
MISSES = {
    "island_complete": ("2../...", None),  # the island must still grow
    "all_complete": ("1..?", ".#.."),  # the ? may still grow
    "separate_clues": ("2..2/..../....", None),  # no cell touches both
    "no_pool": (".../.../..4", "#../#../..."),  # two sea cells only
    "island_exit": ("3../...", None),  # two ways out
    "sea_exit": (".../4../...", "#../.../..."),  # one way out, but no other sea to join
    "unreachable": ("5../.../...", None),  # the far corner is just in reach
    "forced": ("..?/.../3..", None),  # it takes more than one step to break a rule
    "short_contradiction": ("...5./.....", None),  # more than six
    "contradiction": ("6../.../.../.../6..", None),  # has one solution, but twenty do not do
}


@pytest.mark.parametrize("name", FIRES)
def test_technique_fires(name):
    clues, start, sign, cells = FIRES[name]
    first = run(board(clues).clues, start and values(start), max_steps=1)
    assert [(step.technique, set(step.cells), step.value) for step in first.steps] == [(name, cells, SIGNS[sign])]


@pytest.mark.parametrize("name", MISSES)
def test_technique_just_does_not_fire(name):
    clues, start = MISSES[name]
    found = run(board(clues).clues, start and values(start), max_steps=1)
    assert name not in [move.name for move in found.moves]
    # nor does it after an easier one: no step of that level is left at all, or only harder ones
    level = TECHNIQUES[[t.name for t in TECHNIQUES].index(name)].level
    if level in ("medium", "hard", "expert"):
        assert name not in [move.name for move in run(board(clues).clues, start and values(start), level=level).moves]


def test_techniques_are_listed_with_their_levels():
    listed = techniques()
    assert [t.name for t in listed] == list(twin.TECHNIQUES)
    assert [t.level for t in listed] == sorted((t.level for t in listed), key=LEVELS.index)
    assert all(t.text and "\n" not in t.text for t in listed)


# soundness


@pytest.mark.parametrize("seed", range(10))
def test_nothing_is_decided_against_a_solution(seed):
    rng = random.Random(seed)
    for _ in range(200):
        puzzle = random_board(rng, *rng.choice(SHAPES))
        solutions = [values("/".join(text.split())) for text in answers(puzzle)]
        start = None
        if rng.random() < 0.6:  # some cells of a solution, or of anything
            source = rng.choice(solutions) if solutions and rng.random() < 0.8 else None
            drawn = source if source is not None else np.array([rng.choice([1, -1]) for _ in range(puzzle.clues.size)])
            kept = np.array([rng.random() < 0.3 for _ in range(puzzle.clues.size)])
            start = np.where(kept, np.ravel(drawn), UNDECIDED)
            solutions = [s for s in solutions if (s.ravel()[kept] == start[kept]).all()]
        for found in (run(puzzle.clues, start), rules(puzzle.clues, start), lookahead(puzzle.clues, start)):
            case = (puzzle.clues.tolist(), start)
            decided = found.values != UNDECIDED
            assert all((s[decided] == found.values[decided]).all() for s in solutions), case
            assert not (found.is_broken and solutions), case
            assert not found.is_finished or len(solutions) == 1, case


def test_lookahead_fixes_what_both_values_of_a_cell_give():
    weaker = stronger = 0
    rng = random.Random(4)
    for _ in range(150):
        clues = any_clues(rng)
        plain, ahead = rules(clues), lookahead(clues)
        if ahead.is_broken:
            continue
        decided = plain.values != UNDECIDED
        assert np.array_equal(plain.values[decided], ahead.values[decided])
        weaker += int(decided.sum())
        stronger += int((ahead.values != UNDECIDED).sum())
    assert stronger > weaker


@pytest.mark.parametrize("shape", [(1, 1), (1, 7), (7, 1), (2, 2), (5, 4)])
def test_boards_without_clues_are_all_sea(shape):
    clues = np.zeros(shape, dtype=int)
    found = run(clues)
    assert (found.values == SHADED).all()
    assert [move.name for move in found.moves] == ["all_complete"]
    assert found.is_broken == (min(shape) > 1)
    assert found.level == (None if min(shape) > 1 else "easy")
    assert lookahead(clues).is_broken == rules(clues).is_broken == found.is_broken


@pytest.mark.parametrize(
    ("clues", "answer"),
    [(".1", "#-"), ("1..3..", None), (".2...", None), ("?", None), ("2.", None), ("..3", None), ("1.", "-#")],
)
def test_rows_and_columns(clues, answer):
    puzzle = board(clues)
    for grid in (puzzle.clues, puzzle.clues.T):
        found = rated(grid)
        possible = answers(Nurikabe(grid))
        assert found.is_broken == (not possible) or found.open
        if answer:
            assert Shading(found.values.ravel()[None, :]).rows == [answer]


# rating


def test_level_and_counts_do_not_depend_on_the_orientation():
    rng = random.Random(5)
    levels = set()
    for _ in range(120):
        clues = random_board(rng, 4, 4).clues if rng.random() < 0.5 else any_clues(rng)
        found = [rated(turn) for turn in orientations(clues)]
        assert len({(f.level, tuple(f.counts.items()), f.open, f.is_broken) for f in found}) == 1
        levels.add(found[0].level)
        for turn, one in zip(orientations(clues), found, strict=True):
            # turned back rightly: the steps lead from the start to the values
            state = np.where(turn != 0, UNSHADED, UNDECIDED).ravel()
            for move in one.moves:
                assert (state[list(move.cells)] == UNDECIDED).all()
                state[list(move.cells)] = move.value
            assert np.array_equal(state, one.values.ravel())
    assert levels >= {"easy", "medium", "hard", "beyond", None}


def test_rated_from_a_partial_answer():
    rng = random.Random(6)
    for _ in range(40):
        clues = any_clues(rng)
        start = np.reshape(any_start(rng, clues.size) or [0] * clues.size, clues.shape)
        expected = twin.run(twin.canonical(clues), twin.orientations(start)[canonical_orientation(clues)])
        found = rated(clues, start)
        assert [move.name for move in found.moves] == [name for name, _, _ in expected[0]]
        assert (found.violation.rule if found.is_broken else None) == expected[2]


# reasons


def test_every_step_is_explained():
    rng = random.Random(7)
    seen = set()
    for number in range(250):
        clues = any_clues(rng)
        found = (rated if number % 2 else run)(clues, any_start(rng, clues.size))
        state = found.start.copy()
        assert [step.technique for step in found.steps] == [move.name for move in found.moves]
        for step, move in zip(found.steps, found.moves, strict=True):
            seen.add(step.technique)
            assert [r * clues.shape[1] + c for r, c in step.cells] == list(move.cells) and step.value == move.value
            assert all(state[cell] != UNDECIDED for cell in step.because)
            assert all(clues[cell] != 0 for cell in step.clues)
            assert step.text == str(step) and step.text[0].isupper() and step.text.endswith(".")
            if step.technique not in twin.FREE:
                assert "row {}, column {}".format(*(i + 1 for i in step.cells[0])) in step.text.lower()
            assert step.because or step.clues or step.technique == "all_complete" or step.chain
            if step.assumed is not None:
                inner = state.copy()
                inner[step.cells[0]] = step.assumed
                for link in step.chain:
                    for cell in link.cells:
                        inner[cell] = link.value
                assert step.assumed == -step.value
                assert run(clues, inner, max_steps=1).violation.rule == step.rule
                counted = sum(link.technique not in twin.FREE for link in step.chain)
                assert counted <= twin.LIMITS.get(step.technique, 0)
                assert ("at once" if not step.chain else f"after {counted} step") in step.text
            for cell in step.cells:
                state[cell] = step.value
    assert seen == set(twin.TECHNIQUES)


def test_a_sentence():
    (step,) = run(board("1../...").clues, max_steps=1).steps
    assert step.text == "The island of the 1 at row 1, column 1 has its one cell, so the open cells around it are sea."
    assert step.because == step.clues == ((0, 0),)
    (step,) = run(board("..?/.../3..").clues, max_steps=1).steps
    assert step.text.startswith("If row 2, column 2 were land, a rule would break after ")
    assert step.text.endswith(". So it is sea.")


# what is given


def test_a_partial_answer_can_be_flat_or_a_shading():
    clues = board("2.2/.../...").clues
    start = values(".../.#./...")
    expected = in_short(run(clues, start))
    assert in_short(run(clues, start.ravel())) == in_short(run(clues, Shading(start))) == expected
    assert start[0, 0] == UNDECIDED  # the caller's array stays as it was


@pytest.mark.parametrize(
    ("clues", "start", "rule"),
    [
        ("1.", "#.", "R5"),
        (".1", "#.", None),
        ("1.../....", ".##./.##.", "R4"),
        ("1..2./.....", "#.-.#/..-..", "R5"),
        (".1./...", "#.#/.-.", "R3"),
        ("1.1/...", ".-./...", "R2"),
        ("1../.../...", ".../.../..-", "R2"),
        ("1./..", "-./-.", "R1"),
        ("3./..", ".#/#.", "R1"),
        ("1", None, "R3"),
    ],
)
def test_a_broken_start_is_seen(clues, start, rule):
    clues, start = board(clues).clues, start and values(start)
    for found in (run(clues, start), rated(clues, start), rules(clues, start), lookahead(clues, start)):
        assert found.is_broken == (rule is not None)
        if rule:
            assert found.violation.rule == rule and not found.is_finished
            assert found.values[found.values != UNDECIDED].size >= (0 if start is None else np.count_nonzero(start))


def test_wrong_arguments():
    clues = board("1../...").clues
    with pytest.raises(PuzzleError, match="shape"):
        run(clues, np.zeros((3, 2), dtype=int))
    with pytest.raises(PuzzleError, match="shape"):
        run(np.zeros(4, dtype=int))
    with pytest.raises(PuzzleError, match="a cell of a shading"):
        lookahead(clues, np.full(clues.shape, 2))
    with pytest.raises(OptionError, match="'expert'; got 'hardest'"):
        run(clues, level="hardest")
    with pytest.raises(OptionError, match="max_steps"):
        rated(clues, max_steps=0)


def test_limits_give_what_was_found():
    clues = read(STRESS).clues
    for found in (run(clues, stop=lambda: True), lookahead(clues, deadline=time.perf_counter())):
        assert found.interrupted and not found.is_broken and (found.values != UNDECIDED).any()
    for found in (run(clues), lookahead(clues, deadline=time.perf_counter() + 60)):
        assert not found.interrupted
    assert len(run(board("2.2/.../...").clues, max_steps=2).moves) == 2


def test_the_compiled_kernel_takes_over_where_the_plain_one_stops(monkeypatch):
    rng = random.Random(8)
    boards = [any_clues(rng) for _ in range(12)] + [board(rows).clues for rows, _ in MISSES.values()]
    expected = [(in_short(run(clues)), lookahead(clues).values.tolist()) for clues in boards]
    kernels, used = position.KERNELS["nurikabe"], []

    def either(cells):
        used.append(kernels.plain if len(used) % 4 < 3 else load_kernel())
        return used[-1]

    monkeypatch.setattr(kernels, "for_board", either)
    monkeypatch.setattr(position, "TRIES", 1)
    assert [(in_short(run(clues)), lookahead(clues).values.tolist()) for clues in boards] == expected
    assert len(used) > 3 * len(boards)


def test_a_small_board_waits_for_nothing_and_a_warm_start_is_silent():
    code = """
import sys
import textwrap
import numpy as np
from nurikabe_mip import deduce
clues = np.array([[0, 0, 3], [0, 0, 0], [0, 0, 0], [0, 0, 0], [4, 0, 0]])
deduce.run(clues), deduce.lookahead(clues)
assert "numba" not in sys.modules
deduce.rules(np.zeros((20, 20), dtype=int))
assert "numba" in sys.modules
"""
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert (ran.returncode, ran.stdout, ran.stderr) == (0, "", "")


@pytest.mark.parametrize("later", [0.01, 0.02, 0.04, 0.08])
def test_kernels_that_load_at_one_time(later):
    """Threads that import numba together would see half of it, or wait for each other for ever."""
    code = f"""
import time
from nurikabe_mip.backends import search
from nurikabe_mip.deduce.position import KERNELS
kernels = [KERNELS["nurikabe"].compiled, search.KERNEL]
for kernel in kernels:
    kernel.start()
    time.sleep({later})
for kernel in kernels:
    assert kernel.ready(lambda: False)
"""
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=120)
    assert (ran.returncode, ran.stderr) == (0, "")


def test_without_numba_the_results_are_the_same():
    code = """
import sys; sys.modules["numba"] = None
import numpy as np
from nurikabe_mip import deduce
clues = np.array([[0, 0, 3], [0, 0, 0], [0, 0, 0], [0, 0, 0], [4, 0, 0]])
print([(m.name, m.value, m.cells) for m in deduce.run(clues).moves], deduce.lookahead(clues).values.tolist())
"""
    clues = np.array([[0, 0, 3], [0, 0, 0], [0, 0, 0], [0, 0, 0], [4, 0, 0]])
    expected = f"{in_short(run(clues))[0]} {lookahead(clues).values.tolist()}\n"
    ran = subprocess.run([sys.executable, "-W", "error", "-c", code], capture_output=True, text=True)
    assert (ran.stdout, ran.stderr) == (expected, "")


@pytest.mark.parametrize("rows", ["5ibj4zp7i9j6zz3i8ja", "large"])
def test_the_first_compilation_holds_no_limit_up(rows, tmp_path):
    """With an empty cache: a limit ends the call in time, and the compilation goes on until it is stored."""
    code = """
        import sys, time
        import nurikabe_mip as nm
        puzzle = nm.Nurikabe([[5 if r % 7 == c % 7 == 0 else 0 for c in range(21)] for r in range(21)])
        if sys.argv[1] != "large":
            puzzle = nm.read("nurikabe/10/10/" + sys.argv[1])
        start = time.perf_counter()
        result = nm.solve(puzzle, "brute_force", time_limit=1, presolve="lookahead")
        print(time.perf_counter() - start < 2, result.status, flush=True)
        import os
        os._exit(0)  # the rest of the compilation is not what is tested
    """
    run = subprocess.run(
        [sys.executable, "-c", textwrap.dedent(code), rows],
        env=os.environ | {"NUMBA_CACHE_DIR": str(tmp_path)},
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert run.stdout == "True unknown\n", run.stderr
