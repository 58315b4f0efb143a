"""Benchmark of CartPole in shared libraries (plugins) in C, Rust and Numba, compared with the built-in CartPole and
with peers.

``python benches/python bench-plugins`` prints the processor time of a step.
"""
