"""What becomes of environments whose actor died: one policy for pools and vector environments."""

from __future__ import annotations

from typing import Literal

import numpy as np

from envpool_rs.ray.actor_died import ActorDied

OnActorDeath = Literal["resume", "new_episode", "raise"]

_WORD = 32


class Recovery:
    """The books of one actor's deaths, and of what its environments are owed for them.

    Attributes:
        policy: ``"resume"``: another actor takes them to exactly where they were; ``"new_episode"``: they begin anew,
            and tell so in a row that is truncated; ``"raise"``: they are lost.
        died: the error that every further use of them meets, where no other actor takes them.
        untold: those that have begun anew, and have not told so.
    """

    def __init__(self, actor: int, env_ids: range, policy: OnActorDeath, patience: int, advice: str) -> None:
        """Nobody has died.

        Args:
            actor: its number.
            env_ids: its environments, counted through all actors.
            policy: what becomes of them.
            patience: deaths in a row, without an answer in between, at which they are given up.
            advice: what can be done where the policy is to raise.
        """
        self.policy = policy
        self.died: ActorDied | None = None
        self.untold: set[int] = set()
        self._actor, self._env_ids = actor, env_ids
        self._patience, self._advice = patience, advice
        self._deaths = self._in_a_row = 0

    def answered(self) -> None:
        """The actor has lived to answer."""
        self._in_a_row = 0

    def goes_on(self, error: BaseException) -> bool:
        """Notes a death.

        Args:
            error: what is known of it.

        Returns:
            Whether another actor is to take the environments. If not, `died` is set.
        """
        self._deaths += 1
        self._in_a_row += 1
        if self.policy == "raise":
            self.give_up(error, self._advice)
        elif self._in_a_row >= self._patience:
            self.give_up(error, f"it died {self._in_a_row} times without an answer in between")
        elif self.policy == "new_episode":
            self.untold.update(self._env_ids)
        return self.died is None

    def give_up(self, error: BaseException, advice: str | None = None, cause: BaseException | None = None) -> None:
        """Leaves the environments lost.

        Args:
            error: what the actor died of.
            advice: what can be done, if not the usual.
            cause: why no other takes its place, if not for that death.
        """
        died = self.loss(error, advice)
        died.__cause__ = cause or error
        self.died = died

    def loss(self, error: BaseException, advice: str | None = None) -> ActorDied:
        """The error for what an actor owed when it died, whether or not another one takes its place."""
        died = ActorDied(self._actor, self._env_ids, str(error), advice or self._advice)
        died.__cause__ = error
        return died

    def next_seed(self, last: int, bits: int) -> int:
        """Another seed for the episode after a death, the same whenever the same happens.

        Args:
            last: the environment's last one.
            bits: how many the seed is to have.
        """
        word, width = (np.uint64, 64) if bits > _WORD else (np.uint32, _WORD)
        mixed = np.random.SeedSequence([abs(last), self._deaths]).generate_state(1, word)
        return int(mixed[0]) >> (width - bits)
