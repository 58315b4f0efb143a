"""Gymnasium vector environments made of a batch and of functions of numpy arrays."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

import gymnasium
import mujoco
import numpy as np
import numpy.typing as npt
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space

from envpool_rs._arguments import array as as_array
from envpool_rs._arguments import choice, integer, mapping, optional_integer, seeds_of
from envpool_rs._errors import ClosedPoolError
from envpool_rs._known_attributes import KnownAttributes
from envpool_rs.batch.batch import MAX_INT, STATE_FIELDS, Batch

_MAX_ELAPSED = 2**62
"""Largest number of elapsed steps in a snapshot."""

_NONE = int(mujoco.mjtStage.mjSTAGE_NONE)


class States(KnownAttributes):
    """Copy of the states of a batch. Fields of the state are attributes, such as ``states.qpos``, ``(nsim, nq)``."""

    state: npt.NDArray[np.float64]

    def __init__(self, batch: Batch) -> None:
        self._batch = batch
        self.state = batch.state.copy()

    def __repr__(self) -> str:
        return f"<States of {self._batch!r}>"

    def __getattr__(self, name: str) -> Any:
        if name not in STATE_FIELDS:
            raise AttributeError(f"{name} is no field of the state: bind it, and copy it before the step")
        return self._batch._part(self.state, name)


class Randoms(Sequence[np.random.Generator]):
    """Random generators of environments, one for each. A method of numpy's ``Generator``, such as
    ``randoms.uniform(-1, 1, 3)``, draws a row from each generator and returns the rows, ``(n, 3)``.
    """

    def __init__(self, generators: Sequence[np.random.Generator]) -> None:
        self._generators = generators

    def __len__(self) -> int:
        return len(self._generators)

    def __getitem__(self, index: Any) -> Any:
        found = self._generators[index]
        return Randoms(found) if isinstance(index, slice) else found

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_") or not callable(getattr(np.random.Generator, name, None)):
            raise AttributeError(f"{name} is no method of numpy's Generator")

        def rows(*arguments: Any, **named: Any) -> Any:
            return np.array([getattr(each, name)(*arguments, **named) for each in self._generators])

        rows.__name__ = name
        return rows

    def __repr__(self) -> str:
        return f"<Randoms of {len(self)} environments>"


def make_vec(
    batch: Batch,
    observe: Callable[[Batch], Any],
    reward: Callable[[Batch, States, Any], Any],
    ended: Callable[[Batch], Any],
    begin: Callable[[Batch, Any, Randoms], None],
    limit: int | None = None,
    frame_skip: int = 1,
    *,
    info: Callable[[Batch, States, Any], dict[str, Any]] | None = None,
    reset_info: Callable[[Batch], dict[str, Any]] | None = None,
    substep: Callable[[Batch, Any, Any], None] | None = None,
    action_space: gymnasium.Space[Any] | None = None,
    observation_space: gymnasium.Space[Any] | None = None,
    autoreset_mode: str | AutoresetMode = AutoresetMode.NEXT_STEP,
    render_mode: str | None = None,
) -> BatchVectorEnv:
    """Makes a gymnasium vector environment of a batch: an environment for each simulation.

    Args:
        batch: the simulations. The environment steps and resets them.
        observe: returns observations, ``(nsim, ...)``.
        reward: returns rewards, ``(nsim,)``, from the batch, the states before the step, and the actions.
        ended: returns whether each episode terminates, ``(nsim,)`` bools.
        begin: sets the initial states of the simulations whose episodes begin, which have been reset to the model's
            defaults. Its arguments are the batch, the numbers of the simulations, and the :class:`Randoms` of their
            environments (PCG64, as gymnasium's).
        limit: the maximum number of steps of an episode; ``None`` for no limit.
        frame_skip: the number of physics steps per step.
        info: returns arrays of infos by name, ``(nsim, ...)`` each, from the same arguments as ``reward``.
        reset_info: returns the infos of new episodes, from the batch. Rows of other environments are ignored.
        substep: called before each physics step with the batch, the numbers of the simulations that take the step, and
            all actions. It sets ``ctrl`` instead of the environment, and may set forces.
        action_space: space of one environment's actions, ``(nu,)``, with ``substep`` of any shape; by default a ``Box``
            of the model's control ranges.
        observation_space: space of one environment's observations, of the shape of a row of ``observe``; by default a
            ``Box`` without bounds.
        autoreset_mode: ``"next_step"``, ``"same_step"`` or ``"disabled"``, or gymnasium's constant.
        render_mode: ``"rgb_array"`` for pictures by ``render``, as :meth:`Batch.render` draws them.

    If a function or a simulation raises in a step or reset, the states, random streams and elapsed steps are those
    before the call.
    """
    required = {"observe": observe, "reward": reward, "ended": ended, "begin": begin}
    functions = {**required, "info": info, "reset_info": reset_info, "substep": substep}
    for name, function in functions.items():
        if not callable(function) and (name in required or function is not None):
            raise TypeError(f"{name}={function!r}: expected a function{'' if name in required else ' or None'}")
    if render_mode is not None:
        choice("render_mode", render_mode, ("rgb_array",))
    if not isinstance(batch, Batch):
        raise TypeError(f"batch={batch!r}: expected an envpool_rs.Batch")
    if not isinstance(autoreset_mode, AutoresetMode):
        modes = tuple(mode.name.lower() for mode in AutoresetMode)
        autoreset_mode = AutoresetMode[choice("autoreset_mode", autoreset_mode, modes).upper()]
    limit, frame_skip = optional_integer("limit", limit, 1), integer("frame_skip", frame_skip, 1, MAX_INT)
    env = BatchVectorEnv(batch, tuple(functions.values()), limit, frame_skip)
    env.set_spaces(action_space, observation_space, autoreset_mode)
    env.render_mode = render_mode
    return env


class BatchVectorEnv(KnownAttributes, VectorEnv[Any, Any, Any]):
    """Vector environment of a batch: see :func:`make_vec`."""

    batch: Batch
    """The simulations."""

    def __init__(self, batch: Batch, functions: Any, limit: int | None, frame_skip: int) -> None:
        self.batch = batch
        self.num_envs = batch.nsim
        self._observe, self._reward, self._ended, self._begin, self._info, self._reset_info, self._substep = functions
        self._limit, self._frame_skip = limit, frame_skip
        self._generators: list[np.random.Generator | None] = [None] * self.num_envs
        self._elapsed = np.zeros(self.num_envs, np.int64)
        self._is_done = np.zeros(self.num_envs, bool)
        # Generators that `begin` has used in this call, each with its state before.
        self._used: list[tuple[np.random.Generator, Any]] = []
        # Values before a call that raised and whose restoration was interrupted.
        self._unrestored: tuple[Any, ...] | None = None

    @property
    def elapsed(self) -> npt.NDArray[np.int64]:
        """Number of steps since the start of each environment's episode, ``(n,)``; numbers can be assigned."""
        return self._elapsed

    @elapsed.setter
    def elapsed(self, counts: Any) -> None:
        given = as_array("elapsed", counts)
        if given.dtype.kind not in "iu" or given.shape not in ((), (self.num_envs,)):
            expected = f"an integer, or one for each of {self.num_envs} environments"
            raise ValueError(f"elapsed is {given.dtype} {given.shape}: expected {expected}")
        _check_elapsed("elapsed", np.atleast_1d(given))
        self._elapsed[...] = given

    def set_spaces(self, action: Any, observation: Any, mode: AutoresetMode) -> None:
        """Sets the spaces (by default those that :func:`make_vec` describes) and the autoreset mode."""
        model = self.batch.model
        sample = self._rows("observe", self._observe(self.batch))
        for name, space, shape in (
            ("action_space", action, (model.nu,)),
            ("observation_space", observation, sample.shape[1:]),
        ):
            if space is not None and not isinstance(space, gymnasium.Space):
                raise TypeError(f"{name}={space!r}: expected a space of gymnasium or None")
            is_free = name == "action_space" and self._substep is not None
            if space is not None and space.shape != shape and not is_free:
                raise ValueError(f"{name}={space!r}: expected a space of shape {shape}")
        if action is None:
            limited = model.actuator_ctrllimited.astype(bool)[:, None]
            low, high = np.where(limited, model.actuator_ctrlrange, [-np.inf, np.inf]).astype(np.float32).T
            action = gymnasium.spaces.Box(low, high)
        if observation is None:
            observation = gymnasium.spaces.Box(-np.inf, np.inf, sample.shape[1:], sample.dtype.type)
        self.single_action_space, self.single_observation_space = action, observation
        self.action_space, self.observation_space = (batch_space(each, self.num_envs) for each in (action, observation))
        fps = round(1 / (model.opt.timestep * self._frame_skip))
        self.metadata = {"autoreset_mode": mode, "render_modes": ["rgb_array"], "render_fps": fps}

    def _rows(self, name: str, value: Any, shape: tuple[int, ...] | None = None, kinds: str = "biuf") -> Any:
        """Returns a function's result as an array, with rows of environments and a dtype of numpy's `kinds`."""
        rows = np.asarray(value)
        if kinds and rows.dtype.kind not in kinds:
            kind = "numbers" if "f" in kinds else "bools"
            raise TypeError(f"{name} returned an array of {rows.dtype}: expected {kind}")
        if rows.shape[:1] != (self.num_envs,) or (shape is not None and rows.shape != shape):
            expected = f"({self.num_envs}, ...)" if shape is None else shape
            raise ValueError(f"{name} returned an array of shape {rows.shape}: expected {expected}")
        return rows

    def _start(self, sims: Any) -> None:
        if not len(sims):
            return
        self.batch.reset(sims, stage=_NONE)
        generators = []
        for sim in sims:
            generator = self._generators[sim]
            if generator is None:
                raise RuntimeError(f"environment {sim} has never been reset: call reset() before step()")
            self._used.append((generator, generator.bit_generator.state))
            generators.append(generator)
        self._begin(self.batch, sims, Randoms(generators))
        self.batch.forward(sims)
        self.elapsed[sims] = 0
        self._is_done[sims] = False

    @contextlib.contextmanager
    def _restored_on_error(self, states: Any) -> Iterator[None]:
        """Restores states, progress and random streams if the block raises. `states` are those before the block."""
        before = states, self.elapsed.copy(), self._is_done.copy(), self._generators.copy()
        self._used.clear()
        try:
            yield
        except BaseException:
            self._unrestored = before
            self._restore()
            raise

    def _restore(self) -> None:
        """Restores what the last call has not restored. If it is interrupted, the next call repeats it."""
        if self._unrestored is None:
            return
        states, elapsed, is_done, generators = self._unrestored
        for generator, stream in reversed(self._used):
            generator.bit_generator.state = stream
        self.elapsed[...], self._is_done, self._generators = elapsed, is_done.copy(), generators.copy()
        self.batch.state[...] = states
        try:
            with contextlib.suppress(Exception):
                self.batch.forward()  # computes bound fields
        finally:
            self.batch.state[...] = states
        self._unrestored = None

    def _check_open(self) -> None:
        if self.closed:
            raise ClosedPoolError("this vector environment is closed")
        self._restore()

    def _current(self) -> Any:
        observation = self._rows("observe", self._observe(self.batch), self.observation_space.shape)
        return observation.astype(self.single_observation_space.dtype)

    def reset(self, *, seed: Any = None, options: dict[str, Any] | None = None) -> tuple[Any, dict[str, Any]]:
        """Starts new episodes in all environments, or in those whose mask is true in ``{"reset_mask": mask}``.

        ``seed`` is ``None`` to continue the random streams; an int, from which environment ``i`` gets ``seed + i``; or
        a sequence with an int or ``None`` for each environment.
        """
        self._check_open()
        mask = np.ones(self.num_envs, bool)
        if options is not None and "reset_mask" in mapping("options", options):
            mask = as_array("options['reset_mask']", options["reset_mask"])
            if mask.dtype != bool or mask.shape != (self.num_envs,):
                raise ValueError(f"options['reset_mask']: expected {self.num_envs} bools")
        seeds = seeds_of(seed, range(self.num_envs), f"{self.num_envs}, one for each environment")
        if any(each is not None and each < 0 for each in seeds):
            raise ValueError(f"seed={seed!r}: expected 0 or more")
        with self._restored_on_error(self.batch.state.copy()):
            for sim in np.flatnonzero(mask):
                if seeds[sim] is not None or self._generators[sim] is None:
                    sequence = np.random.SeedSequence(seeds[sim])
                    self._generators[sim] = np.random.Generator(np.random.PCG64(sequence))
            self._start(np.flatnonzero(mask))
            return self._current(), self._new_infos({}, mask)

    def step(self, actions: Any) -> tuple[Any, Any, Any, Any, dict[str, Any]]:
        """Steps all environments, with one action for each."""
        self._check_open()
        actions = as_array("actions", actions)
        if actions.shape != self.action_space.shape:
            raise ValueError(f"actions has shape {actions.shape}: expected {self.action_space.shape}")
        if actions.dtype.kind not in "biuf":
            raise TypeError(f"actions has the dtype {actions.dtype}: expected numbers")
        for at in np.argwhere(~np.isfinite(actions))[:1].tolist():
            raise ValueError(f"actions{at}={actions[tuple(at)]}: expected finite numbers")
        if any(generator is None for generator in self._generators):
            raise RuntimeError("there are environments that have never been reset: call reset() before step()")
        if self.metadata["autoreset_mode"] == AutoresetMode.DISABLED and self._is_done.any():
            over = np.flatnonzero(self._is_done).tolist()
            raise RuntimeError(f"environments {over} have ended: reset them, by options={{'reset_mask': mask}}")
        before = States(self.batch)
        with self._restored_on_error(before.state):
            return self._step(actions, before)

    def _step(self, actions: Any, before: States) -> tuple[Any, Any, Any, Any, dict[str, Any]]:
        """Steps all environments, whose states are ``before``. Some are left half stepped if a function raises."""
        batch, beginning = self.batch, self._is_done.copy()
        stepped = np.flatnonzero(~beginning)
        if self._substep is None:
            batch.ctrl[stepped] = actions[stepped]
            batch.step(stepped, nstep=self._frame_skip)
        else:
            for _ in range(self._frame_skip):
                self._substep(batch, stepped, actions)
                batch.step(stepped)
        self.elapsed[stepped] += 1
        shape = (self.num_envs,)
        rewards = np.where(beginning, 0.0, self._rows("reward", self._reward(batch, before, actions), shape))
        terminated = self._rows("ended", self._ended(batch), shape, "biu").astype(bool) & ~beginning
        truncated = np.zeros(self.num_envs, bool)
        if self._limit is not None:
            truncated = (self.elapsed >= self._limit) & ~beginning
        infos = {} if self._info is None else self._masked(self._info(batch, before, actions), ~beginning)
        self._is_done = terminated | truncated
        self._start(np.flatnonzero(beginning))
        infos = self._new_infos(infos, beginning)
        if self.metadata["autoreset_mode"] == AutoresetMode.SAME_STEP and self._is_done.any():
            over = self._is_done.copy()  # whose infos move to `final_info`
            final = np.full(self.num_envs, None, object)
            observations = self._current()
            for sim in np.flatnonzero(over):
                final[sim] = observations[sim].copy()
            found = {name: values for name, values in infos.items() if not name.startswith("_")}
            final_infos = self._masked(found, over)
            self._start(np.flatnonzero(over))
            infos = {} if over.all() else self._masked(found, ~over)
            infos = self._new_infos(infos, over)
            infos |= {"final_obs": final, "_final_obs": over, "final_info": final_infos, "_final_info": over.copy()}
        return self._current(), rewards, terminated, truncated, infos

    def _new_infos(self, infos: dict[str, Any], mask: Any) -> dict[str, Any]:
        """Returns ``infos`` with those of the episodes that begin in the environments of a mask."""
        if self._reset_info is None or not mask.any():
            return infos
        new = self._masked(self._reset_info(self.batch), mask, "reset_info")
        for name in [each for each in new if not each.startswith("_")]:
            if name in infos:
                chosen = mask.reshape(-1, *[1] * (new[name].ndim - 1))
                new[name] = np.where(chosen, new[name], infos[name])
                new[f"_{name}"] |= infos[f"_{name}"]
        return infos | new

    def render(self) -> tuple[Any, ...] | None:
        """Returns a picture ``(height, width, 3)`` of each environment; ``None`` without a render mode."""
        self._check_open()
        return None if self.render_mode is None else tuple(self.batch.render())

    def __repr__(self) -> str:
        return f"<BatchVectorEnv of {self.batch!r}>"

    def _masked(self, infos: dict[str, Any], mask: Any, function: str = "info") -> dict[str, Any]:
        """Returns infos of some environments in gymnasium's format: a mask of the environments that have each info,
        zeros in other rows.
        """
        if not isinstance(infos, Mapping):
            raise TypeError(f"{function} returned a {type(infos).__name__}: expected a dict of arrays")
        masked: dict[str, Any] = {}
        for name, values in infos.items():
            rows = self._rows(f"{function}'s {name}", values, kinds="").copy()
            rows[~mask] = 0
            masked[name], masked[f"_{name}"] = rows, mask.copy()
        return masked

    def get_state(self) -> dict[str, Any]:
        """Returns a snapshot: states of the simulations, random streams, and elapsed steps of the episodes."""
        self._restore()
        streams = [None if each is None else each.bit_generator.state for each in self._generators]
        progress = {"elapsed": self.elapsed.copy(), "is_over": self._is_done.copy()}
        return {"state": self.batch.state.copy(), "streams": streams, **progress}

    def set_state(self, state: dict[str, Any]) -> None:
        """Restores a snapshot of :meth:`get_state`, also one of another vector environment with the same model and
        functions.

        Raises:
            ValueError: for a snapshot of another number of environments, or of another model.
        """
        missing = {"state", "streams", "elapsed", "is_over"} - set(mapping("state", state))
        if missing:
            raise ValueError(f"state has no {', '.join(sorted(missing))}: expected a snapshot of get_state()")
        own = {"state": self.batch.state, "elapsed": self.elapsed, "is_over": self._is_done}
        arrays = {name: as_array(f"state[{name!r}]", state[name]) for name in own}
        for name, each in own.items():
            found, expected = (f"{array.dtype} {array.shape}" for array in (arrays[name], each))
            if found != expected:
                raise ValueError(f"state[{name!r}] is {found}: expected {expected}, as of get_state()")
        _check_elapsed("state['elapsed']", arrays["elapsed"])
        streams = state["streams"]
        if not isinstance(streams, (list, tuple)) or len(streams) != self.num_envs:
            raise ValueError(f"state['streams']: expected a list of {self.num_envs}, one for each environment")
        generators: list[Any] = []
        for sim, stream in enumerate(streams):
            bits = np.random.PCG64()
            try:
                bits.state = bits.state if stream is None else stream
            except (TypeError, ValueError, KeyError, OverflowError):
                expected = "expected a state of numpy's PCG64"
                raise ValueError(f"state['streams'][{sim}]={stream!r}: {expected}") from None
            generators.append(None if stream is None else np.random.Generator(bits))
        self._unrestored = None
        for name, each in own.items():
            each[...] = arrays[name]
        self._generators = generators


def _check_elapsed(name: str, elapsed: npt.NDArray[Any]) -> None:
    wrong = elapsed[(elapsed < 0) | (elapsed > _MAX_ELAPSED)]
    if wrong.size:
        raise ValueError(f"{name} has {wrong[0]}: expected 0 to {_MAX_ELAPSED}")
