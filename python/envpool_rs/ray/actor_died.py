"""The error for environments that were lost with their actor."""

from __future__ import annotations


class ActorDied(RuntimeError):  # noqa: N818
    """An actor died, and its environments with it.

    Attributes:
        actor: its number.
        env_ids: its environments.
    """

    def __init__(self, actor: int, env_ids: range, reason: str, advice: str) -> None:
        """Says what was lost.

        Args:
            actor: number of the actor.
            env_ids: its environments.
            reason: what Ray says of it.
            advice: what can be done.
        """
        cause = reason.strip().splitlines()[0] if reason.strip() else "no reason known"
        names = f"{env_ids[0]} to {env_ids[-1]}" if len(env_ids) > 1 else f"{env_ids[0]}"
        super().__init__(f"actor {actor} died ({cause}): environments {names} are lost; {advice}")
        self.actor, self.env_ids = actor, env_ids

    @classmethod
    def of(cls, actor: int, env_ids: range, error: BaseException, losses: int, advice: str) -> ActorDied:
        """The error for an actor that is not made anew.

        Args:
            actor: its number.
            env_ids: its environments.
            error: what is known of its death.
            losses: how often it was lost in a row.
            advice: what can be done, where that was once.
        """
        how = f"it died {losses} times without an answer in between" if losses > 1 else advice
        died = cls(actor, env_ids, str(error), how)
        died.__cause__ = error
        return died

    def again(self) -> ActorDied:
        """The same error to raise once more, so that tracebacks do not grow."""
        died = ActorDied.__new__(ActorDied)
        RuntimeError.__init__(died, *self.args)
        died.actor, died.env_ids, died.__cause__ = self.actor, self.env_ids, self.__cause__
        return died
