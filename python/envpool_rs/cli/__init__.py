"""Command line: ``python -m envpool_rs``, also installed as ``envpool-rs``."""

from envpool_rs.cli.main import main

__all__ = ["main"]
