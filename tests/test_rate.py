"""Ratings and hints."""

import json
import random
import time
from xml.etree import ElementTree

import boards
import numpy as np
import pytest
from click.testing import CliRunner

import nurikabe_mip as nm
from nurikabe_mip.cli import main

FIVE = ".5.../..2../...../..1../...3."
LARGE = "nurikabe/10/10/g1m-14k1s1s1jem1zt1i1j"  # hard, 74 steps


def replayed(rating: nm.Rating, solutions: set[str]) -> nm.Shading:
    """Walk through the steps and look at each: every solution that has the board so far has what the step decides."""
    values = np.where(rating.puzzle.clues != 0, -1, 0)
    cells = [nm.Shading(solution).cells for solution in solutions]
    for step in rating.steps:
        assert step.cells and step.technique in rating.counts and step.text
        for cell in step.cells:
            assert values[cell] == 0
            assert all(solution[cell] == step.value for solution in cells)
        for cell in step.because:
            assert values[cell] != 0
        for cell in step.clues:
            assert rating.puzzle.clues[cell] != 0
        for cell in step.cells:
            values[cell] = step.value
    return nm.Shading(values)


def test_a_rating_is_a_proof():
    rng = random.Random(0)
    solved = 0
    for _ in range(220):
        puzzle = boards.random_board(rng, 4, 4)
        solutions = boards.answers(puzzle)
        if len(solutions) != 1:
            with pytest.raises(nm.NotUniqueError) as caught:
                nm.rate(puzzle)
            assert caught.value.result.status == ("multiple" if solutions else "infeasible")
            assert bool(caught.value.result.second) == bool(solutions)
            continue
        rating = nm.rate(puzzle)
        assert rating.unique and (rating.level == "beyond") != rating.solved
        assert replayed(rating, solutions) == rating.shading == rating.boards()[-1]
        assert {str(rating.shading)} == solutions or not rating.solved
        assert sum(rating.counts.values()) == len(rating.steps)
        solved += rating.solved
    assert solved > 30


def test_level_and_counts_do_not_depend_on_the_orientation():
    puzzle = nm.read(LARGE)
    ratings = [nm.rate(nm.Nurikabe(turned)) for turned in boards.orientations(puzzle.clues)]
    assert {(rating.level, tuple(rating.counts.items())) for rating in ratings} == {
        ("hard", tuple(ratings[0].counts.items()))
    }
    assert ratings[0].profile == "nurikabe-human" and ratings[0].version == 1


def test_refusals_say_what_is_there():
    with pytest.raises(nm.NotUniqueError, match=r"several solutions, such as \S+/\S+ and \S+/\S+"):
        nm.rate("3.\n..")
    with pytest.raises(nm.NotUniqueError, match="no solution: the numbers at row 1, column 1 and row 1, column 2 are"):
        nm.rate("12\n..")
    with pytest.raises(nm.OptionError, match="time_limit"):
        nm.rate("1.", time_limit=0)


def test_time_limit():
    start = time.perf_counter()
    rating = nm.rate(boards.STRESS, time_limit=0.5)
    assert time.perf_counter() - start < 1.5
    assert rating.level in (None, "beyond") and rating.unique is not False


def test_hints_lead_to_the_solution():
    puzzle = boards.board(FIVE)
    shading = nm.Shading(np.zeros(puzzle.shape, dtype=int))
    for _ in range(25):
        hint = nm.hint(puzzle, shading)
        if hint.status != "step":
            break
        cells = hint.shading.cells.copy()
        for cell in hint.cells:
            cells[cell] = hint.value
        assert hint.technique == hint.step.technique and str(hint) == hint.text
        shading = nm.Shading(cells)
    assert hint.status == "finished" and shading == nm.solve(puzzle).solution


def test_hints_from_wrong_positions():
    puzzle = boards.board(FIVE)
    broken = nm.hint(puzzle, "##.../##.../...../...../.....".replace("/", "\n"), wrong=True)
    assert broken.status == "broken" and "breaks a rule" in broken.text and broken.step is None
    assert broken.violations and (0, 0) in broken.wrong and (0, 1) in broken.wrong
    wrong = nm.hint(puzzle, "...../...../...../#..../.....".replace("/", "\n"), wrong=True)
    assert (wrong.status, wrong.wrong) == ("wrong", ((3, 0),))
    assert nm.hint(puzzle, wrong.shading).wrong is None


def test_wrong_cells_of_a_puzzle_with_several_solutions():
    puzzle = boards.board("..../..3./..../..3.")
    answers = [nm.Shading(answer).cells for answer in boards.answers(puzzle)]
    hint = nm.hint(puzzle, "-.../..../...-/....".replace("/", "\n"), wrong=True)
    assert hint.status in ("broken", "wrong")
    assert hint.wrong == tuple(c for c in ((0, 0), (2, 3)) if all(answer[c] != -1 for answer in answers)) != ()


def test_hint_without_a_technique():
    assert nm.hint("3.\n..").status == "stuck"


def test_cards_hold_a_board_a_step():
    rating = nm.rate(LARGE)
    html = rating._repr_html_()
    assert html.count("<svg ") == len(rating.steps) == 74
    ElementTree.fromstring(html)
    assert "forced" in html and "<script" not in html
    for partial in (None, "#" * 10 + "\n" + "\n".join(["." * 10] * 9)):
        assert nm.hint(LARGE, partial)._repr_html_().count("<svg ") == 1


def run(*arguments, stdin=None):
    return CliRunner().invoke(main, list(arguments), input=stdin)


def test_command_rate():
    result = run("rate", "nurikabe/5/5/g5k2o1k3g", "--steps")
    assert result.exit_code == 0, result.output
    assert "1. island_complete: row 3, column 3" in result.output and result.output.endswith("sea_exit 2\n")
    record = json.loads(run("rate", LARGE, "--json", "--steps").output)
    assert (record["level"], len(record["steps"]), record["unique"]) == ("hard", 74, True)
    several = run("rate", "nurikabe:2x2:3,.,.,.")
    assert several.exit_code == 1 and "several solutions" in several.stderr


def test_command_rate_writes_cards(tmp_path):
    result = run("rate", "-", "--html", str(tmp_path / "a.html"), stdin="nurikabe:1x2:1,.\nnurikabe:2x1:1,.\n")
    assert result.exit_code == 0
    assert sorted(path.name for path in tmp_path.iterdir()) == ["a-1.html", "a-2.html"]


def test_command_hint():
    result = run("hint", "nurikabe/5/5/g5k2o1k3g")
    assert result.exit_code == 0 and "island_complete: The island of the 1" in result.output
    wrong = run("hint", "nurikabe/5/5/g5k2o1k3g", "...../...../...../#..../.....", "--wrong", "--json")
    assert wrong.exit_code == 1 and json.loads(wrong.output)["wrong"] == [[3, 0]]
    assert run("hint", "nurikabe:1x2:1,.\nnurikabe:1x2:1,.").exit_code == 2
