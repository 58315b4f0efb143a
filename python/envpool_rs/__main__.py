"""Entry point of ``python -m envpool_rs``."""

import sys

from envpool_rs.cli import main

if __name__ == "__main__":
    sys.exit(main())
