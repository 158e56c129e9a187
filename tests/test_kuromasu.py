"""Kuromasu: rules, mistakes, every backend, techniques and ratings, against a plain twin."""

import json
import os
import random
import shutil
import subprocess
import sys
from functools import cache
from itertools import combinations, product

import kuromasu_twin as twin
import numpy as np
import pytest
from boards import orientations
from click.testing import CliRunner

import nurikabe_mip as nm
from nurikabe_mip import deduce
from nurikabe_mip.backends import load
from nurikabe_mip.backends.base import Run, checked_options
from nurikabe_mip.cli import main
from nurikabe_mip.constraints import ShadingModel
from nurikabe_mip.corpus import counts_text
from nurikabe_mip.deduce import KUROMASU, position
from nurikabe_mip.draw import cards, hint_card, svg
from nurikabe_mip.draw.svg import INK
from nurikabe_mip.export import MODELS, export
from nurikabe_mip.puzzles import SHADED, UNDECIDED, UNSHADED

BACKENDS = ["brute_force", "cpsat", "pulp", "sat", "search"]
K1 = "---7-/5----/--2--/----2/-4---"
K1_ANSWER = ".#.../..#../.#..#/..#../#...#"
SHAPES = [(1, 1), (1, 2), (1, 3), (1, 5), (4, 1), (2, 2), (2, 3), (3, 3), (3, 4), (4, 4), (2, 6)]


def board(rows: str) -> nm.Kuromasu:
    return nm.Kuromasu(rows.split("/"))


def finished(rows: str) -> nm.Shading:
    return nm.Shading(["".join(s if s == "#" else "-" for s in row) for row in rows.split("/")])


def random_clues(rng: random.Random, shape=None, most=8) -> np.ndarray:
    """Clues read off a random answer, now and then one `?` or wrong."""
    shape = shape or rng.choice(SHAPES)
    seen, _ = rng.choice(twin.patterns(*shape))
    clues = np.zeros(shape, dtype=int)
    white = [tuple(cell) for cell in np.argwhere(seen > 0).tolist()]
    for cell in rng.sample(white, min(len(white), rng.randint(0, most))):
        clues[cell] = rng.choice([seen[cell]] * 12 + [-1, rng.randint(1, shape[0] * shape[1])])
    return clues


# rules


def test_right_answers_and_only_these_pass():
    rng = random.Random(0)
    for shape in [(3, 3), (2, 4), (1, 6), (1, 1)]:
        for _ in range(12):
            clues = random_clues(rng, shape)
            expected = twin.answers(clues)
            for signs in product((1, -1), repeat=clues.size):
                shading = nm.Shading(np.array(signs).reshape(shape))
                assert (not nm.check(nm.Kuromasu(clues), shading)) == (str(shading) in expected)


def test_partial_answers_are_judged_exactly():
    """What one clue, the black cells or the white ones alone rule out is reported, and nothing else."""
    rng = random.Random(1)
    for _ in range(250):
        clues = random_clues(rng)
        values = np.array([rng.choice([0, 0, 0, 1, -1, -1]) for _ in range(clues.size)]).reshape(clues.shape)
        values[(clues != 0) & (values == SHADED)] = UNDECIDED
        broken = twin.Position(clues, values.copy()).is_broken()
        assert bool(nm.check(nm.Kuromasu(clues), nm.Shading(values))) == broken


@pytest.mark.parametrize(
    "rows, rule",
    [
        ("...../...../...../..#../..#..", "K2"),
        (".#.../..#../.#.../..#../...#.", "K3"),
        ("#..../#..../.#..#/#.#../#...#", "K2"),
        ("#..../..#../.#..#/..#../#...#", "K1"),
        ("...../#..../.#..#/..#../#...#", "K4"),
        ("...../...../...../...../.....", "K1"),
    ],
)
def test_rules_as_other_programs_judge_them(rows, rule):
    assert rule in {violation.rule for violation in nm.check(board(K1.replace("-", ".")), finished(rows))}
    assert nm.check(board(K1.replace("-", ".")), finished(K1_ANSWER)) == []


def test_what_a_violation_carries():
    puzzle = board("..4/.../...")
    (touch,) = nm.check(puzzle, "... ... .##")
    assert (touch.rule, touch.shaded, touch.cells) == ("K2", ((2, 1), (2, 2)), ((2, 1), (2, 2)))
    assert touch.message == "two shaded cells touch at row 3, column 2 and row 3, column 3"
    (printed,) = nm.check(puzzle, "..# ... ...")
    assert (printed.rule, printed.clue) == ("K4", (0, 2))
    (sight,) = nm.check(puzzle, ".#. ... ...")
    assert (sight.rule, sight.clue, sight.minimum, sight.maximum) == ("K1", (0, 2), 1, 3)
    assert sight.message == "the 4 at row 1, column 3 can see 1 to 3 cells"
    (few,) = nm.check(puzzle, "--- --# ---")
    assert (few.minimum, few.maximum, few.cells) == (3, 3, ((0, 0), (0, 1), (0, 2)))
    assert few.message == "the 4 at row 1, column 3 sees 3 cells"
    (parts,) = nm.check(board(".../.../..."), "-#. #.. ..-")
    assert parts.rule == "K3" and parts.components == (((0, 0),), ((2, 2),))
    (gap,) = nm.check(board("2...."), "..-..")
    assert gap.message == "the 2 at row 1, column 1 can see 1 to 5 cells, but not 2"


def test_mistakes():
    def names(rows):
        return [(mistake.name, mistake.cells) for mistake in nm.named_mistakes(board(rows))]

    assert names("6../.../...") == [("out_of_sight", ((0, 0),))]
    assert names("5../.../...") == []
    assert names("1../.../...") == [("walled_in", ((0, 0),))]
    assert names("2?./.../?..") == []
    assert names("2?./?../...") == [("sees_too_much", ((0, 0), (0, 1), (1, 0)))]
    assert names(".../.?./...") == []
    for rows in ("1", "1.", ".1.", "./1"):  # these have a solution
        assert names(rows) == [] and nm.count(board(rows)) == 1
    result = nm.solve(board("9../.../..."))
    assert result.status is nm.Status.INFEASIBLE
    assert result.reason == "the 9 at row 1, column 1 is more than the 5 cells of its row and column"
    with pytest.raises(nm.PuzzleError, match="a clue is a number from 1 to 9"):
        board("10 . ./. . ./. . .")


def test_a_mistake_is_one():
    rng = random.Random(4)
    named = 0
    for _ in range(400):
        clues = random_clues(rng, rng.choice([(1, 1), (1, 2), (1, 3), (2, 2), (3, 3), (2, 4)]))
        if nm.named_mistakes(nm.Kuromasu(clues)):
            named += 1
            assert not twin.answers(clues)
    assert named > 20


# backends


def raw(backend, model, most=None, **options) -> list[str]:
    name, module = load(backend)
    found = []
    for values in module.shadings(model, Run(), **checked_options(name, module, options)):
        found.append(str(nm.Shading(values.reshape(model.shape))))
        if len(found) == most:
            break
    return found


def agree(backend, clues, most, **options):
    expected = twin.answers(clues)
    found = raw(backend, ShadingModel.of(nm.Kuromasu(clues)), most, **options)
    assert len(set(found)) == len(found) == min(len(expected), most), repr(nm.Kuromasu(clues))
    assert set(found) <= expected, repr(nm.Kuromasu(clues))


@pytest.mark.parametrize("backend", BACKENDS)
def test_small_boards(backend):
    """Boards of up to 3x4 with up to three clues; all numbers on the small ones, on the others a sample."""
    rng = random.Random(7)
    for rows, columns in product((1, 2, 3), (1, 2, 3, 4)):
        size = rows * columns
        numbers = [-1, *range(1, min(size, rows + columns) + 1)]
        boards = [
            (places, values)
            for k in range(min(size, 2 if size > 2 else 3) + 1)
            for places in combinations(range(size), k)
            for values in product(numbers, repeat=k)
        ]
        for places, values in boards if len(boards) < 40 else rng.sample(boards, 40):
            clues = np.zeros(size, dtype=int)
            clues[list(places)] = values
            agree(backend, clues.reshape(rows, columns), 3)
    for _ in range(60):
        agree(backend, random_clues(rng, rng.choice([(3, 4), (4, 3), (4, 4)])), 4)


@pytest.mark.parametrize("formulation", ["layers", "circuit", "ranks", "flow"])
def test_formulations_of_cpsat(formulation):
    rng = random.Random(formulation)
    for _ in range(30):
        agree("cpsat", random_clues(rng, (3, 4), 4), 5, formulation=formulation)


@pytest.mark.parametrize("backend", BACKENDS)
def test_examples(backend):
    for rows, answer in [
        (K1, K1_ANSWER),
        ("-4-3/?---/---?/3-3-", "#.#./..../#.#./...#"),
        ("--?2-/-----/-----/-----/25-25", ".#..#/...#./...../#..#./..#.."),
    ]:
        result = nm.solve(board(rows.replace("-", ".")), backend, presolve="none")
        assert result.status is nm.Status.UNIQUE and result.solution == finished(answer)


@pytest.mark.parametrize("backend", ["cpsat", "pulp", "sat", "search"])
def test_numbers_that_fit_into_no_word(backend):
    """In a row only its two ends can be black."""
    for number, count in ((70, 1), (69, 2), (68, 1), (67, 0)):
        clues = np.zeros((1, 70), dtype=int)
        clues[0, 30] = number
        assert nm.count(nm.Kuromasu(clues), backend, presolve="none") == count
        for presolve in ("rules", "lookahead"):
            assert nm.count(nm.Kuromasu(clues.T), backend, presolve=presolve) == count


def test_mathprog():
    pytest.importorskip("swiglpk")
    rng = random.Random(12)
    for _ in range(12):
        agree("mathprog", random_clues(rng, rng.choice([(1, 1), (1, 3), (3, 1), (2, 2), (3, 3), (3, 4)]), 5), 3)


@pytest.mark.skipif(shutil.which("minizinc") is None, reason="MiniZinc is not installed")
def test_minizinc(tmp_path):
    rng = random.Random(13)
    for shape in [(1, 1), (1, 3), (3, 1), (3, 3), (3, 4)]:
        clues = random_clues(rng, shape, 5)
        data = tmp_path / "board.dzn"
        export(nm.Kuromasu(clues), "minizinc", data)
        command = ["minizinc", "-a", "--solver", "gecode", str(MODELS / "kuromasu.mzn"), str(data)]
        ran = subprocess.run(command, capture_output=True, text=True)
        assert ran.returncode == 0, ran.stderr
        rows = [row for row in ran.stdout.split("\n") if len(row) == shape[1]]
        found = {"\n".join(rows[i : i + shape[0]]) for i in range(0, len(rows), shape[0])}
        assert found == twin.answers(clues)


def test_shapes_says_that_it_does_not_apply():
    for presolve in (None, "none", "lookahead"):
        with pytest.raises(nm.OptionError, match="'shapes' does not apply to the constraint Sight"):
            nm.solve(board(K1.replace("-", ".")), "shapes", presolve=presolve)


@pytest.mark.parametrize("backend", ["cpsat", "sat", "search"])
@pytest.mark.parametrize("presolve", ["none", "rules", "lookahead"])
def test_presolve_changes_no_answer(backend, presolve):
    rng = random.Random(11)
    for _ in range(40):
        clues = random_clues(rng, (4, 4))
        expected = twin.answers(clues)
        result = nm.solve(nm.Kuromasu(clues), backend, presolve=presolve)
        assert result.status == ["infeasible", "unique", "multiple"][min(len(expected), 2)], repr(result.puzzle)
        assert {str(answer) for answer in (result.solution, result.second) if answer} <= expected
        assert result.searched or presolve != "none"
        assert result.presolved.owners_removed == 0


# techniques


def any_start(rng, clues):
    share = rng.choice([0, 0, 0.1, 0.3])
    values = np.array([rng.choice([SHADED, UNSHADED]) if rng.random() < share else 0 for _ in range(clues.size)])
    values[(clues.ravel() != 0) & (values == SHADED)] = UNDECIDED
    return values.reshape(clues.shape)


def in_short(deduction):
    back = [
        ((move.name, [divmod(c, deduction.clues.shape[1]) for c in move.cells], move.value)) for move in deduction.moves
    ]
    return back, deduction.values.tolist(), deduction.is_broken


def test_kernel_steps_as_its_twin_does():
    rng = random.Random(2)
    used = set()
    for _ in range(300):
        clues = random_clues(rng, rng.choice([*SHAPES, (5, 3)]))
        start = any_start(rng, clues)
        level = rng.choice(["easy", "medium", "hard", "expert"])
        names = twin.TECHNIQUES[: KUROMASU.hardest(level) + 1]
        steps, values, broken = twin.run(clues, start, names)
        found = in_short(deduce.run(clues, start, level=level, profile=KUROMASU))
        assert found == (steps, values.tolist(), broken), repr(nm.Kuromasu(clues))
        used |= {step[0] for step in steps}
        # all at once comes to the same position
        settled = deduce.rules(clues, start, KUROMASU)
        steps, values, broken = twin.run(clues, start, twin.MEDIUM)
        assert settled.is_broken == broken and (broken or (settled.values == values).all())
    assert used >= set(twin.MEDIUM)


def test_search_nodes_are_those_of_the_twin():
    rng = random.Random(5)
    found = []
    for _ in range(40):
        clues = random_clues(rng, rng.choice([(3, 3), (3, 4), (4, 4), (1, 5)]), 5)
        board = deduce.turned(clues, deduce.canonical_orientation(clues))
        found.append(twin.search_nodes(board))
        solutions = len(twin.answers(clues))
        assert deduce.plain_search(clues, 10**6) == (found[-1], solutions)
        assert deduce.plain_search(clues, 0)[0] >= min(found[-1], 1)
        assert deduce.plain_search(clues, 10**6, answers=2)[1] == min(solutions, 2)
    assert max(found) > 20 and min(found) == 0


def test_lookahead_is_sound_and_knows_more_than_the_rules():
    rng = random.Random(6)
    more = 0
    for _ in range(120):
        clues = random_clues(rng)
        expected = [nm.Shading(text).cells for text in twin.answers(clues)]
        fixed = deduce.lookahead(clues, profile=KUROMASU)
        assert not (fixed.is_broken and expected)
        assert all(((fixed.values == UNDECIDED) | (fixed.values == cells)).all() for cells in expected)
        more += (fixed.values != UNDECIDED).sum() > (deduce.rules(clues, None, KUROMASU).values != UNDECIDED).sum()
    assert more > 10


def test_a_step_follows_from_its_reasons():
    """Of all answers that agree with the cells and clues of a reason, each has what the step says."""
    rng = random.Random(8)
    checked = set()
    for _ in range(250):
        clues = random_clues(rng, rng.choice([(3, 3), (3, 4), (4, 4)]), 5)
        deduction = deduce.run(clues, profile=KUROMASU)
        for step in deduction.steps:
            if step.refutation is not None or step.assumed is not None:
                assert step.rule in KUROMASU.rules and "a rule would break" in step.text
                continue
            kept = np.zeros_like(clues)
            for cell in step.clues:
                kept[cell] = clues[cell]
            before = np.zeros_like(clues)
            for cell in step.because:
                before[cell] = deduction_value(deduction, cell)
            for cells in map(cells_of, twin.answers(kept)):
                if ((before == UNDECIDED) | (before == cells)).all():
                    assert all(cells[cell] == step.value for cell in step.cells), (repr(nm.Kuromasu(clues)), step)
            assert step.word == ("black" if step.value == SHADED else "white")
            checked.add(step.technique)
    assert checked == set(twin.MEDIUM)


@cache
def cells_of(text):
    return nm.Shading(text).cells


def deduction_value(deduction, cell):
    assert deduction.values[cell] != UNDECIDED
    return deduction.values[cell]


def test_sentences():
    texts = [step.text for step in nm.rate(board(K1.replace("-", "."))).steps]
    assert texts[:3] == [
        "The 7 at row 1, column 4 sees at most 4 cells in the other directions, besides its own, so at least 2 cells "
        "below.",
        "The 2 at row 3, column 3 sees 2 cells, so its sight ends there.",
        "Row 3, column 5 is black, so no cell beside it is.",
    ]
    assert "If row 1, column 2 were white, the 7 at row 1, column 4 would see 8 cells. So it is black." in texts


def test_plain_and_compiled_are_the_same(monkeypatch):
    rng = random.Random(9)
    boards = [random_clues(rng, (4, 4)) for _ in range(10)]

    def all_of_it():
        return [
            (in_short(deduce.run(clues, profile=KUROMASU)), deduce.lookahead(clues, profile=KUROMASU).values.tolist(),
             deduce.plain_search(clues, 10**6))
            for clues in boards
        ]  # fmt: skip

    deduce.load_kernel("kuromasu")
    kernels, used = position.KERNELS["kuromasu"], []
    expected = all_of_it()

    def either(cells):
        used.append(kernels.plain if len(used) % 4 < 3 else kernels.compiled.load())
        return used[-1]

    monkeypatch.setattr(kernels, "for_board", either)
    monkeypatch.setattr(position, "TRIES", 1)
    assert all_of_it() == expected and len(used) > 3 * len(boards)


def test_a_small_board_waits_for_nothing():
    code = """
import sys
import nurikabe_mip as nm
print(nm.rate("kurodoko/5/5/i7g5l2l2g4i").level, "numba" in sys.modules)
"""
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert (ran.stdout, ran.stderr) == ("easy False\n", "")


# ratings and hints


def test_rating():
    rating = nm.rate(board(K1.replace("-", ".")))
    assert (rating.level, rating.search_nodes_per_cell, rating.unique, rating.solved) == ("easy", 0.0, True, True)
    assert (rating.profile, rating.version) == ("kuromasu-human", 1)
    assert str(rating).startswith("easy (13 steps, 0 search nodes a cell): beside_black 6,")
    janko_60 = nm.read("5x5:3q5a6c9")
    ratings = [nm.rate(nm.Kuromasu(turned)) for turned in orientations(janko_60.clues)]
    assert {(r.level, r.search_nodes_per_cell, tuple(r.counts.items())) for r in ratings} == {
        ("hard", 0.24, tuple(ratings[0].counts.items()))
    }
    with pytest.raises(nm.NotUniqueError, match="several solutions"):
        nm.rate(board(".../.../..."))
    with pytest.raises(nm.NotUniqueError, match="no solution: the 9"):
        nm.rate(board("9../.../..."))


def test_hints_lead_to_the_solution():
    puzzle = nm.read("5x5:3q5a6c9")
    solution = nm.solve(puzzle).solution
    shading, hint = None, nm.hint(puzzle)
    for _ in range(40):
        if hint.status != "step":
            break
        cells = hint.shading.cells.copy()
        for cell in hint.cells:
            assert cells[cell] == UNDECIDED and solution.cells[cell] == hint.value
            cells[cell] = hint.value
        shading = nm.Shading(cells)
        hint = nm.hint(puzzle, shading)
    assert hint.status == "finished" and shading == solution
    assert nm.hint(puzzle, "##... ..... ..... ..... .....").status == "broken"
    assert nm.hint(puzzle, ".#... ..... ..... ..... .....", wrong=True).wrong == ((0, 1),)


def test_pictures():
    puzzle = board(K1.replace("-", "."))
    result = nm.solve(puzzle)
    assert f'fill="{INK}"/>' in svg(puzzle, result.solution) and ">7</text>" in svg(puzzle)
    assert "Kuromasu, 5 rows by 5 columns" in result._repr_html_()
    shown = cards(nm.rate(puzzle))
    assert "beside_black" in shown and " are white" in shown and "are sea" not in shown
    assert "sight_needs" in hint_card(nm.hint(puzzle))


def test_command_line():
    done = CliRunner().invoke(main, ["rate", "5x5:3q5a6c9", "--json"])
    record = json.loads(done.output)
    assert (record["level"], record["search_nodes_per_cell"], record["profile"]) == ("hard", 0.24, "kuromasu-human")
    done = CliRunner().invoke(main, ["convert", "kurodoko/5/5/i7g5l2l2g4i", "--to", "sgt"])
    assert done.output == "5x5:c7a5f2f2a4c\n"
    done = CliRunner().invoke(main, ["solve", "5x5:c7a5f2f2a4c", "--verify", "cpsat"])
    assert done.exit_code == 0 and "\n# 4 - - #\n" in done.output
    options = ["--genre", "kuromasu", "--level", "easy", "--black-share", "0.15", "--to", "sgt"]
    done = CliRunner().invoke(main, ["generate", "6x7", *options])
    assert nm.read(done.output).shape == (6, 7)


RANGE = shutil.which("sgt-range", path=f"{os.environ['PATH']}{os.pathsep}/usr/games")


@pytest.mark.skipif(RANGE is None, reason="Simon Tatham's Puzzles are not installed (Debian: sgt-puzzles)")
def test_range_loads_what_we_write(tmp_path):
    """Without a display it reads game IDs and saves them as games, which we read."""
    corpus = nm.load_corpus(genre="kuromasu")[::5]
    ids = "".join(f"{nm.write(puzzle, 'sgt')}\n" for puzzle in corpus)
    command = [RANGE, "--save", str(tmp_path / "game"), "--save-suffix", ".sav"]
    ran = subprocess.run(command, input=ids, capture_output=True, text=True)
    assert ran.returncode == 0, ran.stderr
    assert [nm.read(tmp_path / f"game{number}.sav") for number in range(len(corpus))] == list(corpus)


# the generator


@pytest.mark.parametrize("level", ["any", "easy", "medium", "hard", "expert"])
def test_generated_puzzles_are_unique_and_of_their_level(level):
    for seed, shape in enumerate([(7, 7), (8, 6), (10, 10), (3, 9)]):
        made = nm.generate(shape, level, seed, genre="kuromasu")
        assert made.puzzle.shape == shape and made.puzzle.answer == made.solution
        assert level in ("any", made.level) and made.level == nm.rate(made.puzzle).level
        for backend in ("cpsat", "sat"):
            result = nm.solve(made.puzzle, backend)
            assert result.status is nm.Status.UNIQUE and result.solution == made.solution


def test_packaged_puzzles():
    corpus = nm.load_corpus(genre="kuromasu")
    assert len(corpus) > 100 and {puzzle.info["level"] for puzzle in corpus} == {"easy", "medium", "hard", "expert"}
    for puzzle in corpus[::8]:
        result, rating = nm.solve(puzzle, "sat"), nm.rate(puzzle)
        assert result.status is nm.Status.UNIQUE and result.solution == puzzle.answer
        assert (rating.level, counts_text(rating)) == (puzzle.info["level"], puzzle.info["counts"])
        made = nm.generate(
            puzzle.shape, puzzle.info["asked"], int(puzzle.info["seed"]), genre="kuromasu",
            symmetry=puzzle.info.get("symmetry"),
        )  # fmt: skip
        assert made.puzzle == puzzle


def test_every_number_left_is_needed():
    for seed in range(4):
        clues = np.array(nm.generate((7, 7), "any", seed, genre="kuromasu").puzzle.clues)
        for cell in np.argwhere(clues != 0):
            without = clues.copy()
            without[tuple(cell)] = 0
            assert nm.count(nm.Kuromasu(without), limit=2) == 2


@pytest.mark.parametrize("symmetry", ["rotate180", "rotate90", "mirror", "flip", "diagonal"])
def test_symmetric_numbers(symmetry):
    clues = nm.generate((8, 8), "medium", 3, genre="kuromasu", symmetry=symmetry).puzzle.clues != 0
    image = {"rotate180": clues[::-1, ::-1], "rotate90": np.rot90(clues), "mirror": clues[:, ::-1], "flip": clues[::-1],
             "diagonal": clues.T}[symmetry]  # fmt: skip
    assert (clues == image).all()


def test_black_share():
    for share, black in ((0, 0), (0.1, 10), (0.25, 25)):
        made = nm.generate((10, 10), seed=1, genre="kuromasu", black_share=share)
        assert (made.solution.cells == SHADED).sum() == black
    most = nm.generate((10, 10), seed=1, genre="kuromasu", black_share=0.5)
    assert 25 < (most.solution.cells == SHADED).sum() < 50
    for options in ({"black_share": 0.7}, {"black_share": "all"}, {"hidden": 0.1}, {"require": "no_pool"}):
        with pytest.raises(nm.OptionError, match=r"black_share is a number|is an option of nurikabe alone"):
            nm.generate((5, 5), genre="kuromasu", **options)
    with pytest.raises(nm.OptionError, match="black_share is an option of kuromasu alone"):
        nm.generate((5, 5), black_share=0)


def test_the_same_seed_gives_the_same_puzzle():
    made = nm.generate((7, 7), "hard", 5, genre="kuromasu")
    assert nm.write(made.puzzle, "sgt") == "7x7:3b6c9c8a9_3m5k13e6b"
    again = [one.puzzle for one in nm.generate_many(3, (7, 7), "hard", 5, genre="kuromasu", jobs=1)]
    assert again[0] == made.puzzle and len({nm.write(puzzle, "sgt") for puzzle in again}) == 3
    with pytest.raises(nm.GenerationFailed):
        nm.generate((3, 3), "beyond", genre="kuromasu", attempts=5)
    with pytest.raises(nm.GenerationFailed, match="the time was up"):
        nm.generate((40, 40), "expert", genre="kuromasu", time_limit=0.2)
