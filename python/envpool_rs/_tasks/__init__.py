"""Task registry: tasks by name."""
