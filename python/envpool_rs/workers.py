"""Python environments in worker processes: the Python half of the transport."""

from envpool_rs._workers import EnvFailure, RemoteTraceback, Steps, WorkerDied, WorkerGroup, stacked

__all__ = ["EnvFailure", "RemoteTraceback", "Steps", "WorkerDied", "WorkerGroup", "stacked"]
