"""``WorkerGroup``: the client of Python environments in worker processes; ``Steps``: the results of its requests."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from multiprocessing.context import BaseContext
from typing import Any, Literal, NoReturn

import numpy as np

from envpool_rs._arguments import array, choice, entries, optional_integer, shown
from envpool_rs._core import WorkerClient
from envpool_rs._known_attributes import KnownAttributes
from envpool_rs._nested import object_array, zip_leaves
from envpool_rs._workers.hosted_envs import HostOptions
from envpool_rs._workers.serialization import ByValue, EnvFailure, WorkerDied, dumps, loaded_value, nest_leaves
from envpool_rs._workers.worker_process import WorkerEnvs

#: Array of environment ids.
Ids = np.ndarray[Any, np.dtype[np.int64]]

WAKE_UPS = ("auto", "futex", "poll")


class Steps:
    """The results of a step or reset of k environments; row k belongs to ``ids[k]``.

    ``leaves`` are the observations as one new array ``[k, *shape]`` for each leaf; None unless all environments have
    equal spaces that are stored in rows. Rows whose observation was sent as a message hold no valid data. ``rewards``
    (float64) are 0 after a reset, and NaN for the rows of ``odd_rewards``, which are not numbers (arrays, None).
    ``terminated``, ``truncated`` and ``four_values`` are bools; the last is true if the step returned old gym's four
    values, and None if no step did so. ``infos`` has a dict for each row; None if all are empty. ``failures`` are by
    environment its exception or the loss of its worker; rows of these environments hold no valid data. ``restarted``
    are the environments whose worker was restarted; in their rows, the observation is the first of the new episode,
    the reward is 0 and truncated is True.
    """

    def __init__(self, ids: Any, replies: Any, structures: list[Any], *, uniform: bool) -> None:
        leaves, self.rewards, self.terminated, self.truncated, self.four_values, self.infos, *rest = replies
        self.ids = ids
        self.leaves: list[np.ndarray[Any, Any]] | None = leaves if uniform else None
        self._structures = structures
        self._messages: dict[int, dict[str, Any]] = rest[0]
        self.failures: dict[int, EnvFailure] = rest[1]
        self.restarted: list[int] = [int(ids[row]) for row in rest[2]]
        self.odd_rewards = {row: each["reward"] for row, each in self._messages.items() if "reward" in each}
        for row in self.odd_rewards:
            self.rewards[row] = np.nan

    def observations(self) -> Any:
        """Returns all observations as one batch, as :func:`stacked` does."""
        if self.leaves is not None and not self._by_message():
            return nest_leaves(self._structures[0], self.leaves)
        return stacked([self.observation(k) for k in range(len(self.ids))])

    @property
    def in_rows(self) -> bool:
        """Whether all observations are in rows of one layout, so that ``observations`` need not stack them."""
        return self.leaves is not None and not self.failures and not (self._messages and self._by_message())

    def _by_message(self) -> bool:
        return any("observation" in message for message in self._messages.values())

    def observation(self, k: int) -> Any:
        """Returns row k's observation as the environment returned it; None after a failure. The arrays are copies."""
        if self.failures and self.ids[k] in self.failures:
            return None
        message = self._messages.get(k)
        if message is not None and "observation" in message:
            return message["observation"]
        structure = self._structures[int(self.ids[k])]
        if structure is None or self.leaves is None:
            return None
        row = [leaf[k] for leaf in self.leaves]
        return nest_leaves(structure, [each.copy() if isinstance(each, np.ndarray) else each for each in row])

    def has_four_values(self, k: int) -> bool:
        """Returns whether row k's step returned old gym's four values."""
        return self.four_values is not None and bool(self.four_values[k])

    def reward(self, k: int) -> Any:
        """Returns row k's reward as the environment returned it."""
        return self.odd_rewards[k] if k in self.odd_rewards else self.rewards[k]


def stacked(observations: list[Any]) -> Any:
    """Stacks observations into one batch: arrays of equal shape, and dicts and tuples of equal structure leaf by leaf.

    Observations that do not stack become an array of objects.
    """
    return zip_leaves(_stacked_arrays, *observations) if observations else np.empty(0, dtype=object)


def _stacked_arrays(*observations: Any) -> np.ndarray[Any, Any]:
    try:
        arrays = [np.asarray(each) for each in observations]
        if all(array.dtype != object for array in arrays):
            return np.stack(arrays)
    except ValueError:
        pass  # arrays of different shapes
    return object_array(observations)


_PLAIN = 6  # length of a step's replies if all environments replied with rows and infos only
_MAX_WAIT = 86400.0  # seconds that the system's clocks accept for one wait


class WorkerGroup(KnownAttributes):
    """Python environments distributed among worker processes, which exchange data through one block of shared memory.

    ``env_fns`` make one environment each. There are ``num_workers`` processes: None for one per available core, at most
    one per environment. With ``caller_share``, the calling process also hosts and steps a share of the environments;
    the default number of workers is then one smaller. ``context`` is multiprocessing's start method or context.
    Environments of legacy gym and dm_env are adapted to gymnasium's interface, unless ``adapt`` is false. ``wrap`` is
    applied to each new environment, in the process that hosts it; ``wrap_restarted`` instead in restarted workers.

    A ``lenient`` group passes on observations exactly as environments return them: an observation that differs from its
    space in dtype or structure is sent as an object. Otherwise it is cast if numpy's "same_kind" rule allows the cast,
    and rejected if not. With ``restart``, dead workers are restarted and their environments reset; with ``"retry"``,
    lost requests are sent again to the new environments, which are not reset. ``on_restart`` is called with the
    ``WorkerDied`` error of each restarted worker, during a call of another method.

    Workers are daemonic, so that multiprocessing does not let them have child processes, unless ``daemon`` is false.
    Worker ``w`` is pinned to the available core ``pin_offset + w``; -1 pins none. ``wake_up`` is ``"auto"``,
    ``"futex"`` or ``"poll"``. Unless ``start`` is false, the constructor waits until all environments are made;
    otherwise ``initialize`` must be called later.

    Attributes: ``worker_of`` is the worker of each environment, -1 for the caller's own. ``observation_spaces`` and
    ``action_spaces`` have the space of each environment, None if it declares none, and ``descriptions`` a dict with its
    metadata, spec, reward_range and render_mode (None if missing), once all environments are made.

    Raises ValueError and TypeError for arguments out of range, naming them, and for a factory that cannot be pickled;
    a factory's exception, naming its environment.
    """

    num_envs: int
    num_workers: int
    worker_of: Any
    observation_spaces: list[Any]
    action_spaces: list[Any]
    descriptions: list[dict[str, Any]]

    def __init__(
        self,
        env_fns: Sequence[Callable[[], Any]],
        *,
        num_workers: int | None = None,
        caller_share: bool = False,
        context: str | BaseContext | None = None,
        lenient: bool = False,
        adapt: bool = True,
        restart: bool | Literal["retry"] = False,
        on_restart: Callable[[WorkerDied], None] | None = None,
        wrap: Callable[[Any], Any] | None = None,
        wrap_restarted: Callable[[Any], Any] | None = None,
        daemon: bool = True,
        pin_offset: int = -1,
        wake_up: str = "auto",
        start: bool = True,
    ) -> None:
        choice("wake_up", wake_up, WAKE_UPS)
        self._client: WorkerClient | None = None
        recovery: dict[Any, Literal["new_episode", "retry"]] = {True: "new_episode", "retry": "retry"}
        self._recovery = recovery.get(restart)
        self._envs = WorkerEnvs(
            env_fns,
            HostOptions(
                lenient,
                adapt,
                None if wrap is None else ByValue("wrap", wrap),
                None if wrap_restarted is None else ByValue("wrap_restarted", wrap_restarted),
            ),
            num_workers=num_workers,
            caller_share=caller_share,
            context=context,
            daemon=daemon,
            pin_offset=pin_offset,
            wake_up=wake_up,
            on_restart=on_restart,
        )
        self._processes = self._envs.processes
        self.num_envs = self._envs.num_envs
        self.num_workers = self._envs.num_workers
        self.worker_of = self._envs.worker_of
        self._all = np.arange(self.num_envs)
        self._all_list = self._all.tolist()
        if start:
            self.initialize()

    def initialize(self) -> None:
        """Waits until every environment is made. Later calls do nothing.

        Raises a factory's exception, naming the environment, after all processes have ended.
        """
        if self._client is not None:
            return
        self._check_owner_process()
        self._envs.make()
        self.observation_spaces = self._envs.observation_spaces
        self.action_spaces = self._envs.action_spaces
        self.descriptions = self._envs.descriptions
        self._structures = [layout.structure for layout in self._envs.layouts]
        self._uniform = self._envs.uniform
        self._client = WorkerClient(
            self._envs.workers(),
            self.num_envs,
            leaves=self._envs.layouts[0].rows if self._uniform else [],
            recovery=self._recovery,
            dumps=dumps,
        )

    # `ids` are environments, each once; None for all. Methods raise IndexError or ValueError for wrong ids, and
    # RuntimeError for an environment that is in flight, or lost (WorkerDied); then no request is sent.

    def send_steps(self, ids: Any, actions: Any) -> None:
        """Sends a step to environments; ``actions`` are an array ``[len(ids), ...]`` or a sequence, one for each."""
        self._usable().send_steps(self._ids(ids), actions)

    def _ids(self, ids: Any) -> Any:
        """Returns ids as the client takes them; ``None`` for a list of all in order, since it needs no conversion."""
        if ids is None or (type(ids) is list and ids == self._all_list and type(ids[0]) is int):
            return None
        numbers = ids if type(ids) is np.ndarray and ids.ndim else np.atleast_1d(array("ids", ids))
        if numbers.size and numbers.dtype.kind not in "iu":
            raise TypeError(f"ids={shown(ids)}: expected integers")
        return numbers

    def send_resets(self, ids: Any, seeds: Any = None, /, **keywords: Any) -> None:
        """Sends ``reset(seed=..., **keywords)`` to environments; seeds and options that are None are omitted."""
        client, ids = self._usable(), self._ids(ids)
        if keywords.get("options", self) is None:
            del keywords["options"]
        if seeds is not None:
            count = self.num_envs if ids is None else len(ids)
            seeds = [
                optional_integer(f"seeds[{index}]", seed, -(2**63), 2**63 - 1, allowed="an integer of 64 bits")
                for index, seed in enumerate(entries("seeds", seeds, count, f"one for each of {count} environments"))
            ]
        client.send_resets(ids, seeds, dumps(keywords) if keywords else None)

    def send_calls(self, ids: Any, operation: str, payloads: Any = None) -> None:
        """Sends an operation other than step or reset to environments, with a payload for each (default None).

        Operations and their payloads are ``"get_attr"`` (the name), ``"set_attr"`` ((name, value)), ``"call"`` ((name,
        args, keywords)), ``"apply"`` ((function, args): calls ``function(env, *args)``), ``"render"`` (keywords or
        None), ``"seed"`` (the seed), and ``"close"``. Raises TypeError for a payload that cannot be pickled.
        """
        client, ids = self._usable(), self._ids(ids)
        client.send_calls(ids, self._messages(ids, operation, payloads))

    def _messages(self, ids: Ids | None, operation: str, payloads: Any) -> list[bytes]:
        count = self.num_envs if ids is None else len(ids)
        payloads = [None] * count if payloads is None else list(payloads)
        if len(payloads) != count:
            raise ValueError(f"{len(payloads)} payloads for {count} environments: expected one for each")
        return [dumps((operation, payload)) for payload in payloads]

    def wait(self, ids: Any = None, count: int | None = None, timeout: float | None = None) -> Ids:
        """Blocks until ``count`` requests have finished (None: those of all ``ids``), or ``timeout`` seconds passed.

        Returns the environments (int64) whose requests have finished and are not yet taken, in order of completion.
        Here ``ids=None`` stands for all that are in flight. After Ctrl-C all requests remain in flight; calls that it
        left have no result, and are not waited for.
        """
        client, ids = self._usable(), self._ids(ids)
        limit = None if timeout is None else min(timeout, _MAX_WAIT)
        client.wait(ids, self.num_envs if count is None else count, limit)  # a count excludes calls that were left
        return client.completed(ids, count)

    def wait_all(self, ids: Any = None) -> None:
        """Blocks until all requests to ``ids`` (None: all) have finished."""
        self._usable().wait(self._ids(ids))

    def take_steps(self, ids: Any = None) -> Steps:
        """Returns the results of finished steps and resets, in the order of ``ids``.

        Raises RuntimeError for an environment that has not finished.
        """
        client, ids = self._usable(), self._ids(ids)
        return Steps(self._all if ids is None else ids, client.take(ids), self._structures, uniform=self._uniform)

    def step(self, actions: Any) -> tuple[Any, ...] | Steps:
        """Steps all environments and waits: ``send_steps``, ``wait`` and ``take_steps`` in one call.

        Returns ``(observations, rewards, terminated, truncated, four_values, infos)`` if no environment failed or
        reported anything but an info; infos are an array of dicts, each with ``env_id``. Otherwise the ``Steps``.
        """
        client = self._client
        if client is None or self._envs.ended or not self._envs.is_owner_process:
            client = self._usable()
        replies: Any = client.step(actions)
        structure = self._structures[0]
        if len(replies) == _PLAIN and structure is not None:
            leaves, *rest = replies
            return (leaves[0] if structure == 0 else nest_leaves(structure, leaves), *rest)
        return Steps(self._all, replies, self._structures, uniform=self._uniform)

    def take_values(self, ids: Any = None) -> list[Any]:
        """Returns the results of finished calls in the order of ``ids``; a failure is an EnvFailure object."""
        client, ids = self._usable(), self._ids(ids)
        return self._values(ids, client.take_values(ids))

    def _values(self, ids: Ids | None, replies: list[Any]) -> list[Any]:
        every = range(self.num_envs) if ids is None else ids.tolist()
        pairs = zip(every, replies, strict=True)
        return [loaded_value(each, env_id, "call") if isinstance(each, bytes) else each for env_id, each in pairs]

    def call(self, ids: Any, operation: str, payloads: Any = None) -> list[Any]:
        """Sends calls, waits for them, and returns their results in the order of ``ids``; raises the first exception of
        an environment after all are done.
        """
        client, ids = self._usable(), self._ids(ids)
        return without_failures(self._values(ids, client.call(ids, self._messages(ids, operation, payloads))))

    def discard(self, ids: Any = None) -> None:
        """Waits for pending requests to ``ids`` (None: all), and discards their results."""
        client, requested = self._usable(), self._ids(ids)
        in_flight = client.in_flight
        busy = in_flight if requested is None else in_flight[np.isin(in_flight, requested)]
        if len(busy):
            client.wait(busy)
            client.discard(client.completed(busy))  # without calls that were interrupted, whose replies are dropped

    @property
    def in_flight(self) -> Ids:
        """The environments (int64) with a request whose result was not taken yet."""
        return self._usable().in_flight

    def is_ready(self, env_id: int) -> bool:
        """Returns whether an environment accepts a request, because no request to it is in flight."""
        return env_id not in self.in_flight

    def record_seeds(self, ids: Sequence[int], seeds: Sequence[int | None]) -> None:
        """Records seeds that calls have set; seeds of episodes after the loss of a worker are derived from them."""
        client = self._usable()
        for env_id, seed in zip(ids, seeds, strict=True):
            if seed is not None:
                client.note_seed(env_id, seed)

    @property
    def restarts(self) -> list[int]:
        """The number of restarts of each worker's process."""
        return self._envs.restarts

    def _usable(self) -> WorkerClient:
        if self._client is None or self._envs.ended or not self._envs.is_owner_process:
            self._check_owner_process()
            raise RuntimeError("the environments are not initialized: call initialize() first")
        return self._client

    def _check_owner_process(self) -> None:
        if self._envs.ended:
            raise RuntimeError("the environments are closed")
        if not self._envs.is_owner_process:
            raise RuntimeError("these environments belong to the parent process: a forked child cannot use them")

    @property
    def closed(self) -> bool:
        """Whether ``close`` was called, or the environments could not be made."""
        return self._envs.ended

    def __reduce__(self) -> NoReturn:
        raise TypeError(f"cannot copy or pickle {type(self).__name__}: its environments live in worker processes")

    def __enter__(self) -> WorkerGroup:
        return self

    def __exit__(self, *exception: object) -> None:
        if not self.closed:
            self.close()

    def close(self, timeout: float = 5.0, terminate: bool = False) -> None:
        """Closes the environments and ends all processes. The second call does nothing.

        Environments have ``timeout`` seconds to finish pending requests and to close. Then processes are terminated,
        then killed; with ``terminate``, those with an environment in flight are terminated at once. Raises the first
        exception of an environment's ``close``, after all processes have ended.
        """
        failures = self._envs.shut_down(timeout) if self._client is None else self._client.end(timeout, terminate)
        without_failures(failures)


def without_failures(values: Sequence[Any]) -> list[Any]:
    """Returns the results of environments; raises the first failure among them."""
    for value in values:
        if isinstance(value, EnvFailure):
            raise value.raised()
    return list(values)
