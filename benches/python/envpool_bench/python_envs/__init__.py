"""Measures vectorised Python environments against their peers: what is played (``case``, ``busy_image_env``), who plays
(``players``, ``ours``, ``peers``), how it is timed (``contender``, ``run``), and what comes of it (``results``).
"""
