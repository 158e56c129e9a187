"""Island shapes: list every shape that each island can take, then choose one for each.

A shape is a connected set of cells with the clue, as many as it says, that touches no other number. Shapes are listed
without repetition by growing a set cell by cell, each neighbour taken or left out for good (Redelmeier 1981); a set
is given up as soon as the cells left out, which are sea, make a pool with known sea, or the set cuts known sea in two.
Small lists come first, and what all shapes of an island agree on is fixed before the large ones are listed.

Each list becomes a compact table (Demeulenaere et al. 2016): for every cell one integer whose bits are the shapes that
contain the cell, and one whose bits are the shapes beside it. Shapes go by masking with them, many at a time: those
with a sea cell inside, with land beside them, with a cell of another island, or without a land cell that only this
island can still reach. What all shapes left contain is land, what all have beside them or none contains is sea. The
fourth cell of a pool is land, the only way out of a part of the sea is sea; a branch ends at a pool, at a cut sea, or
where an island has no shape left.

The search takes the island with the fewest shapes left, but stays with the one where a branch last ended (last
conflict, Lecoutre et al. 2009), and halves its list by a cell until one shape is left.
"""

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from ..constraints import Connected, Islands, NoPool, ShadingModel
from ..errors import OptionError
from ..grid import Cell
from ..puzzles import SHADED, UNKNOWN_SIZE, UNSHADED
from .base import LimitReached, Option, Run, whole

OPTIONS = {"max_shapes": Option(500_000, "shapes of all islands together at most; as many steps to list them")}
PRESOLVE = "lookahead"
FIRST_LIMIT, LIMIT_GROWTH = 128, 8  # shapes of an island in the first round of listing; growth from round to round


class TooManyShapes(LimitReached):
    """The lists are not complete within `max_shapes`.

    `clue` is the cell of the island that was given up, `size` its number, `shapes` how many of it were found; `steps`
    is None if these were too many, else the number of steps at which the lists were given up.
    """

    def __init__(self, clue: Cell, size: int, shapes: int, max_shapes: int, steps: int | None = None):
        self.clue, self.size, self.shapes, self.steps = clue, size, shapes, steps
        name = "?" if size == UNKNOWN_SIZE else size
        amount = f"more than {shapes}" if steps is None else f"{shapes} and more, not all known after {steps} steps"
        super().__init__(
            f"too many shapes: the island of the {name} at row {clue[0] + 1}, column {clue[1] + 1} has {amount}; "
            f"max_shapes={max_shapes} holds for all islands together"
        )


def version() -> str:
    from .. import __version__

    return f"nurikabe-mip {__version__}"


def applies(model: ShadingModel) -> None:
    """Raise OptionError unless the model is that of a Nurikabe."""
    for constraint in model.constraints:
        if not _is_known(constraint):
            raise OptionError(f"backend 'shapes' does not apply to the constraint {type(constraint).__name__}")
    if not is_nurikabe(model):
        raise OptionError("backend 'shapes' needs the constraints of a Nurikabe: Islands, Connected and NoPool")


def check_options(max_shapes: int) -> None:
    """Raise OptionError for a cap that is none."""
    whole("max_shapes", max_shapes)


def shadings(model: ShadingModel, run: Run, max_shapes: int) -> Iterator[np.ndarray]:
    """Yield every solution of the model; raises TooManyShapes if the lists outgrow `max_shapes`."""
    run.stats.solver = version()
    with run.stats.timed("build"):
        search = _search(model, run, max_shapes)
    while True:
        with run.stats.timed("solve"):
            values = search.next()
        if values is None:
            return
        yield values


def listed(
    model: ShadingModel, run: Run, max_shapes: int, most: int | None = None
) -> list[list[list[int]] | None] | None:
    """For each clue, in the order of the constraint, the cells of every shape that is left at the root of the search.

    None for all if there is no solution. Raises TooManyShapes if the lists outgrow `max_shapes`; if `most` is given
    there is None instead of the list of an island that has more shapes than that or is too many for `max_shapes`.
    """
    search = _search(model, run, max_shapes, most)
    if not search.stack:
        return None
    cell_at = {place: cell for cell, place in enumerate(search.board.places)}
    found: list[list[list[int]] | None] = []
    for table, left in zip(search.tables, search.stack[0].left, strict=True):
        if table is None:
            found.append(None)
            continue
        shapes: dict[int, list[int]] = {number: [] for number in _bits(left)}
        for place in _bits(table.cells):
            for number in _bits(table.inside[place] & left):
                shapes[number].append(cell_at[place])
        found.append(list(shapes.values()))
    return found


def is_nurikabe(model: ShadingModel) -> bool:
    """Whether the constraints are those of a Nurikabe."""
    kinds = {type(constraint) for constraint in model.constraints}
    return kinds == {Islands, NoPool, Connected} and all(map(_is_known, model.constraints))


def _is_known(constraint) -> bool:
    return isinstance(constraint, Islands) or constraint in (NoPool(), Connected(SHADED, nonempty=True))


def _search(model: ShadingModel, run: Run, max_shapes: int, most: int | None = None) -> "_Search":
    whole("max_shapes", max_shapes)
    applies(model)
    return _Search(model, run, max_shapes, most)


def _bits(mask: int) -> Iterator[int]:
    """The places in a set of cells, in order."""
    while mask:
        low = mask & -mask
        yield low.bit_length() - 1
        mask ^= low


class _Board:
    """A board whose sets of cells are integers, one bit a cell.

    Cell (row, column) has the place (row + 1) * width + column + 1 with width = columns + 1, so that places outside
    the board lie between the rows and around: shifts by 1 and `width` lead to the neighbours.
    """

    def __init__(self, shape: tuple[int, int]):
        rows, columns = shape
        self.width = columns + 1
        self.places = [(r + 1) * self.width + c + 1 for r in range(rows) for c in range(columns)]
        self.cells = sum(1 << place for place in self.places)
        self.corners = self.cells & self.cells >> 1 & self.cells >> self.width  # the top left cells of the 2x2 blocks

    def around(self, cells: int) -> int:
        """The neighbours of a set."""
        width = self.width
        return (cells << 1 | cells >> 1 | cells << width | cells >> width) & self.cells & ~cells

    def flood(self, start: int, through: int, steps: int = 1 << 30) -> int:
        """`start` and what it reaches through a set, in so many steps."""
        width = self.width
        seen = new = start
        while new and steps:
            new = (new << 1 | new >> 1 | new << width | new >> width) & through & ~seen
            seen |= new
            steps -= 1
        return seen

    def parts(self, cells: int) -> Iterator[int]:
        """The connected components of a set."""
        while cells:
            part = self.flood(cells & -cells, cells)
            cells &= ~part
            yield part

    def pools(self, sea: int) -> int:
        """The top left cells of the 2x2 blocks inside a set."""
        return sea & sea >> 1 & sea >> self.width & sea >> self.width + 1

    def pool_ends(self, sea: int) -> int:
        """The cells that are the fourth of a 2x2 block with three cells in a set."""
        one, w = self.corners, self.width
        right, below, across = sea >> 1, sea >> w, sea >> w + 1
        return (
            (right & below & across & one)
            | (sea & below & across & one) << 1
            | (sea & right & across & one) << w
            | (sea & right & below & one) << w + 1
        )


def _may_cut(open_around: int) -> bool:
    """Whether taking the middle of a 3x3 square, of which these cells are open, can part open cells.

    That is so if the open ones of its four neighbours are not one run of the ring around it (Yokoi et al. 1975).
    """
    sides = [open_around >> i & 1 for i in (1, 5, 7, 3)]
    corners = [open_around >> i & 1 for i in (2, 8, 6, 0)]
    return sum(side and not (corners[i] and sides[i - 3]) for i, side in enumerate(sides)) > 1


MAY_CUT = [_may_cut(open_around) for open_around in range(512)]


class _Lister:
    """Lists shapes on a board where some cells are known; a step is a set looked at or a cut looked for."""

    def __init__(self, board: _Board, run: Run, max_steps: int):
        self.board, self.run, self.max_steps = board, run, max_steps
        self.steps = 0

    def shapes(
        self, start: int, least: int, most: int, allowed: int, required: int, land: int, sea: int, limit: int
    ) -> tuple[list[int], bool]:
        """Sets of `least` to `most` cells, and whether these are all: more than `limit`, or too many steps, end it.

        They contain `start` and `required`, take cells from `allowed` only, and have no land beside them.
        """
        board, width = self.board, self.board.width
        start = board.flood(start, land)
        lumps = [(part, board.around(part)) for part in board.parts(land & ~start)]
        joining: dict[int, tuple[int, int, int]] = {}
        ground = board.cells & ~land
        last = min(self.steps + limit, self.max_steps)
        found: list[int] = []
        poll = self.steps
        size = start.bit_count()
        if size > most or start & ~allowed:
            return found, True
        # a set, its neighbours that can be taken, all cells that can be, its size, and the cells known to be sea
        stack = [(start, board.around(start) & allowed, allowed & ~start, size, sea)]
        while stack:
            self.steps += 1
            if self.steps >= poll:
                self.run.poll()
                poll = self.steps + 1000
            if len(found) > limit or self.steps > last:
                return found, False
            shape, border, free, size, water = stack.pop()
            if size >= least:
                found.append(shape)
                if size == most:
                    continue
            if least == most:
                reach = board.flood(shape, free, most - size)
                if required & ~reach or reach.bit_count() < least:
                    continue
            while border:
                bit = border & -border
                border ^= bit
                free ^= bit
                if bit not in joining:
                    # a cell brings the land with it that it belongs to or touches
                    taken = bit
                    for lump, shore in lumps:
                        if bit & (lump | shore):
                            taken |= lump
                    joining[bit] = taken, board.around(taken), bit.bit_length() - width - 2
                taken, beside, corner = joining[bit]
                more = taken & ~bit & ~shape
                grown = size + 1 + more.bit_count()
                if grown <= most and not more & ~free:
                    whole = True
                    if water:
                        dry = ground & ~shape
                        rows = (dry >> corner & 7, dry >> corner + width & 7, dry >> corner + 2 * width & 7)
                        if more or MAY_CUT[rows[0] | rows[1] << 3 | rows[2] << 6]:
                            self.steps += 1
                            whole = not water & ~board.flood(water & -water, dry & ~taken)
                    if whole and grown == least == most:
                        found.append(shape | taken)
                    elif whole:
                        left = free & ~more
                        stack.append((shape | taken, (border | beside) & left, left, grown, water))
                # from here on without that cell
                water |= bit
                if board.pools(water):
                    break
        return found, len(found) <= limit


class _Table(NamedTuple):
    """The shapes of an island, numbered: for each place the set of those that contain it, and that are beside it."""

    count: int
    inside: dict[int, int]
    beside: dict[int, int]
    cells: int
    coast: int

    @classmethod
    def of(cls, board: _Board, shapes: list[int]) -> "_Table":
        length = board.cells.bit_length() // 8 + 1
        rows = np.frombuffer(b"".join(shape.to_bytes(length, "little") for shape in shapes), dtype=np.uint8)
        rows = rows.reshape(len(shapes), length)
        inside = {}
        for byte in np.flatnonzero(rows.any(axis=0)).tolist():
            bits = np.unpackbits(rows[:, byte, None], axis=1, bitorder="little")
            for bit, column in enumerate(np.packbits(bits, axis=0, bitorder="little").T):
                if column.any():
                    inside[8 * byte + bit] = int.from_bytes(column.tobytes(), "little")
        cells = sum(1 << place for place in inside)
        beside = {}
        for place in _bits(cells | board.around(cells)):
            near = 0
            for neighbour in (place - board.width, place - 1, place + 1, place + board.width):
                near |= inside.get(neighbour, 0)
            near &= ~inside.get(place, 0)
            if near:
                beside[place] = near
        return cls(len(shapes), inside, beside, cells, sum(1 << place for place in beside))

    def without_pools(self, board: _Board, sea: int) -> int:
        """The shapes whose neighbours make no pool, neither among themselves nor with known sea."""
        every = left = (1 << self.count) - 1
        wet = {**self.beside, **dict.fromkeys(_bits(sea), every)}
        for place in _bits((self.coast | sea) & board.corners):
            pool = every
            for cell in (place, place + 1, place + board.width, place + board.width + 1):
                pool &= wet.get(cell, 0)
            left &= ~pool
        return left


class _Position:
    """What is left at a node: `left` has for each island the set of its shapes, None while they are not listed.

    `can` are the cells that each island can still have and `must` those that it has; `land` and `sea` are the decided
    cells; `changed` are the islands whose shapes have become fewer since all this was worked out.
    """

    __slots__ = ("can", "changed", "land", "left", "must", "sea")

    def with_left(self, number: int, left: int) -> "_Position":
        """The same with fewer shapes of an island."""
        other = _Position()
        other.left, other.can, other.must = self.left[:], self.can[:], self.must[:]
        other.land, other.sea = self.land, self.sea
        other.left[number] = left
        other.changed = {number}
        return other


class _Search:
    """A depth-first search over positions; `next` brings the next solution.

    Islands with more than `most` shapes are left out of the root; there is no search then.
    """

    def __init__(self, model: ShadingModel, run: Run, max_shapes: int, most: int | None = None):
        self.model, self.run, self.max_shapes, self.most = model, run, max_shapes, most
        self.board = _Board(model.shape)
        islands = next(constraint for constraint in model.constraints if isinstance(constraint, Islands))
        self.clues = [(1 << self.board.places[cell], size) for cell, size in islands.clues]
        # how many cells an island of unknown size can take beyond one, with one cell of sea
        self.spare = self.board.cells.bit_count() - 1 - sum(max(size, 1) for _, size in self.clues)
        self.tables: list[_Table | None] = [None] * len(self.clues)
        self.last_conflict = -1
        run.stats.add(variables=0, nodes=0)
        root = self._root()
        self.stack = [root] if root is not None else []

    def next(self) -> np.ndarray | None:
        """The next solution as flat cell values; None if there are no more."""
        while self.stack:
            self.run.poll()
            position = self.stack.pop()
            number = self._choice(position)
            if number is None:
                is_sea = [position.sea >> place & 1 for place in self.board.places]
                return np.where(is_sea, SHADED, UNSHADED).astype(np.int8)
            left, inside = position.left[number], self.tables[number].inside
            count = left.bit_count()
            open_cells = _bits(position.can[number] & ~position.must[number])
            half = min(((left & inside[c]) for c in open_cells), key=lambda part: abs(2 * part.bit_count() - count))
            for part in (left & ~half, half):
                child = position.with_left(number, part)
                self.run.stats.nodes += 1
                if self._propagate(child):
                    self.stack.append(child)
                else:
                    self.last_conflict = number
        return None

    def _choice(self, position: _Position) -> int | None:
        """The island to decide next; None if each has one shape."""
        counts = [(left.bit_count(), number) for number, left in enumerate(position.left)]
        open_counts = [(count, number) for count, number in counts if count > 1]
        if any(number == self.last_conflict for _, number in open_counts):
            return self.last_conflict
        return min(open_counts)[1] if open_counts else None

    def _root(self) -> _Position | None:
        """The position with all shapes listed; None if it has no solution."""
        board, clues = self.board, self.clues
        root = _Position()
        root.land = root.sea = 0
        for place, value in zip(board.places, self.model.fixed.tolist(), strict=True):
            root.land |= (value == UNSHADED) << place
            root.sea |= (value == SHADED) << place
        root.land |= sum(bit for bit, _ in clues)
        root.left = [None] * len(clues)
        root.can = [board.cells] * len(clues)
        root.must = [bit for bit, _ in clues]
        root.changed = set()
        if root.land & root.sea or self.spare < 0:
            return None
        lister = _Lister(board, self.run, self.max_shapes)
        pending, limit = list(range(len(clues))), FIRST_LIMIT // LIMIT_GROWTH
        while True:
            if not self._bound(root, pending) or not self._propagate(root):
                return None
            if not pending or limit == self.most:
                return root
            limit = min(limit * LIMIT_GROWTH, self.most or self.max_shapes)
            pending = self._list(root, pending, lister, limit)

    def _bound(self, root: _Position, pending: list[int]) -> bool:
        """Work out what the islands not listed yet have and can have; false if there is no solution."""
        board = self.board
        for number in pending:
            root.must[number] = board.flood(self.clues[number][0], root.land)
        for number in pending:
            self.run.poll()
            size = self.clues[number][1]
            start = root.must[number]
            allowed = self._allowed(root, number)
            if start & ~allowed:
                return False
            most = size if size != UNKNOWN_SIZE else self.spare + 1
            root.can[number] = board.flood(start, allowed, max(most - start.bit_count(), 0))
        return True

    def _allowed(self, root: _Position, number: int) -> int:
        """The cells that are not sea, of another island or beside one."""
        others = 0
        for other, must in enumerate(root.must):
            if other != number:
                others |= must
        return self.board.cells & ~(root.sea | others | self.board.around(others))

    def _list(self, root: _Position, pending: list[int], lister: _Lister, limit: int) -> list[int]:
        """List the islands that have no more than `limit` shapes; return those that have more."""
        board, stats = self.board, self.run.stats
        once = twice = owned = 0
        for can, must in zip(root.can, root.must, strict=True):
            twice |= once & can
            once |= can
            owned |= must
        only = root.land & ~owned & ~twice
        later = []
        for number in pending:
            bit, size = self.clues[number]
            start, can = root.must[number], root.can[number]
            least, most = (size, size) if size != UNKNOWN_SIZE else (1, self.spare + 1)
            most_shapes = min(limit, self.max_shapes - stats.variables)
            shapes, complete = lister.shapes(start, least, most, can, only & can, root.land, root.sea, most_shapes)
            if not complete:
                if self.most is None and (limit >= self.max_shapes or lister.steps >= lister.max_steps):
                    cell = self.model.grid.cell(board.places.index(bit.bit_length() - 1))
                    steps = lister.steps if len(shapes) <= most_shapes else None
                    raise TooManyShapes(cell, size, min(len(shapes), most_shapes), self.max_shapes, steps)
                later.append(number)
                continue
            stats.add(variables=len(shapes))
            self.tables[number] = table = _Table.of(board, shapes)
            root.left[number] = table.without_pools(board, root.sea)
            for place in _bits(root.land & table.coast):
                root.left[number] &= ~table.beside[place]
            root.can[number] = table.cells
            root.changed.add(number)
        return later

    def _propagate(self, position: _Position) -> bool:
        """Decide what follows; false if that ends the branch."""
        board, tables = self.board, self.tables
        left, can, must = position.left, position.can, position.must
        changed, position.changed = position.changed, set()
        land = sea = 0  # cells newly decided
        flooded = None
        while True:
            while changed or land or sea:
                taken = 0
                for number in sorted(changed):
                    if not left[number]:
                        return False
                    inner, agreed, shore = self._summary(number, position)
                    taken |= agreed & ~must[number]
                    can[number], must[number] = inner, agreed
                    land |= agreed
                    sea |= shore
                land &= ~position.land
                sea &= ~position.sea
                position.land |= land
                position.sea |= sea
                if position.land & position.sea:
                    return False
                changed = set()
                for number, table in enumerate(tables):
                    if table is None:
                        continue
                    gone = 0
                    for place in _bits((sea | taken & ~must[number]) & can[number]):
                        gone |= table.inside[place]
                    for place in _bits(land & table.coast):
                        gone |= table.beside[place]
                    if gone & left[number]:
                        left[number] &= ~gone
                        changed.add(number)
                land = sea = 0
            # each land cell is some island's, other cells only where one can be
            once = twice = owned = 0
            for inner, agreed in zip(can, must, strict=True):
                twice |= once & inner
                once |= inner
                owned |= agreed
            loose = position.land & ~owned
            if loose & ~once:
                return False
            sea = board.cells & ~once & ~position.sea
            for number, table in enumerate(tables):
                for place in _bits(loose & ~twice & can[number]) if table is not None else ():
                    left[number] &= table.inside[place]
                    changed.add(number)
            if changed or sea:
                continue
            if board.pools(position.sea):
                return False
            land = board.pool_ends(position.sea) & ~position.land
            if land:
                continue
            # the sea is one, and not empty
            if flooded != (position.land, position.sea):
                flooded = position.land, position.sea
                ground = board.cells & ~position.land
                if not ground:
                    return False
                if position.sea:
                    basin = board.flood(position.sea & -position.sea, ground)
                    if position.sea & ~basin:
                        return False
                    land = ground & ~basin
                    sea = self._exits(position.sea, ground)
                    if land or sea:
                        continue
            return True

    def _exits(self, sea: int, ground: int) -> int:
        """The cells that are the only way out of a part of the sea."""
        parts = list(self.board.parts(sea))
        exits = 0
        if len(parts) > 1:
            for part in parts:
                ways = self.board.around(part) & ground
                if not ways & (ways - 1):
                    exits |= ways
        return exits

    def _summary(self, number: int, position: _Position) -> tuple[int, int, int]:
        """The cells that some of an island's shapes contain, that all contain, and that all have beside them."""
        left, table = position.left[number], self.tables[number]
        inner = agreed = position.must[number]
        for place in _bits(position.can[number] & ~agreed):
            part = left & table.inside[place]
            if part:
                inner |= 1 << place
                if part == left:
                    agreed |= 1 << place
        shore = 0
        for place in _bits(table.coast & ~position.sea & ~agreed):
            if left & table.beside[place] == left:
                shore |= 1 << place
        return inner, agreed, shore
