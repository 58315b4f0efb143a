"""Public names for running Python environments in worker processes."""

from envpool_rs._workers import EnvFailure, RemoteTraceback, Steps, WorkerDied, WorkerGroup, stacked

__all__ = ["EnvFailure", "RemoteTraceback", "Steps", "WorkerDied", "WorkerGroup", "stacked"]
