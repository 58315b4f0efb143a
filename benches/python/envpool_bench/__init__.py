"""Benchmarks of environments against their peers.

Modules: competitors (``libraries``), cases (``case``), timing (``windows``, ``run``, ``starts``) and output
(``results``, ``report``, ``plot``).
"""
