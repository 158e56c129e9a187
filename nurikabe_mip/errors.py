"""The errors of this package; all of them are a NurikabeMipError."""


class NurikabeMipError(Exception):
    """Base of every error that this package raises on purpose."""


class PuzzleError(NurikabeMipError, ValueError):
    """A puzzle or a shading that cannot exist: ragged rows, a clue out of range, two shapes that differ."""


class FormatError(NurikabeMipError, ValueError):
    """Text that is no puzzle: says what was expected and where.

    `line` and `column` count from 1 (None where the place is not a character of the text); `record` counts the
    records of a batch from 1.
    """

    def __init__(self, message: str, line: int | None = None, column: int | None = None, record: int | None = None):
        super().__init__(message, line, column, record)
        self.message, self.line, self.column, self.record = message, line, column, record

    def __str__(self):
        places = (("record", self.record), ("line", self.line), ("column", self.column))
        place = ", ".join(f"{name} {number}" for name, number in places if number is not None)
        return f"{place}: {self.message}" if place else self.message


class OptionError(NurikabeMipError, ValueError):
    """An option that does not exist or a value that it cannot take; the message lists what is known."""


class BackendNotFound(NurikabeMipError, ImportError):
    """A backend (or an engine of it) that is not installed; the message has the command that installs it."""


class SolverError(NurikabeMipError, RuntimeError):
    """A solver that failed or returned an answer that breaks the rules."""


class WrongAnswerError(SolverError):
    """An answer of a solver that breaks the rules, ignores given cells or was returned before."""


class PackageNotFound(NurikabeMipError, ImportError):
    """A package that a part of this one needs and that is not installed; the message has the pip command."""


class NotUniqueError(NurikabeMipError, ValueError):
    """A puzzle without exactly one solution, where one is needed; `result` is the SolveResult that shows it."""

    def __init__(self, message: str, result):
        super().__init__(message, result)
        self.message, self.result = message, result

    def __str__(self):
        return self.message


class GenerationFailed(NurikabeMipError, RuntimeError):
    """No puzzle of the kind asked for was found before a limit.

    `reason` is "attempts", "time" or "cancelled"; `attempts` and `counts` say what was tried, as in Generated.
    """

    def __init__(self, message: str, reason: str, attempts: int = 0, counts: dict[str, int] | None = None):
        super().__init__(message, reason, attempts, counts)
        self.message, self.reason, self.attempts, self.counts = message, reason, attempts, counts or {}

    def __str__(self):
        return self.message


class DisagreementError(SolverError):
    """Two backends that answer differently; `path` is the file with the case, enough to see it again."""

    def __init__(self, message: str, path: str):
        super().__init__(message, path)
        self.message, self.path = message, path

    def __str__(self):
        return self.message
