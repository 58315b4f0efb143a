"""Writes down where the installed MuJoCo's library lies and what its structs look like, for tests in Rust.

python tests/mujoco_layout.py FILE
ENVPOOL_RS_MUJOCO=FILE cargo test --lib mujoco
"""

import sys
from pathlib import Path

import mujoco
from envpool_rs._spec import mujoco_library

Path(sys.argv[1]).write_text("\n".join([mujoco_library.path_of(mujoco), *mujoco_library.layout_of(mujoco)]))
