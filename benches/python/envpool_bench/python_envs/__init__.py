"""Benchmarks of vectorised Python environments against their peers.

Modules: cases (``case``, ``busy_image_env``), compared libraries (``players``, ``ours``, ``peers``), timing
(``contender``, ``run``) and output (``results``).
"""
