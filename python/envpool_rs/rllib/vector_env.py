"""RLlib's interface for environments stepped together, and its implementation by single gymnasium environments."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from envpool_rs.rllib.rllib_types import ConversionOptions, Convertible, RayVectorEnv
from envpool_rs.rllib.sub_environments import SubEnvironments, annotate

if TYPE_CHECKING:
    from envpool_rs.rllib.base_env import BaseEnv


class VectorEnv(Convertible, RayVectorEnv):  # type: ignore[misc]
    """Several environments with one agent each, stepped together with a list of actions. Derive from this class, or use
    :meth:`vectorize_gym_envs`.

    With ray installed it is a subclass of ``ray.rllib.env.vector_env.VectorEnv``.

    Attributes:
        observation_space: the observation space of one environment.
        action_space: the action space of one environment.
        num_envs: number of environments.
    """

    def __init__(self, observation_space: Any, action_space: Any, num_envs: int) -> None:
        """Stores the spaces.

        Args:
            observation_space: the observation space of one environment.
            action_space: the action space of one environment.
            num_envs: number of environments.
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
        """Makes a vector of single environments with gymnasium's interface.

        Args:
            make_env: function that makes the environment at an index; may be ``None`` if all environments exist.
            existing_envs: existing environments, in order.
            num_envs: required number of environments.
            action_space: the action space; ``None`` for the first environment's.
            observation_space: the observation space; ``None`` for the first environment's.
            restart_failed_sub_environments: whether an environment that raised an exception is recreated.

        Raises:
            ValueError: if environments are missing and ``make_env`` is ``None``.
        """
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
        """Starts an episode in every environment.

        Args:
            seeds: a seed (or ``None``) for each environment; ``None`` continues all random streams.
            options: reset options for each environment.

        Returns:
            A list of observations and a list of infos.
        """
        raise NotImplementedError

    def reset_at(
        self, index: int | None = None, *, seed: int | None = None, options: Mapping[str, Any] | None = None
    ) -> Any:
        """Starts an episode in one environment.

        Args:
            index: the environment's index; ``None`` for the first.
            seed: ``None`` continues the random stream.
            options: reset options.

        Returns:
            Observation and info; the exception instead of the observation if the environment failed and was recreated.
        """
        raise NotImplementedError

    def restart_at(self, index: int | None = None) -> None:
        """Closes and recreates one environment.

        Args:
            index: the environment's index; ``None`` for the first.
        """
        raise NotImplementedError

    def vector_step(
        self, actions: list[Any]
    ) -> tuple[list[Any], list[float], list[bool], list[bool], list[dict[str, Any]]]:
        """Steps every environment.

        Args:
            actions: an action for each environment.

        Returns:
            Lists of observations, rewards, terminated flags, truncated flags and infos.
        """
        raise NotImplementedError

    def get_sub_environments(self) -> list[Any]:
        """Returns the environment objects, if there are any."""
        return []

    def try_render_at(self, index: int | None = None) -> Any:
        """Renders one environment.

        Args:
            index: the environment's index; ``None`` for the first.
        """
        return None

    def _to_base_env(self, options: ConversionOptions) -> BaseEnv:
        from envpool_rs.rllib.single_agent_base_env import VectorEnvWrapper

        return VectorEnvWrapper(self, strict_rllib=options.strict_rllib)


class VectorizedGymEnv(VectorEnv):
    """List of single environments that can be stepped, reset and recreated individually."""

    def __init__(
        self,
        make_env: Callable[[int], Any] | None = None,
        existing_envs: Sequence[Any] = (),
        num_envs: int = 1,
        *,
        observation_space: Any = None,
        action_space: Any = None,
        restart_failed_sub_environments: bool = False,
    ) -> None:
        """Makes the environments that do not exist yet; takes the arguments of :meth:`VectorEnv.vectorize_gym_envs`."""
        self._environments = SubEnvironments(make_env, existing_envs, num_envs, restart_failed_sub_environments)
        first = self._environments.envs[0]
        super().__init__(observation_space or first.observation_space, action_space or first.action_space, num_envs)

    def step_at(self, index: int, action: Any) -> tuple[Any, Any, Any, Any, Any]:
        """Steps one environment.

        Args:
            index: the environment's index.
            action: its action.

        Returns:
            Observation (the exception, if the environment failed and was recreated), reward, terminated, truncated,
                info.
        """
        result = self._environments.call(index, "step", action)
        if isinstance(result, Exception):
            return result, 0.0, True, True, {}
        if not isinstance(result, tuple) or len(result) != 5:  # noqa: PLR2004
            raise ValueError(
                f"step() of environment {index} returned {_kind(result)}: "
                "expected observation, reward, terminated, truncated, info"
            )
        if not isinstance(result[4], dict):
            raise ValueError(f"step() of environment {index} returned the info {result[4]!r}: expected a dict")
        return result

    def vector_step(
        self, actions: list[Any]
    ) -> tuple[list[Any], list[float], list[bool], list[bool], list[dict[str, Any]]]:
        """Steps every environment.

        An environment's exception is raised after all environments were stepped.
        """
        if len(actions) != self.num_envs:
            raise ValueError(f"actions has {len(actions)} entries: expected num_envs={self.num_envs}")
        failure: Exception | None = None
        rows: list[tuple[Any, Any, Any, Any, Any]] = []
        for index, action in enumerate(actions):
            try:
                rows.append(self.step_at(index, action))
            except Exception as error:
                failure = failure or error
        if failure is not None:
            raise failure
        observations, rewards, terminated, truncated, infos = (list(column) for column in zip(*rows, strict=True))
        return observations, rewards, terminated, truncated, infos

    def reset_at(
        self, index: int | None = None, *, seed: int | None = None, options: Mapping[str, Any] | None = None
    ) -> Any:
        """Starts an episode in one environment: see :meth:`VectorEnv.reset_at`."""
        index = index or 0
        result = self._environments.call(index, "reset", seed=seed, options=options)
        if isinstance(result, Exception):
            return result, {}
        if not isinstance(result, tuple) or len(result) != 2:  # noqa: PLR2004
            raise annotate(
                ValueError(f"reset() returned {_kind(result)}: expected observation and info"), index, "reset"
            )
        return result

    def vector_reset(
        self, *, seeds: list[int] | None = None, options: list[dict[str, Any]] | None = None
    ) -> tuple[list[Any], list[dict[str, Any]]]:
        """Starts an episode in every environment; if enabled, recreates failed environments until their reset
        succeeds.
        """
        rows = [
            self._reset_until_it_succeeds(index, seeds and seeds[index], options and options[index])
            for index in range(self.num_envs)
        ]
        return [observation for observation, _ in rows], [info for _, info in rows]

    def _reset_until_it_succeeds(self, index: int, seed: Any, options: Any) -> tuple[Any, Any]:
        while True:  # the loop ends, because SubEnvironments gives up after ten consecutive failures
            observation, info = self.reset_at(index, seed=seed, options=options)
            if not isinstance(observation, Exception):
                return observation, info

    def restart_at(self, index: int | None = None) -> None:
        """Closes and recreates one environment: see :meth:`VectorEnv.restart_at`.

        Raises:
            ValueError: without ``make_env``.
        """
        self._environments.restart(index or 0)

    def get_sub_environments(self) -> list[Any]:
        """Returns the environments."""
        return self._environments.envs

    def try_render_at(self, index: int | None = None) -> Any:
        """Renders one environment: see :meth:`VectorEnv.try_render_at`."""
        return self._environments.envs[index or 0].render()

    def close(self) -> None:
        """Closes all environments."""
        self._environments.close()


def _kind(result: Any) -> str:
    return f"{len(result)} values" if isinstance(result, tuple) else f"a {type(result).__name__}"
