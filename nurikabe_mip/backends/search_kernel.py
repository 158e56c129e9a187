"""The compiled kernel of the search: conflict-driven clause learning, with propagators that explain themselves.

The search (CDCL) is that of a SAT solver (Marques-Silva & Sakallah 1999): decide a cell, propagate to a fixpoint, and
at a conflict learn the clause of the first unique implication point, jump back and go on. Activities choose the cell
(Moskewicz et al. 2001), which takes the value that it had last; restarts follow the sequence of Luby, Sinclair &
Zuckerman (1993); of the learnt clauses those that join few levels stay (Audemard & Simon 2009). A solution is blocked
by the clause of its decisions, and the same search goes on to the next one or to the proof that there is none.

The rules are not written out as clauses. Propagators watch the board and give with each implied cell the cells whose
values explain it, as in lazy clause generation (Ohrimenko, Stuckey & Codish 2009):

* pools: the last open cell of a 2x2 block is land;
* islands: components of land, merged as cells become land. Too large, two clues or walled in is a conflict; a full
  island gets sea around it, a component with one way out takes it, an open cell that would join too much is sea;
* reach: the cells that each island can still take. A cell that none can take is sea, and an island with too little
  room is a conflict;
* bottlenecks: the articulation cells (Tarjan 1972) of an island's reach without which it has too little room, or
  loses land that no other island can take, are land;
* connection: an articulation cell of all that is not land is sea if both sides hold sea. Land that touches by sides
  or corners forms clusters, with the wall around the board in one of them; a cell can only be an articulation cell if
  it closes a ring with one cluster. Clusters are merged as cells become land, so only cells beside a merger need a
  look; what that does not settle is left to a depth-first search over the board, which also serves genres whose
  unshaded cells are connected.

What the propagators keep is undone to the letter when the search jumps back, so that there nothing is recomputed: the
fixpoint of a level is met again. Short reasons make short clauses, and these are what speed comes from: a wall is
part of a reason only if it lies on a way that is short enough, and walls are reduced to a minimal separator or to a
shortest ring.

Everything is in one file, since numba's cache does not see a change in another one. Without numba the same functions
run as plain Python. Cells are indices of the flat board, and cell `n_cells` is the wall around it; literal 2c says
"cell c is sea" (shaded), 2c + 1 "cell c is land" (unshaded). Level 0 holds what is proved.
"""

import numpy as np

try:
    import numba
    from numba import types
    from numba.experimental import structref

    from ..compiled import njit

    VERSION = None if numba.config.DISABLE_JIT else numba.__version__
except ImportError:
    VERSION = None

SEA, LAND, OPEN, WALL = 1, -1, 0, 2
NONE = -1  # no cell, no clue, no cluster, no reason
NEW_SEA, OLD_SEA = -2, -3  # in place of a cluster: sea, looked at or not yet
UNKNOWN = -2  # not looked for yet

# kinds of reason, in the two lowest bits: a clause, cells stored in reason_cells, the pool right of and below a cell
BY_CLAUSE, BY_CELLS, BY_POOL = 0, 1, 2

# the rules of a genre, summed up for new_state()
RULE_ISLANDS, RULE_NO_POOL, RULE_NO_TOUCH = 1, 2, 4
RULE_SEA_CONNECTED, RULE_LAND_CONNECTED, RULE_NEEDS_SEA, RULE_NEEDS_LAND = 8, 16, 32, 64

# what run() says
FINISHED, SOLUTION, PAUSED = 0, 1, 2

UP, LEFT, RIGHT, DOWN = 0, 1, 2, 3
WORD = 62  # clues in a word of a bit set: int64 without its sign
RESTART = 32  # conflicts in the unit of the Luby sequence
REDUCE, REDUCE_MORE = 2000, 300  # conflicts between reductions of the learnt clauses, and how many more each time
FAR = 50  # levels: a longer jump back is not made, the last level alone is undone
DECAY = 0.95  # of all activities at each conflict
TIE = 1e-4  # differences of activity before any conflict, which adds 1 or more
MARK_LIMIT = 1 << 30  # marks are numbers of 32 bits that only grow; here they begin anew

if VERSION is None:
    VOID = INT = BOOL = REAL = STATE = COUNTERS = INTS = INTS2 = WORDS = WORDS2 = REALS = None

    class State:
        """The state of a search, a plain object where nothing is compiled."""

    def compiled(result, *arguments):
        return lambda function: function

    entry = free = compiled

    def blank_state():
        return State()

else:
    VOID, INT, BOOL, REAL = types.void, types.int64, types.boolean, types.float64
    INTS, INTS2, REALS = types.int32[::1], types.int32[:, ::1], types.float64[::1]
    WORDS, WORDS2 = types.int64[::1], types.int64[:, ::1]
    COUNTERS = types.UniTuple(INT, 4)

# The state, a record of arrays and numbers. An array over the cells has n_cells + 1 places, the last for the wall.
FIELDS = {
    # the board: the cells above, left, right and below; the eight cells around, clockwise from above; places; the rim
    "n_cells": INT, "neighbour": INTS2, "around": INTS2, "row": INTS, "column": INTS, "rim": INTS, "n_rim": INT,
    # the rules
    "has_islands": BOOL, "no_pool": BOOL, "sea_connected": BOOL, "land_connected": BOOL, "needs_sea": BOOL,
    "needs_land": BOOL, "n_clues": INT, "clue_cell": INTS, "clue_size": INTS,
    "n_sights": INT, "sight_cell": INTS, "sight_number": INTS,
    # the assignment; trail has the true literals in their order, the first n_done of them propagated
    "value": INTS, "level": INTS, "reason": INTS, "trail": INTS, "n_trail": INT, "n_done": INT, "n_land": INT,
    # how long each list was when a level began
    "n_levels": INT, "level_trail": INTS, "level_reasons": INTS, "level_merges": INTS, "level_losses": INTS,
    "level_joins": INTS,
    # reasons of implied cells, one after the other; the reason or conflict under construction, a set of cells
    "reason_cells": INTS, "n_reasons": INT, "because": INTS, "n_because": INT, "because_mark": INTS,
    # clause i has the literals from clause_start[i] to clause_start[i + 1], and watches the first two: watch 2i + j is
    # that of its literal j; first_watch and next_watch chain the watches of a literal. distance: levels joined, or 0
    "literals": INTS, "n_clauses": INT, "clause_start": INTS, "clause_distance": INTS, "clause_used": INTS,
    "first_watch": INTS, "next_watch": INTS,
    # the clause under construction, the cells met on the way to it
    "learnt": INTS, "seen": INTS, "touched": INTS, "n_touched": INT, "level_mark": INTS,
    # what is decided next, and how
    "activity": REALS, "step": REAL, "phase": INTS,
    # components of land: the leader of a cell and a ring through its component; at the leader, size and clue
    "leader": INTS, "ring": INTS, "size": INTS, "clue": INTS, "merges": INTS, "n_merges": INT,
    "changed_land": INTS, "n_changed_land": INT,
    # clusters of land: the leader of a propagated cell (NONE before, NEW_SEA or OLD_SEA for sea), the ring through its
    # cluster, its size; land in a new cluster, new sea, and new sea without other sea beside it
    "cluster": INTS, "cluster_ring": INTS, "cluster_size": INTS, "joins": INTS, "n_joins": INT,
    "fresh": INTS, "n_fresh": INT, "fresh_mark": INTS, "fresh_now": INT,
    "new_sea": INTS, "n_new_sea": INT, "lone_sea": INTS, "n_lone_sea": INT,
    # reach: sets of clues, as bits of n_words words, whose islands can take a cell, at the root (near) and now (cover);
    # the cells of each root reach; what was lost since (cell and clue); cells that nobody can take any more
    "n_words": INT, "clue_word": INTS, "clue_bit": WORDS, "near": WORDS2, "cover": WORDS2, "root_start": INTS,
    "root_cells": INTS, "losses": INTS, "n_losses": INT, "lost": INTS, "n_lost": INT, "reach_known": BOOL,
    # the clue of sight in a cell; the numbers of cells that a clue may see in each direction, as bit sets: on an empty
    # board, now, and with less known
    "sight_at": INTS, "in_view": WORDS2, "may": WORDS, "tried": WORDS,
    # what must be looked at again
    "stale_sights": INTS, "n_stale_sights": INT, "is_stale_sight": INTS,
    "stale_reach": WORDS, "stale_bottlenecks": WORDS, "stale_sea": BOOL, "stale_land": BOOL,
    # work space of floods (a cell is marked if its mark is mark_now, or what that was) and of depth-first searches
    "mark": INTS, "mark_now": INT, "depth": INTS, "queue": INTS, "n_queue": INT, "tested": INTS,
    "wall": INTS, "wall_mark": INTS, "wall_owner": INTS, "path_mark": INTS, "path_from": INTS, "path_queue": INTS,
    "stack": INTS, "order": INTS, "index": INTS, "low": INTS, "parent": INTS, "below": INTS, "next_side": INTS,
    "weight": INTS, "hanging": INTS, "hanging_weight": INTS, "candidates": INTS, "n_candidates": INT,
    "sector_at": INTS, "sector": INTS, "arc": INTS, "arc_sea": INTS,
    # the solution found last, figures, and what is due when
    "solution": INTS, "n_decisions": INT, "n_conflicts": INT, "n_learnt": INT, "n_restarts": INT, "n_reductions": INT,
    "next_restart": INT, "next_reduction": INT, "last_reduction": INT, "contradiction": BOOL,
}  # fmt: skip

if VERSION is not None:

    @structref.register
    class StateType(types.StructRef):
        def preprocess_fields(self, fields):
            return tuple((name, types.unliteral(kind)) for name, kind in fields)

    class State(structref.StructRefProxy):
        """The state of a search; Python passes it around and looks at it through the functions of this module."""

    structref.define_boxing(StateType, State)
    STATE = StateType(list(FIELDS.items()))

    def compiled(result, *arguments):
        """A function of the kernel: the state, then `arguments`."""
        return lambda function: njit(result(STATE, *arguments), function)

    def entry(result, *arguments):
        """A function of the kernel that Python calls too."""
        return lambda function: njit(result(STATE, *arguments), function, entry=True)

    def free(result, *arguments):
        """A function without a state."""
        return lambda function: njit(result(*arguments), function, entry=True)

    @free(STATE)
    def blank_state():
        return structref.new(STATE)


# ---------------------------------------------------------------------------------------------------------------------
# Assignment, reasons, undo


@free(INTS, INTS, INT)
def grown(array, needed):
    """`array`, or a copy of at least twice its length with room for `needed` numbers."""
    if needed <= array.size:
        return array
    larger = np.zeros(max(needed, 2 * array.size), np.int32)
    larger[: array.size] = array
    return larger


@compiled(VOID, INT, INT, INT)
def assign(s, c, colour, reason):
    """Give open cell c its colour."""
    s.value[c] = colour
    s.level[c] = s.n_levels
    s.reason[c] = reason
    if colour == LAND:
        s.trail[s.n_trail] = 2 * c + 1
        s.n_land += 1
    else:
        s.trail[s.n_trail] = 2 * c
    s.n_trail += 1


@compiled(VOID)
def begin_reason(s):
    """Begin the reason of what is implied next, or of a conflict."""
    for i in range(s.n_because):
        s.because_mark[s.because[i]] = 0
    s.n_because = 0


@compiled(VOID, INT)
def add_reason(s, c):
    """Add the present value of cell c to the reason; facts of level 0 need no mention."""
    if s.level[c] > 0 and s.because_mark[c] == 0:
        s.because_mark[c] = 1
        s.because[s.n_because] = c
        s.n_because += 1


@compiled(BOOL, INT, INT)
def imply(s, c, colour):
    """The reason built implies that cell c has that colour; False if it has the other, and then it is a conflict."""
    if s.value[c] == colour:
        return True
    if s.value[c] != OPEN:
        add_reason(s, c)
        return False
    if s.n_levels == 0:
        assign(s, c, colour, NONE)
        return True
    begin, n = s.n_reasons, s.n_because
    s.reason_cells = grown(s.reason_cells, begin + n + 1)
    reason_cells, because = s.reason_cells, s.because
    reason_cells[begin] = n
    for i in range(n):
        reason_cells[begin + 1 + i] = because[i]
    s.n_reasons = begin + n + 1
    assign(s, c, colour, 4 * begin + BY_CELLS)
    return True


@compiled(VOID)
def new_level(s):
    """Begin a level; the propagators are at a fixpoint, so nothing is stale."""
    level = s.n_levels
    s.level_trail[level] = s.n_trail
    s.level_reasons[level] = s.n_reasons
    s.level_merges[level] = s.n_merges
    s.level_losses[level] = s.n_losses
    s.level_joins[level] = s.n_joins
    s.n_levels = level + 1


@compiled(VOID, INT)
def jump_back(s, level):
    """Undo all that happened above `level`. The board was at a fixpoint there, so nothing is stale after it."""
    if s.n_levels <= level:
        return
    value, phase, trail = s.value, s.phase, s.trail
    begin, end = s.level_trail[level], s.n_trail
    for i in range(begin, end):
        c = trail[i] >> 1
        phase[c] = value[c]
        value[c] = OPEN
        s.n_land -= trail[i] & 1
    s.n_trail = s.n_done = begin
    s.n_reasons = s.level_reasons[level]

    leader, ring, size, merges = s.leader, s.ring, s.size, s.merges
    while s.n_merges > s.level_merges[level]:
        s.n_merges -= 1
        a, b = merges[3 * s.n_merges], merges[3 * s.n_merges + 1]
        s.clue[a] = merges[3 * s.n_merges + 2]
        size[a] -= size[b]
        ring[a], ring[b] = ring[b], ring[a]
        c = b
        while True:
            leader[c] = b
            c = ring[c]
            if c == b:
                break

    cluster, cluster_ring, joins = s.cluster, s.cluster_ring, s.joins
    while s.n_joins > s.level_joins[level]:
        s.n_joins -= 1
        a, b = joins[2 * s.n_joins], joins[2 * s.n_joins + 1]
        s.cluster_size[a] -= s.cluster_size[b]
        cluster_ring[a], cluster_ring[b] = cluster_ring[b], cluster_ring[a]
        c = b
        while True:
            cluster[c] = b
            c = cluster_ring[c]
            if c == b:
                break
    for i in range(begin, end):
        cluster[trail[i] >> 1] = NONE

    cover, losses, clue_word, clue_bit = s.cover, s.losses, s.clue_word, s.clue_bit
    while s.n_losses > s.level_losses[level]:
        s.n_losses -= 1
        c, k = losses[2 * s.n_losses], losses[2 * s.n_losses + 1]
        cover[c, clue_word[k]] |= clue_bit[k]

    s.n_levels = level
    s.n_changed_land = s.n_lost = s.n_fresh = s.n_new_sea = s.n_lone_sea = 0
    s.fresh_now += 1
    s.stale_sea = s.stale_land = False
    for w in range(s.n_words):
        s.stale_reach[w] = s.stale_bottlenecks[w] = 0
    for i in range(s.n_stale_sights):
        s.is_stale_sight[s.stale_sights[i]] = 0
    s.n_stale_sights = 0


# ---------------------------------------------------------------------------------------------------------------------
# Clauses


@compiled(VOID, INT)
def reserve_clause(s, length):
    """Make room for one more clause."""
    n = s.n_clauses
    s.literals = grown(s.literals, s.clause_start[n] + length)
    s.clause_start = grown(s.clause_start, n + 2)
    s.clause_distance = grown(s.clause_distance, n + 1)
    s.clause_used = grown(s.clause_used, n + 1)
    s.next_watch = grown(s.next_watch, 2 * n + 2)


@compiled(VOID, INT)
def watch(s, i):
    """Chain the watches of clause i."""
    for j in range(2):
        literal = s.literals[s.clause_start[i] + j]
        s.next_watch[2 * i + j] = s.first_watch[literal]
        s.first_watch[literal] = 2 * i + j


@compiled(INT, INT, INT)
def add_clause(s, length, distance):
    """Add the clause of the first `length` (two or more) literals of `learnt`; returns its number.

    `distance` is the number of levels in a learnt clause, 0 for one that stays for ever.
    """
    reserve_clause(s, length)
    i = s.n_clauses
    begin = s.clause_start[i]
    for j in range(length):
        s.literals[begin + j] = s.learnt[j]
    s.clause_start[i + 1] = begin + length
    s.clause_distance[i] = distance
    s.clause_used[i] = s.n_conflicts
    s.n_clauses = i + 1
    watch(s, i)
    return i


@compiled(BOOL, INT)
def follow_clauses(s, literal):
    """Unit propagation over the clauses that watch the opposite of `literal`, which became true."""
    false = literal ^ 1
    w = s.first_watch[false]
    if w < 0:
        return True
    value, literals, clause_start, first_watch, next_watch = (
        s.value, s.literals, s.clause_start, s.first_watch, s.next_watch,
    )  # fmt: skip
    before = -1  # the watch before w in the chain, -1 for its head
    while w >= 0:
        following = next_watch[w]
        i = w >> 1
        begin = clause_start[i]
        mine = begin + (w & 1)
        other = literals[begin + 1 - (w & 1)]
        other_value = -value[other >> 1] if other & 1 else value[other >> 1]
        if other_value == 1:
            before = w
            w = following
            continue
        moved = False
        for j in range(begin + 2, clause_start[i + 1]):
            candidate = literals[j]
            if (-value[candidate >> 1] if candidate & 1 else value[candidate >> 1]) != -1:
                literals[j] = false
                literals[mine] = candidate
                if before < 0:
                    first_watch[false] = following
                else:
                    next_watch[before] = following
                next_watch[w] = first_watch[candidate]
                first_watch[candidate] = w
                moved = True
                break
        if not moved:
            if other_value == -1:
                begin_reason(s)
                for j in range(begin, clause_start[i + 1]):
                    add_reason(s, literals[j] >> 1)
                return False
            assign(s, other >> 1, LAND if other & 1 else SEA, 4 * i + BY_CLAUSE)
            before = w
        w = following
    return True


@compiled(VOID)
def reduce_clauses(s):
    """Drop the worse half of the learnt clauses, and what level 0 satisfies. Only at level 0: no clause is a reason."""
    literals, clause_start, distance, used, value = (
        s.literals, s.clause_start, s.clause_distance, s.clause_used, s.value,
    )  # fmt: skip
    count = np.zeros(s.n_cells + 2, np.int32)
    n_learnt = 0
    for i in range(s.n_clauses):
        count[distance[i]] += 1
        n_learnt += 1 if distance[i] > 0 else 0
    kept, bound = 0, 2  # keep distances up to `bound`, as many as fit into half
    for d in range(1, s.n_cells + 1):
        kept += count[d]
        if d > 2 and kept > n_learnt // 2:
            break
        bound = d
    for literal in range(2 * s.n_cells):
        s.first_watch[literal] = -1
    n, end = 0, 0
    for i in range(s.n_clauses):
        begin, stop = clause_start[i], clause_start[i + 1]
        keep = distance[i] <= bound or (distance[i] == bound + 1 and used[i] >= s.last_reduction)
        for j in range(begin, stop):
            literal = literals[j]
            if value[literal >> 1] == (LAND if literal & 1 else SEA):
                keep = False
        if keep:
            clause_start[n] = end
            for j in range(begin, stop):
                literals[end] = literals[j]
                end += 1
            distance[n] = distance[i]
            used[n] = used[i]
            n += 1
    clause_start[n] = end
    s.n_clauses = n
    for i in range(n):
        watch(s, i)
    s.last_reduction = s.n_conflicts


# ---------------------------------------------------------------------------------------------------------------------
# Pools


@compiled(BOOL, INT)
def fill_pools(s, c):
    """Cell c became sea: the last open cell of each 2x2 block around it is land. Explained by the other three."""
    value, neighbour = s.value, s.neighbour
    for vertical in (UP, DOWN):
        a = neighbour[c, vertical]
        if value[a] < OPEN or value[a] == WALL:
            continue
        for horizontal in (LEFT, RIGHT):
            b = neighbour[c, horizontal]
            if value[b] < OPEN or value[b] == WALL:
                continue
            d = neighbour[a, horizontal]
            total = value[a] + value[b] + value[d]
            if total == 3 * SEA:
                begin_reason(s)
                add_reason(s, a)
                add_reason(s, b)
                add_reason(s, c)
                add_reason(s, d)
                return False
            if total == 2 * SEA:
                last = a if value[a] == OPEN else b if value[b] == OPEN else d
                first = min(min(a, b), min(c, d))
                assign(s, last, LAND, 4 * first + BY_POOL)
    return True


# ---------------------------------------------------------------------------------------------------------------------
# Land components


@compiled(VOID, INT, INT)
def add_link(s, start, goal):
    """Add to the reason a shortest path of land between two cells of land."""
    value, neighbour, queue, came, mark = s.value, s.neighbour, s.path_queue, s.path_from, s.path_mark
    s.mark_now += 1
    now = s.mark_now
    queue[0] = start
    mark[start] = now
    came[start] = NONE
    i, end = 0, 1
    while mark[goal] != now:
        c = queue[i]
        i += 1
        for j in range(4):
            d = neighbour[c, j]
            if value[d] == LAND and mark[d] != now:
                mark[d] = now
                came[d] = c
                queue[end] = d
                end += 1
    c = goal
    while c != NONE:
        add_reason(s, c)
        c = came[c]


@compiled(VOID, INT, INT)
def add_body(s, start, count):
    """Add to the reason `count` connected cells of land, grown from `start`, which may itself be open."""
    value, neighbour, queue, mark = s.value, s.neighbour, s.path_queue, s.path_mark
    s.mark_now += 1
    now = s.mark_now
    queue[0] = start
    mark[start] = now
    i, end = 0, 1
    while i < min(count, end):
        c = queue[i]
        i += 1
        if value[c] != OPEN:
            add_reason(s, c)
        for j in range(4):
            d = neighbour[c, j]
            if value[d] == LAND and mark[d] != now:
                mark[d] = now
                queue[end] = d
                end += 1


@compiled(BOOL, INT, INT)
def merge(s, a, b):
    """Merge the components led by a and b; two clues or too many cells are a conflict."""
    leader, ring, size, clue = s.leader, s.ring, s.size, s.clue
    if clue[a] >= 0 and clue[b] >= 0:
        begin_reason(s)
        add_link(s, s.clue_cell[clue[a]], s.clue_cell[clue[b]])
        return False
    if size[a] < size[b]:
        a, b = b, a
    k = max(clue[a], clue[b])
    if k >= 0:
        # cells that now belong to island k are barred to the others
        first = b if clue[a] >= 0 else a
        neighbour, cover, stale = s.neighbour, s.cover, s.stale_reach
        for w in range(s.n_words):
            bits = 0
            c = first
            while True:
                bits |= cover[c, w]
                for j in range(4):
                    bits |= cover[neighbour[c, j], w]
                c = ring[c]
                if c == first:
                    break
            stale[w] |= bits
        stale[s.clue_word[k]] |= s.clue_bit[k]
    c = b
    while True:
        leader[c] = a
        c = ring[c]
        if c == b:
            break
    ring[a], ring[b] = ring[b], ring[a]
    s.merges[3 * s.n_merges] = a
    s.merges[3 * s.n_merges + 1] = b
    s.merges[3 * s.n_merges + 2] = clue[a]
    s.n_merges += 1
    size[a] += size[b]
    clue[a] = k
    if k >= 0 and s.clue_size[k] > 0 and size[a] > s.clue_size[k]:
        begin_reason(s)
        add_body(s, s.clue_cell[k], s.clue_size[k] + 1)
        return False
    return True


@compiled(VOID, INT, INT)
def add_bodies(s, c, count):
    """Add to the reason `count` - 1 cells of land that open cell c would join to one island, the clue among them."""
    value, neighbour = s.value, s.neighbour
    for j in range(4):
        d = neighbour[c, j]
        if value[d] == LAND and s.clue[s.leader[d]] >= 0:
            add_link(s, d, s.clue_cell[s.clue[s.leader[d]]])
            break
    add_body(s, c, count)


@compiled(BOOL, INT)
def check_join(s, d):
    """Open cell d is sea if it would join two clues, or more cells than an island has. Explained by those cells."""
    value, neighbour, leader, size, clue = s.value, s.neighbour, s.leader, s.size, s.clue
    a0 = a1 = a2 = NONE  # leaders seen
    first = k = NONE
    total = 1
    for j in range(4):
        e = neighbour[d, j]
        if value[e] != LAND:
            continue
        a = leader[e]
        if a == a0 or a == a1 or a == a2:  # noqa: SIM109, faster than a tuple
            continue
        a0, a1, a2 = a, a0, a1
        total += size[a]
        if clue[a] >= 0:
            if k >= 0:
                begin_reason(s)
                add_link(s, first, s.clue_cell[k])
                add_link(s, e, s.clue_cell[clue[a]])
                return imply(s, d, SEA)
            first, k = e, clue[a]
    if k >= 0 and s.clue_size[k] > 0 and total > s.clue_size[k]:
        begin_reason(s)
        add_bodies(s, d, s.clue_size[k] + 1)
        return imply(s, d, SEA)
    return True


@compiled(BOOL)
def check_islands(s):
    """Look at the land components that grew or lost an open cell beside them.

    A full island gets sea around it (explained by its cells). A component that must still grow, for it has no clue or
    is too small, is a conflict when it is walled in, and takes its last way out; explained by its walls, and by one
    of its cells if it has no clue. Then the open cells beside it, see `check_join`.
    """
    value, neighbour, leader, ring, changed, mark = s.value, s.neighbour, s.leader, s.ring, s.changed_land, s.mark
    s.mark_now += 1
    now = s.mark_now
    while s.n_changed_land > 0:
        s.n_changed_land -= 1
        first = leader[changed[s.n_changed_land]]
        if mark[first] == now:
            continue
        mark[first] = now
        k, size = s.clue[first], s.size[first]
        wanted = s.clue_size[k] if k >= 0 else 0
        if wanted == size:
            begin_reason(s)
            add_body(s, s.clue_cell[k], size)
        exit_cell, n_exits = NONE, 0
        c = first
        while True:
            for j in range(4):
                d = neighbour[c, j]
                if value[d] == LAND and leader[d] != first:
                    n_exits = 2  # just implied, not yet merged
                if value[d] != OPEN:
                    continue
                if wanted == size:
                    if not imply(s, d, SEA):
                        return False
                elif d != exit_cell:
                    n_exits += 1
                    exit_cell = d
            c = ring[c]
            if c == first:
                break
        if wanted == size:
            continue
        if n_exits < 2 and (k < 0 or wanted > 0):
            begin_reason(s)
            if k < 0:
                add_reason(s, first)
            while True:
                for j in range(4):
                    if value[neighbour[c, j]] == SEA:
                        add_reason(s, neighbour[c, j])
                c = ring[c]
                if c == first:
                    break
            if n_exits == 0:
                return False
            if not imply(s, exit_cell, LAND):
                return False
        while True:
            for j in range(4):
                d = neighbour[c, j]
                if value[d] == OPEN and not check_join(s, d):
                    return False
            c = ring[c]
            if c == first:
                break
    return True


# ---------------------------------------------------------------------------------------------------------------------
# Reach of the islands


@compiled(INT, WORDS, INT)
def next_clue(s, bits, k):
    """The first clue of a bit set from clue k on; NONE if there is none."""
    while k < s.n_clues:
        rest = bits[s.clue_word[k]]
        if rest == 0:
            k = (s.clue_word[k] + 1) * WORD
        elif rest & s.clue_bit[k] != 0:
            return k
        else:
            k += 1
    return NONE


@compiled(INT, INT, INT)
def foreign(s, d, k):
    """A cell of another numbered island at d or beside it, which bars d to island k; NONE if there is none."""
    value, neighbour, leader, clue = s.value, s.neighbour, s.leader, s.clue
    if value[d] == LAND:
        owner = clue[leader[d]]
        if owner >= 0 and owner != k:
            return d
    for j in range(4):
        e = neighbour[d, j]
        if value[e] == LAND:
            owner = clue[leader[e]]
            if owner >= 0 and owner != k:
                return e
    return NONE


@compiled(INT, INT)
def start_flood(s, k):
    """Queue the cells of island k, marked, at depth 0; returns how many."""
    depth, queue, mark, ring = s.depth, s.queue, s.mark, s.ring
    s.mark_now += 1
    first = s.leader[s.clue_cell[k]]
    c, n = first, 0
    while True:
        mark[c] = s.mark_now
        depth[c] = 0
        queue[n] = c
        n += 1
        c = ring[c]
        if c == first:
            return n


@compiled(INT, INT)
def room_left(s, k):
    """How many cells island k may still take; the whole board if its size is unknown."""
    if s.clue_size[k] < 0:
        return s.n_cells
    return s.clue_size[k] - s.size[s.leader[s.clue_cell[k]]]


@compiled(INT, INT, INT)
def flood_reach(s, k, without):
    """Queue and mark the cells that island k can take without cell `without`; returns how many."""
    value, neighbour, depth, queue, mark, cover = s.value, s.neighbour, s.depth, s.queue, s.mark, s.cover
    room = room_left(s, k)
    end = start_flood(s, k)
    now, w, bit = s.mark_now, s.clue_word[k], s.clue_bit[k]
    i = 0
    while i < end:
        c = queue[i]
        i += 1
        if depth[c] >= room:
            break
        for j in range(4):
            d = neighbour[c, j]
            if mark[d] == now or value[d] > OPEN or cover[d, w] & bit == 0 or d == without or foreign(s, d, k) >= 0:
                continue
            mark[d] = now
            depth[d] = depth[c] + 1
            queue[end] = d
            end += 1
    return end


@compiled(BOOL, INT)
def belongs_to_one(s, c):
    """Exactly one island can take cell c."""
    found = False
    for w in range(s.n_words):
        bits = s.cover[c, w]
        if bits != 0:
            if found or bits & (bits - 1) != 0:
                return False
            found = True
    return found


@compiled(BOOL, INT)
def is_covered(s, c):
    """Some island can take cell c."""
    bits = 0
    for w in range(s.n_words):
        bits |= s.cover[c, w]
    return bits != 0


@compiled(VOID, INT, INT)
def add_room(s, k, without):
    """Add to the reason the walls around what island k can take, not passing cell `without`."""
    value, neighbour, depth, queue, mark = s.value, s.neighbour, s.depth, s.queue, s.mark
    room = room_left(s, k)
    end = start_flood(s, k)
    now = s.mark_now
    i = 0
    n_walls = 0
    while i < end:
        c = queue[i]
        i += 1
        if depth[c] >= room:
            break
        for j in range(4):
            d = neighbour[c, j]
            if mark[d] == now or value[d] == WALL or d == without:
                continue
            mark[d] = now
            owner = NONE if value[d] == SEA else foreign(s, d, k)
            if value[d] == SEA:
                add_reason(s, d)
            elif owner >= 0:
                s.wall[n_walls] = owner
                n_walls += 1
            else:
                depth[d] = depth[c] + 1
                queue[end] = d
                end += 1
    for i in range(n_walls):
        add_link(s, s.wall[i], s.clue_cell[s.clue[s.leader[s.wall[i]]]])


@compiled(VOID, INT, INT, INT)
def add_barrier(s, k, target, without):
    """Add to the reason why island k cannot take cell `target`, not passing cell `without`.

    A flood from the island meets walls (sea, and cells that other islands bar) and turns back where even the straight
    way to the target is too long; then a flood from the target through all that is no wall finds the walls that
    matter. Where a way was too long, the cells that the island has are part of the reason.
    """
    value, neighbour, depth, queue, mark, row, column = (
        s.value, s.neighbour, s.depth, s.queue, s.mark, s.row, s.column,
    )  # fmt: skip
    wall, wall_mark, wall_owner = s.wall, s.wall_mark, s.wall_owner
    room = room_left(s, k)
    body = start_flood(s, k)
    now = s.mark_now
    target_row, target_column = row[target], column[target]
    too_long = False
    i, end = 0, body
    while i < end:
        c = queue[i]
        i += 1
        for j in range(4):
            d = neighbour[c, j]
            if mark[d] == now or value[d] == WALL or d == without:
                continue
            if depth[c] + 1 + abs(row[d] - target_row) + abs(column[d] - target_column) > room:
                too_long = True
                continue
            mark[d] = now
            if value[d] == SEA:
                wall_mark[d] = now
                wall_owner[d] = d
                continue
            owner = foreign(s, d, k)
            if owner >= 0:
                wall_mark[d] = now
                wall_owner[d] = owner
                continue
            depth[d] = depth[c] + 1
            queue[end] = d
            end += 1
    if too_long:
        for i in range(body):
            add_reason(s, queue[i])
    n_walls = 0
    if wall_mark[target] == now:
        wall[0] = target
        n_walls = 1
    else:
        s.mark_now += 1
        back = s.mark_now
        queue[0] = target
        mark[target] = back
        depth[target] = 0
        i, end = 0, 1
        while i < end:
            c = queue[i]
            i += 1
            if depth[c] + 1 >= room:
                break
            for j in range(4):
                d = neighbour[c, j]
                if mark[d] == back or value[d] == WALL or d == without:
                    continue
                mark[d] = back
                if wall_mark[d] == now:
                    wall[n_walls] = d
                    n_walls += 1
                else:
                    depth[d] = depth[c] + 1
                    queue[end] = d
                    end += 1
    for i in range(n_walls):
        d = wall_owner[wall[i]]
        if value[d] == SEA:
            add_reason(s, d)
        else:
            add_link(s, d, s.clue_cell[s.clue[s.leader[d]]])


@compiled(BOOL, INT)
def add_pocket(s, target):
    """If sea walls off cell `target` with no numbered island beside it, add those walls to the reason: True."""
    value, neighbour, queue, mark = s.value, s.neighbour, s.queue, s.mark
    s.mark_now += 1
    now = s.mark_now
    queue[0] = target
    mark[target] = now
    i, end = 0, 1
    while i < end:
        c = queue[i]
        i += 1
        if value[c] == LAND and s.clue[s.leader[c]] >= 0:
            return False
        for j in range(4):
            d = neighbour[c, j]
            if mark[d] != now and value[d] <= OPEN:
                mark[d] = now
                queue[end] = d
                end += 1
    for i in range(end):
        for j in range(4):
            d = neighbour[queue[i], j]
            if value[d] == SEA:
                add_reason(s, d)
    return True


@compiled(VOID, INT, INT)
def add_unreached(s, c, but):
    """Add to the reason why no island can take cell c, island `but` aside."""
    if but == NONE and add_pocket(s, c):
        return
    k = next_clue(s, s.near[c], 0)
    while k != NONE:
        if k != but:
            add_barrier(s, k, c, NONE)
        k = next_clue(s, s.near[c], k + 1)


@compiled(BOOL)
def check_reach(s):
    """Flood anew what islands can take where that may have shrunk.

    An island with too little room is a conflict, explained by the walls around it; a cell that no island can take any
    more is sea, explained by a barrier for each island that could take it at the root.
    """
    value, mark, cover, root_start, root_cells = s.value, s.mark, s.cover, s.root_start, s.root_cells
    k = NONE
    while True:
        k = next_clue(s, s.stale_reach, k + 1)
        if k == NONE:
            break
        w, bit = s.clue_word[k], s.clue_bit[k]
        s.stale_reach[w] ^= bit
        s.stale_bottlenecks[w] |= bit
        reached = flood_reach(s, k, NONE)
        if reached < s.clue_size[k]:
            begin_reason(s)
            add_room(s, k, NONE)
            return False
        for i in range(root_start[k], root_start[k + 1]):
            c = root_cells[i]
            if cover[c, w] & bit == 0 or mark[c] == s.mark_now:
                continue
            cover[c, w] ^= bit
            s.losses[2 * s.n_losses] = c
            s.losses[2 * s.n_losses + 1] = k
            s.n_losses += 1
            if value[c] == LAND and belongs_to_one(s, c):
                for v in range(s.n_words):
                    s.stale_bottlenecks[v] |= cover[c, v]
            if value[c] != SEA and not is_covered(s, c):
                s.lost[s.n_lost] = c
                s.n_lost += 1
    while s.n_lost > 0:
        s.n_lost -= 1
        c = s.lost[s.n_lost]
        if value[c] != SEA:
            begin_reason(s)
            if s.n_levels > 0:
                add_unreached(s, c, NONE)
            if not imply(s, c, SEA):
                return False
    return True


@compiled(BOOL, INT)
def find_bottlenecks(s, k):
    """Put into `candidates` the open cells without which island k loses too much; False if there are none.

    An iterative depth-first search from the cells of the island, which count as one root, over its reach; `hanging` is
    the number of cells that fall off without a cell, `hanging_weight` that of cells among them that are land of this
    island alone.
    """
    value, neighbour, mark, cover, queue, stack = s.value, s.neighbour, s.mark, s.cover, s.queue, s.stack
    index, low, parent, below, weight, next_side = s.index, s.low, s.parent, s.below, s.weight, s.next_side
    hanging, hanging_weight, root_start, root_cells = s.hanging, s.hanging_weight, s.root_start, s.root_cells
    w, bit, wanted = s.clue_word[k], s.clue_bit[k], s.clue_size[k]
    body = start_flood(s, k)
    now = s.mark_now
    for i in range(body):
        index[queue[i]] = 0
    total = 0
    owns_land = False
    for i in range(root_start[k], root_start[k + 1]):
        c = root_cells[i]
        if cover[c, w] & bit != 0:
            total += 1
            weight[c] = 0
            if value[c] == LAND and mark[c] != now and belongs_to_one(s, c):
                weight[c] = 1
                owns_land = True
    s.n_candidates = 0
    if wanted < 0 and not owns_land:
        return False
    n_seen = 0
    for i in range(body):
        for j in range(4):
            root = neighbour[queue[i], j]
            if mark[root] == now or cover[root, w] & bit == 0:
                continue
            d, above, n_stack = root, NONE, 0
            while True:
                if d != NONE:
                    n_seen += 1
                    mark[d] = now
                    index[d] = low[d] = n_seen
                    next_side[d] = 0
                    parent[d] = above
                    below[d] = hanging[d] = 1
                    hanging_weight[d] = 0
                    stack[n_stack] = d
                    n_stack += 1
                    d = NONE
                if n_stack == 0:
                    break
                c = stack[n_stack - 1]
                if next_side[c] < 4:
                    e = neighbour[c, next_side[c]]
                    next_side[c] += 1
                    if cover[e, w] & bit == 0:
                        continue
                    if mark[e] != now:
                        d, above = e, c
                    elif index[e] < low[c] and e != parent[c]:
                        low[c] = index[e]
                    continue
                n_stack -= 1
                p = parent[c]
                if p != NONE:
                    low[p] = min(low[p], low[c])
                    below[p] += below[c]
                    weight[p] += weight[c]
                    if low[c] >= index[p]:
                        hanging[p] += below[c]
                        hanging_weight[p] += weight[c]
                if value[c] == OPEN and (hanging_weight[c] > 0 or total - hanging[c] < wanted):
                    s.candidates[s.n_candidates] = c
                    s.n_candidates += 1
    return s.n_candidates > 0


@compiled(VOID, INT, INT)
def explain_bottleneck(s, k, c):
    """Add to the reason why island k loses too much without open cell c."""
    if flood_reach(s, k, c) < s.clue_size[k]:
        add_room(s, k, c)
        return
    w, bit = s.clue_word[k], s.clue_bit[k]
    for i in range(s.root_start[k], s.root_start[k + 1]):
        x = s.root_cells[i]
        if s.value[x] == LAND and s.cover[x, w] & bit != 0 and s.mark[x] != s.mark_now and belongs_to_one(s, x):
            add_reason(s, x)
            add_unreached(s, x, k)
            add_barrier(s, k, x, c)
            return


@compiled(BOOL)
def check_bottlenecks(s):
    """The open cells without which an island loses too much are land.

    A depth-first search from the island over its reach finds the articulation cells. Behind such a cell lie so many
    cells that the island has too little room without it (explained by the walls of the rest), or land that belongs to
    this island alone (explained by that cell of land, why no other island can take it, and the barrier to it).
    """
    k = NONE
    while True:
        k = next_clue(s, s.stale_bottlenecks, k + 1)
        if k == NONE:
            break
        s.stale_bottlenecks[s.clue_word[k]] ^= s.clue_bit[k]
        if room_left(s, k) == 0 or not find_bottlenecks(s, k):
            continue
        n = s.n_candidates
        for i in range(n):
            c = s.candidates[i]
            if s.value[c] != OPEN:
                continue
            begin_reason(s)
            if s.n_levels > 0:
                explain_bottleneck(s, k, c)
            if not imply(s, c, LAND):
                return False
        if s.n_done < s.n_trail:
            return True
    return True


# ---------------------------------------------------------------------------------------------------------------------
# Connection


@compiled(VOID, INT, INT, INT, INT)
def add_cut(s, colour, begin, end, cut):
    """Add to the reason the cells that separate `order[begin:end]` from `order[0]`, `cut` aside.

    Of the cells beside that set, only those that a flood from the other side through everything else touches: a
    minimal separator, without the islands that lie inside.
    """
    value, neighbour, queue, order, mark = s.value, s.neighbour, s.queue, s.order, s.mark
    s.mark_now += 2
    now = s.mark_now
    beside = now - 1
    if cut != NONE:
        mark[cut] = now
    for i in range(begin, end):
        for j in range(4):
            d = neighbour[order[i], j]
            if value[d] == -colour:
                mark[d] = beside
    queue[0] = order[0]
    mark[order[0]] = now
    i, n = 0, 1
    while i < n:
        c = queue[i]
        i += 1
        for j in range(4):
            d = neighbour[c, j]
            if mark[d] == now or value[d] == WALL:
                continue
            if mark[d] == beside:
                add_reason(s, d)
            else:
                queue[n] = d
                n += 1
            mark[d] = now


@compiled(INT, INT, INT, INT)
def earliest(s, colour, begin, end):
    """The cell of `order[begin:end]` that got that colour on the lowest level; NONE if none has it."""
    best = NONE
    for i in range(begin, end):
        c = s.order[i]
        if s.value[c] == colour and (best == NONE or s.level[c] < s.level[best]):
            best = c
    return best


@compiled(BOOL, INT)
def check_connected(s, colour):
    """All cells of a colour are one component.

    A depth-first search from one of them over all cells that have or may have the colour finds articulation cells:
    such a cell with the colour on both sides has it too; explained by a cell on each side and by the separator. A
    cell of the colour that the search does not meet is a conflict, open cells that it does not meet have the other
    colour; explained alike.
    """
    value, neighbour, mark, stack, order = s.value, s.neighbour, s.mark, s.stack, s.order
    index, low, parent, below, weight, next_side = s.index, s.low, s.parent, s.below, s.weight, s.next_side
    candidates, trail = s.candidates, s.trail
    root = NONE
    for i in range(s.n_trail):
        if value[trail[i] >> 1] == colour:
            root = trail[i] >> 1
            break
    if root == NONE:
        return True
    s.mark_now += 1
    now = s.mark_now
    n, n_stack, n_candidates = 1, 1, 0
    stack[0] = order[0] = root
    mark[root] = now
    index[root] = low[root] = 0
    next_side[root] = 0
    parent[root] = NONE
    below[root] = 1
    weight[root] = 1
    while n_stack > 0:
        c = stack[n_stack - 1]
        if next_side[c] < 4:
            d = neighbour[c, next_side[c]]
            next_side[c] += 1
            if value[d] == -colour or value[d] == WALL:
                continue
            if mark[d] != now:
                mark[d] = now
                index[d] = low[d] = n
                order[n] = d
                n += 1
                next_side[d] = 0
                parent[d] = c
                below[d] = 1
                weight[d] = 1 if value[d] == colour else 0
                stack[n_stack] = d
                n_stack += 1
            elif index[d] < low[c] and d != parent[c]:
                low[c] = index[d]
            continue
        n_stack -= 1
        p = parent[c]
        if p != NONE:
            low[p] = min(low[p], low[c])
            below[p] += below[c]
            weight[p] += weight[c]
            if value[p] == OPEN and low[c] >= index[p] and weight[c] > 0:
                candidates[n_candidates] = c
                n_candidates += 1
    for i in range(n_candidates):
        c = candidates[i]
        p = parent[c]
        if value[p] == OPEN:
            begin_reason(s)
            if s.n_levels > 0:
                begin, end = index[c], index[c] + below[c]
                add_reason(s, root)
                add_reason(s, earliest(s, colour, begin, end))
                add_cut(s, colour, begin, end, p)
            if not imply(s, p, colour):
                return False
    n_possible = s.n_cells - (s.n_land if colour == SEA else s.n_trail - s.n_land)
    if n == n_possible or s.n_done < s.n_trail:
        return True
    for start in range(s.n_cells):
        if value[start] == -colour or mark[start] == now:
            continue
        # the pocket around `start`, kept behind the cells of the search in `order`
        begin = end = n
        order[end] = start
        end += 1
        mark[start] = now
        i = begin
        while i < end:
            c = order[i]
            i += 1
            for j in range(4):
                d = neighbour[c, j]
                if mark[d] != now and value[d] != -colour and value[d] != WALL:
                    mark[d] = now
                    order[end] = d
                    end += 1
        begin_reason(s)
        add_reason(s, root)
        add_cut(s, colour, begin, end, NONE)
        inside = earliest(s, colour, begin, end)
        if inside != NONE:
            add_reason(s, inside)
            return False
        for i in range(begin, end):
            imply(s, order[i], -colour)
        break
    return True


# ---------------------------------------------------------------------------------------------------------------------
# Connection of the sea, seen from its banks: what most changes need


@compiled(BOOL, INT)
def closes(s, x):
    """Two of the stretches of land around cell x belong to one cluster, so that x and the cluster close a ring.

    Stretches are apart where one of the four neighbours between them is not land. Every articulation cell of what is
    not land closes a ring.
    """
    around, cluster = s.around, s.cluster
    start = NONE
    for i in range(0, 8, 2):
        if cluster[around[x, i]] < 0:
            start = i
    if start == NONE:
        return False
    a = b = c = current = NONE  # clusters of the stretches so far, there are at most four; that of the current one
    for i in range(start, start + 8):
        k = cluster[around[x, i & 7]]
        if k < 0:
            if i & 1 == 0:
                current = NONE
        elif current == NONE:
            if k == a or k == b or k == c:  # noqa: SIM109
                return True
            a, b, c = k, a, b
            current = k
    return False


@compiled(INT, INT, INT)
def nearest_sea(s, start, without):
    """A cell of sea that a flood from `start`, not through `without`, finds first; NONE if it finds none.

    The cells that it met are in `queue` then. If land that is not propagated yet stood in its way, the full search
    must look later.
    """
    value, neighbour, queue, mark, cluster = s.value, s.neighbour, s.queue, s.mark, s.cluster
    if value[start] == SEA:
        return start
    s.mark_now += 1
    now = s.mark_now
    queue[0] = start
    mark[start] = mark[without] = now
    i, end = 0, 1
    pending = value[start] == LAND
    while i < end:
        c = queue[i]
        i += 1
        for j in range(4):
            d = neighbour[c, j]
            if mark[d] == now or value[d] == WALL:
                continue
            if value[d] == SEA:
                return d
            if value[d] == LAND:
                pending = pending or cluster[d] == NONE
                continue
            mark[d] = now
            queue[end] = d
            end += 1
    s.n_queue = end
    s.stale_sea = s.stale_sea or pending
    return NONE


@compiled(VOID, INT, INT, INT)
def add_bank(s, x, first, second):
    """Add to the reason a way over land and corners between two stretches of land around x, with few cells.

    Cells of level 0 and the wall around the board cost nothing.
    """
    cluster, level, around, sector_at = s.cluster, s.level, s.around, s.sector_at
    mark, came, here, there = s.path_mark, s.path_from, s.path_queue, s.stack
    s.mark_now += 2
    now = s.mark_now
    goal = now - 1
    edge = s.n_cells
    mark[x] = now
    n_here = n_there = 0
    for i in range(8):
        e = around[x, i]
        if sector_at[i] == second and mark[e] != now:
            mark[e] = goal
    for i in range(8):
        e = around[x, i]
        if sector_at[i] == first and mark[e] != now:
            came[e] = NONE
            if mark[e] == goal:  # only the wall around the board is in both
                return
            mark[e] = now
            if e == edge or level[e] == 0:
                here[n_here] = e
                n_here += 1
            else:
                there[n_there] = e
                n_there += 1
    end = NONE
    i = 0
    while end == NONE:
        if i == n_here:
            here, there, n_here, n_there, i = there, here, n_there, 0, 0
        c = here[i]
        i += 1
        steps = s.n_rim if c == edge else 8
        for j in range(steps):
            d = s.rim[j] if c == edge else around[c, j]
            if mark[d] == now or cluster[d] < 0:  # only what is joined: the ring must be the one that was seen
                continue
            came[d] = c
            if mark[d] == goal:
                end = d
                break
            mark[d] = now
            if d == edge or level[d] == 0:
                here[n_here] = d
                n_here += 1
            else:
                there[n_there] = d
                n_there += 1
    while end != NONE:
        if end != edge:
            add_reason(s, end)
        end = came[end]


@compiled(BOOL, INT)
def part_seas(s, x):
    """Cell x closes a ring, and is open or just became land: what follows; False at a conflict.

    With sea on both sides of the ring x is sea; explained by a cell of sea on each side and the ring. If x is land,
    that is a conflict, and where sea is on one side alone, the other side is a pocket of land.
    """
    around, cluster, sector_at, sector, arc, arc_sea = s.around, s.cluster, s.sector_at, s.sector, s.arc, s.arc_sea
    start = NONE
    for i in range(0, 8, 2):
        if cluster[around[x, i]] < 0:
            start = i
    # stretches of land and arcs of other cells take turns: arc 0, stretch 0, arc 1, ...
    n = 0
    in_sector = False
    arc[0] = around[x, start]
    for i in range(start, start + 8):
        e = around[x, i & 7]
        sector_at[i & 7] = NONE
        if cluster[e] >= 0:
            if not in_sector:
                sector[n] = cluster[e]
                n += 1
                in_sector = True
            sector_at[i & 7] = n - 1
        elif i & 1 == 0:
            if in_sector:
                arc[n] = e
            in_sector = False
    for i in range(n):
        arc_sea[i] = UNKNOWN
    for i in range(n):
        for j in range(i + 1, n):
            # arcs i and j are parted by a cluster that has a stretch between them on either way round
            first = second = NONE
            for p in range(i, j):
                for q in range(n):
                    if (q < i or q >= j) and sector[p] == sector[q]:
                        first, second = p, q
            if first == NONE:
                continue
            for k in (i, j):
                if arc_sea[k] == UNKNOWN:
                    arc_sea[k] = nearest_sea(s, arc[k], x)
            here, there = arc_sea[i], arc_sea[j]
            if here < 0 and there < 0:
                s.stale_sea = s.stale_sea or s.value[x] == LAND  # a pocket, but on which side?
                continue
            if s.value[x] == OPEN and (here < 0 or there < 0):
                continue
            begin_reason(s)
            if s.n_levels > 0:
                add_bank(s, x, first, second)
                for a in (here, there):
                    if a >= 0:
                        add_reason(s, a)
            if here >= 0 and there >= 0:
                return imply(s, x, SEA)
            add_reason(s, x)
            pocket = arc[j] if here >= 0 else arc[i]
            if s.value[pocket] == OPEN:
                nearest_sea(s, pocket, x)
                for k in range(s.n_queue):
                    if not imply(s, s.queue[k], LAND):
                        return False
    return True


@compiled(BOOL, INT)
def join_cluster(s, c):
    """Cell c became land: join the clusters around it; False at a conflict."""
    if closes(s, c) and not part_seas(s, c):
        return False
    cluster, ring, size, joins, around = s.cluster, s.cluster_ring, s.cluster_size, s.joins, s.around
    fresh, fresh_mark, now = s.fresh, s.fresh_mark, s.fresh_now
    cluster[c] = c
    fresh_mark[c] = now
    fresh[s.n_fresh] = c
    s.n_fresh += 1
    for i in range(8):
        a, b = cluster[c], cluster[around[c, i]]
        if b < 0 or a == b:
            continue
        if size[a] < size[b]:
            a, b = b, a
        d = b
        while True:
            cluster[d] = a
            if fresh_mark[d] != now:
                fresh_mark[d] = now
                fresh[s.n_fresh] = d
                s.n_fresh += 1
            d = ring[d]
            if d == b:
                break
        ring[a], ring[b] = ring[b], ring[a]
        size[a] += size[b]
        joins[2 * s.n_joins] = a
        joins[2 * s.n_joins + 1] = b
        s.n_joins += 1
    return True


@compiled(VOID)
def look_at_clusters(s):
    """Look at the open cells around land that joined another cluster."""
    value, around, fresh, tested = s.value, s.around, s.fresh, s.tested
    s.mark_now += 1
    now = s.mark_now
    for i in range(s.n_fresh):
        for j in range(8):
            x = around[fresh[i], j]
            if value[x] == OPEN and tested[x] != now:
                tested[x] = now
                if closes(s, x):
                    part_seas(s, x)
    s.n_fresh = 0
    s.fresh_now += 1


@compiled(VOID)
def look_at_new_sea(s):
    """New sea without sea beside it: look at the cells that may part it from the old sea.

    A flood takes it there, through all but the open cells that close a ring; those it looks at, and goes on through
    the ones that are sea by it. If it does not find old sea, the full search must look.
    """
    neighbour, value, cluster, order, tested = s.neighbour, s.value, s.cluster, s.order, s.tested
    for k in range(s.n_lone_sea):
        if s.stale_sea:
            break
        s.mark_now += 1
        now = s.mark_now
        order[0] = s.lone_sea[k]
        tested[order[0]] = now
        i, end = 0, 1
        found = False
        while i < end and not found:
            c = order[i]
            i += 1
            for j in range(4):
                d = neighbour[c, j]
                if tested[d] == now or value[d] == LAND or value[d] == WALL:
                    continue
                tested[d] = now
                if cluster[d] == OLD_SEA:
                    found = True
                    break
                if value[d] == OPEN and closes(s, d):
                    part_seas(s, d)
                    if value[d] == OPEN:
                        continue
                order[end] = d
                end += 1
        if found:
            cluster[s.lone_sea[k]] = OLD_SEA
        else:
            s.stale_sea = True
    for k in range(s.n_new_sea):
        cluster[s.new_sea[k]] = OLD_SEA
    s.n_new_sea = s.n_lone_sea = 0


# ---------------------------------------------------------------------------------------------------------------------
# Sight: in a set of a direction, bit t says that the clue may see t cells there, its own not counted


@compiled(VOID, INT)
def note_sights(s, c):
    """Cell c was decided: the clues that may see it must be looked at again."""
    value, neighbour, sight_at = s.value, s.neighbour, s.sight_at
    for side in range(4):
        d = neighbour[c, side]
        while value[d] <= OPEN:
            k = sight_at[d]
            if k != NONE and s.is_stale_sight[k] == 0:
                s.is_stale_sight[k] = 1
                s.stale_sights[s.n_stale_sights] = k
                s.n_stale_sights += 1
            d = neighbour[d, side]


@free(INT, INT, INT, INT)
def sums(a, b, most):
    """The set of the sums up to `most` of a number of set a and one of set b."""
    full = (2 << most) - 1
    found = t = 0
    while a >> t != 0:
        if a >> t & 1 != 0:
            found |= (b & (full >> t)) << t
        t += 1
    return found


@compiled(BOOL, INT)
def fits(s, wanted):
    """Some numbers of the four sets `tried` add up to `wanted`."""
    tried = s.tried
    return sums(sums(tried[0], tried[1], wanted), sums(tried[2], tried[3], wanted), wanted) >> wanted != 0


@compiled(VOID, INT, INT, INT)
def add_sight(s, k, assumed_side, assumed):
    """Add to the reason cells because of which clue k does not fit; `assumed` restricts the set of a side.

    Land at place p of a direction takes p - 1 out of its set, the first sea there all from p on. What fits no better
    without a cell does not need it.
    """
    value, level, neighbour, may, tried = s.value, s.level, s.neighbour, s.may, s.tried
    wanted = s.sight_number[k] - 1
    tried[:] = may
    tried[assumed_side] &= assumed
    for side in range(4):
        allowed = s.in_view[k, side]
        if side == assumed_side:
            allowed &= assumed
        d, bit = neighbour[s.sight_cell[k], side], 1
        for _ in range(wanted + 1):
            if value[d] == WALL:
                break
            if value[d] != OPEN and level[d] > 0:
                before = tried[side]
                without = bit if value[d] == LAND else -2 * bit
                tried[side] = before | (without & allowed)
                if tried[side] != before and fits(s, wanted):
                    tried[side] = before
                    add_reason(s, d)
            if value[d] == SEA:
                break
            d = neighbour[d, side]
            bit *= 2


@compiled(BOOL, INT)
def look_far(s, k):
    """A clue whose sets do not fit into a word: a conflict where it sees too many cells or too few, and no more."""
    value, neighbour = s.value, s.neighbour
    for colour in (LAND, SEA):
        seen = 1  # land that it sees; then what it can see
        begin_reason(s)
        for side in range(4):
            d = neighbour[s.sight_cell[k], side]
            while value[d] == LAND or (value[d] == OPEN and colour == SEA):
                if colour == LAND:
                    add_reason(s, d)
                seen += 1
                d = neighbour[d, side]
            if colour == SEA and value[d] == SEA:
                add_reason(s, d)
        if (colour == LAND and seen > s.sight_number[k]) or (colour == SEA and seen < s.sight_number[k]):
            return False
    return True


@compiled(BOOL, INT)
def look_around(s, k):
    """What clue k sees in any case is land, and where it sees a known number of cells the next is sea."""
    value, neighbour, may = s.value, s.neighbour, s.may
    wanted, cell = s.sight_number[k] - 1, s.sight_cell[k]
    if s.sight_number[k] < 0:
        return True
    if wanted >= WORD:
        return look_far(s, k)
    for side in range(4):
        d, bit, numbers = neighbour[cell, side], 1, s.in_view[k, side]
        for _ in range(wanted + 1):
            if value[d] == WALL:
                break
            if value[d] == LAND:
                numbers &= ~bit
            elif value[d] == SEA:
                numbers &= 2 * bit - 1
                break
            d = neighbour[d, side]
            bit *= 2
        may[side] = numbers
    one, other = sums(may[0], may[1], wanted), sums(may[2], may[3], wanted)
    for side in range(4):
        rest = sums(may[side ^ 1], other if side < 2 else one, wanted)
        least = most = NONE
        for t in range(wanted + 1):
            if may[side] >> t & 1 != 0 and rest >> (wanted - t) & 1 != 0:
                most = t
                if least == NONE:
                    least = t
        if least == NONE:
            begin_reason(s)
            add_sight(s, k, side, -1)
            return False
        d = neighbour[cell, side]
        for place in range(1, least + 1):
            if value[d] == OPEN:
                begin_reason(s)
                if s.n_levels > 0:
                    add_sight(s, k, side, (1 << place) - 1)
                if not imply(s, d, LAND):
                    return False
            d = neighbour[d, side]
        if least == most and value[d] == OPEN:
            begin_reason(s)
            if s.n_levels > 0:
                add_sight(s, k, side, ~(1 << least))
            if not imply(s, d, SEA):
                return False
    return True


@compiled(BOOL)
def check_sights(s):
    """Look at the clues of sight that may see a cell that was decided."""
    while s.n_stale_sights > 0:
        s.n_stale_sights -= 1
        k = s.stale_sights[s.n_stale_sights]
        s.is_stale_sight[k] = 0
        if not look_around(s, k):
            return False
    return True


# ---------------------------------------------------------------------------------------------------------------------
# The search


@compiled(BOOL, INT)
def note(s, c):
    """Cell c was decided: what must be looked at again; False at a conflict."""
    value, neighbour, cluster = s.value, s.neighbour, s.cluster
    if s.n_sights > 0:
        note_sights(s, c)
    joined = False  # beside a propagated cell of its colour: then it changes nothing for the connection of that colour
    if value[c] == SEA:
        for j in range(4):
            d = neighbour[c, j]
            if cluster[d] <= NEW_SEA:
                joined = True
            elif value[d] == LAND:
                s.changed_land[s.n_changed_land] = d
                s.n_changed_land += 1
        cluster[c] = NEW_SEA
        s.new_sea[s.n_new_sea] = c
        s.n_new_sea += 1
        if not joined:
            s.lone_sea[s.n_lone_sea] = c
            s.n_lone_sea += 1
        s.stale_land = True
        for w in range(s.n_words):
            s.stale_reach[w] |= s.cover[c, w]
    else:
        for j in range(4):
            d = neighbour[c, j]
            if cluster[d] >= 0 and value[d] == LAND:
                joined = True
        if not joined:
            s.stale_land = True
        s.changed_land[s.n_changed_land] = c
        s.n_changed_land += 1
        if belongs_to_one(s, c):
            for w in range(s.n_words):
                s.stale_bottlenecks[w] |= s.cover[c, w]
        if s.sea_connected:
            return join_cluster(s, c)
        cluster[c] = c
    return True


@compiled(BOOL)
def propagate(s):
    """Run all propagators to a fixpoint, the cheap ones first; False at a conflict, whose cells are in `because`."""
    while True:
        while s.n_done < s.n_trail:
            literal = s.trail[s.n_done]
            s.n_done += 1
            c = literal >> 1
            if not follow_clauses(s, literal):
                return False
            if s.no_pool and literal & 1 == 0 and not fill_pools(s, c):
                return False
            if s.has_islands and literal & 1 == 1:
                for j in range(4):
                    d = s.neighbour[c, j]
                    if s.value[d] == LAND and s.leader[d] != s.leader[c] and not merge(s, s.leader[c], s.leader[d]):
                        return False
            if not note(s, c):
                return False
        if s.has_islands:
            if not check_islands(s):
                return False
            if s.n_done < s.n_trail:
                continue
        if s.n_sights > 0:
            if not check_sights(s):
                return False
            if s.n_done < s.n_trail:
                continue
        if s.sea_connected:
            look_at_clusters(s)
            if s.n_done < s.n_trail:
                continue
            look_at_new_sea(s)
            if s.n_done < s.n_trail:
                continue
        if s.stale_sea:
            if not check_connected(s, SEA):
                return False
            if s.n_done < s.n_trail:
                continue
            s.stale_sea = False
        if s.land_connected and s.stale_land:
            if not check_connected(s, LAND):
                return False
            if s.n_done < s.n_trail:
                continue
            s.stale_land = False
        if s.reach_known:
            if not check_reach(s):
                return False
            if s.n_done < s.n_trail:
                continue
            if not check_bottlenecks(s):
                return False
        if s.n_done == s.n_trail:
            return True


@compiled(VOID, INT)
def open_reason(s, c):
    """Put the cells that explain implied cell c into the reason under construction, which is emptied first."""
    begin_reason(s)
    reason = s.reason[c]
    if reason < 0:
        return
    kind, place = reason & 3, reason >> 2
    if kind == BY_CELLS:
        for i in range(place + 1, place + 1 + s.reason_cells[place]):
            add_reason(s, s.reason_cells[i])
    elif kind == BY_CLAUSE:
        s.clause_used[place] = s.n_conflicts
        for i in range(s.clause_start[place], s.clause_start[place + 1]):
            add_reason(s, s.literals[i] >> 1)
    else:
        right, down = s.neighbour[place, RIGHT], s.neighbour[place, DOWN]
        add_reason(s, place)
        add_reason(s, right)
        add_reason(s, down)
        add_reason(s, s.neighbour[down, RIGHT])


@compiled(INT, INT)
def false_literal(s, c):
    """The literal of decided cell c that is false."""
    return 2 * c + 1 if s.value[c] == SEA else 2 * c


@compiled(VOID, INT, INT)
def assert_clause(s, length, distance):
    """Add the clause in `learnt`, whose first literal alone is open, and make that true."""
    reason = NONE
    if length > 1:
        reason = 4 * add_clause(s, length, distance) + BY_CLAUSE
    assign(s, s.learnt[0] >> 1, LAND if s.learnt[0] & 1 else SEA, reason)


@compiled(BOOL, INT)
def is_redundant(s, c):
    """The cells that are seen imply the value of cell c (Sörensson & Biere 2009): follow the reasons back to them.

    A way back that meets a decision, or a level that the clause does not have, ends it.
    """
    because, reason, level, seen, touched, stack = s.because, s.reason, s.level, s.seen, s.touched, s.stack
    known = s.n_touched
    stack[0] = c
    n = 1
    while n > 0:
        n -= 1
        x = stack[n]
        open_reason(s, x)
        for i in range(s.n_because):
            d = because[i]
            if d == x or seen[d] != 0:
                continue
            if reason[d] < 0 or s.level_mark[level[d]] != s.mark_now:
                for j in range(known, s.n_touched):
                    seen[touched[j]] = 0
                s.n_touched = known
                return False
            seen[d] = 1
            touched[s.n_touched] = d
            s.n_touched += 1
            stack[n] = d
            n += 1
    return True


@compiled(BOOL)
def learn(s):
    """Learn from the conflict in `because`, jump back and assert; False if it holds at level 0.

    The clause is that of the first unique implication point, without the literals that the others imply.
    """
    because, level, seen, touched, learnt, trail, reason = (
        s.because, s.level, s.seen, s.touched, s.learnt, s.trail, s.reason,
    )  # fmt: skip
    activity = s.activity
    top = 0
    for i in range(s.n_because):
        top = max(top, level[because[i]])
    if top == 0:
        return False
    s.n_conflicts += 1
    position = s.n_trail - 1
    length, n_touched, n_open = 1, 0, 0  # learnt[0] is for the implication point
    while True:
        for i in range(s.n_because):
            c = because[i]
            if seen[c] == 0:
                seen[c] = 1
                touched[n_touched] = c
                n_touched += 1
                activity[c] += s.step
                if level[c] == top:
                    n_open += 1
                else:
                    learnt[length] = c
                    length += 1
        while seen[trail[position] >> 1] == 0:
            position -= 1
        point = trail[position] >> 1
        position -= 1
        n_open -= 1
        if n_open == 0:
            break
        open_reason(s, point)
    learnt[0] = point

    s.n_touched = n_touched
    s.mark_now += 1
    for i in range(1, length):
        s.level_mark[level[learnt[i]]] = s.mark_now
    n = 1
    for i in range(1, length):
        c = learnt[i]
        if reason[c] < 0 or not is_redundant(s, c):
            learnt[n] = c
            n += 1
    length = n
    n_touched = s.n_touched
    for i in range(n_touched):
        seen[touched[i]] = 0
    begin_reason(s)

    back, second, distance = 0, 1, 1
    s.mark_now += 1
    for i in range(1, length):
        if level[learnt[i]] > back:
            back, second = level[learnt[i]], i
        if s.level_mark[level[learnt[i]]] != s.mark_now:
            s.level_mark[level[learnt[i]]] = s.mark_now
            distance += 1
    learnt[1], learnt[second] = learnt[second], learnt[1]
    for i in range(length):
        learnt[i] = false_literal(s, learnt[i])
    if length > 1 and top - 1 - back > FAR:
        back = top - 1  # chronologically (Nadel & Ryvchin 2018); the literal follows there too
    jump_back(s, back)
    s.n_learnt += 1
    assert_clause(s, length, distance)

    s.step /= DECAY
    if s.step > 1e100:
        s.step *= 1e-100
        for c in range(s.n_cells):
            activity[c] *= 1e-100
    return True


@free(INT, INT)
def luby(i):
    """Member i of the sequence 1 1 2 1 1 2 4 1 1 2 ..., counted from 1."""
    while True:
        k = 1
        while (1 << k) - 1 < i:
            k += 1
        if (1 << k) - 1 == i:
            return 1 << (k - 1)
        i -= (1 << (k - 1)) - 1


@compiled(VOID)
def clear_marks(s):
    """Begin the marks anew before their numbers outgrow their arrays."""
    s.mark[:] = 0
    s.tested[:] = 0
    s.wall_mark[:] = 0
    s.path_mark[:] = 0
    s.level_mark[:] = 0
    s.fresh_mark[:] = 0
    s.mark_now, s.fresh_now = 0, 1


@compiled(VOID)
def decide(s):
    """Begin a level with the most active open cell, at the value that it had last."""
    value, activity = s.value, s.activity
    best, most = NONE, -1e9
    for c in range(s.n_cells):
        if value[c] == OPEN and activity[c] > most:
            best, most = c, activity[c]
    s.n_decisions += 1
    new_level(s)
    assign(s, best, s.phase[best], NONE)


@compiled(BOOL)
def block_solution(s):
    """Rule out what follows from the present decisions, and go on from the last of them; False if there are none."""
    n = s.n_levels
    if n == 0:
        return False
    for level in range(n):
        s.learnt[n - 1 - level] = s.trail[s.level_trail[level]] ^ 1
    jump_back(s, n - 1)
    assert_clause(s, n, 0)
    return True


@entry(INT, INT)
def run(s, budget):
    """Search on; SOLUTION (in `solution`; call again for the next), FINISHED, or PAUSED after `budget` steps."""
    steps = 0
    while not s.contradiction:
        steps += 1
        if steps > budget:
            return PAUSED
        if max(s.mark_now, s.fresh_now) > MARK_LIMIT:
            clear_marks(s)
        if not propagate(s):
            s.contradiction = not learn(s)
        elif s.n_trail == s.n_cells:
            n_sea = s.n_cells - s.n_land
            right = (n_sea > 0 or not s.needs_sea) and (s.n_land > 0 or not s.needs_land)
            for c in range(s.n_cells):
                s.solution[c] = s.value[c]
            s.contradiction = not block_solution(s)
            if right:
                return SOLUTION
        elif s.n_conflicts >= s.next_restart:
            s.n_restarts += 1
            s.next_restart = s.n_conflicts + max(RESTART, s.n_cells // 8) * luby(s.n_restarts + 1)
            jump_back(s, 0)
            if s.n_conflicts >= s.next_reduction:
                s.n_reductions += 1
                s.next_reduction = s.n_conflicts + REDUCE + REDUCE_MORE * s.n_reductions
                reduce_clauses(s)
        else:
            decide(s)
    return FINISHED


@compiled(VOID)
def set_root(s):
    """Propagate the facts, then find what each island can take; everything later starts from there."""
    s.contradiction |= not propagate(s)
    if s.contradiction or not s.has_islands:
        return
    s.cover[: s.n_cells] = -1  # all bits, for the flood looks at cells that were in reach before
    for k in range(s.n_clues):
        reached = flood_reach(s, k, NONE)
        begin = s.root_start[k]
        s.root_cells = grown(s.root_cells, begin + reached)
        for i in range(reached):
            s.root_cells[begin + i] = s.queue[i]
        s.root_start[k + 1] = begin + reached
        s.contradiction |= reached < s.clue_size[k]
    s.cover[:] = 0
    for k in range(s.n_clues):
        w, bit = s.clue_word[k], s.clue_bit[k]
        for i in range(s.root_start[k], s.root_start[k + 1]):
            s.cover[s.root_cells[i], w] |= bit
            s.activity[s.root_cells[i]] -= TIE  # the cells that fewest islands can take are decided first
        s.stale_reach[w] = 0
        s.stale_bottlenecks[w] |= bit
    s.near[:] = s.cover
    for c in range(s.n_cells):
        if s.value[c] != SEA and not is_covered(s, c):
            s.lost[s.n_lost] = c
            s.n_lost += 1
    s.losses = np.zeros(2 * s.root_start[s.n_clues] + 2, np.int32)
    s.reach_known = True


@free(INTS, INT, INT)
def filled(length, number):
    """An array of one number."""
    return np.full(length, number, np.int32)


@compiled(VOID, INT, INT)
def draw_board(s, rows, columns):
    """Fill in the geometry."""
    n = rows * columns
    neighbour, around = np.full((n + 1, 4), n, np.int32), np.full((n + 1, 8), n, np.int32)
    s.neighbour, s.around, s.n_cells = neighbour, around, n
    s.row, s.column, s.rim, s.n_rim = filled(n + 1, 0), filled(n + 1, 0), filled(n + 1, 0), 0
    for c in range(n):
        row, column = c // columns, c % columns
        s.row[c], s.column[c] = row, column
        if row > 0:
            neighbour[c, UP] = c - columns
        if column > 0:
            neighbour[c, LEFT] = c - 1
        if column < columns - 1:
            neighbour[c, RIGHT] = c + 1
        if row < rows - 1:
            neighbour[c, DOWN] = c + columns
        if row == 0 or column == 0 or row == rows - 1 or column == columns - 1:
            s.rim[s.n_rim] = c
            s.n_rim += 1
    for c in range(n):
        up, down = neighbour[c, UP], neighbour[c, DOWN]
        around[c, 0], around[c, 1], around[c, 2], around[c, 3] = (
            up, neighbour[up, RIGHT], neighbour[c, RIGHT], neighbour[down, RIGHT],
        )  # fmt: skip
        around[c, 4], around[c, 5], around[c, 6], around[c, 7] = (
            down, neighbour[down, LEFT], neighbour[c, LEFT], neighbour[up, LEFT],
        )  # fmt: skip


@compiled(VOID)
def make_room(s):
    """Make the arrays, for a board that is still open."""
    n, n_clues = s.n_cells, s.n_clues
    m = n + 1
    s.value, s.level, s.reason, s.trail = filled(m, OPEN), filled(m, 0), filled(m, NONE), filled(m, 0)
    s.n_trail = s.n_done = s.n_land = s.n_levels = 0
    s.value[n] = WALL
    s.level_trail, s.level_reasons, s.level_merges = filled(m, 0), filled(m, 0), filled(m, 0)
    s.level_losses, s.level_joins, s.level_mark = filled(m, 0), filled(m, 0), filled(m, 0)
    s.reason_cells, s.because, s.because_mark = filled(8 * n, 0), filled(m, 0), filled(m, 0)
    s.n_reasons = s.n_because = 0

    s.literals, s.clause_start, s.clause_distance = filled(8 * n, 0), filled(m, 0), filled(n, 0)
    s.clause_used, s.first_watch, s.next_watch = filled(n, 0), filled(2 * n, NONE), filled(2 * n, NONE)
    s.learnt, s.seen, s.touched = filled(m, 0), filled(m, 0), filled(m, 0)
    s.n_clauses = s.n_touched = 0
    s.activity, s.step, s.phase = np.zeros(m), 1.0, filled(m, LAND)

    s.leader, s.ring, s.size, s.clue = filled(m, 0), filled(m, 0), filled(m, 1), filled(m, NONE)
    s.cluster, s.cluster_ring, s.cluster_size = filled(m, NONE), filled(m, 0), filled(m, 1)
    for c in range(m):
        s.leader[c] = s.ring[c] = s.cluster_ring[c] = c
    s.cluster[n] = n
    s.cluster_size[n] = m  # so it is never the smaller one and never renamed
    s.merges, s.joins, s.changed_land, s.fresh = filled(3 * m, 0), filled(2 * m, 0), filled(4 * m, 0), filled(m, 0)
    s.fresh_mark, s.new_sea, s.lone_sea = filled(m, 0), filled(m, 0), filled(m, 0)
    s.n_merges = s.n_joins = s.n_changed_land = s.n_fresh = s.n_new_sea = s.n_lone_sea = 0
    s.fresh_now = 1

    s.n_words = (n_clues + WORD - 1) // WORD
    s.clue_word, s.clue_bit = filled(n_clues, 0), np.zeros(n_clues, np.int64)
    for k in range(n_clues):
        s.clue_word[k] = k // WORD
        s.clue_bit[k] = 1 << (k % WORD)
    s.near, s.cover = np.zeros((m, s.n_words), np.int64), np.zeros((m, s.n_words), np.int64)
    s.root_start, s.root_cells, s.losses, s.lost = filled(n_clues + 1, 0), filled(8 * n, 0), filled(0, 0), filled(m, 0)
    s.stale_reach, s.stale_bottlenecks = np.zeros(s.n_words, np.int64), np.zeros(s.n_words, np.int64)
    s.n_losses = s.n_lost = 0
    s.reach_known = s.stale_sea = s.stale_land = s.contradiction = False

    s.mark, s.depth, s.queue, s.tested = filled(m, 0), filled(m, 0), filled(m, 0), filled(m, 0)
    s.wall, s.wall_mark, s.wall_owner = filled(m, 0), filled(m, 0), filled(m, 0)
    s.path_mark, s.path_from, s.path_queue = filled(m, 0), filled(m, 0), filled(m, 0)
    s.stack, s.order, s.candidates, s.next_side = filled(m, 0), filled(m, 0), filled(m, 0), filled(m, 0)
    s.index, s.low, s.parent, s.below = filled(m, 0), filled(m, 0), filled(m, 0), filled(m, 0)
    s.weight, s.hanging, s.hanging_weight = filled(m, 0), filled(m, 0), filled(m, 0)
    s.sector_at, s.sector, s.arc, s.arc_sea = filled(8, 0), filled(8, 0), filled(8, 0), filled(8, 0)
    s.mark_now = s.n_queue = s.n_candidates = 0

    s.solution = filled(n, OPEN)
    s.n_decisions = s.n_conflicts = s.n_learnt = s.n_restarts = s.n_reductions = s.last_reduction = 0
    s.next_restart, s.next_reduction = max(RESTART, n // 8), REDUCE


@compiled(VOID, INTS, INTS)
def set_sights(s, cells, numbers):
    """The clues of sight, and all of them to be looked at."""
    n = cells.size
    s.sight_cell, s.sight_number, s.n_sights = cells, numbers, n
    s.sight_at, s.in_view = filled(s.n_cells + 1, NONE), np.zeros((n, 4), np.int64)
    s.may, s.tried = np.zeros(4, np.int64), np.zeros(4, np.int64)
    s.stale_sights, s.is_stale_sight, s.n_stale_sights = filled(n, 0), filled(n, 1), 0
    for k in range(n):
        s.sight_at[cells[k]] = k
        s.stale_sights[k] = k
        for side in range(4):
            d, t = s.neighbour[cells[k], side], 0
            while d < s.n_cells and t < min(numbers[k] - 1, WORD):
                d = s.neighbour[d, side]
                t += 1
            s.in_view[k, side] = (2 << t) - 1
    s.n_stale_sights = n


@free(STATE, INT, INT, INTS, INTS, INTS, INTS, INTS, INT)
def new_state(rows, columns, clue_cell, clue_size, sight_cell, sight_number, fixed, rules):
    """A search over a board.

    The clues are those of the islands and those of sight; `fixed` has the cells that are decided, `rules` is a sum of
    the constants RULE_...
    """
    s = blank_state()
    s.has_islands, s.no_pool = rules & RULE_ISLANDS != 0, rules & RULE_NO_POOL != 0
    s.sea_connected, s.land_connected = rules & RULE_SEA_CONNECTED != 0, rules & RULE_LAND_CONNECTED != 0
    s.needs_sea, s.needs_land = rules & RULE_NEEDS_SEA != 0, rules & RULE_NEEDS_LAND != 0
    s.clue_cell, s.clue_size, s.n_clues = clue_cell, clue_size, clue_cell.size
    draw_board(s, rows, columns)
    make_room(s)
    for k in range(s.n_clues):
        c = clue_cell[k]
        s.clue[c] = k
        s.contradiction |= fixed[c] == SEA
        assign(s, c, LAND, NONE)
    set_sights(s, sight_cell, sight_number)
    for k in range(s.n_sights):
        c = sight_cell[k]
        s.contradiction |= fixed[c] == SEA
        if s.value[c] == OPEN:
            assign(s, c, LAND, NONE)
    for c in range(s.n_cells):
        if fixed[c] != OPEN and s.value[c] == OPEN:
            assign(s, c, fixed[c], NONE)
    if rules & RULE_NO_TOUCH != 0:
        for c in range(s.n_cells):
            for side in (RIGHT, DOWN):
                d = s.neighbour[c, side]
                if d < s.n_cells:
                    s.contradiction |= s.value[c] == SEA and s.value[d] == SEA
                    s.learnt[0], s.learnt[1] = 2 * c + 1, 2 * d + 1
                    add_clause(s, 2, 0)
    if not s.contradiction:
        set_root(s)
    return s


@entry(VOID, INTS)
def suggest(s, values):
    """Begin with these cell values: a solution among them is found at once, and those near it next."""
    for c in range(s.n_cells):
        s.phase[c] = values[c]


@entry(COUNTERS)
def counters(s):
    """Decisions, conflicts, learnt clauses, restarts."""
    return s.n_decisions, s.n_conflicts, s.n_learnt, s.n_restarts


@entry(INTS)
def solution(s):
    """The cell values of the solution that `run` found last."""
    return s.solution


@entry(types.Tuple((INTS, INTS, INTS)) if VERSION else None)
def clauses(s):
    """All clauses: their literals, where each begins and the last ends, and the distances (0: not learnt)."""
    n = s.n_clauses
    return s.literals[: s.clause_start[n]].copy(), s.clause_start[: n + 1].copy(), s.clause_distance[:n].copy()
