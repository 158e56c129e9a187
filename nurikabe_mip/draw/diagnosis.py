"""A diagnosis in words, and what boards show it."""

from typing import TYPE_CHECKING

from ..backends.base import Status
from ..check import Mistake
from ..grid import Cell
from .svg import figure, svg, text
from .words import cell_words, cells_word, seconds

if TYPE_CHECKING:
    from ..diagnose import Diagnosis
    from ..puzzles import Puzzle, Shading

MOST_CLUES, MOST_REPAIRS = 8, 5  # that are named
RULES = {
    "R1": "R1, the size of islands",
    "R2": "R2, one number an island",
    "R3": "R3, a connected sea",
    "R4": "R4, no pools",
    "K1": "K1, what numbers see",
    "K2": "K2, no two shaded cells side by side",
    "K3": "K3, connected unshaded cells",
}


def diagnosis_boards(found: "Diagnosis") -> list[tuple[str, tuple["Puzzle", "Shading | None"], dict]]:
    """The boards that show a diagnosis: a caption, the puzzle and the answer on it, and the cells to mark."""
    puzzle = found.puzzle
    boards: list[tuple[str, tuple[Puzzle, Shading | None], dict]] = []
    if found.known is not None:
        marks = found.wrong or (found.violation.cells if found.violation else ())
        boards.append(("the answer", (puzzle, found.known), {"mistakes": marks}))
    if found.status is Status.INFEASIBLE or not found.solutions:
        boards.append(("what clashes" if found.known else "", (puzzle, None), {"mistakes": found.clash}))
    elif found.differing:
        captions = ("one solution", "another")
        for caption, solution in zip(captions, found.solutions, strict=True):
            boards.append((caption, (puzzle, solution), {"outline": found.differing}))
        if found.common is not None:
            boards.append(("the same in all", (puzzle, found.common), {}))
    else:
        boards.append(("the solution" if found.known else "", (puzzle, found.solutions[0]), {}))
    for repair in found.repairs[:1]:
        boards.append(("repaired", (repair.puzzle, repair.solution), {"outline": repair.cells}))
    return boards


def diagnosis_lines(found: "Diagnosis") -> list[str]:
    """A diagnosis in sentences."""
    lines = [*_status(found), *_clashes(found), *_proof(found), *_answer(found), *_repairs(found)]
    if found.interrupted:
        lines.append("It was interrupted before everything was looked at.")
    elif not found.complete:
        lines.append("The limit came before everything was looked at.")
    return lines


def diagnosis_html(found: "Diagnosis") -> str:
    """Show a diagnosis in a notebook."""
    figures = "".join(figure(svg(*board, **marks), caption) for caption, board, marks in diagnosis_boards(found))
    first, *more = found.lines
    rest = "".join(f"<div>{text(line)}</div>" for line in more)
    return (
        f"<div><div><b>{found.status}</b>: {text(first)}</div>"
        f'<div style="display:flex;flex-wrap:wrap;gap:16px;margin:6px 0">{figures}</div>'
        f'{rest}<div style="opacity:0.7;font-size:smaller">{seconds(found.seconds)}</div></div>'
    )


def _status(found: "Diagnosis") -> list[str]:
    words = {
        Status.UNIQUE: "The puzzle has exactly one solution.",
        Status.MULTIPLE: f"The puzzle has several solutions; two of them differ in {cells_word(len(found.differing))}.",
        Status.INFEASIBLE: "The puzzle has no solution.",
        Status.FEASIBLE: "The puzzle has a solution; whether there is another is not known.",
        Status.UNKNOWN: "Whether the puzzle has a solution is not known.",
    }[found.status]
    return [words, *(_sentence(mistake) for mistake in found.mistakes)]


def _sentence(what: "Mistake | str") -> str:
    words = str(what)
    return f"{words[0].upper()}{words[1:]}."


def _clashes(found: "Diagnosis") -> list[str]:
    lines = []
    for clash in found.clashes:
        count = len(clash.cells)
        if clash.about == "places":
            what = "The places of these clues clash with the rules, whatever the numbers are"
        else:
            what = f"These {count} numbers cannot all be right, whatever the others are"
        if count == 1:
            what = what.replace("places of these clues clash", "place of this clue clashes")
            what = what.replace("These 1 numbers cannot all", "This number cannot")
        proved = (
            "no fewer do" if clash.smallest else "each is needed" if clash.minimal else "perhaps not all are needed"
        )
        clues = f"{f' ({proved})' if count > 1 else ''}: {_clues(found, clash.cells)}."
        lines.append(f"{what}{clues}" if count else "There is no clue, and the rules alone clash.")
        lines.append(f"The rules that it takes: {'; '.join(RULES[rule] for rule in clash.rules)}.")
    if len(found.clashes) > 1:
        lines.append(f"The {len(found.clashes)} clashes have no number in common: to change one is not enough.")
    return lines


def _clues(found: "Diagnosis", cells: tuple[Cell, ...]) -> str:
    tokens = found.puzzle.tokens
    named = [f"the {tokens[row][column]} at {cell_words(((row, column),))}" for row, column in cells[:MOST_CLUES]]
    return "; ".join(named + [f"{len(cells) - MOST_CLUES} more"] * (len(cells) > MOST_CLUES))


def _proof(found: "Diagnosis") -> list[str]:
    proof = found.proof
    if proof is None:
        return []
    used = [name for name, count in proof.counts.items() if count]
    steps = len(proof.moves)
    when = f"after {steps} step{'s' * (steps > 1)} of techniques, the hardest {used[-1]}" if used else "at once"
    what = (
        "the answer" if found.status is not Status.INFEASIBLE else "the clash" if found.proof_of_clash else "the clues"
    )
    return [f"Proof: from {what} follows {when}: {proof.violation}."]


def _answer(found: "Diagnosis") -> list[str]:
    lines = []
    if found.violation is not None and (found.proof is None or found.status is Status.INFEASIBLE):
        lines.append(f"The answer breaks a rule: {found.violation}.")
    if found.wrong:
        lines.append(f"Wrong in the answer: {cell_words(found.wrong, MOST_CLUES)}.")
    elif found.wrong is not None:
        lines.append("The answer is right." if found.known.is_finished else "The answer is right so far.")
    return lines


def _repairs(found: "Diagnosis") -> list[str]:
    if found.status not in (Status.INFEASIBLE, Status.MULTIPLE):
        return []
    if not found.repairs:
        return ["No change of one clue leaves exactly one solution." if found.complete else "No repair was found yet."]
    first = found.repairs[0]
    if first.number > 1:
        proved = "no fewer do" if found.fewest else "perhaps fewer do"
        return [f"{first.number} changes leave exactly one solution ({proved}): {first.what}."]
    lines = ["Changes of one clue that leave exactly one solution, the likeliest first:"]
    lines += [f"  {number}. {repair.what}" for number, repair in enumerate(found.repairs[:MOST_REPAIRS], 1)]
    if len(found.repairs) > MOST_REPAIRS:
        lines.append(f"  and {len(found.repairs) - MOST_REPAIRS} more")
    return lines
