"""Defines `c_extension_paths`, which PufferLib 3.0.0's setup.py uses with NO_OCEAN=1 without defining it. This folder
is on PYTHONPATH while PufferLib is built.
"""

import builtins

builtins.c_extension_paths = []
