"""Measures pools on simulated clusters of several nodes (raylets) on one machine, and prints a Markdown table.

    python benches/ray/nodes.py [--nodes 1,2,4,8] [--seconds 2]

A step of an environment only sleeps, so any number of actors can be busy at a time, whatever the number of cores. The
table shows the driver's processor time for each reply of an actor, and the number of actors at which the driver becomes
the bottleneck.
"""

from __future__ import annotations

import argparse
import time

import envpool_rs.ray
import numpy as np
import ray
from ray.cluster_utils import Cluster

BATCH = 5
"""Environments of one request; each sleeps 1 ms per step."""


def measured(num_nodes: int, seconds: float, milliseconds: int) -> tuple[float, float]:
    """Measures a pool with one actor per node; returns batches per second, and CPU microseconds of the driver per
    batch.

    Args:
        num_nodes: nodes, with an actor each.
        seconds: duration of the measurement.
        milliseconds: sleep of an environment per step.
    """
    options = {"num_envs": 2 * BATCH * num_nodes, "batch_size": BATCH, "num_threads": 1}
    with envpool_rs.ray.make("test/Scripted-v0", num_actors=num_nodes, **options) as pool:
        actions = np.full(BATCH, milliseconds)
        pool.async_reset()
        for _ in range(4 * num_nodes):
            pool.send(actions, pool.recv()[4]["env_id"])
        batches, cpu, start = 0, time.process_time(), time.perf_counter()
        while time.perf_counter() < start + seconds:
            pool.send(actions, pool.recv()[4]["env_id"])
            batches += 1
        elapsed = time.perf_counter() - start
        return batches / elapsed, (time.process_time() - cpu) / batches * 1e6


def simulated(num_nodes: int, seconds: float) -> str:
    """Starts a simulated cluster, measures a pool on it, and returns the row of the table."""
    cluster = Cluster()
    try:
        for _ in range(num_nodes):
            cluster.add_node(num_cpus=1, object_store_memory=80 * 1024**2, include_dashboard=False)
        ray.init(address=cluster.address, log_to_driver=False)
        idle, cpu = measured(num_nodes, seconds, 0)
        busy, _ = measured(num_nodes, seconds, 1)
        return f"| {num_nodes} | {idle:,.0f} | {cpu:,.0f} | {busy:,.0f} | {busy / num_nodes:,.0f} |"
    finally:
        ray.shutdown()
        cluster.shutdown()


def main() -> None:
    """Measures clusters of all requested sizes, and prints the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--nodes", default="1,2,4,8", help="numbers of nodes")
    parser.add_argument("--seconds", type=float, default=2.0, help="for each measurement")
    arguments = parser.parse_args()
    print(
        "| nodes | batches per second, no load | driver's CPU, µs per batch | batches per second, 5 ms each "
        "| per actor |"
    )
    print("|---|---|---|---|---|")
    for count in map(int, arguments.nodes.split(",")):
        print(simulated(count, arguments.seconds), flush=True)


if __name__ == "__main__":
    main()
