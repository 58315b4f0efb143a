"""Runs Python environments in worker processes; the Rust extension transports requests and results."""

from envpool_rs._workers.env_failure import EnvFailure, RemoteTraceback, WorkerDied
from envpool_rs._workers.steps import Steps, stacked
from envpool_rs._workers.worker_group import WorkerGroup

__all__ = ["EnvFailure", "RemoteTraceback", "Steps", "WorkerDied", "WorkerGroup", "stacked"]
