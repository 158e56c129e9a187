"""The techniques of each genre's profile, and the step that one of them makes."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING

from ..constraints import kuromasu, nurikabe
from ..grid import Cell
from ..puzzles import SHADED, UNSHADED

if TYPE_CHECKING:
    from .deduction import Deduction

PROFILE, PROFILE_VERSION = "nurikabe-human", 1
LEVELS = ("bookkeeping", "easy", "medium", "hard", "expert")
BEYOND = "beyond"  # the level of a board that the techniques do not finish


@dataclass(frozen=True)
class Technique:
    """A way to decide cells: its name, its level (one of LEVELS) and one line of text."""

    name: str
    level: str
    text: str


@dataclass(frozen=True, eq=False)
class Profile:
    """How a person solves a genre.

    The `techniques` stand in the order in which they are tried: the first that applies makes the step. `constraints`
    makes the genre's constraints from clues, `rules` has the short names of its rules in the order in which a broken
    position is looked through, `words` what a shaded and an unshaded cell are called.
    """

    name: str
    version: int
    genre: str
    techniques: tuple[Technique, ...]
    constraints: Callable
    rules: tuple[str, ...]
    words: Mapping[int, str]

    def hardest(self, level: str) -> int:
        """The index of the last technique of a level."""
        return max(index for index, technique in enumerate(self.techniques) if technique.level == level)


TECHNIQUES = (
    Technique("island_complete", "bookkeeping", "the neighbours of a numbered island of full size are sea"),
    Technique("all_complete", "bookkeeping", "once every numbered island is complete every open cell is sea"),
    Technique("separate_clues", "easy", "a cell that touches two different numbered islands is sea"),
    Technique("no_pool", "easy", "the fourth cell of a 2x2 block with three sea cells is land"),
    Technique("island_exit", "easy", "an island that must still grow and has one way out extends through it"),
    Technique("sea_exit", "easy", "a sea area that must join other sea and has one way out extends through it"),
    Technique("unreachable", "medium", "a cell that no numbered island can reach within its remaining size is sea"),
    Technique("forced", "medium", "a cell where one value breaks a rule at once takes the other value"),
    Technique(
        "short_contradiction",
        "hard",
        "where a value breaks a rule within 6 easy and medium steps, it is the other",
    ),
    Technique("contradiction", "expert", "where a value breaks a rule within 20 such steps, it is the other"),
)


NURIKABE = Profile(
    PROFILE, PROFILE_VERSION, "nurikabe", TECHNIQUES, nurikabe, ("R5", "R4", "R3", "R2", "R1"),
    {SHADED: "sea", UNSHADED: "land"},
)  # fmt: skip

KUROMASU = Profile(
    "kuromasu-human",
    1,
    "kuromasu",
    (
        Technique("beside_black", "bookkeeping", "the neighbours of a black cell are white"),
        Technique("sight_complete", "easy", "where a clue sees its number its sight ends: the next cells are black"),
        Technique("sight_needs", "easy", "what a direction must show, whatever the others give, is white"),
        Technique("sight_too_far", "easy", "a cell that would let a clue see too many cells is black"),
        Technique("sight_splits", "medium", "what all ways to split a number among the directions share holds"),
        Technique("keeps_together", "medium", "a cell that would part the white cells if it were black is white"),
        Technique(
            "short_contradiction",
            "hard",
            "where a value breaks a rule within 6 easy and medium steps, it is the other",
        ),
        Technique("contradiction", "expert", "where a value breaks a rule within 20 such steps, it is the other"),
    ),
    kuromasu,
    ("K4", "K2", "K3", "K1"),
    {SHADED: "black", UNSHADED: "white"},
)
PROFILES = {profile.genre: profile for profile in (NURIKABE, KUROMASU)}


def techniques(genre: str = "nurikabe") -> tuple[Technique, ...]:
    """The techniques of a genre's profile, easiest first."""
    return PROFILES[genre].techniques


@dataclass(frozen=True)
class Step:
    """One step, and why it is right.

    `technique` is its name; `cells` are the cells that it decides, as (row, column), and `value` is what they become
    (SHADED or UNSHADED), `word` says that in the genre's own. It follows from the decided cells `because` and the clue
    cells `clues`; `text` says it in a sentence. Where an assumption was refuted, `assumed` is the refuted value and
    `rule` the rule that it breaks, after the steps of `chain`.
    """

    technique: str
    cells: tuple[Cell, ...]
    value: int
    because: tuple[Cell, ...]
    clues: tuple[Cell, ...]
    text: str
    word: str
    assumed: int | None = None
    rule: str | None = None
    refutation: "Deduction | None" = field(default=None, repr=False, compare=False)

    @cached_property
    def chain(self) -> tuple["Step", ...]:
        """The steps from the assumption to the broken rule, with their reasons; none if it breaks at once."""
        return self.refutation.steps if self.refutation is not None else ()

    def __str__(self):
        return self.text
