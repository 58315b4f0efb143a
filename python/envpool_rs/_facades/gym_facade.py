"""EnvPool's interface for legacy gym: based on gym's classes if gym is installed, on gymnasium's otherwise."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from envpool_rs._facades.interfaces import GymnasiumAttributes
from envpool_rs._facades.pool import EnvPoolCalls
from envpool_rs._spec.installed_gym import ENVIRONMENT_BASES, FIVE_VALUES
from envpool_rs._spec.spec import EnvSpec

if TYPE_CHECKING:
    from envpool_rs._core import Out
    from envpool_rs._facades.interfaces import Options


class GymInterface(GymnasiumAttributes):
    """EnvPool's interface for legacy gym."""

    reward_range = (-float("inf"), float("inf"))

    _spec: Any
    _reset_envs: Any
    _next_seed: Any = None

    @classmethod
    def _format(cls, spec: EnvSpec) -> dict[str, Any]:
        five_values = FIVE_VALUES and spec.config_dict()["gym_reset_return_info"]
        return {"layout": "gymnasium" if five_values else "gym"}

    def _set_up(self, spec: EnvSpec) -> None:
        super()._set_up(spec)
        self.metadata = {"render.modes": spec.metadata.get("render_modes", []), **self.metadata}

    def seed(self, seed: Any = None) -> list[Any]:
        """Sets the seeds of the next ``reset()`` without a seed, as in gym before 0.26: an int gives environment ``i``
        the seed ``seed + i``; or a list of ``num_envs`` ints; ``None`` continues the random streams.
        """
        self._next_seed = seed
        return [seed]

    def reset(
        self,
        env_id: Any = None,
        *,
        seed: Any = None,
        options: Options = None,
        return_info: bool | None = None,
        out: Out | None = None,
    ) -> Any:
        """Resets environments immediately, cancelling a pending autoreset; arguments are those of
        :meth:`envpool_rs.pools.GymnasiumEnvPool.reset`.

        Returns ``(obs, info)`` or, if ``return_info`` is false, ``obs``, ``n`` rows; ``None`` follows the installed
        gym's format, see the class.
        """
        takes_next_seed = seed is None and env_id is None
        if takes_next_seed:
            seed = self._next_seed
        if return_info is None:
            return_info = bool(self._spec.config_dict()["gym_reset_return_info"])
        result = self._reset_envs(env_id, seed, options, return_info=return_info, out=out)
        if takes_next_seed:  # after the reset: if the reset raises, the seed remains for the next reset
            self._next_seed = None
        return result


class GymEnvPool(GymInterface, EnvPoolCalls, *ENVIRONMENT_BASES):  # type: ignore[misc]
    """EnvPool's gym interface, in the format of the installed gym.

    * Before 0.26 ``reset()`` returns ``obs``, and ``step(action, env_id)`` returns ``(obs, reward, done, info)`` with
      ``info["TimeLimit.truncated"]``. With ``gym_reset_return_info=True`` ``reset()`` returns ``(obs, info)``.
    * With gym 0.26, or without gym, ``reset()`` returns ``(obs, info)`` and ``step()`` returns ``(obs, reward,
      terminated, truncated, info)``; with ``gym_reset_return_info=False``, ``obs`` and ``(obs, reward, done, info)``.

    If gym is installed, spaces are gym's classes, and the class derives from ``gym.Env``. Otherwise spaces are
    gymnasium's, and the class derives from ``gymnasium.vector.VectorEnv`` and ``gymnasium.Env``. ``observation_space``
    and ``action_space`` are those of one environment, ``metadata["autoreset_mode"]`` is a
    ``gymnasium.vector.AutoresetMode``. All attributes are assignable.
    """

    def render(self, env_ids: Any = None, camera_id: int | None = None, *, mode: str | None = None) -> Any:
        """Renders environments as :meth:`envpool_rs.pools.GymnasiumEnvPool.render` does, in the format ``mode``.

        ``mode`` is one of the values of ``render_mode``, ``None`` that of the pool; a str ``env_ids`` is taken for it,
        as in gym before 0.26. Raises a ``ValueError`` for a mode that the task does not support.
        """
        if isinstance(env_ids, str):
            env_ids, mode = None, env_ids
        return self._render_rows(self._spec.rendering.env_id if env_ids is None else env_ids, mode, camera_id)
