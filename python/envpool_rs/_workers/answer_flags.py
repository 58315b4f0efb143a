"""Flags of an environment's reply. The numbers are the extension's."""

from __future__ import annotations

#: The observation is in the environment's rows.
OBSERVATION_IN_ROW = 1
#: The reply has a message.
MESSAGE = 2
#: The environment raised; the message holds the failure.
FAILED = 4
#: The environment's step returned four values.
FOUR_VALUES = 8
#: The process that hosted the environment died.
LOST = 32
#: The reward is not a number; the message holds it.
REWARD_IN_MESSAGE = 64
#: The reply is a call's; the message holds the returned value.
CALL = 128
#: The message is the info: numbers by key.
PLAIN_INFO = 512

#: A reply with one of these flags has more than its arrays and an info of numbers.
UNUSUAL = MESSAGE | FAILED | LOST
