"""A board to play and solve on in a notebook; needs anywidget, `pip install "nurikabe-mip[widget]"`."""

import threading
from collections.abc import Callable
from pathlib import Path

from ..check import check
from ..draw import describe, mistake_cells, summary
from ..errors import NurikabeMipError
from ..extras import require
from ..formats import read, write
from ..puzzles import Puzzle, Shading, answer_of
from ..rate import hint
from ..solve import SolveResult, solve

anywidget = require("anywidget", "widget")
traitlets = require("traitlets", "widget")

EMPTY = "\n".join(["." * 7] * 7)


class BoardWidget(anywidget.AnyWidget):
    """An interactive board: the last expression of a notebook's cell shows it.

    Click a cell to shade it, again to dot it, again to empty it, or drag; the right button dots. Type a number to make
    a cell a clue (`?` for an unknown one), Backspace to take it away; arrows move, Space shades, `-` dots. Paste a
    puzzle in any format that `read` takes. Solve runs beside the kernel until Stop; Hint shows the next step from the
    board as it is, Check marks what breaks a rule. Where there are two solutions, the cells in which they differ are
    outlined, and Other solution shows the second.

    `puzzle` is a Puzzle, text that `read` takes, or None for an empty board; `backend`, `time_limit` (seconds) and
    `options` are those of `solve`. Afterwards `puzzle` and `shading` are what the board shows, `result` is the last
    SolveResult.

    >>> board = BoardWidget("nurikabe/5/5/g5k2o1k3g")
    >>> board.puzzle.clues.sum(), board.shading.is_finished
    (np.int64(11), False)
    """

    _esm = Path(__file__).parent / "board.js"
    _css = Path(__file__).parent / "board.css"

    tokens = traitlets.List(traitlets.List(traitlets.Unicode())).tag(sync=True)
    marks = traitlets.List(traitlets.Unicode()).tag(sync=True)  # rows of #, - and .
    largest = traitlets.Int(0).tag(sync=True)  # number of a clue
    outline = traitlets.List().tag(sync=True)  # of cells [row, column], as the two below
    mistakes = traitlets.List().tag(sync=True)
    support = traitlets.List().tag(sync=True)
    message = traitlets.Unicode("").tag(sync=True)
    kind = traitlets.Unicode("").tag(sync=True)  # of the message: a status, or error
    busy = traitlets.Bool(False).tag(sync=True)
    second = traitlets.List(traitlets.Unicode()).tag(sync=True)  # rows of the other solution

    def __init__(
        self,
        puzzle: Puzzle | str | None = None,
        *,
        genre: str = "nurikabe",
        backend: str = "auto",
        time_limit: float | None = None,
        **options,
    ):
        super().__init__()
        self.result: SolveResult | None = None
        self._arguments = {"backend": backend, "time_limit": time_limit, **options}
        self._genre = genre
        self._cancel: threading.Event | None = None
        self.on_msg(self._receive)
        self.observe(lambda change: self._abandon(), "tokens")
        self._show(read(EMPTY if puzzle is None else puzzle, genre))

    @property
    def puzzle(self) -> Puzzle:
        """The puzzle on the board."""
        return self._type([list(row) for row in self.tokens])

    @property
    def shading(self) -> Shading:
        """What is shaded and dotted; the clue cells are unshaded."""
        return answer_of(self.puzzle, Shading(list(self.marks)))

    def solve(self) -> None:
        """Start to solve the clues on a thread of its own; `message` says what came out, `result` has it."""

        def work(cancel: threading.Event) -> dict:
            self.result = result = solve(self.puzzle, cancel=cancel, **self._arguments)
            stopped = "stopped; " if cancel.is_set() else ""
            shown = {
                "message": f"{stopped}{result.reason or describe(result)} ({summary(result)})",
                "kind": str(result.status),
                "outline": result.differing,
                "mistakes": mistake_cells(result),
                "second": result.second.rows if result.second is not None else [],
            }
            return shown | ({"marks": result.solution.rows} if result.solution is not None else {})

        self._start(work, "solving …")

    def stop(self) -> None:
        """End a solve that is running; what it found until then is shown."""
        if self._cancel is not None:
            self._cancel.set()

    def hint(self) -> None:
        """Show the next step from what is on the board, or what is wrong with it."""

        def work(cancel: threading.Event) -> dict:
            found = hint(self.puzzle, self.shading, wrong=True)
            step = found.step
            return {
                "message": str(found) if step is None else f"{found} ({step.technique})",
                "kind": found.status,
                "outline": found.cells,
                "support": (*step.because, *step.clues) if step is not None else (),
                "mistakes": found.wrong or {cell for violation in found.violations for cell in violation.cells},
            }

        self._start(work, "looking for a step …")

    def check(self) -> None:
        """Mark what breaks a rule."""

        def work(cancel: threading.Event) -> dict:
            broken = check(self.puzzle, self.shading)
            done = self.shading.is_finished
            right = "right: every rule holds" if done else "no rule is broken so far"
            return {
                "message": "; ".join(map(str, broken)) or right,
                "kind": "broken" if broken else "finished" if done else "",
                "mistakes": {cell for violation in broken for cell in violation.cells},
            }

        self._start(work, "")

    def clear(self) -> None:
        """Take shading and dots away."""
        self._show(self.puzzle)

    def paste(self, text: str) -> None:
        """Put the puzzle of a text in any format on the board."""
        try:
            puzzle = read(text.strip("\n"), self._genre)
        except NurikabeMipError as error:
            self._tell({"message": str(error), "kind": "error"})
        else:
            self._show(puzzle)
            self._tell({"message": write(puzzle, "id").strip()})

    def _show(self, puzzle: Puzzle) -> None:
        self._abandon()
        self._type = type(puzzle)
        self.result = None
        with self.hold_sync():
            self.tokens = puzzle.tokens
            self.largest = puzzle.largest_clue(puzzle.shape)
            self._tell({"marks": ["." * puzzle.shape[1]] * puzzle.shape[0]})

    def _tell(self, shown: dict) -> None:
        """Show a message and marks, and none of those before."""
        shown = {"message": "", "kind": "", "outline": (), "mistakes": (), "support": (), "second": ()} | shown
        with self.hold_sync():
            for name, value in shown.items():
                if name in ("outline", "mistakes", "support"):
                    value = [list(map(int, cell)) for cell in sorted(value)]
                setattr(self, name, value if isinstance(value, str) else list(value))

    def _abandon(self) -> None:
        """What is running is about a board that is no more."""
        self.stop()
        self._cancel = None
        self.busy = False

    def _start(self, work: Callable[[threading.Event], dict], message: str) -> None:
        """Do the work on a thread, and show what it returns unless something else was begun since."""
        self._abandon()
        self._cancel = cancel = threading.Event()
        with self.hold_sync():
            self.busy = True
            self._tell({"message": message})

        def run() -> None:
            try:
                shown = work(cancel)
            except NurikabeMipError as error:
                shown = {"message": str(error), "kind": "error"}
            except BaseException as error:  # nobody else would ever see it
                shown = {"message": f"{type(error).__name__}: {error}", "kind": "error"}
            if self._cancel is cancel:
                self._cancel = None
                with self.hold_sync():
                    self._tell(shown)
                    self.busy = False

        threading.Thread(target=run, daemon=True, name="nurikabe-mip board").start()

    def _receive(self, _widget, content: dict, _buffers) -> None:
        match content:
            case {"do": "solve" | "hint" | "check" as action, "tokens": tokens, "marks": marks}:
                self.set_state({"tokens": tokens, "marks": marks})
                getattr(self, action)()
            case {"do": "stop" | "clear" as action}:
                getattr(self, action)()
            case {"do": "paste", "text": str(text)}:
                self.paste(text)
