"""Entry point of ``python benches/python``: benchmarks of pools and of environments written in Python."""

import sys

from envpool_bench.main import main

if __name__ == "__main__":
    sys.exit(main())
