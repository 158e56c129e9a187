"""Puzzle and Shading as values."""

import pickle

import numpy as np
import pytest

import nurikabe_mip as nm
from nurikabe_mip.grid import grid_of


def test_puzzles_from_many_things():
    puzzle = nm.Nurikabe([[1, 0, 2], [0, 0, -1]])
    for same in (["1.2", "..?"], ["1 . 2", ". . ?"], [[1, None, "2"], ".-?"], np.array([[1, 0, 2], [0, 0, -1]])):
        assert nm.Nurikabe(same) == puzzle and hash(nm.Nurikabe(same)) == hash(puzzle)
    assert puzzle.shape == (2, 3) and puzzle.clue_cells == ((0, 0), (0, 2), (1, 2))
    assert puzzle != nm.Nurikabe(["1.2", "..."]) and puzzle != "1.2"
    assert str(puzzle) == "1 . 2\n. . ?"
    assert eval(repr(puzzle), {"Nurikabe": nm.Nurikabe}) == puzzle


def test_puzzles_are_frozen_and_travel():
    source = np.array([[1, 0]])
    puzzle = nm.Nurikabe(source, name="a", answer=nm.Shading("-#"), info={"author": "me"})
    source[0, 1] = 2
    assert puzzle == nm.Nurikabe(["1."])
    with pytest.raises(ValueError, match="read-only"):
        puzzle.clues[0, 0] = 2
    with pytest.raises(AttributeError):
        puzzle.name = "b"
    again = pickle.loads(pickle.dumps(puzzle))
    assert (again, again.name, again.answer, dict(again.info)) == (puzzle, "a", puzzle.answer, {"author": "me"})


@pytest.mark.parametrize(
    "rows, message",
    [
        ([], "at least one row"),
        ([[]], "at least one row"),
        (["1.", "."], "must be of one length"),
        (["1x"], "found 'x'"),
        (["0."], "found 0"),
        ([[1.5]], "whole number"),
        (["5."], "row 1, column 1: a clue is a number from 1 to 2 or [?], found 5"),
        ([[-2, 0]], "found -2"),
        (["²."], "found '²'"),
    ],
)
def test_bad_puzzles(rows, message):
    with pytest.raises(nm.PuzzleError, match=message):
        nm.Nurikabe(rows)


def test_an_answer_of_another_shape_is_refused():
    with pytest.raises(nm.PuzzleError, match="its answer"):
        nm.Nurikabe(["1."], answer=nm.Shading("#"))


def test_shadings():
    shading = nm.Shading("-#.\n###")
    for same in (["-#.", "###"], [[-1, 1, 0], [1, 1, 1]], np.array([[-1, 1, 0], [1, 1, 1]])):
        assert nm.Shading(same) == shading and hash(nm.Shading(same)) == hash(shading)
    assert str(shading) == "-#.\n###" and shading.rows == ["-#.", "###"]
    assert not shading.is_finished and shading.finished() == nm.Shading("-#-\n###") and shading.finished().is_finished
    assert shading.differing(nm.Shading("-#-\n##-")) == ((0, 2), (1, 2))
    assert pickle.loads(pickle.dumps(shading)) == shading
    assert eval(repr(shading), {"Shading": nm.Shading}) == shading
    assert shading != nm.Shading("-#.") and shading != "-#."


@pytest.mark.parametrize(
    "rows, message",
    [
        ("", "at least 1x1"),
        ("-x", "row 1, column 2: expected #, - or . and found 'x'"),
        ("-#\n-", "one length"),
        ([[1, 2]], "1 .shaded."),
        ([[0.5]], "1 .shaded."),
        ([[1], [1, 1]], "one length"),
    ],
)
def test_bad_shadings(rows, message):
    with pytest.raises(nm.PuzzleError, match=message):
        nm.Shading(rows)
    with pytest.raises(nm.PuzzleError, match="cannot be compared"):
        nm.Shading("#").differing(nm.Shading("##"))


def test_grid():
    grid = grid_of((2, 3))
    assert grid is grid_of((2, 3)) and grid.size == 6
    assert grid.neighbours == ((1, 3), (0, 2, 4), (1, 5), (0, 4), (1, 3, 5), (2, 4))
    assert grid.edges == ((0, 1), (0, 3), (1, 2), (1, 4), (2, 5), (3, 4), (4, 5))
    assert grid.blocks.tolist() == [[0, 1, 3, 4], [1, 2, 4, 5]] and grid_of((1, 4)).blocks.shape == (0, 4)
    assert [grid.index(grid.cell(c)) for c in range(6)] == list(range(6))
    assert grid.components([True, False, True, True, False, True]) == [[0, 3], [2, 5]]
    assert grid.distances([0], [False, True, True, True, False, True]).tolist() == [0, 1, 2, 1, -1, 3]
    assert grid.distances([0], [True] * 6, limit=1).tolist() == [0, 1, -1, 1, -1, -1]
