"""The functions that make environments of tasks."""
