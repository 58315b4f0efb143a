"""Python environments in worker processes: the half of the transport that is written in Python."""

from envpool_rs._workers import EnvFailure, RemoteTraceback, Steps, WorkerDied, WorkerGroup, stacked

__all__ = ["EnvFailure", "RemoteTraceback", "Steps", "WorkerDied", "WorkerGroup", "stacked"]
