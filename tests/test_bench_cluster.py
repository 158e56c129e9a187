"""A run on a real Dask cluster of two worker processes, one of which is killed."""

import json
import os
import signal
from collections import Counter
from pathlib import Path

import psutil
import pytest
from test_bench import workers

import nurikabe_mip as nm
from nurikabe_mip import bench

distributed = pytest.importorskip("distributed")
RIVER = Path(nm.__file__).parent / "corpus" / "river.txt"


def test_a_worker_killed_in_the_middle_loses_nothing(tmp_path):
    path = tmp_path / "records.jsonl"
    backend = ("foreign.hostile", {"how": "slow"})
    killed = []
    with distributed.LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None) as cluster:

        def progress(done, total, what):
            if done == 5 and "slow" in what and not killed:
                pid = cluster.workers[0].pid
                killed.extend(psutil.Process(pid).children(recursive=True))
                os.kill(pid, signal.SIGKILL)

        arguments = {"limit": 10, "scheduler": cluster.scheduler_address, "progress": progress}
        results = bench.run(RIVER, [backend], path, repeats=2, **arguments)
        assert killed and not psutil.wait_procs(killed, timeout=5)[1]  # what the lost worker had started
        assert not workers()
    assert {record["status"] for record in results.records} == {"unique"}
    entries = map(json.loads, path.read_text().splitlines())
    keys = Counter((entry["puzzle"], entry["repeat"]) for entry in entries if entry["kind"] == "solve")
    assert len(keys) == 20 and set(keys.values()) == {1}


def test_hard_limits_hold_on_a_cluster_of_our_own(tmp_path):
    large = "nurikabe:4x4:.,2,.,.,.,.,.,.,.,.,.,1,.,3,.,."
    backends = [("foreign.hostile", {"how": how}) for how in ("exit", "loop", "solve")]
    results = bench.run([large], backends, tmp_path / "records.jsonl", limit=0.5, grace=0.5, scheduler="local")
    assert [(r["status"], r.get("exit_code")) for r in results.records] == [
        ("died", 7), ("hung", None), ("unique", None)
    ]  # fmt: skip
