"""The backend of island shapes: its lists, its cap, and what it does not apply to."""

import random
import time
from itertools import combinations

import boards
import numpy as np
import pytest

from nurikabe_mip import Nurikabe, OptionError, Shading, read
from nurikabe_mip.backends import shapes
from nurikabe_mip.backends.base import LimitReached, Run
from nurikabe_mip.constraints import Connected, Islands, NoPool, NoTouch, ShadingModel, Sight
from nurikabe_mip.grid import grid_of
from nurikabe_mip.puzzles import SHADED, UNSHADED

MAX_SHAPES = shapes.OPTIONS["max_shapes"].default
FIXED_POLYOMINOES = [1, 2, 6, 19, 63, 216, 760]  # of 1, 2, … cells: A001168 of the OEIS


def found(model: ShadingModel, max_shapes: int = MAX_SHAPES, run: Run | None = None) -> list[str]:
    every = shapes.shadings(model, run or Run(), max_shapes)
    return [str(Shading(values.reshape(model.shape))) for values in every]


def listed(rows: str, size: int) -> set[frozenset]:
    """The shapes that start at `S`, as cell indices; `L` is land, `W` sea, and `.` open."""
    lines = rows.split("/")
    signs = "".join(lines)
    board = shapes._Board((len(lines), len(lines[0])))
    start, land, sea = (
        sum(1 << place for place, sign in zip(board.places, signs, strict=True) if sign in kind)
        for kind in ("S", "SL", "W")
    )
    lister = shapes._Lister(board, Run(), 10**6)
    masks, complete = lister.shapes(start, size, size, board.cells & ~sea, 0, land, sea, 10**6)
    assert complete
    sets = [frozenset(i for i, place in enumerate(board.places) if mask >> place & 1) for mask in masks]
    assert len(set(sets)) == len(sets)
    return set(sets)


@pytest.mark.parametrize("size", range(1, 8))
def test_shapes_on_an_open_board(size):
    """A cell lies in n times as many polyominoes of n cells as there are fixed ones."""
    rows = [["."] * (2 * size - 1) for _ in range(2 * size - 1)]
    rows[size - 1][size - 1] = "S"
    enclosing = 4 if size == 7 else 0  # the heptomino with a hole cuts the sea
    assert len(listed("/".join(map("".join, rows)), size)) == size * (FIXED_POLYOMINOES[size - 1] - enclosing)


def test_shapes_take_the_land_that_they_touch():
    assert listed("S.L", 3) == {frozenset({0, 1, 2})}
    assert listed("S.L", 2) == set()
    assert listed("S..L", 2) == {frozenset({0, 1})}
    assert listed("SW/..", 2) == {frozenset({0, 2})}


def test_shapes_against_all_subsets():
    """No shape that a solution can have is missing; none takes sea, has land beside it or cuts known sea."""
    rng = random.Random(8)
    grid = grid_of((4, 4))

    def beside(cells):
        return {d for c in cells for d in grid.neighbours[c]} - set(cells)

    def is_one(cells, through=None):
        parts = grid.components([c in (cells if through is None else through) for c in range(16)])
        return sum(not cells.isdisjoint(part) for part in parts) <= 1

    for _ in range(120):
        signs = rng.choices(".LW", (12, 1, 2), k=16)
        signs[rng.randrange(16)] = "S"
        land, sea = ({c for c in range(16) if signs[c] in kind} for kind in ("SL", "W"))
        if not is_one(sea, set(range(16)) - land):
            continue
        size = rng.randint(1, 6)
        masks = listed("/".join("".join(signs[i : i + 4]) for i in range(0, 16, 4)), size)
        for cells in map(frozenset, combinations(range(16), size)):
            fits = "S" in {signs[c] for c in cells} and is_one(cells) and not cells & sea
            fits = fits and not beside(cells) & land and is_one(sea, set(range(16)) - land - cells)
            wet = sea | beside(cells)
            pool = any(wet.issuperset(block) for block in grid.blocks.tolist())
            if cells in masks:
                assert fits
            elif fits and not pool:
                assert not is_one(wet, set(range(16)) - land - cells)


@pytest.mark.parametrize("shape", [(1, 6), (3, 3), (3, 4), (4, 4), (6, 2)])
def test_all_solutions(shape):
    rng = random.Random(str(shape))
    for _ in range(60):
        puzzle = boards.random_board(rng, *shape)
        answers = found(ShadingModel.of(puzzle))
        assert len(set(answers)) == len(answers)
        assert set(answers) == boards.answers(puzzle), repr(puzzle)


def test_given_cells():
    """Every solution extends the given cells, whether they help or contradict."""
    rng = random.Random(4)
    for _ in range(150):
        puzzle = boards.random_board(rng, 3, 4)
        given = np.array(rng.choices((SHADED, UNSHADED, 0), (1, 1, 4), k=12))
        answers = boards.answers(puzzle)
        kept = {answer for answer in answers if ((given == 0) | (Shading(answer).cells.ravel() == given)).all()}
        model = ShadingModel.of(puzzle)
        assert set(found(model.with_fixed(np.where(given == 0, model.fixed, given)))) == kept, repr(puzzle)


def test_unknown_sizes():
    for rows in ("?..", "?.?/.../...", "..?/?../..2", "?"):
        puzzle = boards.board(rows)
        assert set(found(ShadingModel.of(puzzle))) == boards.answers(puzzle)


@pytest.mark.parametrize("name", boards.WITNESSES)
def test_witnesses(name):
    rows, answer = boards.WITNESSES[name]
    assert found(ShadingModel.of(boards.board(rows))) == [answer.replace("/", "\n")]


def test_contradictions():
    for rows in (boards.NONE, "12", "3./..", "..", "1"):
        model = ShadingModel.of(boards.board(rows))
        # all sea, all land
        assert found(model.with_fixed(np.full(model.grid.size, SHADED))) == ([".."] and ["##"] if rows == ".." else [])
        assert found(model.with_fixed(np.full(model.grid.size, UNSHADED))) == []
    assert found(ShadingModel.of(boards.board(boards.NONE))) == []


def test_too_many_shapes():
    """The clue and the number are named; small islands are listed all the same."""
    rows = [["."] * 9 for _ in range(9)]
    rows[4][4], rows[0][8] = "9", "1"
    run = Run()
    with pytest.raises(shapes.TooManyShapes) as raised:
        found(ShadingModel.of(Nurikabe(rows)), 5000, run)
    assert str(raised.value).startswith("too many shapes: the island of the 9 at row 5, column 5 has ")
    assert str(raised.value).endswith("; max_shapes=5000 holds for all islands together")
    assert raised.value.clue == (4, 4) and raised.value.size == 9
    assert isinstance(raised.value, LimitReached)
    assert run.stats.variables == 1
    rows[4][4] = "?"
    with pytest.raises(shapes.TooManyShapes, match=r"the island of the \? at row 5, column 5 has "):
        found(ShadingModel.of(Nurikabe(rows)), 5000)


def test_cap_is_on_all_lists_together():
    model = ShadingModel.of(boards.board("3...3/...../...../...../3...3"))
    run = Run()
    assert len(found(model, 1000, run)) == len(found(model))
    assert run.stats.variables == 8
    with pytest.raises(shapes.TooManyShapes, match="3 at row"):
        found(model, 4)


def test_what_it_does_not_apply_to():
    clues = Islands(((0, 1),))
    rest = (Connected(SHADED, nonempty=True), NoPool())
    fixed = np.zeros(4)
    for other in (NoTouch(), Sight(()), Connected(UNSHADED), Connected(SHADED)):
        with pytest.raises(OptionError, match=f"'shapes' does not apply to the constraint {type(other).__name__}"):
            found(ShadingModel((2, 2), (clues, *rest, other), fixed))
    for few in ((), (clues,), (clues, NoPool()), rest):
        with pytest.raises(OptionError, match="needs the constraints of a Nurikabe"):
            found(ShadingModel((2, 2), few, fixed))


@pytest.mark.parametrize("max_shapes", [0, -1, True, 2.5, "many", None])
def test_bad_caps(max_shapes):
    with pytest.raises(OptionError, match="max_shapes is a whole number from 1; got"):
        found(ShadingModel.of(boards.board("1.")), max_shapes)


def test_limits_while_listing_and_searching():
    rows = [["."] * 9 for _ in range(9)]
    rows[4][4] = "25"
    for puzzle, most in ((Nurikabe([" ".join(row) for row in rows]), 10**9), (read(boards.STRESS), MAX_SHAPES)):
        start = time.perf_counter()
        with pytest.raises(LimitReached) as raised:
            found(ShadingModel.of(puzzle), most, Run(time_limit=0.5))
        assert time.perf_counter() - start < 1.5
        assert not isinstance(raised.value, shapes.TooManyShapes)


def test_statistics():
    run = Run()
    assert len(found(ShadingModel.of(boards.board(boards.SEVERAL)), run=run)) == 3
    assert run.stats.variables == 3 and run.stats.nodes == 4
    assert run.stats.build_seconds > 0 and run.stats.solve_seconds > 0
