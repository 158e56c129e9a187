"""Pictures of puzzles, answers and results: SVG and HTML for notebooks and files, a view for terminals."""

from .svg import html, svg
from .terminal import terminal, wants_color
from .words import describe, mistake_cells, summary

__all__ = ["describe", "html", "mistake_cells", "summary", "svg", "terminal", "wants_color"]
