"""Folders of the repository, and those from which tests and their child processes import modules."""

import os
from pathlib import Path

ROOT = Path(__file__).parents[3]
TESTS = ROOT / "tests"
IMPORTS = [
    *(str(path) for path in sorted((TESTS / "python").iterdir()) if path.is_dir() and path.name != "__pycache__"),
    *map(str, (TESTS, ROOT / "tools", ROOT / "benches" / "python")),
]


def python_path(*folders):
    """Returns a value of `PYTHONPATH`: folders, `IMPORTS`, and the present value."""
    return os.pathsep.join(map(str, filter(None, (*folders, *IMPORTS, os.environ.get("PYTHONPATH")))))
