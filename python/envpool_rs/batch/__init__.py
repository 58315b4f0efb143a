"""Many simulations of any MuJoCo model, stepped together: ``Batch``, with the names and semantics of ``mujoco.batch``.

Importing this module imports the package ``mujoco``.
"""

from __future__ import annotations

from envpool_rs._spec.mujoco_library import open_library

open_library()

# A missing package is an error that names the extra.
from envpool_rs.batch.batch import DATA_FIELDS, MODEL_FIELDS, Batch, SimulationError  # noqa: E402
from envpool_rs.batch.batch import checked_ids as _ids  # noqa: E402, F401 - a name of mujoco.batch
from envpool_rs.batch.batch import is_structural as _structural  # noqa: E402, F401 - a name of mujoco.batch
from envpool_rs.batch.vector_env import BatchVectorEnv, make_vec  # noqa: E402

__all__ = ["DATA_FIELDS", "MODEL_FIELDS", "Batch", "BatchVectorEnv", "SimulationError", "make_vec"]
