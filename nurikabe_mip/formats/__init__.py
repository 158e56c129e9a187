"""Reading and writing puzzles and answers; one module a format, recognised from the content.

>>> puzzle = read("nurikabe:3x3:.,.,.,.,.,.,5,.,1")
>>> write(puzzle, "puzzlink")
'https://puzz.link/p?nurikabe/3/3/l5g1'
"""

import os
import warnings
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from difflib import get_close_matches
from importlib import import_module
from itertools import groupby, islice
from pathlib import Path
from types import ModuleType

from ..errors import FormatError, OptionError
from ..puzzles import GENRES, Puzzle, Shading
from .base import OWN, WORDS, BadRecordWarning, Piece, Signs, cells, line_records, lines

__all__ = ["FORMATS", "BadRecordWarning", "read", "read_answer", "read_many", "write", "write_answer"]

FORMATS: dict[str, ModuleType] = {
    name: import_module(f".{name}", __name__)
    for name in ("text", "janko", "puzzlekit", "json", "pzprv3", "id", "river", "puzzlink", "grid")
}
"""The formats by name, in the order of detection."""

_foreign = import_module(".foreign", __name__)
_DETECTED = [*list(FORMATS.values())[:-1], _foreign, FORMATS["grid"]]
_ONE_LINE = [_foreign, *(module for module in FORMATS.values() if module.records is line_records)]
_ANSWERS = Signs({**OWN.values, **WORDS.values})


def read(text: str | Path | Puzzle, genre: str = "nurikabe", *, format: str | None = None) -> Puzzle:
    """The one puzzle that a text holds.

    Parameters
    ----------
    text
        The text of a puzzle in any format of `FORMATS`; a Path is read as a file in UTF-8; a Puzzle is handed back.
    genre
        What a puzzle is taken to be that does not say it: a bare grid, a river, janko without a header.
    format
        The name of the format, if it is not to be recognised from the text.

    Raises
    ------
    FormatError
        With line and column, if the text is no puzzle, or holds several: `read_many` reads these.
    OSError
        If the file cannot be opened.
    OptionError
        If the genre or the format does not exist.

    Examples
    --------
    >>> print(read("nurikabe/3/3/l5g1"))
    . . .
    . . .
    5 . 1
    >>> read("1.1\\n...\\n1x1")
    Traceback (most recent call last):
        ...
    nurikabe_mip.errors.FormatError: line 3, column 2: expected '.', '?' or a number from 1 to 9, found 'x'
    """
    module = _checked(genre, format)
    if isinstance(text, Puzzle):
        return text
    if isinstance(text, Path):
        try:
            text = _content(text)
        except FormatError as error:
            raise FormatError(f"{text.name}: {error}") from None
    if not isinstance(text, str):
        raise FormatError(f"expected the text of a puzzle, a Path or a Puzzle, found {type(text).__name__}")
    found = list(islice(_puzzles(text, genre, module), 2))
    for item in found:
        if isinstance(item, FormatError):
            raise item
    if not found:
        raise FormatError("expected a puzzle, found none", 1, 1)
    if len(found) > 1:
        raise FormatError("expected one puzzle, found several: read_many reads them all")
    return found[0]


def read_many(
    source: str | Path | Iterable,
    genre: str = "nurikabe",
    *,
    on_error: Callable[[FormatError], object] | None = None,
    format: str | None = None,
) -> Iterator[Puzzle]:
    """The puzzles of a source, one after the other; a bad record is reported and the rest goes on.

    Formats of one line a puzzle (`id`, `river`, `puzzlink`) may be mixed; blank lines and lines that begin with `#`
    are skipped between them. Other sources are records of `text`, `janko`, `puzzlekit` or `pzprv3`, JSON lines, a JSON
    list, and grids with blank lines between them. A folder is read file by file in the order of the names, with what
    is in its folders, but without names that begin with a dot; each file has the format that it is seen to have.

    Parameters
    ----------
    source
        A text, a Path of a file or a folder, or an iterable of Paths, Puzzles and lines of text.
    genre, format
        As for `read`.
    on_error
        Called with the FormatError of each bad record, whose `record` counts from 1 and whose `line` and `column` are
        those of the source; a file of a folder that cannot be read is one, too. Without it a BadRecordWarning is
        issued.

    Raises
    ------
    FormatError
        If the source is none of these.
    OptionError
        If an option does not exist.

    Examples
    --------
    >>> errors = []
    >>> puzzles = read_many("nurikabe:1x2:1,.\\nnurikabe:1x2:3,.\\nnurikabe/2/1/1g", on_error=errors.append)
    >>> [puzzle.tokens for puzzle in puzzles]
    [[['1', '.']], [['1', '.']]]
    >>> print(errors[0])
    record 2, line 2, column 14: expected '.', '?' or a number from 1 to 2, found '3'
    """
    if on_error is not None and not callable(on_error):
        raise OptionError(f"on_error is a function that takes a FormatError, not {type(on_error).__name__}")
    return _good(items(source, genre, format), on_error)


def _good(records: Iterator[tuple[Puzzle | FormatError, str]], on_error) -> Iterator[Puzzle]:
    for number, (item, file) in enumerate(records, 1):
        if isinstance(item, Puzzle):
            yield item
            continue
        message = f"{file}: {item.message}" if file else item.message
        error = FormatError(message, item.line, item.column, number)
        if on_error is not None:
            on_error(error)
        else:
            warnings.warn(str(error), BadRecordWarning, stacklevel=2)


def items(source, genre: str = "nurikabe", format: str | None = None) -> Iterator[tuple[Puzzle | FormatError, str]]:
    """The records of what `read_many` takes, in place of a bad one its error, each with the name of its file, if any.

    The name of a file of a folder is its path within the folder.
    """
    module = _checked(genre, format)
    if isinstance(source, bytes) or not isinstance(source, str | Path | Puzzle | Iterable):
        raise FormatError(f"expected a text, a Path or an iterable of these, found {type(source).__name__}")
    return _items(source, genre, module)


def _items(source, genre: str, module: ModuleType | None) -> Iterator[tuple[Puzzle | FormatError, str]]:
    if isinstance(source, Puzzle):
        yield source, ""
    elif isinstance(source, str):
        yield from ((item, "") for item in _puzzles(source, genre, module))
    elif isinstance(source, Path) and source.is_dir():
        yield from _folder(source, "", genre, module)
    elif isinstance(source, Path):
        try:
            text = _content(source)
        except FormatError as error:
            yield error, source.name
        else:
            yield from ((item, source.name) for item in _puzzles(text, genre, module))
    elif isinstance(source, Iterable) and not isinstance(source, bytes):
        for of_lines, group in groupby(source, key=lambda item: isinstance(item, str)):
            if of_lines:
                group = ["\n".join(line.removesuffix("\n") for line in group)]
            for item in group:
                yield from _items(item, genre, module)
    else:
        yield FormatError(f"expected a text, a Path or a Puzzle, found {type(source).__name__}"), ""


def _folder(folder: Path, prefix: str, genre: str, module: ModuleType | None):
    try:
        with os.scandir(folder) as entries:
            entries = sorted(entries, key=lambda entry: entry.name)
    except OSError as error:
        yield FormatError(f"the folder cannot be read: {error.strerror}"), prefix
        return
    for entry in entries:
        name = prefix + entry.name
        if entry.name.startswith("."):
            continue
        if entry.is_dir(follow_symlinks=False):
            yield from _folder(Path(entry), f"{name}/", genre, module)
        elif entry.is_file():
            try:
                yield from ((item, name) for item, _ in _items(Path(entry), genre, module))
            except OSError as error:
                yield FormatError(f"the file cannot be read: {error.strerror}"), name


def _puzzles(text: str, genre: str, module: ModuleType | None) -> Iterator[Puzzle | FormatError]:
    """The puzzles of a text, in place of a bad one its error."""
    text = _cleaned(text)
    detected = module or next(module for module in _DETECTED if module.detect(text))
    mixed = module is None and detected in _ONE_LINE
    for record in detected.records(text):
        if isinstance(record, FormatError):
            yield record
            continue
        reader = next((other for other in _ONE_LINE if other.detect(record)), detected) if mixed else detected
        try:
            yield reader.read(record, genre)
        except FormatError as error:
            yield error


def write(puzzle: Puzzle | str | Path, fmt: str, answer: Shading | str | Iterable | None = None) -> str:
    """The puzzle in a format of `FORMATS`, with its name, info and answer where the format has a place for them.

    `puzzle` is a Puzzle or anything that `read` takes; `answer` stands in for the answer that the puzzle has. Raises
    OptionError for an unknown format and for a puzzle that the format cannot hold (river has no clue `?`), PuzzleError
    if the answer does not have the shape of the puzzle.

    >>> write("nurikabe:3x3:1,.,1,.,.,.,1,.,1", "json")
    '{"genre":"nurikabe","puzzle":{"grid":["1.1","...","1.1"]}}'
    >>> print(write("2.", "text", answer="--"))
    genre: nurikabe
    grid:
    2.
    solution:
    --
    """
    module = _named(fmt)
    puzzle = read(puzzle)
    if answer is not None:
        puzzle = replace(puzzle, answer=answer if isinstance(answer, Shading) else Shading(answer))
    return module.write(puzzle)


def read_answer(text: str, fmt: str | None = None, puzzle: Puzzle | None = None) -> Shading:
    """An answer from its rows, one a line or with `/` between them.

    Without `fmt` the signs are `#` or `x` for shaded, `-` for unshaded and `.` for undecided; a format has its own,
    and those of `river` are the other way round, so that they are never guessed. A printed clue is unshaded. Raises
    FormatError with the place of a wrong sign, or if the answer does not have the shape of `puzzle`.

    >>> read_answer("-#-/#-x")
    Shading(['-#-', '#-#'])
    >>> read_answer("#.#/...", "river")
    Shading(['-#-', '###'])
    """
    signs = _ANSWERS if fmt is None else _named(fmt).SIGNS
    if not isinstance(text, str):
        raise FormatError(f"expected the text of an answer, found {type(text).__name__}")
    rows = [row for line in lines(_cleaned(text)) for row in line.cut("/") if row]
    return signs.shading(cells(rows), rows[0] if rows else Piece.at("", 1, 1), puzzle and puzzle.shape)


def write_answer(shading: Shading, fmt: str = "text") -> str:
    """An answer in the signs of a format, one row a line.

    Raises OptionError for an unknown format, and for undecided cells where the format has no sign for them.

    >>> print(write_answer(read_answer("-#-/#-#"), "janko"))
    - x -
    x - x
    """
    return "\n".join(_named(fmt).SIGNS.rows(shading))


def _cleaned(text: str) -> str:
    return text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n")


def _content(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8")
    except UnicodeDecodeError as error:
        raise FormatError(f"expected text in UTF-8, found other bytes at byte {error.start + 1}") from None


def _checked(genre: str, format: str | None) -> ModuleType | None:
    if genre not in [*GENRES]:
        raise OptionError(f"there is no genre {genre!r}, there are: {', '.join(GENRES)}")
    return None if format is None else _named(format)


def _named(name: str) -> ModuleType:
    if isinstance(name, str) and name in FORMATS:
        return FORMATS[name]
    near = get_close_matches(str(name), FORMATS, n=1, cutoff=0)[0]
    raise OptionError(f"there is no format {name!r}, perhaps {near!r}; there are: {', '.join(FORMATS)}")
