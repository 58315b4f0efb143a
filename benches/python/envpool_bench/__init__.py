"""Benchmarks of this package's pools against other libraries (peers).

Modules: compared libraries (``libraries``), cases (``case``), timing (``windows``, ``run``, ``starts``) and output
(``results``, ``report``, ``plot``).
"""
