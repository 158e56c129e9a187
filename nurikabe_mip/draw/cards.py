"""Ratings and hints as HTML: a card a step, side by side in a strip to scroll, which needs no running kernel."""

from typing import TYPE_CHECKING

from .svg import figure, svg, text
from .words import cell_words

if TYPE_CHECKING:
    from ..deduce import Step
    from ..rate import Hint, Rating

MOST_CARDS = 400  # a strip of more would be too much for a page


def step_title(number: int, step: "Step") -> str:
    """A line that heads a step: "3. separate_clues: row 2, column 2 is sea"."""
    return f"{number}. {step.technique}: {cell_words(step.cells)} {'is' if len(step.cells) == 1 else 'are'} {step.word}"


def cards(rating: "Rating") -> str:
    """The rating in a line, and the board after each step: decided cells framed, those that they follow from thinly."""
    shown = []
    boards = rating.boards()[1 : MOST_CARDS + 1]
    for number, (step, board) in enumerate(zip(rating.steps, boards, strict=False), 1):
        picture = svg(rating.puzzle, board, outline=step.cells, support=[*step.because, *step.clues])
        shown.append(_card(f"{step_title(number, step)} (of {len(rating.steps)})", picture, step.text))
    if not shown:
        shown.append(_card("nothing to deduce", svg(rating.puzzle, rating.shading), ""))
    left = len(rating.steps) - len(boards)
    level, _, rest = str(rating).partition(" ")
    more = f"<div>{left} more steps are not shown</div>" if left > 0 else ""
    strip = (
        '<div style="display:flex;overflow-x:auto;scroll-snap-type:x mandatory;gap:16px;padding:8px 0;max-width:100%">'
        f"{''.join(shown)}</div>"
    )
    return f"<div><div><b>{text(level)}</b> {text(rest)}</div>{strip}{more}</div>"


def hint_card(hint: "Hint") -> str:
    """The position with the next step, or with what is wrong."""
    if hint.step is not None:
        step = hint.step
        picture = svg(hint.puzzle, hint.shading, outline=step.cells, support=[*step.because, *step.clues])
        return _card(step.technique, picture, hint.text)
    wrong = hint.wrong or tuple(cell for violation in hint.violations for cell in violation.cells)
    return _card(hint.status, svg(hint.puzzle, hint.shading, mistakes=wrong), hint.text)


def _card(title: str, picture: str, words: str) -> str:
    return (
        '<div style="flex:none;scroll-snap-align:start;max-width:100%">'
        f"<div><b>{text(title)}</b></div>{figure(picture)}"
        f'<div style="max-width:36em;white-space:normal">{text(words)}</div></div>'
    )
