"""The techniques of the profile, and the step that one of them makes."""

from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING

from ..grid import Cell

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


# in the order in which they are tried: the first that applies makes the step
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


def techniques() -> tuple[Technique, ...]:
    """The techniques of the profile, easiest first."""
    return TECHNIQUES


def hardest(level: str) -> int:
    """The index of the last technique of a level."""
    return max(index for index, technique in enumerate(TECHNIQUES) if technique.level == level)


@dataclass(frozen=True)
class Step:
    """One step, and why it is right.

    `technique` is its name; `cells` are the cells that it decides, as (row, column), and `value` is what they become
    (SHADED or UNSHADED). It follows from the decided cells `because` and the clue cells `clues`; `text` says it in a
    sentence. Where an assumption was refuted, `assumed` is the refuted value and `rule` the rule that it breaks
    (R1 to R4), after the steps of `chain`.
    """

    technique: str
    cells: tuple[Cell, ...]
    value: int
    because: tuple[Cell, ...]
    clues: tuple[Cell, ...]
    text: str
    assumed: int | None = None
    rule: str | None = None
    refutation: "Deduction | None" = field(default=None, repr=False, compare=False)

    @cached_property
    def chain(self) -> tuple["Step", ...]:
        """The steps from the assumption to the broken rule, with their reasons; none if it breaks at once."""
        return self.refutation.steps if self.refutation is not None else ()

    def __str__(self):
        return self.text
