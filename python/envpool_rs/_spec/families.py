"""Facts of environment families, which `make generate` collects from the manifests `src/envs/**/family.toml`."""

from __future__ import annotations

import json
import os
from typing import Any

# The import of pathlib takes long.
with open(os.path.join(os.path.dirname(__file__), "families.json"), encoding="utf-8") as _file:  # noqa: PTH118, PTH120, PTH123
    FACTS: dict[str, Any] = json.load(_file)
