"""Adapters of packages with the environments of one family, with which the benchmark compares this package's pools.

Each module has ``PACKAGE``, the package to import, ``version()``, ``refusal(case)``, the reason why the package does
not support a case or ``None``, and ``make(case)``. Its name is the library's name, with an underscore for each hyphen.
"""
