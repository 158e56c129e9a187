"""Pictures of puzzles, answers and results: SVG and HTML for notebooks and files, a view for terminals."""

from .cards import cards, hint_card, step_title
from .sheet import sheet
from .svg import html, svg
from .terminal import terminal, wants_color
from .words import describe, mistake_cells, summary

__all__ = [
    "cards",
    "describe",
    "hint_card",
    "html",
    "mistake_cells",
    "sheet",
    "step_title",
    "summary",
    "svg",
    "terminal",
    "wants_color",
]
