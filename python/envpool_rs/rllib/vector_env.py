"""RLlib's interface for environments that step together."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from envpool_rs.rllib.ray_classes import RayVectorEnv

if TYPE_CHECKING:
    from envpool_rs.rllib.base_env import BaseEnv
    from envpool_rs.rllib.vectorized_gym_env import VectorizedGymEnv


class VectorEnv(RayVectorEnv):  # type: ignore[misc]
    """Several environments with one agent each, stepped by lists. Derive from it, or use :meth:`vectorize_gym_envs`.

    With ray installed it is a subclass of ``ray.rllib.env.vector_env.VectorEnv``.

    Attributes:
        observation_space: the observation space of one environment.
        action_space: the action space of one environment.
        num_envs: how many environments there are.
    """

    def __init__(self, observation_space: Any, action_space: Any, num_envs: int) -> None:
        """Names the spaces.

        Args:
            observation_space: the observation space of one environment.
            action_space: the action space of one environment.
            num_envs: how many environments there are.
        """
        self.observation_space = observation_space
        self.action_space = action_space
        self.num_envs = num_envs

    @staticmethod
    def vectorize_gym_envs(
        make_env: Callable[[int], Any] | None = None,
        existing_envs: Sequence[Any] | None = None,
        num_envs: int = 1,
        action_space: Any = None,
        observation_space: Any = None,
        restart_failed_sub_environments: bool = False,
    ) -> VectorizedGymEnv:
        """A vector of single environments of gymnasium's interface.

        Args:
            make_env: makes the environment at an index; may be ``None`` where all exist.
            existing_envs: those that exist already, in order.
            num_envs: how many there have to be.
            action_space: the action space; ``None`` for the first environment's.
            observation_space: the observation space; ``None`` for the first environment's.
            restart_failed_sub_environments: whether an environment that raised is made anew.

        Raises:
            ValueError: where environments are missing and nothing makes them.
        """
        from envpool_rs.rllib.vectorized_gym_env import VectorizedGymEnv

        return VectorizedGymEnv(
            make_env,
            existing_envs or [],
            num_envs,
            observation_space=observation_space,
            action_space=action_space,
            restart_failed_sub_environments=restart_failed_sub_environments,
        )

    def vector_reset(
        self, *, seeds: list[int] | None = None, options: list[dict[str, Any]] | None = None
    ) -> tuple[list[Any], list[dict[str, Any]]]:
        """Begins an episode in every environment.

        Args:
            seeds: a seed (or ``None``) for each environment; ``None`` to go on with all generators.
            options: reset options for each environment.

        Returns:
            A list of observations and one of infos.
        """
        raise NotImplementedError

    def reset_at(
        self, index: int | None = None, *, seed: int | None = None, options: Mapping[str, Any] | None = None
    ) -> Any:
        """Begins an episode in one environment.

        Args:
            index: which; ``None`` for the first.
            seed: ``None`` to go on with its generator.
            options: reset options.

        Returns:
            Observation and info; the exception in the place of the observation where the environment failed and was
            made anew.
        """
        raise NotImplementedError

    def restart_at(self, index: int | None = None) -> None:
        """Closes one environment and makes it anew.

        Args:
            index: which; ``None`` for the first.
        """
        raise NotImplementedError

    def vector_step(
        self, actions: list[Any]
    ) -> tuple[list[Any], list[float], list[bool], list[bool], list[dict[str, Any]]]:
        """Plays a step in every environment.

        Args:
            actions: an action for each environment.

        Returns:
            Lists of observations, rewards, terminated flags, truncated flags and infos.
        """
        raise NotImplementedError

    def get_sub_environments(self) -> list[Any]:
        """The environments' own objects, as far as there are any."""
        return []

    def try_render_at(self, index: int | None = None) -> Any:
        """Draws one environment.

        Args:
            index: which; ``None`` for the first.
        """
        return None

    def to_base_env(
        self,
        make_env: Callable[[int], Any] | None = None,
        num_envs: int = 1,
        remote_envs: bool = False,
        remote_env_batch_wait_ms: int = 0,
        restart_failed_sub_environments: bool = False,
        *,
        strict_rllib: bool = False,
    ) -> BaseEnv:
        """This vector behind the interface for many agents.

        Args:
            make_env: not used: a vector makes its own environments.
            num_envs: not used.
            remote_envs: not used.
            remote_env_batch_wait_ms: not used.
            restart_failed_sub_environments: not used: a vector restarts its own environments.
            strict_rllib: whether ``poll`` has RLlib's own form.
        """
        from envpool_rs.rllib.vector_env_wrapper import VectorEnvWrapper

        return VectorEnvWrapper(self, strict_rllib=strict_rllib)
