"""The vector environments of ``envpool_rs.vector`` behind RLlib's interface for many agents."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from envpool_rs.rllib.indexed_base_env import Turn
from envpool_rs.rllib.multi_env_dict import EnvID, Poll
from envpool_rs.rllib.pool_rows import rows
from envpool_rs.rllib.single_agent_base_env import SingleAgentBaseEnv

TIME_LIMIT = "TimeLimit.truncated"


def is_stacked(env: Any) -> bool:
    """Whether an environment is a ``BaseVectorEnv`` of ``envpool_rs.vector``, which need not be imported to know."""
    return any(
        each.__name__ == "BaseVectorEnv" and each.__module__.startswith("envpool_rs.vector.")
        for each in type(env).__mro__
    )


class StackedBaseEnv(SingleAgentBaseEnv):
    """A ``BaseVectorEnv`` (``DummyVectorEnv``, ``SubprocVectorEnv``, ...) as a ``BaseEnv``.

    Any environments may be sent actions. With ``wait_num`` or ``timeout``, a poll returns those that have finished.
    """

    def __init__(self, vector_env: Any, *, strict_rllib: bool = False) -> None:
        """Wraps a vector, unreset.

        Args:
            vector_env: the vector.
            strict_rllib: whether ``poll`` has RLlib's own form.
        """
        super().__init__(len(vector_env), strict_rllib)
        self.vector_env = vector_env

    @property
    def observation_space(self) -> Any:
        """The observation space of the first environment."""
        return self.vector_env.observation_space[0]

    @property
    def action_space(self) -> Any:
        """The action space of the first environment."""
        return self.vector_env.action_space[0]

    def poll(self) -> Poll:
        """What is new: see :meth:`BaseEnv.poll`. The first poll resets."""
        self._check_open()
        if not self._news and Turn.WAITING in self._turns:
            self._take_all(self.vector_env.step(None))
        return super().poll()

    def _step(self, actions: dict[int, Any]) -> None:
        ids = list(actions)
        for index in ids:
            self._turns[index] = Turn.WAITING
        try:
            result = self.vector_env.step(list(actions.values()), ids)
        except Exception:
            self._keep_the_others(ids)
            raise
        self._take_all(result)

    def _keep_the_others(self, sent: list[int]) -> None:
        """Takes what the environments returned that have not failed; those that have must be reset."""
        if self.vector_env.waiting_id:
            self._take_all(self.vector_env.step(None))
        for index in sent:
            if self._turns[index] is Turn.WAITING and index not in self.vector_env.waiting_id:
                self._turns[index] = Turn.DONE

    def _take_all(self, result: Any) -> None:
        observations, rewards, *flags, infos = result
        for row, observation in enumerate(rows(observations)):
            info = dict(infos[row])
            terminated = bool(flags[0][row])
            if len(flags) > 1:
                truncated = bool(flags[1][row])
            else:
                truncated = terminated and bool(info.get(TIME_LIMIT))
                terminated = terminated and not truncated
            reward = rewards[row]
            index = int(info.pop("env_id"))
            self._take(index, (observation, reward.item() if reward.ndim == 0 else reward, terminated, truncated, info))

    def _reset(
        self, ids: Sequence[int], seed: int | None, options: Mapping[str, Any] | None
    ) -> dict[int, tuple[Any, Any]]:
        keywords: dict[str, Any] = {} if options is None else {"options": options}
        if seed is not None:
            keywords["seed"] = [seed + index for index in ids]
        observations, infos = self.vector_env.reset(list(ids), return_info=True, **keywords)
        return dict(zip(ids, zip(rows(observations), infos, strict=True), strict=True))

    def get_sub_environments(self, as_dict: bool = False) -> Any:
        """None: the environments may live elsewhere."""
        return super().get_sub_environments(as_dict)

    def try_restart(self, env_id: EnvID | None = None) -> None:
        """Lets environments begin anew with the next poll.

        Args:
            env_id: the environment; ``None`` for all.
        """
        self._check_open()
        for index in self._checked_ids(env_id):
            self._turns[index] = Turn.UNRESET
            self._news.pop(index, None)

    def try_render(self, env_id: EnvID | None = None) -> Any:
        """Draws one environment (returning what it drew) or all (by environment)."""
        self._check_open()
        drawn = dict(enumerate(self.vector_env.render()))
        return drawn if env_id is None else drawn[self._checked_id("env_id", env_id)]

    def _close(self) -> None:
        if not self.vector_env.is_closed:
            self.vector_env.close()
