"""Entry point of ``python benches/python``: benchmarks of families, of pools, and of environments written in Python.

python benches/python atari     # as the manifest of the family says
python benches/python bench CartPole-v1
"""

import sys
from pathlib import Path

from envpool_bench.main import main

sys.path.append(str(Path(__file__).parents[2] / "tools"))
import families

if __name__ == "__main__":
    if len(sys.argv) == 2 and any(family.key == sys.argv[1] and family.bench for family in families.families()):  # noqa: PLR2004
        sys.exit(families.bench(sys.argv[1]))
    sys.exit(main())
