import os
import pickle
import signal
import subprocess
import sys
import threading
import time
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from itertools import islice
from multiprocessing import get_context
from xml.etree import ElementTree

import boards
import numpy as np
import psutil
import pytest
from click.testing import CliRunner

import nurikabe_mip as nm
from nurikabe_mip.backends.base import Run
from nurikabe_mip.cli import main
from nurikabe_mip.deduce import LEVELS, TECHNIQUES
from nurikabe_mip.draw import sheet
from nurikabe_mip.draw.svg import SEA
from nurikabe_mip.generate import SYMMETRIES, Request, canonical, nurikabe
from nurikabe_mip.puzzles import UNKNOWN_SIZE

LEVELS = LEVELS[1:]


def text(made) -> str:
    return nm.write(made.puzzle, "json")


def maker(shape, level="any", seed=0, **options) -> nurikabe.Maker:
    request = Request("nurikabe", shape, level, options.get("require"), options.get("symmetry"), 0.0, None)
    return nurikabe.Maker(request, seed, Run())


# what a puzzle must be


@pytest.mark.parametrize("side", range(3, 11))
def test_unique_by_another_method(side):
    for seed in range(6):
        made = nm.generate((side, side + seed % 2), seed=seed)
        assert nm.count(made.puzzle, "sat", limit=2) == nm.Count(1, exact=True)
        assert nm.check(made.puzzle, made.solution) == [] and made.puzzle.answer == made.solution
        assert made.rating.unique and made.level == made.puzzle.info["level"]


@pytest.mark.parametrize("level", LEVELS)
def test_level_is_that_of_rate(level):
    for shape in ((5, 5), (6, 9), (10, 10)):
        for seed in range(3):
            made = nm.generate(shape, level, seed)
            rating = nm.rate(nm.read(nm.write(made.puzzle, "id")))
            assert rating.level == made.level == level and rating.counts == made.rating.counts


def test_level_beyond():
    made = nm.generate((7, 7), "beyond")
    assert made.level == nm.rate(made.puzzle).level == "beyond" and not made.rating.solved
    assert nm.count(made.puzzle, "sat", limit=2).exact


@pytest.mark.parametrize("shape", [(1, 1), (1, 2), (1, 9), (9, 1), (2, 2), (2, 9), (3, 1)])
def test_narrow_boards(shape):
    made = nm.generate(shape)
    assert nm.count(made.puzzle, "brute_force").exact and nm.count(made.puzzle, "brute_force") == nm.count(
        made.puzzle, "sat"
    )
    assert made.puzzle.shape == shape


def test_large_board():
    made = nm.generate((20, 20), "easy", 1)
    assert made.level == "easy" and made.rating.solved


def test_boards_are_not_of_small_islands_alone():
    clues = np.concatenate([nm.generate((10, 10), "hard", seed).puzzle.clues.ravel() for seed in range(8)])
    sizes = clues[clues > 0]
    assert set(sizes) == {1, 2, 3, 4, 5, 6} and sizes.mean() > 2.4
    land = [(nm.generate((10, 10), "hard", seed).solution.cells == -1).mean() for seed in range(8)]
    assert min(land) >= 0.4 and max(land) <= 0.55


# the proof


def test_uniqueness_is_proved_not_assumed(monkeypatch):
    """Without the search puzzles with several answers come out, and the last look catches them."""
    monkeypatch.setattr(nurikabe.Maker, "_search", lambda self, fixed: (True, None))
    with pytest.raises(nm.NotUniqueError):
        for seed in range(20):
            nm.generate((7, 7), seed=seed)


def test_level_is_looked_at_again(monkeypatch):
    monkeypatch.setattr(nurikabe.Maker, "attempt", _grown_only)
    with pytest.raises((nm.NotUniqueError, nm.SolverError)):
        nm.generate((8, 8), "easy")


def _grown_only(self):
    self.N[self.kernel.MOST_CLUES] = self.values.size
    assert self.kernel.grow(self.G)
    self.kernel.read(self.G, self.clues.ravel(), self.values.ravel())
    return True


@pytest.mark.parametrize("symmetry", [None, *SYMMETRIES])
@pytest.mark.parametrize("side", [5, 8])
def test_every_change_keeps_the_rules(symmetry, side):
    """The kernel's boards against `check`, which shares nothing with it; what is taken back leaves no trace."""
    one = maker((side, side), seed=3, symmetry=symmetry)
    k = one.kernel
    one.N[k.MOST_CLUES] = side * side
    while not k.grow(one.G):
        pass
    one.focus = one.places
    before = None
    for number in range(150):
        k.read(one.G, one.clues.ravel(), one.values.ravel())
        now = one.clues.copy(), one.values.copy()
        if before is not None:  # the last change was taken back
            assert (now[0] == before[0]).all() and (now[1] == before[1]).all()
        assert nm.check(nm.Nurikabe(one.clues), nm.Shading(one.values)) == []
        assert one.N[k.N_CLUES] == (one.clues > 0).sum() and one.N[k.N_LAND] == (one.values == -1).sum()
        assert_symmetric(one.clues, symmetry)
        before = None
        if one._change() and number % 2:
            k.undo(one.G)
            before = now


def assert_symmetric(clues, symmetry):
    pattern = clues != 0
    image = {
        None: pattern,
        "rotate180": np.rot90(pattern, 2),
        "rotate90": np.rot90(pattern),
        "mirror": pattern[:, ::-1],
        "flip": pattern[::-1],
        "diagonal": pattern.T,
    }[symmetry]
    assert (image == pattern).all()


# options


@pytest.mark.parametrize("symmetry", SYMMETRIES)
def test_symmetry_of_the_clues(symmetry):
    for seed in range(2):
        made = nm.generate((7, 7), seed=seed, symmetry=symmetry)
        assert_symmetric(made.puzzle.clues, symmetry)
        assert nm.count(made.puzzle, "sat", limit=2).exact


def test_symmetry_of_a_board_that_is_not_square():
    assert_symmetric(nm.generate((6, 9), "medium", symmetry="rotate180").puzzle.clues, "rotate180")
    with pytest.raises(nm.OptionError, match="for square boards"):
        nm.generate((6, 9), symmetry="rotate90")


@pytest.mark.parametrize("share", [0.1, 0.3])
@pytest.mark.parametrize("level", ["any", "medium", "hard"])
def test_hidden_numbers(share, level):
    made = nm.generate((7, 7), level, 1, hidden=share)
    clues = made.puzzle.clues
    assert (clues == UNKNOWN_SIZE).sum() == int((clues != 0).sum() * share + 0.5) > 0
    assert level in ("any", nm.rate(made.puzzle).level)
    assert nm.count(made.puzzle, "sat", limit=2).exact


@pytest.mark.parametrize("technique", [technique.name for technique in TECHNIQUES])
def test_required_technique(technique):
    made = nm.generate((7, 7), seed=2, require=technique)
    assert nm.rate(made.puzzle).counts[technique] > 0
    # "needs": what is easier does not finish the board
    easier = [t.name for t in TECHNIQUES].index(technique) - 1
    if easier >= 0:
        one = maker((7, 7))
        one.clues[:] = made.puzzle.clues
        assert easier >= 8 or (one._screen(easier) == 0).any()


def test_required_technique_is_no_harder_than_the_level():
    with pytest.raises(nm.OptionError, match="does not need 'contradiction', which is expert"):
        nm.generate((7, 7), "hard", require="contradiction")


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ({"shape": (0, 5)}, r"shape is \(rows, columns\).* got \(0, 5\)"),
        ({"shape": (5, -1)}, r"shape is .* got \(5, -1\)"),
        ({"shape": (101, 5)}, "at most 100 rows and columns; got 101x5"),
        ({"shape": "5 by 5"}, "shape is .* got '5 by 5'"),
        ({"shape": (5.5, 5)}, r"shape is .* got \(5.5, 5\)"),
        ({"level": "harder"}, "level is one of 'any', 'easy'"),
        ({"genre": "sudoku"}, "genre is one of 'nurikabe'"),
        ({"require": "guess"}, "require is one of 'island_complete'"),
        ({"symmetry": "round"}, "symmetry is one of 'rotate180'"),
        ({"hidden": 1.5}, "hidden is the share"),
        ({"hidden": float("nan")}, "hidden is the share"),
        ({"seed": -1}, "seed is a whole number"),
        ({"time_limit": 0}, "time_limit is a number of seconds above 0"),
        ({"attempts": 0}, "attempts is a whole number from 1; got 0"),
    ],
)
def test_arguments_out_of_range(arguments, said):
    with pytest.raises(nm.OptionError, match=said):
        nm.generate(**({"shape": (5, 5)} | arguments))
    with pytest.raises(nm.OptionError, match=said):
        nm.generate_many(3, **({"shape": (5, 5)} | arguments))


# the same everywhere

# one of each kind; another result is another version
KNOWN = {
    ((5, 5), "easy", 0, ()): "5/5/k3g2g2m2i1i",
    ((5, 5), "medium", 1, ()): "5/5/2q1g45m2g",
    ((7, 7), "hard", 2, ()): "7/7/2r3j3k2o3j1j6j",
    ((6, 6), "expert", 3, ()): "6/6/1h6q6q2h1k",
    ((8, 8), "any", 4, ()): "8/8/g1h1k3j22i6x2g1o4k4k2",
    ((6, 8), "hard", 5, (("symmetry", "rotate180"),)): "8/6/k3g4p4p1p5g5k",
    ((7, 7), "medium", 6, (("hidden", 0.2),)): "7/7/2g6n.g1z4h2p5",
    ((9, 9), "easy", 7, ()): "9/9/1i2h2h3r2i1k1g1g1g1g1k3i1g22r3h1l1i",
}


def test_seeds_give_the_same_puzzles_as_ever():
    for (shape, level, seed, options), known in KNOWN.items():
        made = nm.generate(shape, level, seed, **dict(options))
        assert nm.write(made.puzzle, "puzzlink") == f"https://puzz.link/p?nurikabe/{known}"


PROGRAM = """
import nurikabe_mip as nm
for level in ("easy", "medium", "hard", "any"):
    print(nm.write(nm.generate((5, 5), level, 2).puzzle, "json"))
print(nm.write(nm.generate((4, 5), "hard", 2, genre="kuromasu").puzzle, "json"))
print(nm.rate(nm.load_corpus("easy", "15x15")[0]).counts)
"""


def test_same_bytes_in_every_process():
    """Whatever PYTHONHASHSEED, and without a compiler."""
    outputs = set()
    for settings, before in (
        ({"PYTHONHASHSEED": "0"}, ""),
        ({"PYTHONHASHSEED": "1"}, ""),
        ({"NUMBA_DISABLE_JIT": "1"}, ""),
        ({}, "import sys; sys.modules['numba'] = None"),
    ):
        command = [sys.executable, "-c", before + PROGRAM]
        outputs.add(subprocess.run(command, env=os.environ | settings, check=True, capture_output=True).stdout)
    assert len(outputs) == 1 and len(outputs.pop().splitlines()) == 6


def test_seed_and_request_make_a_difference():
    texts = {nm.write(nm.generate((6, 6), level, seed).puzzle, "id") for level in LEVELS for seed in range(3)}
    assert len(texts) == 12


def test_record_makes_the_puzzle_again():
    made = nm.generate((7, 6), "medium", 5, symmetry="rotate180", hidden=0.1, require="no_pool")
    again = nm.read(text(made))
    info = again.info
    options = {"symmetry": info["symmetry"], "hidden": float(info["hidden"]), "require": info["require"]}
    assert text(nm.generate(again.shape, info["asked"], int(info["seed"]), **options)) == text(made)
    assert info["version"] == made.version and info["attempts"] == str(made.attempts)


def test_generated_can_be_pickled():
    made = nm.generate((5, 5), "hard")
    copy = pickle.loads(pickle.dumps(made))
    assert text(copy) == text(made) and copy.counts == made.counts and copy.rating.level == "hard"
    assert "<svg" in made._repr_html_() and "hard, unique, seed 0" in str(made)


# limits


def test_attempts_end_what_cannot_be():
    with pytest.raises(nm.GenerationFailed, match=r"no puzzle found \(2x2, expert\) after 20 attempts") as failed:
        nm.generate((2, 2), "expert", attempts=20)
    error = pickle.loads(pickle.dumps(failed.value))
    assert error.reason == "attempts" and error.attempts == 20 and error.counts["screenings"] > 20


def test_time_limit_holds():
    start = time.perf_counter()
    with pytest.raises(nm.GenerationFailed, match="the time was up") as failed:
        nm.generate((60, 60), "expert", time_limit=0.5)
    assert failed.value.reason == "time" and time.perf_counter() - start < 2.5


def test_cancel():
    cancel = threading.Event()
    threading.Timer(0.3, cancel.set).start()
    with pytest.raises(nm.GenerationFailed) as failed:
        nm.generate((60, 60), "expert", cancel=cancel)
    assert failed.value.reason == "cancelled"


@pytest.mark.parametrize("genre", ["nurikabe", "kuromasu"])
def test_cancel_ends_a_long_search(genre):
    nm.generate((5, 5), "hard", genre=genre)  # compiled
    cancel = threading.Event()
    threading.Timer(0.5, cancel.set).start()
    start = time.perf_counter()
    with pytest.raises(nm.GenerationFailed):
        for seed in range(10**6):
            nm.generate((40, 40), "expert", seed, genre=genre, cancel=cancel)
    assert time.perf_counter() - start < 5


def child(program: str, *arguments) -> subprocess.Popen:
    """A program in a process group of its own; returns once it has printed a line."""
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True}
    process = subprocess.Popen([sys.executable, "-c", program, *arguments], start_new_session=True, **pipes)
    assert process.stdout.readline()
    return process


def test_ctrl_c():
    process = child(
        "import nurikabe_mip as nm; nm.generate((9, 9)); print('now', flush=True); nm.generate((80, 80), 'expert')"
    )
    time.sleep(0.5)
    process.send_signal(signal.SIGINT)
    _, error = process.communicate(timeout=10)
    assert error.rstrip().endswith("KeyboardInterrupt")


# many


def test_order_does_not_depend_on_the_workers():
    alone = [text(made) for made in nm.generate_many(30, (5, 5), "hard", 3, jobs=1)]
    assert [text(made) for made in nm.generate_many(30, (5, 5), "hard", 3, jobs=2)] == alone
    with ThreadPoolExecutor(3) as executor:
        assert [text(made) for made in nm.generate_many(30, (5, 5), "hard", 3, executor=executor)] == alone
    with ProcessPoolExecutor(1, get_context("spawn")) as executor:
        assert [text(made) for made in nm.generate_many(5, (5, 5), "hard", 3, executor=executor)] == alone[:5]
    assert len(set(alone)) == 30


def test_seeds_follow_each_other_and_nothing_comes_twice():
    made = list(nm.generate_many(10, (3, 3), jobs=1))
    forms = {canonical(one.puzzle, fill=True) for one in made}
    assert len(forms) == 10 and made[-1].seed > 9
    singles = []
    for seed in range(made[-1].seed + 1):
        puzzle = nm.generate((3, 3), seed=seed).puzzle
        if canonical(puzzle) not in map(canonical, singles):
            singles.append(puzzle)
    assert singles == [one.puzzle for one in made]


def test_no_more_than_there_are():
    with pytest.raises(nm.GenerationFailed, match="different puzzles found"):
        list(nm.generate_many(1000, (2, 2), jobs=1))


def test_canonical_form():
    puzzle = nm.generate((5, 6), seed=4).puzzle
    forms = {canonical(nm.Nurikabe(clues)) for clues in boards.orientations(puzzle.clues)}
    assert len(forms) == 1
    form = canonical(puzzle)
    assert form in forms and nm.check(form, form.answer) == [] and form.shape == (5, 6)
    hidden = np.array(puzzle.clues)
    hidden[hidden > 1] = UNKNOWN_SIZE
    hidden = nm.Nurikabe(hidden, answer=puzzle.answer)
    assert canonical(hidden) != form and canonical(hidden, fill=True) == form


def test_iterator_can_be_left():
    assert len(list(islice(nm.generate_many(10**6, (5, 5), jobs=2), 3))) == 3
    made = nm.generate_many(10**6, (5, 5), jobs=2)
    before = psutil.Process().children()
    next(made)
    workers = [process for process in psutil.Process().children() if process not in before]
    made.close()
    assert len(workers) >= 2 and not psutil.wait_procs(workers, timeout=5)[1]


@pytest.mark.parametrize("jobs", [1, 2])
def test_time_limit_of_many(jobs):
    start = time.perf_counter()
    with pytest.raises(nm.GenerationFailed) as failed:
        for _ in nm.generate_many(10**6, (30, 30), "expert", jobs=jobs, time_limit=1.0):
            pass
    assert failed.value.reason == "time" and time.perf_counter() - start < 4


def test_impossible_request_ends_in_workers_too():
    with pytest.raises(nm.GenerationFailed) as failed:
        list(nm.generate_many(3, (2, 2), "expert", jobs=2, attempts=5))
    assert failed.value.reason == "attempts" and failed.value.attempts == 5


def test_arguments_of_many():
    with pytest.raises(nm.OptionError, match="n is a whole number from 0"):
        nm.generate_many(-1, (5, 5))
    with pytest.raises(nm.OptionError, match="jobs is a whole number from 1"):
        nm.generate_many(1, (5, 5), jobs=0)
    with pytest.raises(nm.OptionError, match="not both"), ThreadPoolExecutor(1) as executor:
        nm.generate_many(1, (5, 5), jobs=1, executor=executor)
    with pytest.raises(nm.OptionError, match="executor is one of"):
        nm.generate_many(1, (5, 5), executor="threads")
    seen = []
    assert list(nm.generate_many(0, (5, 5))) == []
    list(nm.generate_many(2, (5, 5), jobs=1, progress=lambda *done: seen.append(done)))
    assert seen == [(1, 2), (2, 2)]


# files


def test_file_is_gone_on_with(tmp_path):
    whole, parts = tmp_path / "whole.jsonl", tmp_path / "parts.jsonl"
    all_of_it = [text(made) for made in nm.generate_many(12, (5, 5), "medium", jobs=1, output=whole)]
    assert whole.read_text().splitlines() == all_of_it
    assert [nm.write(puzzle, "json") for puzzle in nm.read_many(whole)] == all_of_it
    list(islice(nm.generate_many(12, (5, 5), "medium", jobs=1, output=parts), 5))
    with parts.open("a") as file:
        file.write(all_of_it[5][:40])  # what a kill in the middle of a line leaves
    again = list(nm.generate_many(12, (5, 5), "medium", jobs=2, output=parts))
    assert parts.read_bytes() == whole.read_bytes() and [text(made) for made in again] == all_of_it
    assert [made.level for made in again] == ["medium"] * 12
    assert len(list(nm.generate_many(4, (5, 5), "medium", jobs=1, output=parts))) == 4
    assert parts.read_bytes() == whole.read_bytes()


@pytest.mark.parametrize(
    "other", [{"level": "easy"}, {"shape": (5, 6)}, {"seed": 1}, {"hidden": 0.2}, {"symmetry": "flip"}]
)
def test_file_of_another_run_is_refused(tmp_path, other):
    path = tmp_path / "file.jsonl"
    list(nm.generate_many(2, (5, 5), "medium", jobs=1, output=path))
    content = path.read_bytes()
    with pytest.raises(nm.OptionError, match="was made by another run: line 1 has"):
        nm.generate_many(**({"n": 2, "shape": (5, 5), "level": "medium", "output": path} | other))
    assert path.read_bytes() == content


@pytest.mark.parametrize(
    "content",
    [
        "not a puzzle\n",
        "my notes, without an end of line",
        '{"genre":"nurikabe"}\n',
        '{"genre":"nurikabe","puzzle":{"grid":["1.1","...","1.1"]}}',
    ],
)
def test_file_that_is_no_run_is_refused(tmp_path, content):
    path = tmp_path / "notes.txt"
    path.write_text(content)
    with pytest.raises(nm.OptionError, match=r"line 1 is no record|holds something else|was made by another run"):
        nm.generate_many(2, (5, 5), output=path)
    assert path.read_text() == content


def test_file_that_was_cut_off_anywhere_is_gone_on_with(tmp_path):
    path = tmp_path / "run.jsonl"
    list(nm.generate_many(3, (5, 5), jobs=1, output=path))
    content = path.read_bytes()
    for end in (1, 10, len(content) // 2, len(content) - 10, len(content) - 1):
        path.write_bytes(content[:end])
        assert len(list(nm.generate_many(3, (5, 5), jobs=1, output=path))) == 3
        assert path.read_bytes() == content


def test_file_is_of_one_run_at_a_time_and_let_go_of(tmp_path):
    path = tmp_path / "run.jsonl"
    nm.generate_many(2, (5, 5), jobs=1, output=path).close()
    assert not path.exists()
    first = nm.generate_many(3, (5, 5), jobs=1, output=path)
    next(first)
    with pytest.raises(nm.OptionError, match="another run is writing to"):
        next(nm.generate_many(3, (5, 5), jobs=1, output=path))
    first.close()
    late = nm.generate_many(3, (5, 5), jobs=1, output=path)
    assert len(list(nm.generate_many(3, (5, 5), jobs=1, output=path))) == 3
    with pytest.raises(nm.OptionError, match="another run has written to"):
        next(late)


def test_stored_puzzles_are_proved_again_under_the_limits(tmp_path):
    path = tmp_path / "run.jsonl"
    made = list(nm.generate_many(3, (8, 8), "hard", jobs=1, output=path))
    cancel = threading.Event()
    cancel.set()
    with pytest.raises(nm.GenerationFailed) as failed:
        list(nm.generate_many(3, (8, 8), "hard", jobs=1, output=path, cancel=cancel))
    assert failed.value.reason == "cancelled"
    content = path.read_text()
    for wrong, what in ((content.replace("#", "-", 1), "R"), (content.replace(".", "1", 1), "solution|number")):
        path.write_text(wrong)
        with pytest.raises(nm.OptionError, match=f"puzzle of seed {made[0].seed} is wrong: .*({what})"):
            list(nm.generate_many(3, (8, 8), "hard", jobs=1, output=path))
        assert path.read_text() == wrong


RUN = """
import sys
import nurikabe_mip as nm
if __name__ == "__main__":
    for made in nm.generate_many(10**6, (5, 5), "hard", jobs=2, output=sys.argv[1]):
        print(made.seed, flush=True)
"""


@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGINT])
def test_file_survives_an_end(tmp_path, how):
    path = tmp_path / "run.jsonl"
    process = child(RUN, str(path))
    for _ in range(20):
        process.stdout.readline()
    workers = psutil.Process(process.pid).children(recursive=True)
    if how == signal.SIGINT:
        os.killpg(process.pid, how)  # a terminal sends it to all of them
    else:
        process.send_signal(how)
    _, error = process.communicate(timeout=20)
    assert error.count("Traceback") == (1 if how == signal.SIGINT else 0)
    psutil.wait_procs(workers, timeout=5)
    assert not any(worker.is_running() and worker.status() != psutil.STATUS_ZOMBIE for worker in workers)
    kept = len(path.read_text().splitlines())
    assert kept >= 20
    n = kept + 3
    list(nm.generate_many(n, (5, 5), "hard", jobs=1, output=path))
    assert path.read_text().splitlines() == [text(made) for made in nm.generate_many(n, (5, 5), "hard", jobs=1)]


# pages and the command line


def test_sheet_has_puzzles_then_answers():
    made = list(nm.generate_many(5, (6, 6), "easy", jobs=1))
    page = sheet(made, title="Six & easy")
    puzzles, answers = page.split("<svg xmlns")[1:]
    for part, heading in ((puzzles, "Six &amp; easy"), (answers, "Six &amp; easy: answers")):
        assert f">{heading}</text>" in part
        assert part.count("unique") == 5 and "5 · 6x6 · easy · unique · seed 4" in part
    assert SEA not in puzzles and answers.count(SEA) == 5
    assert puzzles.count("font-weight") == answers.count("font-weight") == 6
    drawing = ElementTree.fromstring(sheet([one.puzzle for one in made], fmt="svg"))
    assert drawing.get("viewBox") == "0 0 2100 5940" and "".join(drawing.itertext()).count("unique") == 10


def test_sheet_of_large_and_of_many_boards():
    assert sheet([nm.generate((30, 2)), nm.generate((2, 30))], fmt="svg").count("unique") == 4
    many = [nm.generate((5, 5), "easy", seed) for seed in range(30)]
    pages = sheet(many).split("<svg xmlns")[1:]
    assert "30 puzzles, page 1 of 2<" in pages[0] and "30 puzzles: answers<" in pages[2]
    assert [page.count("unique") for page in pages] == [20, 10, 30]


def test_sheet_says_unique_of_nothing_else():
    with pytest.raises(nm.NotUniqueError, match="puzzle 2 of the sheet: at least two solutions"):
        sheet([boards.board("1.1/.../1.1"), boards.board(boards.SEVERAL)])
    with pytest.raises(nm.OptionError, match="at least one puzzle"):
        sheet([])


def run(*arguments, code=0):
    result = CliRunner().invoke(main, ["generate", *map(str, arguments)])
    assert result.exit_code == code, (result.stdout, result.stderr)
    return result


def test_command(tmp_path):
    lines = run("6x5", "--level", "hard", "--count", 3, "--to", "id").stdout.splitlines()
    assert [nm.rate(line).level for line in lines] == ["hard"] * 3
    records = run("6x5", "--level", "hard", "--count", 3).stdout
    assert [nm.write(puzzle, "id") for puzzle in nm.read_many(records)] == lines
    file, pages = tmp_path / "run.jsonl", tmp_path / "run.html"
    assert run("6x5", "--level", "hard", "--count", 2, "-o", file).stdout == ""
    run("6x5", "--level", "hard", "--count", 3, "-o", file, "--sheet", pages)
    assert [nm.write(puzzle, "id") for puzzle in nm.read_many(file)] == lines
    assert pages.read_text().count("unique") == 6
    assert "made by another run" in run("6x5", "--count", 2, "-o", file, code=2).stderr


def test_command_at_a_limit():
    assert "after 5 attempts" in run("2x2", "--level", "expert", "--attempts", 5, code=3).stderr
    assert ": 0 of 9 puzzles" in run("60x60", "--level", "hard", "--count", 9, "--time-limit", 0.3, code=3).stderr
    assert "shape is (rows, columns)" in run("6y6", code=2).stderr
    assert "shape is (rows, columns)" in run("0x6", code=2).stderr
    assert "--sheet is a file .html or .svg" in run("6x6", "--sheet", "a.pdf", code=2).stderr
    assert "there is no format" in run("6x6", "--to", "a.pdf", code=2).stderr
