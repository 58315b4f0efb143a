"""The tasks by name."""
