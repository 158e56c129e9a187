"""Boards for the tests, and an oracle that shares no code with the package."""

import random
from functools import cache
from itertools import combinations, product

import numpy as np

from nurikabe_mip import Nurikabe

# 10x10 with few, large clues: no backend but a fast search finishes it in seconds
STRESS = "nurikabe/10/10/5ibj4zp7i9j6zz3i8ja"

# exactly one solution each; models that people copy get them wrong
WITNESSES = {
    "sea in two parts": ("1../..3/...", "-##/##-/#--"),
    "sea in two parts, wide": ("2.../..2.", "-###/-#--"),
    "flow through other cells": (".6.1/..../....", "--#-/-###/---#"),
    "one-cell sea": (".1", "#-"),
}

# statuses known by hand
SEVERAL = "3./.."  # three solutions
NONE = "2../..2/.2."


def board(rows: str, **fields) -> Nurikabe:
    """A Nurikabe from rows separated by slashes."""
    return Nurikabe(rows.split("/"), **fields)


@cache
def shadings(rows: int, columns: int) -> list[tuple[str, tuple[frozenset, ...]]]:
    """Every shading with one nonempty connected sea and no pool, as rows of text, with its islands."""
    cells = list(product(range(rows), range(columns)))

    def components(members: set) -> list[frozenset]:
        left, found = set(members), []
        while left:
            stack = [left.pop()]
            component = set(stack)
            while stack:
                r, c = stack.pop()
                for d in ((r - 1, c), (r + 1, c), (r, c - 1), (r, c + 1)):
                    if d in left:
                        left.remove(d)
                        component.add(d)
                        stack.append(d)
            found.append(frozenset(component))
        return found

    good = []
    for signs in product("-#", repeat=len(cells)):
        sea = {cell for cell, sign in zip(cells, signs, strict=True) if sign == "#"}
        if any({(r, c), (r, c + 1), (r + 1, c), (r + 1, c + 1)} <= sea for r, c in cells):
            continue
        if len(components(sea)) == 1:
            text = "\n".join("".join(signs[r * columns : (r + 1) * columns]) for r in range(rows))
            good.append((text, tuple(components(set(cells) - sea))))
    return good


def answers(puzzle: Nurikabe) -> set[str]:
    """The texts of all solutions."""
    clues = {cell: int(puzzle.clues[cell]) for cell in puzzle.clue_cells}

    def fits(island: frozenset) -> bool:
        inside = [clues[cell] for cell in clues if cell in island]
        return len(inside) == 1 and inside[0] in (-1, len(island))

    return {
        text
        for text, islands in shadings(*puzzle.shape)
        if all(map(fits, islands)) and sum(cell in island for island in islands for cell in clues) == len(clues)
    }


def orientations(clues: np.ndarray) -> list[np.ndarray]:
    """The eight turns and mirror images of a board."""
    return [np.rot90(flipped, k) for flipped in (clues, np.fliplr(clues)) for k in range(4)]


def small_boards(cells: int = 9, clues: int = 2):
    """Every board of up to `cells` cells with up to `clues` clues, one of each class under the eight symmetries.

    Which of the eight is returned changes from board to board, so that all orientations are met.
    """
    number = 0
    for rows in range(1, cells + 1):
        for columns in range(rows, cells // rows + 1):
            seen = set()
            size = rows * columns
            for k in range(clues + 1):
                for places in combinations(range(size), k):
                    for values in product((-1, *range(1, size + 1)), repeat=k):
                        grid = np.zeros(size, dtype=int)
                        grid[list(places)] = values
                        turned = orientations(grid.reshape(rows, columns))
                        key = min((turn.shape, turn.tolist()) for turn in turned)
                        key = (key[0], tuple(map(tuple, key[1])))
                        if key not in seen:
                            seen.add(key)
                            number += 1
                            yield Nurikabe(turned[number % 8])


def random_board(rng: random.Random, rows: int, columns: int) -> Nurikabe:
    """A board whose clues are read off a random shading, now and then with a `?` or a wrong number."""
    _, islands = rng.choice(shadings(rows, columns))
    grid = np.zeros((rows, columns), dtype=int)
    for island in islands:
        value = len(island)
        if rng.random() < 0.15:
            value = -1
        elif rng.random() < 0.1:
            value = rng.randint(1, rows * columns)
        grid[rng.choice(sorted(island))] = value
    return Nurikabe(grid)
