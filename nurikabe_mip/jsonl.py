"""Files of JSON lines to which a run adds, a line at a time, and with which a later run goes on."""

import json
from pathlib import Path

from .errors import OptionError


def whole_lines(content: bytes) -> tuple[list[str], int]:
    """The lines of a file, and how many bytes they take: all but a last one that a crash has cut off."""
    end = content.rfind(b"\n") + 1
    try:
        json.loads(content[end:])
        end = len(content)  # cut off just before its end
    except ValueError:
        pass
    return content[:end].decode("utf-8", "replace").splitlines(), end


class JsonLines:
    """The whole lines of a file, `lines`, and a way to add more; half a line that a crash has left is dropped.

    Making it reads the file; entering it opens the file to write, for one run at a time, and `add` writes a line for
    good. Raises OptionError if there is but half a line and it does not begin as `head` does: then the file is
    somebody else's; and on entering, if another run writes to it.
    """

    def __init__(self, path: Path | str, head: bytes):
        self.path = Path(path)
        content = self.path.read_bytes() if self.path.exists() else b""
        self._size = len(content)
        self.lines, self._end = whole_lines(content)
        if not self.lines and not head.startswith(content[: len(head)]):
            raise OptionError(f"{self.path} is there and holds something else; give another file")

    def add(self, line: str) -> None:
        self._file.write(line.encode() + b"\n")
        self._file.flush()

    def __enter__(self):
        self._file = self.path.open("a+b")
        try:
            self._lock()
            self._file.truncate(self._end)
            self._file.seek(max(self._end - 1, 0))
            if self._file.read(1) not in (b"", b"\n"):
                self._file.write(b"\n")
        except BaseException:
            self._file.close()
            raise
        return self

    def __exit__(self, *_):
        self._file.close()

    def _lock(self) -> None:
        try:
            import fcntl
        except ImportError:  # Windows
            return
        try:
            fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            raise OptionError(f"another run is writing to {self.path}") from None
        if self.path.stat().st_size != self._size:
            raise OptionError(f"another run has written to {self.path} just now; start again to go on with it")
