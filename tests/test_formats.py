"""Formats: known-good examples, the traps between formats, exact places of errors, batches."""

import json
import warnings
from pathlib import Path

import numpy as np
import pytest

from nurikabe_mip import FormatError, Nurikabe, OptionError, PuzzleError, Shading
from nurikabe_mip.check import check
from nurikabe_mip.formats import FORMATS, BadRecordWarning, read, read_answer, read_many, write, write_answer
from nurikabe_mip.puzzles import GENRES, Puzzle


def grid(puzzle: Puzzle) -> str:
    """The clues in the signs of the examples: `-` empty, rows parted by slashes."""
    return "/".join("".join(row) if max(map(len, row)) == 1 else " ".join(row) for row in puzzle.tokens).replace(
        ".", "-"
    )


@pytest.fixture
def kuromasu(monkeypatch):
    """A second genre, with no more than its entry."""

    class Kuromasu(Puzzle):
        genre = "kuromasu"

        @classmethod
        def largest_clue(cls, shape):
            return sum(shape) - 1

    monkeypatch.setitem(GENRES, "kuromasu", Kuromasu)
    return Kuromasu


# known-good examples: text, clues (None: too many to write down), answer

N1_GRID, N1_ANSWER = "-5---/--2--/-----/--1--/---3-", "..###/.#..#/.####/.#.#./###.."
JANKO_726 = """\
- - 3 - - 5 - - 4 -
4 - - - - - - - - -
- - - - - - - - - 3
- - - - - - - - - -
? - - - - - - - - -
- - - - - - - - - 5
- - - - - - - - - -
3 - - - - - - - - -
- - - - - - - - - 4
- 4 - - 2 - - 3 - -"""
ANSWER_726 = (
    ".#..#.#.../.##.#.#.##/..###.###./###.#..#../....######/###..#..../..#..#.###/.#######../##.#.#.##./...#.#..#."
)
JANKO_101 = "1 - -\n- - -\n- 5 -"
RIVER_7 = "7,7 2,0,0 2,3,1 2,6,1 2,4,3 2,2,4 8,0,6 1,2,6 3,4,6"
RIVER_5 = "5,5 3,0,1 1,4,1 2,0,4 2,2,4 2,4,4"

EXAMPLES = {
    "N1": ("nurikabe/5/5/g5k2o1k3g", N1_GRID, N1_ANSWER),
    "N3": (
        "nurikabe/10/10/1k4u1j7i3r6y1w-11m3n2",
        None,
        ".#...#..../####.#####/.#.#..#..#/..###..#.#/###..#.#.#/#...##.#.#/##.#.#.#.#/.#####.#.#/.#.....###/.#######..",
    ),
    "N4": (
        "nurikabe/10/10/g1m-14k1s1s1jem1zt1i1j",
        None,
        "#.#####.../###.#.#.##/#....##.#./#.##....##/#.#.#.##.#/#.####.#.#/#.#..###.#/#.#......#/###.###..#/#.###.####",
    ),
    "janko 101": (f"[problem]\n{JANKO_101}", "1--/---/-5-", ".#./##./..."),
    "janko 726": (f"[begin]\npuzzle nurikabe\n[problem]\n{JANKO_726}\n[end]\n", None, ANSWER_726),
    "id 5.1": ("nurikabe:3x3:.,.,.,.,.,.,5,.,1", "---/---/5-1", ".../.##/.#."),
    "id 1.1": ("nurikabe:3x3:1,.,1,.,.,.,1,.,1", "1-1/---/1-1", ".#./###/.#."),
    "json": ('{"genre":"nurikabe","puzzle":{"grid":["1.1","...","1.1"]}}', "1-1/---/1-1", ".#./###/.#."),
    "text": ("genre: nurikabe\ngrid:\n1.1\n...\n1.1\n", "1-1/---/1-1", ".#./###/.#."),
    "river 7x7": (RIVER_7, None, ".#.#..#/.####.#/.#..###/..##..#/...####/###..#./..####."),
    "puzzlekit 101": (
        json.dumps({"count": 1, "name": "Nurikabe", "data": {"101_3x3": {"problem": f"3 3\n{JANKO_101}"}}}),
        "1--/---/-5-",
        ".#./##./...",
    ),
    "puzzlekit 726": (
        json.dumps(
            {"name": "Nurikabe", "data": {"726_10x10": {"problem": "10 10\n" + JANKO_726.replace("\n", " \n")}}}
        ),
        None,
        ANSWER_726,
    ),
}


@pytest.mark.parametrize("text, clues, answer", EXAMPLES.values(), ids=EXAMPLES)
def test_example(text, clues, answer):
    puzzle = read(text)
    assert isinstance(puzzle, Nurikabe)
    assert clues is None or grid(puzzle) == clues
    assert check(puzzle, read_answer(answer, "puzzlink", puzzle)) == []


def test_clues_at_their_places():
    assert read(EXAMPLES["N3"][0]).clues[8, 2] == 17
    n4 = read(EXAMPLES["N4"][0])
    assert (n4.clues[0, 9], n4.clues[4, 8], (n4.clues == 1).sum()) == (20, 14, 7)
    assert np.argwhere(read(EXAMPLES["janko 726"][0]).clues == -1).tolist() == [[4, 0]]
    v = read("nurikabe/v:/6/6/4j4p6h4p6j6")
    assert {c: v.clues[c] for c in v.clue_cells} == {(0, 0): 4, (0, 5): 4, (2, 4): 6, (3, 1): 4, (5, 0): 6, (5, 5): 6}


def test_river_examples():
    assert write(read(RIVER_7), "puzzlink").endswith("7/7/8g1g3q2n2r2h22l")
    assert write(read(RIVER_7), "river") == RIVER_7
    assert grid(read(RIVER_5)) == "2-2-2/-----/-----/3---1/-----"
    answer = read_answer("#.#.#/#.#.#/...../###.#/.....", "river")
    assert check(read(RIVER_5), answer) == []
    assert write_answer(answer, "river") == "#.#.#\n#.#.#\n.....\n###.#\n....."


KURODOKO = {
    "kurodoko/5/5/i7g5l2l2g4i": "---7-/5----/--2--/----2/-4---",
    "kurodoko/4/4/g4g3.l.3g3g": "-4-3/?---/---?/3-3-",
    "kurodoko/5/5/h.2v25g25": "--?2-/-----/-----/-----/25-25",
    "[begin]\npuzzle kuromasu\nsize 5\n[problem]\n3 - - - -\n- - - - -\n- - - - -\n- - - 5 -\n6 - - - 9\n": (
        "3----/-----/-----/---5-/6---9"
    ),
}


@pytest.mark.parametrize("text, clues", KURODOKO.items())
def test_another_genre_needs_only_its_entry(kuromasu, text, clues):
    puzzle = read(text)
    assert type(puzzle) is kuromasu and grid(puzzle) == clues
    for fmt in FORMATS:
        if not (fmt == "river" and (puzzle.clues < 0).any()):
            assert read(write(puzzle, fmt), "kuromasu") == puzzle
    if text.startswith("kurodoko"):
        assert write(puzzle, "puzzlink") == "https://puzz.link/p?" + text


def test_largest_clue_is_the_genre_s(kuromasu):
    with pytest.raises(FormatError, match="from 1 to 4"):
        read("kurodoko/3/2/5k")
    assert read("nurikabe/3/2/5k").clues[0, 0] == 5


@pytest.mark.parametrize("text", ["kurodoko/5/5/i7g5l2l2g4i", "genre: kuromasu\ngrid:\n1", "kuromasu:1x1:1"])
def test_genre_that_is_not_known(monkeypatch, text):
    monkeypatch.delitem(GENRES, "kuromasu", raising=False)
    with pytest.raises(FormatError, match=r"nurikabe.*found 'kur") as caught:
        read(text)
    assert caught.value.line == 1


# pzpr URLs


@pytest.mark.parametrize(
    "url",
    [
        "https://puzz.link/p?nurikabe/5/5/g5k2o1k3g",
        "http://pzv.jp/p.html?nurikabe/5/5/g5k2o1k3g",
        "https://pzprxs.vercel.app/p?nurikabe/5/5/g5k2o1k3g",
        "https://puzz.link/p?type=player&nurikabe/5/5/g5k2o1k3g",
        "https://puzz.link/p?nurikabe_edit/5/5/g5k2o1k3g",
        "nurikabe_play/5/5/g5k2o1k3g",
        "  nurikabe/5/5/g5k2o1k3g/\n",
        "nurikabe/v:/5/5/g5k2o1k3g",
        "nurikabe/v:x/5/5/g5k2o1k3g",
        "nurikabe/e/5/5/g5k2o1k3g",
        "nurikabe/5/5/g5k2o1k3",  # the gap at the end cut off
        "nurikabe/5/5/g5k2o1k3z",
        "5/5/g5k2o1k3g",
        "nurikabe%2F5%2f5%2Fg5k2o1k3g",
        "https%3A%2F%2Fpuzz.link%2Fp%3Fnurikabe%2F5%2F5%2Fg5k2o1k3g",
        "pzprv3/nurikabe/5/5/. 5 . . . /. . 2 . . /. . . . . /. . 1 . . /. . . 3 . /",
        "https://puzz.link/p?pzprv3/nurikabe/5/5/.%205 . . . /. . 2 . . /. . . . . /. . 1 . . /. . . 3 . /",
        "http://www.kanpen.net/nurikabe.html?problem=5/5/._5_._._./._._2_._./._._._._./._._1_._./._._._3_./",
    ],
)
def test_ways_to_write_one_url(url):
    assert grid(read(url)) == N1_GRID


def test_every_number_of_a_url():
    tokens = {
        1: "1", 15: "f", 16: "-10", 17: "-11", 20: "-14", 255: "-ff", 256: "+100", 400: "+190", 4095: "+fff",
        4096: "=000", 8191: "=fff", 8192: "@000", 12239: "@fcf", 12240: "*0000", 77775: "*ffff", 77776: "$00000",
    }  # fmt: skip
    clues = np.zeros((2, 40000), dtype=int)
    clues[0, : len(tokens)] = list(tokens)
    url = write(Nurikabe(clues), "puzzlink")
    assert url.startswith(f"https://puzz.link/p?nurikabe/40000/2/{''.join(tokens.values())}zzzz")
    assert (read(url).clues == clues).all()
    assert read(url.replace("@000", "%000").replace("+1", "%2B1")).clues[0, :12].tolist() == clues[0, :12].tolist()


@pytest.mark.parametrize("gap, letters", [(1, "g"), (19, "y"), (20, "z"), (21, "zg"), (40, "zz"), (41, "zzg")])
def test_gaps(gap, letters):
    url = write(Nurikabe([[1, *[0] * gap, 2]]), "puzzlink")
    assert url == f"https://puzz.link/p?nurikabe/{gap + 2}/1/1{letters}2"
    assert read(url).tokens[0] == ["1", *["."] * gap, "2"]


def test_a_dot_at_the_end_is_protected():
    assert write(Nurikabe([".?"]), "puzzlink") == "https://puzz.link/p?nurikabe/2/1/g./"
    assert read("nurikabe/2/1/g.").tokens == read("nurikabe/2/1/g./").tokens == [[".", "?"]]


# traps between formats


def test_width_comes_first_in_urls_and_rivers():
    wide = Nurikabe(["1..", ".3."])
    assert read("nurikabe/3/2/1i3g") == read("3,2 1,0,1 3,1,0") == wide


def test_rows_come_first_elsewhere():
    wide = Nurikabe(["1..", ".3."])
    entry = {"problem": "2 3\n1 - -\n- 3 -"}
    for text in (
        "nurikabe:2x3:1,.,.,.,3,.",
        "pzprv3\nnurikabe\n2\n3\n1 . . \n. 3 . \n",
        "http://www.kanpen.net/nurikabe.html?problem=2/3/1_._._/._3_._/",
        json.dumps({"data": {"1_2x3": entry}}),
    ):
        assert read(text) == wide, text


def test_a_dot_is_a_clue_only_in_urls():
    assert read("nurikabe/2/1/.g").tokens == [["?", "."]]
    for text in ("nurikabe:1x2:.,.", "..", ". .", "pzprv3/nurikabe/1/2/. ./", "genre: nurikabe\ngrid:\n.."):
        assert read(text).tokens == [[".", "."]], text
    assert read_answer(".#", "river").rows == ["#-"]
    assert read_answer(".#").rows == [".#"]


def test_a_dash_is_empty_unknown_land_or_a_number():
    assert read("[problem]\n- -\n").tokens == read("--").tokens == [[".", "."]]
    assert read("pzprv3/nurikabe/1/2/- ./").tokens == [["?", "."]]
    assert read_answer("-#").rows == ["-#"]
    assert read("nurikabe/20/1/-10").clues[0, 0] == 16


def test_a_hash_is_sea_but_land_of_rivers():
    assert read_answer("#-").rows == ["#-"] == read_answer("#.", "puzzlink").rows
    assert read_answer("#.", "river").rows == ["-#"]
    with pytest.raises(FormatError, match="'-'") as caught:
        read_answer("#.\n.-", "river")
    assert (caught.value.line, caught.value.column) == (2, 2)


def test_the_river_s_origin_is_at_the_bottom_left():
    assert read("3,2 1,0,0").tokens == [[".", ".", "."], ["1", ".", "."]]


def test_letters_are_numbers_gaps_or_nothing():
    assert read("nurikabe/15/1/a").clues[0, 0] == 10
    for text in ("a..............", "nurikabe:1x1:a"):
        with pytest.raises(FormatError, match="found 'a'"):
            read(text)


def test_detection():
    texts = {
        "puzzlink": "5/5/g5k2o1k3g", "id": "nurikabe:1x1:.", "json": '{"genre":"nurikabe","grid":["."]}',
        "janko": "[begin]\n[problem]\n-", "river": "5,5", "text": "genre: nurikabe\ngrid:\n.", "grid": "4.\n..",
        "pzprv3": "pzprv3\nnurikabe\n1\n1\n.", "puzzlekit": '{"data":{"1_1x1":{"problem":"1 1\\n-"}}}',
    }  # fmt: skip
    assert set(texts) == set(FORMATS)
    for name, text in texts.items():
        assert next(fmt for fmt in FORMATS if FORMATS[fmt].detect(text)) == name
        assert isinstance(read(text), Nurikabe)


@pytest.mark.parametrize(
    "text, what",
    [
        ("https://swaroopg92.github.io/penpa-edit/#m=edit&p=7VZNb9pAEL3zK6I9", "Penpa"),
        ("m=solve&p=7VZNb9pAEL3zK6I9", "Penpa"),
        ("7x7:d7b3e8e5c7a7c13e4e8b4d", "Range"),
        ("7x7#1234567890", "seed"),
        ("<?xml version='1.0'?>", "XML"),
    ],
)
def test_foreign_formats_are_refused_by_name(text, what):
    with pytest.raises(FormatError, match=f"{what}.*puzz.link"):
        read(text)


# names, answers, info

RECORD = Nurikabe(["1.", ".."], name="first", answer=Shading(["-#", "##"]), info={"author": "A. Smith", "title": "T"})


@pytest.mark.parametrize("fmt", ["text", "json", "janko", "puzzlekit"])
def test_records_keep_name_answer_and_info(fmt):
    again = read(write(RECORD, fmt))
    assert (again, again.name, again.answer, dict(again.info)) == (RECORD, "first", RECORD.answer, dict(RECORD.info))
    assert write(again, fmt) == write(RECORD, fmt)


def test_written_records():
    assert write(RECORD, "text") == (
        "genre: nurikabe\nname: first\nauthor: A. Smith\ntitle: T\ngrid:\n1.\n..\nsolution:\n-#\n##"
    )
    assert write(RECORD, "janko") == (
        "[begin]\npuzzle nurikabe\nname first\nauthor A. Smith\ntitle T\nrows 2\ncols 2\n"
        "[problem]\n1 -\n- -\n[solution]\n- x\nx x\n[end]"
    )
    assert write(RECORD, "json") == (
        '{"id":"first","genre":"nurikabe","puzzle":{"grid":["1.",".."]},"solution":["-#","##"],'
        '"author":"A. Smith","title":"T"}'
    )
    assert write(RECORD, "pzprv3") == "pzprv3\nnurikabe\n2\n2\n1 #\n# #"
    entry = json.loads(write(RECORD, "puzzlekit"))["data"]["first"]
    assert (entry["problem"], entry["solution"]) == ("2 2\n1 -\n- -", "2 2\n- x\nx x")


def test_numbers_of_two_digits_part_the_words():
    assert write(Nurikabe([[12, *[0] * 11]]), "text").endswith("grid:\n12 . . . . . . . . . . .")


def test_a_corpus_record():
    puzzle = read(
        '{"id":"janko-01","genre":"nurikabe","grid":["1 . .",". . .",". 5 ."],"solution":["-#-","##-","---"],'
        '"source":"https://www.janko.at/","level":3}'
    )
    assert (puzzle.name, dict(puzzle.info)) == ("janko-01", {"source": "https://www.janko.at/", "level": "3"})
    assert check(puzzle, puzzle.answer) == []


def test_json_rows_may_be_lists():
    assert read('{"genre":"nurikabe","grid":[[0,"?"],[null,4],[-1,"."]]}').tokens == [
        [".", "?"],
        [".", "4"],
        ["?", "."],
    ]


def test_answer_takes_the_place_of_the_stored_one():
    other = write(RECORD, "json", answer="## ##")
    assert read(other).answer == Shading(["##", "##"])
    with pytest.raises(PuzzleError):
        write(RECORD, "json", answer="#")


def test_pzprv3_has_a_partial_answer():
    puzzle = read("pzprv3/nurikabe/5/5/+ 5 # # # /+ # 2 + # /+ # # # # /+ # 1 # . /# # # 3 . /")
    assert grid(puzzle) == N1_GRID
    assert puzzle.answer.rows == ["--###", "-#--#", "-####", "-#-#.", "###-."]
    assert check(puzzle, puzzle.answer) == []
    assert read(write(puzzle, "pzprv3")).answer == puzzle.answer


def test_pzprv3_may_have_a_second_block_and_more_after_it():
    text = "pzprv3.1\nnurikabe\n1\n3\n1 . .\n. # .\ninfo:{\n}\n"
    assert (read(text).tokens, read(text).answer.rows) == ([["1", ".", "."]], [".#."])


@pytest.mark.parametrize("fmt, text", [
    ("text", "-#."), ("json", "-#."), ("id", "-#."), ("grid", "-#."), ("janko", "- x ."), ("puzzlekit", "- x ."),
    ("pzprv3", "+ # ."),
])  # fmt: skip
def test_answers_in_the_signs_of_each_format(fmt, text):
    shading = Shading(["-#.", "#--"])
    assert write_answer(shading, fmt).split("\n")[0] == text
    assert read_answer(write_answer(shading, fmt), fmt) == shading


@pytest.mark.parametrize("fmt, text", [("river", "#."), ("puzzlink", ".#")])
def test_answers_in_signs_without_undecided(fmt, text):
    assert write_answer(Shading(["-#"]), fmt) == text
    assert read_answer(text, fmt) == Shading(["-#"])
    with pytest.raises(OptionError, match="undecided"):
        write_answer(Shading(["-."]), fmt)


def test_answers_without_a_format():
    assert read_answer("-#-/#.x/") == read_answer("- # -\r\nx . #\n") == Shading(["-#-", "#.#"])
    assert read_answer("5#/1#") == Shading(["-#", "-#"])
    with pytest.raises(FormatError, match="2 rows x 2 columns") as caught:
        read_answer("\n #-#", puzzle=RECORD)
    assert (caught.value.line, caught.value.column) == (2, 2)
    for text in ("", "\n", 7, None):
        with pytest.raises(FormatError, match="expected"):
            read_answer(text)


# puzzlekit and its defects


def puzzlekit(problem, **fields):
    return json.dumps({"name": "Nurikabe", "data": {"1086_5x2": {"problem": problem, **fields}}})


def test_puzzlekit_is_cut_at_the_marker():
    with pytest.warns(BadRecordWarning, match="1086_5x2.*cut.*5 rows x 2 columns.*2 rows x 2 columns"):
        puzzle = read(puzzlekit("5 2\n1 - \n- -\n[solution]\n- x\nx x"))
    assert puzzle == RECORD


def test_puzzlekit_wrong_heights_of_the_data_set():
    """Records whose pages had more sections: what was read with them is in the problem, the answer or the header."""
    data = {
        "1086_5x2": {"problem": "5 2\n1 - \n- - \n[solution]\n- x\nx x", "solution": "2 2\n- x\nx x"},
        "1139_6x2": {"problem": "6 2\n1 -\n- -", "solution": "6 2\n- x\nx x\n[moves]\nZ2;L0;ab,1;\nbc,0;"},
        "1139_2x2": {"problem": "2 2\n1 -\n- -", "solution": "5 2\n- x\nx x\n[moves]\nZ2;L0;ab,1;\nbc,0;"},
    }
    errors = []
    with pytest.warns(BadRecordWarning) as mended:
        found = list(read_many(json.dumps({"name": "Nurikabe", "data": data}), on_error=errors.append))
    assert [(puzzle.name, puzzle.shape) for puzzle in found] == [("1086_5x2", (2, 2)), ("1139_2x2", (2, 2))]
    assert {str(puzzle.answer) for puzzle in found} == {"-#\n##"}
    assert ["1086_5x2" in str(mended[0].message), "1139_2x2" in str(mended[1].message)] == [True, True]
    assert [error.record for error in errors] == [2] and "1139_6x2" in errors[0].message


def test_puzzlekit_header_is_not_trusted():
    with pytest.raises(FormatError, match=r"5 rows x 2 columns.*2 rows x 2 columns") as caught:
        read(puzzlekit("5 2\n1 -\n- -"))
    assert caught.value.line == 1
    with pytest.raises(FormatError, match="answer of 2 rows"):
        read(puzzlekit("2 2\n1 -\n- -", solution="1 2\nx x"))
    with pytest.raises(FormatError, match=r"row 2, column 1: .*found '9'"):
        read(puzzlekit("2 2\n1 -\n9 -"))


# errors and their places


@pytest.mark.parametrize(
    "text, line, column, message",
    [
        ("", 1, 1, "found none"),
        (" \n\n", 1, 1, "found none"),
        ("1.1\n..\n1.1", 2, 3, "3 cells in row 2 as in row 1, found 2"),
        ("1.1\n....\n1.1", 2, 4, "3 cells in row 2"),
        ("1 . 1\n  . 10 .\n", 2, 5, "from 1 to 6, found '10'"),
        ("1.\n.0", 2, 2, "found '0'"),
        ("#.\n..", 1, 1, "found '#'"),
        ("1.\n.٣", 2, 2, "found '٣'"),
        ("1 ²", 1, 3, "found '²'"),
        ("1 " + "9" * 5000, 1, 3, "found '9999"),
        ("genre: nurikabe\ngrid:\n1.\n.x", 4, 2, "found 'x'"),
        ("genre: nurikabe\ngrid: 1.", 2, 7, "rows on the lines after"),
        ("genre: nurikabe\ngrid:", 2, 6, "found none"),
        ("genre: nurikabe\n1.\n", 2, 1, "'grid:'"),
        ("genre: nurikabe\nname: x", 1, 1, "'grid:'"),
        ("genre:  sudoku\ngrid:\n1", 1, 9, "found 'sudoku'"),
        ("grid:\n1.", 1, 1, "'genre:'"),
        ("genre: nurikabe\ngrid:\n1.\nsolution:\n-#\n#?x", 6, 3, "2 cells in row 2 as in row 1, found 3"),
        ("nurikabe:2x2:1,.,.", 1, 19, "2x2 = 4 cells, found 3"),
        ("nurikabe:2x2:1,.,.,.,3", 1, 22, "2x2 = 4 cells, found 5"),
        ("nurikabe:2x2:1,.,7,.", 1, 18, "found '7'"),
        ("nurikabe:2x2:1,,.,.", 1, 16, "found ''"),
        ("nurikabe:2", 1, 1, "genre:ROWSxCOLUMNS:cells"),
        ("nurikabe:0x2:", 1, 10, "1 to 1000000 cells"),
        ("nurikabe:100000x100000:1", 1, 10, "1 to 1000000 cells"),
        ("100000,100000 1,0,0", 1, 8, "1 to 1000000 cells"),
        ("nurikabe/100000/100000/1", 1, 17, "1 to 1000000 cells"),
        ("nurikabe/" + "9" * 5000 + "/3/1", 1, 10, "number of columns"),
        ("pzprv3/nurikabe/100000/100000/./", 1, 17, "1 to 1000000 cells"),
        ("5,5 3,0,1 1,5,1", 1, 13, "from 0 to 4, found 5"),
        ("5,4 3,0,4", 1, 9, "from 0 to 3, found 4"),
        ("5,5 3,0,1 3,0", 1, 11, "size,x,y"),
        ("5,5 3,0,1 4,0,1", 1, 11, "found a second"),
        ("5,5 ?,0,1", 1, 5, "found '?'"),
        ("nurikabe/2/2/1g!g", 1, 16, "found '!'"),
        ("nurikabe/2/2/1A", 1, 15, "found 'A'"),
        ("nurikabe/2/2/1i5", 1, 16, "4 cells, found another clue"),
        ("nurikabe/2/2/h6", 1, 15, "found '6'"),
        ("nurikabe/4/5/h-1", 1, 15, "found '-'"),
        ("https://puzz.link/p?nurikabe%2F2%2F2%2F1g!", 1, 42, "found '!'"),
        ("https://puzz.link/p?sudoku/9/9/1", 1, 21, "found 'sudoku'"),
        ("nurikabe/2", 1, 11, "genre/columns/rows/cells"),
        ("nurikabe/2/2/1/1", 1, 16, "genre/columns/rows/cells"),
        ("pzprv3/nurikabe/2/2/1 ./. x/", 1, 27, "found 'x'"),
        ("pzprv3\nnurikabe\n2\n3\n1 .\n. .", 4, 1, "2 columns"),
        ("pzprv3\nnurikabe\n2\n2\n1 .", 5, 4, "2 rows of cells"),
        ("[begin]\npuzzle nurikabe\nrows 3\n[problem]\n1 -\n- -\n[end]", 3, 6, "rows 2 as the grid has, found 3"),
        ("[begin]\nsize 2\n[problem]\n1 - -\n- - -\n[end]", 2, 6, "size 3"),
        ("[problem]\n1 -\n- 9\n", 3, 3, "found '9'"),
        ("[problem]\n1 -\n- -\n[solution]\n- #\nx x", 5, 3, "found '#'"),
        ("[problem]\n1 -\n- -\n[solution]\n- x\n", 5, 1, "answer of 2 rows x 2 columns"),
        ("[begin]\npuzzle nurikabe\n[end]", 3, 6, "[problem]"),
        ("[problem]\n1\n[problem]\n1", 3, 1, "a second"),
        ('{"genre":"nurikabe","puzzle":{"grid":["1.1","..x","1.1"]}}', 1, 48, "found 'x'"),
        ('{"genre":"nurikabe",\n "grid":["1.1",\n  "..",\n "1.1"]}', 3, 6, "3 cells in row 2"),
        ('{"genre":"nurikabe"', 1, 20, "JSON"),
        ('{"genre":"nurikabe","grid":5}', 1, 11, "list of rows"),
        ('{"genre":5,"grid":["1"]}', None, None, "found '5'"),
        ('{"genre":"nurikabe","grid":[[1,true]]}', None, None, "row 1, column 2"),
        ('{"genre":"nurikabe"}', 1, 11, '"grid"'),
        ('{"grid":[[' + "9" * 5000 + "]]}", None, None, "found '9999"),
        ("[" * 100000, 1, None, "nested too deeply"),
        ("[1]", None, None, "an object"),
    ],
)  # fmt: skip
def test_place_of_an_error(text, line, column, message):
    with pytest.raises(FormatError) as caught:
        read(text)
    assert message in caught.value.message
    assert (caught.value.line, caught.value.column, caught.value.record) == (line, column, None)


@pytest.mark.parametrize("text", [None, 5, b"1.", ["1."], np.zeros((2, 2))])
def test_only_text_is_read(text):
    with pytest.raises(FormatError, match="expected the text of a puzzle"):
        read(text)


def test_options_that_do_not_exist():
    with pytest.raises(OptionError, match=r"perhaps 'puzzlink'.*text.*grid"):
        write(RECORD, "puzlink")
    with pytest.raises(OptionError, match="perhaps 'river'"):
        read("1", format="rivers")
    with pytest.raises(OptionError, match="there are: nurikabe"):
        read("1", "sudoku")
    with pytest.raises(OptionError, match="there are: nurikabe"):
        read_many("1", "sudoku")
    with pytest.raises(OptionError, match="on_error"):
        read_many("1", on_error="ignore")
    with pytest.raises(OptionError, match="no format"):
        read_answer("#", "sudoku")


def test_what_a_format_cannot_hold():
    with pytest.raises(OptionError, match=r"'\?'"):
        write(Nurikabe(["?."]), "river")
    column = Nurikabe([[10]] * 10)
    for fmt in ("text", "json", "grid"):
        with pytest.raises(OptionError, match="use id"):
            write(column, fmt)
    assert read(write(column, "id")) == column


def test_a_puzzle_is_handed_back():
    assert read(RECORD) is RECORD


def test_format_can_be_forced():
    assert read("3,2 1,0,0", format="river").shape == (2, 3)
    with pytest.raises(FormatError):
        read("3,2 1,0,0", format="grid")


@pytest.mark.parametrize(
    "text", ["1..\n.3.", "1 . .\n.  3 .", "1--\n-3-", "1__\r\n_3_\r\n", "\ufeff  1..  \n  .3.\n", "1\t-\t-\n-\t3\t-"]
)
def test_bare_grids(text):
    assert read(text) == Nurikabe(["1..", ".3."])


def test_a_single_column_may_hold_long_numbers():
    column = Nurikabe([[12], *[[0]] * 11])
    for fmt in FORMATS:
        assert read(write(column, fmt)) == column


# files and batches

GOOD = ["nurikabe:1x2:1,.", "https://puzz.link/p?nurikabe/2/1/1g", "2,1 1,0,0"]


def test_one_puzzle_is_not_several():
    for text in ("\n".join(GOOD), "1.\n\n1.", "[{},{}]".replace("{}", '{"genre":"nurikabe","grid":["1."]}')):
        with pytest.raises(FormatError, match="read_many"):
            read(text)


def test_lines_of_several_formats():
    errors = []
    text = "# my puzzles\n\n" + "\n".join(
        [GOOD[0], "nurikabe:1x2:1,9", GOOD[1], "", "  # more", "rubbish", GOOD[2], "7x7:d7"]
    )
    puzzles = list(read_many(text, on_error=errors.append))
    assert puzzles == [Nurikabe(["1."])] * 3
    assert [(e.record, e.line, e.column) for e in errors] == [(2, 4, 16), (4, 8, 1), (6, 10, 1)]


BATCHES = {
    "river": ("2,1 1,0,0\n2,1 1,5,0\nrubbish\n2,1", 2, [(2, 2, 7), (3, 3, 1)]),
    "text": (
        "# a comment\ngenre: nurikabe\ngrid:\n1.\n# another\ngenre: nurikabe\ngrid:\n1.\nsolution:\n-#\n"
        "genre: nurikabe\ngrid:\n1x\n\ngnere: nurikabe\ngrid:\n1.\n\n# third\ngenre: nurikabe\ngrid:\n1 9\n",
        2,
        [(3, 13, 2), (4, 15, 1), (5, 22, 3)],
    ),
    "janko": (
        "[begin]\n[problem]\n1 -\n[end]\n\n# one more\n[begin]\n[problem]\n1 x\n[end]\n[begin]\nrows 1\n"
        "[begin]\n[problem]\n- 1\n[solution]\nx -\n[end]",
        2,
        [(2, 9, 3), (3, 12, 7)],
    ),
    "json lines": (
        '{"genre":"nurikabe","grid":["1."]}\n{"genre":"nurikabe","grid":\n\n# comment\n'
        '{"genre":"nurikabe","grid":["x."]}\n'
        '{"genre":"nurikabe","grid":["1."]} 5\n{"genre":"nurikabe","grid":[".1"]}',
        2,
        [(2, 5, 1), (3, 5, 30), (4, 6, 36)],
    ),
    "json list": (
        '[{"genre":"nurikabe","grid":["1."]},\n7,\n{"genre":"nurikabe","grid":["1.9"]}]',
        1,
        [(2, None, None), (3, 3, 32)],
    ),
    "json garbage first": ('rubbish\n{"genre":"nurikabe","grid":["1."]}', 1, [(1, 1, 1)]),
    "puzzlekit": (
        '{"name": "Nurikabe", "data": {\n"1_1x2": {"problem": "1 2\\n1 -"},\n"2_1x2": {"problem": "1 2\\n1 7"},\n'
        '"3_1x2": 5,\n"4_1x2": {"problem": "1 2\\n- 1", "solution": "1 2\\nx -"}}}',
        2,
        [(2, 3, None), (3, None, None)],
    ),
    "grid": ("1.\n\n1x\n\n\n.1", 2, [(2, 3, 2)]),
    "pzprv3": ("pzprv3\nnurikabe\n1\n2\n1 .\npzprv3\nnurikabe\n1\n2\n1 x\npzprv3\nnurikabe\n1\n1\n.", 2, [(2, 10, 3)]),
}  # fmt: skip


@pytest.mark.parametrize("text, good, bad", BATCHES.values(), ids=BATCHES)
def test_a_bad_record_does_not_stop_a_batch(text, good, bad):
    errors = []
    puzzles = list(read_many(text, on_error=errors.append))
    assert [(e.record, e.line, e.column) for e in errors] == bad
    assert len(puzzles) == good


def test_bad_records_are_warned_of():
    with pytest.warns(BadRecordWarning, match="record 2, line 2, column 1") as caught:
        assert len(list(read_many("nurikabe:1x1:.\nrubbish\nnurikabe:1x1:."))) == 2
    assert caught[0].filename == __file__


def test_good_batches_are_silent():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert len(list(read_many("\n".join(GOOD)))) == 3
        assert list(read_many("")) == list(read_many("# nothing\n\n5,5"))[:0] == []


def test_read_many_is_lazy():
    errors = []
    puzzles = read_many("nurikabe:1x1:.\nrubbish", on_error=errors.append)
    assert next(puzzles).shape == (1, 1) and not errors


def test_files(tmp_path: Path):
    first, second, binary = tmp_path / "first.txt", tmp_path / "second.txt", tmp_path / "binary"
    first.write_text(f"{GOOD[0]}\nrubbish\n", encoding="utf-8-sig")
    second.write_text("1.\r\n", encoding="utf-8")
    binary.write_bytes(b"1.\xff")
    assert read(second) == Nurikabe(["1."])
    with pytest.raises(FormatError, match=r"binary: .*UTF-8.*byte 3"):
        read(binary)
    with pytest.raises(FileNotFoundError):
        read(tmp_path / "none")
    errors = []
    puzzles = list(read_many([first, binary, RECORD, second, 5], on_error=errors.append))
    assert [puzzle.shape for puzzle in puzzles] == [(1, 2), (2, 2), (1, 2)]
    assert [(e.record, e.line) for e in errors] == [(2, 2), (3, None), (6, None)]
    assert errors[0].message.startswith("first.txt: ")


def test_folders(tmp_path: Path):
    names = ("b.txt", "a/2.txt", "a/10.txt", "c/one.json", "a.txt", ".hidden", ".git/config")
    for number, name in enumerate(names, 2):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(f"nurikabe:1x{number}:1{',.' * (number - 1)}\n")
    (tmp_path / "a/3.png").write_bytes(b"\x89PNG")
    (tmp_path / "c/one.json").write_text('{"genre":"nurikabe","grid":["1x"]}')
    (tmp_path / "z").symlink_to(tmp_path, target_is_directory=True)
    errors = []
    puzzles = list(read_many(tmp_path, on_error=errors.append))
    assert [puzzle.shape[1] for puzzle in puzzles] == [4, 3, 6, 2]  # a/10, a/2, a.txt, b.txt
    assert [(error.record, error.message.split(": ")[0]) for error in errors] == [(3, "a/3.png"), (6, "c/one.json")]


def test_a_file_that_goes_away_is_one_bad_record(tmp_path: Path):
    for name in ("1", "2", "3"):
        (tmp_path / name).write_text("1.")
    errors = []
    puzzles = read_many(tmp_path, on_error=errors.append)
    assert next(puzzles).shape == (1, 2)
    (tmp_path / "2").unlink()
    assert len(list(puzzles)) == 1
    assert "2: the file cannot be read: No such file" in str(errors[0])


def test_links_with_comments():
    links = (
        "# mine\nhttps://puzz.link/p?nurikabe/2/1/1g  # the first\n\nhttp://pzv.jp/p.html?nurikabe/2/1/1g/ # 2\n"
        "  # and\nhttps://puzz.link/p?sudoku/9/9/1\nhttps://puzz.link/p?nurikabe/2/1/1 g\n"
    )
    errors = []
    assert list(read_many(links, on_error=errors.append)) == [Nurikabe(["1."])] * 2
    assert [(error.record, error.line) for error in errors] == [(3, 6), (4, 7)]


def test_lines_and_open_files(tmp_path: Path):
    assert list(read_many(GOOD)) == [Nurikabe(["1."])] * 3
    assert list(read_many(iter(["1.\n", "..\n"]))) == [Nurikabe(["1.", ".."])]
    path = tmp_path / "puzzles.txt"
    path.write_text("\n".join(GOOD), encoding="utf-8")
    with path.open(encoding="utf-8") as file:
        assert len(list(read_many(file))) == 3
    for source in (None, 5, b"1."):
        with pytest.raises(FormatError, match="expected"):
            read_many(source)
