"""The text of janko.at: `[begin]`, lines `key value`, `[problem]` and its rows of words, `[solution]`, `[end]`.

Rows are words: `-` is an empty cell, in the solution `x` is shaded and `-` unshaded.
"""

import re
from collections.abc import Iterator

from ..puzzles import Puzzle
from .base import WORDS, Piece, any_line, board, genre_named, label_lines, labels, lines, number, rectangle, short

SIGNS = WORDS
# the sides that a header tells
SIZES = {"rows": (0,), "cols": (1,), "size": (0, 1)}

detect = any_line(r"\[(?:begin|problem)\]")


def _section(line: Piece) -> str | None:
    found = re.fullmatch(r"\s*\[(\w+)\]\s*", line)
    return found and found[1].lower()


def records(text: str) -> Iterator[list[Piece]]:
    record = []
    for line in lines(text):
        section = _section(line)
        if section == "begin" and record:
            yield record
            record = []
        if line.strip() and (record or not line.lstrip().startswith("#")):
            record.append(line.trimmed())
        if section == "end":
            yield record
            record = []
    if record:
        yield record


def read(record: list[Piece], genre: str) -> Puzzle:
    sections = {"begin": []}
    current = sections["begin"]
    for line in record:
        section = _section(line)
        if section is None:
            current.append(line)
        elif section in sections and line is not record[0]:
            raise line.error(f"expected one [{section}] in a puzzle, found a second")
        else:
            current = sections[section] = []
    if "problem" not in sections:
        raise record[-1].end().error("expected [problem] and its rows, found none")
    headers = {}
    for line in sections["begin"]:
        key, *value = line.matches(r"^\S+|(?<=\s)\S.*")
        if key.lower() in headers:
            raise line.error(f"expected one header {short(key)}, found a second")
        headers[key.lower()] = value[0] if value else line.end()
    if "puzzle" in headers:
        genre = genre_named(headers.pop("puzzle"))
    sizes = {name: headers.pop(name) for name in SIZES if name in headers}
    end = record[-1].end()
    rows = [line.words() for line in sections["problem"]]
    shape = rectangle(rows, end)
    for name, given in sizes.items():
        for found in (shape[side] for side in SIZES[name]):
            if number(given, f"{name} as a number") != found:
                raise given.error(f"expected {name} {found} as the grid has, found {given}")
    answer = None
    if sections.get("solution"):
        answer = SIGNS.shading([line.words() for line in sections["solution"]], sections["solution"][0], shape)
    return board(genre, rows, end, answer=answer, **labels(headers))


def write(puzzle: Puzzle) -> str:
    rows, columns = puzzle.shape
    about = label_lines(puzzle, "{key} {value}", ("puzzle", *SIZES))
    grid = [" ".join(row).replace(".", "-") for row in puzzle.tokens]
    solution = ["[solution]", *SIGNS.rows(puzzle.answer)] if puzzle.answer is not None else []
    head = ["[begin]", f"puzzle {puzzle.genre}", *about, f"rows {rows}", f"cols {columns}"]
    return "\n".join([*head, "[problem]", *grid, *solution, "[end]"])
