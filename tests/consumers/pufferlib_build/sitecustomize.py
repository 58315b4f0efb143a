"""On PYTHONPATH while PufferLib 3.0.0 is built: with NO_OCEAN=1 its setup.py asks for this name without defining it."""

import builtins

builtins.c_extension_paths = []
