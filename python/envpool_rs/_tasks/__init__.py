"""Task registry: finds and registers tasks by name."""
