"""Enables Ctrl-C in tests that were started with SIGINT ignored.

Shells start background processes with SIGINT ignored, and supervisors may do so, too. Python does not change this
setting, so SIGINT does not interrupt waiting calls. Tests that send SIGINT to themselves would then wait forever.
"""

import signal


def take_interrupts():
    """Makes SIGINT raise KeyboardInterrupt if it was ignored, in this process and its children."""
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)
