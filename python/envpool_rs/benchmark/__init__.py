"""Measures environments against their peers: who plays (``libraries``), what is played (``case``, ``actions``), how it
is timed (``windows``, ``run``), and what comes of it (``results``, ``plot``).
"""
