"""Formats over random boards and damaged texts."""

import json
import warnings
from contextlib import suppress

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from nurikabe_mip import FormatError, Kuromasu, Nurikabe, OptionError, Shading
from nurikabe_mip.formats import FORMATS, BadRecordWarning, read, read_answer, read_many, write, write_answer
from nurikabe_mip.puzzles import Puzzle

KEYS = ("id", "name", "genre", "puzzle", "grid", "solution", "data", "problem", "info")
KEEP_ANSWERS = ("text", "json", "janko", "puzzlekit")
fuzz = settings(deadline=None, max_examples=150)


@st.composite
def puzzles(draw, unknown=True):
    """Boards up to 12x12, now and then one whose clues have three digits."""
    rows, columns = draw(
        st.one_of(st.tuples(st.integers(1, 7), st.integers(1, 12)), st.just((12, 7)), st.just((17, 19)))
    )
    number = st.one_of(st.integers(1, min(15, rows * columns)), st.integers(1, rows * columns))
    places = st.tuples(st.integers(0, rows - 1), st.integers(0, columns - 1))
    clues = np.zeros((rows, columns), dtype=int)
    for place, clue in draw(st.dictionaries(places, number | st.just(-1) if unknown else number, max_size=20)).items():
        clues[place] = clue
    cells = draw(st.binary(min_size=rows * columns, max_size=rows * columns))
    answer = Shading(np.frombuffer(cells, dtype=np.uint8).reshape(rows, columns).astype(int) % 3 - 1)
    return draw(st.sampled_from([Nurikabe, Kuromasu]))(clues, answer=draw(st.none() | st.just(answer)))


def holds(fmt, puzzle):
    """Whether a format can hold the puzzle."""
    if fmt == "sgt":
        fits = (puzzle.clues >= 0).all() and puzzle.clues.max() < sum(puzzle.shape)
        return puzzle.genre == "kuromasu" and fits
    return fmt != "river" or (puzzle.clues >= 0).all()


@fuzz
@given(puzzles())
@example(Nurikabe(["."]))
@example(Nurikabe(["?"]))
@example(Nurikabe([[323, *[0] * 18], *[[0] * 18 + [256]] * 16]))
@example(Nurikabe([[0], [12], *[[0]] * 10]))
@example(Kuromasu([[35, *[0] * 60, 9], *[[0] * 62] * 2]))
def test_every_pair_of_formats(puzzle):
    for first in FORMATS:
        if not holds(first, puzzle):
            with pytest.raises(OptionError):
                write(puzzle, first)
            continue
        again = read(write(puzzle, first), puzzle.genre)
        assert again == puzzle
        assert again.answer == (puzzle.answer if first in KEEP_ANSWERS else again.answer)
        for second in FORMATS:
            if holds(second, puzzle):
                assert read(write(again, second), puzzle.genre) == puzzle


@fuzz
@given(puzzles())
def test_answers(puzzle):
    answer = puzzle.answer or Shading(puzzle.clues * 0 + 1)
    for fmt in FORMATS:
        shading = answer.finished() if fmt in ("river", "puzzlink", "sgt") else answer
        assert read_answer(write_answer(shading, fmt), fmt, puzzle) == shading
    assert read_answer(str(answer).replace("\n", "/")) == read_answer(write_answer(answer, "janko")) == answer


@fuzz
@given(
    st.lists(puzzles(unknown=False), min_size=1, max_size=4), st.sampled_from([f for f in FORMATS if f != "puzzlekit"])
)
def test_batches(boards, fmt):
    for genre in ("nurikabe", "kuromasu"):
        held = [board for board in boards if board.genre == genre and holds(fmt, board)]
        assert list(read_many("\n\n".join(write(board, fmt) for board in held), genre)) == held


@fuzz
@given(st.text(max_size=20), st.dictionaries(st.text(max_size=8), st.text(max_size=12), max_size=4))
def test_any_name_and_info_can_be_written(name, info):
    puzzle = Nurikabe(["1.", ".."], name=name, info=info, answer=Shading(["-#", "##"]))
    for fmt in KEEP_ANSWERS:
        again = read(write(puzzle, fmt))
        assert (again, again.answer) == (puzzle, puzzle.answer), fmt


SIGNS = "0123456789abgz.-_?#+=%@*$/:,x \t\n\r\"'{}[]()\\\0é٣²\u2028\ufeff"


@st.composite
def damaged(draw):
    puzzle = draw(puzzles(unknown=False))
    text = write(puzzle, draw(st.sampled_from([fmt for fmt in FORMATS if holds(fmt, puzzle)])))
    for _ in range(draw(st.integers(1, 3))):
        start = draw(st.integers(0, len(text)))
        # near the beginning are the headers
        start = draw(st.sampled_from([start, min(start, 40), start % 12]))
        stop = start + draw(st.sampled_from([0, 0, 1, 2, 7, len(text)]))
        text = text[:start] + draw(st.text(SIGNS, max_size=3)) + text[stop:]
    return text


def check_is_read_or_refused(text):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", BadRecordWarning)
        try:
            assert isinstance(read(text), Puzzle)
        except FormatError as error:
            assert error.message and error.record is None
            height = text.count("\n") + text.count("\r") + 1
            assert error.line is None or 1 <= error.line <= height
        errors = []
        found = list(read_many(text, on_error=errors.append))
        assert all(isinstance(puzzle, Puzzle) for puzzle in found)
        records = [error.record for error in errors]
        assert records == sorted(set(records)) and all(1 <= n <= len(found) + len(errors) for n in records)


@settings(deadline=None, max_examples=600)
@given(damaged())
def test_damaged_texts_are_refused_with_a_place(text):
    check_is_read_or_refused(text)


@settings(deadline=None, max_examples=300)
@given(st.text(SIGNS) | st.text())
def test_any_text_is_read_or_refused(text):
    check_is_read_or_refused(text)
    for fmt in FORMATS:
        with suppress(FormatError):
            assert isinstance(read(text, format=fmt), Puzzle)
        with suppress(FormatError):
            assert isinstance(read_answer(text, fmt), Shading)


VALUES = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-2, 9)
    | st.floats()
    | st.sampled_from(["nurikabe", "1.", "1 1\n1", "#", ""]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(KEYS), inner, max_size=3),
    max_leaves=8,
)


@settings(deadline=None, max_examples=400)
@given(st.dictionaries(st.sampled_from(KEYS), VALUES, max_size=5) | VALUES)
def test_json_of_any_shape_is_read_or_refused(value):
    check_is_read_or_refused(json.dumps(value))
    check_is_read_or_refused(json.dumps(value, indent=0))
    for fmt in ("json", "puzzlekit"):
        with suppress(FormatError):
            read(json.dumps(value), format=fmt)


@fuzz
@given(puzzles(), st.sampled_from(list(FORMATS)), st.data())
def test_truncated_texts(puzzle, fmt, data):
    if not holds(fmt, puzzle):
        fmt = "id"
    text = write(puzzle, fmt)
    check_is_read_or_refused(text[: data.draw(st.integers(0, len(text)))])


@fuzz
@given(puzzles())
def test_swapped_sides(puzzle):
    rows, columns = puzzle.shape
    for fmt, form in (
        ("id", ":{}x{}:"),
        ("pzprv3", "\n{}\n{}\n"),
        ("puzzlekit", "{} {}\\n"),
        ("janko", "rows {}\ncols {}\n"),
    ):
        text = write(puzzle, fmt)
        assert form.format(rows, columns) in text
        swapped = text.replace(form.format(rows, columns), form.format(columns, rows), 1)
        if fmt == "id" or rows == columns:  # an ID of the other shape is a puzzle, too
            check_is_read_or_refused(swapped)
        else:
            with pytest.raises(FormatError):
                read(swapped)
