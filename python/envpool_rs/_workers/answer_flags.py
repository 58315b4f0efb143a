"""What the flags of an environment's answer say; the numbers are the extension's."""

from __future__ import annotations

#: The observation lies in the environment's rows.
OBSERVATION_IN_ROW = 1
#: There is a message.
MESSAGE = 2
#: The environment raised; the message tells what.
FAILED = 4
#: The environment's step gave four values.
FOUR_VALUES = 8
#: An episode ended and the same step began another: the final row or the message holds the last observation.
FINAL = 16
#: The row comes from a reset.
RESET = 32
#: The process that hosted the environment died.
LOST = 64
#: The reward is no number, and lies in the message.
REWARD_IN_MESSAGE = 128
#: It was a call; the message is what it returned.
CALL = 256
#: The final observation lies in the environment's final rows.
FINAL_IN_ROW = 512
#: The message is the info: numbers by their keys.
PLAIN_INFO = 1024

#: An answer with one of these has more to it than its arrays.
UNUSUAL = MESSAGE | FAILED | LOST | FINAL
