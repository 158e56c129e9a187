"""A pool of processes that ends when it is left, at Ctrl-C, and when the process that made it is killed."""

import multiprocessing
import os
import signal
import threading
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager

stop = None
"""In a worker the event that says that nobody waits for its work any more: the `cancel` of what it calls."""


@contextmanager
def pool(jobs: int) -> Iterator[ProcessPoolExecutor]:
    """An executor of that many processes; leaving it cancels what is not done."""
    context = multiprocessing.get_context()
    event = context.Event()
    executor = ProcessPoolExecutor(jobs, context, _begin, (event,))
    try:
        yield executor
    finally:
        event.set()
        executor.shutdown(wait=True, cancel_futures=True)


def _begin(event) -> None:
    global stop
    stop = event
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C reaches all processes; the first of them says what to do
    threading.Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    """Workers do not notice by themselves when the process that made them is killed."""
    multiprocessing.parent_process().join()
    os._exit(1)
