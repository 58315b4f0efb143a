"""Signatures of the functions that make environments, with the options of each task, for type checkers and editors.

Written by tests/signatures.py (`make signatures`) from the table of tasks. This module does not exist at run
time; the functions themselves are in `envpool_rs`. Signatures in your own code can have the options of a family:

    if TYPE_CHECKING:
        from envpool_rs._make.signatures import CartPoleOptions
"""

# Order of a function's overloads: for each family of tasks, for options of other tasks, for any name.
# mypy: disable-error-code="overload-overlap"
# pyright: reportOverlappingOverload=false
# The file is not formatted: a formatter would put every task, value and parameter on a separate line.
# fmt: off

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Literal, TypeAlias, TypedDict, TypeVar, overload

import numpy.typing as npt
from gymnasium.envs.registration import EnvSpec as GymnasiumEnvSpec
from gymnasium.envs.registration import VectorizeMode
from gymnasium.vector import AutoresetMode, SyncVectorEnv
from typing_extensions import Unpack, deprecated

from envpool_rs._facades.dm_facade import DMEnvPool
from envpool_rs._facades.gym_facade import GymEnvPool
from envpool_rs._facades.gymnasium_facade import GymnasiumEnvPool, VectorEnv
from envpool_rs._python_pool.pool import PythonVectorEnv
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

Array: TypeAlias = npt.NDArray[Any]
"""A batch of observations."""

class NoSuchOption:
    """Type of the result of a call with options of another task: it has no methods, so type checkers report its use.

    At run time, the call raises a TypeError that names the option.
    """

class PoolOptions(TypedDict, total=False):
    """Options of every task, except `num_envs`."""

    batch_size: int
    """Rows of a result; fewer than num_envs is asynchronous (int; default 0: num_envs)."""
    num_threads: int
    """Background workers; the calling thread works too (int; default 0: as many as useful)."""
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

class ConsoleOptions(TypedDict, total=False):
    """Options that several families share: Atari, AleAtari."""

    rom_dir: ForEach[str | None]
    """Folder with the cartridges' images, pong.bin and so on, or with atari/roms/pong.bin (None or str; default None)."""
    noop_max: ForEach[int | Integers | Choice[int]]
    """A reset plays 1 to this many NOOPs, or none (an integer from 0 to 10000; default 30)."""
    full_action_space: ForEach[bool]
    """Whether the action set has all 18 actions (bool; default False)."""
    repeat_action_probability: ForEach[float]
    """Probability that a frame repeats the previous action (a probability, from 0 to 1; default by task)."""
    translate: ForEach[bool]
    """Whether games are translated into machine code; results do not depend on it (bool; default True)."""

class ParticlesOptions(TypedDict, total=False):
    """Options that several families share: SimpleSpread, SimpleSpeakerListener."""

    continuous_actions: ForEach[bool]
    """Five continuous actions from 0 to 1 instead of five discrete ones (bool; default False)."""
    benchmark_data: ForEach[bool]
    """Whether infos have `benchmark_data`, mpe2's metrics of policies (bool; default False)."""
    max_cycles: ForEach[int | None]
    """Not supported: use max_episode_steps (None or int; default None)."""
    dynamic_rescaling: ForEach[bool]
    """Whether pictures scale agents with the world; affects pictures only (bool; default True)."""

class LevelOptions(TypedDict, total=False):
    """Options that several families share: MiniGridEmpty5x5, MiniGridDoorKey5x5, MiniGridLavaCrossingS9N1, MiniGridDistShift1, MiniGridLavaGapS5, MiniGridDynamicObstacles5x5, MiniGridFetch5x5N2, MiniGridFourRooms, MiniGridGoToObject6x6N2, MiniGridKeyCorridorS3R1, MiniGridMemoryS17Random, MiniGridMultiRoomN2S4, MiniGridObstructedMaze1Dl, MiniGridObstructedMaze2Dl, MiniGridPlayground, MiniGridWFCMazeSimple, BabyAIGoToRedBallGrey, BabyAIGoToObj, BabyAIGoTo, BabyAIGoToImpUnlock, BabyAIOpenDoor, BabyAIOpenTwoDoors, BabyAIOpenDoorsOrderN2, BabyAIPickupDist, BabyAIPutNextLocal, BabyAIPutNextS4N1, BabyAIMoveTwoAcrossS5N2, BabyAIUnlockLocal, BabyAIGoToSeq."""

    env_name: ForEach[Literal["empty", "doorkey", "goto_door", "locked_room", "red_blue_door", "crossing", "distshift", "lava_gap", "dynamic_obstacles", "fetch", "four_rooms", "goto_object", "put_near", "key_corridor", "babyai_key_corridor", "memory", "multi_room", "obstructed_maze_1dlhb", "obstructed_maze_full", "obstructed_maze_full_v1", "playground", "unlock", "unlock_pickup", "blocked_unlock_pickup", "babyai_goto_door", "babyai_goto_obj_door", "babyai_goto_red_ball_no_dists", "babyai_open_red_door", "babyai_pickup_above", "babyai_key_in_box", "babyai_blocked_unlock_pickup", "babyai_unlock_to_unlock", "babyai_action_obj_door", "wfc", "babyai_goto_red_ball_grey", "babyai_goto_red_ball", "babyai_goto_local", "babyai_goto_red_blue_ball", "babyai_goto_obj", "babyai_find_obj", "babyai_one_room", "babyai_goto", "babyai_goto_imp_unlock", "babyai_open", "babyai_pickup", "babyai_unblock_pickup", "babyai_unlock", "babyai_open_door", "babyai_open_two_doors", "babyai_open_doors_order", "babyai_pickup_dist", "babyai_put_next_local", "babyai_put_next", "babyai_move_two_across", "babyai_unlock_local", "babyai_unlock_pickup", "babyai_goto_seq", "babyai_synth", "babyai_synth_loc", "babyai_synth_seq", "babyai_pickup_loc", "babyai_mini_boss_level", "babyai_boss_level", "babyai_boss_level_no_unlock"]]
    """Class of levels, by EnvPool's name ("empty", "doorkey", "goto_door", "locked_room", "red_blue_door", "crossing", "distshift", "lava_gap", "dynamic_obstacles", "fetch", "four_rooms", "goto_object", "put_near", "key_corridor", "babyai_key_corridor", "memory", "multi_room", "obstructed_maze_1dlhb", "obstructed_maze_full", "obstructed_maze_full_v1", "playground", "unlock", "unlock_pickup", "blocked_unlock_pickup", "babyai_goto_door", "babyai_goto_obj_door", "babyai_goto_red_ball_no_dists", "babyai_open_red_door", "babyai_pickup_above", "babyai_key_in_box", "babyai_blocked_unlock_pickup", "babyai_unlock_to_unlock", "babyai_action_obj_door", "wfc", "babyai_goto_red_ball_grey", "babyai_goto_red_ball", "babyai_goto_local", "babyai_goto_red_blue_ball", "babyai_goto_obj", "babyai_find_obj", "babyai_one_room", "babyai_goto", "babyai_goto_imp_unlock", "babyai_open", "babyai_pickup", "babyai_unblock_pickup", "babyai_unlock", "babyai_open_door", "babyai_open_two_doors", "babyai_open_doors_order", "babyai_pickup_dist", "babyai_put_next_local", "babyai_put_next", "babyai_move_two_across", "babyai_unlock_local", "babyai_unlock_pickup", "babyai_goto_seq", "babyai_synth", "babyai_synth_loc", "babyai_synth_seq", "babyai_pickup_loc", "babyai_mini_boss_level", "babyai_boss_level" or "babyai_boss_level_no_unlock"; default by task)."""
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
    max_steps: ForEach[int | Integers | Choice[int | None] | None]
    """Time limit in steps, on which rewards depend; None: the level's (an integer from 1 to 4294967295 or None; default None)."""
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

class MujocoOptions(TypedDict, total=False):
    """Options that several families share: Ant, AntV4, HalfCheetah, Hopper, Humanoid, HumanoidStandup, InvertedDoublePendulum, InvertedPendulum, Pusher, Reacher, Walker2d, DmControl, CartpoleBalance, ManipulatorBringBall, SwimmerSwimmer6, PointMaze, AntMaze, AntMazeV4, AntMazeV3, MetaWorld, Fetch, AdroitHandDoorSparse, HandReach, HandManipulate, HandTouch, FrankaKitchen."""

    frame_skip: ForEach[int]
    """Simulation steps per step (an integer from 1 to 65536; default by task)."""
    frame_stack: ForEach[int]
    """Number of stacked observations, the newest last; 1 adds no axis (an integer from 1 to 1024; default 1)."""
    from_pixels: ForEach[bool]
    """Whether observations are pictures: uint8 (3 * frame_stack, render_height, render_width), the newest last (bool; default False)."""
    camera_name: ForEach[str | None]
    """Name of one of the model's cameras (None or str; default None)."""
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
    width: ForEach[int | None]
    """Gymnasium's name for render_width (int or None; default None)."""
    height: ForEach[int | None]
    """Gymnasium's name for render_height (int or None; default None)."""
    camera_id: ForEach[int | None]
    """Gymnasium's name for render_camera_id (int or None; default None)."""

class AntBodyOptions(TypedDict, total=False):
    """Options that several families share: Ant, AntV4, AntMaze, AntMazeV4, AntMazeV3."""

    main_body: ForEach[int | str]
    """Number or name of the body whose velocity is rewarded (an integer from 0 to 1048576 or a str; default 1)."""
    contact_force_range: ForEach[Sequence[float] | None]
    """Bounds of external forces; None: contact_force_min and contact_force_max (two numbers, the first not above the second or None; default None)."""
    contact_force_min: ForEach[float | Uniform | Choice[float]]
    """Lower bound of external forces (float; default -1.0)."""
    contact_force_max: ForEach[float | Uniform | Choice[float]]
    """Upper bound of external forces (float; default 1.0)."""
    use_contact_force: ForEach[bool | None]
    """EnvPool's name of the previous option; None: its value (None or bool; default None)."""
    exclude_worldbody_contact_forces: ForEach[bool]
    """Whether observations omit external forces on the world (bool; default by task)."""

class WalkersOptions(TypedDict, total=False):
    """Options that several families share: Ant, AntV4, Hopper, Humanoid, Walker2d, AntMaze, AntMazeV4, AntMazeV3."""

    healthy_z_min: ForEach[float | Uniform | Choice[float]]
    """Minimum healthy height in m (float; default by task)."""
    healthy_reward: ForEach[float | Uniform | Choice[float]]
    """Reward per step with a healthy robot (float; default by task)."""
    terminate_when_unhealthy: ForEach[bool]
    """Whether an episode ends when the robot is unhealthy (bool; default True)."""
    legacy_healthy_reward: ForEach[bool]
    """Whether healthy_reward is also paid for the step that ends an episode, as in version 4 (bool; default by task)."""

class LegsOptions(TypedDict, total=False):
    """Options that several families share: Hopper, Walker2d."""

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

class HumanoidBodyOptions(TypedDict, total=False):
    """Options that several families share: Humanoid, HumanoidStandup."""

    ctrl_cost_weight: ForEach[float | Uniform | Choice[float]]
    """Weight of the squared controls in the cost (float; default 0.1)."""
    contact_cost_max: ForEach[float | Uniform | Choice[float]]
    """Upper bound of the cost of external forces (float; default 10.0)."""
    include_cinert_in_observation: ForEach[bool]
    """Whether the bodies' inertias are observed (bool; default True)."""
    include_cvel_in_observation: ForEach[bool]
    """Whether the bodies' velocities are observed (bool; default True)."""
    include_qfrc_actuator_in_observation: ForEach[bool]
    """Whether the actuators' forces are observed (bool; default True)."""
    include_cfrc_ext_in_observation: ForEach[bool]
    """Whether external forces are observed (bool; default True)."""
    exclude_worldbody_observations: ForEach[bool]
    """Whether observations of bodies omit the world (bool; default by task)."""
    exclude_root_actuator_forces: ForEach[bool]
    """Whether observed actuator forces omit the root (bool; default by task)."""

class ArmOptions(TypedDict, total=False):
    """Options that several families share: Pusher, Reacher."""

    reward_control_weight: ForEach[float | Uniform | Choice[float]]
    """Weight of the squared action (float; default by task)."""
    dist_cost_weight: ForEach[float | None]
    """EnvPool's name of reward_dist_weight; None: its value (None or float; default None)."""
    ctrl_cost_weight: ForEach[float | None]
    """EnvPool's name of reward_control_weight; None: its value (None or float; default None)."""
    reset_qvel_scale: ForEach[float | Uniform | Choice[float]]
    """Maximum velocity of the arm after a reset in rad/s (float from 0 to 179769313486231570000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000; default 0.005)."""

class SuiteOptions(TypedDict, total=False):
    """Options that several families share: DmControl, CartpoleBalance, ManipulatorBringBall, SwimmerSwimmer6."""

    task_name: ForEach[Literal["swingup", "swingup_sparse", "catch", "run", "stand", "walk", "trot", "fetch", "spin", "turn_easy", "turn_hard", "upright", "swim", "hop", "run_pure_state", "lqr_2_1", "lqr_6_2", "easy", "hard", "escape", "balance", "balance_sparse", "two_poles", "three_poles", "bring_ball", "bring_peg", "insert_ball", "insert_peg", "stack_2", "stack_4", "swimmer6", "swimmer15"]]
    """The task of the robot ("swingup", "swingup_sparse", "catch", "run", "stand", "walk", "trot", "fetch", "spin", "turn_easy", "turn_hard", "upright", "swim", "hop", "run_pure_state", "lqr_2_1", "lqr_6_2", "easy", "hard", "escape", "balance", "balance_sparse", "two_poles", "three_poles", "bring_ball", "bring_peg", "insert_ball", "insert_peg", "stack_2", "stack_4", "swimmer6" or "swimmer15"; default by task)."""
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

class MazeOptions(TypedDict, total=False):
    """Options that several families share: PointMaze, AntMaze, AntMazeV4, AntMazeV3."""

    maze_map: ForEach[str | list[str] | tuple[str, ...]]
    """Name of a map in Gymnasium-Robotics' maps, or its rows, one character for each cell: 0, 1, g, r or c (str or list of str; default by task)."""
    maze_size_scaling: ForEach[float]
    """Side length of a cell in m (float from 0.000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000022250738585072014 to 1000000; default by task)."""
    maze_height: ForEach[float]
    """Height of walls, as a multiple of maze_size_scaling (float from 0.000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000022250738585072014 to 1000000; default by task)."""
    position_noise_range: ForEach[float]
    """Maximum distance of goals and starts from a cell's center along each axis, as a multiple of maze_size_scaling (float from 0 to 1000000; default 0.25)."""
    reward_type: ForEach[Literal["sparse", "dense"]]
    """Sparse: 1 within 0.45 m of the goal, otherwise 0; dense: exp(-distance) ("sparse" or "dense"; default by task)."""
    continuing_task: ForEach[bool]
    """Whether episodes continue after the goal is reached (bool; default True)."""

class HandObjectOptions(TypedDict, total=False):
    """Options that several families share: HandManipulate, HandTouch."""

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

class DoomOptions(TypedDict, total=False):
    """Options that several families share: EnvPoolVizdoom, Vizdoom."""

    frame_skip: ForEach[int]
    """Tics of a step (an integer from 1 to 10000; default by task)."""
    vizdoom_dir: ForEach[str | None]
    """Folder of the Python package vizdoom; default: the installed one (None or str; default None)."""
    engine_timeout: ForEach[float]
    """Seconds after which an engine that does not reply is killed (float from 0.1 to 86400; default 60.0)."""
    restart: ForEach[bool]
    """Restart a lost engine and truncate its episode instead of raising an error (bool; default False)."""
    fast_palette_copy: ForEach[bool]
    """Patch the engine in memory to copy its screen faster; frames are the same (bool; default False)."""

class ProcgenGameOptions(TypedDict, total=False):
    """Options that several families share: EnvPoolProcgen, Procgen."""

    procgen_dir: ForEach[str | None]
    """Folder of procgen's pictures: data/assets of procgen-mirror; default: the installed one (None or str; default None)."""
    env_name: ForEach[Literal["bigfish", "bossfight", "caveflyer", "chaser", "climber", "coinrun", "dodgeball", "fruitbot", "heist", "jumper", "leaper", "maze", "miner", "ninja", "plunder", "starpilot"]]
    """The game ("bigfish", "bossfight", "caveflyer", "chaser", "climber", "coinrun", "dodgeball", "fruitbot", "heist", "jumper", "leaper", "maze", "miner", "ninja", "plunder" or "starpilot"; default by task)."""
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
    first_env: ForEach[int]
    """Number of the pool's first environment, where several pools are parts of a larger one (an integer from 0 to 65536; default 0)."""

class CartPoleOptions(PoolOptions, total=False):
    """Options of CartPole-v0, CartPole-v1."""

    sutton_barto_reward: ForEach[bool | Choice[bool]]
    """Reward 0 per step and -1 for the last, instead of 1 per step (bool; default False)."""

class MountainCarOptions(PoolOptions, total=False):
    """Options of MountainCar-v0, MountainCarContinuous-v0."""

    goal_velocity: ForEach[float | Uniform | Choice[float]]
    """Velocity needed at the goal, per step (float; default 0.0)."""

class PendulumOptions(PoolOptions, total=False):
    """Options of Pendulum-v0, Pendulum-v1."""

    g: ForEach[float | Uniform | Choice[float]]
    """Gravity in m/s² (float; default 10.0)."""
    version: ForEach[int]
    """EnvPool's name for the task: 0 is Pendulum-v0, 1 is Pendulum-v1 (int from 0 or 1; default by task)."""

class FrozenLakeOptions(PoolOptions, total=False):
    """Options of FrozenLake-v1, FrozenLake8x8-v1."""

    desc: ForEach[list[str] | tuple[str, ...] | Choice[list[str] | tuple[str, ...] | None] | None]
    """The map's rows, of the letters S, F, H and G (None or list of str; default None)."""
    map_name: ForEach[str | None]
    """Name of a map, "4x4" or "8x8"; None and no desc: a random one of 8 by 8 cells (str or None; default by task)."""
    is_slippery: ForEach[bool | Choice[bool]]
    """Whether moves may go sideways (bool; default True)."""
    success_rate: ForEach[float | Uniform | Choice[float]]
    """Probability of moving as intended on slippery ice; the rest is shared by the two sides (a probability, from 0 to 1; default 0.3333333333333333)."""
    reward_schedule: ForEach[Sequence[float] | Choice[Sequence[float]]]
    """Rewards for reaching the goal, a hole, frozen ground (list of float; default [1.0, 0.0, 0.0])."""
    size: ForEach[int]
    """EnvPool's name for the map: 4 or 8 rows; 1 to 3: a corner of the smaller map (int from 1, 2, 3, 4 or 8; default by task)."""

class TaxiOptions(PoolOptions, total=False):
    """Options of Taxi-v3."""

    is_rainy: ForEach[bool | Choice[bool]]
    """Whether the taxi may drift sideways (bool; default False)."""
    fickle_passenger: ForEach[bool | Choice[bool]]
    """Whether the passenger may choose another destination when first driven (bool; default False)."""

class TaxiV4Options(PoolOptions, total=False):
    """Options of Taxi-v4."""

    is_rainy: ForEach[bool | Choice[bool]]
    """Whether the taxi may drift sideways (bool; default False)."""
    fickle_passenger: ForEach[bool | Choice[bool]]
    """Whether the passenger may choose another destination when first driven (bool; default False)."""
    rainy_probability: ForEach[float | Uniform | Choice[float]]
    """Probability of no drift in the rain (a probability, from 0 to 1; default 0.8)."""
    fickle_probability: ForEach[float | Uniform | Choice[float]]
    """Probability that a passenger is fickle, if any may be (a probability, from 0 to 1; default 0.3)."""

class CliffWalkingOptions(PoolOptions, total=False):
    """Options of CliffWalking-v0, CliffWalking-v1, CliffWalkingSlippery-v1."""

    is_slippery: ForEach[bool | Choice[bool]]
    """Whether two thirds of the moves go sideways (bool; default by task)."""

class BlackjackOptions(PoolOptions, total=False):
    """Options of Blackjack-v1."""

    natural: ForEach[bool | Choice[bool]]
    """Whether winning with a natural pays 1.5 (if sab is False) (bool; default False)."""
    sab: ForEach[bool | Choice[bool]]
    """Whether a natural wins against any other hand, as in Sutton and Barto (bool; default True)."""

class NChainOptions(PoolOptions, total=False):
    """Options of NChain-v0."""

    n: ForEach[int]
    """Length of the chain (an integer from 1 to 2147483647; default 5)."""
    slip: ForEach[float | Uniform | Choice[float]]
    """Probability that the other action is played (a probability, from 0 to 1; default 0.2)."""
    small: ForEach[float | Uniform | Choice[float]]
    """Reward for going backwards (float; default 2.0)."""
    large: ForEach[float | Uniform | Choice[float]]
    """Reward for going forwards at the end (float; default 10.0)."""

class AtariOptions(PoolOptions, ConsoleOptions, total=False):
    """Options of Adventure-v5, AirRaid-v5, Alien-v5 and 101 more."""

    stack_num: ForEach[int]
    """Frames in an observation (an integer from 1 to 1000; default 4)."""
    frame_skip: ForEach[int | Integers | Choice[int]]
    """Frames for which an action is repeated (an integer from 1 to 10000; default 4)."""
    zero_discount_on_life_loss: ForEach[bool | Choice[bool]]
    """Whether the discount is 0 when a life is lost (bool; default False)."""
    episodic_life: ForEach[bool | Choice[bool]]
    """Whether losing a life ends the episode, but not the game (bool; default False)."""
    reward_clip: ForEach[bool | Choice[bool]]
    """Whether rewards are -1, 0 or 1 (bool; default False)."""
    use_fire_reset: ForEach[bool | Choice[bool]]
    """Whether a reset presses FIRE in games that have it (bool; default True)."""
    img_height: ForEach[int]
    """Rows of an observation (an integer from 1 to 4096; default 84)."""
    img_width: ForEach[int]
    """Columns of an observation (an integer from 1 to 4096; default 84)."""
    task: ForEach[str]
    """The game (str; default by task)."""
    mode: ForEach[int | None]
    """The game's mode; -1: its default (int or None; default -1)."""
    difficulty: ForEach[int | None]
    """The game's difficulty; -1: its default (int or None; default -1)."""
    use_inter_area_resize: ForEach[bool]
    """OpenCV's INTER_AREA, or else INTER_LINEAR (bool; default True)."""
    gray_scale: ForEach[bool]
    """Whether frames are gray; coloured ones have three channels (bool; default True)."""
    stack_once: ForEach[bool]
    """Whether an observation is the newest frame of the stack only, and infos have stack_age: for FrameMemory (bool; default False)."""

class AleAtariOptions(PoolOptions, ConsoleOptions, total=False):
    """Options of ALE/Adventure-v5, ALE/AirRaid-v5, ALE/Alien-v5 and 101 more."""

    game: ForEach[str]
    """The game (str; default by task)."""
    mode: ForEach[int | None]
    """The game's mode; None: its default (None or int; default None)."""
    difficulty: ForEach[int | None]
    """The game's difficulty; None: its default (None or int; default None)."""
    obs_type: ForEach[Literal["rgb", "grayscale", "ram"]]
    """The screen in colour, in gray, or the RAM ("rgb", "grayscale" or "ram"; default 'rgb')."""
    frameskip: ForEach[int | Sequence[int] | Integers | Choice[int | Sequence[int]]]
    """Frames per step, or bounds from which it is drawn, the upper excluded (an integer from 1 to 10000, or two of them; default 4)."""
    continuous: ForEach[bool]
    """Whether actions are radius, angle and fire (bool; default False)."""
    continuous_action_threshold: ForEach[float | Uniform | Choice[float]]
    """Threshold above which an axis is a direction, or the button is FIRE (float; default 0.5)."""
    max_num_frames_per_episode: ForEach[int | None]
    """Frames after which an episode is truncated; 0 or None: never (an integer from 0 to 2147483647 or None; default 108000)."""
    preprocessing: ForEach[bool]
    """Whether gymnasium's AtariPreprocessing is applied, with the options that follow (bool; default False)."""
    frame_skip: ForEach[int]
    """Frames for which an action is repeated (an integer from 1 to 10000; default 4)."""
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
    stack_once: ForEach[bool]
    """Whether an observation is the newest frame of the stack only, and infos have stack_age: for FrameMemory (bool; default False)."""

class CatchOptions(PoolOptions, total=False):
    """Options of Catch-v0."""

    rows: ForEach[int]
    """Rows of the board (an integer from 2 to 1024; default 10)."""
    columns: ForEach[int]
    """Columns of the board (an integer from 1 to 1024; default 5)."""
    height: ForEach[int | None]
    """EnvPool's name for rows (int or None; default None)."""
    width: ForEach[int | None]
    """EnvPool's name for columns (int or None; default None)."""

class SimpleSpreadOptions(PoolOptions, ParticlesOptions, total=False):
    """Options of SimpleSpread-v3."""

    N: ForEach[int]
    """Number of agents, and of landmarks (int from 1 to 1024; default 3)."""
    local_ratio: ForEach[float | Uniform | Choice[float]]
    """Weight of the local reward; the global reward has the rest (float from 0 to 1; default 0.5)."""
    curriculum: ForEach[bool | Choice[bool]]
    """Whether collisions are not penalized: stage 0, which mpe2 1.1.1 never leaves (bool; default False)."""
    terminate_on_success: ForEach[bool | Choice[bool]]
    """Whether an episode ends once all landmarks are covered within 0.1 (bool; default False)."""
    num_agent_neighbors: ForEach[int | None]
    """Number of other agents that each observes, nearest first; None: all (None or int from 1 to 1024; default None)."""
    num_landmark_neighbors: ForEach[int | None]
    """Number of landmarks that each observes, nearest first; None: all (None or int from 1 to 1024; default None)."""

class SimpleSpeakerListenerOptions(PoolOptions, ParticlesOptions, total=False):
    """Options of SimpleSpeakerListener-v4."""


class MiniGridEmpty5x5Options(PoolOptions, LevelOptions, total=False):
    """Options of MiniGrid-Empty-5x5-v0, MiniGrid-Empty-Random-5x5-v0, MiniGrid-Empty-6x6-v0 and 3 more."""

    size: ForEach[int | Integers | Choice[int]]
    """Cells on each side, walls included (an integer from 3 to 200; default by task)."""
    agent_start_pos: ForEach[Sequence[int] | Choice[Sequence[int] | None] | None]
    """Column and row where the agent starts; None: random (list of int or None; default by task)."""
    agent_start_dir: ForEach[int | Integers | Choice[int]]
    """Direction at the start: 0 right, 1 down, 2 left, 3 up (an integer from 0 to 3; default 0)."""

class MiniGridDoorKey5x5Options(PoolOptions, LevelOptions, total=False):
    """Options of MiniGrid-DoorKey-5x5-v0, MiniGrid-DoorKey-6x6-v0, MiniGrid-DoorKey-8x8-v0 and 7 more."""

    size: ForEach[int | Integers | Choice[int]]
    """Cells on each side, walls included (int; default by task)."""

class MiniGridLavaCrossingS9N1Options(PoolOptions, LevelOptions, total=False):
    """Options of MiniGrid-LavaCrossingS9N1-v0, MiniGrid-LavaCrossingS9N2-v0, MiniGrid-LavaCrossingS9N3-v0 and 5 more."""

    size: ForEach[int | Integers | Choice[int]]
    """Cells on each side, walls included (an integer from 5 to 200; default by task)."""
    num_crossings: ForEach[int | Integers | Choice[int]]
    """Rivers (an integer from 0 to 200; default by task)."""
    obstacle_type: ForEach[Literal["lava", "wall"] | Choice[Literal["lava", "wall"]]]
    """Material of the rivers ("lava" or "wall"; default by task)."""

class MiniGridDistShift1Options(PoolOptions, LevelOptions, total=False):
    """Options of MiniGrid-DistShift1-v0, MiniGrid-DistShift2-v0."""

    width: ForEach[int | Integers | Choice[int]]
    """Columns, walls included (an integer from 4 to 200; default 9)."""
    height: ForEach[int | Integers | Choice[int]]
    """Rows, walls included (an integer from 4 to 200; default 7)."""
    strip2_row: ForEach[int | Integers | Choice[int]]
    """Row of the second strip of lava (an integer from 1 to 198; default by task)."""
    agent_start_pos: ForEach[Sequence[int] | Choice[Sequence[int] | None] | None]
    """Column and row where the agent starts; None: random (list of int or None; default [1, 1])."""
    agent_start_dir: ForEach[int | Integers | Choice[int]]
    """Direction at the start: 0 right, 1 down, 2 left, 3 up (an integer from 0 to 3; default 0)."""

class MiniGridLavaGapS5Options(PoolOptions, LevelOptions, total=False):
    """Options of MiniGrid-LavaGapS5-v0, MiniGrid-LavaGapS6-v0, MiniGrid-LavaGapS7-v0."""

    size: ForEach[int | Integers | Choice[int]]
    """Cells on each side, walls included (an integer from 5 to 200; default by task)."""
    obstacle_type: ForEach[Literal["lava", "wall"] | Choice[Literal["lava", "wall"]]]
    """Material of the strip ("lava" or "wall"; default 'lava')."""

class MiniGridDynamicObstacles5x5Options(PoolOptions, LevelOptions, total=False):
    """Options of MiniGrid-Dynamic-Obstacles-5x5-v0, MiniGrid-Dynamic-Obstacles-Random-5x5-v0, MiniGrid-Dynamic-Obstacles-6x6-v0 and 3 more."""

    size: ForEach[int | Integers | Choice[int]]
    """Cells on each side, walls included (an integer from 4 to 200; default by task)."""
    n_obstacles: ForEach[int | Integers | Choice[int]]
    """Number of balls; more than size / 2 + 1 become size / 2 (an integer from 0 to 200; default by task)."""
    agent_start_pos: ForEach[Sequence[int] | Choice[Sequence[int] | None] | None]
    """Column and row where the agent starts; None: random (list of int or None; default by task)."""
    agent_start_dir: ForEach[int | Integers | Choice[int]]
    """Direction at the start: 0 right, 1 down, 2 left, 3 up (an integer from 0 to 3; default 0)."""

class MiniGridFetch5x5N2Options(PoolOptions, LevelOptions, total=False):
    """Options of MiniGrid-Fetch-5x5-N2-v0, MiniGrid-Fetch-6x6-N2-v0, MiniGrid-Fetch-8x8-N3-v0."""

    size: ForEach[int | Integers | Choice[int]]
    """Cells on each side, walls included (an integer from 4 to 200; default by task)."""
    numObjs: ForEach[int | Integers | Choice[int]]
    """Keys and balls (an integer from 1 to 200; default by task)."""
    num_objs: ForEach[int | Integers | Choice[int | None] | None]
    """EnvPool's name for the option above; None: that option's value (an integer from 1 to 200 or None; default None)."""

class MiniGridFourRoomsOptions(PoolOptions, LevelOptions, total=False):
    """Options of MiniGrid-FourRooms-v0."""

    agent_pos: ForEach[Sequence[int] | Choice[Sequence[int] | None] | None]
    """Column and row where the agent starts; None: random (None or list of int; default None)."""
    goal_pos: ForEach[Sequence[int] | Choice[Sequence[int] | None] | None]
    """Column and row of the goal; None: random (None or list of int; default None)."""

class MiniGridGoToObject6x6N2Options(PoolOptions, LevelOptions, total=False):
    """Options of MiniGrid-GoToObject-6x6-N2-v0, MiniGrid-GoToObject-8x8-N2-v0, MiniGrid-PutNear-6x6-N2-v0 and 1 more."""

    size: ForEach[int | Integers | Choice[int]]
    """Cells on each side, walls included (int; default by task)."""
    numObjs: ForEach[int | Integers | Choice[int]]
    """Keys, balls and boxes (int; default by task)."""
    num_objs: ForEach[int | Integers | Choice[int | None] | None]
    """EnvPool's name for the option above; None: that option's value (None or int; default None)."""

class MiniGridKeyCorridorS3R1Options(PoolOptions, LevelOptions, total=False):
    """Options of MiniGrid-KeyCorridorS3R1-v0, MiniGrid-KeyCorridorS3R2-v0, MiniGrid-KeyCorridorS3R3-v0 and 10 more."""

    num_rows: ForEach[int | Integers | Choice[int]]
    """Rows of rooms (an integer from 1 to 20; default by task)."""
    room_size: ForEach[int | Integers | Choice[int]]
    """Cells on each side of a room, walls included (int; default by task)."""
    obj_type: ForEach[Literal["ball", "box", "key"] | Choice[Literal["ball", "box", "key"]]]
    """Kind of the object to pick up ("ball", "box" or "key"; default 'ball')."""

class MiniGridMemoryS17RandomOptions(PoolOptions, LevelOptions, total=False):
    """Options of MiniGrid-MemoryS17Random-v0, MiniGrid-MemoryS13Random-v0, MiniGrid-MemoryS13-v0 and 3 more."""

    size: ForEach[int | Integers | Choice[int]]
    """Cells on each side, walls included (an integer from 7 to 200; default by task)."""
    random_length: ForEach[bool | Choice[bool]]
    """Whether the hallway's length is random (bool; default by task)."""

class MiniGridMultiRoomN2S4Options(PoolOptions, LevelOptions, total=False):
    """Options of MiniGrid-MultiRoom-N2-S4-v0, MiniGrid-MultiRoom-N4-S5-v0, MiniGrid-MultiRoom-N4-S5-v1 and 1 more."""

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
    width: ForEach[int | Integers | Choice[int]]
    """Columns of the world (an integer from 5 to 200; default 25)."""
    height: ForEach[int | Integers | Choice[int]]
    """Rows of the world (an integer from 5 to 200; default 25)."""

class MiniGridObstructedMaze1DlOptions(PoolOptions, LevelOptions, total=False):
    """Options of MiniGrid-ObstructedMaze-1Dl-v0, MiniGrid-ObstructedMaze-1Dlh-v0, MiniGrid-ObstructedMaze-1Dlhb-v0."""

    key_in_box: ForEach[bool | Choice[bool]]
    """Whether keys lie in boxes (bool; default by task)."""
    blocked: ForEach[bool | Choice[bool]]
    """Whether balls block locked doors (bool; default by task)."""

class MiniGridObstructedMaze2DlOptions(PoolOptions, LevelOptions, total=False):
    """Options of MiniGrid-ObstructedMaze-2Dl-v0, MiniGrid-ObstructedMaze-2Dlh-v0, MiniGrid-ObstructedMaze-2Dlhb-v0 and 7 more."""

    agent_room: ForEach[Sequence[int] | Choice[Sequence[int]]]
    """Column and row of the room where the agent starts (list of int; default by task)."""
    key_in_box: ForEach[bool | Choice[bool]]
    """Whether keys lie in boxes (bool; default by task)."""
    blocked: ForEach[bool | Choice[bool]]
    """Whether balls block locked doors (bool; default by task)."""
    num_quarters: ForEach[int | Integers | Choice[int]]
    """Number of quarters with doors and keys (an integer from 1 to 4; default by task)."""
    num_rooms_visited: ForEach[int | Integers | Choice[int]]
    """Number of rooms that the time limit is computed from (an integer from 1 to 1000; default by task)."""

class MiniGridPlaygroundOptions(PoolOptions, LevelOptions, total=False):
    """Options of MiniGrid-Playground-v0, MiniGrid-Unlock-v0, MiniGrid-UnlockPickup-v0 and 10 more."""


class MiniGridWFCMazeSimpleOptions(PoolOptions, LevelOptions, total=False):
    """Options of MiniGrid-WFC-MazeSimple-v0, MiniGrid-WFC-DungeonMazeScaled-v0, MiniGrid-WFC-RoomsFabric-v0 and 3 more."""

    wfc_config: ForEach[Literal["MazeSimple", "DungeonMazeScaled", "RoomsFabric", "ObstaclesBlackdots", "ObstaclesAngular", "ObstaclesHogs3"]]
    """Sample picture, by the name of minigrid's preset ("MazeSimple", "DungeonMazeScaled", "RoomsFabric", "ObstaclesBlackdots", "ObstaclesAngular" or "ObstaclesHogs3"; default by task)."""
    wfc_preset: ForEach[Literal["MazeSimple", "DungeonMazeScaled", "RoomsFabric", "ObstaclesBlackdots", "ObstaclesAngular", "ObstaclesHogs3"] | None]
    """EnvPool's name for the option above; None: that option's value ("MazeSimple", "DungeonMazeScaled", "RoomsFabric", "ObstaclesBlackdots", "ObstaclesAngular" or "ObstaclesHogs3" or None; default None)."""
    size: ForEach[int | Integers | Choice[int]]
    """Cells on each side, walls included (an integer from 3 to 200; default 25)."""
    ensure_connected: ForEach[bool | Choice[bool]]
    """Whether all but the largest connected part of the world becomes wall (bool; default True)."""

class BabyAIGoToRedBallGreyOptions(PoolOptions, LevelOptions, total=False):
    """Options of BabyAI-GoToRedBallGrey-v0, BabyAI-GoToRedBall-v0, BabyAI-GoToLocal-v0 and 13 more."""

    room_size: ForEach[int | Integers | Choice[int]]
    """Cells on each side of a room, walls included (an integer from 4 to 60; default by task)."""
    num_dists: ForEach[int | Integers | Choice[int]]
    """Distractor objects (an integer from 0 to 100; default by task)."""

class BabyAIGoToObjOptions(PoolOptions, LevelOptions, total=False):
    """Options of BabyAI-GoToObj-v0, BabyAI-GoToObjS4-v0, BabyAI-GoToObjS6-v1 and 7 more."""

    room_size: ForEach[int | Integers | Choice[int]]
    """Cells on each side of a room, walls included (an integer from 4 to 60; default by task)."""

class BabyAIGoToOptions(PoolOptions, LevelOptions, total=False):
    """Options of BabyAI-GoTo-v0, BabyAI-GoToOpen-v0, BabyAI-GoToObjMaze-v0 and 6 more."""

    room_size: ForEach[int | Integers | Choice[int]]
    """Cells on each side of a room, walls included (an integer from 4 to 60; default by task)."""
    num_rows: ForEach[int | Integers | Choice[int]]
    """Rows of rooms (an integer from 1 to 10; default by task)."""
    num_cols: ForEach[int | Integers | Choice[int]]
    """Rooms in a row (an integer from 1 to 10; default by task)."""
    num_dists: ForEach[int | Integers | Choice[int]]
    """Distractor objects (an integer from 0 to 100; default by task)."""
    doors_open: ForEach[bool | Choice[bool]]
    """Whether all doors are open (bool; default by task)."""

class BabyAIGoToImpUnlockOptions(PoolOptions, LevelOptions, total=False):
    """Options of BabyAI-GoToImpUnlock-v0, BabyAI-Open-v0, BabyAI-Pickup-v0 and 2 more."""

    room_size: ForEach[int | Integers | Choice[int]]
    """Cells on each side of a room, walls included (an integer from 4 to 60; default 8)."""
    num_rows: ForEach[int | Integers | Choice[int]]
    """Rows of rooms (an integer from 1 to 10; default 3)."""
    num_cols: ForEach[int | Integers | Choice[int]]
    """Rooms in a row (an integer from 1 to 10; default 3)."""

class BabyAIOpenDoorOptions(PoolOptions, LevelOptions, total=False):
    """Options of BabyAI-OpenDoor-v0, BabyAI-OpenDoorDebug-v0, BabyAI-OpenDoorColor-v0 and 1 more."""

    debug: ForEach[bool | Choice[bool]]
    """Whether opening another door ends the episode (bool; default by task)."""
    select_by: ForEach[Literal["color", "loc"] | Choice[Literal["color", "loc"] | None] | None]
    """How the mission describes the door; None: random ("color" or "loc" or None; default by task)."""

class BabyAIOpenTwoDoorsOptions(PoolOptions, LevelOptions, total=False):
    """Options of BabyAI-OpenTwoDoors-v0, BabyAI-OpenRedBlueDoors-v0, BabyAI-OpenRedBlueDoorsDebug-v0."""

    first_color: ForEach[Literal["red", "green", "blue", "purple", "yellow", "grey"] | Choice[Literal["red", "green", "blue", "purple", "yellow", "grey"] | None] | None]
    """Colour of the first door; None: random ("red", "green", "blue", "purple", "yellow" or "grey" or None; default by task)."""
    second_color: ForEach[Literal["red", "green", "blue", "purple", "yellow", "grey"] | Choice[Literal["red", "green", "blue", "purple", "yellow", "grey"] | None] | None]
    """Colour of the second door; None: random ("red", "green", "blue", "purple", "yellow" or "grey" or None; default by task)."""
    strict: ForEach[bool | Choice[bool]]
    """Whether opening another door than the first ends the episode (bool; default by task)."""

class BabyAIOpenDoorsOrderN2Options(PoolOptions, LevelOptions, total=False):
    """Options of BabyAI-OpenDoorsOrderN2-v0, BabyAI-OpenDoorsOrderN4-v0, BabyAI-OpenDoorsOrderN2Debug-v0 and 1 more."""

    num_doors: ForEach[int | Integers | Choice[int]]
    """Doors (an integer from 2 to 4; default by task)."""
    debug: ForEach[bool | Choice[bool]]
    """Whether opening a wrong door ends the episode (bool; default by task)."""

class BabyAIPickupDistOptions(PoolOptions, LevelOptions, total=False):
    """Options of BabyAI-PickupDist-v0, BabyAI-PickupDistDebug-v0."""

    debug: ForEach[bool | Choice[bool]]
    """Whether picking up anything else ends the episode (bool; default by task)."""

class BabyAIPutNextLocalOptions(PoolOptions, LevelOptions, total=False):
    """Options of BabyAI-PutNextLocal-v0, BabyAI-PutNextLocalS5N3-v0, BabyAI-PutNextLocalS6N4-v0."""

    room_size: ForEach[int | Integers | Choice[int]]
    """Cells on each side of a room, walls included (an integer from 4 to 60; default by task)."""
    num_objs: ForEach[int | Integers | Choice[int]]
    """Objects (an integer from 2 to 18; default by task)."""

class BabyAIPutNextS4N1Options(PoolOptions, LevelOptions, total=False):
    """Options of BabyAI-PutNextS4N1-v0, BabyAI-PutNextS5N2-v0, BabyAI-PutNextS5N1-v0 and 5 more."""

    room_size: ForEach[int | Integers | Choice[int]]
    """Cells on each side of a room, walls included (an integer from 4 to 60; default by task)."""
    objs_per_room: ForEach[int | Integers | Choice[int]]
    """Objects in each room (an integer from 1 to 9; default by task)."""
    start_carrying: ForEach[bool | Choice[bool]]
    """Whether the agent carries the object to move from the start (bool; default by task)."""

class BabyAIMoveTwoAcrossS5N2Options(PoolOptions, LevelOptions, total=False):
    """Options of BabyAI-MoveTwoAcrossS5N2-v0, BabyAI-MoveTwoAcrossS8N9-v0."""

    room_size: ForEach[int | Integers | Choice[int]]
    """Cells on each side of a room, walls included (an integer from 4 to 60; default by task)."""
    objs_per_room: ForEach[int | Integers | Choice[int]]
    """Objects in each room (an integer from 1 to 9; default by task)."""

class BabyAIUnlockLocalOptions(PoolOptions, LevelOptions, total=False):
    """Options of BabyAI-UnlockLocal-v0, BabyAI-UnlockLocalDist-v0, BabyAI-UnlockPickup-v0 and 1 more."""

    distractors: ForEach[bool | Choice[bool]]
    """Whether there are distractor objects (bool; default by task)."""

class BabyAIGoToSeqOptions(PoolOptions, LevelOptions, total=False):
    """Options of BabyAI-GoToSeq-v0, BabyAI-GoToSeqS5R2-v0, BabyAI-Synth-v0 and 7 more."""

    room_size: ForEach[int | Integers | Choice[int]]
    """Cells on each side of a room, walls included (an integer from 4 to 60; default by task)."""
    num_rows: ForEach[int | Integers | Choice[int]]
    """Rows of rooms (an integer from 1 to 10; default by task)."""
    num_cols: ForEach[int | Integers | Choice[int]]
    """Rooms in a row (an integer from 1 to 10; default by task)."""
    num_dists: ForEach[int | Integers | Choice[int]]
    """Distractor objects (an integer from 0 to 100; default by task)."""
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

class AntOptions(PoolOptions, MujocoOptions, AntBodyOptions, WalkersOptions, total=False):
    """Options of Ant-v5."""

    xml_file: ForEach[str]
    """Model: a file in xml_dir, or a path that starts with ., / or ~ (str; default 'ant.xml')."""
    xml_dir: ForEach[str | None]
    """Folder of xml_file; None: that of the installed gymnasium (None or str; default None)."""
    physics: ForEach[Literal["auto", "libmujoco", "native"]]
    """Code that computes steps: MuJoCo's library or this package (native), with equal results; auto: native if possible ("auto", "libmujoco" or "native"; default 'auto')."""
    post_constraint: ForEach[bool]
    """Whether external forces on bodies are computed after steps; False: they are 0 (bool; default True)."""
    forward_reward_weight: ForEach[float | Uniform | Choice[float]]
    """Weight of the velocity along x in the reward (float; default 1.0)."""
    ctrl_cost_weight: ForEach[float | Uniform | Choice[float]]
    """Weight of the squared action in the cost (float; default 0.5)."""
    contact_cost_weight: ForEach[float | Uniform | Choice[float]]
    """Weight of the squared external forces in the cost (float; default 0.0005)."""
    healthy_z_range: ForEach[Sequence[float] | None]
    """Range of healthy heights; None: healthy_z_min to healthy_z_max (two numbers, the first not above the second or None; default None)."""
    healthy_z_max: ForEach[float | Uniform | Choice[float]]
    """Maximum healthy height in m (float; default 1.0)."""
    reset_noise_scale: ForEach[float | Uniform | Choice[float]]
    """Scale of the noise of positions and velocities after a reset (float from 0 to 179769313486231570000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000; default 0.1)."""
    exclude_current_positions_from_observation: ForEach[bool]
    """Whether observations omit the robot's position (bool; default True)."""
    include_cfrc_ext_in_observation: ForEach[bool]
    """Whether external forces are observed (and, in version 4, have a cost) (bool; default True)."""
    default_camera: ForEach[Literal["free", "track"]]
    """Default camera: "free" is fixed, "track" is the model's camera of that name, if it has one ("free" or "track"; default 'free')."""
    gymnasium_v5_render_camera: ForEach[bool]
    """Whether a free camera has gymnasium's position for the robot; False: a distance by the model's extent (bool; default True)."""
    default_camera_config: ForEach[Mapping[Any, Any] | None]
    """Gymnasium's option: lookat, distance and so on of a free camera (dict or None; default None)."""

class AntV4Options(PoolOptions, MujocoOptions, AntBodyOptions, WalkersOptions, total=False):
    """Options of Ant-v4, Ant-v3."""

    xml_file: ForEach[str]
    """Model: a file in xml_dir, or a path that starts with ., / or ~ (str; default 'ant.xml')."""
    xml_dir: ForEach[str | None]
    """Folder of xml_file; None: that of the installed gymnasium (None or str; default None)."""
    physics: ForEach[Literal["auto", "libmujoco", "native"]]
    """Code that computes steps: MuJoCo's library or this package (native), with equal results; auto: native if possible ("auto", "libmujoco" or "native"; default 'auto')."""
    post_constraint: ForEach[bool]
    """Whether external forces on bodies are computed after steps; False: they are 0 (bool; default True)."""
    forward_reward_weight: ForEach[float | Uniform | Choice[float]]
    """Weight of the velocity along x in the reward (float; default 1.0)."""
    ctrl_cost_weight: ForEach[float | Uniform | Choice[float]]
    """Weight of the squared action in the cost (float; default 0.5)."""
    contact_cost_weight: ForEach[float | Uniform | Choice[float]]
    """Weight of the squared external forces in the cost (float; default 0.0005)."""
    healthy_z_range: ForEach[Sequence[float] | None]
    """Range of healthy heights; None: healthy_z_min to healthy_z_max (two numbers, the first not above the second or None; default None)."""
    healthy_z_max: ForEach[float | Uniform | Choice[float]]
    """Maximum healthy height in m (float; default 1.0)."""
    reset_noise_scale: ForEach[float | Uniform | Choice[float]]
    """Scale of the noise of positions and velocities after a reset (float from 0 to 179769313486231570000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000; default 0.1)."""
    exclude_current_positions_from_observation: ForEach[bool]
    """Whether observations omit the robot's position (bool; default True)."""
    use_contact_forces: ForEach[bool]
    """Whether external forces are observed (and, in version 4, have a cost) (bool; default by task)."""
    default_camera: ForEach[Literal["free", "track"]]
    """Default camera: "free" is fixed, "track" is the model's camera of that name, if it has one ("free" or "track"; default 'free')."""
    gymnasium_v5_render_camera: ForEach[bool]
    """Whether a free camera has gymnasium's position for the robot; False: a distance by the model's extent (bool; default True)."""
    default_camera_config: ForEach[Mapping[Any, Any] | None]
    """Gymnasium's option: lookat, distance and so on of a free camera (dict or None; default None)."""

class HalfCheetahOptions(PoolOptions, MujocoOptions, total=False):
    """Options of HalfCheetah-v5, HalfCheetah-v4, HalfCheetah-v3 and 3 more."""

    xml_file: ForEach[str]
    """Model: a file in xml_dir, or a path that starts with ., / or ~ (str; default by task)."""
    xml_dir: ForEach[str | None]
    """Folder of xml_file; None: that of the installed gymnasium (None or str; default None)."""
    physics: ForEach[Literal["auto", "libmujoco", "native"]]
    """Code that computes steps: MuJoCo's library or this package (native), with equal results; auto: native if possible ("auto", "libmujoco" or "native"; default 'auto')."""
    post_constraint: ForEach[bool]
    """Whether external forces on bodies are computed after steps; False: they are 0 (bool; default True)."""
    forward_reward_weight: ForEach[float | Uniform | Choice[float]]
    """Weight of the velocity along x in the reward (float; default 1.0)."""
    ctrl_cost_weight: ForEach[float | Uniform | Choice[float]]
    """Weight of the squared action in the cost (float; default by task)."""
    reset_noise_scale: ForEach[float | Uniform | Choice[float]]
    """Scale of the noise of positions and velocities after a reset (float from 0 to 179769313486231570000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000; default 0.1)."""
    exclude_current_positions_from_observation: ForEach[bool]
    """Whether observations omit the robot's position (bool; default True)."""
    default_camera: ForEach[Literal["free", "track"]]
    """Default camera: "free" is fixed, "track" is the model's camera of that name, if it has one ("free" or "track"; default 'free')."""
    gymnasium_v5_render_camera: ForEach[bool]
    """Whether a free camera has gymnasium's position for the robot; False: a distance by the model's extent (bool; default True)."""
    default_camera_config: ForEach[Mapping[Any, Any] | None]
    """Gymnasium's option: lookat, distance and so on of a free camera (dict or None; default None)."""

class HopperOptions(PoolOptions, MujocoOptions, WalkersOptions, LegsOptions, total=False):
    """Options of Hopper-v5, Hopper-v4, Hopper-v3."""

    xml_file: ForEach[str]
    """Model: a file in xml_dir, or a path that starts with ., / or ~ (str; default 'hopper.xml')."""
    xml_dir: ForEach[str | None]
    """Folder of xml_file; None: that of the installed gymnasium (None or str; default None)."""
    physics: ForEach[Literal["auto", "libmujoco", "native"]]
    """Code that computes steps: MuJoCo's library or this package (native), with equal results; auto: native if possible ("auto", "libmujoco" or "native"; default 'auto')."""
    post_constraint: ForEach[bool]
    """Whether external forces on bodies are computed after steps; False: they are 0 (bool; default True)."""
    forward_reward_weight: ForEach[float | Uniform | Choice[float]]
    """Weight of the velocity along x in the reward (float; default 1.0)."""
    ctrl_cost_weight: ForEach[float | Uniform | Choice[float]]
    """Weight of the squared action in the cost (float; default 0.001)."""
    healthy_state_range: ForEach[Sequence[float] | None]
    """Range of healthy positions and velocities beyond the first two; None: healthy_state_min to healthy_state_max (two numbers, the first not above the second or None; default None)."""
    healthy_state_min: ForEach[float | Uniform | Choice[float]]
    """Lower bound of healthy positions and velocities beyond the first two (float; default -100.0)."""
    healthy_state_max: ForEach[float | Uniform | Choice[float]]
    """Upper bound of healthy positions and velocities beyond the first two (float; default 100.0)."""
    healthy_z_range: ForEach[Sequence[float] | None]
    """Range of healthy heights; None: above healthy_z_min (two numbers, the first not above the second or None; default None)."""
    reset_noise_scale: ForEach[float | Uniform | Choice[float]]
    """Scale of the noise of positions and velocities after a reset (float from 0 to 179769313486231570000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000; default 0.005)."""
    exclude_current_positions_from_observation: ForEach[bool]
    """Whether observations omit the robot's position (bool; default True)."""
    default_camera: ForEach[Literal["free", "track"]]
    """Default camera: "free" is fixed, "track" is the model's camera of that name, if it has one ("free" or "track"; default 'free')."""
    gymnasium_v5_render_camera: ForEach[bool]
    """Whether a free camera has gymnasium's position for the robot; False: a distance by the model's extent (bool; default True)."""
    default_camera_config: ForEach[Mapping[Any, Any] | None]
    """Gymnasium's option: lookat, distance and so on of a free camera (dict or None; default None)."""

class HumanoidOptions(PoolOptions, MujocoOptions, WalkersOptions, HumanoidBodyOptions, total=False):
    """Options of Humanoid-v5, Humanoid-v4, Humanoid-v3."""

    xml_file: ForEach[str]
    """Model: a file in xml_dir, or a path that starts with ., / or ~ (str; default 'humanoid.xml')."""
    xml_dir: ForEach[str | None]
    """Folder of xml_file; None: that of the installed gymnasium (None or str; default None)."""
    physics: ForEach[Literal["auto", "libmujoco", "native"]]
    """Code that computes steps: MuJoCo's library or this package (native), with equal results; auto: native if possible ("auto", "libmujoco" or "native"; default 'auto')."""
    post_constraint: ForEach[bool]
    """Whether external forces on bodies are computed after steps; False: they are 0 (bool; default True)."""
    forward_reward_weight: ForEach[float | Uniform | Choice[float]]
    """Weight of the velocity along x in the reward (float; default 1.25)."""
    contact_cost_weight: ForEach[float | Uniform | Choice[float]]
    """Weight of the squared external forces in the cost (float; default 5e-07)."""
    contact_cost_range: ForEach[Sequence[float] | None]
    """Bounds of the cost of external forces; None: contact_cost_max as the upper bound (two numbers, the first not above the second or None; default None)."""
    use_contact_force: ForEach[bool]
    """Whether external forces have a cost (bool; default by task)."""
    healthy_z_range: ForEach[Sequence[float] | None]
    """Range of healthy heights; None: healthy_z_min to healthy_z_max (two numbers, the first not above the second or None; default None)."""
    healthy_z_max: ForEach[float | Uniform | Choice[float]]
    """Maximum healthy height in m (float; default 2.0)."""
    reset_noise_scale: ForEach[float | Uniform | Choice[float]]
    """Scale of the noise of positions and velocities after a reset (float from 0 to 179769313486231570000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000; default 0.01)."""
    exclude_current_positions_from_observation: ForEach[bool]
    """Whether observations omit the robot's position (bool; default True)."""
    default_camera: ForEach[Literal["free", "track"]]
    """Default camera: "free" is fixed, "track" is the model's camera of that name, if it has one ("free" or "track"; default 'free')."""
    gymnasium_v5_render_camera: ForEach[bool]
    """Whether a free camera has gymnasium's position for the robot; False: a distance by the model's extent (bool; default True)."""
    default_camera_config: ForEach[Mapping[Any, Any] | None]
    """Gymnasium's option: lookat, distance and so on of a free camera (dict or None; default None)."""

class HumanoidStandupOptions(PoolOptions, MujocoOptions, HumanoidBodyOptions, total=False):
    """Options of HumanoidStandup-v5, HumanoidStandup-v4, HumanoidStandup-v2."""

    xml_file: ForEach[str]
    """Model: a file in xml_dir, or a path that starts with ., / or ~ (str; default 'humanoidstandup.xml')."""
    xml_dir: ForEach[str | None]
    """Folder of xml_file; None: that of the installed gymnasium (None or str; default None)."""
    physics: ForEach[Literal["auto", "libmujoco", "native"]]
    """Code that computes steps: MuJoCo's library or this package (native), with equal results; auto: native if possible ("auto", "libmujoco" or "native"; default 'auto')."""
    post_constraint: ForEach[bool]
    """Whether external forces on bodies are computed after steps; False: they are 0 (bool; default True)."""
    uph_cost_weight: ForEach[float | Uniform | Choice[float]]
    """Without effect, as in gymnasium (float; default 1.0)."""
    impact_cost_weight: ForEach[float | Uniform | Choice[float]]
    """Weight of the squared external forces in the cost (float; default 5e-07)."""
    forward_reward_weight: ForEach[float | Uniform | Choice[float]]
    """Weight of the height in the reward; gymnasium has no such option (float; default 1.0)."""
    healthy_reward: ForEach[float | Uniform | Choice[float]]
    """Constant reward per step; gymnasium's is 1 (float; default 1.0)."""
    contact_cost_weight: ForEach[float | None]
    """EnvPool's name of impact_cost_weight; None: its value (None or float; default None)."""
    impact_cost_range: ForEach[Sequence[float] | None]
    """Bounds of the cost of external forces; None: contact_cost_max as the upper bound (two numbers, the first not above the second or None; default None)."""
    reset_noise_scale: ForEach[float | Uniform | Choice[float]]
    """Scale of the noise of positions and velocities after a reset (float from 0 to 179769313486231570000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000; default 0.01)."""
    exclude_current_positions_from_observation: ForEach[bool]
    """Whether observations omit the robot's position (bool; default True)."""
    default_camera: ForEach[Literal["free", "track"]]
    """Default camera: "free" is fixed, "track" is the model's camera of that name, if it has one ("free" or "track"; default 'free')."""
    gymnasium_v5_render_camera: ForEach[bool]
    """Whether a free camera has gymnasium's position for the robot; False: a distance by the model's extent (bool; default True)."""
    default_camera_config: ForEach[Mapping[Any, Any] | None]
    """Gymnasium's option: lookat, distance and so on of a free camera (dict or None; default None)."""

class InvertedDoublePendulumOptions(PoolOptions, MujocoOptions, total=False):
    """Options of InvertedDoublePendulum-v5, InvertedDoublePendulum-v4, InvertedDoublePendulum-v2."""

    xml_file: ForEach[str]
    """Model: a file in xml_dir, or a path that starts with ., / or ~ (str; default 'inverted_double_pendulum.xml')."""
    xml_dir: ForEach[str | None]
    """Folder of xml_file; None: that of the installed gymnasium (None or str; default None)."""
    physics: ForEach[Literal["auto", "libmujoco", "native"]]
    """Code that computes steps: MuJoCo's library or this package (native), with equal results; auto: native if possible ("auto", "libmujoco" or "native"; default 'auto')."""
    post_constraint: ForEach[bool]
    """Whether external forces on bodies are computed after steps; False: they are 0 (bool; default True)."""
    healthy_reward: ForEach[float | Uniform | Choice[float]]
    """Constant reward per step (float; default 10.0)."""
    healthy_z_max: ForEach[float | Uniform | Choice[float]]
    """Height of the tip in m at or below which an episode ends (float; default 1.0)."""
    reward_if_not_terminated: ForEach[bool]
    """Whether the step that ends an episode earns no healthy_reward (bool; default by task)."""
    observation_min: ForEach[float | Uniform | Choice[float]]
    """Lower bound of the velocities and forces observed (float; default -10.0)."""
    observation_max: ForEach[float | Uniform | Choice[float]]
    """Upper bound of the velocities and forces observed (float; default 10.0)."""
    constraint_obs_dim: ForEach[int]
    """Number of observed constraint forces (an integer from 0 to 3; default by task)."""
    reset_noise_scale: ForEach[float | Uniform | Choice[float]]
    """Scale of the noise of positions and velocities after a reset (float from 0 to 179769313486231570000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000; default 0.1)."""
    default_camera: ForEach[Literal["free", "track"]]
    """Default camera: "free" is fixed, "track" is the model's camera of that name, if it has one ("free" or "track"; default 'free')."""
    gymnasium_v5_render_camera: ForEach[bool]
    """Whether a free camera has gymnasium's position for the robot; False: a distance by the model's extent (bool; default True)."""
    default_camera_config: ForEach[Mapping[Any, Any] | None]
    """Gymnasium's option: lookat, distance and so on of a free camera (dict or None; default None)."""

class InvertedPendulumOptions(PoolOptions, MujocoOptions, total=False):
    """Options of InvertedPendulum-v5, InvertedPendulum-v4, InvertedPendulum-v2."""

    xml_file: ForEach[str]
    """Model: a file in xml_dir, or a path that starts with ., / or ~ (str; default 'inverted_pendulum.xml')."""
    xml_dir: ForEach[str | None]
    """Folder of xml_file; None: that of the installed gymnasium (None or str; default None)."""
    physics: ForEach[Literal["auto", "libmujoco", "native"]]
    """Code that computes steps: MuJoCo's library or this package (native), with equal results; auto: native if possible ("auto", "libmujoco" or "native"; default 'auto')."""
    post_constraint: ForEach[bool]
    """Whether external forces on bodies are computed after steps; False: they are 0 (bool; default True)."""
    healthy_reward: ForEach[float | Uniform | Choice[float]]
    """Reward of each step (float; default 1.0)."""
    healthy_z_range: ForEach[Sequence[float] | None]
    """Range of healthy angles; None: healthy_z_min to healthy_z_max (two numbers, the first not above the second or None; default None)."""
    healthy_z_min: ForEach[float | Uniform | Choice[float]]
    """Minimum healthy angle in rad (float; default -0.2)."""
    healthy_z_max: ForEach[float | Uniform | Choice[float]]
    """Maximum healthy angle in rad (float; default 0.2)."""
    reward_if_not_terminated: ForEach[bool]
    """Whether the step that ends an episode has reward 0 (bool; default by task)."""
    reset_noise_scale: ForEach[float | Uniform | Choice[float]]
    """Scale of the noise of positions and velocities after a reset (float from 0 to 179769313486231570000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000; default 0.01)."""
    default_camera: ForEach[Literal["free", "track"]]
    """Default camera: "free" is fixed, "track" is the model's camera of that name, if it has one ("free" or "track"; default 'free')."""
    gymnasium_v5_render_camera: ForEach[bool]
    """Whether a free camera has gymnasium's position for the robot; False: a distance by the model's extent (bool; default True)."""
    default_camera_config: ForEach[Mapping[Any, Any] | None]
    """Gymnasium's option: lookat, distance and so on of a free camera (dict or None; default None)."""

class PusherOptions(PoolOptions, MujocoOptions, ArmOptions, total=False):
    """Options of Pusher-v5, Pusher-v4, Pusher-v2."""

    xml_file: ForEach[str]
    """Model: a file in xml_dir, or a path that starts with ., / or ~ (str; default by task)."""
    xml_dir: ForEach[str | None]
    """Folder of xml_file; None: that of the installed gymnasium (None or str; default None)."""
    physics: ForEach[Literal["auto", "libmujoco", "native"]]
    """Code that computes steps: MuJoCo's library or this package (native), with equal results; auto: native if possible ("auto", "libmujoco" or "native"; default 'auto')."""
    post_constraint: ForEach[bool]
    """Whether external forces on bodies are computed after steps; False: they are 0 (bool; default True)."""
    reward_near_weight: ForEach[float | Uniform | Choice[float]]
    """Weight of the hand's distance to the cylinder (float; default 0.5)."""
    reward_dist_weight: ForEach[float | Uniform | Choice[float]]
    """Weight of the cylinder's distance to the goal (float; default 1.0)."""
    near_cost_weight: ForEach[float | None]
    """EnvPool's name of reward_near_weight; None: its value (None or float; default None)."""
    reward_after_step: ForEach[bool]
    """Whether the reward uses the distances after the step instead of before (bool; default by task)."""
    weighted_reward_info: ForEach[bool]
    """Whether infos report weighted distances and costs (bool; default by task)."""
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
    default_camera: ForEach[Literal["free", "track"]]
    """Default camera: "free" is fixed, "track" is the model's camera of that name, if it has one ("free" or "track"; default 'free')."""
    gymnasium_v5_render_camera: ForEach[bool]
    """Whether a free camera has gymnasium's position for the robot; False: a distance by the model's extent (bool; default True)."""
    default_camera_config: ForEach[Mapping[Any, Any] | None]
    """Gymnasium's option: lookat, distance and so on of a free camera (dict or None; default None)."""

class ReacherOptions(PoolOptions, MujocoOptions, ArmOptions, total=False):
    """Options of Reacher-v5, Reacher-v4, Reacher-v2."""

    xml_file: ForEach[str]
    """Model: a file in xml_dir, or a path that starts with ., / or ~ (str; default 'reacher.xml')."""
    xml_dir: ForEach[str | None]
    """Folder of xml_file; None: that of the installed gymnasium (None or str; default None)."""
    physics: ForEach[Literal["auto", "libmujoco", "native"]]
    """Code that computes steps: MuJoCo's library or this package (native), with equal results; auto: native if possible ("auto", "libmujoco" or "native"; default 'auto')."""
    post_constraint: ForEach[bool]
    """Whether external forces on bodies are computed after steps; False: they are 0 (bool; default True)."""
    reward_dist_weight: ForEach[float | Uniform | Choice[float]]
    """Weight of the distance to the target (float; default 1.0)."""
    reward_after_step: ForEach[bool]
    """Whether the reward uses the distance after the step instead of before (bool; default by task)."""
    obs_include_z_distance: ForEach[bool]
    """Whether the distance along z, always 0, is observed (bool; default by task)."""
    reset_qpos_scale: ForEach[float | Uniform | Choice[float]]
    """Maximum angle of the arm's joints after a reset in rad (float from 0 to 179769313486231570000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000; default 0.1)."""
    reset_goal_scale: ForEach[float | Uniform | Choice[float]]
    """Maximum distance of the target after a reset in m (float; default 0.2)."""
    default_camera: ForEach[Literal["free", "track"]]
    """Default camera: "free" is fixed, "track" is the model's camera of that name, if it has one ("free" or "track"; default 'free')."""
    gymnasium_v5_render_camera: ForEach[bool]
    """Whether a free camera has gymnasium's position for the robot; False: a distance by the model's extent (bool; default True)."""
    default_camera_config: ForEach[Mapping[Any, Any] | None]
    """Gymnasium's option: lookat, distance and so on of a free camera (dict or None; default None)."""

class Walker2dOptions(PoolOptions, MujocoOptions, WalkersOptions, LegsOptions, total=False):
    """Options of Walker2d-v5, Walker2d-v4, Walker2d-v3."""

    xml_file: ForEach[str]
    """Model: a file in xml_dir, or a path that starts with ., / or ~ (str; default by task)."""
    xml_dir: ForEach[str | None]
    """Folder of xml_file; None: that of the installed gymnasium (None or str; default None)."""
    physics: ForEach[Literal["auto", "libmujoco", "native"]]
    """Code that computes steps: MuJoCo's library or this package (native), with equal results; auto: native if possible ("auto", "libmujoco" or "native"; default 'auto')."""
    post_constraint: ForEach[bool]
    """Whether external forces on bodies are computed after steps; False: they are 0 (bool; default True)."""
    forward_reward_weight: ForEach[float | Uniform | Choice[float]]
    """Weight of the velocity along x in the reward (float; default 1.0)."""
    ctrl_cost_weight: ForEach[float | Uniform | Choice[float]]
    """Weight of the squared action in the cost (float; default 0.001)."""
    healthy_z_range: ForEach[Sequence[float] | None]
    """Range of healthy heights; None: healthy_z_min to healthy_z_max (two numbers, the first not above the second or None; default None)."""
    healthy_z_max: ForEach[float | Uniform | Choice[float]]
    """Maximum healthy height in m (float; default 2.0)."""
    reset_noise_scale: ForEach[float | Uniform | Choice[float]]
    """Scale of the noise of positions and velocities after a reset (float from 0 to 179769313486231570000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000; default 0.005)."""
    exclude_current_positions_from_observation: ForEach[bool]
    """Whether observations omit the robot's position (bool; default True)."""
    default_camera: ForEach[Literal["free", "track"]]
    """Default camera: "free" is fixed, "track" is the model's camera of that name, if it has one ("free" or "track"; default 'free')."""
    gymnasium_v5_render_camera: ForEach[bool]
    """Whether a free camera has gymnasium's position for the robot; False: a distance by the model's extent (bool; default True)."""
    default_camera_config: ForEach[Mapping[Any, Any] | None]
    """Gymnasium's option: lookat, distance and so on of a free camera (dict or None; default None)."""

class LunarLanderOptions(PoolOptions, total=False):
    """Options of LunarLander-v3, LunarLanderContinuous-v3, LunarLander-v2 and 1 more."""

    continuous: ForEach[bool]
    """Continuous throttles instead of engines that are on or off (bool; default by task)."""
    gravity: ForEach[float | Uniform | Choice[float]]
    """Vertical acceleration in m/s², between -12 and 0, both excluded (float; default -10.0)."""
    enable_wind: ForEach[bool | Choice[bool]]
    """Apply wind and turbulence while no leg touches the ground (bool; default False)."""
    wind_power: ForEach[float | Uniform | Choice[float]]
    """Maximum wind force in N; gymnasium recommends 0 to 20 (float; default 15.0)."""
    turbulence_power: ForEach[float | Uniform | Choice[float]]
    """Maximum turbulence torque in N m; gymnasium recommends 0 to 2 (float; default 1.5)."""

class BipedalWalkerOptions(PoolOptions, total=False):
    """Options of BipedalWalker-v3, BipedalWalkerHardcore-v3."""

    hardcore: ForEach[bool | Choice[bool]]
    """Terrain with stumps, stairs and pits (bool; default by task)."""

class CarRacingOptions(PoolOptions, total=False):
    """Options of CarRacing-v3, CarRacing-v2."""

    verbose: ForEach[bool]
    """Accepted for compatibility with gymnasium; has no effect (bool; default False)."""
    lap_complete_percent: ForEach[float | Uniform | Choice[float]]
    """Share of the tiles to visit before a lap counts (float; default 0.95)."""
    domain_randomize: ForEach[bool | Choice[bool]]
    """Random colours of road and background in each episode (bool; default False)."""
    continuous: ForEach[bool]
    """Continuous steering, gas and brake instead of five discrete actions (bool; default True)."""

class DmControlOptions(PoolOptions, MujocoOptions, SuiteOptions, total=False):
    """Options of AcrobotSwingup-v1, dm_control/acrobot-swingup, AcrobotSwingupSparse-v1 and 71 more."""

    physics: ForEach[Literal["auto", "libmujoco", "native"]]
    """Code that computes steps: MuJoCo's library or this package (native), with equal results; auto: native if possible ("auto", "libmujoco" or "native"; default 'auto')."""

class CartpoleBalanceOptions(PoolOptions, MujocoOptions, SuiteOptions, total=False):
    """Options of CartpoleBalance-v1, dm_control/cartpole-balance, CartpoleBalanceSparse-v1 and 9 more."""

    physics: ForEach[Literal["auto", "libmujoco", "native"]]
    """Code that computes steps: MuJoCo's library or this package (native), with equal results; auto: native if possible ("auto", "libmujoco" or "native"; default 'auto')."""
    num_poles: ForEach[int | None]
    """Number of poles, one on top of the other; None: the task's (an integer from 1 to 64 or None; default None)."""
    sparse: ForEach[bool | None]
    """Whether only upright poles in the middle are rewarded; None: the task's (None or bool; default None)."""

class ManipulatorBringBallOptions(PoolOptions, MujocoOptions, SuiteOptions, total=False):
    """Options of ManipulatorBringBall-v1, dm_control/manipulator-bring_ball, ManipulatorBringPeg-v1 and 9 more."""

    physics: ForEach[Literal["auto", "libmujoco", "native"]]
    """Code that computes steps: MuJoCo's library or this package (native), with equal results; auto: native if possible ("auto", "libmujoco" or "native"; default 'auto')."""
    fully_observable: ForEach[bool]
    """Whether the object, the target and the hand are observed (bool; default True)."""

class SwimmerSwimmer6Options(PoolOptions, MujocoOptions, SuiteOptions, total=False):
    """Options of SwimmerSwimmer6-v1, dm_control/swimmer-swimmer6, SwimmerSwimmer15-v1 and 1 more."""

    physics: ForEach[Literal["auto", "libmujoco", "native"]]
    """Code that computes steps: MuJoCo's library or this package (native), with equal results; auto: native if possible ("auto", "libmujoco" or "native"; default 'auto')."""
    n_links: ForEach[int | None]
    """Number of links of the chain; None: the task's (an integer from 3 to 256 or None; default None)."""

class PointMazeOptions(PoolOptions, MujocoOptions, MazeOptions, total=False):
    """Options of PointMaze_UMaze-v3, PointMaze_UMazeDense-v3, PointMaze_Open-v3 and 17 more."""

    physics: ForEach[Literal["auto", "libmujoco", "native"]]
    """Code that computes steps: MuJoCo's library or this package (native), with equal results; auto: native if possible ("auto", "libmujoco" or "native"; default 'auto')."""
    reset_target: ForEach[bool]
    """Whether a continuing task draws another goal after one is reached (bool; default False)."""
    default_camera: ForEach[Literal["free", "track"]]
    """Default camera: "free" is fixed, "track" is the model's camera of that name, if it has one ("free" or "track"; default 'free')."""
    gymnasium_v5_render_camera: ForEach[bool]
    """Whether a free camera has gymnasium's position for the robot; False: a distance by the model's extent (bool; default True)."""
    default_camera_config: ForEach[Mapping[Any, Any] | None]
    """Gymnasium's option: lookat, distance and so on of a free camera (dict or None; default None)."""

class AntMazeOptions(PoolOptions, MujocoOptions, AntBodyOptions, WalkersOptions, MazeOptions, total=False):
    """Options of AntMaze_UMaze-v5, AntMaze_UMazeDense-v5, AntMaze_Open-v5 and 17 more."""

    physics: ForEach[Literal["auto", "libmujoco", "native"]]
    """Code that computes steps: MuJoCo's library or this package (native), with equal results; auto: native if possible ("auto", "libmujoco" or "native"; default 'auto')."""
    reset_target: ForEach[bool]
    """Whether a continuing task draws another goal after one is reached (bool; default False)."""
    xml_dir: ForEach[str | None]
    """Folder of the agent's model; None: that of the installed gymnasium (None or str; default None)."""
    forward_reward_weight: ForEach[float | Uniform | Choice[float]]
    """Weight of the velocity along x in the reward (float; default 1.0)."""
    ctrl_cost_weight: ForEach[float | Uniform | Choice[float]]
    """Weight of the squared action in the cost (float; default 0.5)."""
    contact_cost_weight: ForEach[float | Uniform | Choice[float]]
    """Weight of the squared external forces in the cost (float; default 0.0005)."""
    healthy_z_range: ForEach[Sequence[float] | None]
    """Range of healthy heights; None: healthy_z_min to healthy_z_max (two numbers, the first not above the second or None; default None)."""
    healthy_z_max: ForEach[float | Uniform | Choice[float]]
    """Maximum healthy height in m (float; default 1.0)."""
    include_cfrc_ext_in_observation: ForEach[bool]
    """Whether external forces are observed (and, in version 4, have a cost) (bool; default True)."""
    default_camera: ForEach[Literal["free", "track"]]
    """Default camera: "free" is fixed, "track" is the model's camera of that name, if it has one ("free" or "track"; default 'free')."""
    gymnasium_v5_render_camera: ForEach[bool]
    """Whether a free camera has gymnasium's position for the robot; False: a distance by the model's extent (bool; default True)."""
    default_camera_config: ForEach[Mapping[Any, Any] | None]
    """Gymnasium's option: lookat, distance and so on of a free camera (dict or None; default None)."""

class AntMazeV4Options(PoolOptions, MujocoOptions, AntBodyOptions, WalkersOptions, MazeOptions, total=False):
    """Options of AntMaze_UMaze-v4, AntMaze_UMazeDense-v4, AntMaze_Open-v4 and 17 more."""

    physics: ForEach[Literal["auto", "libmujoco", "native"]]
    """Code that computes steps: MuJoCo's library or this package (native), with equal results; auto: native if possible ("auto", "libmujoco" or "native"; default 'auto')."""
    reset_target: ForEach[bool]
    """Whether a continuing task draws another goal after one is reached (bool; default False)."""
    xml_dir: ForEach[str | None]
    """Folder of the agent's model; None: that of the installed gymnasium (None or str; default None)."""
    forward_reward_weight: ForEach[float | Uniform | Choice[float]]
    """Weight of the velocity along x in the reward (float; default 1.0)."""
    ctrl_cost_weight: ForEach[float | Uniform | Choice[float]]
    """Weight of the squared action in the cost (float; default 0.5)."""
    contact_cost_weight: ForEach[float | Uniform | Choice[float]]
    """Weight of the squared external forces in the cost (float; default 0.0005)."""
    healthy_z_range: ForEach[Sequence[float] | None]
    """Range of healthy heights; None: healthy_z_min to healthy_z_max (two numbers, the first not above the second or None; default None)."""
    healthy_z_max: ForEach[float | Uniform | Choice[float]]
    """Maximum healthy height in m (float; default 1.0)."""
    use_contact_forces: ForEach[bool]
    """Whether external forces are observed (and, in version 4, have a cost) (bool; default False)."""
    default_camera: ForEach[Literal["free", "track"]]
    """Default camera: "free" is fixed, "track" is the model's camera of that name, if it has one ("free" or "track"; default 'free')."""
    gymnasium_v5_render_camera: ForEach[bool]
    """Whether a free camera has gymnasium's position for the robot; False: a distance by the model's extent (bool; default True)."""
    default_camera_config: ForEach[Mapping[Any, Any] | None]
    """Gymnasium's option: lookat, distance and so on of a free camera (dict or None; default None)."""

class AntMazeV3Options(PoolOptions, MujocoOptions, AntBodyOptions, WalkersOptions, MazeOptions, total=False):
    """Options of AntMaze_UMaze-v3, AntMaze_UMazeDense-v3, AntMaze_Open-v3 and 17 more."""

    physics: ForEach[Literal["auto", "libmujoco", "native"]]
    """Code that computes steps: MuJoCo's library or this package (native), with equal results; auto: native if possible ("auto", "libmujoco" or "native"; default 'auto')."""
    xml_dir: ForEach[str | None]
    """Folder of the agent's model; None: that of the installed gymnasium (None or str; default None)."""
    forward_reward_weight: ForEach[float | Uniform | Choice[float]]
    """Weight of the velocity along x in the reward (float; default 1.0)."""
    ctrl_cost_weight: ForEach[float | Uniform | Choice[float]]
    """Weight of the squared action in the cost (float; default 0.5)."""
    contact_cost_weight: ForEach[float | Uniform | Choice[float]]
    """Weight of the squared external forces in the cost (float; default 0.0005)."""
    healthy_z_range: ForEach[Sequence[float] | None]
    """Range of healthy heights; None: healthy_z_min to healthy_z_max (two numbers, the first not above the second or None; default None)."""
    healthy_z_max: ForEach[float | Uniform | Choice[float]]
    """Maximum healthy height in m (float; default 1.0)."""
    use_contact_forces: ForEach[bool]
    """Whether external forces are observed (and, in version 4, have a cost) (bool; default False)."""
    default_camera: ForEach[Literal["free", "track"]]
    """Default camera: "free" is fixed, "track" is the model's camera of that name, if it has one ("free" or "track"; default 'free')."""
    gymnasium_v5_render_camera: ForEach[bool]
    """Whether a free camera has gymnasium's position for the robot; False: a distance by the model's extent (bool; default True)."""
    default_camera_config: ForEach[Mapping[Any, Any] | None]
    """Gymnasium's option: lookat, distance and so on of a free camera (dict or None; default None)."""

class MetaWorldOptions(PoolOptions, MujocoOptions, total=False):
    """Options of MetaWorld/Assembly-v3, MetaWorld/Basketball-v3, MetaWorld/BinPicking-v3 and 47 more."""

    metaworld_dir: ForEach[str | None]
    """Folder of the models; None: that of the installed metaworld (None or str; default None)."""
    physics: ForEach[Literal["auto", "libmujoco", "native"]]
    """Code that computes steps: MuJoCo's library or this package (native), with equal results; auto: native if possible ("auto", "libmujoco" or "native"; default 'auto')."""
    partially_observable: ForEach[bool]
    """Whether observations have zeros instead of the goal (bool; default True)."""
    terminate_on_success: ForEach[bool]
    """Whether episodes end when the task is solved (bool; default False)."""
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
    horizon: ForEach[int]
    """Number of steps of an episode without max_episode_steps; recurrent observations show this end (an integer from 1 to 2147483647; default 500)."""
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
    default_camera: ForEach[Literal["free", "track"]]
    """Default camera: "free" is fixed, "track" is the model's camera of that name, if it has one ("free" or "track"; default 'free')."""
    gymnasium_v5_render_camera: ForEach[bool]
    """Whether a free camera has gymnasium's position for the robot; False: a distance by the model's extent (bool; default True)."""
    default_camera_config: ForEach[Mapping[Any, Any] | None]
    """Gymnasium's option: lookat, distance and so on of a free camera (dict or None; default None)."""

class FetchOptions(PoolOptions, MujocoOptions, total=False):
    """Options of FetchReach-v4, FetchReach-v1, FetchReachDense-v4 and 13 more."""

    xml_file: ForEach[str]
    """Model: a file in robotics_dir, or a path (str; default by task)."""
    robotics_dir: ForEach[str | None]
    """Folder of xml_file; None: that of the installed gymnasium-robotics (None or str; default None)."""
    physics: ForEach[Literal["auto", "libmujoco", "native"]]
    """Code that computes steps: MuJoCo's library or this package (native), with equal results; auto: native if possible ("auto", "libmujoco" or "native"; default 'auto')."""
    has_object: ForEach[bool]
    """Whether goals are goals of the object in the model, not of the gripper (bool; default by task)."""
    block_gripper: ForEach[bool]
    """Whether the gripper's fingers stay closed (bool; default by task)."""
    gripper_extra_height: ForEach[float]
    """Height of the gripper's start above its height at the table in m (float from -100 to 100; default by task)."""
    reward_type: ForEach[Literal["sparse", "dense"]]
    """Sparse: -1 until the goal is reached, then 0; dense: the negative distance in m ("sparse" or "dense"; default by task)."""
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
    """Distance in m at which a goal is reached (float from 0 to 1000000; default 0.05)."""
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
    default_camera: ForEach[Literal["free", "track"]]
    """Default camera: "free" is fixed, "track" is the model's camera of that name, if it has one ("free" or "track"; default 'free')."""
    gymnasium_v5_render_camera: ForEach[bool]
    """Whether a free camera has gymnasium's position for the robot; False: a distance by the model's extent (bool; default True)."""
    default_camera_config: ForEach[Mapping[Any, Any] | None]
    """Gymnasium's option: lookat, distance and so on of a free camera (dict or None; default None)."""

class AdroitHandDoorSparseOptions(PoolOptions, MujocoOptions, total=False):
    """Options of AdroitHandDoorSparse-v1, AdroitHandDoor-v1, AdroitHandHammerSparse-v1 and 5 more."""

    xml_file: ForEach[str]
    """Model: a file in robotics_dir, or a path (str; default by task)."""
    robotics_dir: ForEach[str | None]
    """Folder of xml_file; None: that of the installed gymnasium-robotics (None or str; default None)."""
    reward_type: ForEach[Literal["sparse", "dense"]]
    """Sparse: 10 where the task is solved, otherwise -0.1; dense: by distances ("sparse" or "dense"; default by task)."""
    default_camera: ForEach[Literal["free", "track"]]
    """Default camera: "free" is fixed, "track" is the model's camera of that name, if it has one ("free" or "track"; default 'free')."""
    gymnasium_v5_render_camera: ForEach[bool]
    """Whether a free camera has gymnasium's position for the robot; False: a distance by the model's extent (bool; default True)."""
    default_camera_config: ForEach[Mapping[Any, Any] | None]
    """Gymnasium's option: lookat, distance and so on of a free camera (dict or None; default None)."""

class HandReachOptions(PoolOptions, MujocoOptions, total=False):
    """Options of HandReach-v3, HandReach-v0, HandReachDense-v3 and 1 more."""

    xml_file: ForEach[str]
    """Model: a file in robotics_dir, or a path (str; default 'hand/reach.xml')."""
    robotics_dir: ForEach[str | None]
    """Folder of xml_file; None: that of the installed gymnasium-robotics (None or str; default None)."""
    physics: ForEach[Literal["auto", "libmujoco", "native"]]
    """Code that computes steps: MuJoCo's library or this package (native), with equal results; auto: native if possible ("auto", "libmujoco" or "native"; default 'auto')."""
    reward_type: ForEach[Literal["sparse", "dense"]]
    """Sparse: -1 until the goal is reached, then 0; dense: by distances ("sparse" or "dense"; default by task)."""
    relative_control: ForEach[bool]
    """Whether actions are relative to the positions of the joints, not to the control ranges (bool; default False)."""
    distance_threshold: ForEach[float]
    """Distance in m at which a goal is reached (float from 0 to 1000000; default 0.01)."""
    initial_qpos: ForEach[Mapping[Any, float | Sequence[float]] | None]
    """Positions in radians before the first episode, by joint; None: Gymnasium-Robotics' start (None or dict of numbers; default None)."""
    default_camera: ForEach[Literal["free", "track"]]
    """Default camera: "free" is fixed, "track" is the model's camera of that name, if it has one ("free" or "track"; default 'free')."""
    gymnasium_v5_render_camera: ForEach[bool]
    """Whether a free camera has gymnasium's position for the robot; False: a distance by the model's extent (bool; default True)."""
    default_camera_config: ForEach[Mapping[Any, Any] | None]
    """Gymnasium's option: lookat, distance and so on of a free camera (dict or None; default None)."""

class HandManipulateOptions(PoolOptions, MujocoOptions, HandObjectOptions, total=False):
    """Options of HandManipulateBlockRotateZ-v1, HandManipulateBlockRotateZ-v0, HandManipulateBlockRotateZDense-v1 and 41 more."""

    xml_file: ForEach[str]
    """Model: a file in robotics_dir, or a path (str; default by task)."""
    robotics_dir: ForEach[str | None]
    """Folder of xml_file; None: that of the installed gymnasium-robotics (None or str; default None)."""
    physics: ForEach[Literal["auto", "libmujoco", "native"]]
    """Code that computes steps: MuJoCo's library or this package (native), with equal results; auto: native if possible ("auto", "libmujoco" or "native"; default 'auto')."""
    reward_type: ForEach[Literal["sparse", "dense"]]
    """Sparse: -1 until the goal is reached, then 0; dense: by distances ("sparse" or "dense"; default by task)."""
    relative_control: ForEach[bool]
    """Whether actions are relative to the positions of the joints, not to the control ranges (bool; default False)."""
    distance_threshold: ForEach[float]
    """Distance in m at which a goal is reached (float from 0 to 1000000; default by task)."""
    default_camera: ForEach[Literal["free", "track"]]
    """Default camera: "free" is fixed, "track" is the model's camera of that name, if it has one ("free" or "track"; default 'free')."""
    gymnasium_v5_render_camera: ForEach[bool]
    """Whether a free camera has gymnasium's position for the robot; False: a distance by the model's extent (bool; default True)."""
    default_camera_config: ForEach[Mapping[Any, Any] | None]
    """Gymnasium's option: lookat, distance and so on of a free camera (dict or None; default None)."""

class HandTouchOptions(PoolOptions, MujocoOptions, HandObjectOptions, total=False):
    """Options of HandManipulateBlockRotateZ_BooleanTouchSensors-v1, HandManipulateBlockRotateZ_BooleanTouchSensors-v0, HandManipulateBlockRotateZ_BooleanTouchSensorsDense-v1 and 61 more."""

    xml_file: ForEach[str]
    """Model: a file in robotics_dir, or a path (str; default by task)."""
    robotics_dir: ForEach[str | None]
    """Folder of xml_file; None: that of the installed gymnasium-robotics (None or str; default None)."""
    physics: ForEach[Literal["auto", "libmujoco", "native"]]
    """Code that computes steps: MuJoCo's library or this package (native), with equal results; auto: native if possible ("auto", "libmujoco" or "native"; default 'auto')."""
    reward_type: ForEach[Literal["sparse", "dense"]]
    """Sparse: -1 until the goal is reached, then 0; dense: by distances ("sparse" or "dense"; default by task)."""
    relative_control: ForEach[bool]
    """Whether actions are relative to the positions of the joints, not to the control ranges (bool; default False)."""
    distance_threshold: ForEach[float]
    """Distance in m at which a goal is reached (float from 0 to 1000000; default by task)."""
    touch_visualisation: ForEach[Literal["on_touch", "off", "always"]]
    """When pictures show the touch sensors ("on_touch", "off" or "always"; default 'on_touch')."""
    touch_get_obs: ForEach[Literal["sensordata", "boolean", "log", "off"]]
    """What observations show of forces; log: log(force + 1); off: nothing ("sensordata", "boolean", "log" or "off"; default by task)."""
    default_camera: ForEach[Literal["free", "track"]]
    """Default camera: "free" is fixed, "track" is the model's camera of that name, if it has one ("free" or "track"; default 'free')."""
    gymnasium_v5_render_camera: ForEach[bool]
    """Whether a free camera has gymnasium's position for the robot; False: a distance by the model's extent (bool; default True)."""
    default_camera_config: ForEach[Mapping[Any, Any] | None]
    """Gymnasium's option: lookat, distance and so on of a free camera (dict or None; default None)."""

class FrankaKitchenOptions(PoolOptions, MujocoOptions, total=False):
    """Options of FrankaKitchen-v1."""

    xml_file: ForEach[str]
    """Model: a file in robotics_dir, or a path (str; default 'kitchen_franka/kitchen_assets/kitchen_env_model.xml')."""
    robotics_dir: ForEach[str | None]
    """Folder of xml_file; None: that of the installed gymnasium-robotics (None or str; default None)."""
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
    default_camera: ForEach[Literal["free", "track"]]
    """Default camera: "free" is fixed, "track" is the model's camera of that name, if it has one ("free" or "track"; default 'free')."""
    gymnasium_v5_render_camera: ForEach[bool]
    """Whether a free camera has gymnasium's position for the robot; False: a distance by the model's extent (bool; default True)."""
    default_camera_config: ForEach[Mapping[Any, Any] | None]
    """Gymnasium's option: lookat, distance and so on of a free camera (dict or None; default None)."""

class EnvPoolVizdoomOptions(PoolOptions, DoomOptions, total=False):
    """Options of D1Basic-v1, D2Navigation-v1, D3Battle-v1 and 18 more."""

    scenario: ForEach[Literal["D1_basic", "D2_navigation", "D3_battle", "D4_battle2", "basic", "basic_audio", "basic_notifications", "cig", "deadly_corridor", "deathmatch", "defend_the_center", "defend_the_line", "health_gathering", "health_gathering_supreme", "multi_duel", "my_way_home", "predict_position", "rocket_basic", "simpler_basic", "take_cover", ""]]
    """The scenario ("D1_basic", "D2_navigation", "D3_battle", "D4_battle2", "basic", "basic_audio", "basic_notifications", "cig", "deadly_corridor", "deathmatch", "defend_the_center", "defend_the_line", "health_gathering", "health_gathering_supreme", "multi_duel", "my_way_home", "predict_position", "rocket_basic", "simpler_basic", "take_cover" or ""; default by task)."""
    img_height: ForEach[int]
    """Rows of a frame (an integer from 1 to 4096; default 84)."""
    img_width: ForEach[int]
    """Columns of a frame (an integer from 1 to 4096; default 84)."""
    stack_num: ForEach[int]
    """Frames in an observation (an integer from 1 to 1000; default 4)."""
    use_inter_area_resize: ForEach[bool]
    """OpenCV's INTER_AREA, or else INTER_LINEAR (bool; default True)."""
    episodic_life: ForEach[bool]
    """A death ends the episode even if the game continues (bool; default False)."""
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
    game_args: ForEach[str]
    """Additional arguments of the engine (str; default '')."""
    map_id: ForEach[str]
    """The map (str; default 'map01')."""
    assets_dir: ForEach[str | None]
    """Folder of EnvPool's assets; default: the installed ones (None or str; default None)."""
    stack_once: ForEach[bool]
    """Whether an observation is the newest frame of the stack only, and infos have stack_age: for FrameMemory (bool; default False)."""

class VizdoomOptions(PoolOptions, DoomOptions, total=False):
    """Options of VizdoomBasic-v1, VizdoomBasic-MultiBinary-v1, VizdoomBasicAudio-v1 and 701 more."""

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
    game_args: ForEach[str | None]
    """Additional arguments of the engine (None or str; default None)."""
    mode: ForEach[str | None]
    """ViZDoom's mode; only PLAYER is supported (None or str; default None)."""
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

class CrafterRewardOptions(PoolOptions, total=False):
    """Options of CrafterReward-v1, CrafterNoReward-v1."""

    area: ForEach[int | Sequence[int]]
    """Columns and rows of the world, or one number for both (an integer from 1 to 256, or two of them; default 64)."""
    view: ForEach[int | Sequence[int]]
    """Columns and rows of the picture's cells, of which the lowest rows show the items (an integer from 1 to 512, or two of them; default 9)."""
    size: ForEach[int | Sequence[int]]
    """Width and height of the picture in pixels, or one number for both (an integer from 1 to 1024, or two of them; default 64)."""
    reward: ForEach[bool | Choice[bool]]
    """Whether steps are rewarded; the info `reward` is the same without (bool; default by task)."""
    length: ForEach[int | None]
    """Steps after which an episode is truncated; 0 and None: never (an integer from 0 to 2147483647 or None; default 10000)."""
    crafter_dir: ForEach[str | None]
    """Folder of the Python package crafter; default: the installed one (None or str; default None)."""

class EnvPoolProcgenOptions(PoolOptions, ProcgenGameOptions, total=False):
    """Options of BigfishEasy-v0, BigfishHard-v0, BossfightEasy-v0 and 47 more."""

    channel_first: ForEach[bool]
    """Whether pictures are three planes instead of (64, 64, 3) (bool; default True)."""
    use_easy_jump: ForEach[bool]
    """An option of a game that EnvPool does not have; no effect (bool; default False)."""
    distribution_mode: ForEach[int]
    """0: easy, 1: hard, 2: extreme, 10: memory, 20: exploration (an integer from 0 to 20; default by task)."""

class ProcgenOptions(PoolOptions, ProcgenGameOptions, total=False):
    """Options of procgen-bigfish-v0, procgen-bossfight-v0, procgen-caveflyer-v0 and 13 more."""

    distribution_mode: ForEach[Literal["easy", "hard", "extreme", "memory", "exploration"]]
    """Distribution of levels; not every game has all ("easy", "hard", "extreme", "memory" or "exploration"; default 'hard')."""

class AnyOptions(PoolOptions, ConsoleOptions, ParticlesOptions, WalkersOptions, LegsOptions, SuiteOptions, MazeOptions, HandObjectOptions, total=False):
    """Options of all tasks, for names that only the running program knows."""

    N: ForEach[int]
    action_kinds: ForEach[list[str] | tuple[str, ...] | Choice[list[str] | tuple[str, ...]]]
    action_prob: ForEach[float | Uniform | Choice[float | None] | None]
    agent_pos: ForEach[Sequence[int] | Choice[Sequence[int] | None] | None]
    agent_pov: ForEach[bool]
    agent_room: ForEach[Sequence[int] | Choice[Sequence[int]]]
    agent_start_dir: ForEach[int | Integers | Choice[int]]
    agent_start_pos: ForEach[Sequence[int] | Choice[Sequence[int] | None] | None]
    agent_view_size: ForEach[int]
    area: ForEach[int | Sequence[int]]
    armor_reward: ForEach[float | None]
    assets_dir: ForEach[str | None]
    audio_buffer_enabled: ForEach[bool | None]
    audio_buffer_size: ForEach[int | None]
    audio_sampling_rate: ForEach[str | None]
    automap_buffer_enabled: ForEach[bool | None]
    automap_mode: ForEach[str | None]
    automap_render_objects_as_sprites: ForEach[bool | None]
    automap_render_textures: ForEach[bool | None]
    automap_rotate: ForEach[bool | None]
    available_buttons: ForEach[list[str] | tuple[str, ...] | None]
    available_game_variables: ForEach[list[str] | tuple[str, ...] | None]
    block_gripper: ForEach[bool]
    blocked: ForEach[bool | Choice[bool]]
    camera_azimuth: ForEach[float | None]
    camera_distance: ForEach[float | None]
    camera_elevation: ForEach[float | None]
    camera_id: ForEach[int | None]
    camera_lookat: ForEach[Sequence[float] | None]
    camera_name: ForEach[str | None]
    camera_orthographic: ForEach[bool | None]
    center_agent: ForEach[bool]
    cfg_path: ForEach[str]
    channel_first: ForEach[bool]
    columns: ForEach[int]
    console_enabled: ForEach[bool | None]
    constraint_obs_dim: ForEach[int]
    contact_cost_max: ForEach[float | Uniform | Choice[float]]
    contact_cost_range: ForEach[Sequence[float] | None]
    contact_cost_weight: ForEach[float | Uniform | Choice[float]] | ForEach[float | None]
    contact_force_max: ForEach[float | Uniform | Choice[float]]
    contact_force_min: ForEach[float | Uniform | Choice[float]]
    contact_force_range: ForEach[Sequence[float] | None]
    continuous: ForEach[bool]
    continuous_action_threshold: ForEach[float | Uniform | Choice[float]]
    crafter_dir: ForEach[str | None]
    ctrl_cost_weight: ForEach[float | Uniform | Choice[float]] | ForEach[float | None]
    curriculum: ForEach[bool | Choice[bool]]
    cylinder_dist_min: ForEach[float | Uniform | Choice[float]]
    cylinder_x_max: ForEach[float | Uniform | Choice[float]]
    cylinder_x_min: ForEach[float | Uniform | Choice[float]]
    cylinder_y_max: ForEach[float | Uniform | Choice[float]]
    cylinder_y_min: ForEach[float | Uniform | Choice[float]]
    damage_made_reward: ForEach[float | None]
    damage_taken_penalty: ForEach[float | None]
    damage_taken_reward: ForEach[float | None]
    death_cost: ForEach[float | Uniform | Choice[float]]
    death_penalty: ForEach[float | None]
    death_reward: ForEach[float | None]
    debug: ForEach[bool | Choice[bool]]
    default_camera: ForEach[Literal["free", "track"]]
    default_camera_config: ForEach[Mapping[Any, Any] | None]
    delta_button_config: ForEach[Mapping[Any, float | Sequence[float]]]
    depth_buffer_enabled: ForEach[bool | None]
    desc: ForEach[list[str] | tuple[str, ...] | Choice[list[str] | tuple[str, ...] | None] | None]
    difficulty: ForEach[int | None]
    dist_cost_weight: ForEach[float | None]
    distance_threshold: ForEach[float]
    distractors: ForEach[bool | Choice[bool]]
    distribution_mode: ForEach[int] | ForEach[Literal["easy", "hard", "extreme", "memory", "exploration"]]
    domain_randomize: ForEach[bool | Choice[bool]]
    doom_config_path: ForEach[str | None]
    doom_game_path: ForEach[str | None]
    doom_map: ForEach[str | None]
    doom_scenario_path: ForEach[str | None]
    doom_skill: ForEach[int | None]
    doors_open: ForEach[bool | Choice[bool]]
    enable_wind: ForEach[bool | Choice[bool]]
    engine_timeout: ForEach[float]
    ensure_connected: ForEach[bool | Choice[bool]]
    env_id: ForEach[int]
    env_name: ForEach[Literal["empty", "doorkey", "goto_door", "locked_room", "red_blue_door", "crossing", "distshift", "lava_gap", "dynamic_obstacles", "fetch", "four_rooms", "goto_object", "put_near", "key_corridor", "babyai_key_corridor", "memory", "multi_room", "obstructed_maze_1dlhb", "obstructed_maze_full", "obstructed_maze_full_v1", "playground", "unlock", "unlock_pickup", "blocked_unlock_pickup", "babyai_goto_door", "babyai_goto_obj_door", "babyai_goto_red_ball_no_dists", "babyai_open_red_door", "babyai_pickup_above", "babyai_key_in_box", "babyai_blocked_unlock_pickup", "babyai_unlock_to_unlock", "babyai_action_obj_door", "wfc", "babyai_goto_red_ball_grey", "babyai_goto_red_ball", "babyai_goto_local", "babyai_goto_red_blue_ball", "babyai_goto_obj", "babyai_find_obj", "babyai_one_room", "babyai_goto", "babyai_goto_imp_unlock", "babyai_open", "babyai_pickup", "babyai_unblock_pickup", "babyai_unlock", "babyai_open_door", "babyai_open_two_doors", "babyai_open_doors_order", "babyai_pickup_dist", "babyai_put_next_local", "babyai_put_next", "babyai_move_two_across", "babyai_unlock_local", "babyai_unlock_pickup", "babyai_goto_seq", "babyai_synth", "babyai_synth_loc", "babyai_synth_seq", "babyai_pickup_loc", "babyai_mini_boss_level", "babyai_boss_level", "babyai_boss_level_no_unlock"]] | ForEach[Literal["bigfish", "bossfight", "caveflyer", "chaser", "climber", "coinrun", "dodgeball", "fruitbot", "heist", "jumper", "leaper", "maze", "miner", "ninja", "plunder", "starpilot"]]
    episode_start_time: ForEach[int | None]
    episode_timeout: ForEach[int | None]
    episodic_life: ForEach[bool | Choice[bool]] | ForEach[bool]
    exclude_current_positions_from_observation: ForEach[bool]
    exclude_root_actuator_forces: ForEach[bool]
    exclude_worldbody_contact_forces: ForEach[bool]
    exclude_worldbody_observations: ForEach[bool]
    fast_palette_copy: ForEach[bool]
    fickle_passenger: ForEach[bool | Choice[bool]]
    fickle_probability: ForEach[float | Uniform | Choice[float]]
    first_color: ForEach[Literal["red", "green", "blue", "purple", "yellow", "grey"] | Choice[Literal["red", "green", "blue", "purple", "yellow", "grey"] | None] | None]
    first_env: ForEach[int]
    force_speed: ForEach[bool]
    forward_reward_weight: ForEach[float | Uniform | Choice[float]]
    frag_reward: ForEach[float | None]
    frame_skip: ForEach[int | Integers | Choice[int]] | ForEach[int]
    frame_stack: ForEach[int]
    frameskip: ForEach[int | Sequence[int] | Integers | Choice[int | Sequence[int]]]
    from_pixels: ForEach[bool]
    fully_observable: ForEach[bool]
    g: ForEach[float | Uniform | Choice[float]]
    game: ForEach[str]
    game_args: ForEach[str] | ForEach[str | None]
    goal_pos: ForEach[Sequence[int] | Choice[Sequence[int] | None] | None]
    goal_seed_offset: ForEach[int]
    goal_slice: ForEach[Sequence[int] | None]
    goal_space: ForEach[Literal["task", "all"]]
    goal_velocity: ForEach[float | Uniform | Choice[float]]
    goals_after: ForEach[Sequence[int] | None]
    gravity: ForEach[float | Uniform | Choice[float]]
    gray_scale: ForEach[bool]
    grayscale_newaxis: ForEach[bool]
    grayscale_obs: ForEach[bool]
    gripper_extra_height: ForEach[float]
    gymnasium_v5_render_camera: ForEach[bool]
    hardcore: ForEach[bool | Choice[bool]]
    has_object: ForEach[bool]
    health_reward: ForEach[float | None]
    healthy_state_max: ForEach[float | Uniform | Choice[float]]
    healthy_state_min: ForEach[float | Uniform | Choice[float]]
    healthy_state_range: ForEach[Sequence[float] | None]
    healthy_z_max: ForEach[float | Uniform | Choice[float]]
    healthy_z_range: ForEach[Sequence[float] | None]
    height: ForEach[int | None] | ForEach[int | Integers | Choice[int]]
    highlight: ForEach[bool | Choice[bool]]
    hit_reward: ForEach[float | None]
    hit_taken_penalty: ForEach[float | None]
    hit_taken_reward: ForEach[float | None]
    horizon: ForEach[int]
    image_only: ForEach[bool]
    img_height: ForEach[int]
    img_width: ForEach[int]
    impact_cost_range: ForEach[Sequence[float] | None]
    impact_cost_weight: ForEach[float | Uniform | Choice[float]]
    implicit_unlock: ForEach[bool | Choice[bool]]
    include_cfrc_ext_in_observation: ForEach[bool]
    include_cinert_in_observation: ForEach[bool]
    include_cvel_in_observation: ForEach[bool]
    include_qfrc_actuator_in_observation: ForEach[bool]
    initial_object_x: ForEach[float]
    initial_object_y: ForEach[float]
    initial_object_z: ForEach[float]
    initial_qpos: ForEach[Mapping[Any, float | Sequence[float]] | None]
    initial_slide0: ForEach[float]
    initial_slide1: ForEach[float]
    initial_slide2: ForEach[float]
    instr_kinds: ForEach[list[str] | tuple[str, ...] | Choice[list[str] | tuple[str, ...]]]
    is_rainy: ForEach[bool | Choice[bool]]
    is_slippery: ForEach[bool | Choice[bool]]
    item_reward: ForEach[float | None]
    iwad_path: ForEach[str]
    key_in_box: ForEach[bool | Choice[bool]]
    kill_reward: ForEach[float | None]
    labels_buffer_enabled: ForEach[bool | None]
    lap_complete_percent: ForEach[float | Uniform | Choice[float]]
    large: ForEach[float | Uniform | Choice[float]]
    length: ForEach[int | None]
    living_reward: ForEach[float | None]
    lmp_save_dir: ForEach[str]
    local_ratio: ForEach[float | Uniform | Choice[float]]
    locations: ForEach[bool | Choice[bool]]
    locked_room_prob: ForEach[float | Uniform | Choice[float]]
    main_body: ForEach[int | str]
    map_exit_reward: ForEach[float | None]
    map_id: ForEach[str]
    map_name: ForEach[str | None]
    maxNumRooms: ForEach[int | Integers | Choice[int]]
    maxRoomSize: ForEach[int | Integers | Choice[int]]
    max_buttons_pressed: ForEach[int]
    max_geom: ForEach[int]
    max_num_frames_per_episode: ForEach[int | None]
    max_num_rooms: ForEach[int | Integers | Choice[int | None] | None]
    max_room_size: ForEach[int | Integers | Choice[int | None] | None]
    max_steps: ForEach[int | Integers | Choice[int | None] | None]
    metaworld_dir: ForEach[str | None]
    minNumRooms: ForEach[int | Integers | Choice[int]]
    min_num_rooms: ForEach[int | Integers | Choice[int | None] | None]
    mission: ForEach[Literal["text", "bytes", "tokens", "none"]]
    mode: ForEach[int | None] | ForEach[str | None]
    n: ForEach[int]
    n_links: ForEach[int | None]
    n_obstacles: ForEach[int | Integers | Choice[int]]
    natural: ForEach[bool | Choice[bool]]
    near_cost_weight: ForEach[float | None]
    no_death: ForEach[list[str] | tuple[str, ...] | Choice[list[str] | tuple[str, ...]]]
    normalize_observations: ForEach[bool]
    normalize_reward_in_recurrent_info: ForEach[bool]
    notifications_buffer_enabled: ForEach[bool | None]
    notifications_buffer_size: ForEach[int | None]
    numObjs: ForEach[int | Integers | Choice[int]]
    num_agent_neighbors: ForEach[int | None]
    num_cols: ForEach[int | Integers | Choice[int]]
    num_crossings: ForEach[int | Integers | Choice[int]]
    num_dists: ForEach[int | Integers | Choice[int]]
    num_doors: ForEach[int | Integers | Choice[int]]
    num_goals: ForEach[int]
    num_landmark_neighbors: ForEach[int | None]
    num_levels: ForEach[int]
    num_objs: ForEach[int | Integers | Choice[int | None] | None] | ForEach[int | Integers | Choice[int]]
    num_poles: ForEach[int | None]
    num_quarters: ForEach[int | Integers | Choice[int]]
    num_rooms_visited: ForEach[int | Integers | Choice[int]]
    num_rows: ForEach[int | Integers | Choice[int]]
    num_tasks: ForEach[int]
    obj_range: ForEach[float]
    obj_type: ForEach[Literal["ball", "box", "key"] | Choice[Literal["ball", "box", "key"]]]
    object_noise_ratio: ForEach[float]
    objects_info_enabled: ForEach[bool | None]
    objs_per_room: ForEach[int | Integers | Choice[int]]
    obs: ForEach[Literal["image", "full", "onehot", "rgb_partial", "rgb", "flat", "symbolic"]]
    obs_include_z_distance: ForEach[bool]
    obs_tile_size: ForEach[int]
    obs_type: ForEach[Literal["rgb", "grayscale", "ram"]]
    observation_max: ForEach[float | Uniform | Choice[float]]
    observation_min: ForEach[float | Uniform | Choice[float]]
    obstacle_type: ForEach[Literal["lava", "wall"] | Choice[Literal["lava", "wall"]]]
    padding_type: ForEach[Literal["reset", "zero"]]
    paint_vel_info: ForEach[bool]
    partially_observable: ForEach[bool]
    physics: ForEach[Literal["auto", "libmujoco", "native"]]
    post_constraint: ForEach[bool]
    preprocessing: ForEach[bool]
    procgen_dir: ForEach[str | None]
    rainy_probability: ForEach[float | Uniform | Choice[float]]
    random_action: ForEach[int | Integers | Choice[int | None] | None]
    random_length: ForEach[bool | Choice[bool]]
    recurrent_info_in_obs: ForEach[bool]
    relative_control: ForEach[bool]
    remove_task_when_completed: ForEach[bool]
    render_all_frames: ForEach[bool | None]
    render_corpses: ForEach[bool | None]
    render_crosshair: ForEach[bool | None]
    render_decals: ForEach[bool | None]
    render_effects_sprites: ForEach[bool | None]
    render_haze: ForEach[bool]
    render_hud: ForEach[bool | None]
    render_messages: ForEach[bool | None]
    render_minimal_hud: ForEach[bool | None]
    render_multisamples: ForEach[int | None]
    render_particles: ForEach[bool | None]
    render_reflections: ForEach[bool]
    render_screen_flashes: ForEach[bool | None]
    render_shadow_size: ForEach[int | None]
    render_shadows: ForEach[bool]
    render_skybox: ForEach[bool]
    render_textures: ForEach[bool]
    render_weapon: ForEach[bool | None]
    reset_goal_scale: ForEach[float | Uniform | Choice[float]]
    reset_noise_scale: ForEach[float | Uniform | Choice[float]]
    reset_qpos_scale: ForEach[float | Uniform | Choice[float]]
    reset_qvel_scale: ForEach[float | Uniform | Choice[float]]
    reset_target: ForEach[bool]
    restart: ForEach[bool]
    restrict_themes: ForEach[bool]
    reward: ForEach[bool | Choice[bool]]
    reward_after_step: ForEach[bool]
    reward_alpha: ForEach[float]
    reward_clip: ForEach[bool | Choice[bool]]
    reward_config: ForEach[Mapping[Any, float | Sequence[float]]]
    reward_control_weight: ForEach[float | Uniform | Choice[float]]
    reward_dist_weight: ForEach[float | Uniform | Choice[float]]
    reward_function_version: ForEach[Literal["v1", "v2"]]
    reward_if_not_terminated: ForEach[bool]
    reward_metric: ForEach[Mapping[Any, float | Sequence[float]] | None]
    reward_near_weight: ForEach[float | Uniform | Choice[float]]
    reward_normalization_method: ForEach[Literal["gymnasium", "exponential"] | None]
    reward_schedule: ForEach[Sequence[float] | Choice[Sequence[float]]]
    robot_noise_ratio: ForEach[float]
    robotics_dir: ForEach[str | None]
    room_size: ForEach[int | Integers | Choice[int]]
    rows: ForEach[int]
    sab: ForEach[bool | Choice[bool]]
    sample_tasks_on_reset: ForEach[bool]
    scale_obs: ForEach[bool]
    scenario: ForEach[Literal["D1_basic", "D2_navigation", "D3_battle", "D4_battle2", "basic", "basic_audio", "basic_notifications", "cig", "deadly_corridor", "deathmatch", "defend_the_center", "defend_the_line", "health_gathering", "health_gathering_supreme", "multi_duel", "my_way_home", "predict_position", "rocket_basic", "simpler_basic", "take_cover", ""]]
    scenario_config_file: ForEach[Literal["basic.cfg", "basic_audio.cfg", "basic_notifications.cfg", "deadly_corridor.cfg", "defend_the_center.cfg", "defend_the_line.cfg", "health_gathering.cfg", "my_way_home.cfg", "predict_position.cfg", "take_cover.cfg", "deathmatch.cfg", "health_gathering_supreme.cfg", "doom.cfg", "doom2.cfg", "freedoom1.cfg", "freedoom2.cfg"]]
    screen_format: ForEach[str | None]
    screen_resolution: ForEach[str | None]
    screen_size: ForEach[int | Sequence[int]]
    second_color: ForEach[Literal["red", "green", "blue", "purple", "yellow", "grey"] | Choice[Literal["red", "green", "blue", "purple", "yellow", "grey"] | None] | None]
    secret_reward: ForEach[float | None]
    sectors_info_enabled: ForEach[bool | None]
    see_through_walls: ForEach[bool | Choice[bool | None] | None]
    seed_offset: ForEach[int]
    seeds: ForEach[Sequence[int]]
    select_by: ForEach[Literal["color", "loc"] | Choice[Literal["color", "loc"] | None] | None]
    selected_weapon_reward_config: ForEach[Mapping[Any, float | Sequence[float]]]
    size: ForEach[int] | ForEach[int | Integers | Choice[int]] | ForEach[int | Sequence[int]]
    slip: ForEach[float | Uniform | Choice[float]]
    small: ForEach[float | Uniform | Choice[float]]
    sound_enabled: ForEach[bool | None]
    sparse: ForEach[bool | None]
    stack_num: ForEach[int]
    stack_once: ForEach[bool]
    stack_size: ForEach[int | None]
    start_carrying: ForEach[bool | Choice[bool]]
    start_level: ForEach[int]
    strict: ForEach[bool | Choice[bool]]
    strip2_row: ForEach[int | Integers | Choice[int]]
    success_rate: ForEach[float | Uniform | Choice[float]]
    sutton_barto_reward: ForEach[bool | Choice[bool]]
    target_in_the_air: ForEach[bool]
    target_offset_x: ForEach[float]
    target_offset_y: ForEach[float]
    target_offset_z: ForEach[float]
    target_range: ForEach[float]
    task: ForEach[str]
    task_select: ForEach[Literal["random", "pseudorandom"]]
    tasks_to_complete: ForEach[list[str] | tuple[str, ...]]
    terminal_on_life_loss: ForEach[bool | Choice[bool]]
    terminate_on_success: ForEach[bool | Choice[bool]] | ForEach[bool]
    terminate_on_tasks_completed: ForEach[bool]
    ticrate: ForEach[int | None]
    tile_size: ForEach[int]
    touch_get_obs: ForEach[Literal["sensordata", "boolean", "log", "off"]]
    touch_visualisation: ForEach[Literal["on_touch", "off", "always"]]
    treat_episode_timeout_as_truncation: ForEach[bool]
    turbulence_power: ForEach[float | Uniform | Choice[float]]
    unblocking: ForEach[bool | Choice[bool]]
    uph_cost_weight: ForEach[float | Uniform | Choice[float]]
    use_backgrounds: ForEach[bool]
    use_combined_action: ForEach[bool]
    use_contact_force: ForEach[bool | None] | ForEach[bool]
    use_contact_forces: ForEach[bool]
    use_easy_jump: ForEach[bool]
    use_fire_reset: ForEach[bool | Choice[bool]]
    use_generated_assets: ForEach[bool]
    use_inter_area_resize: ForEach[bool]
    use_monochrome_assets: ForEach[bool]
    use_multi_binary_action_space: ForEach[bool]
    use_one_hot: ForEach[bool]
    use_sequential_levels: ForEach[bool]
    verbose: ForEach[bool]
    version: ForEach[int]
    view: ForEach[int | Sequence[int]]
    visual_options: ForEach[Sequence[int] | None]
    vizdoom_dir: ForEach[str | None]
    vizdoom_path: ForEach[str | None]
    vzd_path: ForEach[str]
    wad_path: ForEach[str]
    weapon_duration: ForEach[int]
    weighted_reward_info: ForEach[bool]
    wfc_config: ForEach[Literal["MazeSimple", "DungeonMazeScaled", "RoomsFabric", "ObstaclesBlackdots", "ObstaclesAngular", "ObstaclesHogs3"]]
    wfc_preset: ForEach[Literal["MazeSimple", "DungeonMazeScaled", "RoomsFabric", "ObstaclesBlackdots", "ObstaclesAngular", "ObstaclesHogs3"] | None]
    width: ForEach[int | None] | ForEach[int | Integers | Choice[int]]
    wind_power: ForEach[float | Uniform | Choice[float]]
    window_visible: ForEach[bool | None]
    xml_dir: ForEach[str | None]
    xml_file: ForEach[str]
    zero_discount_on_life_loss: ForEach[bool | Choice[bool]]

CartPoleTask: TypeAlias = Literal["CartPole-v0", "CartPole-v1"]

MountainCarTask: TypeAlias = Literal["MountainCar-v0", "MountainCarContinuous-v0"]

PendulumTask: TypeAlias = Literal["Pendulum-v0", "Pendulum-v1"]

AcrobotTask: TypeAlias = Literal["Acrobot-v1"]

FrozenLakeTask: TypeAlias = Literal["FrozenLake-v1", "FrozenLake8x8-v1"]

TaxiTask: TypeAlias = Literal["Taxi-v3"]

TaxiV4Task: TypeAlias = Literal["Taxi-v4"]

CliffWalkingTask: TypeAlias = Literal["CliffWalking-v0", "CliffWalking-v1", "CliffWalkingSlippery-v1"]

BlackjackTask: TypeAlias = Literal["Blackjack-v1"]

NChainTask: TypeAlias = Literal["NChain-v0"]

AtariTask: TypeAlias = Literal["Adventure-v5", "AirRaid-v5", "Alien-v5", "Amidar-v5", "Assault-v5", "Asterix-v5", "Asteroids-v5", "Atlantis-v5", "Atlantis2-v5", "Backgammon-v5", "BankHeist-v5",
    "BasicMath-v5", "BattleZone-v5", "BeamRider-v5", "Berzerk-v5", "Blackjack-v5", "Bowling-v5", "Boxing-v5", "Breakout-v5", "Carnival-v5", "Casino-v5", "Centipede-v5", "ChopperCommand-v5",
    "CrazyClimber-v5", "Crossbow-v5", "Darkchambers-v5", "Defender-v5", "DemonAttack-v5", "DonkeyKong-v5", "DoubleDunk-v5", "Earthworld-v5", "ElevatorAction-v5", "Enduro-v5", "Entombed-v5", "Et-v5",
    "FishingDerby-v5", "FlagCapture-v5", "Freeway-v5", "Frogger-v5", "Frostbite-v5", "Galaxian-v5", "Gopher-v5", "Gravitar-v5", "Hangman-v5", "HauntedHouse-v5", "Hero-v5", "HumanCannonball-v5",
    "IceHockey-v5", "Jamesbond-v5", "JourneyEscape-v5", "Kaboom-v5", "Kangaroo-v5", "KeystoneKapers-v5", "KingKong-v5", "Klax-v5", "Koolaid-v5", "Krull-v5", "KungFuMaster-v5", "LaserGates-v5",
    "LostLuggage-v5", "MarioBros-v5", "MiniatureGolf-v5", "MontezumaRevenge-v5", "MrDo-v5", "MsPacman-v5", "NameThisGame-v5", "Othello-v5", "Pacman-v5", "Phoenix-v5", "Pitfall-v5", "Pitfall2-v5",
    "Pong-v5", "Pooyan-v5", "PrivateEye-v5", "Qbert-v5", "Riverraid-v5", "RoadRunner-v5", "Robotank-v5", "Seaquest-v5", "SirLancelot-v5", "Skiing-v5", "Solaris-v5", "SpaceInvaders-v5", "SpaceWar-v5",
    "StarGunner-v5", "Superman-v5", "Surround-v5", "Tennis-v5", "Tetris-v5", "TicTacToe3d-v5", "TimePilot-v5", "Trondead-v5", "Turmoil-v5", "Tutankham-v5", "UpNDown-v5", "Venture-v5",
    "VideoCheckers-v5", "VideoChess-v5", "VideoCube-v5", "VideoPinball-v5", "WizardOfWor-v5", "WordZapper-v5", "YarsRevenge-v5", "Zaxxon-v5"]

AleAtariTask: TypeAlias = Literal["ALE/Adventure-v5", "ALE/AirRaid-v5", "ALE/Alien-v5", "ALE/Amidar-v5", "ALE/Assault-v5", "ALE/Asterix-v5", "ALE/Asteroids-v5", "ALE/Atlantis-v5", "ALE/Atlantis2-v5",
    "ALE/Backgammon-v5", "ALE/BankHeist-v5", "ALE/BasicMath-v5", "ALE/BattleZone-v5", "ALE/BeamRider-v5", "ALE/Berzerk-v5", "ALE/Blackjack-v5", "ALE/Bowling-v5", "ALE/Boxing-v5", "ALE/Breakout-v5",
    "ALE/Carnival-v5", "ALE/Casino-v5", "ALE/Centipede-v5", "ALE/ChopperCommand-v5", "ALE/CrazyClimber-v5", "ALE/Crossbow-v5", "ALE/Darkchambers-v5", "ALE/Defender-v5", "ALE/DemonAttack-v5",
    "ALE/DonkeyKong-v5", "ALE/DoubleDunk-v5", "ALE/Earthworld-v5", "ALE/ElevatorAction-v5", "ALE/Enduro-v5", "ALE/Entombed-v5", "ALE/Et-v5", "ALE/FishingDerby-v5", "ALE/FlagCapture-v5",
    "ALE/Freeway-v5", "ALE/Frogger-v5", "ALE/Frostbite-v5", "ALE/Galaxian-v5", "ALE/Gopher-v5", "ALE/Gravitar-v5", "ALE/Hangman-v5", "ALE/HauntedHouse-v5", "ALE/Hero-v5", "ALE/HumanCannonball-v5",
    "ALE/IceHockey-v5", "ALE/Jamesbond-v5", "ALE/JourneyEscape-v5", "ALE/Kaboom-v5", "ALE/Kangaroo-v5", "ALE/KeystoneKapers-v5", "ALE/KingKong-v5", "ALE/Klax-v5", "ALE/Koolaid-v5", "ALE/Krull-v5",
    "ALE/KungFuMaster-v5", "ALE/LaserGates-v5", "ALE/LostLuggage-v5", "ALE/MarioBros-v5", "ALE/MiniatureGolf-v5", "ALE/MontezumaRevenge-v5", "ALE/MrDo-v5", "ALE/MsPacman-v5", "ALE/NameThisGame-v5",
    "ALE/Othello-v5", "ALE/Pacman-v5", "ALE/Phoenix-v5", "ALE/Pitfall-v5", "ALE/Pitfall2-v5", "ALE/Pong-v5", "ALE/Pooyan-v5", "ALE/PrivateEye-v5", "ALE/Qbert-v5", "ALE/Riverraid-v5",
    "ALE/RoadRunner-v5", "ALE/Robotank-v5", "ALE/Seaquest-v5", "ALE/SirLancelot-v5", "ALE/Skiing-v5", "ALE/Solaris-v5", "ALE/SpaceInvaders-v5", "ALE/SpaceWar-v5", "ALE/StarGunner-v5",
    "ALE/Superman-v5", "ALE/Surround-v5", "ALE/Tennis-v5", "ALE/Tetris-v5", "ALE/TicTacToe3D-v5", "ALE/TimePilot-v5", "ALE/Trondead-v5", "ALE/Turmoil-v5", "ALE/Tutankham-v5", "ALE/UpNDown-v5",
    "ALE/Venture-v5", "ALE/VideoCheckers-v5", "ALE/VideoChess-v5", "ALE/VideoCube-v5", "ALE/VideoPinball-v5", "ALE/WizardOfWor-v5", "ALE/WordZapper-v5", "ALE/YarsRevenge-v5", "ALE/Zaxxon-v5"]

CatchTask: TypeAlias = Literal["Catch-v0"]

SimpleSpreadTask: TypeAlias = Literal["SimpleSpread-v3"]

SimpleSpeakerListenerTask: TypeAlias = Literal["SimpleSpeakerListener-v4"]

MiniGridEmpty5x5Task: TypeAlias = Literal["MiniGrid-Empty-5x5-v0", "MiniGrid-Empty-Random-5x5-v0", "MiniGrid-Empty-6x6-v0", "MiniGrid-Empty-Random-6x6-v0", "MiniGrid-Empty-8x8-v0",
    "MiniGrid-Empty-16x16-v0"]

MiniGridDoorKey5x5Task: TypeAlias = Literal["MiniGrid-DoorKey-5x5-v0", "MiniGrid-DoorKey-6x6-v0", "MiniGrid-DoorKey-8x8-v0", "MiniGrid-DoorKey-16x16-v0", "MiniGrid-GoToDoor-5x5-v0",
    "MiniGrid-GoToDoor-6x6-v0", "MiniGrid-GoToDoor-8x8-v0", "MiniGrid-LockedRoom-v0", "MiniGrid-RedBlueDoors-6x6-v0", "MiniGrid-RedBlueDoors-8x8-v0"]

MiniGridLavaCrossingS9N1Task: TypeAlias = Literal["MiniGrid-LavaCrossingS9N1-v0", "MiniGrid-LavaCrossingS9N2-v0", "MiniGrid-LavaCrossingS9N3-v0", "MiniGrid-LavaCrossingS11N5-v0",
    "MiniGrid-SimpleCrossingS9N1-v0", "MiniGrid-SimpleCrossingS9N2-v0", "MiniGrid-SimpleCrossingS9N3-v0", "MiniGrid-SimpleCrossingS11N5-v0"]

MiniGridDistShift1Task: TypeAlias = Literal["MiniGrid-DistShift1-v0", "MiniGrid-DistShift2-v0"]

MiniGridLavaGapS5Task: TypeAlias = Literal["MiniGrid-LavaGapS5-v0", "MiniGrid-LavaGapS6-v0", "MiniGrid-LavaGapS7-v0"]

MiniGridDynamicObstacles5x5Task: TypeAlias = Literal["MiniGrid-Dynamic-Obstacles-5x5-v0", "MiniGrid-Dynamic-Obstacles-Random-5x5-v0", "MiniGrid-Dynamic-Obstacles-6x6-v0",
    "MiniGrid-Dynamic-Obstacles-Random-6x6-v0", "MiniGrid-Dynamic-Obstacles-8x8-v0", "MiniGrid-Dynamic-Obstacles-16x16-v0"]

MiniGridFetch5x5N2Task: TypeAlias = Literal["MiniGrid-Fetch-5x5-N2-v0", "MiniGrid-Fetch-6x6-N2-v0", "MiniGrid-Fetch-8x8-N3-v0"]

MiniGridFourRoomsTask: TypeAlias = Literal["MiniGrid-FourRooms-v0"]

MiniGridGoToObject6x6N2Task: TypeAlias = Literal["MiniGrid-GoToObject-6x6-N2-v0", "MiniGrid-GoToObject-8x8-N2-v0", "MiniGrid-PutNear-6x6-N2-v0", "MiniGrid-PutNear-8x8-N3-v0"]

MiniGridKeyCorridorS3R1Task: TypeAlias = Literal["MiniGrid-KeyCorridorS3R1-v0", "MiniGrid-KeyCorridorS3R2-v0", "MiniGrid-KeyCorridorS3R3-v0", "MiniGrid-KeyCorridorS4R3-v0",
    "MiniGrid-KeyCorridorS5R3-v0", "MiniGrid-KeyCorridorS6R3-v0", "BabyAI-KeyCorridor-v0", "BabyAI-KeyCorridorS3R1-v0", "BabyAI-KeyCorridorS3R2-v0", "BabyAI-KeyCorridorS3R3-v0",
    "BabyAI-KeyCorridorS4R3-v0", "BabyAI-KeyCorridorS5R3-v0", "BabyAI-KeyCorridorS6R3-v0"]

MiniGridMemoryS17RandomTask: TypeAlias = Literal["MiniGrid-MemoryS17Random-v0", "MiniGrid-MemoryS13Random-v0", "MiniGrid-MemoryS13-v0", "MiniGrid-MemoryS11-v0", "MiniGrid-MemoryS9-v0",
    "MiniGrid-MemoryS7-v0"]

MiniGridMultiRoomN2S4Task: TypeAlias = Literal["MiniGrid-MultiRoom-N2-S4-v0", "MiniGrid-MultiRoom-N4-S5-v0", "MiniGrid-MultiRoom-N4-S5-v1", "MiniGrid-MultiRoom-N6-v0"]

MiniGridObstructedMaze1DlTask: TypeAlias = Literal["MiniGrid-ObstructedMaze-1Dl-v0", "MiniGrid-ObstructedMaze-1Dlh-v0", "MiniGrid-ObstructedMaze-1Dlhb-v0"]

MiniGridObstructedMaze2DlTask: TypeAlias = Literal["MiniGrid-ObstructedMaze-2Dl-v0", "MiniGrid-ObstructedMaze-2Dlh-v0", "MiniGrid-ObstructedMaze-2Dlhb-v0", "MiniGrid-ObstructedMaze-1Q-v0",
    "MiniGrid-ObstructedMaze-2Q-v0", "MiniGrid-ObstructedMaze-Full-v0", "MiniGrid-ObstructedMaze-2Dlhb-v1", "MiniGrid-ObstructedMaze-1Q-v1", "MiniGrid-ObstructedMaze-2Q-v1",
    "MiniGrid-ObstructedMaze-Full-v1"]

MiniGridPlaygroundTask: TypeAlias = Literal["MiniGrid-Playground-v0", "MiniGrid-Unlock-v0", "MiniGrid-UnlockPickup-v0", "MiniGrid-BlockedUnlockPickup-v0", "BabyAI-GoToDoor-v0",
    "BabyAI-GoToObjDoor-v0", "BabyAI-GoToRedBallNoDists-v0", "BabyAI-OpenRedDoor-v0", "BabyAI-PickupAbove-v0", "BabyAI-KeyInBox-v0", "BabyAI-BlockedUnlockPickup-v0", "BabyAI-UnlockToUnlock-v0",
    "BabyAI-ActionObjDoor-v0"]

MiniGridWFCMazeSimpleTask: TypeAlias = Literal["MiniGrid-WFC-MazeSimple-v0", "MiniGrid-WFC-DungeonMazeScaled-v0", "MiniGrid-WFC-RoomsFabric-v0", "MiniGrid-WFC-ObstaclesBlackdots-v0",
    "MiniGrid-WFC-ObstaclesAngular-v0", "MiniGrid-WFC-ObstaclesHogs3-v0"]

BabyAIGoToRedBallGreyTask: TypeAlias = Literal["BabyAI-GoToRedBallGrey-v0", "BabyAI-GoToRedBall-v0", "BabyAI-GoToLocal-v0", "BabyAI-GoToLocalS5N2-v0", "BabyAI-GoToLocalS6N2-v0",
    "BabyAI-GoToLocalS6N3-v0", "BabyAI-GoToLocalS6N4-v0", "BabyAI-GoToLocalS7N4-v0", "BabyAI-GoToLocalS7N5-v0", "BabyAI-GoToLocalS8N2-v0", "BabyAI-GoToLocalS8N3-v0", "BabyAI-GoToLocalS8N4-v0",
    "BabyAI-GoToLocalS8N5-v0", "BabyAI-GoToLocalS8N6-v0", "BabyAI-GoToLocalS8N7-v0", "BabyAI-GoToRedBlueBall-v0"]

BabyAIGoToObjTask: TypeAlias = Literal["BabyAI-GoToObj-v0", "BabyAI-GoToObjS4-v0", "BabyAI-GoToObjS6-v1", "BabyAI-FindObjS5-v0", "BabyAI-FindObjS6-v0", "BabyAI-FindObjS7-v0", "BabyAI-OneRoomS8-v0",
    "BabyAI-OneRoomS12-v0", "BabyAI-OneRoomS16-v0", "BabyAI-OneRoomS20-v0"]

BabyAIGoToTask: TypeAlias = Literal["BabyAI-GoTo-v0", "BabyAI-GoToOpen-v0", "BabyAI-GoToObjMaze-v0", "BabyAI-GoToObjMazeOpen-v0", "BabyAI-GoToObjMazeS4R2-v0", "BabyAI-GoToObjMazeS4-v0",
    "BabyAI-GoToObjMazeS5-v0", "BabyAI-GoToObjMazeS6-v0", "BabyAI-GoToObjMazeS7-v0"]

BabyAIGoToImpUnlockTask: TypeAlias = Literal["BabyAI-GoToImpUnlock-v0", "BabyAI-Open-v0", "BabyAI-Pickup-v0", "BabyAI-UnblockPickup-v0", "BabyAI-Unlock-v0"]

BabyAIOpenDoorTask: TypeAlias = Literal["BabyAI-OpenDoor-v0", "BabyAI-OpenDoorDebug-v0", "BabyAI-OpenDoorColor-v0", "BabyAI-OpenDoorLoc-v0"]

BabyAIOpenTwoDoorsTask: TypeAlias = Literal["BabyAI-OpenTwoDoors-v0", "BabyAI-OpenRedBlueDoors-v0", "BabyAI-OpenRedBlueDoorsDebug-v0"]

BabyAIOpenDoorsOrderN2Task: TypeAlias = Literal["BabyAI-OpenDoorsOrderN2-v0", "BabyAI-OpenDoorsOrderN4-v0", "BabyAI-OpenDoorsOrderN2Debug-v0", "BabyAI-OpenDoorsOrderN4Debug-v0"]

BabyAIPickupDistTask: TypeAlias = Literal["BabyAI-PickupDist-v0", "BabyAI-PickupDistDebug-v0"]

BabyAIPutNextLocalTask: TypeAlias = Literal["BabyAI-PutNextLocal-v0", "BabyAI-PutNextLocalS5N3-v0", "BabyAI-PutNextLocalS6N4-v0"]

BabyAIPutNextS4N1Task: TypeAlias = Literal["BabyAI-PutNextS4N1-v0", "BabyAI-PutNextS5N2-v0", "BabyAI-PutNextS5N1-v0", "BabyAI-PutNextS6N3-v0", "BabyAI-PutNextS7N4-v0", "BabyAI-PutNextS5N2Carrying-v0",
    "BabyAI-PutNextS6N3Carrying-v0", "BabyAI-PutNextS7N4Carrying-v0"]

BabyAIMoveTwoAcrossS5N2Task: TypeAlias = Literal["BabyAI-MoveTwoAcrossS5N2-v0", "BabyAI-MoveTwoAcrossS8N9-v0"]

BabyAIUnlockLocalTask: TypeAlias = Literal["BabyAI-UnlockLocal-v0", "BabyAI-UnlockLocalDist-v0", "BabyAI-UnlockPickup-v0", "BabyAI-UnlockPickupDist-v0"]

BabyAIGoToSeqTask: TypeAlias = Literal["BabyAI-GoToSeq-v0", "BabyAI-GoToSeqS5R2-v0", "BabyAI-Synth-v0", "BabyAI-SynthS5R2-v0", "BabyAI-SynthLoc-v0", "BabyAI-SynthSeq-v0", "BabyAI-PickupLoc-v0",
    "BabyAI-MiniBossLevel-v0", "BabyAI-BossLevel-v0", "BabyAI-BossLevelNoUnlock-v0"]

AntTask: TypeAlias = Literal["Ant-v5"]

AntV4Task: TypeAlias = Literal["Ant-v4", "Ant-v3"]

HalfCheetahTask: TypeAlias = Literal["HalfCheetah-v5", "HalfCheetah-v4", "HalfCheetah-v3", "Swimmer-v5", "Swimmer-v4", "Swimmer-v3"]

HopperTask: TypeAlias = Literal["Hopper-v5", "Hopper-v4", "Hopper-v3"]

HumanoidTask: TypeAlias = Literal["Humanoid-v5", "Humanoid-v4", "Humanoid-v3"]

HumanoidStandupTask: TypeAlias = Literal["HumanoidStandup-v5", "HumanoidStandup-v4", "HumanoidStandup-v2"]

InvertedDoublePendulumTask: TypeAlias = Literal["InvertedDoublePendulum-v5", "InvertedDoublePendulum-v4", "InvertedDoublePendulum-v2"]

InvertedPendulumTask: TypeAlias = Literal["InvertedPendulum-v5", "InvertedPendulum-v4", "InvertedPendulum-v2"]

PusherTask: TypeAlias = Literal["Pusher-v5", "Pusher-v4", "Pusher-v2"]

ReacherTask: TypeAlias = Literal["Reacher-v5", "Reacher-v4", "Reacher-v2"]

Walker2dTask: TypeAlias = Literal["Walker2d-v5", "Walker2d-v4", "Walker2d-v3"]

LunarLanderTask: TypeAlias = Literal["LunarLander-v3", "LunarLanderContinuous-v3", "LunarLander-v2", "LunarLanderContinuous-v2"]

BipedalWalkerTask: TypeAlias = Literal["BipedalWalker-v3", "BipedalWalkerHardcore-v3"]

CarRacingTask: TypeAlias = Literal["CarRacing-v3", "CarRacing-v2"]

DmControlTask: TypeAlias = Literal["AcrobotSwingup-v1", "dm_control/acrobot-swingup", "AcrobotSwingupSparse-v1", "dm_control/acrobot-swingup_sparse", "BallInCupCatch-v1",
    "dm_control/ball_in_cup-catch", "CheetahRun-v1", "dm_control/cheetah-run", "DogStand-v1", "dm_control/dog-stand", "DogWalk-v1", "dm_control/dog-walk", "DogTrot-v1", "dm_control/dog-trot",
    "DogRun-v1", "dm_control/dog-run", "DogFetch-v1", "dm_control/dog-fetch", "FingerSpin-v1", "dm_control/finger-spin", "FingerTurnEasy-v1", "dm_control/finger-turn_easy", "FingerTurnHard-v1",
    "dm_control/finger-turn_hard", "FishUpright-v1", "dm_control/fish-upright", "FishSwim-v1", "dm_control/fish-swim", "HopperStand-v1", "dm_control/hopper-stand", "HopperHop-v1",
    "dm_control/hopper-hop", "HumanoidStand-v1", "dm_control/humanoid-stand", "HumanoidWalk-v1", "dm_control/humanoid-walk", "HumanoidRun-v1", "dm_control/humanoid-run", "HumanoidRunPureState-v1",
    "dm_control/humanoid-run_pure_state", "HumanoidCMUStand-v1", "dm_control/humanoid_CMU-stand", "HumanoidCMUWalk-v1", "dm_control/humanoid_CMU-walk", "HumanoidCMURun-v1",
    "dm_control/humanoid_CMU-run", "WalkerStand-v1", "dm_control/walker-stand", "WalkerWalk-v1", "dm_control/walker-walk", "WalkerRun-v1", "dm_control/walker-run", "LqrLqr21-v1",
    "dm_control/lqr-lqr_2_1", "LqrLqr62-v1", "dm_control/lqr-lqr_6_2", "PendulumSwingup-v1", "dm_control/pendulum-swingup", "PointMassEasy-v1", "dm_control/point_mass-easy", "PointMassHard-v1",
    "dm_control/point_mass-hard", "ReacherEasy-v1", "dm_control/reacher-easy", "ReacherHard-v1", "dm_control/reacher-hard", "QuadrupedWalk-v1", "dm_control/quadruped-walk", "QuadrupedRun-v1",
    "dm_control/quadruped-run", "QuadrupedEscape-v1", "dm_control/quadruped-escape", "QuadrupedFetch-v1", "dm_control/quadruped-fetch"]

CartpoleBalanceTask: TypeAlias = Literal["CartpoleBalance-v1", "dm_control/cartpole-balance", "CartpoleBalanceSparse-v1", "dm_control/cartpole-balance_sparse", "CartpoleSwingup-v1",
    "dm_control/cartpole-swingup", "CartpoleSwingupSparse-v1", "dm_control/cartpole-swingup_sparse", "CartpoleTwoPoles-v1", "dm_control/cartpole-two_poles", "CartpoleThreePoles-v1",
    "dm_control/cartpole-three_poles"]

ManipulatorBringBallTask: TypeAlias = Literal["ManipulatorBringBall-v1", "dm_control/manipulator-bring_ball", "ManipulatorBringPeg-v1", "dm_control/manipulator-bring_peg", "ManipulatorInsertBall-v1",
    "dm_control/manipulator-insert_ball", "ManipulatorInsertPeg-v1", "dm_control/manipulator-insert_peg", "StackerStack2-v1", "dm_control/stacker-stack_2", "StackerStack4-v1",
    "dm_control/stacker-stack_4"]

SwimmerSwimmer6Task: TypeAlias = Literal["SwimmerSwimmer6-v1", "dm_control/swimmer-swimmer6", "SwimmerSwimmer15-v1", "dm_control/swimmer-swimmer15"]

PointMazeTask: TypeAlias = Literal["PointMaze_UMaze-v3", "PointMaze_UMazeDense-v3", "PointMaze_Open-v3", "PointMaze_OpenDense-v3", "PointMaze_Open_Diverse_G-v3", "PointMaze_Open_Diverse_GDense-v3",
    "PointMaze_Open_Diverse_GR-v3", "PointMaze_Open_Diverse_GRDense-v3", "PointMaze_Medium-v3", "PointMaze_MediumDense-v3", "PointMaze_Medium_Diverse_G-v3", "PointMaze_Medium_Diverse_GDense-v3",
    "PointMaze_Medium_Diverse_GR-v3", "PointMaze_Medium_Diverse_GRDense-v3", "PointMaze_Large-v3", "PointMaze_LargeDense-v3", "PointMaze_Large_Diverse_G-v3", "PointMaze_Large_Diverse_GDense-v3",
    "PointMaze_Large_Diverse_GR-v3", "PointMaze_Large_Diverse_GRDense-v3"]

AntMazeTask: TypeAlias = Literal["AntMaze_UMaze-v5", "AntMaze_UMazeDense-v5", "AntMaze_Open-v5", "AntMaze_OpenDense-v5", "AntMaze_Open_Diverse_G-v5", "AntMaze_Open_Diverse_GDense-v5",
    "AntMaze_Open_Diverse_GR-v5", "AntMaze_Open_Diverse_GRDense-v5", "AntMaze_Medium-v5", "AntMaze_MediumDense-v5", "AntMaze_Medium_Diverse_G-v5", "AntMaze_Medium_Diverse_GDense-v5",
    "AntMaze_Medium_Diverse_GR-v5", "AntMaze_Medium_Diverse_GRDense-v5", "AntMaze_Large-v5", "AntMaze_LargeDense-v5", "AntMaze_Large_Diverse_G-v5", "AntMaze_Large_Diverse_GDense-v5",
    "AntMaze_Large_Diverse_GR-v5", "AntMaze_Large_Diverse_GRDense-v5"]

AntMazeV4Task: TypeAlias = Literal["AntMaze_UMaze-v4", "AntMaze_UMazeDense-v4", "AntMaze_Open-v4", "AntMaze_OpenDense-v4", "AntMaze_Open_Diverse_G-v4", "AntMaze_Open_Diverse_GDense-v4",
    "AntMaze_Open_Diverse_GR-v4", "AntMaze_Open_Diverse_GRDense-v4", "AntMaze_Medium-v4", "AntMaze_MediumDense-v4", "AntMaze_Medium_Diverse_G-v4", "AntMaze_Medium_Diverse_GDense-v4",
    "AntMaze_Medium_Diverse_GR-v4", "AntMaze_Medium_Diverse_GRDense-v4", "AntMaze_Large-v4", "AntMaze_LargeDense-v4", "AntMaze_Large_Diverse_G-v4", "AntMaze_Large_Diverse_GDense-v4",
    "AntMaze_Large_Diverse_GR-v4", "AntMaze_Large_Diverse_GRDense-v4"]

AntMazeV3Task: TypeAlias = Literal["AntMaze_UMaze-v3", "AntMaze_UMazeDense-v3", "AntMaze_Open-v3", "AntMaze_OpenDense-v3", "AntMaze_Open_Diverse_G-v3", "AntMaze_Open_Diverse_GDense-v3",
    "AntMaze_Open_Diverse_GR-v3", "AntMaze_Open_Diverse_GRDense-v3", "AntMaze_Medium-v3", "AntMaze_MediumDense-v3", "AntMaze_Medium_Diverse_G-v3", "AntMaze_Medium_Diverse_GDense-v3",
    "AntMaze_Medium_Diverse_GR-v3", "AntMaze_Medium_Diverse_GRDense-v3", "AntMaze_Large-v3", "AntMaze_LargeDense-v3", "AntMaze_Large_Diverse_G-v3", "AntMaze_Large_Diverse_GDense-v3",
    "AntMaze_Large_Diverse_GR-v3", "AntMaze_Large_Diverse_GRDense-v3"]

MetaWorldTask: TypeAlias = Literal["MetaWorld/Assembly-v3", "MetaWorld/Basketball-v3", "MetaWorld/BinPicking-v3", "MetaWorld/BoxClose-v3", "MetaWorld/ButtonPressTopdown-v3",
    "MetaWorld/ButtonPressTopdownWall-v3", "MetaWorld/ButtonPress-v3", "MetaWorld/ButtonPressWall-v3", "MetaWorld/CoffeeButton-v3", "MetaWorld/CoffeePull-v3", "MetaWorld/CoffeePush-v3",
    "MetaWorld/DialTurn-v3", "MetaWorld/Disassemble-v3", "MetaWorld/DoorClose-v3", "MetaWorld/DoorLock-v3", "MetaWorld/DoorOpen-v3", "MetaWorld/DoorUnlock-v3", "MetaWorld/DrawerClose-v3",
    "MetaWorld/DrawerOpen-v3", "MetaWorld/FaucetClose-v3", "MetaWorld/FaucetOpen-v3", "MetaWorld/Hammer-v3", "MetaWorld/HandInsert-v3", "MetaWorld/HandlePress-v3", "MetaWorld/HandlePressSide-v3",
    "MetaWorld/HandlePull-v3", "MetaWorld/HandlePullSide-v3", "MetaWorld/LeverPull-v3", "MetaWorld/PegInsertSide-v3", "MetaWorld/PegUnplugSide-v3", "MetaWorld/PickOutOfHole-v3",
    "MetaWorld/PickPlace-v3", "MetaWorld/PickPlaceWall-v3", "MetaWorld/PlateSlide-v3", "MetaWorld/PlateSlideBack-v3", "MetaWorld/PlateSlideBackSide-v3", "MetaWorld/PlateSlideSide-v3",
    "MetaWorld/Push-v3", "MetaWorld/PushBack-v3", "MetaWorld/PushWall-v3", "MetaWorld/Reach-v3", "MetaWorld/ReachWall-v3", "MetaWorld/ShelfPlace-v3", "MetaWorld/Soccer-v3", "MetaWorld/StickPull-v3",
    "MetaWorld/StickPush-v3", "MetaWorld/Sweep-v3", "MetaWorld/SweepInto-v3", "MetaWorld/WindowClose-v3", "MetaWorld/WindowOpen-v3"]

FetchTask: TypeAlias = Literal["FetchReach-v4", "FetchReach-v1", "FetchReachDense-v4", "FetchReachDense-v1", "FetchPush-v4", "FetchPush-v1", "FetchPushDense-v4", "FetchPushDense-v1", "FetchSlide-v4",
    "FetchSlide-v1", "FetchSlideDense-v4", "FetchSlideDense-v1", "FetchPickAndPlace-v4", "FetchPickAndPlace-v1", "FetchPickAndPlaceDense-v4", "FetchPickAndPlaceDense-v1"]

AdroitHandDoorSparseTask: TypeAlias = Literal["AdroitHandDoorSparse-v1", "AdroitHandDoor-v1", "AdroitHandHammerSparse-v1", "AdroitHandHammer-v1", "AdroitHandPenSparse-v1", "AdroitHandPen-v1",
    "AdroitHandRelocateSparse-v1", "AdroitHandRelocate-v1"]

HandReachTask: TypeAlias = Literal["HandReach-v3", "HandReach-v0", "HandReachDense-v3", "HandReachDense-v0"]

HandManipulateTask: TypeAlias = Literal["HandManipulateBlockRotateZ-v1", "HandManipulateBlockRotateZ-v0", "HandManipulateBlockRotateZDense-v1", "HandManipulateBlockRotateZDense-v0",
    "HandManipulateBlockRotateParallel-v1", "HandManipulateBlockRotateParallel-v0", "HandManipulateBlockRotateParallelDense-v1", "HandManipulateBlockRotateParallelDense-v0",
    "HandManipulateBlockRotateXYZ-v1", "HandManipulateBlockRotateXYZ-v0", "HandManipulateBlockRotateXYZDense-v1", "HandManipulateBlockRotateXYZDense-v0", "HandManipulateBlock-v1",
    "HandManipulateBlock-v0", "HandManipulateBlockDense-v1", "HandManipulateBlockDense-v0", "HandManipulateEggRotate-v1", "HandManipulateEggRotate-v0", "HandManipulateEggRotateDense-v1",
    "HandManipulateEggRotateDense-v0", "HandManipulateEgg-v1", "HandManipulateEgg-v0", "HandManipulateEggDense-v1", "HandManipulateEggDense-v0", "HandManipulatePenRotate-v1",
    "HandManipulatePenRotate-v0", "HandManipulatePenRotateDense-v1", "HandManipulatePenRotateDense-v0", "HandManipulatePen-v1", "HandManipulatePen-v0", "HandManipulatePenDense-v1",
    "HandManipulatePenDense-v0", "HandManipulateBlockFull-v1", "HandManipulateBlockFull-v0", "HandManipulateBlockFullDense-v1", "HandManipulateBlockFullDense-v0", "HandManipulateEggFull-v1",
    "HandManipulateEggFull-v0", "HandManipulateEggFullDense-v1", "HandManipulateEggFullDense-v0", "HandManipulatePenFull-v1", "HandManipulatePenFull-v0", "HandManipulatePenFullDense-v1",
    "HandManipulatePenFullDense-v0"]

HandTouchTask: TypeAlias = Literal["HandManipulateBlockRotateZ_BooleanTouchSensors-v1", "HandManipulateBlockRotateZ_BooleanTouchSensors-v0", "HandManipulateBlockRotateZ_BooleanTouchSensorsDense-v1",
    "HandManipulateBlockRotateZ_BooleanTouchSensorsDense-v0", "HandManipulateBlockRotateZ_ContinuousTouchSensors-v1", "HandManipulateBlockRotateZ_ContinuousTouchSensors-v0",
    "HandManipulateBlockRotateZ_ContinuousTouchSensorsDense-v1", "HandManipulateBlockRotateZ_ContinuousTouchSensorsDense-v0", "HandManipulateBlockRotateParallel_BooleanTouchSensors-v1",
    "HandManipulateBlockRotateParallel_BooleanTouchSensors-v0", "HandManipulateBlockRotateParallel_BooleanTouchSensorsDense-v1", "HandManipulateBlockRotateParallel_BooleanTouchSensorsDense-v0",
    "HandManipulateBlockRotateParallel_ContinuousTouchSensors-v1", "HandManipulateBlockRotateParallel_ContinuousTouchSensors-v0", "HandManipulateBlockRotateParallel_ContinuousTouchSensorsDense-v1",
    "HandManipulateBlockRotateParallel_ContinuousTouchSensorsDense-v0", "HandManipulateBlockRotateXYZ_BooleanTouchSensors-v1", "HandManipulateBlockRotateXYZ_BooleanTouchSensors-v0",
    "HandManipulateBlockRotateXYZ_BooleanTouchSensorsDense-v1", "HandManipulateBlockRotateXYZ_BooleanTouchSensorsDense-v0", "HandManipulateBlockRotateXYZ_ContinuousTouchSensors-v1",
    "HandManipulateBlockRotateXYZ_ContinuousTouchSensors-v0", "HandManipulateBlockRotateXYZ_ContinuousTouchSensorsDense-v1", "HandManipulateBlockRotateXYZ_ContinuousTouchSensorsDense-v0",
    "HandManipulateBlock_BooleanTouchSensors-v1", "HandManipulateBlock_BooleanTouchSensors-v0", "HandManipulateBlock_BooleanTouchSensorsDense-v1", "HandManipulateBlock_BooleanTouchSensorsDense-v0",
    "HandManipulateBlock_ContinuousTouchSensors-v1", "HandManipulateBlock_ContinuousTouchSensors-v0", "HandManipulateBlock_ContinuousTouchSensorsDense-v1",
    "HandManipulateBlock_ContinuousTouchSensorsDense-v0", "HandManipulateEggRotate_BooleanTouchSensors-v1", "HandManipulateEggRotate_BooleanTouchSensors-v0",
    "HandManipulateEggRotate_BooleanTouchSensorsDense-v1", "HandManipulateEggRotate_BooleanTouchSensorsDense-v0", "HandManipulateEggRotate_ContinuousTouchSensors-v1",
    "HandManipulateEggRotate_ContinuousTouchSensors-v0", "HandManipulateEggRotate_ContinuousTouchSensorsDense-v1", "HandManipulateEggRotate_ContinuousTouchSensorsDense-v0",
    "HandManipulateEgg_BooleanTouchSensors-v1", "HandManipulateEgg_BooleanTouchSensors-v0", "HandManipulateEgg_BooleanTouchSensorsDense-v1", "HandManipulateEgg_BooleanTouchSensorsDense-v0",
    "HandManipulateEgg_ContinuousTouchSensors-v1", "HandManipulateEgg_ContinuousTouchSensors-v0", "HandManipulateEgg_ContinuousTouchSensorsDense-v1",
    "HandManipulateEgg_ContinuousTouchSensorsDense-v0", "HandManipulatePenRotate_BooleanTouchSensors-v1", "HandManipulatePenRotate_BooleanTouchSensors-v0",
    "HandManipulatePenRotate_BooleanTouchSensorsDense-v1", "HandManipulatePenRotate_BooleanTouchSensorsDense-v0", "HandManipulatePenRotate_ContinuousTouchSensors-v1",
    "HandManipulatePenRotate_ContinuousTouchSensors-v0", "HandManipulatePenRotate_ContinuousTouchSensorsDense-v1", "HandManipulatePenRotate_ContinuousTouchSensorsDense-v0",
    "HandManipulatePen_BooleanTouchSensors-v1", "HandManipulatePen_BooleanTouchSensors-v0", "HandManipulatePen_BooleanTouchSensorsDense-v1", "HandManipulatePen_BooleanTouchSensorsDense-v0",
    "HandManipulatePen_ContinuousTouchSensors-v1", "HandManipulatePen_ContinuousTouchSensors-v0", "HandManipulatePen_ContinuousTouchSensorsDense-v1",
    "HandManipulatePen_ContinuousTouchSensorsDense-v0"]

FrankaKitchenTask: TypeAlias = Literal["FrankaKitchen-v1"]

EnvPoolVizdoomTask: TypeAlias = Literal["D1Basic-v1", "D2Navigation-v1", "D3Battle-v1", "D4Battle2-v1", "Basic-v1", "BasicAudio-v1", "BasicNotifications-v1", "Cig-v1", "DeadlyCorridor-v1",
    "Deathmatch-v1", "DefendTheCenter-v1", "DefendTheLine-v1", "HealthGathering-v1", "HealthGatheringSupreme-v1", "MultiDuel-v1", "MyWayHome-v1", "PredictPosition-v1", "RocketBasic-v1",
    "SimplerBasic-v1", "TakeCover-v1", "VizdoomCustom-v1"]

VizdoomTask: TypeAlias = Literal["VizdoomBasic-v1", "VizdoomBasic-MultiBinary-v1", "VizdoomBasicAudio-v1", "VizdoomBasicAudio-MultiBinary-v1", "VizdoomBasicNotifications-v1",
    "VizdoomBasicNotifications-MultiBinary-v1", "VizdoomDeadlyCorridor-v1", "VizdoomDeadlyCorridor-MultiBinary-v1", "VizdoomDefendCenter-v1", "VizdoomDefendCenter-MultiBinary-v1",
    "VizdoomDefendLine-v1", "VizdoomDefendLine-MultiBinary-v1", "VizdoomHealthGathering-v1", "VizdoomHealthGathering-MultiBinary-v1", "VizdoomMyWayHome-v1", "VizdoomMyWayHome-MultiBinary-v1",
    "VizdoomPredictPosition-v1", "VizdoomPredictPosition-MultiBinary-v1", "VizdoomTakeCover-v1", "VizdoomTakeCover-MultiBinary-v1", "VizdoomDeathmatch-v1", "VizdoomDeathmatch-MultiBinary-v1",
    "VizdoomHealthGatheringSupreme-v1", "VizdoomHealthGatheringSupreme-MultiBinary-v1", "VizdoomDoomE1M1-S1-v0", "VizdoomDoomE1M2-S1-v0", "VizdoomDoomE1M3-S1-v0", "VizdoomDoomE1M4-S1-v0",
    "VizdoomDoomE1M5-S1-v0", "VizdoomDoomE1M6-S1-v0", "VizdoomDoomE1M7-S1-v0", "VizdoomDoomE1M8-S1-v0", "VizdoomDoomE1M9-S1-v0", "VizdoomDoomE2M1-S1-v0", "VizdoomDoomE2M2-S1-v0",
    "VizdoomDoomE2M3-S1-v0", "VizdoomDoomE2M4-S1-v0", "VizdoomDoomE2M5-S1-v0", "VizdoomDoomE2M6-S1-v0", "VizdoomDoomE2M7-S1-v0", "VizdoomDoomE2M8-S1-v0", "VizdoomDoomE2M9-S1-v0",
    "VizdoomDoomE3M1-S1-v0", "VizdoomDoomE3M2-S1-v0", "VizdoomDoomE3M3-S1-v0", "VizdoomDoomE3M4-S1-v0", "VizdoomDoomE3M5-S1-v0", "VizdoomDoomE3M6-S1-v0", "VizdoomDoomE3M7-S1-v0",
    "VizdoomDoomE3M8-S1-v0", "VizdoomDoomE3M9-S1-v0", "VizdoomDoomE4M1-S1-v0", "VizdoomDoomE4M2-S1-v0", "VizdoomDoomE4M3-S1-v0", "VizdoomDoomE4M4-S1-v0", "VizdoomDoomE4M5-S1-v0",
    "VizdoomDoomE4M6-S1-v0", "VizdoomDoomE4M7-S1-v0", "VizdoomDoomE4M8-S1-v0", "VizdoomDoomE4M9-S1-v0", "VizdoomDoom2MAP01-S1-v0", "VizdoomDoom2MAP02-S1-v0", "VizdoomDoom2MAP03-S1-v0",
    "VizdoomDoom2MAP04-S1-v0", "VizdoomDoom2MAP05-S1-v0", "VizdoomDoom2MAP06-S1-v0", "VizdoomDoom2MAP07-S1-v0", "VizdoomDoom2MAP08-S1-v0", "VizdoomDoom2MAP09-S1-v0", "VizdoomDoom2MAP10-S1-v0",
    "VizdoomDoom2MAP11-S1-v0", "VizdoomDoom2MAP12-S1-v0", "VizdoomDoom2MAP13-S1-v0", "VizdoomDoom2MAP14-S1-v0", "VizdoomDoom2MAP15-S1-v0", "VizdoomDoom2MAP16-S1-v0", "VizdoomDoom2MAP17-S1-v0",
    "VizdoomDoom2MAP18-S1-v0", "VizdoomDoom2MAP19-S1-v0", "VizdoomDoom2MAP20-S1-v0", "VizdoomDoom2MAP21-S1-v0", "VizdoomDoom2MAP22-S1-v0", "VizdoomDoom2MAP23-S1-v0", "VizdoomDoom2MAP24-S1-v0",
    "VizdoomDoom2MAP25-S1-v0", "VizdoomDoom2MAP26-S1-v0", "VizdoomDoom2MAP27-S1-v0", "VizdoomDoom2MAP28-S1-v0", "VizdoomDoom2MAP29-S1-v0", "VizdoomDoom2MAP30-S1-v0", "VizdoomDoom2MAP31-S1-v0",
    "VizdoomDoom2MAP32-S1-v0", "VizdoomFreedoom1E1M1-S1-v0", "VizdoomFreedoom1E1M2-S1-v0", "VizdoomFreedoom1E1M3-S1-v0", "VizdoomFreedoom1E1M4-S1-v0", "VizdoomFreedoom1E1M5-S1-v0",
    "VizdoomFreedoom1E1M6-S1-v0", "VizdoomFreedoom1E1M7-S1-v0", "VizdoomFreedoom1E1M8-S1-v0", "VizdoomFreedoom1E1M9-S1-v0", "VizdoomFreedoom1E2M1-S1-v0", "VizdoomFreedoom1E2M2-S1-v0",
    "VizdoomFreedoom1E2M3-S1-v0", "VizdoomFreedoom1E2M4-S1-v0", "VizdoomFreedoom1E2M5-S1-v0", "VizdoomFreedoom1E2M6-S1-v0", "VizdoomFreedoom1E2M7-S1-v0", "VizdoomFreedoom1E2M8-S1-v0",
    "VizdoomFreedoom1E2M9-S1-v0", "VizdoomFreedoom1E3M1-S1-v0", "VizdoomFreedoom1E3M2-S1-v0", "VizdoomFreedoom1E3M3-S1-v0", "VizdoomFreedoom1E3M4-S1-v0", "VizdoomFreedoom1E3M5-S1-v0",
    "VizdoomFreedoom1E3M6-S1-v0", "VizdoomFreedoom1E3M7-S1-v0", "VizdoomFreedoom1E3M8-S1-v0", "VizdoomFreedoom1E3M9-S1-v0", "VizdoomFreedoom1E4M1-S1-v0", "VizdoomFreedoom1E4M2-S1-v0",
    "VizdoomFreedoom1E4M3-S1-v0", "VizdoomFreedoom1E4M4-S1-v0", "VizdoomFreedoom1E4M5-S1-v0", "VizdoomFreedoom1E4M6-S1-v0", "VizdoomFreedoom1E4M7-S1-v0", "VizdoomFreedoom1E4M8-S1-v0",
    "VizdoomFreedoom1E4M9-S1-v0", "VizdoomFreedoom2MAP01-S1-v0", "VizdoomFreedoom2MAP02-S1-v0", "VizdoomFreedoom2MAP03-S1-v0", "VizdoomFreedoom2MAP04-S1-v0", "VizdoomFreedoom2MAP05-S1-v0",
    "VizdoomFreedoom2MAP06-S1-v0", "VizdoomFreedoom2MAP07-S1-v0", "VizdoomFreedoom2MAP08-S1-v0", "VizdoomFreedoom2MAP09-S1-v0", "VizdoomFreedoom2MAP10-S1-v0", "VizdoomFreedoom2MAP11-S1-v0",
    "VizdoomFreedoom2MAP12-S1-v0", "VizdoomFreedoom2MAP13-S1-v0", "VizdoomFreedoom2MAP14-S1-v0", "VizdoomFreedoom2MAP15-S1-v0", "VizdoomFreedoom2MAP16-S1-v0", "VizdoomFreedoom2MAP17-S1-v0",
    "VizdoomFreedoom2MAP18-S1-v0", "VizdoomFreedoom2MAP19-S1-v0", "VizdoomFreedoom2MAP20-S1-v0", "VizdoomFreedoom2MAP21-S1-v0", "VizdoomFreedoom2MAP22-S1-v0", "VizdoomFreedoom2MAP23-S1-v0",
    "VizdoomFreedoom2MAP24-S1-v0", "VizdoomFreedoom2MAP25-S1-v0", "VizdoomFreedoom2MAP26-S1-v0", "VizdoomFreedoom2MAP27-S1-v0", "VizdoomFreedoom2MAP28-S1-v0", "VizdoomFreedoom2MAP29-S1-v0",
    "VizdoomFreedoom2MAP30-S1-v0", "VizdoomFreedoom2MAP31-S1-v0", "VizdoomFreedoom2MAP32-S1-v0", "VizdoomDoomE1M1-S2-v0", "VizdoomDoomE1M2-S2-v0", "VizdoomDoomE1M3-S2-v0", "VizdoomDoomE1M4-S2-v0",
    "VizdoomDoomE1M5-S2-v0", "VizdoomDoomE1M6-S2-v0", "VizdoomDoomE1M7-S2-v0", "VizdoomDoomE1M8-S2-v0", "VizdoomDoomE1M9-S2-v0", "VizdoomDoomE2M1-S2-v0", "VizdoomDoomE2M2-S2-v0",
    "VizdoomDoomE2M3-S2-v0", "VizdoomDoomE2M4-S2-v0", "VizdoomDoomE2M5-S2-v0", "VizdoomDoomE2M6-S2-v0", "VizdoomDoomE2M7-S2-v0", "VizdoomDoomE2M8-S2-v0", "VizdoomDoomE2M9-S2-v0",
    "VizdoomDoomE3M1-S2-v0", "VizdoomDoomE3M2-S2-v0", "VizdoomDoomE3M3-S2-v0", "VizdoomDoomE3M4-S2-v0", "VizdoomDoomE3M5-S2-v0", "VizdoomDoomE3M6-S2-v0", "VizdoomDoomE3M7-S2-v0",
    "VizdoomDoomE3M8-S2-v0", "VizdoomDoomE3M9-S2-v0", "VizdoomDoomE4M1-S2-v0", "VizdoomDoomE4M2-S2-v0", "VizdoomDoomE4M3-S2-v0", "VizdoomDoomE4M4-S2-v0", "VizdoomDoomE4M5-S2-v0",
    "VizdoomDoomE4M6-S2-v0", "VizdoomDoomE4M7-S2-v0", "VizdoomDoomE4M8-S2-v0", "VizdoomDoomE4M9-S2-v0", "VizdoomDoom2MAP01-S2-v0", "VizdoomDoom2MAP02-S2-v0", "VizdoomDoom2MAP03-S2-v0",
    "VizdoomDoom2MAP04-S2-v0", "VizdoomDoom2MAP05-S2-v0", "VizdoomDoom2MAP06-S2-v0", "VizdoomDoom2MAP07-S2-v0", "VizdoomDoom2MAP08-S2-v0", "VizdoomDoom2MAP09-S2-v0", "VizdoomDoom2MAP10-S2-v0",
    "VizdoomDoom2MAP11-S2-v0", "VizdoomDoom2MAP12-S2-v0", "VizdoomDoom2MAP13-S2-v0", "VizdoomDoom2MAP14-S2-v0", "VizdoomDoom2MAP15-S2-v0", "VizdoomDoom2MAP16-S2-v0", "VizdoomDoom2MAP17-S2-v0",
    "VizdoomDoom2MAP18-S2-v0", "VizdoomDoom2MAP19-S2-v0", "VizdoomDoom2MAP20-S2-v0", "VizdoomDoom2MAP21-S2-v0", "VizdoomDoom2MAP22-S2-v0", "VizdoomDoom2MAP23-S2-v0", "VizdoomDoom2MAP24-S2-v0",
    "VizdoomDoom2MAP25-S2-v0", "VizdoomDoom2MAP26-S2-v0", "VizdoomDoom2MAP27-S2-v0", "VizdoomDoom2MAP28-S2-v0", "VizdoomDoom2MAP29-S2-v0", "VizdoomDoom2MAP30-S2-v0", "VizdoomDoom2MAP31-S2-v0",
    "VizdoomDoom2MAP32-S2-v0", "VizdoomFreedoom1E1M1-S2-v0", "VizdoomFreedoom1E1M2-S2-v0", "VizdoomFreedoom1E1M3-S2-v0", "VizdoomFreedoom1E1M4-S2-v0", "VizdoomFreedoom1E1M5-S2-v0",
    "VizdoomFreedoom1E1M6-S2-v0", "VizdoomFreedoom1E1M7-S2-v0", "VizdoomFreedoom1E1M8-S2-v0", "VizdoomFreedoom1E1M9-S2-v0", "VizdoomFreedoom1E2M1-S2-v0", "VizdoomFreedoom1E2M2-S2-v0",
    "VizdoomFreedoom1E2M3-S2-v0", "VizdoomFreedoom1E2M4-S2-v0", "VizdoomFreedoom1E2M5-S2-v0", "VizdoomFreedoom1E2M6-S2-v0", "VizdoomFreedoom1E2M7-S2-v0", "VizdoomFreedoom1E2M8-S2-v0",
    "VizdoomFreedoom1E2M9-S2-v0", "VizdoomFreedoom1E3M1-S2-v0", "VizdoomFreedoom1E3M2-S2-v0", "VizdoomFreedoom1E3M3-S2-v0", "VizdoomFreedoom1E3M4-S2-v0", "VizdoomFreedoom1E3M5-S2-v0",
    "VizdoomFreedoom1E3M6-S2-v0", "VizdoomFreedoom1E3M7-S2-v0", "VizdoomFreedoom1E3M8-S2-v0", "VizdoomFreedoom1E3M9-S2-v0", "VizdoomFreedoom1E4M1-S2-v0", "VizdoomFreedoom1E4M2-S2-v0",
    "VizdoomFreedoom1E4M3-S2-v0", "VizdoomFreedoom1E4M4-S2-v0", "VizdoomFreedoom1E4M5-S2-v0", "VizdoomFreedoom1E4M6-S2-v0", "VizdoomFreedoom1E4M7-S2-v0", "VizdoomFreedoom1E4M8-S2-v0",
    "VizdoomFreedoom1E4M9-S2-v0", "VizdoomFreedoom2MAP01-S2-v0", "VizdoomFreedoom2MAP02-S2-v0", "VizdoomFreedoom2MAP03-S2-v0", "VizdoomFreedoom2MAP04-S2-v0", "VizdoomFreedoom2MAP05-S2-v0",
    "VizdoomFreedoom2MAP06-S2-v0", "VizdoomFreedoom2MAP07-S2-v0", "VizdoomFreedoom2MAP08-S2-v0", "VizdoomFreedoom2MAP09-S2-v0", "VizdoomFreedoom2MAP10-S2-v0", "VizdoomFreedoom2MAP11-S2-v0",
    "VizdoomFreedoom2MAP12-S2-v0", "VizdoomFreedoom2MAP13-S2-v0", "VizdoomFreedoom2MAP14-S2-v0", "VizdoomFreedoom2MAP15-S2-v0", "VizdoomFreedoom2MAP16-S2-v0", "VizdoomFreedoom2MAP17-S2-v0",
    "VizdoomFreedoom2MAP18-S2-v0", "VizdoomFreedoom2MAP19-S2-v0", "VizdoomFreedoom2MAP20-S2-v0", "VizdoomFreedoom2MAP21-S2-v0", "VizdoomFreedoom2MAP22-S2-v0", "VizdoomFreedoom2MAP23-S2-v0",
    "VizdoomFreedoom2MAP24-S2-v0", "VizdoomFreedoom2MAP25-S2-v0", "VizdoomFreedoom2MAP26-S2-v0", "VizdoomFreedoom2MAP27-S2-v0", "VizdoomFreedoom2MAP28-S2-v0", "VizdoomFreedoom2MAP29-S2-v0",
    "VizdoomFreedoom2MAP30-S2-v0", "VizdoomFreedoom2MAP31-S2-v0", "VizdoomFreedoom2MAP32-S2-v0", "VizdoomDoomE1M1-S3-v0", "VizdoomDoomE1M2-S3-v0", "VizdoomDoomE1M3-S3-v0", "VizdoomDoomE1M4-S3-v0",
    "VizdoomDoomE1M5-S3-v0", "VizdoomDoomE1M6-S3-v0", "VizdoomDoomE1M7-S3-v0", "VizdoomDoomE1M8-S3-v0", "VizdoomDoomE1M9-S3-v0", "VizdoomDoomE2M1-S3-v0", "VizdoomDoomE2M2-S3-v0",
    "VizdoomDoomE2M3-S3-v0", "VizdoomDoomE2M4-S3-v0", "VizdoomDoomE2M5-S3-v0", "VizdoomDoomE2M6-S3-v0", "VizdoomDoomE2M7-S3-v0", "VizdoomDoomE2M8-S3-v0", "VizdoomDoomE2M9-S3-v0",
    "VizdoomDoomE3M1-S3-v0", "VizdoomDoomE3M2-S3-v0", "VizdoomDoomE3M3-S3-v0", "VizdoomDoomE3M4-S3-v0", "VizdoomDoomE3M5-S3-v0", "VizdoomDoomE3M6-S3-v0", "VizdoomDoomE3M7-S3-v0",
    "VizdoomDoomE3M8-S3-v0", "VizdoomDoomE3M9-S3-v0", "VizdoomDoomE4M1-S3-v0", "VizdoomDoomE4M2-S3-v0", "VizdoomDoomE4M3-S3-v0", "VizdoomDoomE4M4-S3-v0", "VizdoomDoomE4M5-S3-v0",
    "VizdoomDoomE4M6-S3-v0", "VizdoomDoomE4M7-S3-v0", "VizdoomDoomE4M8-S3-v0", "VizdoomDoomE4M9-S3-v0", "VizdoomDoom2MAP01-S3-v0", "VizdoomDoom2MAP02-S3-v0", "VizdoomDoom2MAP03-S3-v0",
    "VizdoomDoom2MAP04-S3-v0", "VizdoomDoom2MAP05-S3-v0", "VizdoomDoom2MAP06-S3-v0", "VizdoomDoom2MAP07-S3-v0", "VizdoomDoom2MAP08-S3-v0", "VizdoomDoom2MAP09-S3-v0", "VizdoomDoom2MAP10-S3-v0",
    "VizdoomDoom2MAP11-S3-v0", "VizdoomDoom2MAP12-S3-v0", "VizdoomDoom2MAP13-S3-v0", "VizdoomDoom2MAP14-S3-v0", "VizdoomDoom2MAP15-S3-v0", "VizdoomDoom2MAP16-S3-v0", "VizdoomDoom2MAP17-S3-v0",
    "VizdoomDoom2MAP18-S3-v0", "VizdoomDoom2MAP19-S3-v0", "VizdoomDoom2MAP20-S3-v0", "VizdoomDoom2MAP21-S3-v0", "VizdoomDoom2MAP22-S3-v0", "VizdoomDoom2MAP23-S3-v0", "VizdoomDoom2MAP24-S3-v0",
    "VizdoomDoom2MAP25-S3-v0", "VizdoomDoom2MAP26-S3-v0", "VizdoomDoom2MAP27-S3-v0", "VizdoomDoom2MAP28-S3-v0", "VizdoomDoom2MAP29-S3-v0", "VizdoomDoom2MAP30-S3-v0", "VizdoomDoom2MAP31-S3-v0",
    "VizdoomDoom2MAP32-S3-v0", "VizdoomFreedoom1E1M1-S3-v0", "VizdoomFreedoom1E1M2-S3-v0", "VizdoomFreedoom1E1M3-S3-v0", "VizdoomFreedoom1E1M4-S3-v0", "VizdoomFreedoom1E1M5-S3-v0",
    "VizdoomFreedoom1E1M6-S3-v0", "VizdoomFreedoom1E1M7-S3-v0", "VizdoomFreedoom1E1M8-S3-v0", "VizdoomFreedoom1E1M9-S3-v0", "VizdoomFreedoom1E2M1-S3-v0", "VizdoomFreedoom1E2M2-S3-v0",
    "VizdoomFreedoom1E2M3-S3-v0", "VizdoomFreedoom1E2M4-S3-v0", "VizdoomFreedoom1E2M5-S3-v0", "VizdoomFreedoom1E2M6-S3-v0", "VizdoomFreedoom1E2M7-S3-v0", "VizdoomFreedoom1E2M8-S3-v0",
    "VizdoomFreedoom1E2M9-S3-v0", "VizdoomFreedoom1E3M1-S3-v0", "VizdoomFreedoom1E3M2-S3-v0", "VizdoomFreedoom1E3M3-S3-v0", "VizdoomFreedoom1E3M4-S3-v0", "VizdoomFreedoom1E3M5-S3-v0",
    "VizdoomFreedoom1E3M6-S3-v0", "VizdoomFreedoom1E3M7-S3-v0", "VizdoomFreedoom1E3M8-S3-v0", "VizdoomFreedoom1E3M9-S3-v0", "VizdoomFreedoom1E4M1-S3-v0", "VizdoomFreedoom1E4M2-S3-v0",
    "VizdoomFreedoom1E4M3-S3-v0", "VizdoomFreedoom1E4M4-S3-v0", "VizdoomFreedoom1E4M5-S3-v0", "VizdoomFreedoom1E4M6-S3-v0", "VizdoomFreedoom1E4M7-S3-v0", "VizdoomFreedoom1E4M8-S3-v0",
    "VizdoomFreedoom1E4M9-S3-v0", "VizdoomFreedoom2MAP01-S3-v0", "VizdoomFreedoom2MAP02-S3-v0", "VizdoomFreedoom2MAP03-S3-v0", "VizdoomFreedoom2MAP04-S3-v0", "VizdoomFreedoom2MAP05-S3-v0",
    "VizdoomFreedoom2MAP06-S3-v0", "VizdoomFreedoom2MAP07-S3-v0", "VizdoomFreedoom2MAP08-S3-v0", "VizdoomFreedoom2MAP09-S3-v0", "VizdoomFreedoom2MAP10-S3-v0", "VizdoomFreedoom2MAP11-S3-v0",
    "VizdoomFreedoom2MAP12-S3-v0", "VizdoomFreedoom2MAP13-S3-v0", "VizdoomFreedoom2MAP14-S3-v0", "VizdoomFreedoom2MAP15-S3-v0", "VizdoomFreedoom2MAP16-S3-v0", "VizdoomFreedoom2MAP17-S3-v0",
    "VizdoomFreedoom2MAP18-S3-v0", "VizdoomFreedoom2MAP19-S3-v0", "VizdoomFreedoom2MAP20-S3-v0", "VizdoomFreedoom2MAP21-S3-v0", "VizdoomFreedoom2MAP22-S3-v0", "VizdoomFreedoom2MAP23-S3-v0",
    "VizdoomFreedoom2MAP24-S3-v0", "VizdoomFreedoom2MAP25-S3-v0", "VizdoomFreedoom2MAP26-S3-v0", "VizdoomFreedoom2MAP27-S3-v0", "VizdoomFreedoom2MAP28-S3-v0", "VizdoomFreedoom2MAP29-S3-v0",
    "VizdoomFreedoom2MAP30-S3-v0", "VizdoomFreedoom2MAP31-S3-v0", "VizdoomFreedoom2MAP32-S3-v0", "VizdoomDoomE1M1-S4-v0", "VizdoomDoomE1M2-S4-v0", "VizdoomDoomE1M3-S4-v0", "VizdoomDoomE1M4-S4-v0",
    "VizdoomDoomE1M5-S4-v0", "VizdoomDoomE1M6-S4-v0", "VizdoomDoomE1M7-S4-v0", "VizdoomDoomE1M8-S4-v0", "VizdoomDoomE1M9-S4-v0", "VizdoomDoomE2M1-S4-v0", "VizdoomDoomE2M2-S4-v0",
    "VizdoomDoomE2M3-S4-v0", "VizdoomDoomE2M4-S4-v0", "VizdoomDoomE2M5-S4-v0", "VizdoomDoomE2M6-S4-v0", "VizdoomDoomE2M7-S4-v0", "VizdoomDoomE2M8-S4-v0", "VizdoomDoomE2M9-S4-v0",
    "VizdoomDoomE3M1-S4-v0", "VizdoomDoomE3M2-S4-v0", "VizdoomDoomE3M3-S4-v0", "VizdoomDoomE3M4-S4-v0", "VizdoomDoomE3M5-S4-v0", "VizdoomDoomE3M6-S4-v0", "VizdoomDoomE3M7-S4-v0",
    "VizdoomDoomE3M8-S4-v0", "VizdoomDoomE3M9-S4-v0", "VizdoomDoomE4M1-S4-v0", "VizdoomDoomE4M2-S4-v0", "VizdoomDoomE4M3-S4-v0", "VizdoomDoomE4M4-S4-v0", "VizdoomDoomE4M5-S4-v0",
    "VizdoomDoomE4M6-S4-v0", "VizdoomDoomE4M7-S4-v0", "VizdoomDoomE4M8-S4-v0", "VizdoomDoomE4M9-S4-v0", "VizdoomDoom2MAP01-S4-v0", "VizdoomDoom2MAP02-S4-v0", "VizdoomDoom2MAP03-S4-v0",
    "VizdoomDoom2MAP04-S4-v0", "VizdoomDoom2MAP05-S4-v0", "VizdoomDoom2MAP06-S4-v0", "VizdoomDoom2MAP07-S4-v0", "VizdoomDoom2MAP08-S4-v0", "VizdoomDoom2MAP09-S4-v0", "VizdoomDoom2MAP10-S4-v0",
    "VizdoomDoom2MAP11-S4-v0", "VizdoomDoom2MAP12-S4-v0", "VizdoomDoom2MAP13-S4-v0", "VizdoomDoom2MAP14-S4-v0", "VizdoomDoom2MAP15-S4-v0", "VizdoomDoom2MAP16-S4-v0", "VizdoomDoom2MAP17-S4-v0",
    "VizdoomDoom2MAP18-S4-v0", "VizdoomDoom2MAP19-S4-v0", "VizdoomDoom2MAP20-S4-v0", "VizdoomDoom2MAP21-S4-v0", "VizdoomDoom2MAP22-S4-v0", "VizdoomDoom2MAP23-S4-v0", "VizdoomDoom2MAP24-S4-v0",
    "VizdoomDoom2MAP25-S4-v0", "VizdoomDoom2MAP26-S4-v0", "VizdoomDoom2MAP27-S4-v0", "VizdoomDoom2MAP28-S4-v0", "VizdoomDoom2MAP29-S4-v0", "VizdoomDoom2MAP30-S4-v0", "VizdoomDoom2MAP31-S4-v0",
    "VizdoomDoom2MAP32-S4-v0", "VizdoomFreedoom1E1M1-S4-v0", "VizdoomFreedoom1E1M2-S4-v0", "VizdoomFreedoom1E1M3-S4-v0", "VizdoomFreedoom1E1M4-S4-v0", "VizdoomFreedoom1E1M5-S4-v0",
    "VizdoomFreedoom1E1M6-S4-v0", "VizdoomFreedoom1E1M7-S4-v0", "VizdoomFreedoom1E1M8-S4-v0", "VizdoomFreedoom1E1M9-S4-v0", "VizdoomFreedoom1E2M1-S4-v0", "VizdoomFreedoom1E2M2-S4-v0",
    "VizdoomFreedoom1E2M3-S4-v0", "VizdoomFreedoom1E2M4-S4-v0", "VizdoomFreedoom1E2M5-S4-v0", "VizdoomFreedoom1E2M6-S4-v0", "VizdoomFreedoom1E2M7-S4-v0", "VizdoomFreedoom1E2M8-S4-v0",
    "VizdoomFreedoom1E2M9-S4-v0", "VizdoomFreedoom1E3M1-S4-v0", "VizdoomFreedoom1E3M2-S4-v0", "VizdoomFreedoom1E3M3-S4-v0", "VizdoomFreedoom1E3M4-S4-v0", "VizdoomFreedoom1E3M5-S4-v0",
    "VizdoomFreedoom1E3M6-S4-v0", "VizdoomFreedoom1E3M7-S4-v0", "VizdoomFreedoom1E3M8-S4-v0", "VizdoomFreedoom1E3M9-S4-v0", "VizdoomFreedoom1E4M1-S4-v0", "VizdoomFreedoom1E4M2-S4-v0",
    "VizdoomFreedoom1E4M3-S4-v0", "VizdoomFreedoom1E4M4-S4-v0", "VizdoomFreedoom1E4M5-S4-v0", "VizdoomFreedoom1E4M6-S4-v0", "VizdoomFreedoom1E4M7-S4-v0", "VizdoomFreedoom1E4M8-S4-v0",
    "VizdoomFreedoom1E4M9-S4-v0", "VizdoomFreedoom2MAP01-S4-v0", "VizdoomFreedoom2MAP02-S4-v0", "VizdoomFreedoom2MAP03-S4-v0", "VizdoomFreedoom2MAP04-S4-v0", "VizdoomFreedoom2MAP05-S4-v0",
    "VizdoomFreedoom2MAP06-S4-v0", "VizdoomFreedoom2MAP07-S4-v0", "VizdoomFreedoom2MAP08-S4-v0", "VizdoomFreedoom2MAP09-S4-v0", "VizdoomFreedoom2MAP10-S4-v0", "VizdoomFreedoom2MAP11-S4-v0",
    "VizdoomFreedoom2MAP12-S4-v0", "VizdoomFreedoom2MAP13-S4-v0", "VizdoomFreedoom2MAP14-S4-v0", "VizdoomFreedoom2MAP15-S4-v0", "VizdoomFreedoom2MAP16-S4-v0", "VizdoomFreedoom2MAP17-S4-v0",
    "VizdoomFreedoom2MAP18-S4-v0", "VizdoomFreedoom2MAP19-S4-v0", "VizdoomFreedoom2MAP20-S4-v0", "VizdoomFreedoom2MAP21-S4-v0", "VizdoomFreedoom2MAP22-S4-v0", "VizdoomFreedoom2MAP23-S4-v0",
    "VizdoomFreedoom2MAP24-S4-v0", "VizdoomFreedoom2MAP25-S4-v0", "VizdoomFreedoom2MAP26-S4-v0", "VizdoomFreedoom2MAP27-S4-v0", "VizdoomFreedoom2MAP28-S4-v0", "VizdoomFreedoom2MAP29-S4-v0",
    "VizdoomFreedoom2MAP30-S4-v0", "VizdoomFreedoom2MAP31-S4-v0", "VizdoomFreedoom2MAP32-S4-v0", "VizdoomDoomE1M1-S5-v0", "VizdoomDoomE1M2-S5-v0", "VizdoomDoomE1M3-S5-v0", "VizdoomDoomE1M4-S5-v0",
    "VizdoomDoomE1M5-S5-v0", "VizdoomDoomE1M6-S5-v0", "VizdoomDoomE1M7-S5-v0", "VizdoomDoomE1M8-S5-v0", "VizdoomDoomE1M9-S5-v0", "VizdoomDoomE2M1-S5-v0", "VizdoomDoomE2M2-S5-v0",
    "VizdoomDoomE2M3-S5-v0", "VizdoomDoomE2M4-S5-v0", "VizdoomDoomE2M5-S5-v0", "VizdoomDoomE2M6-S5-v0", "VizdoomDoomE2M7-S5-v0", "VizdoomDoomE2M8-S5-v0", "VizdoomDoomE2M9-S5-v0",
    "VizdoomDoomE3M1-S5-v0", "VizdoomDoomE3M2-S5-v0", "VizdoomDoomE3M3-S5-v0", "VizdoomDoomE3M4-S5-v0", "VizdoomDoomE3M5-S5-v0", "VizdoomDoomE3M6-S5-v0", "VizdoomDoomE3M7-S5-v0",
    "VizdoomDoomE3M8-S5-v0", "VizdoomDoomE3M9-S5-v0", "VizdoomDoomE4M1-S5-v0", "VizdoomDoomE4M2-S5-v0", "VizdoomDoomE4M3-S5-v0", "VizdoomDoomE4M4-S5-v0", "VizdoomDoomE4M5-S5-v0",
    "VizdoomDoomE4M6-S5-v0", "VizdoomDoomE4M7-S5-v0", "VizdoomDoomE4M8-S5-v0", "VizdoomDoomE4M9-S5-v0", "VizdoomDoom2MAP01-S5-v0", "VizdoomDoom2MAP02-S5-v0", "VizdoomDoom2MAP03-S5-v0",
    "VizdoomDoom2MAP04-S5-v0", "VizdoomDoom2MAP05-S5-v0", "VizdoomDoom2MAP06-S5-v0", "VizdoomDoom2MAP07-S5-v0", "VizdoomDoom2MAP08-S5-v0", "VizdoomDoom2MAP09-S5-v0", "VizdoomDoom2MAP10-S5-v0",
    "VizdoomDoom2MAP11-S5-v0", "VizdoomDoom2MAP12-S5-v0", "VizdoomDoom2MAP13-S5-v0", "VizdoomDoom2MAP14-S5-v0", "VizdoomDoom2MAP15-S5-v0", "VizdoomDoom2MAP16-S5-v0", "VizdoomDoom2MAP17-S5-v0",
    "VizdoomDoom2MAP18-S5-v0", "VizdoomDoom2MAP19-S5-v0", "VizdoomDoom2MAP20-S5-v0", "VizdoomDoom2MAP21-S5-v0", "VizdoomDoom2MAP22-S5-v0", "VizdoomDoom2MAP23-S5-v0", "VizdoomDoom2MAP24-S5-v0",
    "VizdoomDoom2MAP25-S5-v0", "VizdoomDoom2MAP26-S5-v0", "VizdoomDoom2MAP27-S5-v0", "VizdoomDoom2MAP28-S5-v0", "VizdoomDoom2MAP29-S5-v0", "VizdoomDoom2MAP30-S5-v0", "VizdoomDoom2MAP31-S5-v0",
    "VizdoomDoom2MAP32-S5-v0", "VizdoomFreedoom1E1M1-S5-v0", "VizdoomFreedoom1E1M2-S5-v0", "VizdoomFreedoom1E1M3-S5-v0", "VizdoomFreedoom1E1M4-S5-v0", "VizdoomFreedoom1E1M5-S5-v0",
    "VizdoomFreedoom1E1M6-S5-v0", "VizdoomFreedoom1E1M7-S5-v0", "VizdoomFreedoom1E1M8-S5-v0", "VizdoomFreedoom1E1M9-S5-v0", "VizdoomFreedoom1E2M1-S5-v0", "VizdoomFreedoom1E2M2-S5-v0",
    "VizdoomFreedoom1E2M3-S5-v0", "VizdoomFreedoom1E2M4-S5-v0", "VizdoomFreedoom1E2M5-S5-v0", "VizdoomFreedoom1E2M6-S5-v0", "VizdoomFreedoom1E2M7-S5-v0", "VizdoomFreedoom1E2M8-S5-v0",
    "VizdoomFreedoom1E2M9-S5-v0", "VizdoomFreedoom1E3M1-S5-v0", "VizdoomFreedoom1E3M2-S5-v0", "VizdoomFreedoom1E3M3-S5-v0", "VizdoomFreedoom1E3M4-S5-v0", "VizdoomFreedoom1E3M5-S5-v0",
    "VizdoomFreedoom1E3M6-S5-v0", "VizdoomFreedoom1E3M7-S5-v0", "VizdoomFreedoom1E3M8-S5-v0", "VizdoomFreedoom1E3M9-S5-v0", "VizdoomFreedoom1E4M1-S5-v0", "VizdoomFreedoom1E4M2-S5-v0",
    "VizdoomFreedoom1E4M3-S5-v0", "VizdoomFreedoom1E4M4-S5-v0", "VizdoomFreedoom1E4M5-S5-v0", "VizdoomFreedoom1E4M6-S5-v0", "VizdoomFreedoom1E4M7-S5-v0", "VizdoomFreedoom1E4M8-S5-v0",
    "VizdoomFreedoom1E4M9-S5-v0", "VizdoomFreedoom2MAP01-S5-v0", "VizdoomFreedoom2MAP02-S5-v0", "VizdoomFreedoom2MAP03-S5-v0", "VizdoomFreedoom2MAP04-S5-v0", "VizdoomFreedoom2MAP05-S5-v0",
    "VizdoomFreedoom2MAP06-S5-v0", "VizdoomFreedoom2MAP07-S5-v0", "VizdoomFreedoom2MAP08-S5-v0", "VizdoomFreedoom2MAP09-S5-v0", "VizdoomFreedoom2MAP10-S5-v0", "VizdoomFreedoom2MAP11-S5-v0",
    "VizdoomFreedoom2MAP12-S5-v0", "VizdoomFreedoom2MAP13-S5-v0", "VizdoomFreedoom2MAP14-S5-v0", "VizdoomFreedoom2MAP15-S5-v0", "VizdoomFreedoom2MAP16-S5-v0", "VizdoomFreedoom2MAP17-S5-v0",
    "VizdoomFreedoom2MAP18-S5-v0", "VizdoomFreedoom2MAP19-S5-v0", "VizdoomFreedoom2MAP20-S5-v0", "VizdoomFreedoom2MAP21-S5-v0", "VizdoomFreedoom2MAP22-S5-v0", "VizdoomFreedoom2MAP23-S5-v0",
    "VizdoomFreedoom2MAP24-S5-v0", "VizdoomFreedoom2MAP25-S5-v0", "VizdoomFreedoom2MAP26-S5-v0", "VizdoomFreedoom2MAP27-S5-v0", "VizdoomFreedoom2MAP28-S5-v0", "VizdoomFreedoom2MAP29-S5-v0",
    "VizdoomFreedoom2MAP30-S5-v0", "VizdoomFreedoom2MAP31-S5-v0", "VizdoomFreedoom2MAP32-S5-v0"]

CrafterRewardTask: TypeAlias = Literal["CrafterReward-v1", "CrafterNoReward-v1"]

EnvPoolProcgenTask: TypeAlias = Literal["BigfishEasy-v0", "BigfishHard-v0", "BossfightEasy-v0", "BossfightHard-v0", "CaveflyerEasy-v0", "CaveflyerHard-v0", "CaveflyerMemory-v0",
    "CaveflyerExploration-v0", "ChaserEasy-v0", "ChaserHard-v0", "ChaserExtreme-v0", "ClimberEasy-v0", "ClimberHard-v0", "ClimberExploration-v0", "CoinrunEasy-v0", "CoinrunHard-v0",
    "CoinrunExploration-v0", "DodgeballEasy-v0", "DodgeballHard-v0", "DodgeballExtreme-v0", "DodgeballMemory-v0", "FruitbotEasy-v0", "FruitbotHard-v0", "HeistEasy-v0", "HeistHard-v0",
    "HeistMemory-v0", "HeistExploration-v0", "JumperEasy-v0", "JumperHard-v0", "JumperMemory-v0", "JumperExploration-v0", "LeaperEasy-v0", "LeaperHard-v0", "LeaperExtreme-v0", "LeaperExploration-v0",
    "MazeEasy-v0", "MazeHard-v0", "MazeMemory-v0", "MazeExploration-v0", "MinerEasy-v0", "MinerHard-v0", "MinerMemory-v0", "NinjaEasy-v0", "NinjaHard-v0", "NinjaExploration-v0", "PlunderEasy-v0",
    "PlunderHard-v0", "StarpilotEasy-v0", "StarpilotHard-v0", "StarpilotExtreme-v0"]

ProcgenTask: TypeAlias = Literal["procgen-bigfish-v0", "procgen-bossfight-v0", "procgen-caveflyer-v0", "procgen-chaser-v0", "procgen-climber-v0", "procgen-coinrun-v0", "procgen-dodgeball-v0",
    "procgen-fruitbot-v0", "procgen-heist-v0", "procgen-jumper-v0", "procgen-leaper-v0", "procgen-maze-v0", "procgen-miner-v0", "procgen-ninja-v0", "procgen-plunder-v0", "procgen-starpilot-v0"]

KnownTask: TypeAlias = CartPoleTask | MountainCarTask | PendulumTask | AcrobotTask | FrozenLakeTask | TaxiTask | TaxiV4Task | CliffWalkingTask | BlackjackTask | NChainTask | AtariTask | AleAtariTask | CatchTask | SimpleSpreadTask | SimpleSpeakerListenerTask | MiniGridEmpty5x5Task | MiniGridDoorKey5x5Task | MiniGridLavaCrossingS9N1Task | MiniGridDistShift1Task | MiniGridLavaGapS5Task | MiniGridDynamicObstacles5x5Task | MiniGridFetch5x5N2Task | MiniGridFourRoomsTask | MiniGridGoToObject6x6N2Task | MiniGridKeyCorridorS3R1Task | MiniGridMemoryS17RandomTask | MiniGridMultiRoomN2S4Task | MiniGridObstructedMaze1DlTask | MiniGridObstructedMaze2DlTask | MiniGridPlaygroundTask | MiniGridWFCMazeSimpleTask | BabyAIGoToRedBallGreyTask | BabyAIGoToObjTask | BabyAIGoToTask | BabyAIGoToImpUnlockTask | BabyAIOpenDoorTask | BabyAIOpenTwoDoorsTask | BabyAIOpenDoorsOrderN2Task | BabyAIPickupDistTask | BabyAIPutNextLocalTask | BabyAIPutNextS4N1Task | BabyAIMoveTwoAcrossS5N2Task | BabyAIUnlockLocalTask | BabyAIGoToSeqTask | AntTask | AntV4Task | HalfCheetahTask | HopperTask | HumanoidTask | HumanoidStandupTask | InvertedDoublePendulumTask | InvertedPendulumTask | PusherTask | ReacherTask | Walker2dTask | LunarLanderTask | BipedalWalkerTask | CarRacingTask | DmControlTask | CartpoleBalanceTask | ManipulatorBringBallTask | SwimmerSwimmer6Task | PointMazeTask | AntMazeTask | AntMazeV4Task | AntMazeV3Task | MetaWorldTask | FetchTask | AdroitHandDoorSparseTask | HandReachTask | HandManipulateTask | HandTouchTask | FrankaKitchenTask | EnvPoolVizdoomTask | VizdoomTask | CrafterRewardTask | EnvPoolProcgenTask | ProcgenTask

@overload
def make(task_id: CartPoleTask, env_type: Literal["gymnasium"] = "gymnasium", *, num_envs: int = 1, gym_reset_return_info: Literal[True] | None = None, **options: Unpack[CartPoleOptions]) -> GymnasiumEnvPool[Array]: ...
@overload
def make(task_id: CartPoleTask, env_type: Literal["gym"], *, num_envs: int = 1, gym_reset_return_info: bool | None = None, **options: Unpack[CartPoleOptions]) -> GymEnvPool: ...
@overload
def make(task_id: CartPoleTask, env_type: Literal["dm"], *, num_envs: int = 1, gym_reset_return_info: Literal[True] | None = None, **options: Unpack[CartPoleOptions]) -> DMEnvPool: ...
@overload
def make(task_id: MountainCarTask, env_type: Literal["gymnasium"] = "gymnasium", *, num_envs: int = 1, gym_reset_return_info: Literal[True] | None = None, **options: Unpack[MountainCarOptions]) -> GymnasiumEnvPool[Array]: ...
@overload
def make(task_id: MountainCarTask, env_type: Literal["gym"], *, num_envs: int = 1, gym_reset_return_info: bool | None = None, **options: Unpack[MountainCarOptions]) -> GymEnvPool: ...
@overload
def make(task_id: MountainCarTask, env_type: Literal["dm"], *, num_envs: int = 1, gym_reset_return_info: Literal[True] | None = None, **options: Unpack[MountainCarOptions]) -> DMEnvPool: ...
@overload
def make(task_id: PendulumTask, env_type: Literal["gymnasium"] = "gymnasium", *, num_envs: int = 1, gym_reset_return_info: Literal[True] | None = None, **options: Unpack[PendulumOptions]) -> GymnasiumEnvPool[Array]: ...
@overload
def make(task_id: PendulumTask, env_type: Literal["gym"], *, num_envs: int = 1, gym_reset_return_info: bool | None = None, **options: Unpack[PendulumOptions]) -> GymEnvPool: ...
@overload
def make(task_id: PendulumTask, env_type: Literal["dm"], *, num_envs: int = 1, gym_reset_return_info: Literal[True] | None = None, **options: Unpack[PendulumOptions]) -> DMEnvPool: ...
@overload
def make(task_id: AcrobotTask, env_type: Literal["gymnasium"] = "gymnasium", *, num_envs: int = 1, gym_reset_return_info: Literal[True] | None = None, **options: Unpack[PoolOptions]) -> GymnasiumEnvPool[Array]: ...
@overload
def make(task_id: AcrobotTask, env_type: Literal["gym"], *, num_envs: int = 1, gym_reset_return_info: bool | None = None, **options: Unpack[PoolOptions]) -> GymEnvPool: ...
@overload
def make(task_id: AcrobotTask, env_type: Literal["dm"], *, num_envs: int = 1, gym_reset_return_info: Literal[True] | None = None, **options: Unpack[PoolOptions]) -> DMEnvPool: ...
@overload
def make(task_id: FrozenLakeTask, env_type: Literal["gymnasium"] = "gymnasium", *, num_envs: int = 1, gym_reset_return_info: Literal[True] | None = None, **options: Unpack[FrozenLakeOptions]) -> GymnasiumEnvPool[Array]: ...
@overload
def make(task_id: FrozenLakeTask, env_type: Literal["gym"], *, num_envs: int = 1, gym_reset_return_info: bool | None = None, **options: Unpack[FrozenLakeOptions]) -> GymEnvPool: ...
@overload
def make(task_id: FrozenLakeTask, env_type: Literal["dm"], *, num_envs: int = 1, gym_reset_return_info: Literal[True] | None = None, **options: Unpack[FrozenLakeOptions]) -> DMEnvPool: ...
@overload
def make(task_id: TaxiTask, env_type: Literal["gymnasium"] = "gymnasium", *, num_envs: int = 1, gym_reset_return_info: Literal[True] | None = None, **options: Unpack[TaxiOptions]) -> GymnasiumEnvPool[Array]: ...
@overload
def make(task_id: TaxiTask, env_type: Literal["gym"], *, num_envs: int = 1, gym_reset_return_info: bool | None = None, **options: Unpack[TaxiOptions]) -> GymEnvPool: ...
@overload
def make(task_id: TaxiTask, env_type: Literal["dm"], *, num_envs: int = 1, gym_reset_return_info: Literal[True] | None = None, **options: Unpack[TaxiOptions]) -> DMEnvPool: ...
@overload
def make(task_id: TaxiV4Task, env_type: Literal["gymnasium"] = "gymnasium", *, num_envs: int = 1, gym_reset_return_info: Literal[True] | None = None, **options: Unpack[TaxiV4Options]) -> GymnasiumEnvPool[Array]: ...
@overload
def make(task_id: TaxiV4Task, env_type: Literal["gym"], *, num_envs: int = 1, gym_reset_return_info: bool | None = None, **options: Unpack[TaxiV4Options]) -> GymEnvPool: ...
@overload
def make(task_id: TaxiV4Task, env_type: Literal["dm"], *, num_envs: int = 1, gym_reset_return_info: Literal[True] | None = None, **options: Unpack[TaxiV4Options]) -> DMEnvPool: ...
@overload
def make(task_id: CliffWalkingTask, env_type: Literal["gymnasium"] = "gymnasium", *, num_envs: int = 1, gym_reset_return_info: Literal[True] | None = None, **options: Unpack[CliffWalkingOptions]) -> GymnasiumEnvPool[Array]: ...
@overload
def make(task_id: CliffWalkingTask, env_type: Literal["gym"], *, num_envs: int = 1, gym_reset_return_info: bool | None = None, **options: Unpack[CliffWalkingOptions]) -> GymEnvPool: ...
@overload
def make(task_id: CliffWalkingTask, env_type: Literal["dm"], *, num_envs: int = 1, gym_reset_return_info: Literal[True] | None = None, **options: Unpack[CliffWalkingOptions]) -> DMEnvPool: ...
@overload
def make(task_id: BlackjackTask, env_type: Literal["gymnasium"] = "gymnasium", *, num_envs: int = 1, gym_reset_return_info: Literal[True] | None = None, **options: Unpack[BlackjackOptions]) -> GymnasiumEnvPool[Array]: ...
@overload
def make(task_id: BlackjackTask, env_type: Literal["gym"], *, num_envs: int = 1, gym_reset_return_info: bool | None = None, **options: Unpack[BlackjackOptions]) -> GymEnvPool: ...
@overload
def make(task_id: BlackjackTask, env_type: Literal["dm"], *, num_envs: int = 1, gym_reset_return_info: Literal[True] | None = None, **options: Unpack[BlackjackOptions]) -> DMEnvPool: ...
@overload
def make(task_id: NChainTask, env_type: Literal["gymnasium"] = "gymnasium", *, num_envs: int = 1, gym_reset_return_info: Literal[True] | None = None, **options: Unpack[NChainOptions]) -> GymnasiumEnvPool[Array]: ...
@overload
def make(task_id: NChainTask, env_type: Literal["gym"], *, num_envs: int = 1, gym_reset_return_info: bool | None = None, **options: Unpack[NChainOptions]) -> GymEnvPool: ...
@overload
def make(task_id: NChainTask, env_type: Literal["dm"], *, num_envs: int = 1, gym_reset_return_info: Literal[True] | None = None, **options: Unpack[NChainOptions]) -> DMEnvPool: ...
@overload
def make(task_id: AtariTask, env_type: Literal["gymnasium"] = "gymnasium", *, num_envs: int = 1, gym_reset_return_info: Literal[True] | None = None, **options: Unpack[AtariOptions]) -> GymnasiumEnvPool[Array]: ...
@overload
def make(task_id: AtariTask, env_type: Literal["gym"], *, num_envs: int = 1, gym_reset_return_info: bool | None = None, **options: Unpack[AtariOptions]) -> GymEnvPool: ...
@overload
def make(task_id: AtariTask, env_type: Literal["dm"], *, num_envs: int = 1, gym_reset_return_info: Literal[True] | None = None, **options: Unpack[AtariOptions]) -> DMEnvPool: ...
@overload
def make(task_id: AleAtariTask, env_type: Literal["gymnasium"] = "gymnasium", *, num_envs: int = 1, gym_reset_return_info: Literal[True] | None = None, **options: Unpack[AleAtariOptions]) -> GymnasiumEnvPool[Array]: ...
@overload
def make(task_id: AleAtariTask, env_type: Literal["gym"], *, num_envs: int = 1, gym_reset_return_info: bool | None = None, **options: Unpack[AleAtariOptions]) -> GymEnvPool: ...
@overload
def make(task_id: AleAtariTask, env_type: Literal["dm"], *, num_envs: int = 1, gym_reset_return_info: Literal[True] | None = None, **options: Unpack[AleAtariOptions]) -> DMEnvPool: ...
@overload
def make(task_id: CatchTask, env_type: Literal["gymnasium"] = "gymnasium", *, num_envs: int = 1, gym_reset_return_info: Literal[True] | None = None, **options: Unpack[CatchOptions]) -> GymnasiumEnvPool[Array]: ...
@overload
def make(task_id: CatchTask, env_type: Literal["gym"], *, num_envs: int = 1, gym_reset_return_info: bool | None = None, **options: Unpack[CatchOptions]) -> GymEnvPool: ...
@overload
def make(task_id: CatchTask, env_type: Literal["dm"], *, num_envs: int = 1, gym_reset_return_info: Literal[True] | None = None, **options: Unpack[CatchOptions]) -> DMEnvPool: ...
@overload
def make(task_id: SimpleSpreadTask, env_type: Literal["gymnasium"] = "gymnasium", *, num_envs: int = 1, gym_reset_return_info: Literal[True] | None = None, **options: Unpack[SimpleSpreadOptions]) -> GymnasiumEnvPool[Array]: ...
@overload
def make(task_id: SimpleSpreadTask, env_type: Literal["gym"], *, num_envs: int = 1, gym_reset_return_info: bool | None = None, **options: Unpack[SimpleSpreadOptions]) -> GymEnvPool: ...
@overload
def make(task_id: SimpleSpreadTask, env_type: Literal["dm"], *, num_envs: int = 1, gym_reset_return_info: Literal[True] | None = None, **options: Unpack[SimpleSpreadOptions]) -> DMEnvPool: ...
@overload
def make(task_id: SimpleSpeakerListenerTask, env_type: Literal["gymnasium"] = "gymnasium", *, num_envs: int = 1, gym_reset_return_info: Literal[True] | None = None, **options: Unpack[SimpleSpeakerListenerOptions]) -> GymnasiumEnvPool[dict[str, Array]]: ...
@overload
def make(task_id: SimpleSpeakerListenerTask, env_type: Literal["gym"], *, num_envs: int = 1, gym_reset_return_info: bool | None = None, **options: Unpack[SimpleSpeakerListenerOptions]) -> GymEnvPool: ...
@overload
def make(task_id: SimpleSpeakerListenerTask, env_type: Literal["dm"], *, num_envs: int = 1, gym_reset_return_info: Literal[True] | None = None, **options: Unpack[SimpleSpeakerListenerOptions]) -> DMEnvPool: ...
@overload
def make(task_id: MiniGridEmpty5x5Task, env_type: Literal["gymnasium"] = "gymnasium", *, num_envs: int = 1, gym_reset_return_info: Literal[True] | None = None, **options: Unpack[MiniGridEmpty5x5Options]) -> GymnasiumEnvPool[dict[str, Array]]: ...
@overload
def make(task_id: MiniGridEmpty5x5Task, env_type: Literal["gym"], *, num_envs: int = 1, gym_reset_return_info: bool | None = None, **options: Unpack[MiniGridEmpty5x5Options]) -> GymEnvPool: ...
@overload
def make(task_id: MiniGridEmpty5x5Task, env_type: Literal["dm"], *, num_envs: int = 1, gym_reset_return_info: Literal[True] | None = None, **options: Unpack[MiniGridEmpty5x5Options]) -> DMEnvPool: ...
@overload
def make(task_id: MiniGridDoorKey5x5Task, env_type: Literal["gymnasium"] = "gymnasium", *, num_envs: int = 1, gym_reset_return_info: Literal[True] | None = None, **options: Unpack[MiniGridDoorKey5x5Options]) -> GymnasiumEnvPool[dict[str, Array]]: ...
@overload
def make(task_id: MiniGridDoorKey5x5Task, env_type: Literal["gym"], *, num_envs: int = 1, gym_reset_return_info: bool | None = None, **options: Unpack[MiniGridDoorKey5x5Options]) -> GymEnvPool: ...
@overload
def make(task_id: MiniGridDoorKey5x5Task, env_type: Literal["dm"], *, num_envs: int = 1, gym_reset_return_info: Literal[True] | None = None, **options: Unpack[MiniGridDoorKey5x5Options]) -> DMEnvPool: ...
@overload
def make(task_id: MiniGridLavaCrossingS9N1Task, env_type: Literal["gymnasium"] = "gymnasium", *, num_envs: int = 1, gym_reset_return_info: Literal[True] | None = None, **options: Unpack[MiniGridLavaCrossingS9N1Options]) -> GymnasiumEnvPool[dict[str, Array]]: ...
@overload
def make(task_id: MiniGridLavaCrossingS9N1Task, env_type: Literal["gym"], *, num_envs: int = 1, gym_reset_return_info: bool | None = None, **options: Unpack[MiniGridLavaCrossingS9N1Options]) -> GymEnvPool: ...
@overload
def make(task_id: MiniGridLavaCrossingS9N1Task, env_type: Literal["dm"], *, num_envs: int = 1, gym_reset_return_info: Literal[True] | None = None, **options: Unpack[MiniGridLavaCrossingS9N1Options]) -> DMEnvPool: ...
@overload
def make(task_id: MiniGridDistShift1Task, env_type: Literal["gymnasium"] = "gymnasium", *, num_envs: int = 1, gym_reset_return_info: Literal[True] | None = None, **options: Unpack[MiniGridDistShift1Options]) -> GymnasiumEnvPool[dict[str, Array]]: ...
@overload
def make(task_id: MiniGridDistShift1Task, env_type: Literal["gym"], *, num_envs: int = 1, gym_reset_return_info: bool | None = None, **options: Unpack[MiniGridDistShift1Options]) -> GymEnvPool: ...
@overload
def make(task_id: MiniGridDistShift1Task, env_type: Literal["dm"], *, num_envs: int = 1, gym_reset_return_info: Literal[True] | None = None, **options: Unpack[MiniGridDistShift1Options]) -> DMEnvPool: ...
@overload
def make(task_id: MiniGridLavaGapS5Task, env_type: Literal["gymnasium"] = "gymnasium", *, num_envs: int = 1, gym_reset_return_info: Literal[True] | None = None, **options: Unpack[MiniGridLavaGapS5Options]) -> GymnasiumEnvPool[dict[str, Array]]: ...
@overload
def make(task_id: MiniGridLavaGapS5Task, env_type: Literal["gym"], *, num_envs: int = 1, gym_reset_return_info: bool | None = None, **options: Unpack[MiniGridLavaGapS5Options]) -> GymEnvPool: ...
@overload
def make(task_id: MiniGridLavaGapS5Task, env_type: Literal["dm"], *, num_envs: int = 1, gym_reset_return_info: Literal[True] | None = None, **options: Unpack[MiniGridLavaGapS5Options]) -> DMEnvPool: ...
@overload
def make(task_id: MiniGridDynamicObstacles5x5Task, env_type: Literal["gymnasium"] = "gymnasium", *, num_envs: int = 1, gym_reset_return_info: Literal[True] | None = None, **options: Unpack[MiniGridDynamicObstacles5x5Options]) -> GymnasiumEnvPool[dict[str, Array]]: ...
@overload
def make(task_id: MiniGridDynamicObstacles5x5Task, env_type: Literal["gym"], *, num_envs: int = 1, gym_reset_return_info: bool | None = None, **options: Unpack[MiniGridDynamicObstacles5x5Options]) -> GymEnvPool: ...
@overload
def make(task_id: MiniGridDynamicObstacles5x5Task, env_type: Literal["dm"], *, num_envs: int = 1, gym_reset_return_info: Literal[True] | None = None, **options: Unpack[MiniGridDynamicObstacles5x5Options]) -> DMEnvPool: ...
@overload
def make(task_id: MiniGridFetch5x5N2Task, env_type: Literal["gymnasium"] = "gymnasium", *, num_envs: int = 1, gym_reset_return_info: Literal[True] | None = None, **options: Unpack[MiniGridFetch5x5N2Options]) -> GymnasiumEnvPool[dict[str, Array]]: ...
@overload
def make(task_id: MiniGridFetch5x5N2Task, env_type: Literal["gym"], *, num_envs: int = 1, gym_reset_return_info: bool | None = None, **options: Unpack[MiniGridFetch5x5N2Options]) -> GymEnvPool: ...
@overload
def make(task_id: MiniGridFetch5x5N2Task, env_type: Literal["dm"], *, num_envs: int = 1, gym_reset_return_info: Literal[True] | None = None, **options: Unpack[MiniGridFetch5x5N2Options]) -> DMEnvPool: ...
@overload
def make(task_id: MiniGridFourRoomsTask, env_type: Literal["gymnasium"] = "gymnasium", *, num_envs: int = 1, gym_reset_return_info: Literal[True] | None = None, **options: Unpack[MiniGridFourRoomsOptions]) -> GymnasiumEnvPool[dict[str, Array]]: ...
@overload
def make(task_id: MiniGridFourRoomsTask, env_type: Literal["gym"], *, num_envs: int = 1, gym_reset_return_info: bool | None = None, **options: Unpack[MiniGridFourRoomsOptions]) -> GymEnvPool: ...
@overload
def make(task_id: MiniGridFourRoomsTask, env_type: Literal["dm"], *, num_envs: int = 1, gym_reset_return_info: Literal[True] | None = None, **options: Unpack[MiniGridFourRoomsOptions]) -> DMEnvPool: ...
@overload
def make(task_id: MiniGridGoToObject6x6N2Task, env_type: Literal["gymnasium"] = "gymnasium", *, num_envs: int = 1, gym_reset_return_info: Literal[True] | None = None, **options: Unpack[MiniGridGoToObject6x6N2Options]) -> GymnasiumEnvPool[dict[str, Array]]: ...
@overload
def make(task_id: MiniGridGoToObject6x6N2Task, env_type: Literal["gym"], *, num_envs: int = 1, gym_reset_return_info: bool | None = None, **options: Unpack[MiniGridGoToObject6x6N2Options]) -> GymEnvPool: ...
@overload
def make(task_id: MiniGridGoToObject6x6N2Task, env_type: Literal["dm"], *, num_envs: int = 1, gym_reset_return_info: Literal[True] | None = None, **options: Unpack[MiniGridGoToObject6x6N2Options]) -> DMEnvPool: ...
@overload
def make(task_id: MiniGridKeyCorridorS3R1Task, env_type: Literal["gymnasium"] = "gymnasium", *, num_envs: int = 1, gym_reset_return_info: Literal[True] | None = None, **options: Unpack[MiniGridKeyCorridorS3R1Options]) -> GymnasiumEnvPool[dict[str, Array]]: ...
@overload
def make(task_id: MiniGridKeyCorridorS3R1Task, env_type: Literal["gym"], *, num_envs: int = 1, gym_reset_return_info: bool | None = None, **options: Unpack[MiniGridKeyCorridorS3R1Options]) -> GymEnvPool: ...
@overload
def make(task_id: MiniGridKeyCorridorS3R1Task, env_type: Literal["dm"], *, num_envs: int = 1, gym_reset_return_info: Literal[True] | None = None, **options: Unpack[MiniGridKeyCorridorS3R1Options]) -> DMEnvPool: ...
@overload
def make(task_id: MiniGridMemoryS17RandomTask, env_type: Literal["gymnasium"] = "gymnasium", *, num_envs: int = 1, gym_reset_return_info: Literal[True] | None = None, **options: Unpack[MiniGridMemoryS17RandomOptions]) -> GymnasiumEnvPool[dict[str, Array]]: ...
@overload
def make(task_id: MiniGridMemoryS17RandomTask, env_type: Literal["gym"], *, num_envs: int = 1, gym_reset_return_info: bool | None = None, **options: Unpack[MiniGridMemoryS17RandomOptions]) -> GymEnvPool: ...
@overload
def make(task_id: MiniGridMemoryS17RandomTask, env_type: Literal["dm"], *, num_envs: int = 1, gym_reset_return_info: Literal[True] | None = None, **options: Unpack[MiniGridMemoryS17RandomOptions]) -> DMEnvPool: ...
@overload
def make(task_id: MiniGridMultiRoomN2S4Task, env_type: Literal["gymnasium"] = "gymnasium", *, num_envs: int = 1, gym_reset_return_info: Literal[True] | None = None, **options: Unpack[MiniGridMultiRoomN2S4Options]) -> GymnasiumEnvPool[dict[str, Array]]: ...
@overload
def make(task_id: MiniGridMultiRoomN2S4Task, env_type: Literal["gym"], *, num_envs: int = 1, gym_reset_return_info: bool | None = None, **options: Unpack[MiniGridMultiRoomN2S4Options]) -> GymEnvPool: ...
@overload
def make(task_id: MiniGridMultiRoomN2S4Task, env_type: Literal["dm"], *, num_envs: int = 1, gym_reset_return_info: Literal[True] | None = None, **options: Unpack[MiniGridMultiRoomN2S4Options]) -> DMEnvPool: ...
@overload
def make(task_id: MiniGridObstructedMaze1DlTask, env_type: Literal["gymnasium"] = "gymnasium", *, num_envs: int = 1, gym_reset_return_info: Literal[True] | None = None, **options: Unpack[MiniGridObstructedMaze1DlOptions]) -> GymnasiumEnvPool[dict[str, Array]]: ...
@overload
def make(task_id: MiniGridObstructedMaze1DlTask, env_type: Literal["gym"], *, num_envs: int = 1, gym_reset_return_info: bool | None = None, **options: Unpack[MiniGridObstructedMaze1DlOptions]) -> GymEnvPool: ...
@overload
def make(task_id: MiniGridObstructedMaze1DlTask, env_type: Literal["dm"], *, num_envs: int = 1, gym_reset_return_info: Literal[True] | None = None, **options: Unpack[MiniGridObstructedMaze1DlOptions]) -> DMEnvPool: ...
@overload
def make(task_id: MiniGridObstructedMaze2DlTask, env_type: Literal["gymnasium"] = "gymnasium", *, num_envs: int = 1, gym_reset_return_info: Literal[True] | None = None, **options: Unpack[MiniGridObstructedMaze2DlOptions]) -> GymnasiumEnvPool[dict[str, Array]]: ...
@overload
def make(task_id: MiniGridObstructedMaze2DlTask, env_type: Literal["gym"], *, num_envs: int = 1, gym_reset_return_info: bool | None = None, **options: Unpack[MiniGridObstructedMaze2DlOptions]) -> GymEnvPool: ...
@overload
def make(task_id: MiniGridObstructedMaze2DlTask, env_type: Literal["dm"], *, num_envs: int = 1, gym_reset_return_info: Literal[True] | None = None, **options: Unpack[MiniGridObstructedMaze2DlOptions]) -> DMEnvPool: ...
@overload
def make(task_id: MiniGridPlaygroundTask, env_type: Literal["gymnasium"] = "gymnasium", *, num_envs: int = 1, gym_reset_return_info: Literal[True] | None = None, **options: Unpack[MiniGridPlaygroundOptions]) -> GymnasiumEnvPool[dict[str, Array]]: ...
@overload
def make(task_id: MiniGridPlaygroundTask, env_type: Literal["gym"], *, num_envs: int = 1, gym_reset_return_info: bool | None = None, **options: Unpack[MiniGridPlaygroundOptions]) -> GymEnvPool: ...
@overload
def make(task_id: MiniGridPlaygroundTask, env_type: Literal["dm"], *, num_envs: int = 1, gym_reset_return_info: Literal[True] | None = None, **options: Unpack[MiniGridPlaygroundOptions]) -> DMEnvPool: ...
@overload
def make(task_id: MiniGridWFCMazeSimpleTask, env_type: Literal["gymnasium"] = "gymnasium", *, num_envs: int = 1, gym_reset_return_info: Literal[True] | None = None, **options: Unpack[MiniGridWFCMazeSimpleOptions]) -> GymnasiumEnvPool[dict[str, Array]]: ...
@overload
def make(task_id: MiniGridWFCMazeSimpleTask, env_type: Literal["gym"], *, num_envs: int = 1, gym_reset_return_info: bool | None = None, **options: Unpack[MiniGridWFCMazeSimpleOptions]) -> GymEnvPool: ...
@overload
def make(task_id: MiniGridWFCMazeSimpleTask, env_type: Literal["dm"], *, num_envs: int = 1, gym_reset_return_info: Literal[True] | None = None, **options: Unpack[MiniGridWFCMazeSimpleOptions]) -> DMEnvPool: ...
@overload
def make(task_id: BabyAIGoToRedBallGreyTask, env_type: Literal["gymnasium"] = "gymnasium", *, num_envs: int = 1, gym_reset_return_info: Literal[True] | None = None, **options: Unpack[BabyAIGoToRedBallGreyOptions]) -> GymnasiumEnvPool[dict[str, Array]]: ...
@overload
def make(task_id: BabyAIGoToRedBallGreyTask, env_type: Literal["gym"], *, num_envs: int = 1, gym_reset_return_info: bool | None = None, **options: Unpack[BabyAIGoToRedBallGreyOptions]) -> GymEnvPool: ...
@overload
def make(task_id: BabyAIGoToRedBallGreyTask, env_type: Literal["dm"], *, num_envs: int = 1, gym_reset_return_info: Literal[True] | None = None, **options: Unpack[BabyAIGoToRedBallGreyOptions]) -> DMEnvPool: ...
@overload
def make(task_id: BabyAIGoToObjTask, env_type: Literal["gymnasium"] = "gymnasium", *, num_envs: int = 1, gym_reset_return_info: Literal[True] | None = None, **options: Unpack[BabyAIGoToObjOptions]) -> GymnasiumEnvPool[dict[str, Array]]: ...
@overload
def make(task_id: BabyAIGoToObjTask, env_type: Literal["gym"], *, num_envs: int = 1, gym_reset_return_info: bool | None = None, **options: Unpack[BabyAIGoToObjOptions]) -> GymEnvPool: ...
@overload
def make(task_id: BabyAIGoToObjTask, env_type: Literal["dm"], *, num_envs: int = 1, gym_reset_return_info: Literal[True] | None = None, **options: Unpack[BabyAIGoToObjOptions]) -> DMEnvPool: ...
@overload
def make(task_id: BabyAIGoToTask, env_type: Literal["gymnasium"] = "gymnasium", *, num_envs: int = 1, gym_reset_return_info: Literal[True] | None = None, **options: Unpack[BabyAIGoToOptions]) -> GymnasiumEnvPool[dict[str, Array]]: ...
@overload
def make(task_id: BabyAIGoToTask, env_type: Literal["gym"], *, num_envs: int = 1, gym_reset_return_info: bool | None = None, **options: Unpack[BabyAIGoToOptions]) -> GymEnvPool: ...
@overload
def make(task_id: BabyAIGoToTask, env_type: Literal["dm"], *, num_envs: int = 1, gym_reset_return_info: Literal[True] | None = None, **options: Unpack[BabyAIGoToOptions]) -> DMEnvPool: ...
@overload
def make(task_id: BabyAIGoToImpUnlockTask, env_type: Literal["gymnasium"] = "gymnasium", *, num_envs: int = 1, gym_reset_return_info: Literal[True] | None = None, **options: Unpack[BabyAIGoToImpUnlockOptions]) -> GymnasiumEnvPool[dict[str, Array]]: ...
@overload
def make(task_id: BabyAIGoToImpUnlockTask, env_type: Literal["gym"], *, num_envs: int = 1, gym_reset_return_info: bool | None = None, **options: Unpack[BabyAIGoToImpUnlockOptions]) -> GymEnvPool: ...
@overload
def make(task_id: BabyAIGoToImpUnlockTask, env_type: Literal["dm"], *, num_envs: int = 1, gym_reset_return_info: Literal[True] | None = None, **options: Unpack[BabyAIGoToImpUnlockOptions]) -> DMEnvPool: ...
@overload
def make(task_id: BabyAIOpenDoorTask, env_type: Literal["gymnasium"] = "gymnasium", *, num_envs: int = 1, gym_reset_return_info: Literal[True] | None = None, **options: Unpack[BabyAIOpenDoorOptions]) -> GymnasiumEnvPool[dict[str, Array]]: ...
@overload
def make(task_id: BabyAIOpenDoorTask, env_type: Literal["gym"], *, num_envs: int = 1, gym_reset_return_info: bool | None = None, **options: Unpack[BabyAIOpenDoorOptions]) -> GymEnvPool: ...
@overload
def make(task_id: BabyAIOpenDoorTask, env_type: Literal["dm"], *, num_envs: int = 1, gym_reset_return_info: Literal[True] | None = None, **options: Unpack[BabyAIOpenDoorOptions]) -> DMEnvPool: ...
@overload
def make(task_id: BabyAIOpenTwoDoorsTask, env_type: Literal["gymnasium"] = "gymnasium", *, num_envs: int = 1, gym_reset_return_info: Literal[True] | None = None, **options: Unpack[BabyAIOpenTwoDoorsOptions]) -> GymnasiumEnvPool[dict[str, Array]]: ...
@overload
def make(task_id: BabyAIOpenTwoDoorsTask, env_type: Literal["gym"], *, num_envs: int = 1, gym_reset_return_info: bool | None = None, **options: Unpack[BabyAIOpenTwoDoorsOptions]) -> GymEnvPool: ...
@overload
def make(task_id: BabyAIOpenTwoDoorsTask, env_type: Literal["dm"], *, num_envs: int = 1, gym_reset_return_info: Literal[True] | None = None, **options: Unpack[BabyAIOpenTwoDoorsOptions]) -> DMEnvPool: ...
@overload
def make(task_id: BabyAIOpenDoorsOrderN2Task, env_type: Literal["gymnasium"] = "gymnasium", *, num_envs: int = 1, gym_reset_return_info: Literal[True] | None = None, **options: Unpack[BabyAIOpenDoorsOrderN2Options]) -> GymnasiumEnvPool[dict[str, Array]]: ...
@overload
def make(task_id: BabyAIOpenDoorsOrderN2Task, env_type: Literal["gym"], *, num_envs: int = 1, gym_reset_return_info: bool | None = None, **options: Unpack[BabyAIOpenDoorsOrderN2Options]) -> GymEnvPool: ...
@overload
def make(task_id: BabyAIOpenDoorsOrderN2Task, env_type: Literal["dm"], *, num_envs: int = 1, gym_reset_return_info: Literal[True] | None = None, **options: Unpack[BabyAIOpenDoorsOrderN2Options]) -> DMEnvPool: ...
@overload
def make(task_id: BabyAIPickupDistTask, env_type: Literal["gymnasium"] = "gymnasium", *, num_envs: int = 1, gym_reset_return_info: Literal[True] | None = None, **options: Unpack[BabyAIPickupDistOptions]) -> GymnasiumEnvPool[dict[str, Array]]: ...
@overload
def make(task_id: BabyAIPickupDistTask, env_type: Literal["gym"], *, num_envs: int = 1, gym_reset_return_info: bool | None = None, **options: Unpack[BabyAIPickupDistOptions]) -> GymEnvPool: ...
@overload
def make(task_id: BabyAIPickupDistTask, env_type: Literal["dm"], *, num_envs: int = 1, gym_reset_return_info: Literal[True] | None = None, **options: Unpack[BabyAIPickupDistOptions]) -> DMEnvPool: ...
@overload
def make(task_id: BabyAIPutNextLocalTask, env_type: Literal["gymnasium"] = "gymnasium", *, num_envs: int = 1, gym_reset_return_info: Literal[True] | None = None, **options: Unpack[BabyAIPutNextLocalOptions]) -> GymnasiumEnvPool[dict[str, Array]]: ...
@overload
def make(task_id: BabyAIPutNextLocalTask, env_type: Literal["gym"], *, num_envs: int = 1, gym_reset_return_info: bool | None = None, **options: Unpack[BabyAIPutNextLocalOptions]) -> GymEnvPool: ...
@overload
def make(task_id: BabyAIPutNextLocalTask, env_type: Literal["dm"], *, num_envs: int = 1, gym_reset_return_info: Literal[True] | None = None, **options: Unpack[BabyAIPutNextLocalOptions]) -> DMEnvPool: ...
@overload
def make(task_id: BabyAIPutNextS4N1Task, env_type: Literal["gymnasium"] = "gymnasium", *, num_envs: int = 1, gym_reset_return_info: Literal[True] | None = None, **options: Unpack[BabyAIPutNextS4N1Options]) -> GymnasiumEnvPool[dict[str, Array]]: ...
@overload
def make(task_id: BabyAIPutNextS4N1Task, env_type: Literal["gym"], *, num_envs: int = 1, gym_reset_return_info: bool | None = None, **options: Unpack[BabyAIPutNextS4N1Options]) -> GymEnvPool: ...
@overload
def make(task_id: BabyAIPutNextS4N1Task, env_type: Literal["dm"], *, num_envs: int = 1, gym_reset_return_info: Literal[True] | None = None, **options: Unpack[BabyAIPutNextS4N1Options]) -> DMEnvPool: ...
@overload
def make(task_id: BabyAIMoveTwoAcrossS5N2Task, env_type: Literal["gymnasium"] = "gymnasium", *, num_envs: int = 1, gym_reset_return_info: Literal[True] | None = None, **options: Unpack[BabyAIMoveTwoAcrossS5N2Options]) -> GymnasiumEnvPool[dict[str, Array]]: ...
@overload
def make(task_id: BabyAIMoveTwoAcrossS5N2Task, env_type: Literal["gym"], *, num_envs: int = 1, gym_reset_return_info: bool | None = None, **options: Unpack[BabyAIMoveTwoAcrossS5N2Options]) -> GymEnvPool: ...
@overload
def make(task_id: BabyAIMoveTwoAcrossS5N2Task, env_type: Literal["dm"], *, num_envs: int = 1, gym_reset_return_info: Literal[True] | None = None, **options: Unpack[BabyAIMoveTwoAcrossS5N2Options]) -> DMEnvPool: ...
@overload
def make(task_id: BabyAIUnlockLocalTask, env_type: Literal["gymnasium"] = "gymnasium", *, num_envs: int = 1, gym_reset_return_info: Literal[True] | None = None, **options: Unpack[BabyAIUnlockLocalOptions]) -> GymnasiumEnvPool[dict[str, Array]]: ...
@overload
def make(task_id: BabyAIUnlockLocalTask, env_type: Literal["gym"], *, num_envs: int = 1, gym_reset_return_info: bool | None = None, **options: Unpack[BabyAIUnlockLocalOptions]) -> GymEnvPool: ...
@overload
def make(task_id: BabyAIUnlockLocalTask, env_type: Literal["dm"], *, num_envs: int = 1, gym_reset_return_info: Literal[True] | None = None, **options: Unpack[BabyAIUnlockLocalOptions]) -> DMEnvPool: ...
@overload
def make(task_id: BabyAIGoToSeqTask, env_type: Literal["gymnasium"] = "gymnasium", *, num_envs: int = 1, gym_reset_return_info: Literal[True] | None = None, **options: Unpack[BabyAIGoToSeqOptions]) -> GymnasiumEnvPool[dict[str, Array]]: ...
@overload
def make(task_id: BabyAIGoToSeqTask, env_type: Literal["gym"], *, num_envs: int = 1, gym_reset_return_info: bool | None = None, **options: Unpack[BabyAIGoToSeqOptions]) -> GymEnvPool: ...
@overload
def make(task_id: BabyAIGoToSeqTask, env_type: Literal["dm"], *, num_envs: int = 1, gym_reset_return_info: Literal[True] | None = None, **options: Unpack[BabyAIGoToSeqOptions]) -> DMEnvPool: ...
@overload
def make(task_id: AntTask, env_type: Literal["gymnasium"] = "gymnasium", *, num_envs: int = 1, gym_reset_return_info: Literal[True] | None = None, **options: Unpack[AntOptions]) -> GymnasiumEnvPool[Array]: ...
@overload
def make(task_id: AntTask, env_type: Literal["gym"], *, num_envs: int = 1, gym_reset_return_info: bool | None = None, **options: Unpack[AntOptions]) -> GymEnvPool: ...
@overload
def make(task_id: AntTask, env_type: Literal["dm"], *, num_envs: int = 1, gym_reset_return_info: Literal[True] | None = None, **options: Unpack[AntOptions]) -> DMEnvPool: ...
@overload
def make(task_id: AntV4Task, env_type: Literal["gymnasium"] = "gymnasium", *, num_envs: int = 1, gym_reset_return_info: Literal[True] | None = None, **options: Unpack[AntV4Options]) -> GymnasiumEnvPool[Array]: ...
@overload
def make(task_id: AntV4Task, env_type: Literal["gym"], *, num_envs: int = 1, gym_reset_return_info: bool | None = None, **options: Unpack[AntV4Options]) -> GymEnvPool: ...
@overload
def make(task_id: AntV4Task, env_type: Literal["dm"], *, num_envs: int = 1, gym_reset_return_info: Literal[True] | None = None, **options: Unpack[AntV4Options]) -> DMEnvPool: ...
@overload
def make(task_id: HalfCheetahTask, env_type: Literal["gymnasium"] = "gymnasium", *, num_envs: int = 1, gym_reset_return_info: Literal[True] | None = None, **options: Unpack[HalfCheetahOptions]) -> GymnasiumEnvPool[Array]: ...
@overload
def make(task_id: HalfCheetahTask, env_type: Literal["gym"], *, num_envs: int = 1, gym_reset_return_info: bool | None = None, **options: Unpack[HalfCheetahOptions]) -> GymEnvPool: ...
@overload
def make(task_id: HalfCheetahTask, env_type: Literal["dm"], *, num_envs: int = 1, gym_reset_return_info: Literal[True] | None = None, **options: Unpack[HalfCheetahOptions]) -> DMEnvPool: ...
@overload
def make(task_id: HopperTask, env_type: Literal["gymnasium"] = "gymnasium", *, num_envs: int = 1, gym_reset_return_info: Literal[True] | None = None, **options: Unpack[HopperOptions]) -> GymnasiumEnvPool[Array]: ...
@overload
def make(task_id: HopperTask, env_type: Literal["gym"], *, num_envs: int = 1, gym_reset_return_info: bool | None = None, **options: Unpack[HopperOptions]) -> GymEnvPool: ...
@overload
def make(task_id: HopperTask, env_type: Literal["dm"], *, num_envs: int = 1, gym_reset_return_info: Literal[True] | None = None, **options: Unpack[HopperOptions]) -> DMEnvPool: ...
@overload
def make(task_id: HumanoidTask, env_type: Literal["gymnasium"] = "gymnasium", *, num_envs: int = 1, gym_reset_return_info: Literal[True] | None = None, **options: Unpack[HumanoidOptions]) -> GymnasiumEnvPool[Array]: ...
@overload
def make(task_id: HumanoidTask, env_type: Literal["gym"], *, num_envs: int = 1, gym_reset_return_info: bool | None = None, **options: Unpack[HumanoidOptions]) -> GymEnvPool: ...
@overload
def make(task_id: HumanoidTask, env_type: Literal["dm"], *, num_envs: int = 1, gym_reset_return_info: Literal[True] | None = None, **options: Unpack[HumanoidOptions]) -> DMEnvPool: ...
@overload
def make(task_id: HumanoidStandupTask, env_type: Literal["gymnasium"] = "gymnasium", *, num_envs: int = 1, gym_reset_return_info: Literal[True] | None = None, **options: Unpack[HumanoidStandupOptions]) -> GymnasiumEnvPool[Array]: ...
@overload
def make(task_id: HumanoidStandupTask, env_type: Literal["gym"], *, num_envs: int = 1, gym_reset_return_info: bool | None = None, **options: Unpack[HumanoidStandupOptions]) -> GymEnvPool: ...
@overload
def make(task_id: HumanoidStandupTask, env_type: Literal["dm"], *, num_envs: int = 1, gym_reset_return_info: Literal[True] | None = None, **options: Unpack[HumanoidStandupOptions]) -> DMEnvPool: ...
@overload
def make(task_id: InvertedDoublePendulumTask, env_type: Literal["gymnasium"] = "gymnasium", *, num_envs: int = 1, gym_reset_return_info: Literal[True] | None = None, **options: Unpack[InvertedDoublePendulumOptions]) -> GymnasiumEnvPool[Array]: ...
@overload
def make(task_id: InvertedDoublePendulumTask, env_type: Literal["gym"], *, num_envs: int = 1, gym_reset_return_info: bool | None = None, **options: Unpack[InvertedDoublePendulumOptions]) -> GymEnvPool: ...
@overload
def make(task_id: InvertedDoublePendulumTask, env_type: Literal["dm"], *, num_envs: int = 1, gym_reset_return_info: Literal[True] | None = None, **options: Unpack[InvertedDoublePendulumOptions]) -> DMEnvPool: ...
@overload
def make(task_id: InvertedPendulumTask, env_type: Literal["gymnasium"] = "gymnasium", *, num_envs: int = 1, gym_reset_return_info: Literal[True] | None = None, **options: Unpack[InvertedPendulumOptions]) -> GymnasiumEnvPool[Array]: ...
@overload
def make(task_id: InvertedPendulumTask, env_type: Literal["gym"], *, num_envs: int = 1, gym_reset_return_info: bool | None = None, **options: Unpack[InvertedPendulumOptions]) -> GymEnvPool: ...
@overload
def make(task_id: InvertedPendulumTask, env_type: Literal["dm"], *, num_envs: int = 1, gym_reset_return_info: Literal[True] | None = None, **options: Unpack[InvertedPendulumOptions]) -> DMEnvPool: ...
@overload
def make(task_id: PusherTask, env_type: Literal["gymnasium"] = "gymnasium", *, num_envs: int = 1, gym_reset_return_info: Literal[True] | None = None, **options: Unpack[PusherOptions]) -> GymnasiumEnvPool[Array]: ...
@overload
def make(task_id: PusherTask, env_type: Literal["gym"], *, num_envs: int = 1, gym_reset_return_info: bool | None = None, **options: Unpack[PusherOptions]) -> GymEnvPool: ...
@overload
def make(task_id: PusherTask, env_type: Literal["dm"], *, num_envs: int = 1, gym_reset_return_info: Literal[True] | None = None, **options: Unpack[PusherOptions]) -> DMEnvPool: ...
@overload
def make(task_id: ReacherTask, env_type: Literal["gymnasium"] = "gymnasium", *, num_envs: int = 1, gym_reset_return_info: Literal[True] | None = None, **options: Unpack[ReacherOptions]) -> GymnasiumEnvPool[Array]: ...
@overload
def make(task_id: ReacherTask, env_type: Literal["gym"], *, num_envs: int = 1, gym_reset_return_info: bool | None = None, **options: Unpack[ReacherOptions]) -> GymEnvPool: ...
@overload
def make(task_id: ReacherTask, env_type: Literal["dm"], *, num_envs: int = 1, gym_reset_return_info: Literal[True] | None = None, **options: Unpack[ReacherOptions]) -> DMEnvPool: ...
@overload
def make(task_id: Walker2dTask, env_type: Literal["gymnasium"] = "gymnasium", *, num_envs: int = 1, gym_reset_return_info: Literal[True] | None = None, **options: Unpack[Walker2dOptions]) -> GymnasiumEnvPool[Array]: ...
@overload
def make(task_id: Walker2dTask, env_type: Literal["gym"], *, num_envs: int = 1, gym_reset_return_info: bool | None = None, **options: Unpack[Walker2dOptions]) -> GymEnvPool: ...
@overload
def make(task_id: Walker2dTask, env_type: Literal["dm"], *, num_envs: int = 1, gym_reset_return_info: Literal[True] | None = None, **options: Unpack[Walker2dOptions]) -> DMEnvPool: ...
@overload
def make(task_id: LunarLanderTask, env_type: Literal["gymnasium"] = "gymnasium", *, num_envs: int = 1, gym_reset_return_info: Literal[True] | None = None, **options: Unpack[LunarLanderOptions]) -> GymnasiumEnvPool[Array]: ...
@overload
def make(task_id: LunarLanderTask, env_type: Literal["gym"], *, num_envs: int = 1, gym_reset_return_info: bool | None = None, **options: Unpack[LunarLanderOptions]) -> GymEnvPool: ...
@overload
def make(task_id: LunarLanderTask, env_type: Literal["dm"], *, num_envs: int = 1, gym_reset_return_info: Literal[True] | None = None, **options: Unpack[LunarLanderOptions]) -> DMEnvPool: ...
@overload
def make(task_id: BipedalWalkerTask, env_type: Literal["gymnasium"] = "gymnasium", *, num_envs: int = 1, gym_reset_return_info: Literal[True] | None = None, **options: Unpack[BipedalWalkerOptions]) -> GymnasiumEnvPool[Array]: ...
@overload
def make(task_id: BipedalWalkerTask, env_type: Literal["gym"], *, num_envs: int = 1, gym_reset_return_info: bool | None = None, **options: Unpack[BipedalWalkerOptions]) -> GymEnvPool: ...
@overload
def make(task_id: BipedalWalkerTask, env_type: Literal["dm"], *, num_envs: int = 1, gym_reset_return_info: Literal[True] | None = None, **options: Unpack[BipedalWalkerOptions]) -> DMEnvPool: ...
@overload
def make(task_id: CarRacingTask, env_type: Literal["gymnasium"] = "gymnasium", *, num_envs: int = 1, gym_reset_return_info: Literal[True] | None = None, **options: Unpack[CarRacingOptions]) -> GymnasiumEnvPool[Array]: ...
@overload
def make(task_id: CarRacingTask, env_type: Literal["gym"], *, num_envs: int = 1, gym_reset_return_info: bool | None = None, **options: Unpack[CarRacingOptions]) -> GymEnvPool: ...
@overload
def make(task_id: CarRacingTask, env_type: Literal["dm"], *, num_envs: int = 1, gym_reset_return_info: Literal[True] | None = None, **options: Unpack[CarRacingOptions]) -> DMEnvPool: ...
@overload
def make(task_id: DmControlTask, env_type: Literal["gymnasium"] = "gymnasium", *, num_envs: int = 1, gym_reset_return_info: Literal[True] | None = None, **options: Unpack[DmControlOptions]) -> GymnasiumEnvPool[dict[str, Array]]: ...
@overload
def make(task_id: DmControlTask, env_type: Literal["gym"], *, num_envs: int = 1, gym_reset_return_info: bool | None = None, **options: Unpack[DmControlOptions]) -> GymEnvPool: ...
@overload
def make(task_id: DmControlTask, env_type: Literal["dm"], *, num_envs: int = 1, gym_reset_return_info: Literal[True] | None = None, **options: Unpack[DmControlOptions]) -> DMEnvPool: ...
@overload
def make(task_id: CartpoleBalanceTask, env_type: Literal["gymnasium"] = "gymnasium", *, num_envs: int = 1, gym_reset_return_info: Literal[True] | None = None, **options: Unpack[CartpoleBalanceOptions]) -> GymnasiumEnvPool[dict[str, Array]]: ...
@overload
def make(task_id: CartpoleBalanceTask, env_type: Literal["gym"], *, num_envs: int = 1, gym_reset_return_info: bool | None = None, **options: Unpack[CartpoleBalanceOptions]) -> GymEnvPool: ...
@overload
def make(task_id: CartpoleBalanceTask, env_type: Literal["dm"], *, num_envs: int = 1, gym_reset_return_info: Literal[True] | None = None, **options: Unpack[CartpoleBalanceOptions]) -> DMEnvPool: ...
@overload
def make(task_id: ManipulatorBringBallTask, env_type: Literal["gymnasium"] = "gymnasium", *, num_envs: int = 1, gym_reset_return_info: Literal[True] | None = None, **options: Unpack[ManipulatorBringBallOptions]) -> GymnasiumEnvPool[dict[str, Array]]: ...
@overload
def make(task_id: ManipulatorBringBallTask, env_type: Literal["gym"], *, num_envs: int = 1, gym_reset_return_info: bool | None = None, **options: Unpack[ManipulatorBringBallOptions]) -> GymEnvPool: ...
@overload
def make(task_id: ManipulatorBringBallTask, env_type: Literal["dm"], *, num_envs: int = 1, gym_reset_return_info: Literal[True] | None = None, **options: Unpack[ManipulatorBringBallOptions]) -> DMEnvPool: ...
@overload
def make(task_id: SwimmerSwimmer6Task, env_type: Literal["gymnasium"] = "gymnasium", *, num_envs: int = 1, gym_reset_return_info: Literal[True] | None = None, **options: Unpack[SwimmerSwimmer6Options]) -> GymnasiumEnvPool[dict[str, Array]]: ...
@overload
def make(task_id: SwimmerSwimmer6Task, env_type: Literal["gym"], *, num_envs: int = 1, gym_reset_return_info: bool | None = None, **options: Unpack[SwimmerSwimmer6Options]) -> GymEnvPool: ...
@overload
def make(task_id: SwimmerSwimmer6Task, env_type: Literal["dm"], *, num_envs: int = 1, gym_reset_return_info: Literal[True] | None = None, **options: Unpack[SwimmerSwimmer6Options]) -> DMEnvPool: ...
@overload
def make(task_id: PointMazeTask, env_type: Literal["gymnasium"] = "gymnasium", *, num_envs: int = 1, gym_reset_return_info: Literal[True] | None = None, **options: Unpack[PointMazeOptions]) -> GymnasiumEnvPool[dict[str, Array]]: ...
@overload
def make(task_id: PointMazeTask, env_type: Literal["gym"], *, num_envs: int = 1, gym_reset_return_info: bool | None = None, **options: Unpack[PointMazeOptions]) -> GymEnvPool: ...
@overload
def make(task_id: PointMazeTask, env_type: Literal["dm"], *, num_envs: int = 1, gym_reset_return_info: Literal[True] | None = None, **options: Unpack[PointMazeOptions]) -> DMEnvPool: ...
@overload
def make(task_id: AntMazeTask, env_type: Literal["gymnasium"] = "gymnasium", *, num_envs: int = 1, gym_reset_return_info: Literal[True] | None = None, **options: Unpack[AntMazeOptions]) -> GymnasiumEnvPool[dict[str, Array]]: ...
@overload
def make(task_id: AntMazeTask, env_type: Literal["gym"], *, num_envs: int = 1, gym_reset_return_info: bool | None = None, **options: Unpack[AntMazeOptions]) -> GymEnvPool: ...
@overload
def make(task_id: AntMazeTask, env_type: Literal["dm"], *, num_envs: int = 1, gym_reset_return_info: Literal[True] | None = None, **options: Unpack[AntMazeOptions]) -> DMEnvPool: ...
@overload
def make(task_id: AntMazeV4Task, env_type: Literal["gymnasium"] = "gymnasium", *, num_envs: int = 1, gym_reset_return_info: Literal[True] | None = None, **options: Unpack[AntMazeV4Options]) -> GymnasiumEnvPool[dict[str, Array]]: ...
@overload
def make(task_id: AntMazeV4Task, env_type: Literal["gym"], *, num_envs: int = 1, gym_reset_return_info: bool | None = None, **options: Unpack[AntMazeV4Options]) -> GymEnvPool: ...
@overload
def make(task_id: AntMazeV4Task, env_type: Literal["dm"], *, num_envs: int = 1, gym_reset_return_info: Literal[True] | None = None, **options: Unpack[AntMazeV4Options]) -> DMEnvPool: ...
@overload
def make(task_id: AntMazeV3Task, env_type: Literal["gymnasium"] = "gymnasium", *, num_envs: int = 1, gym_reset_return_info: Literal[True] | None = None, **options: Unpack[AntMazeV3Options]) -> GymnasiumEnvPool[dict[str, Array]]: ...
@overload
def make(task_id: AntMazeV3Task, env_type: Literal["gym"], *, num_envs: int = 1, gym_reset_return_info: bool | None = None, **options: Unpack[AntMazeV3Options]) -> GymEnvPool: ...
@overload
def make(task_id: AntMazeV3Task, env_type: Literal["dm"], *, num_envs: int = 1, gym_reset_return_info: Literal[True] | None = None, **options: Unpack[AntMazeV3Options]) -> DMEnvPool: ...
@overload
def make(task_id: MetaWorldTask, env_type: Literal["gymnasium"] = "gymnasium", *, num_envs: int = 1, gym_reset_return_info: Literal[True] | None = None, **options: Unpack[MetaWorldOptions]) -> GymnasiumEnvPool[Array]: ...
@overload
def make(task_id: MetaWorldTask, env_type: Literal["gym"], *, num_envs: int = 1, gym_reset_return_info: bool | None = None, **options: Unpack[MetaWorldOptions]) -> GymEnvPool: ...
@overload
def make(task_id: MetaWorldTask, env_type: Literal["dm"], *, num_envs: int = 1, gym_reset_return_info: Literal[True] | None = None, **options: Unpack[MetaWorldOptions]) -> DMEnvPool: ...
@overload
def make(task_id: FetchTask, env_type: Literal["gymnasium"] = "gymnasium", *, num_envs: int = 1, gym_reset_return_info: Literal[True] | None = None, **options: Unpack[FetchOptions]) -> GymnasiumEnvPool[dict[str, Array]]: ...
@overload
def make(task_id: FetchTask, env_type: Literal["gym"], *, num_envs: int = 1, gym_reset_return_info: bool | None = None, **options: Unpack[FetchOptions]) -> GymEnvPool: ...
@overload
def make(task_id: FetchTask, env_type: Literal["dm"], *, num_envs: int = 1, gym_reset_return_info: Literal[True] | None = None, **options: Unpack[FetchOptions]) -> DMEnvPool: ...
@overload
def make(task_id: AdroitHandDoorSparseTask, env_type: Literal["gymnasium"] = "gymnasium", *, num_envs: int = 1, gym_reset_return_info: Literal[True] | None = None, **options: Unpack[AdroitHandDoorSparseOptions]) -> GymnasiumEnvPool[Array]: ...
@overload
def make(task_id: AdroitHandDoorSparseTask, env_type: Literal["gym"], *, num_envs: int = 1, gym_reset_return_info: bool | None = None, **options: Unpack[AdroitHandDoorSparseOptions]) -> GymEnvPool: ...
@overload
def make(task_id: AdroitHandDoorSparseTask, env_type: Literal["dm"], *, num_envs: int = 1, gym_reset_return_info: Literal[True] | None = None, **options: Unpack[AdroitHandDoorSparseOptions]) -> DMEnvPool: ...
@overload
def make(task_id: HandReachTask, env_type: Literal["gymnasium"] = "gymnasium", *, num_envs: int = 1, gym_reset_return_info: Literal[True] | None = None, **options: Unpack[HandReachOptions]) -> GymnasiumEnvPool[dict[str, Array]]: ...
@overload
def make(task_id: HandReachTask, env_type: Literal["gym"], *, num_envs: int = 1, gym_reset_return_info: bool | None = None, **options: Unpack[HandReachOptions]) -> GymEnvPool: ...
@overload
def make(task_id: HandReachTask, env_type: Literal["dm"], *, num_envs: int = 1, gym_reset_return_info: Literal[True] | None = None, **options: Unpack[HandReachOptions]) -> DMEnvPool: ...
@overload
def make(task_id: HandManipulateTask, env_type: Literal["gymnasium"] = "gymnasium", *, num_envs: int = 1, gym_reset_return_info: Literal[True] | None = None, **options: Unpack[HandManipulateOptions]) -> GymnasiumEnvPool[dict[str, Array]]: ...
@overload
def make(task_id: HandManipulateTask, env_type: Literal["gym"], *, num_envs: int = 1, gym_reset_return_info: bool | None = None, **options: Unpack[HandManipulateOptions]) -> GymEnvPool: ...
@overload
def make(task_id: HandManipulateTask, env_type: Literal["dm"], *, num_envs: int = 1, gym_reset_return_info: Literal[True] | None = None, **options: Unpack[HandManipulateOptions]) -> DMEnvPool: ...
@overload
def make(task_id: HandTouchTask, env_type: Literal["gymnasium"] = "gymnasium", *, num_envs: int = 1, gym_reset_return_info: Literal[True] | None = None, **options: Unpack[HandTouchOptions]) -> GymnasiumEnvPool[dict[str, Array]]: ...
@overload
def make(task_id: HandTouchTask, env_type: Literal["gym"], *, num_envs: int = 1, gym_reset_return_info: bool | None = None, **options: Unpack[HandTouchOptions]) -> GymEnvPool: ...
@overload
def make(task_id: HandTouchTask, env_type: Literal["dm"], *, num_envs: int = 1, gym_reset_return_info: Literal[True] | None = None, **options: Unpack[HandTouchOptions]) -> DMEnvPool: ...
@overload
def make(task_id: FrankaKitchenTask, env_type: Literal["gymnasium"] = "gymnasium", *, num_envs: int = 1, gym_reset_return_info: Literal[True] | None = None, **options: Unpack[FrankaKitchenOptions]) -> GymnasiumEnvPool[dict[str, Array | dict[str, Array]]]: ...
@overload
def make(task_id: FrankaKitchenTask, env_type: Literal["gym"], *, num_envs: int = 1, gym_reset_return_info: bool | None = None, **options: Unpack[FrankaKitchenOptions]) -> GymEnvPool: ...
@overload
def make(task_id: FrankaKitchenTask, env_type: Literal["dm"], *, num_envs: int = 1, gym_reset_return_info: Literal[True] | None = None, **options: Unpack[FrankaKitchenOptions]) -> DMEnvPool: ...
@overload
def make(task_id: EnvPoolVizdoomTask, env_type: Literal["gymnasium"] = "gymnasium", *, num_envs: int = 1, gym_reset_return_info: Literal[True] | None = None, **options: Unpack[EnvPoolVizdoomOptions]) -> GymnasiumEnvPool[Array]: ...
@overload
def make(task_id: EnvPoolVizdoomTask, env_type: Literal["gym"], *, num_envs: int = 1, gym_reset_return_info: bool | None = None, **options: Unpack[EnvPoolVizdoomOptions]) -> GymEnvPool: ...
@overload
def make(task_id: EnvPoolVizdoomTask, env_type: Literal["dm"], *, num_envs: int = 1, gym_reset_return_info: Literal[True] | None = None, **options: Unpack[EnvPoolVizdoomOptions]) -> DMEnvPool: ...
@overload
def make(task_id: VizdoomTask, env_type: Literal["gymnasium"] = "gymnasium", *, num_envs: int = 1, gym_reset_return_info: Literal[True] | None = None, **options: Unpack[VizdoomOptions]) -> GymnasiumEnvPool[dict[str, Array]]: ...
@overload
def make(task_id: VizdoomTask, env_type: Literal["gym"], *, num_envs: int = 1, gym_reset_return_info: bool | None = None, **options: Unpack[VizdoomOptions]) -> GymEnvPool: ...
@overload
def make(task_id: VizdoomTask, env_type: Literal["dm"], *, num_envs: int = 1, gym_reset_return_info: Literal[True] | None = None, **options: Unpack[VizdoomOptions]) -> DMEnvPool: ...
@overload
def make(task_id: CrafterRewardTask, env_type: Literal["gymnasium"] = "gymnasium", *, num_envs: int = 1, gym_reset_return_info: Literal[True] | None = None, **options: Unpack[CrafterRewardOptions]) -> GymnasiumEnvPool[Array]: ...
@overload
def make(task_id: CrafterRewardTask, env_type: Literal["gym"], *, num_envs: int = 1, gym_reset_return_info: bool | None = None, **options: Unpack[CrafterRewardOptions]) -> GymEnvPool: ...
@overload
def make(task_id: CrafterRewardTask, env_type: Literal["dm"], *, num_envs: int = 1, gym_reset_return_info: Literal[True] | None = None, **options: Unpack[CrafterRewardOptions]) -> DMEnvPool: ...
@overload
def make(task_id: EnvPoolProcgenTask, env_type: Literal["gymnasium"] = "gymnasium", *, num_envs: int = 1, gym_reset_return_info: Literal[True] | None = None, **options: Unpack[EnvPoolProcgenOptions]) -> GymnasiumEnvPool[Array]: ...
@overload
def make(task_id: EnvPoolProcgenTask, env_type: Literal["gym"], *, num_envs: int = 1, gym_reset_return_info: bool | None = None, **options: Unpack[EnvPoolProcgenOptions]) -> GymEnvPool: ...
@overload
def make(task_id: EnvPoolProcgenTask, env_type: Literal["dm"], *, num_envs: int = 1, gym_reset_return_info: Literal[True] | None = None, **options: Unpack[EnvPoolProcgenOptions]) -> DMEnvPool: ...
@overload
def make(task_id: ProcgenTask, env_type: Literal["gymnasium"] = "gymnasium", *, num_envs: int = 1, gym_reset_return_info: Literal[True] | None = None, **options: Unpack[ProcgenOptions]) -> GymnasiumEnvPool[Array]: ...
@overload
def make(task_id: ProcgenTask, env_type: Literal["gym"], *, num_envs: int = 1, gym_reset_return_info: bool | None = None, **options: Unpack[ProcgenOptions]) -> GymEnvPool: ...
@overload
def make(task_id: ProcgenTask, env_type: Literal["dm"], *, num_envs: int = 1, gym_reset_return_info: Literal[True] | None = None, **options: Unpack[ProcgenOptions]) -> DMEnvPool: ...
@overload
@deprecated("not all of these are options of this task: see `python -m envpool_rs info TASK`")
def make(task_id: KnownTask, env_type: Literal["gymnasium", "gym", "dm"] = "gymnasium", *, num_envs: int = 1, gym_reset_return_info: bool | None = None, **options: Unpack[AnyOptions]) -> NoSuchOption: ...
@overload
def make(task_id: TaskId, env_type: Literal["gymnasium"] = "gymnasium", *, num_envs: int = 1, gym_reset_return_info: Literal[True] | None = None, **options: Unpack[AnyOptions]) -> GymnasiumEnvPool: ...
@overload
def make(task_id: TaskId, env_type: Literal["gym"], *, num_envs: int = 1, gym_reset_return_info: bool | None = None, **options: Unpack[AnyOptions]) -> GymEnvPool: ...
@overload
def make(task_id: TaskId, env_type: Literal["dm"], *, num_envs: int = 1, gym_reset_return_info: Literal[True] | None = None, **options: Unpack[AnyOptions]) -> DMEnvPool: ...

@overload
def make_gymnasium(task_id: CartPoleTask, *, num_envs: int = 1, gym_reset_return_info: Literal[True] | None = None, **options: Unpack[CartPoleOptions]) -> GymnasiumEnvPool[Array]: ...
@overload
def make_gymnasium(task_id: MountainCarTask, *, num_envs: int = 1, gym_reset_return_info: Literal[True] | None = None, **options: Unpack[MountainCarOptions]) -> GymnasiumEnvPool[Array]: ...
@overload
def make_gymnasium(task_id: PendulumTask, *, num_envs: int = 1, gym_reset_return_info: Literal[True] | None = None, **options: Unpack[PendulumOptions]) -> GymnasiumEnvPool[Array]: ...
@overload
def make_gymnasium(task_id: AcrobotTask, *, num_envs: int = 1, gym_reset_return_info: Literal[True] | None = None, **options: Unpack[PoolOptions]) -> GymnasiumEnvPool[Array]: ...
@overload
def make_gymnasium(task_id: FrozenLakeTask, *, num_envs: int = 1, gym_reset_return_info: Literal[True] | None = None, **options: Unpack[FrozenLakeOptions]) -> GymnasiumEnvPool[Array]: ...
@overload
def make_gymnasium(task_id: TaxiTask, *, num_envs: int = 1, gym_reset_return_info: Literal[True] | None = None, **options: Unpack[TaxiOptions]) -> GymnasiumEnvPool[Array]: ...
@overload
def make_gymnasium(task_id: TaxiV4Task, *, num_envs: int = 1, gym_reset_return_info: Literal[True] | None = None, **options: Unpack[TaxiV4Options]) -> GymnasiumEnvPool[Array]: ...
@overload
def make_gymnasium(task_id: CliffWalkingTask, *, num_envs: int = 1, gym_reset_return_info: Literal[True] | None = None, **options: Unpack[CliffWalkingOptions]) -> GymnasiumEnvPool[Array]: ...
@overload
def make_gymnasium(task_id: BlackjackTask, *, num_envs: int = 1, gym_reset_return_info: Literal[True] | None = None, **options: Unpack[BlackjackOptions]) -> GymnasiumEnvPool[Array]: ...
@overload
def make_gymnasium(task_id: NChainTask, *, num_envs: int = 1, gym_reset_return_info: Literal[True] | None = None, **options: Unpack[NChainOptions]) -> GymnasiumEnvPool[Array]: ...
@overload
def make_gymnasium(task_id: AtariTask, *, num_envs: int = 1, gym_reset_return_info: Literal[True] | None = None, **options: Unpack[AtariOptions]) -> GymnasiumEnvPool[Array]: ...
@overload
def make_gymnasium(task_id: AleAtariTask, *, num_envs: int = 1, gym_reset_return_info: Literal[True] | None = None, **options: Unpack[AleAtariOptions]) -> GymnasiumEnvPool[Array]: ...
@overload
def make_gymnasium(task_id: CatchTask, *, num_envs: int = 1, gym_reset_return_info: Literal[True] | None = None, **options: Unpack[CatchOptions]) -> GymnasiumEnvPool[Array]: ...
@overload
def make_gymnasium(task_id: SimpleSpreadTask, *, num_envs: int = 1, gym_reset_return_info: Literal[True] | None = None, **options: Unpack[SimpleSpreadOptions]) -> GymnasiumEnvPool[Array]: ...
@overload
def make_gymnasium(task_id: SimpleSpeakerListenerTask, *, num_envs: int = 1, gym_reset_return_info: Literal[True] | None = None, **options: Unpack[SimpleSpeakerListenerOptions]) -> GymnasiumEnvPool[dict[str, Array]]: ...
@overload
def make_gymnasium(task_id: MiniGridEmpty5x5Task, *, num_envs: int = 1, gym_reset_return_info: Literal[True] | None = None, **options: Unpack[MiniGridEmpty5x5Options]) -> GymnasiumEnvPool[dict[str, Array]]: ...
@overload
def make_gymnasium(task_id: MiniGridDoorKey5x5Task, *, num_envs: int = 1, gym_reset_return_info: Literal[True] | None = None, **options: Unpack[MiniGridDoorKey5x5Options]) -> GymnasiumEnvPool[dict[str, Array]]: ...
@overload
def make_gymnasium(task_id: MiniGridLavaCrossingS9N1Task, *, num_envs: int = 1, gym_reset_return_info: Literal[True] | None = None, **options: Unpack[MiniGridLavaCrossingS9N1Options]) -> GymnasiumEnvPool[dict[str, Array]]: ...
@overload
def make_gymnasium(task_id: MiniGridDistShift1Task, *, num_envs: int = 1, gym_reset_return_info: Literal[True] | None = None, **options: Unpack[MiniGridDistShift1Options]) -> GymnasiumEnvPool[dict[str, Array]]: ...
@overload
def make_gymnasium(task_id: MiniGridLavaGapS5Task, *, num_envs: int = 1, gym_reset_return_info: Literal[True] | None = None, **options: Unpack[MiniGridLavaGapS5Options]) -> GymnasiumEnvPool[dict[str, Array]]: ...
@overload
def make_gymnasium(task_id: MiniGridDynamicObstacles5x5Task, *, num_envs: int = 1, gym_reset_return_info: Literal[True] | None = None, **options: Unpack[MiniGridDynamicObstacles5x5Options]) -> GymnasiumEnvPool[dict[str, Array]]: ...
@overload
def make_gymnasium(task_id: MiniGridFetch5x5N2Task, *, num_envs: int = 1, gym_reset_return_info: Literal[True] | None = None, **options: Unpack[MiniGridFetch5x5N2Options]) -> GymnasiumEnvPool[dict[str, Array]]: ...
@overload
def make_gymnasium(task_id: MiniGridFourRoomsTask, *, num_envs: int = 1, gym_reset_return_info: Literal[True] | None = None, **options: Unpack[MiniGridFourRoomsOptions]) -> GymnasiumEnvPool[dict[str, Array]]: ...
@overload
def make_gymnasium(task_id: MiniGridGoToObject6x6N2Task, *, num_envs: int = 1, gym_reset_return_info: Literal[True] | None = None, **options: Unpack[MiniGridGoToObject6x6N2Options]) -> GymnasiumEnvPool[dict[str, Array]]: ...
@overload
def make_gymnasium(task_id: MiniGridKeyCorridorS3R1Task, *, num_envs: int = 1, gym_reset_return_info: Literal[True] | None = None, **options: Unpack[MiniGridKeyCorridorS3R1Options]) -> GymnasiumEnvPool[dict[str, Array]]: ...
@overload
def make_gymnasium(task_id: MiniGridMemoryS17RandomTask, *, num_envs: int = 1, gym_reset_return_info: Literal[True] | None = None, **options: Unpack[MiniGridMemoryS17RandomOptions]) -> GymnasiumEnvPool[dict[str, Array]]: ...
@overload
def make_gymnasium(task_id: MiniGridMultiRoomN2S4Task, *, num_envs: int = 1, gym_reset_return_info: Literal[True] | None = None, **options: Unpack[MiniGridMultiRoomN2S4Options]) -> GymnasiumEnvPool[dict[str, Array]]: ...
@overload
def make_gymnasium(task_id: MiniGridObstructedMaze1DlTask, *, num_envs: int = 1, gym_reset_return_info: Literal[True] | None = None, **options: Unpack[MiniGridObstructedMaze1DlOptions]) -> GymnasiumEnvPool[dict[str, Array]]: ...
@overload
def make_gymnasium(task_id: MiniGridObstructedMaze2DlTask, *, num_envs: int = 1, gym_reset_return_info: Literal[True] | None = None, **options: Unpack[MiniGridObstructedMaze2DlOptions]) -> GymnasiumEnvPool[dict[str, Array]]: ...
@overload
def make_gymnasium(task_id: MiniGridPlaygroundTask, *, num_envs: int = 1, gym_reset_return_info: Literal[True] | None = None, **options: Unpack[MiniGridPlaygroundOptions]) -> GymnasiumEnvPool[dict[str, Array]]: ...
@overload
def make_gymnasium(task_id: MiniGridWFCMazeSimpleTask, *, num_envs: int = 1, gym_reset_return_info: Literal[True] | None = None, **options: Unpack[MiniGridWFCMazeSimpleOptions]) -> GymnasiumEnvPool[dict[str, Array]]: ...
@overload
def make_gymnasium(task_id: BabyAIGoToRedBallGreyTask, *, num_envs: int = 1, gym_reset_return_info: Literal[True] | None = None, **options: Unpack[BabyAIGoToRedBallGreyOptions]) -> GymnasiumEnvPool[dict[str, Array]]: ...
@overload
def make_gymnasium(task_id: BabyAIGoToObjTask, *, num_envs: int = 1, gym_reset_return_info: Literal[True] | None = None, **options: Unpack[BabyAIGoToObjOptions]) -> GymnasiumEnvPool[dict[str, Array]]: ...
@overload
def make_gymnasium(task_id: BabyAIGoToTask, *, num_envs: int = 1, gym_reset_return_info: Literal[True] | None = None, **options: Unpack[BabyAIGoToOptions]) -> GymnasiumEnvPool[dict[str, Array]]: ...
@overload
def make_gymnasium(task_id: BabyAIGoToImpUnlockTask, *, num_envs: int = 1, gym_reset_return_info: Literal[True] | None = None, **options: Unpack[BabyAIGoToImpUnlockOptions]) -> GymnasiumEnvPool[dict[str, Array]]: ...
@overload
def make_gymnasium(task_id: BabyAIOpenDoorTask, *, num_envs: int = 1, gym_reset_return_info: Literal[True] | None = None, **options: Unpack[BabyAIOpenDoorOptions]) -> GymnasiumEnvPool[dict[str, Array]]: ...
@overload
def make_gymnasium(task_id: BabyAIOpenTwoDoorsTask, *, num_envs: int = 1, gym_reset_return_info: Literal[True] | None = None, **options: Unpack[BabyAIOpenTwoDoorsOptions]) -> GymnasiumEnvPool[dict[str, Array]]: ...
@overload
def make_gymnasium(task_id: BabyAIOpenDoorsOrderN2Task, *, num_envs: int = 1, gym_reset_return_info: Literal[True] | None = None, **options: Unpack[BabyAIOpenDoorsOrderN2Options]) -> GymnasiumEnvPool[dict[str, Array]]: ...
@overload
def make_gymnasium(task_id: BabyAIPickupDistTask, *, num_envs: int = 1, gym_reset_return_info: Literal[True] | None = None, **options: Unpack[BabyAIPickupDistOptions]) -> GymnasiumEnvPool[dict[str, Array]]: ...
@overload
def make_gymnasium(task_id: BabyAIPutNextLocalTask, *, num_envs: int = 1, gym_reset_return_info: Literal[True] | None = None, **options: Unpack[BabyAIPutNextLocalOptions]) -> GymnasiumEnvPool[dict[str, Array]]: ...
@overload
def make_gymnasium(task_id: BabyAIPutNextS4N1Task, *, num_envs: int = 1, gym_reset_return_info: Literal[True] | None = None, **options: Unpack[BabyAIPutNextS4N1Options]) -> GymnasiumEnvPool[dict[str, Array]]: ...
@overload
def make_gymnasium(task_id: BabyAIMoveTwoAcrossS5N2Task, *, num_envs: int = 1, gym_reset_return_info: Literal[True] | None = None, **options: Unpack[BabyAIMoveTwoAcrossS5N2Options]) -> GymnasiumEnvPool[dict[str, Array]]: ...
@overload
def make_gymnasium(task_id: BabyAIUnlockLocalTask, *, num_envs: int = 1, gym_reset_return_info: Literal[True] | None = None, **options: Unpack[BabyAIUnlockLocalOptions]) -> GymnasiumEnvPool[dict[str, Array]]: ...
@overload
def make_gymnasium(task_id: BabyAIGoToSeqTask, *, num_envs: int = 1, gym_reset_return_info: Literal[True] | None = None, **options: Unpack[BabyAIGoToSeqOptions]) -> GymnasiumEnvPool[dict[str, Array]]: ...
@overload
def make_gymnasium(task_id: AntTask, *, num_envs: int = 1, gym_reset_return_info: Literal[True] | None = None, **options: Unpack[AntOptions]) -> GymnasiumEnvPool[Array]: ...
@overload
def make_gymnasium(task_id: AntV4Task, *, num_envs: int = 1, gym_reset_return_info: Literal[True] | None = None, **options: Unpack[AntV4Options]) -> GymnasiumEnvPool[Array]: ...
@overload
def make_gymnasium(task_id: HalfCheetahTask, *, num_envs: int = 1, gym_reset_return_info: Literal[True] | None = None, **options: Unpack[HalfCheetahOptions]) -> GymnasiumEnvPool[Array]: ...
@overload
def make_gymnasium(task_id: HopperTask, *, num_envs: int = 1, gym_reset_return_info: Literal[True] | None = None, **options: Unpack[HopperOptions]) -> GymnasiumEnvPool[Array]: ...
@overload
def make_gymnasium(task_id: HumanoidTask, *, num_envs: int = 1, gym_reset_return_info: Literal[True] | None = None, **options: Unpack[HumanoidOptions]) -> GymnasiumEnvPool[Array]: ...
@overload
def make_gymnasium(task_id: HumanoidStandupTask, *, num_envs: int = 1, gym_reset_return_info: Literal[True] | None = None, **options: Unpack[HumanoidStandupOptions]) -> GymnasiumEnvPool[Array]: ...
@overload
def make_gymnasium(task_id: InvertedDoublePendulumTask, *, num_envs: int = 1, gym_reset_return_info: Literal[True] | None = None, **options: Unpack[InvertedDoublePendulumOptions]) -> GymnasiumEnvPool[Array]: ...
@overload
def make_gymnasium(task_id: InvertedPendulumTask, *, num_envs: int = 1, gym_reset_return_info: Literal[True] | None = None, **options: Unpack[InvertedPendulumOptions]) -> GymnasiumEnvPool[Array]: ...
@overload
def make_gymnasium(task_id: PusherTask, *, num_envs: int = 1, gym_reset_return_info: Literal[True] | None = None, **options: Unpack[PusherOptions]) -> GymnasiumEnvPool[Array]: ...
@overload
def make_gymnasium(task_id: ReacherTask, *, num_envs: int = 1, gym_reset_return_info: Literal[True] | None = None, **options: Unpack[ReacherOptions]) -> GymnasiumEnvPool[Array]: ...
@overload
def make_gymnasium(task_id: Walker2dTask, *, num_envs: int = 1, gym_reset_return_info: Literal[True] | None = None, **options: Unpack[Walker2dOptions]) -> GymnasiumEnvPool[Array]: ...
@overload
def make_gymnasium(task_id: LunarLanderTask, *, num_envs: int = 1, gym_reset_return_info: Literal[True] | None = None, **options: Unpack[LunarLanderOptions]) -> GymnasiumEnvPool[Array]: ...
@overload
def make_gymnasium(task_id: BipedalWalkerTask, *, num_envs: int = 1, gym_reset_return_info: Literal[True] | None = None, **options: Unpack[BipedalWalkerOptions]) -> GymnasiumEnvPool[Array]: ...
@overload
def make_gymnasium(task_id: CarRacingTask, *, num_envs: int = 1, gym_reset_return_info: Literal[True] | None = None, **options: Unpack[CarRacingOptions]) -> GymnasiumEnvPool[Array]: ...
@overload
def make_gymnasium(task_id: DmControlTask, *, num_envs: int = 1, gym_reset_return_info: Literal[True] | None = None, **options: Unpack[DmControlOptions]) -> GymnasiumEnvPool[dict[str, Array]]: ...
@overload
def make_gymnasium(task_id: CartpoleBalanceTask, *, num_envs: int = 1, gym_reset_return_info: Literal[True] | None = None, **options: Unpack[CartpoleBalanceOptions]) -> GymnasiumEnvPool[dict[str, Array]]: ...
@overload
def make_gymnasium(task_id: ManipulatorBringBallTask, *, num_envs: int = 1, gym_reset_return_info: Literal[True] | None = None, **options: Unpack[ManipulatorBringBallOptions]) -> GymnasiumEnvPool[dict[str, Array]]: ...
@overload
def make_gymnasium(task_id: SwimmerSwimmer6Task, *, num_envs: int = 1, gym_reset_return_info: Literal[True] | None = None, **options: Unpack[SwimmerSwimmer6Options]) -> GymnasiumEnvPool[dict[str, Array]]: ...
@overload
def make_gymnasium(task_id: PointMazeTask, *, num_envs: int = 1, gym_reset_return_info: Literal[True] | None = None, **options: Unpack[PointMazeOptions]) -> GymnasiumEnvPool[dict[str, Array]]: ...
@overload
def make_gymnasium(task_id: AntMazeTask, *, num_envs: int = 1, gym_reset_return_info: Literal[True] | None = None, **options: Unpack[AntMazeOptions]) -> GymnasiumEnvPool[dict[str, Array]]: ...
@overload
def make_gymnasium(task_id: AntMazeV4Task, *, num_envs: int = 1, gym_reset_return_info: Literal[True] | None = None, **options: Unpack[AntMazeV4Options]) -> GymnasiumEnvPool[dict[str, Array]]: ...
@overload
def make_gymnasium(task_id: AntMazeV3Task, *, num_envs: int = 1, gym_reset_return_info: Literal[True] | None = None, **options: Unpack[AntMazeV3Options]) -> GymnasiumEnvPool[dict[str, Array]]: ...
@overload
def make_gymnasium(task_id: MetaWorldTask, *, num_envs: int = 1, gym_reset_return_info: Literal[True] | None = None, **options: Unpack[MetaWorldOptions]) -> GymnasiumEnvPool[Array]: ...
@overload
def make_gymnasium(task_id: FetchTask, *, num_envs: int = 1, gym_reset_return_info: Literal[True] | None = None, **options: Unpack[FetchOptions]) -> GymnasiumEnvPool[dict[str, Array]]: ...
@overload
def make_gymnasium(task_id: AdroitHandDoorSparseTask, *, num_envs: int = 1, gym_reset_return_info: Literal[True] | None = None, **options: Unpack[AdroitHandDoorSparseOptions]) -> GymnasiumEnvPool[Array]: ...
@overload
def make_gymnasium(task_id: HandReachTask, *, num_envs: int = 1, gym_reset_return_info: Literal[True] | None = None, **options: Unpack[HandReachOptions]) -> GymnasiumEnvPool[dict[str, Array]]: ...
@overload
def make_gymnasium(task_id: HandManipulateTask, *, num_envs: int = 1, gym_reset_return_info: Literal[True] | None = None, **options: Unpack[HandManipulateOptions]) -> GymnasiumEnvPool[dict[str, Array]]: ...
@overload
def make_gymnasium(task_id: HandTouchTask, *, num_envs: int = 1, gym_reset_return_info: Literal[True] | None = None, **options: Unpack[HandTouchOptions]) -> GymnasiumEnvPool[dict[str, Array]]: ...
@overload
def make_gymnasium(task_id: FrankaKitchenTask, *, num_envs: int = 1, gym_reset_return_info: Literal[True] | None = None, **options: Unpack[FrankaKitchenOptions]) -> GymnasiumEnvPool[dict[str, Array | dict[str, Array]]]: ...
@overload
def make_gymnasium(task_id: EnvPoolVizdoomTask, *, num_envs: int = 1, gym_reset_return_info: Literal[True] | None = None, **options: Unpack[EnvPoolVizdoomOptions]) -> GymnasiumEnvPool[Array]: ...
@overload
def make_gymnasium(task_id: VizdoomTask, *, num_envs: int = 1, gym_reset_return_info: Literal[True] | None = None, **options: Unpack[VizdoomOptions]) -> GymnasiumEnvPool[dict[str, Array]]: ...
@overload
def make_gymnasium(task_id: CrafterRewardTask, *, num_envs: int = 1, gym_reset_return_info: Literal[True] | None = None, **options: Unpack[CrafterRewardOptions]) -> GymnasiumEnvPool[Array]: ...
@overload
def make_gymnasium(task_id: EnvPoolProcgenTask, *, num_envs: int = 1, gym_reset_return_info: Literal[True] | None = None, **options: Unpack[EnvPoolProcgenOptions]) -> GymnasiumEnvPool[Array]: ...
@overload
def make_gymnasium(task_id: ProcgenTask, *, num_envs: int = 1, gym_reset_return_info: Literal[True] | None = None, **options: Unpack[ProcgenOptions]) -> GymnasiumEnvPool[Array]: ...
@overload
@deprecated("not all of these are options of this task: see `python -m envpool_rs info TASK`")
def make_gymnasium(task_id: KnownTask, *, num_envs: int = 1, gym_reset_return_info: bool | None = None, **options: Unpack[AnyOptions]) -> NoSuchOption: ...
@overload
def make_gymnasium(task_id: TaskId, *, num_envs: int = 1, gym_reset_return_info: Literal[True] | None = None, **options: Unpack[AnyOptions]) -> GymnasiumEnvPool: ...

@overload
def make_gym(task_id: CartPoleTask, *, num_envs: int = 1, gym_reset_return_info: bool | None = None, **options: Unpack[CartPoleOptions]) -> GymEnvPool: ...
@overload
def make_gym(task_id: MountainCarTask, *, num_envs: int = 1, gym_reset_return_info: bool | None = None, **options: Unpack[MountainCarOptions]) -> GymEnvPool: ...
@overload
def make_gym(task_id: PendulumTask, *, num_envs: int = 1, gym_reset_return_info: bool | None = None, **options: Unpack[PendulumOptions]) -> GymEnvPool: ...
@overload
def make_gym(task_id: AcrobotTask, *, num_envs: int = 1, gym_reset_return_info: bool | None = None, **options: Unpack[PoolOptions]) -> GymEnvPool: ...
@overload
def make_gym(task_id: FrozenLakeTask, *, num_envs: int = 1, gym_reset_return_info: bool | None = None, **options: Unpack[FrozenLakeOptions]) -> GymEnvPool: ...
@overload
def make_gym(task_id: TaxiTask, *, num_envs: int = 1, gym_reset_return_info: bool | None = None, **options: Unpack[TaxiOptions]) -> GymEnvPool: ...
@overload
def make_gym(task_id: TaxiV4Task, *, num_envs: int = 1, gym_reset_return_info: bool | None = None, **options: Unpack[TaxiV4Options]) -> GymEnvPool: ...
@overload
def make_gym(task_id: CliffWalkingTask, *, num_envs: int = 1, gym_reset_return_info: bool | None = None, **options: Unpack[CliffWalkingOptions]) -> GymEnvPool: ...
@overload
def make_gym(task_id: BlackjackTask, *, num_envs: int = 1, gym_reset_return_info: bool | None = None, **options: Unpack[BlackjackOptions]) -> GymEnvPool: ...
@overload
def make_gym(task_id: NChainTask, *, num_envs: int = 1, gym_reset_return_info: bool | None = None, **options: Unpack[NChainOptions]) -> GymEnvPool: ...
@overload
def make_gym(task_id: AtariTask, *, num_envs: int = 1, gym_reset_return_info: bool | None = None, **options: Unpack[AtariOptions]) -> GymEnvPool: ...
@overload
def make_gym(task_id: AleAtariTask, *, num_envs: int = 1, gym_reset_return_info: bool | None = None, **options: Unpack[AleAtariOptions]) -> GymEnvPool: ...
@overload
def make_gym(task_id: CatchTask, *, num_envs: int = 1, gym_reset_return_info: bool | None = None, **options: Unpack[CatchOptions]) -> GymEnvPool: ...
@overload
def make_gym(task_id: SimpleSpreadTask, *, num_envs: int = 1, gym_reset_return_info: bool | None = None, **options: Unpack[SimpleSpreadOptions]) -> GymEnvPool: ...
@overload
def make_gym(task_id: SimpleSpeakerListenerTask, *, num_envs: int = 1, gym_reset_return_info: bool | None = None, **options: Unpack[SimpleSpeakerListenerOptions]) -> GymEnvPool: ...
@overload
def make_gym(task_id: MiniGridEmpty5x5Task, *, num_envs: int = 1, gym_reset_return_info: bool | None = None, **options: Unpack[MiniGridEmpty5x5Options]) -> GymEnvPool: ...
@overload
def make_gym(task_id: MiniGridDoorKey5x5Task, *, num_envs: int = 1, gym_reset_return_info: bool | None = None, **options: Unpack[MiniGridDoorKey5x5Options]) -> GymEnvPool: ...
@overload
def make_gym(task_id: MiniGridLavaCrossingS9N1Task, *, num_envs: int = 1, gym_reset_return_info: bool | None = None, **options: Unpack[MiniGridLavaCrossingS9N1Options]) -> GymEnvPool: ...
@overload
def make_gym(task_id: MiniGridDistShift1Task, *, num_envs: int = 1, gym_reset_return_info: bool | None = None, **options: Unpack[MiniGridDistShift1Options]) -> GymEnvPool: ...
@overload
def make_gym(task_id: MiniGridLavaGapS5Task, *, num_envs: int = 1, gym_reset_return_info: bool | None = None, **options: Unpack[MiniGridLavaGapS5Options]) -> GymEnvPool: ...
@overload
def make_gym(task_id: MiniGridDynamicObstacles5x5Task, *, num_envs: int = 1, gym_reset_return_info: bool | None = None, **options: Unpack[MiniGridDynamicObstacles5x5Options]) -> GymEnvPool: ...
@overload
def make_gym(task_id: MiniGridFetch5x5N2Task, *, num_envs: int = 1, gym_reset_return_info: bool | None = None, **options: Unpack[MiniGridFetch5x5N2Options]) -> GymEnvPool: ...
@overload
def make_gym(task_id: MiniGridFourRoomsTask, *, num_envs: int = 1, gym_reset_return_info: bool | None = None, **options: Unpack[MiniGridFourRoomsOptions]) -> GymEnvPool: ...
@overload
def make_gym(task_id: MiniGridGoToObject6x6N2Task, *, num_envs: int = 1, gym_reset_return_info: bool | None = None, **options: Unpack[MiniGridGoToObject6x6N2Options]) -> GymEnvPool: ...
@overload
def make_gym(task_id: MiniGridKeyCorridorS3R1Task, *, num_envs: int = 1, gym_reset_return_info: bool | None = None, **options: Unpack[MiniGridKeyCorridorS3R1Options]) -> GymEnvPool: ...
@overload
def make_gym(task_id: MiniGridMemoryS17RandomTask, *, num_envs: int = 1, gym_reset_return_info: bool | None = None, **options: Unpack[MiniGridMemoryS17RandomOptions]) -> GymEnvPool: ...
@overload
def make_gym(task_id: MiniGridMultiRoomN2S4Task, *, num_envs: int = 1, gym_reset_return_info: bool | None = None, **options: Unpack[MiniGridMultiRoomN2S4Options]) -> GymEnvPool: ...
@overload
def make_gym(task_id: MiniGridObstructedMaze1DlTask, *, num_envs: int = 1, gym_reset_return_info: bool | None = None, **options: Unpack[MiniGridObstructedMaze1DlOptions]) -> GymEnvPool: ...
@overload
def make_gym(task_id: MiniGridObstructedMaze2DlTask, *, num_envs: int = 1, gym_reset_return_info: bool | None = None, **options: Unpack[MiniGridObstructedMaze2DlOptions]) -> GymEnvPool: ...
@overload
def make_gym(task_id: MiniGridPlaygroundTask, *, num_envs: int = 1, gym_reset_return_info: bool | None = None, **options: Unpack[MiniGridPlaygroundOptions]) -> GymEnvPool: ...
@overload
def make_gym(task_id: MiniGridWFCMazeSimpleTask, *, num_envs: int = 1, gym_reset_return_info: bool | None = None, **options: Unpack[MiniGridWFCMazeSimpleOptions]) -> GymEnvPool: ...
@overload
def make_gym(task_id: BabyAIGoToRedBallGreyTask, *, num_envs: int = 1, gym_reset_return_info: bool | None = None, **options: Unpack[BabyAIGoToRedBallGreyOptions]) -> GymEnvPool: ...
@overload
def make_gym(task_id: BabyAIGoToObjTask, *, num_envs: int = 1, gym_reset_return_info: bool | None = None, **options: Unpack[BabyAIGoToObjOptions]) -> GymEnvPool: ...
@overload
def make_gym(task_id: BabyAIGoToTask, *, num_envs: int = 1, gym_reset_return_info: bool | None = None, **options: Unpack[BabyAIGoToOptions]) -> GymEnvPool: ...
@overload
def make_gym(task_id: BabyAIGoToImpUnlockTask, *, num_envs: int = 1, gym_reset_return_info: bool | None = None, **options: Unpack[BabyAIGoToImpUnlockOptions]) -> GymEnvPool: ...
@overload
def make_gym(task_id: BabyAIOpenDoorTask, *, num_envs: int = 1, gym_reset_return_info: bool | None = None, **options: Unpack[BabyAIOpenDoorOptions]) -> GymEnvPool: ...
@overload
def make_gym(task_id: BabyAIOpenTwoDoorsTask, *, num_envs: int = 1, gym_reset_return_info: bool | None = None, **options: Unpack[BabyAIOpenTwoDoorsOptions]) -> GymEnvPool: ...
@overload
def make_gym(task_id: BabyAIOpenDoorsOrderN2Task, *, num_envs: int = 1, gym_reset_return_info: bool | None = None, **options: Unpack[BabyAIOpenDoorsOrderN2Options]) -> GymEnvPool: ...
@overload
def make_gym(task_id: BabyAIPickupDistTask, *, num_envs: int = 1, gym_reset_return_info: bool | None = None, **options: Unpack[BabyAIPickupDistOptions]) -> GymEnvPool: ...
@overload
def make_gym(task_id: BabyAIPutNextLocalTask, *, num_envs: int = 1, gym_reset_return_info: bool | None = None, **options: Unpack[BabyAIPutNextLocalOptions]) -> GymEnvPool: ...
@overload
def make_gym(task_id: BabyAIPutNextS4N1Task, *, num_envs: int = 1, gym_reset_return_info: bool | None = None, **options: Unpack[BabyAIPutNextS4N1Options]) -> GymEnvPool: ...
@overload
def make_gym(task_id: BabyAIMoveTwoAcrossS5N2Task, *, num_envs: int = 1, gym_reset_return_info: bool | None = None, **options: Unpack[BabyAIMoveTwoAcrossS5N2Options]) -> GymEnvPool: ...
@overload
def make_gym(task_id: BabyAIUnlockLocalTask, *, num_envs: int = 1, gym_reset_return_info: bool | None = None, **options: Unpack[BabyAIUnlockLocalOptions]) -> GymEnvPool: ...
@overload
def make_gym(task_id: BabyAIGoToSeqTask, *, num_envs: int = 1, gym_reset_return_info: bool | None = None, **options: Unpack[BabyAIGoToSeqOptions]) -> GymEnvPool: ...
@overload
def make_gym(task_id: AntTask, *, num_envs: int = 1, gym_reset_return_info: bool | None = None, **options: Unpack[AntOptions]) -> GymEnvPool: ...
@overload
def make_gym(task_id: AntV4Task, *, num_envs: int = 1, gym_reset_return_info: bool | None = None, **options: Unpack[AntV4Options]) -> GymEnvPool: ...
@overload
def make_gym(task_id: HalfCheetahTask, *, num_envs: int = 1, gym_reset_return_info: bool | None = None, **options: Unpack[HalfCheetahOptions]) -> GymEnvPool: ...
@overload
def make_gym(task_id: HopperTask, *, num_envs: int = 1, gym_reset_return_info: bool | None = None, **options: Unpack[HopperOptions]) -> GymEnvPool: ...
@overload
def make_gym(task_id: HumanoidTask, *, num_envs: int = 1, gym_reset_return_info: bool | None = None, **options: Unpack[HumanoidOptions]) -> GymEnvPool: ...
@overload
def make_gym(task_id: HumanoidStandupTask, *, num_envs: int = 1, gym_reset_return_info: bool | None = None, **options: Unpack[HumanoidStandupOptions]) -> GymEnvPool: ...
@overload
def make_gym(task_id: InvertedDoublePendulumTask, *, num_envs: int = 1, gym_reset_return_info: bool | None = None, **options: Unpack[InvertedDoublePendulumOptions]) -> GymEnvPool: ...
@overload
def make_gym(task_id: InvertedPendulumTask, *, num_envs: int = 1, gym_reset_return_info: bool | None = None, **options: Unpack[InvertedPendulumOptions]) -> GymEnvPool: ...
@overload
def make_gym(task_id: PusherTask, *, num_envs: int = 1, gym_reset_return_info: bool | None = None, **options: Unpack[PusherOptions]) -> GymEnvPool: ...
@overload
def make_gym(task_id: ReacherTask, *, num_envs: int = 1, gym_reset_return_info: bool | None = None, **options: Unpack[ReacherOptions]) -> GymEnvPool: ...
@overload
def make_gym(task_id: Walker2dTask, *, num_envs: int = 1, gym_reset_return_info: bool | None = None, **options: Unpack[Walker2dOptions]) -> GymEnvPool: ...
@overload
def make_gym(task_id: LunarLanderTask, *, num_envs: int = 1, gym_reset_return_info: bool | None = None, **options: Unpack[LunarLanderOptions]) -> GymEnvPool: ...
@overload
def make_gym(task_id: BipedalWalkerTask, *, num_envs: int = 1, gym_reset_return_info: bool | None = None, **options: Unpack[BipedalWalkerOptions]) -> GymEnvPool: ...
@overload
def make_gym(task_id: CarRacingTask, *, num_envs: int = 1, gym_reset_return_info: bool | None = None, **options: Unpack[CarRacingOptions]) -> GymEnvPool: ...
@overload
def make_gym(task_id: DmControlTask, *, num_envs: int = 1, gym_reset_return_info: bool | None = None, **options: Unpack[DmControlOptions]) -> GymEnvPool: ...
@overload
def make_gym(task_id: CartpoleBalanceTask, *, num_envs: int = 1, gym_reset_return_info: bool | None = None, **options: Unpack[CartpoleBalanceOptions]) -> GymEnvPool: ...
@overload
def make_gym(task_id: ManipulatorBringBallTask, *, num_envs: int = 1, gym_reset_return_info: bool | None = None, **options: Unpack[ManipulatorBringBallOptions]) -> GymEnvPool: ...
@overload
def make_gym(task_id: SwimmerSwimmer6Task, *, num_envs: int = 1, gym_reset_return_info: bool | None = None, **options: Unpack[SwimmerSwimmer6Options]) -> GymEnvPool: ...
@overload
def make_gym(task_id: PointMazeTask, *, num_envs: int = 1, gym_reset_return_info: bool | None = None, **options: Unpack[PointMazeOptions]) -> GymEnvPool: ...
@overload
def make_gym(task_id: AntMazeTask, *, num_envs: int = 1, gym_reset_return_info: bool | None = None, **options: Unpack[AntMazeOptions]) -> GymEnvPool: ...
@overload
def make_gym(task_id: AntMazeV4Task, *, num_envs: int = 1, gym_reset_return_info: bool | None = None, **options: Unpack[AntMazeV4Options]) -> GymEnvPool: ...
@overload
def make_gym(task_id: AntMazeV3Task, *, num_envs: int = 1, gym_reset_return_info: bool | None = None, **options: Unpack[AntMazeV3Options]) -> GymEnvPool: ...
@overload
def make_gym(task_id: MetaWorldTask, *, num_envs: int = 1, gym_reset_return_info: bool | None = None, **options: Unpack[MetaWorldOptions]) -> GymEnvPool: ...
@overload
def make_gym(task_id: FetchTask, *, num_envs: int = 1, gym_reset_return_info: bool | None = None, **options: Unpack[FetchOptions]) -> GymEnvPool: ...
@overload
def make_gym(task_id: AdroitHandDoorSparseTask, *, num_envs: int = 1, gym_reset_return_info: bool | None = None, **options: Unpack[AdroitHandDoorSparseOptions]) -> GymEnvPool: ...
@overload
def make_gym(task_id: HandReachTask, *, num_envs: int = 1, gym_reset_return_info: bool | None = None, **options: Unpack[HandReachOptions]) -> GymEnvPool: ...
@overload
def make_gym(task_id: HandManipulateTask, *, num_envs: int = 1, gym_reset_return_info: bool | None = None, **options: Unpack[HandManipulateOptions]) -> GymEnvPool: ...
@overload
def make_gym(task_id: HandTouchTask, *, num_envs: int = 1, gym_reset_return_info: bool | None = None, **options: Unpack[HandTouchOptions]) -> GymEnvPool: ...
@overload
def make_gym(task_id: FrankaKitchenTask, *, num_envs: int = 1, gym_reset_return_info: bool | None = None, **options: Unpack[FrankaKitchenOptions]) -> GymEnvPool: ...
@overload
def make_gym(task_id: EnvPoolVizdoomTask, *, num_envs: int = 1, gym_reset_return_info: bool | None = None, **options: Unpack[EnvPoolVizdoomOptions]) -> GymEnvPool: ...
@overload
def make_gym(task_id: VizdoomTask, *, num_envs: int = 1, gym_reset_return_info: bool | None = None, **options: Unpack[VizdoomOptions]) -> GymEnvPool: ...
@overload
def make_gym(task_id: CrafterRewardTask, *, num_envs: int = 1, gym_reset_return_info: bool | None = None, **options: Unpack[CrafterRewardOptions]) -> GymEnvPool: ...
@overload
def make_gym(task_id: EnvPoolProcgenTask, *, num_envs: int = 1, gym_reset_return_info: bool | None = None, **options: Unpack[EnvPoolProcgenOptions]) -> GymEnvPool: ...
@overload
def make_gym(task_id: ProcgenTask, *, num_envs: int = 1, gym_reset_return_info: bool | None = None, **options: Unpack[ProcgenOptions]) -> GymEnvPool: ...
@overload
@deprecated("not all of these are options of this task: see `python -m envpool_rs info TASK`")
def make_gym(task_id: KnownTask, *, num_envs: int = 1, gym_reset_return_info: bool | None = None, **options: Unpack[AnyOptions]) -> NoSuchOption: ...
@overload
def make_gym(task_id: TaskId, *, num_envs: int = 1, gym_reset_return_info: bool | None = None, **options: Unpack[AnyOptions]) -> GymEnvPool: ...

@overload
def make_dm(task_id: CartPoleTask, *, num_envs: int = 1, gym_reset_return_info: Literal[True] | None = None, **options: Unpack[CartPoleOptions]) -> DMEnvPool: ...
@overload
def make_dm(task_id: MountainCarTask, *, num_envs: int = 1, gym_reset_return_info: Literal[True] | None = None, **options: Unpack[MountainCarOptions]) -> DMEnvPool: ...
@overload
def make_dm(task_id: PendulumTask, *, num_envs: int = 1, gym_reset_return_info: Literal[True] | None = None, **options: Unpack[PendulumOptions]) -> DMEnvPool: ...
@overload
def make_dm(task_id: AcrobotTask, *, num_envs: int = 1, gym_reset_return_info: Literal[True] | None = None, **options: Unpack[PoolOptions]) -> DMEnvPool: ...
@overload
def make_dm(task_id: FrozenLakeTask, *, num_envs: int = 1, gym_reset_return_info: Literal[True] | None = None, **options: Unpack[FrozenLakeOptions]) -> DMEnvPool: ...
@overload
def make_dm(task_id: TaxiTask, *, num_envs: int = 1, gym_reset_return_info: Literal[True] | None = None, **options: Unpack[TaxiOptions]) -> DMEnvPool: ...
@overload
def make_dm(task_id: TaxiV4Task, *, num_envs: int = 1, gym_reset_return_info: Literal[True] | None = None, **options: Unpack[TaxiV4Options]) -> DMEnvPool: ...
@overload
def make_dm(task_id: CliffWalkingTask, *, num_envs: int = 1, gym_reset_return_info: Literal[True] | None = None, **options: Unpack[CliffWalkingOptions]) -> DMEnvPool: ...
@overload
def make_dm(task_id: BlackjackTask, *, num_envs: int = 1, gym_reset_return_info: Literal[True] | None = None, **options: Unpack[BlackjackOptions]) -> DMEnvPool: ...
@overload
def make_dm(task_id: NChainTask, *, num_envs: int = 1, gym_reset_return_info: Literal[True] | None = None, **options: Unpack[NChainOptions]) -> DMEnvPool: ...
@overload
def make_dm(task_id: AtariTask, *, num_envs: int = 1, gym_reset_return_info: Literal[True] | None = None, **options: Unpack[AtariOptions]) -> DMEnvPool: ...
@overload
def make_dm(task_id: AleAtariTask, *, num_envs: int = 1, gym_reset_return_info: Literal[True] | None = None, **options: Unpack[AleAtariOptions]) -> DMEnvPool: ...
@overload
def make_dm(task_id: CatchTask, *, num_envs: int = 1, gym_reset_return_info: Literal[True] | None = None, **options: Unpack[CatchOptions]) -> DMEnvPool: ...
@overload
def make_dm(task_id: SimpleSpreadTask, *, num_envs: int = 1, gym_reset_return_info: Literal[True] | None = None, **options: Unpack[SimpleSpreadOptions]) -> DMEnvPool: ...
@overload
def make_dm(task_id: SimpleSpeakerListenerTask, *, num_envs: int = 1, gym_reset_return_info: Literal[True] | None = None, **options: Unpack[SimpleSpeakerListenerOptions]) -> DMEnvPool: ...
@overload
def make_dm(task_id: MiniGridEmpty5x5Task, *, num_envs: int = 1, gym_reset_return_info: Literal[True] | None = None, **options: Unpack[MiniGridEmpty5x5Options]) -> DMEnvPool: ...
@overload
def make_dm(task_id: MiniGridDoorKey5x5Task, *, num_envs: int = 1, gym_reset_return_info: Literal[True] | None = None, **options: Unpack[MiniGridDoorKey5x5Options]) -> DMEnvPool: ...
@overload
def make_dm(task_id: MiniGridLavaCrossingS9N1Task, *, num_envs: int = 1, gym_reset_return_info: Literal[True] | None = None, **options: Unpack[MiniGridLavaCrossingS9N1Options]) -> DMEnvPool: ...
@overload
def make_dm(task_id: MiniGridDistShift1Task, *, num_envs: int = 1, gym_reset_return_info: Literal[True] | None = None, **options: Unpack[MiniGridDistShift1Options]) -> DMEnvPool: ...
@overload
def make_dm(task_id: MiniGridLavaGapS5Task, *, num_envs: int = 1, gym_reset_return_info: Literal[True] | None = None, **options: Unpack[MiniGridLavaGapS5Options]) -> DMEnvPool: ...
@overload
def make_dm(task_id: MiniGridDynamicObstacles5x5Task, *, num_envs: int = 1, gym_reset_return_info: Literal[True] | None = None, **options: Unpack[MiniGridDynamicObstacles5x5Options]) -> DMEnvPool: ...
@overload
def make_dm(task_id: MiniGridFetch5x5N2Task, *, num_envs: int = 1, gym_reset_return_info: Literal[True] | None = None, **options: Unpack[MiniGridFetch5x5N2Options]) -> DMEnvPool: ...
@overload
def make_dm(task_id: MiniGridFourRoomsTask, *, num_envs: int = 1, gym_reset_return_info: Literal[True] | None = None, **options: Unpack[MiniGridFourRoomsOptions]) -> DMEnvPool: ...
@overload
def make_dm(task_id: MiniGridGoToObject6x6N2Task, *, num_envs: int = 1, gym_reset_return_info: Literal[True] | None = None, **options: Unpack[MiniGridGoToObject6x6N2Options]) -> DMEnvPool: ...
@overload
def make_dm(task_id: MiniGridKeyCorridorS3R1Task, *, num_envs: int = 1, gym_reset_return_info: Literal[True] | None = None, **options: Unpack[MiniGridKeyCorridorS3R1Options]) -> DMEnvPool: ...
@overload
def make_dm(task_id: MiniGridMemoryS17RandomTask, *, num_envs: int = 1, gym_reset_return_info: Literal[True] | None = None, **options: Unpack[MiniGridMemoryS17RandomOptions]) -> DMEnvPool: ...
@overload
def make_dm(task_id: MiniGridMultiRoomN2S4Task, *, num_envs: int = 1, gym_reset_return_info: Literal[True] | None = None, **options: Unpack[MiniGridMultiRoomN2S4Options]) -> DMEnvPool: ...
@overload
def make_dm(task_id: MiniGridObstructedMaze1DlTask, *, num_envs: int = 1, gym_reset_return_info: Literal[True] | None = None, **options: Unpack[MiniGridObstructedMaze1DlOptions]) -> DMEnvPool: ...
@overload
def make_dm(task_id: MiniGridObstructedMaze2DlTask, *, num_envs: int = 1, gym_reset_return_info: Literal[True] | None = None, **options: Unpack[MiniGridObstructedMaze2DlOptions]) -> DMEnvPool: ...
@overload
def make_dm(task_id: MiniGridPlaygroundTask, *, num_envs: int = 1, gym_reset_return_info: Literal[True] | None = None, **options: Unpack[MiniGridPlaygroundOptions]) -> DMEnvPool: ...
@overload
def make_dm(task_id: MiniGridWFCMazeSimpleTask, *, num_envs: int = 1, gym_reset_return_info: Literal[True] | None = None, **options: Unpack[MiniGridWFCMazeSimpleOptions]) -> DMEnvPool: ...
@overload
def make_dm(task_id: BabyAIGoToRedBallGreyTask, *, num_envs: int = 1, gym_reset_return_info: Literal[True] | None = None, **options: Unpack[BabyAIGoToRedBallGreyOptions]) -> DMEnvPool: ...
@overload
def make_dm(task_id: BabyAIGoToObjTask, *, num_envs: int = 1, gym_reset_return_info: Literal[True] | None = None, **options: Unpack[BabyAIGoToObjOptions]) -> DMEnvPool: ...
@overload
def make_dm(task_id: BabyAIGoToTask, *, num_envs: int = 1, gym_reset_return_info: Literal[True] | None = None, **options: Unpack[BabyAIGoToOptions]) -> DMEnvPool: ...
@overload
def make_dm(task_id: BabyAIGoToImpUnlockTask, *, num_envs: int = 1, gym_reset_return_info: Literal[True] | None = None, **options: Unpack[BabyAIGoToImpUnlockOptions]) -> DMEnvPool: ...
@overload
def make_dm(task_id: BabyAIOpenDoorTask, *, num_envs: int = 1, gym_reset_return_info: Literal[True] | None = None, **options: Unpack[BabyAIOpenDoorOptions]) -> DMEnvPool: ...
@overload
def make_dm(task_id: BabyAIOpenTwoDoorsTask, *, num_envs: int = 1, gym_reset_return_info: Literal[True] | None = None, **options: Unpack[BabyAIOpenTwoDoorsOptions]) -> DMEnvPool: ...
@overload
def make_dm(task_id: BabyAIOpenDoorsOrderN2Task, *, num_envs: int = 1, gym_reset_return_info: Literal[True] | None = None, **options: Unpack[BabyAIOpenDoorsOrderN2Options]) -> DMEnvPool: ...
@overload
def make_dm(task_id: BabyAIPickupDistTask, *, num_envs: int = 1, gym_reset_return_info: Literal[True] | None = None, **options: Unpack[BabyAIPickupDistOptions]) -> DMEnvPool: ...
@overload
def make_dm(task_id: BabyAIPutNextLocalTask, *, num_envs: int = 1, gym_reset_return_info: Literal[True] | None = None, **options: Unpack[BabyAIPutNextLocalOptions]) -> DMEnvPool: ...
@overload
def make_dm(task_id: BabyAIPutNextS4N1Task, *, num_envs: int = 1, gym_reset_return_info: Literal[True] | None = None, **options: Unpack[BabyAIPutNextS4N1Options]) -> DMEnvPool: ...
@overload
def make_dm(task_id: BabyAIMoveTwoAcrossS5N2Task, *, num_envs: int = 1, gym_reset_return_info: Literal[True] | None = None, **options: Unpack[BabyAIMoveTwoAcrossS5N2Options]) -> DMEnvPool: ...
@overload
def make_dm(task_id: BabyAIUnlockLocalTask, *, num_envs: int = 1, gym_reset_return_info: Literal[True] | None = None, **options: Unpack[BabyAIUnlockLocalOptions]) -> DMEnvPool: ...
@overload
def make_dm(task_id: BabyAIGoToSeqTask, *, num_envs: int = 1, gym_reset_return_info: Literal[True] | None = None, **options: Unpack[BabyAIGoToSeqOptions]) -> DMEnvPool: ...
@overload
def make_dm(task_id: AntTask, *, num_envs: int = 1, gym_reset_return_info: Literal[True] | None = None, **options: Unpack[AntOptions]) -> DMEnvPool: ...
@overload
def make_dm(task_id: AntV4Task, *, num_envs: int = 1, gym_reset_return_info: Literal[True] | None = None, **options: Unpack[AntV4Options]) -> DMEnvPool: ...
@overload
def make_dm(task_id: HalfCheetahTask, *, num_envs: int = 1, gym_reset_return_info: Literal[True] | None = None, **options: Unpack[HalfCheetahOptions]) -> DMEnvPool: ...
@overload
def make_dm(task_id: HopperTask, *, num_envs: int = 1, gym_reset_return_info: Literal[True] | None = None, **options: Unpack[HopperOptions]) -> DMEnvPool: ...
@overload
def make_dm(task_id: HumanoidTask, *, num_envs: int = 1, gym_reset_return_info: Literal[True] | None = None, **options: Unpack[HumanoidOptions]) -> DMEnvPool: ...
@overload
def make_dm(task_id: HumanoidStandupTask, *, num_envs: int = 1, gym_reset_return_info: Literal[True] | None = None, **options: Unpack[HumanoidStandupOptions]) -> DMEnvPool: ...
@overload
def make_dm(task_id: InvertedDoublePendulumTask, *, num_envs: int = 1, gym_reset_return_info: Literal[True] | None = None, **options: Unpack[InvertedDoublePendulumOptions]) -> DMEnvPool: ...
@overload
def make_dm(task_id: InvertedPendulumTask, *, num_envs: int = 1, gym_reset_return_info: Literal[True] | None = None, **options: Unpack[InvertedPendulumOptions]) -> DMEnvPool: ...
@overload
def make_dm(task_id: PusherTask, *, num_envs: int = 1, gym_reset_return_info: Literal[True] | None = None, **options: Unpack[PusherOptions]) -> DMEnvPool: ...
@overload
def make_dm(task_id: ReacherTask, *, num_envs: int = 1, gym_reset_return_info: Literal[True] | None = None, **options: Unpack[ReacherOptions]) -> DMEnvPool: ...
@overload
def make_dm(task_id: Walker2dTask, *, num_envs: int = 1, gym_reset_return_info: Literal[True] | None = None, **options: Unpack[Walker2dOptions]) -> DMEnvPool: ...
@overload
def make_dm(task_id: LunarLanderTask, *, num_envs: int = 1, gym_reset_return_info: Literal[True] | None = None, **options: Unpack[LunarLanderOptions]) -> DMEnvPool: ...
@overload
def make_dm(task_id: BipedalWalkerTask, *, num_envs: int = 1, gym_reset_return_info: Literal[True] | None = None, **options: Unpack[BipedalWalkerOptions]) -> DMEnvPool: ...
@overload
def make_dm(task_id: CarRacingTask, *, num_envs: int = 1, gym_reset_return_info: Literal[True] | None = None, **options: Unpack[CarRacingOptions]) -> DMEnvPool: ...
@overload
def make_dm(task_id: DmControlTask, *, num_envs: int = 1, gym_reset_return_info: Literal[True] | None = None, **options: Unpack[DmControlOptions]) -> DMEnvPool: ...
@overload
def make_dm(task_id: CartpoleBalanceTask, *, num_envs: int = 1, gym_reset_return_info: Literal[True] | None = None, **options: Unpack[CartpoleBalanceOptions]) -> DMEnvPool: ...
@overload
def make_dm(task_id: ManipulatorBringBallTask, *, num_envs: int = 1, gym_reset_return_info: Literal[True] | None = None, **options: Unpack[ManipulatorBringBallOptions]) -> DMEnvPool: ...
@overload
def make_dm(task_id: SwimmerSwimmer6Task, *, num_envs: int = 1, gym_reset_return_info: Literal[True] | None = None, **options: Unpack[SwimmerSwimmer6Options]) -> DMEnvPool: ...
@overload
def make_dm(task_id: PointMazeTask, *, num_envs: int = 1, gym_reset_return_info: Literal[True] | None = None, **options: Unpack[PointMazeOptions]) -> DMEnvPool: ...
@overload
def make_dm(task_id: AntMazeTask, *, num_envs: int = 1, gym_reset_return_info: Literal[True] | None = None, **options: Unpack[AntMazeOptions]) -> DMEnvPool: ...
@overload
def make_dm(task_id: AntMazeV4Task, *, num_envs: int = 1, gym_reset_return_info: Literal[True] | None = None, **options: Unpack[AntMazeV4Options]) -> DMEnvPool: ...
@overload
def make_dm(task_id: AntMazeV3Task, *, num_envs: int = 1, gym_reset_return_info: Literal[True] | None = None, **options: Unpack[AntMazeV3Options]) -> DMEnvPool: ...
@overload
def make_dm(task_id: MetaWorldTask, *, num_envs: int = 1, gym_reset_return_info: Literal[True] | None = None, **options: Unpack[MetaWorldOptions]) -> DMEnvPool: ...
@overload
def make_dm(task_id: FetchTask, *, num_envs: int = 1, gym_reset_return_info: Literal[True] | None = None, **options: Unpack[FetchOptions]) -> DMEnvPool: ...
@overload
def make_dm(task_id: AdroitHandDoorSparseTask, *, num_envs: int = 1, gym_reset_return_info: Literal[True] | None = None, **options: Unpack[AdroitHandDoorSparseOptions]) -> DMEnvPool: ...
@overload
def make_dm(task_id: HandReachTask, *, num_envs: int = 1, gym_reset_return_info: Literal[True] | None = None, **options: Unpack[HandReachOptions]) -> DMEnvPool: ...
@overload
def make_dm(task_id: HandManipulateTask, *, num_envs: int = 1, gym_reset_return_info: Literal[True] | None = None, **options: Unpack[HandManipulateOptions]) -> DMEnvPool: ...
@overload
def make_dm(task_id: HandTouchTask, *, num_envs: int = 1, gym_reset_return_info: Literal[True] | None = None, **options: Unpack[HandTouchOptions]) -> DMEnvPool: ...
@overload
def make_dm(task_id: FrankaKitchenTask, *, num_envs: int = 1, gym_reset_return_info: Literal[True] | None = None, **options: Unpack[FrankaKitchenOptions]) -> DMEnvPool: ...
@overload
def make_dm(task_id: EnvPoolVizdoomTask, *, num_envs: int = 1, gym_reset_return_info: Literal[True] | None = None, **options: Unpack[EnvPoolVizdoomOptions]) -> DMEnvPool: ...
@overload
def make_dm(task_id: VizdoomTask, *, num_envs: int = 1, gym_reset_return_info: Literal[True] | None = None, **options: Unpack[VizdoomOptions]) -> DMEnvPool: ...
@overload
def make_dm(task_id: CrafterRewardTask, *, num_envs: int = 1, gym_reset_return_info: Literal[True] | None = None, **options: Unpack[CrafterRewardOptions]) -> DMEnvPool: ...
@overload
def make_dm(task_id: EnvPoolProcgenTask, *, num_envs: int = 1, gym_reset_return_info: Literal[True] | None = None, **options: Unpack[EnvPoolProcgenOptions]) -> DMEnvPool: ...
@overload
def make_dm(task_id: ProcgenTask, *, num_envs: int = 1, gym_reset_return_info: Literal[True] | None = None, **options: Unpack[ProcgenOptions]) -> DMEnvPool: ...
@overload
@deprecated("not all of these are options of this task: see `python -m envpool_rs info TASK`")
def make_dm(task_id: KnownTask, *, num_envs: int = 1, gym_reset_return_info: bool | None = None, **options: Unpack[AnyOptions]) -> NoSuchOption: ...
@overload
def make_dm(task_id: TaskId, *, num_envs: int = 1, gym_reset_return_info: Literal[True] | None = None, **options: Unpack[AnyOptions]) -> DMEnvPool: ...

@overload
def make_spec(task_id: CartPoleTask, *, num_envs: int = 1, gym_reset_return_info: Literal[True] | None = None, **options: Unpack[CartPoleOptions]) -> EnvSpec: ...
@overload
def make_spec(task_id: MountainCarTask, *, num_envs: int = 1, gym_reset_return_info: Literal[True] | None = None, **options: Unpack[MountainCarOptions]) -> EnvSpec: ...
@overload
def make_spec(task_id: PendulumTask, *, num_envs: int = 1, gym_reset_return_info: Literal[True] | None = None, **options: Unpack[PendulumOptions]) -> EnvSpec: ...
@overload
def make_spec(task_id: AcrobotTask, *, num_envs: int = 1, gym_reset_return_info: Literal[True] | None = None, **options: Unpack[PoolOptions]) -> EnvSpec: ...
@overload
def make_spec(task_id: FrozenLakeTask, *, num_envs: int = 1, gym_reset_return_info: Literal[True] | None = None, **options: Unpack[FrozenLakeOptions]) -> EnvSpec: ...
@overload
def make_spec(task_id: TaxiTask, *, num_envs: int = 1, gym_reset_return_info: Literal[True] | None = None, **options: Unpack[TaxiOptions]) -> EnvSpec: ...
@overload
def make_spec(task_id: TaxiV4Task, *, num_envs: int = 1, gym_reset_return_info: Literal[True] | None = None, **options: Unpack[TaxiV4Options]) -> EnvSpec: ...
@overload
def make_spec(task_id: CliffWalkingTask, *, num_envs: int = 1, gym_reset_return_info: Literal[True] | None = None, **options: Unpack[CliffWalkingOptions]) -> EnvSpec: ...
@overload
def make_spec(task_id: BlackjackTask, *, num_envs: int = 1, gym_reset_return_info: Literal[True] | None = None, **options: Unpack[BlackjackOptions]) -> EnvSpec: ...
@overload
def make_spec(task_id: NChainTask, *, num_envs: int = 1, gym_reset_return_info: Literal[True] | None = None, **options: Unpack[NChainOptions]) -> EnvSpec: ...
@overload
def make_spec(task_id: AtariTask, *, num_envs: int = 1, gym_reset_return_info: Literal[True] | None = None, **options: Unpack[AtariOptions]) -> EnvSpec: ...
@overload
def make_spec(task_id: AleAtariTask, *, num_envs: int = 1, gym_reset_return_info: Literal[True] | None = None, **options: Unpack[AleAtariOptions]) -> EnvSpec: ...
@overload
def make_spec(task_id: CatchTask, *, num_envs: int = 1, gym_reset_return_info: Literal[True] | None = None, **options: Unpack[CatchOptions]) -> EnvSpec: ...
@overload
def make_spec(task_id: SimpleSpreadTask, *, num_envs: int = 1, gym_reset_return_info: Literal[True] | None = None, **options: Unpack[SimpleSpreadOptions]) -> EnvSpec: ...
@overload
def make_spec(task_id: SimpleSpeakerListenerTask, *, num_envs: int = 1, gym_reset_return_info: Literal[True] | None = None, **options: Unpack[SimpleSpeakerListenerOptions]) -> EnvSpec: ...
@overload
def make_spec(task_id: MiniGridEmpty5x5Task, *, num_envs: int = 1, gym_reset_return_info: Literal[True] | None = None, **options: Unpack[MiniGridEmpty5x5Options]) -> EnvSpec: ...
@overload
def make_spec(task_id: MiniGridDoorKey5x5Task, *, num_envs: int = 1, gym_reset_return_info: Literal[True] | None = None, **options: Unpack[MiniGridDoorKey5x5Options]) -> EnvSpec: ...
@overload
def make_spec(task_id: MiniGridLavaCrossingS9N1Task, *, num_envs: int = 1, gym_reset_return_info: Literal[True] | None = None, **options: Unpack[MiniGridLavaCrossingS9N1Options]) -> EnvSpec: ...
@overload
def make_spec(task_id: MiniGridDistShift1Task, *, num_envs: int = 1, gym_reset_return_info: Literal[True] | None = None, **options: Unpack[MiniGridDistShift1Options]) -> EnvSpec: ...
@overload
def make_spec(task_id: MiniGridLavaGapS5Task, *, num_envs: int = 1, gym_reset_return_info: Literal[True] | None = None, **options: Unpack[MiniGridLavaGapS5Options]) -> EnvSpec: ...
@overload
def make_spec(task_id: MiniGridDynamicObstacles5x5Task, *, num_envs: int = 1, gym_reset_return_info: Literal[True] | None = None, **options: Unpack[MiniGridDynamicObstacles5x5Options]) -> EnvSpec: ...
@overload
def make_spec(task_id: MiniGridFetch5x5N2Task, *, num_envs: int = 1, gym_reset_return_info: Literal[True] | None = None, **options: Unpack[MiniGridFetch5x5N2Options]) -> EnvSpec: ...
@overload
def make_spec(task_id: MiniGridFourRoomsTask, *, num_envs: int = 1, gym_reset_return_info: Literal[True] | None = None, **options: Unpack[MiniGridFourRoomsOptions]) -> EnvSpec: ...
@overload
def make_spec(task_id: MiniGridGoToObject6x6N2Task, *, num_envs: int = 1, gym_reset_return_info: Literal[True] | None = None, **options: Unpack[MiniGridGoToObject6x6N2Options]) -> EnvSpec: ...
@overload
def make_spec(task_id: MiniGridKeyCorridorS3R1Task, *, num_envs: int = 1, gym_reset_return_info: Literal[True] | None = None, **options: Unpack[MiniGridKeyCorridorS3R1Options]) -> EnvSpec: ...
@overload
def make_spec(task_id: MiniGridMemoryS17RandomTask, *, num_envs: int = 1, gym_reset_return_info: Literal[True] | None = None, **options: Unpack[MiniGridMemoryS17RandomOptions]) -> EnvSpec: ...
@overload
def make_spec(task_id: MiniGridMultiRoomN2S4Task, *, num_envs: int = 1, gym_reset_return_info: Literal[True] | None = None, **options: Unpack[MiniGridMultiRoomN2S4Options]) -> EnvSpec: ...
@overload
def make_spec(task_id: MiniGridObstructedMaze1DlTask, *, num_envs: int = 1, gym_reset_return_info: Literal[True] | None = None, **options: Unpack[MiniGridObstructedMaze1DlOptions]) -> EnvSpec: ...
@overload
def make_spec(task_id: MiniGridObstructedMaze2DlTask, *, num_envs: int = 1, gym_reset_return_info: Literal[True] | None = None, **options: Unpack[MiniGridObstructedMaze2DlOptions]) -> EnvSpec: ...
@overload
def make_spec(task_id: MiniGridPlaygroundTask, *, num_envs: int = 1, gym_reset_return_info: Literal[True] | None = None, **options: Unpack[MiniGridPlaygroundOptions]) -> EnvSpec: ...
@overload
def make_spec(task_id: MiniGridWFCMazeSimpleTask, *, num_envs: int = 1, gym_reset_return_info: Literal[True] | None = None, **options: Unpack[MiniGridWFCMazeSimpleOptions]) -> EnvSpec: ...
@overload
def make_spec(task_id: BabyAIGoToRedBallGreyTask, *, num_envs: int = 1, gym_reset_return_info: Literal[True] | None = None, **options: Unpack[BabyAIGoToRedBallGreyOptions]) -> EnvSpec: ...
@overload
def make_spec(task_id: BabyAIGoToObjTask, *, num_envs: int = 1, gym_reset_return_info: Literal[True] | None = None, **options: Unpack[BabyAIGoToObjOptions]) -> EnvSpec: ...
@overload
def make_spec(task_id: BabyAIGoToTask, *, num_envs: int = 1, gym_reset_return_info: Literal[True] | None = None, **options: Unpack[BabyAIGoToOptions]) -> EnvSpec: ...
@overload
def make_spec(task_id: BabyAIGoToImpUnlockTask, *, num_envs: int = 1, gym_reset_return_info: Literal[True] | None = None, **options: Unpack[BabyAIGoToImpUnlockOptions]) -> EnvSpec: ...
@overload
def make_spec(task_id: BabyAIOpenDoorTask, *, num_envs: int = 1, gym_reset_return_info: Literal[True] | None = None, **options: Unpack[BabyAIOpenDoorOptions]) -> EnvSpec: ...
@overload
def make_spec(task_id: BabyAIOpenTwoDoorsTask, *, num_envs: int = 1, gym_reset_return_info: Literal[True] | None = None, **options: Unpack[BabyAIOpenTwoDoorsOptions]) -> EnvSpec: ...
@overload
def make_spec(task_id: BabyAIOpenDoorsOrderN2Task, *, num_envs: int = 1, gym_reset_return_info: Literal[True] | None = None, **options: Unpack[BabyAIOpenDoorsOrderN2Options]) -> EnvSpec: ...
@overload
def make_spec(task_id: BabyAIPickupDistTask, *, num_envs: int = 1, gym_reset_return_info: Literal[True] | None = None, **options: Unpack[BabyAIPickupDistOptions]) -> EnvSpec: ...
@overload
def make_spec(task_id: BabyAIPutNextLocalTask, *, num_envs: int = 1, gym_reset_return_info: Literal[True] | None = None, **options: Unpack[BabyAIPutNextLocalOptions]) -> EnvSpec: ...
@overload
def make_spec(task_id: BabyAIPutNextS4N1Task, *, num_envs: int = 1, gym_reset_return_info: Literal[True] | None = None, **options: Unpack[BabyAIPutNextS4N1Options]) -> EnvSpec: ...
@overload
def make_spec(task_id: BabyAIMoveTwoAcrossS5N2Task, *, num_envs: int = 1, gym_reset_return_info: Literal[True] | None = None, **options: Unpack[BabyAIMoveTwoAcrossS5N2Options]) -> EnvSpec: ...
@overload
def make_spec(task_id: BabyAIUnlockLocalTask, *, num_envs: int = 1, gym_reset_return_info: Literal[True] | None = None, **options: Unpack[BabyAIUnlockLocalOptions]) -> EnvSpec: ...
@overload
def make_spec(task_id: BabyAIGoToSeqTask, *, num_envs: int = 1, gym_reset_return_info: Literal[True] | None = None, **options: Unpack[BabyAIGoToSeqOptions]) -> EnvSpec: ...
@overload
def make_spec(task_id: AntTask, *, num_envs: int = 1, gym_reset_return_info: Literal[True] | None = None, **options: Unpack[AntOptions]) -> EnvSpec: ...
@overload
def make_spec(task_id: AntV4Task, *, num_envs: int = 1, gym_reset_return_info: Literal[True] | None = None, **options: Unpack[AntV4Options]) -> EnvSpec: ...
@overload
def make_spec(task_id: HalfCheetahTask, *, num_envs: int = 1, gym_reset_return_info: Literal[True] | None = None, **options: Unpack[HalfCheetahOptions]) -> EnvSpec: ...
@overload
def make_spec(task_id: HopperTask, *, num_envs: int = 1, gym_reset_return_info: Literal[True] | None = None, **options: Unpack[HopperOptions]) -> EnvSpec: ...
@overload
def make_spec(task_id: HumanoidTask, *, num_envs: int = 1, gym_reset_return_info: Literal[True] | None = None, **options: Unpack[HumanoidOptions]) -> EnvSpec: ...
@overload
def make_spec(task_id: HumanoidStandupTask, *, num_envs: int = 1, gym_reset_return_info: Literal[True] | None = None, **options: Unpack[HumanoidStandupOptions]) -> EnvSpec: ...
@overload
def make_spec(task_id: InvertedDoublePendulumTask, *, num_envs: int = 1, gym_reset_return_info: Literal[True] | None = None, **options: Unpack[InvertedDoublePendulumOptions]) -> EnvSpec: ...
@overload
def make_spec(task_id: InvertedPendulumTask, *, num_envs: int = 1, gym_reset_return_info: Literal[True] | None = None, **options: Unpack[InvertedPendulumOptions]) -> EnvSpec: ...
@overload
def make_spec(task_id: PusherTask, *, num_envs: int = 1, gym_reset_return_info: Literal[True] | None = None, **options: Unpack[PusherOptions]) -> EnvSpec: ...
@overload
def make_spec(task_id: ReacherTask, *, num_envs: int = 1, gym_reset_return_info: Literal[True] | None = None, **options: Unpack[ReacherOptions]) -> EnvSpec: ...
@overload
def make_spec(task_id: Walker2dTask, *, num_envs: int = 1, gym_reset_return_info: Literal[True] | None = None, **options: Unpack[Walker2dOptions]) -> EnvSpec: ...
@overload
def make_spec(task_id: LunarLanderTask, *, num_envs: int = 1, gym_reset_return_info: Literal[True] | None = None, **options: Unpack[LunarLanderOptions]) -> EnvSpec: ...
@overload
def make_spec(task_id: BipedalWalkerTask, *, num_envs: int = 1, gym_reset_return_info: Literal[True] | None = None, **options: Unpack[BipedalWalkerOptions]) -> EnvSpec: ...
@overload
def make_spec(task_id: CarRacingTask, *, num_envs: int = 1, gym_reset_return_info: Literal[True] | None = None, **options: Unpack[CarRacingOptions]) -> EnvSpec: ...
@overload
def make_spec(task_id: DmControlTask, *, num_envs: int = 1, gym_reset_return_info: Literal[True] | None = None, **options: Unpack[DmControlOptions]) -> EnvSpec: ...
@overload
def make_spec(task_id: CartpoleBalanceTask, *, num_envs: int = 1, gym_reset_return_info: Literal[True] | None = None, **options: Unpack[CartpoleBalanceOptions]) -> EnvSpec: ...
@overload
def make_spec(task_id: ManipulatorBringBallTask, *, num_envs: int = 1, gym_reset_return_info: Literal[True] | None = None, **options: Unpack[ManipulatorBringBallOptions]) -> EnvSpec: ...
@overload
def make_spec(task_id: SwimmerSwimmer6Task, *, num_envs: int = 1, gym_reset_return_info: Literal[True] | None = None, **options: Unpack[SwimmerSwimmer6Options]) -> EnvSpec: ...
@overload
def make_spec(task_id: PointMazeTask, *, num_envs: int = 1, gym_reset_return_info: Literal[True] | None = None, **options: Unpack[PointMazeOptions]) -> EnvSpec: ...
@overload
def make_spec(task_id: AntMazeTask, *, num_envs: int = 1, gym_reset_return_info: Literal[True] | None = None, **options: Unpack[AntMazeOptions]) -> EnvSpec: ...
@overload
def make_spec(task_id: AntMazeV4Task, *, num_envs: int = 1, gym_reset_return_info: Literal[True] | None = None, **options: Unpack[AntMazeV4Options]) -> EnvSpec: ...
@overload
def make_spec(task_id: AntMazeV3Task, *, num_envs: int = 1, gym_reset_return_info: Literal[True] | None = None, **options: Unpack[AntMazeV3Options]) -> EnvSpec: ...
@overload
def make_spec(task_id: MetaWorldTask, *, num_envs: int = 1, gym_reset_return_info: Literal[True] | None = None, **options: Unpack[MetaWorldOptions]) -> EnvSpec: ...
@overload
def make_spec(task_id: FetchTask, *, num_envs: int = 1, gym_reset_return_info: Literal[True] | None = None, **options: Unpack[FetchOptions]) -> EnvSpec: ...
@overload
def make_spec(task_id: AdroitHandDoorSparseTask, *, num_envs: int = 1, gym_reset_return_info: Literal[True] | None = None, **options: Unpack[AdroitHandDoorSparseOptions]) -> EnvSpec: ...
@overload
def make_spec(task_id: HandReachTask, *, num_envs: int = 1, gym_reset_return_info: Literal[True] | None = None, **options: Unpack[HandReachOptions]) -> EnvSpec: ...
@overload
def make_spec(task_id: HandManipulateTask, *, num_envs: int = 1, gym_reset_return_info: Literal[True] | None = None, **options: Unpack[HandManipulateOptions]) -> EnvSpec: ...
@overload
def make_spec(task_id: HandTouchTask, *, num_envs: int = 1, gym_reset_return_info: Literal[True] | None = None, **options: Unpack[HandTouchOptions]) -> EnvSpec: ...
@overload
def make_spec(task_id: FrankaKitchenTask, *, num_envs: int = 1, gym_reset_return_info: Literal[True] | None = None, **options: Unpack[FrankaKitchenOptions]) -> EnvSpec: ...
@overload
def make_spec(task_id: EnvPoolVizdoomTask, *, num_envs: int = 1, gym_reset_return_info: Literal[True] | None = None, **options: Unpack[EnvPoolVizdoomOptions]) -> EnvSpec: ...
@overload
def make_spec(task_id: VizdoomTask, *, num_envs: int = 1, gym_reset_return_info: Literal[True] | None = None, **options: Unpack[VizdoomOptions]) -> EnvSpec: ...
@overload
def make_spec(task_id: CrafterRewardTask, *, num_envs: int = 1, gym_reset_return_info: Literal[True] | None = None, **options: Unpack[CrafterRewardOptions]) -> EnvSpec: ...
@overload
def make_spec(task_id: EnvPoolProcgenTask, *, num_envs: int = 1, gym_reset_return_info: Literal[True] | None = None, **options: Unpack[EnvPoolProcgenOptions]) -> EnvSpec: ...
@overload
def make_spec(task_id: ProcgenTask, *, num_envs: int = 1, gym_reset_return_info: Literal[True] | None = None, **options: Unpack[ProcgenOptions]) -> EnvSpec: ...
@overload
@deprecated("not all of these are options of this task: see `python -m envpool_rs info TASK`")
def make_spec(task_id: KnownTask, *, num_envs: int = 1, gym_reset_return_info: bool | None = None, **options: Unpack[AnyOptions]) -> NoSuchOption: ...
@overload
def make_spec(task_id: TaskId, *, num_envs: int = 1, gym_reset_return_info: Literal[True] | None = None, **options: Unpack[AnyOptions]) -> EnvSpec: ...

@overload
def make_vec(task_id: CartPoleTask, num_envs: int | None = None, vectorization_mode: Literal["native"] | None = None, vector_kwargs: Mapping[str, Any] | None = None, wrappers: None = None, **options: Unpack[CartPoleOptions]) -> VectorEnv[Array]: ...
@overload
def make_vec(task_id: MountainCarTask, num_envs: int | None = None, vectorization_mode: Literal["native"] | None = None, vector_kwargs: Mapping[str, Any] | None = None, wrappers: None = None, **options: Unpack[MountainCarOptions]) -> VectorEnv[Array]: ...
@overload
def make_vec(task_id: PendulumTask, num_envs: int | None = None, vectorization_mode: Literal["native"] | None = None, vector_kwargs: Mapping[str, Any] | None = None, wrappers: None = None, **options: Unpack[PendulumOptions]) -> VectorEnv[Array]: ...
@overload
def make_vec(task_id: AcrobotTask, num_envs: int | None = None, vectorization_mode: Literal["native"] | None = None, vector_kwargs: Mapping[str, Any] | None = None, wrappers: None = None, **options: Unpack[PoolOptions]) -> VectorEnv[Array]: ...
@overload
def make_vec(task_id: FrozenLakeTask, num_envs: int | None = None, vectorization_mode: Literal["native"] | None = None, vector_kwargs: Mapping[str, Any] | None = None, wrappers: None = None, **options: Unpack[FrozenLakeOptions]) -> VectorEnv[Array]: ...
@overload
def make_vec(task_id: TaxiTask, num_envs: int | None = None, vectorization_mode: Literal["native"] | None = None, vector_kwargs: Mapping[str, Any] | None = None, wrappers: None = None, **options: Unpack[TaxiOptions]) -> VectorEnv[Array]: ...
@overload
def make_vec(task_id: TaxiV4Task, num_envs: int | None = None, vectorization_mode: Literal["native"] | None = None, vector_kwargs: Mapping[str, Any] | None = None, wrappers: None = None, **options: Unpack[TaxiV4Options]) -> VectorEnv[Array]: ...
@overload
def make_vec(task_id: CliffWalkingTask, num_envs: int | None = None, vectorization_mode: Literal["native"] | None = None, vector_kwargs: Mapping[str, Any] | None = None, wrappers: None = None, **options: Unpack[CliffWalkingOptions]) -> VectorEnv[Array]: ...
@overload
def make_vec(task_id: BlackjackTask, num_envs: int | None = None, vectorization_mode: Literal["native"] | None = None, vector_kwargs: Mapping[str, Any] | None = None, wrappers: None = None, **options: Unpack[BlackjackOptions]) -> VectorEnv[tuple[Array, Array, Array]]: ...
@overload
def make_vec(task_id: NChainTask, num_envs: int | None = None, vectorization_mode: Literal["native"] | None = None, vector_kwargs: Mapping[str, Any] | None = None, wrappers: None = None, **options: Unpack[NChainOptions]) -> VectorEnv[Array]: ...
@overload
def make_vec(task_id: AtariTask, num_envs: int | None = None, vectorization_mode: Literal["native"] | None = None, vector_kwargs: Mapping[str, Any] | None = None, wrappers: None = None, **options: Unpack[AtariOptions]) -> VectorEnv[Array]: ...
@overload
def make_vec(task_id: AleAtariTask, num_envs: int | None = None, vectorization_mode: Literal["native"] | None = None, vector_kwargs: Mapping[str, Any] | None = None, wrappers: None = None, **options: Unpack[AleAtariOptions]) -> VectorEnv[Array]: ...
@overload
def make_vec(task_id: CatchTask, num_envs: int | None = None, vectorization_mode: Literal["native"] | None = None, vector_kwargs: Mapping[str, Any] | None = None, wrappers: None = None, **options: Unpack[CatchOptions]) -> VectorEnv[Array]: ...
@overload
def make_vec(task_id: SimpleSpreadTask, num_envs: int | None = None, vectorization_mode: Literal["native"] | None = None, vector_kwargs: Mapping[str, Any] | None = None, wrappers: None = None, **options: Unpack[SimpleSpreadOptions]) -> VectorEnv[Array]: ...
@overload
def make_vec(task_id: SimpleSpeakerListenerTask, num_envs: int | None = None, vectorization_mode: Literal["native"] | None = None, vector_kwargs: Mapping[str, Any] | None = None, wrappers: None = None, **options: Unpack[SimpleSpeakerListenerOptions]) -> VectorEnv[dict[str, Array]]: ...
@overload
def make_vec(task_id: MiniGridEmpty5x5Task, num_envs: int | None = None, vectorization_mode: Literal["native"] | None = None, vector_kwargs: Mapping[str, Any] | None = None, wrappers: None = None, **options: Unpack[MiniGridEmpty5x5Options]) -> VectorEnv[dict[str, Array | tuple[str, ...]]]: ...
@overload
def make_vec(task_id: MiniGridDoorKey5x5Task, num_envs: int | None = None, vectorization_mode: Literal["native"] | None = None, vector_kwargs: Mapping[str, Any] | None = None, wrappers: None = None, **options: Unpack[MiniGridDoorKey5x5Options]) -> VectorEnv[dict[str, Array | tuple[str, ...]]]: ...
@overload
def make_vec(task_id: MiniGridLavaCrossingS9N1Task, num_envs: int | None = None, vectorization_mode: Literal["native"] | None = None, vector_kwargs: Mapping[str, Any] | None = None, wrappers: None = None, **options: Unpack[MiniGridLavaCrossingS9N1Options]) -> VectorEnv[dict[str, Array | tuple[str, ...]]]: ...
@overload
def make_vec(task_id: MiniGridDistShift1Task, num_envs: int | None = None, vectorization_mode: Literal["native"] | None = None, vector_kwargs: Mapping[str, Any] | None = None, wrappers: None = None, **options: Unpack[MiniGridDistShift1Options]) -> VectorEnv[dict[str, Array | tuple[str, ...]]]: ...
@overload
def make_vec(task_id: MiniGridLavaGapS5Task, num_envs: int | None = None, vectorization_mode: Literal["native"] | None = None, vector_kwargs: Mapping[str, Any] | None = None, wrappers: None = None, **options: Unpack[MiniGridLavaGapS5Options]) -> VectorEnv[dict[str, Array | tuple[str, ...]]]: ...
@overload
def make_vec(task_id: MiniGridDynamicObstacles5x5Task, num_envs: int | None = None, vectorization_mode: Literal["native"] | None = None, vector_kwargs: Mapping[str, Any] | None = None, wrappers: None = None, **options: Unpack[MiniGridDynamicObstacles5x5Options]) -> VectorEnv[dict[str, Array | tuple[str, ...]]]: ...
@overload
def make_vec(task_id: MiniGridFetch5x5N2Task, num_envs: int | None = None, vectorization_mode: Literal["native"] | None = None, vector_kwargs: Mapping[str, Any] | None = None, wrappers: None = None, **options: Unpack[MiniGridFetch5x5N2Options]) -> VectorEnv[dict[str, Array | tuple[str, ...]]]: ...
@overload
def make_vec(task_id: MiniGridFourRoomsTask, num_envs: int | None = None, vectorization_mode: Literal["native"] | None = None, vector_kwargs: Mapping[str, Any] | None = None, wrappers: None = None, **options: Unpack[MiniGridFourRoomsOptions]) -> VectorEnv[dict[str, Array | tuple[str, ...]]]: ...
@overload
def make_vec(task_id: MiniGridGoToObject6x6N2Task, num_envs: int | None = None, vectorization_mode: Literal["native"] | None = None, vector_kwargs: Mapping[str, Any] | None = None, wrappers: None = None, **options: Unpack[MiniGridGoToObject6x6N2Options]) -> VectorEnv[dict[str, Array | tuple[str, ...]]]: ...
@overload
def make_vec(task_id: MiniGridKeyCorridorS3R1Task, num_envs: int | None = None, vectorization_mode: Literal["native"] | None = None, vector_kwargs: Mapping[str, Any] | None = None, wrappers: None = None, **options: Unpack[MiniGridKeyCorridorS3R1Options]) -> VectorEnv[dict[str, Array | tuple[str, ...]]]: ...
@overload
def make_vec(task_id: MiniGridMemoryS17RandomTask, num_envs: int | None = None, vectorization_mode: Literal["native"] | None = None, vector_kwargs: Mapping[str, Any] | None = None, wrappers: None = None, **options: Unpack[MiniGridMemoryS17RandomOptions]) -> VectorEnv[dict[str, Array | tuple[str, ...]]]: ...
@overload
def make_vec(task_id: MiniGridMultiRoomN2S4Task, num_envs: int | None = None, vectorization_mode: Literal["native"] | None = None, vector_kwargs: Mapping[str, Any] | None = None, wrappers: None = None, **options: Unpack[MiniGridMultiRoomN2S4Options]) -> VectorEnv[dict[str, Array | tuple[str, ...]]]: ...
@overload
def make_vec(task_id: MiniGridObstructedMaze1DlTask, num_envs: int | None = None, vectorization_mode: Literal["native"] | None = None, vector_kwargs: Mapping[str, Any] | None = None, wrappers: None = None, **options: Unpack[MiniGridObstructedMaze1DlOptions]) -> VectorEnv[dict[str, Array | tuple[str, ...]]]: ...
@overload
def make_vec(task_id: MiniGridObstructedMaze2DlTask, num_envs: int | None = None, vectorization_mode: Literal["native"] | None = None, vector_kwargs: Mapping[str, Any] | None = None, wrappers: None = None, **options: Unpack[MiniGridObstructedMaze2DlOptions]) -> VectorEnv[dict[str, Array | tuple[str, ...]]]: ...
@overload
def make_vec(task_id: MiniGridPlaygroundTask, num_envs: int | None = None, vectorization_mode: Literal["native"] | None = None, vector_kwargs: Mapping[str, Any] | None = None, wrappers: None = None, **options: Unpack[MiniGridPlaygroundOptions]) -> VectorEnv[dict[str, Array | tuple[str, ...]]]: ...
@overload
def make_vec(task_id: MiniGridWFCMazeSimpleTask, num_envs: int | None = None, vectorization_mode: Literal["native"] | None = None, vector_kwargs: Mapping[str, Any] | None = None, wrappers: None = None, **options: Unpack[MiniGridWFCMazeSimpleOptions]) -> VectorEnv[dict[str, Array | tuple[str, ...]]]: ...
@overload
def make_vec(task_id: BabyAIGoToRedBallGreyTask, num_envs: int | None = None, vectorization_mode: Literal["native"] | None = None, vector_kwargs: Mapping[str, Any] | None = None, wrappers: None = None, **options: Unpack[BabyAIGoToRedBallGreyOptions]) -> VectorEnv[dict[str, Array | tuple[str, ...]]]: ...
@overload
def make_vec(task_id: BabyAIGoToObjTask, num_envs: int | None = None, vectorization_mode: Literal["native"] | None = None, vector_kwargs: Mapping[str, Any] | None = None, wrappers: None = None, **options: Unpack[BabyAIGoToObjOptions]) -> VectorEnv[dict[str, Array | tuple[str, ...]]]: ...
@overload
def make_vec(task_id: BabyAIGoToTask, num_envs: int | None = None, vectorization_mode: Literal["native"] | None = None, vector_kwargs: Mapping[str, Any] | None = None, wrappers: None = None, **options: Unpack[BabyAIGoToOptions]) -> VectorEnv[dict[str, Array | tuple[str, ...]]]: ...
@overload
def make_vec(task_id: BabyAIGoToImpUnlockTask, num_envs: int | None = None, vectorization_mode: Literal["native"] | None = None, vector_kwargs: Mapping[str, Any] | None = None, wrappers: None = None, **options: Unpack[BabyAIGoToImpUnlockOptions]) -> VectorEnv[dict[str, Array | tuple[str, ...]]]: ...
@overload
def make_vec(task_id: BabyAIOpenDoorTask, num_envs: int | None = None, vectorization_mode: Literal["native"] | None = None, vector_kwargs: Mapping[str, Any] | None = None, wrappers: None = None, **options: Unpack[BabyAIOpenDoorOptions]) -> VectorEnv[dict[str, Array | tuple[str, ...]]]: ...
@overload
def make_vec(task_id: BabyAIOpenTwoDoorsTask, num_envs: int | None = None, vectorization_mode: Literal["native"] | None = None, vector_kwargs: Mapping[str, Any] | None = None, wrappers: None = None, **options: Unpack[BabyAIOpenTwoDoorsOptions]) -> VectorEnv[dict[str, Array | tuple[str, ...]]]: ...
@overload
def make_vec(task_id: BabyAIOpenDoorsOrderN2Task, num_envs: int | None = None, vectorization_mode: Literal["native"] | None = None, vector_kwargs: Mapping[str, Any] | None = None, wrappers: None = None, **options: Unpack[BabyAIOpenDoorsOrderN2Options]) -> VectorEnv[dict[str, Array | tuple[str, ...]]]: ...
@overload
def make_vec(task_id: BabyAIPickupDistTask, num_envs: int | None = None, vectorization_mode: Literal["native"] | None = None, vector_kwargs: Mapping[str, Any] | None = None, wrappers: None = None, **options: Unpack[BabyAIPickupDistOptions]) -> VectorEnv[dict[str, Array | tuple[str, ...]]]: ...
@overload
def make_vec(task_id: BabyAIPutNextLocalTask, num_envs: int | None = None, vectorization_mode: Literal["native"] | None = None, vector_kwargs: Mapping[str, Any] | None = None, wrappers: None = None, **options: Unpack[BabyAIPutNextLocalOptions]) -> VectorEnv[dict[str, Array | tuple[str, ...]]]: ...
@overload
def make_vec(task_id: BabyAIPutNextS4N1Task, num_envs: int | None = None, vectorization_mode: Literal["native"] | None = None, vector_kwargs: Mapping[str, Any] | None = None, wrappers: None = None, **options: Unpack[BabyAIPutNextS4N1Options]) -> VectorEnv[dict[str, Array | tuple[str, ...]]]: ...
@overload
def make_vec(task_id: BabyAIMoveTwoAcrossS5N2Task, num_envs: int | None = None, vectorization_mode: Literal["native"] | None = None, vector_kwargs: Mapping[str, Any] | None = None, wrappers: None = None, **options: Unpack[BabyAIMoveTwoAcrossS5N2Options]) -> VectorEnv[dict[str, Array | tuple[str, ...]]]: ...
@overload
def make_vec(task_id: BabyAIUnlockLocalTask, num_envs: int | None = None, vectorization_mode: Literal["native"] | None = None, vector_kwargs: Mapping[str, Any] | None = None, wrappers: None = None, **options: Unpack[BabyAIUnlockLocalOptions]) -> VectorEnv[dict[str, Array | tuple[str, ...]]]: ...
@overload
def make_vec(task_id: BabyAIGoToSeqTask, num_envs: int | None = None, vectorization_mode: Literal["native"] | None = None, vector_kwargs: Mapping[str, Any] | None = None, wrappers: None = None, **options: Unpack[BabyAIGoToSeqOptions]) -> VectorEnv[dict[str, Array | tuple[str, ...]]]: ...
@overload
def make_vec(task_id: AntTask, num_envs: int | None = None, vectorization_mode: Literal["native"] | None = None, vector_kwargs: Mapping[str, Any] | None = None, wrappers: None = None, **options: Unpack[AntOptions]) -> VectorEnv[Array]: ...
@overload
def make_vec(task_id: AntV4Task, num_envs: int | None = None, vectorization_mode: Literal["native"] | None = None, vector_kwargs: Mapping[str, Any] | None = None, wrappers: None = None, **options: Unpack[AntV4Options]) -> VectorEnv[Array]: ...
@overload
def make_vec(task_id: HalfCheetahTask, num_envs: int | None = None, vectorization_mode: Literal["native"] | None = None, vector_kwargs: Mapping[str, Any] | None = None, wrappers: None = None, **options: Unpack[HalfCheetahOptions]) -> VectorEnv[Array]: ...
@overload
def make_vec(task_id: HopperTask, num_envs: int | None = None, vectorization_mode: Literal["native"] | None = None, vector_kwargs: Mapping[str, Any] | None = None, wrappers: None = None, **options: Unpack[HopperOptions]) -> VectorEnv[Array]: ...
@overload
def make_vec(task_id: HumanoidTask, num_envs: int | None = None, vectorization_mode: Literal["native"] | None = None, vector_kwargs: Mapping[str, Any] | None = None, wrappers: None = None, **options: Unpack[HumanoidOptions]) -> VectorEnv[Array]: ...
@overload
def make_vec(task_id: HumanoidStandupTask, num_envs: int | None = None, vectorization_mode: Literal["native"] | None = None, vector_kwargs: Mapping[str, Any] | None = None, wrappers: None = None, **options: Unpack[HumanoidStandupOptions]) -> VectorEnv[Array]: ...
@overload
def make_vec(task_id: InvertedDoublePendulumTask, num_envs: int | None = None, vectorization_mode: Literal["native"] | None = None, vector_kwargs: Mapping[str, Any] | None = None, wrappers: None = None, **options: Unpack[InvertedDoublePendulumOptions]) -> VectorEnv[Array]: ...
@overload
def make_vec(task_id: InvertedPendulumTask, num_envs: int | None = None, vectorization_mode: Literal["native"] | None = None, vector_kwargs: Mapping[str, Any] | None = None, wrappers: None = None, **options: Unpack[InvertedPendulumOptions]) -> VectorEnv[Array]: ...
@overload
def make_vec(task_id: PusherTask, num_envs: int | None = None, vectorization_mode: Literal["native"] | None = None, vector_kwargs: Mapping[str, Any] | None = None, wrappers: None = None, **options: Unpack[PusherOptions]) -> VectorEnv[Array]: ...
@overload
def make_vec(task_id: ReacherTask, num_envs: int | None = None, vectorization_mode: Literal["native"] | None = None, vector_kwargs: Mapping[str, Any] | None = None, wrappers: None = None, **options: Unpack[ReacherOptions]) -> VectorEnv[Array]: ...
@overload
def make_vec(task_id: Walker2dTask, num_envs: int | None = None, vectorization_mode: Literal["native"] | None = None, vector_kwargs: Mapping[str, Any] | None = None, wrappers: None = None, **options: Unpack[Walker2dOptions]) -> VectorEnv[Array]: ...
@overload
def make_vec(task_id: LunarLanderTask, num_envs: int | None = None, vectorization_mode: Literal["native"] | None = None, vector_kwargs: Mapping[str, Any] | None = None, wrappers: None = None, **options: Unpack[LunarLanderOptions]) -> VectorEnv[Array]: ...
@overload
def make_vec(task_id: BipedalWalkerTask, num_envs: int | None = None, vectorization_mode: Literal["native"] | None = None, vector_kwargs: Mapping[str, Any] | None = None, wrappers: None = None, **options: Unpack[BipedalWalkerOptions]) -> VectorEnv[Array]: ...
@overload
def make_vec(task_id: CarRacingTask, num_envs: int | None = None, vectorization_mode: Literal["native"] | None = None, vector_kwargs: Mapping[str, Any] | None = None, wrappers: None = None, **options: Unpack[CarRacingOptions]) -> VectorEnv[Array]: ...
@overload
def make_vec(task_id: DmControlTask, num_envs: int | None = None, vectorization_mode: Literal["native"] | None = None, vector_kwargs: Mapping[str, Any] | None = None, wrappers: None = None, **options: Unpack[DmControlOptions]) -> VectorEnv[dict[str, Array]]: ...
@overload
def make_vec(task_id: CartpoleBalanceTask, num_envs: int | None = None, vectorization_mode: Literal["native"] | None = None, vector_kwargs: Mapping[str, Any] | None = None, wrappers: None = None, **options: Unpack[CartpoleBalanceOptions]) -> VectorEnv[dict[str, Array]]: ...
@overload
def make_vec(task_id: ManipulatorBringBallTask, num_envs: int | None = None, vectorization_mode: Literal["native"] | None = None, vector_kwargs: Mapping[str, Any] | None = None, wrappers: None = None, **options: Unpack[ManipulatorBringBallOptions]) -> VectorEnv[dict[str, Array]]: ...
@overload
def make_vec(task_id: SwimmerSwimmer6Task, num_envs: int | None = None, vectorization_mode: Literal["native"] | None = None, vector_kwargs: Mapping[str, Any] | None = None, wrappers: None = None, **options: Unpack[SwimmerSwimmer6Options]) -> VectorEnv[dict[str, Array]]: ...
@overload
def make_vec(task_id: PointMazeTask, num_envs: int | None = None, vectorization_mode: Literal["native"] | None = None, vector_kwargs: Mapping[str, Any] | None = None, wrappers: None = None, **options: Unpack[PointMazeOptions]) -> VectorEnv[dict[str, Array]]: ...
@overload
def make_vec(task_id: AntMazeTask, num_envs: int | None = None, vectorization_mode: Literal["native"] | None = None, vector_kwargs: Mapping[str, Any] | None = None, wrappers: None = None, **options: Unpack[AntMazeOptions]) -> VectorEnv[dict[str, Array]]: ...
@overload
def make_vec(task_id: AntMazeV4Task, num_envs: int | None = None, vectorization_mode: Literal["native"] | None = None, vector_kwargs: Mapping[str, Any] | None = None, wrappers: None = None, **options: Unpack[AntMazeV4Options]) -> VectorEnv[dict[str, Array]]: ...
@overload
def make_vec(task_id: AntMazeV3Task, num_envs: int | None = None, vectorization_mode: Literal["native"] | None = None, vector_kwargs: Mapping[str, Any] | None = None, wrappers: None = None, **options: Unpack[AntMazeV3Options]) -> VectorEnv[dict[str, Array]]: ...
@overload
def make_vec(task_id: MetaWorldTask, num_envs: int | None = None, vectorization_mode: Literal["native"] | None = None, vector_kwargs: Mapping[str, Any] | None = None, wrappers: None = None, **options: Unpack[MetaWorldOptions]) -> VectorEnv[Array]: ...
@overload
def make_vec(task_id: FetchTask, num_envs: int | None = None, vectorization_mode: Literal["native"] | None = None, vector_kwargs: Mapping[str, Any] | None = None, wrappers: None = None, **options: Unpack[FetchOptions]) -> VectorEnv[dict[str, Array]]: ...
@overload
def make_vec(task_id: AdroitHandDoorSparseTask, num_envs: int | None = None, vectorization_mode: Literal["native"] | None = None, vector_kwargs: Mapping[str, Any] | None = None, wrappers: None = None, **options: Unpack[AdroitHandDoorSparseOptions]) -> VectorEnv[Array]: ...
@overload
def make_vec(task_id: HandReachTask, num_envs: int | None = None, vectorization_mode: Literal["native"] | None = None, vector_kwargs: Mapping[str, Any] | None = None, wrappers: None = None, **options: Unpack[HandReachOptions]) -> VectorEnv[dict[str, Array]]: ...
@overload
def make_vec(task_id: HandManipulateTask, num_envs: int | None = None, vectorization_mode: Literal["native"] | None = None, vector_kwargs: Mapping[str, Any] | None = None, wrappers: None = None, **options: Unpack[HandManipulateOptions]) -> VectorEnv[dict[str, Array]]: ...
@overload
def make_vec(task_id: HandTouchTask, num_envs: int | None = None, vectorization_mode: Literal["native"] | None = None, vector_kwargs: Mapping[str, Any] | None = None, wrappers: None = None, **options: Unpack[HandTouchOptions]) -> VectorEnv[dict[str, Array]]: ...
@overload
def make_vec(task_id: FrankaKitchenTask, num_envs: int | None = None, vectorization_mode: Literal["native"] | None = None, vector_kwargs: Mapping[str, Any] | None = None, wrappers: None = None, **options: Unpack[FrankaKitchenOptions]) -> VectorEnv[dict[str, Array | dict[str, Array]]]: ...
@overload
def make_vec(task_id: EnvPoolVizdoomTask, num_envs: int | None = None, vectorization_mode: Literal["native"] | None = None, vector_kwargs: Mapping[str, Any] | None = None, wrappers: None = None, **options: Unpack[EnvPoolVizdoomOptions]) -> VectorEnv[Array]: ...
@overload
def make_vec(task_id: VizdoomTask, num_envs: int | None = None, vectorization_mode: Literal["native"] | None = None, vector_kwargs: Mapping[str, Any] | None = None, wrappers: None = None, **options: Unpack[VizdoomOptions]) -> VectorEnv[dict[str, Array]]: ...
@overload
def make_vec(task_id: CrafterRewardTask, num_envs: int | None = None, vectorization_mode: Literal["native"] | None = None, vector_kwargs: Mapping[str, Any] | None = None, wrappers: None = None, **options: Unpack[CrafterRewardOptions]) -> VectorEnv[Array]: ...
@overload
def make_vec(task_id: EnvPoolProcgenTask, num_envs: int | None = None, vectorization_mode: Literal["native"] | None = None, vector_kwargs: Mapping[str, Any] | None = None, wrappers: None = None, **options: Unpack[EnvPoolProcgenOptions]) -> VectorEnv[Array]: ...
@overload
def make_vec(task_id: ProcgenTask, num_envs: int | None = None, vectorization_mode: Literal["native"] | None = None, vector_kwargs: Mapping[str, Any] | None = None, wrappers: None = None, **options: Unpack[ProcgenOptions]) -> VectorEnv[Array]: ...
@overload
@deprecated("not all of these are options of this task: see `python -m envpool_rs info TASK`")
def make_vec(task_id: KnownTask, num_envs: int | None = None, vectorization_mode: Literal["native"] | None = None, vector_kwargs: Mapping[str, Any] | None = None, wrappers: None = None, **options: Any) -> NoSuchOption: ...
@overload
def make_vec(task_id: str | GymnasiumEnvSpec, num_envs: int | None = None, *, vectorization_mode: Literal["shared_memory"], vector_kwargs: Mapping[str, Any] | None = None, wrappers: Sequence[Callable[[Any], Any]] | None = None, **options: Any) -> PythonVectorEnv: ...
@overload
def make_vec(task_id: TaskId, num_envs: int | None = None, *, vectorization_mode: Literal["native"], vector_kwargs: Mapping[str, Any] | None = None, wrappers: Sequence[Callable[[Any], Any]] | None = None, **options: Any) -> VectorEnv: ...
@overload
def make_vec(task_id: list[str] | tuple[str, ...], num_envs: int | None = None, vectorization_mode: None = None, vector_kwargs: Mapping[str, Any] | None = None, wrappers: Sequence[Callable[[Any], Any]] | None = None, **options: Any) -> VectorEnv: ...
@overload
def make_vec(task_id: EnvFn | list[EnvFn] | tuple[EnvFn, ...], num_envs: int | None = None, vectorization_mode: Literal["async", "shared_memory"] | None = None, vector_kwargs: Mapping[str, Any] | None = None, wrappers: Sequence[Callable[[Any], Any]] | None = None, **options: Any) -> PythonVectorEnv: ...
@overload
def make_vec(task_id: EnvFn | list[EnvFn] | tuple[EnvFn, ...], num_envs: int | None = None, *, vectorization_mode: Literal["sync"], vector_kwargs: Mapping[str, Any] | None = None, wrappers: Sequence[Callable[[Any], Any]] | None = None, **options: Any) -> SyncVectorEnv[Any, Any]: ...
@overload
def make_vec(task_id: TaskId, num_envs: int | None = None, vectorization_mode: None = None, vector_kwargs: Mapping[str, Any] | None = None, wrappers: Sequence[Callable[[Any], Any]] | None = None, **options: Any) -> VectorEnv | PythonVectorEnv: ...
@overload
def make_vec(task_id: TaskId | Sequence[EnvFn] | None = None, num_envs: int | None = None, vectorization_mode: VectorizeMode | str | None = None, vector_kwargs: Mapping[str, Any] | None = None, wrappers: Sequence[Callable[[Any], Any]] | None = None, **options: Any) -> Any: ...
