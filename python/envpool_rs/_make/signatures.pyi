"""Signatures of the functions that make environments, written by tools/signatures.py (`make generate`).

They have the options of each task, for type checkers and editors. This module does not exist at run
time; the functions themselves are in `envpool_rs`. Functions take the options of all tasks. Signatures in your own code
can have the options of a family only:

    if TYPE_CHECKING:
        from envpool_rs._make.signatures import CartPoleOptions

    def make(**options: Unpack[CartPoleOptions]) -> GymnasiumEnvPool: ...
"""

# mypy: disable-error-code="overload-overlap"
# pyright: reportOverlappingOverload=false
# The file is not formatted: a formatter would put every task, value and parameter on a separate line.
# fmt: off

from collections.abc import Callable, Mapping, Sequence
from multiprocessing.context import BaseContext
from typing import Any, Literal, Protocol, TypeAlias, TypedDict, TypeVar, overload

import numpy.typing as npt
from gymnasium.envs.registration import EnvSpec as GymnasiumEnvSpec
from gymnasium.envs.registration import VectorizeMode
from gymnasium.vector import AutoresetMode, SyncVectorEnv
from typing_extensions import Unpack

from envpool_rs._facades.dm_facade import DMEnvPool
from envpool_rs._facades.gym_facade import GymEnvPool
from envpool_rs._facades.gymnasium_facade import GymnasiumEnvPool, VectorEnv
from envpool_rs._facades.normalization import Normalization
from envpool_rs._python_pool.dm_facade import PythonDMEnvPool
from envpool_rs._python_pool.gym_facade import PythonGymEnvPool
from envpool_rs._python_pool.pool import PythonGymnasiumEnvPool, PythonVectorEnv
from envpool_rs._spec.spec import EnvSpec

_T = TypeVar("_T")

ForEach: TypeAlias = _T | Sequence[_T] | npt.NDArray[Any]
"""One value for all environments, or `num_envs` values."""

Uniform: TypeAlias = tuple[Literal["uniform"], float, float]
"""A float between two bounds, drawn for each episode."""

Integers: TypeAlias = tuple[Literal["integers"], int, int]
"""An integer of at least the first bound and below the second, drawn for each episode."""

Choice: TypeAlias = tuple[Literal["choice"], Unpack[tuple[_T, ...]]]
"""One of the listed values, drawn for each episode."""

TaskId: TypeAlias = str | GymnasiumEnvSpec | list[str] | tuple[str, ...]
"""A task, or several that share a pool."""

EnvFn: TypeAlias = Callable[[], Any]
"""A function that makes an environment."""

EnvFns: TypeAlias = EnvFn | Sequence[EnvFn]
"""One function that makes each environment, or functions that make one each."""

PythonMode: TypeAlias = VectorizeMode | Literal["sync", "async", "vector_entry_point", "shared_memory"]
"""Modes that accept options of environments written in Python."""

Wrappers: TypeAlias = Sequence[Callable[[Any], Any]] | None
"""Functions that wrap each environment."""

EnvType: TypeAlias = Literal["gymnasium", "gym", "dm"]
"""An interface that only the running program knows."""

class EnvPool(Protocol):
    """Pool with any of EnvPool's interfaces."""

    def __len__(self) -> int: ...
    @property
    def spec(self) -> EnvSpec: ...
    @property
    def config(self) -> dict[str, Any]: ...
    @property
    def all_env_ids(self) -> npt.NDArray[Any]: ...
    @property
    def is_async(self) -> bool: ...
    def reset(self, env_id: Any = None) -> Any: ...
    def step(self, action: Any, env_id: Any = None) -> Any: ...
    def async_reset(self) -> None: ...
    def send(self, action: Any, env_id: Any = None) -> None: ...
    def recv(self) -> Any: ...
    def close(self) -> None: ...

class PoolOptions(TypedDict, total=False):
    """Options of every task, except `num_envs`."""

    batch_size: int
    """Rows of a result; fewer than num_envs is asynchronous (int; default 0: num_envs)."""
    num_threads: int | str
    """Background workers, and the calling thread works too; 'auto' measures which number is fastest (int or str; default 0: as many as useful)."""
    max_num_players: int | None
    """EnvPool's name for the number of players; any other number is refused (int or None; default None: the task's)."""
    thread_affinity_offset: int
    """Pins worker k to CPU number offset + k (int; default -1: off)."""
    seed: int | Sequence[int] | npt.NDArray[Any] | None
    """Environment i gets seed + i; or a list with a seed for each (int or list of int or None; default 42 (make), drawn (make_vec))."""
    max_episode_steps: int | Sequence[int | None] | npt.NDArray[Any] | None
    """Time limit in steps, after which an episode is truncated; or a list with one for each (int or None or list of such; default None: the task's)."""
    reward_threshold: float | None
    """Mean return that counts as solved; reported by spec (float or None; default None: the task's)."""
    autoreset_mode: Literal["next_step", "same_step", "disabled"] | AutoresetMode
    """When a finished environment is reset: in the next step, in the last step, or only by reset ("next_step", "same_step" or "disabled" or AutoresetMode; default 'next_step')."""
    record_episode_statistics: bool
    """Return, length and time of ended episodes in info["episode"]; not with dm_env's time steps (bool; default False)."""
    normalize_obs: Literal["gymnasium", "sb3"] | bool
    """Normalises observations by running statistics, as gymnasium (True) or Stable-Baselines3 does ("gymnasium" or "sb3" or bool; default False)."""
    normalize_reward: Literal["gymnasium", "sb3"] | bool
    """Divides rewards by the standard deviation of returns, as gymnasium (True) or Stable-Baselines3 does ("gymnasium" or "sb3" or bool; default False)."""
    clip_obs: float | None
    """Largest absolute value of observations (float or None; default None: off, or 10 with "sb3")."""
    clip_reward: float | None
    """Largest absolute value of rewards (float or None; default None: off, or 10 with "sb3")."""
    gamma: float
    """Discount factor of the returns that normalize_reward uses (float; default 0.99)."""
    epsilon: float
    """Normalisation adds it to variances (float; default 1e-8)."""
    normalization: Normalization | None
    """Another pool's normalization: its options, and its statistics, frozen, at each reset of all environments (Normalization or None; default None)."""
    env_seed: Sequence[int] | npt.NDArray[Any] | None
    """EnvPool's name for a list of seeds (list of int or None; default []: seed)."""
    base_path: str | None
    """EnvPool's name for the folder of its files: Atari's rom_dir; no other task needs one (str or None; default None)."""
    render_mode: Literal["human", "rgb_array", "depth_array", "rgbd_tuple", "ansi"] | None
    """Result of render(): a window, pictures, depths or both (MuJoCo), or text (toy text) ("human", "rgb_array", "depth_array", "rgbd_tuple" or "ansi" or None; default None)."""
    render_env_id: int | None
    """The environment that EnvPool's render() shows by default (int or None; default 0)."""
    render_width: int | None
    """Width of pictures in pixels (int or None; default 0: the task's)."""
    render_height: int | None
    """Height of pictures in pixels (int or None; default 0: the task's)."""
    render_camera_id: int | None
    """One of the model's cameras (MuJoCo); None or -1: the task's own (int or None; default None)."""

class CommonOptions(TypedDict, total=False):
    """Options that tasks of several families have."""

    action_mask: ForEach[bool]
    """Whether infos have `action_mask`: 1 for each action that has an effect, by player (bool; default False)."""
    continuous: ForEach[bool]
    """Whether actions are radius, angle and fire (bool; default by task)."""
    env_name: ForEach[Literal["empty", "doorkey", "crossing", "distshift", "lava_gap", "dynamic_obstacles", "fetch", "four_rooms", "goto_door", "goto_object", "key_corridor", "locked_room", "memory", "multi_room", "obstructed_maze_1dlhb", "obstructed_maze_full", "obstructed_maze_full_v1", "playground", "put_near", "red_blue_door", "unlock", "unlock_pickup", "blocked_unlock_pickup", "wfc", "babyai_goto_red_ball_grey", "babyai_goto_red_ball", "babyai_goto_obj", "babyai_goto_local", "babyai_goto", "babyai_goto_imp_unlock", "babyai_goto_red_blue_ball", "babyai_goto_door", "babyai_goto_obj_door", "babyai_goto_red_ball_no_dists", "babyai_open", "babyai_open_red_door", "babyai_open_door", "babyai_open_two_doors", "babyai_open_doors_order", "babyai_pickup", "babyai_unblock_pickup", "babyai_pickup_dist", "babyai_pickup_above", "babyai_put_next_local", "babyai_put_next", "babyai_move_two_across", "babyai_unlock", "babyai_unlock_local", "babyai_key_in_box", "babyai_unlock_pickup", "babyai_blocked_unlock_pickup", "babyai_unlock_to_unlock", "babyai_action_obj_door", "babyai_find_obj", "babyai_key_corridor", "babyai_one_room", "babyai_goto_seq", "babyai_synth", "babyai_synth_loc", "babyai_synth_seq", "babyai_pickup_loc", "babyai_mini_boss_level", "babyai_boss_level", "babyai_boss_level_no_unlock"]] | ForEach[Literal["bigfish", "bossfight", "caveflyer", "chaser", "climber", "coinrun", "dodgeball", "fruitbot", "heist", "jumper", "leaper", "maze", "miner", "ninja", "plunder", "starpilot"]]
    """Class of levels, by EnvPool's name ("empty", "doorkey", "crossing", "distshift", "lava_gap", "dynamic_obstacles", "fetch", "four_rooms", "goto_door", "goto_object", "key_corridor", "locked_room", "memory", "multi_room", "obstructed_maze_1dlhb", "obstructed_maze_full", "obstructed_maze_full_v1", "playground", "put_near", "red_blue_door", "unlock", "unlock_pickup", "blocked_unlock_pickup", "wfc", "babyai_goto_red_ball_grey", "babyai_goto_red_ball", "babyai_goto_obj", "babyai_goto_local", "babyai_goto", "babyai_goto_imp_unlock", "babyai_goto_red_blue_ball", "babyai_goto_door", "babyai_goto_obj_door", "babyai_goto_red_ball_no_dists", "babyai_open", "babyai_open_red_door", "babyai_open_door", "babyai_open_two_doors", "babyai_open_doors_order", "babyai_pickup", "babyai_unblock_pickup", "babyai_pickup_dist", "babyai_pickup_above", "babyai_put_next_local", "babyai_put_next", "babyai_move_two_across", "babyai_unlock", "babyai_unlock_local", "babyai_key_in_box", "babyai_unlock_pickup", "babyai_blocked_unlock_pickup", "babyai_unlock_to_unlock", "babyai_action_obj_door", "babyai_find_obj", "babyai_key_corridor", "babyai_one_room", "babyai_goto_seq", "babyai_synth", "babyai_synth_loc", "babyai_synth_seq", "babyai_pickup_loc", "babyai_mini_boss_level", "babyai_boss_level", "babyai_boss_level_no_unlock", "bigfish", "bossfight", "caveflyer", "chaser", "climber", "coinrun", "dodgeball", "fruitbot", "heist", "jumper", "leaper", "maze", "miner", "ninja", "plunder" or "starpilot"; default by task)."""
    episodic_life: ForEach[bool | Choice[bool]] | ForEach[bool]
    """Whether losing a life ends the episode, but not the game (bool; default False)."""
    frame_skip: ForEach[int | Integers | Choice[int]] | ForEach[int]
    """Frames for which an action is repeated (int; default by task)."""
    goal_pos: ForEach[Sequence[int] | Choice[Sequence[int] | None] | None] | ForEach[Sequence[float] | Choice[Sequence[float]]]
    """Column and row of the goal; None: random (None or list of int or list of float; default by task)."""
    goal_velocity: ForEach[float | Uniform | Choice[float]]
    """Velocity needed at the goal, per step (float; default 0.0)."""
    gravity: ForEach[float | Uniform | Choice[float]] | ForEach[float | Uniform | Choice[float | None] | None]
    """Gravitational acceleration in m/s² (float or None; default by task)."""
    height: ForEach[int | None] | ForEach[int | Integers | Choice[int]]
    """EnvPool's name for rows (int or None; default by task)."""
    horizon: ForEach[int]
    """Number of steps of an episode (an integer from 1 to 2147483647; default by task)."""
    img_height: ForEach[int]
    """Rows of an observation (an integer from 1 to 4096; default 84)."""
    img_width: ForEach[int]
    """Columns of an observation (an integer from 1 to 4096; default 84)."""
    is_slippery: ForEach[bool | Choice[bool]]
    """Whether moves may go sideways (bool; default by task)."""
    layout: ForEach[str | None] | ForEach[str]
    """Layout as text: rows of x (shelf), . (highway) and g (goal) (None or str; default by task)."""
    length: ForEach[float | Uniform | Choice[float]] | ForEach[int | None]
    """Half the pole's length in m (float or int or None; default by task)."""
    max_steps: ForEach[int | Integers | Choice[int]] | ForEach[int] | ForEach[int | Integers | Choice[int | None] | None]
    """Number of steps after which an episode terminates; the package's max_episode_steps (int or None; default by task)."""
    mode: ForEach[int | None] | ForEach[str | None]
    """The game's mode; -1: its default (int or None or str; default by task)."""
    observation_type: ForEach[Literal["flattened", "dict", "image", "image_dict"]] | ForEach[Literal["Kinematics", "OccupancyGrid", "TimeToCollision", "LidarObservation", "GrayscaleObservation", "ExitObservation", "KinematicsGoal", "AttributesObservation"]]
    """Form of observations ("flattened", "dict", "image", "image_dict", "Kinematics", "OccupancyGrid", "TimeToCollision", "LidarObservation", "GrayscaleObservation", "ExitObservation", "KinematicsGoal" or "AttributesObservation"; default by task)."""
    reward_type: ForEach[Literal["individual", "global", "two_stage"]] | ForEach[Literal["sparse", "dense"]]
    """Whom a delivery rewards, and when ("individual", "global", "two_stage", "sparse" or "dense"; default by task)."""
    size: ForEach[int] | ForEach[int | Integers | Choice[int]] | ForEach[int | Sequence[int]]
    """EnvPool's name for the map: 4 or 8 rows; 1 to 3: a corner of the smaller map (int or list of int; default by task)."""
    stack_num: ForEach[int]
    """Frames in an observation (an integer from 1 to 1000; default 4)."""
    stack_once: ForEach[bool]
    """Whether an observation is the newest frame of the stack only, and infos have stack_age: for FrameMemory (bool; default False)."""
    terminate_on_success: ForEach[bool | Choice[bool]] | ForEach[bool]
    """Whether an episode ends once all landmarks are covered within 0.1 (bool; default False)."""
    use_inter_area_resize: ForEach[bool]
    """OpenCV's INTER_AREA, or else INTER_LINEAR (bool; default True)."""
    width: ForEach[int | None] | ForEach[int | Integers | Choice[int]]
    """EnvPool's name for columns (int or None; default by task)."""

class CartPoleOptions(PoolOptions, CommonOptions, total=False):
    """Options of CartPole-v0, CartPole-v1."""

    sutton_barto_reward: ForEach[bool | Choice[bool]]
    """Reward 0 per step and -1 for the last, instead of 1 per step (bool; default False)."""
    masscart: ForEach[float | Uniform | Choice[float]]
    """Mass of the cart in kg (float, above 0; default 1.0)."""
    masspole: ForEach[float | Uniform | Choice[float]]
    """Mass of the pole in kg (float, above 0; default 0.1)."""
    force_mag: ForEach[float | Uniform | Choice[float]]
    """Force of a push in N (float; default 10.0)."""

class MountainCarOptions(PoolOptions, CommonOptions, total=False):
    """Options of MountainCar-v0."""

    force: ForEach[float | Uniform | Choice[float]]
    """Acceleration by the engine, per step² (float; default 0.001)."""

class MountainCarContinuousOptions(PoolOptions, CommonOptions, total=False):
    """Options of MountainCarContinuous-v0."""

    power: ForEach[float | Uniform | Choice[float]]
    """Acceleration by the full throttle, per step² (float; default 0.0015)."""

class PendulumOptions(PoolOptions, CommonOptions, total=False):
    """Options of Pendulum-v0, Pendulum-v1."""

    g: ForEach[float | Uniform | Choice[float]]
    """Gravity in m/s² (float; default 10.0)."""
    m: ForEach[float | Uniform | Choice[float]]
    """Mass of the rod in kg (float, above 0; default 1.0)."""
    l: ForEach[float | Uniform | Choice[float]]
    """Length of the rod in m (float, above 0; default 1.0)."""
    version: ForEach[int]
    """EnvPool's name for the task: 0 is Pendulum-v0, 1 is Pendulum-v1 (int, 0 or 1; default by task)."""

class AcrobotOptions(PoolOptions, CommonOptions, total=False):
    """Options of Acrobot-v1."""

    link_length_1: ForEach[float | Uniform | Choice[float]]
    """Length of the first link in m (float, above 0; default 1.0)."""
    link_mass_1: ForEach[float | Uniform | Choice[float]]
    """Mass of the first link in kg (float, above 0; default 1.0)."""
    link_mass_2: ForEach[float | Uniform | Choice[float]]
    """Mass of the second link in kg (float, above 0; default 1.0)."""
    link_com_pos_1: ForEach[float | Uniform | Choice[float]]
    """Distance of the first link's centre of mass from its joint in m (float, above 0; default 0.5)."""
    link_com_pos_2: ForEach[float | Uniform | Choice[float]]
    """Distance of the second link's centre of mass from its joint in m (float, above 0; default 0.5)."""
    link_moi: ForEach[float | Uniform | Choice[float]]
    """Moment of inertia of each link in kg m² (float, above 0; default 1.0)."""

class FrozenLakeOptions(PoolOptions, CommonOptions, total=False):
    """Options of FrozenLake-v1, FrozenLake8x8-v1."""

    desc: ForEach[list[str] | tuple[str, ...] | Choice[list[str] | tuple[str, ...] | None] | None]
    """The map's rows, of the letters S, F, H and G (None or list of str; default None)."""
    map_name: ForEach[str | None]
    """Name of a map, "4x4" or "8x8"; None and no desc: a random one of 8 by 8 cells (str or None; default by task)."""
    success_rate: ForEach[float | Uniform | Choice[float]]
    """Probability of moving as intended on slippery ice; the rest is shared by the two sides (a probability, from 0 to 1; default 0.3333333333333333)."""
    reward_schedule: ForEach[Sequence[float] | Choice[Sequence[float]]]
    """Rewards for reaching the goal, a hole, frozen ground (list of float; default [1.0, 0.0, 0.0])."""

class TaxiOptions(PoolOptions, CommonOptions, total=False):
    """Options of Taxi-v3, Taxi-v4."""

    is_rainy: ForEach[bool | Choice[bool]]
    """Whether the taxi may drift sideways (bool; default False)."""
    fickle_passenger: ForEach[bool | Choice[bool]]
    """Whether the passenger may choose another destination when first driven (bool; default False)."""
    rainy_probability: ForEach[float | Uniform | Choice[float]]
    """Probability of no drift in the rain (a probability, from 0 to 1; default 0.8)."""
    fickle_probability: ForEach[float | Uniform | Choice[float]]
    """Probability that a passenger is fickle, if any may be (a probability, from 0 to 1; default 0.3)."""

class BlackjackOptions(PoolOptions, CommonOptions, total=False):
    """Options of Blackjack-v1."""

    natural: ForEach[bool | Choice[bool]]
    """Whether winning with a natural pays 1.5 (if sab is False) (bool; default False)."""
    sab: ForEach[bool | Choice[bool]]
    """Whether a natural wins against any other hand, as in Sutton and Barto (bool; default True)."""

class NChainOptions(PoolOptions, CommonOptions, total=False):
    """Options of NChain-v0."""

    n: ForEach[int]
    """Length of the chain (an integer from 1 to 2147483647; default 5)."""
    slip: ForEach[float | Uniform | Choice[float]]
    """Probability that the other action is played (a probability, from 0 to 1; default 0.2)."""
    small: ForEach[float | Uniform | Choice[float]]
    """Reward for going backwards (float; default 2.0)."""
    large: ForEach[float | Uniform | Choice[float]]
    """Reward for going forwards at the end (float; default 10.0)."""

class AtariOptions(PoolOptions, CommonOptions, total=False):
    """Options of Adventure-v5, AirRaid-v5, Alien-v5 and 205 more."""

    rom_dir: ForEach[str | None]
    """Folder with the cartridges' images, pong.bin and so on, or with atari/roms/pong.bin (None or str; default None)."""
    noop_max: ForEach[int | Integers | Choice[int]]
    """A reset plays 1 to this many NOOPs, or none (an integer from 0 to 10000; default 30)."""
    zero_discount_on_life_loss: ForEach[bool | Choice[bool]]
    """Whether the discount is 0 when a life is lost (bool; default False)."""
    reward_clip: ForEach[bool | Choice[bool]]
    """Whether rewards are -1, 0 or 1 (bool; default False)."""
    use_fire_reset: ForEach[bool | Choice[bool]]
    """Whether a reset presses FIRE in games that have it (bool; default True)."""
    task: ForEach[str]
    """The game (str; default by task)."""
    difficulty: ForEach[int | None]
    """The game's difficulty; -1: its default (int or None; default by task)."""
    full_action_space: ForEach[bool]
    """Whether the action set has all 18 actions (bool; default False)."""
    repeat_action_probability: ForEach[float]
    """Probability that a frame repeats the previous action (a probability, from 0 to 1; default by task)."""
    gray_scale: ForEach[bool]
    """Whether frames are gray; coloured ones have three channels (bool; default True)."""
    translate: ForEach[bool]
    """Whether games are translated into machine code; results do not depend on it (bool; default True)."""
    game: ForEach[str]
    """The game (str; default by task)."""
    obs_type: ForEach[Literal["rgb", "grayscale", "ram"]]
    """The screen in colour, in gray, or the RAM ("rgb", "grayscale" or "ram"; default 'rgb')."""
    frameskip: ForEach[int | Sequence[int] | Integers | Choice[int | Sequence[int]]]
    """Frames per step, or bounds from which it is drawn, the upper excluded (an integer from 1 to 10000, or two of them; default 4)."""
    continuous_action_threshold: ForEach[float | Uniform | Choice[float]]
    """Threshold above which an axis is a direction, or the button is FIRE (float; default 0.5)."""
    max_num_frames_per_episode: ForEach[int | None]
    """Frames after which an episode is truncated; 0 or None: never (an integer from 0 to 2147483647 or None; default 108000)."""
    preprocessing: ForEach[bool]
    """Whether gymnasium's AtariPreprocessing is applied, with the options that follow (bool; default False)."""
    screen_size: ForEach[int | Sequence[int]]
    """Width and height of a frame, or one number for both (an integer from 1 to 4096, or two of them; default 84)."""
    terminal_on_life_loss: ForEach[bool | Choice[bool]]
    """Whether losing a life ends the episode (bool; default False)."""
    grayscale_obs: ForEach[bool]
    """Whether frames are gray (bool; default True)."""
    grayscale_newaxis: ForEach[bool]
    """Whether gray frames have a third axis, of one channel (bool; default False)."""
    scale_obs: ForEach[bool]
    """Whether frames are float32 from 0 to 1 (bool; default False)."""
    stack_size: ForEach[int | None]
    """Observations per stack, as gymnasium's FrameStackObservation; None: no stack (an integer from 1 to 1000 or None; default None)."""
    padding_type: ForEach[Literal["reset", "zero"]]
    """Padding of the stack at a reset: the first observation, or zeros ("reset" or "zero"; default 'reset')."""

class CatchOptions(PoolOptions, CommonOptions, total=False):
    """Options of Catch-v0."""

    rows: ForEach[int]
    """Rows of the board (an integer from 2 to 1024; default 10)."""
    columns: ForEach[int]
    """Columns of the board (an integer from 1 to 1024; default 5)."""

class ParticlesOptions(PoolOptions, CommonOptions, total=False):
    """Options of SimpleSpread-v3, SimpleSpeakerListener-v4, Simple-v3 and 9 more."""

    N: ForEach[int]
    """Number of agents, and of landmarks (int; default by task)."""
    local_ratio: ForEach[float | Uniform | Choice[float]]
    """Weight of the local reward; the global reward has the rest (float from 0 to 1; default 0.5)."""
    curriculum: ForEach[bool | Choice[bool]]
    """Whether collisions are not penalized: stage 0, which mpe2 1.1.1 never leaves (bool; default False)."""
    num_agent_neighbors: ForEach[int | None]
    """Number of other agents that each observes, nearest first; None: all (None or int; default None)."""
    num_landmark_neighbors: ForEach[int | None]
    """Number of landmarks that each observes, nearest first; None: all (None or int; default None)."""
    continuous_actions: ForEach[bool]
    """Continuous actions from 0 to 1 instead of discrete ones (bool; default False)."""
    benchmark_data: ForEach[bool]
    """Whether infos have `benchmark_data`, mpe2's metrics of policies (bool; default False)."""
    max_cycles: ForEach[int | None]
    """Not supported: use max_episode_steps (None or int; default None)."""
    dynamic_rescaling: ForEach[bool]
    """Whether pictures scale agents with the world; affects pictures only (bool; default True)."""
    num_good: ForEach[int]
    """Number of good agents (an integer from 1 to 64; default by task)."""
    num_adversaries: ForEach[int]
    """Number of adversaries (an integer from 1 to 64; default by task)."""
    num_obstacles: ForEach[int]
    """Number of landmarks that block agents (an integer from 0 to 64; default by task)."""
    num_food: ForEach[int]
    """Number of landmarks that reward good agents (an integer from 1 to 64; default 2)."""
    num_forests: ForEach[int]
    """Number of landmarks that hide agents (an integer from 0 to 64; default 2)."""
    num_collectors: ForEach[int]
    """Number of collectors (an integer from 1 to 64; default 6)."""
    num_deposits: ForEach[int]
    """Number of deposits, each for treasures of a kind (an integer from 1 to 6; default 2)."""
    num_treasures: ForEach[int]
    """Number of treasures (an integer from 1 to 64; default 6)."""

class ForagingOptions(PoolOptions, CommonOptions, total=False):
    """Options of Foraging-v3."""

    players: ForEach[int]
    """Number of players (an integer from 1 to 64; default 2)."""
    field_size: ForEach[int | Sequence[int]]
    """Rows and columns of the field: one number for both, or two (an integer from 3 to 255, or two of them; default 8)."""
    max_num_food: ForEach[int]
    """Number of foods, fewer if they find no place (an integer from 1 to 1000; default 3)."""
    sight: ForEach[int | None]
    """Number of cells that a player sees in each direction; None: all (an integer from 1 to 255 or None; default None)."""
    min_player_level: ForEach[int | Sequence[int]]
    """Lowest level of all players, or of each (int or list of int; default 1)."""
    max_player_level: ForEach[int | Sequence[int]]
    """Highest level of all players, or of each (int or list of int; default 2)."""
    min_food_level: ForEach[int | Sequence[int]]
    """Lowest level of all foods, or of each (int or list of int; default 1)."""
    max_food_level: ForEach[int | Sequence[int]]
    """Highest level of all foods, or of each; 0: sum of the three lowest levels of the players (int or list of int; default 0)."""
    force_coop: ForEach[bool | Choice[bool]]
    """Whether all foods have their highest level, so that players must cooperate (bool; default False)."""
    divide_rewards: ForEach[bool | Choice[bool]]
    """Whether all rewards of an episode sum to at most 1; the package's normalize_reward (bool; default True)."""
    penalty: ForEach[float | Uniform | Choice[float]]
    """Penalty of each player of a group that fails to load a food (float; default 0.0)."""
    observe_agent_levels: ForEach[bool]
    """Whether observations have the levels of players (bool; default True)."""
    grid_observation: ForEach[bool]
    """Whether observations are grids around the player (bool; default False)."""

class WarehouseOptions(PoolOptions, CommonOptions, total=False):
    """Options of rware-v2."""

    shelf_columns: ForEach[int]
    """Number of columns of shelves, odd (an integer from 1 to 99; default 3)."""
    column_height: ForEach[int]
    """Number of rows of shelves in a column (an integer from 1 to 99; default 8)."""
    shelf_rows: ForEach[int]
    """Number of columns above one another (an integer from 1 to 9; default 1)."""
    n_agents: ForEach[int]
    """Number of players (an integer from 1 to 256; default 2)."""
    msg_bits: ForEach[int]
    """Number of bits that each player sends in each step (an integer from 0 to 32; default 0)."""
    sensor_range: ForEach[int]
    """Number of cells that a player sees in each direction (an integer from 0 to 20; default 1)."""
    request_queue_size: ForEach[int]
    """Number of shelves that are requested at the same time (an integer from 0 to 65535; default 2)."""
    max_inactivity_steps: ForEach[int | None]
    """Number of steps without a delivery that terminate an episode (an integer from 1 to 2147483647 or None; default None)."""
    image_observation_layers: ForEach[list[str] | tuple[str, ...]]
    """Layers of images, in order (list of str; default ['shelves', 'requests', 'agents', 'goals', 'accessible'])."""
    image_observation_directional: ForEach[bool]
    """Whether images are turned to the player's direction (bool; default True)."""
    normalised_coordinates: ForEach[bool]
    """Whether positions are shares of the warehouse's size (bool; default False)."""

class OvercookedOptions(PoolOptions, CommonOptions, total=False):
    """Options of Overcooked-v0."""

    encoding: ForEach[Literal["lossless", "featurized"]]
    """Form of observations ("lossless" or "featurized"; default 'lossless')."""
    num_pots: ForEach[int]
    """Number of pots in features, nearest first (an integer from 0 to 16; default 2)."""
    reward_shaping_factor: ForEach[float | Uniform | Choice[float]]
    """Weight of each player's shaped reward, which is added to the team's reward (float; default 0.0)."""
    start_all_orders: ForEach[list[str] | tuple[str, ...] | None]
    """Recipes with a value, such as ["onion onion tomato"]; empty: all (None or list of str; default None)."""
    start_bonus_orders: ForEach[list[str] | tuple[str, ...] | None]
    """Recipes with a bonus, each one of start_all_orders (None or list of str; default None)."""
    recipe_values: ForEach[Sequence[float] | None]
    """Value of each recipe of start_all_orders (None or list of float; default None)."""
    recipe_times: ForEach[Sequence[int] | None]
    """Cooking time of each recipe of start_all_orders (None or list of int; default None)."""
    onion_value: ForEach[float | None]
    """Value of each onion in a soup (None or float; default None)."""
    tomato_value: ForEach[float | None]
    """Value of each tomato in a soup (None or float; default None)."""
    onion_time: ForEach[int | None]
    """Cooking time of each onion in a soup (an integer from 1 to 1000000 or None; default None)."""
    tomato_time: ForEach[int | None]
    """Cooking time of each tomato in a soup (an integer from 1 to 1000000 or None; default None)."""
    delivery_reward: ForEach[float | None]
    """Value of all recipes (None or float; default None)."""
    cook_time: ForEach[int | None]
    """Cooking time of all recipes (an integer from 1 to 1000000 or None; default None)."""
    order_bonus: ForEach[float | None]
    """Factor of the value of recipes with a bonus (None or float; default None)."""
    rew_shaping_params: ForEach[Mapping[Any, float | Sequence[float]] | None]
    """Shaped rewards by the package's names, such as {"DISH_PICKUP_REWARD": 3} (None or dict of numbers; default None)."""
    old_dynamics: ForEach[bool]
    """Whether soups of three ingredients cook by themselves, and others never (bool; default False)."""
    random_start_pos: ForEach[bool]
    """Whether players start on random cells (bool; default False)."""
    rnd_obj_prob_thresh: ForEach[float | Uniform | Choice[float]]
    """Probability of ingredients in each pot, and of an object in each player's hands (a probability, from 0 to 1; default 0.0)."""
    random_agent_idx: ForEach[bool]
    """Whether the order of two players is drawn for each episode, as in the package's gym environment (bool; default False)."""
    display_phi: ForEach[bool]
    """Whether infos have the package's potentials `phi_s` and `phi_s_prime` of each step (bool; default False)."""
    event_infos: ForEach[bool]
    """Whether infos have `event_infos`: 1 for each event of a player in the last step (bool; default False)."""

class MiniGridOptions(PoolOptions, CommonOptions, total=False):
    """Options of MiniGrid-Empty-5x5-v0, MiniGrid-Empty-Random-5x5-v0, MiniGrid-Empty-6x6-v0 and 175 more."""

    agent_start_pos: ForEach[Sequence[int] | Choice[Sequence[int] | None] | None]
    """Column and row where the agent starts; None: random (list of int or None; default by task)."""
    agent_start_dir: ForEach[int | Integers | Choice[int]]
    """Direction at the start: 0 right, 1 down, 2 left, 3 up (an integer from 0 to 3; default 0)."""
    agent_view_size: ForEach[int]
    """Cells on each side of the agent's view, odd (an integer from 3 to 31; default 7)."""
    see_through_walls: ForEach[bool | Choice[bool | None] | None]
    """Whether the agent sees through walls; None: the level's default (None or bool; default None)."""
    obs: ForEach[Literal["image", "full", "onehot", "rgb_partial", "rgb", "flat", "symbolic"]]
    """Format of the image, as made by minigrid's wrappers ("image", "full", "onehot", "rgb_partial", "rgb", "flat" or "symbolic"; default 'image')."""
    obs_tile_size: ForEach[int]
    """Pixels on each side of a cell in observations (an integer from 1 to 64; default 8)."""
    image_only: ForEach[bool]
    """Whether observations are the image alone instead of a dict (bool; default False)."""
    mission: ForEach[Literal["text", "bytes", "tokens", "none"]]
    """Format of the mission ("text", "bytes", "tokens" or "none"; default 'text')."""
    highlight: ForEach[bool | Choice[bool]]
    """Whether pictures of the whole world highlight the agent's view (bool; default True)."""
    action_prob: ForEach[float | Uniform | Choice[float | None] | None]
    """Probability that the requested action is played (a probability, from 0 to 1 or None; default None)."""
    random_action: ForEach[int | Integers | Choice[int | None] | None]
    """Action played otherwise; None: a random one (an integer from 0 to 6 or None; default None)."""
    no_death: ForEach[list[str] | tuple[str, ...] | Choice[list[str] | tuple[str, ...]]]
    """Kinds of cells that do not end an episode: "lava", "ball", ... (list of str; default [])."""
    death_cost: ForEach[float | Uniform | Choice[float]]
    """Reward added instead of ending the episode (float; default -1.0)."""
    seeds: ForEach[Sequence[int]]
    """Seeds of the episodes, in a cycle: a fixed set of worlds (list of int; default [])."""
    tile_size: ForEach[int]
    """Pixels on each side of a cell in pictures (an integer from 1 to 64; default 32)."""
    agent_pov: ForEach[bool]
    """Whether pictures show the agent's view instead of the whole world (bool; default False)."""
    num_crossings: ForEach[int | Integers | Choice[int]]
    """Rivers (an integer from 0 to 200; default by task)."""
    obstacle_type: ForEach[Literal["lava", "wall"] | Choice[Literal["lava", "wall"]]]
    """Material of the rivers ("lava" or "wall"; default by task)."""
    strip2_row: ForEach[int | Integers | Choice[int]]
    """Row of the second strip of lava (an integer from 1 to 198; default by task)."""
    n_obstacles: ForEach[int | Integers | Choice[int]]
    """Number of balls; more than size / 2 + 1 become size / 2 (an integer from 0 to 200; default by task)."""
    numObjs: ForEach[int | Integers | Choice[int]]
    """Keys and balls (int; default by task)."""
    num_objs: ForEach[int | Integers | Choice[int | None] | None]
    """EnvPool's name for the option above; None: that option's value (None or int; default by task)."""
    agent_pos: ForEach[Sequence[int] | Choice[Sequence[int] | None] | None]
    """Column and row where the agent starts; None: random (None or list of int; default None)."""
    num_rows: ForEach[int | Integers | Choice[int]]
    """Rows of rooms (int; default by task)."""
    room_size: ForEach[int | Integers | Choice[int]]
    """Cells on each side of a room, walls included (int; default by task)."""
    obj_type: ForEach[Literal["ball", "box", "key"] | Choice[Literal["ball", "box", "key"]]]
    """Kind of the object to pick up ("ball", "box" or "key"; default 'ball')."""
    random_length: ForEach[bool | Choice[bool]]
    """Whether the hallway's length is random (bool; default by task)."""
    minNumRooms: ForEach[int | Integers | Choice[int]]
    """Minimum number of rooms (an integer from 1 to 20; default by task)."""
    min_num_rooms: ForEach[int | Integers | Choice[int | None] | None]
    """EnvPool's name for the option above; None: that option's value (an integer from 1 to 20 or None; default None)."""
    maxNumRooms: ForEach[int | Integers | Choice[int]]
    """Maximum number of rooms (an integer from 1 to 20; default by task)."""
    max_num_rooms: ForEach[int | Integers | Choice[int | None] | None]
    """EnvPool's name for the option above; None: that option's value (an integer from 1 to 20 or None; default None)."""
    maxRoomSize: ForEach[int | Integers | Choice[int]]
    """Longest side of a room in cells, walls included (an integer from 4 to 50; default by task)."""
    max_room_size: ForEach[int | Integers | Choice[int | None] | None]
    """EnvPool's name for the option above; None: that option's value (an integer from 4 to 50 or None; default None)."""
    key_in_box: ForEach[bool | Choice[bool]]
    """Whether keys lie in boxes (bool; default by task)."""
    blocked: ForEach[bool | Choice[bool]]
    """Whether balls block locked doors (bool; default by task)."""
    agent_room: ForEach[Sequence[int] | Choice[Sequence[int]]]
    """Column and row of the room where the agent starts (list of int; default by task)."""
    num_quarters: ForEach[int | Integers | Choice[int]]
    """Number of quarters with doors and keys (an integer from 1 to 4; default by task)."""
    num_rooms_visited: ForEach[int | Integers | Choice[int]]
    """Number of rooms that the time limit is computed from (an integer from 1 to 1000; default by task)."""
    wfc_config: ForEach[Literal["MazeSimple", "DungeonMazeScaled", "RoomsFabric", "ObstaclesBlackdots", "ObstaclesAngular", "ObstaclesHogs3"]]
    """Sample picture, by the name of minigrid's preset ("MazeSimple", "DungeonMazeScaled", "RoomsFabric", "ObstaclesBlackdots", "ObstaclesAngular" or "ObstaclesHogs3"; default by task)."""
    wfc_preset: ForEach[Literal["MazeSimple", "DungeonMazeScaled", "RoomsFabric", "ObstaclesBlackdots", "ObstaclesAngular", "ObstaclesHogs3"] | None]
    """EnvPool's name for the option above; None: that option's value ("MazeSimple", "DungeonMazeScaled", "RoomsFabric", "ObstaclesBlackdots", "ObstaclesAngular" or "ObstaclesHogs3" or None; default None)."""
    ensure_connected: ForEach[bool | Choice[bool]]
    """Whether all but the largest connected part of the world becomes wall (bool; default True)."""
    num_dists: ForEach[int | Integers | Choice[int]]
    """Distractor objects (an integer from 0 to 100; default by task)."""
    num_cols: ForEach[int | Integers | Choice[int]]
    """Rooms in a row (an integer from 1 to 10; default by task)."""
    doors_open: ForEach[bool | Choice[bool]]
    """Whether all doors are open (bool; default by task)."""
    debug: ForEach[bool | Choice[bool]]
    """Whether opening another door ends the episode (bool; default by task)."""
    select_by: ForEach[Literal["color", "loc"] | Choice[Literal["color", "loc"] | None] | None]
    """How the mission describes the door; None: random ("color" or "loc" or None; default by task)."""
    first_color: ForEach[Literal["red", "green", "blue", "purple", "yellow", "grey"] | Choice[Literal["red", "green", "blue", "purple", "yellow", "grey"] | None] | None]
    """Colour of the first door; None: random ("red", "green", "blue", "purple", "yellow" or "grey" or None; default by task)."""
    second_color: ForEach[Literal["red", "green", "blue", "purple", "yellow", "grey"] | Choice[Literal["red", "green", "blue", "purple", "yellow", "grey"] | None] | None]
    """Colour of the second door; None: random ("red", "green", "blue", "purple", "yellow" or "grey" or None; default by task)."""
    strict: ForEach[bool | Choice[bool]]
    """Whether opening another door than the first ends the episode (bool; default by task)."""
    num_doors: ForEach[int | Integers | Choice[int]]
    """Doors (an integer from 2 to 4; default by task)."""
    objs_per_room: ForEach[int | Integers | Choice[int]]
    """Objects in each room (an integer from 1 to 9; default by task)."""
    start_carrying: ForEach[bool | Choice[bool]]
    """Whether the agent carries the object to move from the start (bool; default by task)."""
    distractors: ForEach[bool | Choice[bool]]
    """Whether there are distractor objects (bool; default by task)."""
    locked_room_prob: ForEach[float | Uniform | Choice[float]]
    """Probability that a room is locked (a probability, from 0 to 1; default by task)."""
    locations: ForEach[bool | Choice[bool]]
    """Whether missions may mention locations (bool; default by task)."""
    unblocking: ForEach[bool | Choice[bool]]
    """Whether objects may block the agent's path (bool; default by task)."""
    implicit_unlock: ForEach[bool | Choice[bool]]
    """Whether all objects that a mission means may be in the locked room (bool; default by task)."""
    action_kinds: ForEach[list[str] | tuple[str, ...] | Choice[list[str] | tuple[str, ...]]]
    """Kinds of actions in missions (list of str; default by task)."""
    instr_kinds: ForEach[list[str] | tuple[str, ...] | Choice[list[str] | tuple[str, ...]]]
    """Kinds of missions: one action, two in any order, or a sequence (list of str; default by task)."""

class MujocoOptions(PoolOptions, CommonOptions, total=False):
    """Options of Ant-v5, Ant-v4, Ant-v3 and 797 more."""

    xml_file: ForEach[str]
    """Model: a file in xml_dir, or a path that starts with ., / or ~ (str; default by task)."""
    xml_dir: ForEach[str | None]
    """Folder of xml_file; None: that of the installed gymnasium (None or str; default None)."""
    frame_stack: ForEach[int]
    """Number of stacked observations, the newest last; 1 adds no axis (an integer from 1 to 1024; default 1)."""
    physics: ForEach[Literal["auto", "libmujoco", "native"]]
    """Code that computes steps: MuJoCo's library or this package (native), with equal results; auto: native if possible ("auto", "libmujoco" or "native"; default 'auto')."""
    post_constraint: ForEach[bool]
    """Whether external forces on bodies are computed after steps; False: they are 0 (bool; default True)."""
    forward_reward_weight: ForEach[float | Uniform | Choice[float]]
    """Weight of the velocity along x in the reward (float; default by task)."""
    ctrl_cost_weight: ForEach[float | Uniform | Choice[float | None] | None]
    """Weight of the squared action in the cost (float or None; default by task)."""
    contact_cost_weight: ForEach[float | Uniform | Choice[float | None] | None]
    """Weight of the squared external forces in the cost (float or None; default by task)."""
    main_body: ForEach[int | str]
    """Number or name of the body whose velocity is rewarded (an integer from 0 to 1048576 or a str; default 1)."""
    healthy_z_range: ForEach[Sequence[float] | None]
    """Range of healthy heights; None: healthy_z_min to healthy_z_max (two numbers, the first not above the second or None; default None)."""
    healthy_z_min: ForEach[float | Uniform | Choice[float]]
    """Minimum healthy height in m (float; default by task)."""
    healthy_z_max: ForEach[float | Uniform | Choice[float]]
    """Maximum healthy height in m (float; default by task)."""
    contact_force_range: ForEach[Sequence[float] | None]
    """Bounds of external forces; None: contact_force_min and contact_force_max (two numbers, the first not above the second or None; default None)."""
    contact_force_min: ForEach[float | Uniform | Choice[float]]
    """Lower bound of external forces (float; default -1.0)."""
    contact_force_max: ForEach[float | Uniform | Choice[float]]
    """Upper bound of external forces (float; default 1.0)."""
    reset_noise_scale: ForEach[float | Uniform | Choice[float]]
    """Scale of the noise of positions and velocities after a reset (float, 0 or more; default by task)."""
    exclude_current_positions_from_observation: ForEach[bool]
    """Whether observations omit the robot's position (bool; default True)."""
    include_cfrc_ext_in_observation: ForEach[bool]
    """Whether external forces are observed (and, in version 4, have a cost) (bool; default True)."""
    use_contact_force: ForEach[bool | None]
    """EnvPool's name of the previous option; None: its value (None or bool; default by task)."""
    exclude_worldbody_contact_forces: ForEach[bool]
    """Whether observations omit external forces on the world (bool; default by task)."""
    healthy_reward: ForEach[float | Uniform | Choice[float]]
    """Reward per step with a healthy robot (float; default by task)."""
    terminate_when_unhealthy: ForEach[bool]
    """Whether an episode ends when the robot is unhealthy (bool; default True)."""
    legacy_healthy_reward: ForEach[bool]
    """Whether healthy_reward is also paid for the step that ends an episode, as in version 4 (bool; default by task)."""
    mass_scale: ForEach[float | Uniform | Choice[float]]
    """Factor of the masses of all bodies (model.body_mass) (float, above 0, up to 1000000; default 1.0)."""
    friction_scale: ForEach[float | Uniform | Choice[float]]
    """Factor of the frictions of all geoms (model.geom_friction) (float, above 0, up to 1000000; default 1.0)."""
    from_pixels: ForEach[bool]
    """Whether observations are pictures: uint8 (3 * frame_stack, render_height, render_width), the newest last (bool; default False)."""
    camera_name: ForEach[str | None]
    """Name of one of the model's cameras (None or str; default None)."""
    default_camera: ForEach[Literal["free", "track"]]
    """Default camera: "free" is fixed, "track" is the model's camera of that name, if it has one ("free" or "track"; default 'free')."""
    gymnasium_v5_render_camera: ForEach[bool]
    """Whether a free camera has gymnasium's position for the robot; False: a distance by the model's extent (bool; default True)."""
    camera_lookat: ForEach[Sequence[float] | None]
    """The point that a free camera looks at, in metres (None or list of float; default None)."""
    camera_distance: ForEach[float | None]
    """Distance of a free camera from that point in metres (None or float; default None)."""
    camera_azimuth: ForEach[float | None]
    """Direction of a free camera in degrees (None or float; default None)."""
    camera_elevation: ForEach[float | None]
    """Elevation of a free camera in degrees (None or float; default None)."""
    camera_orthographic: ForEach[bool | None]
    """Whether a free camera is orthographic (None or bool; default None)."""
    max_geom: ForEach[int]
    """Maximum number of drawn shapes (an integer from 1 to 1000000; default 1000)."""
    visual_options: ForEach[Sequence[int] | None]
    """Numbers of MuJoCo's mjtVisFlag, each followed by 1 or 0 (None or list of int; default None)."""
    render_shadows: ForEach[bool]
    """Whether shadows are drawn (bool; default True)."""
    render_shadow_size: ForEach[int | None]
    """Width of the shadow map in pixels; None: the model's (an integer from 1 to 16384 or None; default None)."""
    render_reflections: ForEach[bool]
    """Whether reflections are drawn (bool; default True)."""
    render_skybox: ForEach[bool]
    """Whether the model's sky is drawn (bool; default True)."""
    render_haze: ForEach[bool]
    """Whether haze is drawn at the horizon (bool; default True)."""
    render_textures: ForEach[bool]
    """Whether textures are drawn (bool; default True)."""
    render_multisamples: ForEach[int | None]
    """Samples per pixel; None: the model's number; 0: no antialiasing (an integer from 0 to 16 or None; default None)."""
    camera_id: ForEach[int | None]
    """Gymnasium's name for render_camera_id (int or None; default None)."""
    default_camera_config: ForEach[Mapping[Any, Any] | None]
    """Gymnasium's option: lookat, distance and so on of a free camera (dict or None; default None)."""
    use_contact_forces: ForEach[bool]
    """Whether external forces are observed (and, in version 4, have a cost) (bool; default by task)."""
    healthy_state_range: ForEach[Sequence[float] | None]
    """Range of healthy positions and velocities beyond the first two; None: healthy_state_min to healthy_state_max (two numbers, the first not above the second or None; default None)."""
    healthy_state_min: ForEach[float | Uniform | Choice[float]]
    """Lower bound of healthy positions and velocities beyond the first two (float; default -100.0)."""
    healthy_state_max: ForEach[float | Uniform | Choice[float]]
    """Upper bound of healthy positions and velocities beyond the first two (float; default 100.0)."""
    healthy_angle_range: ForEach[Sequence[float] | None]
    """Range of healthy angles; None: healthy_angle_min to healthy_angle_max (two numbers, the first not above the second or None; default None)."""
    healthy_angle_min: ForEach[float | Uniform | Choice[float]]
    """Minimum healthy angle in rad (float; default by task)."""
    healthy_angle_max: ForEach[float | Uniform | Choice[float]]
    """Maximum healthy angle in rad (float; default by task)."""
    velocity_min: ForEach[float | Uniform | Choice[float]]
    """Lower bound of the velocities observed (float; default -10.0)."""
    velocity_max: ForEach[float | Uniform | Choice[float]]
    """Upper bound of the velocities observed (float; default 10.0)."""
    contact_cost_range: ForEach[Sequence[float] | None]
    """Bounds of the cost of external forces; None: contact_cost_max as the upper bound (two numbers, the first not above the second or None; default None)."""
    contact_cost_max: ForEach[float | Uniform | Choice[float]]
    """Upper bound of the cost of external forces (float; default 10.0)."""
    include_cinert_in_observation: ForEach[bool]
    """Whether the bodies' inertias are observed (bool; default True)."""
    include_cvel_in_observation: ForEach[bool]
    """Whether the bodies' velocities are observed (bool; default True)."""
    include_qfrc_actuator_in_observation: ForEach[bool]
    """Whether the actuators' forces are observed (bool; default True)."""
    exclude_worldbody_observations: ForEach[bool]
    """Whether observations of bodies omit the world (bool; default by task)."""
    exclude_root_actuator_forces: ForEach[bool]
    """Whether observed actuator forces omit the root (bool; default by task)."""
    uph_cost_weight: ForEach[float | Uniform | Choice[float]]
    """Without effect, as in gymnasium (float; default 1.0)."""
    impact_cost_weight: ForEach[float | Uniform | Choice[float]]
    """Weight of the squared external forces in the cost (float; default 5e-07)."""
    impact_cost_range: ForEach[Sequence[float] | None]
    """Bounds of the cost of external forces; None: contact_cost_max as the upper bound (two numbers, the first not above the second or None; default None)."""
    reward_if_not_terminated: ForEach[bool]
    """Whether the step that ends an episode earns no healthy_reward (bool; default by task)."""
    observation_min: ForEach[float | Uniform | Choice[float]]
    """Lower bound of the velocities and forces observed (float; default -10.0)."""
    observation_max: ForEach[float | Uniform | Choice[float]]
    """Upper bound of the velocities and forces observed (float; default 10.0)."""
    constraint_obs_dim: ForEach[int]
    """Number of observed constraint forces (an integer from 0 to 3; default by task)."""
    reward_near_weight: ForEach[float | Uniform | Choice[float]]
    """Weight of the hand's distance to the cylinder (float; default 0.5)."""
    reward_dist_weight: ForEach[float | Uniform | Choice[float]]
    """Weight of the cylinder's distance to the goal (float; default 1.0)."""
    reward_control_weight: ForEach[float | Uniform | Choice[float]]
    """Weight of the squared action (float; default by task)."""
    near_cost_weight: ForEach[float | None]
    """EnvPool's name of reward_near_weight; None: its value (None or float; default None)."""
    dist_cost_weight: ForEach[float | None]
    """EnvPool's name of reward_dist_weight; None: its value (None or float; default None)."""
    reward_after_step: ForEach[bool]
    """Whether the reward uses the distances after the step instead of before (bool; default by task)."""
    weighted_reward_info: ForEach[bool]
    """Whether infos report weighted distances and costs (bool; default by task)."""
    reset_qvel_scale: ForEach[float | Uniform | Choice[float]]
    """Maximum velocity of the arm after a reset in rad/s (float, 0 or more; default 0.005)."""
    cylinder_x_min: ForEach[float | Uniform | Choice[float]]
    """Minimum x of the cylinder after a reset in m (float; default -0.3)."""
    cylinder_x_max: ForEach[float | Uniform | Choice[float]]
    """Maximum x of the cylinder after a reset in m (float; default 0.0)."""
    cylinder_y_min: ForEach[float | Uniform | Choice[float]]
    """Minimum y of the cylinder after a reset in m (float; default -0.2)."""
    cylinder_y_max: ForEach[float | Uniform | Choice[float]]
    """Maximum y of the cylinder after a reset in m (float; default 0.2)."""
    cylinder_dist_min: ForEach[float | Uniform | Choice[float]]
    """Minimum distance of the cylinder from the goal after a reset in m (float; default 0.17)."""
    obs_include_z_distance: ForEach[bool]
    """Whether the distance along z, always 0, is observed (bool; default by task)."""
    reset_qpos_scale: ForEach[float | Uniform | Choice[float]]
    """Maximum angle of the arm's joints after a reset in rad (float, 0 or more; default 0.1)."""
    reset_goal_scale: ForEach[float | Uniform | Choice[float]]
    """Maximum distance of the target after a reset in m (float; default 0.2)."""
    task_name: ForEach[Literal["swingup", "swingup_sparse", "catch", "balance", "balance_sparse", "two_poles", "three_poles", "run", "stand", "walk", "trot", "fetch", "spin", "turn_easy", "turn_hard", "upright", "swim", "hop", "run_pure_state", "lqr_2_1", "lqr_6_2", "bring_ball", "bring_peg", "insert_ball", "insert_peg", "easy", "hard", "escape", "stack_2", "stack_4", "swimmer6", "swimmer15"]]
    """The task of the robot ("swingup", "swingup_sparse", "catch", "balance", "balance_sparse", "two_poles", "three_poles", "run", "stand", "walk", "trot", "fetch", "spin", "turn_easy", "turn_hard", "upright", "swim", "hop", "run_pure_state", "lqr_2_1", "lqr_6_2", "bring_ball", "bring_peg", "insert_ball", "insert_peg", "easy", "hard", "escape", "stack_2", "stack_4", "swimmer6" or "swimmer15"; default by task)."""
    suite_dir: ForEach[str | None]
    """Folder of the models; None: that of the installed dm_control (None or str; default None)."""
    n_sub_steps: ForEach[int | None]
    """Dm_control's name of frame_skip, which keeps an episode's seconds instead of its steps; None: frame_skip (an integer from 1 to 65536 or None; default None)."""
    time_limit: ForEach[float | None]
    """Time limit in seconds; None: max_episode_steps (None or float from 0.000000001 to 1000000000; default None)."""
    flat_observation: ForEach[bool]
    """Whether the observation is one array (bool; default False)."""
    domain_keys: ForEach[bool]
    """Whether the observation has the keys of all tasks of the domain, as in EnvPool, with zeros for those of other tasks (bool; default False)."""
    visualize_reward: ForEach[bool]
    """Whether the colours of pictures show the reward (bool; default False)."""
    legacy_step: ForEach[bool]
    """Whether observations are of a step's end instead of its start (bool; default True)."""
    num_poles: ForEach[int | None]
    """Number of poles, one on top of the other; None: the task's (an integer from 1 to 64 or None; default None)."""
    sparse: ForEach[bool | None]
    """Whether only upright poles in the middle are rewarded; None: the task's (None or bool; default None)."""
    fully_observable: ForEach[bool]
    """Whether the object, the target and the hand are observed (bool; default True)."""
    n_links: ForEach[int | None]
    """Number of links of the chain; None: the task's (an integer from 3 to 256 or None; default None)."""
    maze_map: ForEach[str | list[str] | tuple[str, ...]]
    """Name of a map in Gymnasium-Robotics' maps, or its rows, one character for each cell: 0, 1, g, r or c (str or list of str; default by task)."""
    maze_size_scaling: ForEach[float]
    """Side length of a cell in m (float, above 0, up to 1000000; default by task)."""
    maze_height: ForEach[float]
    """Height of walls, as a multiple of maze_size_scaling (float, above 0, up to 1000000; default by task)."""
    position_noise_range: ForEach[float]
    """Maximum distance of goals and starts from a cell's center along each axis, as a multiple of maze_size_scaling (float from 0 to 1000000; default 0.25)."""
    continuing_task: ForEach[bool]
    """Whether episodes continue after the goal is reached (bool; default True)."""
    reset_target: ForEach[bool]
    """Whether a continuing task draws another goal after one is reached (bool; default False)."""
    metaworld_dir: ForEach[str | None]
    """Folder of the models; None: that of the installed metaworld (None or str; default None)."""
    partially_observable: ForEach[bool]
    """Whether observations have zeros instead of the goal (bool; default True)."""
    reward_function_version: ForEach[Literal["v1", "v2"]]
    """Version of the reward function ("v1" or "v2"; default 'v2')."""
    use_one_hot: ForEach[bool]
    """Whether observations end with a one-hot vector of env_id, and are float32 (bool; default False)."""
    env_id: ForEach[int]
    """Index of the one in the one-hot vector (an integer from 0 to 65535; default 0)."""
    num_tasks: ForEach[int]
    """Length of the one-hot vector (an integer from 1 to 65536; default 1)."""
    goal_space: ForEach[Literal["task", "all"]]
    """Whose goals bound the observation space: the task's, or all tasks' ("task" or "all"; default 'task')."""
    recurrent_info_in_obs: ForEach[bool]
    """Whether observations end with the last action, its reward and whether it ended the episode, and are float32 (bool; default False)."""
    normalize_reward_in_recurrent_info: ForEach[bool]
    """Whether observations have a tenth of the reward (bool; default True)."""
    reward_normalization_method: ForEach[Literal["gymnasium", "exponential"] | None]
    """How rewards are normalized: by the deviation of returns (gymnasium) or of rewards; None: not ("gymnasium" or "exponential" or None; default None)."""
    reward_alpha: ForEach[float]
    """Weight of the newest reward in exponential normalization (float from 0 to 1; default 0.001)."""
    normalize_observations: ForEach[bool]
    """Whether mean and deviation of the lane's observations normalize them, and they are float32 (bool; default False)."""
    task_select: ForEach[Literal["random", "pseudorandom"]]
    """How goals are chosen: any of them, or each once in random order ("random" or "pseudorandom"; default 'random')."""
    sample_tasks_on_reset: ForEach[bool]
    """Whether each reset chooses a goal; False: only the first reset (bool; default True)."""
    num_goals: ForEach[int]
    """Number of goals that are drawn for each task (an integer from 1 to 32768; default 50)."""
    goal_slice: ForEach[Sequence[int] | None]
    """Start, stop and step of a slice of the goals; None: all goals (None or list of int; default None)."""
    goals_after: ForEach[Sequence[int] | None]
    """Numbers of the tasks whose goals are drawn first (None or list of int; default None)."""
    seed_offset: ForEach[int]
    """Number that is subtracted from an environment's seed (an integer from 0 to 2147483648; default 0)."""
    goal_seed_offset: ForEach[int]
    """Number that is added to the seed by which goals are drawn (an integer from 0 to 2147483648; default 0)."""
    robotics_dir: ForEach[str | None]
    """Folder of xml_file; None: that of the installed gymnasium-robotics (None or str; default None)."""
    has_object: ForEach[bool]
    """Whether goals are goals of the object in the model, not of the gripper (bool; default by task)."""
    block_gripper: ForEach[bool]
    """Whether the gripper's fingers stay closed (bool; default by task)."""
    gripper_extra_height: ForEach[float]
    """Height of the gripper's start above its height at the table in m (float from -100 to 100; default by task)."""
    target_in_the_air: ForEach[bool]
    """Whether half of the goals of objects are above the table (bool; default by task)."""
    target_offset_x: ForEach[float]
    """Offset of goals of objects from the gripper's start in m, along the axis x (float from -1000000 to 1000000; default by task)."""
    target_offset_y: ForEach[float]
    """The same along the axis y (float from -1000000 to 1000000; default 0.0)."""
    target_offset_z: ForEach[float]
    """The same along the axis z, which has no effect: goals start at the object's height (float from -1000000 to 1000000; default 0.0)."""
    obj_range: ForEach[float]
    """Maximum distance of the object from the gripper's start in m, along each axis (float from 0 to 1000000; default by task)."""
    target_range: ForEach[float]
    """Maximum distance of the goal from the gripper's start in m, along each axis (float from 0 to 1000000; default by task)."""
    distance_threshold: ForEach[float]
    """Distance in m at which a goal is reached (float from 0 to 1000000; default by task)."""
    initial_slide0: ForEach[float]
    """Position of the robot's base in m, along the axis x (float from -100 to 100; default by task)."""
    initial_slide1: ForEach[float]
    """The same along the axis y (float from -100 to 100; default 0.48)."""
    initial_slide2: ForEach[float]
    """The same along the axis z (float from -100 to 100; default 0.0)."""
    initial_object_x: ForEach[float]
    """Position of the object before the first episode in m, along the axis x (float from -100 to 100; default by task)."""
    initial_object_y: ForEach[float]
    """The same along the axis y (float from -100 to 100; default by task)."""
    initial_object_z: ForEach[float]
    """The same along the axis z (float from -100 to 100; default by task)."""
    relative_control: ForEach[bool]
    """Whether actions are relative to the positions of the joints, not to the control ranges (bool; default False)."""
    initial_qpos: ForEach[Mapping[Any, float | Sequence[float]] | None]
    """Positions in radians before the first episode, by joint; None: Gymnasium-Robotics' start (None or dict of numbers; default None)."""
    rotation_threshold: ForEach[float]
    """Angle in radians at which a goal is reached (float from 0 to 1000000; default 0.1)."""
    target_position: ForEach[Literal["ignore", "fixed", "random"]]
    """Position of goals; ignore: positions do not count; fixed: the object's; random: near the object ("ignore", "fixed" or "random"; default by task)."""
    target_rotation: ForEach[Literal["ignore", "fixed", "xyz", "z", "parallel"]]
    """Axes about which goals are turned; parallel: z, and faces along the axes; ignore: turns do not count; fixed: none ("ignore", "fixed", "xyz", "z" or "parallel"; default by task)."""
    target_position_low0: ForEach[float]
    """Bound of the offset of goals from the object in m, along the axis x (0), y (1) or z (2) (float from -100 to 100; default -0.04)."""
    target_position_high0: ForEach[float]
    """Bound of the offset of goals from the object in m, along the axis x (0), y (1) or z (2) (float from -100 to 100; default 0.04)."""
    target_position_low1: ForEach[float]
    """Bound of the offset of goals from the object in m, along the axis x (0), y (1) or z (2) (float from -100 to 100; default -0.06)."""
    target_position_high1: ForEach[float]
    """Bound of the offset of goals from the object in m, along the axis x (0), y (1) or z (2) (float from -100 to 100; default 0.02)."""
    target_position_low2: ForEach[float]
    """Bound of the offset of goals from the object in m, along the axis x (0), y (1) or z (2) (float from -100 to 100; default 0.0)."""
    target_position_high2: ForEach[float]
    """Bound of the offset of goals from the object in m, along the axis x (0), y (1) or z (2) (float from -100 to 100; default 0.06)."""
    randomize_initial_position: ForEach[bool]
    """Whether the object starts at a random position (bool; default True)."""
    randomize_initial_rotation: ForEach[bool]
    """Whether the object starts with a random orientation (bool; default by task)."""
    ignore_z_target_rotation: ForEach[bool]
    """Whether turns of the object about its axis z do not count (bool; default by task)."""
    touch_visualisation: ForEach[Literal["on_touch", "off", "always"]]
    """When pictures show the touch sensors ("on_touch", "off" or "always"; default 'on_touch')."""
    touch_get_obs: ForEach[Literal["sensordata", "boolean", "log", "off"]]
    """What observations show of forces; log: log(force + 1); off: nothing ("sensordata", "boolean", "log" or "off"; default by task)."""
    tasks_to_complete: ForEach[list[str] | tuple[str, ...]]
    """Tasks of an episode, which are the keys of the goals (list of str; default ['bottom burner', 'top burner', 'light switch', 'slide cabinet', 'hinge cabinet', 'microwave', 'kettle'])."""
    terminate_on_tasks_completed: ForEach[bool]
    """Whether an episode terminates when all tasks are completed (bool; default True)."""
    remove_task_when_completed: ForEach[bool]
    """Whether a completed task is rewarded once only in an episode (bool; default True)."""
    robot_noise_ratio: ForEach[float]
    """Noise of the robot's observed positions and velocities, as a multiple of 0.1 (float from 0 to 1000000; default 0.01)."""
    object_noise_ratio: ForEach[float]
    """Noise of the objects' observed positions and velocities, as a multiple of 0.1 (float from 0 to 1000000; default 0.0005)."""
    myosuite_dir: ForEach[str | None]
    """Folder of the package myosuite; None: the installed one (None or str; default None)."""
    model_path: ForEach[str | None]
    """MJCF file of a model that replaces the task's, with as many joints and muscles (None or str; default None)."""
    muscle_condition: ForEach[Literal["", "sarcopenia", "fatigue", "reafferentation"]]
    """What changes the muscles: weakness, fatigue, or the transfer of a tendon ("", "sarcopenia", "fatigue" or "reafferentation"; default by task)."""
    fatigue_reset_random: ForEach[bool]
    """Whether episodes start with muscles that are tired at random (bool; default False)."""
    reward_mode: ForEach[Literal["dense", "sparse"] | Choice[Literal["dense", "sparse"]]]
    """Reward of steps: the info rwd_dense or rwd_sparse ("dense" or "sparse"; default 'dense')."""
    far_th: ForEach[float | Uniform | Choice[float]]
    """Distance in metres for each site beyond which an episode ends (float; default by task)."""
    target_reach_range: ForEach[Sequence[float] | Choice[Sequence[float]]]
    """Lower bounds of x, y, z, then upper bounds, of the target of each site (list of float; default by task)."""
    reach_weight: ForEach[float | Uniform | Choice[float]]
    """Weight of a part of the reward (float; default 1.0)."""
    bonus_weight: ForEach[float | Uniform | Choice[float]]
    """Weight of a part of the reward (float; default by task)."""
    penalty_weight: ForEach[float | Uniform | Choice[float]]
    """Weight of a part of the reward (float; default by task)."""
    pose_thd: ForEach[float | Uniform | Choice[float]]
    """Norm of the error in radians below which the pose is reached (float; default by task)."""
    reset_type: ForEach[Literal["init", "random", "none", "osl_init"] | Choice[Literal["init", "random", "none", "osl_init"]]]
    """Start of episodes: the model's positions, or random ones ("init", "random", "none" or "osl_init"; default by task)."""
    target_jnt_range: ForEach[Sequence[float] | Choice[Sequence[float]]]
    """Lower and upper bound of the target of each joint (list of float; default by task)."""
    pose_weight: ForEach[float | Uniform | Choice[float]]
    """Weight of a part of the reward (float; default by task)."""
    act_reg_weight: ForEach[float | Uniform | Choice[float]]
    """Weight of a part of the reward (float; default by task)."""
    weight_range: ForEach[Sequence[float] | Choice[Sequence[float]]]
    """Interval of the carried mass in kg (two numbers, the first not above the second; default [0.1, 2.0])."""
    target_jnt_value: ForEach[Sequence[float] | Choice[Sequence[float]]]
    """Target of each joint (list of float; default by task)."""
    joint_random_range: ForEach[Sequence[float] | Choice[Sequence[float]]]
    """Interval of the changes of the joints' first positions (two numbers, the first not above the second; default [-0.2, 0.2])."""
    min_height: ForEach[float | Uniform | Choice[float]]
    """Height of the centre of mass in metres below which an episode ends (float; default 0.8)."""
    max_rot: ForEach[float | Uniform | Choice[float]]
    """X of the pelvis' x axis, in absolute value, beyond which an episode ends (float; default 0.8)."""
    hip_period: ForEach[float | Uniform | Choice[float]]
    """Number of steps of a cycle of the hips (float, above 0; default 100.0)."""
    target_x_vel: ForEach[float | Uniform | Choice[float]]
    """Desired velocity along x in m/s (float; default 0.0)."""
    target_y_vel: ForEach[float | Uniform | Choice[float]]
    """Desired velocity along y in m/s (float; default 1.2)."""
    target_rot: ForEach[Sequence[float] | Choice[Sequence[float] | None] | None]
    """Desired quaternion of the pelvis; None: that of standing (None or list of float; default None)."""
    vel_reward_weight: ForEach[float | Uniform | Choice[float]]
    """Weight of a part of the reward (float; default 5.0)."""
    done_weight: ForEach[float | Uniform | Choice[float]]
    """Weight of a part of the reward (float; default by task)."""
    cyclic_hip_weight: ForEach[float | Uniform | Choice[float]]
    """Weight of a part of the reward (float; default -10.0)."""
    ref_rot_weight: ForEach[float | Uniform | Choice[float]]
    """Weight of a part of the reward (float; default 10.0)."""
    joint_angle_rew_weight: ForEach[float | Uniform | Choice[float]]
    """Weight of a part of the reward (float; default 5.0)."""
    terrain: ForEach[Literal["rough", "hilly", "stairs", "flat", "random", "random_mixed"] | Choice[Literal["rough", "hilly", "stairs", "flat", "random", "random_mixed"]]]
    """Shape of the ground ("rough", "hilly", "stairs", "flat", "random" or "random_mixed"; default by task)."""
    variant: ForEach[Literal["", "fixed"] | Choice[Literal["", "fixed"]]]
    """Whether hills and stairs are fixed; else each episode draws their height ("" or "fixed"; default by task)."""
    goal_th: ForEach[float | Uniform | Choice[float]]
    """Angle of the key in radians beyond which the task is solved (float; default by task)."""
    key_init_range: ForEach[Sequence[float] | Choice[Sequence[float]]]
    """Interval of the key's first angle in radians; different bounds: the key's place is drawn, too (two numbers, the first not above the second; default by task)."""
    key_turn_weight: ForEach[float | Uniform | Choice[float]]
    """Weight of a part of the reward (float; default 1.0)."""
    IFtip_approach_weight: ForEach[float | Uniform | Choice[float]]
    """Weight of a part of the reward (float; default 10.0)."""
    THtip_approach_weight: ForEach[float | Uniform | Choice[float]]
    """Weight of a part of the reward (float; default 10.0)."""
    goal_dist_weight: ForEach[float | Uniform | Choice[float]]
    """Weight of a part of the reward (float; default 100.0)."""
    pos_align_weight: ForEach[float | Uniform | Choice[float]]
    """Weight of a part of the reward (float; default 1.0)."""
    rot_align_weight: ForEach[float | Uniform | Choice[float]]
    """Weight of a part of the reward (float; default 1.0)."""
    drop_weight: ForEach[float | Uniform | Choice[float]]
    """Weight of a part of the reward (float; default 5.0)."""
    max_time_sec: ForEach[float | Uniform | Choice[float]]
    """Time in seconds after which an episode ends (float; default 10.0)."""
    rnd_pos_noise: ForEach[float | Uniform | Choice[float]]
    """Largest change of the body's first place in metres, if it is drawn (float; default 1.0)."""
    rnd_joint_noise: ForEach[float | Uniform | Choice[float]]
    """Largest change of the joints' first positions in radians, if they are drawn (float; default 0.02)."""
    random_vel_range: ForEach[Sequence[float] | Choice[Sequence[float]]]
    """Interval of the keeper's greatest speed in m/s, from 0 (two numbers, the first not above the second; default by task)."""
    goalkeeper_probabilities: ForEach[Sequence[float] | Choice[Sequence[float]]]
    """Probabilities of a keeper that blocks the ball, moves randomly, or stands (list of float; default by task)."""
    goal_scored_weight: ForEach[float | Uniform | Choice[float]]
    """Weight of a part of the reward (float; default 1000.0)."""
    time_cost_weight: ForEach[float | Uniform | Choice[float]]
    """Weight of a part of the reward (float; default -0.01)."""
    pain_weight: ForEach[float | Uniform | Choice[float]]
    """Weight of a part of the reward (float; default -10.0)."""
    qpos_noise_range: ForEach[Sequence[float] | float | Uniform | Choice[Sequence[float] | float | None] | None]
    """Interval of the changes of the joints' first positions, as parts of their ranges; None: no changes (None or list of float or float; default by task)."""
    reach_dist_weight: ForEach[float | Uniform | Choice[float]]
    """Weight of a part of the reward (float; default by task)."""
    palm_dist_weight: ForEach[float | Uniform | Choice[float]]
    """Weight of a part of the reward (float; default 1.0)."""
    paddle_quat_weight: ForEach[float | Uniform | Choice[float]]
    """Weight of a part of the reward (float; default 2.0)."""
    torso_up_weight: ForEach[float | Uniform | Choice[float]]
    """Weight of a part of the reward (float; default 2.0)."""
    sparse_weight: ForEach[float | Uniform | Choice[float]]
    """Weight of a part of the reward (float; default by task)."""
    solved_weight: ForEach[float | Uniform | Choice[float]]
    """Weight of a part of the reward (float; default by task)."""
    ball_xyz_range: ForEach[Sequence[float] | Choice[Sequence[float]]]
    """Bounds of the ball's first place in metres (list of float; default by task)."""
    ball_qvel: ForEach[bool | Choice[bool]]
    """Whether the ball's velocity is drawn so that it bounces on the near half (bool; default by task)."""
    paddle_mass_range: ForEach[Sequence[float] | Choice[Sequence[float]]]
    """Interval of the paddle's mass in kg (two numbers, the first not above the second; default [0.1, 0.15])."""
    ball_friction_range: ForEach[Sequence[float] | Choice[Sequence[float]]]
    """Bounds of the ball's coefficients of friction (list of float; default [0.9, 0.004, 1e-05, 1.1, 0.006, 3e-05])."""
    proximity_th: ForEach[float | Uniform | Choice[float]]
    """Distance in metres of the object from the goal below which the task is solved (float; default by task)."""
    obj_mass_change: ForEach[Sequence[float] | Choice[Sequence[float]]]
    """Interval of the changes of the object's mass in kg (two numbers, the first not above the second; default [-0.05, 0.05])."""
    obj_friction_change: ForEach[Sequence[float] | Choice[Sequence[float]]]
    """Largest changes of the object's coefficients of friction (list of float; default by task)."""
    obj_scale_change: ForEach[Sequence[float] | Choice[Sequence[float]]]
    """Largest changes of the object's sizes, as parts of them (list of float; default [0.1, 0.05, 0.1])."""
    start_center: ForEach[Sequence[float] | Choice[Sequence[float]]]
    """Place of a pillar in metres, around which its place is drawn (list of float; default [-0.4, -0.25, 1.05])."""
    start_shifts: ForEach[Sequence[float] | Choice[Sequence[float]]]
    """Largest changes of the coordinates of a pillar in metres (list of float; default [0.055, 0.055, 0.0])."""
    goal_center: ForEach[Sequence[float] | Choice[Sequence[float]]]
    """Place of a pillar in metres, around which its place is drawn (list of float; default [0.4, -0.25, 1.05])."""
    goal_shifts: ForEach[Sequence[float] | Choice[Sequence[float]]]
    """Largest changes of the coordinates of a pillar in metres (list of float; default [0.098, 0.098, 0.0])."""
    act_weight: ForEach[float | Uniform | Choice[float]]
    """Weight of a part of the reward (float; default 0.0)."""
    fin_dis_weight: ForEach[float | Uniform | Choice[float]]
    """Weight of a part of the reward (float; default -0.5)."""
    pass_err_weight: ForEach[float | Uniform | Choice[float]]
    """Weight of a part of the reward (float; default -1.0)."""
    start_pos: ForEach[float | Uniform | Choice[float]]
    """Y of a random start, which is 1 m before it, in metres (float; default by task)."""
    end_pos: ForEach[float | Uniform | Choice[float]]
    """Y in metres below which the task is solved (float; default by task)."""
    real_width: ForEach[float | Uniform | Choice[float]]
    """Largest distance in metres from the middle of the track (float from 0 to 1000000000; default 1.0)."""
    init_pose_path: ForEach[str | None]
    """File of a gait with 247 rows, as CSV; None: the package's (None or str; default None)."""
    stairs_difficulties: ForEach[Sequence[float] | Choice[Sequence[float]]]
    """Heights in metres of the patches of a kind of ground, from the start; the last one is flat (list of float; default by task)."""
    hills_difficulties: ForEach[Sequence[float] | Choice[Sequence[float]]]
    """Heights in metres of the patches of a kind of ground, from the start; the last one is flat (list of float; default by task)."""
    rough_difficulties: ForEach[Sequence[float] | Choice[Sequence[float]]]
    """Heights in metres of the patches of a kind of ground, from the start; the last one is flat (list of float; default by task)."""
    pos_th: ForEach[float | Uniform | Choice[float]]
    """Distance in metres of the object from the observed target below which the task is solved (float; default by task)."""
    rot_th: ForEach[float | Uniform | Choice[float]]
    """Norm of the error of the Euler angles in radians below which the task is solved (float; default by task)."""
    drop_th: ForEach[float | Uniform | Choice[float]]
    """Distance in metres of the palm from the object beyond which an episode ends (float; default by task)."""
    target_xyz_range: ForEach[Sequence[float] | Choice[Sequence[float]]]
    """Bounds of the bin's place in metres (list of float; default by task)."""
    target_rxryrz_range: ForEach[Sequence[float] | Choice[Sequence[float]]]
    """Bounds of the bin's Euler angles in radians (list of float; default by task)."""
    pos_dist_weight: ForEach[float | Uniform | Choice[float]]
    """Weight of a part of the reward (float; default 100.0)."""
    rot_dist_weight: ForEach[float | Uniform | Choice[float]]
    """Weight of a part of the reward (float; default 1.0)."""
    obj_xyz_range: ForEach[Sequence[float] | Choice[Sequence[float]]]
    """Bounds of the object's place in metres (list of float; default by task)."""
    obj_geom_range: ForEach[Sequence[float] | Choice[Sequence[float]]]
    """Bounds of the sizes of the object's geoms in metres (list of float; default by task)."""
    obj_mass_range: ForEach[Sequence[float] | Choice[Sequence[float]]]
    """Interval of the object's mass in kg (two numbers, the first not above the second; default by task)."""
    obj_friction_range: ForEach[Sequence[float] | Choice[Sequence[float]]]
    """Bounds of the coefficients of friction of the object's geoms (list of float; default [0.8, 0.004, 8e-05, 1.2, 0.006, 0.00012])."""
    task_choice: ForEach[Literal["CHASE", "EVADE", "random", "fixed"] | Choice[Literal["CHASE", "EVADE", "random", "fixed"]]]
    """Task of the legs; random: drawn at each reset ("CHASE", "EVADE", "random" or "fixed"; default by task)."""
    win_distance: ForEach[float | Uniform | Choice[float]]
    """Distance in metres at which a chase is won (float; default 0.5)."""
    min_spawn_distance: ForEach[float | Uniform | Choice[float]]
    """Least distance in metres of the opponent from the legs at the start (float from 0 to 7; default 2.0)."""
    opponent_probabilities: ForEach[Sequence[float] | Choice[Sequence[float]]]
    """Probabilities of an opponent at a fixed place, of one that stays, of one that moves randomly, and of one that flees (list of float; default by task)."""
    chase_vel_range: ForEach[Sequence[float] | Choice[Sequence[float]]]
    """Interval of the opponent's velocity in m/s when it chases (two numbers, the first not above the second; default by task)."""
    distance_weight: ForEach[float | Uniform | Choice[float]]
    """Weight of a part of the reward (float; default -0.1)."""
    lose_weight: ForEach[float | Uniform | Choice[float]]
    """Weight of a part of the reward (float; default -1000.0)."""
    hills_range: ForEach[Sequence[float] | Choice[Sequence[float]]]
    """Interval of the heights of one kind of ground in metres (two numbers, the first not above the second; default [0.03, 0.23])."""
    rough_range: ForEach[Sequence[float] | Choice[Sequence[float]]]
    """Interval of the heights of one kind of ground in metres (two numbers, the first not above the second; default [0.05, 0.1])."""
    relief_range: ForEach[Sequence[float] | Choice[Sequence[float]]]
    """Interval of the heights of one kind of ground in metres (two numbers, the first not above the second; default [0.1, 0.3])."""
    repeller_vel_range: ForEach[Sequence[float] | Choice[Sequence[float]]]
    """Bounds in m/s to which the velocity of an opponent that flees is clipped (two numbers, the first not above the second; default [0.3, 1.0])."""
    goal_rot: ForEach[Sequence[float] | Choice[Sequence[float]]]
    """Interval of the goal's Euler angles in radians (two numbers, the first not above the second; default by task)."""
    obj_size_change: ForEach[float | Uniform | Choice[float]]
    """Largest change of the die's half width in metres (float, 0 or more; default by task)."""
    goal_time_period: ForEach[Sequence[float] | Choice[Sequence[float]]]
    """Interval of the period in seconds in which the targets turn (two numbers, the first not above the second; default by task)."""
    goal_xrange: ForEach[Sequence[float] | Choice[Sequence[float]]]
    """Interval of the half axis along x of the targets' ellipse in metres (two numbers, the first not above the second; default by task)."""
    goal_yrange: ForEach[Sequence[float] | Choice[Sequence[float]]]
    """Interval of the half axis along y of the targets' ellipse in metres (two numbers, the first not above the second; default by task)."""
    pos_dist_1_weight: ForEach[float | Uniform | Choice[float]]
    """Weight of a part of the reward (float; default 5.0)."""
    pos_dist_2_weight: ForEach[float | Uniform | Choice[float]]
    """Weight of a part of the reward (float; default 5.0)."""
    obj_size_range: ForEach[Sequence[float] | Choice[Sequence[float]]]
    """Interval of the balls' radii in metres (two numbers, the first not above the second; default [0.018, 0.024])."""
    Termimate_obj_fail: ForEach[bool | Choice[bool]]
    """Whether episodes end when the object is far from its target or from the wrist (bool; default True)."""
    Termimate_pose_fail: ForEach[bool | Choice[bool]]
    """Whether episodes end when the hand is far from its target (bool; default False)."""
    reference: ForEach[str | None]
    """Npz file of a motion, with 50 frames per second; None: the task's (None or str; default None)."""
    motion_start_time: ForEach[float | Uniform | Choice[float]]
    """Time of the motion at which episodes start, in seconds (float; default 0.0)."""
    object_weight: ForEach[float | Uniform | Choice[float]]
    """Weight of a part of the reward (float; default 1.0)."""

class LunarLanderOptions(PoolOptions, CommonOptions, total=False):
    """Options of LunarLander-v3, LunarLanderContinuous-v3, LunarLander-v2 and 1 more."""

    enable_wind: ForEach[bool | Choice[bool]]
    """Apply wind and turbulence while no leg touches the ground (bool; default False)."""
    wind_power: ForEach[float | Uniform | Choice[float]]
    """Maximum wind force in N; gymnasium recommends 0 to 20 (float; default 15.0)."""
    turbulence_power: ForEach[float | Uniform | Choice[float]]
    """Maximum turbulence torque in N m; gymnasium recommends 0 to 2 (float; default 1.5)."""

class BipedalWalkerOptions(PoolOptions, CommonOptions, total=False):
    """Options of BipedalWalker-v3, BipedalWalkerHardcore-v3."""

    hardcore: ForEach[bool | Choice[bool]]
    """Terrain with stumps, stairs and pits (bool; default by task)."""

class CarRacingOptions(PoolOptions, CommonOptions, total=False):
    """Options of CarRacing-v3, CarRacing-v2."""

    verbose: ForEach[bool]
    """Accepted for compatibility with gymnasium; has no effect (bool; default False)."""
    lap_complete_percent: ForEach[float | Uniform | Choice[float]]
    """Share of the tiles to visit before a lap counts (float; default 0.95)."""
    domain_randomize: ForEach[bool | Choice[bool]]
    """Random colours of road and background in each episode (bool; default False)."""

class VizdoomOptions(PoolOptions, CommonOptions, total=False):
    """Options of D1Basic-v1, D2Navigation-v1, D3Battle-v1 and 722 more."""

    scenario: ForEach[Literal["D1_basic", "D2_navigation", "D3_battle", "D4_battle2", "basic", "basic_audio", "basic_notifications", "cig", "deadly_corridor", "deathmatch", "defend_the_center", "defend_the_line", "health_gathering", "health_gathering_supreme", "multi_duel", "my_way_home", "predict_position", "rocket_basic", "simpler_basic", "take_cover", ""]]
    """The scenario ("D1_basic", "D2_navigation", "D3_battle", "D4_battle2", "basic", "basic_audio", "basic_notifications", "cig", "deadly_corridor", "deathmatch", "defend_the_center", "defend_the_line", "health_gathering", "health_gathering_supreme", "multi_duel", "my_way_home", "predict_position", "rocket_basic", "simpler_basic", "take_cover" or ""; default by task)."""
    use_combined_action: ForEach[bool]
    """An action is an index into the list of button combinations (bool; default False)."""
    force_speed: ForEach[bool]
    """Combined actions always press SPEED (bool; default False)."""
    lmp_save_dir: ForEach[str]
    """Folder for recordings of all episodes except each environment's first (str; default '')."""
    reward_config: ForEach[Mapping[Any, float | Sequence[float]]]
    """By game variable: reward per unit of increase, and reward per unit of decrease (dict of numbers; default {'AMMO0': (0.00019999999494757503, -9.999999747378752e-05), 'AMMO1': (0.00019999999494757503, -9.999999747378752e-05), 'AMMO2': (0.00019999999494757503, -9.999999747378752e-05), 'AMMO3': (0.0010000000474974513, -0.0005000000237487257), 'AMMO4': (0.0010000000474974513, -0.0005000000237487257), 'AMMO5': (0.0010000000474974513, -0.0005000000237487257), 'AMMO6': (0.0020000000949949026, -0.0010000000474974513), 'AMMO7': (0.0020000000949949026, -0.0010000000474974513), 'ARMOR': (0.004999999888241291, -0.0010000000474974513), 'DAMAGECOUNT': (0.003000000026077032, -0.003000000026077032), 'DEATHCOUNT': (-0.75, 0.75), 'FRAGCOUNT': (1.0, -1.5), 'HEALTH': (0.004999999888241291, -0.003000000026077032), 'HITCOUNT': (0.009999999776482582, -0.009999999776482582), 'KILLCOUNT': (1.0, 0.0), 'WEAPON0': (0.019999999552965164, -0.009999999776482582), 'WEAPON1': (0.019999999552965164, -0.009999999776482582), 'WEAPON2': (0.019999999552965164, -0.009999999776482582), 'WEAPON3': (0.10000000149011612, -0.05000000074505806), 'WEAPON4': (0.10000000149011612, -0.05000000074505806), 'WEAPON5': (0.10000000149011612, -0.05000000074505806), 'WEAPON6': (0.20000000298023224, -0.10000000149011612), 'WEAPON7': (0.20000000298023224, -0.10000000149011612)})."""
    reward_metric: ForEach[Mapping[Any, float | Sequence[float]] | None]
    """Older name of reward_config (None or dict of numbers; default None)."""
    selected_weapon_reward_config: ForEach[Mapping[Any, float | Sequence[float]]]
    """By weapon number: reward for holding it (dict of numbers; default {0: 0.00019999999494757503, 1: 0.00019999999494757503, 2: 0.00019999999494757503, 3: 0.0010000000474974513, 4: 0.0010000000474974513, 5: 0.0010000000474974513, 6: 0.0020000000949949026, 7: 0.0020000000949949026})."""
    weapon_duration: ForEach[int]
    """Steps after which a held weapon is rewarded (an integer from 0 to 1073741824; default 5)."""
    delta_button_config: ForEach[Mapping[Any, float | Sequence[float]]]
    """By delta button: number of values in combined actions, smallest value, largest value (dict of numbers; default {})."""
    cfg_path: ForEach[str]
    """ViZDoom configuration (.cfg) to use instead of the scenario's (str; default '')."""
    wad_path: ForEach[str]
    """Scenario file (.wad) to use instead of the configuration's (str; default '')."""
    iwad_path: ForEach[str]
    """Game file (IWAD); default: freedoom2.wad of EnvPool's assets or of the package (str; default '')."""
    vzd_path: ForEach[str]
    """Path of the engine; default: the package's (str; default '')."""
    game_args: ForEach[str | None]
    """Additional arguments of the engine (str or None; default by task)."""
    map_id: ForEach[str]
    """The map (str; default 'map01')."""
    assets_dir: ForEach[str | None]
    """Folder of EnvPool's assets; default: the installed ones (None or str; default None)."""
    vizdoom_dir: ForEach[str | None]
    """Folder of the Python package vizdoom; default: the installed one (None or str; default None)."""
    engine_timeout: ForEach[float]
    """Seconds after which an engine that does not reply is killed (float from 0.1 to 86400; default 60.0)."""
    restart: ForEach[bool]
    """Restart a lost engine and truncate its episode instead of raising an error (bool; default False)."""
    scenario_config_file: ForEach[Literal["basic.cfg", "basic_audio.cfg", "basic_notifications.cfg", "deadly_corridor.cfg", "defend_the_center.cfg", "defend_the_line.cfg", "health_gathering.cfg", "my_way_home.cfg", "predict_position.cfg", "take_cover.cfg", "deathmatch.cfg", "health_gathering_supreme.cfg", "doom.cfg", "doom2.cfg", "freedoom1.cfg", "freedoom2.cfg"]]
    """One of the package's configurations ("basic.cfg", "basic_audio.cfg", "basic_notifications.cfg", "deadly_corridor.cfg", "defend_the_center.cfg", "defend_the_line.cfg", "health_gathering.cfg", "my_way_home.cfg", "predict_position.cfg", "take_cover.cfg", "deathmatch.cfg", "health_gathering_supreme.cfg", "doom.cfg", "doom2.cfg", "freedoom1.cfg" or "freedoom2.cfg"; default by task)."""
    max_buttons_pressed: ForEach[int]
    """Most buttons pressed at once; 0: a MultiBinary or MultiDiscrete action (an integer from 0 to 64; default by task)."""
    treat_episode_timeout_as_truncation: ForEach[bool]
    """The game's time limit truncates the episode (bool; default True)."""
    use_multi_binary_action_space: ForEach[bool]
    """MultiBinary, or else MultiDiscrete (bool; default True)."""
    available_buttons: ForEach[list[str] | tuple[str, ...] | None]
    """Names of the buttons of an action (None or list of str; default None)."""
    available_game_variables: ForEach[list[str] | tuple[str, ...] | None]
    """Names of the game variables of an observation (None or list of str; default None)."""
    doom_game_path: ForEach[str | None]
    """Game file (IWAD) (None or str; default None)."""
    doom_scenario_path: ForEach[str | None]
    """Scenario file (WAD) (None or str; default None)."""
    doom_config_path: ForEach[str | None]
    """The engine's own configuration file (None or str; default None)."""
    vizdoom_path: ForEach[str | None]
    """The engine (None or str; default None)."""
    doom_map: ForEach[str | None]
    """The map (None or str; default by task)."""
    doom_skill: ForEach[int | None]
    """Difficulty, 1 to 5 (an integer from 0 to 4294967295 or None; default by task)."""
    ticrate: ForEach[int | None]
    """Tics per second in asynchronous modes (an integer from 0 to 4294967295 or None; default None)."""
    episode_start_time: ForEach[int | None]
    """Tics played before an episode starts (an integer from 0 to 4294967295 or None; default None)."""
    episode_timeout: ForEach[int | None]
    """Tics after which an episode ends; 0 for never (an integer from 0 to 4294967295 or None; default None)."""
    living_reward: ForEach[float | None]
    """Reward of each tic (None or float; default None)."""
    death_penalty: ForEach[float | None]
    """Penalty for dying (None or float; default None)."""
    death_reward: ForEach[float | None]
    """Reward for dying (None or float; default None)."""
    map_exit_reward: ForEach[float | None]
    """Reward for leaving the map by its exit (None or float; default None)."""
    kill_reward: ForEach[float | None]
    """Reward of each kill (None or float; default None)."""
    item_reward: ForEach[float | None]
    """Reward of each item (None or float; default None)."""
    secret_reward: ForEach[float | None]
    """Reward of each secret (None or float; default None)."""
    frag_reward: ForEach[float | None]
    """Reward of each frag (None or float; default None)."""
    hit_reward: ForEach[float | None]
    """Reward of each hit (None or float; default None)."""
    hit_taken_reward: ForEach[float | None]
    """Reward of each hit that the player takes (None or float; default None)."""
    hit_taken_penalty: ForEach[float | None]
    """Penalty for each hit that the player takes (None or float; default None)."""
    damage_made_reward: ForEach[float | None]
    """Reward of each point of damage (None or float; default None)."""
    damage_taken_reward: ForEach[float | None]
    """Reward of each point of damage that the player takes (None or float; default None)."""
    damage_taken_penalty: ForEach[float | None]
    """Penalty for each point of damage that the player takes (None or float; default None)."""
    health_reward: ForEach[float | None]
    """Reward for each point of health gained (None or float; default None)."""
    armor_reward: ForEach[float | None]
    """Reward for each point of armor gained (None or float; default None)."""
    screen_resolution: ForEach[str | None]
    """Screen resolution, such as RES_320X240 (None or str; default None)."""
    screen_format: ForEach[str | None]
    """Screen format: GRAY8, or any other for RGB (None or str; default None)."""
    depth_buffer_enabled: ForEach[bool | None]
    """Whether observations have a depth buffer (None or bool; default None)."""
    labels_buffer_enabled: ForEach[bool | None]
    """Whether observations have a labels buffer (None or bool; default None)."""
    automap_buffer_enabled: ForEach[bool | None]
    """Whether observations have an automap buffer (None or bool; default None)."""
    audio_buffer_enabled: ForEach[bool | None]
    """Whether observations have an audio buffer (None or bool; default None)."""
    notifications_buffer_enabled: ForEach[bool | None]
    """Whether observations have notifications (None or bool; default None)."""
    objects_info_enabled: ForEach[bool | None]
    """Whether the engine lists objects (None or bool; default None)."""
    sectors_info_enabled: ForEach[bool | None]
    """Whether the engine lists sectors (None or bool; default None)."""
    automap_mode: ForEach[str | None]
    """Automap mode: NORMAL, WHOLE, OBJECTS or OBJECTS_WITH_SIZE (None or str; default None)."""
    automap_rotate: ForEach[bool | None]
    """Whether the automap rotates with the player (None or bool; default None)."""
    automap_render_textures: ForEach[bool | None]
    """Whether the automap has textures (None or bool; default None)."""
    automap_render_objects_as_sprites: ForEach[bool | None]
    """Whether the automap shows objects as sprites (None or bool; default None)."""
    audio_sampling_rate: ForEach[str | None]
    """SR_11025, SR_22050 or SR_44100 (None or str; default None)."""
    audio_buffer_size: ForEach[int | None]
    """Tics of audio in an observation (an integer from 0 to 4294967295 or None; default None)."""
    notifications_buffer_size: ForEach[int | None]
    """Tics of notifications in an observation (an integer from 0 to 4294967295 or None; default None)."""
    render_hud: ForEach[bool | None]
    """Whether the screen has the HUD (None or bool; default None)."""
    render_minimal_hud: ForEach[bool | None]
    """Whether the HUD is the minimal one (None or bool; default None)."""
    render_weapon: ForEach[bool | None]
    """Whether the screen has the weapon (None or bool; default None)."""
    render_crosshair: ForEach[bool | None]
    """Whether the screen has a crosshair (None or bool; default None)."""
    render_decals: ForEach[bool | None]
    """Whether the screen has decals (None or bool; default None)."""
    render_particles: ForEach[bool | None]
    """Whether the screen has particles (None or bool; default None)."""
    render_effects_sprites: ForEach[bool | None]
    """Whether the screen has effect sprites (smoke, blood) (None or bool; default None)."""
    render_messages: ForEach[bool | None]
    """Whether the screen has messages (None or bool; default None)."""
    render_corpses: ForEach[bool | None]
    """Whether the screen has corpses (None or bool; default None)."""
    render_screen_flashes: ForEach[bool | None]
    """Whether the screen flashes (None or bool; default None)."""
    render_all_frames: ForEach[bool | None]
    """Whether skipped tics are rendered, too (None or bool; default None)."""
    sound_enabled: ForEach[bool | None]
    """Whether the engine plays sounds (None or bool; default None)."""
    console_enabled: ForEach[bool | None]
    """Whether the engine has its console (None or bool; default None)."""
    window_visible: ForEach[bool | None]
    """Whether the engine shows its window (None or bool; default None)."""

class CrafterRewardOptions(PoolOptions, CommonOptions, total=False):
    """Options of CrafterReward-v1, CrafterNoReward-v1."""

    area: ForEach[int | Sequence[int]]
    """Columns and rows of the world, or one number for both (an integer from 1 to 256, or two of them; default 64)."""
    view: ForEach[int | Sequence[int]]
    """Columns and rows of the picture's cells, of which the lowest rows show the items (an integer from 1 to 512, or two of them; default 9)."""
    reward: ForEach[bool | Choice[bool]]
    """Whether steps are rewarded; the info `reward` is the same without (bool; default by task)."""
    crafter_dir: ForEach[str | None]
    """Folder of the Python package crafter; default: the installed one (None or str; default None)."""

class ProcgenOptions(PoolOptions, CommonOptions, total=False):
    """Options of BigfishEasy-v0, BigfishHard-v0, BossfightEasy-v0 and 63 more."""

    procgen_dir: ForEach[str | None]
    """Folder of procgen's pictures: data/assets of procgen-mirror; default: the installed one (None or str; default None)."""
    channel_first: ForEach[bool]
    """Whether pictures are three planes instead of (64, 64, 3) (bool; default True)."""
    num_levels: ForEach[int]
    """Number of different levels; 0: all (an integer from 0 to 2147483647; default 0)."""
    start_level: ForEach[int]
    """Seed of the first of num_levels levels (an integer from 0 to 2147483647; default 0)."""
    use_sequential_levels: ForEach[bool]
    """Whether a completed level is followed by the next within the episode (bool; default False)."""
    center_agent: ForEach[bool]
    """Whether the view follows the agent, in games whose view moves (bool; default True)."""
    use_backgrounds: ForEach[bool]
    """Whether backgrounds are drawn; otherwise they are black (bool; default True)."""
    use_monochrome_assets: ForEach[bool]
    """Whether objects are rectangles of one colour (bool; default False)."""
    restrict_themes: ForEach[bool]
    """Whether objects of a type look the same in all levels (bool; default False)."""
    use_generated_assets: ForEach[bool]
    """Generated pictures: only False is supported (bool; default False)."""
    paint_vel_info: ForEach[bool]
    """Whether two gray squares show the agent's velocity, in games with gravity (bool; default False)."""
    use_easy_jump: ForEach[bool]
    """An option of a game that EnvPool does not have; no effect (bool; default False)."""
    distribution_mode: ForEach[int | Literal["easy", "hard", "extreme", "memory", "exploration"]]
    """0: easy, 1: hard, 2: extreme, 10: memory, 20: exploration ("easy", "hard", "extreme", "memory" or "exploration" or int; default by task)."""
    first_env: ForEach[int]
    """Number of the pool's first environment, where several pools are parts of a larger one (an integer from 0 to 65536; default 0)."""

class HighwayOptions(PoolOptions, CommonOptions, total=False):
    """Options of highway-v0, Highway-v0, highway-fast-v0 and 46 more."""

    lanes_count: ForEach[int | Integers | Choice[int]]
    """Number of lanes (int; default by task)."""
    vehicles_count: ForEach[int | Integers | Choice[int]]
    """Number of other vehicles (int; default by task)."""
    initial_lane_id: ForEach[int | Integers | Choice[int | None] | None]
    """Lane of the controlled vehicles at the start; None: a random one (None or int; default None)."""
    ego_spacing: ForEach[float | Uniform | Choice[float]]
    """Distance of the controlled vehicle from the one behind, relative to others' (float from 0 to 100; default by task)."""
    vehicles_density: ForEach[float | Uniform | Choice[float]]
    """Density of vehicles (float from 0.01 to 100; default by task)."""
    collision_reward: ForEach[float | Uniform | Choice[float]]
    """Reward of a collision (float; default by task)."""
    right_lane_reward: ForEach[float | Uniform | Choice[float]]
    """Reward of the rightmost lane; less on other lanes (float; default by task)."""
    high_speed_reward: ForEach[float | Uniform | Choice[float]]
    """Reward of the full speed; less at lower speeds (float; default by task)."""
    lane_change_reward: ForEach[float | Uniform | Choice[float]]
    """Without effect, as in the package (float; default by task)."""
    reward_speed_range: ForEach[Sequence[float] | Choice[Sequence[float]]]
    """Speeds without and with the whole reward, in m/s (list of float; default by task)."""
    normalized_reward: ForEach[bool | Choice[bool]]
    """Whether rewards are mapped to 0..1 (bool; default by task)."""
    offroad_terminal: ForEach[bool | Choice[bool]]
    """Whether an episode ends off the road (bool; default False)."""
    controlled_vehicles: ForEach[int]
    """Vehicles of the controlled kind (int; default by task)."""
    multi_agent: ForEach[bool]
    """Whether each of them is an agent, instead of the first one alone (bool; default by task)."""
    screen_width: ForEach[int]
    """Width of pictures in pixels (an integer from 1 to 4096; default by task)."""
    screen_height: ForEach[int]
    """Height of pictures in pixels (an integer from 1 to 4096; default by task)."""
    scaling: ForEach[float]
    """Pixels per metre of pictures (float from 0.5 to 50; default by task)."""
    centering_position: ForEach[Sequence[float]]
    """Place of the vehicle in pictures, as shares of their size (list of float; default by task)."""
    simulation_frequency: ForEach[int | Integers | Choice[int]]
    """Frames per second (an integer from 2 to 1000; default by task)."""
    policy_frequency: ForEach[float | Uniform | Choice[float]]
    """Steps per second (float from 0.1 to 1000; default by task)."""
    neighbour_vehicles_connected_lanes: ForEach[bool | Choice[bool]]
    """Whether vehicles see others beyond the ends of their lane (bool; default by task)."""
    duration: ForEach[float | Uniform | Choice[float]]
    """Length of an episode in seconds (float, above 0, up to 1000000; default by task)."""
    observation_vehicles_count: ForEach[int | None]
    """Observed vehicles, with the own one (an integer from 2 to 500 or None; default by task)."""
    observation_features: ForEach[list[str] | tuple[str, ...] | None]
    """Observed quantities, "presence", "x", "y", "vx", ...; None: those of the type (None or list of str; default by task)."""
    observation_features_range: ForEach[Mapping[Any, float | Sequence[float]] | None]
    """Values of each feature that are mapped to -1 and 1; none: by lanes (dict of numbers or None; default by task)."""
    observation_absolute: ForEach[bool | Choice[bool | None] | None]
    """Whether coordinates of other vehicles are absolute (bool or None; default by task)."""
    observation_order: ForEach[Literal["sorted", "shuffled"] | Choice[Literal["sorted", "shuffled"] | None] | None]
    """Order of the other vehicles ("sorted" or "shuffled" or None; default 'sorted')."""
    observation_normalize: ForEach[bool | Choice[bool | None] | None]
    """Whether features are mapped to -1..1 (bool or None; default True)."""
    observation_clip: ForEach[bool | Choice[bool | None] | None]
    """Whether mapped features are clipped (bool or None; default by task)."""
    observation_see_behind: ForEach[bool | Choice[bool | None] | None]
    """Whether vehicles behind are observed (bool or None; default False)."""
    observation_observe_intentions: ForEach[bool | Choice[bool | None] | None]
    """Whether the destinations of others are observed (bool or None; default False)."""
    observation_include_obstacles: ForEach[bool | Choice[bool | None] | None]
    """Whether obstacles are observed (bool or None; default True)."""
    observation_grid_size: ForEach[Sequence[float] | None]
    """Least and largest x, least and largest y of cells, in m (list of float or None; default by task)."""
    observation_grid_step: ForEach[Sequence[float] | None]
    """Size of a cell in m (list of float or None; default by task)."""
    observation_align_to_vehicle_axes: ForEach[bool | Choice[bool | None] | None]
    """Whether cells turn with the vehicle (bool or None; default by task)."""
    observation_as_image: ForEach[bool | None]
    """Whether cells are uint8, -1 being 0 and 1 being 255 (bool or None; default False)."""
    observation_horizon: ForEach[int | None]
    """Observed seconds until collisions (an integer from 1 to 1000 or None; default by task)."""
    observation_cells: ForEach[int | None]
    """Number of directions in which a lidar looks (an integer from 1 to 1000 or None; default 16)."""
    observation_maximum_range: ForEach[float | None]
    """Range of a lidar in m (float or None from 0.001 to 1000000; default 60.0)."""
    observation_observation_shape: ForEach[Sequence[int] | None]
    """Width and height of observed pictures in pixels (None or list of int; default None)."""
    observation_stack_size: ForEach[int | None]
    """Number of observed pictures, the last one being the newest (an integer from 1 to 64 or None; default None)."""
    observation_weights: ForEach[Sequence[float] | None]
    """Weights of red, green and blue in a shade of grey (None or list of float; default None)."""
    observation_scaling: ForEach[float | None]
    """Pixels per metre of observed pictures; None: those of scaling (None or float from 0.5 to 50; default None)."""
    observation_centering_position: ForEach[Sequence[float] | None]
    """Place of the vehicle in observed pictures, as shares of their size; None: that of centering_position (None or list of float; default None)."""
    action_type: ForEach[Literal["DiscreteMetaAction", "ContinuousAction", "DiscreteAction"]]
    """Type of actions ("DiscreteMetaAction", "ContinuousAction" or "DiscreteAction"; default by task)."""
    action_longitudinal: ForEach[bool | None]
    """Whether actions change the speed (bool or None; default by task)."""
    action_lateral: ForEach[bool | None]
    """Whether actions change the lane, or steer (bool or None; default by task)."""
    action_target_speeds: ForEach[Sequence[float] | None]
    """Target speeds of meta-actions in m/s (list of float or None; default by task)."""
    action_acceleration_range: ForEach[Sequence[float] | None]
    """Accelerations of the actions -1 and 1, in m/s² (two numbers, the first not above the second or None; default [-5.0, 5.0])."""
    action_steering_range: ForEach[Sequence[float] | None]
    """Angles of the actions -1 and 1, in radians (two numbers, the first not above the second or None; default by task)."""
    action_speed_range: ForEach[Sequence[float] | None]
    """Least and largest speed in m/s, with continuous actions (two numbers, the first not above the second or None; default None)."""
    action_dynamical: ForEach[bool | None]
    """Whether tires have friction, with continuous actions (bool or None; default by task)."""
    action_clip: ForEach[bool | None]
    """Whether continuous actions are clipped to -1 and 1 (bool or None; default True)."""
    action_actions_per_axis: ForEach[int | None]
    """Values of each component of a discrete action (an integer from 2 to 100 or None; default 3)."""
    config: ForEach[Mapping[Any, Any] | None]
    """Highway-env's configuration; its dicts observation and action replace those of the task (dict or None; default None)."""
    merging_speed_reward: ForEach[float | Uniform | Choice[float]]
    """Reward for the share of speed that a vehicle on the ramp lacks (float; default -0.5)."""
    before_merge_length: ForEach[float | Uniform | Choice[float]]
    """Length before the ramp in metres (float, above 0, up to 10000; default 150.0)."""
    converge_merge_length: ForEach[float | Uniform | Choice[float]]
    """Length of the ramp in metres (float, above 0, up to 10000; default 80.0)."""
    parallel_merge_length: ForEach[float | Uniform | Choice[float]]
    """Length of the lane at which the ramp joins, in metres (float, above 0, up to 10000; default 80.0)."""
    after_merge_length: ForEach[float | Uniform | Choice[float]]
    """Length after that lane in metres (float from 90 to 10000; default 150.0)."""
    incoming_vehicle_destination: ForEach[int | Integers | Choice[int | None] | None]
    """Exit of other vehicles: east, south, north, west; None: random (None or int; default None)."""
    roundabout_radius: ForEach[float | Uniform | Choice[float]]
    """Radius of the innermost lane in metres (float from 10 to 1000; default 20.0)."""
    roundabout_lanes: ForEach[int | Integers | Choice[int]]
    """Number of lanes (an integer from 1 to 20; default 2)."""
    destination: ForEach[Literal["o0", "o1", "o2", "o3"] | Choice[Literal["o0", "o1", "o2", "o3"] | None] | None]
    """Node to reach: o0 south, o1 west, o2 north, o3 east; None: a random one ("o0", "o1", "o2" or "o3" or None; default 'o1')."""
    initial_vehicle_count: ForEach[int | Integers | Choice[int]]
    """Vehicles that may be there at the start (an integer from 1 to 100; default 10)."""
    spawn_probability: ForEach[float | Uniform | Choice[float]]
    """Probability that a vehicle enters in a step (a probability, from 0 to 1; default 0.6)."""
    arrived_reward: ForEach[float | Uniform | Choice[float]]
    """Reward of an arrival, instead of the others (float; default 1.0)."""
    individual_rewards: ForEach[bool]
    """Whether each agent gets its own reward, instead of the mean (bool; default by task)."""
    goal_reward: ForEach[float | Uniform | Choice[float]]
    """Reward of the lane of the exit (float; default 1.0)."""
    left_lane_constraint: ForEach[float | Uniform | Choice[float]]
    """Without effect, as in the package (float; default 1.0)."""
    left_lane_reward: ForEach[float | Uniform | Choice[float]]
    """Reward of the leftmost lane (float; default by task)."""
    reward_weights: ForEach[Sequence[float] | Choice[Sequence[float]]]
    """Weights of the distances of the six features from those of the goal (list of float; default [1.0, 0.3, 0.0, 0.0, 0.02, 0.02])."""
    success_goal_reward: ForEach[float | Uniform | Choice[float]]
    """Distance from the goal below which the episode ends (float; default 0.12)."""
    add_walls: ForEach[bool | Choice[bool]]
    """Whether walls surround the car park (bool; default True)."""
    observation_scales: ForEach[Sequence[float] | None]
    """Divisors of the features of KinematicsGoal (list of float or None; default [100.0, 100.0, 5.0, 5.0, 1.0, 1.0])."""
    lane_centering_cost: ForEach[float | Uniform | Choice[float]]
    """Weight of the squared distance from the lane's centre (float; default 4.0)."""
    lane_centering_reward: ForEach[float | Uniform | Choice[float]]
    """Reward of the lane's centre; less on its sides (float; default 1.0)."""
    action_reward: ForEach[float | Uniform | Choice[float]]
    """Reward of the action's norm (float; default -0.3)."""
    other_vehicles: ForEach[int | Integers | Choice[int]]
    """One more than the largest number of vehicles besides the one in front; 0: none at all (an integer from 0 to 500; default 1)."""
    terminate_off_road: ForEach[bool | Choice[bool]]
    """Whether an episode ends off the road (bool; default True)."""
    speed_limit: ForEach[float | Uniform | Choice[float]]
    """Speed limit of racetrack-large-v0 in m/s; without effect elsewhere, as in the package (float from 0.1 to 1000; default 10.0)."""
    no_lanes: ForEach[int | Integers | Choice[int]]
    """Number of lanes (an integer from 2 to 20; default 3)."""
    block_lane: ForEach[bool | Choice[bool]]
    """Whether obstacles block the second lane (bool; default False)."""
    force_decision: ForEach[bool | Choice[bool]]
    """Whether obstacles block the first and the third lane (bool; default False)."""
    state_noise: ForEach[float | Uniform | Choice[float]]
    """Largest noise of the attribute state (float from 0 to 1000000; default 0.05)."""
    derivative_noise: ForEach[float | Uniform | Choice[float]]
    """Largest noise of the attribute derivative (float from 0 to 1000000; default 0.05)."""
    observation_attributes: ForEach[list[str] | tuple[str, ...] | None]
    """Attributes of AttributesObservation (list of str or None; default ['state', 'derivative', 'reference_state'])."""

class AnyOptions(CartPoleOptions, MountainCarOptions, MountainCarContinuousOptions, PendulumOptions, AcrobotOptions, FrozenLakeOptions, TaxiOptions, BlackjackOptions, NChainOptions, AtariOptions, CatchOptions, ParticlesOptions, ForagingOptions, WarehouseOptions, OvercookedOptions, MiniGridOptions, MujocoOptions, LunarLanderOptions, BipedalWalkerOptions, CarRacingOptions, VizdoomOptions, CrafterRewardOptions, ProcgenOptions, HighwayOptions, total=False):
    """Options of all tasks."""

@overload
def make(task_id: TaskId, env_type: Literal["gymnasium"] = "gymnasium", *, num_envs: int = 1, gym_reset_return_info: Literal[True] | None = None, **options: Unpack[AnyOptions]) -> GymnasiumEnvPool: ...
@overload
def make(task_id: TaskId, env_type: Literal["gym"], *, num_envs: int = 1, gym_reset_return_info: bool | None = None, **options: Unpack[AnyOptions]) -> GymEnvPool: ...
@overload
def make(task_id: TaskId, env_type: Literal["dm"], *, num_envs: int = 1, gym_reset_return_info: Literal[True] | None = None, **options: Unpack[AnyOptions]) -> DMEnvPool: ...
@overload
def make(task_id: TaskId, env_type: EnvType, *, num_envs: int = 1, gym_reset_return_info: bool | None = None, **options: Unpack[AnyOptions]) -> EnvPool: ...
def make_gymnasium(task_id: TaskId, *, num_envs: int = 1, gym_reset_return_info: Literal[True] | None = None, **options: Unpack[AnyOptions]) -> GymnasiumEnvPool: ...
def make_gym(task_id: TaskId, *, num_envs: int = 1, gym_reset_return_info: bool | None = None, **options: Unpack[AnyOptions]) -> GymEnvPool: ...
def make_dm(task_id: TaskId, *, num_envs: int = 1, gym_reset_return_info: Literal[True] | None = None, **options: Unpack[AnyOptions]) -> DMEnvPool: ...
def make_spec(task_id: TaskId, *, num_envs: int = 1, gym_reset_return_info: Literal[True] | None = None, **options: Unpack[AnyOptions]) -> EnvSpec: ...
@overload
def make_vec(task_id: TaskId, num_envs: int | None = None, *, vectorization_mode: Literal["native"], vector_kwargs: Mapping[str, Any] | None = None, wrappers: None = None, **options: Unpack[AnyOptions]) -> VectorEnv: ...
@overload
def make_vec(task_id: list[str] | tuple[str, ...], num_envs: int | None = None, vectorization_mode: None = None, vector_kwargs: Mapping[str, Any] | None = None, wrappers: None = None, **options: Unpack[AnyOptions]) -> VectorEnv: ...
@overload
def make_vec(task_id: str | GymnasiumEnvSpec, num_envs: int | None = None, *, vectorization_mode: Literal["shared_memory"], vector_kwargs: Mapping[str, Any] | None = None, wrappers: Wrappers = None, **options: Any) -> PythonVectorEnv: ...
@overload
def make_vec(task_id: EnvFns, num_envs: int | None = None, vectorization_mode: Literal["async", "shared_memory"] | None = None, vector_kwargs: Mapping[str, Any] | None = None, wrappers: Wrappers = None, **options: Any) -> PythonVectorEnv: ...
@overload
def make_vec(task_id: EnvFns, num_envs: int | None = None, *, vectorization_mode: Literal["sync"], vector_kwargs: Mapping[str, Any] | None = None, wrappers: Wrappers = None, **options: Any) -> SyncVectorEnv[Any, Any]: ...
@overload
def make_vec(task_id: str | GymnasiumEnvSpec, num_envs: int | None = None, vectorization_mode: None = None, vector_kwargs: Mapping[str, Any] | None = None, wrappers: None = None, **options: Any) -> VectorEnv | PythonVectorEnv: ...
@overload
def make_vec(task_id: TaskId | EnvFns | None = None, num_envs: int | None = None, vectorization_mode: PythonMode | None = None, vector_kwargs: Mapping[str, Any] | None = None, wrappers: Wrappers = None, **options: Any) -> Any: ...
@overload
def make_python(env_fns: EnvFns | str | GymnasiumEnvSpec, env_type: Literal["gymnasium"] = "gymnasium", *, num_envs: int | None = None, batch_size: int = 0, num_workers: int | None = None, seed: int | Sequence[int] | None = 42, max_episode_steps: int | None = None, reward_threshold: float | None = None, autoreset_mode: str | AutoresetMode = 'next_step', record_episode_statistics: bool = False, gym_reset_return_info: bool | None = None, caller_steps: bool = False, context: str | BaseContext | None = None, restart: bool = False, copy: bool = True, timeout: float | None = None, thread_affinity_offset: int = -1, **env_options: Any) -> PythonGymnasiumEnvPool: ...
@overload
def make_python(env_fns: EnvFns | str | GymnasiumEnvSpec, env_type: Literal["gym"], *, num_envs: int | None = None, batch_size: int = 0, num_workers: int | None = None, seed: int | Sequence[int] | None = 42, max_episode_steps: int | None = None, reward_threshold: float | None = None, autoreset_mode: str | AutoresetMode = 'next_step', record_episode_statistics: bool = False, gym_reset_return_info: bool | None = None, caller_steps: bool = False, context: str | BaseContext | None = None, restart: bool = False, copy: bool = True, timeout: float | None = None, thread_affinity_offset: int = -1, **env_options: Any) -> PythonGymEnvPool: ...
@overload
def make_python(env_fns: EnvFns | str | GymnasiumEnvSpec, env_type: Literal["dm"], *, num_envs: int | None = None, batch_size: int = 0, num_workers: int | None = None, seed: int | Sequence[int] | None = 42, max_episode_steps: int | None = None, reward_threshold: float | None = None, autoreset_mode: str | AutoresetMode = 'next_step', record_episode_statistics: bool = False, gym_reset_return_info: bool | None = None, caller_steps: bool = False, context: str | BaseContext | None = None, restart: bool = False, copy: bool = True, timeout: float | None = None, thread_affinity_offset: int = -1, **env_options: Any) -> PythonDMEnvPool: ...
@overload
def make_python(env_fns: EnvFns | str | GymnasiumEnvSpec, env_type: EnvType, *, num_envs: int | None = None, batch_size: int = 0, num_workers: int | None = None, seed: int | Sequence[int] | None = 42, max_episode_steps: int | None = None, reward_threshold: float | None = None, autoreset_mode: str | AutoresetMode = 'next_step', record_episode_statistics: bool = False, gym_reset_return_info: bool | None = None, caller_steps: bool = False, context: str | BaseContext | None = None, restart: bool = False, copy: bool = True, timeout: float | None = None, thread_affinity_offset: int = -1, **env_options: Any) -> EnvPool: ...
