"""Puzzles that people have and that are not read: each is recognised and refused with what to do instead."""

import re

from ..puzzles import Puzzle
from .base import Piece, any_line, line_records, short

INSTEAD = "paste its grid, or its URL at puzz.link"
REFUSED = {
    r"(?:https?://\S*penpa|\S*\bm=(?:edit|solve)&)": "a Penpa+ link",
    r"\d+(?:x\d+\w*)?#\d+": "a random seed of Simon Tatham's Puzzles, which only that program turns into a puzzle",
    r"<\w|<\?xml": "XML",
}

detect = any_line("|".join(REFUSED))
records = line_records


def read(record: Piece, genre: str) -> Puzzle:
    for pattern, what in REFUSED.items():
        if re.match(pattern, record, re.IGNORECASE):
            raise record.error(f"this is {what}, a format that is not read: {INSTEAD}")
    raise record.error(f"expected a puzzle, found {short(record)}")
