"""The process that solves: `python -m nurikabe_mip.bench.worker`, started by `processes`.

It reads pickles from standard input, first the Settings, then Tasks, and answers in pickles on what was standard
output: ("ready", environment), then for each task ("begin", bytes of memory) and ("end", record, whether a solver is
still running). Between these two nothing but the solve happens. It ends when its input does, even in the middle of a
solve.
"""

import gc
import os
import pickle
import queue
import signal
import sys
import threading
import traceback
from contextlib import suppress
from pathlib import Path

from ..backends.base import SOLVER_THREAD
from ..deduce import load_kernel
from .environment import environment
from .measure import SMALL, measure


def main() -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent decides
    replies = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # what a solver prints must not come between

    def reply(*message) -> None:
        pickle.dump(message, replies)
        replies.flush()

    messages: queue.SimpleQueue = queue.SimpleQueue()
    threading.Thread(target=_listen, args=(messages,), daemon=True).start()
    settings = messages.get()
    reply("ready", environment())
    warm = set()
    while True:
        task = messages.get()
        arguments = task.arguments(settings)
        genre = task.puzzle.genre
        if genre not in warm:
            load_kernel(genre)
            measure(SMALL[genre], limit=settings.warm, **arguments)  # which may have to compile a kernel
            gc.collect()
            gc.freeze()  # so that a collection looks at what solves leave behind, and at nothing else
            warm.add(genre)
        gc.collect()
        _forget_peak()
        reply("begin", _status("VmRSS"))
        record = measure(task.puzzle, limit=settings.limit, **arguments)
        record["memory_peak"] = _status("VmHWM")
        # a solver that did not obey still runs, and would take its share of the next solve
        reply("end", record, any(thread.name == SOLVER_THREAD for thread in threading.enumerate()))


def _listen(messages: queue.SimpleQueue) -> None:
    """Put what comes into the queue; when the parent is gone, leave nothing behind, children of ours included."""
    try:
        while True:
            messages.put(pickle.load(sys.stdin.buffer))
    except EOFError:
        pass
    except Exception:  # such as a puzzle of a kind that cannot be imported here
        traceback.print_exc()
    finally:
        if hasattr(os, "killpg") and os.getpgrp() == os.getpid():
            os.killpg(0, signal.SIGKILL)
        os._exit(0)


def _forget_peak() -> None:
    """Have the kernel measure the peak of the memory afresh, where it can (Linux)."""
    with suppress(OSError):
        Path("/proc/self/clear_refs").write_text("5")


def _status(entry: str) -> int | None:
    """Bytes of memory from the kernel's account of this process; None where there is none."""
    try:
        for line in Path("/proc/self/status").read_text().splitlines():
            if line.startswith(entry):
                return int(line.split()[1]) * 1024
    except OSError:
        pass
    return None


if __name__ == "__main__":
    main()
