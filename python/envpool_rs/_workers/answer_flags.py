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
#: The process that hosted the environment died.
LOST = 32
#: The reward is no number, and lies in the message.
REWARD_IN_MESSAGE = 64
#: It was a call; the message is what it returned.
CALL = 128
#: The message is the info: numbers by their keys.
PLAIN_INFO = 512

#: An answer with one of these has more to it than its arrays and an info of numbers.
UNUSUAL = MESSAGE | FAILED | LOST
