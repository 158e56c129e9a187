"""The compiled kernel of the Nurikabe generator: it grows an answer with a number on each island, and changes it.

Cells live on a board with walls around: cell (row, column) has the index (row + 1) * stride + column + 1 with
stride = columns + 1. `G` holds all there is, one row a field; every change goes through `put`, which logs it for
`undo`. After each entry point the board keeps these rules: the sea is connected and not empty, no 2x2 block is all sea,
each island has one number and at most MOST cells. Islands are small, so they are flooded where they are needed and
nothing is kept about them.

The clue pattern can be symmetric: row IMAGES + i has the i-th image of each cell, the first the cell itself. A clue
comes, goes and moves together with its images.

Random numbers are xoshiro128** (Blackman & Vigna 2018) in whole numbers of 32 bits, so that every machine, and plain
Python where numba is missing, draws the same.
"""

from ..compiled import decorator

compiled = decorator(__name__)

SEA, LAND, WALL = 1, -1, 2

# rows of G
VALUE, CLUE, MARK, QUEUE, ORDER, FOCUS, LOG_CELL, LOG_VALUE, LOG_CLUE = range(9)
BODY, FRINGE, INSIDE, NUMBER, IMAGES = range(9, 14)
# columns of G[NUMBER]: what Python sets, the random state, work space, then counts of what was done
STRIDE, SIZE, MOST, N_IMAGES, LEAST_LAND, MOST_LAND, MOST_CLUES, N_FOCUS = range(8)
RANDOM = 8  # four words
STAMP, N_LOG, N_LAND, N_CLUES = range(12, 16)
SEEDS, GROWN, ADDED, REMOVED, JOINED, MOVED = range(16, 22)
N_NUMBERS = 22

MEND_TRIES = 1024  # changes
TRIES = 64  # changes that `mutate` tries before it gives up
MASK = 0xFFFFFFFF

_G = "int64[:,::1]"


@compiled(f"int64({_G},int64)", entry=True)
def draw(G, n):
    """A random whole number from 0 to n - 1, n below 2**31."""
    N = G[NUMBER]
    a, b, c, d = N[RANDOM], N[RANDOM + 1], N[RANDOM + 2], N[RANDOM + 3]
    x = (b * 5) & MASK
    x = ((x << 7) & MASK) | (x >> 25)
    x = (x * 9) & MASK
    t = (b << 9) & MASK
    c ^= a
    d ^= b
    b ^= c
    a ^= d
    c ^= t
    d = ((d << 11) & MASK) | (d >> 21)
    N[RANDOM], N[RANDOM + 1], N[RANDOM + 2], N[RANDOM + 3] = a, b, c, d
    return (x * n) >> 32


@compiled(f"void({_G},int64,int64)")
def shuffle(G, row, n):
    """Shuffle the first n numbers of a row."""
    for i in range(n - 1, 0, -1):
        j = draw(G, i + 1)
        G[row, i], G[row, j] = G[row, j], G[row, i]


@compiled(f"void({_G},int64,int64,int64)")
def put(G, c, value, clue):
    """Make cell c sea or land, with a clue (1) or without (0)."""
    N = G[NUMBER]
    n = N[N_LOG]
    G[LOG_CELL, n], G[LOG_VALUE, n], G[LOG_CLUE, n] = c, G[VALUE, c], G[CLUE, c]
    N[N_LOG] = n + 1
    N[N_LAND] += (1 if value == LAND else 0) - (1 if G[VALUE, c] == LAND else 0)
    N[N_CLUES] += clue - G[CLUE, c]
    G[VALUE, c], G[CLUE, c] = value, clue


@compiled(f"void({_G},int64)")
def undo_to(G, mark):
    N = G[NUMBER]
    while N[N_LOG] > mark:
        n = N[N_LOG] - 1
        put(G, G[LOG_CELL, n], G[LOG_VALUE, n], G[LOG_CLUE, n])
        N[N_LOG] = n


@compiled(f"void({_G})", entry=True)
def undo(G):
    """Take back what the last `mutate` did."""
    undo_to(G, 0)


@compiled(f"int64({_G},int64)")
def gather(G, c):
    """Queue the land connected with land cell c; how many cells."""
    value, mark, queue = G[VALUE], G[MARK], G[QUEUE]
    stride = G[NUMBER, STRIDE]
    G[NUMBER, STAMP] += 1
    stamp = G[NUMBER, STAMP]
    mark[c] = stamp
    queue[0] = c
    n, head = 1, 0
    while head < n:
        c = queue[head]
        head += 1
        for turn in range(4):
            d = c + (-stride if turn == 0 else -1 if turn == 1 else 1 if turn == 2 else stride)
            if value[d] == LAND and mark[d] != stamp:
                mark[d] = stamp
                queue[n] = d
                n += 1
    return n


@compiled(f"int64({_G},int64)")
def clues_among(G, n):
    """The number of clues among the first n cells queued."""
    found = 0
    for j in range(n):
        found += G[CLUE, G[QUEUE, j]]
    return found


@compiled(f"int64({_G},int64)")
def keeps_sea(G, c):
    """Whether the sea stays connected and not empty without sea cell c."""
    value, mark, queue = G[VALUE], G[MARK], G[QUEUE]
    stride = G[NUMBER, STRIDE]
    up, down = c - stride, c + stride
    n, e, s, w = value[up] == SEA, value[c + 1] == SEA, value[down] == SEA, value[c - 1] == SEA
    runs = 0
    start = 0
    if n:
        start = up
        if not (w and value[up - 1] == SEA):
            runs += 1
    if e:
        start = c + 1
        if not (n and value[up + 1] == SEA):
            runs += 1
    if s:
        start = down
        if not (e and value[down + 1] == SEA):
            runs += 1
    if w:
        start = c - 1
        if not (s and value[down - 1] == SEA):
            runs += 1
    if runs == 1:
        return 1
    if start == 0:
        return 0  # the only cell of the sea
    # all around (no run begins) it is connected; else look at the whole sea
    if runs == 0:
        return 1
    G[NUMBER, STAMP] += 1
    stamp = G[NUMBER, STAMP]
    mark[c] = mark[start] = stamp
    queue[0] = start
    n_seen, head = 1, 0
    while head < n_seen:
        x = queue[head]
        head += 1
        for turn in range(4):
            d = x + (-stride if turn == 0 else -1 if turn == 1 else 1 if turn == 2 else stride)
            if value[d] == SEA and mark[d] != stamp:
                mark[d] = stamp
                queue[n_seen] = d
                n_seen += 1
    if (n and mark[up] != stamp) or (e and mark[c + 1] != stamp):
        return 0
    return 0 if (s and mark[down] != stamp) or (w and mark[c - 1] != stamp) else 1


@compiled(f"int64({_G},int64)")
def is_pool(G, c):
    """Whether the block of c and the cells right of it, below it and between is all sea."""
    value = G[VALUE]
    down = c + G[NUMBER, STRIDE]
    return 1 if value[c] == SEA and value[c + 1] == SEA and value[down] == SEA and value[down + 1] == SEA else 0


@compiled(f"int64({_G},int64)")
def add(G, c):
    """Make sea cell c land: a new island, one that grows, or several that join; 0 if that breaks a rule."""
    N = G[NUMBER]
    if keeps_sea(G, c) == 0:
        return 0
    put(G, c, LAND, 0)
    n = gather(G, c)
    if n > N[MOST]:
        return 0
    clues = clues_among(G, n)
    if clues == 0:
        for i in range(N[N_IMAGES]):
            d = G[IMAGES + i, c]
            if d == c:
                put(G, c, LAND, 1)
            elif G[VALUE, d] == SEA and keeps_sea(G, d) == 1:
                put(G, d, LAND, 1)
            elif G[CLUE, d] == 0:
                return 0
            if gather(G, d) > 1:
                return 0
    elif clues > 1:
        if N[N_IMAGES] > 1:
            return 0
        keep = draw(G, clues)
        for j in range(n):
            d = G[QUEUE, j]
            if G[CLUE, d] == 1:
                if keep != 0:
                    put(G, d, LAND, 0)
                keep -= 1
        N[JOINED] += 1
    N[ADDED] += 1
    return 1


@compiled(f"int64({_G},int64)")
def remove(G, c):
    """Make land cell c sea: an island goes, shrinks or falls into several; 0 if that breaks a rule (but for pools)."""
    N = G[NUMBER]
    value = G[VALUE]
    stride = N[STRIDE]
    if value[c - stride] != SEA and value[c - 1] != SEA and value[c + 1] != SEA and value[c + stride] != SEA:
        return 0
    N[REMOVED] += 1
    if gather(G, c) == 1:
        for i in range(N[N_IMAGES]):
            d = G[IMAGES + i, c]
            if value[d] == LAND:
                if gather(G, d) > 1:
                    return 0
                put(G, d, SEA, 0)
        return 1
    if N[N_IMAGES] > 1 and G[CLUE, c] == 1:
        return 0
    put(G, c, SEA, 0)
    for turn in range(4):
        d = c + (-stride if turn == 0 else -1 if turn == 1 else 1 if turn == 2 else stride)
        if value[d] == LAND:
            n = gather(G, d)
            if clues_among(G, n) == 0:
                if N[N_IMAGES] > 1:
                    return 0
                put(G, G[QUEUE, draw(G, n)], LAND, 1)
    return 1


@compiled(f"int64({_G},int64)")
def move_clue(G, c):
    """Move the clue of an island to its cell c; 0 if that cannot be done."""
    N = G[NUMBER]
    n = gather(G, c)
    old = 0
    for j in range(n):
        if G[CLUE, G[QUEUE, j]] == 1:
            old = G[QUEUE, j]
    if old == c:
        return 0
    for i in range(N[N_IMAGES]):
        d, e = G[IMAGES + i, c], G[IMAGES + i, old]
        if G[CLUE, d] == 1 and G[CLUE, e] == 0:
            continue  # done as an image of another
        if G[VALUE, d] != LAND or G[CLUE, d] == 1 or G[CLUE, e] == 0:
            return 0
        gather(G, d)
        if G[MARK, e] != G[NUMBER, STAMP]:
            return 0
        put(G, e, LAND, 0)
        put(G, d, LAND, 1)
    N[MOVED] += 1
    return 1


@compiled(f"int64({_G},int64)")
def step(G, c):
    """One random change of cell c; 0 if it breaks a rule."""
    if G[VALUE, c] == SEA:
        return add(G, c)
    if draw(G, 3) == 0:
        return move_clue(G, c)
    return remove(G, c)


@compiled(f"int64({_G})")
def is_sound(G):
    """Whether what was changed has left no pool, and as much land as there may be."""
    N = G[NUMBER]
    stride = N[STRIDE]
    if N[N_LAND] < N[LEAST_LAND] or N[N_LAND] > N[MOST_LAND] or N[N_CLUES] > N[MOST_CLUES]:
        return 0
    for j in range(N[N_LOG]):
        c = G[LOG_CELL, j]
        if G[VALUE, c] == SEA:
            for d in (c, c - 1, c - stride, c - stride - 1):
                if is_pool(G, d) == 1:
                    return 0
    return 1


@compiled(f"int64({_G})")
def wander(G):
    """One to three random changes, the first near a cell of FOCUS; 0 if one breaks a rule (but for pools)."""
    N = G[NUMBER]
    stride = N[STRIDE]
    c = G[FOCUS, draw(G, N[N_FOCUS])]
    for _ in range(1 + draw(G, 3)):
        d = c + (draw(G, 3) - 1) * stride + draw(G, 3) - 1
        if d < 0 or d >= N[SIZE] or G[VALUE, d] == WALL:
            continue
        if step(G, d) == 0:
            undo_to(G, 0)
            return 0
        c = d
    return N[N_LOG]


@compiled(f"int64({_G})", entry=True)
def mutate(G):
    """Change the board at random near a cell of FOCUS (the first N_FOCUS of it); 0 if nothing could be changed."""
    N = G[NUMBER]
    for _ in range(TRIES):
        N[N_LOG] = 0
        if wander(G) > 0:
            if is_sound(G) == 1:
                return 1
            undo_to(G, 0)
    return 0


@compiled(f"int64({_G},int64,int64)")
def grow_island(G, c, size):
    """Let the one-cell island of c grow to that size, a random cell at a time, as far as it can; how large it is."""
    N = G[NUMBER]
    value, body, fringe, inside = G[VALUE], G[BODY], G[FRINGE], G[INSIDE]
    stride = N[STRIDE]
    N[STAMP] += 1
    own = N[STAMP]
    body[0] = c
    inside[c] = own
    n = 1
    while n < size:
        n_fringe = 0
        for j in range(n):
            for turn in range(4):
                d = body[j] + (-stride if turn == 0 else -1 if turn == 1 else 1 if turn == 2 else stride)
                if value[d] != SEA:
                    continue
                free = True
                for side in range(4):
                    e = d + (-stride if side == 0 else -1 if side == 1 else 1 if side == 2 else stride)
                    if value[e] == LAND and inside[e] != own:
                        free = False
                if free:
                    fringe[n_fringe] = d
                    n_fringe += 1
        grown = False
        while n_fringe > 0 and not grown:
            j = draw(G, n_fringe)
            d = fringe[j]
            n_fringe -= 1
            fringe[j] = fringe[n_fringe]
            if keeps_sea(G, d) == 1:
                put(G, d, LAND, 0)
                body[n] = d
                inside[d] = own
                n += 1
                grown = True
        if not grown:
            break
    N[GROWN] += n
    return n


@compiled(f"int64({_G})")
def pools(G):
    """How many blocks are all sea; the first of them is the first of FOCUS."""
    N = G[NUMBER]
    found = 0
    for c in range(N[SIZE]):
        if is_pool(G, c) == 1:
            if found == 0:
                G[FOCUS, 0] = c
            found += 1
    return found


@compiled(f"int64({_G})")
def mend(G):
    """Change the board near the first pool until none is left; 0 if that does not come about."""
    N = G[NUMBER]
    left = pools(G)
    N[N_FOCUS] = 1
    tries = 0
    while left > 0 and tries < MEND_TRIES:
        tries += 1
        N[N_LOG] = 0
        if wander(G) > 0:
            n = pools(G)
            if n < left:
                left, tries = n, 0
            elif n > left:
                undo_to(G, 0)
                pools(G)
    return 1 if left == 0 else 0


@compiled(f"int64({_G})", entry=True)
def grow(G):
    """Grow an answer on a board of sea alone; 0 if a pool was left over or there is too little land."""
    N = G[NUMBER]
    value = G[VALUE]
    stride = N[STRIDE]
    n = 0
    for c in range(N[SIZE]):
        if value[c] != WALL:
            value[c], G[CLUE, c] = SEA, 0
            G[ORDER, n] = c
            n += 1
    N[N_LAND] = N[N_CLUES] = 0
    goal = N[LEAST_LAND] + draw(G, N[MOST_LAND] - N[LEAST_LAND] + 1)
    # islands from seeds, then the islands that can grow
    shuffle(G, ORDER, n)
    for j in range(2 * n):
        c = G[ORDER, j % n]
        if N[N_LAND] >= goal:
            break
        N[N_LOG] = 0
        if value[c] == SEA:
            beside = 0
            for turn in range(4):
                if value[c + (-stride if turn == 0 else -1 if turn == 1 else 1 if turn == 2 else stride)] == LAND:
                    beside += 1
            if (beside == 0) == (j < n):
                clues = N[N_CLUES]
                if add(G, c) == 0 or (j >= n and N[N_CLUES] != clues):
                    undo_to(G, 0)
                elif j < n:
                    for i in range(N[N_IMAGES]):
                        d = G[IMAGES + i, c]
                        if i == 0 or d != c:
                            N[SEEDS] += 1
                            grow_island(G, d, 1 + draw(G, N[MOST]))
    # a cell of each pool becomes land
    shuffle(G, ORDER, n)
    for j in range(2 * n):
        c = G[ORDER, j % n]
        if is_pool(G, c) == 1:
            turn = draw(G, 4)
            for _ in range(4):
                turn = (turn + 1) & 3
                N[N_LOG] = 0
                clues = N[N_CLUES]
                if add(G, c + (turn & 1) + (stride if turn > 1 else 0)) == 1 and (j >= n or N[N_CLUES] <= clues):
                    break
                undo_to(G, 0)
    if mend(G) == 0 or N[N_LAND] < N[LEAST_LAND] or N[N_LAND] > N[MOST_LAND]:
        return 0
    # each number on a random cell of its island
    if N[N_IMAGES] == 1:
        for j in range(n):
            c = G[ORDER, j]
            if G[CLUE, c] == 1:
                N[N_LOG] = 0
                size = gather(G, c)
                put(G, c, LAND, 0)
                G[CLUE, G[QUEUE, draw(G, size)]] = 2  # is placed
                N[N_CLUES] += 1
        for j in range(n):
            G[CLUE, G[ORDER, j]] = min(G[CLUE, G[ORDER, j]], 1)
    return 1


@compiled(f"void({_G},int64[::1],int64[::1])", entry=True)
def read(G, clues, values):
    """Write the numbers and the answer, cell by cell without the walls."""
    N = G[NUMBER]
    n = 0
    for c in range(N[SIZE]):
        if G[VALUE, c] != WALL:
            values[n] = G[VALUE, c]
            clues[n] = gather(G, c) if G[CLUE, c] == 1 else 0
            n += 1
