"""Functions that make environments of tasks."""
