"""What every picture shows, whatever it is drawn with."""

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from ..errors import PuzzleError
from ..grid import Cell
from ..puzzles import UNDECIDED, Puzzle, Shading, answer_of


@dataclass(frozen=True)
class Board:
    """`values` are cell values of shape (rows, columns), `clues` the text of each clue cell; the rest are cells."""

    values: np.ndarray
    clues: dict[Cell, str]
    outline: frozenset[Cell]
    mistakes: frozenset[Cell]
    support: frozenset[Cell]

    @property
    def shape(self) -> tuple[int, int]:
        return self.values.shape

    @classmethod
    def of(
        cls,
        puzzle: Puzzle | None,
        shading: Shading | str | None,
        outline: Iterable[Cell] = (),
        mistakes: Iterable[Cell] = (),
        support: Iterable[Cell] = (),
    ) -> "Board":
        """Put them together; raises PuzzleError if nothing is given, shapes differ or a cell is outside."""
        if puzzle is None:
            if shading is None:
                raise PuzzleError("there is nothing to draw: give a puzzle, a shading or both")
            values, clues = (shading if isinstance(shading, Shading) else Shading(shading)).cells, {}
        else:
            # without an answer nothing is decided: a clue then says more than the dot of a land cell
            values = np.full(puzzle.shape, UNDECIDED) if shading is None else answer_of(puzzle, shading).cells
            clues = {(row, column): puzzle.tokens[row][column] for row, column in puzzle.clue_cells}
        marks = [frozenset((int(row), int(column)) for row, column in cells) for cells in (outline, mistakes, support)]
        for row, column in frozenset.union(*marks):
            if not (0 <= row < values.shape[0] and 0 <= column < values.shape[1]):
                raise PuzzleError(f"cell {(row, column)} is outside of a board of the shape {values.shape}")
        return cls(values, clues, *marks)
