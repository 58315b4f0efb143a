"""Runs Python environments in worker processes; the Rust extension transports requests and results."""

from envpool_rs._workers.serialization import EnvFailure, RemoteTraceback, WorkerDied
from envpool_rs._workers.worker_process import Steps, WorkerGroup, stacked

__all__ = ["EnvFailure", "RemoteTraceback", "Steps", "WorkerDied", "WorkerGroup", "stacked"]
