# Nurikabe in GNU MathProg: shade cells so that the shaded ones are one connected sea without a 2x2 block, and every
# unshaded area is an island with one number, its size. README.md beside this file says how to run it.

# Data: the board. Rows and columns count from 0 at the top left.

param rows, integer, default 0;
param columns, integer, default 0;
printf{0 .. 0: rows < 1 or columns < 1}: "This model needs data: rows, columns, and a clue where there is one.\n";
check: rows >= 1 and columns >= 1;

set CELLS := {0 .. rows - 1, 0 .. columns - 1};
param clue{CELLS}, integer, >= -1, <= rows * columns, default 0;  # the number, -1 for `?`, 0 for none
param known{CELLS}, integer, >= -1, <= 1, default 0;              # 1 shaded, -1 unshaded, 0 to be found

# What follows from the clues

set BESIDE{(r, c) in CELLS}, dimen 2 :=  # the cells that share a side with (r, c)
    setof{(i, j) in {(r - 1, c), (r, c - 1), (r, c + 1), (r + 1, c)}: (i, j) in CELLS} (i, j);

set CLUES := {(r, c) in CELLS: clue[r, c] <> 0};
set ISLANDS := 0 .. card(CLUES) - 1;  # in the order of their clues, row by row
param island{(r, c) in CLUES} := card({(i, j) in CLUES: i < r or i = r and j < c});
param row{k in ISLANDS} := sum{(r, c) in CLUES: island[r, c] = k} r;
param column{k in ISLANDS} := sum{(r, c) in CLUES: island[r, c] = k} c;
param number{k in ISLANDS} := clue[row[k], column[k]];

param land := sum{k in ISLANDS} max(number[k], 1);  # cells of land, exactly or at least
param exact := if exists{k in ISLANDS} number[k] = -1 then 0 else 1;
param largest{k in ISLANDS} := if number[k] > 0 then number[k] else max(rows * columns - land, 1);

# An island can reach the cells around its clue over cells that are not beside another clue; LAYER[k,s] has those at s
# steps, and a cell at s steps is of use to it only if s is less than its size.
set TOUCHED{(r, c) in CELLS} := setof{(i, j) in BESIDE[r, c]: clue[i, j] <> 0} island[i, j];
set LAYER{k in ISLANDS, s in 0 .. largest[k] - 1}, dimen 2 :=
    if s = 0 then {(row[k], column[k])}
    else setof{(r, c) in LAYER[k, s - 1], (i, j) in BESIDE[r, c]: clue[i, j] = 0 and known[i, j] < 1
        and TOUCHED[i, j] within {k} and (i, j) not in LAYER[k, max(s - 2, 0)]} (i, j);
set REACH{k in ISLANDS}, dimen 2 := setof{s in 0 .. largest[k] - 1, (r, c) in LAYER[k, s]} (r, c);
param steps{k in ISLANDS, (r, c) in REACH[k]} := min{s in 0 .. largest[k] - 1: (r, c) in LAYER[k, s]} s;
set OWNERS{(r, c) in CELLS} := {k in ISLANDS: (r, c) in REACH[k]};

# Cells and islands

var sea{CELLS}, binary;                              # the cell is shaded
var own{(r, c) in CELLS, k in OWNERS[r, c]}, binary;  # the cell belongs to island k

s.t. given{(r, c) in CELLS: known[r, c] <> 0}: sea[r, c] = (if known[r, c] = 1 then 1 else 0);
s.t. numbered{k in ISLANDS}: own[row[k], column[k], k] = 1;
s.t. partition{(r, c) in CELLS}: sea[r, c] + sum{k in OWNERS[r, c]} own[r, c, k] = 1;
s.t. apart{(r, c) in CELLS, k in OWNERS[r, c], (i, j) in BESIDE[r, c]}:  # beside land: sea, or the same island
    own[r, c, k] <= sea[i, j] + sum{0 .. 0: (i, j) in REACH[k]} own[i, j, k];
s.t. size{k in ISLANDS: number[k] > 0}: sum{(r, c) in REACH[k]} own[r, c, k] = number[k];
s.t. pool{(r, c) in CELLS: r + 1 < rows and c + 1 < columns}:
    sea[r, c] + sea[r, c + 1] + sea[r + 1, c] + sea[r + 1, c + 1] <= 3;
s.t. sea_exists: sum{(r, c) in CELLS} sea[r, c] >= 1;
s.t. sea_most: sum{(r, c) in CELLS} sea[r, c] <= rows * columns - land;
s.t. sea_least{0 .. 0: exact}: sum{(r, c) in CELLS} sea[r, c] >= rows * columns - land;

# Islands are connected: a flow out of the clue leaves one unit in each cell that the island owns, and runs through such
# cells alone. A cell from which the island cannot go a way two steps longer needs no flow: an owned cell that is closer
# is enough. Some layers between it and the clue, which every way must cross, make the relaxation tighter.

param near := 3;  # layers next to the clue and next to the cell
set WINDING := {k in ISLANDS: largest[k] >= 5};  # the others need no flow
set INNER{k in ISLANDS}, dimen 2 := REACH[k] diff {(row[k], column[k])};

s.t. closer{k in ISLANDS, (r, c) in INNER[k]: steps[k, r, c] >= 2 and steps[k, r, c] + 3 > largest[k]}:
    own[r, c, k] <= sum{(i, j) in BESIDE[r, c] inter REACH[k]: steps[k, i, j] < steps[k, r, c]} own[i, j, k];
s.t. continued{k in ISLANDS, (r, c) in INNER[k]: steps[k, r, c] >= 2 and steps[k, r, c] + 3 <= largest[k]}:
    own[r, c, k] <= sum{(i, j) in BESIDE[r, c] inter REACH[k]} own[i, j, k];
s.t. layer{k in ISLANDS, (r, c) in INNER[k], s in 1 .. steps[k, r, c] - 2: s <= near or s + near >= steps[k, r, c]}:
    own[r, c, k] <= sum{(i, j) in LAYER[k, s]: s + abs(r - i) + abs(c - j) < largest[k]} own[i, j, k];

var flow{k in WINDING, (r, c) in REACH[k], (i, j) in BESIDE[r, c] inter INNER[k]}, >= 0;  # from (r, c) to (i, j)
s.t. balance{k in WINDING, (r, c) in INNER[k]}:
    sum{(i, j) in BESIDE[r, c] inter REACH[k]} flow[k, i, j, r, c]
    = own[r, c, k] + sum{(i, j) in BESIDE[r, c] inter INNER[k]} flow[k, r, c, i, j];
s.t. capacity{k in WINDING, (r, c) in INNER[k]}:
    sum{(i, j) in BESIDE[r, c] inter REACH[k]} flow[k, i, j, r, c] <= (largest[k] - steps[k, r, c]) * own[r, c, k];

# The sea is connected: the same with one flow. It starts in a cell that is certainly sea, if there is one, else in a
# cell of the sea that the program chooses.

set CERTAIN := {(r, c) in CELLS: known[r, c] = 1 or card(OWNERS[r, c]) = 0};
set ROOTS := if card(CERTAIN) = 0 then CELLS
    else {(r, c) in CERTAIN: r * columns + c = min{(i, j) in CERTAIN} (i * columns + j)};
param most := max(rows * columns - land, 1);

var root{ROOTS}, binary;
var source{ROOTS}, >= 0;
var stream{(r, c) in CELLS, (i, j) in BESIDE[r, c]}, >= 0;  # from (r, c) to (i, j)
s.t. one_root: sum{(r, c) in ROOTS} root[r, c] = 1;
s.t. root_is_sea{(r, c) in ROOTS}: root[r, c] <= sea[r, c];
s.t. source_is_root{(r, c) in ROOTS}: source[r, c] <= most * root[r, c];
s.t. sea_balance{(r, c) in CELLS}:
    sum{0 .. 0: (r, c) in ROOTS} source[r, c] + sum{(i, j) in BESIDE[r, c]} stream[i, j, r, c]
    = sea[r, c] + sum{(i, j) in BESIDE[r, c]} stream[r, c, i, j];
s.t. sea_capacity{(r, c) in CELLS}:
    sum{0 .. 0: (r, c) in ROOTS} source[r, c] + sum{(i, j) in BESIDE[r, c]} stream[i, j, r, c] <= most * sea[r, c];

# valid inequalities: where the sea is larger, a cell of it has a neighbour in it, and two cells have one
s.t. sea_goes_on{(r, c) in CELLS: exact and most > 1}: sea[r, c] <= sum{(i, j) in BESIDE[r, c]} sea[i, j];
s.t. pair_goes_on{(r, c) in CELLS, (i, j) in BESIDE[r, c]: exact and most > 2 and (i > r or j > c)}:
    sea[r, c] + sea[i, j] - 1 <= sum{(x, y) in BESIDE[r, c] diff {(i, j)}} sea[x, y]
        + sum{(x, y) in BESIDE[i, j] diff {(r, c)}} sea[x, y];

# Any solution will do; this objective leads GLPK to one sooner than none does.
minimize ways: sum{k in WINDING, (r, c) in REACH[k], (i, j) in BESIDE[r, c] inter INNER[k]} flow[k, r, c, i, j];

solve;

printf{0 .. 0: forall{(r, c) in ROOTS} root[r, c] < 0.5}: "no solution found\n";
for {r in 0 .. rows - 1: exists{(i, j) in ROOTS} root[i, j] > 0.5} {
    printf{c in 0 .. columns - 1}: "%s", if sea[r, c] > 0.5 then "#" else "-";
    printf "\n";
}

end;
