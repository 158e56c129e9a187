"""A result in words."""

from typing import TYPE_CHECKING

from ..backends.base import Status
from ..grid import Cell

if TYPE_CHECKING:
    from ..solve import SolveResult


def describe(result: "SolveResult") -> str:
    """What is proved, after the word of the status: "exactly one solution"."""
    limit = "it was interrupted" if result.interrupted else "the limit came"
    return {
        Status.UNIQUE: "exactly one solution",
        Status.MULTIPLE: f"at least two solutions, which differ in {cells_word(len(result.differing))}",
        Status.FEASIBLE: f"one solution found; {limit} before it was known whether there is another",
        Status.INFEASIBLE: "no solution",
        Status.UNKNOWN: f"{limit} before a solution was found or ruled out",
    }[result.status]


def summary(result: "SolveResult") -> str:
    """Who found it and how long it took: "cpsat, 0.041 s"."""
    parts = [
        result.backend if result.searched else "by deduction, no search needed",
        f"{seconds(result.stats.total_seconds)}",
    ]
    if result.verified_by:
        parts.insert(1, f"verified by {result.verified_by}")
    return ", ".join(part for part in parts if part)


def mistake_cells(result: "SolveResult") -> tuple[Cell, ...]:
    """The cells to blame for there being no solution, each once: of the named mistakes, else of broken rules."""
    blamed = result.mistakes or result.violations
    return tuple(dict.fromkeys(cell for mistake in blamed for cell in mistake.cells))


def seconds(time: float) -> str:
    """A time with three digits that matter: "0.041 s", "12.3 s"."""
    return f"{time:.3f} s" if time < 1 else f"{time:.3g} s" if time < 100 else f"{time:.0f} s"


def cells_word(number: int) -> str:
    return "1 cell" if number == 1 else f"{number} cells"


def cell_words(cells: tuple[Cell, ...], most: int = 3) -> str:
    """Cells as people say them, the first few: "row 2, column 2; row 2, column 3 and 4 more"."""
    named = "; ".join(f"row {row + 1}, column {column + 1}" for row, column in cells[:most])
    return named if len(cells) <= most else f"{named} and {len(cells) - most} more"
