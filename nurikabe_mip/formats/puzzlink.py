"""URLs of pzpr and its heirs (puzz.link, pzv.jp, pzprxs), as robx/pzprjs encodes them; width first."""

import re
from collections.abc import Iterator

from ..puzzles import NO_CLUE, SHADED, UNKNOWN_SIZE, UNSHADED, Puzzle
from .base import Piece, Signs, any_line, board, genre_named, line_records, short, size
from .pzprv3 import PIDS, pid_of
from .pzprv3 import head as pzprv3_head
from .pzprv3 import read as read_pzprv3

SIGNS = Signs({"#": SHADED, ".": UNSHADED, "+": UNSHADED})

# prefix of a number, its hex digits, the first number written so, what is taken off it
NUMBERS = (
    ("", 1, 0, 0),
    ("-", 2, 16, 0),
    ("+", 3, 256, 0),
    ("=", 3, 4096, 4096),
    ("%", 3, 8192, 8192),
    ("@", 3, 8192, 8192),
    ("*", 4, 12240, 12240),
    ("$", 5, 77776, 77776),
)
OFFSETS = {prefix: offset for prefix, _, _, offset in NUMBERS}
TOKEN = "|".join(f"{re.escape(prefix)}[0-9a-f]{{{digits}}}" for prefix, digits, _, _ in NUMBERS) + "|[g-z.]"

# no other percent codes: `%000` is a number
QUOTED = re.compile("|".join(f"%{ord(sign):x}" for sign in "/?&=:+@*$.-_% ") + "|.", re.IGNORECASE)

detect = any_line(r"[^\s/]*/|[^\s%]*%(?:2f|3a)")
records = line_records


class Unquoted(Piece):
    """A percent-decoded piece, whose characters know the columns that they had before."""

    columns: list[int]

    @classmethod
    def of(cls, line: Piece) -> "Unquoted":
        found = [match.group() for match in QUOTED.finditer(line)]
        columns = [line.column]
        for quoted in found:
            columns.append(columns[-1] + len(quoted))
        text = "".join(quoted if len(quoted) == 1 else chr(int(quoted[1:], 16)) for quoted in found)
        return cls._with(text, line.line, columns)

    @classmethod
    def _with(cls, text: str, line: int, columns: list[int]) -> "Unquoted":
        piece = cls.at(text, line, columns[0])
        piece.columns = columns
        return piece

    def part(self, start: int, end: int | None = None) -> "Unquoted":
        end = len(self) if end is None else max(start, end)
        return self._with(self[start:end], self.line, self.columns[start : end + 1])


def read(record: Piece, genre: str) -> Puzzle:
    url = Unquoted.of(record)
    if pzprv3_head(url):
        return read_pzprv3([url], genre)
    url = url.part(0, re.search(r"\s+#|$", url).start())  # a comment, as lists of links have them
    before = re.match(r"(?!\w+/)[^?]*\?(?:type=\w*&)?", url)
    segments = url.part(before.end() if before else 0).cut("/")
    if not segments[0].isdigit():
        pid = segments.pop(0)
        genre = genre_named(pid.part(0, len(re.sub("_(?:edit|play)$", "", pid))), PIDS)
    while segments and not segments[0].isdigit():
        del segments[0]  # `v:` and flags, which change nothing in these genres
    while segments and not segments[-1]:
        del segments[-1]
    if not 2 <= len(segments) <= 3:
        raise (segments[3] if segments[3:] else url.end()).error("expected genre/columns/rows/cells and no more")
    columns, rows, *body = segments
    shape = size(rows, columns)
    grid = [["."] * shape[1] for _ in range(shape[0])]
    index = 0
    for clue in body and _tokens(body[0]):
        if "g" <= clue <= "z":
            index += ord(clue) - ord("f")
            continue
        if index >= shape[0] * shape[1]:
            raise clue.error(f"expected {shape[0] * shape[1]} cells, found another clue after them")
        grid[index // shape[1]][index % shape[1]] = clue
        index += 1
    return board(genre, grid, record)


def _tokens(body: Piece) -> Iterator[Piece]:
    """The gaps as their letters, the clues as `?` or decimal numbers."""
    for token in body.matches(f"{TOKEN}|."):
        if "g" <= token <= "z":
            yield token
            continue
        if not re.fullmatch(TOKEN, token):
            raise token.error(f"expected a number, '.' or a letter from g to z, found {short(token)}")
        prefix = token[: not token[0].isalnum()]
        value = "?" if token == "." else str(int(token[len(prefix) :], 16) + OFFSETS[prefix])
        yield Piece.at(value, token.line, token.column)


def _token(clue: int) -> str:
    if clue == NO_CLUE:
        return " "
    if clue == UNKNOWN_SIZE:
        return "."
    prefix, digits, _, offset = next(row for row in reversed(NUMBERS) if row[2] <= clue)
    return f"{prefix}{clue - offset:0{digits}x}"


def write(puzzle: Puzzle) -> str:
    rows, columns = puzzle.shape
    body = "".join(map(_token, puzzle.clues.ravel().tolist()))
    body = re.sub(" {1,20}", lambda gap: chr(ord("f") + len(gap[0])), body)
    # chat programs cut a dot off the end of a link
    return f"https://puzz.link/p?{pid_of(puzzle.genre)}/{columns}/{rows}/{body}" + "/" * body.endswith(".")
