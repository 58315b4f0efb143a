"""The Rust extension: tasks, checked specifications, and the pool that steps environments.

All functions work on batches. In shapes, ``n`` is the number of environments in a batch (``num_envs``, ``batch_size``,
or the number of requested ids). ``rows`` is ``n`` times the players of one environment.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Literal, Protocol, TypeAlias, TypedDict, final

import numpy as np
import numpy.typing as npt

__version__: str
"""Version of the package, as in its metadata."""

EXACT_REFERENCE_COUNTS: bool
"""Whether an object's reference count reliably shows if others hold the object. If not, every result consists of new
objects.
"""

Bounds: TypeAlias = float | list[float]
"""Bound of a space's elements: one number for all, or one for each element (flattened, C order)."""

SpaceDescriptor: TypeAlias = (
    tuple[Literal["box"], Bounds, Bounds, tuple[int, ...], str]
    | tuple[Literal["discrete"], int, int, str]
    | tuple[Literal["multi_binary"], tuple[int, ...]]
    | tuple[Literal["multi_discrete"], list[int], tuple[int, ...], str]
    | tuple[Literal["text"], int, str]
    | tuple[Literal["dict"], list[tuple[str, "SpaceDescriptor"]]]
    | tuple[Literal["tuple"], list["SpaceDescriptor"]]
)
"""Description of a space as tuples, strings and numbers.

``("box", low, high, shape, dtype)``, ``("discrete", n, start, dtype)``, ``("multi_binary", shape)``,
``("multi_discrete", counts, shape, dtype)``, ``("text", length, charset)``, ``("dict", [(key, space), ...])`` or
``("tuple", [space, ...])``."""

ArrayDescription: TypeAlias = tuple[str, str, tuple[int, ...]]
"""Description of an info: name, numpy dtype name, and shape for one environment (``-1``: one entry per player)."""

Dialect: TypeAlias = Literal["envpool", "gymnasium"]
"""Convention for dtypes and infos: EnvPool's (float32 rewards, int32 infos with ``env_id``) or gymnasium's (float64
rewards, ``_key`` masks)."""

Layout: TypeAlias = Literal["gymnasium", "gym", "dm"]
"""Format of a step's result: a 5-tuple, a 4-tuple, or a dm_env ``TimeStep``."""

Finish: TypeAlias = Callable[[dict[str, Any], npt.NDArray[np.bool_], Any, dict[str, Any]], None]
"""Callable that stores the final observations and infos of ended episodes in ``info``.

``finish(info, mask, final_obs, final_info)`` is called in same-step mode if an episode of the batch has ended. ``mask``
is ``(n,)``, ``final_obs`` a batched observation, ``final_info`` the batched infos that belong to it."""

Out: TypeAlias = Mapping[str, Any] | RolloutBuffer
"""Arrays that receive results, by key as in the results, or a rollout buffer.

Keys are ``"obs"`` (nested as the observation is), the names of reward and flags (``"reward"``, ``"terminated"``,
``"truncated"``; ``"done"`` in layout ``"gym"``; ``"step_type"``, ``"discount"`` in layout ``"dm"``) and ``"info"`` (a dict)."""

@final
class RolloutBuffer:
    """Arrays for the results of consecutive steps of all environments, and a cursor.

    ``pool.rollout_buffer`` makes a buffer. ``reset(out=buffer)`` writes the first observation, and each
    ``step(out=buffer)`` writes the results of the next step. Arrays are attributes, by the keys of :data:`Out`: ``obs``
    is ``(steps + 1, rows, ...)``, all others are ``(steps, ...)``. ``obs[t]`` is the observation before step ``t``.
    Strings have no array.
    """

    arrays: dict[str, Any]
    """The buffer's arrays by key, as in :data:`Out`."""
    steps: int
    """Number of steps that the buffer can store."""
    cursor: int
    """Number of steps stored so far: the index of the next step."""
    action: Any
    """Actions ``(steps, rows, ...)`` of the steps whose results ``step(out=buffer)`` or ``recv(out=buffer)`` stored, as
    environments receive them: int32, float32 or float64, and the action space's dtype for environments in Python; a
    dict if the action space is one. A RuntimeError if a step's actions had another dtype, for environments in Python;
    an AttributeError if their actions are objects."""
    valid: npt.NDArray[np.bool_]
    """New mask ``(steps, num_envs)`` of the stored steps that did not only reset an ended episode (``next_step``)."""

    def __getattr__(self, name: str) -> Any: ...
    def __len__(self) -> int: ...
    def restart(self) -> None:
        """Copies the last observation to ``obs[0]``, and sets the cursor to 0.

        Raises:
            RuntimeError: while an interrupted step into this buffer is in flight.
        """

class OptionDescription(TypedDict):
    """A keyword argument that a task takes.

    ``kind`` names types, separated by "or". ``allowed`` describes the allowed values, if not all values of these types
    are allowed. ``values`` lists the accepted strings, if there are few. ``each_episode`` is whether the value may be
    drawn for each episode.
    """

    name: str
    default: object
    kind: str
    allowed: str | None
    values: list[str]
    each_episode: bool
    doc: str

class PoolOptionDescription(TypedDict):
    """A keyword argument that every task takes. ``default`` is a string that contains the default and its meaning."""

    name: str
    default: str
    kind: str
    values: list[str]
    doc: str

class TaskDescription(TypedDict):
    """Description of a task of this release."""

    id: str
    max_episode_steps: int | None
    reward_threshold: float | None
    players: int
    options: list[OptionDescription]
    reset_options: list[str]

def pool_options() -> list[PoolOptionDescription]:
    """Returns descriptions of the options that every task takes in addition to its own, in the order of a
    configuration.
    """

def options_of_python() -> list[PoolOptionDescription]:
    """Returns descriptions of the options that every task has and that Python code handles instead of the extension."""

def tasks() -> list[TaskDescription]:
    """Returns all tasks of this release, in order of registration; those of loaded libraries are not included.

    A task's own options come first, then the names that EnvPool and gymnasium use for them. Options that every task has
    are not included, although environments with cameras read some of them.
    """

def task(task_id: str) -> TaskDescription:
    """Returns the description of one task, in the format of `tasks`.

    Raises:
        ValueError: if the task does not exist; the message suggests similar names.
    """

def other_names(task_id: str) -> dict[str, tuple[str, str]]:
    """Returns the names that other libraries use for a task's options, each with this package's name and the library."""

def envpool_classes() -> list[tuple[str, str, str, str, tuple[str, ...], dict[str, tuple[Any, ...]]]]:
    """Returns EnvPool's classes of tasks.

    Each is a tuple of the module below ``envpool``, the prefix of the classes' names, the task with the defaults of the
    class, the task of a configuration that selects none, the options that select the task, and the values of these
    options of each task.
    """

def envpool_options(task_id: str) -> list[tuple[str, int, list[str]]]:
    """Returns EnvPool's options that no option of the task equals: name, default, and the tasks that values from 0
    select (none for an option that sets several options).
    """

def family_names(family: str) -> dict[str, list[str]]:
    """Returns what a family of environments names: lists of names by subject."""

def kitchen_goal_sizes() -> dict[str, int]:
    """Returns the number of values of the goal of each task in the kitchen."""

def tasks_with_option(name: str) -> list[str]:
    """Returns the ids of this release's tasks that have the option ``name``."""

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
        path: file of the library.
        layout: description of the library's structs: a line for each field and for each value of an enumeration.
        products: two vectors each and their dot product, as numpy computes it.
        matrix_products: rows, columns and elements of matrix products, as numpy computes them.
        keeps_single: whether the product of a Python float and a float32 scalar is float32, as in numpy 2.
        kernels: name, address of numpy's loop and address of its data, for each function in ``numpy_kernels``.

    Returns:
        The library's version, such as 3006000.

    Raises:
        ImportError: if the library cannot be opened or used, or if another MuJoCo library is open.
    """

def adopt_numpy_kernels(kernels: list[tuple[str, int, int]]) -> None:
    """Makes environments call numpy's compiled loops, once for the process; see ``install_mujoco``."""

def numpy_kernels() -> list[str]:
    """Returns the names of the numpy functions whose compiled loops the extension calls, to obtain equal rounding."""

def atari_game(game: str, full_action_space: bool) -> tuple[list[str], bool]:
    """Returns ALE's names of a game's actions (of all legal actions, or of the minimal set), and whether the game is
    made for PAL televisions.

    Raises:
        ValueError: for an unknown game.
    """

def fetch_rewards(
    achieved_goal: npt.NDArray[Any], desired_goal: npt.NDArray[Any], reward_type: str, distance_threshold: float
) -> npt.NDArray[np.float64]:
    """Computes the rewards of pairs of goals of the Fetch robot.

    Args:
        achieved_goal: float64 ``(n, 3)``, C-contiguous.
        desired_goal: float64 ``(n, 3)``, C-contiguous.
        reward_type: ``"sparse"`` or ``"dense"``.
        distance_threshold: distance in metres above which the sparse reward is -1.
    """

def hand_rewards(
    achieved_goal: npt.NDArray[Any],
    desired_goal: npt.NDArray[Any],
    is_of_object: bool,
    reward_type: str,
    thresholds: tuple[float, float],
    ignored: tuple[bool, bool, bool],
) -> npt.NDArray[np.float64]:
    """Computes the rewards of pairs of goals of the Shadow hand.

    Args:
        achieved_goal: float64 ``(n, 7)`` for objects, ``(n, 15)`` for fingers, C-contiguous.
        desired_goal: float64 of the same shape, C-contiguous.
        is_of_object: whether goals are of objects.
        reward_type: ``"sparse"`` or ``"dense"``.
        thresholds: distance in metres and angle in radians at which a goal is reached.
        ignored: whether positions of objects, their orientations, and turns about their axis z do not count.
    """

def kitchen_completions(
    achieved_goal: npt.NDArray[Any], desired_goal: npt.NDArray[Any], size: int
) -> npt.NDArray[np.float64]:
    """Computes for pairs of goals of one of the kitchen's tasks whether the task is completed: 1 or 0.

    Args:
        achieved_goal: float64 ``(n, size)``, C-contiguous.
        desired_goal: float64 of the same shape, C-contiguous.
        size: number of values of a goal.

    Raises:
        TypeError: for other arrays.
        ValueError: for arrays that differ in size.
    """

def maze_rewards(
    achieved_goal: npt.NDArray[np.float64], desired_goal: npt.NDArray[np.float64], reward_type: str
) -> npt.NDArray[np.float64]:
    """Computes the rewards of pairs of goals in mazes.

    Args:
        achieved_goal: C-contiguous, with two values for each goal.
        desired_goal: C-contiguous, of the same size.
        reward_type: ``"sparse"`` or ``"dense"``.

    Returns:
        ``(n,)`` for ``n`` pairs of goals.

    Raises:
        TypeError: for arrays that are not C-contiguous float64.
        ValueError: for arrays that differ in size, and for another reward type.
    """

def mujoco_expandable(names: list[str]) -> list[str]:
    """Returns those of ``names``, fields of ``MjModel``, of which each simulation of a batch can have its own values:
    not sizes, types, indices and addresses, on which the safety of memory accesses depends.
    """

def mujoco_signatures() -> list[tuple[str, list[str], str]]:
    """Returns the functions that are looked up in MuJoCo's library: name, types of the arguments and of the result.

    Returns:
        Types as Rust source, such as ``"*const RawModel"``; the result's type is empty for a function without a result.
    """

def mujoco_simulations() -> int:
    """Returns the number of live MuJoCo simulations (``mjData``) of this process."""

def make_models_with(program: Callable[[str], bytes]) -> None:
    """Sets the callable that generates models without files, once for the process.

    Args:
        program: function that returns the XML text of the model with a given name.
    """

def picture_backend() -> Literal["egl", "osmesa"]:
    """Returns the OpenGL platform that renders MuJoCo's frames.

    Raises:
        RuntimeError: if no platform is available; the message names the packages to install.
    """

def maker_seeds(seed: Any, num_envs: int) -> tuple[int | list[int], list[int]]:
    """Converts the ``seed`` argument of a new pool: returns its value as ints, and the seed of each environment's
    generator.

    Seeds are in ``[-2**31, 2**63)``; the bits of a negative seed are read as an unsigned 32-bit integer.
    """

def task_limits() -> dict[str, tuple[int | None, float | None]]:
    """Returns time limit and reward threshold of each task of this release by its id, in order of registration.

    This is much faster than :func:`tasks`, which also describes options and spaces.
    """

def only_actions(action_dict: object, agent: str, everyone: list[Any]) -> npt.NDArray[np.int64] | None:
    """Collects the integer actions of environments 0, 1, ... (the list ``everyone``), each with one agent, into one
    array.

    Returns:
        ``(n,)``; ``None`` for any other input: other environments, another order or agent, further agents, or actions
        that are not integers. Such input is handled in Python; this function is a fast path for a conversion that runs
        thousands of times a second.
    """

def only_action_arrays(
    action_dict: object, agent: str, everyone: list[Any], shape: Sequence[int]
) -> npt.NDArray[np.float32] | None:
    """Collects float32 actions of ``shape`` into ``(n, *shape)``; returns ``None`` for any other input, as
    ``only_actions`` does.
    """

def vector_instructions() -> str:
    """Returns the vector instructions that this process uses: ``avx512``, ``avx2``, ``baseline`` or ``scalar``.

    By default, these are the best instructions of the processor. The environment variable ``ENVPOOL_RS_VECTORS``
    (``scalar``, ``baseline``, ``avx2`` or ``avx512``, in any case) limits them; it is read once, and importing this
    module raises a ``ValueError`` for any other value.
    """

def load_plugin(path: str) -> tuple[str, str, list[str]]:
    """Loads a library of tasks; a library that is already loaded changes nothing.

    Returns:
        The library's name, its version, and the ids of its tasks.

    Raises:
        FileNotFoundError: if there is no such file.
        ValueError: for a library whose table is invalid.
        RuntimeError: if the file has changed since it was loaded.
    """

def load_plugin_table(address: int, origin: str, keep_alive: object) -> tuple[str, str, list[str]]:
    """Adds the tasks of a library table in memory, as :func:`load_plugin` does for a file.

    Args:
        address: address of an `epr_library`, which lives until the process ends.
        origin: origin of the table (module and class), for error messages.
        keep_alive: owner of the table's memory, which is never released.

    Raises:
        ValueError: for an invalid table.
    """

def record_plugin_calls(path: str) -> None:
    """Records in a file the library's function that each thread is calling: a line for each thread.

    Raises:
        OSError: if the file cannot be created.
    """

def plugin_libraries() -> list[tuple[str, str, str, list[str]]]:
    """Returns name, version, origin and task ids of each loaded library."""

def plugin_layouts() -> tuple[list[tuple[str, list[tuple[str, str]]]], dict[str, int]]:
    """Returns the structs of the C interface, and the value of each constant. The names have no prefix. A field has the
    type ``f8``, ``i8`` or ``u8``, or is the struct ``value``.
    """

def numba_functions() -> dict[str, int]:
    """Returns the addresses of the pool's functions for tasks that Numba compiles, by name."""

def check_plugin(ids: list[str], options: Mapping[str, object] | None, steps: int) -> list[tuple[str, str, str]]:
    """Runs tasks of plugin libraries, and returns the mistakes that are found.

    Args:
        ids: the tasks.
        options: options of the tasks.
        steps: number of steps of each check.

    Returns:
        For each mistake: the task, the name of the check, and a description.
    """

def xla_handlers() -> list[tuple[str, str, Any]]:
    """Returns the arguments of ``jax.ffi.register_ffi_target``: name, platform and capsule of each handler."""

def xla_exposure(pool: Pool) -> tuple[int, bytes, list[tuple[str, str, int, tuple[int, ...]]]]:
    """Registers a pool for XLA programs, for as long as the pool exists.

    Returns:
        The pool's number, its handle as bytes, and for each array of a result: name, dtype, rows per environment, shape
        of a row.

    Raises:
        RuntimeError: if the pool is closed, or belongs to the parent of this process.
    """

Moments: TypeAlias = tuple[npt.NDArray[np.float64], npt.NDArray[np.float64], float]
"""Mean and variance of each element ``(d,)``, and the number of rows."""

class NormalizationState(TypedDict):
    """Running statistics with which a pool normalises observations and rewards."""

    obs_rms: Moments | None
    """Statistics of observations; ``None`` if these are not normalised."""
    return_rms: Moments | None
    """Statistics of discounted returns; ``None`` if rewards are not normalised."""
    returns: npt.NDArray[np.float64]
    """Discounted return of each player of each environment ``(n * players,)``; empty if rewards are not normalised."""
    update_running_mean: bool
    """Whether results update the statistics."""

def normalization_state(pool: Pool) -> NormalizationState | None:
    """Returns the statistics of normalisation of a pool; ``None`` if the pool changes neither observations nor rewards.

    Raises:
        RuntimeError: while another thread receives, and after ``close``.
    """

def set_normalization_state(
    pool: Pool,
    *,
    obs_rms: Moments | None,
    return_rms: Moments | None,
    returns: npt.NDArray[np.float64],
    update_running_mean: bool,
) -> None:
    """Replaces the statistics of normalisation of a pool.

    Raises:
        RuntimeError: as for `normalization_state`, and if the pool normalises nothing.
        ValueError: for arrays of another length, negative variances and counts that are not positive.
    """

def merge_moments(parts: list[Moments]) -> Moments:
    """Merges one or more statistics; returns the statistics of all their rows."""

@final
class MujocoBatch:
    """Simulations of one MuJoCo model, on several threads: the extension's part of `envpool_rs.Batch`.

    ``ids`` are increasing int32 ids of simulations, or ``None`` for all; ``n`` is the number of ids. Methods that
    return an int return the number of simulations that failed. Sizes are in bytes.
    """

    def __new__(
        cls,
        model: bytes,
        nsim: int,
        nthread: int,
        persistent: bool,
        physics: str,
        raises_unstable: bool,
        cpus: list[int],
        template: Callable[[str], npt.NDArray[Any]],
    ) -> MujocoBatch:
        """Creates simulations of a model, given as the bytes that ``mj_saveModel`` wrote; ``nthread=0`` is a thread for
        each CPU, ``cpus`` the CPUs of the threads, in turns. ``template`` returns an array with the shape and dtype of the field of ``MjData`` of a name.
        """

    @property
    def nthread(self) -> int:
        """Number of threads, including the calling thread if its stack is large enough."""

    @property
    def is_native(self) -> bool:
        """Whether the native stepper steps the simulations, unless bound fields or changed model fields need MuJoCo's
        library.
        """

    @property
    def refusals(self) -> list[str]:
        """Reasons why the native stepper refuses the model."""

    def steps_natively(self) -> bool:
        """Returns whether the native stepper takes the steps of the next call that it supports."""

    def arrays(self) -> list[npt.NDArray[Any]]:
        """Returns the arrays of states, warning counters and status, with a row for each simulation."""

    def obstacles(self) -> list[str]:
        """Returns the reasons, other than the model's, why MuJoCo's library takes the steps of this batch."""

    def library_steps(self) -> int:
        """Returns the number of steps, summed over simulations, that MuJoCo's library has taken."""

    def error(self, sim: int) -> str:
        """Returns the error message of a simulation's last call, or an empty string if it did not fail."""

    def bind(self, name: str, size: int) -> npt.NDArray[np.uint8]:
        """Copies a field of ``mjData`` to an array after each call; returns the array of bytes."""

    def expand(self, name: str, size: int) -> npt.NDArray[np.uint8]:
        """Gives a field of ``mjModel`` values for each simulation; returns the array of bytes."""

    def set_models(self, models: list[bytes], indices: list[int]) -> None:
        """Makes each simulation use one of the given models, by index; without models, all simulations use the batch's
        model.
        """

    def step(self, ids: npt.NDArray[np.int32] | None, nstep: int, stage: int) -> int:
        """Takes ``nstep`` steps, then computes the stages up to ``stage``."""

    def forward(self, ids: npt.NDArray[np.int32] | None, stage: int) -> int:
        """Computes the stages of ``mj_forward`` up to ``stage``."""

    def reset(self, ids: npt.NDArray[np.int32] | None, keyframes: list[int] | None, stage: int) -> int:
        """Resets simulations to keyframes (-1: to the model's defaults), then computes the stages up to ``stage``."""

    def rollout(
        self,
        ids: npt.NDArray[np.int32] | None,
        nstep: int,
        control: npt.NDArray[Any] | None,
        control_spec: int,
        records: list[tuple[str | None, int, npt.NDArray[Any]]],
    ) -> int:
        """Takes ``nstep`` steps with inputs ``(n, nstep, size)``, and records fields after each step.

        ``control_spec`` are the bits of ``mjtState`` of the inputs. Each of ``records`` has a field's name or ``None``,
        bits of ``mjtState``, and the array ``(n, nstep, ...)``.
        """

    def jac(
        self,
        ids: npt.NDArray[np.int32] | None,
        bodies: npt.NDArray[np.int32],
        points: npt.NDArray[Any],
        jacp: npt.NDArray[Any] | None,
        jacr: npt.NDArray[Any] | None,
    ) -> int:
        """Computes Jacobians of points on bodies."""

    def ray(
        self,
        ids: npt.NDArray[np.int32] | None,
        count: int,
        lines: list[npt.NDArray[Any]],
        groups: list[int] | None,
        hits_static: bool,
        excluded: npt.NDArray[np.int32],
        distances: npt.NDArray[Any],
        geoms: npt.NDArray[np.int32],
        normals: npt.NDArray[Any] | None,
    ) -> int:
        """Intersects ``count`` rays per simulation with the simulation's geoms."""

    def set_const(
        self, ids: npt.NDArray[np.int32] | None, fields: Callable[[], list[tuple[str, int]]]
    ) -> tuple[int, list[tuple[int, str, bytes]]]:
        """Computes the constants of the simulations' models (``mj_setConst``).

        Returns:
            The number of simulations that failed; and the values of fields that are not expanded and differ from the
            model's: simulation, name, bytes.
        """

    def set_expanded(self, changed: list[tuple[int, str, bytes]]) -> None:
        """Sets values that `set_const` returned, of fields that have been expanded since."""

    def render(
        self, states: npt.NDArray[np.float64], models: list[bytes], camera: int, width: int, height: int
    ) -> npt.NDArray[np.uint8]:
        """Renders simulations with these states, and with models in the bytes of ``mj_saveModel`` if there are any.

        Returns:
            Pictures ``(n, height, width * 3)``.
        """

    def copy_data(self, sim: int, address: int) -> int:
        """Copies a simulation's data to the ``mjData`` at the given address."""

@final
class AgentRows:
    """Dicts ``{env_id: {agent: row}}`` that hold a batch of observations of environments with one agent, reused for
    each batch.

    The rows are views of one array.
    """

    def __new__(cls, ids: list[Any], agent: str, batch: npt.NDArray[Any]) -> AgentRows:
        """Allocates arrays and dicts for batches with the dtype and shape of ``batch``."""

    def shown(self, batch: npt.NDArray[Any]) -> dict[Any, dict[Any, Any]] | None:
        """Copies ``batch`` into the arrays, and returns the dicts of rows.

        Returns:
            ``None`` if another owner holds any of the arrays or dicts, or if ``batch`` has another dtype or shape.
        """

@final
class Spec:
    """A task and its options, which have been checked; no environment is created."""

    def __new__(
        cls, task_id: str | Sequence[tuple[str, dict[str, Any]]], dialect: Dialect, options: Mapping[str, object]
    ) -> Spec:
        """Checks options of the pool (``num_envs``, ``batch_size``, ...) and of the task.

        Args:
            task_id: a task; or several tasks, each with its own options, which take precedence over ``options``.
            dialect: convention for dtypes and infos.
            options: options of the pool and of the environments: one value for all, a sequence of ``num_envs`` values,
                or a distribution from which each episode's value is drawn.

        Raises:
            ValueError: for an unknown task (the message names similar ones) or a value that is not allowed.
            TypeError: for an unknown option (the message names similar ones), or one of a wrong type.
        """

    def given_for_each(self) -> dict[str, list[Any]]:
        """Returns the options that differ between environments, each as a list of ``num_envs`` values."""

    @property
    def task_id(self) -> str:
        """The task's id; several ids are separated by commas."""
    @property
    def dialect(self) -> Dialect:
        """Convention for dtypes and infos: EnvPool's or gymnasium's."""
    @property
    def picture_size(self) -> tuple[int, int] | None:
        """Width and height of the environment's frames in pixels; ``None`` if the environment renders no images."""
    def picture_size_for(self, width: int, height: int) -> tuple[int, int]:
        """Returns width and height of the frames that result from the requested size; 0 stands for the task's own.

        Raises:
            ValueError: for a size out of bounds.
            RuntimeError: if the task does not render.
        """
    @property
    def has_text(self) -> bool:
        """Whether the environment renders itself as text."""
    @property
    def has_cameras(self) -> bool:
        """Whether frames can be rendered by selected cameras and with depth."""
    @property
    def render_fps(self) -> int:
        """Frames per second at which a video of the environment plays."""
    @property
    def players(self) -> int:
        """Number of players in one environment."""
    @property
    def shared_spaces(self) -> bool:
        """Whether arrays have a row per player; otherwise spaces are dicts with an entry per player."""
    @property
    def config(self) -> dict[str, Any]:
        """Every option with its value, pool options first."""
    @property
    def decided(self) -> list[tuple[str, bool | str, str]]:
        """Options whose values were chosen when files were loaded: name, value, and reason for the choice."""
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
        """Keys of the infos that are reported only by steps that terminate an episode."""
    @property
    def info_ranges(self) -> dict[str, tuple[int, int]]:
        """Bounds of infos in EnvPool's specification, if they differ from those of their types."""
    @property
    def state_arrays(self) -> list[ArrayDescription]:
        """EnvPool's names of the arrays of a step's result: ``obs``, ``obs:key``, ``reward``, ``info:env_id``,
        ``done``, ...
        """
    @property
    def action_arrays(self) -> list[ArrayDescription]:
        """EnvPool's names of the arrays that a step takes: ``env_id``, ``players.env_id``, ``action``."""
    @property
    def episode_options(self) -> list[str]:
        """Names of the options that may change from episode to episode."""
    @property
    def reset_options(self) -> list[str]:
        """Names of the numeric options that a reset accepts."""

class Pool:
    """Environments stepped in parallel. The interfaces in Python are subclasses, so that their ``step`` is the Rust
    method itself.
    """

    def __new__(
        cls,
        spec: Spec | OutsideSpec | RemoteSpec,
        layout: Layout,
        finish: Finish | None = None,
        timestep_type: Callable[..., Any] | None = None,
        observation_type: Callable[..., Any] | None = None,
    ) -> Pool:
        """Creates all environments of ``spec``, not yet reset.

        Args:
            spec: environments to create.
            layout: format of a step's result.
            finish: function that stores final observations in same-step mode.
            timestep_type: function of step_type, reward, discount, observation (layout ``"dm"``).
            observation_type: function of env_id, players, the observation's fields and the infos (layout ``"dm"``); for
                an ``OutsideSpec``, of the observation and the info dict.
        """

    @property
    def closed(self) -> bool:
        """Whether ``close`` was called."""
    @property
    def decided(self) -> list[tuple[str, bool | str, str]]:
        """Options whose values were chosen when environments were created: name, value, and reason for the choice."""
    def step(self, action: Any, env_id: Any = None, *, out: Out | None = None) -> Any:
        """Calls ``send`` and ``recv``.

        Args:
            action: ``(rows, ...)`` array of any integer, bool or float dtype; a dict of arrays for dict spaces.
            env_id: ``(n,)`` integers; ``None`` for all environments, in order.
            out: arrays of the caller into which the environments write; for synchronous pools.

        Returns:
            Observation ``(rows, ...)``, reward ``(rows,)``, terminated and truncated flags ``(n,)`` and the info dict,
            in the format of the pool's layout. Arrays of the caller that ``out`` contains are returned instead of new
            ones.

        Raises:
            TypeError: if an entry of ``out`` is no array on the CPU.
            ValueError: for an unknown key of ``out``; for an array of another dtype, shape or order, a read-only one,
                and two that share memory.
            RuntimeError: for ``out`` in an asynchronous pool, and for a full ``RolloutBuffer``.
        """
    def send(self, action: Any, env_id: Any = None) -> None:
        """Queues one step of some environments; takes the arguments of ``step``."""
    def recv(self, reset: bool = False, return_info: bool = True, *, out: Out | None = None) -> Any:
        """Waits for the next batch and returns it; with ``reset=True`` in the format of a reset's result.

        The environments wrote the rows before this call, so the rows are copied into ``out``.
        """
    def rollout_buffer(
        self,
        steps: int,
        allocate: Callable[[tuple[int, ...], np.dtype[Any]], npt.NDArray[Any]] | None = None,
        *,
        infos: bool = True,
    ) -> RolloutBuffer:
        """Creates arrays for the results of ``steps`` steps of all environments, to be given as ``out``.

        Args:
            steps: at least 1.
            allocate: function that returns a C-contiguous array of a given shape and dtype; ``None`` for ``np.zeros``.
            infos: whether the buffer has arrays for infos; if not, infos are in the pool's memory.

        Raises:
            RuntimeError: for an asynchronous pool.
            MemoryError: if the memory does not suffice.
        """
    def _recv_columns(self) -> list[tuple[str, npt.NDArray[Any]]]:
        """Waits for the next batch, and returns its arrays as pairs of name and array."""
    def async_reset(self) -> None:
        """Queues a reset of all environments, to be received in batches."""
    def reset_envs(
        self,
        env_id: Any = None,
        seed: int | Sequence[int | None] | None = None,
        options: Mapping[str, float] | None = None,
        return_info: bool = True,
        all_rows: bool = False,
        *,
        out: Out | None = None,
    ) -> Any:
        """Resets environments and returns the result.

        Args:
            env_id: ``(n,)`` integers; ``None`` for all (in async mode, the result has ``batch_size`` rows).
            seed: ``None`` continues the generators; an int seeds environment ``i`` with ``seed + i``; a sequence has an
                entry per environment of ``env_id``, and a ``None`` entry continues the generator.
            options: the environment's reset options.
            return_info: whether layout ``"gym"`` returns ``(obs, info)`` instead of ``obs``.
            all_rows: whether to return a row for every environment of the pool. Rows of environments that were not
                reset hold their current observations, and their masks of infos are ``False``.
            out: as for ``step``.
        """
    def _send_reset(
        self,
        env_id: Any = None,
        seed: int | Sequence[int | None] | None = None,
        options: Mapping[str, float] | None = None,
        all_rows: bool = False,
    ) -> None:
        """Queues a reset, to be received by ``recv(reset=True)``; takes the arguments of ``reset_envs``."""
    def _recv_within(self, seconds: float | None, reset: bool = False) -> Any:
        """Waits for the next batch for at most ``seconds``; ``None`` selects the pool's own timeout.

        Raises:
            TimeoutError: if the time has passed; the results can still be received.
        """
    def _next_rows(self) -> int | None:
        """Returns the number of rows that the next ``recv`` returns; ``None`` if no result of a synchronous pool is in
        flight.
        """
    def _recv_again(self) -> Any:
        """Receives the request in flight of a synchronous pool; without one, returns the result of the last call again."""
    def _deliveries(self) -> int:
        """Returns the number of results that calls have returned, or have lost to an exception."""
    def _statistics(self) -> tuple[list[float], list[int], list[float], list[int], list[list[int]]]:
        """Returns statistics of the pool's work since the first call.

        Returns:
            Seconds of recording, of waiting callers and of working workers; numbers of workers and of environments in
            flight; ends of the histogram's intervals in seconds; the histogram of all environments; for each
            environment numbers of steps, their nanoseconds, those of the longest step, resets, restarts, histograms.
        """
    def _bit_generators(self, env_ids: Any = None) -> list[tuple[int, int, int | None] | None]:
        """Returns copies of environments' bit generators as numpy's ``state``, ``inc``, and ``uinteger`` if
        ``has_uint32`` is 1.

        Entries are ``None`` for environments whose generator is not numpy's ``PCG64``.

        Raises:
            RuntimeError: while work is in flight, after ``close``, and if a backend runs the environments.
        """
    def _set_options(self, options: dict[str, Any], env_ids: Any = None) -> None:
        """Sets options of environments, in force when their next episodes begin: values, lists or distributions.

        Raises:
            TypeError, ValueError: for options that are unknown, fixed or not allowed; no environment is changed then.
            RuntimeError: while work is in flight, after ``close``, and if a backend runs the environments.
        """
    def _get_options(self, env_ids: Any = None) -> dict[str, list[Any]]:
        """Returns the values in force of the options that may change: by option, one for each environment."""
    def _queue_resets(self, env_ids: Any, seeds: Any, options: dict[str, Any] | None) -> None:
        """Appends a reset to the queue of each environment of ``env_ids``, which may be repeated."""
    def _queued_resets(self, env_ids: Any = None) -> list[int]:
        """Returns the number of queued resets of each environment."""
    def _clear_resets(self, env_ids: Any = None) -> None:
        """Removes all queued resets of environments."""
    def get_state(self, env_ids: Any = None) -> list[bytes]:
        """Returns snapshots of environments, including their random generators; ``env_id=None`` selects all
        environments.

        Raises:
            RuntimeError: while work is in flight, or after ``close``.
        """
    def set_state(self, state: Sequence[bytes | bytearray | memoryview], env_ids: Any = None) -> None:
        """Restores snapshots made with the same task and options; ``env_id=None`` selects all environments."""
    def _set_changed_state(self, state: Sequence[bytes | bytearray | memoryview], env_ids: Any = None) -> None:
        """Restores snapshots that differ from the current states in options of later episodes and queues only."""
    def draw_pictures(
        self, env_ids: Any, width: int, height: int, camera: int | None = None, depth: bool = False
    ) -> Any:
        """Renders frames ``(n, height, width, 3)`` uint8 of environments.

        Args:
            env_ids: ``(n,)`` integers; ``None`` for all environments, in order.
            width: width of each frame in pixels; 0 for the task's own.
            height: height of each frame in pixels; 0 for the task's own.
            camera: index of one of the task's cameras; -1 for the default camera; ``None`` for the camera of the task's
                options.
            depth: whether to return a pair: the frames, and the distance of each pixel, ``(n, height, width)`` float32.

        Raises:
            IndexError: for a camera that the task does not have.
            RuntimeError: if the task does not render, if an environment is in flight, has failed or has never been
                reset, or after ``close``.
        """
    def draw_texts(self, env_ids: Any = None) -> list[str]:
        """Renders environments as strings; has the arguments and errors of ``draw_pictures``."""
    def _ask(self, env_ids: Any, payloads: list[bytes]) -> list[bytes]:
        """Sends a call other than step or reset to environments that run outside the engine, and waits for the answers.

        Args:
            env_ids: ``(n,)`` integers; ``None`` for all.
            payloads: pickled calls, one for each environment, or one for all.

        Returns:
            The answer of each environment.

        Raises:
            RuntimeError: for environments in flight, after ``close``, and for native pools.
        """
    def close(self) -> None:
        """Frees all environments. Closing twice is allowed; any other call afterwards raises ``RuntimeError``."""
    def _end(self, timeout: float | None, terminate: bool) -> None:
        """Closes environments that run outside the engine.

        Args:
            timeout: time in seconds for an orderly shutdown; ``None`` for 5 s.
            terminate: whether to end the processes of busy environments at once.

        Raises:
            Exception: the first exception of an environment's ``close``, raised after all environments have ended.
        """

@final
class SharedBlock:
    """Memory that a caller and its worker processes share, with requests, messages and rows of observations.

    It has no name in a file system, and is freed with the last process that uses it. Processes that multiprocessing
    starts receive it as an argument.
    """

    def __new__(cls, worker_of: Sequence[int], *, message_bytes: int = 4096, wake_up: str = "auto") -> SharedBlock:
        """Creates a block.

        Args:
            worker_of: for each environment the number of the worker process that runs it; -1: the caller itself.
            message_bytes: size of the buffer for a message to or from an environment; longer messages use a slower
                path.
            wake_up: ``"auto"``, ``"futex"`` (Linux) or ``"poll"`` (all systems; waiting threads poll every
                millisecond).

        Raises:
            ValueError: for a value that is not allowed.
            OSError: if there is not enough memory.
        """

    @staticmethod
    def attach(fd: int) -> SharedBlock:
        """Attaches to the block that a file descriptor (on Windows: a handle) refers to. The caller must still close
        the descriptor.
        """

    @property
    def fd(self) -> int:
        """File descriptor (on Windows: handle) of the block."""

    @property
    def num_envs(self) -> int:
        """Number of environments."""

    @property
    def num_workers(self) -> int:
        """Number of worker processes."""

    @property
    def closing(self) -> bool:
        """Whether workers have been asked to end."""

    @property
    def states(self) -> bytes:
        """``[num_envs]``, the state of each environment's request: 0 idle, 1 requested, 2 running, 3 finished."""

    def close(self) -> None:
        """Requests that all workers end; closing twice is allowed."""

    def allocate(self, layouts: Sequence[Sequence[tuple[Any, Sequence[int]]]], final_rows: bool) -> None:
        """Allocates rows for observations. The calling process must call it first, then every worker with the same
        arguments.

        Args:
            layouts: dtype and shape of each leaf of each environment's observations.
            final_rows: whether there is a second set of rows, for last observations of episodes.

        Raises:
            RuntimeError: if the rows are already allocated.
            TypeError: for dtypes other than plain numbers.
            OSError: if there is not enough memory.
        """

@final
class EnvHost:
    """Runs requests on the environments of one process."""

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
        is_observation: Sequence[Callable[[Any], bool] | None] | None = None,
        schedules: dict[int, Any] | None = None,
    ) -> EnvHost:
        """Creates a host for ``envs``, which have the numbers ``env_ids`` in the block.

        Args:
            block: the shared memory.
            env_ids: numbers of the environments.
            envs: objects with ``step`` and ``reset``.
            structures: nesting of each environment's observations: a leaf's number, a dict or tuple of structures, or
                ``None`` if the observations are sent as messages.
            lenient: whether rewards and infos may have any type.
            conform: function that converts an observation that does not fit its leaves to arrays that do; if it returns
                ``None``, the observation is sent unchanged as a message.
            dumps: function that pickles an object.
            failure: function that serialises an exception that an environment raised in ``"step"`` or ``"reset"``.
            call: function that answers requests other than ``"step"`` and ``"reset"``.
            required: for each environment the keywords that its ``reset`` requires; they are passed as ``None`` unless
                the caller gives them.
            is_observation: for each environment a function that returns whether a pair, of which the second part is a
                dict, is an observation and not ``(observation, info)``; ``None`` if no observation is such a pair.
            schedules: by environment, an object whose method ``keywords`` returns those of a reset, given the caller's.
        """

    def serve(self, worker: int) -> None:
        """Runs a worker's requests until the block is closed."""

class _Overseer(Protocol):
    """Interface of the object that supervises worker processes: it detects losses, and restarts and ends processes."""

    def lost(self, known: list[int]) -> tuple[int, str, bytes] | None:
        """Returns a lost worker, whose process has ended; ``None`` if no worker except those in ``known`` is lost.

        Returns:
            The worker's number, an error message, and bytes from which ``OutsideSpec``'s function ``rebuilt`` recreates
            the exception.
        """
    def renew(self, worker: int) -> tuple[str, bytes] | None:
        """Restarts a worker's process.

        Returns:
            ``None`` on success; otherwise an error message, and bytes from which ``OutsideSpec``'s function ``rebuilt``
            recreates the exception.
        """
    def failure_to_renew(self, worker: int) -> tuple[str, bytes] | None:
        """Returns the last ``renew``'s result again, for a caller that was interrupted before it got the result."""
    def unreadable(self, env_id: int, error: Exception) -> bytes:
        """Returns bytes from which ``rebuilt`` recreates the error for a message that could not be unpickled."""
    def failure(self, env_id: int, payload: bytes, text: str, losses: int) -> Any:
        """Creates the failure object from bytes and text that describe an environment's failure. Only a `WorkerClient`
        calls this method.
        """
    def close_request(self) -> bytes | None:
        """Returns the message that closes an environment; ``None`` if this process must not close environments."""
    def dead_workers(self) -> list[int]:
        """Returns the workers whose processes have ended."""
    def terminate(self, env_ids: list[int]) -> None:
        """Ends the processes that host any of these environments, without waiting for running requests."""
    def end(self, seconds: float, replies: list[tuple[int, bytes]]) -> list[bytes]:
        """Ends all processes, and returns the failures of environments that could not be closed, as bytes.

        ``replies`` are the replies of environments that closed before this call.
        """

@final
class Workers:
    """Environments in worker processes, without pending requests, from which a pool or a client can be made."""

    def __new__(cls, block: SharedBlock, overseer: _Overseer, host: EnvHost | None = None) -> Workers:
        """Combines the environments of ``block``; ``host`` runs those that the calling process hosts."""

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
"""Replies of environments to steps and resets, as arrays with a row per environment.

Leaves, rewards, terminated, truncated, mask of steps that gave four values, infos, messages by row, failures by
environment, and rows that report a restart. The mask is ``None`` if no step gave four values; infos are ``None`` if
all are empty."""

PlainReplies: TypeAlias = tuple[
    list[npt.NDArray[Any]],
    npt.NDArray[np.float64],
    npt.NDArray[np.bool_],
    npt.NDArray[np.bool_],
    npt.NDArray[np.bool_] | None,
    npt.NDArray[np.object_],
]
"""Short form of the replies to steps: leaves, rewards, terminated, truncated, mask of steps that gave four values, and
infos with ``env_id``.
"""

@final
class WorkerClient:
    """The caller's connection to environments in worker processes.

    The client never resets environments by itself, and each environment receives operations separately. All methods
    raise ``RuntimeError`` after the client is closed, and in a forked process.
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
        """Creates a client of the environments of ``workers``.

        Args:
            workers: processes that run the environments.
            num_envs: number of environments.
            leaves: dtype and shape of each leaf of one environment's observations.
            recovery: reaction to the loss of a process: environments start a ``"new_episode"``; or requests are sent
                again to newly created environments (``"retry"``); or the environments are given up (``None``).
            dumps: function that pickles an object.
        """

    def send_steps(self, ids: Any, actions: Any) -> None:
        """Sends an action to each of the environments ``ids`` (``None``: all).

        Raises:
            IndexError: for an id that does not exist.
            ValueError: for an id given twice, or another number of actions.
            RuntimeError: for an id in flight.
            Exception: for an environment whose process is lost.
        """

    def step(self, actions: Any) -> StepReplies | PlainReplies:
        """Steps all environments: ``send_steps``, ``wait`` and ``take`` in one call.

        If all environments replied with rows and infos only, returns leaves, rewards, terminated and truncated flags,
        ``four_values``, and infos with ``env_id``; otherwise the tuple that ``take`` returns. After an interrupt, the
        steps remain in flight.
        """

    def reset(self, ids: Any) -> list[npt.NDArray[Any]] | StepReplies:
        """Resets the environments ``ids`` without seeds and keyword arguments, and waits for all of them.

        Returns the leaves if all environments replied with rows and empty infos, otherwise the tuple that ``take``
        returns. After an interrupt, the resets remain in flight.
        """

    def send_resets(self, ids: Any, seeds: Sequence[int | None] | None = None, keywords: bytes | None = None) -> None:
        """Sends a reset to each of the environments ``ids`` (``None``: all): one seed for each, and the same pickled
        keywords for all.
        """

    def send_calls(self, ids: Any, payloads: Sequence[bytes]) -> None:
        """Sends a pickled call to each of the environments ``ids`` (``None``: all)."""

    def wait(self, ids: Any, count: int | None = None, seconds: float | None = None) -> None:
        """Waits until ``count`` of the environments ``ids`` (``None``: all) have replied, for at most ``seconds``."""

    def completed(self, ids: Any, count: int | None = None) -> npt.NDArray[np.int64]:
        """Returns up to ``count`` of the environments ``ids`` (``None``: all) that have replied, in order of
        completion.
        """

    def take(self, ids: Any) -> StepReplies:
        """Returns the replies of the environments ``ids`` (``None``: all) to steps and resets, and makes the
        environments idle.

        Raises:
            RuntimeError: for an environment that has not replied; then no reply is collected.
        """

    def take_values(self, ids: Any) -> list[Any]:
        """Returns the replies of the environments ``ids`` (``None``: all) to calls: pickled values, or failures."""

    def discard(self, ids: Any) -> None:
        """Discards the replies of the environments ``ids``. If a discarded reply reports a restart, the next step or
        reset reports the restart.
        """

    def call(self, ids: Any, payloads: Sequence[bytes]) -> list[Any]:
        """Sends a call to each of the environments ``ids`` (``None``: all), waits, and returns pickled values or
        failures.

        After an interrupt, the replies are dropped on arrival.
        """

    @property
    def in_flight(self) -> npt.NDArray[np.int64]:
        """The environments whose replies have not been collected."""

    def note_seed(self, env_id: int, seed: int) -> None:
        """Records a seed that a method call, instead of a reset, has set in an environment. Seeds after the loss of a
        process are derived from this seed.
        """

    def end(self, seconds: float, by_force: bool) -> list[Any]:
        """Closes the environments within ``seconds``, and ends all processes; returns the exceptions that closing them
        raised.
        """

@final
class FrameListener:
    """Socket at which an actor waits for the connection of its driver."""

    def __new__(cls, host: str) -> FrameListener:
        """Opens a socket at any free port of one of this computer's addresses; raises ``OSError`` for another's."""
    @property
    def address(self) -> tuple[str, int]:
        """Host and port of the socket."""
    def accept(self, key: bytes, seconds: float, patience: float) -> FrameConnection:
        """Waits up to ``seconds`` for a driver that knows the key, and refuses other clients, each after at most
        ``patience`` seconds; raises ``OSError`` if none comes.
        """

class FrameConnection:
    """One end of an authenticated TCP connection, over which a driver calls an actor.

    An interrupt of a method loses no data: the next call of any method continues.
    """

    def __new__(cls) -> FrameConnection:
        """Makes a driver's end, which is not connected. Calls are queued until it is."""
    def connect(self, host: str, port: int, seconds: float) -> None:
        """Connects to a listener; raises ``OSError`` if that fails. `authenticate` must follow."""
    def authenticate(self, key: bytes, seconds: float) -> bool:
        """Authenticates both ends to each other, and sends queued calls; returns whether the other end knows the key.

        Raises ``OSError`` if the other end does not answer, and ``RuntimeError`` if it has another version.
        """
    @property
    def is_open(self) -> bool:
        """Whether the connection is made, and has not ended."""
    @property
    def end(self) -> str | None:
        """Reason why the connection has ended."""
    def close(self, reason: str | None = None) -> None:
        """Ends the connection, also for threads that wait for its frames."""
    def send_call(
        self, message: bytes, calls: dict[int, FrameCall] | None = None, number: int | None = None
    ) -> FrameCall:
        """Sends a request. Stores the call in ``calls`` at ``number`` before an interrupt can end the sending."""
    def flush(self, seconds: float = 1.0) -> None:
        """Sends the rest of requests that an interrupt has left unsent, at most for ``seconds``; waits for replies send
        what is left.
        """
    @property
    def has_elsewhere(self) -> bool:
        """Whether `take_elsewhere` returns a number."""
    def take_elsewhere(self) -> int | None:
        """Returns the number of the last call to which the actor replied elsewhere, once."""
    def has_reply(self, number: int) -> bool:
        """Returns whether a call has a reply that was not discarded."""
    def has_next(self) -> bool:
        """Returns whether `next` returns a request at once."""
    def next(self) -> bytes | None:
        """Waits for the next request; returns ``None`` at the end of the connection."""
    def reply(self, kind: int, message: bytes) -> None:
        """Sends a reply of a kind: 1 a value, 2 a failure, 3 no value, because it is returned elsewhere."""

@final
class FrameCall:
    """Call of an actor. The reply is discarded with this object."""

    @property
    def connection(self) -> FrameConnection:
        """Connection over which the call was sent."""
    @property
    def number(self) -> int:
        """Position among the connection's calls."""
    def reply(self) -> tuple[int, bytes] | None:
        """Returns kind and bytes of the reply; ``None`` if it has not arrived."""

def wait_for_replies(
    connections: Sequence[FrameConnection], calls: Sequence[FrameCall], at_least: int, seconds: float
) -> list[int]:
    """Waits up to ``seconds`` until ``at_least`` calls have a reply, or a connection that has ended; returns the
    positions of these calls, in order of arrival.

    Also returns if an actor has replied elsewhere. With ``at_least=0``, receives what has arrived.
    """

class _Carrier(Protocol):
    """Interface of the transport that carries requests to the hosts of a remote pool, and their replies back."""

    def send(self, place: int, number: int, request: bytes) -> None:
        """Sends request ``number`` to the host with number ``place``, unless the request was sent before."""
    def wait(self, seconds: float) -> list[tuple[int, int, bytes | None, str, bytes]]:
        """Returns host, number and reply of each request completed within ``seconds``.

        For a failed request, the reply is ``None``, followed by the error message, and bytes from which ``rebuilt``
        recreates the exception.
        """
    def forget(self, over: list[tuple[int, int]]) -> None:
        """Drops requests, given by host and number, whose replies are not needed; ``wait`` does not return them."""
    def lost(self) -> tuple[int, str, bytes] | None:
        """Returns a lost host's number, an error message, and bytes from which ``rebuilt`` recreates the exception.

        Each loss is returned once; ``None`` if there is no further loss.
        """
    def renew(self, place: int, first_number: int) -> tuple[str, bytes] | None:
        """Restarts a host. Returns ``None`` on success, otherwise an error message and bytes for ``rebuilt``."""
    def rebuilt(self, env_id: int, payload: bytes, text: str, losses: int, advice: str | None) -> BaseException:
        """Recreates an exception from its message ``text`` and the bytes ``payload`` that another method returned."""
    def close(self) -> None:
        """Ends all hosts."""

@final
class RemoteSpec:
    """Spec of a pool whose environments run in pools of other processes."""

    def __new__(
        cls,
        spec: Spec,
        carrier: _Carrier,
        shares: Sequence[int],
        *,
        recovery: int | Literal["new_episode"] | None,
        read_only: int | None = None,
    ) -> RemoteSpec:
        """Creates the spec.

        Args:
            spec: spec of the whole pool.
            carrier: carrier of requests to the hosts.
            shares: number of environments of each host.
            recovery: reaction to the loss of a host. A number: its environments resume from snapshots, which are saved
                after this number of requests. ``"new_episode"``: they start new episodes. ``None``: the loss is reported.
            read_only: size in bytes above which the arrays of a result are read-only; ``None`` if all are writable.

        Raises:
            ValueError: if ``shares`` do not add up to all environments.
        """

@final
class RemoteHost:
    """Pool on a host that runs the requests of a remote pool for this host's environments."""

    def __new__(cls, spec: Spec, layout: Layout) -> RemoteHost:
        """Creates the environments of ``spec``, not yet reset, for a remote pool with this result layout."""
    def begin(self, request: bytes) -> bool:
        """Starts a request if the request consists of steps only; returns whether the request was started."""
    def finish(self) -> bytes:
        """Waits for the oldest started request, and returns its reply."""
    def play(self, request: bytes) -> bytes:
        """Runs a request after all requests started before it, and returns its reply."""

@final
class OutsideSpec:
    """Spec of a pool whose environments run in worker processes."""

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
        players: int | None = None,
        shared_spaces: bool = False,
    ) -> OutsideSpec:
        """Creates the spec.

        Args:
            workers: processes that run the environments.
            dialect: convention for dtypes and infos.
            num_envs: number of environments.
            batch_size: rows of a result; fewer than ``num_envs`` makes the pool asynchronous.
            autoreset_mode: ``"next_step"``, ``"same_step"`` or ``"disabled"``.
            max_episode_steps: steps after which the pool truncates an episode.
            record_episode_statistics: whether results report return, length and time of ended episodes.
            seeds: seed of each environment's first reset; ``None`` for no seeds.
            restart: whether environments start a new episode after the loss of their process.
            timeout: maximum time in seconds that a call waits; ``None`` for no limit.
            copy: whether the caller owns observations; otherwise the next step overwrites them.
            leaves: for each leaf of the observation: dtype in the environments' rows, shape, dtype in results.
            structure: nesting of the observation: a leaf's number, or a dict or tuple of structures; ``None`` if
                observations are sent as messages.
            tells_always: whether ``tell`` is called for every result.
            action: dtype and shape of one environment's action; ``None`` if actions are not arrays.
            rows_of_actions: function that converts a batch of actions and their number to an array (or a list) with a
                row for each environment.
            take_apart: function that converts a dict, and the ids given as an argument, to actions and ids.
            dumps: function that pickles an object.
            tell: function of observation, info, ids, messages, columns, ended, restarted; returns observation and info.
            rebuilt: function of environment, bytes, text, number of consecutive losses, and advice; returns the
                exception to raise.
            task: name of the task; snapshots of other tasks are rejected.
            players: players of one environment, whose rewards stand in its row after the leaves; ``None`` for
                environments with one reward.
            shared_spaces: whether ``leaves`` describe one player, and each has a row per player.

        Raises:
            ValueError: for arguments that are not allowed.
            TypeError: for arguments of a wrong type.
        """

class Losses:
    """Records lost hosts (worker processes or actors) and the environments that need a reset, by the engine's recovery
    policy.
    """

    def __new__(cls, num_envs: int, *, restart: bool) -> Losses:
        """Creates the record for ``num_envs`` environments, without losses.

        With ``restart``, environments start a new episode after the loss of their host.
        """

    def note_loss(self, host: int, env_ids: Sequence[int]) -> int:
        """Records the loss of ``host`` with the environments ``env_ids``.

        Returns:
            0 if the host is to be restarted; its environments then need a reset. Otherwise the number of consecutive
            losses, after which the host is not restarted.
        """

    def note_answers(self, env_ids: Sequence[int]) -> None:
        """Records that environments have replied, and resets the count of consecutive losses of their hosts."""

    @property
    def is_unproven(self) -> bool:
        """Whether any restarted host has not replied yet."""

    def note_seed(self, env_id: int, seed: int) -> None:
        """Records the seed of an environment."""

    def next_seed(self, env_id: int) -> int | None:
        """Returns the seed of an environment's first episode after the loss of its host.

        Seeds are reproducible, and differ between losses.

        Returns:
            ``None`` for environments that were never seeded.
        """

    def owing(self, env_ids: Sequence[int]) -> list[int]:
        """Returns the environments among ``env_ids`` that must be reset before their next step."""

    @property
    def is_any_owing(self) -> bool:
        """Whether any environment must be reset before its next step."""

    def set_owing(self, env_ids: Sequence[int], owing: bool) -> None:
        """Sets or clears the mark that environments need a reset.

        Callers clear the mark when they request the reset, and set it again if the reset's reply was not collected.
        """
