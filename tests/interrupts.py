"""Ctrl-C in tests, however they were started.

Shells start what runs in the background with SIGINT ignored, supervisors may, and Python then leaves it so: nothing
interrupts the package's waits, as whoever has a program ignore Ctrl-C wants it. Tests that send themselves SIGINT would
wait for ever.
"""

import signal


def take_interrupts():
    """Makes SIGINT raise KeyboardInterrupt where it was ignored, here and in processes started from here."""
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)
