"""The command line. It reads, calls the package and prints; what takes long to import is imported when it is used."""

import inspect
import json
import math
import os
import re
import sys
import warnings
from collections.abc import Callable, Collection, Iterator
from contextlib import contextmanager
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

import click

from . import __version__
from .errors import BackendNotFound, FormatError, NurikabeMipError, OptionError

if TYPE_CHECKING:
    from rich.text import Text

    from .diagnose import Diagnosis
    from .puzzles import Puzzle, Shading
    from .solve import SolveResult

SOLVED, NOT_UNIQUE, BAD_INPUT, LIMIT = 0, 1, 2, 3
PIPE_CLOSED = 141  # what shells report of programs that a closed pipe ends
WORST = (SOLVED, NOT_UNIQUE, LIMIT, BAD_INPUT)  # of a batch the last of these that occurred is the exit code
EXIT_CODES = """\b
Exit codes:
  0  solved and unique; for check: finished and right
  1  no solution or several; for check: a rule broken, or cells undecided
  2  bad input: a puzzle, a file, an option, or a backend that is not there or fails
  3  a limit was met, or Ctrl-C, before all was known
For many puzzles it is the worst of theirs: 2 before 3 before 1 before 0.
"""
AUDIT_CODES = """\b
Exit codes:
  0  nothing is wrong
  1  something is: see the findings
  2  a path, an option, or a backend that is not there or fails
  3  a limit was met, or Ctrl-C, before all was known
"""
PUZZLE_HELP = """PUZZLE is a file, or the text of a puzzle itself (a URL, an ID, a grid), or nothing or - for standard
input. It may hold many puzzles; a bad one is reported, and the rest goes on."""


ARGUMENT = "the argument"
BOARD = re.compile(r"-(?=.*[\s.#?/]|-{2,}$)[-\s\d.#?/]*")  # a grid of janko or an answer, no option
MOST_ERRORS = 10  # bad records of which each is reported


class Failure(click.ClickException):
    """An error for the user: one line, exit code 2."""

    exit_code = BAD_INPUT

    def show(self, file=None):
        report(self.message)


def report(message: str) -> None:
    """One line on standard error, whatever the message holds."""
    click.echo(f"error: {' '.join(message.split())}", err=True)


class Command(click.Command):
    """A command among whose arguments there may be boards, which may begin like options."""

    def parse_args(self, ctx, args):
        # a zero byte, which no argument has, keeps click from taking them for options
        rest = super().parse_args(ctx, [f"\0{arg}" if BOARD.fullmatch(arg) else arg for arg in args])
        ctx.params = {name: self._plain(value) for name, value in ctx.params.items()}
        return rest

    @staticmethod
    def _plain(value):
        return value.removeprefix("\0") if isinstance(value, str) else value


class Commands(click.Group):
    """The group of all commands, which turns errors and Ctrl-C into a line and an exit code."""

    command_class = Command

    def main(self, *args, **kwargs):
        for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
            if getattr(sys, name) is None:  # it was closed
                setattr(sys, name, open(os.devnull, mode))  # noqa: SIM115 as long as the process lives
        return super().main(*args, **kwargs)

    def invoke(self, ctx):
        for stream in (sys.stdout, sys.stderr):
            if hasattr(stream, "reconfigure"):  # a name that the terminal cannot show is no reason to stop
                stream.reconfigure(errors="backslashreplace")
        try:
            return super().invoke(ctx)
        except NurikabeMipError as error:
            raise Failure(str(error)) from error
        except KeyboardInterrupt:
            click.echo("interrupted", err=True)
            ctx.exit(LIMIT)
        except BrokenPipeError:
            # the reader, such as `head`, has seen enough; what is still buffered must not be written at the exit
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
            ctx.exit(PIPE_CLOSED)
        except OSError as error:
            raise Failure(str(error)) from error


class WithEpilog(Command):
    """A command whose help ends with a text that needs imports."""

    def __init__(self, *args, ending: Callable[[], str], **kwargs):
        super().__init__(*args, **kwargs)
        self.ending = ending

    def format_epilog(self, ctx, formatter):
        formatter.write_paragraph()
        formatter.write_text(self.ending())


@click.group(cls=Commands, context_settings={"help_option_names": ["-h", "--help"]}, epilog=EXIT_CODES)
@click.version_option(__version__, prog_name="nurikabe-mip", message="%(prog)s %(version)s")
def main():
    """Solve, rate, make, check, diagnose, convert and draw Nurikabe and Kuromasu puzzles."""


def puzzle_options(command):
    """The argument PUZZLE, what says how to read it, and a paragraph about it."""
    command.__doc__ = f"{inspect.cleandoc(command.__doc__ or '')}\n\n{PUZZLE_HELP}"
    for decorate in (
        click.option("--pick", metavar="N", type=click.IntRange(1), help="Take only the N-th puzzle."),
        click.option(
            "--genre",
            default="nurikabe",
            help="nurikabe or kuromasu, where the text does not say it.  [default: nurikabe]",
        ),
        click.option("--format", "fmt", metavar="FORMAT", help="Of the puzzles.  [default: seen from the text]"),
        click.argument("puzzle", required=False),
    ):
        command = decorate(command)
    return command


json_option = click.option("--json", "as_json", is_flag=True, help="Print JSON, one line a puzzle.")


# reading


def source_of(argument: str | None) -> tuple[str, str]:
    """The text that an argument stands for, and in words where that is from."""
    if argument in (None, "-"):
        if sys.stdin.isatty():
            click.echo("reading from the terminal; end with Ctrl-D", err=True)
        return text_of(sys.stdin.buffer.read(), "standard input"), "standard input"
    try:
        path = Path(argument)
        is_file = path.exists() and not path.is_dir()  # `.` is a folder, and a puzzle
    except (OSError, ValueError):  # what no file name can be, such as a long text
        is_file = False
    return (text_of(path.read_bytes(), argument), argument) if is_file else (argument, ARGUMENT)


def is_folder(argument: str) -> bool:
    try:
        return Path(argument).is_dir()
    except (OSError, ValueError):
        return False


def text_of(content: bytes, where: str) -> str:
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise Failure(f"{where}: expected text in UTF-8, found other bytes at byte {error.start + 1}") from error


class Puzzles:
    """The puzzles of an argument, with the numbers of their records; `failed` is true if a record was bad."""

    def __init__(self, argument: str | None, fmt: str | None, genre: str, pick: int | None):
        self.text, self.where = source_of(argument)
        self._bad: dict[int | None, NurikabeMipError] = {}
        with warnings.catch_warnings(record=True) as mended:
            warnings.simplefilter("always")
            self.numbered = list(self._read(fmt, genre))
        only_one = len(self.numbered) + len(self._bad) == 1
        if pick is not None:
            self.numbered = [(number, puzzle) for number, puzzle in self.numbered if number == pick]
            self._bad = {number: error for number, error in self._bad.items() if number in (None, pick)}
        self.failed = bool(self._bad)
        for warning in mended:
            click.echo(f"warning: {self.where}: {warning.message}", err=True)
        what = self.where
        if what == ARGUMENT:
            what = f"{shortened(self.text)} is neither a file nor a puzzle"
            if is_folder(self.text):
                what = f"{shortened(self.text)} is a folder, and no puzzle"
        for error in list(self._bad.values())[:MOST_ERRORS]:
            report(f"{what}: {FormatError(error.message, error.line, error.column) if only_one else error}")
        if len(self._bad) > MOST_ERRORS:
            report(f"{what}: {len(self._bad) - MOST_ERRORS} more records that are no puzzles")
        if not self.numbered and not self.failed:
            raise Failure(f"there is no puzzle {'' if pick is None else f'number {pick} '}in {self.where}")

    def _read(self, fmt: str | None, genre: str) -> Iterator[tuple[int, "Puzzle"]]:
        from .formats import read_many

        number = 0
        for puzzle in read_many(self.text, genre, on_error=self._note, format=fmt):
            number += 1
            while number in self._bad:
                number += 1
            yield number, puzzle

    def _note(self, error: FormatError) -> None:
        self._bad[error.record] = error

    @property
    def exit_code(self) -> int:
        return BAD_INPUT if self.failed else SOLVED

    def __len__(self) -> int:
        return len(self.numbered)

    def __iter__(self):
        return iter(self.numbered)

    def name(self, number: int, puzzle: "Puzzle") -> str:
        """What to call a puzzle: its name, or its number where there is more than one."""
        return puzzle.name or (f"puzzle {number}" if len(self) > 1 else "")


def shortened(text: str) -> str:
    return repr(text if len(text) <= 60 else f"{text[:57]}…")


def read_shading(argument: str, fmt: str | None = None, puzzle: "Puzzle | None" = None) -> "Shading":
    """An answer from a file, standard input or the argument itself."""
    from .formats import read_answer

    text, where = source_of(argument)
    try:
        return read_answer(text, fmt, puzzle)
    except FormatError as error:
        what = f"{shortened(text)} is neither a file nor an answer" if where == ARGUMENT else where
        raise Failure(f"{what}: {error}") from error


# printing


class Output:
    """Standard output, coloured where it is a terminal, beside a progress bar on standard error."""

    def __init__(self):
        from .draw import wants_color

        self.color = wants_color(sys.stdout)
        self.console = self._console() if self.color else None

    def _console(self):
        from rich.console import Console

        return Console(highlight=False, force_terminal=True)

    def line(self, text: "str | Text" = "", style: str | None = None) -> None:
        """Print whole lines at once, however wide."""
        if self.console is None:
            click.echo(text)
        else:
            self.console.print(text, style=style if self.color else None, markup=False, emoji=False, soft_wrap=True)
            self.console.file.flush()

    def json(self, record: dict) -> None:
        self.line(json.dumps(record))

    def heading(self, name: str) -> None:
        if name:
            self.line(name, "bold")

    def board(self, *args, **marks) -> None:
        from .draw import terminal

        self.line(terminal(*args, **marks, color=self.color))

    @contextmanager
    def progress(self, total: int | None, least: int = 2):
        """A function to call before each puzzle with the number of those done and a name: a bar, on a terminal.

        `total` is None where the number of puzzles is not known beforehand; the function takes another one. There is no
        bar for fewer than `least`.
        """
        if (total is not None and total < least) or not sys.stderr.isatty():
            yield lambda done, name, total=total: None
            return
        from rich.console import Console
        from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

        console = Console(stderr=True)
        if sys.stdout.isatty():  # then bar and boards share one console, which keeps them apart
            console = self.console = self.console or self._console()
        columns = (
            BarColumn(),
            MofNCompleteColumn(),
            TimeElapsedColumn(),
            TextColumn("{task.description}", markup=False),
        )
        # redirected, what goes to a file would land on the bar's console
        with Progress(*columns, console=console, transient=True, redirect_stdout=False) as bar:
            task = bar.add_task("", total=total)
            yield lambda done, name, total=total: bar.update(task, completed=done, description=name, total=total)


STYLES = {"unique": "bold green", "multiple": "bold yellow", "infeasible": "bold red"}


def print_result(out: Output, name: str, result: "SolveResult") -> None:
    from .draw import describe, mistake_cells, summary

    out.heading(name)
    if result.second is not None:
        for caption, shading in (("one solution:", result.solution), ("another:", result.second)):
            out.line(caption)
            out.board(result.puzzle, shading, outline=result.differing)
        if result.common is not None:
            out.line("the same in all solutions:")
            out.board(result.puzzle, result.common)
    else:
        out.board(result.puzzle, result.solution, mistakes=mistake_cells(result))
    if result.reason:
        out.line(result.reason)
    if result.advice:
        out.line(f"nurikabe-mip {result.advice}")
    out.line(f"{result.status}: {describe(result)} ({summary(result)})", STYLES.get(result.status))


def result_record(name: str, result: "SolveResult") -> dict:
    """A result for JSON; cells are [row, column] from 0 at the top left, answers are rows of `#`, `-` and `.`."""
    from .formats import write

    def rows(shading: "Shading | None"):
        return None if shading is None else shading.rows

    return {
        "name": name,
        "genre": result.puzzle.genre,
        "shape": result.puzzle.shape,
        "puzzle": write(result.puzzle, "id").strip(),
        "status": str(result.status),
        "solution": rows(result.solution),
        "second": rows(result.second),
        "differing": result.differing,
        "common": rows(result.common),
        "seconds": result.stats.total_seconds,
        "backend": result.backend,
        "verified_by": result.verified_by,
        "interrupted": result.interrupted,
        "reason": result.reason,
        "searched": result.searched,
        "presolve": None if result.presolved is None else presolve_record(result.presolved),
        "mistakes": [asdict(mistake) for mistake in result.mistakes],
        "stats": asdict(result.stats),
    }


def diagnosis_record(found: "Diagnosis") -> dict:
    """A diagnosis for JSON."""
    from .formats import write

    return {
        "name": found.puzzle.name,
        "puzzle": write(found.puzzle, "id").strip(),
        "status": str(found.status),
        "solutions": [shading.rows for shading in found.solutions],
        "common": None if found.common is None else found.common.rows,
        "clashes": [asdict(clash) for clash in found.clashes],
        "mistakes": [asdict(mistake) for mistake in found.mistakes],
        "proof": None if found.proof is None else [step_record(step) for step in found.proof.steps],
        "repairs": [
            {"what": one.what, "puzzle": write(one.puzzle, "id").strip(), "cells": one.cells, "number": one.number}
            for one in found.repairs
        ],
        "fewest": found.fewest,
        "violation": None if found.violation is None else asdict(found.violation),
        "wrong": found.wrong,
        "complete": found.complete,
        "interrupted": found.interrupted,
        "seconds": found.seconds,
    }


def presolve_record(presolved) -> dict:
    return {name: getattr(presolved, name) for name in ("method", "cells_removed", "owners_removed", "interrupted")}


def step_record(step) -> dict:
    """A step for JSON."""
    return {name: getattr(step, name) for name in ("technique", "cells", "value", "because", "clues", "text")}


def write_file(path: str, picture: str, number: int, total: int) -> None:
    """Write a picture; of many each to its own file, board.svg to board-1.svg, board-2.svg, …"""
    target = Path(path)
    if total > 1:
        target = target.with_stem(f"{target.stem}-{number:0{len(str(total))}}")
    target.write_text(picture, encoding="utf-8")


def list_formats() -> str:
    from .formats import FORMATS

    return f"Formats: {', '.join(FORMATS)}."


# the commands


def parsed(text: str):
    """The value of an option: a number, true, false or none where it is one, else the text."""
    words = {"true": True, "false": False, "none": None}
    if text.lower() in words:
        return words[text.lower()]
    for kind in (int, float):
        try:
            value = kind(text)
        except ValueError:
            continue
        if math.isfinite(value):
            return value
    return text


def parsed_options(pairs: tuple[str, ...], taken: Collection[str], what: str = "--option") -> dict:
    options = {}
    for pair in pairs:
        name, sign, text = pair.partition("=")
        name = name.strip().replace("-", "_")
        if not (sign and name):
            raise Failure(f"{what} is name=value; got {pair!r}")
        if name in taken:
            raise Failure(f"{what} {name}=… is no option of a backend: see --help")
        options[name] = parsed(text.strip())
    return options


@main.command(epilog=EXIT_CODES)
@puzzle_options
@click.option("--backend", metavar="NAME", default="auto", help="See the command backends.  [default: auto]")
@click.option("--verify", metavar="NAME", help="A second backend that must agree.")
@click.option("--time-limit", metavar="SECONDS", type=float, help="For each puzzle.  [default: none]")
@click.option("--threads", metavar="N", type=int, default=1, help="For the solver.  [default: 1]")
@click.option("--seed", metavar="N", type=int, default=0, help="Of every random choice.  [default: 0]")
@click.option("--known", metavar="ANSWER", help="A partial answer to start from: text of #, -, . or a file.")
@click.option("--option", "pairs", metavar="NAME=VALUE", multiple=True, help="Of the backend; may be repeated.")
@click.option("--presolve", metavar="HOW", help="none, rules or lookahead.  [default: what suits the backend]")
@click.option("--common", is_flag=True, help="Also find the cells that are the same in all solutions.")
@click.option("--log", is_flag=True, help="Show the solver's log on standard error.")
@click.option("--svg", metavar="FILE", help="Draw the solution; of many puzzles FILE-1.svg, FILE-2.svg, ...")
@json_option
def solve(puzzle, fmt, genre, pick, backend, pairs, known, log, svg, as_json, **arguments):
    """Solve puzzles and prove whether each solution is the only one.

    \b
    nurikabe-mip solve https://puzz.link/p?nurikabe/3/3/l5g1
    nurikabe-mip solve puzzles.txt --backend pulp --time-limit 60 --json
    nurikabe-mip solve puzzles.txt --option formulation=NAME --log
    """
    from . import draw
    from . import solve as solve_puzzle

    puzzles = Puzzles(puzzle, fmt, genre, pick)
    arguments |= {"backend": backend, "known": None if known is None else read_shading(known)}
    arguments["log"] = (lambda line: click.echo(line, err=True)) if log else False
    arguments |= parsed_options(pairs, {*arguments, "puzzle", "cancel"})
    out = Output()
    codes = [puzzles.exit_code]
    with out.progress(len(puzzles)) as step:
        for done, (number, one) in enumerate(puzzles):
            name = puzzles.name(number, one)
            step(done, name)
            try:
                result = solve_puzzle(one, **arguments)
            except (OptionError, BackendNotFound):
                raise  # it would be the same for every puzzle
            except NurikabeMipError as error:
                report(f"{name}: {error}" if name else str(error))
                codes.append(BAD_INPUT)
                continue
            codes.append({"unique": SOLVED, "multiple": NOT_UNIQUE, "infeasible": NOT_UNIQUE}.get(result.status, LIMIT))
            if as_json:
                out.json(result_record(one.name, result))
            else:
                if done:
                    out.line()
                print_result(out, name, result)
            if svg:
                marks = {"outline": result.differing, "mistakes": draw.mistake_cells(result)}
                write_file(svg, draw.svg(one, result.solution, **marks), number, len(puzzles))
            if result.interrupted:
                codes.append(LIMIT)
                click.echo(f"interrupted: {done + 1} of {len(puzzles)} puzzles", err=True)
                break
    sys.exit(max(codes, key=WORST.index))


@main.command(epilog=EXIT_CODES)
@puzzle_options
@click.argument("answer", required=False)
@click.option("--answer-format", metavar="FORMAT", help="Of the answer, such as river.  [default: #, - and .]")
@click.option("--finish", is_flag=True, help="Take undecided cells as unshaded.")
@json_option
def check(puzzle, answer, fmt, genre, pick, answer_format, finish, as_json):
    """Judge an answer by the rules.

    Each rule that ANSWER breaks is a line, with the cells to look at as r1c1 (row 1, column 1). ANSWER is a text of
    # shaded, - unshaded, . undecided, a row a line or / between them, or a file. Without it the answers that are
    stored with the puzzles are judged.
    """
    from . import check as check_puzzle
    from .puzzles import UNDECIDED, answer_of

    if puzzle in (None, "-") and answer == "-":
        raise Failure("only one of puzzle and answer can come from standard input")
    puzzles = Puzzles(puzzle, fmt, genre, pick)
    if answer is not None and len(puzzles) > 1:
        raise Failure(f"one answer and {len(puzzles)} puzzles: choose one with --pick N")
    one = next(iter(puzzles), (None, None))[1]
    given = None if answer is None else read_shading(answer, answer_format, one)
    out = Output()
    codes = [puzzles.exit_code]
    for done, (number, one) in enumerate(puzzles):
        name = puzzles.name(number, one)
        shading = one.answer if given is None else given
        if shading is None:
            report(f"{name or 'the puzzle'} has no stored answer: give one after the puzzle")
            codes.append(BAD_INPUT)
            continue
        if finish:
            shading = shading.finished()
        violations = check_puzzle(one, shading)
        undecided = int((answer_of(one, shading).cells == UNDECIDED).sum())
        codes.append(NOT_UNIQUE if violations or undecided else SOLVED)
        if as_json:
            record = {"name": one.name, "violations": [asdict(violation) for violation in violations]}
            out.json(record | {"undecided": undecided})
            continue
        if done:
            out.line()
        out.heading(name)
        out.board(one, shading, mistakes={cell for violation in violations for cell in violation.cells})
        for violation in violations:
            places = " ".join(f"r{row + 1}c{column + 1}" for row, column in violation.cells)
            out.line(f"{violation} [{places}]" if places else str(violation))
        if violations:
            out.line(f"wrong: {len(violations)} violation{'s' * (len(violations) > 1)}", "bold red")
        elif undecided:
            out.line(f"unfinished: no rule is broken; undecided cells: {undecided}", "bold yellow")
        else:
            out.line("right: every rule holds", "bold green")
    sys.exit(max(codes, key=WORST.index))


@main.command(epilog=EXIT_CODES)
@puzzle_options
@click.option("--steps", is_flag=True, help="Show each step: what it decides, why, and the board.")
@click.option("--time-limit", metavar="SECONDS", type=float, help="For each puzzle.  [default: none]")
@click.option("--html", metavar="FILE", help="Write the steps as cards; of many puzzles FILE-1.html, ...")
@json_option
def rate(puzzle, fmt, genre, pick, steps, time_limit, html, as_json):
    """Rate puzzles by the techniques that a person needs: easy, medium, hard, expert, or beyond."""
    from . import draw
    from . import rate as rate_puzzle
    from .errors import NotUniqueError

    puzzles = Puzzles(puzzle, fmt, genre, pick)
    out = Output()
    codes = [puzzles.exit_code]
    with out.progress(len(puzzles)) as progress:
        for done, (number, one) in enumerate(puzzles):
            name = puzzles.name(number, one)
            progress(done, name)
            try:
                rating = rate_puzzle(one, time_limit=time_limit)
            except NotUniqueError as error:
                report(f"{name}: {error}" if name else str(error))
                codes.append(NOT_UNIQUE)
                continue
            except KeyboardInterrupt:
                codes.append(LIMIT)
                click.echo(f"interrupted: {done} of {len(puzzles)} puzzles", err=True)
                break
            codes.append(SOLVED if rating.unique and rating.level else LIMIT)
            if html:
                write_file(html, draw.cards(rating), number, len(puzzles))
            if as_json:
                record = {"name": one.name, "level": rating.level, "solved": rating.solved, "unique": rating.unique}
                record |= {"search_nodes_per_cell": rating.search_nodes_per_cell}
                record |= {"counts": dict(rating.counts), "profile": rating.profile, "version": rating.version}
                out.json(record | ({"steps": [step_record(step) for step in rating.steps]} if steps else {}))
                continue
            if done:
                out.line()
            out.heading(name)
            if steps:
                for count, (step, board) in enumerate(zip(rating.steps, rating.boards()[1:], strict=True), 1):
                    out.line(draw.step_title(count, step), "bold")
                    out.line(step.text)
                    out.board(one, board, outline=step.cells)
                    out.line()
            else:
                out.board(one, rating.shading)
            out.line(str(rating), "bold")
    sys.exit(max(codes, key=WORST.index))


@main.command()
@puzzle_options
@click.argument("answer", required=False)
@click.option("--wrong", is_flag=True, help="If the answer is wrong, find the cells to blame.")
@click.option(
    "--time-limit", metavar="SECONDS", type=float, default=10.0, help="To look for a solution.  [default: 10]"
)
@json_option
def hint(puzzle, answer, fmt, genre, pick, wrong, time_limit, as_json):
    """Show the next step of a puzzle, from the partial ANSWER or from the start.

    The exit code is 0 for a step and for a finished answer, 1 for a wrong answer and where no technique applies, 3
    where the limit came before the answer was compared with a solution.
    """
    from . import hint as hint_at

    puzzles = Puzzles(puzzle, fmt, genre, pick)
    if not len(puzzles):
        sys.exit(puzzles.exit_code)
    if len(puzzles) > 1:
        raise Failure(f"a hint is for one puzzle, here are {len(puzzles)}: choose one with --pick N")
    (_, one) = next(iter(puzzles))
    partial = None if answer is None else read_shading(answer, None, one)
    found = hint_at(one, partial, wrong=wrong, time_limit=time_limit)
    out = Output()
    if as_json:
        step = None if found.step is None else step_record(found.step)
        record = {"name": one.name, "status": found.status, "text": found.text, "step": step, "wrong": found.wrong}
        out.json(record | {"compared": found.compared})
    else:
        mistakes = found.wrong or {cell for violation in found.violations for cell in violation.cells}
        out.board(one, found.shading, outline=found.cells, mistakes=mistakes)
        out.line(f"{found.technique}: {found}" if found.step else str(found))
    if not found.compared:
        click.echo("the limit came before it was known whether a solution contains the answer", err=True)
        sys.exit(LIMIT)
    sys.exit(SOLVED if found.status in ("step", "finished") else NOT_UNIQUE)


@main.command(epilog=EXIT_CODES)
@puzzle_options
@click.argument("answer", required=False)
@click.option("--backend", metavar="NAME", default="auto", help="See the command backends.  [default: auto]")
@click.option("--time-limit", metavar="SECONDS", type=float, default=60.0, help="For each puzzle.  [default: 60]")
@click.option("--steps", is_flag=True, help="Show the steps of the proof, if there is one.")
@click.option("--html", metavar="FILE", help="Write what a notebook shows; of many puzzles FILE-1.html, ...")
@json_option
def diagnose(puzzle, answer, fmt, genre, pick, backend, time_limit, steps, html, as_json):
    """Say why a puzzle has no solution or several, what is wrong in an ANSWER, and which clues to change.

    The exit code is 0 for a puzzle with exactly one solution, and an answer that agrees with it if one is given.
    """
    from . import diagnose as diagnose_puzzle
    from .draw.diagnosis import diagnosis_boards

    puzzles = Puzzles(puzzle, fmt, genre, pick)
    if answer is not None and len(puzzles) > 1:
        raise Failure(f"one answer and {len(puzzles)} puzzles: choose one with --pick N")
    out = Output()
    codes = [puzzles.exit_code]
    with out.progress(len(puzzles), least=1) as step:
        for done, (number, one) in enumerate(puzzles):
            name = puzzles.name(number, one)

            def tell(what, part, parts, done=done, name=name):
                step(done, f"{name} {what}: {part} of {parts}".strip())

            known = None if answer is None else read_shading(answer, None, one)
            found = diagnose_puzzle(one, known, time_limit, backend=backend, progress=tell)
            right = found.status == "unique" and not found.wrong and not found.violation
            codes.append(LIMIT if not found.complete else SOLVED if right else NOT_UNIQUE)
            if html:
                write_file(html, found._repr_html_(), number, len(puzzles))
            if as_json:
                out.json(diagnosis_record(found))
                continue
            if done:
                out.line()
            out.heading(name)
            for caption, board, marks in diagnosis_boards(found):
                if caption:
                    out.line(f"{caption}:")
                out.board(*board, **marks)
            first, *more = found.lines
            out.line(first, STYLES.get(found.status))
            for line in more:
                out.line(line)
            for count, one_step in enumerate(found.proof.steps if steps and found.proof else (), 1):
                out.line(f"  {count}. {one_step.technique}: {one_step.text}")
            if found.interrupted:
                break
    sys.exit(max(codes, key=WORST.index))


@main.command(cls=WithEpilog, ending=list_formats)
@puzzle_options
@click.option("--to", metavar="FORMAT", required=True, help="One of the formats below.")
@click.option("-o", "--output", metavar="FILE", help="Instead of standard output.")
def convert(puzzle, fmt, genre, pick, to, output):
    """Write puzzles in another format, one record after another."""
    from .formats import FORMATS, write

    if to not in FORMATS:
        raise Failure(f"there is no format {to!r}; there are {', '.join(FORMATS)}")
    puzzles = Puzzles(puzzle, fmt, genre, pick)
    code = puzzles.exit_code
    texts = []
    for number, one in puzzles:
        try:
            text = write(one, to).rstrip("\n")
        except NurikabeMipError as error:
            report(f"{puzzles.name(number, one)}: {error}".removeprefix(": "))
            code = BAD_INPUT
            continue
        # a blank line parts records of several lines; without it grids would be one
        texts.append(f"\n{text}" if texts and ("\n" in text or to == "grid") else text)
        if output is None:
            click.echo(texts[-1])
    if output is not None:
        Path(output).write_text("".join(f"{text}\n" for text in texts), encoding="utf-8")
    sys.exit(code)


def where_models_are() -> str:
    from .export import MODELS

    return f"The files that read mathprog and minizinc data, GENRE.mod and GENRE.mzn, are in {MODELS}."


@main.command(cls=WithEpilog, ending=where_models_are)
@puzzle_options
@click.option("--to", metavar="FORMAT", required=True, help="lp, mps, mathprog, minizinc or cpsat.")
@click.option("--formulation", metavar="NAME", help="Of lp and mps (backend pulp) or cpsat.  [default: the backend's]")
@click.option("--presolve", metavar="HOW", default="none", help="none, rules or lookahead.  [default: none]")
@click.option("--known", metavar="ANSWER", help="A partial answer to start from: text of #, -, . or a file.")
@click.option("-o", "--output", metavar="FILE", help="Instead of standard output; cpsat is binary but in *txt.")
def export(puzzle, fmt, genre, pick, to, known, output, **arguments):
    """Write the model of a puzzle for another program.

    \b
    nurikabe-mip export puzzle.txt --to lp -o puzzle.lp
    nurikabe-mip export puzzle.txt --to mathprog -o puzzle.dat
    """
    from . import export as export_puzzle

    puzzles = Puzzles(puzzle, fmt, genre, pick)
    if not len(puzzles):
        sys.exit(puzzles.exit_code)
    if len(puzzles) > 1:
        raise Failure(f"a model is of one puzzle, here are {len(puzzles)}: choose one with --pick N")
    (_, one) = next(iter(puzzles))
    text = export_puzzle(one, to, output, known=None if known is None else read_shading(known), **arguments)
    if text is not None:
        click.echo(text)
    sys.exit(puzzles.exit_code)


@main.command()
@puzzle_options
@click.option("--answer", is_flag=True, help="Show the answer that is stored with the puzzle, too.")
@click.option("--svg", metavar="FILE", help="Draw into FILE instead; of many puzzles FILE-1.svg, FILE-2.svg, ...")
def show(puzzle, fmt, genre, pick, answer, svg):
    """Show puzzles."""
    from . import draw

    puzzles = Puzzles(puzzle, fmt, genre, pick)
    out = Output()
    for done, (number, one) in enumerate(puzzles):
        shading = one.answer if answer else None
        if svg:
            write_file(svg, draw.svg(one, shading), number, len(puzzles))
            continue
        if done:
            out.line()
        out.heading(puzzles.name(number, one))
        out.board(one, shading)
    sys.exit(puzzles.exit_code)


@main.command(cls=WithEpilog, ending=list_formats)
@click.argument("shape")
@click.option("--level", default="any", help="easy, medium, hard, expert, beyond, or any.  [default: any]")
@click.option("--count", "n", metavar="N", type=int, default=1, help="How many different puzzles.  [default: 1]")
@click.option("--seed", metavar="N", type=int, default=0, help="Of the first puzzle; the others follow.  [default: 0]")
@click.option("--jobs", metavar="N", type=int, default=1, help="Processes; the puzzles are the same.  [default: 1]")
@click.option("--require", metavar="TECHNIQUE", help="Each puzzle needs it, such as sea_exit, for nurikabe.")
@click.option("--symmetry", metavar="KIND", help="Of the clue cells: rotate180, rotate90, mirror, flip, diagonal.")
@click.option(
    "--hidden", metavar="SHARE", type=float, default=0.0, help="Of the clues become ?, from 0 to 1, for nurikabe."
)
@click.option("--black-share", metavar="SHARE", type=float, help="Of cells, for kuromasu.  [default: 0.2]")
@click.option("--time-limit", metavar="SECONDS", type=float, help="For all puzzles together.  [default: none]")
@click.option("--attempts", metavar="N", type=int, help="For each puzzle.  [default: 1000]")
@click.option("--genre", default="nurikabe", help="nurikabe or kuromasu.  [default: nurikabe]")
@click.option("--to", metavar="FORMAT", default="text", help="On standard output.  [default: text]")
@click.option("-o", "--output", metavar="FILE", help="Write JSON lines instead; if FILE is there, go on with it.")
@click.option("--sheet", metavar="FILE", help="Write pages to print, too: FILE.html or FILE.svg.")
def generate(shape, n, to, output, sheet, attempts, **arguments):
    """Make puzzles with exactly one solution, with their answers. SHAPE is rows x columns, such as 10x12.

    \b
    nurikabe-mip generate 10x10 --level hard --count 20 --jobs 2 -o hard.jsonl
    nurikabe-mip generate 7x7 --level easy --count 12 --sheet easy.html --to id
    """
    from . import draw
    from . import generate_many as generate_puzzles
    from .errors import GenerationFailed
    from .formats import FORMATS, write

    if to not in FORMATS:
        raise Failure(f"there is no format {to!r}; there are {', '.join(FORMATS)}")
    if sheet and Path(sheet).suffix not in (".html", ".svg"):
        raise Failure(f"--sheet is a file .html or .svg; got {sheet!r}")
    if attempts is not None:
        arguments["attempts"] = attempts
    out = Output()
    found, code = [], SOLVED
    with out.progress(n) as step:
        try:
            for made in generate_puzzles(n, shape, output=output, **arguments):
                found.append(made)
                step(len(found), "")
                if output is None:
                    text = write(made.puzzle, to).rstrip("\n")
                    out.line(f"\n{text}" if len(found) > 1 and ("\n" in text or to == "grid") else text)
        except (GenerationFailed, KeyboardInterrupt) as stopped:
            code = LIMIT
            what = str(stopped) or "interrupted"
            click.echo(f"{what}: {len(found)} of {n} puzzles", err=True)
    if sheet and found:
        Path(sheet).write_text(draw.sheet(found, fmt=Path(sheet).suffix[1:]), encoding="utf-8")
    sys.exit(code)


@main.command(epilog=AUDIT_CODES)
@click.argument("paths", metavar="PATH...", nargs=-1, required=True, type=click.Path(exists=True, path_type=Path))
@click.option("--jobs", metavar="N", type=int, default=1, help="Processes.  [default: 1]")
@click.option("--backend", metavar="NAME", default="auto", help="See the command backends.  [default: auto]")
@click.option("--verify", metavar="NAME", help="A second backend that must agree.")
@click.option("--time-limit", metavar="SECONDS", type=float, default=10.0, help="For each puzzle.  [default: 10]")
@click.option("--report", metavar="FILE", help="Write the findings as they come, into FILE.jsonl or FILE.csv.")
@click.option(
    "--genre", default="nurikabe", help="nurikabe or kuromasu, where the text does not say it.  [default: nurikabe]"
)
@click.option("--format", metavar="FORMAT", help="Of the puzzles.  [default: seen from the text]")
@json_option
def audit(paths, as_json, **arguments):
    """Find what is wrong with collections of puzzles.

    PATH is a file of puzzles in any format, or a folder of such files. Each finding is a line: records that are no
    puzzle, puzzles with no solution or several, stored answers that are wrong, boards that occur twice (turned and
    mirrored ones, too), and puzzles for which the limit came before a proof.
    """
    from .corpus.audit import audit as audit_puzzles

    out = Output()
    shown = 0

    with out.progress(None) as step:

        def show(found):
            nonlocal shown
            for finding in found.findings[shown:]:
                out.json(asdict(finding)) if as_json else out.line(str(finding))
            shown = len(found.findings)
            step(found.records, f"{found.records - found.sound} with findings")

        found = audit_puzzles(paths, progress=show, **arguments)
    if not found.records and found.complete:
        raise Failure(f"there is no puzzle in {', '.join(map(str, paths))}")
    if not as_json:
        out.line(str(found))
    codes = [LIMIT if kind == "unproved" else NOT_UNIQUE for kind, count in found.counts.items() if count]
    sys.exit(max([SOLVED if found.complete else LIMIT, *codes], key=WORST.index))


@main.command()
@json_option
def backends(as_json):
    """List the backends, and how to install them."""
    from . import backends as list_backends

    if as_json:
        for info in list_backends():
            click.echo(json.dumps(asdict(info)))
        return
    table = [("backend", "installed", "version", "can", "what it is")]
    for info in list_backends():
        what = info.summary if info.install is None else f"{info.summary}; to install: {info.install}"
        installed = "yes" if info.installed else "no"
        table.append((info.name, installed, info.version or "-", ", ".join(info.capabilities) or "-", what))
    widths = [max(map(len, column)) for column in zip(*table, strict=True)]
    for row in table:
        click.echo("  ".join(word.ljust(width) for word, width in zip(row, widths, strict=True)).rstrip())


@main.group()
def bench():
    """Compare backends on a corpus: run, report, compare."""


def backend_with_options(text: str) -> str | tuple[str, dict]:
    """`cpsat:formulation=ranks,presolve=none` as `bench.run` takes it."""
    name, _, pairs = text.partition(":")
    if not pairs:
        return name
    options = parsed_options(tuple(pairs.split(",")), (), f"after {name}: each option")
    if options.get("presolve", "") is None:
        options["presolve"] = "none"  # its name, no missing value
    return name, options


@bench.command("run")
@click.option("--corpus", metavar="FILE", help="Puzzles in any format.  [default: those of the package]")
@click.option(
    "--genre", default="nurikabe", help="nurikabe or kuromasu, where the text does not say it.  [default: nurikabe]"
)
@click.option("--backend", "backends", metavar="NAME[:OPTION=VALUE,...]", multiple=True, help="May be repeated.")
@click.option("-o", "--output", metavar="FILE", required=True, help="The records, JSON lines; continued if it exists.")
@click.option("--limit", metavar="SECONDS", type=float, default=20.0, help="For each solve.  [default: 20]")
@click.option("--grace", metavar="SECONDS", type=float, default=5.0, help="After it, until a kill.  [default: 5]")
@click.option("--memory", metavar="GB", type=float, default=4.0, help="For each process.  [default: 4]")
@click.option("--repeats", metavar="N", type=int, default=1, help="Of each solve.  [default: 1]")
@click.option("--every", metavar="N", type=click.IntRange(1), default=1, help="Take only every N-th puzzle.")
@click.option("--threads", metavar="N", type=int, default=1, help="For the solver.  [default: 1]")
@click.option("--seed", metavar="N", type=int, default=0, help="Of the first repeat.  [default: 0]")
@click.option("--jobs", metavar="N", type=int, default=1, help="Solves at one time, here.  [default: 1]")
@click.option("--scheduler", metavar="ADDRESS", help="Of a Dask cluster, such as tcp://host:8786; or local.")
def bench_run(corpus, genre, backends, output, every, **arguments):
    """Solve every puzzle of a corpus with every backend, each solve in a process of its own under hard limits.

    \b
    nurikabe-mip bench run --corpus boards.txt --backend auto --backend cpsat:formulation=ranks -o records.jsonl

    Each record is written as it comes; the same command goes on where a run was stopped or killed, and more
    backends, repeats or puzzles can be added. Options of a backend are those of solve --option, and presolve.
    """
    from . import bench, load_corpus

    puzzles = None if corpus is None else Puzzles(corpus, None, genre, None)
    if puzzles is not None and not len(puzzles):
        sys.exit(puzzles.exit_code)
    chosen = (load_corpus(genre=genre) if puzzles is None else [puzzle for _, puzzle in puzzles])[::every]
    configurations = [backend_with_options(text) for text in backends or ("auto",)]
    try:
        with Output().progress(len(chosen) * len(configurations)) as step:
            arguments["progress"] = lambda done, total, what: step(done, what, total)
            results = bench.run(chosen, configurations, output, **arguments)
    except KeyboardInterrupt:
        click.echo(f"interrupted; the records so far are in {output}, and the same command goes on", err=True)
        sys.exit(LIMIT)
    click.echo(f"{len(results.records)} records of {len(results.puzzles)} puzzles in {output}")
    sys.exit(SOLVED if puzzles is None else puzzles.exit_code)


@bench.command("report")
@click.argument("files", metavar="FILE...", nargs=-1, required=True, type=click.Path(exists=True, dir_okay=False))
@click.option("-o", "--output", "outputs", metavar="FILE", multiple=True, help="NAME.html or NAME.md; may be repeated.")
@click.option("--title", default="Benchmark", help="[default: Benchmark]")
@click.option("--shift", metavar="SECONDS", type=float, default=0.01, help="Of the geometric mean.  [default: 0.01]")
def bench_report(files, outputs, title, shift):
    """Write a report on records: statistics, plots, failures, machines. By default the first FILE with .html."""
    from . import bench

    results = bench.load(*files)
    for output in outputs or [Path(files[0]).with_suffix(".html")]:
        click.echo(" ".join(map(str, bench.report(results, output, title=title, shift=shift))))


@bench.command("compare")
@click.argument("files", metavar="FILE...", nargs=-1, required=True, type=click.Path(exists=True, dir_okay=False))
@click.option("--baseline", metavar="BACKEND", help="Compare all others with this one.  [default: all pairs]")
def bench_compare(files, baseline):
    """Print the summary of records, and the ratios of times of each pair with a confidence interval."""
    from . import bench
    from .bench.pages import notes, ratio_table, summary_table

    results = bench.load(*files)
    for note in notes(results):
        click.echo(note)
    for table in (summary_table(results), ratio_table(results, baseline)):
        if table is not None:
            click.echo(f"{table.text()}\n")
    click.echo(bench.rules(results.limit))


if __name__ == "__main__":
    main()
