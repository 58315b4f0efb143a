"""EnvPool's interface for dm_env."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

from envpool_rs._facades.interfaces import EnvPoolResets
from envpool_rs._facades.pool import EnvPoolCalls
from envpool_rs._spec.spaces import check_time_steps, import_dm_env
from envpool_rs._spec.spec import EnvSpec

dm_env: Any = import_dm_env()

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    from envpool_rs._core import Out

    class TimeStep(dm_env.TimeStep):  # type: ignore[misc]
        """dm_env's time step with arrays as fields, a row for each environment (or player)."""

        step_type: npt.NDArray[np.int32]
        reward: npt.NDArray[np.float32]
        discount: npt.NDArray[np.float32]
        observation: Any

        def first(self) -> npt.NDArray[np.bool_]: ...
        def mid(self) -> npt.NDArray[np.bool_]: ...
        def last(self) -> npt.NDArray[np.bool_]: ...


class DMInterface(EnvPoolResets["TimeStep"]):
    """EnvPool's dm_env interface."""

    _spec: EnvSpec
    _added_infos: ClassVar[tuple[str, ...]] = ()  # infos that the backend adds to those of the environments

    @classmethod
    def _format(cls, spec: EnvSpec) -> dict[str, Any]:
        # Refuses same-step autoreset and episode statistics, which a time step cannot represent.
        check_time_steps(spec.autoreset_mode.name.lower(), bool(spec.config_dict()["record_episode_statistics"]))
        types = {"timestep_type": dm_env.TimeStep, "observation_type": spec.observation_type(*cls._added_infos)}
        return {"layout": "dm", **types}

    def observation_spec(self) -> Any:
        """Specs of one environment's observation, with the fields of a time step's ``observation``."""
        return self._spec.observation_spec()

    def action_spec(self) -> Any:
        """Spec of one environment's action."""
        return self._spec.action_spec()

    if TYPE_CHECKING:
        # For type checkers: at run time, `step`, `recv` and other methods are the Rust extension's.
        def step(self, action: Any, env_id: Any = None, *, out: Out | None = None) -> TimeStep: ...
        def recv(self, reset: bool = False, return_info: bool = True, *, out: Out | None = None) -> TimeStep: ...


class DMEnvPool(DMInterface, EnvPoolCalls, dm_env.Environment):  # type: ignore[misc]
    """EnvPool's dm_env interface: each batch is one ``dm_env.TimeStep``.

    ``step_type`` (int32, 0 first, 1 middle, 2 last), ``reward`` and ``discount`` (float32) are arrays, and so are
    ``first()`` and ``last()``. ``observation`` is a namedtuple ``State`` of ``env_id``, ``players`` (with ``env_id``),
    the observation (``obs``, or the fields of a dict space) and the environment's own infos.
    """
