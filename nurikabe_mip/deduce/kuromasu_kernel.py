"""The compiled kernel of the techniques for Kuromasu: steps, look-ahead, and a plain search that measures effort.

Cells live on a board with walls around, as in the kernel for Nurikabe: cell (row, column) has the index
(row + 1) * stride + column + 1 with stride = columns + 1. `S` holds everything, a row of numbers a field. A position is
the cells' values and the trail of decided cells, so undoing is shortening the trail.

There are two ways forward. `find_step` and `make_step` make one step of one technique, for people. `settle` draws all
conclusions of the techniques up to medium at once: a changed cell calls for a look at the clues that may see it, and a
new black cell for a look at what holds the white ones together, but only where it touches the edge or another black
cell by a corner, for else it closes no ring. Both come to the same position, whatever the order: so an assumption that
`settle` does not break is broken by no number of steps, and an assumption that follows from such a one needs no try.

The numbers of cells that a clue may see in a direction are a set in a word: bit t stands for t cells. Numbers that do
not fit into a word are judged by the least and the most that can be seen alone.

Everything is in one file, for numba's cache does not see changes in another.
"""

from ..compiled import decorator

compiled = decorator(__name__)

OPEN, BLACK, WHITE, WALL = 0, 1, -1, 2
NONE = -1
LONGEST = 61  # cells seen that fit into a set: a word without its sign

# the techniques, in their order
BESIDE_BLACK, SIGHT_COMPLETE, SIGHT_NEEDS, SIGHT_TOO_FAR, SIGHT_SPLITS, KEEPS_TOGETHER = range(6)
SHORT_CONTRADICTION, CONTRADICTION = 6, 7
SHORT_LIMIT, LIMIT, NO_LIMIT = 6, 20, 1 << 40
# why an entry point returns
DONE, IS_BROKEN, STEPS_MADE, PAUSED = range(4)

# rows of S by cell
VALUE, NUMBER, CLUE_AT, MARK, INDEX, LOW, PARENT, WEIGHT, TURN, STACK, CUT = range(11)
SEEN, FOLLOWS = 11, 12  # the visit in which an assumption led to the cell, and the value that it had
HOLDS_BLACK, HOLDS_WHITE = 13, 14  # until this generation the assumption is known to break nothing
# lists
TRAIL, STALE, FOUND, AGREED, LEVEL_START, LEVEL_CELL, LEVEL_TURN = range(15, 22)
# by clue
CLUE_CELL, IS_STALE = 22, 23
# four numbers each, one a direction: above, left, right, below
AROUND, LEAST, MOST, MAY = 24, 25, 26, 27
WORK = 28
ROWS = 29
# columns of S[WORK]
STRIDE, SIZE, N_CLUES, N_TRAIL, N_DONE, N_STALE, N_FOUND, FOUND_VALUE, BROKEN, CUT_DUE, STAMP, TOP = range(12)
N_STEPS, PASS, PLACE, LAST, GENERATION, VISIT, N_AGREED, N_LEVELS, N_NODES, N_ANSWERS = range(12, 22)
MOST_ANSWERS, N_TRIALS = 22, 23

COLUMNS = 32  # at least

_S = "int64[:,::1]"


# ---------------------------------------------------------------------------------------------------------------------
# Values


@compiled(f"void({_S},int64,int64)")
def decide(S, c, value):
    """Give an open cell its value; a black cell beside another breaks a rule."""
    work = S[WORK]
    S[VALUE, c] = value
    S[TRAIL, work[N_TRAIL]] = c
    work[N_TRAIL] += 1
    if value == BLACK:
        for side in range(4):
            if S[VALUE, c + S[AROUND, side]] == BLACK:
                work[BROKEN] = 1


@compiled(f"void({_S},int64)")
def undo(S, length):
    """Shorten the trail to a length at which the position was settled or stepped."""
    work = S[WORK]
    while work[N_TRAIL] > length:
        work[N_TRAIL] -= 1
        S[VALUE, S[TRAIL, work[N_TRAIL]]] = OPEN
    work[N_DONE] = length
    for i in range(work[N_STALE]):
        S[IS_STALE, S[STALE, i]] = 0
    work[N_STALE] = work[CUT_DUE] = work[BROKEN] = 0


# ---------------------------------------------------------------------------------------------------------------------
# Sight


@compiled("int64(int64,int64,int64)")
def sums(a, b, most):
    """The set of the sums up to `most` of a number of set a and one of set b."""
    full = (2 << most) - 1
    found = t = 0
    while a >> t != 0:
        if a >> t & 1 != 0:
            found |= (b & (full >> t)) << t
        t += 1
    return found


@compiled(f"void({_S},int64)")
def view(S, k):
    """For each direction of clue k, how many cells it sees at least and at most, and the set of what it may see."""
    value = S[VALUE]
    cell = S[CLUE_CELL, k]
    wanted = S[NUMBER, cell] - 1
    for side in range(4):
        step = S[AROUND, side]
        d = cell + step
        n = 0
        while value[d] == WHITE:
            d += step
            n += 1
        S[LEAST, side] = n
        may, bit = 0, 0
        if wanted <= LONGEST:
            bit = 1 << min(n, LONGEST + 1)
        while value[d] == OPEN or value[d] == WHITE:
            if value[d] == OPEN and n <= LONGEST:
                may |= bit
            d += step
            n += 1
            if n <= LONGEST:
                bit *= 2
        if n <= LONGEST:
            may |= bit
        S[MOST, side] = n
        S[MAY, side] = may


@compiled(f"int64({_S},int64)")
def is_possible(S, k):
    """After `view`: whether clue k can still see as many cells as it says."""
    wanted = S[NUMBER, S[CLUE_CELL, k]] - 1
    least, most, may = S[LEAST], S[MOST], S[MAY]
    if least[0] + least[1] + least[2] + least[3] > wanted or most[0] + most[1] + most[2] + most[3] < wanted:
        return 0
    if wanted > LONGEST:
        return 1
    one, other = sums(may[0], may[1], wanted), sums(may[2], may[3], wanted)
    return 1 if sums(one, other, wanted) >> wanted & 1 != 0 else 0


@compiled(f"void({_S},int64)")
def find(S, c):
    """Put a cell on the list of those that a step decides."""
    S[FOUND, S[WORK, N_FOUND]] = c
    S[WORK, N_FOUND] += 1


@compiled(f"void({_S},int64)")
def find_complete(S, k):
    """After `view`, of a clue that sees its number: the open cells where its sight ends, which are black."""
    least = S[LEAST]
    cell = S[CLUE_CELL, k]
    if least[0] + least[1] + least[2] + least[3] != S[NUMBER, cell] - 1:
        return
    S[WORK, FOUND_VALUE] = BLACK
    for side in range(4):
        d = cell + (least[side] + 1) * S[AROUND, side]
        if S[VALUE, d] == OPEN:
            find(S, d)


@compiled(f"void({_S},int64)")
def find_needs(S, k):
    """After `view`: the open cells that a direction must show, whatever the others give; of one direction."""
    least, most = S[LEAST], S[MOST]
    cell = S[CLUE_CELL, k]
    total = most[0] + most[1] + most[2] + most[3]
    S[WORK, FOUND_VALUE] = WHITE
    for side in range(4):
        needed = S[NUMBER, cell] - 1 - (total - most[side])
        d = cell + (least[side] + 1) * S[AROUND, side]
        for _ in range(least[side], needed):
            if S[VALUE, d] == OPEN:
                find(S, d)
            d += S[AROUND, side]
        if S[WORK, N_FOUND] > 0:
            return


@compiled(f"void({_S},int64)")
def find_too_far(S, k):
    """After `view`: the first open cell that would let the clue see too much, and so is black."""
    least = S[LEAST]
    cell = S[CLUE_CELL, k]
    total = least[0] + least[1] + least[2] + least[3]
    S[WORK, FOUND_VALUE] = BLACK
    for side in range(4):
        step = S[AROUND, side]
        first = cell + (least[side] + 1) * step
        if S[VALUE, first] == OPEN:
            seen = total + 1
            d = first + step
            while S[VALUE, d] == WHITE:
                seen += 1
                d += step
            if seen > S[NUMBER, cell] - 1:
                find(S, first)
                return


@compiled(f"void({_S},int64)")
def find_splits(S, k):
    """After `view`: the open cells of one direction that are alike in all ways to split the number."""
    work = S[WORK]
    may = S[MAY]
    cell = S[CLUE_CELL, k]
    wanted = S[NUMBER, cell] - 1
    if wanted > LONGEST:
        return
    one, other = sums(may[0], may[1], wanted), sums(may[2], may[3], wanted)
    for side in range(4):
        rest = sums(may[side ^ 1], other if side < 2 else one, wanted)
        least = most = NONE
        for t in range(wanted + 1):
            if may[side] >> t & 1 != 0 and rest >> (wanted - t) & 1 != 0:
                most = t
                if least == NONE:
                    least = t
        step = S[AROUND, side]
        d = cell + step
        work[FOUND_VALUE] = WHITE
        for _ in range(least):
            if S[VALUE, d] == OPEN:
                find(S, d)
            d += step
        if work[N_FOUND] == 0 and least == most and S[VALUE, d] == OPEN:
            work[FOUND_VALUE] = BLACK
            find(S, d)
        if work[N_FOUND] > 0:
            return


@compiled(f"void({_S},int64,int64)")
def find_sight(S, k, technique):
    """After `view`, put what a technique finds at clue k on the list."""
    if technique == SIGHT_COMPLETE:
        find_complete(S, k)
    elif technique == SIGHT_NEEDS:
        find_needs(S, k)
    elif technique == SIGHT_TOO_FAR:
        find_too_far(S, k)
    else:
        find_splits(S, k)


# ---------------------------------------------------------------------------------------------------------------------
# What holds the white cells together


@compiled(f"void({_S})")
def find_cuts(S):
    """Mark in CUT the open cells that part white cells; BROKEN if black ones part them already, or none is left.

    A depth-first search from a white cell over all that is not black (Tarjan 1972).
    """
    work = S[WORK]
    value, mark, index, low, parent, weight, turn, stack, cut = (
        S[VALUE], S[MARK], S[INDEX], S[LOW], S[PARENT], S[WEIGHT], S[TURN], S[STACK], S[CUT],
    )  # fmt: skip
    stride = work[STRIDE]
    first, last = stride + 1, work[SIZE] - stride
    root = NONE
    n_white = n_open = last_open = 0
    for c in range(first, last):
        cut[c] = 0
        if value[c] == WHITE:
            n_white += 1
            root = c
        elif value[c] == OPEN:
            n_open += 1
            last_open = c
    if root == NONE:
        if n_open == 0:
            work[BROKEN] = 1
        elif n_open == 1:
            cut[last_open] = 1
        return
    work[STAMP] += 1
    now = work[STAMP]
    stack[0] = root
    mark[root] = now
    index[root] = low[root] = 0
    parent[root] = NONE
    turn[root] = 0
    weight[root] = 1
    n, n_stack = 1, 1
    while n_stack > 0:
        c = stack[n_stack - 1]
        if turn[c] < 4:
            d = c + S[AROUND, turn[c]]
            turn[c] += 1
            if value[d] > OPEN:
                continue
            if mark[d] != now:
                mark[d] = now
                index[d] = low[d] = n
                n += 1
                parent[d] = c
                turn[d] = 0
                weight[d] = 1 if value[d] == WHITE else 0
                stack[n_stack] = d
                n_stack += 1
            elif index[d] < low[c] and d != parent[c]:
                low[c] = index[d]
            continue
        n_stack -= 1
        p = parent[c]
        if p != NONE:
            low[p] = min(low[p], low[c])
            weight[p] += weight[c]
            if low[c] >= index[p] and weight[c] > 0 and value[p] == OPEN:
                cut[p] = 1
    if weight[root] < n_white:
        work[BROKEN] = 1


# ---------------------------------------------------------------------------------------------------------------------
# All at once


@compiled(f"void({_S},int64)")
def note(S, c):
    """Cell c was decided: its neighbours if it is black, and what must be looked at again."""
    work = S[WORK]
    value = S[VALUE]
    stride = work[STRIDE]
    if value[c] == BLACK:
        touches = 0
        for side in range(4):
            d = c + S[AROUND, side]
            if value[d] == OPEN:
                decide(S, d, WHITE)
            elif value[d] == WALL:
                touches = 1
        for corner in (c - stride - 1, c - stride + 1, c + stride - 1, c + stride + 1):
            if value[corner] == BLACK:
                touches = 1
        if touches > 0:
            work[CUT_DUE] = 1
    if work[SIZE] < 4 * stride or stride == 2:  # one row or column: every cell parts it
        work[CUT_DUE] = 1
    for side in range(4):
        d = c + S[AROUND, side]
        while value[d] == WHITE or value[d] == OPEN:
            k = S[CLUE_AT, d] - 1
            if k >= 0 and S[IS_STALE, k] == 0:
                S[IS_STALE, k] = 1
                S[STALE, work[N_STALE]] = k
                work[N_STALE] += 1
            d += S[AROUND, side]


@compiled(f"void({_S})")
def make_found(S):
    """Decide the cells on the list of those found."""
    work = S[WORK]
    for i in range(work[N_FOUND]):
        decide(S, S[FOUND, i], work[FOUND_VALUE])
    work[N_FOUND] = 0


@compiled(f"void({_S})")
def settle(S):
    """Draw all conclusions up to medium from what was decided since the last time, or see that it is BROKEN."""
    work = S[WORK]
    while work[BROKEN] == 0:
        if work[N_DONE] < work[N_TRAIL]:
            work[N_DONE] += 1
            note(S, S[TRAIL, work[N_DONE] - 1])
        elif work[N_STALE] > 0:
            work[N_STALE] -= 1
            k = S[STALE, work[N_STALE]]
            S[IS_STALE, k] = 0
            if S[NUMBER, S[CLUE_CELL, k]] < 0:
                continue
            view(S, k)
            if is_possible(S, k) == 0:
                work[BROKEN] = 1
                return
            for technique in range(SIGHT_COMPLETE, min(work[TOP], SIGHT_SPLITS) + 1):
                find_sight(S, k, technique)
                if work[N_FOUND] > 0:
                    make_found(S)
                    break
        elif work[CUT_DUE] > 0:
            work[CUT_DUE] = 0
            find_cuts(S)
            if work[BROKEN] == 0 and work[TOP] >= KEEPS_TOGETHER:
                for c in range(work[STRIDE] + 1, work[SIZE] - work[STRIDE]):
                    if S[CUT, c] > 0:
                        decide(S, c, WHITE)
        else:
            return


# ---------------------------------------------------------------------------------------------------------------------
# Step by step


@compiled(f"void({_S})")
def look_for_broken(S):
    """BROKEN if a clue cannot see its number any more, or the white cells are parted."""
    work = S[WORK]
    for k in range(work[N_CLUES]):
        if work[BROKEN] == 0 and S[NUMBER, S[CLUE_CELL, k]] > 0:
            view(S, k)
            if is_possible(S, k) == 0:
                work[BROKEN] = 1
    if work[BROKEN] == 0:
        find_cuts(S)


@compiled(f"int64({_S},int64)")
def find_step(S, top):
    """The first technique up to `top` (at most KEEPS_TOGETHER) that applies, its cells on the list; else NONE."""
    work = S[WORK]
    stride = work[STRIDE]
    first, last = stride + 1, work[SIZE] - stride
    work[N_FOUND] = 0
    work[FOUND_VALUE] = WHITE
    for c in range(first, last):
        if S[VALUE, c] == BLACK:
            for side in range(4):
                if S[VALUE, c + S[AROUND, side]] == OPEN:
                    find(S, c + S[AROUND, side])
            if work[N_FOUND] > 0:
                return BESIDE_BLACK
    for technique in range(SIGHT_COMPLETE, min(top, SIGHT_SPLITS) + 1):
        for k in range(work[N_CLUES]):
            if S[NUMBER, S[CLUE_CELL, k]] > 0:
                view(S, k)
                find_sight(S, k, technique)
                if work[N_FOUND] > 0:
                    return technique
    if top >= KEEPS_TOGETHER:
        work[FOUND_VALUE] = WHITE
        find_cuts(S)
        for c in range(first, last):
            if S[CUT, c] > 0:
                find(S, c)
                return KEEPS_TOGETHER
    return NONE


@compiled(f"int64({_S},int64,int64,int64)")
def attempt(S, c, value, limit):
    """Whether the assumption of a value breaks a rule within `limit` counted steps; 1 or 0."""
    work = S[WORK]
    work[N_TRIALS] += 1
    start = work[N_TRAIL]
    decide(S, c, value)
    settle(S)
    broken = work[BROKEN]
    if broken == 0:
        for i in range(start, work[N_TRAIL]):
            d = S[TRAIL, i]
            S[HOLDS_BLACK if S[VALUE, d] == BLACK else HOLDS_WHITE, d] = work[GENERATION]
            if work[VISIT] > 0:
                # what followed from the other value of the cell, too
                if S[SEEN, d] == work[VISIT] and S[FOLLOWS, d] == S[VALUE, d]:
                    S[AGREED, work[N_AGREED]] = d
                    work[N_AGREED] += 1
                S[SEEN, d] = work[VISIT]
                S[FOLLOWS, d] = S[VALUE, d]
    undo(S, start)
    if broken == 0 or limit == NO_LIMIT:
        return broken
    decide(S, c, value)
    look_for_broken(S)
    counted = 0
    while work[BROKEN] == 0 and counted < limit:
        technique = find_step(S, KEEPS_TOGETHER)
        make_found(S)
        look_for_broken(S)
        if technique > BESIDE_BLACK:
            counted += 1
    broken = work[BROKEN]
    undo(S, start)
    return broken


@compiled(f"void({_S})", entry=True)
def start(S):
    """Set up the position from the values in S[FOUND]; BROKEN if it already breaks a rule."""
    work = S[WORK]
    for c in range(work[SIZE]):
        S[VALUE, c] = WALL if S[FOUND, c] == WALL else OPEN
    for c in range(work[SIZE]):
        if S[FOUND, c] == BLACK or S[FOUND, c] == WHITE:
            decide(S, c, S[FOUND, c])
    look_for_broken(S)


@compiled(f"int64({_S},{_S},int64,int64,int64)", entry=True)
def run(S, steps, top, max_steps, budget):
    """Step until nothing applies (DONE), IS_BROKEN, STEPS_MADE (`max_steps`) or PAUSED after `budget` tries.

    `steps` takes a row a step: technique, value, number of cells decided before it, and after it; the cells stand in
    S[TRAIL]. After PAUSED call again: it goes on where it was.
    """
    work = S[WORK]
    stride = work[STRIDE]
    trials = 0
    while True:
        if work[BROKEN] > 0:
            return IS_BROKEN
        if work[N_STEPS] >= max_steps:
            return STEPS_MADE
        technique = NONE
        if work[PASS] == 0:
            technique = find_step(S, top)
            if technique == NONE:
                if top < SHORT_CONTRADICTION:
                    return DONE
                work[PASS] = SHORT_CONTRADICTION
                work[PLACE] = 2 * (stride + 1)
                work[GENERATION] += 1
                undo(S, work[N_TRAIL])
        while technique == NONE:
            place = work[PLACE]
            if place >= 2 * (work[SIZE] - stride):
                if work[PASS] == top:
                    return DONE
                work[PASS] = CONTRADICTION
                work[PLACE] = 2 * (stride + 1)
                continue
            c = place >> 1
            assumed = WHITE if place & 1 else BLACK
            if S[VALUE, c] == OPEN and S[HOLDS_WHITE if place & 1 else HOLDS_BLACK, c] < work[GENERATION]:
                if trials >= budget:
                    return PAUSED
                trials += 1
                if attempt(S, c, assumed, SHORT_LIMIT if work[PASS] == SHORT_CONTRADICTION else LIMIT) > 0:
                    technique = work[PASS]
                    work[FOUND_VALUE] = -assumed
                    work[N_FOUND] = 0
                    find(S, c)
            work[PLACE] += 1
        work[PASS] = 0
        row = steps[work[N_STEPS]]
        row[0], row[1], row[2] = technique, work[FOUND_VALUE], work[N_TRAIL]
        make_found(S)
        row[3] = work[N_TRAIL]
        work[N_STEPS] += 1
        look_for_broken(S)


# ---------------------------------------------------------------------------------------------------------------------
# Look-ahead and search


@compiled(f"void({_S})", entry=True)
def settle_all(S):
    """Draw all conclusions up to TOP from the position as it stands."""
    work = S[WORK]
    if work[BROKEN] > 0:
        return
    undo(S, work[N_TRAIL])
    work[N_DONE] = 0
    work[CUT_DUE] = 1
    for k in range(work[N_CLUES]):
        S[STALE, k] = k
        S[IS_STALE, k] = 1
    work[N_STALE] = work[N_CLUES]
    settle(S)


@compiled(f"int64({_S},int64)", entry=True)
def look_ahead(S, budget):
    """Fix what one-cell look-ahead fixes until nothing is left to fix (DONE), IS_BROKEN or PAUSED, as in `run`.

    A value whose assumption breaks a rule is ruled out, and a value that follows from both of a cell's values holds.
    """
    work = S[WORK]
    first, last = work[STRIDE] + 1, work[SIZE] - work[STRIDE]
    trials = 0
    if work[LAST] == 0:
        work[PLACE] = work[LAST] = first
        work[GENERATION] = 1
        settle_all(S)
    while work[BROKEN] == 0:
        c = work[PLACE]
        fixed = work[N_TRAIL]
        if S[VALUE, c] == OPEN:
            if trials >= budget:
                return PAUSED
            work[N_AGREED] = 0
            work[VISIT] += 1
            for turn in range(2):
                assumed = WHITE if turn else BLACK
                holds = S[HOLDS_WHITE if turn else HOLDS_BLACK, c]
                if S[VALUE, c] == OPEN and holds < work[GENERATION]:
                    trials += 1
                    if attempt(S, c, assumed, NO_LIMIT) > 0:
                        decide(S, c, -assumed)
            if S[VALUE, c] == OPEN:
                for i in range(work[N_AGREED]):
                    d = S[AGREED, i]
                    if S[VALUE, d] == OPEN:
                        decide(S, d, S[FOLLOWS, d])
            settle(S)
        if work[N_TRAIL] > fixed:
            work[LAST] = c
            work[GENERATION] += 1
        work[PLACE] = c + 1 if c + 1 < last else first
        if work[N_TRAIL] == fixed and work[PLACE] == work[LAST]:
            return DONE
    return IS_BROKEN


@compiled(f"int64({_S},int64)", entry=True)
def search(S, budget):
    """Try both values of the first open cell, black first, settle, and so on through all solutions; count the tries.

    DONE, also after MOST_ANSWERS solutions if that is not 0, or PAUSED, as in `run`. The numbers of tries and solutions
    are in S[WORK, N_NODES] and S[WORK, N_ANSWERS].
    """
    work = S[WORK]
    first, last = work[STRIDE] + 1, work[SIZE] - work[STRIDE]
    trials = 0
    if work[LAST] == 0:
        work[LAST] = 1
        settle_all(S)
    while trials < budget:
        c = last
        if work[BROKEN] == 0:
            c = first
            while c < last and S[VALUE, c] != OPEN:
                c += 1
        if c < last:
            level = work[N_LEVELS]
            S[LEVEL_START, level], S[LEVEL_CELL, level], S[LEVEL_TURN, level] = work[N_TRAIL], c, 0
            work[N_LEVELS] = level + 1
            decide(S, c, BLACK)
        else:
            if work[BROKEN] == 0:
                work[N_ANSWERS] += 1
                if work[N_ANSWERS] == work[MOST_ANSWERS]:
                    return DONE
            level = work[N_LEVELS] - 1
            while level >= 0 and S[LEVEL_TURN, level] == 1:
                level -= 1
            work[N_LEVELS] = level + 1
            if level < 0:
                return DONE
            undo(S, S[LEVEL_START, level])
            S[LEVEL_TURN, level] = 1
            decide(S, S[LEVEL_CELL, level], WHITE)
        work[N_NODES] += 1
        trials += 1
        settle(S)
    return PAUSED
