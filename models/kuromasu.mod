# Kuromasu in GNU MathProg: shade cells so that no two shaded ones share a side, the others are one connected area, and
# each number counts the unshaded cells that its cell sees. README.md beside this file says how to run it.

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

set NUMBERED := {(r, c) in CELLS: clue[r, c] > 0};
set LINE{(r, c) in NUMBERED}, dimen 2 :=  # the other cells of its row and column that are not too far to matter
    setof{(i, j) in CELLS: (i = r or j = c) and abs(i - r) + abs(j - c) in 1 .. clue[r, c]} (i, j);
set NEXT{(r, c) in NUMBERED, (i, j) in LINE[r, c]}, dimen 2 :=  # the cell before (i, j) on the way from the clue, or none
    setof{(x, y) in BESIDE[i, j] inter LINE[r, c]: abs(x - r) + abs(y - c) < abs(i - r) + abs(j - c)} (x, y);
set CERTAIN := {(r, c) in CELLS: clue[r, c] <> 0 or known[r, c] = -1};  # unshaded cells
set ROOTS := if card(CERTAIN) = 0 then CELLS
    else {(r, c) in CERTAIN: r * columns + c = min{(i, j) in CERTAIN} (i * columns + j)};
param cells := rows * columns;

# Cells and sight

var sea{CELLS}, binary;                                             # the cell is shaded
var sees{(r, c) in NUMBERED, (i, j) in LINE[r, c]}, >= 0, <= 1;     # the clue in (r, c) sees (i, j)

s.t. given{(r, c) in CELLS: known[r, c] <> 0}: sea[r, c] = (if known[r, c] = 1 then 1 else 0);
s.t. printed{(r, c) in CELLS: clue[r, c] <> 0}: sea[r, c] = 0;
s.t. touch{(r, c) in CELLS, (i, j) in BESIDE[r, c]: i > r or j > c}: sea[r, c] + sea[i, j] <= 1;
s.t. sees_land{(r, c) in NUMBERED, (i, j) in LINE[r, c]}: sees[r, c, i, j] <= 1 - sea[i, j];
s.t. sees_on{(r, c) in NUMBERED, (i, j) in LINE[r, c], (x, y) in NEXT[r, c, i, j]}: sees[r, c, i, j] <= sees[r, c, x, y];
s.t. sees_all{(r, c) in NUMBERED, (i, j) in LINE[r, c]}:
    sees[r, c, i, j] >= sum{(x, y) in NEXT[r, c, i, j]} sees[r, c, x, y] + (1 - card(NEXT[r, c, i, j])) - sea[i, j];
s.t. sight{(r, c) in NUMBERED}: 1 + sum{(i, j) in LINE[r, c]} sees[r, c, i, j] = clue[r, c];

# The unshaded cells are connected: a flow out of one of them leaves one unit in each, and runs through such cells alone.
# It starts in a cell that is certainly unshaded, if there is one, else in one that the program chooses.

var root{ROOTS}, binary;
var source{ROOTS}, >= 0;
var stream{(r, c) in CELLS, (i, j) in BESIDE[r, c]}, >= 0;  # from (r, c) to (i, j)
s.t. one_root: sum{(r, c) in ROOTS} root[r, c] = 1;
s.t. root_is_land{(r, c) in ROOTS}: root[r, c] <= 1 - sea[r, c];
s.t. source_is_root{(r, c) in ROOTS}: source[r, c] <= cells * root[r, c];
s.t. balance{(r, c) in CELLS}:
    sum{0 .. 0: (r, c) in ROOTS} source[r, c] + sum{(i, j) in BESIDE[r, c]} stream[i, j, r, c]
    = 1 - sea[r, c] + sum{(i, j) in BESIDE[r, c]} stream[r, c, i, j];
s.t. capacity{(r, c) in CELLS}:
    sum{0 .. 0: (r, c) in ROOTS} source[r, c] + sum{(i, j) in BESIDE[r, c]} stream[i, j, r, c] <= cells * (1 - sea[r, c]);

# valid inequality: on a board with cells beyond its neighbours an unshaded cell has an unshaded neighbour
s.t. goes_on{(r, c) in CELLS: card(BESIDE[r, c]) + 1 < cells}:
    1 - sea[r, c] <= sum{(i, j) in BESIDE[r, c]} (1 - sea[i, j]);

# Any solution will do; this objective leads GLPK to one sooner than none does.
minimize shaded: sum{(r, c) in CELLS} sea[r, c];

solve;

printf{0 .. 0: forall{(r, c) in ROOTS} root[r, c] < 0.5}: "no solution found\n";
for {r in 0 .. rows - 1: exists{(i, j) in ROOTS} root[i, j] > 0.5} {
    printf{c in 0 .. columns - 1}: "%s", if sea[r, c] > 0.5 then "#" else "-";
    printf "\n";
}

end;
