"""The Rust extension: tasks, checked specifications, and the pool that steps environments.

Everything here works on batches. ``n`` below is the number of environments in a batch (``num_envs``, ``batch_size``, or the
number of ids asked for), ``rows`` is ``n`` times the players of one environment.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Literal, Protocol, TypeAlias, TypedDict, final

import numpy as np
import numpy.typing as npt

__version__: str
"""Version of the package, as in its metadata."""

EXACT_REFERENCE_COUNTS: bool
"""Whether reference counts tell here who holds an object; False: every result is made of fresh objects."""

Bounds: TypeAlias = float | list[float]
"""One bound for all elements, or one for each (flattened, C order)."""

SpaceDescriptor: TypeAlias = (
    tuple[Literal["box"], Bounds, Bounds, tuple[int, ...], str]
    | tuple[Literal["discrete"], int, int, str]
    | tuple[Literal["multi_binary"], tuple[int, ...]]
    | tuple[Literal["multi_discrete"], list[int], tuple[int, ...], str]
    | tuple[Literal["text"], int, str]
    | tuple[Literal["dict"], list[tuple[str, "SpaceDescriptor"]]]
    | tuple[Literal["tuple"], list["SpaceDescriptor"]]
)
"""A space as plain data: ``("box", low, high, shape, dtype)``, ``("discrete", n, start, dtype)``, ``("multi_binary", shape)``,
``("multi_discrete", counts, shape, dtype)``, ``("text", length, charset)``, ``("dict", [(key, space), ...])``
or ``("tuple", [space, ...])``."""

ArrayDescription: TypeAlias = tuple[str, str, tuple[int, ...]]
"""Name, numpy dtype name, and shape for one environment (``-1``: one per player)."""

Dialect: TypeAlias = Literal["envpool", "gymnasium"]
"""Whose dtypes and infos: EnvPool's (float32 rewards, int32 infos with ``env_id``) or gymnasium's (float64 rewards, ``_key`` masks)."""

Layout: TypeAlias = Literal["gymnasium", "gym", "dm"]
"""What ``step`` returns: a 5-tuple, a 4-tuple, or a dm_env ``TimeStep``."""

Finish: TypeAlias = Callable[[dict[str, Any], npt.NDArray[np.bool_], Any, dict[str, Any]], None]
"""``finish(info, mask, final_obs, final_info)``, called in same-step mode when an episode of the batch ended: ``mask`` is ``(n,)``,
``final_obs`` a batched observation, ``final_info`` the batched infos that went with it. It stores them in ``info``."""

class OptionDescription(TypedDict):
    """A keyword argument that a task takes.

    ``kind`` names types, separated by "or"; ``allowed`` says in words which values of these kinds, where not all;
    ``values`` are the texts, where it takes few; ``each_episode`` is whether it may be drawn for each episode.
    """

    name: str
    default: object
    kind: str
    allowed: str | None
    values: list[str]
    each_episode: bool
    doc: str

class PoolOptionDescription(TypedDict):
    """A keyword argument that every task takes; ``default`` is text, and says what it means."""

    name: str
    default: str
    kind: str
    values: list[str]
    doc: str

class TaskDescription(TypedDict):
    """A task of this release."""

    id: str
    max_episode_steps: int | None
    reward_threshold: float | None
    players: int
    options: list[OptionDescription]
    reset_options: list[str]

def pool_options() -> list[PoolOptionDescription]:
    """What every task takes beside its own options, in the order in which a configuration lists it."""

def options_of_python() -> list[PoolOptionDescription]:
    """What every task takes besides, by Python's side."""

def tasks() -> list[TaskDescription]:
    """All tasks of this release, in order of registration."""

def task(task_id: str) -> TaskDescription:
    """One task, as in `tasks`.

    Raises:
        ValueError: for a task that does not exist, suggesting near ones.
    """

def other_names(task_id: str) -> dict[str, tuple[str, str]]:
    """The names that others have for options of a task, each with the name here and whose it is."""

def tasks_with_option(name: str) -> list[str]:
    """The tasks of this release that have this option."""

def install_mujoco(
    path: str,
    layout: str,
    products: list[tuple[list[float], list[float], float]],
    matrix_products: list[tuple[list[float], list[float], float]],
    keeps_single: bool,
    kernels: list[tuple[str, int, int]],
) -> int:
    """Opens MuJoCo's library, once for the process.

    Args:
        path: the library.
        layout: what its structs look like: a line for each field and each number of an enumeration.
        products: two vectors each and their product, as numpy computes it.
        matrix_products: rows, columns and elements of products of matrices, likewise.
        keeps_single: whether a Python float times a number of single precision is one of single precision, as in numpy 2.
        kernels: the functions that ``numpy_kernels`` names, and the addresses of numpy's loops of them and of their data.

    Returns:
        The library's version, such as 3006000.

    Raises:
        ImportError: where it cannot be opened or used, or another one is open.
    """

def numpy_kernels() -> list[str]:
    """The functions that are computed by numpy's own code, beside MuJoCo's."""

def mujoco_signatures() -> list[tuple[str, list[str], str]]:
    """Lists the functions that are looked up in MuJoCo's library: name, types of the arguments and of the result.

    Returns:
        Types as Rust text, such as ``"*const RawModel"``; an empty text where a function returns nothing.
    """

def mujoco_simulations() -> int:
    """Counts the simulations of MuJoCo's (``mjData``) that this process has made and not ended."""

def make_models_with(program: Callable[[str], str]) -> None:
    """Says what makes the models of which there are no files, once for the process.

    Args:
        program: gives the text of the model of a name.
    """

def picture_backend() -> Literal["egl", "osmesa"]:
    """The GL that MuJoCo's pictures are drawn by.

    Raises:
        RuntimeError: where there is none, naming what to install.
    """

def maker_seeds(seed: Any, num_envs: int) -> tuple[int | list[int], list[int]]:
    """The option ``seed`` of a new pool as plain ints, and the seed of each environment's generator.

    Seeds lie in ``[-2**31, 2**63)``; a negative one stands for its 32 bits without a sign.
    """

def task_limits() -> dict[str, tuple[int | None, float | None]]:
    """Time limit and reward threshold of each task of this release by its id, in order of registration.

    A small part of :func:`tasks`, at a small part of its price.
    """

def only_actions(action_dict: object, agent: str, everyone: list[Any]) -> npt.NDArray[np.int64] | None:
    """The actions of environments 0, 1, ... (the list ``everyone``) with one agent each, where every one is an integer.

    ``None`` for everything else (other environments, another order or agent, further agents, no integers), which is for
    Python to look at: this is the short way of what is sent thousands of times a second.
    """

def only_action_arrays(
    action_dict: object, agent: str, everyone: list[Any], shape: Sequence[int]
) -> npt.NDArray[np.float32] | None:
    """The same where every action is a float32 array of ``shape``: ``(n, *shape)``."""

def vector_instructions() -> str:
    """The vector instructions that this process uses: ``avx512``, ``avx2``, ``baseline`` or ``scalar``.

    What the processor has, capped by the variable ``ENVPOOL_RS_VECTORS`` (``scalar`` or ``avx2``), which is read once.
    """

def xla_handlers() -> list[tuple[str, str, Any]]:
    """What ``jax.ffi.register_ffi_target`` takes: name, platform and capsule of each handler."""

def xla_untyped_calls() -> list[tuple[str, Any]]:
    """What XLA's older registration takes, with text (version 3): name and capsule of each call."""

def xla_failure(number: int) -> str | None:
    """Why untyped call number ``number`` failed, if that is still known."""

def xla_exposure(pool: Pool) -> tuple[int, bytes, list[tuple[str, str, int, tuple[int, ...]]]]:
    """Lets programs of XLA use a pool as long as the pool lives.

    Returns:
        The pool's number, its handle, and the arrays of a result: what each holds, dtype, rows for each environment, shape of a row.

    Raises:
        RuntimeError: where the pool is closed, or belongs to the parent of this process.
    """

@final
class AgentRows:
    """Observations of environments with one agent each, ``{env_id: {agent: row}}``, each row a view of one array."""

    def __new__(cls, ids: list[Any], agent: str, batch: npt.NDArray[Any]) -> AgentRows:
        """Makes arrays and dicts like those that ``batch`` would have."""

    def shown(self, batch: npt.NDArray[Any]) -> dict[Any, dict[Any, Any]] | None:
        """A batch of the same kind in these arrays and dicts; ``None`` if anybody still holds one of them."""

@final
class Spec:
    """A task with all its options checked; no environment is created."""

    def __new__(
        cls, task_id: str | Sequence[tuple[str, dict[str, Any]]], dialect: Dialect, options: Mapping[str, object]
    ) -> Spec:
        """Checks pool options (``num_envs``, ``batch_size``, ...) and the environment's own.

        Args:
            task_id: a task; or several, each with options of its own that come before the others.
            dialect: whose dtypes and infos.
            options: those of the pool and of the environments: one value for all, a sequence of ``num_envs`` of them, or a
                distribution to be drawn from for each episode.

        Raises:
            ValueError: for an unknown task (naming near ones) or a value that is not allowed.
            TypeError: for an unknown option, naming near ones, or one of the wrong kind.
        """

    def given_for_each(self) -> dict[str, list[Any]]:
        """The options that differ between environments, each with its ``num_envs`` values."""

    @property
    def task_id(self) -> str:
        """The task, or the tasks, separated by commas."""
    @property
    def dialect(self) -> Dialect:
        """Whose dtypes and infos."""
    @property
    def picture_size(self) -> tuple[int, int] | None:
        """Width and height of the environment's pictures in pixels; ``None`` where it draws none."""
    def picture_size_for(self, width: int, height: int) -> tuple[int, int]:
        """Width and height of pictures where these are asked for, 0 standing for the task's own.

        Raises:
            ValueError: for a size out of bounds.
            RuntimeError: where the task draws none.
        """
    @property
    def has_text(self) -> bool:
        """Whether the environment describes itself in text."""
    @property
    def has_cameras(self) -> bool:
        """Whether there are cameras to choose from, and pictures that tell how far away things are."""
    @property
    def render_fps(self) -> int:
        """Pictures that make a second of film."""
    @property
    def players(self) -> int:
        """Players in one environment."""
    @property
    def shared_spaces(self) -> bool:
        """Whether arrays have a row per player; otherwise spaces are dicts with an entry per player."""
    @property
    def config(self) -> dict[str, Any]:
        """Every option with its value, pool options first."""
    @property
    def decided(self) -> list[tuple[str, bool | str, str]]:
        """Options that left something to be decided when files were loaded: the value that each has come to, and why."""
    @property
    def observation(self) -> SpaceDescriptor:
        """Observation space of one environment (one player)."""
    @property
    def action(self) -> SpaceDescriptor:
        """Action space of one environment (one player)."""
    @property
    def info(self) -> list[ArrayDescription]:
        """The environment's own infos in this dialect."""
    @property
    def infos_of_terminations(self) -> list[str]:
        """Keys of the infos that are told only after steps that terminate an episode."""
    @property
    def info_ranges(self) -> dict[str, tuple[int, int]]:
        """The bounds that EnvPool's specification has for infos, where they are not those of their types."""
    @property
    def state_arrays(self) -> list[ArrayDescription]:
        """EnvPool's names of what a step returns: ``obs``, ``obs:key``, ``reward``, ``info:env_id``, ``done``, ..."""
    @property
    def action_arrays(self) -> list[ArrayDescription]:
        """EnvPool's names of what a step takes: ``env_id``, ``players.env_id``, ``action``."""
    @property
    def reset_options(self) -> list[str]:
        """Names of the numbers that a reset takes as options."""

class Pool:
    """Environments stepped in parallel. Subclass it, so that ``env.step`` is the Rust method itself."""

    def __new__(
        cls,
        spec: Spec | OutsideSpec | RemoteSpec,
        layout: Layout,
        finish: Finish | None = None,
        timestep_type: Callable[..., Any] | None = None,
        observation_type: Callable[..., Any] | None = None,
    ) -> Pool:
        """Creates all environments of ``spec``, unreset.

        Args:
            spec: what to create.
            layout: what ``step`` returns.
            finish: stores final observations in same-step mode.
            timestep_type: called with step_type, reward, discount, observation (layout ``"dm"``).
            observation_type: called with env_id, players, the observation's fields and the infos (layout ``"dm"``); of an
                ``OutsideSpec`` with the observation and the info dict.
        """

    @property
    def closed(self) -> bool:
        """Whether ``close`` was called."""
    @property
    def decided(self) -> list[tuple[str, bool | str, str]]:
        """Options that left something to be decided when environments were loaded: the value that each has come to, and why."""
    def step(self, action: Any, env_id: Any = None) -> Any:
        """``send`` and ``recv`` in one call.

        Args:
            action: ``(rows, ...)`` array of any integer, bool or float dtype; a dict of arrays for dict spaces.
            env_id: ``(n,)`` integers; ``None`` for all environments, in order.

        Returns:
            observation ``(rows, ...)``, reward ``(rows,)``, flags ``(n,)`` and a dict, as the layout has it.
        """
    def send(self, action: Any, env_id: Any = None) -> None:
        """Queues one step of some environments; arguments as for ``step``."""
    def recv(self, reset: bool = False, return_info: bool = True) -> Any:
        """Waits for the next batch; ``reset`` asks for the shape of a reset's result instead of a step's."""
    def _recv_columns(self) -> list[tuple[str, npt.NDArray[Any]]]:
        """Waits for the next batch, and returns its arrays, each with the name of what it holds."""
    def async_reset(self) -> None:
        """Queues a reset of all environments, to be received in batches."""
    def reset_envs(
        self,
        env_id: Any = None,
        seed: int | Sequence[int | None] | None = None,
        options: Mapping[str, float] | None = None,
        return_info: bool = True,
        all_rows: bool = False,
    ) -> Any:
        """Resets environments now.

        Args:
            env_id: ``(n,)`` integers; ``None`` for all (in async mode, ``batch_size`` rows come back).
            seed: ``None`` goes on with the generators; an int seeds environment ``i`` with ``seed + i``; a sequence has an entry
                per environment of ``env_id``, ``None`` entries going on.
            options: the environment's reset options.
            return_info: whether layout ``"gym"`` returns ``(obs, info)`` instead of ``obs``.
            all_rows: return a row for every environment of the pool: the others' current observation, and infos whose masks are
                ``False`` for them.
        """
    def _send_reset(
        self,
        env_id: Any = None,
        seed: int | Sequence[int | None] | None = None,
        options: Mapping[str, float] | None = None,
        all_rows: bool = False,
    ) -> None:
        """Queues a reset, to be received by ``recv(reset=True)``; arguments as for ``reset_envs``."""
    def _recv_within(self, seconds: float | None, reset: bool = False) -> Any:
        """``recv`` that waits so many seconds at most; ``None`` for those of the pool's own timeout.

        Raises:
            TimeoutError: where they have passed; nothing is lost.
        """
    def _bit_generators(self, env_ids: Any = None) -> list[tuple[int, int, int | None] | None]:
        """Copies of environments' bit generators in numpy's terms: ``state``, ``inc``, and ``uinteger`` where ``has_uint32`` is 1.

        ``None`` for those that draw from another generator than numpy's ``PCG64``.

        Raises:
            RuntimeError: while work is in flight, after ``close``, and where environments are played outside of the engine.
        """
    def get_state(self, env_ids: Any = None) -> list[bytes]:
        """Snapshots of environments with their generators; ``None`` for all.

        Raises:
            RuntimeError: while work is in flight, or after ``close``.
        """
    def set_state(self, state: Sequence[bytes | bytearray | memoryview], env_ids: Any = None) -> None:
        """Restores snapshots of the same task and options; ``None`` for all environments."""
    def draw_pictures(
        self, env_ids: Any, width: int, height: int, camera: int | None = None, depth: bool = False
    ) -> Any:
        """Pictures ``(n, height, width, 3)`` uint8 of environments; ``None`` for all.

        Args:
            env_ids: ``(n,)`` integers; ``None`` for all environments, in order.
            width: of each picture in pixels; 0 for the task's own.
            height: likewise.
            camera: one of the task's; -1 for none of them, ``None`` for the one that its options say.
            depth: whether to return a pair: pictures, and ``(n, height, width)`` float32, how far away each pixel is.

        Raises:
            IndexError: for a camera that the task does not have.
            RuntimeError: where the task draws none, an environment is in flight, has failed or has never been reset, or
                after ``close``.
        """
    def draw_texts(self, env_ids: Any = None) -> list[str]:
        """Environments in text; arguments and errors as for ``draw_pictures``."""
    def _ask(self, env_ids: Any, payloads: list[bytes]) -> list[bytes]:
        """Asks environments that are played outside of the engine for something that is neither step nor reset.

        Args:
            env_ids: ``(n,)`` integers; ``None`` for all.
            payloads: what each is asked, or one thing for all.

        Returns:
            What each answered.

        Raises:
            RuntimeError: for environments in flight, after ``close``, and of native pools.
        """
    def close(self) -> None:
        """Frees all environments. Closing twice is allowed; any other call afterwards raises ``RuntimeError``."""
    def _end(self, timeout: float | None, terminate: bool) -> None:
        """Closes environments that are played outside of the engine.

        Args:
            timeout: seconds that they have to end in good order; ``None`` for 5.
            terminate: ends those that are busy at once.

        Raises:
            Exception: the first that one raised when it was closed, after all have ended.
        """

_Taken: TypeAlias = tuple[
    list[npt.NDArray[Any]] | None,
    npt.NDArray[np.float64],
    npt.NDArray[np.bool_],
    npt.NDArray[np.bool_],
    npt.NDArray[np.uint32],
    int,
]
"""Leaves, rewards, terminated, truncated, flags, steps since the last reset, all flags together."""

@final
class SharedBlock:
    """Memory that a caller and its worker processes share: requests, messages, rows of observations.

    It has no name in a file system, and is gone with the last process that has it. Processes being started by
    multiprocessing get it as an argument.
    """

    def __new__(cls, worker_of: Sequence[int], *, message_bytes: int = 4096, wake_up: str = "auto") -> SharedBlock:
        """Creates a block.

        Args:
            worker_of: for each environment the number of the worker process that plays it; -1: the caller itself.
            message_bytes: room for a message to or from an environment; longer ones take a slower way.
            wake_up: ``"auto"``, ``"futex"`` (Linux) or ``"poll"`` (everywhere; sleepers look again each millisecond).

        Raises:
            ValueError: for a value that is not allowed.
            OSError: where memory is short.
        """

    @staticmethod
    def attach(fd: int) -> SharedBlock:
        """The block behind a file descriptor (on Windows: a handle), which stays the caller's to close."""

    @property
    def fd(self) -> int:
        """The file descriptor (on Windows: the handle) behind the block."""

    @property
    def num_envs(self) -> int:
        """Number of environments."""

    @property
    def num_workers(self) -> int:
        """Number of worker processes."""

    @property
    def closing(self) -> bool:
        """Whether workers have been told to end."""

    @property
    def states(self) -> bytes:
        """``[num_envs]``, the state of each environment's request: 0 idle, 1 requested, 2 running, 3 finished."""

    def close(self) -> None:
        """Tells all workers to end; closing twice is allowed."""

    def allocate(self, layouts: Sequence[Sequence[tuple[Any, Sequence[int]]]], final_rows: bool) -> None:
        """Makes rows for observations: the caller first, then, with the same arguments, every worker.

        Args:
            layouts: dtype and shape of each leaf of each environment's observations.
            final_rows: whether there is a second set of rows, for last observations of episodes.

        Raises:
            RuntimeError: where they have been allocated before.
            TypeError: for dtypes that are no plain numbers.
            OSError: where memory is short.
        """

@final
class EnvHost:
    """Plays requests on the environments of one process."""

    def __new__(
        cls,
        block: SharedBlock,
        env_ids: Sequence[int],
        envs: Sequence[Any],
        structures: Sequence[Any],
        *,
        lenient: bool,
        conform: Callable[[int, Any], list[npt.NDArray[Any]] | None],
        dumps: Callable[[Any], bytes],
        failure: Callable[[int, str, BaseException], bytes],
        call: Callable[[int, bytes], bytes],
        required: Sequence[Sequence[str]] | None = None,
    ) -> EnvHost:
        """Hosts ``envs``, which are the block's environments ``env_ids``.

        Args:
            block: the shared memory.
            env_ids: numbers of the environments.
            envs: objects with ``step`` and ``reset``.
            structures: how each one's observations are taken apart: a leaf's number, a dict or tuple of such, or
                ``None`` (they travel as messages).
            lenient: take rewards and infos of any type.
            conform: makes arrays that fit the leaves out of an observation that does not; ``None`` sends it as it is.
            dumps: pickles.
            failure: describes an exception of an environment in ``"step"`` or ``"reset"``.
            call: answers whatever is neither.
            required: for each environment the keywords that its ``reset`` cannot do without, ``None`` where nothing else is given.
        """

    def serve(self, worker: int) -> None:
        """Plays the requests of a worker until the block closes."""

class _Overseer(Protocol):
    """Looks after worker processes."""

    def lost(self, known: list[int]) -> tuple[int, str, bytes] | None:
        """A worker whose process has ended, but for those that are ``known``; what to say, and what ``rebuilt`` takes."""
    def renew(self, worker: int) -> tuple[str, bytes] | None:
        """Starts a worker's process again; what to say where that is not possible."""
    def failure_to_renew(self, worker: int) -> tuple[str, bytes] | None:
        """What ``renew`` returned, where it raised at its end."""
    def unreadable(self, env_id: int, error: Exception) -> bytes:
        """What ``rebuilt`` takes, of an environment whose message cannot be read."""
    def failure(self, env_id: int, told: bytes, text: str, losses: int) -> Any:
        """The failure that bytes and text report; a client's overseer has to have it."""
    def end(self, seconds: float, by_force: bool) -> list[bytes]:
        """Ends all processes; what environments raised, as ``rebuilt`` takes it."""

@final
class Workers:
    """The environments of worker processes, all of them idle, for a pool to play."""

    def __new__(cls, block: SharedBlock, overseer: _Overseer, host: EnvHost | None = None) -> Workers:
        """Those of ``block``; ``host`` plays the caller's own."""

StepReplies: TypeAlias = tuple[
    list[npt.NDArray[Any]],
    npt.NDArray[np.float64],
    npt.NDArray[np.bool_],
    npt.NDArray[np.bool_],
    npt.NDArray[np.bool_] | None,
    list[dict[str, Any]] | None,
    dict[int, dict[str, Any]],
    dict[int, Any],
    list[int],
]
"""Leaves, rewards, terminated, truncated, whose steps gave four values, infos, messages by row, failures by environment,
and rows that report a restart. ``None`` for nobody's four values, and for infos that are all empty."""

PlainReplies: TypeAlias = tuple[
    list[npt.NDArray[Any]],
    npt.NDArray[np.float64],
    npt.NDArray[np.bool_],
    npt.NDArray[np.bool_],
    npt.NDArray[np.bool_] | None,
    npt.NDArray[np.object_],
]
"""Leaves, rewards, terminated, truncated, whose steps gave four values, and infos with ``env_id``."""

@final
class WorkerClient:
    """The asking side of environments in worker processes. Nothing is reset unasked, and each is asked by itself.

    All methods raise ``RuntimeError`` once it is closed, and in a fork of its process.
    """

    def __new__(
        cls,
        workers: Workers,
        num_envs: int,
        *,
        leaves: Sequence[tuple[Any, Sequence[int]]],
        recovery: Literal["new_episode", "retry"] | None,
        dumps: Callable[[Any], bytes],
    ) -> WorkerClient:
        """Asks the environments of ``workers``.

        Args:
            workers: who plays them.
            num_envs: number of environments.
            leaves: dtype and shape of each leaf of one environment's observations.
            recovery: after the loss of a process, environments begin a ``"new_episode"``, requests are sent again to
                environments as they were made first (``"retry"``), or they are given up.
            dumps: pickles.
        """

    def send_steps(self, ids: Any, actions: Any) -> None:
        """Sends an action to each of ``ids`` (``None``: all).

        Raises:
            IndexError: for an id that does not exist.
            ValueError: for an id given twice, or another number of actions.
            RuntimeError: for an id in flight.
            Exception: for one whose process is lost.
        """

    def step(self, actions: Any) -> StepReplies | PlainReplies:
        """``send_steps`` to all, ``wait`` and ``take`` in one; in short if no environment had more to report than an info.

        Interrupted, the steps stay in flight.
        """

    def send_resets(self, ids: Any, seeds: Sequence[int | None] | None = None, keywords: bytes | None = None) -> None:
        """Asks each of ``ids`` (``None``: all) to reset, with a seed for each and pickled keywords for all."""

    def send_calls(self, ids: Any, payloads: Sequence[bytes]) -> None:
        """Sends a pickled call to each of ``ids`` (``None``: all)."""

    def wait(self, ids: Any, count: int | None = None, seconds: float | None = None) -> None:
        """Returns when ``count`` of ``ids`` (``None``: all) in flight have replied, or after so many seconds."""

    def completed(self, ids: Any, count: int | None = None) -> npt.NDArray[np.int64]:
        """Up to ``count`` of ``ids`` (``None``: all) that have replied, in order of completion."""

    def take(self, ids: Any) -> StepReplies:
        """The replies of ``ids`` (``None``: all) to steps and resets; they are idle afterwards.

        Raises:
            RuntimeError: for an id that has not replied; nothing is taken then.
        """

    def take_values(self, ids: Any) -> list[Any]:
        """The replies of ``ids`` (``None``: all) to calls: pickled, or failures."""

    def discard(self, ids: Any) -> None:
        """Takes replies of ``ids`` that nobody wants. Restarts are reported by the next step or reset."""

    def call(self, ids: Any, payloads: Sequence[bytes]) -> list[Any]:
        """Calls ``ids`` (``None``: all), and waits: pickled values, or failures.

        Interrupted, the replies are dropped when they come.
        """

    @property
    def in_flight(self) -> npt.NDArray[np.int64]:
        """The environments whose replies have not been taken."""

    def note_seed(self, env_id: int, seed: int) -> None:
        """Records what an environment was seeded with by a call."""

    def end(self, seconds: float, by_force: bool) -> list[Any]:
        """Closes the environments, which have ``seconds`` for it, and ends all processes; what environments raised."""

class _Carrier(Protocol):
    """Brings requests to pools elsewhere, and their answers back."""

    def send(self, place: int, number: int, request: bytes) -> None:
        """Sends a request, unless it was sent before."""
    def wait(self, seconds: float) -> list[tuple[int, int, bytes | None, str, bytes]]:
        """Place, number and answer (or what was raised: in words, and as ``rebuilt`` takes it) of requests that are over."""
    def forget(self, over: list[tuple[int, int]]) -> None:
        """Places and numbers of requests that ``wait`` need not return again."""
    def lost(self) -> tuple[int, str, bytes] | None:
        """A place that was lost, what to say of it, and what ``rebuilt`` takes; each loss once."""
    def renew(self, place: int, first_number: int) -> tuple[str, bytes] | None:
        """Makes a place anew; what to say where that is not possible."""
    def rebuilt(self, env_id: int, told: bytes, text: str, losses: int, advice: str | None) -> BaseException:
        """The exception that bytes and text tell of."""
    def close(self) -> None:
        """Ends everything."""

@final
class RemoteSpec:
    """What a pool is made of whose environments are those of pools elsewhere."""

    def __new__(
        cls,
        spec: Spec,
        carrier: _Carrier,
        shares: Sequence[int],
        *,
        recovery: int | Literal["new_episode"] | None,
        read_only: int | None = None,
    ) -> RemoteSpec:
        """Describes them.

        Args:
            spec: of the whole pool.
            carrier: the way to the places.
            shares: environments of each place.
            recovery: after how many requests of an environment to take the next snapshot of it, which it resumes from when its
                place is lost; or that it begins a new episode then; or that it is lost.
            read_only: bytes beyond which results are not to be written to.

        Raises:
            ValueError: for shares that are not all environments.
        """

@final
class RemoteHost:
    """A pool that plays what environments of a pool elsewhere are asked."""

    def __new__(cls, spec: Spec, layout: Layout) -> RemoteHost:
        """The environments of ``spec``, unreset, for a pool of this layout."""
    def begin(self, request: bytes) -> bool:
        """Begins a request if it consists of nothing but steps; says whether it does."""
    def finish(self) -> bytes:
        """The answer to the oldest request that was begun."""
    def play(self, request: bytes) -> bytes:
        """The answer to a request, played after all that were begun."""

@final
class OutsideSpec:
    """What a pool of environments is made of that are played outside of the engine."""

    def __new__(
        cls,
        workers: Workers,
        *,
        dialect: Dialect,
        num_envs: int,
        batch_size: int,
        autoreset_mode: str,
        max_episode_steps: int | None,
        record_episode_statistics: bool,
        seeds: Sequence[int | None] | None,
        restart: bool,
        timeout: float | None,
        copy: bool,
        leaves: Sequence[tuple[str, Sequence[int], str]],
        structure: Any,
        tells_always: bool,
        action: tuple[str, Sequence[int]] | None,
        rows_of_actions: Callable[[Any, int], Any],
        take_apart: Callable[[dict[Any, Any], Any], tuple[Any, Any]],
        dumps: Callable[[Any], bytes],
        tell: Callable[..., tuple[Any, dict[str, Any]]],
        rebuilt: Callable[[int, bytes, str, int, str | None], BaseException],
        task: str,
    ) -> OutsideSpec:
        """Describes them.

        Args:
            workers: who plays them.
            dialect: whose dtypes and infos.
            num_envs: number of environments.
            batch_size: rows of a result; fewer is asynchronous.
            autoreset_mode: ``"next_step"``, ``"same_step"`` or ``"disabled"``.
            max_episode_steps: after which the pool truncates episodes.
            record_episode_statistics: whether results tell of ended episodes.
            seeds: for the first reset of each; ``None`` without any.
            restart: whether environments go on with a new episode after the loss of their process.
            timeout: seconds that calls wait at most.
            copy: whether observations are the caller's own, instead of what the next step overwrites.
            leaves: of the observation: dtype of the environments' rows, shape, dtype of results.
            structure: of the observation: the leaf's number, a dict or tuple of structures; ``None`` where it travels by message.
            tells_always: whether ``tell`` sees every result.
            action: dtype and shape of one environment's action; ``None`` where actions are no arrays.
            rows_of_actions: makes an array (or a list) with a row for each environment of a batch of so many actions.
            take_apart: makes actions and ids of a dict, and of the ids that were given beside it.
            dumps: makes bytes of any object.
            tell: called with observation, info, ids, messages, columns, ended, restarted; returns observation and info.
            rebuilt: called with environment, bytes, text, losses in a row, advice; returns the exception that they tell of.
            task: what is played; snapshots of other tasks are refused.

        Raises:
            ValueError, TypeError: for what cannot be.
        """

class Losses:
    """How often places were lost that play environments, and what these are owed for it: the numbers of the engine's policy."""

    def __new__(cls, num_envs: int, *, restart: bool) -> Losses:
        """No losses of ``num_envs`` environments, which begin new episodes after the first ones to come, unless they are not to
        ``restart``.
        """

    def note_loss(self, place: int, env_ids: Sequence[int]) -> int:
        """Notes that a place was lost in which these environments lived.

        0: it is to be made anew, and they owe a reset; else so many losses in a row, after which it is given up.
        """

    def note_answers(self, env_ids: Sequence[int]) -> None:
        """Notes that environments have answered, and the places with them that they live in."""

    @property
    def is_unproven(self) -> bool:
        """Whether a place was made anew and has not answered since."""

    def note_seed(self, env_id: int, seed: int) -> None:
        """Notes what an environment was seeded with."""

    def next_seed(self, env_id: int) -> int | None:
        """The seed of the episode after a loss: another one for each, the same whenever the same happens.

        ``None`` for environments that were never seeded.
        """

    def owing(self, env_ids: Sequence[int]) -> list[int]:
        """Those of ``env_ids`` that owe a reset."""

    @property
    def is_any_owing(self) -> bool:
        """Whether any environment owes a reset."""

    def set_owing(self, env_ids: Sequence[int], owing: bool) -> None:
        """Says whether environments owe a reset.

        Not any more where it has been asked for, again where nobody has taken its answer.
        """

@final
class Caller:
    """The asking side of a block.

    All methods raise ``RuntimeError`` when the block is closed, or belongs to the parent of this process.
    """

    def __new__(cls, block: SharedBlock, host: EnvHost | None = None) -> Caller:
        """Asks through ``block``; ``host`` plays the caller's own environments."""

    def send_steps(self, ids: Any, actions: Any, dumps: Callable[[Any], bytes]) -> None:
        """Sends an action to each of ``ids`` (``None``: all).

        Raises:
            IndexError: for an id that does not exist.
            ValueError: for an id given twice, or another number of actions.
            RuntimeError: for an id in flight.
        """

    def send_resets(self, ids: Any, seeds: Sequence[int | None] | None = None, keywords: bytes | None = None) -> None:
        """Asks each of ``ids`` (``None``: all) to reset, with a seed for each and pickled keywords for all."""

    def send_call(self, env_id: int, payload: bytes) -> None:
        """Sends anything else to an environment."""

    def wait(self, ids: Any, count: int, timeout: float | None = None) -> npt.NDArray[np.int64]:
        """Up to ``count`` of ``ids`` (``None``: all) that have finished, in order of completion.

        Fewer are returned after ``timeout`` seconds, and after some 50 ms, so that the caller can look after its processes.
        """

    def take(self, ids: Any, copy: bool = True) -> _Taken:
        """What ``ids`` (``None``: all) answered; they are idle afterwards.

        Returns:
            Copies of the leaves ``[len(ids), *shape]`` (``None`` where environments differ in them, or without ``copy``), rewards, terminated,
            truncated, flags, and all flags together.

        Raises:
            RuntimeError: for an id that has not finished.
        """

    def rows(self, env_id: int) -> list[npt.NDArray[Any]]:
        """Copies of the leaves of an environment's last observation."""

    def message(self, env_id: int) -> bytes:
        """The message of an environment's last answer; empty where there was none."""

    def infos(self, ids: Any) -> list[dict[str, Any]]:
        """The infos of what ``ids`` (``None``: all) answered last, where they are numbers alone.

        Empty where there is none, or another, which lies in the message.
        """

    def states(self) -> npt.NDArray[np.uint8]:
        """``[num_envs]``: 0 idle, 1 requested, 2 running, 3 finished."""

    def lose_worker(self, worker: int) -> list[int]:
        """Ends the requests of a worker whose process is dead, as lost; returns their environments."""

    def renew_worker(self, worker: int) -> None:
        """Prepares for a new process in a worker's place."""

    def close(self) -> None:
        """Tells all workers to end. Closing twice is allowed."""
