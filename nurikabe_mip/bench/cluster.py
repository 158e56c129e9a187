"""The same on many machines: a Dask worker solves each task in a process under the same hard limits."""

import logging
import signal
import threading
import uuid
from collections.abc import Iterator
from contextlib import ExitStack, suppress
from itertools import islice

from ..errors import OptionError
from ..extras import require
from .processes import Settings, Task, Worker, failed

AHEAD = 4  # tasks that wait in the cluster for each of its threads

# of this Dask worker: its processes, one for each run and each of its threads
_workers: dict[tuple[str, int], Worker] = {}


def on_cluster(tasks: list[Task], settings: Settings, jobs: int, scheduler: str) -> Iterator[dict]:
    """The records of the tasks as they come, from the workers of a Dask cluster.

    A task whose Dask worker is lost runs again on another. When this ends or is closed, waiting tasks are cancelled
    and the processes on the cluster end.
    """
    distributed = require("distributed", "dask")
    with ExitStack() as stack:
        where = stack.enter_context(_local(distributed, jobs)) if scheduler == "local" else _checked(scheduler)
        client = stack.enter_context(distributed.Client(where, set_as_default=False))
        sent: dict = {}
        name = uuid.uuid4().hex  # of this run, for others may use the cluster, too
        stack.callback(_end, client, sent, name)
        left = iter(tasks)
        running = distributed.as_completed(loop=client.loop)

        def send() -> None:
            """Keep tasks waiting in the cluster, as many as suit its present size."""
            room = AHEAD * max(1, sum(client.nthreads().values())) - len(sent)
            for task in islice(left, max(room, 0)):
                future = client.submit(_solve, task, settings, name, pure=False)
                sent[future.key] = task, future
                running.add(future)

        send()
        for future in running:
            task, _ = sent.pop(future.key)
            try:
                yield future.result()
            except distributed.KilledWorker as error:  # lost with its Dask worker again and again
                yield task.record(settings, {**failed("died", str(error)), "environment": {}})
            send()


def _checked(scheduler: str) -> str:
    """The address of a scheduler; OptionError for what is none, of which a client would never let go."""
    from distributed.comm.addressing import get_address_host_port

    try:
        get_address_host_port(scheduler)
    except (TypeError, ValueError) as error:
        raise OptionError(f"scheduler is an address such as tcp://host:8786, or local: {error}") from None
    return scheduler


def _local(distributed, jobs: int):
    """A cluster of processes on this machine, which leave a Ctrl-C in the terminal to us."""
    arguments = {"threads_per_worker": 1, "dashboard_address": None, "silence_logs": logging.ERROR}
    if threading.current_thread() is not threading.main_thread():
        return distributed.LocalCluster(n_workers=jobs, **arguments)
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)  # which is what the processes inherit
    try:
        return distributed.LocalCluster(n_workers=jobs, **arguments)
    finally:
        signal.signal(signal.SIGINT, before)


def _end(client, sent: dict, name: str) -> None:
    """Drop the tasks that are left, and end the processes on the cluster."""
    with suppress(OSError):  # a cluster that is gone has nothing to end
        client.cancel([future for _, future in sent.values()])
        client.run(_close, name)


def _solve(task: Task, settings: Settings, name: str) -> dict:
    """On a Dask worker: solve a task in the process of this thread."""
    from distributed import get_worker

    key = name, threading.get_ident()
    if key not in _workers:
        _workers[key] = Worker(settings, get_worker().state.nthreads)
    return _workers[key].solve(task)


def _close(name: str) -> None:
    for key in [key for key in _workers if key[0] == name]:
        worker = _workers.pop(key)
        worker.stop.set()
        worker.close()
