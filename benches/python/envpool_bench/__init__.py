"""Measures environments against their peers: who plays (``libraries``), what is played (``case``), how it is timed
(``windows``, ``run``, ``starts``), and what comes of it (``results``, ``report``, ``plot``).
"""
