"""The compiled kernel of the techniques: one position that is stepped forward and taken back, never copied.

Cells live on a board with walls around: cell (row, column) has the index (row + 1) * stride + column + 1 with
stride = columns + 1, so the four neighbours are at fixed offsets and the row's wall also closes the next row.
`S` holds what a position is, one row a field, every change through `put`, which logs it for `undo`. `T` holds what
needs no undoing: work space, lists of places to look at again, stamps. `R` holds the cells of each island's reach,
the first REACH_COUNT of a row: what leaves goes behind them, so that the old count brings it back. `L` is the log.

What makes it fast is that the techniques are monotone: one that applies still applies (or has been made, or the
position is broken) when more cells are decided. So

* a technique is looked for only where something has changed since it was last known not to apply;
* where an assumption leads to a position that is not broken and gives no step, no cell decided on the way can be
  refuted by less: these assumptions are not tried.

`forced` is answered for all cells together, as far as it can be: one depth-first search finds the cells that cut the
sea, and the dominator tree of each island's shortest ways bounds what the loss of a cell can cost it; only where the
bound does not do, the island is flooded once more.

Everything is in one file, for numba's cache does not see changes in another. The tests have a plain twin of it all.
"""

import numpy as np

from ..compiled import decorator

compiled = decorator(__name__)

OPEN, SEA, LAND, WALL = 0, 1, -1, 2
SEPARATED = -1  # NEAR of a cell that touches two numbered islands
ISLANDS_A_WORD = 62
# the exponent of a power of two from its rest modulo 67
EXPONENT = np.zeros(67, dtype=np.int64)
for _bit in range(ISLANDS_A_WORD):
    EXPONENT[(1 << _bit) % 67] = _bit

# the techniques, in their order
ISLAND_COMPLETE, ALL_COMPLETE, SEPARATE_CLUES, NO_POOL, ISLAND_EXIT, SEA_EXIT, UNREACHABLE, FORCED = range(8)
SHORT_CONTRADICTION, CONTRADICTION = 8, 9
NONE = -1
SHORT_LIMIT, LIMIT, NO_LIMIT = 6, 20, 1 << 40
# why an entry point returns
DONE, IS_BROKEN, STEPS_MADE, PAUSED = range(4)

# rows of S: by cell, by group (at the cell that names it), by island, single numbers; then the owners of cells
VALUE, LABEL, NEXT, COUNT, CLUE, FIRST, NEAR = range(7)
REACH_COUNT, TOUCHED = 7, 8
NUMBER = 9
OWNERS = 10
# columns of S[NUMBER]
N_OPEN, N_SEA, N_SEA_GROUPS, SOME_SEA, N_UNFULL, N_LOOSE, N_TRAIL, SPLIT = range(8)

# rows of T
CLUE_AT, CLUE_CELL, CLUE_SIZE = 0, 1, 2
MARK, QUEUE, BAR, EXTRA = 3, 4, 5, 6
FULL, MULTI, POOL, LAND_EXIT, SEA_OUT, LOST, LOOSE = range(7, 14)  # lists of places to look at
DISCOVERED, LOW, PARENT, TURN, SEA_BELOW, CUT = range(14, 20)
CLEAN, CRITICAL_SINCE, TRAIL, FAILS, LOOSE_BELOW, LOOSE_GROUP, SEEN, AGREED = range(20, 28)
AFFECTED, CHANGED = 28, 29  # sets of islands, as words
AROUND = 30  # what leads from a cell to its neighbours: above, left, right, below
LISTED_LOOSE = 31
WORK = 32
CRITICAL = 33  # the islands for which a cell is TIGHT, then those for which it is HOLDING, then the holders of a group
# columns of T[WORK]
STRIDE, SIZE, N_ISLANDS, N_WORDS, STAMP, NOW, N_LOG, BROKEN, FLOOD, STEP_CELL, STEP_VALUE, BARRED = range(12)
N_LISTED, N_LOOSE_GROUPS = 12, 19  # the lengths of the lists, in the order of their rows
GENERATION, PASS, PLACE, LAST, VISIT, N_AGREED, N_STEPS, N_TRIALS = range(20, 28)
LISTS = 7

_S, _T, _R, _L = "int64[:,::1]", "int64[:,::1]", "int32[:,::1]", "int64[::1]"
_STATE = f"{_S},{_T},{_R},{_L}"


@compiled(f"void({_S},{_T},{_L},int64,int64,int64)")
def put(S, T, L, row, c, value):
    """S[row, c] = value, to be undone."""
    n = T[WORK, N_LOG]
    L[n] = row * S.shape[1] + c
    L[n + 1] = S[row, c]
    T[WORK, N_LOG] = n + 2
    S[row, c] = value


@compiled(f"void({_S},{_T},{_L},int64)")
def undo(S, T, L, mark):
    """Take back every change since the log was `mark` long."""
    flat = S.reshape(S.size)
    n = T[WORK, N_LOG]
    while n > mark:
        n -= 2
        flat[L[n]] = L[n + 1]
    T[WORK, N_LOG] = mark
    T[WORK, BROKEN] = 0
    T[WORK, FLOOD] = 0
    for w in range(T[WORK, N_WORDS]):
        T[AFFECTED, w] = 0


@compiled(f"void({_T},int64,int64)")
def push(T, row, c):
    """Append to one of the lists."""
    n = T[WORK, N_LISTED + row - FULL]
    T[row, n] = c
    T[WORK, N_LISTED + row - FULL] = n + 1


@compiled(f"int64({_S},{_T},{_L},int64,int64)")
def join(S, T, L, g, h):
    """The name of the group that the groups g and h become."""
    if S[COUNT, g] < S[COUNT, h]:
        g, h = h, g
    successor = S[NEXT]
    c = h
    while True:
        put(S, T, L, LABEL, c, g)
        c = successor[c]
        if c == h:
            break
    after = successor[g]
    put(S, T, L, NEXT, g, successor[h])
    put(S, T, L, NEXT, h, after)
    put(S, T, L, COUNT, g, S[COUNT, g] + S[COUNT, h])
    if S[CLUE, h] > 0:
        if S[CLUE, g] > 0:
            T[WORK, BROKEN] = 1
        put(S, T, L, CLUE, g, S[CLUE, h])
    if S[FIRST, h] < S[FIRST, g]:
        put(S, T, L, FIRST, g, S[FIRST, h])
    return g


@compiled(f"void({_S},{_T},int64)")
def affect(S, T, c):
    """The reach of every island that holds c must be looked at again."""
    for w in range(T[WORK, N_WORDS]):
        T[AFFECTED, w] |= S[OWNERS + w, c]


@compiled(f"void({_S},{_T},{_L},int64,int64)")
def touch(S, T, L, word, bits):
    """Note that something has changed for these islands: `forced` looks at them again."""
    now = T[WORK, NOW]
    while bits != 0:
        bit = bits & -bits
        bits ^= bit
        i = word * ISLANDS_A_WORD + EXPONENT[bit % 67]
        if S[TOUCHED, i] != now:
            put(S, T, L, TOUCHED, i, now)


@compiled(f"void({_S},{_T},{_L},int64,int64)")
def gain(S, T, L, c, k):
    """Cell c has joined the numbered island k - 1: other islands must keep away from what is beside it."""
    value, near = S[VALUE], S[NEAR]
    around = T[AROUND]
    put(S, T, L, NEAR, c, k)
    affect(S, T, c)
    for turn in range(4):
        d = c + around[turn]
        if value[d] == OPEN:
            if near[d] == 0:
                put(S, T, L, NEAR, d, k)
                affect(S, T, d)
            elif near[d] != k and near[d] != SEPARATED:
                put(S, T, L, NEAR, d, SEPARATED)
                affect(S, T, d)
                push(T, MULTI, d)


@compiled(f"void({_S},{_T},{_L},int64)")
def assign_land(S, T, L, c):
    value, label, successor = S[VALUE], S[LABEL], S[NEXT]
    stride = T[WORK, STRIDE]
    around = T[AROUND]
    put(S, T, L, VALUE, c, LAND)
    put(S, T, L, LABEL, c, c)
    put(S, T, L, NEXT, c, c)
    put(S, T, L, COUNT, c, 1)
    put(S, T, L, CLUE, c, T[CLUE_AT, c])
    put(S, T, L, FIRST, c, c)
    # the number that the group gets, and what it gains by that
    k = T[CLUE_AT, c]
    old_count = 0
    for turn in range(4):
        d = c + around[turn]
        if value[d] == LAND:
            clue = S[CLUE, label[d]]
            if clue > 0 and clue != k:
                if k > 0:
                    T[WORK, BROKEN] = 1
                    return
                k = clue
                old_count = S[COUNT, label[d]]
    if k > 0:
        gain(S, T, L, c, k)
    loose = 0
    g = c
    for turn in range(4):
        d = c + around[turn]
        if value[d] == LAND:
            h = label[d]
            if h != g:
                if k > 0 and S[CLUE, h] == 0:
                    x = h
                    while True:
                        gain(S, T, L, x, k)
                        loose += 1
                        x = successor[x]
                        if x == h:
                            break
                g = join(S, T, L, g, h)
        elif value[d] == SEA:
            push(T, SEA_OUT, d)
    push(T, LAND_EXIT, c)
    numbers = S[NUMBER]
    put(S, T, L, NUMBER, N_OPEN, numbers[N_OPEN] - 1)
    if k > 0:
        i = k - 1
        put(S, T, L, NUMBER, N_LOOSE, numbers[N_LOOSE] - loose)
        T[AFFECTED, i // ISLANDS_A_WORD] |= 1 << (i % ISLANDS_A_WORD)
        size = T[CLUE_SIZE, i]
        if size > 0:
            if S[COUNT, g] > size:
                T[WORK, BROKEN] = 1
                return
            if S[COUNT, g] == size:
                push(T, FULL, i)
                if old_count > 0:
                    put(S, T, L, NUMBER, N_UNFULL, numbers[N_UNFULL] - 1)
            elif old_count == 0:
                put(S, T, L, NUMBER, N_UNFULL, numbers[N_UNFULL] + 1)
    else:
        put(S, T, L, NUMBER, N_LOOSE, numbers[N_LOOSE] + 1)
        push(T, LOOSE, c)
    if numbers[N_OPEN] == 0 and numbers[N_SEA] == 0:
        T[WORK, BROKEN] = 1
        return
    # can the cell have cut the sea? not if what is not land around it hangs together around it
    up, down = c - stride, c + stride
    n, e, s, w = value[up] >= 0, value[c + 1] >= 0, value[down] >= 0, value[c - 1] >= 0
    n, e, s, w = n and value[up] < WALL, e and value[c + 1] < WALL, s and value[down] < WALL, w and value[c - 1] < WALL
    runs = 0
    if n and not (w and value[up - 1] >= 0):
        runs += 1
    if e and not (n and value[up + 1] >= 0):
        runs += 1
    if s and not (e and value[down + 1] >= 0):
        runs += 1
    if w and not (s and value[down - 1] >= 0):
        runs += 1
    if runs > 1:
        T[WORK, FLOOD] = 1


@compiled(f"void({_S},{_T},{_L},int64)")
def assign_sea(S, T, L, c):
    value, label = S[VALUE], S[LABEL]
    stride = T[WORK, STRIDE]
    around = T[AROUND]
    put(S, T, L, VALUE, c, SEA)
    put(S, T, L, LABEL, c, c)
    put(S, T, L, NEXT, c, c)
    put(S, T, L, COUNT, c, 1)
    put(S, T, L, CLUE, c, 0)
    put(S, T, L, FIRST, c, c)
    g = c
    joined = 0
    for turn in range(4):
        d = c + around[turn]
        if value[d] == SEA:
            if label[d] != g:
                g = join(S, T, L, g, label[d])
                joined += 1
        elif value[d] == LAND:
            push(T, LAND_EXIT, d)
    push(T, SEA_OUT, c)
    numbers = S[NUMBER]
    put(S, T, L, NUMBER, N_OPEN, numbers[N_OPEN] - 1)
    put(S, T, L, NUMBER, N_SEA, numbers[N_SEA] + 1)
    put(S, T, L, NUMBER, N_SEA_GROUPS, numbers[N_SEA_GROUPS] + 1 - joined)
    if numbers[N_SEA] == 1:
        put(S, T, L, NUMBER, SOME_SEA, c)
    elif joined == 0:
        push(T, SEA_OUT, numbers[SOME_SEA])  # it may have been the only sea until now, and need no way out
        if numbers[SPLIT] > 0:
            T[WORK, FLOOD] = 1
    affect(S, T, c)
    for down in range(-stride, 1, stride):
        for right in range(-1, 1):
            d = c + down + right
            n_sea, last = 0, 0
            for turn in range(4):
                x = d + (stride if turn > 1 else 0) + (turn & 1)
                if value[x] == SEA:
                    n_sea += 1
                elif value[x] == OPEN:
                    last = x
            if n_sea == 4:
                T[WORK, BROKEN] = 1
                return
            if n_sea == 3 and last > 0:
                push(T, POOL, last)


@compiled(f"int64({_S},{_T},int64)")
def flood(S, T, i):
    """Mark and queue the reach of island i, its own cells first; how many cells these are."""
    value, label, successor, near = S[VALUE], S[LABEL], S[NEXT], S[NEAR]
    mark, queue = T[MARK], T[QUEUE]
    around = T[AROUND]
    T[WORK, STAMP] += 1
    stamp = T[WORK, STAMP]
    k = i + 1
    g = label[T[CLUE_CELL, i]]
    n = 0
    c = g
    while True:
        mark[c] = stamp
        queue[n] = c
        n += 1
        c = successor[c]
        if c == g:
            break
    budget = NO_LIMIT if T[CLUE_SIZE, i] < 0 else T[CLUE_SIZE, i] - n
    head = 0
    while budget > 0 and head < n:
        tail = n
        while head < tail:
            c = queue[head]
            head += 1
            for turn in range(4):
                d = c + around[turn]
                if value[d] <= OPEN and mark[d] != stamp and (near[d] == 0 or near[d] == k):
                    mark[d] = stamp
                    queue[n] = d
                    n += 1
        budget -= 1
    return n


@compiled(f"void({_STATE},int64)")
def shrink(S, T, R, L, i):
    """Bring the reach of island i up to date; cells can only have left it."""
    n = flood(S, T, i)
    size = T[CLUE_SIZE, i]
    if n < size:
        T[WORK, BROKEN] = 1
        return
    mark = T[MARK]
    cells = R[i]
    word = i // ISLANDS_A_WORD
    bit = 1 << (i % ISLANDS_A_WORD)
    n_words = T[WORK, N_WORDS]
    stamp = T[WORK, STAMP]
    count = S[REACH_COUNT, i]
    if count != n:
        # those that left go behind the others, so that a longer count brings them back
        put(S, T, L, REACH_COUNT, i, n)
        j = count - 1
        while count > n:
            c = cells[j]
            if mark[c] != stamp:
                count -= 1
                cells[j] = cells[count]
                cells[count] = c
                put(S, T, L, OWNERS + word, c, S[OWNERS + word, c] & ~bit)
                if S[VALUE, c] == OPEN:
                    alone = True
                    for w in range(n_words):
                        if S[OWNERS + w, c] != 0:
                            alone = False
                    if alone:
                        push(T, LOST, c)
                elif S[VALUE, c] == LAND and T[LISTED_LOOSE, c] != T[WORK, NOW]:
                    T[LISTED_LOOSE, c] = T[WORK, NOW]  # once, however many islands lose it
                    push(T, LOOSE, c)
            j -= 1


@compiled(f"void({_S},{_T},{_L},int64)")
def hold(S, T, L, g):
    """Broken unless some island's reach holds the whole loose group g."""
    successor = S[NEXT]
    held = False
    for w in range(T[WORK, N_WORDS]):
        owners = S[OWNERS + w]
        every, some = owners[g], owners[g]
        c = successor[g]
        while c != g:
            every &= owners[c]
            some |= owners[c]
            c = successor[c]
        if every != 0:
            held = True
        touch(S, T, L, w, some)
    if not held:
        T[WORK, BROKEN] = 1


@compiled(f"void({_S},{_T},{_L})")
def flood_sea(S, T, L):
    """Broken if the sea cells cannot connect; notes whether what is not land falls into parts."""
    value = S[VALUE]
    mark, queue = T[MARK], T[QUEUE]
    around = T[AROUND]
    T[WORK, FLOOD] = 0
    n_sea = S[NUMBER, N_SEA]
    if n_sea == 0:
        if S[NUMBER, SPLIT] == 0:
            put(S, T, L, NUMBER, SPLIT, 1)
        return
    T[WORK, STAMP] += 1
    stamp = T[WORK, STAMP]
    c = S[NUMBER, SOME_SEA]
    mark[c] = stamp
    queue[0] = c
    n, head, seen = 1, 0, 1
    while head < n:
        c = queue[head]
        head += 1
        for turn in range(4):
            d = c + around[turn]
            if mark[d] != stamp and (value[d] == OPEN or value[d] == SEA):
                mark[d] = stamp
                queue[n] = d
                n += 1
                seen += value[d]
    if seen < n_sea:
        T[WORK, BROKEN] = 1
    split = 1 if n < n_sea + S[NUMBER, N_OPEN] else 0
    if split != S[NUMBER, SPLIT]:
        put(S, T, L, NUMBER, SPLIT, split)


@compiled(f"void({_STATE})")
def settle(S, T, R, L):
    """After cells were decided: reach, loose groups and sea again where they can have changed; BROKEN if so."""
    work = T[WORK]
    for w in range(work[N_WORDS]):
        if work[BROKEN] > 0:
            return
        bits = T[AFFECTED, w]
        T[AFFECTED, w] = 0
        touch(S, T, L, w, bits)
        while bits != 0:
            bit = bits & -bits
            bits ^= bit
            shrink(S, T, R, L, w * ISLANDS_A_WORD + EXPONENT[bit % 67])
            if work[BROKEN] > 0:
                return
    if work[BROKEN] > 0:
        return
    while work[N_LISTED + LOOSE - FULL] > 0:
        work[N_LISTED + LOOSE - FULL] -= 1
        g = S[LABEL, T[LOOSE, work[N_LISTED + LOOSE - FULL]]]
        if S[CLUE, g] == 0:
            hold(S, T, L, g)
            if work[BROKEN] > 0:
                return
    if work[FLOOD] > 0:
        flood_sea(S, T, L)


@compiled(f"void({_STATE},int64,int64)")
def decide(S, T, R, L, c, value):
    """Decide one open cell, without `settle`."""
    T[WORK, NOW] += 1
    n = S[NUMBER, N_TRAIL]
    T[TRAIL, n] = c
    put(S, T, L, NUMBER, N_TRAIL, n + 1)
    if value == SEA:
        assign_sea(S, T, L, c)
    else:
        for w in range(T[WORK, N_WORDS]):
            touch(S, T, L, w, S[OWNERS + w, c])
        assign_land(S, T, L, c)


@compiled(f"int64({_S},{_T},int64)")
def way_out(S, T, g):
    """The only open cell beside group g; 0 if there is none, -1 if there are several."""
    value, successor = S[VALUE], S[NEXT]
    around = T[AROUND]
    found = 0
    c = g
    while True:
        for turn in range(4):
            d = c + around[turn]
            if value[d] == OPEN and d != found:
                if found > 0:
                    return -1
                found = d
        c = successor[c]
        if c == g:
            return found


@compiled(f"int64({_S},{_T},int64)")
def first_open(S, T, row):
    """The first cell of a list that is still open, 0 if there is none; the others leave the list."""
    value = S[VALUE]
    cells = T[row]
    n = T[WORK, N_LISTED + row - FULL]
    kept, best = 0, 0
    for j in range(n):
        c = cells[j]
        if value[c] == OPEN:
            cells[kept] = c
            kept += 1
            if best == 0 or c < best:
                best = c
    T[WORK, N_LISTED + row - FULL] = kept
    return best


@compiled(f"int64({_S},{_T},int64)")
def first_exit(S, T, row):
    """The way out of the first group of a list that has just one, 0 if there is none; the others leave the list."""
    label = S[LABEL]
    cells = T[row]
    n = T[WORK, N_LISTED + row - FULL]
    kept, best, first = 0, 0, 0
    for j in range(n):
        g = label[cells[j]]
        if row == LAND_EXIT:
            k = S[CLUE, g]
            if k > 0 and T[CLUE_SIZE, k - 1] <= S[COUNT, g]:
                continue  # full, or of unknown size
        if best > 0 and S[FIRST, g] == first:
            continue
        d = way_out(S, T, g)
        if d > 0:
            cells[kept] = g
            kept += 1
            if best == 0 or S[FIRST, g] < first:
                best, first = d, S[FIRST, g]
    T[WORK, N_LISTED + row - FULL] = kept
    return best


@compiled(f"void({_S},{_T})")
def cuts(S, T):
    """CUT of an open cell is the stamp if the sea falls apart without it; MARK is, where sea can reach.

    A depth-first search from a sea cell over all that is not land: a cell cuts if a subtree with sea hangs on it alone.
    """
    value = S[VALUE]
    mark, discovered, low, parent, turns = T[MARK], T[DISCOVERED], T[LOW], T[PARENT], T[TURN]
    below, cut = T[SEA_BELOW], T[CUT]
    around = T[AROUND]
    T[WORK, STAMP] += 1
    stamp = T[WORK, STAMP]
    root = S[NUMBER, SOME_SEA]
    c = root
    time = 1
    mark[c], discovered[c], low[c], parent[c], turns[c], below[c] = stamp, 1, 1, 0, 0, 1
    while True:
        turn = turns[c]
        if turn < 4:
            turns[c] = turn + 1
            d = c + around[turn]
            if value[d] == OPEN or value[d] == SEA:
                if mark[d] != stamp:
                    time += 1
                    mark[d], discovered[d], low[d], parent[d], turns[d], below[d] = stamp, time, time, c, 0, value[d]
                    c = d
                elif discovered[d] < low[c]:
                    low[c] = discovered[d]
        else:
            p = parent[c]
            if p == 0:
                return
            if below[c] > 0:
                below[p] += below[c]
                if low[c] >= discovered[p]:
                    cut[p] = stamp
            if low[c] < low[p]:
                low[p] = low[c]
            c = p


@compiled(f"void({_S},{_T},int64)")
def find_critical(S, T, i):
    """Set the bit of island i in TIGHT (and in HOLDING) of each cell of its reach without which it may have too little
    room (and may not hold a loose cell).

    What a cell takes with it is at most what hangs below it in the dominator tree of the shortest ways.
    """
    value, label, successor, near = S[VALUE], S[LABEL], S[NEXT], S[NEAR]
    mark, queue, dominator, depth = T[MARK], T[QUEUE], T[PARENT], T[TURN]
    below, loose_below = T[SEA_BELOW], T[LOOSE_BELOW]
    word = i // ISLANDS_A_WORD
    n_words = T[WORK, N_WORDS]
    tight, holding = T[CRITICAL + word], T[CRITICAL + n_words + word]
    bit = 1 << (i % ISLANDS_A_WORD)
    around = T[AROUND]
    base = T[WORK, STAMP] + 1  # distance d is marked base + d
    k = i + 1
    size = T[CLUE_SIZE, i]
    g = label[T[CLUE_CELL, i]]
    n = 0
    c = g
    while True:
        mark[c] = base
        dominator[c], depth[c] = 0, 0
        queue[n] = c
        n += 1
        c = successor[c]
        if c == g:
            break
    own = n
    budget = NO_LIMIT if size < 0 else size - n
    head = 0
    distance = base
    while budget > 0 and head < n:
        tail = n
        distance += 1
        while head < tail:
            c = queue[head]
            if head >= own:
                depth[c] = depth[dominator[c]] + 1
            head += 1
            a = c if head > own else 0  # the island as a whole is the root, 0
            for turn in range(4):
                d = c + around[turn]
                if value[d] <= OPEN and (near[d] == 0 or near[d] == k):
                    if mark[d] < base:
                        mark[d] = distance
                        dominator[d] = a
                        below[d] = 1
                        loose_below[d] = -value[d]
                        queue[n] = d
                        n += 1
                    elif mark[d] == distance:
                        x, y = a, dominator[d]
                        while x != y:
                            if depth[x] > depth[y]:
                                x = dominator[x]
                            elif depth[x] < depth[y]:
                                y = dominator[y]
                            else:
                                x, y = dominator[x], dominator[y]
                        dominator[d] = x
        budget -= 1
    T[WORK, STAMP] = distance
    for j in range(n - 1, own - 1, -1):
        c = queue[j]
        if n - below[c] < size:
            tight[c] |= bit
        else:
            tight[c] &= ~bit
        if loose_below[c] > 0:
            holding[c] |= bit
        else:
            holding[c] &= ~bit
        a = dominator[c]
        below[a] += below[c]
        loose_below[a] += loose_below[c]
    T[CRITICAL_SINCE, i] = T[WORK, NOW]


@compiled(f"int64({_S},{_T},int64,int64,int64)")
def keeps(S, T, i, n_extra, g):
    """Whether island i, with the EXTRA cells and without those of the last BAR stamp, has room enough (g = 0) or
    reaches the whole loose group g."""
    value, label, successor, near = S[VALUE], S[LABEL], S[NEXT], S[NEAR]
    mark, queue, bar = T[MARK], T[QUEUE], T[BAR]
    around = T[AROUND]
    barred = T[WORK, BARRED]
    T[WORK, STAMP] += 1
    stamp = T[WORK, STAMP]
    k = i + 1
    size = T[CLUE_SIZE, i]
    n, seen = 0, 0
    start = label[T[CLUE_CELL, i]]
    c = start
    while True:
        mark[c] = stamp
        queue[n] = c
        n += 1
        c = successor[c]
        if c == start:
            break
    for j in range(n_extra):
        c = T[EXTRA, j]
        mark[c] = stamp
        queue[n] = c
        n += 1
    wanted = size
    if g > 0:
        wanted = NO_LIMIT
    elif n >= size:
        return 1
    budget = NO_LIMIT if size < 0 else size - n
    head = 0
    while budget > 0 and head < n:
        tail = n
        while head < tail:
            c = queue[head]
            head += 1
            for turn in range(4):
                d = c + around[turn]
                if value[d] <= OPEN and mark[d] != stamp and bar[d] != barred and (near[d] == 0 or near[d] == k):
                    mark[d] = stamp
                    queue[n] = d
                    n += 1
                    if n >= wanted:
                        return 1
                    if g > 0 and label[d] == g and value[d] == LAND:
                        seen += 1
                        if seen == S[COUNT, g]:
                            return 1
        budget -= 1
    return 0


@compiled(f"int64({_S},{_T},int64)")
def list_loose(S, T, n_words):
    """List the loose groups, and for each the islands whose reach holds it; how many groups."""
    value, label, successor = S[VALUE], S[LABEL], S[NEXT]
    n = 0
    for c in range(T[WORK, STRIDE] + 1, T[WORK, SIZE]):
        if value[c] == LAND and S[CLUE, c] == 0 and label[c] == c:
            T[LOOSE_GROUP, n] = c
            n += 1
            for w in range(n_words):
                owners = S[OWNERS + w]
                every = owners[c]
                x = successor[c]
                while x != c:
                    every &= owners[x]
                    x = successor[x]
                T[CRITICAL + 2 * n_words + w, c] = every
    T[WORK, N_LOOSE_GROUPS] = n
    return n


@compiled(f"int64({_S},{_T},int64)")
def land_breaks(S, T, c):
    """Whether land at c, beside one numbered island, leaves an island too little room or a loose group alone."""
    value, label, successor, near = S[VALUE], S[LABEL], S[NEXT], S[NEAR]
    bar, extra, lost = T[BAR], T[EXTRA], T[LOW]
    n_words = T[WORK, N_WORDS]
    around = T[AROUND]
    k = near[c]
    i = k - 1
    size = T[CLUE_SIZE, i]
    T[WORK, STAMP] += 1
    barred = T[WORK, STAMP]
    extra[0] = c
    bar[c] = barred
    n = 1
    for turn in range(4):
        d = c + around[turn]
        if value[d] == LAND and near[d] == 0 and bar[d] != barred:
            x = d
            while True:
                bar[x] = barred
                extra[n] = x
                n += 1
                x = successor[x]
                if x == d:
                    break
    if size > 0 and S[COUNT, label[T[CLUE_CELL, i]]] + n > size:
        return 1
    T[WORK, BARRED] = -1
    if keeps(S, T, i, n, 0) == 0:
        return 1
    # the other islands lose these cells and those that would be beside the island
    n_lost = n
    for j in range(n):
        x = extra[j]
        lost[j] = x
        for turn in range(4):
            d = x + around[turn]
            if value[d] == OPEN and near[d] != k and bar[d] != barred:
                bar[d] = barred
                lost[n_lost] = d
                n_lost += 1
    T[WORK, BARRED] = barred
    for w in range(n_words):
        bits = 0
        for j in range(n_lost):
            bits |= S[OWNERS + w, lost[j]]
        if w == i // ISLANDS_A_WORD:
            bits |= 1 << (i % ISLANDS_A_WORD)
        T[CHANGED, w] = bits
        while bits != 0:
            bit = bits & -bits
            bits ^= bit
            other = w * ISLANDS_A_WORD + EXPONENT[bit % 67]
            if other != i and T[CLUE_SIZE, other] > 0 and keeps(S, T, other, 0, 0) == 0:
                return 1
    for j in range(T[WORK, N_LOOSE_GROUPS]):
        g = T[LOOSE_GROUP, j]
        if bar[g] == barred:
            continue  # the island takes it in
        held = False
        for w in range(n_words):
            if T[CRITICAL + 2 * n_words + w, g] & ~T[CHANGED, w] != 0:
                held = True
        for w in range(n_words):
            bits = T[CRITICAL + 2 * n_words + w, g]
            while bits != 0 and not held:
                bit = bits & -bits
                bits ^= bit
                other = w * ISLANDS_A_WORD + EXPONENT[bit % 67]
                T[WORK, BARRED] = -1 if other == i else barred
                held = keeps(S, T, other, n if other == i else 0, g) > 0
        if not held:
            return 1
    return 0


@compiled(f"int64({_S},{_T},int64)")
def sea_breaks(S, T, c):
    """Whether sea at c leaves an island too little room or a loose group alone."""
    touched, clean = S[TOUCHED], T[CLEAN]
    n_words = T[WORK, N_WORDS]
    since = clean[c]
    T[WORK, STAMP] += 1
    T[BAR, c] = T[WORK, STAMP]
    T[WORK, BARRED] = T[WORK, STAMP]
    holding = False
    for w in range(n_words):
        bits = S[OWNERS + w, c]
        while bits != 0:
            bit = bits & -bits
            bits ^= bit
            i = w * ISLANDS_A_WORD + EXPONENT[bit % 67]
            if touched[i] > since:
                if T[CRITICAL + n_words + w, c] & bit != 0:
                    holding = True
                if T[CRITICAL + w, c] & bit != 0 and (
                    S[REACH_COUNT, i] <= T[CLUE_SIZE, i] or keeps(S, T, i, 0, 0) == 0
                ):
                    return 1
    if not holding:
        return 0
    for j in range(T[WORK, N_LOOSE_GROUPS]):
        g = T[LOOSE_GROUP, j]
        held = False
        for w in range(n_words):
            if T[CRITICAL + 2 * n_words + w, g] & ~S[OWNERS + w, c] != 0:
                held = True
        for w in range(n_words):
            bits = T[CRITICAL + 2 * n_words + w, g]
            while bits != 0 and not held:
                bit = bits & -bits
                bits ^= bit
                held = keeps(S, T, w * ISLANDS_A_WORD + EXPONENT[bit % 67], 0, g) > 0
        if not held:
            return 1
    return 0


@compiled(f"int64({_S},{_T},int64)")
def loose_breaks(S, T, c):
    """Whether land at c, beside no numbered island, joins loose groups that no island's reach holds together."""
    value, label = S[VALUE], S[LABEL]
    n_words = T[WORK, N_WORDS]
    around = T[AROUND]
    for w in range(n_words):
        every = S[OWNERS + w, c]
        for turn in range(4):
            d = c + around[turn]
            if value[d] == LAND:
                every &= T[CRITICAL + 2 * n_words + w, label[d]]
        if every != 0:
            return 0
    return 1


@compiled(f"int64({_S},{_T})")
def find_forced(S, T):
    """The first open cell where one value breaks a rule at once (STEP_CELL, with the other value), or 0."""
    value, near, touched = S[VALUE], S[NEAR], S[TOUCHED]
    clean = T[CLEAN]
    work = T[WORK]
    stride, n_words = work[STRIDE], work[N_WORDS]
    around = T[AROUND]
    some_sea = S[NUMBER, N_SEA] > 0
    if some_sea:
        cuts(S, T)
    stamp = work[STAMP]
    visited, cut = T[DISCOVERED], T[CUT]
    if some_sea:
        for c in range(stride + 1, work[SIZE] - stride):
            if value[c] == OPEN and T[MARK, c] != stamp:
                visited[c] = -1
    for i in range(work[N_ISLANDS]):
        if touched[i] > T[CRITICAL_SINCE, i]:
            find_critical(S, T, i)
    loose = S[NUMBER, N_LOOSE] > 0
    work[N_LOOSE_GROUPS] = 0
    if loose:
        list_loose(S, T, n_words)
    for c in range(stride + 1, work[SIZE] - stride):
        if value[c] != OPEN:
            continue
        beside_loose = False
        if loose:
            for turn in range(4):
                d = c + around[turn]
                if value[d] == LAND and near[d] == 0:
                    beside_loose = True
        # as land
        broken = cut[c] == stamp if some_sea else S[NUMBER, N_OPEN] == 1
        dirty = False
        for w in range(n_words):
            owners = S[OWNERS + w]
            bits = owners[c] | owners[c - stride] | owners[c - 1] | owners[c + 1] | owners[c + stride]
            while bits != 0 and not dirty:
                bit = bits & -bits
                bits ^= bit
                dirty = touched[w * ISLANDS_A_WORD + EXPONENT[bit % 67]] > clean[c]
        if not broken:
            if near[c] == 0:
                broken = beside_loose and loose_breaks(S, T, c) > 0
            elif dirty or beside_loose:
                broken = land_breaks(S, T, c) > 0
        if broken:
            work[STEP_CELL], work[STEP_VALUE] = c, SEA
            return c
        if (some_sea and visited[c] == -1) or (dirty and sea_breaks(S, T, c) > 0):
            work[STEP_CELL], work[STEP_VALUE] = c, LAND
            return c
        clean[c] = work[NOW]
    return 0


@compiled(f"int64({_STATE},int64)")
def find_step(S, T, R, L, top):
    """The first technique up to `top` (and up to `forced`) that applies, or NONE; its place in STEP_CELL, STEP_VALUE.

    STEP_CELL of `island_complete` is any cell of the island.
    """
    work = T[WORK]
    label = S[LABEL]
    # island_complete
    while work[N_LISTED] > 0:
        best = 0
        for j in range(1, work[N_LISTED]):
            if T[FULL, j] < T[FULL, best]:
                best = j
        g = label[T[CLUE_CELL, T[FULL, best]]]
        if way_out(S, T, g) != 0:
            work[STEP_CELL], work[STEP_VALUE] = g, SEA
            return ISLAND_COMPLETE
        work[N_LISTED] -= 1
        T[FULL, best] = T[FULL, work[N_LISTED]]
    if S[NUMBER, N_OPEN] == 0:
        return NONE
    if S[NUMBER, N_UNFULL] == 0:
        done = True
        for i in range(work[N_ISLANDS]):
            if T[CLUE_SIZE, i] < 0 and way_out(S, T, label[T[CLUE_CELL, i]]) != 0:
                done = False
                break
        if done:
            work[STEP_VALUE] = SEA
            return ALL_COMPLETE
    if top < SEPARATE_CLUES:
        return NONE
    c = first_open(S, T, MULTI)
    if c > 0:
        work[STEP_CELL], work[STEP_VALUE] = c, SEA
        return SEPARATE_CLUES
    c = first_open(S, T, POOL)
    if c > 0:
        work[STEP_CELL], work[STEP_VALUE] = c, LAND
        return NO_POOL
    c = first_exit(S, T, LAND_EXIT)
    if c > 0:
        work[STEP_CELL], work[STEP_VALUE] = c, LAND
        return ISLAND_EXIT
    if S[NUMBER, N_SEA_GROUPS] > 1:
        c = first_exit(S, T, SEA_OUT)
        if c > 0:
            work[STEP_CELL], work[STEP_VALUE] = c, SEA
            return SEA_EXIT
    if top < UNREACHABLE:
        return NONE
    c = first_open(S, T, LOST)
    if c > 0:
        work[STEP_CELL], work[STEP_VALUE] = c, SEA
        return UNREACHABLE
    if top >= FORCED and find_forced(S, T) > 0:
        return FORCED
    return NONE


@compiled(f"void({_STATE},int64)")
def make_step(S, T, R, L, technique):
    """Decide the cells that `find_step` found."""
    work = T[WORK]
    value, successor = S[VALUE], S[NEXT]
    stride = work[STRIDE]
    around = T[AROUND]
    if technique == ALL_COMPLETE:
        for c in range(stride + 1, work[SIZE] - stride):
            if value[c] == OPEN:
                decide(S, T, R, L, c, SEA)
    elif technique == ISLAND_COMPLETE:
        g = work[STEP_CELL]
        c = g
        while True:
            for turn in range(4):
                d = c + around[turn]
                if value[d] == OPEN:
                    decide(S, T, R, L, d, SEA)
            c = successor[c]
            if c == g:
                break
    else:
        decide(S, T, R, L, work[STEP_CELL], work[STEP_VALUE])
    settle(S, T, R, L)


@compiled(f"int64({_STATE},int64,int64,int64)")
def attempt(S, T, R, L, c, value, limit):
    """Assume a value and step on: 1 if broken within `limit` counted steps, 2 if not by then, 0 if no step is left.

    In the last case nothing that was decided on the way can be refuted either: FAILS is noted for all of it.
    """
    work = T[WORK]
    work[N_TRIALS] += 1
    mark = work[N_LOG]
    start = S[NUMBER, N_TRAIL]
    decide(S, T, R, L, c, value)
    settle(S, T, R, L)
    counted = 0
    result = 1
    while work[BROKEN] == 0:
        if counted == limit:
            result = 2
            break
        technique = find_step(S, T, R, L, FORCED)
        if technique == NONE:
            result = 0
            until = work[GENERATION] if S[NUMBER, N_OPEN] > 0 else NO_LIMIT  # a whole solution is never refuted
            for j in range(start, S[NUMBER, N_TRAIL]):
                d = T[TRAIL, j]
                literal = 2 * d + (1 if S[VALUE, d] == SEA else 0)
                T[FAILS, literal] = max(T[FAILS, literal], until)
                if work[VISIT] > 0:
                    if T[SEEN, literal] == work[VISIT]:
                        T[AGREED, work[N_AGREED]] = literal
                        work[N_AGREED] += 1
                    T[SEEN, literal] = work[VISIT]
            break
        make_step(S, T, R, L, technique)
        if technique > ALL_COMPLETE:
            counted += 1
    undo(S, T, L, mark)
    for j in range(LISTS):
        work[N_LISTED + j] = 0
    return result


@compiled(f"void({_STATE},int64[:,::1],int64[:,::1])", entry=True)
def start(S, T, R, L, clues, values):
    """Set up the position of a board in arrays of zeros; `values` has clue cells as land. BROKEN if it already is."""
    work = T[WORK]
    value = S[VALUE]
    rows, columns = clues.shape
    stride, size = columns + 1, S.shape[1]
    work[STRIDE], work[SIZE], work[N_WORDS] = stride, size, S.shape[0] - OWNERS
    T[AROUND, 0], T[AROUND, 1], T[AROUND, 2], T[AROUND, 3] = -stride, -1, 1, stride
    given = T[TURN]
    for c in range(size):
        given[c] = value[c] = WALL
    n_islands = 0
    for row in range(rows):
        for column in range(columns):
            c = (row + 1) * stride + column + 1
            given[c], value[c] = values[row, column], OPEN
            if clues[row, column] != 0:
                T[CLUE_CELL, n_islands], T[CLUE_SIZE, n_islands] = c, clues[row, column]
                n_islands += 1
                T[CLUE_AT, c] = n_islands
    work[N_ISLANDS] = n_islands
    S[NUMBER, N_OPEN] = rows * columns
    for clues in range(2):  # numbered islands first, so that a group knows its number when it grows
        for c in range(size):
            if given[c] != WALL and given[c] != OPEN and (T[CLUE_AT, c] > 0) == (clues == 0) and value[c] == OPEN:
                decide(S, T, R, L, c, given[c])
                if work[BROKEN] > 0:
                    for d in range(size):
                        value[d] = given[d]
                    return
    for w in range(work[N_WORDS]):
        T[AFFECTED, w] = 0
    for i in range(work[N_ISLANDS]):
        n = flood(S, T, i)
        word = i // ISLANDS_A_WORD
        bit = 1 << (i % ISLANDS_A_WORD)
        for j in range(n):
            c = T[QUEUE, j]
            R[i, j] = c
            S[OWNERS + word, c] |= bit
        S[REACH_COUNT, i] = n
        S[TOUCHED, i] = work[NOW]
        if n < T[CLUE_SIZE, i]:
            work[BROKEN] = 1
            return
    for c in range(size):
        if value[c] == OPEN:
            lost = True
            for w in range(work[N_WORDS]):
                if S[OWNERS + w, c] != 0:
                    lost = False
            if lost:
                push(T, LOST, c)
    work[FLOOD] = 1
    settle(S, T, R, L)
    work[N_LOG] = 0


@compiled(f"int64({_STATE},{_S},int64,int64,int64)", entry=True)
def run(S, T, R, L, steps, top, max_steps, budget):
    """Step until nothing applies (DONE), IS_BROKEN, STEPS_MADE (`max_steps`) or PAUSED after `budget` tries.

    `steps` takes a row a step: technique, value, number of cells decided before it, and after it; the cells stand in
    T[TRAIL]. After PAUSED call again: it goes on where it was.
    """
    work = T[WORK]
    value = S[VALUE]
    stride = work[STRIDE]
    trials = 0
    while True:
        if work[BROKEN] > 0:
            return IS_BROKEN
        if work[N_STEPS] >= max_steps:
            return STEPS_MADE
        technique = NONE
        if work[PASS] == 0:
            technique = find_step(S, T, R, L, top)
            if technique == NONE:
                if S[NUMBER, N_OPEN] == 0 or top < SHORT_CONTRADICTION:
                    return DONE
                for i in range(work[N_ISLANDS]):
                    S[TOUCHED, i] = 0
                for j in range(LISTS):
                    work[N_LISTED + j] = 0
                work[PASS] = SHORT_CONTRADICTION
                work[PLACE] = 2 * (stride + 1)
                work[GENERATION] += 1
        while technique == NONE and work[PASS] > 0:
            place = work[PLACE]
            if place >= 2 * (work[SIZE] - stride):
                if work[PASS] == top:
                    return DONE
                work[PASS] = CONTRADICTION
                work[PLACE] = 2 * (stride + 1)
                continue
            c = place >> 1
            if value[c] == OPEN and T[FAILS, place] < work[GENERATION]:
                if trials >= budget:
                    return PAUSED
                trials += 1
                assumed = SEA if place & 1 else LAND
                if attempt(S, T, R, L, c, assumed, SHORT_LIMIT if work[PASS] == SHORT_CONTRADICTION else LIMIT) == 1:
                    technique = work[PASS]
                    work[STEP_CELL], work[STEP_VALUE] = c, -assumed
                    break
            work[PLACE] += 1
        work[PASS] = 0
        row = steps[work[N_STEPS]]
        row[0], row[1], row[2] = technique, work[STEP_VALUE], S[NUMBER, N_TRAIL]
        make_step(S, T, R, L, technique)
        row[3] = S[NUMBER, N_TRAIL]
        work[N_STEPS] += 1
        work[N_LOG] = 0


@compiled(f"void({_STATE},int64)", entry=True)
def fix(S, T, R, L, top):
    """Make all steps up to technique `top`, no look-ahead among them, without noting them."""
    while T[WORK, BROKEN] == 0:
        technique = find_step(S, T, R, L, top)
        if technique == NONE:
            return
        make_step(S, T, R, L, technique)
        T[WORK, N_LOG] = 0


@compiled(f"void({_STATE},int64[:,::1],int64[:,::1],int64)", entry=True)
def screen(S, T, R, L, clues, values, top):
    """`start` in arrays that were used before, and `fix`."""
    S[:] = 0
    T[:] = 0
    start(S, T, R, L, clues, values)
    fix(S, T, R, L, top)


@compiled(f"int64({_STATE},int64)", entry=True)
def look_ahead(S, T, R, L, budget):
    """Fix what one-cell look-ahead fixes until nothing is left to fix (DONE), IS_BROKEN or PAUSED, as in `run`.

    A value whose assumption breaks a rule is ruled out, and a value that follows from both of a cell's values holds.
    """
    work = T[WORK]
    value = S[VALUE]
    stride = work[STRIDE]
    first, last = stride + 1, work[SIZE] - stride
    trials = 0
    if work[LAST] == 0:
        work[PLACE] = work[LAST] = first
        work[GENERATION] = 1
    while True:
        while work[BROKEN] == 0:
            technique = find_step(S, T, R, L, FORCED)
            if technique == NONE:
                break
            make_step(S, T, R, L, technique)
            work[N_LOG] = 0
            work[LAST] = work[PLACE]
            work[GENERATION] += 1
        if work[BROKEN] > 0:
            return IS_BROKEN
        if S[NUMBER, N_OPEN] == 0:
            return DONE
        for i in range(work[N_ISLANDS]):
            S[TOUCHED, i] = 0
        for j in range(LISTS):
            work[N_LISTED + j] = 0
        # round the board, until no cell since the last change has given anything
        found = False
        while not found:
            c = work[PLACE]
            if value[c] == OPEN:
                if trials >= budget:
                    return PAUSED
                work[N_AGREED] = 0
                work[VISIT] += 1
                for turn in range(2):
                    if T[FAILS, 2 * c + turn] < work[GENERATION] and not found:
                        trials += 1
                        assumed = SEA if turn == 1 else LAND
                        if attempt(S, T, R, L, c, assumed, NO_LIMIT) == 1:
                            found = True
                            decide(S, T, R, L, c, -assumed)
                if not found and work[N_AGREED] > 0:
                    found = True
                    for j in range(work[N_AGREED]):
                        literal = T[AGREED, j]
                        if value[literal >> 1] == OPEN:
                            decide(S, T, R, L, literal >> 1, SEA if literal & 1 else LAND)
            if found:
                settle(S, T, R, L)
                work[N_LOG] = 0
                work[LAST] = c
                work[GENERATION] += 1
            work[PLACE] = c + 1 if c + 1 < last else first
            if not found and work[PLACE] == work[LAST]:
                return DONE
