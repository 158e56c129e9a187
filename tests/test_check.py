"""The checker against the oracle, on finished and on partial answers."""

import random
from itertools import product

import boards
import numpy as np
import pytest

import nurikabe_mip as nm

FIVE = ".5.../..2../...../..1../...3."


def finished(rows: str) -> nm.Shading:
    """An answer from rows in which all but `#` is unshaded, as other programs write them."""
    return nm.Shading(["".join(s if s == "#" else "-" for s in row) for row in rows.split("/")])


def found(puzzle: nm.Nurikabe, rows: str) -> dict[str, nm.Violation]:
    return {violation.rule: violation for violation in nm.check(puzzle, rows.replace("/", "\n"))}


def test_right_answers_and_only_these_pass():
    rng = random.Random(0)
    for shape in [(3, 3), (2, 4), (1, 6)]:
        for _ in range(15):
            puzzle = boards.random_board(rng, *shape)
            expected = boards.answers(puzzle)
            for signs in product((1, -1), repeat=shape[0] * shape[1]):
                shading = nm.Shading(np.array(signs).reshape(shape))
                assert (not nm.check(puzzle, shading)) == (str(shading) in expected)


def test_a_part_of_a_solution_breaks_nothing():
    rng, noise = random.Random(1), np.random.default_rng(1)
    for _ in range(150):
        puzzle = boards.random_board(rng, 3, 4)
        for answer in sorted(boards.answers(puzzle))[:3]:
            cells = nm.Shading(answer).cells * (noise.random((3, 4)) < 0.5)
            assert nm.check(puzzle, nm.Shading(cells)) == []


@pytest.mark.parametrize(
    "rule, rows",
    [
        ("R4", ".5.../..2../##.../##1../...3."),
        ("R2", ".5##./.#2.#/.####/.#1../#..3."),  # an island without a number
        ("R3", ".5###/.#2.#/..###/..1../...3."),
        ("R2", ".5###/.#2.#/.####/.#1../..#3."),  # one with two
        ("R1", ".5###/.#2.#/.####/.#1#./.##3."),
    ],
)
def test_rules_as_other_programs_judge_them(rule, rows):
    assert rule in found(boards.board(FIVE), str(finished(rows)))


def test_the_right_answer():
    assert nm.check(boards.board(FIVE), finished("..###/.#..#/.####/.#.#./###..")) == []


def test_what_each_violation_carries():
    size = found(boards.board(FIVE), "--###/-#--#/-####/-#-#-/-##--")
    assert size.keys() == {"R1"}
    assert (size["R1"].clue, size["R1"].minimum, size["R1"].maximum) == ((0, 1), 6, 6)
    assert str(size["R1"]) == "R1: the island of the 5 at row 1, column 2 has 6 cells"
    both = found(boards.board("3.1/.../..."), "---/#-#/###")
    assert both.keys() == {"R2"} and both["R2"].components == (((0, 0), (0, 1), (0, 2), (1, 1)),)
    loose = found(boards.board("1../.../..."), "-##/##-/#--")
    assert loose["R2"].components == (((1, 2), (2, 1), (2, 2)),)
    parts = found(boards.board("3../.../..."), "-##/-#-/--#")
    assert parts["R3"].components == (((0, 1), (0, 2), (1, 1)), ((2, 2),))
    clue = found(boards.board("1../..."), "###/###")
    assert clue["R5"].clue == (0, 0) and clue["R4"].shaded == ((0, 1), (0, 2), (1, 1), (1, 2))
    assert "no cell is shaded" in found(boards.board("4./.."), "--/--")["R3"].message


def test_sizes_still_possible_in_a_partial_answer():
    puzzle = boards.board("4.../....")
    assert found(puzzle, "...#/....") == {}
    short = found(puzzle, ".#../.#..")["R1"]
    assert (short.minimum, short.maximum) == (1, 2)
    assert "can have 1 to 2 cells" in short.message
    long = found(puzzle, "----/-...")["R1"]
    assert (long.minimum, long.maximum) == (5, 8)


def test_sea_and_islands_that_can_no_longer_be_mended():
    split = found(boards.board("3..../....."), "--#.#/#-..#")
    assert "R3" not in found(boards.board("2..../....."), "..#../.....")
    assert split["R3"].components == (((0, 2), (0, 4), (1, 4)), ((1, 0),))
    assert "R2" in found(boards.board("2....."), "....-.")
    assert "R2" not in found(boards.board("2....."), ".-....")
    assert found(boards.board("?....."), "....-.") == {}


def test_undecided_cells_count_as_unshaded_only_when_finished():
    puzzle = boards.board("2..")
    assert nm.check(puzzle, "..#") == []
    assert nm.check(puzzle, nm.Shading("..#").finished()) == []
    assert [v.rule for v in nm.check(puzzle, nm.Shading("...").finished())] == ["R1", "R3"]


def test_shapes_must_agree():
    with pytest.raises(nm.PuzzleError, match=r"the puzzle has the shape \(1, 3\) and the answer \(1, 2\)"):
        nm.check(boards.board("2.."), "-#")


@pytest.mark.parametrize(
    "rows, names",
    [
        ("12/..", ["side_by_side"]),
        ("3./.3", ["too_many_cells"]),
        ("3./.1", ["no_sea"]),
        ("?1", ["side_by_side", "no_sea"]),
        ("1./.1", []),
        (".", []),
    ],
)
def test_named_mistakes(rows, names):
    puzzle = boards.board(rows)
    mistakes = nm.named_mistakes(puzzle)
    assert [mistake.name for mistake in mistakes] == names
    for mistake in mistakes:
        assert set(mistake.cells) <= set(puzzle.clue_cells) and mistake.cells
        assert boards.answers(puzzle) == set()
