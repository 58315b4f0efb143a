"""Benchmark of CartPole in shared libraries (plugins): C, Rust, Numba, next to the built-in one and to peers.

``python benches/python bench-plugins`` prints the processor time of a step.
"""
