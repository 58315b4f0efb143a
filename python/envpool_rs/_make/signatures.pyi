"""The functions that make environments, with the options of each task: for type checkers and editors.

Written by tests/signatures.py (`make signatures`) from the table of tasks. There is no such module when a program runs:
the functions are those of `envpool_rs`. Signatures of your own can have the options of a family:

    if TYPE_CHECKING:
        from envpool_rs._make.signatures import CartPoleOptions
"""

# A task's overload comes before that for options of other tasks, and both before that for any name.
# mypy: disable-error-code="overload-overlap"
# pyright: reportOverlappingOverload=false

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Literal, TypeAlias, TypedDict, TypeVar, overload

import numpy.typing as npt
from gymnasium.envs.registration import EnvSpec as GymnasiumEnvSpec
from gymnasium.envs.registration import VectorizeMode
from gymnasium.vector import AutoresetMode, SyncVectorEnv
from typing_extensions import Unpack, deprecated

from envpool_rs._facades.dm_facade import DMEnvPool
from envpool_rs._facades.gym_facade import GymEnvPool
from envpool_rs._facades.gymnasium_facade import GymnasiumEnvPool
from envpool_rs._facades.vector_facade import VectorEnv
from envpool_rs._python_pool.vector_env import PythonVectorEnv
from envpool_rs._spec.spec import EnvSpec

_T = TypeVar("_T")

ForEach: TypeAlias = _T | Sequence[_T] | npt.NDArray[Any]
"""One value for all environments, or `num_envs` values."""

Uniform: TypeAlias = tuple[Literal["uniform"], float, float]
"""A float between two bounds, drawn for each episode."""

Integers: TypeAlias = tuple[Literal["integers"], int, int]
"""An integer from the first bound to below the second, drawn for each episode."""

Choice: TypeAlias = tuple[Literal["choice"], Unpack[tuple[_T, ...]]]
"""One of the values that follow, drawn for each episode."""

TaskId: TypeAlias = str | list[str] | tuple[str, ...]
"""A task, or several that share a pool."""

EnvFn: TypeAlias = Callable[[], Any]
"""A function that makes an environment."""

Array: TypeAlias = npt.NDArray[Any]
"""A batch of observations."""

class NoSuchOption:
    """What type checkers take for the result where a task is given options of another: it can do nothing.

    When the program runs, there is a TypeError that names the option.
    """

class PoolOptions(TypedDict, total=False):
    """Options of every task, beside `num_envs`."""

    batch_size: int
    """Rows of a result; fewer than num_envs is asynchronous (int; default 0: num_envs)."""
    num_threads: int
    """Background workers; the calling thread works too (int; default 0: as many as pay)."""
    max_num_players: int | None
    """EnvPool's name for the number of players; any other number is refused (int or None; default None: the task's)."""
    thread_affinity_offset: int
    """Pins worker k to CPU number offset + k (int; default -1: off)."""
    seed: int | Sequence[int] | npt.NDArray[Any] | None
    """Environment i gets seed + i; or a list with a seed for each (int or list of int or None; default 42 (make), drawn (make_vec))."""
    max_episode_steps: int | Sequence[int | None] | npt.NDArray[Any] | None
    """Time limit in steps, after which an episode is truncated; or a list with one for each (int or None or list of such; default None: the task's)."""
    reward_threshold: float | None
    """Mean return that counts as solved; passed on to whoever asks spec (float or None; default None: the task's)."""
    autoreset_mode: Literal["next_step", "same_step", "disabled"] | AutoresetMode
    """When a finished environment begins anew: the step after, the last step, or never by itself ("next_step", "same_step" or "disabled" or AutoresetMode; default 'next_step')."""
    record_episode_statistics: bool
    """Return, length and time of ended episodes in info["episode"]; dm_env's time steps have no place for it and refuse it (bool; default False)."""
    env_seed: Sequence[int] | npt.NDArray[Any] | None
    """EnvPool's name for a list of seeds (list of int or None; default []: seed)."""
    base_path: str | None
    """EnvPool's name for the folder of its files: Atari's rom_dir; no other task needs one (str or None; default None)."""
    render_mode: Literal["human", "rgb_array", "depth_array", "rgbd_tuple", "ansi"] | None
    """What render() gives: a window, pictures, how far away pixels are or both (MuJoCo), or text (toy text) ("human", "rgb_array", "depth_array", "rgbd_tuple" or "ansi" or None; default None)."""
    render_env_id: int | None
    """The environment that EnvPool's render() shows unless told otherwise (int or None; default 0)."""
    render_width: int | None
    """Width of pictures in pixels (int or None; default 0: the task's)."""
    render_height: int | None
    """Height of pictures in pixels (int or None; default 0: the task's)."""
    render_camera_id: int | None
    """One of the model's cameras (MuJoCo); None or -1: the task's own (int or None; default None)."""

CartPoleTask: TypeAlias = Literal["CartPole-v0", "CartPole-v1"]

class CartPoleOptions(PoolOptions, total=False):
    """Options of CartPole-v0, CartPole-v1."""

    sutton_barto_reward: ForEach[bool | Choice[bool]]
    """Reward 0 per step and -1 for the last, instead of 1 per step (bool; default False)."""

MountainCarTask: TypeAlias = Literal["MountainCar-v0", "MountainCarContinuous-v0"]

class MountainCarOptions(PoolOptions, total=False):
    """Options of MountainCar-v0, MountainCarContinuous-v0."""

    goal_velocity: ForEach[float | Uniform | Choice[float]]
    """Velocity needed at the goal, per step (float; default 0.0)."""

PendulumTask: TypeAlias = Literal["Pendulum-v0", "Pendulum-v1"]

class PendulumOptions(PoolOptions, total=False):
    """Options of Pendulum-v0, Pendulum-v1."""

    g: ForEach[float | Uniform | Choice[float]]
    """Gravity in m/s² (float; default 10.0)."""
    version: ForEach[int]
    """EnvPool's name for the task: 0 is Pendulum-v0, 1 is Pendulum-v1 (int from 0 or 1; default by task)."""

AcrobotTask: TypeAlias = Literal["Acrobot-v1"]

FrozenLakeTask: TypeAlias = Literal["FrozenLake-v1", "FrozenLake8x8-v1"]

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
    """EnvPool's name for the map: 4 or 8 is that of so many rows; 1 to 3 is a corner of the smaller one (int from 1, 2, 3, 4 or 8; default by task)."""

TaxiTask: TypeAlias = Literal["Taxi-v3"]

class TaxiOptions(PoolOptions, total=False):
    """Options of Taxi-v3."""

    is_rainy: ForEach[bool | Choice[bool]]
    """Whether the taxi may drift aside (bool; default False)."""
    fickle_passenger: ForEach[bool | Choice[bool]]
    """Whether the passenger may choose another destination when first driven (bool; default False)."""

TaxiV4Task: TypeAlias = Literal["Taxi-v4"]

class TaxiV4Options(PoolOptions, total=False):
    """Options of Taxi-v4."""

    is_rainy: ForEach[bool | Choice[bool]]
    """Whether the taxi may drift aside (bool; default False)."""
    fickle_passenger: ForEach[bool | Choice[bool]]
    """Whether the passenger may choose another destination when first driven (bool; default False)."""
    rainy_probability: ForEach[float | Uniform | Choice[float]]
    """Probability of no drift in the rain (a probability, from 0 to 1; default 0.8)."""
    fickle_probability: ForEach[float | Uniform | Choice[float]]
    """Probability that a passenger is fickle, if any may be (a probability, from 0 to 1; default 0.3)."""

CliffWalkingTask: TypeAlias = Literal["CliffWalking-v0", "CliffWalking-v1", "CliffWalkingSlippery-v1"]

class CliffWalkingOptions(PoolOptions, total=False):
    """Options of CliffWalking-v0, CliffWalking-v1, CliffWalkingSlippery-v1."""

    is_slippery: ForEach[bool | Choice[bool]]
    """Whether a step goes sideways in two cases of three (bool; default by task)."""

BlackjackTask: TypeAlias = Literal["Blackjack-v1"]

class BlackjackOptions(PoolOptions, total=False):
    """Options of Blackjack-v1."""

    natural: ForEach[bool | Choice[bool]]
    """Whether winning with a natural pays 1.5 (without sab) (bool; default False)."""
    sab: ForEach[bool | Choice[bool]]
    """Whether a natural wins against any other hand, as in Sutton and Barto (bool; default True)."""

NChainTask: TypeAlias = Literal["NChain-v0"]

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

AtariTask: TypeAlias = Literal[
    "Adventure-v5",
    "AirRaid-v5",
    "Alien-v5",
    "Amidar-v5",
    "Assault-v5",
    "Asterix-v5",
    "Asteroids-v5",
    "Atlantis-v5",
    "Atlantis2-v5",
    "Backgammon-v5",
    "BankHeist-v5",
    "BasicMath-v5",
    "BattleZone-v5",
    "BeamRider-v5",
    "Berzerk-v5",
    "Blackjack-v5",
    "Bowling-v5",
    "Boxing-v5",
    "Breakout-v5",
    "Carnival-v5",
    "Casino-v5",
    "Centipede-v5",
    "ChopperCommand-v5",
    "CrazyClimber-v5",
    "Crossbow-v5",
    "Darkchambers-v5",
    "Defender-v5",
    "DemonAttack-v5",
    "DonkeyKong-v5",
    "DoubleDunk-v5",
    "Earthworld-v5",
    "ElevatorAction-v5",
    "Enduro-v5",
    "Entombed-v5",
    "Et-v5",
    "FishingDerby-v5",
    "FlagCapture-v5",
    "Freeway-v5",
    "Frogger-v5",
    "Frostbite-v5",
    "Galaxian-v5",
    "Gopher-v5",
    "Gravitar-v5",
    "Hangman-v5",
    "HauntedHouse-v5",
    "Hero-v5",
    "HumanCannonball-v5",
    "IceHockey-v5",
    "Jamesbond-v5",
    "JourneyEscape-v5",
    "Kaboom-v5",
    "Kangaroo-v5",
    "KeystoneKapers-v5",
    "KingKong-v5",
    "Klax-v5",
    "Koolaid-v5",
    "Krull-v5",
    "KungFuMaster-v5",
    "LaserGates-v5",
    "LostLuggage-v5",
    "MarioBros-v5",
    "MiniatureGolf-v5",
    "MontezumaRevenge-v5",
    "MrDo-v5",
    "MsPacman-v5",
    "NameThisGame-v5",
    "Othello-v5",
    "Pacman-v5",
    "Phoenix-v5",
    "Pitfall-v5",
    "Pitfall2-v5",
    "Pong-v5",
    "Pooyan-v5",
    "PrivateEye-v5",
    "Qbert-v5",
    "Riverraid-v5",
    "RoadRunner-v5",
    "Robotank-v5",
    "Seaquest-v5",
    "SirLancelot-v5",
    "Skiing-v5",
    "Solaris-v5",
    "SpaceInvaders-v5",
    "SpaceWar-v5",
    "StarGunner-v5",
    "Superman-v5",
    "Surround-v5",
    "Tennis-v5",
    "Tetris-v5",
    "TicTacToe3d-v5",
    "TimePilot-v5",
    "Trondead-v5",
    "Turmoil-v5",
    "Tutankham-v5",
    "UpNDown-v5",
    "Venture-v5",
    "VideoCheckers-v5",
    "VideoChess-v5",
    "VideoCube-v5",
    "VideoPinball-v5",
    "WizardOfWor-v5",
    "WordZapper-v5",
    "YarsRevenge-v5",
    "Zaxxon-v5",
]

class AtariOptions(PoolOptions, total=False):
    """Options of Adventure-v5, AirRaid-v5, Alien-v5 and 101 more."""

    rom_dir: ForEach[str | None]
    """Folder with the cartridges' images, pong.bin and so on, or with atari/roms/pong.bin (None or str; default None)."""
    stack_num: ForEach[int]
    """Frames in an observation (an integer from 1 to 1000; default 4)."""
    frame_skip: ForEach[int | Integers | Choice[int]]
    """Frames that an action is played for (an integer from 1 to 10000; default 4)."""
    noop_max: ForEach[int | Integers | Choice[int]]
    """A reset plays 1 to this many NOOPs, or none (an integer from 0 to 10000; default 30)."""
    zero_discount_on_life_loss: ForEach[bool | Choice[bool]]
    """Whether the discount is 0 where a life is lost (bool; default False)."""
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
    full_action_space: ForEach[bool]
    """Whether there are all 18 actions (bool; default False)."""
    repeat_action_probability: ForEach[float]
    """Probability that a frame repeats the action before (a probability, from 0 to 1; default 0.0)."""
    use_inter_area_resize: ForEach[bool]
    """OpenCV's INTER_AREA, or else INTER_LINEAR (bool; default True)."""
    gray_scale: ForEach[bool]
    """Whether frames are gray; coloured ones have three channels (bool; default True)."""
    translate: ForEach[bool]
    """Whether games are translated into machine code; the same is played either way (bool; default True)."""

AleAtariTask: TypeAlias = Literal[
    "ALE/Adventure-v5",
    "ALE/AirRaid-v5",
    "ALE/Alien-v5",
    "ALE/Amidar-v5",
    "ALE/Assault-v5",
    "ALE/Asterix-v5",
    "ALE/Asteroids-v5",
    "ALE/Atlantis-v5",
    "ALE/Atlantis2-v5",
    "ALE/Backgammon-v5",
    "ALE/BankHeist-v5",
    "ALE/BasicMath-v5",
    "ALE/BattleZone-v5",
    "ALE/BeamRider-v5",
    "ALE/Berzerk-v5",
    "ALE/Blackjack-v5",
    "ALE/Bowling-v5",
    "ALE/Boxing-v5",
    "ALE/Breakout-v5",
    "ALE/Carnival-v5",
    "ALE/Casino-v5",
    "ALE/Centipede-v5",
    "ALE/ChopperCommand-v5",
    "ALE/CrazyClimber-v5",
    "ALE/Crossbow-v5",
    "ALE/Darkchambers-v5",
    "ALE/Defender-v5",
    "ALE/DemonAttack-v5",
    "ALE/DonkeyKong-v5",
    "ALE/DoubleDunk-v5",
    "ALE/Earthworld-v5",
    "ALE/ElevatorAction-v5",
    "ALE/Enduro-v5",
    "ALE/Entombed-v5",
    "ALE/Et-v5",
    "ALE/FishingDerby-v5",
    "ALE/FlagCapture-v5",
    "ALE/Freeway-v5",
    "ALE/Frogger-v5",
    "ALE/Frostbite-v5",
    "ALE/Galaxian-v5",
    "ALE/Gopher-v5",
    "ALE/Gravitar-v5",
    "ALE/Hangman-v5",
    "ALE/HauntedHouse-v5",
    "ALE/Hero-v5",
    "ALE/HumanCannonball-v5",
    "ALE/IceHockey-v5",
    "ALE/Jamesbond-v5",
    "ALE/JourneyEscape-v5",
    "ALE/Kaboom-v5",
    "ALE/Kangaroo-v5",
    "ALE/KeystoneKapers-v5",
    "ALE/KingKong-v5",
    "ALE/Klax-v5",
    "ALE/Koolaid-v5",
    "ALE/Krull-v5",
    "ALE/KungFuMaster-v5",
    "ALE/LaserGates-v5",
    "ALE/LostLuggage-v5",
    "ALE/MarioBros-v5",
    "ALE/MiniatureGolf-v5",
    "ALE/MontezumaRevenge-v5",
    "ALE/MrDo-v5",
    "ALE/MsPacman-v5",
    "ALE/NameThisGame-v5",
    "ALE/Othello-v5",
    "ALE/Pacman-v5",
    "ALE/Phoenix-v5",
    "ALE/Pitfall-v5",
    "ALE/Pitfall2-v5",
    "ALE/Pong-v5",
    "ALE/Pooyan-v5",
    "ALE/PrivateEye-v5",
    "ALE/Qbert-v5",
    "ALE/Riverraid-v5",
    "ALE/RoadRunner-v5",
    "ALE/Robotank-v5",
    "ALE/Seaquest-v5",
    "ALE/SirLancelot-v5",
    "ALE/Skiing-v5",
    "ALE/Solaris-v5",
    "ALE/SpaceInvaders-v5",
    "ALE/SpaceWar-v5",
    "ALE/StarGunner-v5",
    "ALE/Superman-v5",
    "ALE/Surround-v5",
    "ALE/Tennis-v5",
    "ALE/Tetris-v5",
    "ALE/TicTacToe3D-v5",
    "ALE/TimePilot-v5",
    "ALE/Trondead-v5",
    "ALE/Turmoil-v5",
    "ALE/Tutankham-v5",
    "ALE/UpNDown-v5",
    "ALE/Venture-v5",
    "ALE/VideoCheckers-v5",
    "ALE/VideoChess-v5",
    "ALE/VideoCube-v5",
    "ALE/VideoPinball-v5",
    "ALE/WizardOfWor-v5",
    "ALE/WordZapper-v5",
    "ALE/YarsRevenge-v5",
    "ALE/Zaxxon-v5",
]

class AleAtariOptions(PoolOptions, total=False):
    """Options of ALE/Adventure-v5, ALE/AirRaid-v5, ALE/Alien-v5 and 101 more."""

    rom_dir: ForEach[str | None]
    """Folder with the cartridges' images, pong.bin and so on, or with atari/roms/pong.bin (None or str; default None)."""
    game: ForEach[str]
    """The game (str; default by task)."""
    mode: ForEach[int | None]
    """The game's mode; None: its default (None or int; default None)."""
    difficulty: ForEach[int | None]
    """The game's difficulty; None: its default (None or int; default None)."""
    obs_type: ForEach[Literal["rgb", "grayscale", "ram"]]
    """The screen in colour, in gray, or the memory ("rgb", "grayscale" or "ram"; default 'rgb')."""
    frameskip: ForEach[int | Sequence[int] | Integers | Choice[int | Sequence[int]]]
    """Frames of a step, or bounds between which it is drawn, the upper excluded (an integer from 1 to 10000, or two of them; default 4)."""
    repeat_action_probability: ForEach[float]
    """Probability that a frame repeats the action before (a probability, from 0 to 1; default 0.25)."""
    full_action_space: ForEach[bool]
    """Whether there are all 18 actions (bool; default False)."""
    continuous: ForEach[bool]
    """Whether actions are radius, angle and fire (bool; default False)."""
    continuous_action_threshold: ForEach[float | Uniform | Choice[float]]
    """What exceeds it is a direction, or fire (float; default 0.5)."""
    max_num_frames_per_episode: ForEach[int | None]
    """Frames after which an episode is truncated; 0 or None: never (an integer from 0 to 2147483647 or None; default 108000)."""
    preprocessing: ForEach[bool]
    """Whether gymnasium's AtariPreprocessing is applied, with the options that follow (bool; default False)."""
    noop_max: ForEach[int | Integers | Choice[int]]
    """A reset plays 1 to this many NOOPs, or none (an integer from 0 to 10000; default 30)."""
    frame_skip: ForEach[int]
    """Frames that an action is played for (an integer from 1 to 10000; default 4)."""
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
    """Observations in one, as gymnasium's FrameStackObservation; None: it is not applied (an integer from 1 to 1000 or None; default None)."""
    padding_type: ForEach[Literal["reset", "zero"]]
    """What fills the stack at a reset: the first observation, or zeros ("reset" or "zero"; default 'reset')."""
    translate: ForEach[bool]
    """Whether games are translated into machine code; the same is played either way (bool; default True)."""

CatchTask: TypeAlias = Literal["Catch-v0"]

class CatchOptions(PoolOptions, total=False):
    """Options of Catch-v0."""

    rows: ForEach[int]
    """Rows of the board (an integer from 2 to 1024; default 10)."""
    columns: ForEach[int]
    """Columns of the board (an integer from 1 to 1024; default 5)."""
    height: ForEach[int]
    """EnvPool's name for rows (those of rows; default 10)."""
    width: ForEach[int]
    """EnvPool's name for columns (those of columns; default 5)."""

SimpleSpreadTask: TypeAlias = Literal["SimpleSpread-v3"]

class SimpleSpreadOptions(PoolOptions, total=False):
    """Options of SimpleSpread-v3."""

    N: ForEach[int]
    """Number of agents, and of landmarks (int from 1 to 1024; default 3)."""
    local_ratio: ForEach[float | Uniform | Choice[float]]
    """Weight of the local reward; the global reward has the rest (float from 0 to 1; default 0.5)."""
    curriculum: ForEach[bool | Choice[bool]]
    """Whether collisions cost nothing: stage 0, which mpe2 1.1.1 never leaves (bool; default False)."""
    terminate_on_success: ForEach[bool | Choice[bool]]
    """Whether an episode ends once all landmarks are covered within 0.1 (bool; default False)."""
    num_agent_neighbors: ForEach[int | None]
    """How many other agents each sees, the nearest first; None: all (None or int from 1 to 1024; default None)."""
    num_landmark_neighbors: ForEach[int | None]
    """How many landmarks each sees, the nearest first; None: all (None or int from 1 to 1024; default None)."""
    continuous_actions: ForEach[bool]
    """Five levers from 0 to 1 in place of five moves (bool; default False)."""
    benchmark_data: ForEach[bool]
    """Whether infos hold `benchmark_data`, by which mpe2 judges policies (bool; default False)."""
    max_cycles: ForEach[int | None]
    """Declined: use max_episode_steps (None or int; default None)."""
    dynamic_rescaling: ForEach[bool]
    """Whether pictures show bodies smaller the wider the world is; nothing else (bool; default True)."""

SimpleSpeakerListenerTask: TypeAlias = Literal["SimpleSpeakerListener-v4"]

class SimpleSpeakerListenerOptions(PoolOptions, total=False):
    """Options of SimpleSpeakerListener-v4."""

    continuous_actions: ForEach[bool]
    """Five levers from 0 to 1 in place of five moves (bool; default False)."""
    benchmark_data: ForEach[bool]
    """Whether infos hold `benchmark_data`, by which mpe2 judges policies (bool; default False)."""
    max_cycles: ForEach[int | None]
    """Declined: use max_episode_steps (None or int; default None)."""
    dynamic_rescaling: ForEach[bool]
    """Whether pictures show bodies smaller the wider the world is; nothing else (bool; default True)."""

MiniGridEmpty5x5Task: TypeAlias = Literal[
    "MiniGrid-Empty-5x5-v0",
    "MiniGrid-Empty-Random-5x5-v0",
    "MiniGrid-Empty-6x6-v0",
    "MiniGrid-Empty-Random-6x6-v0",
    "MiniGrid-Empty-8x8-v0",
    "MiniGrid-Empty-16x16-v0",
]

class MiniGridEmpty5x5Options(PoolOptions, total=False):
    """Options of MiniGrid-Empty-5x5-v0, MiniGrid-Empty-Random-5x5-v0, MiniGrid-Empty-6x6-v0 and 3 more."""

    env_name: ForEach[Literal["empty"]]
    """The class of levels, by EnvPool's name ("empty"; default 'empty')."""
    size: ForEach[int | Integers | Choice[int]]
    """Cells on each side, walls included (an integer from 3 to 200; default by task)."""
    agent_start_pos: ForEach[Sequence[int] | Choice[Sequence[int] | None] | None]
    """Column and row where the agent starts; None: anywhere (list of int or None; default by task)."""
    agent_start_dir: ForEach[int | Integers | Choice[int]]
    """Where it faces: 0 right, 1 down, 2 left, 3 up (an integer from 0 to 3; default 0)."""
    agent_view_size: ForEach[int]
    """Cells on each side of the agent's view, odd (an integer from 3 to 31; default 7)."""
    see_through_walls: ForEach[bool | Choice[bool | None] | None]
    """Whether the agent sees through walls; None: as the level has it (None or bool; default None)."""
    obs: ForEach[Literal["image", "full", "onehot", "rgb_partial", "rgb", "flat", "symbolic"]]
    """The form of the picture, as minigrid's wrappers make it ("image", "full", "onehot", "rgb_partial", "rgb", "flat" or "symbolic"; default 'image')."""
    obs_tile_size: ForEach[int]
    """Pixels on each side of a cell in observations (an integer from 1 to 64; default 8)."""
    image_only: ForEach[bool]
    """Whether the picture is all that is observed, without a dict (bool; default False)."""
    mission: ForEach[Literal["text", "bytes", "tokens", "none"]]
    """The form of the mission ("text", "bytes", "tokens" or "none"; default 'text')."""
    highlight: ForEach[bool | Choice[bool]]
    """Whether pictures of the whole world show what the agent sees (bool; default True)."""
    max_steps: ForEach[int | Integers | Choice[int | None] | None]
    """Steps of an episode, which rewards depend on; None: as the level has it (an integer from 1 to 4294967295 or None; default None)."""
    action_prob: ForEach[float | Uniform | Choice[float | None] | None]
    """Probability that an action is played as it is (a probability, from 0 to 1 or None; default None)."""
    random_action: ForEach[int | Integers | Choice[int | None] | None]
    """What is played otherwise; None: any action (an integer from 0 to 6 or None; default None)."""
    no_death: ForEach[list[str] | tuple[str, ...] | Choice[list[str] | tuple[str, ...]]]
    """Kinds of cells that do not end an episode: "lava", "ball", ... (list of str; default [])."""
    death_cost: ForEach[float | Uniform | Choice[float]]
    """Reward for what would have ended the episode (float; default -1.0)."""
    seeds: ForEach[Sequence[int]]
    """Seeds of the episodes, over and over: a fixed set of worlds (list of int; default [])."""
    tile_size: ForEach[int]
    """Pixels on each side of a cell in pictures (an integer from 1 to 64; default 32)."""
    agent_pov: ForEach[bool]
    """Whether pictures show what the agent sees, not the whole world (bool; default False)."""

MiniGridDoorKey5x5Task: TypeAlias = Literal[
    "MiniGrid-DoorKey-5x5-v0", "MiniGrid-DoorKey-6x6-v0", "MiniGrid-DoorKey-8x8-v0", "MiniGrid-DoorKey-16x16-v0"
]

class MiniGridDoorKey5x5Options(PoolOptions, total=False):
    """Options of MiniGrid-DoorKey-5x5-v0, MiniGrid-DoorKey-6x6-v0, MiniGrid-DoorKey-8x8-v0 and 1 more."""

    env_name: ForEach[Literal["doorkey"]]
    """The class of levels, by EnvPool's name ("doorkey"; default 'doorkey')."""
    size: ForEach[int | Integers | Choice[int]]
    """Cells on each side, walls included (an integer from 5 to 200; default by task)."""
    agent_view_size: ForEach[int]
    """Cells on each side of the agent's view, odd (an integer from 3 to 31; default 7)."""
    see_through_walls: ForEach[bool | Choice[bool | None] | None]
    """Whether the agent sees through walls; None: as the level has it (None or bool; default None)."""
    obs: ForEach[Literal["image", "full", "onehot", "rgb_partial", "rgb", "flat", "symbolic"]]
    """The form of the picture, as minigrid's wrappers make it ("image", "full", "onehot", "rgb_partial", "rgb", "flat" or "symbolic"; default 'image')."""
    obs_tile_size: ForEach[int]
    """Pixels on each side of a cell in observations (an integer from 1 to 64; default 8)."""
    image_only: ForEach[bool]
    """Whether the picture is all that is observed, without a dict (bool; default False)."""
    mission: ForEach[Literal["text", "bytes", "tokens", "none"]]
    """The form of the mission ("text", "bytes", "tokens" or "none"; default 'text')."""
    highlight: ForEach[bool | Choice[bool]]
    """Whether pictures of the whole world show what the agent sees (bool; default True)."""
    max_steps: ForEach[int | Integers | Choice[int | None] | None]
    """Steps of an episode, which rewards depend on; None: as the level has it (an integer from 1 to 4294967295 or None; default None)."""
    action_prob: ForEach[float | Uniform | Choice[float | None] | None]
    """Probability that an action is played as it is (a probability, from 0 to 1 or None; default None)."""
    random_action: ForEach[int | Integers | Choice[int | None] | None]
    """What is played otherwise; None: any action (an integer from 0 to 6 or None; default None)."""
    no_death: ForEach[list[str] | tuple[str, ...] | Choice[list[str] | tuple[str, ...]]]
    """Kinds of cells that do not end an episode: "lava", "ball", ... (list of str; default [])."""
    death_cost: ForEach[float | Uniform | Choice[float]]
    """Reward for what would have ended the episode (float; default -1.0)."""
    seeds: ForEach[Sequence[int]]
    """Seeds of the episodes, over and over: a fixed set of worlds (list of int; default [])."""
    tile_size: ForEach[int]
    """Pixels on each side of a cell in pictures (an integer from 1 to 64; default 32)."""
    agent_pov: ForEach[bool]
    """Whether pictures show what the agent sees, not the whole world (bool; default False)."""

MiniGridLavaCrossingS9N1Task: TypeAlias = Literal[
    "MiniGrid-LavaCrossingS9N1-v0",
    "MiniGrid-LavaCrossingS9N2-v0",
    "MiniGrid-LavaCrossingS9N3-v0",
    "MiniGrid-LavaCrossingS11N5-v0",
    "MiniGrid-SimpleCrossingS9N1-v0",
    "MiniGrid-SimpleCrossingS9N2-v0",
    "MiniGrid-SimpleCrossingS9N3-v0",
    "MiniGrid-SimpleCrossingS11N5-v0",
]

class MiniGridLavaCrossingS9N1Options(PoolOptions, total=False):
    """Options of MiniGrid-LavaCrossingS9N1-v0, MiniGrid-LavaCrossingS9N2-v0, MiniGrid-LavaCrossingS9N3-v0 and 5 more."""

    env_name: ForEach[Literal["crossing"]]
    """The class of levels, by EnvPool's name ("crossing"; default 'crossing')."""
    size: ForEach[int | Integers | Choice[int]]
    """Cells on each side, walls included (an integer from 5 to 200; default by task)."""
    num_crossings: ForEach[int | Integers | Choice[int]]
    """Rivers (an integer from 0 to 200; default by task)."""
    obstacle_type: ForEach[Literal["lava", "wall"] | Choice[Literal["lava", "wall"]]]
    """What rivers are made of ("lava" or "wall"; default by task)."""
    agent_view_size: ForEach[int]
    """Cells on each side of the agent's view, odd (an integer from 3 to 31; default 7)."""
    see_through_walls: ForEach[bool | Choice[bool | None] | None]
    """Whether the agent sees through walls; None: as the level has it (None or bool; default None)."""
    obs: ForEach[Literal["image", "full", "onehot", "rgb_partial", "rgb", "flat", "symbolic"]]
    """The form of the picture, as minigrid's wrappers make it ("image", "full", "onehot", "rgb_partial", "rgb", "flat" or "symbolic"; default 'image')."""
    obs_tile_size: ForEach[int]
    """Pixels on each side of a cell in observations (an integer from 1 to 64; default 8)."""
    image_only: ForEach[bool]
    """Whether the picture is all that is observed, without a dict (bool; default False)."""
    mission: ForEach[Literal["text", "bytes", "tokens", "none"]]
    """The form of the mission ("text", "bytes", "tokens" or "none"; default 'text')."""
    highlight: ForEach[bool | Choice[bool]]
    """Whether pictures of the whole world show what the agent sees (bool; default True)."""
    max_steps: ForEach[int | Integers | Choice[int | None] | None]
    """Steps of an episode, which rewards depend on; None: as the level has it (an integer from 1 to 4294967295 or None; default None)."""
    action_prob: ForEach[float | Uniform | Choice[float | None] | None]
    """Probability that an action is played as it is (a probability, from 0 to 1 or None; default None)."""
    random_action: ForEach[int | Integers | Choice[int | None] | None]
    """What is played otherwise; None: any action (an integer from 0 to 6 or None; default None)."""
    no_death: ForEach[list[str] | tuple[str, ...] | Choice[list[str] | tuple[str, ...]]]
    """Kinds of cells that do not end an episode: "lava", "ball", ... (list of str; default [])."""
    death_cost: ForEach[float | Uniform | Choice[float]]
    """Reward for what would have ended the episode (float; default -1.0)."""
    seeds: ForEach[Sequence[int]]
    """Seeds of the episodes, over and over: a fixed set of worlds (list of int; default [])."""
    tile_size: ForEach[int]
    """Pixels on each side of a cell in pictures (an integer from 1 to 64; default 32)."""
    agent_pov: ForEach[bool]
    """Whether pictures show what the agent sees, not the whole world (bool; default False)."""

MiniGridDistShift1Task: TypeAlias = Literal["MiniGrid-DistShift1-v0", "MiniGrid-DistShift2-v0"]

class MiniGridDistShift1Options(PoolOptions, total=False):
    """Options of MiniGrid-DistShift1-v0, MiniGrid-DistShift2-v0."""

    env_name: ForEach[Literal["distshift"]]
    """The class of levels, by EnvPool's name ("distshift"; default 'distshift')."""
    width: ForEach[int | Integers | Choice[int]]
    """Columns, walls included (an integer from 4 to 200; default 9)."""
    height: ForEach[int | Integers | Choice[int]]
    """Rows, walls included (an integer from 4 to 200; default 7)."""
    strip2_row: ForEach[int | Integers | Choice[int]]
    """Row of the second strip of lava (an integer from 1 to 198; default by task)."""
    agent_start_pos: ForEach[Sequence[int] | Choice[Sequence[int] | None] | None]
    """Column and row where the agent starts; None: anywhere (list of int or None; default [1, 1])."""
    agent_start_dir: ForEach[int | Integers | Choice[int]]
    """Where it faces: 0 right, 1 down, 2 left, 3 up (an integer from 0 to 3; default 0)."""
    agent_view_size: ForEach[int]
    """Cells on each side of the agent's view, odd (an integer from 3 to 31; default 7)."""
    see_through_walls: ForEach[bool | Choice[bool | None] | None]
    """Whether the agent sees through walls; None: as the level has it (None or bool; default None)."""
    obs: ForEach[Literal["image", "full", "onehot", "rgb_partial", "rgb", "flat", "symbolic"]]
    """The form of the picture, as minigrid's wrappers make it ("image", "full", "onehot", "rgb_partial", "rgb", "flat" or "symbolic"; default 'image')."""
    obs_tile_size: ForEach[int]
    """Pixels on each side of a cell in observations (an integer from 1 to 64; default 8)."""
    image_only: ForEach[bool]
    """Whether the picture is all that is observed, without a dict (bool; default False)."""
    mission: ForEach[Literal["text", "bytes", "tokens", "none"]]
    """The form of the mission ("text", "bytes", "tokens" or "none"; default 'text')."""
    highlight: ForEach[bool | Choice[bool]]
    """Whether pictures of the whole world show what the agent sees (bool; default True)."""
    max_steps: ForEach[int | Integers | Choice[int | None] | None]
    """Steps of an episode, which rewards depend on; None: as the level has it (an integer from 1 to 4294967295 or None; default None)."""
    action_prob: ForEach[float | Uniform | Choice[float | None] | None]
    """Probability that an action is played as it is (a probability, from 0 to 1 or None; default None)."""
    random_action: ForEach[int | Integers | Choice[int | None] | None]
    """What is played otherwise; None: any action (an integer from 0 to 6 or None; default None)."""
    no_death: ForEach[list[str] | tuple[str, ...] | Choice[list[str] | tuple[str, ...]]]
    """Kinds of cells that do not end an episode: "lava", "ball", ... (list of str; default [])."""
    death_cost: ForEach[float | Uniform | Choice[float]]
    """Reward for what would have ended the episode (float; default -1.0)."""
    seeds: ForEach[Sequence[int]]
    """Seeds of the episodes, over and over: a fixed set of worlds (list of int; default [])."""
    tile_size: ForEach[int]
    """Pixels on each side of a cell in pictures (an integer from 1 to 64; default 32)."""
    agent_pov: ForEach[bool]
    """Whether pictures show what the agent sees, not the whole world (bool; default False)."""

MiniGridLavaGapS5Task: TypeAlias = Literal["MiniGrid-LavaGapS5-v0", "MiniGrid-LavaGapS6-v0", "MiniGrid-LavaGapS7-v0"]

class MiniGridLavaGapS5Options(PoolOptions, total=False):
    """Options of MiniGrid-LavaGapS5-v0, MiniGrid-LavaGapS6-v0, MiniGrid-LavaGapS7-v0."""

    env_name: ForEach[Literal["lava_gap"]]
    """The class of levels, by EnvPool's name ("lava_gap"; default 'lava_gap')."""
    size: ForEach[int | Integers | Choice[int]]
    """Cells on each side, walls included (an integer from 5 to 200; default by task)."""
    obstacle_type: ForEach[Literal["lava", "wall"] | Choice[Literal["lava", "wall"]]]
    """What the strip is made of ("lava" or "wall"; default 'lava')."""
    agent_view_size: ForEach[int]
    """Cells on each side of the agent's view, odd (an integer from 3 to 31; default 7)."""
    see_through_walls: ForEach[bool | Choice[bool | None] | None]
    """Whether the agent sees through walls; None: as the level has it (None or bool; default None)."""
    obs: ForEach[Literal["image", "full", "onehot", "rgb_partial", "rgb", "flat", "symbolic"]]
    """The form of the picture, as minigrid's wrappers make it ("image", "full", "onehot", "rgb_partial", "rgb", "flat" or "symbolic"; default 'image')."""
    obs_tile_size: ForEach[int]
    """Pixels on each side of a cell in observations (an integer from 1 to 64; default 8)."""
    image_only: ForEach[bool]
    """Whether the picture is all that is observed, without a dict (bool; default False)."""
    mission: ForEach[Literal["text", "bytes", "tokens", "none"]]
    """The form of the mission ("text", "bytes", "tokens" or "none"; default 'text')."""
    highlight: ForEach[bool | Choice[bool]]
    """Whether pictures of the whole world show what the agent sees (bool; default True)."""
    max_steps: ForEach[int | Integers | Choice[int | None] | None]
    """Steps of an episode, which rewards depend on; None: as the level has it (an integer from 1 to 4294967295 or None; default None)."""
    action_prob: ForEach[float | Uniform | Choice[float | None] | None]
    """Probability that an action is played as it is (a probability, from 0 to 1 or None; default None)."""
    random_action: ForEach[int | Integers | Choice[int | None] | None]
    """What is played otherwise; None: any action (an integer from 0 to 6 or None; default None)."""
    no_death: ForEach[list[str] | tuple[str, ...] | Choice[list[str] | tuple[str, ...]]]
    """Kinds of cells that do not end an episode: "lava", "ball", ... (list of str; default [])."""
    death_cost: ForEach[float | Uniform | Choice[float]]
    """Reward for what would have ended the episode (float; default -1.0)."""
    seeds: ForEach[Sequence[int]]
    """Seeds of the episodes, over and over: a fixed set of worlds (list of int; default [])."""
    tile_size: ForEach[int]
    """Pixels on each side of a cell in pictures (an integer from 1 to 64; default 32)."""
    agent_pov: ForEach[bool]
    """Whether pictures show what the agent sees, not the whole world (bool; default False)."""

MiniGridDynamicObstacles5x5Task: TypeAlias = Literal[
    "MiniGrid-Dynamic-Obstacles-5x5-v0",
    "MiniGrid-Dynamic-Obstacles-Random-5x5-v0",
    "MiniGrid-Dynamic-Obstacles-6x6-v0",
    "MiniGrid-Dynamic-Obstacles-Random-6x6-v0",
    "MiniGrid-Dynamic-Obstacles-8x8-v0",
    "MiniGrid-Dynamic-Obstacles-16x16-v0",
]

class MiniGridDynamicObstacles5x5Options(PoolOptions, total=False):
    """Options of MiniGrid-Dynamic-Obstacles-5x5-v0, MiniGrid-Dynamic-Obstacles-Random-5x5-v0, MiniGrid-Dynamic-Obstacles-6x6-v0 and 3 more."""

    env_name: ForEach[Literal["dynamic_obstacles"]]
    """The class of levels, by EnvPool's name ("dynamic_obstacles"; default 'dynamic_obstacles')."""
    size: ForEach[int | Integers | Choice[int]]
    """Cells on each side, walls included (an integer from 4 to 200; default by task)."""
    n_obstacles: ForEach[int | Integers | Choice[int]]
    """Balls; more than size / 2 + 1 become size / 2 (an integer from 0 to 200; default by task)."""
    agent_start_pos: ForEach[Sequence[int] | Choice[Sequence[int] | None] | None]
    """Column and row where the agent starts; None: anywhere (list of int or None; default by task)."""
    agent_start_dir: ForEach[int | Integers | Choice[int]]
    """Where it faces: 0 right, 1 down, 2 left, 3 up (an integer from 0 to 3; default 0)."""
    agent_view_size: ForEach[int]
    """Cells on each side of the agent's view, odd (an integer from 3 to 31; default 7)."""
    see_through_walls: ForEach[bool | Choice[bool | None] | None]
    """Whether the agent sees through walls; None: as the level has it (None or bool; default None)."""
    obs: ForEach[Literal["image", "full", "onehot", "rgb_partial", "rgb", "flat", "symbolic"]]
    """The form of the picture, as minigrid's wrappers make it ("image", "full", "onehot", "rgb_partial", "rgb", "flat" or "symbolic"; default 'image')."""
    obs_tile_size: ForEach[int]
    """Pixels on each side of a cell in observations (an integer from 1 to 64; default 8)."""
    image_only: ForEach[bool]
    """Whether the picture is all that is observed, without a dict (bool; default False)."""
    mission: ForEach[Literal["text", "bytes", "tokens", "none"]]
    """The form of the mission ("text", "bytes", "tokens" or "none"; default 'text')."""
    highlight: ForEach[bool | Choice[bool]]
    """Whether pictures of the whole world show what the agent sees (bool; default True)."""
    max_steps: ForEach[int | Integers | Choice[int | None] | None]
    """Steps of an episode, which rewards depend on; None: as the level has it (an integer from 1 to 4294967295 or None; default None)."""
    action_prob: ForEach[float | Uniform | Choice[float | None] | None]
    """Probability that an action is played as it is (a probability, from 0 to 1 or None; default None)."""
    random_action: ForEach[int | Integers | Choice[int | None] | None]
    """What is played otherwise; None: any action (an integer from 0 to 6 or None; default None)."""
    no_death: ForEach[list[str] | tuple[str, ...] | Choice[list[str] | tuple[str, ...]]]
    """Kinds of cells that do not end an episode: "lava", "ball", ... (list of str; default [])."""
    death_cost: ForEach[float | Uniform | Choice[float]]
    """Reward for what would have ended the episode (float; default -1.0)."""
    seeds: ForEach[Sequence[int]]
    """Seeds of the episodes, over and over: a fixed set of worlds (list of int; default [])."""
    tile_size: ForEach[int]
    """Pixels on each side of a cell in pictures (an integer from 1 to 64; default 32)."""
    agent_pov: ForEach[bool]
    """Whether pictures show what the agent sees, not the whole world (bool; default False)."""

MiniGridFetch5x5N2Task: TypeAlias = Literal[
    "MiniGrid-Fetch-5x5-N2-v0", "MiniGrid-Fetch-6x6-N2-v0", "MiniGrid-Fetch-8x8-N3-v0"
]

class MiniGridFetch5x5N2Options(PoolOptions, total=False):
    """Options of MiniGrid-Fetch-5x5-N2-v0, MiniGrid-Fetch-6x6-N2-v0, MiniGrid-Fetch-8x8-N3-v0."""

    env_name: ForEach[Literal["fetch"]]
    """The class of levels, by EnvPool's name ("fetch"; default 'fetch')."""
    size: ForEach[int | Integers | Choice[int]]
    """Cells on each side, walls included (an integer from 4 to 200; default by task)."""
    numObjs: ForEach[int | Integers | Choice[int]]
    """Keys and balls (an integer from 1 to 200; default by task)."""
    num_objs: ForEach[int | Integers | Choice[int | None] | None]
    """EnvPool's name for the option before it; None: as that says (an integer from 1 to 200 or None; default None)."""
    agent_view_size: ForEach[int]
    """Cells on each side of the agent's view, odd (an integer from 3 to 31; default 7)."""
    see_through_walls: ForEach[bool | Choice[bool | None] | None]
    """Whether the agent sees through walls; None: as the level has it (None or bool; default None)."""
    obs: ForEach[Literal["image", "full", "onehot", "rgb_partial", "rgb", "flat", "symbolic"]]
    """The form of the picture, as minigrid's wrappers make it ("image", "full", "onehot", "rgb_partial", "rgb", "flat" or "symbolic"; default 'image')."""
    obs_tile_size: ForEach[int]
    """Pixels on each side of a cell in observations (an integer from 1 to 64; default 8)."""
    image_only: ForEach[bool]
    """Whether the picture is all that is observed, without a dict (bool; default False)."""
    mission: ForEach[Literal["text", "bytes", "tokens", "none"]]
    """The form of the mission ("text", "bytes", "tokens" or "none"; default 'text')."""
    highlight: ForEach[bool | Choice[bool]]
    """Whether pictures of the whole world show what the agent sees (bool; default True)."""
    max_steps: ForEach[int | Integers | Choice[int | None] | None]
    """Steps of an episode, which rewards depend on; None: as the level has it (an integer from 1 to 4294967295 or None; default None)."""
    action_prob: ForEach[float | Uniform | Choice[float | None] | None]
    """Probability that an action is played as it is (a probability, from 0 to 1 or None; default None)."""
    random_action: ForEach[int | Integers | Choice[int | None] | None]
    """What is played otherwise; None: any action (an integer from 0 to 6 or None; default None)."""
    no_death: ForEach[list[str] | tuple[str, ...] | Choice[list[str] | tuple[str, ...]]]
    """Kinds of cells that do not end an episode: "lava", "ball", ... (list of str; default [])."""
    death_cost: ForEach[float | Uniform | Choice[float]]
    """Reward for what would have ended the episode (float; default -1.0)."""
    seeds: ForEach[Sequence[int]]
    """Seeds of the episodes, over and over: a fixed set of worlds (list of int; default [])."""
    tile_size: ForEach[int]
    """Pixels on each side of a cell in pictures (an integer from 1 to 64; default 32)."""
    agent_pov: ForEach[bool]
    """Whether pictures show what the agent sees, not the whole world (bool; default False)."""

MiniGridFourRoomsTask: TypeAlias = Literal["MiniGrid-FourRooms-v0"]

class MiniGridFourRoomsOptions(PoolOptions, total=False):
    """Options of MiniGrid-FourRooms-v0."""

    env_name: ForEach[Literal["four_rooms"]]
    """The class of levels, by EnvPool's name ("four_rooms"; default 'four_rooms')."""
    agent_pos: ForEach[Sequence[int] | Choice[Sequence[int] | None] | None]
    """Column and row where the agent starts; None: anywhere (None or list of int; default None)."""
    goal_pos: ForEach[Sequence[int] | Choice[Sequence[int] | None] | None]
    """Column and row of the goal; None: anywhere (None or list of int; default None)."""
    agent_view_size: ForEach[int]
    """Cells on each side of the agent's view, odd (an integer from 3 to 31; default 7)."""
    see_through_walls: ForEach[bool | Choice[bool | None] | None]
    """Whether the agent sees through walls; None: as the level has it (None or bool; default None)."""
    obs: ForEach[Literal["image", "full", "onehot", "rgb_partial", "rgb", "flat", "symbolic"]]
    """The form of the picture, as minigrid's wrappers make it ("image", "full", "onehot", "rgb_partial", "rgb", "flat" or "symbolic"; default 'image')."""
    obs_tile_size: ForEach[int]
    """Pixels on each side of a cell in observations (an integer from 1 to 64; default 8)."""
    image_only: ForEach[bool]
    """Whether the picture is all that is observed, without a dict (bool; default False)."""
    mission: ForEach[Literal["text", "bytes", "tokens", "none"]]
    """The form of the mission ("text", "bytes", "tokens" or "none"; default 'text')."""
    highlight: ForEach[bool | Choice[bool]]
    """Whether pictures of the whole world show what the agent sees (bool; default True)."""
    max_steps: ForEach[int | Integers | Choice[int | None] | None]
    """Steps of an episode, which rewards depend on; None: as the level has it (an integer from 1 to 4294967295 or None; default None)."""
    action_prob: ForEach[float | Uniform | Choice[float | None] | None]
    """Probability that an action is played as it is (a probability, from 0 to 1 or None; default None)."""
    random_action: ForEach[int | Integers | Choice[int | None] | None]
    """What is played otherwise; None: any action (an integer from 0 to 6 or None; default None)."""
    no_death: ForEach[list[str] | tuple[str, ...] | Choice[list[str] | tuple[str, ...]]]
    """Kinds of cells that do not end an episode: "lava", "ball", ... (list of str; default [])."""
    death_cost: ForEach[float | Uniform | Choice[float]]
    """Reward for what would have ended the episode (float; default -1.0)."""
    seeds: ForEach[Sequence[int]]
    """Seeds of the episodes, over and over: a fixed set of worlds (list of int; default [])."""
    tile_size: ForEach[int]
    """Pixels on each side of a cell in pictures (an integer from 1 to 64; default 32)."""
    agent_pov: ForEach[bool]
    """Whether pictures show what the agent sees, not the whole world (bool; default False)."""

MiniGridGoToDoor5x5Task: TypeAlias = Literal[
    "MiniGrid-GoToDoor-5x5-v0", "MiniGrid-GoToDoor-6x6-v0", "MiniGrid-GoToDoor-8x8-v0"
]

class MiniGridGoToDoor5x5Options(PoolOptions, total=False):
    """Options of MiniGrid-GoToDoor-5x5-v0, MiniGrid-GoToDoor-6x6-v0, MiniGrid-GoToDoor-8x8-v0."""

    env_name: ForEach[Literal["goto_door"]]
    """The class of levels, by EnvPool's name ("goto_door"; default 'goto_door')."""
    size: ForEach[int | Integers | Choice[int]]
    """Cells on each side, walls included (an integer from 5 to 200; default by task)."""
    agent_view_size: ForEach[int]
    """Cells on each side of the agent's view, odd (an integer from 3 to 31; default 7)."""
    see_through_walls: ForEach[bool | Choice[bool | None] | None]
    """Whether the agent sees through walls; None: as the level has it (None or bool; default None)."""
    obs: ForEach[Literal["image", "full", "onehot", "rgb_partial", "rgb", "flat", "symbolic"]]
    """The form of the picture, as minigrid's wrappers make it ("image", "full", "onehot", "rgb_partial", "rgb", "flat" or "symbolic"; default 'image')."""
    obs_tile_size: ForEach[int]
    """Pixels on each side of a cell in observations (an integer from 1 to 64; default 8)."""
    image_only: ForEach[bool]
    """Whether the picture is all that is observed, without a dict (bool; default False)."""
    mission: ForEach[Literal["text", "bytes", "tokens", "none"]]
    """The form of the mission ("text", "bytes", "tokens" or "none"; default 'text')."""
    highlight: ForEach[bool | Choice[bool]]
    """Whether pictures of the whole world show what the agent sees (bool; default True)."""
    max_steps: ForEach[int | Integers | Choice[int | None] | None]
    """Steps of an episode, which rewards depend on; None: as the level has it (an integer from 1 to 4294967295 or None; default None)."""
    action_prob: ForEach[float | Uniform | Choice[float | None] | None]
    """Probability that an action is played as it is (a probability, from 0 to 1 or None; default None)."""
    random_action: ForEach[int | Integers | Choice[int | None] | None]
    """What is played otherwise; None: any action (an integer from 0 to 6 or None; default None)."""
    no_death: ForEach[list[str] | tuple[str, ...] | Choice[list[str] | tuple[str, ...]]]
    """Kinds of cells that do not end an episode: "lava", "ball", ... (list of str; default [])."""
    death_cost: ForEach[float | Uniform | Choice[float]]
    """Reward for what would have ended the episode (float; default -1.0)."""
    seeds: ForEach[Sequence[int]]
    """Seeds of the episodes, over and over: a fixed set of worlds (list of int; default [])."""
    tile_size: ForEach[int]
    """Pixels on each side of a cell in pictures (an integer from 1 to 64; default 32)."""
    agent_pov: ForEach[bool]
    """Whether pictures show what the agent sees, not the whole world (bool; default False)."""

MiniGridGoToObject6x6N2Task: TypeAlias = Literal["MiniGrid-GoToObject-6x6-N2-v0", "MiniGrid-GoToObject-8x8-N2-v0"]

class MiniGridGoToObject6x6N2Options(PoolOptions, total=False):
    """Options of MiniGrid-GoToObject-6x6-N2-v0, MiniGrid-GoToObject-8x8-N2-v0."""

    env_name: ForEach[Literal["goto_object"]]
    """The class of levels, by EnvPool's name ("goto_object"; default 'goto_object')."""
    size: ForEach[int | Integers | Choice[int]]
    """Cells on each side, walls included (an integer from 4 to 200; default by task)."""
    numObjs: ForEach[int | Integers | Choice[int]]
    """Keys, balls and boxes (an integer from 1 to 18; default 2)."""
    num_objs: ForEach[int | Integers | Choice[int | None] | None]
    """EnvPool's name for the option before it; None: as that says (an integer from 1 to 18 or None; default None)."""
    agent_view_size: ForEach[int]
    """Cells on each side of the agent's view, odd (an integer from 3 to 31; default 7)."""
    see_through_walls: ForEach[bool | Choice[bool | None] | None]
    """Whether the agent sees through walls; None: as the level has it (None or bool; default None)."""
    obs: ForEach[Literal["image", "full", "onehot", "rgb_partial", "rgb", "flat", "symbolic"]]
    """The form of the picture, as minigrid's wrappers make it ("image", "full", "onehot", "rgb_partial", "rgb", "flat" or "symbolic"; default 'image')."""
    obs_tile_size: ForEach[int]
    """Pixels on each side of a cell in observations (an integer from 1 to 64; default 8)."""
    image_only: ForEach[bool]
    """Whether the picture is all that is observed, without a dict (bool; default False)."""
    mission: ForEach[Literal["text", "bytes", "tokens", "none"]]
    """The form of the mission ("text", "bytes", "tokens" or "none"; default 'text')."""
    highlight: ForEach[bool | Choice[bool]]
    """Whether pictures of the whole world show what the agent sees (bool; default True)."""
    max_steps: ForEach[int | Integers | Choice[int | None] | None]
    """Steps of an episode, which rewards depend on; None: as the level has it (an integer from 1 to 4294967295 or None; default None)."""
    action_prob: ForEach[float | Uniform | Choice[float | None] | None]
    """Probability that an action is played as it is (a probability, from 0 to 1 or None; default None)."""
    random_action: ForEach[int | Integers | Choice[int | None] | None]
    """What is played otherwise; None: any action (an integer from 0 to 6 or None; default None)."""
    no_death: ForEach[list[str] | tuple[str, ...] | Choice[list[str] | tuple[str, ...]]]
    """Kinds of cells that do not end an episode: "lava", "ball", ... (list of str; default [])."""
    death_cost: ForEach[float | Uniform | Choice[float]]
    """Reward for what would have ended the episode (float; default -1.0)."""
    seeds: ForEach[Sequence[int]]
    """Seeds of the episodes, over and over: a fixed set of worlds (list of int; default [])."""
    tile_size: ForEach[int]
    """Pixels on each side of a cell in pictures (an integer from 1 to 64; default 32)."""
    agent_pov: ForEach[bool]
    """Whether pictures show what the agent sees, not the whole world (bool; default False)."""

MiniGridKeyCorridorS3R1Task: TypeAlias = Literal[
    "MiniGrid-KeyCorridorS3R1-v0",
    "MiniGrid-KeyCorridorS3R2-v0",
    "MiniGrid-KeyCorridorS3R3-v0",
    "MiniGrid-KeyCorridorS4R3-v0",
    "MiniGrid-KeyCorridorS5R3-v0",
    "MiniGrid-KeyCorridorS6R3-v0",
]

class MiniGridKeyCorridorS3R1Options(PoolOptions, total=False):
    """Options of MiniGrid-KeyCorridorS3R1-v0, MiniGrid-KeyCorridorS3R2-v0, MiniGrid-KeyCorridorS3R3-v0 and 3 more."""

    env_name: ForEach[Literal["key_corridor"]]
    """The class of levels, by EnvPool's name ("key_corridor"; default 'key_corridor')."""
    num_rows: ForEach[int | Integers | Choice[int]]
    """Rows of rooms (an integer from 1 to 20; default by task)."""
    room_size: ForEach[int | Integers | Choice[int]]
    """Cells on each side of a room, walls included (an integer from 3 to 30; default by task)."""
    obj_type: ForEach[Literal["ball", "box", "key"] | Choice[Literal["ball", "box", "key"]]]
    """What is to be picked up ("ball", "box" or "key"; default 'ball')."""
    agent_view_size: ForEach[int]
    """Cells on each side of the agent's view, odd (an integer from 3 to 31; default 7)."""
    see_through_walls: ForEach[bool | Choice[bool | None] | None]
    """Whether the agent sees through walls; None: as the level has it (None or bool; default None)."""
    obs: ForEach[Literal["image", "full", "onehot", "rgb_partial", "rgb", "flat", "symbolic"]]
    """The form of the picture, as minigrid's wrappers make it ("image", "full", "onehot", "rgb_partial", "rgb", "flat" or "symbolic"; default 'image')."""
    obs_tile_size: ForEach[int]
    """Pixels on each side of a cell in observations (an integer from 1 to 64; default 8)."""
    image_only: ForEach[bool]
    """Whether the picture is all that is observed, without a dict (bool; default False)."""
    mission: ForEach[Literal["text", "bytes", "tokens", "none"]]
    """The form of the mission ("text", "bytes", "tokens" or "none"; default 'text')."""
    highlight: ForEach[bool | Choice[bool]]
    """Whether pictures of the whole world show what the agent sees (bool; default True)."""
    max_steps: ForEach[int | Integers | Choice[int | None] | None]
    """Steps of an episode, which rewards depend on; None: as the level has it (an integer from 1 to 4294967295 or None; default None)."""
    action_prob: ForEach[float | Uniform | Choice[float | None] | None]
    """Probability that an action is played as it is (a probability, from 0 to 1 or None; default None)."""
    random_action: ForEach[int | Integers | Choice[int | None] | None]
    """What is played otherwise; None: any action (an integer from 0 to 6 or None; default None)."""
    no_death: ForEach[list[str] | tuple[str, ...] | Choice[list[str] | tuple[str, ...]]]
    """Kinds of cells that do not end an episode: "lava", "ball", ... (list of str; default [])."""
    death_cost: ForEach[float | Uniform | Choice[float]]
    """Reward for what would have ended the episode (float; default -1.0)."""
    seeds: ForEach[Sequence[int]]
    """Seeds of the episodes, over and over: a fixed set of worlds (list of int; default [])."""
    tile_size: ForEach[int]
    """Pixels on each side of a cell in pictures (an integer from 1 to 64; default 32)."""
    agent_pov: ForEach[bool]
    """Whether pictures show what the agent sees, not the whole world (bool; default False)."""

MiniGridLockedRoomTask: TypeAlias = Literal["MiniGrid-LockedRoom-v0"]

class MiniGridLockedRoomOptions(PoolOptions, total=False):
    """Options of MiniGrid-LockedRoom-v0."""

    env_name: ForEach[Literal["locked_room"]]
    """The class of levels, by EnvPool's name ("locked_room"; default 'locked_room')."""
    size: ForEach[int | Integers | Choice[int]]
    """Cells on each side, walls included (an integer from 10 to 200; default 19)."""
    agent_view_size: ForEach[int]
    """Cells on each side of the agent's view, odd (an integer from 3 to 31; default 7)."""
    see_through_walls: ForEach[bool | Choice[bool | None] | None]
    """Whether the agent sees through walls; None: as the level has it (None or bool; default None)."""
    obs: ForEach[Literal["image", "full", "onehot", "rgb_partial", "rgb", "flat", "symbolic"]]
    """The form of the picture, as minigrid's wrappers make it ("image", "full", "onehot", "rgb_partial", "rgb", "flat" or "symbolic"; default 'image')."""
    obs_tile_size: ForEach[int]
    """Pixels on each side of a cell in observations (an integer from 1 to 64; default 8)."""
    image_only: ForEach[bool]
    """Whether the picture is all that is observed, without a dict (bool; default False)."""
    mission: ForEach[Literal["text", "bytes", "tokens", "none"]]
    """The form of the mission ("text", "bytes", "tokens" or "none"; default 'text')."""
    highlight: ForEach[bool | Choice[bool]]
    """Whether pictures of the whole world show what the agent sees (bool; default True)."""
    max_steps: ForEach[int | Integers | Choice[int | None] | None]
    """Steps of an episode, which rewards depend on; None: as the level has it (an integer from 1 to 4294967295 or None; default None)."""
    action_prob: ForEach[float | Uniform | Choice[float | None] | None]
    """Probability that an action is played as it is (a probability, from 0 to 1 or None; default None)."""
    random_action: ForEach[int | Integers | Choice[int | None] | None]
    """What is played otherwise; None: any action (an integer from 0 to 6 or None; default None)."""
    no_death: ForEach[list[str] | tuple[str, ...] | Choice[list[str] | tuple[str, ...]]]
    """Kinds of cells that do not end an episode: "lava", "ball", ... (list of str; default [])."""
    death_cost: ForEach[float | Uniform | Choice[float]]
    """Reward for what would have ended the episode (float; default -1.0)."""
    seeds: ForEach[Sequence[int]]
    """Seeds of the episodes, over and over: a fixed set of worlds (list of int; default [])."""
    tile_size: ForEach[int]
    """Pixels on each side of a cell in pictures (an integer from 1 to 64; default 32)."""
    agent_pov: ForEach[bool]
    """Whether pictures show what the agent sees, not the whole world (bool; default False)."""

MiniGridMemoryS17RandomTask: TypeAlias = Literal[
    "MiniGrid-MemoryS17Random-v0",
    "MiniGrid-MemoryS13Random-v0",
    "MiniGrid-MemoryS13-v0",
    "MiniGrid-MemoryS11-v0",
    "MiniGrid-MemoryS9-v0",
    "MiniGrid-MemoryS7-v0",
]

class MiniGridMemoryS17RandomOptions(PoolOptions, total=False):
    """Options of MiniGrid-MemoryS17Random-v0, MiniGrid-MemoryS13Random-v0, MiniGrid-MemoryS13-v0 and 3 more."""

    env_name: ForEach[Literal["memory"]]
    """The class of levels, by EnvPool's name ("memory"; default 'memory')."""
    size: ForEach[int | Integers | Choice[int]]
    """Cells on each side, walls included (an integer from 7 to 200; default by task)."""
    random_length: ForEach[bool | Choice[bool]]
    """Whether the hallway's length is drawn (bool; default by task)."""
    agent_view_size: ForEach[int]
    """Cells on each side of the agent's view, odd (an integer from 3 to 31; default 7)."""
    see_through_walls: ForEach[bool | Choice[bool | None] | None]
    """Whether the agent sees through walls; None: as the level has it (None or bool; default None)."""
    obs: ForEach[Literal["image", "full", "onehot", "rgb_partial", "rgb", "flat", "symbolic"]]
    """The form of the picture, as minigrid's wrappers make it ("image", "full", "onehot", "rgb_partial", "rgb", "flat" or "symbolic"; default 'image')."""
    obs_tile_size: ForEach[int]
    """Pixels on each side of a cell in observations (an integer from 1 to 64; default 8)."""
    image_only: ForEach[bool]
    """Whether the picture is all that is observed, without a dict (bool; default False)."""
    mission: ForEach[Literal["text", "bytes", "tokens", "none"]]
    """The form of the mission ("text", "bytes", "tokens" or "none"; default 'text')."""
    highlight: ForEach[bool | Choice[bool]]
    """Whether pictures of the whole world show what the agent sees (bool; default True)."""
    max_steps: ForEach[int | Integers | Choice[int | None] | None]
    """Steps of an episode, which rewards depend on; None: as the level has it (an integer from 1 to 4294967295 or None; default None)."""
    action_prob: ForEach[float | Uniform | Choice[float | None] | None]
    """Probability that an action is played as it is (a probability, from 0 to 1 or None; default None)."""
    random_action: ForEach[int | Integers | Choice[int | None] | None]
    """What is played otherwise; None: any action (an integer from 0 to 6 or None; default None)."""
    no_death: ForEach[list[str] | tuple[str, ...] | Choice[list[str] | tuple[str, ...]]]
    """Kinds of cells that do not end an episode: "lava", "ball", ... (list of str; default [])."""
    death_cost: ForEach[float | Uniform | Choice[float]]
    """Reward for what would have ended the episode (float; default -1.0)."""
    seeds: ForEach[Sequence[int]]
    """Seeds of the episodes, over and over: a fixed set of worlds (list of int; default [])."""
    tile_size: ForEach[int]
    """Pixels on each side of a cell in pictures (an integer from 1 to 64; default 32)."""
    agent_pov: ForEach[bool]
    """Whether pictures show what the agent sees, not the whole world (bool; default False)."""

MiniGridMultiRoomN2S4Task: TypeAlias = Literal[
    "MiniGrid-MultiRoom-N2-S4-v0",
    "MiniGrid-MultiRoom-N4-S5-v0",
    "MiniGrid-MultiRoom-N4-S5-v1",
    "MiniGrid-MultiRoom-N6-v0",
]

class MiniGridMultiRoomN2S4Options(PoolOptions, total=False):
    """Options of MiniGrid-MultiRoom-N2-S4-v0, MiniGrid-MultiRoom-N4-S5-v0, MiniGrid-MultiRoom-N4-S5-v1 and 1 more."""

    env_name: ForEach[Literal["multi_room"]]
    """The class of levels, by EnvPool's name ("multi_room"; default 'multi_room')."""
    minNumRooms: ForEach[int | Integers | Choice[int]]
    """Fewest rooms (an integer from 1 to 20; default by task)."""
    min_num_rooms: ForEach[int | Integers | Choice[int | None] | None]
    """EnvPool's name for the option before it; None: as that says (an integer from 1 to 20 or None; default None)."""
    maxNumRooms: ForEach[int | Integers | Choice[int]]
    """Most rooms (an integer from 1 to 20; default by task)."""
    max_num_rooms: ForEach[int | Integers | Choice[int | None] | None]
    """EnvPool's name for the option before it; None: as that says (an integer from 1 to 20 or None; default None)."""
    maxRoomSize: ForEach[int | Integers | Choice[int]]
    """Most cells on each side of a room, walls included (an integer from 4 to 50; default by task)."""
    max_room_size: ForEach[int | Integers | Choice[int | None] | None]
    """EnvPool's name for the option before it; None: as that says (an integer from 4 to 50 or None; default None)."""
    width: ForEach[int | Integers | Choice[int]]
    """Columns of the world (an integer from 5 to 200; default 25)."""
    height: ForEach[int | Integers | Choice[int]]
    """Rows of the world (an integer from 5 to 200; default 25)."""
    agent_view_size: ForEach[int]
    """Cells on each side of the agent's view, odd (an integer from 3 to 31; default 7)."""
    see_through_walls: ForEach[bool | Choice[bool | None] | None]
    """Whether the agent sees through walls; None: as the level has it (None or bool; default None)."""
    obs: ForEach[Literal["image", "full", "onehot", "rgb_partial", "rgb", "flat", "symbolic"]]
    """The form of the picture, as minigrid's wrappers make it ("image", "full", "onehot", "rgb_partial", "rgb", "flat" or "symbolic"; default 'image')."""
    obs_tile_size: ForEach[int]
    """Pixels on each side of a cell in observations (an integer from 1 to 64; default 8)."""
    image_only: ForEach[bool]
    """Whether the picture is all that is observed, without a dict (bool; default False)."""
    mission: ForEach[Literal["text", "bytes", "tokens", "none"]]
    """The form of the mission ("text", "bytes", "tokens" or "none"; default 'text')."""
    highlight: ForEach[bool | Choice[bool]]
    """Whether pictures of the whole world show what the agent sees (bool; default True)."""
    max_steps: ForEach[int | Integers | Choice[int | None] | None]
    """Steps of an episode, which rewards depend on; None: as the level has it (an integer from 1 to 4294967295 or None; default None)."""
    action_prob: ForEach[float | Uniform | Choice[float | None] | None]
    """Probability that an action is played as it is (a probability, from 0 to 1 or None; default None)."""
    random_action: ForEach[int | Integers | Choice[int | None] | None]
    """What is played otherwise; None: any action (an integer from 0 to 6 or None; default None)."""
    no_death: ForEach[list[str] | tuple[str, ...] | Choice[list[str] | tuple[str, ...]]]
    """Kinds of cells that do not end an episode: "lava", "ball", ... (list of str; default [])."""
    death_cost: ForEach[float | Uniform | Choice[float]]
    """Reward for what would have ended the episode (float; default -1.0)."""
    seeds: ForEach[Sequence[int]]
    """Seeds of the episodes, over and over: a fixed set of worlds (list of int; default [])."""
    tile_size: ForEach[int]
    """Pixels on each side of a cell in pictures (an integer from 1 to 64; default 32)."""
    agent_pov: ForEach[bool]
    """Whether pictures show what the agent sees, not the whole world (bool; default False)."""

MiniGridObstructedMaze1DlTask: TypeAlias = Literal[
    "MiniGrid-ObstructedMaze-1Dl-v0", "MiniGrid-ObstructedMaze-1Dlh-v0", "MiniGrid-ObstructedMaze-1Dlhb-v0"
]

class MiniGridObstructedMaze1DlOptions(PoolOptions, total=False):
    """Options of MiniGrid-ObstructedMaze-1Dl-v0, MiniGrid-ObstructedMaze-1Dlh-v0, MiniGrid-ObstructedMaze-1Dlhb-v0."""

    env_name: ForEach[Literal["obstructed_maze_1dlhb"]]
    """The class of levels, by EnvPool's name ("obstructed_maze_1dlhb"; default 'obstructed_maze_1dlhb')."""
    key_in_box: ForEach[bool | Choice[bool]]
    """Whether keys lie in boxes (bool; default by task)."""
    blocked: ForEach[bool | Choice[bool]]
    """Whether balls lie before locked doors (bool; default by task)."""
    agent_view_size: ForEach[int]
    """Cells on each side of the agent's view, odd (an integer from 3 to 31; default 7)."""
    see_through_walls: ForEach[bool | Choice[bool | None] | None]
    """Whether the agent sees through walls; None: as the level has it (None or bool; default None)."""
    obs: ForEach[Literal["image", "full", "onehot", "rgb_partial", "rgb", "flat", "symbolic"]]
    """The form of the picture, as minigrid's wrappers make it ("image", "full", "onehot", "rgb_partial", "rgb", "flat" or "symbolic"; default 'image')."""
    obs_tile_size: ForEach[int]
    """Pixels on each side of a cell in observations (an integer from 1 to 64; default 8)."""
    image_only: ForEach[bool]
    """Whether the picture is all that is observed, without a dict (bool; default False)."""
    mission: ForEach[Literal["text", "bytes", "tokens", "none"]]
    """The form of the mission ("text", "bytes", "tokens" or "none"; default 'text')."""
    highlight: ForEach[bool | Choice[bool]]
    """Whether pictures of the whole world show what the agent sees (bool; default True)."""
    max_steps: ForEach[int | Integers | Choice[int | None] | None]
    """Steps of an episode, which rewards depend on; None: as the level has it (an integer from 1 to 4294967295 or None; default None)."""
    action_prob: ForEach[float | Uniform | Choice[float | None] | None]
    """Probability that an action is played as it is (a probability, from 0 to 1 or None; default None)."""
    random_action: ForEach[int | Integers | Choice[int | None] | None]
    """What is played otherwise; None: any action (an integer from 0 to 6 or None; default None)."""
    no_death: ForEach[list[str] | tuple[str, ...] | Choice[list[str] | tuple[str, ...]]]
    """Kinds of cells that do not end an episode: "lava", "ball", ... (list of str; default [])."""
    death_cost: ForEach[float | Uniform | Choice[float]]
    """Reward for what would have ended the episode (float; default -1.0)."""
    seeds: ForEach[Sequence[int]]
    """Seeds of the episodes, over and over: a fixed set of worlds (list of int; default [])."""
    tile_size: ForEach[int]
    """Pixels on each side of a cell in pictures (an integer from 1 to 64; default 32)."""
    agent_pov: ForEach[bool]
    """Whether pictures show what the agent sees, not the whole world (bool; default False)."""

MiniGridObstructedMaze2DlTask: TypeAlias = Literal[
    "MiniGrid-ObstructedMaze-2Dl-v0",
    "MiniGrid-ObstructedMaze-2Dlh-v0",
    "MiniGrid-ObstructedMaze-2Dlhb-v0",
    "MiniGrid-ObstructedMaze-1Q-v0",
    "MiniGrid-ObstructedMaze-2Q-v0",
    "MiniGrid-ObstructedMaze-Full-v0",
]

class MiniGridObstructedMaze2DlOptions(PoolOptions, total=False):
    """Options of MiniGrid-ObstructedMaze-2Dl-v0, MiniGrid-ObstructedMaze-2Dlh-v0, MiniGrid-ObstructedMaze-2Dlhb-v0 and 3 more."""

    env_name: ForEach[Literal["obstructed_maze_full"]]
    """The class of levels, by EnvPool's name ("obstructed_maze_full"; default 'obstructed_maze_full')."""
    agent_room: ForEach[Sequence[int] | Choice[Sequence[int]]]
    """Column and row of the room where the agent starts (list of int; default by task)."""
    key_in_box: ForEach[bool | Choice[bool]]
    """Whether keys lie in boxes (bool; default by task)."""
    blocked: ForEach[bool | Choice[bool]]
    """Whether balls lie before locked doors (bool; default by task)."""
    num_quarters: ForEach[int | Integers | Choice[int]]
    """Quarters of the maze that are open (an integer from 1 to 4; default by task)."""
    num_rooms_visited: ForEach[int | Integers | Choice[int]]
    """Rooms that the time limit is reckoned by (an integer from 1 to 1000; default by task)."""
    agent_view_size: ForEach[int]
    """Cells on each side of the agent's view, odd (an integer from 3 to 31; default 7)."""
    see_through_walls: ForEach[bool | Choice[bool | None] | None]
    """Whether the agent sees through walls; None: as the level has it (None or bool; default None)."""
    obs: ForEach[Literal["image", "full", "onehot", "rgb_partial", "rgb", "flat", "symbolic"]]
    """The form of the picture, as minigrid's wrappers make it ("image", "full", "onehot", "rgb_partial", "rgb", "flat" or "symbolic"; default 'image')."""
    obs_tile_size: ForEach[int]
    """Pixels on each side of a cell in observations (an integer from 1 to 64; default 8)."""
    image_only: ForEach[bool]
    """Whether the picture is all that is observed, without a dict (bool; default False)."""
    mission: ForEach[Literal["text", "bytes", "tokens", "none"]]
    """The form of the mission ("text", "bytes", "tokens" or "none"; default 'text')."""
    highlight: ForEach[bool | Choice[bool]]
    """Whether pictures of the whole world show what the agent sees (bool; default True)."""
    max_steps: ForEach[int | Integers | Choice[int | None] | None]
    """Steps of an episode, which rewards depend on; None: as the level has it (an integer from 1 to 4294967295 or None; default None)."""
    action_prob: ForEach[float | Uniform | Choice[float | None] | None]
    """Probability that an action is played as it is (a probability, from 0 to 1 or None; default None)."""
    random_action: ForEach[int | Integers | Choice[int | None] | None]
    """What is played otherwise; None: any action (an integer from 0 to 6 or None; default None)."""
    no_death: ForEach[list[str] | tuple[str, ...] | Choice[list[str] | tuple[str, ...]]]
    """Kinds of cells that do not end an episode: "lava", "ball", ... (list of str; default [])."""
    death_cost: ForEach[float | Uniform | Choice[float]]
    """Reward for what would have ended the episode (float; default -1.0)."""
    seeds: ForEach[Sequence[int]]
    """Seeds of the episodes, over and over: a fixed set of worlds (list of int; default [])."""
    tile_size: ForEach[int]
    """Pixels on each side of a cell in pictures (an integer from 1 to 64; default 32)."""
    agent_pov: ForEach[bool]
    """Whether pictures show what the agent sees, not the whole world (bool; default False)."""

MiniGridObstructedMaze2DlhbTask: TypeAlias = Literal[
    "MiniGrid-ObstructedMaze-2Dlhb-v1",
    "MiniGrid-ObstructedMaze-1Q-v1",
    "MiniGrid-ObstructedMaze-2Q-v1",
    "MiniGrid-ObstructedMaze-Full-v1",
]

class MiniGridObstructedMaze2DlhbOptions(PoolOptions, total=False):
    """Options of MiniGrid-ObstructedMaze-2Dlhb-v1, MiniGrid-ObstructedMaze-1Q-v1, MiniGrid-ObstructedMaze-2Q-v1 and 1 more."""

    env_name: ForEach[Literal["obstructed_maze_full_v1"]]
    """The class of levels, by EnvPool's name ("obstructed_maze_full_v1"; default 'obstructed_maze_full_v1')."""
    agent_room: ForEach[Sequence[int] | Choice[Sequence[int]]]
    """Column and row of the room where the agent starts (list of int; default by task)."""
    key_in_box: ForEach[bool | Choice[bool]]
    """Whether keys lie in boxes (bool; default True)."""
    blocked: ForEach[bool | Choice[bool]]
    """Whether balls lie before locked doors (bool; default True)."""
    num_quarters: ForEach[int | Integers | Choice[int]]
    """Quarters of the maze that are open (an integer from 1 to 4; default by task)."""
    num_rooms_visited: ForEach[int | Integers | Choice[int]]
    """Rooms that the time limit is reckoned by (an integer from 1 to 1000; default by task)."""
    agent_view_size: ForEach[int]
    """Cells on each side of the agent's view, odd (an integer from 3 to 31; default 7)."""
    see_through_walls: ForEach[bool | Choice[bool | None] | None]
    """Whether the agent sees through walls; None: as the level has it (None or bool; default None)."""
    obs: ForEach[Literal["image", "full", "onehot", "rgb_partial", "rgb", "flat", "symbolic"]]
    """The form of the picture, as minigrid's wrappers make it ("image", "full", "onehot", "rgb_partial", "rgb", "flat" or "symbolic"; default 'image')."""
    obs_tile_size: ForEach[int]
    """Pixels on each side of a cell in observations (an integer from 1 to 64; default 8)."""
    image_only: ForEach[bool]
    """Whether the picture is all that is observed, without a dict (bool; default False)."""
    mission: ForEach[Literal["text", "bytes", "tokens", "none"]]
    """The form of the mission ("text", "bytes", "tokens" or "none"; default 'text')."""
    highlight: ForEach[bool | Choice[bool]]
    """Whether pictures of the whole world show what the agent sees (bool; default True)."""
    max_steps: ForEach[int | Integers | Choice[int | None] | None]
    """Steps of an episode, which rewards depend on; None: as the level has it (an integer from 1 to 4294967295 or None; default None)."""
    action_prob: ForEach[float | Uniform | Choice[float | None] | None]
    """Probability that an action is played as it is (a probability, from 0 to 1 or None; default None)."""
    random_action: ForEach[int | Integers | Choice[int | None] | None]
    """What is played otherwise; None: any action (an integer from 0 to 6 or None; default None)."""
    no_death: ForEach[list[str] | tuple[str, ...] | Choice[list[str] | tuple[str, ...]]]
    """Kinds of cells that do not end an episode: "lava", "ball", ... (list of str; default [])."""
    death_cost: ForEach[float | Uniform | Choice[float]]
    """Reward for what would have ended the episode (float; default -1.0)."""
    seeds: ForEach[Sequence[int]]
    """Seeds of the episodes, over and over: a fixed set of worlds (list of int; default [])."""
    tile_size: ForEach[int]
    """Pixels on each side of a cell in pictures (an integer from 1 to 64; default 32)."""
    agent_pov: ForEach[bool]
    """Whether pictures show what the agent sees, not the whole world (bool; default False)."""

MiniGridPlaygroundTask: TypeAlias = Literal["MiniGrid-Playground-v0"]

class MiniGridPlaygroundOptions(PoolOptions, total=False):
    """Options of MiniGrid-Playground-v0."""

    env_name: ForEach[Literal["playground"]]
    """The class of levels, by EnvPool's name ("playground"; default 'playground')."""
    agent_view_size: ForEach[int]
    """Cells on each side of the agent's view, odd (an integer from 3 to 31; default 7)."""
    see_through_walls: ForEach[bool | Choice[bool | None] | None]
    """Whether the agent sees through walls; None: as the level has it (None or bool; default None)."""
    obs: ForEach[Literal["image", "full", "onehot", "rgb_partial", "rgb", "flat", "symbolic"]]
    """The form of the picture, as minigrid's wrappers make it ("image", "full", "onehot", "rgb_partial", "rgb", "flat" or "symbolic"; default 'image')."""
    obs_tile_size: ForEach[int]
    """Pixels on each side of a cell in observations (an integer from 1 to 64; default 8)."""
    image_only: ForEach[bool]
    """Whether the picture is all that is observed, without a dict (bool; default False)."""
    mission: ForEach[Literal["text", "bytes", "tokens", "none"]]
    """The form of the mission ("text", "bytes", "tokens" or "none"; default 'text')."""
    highlight: ForEach[bool | Choice[bool]]
    """Whether pictures of the whole world show what the agent sees (bool; default True)."""
    max_steps: ForEach[int | Integers | Choice[int | None] | None]
    """Steps of an episode, which rewards depend on; None: as the level has it (an integer from 1 to 4294967295 or None; default None)."""
    action_prob: ForEach[float | Uniform | Choice[float | None] | None]
    """Probability that an action is played as it is (a probability, from 0 to 1 or None; default None)."""
    random_action: ForEach[int | Integers | Choice[int | None] | None]
    """What is played otherwise; None: any action (an integer from 0 to 6 or None; default None)."""
    no_death: ForEach[list[str] | tuple[str, ...] | Choice[list[str] | tuple[str, ...]]]
    """Kinds of cells that do not end an episode: "lava", "ball", ... (list of str; default [])."""
    death_cost: ForEach[float | Uniform | Choice[float]]
    """Reward for what would have ended the episode (float; default -1.0)."""
    seeds: ForEach[Sequence[int]]
    """Seeds of the episodes, over and over: a fixed set of worlds (list of int; default [])."""
    tile_size: ForEach[int]
    """Pixels on each side of a cell in pictures (an integer from 1 to 64; default 32)."""
    agent_pov: ForEach[bool]
    """Whether pictures show what the agent sees, not the whole world (bool; default False)."""

MiniGridPutNear6x6N2Task: TypeAlias = Literal["MiniGrid-PutNear-6x6-N2-v0", "MiniGrid-PutNear-8x8-N3-v0"]

class MiniGridPutNear6x6N2Options(PoolOptions, total=False):
    """Options of MiniGrid-PutNear-6x6-N2-v0, MiniGrid-PutNear-8x8-N3-v0."""

    env_name: ForEach[Literal["put_near"]]
    """The class of levels, by EnvPool's name ("put_near"; default 'put_near')."""
    size: ForEach[int | Integers | Choice[int]]
    """Cells on each side, walls included (an integer from 5 to 200; default by task)."""
    numObjs: ForEach[int | Integers | Choice[int]]
    """Keys, balls and boxes (an integer from 2 to 18; default by task)."""
    num_objs: ForEach[int | Integers | Choice[int | None] | None]
    """EnvPool's name for the option before it; None: as that says (an integer from 2 to 18 or None; default None)."""
    agent_view_size: ForEach[int]
    """Cells on each side of the agent's view, odd (an integer from 3 to 31; default 7)."""
    see_through_walls: ForEach[bool | Choice[bool | None] | None]
    """Whether the agent sees through walls; None: as the level has it (None or bool; default None)."""
    obs: ForEach[Literal["image", "full", "onehot", "rgb_partial", "rgb", "flat", "symbolic"]]
    """The form of the picture, as minigrid's wrappers make it ("image", "full", "onehot", "rgb_partial", "rgb", "flat" or "symbolic"; default 'image')."""
    obs_tile_size: ForEach[int]
    """Pixels on each side of a cell in observations (an integer from 1 to 64; default 8)."""
    image_only: ForEach[bool]
    """Whether the picture is all that is observed, without a dict (bool; default False)."""
    mission: ForEach[Literal["text", "bytes", "tokens", "none"]]
    """The form of the mission ("text", "bytes", "tokens" or "none"; default 'text')."""
    highlight: ForEach[bool | Choice[bool]]
    """Whether pictures of the whole world show what the agent sees (bool; default True)."""
    max_steps: ForEach[int | Integers | Choice[int | None] | None]
    """Steps of an episode, which rewards depend on; None: as the level has it (an integer from 1 to 4294967295 or None; default None)."""
    action_prob: ForEach[float | Uniform | Choice[float | None] | None]
    """Probability that an action is played as it is (a probability, from 0 to 1 or None; default None)."""
    random_action: ForEach[int | Integers | Choice[int | None] | None]
    """What is played otherwise; None: any action (an integer from 0 to 6 or None; default None)."""
    no_death: ForEach[list[str] | tuple[str, ...] | Choice[list[str] | tuple[str, ...]]]
    """Kinds of cells that do not end an episode: "lava", "ball", ... (list of str; default [])."""
    death_cost: ForEach[float | Uniform | Choice[float]]
    """Reward for what would have ended the episode (float; default -1.0)."""
    seeds: ForEach[Sequence[int]]
    """Seeds of the episodes, over and over: a fixed set of worlds (list of int; default [])."""
    tile_size: ForEach[int]
    """Pixels on each side of a cell in pictures (an integer from 1 to 64; default 32)."""
    agent_pov: ForEach[bool]
    """Whether pictures show what the agent sees, not the whole world (bool; default False)."""

MiniGridRedBlueDoors6x6Task: TypeAlias = Literal["MiniGrid-RedBlueDoors-6x6-v0", "MiniGrid-RedBlueDoors-8x8-v0"]

class MiniGridRedBlueDoors6x6Options(PoolOptions, total=False):
    """Options of MiniGrid-RedBlueDoors-6x6-v0, MiniGrid-RedBlueDoors-8x8-v0."""

    env_name: ForEach[Literal["red_blue_door"]]
    """The class of levels, by EnvPool's name ("red_blue_door"; default 'red_blue_door')."""
    size: ForEach[int | Integers | Choice[int]]
    """Cells on each side, walls included (an integer from 4 to 200; default by task)."""
    agent_view_size: ForEach[int]
    """Cells on each side of the agent's view, odd (an integer from 3 to 31; default 7)."""
    see_through_walls: ForEach[bool | Choice[bool | None] | None]
    """Whether the agent sees through walls; None: as the level has it (None or bool; default None)."""
    obs: ForEach[Literal["image", "full", "onehot", "rgb_partial", "rgb", "flat", "symbolic"]]
    """The form of the picture, as minigrid's wrappers make it ("image", "full", "onehot", "rgb_partial", "rgb", "flat" or "symbolic"; default 'image')."""
    obs_tile_size: ForEach[int]
    """Pixels on each side of a cell in observations (an integer from 1 to 64; default 8)."""
    image_only: ForEach[bool]
    """Whether the picture is all that is observed, without a dict (bool; default False)."""
    mission: ForEach[Literal["text", "bytes", "tokens", "none"]]
    """The form of the mission ("text", "bytes", "tokens" or "none"; default 'text')."""
    highlight: ForEach[bool | Choice[bool]]
    """Whether pictures of the whole world show what the agent sees (bool; default True)."""
    max_steps: ForEach[int | Integers | Choice[int | None] | None]
    """Steps of an episode, which rewards depend on; None: as the level has it (an integer from 1 to 4294967295 or None; default None)."""
    action_prob: ForEach[float | Uniform | Choice[float | None] | None]
    """Probability that an action is played as it is (a probability, from 0 to 1 or None; default None)."""
    random_action: ForEach[int | Integers | Choice[int | None] | None]
    """What is played otherwise; None: any action (an integer from 0 to 6 or None; default None)."""
    no_death: ForEach[list[str] | tuple[str, ...] | Choice[list[str] | tuple[str, ...]]]
    """Kinds of cells that do not end an episode: "lava", "ball", ... (list of str; default [])."""
    death_cost: ForEach[float | Uniform | Choice[float]]
    """Reward for what would have ended the episode (float; default -1.0)."""
    seeds: ForEach[Sequence[int]]
    """Seeds of the episodes, over and over: a fixed set of worlds (list of int; default [])."""
    tile_size: ForEach[int]
    """Pixels on each side of a cell in pictures (an integer from 1 to 64; default 32)."""
    agent_pov: ForEach[bool]
    """Whether pictures show what the agent sees, not the whole world (bool; default False)."""

MiniGridUnlockTask: TypeAlias = Literal["MiniGrid-Unlock-v0"]

class MiniGridUnlockOptions(PoolOptions, total=False):
    """Options of MiniGrid-Unlock-v0."""

    env_name: ForEach[Literal["unlock"]]
    """The class of levels, by EnvPool's name ("unlock"; default 'unlock')."""
    agent_view_size: ForEach[int]
    """Cells on each side of the agent's view, odd (an integer from 3 to 31; default 7)."""
    see_through_walls: ForEach[bool | Choice[bool | None] | None]
    """Whether the agent sees through walls; None: as the level has it (None or bool; default None)."""
    obs: ForEach[Literal["image", "full", "onehot", "rgb_partial", "rgb", "flat", "symbolic"]]
    """The form of the picture, as minigrid's wrappers make it ("image", "full", "onehot", "rgb_partial", "rgb", "flat" or "symbolic"; default 'image')."""
    obs_tile_size: ForEach[int]
    """Pixels on each side of a cell in observations (an integer from 1 to 64; default 8)."""
    image_only: ForEach[bool]
    """Whether the picture is all that is observed, without a dict (bool; default False)."""
    mission: ForEach[Literal["text", "bytes", "tokens", "none"]]
    """The form of the mission ("text", "bytes", "tokens" or "none"; default 'text')."""
    highlight: ForEach[bool | Choice[bool]]
    """Whether pictures of the whole world show what the agent sees (bool; default True)."""
    max_steps: ForEach[int | Integers | Choice[int | None] | None]
    """Steps of an episode, which rewards depend on; None: as the level has it (an integer from 1 to 4294967295 or None; default None)."""
    action_prob: ForEach[float | Uniform | Choice[float | None] | None]
    """Probability that an action is played as it is (a probability, from 0 to 1 or None; default None)."""
    random_action: ForEach[int | Integers | Choice[int | None] | None]
    """What is played otherwise; None: any action (an integer from 0 to 6 or None; default None)."""
    no_death: ForEach[list[str] | tuple[str, ...] | Choice[list[str] | tuple[str, ...]]]
    """Kinds of cells that do not end an episode: "lava", "ball", ... (list of str; default [])."""
    death_cost: ForEach[float | Uniform | Choice[float]]
    """Reward for what would have ended the episode (float; default -1.0)."""
    seeds: ForEach[Sequence[int]]
    """Seeds of the episodes, over and over: a fixed set of worlds (list of int; default [])."""
    tile_size: ForEach[int]
    """Pixels on each side of a cell in pictures (an integer from 1 to 64; default 32)."""
    agent_pov: ForEach[bool]
    """Whether pictures show what the agent sees, not the whole world (bool; default False)."""

MiniGridUnlockPickupTask: TypeAlias = Literal["MiniGrid-UnlockPickup-v0"]

class MiniGridUnlockPickupOptions(PoolOptions, total=False):
    """Options of MiniGrid-UnlockPickup-v0."""

    env_name: ForEach[Literal["unlock_pickup"]]
    """The class of levels, by EnvPool's name ("unlock_pickup"; default 'unlock_pickup')."""
    agent_view_size: ForEach[int]
    """Cells on each side of the agent's view, odd (an integer from 3 to 31; default 7)."""
    see_through_walls: ForEach[bool | Choice[bool | None] | None]
    """Whether the agent sees through walls; None: as the level has it (None or bool; default None)."""
    obs: ForEach[Literal["image", "full", "onehot", "rgb_partial", "rgb", "flat", "symbolic"]]
    """The form of the picture, as minigrid's wrappers make it ("image", "full", "onehot", "rgb_partial", "rgb", "flat" or "symbolic"; default 'image')."""
    obs_tile_size: ForEach[int]
    """Pixels on each side of a cell in observations (an integer from 1 to 64; default 8)."""
    image_only: ForEach[bool]
    """Whether the picture is all that is observed, without a dict (bool; default False)."""
    mission: ForEach[Literal["text", "bytes", "tokens", "none"]]
    """The form of the mission ("text", "bytes", "tokens" or "none"; default 'text')."""
    highlight: ForEach[bool | Choice[bool]]
    """Whether pictures of the whole world show what the agent sees (bool; default True)."""
    max_steps: ForEach[int | Integers | Choice[int | None] | None]
    """Steps of an episode, which rewards depend on; None: as the level has it (an integer from 1 to 4294967295 or None; default None)."""
    action_prob: ForEach[float | Uniform | Choice[float | None] | None]
    """Probability that an action is played as it is (a probability, from 0 to 1 or None; default None)."""
    random_action: ForEach[int | Integers | Choice[int | None] | None]
    """What is played otherwise; None: any action (an integer from 0 to 6 or None; default None)."""
    no_death: ForEach[list[str] | tuple[str, ...] | Choice[list[str] | tuple[str, ...]]]
    """Kinds of cells that do not end an episode: "lava", "ball", ... (list of str; default [])."""
    death_cost: ForEach[float | Uniform | Choice[float]]
    """Reward for what would have ended the episode (float; default -1.0)."""
    seeds: ForEach[Sequence[int]]
    """Seeds of the episodes, over and over: a fixed set of worlds (list of int; default [])."""
    tile_size: ForEach[int]
    """Pixels on each side of a cell in pictures (an integer from 1 to 64; default 32)."""
    agent_pov: ForEach[bool]
    """Whether pictures show what the agent sees, not the whole world (bool; default False)."""

MiniGridBlockedUnlockPickupTask: TypeAlias = Literal["MiniGrid-BlockedUnlockPickup-v0"]

class MiniGridBlockedUnlockPickupOptions(PoolOptions, total=False):
    """Options of MiniGrid-BlockedUnlockPickup-v0."""

    env_name: ForEach[Literal["blocked_unlock_pickup"]]
    """The class of levels, by EnvPool's name ("blocked_unlock_pickup"; default 'blocked_unlock_pickup')."""
    agent_view_size: ForEach[int]
    """Cells on each side of the agent's view, odd (an integer from 3 to 31; default 7)."""
    see_through_walls: ForEach[bool | Choice[bool | None] | None]
    """Whether the agent sees through walls; None: as the level has it (None or bool; default None)."""
    obs: ForEach[Literal["image", "full", "onehot", "rgb_partial", "rgb", "flat", "symbolic"]]
    """The form of the picture, as minigrid's wrappers make it ("image", "full", "onehot", "rgb_partial", "rgb", "flat" or "symbolic"; default 'image')."""
    obs_tile_size: ForEach[int]
    """Pixels on each side of a cell in observations (an integer from 1 to 64; default 8)."""
    image_only: ForEach[bool]
    """Whether the picture is all that is observed, without a dict (bool; default False)."""
    mission: ForEach[Literal["text", "bytes", "tokens", "none"]]
    """The form of the mission ("text", "bytes", "tokens" or "none"; default 'text')."""
    highlight: ForEach[bool | Choice[bool]]
    """Whether pictures of the whole world show what the agent sees (bool; default True)."""
    max_steps: ForEach[int | Integers | Choice[int | None] | None]
    """Steps of an episode, which rewards depend on; None: as the level has it (an integer from 1 to 4294967295 or None; default None)."""
    action_prob: ForEach[float | Uniform | Choice[float | None] | None]
    """Probability that an action is played as it is (a probability, from 0 to 1 or None; default None)."""
    random_action: ForEach[int | Integers | Choice[int | None] | None]
    """What is played otherwise; None: any action (an integer from 0 to 6 or None; default None)."""
    no_death: ForEach[list[str] | tuple[str, ...] | Choice[list[str] | tuple[str, ...]]]
    """Kinds of cells that do not end an episode: "lava", "ball", ... (list of str; default [])."""
    death_cost: ForEach[float | Uniform | Choice[float]]
    """Reward for what would have ended the episode (float; default -1.0)."""
    seeds: ForEach[Sequence[int]]
    """Seeds of the episodes, over and over: a fixed set of worlds (list of int; default [])."""
    tile_size: ForEach[int]
    """Pixels on each side of a cell in pictures (an integer from 1 to 64; default 32)."""
    agent_pov: ForEach[bool]
    """Whether pictures show what the agent sees, not the whole world (bool; default False)."""

MiniGridWFCMazeSimpleTask: TypeAlias = Literal[
    "MiniGrid-WFC-MazeSimple-v0",
    "MiniGrid-WFC-DungeonMazeScaled-v0",
    "MiniGrid-WFC-RoomsFabric-v0",
    "MiniGrid-WFC-ObstaclesBlackdots-v0",
    "MiniGrid-WFC-ObstaclesAngular-v0",
    "MiniGrid-WFC-ObstaclesHogs3-v0",
]

class MiniGridWFCMazeSimpleOptions(PoolOptions, total=False):
    """Options of MiniGrid-WFC-MazeSimple-v0, MiniGrid-WFC-DungeonMazeScaled-v0, MiniGrid-WFC-RoomsFabric-v0 and 3 more."""

    env_name: ForEach[Literal["wfc"]]
    """The class of levels, by EnvPool's name ("wfc"; default 'wfc')."""
    wfc_config: ForEach[
        Literal[
            "MazeSimple", "DungeonMazeScaled", "RoomsFabric", "ObstaclesBlackdots", "ObstaclesAngular", "ObstaclesHogs3"
        ]
    ]
    """The sample picture, by the name of minigrid's preset ("MazeSimple", "DungeonMazeScaled", "RoomsFabric", "ObstaclesBlackdots", "ObstaclesAngular" or "ObstaclesHogs3"; default by task)."""
    wfc_preset: ForEach[
        Literal[
            "MazeSimple", "DungeonMazeScaled", "RoomsFabric", "ObstaclesBlackdots", "ObstaclesAngular", "ObstaclesHogs3"
        ]
        | None
    ]
    """EnvPool's name for the option before it; None: as that says ("MazeSimple", "DungeonMazeScaled", "RoomsFabric", "ObstaclesBlackdots", "ObstaclesAngular" or "ObstaclesHogs3" or None; default None)."""
    size: ForEach[int | Integers | Choice[int]]
    """Cells on each side, walls included (an integer from 3 to 200; default 25)."""
    ensure_connected: ForEach[bool | Choice[bool]]
    """Whether all but the largest connected part of the world becomes wall (bool; default True)."""
    agent_view_size: ForEach[int]
    """Cells on each side of the agent's view, odd (an integer from 3 to 31; default 7)."""
    see_through_walls: ForEach[bool | Choice[bool | None] | None]
    """Whether the agent sees through walls; None: as the level has it (None or bool; default None)."""
    obs: ForEach[Literal["image", "full", "onehot", "rgb_partial", "rgb", "flat", "symbolic"]]
    """The form of the picture, as minigrid's wrappers make it ("image", "full", "onehot", "rgb_partial", "rgb", "flat" or "symbolic"; default 'image')."""
    obs_tile_size: ForEach[int]
    """Pixels on each side of a cell in observations (an integer from 1 to 64; default 8)."""
    image_only: ForEach[bool]
    """Whether the picture is all that is observed, without a dict (bool; default False)."""
    mission: ForEach[Literal["text", "bytes", "tokens", "none"]]
    """The form of the mission ("text", "bytes", "tokens" or "none"; default 'text')."""
    highlight: ForEach[bool | Choice[bool]]
    """Whether pictures of the whole world show what the agent sees (bool; default True)."""
    max_steps: ForEach[int | Integers | Choice[int | None] | None]
    """Steps of an episode, which rewards depend on; None: as the level has it (an integer from 1 to 4294967295 or None; default None)."""
    action_prob: ForEach[float | Uniform | Choice[float | None] | None]
    """Probability that an action is played as it is (a probability, from 0 to 1 or None; default None)."""
    random_action: ForEach[int | Integers | Choice[int | None] | None]
    """What is played otherwise; None: any action (an integer from 0 to 6 or None; default None)."""
    no_death: ForEach[list[str] | tuple[str, ...] | Choice[list[str] | tuple[str, ...]]]
    """Kinds of cells that do not end an episode: "lava", "ball", ... (list of str; default [])."""
    death_cost: ForEach[float | Uniform | Choice[float]]
    """Reward for what would have ended the episode (float; default -1.0)."""
    seeds: ForEach[Sequence[int]]
    """Seeds of the episodes, over and over: a fixed set of worlds (list of int; default [])."""
    tile_size: ForEach[int]
    """Pixels on each side of a cell in pictures (an integer from 1 to 64; default 32)."""
    agent_pov: ForEach[bool]
    """Whether pictures show what the agent sees, not the whole world (bool; default False)."""

BabyAIGoToRedBallGreyTask: TypeAlias = Literal["BabyAI-GoToRedBallGrey-v0"]

class BabyAIGoToRedBallGreyOptions(PoolOptions, total=False):
    """Options of BabyAI-GoToRedBallGrey-v0."""

    env_name: ForEach[Literal["babyai_goto_red_ball_grey"]]
    """The class of levels, by EnvPool's name ("babyai_goto_red_ball_grey"; default 'babyai_goto_red_ball_grey')."""
    room_size: ForEach[int | Integers | Choice[int]]
    """Cells on each side of a room, walls included (an integer from 4 to 60; default 8)."""
    num_dists: ForEach[int | Integers | Choice[int]]
    """Objects to draw attention away (an integer from 0 to 100; default 7)."""
    agent_view_size: ForEach[int]
    """Cells on each side of the agent's view, odd (an integer from 3 to 31; default 7)."""
    see_through_walls: ForEach[bool | Choice[bool | None] | None]
    """Whether the agent sees through walls; None: as the level has it (None or bool; default None)."""
    obs: ForEach[Literal["image", "full", "onehot", "rgb_partial", "rgb", "flat", "symbolic"]]
    """The form of the picture, as minigrid's wrappers make it ("image", "full", "onehot", "rgb_partial", "rgb", "flat" or "symbolic"; default 'image')."""
    obs_tile_size: ForEach[int]
    """Pixels on each side of a cell in observations (an integer from 1 to 64; default 8)."""
    image_only: ForEach[bool]
    """Whether the picture is all that is observed, without a dict (bool; default False)."""
    mission: ForEach[Literal["text", "bytes", "tokens", "none"]]
    """The form of the mission ("text", "bytes", "tokens" or "none"; default 'text')."""
    highlight: ForEach[bool | Choice[bool]]
    """Whether pictures of the whole world show what the agent sees (bool; default True)."""
    max_steps: ForEach[int | Integers | Choice[int | None] | None]
    """Steps of an episode, which rewards depend on; None: as the level has it (an integer from 1 to 4294967295 or None; default None)."""
    action_prob: ForEach[float | Uniform | Choice[float | None] | None]
    """Probability that an action is played as it is (a probability, from 0 to 1 or None; default None)."""
    random_action: ForEach[int | Integers | Choice[int | None] | None]
    """What is played otherwise; None: any action (an integer from 0 to 6 or None; default None)."""
    no_death: ForEach[list[str] | tuple[str, ...] | Choice[list[str] | tuple[str, ...]]]
    """Kinds of cells that do not end an episode: "lava", "ball", ... (list of str; default [])."""
    death_cost: ForEach[float | Uniform | Choice[float]]
    """Reward for what would have ended the episode (float; default -1.0)."""
    seeds: ForEach[Sequence[int]]
    """Seeds of the episodes, over and over: a fixed set of worlds (list of int; default [])."""
    tile_size: ForEach[int]
    """Pixels on each side of a cell in pictures (an integer from 1 to 64; default 32)."""
    agent_pov: ForEach[bool]
    """Whether pictures show what the agent sees, not the whole world (bool; default False)."""

BabyAIGoToRedBallTask: TypeAlias = Literal["BabyAI-GoToRedBall-v0"]

class BabyAIGoToRedBallOptions(PoolOptions, total=False):
    """Options of BabyAI-GoToRedBall-v0."""

    env_name: ForEach[Literal["babyai_goto_red_ball"]]
    """The class of levels, by EnvPool's name ("babyai_goto_red_ball"; default 'babyai_goto_red_ball')."""
    room_size: ForEach[int | Integers | Choice[int]]
    """Cells on each side of a room, walls included (an integer from 4 to 60; default 8)."""
    num_dists: ForEach[int | Integers | Choice[int]]
    """Objects to draw attention away (an integer from 0 to 100; default 7)."""
    agent_view_size: ForEach[int]
    """Cells on each side of the agent's view, odd (an integer from 3 to 31; default 7)."""
    see_through_walls: ForEach[bool | Choice[bool | None] | None]
    """Whether the agent sees through walls; None: as the level has it (None or bool; default None)."""
    obs: ForEach[Literal["image", "full", "onehot", "rgb_partial", "rgb", "flat", "symbolic"]]
    """The form of the picture, as minigrid's wrappers make it ("image", "full", "onehot", "rgb_partial", "rgb", "flat" or "symbolic"; default 'image')."""
    obs_tile_size: ForEach[int]
    """Pixels on each side of a cell in observations (an integer from 1 to 64; default 8)."""
    image_only: ForEach[bool]
    """Whether the picture is all that is observed, without a dict (bool; default False)."""
    mission: ForEach[Literal["text", "bytes", "tokens", "none"]]
    """The form of the mission ("text", "bytes", "tokens" or "none"; default 'text')."""
    highlight: ForEach[bool | Choice[bool]]
    """Whether pictures of the whole world show what the agent sees (bool; default True)."""
    max_steps: ForEach[int | Integers | Choice[int | None] | None]
    """Steps of an episode, which rewards depend on; None: as the level has it (an integer from 1 to 4294967295 or None; default None)."""
    action_prob: ForEach[float | Uniform | Choice[float | None] | None]
    """Probability that an action is played as it is (a probability, from 0 to 1 or None; default None)."""
    random_action: ForEach[int | Integers | Choice[int | None] | None]
    """What is played otherwise; None: any action (an integer from 0 to 6 or None; default None)."""
    no_death: ForEach[list[str] | tuple[str, ...] | Choice[list[str] | tuple[str, ...]]]
    """Kinds of cells that do not end an episode: "lava", "ball", ... (list of str; default [])."""
    death_cost: ForEach[float | Uniform | Choice[float]]
    """Reward for what would have ended the episode (float; default -1.0)."""
    seeds: ForEach[Sequence[int]]
    """Seeds of the episodes, over and over: a fixed set of worlds (list of int; default [])."""
    tile_size: ForEach[int]
    """Pixels on each side of a cell in pictures (an integer from 1 to 64; default 32)."""
    agent_pov: ForEach[bool]
    """Whether pictures show what the agent sees, not the whole world (bool; default False)."""

BabyAIGoToObjTask: TypeAlias = Literal["BabyAI-GoToObj-v0", "BabyAI-GoToObjS4-v0", "BabyAI-GoToObjS6-v1"]

class BabyAIGoToObjOptions(PoolOptions, total=False):
    """Options of BabyAI-GoToObj-v0, BabyAI-GoToObjS4-v0, BabyAI-GoToObjS6-v1."""

    env_name: ForEach[Literal["babyai_goto_obj"]]
    """The class of levels, by EnvPool's name ("babyai_goto_obj"; default 'babyai_goto_obj')."""
    room_size: ForEach[int | Integers | Choice[int]]
    """Cells on each side of a room, walls included (an integer from 4 to 60; default by task)."""
    agent_view_size: ForEach[int]
    """Cells on each side of the agent's view, odd (an integer from 3 to 31; default 7)."""
    see_through_walls: ForEach[bool | Choice[bool | None] | None]
    """Whether the agent sees through walls; None: as the level has it (None or bool; default None)."""
    obs: ForEach[Literal["image", "full", "onehot", "rgb_partial", "rgb", "flat", "symbolic"]]
    """The form of the picture, as minigrid's wrappers make it ("image", "full", "onehot", "rgb_partial", "rgb", "flat" or "symbolic"; default 'image')."""
    obs_tile_size: ForEach[int]
    """Pixels on each side of a cell in observations (an integer from 1 to 64; default 8)."""
    image_only: ForEach[bool]
    """Whether the picture is all that is observed, without a dict (bool; default False)."""
    mission: ForEach[Literal["text", "bytes", "tokens", "none"]]
    """The form of the mission ("text", "bytes", "tokens" or "none"; default 'text')."""
    highlight: ForEach[bool | Choice[bool]]
    """Whether pictures of the whole world show what the agent sees (bool; default True)."""
    max_steps: ForEach[int | Integers | Choice[int | None] | None]
    """Steps of an episode, which rewards depend on; None: as the level has it (an integer from 1 to 4294967295 or None; default None)."""
    action_prob: ForEach[float | Uniform | Choice[float | None] | None]
    """Probability that an action is played as it is (a probability, from 0 to 1 or None; default None)."""
    random_action: ForEach[int | Integers | Choice[int | None] | None]
    """What is played otherwise; None: any action (an integer from 0 to 6 or None; default None)."""
    no_death: ForEach[list[str] | tuple[str, ...] | Choice[list[str] | tuple[str, ...]]]
    """Kinds of cells that do not end an episode: "lava", "ball", ... (list of str; default [])."""
    death_cost: ForEach[float | Uniform | Choice[float]]
    """Reward for what would have ended the episode (float; default -1.0)."""
    seeds: ForEach[Sequence[int]]
    """Seeds of the episodes, over and over: a fixed set of worlds (list of int; default [])."""
    tile_size: ForEach[int]
    """Pixels on each side of a cell in pictures (an integer from 1 to 64; default 32)."""
    agent_pov: ForEach[bool]
    """Whether pictures show what the agent sees, not the whole world (bool; default False)."""

BabyAIGoToLocalTask: TypeAlias = Literal[
    "BabyAI-GoToLocal-v0",
    "BabyAI-GoToLocalS5N2-v0",
    "BabyAI-GoToLocalS6N2-v0",
    "BabyAI-GoToLocalS6N3-v0",
    "BabyAI-GoToLocalS6N4-v0",
    "BabyAI-GoToLocalS7N4-v0",
    "BabyAI-GoToLocalS7N5-v0",
    "BabyAI-GoToLocalS8N2-v0",
    "BabyAI-GoToLocalS8N3-v0",
    "BabyAI-GoToLocalS8N4-v0",
    "BabyAI-GoToLocalS8N5-v0",
    "BabyAI-GoToLocalS8N6-v0",
    "BabyAI-GoToLocalS8N7-v0",
]

class BabyAIGoToLocalOptions(PoolOptions, total=False):
    """Options of BabyAI-GoToLocal-v0, BabyAI-GoToLocalS5N2-v0, BabyAI-GoToLocalS6N2-v0 and 10 more."""

    env_name: ForEach[Literal["babyai_goto_local"]]
    """The class of levels, by EnvPool's name ("babyai_goto_local"; default 'babyai_goto_local')."""
    room_size: ForEach[int | Integers | Choice[int]]
    """Cells on each side of a room, walls included (an integer from 4 to 60; default by task)."""
    num_dists: ForEach[int | Integers | Choice[int]]
    """Objects to draw attention away (an integer from 0 to 100; default by task)."""
    agent_view_size: ForEach[int]
    """Cells on each side of the agent's view, odd (an integer from 3 to 31; default 7)."""
    see_through_walls: ForEach[bool | Choice[bool | None] | None]
    """Whether the agent sees through walls; None: as the level has it (None or bool; default None)."""
    obs: ForEach[Literal["image", "full", "onehot", "rgb_partial", "rgb", "flat", "symbolic"]]
    """The form of the picture, as minigrid's wrappers make it ("image", "full", "onehot", "rgb_partial", "rgb", "flat" or "symbolic"; default 'image')."""
    obs_tile_size: ForEach[int]
    """Pixels on each side of a cell in observations (an integer from 1 to 64; default 8)."""
    image_only: ForEach[bool]
    """Whether the picture is all that is observed, without a dict (bool; default False)."""
    mission: ForEach[Literal["text", "bytes", "tokens", "none"]]
    """The form of the mission ("text", "bytes", "tokens" or "none"; default 'text')."""
    highlight: ForEach[bool | Choice[bool]]
    """Whether pictures of the whole world show what the agent sees (bool; default True)."""
    max_steps: ForEach[int | Integers | Choice[int | None] | None]
    """Steps of an episode, which rewards depend on; None: as the level has it (an integer from 1 to 4294967295 or None; default None)."""
    action_prob: ForEach[float | Uniform | Choice[float | None] | None]
    """Probability that an action is played as it is (a probability, from 0 to 1 or None; default None)."""
    random_action: ForEach[int | Integers | Choice[int | None] | None]
    """What is played otherwise; None: any action (an integer from 0 to 6 or None; default None)."""
    no_death: ForEach[list[str] | tuple[str, ...] | Choice[list[str] | tuple[str, ...]]]
    """Kinds of cells that do not end an episode: "lava", "ball", ... (list of str; default [])."""
    death_cost: ForEach[float | Uniform | Choice[float]]
    """Reward for what would have ended the episode (float; default -1.0)."""
    seeds: ForEach[Sequence[int]]
    """Seeds of the episodes, over and over: a fixed set of worlds (list of int; default [])."""
    tile_size: ForEach[int]
    """Pixels on each side of a cell in pictures (an integer from 1 to 64; default 32)."""
    agent_pov: ForEach[bool]
    """Whether pictures show what the agent sees, not the whole world (bool; default False)."""

BabyAIGoToTask: TypeAlias = Literal[
    "BabyAI-GoTo-v0",
    "BabyAI-GoToOpen-v0",
    "BabyAI-GoToObjMaze-v0",
    "BabyAI-GoToObjMazeOpen-v0",
    "BabyAI-GoToObjMazeS4R2-v0",
    "BabyAI-GoToObjMazeS4-v0",
    "BabyAI-GoToObjMazeS5-v0",
    "BabyAI-GoToObjMazeS6-v0",
    "BabyAI-GoToObjMazeS7-v0",
]

class BabyAIGoToOptions(PoolOptions, total=False):
    """Options of BabyAI-GoTo-v0, BabyAI-GoToOpen-v0, BabyAI-GoToObjMaze-v0 and 6 more."""

    env_name: ForEach[Literal["babyai_goto"]]
    """The class of levels, by EnvPool's name ("babyai_goto"; default 'babyai_goto')."""
    room_size: ForEach[int | Integers | Choice[int]]
    """Cells on each side of a room, walls included (an integer from 4 to 60; default by task)."""
    num_rows: ForEach[int | Integers | Choice[int]]
    """Rows of rooms (an integer from 1 to 10; default by task)."""
    num_cols: ForEach[int | Integers | Choice[int]]
    """Rooms in a row (an integer from 1 to 10; default by task)."""
    num_dists: ForEach[int | Integers | Choice[int]]
    """Objects to draw attention away (an integer from 0 to 100; default by task)."""
    doors_open: ForEach[bool | Choice[bool]]
    """Whether all doors are open (bool; default by task)."""
    agent_view_size: ForEach[int]
    """Cells on each side of the agent's view, odd (an integer from 3 to 31; default 7)."""
    see_through_walls: ForEach[bool | Choice[bool | None] | None]
    """Whether the agent sees through walls; None: as the level has it (None or bool; default None)."""
    obs: ForEach[Literal["image", "full", "onehot", "rgb_partial", "rgb", "flat", "symbolic"]]
    """The form of the picture, as minigrid's wrappers make it ("image", "full", "onehot", "rgb_partial", "rgb", "flat" or "symbolic"; default 'image')."""
    obs_tile_size: ForEach[int]
    """Pixels on each side of a cell in observations (an integer from 1 to 64; default 8)."""
    image_only: ForEach[bool]
    """Whether the picture is all that is observed, without a dict (bool; default False)."""
    mission: ForEach[Literal["text", "bytes", "tokens", "none"]]
    """The form of the mission ("text", "bytes", "tokens" or "none"; default 'text')."""
    highlight: ForEach[bool | Choice[bool]]
    """Whether pictures of the whole world show what the agent sees (bool; default True)."""
    max_steps: ForEach[int | Integers | Choice[int | None] | None]
    """Steps of an episode, which rewards depend on; None: as the level has it (an integer from 1 to 4294967295 or None; default None)."""
    action_prob: ForEach[float | Uniform | Choice[float | None] | None]
    """Probability that an action is played as it is (a probability, from 0 to 1 or None; default None)."""
    random_action: ForEach[int | Integers | Choice[int | None] | None]
    """What is played otherwise; None: any action (an integer from 0 to 6 or None; default None)."""
    no_death: ForEach[list[str] | tuple[str, ...] | Choice[list[str] | tuple[str, ...]]]
    """Kinds of cells that do not end an episode: "lava", "ball", ... (list of str; default [])."""
    death_cost: ForEach[float | Uniform | Choice[float]]
    """Reward for what would have ended the episode (float; default -1.0)."""
    seeds: ForEach[Sequence[int]]
    """Seeds of the episodes, over and over: a fixed set of worlds (list of int; default [])."""
    tile_size: ForEach[int]
    """Pixels on each side of a cell in pictures (an integer from 1 to 64; default 32)."""
    agent_pov: ForEach[bool]
    """Whether pictures show what the agent sees, not the whole world (bool; default False)."""

BabyAIGoToImpUnlockTask: TypeAlias = Literal["BabyAI-GoToImpUnlock-v0"]

class BabyAIGoToImpUnlockOptions(PoolOptions, total=False):
    """Options of BabyAI-GoToImpUnlock-v0."""

    env_name: ForEach[Literal["babyai_goto_imp_unlock"]]
    """The class of levels, by EnvPool's name ("babyai_goto_imp_unlock"; default 'babyai_goto_imp_unlock')."""
    room_size: ForEach[int | Integers | Choice[int]]
    """Cells on each side of a room, walls included (an integer from 4 to 60; default 8)."""
    num_rows: ForEach[int | Integers | Choice[int]]
    """Rows of rooms (an integer from 1 to 10; default 3)."""
    num_cols: ForEach[int | Integers | Choice[int]]
    """Rooms in a row (an integer from 1 to 10; default 3)."""
    agent_view_size: ForEach[int]
    """Cells on each side of the agent's view, odd (an integer from 3 to 31; default 7)."""
    see_through_walls: ForEach[bool | Choice[bool | None] | None]
    """Whether the agent sees through walls; None: as the level has it (None or bool; default None)."""
    obs: ForEach[Literal["image", "full", "onehot", "rgb_partial", "rgb", "flat", "symbolic"]]
    """The form of the picture, as minigrid's wrappers make it ("image", "full", "onehot", "rgb_partial", "rgb", "flat" or "symbolic"; default 'image')."""
    obs_tile_size: ForEach[int]
    """Pixels on each side of a cell in observations (an integer from 1 to 64; default 8)."""
    image_only: ForEach[bool]
    """Whether the picture is all that is observed, without a dict (bool; default False)."""
    mission: ForEach[Literal["text", "bytes", "tokens", "none"]]
    """The form of the mission ("text", "bytes", "tokens" or "none"; default 'text')."""
    highlight: ForEach[bool | Choice[bool]]
    """Whether pictures of the whole world show what the agent sees (bool; default True)."""
    max_steps: ForEach[int | Integers | Choice[int | None] | None]
    """Steps of an episode, which rewards depend on; None: as the level has it (an integer from 1 to 4294967295 or None; default None)."""
    action_prob: ForEach[float | Uniform | Choice[float | None] | None]
    """Probability that an action is played as it is (a probability, from 0 to 1 or None; default None)."""
    random_action: ForEach[int | Integers | Choice[int | None] | None]
    """What is played otherwise; None: any action (an integer from 0 to 6 or None; default None)."""
    no_death: ForEach[list[str] | tuple[str, ...] | Choice[list[str] | tuple[str, ...]]]
    """Kinds of cells that do not end an episode: "lava", "ball", ... (list of str; default [])."""
    death_cost: ForEach[float | Uniform | Choice[float]]
    """Reward for what would have ended the episode (float; default -1.0)."""
    seeds: ForEach[Sequence[int]]
    """Seeds of the episodes, over and over: a fixed set of worlds (list of int; default [])."""
    tile_size: ForEach[int]
    """Pixels on each side of a cell in pictures (an integer from 1 to 64; default 32)."""
    agent_pov: ForEach[bool]
    """Whether pictures show what the agent sees, not the whole world (bool; default False)."""

BabyAIGoToRedBlueBallTask: TypeAlias = Literal["BabyAI-GoToRedBlueBall-v0"]

class BabyAIGoToRedBlueBallOptions(PoolOptions, total=False):
    """Options of BabyAI-GoToRedBlueBall-v0."""

    env_name: ForEach[Literal["babyai_goto_red_blue_ball"]]
    """The class of levels, by EnvPool's name ("babyai_goto_red_blue_ball"; default 'babyai_goto_red_blue_ball')."""
    room_size: ForEach[int | Integers | Choice[int]]
    """Cells on each side of a room, walls included (an integer from 4 to 60; default 8)."""
    num_dists: ForEach[int | Integers | Choice[int]]
    """Objects to draw attention away (an integer from 0 to 100; default 7)."""
    agent_view_size: ForEach[int]
    """Cells on each side of the agent's view, odd (an integer from 3 to 31; default 7)."""
    see_through_walls: ForEach[bool | Choice[bool | None] | None]
    """Whether the agent sees through walls; None: as the level has it (None or bool; default None)."""
    obs: ForEach[Literal["image", "full", "onehot", "rgb_partial", "rgb", "flat", "symbolic"]]
    """The form of the picture, as minigrid's wrappers make it ("image", "full", "onehot", "rgb_partial", "rgb", "flat" or "symbolic"; default 'image')."""
    obs_tile_size: ForEach[int]
    """Pixels on each side of a cell in observations (an integer from 1 to 64; default 8)."""
    image_only: ForEach[bool]
    """Whether the picture is all that is observed, without a dict (bool; default False)."""
    mission: ForEach[Literal["text", "bytes", "tokens", "none"]]
    """The form of the mission ("text", "bytes", "tokens" or "none"; default 'text')."""
    highlight: ForEach[bool | Choice[bool]]
    """Whether pictures of the whole world show what the agent sees (bool; default True)."""
    max_steps: ForEach[int | Integers | Choice[int | None] | None]
    """Steps of an episode, which rewards depend on; None: as the level has it (an integer from 1 to 4294967295 or None; default None)."""
    action_prob: ForEach[float | Uniform | Choice[float | None] | None]
    """Probability that an action is played as it is (a probability, from 0 to 1 or None; default None)."""
    random_action: ForEach[int | Integers | Choice[int | None] | None]
    """What is played otherwise; None: any action (an integer from 0 to 6 or None; default None)."""
    no_death: ForEach[list[str] | tuple[str, ...] | Choice[list[str] | tuple[str, ...]]]
    """Kinds of cells that do not end an episode: "lava", "ball", ... (list of str; default [])."""
    death_cost: ForEach[float | Uniform | Choice[float]]
    """Reward for what would have ended the episode (float; default -1.0)."""
    seeds: ForEach[Sequence[int]]
    """Seeds of the episodes, over and over: a fixed set of worlds (list of int; default [])."""
    tile_size: ForEach[int]
    """Pixels on each side of a cell in pictures (an integer from 1 to 64; default 32)."""
    agent_pov: ForEach[bool]
    """Whether pictures show what the agent sees, not the whole world (bool; default False)."""

BabyAIGoToDoorTask: TypeAlias = Literal["BabyAI-GoToDoor-v0"]

class BabyAIGoToDoorOptions(PoolOptions, total=False):
    """Options of BabyAI-GoToDoor-v0."""

    env_name: ForEach[Literal["babyai_goto_door"]]
    """The class of levels, by EnvPool's name ("babyai_goto_door"; default 'babyai_goto_door')."""
    agent_view_size: ForEach[int]
    """Cells on each side of the agent's view, odd (an integer from 3 to 31; default 7)."""
    see_through_walls: ForEach[bool | Choice[bool | None] | None]
    """Whether the agent sees through walls; None: as the level has it (None or bool; default None)."""
    obs: ForEach[Literal["image", "full", "onehot", "rgb_partial", "rgb", "flat", "symbolic"]]
    """The form of the picture, as minigrid's wrappers make it ("image", "full", "onehot", "rgb_partial", "rgb", "flat" or "symbolic"; default 'image')."""
    obs_tile_size: ForEach[int]
    """Pixels on each side of a cell in observations (an integer from 1 to 64; default 8)."""
    image_only: ForEach[bool]
    """Whether the picture is all that is observed, without a dict (bool; default False)."""
    mission: ForEach[Literal["text", "bytes", "tokens", "none"]]
    """The form of the mission ("text", "bytes", "tokens" or "none"; default 'text')."""
    highlight: ForEach[bool | Choice[bool]]
    """Whether pictures of the whole world show what the agent sees (bool; default True)."""
    max_steps: ForEach[int | Integers | Choice[int | None] | None]
    """Steps of an episode, which rewards depend on; None: as the level has it (an integer from 1 to 4294967295 or None; default None)."""
    action_prob: ForEach[float | Uniform | Choice[float | None] | None]
    """Probability that an action is played as it is (a probability, from 0 to 1 or None; default None)."""
    random_action: ForEach[int | Integers | Choice[int | None] | None]
    """What is played otherwise; None: any action (an integer from 0 to 6 or None; default None)."""
    no_death: ForEach[list[str] | tuple[str, ...] | Choice[list[str] | tuple[str, ...]]]
    """Kinds of cells that do not end an episode: "lava", "ball", ... (list of str; default [])."""
    death_cost: ForEach[float | Uniform | Choice[float]]
    """Reward for what would have ended the episode (float; default -1.0)."""
    seeds: ForEach[Sequence[int]]
    """Seeds of the episodes, over and over: a fixed set of worlds (list of int; default [])."""
    tile_size: ForEach[int]
    """Pixels on each side of a cell in pictures (an integer from 1 to 64; default 32)."""
    agent_pov: ForEach[bool]
    """Whether pictures show what the agent sees, not the whole world (bool; default False)."""

BabyAIGoToObjDoorTask: TypeAlias = Literal["BabyAI-GoToObjDoor-v0"]

class BabyAIGoToObjDoorOptions(PoolOptions, total=False):
    """Options of BabyAI-GoToObjDoor-v0."""

    env_name: ForEach[Literal["babyai_goto_obj_door"]]
    """The class of levels, by EnvPool's name ("babyai_goto_obj_door"; default 'babyai_goto_obj_door')."""
    agent_view_size: ForEach[int]
    """Cells on each side of the agent's view, odd (an integer from 3 to 31; default 7)."""
    see_through_walls: ForEach[bool | Choice[bool | None] | None]
    """Whether the agent sees through walls; None: as the level has it (None or bool; default None)."""
    obs: ForEach[Literal["image", "full", "onehot", "rgb_partial", "rgb", "flat", "symbolic"]]
    """The form of the picture, as minigrid's wrappers make it ("image", "full", "onehot", "rgb_partial", "rgb", "flat" or "symbolic"; default 'image')."""
    obs_tile_size: ForEach[int]
    """Pixels on each side of a cell in observations (an integer from 1 to 64; default 8)."""
    image_only: ForEach[bool]
    """Whether the picture is all that is observed, without a dict (bool; default False)."""
    mission: ForEach[Literal["text", "bytes", "tokens", "none"]]
    """The form of the mission ("text", "bytes", "tokens" or "none"; default 'text')."""
    highlight: ForEach[bool | Choice[bool]]
    """Whether pictures of the whole world show what the agent sees (bool; default True)."""
    max_steps: ForEach[int | Integers | Choice[int | None] | None]
    """Steps of an episode, which rewards depend on; None: as the level has it (an integer from 1 to 4294967295 or None; default None)."""
    action_prob: ForEach[float | Uniform | Choice[float | None] | None]
    """Probability that an action is played as it is (a probability, from 0 to 1 or None; default None)."""
    random_action: ForEach[int | Integers | Choice[int | None] | None]
    """What is played otherwise; None: any action (an integer from 0 to 6 or None; default None)."""
    no_death: ForEach[list[str] | tuple[str, ...] | Choice[list[str] | tuple[str, ...]]]
    """Kinds of cells that do not end an episode: "lava", "ball", ... (list of str; default [])."""
    death_cost: ForEach[float | Uniform | Choice[float]]
    """Reward for what would have ended the episode (float; default -1.0)."""
    seeds: ForEach[Sequence[int]]
    """Seeds of the episodes, over and over: a fixed set of worlds (list of int; default [])."""
    tile_size: ForEach[int]
    """Pixels on each side of a cell in pictures (an integer from 1 to 64; default 32)."""
    agent_pov: ForEach[bool]
    """Whether pictures show what the agent sees, not the whole world (bool; default False)."""

BabyAIGoToRedBallNoDistsTask: TypeAlias = Literal["BabyAI-GoToRedBallNoDists-v0"]

class BabyAIGoToRedBallNoDistsOptions(PoolOptions, total=False):
    """Options of BabyAI-GoToRedBallNoDists-v0."""

    env_name: ForEach[Literal["babyai_goto_red_ball_no_dists"]]
    """The class of levels, by EnvPool's name ("babyai_goto_red_ball_no_dists"; default 'babyai_goto_red_ball_no_dists')."""
    agent_view_size: ForEach[int]
    """Cells on each side of the agent's view, odd (an integer from 3 to 31; default 7)."""
    see_through_walls: ForEach[bool | Choice[bool | None] | None]
    """Whether the agent sees through walls; None: as the level has it (None or bool; default None)."""
    obs: ForEach[Literal["image", "full", "onehot", "rgb_partial", "rgb", "flat", "symbolic"]]
    """The form of the picture, as minigrid's wrappers make it ("image", "full", "onehot", "rgb_partial", "rgb", "flat" or "symbolic"; default 'image')."""
    obs_tile_size: ForEach[int]
    """Pixels on each side of a cell in observations (an integer from 1 to 64; default 8)."""
    image_only: ForEach[bool]
    """Whether the picture is all that is observed, without a dict (bool; default False)."""
    mission: ForEach[Literal["text", "bytes", "tokens", "none"]]
    """The form of the mission ("text", "bytes", "tokens" or "none"; default 'text')."""
    highlight: ForEach[bool | Choice[bool]]
    """Whether pictures of the whole world show what the agent sees (bool; default True)."""
    max_steps: ForEach[int | Integers | Choice[int | None] | None]
    """Steps of an episode, which rewards depend on; None: as the level has it (an integer from 1 to 4294967295 or None; default None)."""
    action_prob: ForEach[float | Uniform | Choice[float | None] | None]
    """Probability that an action is played as it is (a probability, from 0 to 1 or None; default None)."""
    random_action: ForEach[int | Integers | Choice[int | None] | None]
    """What is played otherwise; None: any action (an integer from 0 to 6 or None; default None)."""
    no_death: ForEach[list[str] | tuple[str, ...] | Choice[list[str] | tuple[str, ...]]]
    """Kinds of cells that do not end an episode: "lava", "ball", ... (list of str; default [])."""
    death_cost: ForEach[float | Uniform | Choice[float]]
    """Reward for what would have ended the episode (float; default -1.0)."""
    seeds: ForEach[Sequence[int]]
    """Seeds of the episodes, over and over: a fixed set of worlds (list of int; default [])."""
    tile_size: ForEach[int]
    """Pixels on each side of a cell in pictures (an integer from 1 to 64; default 32)."""
    agent_pov: ForEach[bool]
    """Whether pictures show what the agent sees, not the whole world (bool; default False)."""

BabyAIOpenTask: TypeAlias = Literal["BabyAI-Open-v0"]

class BabyAIOpenOptions(PoolOptions, total=False):
    """Options of BabyAI-Open-v0."""

    env_name: ForEach[Literal["babyai_open"]]
    """The class of levels, by EnvPool's name ("babyai_open"; default 'babyai_open')."""
    room_size: ForEach[int | Integers | Choice[int]]
    """Cells on each side of a room, walls included (an integer from 4 to 60; default 8)."""
    num_rows: ForEach[int | Integers | Choice[int]]
    """Rows of rooms (an integer from 1 to 10; default 3)."""
    num_cols: ForEach[int | Integers | Choice[int]]
    """Rooms in a row (an integer from 1 to 10; default 3)."""
    agent_view_size: ForEach[int]
    """Cells on each side of the agent's view, odd (an integer from 3 to 31; default 7)."""
    see_through_walls: ForEach[bool | Choice[bool | None] | None]
    """Whether the agent sees through walls; None: as the level has it (None or bool; default None)."""
    obs: ForEach[Literal["image", "full", "onehot", "rgb_partial", "rgb", "flat", "symbolic"]]
    """The form of the picture, as minigrid's wrappers make it ("image", "full", "onehot", "rgb_partial", "rgb", "flat" or "symbolic"; default 'image')."""
    obs_tile_size: ForEach[int]
    """Pixels on each side of a cell in observations (an integer from 1 to 64; default 8)."""
    image_only: ForEach[bool]
    """Whether the picture is all that is observed, without a dict (bool; default False)."""
    mission: ForEach[Literal["text", "bytes", "tokens", "none"]]
    """The form of the mission ("text", "bytes", "tokens" or "none"; default 'text')."""
    highlight: ForEach[bool | Choice[bool]]
    """Whether pictures of the whole world show what the agent sees (bool; default True)."""
    max_steps: ForEach[int | Integers | Choice[int | None] | None]
    """Steps of an episode, which rewards depend on; None: as the level has it (an integer from 1 to 4294967295 or None; default None)."""
    action_prob: ForEach[float | Uniform | Choice[float | None] | None]
    """Probability that an action is played as it is (a probability, from 0 to 1 or None; default None)."""
    random_action: ForEach[int | Integers | Choice[int | None] | None]
    """What is played otherwise; None: any action (an integer from 0 to 6 or None; default None)."""
    no_death: ForEach[list[str] | tuple[str, ...] | Choice[list[str] | tuple[str, ...]]]
    """Kinds of cells that do not end an episode: "lava", "ball", ... (list of str; default [])."""
    death_cost: ForEach[float | Uniform | Choice[float]]
    """Reward for what would have ended the episode (float; default -1.0)."""
    seeds: ForEach[Sequence[int]]
    """Seeds of the episodes, over and over: a fixed set of worlds (list of int; default [])."""
    tile_size: ForEach[int]
    """Pixels on each side of a cell in pictures (an integer from 1 to 64; default 32)."""
    agent_pov: ForEach[bool]
    """Whether pictures show what the agent sees, not the whole world (bool; default False)."""

BabyAIOpenRedDoorTask: TypeAlias = Literal["BabyAI-OpenRedDoor-v0"]

class BabyAIOpenRedDoorOptions(PoolOptions, total=False):
    """Options of BabyAI-OpenRedDoor-v0."""

    env_name: ForEach[Literal["babyai_open_red_door"]]
    """The class of levels, by EnvPool's name ("babyai_open_red_door"; default 'babyai_open_red_door')."""
    agent_view_size: ForEach[int]
    """Cells on each side of the agent's view, odd (an integer from 3 to 31; default 7)."""
    see_through_walls: ForEach[bool | Choice[bool | None] | None]
    """Whether the agent sees through walls; None: as the level has it (None or bool; default None)."""
    obs: ForEach[Literal["image", "full", "onehot", "rgb_partial", "rgb", "flat", "symbolic"]]
    """The form of the picture, as minigrid's wrappers make it ("image", "full", "onehot", "rgb_partial", "rgb", "flat" or "symbolic"; default 'image')."""
    obs_tile_size: ForEach[int]
    """Pixels on each side of a cell in observations (an integer from 1 to 64; default 8)."""
    image_only: ForEach[bool]
    """Whether the picture is all that is observed, without a dict (bool; default False)."""
    mission: ForEach[Literal["text", "bytes", "tokens", "none"]]
    """The form of the mission ("text", "bytes", "tokens" or "none"; default 'text')."""
    highlight: ForEach[bool | Choice[bool]]
    """Whether pictures of the whole world show what the agent sees (bool; default True)."""
    max_steps: ForEach[int | Integers | Choice[int | None] | None]
    """Steps of an episode, which rewards depend on; None: as the level has it (an integer from 1 to 4294967295 or None; default None)."""
    action_prob: ForEach[float | Uniform | Choice[float | None] | None]
    """Probability that an action is played as it is (a probability, from 0 to 1 or None; default None)."""
    random_action: ForEach[int | Integers | Choice[int | None] | None]
    """What is played otherwise; None: any action (an integer from 0 to 6 or None; default None)."""
    no_death: ForEach[list[str] | tuple[str, ...] | Choice[list[str] | tuple[str, ...]]]
    """Kinds of cells that do not end an episode: "lava", "ball", ... (list of str; default [])."""
    death_cost: ForEach[float | Uniform | Choice[float]]
    """Reward for what would have ended the episode (float; default -1.0)."""
    seeds: ForEach[Sequence[int]]
    """Seeds of the episodes, over and over: a fixed set of worlds (list of int; default [])."""
    tile_size: ForEach[int]
    """Pixels on each side of a cell in pictures (an integer from 1 to 64; default 32)."""
    agent_pov: ForEach[bool]
    """Whether pictures show what the agent sees, not the whole world (bool; default False)."""

BabyAIOpenDoorTask: TypeAlias = Literal[
    "BabyAI-OpenDoor-v0", "BabyAI-OpenDoorDebug-v0", "BabyAI-OpenDoorColor-v0", "BabyAI-OpenDoorLoc-v0"
]

class BabyAIOpenDoorOptions(PoolOptions, total=False):
    """Options of BabyAI-OpenDoor-v0, BabyAI-OpenDoorDebug-v0, BabyAI-OpenDoorColor-v0 and 1 more."""

    env_name: ForEach[Literal["babyai_open_door"]]
    """The class of levels, by EnvPool's name ("babyai_open_door"; default 'babyai_open_door')."""
    debug: ForEach[bool | Choice[bool]]
    """Whether opening another door ends the episode (bool; default by task)."""
    select_by: ForEach[Literal["color", "loc"] | Choice[Literal["color", "loc"] | None] | None]
    """What the door is known by; None: drawn ("color" or "loc" or None; default by task)."""
    agent_view_size: ForEach[int]
    """Cells on each side of the agent's view, odd (an integer from 3 to 31; default 7)."""
    see_through_walls: ForEach[bool | Choice[bool | None] | None]
    """Whether the agent sees through walls; None: as the level has it (None or bool; default None)."""
    obs: ForEach[Literal["image", "full", "onehot", "rgb_partial", "rgb", "flat", "symbolic"]]
    """The form of the picture, as minigrid's wrappers make it ("image", "full", "onehot", "rgb_partial", "rgb", "flat" or "symbolic"; default 'image')."""
    obs_tile_size: ForEach[int]
    """Pixels on each side of a cell in observations (an integer from 1 to 64; default 8)."""
    image_only: ForEach[bool]
    """Whether the picture is all that is observed, without a dict (bool; default False)."""
    mission: ForEach[Literal["text", "bytes", "tokens", "none"]]
    """The form of the mission ("text", "bytes", "tokens" or "none"; default 'text')."""
    highlight: ForEach[bool | Choice[bool]]
    """Whether pictures of the whole world show what the agent sees (bool; default True)."""
    max_steps: ForEach[int | Integers | Choice[int | None] | None]
    """Steps of an episode, which rewards depend on; None: as the level has it (an integer from 1 to 4294967295 or None; default None)."""
    action_prob: ForEach[float | Uniform | Choice[float | None] | None]
    """Probability that an action is played as it is (a probability, from 0 to 1 or None; default None)."""
    random_action: ForEach[int | Integers | Choice[int | None] | None]
    """What is played otherwise; None: any action (an integer from 0 to 6 or None; default None)."""
    no_death: ForEach[list[str] | tuple[str, ...] | Choice[list[str] | tuple[str, ...]]]
    """Kinds of cells that do not end an episode: "lava", "ball", ... (list of str; default [])."""
    death_cost: ForEach[float | Uniform | Choice[float]]
    """Reward for what would have ended the episode (float; default -1.0)."""
    seeds: ForEach[Sequence[int]]
    """Seeds of the episodes, over and over: a fixed set of worlds (list of int; default [])."""
    tile_size: ForEach[int]
    """Pixels on each side of a cell in pictures (an integer from 1 to 64; default 32)."""
    agent_pov: ForEach[bool]
    """Whether pictures show what the agent sees, not the whole world (bool; default False)."""

BabyAIOpenTwoDoorsTask: TypeAlias = Literal[
    "BabyAI-OpenTwoDoors-v0", "BabyAI-OpenRedBlueDoors-v0", "BabyAI-OpenRedBlueDoorsDebug-v0"
]

class BabyAIOpenTwoDoorsOptions(PoolOptions, total=False):
    """Options of BabyAI-OpenTwoDoors-v0, BabyAI-OpenRedBlueDoors-v0, BabyAI-OpenRedBlueDoorsDebug-v0."""

    env_name: ForEach[Literal["babyai_open_two_doors"]]
    """The class of levels, by EnvPool's name ("babyai_open_two_doors"; default 'babyai_open_two_doors')."""
    first_color: ForEach[
        Literal["red", "green", "blue", "purple", "yellow", "grey"]
        | Choice[Literal["red", "green", "blue", "purple", "yellow", "grey"] | None]
        | None
    ]
    """Colour of the first door; None: drawn ("red", "green", "blue", "purple", "yellow" or "grey" or None; default by task)."""
    second_color: ForEach[
        Literal["red", "green", "blue", "purple", "yellow", "grey"]
        | Choice[Literal["red", "green", "blue", "purple", "yellow", "grey"] | None]
        | None
    ]
    """Colour of the second door; None: drawn ("red", "green", "blue", "purple", "yellow" or "grey" or None; default by task)."""
    strict: ForEach[bool | Choice[bool]]
    """Whether opening another door than the first ends the episode (bool; default by task)."""
    agent_view_size: ForEach[int]
    """Cells on each side of the agent's view, odd (an integer from 3 to 31; default 7)."""
    see_through_walls: ForEach[bool | Choice[bool | None] | None]
    """Whether the agent sees through walls; None: as the level has it (None or bool; default None)."""
    obs: ForEach[Literal["image", "full", "onehot", "rgb_partial", "rgb", "flat", "symbolic"]]
    """The form of the picture, as minigrid's wrappers make it ("image", "full", "onehot", "rgb_partial", "rgb", "flat" or "symbolic"; default 'image')."""
    obs_tile_size: ForEach[int]
    """Pixels on each side of a cell in observations (an integer from 1 to 64; default 8)."""
    image_only: ForEach[bool]
    """Whether the picture is all that is observed, without a dict (bool; default False)."""
    mission: ForEach[Literal["text", "bytes", "tokens", "none"]]
    """The form of the mission ("text", "bytes", "tokens" or "none"; default 'text')."""
    highlight: ForEach[bool | Choice[bool]]
    """Whether pictures of the whole world show what the agent sees (bool; default True)."""
    max_steps: ForEach[int | Integers | Choice[int | None] | None]
    """Steps of an episode, which rewards depend on; None: as the level has it (an integer from 1 to 4294967295 or None; default None)."""
    action_prob: ForEach[float | Uniform | Choice[float | None] | None]
    """Probability that an action is played as it is (a probability, from 0 to 1 or None; default None)."""
    random_action: ForEach[int | Integers | Choice[int | None] | None]
    """What is played otherwise; None: any action (an integer from 0 to 6 or None; default None)."""
    no_death: ForEach[list[str] | tuple[str, ...] | Choice[list[str] | tuple[str, ...]]]
    """Kinds of cells that do not end an episode: "lava", "ball", ... (list of str; default [])."""
    death_cost: ForEach[float | Uniform | Choice[float]]
    """Reward for what would have ended the episode (float; default -1.0)."""
    seeds: ForEach[Sequence[int]]
    """Seeds of the episodes, over and over: a fixed set of worlds (list of int; default [])."""
    tile_size: ForEach[int]
    """Pixels on each side of a cell in pictures (an integer from 1 to 64; default 32)."""
    agent_pov: ForEach[bool]
    """Whether pictures show what the agent sees, not the whole world (bool; default False)."""

BabyAIOpenDoorsOrderN2Task: TypeAlias = Literal[
    "BabyAI-OpenDoorsOrderN2-v0",
    "BabyAI-OpenDoorsOrderN4-v0",
    "BabyAI-OpenDoorsOrderN2Debug-v0",
    "BabyAI-OpenDoorsOrderN4Debug-v0",
]

class BabyAIOpenDoorsOrderN2Options(PoolOptions, total=False):
    """Options of BabyAI-OpenDoorsOrderN2-v0, BabyAI-OpenDoorsOrderN4-v0, BabyAI-OpenDoorsOrderN2Debug-v0 and 1 more."""

    env_name: ForEach[Literal["babyai_open_doors_order"]]
    """The class of levels, by EnvPool's name ("babyai_open_doors_order"; default 'babyai_open_doors_order')."""
    num_doors: ForEach[int | Integers | Choice[int]]
    """Doors (an integer from 2 to 4; default by task)."""
    debug: ForEach[bool | Choice[bool]]
    """Whether opening a wrong door ends the episode (bool; default by task)."""
    agent_view_size: ForEach[int]
    """Cells on each side of the agent's view, odd (an integer from 3 to 31; default 7)."""
    see_through_walls: ForEach[bool | Choice[bool | None] | None]
    """Whether the agent sees through walls; None: as the level has it (None or bool; default None)."""
    obs: ForEach[Literal["image", "full", "onehot", "rgb_partial", "rgb", "flat", "symbolic"]]
    """The form of the picture, as minigrid's wrappers make it ("image", "full", "onehot", "rgb_partial", "rgb", "flat" or "symbolic"; default 'image')."""
    obs_tile_size: ForEach[int]
    """Pixels on each side of a cell in observations (an integer from 1 to 64; default 8)."""
    image_only: ForEach[bool]
    """Whether the picture is all that is observed, without a dict (bool; default False)."""
    mission: ForEach[Literal["text", "bytes", "tokens", "none"]]
    """The form of the mission ("text", "bytes", "tokens" or "none"; default 'text')."""
    highlight: ForEach[bool | Choice[bool]]
    """Whether pictures of the whole world show what the agent sees (bool; default True)."""
    max_steps: ForEach[int | Integers | Choice[int | None] | None]
    """Steps of an episode, which rewards depend on; None: as the level has it (an integer from 1 to 4294967295 or None; default None)."""
    action_prob: ForEach[float | Uniform | Choice[float | None] | None]
    """Probability that an action is played as it is (a probability, from 0 to 1 or None; default None)."""
    random_action: ForEach[int | Integers | Choice[int | None] | None]
    """What is played otherwise; None: any action (an integer from 0 to 6 or None; default None)."""
    no_death: ForEach[list[str] | tuple[str, ...] | Choice[list[str] | tuple[str, ...]]]
    """Kinds of cells that do not end an episode: "lava", "ball", ... (list of str; default [])."""
    death_cost: ForEach[float | Uniform | Choice[float]]
    """Reward for what would have ended the episode (float; default -1.0)."""
    seeds: ForEach[Sequence[int]]
    """Seeds of the episodes, over and over: a fixed set of worlds (list of int; default [])."""
    tile_size: ForEach[int]
    """Pixels on each side of a cell in pictures (an integer from 1 to 64; default 32)."""
    agent_pov: ForEach[bool]
    """Whether pictures show what the agent sees, not the whole world (bool; default False)."""

BabyAIPickupTask: TypeAlias = Literal["BabyAI-Pickup-v0"]

class BabyAIPickupOptions(PoolOptions, total=False):
    """Options of BabyAI-Pickup-v0."""

    env_name: ForEach[Literal["babyai_pickup"]]
    """The class of levels, by EnvPool's name ("babyai_pickup"; default 'babyai_pickup')."""
    room_size: ForEach[int | Integers | Choice[int]]
    """Cells on each side of a room, walls included (an integer from 4 to 60; default 8)."""
    num_rows: ForEach[int | Integers | Choice[int]]
    """Rows of rooms (an integer from 1 to 10; default 3)."""
    num_cols: ForEach[int | Integers | Choice[int]]
    """Rooms in a row (an integer from 1 to 10; default 3)."""
    agent_view_size: ForEach[int]
    """Cells on each side of the agent's view, odd (an integer from 3 to 31; default 7)."""
    see_through_walls: ForEach[bool | Choice[bool | None] | None]
    """Whether the agent sees through walls; None: as the level has it (None or bool; default None)."""
    obs: ForEach[Literal["image", "full", "onehot", "rgb_partial", "rgb", "flat", "symbolic"]]
    """The form of the picture, as minigrid's wrappers make it ("image", "full", "onehot", "rgb_partial", "rgb", "flat" or "symbolic"; default 'image')."""
    obs_tile_size: ForEach[int]
    """Pixels on each side of a cell in observations (an integer from 1 to 64; default 8)."""
    image_only: ForEach[bool]
    """Whether the picture is all that is observed, without a dict (bool; default False)."""
    mission: ForEach[Literal["text", "bytes", "tokens", "none"]]
    """The form of the mission ("text", "bytes", "tokens" or "none"; default 'text')."""
    highlight: ForEach[bool | Choice[bool]]
    """Whether pictures of the whole world show what the agent sees (bool; default True)."""
    max_steps: ForEach[int | Integers | Choice[int | None] | None]
    """Steps of an episode, which rewards depend on; None: as the level has it (an integer from 1 to 4294967295 or None; default None)."""
    action_prob: ForEach[float | Uniform | Choice[float | None] | None]
    """Probability that an action is played as it is (a probability, from 0 to 1 or None; default None)."""
    random_action: ForEach[int | Integers | Choice[int | None] | None]
    """What is played otherwise; None: any action (an integer from 0 to 6 or None; default None)."""
    no_death: ForEach[list[str] | tuple[str, ...] | Choice[list[str] | tuple[str, ...]]]
    """Kinds of cells that do not end an episode: "lava", "ball", ... (list of str; default [])."""
    death_cost: ForEach[float | Uniform | Choice[float]]
    """Reward for what would have ended the episode (float; default -1.0)."""
    seeds: ForEach[Sequence[int]]
    """Seeds of the episodes, over and over: a fixed set of worlds (list of int; default [])."""
    tile_size: ForEach[int]
    """Pixels on each side of a cell in pictures (an integer from 1 to 64; default 32)."""
    agent_pov: ForEach[bool]
    """Whether pictures show what the agent sees, not the whole world (bool; default False)."""

BabyAIUnblockPickupTask: TypeAlias = Literal["BabyAI-UnblockPickup-v0"]

class BabyAIUnblockPickupOptions(PoolOptions, total=False):
    """Options of BabyAI-UnblockPickup-v0."""

    env_name: ForEach[Literal["babyai_unblock_pickup"]]
    """The class of levels, by EnvPool's name ("babyai_unblock_pickup"; default 'babyai_unblock_pickup')."""
    room_size: ForEach[int | Integers | Choice[int]]
    """Cells on each side of a room, walls included (an integer from 4 to 60; default 8)."""
    num_rows: ForEach[int | Integers | Choice[int]]
    """Rows of rooms (an integer from 1 to 10; default 3)."""
    num_cols: ForEach[int | Integers | Choice[int]]
    """Rooms in a row (an integer from 1 to 10; default 3)."""
    agent_view_size: ForEach[int]
    """Cells on each side of the agent's view, odd (an integer from 3 to 31; default 7)."""
    see_through_walls: ForEach[bool | Choice[bool | None] | None]
    """Whether the agent sees through walls; None: as the level has it (None or bool; default None)."""
    obs: ForEach[Literal["image", "full", "onehot", "rgb_partial", "rgb", "flat", "symbolic"]]
    """The form of the picture, as minigrid's wrappers make it ("image", "full", "onehot", "rgb_partial", "rgb", "flat" or "symbolic"; default 'image')."""
    obs_tile_size: ForEach[int]
    """Pixels on each side of a cell in observations (an integer from 1 to 64; default 8)."""
    image_only: ForEach[bool]
    """Whether the picture is all that is observed, without a dict (bool; default False)."""
    mission: ForEach[Literal["text", "bytes", "tokens", "none"]]
    """The form of the mission ("text", "bytes", "tokens" or "none"; default 'text')."""
    highlight: ForEach[bool | Choice[bool]]
    """Whether pictures of the whole world show what the agent sees (bool; default True)."""
    max_steps: ForEach[int | Integers | Choice[int | None] | None]
    """Steps of an episode, which rewards depend on; None: as the level has it (an integer from 1 to 4294967295 or None; default None)."""
    action_prob: ForEach[float | Uniform | Choice[float | None] | None]
    """Probability that an action is played as it is (a probability, from 0 to 1 or None; default None)."""
    random_action: ForEach[int | Integers | Choice[int | None] | None]
    """What is played otherwise; None: any action (an integer from 0 to 6 or None; default None)."""
    no_death: ForEach[list[str] | tuple[str, ...] | Choice[list[str] | tuple[str, ...]]]
    """Kinds of cells that do not end an episode: "lava", "ball", ... (list of str; default [])."""
    death_cost: ForEach[float | Uniform | Choice[float]]
    """Reward for what would have ended the episode (float; default -1.0)."""
    seeds: ForEach[Sequence[int]]
    """Seeds of the episodes, over and over: a fixed set of worlds (list of int; default [])."""
    tile_size: ForEach[int]
    """Pixels on each side of a cell in pictures (an integer from 1 to 64; default 32)."""
    agent_pov: ForEach[bool]
    """Whether pictures show what the agent sees, not the whole world (bool; default False)."""

BabyAIPickupDistTask: TypeAlias = Literal["BabyAI-PickupDist-v0", "BabyAI-PickupDistDebug-v0"]

class BabyAIPickupDistOptions(PoolOptions, total=False):
    """Options of BabyAI-PickupDist-v0, BabyAI-PickupDistDebug-v0."""

    env_name: ForEach[Literal["babyai_pickup_dist"]]
    """The class of levels, by EnvPool's name ("babyai_pickup_dist"; default 'babyai_pickup_dist')."""
    debug: ForEach[bool | Choice[bool]]
    """Whether picking up anything else ends the episode (bool; default by task)."""
    agent_view_size: ForEach[int]
    """Cells on each side of the agent's view, odd (an integer from 3 to 31; default 7)."""
    see_through_walls: ForEach[bool | Choice[bool | None] | None]
    """Whether the agent sees through walls; None: as the level has it (None or bool; default None)."""
    obs: ForEach[Literal["image", "full", "onehot", "rgb_partial", "rgb", "flat", "symbolic"]]
    """The form of the picture, as minigrid's wrappers make it ("image", "full", "onehot", "rgb_partial", "rgb", "flat" or "symbolic"; default 'image')."""
    obs_tile_size: ForEach[int]
    """Pixels on each side of a cell in observations (an integer from 1 to 64; default 8)."""
    image_only: ForEach[bool]
    """Whether the picture is all that is observed, without a dict (bool; default False)."""
    mission: ForEach[Literal["text", "bytes", "tokens", "none"]]
    """The form of the mission ("text", "bytes", "tokens" or "none"; default 'text')."""
    highlight: ForEach[bool | Choice[bool]]
    """Whether pictures of the whole world show what the agent sees (bool; default True)."""
    max_steps: ForEach[int | Integers | Choice[int | None] | None]
    """Steps of an episode, which rewards depend on; None: as the level has it (an integer from 1 to 4294967295 or None; default None)."""
    action_prob: ForEach[float | Uniform | Choice[float | None] | None]
    """Probability that an action is played as it is (a probability, from 0 to 1 or None; default None)."""
    random_action: ForEach[int | Integers | Choice[int | None] | None]
    """What is played otherwise; None: any action (an integer from 0 to 6 or None; default None)."""
    no_death: ForEach[list[str] | tuple[str, ...] | Choice[list[str] | tuple[str, ...]]]
    """Kinds of cells that do not end an episode: "lava", "ball", ... (list of str; default [])."""
    death_cost: ForEach[float | Uniform | Choice[float]]
    """Reward for what would have ended the episode (float; default -1.0)."""
    seeds: ForEach[Sequence[int]]
    """Seeds of the episodes, over and over: a fixed set of worlds (list of int; default [])."""
    tile_size: ForEach[int]
    """Pixels on each side of a cell in pictures (an integer from 1 to 64; default 32)."""
    agent_pov: ForEach[bool]
    """Whether pictures show what the agent sees, not the whole world (bool; default False)."""

BabyAIPickupAboveTask: TypeAlias = Literal["BabyAI-PickupAbove-v0"]

class BabyAIPickupAboveOptions(PoolOptions, total=False):
    """Options of BabyAI-PickupAbove-v0."""

    env_name: ForEach[Literal["babyai_pickup_above"]]
    """The class of levels, by EnvPool's name ("babyai_pickup_above"; default 'babyai_pickup_above')."""
    agent_view_size: ForEach[int]
    """Cells on each side of the agent's view, odd (an integer from 3 to 31; default 7)."""
    see_through_walls: ForEach[bool | Choice[bool | None] | None]
    """Whether the agent sees through walls; None: as the level has it (None or bool; default None)."""
    obs: ForEach[Literal["image", "full", "onehot", "rgb_partial", "rgb", "flat", "symbolic"]]
    """The form of the picture, as minigrid's wrappers make it ("image", "full", "onehot", "rgb_partial", "rgb", "flat" or "symbolic"; default 'image')."""
    obs_tile_size: ForEach[int]
    """Pixels on each side of a cell in observations (an integer from 1 to 64; default 8)."""
    image_only: ForEach[bool]
    """Whether the picture is all that is observed, without a dict (bool; default False)."""
    mission: ForEach[Literal["text", "bytes", "tokens", "none"]]
    """The form of the mission ("text", "bytes", "tokens" or "none"; default 'text')."""
    highlight: ForEach[bool | Choice[bool]]
    """Whether pictures of the whole world show what the agent sees (bool; default True)."""
    max_steps: ForEach[int | Integers | Choice[int | None] | None]
    """Steps of an episode, which rewards depend on; None: as the level has it (an integer from 1 to 4294967295 or None; default None)."""
    action_prob: ForEach[float | Uniform | Choice[float | None] | None]
    """Probability that an action is played as it is (a probability, from 0 to 1 or None; default None)."""
    random_action: ForEach[int | Integers | Choice[int | None] | None]
    """What is played otherwise; None: any action (an integer from 0 to 6 or None; default None)."""
    no_death: ForEach[list[str] | tuple[str, ...] | Choice[list[str] | tuple[str, ...]]]
    """Kinds of cells that do not end an episode: "lava", "ball", ... (list of str; default [])."""
    death_cost: ForEach[float | Uniform | Choice[float]]
    """Reward for what would have ended the episode (float; default -1.0)."""
    seeds: ForEach[Sequence[int]]
    """Seeds of the episodes, over and over: a fixed set of worlds (list of int; default [])."""
    tile_size: ForEach[int]
    """Pixels on each side of a cell in pictures (an integer from 1 to 64; default 32)."""
    agent_pov: ForEach[bool]
    """Whether pictures show what the agent sees, not the whole world (bool; default False)."""

BabyAIPutNextLocalTask: TypeAlias = Literal[
    "BabyAI-PutNextLocal-v0", "BabyAI-PutNextLocalS5N3-v0", "BabyAI-PutNextLocalS6N4-v0"
]

class BabyAIPutNextLocalOptions(PoolOptions, total=False):
    """Options of BabyAI-PutNextLocal-v0, BabyAI-PutNextLocalS5N3-v0, BabyAI-PutNextLocalS6N4-v0."""

    env_name: ForEach[Literal["babyai_put_next_local"]]
    """The class of levels, by EnvPool's name ("babyai_put_next_local"; default 'babyai_put_next_local')."""
    room_size: ForEach[int | Integers | Choice[int]]
    """Cells on each side of a room, walls included (an integer from 4 to 60; default by task)."""
    num_objs: ForEach[int | Integers | Choice[int]]
    """Objects (an integer from 2 to 18; default by task)."""
    agent_view_size: ForEach[int]
    """Cells on each side of the agent's view, odd (an integer from 3 to 31; default 7)."""
    see_through_walls: ForEach[bool | Choice[bool | None] | None]
    """Whether the agent sees through walls; None: as the level has it (None or bool; default None)."""
    obs: ForEach[Literal["image", "full", "onehot", "rgb_partial", "rgb", "flat", "symbolic"]]
    """The form of the picture, as minigrid's wrappers make it ("image", "full", "onehot", "rgb_partial", "rgb", "flat" or "symbolic"; default 'image')."""
    obs_tile_size: ForEach[int]
    """Pixels on each side of a cell in observations (an integer from 1 to 64; default 8)."""
    image_only: ForEach[bool]
    """Whether the picture is all that is observed, without a dict (bool; default False)."""
    mission: ForEach[Literal["text", "bytes", "tokens", "none"]]
    """The form of the mission ("text", "bytes", "tokens" or "none"; default 'text')."""
    highlight: ForEach[bool | Choice[bool]]
    """Whether pictures of the whole world show what the agent sees (bool; default True)."""
    max_steps: ForEach[int | Integers | Choice[int | None] | None]
    """Steps of an episode, which rewards depend on; None: as the level has it (an integer from 1 to 4294967295 or None; default None)."""
    action_prob: ForEach[float | Uniform | Choice[float | None] | None]
    """Probability that an action is played as it is (a probability, from 0 to 1 or None; default None)."""
    random_action: ForEach[int | Integers | Choice[int | None] | None]
    """What is played otherwise; None: any action (an integer from 0 to 6 or None; default None)."""
    no_death: ForEach[list[str] | tuple[str, ...] | Choice[list[str] | tuple[str, ...]]]
    """Kinds of cells that do not end an episode: "lava", "ball", ... (list of str; default [])."""
    death_cost: ForEach[float | Uniform | Choice[float]]
    """Reward for what would have ended the episode (float; default -1.0)."""
    seeds: ForEach[Sequence[int]]
    """Seeds of the episodes, over and over: a fixed set of worlds (list of int; default [])."""
    tile_size: ForEach[int]
    """Pixels on each side of a cell in pictures (an integer from 1 to 64; default 32)."""
    agent_pov: ForEach[bool]
    """Whether pictures show what the agent sees, not the whole world (bool; default False)."""

BabyAIPutNextS4N1Task: TypeAlias = Literal[
    "BabyAI-PutNextS4N1-v0",
    "BabyAI-PutNextS5N2-v0",
    "BabyAI-PutNextS5N1-v0",
    "BabyAI-PutNextS6N3-v0",
    "BabyAI-PutNextS7N4-v0",
    "BabyAI-PutNextS5N2Carrying-v0",
    "BabyAI-PutNextS6N3Carrying-v0",
    "BabyAI-PutNextS7N4Carrying-v0",
]

class BabyAIPutNextS4N1Options(PoolOptions, total=False):
    """Options of BabyAI-PutNextS4N1-v0, BabyAI-PutNextS5N2-v0, BabyAI-PutNextS5N1-v0 and 5 more."""

    env_name: ForEach[Literal["babyai_put_next"]]
    """The class of levels, by EnvPool's name ("babyai_put_next"; default 'babyai_put_next')."""
    room_size: ForEach[int | Integers | Choice[int]]
    """Cells on each side of a room, walls included (an integer from 4 to 60; default by task)."""
    objs_per_room: ForEach[int | Integers | Choice[int]]
    """Objects in each room (an integer from 1 to 9; default by task)."""
    start_carrying: ForEach[bool | Choice[bool]]
    """Whether the agent carries what is to be moved from the beginning (bool; default by task)."""
    agent_view_size: ForEach[int]
    """Cells on each side of the agent's view, odd (an integer from 3 to 31; default 7)."""
    see_through_walls: ForEach[bool | Choice[bool | None] | None]
    """Whether the agent sees through walls; None: as the level has it (None or bool; default None)."""
    obs: ForEach[Literal["image", "full", "onehot", "rgb_partial", "rgb", "flat", "symbolic"]]
    """The form of the picture, as minigrid's wrappers make it ("image", "full", "onehot", "rgb_partial", "rgb", "flat" or "symbolic"; default 'image')."""
    obs_tile_size: ForEach[int]
    """Pixels on each side of a cell in observations (an integer from 1 to 64; default 8)."""
    image_only: ForEach[bool]
    """Whether the picture is all that is observed, without a dict (bool; default False)."""
    mission: ForEach[Literal["text", "bytes", "tokens", "none"]]
    """The form of the mission ("text", "bytes", "tokens" or "none"; default 'text')."""
    highlight: ForEach[bool | Choice[bool]]
    """Whether pictures of the whole world show what the agent sees (bool; default True)."""
    max_steps: ForEach[int | Integers | Choice[int | None] | None]
    """Steps of an episode, which rewards depend on; None: as the level has it (an integer from 1 to 4294967295 or None; default None)."""
    action_prob: ForEach[float | Uniform | Choice[float | None] | None]
    """Probability that an action is played as it is (a probability, from 0 to 1 or None; default None)."""
    random_action: ForEach[int | Integers | Choice[int | None] | None]
    """What is played otherwise; None: any action (an integer from 0 to 6 or None; default None)."""
    no_death: ForEach[list[str] | tuple[str, ...] | Choice[list[str] | tuple[str, ...]]]
    """Kinds of cells that do not end an episode: "lava", "ball", ... (list of str; default [])."""
    death_cost: ForEach[float | Uniform | Choice[float]]
    """Reward for what would have ended the episode (float; default -1.0)."""
    seeds: ForEach[Sequence[int]]
    """Seeds of the episodes, over and over: a fixed set of worlds (list of int; default [])."""
    tile_size: ForEach[int]
    """Pixels on each side of a cell in pictures (an integer from 1 to 64; default 32)."""
    agent_pov: ForEach[bool]
    """Whether pictures show what the agent sees, not the whole world (bool; default False)."""

BabyAIMoveTwoAcrossS5N2Task: TypeAlias = Literal["BabyAI-MoveTwoAcrossS5N2-v0", "BabyAI-MoveTwoAcrossS8N9-v0"]

class BabyAIMoveTwoAcrossS5N2Options(PoolOptions, total=False):
    """Options of BabyAI-MoveTwoAcrossS5N2-v0, BabyAI-MoveTwoAcrossS8N9-v0."""

    env_name: ForEach[Literal["babyai_move_two_across"]]
    """The class of levels, by EnvPool's name ("babyai_move_two_across"; default 'babyai_move_two_across')."""
    room_size: ForEach[int | Integers | Choice[int]]
    """Cells on each side of a room, walls included (an integer from 4 to 60; default by task)."""
    objs_per_room: ForEach[int | Integers | Choice[int]]
    """Objects in each room (an integer from 1 to 9; default by task)."""
    agent_view_size: ForEach[int]
    """Cells on each side of the agent's view, odd (an integer from 3 to 31; default 7)."""
    see_through_walls: ForEach[bool | Choice[bool | None] | None]
    """Whether the agent sees through walls; None: as the level has it (None or bool; default None)."""
    obs: ForEach[Literal["image", "full", "onehot", "rgb_partial", "rgb", "flat", "symbolic"]]
    """The form of the picture, as minigrid's wrappers make it ("image", "full", "onehot", "rgb_partial", "rgb", "flat" or "symbolic"; default 'image')."""
    obs_tile_size: ForEach[int]
    """Pixels on each side of a cell in observations (an integer from 1 to 64; default 8)."""
    image_only: ForEach[bool]
    """Whether the picture is all that is observed, without a dict (bool; default False)."""
    mission: ForEach[Literal["text", "bytes", "tokens", "none"]]
    """The form of the mission ("text", "bytes", "tokens" or "none"; default 'text')."""
    highlight: ForEach[bool | Choice[bool]]
    """Whether pictures of the whole world show what the agent sees (bool; default True)."""
    max_steps: ForEach[int | Integers | Choice[int | None] | None]
    """Steps of an episode, which rewards depend on; None: as the level has it (an integer from 1 to 4294967295 or None; default None)."""
    action_prob: ForEach[float | Uniform | Choice[float | None] | None]
    """Probability that an action is played as it is (a probability, from 0 to 1 or None; default None)."""
    random_action: ForEach[int | Integers | Choice[int | None] | None]
    """What is played otherwise; None: any action (an integer from 0 to 6 or None; default None)."""
    no_death: ForEach[list[str] | tuple[str, ...] | Choice[list[str] | tuple[str, ...]]]
    """Kinds of cells that do not end an episode: "lava", "ball", ... (list of str; default [])."""
    death_cost: ForEach[float | Uniform | Choice[float]]
    """Reward for what would have ended the episode (float; default -1.0)."""
    seeds: ForEach[Sequence[int]]
    """Seeds of the episodes, over and over: a fixed set of worlds (list of int; default [])."""
    tile_size: ForEach[int]
    """Pixels on each side of a cell in pictures (an integer from 1 to 64; default 32)."""
    agent_pov: ForEach[bool]
    """Whether pictures show what the agent sees, not the whole world (bool; default False)."""

BabyAIUnlockTask: TypeAlias = Literal["BabyAI-Unlock-v0"]

class BabyAIUnlockOptions(PoolOptions, total=False):
    """Options of BabyAI-Unlock-v0."""

    env_name: ForEach[Literal["babyai_unlock"]]
    """The class of levels, by EnvPool's name ("babyai_unlock"; default 'babyai_unlock')."""
    room_size: ForEach[int | Integers | Choice[int]]
    """Cells on each side of a room, walls included (an integer from 4 to 60; default 8)."""
    num_rows: ForEach[int | Integers | Choice[int]]
    """Rows of rooms (an integer from 1 to 10; default 3)."""
    num_cols: ForEach[int | Integers | Choice[int]]
    """Rooms in a row (an integer from 1 to 10; default 3)."""
    agent_view_size: ForEach[int]
    """Cells on each side of the agent's view, odd (an integer from 3 to 31; default 7)."""
    see_through_walls: ForEach[bool | Choice[bool | None] | None]
    """Whether the agent sees through walls; None: as the level has it (None or bool; default None)."""
    obs: ForEach[Literal["image", "full", "onehot", "rgb_partial", "rgb", "flat", "symbolic"]]
    """The form of the picture, as minigrid's wrappers make it ("image", "full", "onehot", "rgb_partial", "rgb", "flat" or "symbolic"; default 'image')."""
    obs_tile_size: ForEach[int]
    """Pixels on each side of a cell in observations (an integer from 1 to 64; default 8)."""
    image_only: ForEach[bool]
    """Whether the picture is all that is observed, without a dict (bool; default False)."""
    mission: ForEach[Literal["text", "bytes", "tokens", "none"]]
    """The form of the mission ("text", "bytes", "tokens" or "none"; default 'text')."""
    highlight: ForEach[bool | Choice[bool]]
    """Whether pictures of the whole world show what the agent sees (bool; default True)."""
    max_steps: ForEach[int | Integers | Choice[int | None] | None]
    """Steps of an episode, which rewards depend on; None: as the level has it (an integer from 1 to 4294967295 or None; default None)."""
    action_prob: ForEach[float | Uniform | Choice[float | None] | None]
    """Probability that an action is played as it is (a probability, from 0 to 1 or None; default None)."""
    random_action: ForEach[int | Integers | Choice[int | None] | None]
    """What is played otherwise; None: any action (an integer from 0 to 6 or None; default None)."""
    no_death: ForEach[list[str] | tuple[str, ...] | Choice[list[str] | tuple[str, ...]]]
    """Kinds of cells that do not end an episode: "lava", "ball", ... (list of str; default [])."""
    death_cost: ForEach[float | Uniform | Choice[float]]
    """Reward for what would have ended the episode (float; default -1.0)."""
    seeds: ForEach[Sequence[int]]
    """Seeds of the episodes, over and over: a fixed set of worlds (list of int; default [])."""
    tile_size: ForEach[int]
    """Pixels on each side of a cell in pictures (an integer from 1 to 64; default 32)."""
    agent_pov: ForEach[bool]
    """Whether pictures show what the agent sees, not the whole world (bool; default False)."""

BabyAIUnlockLocalTask: TypeAlias = Literal["BabyAI-UnlockLocal-v0", "BabyAI-UnlockLocalDist-v0"]

class BabyAIUnlockLocalOptions(PoolOptions, total=False):
    """Options of BabyAI-UnlockLocal-v0, BabyAI-UnlockLocalDist-v0."""

    env_name: ForEach[Literal["babyai_unlock_local"]]
    """The class of levels, by EnvPool's name ("babyai_unlock_local"; default 'babyai_unlock_local')."""
    distractors: ForEach[bool | Choice[bool]]
    """Whether there are objects to draw attention away (bool; default by task)."""
    agent_view_size: ForEach[int]
    """Cells on each side of the agent's view, odd (an integer from 3 to 31; default 7)."""
    see_through_walls: ForEach[bool | Choice[bool | None] | None]
    """Whether the agent sees through walls; None: as the level has it (None or bool; default None)."""
    obs: ForEach[Literal["image", "full", "onehot", "rgb_partial", "rgb", "flat", "symbolic"]]
    """The form of the picture, as minigrid's wrappers make it ("image", "full", "onehot", "rgb_partial", "rgb", "flat" or "symbolic"; default 'image')."""
    obs_tile_size: ForEach[int]
    """Pixels on each side of a cell in observations (an integer from 1 to 64; default 8)."""
    image_only: ForEach[bool]
    """Whether the picture is all that is observed, without a dict (bool; default False)."""
    mission: ForEach[Literal["text", "bytes", "tokens", "none"]]
    """The form of the mission ("text", "bytes", "tokens" or "none"; default 'text')."""
    highlight: ForEach[bool | Choice[bool]]
    """Whether pictures of the whole world show what the agent sees (bool; default True)."""
    max_steps: ForEach[int | Integers | Choice[int | None] | None]
    """Steps of an episode, which rewards depend on; None: as the level has it (an integer from 1 to 4294967295 or None; default None)."""
    action_prob: ForEach[float | Uniform | Choice[float | None] | None]
    """Probability that an action is played as it is (a probability, from 0 to 1 or None; default None)."""
    random_action: ForEach[int | Integers | Choice[int | None] | None]
    """What is played otherwise; None: any action (an integer from 0 to 6 or None; default None)."""
    no_death: ForEach[list[str] | tuple[str, ...] | Choice[list[str] | tuple[str, ...]]]
    """Kinds of cells that do not end an episode: "lava", "ball", ... (list of str; default [])."""
    death_cost: ForEach[float | Uniform | Choice[float]]
    """Reward for what would have ended the episode (float; default -1.0)."""
    seeds: ForEach[Sequence[int]]
    """Seeds of the episodes, over and over: a fixed set of worlds (list of int; default [])."""
    tile_size: ForEach[int]
    """Pixels on each side of a cell in pictures (an integer from 1 to 64; default 32)."""
    agent_pov: ForEach[bool]
    """Whether pictures show what the agent sees, not the whole world (bool; default False)."""

BabyAIKeyInBoxTask: TypeAlias = Literal["BabyAI-KeyInBox-v0"]

class BabyAIKeyInBoxOptions(PoolOptions, total=False):
    """Options of BabyAI-KeyInBox-v0."""

    env_name: ForEach[Literal["babyai_key_in_box"]]
    """The class of levels, by EnvPool's name ("babyai_key_in_box"; default 'babyai_key_in_box')."""
    agent_view_size: ForEach[int]
    """Cells on each side of the agent's view, odd (an integer from 3 to 31; default 7)."""
    see_through_walls: ForEach[bool | Choice[bool | None] | None]
    """Whether the agent sees through walls; None: as the level has it (None or bool; default None)."""
    obs: ForEach[Literal["image", "full", "onehot", "rgb_partial", "rgb", "flat", "symbolic"]]
    """The form of the picture, as minigrid's wrappers make it ("image", "full", "onehot", "rgb_partial", "rgb", "flat" or "symbolic"; default 'image')."""
    obs_tile_size: ForEach[int]
    """Pixels on each side of a cell in observations (an integer from 1 to 64; default 8)."""
    image_only: ForEach[bool]
    """Whether the picture is all that is observed, without a dict (bool; default False)."""
    mission: ForEach[Literal["text", "bytes", "tokens", "none"]]
    """The form of the mission ("text", "bytes", "tokens" or "none"; default 'text')."""
    highlight: ForEach[bool | Choice[bool]]
    """Whether pictures of the whole world show what the agent sees (bool; default True)."""
    max_steps: ForEach[int | Integers | Choice[int | None] | None]
    """Steps of an episode, which rewards depend on; None: as the level has it (an integer from 1 to 4294967295 or None; default None)."""
    action_prob: ForEach[float | Uniform | Choice[float | None] | None]
    """Probability that an action is played as it is (a probability, from 0 to 1 or None; default None)."""
    random_action: ForEach[int | Integers | Choice[int | None] | None]
    """What is played otherwise; None: any action (an integer from 0 to 6 or None; default None)."""
    no_death: ForEach[list[str] | tuple[str, ...] | Choice[list[str] | tuple[str, ...]]]
    """Kinds of cells that do not end an episode: "lava", "ball", ... (list of str; default [])."""
    death_cost: ForEach[float | Uniform | Choice[float]]
    """Reward for what would have ended the episode (float; default -1.0)."""
    seeds: ForEach[Sequence[int]]
    """Seeds of the episodes, over and over: a fixed set of worlds (list of int; default [])."""
    tile_size: ForEach[int]
    """Pixels on each side of a cell in pictures (an integer from 1 to 64; default 32)."""
    agent_pov: ForEach[bool]
    """Whether pictures show what the agent sees, not the whole world (bool; default False)."""

BabyAIUnlockPickupTask: TypeAlias = Literal["BabyAI-UnlockPickup-v0", "BabyAI-UnlockPickupDist-v0"]

class BabyAIUnlockPickupOptions(PoolOptions, total=False):
    """Options of BabyAI-UnlockPickup-v0, BabyAI-UnlockPickupDist-v0."""

    env_name: ForEach[Literal["babyai_unlock_pickup"]]
    """The class of levels, by EnvPool's name ("babyai_unlock_pickup"; default 'babyai_unlock_pickup')."""
    distractors: ForEach[bool | Choice[bool]]
    """Whether there are objects to draw attention away (bool; default by task)."""
    agent_view_size: ForEach[int]
    """Cells on each side of the agent's view, odd (an integer from 3 to 31; default 7)."""
    see_through_walls: ForEach[bool | Choice[bool | None] | None]
    """Whether the agent sees through walls; None: as the level has it (None or bool; default None)."""
    obs: ForEach[Literal["image", "full", "onehot", "rgb_partial", "rgb", "flat", "symbolic"]]
    """The form of the picture, as minigrid's wrappers make it ("image", "full", "onehot", "rgb_partial", "rgb", "flat" or "symbolic"; default 'image')."""
    obs_tile_size: ForEach[int]
    """Pixels on each side of a cell in observations (an integer from 1 to 64; default 8)."""
    image_only: ForEach[bool]
    """Whether the picture is all that is observed, without a dict (bool; default False)."""
    mission: ForEach[Literal["text", "bytes", "tokens", "none"]]
    """The form of the mission ("text", "bytes", "tokens" or "none"; default 'text')."""
    highlight: ForEach[bool | Choice[bool]]
    """Whether pictures of the whole world show what the agent sees (bool; default True)."""
    max_steps: ForEach[int | Integers | Choice[int | None] | None]
    """Steps of an episode, which rewards depend on; None: as the level has it (an integer from 1 to 4294967295 or None; default None)."""
    action_prob: ForEach[float | Uniform | Choice[float | None] | None]
    """Probability that an action is played as it is (a probability, from 0 to 1 or None; default None)."""
    random_action: ForEach[int | Integers | Choice[int | None] | None]
    """What is played otherwise; None: any action (an integer from 0 to 6 or None; default None)."""
    no_death: ForEach[list[str] | tuple[str, ...] | Choice[list[str] | tuple[str, ...]]]
    """Kinds of cells that do not end an episode: "lava", "ball", ... (list of str; default [])."""
    death_cost: ForEach[float | Uniform | Choice[float]]
    """Reward for what would have ended the episode (float; default -1.0)."""
    seeds: ForEach[Sequence[int]]
    """Seeds of the episodes, over and over: a fixed set of worlds (list of int; default [])."""
    tile_size: ForEach[int]
    """Pixels on each side of a cell in pictures (an integer from 1 to 64; default 32)."""
    agent_pov: ForEach[bool]
    """Whether pictures show what the agent sees, not the whole world (bool; default False)."""

BabyAIBlockedUnlockPickupTask: TypeAlias = Literal["BabyAI-BlockedUnlockPickup-v0"]

class BabyAIBlockedUnlockPickupOptions(PoolOptions, total=False):
    """Options of BabyAI-BlockedUnlockPickup-v0."""

    env_name: ForEach[Literal["babyai_blocked_unlock_pickup"]]
    """The class of levels, by EnvPool's name ("babyai_blocked_unlock_pickup"; default 'babyai_blocked_unlock_pickup')."""
    agent_view_size: ForEach[int]
    """Cells on each side of the agent's view, odd (an integer from 3 to 31; default 7)."""
    see_through_walls: ForEach[bool | Choice[bool | None] | None]
    """Whether the agent sees through walls; None: as the level has it (None or bool; default None)."""
    obs: ForEach[Literal["image", "full", "onehot", "rgb_partial", "rgb", "flat", "symbolic"]]
    """The form of the picture, as minigrid's wrappers make it ("image", "full", "onehot", "rgb_partial", "rgb", "flat" or "symbolic"; default 'image')."""
    obs_tile_size: ForEach[int]
    """Pixels on each side of a cell in observations (an integer from 1 to 64; default 8)."""
    image_only: ForEach[bool]
    """Whether the picture is all that is observed, without a dict (bool; default False)."""
    mission: ForEach[Literal["text", "bytes", "tokens", "none"]]
    """The form of the mission ("text", "bytes", "tokens" or "none"; default 'text')."""
    highlight: ForEach[bool | Choice[bool]]
    """Whether pictures of the whole world show what the agent sees (bool; default True)."""
    max_steps: ForEach[int | Integers | Choice[int | None] | None]
    """Steps of an episode, which rewards depend on; None: as the level has it (an integer from 1 to 4294967295 or None; default None)."""
    action_prob: ForEach[float | Uniform | Choice[float | None] | None]
    """Probability that an action is played as it is (a probability, from 0 to 1 or None; default None)."""
    random_action: ForEach[int | Integers | Choice[int | None] | None]
    """What is played otherwise; None: any action (an integer from 0 to 6 or None; default None)."""
    no_death: ForEach[list[str] | tuple[str, ...] | Choice[list[str] | tuple[str, ...]]]
    """Kinds of cells that do not end an episode: "lava", "ball", ... (list of str; default [])."""
    death_cost: ForEach[float | Uniform | Choice[float]]
    """Reward for what would have ended the episode (float; default -1.0)."""
    seeds: ForEach[Sequence[int]]
    """Seeds of the episodes, over and over: a fixed set of worlds (list of int; default [])."""
    tile_size: ForEach[int]
    """Pixels on each side of a cell in pictures (an integer from 1 to 64; default 32)."""
    agent_pov: ForEach[bool]
    """Whether pictures show what the agent sees, not the whole world (bool; default False)."""

BabyAIUnlockToUnlockTask: TypeAlias = Literal["BabyAI-UnlockToUnlock-v0"]

class BabyAIUnlockToUnlockOptions(PoolOptions, total=False):
    """Options of BabyAI-UnlockToUnlock-v0."""

    env_name: ForEach[Literal["babyai_unlock_to_unlock"]]
    """The class of levels, by EnvPool's name ("babyai_unlock_to_unlock"; default 'babyai_unlock_to_unlock')."""
    agent_view_size: ForEach[int]
    """Cells on each side of the agent's view, odd (an integer from 3 to 31; default 7)."""
    see_through_walls: ForEach[bool | Choice[bool | None] | None]
    """Whether the agent sees through walls; None: as the level has it (None or bool; default None)."""
    obs: ForEach[Literal["image", "full", "onehot", "rgb_partial", "rgb", "flat", "symbolic"]]
    """The form of the picture, as minigrid's wrappers make it ("image", "full", "onehot", "rgb_partial", "rgb", "flat" or "symbolic"; default 'image')."""
    obs_tile_size: ForEach[int]
    """Pixels on each side of a cell in observations (an integer from 1 to 64; default 8)."""
    image_only: ForEach[bool]
    """Whether the picture is all that is observed, without a dict (bool; default False)."""
    mission: ForEach[Literal["text", "bytes", "tokens", "none"]]
    """The form of the mission ("text", "bytes", "tokens" or "none"; default 'text')."""
    highlight: ForEach[bool | Choice[bool]]
    """Whether pictures of the whole world show what the agent sees (bool; default True)."""
    max_steps: ForEach[int | Integers | Choice[int | None] | None]
    """Steps of an episode, which rewards depend on; None: as the level has it (an integer from 1 to 4294967295 or None; default None)."""
    action_prob: ForEach[float | Uniform | Choice[float | None] | None]
    """Probability that an action is played as it is (a probability, from 0 to 1 or None; default None)."""
    random_action: ForEach[int | Integers | Choice[int | None] | None]
    """What is played otherwise; None: any action (an integer from 0 to 6 or None; default None)."""
    no_death: ForEach[list[str] | tuple[str, ...] | Choice[list[str] | tuple[str, ...]]]
    """Kinds of cells that do not end an episode: "lava", "ball", ... (list of str; default [])."""
    death_cost: ForEach[float | Uniform | Choice[float]]
    """Reward for what would have ended the episode (float; default -1.0)."""
    seeds: ForEach[Sequence[int]]
    """Seeds of the episodes, over and over: a fixed set of worlds (list of int; default [])."""
    tile_size: ForEach[int]
    """Pixels on each side of a cell in pictures (an integer from 1 to 64; default 32)."""
    agent_pov: ForEach[bool]
    """Whether pictures show what the agent sees, not the whole world (bool; default False)."""

BabyAIActionObjDoorTask: TypeAlias = Literal["BabyAI-ActionObjDoor-v0"]

class BabyAIActionObjDoorOptions(PoolOptions, total=False):
    """Options of BabyAI-ActionObjDoor-v0."""

    env_name: ForEach[Literal["babyai_action_obj_door"]]
    """The class of levels, by EnvPool's name ("babyai_action_obj_door"; default 'babyai_action_obj_door')."""
    agent_view_size: ForEach[int]
    """Cells on each side of the agent's view, odd (an integer from 3 to 31; default 7)."""
    see_through_walls: ForEach[bool | Choice[bool | None] | None]
    """Whether the agent sees through walls; None: as the level has it (None or bool; default None)."""
    obs: ForEach[Literal["image", "full", "onehot", "rgb_partial", "rgb", "flat", "symbolic"]]
    """The form of the picture, as minigrid's wrappers make it ("image", "full", "onehot", "rgb_partial", "rgb", "flat" or "symbolic"; default 'image')."""
    obs_tile_size: ForEach[int]
    """Pixels on each side of a cell in observations (an integer from 1 to 64; default 8)."""
    image_only: ForEach[bool]
    """Whether the picture is all that is observed, without a dict (bool; default False)."""
    mission: ForEach[Literal["text", "bytes", "tokens", "none"]]
    """The form of the mission ("text", "bytes", "tokens" or "none"; default 'text')."""
    highlight: ForEach[bool | Choice[bool]]
    """Whether pictures of the whole world show what the agent sees (bool; default True)."""
    max_steps: ForEach[int | Integers | Choice[int | None] | None]
    """Steps of an episode, which rewards depend on; None: as the level has it (an integer from 1 to 4294967295 or None; default None)."""
    action_prob: ForEach[float | Uniform | Choice[float | None] | None]
    """Probability that an action is played as it is (a probability, from 0 to 1 or None; default None)."""
    random_action: ForEach[int | Integers | Choice[int | None] | None]
    """What is played otherwise; None: any action (an integer from 0 to 6 or None; default None)."""
    no_death: ForEach[list[str] | tuple[str, ...] | Choice[list[str] | tuple[str, ...]]]
    """Kinds of cells that do not end an episode: "lava", "ball", ... (list of str; default [])."""
    death_cost: ForEach[float | Uniform | Choice[float]]
    """Reward for what would have ended the episode (float; default -1.0)."""
    seeds: ForEach[Sequence[int]]
    """Seeds of the episodes, over and over: a fixed set of worlds (list of int; default [])."""
    tile_size: ForEach[int]
    """Pixels on each side of a cell in pictures (an integer from 1 to 64; default 32)."""
    agent_pov: ForEach[bool]
    """Whether pictures show what the agent sees, not the whole world (bool; default False)."""

BabyAIFindObjS5Task: TypeAlias = Literal["BabyAI-FindObjS5-v0", "BabyAI-FindObjS6-v0", "BabyAI-FindObjS7-v0"]

class BabyAIFindObjS5Options(PoolOptions, total=False):
    """Options of BabyAI-FindObjS5-v0, BabyAI-FindObjS6-v0, BabyAI-FindObjS7-v0."""

    env_name: ForEach[Literal["babyai_find_obj"]]
    """The class of levels, by EnvPool's name ("babyai_find_obj"; default 'babyai_find_obj')."""
    room_size: ForEach[int | Integers | Choice[int]]
    """Cells on each side of a room, walls included (an integer from 4 to 60; default by task)."""
    agent_view_size: ForEach[int]
    """Cells on each side of the agent's view, odd (an integer from 3 to 31; default 7)."""
    see_through_walls: ForEach[bool | Choice[bool | None] | None]
    """Whether the agent sees through walls; None: as the level has it (None or bool; default None)."""
    obs: ForEach[Literal["image", "full", "onehot", "rgb_partial", "rgb", "flat", "symbolic"]]
    """The form of the picture, as minigrid's wrappers make it ("image", "full", "onehot", "rgb_partial", "rgb", "flat" or "symbolic"; default 'image')."""
    obs_tile_size: ForEach[int]
    """Pixels on each side of a cell in observations (an integer from 1 to 64; default 8)."""
    image_only: ForEach[bool]
    """Whether the picture is all that is observed, without a dict (bool; default False)."""
    mission: ForEach[Literal["text", "bytes", "tokens", "none"]]
    """The form of the mission ("text", "bytes", "tokens" or "none"; default 'text')."""
    highlight: ForEach[bool | Choice[bool]]
    """Whether pictures of the whole world show what the agent sees (bool; default True)."""
    max_steps: ForEach[int | Integers | Choice[int | None] | None]
    """Steps of an episode, which rewards depend on; None: as the level has it (an integer from 1 to 4294967295 or None; default None)."""
    action_prob: ForEach[float | Uniform | Choice[float | None] | None]
    """Probability that an action is played as it is (a probability, from 0 to 1 or None; default None)."""
    random_action: ForEach[int | Integers | Choice[int | None] | None]
    """What is played otherwise; None: any action (an integer from 0 to 6 or None; default None)."""
    no_death: ForEach[list[str] | tuple[str, ...] | Choice[list[str] | tuple[str, ...]]]
    """Kinds of cells that do not end an episode: "lava", "ball", ... (list of str; default [])."""
    death_cost: ForEach[float | Uniform | Choice[float]]
    """Reward for what would have ended the episode (float; default -1.0)."""
    seeds: ForEach[Sequence[int]]
    """Seeds of the episodes, over and over: a fixed set of worlds (list of int; default [])."""
    tile_size: ForEach[int]
    """Pixels on each side of a cell in pictures (an integer from 1 to 64; default 32)."""
    agent_pov: ForEach[bool]
    """Whether pictures show what the agent sees, not the whole world (bool; default False)."""

BabyAIKeyCorridorTask: TypeAlias = Literal[
    "BabyAI-KeyCorridor-v0",
    "BabyAI-KeyCorridorS3R1-v0",
    "BabyAI-KeyCorridorS3R2-v0",
    "BabyAI-KeyCorridorS3R3-v0",
    "BabyAI-KeyCorridorS4R3-v0",
    "BabyAI-KeyCorridorS5R3-v0",
    "BabyAI-KeyCorridorS6R3-v0",
]

class BabyAIKeyCorridorOptions(PoolOptions, total=False):
    """Options of BabyAI-KeyCorridor-v0, BabyAI-KeyCorridorS3R1-v0, BabyAI-KeyCorridorS3R2-v0 and 4 more."""

    env_name: ForEach[Literal["babyai_key_corridor"]]
    """The class of levels, by EnvPool's name ("babyai_key_corridor"; default 'babyai_key_corridor')."""
    room_size: ForEach[int | Integers | Choice[int]]
    """Cells on each side of a room, walls included (an integer from 3 to 60; default by task)."""
    num_rows: ForEach[int | Integers | Choice[int]]
    """Rows of rooms (an integer from 1 to 20; default by task)."""
    obj_type: ForEach[Literal["ball", "box", "key"] | Choice[Literal["ball", "box", "key"]]]
    """What is to be picked up ("ball", "box" or "key"; default 'ball')."""
    agent_view_size: ForEach[int]
    """Cells on each side of the agent's view, odd (an integer from 3 to 31; default 7)."""
    see_through_walls: ForEach[bool | Choice[bool | None] | None]
    """Whether the agent sees through walls; None: as the level has it (None or bool; default None)."""
    obs: ForEach[Literal["image", "full", "onehot", "rgb_partial", "rgb", "flat", "symbolic"]]
    """The form of the picture, as minigrid's wrappers make it ("image", "full", "onehot", "rgb_partial", "rgb", "flat" or "symbolic"; default 'image')."""
    obs_tile_size: ForEach[int]
    """Pixels on each side of a cell in observations (an integer from 1 to 64; default 8)."""
    image_only: ForEach[bool]
    """Whether the picture is all that is observed, without a dict (bool; default False)."""
    mission: ForEach[Literal["text", "bytes", "tokens", "none"]]
    """The form of the mission ("text", "bytes", "tokens" or "none"; default 'text')."""
    highlight: ForEach[bool | Choice[bool]]
    """Whether pictures of the whole world show what the agent sees (bool; default True)."""
    max_steps: ForEach[int | Integers | Choice[int | None] | None]
    """Steps of an episode, which rewards depend on; None: as the level has it (an integer from 1 to 4294967295 or None; default None)."""
    action_prob: ForEach[float | Uniform | Choice[float | None] | None]
    """Probability that an action is played as it is (a probability, from 0 to 1 or None; default None)."""
    random_action: ForEach[int | Integers | Choice[int | None] | None]
    """What is played otherwise; None: any action (an integer from 0 to 6 or None; default None)."""
    no_death: ForEach[list[str] | tuple[str, ...] | Choice[list[str] | tuple[str, ...]]]
    """Kinds of cells that do not end an episode: "lava", "ball", ... (list of str; default [])."""
    death_cost: ForEach[float | Uniform | Choice[float]]
    """Reward for what would have ended the episode (float; default -1.0)."""
    seeds: ForEach[Sequence[int]]
    """Seeds of the episodes, over and over: a fixed set of worlds (list of int; default [])."""
    tile_size: ForEach[int]
    """Pixels on each side of a cell in pictures (an integer from 1 to 64; default 32)."""
    agent_pov: ForEach[bool]
    """Whether pictures show what the agent sees, not the whole world (bool; default False)."""

BabyAIOneRoomS8Task: TypeAlias = Literal[
    "BabyAI-OneRoomS8-v0", "BabyAI-OneRoomS12-v0", "BabyAI-OneRoomS16-v0", "BabyAI-OneRoomS20-v0"
]

class BabyAIOneRoomS8Options(PoolOptions, total=False):
    """Options of BabyAI-OneRoomS8-v0, BabyAI-OneRoomS12-v0, BabyAI-OneRoomS16-v0 and 1 more."""

    env_name: ForEach[Literal["babyai_one_room"]]
    """The class of levels, by EnvPool's name ("babyai_one_room"; default 'babyai_one_room')."""
    room_size: ForEach[int | Integers | Choice[int]]
    """Cells on each side of a room, walls included (an integer from 4 to 60; default by task)."""
    agent_view_size: ForEach[int]
    """Cells on each side of the agent's view, odd (an integer from 3 to 31; default 7)."""
    see_through_walls: ForEach[bool | Choice[bool | None] | None]
    """Whether the agent sees through walls; None: as the level has it (None or bool; default None)."""
    obs: ForEach[Literal["image", "full", "onehot", "rgb_partial", "rgb", "flat", "symbolic"]]
    """The form of the picture, as minigrid's wrappers make it ("image", "full", "onehot", "rgb_partial", "rgb", "flat" or "symbolic"; default 'image')."""
    obs_tile_size: ForEach[int]
    """Pixels on each side of a cell in observations (an integer from 1 to 64; default 8)."""
    image_only: ForEach[bool]
    """Whether the picture is all that is observed, without a dict (bool; default False)."""
    mission: ForEach[Literal["text", "bytes", "tokens", "none"]]
    """The form of the mission ("text", "bytes", "tokens" or "none"; default 'text')."""
    highlight: ForEach[bool | Choice[bool]]
    """Whether pictures of the whole world show what the agent sees (bool; default True)."""
    max_steps: ForEach[int | Integers | Choice[int | None] | None]
    """Steps of an episode, which rewards depend on; None: as the level has it (an integer from 1 to 4294967295 or None; default None)."""
    action_prob: ForEach[float | Uniform | Choice[float | None] | None]
    """Probability that an action is played as it is (a probability, from 0 to 1 or None; default None)."""
    random_action: ForEach[int | Integers | Choice[int | None] | None]
    """What is played otherwise; None: any action (an integer from 0 to 6 or None; default None)."""
    no_death: ForEach[list[str] | tuple[str, ...] | Choice[list[str] | tuple[str, ...]]]
    """Kinds of cells that do not end an episode: "lava", "ball", ... (list of str; default [])."""
    death_cost: ForEach[float | Uniform | Choice[float]]
    """Reward for what would have ended the episode (float; default -1.0)."""
    seeds: ForEach[Sequence[int]]
    """Seeds of the episodes, over and over: a fixed set of worlds (list of int; default [])."""
    tile_size: ForEach[int]
    """Pixels on each side of a cell in pictures (an integer from 1 to 64; default 32)."""
    agent_pov: ForEach[bool]
    """Whether pictures show what the agent sees, not the whole world (bool; default False)."""

BabyAIGoToSeqTask: TypeAlias = Literal["BabyAI-GoToSeq-v0", "BabyAI-GoToSeqS5R2-v0"]

class BabyAIGoToSeqOptions(PoolOptions, total=False):
    """Options of BabyAI-GoToSeq-v0, BabyAI-GoToSeqS5R2-v0."""

    env_name: ForEach[Literal["babyai_goto_seq"]]
    """The class of levels, by EnvPool's name ("babyai_goto_seq"; default 'babyai_goto_seq')."""
    room_size: ForEach[int | Integers | Choice[int]]
    """Cells on each side of a room, walls included (an integer from 4 to 60; default by task)."""
    num_rows: ForEach[int | Integers | Choice[int]]
    """Rows of rooms (an integer from 1 to 10; default by task)."""
    num_cols: ForEach[int | Integers | Choice[int]]
    """Rooms in a row (an integer from 1 to 10; default by task)."""
    num_dists: ForEach[int | Integers | Choice[int]]
    """Objects to draw attention away (an integer from 0 to 100; default by task)."""
    locked_room_prob: ForEach[float | Uniform | Choice[float]]
    """Probability that a room is locked (a probability, from 0 to 1; default 0.0)."""
    locations: ForEach[bool | Choice[bool]]
    """Whether errands may say where something lies (bool; default False)."""
    unblocking: ForEach[bool | Choice[bool]]
    """Whether ways may be blocked (bool; default False)."""
    implicit_unlock: ForEach[bool | Choice[bool]]
    """Whether errands may be all about what is locked in (bool; default True)."""
    action_kinds: ForEach[list[str] | tuple[str, ...] | Choice[list[str] | tuple[str, ...]]]
    """What may be asked for (list of str; default ['goto'])."""
    instr_kinds: ForEach[list[str] | tuple[str, ...] | Choice[list[str] | tuple[str, ...]]]
    """How errands may be put together (list of str; default ['action', 'and', 'seq'])."""
    agent_view_size: ForEach[int]
    """Cells on each side of the agent's view, odd (an integer from 3 to 31; default 7)."""
    see_through_walls: ForEach[bool | Choice[bool | None] | None]
    """Whether the agent sees through walls; None: as the level has it (None or bool; default None)."""
    obs: ForEach[Literal["image", "full", "onehot", "rgb_partial", "rgb", "flat", "symbolic"]]
    """The form of the picture, as minigrid's wrappers make it ("image", "full", "onehot", "rgb_partial", "rgb", "flat" or "symbolic"; default 'image')."""
    obs_tile_size: ForEach[int]
    """Pixels on each side of a cell in observations (an integer from 1 to 64; default 8)."""
    image_only: ForEach[bool]
    """Whether the picture is all that is observed, without a dict (bool; default False)."""
    mission: ForEach[Literal["text", "bytes", "tokens", "none"]]
    """The form of the mission ("text", "bytes", "tokens" or "none"; default 'text')."""
    highlight: ForEach[bool | Choice[bool]]
    """Whether pictures of the whole world show what the agent sees (bool; default True)."""
    max_steps: ForEach[int | Integers | Choice[int | None] | None]
    """Steps of an episode, which rewards depend on; None: as the level has it (an integer from 1 to 4294967295 or None; default None)."""
    action_prob: ForEach[float | Uniform | Choice[float | None] | None]
    """Probability that an action is played as it is (a probability, from 0 to 1 or None; default None)."""
    random_action: ForEach[int | Integers | Choice[int | None] | None]
    """What is played otherwise; None: any action (an integer from 0 to 6 or None; default None)."""
    no_death: ForEach[list[str] | tuple[str, ...] | Choice[list[str] | tuple[str, ...]]]
    """Kinds of cells that do not end an episode: "lava", "ball", ... (list of str; default [])."""
    death_cost: ForEach[float | Uniform | Choice[float]]
    """Reward for what would have ended the episode (float; default -1.0)."""
    seeds: ForEach[Sequence[int]]
    """Seeds of the episodes, over and over: a fixed set of worlds (list of int; default [])."""
    tile_size: ForEach[int]
    """Pixels on each side of a cell in pictures (an integer from 1 to 64; default 32)."""
    agent_pov: ForEach[bool]
    """Whether pictures show what the agent sees, not the whole world (bool; default False)."""

BabyAISynthTask: TypeAlias = Literal["BabyAI-Synth-v0", "BabyAI-SynthS5R2-v0"]

class BabyAISynthOptions(PoolOptions, total=False):
    """Options of BabyAI-Synth-v0, BabyAI-SynthS5R2-v0."""

    env_name: ForEach[Literal["babyai_synth"]]
    """The class of levels, by EnvPool's name ("babyai_synth"; default 'babyai_synth')."""
    room_size: ForEach[int | Integers | Choice[int]]
    """Cells on each side of a room, walls included (an integer from 4 to 60; default by task)."""
    num_rows: ForEach[int | Integers | Choice[int]]
    """Rows of rooms (an integer from 1 to 10; default by task)."""
    num_cols: ForEach[int | Integers | Choice[int]]
    """Rooms in a row (an integer from 1 to 10; default 3)."""
    num_dists: ForEach[int | Integers | Choice[int]]
    """Objects to draw attention away (an integer from 0 to 100; default 18)."""
    locked_room_prob: ForEach[float | Uniform | Choice[float]]
    """Probability that a room is locked (a probability, from 0 to 1; default 0.5)."""
    locations: ForEach[bool | Choice[bool]]
    """Whether errands may say where something lies (bool; default False)."""
    unblocking: ForEach[bool | Choice[bool]]
    """Whether ways may be blocked (bool; default True)."""
    implicit_unlock: ForEach[bool | Choice[bool]]
    """Whether errands may be all about what is locked in (bool; default False)."""
    action_kinds: ForEach[list[str] | tuple[str, ...] | Choice[list[str] | tuple[str, ...]]]
    """What may be asked for (list of str; default ['goto', 'pickup', 'open', 'putnext'])."""
    instr_kinds: ForEach[list[str] | tuple[str, ...] | Choice[list[str] | tuple[str, ...]]]
    """How errands may be put together (list of str; default ['action'])."""
    agent_view_size: ForEach[int]
    """Cells on each side of the agent's view, odd (an integer from 3 to 31; default 7)."""
    see_through_walls: ForEach[bool | Choice[bool | None] | None]
    """Whether the agent sees through walls; None: as the level has it (None or bool; default None)."""
    obs: ForEach[Literal["image", "full", "onehot", "rgb_partial", "rgb", "flat", "symbolic"]]
    """The form of the picture, as minigrid's wrappers make it ("image", "full", "onehot", "rgb_partial", "rgb", "flat" or "symbolic"; default 'image')."""
    obs_tile_size: ForEach[int]
    """Pixels on each side of a cell in observations (an integer from 1 to 64; default 8)."""
    image_only: ForEach[bool]
    """Whether the picture is all that is observed, without a dict (bool; default False)."""
    mission: ForEach[Literal["text", "bytes", "tokens", "none"]]
    """The form of the mission ("text", "bytes", "tokens" or "none"; default 'text')."""
    highlight: ForEach[bool | Choice[bool]]
    """Whether pictures of the whole world show what the agent sees (bool; default True)."""
    max_steps: ForEach[int | Integers | Choice[int | None] | None]
    """Steps of an episode, which rewards depend on; None: as the level has it (an integer from 1 to 4294967295 or None; default None)."""
    action_prob: ForEach[float | Uniform | Choice[float | None] | None]
    """Probability that an action is played as it is (a probability, from 0 to 1 or None; default None)."""
    random_action: ForEach[int | Integers | Choice[int | None] | None]
    """What is played otherwise; None: any action (an integer from 0 to 6 or None; default None)."""
    no_death: ForEach[list[str] | tuple[str, ...] | Choice[list[str] | tuple[str, ...]]]
    """Kinds of cells that do not end an episode: "lava", "ball", ... (list of str; default [])."""
    death_cost: ForEach[float | Uniform | Choice[float]]
    """Reward for what would have ended the episode (float; default -1.0)."""
    seeds: ForEach[Sequence[int]]
    """Seeds of the episodes, over and over: a fixed set of worlds (list of int; default [])."""
    tile_size: ForEach[int]
    """Pixels on each side of a cell in pictures (an integer from 1 to 64; default 32)."""
    agent_pov: ForEach[bool]
    """Whether pictures show what the agent sees, not the whole world (bool; default False)."""

BabyAISynthLocTask: TypeAlias = Literal["BabyAI-SynthLoc-v0"]

class BabyAISynthLocOptions(PoolOptions, total=False):
    """Options of BabyAI-SynthLoc-v0."""

    env_name: ForEach[Literal["babyai_synth_loc"]]
    """The class of levels, by EnvPool's name ("babyai_synth_loc"; default 'babyai_synth_loc')."""
    room_size: ForEach[int | Integers | Choice[int]]
    """Cells on each side of a room, walls included (an integer from 4 to 60; default 8)."""
    num_rows: ForEach[int | Integers | Choice[int]]
    """Rows of rooms (an integer from 1 to 10; default 3)."""
    num_cols: ForEach[int | Integers | Choice[int]]
    """Rooms in a row (an integer from 1 to 10; default 3)."""
    num_dists: ForEach[int | Integers | Choice[int]]
    """Objects to draw attention away (an integer from 0 to 100; default 18)."""
    locked_room_prob: ForEach[float | Uniform | Choice[float]]
    """Probability that a room is locked (a probability, from 0 to 1; default 0.5)."""
    locations: ForEach[bool | Choice[bool]]
    """Whether errands may say where something lies (bool; default True)."""
    unblocking: ForEach[bool | Choice[bool]]
    """Whether ways may be blocked (bool; default True)."""
    implicit_unlock: ForEach[bool | Choice[bool]]
    """Whether errands may be all about what is locked in (bool; default False)."""
    action_kinds: ForEach[list[str] | tuple[str, ...] | Choice[list[str] | tuple[str, ...]]]
    """What may be asked for (list of str; default ['goto', 'pickup', 'open', 'putnext'])."""
    instr_kinds: ForEach[list[str] | tuple[str, ...] | Choice[list[str] | tuple[str, ...]]]
    """How errands may be put together (list of str; default ['action'])."""
    agent_view_size: ForEach[int]
    """Cells on each side of the agent's view, odd (an integer from 3 to 31; default 7)."""
    see_through_walls: ForEach[bool | Choice[bool | None] | None]
    """Whether the agent sees through walls; None: as the level has it (None or bool; default None)."""
    obs: ForEach[Literal["image", "full", "onehot", "rgb_partial", "rgb", "flat", "symbolic"]]
    """The form of the picture, as minigrid's wrappers make it ("image", "full", "onehot", "rgb_partial", "rgb", "flat" or "symbolic"; default 'image')."""
    obs_tile_size: ForEach[int]
    """Pixels on each side of a cell in observations (an integer from 1 to 64; default 8)."""
    image_only: ForEach[bool]
    """Whether the picture is all that is observed, without a dict (bool; default False)."""
    mission: ForEach[Literal["text", "bytes", "tokens", "none"]]
    """The form of the mission ("text", "bytes", "tokens" or "none"; default 'text')."""
    highlight: ForEach[bool | Choice[bool]]
    """Whether pictures of the whole world show what the agent sees (bool; default True)."""
    max_steps: ForEach[int | Integers | Choice[int | None] | None]
    """Steps of an episode, which rewards depend on; None: as the level has it (an integer from 1 to 4294967295 or None; default None)."""
    action_prob: ForEach[float | Uniform | Choice[float | None] | None]
    """Probability that an action is played as it is (a probability, from 0 to 1 or None; default None)."""
    random_action: ForEach[int | Integers | Choice[int | None] | None]
    """What is played otherwise; None: any action (an integer from 0 to 6 or None; default None)."""
    no_death: ForEach[list[str] | tuple[str, ...] | Choice[list[str] | tuple[str, ...]]]
    """Kinds of cells that do not end an episode: "lava", "ball", ... (list of str; default [])."""
    death_cost: ForEach[float | Uniform | Choice[float]]
    """Reward for what would have ended the episode (float; default -1.0)."""
    seeds: ForEach[Sequence[int]]
    """Seeds of the episodes, over and over: a fixed set of worlds (list of int; default [])."""
    tile_size: ForEach[int]
    """Pixels on each side of a cell in pictures (an integer from 1 to 64; default 32)."""
    agent_pov: ForEach[bool]
    """Whether pictures show what the agent sees, not the whole world (bool; default False)."""

BabyAISynthSeqTask: TypeAlias = Literal["BabyAI-SynthSeq-v0"]

class BabyAISynthSeqOptions(PoolOptions, total=False):
    """Options of BabyAI-SynthSeq-v0."""

    env_name: ForEach[Literal["babyai_synth_seq"]]
    """The class of levels, by EnvPool's name ("babyai_synth_seq"; default 'babyai_synth_seq')."""
    room_size: ForEach[int | Integers | Choice[int]]
    """Cells on each side of a room, walls included (an integer from 4 to 60; default 8)."""
    num_rows: ForEach[int | Integers | Choice[int]]
    """Rows of rooms (an integer from 1 to 10; default 3)."""
    num_cols: ForEach[int | Integers | Choice[int]]
    """Rooms in a row (an integer from 1 to 10; default 3)."""
    num_dists: ForEach[int | Integers | Choice[int]]
    """Objects to draw attention away (an integer from 0 to 100; default 18)."""
    locked_room_prob: ForEach[float | Uniform | Choice[float]]
    """Probability that a room is locked (a probability, from 0 to 1; default 0.5)."""
    locations: ForEach[bool | Choice[bool]]
    """Whether errands may say where something lies (bool; default True)."""
    unblocking: ForEach[bool | Choice[bool]]
    """Whether ways may be blocked (bool; default True)."""
    implicit_unlock: ForEach[bool | Choice[bool]]
    """Whether errands may be all about what is locked in (bool; default False)."""
    action_kinds: ForEach[list[str] | tuple[str, ...] | Choice[list[str] | tuple[str, ...]]]
    """What may be asked for (list of str; default ['goto', 'pickup', 'open', 'putnext'])."""
    instr_kinds: ForEach[list[str] | tuple[str, ...] | Choice[list[str] | tuple[str, ...]]]
    """How errands may be put together (list of str; default ['action', 'and', 'seq'])."""
    agent_view_size: ForEach[int]
    """Cells on each side of the agent's view, odd (an integer from 3 to 31; default 7)."""
    see_through_walls: ForEach[bool | Choice[bool | None] | None]
    """Whether the agent sees through walls; None: as the level has it (None or bool; default None)."""
    obs: ForEach[Literal["image", "full", "onehot", "rgb_partial", "rgb", "flat", "symbolic"]]
    """The form of the picture, as minigrid's wrappers make it ("image", "full", "onehot", "rgb_partial", "rgb", "flat" or "symbolic"; default 'image')."""
    obs_tile_size: ForEach[int]
    """Pixels on each side of a cell in observations (an integer from 1 to 64; default 8)."""
    image_only: ForEach[bool]
    """Whether the picture is all that is observed, without a dict (bool; default False)."""
    mission: ForEach[Literal["text", "bytes", "tokens", "none"]]
    """The form of the mission ("text", "bytes", "tokens" or "none"; default 'text')."""
    highlight: ForEach[bool | Choice[bool]]
    """Whether pictures of the whole world show what the agent sees (bool; default True)."""
    max_steps: ForEach[int | Integers | Choice[int | None] | None]
    """Steps of an episode, which rewards depend on; None: as the level has it (an integer from 1 to 4294967295 or None; default None)."""
    action_prob: ForEach[float | Uniform | Choice[float | None] | None]
    """Probability that an action is played as it is (a probability, from 0 to 1 or None; default None)."""
    random_action: ForEach[int | Integers | Choice[int | None] | None]
    """What is played otherwise; None: any action (an integer from 0 to 6 or None; default None)."""
    no_death: ForEach[list[str] | tuple[str, ...] | Choice[list[str] | tuple[str, ...]]]
    """Kinds of cells that do not end an episode: "lava", "ball", ... (list of str; default [])."""
    death_cost: ForEach[float | Uniform | Choice[float]]
    """Reward for what would have ended the episode (float; default -1.0)."""
    seeds: ForEach[Sequence[int]]
    """Seeds of the episodes, over and over: a fixed set of worlds (list of int; default [])."""
    tile_size: ForEach[int]
    """Pixels on each side of a cell in pictures (an integer from 1 to 64; default 32)."""
    agent_pov: ForEach[bool]
    """Whether pictures show what the agent sees, not the whole world (bool; default False)."""

BabyAIPickupLocTask: TypeAlias = Literal["BabyAI-PickupLoc-v0"]

class BabyAIPickupLocOptions(PoolOptions, total=False):
    """Options of BabyAI-PickupLoc-v0."""

    env_name: ForEach[Literal["babyai_pickup_loc"]]
    """The class of levels, by EnvPool's name ("babyai_pickup_loc"; default 'babyai_pickup_loc')."""
    room_size: ForEach[int | Integers | Choice[int]]
    """Cells on each side of a room, walls included (an integer from 4 to 60; default 8)."""
    num_rows: ForEach[int | Integers | Choice[int]]
    """Rows of rooms (an integer from 1 to 10; default 1)."""
    num_cols: ForEach[int | Integers | Choice[int]]
    """Rooms in a row (an integer from 1 to 10; default 1)."""
    num_dists: ForEach[int | Integers | Choice[int]]
    """Objects to draw attention away (an integer from 0 to 100; default 8)."""
    locked_room_prob: ForEach[float | Uniform | Choice[float]]
    """Probability that a room is locked (a probability, from 0 to 1; default 0.0)."""
    locations: ForEach[bool | Choice[bool]]
    """Whether errands may say where something lies (bool; default True)."""
    unblocking: ForEach[bool | Choice[bool]]
    """Whether ways may be blocked (bool; default False)."""
    implicit_unlock: ForEach[bool | Choice[bool]]
    """Whether errands may be all about what is locked in (bool; default True)."""
    action_kinds: ForEach[list[str] | tuple[str, ...] | Choice[list[str] | tuple[str, ...]]]
    """What may be asked for (list of str; default ['pickup'])."""
    instr_kinds: ForEach[list[str] | tuple[str, ...] | Choice[list[str] | tuple[str, ...]]]
    """How errands may be put together (list of str; default ['action'])."""
    agent_view_size: ForEach[int]
    """Cells on each side of the agent's view, odd (an integer from 3 to 31; default 7)."""
    see_through_walls: ForEach[bool | Choice[bool | None] | None]
    """Whether the agent sees through walls; None: as the level has it (None or bool; default None)."""
    obs: ForEach[Literal["image", "full", "onehot", "rgb_partial", "rgb", "flat", "symbolic"]]
    """The form of the picture, as minigrid's wrappers make it ("image", "full", "onehot", "rgb_partial", "rgb", "flat" or "symbolic"; default 'image')."""
    obs_tile_size: ForEach[int]
    """Pixels on each side of a cell in observations (an integer from 1 to 64; default 8)."""
    image_only: ForEach[bool]
    """Whether the picture is all that is observed, without a dict (bool; default False)."""
    mission: ForEach[Literal["text", "bytes", "tokens", "none"]]
    """The form of the mission ("text", "bytes", "tokens" or "none"; default 'text')."""
    highlight: ForEach[bool | Choice[bool]]
    """Whether pictures of the whole world show what the agent sees (bool; default True)."""
    max_steps: ForEach[int | Integers | Choice[int | None] | None]
    """Steps of an episode, which rewards depend on; None: as the level has it (an integer from 1 to 4294967295 or None; default None)."""
    action_prob: ForEach[float | Uniform | Choice[float | None] | None]
    """Probability that an action is played as it is (a probability, from 0 to 1 or None; default None)."""
    random_action: ForEach[int | Integers | Choice[int | None] | None]
    """What is played otherwise; None: any action (an integer from 0 to 6 or None; default None)."""
    no_death: ForEach[list[str] | tuple[str, ...] | Choice[list[str] | tuple[str, ...]]]
    """Kinds of cells that do not end an episode: "lava", "ball", ... (list of str; default [])."""
    death_cost: ForEach[float | Uniform | Choice[float]]
    """Reward for what would have ended the episode (float; default -1.0)."""
    seeds: ForEach[Sequence[int]]
    """Seeds of the episodes, over and over: a fixed set of worlds (list of int; default [])."""
    tile_size: ForEach[int]
    """Pixels on each side of a cell in pictures (an integer from 1 to 64; default 32)."""
    agent_pov: ForEach[bool]
    """Whether pictures show what the agent sees, not the whole world (bool; default False)."""

BabyAIMiniBossLevelTask: TypeAlias = Literal["BabyAI-MiniBossLevel-v0"]

class BabyAIMiniBossLevelOptions(PoolOptions, total=False):
    """Options of BabyAI-MiniBossLevel-v0."""

    env_name: ForEach[Literal["babyai_mini_boss_level"]]
    """The class of levels, by EnvPool's name ("babyai_mini_boss_level"; default 'babyai_mini_boss_level')."""
    room_size: ForEach[int | Integers | Choice[int]]
    """Cells on each side of a room, walls included (an integer from 4 to 60; default 5)."""
    num_rows: ForEach[int | Integers | Choice[int]]
    """Rows of rooms (an integer from 1 to 10; default 2)."""
    num_cols: ForEach[int | Integers | Choice[int]]
    """Rooms in a row (an integer from 1 to 10; default 2)."""
    num_dists: ForEach[int | Integers | Choice[int]]
    """Objects to draw attention away (an integer from 0 to 100; default 7)."""
    locked_room_prob: ForEach[float | Uniform | Choice[float]]
    """Probability that a room is locked (a probability, from 0 to 1; default 0.25)."""
    locations: ForEach[bool | Choice[bool]]
    """Whether errands may say where something lies (bool; default True)."""
    unblocking: ForEach[bool | Choice[bool]]
    """Whether ways may be blocked (bool; default True)."""
    implicit_unlock: ForEach[bool | Choice[bool]]
    """Whether errands may be all about what is locked in (bool; default True)."""
    action_kinds: ForEach[list[str] | tuple[str, ...] | Choice[list[str] | tuple[str, ...]]]
    """What may be asked for (list of str; default ['goto', 'pickup', 'open', 'putnext'])."""
    instr_kinds: ForEach[list[str] | tuple[str, ...] | Choice[list[str] | tuple[str, ...]]]
    """How errands may be put together (list of str; default ['action', 'and', 'seq'])."""
    agent_view_size: ForEach[int]
    """Cells on each side of the agent's view, odd (an integer from 3 to 31; default 7)."""
    see_through_walls: ForEach[bool | Choice[bool | None] | None]
    """Whether the agent sees through walls; None: as the level has it (None or bool; default None)."""
    obs: ForEach[Literal["image", "full", "onehot", "rgb_partial", "rgb", "flat", "symbolic"]]
    """The form of the picture, as minigrid's wrappers make it ("image", "full", "onehot", "rgb_partial", "rgb", "flat" or "symbolic"; default 'image')."""
    obs_tile_size: ForEach[int]
    """Pixels on each side of a cell in observations (an integer from 1 to 64; default 8)."""
    image_only: ForEach[bool]
    """Whether the picture is all that is observed, without a dict (bool; default False)."""
    mission: ForEach[Literal["text", "bytes", "tokens", "none"]]
    """The form of the mission ("text", "bytes", "tokens" or "none"; default 'text')."""
    highlight: ForEach[bool | Choice[bool]]
    """Whether pictures of the whole world show what the agent sees (bool; default True)."""
    max_steps: ForEach[int | Integers | Choice[int | None] | None]
    """Steps of an episode, which rewards depend on; None: as the level has it (an integer from 1 to 4294967295 or None; default None)."""
    action_prob: ForEach[float | Uniform | Choice[float | None] | None]
    """Probability that an action is played as it is (a probability, from 0 to 1 or None; default None)."""
    random_action: ForEach[int | Integers | Choice[int | None] | None]
    """What is played otherwise; None: any action (an integer from 0 to 6 or None; default None)."""
    no_death: ForEach[list[str] | tuple[str, ...] | Choice[list[str] | tuple[str, ...]]]
    """Kinds of cells that do not end an episode: "lava", "ball", ... (list of str; default [])."""
    death_cost: ForEach[float | Uniform | Choice[float]]
    """Reward for what would have ended the episode (float; default -1.0)."""
    seeds: ForEach[Sequence[int]]
    """Seeds of the episodes, over and over: a fixed set of worlds (list of int; default [])."""
    tile_size: ForEach[int]
    """Pixels on each side of a cell in pictures (an integer from 1 to 64; default 32)."""
    agent_pov: ForEach[bool]
    """Whether pictures show what the agent sees, not the whole world (bool; default False)."""

BabyAIBossLevelTask: TypeAlias = Literal["BabyAI-BossLevel-v0"]

class BabyAIBossLevelOptions(PoolOptions, total=False):
    """Options of BabyAI-BossLevel-v0."""

    env_name: ForEach[Literal["babyai_boss_level"]]
    """The class of levels, by EnvPool's name ("babyai_boss_level"; default 'babyai_boss_level')."""
    room_size: ForEach[int | Integers | Choice[int]]
    """Cells on each side of a room, walls included (an integer from 4 to 60; default 8)."""
    num_rows: ForEach[int | Integers | Choice[int]]
    """Rows of rooms (an integer from 1 to 10; default 3)."""
    num_cols: ForEach[int | Integers | Choice[int]]
    """Rooms in a row (an integer from 1 to 10; default 3)."""
    num_dists: ForEach[int | Integers | Choice[int]]
    """Objects to draw attention away (an integer from 0 to 100; default 18)."""
    locked_room_prob: ForEach[float | Uniform | Choice[float]]
    """Probability that a room is locked (a probability, from 0 to 1; default 0.5)."""
    locations: ForEach[bool | Choice[bool]]
    """Whether errands may say where something lies (bool; default True)."""
    unblocking: ForEach[bool | Choice[bool]]
    """Whether ways may be blocked (bool; default True)."""
    implicit_unlock: ForEach[bool | Choice[bool]]
    """Whether errands may be all about what is locked in (bool; default True)."""
    action_kinds: ForEach[list[str] | tuple[str, ...] | Choice[list[str] | tuple[str, ...]]]
    """What may be asked for (list of str; default ['goto', 'pickup', 'open', 'putnext'])."""
    instr_kinds: ForEach[list[str] | tuple[str, ...] | Choice[list[str] | tuple[str, ...]]]
    """How errands may be put together (list of str; default ['action', 'and', 'seq'])."""
    agent_view_size: ForEach[int]
    """Cells on each side of the agent's view, odd (an integer from 3 to 31; default 7)."""
    see_through_walls: ForEach[bool | Choice[bool | None] | None]
    """Whether the agent sees through walls; None: as the level has it (None or bool; default None)."""
    obs: ForEach[Literal["image", "full", "onehot", "rgb_partial", "rgb", "flat", "symbolic"]]
    """The form of the picture, as minigrid's wrappers make it ("image", "full", "onehot", "rgb_partial", "rgb", "flat" or "symbolic"; default 'image')."""
    obs_tile_size: ForEach[int]
    """Pixels on each side of a cell in observations (an integer from 1 to 64; default 8)."""
    image_only: ForEach[bool]
    """Whether the picture is all that is observed, without a dict (bool; default False)."""
    mission: ForEach[Literal["text", "bytes", "tokens", "none"]]
    """The form of the mission ("text", "bytes", "tokens" or "none"; default 'text')."""
    highlight: ForEach[bool | Choice[bool]]
    """Whether pictures of the whole world show what the agent sees (bool; default True)."""
    max_steps: ForEach[int | Integers | Choice[int | None] | None]
    """Steps of an episode, which rewards depend on; None: as the level has it (an integer from 1 to 4294967295 or None; default None)."""
    action_prob: ForEach[float | Uniform | Choice[float | None] | None]
    """Probability that an action is played as it is (a probability, from 0 to 1 or None; default None)."""
    random_action: ForEach[int | Integers | Choice[int | None] | None]
    """What is played otherwise; None: any action (an integer from 0 to 6 or None; default None)."""
    no_death: ForEach[list[str] | tuple[str, ...] | Choice[list[str] | tuple[str, ...]]]
    """Kinds of cells that do not end an episode: "lava", "ball", ... (list of str; default [])."""
    death_cost: ForEach[float | Uniform | Choice[float]]
    """Reward for what would have ended the episode (float; default -1.0)."""
    seeds: ForEach[Sequence[int]]
    """Seeds of the episodes, over and over: a fixed set of worlds (list of int; default [])."""
    tile_size: ForEach[int]
    """Pixels on each side of a cell in pictures (an integer from 1 to 64; default 32)."""
    agent_pov: ForEach[bool]
    """Whether pictures show what the agent sees, not the whole world (bool; default False)."""

BabyAIBossLevelNoUnlockTask: TypeAlias = Literal["BabyAI-BossLevelNoUnlock-v0"]

class BabyAIBossLevelNoUnlockOptions(PoolOptions, total=False):
    """Options of BabyAI-BossLevelNoUnlock-v0."""

    env_name: ForEach[Literal["babyai_boss_level_no_unlock"]]
    """The class of levels, by EnvPool's name ("babyai_boss_level_no_unlock"; default 'babyai_boss_level_no_unlock')."""
    room_size: ForEach[int | Integers | Choice[int]]
    """Cells on each side of a room, walls included (an integer from 4 to 60; default 8)."""
    num_rows: ForEach[int | Integers | Choice[int]]
    """Rows of rooms (an integer from 1 to 10; default 3)."""
    num_cols: ForEach[int | Integers | Choice[int]]
    """Rooms in a row (an integer from 1 to 10; default 3)."""
    num_dists: ForEach[int | Integers | Choice[int]]
    """Objects to draw attention away (an integer from 0 to 100; default 18)."""
    locked_room_prob: ForEach[float | Uniform | Choice[float]]
    """Probability that a room is locked (a probability, from 0 to 1; default 0.0)."""
    locations: ForEach[bool | Choice[bool]]
    """Whether errands may say where something lies (bool; default True)."""
    unblocking: ForEach[bool | Choice[bool]]
    """Whether ways may be blocked (bool; default True)."""
    implicit_unlock: ForEach[bool | Choice[bool]]
    """Whether errands may be all about what is locked in (bool; default False)."""
    action_kinds: ForEach[list[str] | tuple[str, ...] | Choice[list[str] | tuple[str, ...]]]
    """What may be asked for (list of str; default ['goto', 'pickup', 'open', 'putnext'])."""
    instr_kinds: ForEach[list[str] | tuple[str, ...] | Choice[list[str] | tuple[str, ...]]]
    """How errands may be put together (list of str; default ['action', 'and', 'seq'])."""
    agent_view_size: ForEach[int]
    """Cells on each side of the agent's view, odd (an integer from 3 to 31; default 7)."""
    see_through_walls: ForEach[bool | Choice[bool | None] | None]
    """Whether the agent sees through walls; None: as the level has it (None or bool; default None)."""
    obs: ForEach[Literal["image", "full", "onehot", "rgb_partial", "rgb", "flat", "symbolic"]]
    """The form of the picture, as minigrid's wrappers make it ("image", "full", "onehot", "rgb_partial", "rgb", "flat" or "symbolic"; default 'image')."""
    obs_tile_size: ForEach[int]
    """Pixels on each side of a cell in observations (an integer from 1 to 64; default 8)."""
    image_only: ForEach[bool]
    """Whether the picture is all that is observed, without a dict (bool; default False)."""
    mission: ForEach[Literal["text", "bytes", "tokens", "none"]]
    """The form of the mission ("text", "bytes", "tokens" or "none"; default 'text')."""
    highlight: ForEach[bool | Choice[bool]]
    """Whether pictures of the whole world show what the agent sees (bool; default True)."""
    max_steps: ForEach[int | Integers | Choice[int | None] | None]
    """Steps of an episode, which rewards depend on; None: as the level has it (an integer from 1 to 4294967295 or None; default None)."""
    action_prob: ForEach[float | Uniform | Choice[float | None] | None]
    """Probability that an action is played as it is (a probability, from 0 to 1 or None; default None)."""
    random_action: ForEach[int | Integers | Choice[int | None] | None]
    """What is played otherwise; None: any action (an integer from 0 to 6 or None; default None)."""
    no_death: ForEach[list[str] | tuple[str, ...] | Choice[list[str] | tuple[str, ...]]]
    """Kinds of cells that do not end an episode: "lava", "ball", ... (list of str; default [])."""
    death_cost: ForEach[float | Uniform | Choice[float]]
    """Reward for what would have ended the episode (float; default -1.0)."""
    seeds: ForEach[Sequence[int]]
    """Seeds of the episodes, over and over: a fixed set of worlds (list of int; default [])."""
    tile_size: ForEach[int]
    """Pixels on each side of a cell in pictures (an integer from 1 to 64; default 32)."""
    agent_pov: ForEach[bool]
    """Whether pictures show what the agent sees, not the whole world (bool; default False)."""

AntTask: TypeAlias = Literal["Ant-v5"]

class AntOptions(PoolOptions, total=False):
    """Options of Ant-v5."""

    xml_file: ForEach[str]
    """The model, a file of xml_dir or a path that begins with ., / or ~ (str; default 'ant.xml')."""
    xml_dir: ForEach[str | None]
    """Folder of xml_file; None: that of the installed gymnasium (None or str; default None)."""
    frame_skip: ForEach[int]
    """Steps of the simulation in each step (an integer from 1 to 65536; default 5)."""
    frame_stack: ForEach[int]
    """Observations in one, the newest last; 1 adds no axis (an integer from 1 to 1024; default 1)."""
    physics: ForEach[Literal["auto", "libmujoco", "native"]]
    """Who steps: MuJoCo's library, or steps of this package's own (native), with the same bits; auto: native where it can ("auto", "libmujoco" or "native"; default 'auto')."""
    post_constraint: ForEach[bool]
    """Whether outer forces on bodies are computed after steps; False: they are 0 (bool; default True)."""
    forward_reward_weight: ForEach[float | Uniform | Choice[float]]
    """Weight of the speed along x in the reward (float; default 1.0)."""
    ctrl_cost_weight: ForEach[float | Uniform | Choice[float]]
    """Weight of the action's squares in the cost (float; default 0.5)."""
    contact_cost_weight: ForEach[float | Uniform | Choice[float]]
    """Weight of the squares of outer forces in the cost (float; default 0.0005)."""
    main_body: ForEach[int | str]
    """The body whose speed counts, by number or name (an integer from 0 to 1048576 or a str; default 1)."""
    healthy_z_range: ForEach[Sequence[float] | None]
    """Heights that are healthy; None: from healthy_z_min to healthy_z_max (two numbers, the first not above the second or None; default None)."""
    healthy_z_min: ForEach[float | Uniform | Choice[float]]
    """The lowest height that is healthy, in m (float; default 0.2)."""
    healthy_z_max: ForEach[float | Uniform | Choice[float]]
    """The highest height that is healthy, in m (float; default 1.0)."""
    contact_force_range: ForEach[Sequence[float] | None]
    """Bounds that outer forces are cut off at; None: contact_force_min and contact_force_max (two numbers, the first not above the second or None; default None)."""
    contact_force_min: ForEach[float | Uniform | Choice[float]]
    """Lower bound that outer forces are cut off at (float; default -1.0)."""
    contact_force_max: ForEach[float | Uniform | Choice[float]]
    """Upper bound that outer forces are cut off at (float; default 1.0)."""
    reset_noise_scale: ForEach[float | Uniform | Choice[float]]
    """How far positions and velocities of a reset may be from the model's own (float from 0 to 179769313486231570000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000; default 0.1)."""
    exclude_current_positions_from_observation: ForEach[bool]
    """Whether the coordinates of the robot's place are left out (bool; default True)."""
    include_cfrc_ext_in_observation: ForEach[bool]
    """Whether outer forces are observed (and, in version 4, cost anything) (bool; default True)."""
    use_contact_force: ForEach[bool | None]
    """EnvPool's name of the option before; None: as that says (None or bool; default None)."""
    exclude_worldbody_contact_forces: ForEach[bool]
    """Whether outer forces on the world are not observed (bool; default True)."""
    healthy_reward: ForEach[float | Uniform | Choice[float]]
    """Reward of each step that leaves the robot healthy (float; default 1.0)."""
    terminate_when_unhealthy: ForEach[bool]
    """Whether an episode ends where the robot is not healthy (bool; default True)."""
    legacy_healthy_reward: ForEach[bool]
    """Whether healthy_reward is also paid for the step that ends an episode, as version 4 does (bool; default False)."""
    from_pixels: ForEach[bool]
    """Whether pictures are what is observed: uint8 (3 * frame_stack, render_height, render_width), the newest last (bool; default False)."""
    camera_name: ForEach[str | None]
    """One of the model's cameras by its name (None or str; default None)."""
    default_camera: ForEach[Literal["free", "track"]]
    """The camera of those who name none: "free" stands still, "track" is the model's of that name, if it has one ("free" or "track"; default 'free')."""
    gymnasium_v5_render_camera: ForEach[bool]
    """Whether a free camera stands where gymnasium places it for the robot; False: as far away as the model reaches (bool; default True)."""
    camera_lookat: ForEach[Sequence[float] | None]
    """The point that a free camera looks at, in metres (None or list of float; default None)."""
    camera_distance: ForEach[float | None]
    """How far from it a free camera is, in metres (None or float; default None)."""
    camera_azimuth: ForEach[float | None]
    """Direction of a free camera in degrees (None or float; default None)."""
    camera_elevation: ForEach[float | None]
    """Elevation of a free camera in degrees (None or float; default None)."""
    camera_orthographic: ForEach[bool | None]
    """Whether a free camera sees without perspective (None or bool; default None)."""
    max_geom: ForEach[int]
    """Shapes that are drawn at most (an integer from 1 to 1000000; default 1000)."""
    visual_options: ForEach[Sequence[int] | None]
    """Numbers of MuJoCo's mjtVisFlag, each followed by 1 or 0 (None or list of int; default None)."""
    render_shadows: ForEach[bool]
    """Whether there are shadows (bool; default True)."""
    render_shadow_size: ForEach[int | None]
    """Side of the map of shadows in pixels; None: the model's number (an integer from 1 to 16384 or None; default None)."""
    render_reflections: ForEach[bool]
    """Whether mirrors reflect (bool; default True)."""
    render_skybox: ForEach[bool]
    """Whether the model's sky is drawn (bool; default True)."""
    render_haze: ForEach[bool]
    """Whether there is haze at the horizon (bool; default True)."""
    render_textures: ForEach[bool]
    """Whether surfaces have their textures (bool; default True)."""
    render_multisamples: ForEach[int | None]
    """Samples of each pixel; None: the model's number; 0: edges are jagged (an integer from 0 to 16 or None; default None)."""
    width: ForEach[int | None]
    """Gymnasium's name for render_width (int or None; default 'None')."""
    height: ForEach[int | None]
    """Gymnasium's name for render_height (int or None; default 'None')."""
    camera_id: ForEach[int | None]
    """Gymnasium's name for render_camera_id (int or None; default 'None')."""
    default_camera_config: ForEach[Mapping[Any, Any] | None]
    """Gymnasium's: a free camera's lookat, distance and so on (dict or None; default 'None')."""

AntV4Task: TypeAlias = Literal["Ant-v4", "Ant-v3"]

class AntV4Options(PoolOptions, total=False):
    """Options of Ant-v4, Ant-v3."""

    xml_file: ForEach[str]
    """The model, a file of xml_dir or a path that begins with ., / or ~ (str; default 'ant.xml')."""
    xml_dir: ForEach[str | None]
    """Folder of xml_file; None: that of the installed gymnasium (None or str; default None)."""
    frame_skip: ForEach[int]
    """Steps of the simulation in each step (an integer from 1 to 65536; default 5)."""
    frame_stack: ForEach[int]
    """Observations in one, the newest last; 1 adds no axis (an integer from 1 to 1024; default 1)."""
    physics: ForEach[Literal["auto", "libmujoco", "native"]]
    """Who steps: MuJoCo's library, or steps of this package's own (native), with the same bits; auto: native where it can ("auto", "libmujoco" or "native"; default 'auto')."""
    post_constraint: ForEach[bool]
    """Whether outer forces on bodies are computed after steps; False: they are 0 (bool; default True)."""
    forward_reward_weight: ForEach[float | Uniform | Choice[float]]
    """Weight of the speed along x in the reward (float; default 1.0)."""
    ctrl_cost_weight: ForEach[float | Uniform | Choice[float]]
    """Weight of the action's squares in the cost (float; default 0.5)."""
    contact_cost_weight: ForEach[float | Uniform | Choice[float]]
    """Weight of the squares of outer forces in the cost (float; default 0.0005)."""
    main_body: ForEach[int | str]
    """The body whose speed counts, by number or name (an integer from 0 to 1048576 or a str; default 1)."""
    healthy_z_range: ForEach[Sequence[float] | None]
    """Heights that are healthy; None: from healthy_z_min to healthy_z_max (two numbers, the first not above the second or None; default None)."""
    healthy_z_min: ForEach[float | Uniform | Choice[float]]
    """The lowest height that is healthy, in m (float; default 0.2)."""
    healthy_z_max: ForEach[float | Uniform | Choice[float]]
    """The highest height that is healthy, in m (float; default 1.0)."""
    contact_force_range: ForEach[Sequence[float] | None]
    """Bounds that outer forces are cut off at; None: contact_force_min and contact_force_max (two numbers, the first not above the second or None; default None)."""
    contact_force_min: ForEach[float | Uniform | Choice[float]]
    """Lower bound that outer forces are cut off at (float; default -1.0)."""
    contact_force_max: ForEach[float | Uniform | Choice[float]]
    """Upper bound that outer forces are cut off at (float; default 1.0)."""
    reset_noise_scale: ForEach[float | Uniform | Choice[float]]
    """How far positions and velocities of a reset may be from the model's own (float from 0 to 179769313486231570000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000; default 0.1)."""
    exclude_current_positions_from_observation: ForEach[bool]
    """Whether the coordinates of the robot's place are left out (bool; default True)."""
    use_contact_forces: ForEach[bool]
    """Whether outer forces are observed (and, in version 4, cost anything) (bool; default by task)."""
    use_contact_force: ForEach[bool | None]
    """EnvPool's name of the option before; None: as that says (None or bool; default None)."""
    exclude_worldbody_contact_forces: ForEach[bool]
    """Whether outer forces on the world are not observed (bool; default False)."""
    healthy_reward: ForEach[float | Uniform | Choice[float]]
    """Reward of each step that leaves the robot healthy (float; default 1.0)."""
    terminate_when_unhealthy: ForEach[bool]
    """Whether an episode ends where the robot is not healthy (bool; default True)."""
    legacy_healthy_reward: ForEach[bool]
    """Whether healthy_reward is also paid for the step that ends an episode, as version 4 does (bool; default True)."""
    from_pixels: ForEach[bool]
    """Whether pictures are what is observed: uint8 (3 * frame_stack, render_height, render_width), the newest last (bool; default False)."""
    camera_name: ForEach[str | None]
    """One of the model's cameras by its name (None or str; default None)."""
    default_camera: ForEach[Literal["free", "track"]]
    """The camera of those who name none: "free" stands still, "track" is the model's of that name, if it has one ("free" or "track"; default 'free')."""
    gymnasium_v5_render_camera: ForEach[bool]
    """Whether a free camera stands where gymnasium places it for the robot; False: as far away as the model reaches (bool; default True)."""
    camera_lookat: ForEach[Sequence[float] | None]
    """The point that a free camera looks at, in metres (None or list of float; default None)."""
    camera_distance: ForEach[float | None]
    """How far from it a free camera is, in metres (None or float; default None)."""
    camera_azimuth: ForEach[float | None]
    """Direction of a free camera in degrees (None or float; default None)."""
    camera_elevation: ForEach[float | None]
    """Elevation of a free camera in degrees (None or float; default None)."""
    camera_orthographic: ForEach[bool | None]
    """Whether a free camera sees without perspective (None or bool; default None)."""
    max_geom: ForEach[int]
    """Shapes that are drawn at most (an integer from 1 to 1000000; default 1000)."""
    visual_options: ForEach[Sequence[int] | None]
    """Numbers of MuJoCo's mjtVisFlag, each followed by 1 or 0 (None or list of int; default None)."""
    render_shadows: ForEach[bool]
    """Whether there are shadows (bool; default True)."""
    render_shadow_size: ForEach[int | None]
    """Side of the map of shadows in pixels; None: the model's number (an integer from 1 to 16384 or None; default None)."""
    render_reflections: ForEach[bool]
    """Whether mirrors reflect (bool; default True)."""
    render_skybox: ForEach[bool]
    """Whether the model's sky is drawn (bool; default True)."""
    render_haze: ForEach[bool]
    """Whether there is haze at the horizon (bool; default True)."""
    render_textures: ForEach[bool]
    """Whether surfaces have their textures (bool; default True)."""
    render_multisamples: ForEach[int | None]
    """Samples of each pixel; None: the model's number; 0: edges are jagged (an integer from 0 to 16 or None; default None)."""
    width: ForEach[int | None]
    """Gymnasium's name for render_width (int or None; default 'None')."""
    height: ForEach[int | None]
    """Gymnasium's name for render_height (int or None; default 'None')."""
    camera_id: ForEach[int | None]
    """Gymnasium's name for render_camera_id (int or None; default 'None')."""
    default_camera_config: ForEach[Mapping[Any, Any] | None]
    """Gymnasium's: a free camera's lookat, distance and so on (dict or None; default 'None')."""

HalfCheetahTask: TypeAlias = Literal[
    "HalfCheetah-v5", "HalfCheetah-v4", "HalfCheetah-v3", "Swimmer-v5", "Swimmer-v4", "Swimmer-v3"
]

class HalfCheetahOptions(PoolOptions, total=False):
    """Options of HalfCheetah-v5, HalfCheetah-v4, HalfCheetah-v3 and 3 more."""

    xml_file: ForEach[str]
    """The model, a file of xml_dir or a path that begins with ., / or ~ (str; default by task)."""
    xml_dir: ForEach[str | None]
    """Folder of xml_file; None: that of the installed gymnasium (None or str; default None)."""
    frame_skip: ForEach[int]
    """Steps of the simulation in each step (an integer from 1 to 65536; default by task)."""
    frame_stack: ForEach[int]
    """Observations in one, the newest last; 1 adds no axis (an integer from 1 to 1024; default 1)."""
    physics: ForEach[Literal["auto", "libmujoco", "native"]]
    """Who steps: MuJoCo's library, or steps of this package's own (native), with the same bits; auto: native where it can ("auto", "libmujoco" or "native"; default 'auto')."""
    post_constraint: ForEach[bool]
    """Whether outer forces on bodies are computed after steps; False: they are 0 (bool; default True)."""
    forward_reward_weight: ForEach[float | Uniform | Choice[float]]
    """Weight of the speed along x in the reward (float; default 1.0)."""
    ctrl_cost_weight: ForEach[float | Uniform | Choice[float]]
    """Weight of the action's squares in the cost (float; default by task)."""
    reset_noise_scale: ForEach[float | Uniform | Choice[float]]
    """How far positions and velocities of a reset may be from the model's own (float from 0 to 179769313486231570000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000; default 0.1)."""
    exclude_current_positions_from_observation: ForEach[bool]
    """Whether the coordinates of the robot's place are left out (bool; default True)."""
    from_pixels: ForEach[bool]
    """Whether pictures are what is observed: uint8 (3 * frame_stack, render_height, render_width), the newest last (bool; default False)."""
    camera_name: ForEach[str | None]
    """One of the model's cameras by its name (None or str; default None)."""
    default_camera: ForEach[Literal["free", "track"]]
    """The camera of those who name none: "free" stands still, "track" is the model's of that name, if it has one ("free" or "track"; default 'free')."""
    gymnasium_v5_render_camera: ForEach[bool]
    """Whether a free camera stands where gymnasium places it for the robot; False: as far away as the model reaches (bool; default True)."""
    camera_lookat: ForEach[Sequence[float] | None]
    """The point that a free camera looks at, in metres (None or list of float; default None)."""
    camera_distance: ForEach[float | None]
    """How far from it a free camera is, in metres (None or float; default None)."""
    camera_azimuth: ForEach[float | None]
    """Direction of a free camera in degrees (None or float; default None)."""
    camera_elevation: ForEach[float | None]
    """Elevation of a free camera in degrees (None or float; default None)."""
    camera_orthographic: ForEach[bool | None]
    """Whether a free camera sees without perspective (None or bool; default None)."""
    max_geom: ForEach[int]
    """Shapes that are drawn at most (an integer from 1 to 1000000; default 1000)."""
    visual_options: ForEach[Sequence[int] | None]
    """Numbers of MuJoCo's mjtVisFlag, each followed by 1 or 0 (None or list of int; default None)."""
    render_shadows: ForEach[bool]
    """Whether there are shadows (bool; default True)."""
    render_shadow_size: ForEach[int | None]
    """Side of the map of shadows in pixels; None: the model's number (an integer from 1 to 16384 or None; default None)."""
    render_reflections: ForEach[bool]
    """Whether mirrors reflect (bool; default True)."""
    render_skybox: ForEach[bool]
    """Whether the model's sky is drawn (bool; default True)."""
    render_haze: ForEach[bool]
    """Whether there is haze at the horizon (bool; default True)."""
    render_textures: ForEach[bool]
    """Whether surfaces have their textures (bool; default True)."""
    render_multisamples: ForEach[int | None]
    """Samples of each pixel; None: the model's number; 0: edges are jagged (an integer from 0 to 16 or None; default None)."""
    width: ForEach[int | None]
    """Gymnasium's name for render_width (int or None; default 'None')."""
    height: ForEach[int | None]
    """Gymnasium's name for render_height (int or None; default 'None')."""
    camera_id: ForEach[int | None]
    """Gymnasium's name for render_camera_id (int or None; default 'None')."""
    default_camera_config: ForEach[Mapping[Any, Any] | None]
    """Gymnasium's: a free camera's lookat, distance and so on (dict or None; default 'None')."""

HopperTask: TypeAlias = Literal["Hopper-v5", "Hopper-v4", "Hopper-v3"]

class HopperOptions(PoolOptions, total=False):
    """Options of Hopper-v5, Hopper-v4, Hopper-v3."""

    xml_file: ForEach[str]
    """The model, a file of xml_dir or a path that begins with ., / or ~ (str; default 'hopper.xml')."""
    xml_dir: ForEach[str | None]
    """Folder of xml_file; None: that of the installed gymnasium (None or str; default None)."""
    frame_skip: ForEach[int]
    """Steps of the simulation in each step (an integer from 1 to 65536; default 4)."""
    frame_stack: ForEach[int]
    """Observations in one, the newest last; 1 adds no axis (an integer from 1 to 1024; default 1)."""
    physics: ForEach[Literal["auto", "libmujoco", "native"]]
    """Who steps: MuJoCo's library, or steps of this package's own (native), with the same bits; auto: native where it can ("auto", "libmujoco" or "native"; default 'auto')."""
    post_constraint: ForEach[bool]
    """Whether outer forces on bodies are computed after steps; False: they are 0 (bool; default True)."""
    forward_reward_weight: ForEach[float | Uniform | Choice[float]]
    """Weight of the speed along x in the reward (float; default 1.0)."""
    ctrl_cost_weight: ForEach[float | Uniform | Choice[float]]
    """Weight of the action's squares in the cost (float; default 0.001)."""
    healthy_reward: ForEach[float | Uniform | Choice[float]]
    """Reward of each step that leaves the robot healthy (float; default 1.0)."""
    terminate_when_unhealthy: ForEach[bool]
    """Whether an episode ends where the robot is not healthy (bool; default True)."""
    legacy_healthy_reward: ForEach[bool]
    """Whether healthy_reward is also paid for the step that ends an episode, as version 4 does (bool; default by task)."""
    healthy_state_range: ForEach[Sequence[float] | None]
    """What positions and velocities beyond the first two are within; None: healthy_state_min and healthy_state_max (two numbers, the first not above the second or None; default None)."""
    healthy_state_min: ForEach[float | Uniform | Choice[float]]
    """What positions and velocities beyond the first two are above (float; default -100.0)."""
    healthy_state_max: ForEach[float | Uniform | Choice[float]]
    """What positions and velocities beyond the first two are below (float; default 100.0)."""
    healthy_z_range: ForEach[Sequence[float] | None]
    """Heights that are healthy; None: those above healthy_z_min (two numbers, the first not above the second or None; default None)."""
    healthy_z_min: ForEach[float | Uniform | Choice[float]]
    """Heights above it are healthy, in m (float; default 0.7)."""
    healthy_angle_range: ForEach[Sequence[float] | None]
    """Angles that are healthy; None: between healthy_angle_min and healthy_angle_max (two numbers, the first not above the second or None; default None)."""
    healthy_angle_min: ForEach[float | Uniform | Choice[float]]
    """Angles above it are healthy, in rad (float; default -0.2)."""
    healthy_angle_max: ForEach[float | Uniform | Choice[float]]
    """Angles below it are healthy, in rad (float; default 0.2)."""
    velocity_min: ForEach[float | Uniform | Choice[float]]
    """Lower bound of the velocities observed (float; default -10.0)."""
    velocity_max: ForEach[float | Uniform | Choice[float]]
    """Upper bound of the velocities observed (float; default 10.0)."""
    reset_noise_scale: ForEach[float | Uniform | Choice[float]]
    """How far positions and velocities of a reset may be from the model's own (float from 0 to 179769313486231570000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000; default 0.005)."""
    exclude_current_positions_from_observation: ForEach[bool]
    """Whether the coordinates of the robot's place are left out (bool; default True)."""
    from_pixels: ForEach[bool]
    """Whether pictures are what is observed: uint8 (3 * frame_stack, render_height, render_width), the newest last (bool; default False)."""
    camera_name: ForEach[str | None]
    """One of the model's cameras by its name (None or str; default None)."""
    default_camera: ForEach[Literal["free", "track"]]
    """The camera of those who name none: "free" stands still, "track" is the model's of that name, if it has one ("free" or "track"; default 'free')."""
    gymnasium_v5_render_camera: ForEach[bool]
    """Whether a free camera stands where gymnasium places it for the robot; False: as far away as the model reaches (bool; default True)."""
    camera_lookat: ForEach[Sequence[float] | None]
    """The point that a free camera looks at, in metres (None or list of float; default None)."""
    camera_distance: ForEach[float | None]
    """How far from it a free camera is, in metres (None or float; default None)."""
    camera_azimuth: ForEach[float | None]
    """Direction of a free camera in degrees (None or float; default None)."""
    camera_elevation: ForEach[float | None]
    """Elevation of a free camera in degrees (None or float; default None)."""
    camera_orthographic: ForEach[bool | None]
    """Whether a free camera sees without perspective (None or bool; default None)."""
    max_geom: ForEach[int]
    """Shapes that are drawn at most (an integer from 1 to 1000000; default 1000)."""
    visual_options: ForEach[Sequence[int] | None]
    """Numbers of MuJoCo's mjtVisFlag, each followed by 1 or 0 (None or list of int; default None)."""
    render_shadows: ForEach[bool]
    """Whether there are shadows (bool; default True)."""
    render_shadow_size: ForEach[int | None]
    """Side of the map of shadows in pixels; None: the model's number (an integer from 1 to 16384 or None; default None)."""
    render_reflections: ForEach[bool]
    """Whether mirrors reflect (bool; default True)."""
    render_skybox: ForEach[bool]
    """Whether the model's sky is drawn (bool; default True)."""
    render_haze: ForEach[bool]
    """Whether there is haze at the horizon (bool; default True)."""
    render_textures: ForEach[bool]
    """Whether surfaces have their textures (bool; default True)."""
    render_multisamples: ForEach[int | None]
    """Samples of each pixel; None: the model's number; 0: edges are jagged (an integer from 0 to 16 or None; default None)."""
    width: ForEach[int | None]
    """Gymnasium's name for render_width (int or None; default 'None')."""
    height: ForEach[int | None]
    """Gymnasium's name for render_height (int or None; default 'None')."""
    camera_id: ForEach[int | None]
    """Gymnasium's name for render_camera_id (int or None; default 'None')."""
    default_camera_config: ForEach[Mapping[Any, Any] | None]
    """Gymnasium's: a free camera's lookat, distance and so on (dict or None; default 'None')."""

HumanoidTask: TypeAlias = Literal["Humanoid-v5", "Humanoid-v4", "Humanoid-v3"]

class HumanoidOptions(PoolOptions, total=False):
    """Options of Humanoid-v5, Humanoid-v4, Humanoid-v3."""

    xml_file: ForEach[str]
    """The model, a file of xml_dir or a path that begins with ., / or ~ (str; default 'humanoid.xml')."""
    xml_dir: ForEach[str | None]
    """Folder of xml_file; None: that of the installed gymnasium (None or str; default None)."""
    frame_skip: ForEach[int]
    """Steps of the simulation in each step (an integer from 1 to 65536; default 5)."""
    frame_stack: ForEach[int]
    """Observations in one, the newest last; 1 adds no axis (an integer from 1 to 1024; default 1)."""
    physics: ForEach[Literal["auto", "libmujoco", "native"]]
    """Who steps: MuJoCo's library, or steps of this package's own (native), with the same bits; auto: native where it can ("auto", "libmujoco" or "native"; default 'auto')."""
    post_constraint: ForEach[bool]
    """Whether outer forces on bodies are computed after steps; False: they are 0 (bool; default True)."""
    forward_reward_weight: ForEach[float | Uniform | Choice[float]]
    """Weight of the speed along x in the reward (float; default 1.25)."""
    ctrl_cost_weight: ForEach[float | Uniform | Choice[float]]
    """Weight of the controls' squares in the cost (float; default 0.1)."""
    contact_cost_weight: ForEach[float | Uniform | Choice[float]]
    """Weight of the squares of outer forces in the cost (float; default 5e-07)."""
    contact_cost_range: ForEach[Sequence[float] | None]
    """Bounds that the cost of outer forces is cut off at; None: contact_cost_max above (two numbers, the first not above the second or None; default None)."""
    contact_cost_max: ForEach[float | Uniform | Choice[float]]
    """Upper bound of the cost of outer forces (float; default 10.0)."""
    use_contact_force: ForEach[bool]
    """Whether outer forces cost anything (bool; default by task)."""
    healthy_reward: ForEach[float | Uniform | Choice[float]]
    """Reward of each step that leaves the robot healthy (float; default 5.0)."""
    terminate_when_unhealthy: ForEach[bool]
    """Whether an episode ends where the robot is not healthy (bool; default True)."""
    legacy_healthy_reward: ForEach[bool]
    """Whether healthy_reward is also paid for the step that ends an episode, as version 4 does (bool; default by task)."""
    healthy_z_range: ForEach[Sequence[float] | None]
    """Heights that are healthy; None: between healthy_z_min and healthy_z_max (two numbers, the first not above the second or None; default None)."""
    healthy_z_min: ForEach[float | Uniform | Choice[float]]
    """Heights above it are healthy, in m (float; default 1.0)."""
    healthy_z_max: ForEach[float | Uniform | Choice[float]]
    """Heights below it are healthy, in m (float; default 2.0)."""
    reset_noise_scale: ForEach[float | Uniform | Choice[float]]
    """How far positions and velocities of a reset may be from the model's own (float from 0 to 179769313486231570000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000; default 0.01)."""
    exclude_current_positions_from_observation: ForEach[bool]
    """Whether the coordinates of the robot's place are left out (bool; default True)."""
    include_cinert_in_observation: ForEach[bool]
    """Whether the bodies' inertias are observed (bool; default True)."""
    include_cvel_in_observation: ForEach[bool]
    """Whether the bodies' velocities are observed (bool; default True)."""
    include_qfrc_actuator_in_observation: ForEach[bool]
    """Whether the actuators' forces are observed (bool; default True)."""
    include_cfrc_ext_in_observation: ForEach[bool]
    """Whether outer forces are observed (bool; default True)."""
    exclude_worldbody_observations: ForEach[bool]
    """Whether the world is left out of what is observed of bodies (bool; default by task)."""
    exclude_root_actuator_forces: ForEach[bool]
    """Whether the root is left out of the actuators' forces (bool; default by task)."""
    from_pixels: ForEach[bool]
    """Whether pictures are what is observed: uint8 (3 * frame_stack, render_height, render_width), the newest last (bool; default False)."""
    camera_name: ForEach[str | None]
    """One of the model's cameras by its name (None or str; default None)."""
    default_camera: ForEach[Literal["free", "track"]]
    """The camera of those who name none: "free" stands still, "track" is the model's of that name, if it has one ("free" or "track"; default 'free')."""
    gymnasium_v5_render_camera: ForEach[bool]
    """Whether a free camera stands where gymnasium places it for the robot; False: as far away as the model reaches (bool; default True)."""
    camera_lookat: ForEach[Sequence[float] | None]
    """The point that a free camera looks at, in metres (None or list of float; default None)."""
    camera_distance: ForEach[float | None]
    """How far from it a free camera is, in metres (None or float; default None)."""
    camera_azimuth: ForEach[float | None]
    """Direction of a free camera in degrees (None or float; default None)."""
    camera_elevation: ForEach[float | None]
    """Elevation of a free camera in degrees (None or float; default None)."""
    camera_orthographic: ForEach[bool | None]
    """Whether a free camera sees without perspective (None or bool; default None)."""
    max_geom: ForEach[int]
    """Shapes that are drawn at most (an integer from 1 to 1000000; default 1000)."""
    visual_options: ForEach[Sequence[int] | None]
    """Numbers of MuJoCo's mjtVisFlag, each followed by 1 or 0 (None or list of int; default None)."""
    render_shadows: ForEach[bool]
    """Whether there are shadows (bool; default True)."""
    render_shadow_size: ForEach[int | None]
    """Side of the map of shadows in pixels; None: the model's number (an integer from 1 to 16384 or None; default None)."""
    render_reflections: ForEach[bool]
    """Whether mirrors reflect (bool; default True)."""
    render_skybox: ForEach[bool]
    """Whether the model's sky is drawn (bool; default True)."""
    render_haze: ForEach[bool]
    """Whether there is haze at the horizon (bool; default True)."""
    render_textures: ForEach[bool]
    """Whether surfaces have their textures (bool; default True)."""
    render_multisamples: ForEach[int | None]
    """Samples of each pixel; None: the model's number; 0: edges are jagged (an integer from 0 to 16 or None; default None)."""
    width: ForEach[int | None]
    """Gymnasium's name for render_width (int or None; default 'None')."""
    height: ForEach[int | None]
    """Gymnasium's name for render_height (int or None; default 'None')."""
    camera_id: ForEach[int | None]
    """Gymnasium's name for render_camera_id (int or None; default 'None')."""
    default_camera_config: ForEach[Mapping[Any, Any] | None]
    """Gymnasium's: a free camera's lookat, distance and so on (dict or None; default 'None')."""

HumanoidStandupTask: TypeAlias = Literal["HumanoidStandup-v5", "HumanoidStandup-v4", "HumanoidStandup-v2"]

class HumanoidStandupOptions(PoolOptions, total=False):
    """Options of HumanoidStandup-v5, HumanoidStandup-v4, HumanoidStandup-v2."""

    xml_file: ForEach[str]
    """The model, a file of xml_dir or a path that begins with ., / or ~ (str; default 'humanoidstandup.xml')."""
    xml_dir: ForEach[str | None]
    """Folder of xml_file; None: that of the installed gymnasium (None or str; default None)."""
    frame_skip: ForEach[int]
    """Steps of the simulation in each step (an integer from 1 to 65536; default 5)."""
    frame_stack: ForEach[int]
    """Observations in one, the newest last; 1 adds no axis (an integer from 1 to 1024; default 1)."""
    physics: ForEach[Literal["auto", "libmujoco", "native"]]
    """Who steps: MuJoCo's library, or steps of this package's own (native), with the same bits; auto: native where it can ("auto", "libmujoco" or "native"; default 'auto')."""
    post_constraint: ForEach[bool]
    """Whether outer forces on bodies are computed after steps; False: they are 0 (bool; default True)."""
    uph_cost_weight: ForEach[float | Uniform | Choice[float]]
    """Without effect, as in gymnasium (float; default 1.0)."""
    ctrl_cost_weight: ForEach[float | Uniform | Choice[float]]
    """Weight of the controls' squares in the cost (float; default 0.1)."""
    impact_cost_weight: ForEach[float | Uniform | Choice[float]]
    """Weight of the squares of outer forces in the cost (float; default 5e-07)."""
    forward_reward_weight: ForEach[float | Uniform | Choice[float]]
    """Weight of the height in the reward, which gymnasium has not (float; default 1.0)."""
    healthy_reward: ForEach[float | Uniform | Choice[float]]
    """Reward of each step as such, which is 1 in gymnasium (float; default 1.0)."""
    contact_cost_weight: ForEach[float | None]
    """EnvPool's name of impact_cost_weight; None: as that says (None or float; default None)."""
    impact_cost_range: ForEach[Sequence[float] | None]
    """Bounds that the cost of outer forces is cut off at; None: contact_cost_max above (two numbers, the first not above the second or None; default None)."""
    contact_cost_max: ForEach[float | Uniform | Choice[float]]
    """Upper bound of the cost of outer forces (float; default 10.0)."""
    reset_noise_scale: ForEach[float | Uniform | Choice[float]]
    """How far positions and velocities of a reset may be from the model's own (float from 0 to 179769313486231570000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000; default 0.01)."""
    exclude_current_positions_from_observation: ForEach[bool]
    """Whether the coordinates of the robot's place are left out (bool; default True)."""
    include_cinert_in_observation: ForEach[bool]
    """Whether the bodies' inertias are observed (bool; default True)."""
    include_cvel_in_observation: ForEach[bool]
    """Whether the bodies' velocities are observed (bool; default True)."""
    include_qfrc_actuator_in_observation: ForEach[bool]
    """Whether the actuators' forces are observed (bool; default True)."""
    include_cfrc_ext_in_observation: ForEach[bool]
    """Whether outer forces are observed (bool; default True)."""
    exclude_worldbody_observations: ForEach[bool]
    """Whether the world is left out of what is observed of bodies (bool; default by task)."""
    exclude_root_actuator_forces: ForEach[bool]
    """Whether the root is left out of the actuators' forces (bool; default by task)."""
    from_pixels: ForEach[bool]
    """Whether pictures are what is observed: uint8 (3 * frame_stack, render_height, render_width), the newest last (bool; default False)."""
    camera_name: ForEach[str | None]
    """One of the model's cameras by its name (None or str; default None)."""
    default_camera: ForEach[Literal["free", "track"]]
    """The camera of those who name none: "free" stands still, "track" is the model's of that name, if it has one ("free" or "track"; default 'free')."""
    gymnasium_v5_render_camera: ForEach[bool]
    """Whether a free camera stands where gymnasium places it for the robot; False: as far away as the model reaches (bool; default True)."""
    camera_lookat: ForEach[Sequence[float] | None]
    """The point that a free camera looks at, in metres (None or list of float; default None)."""
    camera_distance: ForEach[float | None]
    """How far from it a free camera is, in metres (None or float; default None)."""
    camera_azimuth: ForEach[float | None]
    """Direction of a free camera in degrees (None or float; default None)."""
    camera_elevation: ForEach[float | None]
    """Elevation of a free camera in degrees (None or float; default None)."""
    camera_orthographic: ForEach[bool | None]
    """Whether a free camera sees without perspective (None or bool; default None)."""
    max_geom: ForEach[int]
    """Shapes that are drawn at most (an integer from 1 to 1000000; default 1000)."""
    visual_options: ForEach[Sequence[int] | None]
    """Numbers of MuJoCo's mjtVisFlag, each followed by 1 or 0 (None or list of int; default None)."""
    render_shadows: ForEach[bool]
    """Whether there are shadows (bool; default True)."""
    render_shadow_size: ForEach[int | None]
    """Side of the map of shadows in pixels; None: the model's number (an integer from 1 to 16384 or None; default None)."""
    render_reflections: ForEach[bool]
    """Whether mirrors reflect (bool; default True)."""
    render_skybox: ForEach[bool]
    """Whether the model's sky is drawn (bool; default True)."""
    render_haze: ForEach[bool]
    """Whether there is haze at the horizon (bool; default True)."""
    render_textures: ForEach[bool]
    """Whether surfaces have their textures (bool; default True)."""
    render_multisamples: ForEach[int | None]
    """Samples of each pixel; None: the model's number; 0: edges are jagged (an integer from 0 to 16 or None; default None)."""
    width: ForEach[int | None]
    """Gymnasium's name for render_width (int or None; default 'None')."""
    height: ForEach[int | None]
    """Gymnasium's name for render_height (int or None; default 'None')."""
    camera_id: ForEach[int | None]
    """Gymnasium's name for render_camera_id (int or None; default 'None')."""
    default_camera_config: ForEach[Mapping[Any, Any] | None]
    """Gymnasium's: a free camera's lookat, distance and so on (dict or None; default 'None')."""

InvertedDoublePendulumTask: TypeAlias = Literal[
    "InvertedDoublePendulum-v5", "InvertedDoublePendulum-v4", "InvertedDoublePendulum-v2"
]

class InvertedDoublePendulumOptions(PoolOptions, total=False):
    """Options of InvertedDoublePendulum-v5, InvertedDoublePendulum-v4, InvertedDoublePendulum-v2."""

    xml_file: ForEach[str]
    """The model, a file of xml_dir or a path that begins with ., / or ~ (str; default 'inverted_double_pendulum.xml')."""
    xml_dir: ForEach[str | None]
    """Folder of xml_file; None: that of the installed gymnasium (None or str; default None)."""
    frame_skip: ForEach[int]
    """Steps of the simulation in each step (an integer from 1 to 65536; default 5)."""
    frame_stack: ForEach[int]
    """Observations in one, the newest last; 1 adds no axis (an integer from 1 to 1024; default 1)."""
    physics: ForEach[Literal["auto", "libmujoco", "native"]]
    """Who steps: MuJoCo's library, or steps of this package's own (native), with the same bits; auto: native where it can ("auto", "libmujoco" or "native"; default 'auto')."""
    post_constraint: ForEach[bool]
    """Whether outer forces on bodies are computed after steps; False: they are 0 (bool; default True)."""
    healthy_reward: ForEach[float | Uniform | Choice[float]]
    """Reward of each step as such (float; default 10.0)."""
    healthy_z_max: ForEach[float | Uniform | Choice[float]]
    """An episode ends where the tip is not higher, in m (float; default 1.0)."""
    reward_if_not_terminated: ForEach[bool]
    """Whether the step that ends an episode is not paid healthy_reward (bool; default by task)."""
    observation_min: ForEach[float | Uniform | Choice[float]]
    """Lower bound of the velocities and forces observed (float; default -10.0)."""
    observation_max: ForEach[float | Uniform | Choice[float]]
    """Upper bound of the velocities and forces observed (float; default 10.0)."""
    constraint_obs_dim: ForEach[int]
    """How many forces of constraints are observed (an integer from 0 to 3; default by task)."""
    reset_noise_scale: ForEach[float | Uniform | Choice[float]]
    """How far positions and velocities of a reset may be from the model's own (float from 0 to 179769313486231570000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000; default 0.1)."""
    from_pixels: ForEach[bool]
    """Whether pictures are what is observed: uint8 (3 * frame_stack, render_height, render_width), the newest last (bool; default False)."""
    camera_name: ForEach[str | None]
    """One of the model's cameras by its name (None or str; default None)."""
    default_camera: ForEach[Literal["free", "track"]]
    """The camera of those who name none: "free" stands still, "track" is the model's of that name, if it has one ("free" or "track"; default 'free')."""
    gymnasium_v5_render_camera: ForEach[bool]
    """Whether a free camera stands where gymnasium places it for the robot; False: as far away as the model reaches (bool; default True)."""
    camera_lookat: ForEach[Sequence[float] | None]
    """The point that a free camera looks at, in metres (None or list of float; default None)."""
    camera_distance: ForEach[float | None]
    """How far from it a free camera is, in metres (None or float; default None)."""
    camera_azimuth: ForEach[float | None]
    """Direction of a free camera in degrees (None or float; default None)."""
    camera_elevation: ForEach[float | None]
    """Elevation of a free camera in degrees (None or float; default None)."""
    camera_orthographic: ForEach[bool | None]
    """Whether a free camera sees without perspective (None or bool; default None)."""
    max_geom: ForEach[int]
    """Shapes that are drawn at most (an integer from 1 to 1000000; default 1000)."""
    visual_options: ForEach[Sequence[int] | None]
    """Numbers of MuJoCo's mjtVisFlag, each followed by 1 or 0 (None or list of int; default None)."""
    render_shadows: ForEach[bool]
    """Whether there are shadows (bool; default True)."""
    render_shadow_size: ForEach[int | None]
    """Side of the map of shadows in pixels; None: the model's number (an integer from 1 to 16384 or None; default None)."""
    render_reflections: ForEach[bool]
    """Whether mirrors reflect (bool; default True)."""
    render_skybox: ForEach[bool]
    """Whether the model's sky is drawn (bool; default True)."""
    render_haze: ForEach[bool]
    """Whether there is haze at the horizon (bool; default True)."""
    render_textures: ForEach[bool]
    """Whether surfaces have their textures (bool; default True)."""
    render_multisamples: ForEach[int | None]
    """Samples of each pixel; None: the model's number; 0: edges are jagged (an integer from 0 to 16 or None; default None)."""
    width: ForEach[int | None]
    """Gymnasium's name for render_width (int or None; default 'None')."""
    height: ForEach[int | None]
    """Gymnasium's name for render_height (int or None; default 'None')."""
    camera_id: ForEach[int | None]
    """Gymnasium's name for render_camera_id (int or None; default 'None')."""
    default_camera_config: ForEach[Mapping[Any, Any] | None]
    """Gymnasium's: a free camera's lookat, distance and so on (dict or None; default 'None')."""

InvertedPendulumTask: TypeAlias = Literal["InvertedPendulum-v5", "InvertedPendulum-v4", "InvertedPendulum-v2"]

class InvertedPendulumOptions(PoolOptions, total=False):
    """Options of InvertedPendulum-v5, InvertedPendulum-v4, InvertedPendulum-v2."""

    xml_file: ForEach[str]
    """The model, a file of xml_dir or a path that begins with ., / or ~ (str; default 'inverted_pendulum.xml')."""
    xml_dir: ForEach[str | None]
    """Folder of xml_file; None: that of the installed gymnasium (None or str; default None)."""
    frame_skip: ForEach[int]
    """Steps of the simulation in each step (an integer from 1 to 65536; default 2)."""
    frame_stack: ForEach[int]
    """Observations in one, the newest last; 1 adds no axis (an integer from 1 to 1024; default 1)."""
    physics: ForEach[Literal["auto", "libmujoco", "native"]]
    """Who steps: MuJoCo's library, or steps of this package's own (native), with the same bits; auto: native where it can ("auto", "libmujoco" or "native"; default 'auto')."""
    post_constraint: ForEach[bool]
    """Whether outer forces on bodies are computed after steps; False: they are 0 (bool; default True)."""
    healthy_reward: ForEach[float | Uniform | Choice[float]]
    """Reward of each step (float; default 1.0)."""
    healthy_z_range: ForEach[Sequence[float] | None]
    """Angles that are healthy; None: from healthy_z_min to healthy_z_max (two numbers, the first not above the second or None; default None)."""
    healthy_z_min: ForEach[float | Uniform | Choice[float]]
    """The lowest angle that is healthy, in rad (float; default -0.2)."""
    healthy_z_max: ForEach[float | Uniform | Choice[float]]
    """The highest angle that is healthy, in rad (float; default 0.2)."""
    reward_if_not_terminated: ForEach[bool]
    """Whether the step that ends an episode is worth nothing (bool; default by task)."""
    reset_noise_scale: ForEach[float | Uniform | Choice[float]]
    """How far positions and velocities of a reset may be from the model's own (float from 0 to 179769313486231570000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000; default 0.01)."""
    from_pixels: ForEach[bool]
    """Whether pictures are what is observed: uint8 (3 * frame_stack, render_height, render_width), the newest last (bool; default False)."""
    camera_name: ForEach[str | None]
    """One of the model's cameras by its name (None or str; default None)."""
    default_camera: ForEach[Literal["free", "track"]]
    """The camera of those who name none: "free" stands still, "track" is the model's of that name, if it has one ("free" or "track"; default 'free')."""
    gymnasium_v5_render_camera: ForEach[bool]
    """Whether a free camera stands where gymnasium places it for the robot; False: as far away as the model reaches (bool; default True)."""
    camera_lookat: ForEach[Sequence[float] | None]
    """The point that a free camera looks at, in metres (None or list of float; default None)."""
    camera_distance: ForEach[float | None]
    """How far from it a free camera is, in metres (None or float; default None)."""
    camera_azimuth: ForEach[float | None]
    """Direction of a free camera in degrees (None or float; default None)."""
    camera_elevation: ForEach[float | None]
    """Elevation of a free camera in degrees (None or float; default None)."""
    camera_orthographic: ForEach[bool | None]
    """Whether a free camera sees without perspective (None or bool; default None)."""
    max_geom: ForEach[int]
    """Shapes that are drawn at most (an integer from 1 to 1000000; default 1000)."""
    visual_options: ForEach[Sequence[int] | None]
    """Numbers of MuJoCo's mjtVisFlag, each followed by 1 or 0 (None or list of int; default None)."""
    render_shadows: ForEach[bool]
    """Whether there are shadows (bool; default True)."""
    render_shadow_size: ForEach[int | None]
    """Side of the map of shadows in pixels; None: the model's number (an integer from 1 to 16384 or None; default None)."""
    render_reflections: ForEach[bool]
    """Whether mirrors reflect (bool; default True)."""
    render_skybox: ForEach[bool]
    """Whether the model's sky is drawn (bool; default True)."""
    render_haze: ForEach[bool]
    """Whether there is haze at the horizon (bool; default True)."""
    render_textures: ForEach[bool]
    """Whether surfaces have their textures (bool; default True)."""
    render_multisamples: ForEach[int | None]
    """Samples of each pixel; None: the model's number; 0: edges are jagged (an integer from 0 to 16 or None; default None)."""
    width: ForEach[int | None]
    """Gymnasium's name for render_width (int or None; default 'None')."""
    height: ForEach[int | None]
    """Gymnasium's name for render_height (int or None; default 'None')."""
    camera_id: ForEach[int | None]
    """Gymnasium's name for render_camera_id (int or None; default 'None')."""
    default_camera_config: ForEach[Mapping[Any, Any] | None]
    """Gymnasium's: a free camera's lookat, distance and so on (dict or None; default 'None')."""

PusherTask: TypeAlias = Literal["Pusher-v5", "Pusher-v4", "Pusher-v2"]

class PusherOptions(PoolOptions, total=False):
    """Options of Pusher-v5, Pusher-v4, Pusher-v2."""

    xml_file: ForEach[str]
    """The model, a file of xml_dir or a path that begins with ., / or ~ (str; default by task)."""
    xml_dir: ForEach[str | None]
    """Folder of xml_file; None: that of the installed gymnasium (None or str; default None)."""
    frame_skip: ForEach[int]
    """Steps of the simulation in each step (an integer from 1 to 65536; default 5)."""
    frame_stack: ForEach[int]
    """Observations in one, the newest last; 1 adds no axis (an integer from 1 to 1024; default 1)."""
    physics: ForEach[Literal["auto", "libmujoco", "native"]]
    """Who steps: MuJoCo's library, or steps of this package's own (native), with the same bits; auto: native where it can ("auto", "libmujoco" or "native"; default 'auto')."""
    post_constraint: ForEach[bool]
    """Whether outer forces on bodies are computed after steps; False: they are 0 (bool; default True)."""
    reward_near_weight: ForEach[float | Uniform | Choice[float]]
    """Weight of the hand's distance to the cylinder (float; default 0.5)."""
    reward_dist_weight: ForEach[float | Uniform | Choice[float]]
    """Weight of the cylinder's distance to the goal (float; default 1.0)."""
    reward_control_weight: ForEach[float | Uniform | Choice[float]]
    """Weight of the action's squares (float; default 0.1)."""
    near_cost_weight: ForEach[float | None]
    """EnvPool's name of reward_near_weight; None: as that says (None or float; default None)."""
    dist_cost_weight: ForEach[float | None]
    """EnvPool's name of reward_dist_weight; None: as that says (None or float; default None)."""
    ctrl_cost_weight: ForEach[float | None]
    """EnvPool's name of reward_control_weight; None: as that says (None or float; default None)."""
    reward_after_step: ForEach[bool]
    """Whether distances count as they are after the step, and not before (bool; default by task)."""
    weighted_reward_info: ForEach[bool]
    """Whether infos tell of weighted distances and costs (bool; default by task)."""
    reset_qvel_scale: ForEach[float | Uniform | Choice[float]]
    """How fast the arm may be after a reset, in rad/s (float from 0 to 179769313486231570000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000; default 0.005)."""
    cylinder_x_min: ForEach[float | Uniform | Choice[float]]
    """The least x of the cylinder after a reset, in m (float; default -0.3)."""
    cylinder_x_max: ForEach[float | Uniform | Choice[float]]
    """The greatest x of the cylinder after a reset, in m (float; default 0.0)."""
    cylinder_y_min: ForEach[float | Uniform | Choice[float]]
    """The least y of the cylinder after a reset, in m (float; default -0.2)."""
    cylinder_y_max: ForEach[float | Uniform | Choice[float]]
    """The greatest y of the cylinder after a reset, in m (float; default 0.2)."""
    cylinder_dist_min: ForEach[float | Uniform | Choice[float]]
    """How far the cylinder has to be from the goal after a reset, in m (float; default 0.17)."""
    from_pixels: ForEach[bool]
    """Whether pictures are what is observed: uint8 (3 * frame_stack, render_height, render_width), the newest last (bool; default False)."""
    camera_name: ForEach[str | None]
    """One of the model's cameras by its name (None or str; default None)."""
    default_camera: ForEach[Literal["free", "track"]]
    """The camera of those who name none: "free" stands still, "track" is the model's of that name, if it has one ("free" or "track"; default 'free')."""
    gymnasium_v5_render_camera: ForEach[bool]
    """Whether a free camera stands where gymnasium places it for the robot; False: as far away as the model reaches (bool; default True)."""
    camera_lookat: ForEach[Sequence[float] | None]
    """The point that a free camera looks at, in metres (None or list of float; default None)."""
    camera_distance: ForEach[float | None]
    """How far from it a free camera is, in metres (None or float; default None)."""
    camera_azimuth: ForEach[float | None]
    """Direction of a free camera in degrees (None or float; default None)."""
    camera_elevation: ForEach[float | None]
    """Elevation of a free camera in degrees (None or float; default None)."""
    camera_orthographic: ForEach[bool | None]
    """Whether a free camera sees without perspective (None or bool; default None)."""
    max_geom: ForEach[int]
    """Shapes that are drawn at most (an integer from 1 to 1000000; default 1000)."""
    visual_options: ForEach[Sequence[int] | None]
    """Numbers of MuJoCo's mjtVisFlag, each followed by 1 or 0 (None or list of int; default None)."""
    render_shadows: ForEach[bool]
    """Whether there are shadows (bool; default True)."""
    render_shadow_size: ForEach[int | None]
    """Side of the map of shadows in pixels; None: the model's number (an integer from 1 to 16384 or None; default None)."""
    render_reflections: ForEach[bool]
    """Whether mirrors reflect (bool; default True)."""
    render_skybox: ForEach[bool]
    """Whether the model's sky is drawn (bool; default True)."""
    render_haze: ForEach[bool]
    """Whether there is haze at the horizon (bool; default True)."""
    render_textures: ForEach[bool]
    """Whether surfaces have their textures (bool; default True)."""
    render_multisamples: ForEach[int | None]
    """Samples of each pixel; None: the model's number; 0: edges are jagged (an integer from 0 to 16 or None; default None)."""
    width: ForEach[int | None]
    """Gymnasium's name for render_width (int or None; default 'None')."""
    height: ForEach[int | None]
    """Gymnasium's name for render_height (int or None; default 'None')."""
    camera_id: ForEach[int | None]
    """Gymnasium's name for render_camera_id (int or None; default 'None')."""
    default_camera_config: ForEach[Mapping[Any, Any] | None]
    """Gymnasium's: a free camera's lookat, distance and so on (dict or None; default 'None')."""

ReacherTask: TypeAlias = Literal["Reacher-v5", "Reacher-v4", "Reacher-v2"]

class ReacherOptions(PoolOptions, total=False):
    """Options of Reacher-v5, Reacher-v4, Reacher-v2."""

    xml_file: ForEach[str]
    """The model, a file of xml_dir or a path that begins with ., / or ~ (str; default 'reacher.xml')."""
    xml_dir: ForEach[str | None]
    """Folder of xml_file; None: that of the installed gymnasium (None or str; default None)."""
    frame_skip: ForEach[int]
    """Steps of the simulation in each step (an integer from 1 to 65536; default 2)."""
    frame_stack: ForEach[int]
    """Observations in one, the newest last; 1 adds no axis (an integer from 1 to 1024; default 1)."""
    physics: ForEach[Literal["auto", "libmujoco", "native"]]
    """Who steps: MuJoCo's library, or steps of this package's own (native), with the same bits; auto: native where it can ("auto", "libmujoco" or "native"; default 'auto')."""
    post_constraint: ForEach[bool]
    """Whether outer forces on bodies are computed after steps; False: they are 0 (bool; default True)."""
    reward_dist_weight: ForEach[float | Uniform | Choice[float]]
    """Weight of the distance to the target (float; default 1.0)."""
    reward_control_weight: ForEach[float | Uniform | Choice[float]]
    """Weight of the action's squares (float; default 1.0)."""
    dist_cost_weight: ForEach[float | None]
    """EnvPool's name of reward_dist_weight; None: as that says (None or float; default None)."""
    ctrl_cost_weight: ForEach[float | None]
    """EnvPool's name of reward_control_weight; None: as that says (None or float; default None)."""
    reward_after_step: ForEach[bool]
    """Whether the distance counts as it is after the step, and not before (bool; default by task)."""
    obs_include_z_distance: ForEach[bool]
    """Whether the distance along z, always 0, is observed (bool; default by task)."""
    reset_qpos_scale: ForEach[float | Uniform | Choice[float]]
    """How far the arm may be from straight after a reset, in rad (float from 0 to 179769313486231570000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000; default 0.1)."""
    reset_qvel_scale: ForEach[float | Uniform | Choice[float]]
    """How fast the arm may be after a reset, in rad/s (float from 0 to 179769313486231570000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000; default 0.005)."""
    reset_goal_scale: ForEach[float | Uniform | Choice[float]]
    """How far the target may be after a reset, in m (float; default 0.2)."""
    from_pixels: ForEach[bool]
    """Whether pictures are what is observed: uint8 (3 * frame_stack, render_height, render_width), the newest last (bool; default False)."""
    camera_name: ForEach[str | None]
    """One of the model's cameras by its name (None or str; default None)."""
    default_camera: ForEach[Literal["free", "track"]]
    """The camera of those who name none: "free" stands still, "track" is the model's of that name, if it has one ("free" or "track"; default 'free')."""
    gymnasium_v5_render_camera: ForEach[bool]
    """Whether a free camera stands where gymnasium places it for the robot; False: as far away as the model reaches (bool; default True)."""
    camera_lookat: ForEach[Sequence[float] | None]
    """The point that a free camera looks at, in metres (None or list of float; default None)."""
    camera_distance: ForEach[float | None]
    """How far from it a free camera is, in metres (None or float; default None)."""
    camera_azimuth: ForEach[float | None]
    """Direction of a free camera in degrees (None or float; default None)."""
    camera_elevation: ForEach[float | None]
    """Elevation of a free camera in degrees (None or float; default None)."""
    camera_orthographic: ForEach[bool | None]
    """Whether a free camera sees without perspective (None or bool; default None)."""
    max_geom: ForEach[int]
    """Shapes that are drawn at most (an integer from 1 to 1000000; default 1000)."""
    visual_options: ForEach[Sequence[int] | None]
    """Numbers of MuJoCo's mjtVisFlag, each followed by 1 or 0 (None or list of int; default None)."""
    render_shadows: ForEach[bool]
    """Whether there are shadows (bool; default True)."""
    render_shadow_size: ForEach[int | None]
    """Side of the map of shadows in pixels; None: the model's number (an integer from 1 to 16384 or None; default None)."""
    render_reflections: ForEach[bool]
    """Whether mirrors reflect (bool; default True)."""
    render_skybox: ForEach[bool]
    """Whether the model's sky is drawn (bool; default True)."""
    render_haze: ForEach[bool]
    """Whether there is haze at the horizon (bool; default True)."""
    render_textures: ForEach[bool]
    """Whether surfaces have their textures (bool; default True)."""
    render_multisamples: ForEach[int | None]
    """Samples of each pixel; None: the model's number; 0: edges are jagged (an integer from 0 to 16 or None; default None)."""
    width: ForEach[int | None]
    """Gymnasium's name for render_width (int or None; default 'None')."""
    height: ForEach[int | None]
    """Gymnasium's name for render_height (int or None; default 'None')."""
    camera_id: ForEach[int | None]
    """Gymnasium's name for render_camera_id (int or None; default 'None')."""
    default_camera_config: ForEach[Mapping[Any, Any] | None]
    """Gymnasium's: a free camera's lookat, distance and so on (dict or None; default 'None')."""

Walker2dTask: TypeAlias = Literal["Walker2d-v5", "Walker2d-v4", "Walker2d-v3"]

class Walker2dOptions(PoolOptions, total=False):
    """Options of Walker2d-v5, Walker2d-v4, Walker2d-v3."""

    xml_file: ForEach[str]
    """The model, a file of xml_dir or a path that begins with ., / or ~ (str; default by task)."""
    xml_dir: ForEach[str | None]
    """Folder of xml_file; None: that of the installed gymnasium (None or str; default None)."""
    frame_skip: ForEach[int]
    """Steps of the simulation in each step (an integer from 1 to 65536; default 4)."""
    frame_stack: ForEach[int]
    """Observations in one, the newest last; 1 adds no axis (an integer from 1 to 1024; default 1)."""
    physics: ForEach[Literal["auto", "libmujoco", "native"]]
    """Who steps: MuJoCo's library, or steps of this package's own (native), with the same bits; auto: native where it can ("auto", "libmujoco" or "native"; default 'auto')."""
    post_constraint: ForEach[bool]
    """Whether outer forces on bodies are computed after steps; False: they are 0 (bool; default True)."""
    forward_reward_weight: ForEach[float | Uniform | Choice[float]]
    """Weight of the speed along x in the reward (float; default 1.0)."""
    ctrl_cost_weight: ForEach[float | Uniform | Choice[float]]
    """Weight of the action's squares in the cost (float; default 0.001)."""
    healthy_reward: ForEach[float | Uniform | Choice[float]]
    """Reward of each step that leaves the robot healthy (float; default 1.0)."""
    terminate_when_unhealthy: ForEach[bool]
    """Whether an episode ends where the robot is not healthy (bool; default True)."""
    legacy_healthy_reward: ForEach[bool]
    """Whether healthy_reward is also paid for the step that ends an episode, as version 4 does (bool; default by task)."""
    healthy_z_range: ForEach[Sequence[float] | None]
    """Heights that are healthy; None: between healthy_z_min and healthy_z_max (two numbers, the first not above the second or None; default None)."""
    healthy_z_min: ForEach[float | Uniform | Choice[float]]
    """Heights above it are healthy, in m (float; default 0.8)."""
    healthy_z_max: ForEach[float | Uniform | Choice[float]]
    """Heights below it are healthy, in m (float; default 2.0)."""
    healthy_angle_range: ForEach[Sequence[float] | None]
    """Angles that are healthy; None: between healthy_angle_min and healthy_angle_max (two numbers, the first not above the second or None; default None)."""
    healthy_angle_min: ForEach[float | Uniform | Choice[float]]
    """Angles above it are healthy, in rad (float; default -1.0)."""
    healthy_angle_max: ForEach[float | Uniform | Choice[float]]
    """Angles below it are healthy, in rad (float; default 1.0)."""
    velocity_min: ForEach[float | Uniform | Choice[float]]
    """Lower bound of the velocities observed (float; default -10.0)."""
    velocity_max: ForEach[float | Uniform | Choice[float]]
    """Upper bound of the velocities observed (float; default 10.0)."""
    reset_noise_scale: ForEach[float | Uniform | Choice[float]]
    """How far positions and velocities of a reset may be from the model's own (float from 0 to 179769313486231570000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000; default 0.005)."""
    exclude_current_positions_from_observation: ForEach[bool]
    """Whether the coordinates of the robot's place are left out (bool; default True)."""
    from_pixels: ForEach[bool]
    """Whether pictures are what is observed: uint8 (3 * frame_stack, render_height, render_width), the newest last (bool; default False)."""
    camera_name: ForEach[str | None]
    """One of the model's cameras by its name (None or str; default None)."""
    default_camera: ForEach[Literal["free", "track"]]
    """The camera of those who name none: "free" stands still, "track" is the model's of that name, if it has one ("free" or "track"; default 'free')."""
    gymnasium_v5_render_camera: ForEach[bool]
    """Whether a free camera stands where gymnasium places it for the robot; False: as far away as the model reaches (bool; default True)."""
    camera_lookat: ForEach[Sequence[float] | None]
    """The point that a free camera looks at, in metres (None or list of float; default None)."""
    camera_distance: ForEach[float | None]
    """How far from it a free camera is, in metres (None or float; default None)."""
    camera_azimuth: ForEach[float | None]
    """Direction of a free camera in degrees (None or float; default None)."""
    camera_elevation: ForEach[float | None]
    """Elevation of a free camera in degrees (None or float; default None)."""
    camera_orthographic: ForEach[bool | None]
    """Whether a free camera sees without perspective (None or bool; default None)."""
    max_geom: ForEach[int]
    """Shapes that are drawn at most (an integer from 1 to 1000000; default 1000)."""
    visual_options: ForEach[Sequence[int] | None]
    """Numbers of MuJoCo's mjtVisFlag, each followed by 1 or 0 (None or list of int; default None)."""
    render_shadows: ForEach[bool]
    """Whether there are shadows (bool; default True)."""
    render_shadow_size: ForEach[int | None]
    """Side of the map of shadows in pixels; None: the model's number (an integer from 1 to 16384 or None; default None)."""
    render_reflections: ForEach[bool]
    """Whether mirrors reflect (bool; default True)."""
    render_skybox: ForEach[bool]
    """Whether the model's sky is drawn (bool; default True)."""
    render_haze: ForEach[bool]
    """Whether there is haze at the horizon (bool; default True)."""
    render_textures: ForEach[bool]
    """Whether surfaces have their textures (bool; default True)."""
    render_multisamples: ForEach[int | None]
    """Samples of each pixel; None: the model's number; 0: edges are jagged (an integer from 0 to 16 or None; default None)."""
    width: ForEach[int | None]
    """Gymnasium's name for render_width (int or None; default 'None')."""
    height: ForEach[int | None]
    """Gymnasium's name for render_height (int or None; default 'None')."""
    camera_id: ForEach[int | None]
    """Gymnasium's name for render_camera_id (int or None; default 'None')."""
    default_camera_config: ForEach[Mapping[Any, Any] | None]
    """Gymnasium's: a free camera's lookat, distance and so on (dict or None; default 'None')."""

LunarLanderTask: TypeAlias = Literal[
    "LunarLander-v3", "LunarLanderContinuous-v3", "LunarLander-v2", "LunarLanderContinuous-v2"
]

class LunarLanderOptions(PoolOptions, total=False):
    """Options of LunarLander-v3, LunarLanderContinuous-v3, LunarLander-v2 and 1 more."""

    continuous: ForEach[bool]
    """Throttles as actions, instead of engines on or off (bool; default by task)."""
    gravity: ForEach[float | Uniform | Choice[float]]
    """Vertical acceleration in m/s², between -12 and 0, both excluded (float; default -10.0)."""
    enable_wind: ForEach[bool | Choice[bool]]
    """Whether wind and turbulence push a lander that touches nothing (bool; default False)."""
    wind_power: ForEach[float | Uniform | Choice[float]]
    """Most force of the wind in N; 0 to 20 is usual (float; default 15.0)."""
    turbulence_power: ForEach[float | Uniform | Choice[float]]
    """Most torque of turbulence in N m; 0 to 2 is usual (float; default 1.5)."""

BipedalWalkerTask: TypeAlias = Literal["BipedalWalker-v3", "BipedalWalkerHardcore-v3"]

class BipedalWalkerOptions(PoolOptions, total=False):
    """Options of BipedalWalker-v3, BipedalWalkerHardcore-v3."""

    hardcore: ForEach[bool | Choice[bool]]
    """Ladders, stumps and pits on the ground (bool; default by task)."""

CarRacingTask: TypeAlias = Literal["CarRacing-v3", "CarRacing-v2"]

class CarRacingOptions(PoolOptions, total=False):
    """Options of CarRacing-v3, CarRacing-v2."""

    verbose: ForEach[bool]
    """Taken for gymnasium's sake: nothing is printed (bool; default False)."""
    lap_complete_percent: ForEach[float | Uniform | Choice[float]]
    """Share of the road that has to be driven on for a lap to count (float; default 0.95)."""
    domain_randomize: ForEach[bool | Choice[bool]]
    """Colours of road and field are others in each episode (bool; default False)."""
    continuous: ForEach[bool]
    """Steering, gas and brake as actions, instead of five of them (bool; default True)."""

AcrobotSwingupTask: TypeAlias = Literal[
    "AcrobotSwingup-v1", "dm_control/acrobot-swingup", "AcrobotSwingupSparse-v1", "dm_control/acrobot-swingup_sparse"
]

class AcrobotSwingupOptions(PoolOptions, total=False):
    """Options of AcrobotSwingup-v1, dm_control/acrobot-swingup, AcrobotSwingupSparse-v1 and 1 more."""

    task_name: ForEach[Literal["swingup", "swingup_sparse"]]
    """What the robot is to do ("swingup" or "swingup_sparse"; default by task)."""
    suite_dir: ForEach[str | None]
    """Folder of the models; None: that of the installed dm_control (None or str; default None)."""
    frame_skip: ForEach[int]
    """Steps of the simulation in each step (an integer from 1 to 65536; default 1)."""
    n_sub_steps: ForEach[int | None]
    """Dm_control's name of frame_skip, with which an episode's seconds stay the same and not its steps; None: as that says (an integer from 1 to 65536 or None; default None)."""
    frame_stack: ForEach[int]
    """Observations in one, the newest last; 1 adds no axis (an integer from 1 to 1024; default 1)."""
    time_limit: ForEach[float | None]
    """Seconds of an episode; None: max_episode_steps says its steps (None or float from 0.000000001 to 1000000000; default None)."""
    flat_observation: ForEach[bool]
    """Whether the observation is one array (bool; default False)."""
    domain_keys: ForEach[bool]
    """Whether the observation has the keys of all tasks of the domain, as EnvPool's has: those of others are zeros (bool; default False)."""
    physics: ForEach[Literal["auto", "libmujoco", "native"]]
    """Who steps: MuJoCo's library, or steps of this package's own (native), with the same bits; auto: native where it can ("auto", "libmujoco" or "native"; default 'auto')."""
    visualize_reward: ForEach[bool]
    """Whether colours of pictures show the reward (bool; default False)."""
    legacy_step: ForEach[bool]
    """Whether what is observed is that of a step's end, and not of its beginning (bool; default True)."""
    from_pixels: ForEach[bool]
    """Whether pictures are what is observed: uint8 (3 * frame_stack, render_height, render_width), the newest last (bool; default False)."""
    camera_name: ForEach[str | None]
    """One of the model's cameras by its name (None or str; default None)."""
    camera_lookat: ForEach[Sequence[float] | None]
    """The point that a free camera looks at, in metres (None or list of float; default None)."""
    camera_distance: ForEach[float | None]
    """How far from it a free camera is, in metres (None or float; default None)."""
    camera_azimuth: ForEach[float | None]
    """Direction of a free camera in degrees (None or float; default None)."""
    camera_elevation: ForEach[float | None]
    """Elevation of a free camera in degrees (None or float; default None)."""
    camera_orthographic: ForEach[bool | None]
    """Whether a free camera sees without perspective (None or bool; default None)."""
    max_geom: ForEach[int]
    """Shapes that are drawn at most (an integer from 1 to 1000000; default 1000)."""
    visual_options: ForEach[Sequence[int] | None]
    """Numbers of MuJoCo's mjtVisFlag, each followed by 1 or 0 (None or list of int; default None)."""
    render_shadows: ForEach[bool]
    """Whether there are shadows (bool; default True)."""
    render_shadow_size: ForEach[int | None]
    """Side of the map of shadows in pixels; None: the model's number (an integer from 1 to 16384 or None; default None)."""
    render_reflections: ForEach[bool]
    """Whether mirrors reflect (bool; default True)."""
    render_skybox: ForEach[bool]
    """Whether the model's sky is drawn (bool; default True)."""
    render_haze: ForEach[bool]
    """Whether there is haze at the horizon (bool; default True)."""
    render_textures: ForEach[bool]
    """Whether surfaces have their textures (bool; default True)."""
    render_multisamples: ForEach[int | None]
    """Samples of each pixel; None: the model's number; 0: edges are jagged (an integer from 0 to 16 or None; default None)."""
    width: ForEach[int | None]
    """Gymnasium's name for render_width (int or None; default 'None')."""
    height: ForEach[int | None]
    """Gymnasium's name for render_height (int or None; default 'None')."""
    camera_id: ForEach[int | None]
    """Gymnasium's name for render_camera_id (int or None; default 'None')."""

BallInCupCatchTask: TypeAlias = Literal["BallInCupCatch-v1", "dm_control/ball_in_cup-catch"]

class BallInCupCatchOptions(PoolOptions, total=False):
    """Options of BallInCupCatch-v1, dm_control/ball_in_cup-catch."""

    task_name: ForEach[Literal["catch"]]
    """What the robot is to do ("catch"; default 'catch')."""
    suite_dir: ForEach[str | None]
    """Folder of the models; None: that of the installed dm_control (None or str; default None)."""
    frame_skip: ForEach[int]
    """Steps of the simulation in each step (an integer from 1 to 65536; default 10)."""
    n_sub_steps: ForEach[int | None]
    """Dm_control's name of frame_skip, with which an episode's seconds stay the same and not its steps; None: as that says (an integer from 1 to 65536 or None; default None)."""
    frame_stack: ForEach[int]
    """Observations in one, the newest last; 1 adds no axis (an integer from 1 to 1024; default 1)."""
    time_limit: ForEach[float | None]
    """Seconds of an episode; None: max_episode_steps says its steps (None or float from 0.000000001 to 1000000000; default None)."""
    flat_observation: ForEach[bool]
    """Whether the observation is one array (bool; default False)."""
    domain_keys: ForEach[bool]
    """Whether the observation has the keys of all tasks of the domain, as EnvPool's has: those of others are zeros (bool; default False)."""
    physics: ForEach[Literal["auto", "libmujoco", "native"]]
    """Who steps: MuJoCo's library, or steps of this package's own (native), with the same bits; auto: native where it can ("auto", "libmujoco" or "native"; default 'auto')."""
    visualize_reward: ForEach[bool]
    """Whether colours of pictures show the reward (bool; default False)."""
    legacy_step: ForEach[bool]
    """Whether what is observed is that of a step's end, and not of its beginning (bool; default True)."""
    from_pixels: ForEach[bool]
    """Whether pictures are what is observed: uint8 (3 * frame_stack, render_height, render_width), the newest last (bool; default False)."""
    camera_name: ForEach[str | None]
    """One of the model's cameras by its name (None or str; default None)."""
    camera_lookat: ForEach[Sequence[float] | None]
    """The point that a free camera looks at, in metres (None or list of float; default None)."""
    camera_distance: ForEach[float | None]
    """How far from it a free camera is, in metres (None or float; default None)."""
    camera_azimuth: ForEach[float | None]
    """Direction of a free camera in degrees (None or float; default None)."""
    camera_elevation: ForEach[float | None]
    """Elevation of a free camera in degrees (None or float; default None)."""
    camera_orthographic: ForEach[bool | None]
    """Whether a free camera sees without perspective (None or bool; default None)."""
    max_geom: ForEach[int]
    """Shapes that are drawn at most (an integer from 1 to 1000000; default 1000)."""
    visual_options: ForEach[Sequence[int] | None]
    """Numbers of MuJoCo's mjtVisFlag, each followed by 1 or 0 (None or list of int; default None)."""
    render_shadows: ForEach[bool]
    """Whether there are shadows (bool; default True)."""
    render_shadow_size: ForEach[int | None]
    """Side of the map of shadows in pixels; None: the model's number (an integer from 1 to 16384 or None; default None)."""
    render_reflections: ForEach[bool]
    """Whether mirrors reflect (bool; default True)."""
    render_skybox: ForEach[bool]
    """Whether the model's sky is drawn (bool; default True)."""
    render_haze: ForEach[bool]
    """Whether there is haze at the horizon (bool; default True)."""
    render_textures: ForEach[bool]
    """Whether surfaces have their textures (bool; default True)."""
    render_multisamples: ForEach[int | None]
    """Samples of each pixel; None: the model's number; 0: edges are jagged (an integer from 0 to 16 or None; default None)."""
    width: ForEach[int | None]
    """Gymnasium's name for render_width (int or None; default 'None')."""
    height: ForEach[int | None]
    """Gymnasium's name for render_height (int or None; default 'None')."""
    camera_id: ForEach[int | None]
    """Gymnasium's name for render_camera_id (int or None; default 'None')."""

CartpoleBalanceTask: TypeAlias = Literal[
    "CartpoleBalance-v1",
    "dm_control/cartpole-balance",
    "CartpoleBalanceSparse-v1",
    "dm_control/cartpole-balance_sparse",
    "CartpoleSwingup-v1",
    "dm_control/cartpole-swingup",
    "CartpoleSwingupSparse-v1",
    "dm_control/cartpole-swingup_sparse",
    "CartpoleTwoPoles-v1",
    "dm_control/cartpole-two_poles",
    "CartpoleThreePoles-v1",
    "dm_control/cartpole-three_poles",
]

class CartpoleBalanceOptions(PoolOptions, total=False):
    """Options of CartpoleBalance-v1, dm_control/cartpole-balance, CartpoleBalanceSparse-v1 and 9 more."""

    task_name: ForEach[Literal["balance", "balance_sparse", "swingup", "swingup_sparse", "two_poles", "three_poles"]]
    """What the robot is to do ("balance", "balance_sparse", "swingup", "swingup_sparse", "two_poles" or "three_poles"; default by task)."""
    suite_dir: ForEach[str | None]
    """Folder of the models; None: that of the installed dm_control (None or str; default None)."""
    frame_skip: ForEach[int]
    """Steps of the simulation in each step (an integer from 1 to 65536; default 1)."""
    n_sub_steps: ForEach[int | None]
    """Dm_control's name of frame_skip, with which an episode's seconds stay the same and not its steps; None: as that says (an integer from 1 to 65536 or None; default None)."""
    frame_stack: ForEach[int]
    """Observations in one, the newest last; 1 adds no axis (an integer from 1 to 1024; default 1)."""
    time_limit: ForEach[float | None]
    """Seconds of an episode; None: max_episode_steps says its steps (None or float from 0.000000001 to 1000000000; default None)."""
    flat_observation: ForEach[bool]
    """Whether the observation is one array (bool; default False)."""
    domain_keys: ForEach[bool]
    """Whether the observation has the keys of all tasks of the domain, as EnvPool's has: those of others are zeros (bool; default False)."""
    physics: ForEach[Literal["auto", "libmujoco", "native"]]
    """Who steps: MuJoCo's library, or steps of this package's own (native), with the same bits; auto: native where it can ("auto", "libmujoco" or "native"; default 'auto')."""
    visualize_reward: ForEach[bool]
    """Whether colours of pictures show the reward (bool; default False)."""
    legacy_step: ForEach[bool]
    """Whether what is observed is that of a step's end, and not of its beginning (bool; default True)."""
    num_poles: ForEach[int | None]
    """Poles, one on the other; None: as the task says (an integer from 1 to 64 or None; default None)."""
    sparse: ForEach[bool | None]
    """Whether there is a reward only upright and in the middle; None: as the task says (None or bool; default None)."""
    from_pixels: ForEach[bool]
    """Whether pictures are what is observed: uint8 (3 * frame_stack, render_height, render_width), the newest last (bool; default False)."""
    camera_name: ForEach[str | None]
    """One of the model's cameras by its name (None or str; default None)."""
    camera_lookat: ForEach[Sequence[float] | None]
    """The point that a free camera looks at, in metres (None or list of float; default None)."""
    camera_distance: ForEach[float | None]
    """How far from it a free camera is, in metres (None or float; default None)."""
    camera_azimuth: ForEach[float | None]
    """Direction of a free camera in degrees (None or float; default None)."""
    camera_elevation: ForEach[float | None]
    """Elevation of a free camera in degrees (None or float; default None)."""
    camera_orthographic: ForEach[bool | None]
    """Whether a free camera sees without perspective (None or bool; default None)."""
    max_geom: ForEach[int]
    """Shapes that are drawn at most (an integer from 1 to 1000000; default 1000)."""
    visual_options: ForEach[Sequence[int] | None]
    """Numbers of MuJoCo's mjtVisFlag, each followed by 1 or 0 (None or list of int; default None)."""
    render_shadows: ForEach[bool]
    """Whether there are shadows (bool; default True)."""
    render_shadow_size: ForEach[int | None]
    """Side of the map of shadows in pixels; None: the model's number (an integer from 1 to 16384 or None; default None)."""
    render_reflections: ForEach[bool]
    """Whether mirrors reflect (bool; default True)."""
    render_skybox: ForEach[bool]
    """Whether the model's sky is drawn (bool; default True)."""
    render_haze: ForEach[bool]
    """Whether there is haze at the horizon (bool; default True)."""
    render_textures: ForEach[bool]
    """Whether surfaces have their textures (bool; default True)."""
    render_multisamples: ForEach[int | None]
    """Samples of each pixel; None: the model's number; 0: edges are jagged (an integer from 0 to 16 or None; default None)."""
    width: ForEach[int | None]
    """Gymnasium's name for render_width (int or None; default 'None')."""
    height: ForEach[int | None]
    """Gymnasium's name for render_height (int or None; default 'None')."""
    camera_id: ForEach[int | None]
    """Gymnasium's name for render_camera_id (int or None; default 'None')."""

CheetahRunTask: TypeAlias = Literal["CheetahRun-v1", "dm_control/cheetah-run"]

class CheetahRunOptions(PoolOptions, total=False):
    """Options of CheetahRun-v1, dm_control/cheetah-run."""

    task_name: ForEach[Literal["run"]]
    """What the robot is to do ("run"; default 'run')."""
    suite_dir: ForEach[str | None]
    """Folder of the models; None: that of the installed dm_control (None or str; default None)."""
    frame_skip: ForEach[int]
    """Steps of the simulation in each step (an integer from 1 to 65536; default 1)."""
    n_sub_steps: ForEach[int | None]
    """Dm_control's name of frame_skip, with which an episode's seconds stay the same and not its steps; None: as that says (an integer from 1 to 65536 or None; default None)."""
    frame_stack: ForEach[int]
    """Observations in one, the newest last; 1 adds no axis (an integer from 1 to 1024; default 1)."""
    time_limit: ForEach[float | None]
    """Seconds of an episode; None: max_episode_steps says its steps (None or float from 0.000000001 to 1000000000; default None)."""
    flat_observation: ForEach[bool]
    """Whether the observation is one array (bool; default False)."""
    domain_keys: ForEach[bool]
    """Whether the observation has the keys of all tasks of the domain, as EnvPool's has: those of others are zeros (bool; default False)."""
    physics: ForEach[Literal["auto", "libmujoco", "native"]]
    """Who steps: MuJoCo's library, or steps of this package's own (native), with the same bits; auto: native where it can ("auto", "libmujoco" or "native"; default 'auto')."""
    visualize_reward: ForEach[bool]
    """Whether colours of pictures show the reward (bool; default False)."""
    legacy_step: ForEach[bool]
    """Whether what is observed is that of a step's end, and not of its beginning (bool; default True)."""
    from_pixels: ForEach[bool]
    """Whether pictures are what is observed: uint8 (3 * frame_stack, render_height, render_width), the newest last (bool; default False)."""
    camera_name: ForEach[str | None]
    """One of the model's cameras by its name (None or str; default None)."""
    camera_lookat: ForEach[Sequence[float] | None]
    """The point that a free camera looks at, in metres (None or list of float; default None)."""
    camera_distance: ForEach[float | None]
    """How far from it a free camera is, in metres (None or float; default None)."""
    camera_azimuth: ForEach[float | None]
    """Direction of a free camera in degrees (None or float; default None)."""
    camera_elevation: ForEach[float | None]
    """Elevation of a free camera in degrees (None or float; default None)."""
    camera_orthographic: ForEach[bool | None]
    """Whether a free camera sees without perspective (None or bool; default None)."""
    max_geom: ForEach[int]
    """Shapes that are drawn at most (an integer from 1 to 1000000; default 1000)."""
    visual_options: ForEach[Sequence[int] | None]
    """Numbers of MuJoCo's mjtVisFlag, each followed by 1 or 0 (None or list of int; default None)."""
    render_shadows: ForEach[bool]
    """Whether there are shadows (bool; default True)."""
    render_shadow_size: ForEach[int | None]
    """Side of the map of shadows in pixels; None: the model's number (an integer from 1 to 16384 or None; default None)."""
    render_reflections: ForEach[bool]
    """Whether mirrors reflect (bool; default True)."""
    render_skybox: ForEach[bool]
    """Whether the model's sky is drawn (bool; default True)."""
    render_haze: ForEach[bool]
    """Whether there is haze at the horizon (bool; default True)."""
    render_textures: ForEach[bool]
    """Whether surfaces have their textures (bool; default True)."""
    render_multisamples: ForEach[int | None]
    """Samples of each pixel; None: the model's number; 0: edges are jagged (an integer from 0 to 16 or None; default None)."""
    width: ForEach[int | None]
    """Gymnasium's name for render_width (int or None; default 'None')."""
    height: ForEach[int | None]
    """Gymnasium's name for render_height (int or None; default 'None')."""
    camera_id: ForEach[int | None]
    """Gymnasium's name for render_camera_id (int or None; default 'None')."""

DogStandTask: TypeAlias = Literal[
    "DogStand-v1",
    "dm_control/dog-stand",
    "DogWalk-v1",
    "dm_control/dog-walk",
    "DogTrot-v1",
    "dm_control/dog-trot",
    "DogRun-v1",
    "dm_control/dog-run",
    "DogFetch-v1",
    "dm_control/dog-fetch",
]

class DogStandOptions(PoolOptions, total=False):
    """Options of DogStand-v1, dm_control/dog-stand, DogWalk-v1 and 7 more."""

    task_name: ForEach[Literal["stand", "walk", "trot", "run", "fetch"]]
    """What the robot is to do ("stand", "walk", "trot", "run" or "fetch"; default by task)."""
    suite_dir: ForEach[str | None]
    """Folder of the models; None: that of the installed dm_control (None or str; default None)."""
    frame_skip: ForEach[int]
    """Steps of the simulation in each step (an integer from 1 to 65536; default 3)."""
    n_sub_steps: ForEach[int | None]
    """Dm_control's name of frame_skip, with which an episode's seconds stay the same and not its steps; None: as that says (an integer from 1 to 65536 or None; default None)."""
    frame_stack: ForEach[int]
    """Observations in one, the newest last; 1 adds no axis (an integer from 1 to 1024; default 1)."""
    time_limit: ForEach[float | None]
    """Seconds of an episode; None: max_episode_steps says its steps (None or float from 0.000000001 to 1000000000; default None)."""
    flat_observation: ForEach[bool]
    """Whether the observation is one array (bool; default False)."""
    domain_keys: ForEach[bool]
    """Whether the observation has the keys of all tasks of the domain, as EnvPool's has: those of others are zeros (bool; default False)."""
    physics: ForEach[Literal["auto", "libmujoco", "native"]]
    """Who steps: MuJoCo's library, or steps of this package's own (native), with the same bits; auto: native where it can ("auto", "libmujoco" or "native"; default 'auto')."""
    visualize_reward: ForEach[bool]
    """Whether colours of pictures show the reward (bool; default False)."""
    legacy_step: ForEach[bool]
    """Whether what is observed is that of a step's end, and not of its beginning (bool; default True)."""
    from_pixels: ForEach[bool]
    """Whether pictures are what is observed: uint8 (3 * frame_stack, render_height, render_width), the newest last (bool; default False)."""
    camera_name: ForEach[str | None]
    """One of the model's cameras by its name (None or str; default None)."""
    camera_lookat: ForEach[Sequence[float] | None]
    """The point that a free camera looks at, in metres (None or list of float; default None)."""
    camera_distance: ForEach[float | None]
    """How far from it a free camera is, in metres (None or float; default None)."""
    camera_azimuth: ForEach[float | None]
    """Direction of a free camera in degrees (None or float; default None)."""
    camera_elevation: ForEach[float | None]
    """Elevation of a free camera in degrees (None or float; default None)."""
    camera_orthographic: ForEach[bool | None]
    """Whether a free camera sees without perspective (None or bool; default None)."""
    max_geom: ForEach[int]
    """Shapes that are drawn at most (an integer from 1 to 1000000; default 1000)."""
    visual_options: ForEach[Sequence[int] | None]
    """Numbers of MuJoCo's mjtVisFlag, each followed by 1 or 0 (None or list of int; default None)."""
    render_shadows: ForEach[bool]
    """Whether there are shadows (bool; default True)."""
    render_shadow_size: ForEach[int | None]
    """Side of the map of shadows in pixels; None: the model's number (an integer from 1 to 16384 or None; default None)."""
    render_reflections: ForEach[bool]
    """Whether mirrors reflect (bool; default True)."""
    render_skybox: ForEach[bool]
    """Whether the model's sky is drawn (bool; default True)."""
    render_haze: ForEach[bool]
    """Whether there is haze at the horizon (bool; default True)."""
    render_textures: ForEach[bool]
    """Whether surfaces have their textures (bool; default True)."""
    render_multisamples: ForEach[int | None]
    """Samples of each pixel; None: the model's number; 0: edges are jagged (an integer from 0 to 16 or None; default None)."""
    width: ForEach[int | None]
    """Gymnasium's name for render_width (int or None; default 'None')."""
    height: ForEach[int | None]
    """Gymnasium's name for render_height (int or None; default 'None')."""
    camera_id: ForEach[int | None]
    """Gymnasium's name for render_camera_id (int or None; default 'None')."""

FingerSpinTask: TypeAlias = Literal[
    "FingerSpin-v1",
    "dm_control/finger-spin",
    "FingerTurnEasy-v1",
    "dm_control/finger-turn_easy",
    "FingerTurnHard-v1",
    "dm_control/finger-turn_hard",
]

class FingerSpinOptions(PoolOptions, total=False):
    """Options of FingerSpin-v1, dm_control/finger-spin, FingerTurnEasy-v1 and 3 more."""

    task_name: ForEach[Literal["spin", "turn_easy", "turn_hard"]]
    """What the robot is to do ("spin", "turn_easy" or "turn_hard"; default by task)."""
    suite_dir: ForEach[str | None]
    """Folder of the models; None: that of the installed dm_control (None or str; default None)."""
    frame_skip: ForEach[int]
    """Steps of the simulation in each step (an integer from 1 to 65536; default 2)."""
    n_sub_steps: ForEach[int | None]
    """Dm_control's name of frame_skip, with which an episode's seconds stay the same and not its steps; None: as that says (an integer from 1 to 65536 or None; default None)."""
    frame_stack: ForEach[int]
    """Observations in one, the newest last; 1 adds no axis (an integer from 1 to 1024; default 1)."""
    time_limit: ForEach[float | None]
    """Seconds of an episode; None: max_episode_steps says its steps (None or float from 0.000000001 to 1000000000; default None)."""
    flat_observation: ForEach[bool]
    """Whether the observation is one array (bool; default False)."""
    domain_keys: ForEach[bool]
    """Whether the observation has the keys of all tasks of the domain, as EnvPool's has: those of others are zeros (bool; default False)."""
    physics: ForEach[Literal["auto", "libmujoco", "native"]]
    """Who steps: MuJoCo's library, or steps of this package's own (native), with the same bits; auto: native where it can ("auto", "libmujoco" or "native"; default 'auto')."""
    visualize_reward: ForEach[bool]
    """Whether colours of pictures show the reward (bool; default False)."""
    legacy_step: ForEach[bool]
    """Whether what is observed is that of a step's end, and not of its beginning (bool; default True)."""
    from_pixels: ForEach[bool]
    """Whether pictures are what is observed: uint8 (3 * frame_stack, render_height, render_width), the newest last (bool; default False)."""
    camera_name: ForEach[str | None]
    """One of the model's cameras by its name (None or str; default None)."""
    camera_lookat: ForEach[Sequence[float] | None]
    """The point that a free camera looks at, in metres (None or list of float; default None)."""
    camera_distance: ForEach[float | None]
    """How far from it a free camera is, in metres (None or float; default None)."""
    camera_azimuth: ForEach[float | None]
    """Direction of a free camera in degrees (None or float; default None)."""
    camera_elevation: ForEach[float | None]
    """Elevation of a free camera in degrees (None or float; default None)."""
    camera_orthographic: ForEach[bool | None]
    """Whether a free camera sees without perspective (None or bool; default None)."""
    max_geom: ForEach[int]
    """Shapes that are drawn at most (an integer from 1 to 1000000; default 1000)."""
    visual_options: ForEach[Sequence[int] | None]
    """Numbers of MuJoCo's mjtVisFlag, each followed by 1 or 0 (None or list of int; default None)."""
    render_shadows: ForEach[bool]
    """Whether there are shadows (bool; default True)."""
    render_shadow_size: ForEach[int | None]
    """Side of the map of shadows in pixels; None: the model's number (an integer from 1 to 16384 or None; default None)."""
    render_reflections: ForEach[bool]
    """Whether mirrors reflect (bool; default True)."""
    render_skybox: ForEach[bool]
    """Whether the model's sky is drawn (bool; default True)."""
    render_haze: ForEach[bool]
    """Whether there is haze at the horizon (bool; default True)."""
    render_textures: ForEach[bool]
    """Whether surfaces have their textures (bool; default True)."""
    render_multisamples: ForEach[int | None]
    """Samples of each pixel; None: the model's number; 0: edges are jagged (an integer from 0 to 16 or None; default None)."""
    width: ForEach[int | None]
    """Gymnasium's name for render_width (int or None; default 'None')."""
    height: ForEach[int | None]
    """Gymnasium's name for render_height (int or None; default 'None')."""
    camera_id: ForEach[int | None]
    """Gymnasium's name for render_camera_id (int or None; default 'None')."""

FishUprightTask: TypeAlias = Literal["FishUpright-v1", "dm_control/fish-upright", "FishSwim-v1", "dm_control/fish-swim"]

class FishUprightOptions(PoolOptions, total=False):
    """Options of FishUpright-v1, dm_control/fish-upright, FishSwim-v1 and 1 more."""

    task_name: ForEach[Literal["upright", "swim"]]
    """What the robot is to do ("upright" or "swim"; default by task)."""
    suite_dir: ForEach[str | None]
    """Folder of the models; None: that of the installed dm_control (None or str; default None)."""
    frame_skip: ForEach[int]
    """Steps of the simulation in each step (an integer from 1 to 65536; default 10)."""
    n_sub_steps: ForEach[int | None]
    """Dm_control's name of frame_skip, with which an episode's seconds stay the same and not its steps; None: as that says (an integer from 1 to 65536 or None; default None)."""
    frame_stack: ForEach[int]
    """Observations in one, the newest last; 1 adds no axis (an integer from 1 to 1024; default 1)."""
    time_limit: ForEach[float | None]
    """Seconds of an episode; None: max_episode_steps says its steps (None or float from 0.000000001 to 1000000000; default None)."""
    flat_observation: ForEach[bool]
    """Whether the observation is one array (bool; default False)."""
    domain_keys: ForEach[bool]
    """Whether the observation has the keys of all tasks of the domain, as EnvPool's has: those of others are zeros (bool; default False)."""
    physics: ForEach[Literal["auto", "libmujoco", "native"]]
    """Who steps: MuJoCo's library, or steps of this package's own (native), with the same bits; auto: native where it can ("auto", "libmujoco" or "native"; default 'auto')."""
    visualize_reward: ForEach[bool]
    """Whether colours of pictures show the reward (bool; default False)."""
    legacy_step: ForEach[bool]
    """Whether what is observed is that of a step's end, and not of its beginning (bool; default True)."""
    from_pixels: ForEach[bool]
    """Whether pictures are what is observed: uint8 (3 * frame_stack, render_height, render_width), the newest last (bool; default False)."""
    camera_name: ForEach[str | None]
    """One of the model's cameras by its name (None or str; default None)."""
    camera_lookat: ForEach[Sequence[float] | None]
    """The point that a free camera looks at, in metres (None or list of float; default None)."""
    camera_distance: ForEach[float | None]
    """How far from it a free camera is, in metres (None or float; default None)."""
    camera_azimuth: ForEach[float | None]
    """Direction of a free camera in degrees (None or float; default None)."""
    camera_elevation: ForEach[float | None]
    """Elevation of a free camera in degrees (None or float; default None)."""
    camera_orthographic: ForEach[bool | None]
    """Whether a free camera sees without perspective (None or bool; default None)."""
    max_geom: ForEach[int]
    """Shapes that are drawn at most (an integer from 1 to 1000000; default 1000)."""
    visual_options: ForEach[Sequence[int] | None]
    """Numbers of MuJoCo's mjtVisFlag, each followed by 1 or 0 (None or list of int; default None)."""
    render_shadows: ForEach[bool]
    """Whether there are shadows (bool; default True)."""
    render_shadow_size: ForEach[int | None]
    """Side of the map of shadows in pixels; None: the model's number (an integer from 1 to 16384 or None; default None)."""
    render_reflections: ForEach[bool]
    """Whether mirrors reflect (bool; default True)."""
    render_skybox: ForEach[bool]
    """Whether the model's sky is drawn (bool; default True)."""
    render_haze: ForEach[bool]
    """Whether there is haze at the horizon (bool; default True)."""
    render_textures: ForEach[bool]
    """Whether surfaces have their textures (bool; default True)."""
    render_multisamples: ForEach[int | None]
    """Samples of each pixel; None: the model's number; 0: edges are jagged (an integer from 0 to 16 or None; default None)."""
    width: ForEach[int | None]
    """Gymnasium's name for render_width (int or None; default 'None')."""
    height: ForEach[int | None]
    """Gymnasium's name for render_height (int or None; default 'None')."""
    camera_id: ForEach[int | None]
    """Gymnasium's name for render_camera_id (int or None; default 'None')."""

HopperStandTask: TypeAlias = Literal[
    "HopperStand-v1", "dm_control/hopper-stand", "HopperHop-v1", "dm_control/hopper-hop"
]

class HopperStandOptions(PoolOptions, total=False):
    """Options of HopperStand-v1, dm_control/hopper-stand, HopperHop-v1 and 1 more."""

    task_name: ForEach[Literal["stand", "hop"]]
    """What the robot is to do ("stand" or "hop"; default by task)."""
    suite_dir: ForEach[str | None]
    """Folder of the models; None: that of the installed dm_control (None or str; default None)."""
    frame_skip: ForEach[int]
    """Steps of the simulation in each step (an integer from 1 to 65536; default 4)."""
    n_sub_steps: ForEach[int | None]
    """Dm_control's name of frame_skip, with which an episode's seconds stay the same and not its steps; None: as that says (an integer from 1 to 65536 or None; default None)."""
    frame_stack: ForEach[int]
    """Observations in one, the newest last; 1 adds no axis (an integer from 1 to 1024; default 1)."""
    time_limit: ForEach[float | None]
    """Seconds of an episode; None: max_episode_steps says its steps (None or float from 0.000000001 to 1000000000; default None)."""
    flat_observation: ForEach[bool]
    """Whether the observation is one array (bool; default False)."""
    domain_keys: ForEach[bool]
    """Whether the observation has the keys of all tasks of the domain, as EnvPool's has: those of others are zeros (bool; default False)."""
    physics: ForEach[Literal["auto", "libmujoco", "native"]]
    """Who steps: MuJoCo's library, or steps of this package's own (native), with the same bits; auto: native where it can ("auto", "libmujoco" or "native"; default 'auto')."""
    visualize_reward: ForEach[bool]
    """Whether colours of pictures show the reward (bool; default False)."""
    legacy_step: ForEach[bool]
    """Whether what is observed is that of a step's end, and not of its beginning (bool; default True)."""
    from_pixels: ForEach[bool]
    """Whether pictures are what is observed: uint8 (3 * frame_stack, render_height, render_width), the newest last (bool; default False)."""
    camera_name: ForEach[str | None]
    """One of the model's cameras by its name (None or str; default None)."""
    camera_lookat: ForEach[Sequence[float] | None]
    """The point that a free camera looks at, in metres (None or list of float; default None)."""
    camera_distance: ForEach[float | None]
    """How far from it a free camera is, in metres (None or float; default None)."""
    camera_azimuth: ForEach[float | None]
    """Direction of a free camera in degrees (None or float; default None)."""
    camera_elevation: ForEach[float | None]
    """Elevation of a free camera in degrees (None or float; default None)."""
    camera_orthographic: ForEach[bool | None]
    """Whether a free camera sees without perspective (None or bool; default None)."""
    max_geom: ForEach[int]
    """Shapes that are drawn at most (an integer from 1 to 1000000; default 1000)."""
    visual_options: ForEach[Sequence[int] | None]
    """Numbers of MuJoCo's mjtVisFlag, each followed by 1 or 0 (None or list of int; default None)."""
    render_shadows: ForEach[bool]
    """Whether there are shadows (bool; default True)."""
    render_shadow_size: ForEach[int | None]
    """Side of the map of shadows in pixels; None: the model's number (an integer from 1 to 16384 or None; default None)."""
    render_reflections: ForEach[bool]
    """Whether mirrors reflect (bool; default True)."""
    render_skybox: ForEach[bool]
    """Whether the model's sky is drawn (bool; default True)."""
    render_haze: ForEach[bool]
    """Whether there is haze at the horizon (bool; default True)."""
    render_textures: ForEach[bool]
    """Whether surfaces have their textures (bool; default True)."""
    render_multisamples: ForEach[int | None]
    """Samples of each pixel; None: the model's number; 0: edges are jagged (an integer from 0 to 16 or None; default None)."""
    width: ForEach[int | None]
    """Gymnasium's name for render_width (int or None; default 'None')."""
    height: ForEach[int | None]
    """Gymnasium's name for render_height (int or None; default 'None')."""
    camera_id: ForEach[int | None]
    """Gymnasium's name for render_camera_id (int or None; default 'None')."""

HumanoidStandTask: TypeAlias = Literal[
    "HumanoidStand-v1",
    "dm_control/humanoid-stand",
    "HumanoidWalk-v1",
    "dm_control/humanoid-walk",
    "HumanoidRun-v1",
    "dm_control/humanoid-run",
    "HumanoidRunPureState-v1",
    "dm_control/humanoid-run_pure_state",
]

class HumanoidStandOptions(PoolOptions, total=False):
    """Options of HumanoidStand-v1, dm_control/humanoid-stand, HumanoidWalk-v1 and 5 more."""

    task_name: ForEach[Literal["stand", "walk", "run", "run_pure_state"]]
    """What the robot is to do ("stand", "walk", "run" or "run_pure_state"; default by task)."""
    suite_dir: ForEach[str | None]
    """Folder of the models; None: that of the installed dm_control (None or str; default None)."""
    frame_skip: ForEach[int]
    """Steps of the simulation in each step (an integer from 1 to 65536; default 5)."""
    n_sub_steps: ForEach[int | None]
    """Dm_control's name of frame_skip, with which an episode's seconds stay the same and not its steps; None: as that says (an integer from 1 to 65536 or None; default None)."""
    frame_stack: ForEach[int]
    """Observations in one, the newest last; 1 adds no axis (an integer from 1 to 1024; default 1)."""
    time_limit: ForEach[float | None]
    """Seconds of an episode; None: max_episode_steps says its steps (None or float from 0.000000001 to 1000000000; default None)."""
    flat_observation: ForEach[bool]
    """Whether the observation is one array (bool; default False)."""
    domain_keys: ForEach[bool]
    """Whether the observation has the keys of all tasks of the domain, as EnvPool's has: those of others are zeros (bool; default False)."""
    physics: ForEach[Literal["auto", "libmujoco", "native"]]
    """Who steps: MuJoCo's library, or steps of this package's own (native), with the same bits; auto: native where it can ("auto", "libmujoco" or "native"; default 'auto')."""
    visualize_reward: ForEach[bool]
    """Whether colours of pictures show the reward (bool; default False)."""
    legacy_step: ForEach[bool]
    """Whether what is observed is that of a step's end, and not of its beginning (bool; default True)."""
    from_pixels: ForEach[bool]
    """Whether pictures are what is observed: uint8 (3 * frame_stack, render_height, render_width), the newest last (bool; default False)."""
    camera_name: ForEach[str | None]
    """One of the model's cameras by its name (None or str; default None)."""
    camera_lookat: ForEach[Sequence[float] | None]
    """The point that a free camera looks at, in metres (None or list of float; default None)."""
    camera_distance: ForEach[float | None]
    """How far from it a free camera is, in metres (None or float; default None)."""
    camera_azimuth: ForEach[float | None]
    """Direction of a free camera in degrees (None or float; default None)."""
    camera_elevation: ForEach[float | None]
    """Elevation of a free camera in degrees (None or float; default None)."""
    camera_orthographic: ForEach[bool | None]
    """Whether a free camera sees without perspective (None or bool; default None)."""
    max_geom: ForEach[int]
    """Shapes that are drawn at most (an integer from 1 to 1000000; default 1000)."""
    visual_options: ForEach[Sequence[int] | None]
    """Numbers of MuJoCo's mjtVisFlag, each followed by 1 or 0 (None or list of int; default None)."""
    render_shadows: ForEach[bool]
    """Whether there are shadows (bool; default True)."""
    render_shadow_size: ForEach[int | None]
    """Side of the map of shadows in pixels; None: the model's number (an integer from 1 to 16384 or None; default None)."""
    render_reflections: ForEach[bool]
    """Whether mirrors reflect (bool; default True)."""
    render_skybox: ForEach[bool]
    """Whether the model's sky is drawn (bool; default True)."""
    render_haze: ForEach[bool]
    """Whether there is haze at the horizon (bool; default True)."""
    render_textures: ForEach[bool]
    """Whether surfaces have their textures (bool; default True)."""
    render_multisamples: ForEach[int | None]
    """Samples of each pixel; None: the model's number; 0: edges are jagged (an integer from 0 to 16 or None; default None)."""
    width: ForEach[int | None]
    """Gymnasium's name for render_width (int or None; default 'None')."""
    height: ForEach[int | None]
    """Gymnasium's name for render_height (int or None; default 'None')."""
    camera_id: ForEach[int | None]
    """Gymnasium's name for render_camera_id (int or None; default 'None')."""

HumanoidCMUStandTask: TypeAlias = Literal[
    "HumanoidCMUStand-v1",
    "dm_control/humanoid_CMU-stand",
    "HumanoidCMUWalk-v1",
    "dm_control/humanoid_CMU-walk",
    "HumanoidCMURun-v1",
    "dm_control/humanoid_CMU-run",
    "WalkerStand-v1",
    "dm_control/walker-stand",
    "WalkerWalk-v1",
    "dm_control/walker-walk",
    "WalkerRun-v1",
    "dm_control/walker-run",
]

class HumanoidCMUStandOptions(PoolOptions, total=False):
    """Options of HumanoidCMUStand-v1, dm_control/humanoid_CMU-stand, HumanoidCMUWalk-v1 and 9 more."""

    task_name: ForEach[Literal["stand", "walk", "run"]]
    """What the robot is to do ("stand", "walk" or "run"; default by task)."""
    suite_dir: ForEach[str | None]
    """Folder of the models; None: that of the installed dm_control (None or str; default None)."""
    frame_skip: ForEach[int]
    """Steps of the simulation in each step (an integer from 1 to 65536; default 10)."""
    n_sub_steps: ForEach[int | None]
    """Dm_control's name of frame_skip, with which an episode's seconds stay the same and not its steps; None: as that says (an integer from 1 to 65536 or None; default None)."""
    frame_stack: ForEach[int]
    """Observations in one, the newest last; 1 adds no axis (an integer from 1 to 1024; default 1)."""
    time_limit: ForEach[float | None]
    """Seconds of an episode; None: max_episode_steps says its steps (None or float from 0.000000001 to 1000000000; default None)."""
    flat_observation: ForEach[bool]
    """Whether the observation is one array (bool; default False)."""
    domain_keys: ForEach[bool]
    """Whether the observation has the keys of all tasks of the domain, as EnvPool's has: those of others are zeros (bool; default False)."""
    physics: ForEach[Literal["auto", "libmujoco", "native"]]
    """Who steps: MuJoCo's library, or steps of this package's own (native), with the same bits; auto: native where it can ("auto", "libmujoco" or "native"; default 'auto')."""
    visualize_reward: ForEach[bool]
    """Whether colours of pictures show the reward (bool; default False)."""
    legacy_step: ForEach[bool]
    """Whether what is observed is that of a step's end, and not of its beginning (bool; default True)."""
    from_pixels: ForEach[bool]
    """Whether pictures are what is observed: uint8 (3 * frame_stack, render_height, render_width), the newest last (bool; default False)."""
    camera_name: ForEach[str | None]
    """One of the model's cameras by its name (None or str; default None)."""
    camera_lookat: ForEach[Sequence[float] | None]
    """The point that a free camera looks at, in metres (None or list of float; default None)."""
    camera_distance: ForEach[float | None]
    """How far from it a free camera is, in metres (None or float; default None)."""
    camera_azimuth: ForEach[float | None]
    """Direction of a free camera in degrees (None or float; default None)."""
    camera_elevation: ForEach[float | None]
    """Elevation of a free camera in degrees (None or float; default None)."""
    camera_orthographic: ForEach[bool | None]
    """Whether a free camera sees without perspective (None or bool; default None)."""
    max_geom: ForEach[int]
    """Shapes that are drawn at most (an integer from 1 to 1000000; default 1000)."""
    visual_options: ForEach[Sequence[int] | None]
    """Numbers of MuJoCo's mjtVisFlag, each followed by 1 or 0 (None or list of int; default None)."""
    render_shadows: ForEach[bool]
    """Whether there are shadows (bool; default True)."""
    render_shadow_size: ForEach[int | None]
    """Side of the map of shadows in pixels; None: the model's number (an integer from 1 to 16384 or None; default None)."""
    render_reflections: ForEach[bool]
    """Whether mirrors reflect (bool; default True)."""
    render_skybox: ForEach[bool]
    """Whether the model's sky is drawn (bool; default True)."""
    render_haze: ForEach[bool]
    """Whether there is haze at the horizon (bool; default True)."""
    render_textures: ForEach[bool]
    """Whether surfaces have their textures (bool; default True)."""
    render_multisamples: ForEach[int | None]
    """Samples of each pixel; None: the model's number; 0: edges are jagged (an integer from 0 to 16 or None; default None)."""
    width: ForEach[int | None]
    """Gymnasium's name for render_width (int or None; default 'None')."""
    height: ForEach[int | None]
    """Gymnasium's name for render_height (int or None; default 'None')."""
    camera_id: ForEach[int | None]
    """Gymnasium's name for render_camera_id (int or None; default 'None')."""

LqrLqr21Task: TypeAlias = Literal["LqrLqr21-v1", "dm_control/lqr-lqr_2_1", "LqrLqr62-v1", "dm_control/lqr-lqr_6_2"]

class LqrLqr21Options(PoolOptions, total=False):
    """Options of LqrLqr21-v1, dm_control/lqr-lqr_2_1, LqrLqr62-v1 and 1 more."""

    task_name: ForEach[Literal["lqr_2_1", "lqr_6_2"]]
    """What the robot is to do ("lqr_2_1" or "lqr_6_2"; default by task)."""
    suite_dir: ForEach[str | None]
    """Folder of the models; None: that of the installed dm_control (None or str; default None)."""
    frame_skip: ForEach[int]
    """Steps of the simulation in each step (an integer from 1 to 65536; default 1)."""
    n_sub_steps: ForEach[int | None]
    """Dm_control's name of frame_skip, with which an episode's seconds stay the same and not its steps; None: as that says (an integer from 1 to 65536 or None; default None)."""
    frame_stack: ForEach[int]
    """Observations in one, the newest last; 1 adds no axis (an integer from 1 to 1024; default 1)."""
    time_limit: ForEach[float | None]
    """Seconds of an episode; None: max_episode_steps says its steps (None or float from 0.000000001 to 1000000000; default None)."""
    flat_observation: ForEach[bool]
    """Whether the observation is one array (bool; default False)."""
    domain_keys: ForEach[bool]
    """Whether the observation has the keys of all tasks of the domain, as EnvPool's has: those of others are zeros (bool; default False)."""
    physics: ForEach[Literal["auto", "libmujoco", "native"]]
    """Who steps: MuJoCo's library, or steps of this package's own (native), with the same bits; auto: native where it can ("auto", "libmujoco" or "native"; default 'auto')."""
    visualize_reward: ForEach[bool]
    """Whether colours of pictures show the reward (bool; default False)."""
    legacy_step: ForEach[bool]
    """Whether what is observed is that of a step's end, and not of its beginning (bool; default True)."""
    from_pixels: ForEach[bool]
    """Whether pictures are what is observed: uint8 (3 * frame_stack, render_height, render_width), the newest last (bool; default False)."""
    camera_name: ForEach[str | None]
    """One of the model's cameras by its name (None or str; default None)."""
    camera_lookat: ForEach[Sequence[float] | None]
    """The point that a free camera looks at, in metres (None or list of float; default None)."""
    camera_distance: ForEach[float | None]
    """How far from it a free camera is, in metres (None or float; default None)."""
    camera_azimuth: ForEach[float | None]
    """Direction of a free camera in degrees (None or float; default None)."""
    camera_elevation: ForEach[float | None]
    """Elevation of a free camera in degrees (None or float; default None)."""
    camera_orthographic: ForEach[bool | None]
    """Whether a free camera sees without perspective (None or bool; default None)."""
    max_geom: ForEach[int]
    """Shapes that are drawn at most (an integer from 1 to 1000000; default 1000)."""
    visual_options: ForEach[Sequence[int] | None]
    """Numbers of MuJoCo's mjtVisFlag, each followed by 1 or 0 (None or list of int; default None)."""
    render_shadows: ForEach[bool]
    """Whether there are shadows (bool; default True)."""
    render_shadow_size: ForEach[int | None]
    """Side of the map of shadows in pixels; None: the model's number (an integer from 1 to 16384 or None; default None)."""
    render_reflections: ForEach[bool]
    """Whether mirrors reflect (bool; default True)."""
    render_skybox: ForEach[bool]
    """Whether the model's sky is drawn (bool; default True)."""
    render_haze: ForEach[bool]
    """Whether there is haze at the horizon (bool; default True)."""
    render_textures: ForEach[bool]
    """Whether surfaces have their textures (bool; default True)."""
    render_multisamples: ForEach[int | None]
    """Samples of each pixel; None: the model's number; 0: edges are jagged (an integer from 0 to 16 or None; default None)."""
    width: ForEach[int | None]
    """Gymnasium's name for render_width (int or None; default 'None')."""
    height: ForEach[int | None]
    """Gymnasium's name for render_height (int or None; default 'None')."""
    camera_id: ForEach[int | None]
    """Gymnasium's name for render_camera_id (int or None; default 'None')."""

ManipulatorBringBallTask: TypeAlias = Literal[
    "ManipulatorBringBall-v1",
    "dm_control/manipulator-bring_ball",
    "ManipulatorBringPeg-v1",
    "dm_control/manipulator-bring_peg",
    "ManipulatorInsertBall-v1",
    "dm_control/manipulator-insert_ball",
    "ManipulatorInsertPeg-v1",
    "dm_control/manipulator-insert_peg",
]

class ManipulatorBringBallOptions(PoolOptions, total=False):
    """Options of ManipulatorBringBall-v1, dm_control/manipulator-bring_ball, ManipulatorBringPeg-v1 and 5 more."""

    task_name: ForEach[Literal["bring_ball", "bring_peg", "insert_ball", "insert_peg"]]
    """What the robot is to do ("bring_ball", "bring_peg", "insert_ball" or "insert_peg"; default by task)."""
    suite_dir: ForEach[str | None]
    """Folder of the models; None: that of the installed dm_control (None or str; default None)."""
    frame_skip: ForEach[int]
    """Steps of the simulation in each step (an integer from 1 to 65536; default 10)."""
    n_sub_steps: ForEach[int | None]
    """Dm_control's name of frame_skip, with which an episode's seconds stay the same and not its steps; None: as that says (an integer from 1 to 65536 or None; default None)."""
    frame_stack: ForEach[int]
    """Observations in one, the newest last; 1 adds no axis (an integer from 1 to 1024; default 1)."""
    time_limit: ForEach[float | None]
    """Seconds of an episode; None: max_episode_steps says its steps (None or float from 0.000000001 to 1000000000; default None)."""
    flat_observation: ForEach[bool]
    """Whether the observation is one array (bool; default False)."""
    domain_keys: ForEach[bool]
    """Whether the observation has the keys of all tasks of the domain, as EnvPool's has: those of others are zeros (bool; default False)."""
    physics: ForEach[Literal["auto", "libmujoco", "native"]]
    """Who steps: MuJoCo's library, or steps of this package's own (native), with the same bits; auto: native where it can ("auto", "libmujoco" or "native"; default 'auto')."""
    visualize_reward: ForEach[bool]
    """Whether colours of pictures show the reward (bool; default False)."""
    legacy_step: ForEach[bool]
    """Whether what is observed is that of a step's end, and not of its beginning (bool; default True)."""
    fully_observable: ForEach[bool]
    """Whether what is to be moved, the target and the hand are observed (bool; default True)."""
    from_pixels: ForEach[bool]
    """Whether pictures are what is observed: uint8 (3 * frame_stack, render_height, render_width), the newest last (bool; default False)."""
    camera_name: ForEach[str | None]
    """One of the model's cameras by its name (None or str; default None)."""
    camera_lookat: ForEach[Sequence[float] | None]
    """The point that a free camera looks at, in metres (None or list of float; default None)."""
    camera_distance: ForEach[float | None]
    """How far from it a free camera is, in metres (None or float; default None)."""
    camera_azimuth: ForEach[float | None]
    """Direction of a free camera in degrees (None or float; default None)."""
    camera_elevation: ForEach[float | None]
    """Elevation of a free camera in degrees (None or float; default None)."""
    camera_orthographic: ForEach[bool | None]
    """Whether a free camera sees without perspective (None or bool; default None)."""
    max_geom: ForEach[int]
    """Shapes that are drawn at most (an integer from 1 to 1000000; default 1000)."""
    visual_options: ForEach[Sequence[int] | None]
    """Numbers of MuJoCo's mjtVisFlag, each followed by 1 or 0 (None or list of int; default None)."""
    render_shadows: ForEach[bool]
    """Whether there are shadows (bool; default True)."""
    render_shadow_size: ForEach[int | None]
    """Side of the map of shadows in pixels; None: the model's number (an integer from 1 to 16384 or None; default None)."""
    render_reflections: ForEach[bool]
    """Whether mirrors reflect (bool; default True)."""
    render_skybox: ForEach[bool]
    """Whether the model's sky is drawn (bool; default True)."""
    render_haze: ForEach[bool]
    """Whether there is haze at the horizon (bool; default True)."""
    render_textures: ForEach[bool]
    """Whether surfaces have their textures (bool; default True)."""
    render_multisamples: ForEach[int | None]
    """Samples of each pixel; None: the model's number; 0: edges are jagged (an integer from 0 to 16 or None; default None)."""
    width: ForEach[int | None]
    """Gymnasium's name for render_width (int or None; default 'None')."""
    height: ForEach[int | None]
    """Gymnasium's name for render_height (int or None; default 'None')."""
    camera_id: ForEach[int | None]
    """Gymnasium's name for render_camera_id (int or None; default 'None')."""

PendulumSwingupTask: TypeAlias = Literal["PendulumSwingup-v1", "dm_control/pendulum-swingup"]

class PendulumSwingupOptions(PoolOptions, total=False):
    """Options of PendulumSwingup-v1, dm_control/pendulum-swingup."""

    task_name: ForEach[Literal["swingup"]]
    """What the robot is to do ("swingup"; default 'swingup')."""
    suite_dir: ForEach[str | None]
    """Folder of the models; None: that of the installed dm_control (None or str; default None)."""
    frame_skip: ForEach[int]
    """Steps of the simulation in each step (an integer from 1 to 65536; default 1)."""
    n_sub_steps: ForEach[int | None]
    """Dm_control's name of frame_skip, with which an episode's seconds stay the same and not its steps; None: as that says (an integer from 1 to 65536 or None; default None)."""
    frame_stack: ForEach[int]
    """Observations in one, the newest last; 1 adds no axis (an integer from 1 to 1024; default 1)."""
    time_limit: ForEach[float | None]
    """Seconds of an episode; None: max_episode_steps says its steps (None or float from 0.000000001 to 1000000000; default None)."""
    flat_observation: ForEach[bool]
    """Whether the observation is one array (bool; default False)."""
    domain_keys: ForEach[bool]
    """Whether the observation has the keys of all tasks of the domain, as EnvPool's has: those of others are zeros (bool; default False)."""
    physics: ForEach[Literal["auto", "libmujoco", "native"]]
    """Who steps: MuJoCo's library, or steps of this package's own (native), with the same bits; auto: native where it can ("auto", "libmujoco" or "native"; default 'auto')."""
    visualize_reward: ForEach[bool]
    """Whether colours of pictures show the reward (bool; default False)."""
    legacy_step: ForEach[bool]
    """Whether what is observed is that of a step's end, and not of its beginning (bool; default True)."""
    from_pixels: ForEach[bool]
    """Whether pictures are what is observed: uint8 (3 * frame_stack, render_height, render_width), the newest last (bool; default False)."""
    camera_name: ForEach[str | None]
    """One of the model's cameras by its name (None or str; default None)."""
    camera_lookat: ForEach[Sequence[float] | None]
    """The point that a free camera looks at, in metres (None or list of float; default None)."""
    camera_distance: ForEach[float | None]
    """How far from it a free camera is, in metres (None or float; default None)."""
    camera_azimuth: ForEach[float | None]
    """Direction of a free camera in degrees (None or float; default None)."""
    camera_elevation: ForEach[float | None]
    """Elevation of a free camera in degrees (None or float; default None)."""
    camera_orthographic: ForEach[bool | None]
    """Whether a free camera sees without perspective (None or bool; default None)."""
    max_geom: ForEach[int]
    """Shapes that are drawn at most (an integer from 1 to 1000000; default 1000)."""
    visual_options: ForEach[Sequence[int] | None]
    """Numbers of MuJoCo's mjtVisFlag, each followed by 1 or 0 (None or list of int; default None)."""
    render_shadows: ForEach[bool]
    """Whether there are shadows (bool; default True)."""
    render_shadow_size: ForEach[int | None]
    """Side of the map of shadows in pixels; None: the model's number (an integer from 1 to 16384 or None; default None)."""
    render_reflections: ForEach[bool]
    """Whether mirrors reflect (bool; default True)."""
    render_skybox: ForEach[bool]
    """Whether the model's sky is drawn (bool; default True)."""
    render_haze: ForEach[bool]
    """Whether there is haze at the horizon (bool; default True)."""
    render_textures: ForEach[bool]
    """Whether surfaces have their textures (bool; default True)."""
    render_multisamples: ForEach[int | None]
    """Samples of each pixel; None: the model's number; 0: edges are jagged (an integer from 0 to 16 or None; default None)."""
    width: ForEach[int | None]
    """Gymnasium's name for render_width (int or None; default 'None')."""
    height: ForEach[int | None]
    """Gymnasium's name for render_height (int or None; default 'None')."""
    camera_id: ForEach[int | None]
    """Gymnasium's name for render_camera_id (int or None; default 'None')."""

PointMassEasyTask: TypeAlias = Literal[
    "PointMassEasy-v1",
    "dm_control/point_mass-easy",
    "PointMassHard-v1",
    "dm_control/point_mass-hard",
    "ReacherEasy-v1",
    "dm_control/reacher-easy",
    "ReacherHard-v1",
    "dm_control/reacher-hard",
]

class PointMassEasyOptions(PoolOptions, total=False):
    """Options of PointMassEasy-v1, dm_control/point_mass-easy, PointMassHard-v1 and 5 more."""

    task_name: ForEach[Literal["easy", "hard"]]
    """What the robot is to do ("easy" or "hard"; default by task)."""
    suite_dir: ForEach[str | None]
    """Folder of the models; None: that of the installed dm_control (None or str; default None)."""
    frame_skip: ForEach[int]
    """Steps of the simulation in each step (an integer from 1 to 65536; default 1)."""
    n_sub_steps: ForEach[int | None]
    """Dm_control's name of frame_skip, with which an episode's seconds stay the same and not its steps; None: as that says (an integer from 1 to 65536 or None; default None)."""
    frame_stack: ForEach[int]
    """Observations in one, the newest last; 1 adds no axis (an integer from 1 to 1024; default 1)."""
    time_limit: ForEach[float | None]
    """Seconds of an episode; None: max_episode_steps says its steps (None or float from 0.000000001 to 1000000000; default None)."""
    flat_observation: ForEach[bool]
    """Whether the observation is one array (bool; default False)."""
    domain_keys: ForEach[bool]
    """Whether the observation has the keys of all tasks of the domain, as EnvPool's has: those of others are zeros (bool; default False)."""
    physics: ForEach[Literal["auto", "libmujoco", "native"]]
    """Who steps: MuJoCo's library, or steps of this package's own (native), with the same bits; auto: native where it can ("auto", "libmujoco" or "native"; default 'auto')."""
    visualize_reward: ForEach[bool]
    """Whether colours of pictures show the reward (bool; default False)."""
    legacy_step: ForEach[bool]
    """Whether what is observed is that of a step's end, and not of its beginning (bool; default True)."""
    from_pixels: ForEach[bool]
    """Whether pictures are what is observed: uint8 (3 * frame_stack, render_height, render_width), the newest last (bool; default False)."""
    camera_name: ForEach[str | None]
    """One of the model's cameras by its name (None or str; default None)."""
    camera_lookat: ForEach[Sequence[float] | None]
    """The point that a free camera looks at, in metres (None or list of float; default None)."""
    camera_distance: ForEach[float | None]
    """How far from it a free camera is, in metres (None or float; default None)."""
    camera_azimuth: ForEach[float | None]
    """Direction of a free camera in degrees (None or float; default None)."""
    camera_elevation: ForEach[float | None]
    """Elevation of a free camera in degrees (None or float; default None)."""
    camera_orthographic: ForEach[bool | None]
    """Whether a free camera sees without perspective (None or bool; default None)."""
    max_geom: ForEach[int]
    """Shapes that are drawn at most (an integer from 1 to 1000000; default 1000)."""
    visual_options: ForEach[Sequence[int] | None]
    """Numbers of MuJoCo's mjtVisFlag, each followed by 1 or 0 (None or list of int; default None)."""
    render_shadows: ForEach[bool]
    """Whether there are shadows (bool; default True)."""
    render_shadow_size: ForEach[int | None]
    """Side of the map of shadows in pixels; None: the model's number (an integer from 1 to 16384 or None; default None)."""
    render_reflections: ForEach[bool]
    """Whether mirrors reflect (bool; default True)."""
    render_skybox: ForEach[bool]
    """Whether the model's sky is drawn (bool; default True)."""
    render_haze: ForEach[bool]
    """Whether there is haze at the horizon (bool; default True)."""
    render_textures: ForEach[bool]
    """Whether surfaces have their textures (bool; default True)."""
    render_multisamples: ForEach[int | None]
    """Samples of each pixel; None: the model's number; 0: edges are jagged (an integer from 0 to 16 or None; default None)."""
    width: ForEach[int | None]
    """Gymnasium's name for render_width (int or None; default 'None')."""
    height: ForEach[int | None]
    """Gymnasium's name for render_height (int or None; default 'None')."""
    camera_id: ForEach[int | None]
    """Gymnasium's name for render_camera_id (int or None; default 'None')."""

QuadrupedWalkTask: TypeAlias = Literal[
    "QuadrupedWalk-v1",
    "dm_control/quadruped-walk",
    "QuadrupedRun-v1",
    "dm_control/quadruped-run",
    "QuadrupedEscape-v1",
    "dm_control/quadruped-escape",
    "QuadrupedFetch-v1",
    "dm_control/quadruped-fetch",
]

class QuadrupedWalkOptions(PoolOptions, total=False):
    """Options of QuadrupedWalk-v1, dm_control/quadruped-walk, QuadrupedRun-v1 and 5 more."""

    task_name: ForEach[Literal["walk", "run", "escape", "fetch"]]
    """What the robot is to do ("walk", "run", "escape" or "fetch"; default by task)."""
    suite_dir: ForEach[str | None]
    """Folder of the models; None: that of the installed dm_control (None or str; default None)."""
    frame_skip: ForEach[int]
    """Steps of the simulation in each step (an integer from 1 to 65536; default 4)."""
    n_sub_steps: ForEach[int | None]
    """Dm_control's name of frame_skip, with which an episode's seconds stay the same and not its steps; None: as that says (an integer from 1 to 65536 or None; default None)."""
    frame_stack: ForEach[int]
    """Observations in one, the newest last; 1 adds no axis (an integer from 1 to 1024; default 1)."""
    time_limit: ForEach[float | None]
    """Seconds of an episode; None: max_episode_steps says its steps (None or float from 0.000000001 to 1000000000; default None)."""
    flat_observation: ForEach[bool]
    """Whether the observation is one array (bool; default False)."""
    domain_keys: ForEach[bool]
    """Whether the observation has the keys of all tasks of the domain, as EnvPool's has: those of others are zeros (bool; default False)."""
    physics: ForEach[Literal["auto", "libmujoco", "native"]]
    """Who steps: MuJoCo's library, or steps of this package's own (native), with the same bits; auto: native where it can ("auto", "libmujoco" or "native"; default 'auto')."""
    visualize_reward: ForEach[bool]
    """Whether colours of pictures show the reward (bool; default False)."""
    legacy_step: ForEach[bool]
    """Whether what is observed is that of a step's end, and not of its beginning (bool; default True)."""
    from_pixels: ForEach[bool]
    """Whether pictures are what is observed: uint8 (3 * frame_stack, render_height, render_width), the newest last (bool; default False)."""
    camera_name: ForEach[str | None]
    """One of the model's cameras by its name (None or str; default None)."""
    camera_lookat: ForEach[Sequence[float] | None]
    """The point that a free camera looks at, in metres (None or list of float; default None)."""
    camera_distance: ForEach[float | None]
    """How far from it a free camera is, in metres (None or float; default None)."""
    camera_azimuth: ForEach[float | None]
    """Direction of a free camera in degrees (None or float; default None)."""
    camera_elevation: ForEach[float | None]
    """Elevation of a free camera in degrees (None or float; default None)."""
    camera_orthographic: ForEach[bool | None]
    """Whether a free camera sees without perspective (None or bool; default None)."""
    max_geom: ForEach[int]
    """Shapes that are drawn at most (an integer from 1 to 1000000; default 1000)."""
    visual_options: ForEach[Sequence[int] | None]
    """Numbers of MuJoCo's mjtVisFlag, each followed by 1 or 0 (None or list of int; default None)."""
    render_shadows: ForEach[bool]
    """Whether there are shadows (bool; default True)."""
    render_shadow_size: ForEach[int | None]
    """Side of the map of shadows in pixels; None: the model's number (an integer from 1 to 16384 or None; default None)."""
    render_reflections: ForEach[bool]
    """Whether mirrors reflect (bool; default True)."""
    render_skybox: ForEach[bool]
    """Whether the model's sky is drawn (bool; default True)."""
    render_haze: ForEach[bool]
    """Whether there is haze at the horizon (bool; default True)."""
    render_textures: ForEach[bool]
    """Whether surfaces have their textures (bool; default True)."""
    render_multisamples: ForEach[int | None]
    """Samples of each pixel; None: the model's number; 0: edges are jagged (an integer from 0 to 16 or None; default None)."""
    width: ForEach[int | None]
    """Gymnasium's name for render_width (int or None; default 'None')."""
    height: ForEach[int | None]
    """Gymnasium's name for render_height (int or None; default 'None')."""
    camera_id: ForEach[int | None]
    """Gymnasium's name for render_camera_id (int or None; default 'None')."""

StackerStack2Task: TypeAlias = Literal[
    "StackerStack2-v1", "dm_control/stacker-stack_2", "StackerStack4-v1", "dm_control/stacker-stack_4"
]

class StackerStack2Options(PoolOptions, total=False):
    """Options of StackerStack2-v1, dm_control/stacker-stack_2, StackerStack4-v1 and 1 more."""

    task_name: ForEach[Literal["stack_2", "stack_4"]]
    """What the robot is to do ("stack_2" or "stack_4"; default by task)."""
    suite_dir: ForEach[str | None]
    """Folder of the models; None: that of the installed dm_control (None or str; default None)."""
    frame_skip: ForEach[int]
    """Steps of the simulation in each step (an integer from 1 to 65536; default 10)."""
    n_sub_steps: ForEach[int | None]
    """Dm_control's name of frame_skip, with which an episode's seconds stay the same and not its steps; None: as that says (an integer from 1 to 65536 or None; default None)."""
    frame_stack: ForEach[int]
    """Observations in one, the newest last; 1 adds no axis (an integer from 1 to 1024; default 1)."""
    time_limit: ForEach[float | None]
    """Seconds of an episode; None: max_episode_steps says its steps (None or float from 0.000000001 to 1000000000; default None)."""
    flat_observation: ForEach[bool]
    """Whether the observation is one array (bool; default False)."""
    domain_keys: ForEach[bool]
    """Whether the observation has the keys of all tasks of the domain, as EnvPool's has: those of others are zeros (bool; default False)."""
    physics: ForEach[Literal["auto", "libmujoco", "native"]]
    """Who steps: MuJoCo's library, or steps of this package's own (native), with the same bits; auto: native where it can ("auto", "libmujoco" or "native"; default 'auto')."""
    visualize_reward: ForEach[bool]
    """Whether colours of pictures show the reward (bool; default False)."""
    legacy_step: ForEach[bool]
    """Whether what is observed is that of a step's end, and not of its beginning (bool; default True)."""
    fully_observable: ForEach[bool]
    """Whether what is to be moved, the target and the hand are observed (bool; default True)."""
    from_pixels: ForEach[bool]
    """Whether pictures are what is observed: uint8 (3 * frame_stack, render_height, render_width), the newest last (bool; default False)."""
    camera_name: ForEach[str | None]
    """One of the model's cameras by its name (None or str; default None)."""
    camera_lookat: ForEach[Sequence[float] | None]
    """The point that a free camera looks at, in metres (None or list of float; default None)."""
    camera_distance: ForEach[float | None]
    """How far from it a free camera is, in metres (None or float; default None)."""
    camera_azimuth: ForEach[float | None]
    """Direction of a free camera in degrees (None or float; default None)."""
    camera_elevation: ForEach[float | None]
    """Elevation of a free camera in degrees (None or float; default None)."""
    camera_orthographic: ForEach[bool | None]
    """Whether a free camera sees without perspective (None or bool; default None)."""
    max_geom: ForEach[int]
    """Shapes that are drawn at most (an integer from 1 to 1000000; default 1000)."""
    visual_options: ForEach[Sequence[int] | None]
    """Numbers of MuJoCo's mjtVisFlag, each followed by 1 or 0 (None or list of int; default None)."""
    render_shadows: ForEach[bool]
    """Whether there are shadows (bool; default True)."""
    render_shadow_size: ForEach[int | None]
    """Side of the map of shadows in pixels; None: the model's number (an integer from 1 to 16384 or None; default None)."""
    render_reflections: ForEach[bool]
    """Whether mirrors reflect (bool; default True)."""
    render_skybox: ForEach[bool]
    """Whether the model's sky is drawn (bool; default True)."""
    render_haze: ForEach[bool]
    """Whether there is haze at the horizon (bool; default True)."""
    render_textures: ForEach[bool]
    """Whether surfaces have their textures (bool; default True)."""
    render_multisamples: ForEach[int | None]
    """Samples of each pixel; None: the model's number; 0: edges are jagged (an integer from 0 to 16 or None; default None)."""
    width: ForEach[int | None]
    """Gymnasium's name for render_width (int or None; default 'None')."""
    height: ForEach[int | None]
    """Gymnasium's name for render_height (int or None; default 'None')."""
    camera_id: ForEach[int | None]
    """Gymnasium's name for render_camera_id (int or None; default 'None')."""

SwimmerSwimmer6Task: TypeAlias = Literal[
    "SwimmerSwimmer6-v1", "dm_control/swimmer-swimmer6", "SwimmerSwimmer15-v1", "dm_control/swimmer-swimmer15"
]

class SwimmerSwimmer6Options(PoolOptions, total=False):
    """Options of SwimmerSwimmer6-v1, dm_control/swimmer-swimmer6, SwimmerSwimmer15-v1 and 1 more."""

    task_name: ForEach[Literal["swimmer6", "swimmer15"]]
    """What the robot is to do ("swimmer6" or "swimmer15"; default by task)."""
    suite_dir: ForEach[str | None]
    """Folder of the models; None: that of the installed dm_control (None or str; default None)."""
    frame_skip: ForEach[int]
    """Steps of the simulation in each step (an integer from 1 to 65536; default 15)."""
    n_sub_steps: ForEach[int | None]
    """Dm_control's name of frame_skip, with which an episode's seconds stay the same and not its steps; None: as that says (an integer from 1 to 65536 or None; default None)."""
    frame_stack: ForEach[int]
    """Observations in one, the newest last; 1 adds no axis (an integer from 1 to 1024; default 1)."""
    time_limit: ForEach[float | None]
    """Seconds of an episode; None: max_episode_steps says its steps (None or float from 0.000000001 to 1000000000; default None)."""
    flat_observation: ForEach[bool]
    """Whether the observation is one array (bool; default False)."""
    domain_keys: ForEach[bool]
    """Whether the observation has the keys of all tasks of the domain, as EnvPool's has: those of others are zeros (bool; default False)."""
    physics: ForEach[Literal["auto", "libmujoco", "native"]]
    """Who steps: MuJoCo's library, or steps of this package's own (native), with the same bits; auto: native where it can ("auto", "libmujoco" or "native"; default 'auto')."""
    visualize_reward: ForEach[bool]
    """Whether colours of pictures show the reward (bool; default False)."""
    legacy_step: ForEach[bool]
    """Whether what is observed is that of a step's end, and not of its beginning (bool; default True)."""
    n_links: ForEach[int | None]
    """Links of the chain; None: as the task says (an integer from 3 to 256 or None; default None)."""
    from_pixels: ForEach[bool]
    """Whether pictures are what is observed: uint8 (3 * frame_stack, render_height, render_width), the newest last (bool; default False)."""
    camera_name: ForEach[str | None]
    """One of the model's cameras by its name (None or str; default None)."""
    camera_lookat: ForEach[Sequence[float] | None]
    """The point that a free camera looks at, in metres (None or list of float; default None)."""
    camera_distance: ForEach[float | None]
    """How far from it a free camera is, in metres (None or float; default None)."""
    camera_azimuth: ForEach[float | None]
    """Direction of a free camera in degrees (None or float; default None)."""
    camera_elevation: ForEach[float | None]
    """Elevation of a free camera in degrees (None or float; default None)."""
    camera_orthographic: ForEach[bool | None]
    """Whether a free camera sees without perspective (None or bool; default None)."""
    max_geom: ForEach[int]
    """Shapes that are drawn at most (an integer from 1 to 1000000; default 1000)."""
    visual_options: ForEach[Sequence[int] | None]
    """Numbers of MuJoCo's mjtVisFlag, each followed by 1 or 0 (None or list of int; default None)."""
    render_shadows: ForEach[bool]
    """Whether there are shadows (bool; default True)."""
    render_shadow_size: ForEach[int | None]
    """Side of the map of shadows in pixels; None: the model's number (an integer from 1 to 16384 or None; default None)."""
    render_reflections: ForEach[bool]
    """Whether mirrors reflect (bool; default True)."""
    render_skybox: ForEach[bool]
    """Whether the model's sky is drawn (bool; default True)."""
    render_haze: ForEach[bool]
    """Whether there is haze at the horizon (bool; default True)."""
    render_textures: ForEach[bool]
    """Whether surfaces have their textures (bool; default True)."""
    render_multisamples: ForEach[int | None]
    """Samples of each pixel; None: the model's number; 0: edges are jagged (an integer from 0 to 16 or None; default None)."""
    width: ForEach[int | None]
    """Gymnasium's name for render_width (int or None; default 'None')."""
    height: ForEach[int | None]
    """Gymnasium's name for render_height (int or None; default 'None')."""
    camera_id: ForEach[int | None]
    """Gymnasium's name for render_camera_id (int or None; default 'None')."""

EnvPoolVizdoomTask: TypeAlias = Literal[
    "D1Basic-v1",
    "D2Navigation-v1",
    "D3Battle-v1",
    "D4Battle2-v1",
    "Basic-v1",
    "BasicAudio-v1",
    "BasicNotifications-v1",
    "Cig-v1",
    "DeadlyCorridor-v1",
    "Deathmatch-v1",
    "DefendTheCenter-v1",
    "DefendTheLine-v1",
    "HealthGathering-v1",
    "HealthGatheringSupreme-v1",
    "MultiDuel-v1",
    "MyWayHome-v1",
    "PredictPosition-v1",
    "RocketBasic-v1",
    "SimplerBasic-v1",
    "TakeCover-v1",
    "VizdoomCustom-v1",
]

class EnvPoolVizdoomOptions(PoolOptions, total=False):
    """Options of D1Basic-v1, D2Navigation-v1, D3Battle-v1 and 18 more."""

    scenario: ForEach[
        Literal[
            "D1_basic",
            "D2_navigation",
            "D3_battle",
            "D4_battle2",
            "basic",
            "basic_audio",
            "basic_notifications",
            "cig",
            "deadly_corridor",
            "deathmatch",
            "defend_the_center",
            "defend_the_line",
            "health_gathering",
            "health_gathering_supreme",
            "multi_duel",
            "my_way_home",
            "predict_position",
            "rocket_basic",
            "simpler_basic",
            "take_cover",
            "",
        ]
    ]
    """The scenario ("D1_basic", "D2_navigation", "D3_battle", "D4_battle2", "basic", "basic_audio", "basic_notifications", "cig", "deadly_corridor", "deathmatch", "defend_the_center", "defend_the_line", "health_gathering", "health_gathering_supreme", "multi_duel", "my_way_home", "predict_position", "rocket_basic", "simpler_basic", "take_cover" or ""; default by task)."""
    img_height: ForEach[int]
    """Rows of a frame (an integer from 1 to 4096; default 84)."""
    img_width: ForEach[int]
    """Columns of a frame (an integer from 1 to 4096; default 84)."""
    stack_num: ForEach[int]
    """Frames in an observation (an integer from 1 to 1000; default 4)."""
    frame_skip: ForEach[int]
    """Tics of a step (an integer from 1 to 10000; default 4)."""
    use_inter_area_resize: ForEach[bool]
    """OpenCV's INTER_AREA, or else INTER_LINEAR (bool; default True)."""
    episodic_life: ForEach[bool]
    """A death ends an episode also where the game goes on (bool; default False)."""
    use_combined_action: ForEach[bool]
    """An action is a number that stands for buttons pressed together (bool; default False)."""
    force_speed: ForEach[bool]
    """Combined actions always press SPEED (bool; default False)."""
    lmp_save_dir: ForEach[str]
    """A folder in which episodes are recorded, but for each environment's first (str; default '')."""
    reward_config: ForEach[Mapping[Any, float | Sequence[float]]]
    """By variable: what one more of it brings, and what one less does (dict of numbers; default {'AMMO0': (0.00019999999494757503, -9.999999747378752e-05), 'AMMO1': (0.00019999999494757503, -9.999999747378752e-05), 'AMMO2': (0.00019999999494757503, -9.999999747378752e-05), 'AMMO3': (0.0010000000474974513, -0.0005000000237487257), 'AMMO4': (0.0010000000474974513, -0.0005000000237487257), 'AMMO5': (0.0010000000474974513, -0.0005000000237487257), 'AMMO6': (0.0020000000949949026, -0.0010000000474974513), 'AMMO7': (0.0020000000949949026, -0.0010000000474974513), 'ARMOR': (0.004999999888241291, -0.0010000000474974513), 'DAMAGECOUNT': (0.003000000026077032, -0.003000000026077032), 'DEATHCOUNT': (-0.75, 0.75), 'FRAGCOUNT': (1.0, -1.5), 'HEALTH': (0.004999999888241291, -0.003000000026077032), 'HITCOUNT': (0.009999999776482582, -0.009999999776482582), 'KILLCOUNT': (1.0, 0.0), 'WEAPON0': (0.019999999552965164, -0.009999999776482582), 'WEAPON1': (0.019999999552965164, -0.009999999776482582), 'WEAPON2': (0.019999999552965164, -0.009999999776482582), 'WEAPON3': (0.10000000149011612, -0.05000000074505806), 'WEAPON4': (0.10000000149011612, -0.05000000074505806), 'WEAPON5': (0.10000000149011612, -0.05000000074505806), 'WEAPON6': (0.20000000298023224, -0.10000000149011612), 'WEAPON7': (0.20000000298023224, -0.10000000149011612)})."""
    reward_metric: ForEach[Mapping[Any, float | Sequence[float]] | None]
    """An older name of reward_config (None or dict of numbers; default None)."""
    selected_weapon_reward_config: ForEach[Mapping[Any, float | Sequence[float]]]
    """By weapon: what holding it brings (dict of numbers; default {0: 0.00019999999494757503, 1: 0.00019999999494757503, 2: 0.00019999999494757503, 3: 0.0010000000474974513, 4: 0.0010000000474974513, 5: 0.0010000000474974513, 6: 0.0020000000949949026, 7: 0.0020000000949949026})."""
    weapon_duration: ForEach[int]
    """Steps a weapon has been held that count as holding it (an integer from 0 to 1073741824; default 5)."""
    delta_button_config: ForEach[Mapping[Any, float | Sequence[float]]]
    """By button that moves: the number of values in combined actions, the least, the largest (dict of numbers; default {})."""
    cfg_path: ForEach[str]
    """A configuration of ViZDoom's (.cfg) in place of the scenario's (str; default '')."""
    wad_path: ForEach[str]
    """A scenario's file (.wad) in place of the configuration's (str; default '')."""
    iwad_path: ForEach[str]
    """The game's file; freedoom2.wad of EnvPool's assets, or else of the package (str; default '')."""
    vzd_path: ForEach[str]
    """The engine; the package's (str; default '')."""
    game_args: ForEach[str]
    """Further arguments for the engine (str; default '')."""
    map_id: ForEach[str]
    """The map (str; default 'map01')."""
    assets_dir: ForEach[str | None]
    """Folder of EnvPool's assets; the installed ones (None or str; default None)."""
    vizdoom_dir: ForEach[str | None]
    """Folder of Python's package vizdoom; the installed one (None or str; default None)."""
    engine_timeout: ForEach[float]
    """Seconds after which an engine that does not answer is given up (float from 0.1 to 86400; default 60.0)."""
    restart: ForEach[bool]
    """An engine that is lost is started anew, and its episode truncated, instead of an error (bool; default False)."""
    fast_palette_copy: ForEach[bool]
    """A shorter loop is put into the running engine's memory: the same pictures, faster (bool; default False)."""

VizdoomTask: TypeAlias = Literal[
    "VizdoomBasic-v1",
    "VizdoomBasic-MultiBinary-v1",
    "VizdoomBasicAudio-v1",
    "VizdoomBasicAudio-MultiBinary-v1",
    "VizdoomBasicNotifications-v1",
    "VizdoomBasicNotifications-MultiBinary-v1",
    "VizdoomDeadlyCorridor-v1",
    "VizdoomDeadlyCorridor-MultiBinary-v1",
    "VizdoomDefendCenter-v1",
    "VizdoomDefendCenter-MultiBinary-v1",
    "VizdoomDefendLine-v1",
    "VizdoomDefendLine-MultiBinary-v1",
    "VizdoomHealthGathering-v1",
    "VizdoomHealthGathering-MultiBinary-v1",
    "VizdoomMyWayHome-v1",
    "VizdoomMyWayHome-MultiBinary-v1",
    "VizdoomPredictPosition-v1",
    "VizdoomPredictPosition-MultiBinary-v1",
    "VizdoomTakeCover-v1",
    "VizdoomTakeCover-MultiBinary-v1",
    "VizdoomDeathmatch-v1",
    "VizdoomDeathmatch-MultiBinary-v1",
    "VizdoomHealthGatheringSupreme-v1",
    "VizdoomHealthGatheringSupreme-MultiBinary-v1",
    "VizdoomDoomE1M1-S1-v0",
    "VizdoomDoomE1M2-S1-v0",
    "VizdoomDoomE1M3-S1-v0",
    "VizdoomDoomE1M4-S1-v0",
    "VizdoomDoomE1M5-S1-v0",
    "VizdoomDoomE1M6-S1-v0",
    "VizdoomDoomE1M7-S1-v0",
    "VizdoomDoomE1M8-S1-v0",
    "VizdoomDoomE1M9-S1-v0",
    "VizdoomDoomE2M1-S1-v0",
    "VizdoomDoomE2M2-S1-v0",
    "VizdoomDoomE2M3-S1-v0",
    "VizdoomDoomE2M4-S1-v0",
    "VizdoomDoomE2M5-S1-v0",
    "VizdoomDoomE2M6-S1-v0",
    "VizdoomDoomE2M7-S1-v0",
    "VizdoomDoomE2M8-S1-v0",
    "VizdoomDoomE2M9-S1-v0",
    "VizdoomDoomE3M1-S1-v0",
    "VizdoomDoomE3M2-S1-v0",
    "VizdoomDoomE3M3-S1-v0",
    "VizdoomDoomE3M4-S1-v0",
    "VizdoomDoomE3M5-S1-v0",
    "VizdoomDoomE3M6-S1-v0",
    "VizdoomDoomE3M7-S1-v0",
    "VizdoomDoomE3M8-S1-v0",
    "VizdoomDoomE3M9-S1-v0",
    "VizdoomDoomE4M1-S1-v0",
    "VizdoomDoomE4M2-S1-v0",
    "VizdoomDoomE4M3-S1-v0",
    "VizdoomDoomE4M4-S1-v0",
    "VizdoomDoomE4M5-S1-v0",
    "VizdoomDoomE4M6-S1-v0",
    "VizdoomDoomE4M7-S1-v0",
    "VizdoomDoomE4M8-S1-v0",
    "VizdoomDoomE4M9-S1-v0",
    "VizdoomDoom2MAP01-S1-v0",
    "VizdoomDoom2MAP02-S1-v0",
    "VizdoomDoom2MAP03-S1-v0",
    "VizdoomDoom2MAP04-S1-v0",
    "VizdoomDoom2MAP05-S1-v0",
    "VizdoomDoom2MAP06-S1-v0",
    "VizdoomDoom2MAP07-S1-v0",
    "VizdoomDoom2MAP08-S1-v0",
    "VizdoomDoom2MAP09-S1-v0",
    "VizdoomDoom2MAP10-S1-v0",
    "VizdoomDoom2MAP11-S1-v0",
    "VizdoomDoom2MAP12-S1-v0",
    "VizdoomDoom2MAP13-S1-v0",
    "VizdoomDoom2MAP14-S1-v0",
    "VizdoomDoom2MAP15-S1-v0",
    "VizdoomDoom2MAP16-S1-v0",
    "VizdoomDoom2MAP17-S1-v0",
    "VizdoomDoom2MAP18-S1-v0",
    "VizdoomDoom2MAP19-S1-v0",
    "VizdoomDoom2MAP20-S1-v0",
    "VizdoomDoom2MAP21-S1-v0",
    "VizdoomDoom2MAP22-S1-v0",
    "VizdoomDoom2MAP23-S1-v0",
    "VizdoomDoom2MAP24-S1-v0",
    "VizdoomDoom2MAP25-S1-v0",
    "VizdoomDoom2MAP26-S1-v0",
    "VizdoomDoom2MAP27-S1-v0",
    "VizdoomDoom2MAP28-S1-v0",
    "VizdoomDoom2MAP29-S1-v0",
    "VizdoomDoom2MAP30-S1-v0",
    "VizdoomDoom2MAP31-S1-v0",
    "VizdoomDoom2MAP32-S1-v0",
    "VizdoomFreedoom1E1M1-S1-v0",
    "VizdoomFreedoom1E1M2-S1-v0",
    "VizdoomFreedoom1E1M3-S1-v0",
    "VizdoomFreedoom1E1M4-S1-v0",
    "VizdoomFreedoom1E1M5-S1-v0",
    "VizdoomFreedoom1E1M6-S1-v0",
    "VizdoomFreedoom1E1M7-S1-v0",
    "VizdoomFreedoom1E1M8-S1-v0",
    "VizdoomFreedoom1E1M9-S1-v0",
    "VizdoomFreedoom1E2M1-S1-v0",
    "VizdoomFreedoom1E2M2-S1-v0",
    "VizdoomFreedoom1E2M3-S1-v0",
    "VizdoomFreedoom1E2M4-S1-v0",
    "VizdoomFreedoom1E2M5-S1-v0",
    "VizdoomFreedoom1E2M6-S1-v0",
    "VizdoomFreedoom1E2M7-S1-v0",
    "VizdoomFreedoom1E2M8-S1-v0",
    "VizdoomFreedoom1E2M9-S1-v0",
    "VizdoomFreedoom1E3M1-S1-v0",
    "VizdoomFreedoom1E3M2-S1-v0",
    "VizdoomFreedoom1E3M3-S1-v0",
    "VizdoomFreedoom1E3M4-S1-v0",
    "VizdoomFreedoom1E3M5-S1-v0",
    "VizdoomFreedoom1E3M6-S1-v0",
    "VizdoomFreedoom1E3M7-S1-v0",
    "VizdoomFreedoom1E3M8-S1-v0",
    "VizdoomFreedoom1E3M9-S1-v0",
    "VizdoomFreedoom1E4M1-S1-v0",
    "VizdoomFreedoom1E4M2-S1-v0",
    "VizdoomFreedoom1E4M3-S1-v0",
    "VizdoomFreedoom1E4M4-S1-v0",
    "VizdoomFreedoom1E4M5-S1-v0",
    "VizdoomFreedoom1E4M6-S1-v0",
    "VizdoomFreedoom1E4M7-S1-v0",
    "VizdoomFreedoom1E4M8-S1-v0",
    "VizdoomFreedoom1E4M9-S1-v0",
    "VizdoomFreedoom2MAP01-S1-v0",
    "VizdoomFreedoom2MAP02-S1-v0",
    "VizdoomFreedoom2MAP03-S1-v0",
    "VizdoomFreedoom2MAP04-S1-v0",
    "VizdoomFreedoom2MAP05-S1-v0",
    "VizdoomFreedoom2MAP06-S1-v0",
    "VizdoomFreedoom2MAP07-S1-v0",
    "VizdoomFreedoom2MAP08-S1-v0",
    "VizdoomFreedoom2MAP09-S1-v0",
    "VizdoomFreedoom2MAP10-S1-v0",
    "VizdoomFreedoom2MAP11-S1-v0",
    "VizdoomFreedoom2MAP12-S1-v0",
    "VizdoomFreedoom2MAP13-S1-v0",
    "VizdoomFreedoom2MAP14-S1-v0",
    "VizdoomFreedoom2MAP15-S1-v0",
    "VizdoomFreedoom2MAP16-S1-v0",
    "VizdoomFreedoom2MAP17-S1-v0",
    "VizdoomFreedoom2MAP18-S1-v0",
    "VizdoomFreedoom2MAP19-S1-v0",
    "VizdoomFreedoom2MAP20-S1-v0",
    "VizdoomFreedoom2MAP21-S1-v0",
    "VizdoomFreedoom2MAP22-S1-v0",
    "VizdoomFreedoom2MAP23-S1-v0",
    "VizdoomFreedoom2MAP24-S1-v0",
    "VizdoomFreedoom2MAP25-S1-v0",
    "VizdoomFreedoom2MAP26-S1-v0",
    "VizdoomFreedoom2MAP27-S1-v0",
    "VizdoomFreedoom2MAP28-S1-v0",
    "VizdoomFreedoom2MAP29-S1-v0",
    "VizdoomFreedoom2MAP30-S1-v0",
    "VizdoomFreedoom2MAP31-S1-v0",
    "VizdoomFreedoom2MAP32-S1-v0",
    "VizdoomDoomE1M1-S2-v0",
    "VizdoomDoomE1M2-S2-v0",
    "VizdoomDoomE1M3-S2-v0",
    "VizdoomDoomE1M4-S2-v0",
    "VizdoomDoomE1M5-S2-v0",
    "VizdoomDoomE1M6-S2-v0",
    "VizdoomDoomE1M7-S2-v0",
    "VizdoomDoomE1M8-S2-v0",
    "VizdoomDoomE1M9-S2-v0",
    "VizdoomDoomE2M1-S2-v0",
    "VizdoomDoomE2M2-S2-v0",
    "VizdoomDoomE2M3-S2-v0",
    "VizdoomDoomE2M4-S2-v0",
    "VizdoomDoomE2M5-S2-v0",
    "VizdoomDoomE2M6-S2-v0",
    "VizdoomDoomE2M7-S2-v0",
    "VizdoomDoomE2M8-S2-v0",
    "VizdoomDoomE2M9-S2-v0",
    "VizdoomDoomE3M1-S2-v0",
    "VizdoomDoomE3M2-S2-v0",
    "VizdoomDoomE3M3-S2-v0",
    "VizdoomDoomE3M4-S2-v0",
    "VizdoomDoomE3M5-S2-v0",
    "VizdoomDoomE3M6-S2-v0",
    "VizdoomDoomE3M7-S2-v0",
    "VizdoomDoomE3M8-S2-v0",
    "VizdoomDoomE3M9-S2-v0",
    "VizdoomDoomE4M1-S2-v0",
    "VizdoomDoomE4M2-S2-v0",
    "VizdoomDoomE4M3-S2-v0",
    "VizdoomDoomE4M4-S2-v0",
    "VizdoomDoomE4M5-S2-v0",
    "VizdoomDoomE4M6-S2-v0",
    "VizdoomDoomE4M7-S2-v0",
    "VizdoomDoomE4M8-S2-v0",
    "VizdoomDoomE4M9-S2-v0",
    "VizdoomDoom2MAP01-S2-v0",
    "VizdoomDoom2MAP02-S2-v0",
    "VizdoomDoom2MAP03-S2-v0",
    "VizdoomDoom2MAP04-S2-v0",
    "VizdoomDoom2MAP05-S2-v0",
    "VizdoomDoom2MAP06-S2-v0",
    "VizdoomDoom2MAP07-S2-v0",
    "VizdoomDoom2MAP08-S2-v0",
    "VizdoomDoom2MAP09-S2-v0",
    "VizdoomDoom2MAP10-S2-v0",
    "VizdoomDoom2MAP11-S2-v0",
    "VizdoomDoom2MAP12-S2-v0",
    "VizdoomDoom2MAP13-S2-v0",
    "VizdoomDoom2MAP14-S2-v0",
    "VizdoomDoom2MAP15-S2-v0",
    "VizdoomDoom2MAP16-S2-v0",
    "VizdoomDoom2MAP17-S2-v0",
    "VizdoomDoom2MAP18-S2-v0",
    "VizdoomDoom2MAP19-S2-v0",
    "VizdoomDoom2MAP20-S2-v0",
    "VizdoomDoom2MAP21-S2-v0",
    "VizdoomDoom2MAP22-S2-v0",
    "VizdoomDoom2MAP23-S2-v0",
    "VizdoomDoom2MAP24-S2-v0",
    "VizdoomDoom2MAP25-S2-v0",
    "VizdoomDoom2MAP26-S2-v0",
    "VizdoomDoom2MAP27-S2-v0",
    "VizdoomDoom2MAP28-S2-v0",
    "VizdoomDoom2MAP29-S2-v0",
    "VizdoomDoom2MAP30-S2-v0",
    "VizdoomDoom2MAP31-S2-v0",
    "VizdoomDoom2MAP32-S2-v0",
    "VizdoomFreedoom1E1M1-S2-v0",
    "VizdoomFreedoom1E1M2-S2-v0",
    "VizdoomFreedoom1E1M3-S2-v0",
    "VizdoomFreedoom1E1M4-S2-v0",
    "VizdoomFreedoom1E1M5-S2-v0",
    "VizdoomFreedoom1E1M6-S2-v0",
    "VizdoomFreedoom1E1M7-S2-v0",
    "VizdoomFreedoom1E1M8-S2-v0",
    "VizdoomFreedoom1E1M9-S2-v0",
    "VizdoomFreedoom1E2M1-S2-v0",
    "VizdoomFreedoom1E2M2-S2-v0",
    "VizdoomFreedoom1E2M3-S2-v0",
    "VizdoomFreedoom1E2M4-S2-v0",
    "VizdoomFreedoom1E2M5-S2-v0",
    "VizdoomFreedoom1E2M6-S2-v0",
    "VizdoomFreedoom1E2M7-S2-v0",
    "VizdoomFreedoom1E2M8-S2-v0",
    "VizdoomFreedoom1E2M9-S2-v0",
    "VizdoomFreedoom1E3M1-S2-v0",
    "VizdoomFreedoom1E3M2-S2-v0",
    "VizdoomFreedoom1E3M3-S2-v0",
    "VizdoomFreedoom1E3M4-S2-v0",
    "VizdoomFreedoom1E3M5-S2-v0",
    "VizdoomFreedoom1E3M6-S2-v0",
    "VizdoomFreedoom1E3M7-S2-v0",
    "VizdoomFreedoom1E3M8-S2-v0",
    "VizdoomFreedoom1E3M9-S2-v0",
    "VizdoomFreedoom1E4M1-S2-v0",
    "VizdoomFreedoom1E4M2-S2-v0",
    "VizdoomFreedoom1E4M3-S2-v0",
    "VizdoomFreedoom1E4M4-S2-v0",
    "VizdoomFreedoom1E4M5-S2-v0",
    "VizdoomFreedoom1E4M6-S2-v0",
    "VizdoomFreedoom1E4M7-S2-v0",
    "VizdoomFreedoom1E4M8-S2-v0",
    "VizdoomFreedoom1E4M9-S2-v0",
    "VizdoomFreedoom2MAP01-S2-v0",
    "VizdoomFreedoom2MAP02-S2-v0",
    "VizdoomFreedoom2MAP03-S2-v0",
    "VizdoomFreedoom2MAP04-S2-v0",
    "VizdoomFreedoom2MAP05-S2-v0",
    "VizdoomFreedoom2MAP06-S2-v0",
    "VizdoomFreedoom2MAP07-S2-v0",
    "VizdoomFreedoom2MAP08-S2-v0",
    "VizdoomFreedoom2MAP09-S2-v0",
    "VizdoomFreedoom2MAP10-S2-v0",
    "VizdoomFreedoom2MAP11-S2-v0",
    "VizdoomFreedoom2MAP12-S2-v0",
    "VizdoomFreedoom2MAP13-S2-v0",
    "VizdoomFreedoom2MAP14-S2-v0",
    "VizdoomFreedoom2MAP15-S2-v0",
    "VizdoomFreedoom2MAP16-S2-v0",
    "VizdoomFreedoom2MAP17-S2-v0",
    "VizdoomFreedoom2MAP18-S2-v0",
    "VizdoomFreedoom2MAP19-S2-v0",
    "VizdoomFreedoom2MAP20-S2-v0",
    "VizdoomFreedoom2MAP21-S2-v0",
    "VizdoomFreedoom2MAP22-S2-v0",
    "VizdoomFreedoom2MAP23-S2-v0",
    "VizdoomFreedoom2MAP24-S2-v0",
    "VizdoomFreedoom2MAP25-S2-v0",
    "VizdoomFreedoom2MAP26-S2-v0",
    "VizdoomFreedoom2MAP27-S2-v0",
    "VizdoomFreedoom2MAP28-S2-v0",
    "VizdoomFreedoom2MAP29-S2-v0",
    "VizdoomFreedoom2MAP30-S2-v0",
    "VizdoomFreedoom2MAP31-S2-v0",
    "VizdoomFreedoom2MAP32-S2-v0",
    "VizdoomDoomE1M1-S3-v0",
    "VizdoomDoomE1M2-S3-v0",
    "VizdoomDoomE1M3-S3-v0",
    "VizdoomDoomE1M4-S3-v0",
    "VizdoomDoomE1M5-S3-v0",
    "VizdoomDoomE1M6-S3-v0",
    "VizdoomDoomE1M7-S3-v0",
    "VizdoomDoomE1M8-S3-v0",
    "VizdoomDoomE1M9-S3-v0",
    "VizdoomDoomE2M1-S3-v0",
    "VizdoomDoomE2M2-S3-v0",
    "VizdoomDoomE2M3-S3-v0",
    "VizdoomDoomE2M4-S3-v0",
    "VizdoomDoomE2M5-S3-v0",
    "VizdoomDoomE2M6-S3-v0",
    "VizdoomDoomE2M7-S3-v0",
    "VizdoomDoomE2M8-S3-v0",
    "VizdoomDoomE2M9-S3-v0",
    "VizdoomDoomE3M1-S3-v0",
    "VizdoomDoomE3M2-S3-v0",
    "VizdoomDoomE3M3-S3-v0",
    "VizdoomDoomE3M4-S3-v0",
    "VizdoomDoomE3M5-S3-v0",
    "VizdoomDoomE3M6-S3-v0",
    "VizdoomDoomE3M7-S3-v0",
    "VizdoomDoomE3M8-S3-v0",
    "VizdoomDoomE3M9-S3-v0",
    "VizdoomDoomE4M1-S3-v0",
    "VizdoomDoomE4M2-S3-v0",
    "VizdoomDoomE4M3-S3-v0",
    "VizdoomDoomE4M4-S3-v0",
    "VizdoomDoomE4M5-S3-v0",
    "VizdoomDoomE4M6-S3-v0",
    "VizdoomDoomE4M7-S3-v0",
    "VizdoomDoomE4M8-S3-v0",
    "VizdoomDoomE4M9-S3-v0",
    "VizdoomDoom2MAP01-S3-v0",
    "VizdoomDoom2MAP02-S3-v0",
    "VizdoomDoom2MAP03-S3-v0",
    "VizdoomDoom2MAP04-S3-v0",
    "VizdoomDoom2MAP05-S3-v0",
    "VizdoomDoom2MAP06-S3-v0",
    "VizdoomDoom2MAP07-S3-v0",
    "VizdoomDoom2MAP08-S3-v0",
    "VizdoomDoom2MAP09-S3-v0",
    "VizdoomDoom2MAP10-S3-v0",
    "VizdoomDoom2MAP11-S3-v0",
    "VizdoomDoom2MAP12-S3-v0",
    "VizdoomDoom2MAP13-S3-v0",
    "VizdoomDoom2MAP14-S3-v0",
    "VizdoomDoom2MAP15-S3-v0",
    "VizdoomDoom2MAP16-S3-v0",
    "VizdoomDoom2MAP17-S3-v0",
    "VizdoomDoom2MAP18-S3-v0",
    "VizdoomDoom2MAP19-S3-v0",
    "VizdoomDoom2MAP20-S3-v0",
    "VizdoomDoom2MAP21-S3-v0",
    "VizdoomDoom2MAP22-S3-v0",
    "VizdoomDoom2MAP23-S3-v0",
    "VizdoomDoom2MAP24-S3-v0",
    "VizdoomDoom2MAP25-S3-v0",
    "VizdoomDoom2MAP26-S3-v0",
    "VizdoomDoom2MAP27-S3-v0",
    "VizdoomDoom2MAP28-S3-v0",
    "VizdoomDoom2MAP29-S3-v0",
    "VizdoomDoom2MAP30-S3-v0",
    "VizdoomDoom2MAP31-S3-v0",
    "VizdoomDoom2MAP32-S3-v0",
    "VizdoomFreedoom1E1M1-S3-v0",
    "VizdoomFreedoom1E1M2-S3-v0",
    "VizdoomFreedoom1E1M3-S3-v0",
    "VizdoomFreedoom1E1M4-S3-v0",
    "VizdoomFreedoom1E1M5-S3-v0",
    "VizdoomFreedoom1E1M6-S3-v0",
    "VizdoomFreedoom1E1M7-S3-v0",
    "VizdoomFreedoom1E1M8-S3-v0",
    "VizdoomFreedoom1E1M9-S3-v0",
    "VizdoomFreedoom1E2M1-S3-v0",
    "VizdoomFreedoom1E2M2-S3-v0",
    "VizdoomFreedoom1E2M3-S3-v0",
    "VizdoomFreedoom1E2M4-S3-v0",
    "VizdoomFreedoom1E2M5-S3-v0",
    "VizdoomFreedoom1E2M6-S3-v0",
    "VizdoomFreedoom1E2M7-S3-v0",
    "VizdoomFreedoom1E2M8-S3-v0",
    "VizdoomFreedoom1E2M9-S3-v0",
    "VizdoomFreedoom1E3M1-S3-v0",
    "VizdoomFreedoom1E3M2-S3-v0",
    "VizdoomFreedoom1E3M3-S3-v0",
    "VizdoomFreedoom1E3M4-S3-v0",
    "VizdoomFreedoom1E3M5-S3-v0",
    "VizdoomFreedoom1E3M6-S3-v0",
    "VizdoomFreedoom1E3M7-S3-v0",
    "VizdoomFreedoom1E3M8-S3-v0",
    "VizdoomFreedoom1E3M9-S3-v0",
    "VizdoomFreedoom1E4M1-S3-v0",
    "VizdoomFreedoom1E4M2-S3-v0",
    "VizdoomFreedoom1E4M3-S3-v0",
    "VizdoomFreedoom1E4M4-S3-v0",
    "VizdoomFreedoom1E4M5-S3-v0",
    "VizdoomFreedoom1E4M6-S3-v0",
    "VizdoomFreedoom1E4M7-S3-v0",
    "VizdoomFreedoom1E4M8-S3-v0",
    "VizdoomFreedoom1E4M9-S3-v0",
    "VizdoomFreedoom2MAP01-S3-v0",
    "VizdoomFreedoom2MAP02-S3-v0",
    "VizdoomFreedoom2MAP03-S3-v0",
    "VizdoomFreedoom2MAP04-S3-v0",
    "VizdoomFreedoom2MAP05-S3-v0",
    "VizdoomFreedoom2MAP06-S3-v0",
    "VizdoomFreedoom2MAP07-S3-v0",
    "VizdoomFreedoom2MAP08-S3-v0",
    "VizdoomFreedoom2MAP09-S3-v0",
    "VizdoomFreedoom2MAP10-S3-v0",
    "VizdoomFreedoom2MAP11-S3-v0",
    "VizdoomFreedoom2MAP12-S3-v0",
    "VizdoomFreedoom2MAP13-S3-v0",
    "VizdoomFreedoom2MAP14-S3-v0",
    "VizdoomFreedoom2MAP15-S3-v0",
    "VizdoomFreedoom2MAP16-S3-v0",
    "VizdoomFreedoom2MAP17-S3-v0",
    "VizdoomFreedoom2MAP18-S3-v0",
    "VizdoomFreedoom2MAP19-S3-v0",
    "VizdoomFreedoom2MAP20-S3-v0",
    "VizdoomFreedoom2MAP21-S3-v0",
    "VizdoomFreedoom2MAP22-S3-v0",
    "VizdoomFreedoom2MAP23-S3-v0",
    "VizdoomFreedoom2MAP24-S3-v0",
    "VizdoomFreedoom2MAP25-S3-v0",
    "VizdoomFreedoom2MAP26-S3-v0",
    "VizdoomFreedoom2MAP27-S3-v0",
    "VizdoomFreedoom2MAP28-S3-v0",
    "VizdoomFreedoom2MAP29-S3-v0",
    "VizdoomFreedoom2MAP30-S3-v0",
    "VizdoomFreedoom2MAP31-S3-v0",
    "VizdoomFreedoom2MAP32-S3-v0",
    "VizdoomDoomE1M1-S4-v0",
    "VizdoomDoomE1M2-S4-v0",
    "VizdoomDoomE1M3-S4-v0",
    "VizdoomDoomE1M4-S4-v0",
    "VizdoomDoomE1M5-S4-v0",
    "VizdoomDoomE1M6-S4-v0",
    "VizdoomDoomE1M7-S4-v0",
    "VizdoomDoomE1M8-S4-v0",
    "VizdoomDoomE1M9-S4-v0",
    "VizdoomDoomE2M1-S4-v0",
    "VizdoomDoomE2M2-S4-v0",
    "VizdoomDoomE2M3-S4-v0",
    "VizdoomDoomE2M4-S4-v0",
    "VizdoomDoomE2M5-S4-v0",
    "VizdoomDoomE2M6-S4-v0",
    "VizdoomDoomE2M7-S4-v0",
    "VizdoomDoomE2M8-S4-v0",
    "VizdoomDoomE2M9-S4-v0",
    "VizdoomDoomE3M1-S4-v0",
    "VizdoomDoomE3M2-S4-v0",
    "VizdoomDoomE3M3-S4-v0",
    "VizdoomDoomE3M4-S4-v0",
    "VizdoomDoomE3M5-S4-v0",
    "VizdoomDoomE3M6-S4-v0",
    "VizdoomDoomE3M7-S4-v0",
    "VizdoomDoomE3M8-S4-v0",
    "VizdoomDoomE3M9-S4-v0",
    "VizdoomDoomE4M1-S4-v0",
    "VizdoomDoomE4M2-S4-v0",
    "VizdoomDoomE4M3-S4-v0",
    "VizdoomDoomE4M4-S4-v0",
    "VizdoomDoomE4M5-S4-v0",
    "VizdoomDoomE4M6-S4-v0",
    "VizdoomDoomE4M7-S4-v0",
    "VizdoomDoomE4M8-S4-v0",
    "VizdoomDoomE4M9-S4-v0",
    "VizdoomDoom2MAP01-S4-v0",
    "VizdoomDoom2MAP02-S4-v0",
    "VizdoomDoom2MAP03-S4-v0",
    "VizdoomDoom2MAP04-S4-v0",
    "VizdoomDoom2MAP05-S4-v0",
    "VizdoomDoom2MAP06-S4-v0",
    "VizdoomDoom2MAP07-S4-v0",
    "VizdoomDoom2MAP08-S4-v0",
    "VizdoomDoom2MAP09-S4-v0",
    "VizdoomDoom2MAP10-S4-v0",
    "VizdoomDoom2MAP11-S4-v0",
    "VizdoomDoom2MAP12-S4-v0",
    "VizdoomDoom2MAP13-S4-v0",
    "VizdoomDoom2MAP14-S4-v0",
    "VizdoomDoom2MAP15-S4-v0",
    "VizdoomDoom2MAP16-S4-v0",
    "VizdoomDoom2MAP17-S4-v0",
    "VizdoomDoom2MAP18-S4-v0",
    "VizdoomDoom2MAP19-S4-v0",
    "VizdoomDoom2MAP20-S4-v0",
    "VizdoomDoom2MAP21-S4-v0",
    "VizdoomDoom2MAP22-S4-v0",
    "VizdoomDoom2MAP23-S4-v0",
    "VizdoomDoom2MAP24-S4-v0",
    "VizdoomDoom2MAP25-S4-v0",
    "VizdoomDoom2MAP26-S4-v0",
    "VizdoomDoom2MAP27-S4-v0",
    "VizdoomDoom2MAP28-S4-v0",
    "VizdoomDoom2MAP29-S4-v0",
    "VizdoomDoom2MAP30-S4-v0",
    "VizdoomDoom2MAP31-S4-v0",
    "VizdoomDoom2MAP32-S4-v0",
    "VizdoomFreedoom1E1M1-S4-v0",
    "VizdoomFreedoom1E1M2-S4-v0",
    "VizdoomFreedoom1E1M3-S4-v0",
    "VizdoomFreedoom1E1M4-S4-v0",
    "VizdoomFreedoom1E1M5-S4-v0",
    "VizdoomFreedoom1E1M6-S4-v0",
    "VizdoomFreedoom1E1M7-S4-v0",
    "VizdoomFreedoom1E1M8-S4-v0",
    "VizdoomFreedoom1E1M9-S4-v0",
    "VizdoomFreedoom1E2M1-S4-v0",
    "VizdoomFreedoom1E2M2-S4-v0",
    "VizdoomFreedoom1E2M3-S4-v0",
    "VizdoomFreedoom1E2M4-S4-v0",
    "VizdoomFreedoom1E2M5-S4-v0",
    "VizdoomFreedoom1E2M6-S4-v0",
    "VizdoomFreedoom1E2M7-S4-v0",
    "VizdoomFreedoom1E2M8-S4-v0",
    "VizdoomFreedoom1E2M9-S4-v0",
    "VizdoomFreedoom1E3M1-S4-v0",
    "VizdoomFreedoom1E3M2-S4-v0",
    "VizdoomFreedoom1E3M3-S4-v0",
    "VizdoomFreedoom1E3M4-S4-v0",
    "VizdoomFreedoom1E3M5-S4-v0",
    "VizdoomFreedoom1E3M6-S4-v0",
    "VizdoomFreedoom1E3M7-S4-v0",
    "VizdoomFreedoom1E3M8-S4-v0",
    "VizdoomFreedoom1E3M9-S4-v0",
    "VizdoomFreedoom1E4M1-S4-v0",
    "VizdoomFreedoom1E4M2-S4-v0",
    "VizdoomFreedoom1E4M3-S4-v0",
    "VizdoomFreedoom1E4M4-S4-v0",
    "VizdoomFreedoom1E4M5-S4-v0",
    "VizdoomFreedoom1E4M6-S4-v0",
    "VizdoomFreedoom1E4M7-S4-v0",
    "VizdoomFreedoom1E4M8-S4-v0",
    "VizdoomFreedoom1E4M9-S4-v0",
    "VizdoomFreedoom2MAP01-S4-v0",
    "VizdoomFreedoom2MAP02-S4-v0",
    "VizdoomFreedoom2MAP03-S4-v0",
    "VizdoomFreedoom2MAP04-S4-v0",
    "VizdoomFreedoom2MAP05-S4-v0",
    "VizdoomFreedoom2MAP06-S4-v0",
    "VizdoomFreedoom2MAP07-S4-v0",
    "VizdoomFreedoom2MAP08-S4-v0",
    "VizdoomFreedoom2MAP09-S4-v0",
    "VizdoomFreedoom2MAP10-S4-v0",
    "VizdoomFreedoom2MAP11-S4-v0",
    "VizdoomFreedoom2MAP12-S4-v0",
    "VizdoomFreedoom2MAP13-S4-v0",
    "VizdoomFreedoom2MAP14-S4-v0",
    "VizdoomFreedoom2MAP15-S4-v0",
    "VizdoomFreedoom2MAP16-S4-v0",
    "VizdoomFreedoom2MAP17-S4-v0",
    "VizdoomFreedoom2MAP18-S4-v0",
    "VizdoomFreedoom2MAP19-S4-v0",
    "VizdoomFreedoom2MAP20-S4-v0",
    "VizdoomFreedoom2MAP21-S4-v0",
    "VizdoomFreedoom2MAP22-S4-v0",
    "VizdoomFreedoom2MAP23-S4-v0",
    "VizdoomFreedoom2MAP24-S4-v0",
    "VizdoomFreedoom2MAP25-S4-v0",
    "VizdoomFreedoom2MAP26-S4-v0",
    "VizdoomFreedoom2MAP27-S4-v0",
    "VizdoomFreedoom2MAP28-S4-v0",
    "VizdoomFreedoom2MAP29-S4-v0",
    "VizdoomFreedoom2MAP30-S4-v0",
    "VizdoomFreedoom2MAP31-S4-v0",
    "VizdoomFreedoom2MAP32-S4-v0",
    "VizdoomDoomE1M1-S5-v0",
    "VizdoomDoomE1M2-S5-v0",
    "VizdoomDoomE1M3-S5-v0",
    "VizdoomDoomE1M4-S5-v0",
    "VizdoomDoomE1M5-S5-v0",
    "VizdoomDoomE1M6-S5-v0",
    "VizdoomDoomE1M7-S5-v0",
    "VizdoomDoomE1M8-S5-v0",
    "VizdoomDoomE1M9-S5-v0",
    "VizdoomDoomE2M1-S5-v0",
    "VizdoomDoomE2M2-S5-v0",
    "VizdoomDoomE2M3-S5-v0",
    "VizdoomDoomE2M4-S5-v0",
    "VizdoomDoomE2M5-S5-v0",
    "VizdoomDoomE2M6-S5-v0",
    "VizdoomDoomE2M7-S5-v0",
    "VizdoomDoomE2M8-S5-v0",
    "VizdoomDoomE2M9-S5-v0",
    "VizdoomDoomE3M1-S5-v0",
    "VizdoomDoomE3M2-S5-v0",
    "VizdoomDoomE3M3-S5-v0",
    "VizdoomDoomE3M4-S5-v0",
    "VizdoomDoomE3M5-S5-v0",
    "VizdoomDoomE3M6-S5-v0",
    "VizdoomDoomE3M7-S5-v0",
    "VizdoomDoomE3M8-S5-v0",
    "VizdoomDoomE3M9-S5-v0",
    "VizdoomDoomE4M1-S5-v0",
    "VizdoomDoomE4M2-S5-v0",
    "VizdoomDoomE4M3-S5-v0",
    "VizdoomDoomE4M4-S5-v0",
    "VizdoomDoomE4M5-S5-v0",
    "VizdoomDoomE4M6-S5-v0",
    "VizdoomDoomE4M7-S5-v0",
    "VizdoomDoomE4M8-S5-v0",
    "VizdoomDoomE4M9-S5-v0",
    "VizdoomDoom2MAP01-S5-v0",
    "VizdoomDoom2MAP02-S5-v0",
    "VizdoomDoom2MAP03-S5-v0",
    "VizdoomDoom2MAP04-S5-v0",
    "VizdoomDoom2MAP05-S5-v0",
    "VizdoomDoom2MAP06-S5-v0",
    "VizdoomDoom2MAP07-S5-v0",
    "VizdoomDoom2MAP08-S5-v0",
    "VizdoomDoom2MAP09-S5-v0",
    "VizdoomDoom2MAP10-S5-v0",
    "VizdoomDoom2MAP11-S5-v0",
    "VizdoomDoom2MAP12-S5-v0",
    "VizdoomDoom2MAP13-S5-v0",
    "VizdoomDoom2MAP14-S5-v0",
    "VizdoomDoom2MAP15-S5-v0",
    "VizdoomDoom2MAP16-S5-v0",
    "VizdoomDoom2MAP17-S5-v0",
    "VizdoomDoom2MAP18-S5-v0",
    "VizdoomDoom2MAP19-S5-v0",
    "VizdoomDoom2MAP20-S5-v0",
    "VizdoomDoom2MAP21-S5-v0",
    "VizdoomDoom2MAP22-S5-v0",
    "VizdoomDoom2MAP23-S5-v0",
    "VizdoomDoom2MAP24-S5-v0",
    "VizdoomDoom2MAP25-S5-v0",
    "VizdoomDoom2MAP26-S5-v0",
    "VizdoomDoom2MAP27-S5-v0",
    "VizdoomDoom2MAP28-S5-v0",
    "VizdoomDoom2MAP29-S5-v0",
    "VizdoomDoom2MAP30-S5-v0",
    "VizdoomDoom2MAP31-S5-v0",
    "VizdoomDoom2MAP32-S5-v0",
    "VizdoomFreedoom1E1M1-S5-v0",
    "VizdoomFreedoom1E1M2-S5-v0",
    "VizdoomFreedoom1E1M3-S5-v0",
    "VizdoomFreedoom1E1M4-S5-v0",
    "VizdoomFreedoom1E1M5-S5-v0",
    "VizdoomFreedoom1E1M6-S5-v0",
    "VizdoomFreedoom1E1M7-S5-v0",
    "VizdoomFreedoom1E1M8-S5-v0",
    "VizdoomFreedoom1E1M9-S5-v0",
    "VizdoomFreedoom1E2M1-S5-v0",
    "VizdoomFreedoom1E2M2-S5-v0",
    "VizdoomFreedoom1E2M3-S5-v0",
    "VizdoomFreedoom1E2M4-S5-v0",
    "VizdoomFreedoom1E2M5-S5-v0",
    "VizdoomFreedoom1E2M6-S5-v0",
    "VizdoomFreedoom1E2M7-S5-v0",
    "VizdoomFreedoom1E2M8-S5-v0",
    "VizdoomFreedoom1E2M9-S5-v0",
    "VizdoomFreedoom1E3M1-S5-v0",
    "VizdoomFreedoom1E3M2-S5-v0",
    "VizdoomFreedoom1E3M3-S5-v0",
    "VizdoomFreedoom1E3M4-S5-v0",
    "VizdoomFreedoom1E3M5-S5-v0",
    "VizdoomFreedoom1E3M6-S5-v0",
    "VizdoomFreedoom1E3M7-S5-v0",
    "VizdoomFreedoom1E3M8-S5-v0",
    "VizdoomFreedoom1E3M9-S5-v0",
    "VizdoomFreedoom1E4M1-S5-v0",
    "VizdoomFreedoom1E4M2-S5-v0",
    "VizdoomFreedoom1E4M3-S5-v0",
    "VizdoomFreedoom1E4M4-S5-v0",
    "VizdoomFreedoom1E4M5-S5-v0",
    "VizdoomFreedoom1E4M6-S5-v0",
    "VizdoomFreedoom1E4M7-S5-v0",
    "VizdoomFreedoom1E4M8-S5-v0",
    "VizdoomFreedoom1E4M9-S5-v0",
    "VizdoomFreedoom2MAP01-S5-v0",
    "VizdoomFreedoom2MAP02-S5-v0",
    "VizdoomFreedoom2MAP03-S5-v0",
    "VizdoomFreedoom2MAP04-S5-v0",
    "VizdoomFreedoom2MAP05-S5-v0",
    "VizdoomFreedoom2MAP06-S5-v0",
    "VizdoomFreedoom2MAP07-S5-v0",
    "VizdoomFreedoom2MAP08-S5-v0",
    "VizdoomFreedoom2MAP09-S5-v0",
    "VizdoomFreedoom2MAP10-S5-v0",
    "VizdoomFreedoom2MAP11-S5-v0",
    "VizdoomFreedoom2MAP12-S5-v0",
    "VizdoomFreedoom2MAP13-S5-v0",
    "VizdoomFreedoom2MAP14-S5-v0",
    "VizdoomFreedoom2MAP15-S5-v0",
    "VizdoomFreedoom2MAP16-S5-v0",
    "VizdoomFreedoom2MAP17-S5-v0",
    "VizdoomFreedoom2MAP18-S5-v0",
    "VizdoomFreedoom2MAP19-S5-v0",
    "VizdoomFreedoom2MAP20-S5-v0",
    "VizdoomFreedoom2MAP21-S5-v0",
    "VizdoomFreedoom2MAP22-S5-v0",
    "VizdoomFreedoom2MAP23-S5-v0",
    "VizdoomFreedoom2MAP24-S5-v0",
    "VizdoomFreedoom2MAP25-S5-v0",
    "VizdoomFreedoom2MAP26-S5-v0",
    "VizdoomFreedoom2MAP27-S5-v0",
    "VizdoomFreedoom2MAP28-S5-v0",
    "VizdoomFreedoom2MAP29-S5-v0",
    "VizdoomFreedoom2MAP30-S5-v0",
    "VizdoomFreedoom2MAP31-S5-v0",
    "VizdoomFreedoom2MAP32-S5-v0",
]

class VizdoomOptions(PoolOptions, total=False):
    """Options of VizdoomBasic-v1, VizdoomBasic-MultiBinary-v1, VizdoomBasicAudio-v1 and 701 more."""

    scenario_config_file: ForEach[
        Literal[
            "basic.cfg",
            "basic_audio.cfg",
            "basic_notifications.cfg",
            "deadly_corridor.cfg",
            "defend_the_center.cfg",
            "defend_the_line.cfg",
            "health_gathering.cfg",
            "my_way_home.cfg",
            "predict_position.cfg",
            "take_cover.cfg",
            "deathmatch.cfg",
            "health_gathering_supreme.cfg",
            "doom.cfg",
            "doom2.cfg",
            "freedoom1.cfg",
            "freedoom2.cfg",
        ]
    ]
    """The configuration, of the package's ("basic.cfg", "basic_audio.cfg", "basic_notifications.cfg", "deadly_corridor.cfg", "defend_the_center.cfg", "defend_the_line.cfg", "health_gathering.cfg", "my_way_home.cfg", "predict_position.cfg", "take_cover.cfg", "deathmatch.cfg", "health_gathering_supreme.cfg", "doom.cfg", "doom2.cfg", "freedoom1.cfg" or "freedoom2.cfg"; default by task)."""
    frame_skip: ForEach[int]
    """Tics of a step (an integer from 1 to 10000; default 1)."""
    max_buttons_pressed: ForEach[int]
    """Buttons pressed together; 0: each by itself, as MultiBinary (an integer from 0 to 64; default by task)."""
    treat_episode_timeout_as_truncation: ForEach[bool]
    """The game's time limit truncates, too (bool; default True)."""
    use_multi_binary_action_space: ForEach[bool]
    """MultiBinary, or else MultiDiscrete (bool; default True)."""
    vizdoom_dir: ForEach[str | None]
    """Folder of Python's package vizdoom; the installed one (None or str; default None)."""
    engine_timeout: ForEach[float]
    """Seconds after which an engine that does not answer is given up (float from 0.1 to 86400; default 60.0)."""
    restart: ForEach[bool]
    """An engine that is lost is started anew, and its episode truncated, instead of an error (bool; default False)."""
    fast_palette_copy: ForEach[bool]
    """A shorter loop is put into the running engine's memory: the same pictures, faster (bool; default False)."""
    available_buttons: ForEach[list[str] | tuple[str, ...] | None]
    """The buttons that actions press or move, by name (None or list of str; default None)."""
    available_game_variables: ForEach[list[str] | tuple[str, ...] | None]
    """The variables that observations tell, by name (None or list of str; default None)."""
    doom_game_path: ForEach[str | None]
    """The game's file (IWAD) (None or str; default None)."""
    doom_scenario_path: ForEach[str | None]
    """The scenario's file (WAD) (None or str; default None)."""
    doom_config_path: ForEach[str | None]
    """The engine's own configuration file (None or str; default None)."""
    vizdoom_path: ForEach[str | None]
    """The engine (None or str; default None)."""
    doom_map: ForEach[str | None]
    """The map (None or str; default by task)."""
    doom_skill: ForEach[int | None]
    """Difficulty, 1 to 5 (an integer from 0 to 4294967295 or None; default by task)."""
    game_args: ForEach[str | None]
    """Further arguments for the engine (None or str; default None)."""
    mode: ForEach[str | None]
    """Who plays: PLAYER alone is known here (None or str; default None)."""
    ticrate: ForEach[int | None]
    """Tics of a second, where the engine does not run as fast as it can (an integer from 0 to 4294967295 or None; default None)."""
    episode_start_time: ForEach[int | None]
    """Tics that pass before an episode begins (an integer from 0 to 4294967295 or None; default None)."""
    episode_timeout: ForEach[int | None]
    """Tics after which an episode ends; 0 for never (an integer from 0 to 4294967295 or None; default None)."""
    living_reward: ForEach[float | None]
    """Reward of each tic (None or float; default None)."""
    death_penalty: ForEach[float | None]
    """What dying costs (None or float; default None)."""
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
    """What each hit costs that the player takes (None or float; default None)."""
    damage_made_reward: ForEach[float | None]
    """Reward of each point of damage (None or float; default None)."""
    damage_taken_reward: ForEach[float | None]
    """Reward of each point of damage that the player takes (None or float; default None)."""
    damage_taken_penalty: ForEach[float | None]
    """What each point of damage costs that the player takes (None or float; default None)."""
    health_reward: ForEach[float | None]
    """Reward of each point of health that is won (None or float; default None)."""
    armor_reward: ForEach[float | None]
    """Reward of each point of armor that is won (None or float; default None)."""
    screen_resolution: ForEach[str | None]
    """Size of the picture, such as RES_320X240 (None or str; default None)."""
    screen_format: ForEach[str | None]
    """Format of the picture: GRAY8, or any other for colours (None or str; default None)."""
    depth_buffer_enabled: ForEach[bool | None]
    """Whether observations have a picture of distances (None or bool; default None)."""
    labels_buffer_enabled: ForEach[bool | None]
    """Whether observations have a picture of which thing is where (None or bool; default None)."""
    automap_buffer_enabled: ForEach[bool | None]
    """Whether observations have the map as a picture (None or bool; default None)."""
    audio_buffer_enabled: ForEach[bool | None]
    """Whether observations have the sound (None or bool; default None)."""
    notifications_buffer_enabled: ForEach[bool | None]
    """Whether observations have the game's messages (None or bool; default None)."""
    objects_info_enabled: ForEach[bool | None]
    """Whether the engine lists things (None or bool; default None)."""
    sectors_info_enabled: ForEach[bool | None]
    """Whether the engine lists sectors (None or bool; default None)."""
    automap_mode: ForEach[str | None]
    """What the map shows: NORMAL, WHOLE, OBJECTS or OBJECTS_WITH_SIZE (None or str; default None)."""
    automap_rotate: ForEach[bool | None]
    """Whether the map turns with the player (None or bool; default None)."""
    automap_render_textures: ForEach[bool | None]
    """Whether the map has textures (None or bool; default None)."""
    automap_render_objects_as_sprites: ForEach[bool | None]
    """Whether the map shows things as they look (None or bool; default None)."""
    audio_sampling_rate: ForEach[str | None]
    """SR_11025, SR_22050 or SR_44100 (None or str; default None)."""
    audio_buffer_size: ForEach[int | None]
    """Tics of sound in an observation (an integer from 0 to 4294967295 or None; default None)."""
    notifications_buffer_size: ForEach[int | None]
    """Tics whose messages are in an observation (an integer from 0 to 4294967295 or None; default None)."""
    render_hud: ForEach[bool | None]
    """Whether the picture has the status bar (None or bool; default None)."""
    render_minimal_hud: ForEach[bool | None]
    """Whether the status bar is the small one (None or bool; default None)."""
    render_weapon: ForEach[bool | None]
    """Whether the picture has the weapon (None or bool; default None)."""
    render_crosshair: ForEach[bool | None]
    """Whether the picture has a crosshair (None or bool; default None)."""
    render_decals: ForEach[bool | None]
    """Whether the picture has marks on walls (None or bool; default None)."""
    render_particles: ForEach[bool | None]
    """Whether the picture has particles (None or bool; default None)."""
    render_effects_sprites: ForEach[bool | None]
    """Whether the picture has smoke and blood (None or bool; default None)."""
    render_messages: ForEach[bool | None]
    """Whether the picture has messages (None or bool; default None)."""
    render_corpses: ForEach[bool | None]
    """Whether the picture has corpses (None or bool; default None)."""
    render_screen_flashes: ForEach[bool | None]
    """Whether the picture flashes (None or bool; default None)."""
    render_all_frames: ForEach[bool | None]
    """Whether skipped tics are drawn, too (None or bool; default None)."""
    sound_enabled: ForEach[bool | None]
    """Whether the engine plays sounds (None or bool; default None)."""
    console_enabled: ForEach[bool | None]
    """Whether the engine has its console (None or bool; default None)."""
    window_visible: ForEach[bool | None]
    """Whether the engine shows its window (None or bool; default None)."""

KnownTask: TypeAlias = (
    CartPoleTask
    | MountainCarTask
    | PendulumTask
    | AcrobotTask
    | FrozenLakeTask
    | TaxiTask
    | TaxiV4Task
    | CliffWalkingTask
    | BlackjackTask
    | NChainTask
    | AtariTask
    | AleAtariTask
    | CatchTask
    | SimpleSpreadTask
    | SimpleSpeakerListenerTask
    | MiniGridEmpty5x5Task
    | MiniGridDoorKey5x5Task
    | MiniGridLavaCrossingS9N1Task
    | MiniGridDistShift1Task
    | MiniGridLavaGapS5Task
    | MiniGridDynamicObstacles5x5Task
    | MiniGridFetch5x5N2Task
    | MiniGridFourRoomsTask
    | MiniGridGoToDoor5x5Task
    | MiniGridGoToObject6x6N2Task
    | MiniGridKeyCorridorS3R1Task
    | MiniGridLockedRoomTask
    | MiniGridMemoryS17RandomTask
    | MiniGridMultiRoomN2S4Task
    | MiniGridObstructedMaze1DlTask
    | MiniGridObstructedMaze2DlTask
    | MiniGridObstructedMaze2DlhbTask
    | MiniGridPlaygroundTask
    | MiniGridPutNear6x6N2Task
    | MiniGridRedBlueDoors6x6Task
    | MiniGridUnlockTask
    | MiniGridUnlockPickupTask
    | MiniGridBlockedUnlockPickupTask
    | MiniGridWFCMazeSimpleTask
    | BabyAIGoToRedBallGreyTask
    | BabyAIGoToRedBallTask
    | BabyAIGoToObjTask
    | BabyAIGoToLocalTask
    | BabyAIGoToTask
    | BabyAIGoToImpUnlockTask
    | BabyAIGoToRedBlueBallTask
    | BabyAIGoToDoorTask
    | BabyAIGoToObjDoorTask
    | BabyAIGoToRedBallNoDistsTask
    | BabyAIOpenTask
    | BabyAIOpenRedDoorTask
    | BabyAIOpenDoorTask
    | BabyAIOpenTwoDoorsTask
    | BabyAIOpenDoorsOrderN2Task
    | BabyAIPickupTask
    | BabyAIUnblockPickupTask
    | BabyAIPickupDistTask
    | BabyAIPickupAboveTask
    | BabyAIPutNextLocalTask
    | BabyAIPutNextS4N1Task
    | BabyAIMoveTwoAcrossS5N2Task
    | BabyAIUnlockTask
    | BabyAIUnlockLocalTask
    | BabyAIKeyInBoxTask
    | BabyAIUnlockPickupTask
    | BabyAIBlockedUnlockPickupTask
    | BabyAIUnlockToUnlockTask
    | BabyAIActionObjDoorTask
    | BabyAIFindObjS5Task
    | BabyAIKeyCorridorTask
    | BabyAIOneRoomS8Task
    | BabyAIGoToSeqTask
    | BabyAISynthTask
    | BabyAISynthLocTask
    | BabyAISynthSeqTask
    | BabyAIPickupLocTask
    | BabyAIMiniBossLevelTask
    | BabyAIBossLevelTask
    | BabyAIBossLevelNoUnlockTask
    | AntTask
    | AntV4Task
    | HalfCheetahTask
    | HopperTask
    | HumanoidTask
    | HumanoidStandupTask
    | InvertedDoublePendulumTask
    | InvertedPendulumTask
    | PusherTask
    | ReacherTask
    | Walker2dTask
    | LunarLanderTask
    | BipedalWalkerTask
    | CarRacingTask
    | AcrobotSwingupTask
    | BallInCupCatchTask
    | CartpoleBalanceTask
    | CheetahRunTask
    | DogStandTask
    | FingerSpinTask
    | FishUprightTask
    | HopperStandTask
    | HumanoidStandTask
    | HumanoidCMUStandTask
    | LqrLqr21Task
    | ManipulatorBringBallTask
    | PendulumSwingupTask
    | PointMassEasyTask
    | QuadrupedWalkTask
    | StackerStack2Task
    | SwimmerSwimmer6Task
    | EnvPoolVizdoomTask
    | VizdoomTask
)

class AnyOptions(PoolOptions, total=False):
    """Options of all tasks, for names that only the running program knows."""

    N: ForEach[int]
    """See SimpleSpreadOptions."""
    action_kinds: ForEach[list[str] | tuple[str, ...] | Choice[list[str] | tuple[str, ...]]]
    """See BabyAIGoToSeqOptions."""
    action_prob: ForEach[float | Uniform | Choice[float | None] | None]
    """See MiniGridEmpty5x5Options."""
    agent_pos: ForEach[Sequence[int] | Choice[Sequence[int] | None] | None]
    """See MiniGridFourRoomsOptions."""
    agent_pov: ForEach[bool]
    """See MiniGridEmpty5x5Options."""
    agent_room: ForEach[Sequence[int] | Choice[Sequence[int]]]
    """See MiniGridObstructedMaze2DlOptions."""
    agent_start_dir: ForEach[int | Integers | Choice[int]]
    """See MiniGridEmpty5x5Options."""
    agent_start_pos: ForEach[Sequence[int] | Choice[Sequence[int] | None] | None]
    """See MiniGridEmpty5x5Options."""
    agent_view_size: ForEach[int]
    """See MiniGridEmpty5x5Options."""
    armor_reward: ForEach[float | None]
    """See VizdoomOptions."""
    assets_dir: ForEach[str | None]
    """See EnvPoolVizdoomOptions."""
    audio_buffer_enabled: ForEach[bool | None]
    """See VizdoomOptions."""
    audio_buffer_size: ForEach[int | None]
    """See VizdoomOptions."""
    audio_sampling_rate: ForEach[str | None]
    """See VizdoomOptions."""
    automap_buffer_enabled: ForEach[bool | None]
    """See VizdoomOptions."""
    automap_mode: ForEach[str | None]
    """See VizdoomOptions."""
    automap_render_objects_as_sprites: ForEach[bool | None]
    """See VizdoomOptions."""
    automap_render_textures: ForEach[bool | None]
    """See VizdoomOptions."""
    automap_rotate: ForEach[bool | None]
    """See VizdoomOptions."""
    available_buttons: ForEach[list[str] | tuple[str, ...] | None]
    """See VizdoomOptions."""
    available_game_variables: ForEach[list[str] | tuple[str, ...] | None]
    """See VizdoomOptions."""
    benchmark_data: ForEach[bool]
    """See SimpleSpreadOptions."""
    blocked: ForEach[bool | Choice[bool]]
    """See MiniGridObstructedMaze1DlOptions."""
    camera_azimuth: ForEach[float | None]
    """See AntOptions."""
    camera_distance: ForEach[float | None]
    """See AntOptions."""
    camera_elevation: ForEach[float | None]
    """See AntOptions."""
    camera_id: ForEach[int | None]
    """See AntOptions."""
    camera_lookat: ForEach[Sequence[float] | None]
    """See AntOptions."""
    camera_name: ForEach[str | None]
    """See AntOptions."""
    camera_orthographic: ForEach[bool | None]
    """See AntOptions."""
    cfg_path: ForEach[str]
    """See EnvPoolVizdoomOptions."""
    columns: ForEach[int]
    """See CatchOptions."""
    console_enabled: ForEach[bool | None]
    """See VizdoomOptions."""
    constraint_obs_dim: ForEach[int]
    """See InvertedDoublePendulumOptions."""
    contact_cost_max: ForEach[float | Uniform | Choice[float]]
    """See HumanoidOptions."""
    contact_cost_range: ForEach[Sequence[float] | None]
    """See HumanoidOptions."""
    contact_cost_weight: ForEach[float | Uniform | Choice[float]] | ForEach[float | None]
    """See AntOptions and HumanoidStandupOptions."""
    contact_force_max: ForEach[float | Uniform | Choice[float]]
    """See AntOptions."""
    contact_force_min: ForEach[float | Uniform | Choice[float]]
    """See AntOptions."""
    contact_force_range: ForEach[Sequence[float] | None]
    """See AntOptions."""
    continuous: ForEach[bool]
    """See AleAtariOptions."""
    continuous_action_threshold: ForEach[float | Uniform | Choice[float]]
    """See AleAtariOptions."""
    continuous_actions: ForEach[bool]
    """See SimpleSpreadOptions."""
    ctrl_cost_weight: ForEach[float | Uniform | Choice[float]] | ForEach[float | None]
    """See AntOptions and PusherOptions."""
    curriculum: ForEach[bool | Choice[bool]]
    """See SimpleSpreadOptions."""
    cylinder_dist_min: ForEach[float | Uniform | Choice[float]]
    """See PusherOptions."""
    cylinder_x_max: ForEach[float | Uniform | Choice[float]]
    """See PusherOptions."""
    cylinder_x_min: ForEach[float | Uniform | Choice[float]]
    """See PusherOptions."""
    cylinder_y_max: ForEach[float | Uniform | Choice[float]]
    """See PusherOptions."""
    cylinder_y_min: ForEach[float | Uniform | Choice[float]]
    """See PusherOptions."""
    damage_made_reward: ForEach[float | None]
    """See VizdoomOptions."""
    damage_taken_penalty: ForEach[float | None]
    """See VizdoomOptions."""
    damage_taken_reward: ForEach[float | None]
    """See VizdoomOptions."""
    death_cost: ForEach[float | Uniform | Choice[float]]
    """See MiniGridEmpty5x5Options."""
    death_penalty: ForEach[float | None]
    """See VizdoomOptions."""
    death_reward: ForEach[float | None]
    """See VizdoomOptions."""
    debug: ForEach[bool | Choice[bool]]
    """See BabyAIOpenDoorOptions."""
    default_camera: ForEach[Literal["free", "track"]]
    """See AntOptions."""
    default_camera_config: ForEach[Mapping[Any, Any] | None]
    """See AntOptions."""
    delta_button_config: ForEach[Mapping[Any, float | Sequence[float]]]
    """See EnvPoolVizdoomOptions."""
    depth_buffer_enabled: ForEach[bool | None]
    """See VizdoomOptions."""
    desc: ForEach[list[str] | tuple[str, ...] | Choice[list[str] | tuple[str, ...] | None] | None]
    """See FrozenLakeOptions."""
    difficulty: ForEach[int | None]
    """See AtariOptions."""
    dist_cost_weight: ForEach[float | None]
    """See PusherOptions."""
    distractors: ForEach[bool | Choice[bool]]
    """See BabyAIUnlockLocalOptions."""
    domain_keys: ForEach[bool]
    """See AcrobotSwingupOptions."""
    domain_randomize: ForEach[bool | Choice[bool]]
    """See CarRacingOptions."""
    doom_config_path: ForEach[str | None]
    """See VizdoomOptions."""
    doom_game_path: ForEach[str | None]
    """See VizdoomOptions."""
    doom_map: ForEach[str | None]
    """See VizdoomOptions."""
    doom_scenario_path: ForEach[str | None]
    """See VizdoomOptions."""
    doom_skill: ForEach[int | None]
    """See VizdoomOptions."""
    doors_open: ForEach[bool | Choice[bool]]
    """See BabyAIGoToOptions."""
    dynamic_rescaling: ForEach[bool]
    """See SimpleSpreadOptions."""
    enable_wind: ForEach[bool | Choice[bool]]
    """See LunarLanderOptions."""
    engine_timeout: ForEach[float]
    """See EnvPoolVizdoomOptions."""
    ensure_connected: ForEach[bool | Choice[bool]]
    """See MiniGridWFCMazeSimpleOptions."""
    env_name: (
        ForEach[Literal["empty"]]
        | ForEach[Literal["doorkey"]]
        | ForEach[Literal["crossing"]]
        | ForEach[Literal["distshift"]]
        | ForEach[Literal["lava_gap"]]
        | ForEach[Literal["dynamic_obstacles"]]
        | ForEach[Literal["fetch"]]
        | ForEach[Literal["four_rooms"]]
        | ForEach[Literal["goto_door"]]
        | ForEach[Literal["goto_object"]]
        | ForEach[Literal["key_corridor"]]
        | ForEach[Literal["locked_room"]]
        | ForEach[Literal["memory"]]
        | ForEach[Literal["multi_room"]]
        | ForEach[Literal["obstructed_maze_1dlhb"]]
        | ForEach[Literal["obstructed_maze_full"]]
        | ForEach[Literal["obstructed_maze_full_v1"]]
        | ForEach[Literal["playground"]]
        | ForEach[Literal["put_near"]]
        | ForEach[Literal["red_blue_door"]]
        | ForEach[Literal["unlock"]]
        | ForEach[Literal["unlock_pickup"]]
        | ForEach[Literal["blocked_unlock_pickup"]]
        | ForEach[Literal["wfc"]]
        | ForEach[Literal["babyai_goto_red_ball_grey"]]
        | ForEach[Literal["babyai_goto_red_ball"]]
        | ForEach[Literal["babyai_goto_obj"]]
        | ForEach[Literal["babyai_goto_local"]]
        | ForEach[Literal["babyai_goto"]]
        | ForEach[Literal["babyai_goto_imp_unlock"]]
        | ForEach[Literal["babyai_goto_red_blue_ball"]]
        | ForEach[Literal["babyai_goto_door"]]
        | ForEach[Literal["babyai_goto_obj_door"]]
        | ForEach[Literal["babyai_goto_red_ball_no_dists"]]
        | ForEach[Literal["babyai_open"]]
        | ForEach[Literal["babyai_open_red_door"]]
        | ForEach[Literal["babyai_open_door"]]
        | ForEach[Literal["babyai_open_two_doors"]]
        | ForEach[Literal["babyai_open_doors_order"]]
        | ForEach[Literal["babyai_pickup"]]
        | ForEach[Literal["babyai_unblock_pickup"]]
        | ForEach[Literal["babyai_pickup_dist"]]
        | ForEach[Literal["babyai_pickup_above"]]
        | ForEach[Literal["babyai_put_next_local"]]
        | ForEach[Literal["babyai_put_next"]]
        | ForEach[Literal["babyai_move_two_across"]]
        | ForEach[Literal["babyai_unlock"]]
        | ForEach[Literal["babyai_unlock_local"]]
        | ForEach[Literal["babyai_key_in_box"]]
        | ForEach[Literal["babyai_unlock_pickup"]]
        | ForEach[Literal["babyai_blocked_unlock_pickup"]]
        | ForEach[Literal["babyai_unlock_to_unlock"]]
        | ForEach[Literal["babyai_action_obj_door"]]
        | ForEach[Literal["babyai_find_obj"]]
        | ForEach[Literal["babyai_key_corridor"]]
        | ForEach[Literal["babyai_one_room"]]
        | ForEach[Literal["babyai_goto_seq"]]
        | ForEach[Literal["babyai_synth"]]
        | ForEach[Literal["babyai_synth_loc"]]
        | ForEach[Literal["babyai_synth_seq"]]
        | ForEach[Literal["babyai_pickup_loc"]]
        | ForEach[Literal["babyai_mini_boss_level"]]
        | ForEach[Literal["babyai_boss_level"]]
        | ForEach[Literal["babyai_boss_level_no_unlock"]]
    )
    """See MiniGridEmpty5x5Options and MiniGridDoorKey5x5Options and MiniGridLavaCrossingS9N1Options and MiniGridDistShift1Options and MiniGridLavaGapS5Options and MiniGridDynamicObstacles5x5Options and MiniGridFetch5x5N2Options and MiniGridFourRoomsOptions and MiniGridGoToDoor5x5Options and MiniGridGoToObject6x6N2Options and MiniGridKeyCorridorS3R1Options and MiniGridLockedRoomOptions and MiniGridMemoryS17RandomOptions and MiniGridMultiRoomN2S4Options and MiniGridObstructedMaze1DlOptions and MiniGridObstructedMaze2DlOptions and MiniGridObstructedMaze2DlhbOptions and MiniGridPlaygroundOptions and MiniGridPutNear6x6N2Options and MiniGridRedBlueDoors6x6Options and MiniGridUnlockOptions and MiniGridUnlockPickupOptions and MiniGridBlockedUnlockPickupOptions and MiniGridWFCMazeSimpleOptions and BabyAIGoToRedBallGreyOptions and BabyAIGoToRedBallOptions and BabyAIGoToObjOptions and BabyAIGoToLocalOptions and BabyAIGoToOptions and BabyAIGoToImpUnlockOptions and BabyAIGoToRedBlueBallOptions and BabyAIGoToDoorOptions and BabyAIGoToObjDoorOptions and BabyAIGoToRedBallNoDistsOptions and BabyAIOpenOptions and BabyAIOpenRedDoorOptions and BabyAIOpenDoorOptions and BabyAIOpenTwoDoorsOptions and BabyAIOpenDoorsOrderN2Options and BabyAIPickupOptions and BabyAIUnblockPickupOptions and BabyAIPickupDistOptions and BabyAIPickupAboveOptions and BabyAIPutNextLocalOptions and BabyAIPutNextS4N1Options and BabyAIMoveTwoAcrossS5N2Options and BabyAIUnlockOptions and BabyAIUnlockLocalOptions and BabyAIKeyInBoxOptions and BabyAIUnlockPickupOptions and BabyAIBlockedUnlockPickupOptions and BabyAIUnlockToUnlockOptions and BabyAIActionObjDoorOptions and BabyAIFindObjS5Options and BabyAIKeyCorridorOptions and BabyAIOneRoomS8Options and BabyAIGoToSeqOptions and BabyAISynthOptions and BabyAISynthLocOptions and BabyAISynthSeqOptions and BabyAIPickupLocOptions and BabyAIMiniBossLevelOptions and BabyAIBossLevelOptions and BabyAIBossLevelNoUnlockOptions."""
    episode_start_time: ForEach[int | None]
    """See VizdoomOptions."""
    episode_timeout: ForEach[int | None]
    """See VizdoomOptions."""
    episodic_life: ForEach[bool | Choice[bool]] | ForEach[bool]
    """See AtariOptions and EnvPoolVizdoomOptions."""
    exclude_current_positions_from_observation: ForEach[bool]
    """See AntOptions."""
    exclude_root_actuator_forces: ForEach[bool]
    """See HumanoidOptions."""
    exclude_worldbody_contact_forces: ForEach[bool]
    """See AntOptions."""
    exclude_worldbody_observations: ForEach[bool]
    """See HumanoidOptions."""
    fast_palette_copy: ForEach[bool]
    """See EnvPoolVizdoomOptions."""
    fickle_passenger: ForEach[bool | Choice[bool]]
    """See TaxiOptions."""
    fickle_probability: ForEach[float | Uniform | Choice[float]]
    """See TaxiV4Options."""
    first_color: ForEach[
        Literal["red", "green", "blue", "purple", "yellow", "grey"]
        | Choice[Literal["red", "green", "blue", "purple", "yellow", "grey"] | None]
        | None
    ]
    """See BabyAIOpenTwoDoorsOptions."""
    flat_observation: ForEach[bool]
    """See AcrobotSwingupOptions."""
    force_speed: ForEach[bool]
    """See EnvPoolVizdoomOptions."""
    forward_reward_weight: ForEach[float | Uniform | Choice[float]]
    """See AntOptions."""
    frag_reward: ForEach[float | None]
    """See VizdoomOptions."""
    frame_skip: ForEach[int | Integers | Choice[int]] | ForEach[int]
    """See AtariOptions and AleAtariOptions."""
    frame_stack: ForEach[int]
    """See AntOptions."""
    frameskip: ForEach[int | Sequence[int] | Integers | Choice[int | Sequence[int]]]
    """See AleAtariOptions."""
    from_pixels: ForEach[bool]
    """See AntOptions."""
    full_action_space: ForEach[bool]
    """See AtariOptions."""
    fully_observable: ForEach[bool]
    """See ManipulatorBringBallOptions."""
    g: ForEach[float | Uniform | Choice[float]]
    """See PendulumOptions."""
    game: ForEach[str]
    """See AleAtariOptions."""
    game_args: ForEach[str] | ForEach[str | None]
    """See EnvPoolVizdoomOptions and VizdoomOptions."""
    goal_pos: ForEach[Sequence[int] | Choice[Sequence[int] | None] | None]
    """See MiniGridFourRoomsOptions."""
    goal_velocity: ForEach[float | Uniform | Choice[float]]
    """See MountainCarOptions."""
    gravity: ForEach[float | Uniform | Choice[float]]
    """See LunarLanderOptions."""
    gray_scale: ForEach[bool]
    """See AtariOptions."""
    grayscale_newaxis: ForEach[bool]
    """See AleAtariOptions."""
    grayscale_obs: ForEach[bool]
    """See AleAtariOptions."""
    gymnasium_v5_render_camera: ForEach[bool]
    """See AntOptions."""
    hardcore: ForEach[bool | Choice[bool]]
    """See BipedalWalkerOptions."""
    health_reward: ForEach[float | None]
    """See VizdoomOptions."""
    healthy_angle_max: ForEach[float | Uniform | Choice[float]]
    """See HopperOptions."""
    healthy_angle_min: ForEach[float | Uniform | Choice[float]]
    """See HopperOptions."""
    healthy_angle_range: ForEach[Sequence[float] | None]
    """See HopperOptions."""
    healthy_reward: ForEach[float | Uniform | Choice[float]]
    """See AntOptions."""
    healthy_state_max: ForEach[float | Uniform | Choice[float]]
    """See HopperOptions."""
    healthy_state_min: ForEach[float | Uniform | Choice[float]]
    """See HopperOptions."""
    healthy_state_range: ForEach[Sequence[float] | None]
    """See HopperOptions."""
    healthy_z_max: ForEach[float | Uniform | Choice[float]]
    """See AntOptions."""
    healthy_z_min: ForEach[float | Uniform | Choice[float]]
    """See AntOptions."""
    healthy_z_range: ForEach[Sequence[float] | None]
    """See AntOptions."""
    height: ForEach[int] | ForEach[int | Integers | Choice[int]] | ForEach[int | None]
    """See CatchOptions and MiniGridDistShift1Options and AntOptions."""
    highlight: ForEach[bool | Choice[bool]]
    """See MiniGridEmpty5x5Options."""
    hit_reward: ForEach[float | None]
    """See VizdoomOptions."""
    hit_taken_penalty: ForEach[float | None]
    """See VizdoomOptions."""
    hit_taken_reward: ForEach[float | None]
    """See VizdoomOptions."""
    image_only: ForEach[bool]
    """See MiniGridEmpty5x5Options."""
    img_height: ForEach[int]
    """See AtariOptions."""
    img_width: ForEach[int]
    """See AtariOptions."""
    impact_cost_range: ForEach[Sequence[float] | None]
    """See HumanoidStandupOptions."""
    impact_cost_weight: ForEach[float | Uniform | Choice[float]]
    """See HumanoidStandupOptions."""
    implicit_unlock: ForEach[bool | Choice[bool]]
    """See BabyAIGoToSeqOptions."""
    include_cfrc_ext_in_observation: ForEach[bool]
    """See AntOptions."""
    include_cinert_in_observation: ForEach[bool]
    """See HumanoidOptions."""
    include_cvel_in_observation: ForEach[bool]
    """See HumanoidOptions."""
    include_qfrc_actuator_in_observation: ForEach[bool]
    """See HumanoidOptions."""
    instr_kinds: ForEach[list[str] | tuple[str, ...] | Choice[list[str] | tuple[str, ...]]]
    """See BabyAIGoToSeqOptions."""
    is_rainy: ForEach[bool | Choice[bool]]
    """See TaxiOptions."""
    is_slippery: ForEach[bool | Choice[bool]]
    """See FrozenLakeOptions."""
    item_reward: ForEach[float | None]
    """See VizdoomOptions."""
    iwad_path: ForEach[str]
    """See EnvPoolVizdoomOptions."""
    key_in_box: ForEach[bool | Choice[bool]]
    """See MiniGridObstructedMaze1DlOptions."""
    kill_reward: ForEach[float | None]
    """See VizdoomOptions."""
    labels_buffer_enabled: ForEach[bool | None]
    """See VizdoomOptions."""
    lap_complete_percent: ForEach[float | Uniform | Choice[float]]
    """See CarRacingOptions."""
    large: ForEach[float | Uniform | Choice[float]]
    """See NChainOptions."""
    legacy_healthy_reward: ForEach[bool]
    """See AntOptions."""
    legacy_step: ForEach[bool]
    """See AcrobotSwingupOptions."""
    living_reward: ForEach[float | None]
    """See VizdoomOptions."""
    lmp_save_dir: ForEach[str]
    """See EnvPoolVizdoomOptions."""
    local_ratio: ForEach[float | Uniform | Choice[float]]
    """See SimpleSpreadOptions."""
    locations: ForEach[bool | Choice[bool]]
    """See BabyAIGoToSeqOptions."""
    locked_room_prob: ForEach[float | Uniform | Choice[float]]
    """See BabyAIGoToSeqOptions."""
    main_body: ForEach[int | str]
    """See AntOptions."""
    map_exit_reward: ForEach[float | None]
    """See VizdoomOptions."""
    map_id: ForEach[str]
    """See EnvPoolVizdoomOptions."""
    map_name: ForEach[str | None]
    """See FrozenLakeOptions."""
    maxNumRooms: ForEach[int | Integers | Choice[int]]
    """See MiniGridMultiRoomN2S4Options."""
    maxRoomSize: ForEach[int | Integers | Choice[int]]
    """See MiniGridMultiRoomN2S4Options."""
    max_buttons_pressed: ForEach[int]
    """See VizdoomOptions."""
    max_cycles: ForEach[int | None]
    """See SimpleSpreadOptions."""
    max_geom: ForEach[int]
    """See AntOptions."""
    max_num_frames_per_episode: ForEach[int | None]
    """See AleAtariOptions."""
    max_num_rooms: ForEach[int | Integers | Choice[int | None] | None]
    """See MiniGridMultiRoomN2S4Options."""
    max_room_size: ForEach[int | Integers | Choice[int | None] | None]
    """See MiniGridMultiRoomN2S4Options."""
    max_steps: ForEach[int | Integers | Choice[int | None] | None]
    """See MiniGridEmpty5x5Options."""
    minNumRooms: ForEach[int | Integers | Choice[int]]
    """See MiniGridMultiRoomN2S4Options."""
    min_num_rooms: ForEach[int | Integers | Choice[int | None] | None]
    """See MiniGridMultiRoomN2S4Options."""
    mission: ForEach[Literal["text", "bytes", "tokens", "none"]]
    """See MiniGridEmpty5x5Options."""
    mode: ForEach[int | None] | ForEach[str | None]
    """See AtariOptions and VizdoomOptions."""
    n: ForEach[int]
    """See NChainOptions."""
    n_links: ForEach[int | None]
    """See SwimmerSwimmer6Options."""
    n_obstacles: ForEach[int | Integers | Choice[int]]
    """See MiniGridDynamicObstacles5x5Options."""
    n_sub_steps: ForEach[int | None]
    """See AcrobotSwingupOptions."""
    natural: ForEach[bool | Choice[bool]]
    """See BlackjackOptions."""
    near_cost_weight: ForEach[float | None]
    """See PusherOptions."""
    no_death: ForEach[list[str] | tuple[str, ...] | Choice[list[str] | tuple[str, ...]]]
    """See MiniGridEmpty5x5Options."""
    noop_max: ForEach[int | Integers | Choice[int]]
    """See AtariOptions."""
    notifications_buffer_enabled: ForEach[bool | None]
    """See VizdoomOptions."""
    notifications_buffer_size: ForEach[int | None]
    """See VizdoomOptions."""
    numObjs: ForEach[int | Integers | Choice[int]]
    """See MiniGridFetch5x5N2Options."""
    num_agent_neighbors: ForEach[int | None]
    """See SimpleSpreadOptions."""
    num_cols: ForEach[int | Integers | Choice[int]]
    """See BabyAIGoToOptions."""
    num_crossings: ForEach[int | Integers | Choice[int]]
    """See MiniGridLavaCrossingS9N1Options."""
    num_dists: ForEach[int | Integers | Choice[int]]
    """See BabyAIGoToRedBallGreyOptions."""
    num_doors: ForEach[int | Integers | Choice[int]]
    """See BabyAIOpenDoorsOrderN2Options."""
    num_landmark_neighbors: ForEach[int | None]
    """See SimpleSpreadOptions."""
    num_objs: ForEach[int | Integers | Choice[int | None] | None] | ForEach[int | Integers | Choice[int]]
    """See MiniGridFetch5x5N2Options and BabyAIPutNextLocalOptions."""
    num_poles: ForEach[int | None]
    """See CartpoleBalanceOptions."""
    num_quarters: ForEach[int | Integers | Choice[int]]
    """See MiniGridObstructedMaze2DlOptions."""
    num_rooms_visited: ForEach[int | Integers | Choice[int]]
    """See MiniGridObstructedMaze2DlOptions."""
    num_rows: ForEach[int | Integers | Choice[int]]
    """See MiniGridKeyCorridorS3R1Options."""
    obj_type: ForEach[Literal["ball", "box", "key"] | Choice[Literal["ball", "box", "key"]]]
    """See MiniGridKeyCorridorS3R1Options."""
    objects_info_enabled: ForEach[bool | None]
    """See VizdoomOptions."""
    objs_per_room: ForEach[int | Integers | Choice[int]]
    """See BabyAIPutNextS4N1Options."""
    obs: ForEach[Literal["image", "full", "onehot", "rgb_partial", "rgb", "flat", "symbolic"]]
    """See MiniGridEmpty5x5Options."""
    obs_include_z_distance: ForEach[bool]
    """See ReacherOptions."""
    obs_tile_size: ForEach[int]
    """See MiniGridEmpty5x5Options."""
    obs_type: ForEach[Literal["rgb", "grayscale", "ram"]]
    """See AleAtariOptions."""
    observation_max: ForEach[float | Uniform | Choice[float]]
    """See InvertedDoublePendulumOptions."""
    observation_min: ForEach[float | Uniform | Choice[float]]
    """See InvertedDoublePendulumOptions."""
    obstacle_type: ForEach[Literal["lava", "wall"] | Choice[Literal["lava", "wall"]]]
    """See MiniGridLavaCrossingS9N1Options."""
    padding_type: ForEach[Literal["reset", "zero"]]
    """See AleAtariOptions."""
    physics: ForEach[Literal["auto", "libmujoco", "native"]]
    """See AntOptions."""
    post_constraint: ForEach[bool]
    """See AntOptions."""
    preprocessing: ForEach[bool]
    """See AleAtariOptions."""
    rainy_probability: ForEach[float | Uniform | Choice[float]]
    """See TaxiV4Options."""
    random_action: ForEach[int | Integers | Choice[int | None] | None]
    """See MiniGridEmpty5x5Options."""
    random_length: ForEach[bool | Choice[bool]]
    """See MiniGridMemoryS17RandomOptions."""
    render_all_frames: ForEach[bool | None]
    """See VizdoomOptions."""
    render_corpses: ForEach[bool | None]
    """See VizdoomOptions."""
    render_crosshair: ForEach[bool | None]
    """See VizdoomOptions."""
    render_decals: ForEach[bool | None]
    """See VizdoomOptions."""
    render_effects_sprites: ForEach[bool | None]
    """See VizdoomOptions."""
    render_haze: ForEach[bool]
    """See AntOptions."""
    render_hud: ForEach[bool | None]
    """See VizdoomOptions."""
    render_messages: ForEach[bool | None]
    """See VizdoomOptions."""
    render_minimal_hud: ForEach[bool | None]
    """See VizdoomOptions."""
    render_multisamples: ForEach[int | None]
    """See AntOptions."""
    render_particles: ForEach[bool | None]
    """See VizdoomOptions."""
    render_reflections: ForEach[bool]
    """See AntOptions."""
    render_screen_flashes: ForEach[bool | None]
    """See VizdoomOptions."""
    render_shadow_size: ForEach[int | None]
    """See AntOptions."""
    render_shadows: ForEach[bool]
    """See AntOptions."""
    render_skybox: ForEach[bool]
    """See AntOptions."""
    render_textures: ForEach[bool]
    """See AntOptions."""
    render_weapon: ForEach[bool | None]
    """See VizdoomOptions."""
    repeat_action_probability: ForEach[float]
    """See AtariOptions."""
    reset_goal_scale: ForEach[float | Uniform | Choice[float]]
    """See ReacherOptions."""
    reset_noise_scale: ForEach[float | Uniform | Choice[float]]
    """See AntOptions."""
    reset_qpos_scale: ForEach[float | Uniform | Choice[float]]
    """See ReacherOptions."""
    reset_qvel_scale: ForEach[float | Uniform | Choice[float]]
    """See PusherOptions."""
    restart: ForEach[bool]
    """See EnvPoolVizdoomOptions."""
    reward_after_step: ForEach[bool]
    """See PusherOptions."""
    reward_clip: ForEach[bool | Choice[bool]]
    """See AtariOptions."""
    reward_config: ForEach[Mapping[Any, float | Sequence[float]]]
    """See EnvPoolVizdoomOptions."""
    reward_control_weight: ForEach[float | Uniform | Choice[float]]
    """See PusherOptions."""
    reward_dist_weight: ForEach[float | Uniform | Choice[float]]
    """See PusherOptions."""
    reward_if_not_terminated: ForEach[bool]
    """See InvertedDoublePendulumOptions."""
    reward_metric: ForEach[Mapping[Any, float | Sequence[float]] | None]
    """See EnvPoolVizdoomOptions."""
    reward_near_weight: ForEach[float | Uniform | Choice[float]]
    """See PusherOptions."""
    reward_schedule: ForEach[Sequence[float] | Choice[Sequence[float]]]
    """See FrozenLakeOptions."""
    rom_dir: ForEach[str | None]
    """See AtariOptions."""
    room_size: ForEach[int | Integers | Choice[int]]
    """See MiniGridKeyCorridorS3R1Options."""
    rows: ForEach[int]
    """See CatchOptions."""
    sab: ForEach[bool | Choice[bool]]
    """See BlackjackOptions."""
    scale_obs: ForEach[bool]
    """See AleAtariOptions."""
    scenario: ForEach[
        Literal[
            "D1_basic",
            "D2_navigation",
            "D3_battle",
            "D4_battle2",
            "basic",
            "basic_audio",
            "basic_notifications",
            "cig",
            "deadly_corridor",
            "deathmatch",
            "defend_the_center",
            "defend_the_line",
            "health_gathering",
            "health_gathering_supreme",
            "multi_duel",
            "my_way_home",
            "predict_position",
            "rocket_basic",
            "simpler_basic",
            "take_cover",
            "",
        ]
    ]
    """See EnvPoolVizdoomOptions."""
    scenario_config_file: ForEach[
        Literal[
            "basic.cfg",
            "basic_audio.cfg",
            "basic_notifications.cfg",
            "deadly_corridor.cfg",
            "defend_the_center.cfg",
            "defend_the_line.cfg",
            "health_gathering.cfg",
            "my_way_home.cfg",
            "predict_position.cfg",
            "take_cover.cfg",
            "deathmatch.cfg",
            "health_gathering_supreme.cfg",
            "doom.cfg",
            "doom2.cfg",
            "freedoom1.cfg",
            "freedoom2.cfg",
        ]
    ]
    """See VizdoomOptions."""
    screen_format: ForEach[str | None]
    """See VizdoomOptions."""
    screen_resolution: ForEach[str | None]
    """See VizdoomOptions."""
    screen_size: ForEach[int | Sequence[int]]
    """See AleAtariOptions."""
    second_color: ForEach[
        Literal["red", "green", "blue", "purple", "yellow", "grey"]
        | Choice[Literal["red", "green", "blue", "purple", "yellow", "grey"] | None]
        | None
    ]
    """See BabyAIOpenTwoDoorsOptions."""
    secret_reward: ForEach[float | None]
    """See VizdoomOptions."""
    sectors_info_enabled: ForEach[bool | None]
    """See VizdoomOptions."""
    see_through_walls: ForEach[bool | Choice[bool | None] | None]
    """See MiniGridEmpty5x5Options."""
    seeds: ForEach[Sequence[int]]
    """See MiniGridEmpty5x5Options."""
    select_by: ForEach[Literal["color", "loc"] | Choice[Literal["color", "loc"] | None] | None]
    """See BabyAIOpenDoorOptions."""
    selected_weapon_reward_config: ForEach[Mapping[Any, float | Sequence[float]]]
    """See EnvPoolVizdoomOptions."""
    size: ForEach[int] | ForEach[int | Integers | Choice[int]]
    """See FrozenLakeOptions and MiniGridEmpty5x5Options."""
    slip: ForEach[float | Uniform | Choice[float]]
    """See NChainOptions."""
    small: ForEach[float | Uniform | Choice[float]]
    """See NChainOptions."""
    sound_enabled: ForEach[bool | None]
    """See VizdoomOptions."""
    sparse: ForEach[bool | None]
    """See CartpoleBalanceOptions."""
    stack_num: ForEach[int]
    """See AtariOptions."""
    stack_size: ForEach[int | None]
    """See AleAtariOptions."""
    start_carrying: ForEach[bool | Choice[bool]]
    """See BabyAIPutNextS4N1Options."""
    strict: ForEach[bool | Choice[bool]]
    """See BabyAIOpenTwoDoorsOptions."""
    strip2_row: ForEach[int | Integers | Choice[int]]
    """See MiniGridDistShift1Options."""
    success_rate: ForEach[float | Uniform | Choice[float]]
    """See FrozenLakeOptions."""
    suite_dir: ForEach[str | None]
    """See AcrobotSwingupOptions."""
    sutton_barto_reward: ForEach[bool | Choice[bool]]
    """See CartPoleOptions."""
    task: ForEach[str]
    """See AtariOptions."""
    task_name: (
        ForEach[Literal["swingup", "swingup_sparse"]]
        | ForEach[Literal["catch"]]
        | ForEach[Literal["balance", "balance_sparse", "swingup", "swingup_sparse", "two_poles", "three_poles"]]
        | ForEach[Literal["run"]]
        | ForEach[Literal["stand", "walk", "trot", "run", "fetch"]]
        | ForEach[Literal["spin", "turn_easy", "turn_hard"]]
        | ForEach[Literal["upright", "swim"]]
        | ForEach[Literal["stand", "hop"]]
        | ForEach[Literal["stand", "walk", "run", "run_pure_state"]]
        | ForEach[Literal["stand", "walk", "run"]]
        | ForEach[Literal["lqr_2_1", "lqr_6_2"]]
        | ForEach[Literal["bring_ball", "bring_peg", "insert_ball", "insert_peg"]]
        | ForEach[Literal["swingup"]]
        | ForEach[Literal["easy", "hard"]]
        | ForEach[Literal["walk", "run", "escape", "fetch"]]
        | ForEach[Literal["stack_2", "stack_4"]]
        | ForEach[Literal["swimmer6", "swimmer15"]]
    )
    """See AcrobotSwingupOptions and BallInCupCatchOptions and CartpoleBalanceOptions and CheetahRunOptions and DogStandOptions and FingerSpinOptions and FishUprightOptions and HopperStandOptions and HumanoidStandOptions and HumanoidCMUStandOptions and LqrLqr21Options and ManipulatorBringBallOptions and PendulumSwingupOptions and PointMassEasyOptions and QuadrupedWalkOptions and StackerStack2Options and SwimmerSwimmer6Options."""
    terminal_on_life_loss: ForEach[bool | Choice[bool]]
    """See AleAtariOptions."""
    terminate_on_success: ForEach[bool | Choice[bool]]
    """See SimpleSpreadOptions."""
    terminate_when_unhealthy: ForEach[bool]
    """See AntOptions."""
    ticrate: ForEach[int | None]
    """See VizdoomOptions."""
    tile_size: ForEach[int]
    """See MiniGridEmpty5x5Options."""
    time_limit: ForEach[float | None]
    """See AcrobotSwingupOptions."""
    translate: ForEach[bool]
    """See AtariOptions."""
    treat_episode_timeout_as_truncation: ForEach[bool]
    """See VizdoomOptions."""
    turbulence_power: ForEach[float | Uniform | Choice[float]]
    """See LunarLanderOptions."""
    unblocking: ForEach[bool | Choice[bool]]
    """See BabyAIGoToSeqOptions."""
    uph_cost_weight: ForEach[float | Uniform | Choice[float]]
    """See HumanoidStandupOptions."""
    use_combined_action: ForEach[bool]
    """See EnvPoolVizdoomOptions."""
    use_contact_force: ForEach[bool | None] | ForEach[bool]
    """See AntOptions and HumanoidOptions."""
    use_contact_forces: ForEach[bool]
    """See AntV4Options."""
    use_fire_reset: ForEach[bool | Choice[bool]]
    """See AtariOptions."""
    use_inter_area_resize: ForEach[bool]
    """See AtariOptions."""
    use_multi_binary_action_space: ForEach[bool]
    """See VizdoomOptions."""
    velocity_max: ForEach[float | Uniform | Choice[float]]
    """See HopperOptions."""
    velocity_min: ForEach[float | Uniform | Choice[float]]
    """See HopperOptions."""
    verbose: ForEach[bool]
    """See CarRacingOptions."""
    version: ForEach[int]
    """See PendulumOptions."""
    visual_options: ForEach[Sequence[int] | None]
    """See AntOptions."""
    visualize_reward: ForEach[bool]
    """See AcrobotSwingupOptions."""
    vizdoom_dir: ForEach[str | None]
    """See EnvPoolVizdoomOptions."""
    vizdoom_path: ForEach[str | None]
    """See VizdoomOptions."""
    vzd_path: ForEach[str]
    """See EnvPoolVizdoomOptions."""
    wad_path: ForEach[str]
    """See EnvPoolVizdoomOptions."""
    weapon_duration: ForEach[int]
    """See EnvPoolVizdoomOptions."""
    weighted_reward_info: ForEach[bool]
    """See PusherOptions."""
    wfc_config: ForEach[
        Literal[
            "MazeSimple", "DungeonMazeScaled", "RoomsFabric", "ObstaclesBlackdots", "ObstaclesAngular", "ObstaclesHogs3"
        ]
    ]
    """See MiniGridWFCMazeSimpleOptions."""
    wfc_preset: ForEach[
        Literal[
            "MazeSimple", "DungeonMazeScaled", "RoomsFabric", "ObstaclesBlackdots", "ObstaclesAngular", "ObstaclesHogs3"
        ]
        | None
    ]
    """See MiniGridWFCMazeSimpleOptions."""
    width: ForEach[int] | ForEach[int | Integers | Choice[int]] | ForEach[int | None]
    """See CatchOptions and MiniGridDistShift1Options and AntOptions."""
    wind_power: ForEach[float | Uniform | Choice[float]]
    """See LunarLanderOptions."""
    window_visible: ForEach[bool | None]
    """See VizdoomOptions."""
    xml_dir: ForEach[str | None]
    """See AntOptions."""
    xml_file: ForEach[str]
    """See AntOptions."""
    zero_discount_on_life_loss: ForEach[bool | Choice[bool]]
    """See AtariOptions."""

@overload
def make(
    task_id: CartPoleTask,
    env_type: Literal["gymnasium"] = "gymnasium",
    *,
    num_envs: int = 1,
    gym_reset_return_info: Literal[True] | None = None,
    **options: Unpack[CartPoleOptions],
) -> GymnasiumEnvPool[Array]:
    """CartPole-v0, CartPole-v1. Own options: sutton_barto_reward."""

@overload
def make(
    task_id: CartPoleTask,
    env_type: Literal["gym"],
    *,
    num_envs: int = 1,
    gym_reset_return_info: bool | None = None,
    **options: Unpack[CartPoleOptions],
) -> GymEnvPool:
    """CartPole-v0, CartPole-v1. Own options: sutton_barto_reward."""

@overload
def make(
    task_id: CartPoleTask,
    env_type: Literal["dm"],
    *,
    num_envs: int = 1,
    gym_reset_return_info: Literal[True] | None = None,
    **options: Unpack[CartPoleOptions],
) -> DMEnvPool:
    """CartPole-v0, CartPole-v1. Own options: sutton_barto_reward."""

@overload
def make(
    task_id: MountainCarTask,
    env_type: Literal["gymnasium"] = "gymnasium",
    *,
    num_envs: int = 1,
    gym_reset_return_info: Literal[True] | None = None,
    **options: Unpack[MountainCarOptions],
) -> GymnasiumEnvPool[Array]:
    """MountainCar-v0, MountainCarContinuous-v0. Own options: goal_velocity."""

@overload
def make(
    task_id: MountainCarTask,
    env_type: Literal["gym"],
    *,
    num_envs: int = 1,
    gym_reset_return_info: bool | None = None,
    **options: Unpack[MountainCarOptions],
) -> GymEnvPool:
    """MountainCar-v0, MountainCarContinuous-v0. Own options: goal_velocity."""

@overload
def make(
    task_id: MountainCarTask,
    env_type: Literal["dm"],
    *,
    num_envs: int = 1,
    gym_reset_return_info: Literal[True] | None = None,
    **options: Unpack[MountainCarOptions],
) -> DMEnvPool:
    """MountainCar-v0, MountainCarContinuous-v0. Own options: goal_velocity."""

@overload
def make(
    task_id: PendulumTask,
    env_type: Literal["gymnasium"] = "gymnasium",
    *,
    num_envs: int = 1,
    gym_reset_return_info: Literal[True] | None = None,
    **options: Unpack[PendulumOptions],
) -> GymnasiumEnvPool[Array]:
    """Pendulum-v0, Pendulum-v1. Own options: g, version."""

@overload
def make(
    task_id: PendulumTask,
    env_type: Literal["gym"],
    *,
    num_envs: int = 1,
    gym_reset_return_info: bool | None = None,
    **options: Unpack[PendulumOptions],
) -> GymEnvPool:
    """Pendulum-v0, Pendulum-v1. Own options: g, version."""

@overload
def make(
    task_id: PendulumTask,
    env_type: Literal["dm"],
    *,
    num_envs: int = 1,
    gym_reset_return_info: Literal[True] | None = None,
    **options: Unpack[PendulumOptions],
) -> DMEnvPool:
    """Pendulum-v0, Pendulum-v1. Own options: g, version."""

@overload
def make(
    task_id: AcrobotTask,
    env_type: Literal["gymnasium"] = "gymnasium",
    *,
    num_envs: int = 1,
    gym_reset_return_info: Literal[True] | None = None,
    **options: Unpack[PoolOptions],
) -> GymnasiumEnvPool[Array]:
    """Acrobot-v1. Own options: none."""

@overload
def make(
    task_id: AcrobotTask,
    env_type: Literal["gym"],
    *,
    num_envs: int = 1,
    gym_reset_return_info: bool | None = None,
    **options: Unpack[PoolOptions],
) -> GymEnvPool:
    """Acrobot-v1. Own options: none."""

@overload
def make(
    task_id: AcrobotTask,
    env_type: Literal["dm"],
    *,
    num_envs: int = 1,
    gym_reset_return_info: Literal[True] | None = None,
    **options: Unpack[PoolOptions],
) -> DMEnvPool:
    """Acrobot-v1. Own options: none."""

@overload
def make(
    task_id: FrozenLakeTask,
    env_type: Literal["gymnasium"] = "gymnasium",
    *,
    num_envs: int = 1,
    gym_reset_return_info: Literal[True] | None = None,
    **options: Unpack[FrozenLakeOptions],
) -> GymnasiumEnvPool[Array]:
    """FrozenLake-v1, FrozenLake8x8-v1. Own options: desc, map_name, is_slippery, success_rate, reward_schedule, size."""

@overload
def make(
    task_id: FrozenLakeTask,
    env_type: Literal["gym"],
    *,
    num_envs: int = 1,
    gym_reset_return_info: bool | None = None,
    **options: Unpack[FrozenLakeOptions],
) -> GymEnvPool:
    """FrozenLake-v1, FrozenLake8x8-v1. Own options: desc, map_name, is_slippery, success_rate, reward_schedule, size."""

@overload
def make(
    task_id: FrozenLakeTask,
    env_type: Literal["dm"],
    *,
    num_envs: int = 1,
    gym_reset_return_info: Literal[True] | None = None,
    **options: Unpack[FrozenLakeOptions],
) -> DMEnvPool:
    """FrozenLake-v1, FrozenLake8x8-v1. Own options: desc, map_name, is_slippery, success_rate, reward_schedule, size."""

@overload
def make(
    task_id: TaxiTask,
    env_type: Literal["gymnasium"] = "gymnasium",
    *,
    num_envs: int = 1,
    gym_reset_return_info: Literal[True] | None = None,
    **options: Unpack[TaxiOptions],
) -> GymnasiumEnvPool[Array]:
    """Taxi-v3. Own options: is_rainy, fickle_passenger."""

@overload
def make(
    task_id: TaxiTask,
    env_type: Literal["gym"],
    *,
    num_envs: int = 1,
    gym_reset_return_info: bool | None = None,
    **options: Unpack[TaxiOptions],
) -> GymEnvPool:
    """Taxi-v3. Own options: is_rainy, fickle_passenger."""

@overload
def make(
    task_id: TaxiTask,
    env_type: Literal["dm"],
    *,
    num_envs: int = 1,
    gym_reset_return_info: Literal[True] | None = None,
    **options: Unpack[TaxiOptions],
) -> DMEnvPool:
    """Taxi-v3. Own options: is_rainy, fickle_passenger."""

@overload
def make(
    task_id: TaxiV4Task,
    env_type: Literal["gymnasium"] = "gymnasium",
    *,
    num_envs: int = 1,
    gym_reset_return_info: Literal[True] | None = None,
    **options: Unpack[TaxiV4Options],
) -> GymnasiumEnvPool[Array]:
    """Taxi-v4. Own options: is_rainy, fickle_passenger, rainy_probability, fickle_probability."""

@overload
def make(
    task_id: TaxiV4Task,
    env_type: Literal["gym"],
    *,
    num_envs: int = 1,
    gym_reset_return_info: bool | None = None,
    **options: Unpack[TaxiV4Options],
) -> GymEnvPool:
    """Taxi-v4. Own options: is_rainy, fickle_passenger, rainy_probability, fickle_probability."""

@overload
def make(
    task_id: TaxiV4Task,
    env_type: Literal["dm"],
    *,
    num_envs: int = 1,
    gym_reset_return_info: Literal[True] | None = None,
    **options: Unpack[TaxiV4Options],
) -> DMEnvPool:
    """Taxi-v4. Own options: is_rainy, fickle_passenger, rainy_probability, fickle_probability."""

@overload
def make(
    task_id: CliffWalkingTask,
    env_type: Literal["gymnasium"] = "gymnasium",
    *,
    num_envs: int = 1,
    gym_reset_return_info: Literal[True] | None = None,
    **options: Unpack[CliffWalkingOptions],
) -> GymnasiumEnvPool[Array]:
    """CliffWalking-v0, CliffWalking-v1, CliffWalkingSlippery-v1. Own options: is_slippery."""

@overload
def make(
    task_id: CliffWalkingTask,
    env_type: Literal["gym"],
    *,
    num_envs: int = 1,
    gym_reset_return_info: bool | None = None,
    **options: Unpack[CliffWalkingOptions],
) -> GymEnvPool:
    """CliffWalking-v0, CliffWalking-v1, CliffWalkingSlippery-v1. Own options: is_slippery."""

@overload
def make(
    task_id: CliffWalkingTask,
    env_type: Literal["dm"],
    *,
    num_envs: int = 1,
    gym_reset_return_info: Literal[True] | None = None,
    **options: Unpack[CliffWalkingOptions],
) -> DMEnvPool:
    """CliffWalking-v0, CliffWalking-v1, CliffWalkingSlippery-v1. Own options: is_slippery."""

@overload
def make(
    task_id: BlackjackTask,
    env_type: Literal["gymnasium"] = "gymnasium",
    *,
    num_envs: int = 1,
    gym_reset_return_info: Literal[True] | None = None,
    **options: Unpack[BlackjackOptions],
) -> GymnasiumEnvPool[Array]:
    """Blackjack-v1. Own options: natural, sab."""

@overload
def make(
    task_id: BlackjackTask,
    env_type: Literal["gym"],
    *,
    num_envs: int = 1,
    gym_reset_return_info: bool | None = None,
    **options: Unpack[BlackjackOptions],
) -> GymEnvPool:
    """Blackjack-v1. Own options: natural, sab."""

@overload
def make(
    task_id: BlackjackTask,
    env_type: Literal["dm"],
    *,
    num_envs: int = 1,
    gym_reset_return_info: Literal[True] | None = None,
    **options: Unpack[BlackjackOptions],
) -> DMEnvPool:
    """Blackjack-v1. Own options: natural, sab."""

@overload
def make(
    task_id: NChainTask,
    env_type: Literal["gymnasium"] = "gymnasium",
    *,
    num_envs: int = 1,
    gym_reset_return_info: Literal[True] | None = None,
    **options: Unpack[NChainOptions],
) -> GymnasiumEnvPool[Array]:
    """NChain-v0. Own options: n, slip, small, large."""

@overload
def make(
    task_id: NChainTask,
    env_type: Literal["gym"],
    *,
    num_envs: int = 1,
    gym_reset_return_info: bool | None = None,
    **options: Unpack[NChainOptions],
) -> GymEnvPool:
    """NChain-v0. Own options: n, slip, small, large."""

@overload
def make(
    task_id: NChainTask,
    env_type: Literal["dm"],
    *,
    num_envs: int = 1,
    gym_reset_return_info: Literal[True] | None = None,
    **options: Unpack[NChainOptions],
) -> DMEnvPool:
    """NChain-v0. Own options: n, slip, small, large."""

@overload
def make(
    task_id: AtariTask,
    env_type: Literal["gymnasium"] = "gymnasium",
    *,
    num_envs: int = 1,
    gym_reset_return_info: Literal[True] | None = None,
    **options: Unpack[AtariOptions],
) -> GymnasiumEnvPool[Array]:
    """Adventure-v5, AirRaid-v5, Alien-v5 and 101 more. Own options: rom_dir, stack_num, frame_skip, noop_max, zero_discount_on_life_loss, episodic_life, reward_clip, use_fire_reset, img_height, img_width, task, mode, difficulty, full_action_space, repeat_action_probability, use_inter_area_resize, gray_scale, translate."""

@overload
def make(
    task_id: AtariTask,
    env_type: Literal["gym"],
    *,
    num_envs: int = 1,
    gym_reset_return_info: bool | None = None,
    **options: Unpack[AtariOptions],
) -> GymEnvPool:
    """Adventure-v5, AirRaid-v5, Alien-v5 and 101 more. Own options: rom_dir, stack_num, frame_skip, noop_max, zero_discount_on_life_loss, episodic_life, reward_clip, use_fire_reset, img_height, img_width, task, mode, difficulty, full_action_space, repeat_action_probability, use_inter_area_resize, gray_scale, translate."""

@overload
def make(
    task_id: AtariTask,
    env_type: Literal["dm"],
    *,
    num_envs: int = 1,
    gym_reset_return_info: Literal[True] | None = None,
    **options: Unpack[AtariOptions],
) -> DMEnvPool:
    """Adventure-v5, AirRaid-v5, Alien-v5 and 101 more. Own options: rom_dir, stack_num, frame_skip, noop_max, zero_discount_on_life_loss, episodic_life, reward_clip, use_fire_reset, img_height, img_width, task, mode, difficulty, full_action_space, repeat_action_probability, use_inter_area_resize, gray_scale, translate."""

@overload
def make(
    task_id: AleAtariTask,
    env_type: Literal["gymnasium"] = "gymnasium",
    *,
    num_envs: int = 1,
    gym_reset_return_info: Literal[True] | None = None,
    **options: Unpack[AleAtariOptions],
) -> GymnasiumEnvPool[Array]:
    """ALE/Adventure-v5, ALE/AirRaid-v5, ALE/Alien-v5 and 101 more. Own options: rom_dir, game, mode, difficulty, obs_type, frameskip, repeat_action_probability, full_action_space, continuous, continuous_action_threshold, max_num_frames_per_episode, preprocessing, noop_max, frame_skip, screen_size, terminal_on_life_loss, grayscale_obs, grayscale_newaxis, scale_obs, stack_size, padding_type, translate."""

@overload
def make(
    task_id: AleAtariTask,
    env_type: Literal["gym"],
    *,
    num_envs: int = 1,
    gym_reset_return_info: bool | None = None,
    **options: Unpack[AleAtariOptions],
) -> GymEnvPool:
    """ALE/Adventure-v5, ALE/AirRaid-v5, ALE/Alien-v5 and 101 more. Own options: rom_dir, game, mode, difficulty, obs_type, frameskip, repeat_action_probability, full_action_space, continuous, continuous_action_threshold, max_num_frames_per_episode, preprocessing, noop_max, frame_skip, screen_size, terminal_on_life_loss, grayscale_obs, grayscale_newaxis, scale_obs, stack_size, padding_type, translate."""

@overload
def make(
    task_id: AleAtariTask,
    env_type: Literal["dm"],
    *,
    num_envs: int = 1,
    gym_reset_return_info: Literal[True] | None = None,
    **options: Unpack[AleAtariOptions],
) -> DMEnvPool:
    """ALE/Adventure-v5, ALE/AirRaid-v5, ALE/Alien-v5 and 101 more. Own options: rom_dir, game, mode, difficulty, obs_type, frameskip, repeat_action_probability, full_action_space, continuous, continuous_action_threshold, max_num_frames_per_episode, preprocessing, noop_max, frame_skip, screen_size, terminal_on_life_loss, grayscale_obs, grayscale_newaxis, scale_obs, stack_size, padding_type, translate."""

@overload
def make(
    task_id: CatchTask,
    env_type: Literal["gymnasium"] = "gymnasium",
    *,
    num_envs: int = 1,
    gym_reset_return_info: Literal[True] | None = None,
    **options: Unpack[CatchOptions],
) -> GymnasiumEnvPool[Array]:
    """Catch-v0. Own options: rows, columns, height, width."""

@overload
def make(
    task_id: CatchTask,
    env_type: Literal["gym"],
    *,
    num_envs: int = 1,
    gym_reset_return_info: bool | None = None,
    **options: Unpack[CatchOptions],
) -> GymEnvPool:
    """Catch-v0. Own options: rows, columns, height, width."""

@overload
def make(
    task_id: CatchTask,
    env_type: Literal["dm"],
    *,
    num_envs: int = 1,
    gym_reset_return_info: Literal[True] | None = None,
    **options: Unpack[CatchOptions],
) -> DMEnvPool:
    """Catch-v0. Own options: rows, columns, height, width."""

@overload
def make(
    task_id: SimpleSpreadTask,
    env_type: Literal["gymnasium"] = "gymnasium",
    *,
    num_envs: int = 1,
    gym_reset_return_info: Literal[True] | None = None,
    **options: Unpack[SimpleSpreadOptions],
) -> GymnasiumEnvPool[Array]:
    """SimpleSpread-v3. Own options: N, local_ratio, curriculum, terminate_on_success, num_agent_neighbors, num_landmark_neighbors, continuous_actions, benchmark_data, max_cycles, dynamic_rescaling."""

@overload
def make(
    task_id: SimpleSpreadTask,
    env_type: Literal["gym"],
    *,
    num_envs: int = 1,
    gym_reset_return_info: bool | None = None,
    **options: Unpack[SimpleSpreadOptions],
) -> GymEnvPool:
    """SimpleSpread-v3. Own options: N, local_ratio, curriculum, terminate_on_success, num_agent_neighbors, num_landmark_neighbors, continuous_actions, benchmark_data, max_cycles, dynamic_rescaling."""

@overload
def make(
    task_id: SimpleSpreadTask,
    env_type: Literal["dm"],
    *,
    num_envs: int = 1,
    gym_reset_return_info: Literal[True] | None = None,
    **options: Unpack[SimpleSpreadOptions],
) -> DMEnvPool:
    """SimpleSpread-v3. Own options: N, local_ratio, curriculum, terminate_on_success, num_agent_neighbors, num_landmark_neighbors, continuous_actions, benchmark_data, max_cycles, dynamic_rescaling."""

@overload
def make(
    task_id: SimpleSpeakerListenerTask,
    env_type: Literal["gymnasium"] = "gymnasium",
    *,
    num_envs: int = 1,
    gym_reset_return_info: Literal[True] | None = None,
    **options: Unpack[SimpleSpeakerListenerOptions],
) -> GymnasiumEnvPool[dict[str, Array]]:
    """SimpleSpeakerListener-v4. Own options: continuous_actions, benchmark_data, max_cycles, dynamic_rescaling."""

@overload
def make(
    task_id: SimpleSpeakerListenerTask,
    env_type: Literal["gym"],
    *,
    num_envs: int = 1,
    gym_reset_return_info: bool | None = None,
    **options: Unpack[SimpleSpeakerListenerOptions],
) -> GymEnvPool:
    """SimpleSpeakerListener-v4. Own options: continuous_actions, benchmark_data, max_cycles, dynamic_rescaling."""

@overload
def make(
    task_id: SimpleSpeakerListenerTask,
    env_type: Literal["dm"],
    *,
    num_envs: int = 1,
    gym_reset_return_info: Literal[True] | None = None,
    **options: Unpack[SimpleSpeakerListenerOptions],
) -> DMEnvPool:
    """SimpleSpeakerListener-v4. Own options: continuous_actions, benchmark_data, max_cycles, dynamic_rescaling."""

@overload
def make(
    task_id: MiniGridEmpty5x5Task,
    env_type: Literal["gymnasium"] = "gymnasium",
    *,
    num_envs: int = 1,
    gym_reset_return_info: Literal[True] | None = None,
    **options: Unpack[MiniGridEmpty5x5Options],
) -> GymnasiumEnvPool[dict[str, Array]]:
    """MiniGrid-Empty-5x5-v0, MiniGrid-Empty-Random-5x5-v0, MiniGrid-Empty-6x6-v0 and 3 more. Own options: env_name, size, agent_start_pos, agent_start_dir, agent_view_size, see_through_walls, obs, obs_tile_size, image_only, mission, highlight, max_steps, action_prob, random_action, no_death, death_cost, seeds, tile_size, agent_pov."""

@overload
def make(
    task_id: MiniGridEmpty5x5Task,
    env_type: Literal["gym"],
    *,
    num_envs: int = 1,
    gym_reset_return_info: bool | None = None,
    **options: Unpack[MiniGridEmpty5x5Options],
) -> GymEnvPool:
    """MiniGrid-Empty-5x5-v0, MiniGrid-Empty-Random-5x5-v0, MiniGrid-Empty-6x6-v0 and 3 more. Own options: env_name, size, agent_start_pos, agent_start_dir, agent_view_size, see_through_walls, obs, obs_tile_size, image_only, mission, highlight, max_steps, action_prob, random_action, no_death, death_cost, seeds, tile_size, agent_pov."""

@overload
def make(
    task_id: MiniGridEmpty5x5Task,
    env_type: Literal["dm"],
    *,
    num_envs: int = 1,
    gym_reset_return_info: Literal[True] | None = None,
    **options: Unpack[MiniGridEmpty5x5Options],
) -> DMEnvPool:
    """MiniGrid-Empty-5x5-v0, MiniGrid-Empty-Random-5x5-v0, MiniGrid-Empty-6x6-v0 and 3 more. Own options: env_name, size, agent_start_pos, agent_start_dir, agent_view_size, see_through_walls, obs, obs_tile_size, image_only, mission, highlight, max_steps, action_prob, random_action, no_death, death_cost, seeds, tile_size, agent_pov."""

@overload
def make(
    task_id: MiniGridDoorKey5x5Task,
    env_type: Literal["gymnasium"] = "gymnasium",
    *,
    num_envs: int = 1,
    gym_reset_return_info: Literal[True] | None = None,
    **options: Unpack[MiniGridDoorKey5x5Options],
) -> GymnasiumEnvPool[dict[str, Array]]:
    """MiniGrid-DoorKey-5x5-v0, MiniGrid-DoorKey-6x6-v0, MiniGrid-DoorKey-8x8-v0 and 1 more. Own options: env_name, size, agent_view_size, see_through_walls, obs, obs_tile_size, image_only, mission, highlight, max_steps, action_prob, random_action, no_death, death_cost, seeds, tile_size, agent_pov."""

@overload
def make(
    task_id: MiniGridDoorKey5x5Task,
    env_type: Literal["gym"],
    *,
    num_envs: int = 1,
    gym_reset_return_info: bool | None = None,
    **options: Unpack[MiniGridDoorKey5x5Options],
) -> GymEnvPool:
    """MiniGrid-DoorKey-5x5-v0, MiniGrid-DoorKey-6x6-v0, MiniGrid-DoorKey-8x8-v0 and 1 more. Own options: env_name, size, agent_view_size, see_through_walls, obs, obs_tile_size, image_only, mission, highlight, max_steps, action_prob, random_action, no_death, death_cost, seeds, tile_size, agent_pov."""

@overload
def make(
    task_id: MiniGridDoorKey5x5Task,
    env_type: Literal["dm"],
    *,
    num_envs: int = 1,
    gym_reset_return_info: Literal[True] | None = None,
    **options: Unpack[MiniGridDoorKey5x5Options],
) -> DMEnvPool:
    """MiniGrid-DoorKey-5x5-v0, MiniGrid-DoorKey-6x6-v0, MiniGrid-DoorKey-8x8-v0 and 1 more. Own options: env_name, size, agent_view_size, see_through_walls, obs, obs_tile_size, image_only, mission, highlight, max_steps, action_prob, random_action, no_death, death_cost, seeds, tile_size, agent_pov."""

@overload
def make(
    task_id: MiniGridLavaCrossingS9N1Task,
    env_type: Literal["gymnasium"] = "gymnasium",
    *,
    num_envs: int = 1,
    gym_reset_return_info: Literal[True] | None = None,
    **options: Unpack[MiniGridLavaCrossingS9N1Options],
) -> GymnasiumEnvPool[dict[str, Array]]:
    """MiniGrid-LavaCrossingS9N1-v0, MiniGrid-LavaCrossingS9N2-v0, MiniGrid-LavaCrossingS9N3-v0 and 5 more. Own options: env_name, size, num_crossings, obstacle_type, agent_view_size, see_through_walls, obs, obs_tile_size, image_only, mission, highlight, max_steps, action_prob, random_action, no_death, death_cost, seeds, tile_size, agent_pov."""

@overload
def make(
    task_id: MiniGridLavaCrossingS9N1Task,
    env_type: Literal["gym"],
    *,
    num_envs: int = 1,
    gym_reset_return_info: bool | None = None,
    **options: Unpack[MiniGridLavaCrossingS9N1Options],
) -> GymEnvPool:
    """MiniGrid-LavaCrossingS9N1-v0, MiniGrid-LavaCrossingS9N2-v0, MiniGrid-LavaCrossingS9N3-v0 and 5 more. Own options: env_name, size, num_crossings, obstacle_type, agent_view_size, see_through_walls, obs, obs_tile_size, image_only, mission, highlight, max_steps, action_prob, random_action, no_death, death_cost, seeds, tile_size, agent_pov."""

@overload
def make(
    task_id: MiniGridLavaCrossingS9N1Task,
    env_type: Literal["dm"],
    *,
    num_envs: int = 1,
    gym_reset_return_info: Literal[True] | None = None,
    **options: Unpack[MiniGridLavaCrossingS9N1Options],
) -> DMEnvPool:
    """MiniGrid-LavaCrossingS9N1-v0, MiniGrid-LavaCrossingS9N2-v0, MiniGrid-LavaCrossingS9N3-v0 and 5 more. Own options: env_name, size, num_crossings, obstacle_type, agent_view_size, see_through_walls, obs, obs_tile_size, image_only, mission, highlight, max_steps, action_prob, random_action, no_death, death_cost, seeds, tile_size, agent_pov."""

@overload
def make(
    task_id: MiniGridDistShift1Task,
    env_type: Literal["gymnasium"] = "gymnasium",
    *,
    num_envs: int = 1,
    gym_reset_return_info: Literal[True] | None = None,
    **options: Unpack[MiniGridDistShift1Options],
) -> GymnasiumEnvPool[dict[str, Array]]:
    """MiniGrid-DistShift1-v0, MiniGrid-DistShift2-v0. Own options: env_name, width, height, strip2_row, agent_start_pos, agent_start_dir, agent_view_size, see_through_walls, obs, obs_tile_size, image_only, mission, highlight, max_steps, action_prob, random_action, no_death, death_cost, seeds, tile_size, agent_pov."""

@overload
def make(
    task_id: MiniGridDistShift1Task,
    env_type: Literal["gym"],
    *,
    num_envs: int = 1,
    gym_reset_return_info: bool | None = None,
    **options: Unpack[MiniGridDistShift1Options],
) -> GymEnvPool:
    """MiniGrid-DistShift1-v0, MiniGrid-DistShift2-v0. Own options: env_name, width, height, strip2_row, agent_start_pos, agent_start_dir, agent_view_size, see_through_walls, obs, obs_tile_size, image_only, mission, highlight, max_steps, action_prob, random_action, no_death, death_cost, seeds, tile_size, agent_pov."""

@overload
def make(
    task_id: MiniGridDistShift1Task,
    env_type: Literal["dm"],
    *,
    num_envs: int = 1,
    gym_reset_return_info: Literal[True] | None = None,
    **options: Unpack[MiniGridDistShift1Options],
) -> DMEnvPool:
    """MiniGrid-DistShift1-v0, MiniGrid-DistShift2-v0. Own options: env_name, width, height, strip2_row, agent_start_pos, agent_start_dir, agent_view_size, see_through_walls, obs, obs_tile_size, image_only, mission, highlight, max_steps, action_prob, random_action, no_death, death_cost, seeds, tile_size, agent_pov."""

@overload
def make(
    task_id: MiniGridLavaGapS5Task,
    env_type: Literal["gymnasium"] = "gymnasium",
    *,
    num_envs: int = 1,
    gym_reset_return_info: Literal[True] | None = None,
    **options: Unpack[MiniGridLavaGapS5Options],
) -> GymnasiumEnvPool[dict[str, Array]]:
    """MiniGrid-LavaGapS5-v0, MiniGrid-LavaGapS6-v0, MiniGrid-LavaGapS7-v0. Own options: env_name, size, obstacle_type, agent_view_size, see_through_walls, obs, obs_tile_size, image_only, mission, highlight, max_steps, action_prob, random_action, no_death, death_cost, seeds, tile_size, agent_pov."""

@overload
def make(
    task_id: MiniGridLavaGapS5Task,
    env_type: Literal["gym"],
    *,
    num_envs: int = 1,
    gym_reset_return_info: bool | None = None,
    **options: Unpack[MiniGridLavaGapS5Options],
) -> GymEnvPool:
    """MiniGrid-LavaGapS5-v0, MiniGrid-LavaGapS6-v0, MiniGrid-LavaGapS7-v0. Own options: env_name, size, obstacle_type, agent_view_size, see_through_walls, obs, obs_tile_size, image_only, mission, highlight, max_steps, action_prob, random_action, no_death, death_cost, seeds, tile_size, agent_pov."""

@overload
def make(
    task_id: MiniGridLavaGapS5Task,
    env_type: Literal["dm"],
    *,
    num_envs: int = 1,
    gym_reset_return_info: Literal[True] | None = None,
    **options: Unpack[MiniGridLavaGapS5Options],
) -> DMEnvPool:
    """MiniGrid-LavaGapS5-v0, MiniGrid-LavaGapS6-v0, MiniGrid-LavaGapS7-v0. Own options: env_name, size, obstacle_type, agent_view_size, see_through_walls, obs, obs_tile_size, image_only, mission, highlight, max_steps, action_prob, random_action, no_death, death_cost, seeds, tile_size, agent_pov."""

@overload
def make(
    task_id: MiniGridDynamicObstacles5x5Task,
    env_type: Literal["gymnasium"] = "gymnasium",
    *,
    num_envs: int = 1,
    gym_reset_return_info: Literal[True] | None = None,
    **options: Unpack[MiniGridDynamicObstacles5x5Options],
) -> GymnasiumEnvPool[dict[str, Array]]:
    """MiniGrid-Dynamic-Obstacles-5x5-v0, MiniGrid-Dynamic-Obstacles-Random-5x5-v0, MiniGrid-Dynamic-Obstacles-6x6-v0 and 3 more. Own options: env_name, size, n_obstacles, agent_start_pos, agent_start_dir, agent_view_size, see_through_walls, obs, obs_tile_size, image_only, mission, highlight, max_steps, action_prob, random_action, no_death, death_cost, seeds, tile_size, agent_pov."""

@overload
def make(
    task_id: MiniGridDynamicObstacles5x5Task,
    env_type: Literal["gym"],
    *,
    num_envs: int = 1,
    gym_reset_return_info: bool | None = None,
    **options: Unpack[MiniGridDynamicObstacles5x5Options],
) -> GymEnvPool:
    """MiniGrid-Dynamic-Obstacles-5x5-v0, MiniGrid-Dynamic-Obstacles-Random-5x5-v0, MiniGrid-Dynamic-Obstacles-6x6-v0 and 3 more. Own options: env_name, size, n_obstacles, agent_start_pos, agent_start_dir, agent_view_size, see_through_walls, obs, obs_tile_size, image_only, mission, highlight, max_steps, action_prob, random_action, no_death, death_cost, seeds, tile_size, agent_pov."""

@overload
def make(
    task_id: MiniGridDynamicObstacles5x5Task,
    env_type: Literal["dm"],
    *,
    num_envs: int = 1,
    gym_reset_return_info: Literal[True] | None = None,
    **options: Unpack[MiniGridDynamicObstacles5x5Options],
) -> DMEnvPool:
    """MiniGrid-Dynamic-Obstacles-5x5-v0, MiniGrid-Dynamic-Obstacles-Random-5x5-v0, MiniGrid-Dynamic-Obstacles-6x6-v0 and 3 more. Own options: env_name, size, n_obstacles, agent_start_pos, agent_start_dir, agent_view_size, see_through_walls, obs, obs_tile_size, image_only, mission, highlight, max_steps, action_prob, random_action, no_death, death_cost, seeds, tile_size, agent_pov."""

@overload
def make(
    task_id: MiniGridFetch5x5N2Task,
    env_type: Literal["gymnasium"] = "gymnasium",
    *,
    num_envs: int = 1,
    gym_reset_return_info: Literal[True] | None = None,
    **options: Unpack[MiniGridFetch5x5N2Options],
) -> GymnasiumEnvPool[dict[str, Array]]:
    """MiniGrid-Fetch-5x5-N2-v0, MiniGrid-Fetch-6x6-N2-v0, MiniGrid-Fetch-8x8-N3-v0. Own options: env_name, size, numObjs, num_objs, agent_view_size, see_through_walls, obs, obs_tile_size, image_only, mission, highlight, max_steps, action_prob, random_action, no_death, death_cost, seeds, tile_size, agent_pov."""

@overload
def make(
    task_id: MiniGridFetch5x5N2Task,
    env_type: Literal["gym"],
    *,
    num_envs: int = 1,
    gym_reset_return_info: bool | None = None,
    **options: Unpack[MiniGridFetch5x5N2Options],
) -> GymEnvPool:
    """MiniGrid-Fetch-5x5-N2-v0, MiniGrid-Fetch-6x6-N2-v0, MiniGrid-Fetch-8x8-N3-v0. Own options: env_name, size, numObjs, num_objs, agent_view_size, see_through_walls, obs, obs_tile_size, image_only, mission, highlight, max_steps, action_prob, random_action, no_death, death_cost, seeds, tile_size, agent_pov."""

@overload
def make(
    task_id: MiniGridFetch5x5N2Task,
    env_type: Literal["dm"],
    *,
    num_envs: int = 1,
    gym_reset_return_info: Literal[True] | None = None,
    **options: Unpack[MiniGridFetch5x5N2Options],
) -> DMEnvPool:
    """MiniGrid-Fetch-5x5-N2-v0, MiniGrid-Fetch-6x6-N2-v0, MiniGrid-Fetch-8x8-N3-v0. Own options: env_name, size, numObjs, num_objs, agent_view_size, see_through_walls, obs, obs_tile_size, image_only, mission, highlight, max_steps, action_prob, random_action, no_death, death_cost, seeds, tile_size, agent_pov."""

@overload
def make(
    task_id: MiniGridFourRoomsTask,
    env_type: Literal["gymnasium"] = "gymnasium",
    *,
    num_envs: int = 1,
    gym_reset_return_info: Literal[True] | None = None,
    **options: Unpack[MiniGridFourRoomsOptions],
) -> GymnasiumEnvPool[dict[str, Array]]:
    """MiniGrid-FourRooms-v0. Own options: env_name, agent_pos, goal_pos, agent_view_size, see_through_walls, obs, obs_tile_size, image_only, mission, highlight, max_steps, action_prob, random_action, no_death, death_cost, seeds, tile_size, agent_pov."""

@overload
def make(
    task_id: MiniGridFourRoomsTask,
    env_type: Literal["gym"],
    *,
    num_envs: int = 1,
    gym_reset_return_info: bool | None = None,
    **options: Unpack[MiniGridFourRoomsOptions],
) -> GymEnvPool:
    """MiniGrid-FourRooms-v0. Own options: env_name, agent_pos, goal_pos, agent_view_size, see_through_walls, obs, obs_tile_size, image_only, mission, highlight, max_steps, action_prob, random_action, no_death, death_cost, seeds, tile_size, agent_pov."""

@overload
def make(
    task_id: MiniGridFourRoomsTask,
    env_type: Literal["dm"],
    *,
    num_envs: int = 1,
    gym_reset_return_info: Literal[True] | None = None,
    **options: Unpack[MiniGridFourRoomsOptions],
) -> DMEnvPool:
    """MiniGrid-FourRooms-v0. Own options: env_name, agent_pos, goal_pos, agent_view_size, see_through_walls, obs, obs_tile_size, image_only, mission, highlight, max_steps, action_prob, random_action, no_death, death_cost, seeds, tile_size, agent_pov."""

@overload
def make(
    task_id: MiniGridGoToDoor5x5Task,
    env_type: Literal["gymnasium"] = "gymnasium",
    *,
    num_envs: int = 1,
    gym_reset_return_info: Literal[True] | None = None,
    **options: Unpack[MiniGridGoToDoor5x5Options],
) -> GymnasiumEnvPool[dict[str, Array]]:
    """MiniGrid-GoToDoor-5x5-v0, MiniGrid-GoToDoor-6x6-v0, MiniGrid-GoToDoor-8x8-v0. Own options: env_name, size, agent_view_size, see_through_walls, obs, obs_tile_size, image_only, mission, highlight, max_steps, action_prob, random_action, no_death, death_cost, seeds, tile_size, agent_pov."""

@overload
def make(
    task_id: MiniGridGoToDoor5x5Task,
    env_type: Literal["gym"],
    *,
    num_envs: int = 1,
    gym_reset_return_info: bool | None = None,
    **options: Unpack[MiniGridGoToDoor5x5Options],
) -> GymEnvPool:
    """MiniGrid-GoToDoor-5x5-v0, MiniGrid-GoToDoor-6x6-v0, MiniGrid-GoToDoor-8x8-v0. Own options: env_name, size, agent_view_size, see_through_walls, obs, obs_tile_size, image_only, mission, highlight, max_steps, action_prob, random_action, no_death, death_cost, seeds, tile_size, agent_pov."""

@overload
def make(
    task_id: MiniGridGoToDoor5x5Task,
    env_type: Literal["dm"],
    *,
    num_envs: int = 1,
    gym_reset_return_info: Literal[True] | None = None,
    **options: Unpack[MiniGridGoToDoor5x5Options],
) -> DMEnvPool:
    """MiniGrid-GoToDoor-5x5-v0, MiniGrid-GoToDoor-6x6-v0, MiniGrid-GoToDoor-8x8-v0. Own options: env_name, size, agent_view_size, see_through_walls, obs, obs_tile_size, image_only, mission, highlight, max_steps, action_prob, random_action, no_death, death_cost, seeds, tile_size, agent_pov."""

@overload
def make(
    task_id: MiniGridGoToObject6x6N2Task,
    env_type: Literal["gymnasium"] = "gymnasium",
    *,
    num_envs: int = 1,
    gym_reset_return_info: Literal[True] | None = None,
    **options: Unpack[MiniGridGoToObject6x6N2Options],
) -> GymnasiumEnvPool[dict[str, Array]]:
    """MiniGrid-GoToObject-6x6-N2-v0, MiniGrid-GoToObject-8x8-N2-v0. Own options: env_name, size, numObjs, num_objs, agent_view_size, see_through_walls, obs, obs_tile_size, image_only, mission, highlight, max_steps, action_prob, random_action, no_death, death_cost, seeds, tile_size, agent_pov."""

@overload
def make(
    task_id: MiniGridGoToObject6x6N2Task,
    env_type: Literal["gym"],
    *,
    num_envs: int = 1,
    gym_reset_return_info: bool | None = None,
    **options: Unpack[MiniGridGoToObject6x6N2Options],
) -> GymEnvPool:
    """MiniGrid-GoToObject-6x6-N2-v0, MiniGrid-GoToObject-8x8-N2-v0. Own options: env_name, size, numObjs, num_objs, agent_view_size, see_through_walls, obs, obs_tile_size, image_only, mission, highlight, max_steps, action_prob, random_action, no_death, death_cost, seeds, tile_size, agent_pov."""

@overload
def make(
    task_id: MiniGridGoToObject6x6N2Task,
    env_type: Literal["dm"],
    *,
    num_envs: int = 1,
    gym_reset_return_info: Literal[True] | None = None,
    **options: Unpack[MiniGridGoToObject6x6N2Options],
) -> DMEnvPool:
    """MiniGrid-GoToObject-6x6-N2-v0, MiniGrid-GoToObject-8x8-N2-v0. Own options: env_name, size, numObjs, num_objs, agent_view_size, see_through_walls, obs, obs_tile_size, image_only, mission, highlight, max_steps, action_prob, random_action, no_death, death_cost, seeds, tile_size, agent_pov."""

@overload
def make(
    task_id: MiniGridKeyCorridorS3R1Task,
    env_type: Literal["gymnasium"] = "gymnasium",
    *,
    num_envs: int = 1,
    gym_reset_return_info: Literal[True] | None = None,
    **options: Unpack[MiniGridKeyCorridorS3R1Options],
) -> GymnasiumEnvPool[dict[str, Array]]:
    """MiniGrid-KeyCorridorS3R1-v0, MiniGrid-KeyCorridorS3R2-v0, MiniGrid-KeyCorridorS3R3-v0 and 3 more. Own options: env_name, num_rows, room_size, obj_type, agent_view_size, see_through_walls, obs, obs_tile_size, image_only, mission, highlight, max_steps, action_prob, random_action, no_death, death_cost, seeds, tile_size, agent_pov."""

@overload
def make(
    task_id: MiniGridKeyCorridorS3R1Task,
    env_type: Literal["gym"],
    *,
    num_envs: int = 1,
    gym_reset_return_info: bool | None = None,
    **options: Unpack[MiniGridKeyCorridorS3R1Options],
) -> GymEnvPool:
    """MiniGrid-KeyCorridorS3R1-v0, MiniGrid-KeyCorridorS3R2-v0, MiniGrid-KeyCorridorS3R3-v0 and 3 more. Own options: env_name, num_rows, room_size, obj_type, agent_view_size, see_through_walls, obs, obs_tile_size, image_only, mission, highlight, max_steps, action_prob, random_action, no_death, death_cost, seeds, tile_size, agent_pov."""

@overload
def make(
    task_id: MiniGridKeyCorridorS3R1Task,
    env_type: Literal["dm"],
    *,
    num_envs: int = 1,
    gym_reset_return_info: Literal[True] | None = None,
    **options: Unpack[MiniGridKeyCorridorS3R1Options],
) -> DMEnvPool:
    """MiniGrid-KeyCorridorS3R1-v0, MiniGrid-KeyCorridorS3R2-v0, MiniGrid-KeyCorridorS3R3-v0 and 3 more. Own options: env_name, num_rows, room_size, obj_type, agent_view_size, see_through_walls, obs, obs_tile_size, image_only, mission, highlight, max_steps, action_prob, random_action, no_death, death_cost, seeds, tile_size, agent_pov."""

@overload
def make(
    task_id: MiniGridLockedRoomTask,
    env_type: Literal["gymnasium"] = "gymnasium",
    *,
    num_envs: int = 1,
    gym_reset_return_info: Literal[True] | None = None,
    **options: Unpack[MiniGridLockedRoomOptions],
) -> GymnasiumEnvPool[dict[str, Array]]:
    """MiniGrid-LockedRoom-v0. Own options: env_name, size, agent_view_size, see_through_walls, obs, obs_tile_size, image_only, mission, highlight, max_steps, action_prob, random_action, no_death, death_cost, seeds, tile_size, agent_pov."""

@overload
def make(
    task_id: MiniGridLockedRoomTask,
    env_type: Literal["gym"],
    *,
    num_envs: int = 1,
    gym_reset_return_info: bool | None = None,
    **options: Unpack[MiniGridLockedRoomOptions],
) -> GymEnvPool:
    """MiniGrid-LockedRoom-v0. Own options: env_name, size, agent_view_size, see_through_walls, obs, obs_tile_size, image_only, mission, highlight, max_steps, action_prob, random_action, no_death, death_cost, seeds, tile_size, agent_pov."""

@overload
def make(
    task_id: MiniGridLockedRoomTask,
    env_type: Literal["dm"],
    *,
    num_envs: int = 1,
    gym_reset_return_info: Literal[True] | None = None,
    **options: Unpack[MiniGridLockedRoomOptions],
) -> DMEnvPool:
    """MiniGrid-LockedRoom-v0. Own options: env_name, size, agent_view_size, see_through_walls, obs, obs_tile_size, image_only, mission, highlight, max_steps, action_prob, random_action, no_death, death_cost, seeds, tile_size, agent_pov."""

@overload
def make(
    task_id: MiniGridMemoryS17RandomTask,
    env_type: Literal["gymnasium"] = "gymnasium",
    *,
    num_envs: int = 1,
    gym_reset_return_info: Literal[True] | None = None,
    **options: Unpack[MiniGridMemoryS17RandomOptions],
) -> GymnasiumEnvPool[dict[str, Array]]:
    """MiniGrid-MemoryS17Random-v0, MiniGrid-MemoryS13Random-v0, MiniGrid-MemoryS13-v0 and 3 more. Own options: env_name, size, random_length, agent_view_size, see_through_walls, obs, obs_tile_size, image_only, mission, highlight, max_steps, action_prob, random_action, no_death, death_cost, seeds, tile_size, agent_pov."""

@overload
def make(
    task_id: MiniGridMemoryS17RandomTask,
    env_type: Literal["gym"],
    *,
    num_envs: int = 1,
    gym_reset_return_info: bool | None = None,
    **options: Unpack[MiniGridMemoryS17RandomOptions],
) -> GymEnvPool:
    """MiniGrid-MemoryS17Random-v0, MiniGrid-MemoryS13Random-v0, MiniGrid-MemoryS13-v0 and 3 more. Own options: env_name, size, random_length, agent_view_size, see_through_walls, obs, obs_tile_size, image_only, mission, highlight, max_steps, action_prob, random_action, no_death, death_cost, seeds, tile_size, agent_pov."""

@overload
def make(
    task_id: MiniGridMemoryS17RandomTask,
    env_type: Literal["dm"],
    *,
    num_envs: int = 1,
    gym_reset_return_info: Literal[True] | None = None,
    **options: Unpack[MiniGridMemoryS17RandomOptions],
) -> DMEnvPool:
    """MiniGrid-MemoryS17Random-v0, MiniGrid-MemoryS13Random-v0, MiniGrid-MemoryS13-v0 and 3 more. Own options: env_name, size, random_length, agent_view_size, see_through_walls, obs, obs_tile_size, image_only, mission, highlight, max_steps, action_prob, random_action, no_death, death_cost, seeds, tile_size, agent_pov."""

@overload
def make(
    task_id: MiniGridMultiRoomN2S4Task,
    env_type: Literal["gymnasium"] = "gymnasium",
    *,
    num_envs: int = 1,
    gym_reset_return_info: Literal[True] | None = None,
    **options: Unpack[MiniGridMultiRoomN2S4Options],
) -> GymnasiumEnvPool[dict[str, Array]]:
    """MiniGrid-MultiRoom-N2-S4-v0, MiniGrid-MultiRoom-N4-S5-v0, MiniGrid-MultiRoom-N4-S5-v1 and 1 more. Own options: env_name, minNumRooms, min_num_rooms, maxNumRooms, max_num_rooms, maxRoomSize, max_room_size, width, height, agent_view_size, see_through_walls, obs, obs_tile_size, image_only, mission, highlight, max_steps, action_prob, random_action, no_death, death_cost, seeds, tile_size, agent_pov."""

@overload
def make(
    task_id: MiniGridMultiRoomN2S4Task,
    env_type: Literal["gym"],
    *,
    num_envs: int = 1,
    gym_reset_return_info: bool | None = None,
    **options: Unpack[MiniGridMultiRoomN2S4Options],
) -> GymEnvPool:
    """MiniGrid-MultiRoom-N2-S4-v0, MiniGrid-MultiRoom-N4-S5-v0, MiniGrid-MultiRoom-N4-S5-v1 and 1 more. Own options: env_name, minNumRooms, min_num_rooms, maxNumRooms, max_num_rooms, maxRoomSize, max_room_size, width, height, agent_view_size, see_through_walls, obs, obs_tile_size, image_only, mission, highlight, max_steps, action_prob, random_action, no_death, death_cost, seeds, tile_size, agent_pov."""

@overload
def make(
    task_id: MiniGridMultiRoomN2S4Task,
    env_type: Literal["dm"],
    *,
    num_envs: int = 1,
    gym_reset_return_info: Literal[True] | None = None,
    **options: Unpack[MiniGridMultiRoomN2S4Options],
) -> DMEnvPool:
    """MiniGrid-MultiRoom-N2-S4-v0, MiniGrid-MultiRoom-N4-S5-v0, MiniGrid-MultiRoom-N4-S5-v1 and 1 more. Own options: env_name, minNumRooms, min_num_rooms, maxNumRooms, max_num_rooms, maxRoomSize, max_room_size, width, height, agent_view_size, see_through_walls, obs, obs_tile_size, image_only, mission, highlight, max_steps, action_prob, random_action, no_death, death_cost, seeds, tile_size, agent_pov."""

@overload
def make(
    task_id: MiniGridObstructedMaze1DlTask,
    env_type: Literal["gymnasium"] = "gymnasium",
    *,
    num_envs: int = 1,
    gym_reset_return_info: Literal[True] | None = None,
    **options: Unpack[MiniGridObstructedMaze1DlOptions],
) -> GymnasiumEnvPool[dict[str, Array]]:
    """MiniGrid-ObstructedMaze-1Dl-v0, MiniGrid-ObstructedMaze-1Dlh-v0, MiniGrid-ObstructedMaze-1Dlhb-v0. Own options: env_name, key_in_box, blocked, agent_view_size, see_through_walls, obs, obs_tile_size, image_only, mission, highlight, max_steps, action_prob, random_action, no_death, death_cost, seeds, tile_size, agent_pov."""

@overload
def make(
    task_id: MiniGridObstructedMaze1DlTask,
    env_type: Literal["gym"],
    *,
    num_envs: int = 1,
    gym_reset_return_info: bool | None = None,
    **options: Unpack[MiniGridObstructedMaze1DlOptions],
) -> GymEnvPool:
    """MiniGrid-ObstructedMaze-1Dl-v0, MiniGrid-ObstructedMaze-1Dlh-v0, MiniGrid-ObstructedMaze-1Dlhb-v0. Own options: env_name, key_in_box, blocked, agent_view_size, see_through_walls, obs, obs_tile_size, image_only, mission, highlight, max_steps, action_prob, random_action, no_death, death_cost, seeds, tile_size, agent_pov."""

@overload
def make(
    task_id: MiniGridObstructedMaze1DlTask,
    env_type: Literal["dm"],
    *,
    num_envs: int = 1,
    gym_reset_return_info: Literal[True] | None = None,
    **options: Unpack[MiniGridObstructedMaze1DlOptions],
) -> DMEnvPool:
    """MiniGrid-ObstructedMaze-1Dl-v0, MiniGrid-ObstructedMaze-1Dlh-v0, MiniGrid-ObstructedMaze-1Dlhb-v0. Own options: env_name, key_in_box, blocked, agent_view_size, see_through_walls, obs, obs_tile_size, image_only, mission, highlight, max_steps, action_prob, random_action, no_death, death_cost, seeds, tile_size, agent_pov."""

@overload
def make(
    task_id: MiniGridObstructedMaze2DlTask,
    env_type: Literal["gymnasium"] = "gymnasium",
    *,
    num_envs: int = 1,
    gym_reset_return_info: Literal[True] | None = None,
    **options: Unpack[MiniGridObstructedMaze2DlOptions],
) -> GymnasiumEnvPool[dict[str, Array]]:
    """MiniGrid-ObstructedMaze-2Dl-v0, MiniGrid-ObstructedMaze-2Dlh-v0, MiniGrid-ObstructedMaze-2Dlhb-v0 and 3 more. Own options: env_name, agent_room, key_in_box, blocked, num_quarters, num_rooms_visited, agent_view_size, see_through_walls, obs, obs_tile_size, image_only, mission, highlight, max_steps, action_prob, random_action, no_death, death_cost, seeds, tile_size, agent_pov."""

@overload
def make(
    task_id: MiniGridObstructedMaze2DlTask,
    env_type: Literal["gym"],
    *,
    num_envs: int = 1,
    gym_reset_return_info: bool | None = None,
    **options: Unpack[MiniGridObstructedMaze2DlOptions],
) -> GymEnvPool:
    """MiniGrid-ObstructedMaze-2Dl-v0, MiniGrid-ObstructedMaze-2Dlh-v0, MiniGrid-ObstructedMaze-2Dlhb-v0 and 3 more. Own options: env_name, agent_room, key_in_box, blocked, num_quarters, num_rooms_visited, agent_view_size, see_through_walls, obs, obs_tile_size, image_only, mission, highlight, max_steps, action_prob, random_action, no_death, death_cost, seeds, tile_size, agent_pov."""

@overload
def make(
    task_id: MiniGridObstructedMaze2DlTask,
    env_type: Literal["dm"],
    *,
    num_envs: int = 1,
    gym_reset_return_info: Literal[True] | None = None,
    **options: Unpack[MiniGridObstructedMaze2DlOptions],
) -> DMEnvPool:
    """MiniGrid-ObstructedMaze-2Dl-v0, MiniGrid-ObstructedMaze-2Dlh-v0, MiniGrid-ObstructedMaze-2Dlhb-v0 and 3 more. Own options: env_name, agent_room, key_in_box, blocked, num_quarters, num_rooms_visited, agent_view_size, see_through_walls, obs, obs_tile_size, image_only, mission, highlight, max_steps, action_prob, random_action, no_death, death_cost, seeds, tile_size, agent_pov."""

@overload
def make(
    task_id: MiniGridObstructedMaze2DlhbTask,
    env_type: Literal["gymnasium"] = "gymnasium",
    *,
    num_envs: int = 1,
    gym_reset_return_info: Literal[True] | None = None,
    **options: Unpack[MiniGridObstructedMaze2DlhbOptions],
) -> GymnasiumEnvPool[dict[str, Array]]:
    """MiniGrid-ObstructedMaze-2Dlhb-v1, MiniGrid-ObstructedMaze-1Q-v1, MiniGrid-ObstructedMaze-2Q-v1 and 1 more. Own options: env_name, agent_room, key_in_box, blocked, num_quarters, num_rooms_visited, agent_view_size, see_through_walls, obs, obs_tile_size, image_only, mission, highlight, max_steps, action_prob, random_action, no_death, death_cost, seeds, tile_size, agent_pov."""

@overload
def make(
    task_id: MiniGridObstructedMaze2DlhbTask,
    env_type: Literal["gym"],
    *,
    num_envs: int = 1,
    gym_reset_return_info: bool | None = None,
    **options: Unpack[MiniGridObstructedMaze2DlhbOptions],
) -> GymEnvPool:
    """MiniGrid-ObstructedMaze-2Dlhb-v1, MiniGrid-ObstructedMaze-1Q-v1, MiniGrid-ObstructedMaze-2Q-v1 and 1 more. Own options: env_name, agent_room, key_in_box, blocked, num_quarters, num_rooms_visited, agent_view_size, see_through_walls, obs, obs_tile_size, image_only, mission, highlight, max_steps, action_prob, random_action, no_death, death_cost, seeds, tile_size, agent_pov."""

@overload
def make(
    task_id: MiniGridObstructedMaze2DlhbTask,
    env_type: Literal["dm"],
    *,
    num_envs: int = 1,
    gym_reset_return_info: Literal[True] | None = None,
    **options: Unpack[MiniGridObstructedMaze2DlhbOptions],
) -> DMEnvPool:
    """MiniGrid-ObstructedMaze-2Dlhb-v1, MiniGrid-ObstructedMaze-1Q-v1, MiniGrid-ObstructedMaze-2Q-v1 and 1 more. Own options: env_name, agent_room, key_in_box, blocked, num_quarters, num_rooms_visited, agent_view_size, see_through_walls, obs, obs_tile_size, image_only, mission, highlight, max_steps, action_prob, random_action, no_death, death_cost, seeds, tile_size, agent_pov."""

@overload
def make(
    task_id: MiniGridPlaygroundTask,
    env_type: Literal["gymnasium"] = "gymnasium",
    *,
    num_envs: int = 1,
    gym_reset_return_info: Literal[True] | None = None,
    **options: Unpack[MiniGridPlaygroundOptions],
) -> GymnasiumEnvPool[dict[str, Array]]:
    """MiniGrid-Playground-v0. Own options: env_name, agent_view_size, see_through_walls, obs, obs_tile_size, image_only, mission, highlight, max_steps, action_prob, random_action, no_death, death_cost, seeds, tile_size, agent_pov."""

@overload
def make(
    task_id: MiniGridPlaygroundTask,
    env_type: Literal["gym"],
    *,
    num_envs: int = 1,
    gym_reset_return_info: bool | None = None,
    **options: Unpack[MiniGridPlaygroundOptions],
) -> GymEnvPool:
    """MiniGrid-Playground-v0. Own options: env_name, agent_view_size, see_through_walls, obs, obs_tile_size, image_only, mission, highlight, max_steps, action_prob, random_action, no_death, death_cost, seeds, tile_size, agent_pov."""

@overload
def make(
    task_id: MiniGridPlaygroundTask,
    env_type: Literal["dm"],
    *,
    num_envs: int = 1,
    gym_reset_return_info: Literal[True] | None = None,
    **options: Unpack[MiniGridPlaygroundOptions],
) -> DMEnvPool:
    """MiniGrid-Playground-v0. Own options: env_name, agent_view_size, see_through_walls, obs, obs_tile_size, image_only, mission, highlight, max_steps, action_prob, random_action, no_death, death_cost, seeds, tile_size, agent_pov."""

@overload
def make(
    task_id: MiniGridPutNear6x6N2Task,
    env_type: Literal["gymnasium"] = "gymnasium",
    *,
    num_envs: int = 1,
    gym_reset_return_info: Literal[True] | None = None,
    **options: Unpack[MiniGridPutNear6x6N2Options],
) -> GymnasiumEnvPool[dict[str, Array]]:
    """MiniGrid-PutNear-6x6-N2-v0, MiniGrid-PutNear-8x8-N3-v0. Own options: env_name, size, numObjs, num_objs, agent_view_size, see_through_walls, obs, obs_tile_size, image_only, mission, highlight, max_steps, action_prob, random_action, no_death, death_cost, seeds, tile_size, agent_pov."""

@overload
def make(
    task_id: MiniGridPutNear6x6N2Task,
    env_type: Literal["gym"],
    *,
    num_envs: int = 1,
    gym_reset_return_info: bool | None = None,
    **options: Unpack[MiniGridPutNear6x6N2Options],
) -> GymEnvPool:
    """MiniGrid-PutNear-6x6-N2-v0, MiniGrid-PutNear-8x8-N3-v0. Own options: env_name, size, numObjs, num_objs, agent_view_size, see_through_walls, obs, obs_tile_size, image_only, mission, highlight, max_steps, action_prob, random_action, no_death, death_cost, seeds, tile_size, agent_pov."""

@overload
def make(
    task_id: MiniGridPutNear6x6N2Task,
    env_type: Literal["dm"],
    *,
    num_envs: int = 1,
    gym_reset_return_info: Literal[True] | None = None,
    **options: Unpack[MiniGridPutNear6x6N2Options],
) -> DMEnvPool:
    """MiniGrid-PutNear-6x6-N2-v0, MiniGrid-PutNear-8x8-N3-v0. Own options: env_name, size, numObjs, num_objs, agent_view_size, see_through_walls, obs, obs_tile_size, image_only, mission, highlight, max_steps, action_prob, random_action, no_death, death_cost, seeds, tile_size, agent_pov."""

@overload
def make(
    task_id: MiniGridRedBlueDoors6x6Task,
    env_type: Literal["gymnasium"] = "gymnasium",
    *,
    num_envs: int = 1,
    gym_reset_return_info: Literal[True] | None = None,
    **options: Unpack[MiniGridRedBlueDoors6x6Options],
) -> GymnasiumEnvPool[dict[str, Array]]:
    """MiniGrid-RedBlueDoors-6x6-v0, MiniGrid-RedBlueDoors-8x8-v0. Own options: env_name, size, agent_view_size, see_through_walls, obs, obs_tile_size, image_only, mission, highlight, max_steps, action_prob, random_action, no_death, death_cost, seeds, tile_size, agent_pov."""

@overload
def make(
    task_id: MiniGridRedBlueDoors6x6Task,
    env_type: Literal["gym"],
    *,
    num_envs: int = 1,
    gym_reset_return_info: bool | None = None,
    **options: Unpack[MiniGridRedBlueDoors6x6Options],
) -> GymEnvPool:
    """MiniGrid-RedBlueDoors-6x6-v0, MiniGrid-RedBlueDoors-8x8-v0. Own options: env_name, size, agent_view_size, see_through_walls, obs, obs_tile_size, image_only, mission, highlight, max_steps, action_prob, random_action, no_death, death_cost, seeds, tile_size, agent_pov."""

@overload
def make(
    task_id: MiniGridRedBlueDoors6x6Task,
    env_type: Literal["dm"],
    *,
    num_envs: int = 1,
    gym_reset_return_info: Literal[True] | None = None,
    **options: Unpack[MiniGridRedBlueDoors6x6Options],
) -> DMEnvPool:
    """MiniGrid-RedBlueDoors-6x6-v0, MiniGrid-RedBlueDoors-8x8-v0. Own options: env_name, size, agent_view_size, see_through_walls, obs, obs_tile_size, image_only, mission, highlight, max_steps, action_prob, random_action, no_death, death_cost, seeds, tile_size, agent_pov."""

@overload
def make(
    task_id: MiniGridUnlockTask,
    env_type: Literal["gymnasium"] = "gymnasium",
    *,
    num_envs: int = 1,
    gym_reset_return_info: Literal[True] | None = None,
    **options: Unpack[MiniGridUnlockOptions],
) -> GymnasiumEnvPool[dict[str, Array]]:
    """MiniGrid-Unlock-v0. Own options: env_name, agent_view_size, see_through_walls, obs, obs_tile_size, image_only, mission, highlight, max_steps, action_prob, random_action, no_death, death_cost, seeds, tile_size, agent_pov."""

@overload
def make(
    task_id: MiniGridUnlockTask,
    env_type: Literal["gym"],
    *,
    num_envs: int = 1,
    gym_reset_return_info: bool | None = None,
    **options: Unpack[MiniGridUnlockOptions],
) -> GymEnvPool:
    """MiniGrid-Unlock-v0. Own options: env_name, agent_view_size, see_through_walls, obs, obs_tile_size, image_only, mission, highlight, max_steps, action_prob, random_action, no_death, death_cost, seeds, tile_size, agent_pov."""

@overload
def make(
    task_id: MiniGridUnlockTask,
    env_type: Literal["dm"],
    *,
    num_envs: int = 1,
    gym_reset_return_info: Literal[True] | None = None,
    **options: Unpack[MiniGridUnlockOptions],
) -> DMEnvPool:
    """MiniGrid-Unlock-v0. Own options: env_name, agent_view_size, see_through_walls, obs, obs_tile_size, image_only, mission, highlight, max_steps, action_prob, random_action, no_death, death_cost, seeds, tile_size, agent_pov."""

@overload
def make(
    task_id: MiniGridUnlockPickupTask,
    env_type: Literal["gymnasium"] = "gymnasium",
    *,
    num_envs: int = 1,
    gym_reset_return_info: Literal[True] | None = None,
    **options: Unpack[MiniGridUnlockPickupOptions],
) -> GymnasiumEnvPool[dict[str, Array]]:
    """MiniGrid-UnlockPickup-v0. Own options: env_name, agent_view_size, see_through_walls, obs, obs_tile_size, image_only, mission, highlight, max_steps, action_prob, random_action, no_death, death_cost, seeds, tile_size, agent_pov."""

@overload
def make(
    task_id: MiniGridUnlockPickupTask,
    env_type: Literal["gym"],
    *,
    num_envs: int = 1,
    gym_reset_return_info: bool | None = None,
    **options: Unpack[MiniGridUnlockPickupOptions],
) -> GymEnvPool:
    """MiniGrid-UnlockPickup-v0. Own options: env_name, agent_view_size, see_through_walls, obs, obs_tile_size, image_only, mission, highlight, max_steps, action_prob, random_action, no_death, death_cost, seeds, tile_size, agent_pov."""

@overload
def make(
    task_id: MiniGridUnlockPickupTask,
    env_type: Literal["dm"],
    *,
    num_envs: int = 1,
    gym_reset_return_info: Literal[True] | None = None,
    **options: Unpack[MiniGridUnlockPickupOptions],
) -> DMEnvPool:
    """MiniGrid-UnlockPickup-v0. Own options: env_name, agent_view_size, see_through_walls, obs, obs_tile_size, image_only, mission, highlight, max_steps, action_prob, random_action, no_death, death_cost, seeds, tile_size, agent_pov."""

@overload
def make(
    task_id: MiniGridBlockedUnlockPickupTask,
    env_type: Literal["gymnasium"] = "gymnasium",
    *,
    num_envs: int = 1,
    gym_reset_return_info: Literal[True] | None = None,
    **options: Unpack[MiniGridBlockedUnlockPickupOptions],
) -> GymnasiumEnvPool[dict[str, Array]]:
    """MiniGrid-BlockedUnlockPickup-v0. Own options: env_name, agent_view_size, see_through_walls, obs, obs_tile_size, image_only, mission, highlight, max_steps, action_prob, random_action, no_death, death_cost, seeds, tile_size, agent_pov."""

@overload
def make(
    task_id: MiniGridBlockedUnlockPickupTask,
    env_type: Literal["gym"],
    *,
    num_envs: int = 1,
    gym_reset_return_info: bool | None = None,
    **options: Unpack[MiniGridBlockedUnlockPickupOptions],
) -> GymEnvPool:
    """MiniGrid-BlockedUnlockPickup-v0. Own options: env_name, agent_view_size, see_through_walls, obs, obs_tile_size, image_only, mission, highlight, max_steps, action_prob, random_action, no_death, death_cost, seeds, tile_size, agent_pov."""

@overload
def make(
    task_id: MiniGridBlockedUnlockPickupTask,
    env_type: Literal["dm"],
    *,
    num_envs: int = 1,
    gym_reset_return_info: Literal[True] | None = None,
    **options: Unpack[MiniGridBlockedUnlockPickupOptions],
) -> DMEnvPool:
    """MiniGrid-BlockedUnlockPickup-v0. Own options: env_name, agent_view_size, see_through_walls, obs, obs_tile_size, image_only, mission, highlight, max_steps, action_prob, random_action, no_death, death_cost, seeds, tile_size, agent_pov."""

@overload
def make(
    task_id: MiniGridWFCMazeSimpleTask,
    env_type: Literal["gymnasium"] = "gymnasium",
    *,
    num_envs: int = 1,
    gym_reset_return_info: Literal[True] | None = None,
    **options: Unpack[MiniGridWFCMazeSimpleOptions],
) -> GymnasiumEnvPool[dict[str, Array]]:
    """MiniGrid-WFC-MazeSimple-v0, MiniGrid-WFC-DungeonMazeScaled-v0, MiniGrid-WFC-RoomsFabric-v0 and 3 more. Own options: env_name, wfc_config, wfc_preset, size, ensure_connected, agent_view_size, see_through_walls, obs, obs_tile_size, image_only, mission, highlight, max_steps, action_prob, random_action, no_death, death_cost, seeds, tile_size, agent_pov."""

@overload
def make(
    task_id: MiniGridWFCMazeSimpleTask,
    env_type: Literal["gym"],
    *,
    num_envs: int = 1,
    gym_reset_return_info: bool | None = None,
    **options: Unpack[MiniGridWFCMazeSimpleOptions],
) -> GymEnvPool:
    """MiniGrid-WFC-MazeSimple-v0, MiniGrid-WFC-DungeonMazeScaled-v0, MiniGrid-WFC-RoomsFabric-v0 and 3 more. Own options: env_name, wfc_config, wfc_preset, size, ensure_connected, agent_view_size, see_through_walls, obs, obs_tile_size, image_only, mission, highlight, max_steps, action_prob, random_action, no_death, death_cost, seeds, tile_size, agent_pov."""

@overload
def make(
    task_id: MiniGridWFCMazeSimpleTask,
    env_type: Literal["dm"],
    *,
    num_envs: int = 1,
    gym_reset_return_info: Literal[True] | None = None,
    **options: Unpack[MiniGridWFCMazeSimpleOptions],
) -> DMEnvPool:
    """MiniGrid-WFC-MazeSimple-v0, MiniGrid-WFC-DungeonMazeScaled-v0, MiniGrid-WFC-RoomsFabric-v0 and 3 more. Own options: env_name, wfc_config, wfc_preset, size, ensure_connected, agent_view_size, see_through_walls, obs, obs_tile_size, image_only, mission, highlight, max_steps, action_prob, random_action, no_death, death_cost, seeds, tile_size, agent_pov."""

@overload
def make(
    task_id: BabyAIGoToRedBallGreyTask,
    env_type: Literal["gymnasium"] = "gymnasium",
    *,
    num_envs: int = 1,
    gym_reset_return_info: Literal[True] | None = None,
    **options: Unpack[BabyAIGoToRedBallGreyOptions],
) -> GymnasiumEnvPool[dict[str, Array]]:
    """BabyAI-GoToRedBallGrey-v0. Own options: env_name, room_size, num_dists, agent_view_size, see_through_walls, obs, obs_tile_size, image_only, mission, highlight, max_steps, action_prob, random_action, no_death, death_cost, seeds, tile_size, agent_pov."""

@overload
def make(
    task_id: BabyAIGoToRedBallGreyTask,
    env_type: Literal["gym"],
    *,
    num_envs: int = 1,
    gym_reset_return_info: bool | None = None,
    **options: Unpack[BabyAIGoToRedBallGreyOptions],
) -> GymEnvPool:
    """BabyAI-GoToRedBallGrey-v0. Own options: env_name, room_size, num_dists, agent_view_size, see_through_walls, obs, obs_tile_size, image_only, mission, highlight, max_steps, action_prob, random_action, no_death, death_cost, seeds, tile_size, agent_pov."""

@overload
def make(
    task_id: BabyAIGoToRedBallGreyTask,
    env_type: Literal["dm"],
    *,
    num_envs: int = 1,
    gym_reset_return_info: Literal[True] | None = None,
    **options: Unpack[BabyAIGoToRedBallGreyOptions],
) -> DMEnvPool:
    """BabyAI-GoToRedBallGrey-v0. Own options: env_name, room_size, num_dists, agent_view_size, see_through_walls, obs, obs_tile_size, image_only, mission, highlight, max_steps, action_prob, random_action, no_death, death_cost, seeds, tile_size, agent_pov."""

@overload
def make(
    task_id: BabyAIGoToRedBallTask,
    env_type: Literal["gymnasium"] = "gymnasium",
    *,
    num_envs: int = 1,
    gym_reset_return_info: Literal[True] | None = None,
    **options: Unpack[BabyAIGoToRedBallOptions],
) -> GymnasiumEnvPool[dict[str, Array]]:
    """BabyAI-GoToRedBall-v0. Own options: env_name, room_size, num_dists, agent_view_size, see_through_walls, obs, obs_tile_size, image_only, mission, highlight, max_steps, action_prob, random_action, no_death, death_cost, seeds, tile_size, agent_pov."""

@overload
def make(
    task_id: BabyAIGoToRedBallTask,
    env_type: Literal["gym"],
    *,
    num_envs: int = 1,
    gym_reset_return_info: bool | None = None,
    **options: Unpack[BabyAIGoToRedBallOptions],
) -> GymEnvPool:
    """BabyAI-GoToRedBall-v0. Own options: env_name, room_size, num_dists, agent_view_size, see_through_walls, obs, obs_tile_size, image_only, mission, highlight, max_steps, action_prob, random_action, no_death, death_cost, seeds, tile_size, agent_pov."""

@overload
def make(
    task_id: BabyAIGoToRedBallTask,
    env_type: Literal["dm"],
    *,
    num_envs: int = 1,
    gym_reset_return_info: Literal[True] | None = None,
    **options: Unpack[BabyAIGoToRedBallOptions],
) -> DMEnvPool:
    """BabyAI-GoToRedBall-v0. Own options: env_name, room_size, num_dists, agent_view_size, see_through_walls, obs, obs_tile_size, image_only, mission, highlight, max_steps, action_prob, random_action, no_death, death_cost, seeds, tile_size, agent_pov."""

@overload
def make(
    task_id: BabyAIGoToObjTask,
    env_type: Literal["gymnasium"] = "gymnasium",
    *,
    num_envs: int = 1,
    gym_reset_return_info: Literal[True] | None = None,
    **options: Unpack[BabyAIGoToObjOptions],
) -> GymnasiumEnvPool[dict[str, Array]]:
    """BabyAI-GoToObj-v0, BabyAI-GoToObjS4-v0, BabyAI-GoToObjS6-v1. Own options: env_name, room_size, agent_view_size, see_through_walls, obs, obs_tile_size, image_only, mission, highlight, max_steps, action_prob, random_action, no_death, death_cost, seeds, tile_size, agent_pov."""

@overload
def make(
    task_id: BabyAIGoToObjTask,
    env_type: Literal["gym"],
    *,
    num_envs: int = 1,
    gym_reset_return_info: bool | None = None,
    **options: Unpack[BabyAIGoToObjOptions],
) -> GymEnvPool:
    """BabyAI-GoToObj-v0, BabyAI-GoToObjS4-v0, BabyAI-GoToObjS6-v1. Own options: env_name, room_size, agent_view_size, see_through_walls, obs, obs_tile_size, image_only, mission, highlight, max_steps, action_prob, random_action, no_death, death_cost, seeds, tile_size, agent_pov."""

@overload
def make(
    task_id: BabyAIGoToObjTask,
    env_type: Literal["dm"],
    *,
    num_envs: int = 1,
    gym_reset_return_info: Literal[True] | None = None,
    **options: Unpack[BabyAIGoToObjOptions],
) -> DMEnvPool:
    """BabyAI-GoToObj-v0, BabyAI-GoToObjS4-v0, BabyAI-GoToObjS6-v1. Own options: env_name, room_size, agent_view_size, see_through_walls, obs, obs_tile_size, image_only, mission, highlight, max_steps, action_prob, random_action, no_death, death_cost, seeds, tile_size, agent_pov."""

@overload
def make(
    task_id: BabyAIGoToLocalTask,
    env_type: Literal["gymnasium"] = "gymnasium",
    *,
    num_envs: int = 1,
    gym_reset_return_info: Literal[True] | None = None,
    **options: Unpack[BabyAIGoToLocalOptions],
) -> GymnasiumEnvPool[dict[str, Array]]:
    """BabyAI-GoToLocal-v0, BabyAI-GoToLocalS5N2-v0, BabyAI-GoToLocalS6N2-v0 and 10 more. Own options: env_name, room_size, num_dists, agent_view_size, see_through_walls, obs, obs_tile_size, image_only, mission, highlight, max_steps, action_prob, random_action, no_death, death_cost, seeds, tile_size, agent_pov."""

@overload
def make(
    task_id: BabyAIGoToLocalTask,
    env_type: Literal["gym"],
    *,
    num_envs: int = 1,
    gym_reset_return_info: bool | None = None,
    **options: Unpack[BabyAIGoToLocalOptions],
) -> GymEnvPool:
    """BabyAI-GoToLocal-v0, BabyAI-GoToLocalS5N2-v0, BabyAI-GoToLocalS6N2-v0 and 10 more. Own options: env_name, room_size, num_dists, agent_view_size, see_through_walls, obs, obs_tile_size, image_only, mission, highlight, max_steps, action_prob, random_action, no_death, death_cost, seeds, tile_size, agent_pov."""

@overload
def make(
    task_id: BabyAIGoToLocalTask,
    env_type: Literal["dm"],
    *,
    num_envs: int = 1,
    gym_reset_return_info: Literal[True] | None = None,
    **options: Unpack[BabyAIGoToLocalOptions],
) -> DMEnvPool:
    """BabyAI-GoToLocal-v0, BabyAI-GoToLocalS5N2-v0, BabyAI-GoToLocalS6N2-v0 and 10 more. Own options: env_name, room_size, num_dists, agent_view_size, see_through_walls, obs, obs_tile_size, image_only, mission, highlight, max_steps, action_prob, random_action, no_death, death_cost, seeds, tile_size, agent_pov."""

@overload
def make(
    task_id: BabyAIGoToTask,
    env_type: Literal["gymnasium"] = "gymnasium",
    *,
    num_envs: int = 1,
    gym_reset_return_info: Literal[True] | None = None,
    **options: Unpack[BabyAIGoToOptions],
) -> GymnasiumEnvPool[dict[str, Array]]:
    """BabyAI-GoTo-v0, BabyAI-GoToOpen-v0, BabyAI-GoToObjMaze-v0 and 6 more. Own options: env_name, room_size, num_rows, num_cols, num_dists, doors_open, agent_view_size, see_through_walls, obs, obs_tile_size, image_only, mission, highlight, max_steps, action_prob, random_action, no_death, death_cost, seeds, tile_size, agent_pov."""

@overload
def make(
    task_id: BabyAIGoToTask,
    env_type: Literal["gym"],
    *,
    num_envs: int = 1,
    gym_reset_return_info: bool | None = None,
    **options: Unpack[BabyAIGoToOptions],
) -> GymEnvPool:
    """BabyAI-GoTo-v0, BabyAI-GoToOpen-v0, BabyAI-GoToObjMaze-v0 and 6 more. Own options: env_name, room_size, num_rows, num_cols, num_dists, doors_open, agent_view_size, see_through_walls, obs, obs_tile_size, image_only, mission, highlight, max_steps, action_prob, random_action, no_death, death_cost, seeds, tile_size, agent_pov."""

@overload
def make(
    task_id: BabyAIGoToTask,
    env_type: Literal["dm"],
    *,
    num_envs: int = 1,
    gym_reset_return_info: Literal[True] | None = None,
    **options: Unpack[BabyAIGoToOptions],
) -> DMEnvPool:
    """BabyAI-GoTo-v0, BabyAI-GoToOpen-v0, BabyAI-GoToObjMaze-v0 and 6 more. Own options: env_name, room_size, num_rows, num_cols, num_dists, doors_open, agent_view_size, see_through_walls, obs, obs_tile_size, image_only, mission, highlight, max_steps, action_prob, random_action, no_death, death_cost, seeds, tile_size, agent_pov."""

@overload
def make(
    task_id: BabyAIGoToImpUnlockTask,
    env_type: Literal["gymnasium"] = "gymnasium",
    *,
    num_envs: int = 1,
    gym_reset_return_info: Literal[True] | None = None,
    **options: Unpack[BabyAIGoToImpUnlockOptions],
) -> GymnasiumEnvPool[dict[str, Array]]:
    """BabyAI-GoToImpUnlock-v0. Own options: env_name, room_size, num_rows, num_cols, agent_view_size, see_through_walls, obs, obs_tile_size, image_only, mission, highlight, max_steps, action_prob, random_action, no_death, death_cost, seeds, tile_size, agent_pov."""

@overload
def make(
    task_id: BabyAIGoToImpUnlockTask,
    env_type: Literal["gym"],
    *,
    num_envs: int = 1,
    gym_reset_return_info: bool | None = None,
    **options: Unpack[BabyAIGoToImpUnlockOptions],
) -> GymEnvPool:
    """BabyAI-GoToImpUnlock-v0. Own options: env_name, room_size, num_rows, num_cols, agent_view_size, see_through_walls, obs, obs_tile_size, image_only, mission, highlight, max_steps, action_prob, random_action, no_death, death_cost, seeds, tile_size, agent_pov."""

@overload
def make(
    task_id: BabyAIGoToImpUnlockTask,
    env_type: Literal["dm"],
    *,
    num_envs: int = 1,
    gym_reset_return_info: Literal[True] | None = None,
    **options: Unpack[BabyAIGoToImpUnlockOptions],
) -> DMEnvPool:
    """BabyAI-GoToImpUnlock-v0. Own options: env_name, room_size, num_rows, num_cols, agent_view_size, see_through_walls, obs, obs_tile_size, image_only, mission, highlight, max_steps, action_prob, random_action, no_death, death_cost, seeds, tile_size, agent_pov."""

@overload
def make(
    task_id: BabyAIGoToRedBlueBallTask,
    env_type: Literal["gymnasium"] = "gymnasium",
    *,
    num_envs: int = 1,
    gym_reset_return_info: Literal[True] | None = None,
    **options: Unpack[BabyAIGoToRedBlueBallOptions],
) -> GymnasiumEnvPool[dict[str, Array]]:
    """BabyAI-GoToRedBlueBall-v0. Own options: env_name, room_size, num_dists, agent_view_size, see_through_walls, obs, obs_tile_size, image_only, mission, highlight, max_steps, action_prob, random_action, no_death, death_cost, seeds, tile_size, agent_pov."""

@overload
def make(
    task_id: BabyAIGoToRedBlueBallTask,
    env_type: Literal["gym"],
    *,
    num_envs: int = 1,
    gym_reset_return_info: bool | None = None,
    **options: Unpack[BabyAIGoToRedBlueBallOptions],
) -> GymEnvPool:
    """BabyAI-GoToRedBlueBall-v0. Own options: env_name, room_size, num_dists, agent_view_size, see_through_walls, obs, obs_tile_size, image_only, mission, highlight, max_steps, action_prob, random_action, no_death, death_cost, seeds, tile_size, agent_pov."""

@overload
def make(
    task_id: BabyAIGoToRedBlueBallTask,
    env_type: Literal["dm"],
    *,
    num_envs: int = 1,
    gym_reset_return_info: Literal[True] | None = None,
    **options: Unpack[BabyAIGoToRedBlueBallOptions],
) -> DMEnvPool:
    """BabyAI-GoToRedBlueBall-v0. Own options: env_name, room_size, num_dists, agent_view_size, see_through_walls, obs, obs_tile_size, image_only, mission, highlight, max_steps, action_prob, random_action, no_death, death_cost, seeds, tile_size, agent_pov."""

@overload
def make(
    task_id: BabyAIGoToDoorTask,
    env_type: Literal["gymnasium"] = "gymnasium",
    *,
    num_envs: int = 1,
    gym_reset_return_info: Literal[True] | None = None,
    **options: Unpack[BabyAIGoToDoorOptions],
) -> GymnasiumEnvPool[dict[str, Array]]:
    """BabyAI-GoToDoor-v0. Own options: env_name, agent_view_size, see_through_walls, obs, obs_tile_size, image_only, mission, highlight, max_steps, action_prob, random_action, no_death, death_cost, seeds, tile_size, agent_pov."""

@overload
def make(
    task_id: BabyAIGoToDoorTask,
    env_type: Literal["gym"],
    *,
    num_envs: int = 1,
    gym_reset_return_info: bool | None = None,
    **options: Unpack[BabyAIGoToDoorOptions],
) -> GymEnvPool:
    """BabyAI-GoToDoor-v0. Own options: env_name, agent_view_size, see_through_walls, obs, obs_tile_size, image_only, mission, highlight, max_steps, action_prob, random_action, no_death, death_cost, seeds, tile_size, agent_pov."""

@overload
def make(
    task_id: BabyAIGoToDoorTask,
    env_type: Literal["dm"],
    *,
    num_envs: int = 1,
    gym_reset_return_info: Literal[True] | None = None,
    **options: Unpack[BabyAIGoToDoorOptions],
) -> DMEnvPool:
    """BabyAI-GoToDoor-v0. Own options: env_name, agent_view_size, see_through_walls, obs, obs_tile_size, image_only, mission, highlight, max_steps, action_prob, random_action, no_death, death_cost, seeds, tile_size, agent_pov."""

@overload
def make(
    task_id: BabyAIGoToObjDoorTask,
    env_type: Literal["gymnasium"] = "gymnasium",
    *,
    num_envs: int = 1,
    gym_reset_return_info: Literal[True] | None = None,
    **options: Unpack[BabyAIGoToObjDoorOptions],
) -> GymnasiumEnvPool[dict[str, Array]]:
    """BabyAI-GoToObjDoor-v0. Own options: env_name, agent_view_size, see_through_walls, obs, obs_tile_size, image_only, mission, highlight, max_steps, action_prob, random_action, no_death, death_cost, seeds, tile_size, agent_pov."""

@overload
def make(
    task_id: BabyAIGoToObjDoorTask,
    env_type: Literal["gym"],
    *,
    num_envs: int = 1,
    gym_reset_return_info: bool | None = None,
    **options: Unpack[BabyAIGoToObjDoorOptions],
) -> GymEnvPool:
    """BabyAI-GoToObjDoor-v0. Own options: env_name, agent_view_size, see_through_walls, obs, obs_tile_size, image_only, mission, highlight, max_steps, action_prob, random_action, no_death, death_cost, seeds, tile_size, agent_pov."""

@overload
def make(
    task_id: BabyAIGoToObjDoorTask,
    env_type: Literal["dm"],
    *,
    num_envs: int = 1,
    gym_reset_return_info: Literal[True] | None = None,
    **options: Unpack[BabyAIGoToObjDoorOptions],
) -> DMEnvPool:
    """BabyAI-GoToObjDoor-v0. Own options: env_name, agent_view_size, see_through_walls, obs, obs_tile_size, image_only, mission, highlight, max_steps, action_prob, random_action, no_death, death_cost, seeds, tile_size, agent_pov."""

@overload
def make(
    task_id: BabyAIGoToRedBallNoDistsTask,
    env_type: Literal["gymnasium"] = "gymnasium",
    *,
    num_envs: int = 1,
    gym_reset_return_info: Literal[True] | None = None,
    **options: Unpack[BabyAIGoToRedBallNoDistsOptions],
) -> GymnasiumEnvPool[dict[str, Array]]:
    """BabyAI-GoToRedBallNoDists-v0. Own options: env_name, agent_view_size, see_through_walls, obs, obs_tile_size, image_only, mission, highlight, max_steps, action_prob, random_action, no_death, death_cost, seeds, tile_size, agent_pov."""

@overload
def make(
    task_id: BabyAIGoToRedBallNoDistsTask,
    env_type: Literal["gym"],
    *,
    num_envs: int = 1,
    gym_reset_return_info: bool | None = None,
    **options: Unpack[BabyAIGoToRedBallNoDistsOptions],
) -> GymEnvPool:
    """BabyAI-GoToRedBallNoDists-v0. Own options: env_name, agent_view_size, see_through_walls, obs, obs_tile_size, image_only, mission, highlight, max_steps, action_prob, random_action, no_death, death_cost, seeds, tile_size, agent_pov."""

@overload
def make(
    task_id: BabyAIGoToRedBallNoDistsTask,
    env_type: Literal["dm"],
    *,
    num_envs: int = 1,
    gym_reset_return_info: Literal[True] | None = None,
    **options: Unpack[BabyAIGoToRedBallNoDistsOptions],
) -> DMEnvPool:
    """BabyAI-GoToRedBallNoDists-v0. Own options: env_name, agent_view_size, see_through_walls, obs, obs_tile_size, image_only, mission, highlight, max_steps, action_prob, random_action, no_death, death_cost, seeds, tile_size, agent_pov."""

@overload
def make(
    task_id: BabyAIOpenTask,
    env_type: Literal["gymnasium"] = "gymnasium",
    *,
    num_envs: int = 1,
    gym_reset_return_info: Literal[True] | None = None,
    **options: Unpack[BabyAIOpenOptions],
) -> GymnasiumEnvPool[dict[str, Array]]:
    """BabyAI-Open-v0. Own options: env_name, room_size, num_rows, num_cols, agent_view_size, see_through_walls, obs, obs_tile_size, image_only, mission, highlight, max_steps, action_prob, random_action, no_death, death_cost, seeds, tile_size, agent_pov."""

@overload
def make(
    task_id: BabyAIOpenTask,
    env_type: Literal["gym"],
    *,
    num_envs: int = 1,
    gym_reset_return_info: bool | None = None,
    **options: Unpack[BabyAIOpenOptions],
) -> GymEnvPool:
    """BabyAI-Open-v0. Own options: env_name, room_size, num_rows, num_cols, agent_view_size, see_through_walls, obs, obs_tile_size, image_only, mission, highlight, max_steps, action_prob, random_action, no_death, death_cost, seeds, tile_size, agent_pov."""

@overload
def make(
    task_id: BabyAIOpenTask,
    env_type: Literal["dm"],
    *,
    num_envs: int = 1,
    gym_reset_return_info: Literal[True] | None = None,
    **options: Unpack[BabyAIOpenOptions],
) -> DMEnvPool:
    """BabyAI-Open-v0. Own options: env_name, room_size, num_rows, num_cols, agent_view_size, see_through_walls, obs, obs_tile_size, image_only, mission, highlight, max_steps, action_prob, random_action, no_death, death_cost, seeds, tile_size, agent_pov."""

@overload
def make(
    task_id: BabyAIOpenRedDoorTask,
    env_type: Literal["gymnasium"] = "gymnasium",
    *,
    num_envs: int = 1,
    gym_reset_return_info: Literal[True] | None = None,
    **options: Unpack[BabyAIOpenRedDoorOptions],
) -> GymnasiumEnvPool[dict[str, Array]]:
    """BabyAI-OpenRedDoor-v0. Own options: env_name, agent_view_size, see_through_walls, obs, obs_tile_size, image_only, mission, highlight, max_steps, action_prob, random_action, no_death, death_cost, seeds, tile_size, agent_pov."""

@overload
def make(
    task_id: BabyAIOpenRedDoorTask,
    env_type: Literal["gym"],
    *,
    num_envs: int = 1,
    gym_reset_return_info: bool | None = None,
    **options: Unpack[BabyAIOpenRedDoorOptions],
) -> GymEnvPool:
    """BabyAI-OpenRedDoor-v0. Own options: env_name, agent_view_size, see_through_walls, obs, obs_tile_size, image_only, mission, highlight, max_steps, action_prob, random_action, no_death, death_cost, seeds, tile_size, agent_pov."""

@overload
def make(
    task_id: BabyAIOpenRedDoorTask,
    env_type: Literal["dm"],
    *,
    num_envs: int = 1,
    gym_reset_return_info: Literal[True] | None = None,
    **options: Unpack[BabyAIOpenRedDoorOptions],
) -> DMEnvPool:
    """BabyAI-OpenRedDoor-v0. Own options: env_name, agent_view_size, see_through_walls, obs, obs_tile_size, image_only, mission, highlight, max_steps, action_prob, random_action, no_death, death_cost, seeds, tile_size, agent_pov."""

@overload
def make(
    task_id: BabyAIOpenDoorTask,
    env_type: Literal["gymnasium"] = "gymnasium",
    *,
    num_envs: int = 1,
    gym_reset_return_info: Literal[True] | None = None,
    **options: Unpack[BabyAIOpenDoorOptions],
) -> GymnasiumEnvPool[dict[str, Array]]:
    """BabyAI-OpenDoor-v0, BabyAI-OpenDoorDebug-v0, BabyAI-OpenDoorColor-v0 and 1 more. Own options: env_name, debug, select_by, agent_view_size, see_through_walls, obs, obs_tile_size, image_only, mission, highlight, max_steps, action_prob, random_action, no_death, death_cost, seeds, tile_size, agent_pov."""

@overload
def make(
    task_id: BabyAIOpenDoorTask,
    env_type: Literal["gym"],
    *,
    num_envs: int = 1,
    gym_reset_return_info: bool | None = None,
    **options: Unpack[BabyAIOpenDoorOptions],
) -> GymEnvPool:
    """BabyAI-OpenDoor-v0, BabyAI-OpenDoorDebug-v0, BabyAI-OpenDoorColor-v0 and 1 more. Own options: env_name, debug, select_by, agent_view_size, see_through_walls, obs, obs_tile_size, image_only, mission, highlight, max_steps, action_prob, random_action, no_death, death_cost, seeds, tile_size, agent_pov."""

@overload
def make(
    task_id: BabyAIOpenDoorTask,
    env_type: Literal["dm"],
    *,
    num_envs: int = 1,
    gym_reset_return_info: Literal[True] | None = None,
    **options: Unpack[BabyAIOpenDoorOptions],
) -> DMEnvPool:
    """BabyAI-OpenDoor-v0, BabyAI-OpenDoorDebug-v0, BabyAI-OpenDoorColor-v0 and 1 more. Own options: env_name, debug, select_by, agent_view_size, see_through_walls, obs, obs_tile_size, image_only, mission, highlight, max_steps, action_prob, random_action, no_death, death_cost, seeds, tile_size, agent_pov."""

@overload
def make(
    task_id: BabyAIOpenTwoDoorsTask,
    env_type: Literal["gymnasium"] = "gymnasium",
    *,
    num_envs: int = 1,
    gym_reset_return_info: Literal[True] | None = None,
    **options: Unpack[BabyAIOpenTwoDoorsOptions],
) -> GymnasiumEnvPool[dict[str, Array]]:
    """BabyAI-OpenTwoDoors-v0, BabyAI-OpenRedBlueDoors-v0, BabyAI-OpenRedBlueDoorsDebug-v0. Own options: env_name, first_color, second_color, strict, agent_view_size, see_through_walls, obs, obs_tile_size, image_only, mission, highlight, max_steps, action_prob, random_action, no_death, death_cost, seeds, tile_size, agent_pov."""

@overload
def make(
    task_id: BabyAIOpenTwoDoorsTask,
    env_type: Literal["gym"],
    *,
    num_envs: int = 1,
    gym_reset_return_info: bool | None = None,
    **options: Unpack[BabyAIOpenTwoDoorsOptions],
) -> GymEnvPool:
    """BabyAI-OpenTwoDoors-v0, BabyAI-OpenRedBlueDoors-v0, BabyAI-OpenRedBlueDoorsDebug-v0. Own options: env_name, first_color, second_color, strict, agent_view_size, see_through_walls, obs, obs_tile_size, image_only, mission, highlight, max_steps, action_prob, random_action, no_death, death_cost, seeds, tile_size, agent_pov."""

@overload
def make(
    task_id: BabyAIOpenTwoDoorsTask,
    env_type: Literal["dm"],
    *,
    num_envs: int = 1,
    gym_reset_return_info: Literal[True] | None = None,
    **options: Unpack[BabyAIOpenTwoDoorsOptions],
) -> DMEnvPool:
    """BabyAI-OpenTwoDoors-v0, BabyAI-OpenRedBlueDoors-v0, BabyAI-OpenRedBlueDoorsDebug-v0. Own options: env_name, first_color, second_color, strict, agent_view_size, see_through_walls, obs, obs_tile_size, image_only, mission, highlight, max_steps, action_prob, random_action, no_death, death_cost, seeds, tile_size, agent_pov."""

@overload
def make(
    task_id: BabyAIOpenDoorsOrderN2Task,
    env_type: Literal["gymnasium"] = "gymnasium",
    *,
    num_envs: int = 1,
    gym_reset_return_info: Literal[True] | None = None,
    **options: Unpack[BabyAIOpenDoorsOrderN2Options],
) -> GymnasiumEnvPool[dict[str, Array]]:
    """BabyAI-OpenDoorsOrderN2-v0, BabyAI-OpenDoorsOrderN4-v0, BabyAI-OpenDoorsOrderN2Debug-v0 and 1 more. Own options: env_name, num_doors, debug, agent_view_size, see_through_walls, obs, obs_tile_size, image_only, mission, highlight, max_steps, action_prob, random_action, no_death, death_cost, seeds, tile_size, agent_pov."""

@overload
def make(
    task_id: BabyAIOpenDoorsOrderN2Task,
    env_type: Literal["gym"],
    *,
    num_envs: int = 1,
    gym_reset_return_info: bool | None = None,
    **options: Unpack[BabyAIOpenDoorsOrderN2Options],
) -> GymEnvPool:
    """BabyAI-OpenDoorsOrderN2-v0, BabyAI-OpenDoorsOrderN4-v0, BabyAI-OpenDoorsOrderN2Debug-v0 and 1 more. Own options: env_name, num_doors, debug, agent_view_size, see_through_walls, obs, obs_tile_size, image_only, mission, highlight, max_steps, action_prob, random_action, no_death, death_cost, seeds, tile_size, agent_pov."""

@overload
def make(
    task_id: BabyAIOpenDoorsOrderN2Task,
    env_type: Literal["dm"],
    *,
    num_envs: int = 1,
    gym_reset_return_info: Literal[True] | None = None,
    **options: Unpack[BabyAIOpenDoorsOrderN2Options],
) -> DMEnvPool:
    """BabyAI-OpenDoorsOrderN2-v0, BabyAI-OpenDoorsOrderN4-v0, BabyAI-OpenDoorsOrderN2Debug-v0 and 1 more. Own options: env_name, num_doors, debug, agent_view_size, see_through_walls, obs, obs_tile_size, image_only, mission, highlight, max_steps, action_prob, random_action, no_death, death_cost, seeds, tile_size, agent_pov."""

@overload
def make(
    task_id: BabyAIPickupTask,
    env_type: Literal["gymnasium"] = "gymnasium",
    *,
    num_envs: int = 1,
    gym_reset_return_info: Literal[True] | None = None,
    **options: Unpack[BabyAIPickupOptions],
) -> GymnasiumEnvPool[dict[str, Array]]:
    """BabyAI-Pickup-v0. Own options: env_name, room_size, num_rows, num_cols, agent_view_size, see_through_walls, obs, obs_tile_size, image_only, mission, highlight, max_steps, action_prob, random_action, no_death, death_cost, seeds, tile_size, agent_pov."""

@overload
def make(
    task_id: BabyAIPickupTask,
    env_type: Literal["gym"],
    *,
    num_envs: int = 1,
    gym_reset_return_info: bool | None = None,
    **options: Unpack[BabyAIPickupOptions],
) -> GymEnvPool:
    """BabyAI-Pickup-v0. Own options: env_name, room_size, num_rows, num_cols, agent_view_size, see_through_walls, obs, obs_tile_size, image_only, mission, highlight, max_steps, action_prob, random_action, no_death, death_cost, seeds, tile_size, agent_pov."""

@overload
def make(
    task_id: BabyAIPickupTask,
    env_type: Literal["dm"],
    *,
    num_envs: int = 1,
    gym_reset_return_info: Literal[True] | None = None,
    **options: Unpack[BabyAIPickupOptions],
) -> DMEnvPool:
    """BabyAI-Pickup-v0. Own options: env_name, room_size, num_rows, num_cols, agent_view_size, see_through_walls, obs, obs_tile_size, image_only, mission, highlight, max_steps, action_prob, random_action, no_death, death_cost, seeds, tile_size, agent_pov."""

@overload
def make(
    task_id: BabyAIUnblockPickupTask,
    env_type: Literal["gymnasium"] = "gymnasium",
    *,
    num_envs: int = 1,
    gym_reset_return_info: Literal[True] | None = None,
    **options: Unpack[BabyAIUnblockPickupOptions],
) -> GymnasiumEnvPool[dict[str, Array]]:
    """BabyAI-UnblockPickup-v0. Own options: env_name, room_size, num_rows, num_cols, agent_view_size, see_through_walls, obs, obs_tile_size, image_only, mission, highlight, max_steps, action_prob, random_action, no_death, death_cost, seeds, tile_size, agent_pov."""

@overload
def make(
    task_id: BabyAIUnblockPickupTask,
    env_type: Literal["gym"],
    *,
    num_envs: int = 1,
    gym_reset_return_info: bool | None = None,
    **options: Unpack[BabyAIUnblockPickupOptions],
) -> GymEnvPool:
    """BabyAI-UnblockPickup-v0. Own options: env_name, room_size, num_rows, num_cols, agent_view_size, see_through_walls, obs, obs_tile_size, image_only, mission, highlight, max_steps, action_prob, random_action, no_death, death_cost, seeds, tile_size, agent_pov."""

@overload
def make(
    task_id: BabyAIUnblockPickupTask,
    env_type: Literal["dm"],
    *,
    num_envs: int = 1,
    gym_reset_return_info: Literal[True] | None = None,
    **options: Unpack[BabyAIUnblockPickupOptions],
) -> DMEnvPool:
    """BabyAI-UnblockPickup-v0. Own options: env_name, room_size, num_rows, num_cols, agent_view_size, see_through_walls, obs, obs_tile_size, image_only, mission, highlight, max_steps, action_prob, random_action, no_death, death_cost, seeds, tile_size, agent_pov."""

@overload
def make(
    task_id: BabyAIPickupDistTask,
    env_type: Literal["gymnasium"] = "gymnasium",
    *,
    num_envs: int = 1,
    gym_reset_return_info: Literal[True] | None = None,
    **options: Unpack[BabyAIPickupDistOptions],
) -> GymnasiumEnvPool[dict[str, Array]]:
    """BabyAI-PickupDist-v0, BabyAI-PickupDistDebug-v0. Own options: env_name, debug, agent_view_size, see_through_walls, obs, obs_tile_size, image_only, mission, highlight, max_steps, action_prob, random_action, no_death, death_cost, seeds, tile_size, agent_pov."""

@overload
def make(
    task_id: BabyAIPickupDistTask,
    env_type: Literal["gym"],
    *,
    num_envs: int = 1,
    gym_reset_return_info: bool | None = None,
    **options: Unpack[BabyAIPickupDistOptions],
) -> GymEnvPool:
    """BabyAI-PickupDist-v0, BabyAI-PickupDistDebug-v0. Own options: env_name, debug, agent_view_size, see_through_walls, obs, obs_tile_size, image_only, mission, highlight, max_steps, action_prob, random_action, no_death, death_cost, seeds, tile_size, agent_pov."""

@overload
def make(
    task_id: BabyAIPickupDistTask,
    env_type: Literal["dm"],
    *,
    num_envs: int = 1,
    gym_reset_return_info: Literal[True] | None = None,
    **options: Unpack[BabyAIPickupDistOptions],
) -> DMEnvPool:
    """BabyAI-PickupDist-v0, BabyAI-PickupDistDebug-v0. Own options: env_name, debug, agent_view_size, see_through_walls, obs, obs_tile_size, image_only, mission, highlight, max_steps, action_prob, random_action, no_death, death_cost, seeds, tile_size, agent_pov."""

@overload
def make(
    task_id: BabyAIPickupAboveTask,
    env_type: Literal["gymnasium"] = "gymnasium",
    *,
    num_envs: int = 1,
    gym_reset_return_info: Literal[True] | None = None,
    **options: Unpack[BabyAIPickupAboveOptions],
) -> GymnasiumEnvPool[dict[str, Array]]:
    """BabyAI-PickupAbove-v0. Own options: env_name, agent_view_size, see_through_walls, obs, obs_tile_size, image_only, mission, highlight, max_steps, action_prob, random_action, no_death, death_cost, seeds, tile_size, agent_pov."""

@overload
def make(
    task_id: BabyAIPickupAboveTask,
    env_type: Literal["gym"],
    *,
    num_envs: int = 1,
    gym_reset_return_info: bool | None = None,
    **options: Unpack[BabyAIPickupAboveOptions],
) -> GymEnvPool:
    """BabyAI-PickupAbove-v0. Own options: env_name, agent_view_size, see_through_walls, obs, obs_tile_size, image_only, mission, highlight, max_steps, action_prob, random_action, no_death, death_cost, seeds, tile_size, agent_pov."""

@overload
def make(
    task_id: BabyAIPickupAboveTask,
    env_type: Literal["dm"],
    *,
    num_envs: int = 1,
    gym_reset_return_info: Literal[True] | None = None,
    **options: Unpack[BabyAIPickupAboveOptions],
) -> DMEnvPool:
    """BabyAI-PickupAbove-v0. Own options: env_name, agent_view_size, see_through_walls, obs, obs_tile_size, image_only, mission, highlight, max_steps, action_prob, random_action, no_death, death_cost, seeds, tile_size, agent_pov."""

@overload
def make(
    task_id: BabyAIPutNextLocalTask,
    env_type: Literal["gymnasium"] = "gymnasium",
    *,
    num_envs: int = 1,
    gym_reset_return_info: Literal[True] | None = None,
    **options: Unpack[BabyAIPutNextLocalOptions],
) -> GymnasiumEnvPool[dict[str, Array]]:
    """BabyAI-PutNextLocal-v0, BabyAI-PutNextLocalS5N3-v0, BabyAI-PutNextLocalS6N4-v0. Own options: env_name, room_size, num_objs, agent_view_size, see_through_walls, obs, obs_tile_size, image_only, mission, highlight, max_steps, action_prob, random_action, no_death, death_cost, seeds, tile_size, agent_pov."""

@overload
def make(
    task_id: BabyAIPutNextLocalTask,
    env_type: Literal["gym"],
    *,
    num_envs: int = 1,
    gym_reset_return_info: bool | None = None,
    **options: Unpack[BabyAIPutNextLocalOptions],
) -> GymEnvPool:
    """BabyAI-PutNextLocal-v0, BabyAI-PutNextLocalS5N3-v0, BabyAI-PutNextLocalS6N4-v0. Own options: env_name, room_size, num_objs, agent_view_size, see_through_walls, obs, obs_tile_size, image_only, mission, highlight, max_steps, action_prob, random_action, no_death, death_cost, seeds, tile_size, agent_pov."""

@overload
def make(
    task_id: BabyAIPutNextLocalTask,
    env_type: Literal["dm"],
    *,
    num_envs: int = 1,
    gym_reset_return_info: Literal[True] | None = None,
    **options: Unpack[BabyAIPutNextLocalOptions],
) -> DMEnvPool:
    """BabyAI-PutNextLocal-v0, BabyAI-PutNextLocalS5N3-v0, BabyAI-PutNextLocalS6N4-v0. Own options: env_name, room_size, num_objs, agent_view_size, see_through_walls, obs, obs_tile_size, image_only, mission, highlight, max_steps, action_prob, random_action, no_death, death_cost, seeds, tile_size, agent_pov."""

@overload
def make(
    task_id: BabyAIPutNextS4N1Task,
    env_type: Literal["gymnasium"] = "gymnasium",
    *,
    num_envs: int = 1,
    gym_reset_return_info: Literal[True] | None = None,
    **options: Unpack[BabyAIPutNextS4N1Options],
) -> GymnasiumEnvPool[dict[str, Array]]:
    """BabyAI-PutNextS4N1-v0, BabyAI-PutNextS5N2-v0, BabyAI-PutNextS5N1-v0 and 5 more. Own options: env_name, room_size, objs_per_room, start_carrying, agent_view_size, see_through_walls, obs, obs_tile_size, image_only, mission, highlight, max_steps, action_prob, random_action, no_death, death_cost, seeds, tile_size, agent_pov."""

@overload
def make(
    task_id: BabyAIPutNextS4N1Task,
    env_type: Literal["gym"],
    *,
    num_envs: int = 1,
    gym_reset_return_info: bool | None = None,
    **options: Unpack[BabyAIPutNextS4N1Options],
) -> GymEnvPool:
    """BabyAI-PutNextS4N1-v0, BabyAI-PutNextS5N2-v0, BabyAI-PutNextS5N1-v0 and 5 more. Own options: env_name, room_size, objs_per_room, start_carrying, agent_view_size, see_through_walls, obs, obs_tile_size, image_only, mission, highlight, max_steps, action_prob, random_action, no_death, death_cost, seeds, tile_size, agent_pov."""

@overload
def make(
    task_id: BabyAIPutNextS4N1Task,
    env_type: Literal["dm"],
    *,
    num_envs: int = 1,
    gym_reset_return_info: Literal[True] | None = None,
    **options: Unpack[BabyAIPutNextS4N1Options],
) -> DMEnvPool:
    """BabyAI-PutNextS4N1-v0, BabyAI-PutNextS5N2-v0, BabyAI-PutNextS5N1-v0 and 5 more. Own options: env_name, room_size, objs_per_room, start_carrying, agent_view_size, see_through_walls, obs, obs_tile_size, image_only, mission, highlight, max_steps, action_prob, random_action, no_death, death_cost, seeds, tile_size, agent_pov."""

@overload
def make(
    task_id: BabyAIMoveTwoAcrossS5N2Task,
    env_type: Literal["gymnasium"] = "gymnasium",
    *,
    num_envs: int = 1,
    gym_reset_return_info: Literal[True] | None = None,
    **options: Unpack[BabyAIMoveTwoAcrossS5N2Options],
) -> GymnasiumEnvPool[dict[str, Array]]:
    """BabyAI-MoveTwoAcrossS5N2-v0, BabyAI-MoveTwoAcrossS8N9-v0. Own options: env_name, room_size, objs_per_room, agent_view_size, see_through_walls, obs, obs_tile_size, image_only, mission, highlight, max_steps, action_prob, random_action, no_death, death_cost, seeds, tile_size, agent_pov."""

@overload
def make(
    task_id: BabyAIMoveTwoAcrossS5N2Task,
    env_type: Literal["gym"],
    *,
    num_envs: int = 1,
    gym_reset_return_info: bool | None = None,
    **options: Unpack[BabyAIMoveTwoAcrossS5N2Options],
) -> GymEnvPool:
    """BabyAI-MoveTwoAcrossS5N2-v0, BabyAI-MoveTwoAcrossS8N9-v0. Own options: env_name, room_size, objs_per_room, agent_view_size, see_through_walls, obs, obs_tile_size, image_only, mission, highlight, max_steps, action_prob, random_action, no_death, death_cost, seeds, tile_size, agent_pov."""

@overload
def make(
    task_id: BabyAIMoveTwoAcrossS5N2Task,
    env_type: Literal["dm"],
    *,
    num_envs: int = 1,
    gym_reset_return_info: Literal[True] | None = None,
    **options: Unpack[BabyAIMoveTwoAcrossS5N2Options],
) -> DMEnvPool:
    """BabyAI-MoveTwoAcrossS5N2-v0, BabyAI-MoveTwoAcrossS8N9-v0. Own options: env_name, room_size, objs_per_room, agent_view_size, see_through_walls, obs, obs_tile_size, image_only, mission, highlight, max_steps, action_prob, random_action, no_death, death_cost, seeds, tile_size, agent_pov."""

@overload
def make(
    task_id: BabyAIUnlockTask,
    env_type: Literal["gymnasium"] = "gymnasium",
    *,
    num_envs: int = 1,
    gym_reset_return_info: Literal[True] | None = None,
    **options: Unpack[BabyAIUnlockOptions],
) -> GymnasiumEnvPool[dict[str, Array]]:
    """BabyAI-Unlock-v0. Own options: env_name, room_size, num_rows, num_cols, agent_view_size, see_through_walls, obs, obs_tile_size, image_only, mission, highlight, max_steps, action_prob, random_action, no_death, death_cost, seeds, tile_size, agent_pov."""

@overload
def make(
    task_id: BabyAIUnlockTask,
    env_type: Literal["gym"],
    *,
    num_envs: int = 1,
    gym_reset_return_info: bool | None = None,
    **options: Unpack[BabyAIUnlockOptions],
) -> GymEnvPool:
    """BabyAI-Unlock-v0. Own options: env_name, room_size, num_rows, num_cols, agent_view_size, see_through_walls, obs, obs_tile_size, image_only, mission, highlight, max_steps, action_prob, random_action, no_death, death_cost, seeds, tile_size, agent_pov."""

@overload
def make(
    task_id: BabyAIUnlockTask,
    env_type: Literal["dm"],
    *,
    num_envs: int = 1,
    gym_reset_return_info: Literal[True] | None = None,
    **options: Unpack[BabyAIUnlockOptions],
) -> DMEnvPool:
    """BabyAI-Unlock-v0. Own options: env_name, room_size, num_rows, num_cols, agent_view_size, see_through_walls, obs, obs_tile_size, image_only, mission, highlight, max_steps, action_prob, random_action, no_death, death_cost, seeds, tile_size, agent_pov."""

@overload
def make(
    task_id: BabyAIUnlockLocalTask,
    env_type: Literal["gymnasium"] = "gymnasium",
    *,
    num_envs: int = 1,
    gym_reset_return_info: Literal[True] | None = None,
    **options: Unpack[BabyAIUnlockLocalOptions],
) -> GymnasiumEnvPool[dict[str, Array]]:
    """BabyAI-UnlockLocal-v0, BabyAI-UnlockLocalDist-v0. Own options: env_name, distractors, agent_view_size, see_through_walls, obs, obs_tile_size, image_only, mission, highlight, max_steps, action_prob, random_action, no_death, death_cost, seeds, tile_size, agent_pov."""

@overload
def make(
    task_id: BabyAIUnlockLocalTask,
    env_type: Literal["gym"],
    *,
    num_envs: int = 1,
    gym_reset_return_info: bool | None = None,
    **options: Unpack[BabyAIUnlockLocalOptions],
) -> GymEnvPool:
    """BabyAI-UnlockLocal-v0, BabyAI-UnlockLocalDist-v0. Own options: env_name, distractors, agent_view_size, see_through_walls, obs, obs_tile_size, image_only, mission, highlight, max_steps, action_prob, random_action, no_death, death_cost, seeds, tile_size, agent_pov."""

@overload
def make(
    task_id: BabyAIUnlockLocalTask,
    env_type: Literal["dm"],
    *,
    num_envs: int = 1,
    gym_reset_return_info: Literal[True] | None = None,
    **options: Unpack[BabyAIUnlockLocalOptions],
) -> DMEnvPool:
    """BabyAI-UnlockLocal-v0, BabyAI-UnlockLocalDist-v0. Own options: env_name, distractors, agent_view_size, see_through_walls, obs, obs_tile_size, image_only, mission, highlight, max_steps, action_prob, random_action, no_death, death_cost, seeds, tile_size, agent_pov."""

@overload
def make(
    task_id: BabyAIKeyInBoxTask,
    env_type: Literal["gymnasium"] = "gymnasium",
    *,
    num_envs: int = 1,
    gym_reset_return_info: Literal[True] | None = None,
    **options: Unpack[BabyAIKeyInBoxOptions],
) -> GymnasiumEnvPool[dict[str, Array]]:
    """BabyAI-KeyInBox-v0. Own options: env_name, agent_view_size, see_through_walls, obs, obs_tile_size, image_only, mission, highlight, max_steps, action_prob, random_action, no_death, death_cost, seeds, tile_size, agent_pov."""

@overload
def make(
    task_id: BabyAIKeyInBoxTask,
    env_type: Literal["gym"],
    *,
    num_envs: int = 1,
    gym_reset_return_info: bool | None = None,
    **options: Unpack[BabyAIKeyInBoxOptions],
) -> GymEnvPool:
    """BabyAI-KeyInBox-v0. Own options: env_name, agent_view_size, see_through_walls, obs, obs_tile_size, image_only, mission, highlight, max_steps, action_prob, random_action, no_death, death_cost, seeds, tile_size, agent_pov."""

@overload
def make(
    task_id: BabyAIKeyInBoxTask,
    env_type: Literal["dm"],
    *,
    num_envs: int = 1,
    gym_reset_return_info: Literal[True] | None = None,
    **options: Unpack[BabyAIKeyInBoxOptions],
) -> DMEnvPool:
    """BabyAI-KeyInBox-v0. Own options: env_name, agent_view_size, see_through_walls, obs, obs_tile_size, image_only, mission, highlight, max_steps, action_prob, random_action, no_death, death_cost, seeds, tile_size, agent_pov."""

@overload
def make(
    task_id: BabyAIUnlockPickupTask,
    env_type: Literal["gymnasium"] = "gymnasium",
    *,
    num_envs: int = 1,
    gym_reset_return_info: Literal[True] | None = None,
    **options: Unpack[BabyAIUnlockPickupOptions],
) -> GymnasiumEnvPool[dict[str, Array]]:
    """BabyAI-UnlockPickup-v0, BabyAI-UnlockPickupDist-v0. Own options: env_name, distractors, agent_view_size, see_through_walls, obs, obs_tile_size, image_only, mission, highlight, max_steps, action_prob, random_action, no_death, death_cost, seeds, tile_size, agent_pov."""

@overload
def make(
    task_id: BabyAIUnlockPickupTask,
    env_type: Literal["gym"],
    *,
    num_envs: int = 1,
    gym_reset_return_info: bool | None = None,
    **options: Unpack[BabyAIUnlockPickupOptions],
) -> GymEnvPool:
    """BabyAI-UnlockPickup-v0, BabyAI-UnlockPickupDist-v0. Own options: env_name, distractors, agent_view_size, see_through_walls, obs, obs_tile_size, image_only, mission, highlight, max_steps, action_prob, random_action, no_death, death_cost, seeds, tile_size, agent_pov."""

@overload
def make(
    task_id: BabyAIUnlockPickupTask,
    env_type: Literal["dm"],
    *,
    num_envs: int = 1,
    gym_reset_return_info: Literal[True] | None = None,
    **options: Unpack[BabyAIUnlockPickupOptions],
) -> DMEnvPool:
    """BabyAI-UnlockPickup-v0, BabyAI-UnlockPickupDist-v0. Own options: env_name, distractors, agent_view_size, see_through_walls, obs, obs_tile_size, image_only, mission, highlight, max_steps, action_prob, random_action, no_death, death_cost, seeds, tile_size, agent_pov."""

@overload
def make(
    task_id: BabyAIBlockedUnlockPickupTask,
    env_type: Literal["gymnasium"] = "gymnasium",
    *,
    num_envs: int = 1,
    gym_reset_return_info: Literal[True] | None = None,
    **options: Unpack[BabyAIBlockedUnlockPickupOptions],
) -> GymnasiumEnvPool[dict[str, Array]]:
    """BabyAI-BlockedUnlockPickup-v0. Own options: env_name, agent_view_size, see_through_walls, obs, obs_tile_size, image_only, mission, highlight, max_steps, action_prob, random_action, no_death, death_cost, seeds, tile_size, agent_pov."""

@overload
def make(
    task_id: BabyAIBlockedUnlockPickupTask,
    env_type: Literal["gym"],
    *,
    num_envs: int = 1,
    gym_reset_return_info: bool | None = None,
    **options: Unpack[BabyAIBlockedUnlockPickupOptions],
) -> GymEnvPool:
    """BabyAI-BlockedUnlockPickup-v0. Own options: env_name, agent_view_size, see_through_walls, obs, obs_tile_size, image_only, mission, highlight, max_steps, action_prob, random_action, no_death, death_cost, seeds, tile_size, agent_pov."""

@overload
def make(
    task_id: BabyAIBlockedUnlockPickupTask,
    env_type: Literal["dm"],
    *,
    num_envs: int = 1,
    gym_reset_return_info: Literal[True] | None = None,
    **options: Unpack[BabyAIBlockedUnlockPickupOptions],
) -> DMEnvPool:
    """BabyAI-BlockedUnlockPickup-v0. Own options: env_name, agent_view_size, see_through_walls, obs, obs_tile_size, image_only, mission, highlight, max_steps, action_prob, random_action, no_death, death_cost, seeds, tile_size, agent_pov."""

@overload
def make(
    task_id: BabyAIUnlockToUnlockTask,
    env_type: Literal["gymnasium"] = "gymnasium",
    *,
    num_envs: int = 1,
    gym_reset_return_info: Literal[True] | None = None,
    **options: Unpack[BabyAIUnlockToUnlockOptions],
) -> GymnasiumEnvPool[dict[str, Array]]:
    """BabyAI-UnlockToUnlock-v0. Own options: env_name, agent_view_size, see_through_walls, obs, obs_tile_size, image_only, mission, highlight, max_steps, action_prob, random_action, no_death, death_cost, seeds, tile_size, agent_pov."""

@overload
def make(
    task_id: BabyAIUnlockToUnlockTask,
    env_type: Literal["gym"],
    *,
    num_envs: int = 1,
    gym_reset_return_info: bool | None = None,
    **options: Unpack[BabyAIUnlockToUnlockOptions],
) -> GymEnvPool:
    """BabyAI-UnlockToUnlock-v0. Own options: env_name, agent_view_size, see_through_walls, obs, obs_tile_size, image_only, mission, highlight, max_steps, action_prob, random_action, no_death, death_cost, seeds, tile_size, agent_pov."""

@overload
def make(
    task_id: BabyAIUnlockToUnlockTask,
    env_type: Literal["dm"],
    *,
    num_envs: int = 1,
    gym_reset_return_info: Literal[True] | None = None,
    **options: Unpack[BabyAIUnlockToUnlockOptions],
) -> DMEnvPool:
    """BabyAI-UnlockToUnlock-v0. Own options: env_name, agent_view_size, see_through_walls, obs, obs_tile_size, image_only, mission, highlight, max_steps, action_prob, random_action, no_death, death_cost, seeds, tile_size, agent_pov."""

@overload
def make(
    task_id: BabyAIActionObjDoorTask,
    env_type: Literal["gymnasium"] = "gymnasium",
    *,
    num_envs: int = 1,
    gym_reset_return_info: Literal[True] | None = None,
    **options: Unpack[BabyAIActionObjDoorOptions],
) -> GymnasiumEnvPool[dict[str, Array]]:
    """BabyAI-ActionObjDoor-v0. Own options: env_name, agent_view_size, see_through_walls, obs, obs_tile_size, image_only, mission, highlight, max_steps, action_prob, random_action, no_death, death_cost, seeds, tile_size, agent_pov."""

@overload
def make(
    task_id: BabyAIActionObjDoorTask,
    env_type: Literal["gym"],
    *,
    num_envs: int = 1,
    gym_reset_return_info: bool | None = None,
    **options: Unpack[BabyAIActionObjDoorOptions],
) -> GymEnvPool:
    """BabyAI-ActionObjDoor-v0. Own options: env_name, agent_view_size, see_through_walls, obs, obs_tile_size, image_only, mission, highlight, max_steps, action_prob, random_action, no_death, death_cost, seeds, tile_size, agent_pov."""

@overload
def make(
    task_id: BabyAIActionObjDoorTask,
    env_type: Literal["dm"],
    *,
    num_envs: int = 1,
    gym_reset_return_info: Literal[True] | None = None,
    **options: Unpack[BabyAIActionObjDoorOptions],
) -> DMEnvPool:
    """BabyAI-ActionObjDoor-v0. Own options: env_name, agent_view_size, see_through_walls, obs, obs_tile_size, image_only, mission, highlight, max_steps, action_prob, random_action, no_death, death_cost, seeds, tile_size, agent_pov."""

@overload
def make(
    task_id: BabyAIFindObjS5Task,
    env_type: Literal["gymnasium"] = "gymnasium",
    *,
    num_envs: int = 1,
    gym_reset_return_info: Literal[True] | None = None,
    **options: Unpack[BabyAIFindObjS5Options],
) -> GymnasiumEnvPool[dict[str, Array]]:
    """BabyAI-FindObjS5-v0, BabyAI-FindObjS6-v0, BabyAI-FindObjS7-v0. Own options: env_name, room_size, agent_view_size, see_through_walls, obs, obs_tile_size, image_only, mission, highlight, max_steps, action_prob, random_action, no_death, death_cost, seeds, tile_size, agent_pov."""

@overload
def make(
    task_id: BabyAIFindObjS5Task,
    env_type: Literal["gym"],
    *,
    num_envs: int = 1,
    gym_reset_return_info: bool | None = None,
    **options: Unpack[BabyAIFindObjS5Options],
) -> GymEnvPool:
    """BabyAI-FindObjS5-v0, BabyAI-FindObjS6-v0, BabyAI-FindObjS7-v0. Own options: env_name, room_size, agent_view_size, see_through_walls, obs, obs_tile_size, image_only, mission, highlight, max_steps, action_prob, random_action, no_death, death_cost, seeds, tile_size, agent_pov."""

@overload
def make(
    task_id: BabyAIFindObjS5Task,
    env_type: Literal["dm"],
    *,
    num_envs: int = 1,
    gym_reset_return_info: Literal[True] | None = None,
    **options: Unpack[BabyAIFindObjS5Options],
) -> DMEnvPool:
    """BabyAI-FindObjS5-v0, BabyAI-FindObjS6-v0, BabyAI-FindObjS7-v0. Own options: env_name, room_size, agent_view_size, see_through_walls, obs, obs_tile_size, image_only, mission, highlight, max_steps, action_prob, random_action, no_death, death_cost, seeds, tile_size, agent_pov."""

@overload
def make(
    task_id: BabyAIKeyCorridorTask,
    env_type: Literal["gymnasium"] = "gymnasium",
    *,
    num_envs: int = 1,
    gym_reset_return_info: Literal[True] | None = None,
    **options: Unpack[BabyAIKeyCorridorOptions],
) -> GymnasiumEnvPool[dict[str, Array]]:
    """BabyAI-KeyCorridor-v0, BabyAI-KeyCorridorS3R1-v0, BabyAI-KeyCorridorS3R2-v0 and 4 more. Own options: env_name, room_size, num_rows, obj_type, agent_view_size, see_through_walls, obs, obs_tile_size, image_only, mission, highlight, max_steps, action_prob, random_action, no_death, death_cost, seeds, tile_size, agent_pov."""

@overload
def make(
    task_id: BabyAIKeyCorridorTask,
    env_type: Literal["gym"],
    *,
    num_envs: int = 1,
    gym_reset_return_info: bool | None = None,
    **options: Unpack[BabyAIKeyCorridorOptions],
) -> GymEnvPool:
    """BabyAI-KeyCorridor-v0, BabyAI-KeyCorridorS3R1-v0, BabyAI-KeyCorridorS3R2-v0 and 4 more. Own options: env_name, room_size, num_rows, obj_type, agent_view_size, see_through_walls, obs, obs_tile_size, image_only, mission, highlight, max_steps, action_prob, random_action, no_death, death_cost, seeds, tile_size, agent_pov."""

@overload
def make(
    task_id: BabyAIKeyCorridorTask,
    env_type: Literal["dm"],
    *,
    num_envs: int = 1,
    gym_reset_return_info: Literal[True] | None = None,
    **options: Unpack[BabyAIKeyCorridorOptions],
) -> DMEnvPool:
    """BabyAI-KeyCorridor-v0, BabyAI-KeyCorridorS3R1-v0, BabyAI-KeyCorridorS3R2-v0 and 4 more. Own options: env_name, room_size, num_rows, obj_type, agent_view_size, see_through_walls, obs, obs_tile_size, image_only, mission, highlight, max_steps, action_prob, random_action, no_death, death_cost, seeds, tile_size, agent_pov."""

@overload
def make(
    task_id: BabyAIOneRoomS8Task,
    env_type: Literal["gymnasium"] = "gymnasium",
    *,
    num_envs: int = 1,
    gym_reset_return_info: Literal[True] | None = None,
    **options: Unpack[BabyAIOneRoomS8Options],
) -> GymnasiumEnvPool[dict[str, Array]]:
    """BabyAI-OneRoomS8-v0, BabyAI-OneRoomS12-v0, BabyAI-OneRoomS16-v0 and 1 more. Own options: env_name, room_size, agent_view_size, see_through_walls, obs, obs_tile_size, image_only, mission, highlight, max_steps, action_prob, random_action, no_death, death_cost, seeds, tile_size, agent_pov."""

@overload
def make(
    task_id: BabyAIOneRoomS8Task,
    env_type: Literal["gym"],
    *,
    num_envs: int = 1,
    gym_reset_return_info: bool | None = None,
    **options: Unpack[BabyAIOneRoomS8Options],
) -> GymEnvPool:
    """BabyAI-OneRoomS8-v0, BabyAI-OneRoomS12-v0, BabyAI-OneRoomS16-v0 and 1 more. Own options: env_name, room_size, agent_view_size, see_through_walls, obs, obs_tile_size, image_only, mission, highlight, max_steps, action_prob, random_action, no_death, death_cost, seeds, tile_size, agent_pov."""

@overload
def make(
    task_id: BabyAIOneRoomS8Task,
    env_type: Literal["dm"],
    *,
    num_envs: int = 1,
    gym_reset_return_info: Literal[True] | None = None,
    **options: Unpack[BabyAIOneRoomS8Options],
) -> DMEnvPool:
    """BabyAI-OneRoomS8-v0, BabyAI-OneRoomS12-v0, BabyAI-OneRoomS16-v0 and 1 more. Own options: env_name, room_size, agent_view_size, see_through_walls, obs, obs_tile_size, image_only, mission, highlight, max_steps, action_prob, random_action, no_death, death_cost, seeds, tile_size, agent_pov."""

@overload
def make(
    task_id: BabyAIGoToSeqTask,
    env_type: Literal["gymnasium"] = "gymnasium",
    *,
    num_envs: int = 1,
    gym_reset_return_info: Literal[True] | None = None,
    **options: Unpack[BabyAIGoToSeqOptions],
) -> GymnasiumEnvPool[dict[str, Array]]:
    """BabyAI-GoToSeq-v0, BabyAI-GoToSeqS5R2-v0. Own options: env_name, room_size, num_rows, num_cols, num_dists, locked_room_prob, locations, unblocking, implicit_unlock, action_kinds, instr_kinds, agent_view_size, see_through_walls, obs, obs_tile_size, image_only, mission, highlight, max_steps, action_prob, random_action, no_death, death_cost, seeds, tile_size, agent_pov."""

@overload
def make(
    task_id: BabyAIGoToSeqTask,
    env_type: Literal["gym"],
    *,
    num_envs: int = 1,
    gym_reset_return_info: bool | None = None,
    **options: Unpack[BabyAIGoToSeqOptions],
) -> GymEnvPool:
    """BabyAI-GoToSeq-v0, BabyAI-GoToSeqS5R2-v0. Own options: env_name, room_size, num_rows, num_cols, num_dists, locked_room_prob, locations, unblocking, implicit_unlock, action_kinds, instr_kinds, agent_view_size, see_through_walls, obs, obs_tile_size, image_only, mission, highlight, max_steps, action_prob, random_action, no_death, death_cost, seeds, tile_size, agent_pov."""

@overload
def make(
    task_id: BabyAIGoToSeqTask,
    env_type: Literal["dm"],
    *,
    num_envs: int = 1,
    gym_reset_return_info: Literal[True] | None = None,
    **options: Unpack[BabyAIGoToSeqOptions],
) -> DMEnvPool:
    """BabyAI-GoToSeq-v0, BabyAI-GoToSeqS5R2-v0. Own options: env_name, room_size, num_rows, num_cols, num_dists, locked_room_prob, locations, unblocking, implicit_unlock, action_kinds, instr_kinds, agent_view_size, see_through_walls, obs, obs_tile_size, image_only, mission, highlight, max_steps, action_prob, random_action, no_death, death_cost, seeds, tile_size, agent_pov."""

@overload
def make(
    task_id: BabyAISynthTask,
    env_type: Literal["gymnasium"] = "gymnasium",
    *,
    num_envs: int = 1,
    gym_reset_return_info: Literal[True] | None = None,
    **options: Unpack[BabyAISynthOptions],
) -> GymnasiumEnvPool[dict[str, Array]]:
    """BabyAI-Synth-v0, BabyAI-SynthS5R2-v0. Own options: env_name, room_size, num_rows, num_cols, num_dists, locked_room_prob, locations, unblocking, implicit_unlock, action_kinds, instr_kinds, agent_view_size, see_through_walls, obs, obs_tile_size, image_only, mission, highlight, max_steps, action_prob, random_action, no_death, death_cost, seeds, tile_size, agent_pov."""

@overload
def make(
    task_id: BabyAISynthTask,
    env_type: Literal["gym"],
    *,
    num_envs: int = 1,
    gym_reset_return_info: bool | None = None,
    **options: Unpack[BabyAISynthOptions],
) -> GymEnvPool:
    """BabyAI-Synth-v0, BabyAI-SynthS5R2-v0. Own options: env_name, room_size, num_rows, num_cols, num_dists, locked_room_prob, locations, unblocking, implicit_unlock, action_kinds, instr_kinds, agent_view_size, see_through_walls, obs, obs_tile_size, image_only, mission, highlight, max_steps, action_prob, random_action, no_death, death_cost, seeds, tile_size, agent_pov."""

@overload
def make(
    task_id: BabyAISynthTask,
    env_type: Literal["dm"],
    *,
    num_envs: int = 1,
    gym_reset_return_info: Literal[True] | None = None,
    **options: Unpack[BabyAISynthOptions],
) -> DMEnvPool:
    """BabyAI-Synth-v0, BabyAI-SynthS5R2-v0. Own options: env_name, room_size, num_rows, num_cols, num_dists, locked_room_prob, locations, unblocking, implicit_unlock, action_kinds, instr_kinds, agent_view_size, see_through_walls, obs, obs_tile_size, image_only, mission, highlight, max_steps, action_prob, random_action, no_death, death_cost, seeds, tile_size, agent_pov."""

@overload
def make(
    task_id: BabyAISynthLocTask,
    env_type: Literal["gymnasium"] = "gymnasium",
    *,
    num_envs: int = 1,
    gym_reset_return_info: Literal[True] | None = None,
    **options: Unpack[BabyAISynthLocOptions],
) -> GymnasiumEnvPool[dict[str, Array]]:
    """BabyAI-SynthLoc-v0. Own options: env_name, room_size, num_rows, num_cols, num_dists, locked_room_prob, locations, unblocking, implicit_unlock, action_kinds, instr_kinds, agent_view_size, see_through_walls, obs, obs_tile_size, image_only, mission, highlight, max_steps, action_prob, random_action, no_death, death_cost, seeds, tile_size, agent_pov."""

@overload
def make(
    task_id: BabyAISynthLocTask,
    env_type: Literal["gym"],
    *,
    num_envs: int = 1,
    gym_reset_return_info: bool | None = None,
    **options: Unpack[BabyAISynthLocOptions],
) -> GymEnvPool:
    """BabyAI-SynthLoc-v0. Own options: env_name, room_size, num_rows, num_cols, num_dists, locked_room_prob, locations, unblocking, implicit_unlock, action_kinds, instr_kinds, agent_view_size, see_through_walls, obs, obs_tile_size, image_only, mission, highlight, max_steps, action_prob, random_action, no_death, death_cost, seeds, tile_size, agent_pov."""

@overload
def make(
    task_id: BabyAISynthLocTask,
    env_type: Literal["dm"],
    *,
    num_envs: int = 1,
    gym_reset_return_info: Literal[True] | None = None,
    **options: Unpack[BabyAISynthLocOptions],
) -> DMEnvPool:
    """BabyAI-SynthLoc-v0. Own options: env_name, room_size, num_rows, num_cols, num_dists, locked_room_prob, locations, unblocking, implicit_unlock, action_kinds, instr_kinds, agent_view_size, see_through_walls, obs, obs_tile_size, image_only, mission, highlight, max_steps, action_prob, random_action, no_death, death_cost, seeds, tile_size, agent_pov."""

@overload
def make(
    task_id: BabyAISynthSeqTask,
    env_type: Literal["gymnasium"] = "gymnasium",
    *,
    num_envs: int = 1,
    gym_reset_return_info: Literal[True] | None = None,
    **options: Unpack[BabyAISynthSeqOptions],
) -> GymnasiumEnvPool[dict[str, Array]]:
    """BabyAI-SynthSeq-v0. Own options: env_name, room_size, num_rows, num_cols, num_dists, locked_room_prob, locations, unblocking, implicit_unlock, action_kinds, instr_kinds, agent_view_size, see_through_walls, obs, obs_tile_size, image_only, mission, highlight, max_steps, action_prob, random_action, no_death, death_cost, seeds, tile_size, agent_pov."""

@overload
def make(
    task_id: BabyAISynthSeqTask,
    env_type: Literal["gym"],
    *,
    num_envs: int = 1,
    gym_reset_return_info: bool | None = None,
    **options: Unpack[BabyAISynthSeqOptions],
) -> GymEnvPool:
    """BabyAI-SynthSeq-v0. Own options: env_name, room_size, num_rows, num_cols, num_dists, locked_room_prob, locations, unblocking, implicit_unlock, action_kinds, instr_kinds, agent_view_size, see_through_walls, obs, obs_tile_size, image_only, mission, highlight, max_steps, action_prob, random_action, no_death, death_cost, seeds, tile_size, agent_pov."""

@overload
def make(
    task_id: BabyAISynthSeqTask,
    env_type: Literal["dm"],
    *,
    num_envs: int = 1,
    gym_reset_return_info: Literal[True] | None = None,
    **options: Unpack[BabyAISynthSeqOptions],
) -> DMEnvPool:
    """BabyAI-SynthSeq-v0. Own options: env_name, room_size, num_rows, num_cols, num_dists, locked_room_prob, locations, unblocking, implicit_unlock, action_kinds, instr_kinds, agent_view_size, see_through_walls, obs, obs_tile_size, image_only, mission, highlight, max_steps, action_prob, random_action, no_death, death_cost, seeds, tile_size, agent_pov."""

@overload
def make(
    task_id: BabyAIPickupLocTask,
    env_type: Literal["gymnasium"] = "gymnasium",
    *,
    num_envs: int = 1,
    gym_reset_return_info: Literal[True] | None = None,
    **options: Unpack[BabyAIPickupLocOptions],
) -> GymnasiumEnvPool[dict[str, Array]]:
    """BabyAI-PickupLoc-v0. Own options: env_name, room_size, num_rows, num_cols, num_dists, locked_room_prob, locations, unblocking, implicit_unlock, action_kinds, instr_kinds, agent_view_size, see_through_walls, obs, obs_tile_size, image_only, mission, highlight, max_steps, action_prob, random_action, no_death, death_cost, seeds, tile_size, agent_pov."""

@overload
def make(
    task_id: BabyAIPickupLocTask,
    env_type: Literal["gym"],
    *,
    num_envs: int = 1,
    gym_reset_return_info: bool | None = None,
    **options: Unpack[BabyAIPickupLocOptions],
) -> GymEnvPool:
    """BabyAI-PickupLoc-v0. Own options: env_name, room_size, num_rows, num_cols, num_dists, locked_room_prob, locations, unblocking, implicit_unlock, action_kinds, instr_kinds, agent_view_size, see_through_walls, obs, obs_tile_size, image_only, mission, highlight, max_steps, action_prob, random_action, no_death, death_cost, seeds, tile_size, agent_pov."""

@overload
def make(
    task_id: BabyAIPickupLocTask,
    env_type: Literal["dm"],
    *,
    num_envs: int = 1,
    gym_reset_return_info: Literal[True] | None = None,
    **options: Unpack[BabyAIPickupLocOptions],
) -> DMEnvPool:
    """BabyAI-PickupLoc-v0. Own options: env_name, room_size, num_rows, num_cols, num_dists, locked_room_prob, locations, unblocking, implicit_unlock, action_kinds, instr_kinds, agent_view_size, see_through_walls, obs, obs_tile_size, image_only, mission, highlight, max_steps, action_prob, random_action, no_death, death_cost, seeds, tile_size, agent_pov."""

@overload
def make(
    task_id: BabyAIMiniBossLevelTask,
    env_type: Literal["gymnasium"] = "gymnasium",
    *,
    num_envs: int = 1,
    gym_reset_return_info: Literal[True] | None = None,
    **options: Unpack[BabyAIMiniBossLevelOptions],
) -> GymnasiumEnvPool[dict[str, Array]]:
    """BabyAI-MiniBossLevel-v0. Own options: env_name, room_size, num_rows, num_cols, num_dists, locked_room_prob, locations, unblocking, implicit_unlock, action_kinds, instr_kinds, agent_view_size, see_through_walls, obs, obs_tile_size, image_only, mission, highlight, max_steps, action_prob, random_action, no_death, death_cost, seeds, tile_size, agent_pov."""

@overload
def make(
    task_id: BabyAIMiniBossLevelTask,
    env_type: Literal["gym"],
    *,
    num_envs: int = 1,
    gym_reset_return_info: bool | None = None,
    **options: Unpack[BabyAIMiniBossLevelOptions],
) -> GymEnvPool:
    """BabyAI-MiniBossLevel-v0. Own options: env_name, room_size, num_rows, num_cols, num_dists, locked_room_prob, locations, unblocking, implicit_unlock, action_kinds, instr_kinds, agent_view_size, see_through_walls, obs, obs_tile_size, image_only, mission, highlight, max_steps, action_prob, random_action, no_death, death_cost, seeds, tile_size, agent_pov."""

@overload
def make(
    task_id: BabyAIMiniBossLevelTask,
    env_type: Literal["dm"],
    *,
    num_envs: int = 1,
    gym_reset_return_info: Literal[True] | None = None,
    **options: Unpack[BabyAIMiniBossLevelOptions],
) -> DMEnvPool:
    """BabyAI-MiniBossLevel-v0. Own options: env_name, room_size, num_rows, num_cols, num_dists, locked_room_prob, locations, unblocking, implicit_unlock, action_kinds, instr_kinds, agent_view_size, see_through_walls, obs, obs_tile_size, image_only, mission, highlight, max_steps, action_prob, random_action, no_death, death_cost, seeds, tile_size, agent_pov."""

@overload
def make(
    task_id: BabyAIBossLevelTask,
    env_type: Literal["gymnasium"] = "gymnasium",
    *,
    num_envs: int = 1,
    gym_reset_return_info: Literal[True] | None = None,
    **options: Unpack[BabyAIBossLevelOptions],
) -> GymnasiumEnvPool[dict[str, Array]]:
    """BabyAI-BossLevel-v0. Own options: env_name, room_size, num_rows, num_cols, num_dists, locked_room_prob, locations, unblocking, implicit_unlock, action_kinds, instr_kinds, agent_view_size, see_through_walls, obs, obs_tile_size, image_only, mission, highlight, max_steps, action_prob, random_action, no_death, death_cost, seeds, tile_size, agent_pov."""

@overload
def make(
    task_id: BabyAIBossLevelTask,
    env_type: Literal["gym"],
    *,
    num_envs: int = 1,
    gym_reset_return_info: bool | None = None,
    **options: Unpack[BabyAIBossLevelOptions],
) -> GymEnvPool:
    """BabyAI-BossLevel-v0. Own options: env_name, room_size, num_rows, num_cols, num_dists, locked_room_prob, locations, unblocking, implicit_unlock, action_kinds, instr_kinds, agent_view_size, see_through_walls, obs, obs_tile_size, image_only, mission, highlight, max_steps, action_prob, random_action, no_death, death_cost, seeds, tile_size, agent_pov."""

@overload
def make(
    task_id: BabyAIBossLevelTask,
    env_type: Literal["dm"],
    *,
    num_envs: int = 1,
    gym_reset_return_info: Literal[True] | None = None,
    **options: Unpack[BabyAIBossLevelOptions],
) -> DMEnvPool:
    """BabyAI-BossLevel-v0. Own options: env_name, room_size, num_rows, num_cols, num_dists, locked_room_prob, locations, unblocking, implicit_unlock, action_kinds, instr_kinds, agent_view_size, see_through_walls, obs, obs_tile_size, image_only, mission, highlight, max_steps, action_prob, random_action, no_death, death_cost, seeds, tile_size, agent_pov."""

@overload
def make(
    task_id: BabyAIBossLevelNoUnlockTask,
    env_type: Literal["gymnasium"] = "gymnasium",
    *,
    num_envs: int = 1,
    gym_reset_return_info: Literal[True] | None = None,
    **options: Unpack[BabyAIBossLevelNoUnlockOptions],
) -> GymnasiumEnvPool[dict[str, Array]]:
    """BabyAI-BossLevelNoUnlock-v0. Own options: env_name, room_size, num_rows, num_cols, num_dists, locked_room_prob, locations, unblocking, implicit_unlock, action_kinds, instr_kinds, agent_view_size, see_through_walls, obs, obs_tile_size, image_only, mission, highlight, max_steps, action_prob, random_action, no_death, death_cost, seeds, tile_size, agent_pov."""

@overload
def make(
    task_id: BabyAIBossLevelNoUnlockTask,
    env_type: Literal["gym"],
    *,
    num_envs: int = 1,
    gym_reset_return_info: bool | None = None,
    **options: Unpack[BabyAIBossLevelNoUnlockOptions],
) -> GymEnvPool:
    """BabyAI-BossLevelNoUnlock-v0. Own options: env_name, room_size, num_rows, num_cols, num_dists, locked_room_prob, locations, unblocking, implicit_unlock, action_kinds, instr_kinds, agent_view_size, see_through_walls, obs, obs_tile_size, image_only, mission, highlight, max_steps, action_prob, random_action, no_death, death_cost, seeds, tile_size, agent_pov."""

@overload
def make(
    task_id: BabyAIBossLevelNoUnlockTask,
    env_type: Literal["dm"],
    *,
    num_envs: int = 1,
    gym_reset_return_info: Literal[True] | None = None,
    **options: Unpack[BabyAIBossLevelNoUnlockOptions],
) -> DMEnvPool:
    """BabyAI-BossLevelNoUnlock-v0. Own options: env_name, room_size, num_rows, num_cols, num_dists, locked_room_prob, locations, unblocking, implicit_unlock, action_kinds, instr_kinds, agent_view_size, see_through_walls, obs, obs_tile_size, image_only, mission, highlight, max_steps, action_prob, random_action, no_death, death_cost, seeds, tile_size, agent_pov."""

@overload
def make(
    task_id: AntTask,
    env_type: Literal["gymnasium"] = "gymnasium",
    *,
    num_envs: int = 1,
    gym_reset_return_info: Literal[True] | None = None,
    **options: Unpack[AntOptions],
) -> GymnasiumEnvPool[Array]:
    """Ant-v5. Own options: xml_file, xml_dir, frame_skip, frame_stack, physics, post_constraint, forward_reward_weight, ctrl_cost_weight, contact_cost_weight, main_body, healthy_z_range, healthy_z_min, healthy_z_max, contact_force_range, contact_force_min, contact_force_max, reset_noise_scale, exclude_current_positions_from_observation, include_cfrc_ext_in_observation, use_contact_force, exclude_worldbody_contact_forces, healthy_reward, terminate_when_unhealthy, legacy_healthy_reward, from_pixels, camera_name, default_camera, gymnasium_v5_render_camera, camera_lookat, camera_distance, camera_azimuth, camera_elevation, camera_orthographic, max_geom, visual_options, render_shadows, render_shadow_size, render_reflections, render_skybox, render_haze, render_textures, render_multisamples, width, height, camera_id, default_camera_config."""

@overload
def make(
    task_id: AntTask,
    env_type: Literal["gym"],
    *,
    num_envs: int = 1,
    gym_reset_return_info: bool | None = None,
    **options: Unpack[AntOptions],
) -> GymEnvPool:
    """Ant-v5. Own options: xml_file, xml_dir, frame_skip, frame_stack, physics, post_constraint, forward_reward_weight, ctrl_cost_weight, contact_cost_weight, main_body, healthy_z_range, healthy_z_min, healthy_z_max, contact_force_range, contact_force_min, contact_force_max, reset_noise_scale, exclude_current_positions_from_observation, include_cfrc_ext_in_observation, use_contact_force, exclude_worldbody_contact_forces, healthy_reward, terminate_when_unhealthy, legacy_healthy_reward, from_pixels, camera_name, default_camera, gymnasium_v5_render_camera, camera_lookat, camera_distance, camera_azimuth, camera_elevation, camera_orthographic, max_geom, visual_options, render_shadows, render_shadow_size, render_reflections, render_skybox, render_haze, render_textures, render_multisamples, width, height, camera_id, default_camera_config."""

@overload
def make(
    task_id: AntTask,
    env_type: Literal["dm"],
    *,
    num_envs: int = 1,
    gym_reset_return_info: Literal[True] | None = None,
    **options: Unpack[AntOptions],
) -> DMEnvPool:
    """Ant-v5. Own options: xml_file, xml_dir, frame_skip, frame_stack, physics, post_constraint, forward_reward_weight, ctrl_cost_weight, contact_cost_weight, main_body, healthy_z_range, healthy_z_min, healthy_z_max, contact_force_range, contact_force_min, contact_force_max, reset_noise_scale, exclude_current_positions_from_observation, include_cfrc_ext_in_observation, use_contact_force, exclude_worldbody_contact_forces, healthy_reward, terminate_when_unhealthy, legacy_healthy_reward, from_pixels, camera_name, default_camera, gymnasium_v5_render_camera, camera_lookat, camera_distance, camera_azimuth, camera_elevation, camera_orthographic, max_geom, visual_options, render_shadows, render_shadow_size, render_reflections, render_skybox, render_haze, render_textures, render_multisamples, width, height, camera_id, default_camera_config."""

@overload
def make(
    task_id: AntV4Task,
    env_type: Literal["gymnasium"] = "gymnasium",
    *,
    num_envs: int = 1,
    gym_reset_return_info: Literal[True] | None = None,
    **options: Unpack[AntV4Options],
) -> GymnasiumEnvPool[Array]:
    """Ant-v4, Ant-v3. Own options: xml_file, xml_dir, frame_skip, frame_stack, physics, post_constraint, forward_reward_weight, ctrl_cost_weight, contact_cost_weight, main_body, healthy_z_range, healthy_z_min, healthy_z_max, contact_force_range, contact_force_min, contact_force_max, reset_noise_scale, exclude_current_positions_from_observation, use_contact_forces, use_contact_force, exclude_worldbody_contact_forces, healthy_reward, terminate_when_unhealthy, legacy_healthy_reward, from_pixels, camera_name, default_camera, gymnasium_v5_render_camera, camera_lookat, camera_distance, camera_azimuth, camera_elevation, camera_orthographic, max_geom, visual_options, render_shadows, render_shadow_size, render_reflections, render_skybox, render_haze, render_textures, render_multisamples, width, height, camera_id, default_camera_config."""

@overload
def make(
    task_id: AntV4Task,
    env_type: Literal["gym"],
    *,
    num_envs: int = 1,
    gym_reset_return_info: bool | None = None,
    **options: Unpack[AntV4Options],
) -> GymEnvPool:
    """Ant-v4, Ant-v3. Own options: xml_file, xml_dir, frame_skip, frame_stack, physics, post_constraint, forward_reward_weight, ctrl_cost_weight, contact_cost_weight, main_body, healthy_z_range, healthy_z_min, healthy_z_max, contact_force_range, contact_force_min, contact_force_max, reset_noise_scale, exclude_current_positions_from_observation, use_contact_forces, use_contact_force, exclude_worldbody_contact_forces, healthy_reward, terminate_when_unhealthy, legacy_healthy_reward, from_pixels, camera_name, default_camera, gymnasium_v5_render_camera, camera_lookat, camera_distance, camera_azimuth, camera_elevation, camera_orthographic, max_geom, visual_options, render_shadows, render_shadow_size, render_reflections, render_skybox, render_haze, render_textures, render_multisamples, width, height, camera_id, default_camera_config."""

@overload
def make(
    task_id: AntV4Task,
    env_type: Literal["dm"],
    *,
    num_envs: int = 1,
    gym_reset_return_info: Literal[True] | None = None,
    **options: Unpack[AntV4Options],
) -> DMEnvPool:
    """Ant-v4, Ant-v3. Own options: xml_file, xml_dir, frame_skip, frame_stack, physics, post_constraint, forward_reward_weight, ctrl_cost_weight, contact_cost_weight, main_body, healthy_z_range, healthy_z_min, healthy_z_max, contact_force_range, contact_force_min, contact_force_max, reset_noise_scale, exclude_current_positions_from_observation, use_contact_forces, use_contact_force, exclude_worldbody_contact_forces, healthy_reward, terminate_when_unhealthy, legacy_healthy_reward, from_pixels, camera_name, default_camera, gymnasium_v5_render_camera, camera_lookat, camera_distance, camera_azimuth, camera_elevation, camera_orthographic, max_geom, visual_options, render_shadows, render_shadow_size, render_reflections, render_skybox, render_haze, render_textures, render_multisamples, width, height, camera_id, default_camera_config."""

@overload
def make(
    task_id: HalfCheetahTask,
    env_type: Literal["gymnasium"] = "gymnasium",
    *,
    num_envs: int = 1,
    gym_reset_return_info: Literal[True] | None = None,
    **options: Unpack[HalfCheetahOptions],
) -> GymnasiumEnvPool[Array]:
    """HalfCheetah-v5, HalfCheetah-v4, HalfCheetah-v3 and 3 more. Own options: xml_file, xml_dir, frame_skip, frame_stack, physics, post_constraint, forward_reward_weight, ctrl_cost_weight, reset_noise_scale, exclude_current_positions_from_observation, from_pixels, camera_name, default_camera, gymnasium_v5_render_camera, camera_lookat, camera_distance, camera_azimuth, camera_elevation, camera_orthographic, max_geom, visual_options, render_shadows, render_shadow_size, render_reflections, render_skybox, render_haze, render_textures, render_multisamples, width, height, camera_id, default_camera_config."""

@overload
def make(
    task_id: HalfCheetahTask,
    env_type: Literal["gym"],
    *,
    num_envs: int = 1,
    gym_reset_return_info: bool | None = None,
    **options: Unpack[HalfCheetahOptions],
) -> GymEnvPool:
    """HalfCheetah-v5, HalfCheetah-v4, HalfCheetah-v3 and 3 more. Own options: xml_file, xml_dir, frame_skip, frame_stack, physics, post_constraint, forward_reward_weight, ctrl_cost_weight, reset_noise_scale, exclude_current_positions_from_observation, from_pixels, camera_name, default_camera, gymnasium_v5_render_camera, camera_lookat, camera_distance, camera_azimuth, camera_elevation, camera_orthographic, max_geom, visual_options, render_shadows, render_shadow_size, render_reflections, render_skybox, render_haze, render_textures, render_multisamples, width, height, camera_id, default_camera_config."""

@overload
def make(
    task_id: HalfCheetahTask,
    env_type: Literal["dm"],
    *,
    num_envs: int = 1,
    gym_reset_return_info: Literal[True] | None = None,
    **options: Unpack[HalfCheetahOptions],
) -> DMEnvPool:
    """HalfCheetah-v5, HalfCheetah-v4, HalfCheetah-v3 and 3 more. Own options: xml_file, xml_dir, frame_skip, frame_stack, physics, post_constraint, forward_reward_weight, ctrl_cost_weight, reset_noise_scale, exclude_current_positions_from_observation, from_pixels, camera_name, default_camera, gymnasium_v5_render_camera, camera_lookat, camera_distance, camera_azimuth, camera_elevation, camera_orthographic, max_geom, visual_options, render_shadows, render_shadow_size, render_reflections, render_skybox, render_haze, render_textures, render_multisamples, width, height, camera_id, default_camera_config."""

@overload
def make(
    task_id: HopperTask,
    env_type: Literal["gymnasium"] = "gymnasium",
    *,
    num_envs: int = 1,
    gym_reset_return_info: Literal[True] | None = None,
    **options: Unpack[HopperOptions],
) -> GymnasiumEnvPool[Array]:
    """Hopper-v5, Hopper-v4, Hopper-v3. Own options: xml_file, xml_dir, frame_skip, frame_stack, physics, post_constraint, forward_reward_weight, ctrl_cost_weight, healthy_reward, terminate_when_unhealthy, legacy_healthy_reward, healthy_state_range, healthy_state_min, healthy_state_max, healthy_z_range, healthy_z_min, healthy_angle_range, healthy_angle_min, healthy_angle_max, velocity_min, velocity_max, reset_noise_scale, exclude_current_positions_from_observation, from_pixels, camera_name, default_camera, gymnasium_v5_render_camera, camera_lookat, camera_distance, camera_azimuth, camera_elevation, camera_orthographic, max_geom, visual_options, render_shadows, render_shadow_size, render_reflections, render_skybox, render_haze, render_textures, render_multisamples, width, height, camera_id, default_camera_config."""

@overload
def make(
    task_id: HopperTask,
    env_type: Literal["gym"],
    *,
    num_envs: int = 1,
    gym_reset_return_info: bool | None = None,
    **options: Unpack[HopperOptions],
) -> GymEnvPool:
    """Hopper-v5, Hopper-v4, Hopper-v3. Own options: xml_file, xml_dir, frame_skip, frame_stack, physics, post_constraint, forward_reward_weight, ctrl_cost_weight, healthy_reward, terminate_when_unhealthy, legacy_healthy_reward, healthy_state_range, healthy_state_min, healthy_state_max, healthy_z_range, healthy_z_min, healthy_angle_range, healthy_angle_min, healthy_angle_max, velocity_min, velocity_max, reset_noise_scale, exclude_current_positions_from_observation, from_pixels, camera_name, default_camera, gymnasium_v5_render_camera, camera_lookat, camera_distance, camera_azimuth, camera_elevation, camera_orthographic, max_geom, visual_options, render_shadows, render_shadow_size, render_reflections, render_skybox, render_haze, render_textures, render_multisamples, width, height, camera_id, default_camera_config."""

@overload
def make(
    task_id: HopperTask,
    env_type: Literal["dm"],
    *,
    num_envs: int = 1,
    gym_reset_return_info: Literal[True] | None = None,
    **options: Unpack[HopperOptions],
) -> DMEnvPool:
    """Hopper-v5, Hopper-v4, Hopper-v3. Own options: xml_file, xml_dir, frame_skip, frame_stack, physics, post_constraint, forward_reward_weight, ctrl_cost_weight, healthy_reward, terminate_when_unhealthy, legacy_healthy_reward, healthy_state_range, healthy_state_min, healthy_state_max, healthy_z_range, healthy_z_min, healthy_angle_range, healthy_angle_min, healthy_angle_max, velocity_min, velocity_max, reset_noise_scale, exclude_current_positions_from_observation, from_pixels, camera_name, default_camera, gymnasium_v5_render_camera, camera_lookat, camera_distance, camera_azimuth, camera_elevation, camera_orthographic, max_geom, visual_options, render_shadows, render_shadow_size, render_reflections, render_skybox, render_haze, render_textures, render_multisamples, width, height, camera_id, default_camera_config."""

@overload
def make(
    task_id: HumanoidTask,
    env_type: Literal["gymnasium"] = "gymnasium",
    *,
    num_envs: int = 1,
    gym_reset_return_info: Literal[True] | None = None,
    **options: Unpack[HumanoidOptions],
) -> GymnasiumEnvPool[Array]:
    """Humanoid-v5, Humanoid-v4, Humanoid-v3. Own options: xml_file, xml_dir, frame_skip, frame_stack, physics, post_constraint, forward_reward_weight, ctrl_cost_weight, contact_cost_weight, contact_cost_range, contact_cost_max, use_contact_force, healthy_reward, terminate_when_unhealthy, legacy_healthy_reward, healthy_z_range, healthy_z_min, healthy_z_max, reset_noise_scale, exclude_current_positions_from_observation, include_cinert_in_observation, include_cvel_in_observation, include_qfrc_actuator_in_observation, include_cfrc_ext_in_observation, exclude_worldbody_observations, exclude_root_actuator_forces, from_pixels, camera_name, default_camera, gymnasium_v5_render_camera, camera_lookat, camera_distance, camera_azimuth, camera_elevation, camera_orthographic, max_geom, visual_options, render_shadows, render_shadow_size, render_reflections, render_skybox, render_haze, render_textures, render_multisamples, width, height, camera_id, default_camera_config."""

@overload
def make(
    task_id: HumanoidTask,
    env_type: Literal["gym"],
    *,
    num_envs: int = 1,
    gym_reset_return_info: bool | None = None,
    **options: Unpack[HumanoidOptions],
) -> GymEnvPool:
    """Humanoid-v5, Humanoid-v4, Humanoid-v3. Own options: xml_file, xml_dir, frame_skip, frame_stack, physics, post_constraint, forward_reward_weight, ctrl_cost_weight, contact_cost_weight, contact_cost_range, contact_cost_max, use_contact_force, healthy_reward, terminate_when_unhealthy, legacy_healthy_reward, healthy_z_range, healthy_z_min, healthy_z_max, reset_noise_scale, exclude_current_positions_from_observation, include_cinert_in_observation, include_cvel_in_observation, include_qfrc_actuator_in_observation, include_cfrc_ext_in_observation, exclude_worldbody_observations, exclude_root_actuator_forces, from_pixels, camera_name, default_camera, gymnasium_v5_render_camera, camera_lookat, camera_distance, camera_azimuth, camera_elevation, camera_orthographic, max_geom, visual_options, render_shadows, render_shadow_size, render_reflections, render_skybox, render_haze, render_textures, render_multisamples, width, height, camera_id, default_camera_config."""

@overload
def make(
    task_id: HumanoidTask,
    env_type: Literal["dm"],
    *,
    num_envs: int = 1,
    gym_reset_return_info: Literal[True] | None = None,
    **options: Unpack[HumanoidOptions],
) -> DMEnvPool:
    """Humanoid-v5, Humanoid-v4, Humanoid-v3. Own options: xml_file, xml_dir, frame_skip, frame_stack, physics, post_constraint, forward_reward_weight, ctrl_cost_weight, contact_cost_weight, contact_cost_range, contact_cost_max, use_contact_force, healthy_reward, terminate_when_unhealthy, legacy_healthy_reward, healthy_z_range, healthy_z_min, healthy_z_max, reset_noise_scale, exclude_current_positions_from_observation, include_cinert_in_observation, include_cvel_in_observation, include_qfrc_actuator_in_observation, include_cfrc_ext_in_observation, exclude_worldbody_observations, exclude_root_actuator_forces, from_pixels, camera_name, default_camera, gymnasium_v5_render_camera, camera_lookat, camera_distance, camera_azimuth, camera_elevation, camera_orthographic, max_geom, visual_options, render_shadows, render_shadow_size, render_reflections, render_skybox, render_haze, render_textures, render_multisamples, width, height, camera_id, default_camera_config."""

@overload
def make(
    task_id: HumanoidStandupTask,
    env_type: Literal["gymnasium"] = "gymnasium",
    *,
    num_envs: int = 1,
    gym_reset_return_info: Literal[True] | None = None,
    **options: Unpack[HumanoidStandupOptions],
) -> GymnasiumEnvPool[Array]:
    """HumanoidStandup-v5, HumanoidStandup-v4, HumanoidStandup-v2. Own options: xml_file, xml_dir, frame_skip, frame_stack, physics, post_constraint, uph_cost_weight, ctrl_cost_weight, impact_cost_weight, forward_reward_weight, healthy_reward, contact_cost_weight, impact_cost_range, contact_cost_max, reset_noise_scale, exclude_current_positions_from_observation, include_cinert_in_observation, include_cvel_in_observation, include_qfrc_actuator_in_observation, include_cfrc_ext_in_observation, exclude_worldbody_observations, exclude_root_actuator_forces, from_pixels, camera_name, default_camera, gymnasium_v5_render_camera, camera_lookat, camera_distance, camera_azimuth, camera_elevation, camera_orthographic, max_geom, visual_options, render_shadows, render_shadow_size, render_reflections, render_skybox, render_haze, render_textures, render_multisamples, width, height, camera_id, default_camera_config."""

@overload
def make(
    task_id: HumanoidStandupTask,
    env_type: Literal["gym"],
    *,
    num_envs: int = 1,
    gym_reset_return_info: bool | None = None,
    **options: Unpack[HumanoidStandupOptions],
) -> GymEnvPool:
    """HumanoidStandup-v5, HumanoidStandup-v4, HumanoidStandup-v2. Own options: xml_file, xml_dir, frame_skip, frame_stack, physics, post_constraint, uph_cost_weight, ctrl_cost_weight, impact_cost_weight, forward_reward_weight, healthy_reward, contact_cost_weight, impact_cost_range, contact_cost_max, reset_noise_scale, exclude_current_positions_from_observation, include_cinert_in_observation, include_cvel_in_observation, include_qfrc_actuator_in_observation, include_cfrc_ext_in_observation, exclude_worldbody_observations, exclude_root_actuator_forces, from_pixels, camera_name, default_camera, gymnasium_v5_render_camera, camera_lookat, camera_distance, camera_azimuth, camera_elevation, camera_orthographic, max_geom, visual_options, render_shadows, render_shadow_size, render_reflections, render_skybox, render_haze, render_textures, render_multisamples, width, height, camera_id, default_camera_config."""

@overload
def make(
    task_id: HumanoidStandupTask,
    env_type: Literal["dm"],
    *,
    num_envs: int = 1,
    gym_reset_return_info: Literal[True] | None = None,
    **options: Unpack[HumanoidStandupOptions],
) -> DMEnvPool:
    """HumanoidStandup-v5, HumanoidStandup-v4, HumanoidStandup-v2. Own options: xml_file, xml_dir, frame_skip, frame_stack, physics, post_constraint, uph_cost_weight, ctrl_cost_weight, impact_cost_weight, forward_reward_weight, healthy_reward, contact_cost_weight, impact_cost_range, contact_cost_max, reset_noise_scale, exclude_current_positions_from_observation, include_cinert_in_observation, include_cvel_in_observation, include_qfrc_actuator_in_observation, include_cfrc_ext_in_observation, exclude_worldbody_observations, exclude_root_actuator_forces, from_pixels, camera_name, default_camera, gymnasium_v5_render_camera, camera_lookat, camera_distance, camera_azimuth, camera_elevation, camera_orthographic, max_geom, visual_options, render_shadows, render_shadow_size, render_reflections, render_skybox, render_haze, render_textures, render_multisamples, width, height, camera_id, default_camera_config."""

@overload
def make(
    task_id: InvertedDoublePendulumTask,
    env_type: Literal["gymnasium"] = "gymnasium",
    *,
    num_envs: int = 1,
    gym_reset_return_info: Literal[True] | None = None,
    **options: Unpack[InvertedDoublePendulumOptions],
) -> GymnasiumEnvPool[Array]:
    """InvertedDoublePendulum-v5, InvertedDoublePendulum-v4, InvertedDoublePendulum-v2. Own options: xml_file, xml_dir, frame_skip, frame_stack, physics, post_constraint, healthy_reward, healthy_z_max, reward_if_not_terminated, observation_min, observation_max, constraint_obs_dim, reset_noise_scale, from_pixels, camera_name, default_camera, gymnasium_v5_render_camera, camera_lookat, camera_distance, camera_azimuth, camera_elevation, camera_orthographic, max_geom, visual_options, render_shadows, render_shadow_size, render_reflections, render_skybox, render_haze, render_textures, render_multisamples, width, height, camera_id, default_camera_config."""

@overload
def make(
    task_id: InvertedDoublePendulumTask,
    env_type: Literal["gym"],
    *,
    num_envs: int = 1,
    gym_reset_return_info: bool | None = None,
    **options: Unpack[InvertedDoublePendulumOptions],
) -> GymEnvPool:
    """InvertedDoublePendulum-v5, InvertedDoublePendulum-v4, InvertedDoublePendulum-v2. Own options: xml_file, xml_dir, frame_skip, frame_stack, physics, post_constraint, healthy_reward, healthy_z_max, reward_if_not_terminated, observation_min, observation_max, constraint_obs_dim, reset_noise_scale, from_pixels, camera_name, default_camera, gymnasium_v5_render_camera, camera_lookat, camera_distance, camera_azimuth, camera_elevation, camera_orthographic, max_geom, visual_options, render_shadows, render_shadow_size, render_reflections, render_skybox, render_haze, render_textures, render_multisamples, width, height, camera_id, default_camera_config."""

@overload
def make(
    task_id: InvertedDoublePendulumTask,
    env_type: Literal["dm"],
    *,
    num_envs: int = 1,
    gym_reset_return_info: Literal[True] | None = None,
    **options: Unpack[InvertedDoublePendulumOptions],
) -> DMEnvPool:
    """InvertedDoublePendulum-v5, InvertedDoublePendulum-v4, InvertedDoublePendulum-v2. Own options: xml_file, xml_dir, frame_skip, frame_stack, physics, post_constraint, healthy_reward, healthy_z_max, reward_if_not_terminated, observation_min, observation_max, constraint_obs_dim, reset_noise_scale, from_pixels, camera_name, default_camera, gymnasium_v5_render_camera, camera_lookat, camera_distance, camera_azimuth, camera_elevation, camera_orthographic, max_geom, visual_options, render_shadows, render_shadow_size, render_reflections, render_skybox, render_haze, render_textures, render_multisamples, width, height, camera_id, default_camera_config."""

@overload
def make(
    task_id: InvertedPendulumTask,
    env_type: Literal["gymnasium"] = "gymnasium",
    *,
    num_envs: int = 1,
    gym_reset_return_info: Literal[True] | None = None,
    **options: Unpack[InvertedPendulumOptions],
) -> GymnasiumEnvPool[Array]:
    """InvertedPendulum-v5, InvertedPendulum-v4, InvertedPendulum-v2. Own options: xml_file, xml_dir, frame_skip, frame_stack, physics, post_constraint, healthy_reward, healthy_z_range, healthy_z_min, healthy_z_max, reward_if_not_terminated, reset_noise_scale, from_pixels, camera_name, default_camera, gymnasium_v5_render_camera, camera_lookat, camera_distance, camera_azimuth, camera_elevation, camera_orthographic, max_geom, visual_options, render_shadows, render_shadow_size, render_reflections, render_skybox, render_haze, render_textures, render_multisamples, width, height, camera_id, default_camera_config."""

@overload
def make(
    task_id: InvertedPendulumTask,
    env_type: Literal["gym"],
    *,
    num_envs: int = 1,
    gym_reset_return_info: bool | None = None,
    **options: Unpack[InvertedPendulumOptions],
) -> GymEnvPool:
    """InvertedPendulum-v5, InvertedPendulum-v4, InvertedPendulum-v2. Own options: xml_file, xml_dir, frame_skip, frame_stack, physics, post_constraint, healthy_reward, healthy_z_range, healthy_z_min, healthy_z_max, reward_if_not_terminated, reset_noise_scale, from_pixels, camera_name, default_camera, gymnasium_v5_render_camera, camera_lookat, camera_distance, camera_azimuth, camera_elevation, camera_orthographic, max_geom, visual_options, render_shadows, render_shadow_size, render_reflections, render_skybox, render_haze, render_textures, render_multisamples, width, height, camera_id, default_camera_config."""

@overload
def make(
    task_id: InvertedPendulumTask,
    env_type: Literal["dm"],
    *,
    num_envs: int = 1,
    gym_reset_return_info: Literal[True] | None = None,
    **options: Unpack[InvertedPendulumOptions],
) -> DMEnvPool:
    """InvertedPendulum-v5, InvertedPendulum-v4, InvertedPendulum-v2. Own options: xml_file, xml_dir, frame_skip, frame_stack, physics, post_constraint, healthy_reward, healthy_z_range, healthy_z_min, healthy_z_max, reward_if_not_terminated, reset_noise_scale, from_pixels, camera_name, default_camera, gymnasium_v5_render_camera, camera_lookat, camera_distance, camera_azimuth, camera_elevation, camera_orthographic, max_geom, visual_options, render_shadows, render_shadow_size, render_reflections, render_skybox, render_haze, render_textures, render_multisamples, width, height, camera_id, default_camera_config."""

@overload
def make(
    task_id: PusherTask,
    env_type: Literal["gymnasium"] = "gymnasium",
    *,
    num_envs: int = 1,
    gym_reset_return_info: Literal[True] | None = None,
    **options: Unpack[PusherOptions],
) -> GymnasiumEnvPool[Array]:
    """Pusher-v5, Pusher-v4, Pusher-v2. Own options: xml_file, xml_dir, frame_skip, frame_stack, physics, post_constraint, reward_near_weight, reward_dist_weight, reward_control_weight, near_cost_weight, dist_cost_weight, ctrl_cost_weight, reward_after_step, weighted_reward_info, reset_qvel_scale, cylinder_x_min, cylinder_x_max, cylinder_y_min, cylinder_y_max, cylinder_dist_min, from_pixels, camera_name, default_camera, gymnasium_v5_render_camera, camera_lookat, camera_distance, camera_azimuth, camera_elevation, camera_orthographic, max_geom, visual_options, render_shadows, render_shadow_size, render_reflections, render_skybox, render_haze, render_textures, render_multisamples, width, height, camera_id, default_camera_config."""

@overload
def make(
    task_id: PusherTask,
    env_type: Literal["gym"],
    *,
    num_envs: int = 1,
    gym_reset_return_info: bool | None = None,
    **options: Unpack[PusherOptions],
) -> GymEnvPool:
    """Pusher-v5, Pusher-v4, Pusher-v2. Own options: xml_file, xml_dir, frame_skip, frame_stack, physics, post_constraint, reward_near_weight, reward_dist_weight, reward_control_weight, near_cost_weight, dist_cost_weight, ctrl_cost_weight, reward_after_step, weighted_reward_info, reset_qvel_scale, cylinder_x_min, cylinder_x_max, cylinder_y_min, cylinder_y_max, cylinder_dist_min, from_pixels, camera_name, default_camera, gymnasium_v5_render_camera, camera_lookat, camera_distance, camera_azimuth, camera_elevation, camera_orthographic, max_geom, visual_options, render_shadows, render_shadow_size, render_reflections, render_skybox, render_haze, render_textures, render_multisamples, width, height, camera_id, default_camera_config."""

@overload
def make(
    task_id: PusherTask,
    env_type: Literal["dm"],
    *,
    num_envs: int = 1,
    gym_reset_return_info: Literal[True] | None = None,
    **options: Unpack[PusherOptions],
) -> DMEnvPool:
    """Pusher-v5, Pusher-v4, Pusher-v2. Own options: xml_file, xml_dir, frame_skip, frame_stack, physics, post_constraint, reward_near_weight, reward_dist_weight, reward_control_weight, near_cost_weight, dist_cost_weight, ctrl_cost_weight, reward_after_step, weighted_reward_info, reset_qvel_scale, cylinder_x_min, cylinder_x_max, cylinder_y_min, cylinder_y_max, cylinder_dist_min, from_pixels, camera_name, default_camera, gymnasium_v5_render_camera, camera_lookat, camera_distance, camera_azimuth, camera_elevation, camera_orthographic, max_geom, visual_options, render_shadows, render_shadow_size, render_reflections, render_skybox, render_haze, render_textures, render_multisamples, width, height, camera_id, default_camera_config."""

@overload
def make(
    task_id: ReacherTask,
    env_type: Literal["gymnasium"] = "gymnasium",
    *,
    num_envs: int = 1,
    gym_reset_return_info: Literal[True] | None = None,
    **options: Unpack[ReacherOptions],
) -> GymnasiumEnvPool[Array]:
    """Reacher-v5, Reacher-v4, Reacher-v2. Own options: xml_file, xml_dir, frame_skip, frame_stack, physics, post_constraint, reward_dist_weight, reward_control_weight, dist_cost_weight, ctrl_cost_weight, reward_after_step, obs_include_z_distance, reset_qpos_scale, reset_qvel_scale, reset_goal_scale, from_pixels, camera_name, default_camera, gymnasium_v5_render_camera, camera_lookat, camera_distance, camera_azimuth, camera_elevation, camera_orthographic, max_geom, visual_options, render_shadows, render_shadow_size, render_reflections, render_skybox, render_haze, render_textures, render_multisamples, width, height, camera_id, default_camera_config."""

@overload
def make(
    task_id: ReacherTask,
    env_type: Literal["gym"],
    *,
    num_envs: int = 1,
    gym_reset_return_info: bool | None = None,
    **options: Unpack[ReacherOptions],
) -> GymEnvPool:
    """Reacher-v5, Reacher-v4, Reacher-v2. Own options: xml_file, xml_dir, frame_skip, frame_stack, physics, post_constraint, reward_dist_weight, reward_control_weight, dist_cost_weight, ctrl_cost_weight, reward_after_step, obs_include_z_distance, reset_qpos_scale, reset_qvel_scale, reset_goal_scale, from_pixels, camera_name, default_camera, gymnasium_v5_render_camera, camera_lookat, camera_distance, camera_azimuth, camera_elevation, camera_orthographic, max_geom, visual_options, render_shadows, render_shadow_size, render_reflections, render_skybox, render_haze, render_textures, render_multisamples, width, height, camera_id, default_camera_config."""

@overload
def make(
    task_id: ReacherTask,
    env_type: Literal["dm"],
    *,
    num_envs: int = 1,
    gym_reset_return_info: Literal[True] | None = None,
    **options: Unpack[ReacherOptions],
) -> DMEnvPool:
    """Reacher-v5, Reacher-v4, Reacher-v2. Own options: xml_file, xml_dir, frame_skip, frame_stack, physics, post_constraint, reward_dist_weight, reward_control_weight, dist_cost_weight, ctrl_cost_weight, reward_after_step, obs_include_z_distance, reset_qpos_scale, reset_qvel_scale, reset_goal_scale, from_pixels, camera_name, default_camera, gymnasium_v5_render_camera, camera_lookat, camera_distance, camera_azimuth, camera_elevation, camera_orthographic, max_geom, visual_options, render_shadows, render_shadow_size, render_reflections, render_skybox, render_haze, render_textures, render_multisamples, width, height, camera_id, default_camera_config."""

@overload
def make(
    task_id: Walker2dTask,
    env_type: Literal["gymnasium"] = "gymnasium",
    *,
    num_envs: int = 1,
    gym_reset_return_info: Literal[True] | None = None,
    **options: Unpack[Walker2dOptions],
) -> GymnasiumEnvPool[Array]:
    """Walker2d-v5, Walker2d-v4, Walker2d-v3. Own options: xml_file, xml_dir, frame_skip, frame_stack, physics, post_constraint, forward_reward_weight, ctrl_cost_weight, healthy_reward, terminate_when_unhealthy, legacy_healthy_reward, healthy_z_range, healthy_z_min, healthy_z_max, healthy_angle_range, healthy_angle_min, healthy_angle_max, velocity_min, velocity_max, reset_noise_scale, exclude_current_positions_from_observation, from_pixels, camera_name, default_camera, gymnasium_v5_render_camera, camera_lookat, camera_distance, camera_azimuth, camera_elevation, camera_orthographic, max_geom, visual_options, render_shadows, render_shadow_size, render_reflections, render_skybox, render_haze, render_textures, render_multisamples, width, height, camera_id, default_camera_config."""

@overload
def make(
    task_id: Walker2dTask,
    env_type: Literal["gym"],
    *,
    num_envs: int = 1,
    gym_reset_return_info: bool | None = None,
    **options: Unpack[Walker2dOptions],
) -> GymEnvPool:
    """Walker2d-v5, Walker2d-v4, Walker2d-v3. Own options: xml_file, xml_dir, frame_skip, frame_stack, physics, post_constraint, forward_reward_weight, ctrl_cost_weight, healthy_reward, terminate_when_unhealthy, legacy_healthy_reward, healthy_z_range, healthy_z_min, healthy_z_max, healthy_angle_range, healthy_angle_min, healthy_angle_max, velocity_min, velocity_max, reset_noise_scale, exclude_current_positions_from_observation, from_pixels, camera_name, default_camera, gymnasium_v5_render_camera, camera_lookat, camera_distance, camera_azimuth, camera_elevation, camera_orthographic, max_geom, visual_options, render_shadows, render_shadow_size, render_reflections, render_skybox, render_haze, render_textures, render_multisamples, width, height, camera_id, default_camera_config."""

@overload
def make(
    task_id: Walker2dTask,
    env_type: Literal["dm"],
    *,
    num_envs: int = 1,
    gym_reset_return_info: Literal[True] | None = None,
    **options: Unpack[Walker2dOptions],
) -> DMEnvPool:
    """Walker2d-v5, Walker2d-v4, Walker2d-v3. Own options: xml_file, xml_dir, frame_skip, frame_stack, physics, post_constraint, forward_reward_weight, ctrl_cost_weight, healthy_reward, terminate_when_unhealthy, legacy_healthy_reward, healthy_z_range, healthy_z_min, healthy_z_max, healthy_angle_range, healthy_angle_min, healthy_angle_max, velocity_min, velocity_max, reset_noise_scale, exclude_current_positions_from_observation, from_pixels, camera_name, default_camera, gymnasium_v5_render_camera, camera_lookat, camera_distance, camera_azimuth, camera_elevation, camera_orthographic, max_geom, visual_options, render_shadows, render_shadow_size, render_reflections, render_skybox, render_haze, render_textures, render_multisamples, width, height, camera_id, default_camera_config."""

@overload
def make(
    task_id: LunarLanderTask,
    env_type: Literal["gymnasium"] = "gymnasium",
    *,
    num_envs: int = 1,
    gym_reset_return_info: Literal[True] | None = None,
    **options: Unpack[LunarLanderOptions],
) -> GymnasiumEnvPool[Array]:
    """LunarLander-v3, LunarLanderContinuous-v3, LunarLander-v2 and 1 more. Own options: continuous, gravity, enable_wind, wind_power, turbulence_power."""

@overload
def make(
    task_id: LunarLanderTask,
    env_type: Literal["gym"],
    *,
    num_envs: int = 1,
    gym_reset_return_info: bool | None = None,
    **options: Unpack[LunarLanderOptions],
) -> GymEnvPool:
    """LunarLander-v3, LunarLanderContinuous-v3, LunarLander-v2 and 1 more. Own options: continuous, gravity, enable_wind, wind_power, turbulence_power."""

@overload
def make(
    task_id: LunarLanderTask,
    env_type: Literal["dm"],
    *,
    num_envs: int = 1,
    gym_reset_return_info: Literal[True] | None = None,
    **options: Unpack[LunarLanderOptions],
) -> DMEnvPool:
    """LunarLander-v3, LunarLanderContinuous-v3, LunarLander-v2 and 1 more. Own options: continuous, gravity, enable_wind, wind_power, turbulence_power."""

@overload
def make(
    task_id: BipedalWalkerTask,
    env_type: Literal["gymnasium"] = "gymnasium",
    *,
    num_envs: int = 1,
    gym_reset_return_info: Literal[True] | None = None,
    **options: Unpack[BipedalWalkerOptions],
) -> GymnasiumEnvPool[Array]:
    """BipedalWalker-v3, BipedalWalkerHardcore-v3. Own options: hardcore."""

@overload
def make(
    task_id: BipedalWalkerTask,
    env_type: Literal["gym"],
    *,
    num_envs: int = 1,
    gym_reset_return_info: bool | None = None,
    **options: Unpack[BipedalWalkerOptions],
) -> GymEnvPool:
    """BipedalWalker-v3, BipedalWalkerHardcore-v3. Own options: hardcore."""

@overload
def make(
    task_id: BipedalWalkerTask,
    env_type: Literal["dm"],
    *,
    num_envs: int = 1,
    gym_reset_return_info: Literal[True] | None = None,
    **options: Unpack[BipedalWalkerOptions],
) -> DMEnvPool:
    """BipedalWalker-v3, BipedalWalkerHardcore-v3. Own options: hardcore."""

@overload
def make(
    task_id: CarRacingTask,
    env_type: Literal["gymnasium"] = "gymnasium",
    *,
    num_envs: int = 1,
    gym_reset_return_info: Literal[True] | None = None,
    **options: Unpack[CarRacingOptions],
) -> GymnasiumEnvPool[Array]:
    """CarRacing-v3, CarRacing-v2. Own options: verbose, lap_complete_percent, domain_randomize, continuous."""

@overload
def make(
    task_id: CarRacingTask,
    env_type: Literal["gym"],
    *,
    num_envs: int = 1,
    gym_reset_return_info: bool | None = None,
    **options: Unpack[CarRacingOptions],
) -> GymEnvPool:
    """CarRacing-v3, CarRacing-v2. Own options: verbose, lap_complete_percent, domain_randomize, continuous."""

@overload
def make(
    task_id: CarRacingTask,
    env_type: Literal["dm"],
    *,
    num_envs: int = 1,
    gym_reset_return_info: Literal[True] | None = None,
    **options: Unpack[CarRacingOptions],
) -> DMEnvPool:
    """CarRacing-v3, CarRacing-v2. Own options: verbose, lap_complete_percent, domain_randomize, continuous."""

@overload
def make(
    task_id: AcrobotSwingupTask,
    env_type: Literal["gymnasium"] = "gymnasium",
    *,
    num_envs: int = 1,
    gym_reset_return_info: Literal[True] | None = None,
    **options: Unpack[AcrobotSwingupOptions],
) -> GymnasiumEnvPool[dict[str, Array]]:
    """AcrobotSwingup-v1, dm_control/acrobot-swingup, AcrobotSwingupSparse-v1 and 1 more. Own options: task_name, suite_dir, frame_skip, n_sub_steps, frame_stack, time_limit, flat_observation, domain_keys, physics, visualize_reward, legacy_step, from_pixels, camera_name, camera_lookat, camera_distance, camera_azimuth, camera_elevation, camera_orthographic, max_geom, visual_options, render_shadows, render_shadow_size, render_reflections, render_skybox, render_haze, render_textures, render_multisamples, width, height, camera_id."""

@overload
def make(
    task_id: AcrobotSwingupTask,
    env_type: Literal["gym"],
    *,
    num_envs: int = 1,
    gym_reset_return_info: bool | None = None,
    **options: Unpack[AcrobotSwingupOptions],
) -> GymEnvPool:
    """AcrobotSwingup-v1, dm_control/acrobot-swingup, AcrobotSwingupSparse-v1 and 1 more. Own options: task_name, suite_dir, frame_skip, n_sub_steps, frame_stack, time_limit, flat_observation, domain_keys, physics, visualize_reward, legacy_step, from_pixels, camera_name, camera_lookat, camera_distance, camera_azimuth, camera_elevation, camera_orthographic, max_geom, visual_options, render_shadows, render_shadow_size, render_reflections, render_skybox, render_haze, render_textures, render_multisamples, width, height, camera_id."""

@overload
def make(
    task_id: AcrobotSwingupTask,
    env_type: Literal["dm"],
    *,
    num_envs: int = 1,
    gym_reset_return_info: Literal[True] | None = None,
    **options: Unpack[AcrobotSwingupOptions],
) -> DMEnvPool:
    """AcrobotSwingup-v1, dm_control/acrobot-swingup, AcrobotSwingupSparse-v1 and 1 more. Own options: task_name, suite_dir, frame_skip, n_sub_steps, frame_stack, time_limit, flat_observation, domain_keys, physics, visualize_reward, legacy_step, from_pixels, camera_name, camera_lookat, camera_distance, camera_azimuth, camera_elevation, camera_orthographic, max_geom, visual_options, render_shadows, render_shadow_size, render_reflections, render_skybox, render_haze, render_textures, render_multisamples, width, height, camera_id."""

@overload
def make(
    task_id: BallInCupCatchTask,
    env_type: Literal["gymnasium"] = "gymnasium",
    *,
    num_envs: int = 1,
    gym_reset_return_info: Literal[True] | None = None,
    **options: Unpack[BallInCupCatchOptions],
) -> GymnasiumEnvPool[dict[str, Array]]:
    """BallInCupCatch-v1, dm_control/ball_in_cup-catch. Own options: task_name, suite_dir, frame_skip, n_sub_steps, frame_stack, time_limit, flat_observation, domain_keys, physics, visualize_reward, legacy_step, from_pixels, camera_name, camera_lookat, camera_distance, camera_azimuth, camera_elevation, camera_orthographic, max_geom, visual_options, render_shadows, render_shadow_size, render_reflections, render_skybox, render_haze, render_textures, render_multisamples, width, height, camera_id."""

@overload
def make(
    task_id: BallInCupCatchTask,
    env_type: Literal["gym"],
    *,
    num_envs: int = 1,
    gym_reset_return_info: bool | None = None,
    **options: Unpack[BallInCupCatchOptions],
) -> GymEnvPool:
    """BallInCupCatch-v1, dm_control/ball_in_cup-catch. Own options: task_name, suite_dir, frame_skip, n_sub_steps, frame_stack, time_limit, flat_observation, domain_keys, physics, visualize_reward, legacy_step, from_pixels, camera_name, camera_lookat, camera_distance, camera_azimuth, camera_elevation, camera_orthographic, max_geom, visual_options, render_shadows, render_shadow_size, render_reflections, render_skybox, render_haze, render_textures, render_multisamples, width, height, camera_id."""

@overload
def make(
    task_id: BallInCupCatchTask,
    env_type: Literal["dm"],
    *,
    num_envs: int = 1,
    gym_reset_return_info: Literal[True] | None = None,
    **options: Unpack[BallInCupCatchOptions],
) -> DMEnvPool:
    """BallInCupCatch-v1, dm_control/ball_in_cup-catch. Own options: task_name, suite_dir, frame_skip, n_sub_steps, frame_stack, time_limit, flat_observation, domain_keys, physics, visualize_reward, legacy_step, from_pixels, camera_name, camera_lookat, camera_distance, camera_azimuth, camera_elevation, camera_orthographic, max_geom, visual_options, render_shadows, render_shadow_size, render_reflections, render_skybox, render_haze, render_textures, render_multisamples, width, height, camera_id."""

@overload
def make(
    task_id: CartpoleBalanceTask,
    env_type: Literal["gymnasium"] = "gymnasium",
    *,
    num_envs: int = 1,
    gym_reset_return_info: Literal[True] | None = None,
    **options: Unpack[CartpoleBalanceOptions],
) -> GymnasiumEnvPool[dict[str, Array]]:
    """CartpoleBalance-v1, dm_control/cartpole-balance, CartpoleBalanceSparse-v1 and 9 more. Own options: task_name, suite_dir, frame_skip, n_sub_steps, frame_stack, time_limit, flat_observation, domain_keys, physics, visualize_reward, legacy_step, num_poles, sparse, from_pixels, camera_name, camera_lookat, camera_distance, camera_azimuth, camera_elevation, camera_orthographic, max_geom, visual_options, render_shadows, render_shadow_size, render_reflections, render_skybox, render_haze, render_textures, render_multisamples, width, height, camera_id."""

@overload
def make(
    task_id: CartpoleBalanceTask,
    env_type: Literal["gym"],
    *,
    num_envs: int = 1,
    gym_reset_return_info: bool | None = None,
    **options: Unpack[CartpoleBalanceOptions],
) -> GymEnvPool:
    """CartpoleBalance-v1, dm_control/cartpole-balance, CartpoleBalanceSparse-v1 and 9 more. Own options: task_name, suite_dir, frame_skip, n_sub_steps, frame_stack, time_limit, flat_observation, domain_keys, physics, visualize_reward, legacy_step, num_poles, sparse, from_pixels, camera_name, camera_lookat, camera_distance, camera_azimuth, camera_elevation, camera_orthographic, max_geom, visual_options, render_shadows, render_shadow_size, render_reflections, render_skybox, render_haze, render_textures, render_multisamples, width, height, camera_id."""

@overload
def make(
    task_id: CartpoleBalanceTask,
    env_type: Literal["dm"],
    *,
    num_envs: int = 1,
    gym_reset_return_info: Literal[True] | None = None,
    **options: Unpack[CartpoleBalanceOptions],
) -> DMEnvPool:
    """CartpoleBalance-v1, dm_control/cartpole-balance, CartpoleBalanceSparse-v1 and 9 more. Own options: task_name, suite_dir, frame_skip, n_sub_steps, frame_stack, time_limit, flat_observation, domain_keys, physics, visualize_reward, legacy_step, num_poles, sparse, from_pixels, camera_name, camera_lookat, camera_distance, camera_azimuth, camera_elevation, camera_orthographic, max_geom, visual_options, render_shadows, render_shadow_size, render_reflections, render_skybox, render_haze, render_textures, render_multisamples, width, height, camera_id."""

@overload
def make(
    task_id: CheetahRunTask,
    env_type: Literal["gymnasium"] = "gymnasium",
    *,
    num_envs: int = 1,
    gym_reset_return_info: Literal[True] | None = None,
    **options: Unpack[CheetahRunOptions],
) -> GymnasiumEnvPool[dict[str, Array]]:
    """CheetahRun-v1, dm_control/cheetah-run. Own options: task_name, suite_dir, frame_skip, n_sub_steps, frame_stack, time_limit, flat_observation, domain_keys, physics, visualize_reward, legacy_step, from_pixels, camera_name, camera_lookat, camera_distance, camera_azimuth, camera_elevation, camera_orthographic, max_geom, visual_options, render_shadows, render_shadow_size, render_reflections, render_skybox, render_haze, render_textures, render_multisamples, width, height, camera_id."""

@overload
def make(
    task_id: CheetahRunTask,
    env_type: Literal["gym"],
    *,
    num_envs: int = 1,
    gym_reset_return_info: bool | None = None,
    **options: Unpack[CheetahRunOptions],
) -> GymEnvPool:
    """CheetahRun-v1, dm_control/cheetah-run. Own options: task_name, suite_dir, frame_skip, n_sub_steps, frame_stack, time_limit, flat_observation, domain_keys, physics, visualize_reward, legacy_step, from_pixels, camera_name, camera_lookat, camera_distance, camera_azimuth, camera_elevation, camera_orthographic, max_geom, visual_options, render_shadows, render_shadow_size, render_reflections, render_skybox, render_haze, render_textures, render_multisamples, width, height, camera_id."""

@overload
def make(
    task_id: CheetahRunTask,
    env_type: Literal["dm"],
    *,
    num_envs: int = 1,
    gym_reset_return_info: Literal[True] | None = None,
    **options: Unpack[CheetahRunOptions],
) -> DMEnvPool:
    """CheetahRun-v1, dm_control/cheetah-run. Own options: task_name, suite_dir, frame_skip, n_sub_steps, frame_stack, time_limit, flat_observation, domain_keys, physics, visualize_reward, legacy_step, from_pixels, camera_name, camera_lookat, camera_distance, camera_azimuth, camera_elevation, camera_orthographic, max_geom, visual_options, render_shadows, render_shadow_size, render_reflections, render_skybox, render_haze, render_textures, render_multisamples, width, height, camera_id."""

@overload
def make(
    task_id: DogStandTask,
    env_type: Literal["gymnasium"] = "gymnasium",
    *,
    num_envs: int = 1,
    gym_reset_return_info: Literal[True] | None = None,
    **options: Unpack[DogStandOptions],
) -> GymnasiumEnvPool[dict[str, Array]]:
    """DogStand-v1, dm_control/dog-stand, DogWalk-v1 and 7 more. Own options: task_name, suite_dir, frame_skip, n_sub_steps, frame_stack, time_limit, flat_observation, domain_keys, physics, visualize_reward, legacy_step, from_pixels, camera_name, camera_lookat, camera_distance, camera_azimuth, camera_elevation, camera_orthographic, max_geom, visual_options, render_shadows, render_shadow_size, render_reflections, render_skybox, render_haze, render_textures, render_multisamples, width, height, camera_id."""

@overload
def make(
    task_id: DogStandTask,
    env_type: Literal["gym"],
    *,
    num_envs: int = 1,
    gym_reset_return_info: bool | None = None,
    **options: Unpack[DogStandOptions],
) -> GymEnvPool:
    """DogStand-v1, dm_control/dog-stand, DogWalk-v1 and 7 more. Own options: task_name, suite_dir, frame_skip, n_sub_steps, frame_stack, time_limit, flat_observation, domain_keys, physics, visualize_reward, legacy_step, from_pixels, camera_name, camera_lookat, camera_distance, camera_azimuth, camera_elevation, camera_orthographic, max_geom, visual_options, render_shadows, render_shadow_size, render_reflections, render_skybox, render_haze, render_textures, render_multisamples, width, height, camera_id."""

@overload
def make(
    task_id: DogStandTask,
    env_type: Literal["dm"],
    *,
    num_envs: int = 1,
    gym_reset_return_info: Literal[True] | None = None,
    **options: Unpack[DogStandOptions],
) -> DMEnvPool:
    """DogStand-v1, dm_control/dog-stand, DogWalk-v1 and 7 more. Own options: task_name, suite_dir, frame_skip, n_sub_steps, frame_stack, time_limit, flat_observation, domain_keys, physics, visualize_reward, legacy_step, from_pixels, camera_name, camera_lookat, camera_distance, camera_azimuth, camera_elevation, camera_orthographic, max_geom, visual_options, render_shadows, render_shadow_size, render_reflections, render_skybox, render_haze, render_textures, render_multisamples, width, height, camera_id."""

@overload
def make(
    task_id: FingerSpinTask,
    env_type: Literal["gymnasium"] = "gymnasium",
    *,
    num_envs: int = 1,
    gym_reset_return_info: Literal[True] | None = None,
    **options: Unpack[FingerSpinOptions],
) -> GymnasiumEnvPool[dict[str, Array]]:
    """FingerSpin-v1, dm_control/finger-spin, FingerTurnEasy-v1 and 3 more. Own options: task_name, suite_dir, frame_skip, n_sub_steps, frame_stack, time_limit, flat_observation, domain_keys, physics, visualize_reward, legacy_step, from_pixels, camera_name, camera_lookat, camera_distance, camera_azimuth, camera_elevation, camera_orthographic, max_geom, visual_options, render_shadows, render_shadow_size, render_reflections, render_skybox, render_haze, render_textures, render_multisamples, width, height, camera_id."""

@overload
def make(
    task_id: FingerSpinTask,
    env_type: Literal["gym"],
    *,
    num_envs: int = 1,
    gym_reset_return_info: bool | None = None,
    **options: Unpack[FingerSpinOptions],
) -> GymEnvPool:
    """FingerSpin-v1, dm_control/finger-spin, FingerTurnEasy-v1 and 3 more. Own options: task_name, suite_dir, frame_skip, n_sub_steps, frame_stack, time_limit, flat_observation, domain_keys, physics, visualize_reward, legacy_step, from_pixels, camera_name, camera_lookat, camera_distance, camera_azimuth, camera_elevation, camera_orthographic, max_geom, visual_options, render_shadows, render_shadow_size, render_reflections, render_skybox, render_haze, render_textures, render_multisamples, width, height, camera_id."""

@overload
def make(
    task_id: FingerSpinTask,
    env_type: Literal["dm"],
    *,
    num_envs: int = 1,
    gym_reset_return_info: Literal[True] | None = None,
    **options: Unpack[FingerSpinOptions],
) -> DMEnvPool:
    """FingerSpin-v1, dm_control/finger-spin, FingerTurnEasy-v1 and 3 more. Own options: task_name, suite_dir, frame_skip, n_sub_steps, frame_stack, time_limit, flat_observation, domain_keys, physics, visualize_reward, legacy_step, from_pixels, camera_name, camera_lookat, camera_distance, camera_azimuth, camera_elevation, camera_orthographic, max_geom, visual_options, render_shadows, render_shadow_size, render_reflections, render_skybox, render_haze, render_textures, render_multisamples, width, height, camera_id."""

@overload
def make(
    task_id: FishUprightTask,
    env_type: Literal["gymnasium"] = "gymnasium",
    *,
    num_envs: int = 1,
    gym_reset_return_info: Literal[True] | None = None,
    **options: Unpack[FishUprightOptions],
) -> GymnasiumEnvPool[dict[str, Array]]:
    """FishUpright-v1, dm_control/fish-upright, FishSwim-v1 and 1 more. Own options: task_name, suite_dir, frame_skip, n_sub_steps, frame_stack, time_limit, flat_observation, domain_keys, physics, visualize_reward, legacy_step, from_pixels, camera_name, camera_lookat, camera_distance, camera_azimuth, camera_elevation, camera_orthographic, max_geom, visual_options, render_shadows, render_shadow_size, render_reflections, render_skybox, render_haze, render_textures, render_multisamples, width, height, camera_id."""

@overload
def make(
    task_id: FishUprightTask,
    env_type: Literal["gym"],
    *,
    num_envs: int = 1,
    gym_reset_return_info: bool | None = None,
    **options: Unpack[FishUprightOptions],
) -> GymEnvPool:
    """FishUpright-v1, dm_control/fish-upright, FishSwim-v1 and 1 more. Own options: task_name, suite_dir, frame_skip, n_sub_steps, frame_stack, time_limit, flat_observation, domain_keys, physics, visualize_reward, legacy_step, from_pixels, camera_name, camera_lookat, camera_distance, camera_azimuth, camera_elevation, camera_orthographic, max_geom, visual_options, render_shadows, render_shadow_size, render_reflections, render_skybox, render_haze, render_textures, render_multisamples, width, height, camera_id."""

@overload
def make(
    task_id: FishUprightTask,
    env_type: Literal["dm"],
    *,
    num_envs: int = 1,
    gym_reset_return_info: Literal[True] | None = None,
    **options: Unpack[FishUprightOptions],
) -> DMEnvPool:
    """FishUpright-v1, dm_control/fish-upright, FishSwim-v1 and 1 more. Own options: task_name, suite_dir, frame_skip, n_sub_steps, frame_stack, time_limit, flat_observation, domain_keys, physics, visualize_reward, legacy_step, from_pixels, camera_name, camera_lookat, camera_distance, camera_azimuth, camera_elevation, camera_orthographic, max_geom, visual_options, render_shadows, render_shadow_size, render_reflections, render_skybox, render_haze, render_textures, render_multisamples, width, height, camera_id."""

@overload
def make(
    task_id: HopperStandTask,
    env_type: Literal["gymnasium"] = "gymnasium",
    *,
    num_envs: int = 1,
    gym_reset_return_info: Literal[True] | None = None,
    **options: Unpack[HopperStandOptions],
) -> GymnasiumEnvPool[dict[str, Array]]:
    """HopperStand-v1, dm_control/hopper-stand, HopperHop-v1 and 1 more. Own options: task_name, suite_dir, frame_skip, n_sub_steps, frame_stack, time_limit, flat_observation, domain_keys, physics, visualize_reward, legacy_step, from_pixels, camera_name, camera_lookat, camera_distance, camera_azimuth, camera_elevation, camera_orthographic, max_geom, visual_options, render_shadows, render_shadow_size, render_reflections, render_skybox, render_haze, render_textures, render_multisamples, width, height, camera_id."""

@overload
def make(
    task_id: HopperStandTask,
    env_type: Literal["gym"],
    *,
    num_envs: int = 1,
    gym_reset_return_info: bool | None = None,
    **options: Unpack[HopperStandOptions],
) -> GymEnvPool:
    """HopperStand-v1, dm_control/hopper-stand, HopperHop-v1 and 1 more. Own options: task_name, suite_dir, frame_skip, n_sub_steps, frame_stack, time_limit, flat_observation, domain_keys, physics, visualize_reward, legacy_step, from_pixels, camera_name, camera_lookat, camera_distance, camera_azimuth, camera_elevation, camera_orthographic, max_geom, visual_options, render_shadows, render_shadow_size, render_reflections, render_skybox, render_haze, render_textures, render_multisamples, width, height, camera_id."""

@overload
def make(
    task_id: HopperStandTask,
    env_type: Literal["dm"],
    *,
    num_envs: int = 1,
    gym_reset_return_info: Literal[True] | None = None,
    **options: Unpack[HopperStandOptions],
) -> DMEnvPool:
    """HopperStand-v1, dm_control/hopper-stand, HopperHop-v1 and 1 more. Own options: task_name, suite_dir, frame_skip, n_sub_steps, frame_stack, time_limit, flat_observation, domain_keys, physics, visualize_reward, legacy_step, from_pixels, camera_name, camera_lookat, camera_distance, camera_azimuth, camera_elevation, camera_orthographic, max_geom, visual_options, render_shadows, render_shadow_size, render_reflections, render_skybox, render_haze, render_textures, render_multisamples, width, height, camera_id."""

@overload
def make(
    task_id: HumanoidStandTask,
    env_type: Literal["gymnasium"] = "gymnasium",
    *,
    num_envs: int = 1,
    gym_reset_return_info: Literal[True] | None = None,
    **options: Unpack[HumanoidStandOptions],
) -> GymnasiumEnvPool[dict[str, Array]]:
    """HumanoidStand-v1, dm_control/humanoid-stand, HumanoidWalk-v1 and 5 more. Own options: task_name, suite_dir, frame_skip, n_sub_steps, frame_stack, time_limit, flat_observation, domain_keys, physics, visualize_reward, legacy_step, from_pixels, camera_name, camera_lookat, camera_distance, camera_azimuth, camera_elevation, camera_orthographic, max_geom, visual_options, render_shadows, render_shadow_size, render_reflections, render_skybox, render_haze, render_textures, render_multisamples, width, height, camera_id."""

@overload
def make(
    task_id: HumanoidStandTask,
    env_type: Literal["gym"],
    *,
    num_envs: int = 1,
    gym_reset_return_info: bool | None = None,
    **options: Unpack[HumanoidStandOptions],
) -> GymEnvPool:
    """HumanoidStand-v1, dm_control/humanoid-stand, HumanoidWalk-v1 and 5 more. Own options: task_name, suite_dir, frame_skip, n_sub_steps, frame_stack, time_limit, flat_observation, domain_keys, physics, visualize_reward, legacy_step, from_pixels, camera_name, camera_lookat, camera_distance, camera_azimuth, camera_elevation, camera_orthographic, max_geom, visual_options, render_shadows, render_shadow_size, render_reflections, render_skybox, render_haze, render_textures, render_multisamples, width, height, camera_id."""

@overload
def make(
    task_id: HumanoidStandTask,
    env_type: Literal["dm"],
    *,
    num_envs: int = 1,
    gym_reset_return_info: Literal[True] | None = None,
    **options: Unpack[HumanoidStandOptions],
) -> DMEnvPool:
    """HumanoidStand-v1, dm_control/humanoid-stand, HumanoidWalk-v1 and 5 more. Own options: task_name, suite_dir, frame_skip, n_sub_steps, frame_stack, time_limit, flat_observation, domain_keys, physics, visualize_reward, legacy_step, from_pixels, camera_name, camera_lookat, camera_distance, camera_azimuth, camera_elevation, camera_orthographic, max_geom, visual_options, render_shadows, render_shadow_size, render_reflections, render_skybox, render_haze, render_textures, render_multisamples, width, height, camera_id."""

@overload
def make(
    task_id: HumanoidCMUStandTask,
    env_type: Literal["gymnasium"] = "gymnasium",
    *,
    num_envs: int = 1,
    gym_reset_return_info: Literal[True] | None = None,
    **options: Unpack[HumanoidCMUStandOptions],
) -> GymnasiumEnvPool[dict[str, Array]]:
    """HumanoidCMUStand-v1, dm_control/humanoid_CMU-stand, HumanoidCMUWalk-v1 and 9 more. Own options: task_name, suite_dir, frame_skip, n_sub_steps, frame_stack, time_limit, flat_observation, domain_keys, physics, visualize_reward, legacy_step, from_pixels, camera_name, camera_lookat, camera_distance, camera_azimuth, camera_elevation, camera_orthographic, max_geom, visual_options, render_shadows, render_shadow_size, render_reflections, render_skybox, render_haze, render_textures, render_multisamples, width, height, camera_id."""

@overload
def make(
    task_id: HumanoidCMUStandTask,
    env_type: Literal["gym"],
    *,
    num_envs: int = 1,
    gym_reset_return_info: bool | None = None,
    **options: Unpack[HumanoidCMUStandOptions],
) -> GymEnvPool:
    """HumanoidCMUStand-v1, dm_control/humanoid_CMU-stand, HumanoidCMUWalk-v1 and 9 more. Own options: task_name, suite_dir, frame_skip, n_sub_steps, frame_stack, time_limit, flat_observation, domain_keys, physics, visualize_reward, legacy_step, from_pixels, camera_name, camera_lookat, camera_distance, camera_azimuth, camera_elevation, camera_orthographic, max_geom, visual_options, render_shadows, render_shadow_size, render_reflections, render_skybox, render_haze, render_textures, render_multisamples, width, height, camera_id."""

@overload
def make(
    task_id: HumanoidCMUStandTask,
    env_type: Literal["dm"],
    *,
    num_envs: int = 1,
    gym_reset_return_info: Literal[True] | None = None,
    **options: Unpack[HumanoidCMUStandOptions],
) -> DMEnvPool:
    """HumanoidCMUStand-v1, dm_control/humanoid_CMU-stand, HumanoidCMUWalk-v1 and 9 more. Own options: task_name, suite_dir, frame_skip, n_sub_steps, frame_stack, time_limit, flat_observation, domain_keys, physics, visualize_reward, legacy_step, from_pixels, camera_name, camera_lookat, camera_distance, camera_azimuth, camera_elevation, camera_orthographic, max_geom, visual_options, render_shadows, render_shadow_size, render_reflections, render_skybox, render_haze, render_textures, render_multisamples, width, height, camera_id."""

@overload
def make(
    task_id: LqrLqr21Task,
    env_type: Literal["gymnasium"] = "gymnasium",
    *,
    num_envs: int = 1,
    gym_reset_return_info: Literal[True] | None = None,
    **options: Unpack[LqrLqr21Options],
) -> GymnasiumEnvPool[dict[str, Array]]:
    """LqrLqr21-v1, dm_control/lqr-lqr_2_1, LqrLqr62-v1 and 1 more. Own options: task_name, suite_dir, frame_skip, n_sub_steps, frame_stack, time_limit, flat_observation, domain_keys, physics, visualize_reward, legacy_step, from_pixels, camera_name, camera_lookat, camera_distance, camera_azimuth, camera_elevation, camera_orthographic, max_geom, visual_options, render_shadows, render_shadow_size, render_reflections, render_skybox, render_haze, render_textures, render_multisamples, width, height, camera_id."""

@overload
def make(
    task_id: LqrLqr21Task,
    env_type: Literal["gym"],
    *,
    num_envs: int = 1,
    gym_reset_return_info: bool | None = None,
    **options: Unpack[LqrLqr21Options],
) -> GymEnvPool:
    """LqrLqr21-v1, dm_control/lqr-lqr_2_1, LqrLqr62-v1 and 1 more. Own options: task_name, suite_dir, frame_skip, n_sub_steps, frame_stack, time_limit, flat_observation, domain_keys, physics, visualize_reward, legacy_step, from_pixels, camera_name, camera_lookat, camera_distance, camera_azimuth, camera_elevation, camera_orthographic, max_geom, visual_options, render_shadows, render_shadow_size, render_reflections, render_skybox, render_haze, render_textures, render_multisamples, width, height, camera_id."""

@overload
def make(
    task_id: LqrLqr21Task,
    env_type: Literal["dm"],
    *,
    num_envs: int = 1,
    gym_reset_return_info: Literal[True] | None = None,
    **options: Unpack[LqrLqr21Options],
) -> DMEnvPool:
    """LqrLqr21-v1, dm_control/lqr-lqr_2_1, LqrLqr62-v1 and 1 more. Own options: task_name, suite_dir, frame_skip, n_sub_steps, frame_stack, time_limit, flat_observation, domain_keys, physics, visualize_reward, legacy_step, from_pixels, camera_name, camera_lookat, camera_distance, camera_azimuth, camera_elevation, camera_orthographic, max_geom, visual_options, render_shadows, render_shadow_size, render_reflections, render_skybox, render_haze, render_textures, render_multisamples, width, height, camera_id."""

@overload
def make(
    task_id: ManipulatorBringBallTask,
    env_type: Literal["gymnasium"] = "gymnasium",
    *,
    num_envs: int = 1,
    gym_reset_return_info: Literal[True] | None = None,
    **options: Unpack[ManipulatorBringBallOptions],
) -> GymnasiumEnvPool[dict[str, Array]]:
    """ManipulatorBringBall-v1, dm_control/manipulator-bring_ball, ManipulatorBringPeg-v1 and 5 more. Own options: task_name, suite_dir, frame_skip, n_sub_steps, frame_stack, time_limit, flat_observation, domain_keys, physics, visualize_reward, legacy_step, fully_observable, from_pixels, camera_name, camera_lookat, camera_distance, camera_azimuth, camera_elevation, camera_orthographic, max_geom, visual_options, render_shadows, render_shadow_size, render_reflections, render_skybox, render_haze, render_textures, render_multisamples, width, height, camera_id."""

@overload
def make(
    task_id: ManipulatorBringBallTask,
    env_type: Literal["gym"],
    *,
    num_envs: int = 1,
    gym_reset_return_info: bool | None = None,
    **options: Unpack[ManipulatorBringBallOptions],
) -> GymEnvPool:
    """ManipulatorBringBall-v1, dm_control/manipulator-bring_ball, ManipulatorBringPeg-v1 and 5 more. Own options: task_name, suite_dir, frame_skip, n_sub_steps, frame_stack, time_limit, flat_observation, domain_keys, physics, visualize_reward, legacy_step, fully_observable, from_pixels, camera_name, camera_lookat, camera_distance, camera_azimuth, camera_elevation, camera_orthographic, max_geom, visual_options, render_shadows, render_shadow_size, render_reflections, render_skybox, render_haze, render_textures, render_multisamples, width, height, camera_id."""

@overload
def make(
    task_id: ManipulatorBringBallTask,
    env_type: Literal["dm"],
    *,
    num_envs: int = 1,
    gym_reset_return_info: Literal[True] | None = None,
    **options: Unpack[ManipulatorBringBallOptions],
) -> DMEnvPool:
    """ManipulatorBringBall-v1, dm_control/manipulator-bring_ball, ManipulatorBringPeg-v1 and 5 more. Own options: task_name, suite_dir, frame_skip, n_sub_steps, frame_stack, time_limit, flat_observation, domain_keys, physics, visualize_reward, legacy_step, fully_observable, from_pixels, camera_name, camera_lookat, camera_distance, camera_azimuth, camera_elevation, camera_orthographic, max_geom, visual_options, render_shadows, render_shadow_size, render_reflections, render_skybox, render_haze, render_textures, render_multisamples, width, height, camera_id."""

@overload
def make(
    task_id: PendulumSwingupTask,
    env_type: Literal["gymnasium"] = "gymnasium",
    *,
    num_envs: int = 1,
    gym_reset_return_info: Literal[True] | None = None,
    **options: Unpack[PendulumSwingupOptions],
) -> GymnasiumEnvPool[dict[str, Array]]:
    """PendulumSwingup-v1, dm_control/pendulum-swingup. Own options: task_name, suite_dir, frame_skip, n_sub_steps, frame_stack, time_limit, flat_observation, domain_keys, physics, visualize_reward, legacy_step, from_pixels, camera_name, camera_lookat, camera_distance, camera_azimuth, camera_elevation, camera_orthographic, max_geom, visual_options, render_shadows, render_shadow_size, render_reflections, render_skybox, render_haze, render_textures, render_multisamples, width, height, camera_id."""

@overload
def make(
    task_id: PendulumSwingupTask,
    env_type: Literal["gym"],
    *,
    num_envs: int = 1,
    gym_reset_return_info: bool | None = None,
    **options: Unpack[PendulumSwingupOptions],
) -> GymEnvPool:
    """PendulumSwingup-v1, dm_control/pendulum-swingup. Own options: task_name, suite_dir, frame_skip, n_sub_steps, frame_stack, time_limit, flat_observation, domain_keys, physics, visualize_reward, legacy_step, from_pixels, camera_name, camera_lookat, camera_distance, camera_azimuth, camera_elevation, camera_orthographic, max_geom, visual_options, render_shadows, render_shadow_size, render_reflections, render_skybox, render_haze, render_textures, render_multisamples, width, height, camera_id."""

@overload
def make(
    task_id: PendulumSwingupTask,
    env_type: Literal["dm"],
    *,
    num_envs: int = 1,
    gym_reset_return_info: Literal[True] | None = None,
    **options: Unpack[PendulumSwingupOptions],
) -> DMEnvPool:
    """PendulumSwingup-v1, dm_control/pendulum-swingup. Own options: task_name, suite_dir, frame_skip, n_sub_steps, frame_stack, time_limit, flat_observation, domain_keys, physics, visualize_reward, legacy_step, from_pixels, camera_name, camera_lookat, camera_distance, camera_azimuth, camera_elevation, camera_orthographic, max_geom, visual_options, render_shadows, render_shadow_size, render_reflections, render_skybox, render_haze, render_textures, render_multisamples, width, height, camera_id."""

@overload
def make(
    task_id: PointMassEasyTask,
    env_type: Literal["gymnasium"] = "gymnasium",
    *,
    num_envs: int = 1,
    gym_reset_return_info: Literal[True] | None = None,
    **options: Unpack[PointMassEasyOptions],
) -> GymnasiumEnvPool[dict[str, Array]]:
    """PointMassEasy-v1, dm_control/point_mass-easy, PointMassHard-v1 and 5 more. Own options: task_name, suite_dir, frame_skip, n_sub_steps, frame_stack, time_limit, flat_observation, domain_keys, physics, visualize_reward, legacy_step, from_pixels, camera_name, camera_lookat, camera_distance, camera_azimuth, camera_elevation, camera_orthographic, max_geom, visual_options, render_shadows, render_shadow_size, render_reflections, render_skybox, render_haze, render_textures, render_multisamples, width, height, camera_id."""

@overload
def make(
    task_id: PointMassEasyTask,
    env_type: Literal["gym"],
    *,
    num_envs: int = 1,
    gym_reset_return_info: bool | None = None,
    **options: Unpack[PointMassEasyOptions],
) -> GymEnvPool:
    """PointMassEasy-v1, dm_control/point_mass-easy, PointMassHard-v1 and 5 more. Own options: task_name, suite_dir, frame_skip, n_sub_steps, frame_stack, time_limit, flat_observation, domain_keys, physics, visualize_reward, legacy_step, from_pixels, camera_name, camera_lookat, camera_distance, camera_azimuth, camera_elevation, camera_orthographic, max_geom, visual_options, render_shadows, render_shadow_size, render_reflections, render_skybox, render_haze, render_textures, render_multisamples, width, height, camera_id."""

@overload
def make(
    task_id: PointMassEasyTask,
    env_type: Literal["dm"],
    *,
    num_envs: int = 1,
    gym_reset_return_info: Literal[True] | None = None,
    **options: Unpack[PointMassEasyOptions],
) -> DMEnvPool:
    """PointMassEasy-v1, dm_control/point_mass-easy, PointMassHard-v1 and 5 more. Own options: task_name, suite_dir, frame_skip, n_sub_steps, frame_stack, time_limit, flat_observation, domain_keys, physics, visualize_reward, legacy_step, from_pixels, camera_name, camera_lookat, camera_distance, camera_azimuth, camera_elevation, camera_orthographic, max_geom, visual_options, render_shadows, render_shadow_size, render_reflections, render_skybox, render_haze, render_textures, render_multisamples, width, height, camera_id."""

@overload
def make(
    task_id: QuadrupedWalkTask,
    env_type: Literal["gymnasium"] = "gymnasium",
    *,
    num_envs: int = 1,
    gym_reset_return_info: Literal[True] | None = None,
    **options: Unpack[QuadrupedWalkOptions],
) -> GymnasiumEnvPool[dict[str, Array]]:
    """QuadrupedWalk-v1, dm_control/quadruped-walk, QuadrupedRun-v1 and 5 more. Own options: task_name, suite_dir, frame_skip, n_sub_steps, frame_stack, time_limit, flat_observation, domain_keys, physics, visualize_reward, legacy_step, from_pixels, camera_name, camera_lookat, camera_distance, camera_azimuth, camera_elevation, camera_orthographic, max_geom, visual_options, render_shadows, render_shadow_size, render_reflections, render_skybox, render_haze, render_textures, render_multisamples, width, height, camera_id."""

@overload
def make(
    task_id: QuadrupedWalkTask,
    env_type: Literal["gym"],
    *,
    num_envs: int = 1,
    gym_reset_return_info: bool | None = None,
    **options: Unpack[QuadrupedWalkOptions],
) -> GymEnvPool:
    """QuadrupedWalk-v1, dm_control/quadruped-walk, QuadrupedRun-v1 and 5 more. Own options: task_name, suite_dir, frame_skip, n_sub_steps, frame_stack, time_limit, flat_observation, domain_keys, physics, visualize_reward, legacy_step, from_pixels, camera_name, camera_lookat, camera_distance, camera_azimuth, camera_elevation, camera_orthographic, max_geom, visual_options, render_shadows, render_shadow_size, render_reflections, render_skybox, render_haze, render_textures, render_multisamples, width, height, camera_id."""

@overload
def make(
    task_id: QuadrupedWalkTask,
    env_type: Literal["dm"],
    *,
    num_envs: int = 1,
    gym_reset_return_info: Literal[True] | None = None,
    **options: Unpack[QuadrupedWalkOptions],
) -> DMEnvPool:
    """QuadrupedWalk-v1, dm_control/quadruped-walk, QuadrupedRun-v1 and 5 more. Own options: task_name, suite_dir, frame_skip, n_sub_steps, frame_stack, time_limit, flat_observation, domain_keys, physics, visualize_reward, legacy_step, from_pixels, camera_name, camera_lookat, camera_distance, camera_azimuth, camera_elevation, camera_orthographic, max_geom, visual_options, render_shadows, render_shadow_size, render_reflections, render_skybox, render_haze, render_textures, render_multisamples, width, height, camera_id."""

@overload
def make(
    task_id: StackerStack2Task,
    env_type: Literal["gymnasium"] = "gymnasium",
    *,
    num_envs: int = 1,
    gym_reset_return_info: Literal[True] | None = None,
    **options: Unpack[StackerStack2Options],
) -> GymnasiumEnvPool[dict[str, Array]]:
    """StackerStack2-v1, dm_control/stacker-stack_2, StackerStack4-v1 and 1 more. Own options: task_name, suite_dir, frame_skip, n_sub_steps, frame_stack, time_limit, flat_observation, domain_keys, physics, visualize_reward, legacy_step, fully_observable, from_pixels, camera_name, camera_lookat, camera_distance, camera_azimuth, camera_elevation, camera_orthographic, max_geom, visual_options, render_shadows, render_shadow_size, render_reflections, render_skybox, render_haze, render_textures, render_multisamples, width, height, camera_id."""

@overload
def make(
    task_id: StackerStack2Task,
    env_type: Literal["gym"],
    *,
    num_envs: int = 1,
    gym_reset_return_info: bool | None = None,
    **options: Unpack[StackerStack2Options],
) -> GymEnvPool:
    """StackerStack2-v1, dm_control/stacker-stack_2, StackerStack4-v1 and 1 more. Own options: task_name, suite_dir, frame_skip, n_sub_steps, frame_stack, time_limit, flat_observation, domain_keys, physics, visualize_reward, legacy_step, fully_observable, from_pixels, camera_name, camera_lookat, camera_distance, camera_azimuth, camera_elevation, camera_orthographic, max_geom, visual_options, render_shadows, render_shadow_size, render_reflections, render_skybox, render_haze, render_textures, render_multisamples, width, height, camera_id."""

@overload
def make(
    task_id: StackerStack2Task,
    env_type: Literal["dm"],
    *,
    num_envs: int = 1,
    gym_reset_return_info: Literal[True] | None = None,
    **options: Unpack[StackerStack2Options],
) -> DMEnvPool:
    """StackerStack2-v1, dm_control/stacker-stack_2, StackerStack4-v1 and 1 more. Own options: task_name, suite_dir, frame_skip, n_sub_steps, frame_stack, time_limit, flat_observation, domain_keys, physics, visualize_reward, legacy_step, fully_observable, from_pixels, camera_name, camera_lookat, camera_distance, camera_azimuth, camera_elevation, camera_orthographic, max_geom, visual_options, render_shadows, render_shadow_size, render_reflections, render_skybox, render_haze, render_textures, render_multisamples, width, height, camera_id."""

@overload
def make(
    task_id: SwimmerSwimmer6Task,
    env_type: Literal["gymnasium"] = "gymnasium",
    *,
    num_envs: int = 1,
    gym_reset_return_info: Literal[True] | None = None,
    **options: Unpack[SwimmerSwimmer6Options],
) -> GymnasiumEnvPool[dict[str, Array]]:
    """SwimmerSwimmer6-v1, dm_control/swimmer-swimmer6, SwimmerSwimmer15-v1 and 1 more. Own options: task_name, suite_dir, frame_skip, n_sub_steps, frame_stack, time_limit, flat_observation, domain_keys, physics, visualize_reward, legacy_step, n_links, from_pixels, camera_name, camera_lookat, camera_distance, camera_azimuth, camera_elevation, camera_orthographic, max_geom, visual_options, render_shadows, render_shadow_size, render_reflections, render_skybox, render_haze, render_textures, render_multisamples, width, height, camera_id."""

@overload
def make(
    task_id: SwimmerSwimmer6Task,
    env_type: Literal["gym"],
    *,
    num_envs: int = 1,
    gym_reset_return_info: bool | None = None,
    **options: Unpack[SwimmerSwimmer6Options],
) -> GymEnvPool:
    """SwimmerSwimmer6-v1, dm_control/swimmer-swimmer6, SwimmerSwimmer15-v1 and 1 more. Own options: task_name, suite_dir, frame_skip, n_sub_steps, frame_stack, time_limit, flat_observation, domain_keys, physics, visualize_reward, legacy_step, n_links, from_pixels, camera_name, camera_lookat, camera_distance, camera_azimuth, camera_elevation, camera_orthographic, max_geom, visual_options, render_shadows, render_shadow_size, render_reflections, render_skybox, render_haze, render_textures, render_multisamples, width, height, camera_id."""

@overload
def make(
    task_id: SwimmerSwimmer6Task,
    env_type: Literal["dm"],
    *,
    num_envs: int = 1,
    gym_reset_return_info: Literal[True] | None = None,
    **options: Unpack[SwimmerSwimmer6Options],
) -> DMEnvPool:
    """SwimmerSwimmer6-v1, dm_control/swimmer-swimmer6, SwimmerSwimmer15-v1 and 1 more. Own options: task_name, suite_dir, frame_skip, n_sub_steps, frame_stack, time_limit, flat_observation, domain_keys, physics, visualize_reward, legacy_step, n_links, from_pixels, camera_name, camera_lookat, camera_distance, camera_azimuth, camera_elevation, camera_orthographic, max_geom, visual_options, render_shadows, render_shadow_size, render_reflections, render_skybox, render_haze, render_textures, render_multisamples, width, height, camera_id."""

@overload
def make(
    task_id: EnvPoolVizdoomTask,
    env_type: Literal["gymnasium"] = "gymnasium",
    *,
    num_envs: int = 1,
    gym_reset_return_info: Literal[True] | None = None,
    **options: Unpack[EnvPoolVizdoomOptions],
) -> GymnasiumEnvPool[Array]:
    """D1Basic-v1, D2Navigation-v1, D3Battle-v1 and 18 more. Own options: scenario, img_height, img_width, stack_num, frame_skip, use_inter_area_resize, episodic_life, use_combined_action, force_speed, lmp_save_dir, reward_config, reward_metric, selected_weapon_reward_config, weapon_duration, delta_button_config, cfg_path, wad_path, iwad_path, vzd_path, game_args, map_id, assets_dir, vizdoom_dir, engine_timeout, restart, fast_palette_copy."""

@overload
def make(
    task_id: EnvPoolVizdoomTask,
    env_type: Literal["gym"],
    *,
    num_envs: int = 1,
    gym_reset_return_info: bool | None = None,
    **options: Unpack[EnvPoolVizdoomOptions],
) -> GymEnvPool:
    """D1Basic-v1, D2Navigation-v1, D3Battle-v1 and 18 more. Own options: scenario, img_height, img_width, stack_num, frame_skip, use_inter_area_resize, episodic_life, use_combined_action, force_speed, lmp_save_dir, reward_config, reward_metric, selected_weapon_reward_config, weapon_duration, delta_button_config, cfg_path, wad_path, iwad_path, vzd_path, game_args, map_id, assets_dir, vizdoom_dir, engine_timeout, restart, fast_palette_copy."""

@overload
def make(
    task_id: EnvPoolVizdoomTask,
    env_type: Literal["dm"],
    *,
    num_envs: int = 1,
    gym_reset_return_info: Literal[True] | None = None,
    **options: Unpack[EnvPoolVizdoomOptions],
) -> DMEnvPool:
    """D1Basic-v1, D2Navigation-v1, D3Battle-v1 and 18 more. Own options: scenario, img_height, img_width, stack_num, frame_skip, use_inter_area_resize, episodic_life, use_combined_action, force_speed, lmp_save_dir, reward_config, reward_metric, selected_weapon_reward_config, weapon_duration, delta_button_config, cfg_path, wad_path, iwad_path, vzd_path, game_args, map_id, assets_dir, vizdoom_dir, engine_timeout, restart, fast_palette_copy."""

@overload
def make(
    task_id: VizdoomTask,
    env_type: Literal["gymnasium"] = "gymnasium",
    *,
    num_envs: int = 1,
    gym_reset_return_info: Literal[True] | None = None,
    **options: Unpack[VizdoomOptions],
) -> GymnasiumEnvPool[dict[str, Array]]:
    """VizdoomBasic-v1, VizdoomBasic-MultiBinary-v1, VizdoomBasicAudio-v1 and 701 more. Own options: scenario_config_file, frame_skip, max_buttons_pressed, treat_episode_timeout_as_truncation, use_multi_binary_action_space, vizdoom_dir, engine_timeout, restart, fast_palette_copy, available_buttons, available_game_variables, doom_game_path, doom_scenario_path, doom_config_path, vizdoom_path, doom_map, doom_skill, game_args, mode, ticrate, episode_start_time, episode_timeout, living_reward, death_penalty, death_reward, map_exit_reward, kill_reward, item_reward, secret_reward, frag_reward, hit_reward, hit_taken_reward, hit_taken_penalty, damage_made_reward, damage_taken_reward, damage_taken_penalty, health_reward, armor_reward, screen_resolution, screen_format, depth_buffer_enabled, labels_buffer_enabled, automap_buffer_enabled, audio_buffer_enabled, notifications_buffer_enabled, objects_info_enabled, sectors_info_enabled, automap_mode, automap_rotate, automap_render_textures, automap_render_objects_as_sprites, audio_sampling_rate, audio_buffer_size, notifications_buffer_size, render_hud, render_minimal_hud, render_weapon, render_crosshair, render_decals, render_particles, render_effects_sprites, render_messages, render_corpses, render_screen_flashes, render_all_frames, sound_enabled, console_enabled, window_visible."""

@overload
def make(
    task_id: VizdoomTask,
    env_type: Literal["gym"],
    *,
    num_envs: int = 1,
    gym_reset_return_info: bool | None = None,
    **options: Unpack[VizdoomOptions],
) -> GymEnvPool:
    """VizdoomBasic-v1, VizdoomBasic-MultiBinary-v1, VizdoomBasicAudio-v1 and 701 more. Own options: scenario_config_file, frame_skip, max_buttons_pressed, treat_episode_timeout_as_truncation, use_multi_binary_action_space, vizdoom_dir, engine_timeout, restart, fast_palette_copy, available_buttons, available_game_variables, doom_game_path, doom_scenario_path, doom_config_path, vizdoom_path, doom_map, doom_skill, game_args, mode, ticrate, episode_start_time, episode_timeout, living_reward, death_penalty, death_reward, map_exit_reward, kill_reward, item_reward, secret_reward, frag_reward, hit_reward, hit_taken_reward, hit_taken_penalty, damage_made_reward, damage_taken_reward, damage_taken_penalty, health_reward, armor_reward, screen_resolution, screen_format, depth_buffer_enabled, labels_buffer_enabled, automap_buffer_enabled, audio_buffer_enabled, notifications_buffer_enabled, objects_info_enabled, sectors_info_enabled, automap_mode, automap_rotate, automap_render_textures, automap_render_objects_as_sprites, audio_sampling_rate, audio_buffer_size, notifications_buffer_size, render_hud, render_minimal_hud, render_weapon, render_crosshair, render_decals, render_particles, render_effects_sprites, render_messages, render_corpses, render_screen_flashes, render_all_frames, sound_enabled, console_enabled, window_visible."""

@overload
def make(
    task_id: VizdoomTask,
    env_type: Literal["dm"],
    *,
    num_envs: int = 1,
    gym_reset_return_info: Literal[True] | None = None,
    **options: Unpack[VizdoomOptions],
) -> DMEnvPool:
    """VizdoomBasic-v1, VizdoomBasic-MultiBinary-v1, VizdoomBasicAudio-v1 and 701 more. Own options: scenario_config_file, frame_skip, max_buttons_pressed, treat_episode_timeout_as_truncation, use_multi_binary_action_space, vizdoom_dir, engine_timeout, restart, fast_palette_copy, available_buttons, available_game_variables, doom_game_path, doom_scenario_path, doom_config_path, vizdoom_path, doom_map, doom_skill, game_args, mode, ticrate, episode_start_time, episode_timeout, living_reward, death_penalty, death_reward, map_exit_reward, kill_reward, item_reward, secret_reward, frag_reward, hit_reward, hit_taken_reward, hit_taken_penalty, damage_made_reward, damage_taken_reward, damage_taken_penalty, health_reward, armor_reward, screen_resolution, screen_format, depth_buffer_enabled, labels_buffer_enabled, automap_buffer_enabled, audio_buffer_enabled, notifications_buffer_enabled, objects_info_enabled, sectors_info_enabled, automap_mode, automap_rotate, automap_render_textures, automap_render_objects_as_sprites, audio_sampling_rate, audio_buffer_size, notifications_buffer_size, render_hud, render_minimal_hud, render_weapon, render_crosshair, render_decals, render_particles, render_effects_sprites, render_messages, render_corpses, render_screen_flashes, render_all_frames, sound_enabled, console_enabled, window_visible."""

@overload
@deprecated("not all of these are options of this task: see `python -m envpool_rs info TASK`")
def make(
    task_id: KnownTask,
    env_type: Literal["gymnasium", "gym", "dm"] = "gymnasium",
    *,
    num_envs: int = 1,
    gym_reset_return_info: bool | None = None,
    **options: Unpack[AnyOptions],
) -> NoSuchOption: ...
@overload
def make(
    task_id: TaskId,
    env_type: Literal["gymnasium"] = "gymnasium",
    *,
    num_envs: int = 1,
    gym_reset_return_info: Literal[True] | None = None,
    **options: Unpack[AnyOptions],
) -> GymnasiumEnvPool: ...
@overload
def make(
    task_id: TaskId,
    env_type: Literal["gym"],
    *,
    num_envs: int = 1,
    gym_reset_return_info: bool | None = None,
    **options: Unpack[AnyOptions],
) -> GymEnvPool: ...
@overload
def make(
    task_id: TaskId,
    env_type: Literal["dm"],
    *,
    num_envs: int = 1,
    gym_reset_return_info: Literal[True] | None = None,
    **options: Unpack[AnyOptions],
) -> DMEnvPool: ...
@overload
def make_gymnasium(
    task_id: CartPoleTask,
    *,
    num_envs: int = 1,
    gym_reset_return_info: Literal[True] | None = None,
    **options: Unpack[CartPoleOptions],
) -> GymnasiumEnvPool[Array]:
    """CartPole-v0, CartPole-v1. Own options: sutton_barto_reward."""

@overload
def make_gymnasium(
    task_id: MountainCarTask,
    *,
    num_envs: int = 1,
    gym_reset_return_info: Literal[True] | None = None,
    **options: Unpack[MountainCarOptions],
) -> GymnasiumEnvPool[Array]:
    """MountainCar-v0, MountainCarContinuous-v0. Own options: goal_velocity."""

@overload
def make_gymnasium(
    task_id: PendulumTask,
    *,
    num_envs: int = 1,
    gym_reset_return_info: Literal[True] | None = None,
    **options: Unpack[PendulumOptions],
) -> GymnasiumEnvPool[Array]:
    """Pendulum-v0, Pendulum-v1. Own options: g, version."""

@overload
def make_gymnasium(
    task_id: AcrobotTask,
    *,
    num_envs: int = 1,
    gym_reset_return_info: Literal[True] | None = None,
    **options: Unpack[PoolOptions],
) -> GymnasiumEnvPool[Array]:
    """Acrobot-v1. Own options: none."""

@overload
def make_gymnasium(
    task_id: FrozenLakeTask,
    *,
    num_envs: int = 1,
    gym_reset_return_info: Literal[True] | None = None,
    **options: Unpack[FrozenLakeOptions],
) -> GymnasiumEnvPool[Array]:
    """FrozenLake-v1, FrozenLake8x8-v1. Own options: desc, map_name, is_slippery, success_rate, reward_schedule, size."""

@overload
def make_gymnasium(
    task_id: TaxiTask,
    *,
    num_envs: int = 1,
    gym_reset_return_info: Literal[True] | None = None,
    **options: Unpack[TaxiOptions],
) -> GymnasiumEnvPool[Array]:
    """Taxi-v3. Own options: is_rainy, fickle_passenger."""

@overload
def make_gymnasium(
    task_id: TaxiV4Task,
    *,
    num_envs: int = 1,
    gym_reset_return_info: Literal[True] | None = None,
    **options: Unpack[TaxiV4Options],
) -> GymnasiumEnvPool[Array]:
    """Taxi-v4. Own options: is_rainy, fickle_passenger, rainy_probability, fickle_probability."""

@overload
def make_gymnasium(
    task_id: CliffWalkingTask,
    *,
    num_envs: int = 1,
    gym_reset_return_info: Literal[True] | None = None,
    **options: Unpack[CliffWalkingOptions],
) -> GymnasiumEnvPool[Array]:
    """CliffWalking-v0, CliffWalking-v1, CliffWalkingSlippery-v1. Own options: is_slippery."""

@overload
def make_gymnasium(
    task_id: BlackjackTask,
    *,
    num_envs: int = 1,
    gym_reset_return_info: Literal[True] | None = None,
    **options: Unpack[BlackjackOptions],
) -> GymnasiumEnvPool[Array]:
    """Blackjack-v1. Own options: natural, sab."""

@overload
def make_gymnasium(
    task_id: NChainTask,
    *,
    num_envs: int = 1,
    gym_reset_return_info: Literal[True] | None = None,
    **options: Unpack[NChainOptions],
) -> GymnasiumEnvPool[Array]:
    """NChain-v0. Own options: n, slip, small, large."""

@overload
def make_gymnasium(
    task_id: AtariTask,
    *,
    num_envs: int = 1,
    gym_reset_return_info: Literal[True] | None = None,
    **options: Unpack[AtariOptions],
) -> GymnasiumEnvPool[Array]:
    """Adventure-v5, AirRaid-v5, Alien-v5 and 101 more. Own options: rom_dir, stack_num, frame_skip, noop_max, zero_discount_on_life_loss, episodic_life, reward_clip, use_fire_reset, img_height, img_width, task, mode, difficulty, full_action_space, repeat_action_probability, use_inter_area_resize, gray_scale, translate."""

@overload
def make_gymnasium(
    task_id: AleAtariTask,
    *,
    num_envs: int = 1,
    gym_reset_return_info: Literal[True] | None = None,
    **options: Unpack[AleAtariOptions],
) -> GymnasiumEnvPool[Array]:
    """ALE/Adventure-v5, ALE/AirRaid-v5, ALE/Alien-v5 and 101 more. Own options: rom_dir, game, mode, difficulty, obs_type, frameskip, repeat_action_probability, full_action_space, continuous, continuous_action_threshold, max_num_frames_per_episode, preprocessing, noop_max, frame_skip, screen_size, terminal_on_life_loss, grayscale_obs, grayscale_newaxis, scale_obs, stack_size, padding_type, translate."""

@overload
def make_gymnasium(
    task_id: CatchTask,
    *,
    num_envs: int = 1,
    gym_reset_return_info: Literal[True] | None = None,
    **options: Unpack[CatchOptions],
) -> GymnasiumEnvPool[Array]:
    """Catch-v0. Own options: rows, columns, height, width."""

@overload
def make_gymnasium(
    task_id: SimpleSpreadTask,
    *,
    num_envs: int = 1,
    gym_reset_return_info: Literal[True] | None = None,
    **options: Unpack[SimpleSpreadOptions],
) -> GymnasiumEnvPool[Array]:
    """SimpleSpread-v3. Own options: N, local_ratio, curriculum, terminate_on_success, num_agent_neighbors, num_landmark_neighbors, continuous_actions, benchmark_data, max_cycles, dynamic_rescaling."""

@overload
def make_gymnasium(
    task_id: SimpleSpeakerListenerTask,
    *,
    num_envs: int = 1,
    gym_reset_return_info: Literal[True] | None = None,
    **options: Unpack[SimpleSpeakerListenerOptions],
) -> GymnasiumEnvPool[dict[str, Array]]:
    """SimpleSpeakerListener-v4. Own options: continuous_actions, benchmark_data, max_cycles, dynamic_rescaling."""

@overload
def make_gymnasium(
    task_id: MiniGridEmpty5x5Task,
    *,
    num_envs: int = 1,
    gym_reset_return_info: Literal[True] | None = None,
    **options: Unpack[MiniGridEmpty5x5Options],
) -> GymnasiumEnvPool[dict[str, Array]]:
    """MiniGrid-Empty-5x5-v0, MiniGrid-Empty-Random-5x5-v0, MiniGrid-Empty-6x6-v0 and 3 more. Own options: env_name, size, agent_start_pos, agent_start_dir, agent_view_size, see_through_walls, obs, obs_tile_size, image_only, mission, highlight, max_steps, action_prob, random_action, no_death, death_cost, seeds, tile_size, agent_pov."""

@overload
def make_gymnasium(
    task_id: MiniGridDoorKey5x5Task,
    *,
    num_envs: int = 1,
    gym_reset_return_info: Literal[True] | None = None,
    **options: Unpack[MiniGridDoorKey5x5Options],
) -> GymnasiumEnvPool[dict[str, Array]]:
    """MiniGrid-DoorKey-5x5-v0, MiniGrid-DoorKey-6x6-v0, MiniGrid-DoorKey-8x8-v0 and 1 more. Own options: env_name, size, agent_view_size, see_through_walls, obs, obs_tile_size, image_only, mission, highlight, max_steps, action_prob, random_action, no_death, death_cost, seeds, tile_size, agent_pov."""

@overload
def make_gymnasium(
    task_id: MiniGridLavaCrossingS9N1Task,
    *,
    num_envs: int = 1,
    gym_reset_return_info: Literal[True] | None = None,
    **options: Unpack[MiniGridLavaCrossingS9N1Options],
) -> GymnasiumEnvPool[dict[str, Array]]:
    """MiniGrid-LavaCrossingS9N1-v0, MiniGrid-LavaCrossingS9N2-v0, MiniGrid-LavaCrossingS9N3-v0 and 5 more. Own options: env_name, size, num_crossings, obstacle_type, agent_view_size, see_through_walls, obs, obs_tile_size, image_only, mission, highlight, max_steps, action_prob, random_action, no_death, death_cost, seeds, tile_size, agent_pov."""

@overload
def make_gymnasium(
    task_id: MiniGridDistShift1Task,
    *,
    num_envs: int = 1,
    gym_reset_return_info: Literal[True] | None = None,
    **options: Unpack[MiniGridDistShift1Options],
) -> GymnasiumEnvPool[dict[str, Array]]:
    """MiniGrid-DistShift1-v0, MiniGrid-DistShift2-v0. Own options: env_name, width, height, strip2_row, agent_start_pos, agent_start_dir, agent_view_size, see_through_walls, obs, obs_tile_size, image_only, mission, highlight, max_steps, action_prob, random_action, no_death, death_cost, seeds, tile_size, agent_pov."""

@overload
def make_gymnasium(
    task_id: MiniGridLavaGapS5Task,
    *,
    num_envs: int = 1,
    gym_reset_return_info: Literal[True] | None = None,
    **options: Unpack[MiniGridLavaGapS5Options],
) -> GymnasiumEnvPool[dict[str, Array]]:
    """MiniGrid-LavaGapS5-v0, MiniGrid-LavaGapS6-v0, MiniGrid-LavaGapS7-v0. Own options: env_name, size, obstacle_type, agent_view_size, see_through_walls, obs, obs_tile_size, image_only, mission, highlight, max_steps, action_prob, random_action, no_death, death_cost, seeds, tile_size, agent_pov."""

@overload
def make_gymnasium(
    task_id: MiniGridDynamicObstacles5x5Task,
    *,
    num_envs: int = 1,
    gym_reset_return_info: Literal[True] | None = None,
    **options: Unpack[MiniGridDynamicObstacles5x5Options],
) -> GymnasiumEnvPool[dict[str, Array]]:
    """MiniGrid-Dynamic-Obstacles-5x5-v0, MiniGrid-Dynamic-Obstacles-Random-5x5-v0, MiniGrid-Dynamic-Obstacles-6x6-v0 and 3 more. Own options: env_name, size, n_obstacles, agent_start_pos, agent_start_dir, agent_view_size, see_through_walls, obs, obs_tile_size, image_only, mission, highlight, max_steps, action_prob, random_action, no_death, death_cost, seeds, tile_size, agent_pov."""

@overload
def make_gymnasium(
    task_id: MiniGridFetch5x5N2Task,
    *,
    num_envs: int = 1,
    gym_reset_return_info: Literal[True] | None = None,
    **options: Unpack[MiniGridFetch5x5N2Options],
) -> GymnasiumEnvPool[dict[str, Array]]:
    """MiniGrid-Fetch-5x5-N2-v0, MiniGrid-Fetch-6x6-N2-v0, MiniGrid-Fetch-8x8-N3-v0. Own options: env_name, size, numObjs, num_objs, agent_view_size, see_through_walls, obs, obs_tile_size, image_only, mission, highlight, max_steps, action_prob, random_action, no_death, death_cost, seeds, tile_size, agent_pov."""

@overload
def make_gymnasium(
    task_id: MiniGridFourRoomsTask,
    *,
    num_envs: int = 1,
    gym_reset_return_info: Literal[True] | None = None,
    **options: Unpack[MiniGridFourRoomsOptions],
) -> GymnasiumEnvPool[dict[str, Array]]:
    """MiniGrid-FourRooms-v0. Own options: env_name, agent_pos, goal_pos, agent_view_size, see_through_walls, obs, obs_tile_size, image_only, mission, highlight, max_steps, action_prob, random_action, no_death, death_cost, seeds, tile_size, agent_pov."""

@overload
def make_gymnasium(
    task_id: MiniGridGoToDoor5x5Task,
    *,
    num_envs: int = 1,
    gym_reset_return_info: Literal[True] | None = None,
    **options: Unpack[MiniGridGoToDoor5x5Options],
) -> GymnasiumEnvPool[dict[str, Array]]:
    """MiniGrid-GoToDoor-5x5-v0, MiniGrid-GoToDoor-6x6-v0, MiniGrid-GoToDoor-8x8-v0. Own options: env_name, size, agent_view_size, see_through_walls, obs, obs_tile_size, image_only, mission, highlight, max_steps, action_prob, random_action, no_death, death_cost, seeds, tile_size, agent_pov."""

@overload
def make_gymnasium(
    task_id: MiniGridGoToObject6x6N2Task,
    *,
    num_envs: int = 1,
    gym_reset_return_info: Literal[True] | None = None,
    **options: Unpack[MiniGridGoToObject6x6N2Options],
) -> GymnasiumEnvPool[dict[str, Array]]:
    """MiniGrid-GoToObject-6x6-N2-v0, MiniGrid-GoToObject-8x8-N2-v0. Own options: env_name, size, numObjs, num_objs, agent_view_size, see_through_walls, obs, obs_tile_size, image_only, mission, highlight, max_steps, action_prob, random_action, no_death, death_cost, seeds, tile_size, agent_pov."""

@overload
def make_gymnasium(
    task_id: MiniGridKeyCorridorS3R1Task,
    *,
    num_envs: int = 1,
    gym_reset_return_info: Literal[True] | None = None,
    **options: Unpack[MiniGridKeyCorridorS3R1Options],
) -> GymnasiumEnvPool[dict[str, Array]]:
    """MiniGrid-KeyCorridorS3R1-v0, MiniGrid-KeyCorridorS3R2-v0, MiniGrid-KeyCorridorS3R3-v0 and 3 more. Own options: env_name, num_rows, room_size, obj_type, agent_view_size, see_through_walls, obs, obs_tile_size, image_only, mission, highlight, max_steps, action_prob, random_action, no_death, death_cost, seeds, tile_size, agent_pov."""

@overload
def make_gymnasium(
    task_id: MiniGridLockedRoomTask,
    *,
    num_envs: int = 1,
    gym_reset_return_info: Literal[True] | None = None,
    **options: Unpack[MiniGridLockedRoomOptions],
) -> GymnasiumEnvPool[dict[str, Array]]:
    """MiniGrid-LockedRoom-v0. Own options: env_name, size, agent_view_size, see_through_walls, obs, obs_tile_size, image_only, mission, highlight, max_steps, action_prob, random_action, no_death, death_cost, seeds, tile_size, agent_pov."""

@overload
def make_gymnasium(
    task_id: MiniGridMemoryS17RandomTask,
    *,
    num_envs: int = 1,
    gym_reset_return_info: Literal[True] | None = None,
    **options: Unpack[MiniGridMemoryS17RandomOptions],
) -> GymnasiumEnvPool[dict[str, Array]]:
    """MiniGrid-MemoryS17Random-v0, MiniGrid-MemoryS13Random-v0, MiniGrid-MemoryS13-v0 and 3 more. Own options: env_name, size, random_length, agent_view_size, see_through_walls, obs, obs_tile_size, image_only, mission, highlight, max_steps, action_prob, random_action, no_death, death_cost, seeds, tile_size, agent_pov."""

@overload
def make_gymnasium(
    task_id: MiniGridMultiRoomN2S4Task,
    *,
    num_envs: int = 1,
    gym_reset_return_info: Literal[True] | None = None,
    **options: Unpack[MiniGridMultiRoomN2S4Options],
) -> GymnasiumEnvPool[dict[str, Array]]:
    """MiniGrid-MultiRoom-N2-S4-v0, MiniGrid-MultiRoom-N4-S5-v0, MiniGrid-MultiRoom-N4-S5-v1 and 1 more. Own options: env_name, minNumRooms, min_num_rooms, maxNumRooms, max_num_rooms, maxRoomSize, max_room_size, width, height, agent_view_size, see_through_walls, obs, obs_tile_size, image_only, mission, highlight, max_steps, action_prob, random_action, no_death, death_cost, seeds, tile_size, agent_pov."""

@overload
def make_gymnasium(
    task_id: MiniGridObstructedMaze1DlTask,
    *,
    num_envs: int = 1,
    gym_reset_return_info: Literal[True] | None = None,
    **options: Unpack[MiniGridObstructedMaze1DlOptions],
) -> GymnasiumEnvPool[dict[str, Array]]:
    """MiniGrid-ObstructedMaze-1Dl-v0, MiniGrid-ObstructedMaze-1Dlh-v0, MiniGrid-ObstructedMaze-1Dlhb-v0. Own options: env_name, key_in_box, blocked, agent_view_size, see_through_walls, obs, obs_tile_size, image_only, mission, highlight, max_steps, action_prob, random_action, no_death, death_cost, seeds, tile_size, agent_pov."""

@overload
def make_gymnasium(
    task_id: MiniGridObstructedMaze2DlTask,
    *,
    num_envs: int = 1,
    gym_reset_return_info: Literal[True] | None = None,
    **options: Unpack[MiniGridObstructedMaze2DlOptions],
) -> GymnasiumEnvPool[dict[str, Array]]:
    """MiniGrid-ObstructedMaze-2Dl-v0, MiniGrid-ObstructedMaze-2Dlh-v0, MiniGrid-ObstructedMaze-2Dlhb-v0 and 3 more. Own options: env_name, agent_room, key_in_box, blocked, num_quarters, num_rooms_visited, agent_view_size, see_through_walls, obs, obs_tile_size, image_only, mission, highlight, max_steps, action_prob, random_action, no_death, death_cost, seeds, tile_size, agent_pov."""

@overload
def make_gymnasium(
    task_id: MiniGridObstructedMaze2DlhbTask,
    *,
    num_envs: int = 1,
    gym_reset_return_info: Literal[True] | None = None,
    **options: Unpack[MiniGridObstructedMaze2DlhbOptions],
) -> GymnasiumEnvPool[dict[str, Array]]:
    """MiniGrid-ObstructedMaze-2Dlhb-v1, MiniGrid-ObstructedMaze-1Q-v1, MiniGrid-ObstructedMaze-2Q-v1 and 1 more. Own options: env_name, agent_room, key_in_box, blocked, num_quarters, num_rooms_visited, agent_view_size, see_through_walls, obs, obs_tile_size, image_only, mission, highlight, max_steps, action_prob, random_action, no_death, death_cost, seeds, tile_size, agent_pov."""

@overload
def make_gymnasium(
    task_id: MiniGridPlaygroundTask,
    *,
    num_envs: int = 1,
    gym_reset_return_info: Literal[True] | None = None,
    **options: Unpack[MiniGridPlaygroundOptions],
) -> GymnasiumEnvPool[dict[str, Array]]:
    """MiniGrid-Playground-v0. Own options: env_name, agent_view_size, see_through_walls, obs, obs_tile_size, image_only, mission, highlight, max_steps, action_prob, random_action, no_death, death_cost, seeds, tile_size, agent_pov."""

@overload
def make_gymnasium(
    task_id: MiniGridPutNear6x6N2Task,
    *,
    num_envs: int = 1,
    gym_reset_return_info: Literal[True] | None = None,
    **options: Unpack[MiniGridPutNear6x6N2Options],
) -> GymnasiumEnvPool[dict[str, Array]]:
    """MiniGrid-PutNear-6x6-N2-v0, MiniGrid-PutNear-8x8-N3-v0. Own options: env_name, size, numObjs, num_objs, agent_view_size, see_through_walls, obs, obs_tile_size, image_only, mission, highlight, max_steps, action_prob, random_action, no_death, death_cost, seeds, tile_size, agent_pov."""

@overload
def make_gymnasium(
    task_id: MiniGridRedBlueDoors6x6Task,
    *,
    num_envs: int = 1,
    gym_reset_return_info: Literal[True] | None = None,
    **options: Unpack[MiniGridRedBlueDoors6x6Options],
) -> GymnasiumEnvPool[dict[str, Array]]:
    """MiniGrid-RedBlueDoors-6x6-v0, MiniGrid-RedBlueDoors-8x8-v0. Own options: env_name, size, agent_view_size, see_through_walls, obs, obs_tile_size, image_only, mission, highlight, max_steps, action_prob, random_action, no_death, death_cost, seeds, tile_size, agent_pov."""

@overload
def make_gymnasium(
    task_id: MiniGridUnlockTask,
    *,
    num_envs: int = 1,
    gym_reset_return_info: Literal[True] | None = None,
    **options: Unpack[MiniGridUnlockOptions],
) -> GymnasiumEnvPool[dict[str, Array]]:
    """MiniGrid-Unlock-v0. Own options: env_name, agent_view_size, see_through_walls, obs, obs_tile_size, image_only, mission, highlight, max_steps, action_prob, random_action, no_death, death_cost, seeds, tile_size, agent_pov."""

@overload
def make_gymnasium(
    task_id: MiniGridUnlockPickupTask,
    *,
    num_envs: int = 1,
    gym_reset_return_info: Literal[True] | None = None,
    **options: Unpack[MiniGridUnlockPickupOptions],
) -> GymnasiumEnvPool[dict[str, Array]]:
    """MiniGrid-UnlockPickup-v0. Own options: env_name, agent_view_size, see_through_walls, obs, obs_tile_size, image_only, mission, highlight, max_steps, action_prob, random_action, no_death, death_cost, seeds, tile_size, agent_pov."""

@overload
def make_gymnasium(
    task_id: MiniGridBlockedUnlockPickupTask,
    *,
    num_envs: int = 1,
    gym_reset_return_info: Literal[True] | None = None,
    **options: Unpack[MiniGridBlockedUnlockPickupOptions],
) -> GymnasiumEnvPool[dict[str, Array]]:
    """MiniGrid-BlockedUnlockPickup-v0. Own options: env_name, agent_view_size, see_through_walls, obs, obs_tile_size, image_only, mission, highlight, max_steps, action_prob, random_action, no_death, death_cost, seeds, tile_size, agent_pov."""

@overload
def make_gymnasium(
    task_id: MiniGridWFCMazeSimpleTask,
    *,
    num_envs: int = 1,
    gym_reset_return_info: Literal[True] | None = None,
    **options: Unpack[MiniGridWFCMazeSimpleOptions],
) -> GymnasiumEnvPool[dict[str, Array]]:
    """MiniGrid-WFC-MazeSimple-v0, MiniGrid-WFC-DungeonMazeScaled-v0, MiniGrid-WFC-RoomsFabric-v0 and 3 more. Own options: env_name, wfc_config, wfc_preset, size, ensure_connected, agent_view_size, see_through_walls, obs, obs_tile_size, image_only, mission, highlight, max_steps, action_prob, random_action, no_death, death_cost, seeds, tile_size, agent_pov."""

@overload
def make_gymnasium(
    task_id: BabyAIGoToRedBallGreyTask,
    *,
    num_envs: int = 1,
    gym_reset_return_info: Literal[True] | None = None,
    **options: Unpack[BabyAIGoToRedBallGreyOptions],
) -> GymnasiumEnvPool[dict[str, Array]]:
    """BabyAI-GoToRedBallGrey-v0. Own options: env_name, room_size, num_dists, agent_view_size, see_through_walls, obs, obs_tile_size, image_only, mission, highlight, max_steps, action_prob, random_action, no_death, death_cost, seeds, tile_size, agent_pov."""

@overload
def make_gymnasium(
    task_id: BabyAIGoToRedBallTask,
    *,
    num_envs: int = 1,
    gym_reset_return_info: Literal[True] | None = None,
    **options: Unpack[BabyAIGoToRedBallOptions],
) -> GymnasiumEnvPool[dict[str, Array]]:
    """BabyAI-GoToRedBall-v0. Own options: env_name, room_size, num_dists, agent_view_size, see_through_walls, obs, obs_tile_size, image_only, mission, highlight, max_steps, action_prob, random_action, no_death, death_cost, seeds, tile_size, agent_pov."""

@overload
def make_gymnasium(
    task_id: BabyAIGoToObjTask,
    *,
    num_envs: int = 1,
    gym_reset_return_info: Literal[True] | None = None,
    **options: Unpack[BabyAIGoToObjOptions],
) -> GymnasiumEnvPool[dict[str, Array]]:
    """BabyAI-GoToObj-v0, BabyAI-GoToObjS4-v0, BabyAI-GoToObjS6-v1. Own options: env_name, room_size, agent_view_size, see_through_walls, obs, obs_tile_size, image_only, mission, highlight, max_steps, action_prob, random_action, no_death, death_cost, seeds, tile_size, agent_pov."""

@overload
def make_gymnasium(
    task_id: BabyAIGoToLocalTask,
    *,
    num_envs: int = 1,
    gym_reset_return_info: Literal[True] | None = None,
    **options: Unpack[BabyAIGoToLocalOptions],
) -> GymnasiumEnvPool[dict[str, Array]]:
    """BabyAI-GoToLocal-v0, BabyAI-GoToLocalS5N2-v0, BabyAI-GoToLocalS6N2-v0 and 10 more. Own options: env_name, room_size, num_dists, agent_view_size, see_through_walls, obs, obs_tile_size, image_only, mission, highlight, max_steps, action_prob, random_action, no_death, death_cost, seeds, tile_size, agent_pov."""

@overload
def make_gymnasium(
    task_id: BabyAIGoToTask,
    *,
    num_envs: int = 1,
    gym_reset_return_info: Literal[True] | None = None,
    **options: Unpack[BabyAIGoToOptions],
) -> GymnasiumEnvPool[dict[str, Array]]:
    """BabyAI-GoTo-v0, BabyAI-GoToOpen-v0, BabyAI-GoToObjMaze-v0 and 6 more. Own options: env_name, room_size, num_rows, num_cols, num_dists, doors_open, agent_view_size, see_through_walls, obs, obs_tile_size, image_only, mission, highlight, max_steps, action_prob, random_action, no_death, death_cost, seeds, tile_size, agent_pov."""

@overload
def make_gymnasium(
    task_id: BabyAIGoToImpUnlockTask,
    *,
    num_envs: int = 1,
    gym_reset_return_info: Literal[True] | None = None,
    **options: Unpack[BabyAIGoToImpUnlockOptions],
) -> GymnasiumEnvPool[dict[str, Array]]:
    """BabyAI-GoToImpUnlock-v0. Own options: env_name, room_size, num_rows, num_cols, agent_view_size, see_through_walls, obs, obs_tile_size, image_only, mission, highlight, max_steps, action_prob, random_action, no_death, death_cost, seeds, tile_size, agent_pov."""

@overload
def make_gymnasium(
    task_id: BabyAIGoToRedBlueBallTask,
    *,
    num_envs: int = 1,
    gym_reset_return_info: Literal[True] | None = None,
    **options: Unpack[BabyAIGoToRedBlueBallOptions],
) -> GymnasiumEnvPool[dict[str, Array]]:
    """BabyAI-GoToRedBlueBall-v0. Own options: env_name, room_size, num_dists, agent_view_size, see_through_walls, obs, obs_tile_size, image_only, mission, highlight, max_steps, action_prob, random_action, no_death, death_cost, seeds, tile_size, agent_pov."""

@overload
def make_gymnasium(
    task_id: BabyAIGoToDoorTask,
    *,
    num_envs: int = 1,
    gym_reset_return_info: Literal[True] | None = None,
    **options: Unpack[BabyAIGoToDoorOptions],
) -> GymnasiumEnvPool[dict[str, Array]]:
    """BabyAI-GoToDoor-v0. Own options: env_name, agent_view_size, see_through_walls, obs, obs_tile_size, image_only, mission, highlight, max_steps, action_prob, random_action, no_death, death_cost, seeds, tile_size, agent_pov."""

@overload
def make_gymnasium(
    task_id: BabyAIGoToObjDoorTask,
    *,
    num_envs: int = 1,
    gym_reset_return_info: Literal[True] | None = None,
    **options: Unpack[BabyAIGoToObjDoorOptions],
) -> GymnasiumEnvPool[dict[str, Array]]:
    """BabyAI-GoToObjDoor-v0. Own options: env_name, agent_view_size, see_through_walls, obs, obs_tile_size, image_only, mission, highlight, max_steps, action_prob, random_action, no_death, death_cost, seeds, tile_size, agent_pov."""

@overload
def make_gymnasium(
    task_id: BabyAIGoToRedBallNoDistsTask,
    *,
    num_envs: int = 1,
    gym_reset_return_info: Literal[True] | None = None,
    **options: Unpack[BabyAIGoToRedBallNoDistsOptions],
) -> GymnasiumEnvPool[dict[str, Array]]:
    """BabyAI-GoToRedBallNoDists-v0. Own options: env_name, agent_view_size, see_through_walls, obs, obs_tile_size, image_only, mission, highlight, max_steps, action_prob, random_action, no_death, death_cost, seeds, tile_size, agent_pov."""

@overload
def make_gymnasium(
    task_id: BabyAIOpenTask,
    *,
    num_envs: int = 1,
    gym_reset_return_info: Literal[True] | None = None,
    **options: Unpack[BabyAIOpenOptions],
) -> GymnasiumEnvPool[dict[str, Array]]:
    """BabyAI-Open-v0. Own options: env_name, room_size, num_rows, num_cols, agent_view_size, see_through_walls, obs, obs_tile_size, image_only, mission, highlight, max_steps, action_prob, random_action, no_death, death_cost, seeds, tile_size, agent_pov."""

@overload
def make_gymnasium(
    task_id: BabyAIOpenRedDoorTask,
    *,
    num_envs: int = 1,
    gym_reset_return_info: Literal[True] | None = None,
    **options: Unpack[BabyAIOpenRedDoorOptions],
) -> GymnasiumEnvPool[dict[str, Array]]:
    """BabyAI-OpenRedDoor-v0. Own options: env_name, agent_view_size, see_through_walls, obs, obs_tile_size, image_only, mission, highlight, max_steps, action_prob, random_action, no_death, death_cost, seeds, tile_size, agent_pov."""

@overload
def make_gymnasium(
    task_id: BabyAIOpenDoorTask,
    *,
    num_envs: int = 1,
    gym_reset_return_info: Literal[True] | None = None,
    **options: Unpack[BabyAIOpenDoorOptions],
) -> GymnasiumEnvPool[dict[str, Array]]:
    """BabyAI-OpenDoor-v0, BabyAI-OpenDoorDebug-v0, BabyAI-OpenDoorColor-v0 and 1 more. Own options: env_name, debug, select_by, agent_view_size, see_through_walls, obs, obs_tile_size, image_only, mission, highlight, max_steps, action_prob, random_action, no_death, death_cost, seeds, tile_size, agent_pov."""

@overload
def make_gymnasium(
    task_id: BabyAIOpenTwoDoorsTask,
    *,
    num_envs: int = 1,
    gym_reset_return_info: Literal[True] | None = None,
    **options: Unpack[BabyAIOpenTwoDoorsOptions],
) -> GymnasiumEnvPool[dict[str, Array]]:
    """BabyAI-OpenTwoDoors-v0, BabyAI-OpenRedBlueDoors-v0, BabyAI-OpenRedBlueDoorsDebug-v0. Own options: env_name, first_color, second_color, strict, agent_view_size, see_through_walls, obs, obs_tile_size, image_only, mission, highlight, max_steps, action_prob, random_action, no_death, death_cost, seeds, tile_size, agent_pov."""

@overload
def make_gymnasium(
    task_id: BabyAIOpenDoorsOrderN2Task,
    *,
    num_envs: int = 1,
    gym_reset_return_info: Literal[True] | None = None,
    **options: Unpack[BabyAIOpenDoorsOrderN2Options],
) -> GymnasiumEnvPool[dict[str, Array]]:
    """BabyAI-OpenDoorsOrderN2-v0, BabyAI-OpenDoorsOrderN4-v0, BabyAI-OpenDoorsOrderN2Debug-v0 and 1 more. Own options: env_name, num_doors, debug, agent_view_size, see_through_walls, obs, obs_tile_size, image_only, mission, highlight, max_steps, action_prob, random_action, no_death, death_cost, seeds, tile_size, agent_pov."""

@overload
def make_gymnasium(
    task_id: BabyAIPickupTask,
    *,
    num_envs: int = 1,
    gym_reset_return_info: Literal[True] | None = None,
    **options: Unpack[BabyAIPickupOptions],
) -> GymnasiumEnvPool[dict[str, Array]]:
    """BabyAI-Pickup-v0. Own options: env_name, room_size, num_rows, num_cols, agent_view_size, see_through_walls, obs, obs_tile_size, image_only, mission, highlight, max_steps, action_prob, random_action, no_death, death_cost, seeds, tile_size, agent_pov."""

@overload
def make_gymnasium(
    task_id: BabyAIUnblockPickupTask,
    *,
    num_envs: int = 1,
    gym_reset_return_info: Literal[True] | None = None,
    **options: Unpack[BabyAIUnblockPickupOptions],
) -> GymnasiumEnvPool[dict[str, Array]]:
    """BabyAI-UnblockPickup-v0. Own options: env_name, room_size, num_rows, num_cols, agent_view_size, see_through_walls, obs, obs_tile_size, image_only, mission, highlight, max_steps, action_prob, random_action, no_death, death_cost, seeds, tile_size, agent_pov."""

@overload
def make_gymnasium(
    task_id: BabyAIPickupDistTask,
    *,
    num_envs: int = 1,
    gym_reset_return_info: Literal[True] | None = None,
    **options: Unpack[BabyAIPickupDistOptions],
) -> GymnasiumEnvPool[dict[str, Array]]:
    """BabyAI-PickupDist-v0, BabyAI-PickupDistDebug-v0. Own options: env_name, debug, agent_view_size, see_through_walls, obs, obs_tile_size, image_only, mission, highlight, max_steps, action_prob, random_action, no_death, death_cost, seeds, tile_size, agent_pov."""

@overload
def make_gymnasium(
    task_id: BabyAIPickupAboveTask,
    *,
    num_envs: int = 1,
    gym_reset_return_info: Literal[True] | None = None,
    **options: Unpack[BabyAIPickupAboveOptions],
) -> GymnasiumEnvPool[dict[str, Array]]:
    """BabyAI-PickupAbove-v0. Own options: env_name, agent_view_size, see_through_walls, obs, obs_tile_size, image_only, mission, highlight, max_steps, action_prob, random_action, no_death, death_cost, seeds, tile_size, agent_pov."""

@overload
def make_gymnasium(
    task_id: BabyAIPutNextLocalTask,
    *,
    num_envs: int = 1,
    gym_reset_return_info: Literal[True] | None = None,
    **options: Unpack[BabyAIPutNextLocalOptions],
) -> GymnasiumEnvPool[dict[str, Array]]:
    """BabyAI-PutNextLocal-v0, BabyAI-PutNextLocalS5N3-v0, BabyAI-PutNextLocalS6N4-v0. Own options: env_name, room_size, num_objs, agent_view_size, see_through_walls, obs, obs_tile_size, image_only, mission, highlight, max_steps, action_prob, random_action, no_death, death_cost, seeds, tile_size, agent_pov."""

@overload
def make_gymnasium(
    task_id: BabyAIPutNextS4N1Task,
    *,
    num_envs: int = 1,
    gym_reset_return_info: Literal[True] | None = None,
    **options: Unpack[BabyAIPutNextS4N1Options],
) -> GymnasiumEnvPool[dict[str, Array]]:
    """BabyAI-PutNextS4N1-v0, BabyAI-PutNextS5N2-v0, BabyAI-PutNextS5N1-v0 and 5 more. Own options: env_name, room_size, objs_per_room, start_carrying, agent_view_size, see_through_walls, obs, obs_tile_size, image_only, mission, highlight, max_steps, action_prob, random_action, no_death, death_cost, seeds, tile_size, agent_pov."""

@overload
def make_gymnasium(
    task_id: BabyAIMoveTwoAcrossS5N2Task,
    *,
    num_envs: int = 1,
    gym_reset_return_info: Literal[True] | None = None,
    **options: Unpack[BabyAIMoveTwoAcrossS5N2Options],
) -> GymnasiumEnvPool[dict[str, Array]]:
    """BabyAI-MoveTwoAcrossS5N2-v0, BabyAI-MoveTwoAcrossS8N9-v0. Own options: env_name, room_size, objs_per_room, agent_view_size, see_through_walls, obs, obs_tile_size, image_only, mission, highlight, max_steps, action_prob, random_action, no_death, death_cost, seeds, tile_size, agent_pov."""

@overload
def make_gymnasium(
    task_id: BabyAIUnlockTask,
    *,
    num_envs: int = 1,
    gym_reset_return_info: Literal[True] | None = None,
    **options: Unpack[BabyAIUnlockOptions],
) -> GymnasiumEnvPool[dict[str, Array]]:
    """BabyAI-Unlock-v0. Own options: env_name, room_size, num_rows, num_cols, agent_view_size, see_through_walls, obs, obs_tile_size, image_only, mission, highlight, max_steps, action_prob, random_action, no_death, death_cost, seeds, tile_size, agent_pov."""

@overload
def make_gymnasium(
    task_id: BabyAIUnlockLocalTask,
    *,
    num_envs: int = 1,
    gym_reset_return_info: Literal[True] | None = None,
    **options: Unpack[BabyAIUnlockLocalOptions],
) -> GymnasiumEnvPool[dict[str, Array]]:
    """BabyAI-UnlockLocal-v0, BabyAI-UnlockLocalDist-v0. Own options: env_name, distractors, agent_view_size, see_through_walls, obs, obs_tile_size, image_only, mission, highlight, max_steps, action_prob, random_action, no_death, death_cost, seeds, tile_size, agent_pov."""

@overload
def make_gymnasium(
    task_id: BabyAIKeyInBoxTask,
    *,
    num_envs: int = 1,
    gym_reset_return_info: Literal[True] | None = None,
    **options: Unpack[BabyAIKeyInBoxOptions],
) -> GymnasiumEnvPool[dict[str, Array]]:
    """BabyAI-KeyInBox-v0. Own options: env_name, agent_view_size, see_through_walls, obs, obs_tile_size, image_only, mission, highlight, max_steps, action_prob, random_action, no_death, death_cost, seeds, tile_size, agent_pov."""

@overload
def make_gymnasium(
    task_id: BabyAIUnlockPickupTask,
    *,
    num_envs: int = 1,
    gym_reset_return_info: Literal[True] | None = None,
    **options: Unpack[BabyAIUnlockPickupOptions],
) -> GymnasiumEnvPool[dict[str, Array]]:
    """BabyAI-UnlockPickup-v0, BabyAI-UnlockPickupDist-v0. Own options: env_name, distractors, agent_view_size, see_through_walls, obs, obs_tile_size, image_only, mission, highlight, max_steps, action_prob, random_action, no_death, death_cost, seeds, tile_size, agent_pov."""

@overload
def make_gymnasium(
    task_id: BabyAIBlockedUnlockPickupTask,
    *,
    num_envs: int = 1,
    gym_reset_return_info: Literal[True] | None = None,
    **options: Unpack[BabyAIBlockedUnlockPickupOptions],
) -> GymnasiumEnvPool[dict[str, Array]]:
    """BabyAI-BlockedUnlockPickup-v0. Own options: env_name, agent_view_size, see_through_walls, obs, obs_tile_size, image_only, mission, highlight, max_steps, action_prob, random_action, no_death, death_cost, seeds, tile_size, agent_pov."""

@overload
def make_gymnasium(
    task_id: BabyAIUnlockToUnlockTask,
    *,
    num_envs: int = 1,
    gym_reset_return_info: Literal[True] | None = None,
    **options: Unpack[BabyAIUnlockToUnlockOptions],
) -> GymnasiumEnvPool[dict[str, Array]]:
    """BabyAI-UnlockToUnlock-v0. Own options: env_name, agent_view_size, see_through_walls, obs, obs_tile_size, image_only, mission, highlight, max_steps, action_prob, random_action, no_death, death_cost, seeds, tile_size, agent_pov."""

@overload
def make_gymnasium(
    task_id: BabyAIActionObjDoorTask,
    *,
    num_envs: int = 1,
    gym_reset_return_info: Literal[True] | None = None,
    **options: Unpack[BabyAIActionObjDoorOptions],
) -> GymnasiumEnvPool[dict[str, Array]]:
    """BabyAI-ActionObjDoor-v0. Own options: env_name, agent_view_size, see_through_walls, obs, obs_tile_size, image_only, mission, highlight, max_steps, action_prob, random_action, no_death, death_cost, seeds, tile_size, agent_pov."""

@overload
def make_gymnasium(
    task_id: BabyAIFindObjS5Task,
    *,
    num_envs: int = 1,
    gym_reset_return_info: Literal[True] | None = None,
    **options: Unpack[BabyAIFindObjS5Options],
) -> GymnasiumEnvPool[dict[str, Array]]:
    """BabyAI-FindObjS5-v0, BabyAI-FindObjS6-v0, BabyAI-FindObjS7-v0. Own options: env_name, room_size, agent_view_size, see_through_walls, obs, obs_tile_size, image_only, mission, highlight, max_steps, action_prob, random_action, no_death, death_cost, seeds, tile_size, agent_pov."""

@overload
def make_gymnasium(
    task_id: BabyAIKeyCorridorTask,
    *,
    num_envs: int = 1,
    gym_reset_return_info: Literal[True] | None = None,
    **options: Unpack[BabyAIKeyCorridorOptions],
) -> GymnasiumEnvPool[dict[str, Array]]:
    """BabyAI-KeyCorridor-v0, BabyAI-KeyCorridorS3R1-v0, BabyAI-KeyCorridorS3R2-v0 and 4 more. Own options: env_name, room_size, num_rows, obj_type, agent_view_size, see_through_walls, obs, obs_tile_size, image_only, mission, highlight, max_steps, action_prob, random_action, no_death, death_cost, seeds, tile_size, agent_pov."""

@overload
def make_gymnasium(
    task_id: BabyAIOneRoomS8Task,
    *,
    num_envs: int = 1,
    gym_reset_return_info: Literal[True] | None = None,
    **options: Unpack[BabyAIOneRoomS8Options],
) -> GymnasiumEnvPool[dict[str, Array]]:
    """BabyAI-OneRoomS8-v0, BabyAI-OneRoomS12-v0, BabyAI-OneRoomS16-v0 and 1 more. Own options: env_name, room_size, agent_view_size, see_through_walls, obs, obs_tile_size, image_only, mission, highlight, max_steps, action_prob, random_action, no_death, death_cost, seeds, tile_size, agent_pov."""

@overload
def make_gymnasium(
    task_id: BabyAIGoToSeqTask,
    *,
    num_envs: int = 1,
    gym_reset_return_info: Literal[True] | None = None,
    **options: Unpack[BabyAIGoToSeqOptions],
) -> GymnasiumEnvPool[dict[str, Array]]:
    """BabyAI-GoToSeq-v0, BabyAI-GoToSeqS5R2-v0. Own options: env_name, room_size, num_rows, num_cols, num_dists, locked_room_prob, locations, unblocking, implicit_unlock, action_kinds, instr_kinds, agent_view_size, see_through_walls, obs, obs_tile_size, image_only, mission, highlight, max_steps, action_prob, random_action, no_death, death_cost, seeds, tile_size, agent_pov."""

@overload
def make_gymnasium(
    task_id: BabyAISynthTask,
    *,
    num_envs: int = 1,
    gym_reset_return_info: Literal[True] | None = None,
    **options: Unpack[BabyAISynthOptions],
) -> GymnasiumEnvPool[dict[str, Array]]:
    """BabyAI-Synth-v0, BabyAI-SynthS5R2-v0. Own options: env_name, room_size, num_rows, num_cols, num_dists, locked_room_prob, locations, unblocking, implicit_unlock, action_kinds, instr_kinds, agent_view_size, see_through_walls, obs, obs_tile_size, image_only, mission, highlight, max_steps, action_prob, random_action, no_death, death_cost, seeds, tile_size, agent_pov."""

@overload
def make_gymnasium(
    task_id: BabyAISynthLocTask,
    *,
    num_envs: int = 1,
    gym_reset_return_info: Literal[True] | None = None,
    **options: Unpack[BabyAISynthLocOptions],
) -> GymnasiumEnvPool[dict[str, Array]]:
    """BabyAI-SynthLoc-v0. Own options: env_name, room_size, num_rows, num_cols, num_dists, locked_room_prob, locations, unblocking, implicit_unlock, action_kinds, instr_kinds, agent_view_size, see_through_walls, obs, obs_tile_size, image_only, mission, highlight, max_steps, action_prob, random_action, no_death, death_cost, seeds, tile_size, agent_pov."""

@overload
def make_gymnasium(
    task_id: BabyAISynthSeqTask,
    *,
    num_envs: int = 1,
    gym_reset_return_info: Literal[True] | None = None,
    **options: Unpack[BabyAISynthSeqOptions],
) -> GymnasiumEnvPool[dict[str, Array]]:
    """BabyAI-SynthSeq-v0. Own options: env_name, room_size, num_rows, num_cols, num_dists, locked_room_prob, locations, unblocking, implicit_unlock, action_kinds, instr_kinds, agent_view_size, see_through_walls, obs, obs_tile_size, image_only, mission, highlight, max_steps, action_prob, random_action, no_death, death_cost, seeds, tile_size, agent_pov."""

@overload
def make_gymnasium(
    task_id: BabyAIPickupLocTask,
    *,
    num_envs: int = 1,
    gym_reset_return_info: Literal[True] | None = None,
    **options: Unpack[BabyAIPickupLocOptions],
) -> GymnasiumEnvPool[dict[str, Array]]:
    """BabyAI-PickupLoc-v0. Own options: env_name, room_size, num_rows, num_cols, num_dists, locked_room_prob, locations, unblocking, implicit_unlock, action_kinds, instr_kinds, agent_view_size, see_through_walls, obs, obs_tile_size, image_only, mission, highlight, max_steps, action_prob, random_action, no_death, death_cost, seeds, tile_size, agent_pov."""

@overload
def make_gymnasium(
    task_id: BabyAIMiniBossLevelTask,
    *,
    num_envs: int = 1,
    gym_reset_return_info: Literal[True] | None = None,
    **options: Unpack[BabyAIMiniBossLevelOptions],
) -> GymnasiumEnvPool[dict[str, Array]]:
    """BabyAI-MiniBossLevel-v0. Own options: env_name, room_size, num_rows, num_cols, num_dists, locked_room_prob, locations, unblocking, implicit_unlock, action_kinds, instr_kinds, agent_view_size, see_through_walls, obs, obs_tile_size, image_only, mission, highlight, max_steps, action_prob, random_action, no_death, death_cost, seeds, tile_size, agent_pov."""

@overload
def make_gymnasium(
    task_id: BabyAIBossLevelTask,
    *,
    num_envs: int = 1,
    gym_reset_return_info: Literal[True] | None = None,
    **options: Unpack[BabyAIBossLevelOptions],
) -> GymnasiumEnvPool[dict[str, Array]]:
    """BabyAI-BossLevel-v0. Own options: env_name, room_size, num_rows, num_cols, num_dists, locked_room_prob, locations, unblocking, implicit_unlock, action_kinds, instr_kinds, agent_view_size, see_through_walls, obs, obs_tile_size, image_only, mission, highlight, max_steps, action_prob, random_action, no_death, death_cost, seeds, tile_size, agent_pov."""

@overload
def make_gymnasium(
    task_id: BabyAIBossLevelNoUnlockTask,
    *,
    num_envs: int = 1,
    gym_reset_return_info: Literal[True] | None = None,
    **options: Unpack[BabyAIBossLevelNoUnlockOptions],
) -> GymnasiumEnvPool[dict[str, Array]]:
    """BabyAI-BossLevelNoUnlock-v0. Own options: env_name, room_size, num_rows, num_cols, num_dists, locked_room_prob, locations, unblocking, implicit_unlock, action_kinds, instr_kinds, agent_view_size, see_through_walls, obs, obs_tile_size, image_only, mission, highlight, max_steps, action_prob, random_action, no_death, death_cost, seeds, tile_size, agent_pov."""

@overload
def make_gymnasium(
    task_id: AntTask,
    *,
    num_envs: int = 1,
    gym_reset_return_info: Literal[True] | None = None,
    **options: Unpack[AntOptions],
) -> GymnasiumEnvPool[Array]:
    """Ant-v5. Own options: xml_file, xml_dir, frame_skip, frame_stack, physics, post_constraint, forward_reward_weight, ctrl_cost_weight, contact_cost_weight, main_body, healthy_z_range, healthy_z_min, healthy_z_max, contact_force_range, contact_force_min, contact_force_max, reset_noise_scale, exclude_current_positions_from_observation, include_cfrc_ext_in_observation, use_contact_force, exclude_worldbody_contact_forces, healthy_reward, terminate_when_unhealthy, legacy_healthy_reward, from_pixels, camera_name, default_camera, gymnasium_v5_render_camera, camera_lookat, camera_distance, camera_azimuth, camera_elevation, camera_orthographic, max_geom, visual_options, render_shadows, render_shadow_size, render_reflections, render_skybox, render_haze, render_textures, render_multisamples, width, height, camera_id, default_camera_config."""

@overload
def make_gymnasium(
    task_id: AntV4Task,
    *,
    num_envs: int = 1,
    gym_reset_return_info: Literal[True] | None = None,
    **options: Unpack[AntV4Options],
) -> GymnasiumEnvPool[Array]:
    """Ant-v4, Ant-v3. Own options: xml_file, xml_dir, frame_skip, frame_stack, physics, post_constraint, forward_reward_weight, ctrl_cost_weight, contact_cost_weight, main_body, healthy_z_range, healthy_z_min, healthy_z_max, contact_force_range, contact_force_min, contact_force_max, reset_noise_scale, exclude_current_positions_from_observation, use_contact_forces, use_contact_force, exclude_worldbody_contact_forces, healthy_reward, terminate_when_unhealthy, legacy_healthy_reward, from_pixels, camera_name, default_camera, gymnasium_v5_render_camera, camera_lookat, camera_distance, camera_azimuth, camera_elevation, camera_orthographic, max_geom, visual_options, render_shadows, render_shadow_size, render_reflections, render_skybox, render_haze, render_textures, render_multisamples, width, height, camera_id, default_camera_config."""

@overload
def make_gymnasium(
    task_id: HalfCheetahTask,
    *,
    num_envs: int = 1,
    gym_reset_return_info: Literal[True] | None = None,
    **options: Unpack[HalfCheetahOptions],
) -> GymnasiumEnvPool[Array]:
    """HalfCheetah-v5, HalfCheetah-v4, HalfCheetah-v3 and 3 more. Own options: xml_file, xml_dir, frame_skip, frame_stack, physics, post_constraint, forward_reward_weight, ctrl_cost_weight, reset_noise_scale, exclude_current_positions_from_observation, from_pixels, camera_name, default_camera, gymnasium_v5_render_camera, camera_lookat, camera_distance, camera_azimuth, camera_elevation, camera_orthographic, max_geom, visual_options, render_shadows, render_shadow_size, render_reflections, render_skybox, render_haze, render_textures, render_multisamples, width, height, camera_id, default_camera_config."""

@overload
def make_gymnasium(
    task_id: HopperTask,
    *,
    num_envs: int = 1,
    gym_reset_return_info: Literal[True] | None = None,
    **options: Unpack[HopperOptions],
) -> GymnasiumEnvPool[Array]:
    """Hopper-v5, Hopper-v4, Hopper-v3. Own options: xml_file, xml_dir, frame_skip, frame_stack, physics, post_constraint, forward_reward_weight, ctrl_cost_weight, healthy_reward, terminate_when_unhealthy, legacy_healthy_reward, healthy_state_range, healthy_state_min, healthy_state_max, healthy_z_range, healthy_z_min, healthy_angle_range, healthy_angle_min, healthy_angle_max, velocity_min, velocity_max, reset_noise_scale, exclude_current_positions_from_observation, from_pixels, camera_name, default_camera, gymnasium_v5_render_camera, camera_lookat, camera_distance, camera_azimuth, camera_elevation, camera_orthographic, max_geom, visual_options, render_shadows, render_shadow_size, render_reflections, render_skybox, render_haze, render_textures, render_multisamples, width, height, camera_id, default_camera_config."""

@overload
def make_gymnasium(
    task_id: HumanoidTask,
    *,
    num_envs: int = 1,
    gym_reset_return_info: Literal[True] | None = None,
    **options: Unpack[HumanoidOptions],
) -> GymnasiumEnvPool[Array]:
    """Humanoid-v5, Humanoid-v4, Humanoid-v3. Own options: xml_file, xml_dir, frame_skip, frame_stack, physics, post_constraint, forward_reward_weight, ctrl_cost_weight, contact_cost_weight, contact_cost_range, contact_cost_max, use_contact_force, healthy_reward, terminate_when_unhealthy, legacy_healthy_reward, healthy_z_range, healthy_z_min, healthy_z_max, reset_noise_scale, exclude_current_positions_from_observation, include_cinert_in_observation, include_cvel_in_observation, include_qfrc_actuator_in_observation, include_cfrc_ext_in_observation, exclude_worldbody_observations, exclude_root_actuator_forces, from_pixels, camera_name, default_camera, gymnasium_v5_render_camera, camera_lookat, camera_distance, camera_azimuth, camera_elevation, camera_orthographic, max_geom, visual_options, render_shadows, render_shadow_size, render_reflections, render_skybox, render_haze, render_textures, render_multisamples, width, height, camera_id, default_camera_config."""

@overload
def make_gymnasium(
    task_id: HumanoidStandupTask,
    *,
    num_envs: int = 1,
    gym_reset_return_info: Literal[True] | None = None,
    **options: Unpack[HumanoidStandupOptions],
) -> GymnasiumEnvPool[Array]:
    """HumanoidStandup-v5, HumanoidStandup-v4, HumanoidStandup-v2. Own options: xml_file, xml_dir, frame_skip, frame_stack, physics, post_constraint, uph_cost_weight, ctrl_cost_weight, impact_cost_weight, forward_reward_weight, healthy_reward, contact_cost_weight, impact_cost_range, contact_cost_max, reset_noise_scale, exclude_current_positions_from_observation, include_cinert_in_observation, include_cvel_in_observation, include_qfrc_actuator_in_observation, include_cfrc_ext_in_observation, exclude_worldbody_observations, exclude_root_actuator_forces, from_pixels, camera_name, default_camera, gymnasium_v5_render_camera, camera_lookat, camera_distance, camera_azimuth, camera_elevation, camera_orthographic, max_geom, visual_options, render_shadows, render_shadow_size, render_reflections, render_skybox, render_haze, render_textures, render_multisamples, width, height, camera_id, default_camera_config."""

@overload
def make_gymnasium(
    task_id: InvertedDoublePendulumTask,
    *,
    num_envs: int = 1,
    gym_reset_return_info: Literal[True] | None = None,
    **options: Unpack[InvertedDoublePendulumOptions],
) -> GymnasiumEnvPool[Array]:
    """InvertedDoublePendulum-v5, InvertedDoublePendulum-v4, InvertedDoublePendulum-v2. Own options: xml_file, xml_dir, frame_skip, frame_stack, physics, post_constraint, healthy_reward, healthy_z_max, reward_if_not_terminated, observation_min, observation_max, constraint_obs_dim, reset_noise_scale, from_pixels, camera_name, default_camera, gymnasium_v5_render_camera, camera_lookat, camera_distance, camera_azimuth, camera_elevation, camera_orthographic, max_geom, visual_options, render_shadows, render_shadow_size, render_reflections, render_skybox, render_haze, render_textures, render_multisamples, width, height, camera_id, default_camera_config."""

@overload
def make_gymnasium(
    task_id: InvertedPendulumTask,
    *,
    num_envs: int = 1,
    gym_reset_return_info: Literal[True] | None = None,
    **options: Unpack[InvertedPendulumOptions],
) -> GymnasiumEnvPool[Array]:
    """InvertedPendulum-v5, InvertedPendulum-v4, InvertedPendulum-v2. Own options: xml_file, xml_dir, frame_skip, frame_stack, physics, post_constraint, healthy_reward, healthy_z_range, healthy_z_min, healthy_z_max, reward_if_not_terminated, reset_noise_scale, from_pixels, camera_name, default_camera, gymnasium_v5_render_camera, camera_lookat, camera_distance, camera_azimuth, camera_elevation, camera_orthographic, max_geom, visual_options, render_shadows, render_shadow_size, render_reflections, render_skybox, render_haze, render_textures, render_multisamples, width, height, camera_id, default_camera_config."""

@overload
def make_gymnasium(
    task_id: PusherTask,
    *,
    num_envs: int = 1,
    gym_reset_return_info: Literal[True] | None = None,
    **options: Unpack[PusherOptions],
) -> GymnasiumEnvPool[Array]:
    """Pusher-v5, Pusher-v4, Pusher-v2. Own options: xml_file, xml_dir, frame_skip, frame_stack, physics, post_constraint, reward_near_weight, reward_dist_weight, reward_control_weight, near_cost_weight, dist_cost_weight, ctrl_cost_weight, reward_after_step, weighted_reward_info, reset_qvel_scale, cylinder_x_min, cylinder_x_max, cylinder_y_min, cylinder_y_max, cylinder_dist_min, from_pixels, camera_name, default_camera, gymnasium_v5_render_camera, camera_lookat, camera_distance, camera_azimuth, camera_elevation, camera_orthographic, max_geom, visual_options, render_shadows, render_shadow_size, render_reflections, render_skybox, render_haze, render_textures, render_multisamples, width, height, camera_id, default_camera_config."""

@overload
def make_gymnasium(
    task_id: ReacherTask,
    *,
    num_envs: int = 1,
    gym_reset_return_info: Literal[True] | None = None,
    **options: Unpack[ReacherOptions],
) -> GymnasiumEnvPool[Array]:
    """Reacher-v5, Reacher-v4, Reacher-v2. Own options: xml_file, xml_dir, frame_skip, frame_stack, physics, post_constraint, reward_dist_weight, reward_control_weight, dist_cost_weight, ctrl_cost_weight, reward_after_step, obs_include_z_distance, reset_qpos_scale, reset_qvel_scale, reset_goal_scale, from_pixels, camera_name, default_camera, gymnasium_v5_render_camera, camera_lookat, camera_distance, camera_azimuth, camera_elevation, camera_orthographic, max_geom, visual_options, render_shadows, render_shadow_size, render_reflections, render_skybox, render_haze, render_textures, render_multisamples, width, height, camera_id, default_camera_config."""

@overload
def make_gymnasium(
    task_id: Walker2dTask,
    *,
    num_envs: int = 1,
    gym_reset_return_info: Literal[True] | None = None,
    **options: Unpack[Walker2dOptions],
) -> GymnasiumEnvPool[Array]:
    """Walker2d-v5, Walker2d-v4, Walker2d-v3. Own options: xml_file, xml_dir, frame_skip, frame_stack, physics, post_constraint, forward_reward_weight, ctrl_cost_weight, healthy_reward, terminate_when_unhealthy, legacy_healthy_reward, healthy_z_range, healthy_z_min, healthy_z_max, healthy_angle_range, healthy_angle_min, healthy_angle_max, velocity_min, velocity_max, reset_noise_scale, exclude_current_positions_from_observation, from_pixels, camera_name, default_camera, gymnasium_v5_render_camera, camera_lookat, camera_distance, camera_azimuth, camera_elevation, camera_orthographic, max_geom, visual_options, render_shadows, render_shadow_size, render_reflections, render_skybox, render_haze, render_textures, render_multisamples, width, height, camera_id, default_camera_config."""

@overload
def make_gymnasium(
    task_id: LunarLanderTask,
    *,
    num_envs: int = 1,
    gym_reset_return_info: Literal[True] | None = None,
    **options: Unpack[LunarLanderOptions],
) -> GymnasiumEnvPool[Array]:
    """LunarLander-v3, LunarLanderContinuous-v3, LunarLander-v2 and 1 more. Own options: continuous, gravity, enable_wind, wind_power, turbulence_power."""

@overload
def make_gymnasium(
    task_id: BipedalWalkerTask,
    *,
    num_envs: int = 1,
    gym_reset_return_info: Literal[True] | None = None,
    **options: Unpack[BipedalWalkerOptions],
) -> GymnasiumEnvPool[Array]:
    """BipedalWalker-v3, BipedalWalkerHardcore-v3. Own options: hardcore."""

@overload
def make_gymnasium(
    task_id: CarRacingTask,
    *,
    num_envs: int = 1,
    gym_reset_return_info: Literal[True] | None = None,
    **options: Unpack[CarRacingOptions],
) -> GymnasiumEnvPool[Array]:
    """CarRacing-v3, CarRacing-v2. Own options: verbose, lap_complete_percent, domain_randomize, continuous."""

@overload
def make_gymnasium(
    task_id: AcrobotSwingupTask,
    *,
    num_envs: int = 1,
    gym_reset_return_info: Literal[True] | None = None,
    **options: Unpack[AcrobotSwingupOptions],
) -> GymnasiumEnvPool[dict[str, Array]]:
    """AcrobotSwingup-v1, dm_control/acrobot-swingup, AcrobotSwingupSparse-v1 and 1 more. Own options: task_name, suite_dir, frame_skip, n_sub_steps, frame_stack, time_limit, flat_observation, domain_keys, physics, visualize_reward, legacy_step, from_pixels, camera_name, camera_lookat, camera_distance, camera_azimuth, camera_elevation, camera_orthographic, max_geom, visual_options, render_shadows, render_shadow_size, render_reflections, render_skybox, render_haze, render_textures, render_multisamples, width, height, camera_id."""

@overload
def make_gymnasium(
    task_id: BallInCupCatchTask,
    *,
    num_envs: int = 1,
    gym_reset_return_info: Literal[True] | None = None,
    **options: Unpack[BallInCupCatchOptions],
) -> GymnasiumEnvPool[dict[str, Array]]:
    """BallInCupCatch-v1, dm_control/ball_in_cup-catch. Own options: task_name, suite_dir, frame_skip, n_sub_steps, frame_stack, time_limit, flat_observation, domain_keys, physics, visualize_reward, legacy_step, from_pixels, camera_name, camera_lookat, camera_distance, camera_azimuth, camera_elevation, camera_orthographic, max_geom, visual_options, render_shadows, render_shadow_size, render_reflections, render_skybox, render_haze, render_textures, render_multisamples, width, height, camera_id."""

@overload
def make_gymnasium(
    task_id: CartpoleBalanceTask,
    *,
    num_envs: int = 1,
    gym_reset_return_info: Literal[True] | None = None,
    **options: Unpack[CartpoleBalanceOptions],
) -> GymnasiumEnvPool[dict[str, Array]]:
    """CartpoleBalance-v1, dm_control/cartpole-balance, CartpoleBalanceSparse-v1 and 9 more. Own options: task_name, suite_dir, frame_skip, n_sub_steps, frame_stack, time_limit, flat_observation, domain_keys, physics, visualize_reward, legacy_step, num_poles, sparse, from_pixels, camera_name, camera_lookat, camera_distance, camera_azimuth, camera_elevation, camera_orthographic, max_geom, visual_options, render_shadows, render_shadow_size, render_reflections, render_skybox, render_haze, render_textures, render_multisamples, width, height, camera_id."""

@overload
def make_gymnasium(
    task_id: CheetahRunTask,
    *,
    num_envs: int = 1,
    gym_reset_return_info: Literal[True] | None = None,
    **options: Unpack[CheetahRunOptions],
) -> GymnasiumEnvPool[dict[str, Array]]:
    """CheetahRun-v1, dm_control/cheetah-run. Own options: task_name, suite_dir, frame_skip, n_sub_steps, frame_stack, time_limit, flat_observation, domain_keys, physics, visualize_reward, legacy_step, from_pixels, camera_name, camera_lookat, camera_distance, camera_azimuth, camera_elevation, camera_orthographic, max_geom, visual_options, render_shadows, render_shadow_size, render_reflections, render_skybox, render_haze, render_textures, render_multisamples, width, height, camera_id."""

@overload
def make_gymnasium(
    task_id: DogStandTask,
    *,
    num_envs: int = 1,
    gym_reset_return_info: Literal[True] | None = None,
    **options: Unpack[DogStandOptions],
) -> GymnasiumEnvPool[dict[str, Array]]:
    """DogStand-v1, dm_control/dog-stand, DogWalk-v1 and 7 more. Own options: task_name, suite_dir, frame_skip, n_sub_steps, frame_stack, time_limit, flat_observation, domain_keys, physics, visualize_reward, legacy_step, from_pixels, camera_name, camera_lookat, camera_distance, camera_azimuth, camera_elevation, camera_orthographic, max_geom, visual_options, render_shadows, render_shadow_size, render_reflections, render_skybox, render_haze, render_textures, render_multisamples, width, height, camera_id."""

@overload
def make_gymnasium(
    task_id: FingerSpinTask,
    *,
    num_envs: int = 1,
    gym_reset_return_info: Literal[True] | None = None,
    **options: Unpack[FingerSpinOptions],
) -> GymnasiumEnvPool[dict[str, Array]]:
    """FingerSpin-v1, dm_control/finger-spin, FingerTurnEasy-v1 and 3 more. Own options: task_name, suite_dir, frame_skip, n_sub_steps, frame_stack, time_limit, flat_observation, domain_keys, physics, visualize_reward, legacy_step, from_pixels, camera_name, camera_lookat, camera_distance, camera_azimuth, camera_elevation, camera_orthographic, max_geom, visual_options, render_shadows, render_shadow_size, render_reflections, render_skybox, render_haze, render_textures, render_multisamples, width, height, camera_id."""

@overload
def make_gymnasium(
    task_id: FishUprightTask,
    *,
    num_envs: int = 1,
    gym_reset_return_info: Literal[True] | None = None,
    **options: Unpack[FishUprightOptions],
) -> GymnasiumEnvPool[dict[str, Array]]:
    """FishUpright-v1, dm_control/fish-upright, FishSwim-v1 and 1 more. Own options: task_name, suite_dir, frame_skip, n_sub_steps, frame_stack, time_limit, flat_observation, domain_keys, physics, visualize_reward, legacy_step, from_pixels, camera_name, camera_lookat, camera_distance, camera_azimuth, camera_elevation, camera_orthographic, max_geom, visual_options, render_shadows, render_shadow_size, render_reflections, render_skybox, render_haze, render_textures, render_multisamples, width, height, camera_id."""

@overload
def make_gymnasium(
    task_id: HopperStandTask,
    *,
    num_envs: int = 1,
    gym_reset_return_info: Literal[True] | None = None,
    **options: Unpack[HopperStandOptions],
) -> GymnasiumEnvPool[dict[str, Array]]:
    """HopperStand-v1, dm_control/hopper-stand, HopperHop-v1 and 1 more. Own options: task_name, suite_dir, frame_skip, n_sub_steps, frame_stack, time_limit, flat_observation, domain_keys, physics, visualize_reward, legacy_step, from_pixels, camera_name, camera_lookat, camera_distance, camera_azimuth, camera_elevation, camera_orthographic, max_geom, visual_options, render_shadows, render_shadow_size, render_reflections, render_skybox, render_haze, render_textures, render_multisamples, width, height, camera_id."""

@overload
def make_gymnasium(
    task_id: HumanoidStandTask,
    *,
    num_envs: int = 1,
    gym_reset_return_info: Literal[True] | None = None,
    **options: Unpack[HumanoidStandOptions],
) -> GymnasiumEnvPool[dict[str, Array]]:
    """HumanoidStand-v1, dm_control/humanoid-stand, HumanoidWalk-v1 and 5 more. Own options: task_name, suite_dir, frame_skip, n_sub_steps, frame_stack, time_limit, flat_observation, domain_keys, physics, visualize_reward, legacy_step, from_pixels, camera_name, camera_lookat, camera_distance, camera_azimuth, camera_elevation, camera_orthographic, max_geom, visual_options, render_shadows, render_shadow_size, render_reflections, render_skybox, render_haze, render_textures, render_multisamples, width, height, camera_id."""

@overload
def make_gymnasium(
    task_id: HumanoidCMUStandTask,
    *,
    num_envs: int = 1,
    gym_reset_return_info: Literal[True] | None = None,
    **options: Unpack[HumanoidCMUStandOptions],
) -> GymnasiumEnvPool[dict[str, Array]]:
    """HumanoidCMUStand-v1, dm_control/humanoid_CMU-stand, HumanoidCMUWalk-v1 and 9 more. Own options: task_name, suite_dir, frame_skip, n_sub_steps, frame_stack, time_limit, flat_observation, domain_keys, physics, visualize_reward, legacy_step, from_pixels, camera_name, camera_lookat, camera_distance, camera_azimuth, camera_elevation, camera_orthographic, max_geom, visual_options, render_shadows, render_shadow_size, render_reflections, render_skybox, render_haze, render_textures, render_multisamples, width, height, camera_id."""

@overload
def make_gymnasium(
    task_id: LqrLqr21Task,
    *,
    num_envs: int = 1,
    gym_reset_return_info: Literal[True] | None = None,
    **options: Unpack[LqrLqr21Options],
) -> GymnasiumEnvPool[dict[str, Array]]:
    """LqrLqr21-v1, dm_control/lqr-lqr_2_1, LqrLqr62-v1 and 1 more. Own options: task_name, suite_dir, frame_skip, n_sub_steps, frame_stack, time_limit, flat_observation, domain_keys, physics, visualize_reward, legacy_step, from_pixels, camera_name, camera_lookat, camera_distance, camera_azimuth, camera_elevation, camera_orthographic, max_geom, visual_options, render_shadows, render_shadow_size, render_reflections, render_skybox, render_haze, render_textures, render_multisamples, width, height, camera_id."""

@overload
def make_gymnasium(
    task_id: ManipulatorBringBallTask,
    *,
    num_envs: int = 1,
    gym_reset_return_info: Literal[True] | None = None,
    **options: Unpack[ManipulatorBringBallOptions],
) -> GymnasiumEnvPool[dict[str, Array]]:
    """ManipulatorBringBall-v1, dm_control/manipulator-bring_ball, ManipulatorBringPeg-v1 and 5 more. Own options: task_name, suite_dir, frame_skip, n_sub_steps, frame_stack, time_limit, flat_observation, domain_keys, physics, visualize_reward, legacy_step, fully_observable, from_pixels, camera_name, camera_lookat, camera_distance, camera_azimuth, camera_elevation, camera_orthographic, max_geom, visual_options, render_shadows, render_shadow_size, render_reflections, render_skybox, render_haze, render_textures, render_multisamples, width, height, camera_id."""

@overload
def make_gymnasium(
    task_id: PendulumSwingupTask,
    *,
    num_envs: int = 1,
    gym_reset_return_info: Literal[True] | None = None,
    **options: Unpack[PendulumSwingupOptions],
) -> GymnasiumEnvPool[dict[str, Array]]:
    """PendulumSwingup-v1, dm_control/pendulum-swingup. Own options: task_name, suite_dir, frame_skip, n_sub_steps, frame_stack, time_limit, flat_observation, domain_keys, physics, visualize_reward, legacy_step, from_pixels, camera_name, camera_lookat, camera_distance, camera_azimuth, camera_elevation, camera_orthographic, max_geom, visual_options, render_shadows, render_shadow_size, render_reflections, render_skybox, render_haze, render_textures, render_multisamples, width, height, camera_id."""

@overload
def make_gymnasium(
    task_id: PointMassEasyTask,
    *,
    num_envs: int = 1,
    gym_reset_return_info: Literal[True] | None = None,
    **options: Unpack[PointMassEasyOptions],
) -> GymnasiumEnvPool[dict[str, Array]]:
    """PointMassEasy-v1, dm_control/point_mass-easy, PointMassHard-v1 and 5 more. Own options: task_name, suite_dir, frame_skip, n_sub_steps, frame_stack, time_limit, flat_observation, domain_keys, physics, visualize_reward, legacy_step, from_pixels, camera_name, camera_lookat, camera_distance, camera_azimuth, camera_elevation, camera_orthographic, max_geom, visual_options, render_shadows, render_shadow_size, render_reflections, render_skybox, render_haze, render_textures, render_multisamples, width, height, camera_id."""

@overload
def make_gymnasium(
    task_id: QuadrupedWalkTask,
    *,
    num_envs: int = 1,
    gym_reset_return_info: Literal[True] | None = None,
    **options: Unpack[QuadrupedWalkOptions],
) -> GymnasiumEnvPool[dict[str, Array]]:
    """QuadrupedWalk-v1, dm_control/quadruped-walk, QuadrupedRun-v1 and 5 more. Own options: task_name, suite_dir, frame_skip, n_sub_steps, frame_stack, time_limit, flat_observation, domain_keys, physics, visualize_reward, legacy_step, from_pixels, camera_name, camera_lookat, camera_distance, camera_azimuth, camera_elevation, camera_orthographic, max_geom, visual_options, render_shadows, render_shadow_size, render_reflections, render_skybox, render_haze, render_textures, render_multisamples, width, height, camera_id."""

@overload
def make_gymnasium(
    task_id: StackerStack2Task,
    *,
    num_envs: int = 1,
    gym_reset_return_info: Literal[True] | None = None,
    **options: Unpack[StackerStack2Options],
) -> GymnasiumEnvPool[dict[str, Array]]:
    """StackerStack2-v1, dm_control/stacker-stack_2, StackerStack4-v1 and 1 more. Own options: task_name, suite_dir, frame_skip, n_sub_steps, frame_stack, time_limit, flat_observation, domain_keys, physics, visualize_reward, legacy_step, fully_observable, from_pixels, camera_name, camera_lookat, camera_distance, camera_azimuth, camera_elevation, camera_orthographic, max_geom, visual_options, render_shadows, render_shadow_size, render_reflections, render_skybox, render_haze, render_textures, render_multisamples, width, height, camera_id."""

@overload
def make_gymnasium(
    task_id: SwimmerSwimmer6Task,
    *,
    num_envs: int = 1,
    gym_reset_return_info: Literal[True] | None = None,
    **options: Unpack[SwimmerSwimmer6Options],
) -> GymnasiumEnvPool[dict[str, Array]]:
    """SwimmerSwimmer6-v1, dm_control/swimmer-swimmer6, SwimmerSwimmer15-v1 and 1 more. Own options: task_name, suite_dir, frame_skip, n_sub_steps, frame_stack, time_limit, flat_observation, domain_keys, physics, visualize_reward, legacy_step, n_links, from_pixels, camera_name, camera_lookat, camera_distance, camera_azimuth, camera_elevation, camera_orthographic, max_geom, visual_options, render_shadows, render_shadow_size, render_reflections, render_skybox, render_haze, render_textures, render_multisamples, width, height, camera_id."""

@overload
def make_gymnasium(
    task_id: EnvPoolVizdoomTask,
    *,
    num_envs: int = 1,
    gym_reset_return_info: Literal[True] | None = None,
    **options: Unpack[EnvPoolVizdoomOptions],
) -> GymnasiumEnvPool[Array]:
    """D1Basic-v1, D2Navigation-v1, D3Battle-v1 and 18 more. Own options: scenario, img_height, img_width, stack_num, frame_skip, use_inter_area_resize, episodic_life, use_combined_action, force_speed, lmp_save_dir, reward_config, reward_metric, selected_weapon_reward_config, weapon_duration, delta_button_config, cfg_path, wad_path, iwad_path, vzd_path, game_args, map_id, assets_dir, vizdoom_dir, engine_timeout, restart, fast_palette_copy."""

@overload
def make_gymnasium(
    task_id: VizdoomTask,
    *,
    num_envs: int = 1,
    gym_reset_return_info: Literal[True] | None = None,
    **options: Unpack[VizdoomOptions],
) -> GymnasiumEnvPool[dict[str, Array]]:
    """VizdoomBasic-v1, VizdoomBasic-MultiBinary-v1, VizdoomBasicAudio-v1 and 701 more. Own options: scenario_config_file, frame_skip, max_buttons_pressed, treat_episode_timeout_as_truncation, use_multi_binary_action_space, vizdoom_dir, engine_timeout, restart, fast_palette_copy, available_buttons, available_game_variables, doom_game_path, doom_scenario_path, doom_config_path, vizdoom_path, doom_map, doom_skill, game_args, mode, ticrate, episode_start_time, episode_timeout, living_reward, death_penalty, death_reward, map_exit_reward, kill_reward, item_reward, secret_reward, frag_reward, hit_reward, hit_taken_reward, hit_taken_penalty, damage_made_reward, damage_taken_reward, damage_taken_penalty, health_reward, armor_reward, screen_resolution, screen_format, depth_buffer_enabled, labels_buffer_enabled, automap_buffer_enabled, audio_buffer_enabled, notifications_buffer_enabled, objects_info_enabled, sectors_info_enabled, automap_mode, automap_rotate, automap_render_textures, automap_render_objects_as_sprites, audio_sampling_rate, audio_buffer_size, notifications_buffer_size, render_hud, render_minimal_hud, render_weapon, render_crosshair, render_decals, render_particles, render_effects_sprites, render_messages, render_corpses, render_screen_flashes, render_all_frames, sound_enabled, console_enabled, window_visible."""

@overload
@deprecated("not all of these are options of this task: see `python -m envpool_rs info TASK`")
def make_gymnasium(
    task_id: KnownTask, *, num_envs: int = 1, gym_reset_return_info: bool | None = None, **options: Unpack[AnyOptions]
) -> NoSuchOption: ...
@overload
def make_gymnasium(
    task_id: TaskId,
    *,
    num_envs: int = 1,
    gym_reset_return_info: Literal[True] | None = None,
    **options: Unpack[AnyOptions],
) -> GymnasiumEnvPool: ...
@overload
def make_gym(
    task_id: CartPoleTask,
    *,
    num_envs: int = 1,
    gym_reset_return_info: bool | None = None,
    **options: Unpack[CartPoleOptions],
) -> GymEnvPool:
    """CartPole-v0, CartPole-v1. Own options: sutton_barto_reward."""

@overload
def make_gym(
    task_id: MountainCarTask,
    *,
    num_envs: int = 1,
    gym_reset_return_info: bool | None = None,
    **options: Unpack[MountainCarOptions],
) -> GymEnvPool:
    """MountainCar-v0, MountainCarContinuous-v0. Own options: goal_velocity."""

@overload
def make_gym(
    task_id: PendulumTask,
    *,
    num_envs: int = 1,
    gym_reset_return_info: bool | None = None,
    **options: Unpack[PendulumOptions],
) -> GymEnvPool:
    """Pendulum-v0, Pendulum-v1. Own options: g, version."""

@overload
def make_gym(
    task_id: AcrobotTask,
    *,
    num_envs: int = 1,
    gym_reset_return_info: bool | None = None,
    **options: Unpack[PoolOptions],
) -> GymEnvPool:
    """Acrobot-v1. Own options: none."""

@overload
def make_gym(
    task_id: FrozenLakeTask,
    *,
    num_envs: int = 1,
    gym_reset_return_info: bool | None = None,
    **options: Unpack[FrozenLakeOptions],
) -> GymEnvPool:
    """FrozenLake-v1, FrozenLake8x8-v1. Own options: desc, map_name, is_slippery, success_rate, reward_schedule, size."""

@overload
def make_gym(
    task_id: TaxiTask, *, num_envs: int = 1, gym_reset_return_info: bool | None = None, **options: Unpack[TaxiOptions]
) -> GymEnvPool:
    """Taxi-v3. Own options: is_rainy, fickle_passenger."""

@overload
def make_gym(
    task_id: TaxiV4Task,
    *,
    num_envs: int = 1,
    gym_reset_return_info: bool | None = None,
    **options: Unpack[TaxiV4Options],
) -> GymEnvPool:
    """Taxi-v4. Own options: is_rainy, fickle_passenger, rainy_probability, fickle_probability."""

@overload
def make_gym(
    task_id: CliffWalkingTask,
    *,
    num_envs: int = 1,
    gym_reset_return_info: bool | None = None,
    **options: Unpack[CliffWalkingOptions],
) -> GymEnvPool:
    """CliffWalking-v0, CliffWalking-v1, CliffWalkingSlippery-v1. Own options: is_slippery."""

@overload
def make_gym(
    task_id: BlackjackTask,
    *,
    num_envs: int = 1,
    gym_reset_return_info: bool | None = None,
    **options: Unpack[BlackjackOptions],
) -> GymEnvPool:
    """Blackjack-v1. Own options: natural, sab."""

@overload
def make_gym(
    task_id: NChainTask,
    *,
    num_envs: int = 1,
    gym_reset_return_info: bool | None = None,
    **options: Unpack[NChainOptions],
) -> GymEnvPool:
    """NChain-v0. Own options: n, slip, small, large."""

@overload
def make_gym(
    task_id: AtariTask, *, num_envs: int = 1, gym_reset_return_info: bool | None = None, **options: Unpack[AtariOptions]
) -> GymEnvPool:
    """Adventure-v5, AirRaid-v5, Alien-v5 and 101 more. Own options: rom_dir, stack_num, frame_skip, noop_max, zero_discount_on_life_loss, episodic_life, reward_clip, use_fire_reset, img_height, img_width, task, mode, difficulty, full_action_space, repeat_action_probability, use_inter_area_resize, gray_scale, translate."""

@overload
def make_gym(
    task_id: AleAtariTask,
    *,
    num_envs: int = 1,
    gym_reset_return_info: bool | None = None,
    **options: Unpack[AleAtariOptions],
) -> GymEnvPool:
    """ALE/Adventure-v5, ALE/AirRaid-v5, ALE/Alien-v5 and 101 more. Own options: rom_dir, game, mode, difficulty, obs_type, frameskip, repeat_action_probability, full_action_space, continuous, continuous_action_threshold, max_num_frames_per_episode, preprocessing, noop_max, frame_skip, screen_size, terminal_on_life_loss, grayscale_obs, grayscale_newaxis, scale_obs, stack_size, padding_type, translate."""

@overload
def make_gym(
    task_id: CatchTask, *, num_envs: int = 1, gym_reset_return_info: bool | None = None, **options: Unpack[CatchOptions]
) -> GymEnvPool:
    """Catch-v0. Own options: rows, columns, height, width."""

@overload
def make_gym(
    task_id: SimpleSpreadTask,
    *,
    num_envs: int = 1,
    gym_reset_return_info: bool | None = None,
    **options: Unpack[SimpleSpreadOptions],
) -> GymEnvPool:
    """SimpleSpread-v3. Own options: N, local_ratio, curriculum, terminate_on_success, num_agent_neighbors, num_landmark_neighbors, continuous_actions, benchmark_data, max_cycles, dynamic_rescaling."""

@overload
def make_gym(
    task_id: SimpleSpeakerListenerTask,
    *,
    num_envs: int = 1,
    gym_reset_return_info: bool | None = None,
    **options: Unpack[SimpleSpeakerListenerOptions],
) -> GymEnvPool:
    """SimpleSpeakerListener-v4. Own options: continuous_actions, benchmark_data, max_cycles, dynamic_rescaling."""

@overload
def make_gym(
    task_id: MiniGridEmpty5x5Task,
    *,
    num_envs: int = 1,
    gym_reset_return_info: bool | None = None,
    **options: Unpack[MiniGridEmpty5x5Options],
) -> GymEnvPool:
    """MiniGrid-Empty-5x5-v0, MiniGrid-Empty-Random-5x5-v0, MiniGrid-Empty-6x6-v0 and 3 more. Own options: env_name, size, agent_start_pos, agent_start_dir, agent_view_size, see_through_walls, obs, obs_tile_size, image_only, mission, highlight, max_steps, action_prob, random_action, no_death, death_cost, seeds, tile_size, agent_pov."""

@overload
def make_gym(
    task_id: MiniGridDoorKey5x5Task,
    *,
    num_envs: int = 1,
    gym_reset_return_info: bool | None = None,
    **options: Unpack[MiniGridDoorKey5x5Options],
) -> GymEnvPool:
    """MiniGrid-DoorKey-5x5-v0, MiniGrid-DoorKey-6x6-v0, MiniGrid-DoorKey-8x8-v0 and 1 more. Own options: env_name, size, agent_view_size, see_through_walls, obs, obs_tile_size, image_only, mission, highlight, max_steps, action_prob, random_action, no_death, death_cost, seeds, tile_size, agent_pov."""

@overload
def make_gym(
    task_id: MiniGridLavaCrossingS9N1Task,
    *,
    num_envs: int = 1,
    gym_reset_return_info: bool | None = None,
    **options: Unpack[MiniGridLavaCrossingS9N1Options],
) -> GymEnvPool:
    """MiniGrid-LavaCrossingS9N1-v0, MiniGrid-LavaCrossingS9N2-v0, MiniGrid-LavaCrossingS9N3-v0 and 5 more. Own options: env_name, size, num_crossings, obstacle_type, agent_view_size, see_through_walls, obs, obs_tile_size, image_only, mission, highlight, max_steps, action_prob, random_action, no_death, death_cost, seeds, tile_size, agent_pov."""

@overload
def make_gym(
    task_id: MiniGridDistShift1Task,
    *,
    num_envs: int = 1,
    gym_reset_return_info: bool | None = None,
    **options: Unpack[MiniGridDistShift1Options],
) -> GymEnvPool:
    """MiniGrid-DistShift1-v0, MiniGrid-DistShift2-v0. Own options: env_name, width, height, strip2_row, agent_start_pos, agent_start_dir, agent_view_size, see_through_walls, obs, obs_tile_size, image_only, mission, highlight, max_steps, action_prob, random_action, no_death, death_cost, seeds, tile_size, agent_pov."""

@overload
def make_gym(
    task_id: MiniGridLavaGapS5Task,
    *,
    num_envs: int = 1,
    gym_reset_return_info: bool | None = None,
    **options: Unpack[MiniGridLavaGapS5Options],
) -> GymEnvPool:
    """MiniGrid-LavaGapS5-v0, MiniGrid-LavaGapS6-v0, MiniGrid-LavaGapS7-v0. Own options: env_name, size, obstacle_type, agent_view_size, see_through_walls, obs, obs_tile_size, image_only, mission, highlight, max_steps, action_prob, random_action, no_death, death_cost, seeds, tile_size, agent_pov."""

@overload
def make_gym(
    task_id: MiniGridDynamicObstacles5x5Task,
    *,
    num_envs: int = 1,
    gym_reset_return_info: bool | None = None,
    **options: Unpack[MiniGridDynamicObstacles5x5Options],
) -> GymEnvPool:
    """MiniGrid-Dynamic-Obstacles-5x5-v0, MiniGrid-Dynamic-Obstacles-Random-5x5-v0, MiniGrid-Dynamic-Obstacles-6x6-v0 and 3 more. Own options: env_name, size, n_obstacles, agent_start_pos, agent_start_dir, agent_view_size, see_through_walls, obs, obs_tile_size, image_only, mission, highlight, max_steps, action_prob, random_action, no_death, death_cost, seeds, tile_size, agent_pov."""

@overload
def make_gym(
    task_id: MiniGridFetch5x5N2Task,
    *,
    num_envs: int = 1,
    gym_reset_return_info: bool | None = None,
    **options: Unpack[MiniGridFetch5x5N2Options],
) -> GymEnvPool:
    """MiniGrid-Fetch-5x5-N2-v0, MiniGrid-Fetch-6x6-N2-v0, MiniGrid-Fetch-8x8-N3-v0. Own options: env_name, size, numObjs, num_objs, agent_view_size, see_through_walls, obs, obs_tile_size, image_only, mission, highlight, max_steps, action_prob, random_action, no_death, death_cost, seeds, tile_size, agent_pov."""

@overload
def make_gym(
    task_id: MiniGridFourRoomsTask,
    *,
    num_envs: int = 1,
    gym_reset_return_info: bool | None = None,
    **options: Unpack[MiniGridFourRoomsOptions],
) -> GymEnvPool:
    """MiniGrid-FourRooms-v0. Own options: env_name, agent_pos, goal_pos, agent_view_size, see_through_walls, obs, obs_tile_size, image_only, mission, highlight, max_steps, action_prob, random_action, no_death, death_cost, seeds, tile_size, agent_pov."""

@overload
def make_gym(
    task_id: MiniGridGoToDoor5x5Task,
    *,
    num_envs: int = 1,
    gym_reset_return_info: bool | None = None,
    **options: Unpack[MiniGridGoToDoor5x5Options],
) -> GymEnvPool:
    """MiniGrid-GoToDoor-5x5-v0, MiniGrid-GoToDoor-6x6-v0, MiniGrid-GoToDoor-8x8-v0. Own options: env_name, size, agent_view_size, see_through_walls, obs, obs_tile_size, image_only, mission, highlight, max_steps, action_prob, random_action, no_death, death_cost, seeds, tile_size, agent_pov."""

@overload
def make_gym(
    task_id: MiniGridGoToObject6x6N2Task,
    *,
    num_envs: int = 1,
    gym_reset_return_info: bool | None = None,
    **options: Unpack[MiniGridGoToObject6x6N2Options],
) -> GymEnvPool:
    """MiniGrid-GoToObject-6x6-N2-v0, MiniGrid-GoToObject-8x8-N2-v0. Own options: env_name, size, numObjs, num_objs, agent_view_size, see_through_walls, obs, obs_tile_size, image_only, mission, highlight, max_steps, action_prob, random_action, no_death, death_cost, seeds, tile_size, agent_pov."""

@overload
def make_gym(
    task_id: MiniGridKeyCorridorS3R1Task,
    *,
    num_envs: int = 1,
    gym_reset_return_info: bool | None = None,
    **options: Unpack[MiniGridKeyCorridorS3R1Options],
) -> GymEnvPool:
    """MiniGrid-KeyCorridorS3R1-v0, MiniGrid-KeyCorridorS3R2-v0, MiniGrid-KeyCorridorS3R3-v0 and 3 more. Own options: env_name, num_rows, room_size, obj_type, agent_view_size, see_through_walls, obs, obs_tile_size, image_only, mission, highlight, max_steps, action_prob, random_action, no_death, death_cost, seeds, tile_size, agent_pov."""

@overload
def make_gym(
    task_id: MiniGridLockedRoomTask,
    *,
    num_envs: int = 1,
    gym_reset_return_info: bool | None = None,
    **options: Unpack[MiniGridLockedRoomOptions],
) -> GymEnvPool:
    """MiniGrid-LockedRoom-v0. Own options: env_name, size, agent_view_size, see_through_walls, obs, obs_tile_size, image_only, mission, highlight, max_steps, action_prob, random_action, no_death, death_cost, seeds, tile_size, agent_pov."""

@overload
def make_gym(
    task_id: MiniGridMemoryS17RandomTask,
    *,
    num_envs: int = 1,
    gym_reset_return_info: bool | None = None,
    **options: Unpack[MiniGridMemoryS17RandomOptions],
) -> GymEnvPool:
    """MiniGrid-MemoryS17Random-v0, MiniGrid-MemoryS13Random-v0, MiniGrid-MemoryS13-v0 and 3 more. Own options: env_name, size, random_length, agent_view_size, see_through_walls, obs, obs_tile_size, image_only, mission, highlight, max_steps, action_prob, random_action, no_death, death_cost, seeds, tile_size, agent_pov."""

@overload
def make_gym(
    task_id: MiniGridMultiRoomN2S4Task,
    *,
    num_envs: int = 1,
    gym_reset_return_info: bool | None = None,
    **options: Unpack[MiniGridMultiRoomN2S4Options],
) -> GymEnvPool:
    """MiniGrid-MultiRoom-N2-S4-v0, MiniGrid-MultiRoom-N4-S5-v0, MiniGrid-MultiRoom-N4-S5-v1 and 1 more. Own options: env_name, minNumRooms, min_num_rooms, maxNumRooms, max_num_rooms, maxRoomSize, max_room_size, width, height, agent_view_size, see_through_walls, obs, obs_tile_size, image_only, mission, highlight, max_steps, action_prob, random_action, no_death, death_cost, seeds, tile_size, agent_pov."""

@overload
def make_gym(
    task_id: MiniGridObstructedMaze1DlTask,
    *,
    num_envs: int = 1,
    gym_reset_return_info: bool | None = None,
    **options: Unpack[MiniGridObstructedMaze1DlOptions],
) -> GymEnvPool:
    """MiniGrid-ObstructedMaze-1Dl-v0, MiniGrid-ObstructedMaze-1Dlh-v0, MiniGrid-ObstructedMaze-1Dlhb-v0. Own options: env_name, key_in_box, blocked, agent_view_size, see_through_walls, obs, obs_tile_size, image_only, mission, highlight, max_steps, action_prob, random_action, no_death, death_cost, seeds, tile_size, agent_pov."""

@overload
def make_gym(
    task_id: MiniGridObstructedMaze2DlTask,
    *,
    num_envs: int = 1,
    gym_reset_return_info: bool | None = None,
    **options: Unpack[MiniGridObstructedMaze2DlOptions],
) -> GymEnvPool:
    """MiniGrid-ObstructedMaze-2Dl-v0, MiniGrid-ObstructedMaze-2Dlh-v0, MiniGrid-ObstructedMaze-2Dlhb-v0 and 3 more. Own options: env_name, agent_room, key_in_box, blocked, num_quarters, num_rooms_visited, agent_view_size, see_through_walls, obs, obs_tile_size, image_only, mission, highlight, max_steps, action_prob, random_action, no_death, death_cost, seeds, tile_size, agent_pov."""

@overload
def make_gym(
    task_id: MiniGridObstructedMaze2DlhbTask,
    *,
    num_envs: int = 1,
    gym_reset_return_info: bool | None = None,
    **options: Unpack[MiniGridObstructedMaze2DlhbOptions],
) -> GymEnvPool:
    """MiniGrid-ObstructedMaze-2Dlhb-v1, MiniGrid-ObstructedMaze-1Q-v1, MiniGrid-ObstructedMaze-2Q-v1 and 1 more. Own options: env_name, agent_room, key_in_box, blocked, num_quarters, num_rooms_visited, agent_view_size, see_through_walls, obs, obs_tile_size, image_only, mission, highlight, max_steps, action_prob, random_action, no_death, death_cost, seeds, tile_size, agent_pov."""

@overload
def make_gym(
    task_id: MiniGridPlaygroundTask,
    *,
    num_envs: int = 1,
    gym_reset_return_info: bool | None = None,
    **options: Unpack[MiniGridPlaygroundOptions],
) -> GymEnvPool:
    """MiniGrid-Playground-v0. Own options: env_name, agent_view_size, see_through_walls, obs, obs_tile_size, image_only, mission, highlight, max_steps, action_prob, random_action, no_death, death_cost, seeds, tile_size, agent_pov."""

@overload
def make_gym(
    task_id: MiniGridPutNear6x6N2Task,
    *,
    num_envs: int = 1,
    gym_reset_return_info: bool | None = None,
    **options: Unpack[MiniGridPutNear6x6N2Options],
) -> GymEnvPool:
    """MiniGrid-PutNear-6x6-N2-v0, MiniGrid-PutNear-8x8-N3-v0. Own options: env_name, size, numObjs, num_objs, agent_view_size, see_through_walls, obs, obs_tile_size, image_only, mission, highlight, max_steps, action_prob, random_action, no_death, death_cost, seeds, tile_size, agent_pov."""

@overload
def make_gym(
    task_id: MiniGridRedBlueDoors6x6Task,
    *,
    num_envs: int = 1,
    gym_reset_return_info: bool | None = None,
    **options: Unpack[MiniGridRedBlueDoors6x6Options],
) -> GymEnvPool:
    """MiniGrid-RedBlueDoors-6x6-v0, MiniGrid-RedBlueDoors-8x8-v0. Own options: env_name, size, agent_view_size, see_through_walls, obs, obs_tile_size, image_only, mission, highlight, max_steps, action_prob, random_action, no_death, death_cost, seeds, tile_size, agent_pov."""

@overload
def make_gym(
    task_id: MiniGridUnlockTask,
    *,
    num_envs: int = 1,
    gym_reset_return_info: bool | None = None,
    **options: Unpack[MiniGridUnlockOptions],
) -> GymEnvPool:
    """MiniGrid-Unlock-v0. Own options: env_name, agent_view_size, see_through_walls, obs, obs_tile_size, image_only, mission, highlight, max_steps, action_prob, random_action, no_death, death_cost, seeds, tile_size, agent_pov."""

@overload
def make_gym(
    task_id: MiniGridUnlockPickupTask,
    *,
    num_envs: int = 1,
    gym_reset_return_info: bool | None = None,
    **options: Unpack[MiniGridUnlockPickupOptions],
) -> GymEnvPool:
    """MiniGrid-UnlockPickup-v0. Own options: env_name, agent_view_size, see_through_walls, obs, obs_tile_size, image_only, mission, highlight, max_steps, action_prob, random_action, no_death, death_cost, seeds, tile_size, agent_pov."""

@overload
def make_gym(
    task_id: MiniGridBlockedUnlockPickupTask,
    *,
    num_envs: int = 1,
    gym_reset_return_info: bool | None = None,
    **options: Unpack[MiniGridBlockedUnlockPickupOptions],
) -> GymEnvPool:
    """MiniGrid-BlockedUnlockPickup-v0. Own options: env_name, agent_view_size, see_through_walls, obs, obs_tile_size, image_only, mission, highlight, max_steps, action_prob, random_action, no_death, death_cost, seeds, tile_size, agent_pov."""

@overload
def make_gym(
    task_id: MiniGridWFCMazeSimpleTask,
    *,
    num_envs: int = 1,
    gym_reset_return_info: bool | None = None,
    **options: Unpack[MiniGridWFCMazeSimpleOptions],
) -> GymEnvPool:
    """MiniGrid-WFC-MazeSimple-v0, MiniGrid-WFC-DungeonMazeScaled-v0, MiniGrid-WFC-RoomsFabric-v0 and 3 more. Own options: env_name, wfc_config, wfc_preset, size, ensure_connected, agent_view_size, see_through_walls, obs, obs_tile_size, image_only, mission, highlight, max_steps, action_prob, random_action, no_death, death_cost, seeds, tile_size, agent_pov."""

@overload
def make_gym(
    task_id: BabyAIGoToRedBallGreyTask,
    *,
    num_envs: int = 1,
    gym_reset_return_info: bool | None = None,
    **options: Unpack[BabyAIGoToRedBallGreyOptions],
) -> GymEnvPool:
    """BabyAI-GoToRedBallGrey-v0. Own options: env_name, room_size, num_dists, agent_view_size, see_through_walls, obs, obs_tile_size, image_only, mission, highlight, max_steps, action_prob, random_action, no_death, death_cost, seeds, tile_size, agent_pov."""

@overload
def make_gym(
    task_id: BabyAIGoToRedBallTask,
    *,
    num_envs: int = 1,
    gym_reset_return_info: bool | None = None,
    **options: Unpack[BabyAIGoToRedBallOptions],
) -> GymEnvPool:
    """BabyAI-GoToRedBall-v0. Own options: env_name, room_size, num_dists, agent_view_size, see_through_walls, obs, obs_tile_size, image_only, mission, highlight, max_steps, action_prob, random_action, no_death, death_cost, seeds, tile_size, agent_pov."""

@overload
def make_gym(
    task_id: BabyAIGoToObjTask,
    *,
    num_envs: int = 1,
    gym_reset_return_info: bool | None = None,
    **options: Unpack[BabyAIGoToObjOptions],
) -> GymEnvPool:
    """BabyAI-GoToObj-v0, BabyAI-GoToObjS4-v0, BabyAI-GoToObjS6-v1. Own options: env_name, room_size, agent_view_size, see_through_walls, obs, obs_tile_size, image_only, mission, highlight, max_steps, action_prob, random_action, no_death, death_cost, seeds, tile_size, agent_pov."""

@overload
def make_gym(
    task_id: BabyAIGoToLocalTask,
    *,
    num_envs: int = 1,
    gym_reset_return_info: bool | None = None,
    **options: Unpack[BabyAIGoToLocalOptions],
) -> GymEnvPool:
    """BabyAI-GoToLocal-v0, BabyAI-GoToLocalS5N2-v0, BabyAI-GoToLocalS6N2-v0 and 10 more. Own options: env_name, room_size, num_dists, agent_view_size, see_through_walls, obs, obs_tile_size, image_only, mission, highlight, max_steps, action_prob, random_action, no_death, death_cost, seeds, tile_size, agent_pov."""

@overload
def make_gym(
    task_id: BabyAIGoToTask,
    *,
    num_envs: int = 1,
    gym_reset_return_info: bool | None = None,
    **options: Unpack[BabyAIGoToOptions],
) -> GymEnvPool:
    """BabyAI-GoTo-v0, BabyAI-GoToOpen-v0, BabyAI-GoToObjMaze-v0 and 6 more. Own options: env_name, room_size, num_rows, num_cols, num_dists, doors_open, agent_view_size, see_through_walls, obs, obs_tile_size, image_only, mission, highlight, max_steps, action_prob, random_action, no_death, death_cost, seeds, tile_size, agent_pov."""

@overload
def make_gym(
    task_id: BabyAIGoToImpUnlockTask,
    *,
    num_envs: int = 1,
    gym_reset_return_info: bool | None = None,
    **options: Unpack[BabyAIGoToImpUnlockOptions],
) -> GymEnvPool:
    """BabyAI-GoToImpUnlock-v0. Own options: env_name, room_size, num_rows, num_cols, agent_view_size, see_through_walls, obs, obs_tile_size, image_only, mission, highlight, max_steps, action_prob, random_action, no_death, death_cost, seeds, tile_size, agent_pov."""

@overload
def make_gym(
    task_id: BabyAIGoToRedBlueBallTask,
    *,
    num_envs: int = 1,
    gym_reset_return_info: bool | None = None,
    **options: Unpack[BabyAIGoToRedBlueBallOptions],
) -> GymEnvPool:
    """BabyAI-GoToRedBlueBall-v0. Own options: env_name, room_size, num_dists, agent_view_size, see_through_walls, obs, obs_tile_size, image_only, mission, highlight, max_steps, action_prob, random_action, no_death, death_cost, seeds, tile_size, agent_pov."""

@overload
def make_gym(
    task_id: BabyAIGoToDoorTask,
    *,
    num_envs: int = 1,
    gym_reset_return_info: bool | None = None,
    **options: Unpack[BabyAIGoToDoorOptions],
) -> GymEnvPool:
    """BabyAI-GoToDoor-v0. Own options: env_name, agent_view_size, see_through_walls, obs, obs_tile_size, image_only, mission, highlight, max_steps, action_prob, random_action, no_death, death_cost, seeds, tile_size, agent_pov."""

@overload
def make_gym(
    task_id: BabyAIGoToObjDoorTask,
    *,
    num_envs: int = 1,
    gym_reset_return_info: bool | None = None,
    **options: Unpack[BabyAIGoToObjDoorOptions],
) -> GymEnvPool:
    """BabyAI-GoToObjDoor-v0. Own options: env_name, agent_view_size, see_through_walls, obs, obs_tile_size, image_only, mission, highlight, max_steps, action_prob, random_action, no_death, death_cost, seeds, tile_size, agent_pov."""

@overload
def make_gym(
    task_id: BabyAIGoToRedBallNoDistsTask,
    *,
    num_envs: int = 1,
    gym_reset_return_info: bool | None = None,
    **options: Unpack[BabyAIGoToRedBallNoDistsOptions],
) -> GymEnvPool:
    """BabyAI-GoToRedBallNoDists-v0. Own options: env_name, agent_view_size, see_through_walls, obs, obs_tile_size, image_only, mission, highlight, max_steps, action_prob, random_action, no_death, death_cost, seeds, tile_size, agent_pov."""

@overload
def make_gym(
    task_id: BabyAIOpenTask,
    *,
    num_envs: int = 1,
    gym_reset_return_info: bool | None = None,
    **options: Unpack[BabyAIOpenOptions],
) -> GymEnvPool:
    """BabyAI-Open-v0. Own options: env_name, room_size, num_rows, num_cols, agent_view_size, see_through_walls, obs, obs_tile_size, image_only, mission, highlight, max_steps, action_prob, random_action, no_death, death_cost, seeds, tile_size, agent_pov."""

@overload
def make_gym(
    task_id: BabyAIOpenRedDoorTask,
    *,
    num_envs: int = 1,
    gym_reset_return_info: bool | None = None,
    **options: Unpack[BabyAIOpenRedDoorOptions],
) -> GymEnvPool:
    """BabyAI-OpenRedDoor-v0. Own options: env_name, agent_view_size, see_through_walls, obs, obs_tile_size, image_only, mission, highlight, max_steps, action_prob, random_action, no_death, death_cost, seeds, tile_size, agent_pov."""

@overload
def make_gym(
    task_id: BabyAIOpenDoorTask,
    *,
    num_envs: int = 1,
    gym_reset_return_info: bool | None = None,
    **options: Unpack[BabyAIOpenDoorOptions],
) -> GymEnvPool:
    """BabyAI-OpenDoor-v0, BabyAI-OpenDoorDebug-v0, BabyAI-OpenDoorColor-v0 and 1 more. Own options: env_name, debug, select_by, agent_view_size, see_through_walls, obs, obs_tile_size, image_only, mission, highlight, max_steps, action_prob, random_action, no_death, death_cost, seeds, tile_size, agent_pov."""

@overload
def make_gym(
    task_id: BabyAIOpenTwoDoorsTask,
    *,
    num_envs: int = 1,
    gym_reset_return_info: bool | None = None,
    **options: Unpack[BabyAIOpenTwoDoorsOptions],
) -> GymEnvPool:
    """BabyAI-OpenTwoDoors-v0, BabyAI-OpenRedBlueDoors-v0, BabyAI-OpenRedBlueDoorsDebug-v0. Own options: env_name, first_color, second_color, strict, agent_view_size, see_through_walls, obs, obs_tile_size, image_only, mission, highlight, max_steps, action_prob, random_action, no_death, death_cost, seeds, tile_size, agent_pov."""

@overload
def make_gym(
    task_id: BabyAIOpenDoorsOrderN2Task,
    *,
    num_envs: int = 1,
    gym_reset_return_info: bool | None = None,
    **options: Unpack[BabyAIOpenDoorsOrderN2Options],
) -> GymEnvPool:
    """BabyAI-OpenDoorsOrderN2-v0, BabyAI-OpenDoorsOrderN4-v0, BabyAI-OpenDoorsOrderN2Debug-v0 and 1 more. Own options: env_name, num_doors, debug, agent_view_size, see_through_walls, obs, obs_tile_size, image_only, mission, highlight, max_steps, action_prob, random_action, no_death, death_cost, seeds, tile_size, agent_pov."""

@overload
def make_gym(
    task_id: BabyAIPickupTask,
    *,
    num_envs: int = 1,
    gym_reset_return_info: bool | None = None,
    **options: Unpack[BabyAIPickupOptions],
) -> GymEnvPool:
    """BabyAI-Pickup-v0. Own options: env_name, room_size, num_rows, num_cols, agent_view_size, see_through_walls, obs, obs_tile_size, image_only, mission, highlight, max_steps, action_prob, random_action, no_death, death_cost, seeds, tile_size, agent_pov."""

@overload
def make_gym(
    task_id: BabyAIUnblockPickupTask,
    *,
    num_envs: int = 1,
    gym_reset_return_info: bool | None = None,
    **options: Unpack[BabyAIUnblockPickupOptions],
) -> GymEnvPool:
    """BabyAI-UnblockPickup-v0. Own options: env_name, room_size, num_rows, num_cols, agent_view_size, see_through_walls, obs, obs_tile_size, image_only, mission, highlight, max_steps, action_prob, random_action, no_death, death_cost, seeds, tile_size, agent_pov."""

@overload
def make_gym(
    task_id: BabyAIPickupDistTask,
    *,
    num_envs: int = 1,
    gym_reset_return_info: bool | None = None,
    **options: Unpack[BabyAIPickupDistOptions],
) -> GymEnvPool:
    """BabyAI-PickupDist-v0, BabyAI-PickupDistDebug-v0. Own options: env_name, debug, agent_view_size, see_through_walls, obs, obs_tile_size, image_only, mission, highlight, max_steps, action_prob, random_action, no_death, death_cost, seeds, tile_size, agent_pov."""

@overload
def make_gym(
    task_id: BabyAIPickupAboveTask,
    *,
    num_envs: int = 1,
    gym_reset_return_info: bool | None = None,
    **options: Unpack[BabyAIPickupAboveOptions],
) -> GymEnvPool:
    """BabyAI-PickupAbove-v0. Own options: env_name, agent_view_size, see_through_walls, obs, obs_tile_size, image_only, mission, highlight, max_steps, action_prob, random_action, no_death, death_cost, seeds, tile_size, agent_pov."""

@overload
def make_gym(
    task_id: BabyAIPutNextLocalTask,
    *,
    num_envs: int = 1,
    gym_reset_return_info: bool | None = None,
    **options: Unpack[BabyAIPutNextLocalOptions],
) -> GymEnvPool:
    """BabyAI-PutNextLocal-v0, BabyAI-PutNextLocalS5N3-v0, BabyAI-PutNextLocalS6N4-v0. Own options: env_name, room_size, num_objs, agent_view_size, see_through_walls, obs, obs_tile_size, image_only, mission, highlight, max_steps, action_prob, random_action, no_death, death_cost, seeds, tile_size, agent_pov."""

@overload
def make_gym(
    task_id: BabyAIPutNextS4N1Task,
    *,
    num_envs: int = 1,
    gym_reset_return_info: bool | None = None,
    **options: Unpack[BabyAIPutNextS4N1Options],
) -> GymEnvPool:
    """BabyAI-PutNextS4N1-v0, BabyAI-PutNextS5N2-v0, BabyAI-PutNextS5N1-v0 and 5 more. Own options: env_name, room_size, objs_per_room, start_carrying, agent_view_size, see_through_walls, obs, obs_tile_size, image_only, mission, highlight, max_steps, action_prob, random_action, no_death, death_cost, seeds, tile_size, agent_pov."""

@overload
def make_gym(
    task_id: BabyAIMoveTwoAcrossS5N2Task,
    *,
    num_envs: int = 1,
    gym_reset_return_info: bool | None = None,
    **options: Unpack[BabyAIMoveTwoAcrossS5N2Options],
) -> GymEnvPool:
    """BabyAI-MoveTwoAcrossS5N2-v0, BabyAI-MoveTwoAcrossS8N9-v0. Own options: env_name, room_size, objs_per_room, agent_view_size, see_through_walls, obs, obs_tile_size, image_only, mission, highlight, max_steps, action_prob, random_action, no_death, death_cost, seeds, tile_size, agent_pov."""

@overload
def make_gym(
    task_id: BabyAIUnlockTask,
    *,
    num_envs: int = 1,
    gym_reset_return_info: bool | None = None,
    **options: Unpack[BabyAIUnlockOptions],
) -> GymEnvPool:
    """BabyAI-Unlock-v0. Own options: env_name, room_size, num_rows, num_cols, agent_view_size, see_through_walls, obs, obs_tile_size, image_only, mission, highlight, max_steps, action_prob, random_action, no_death, death_cost, seeds, tile_size, agent_pov."""

@overload
def make_gym(
    task_id: BabyAIUnlockLocalTask,
    *,
    num_envs: int = 1,
    gym_reset_return_info: bool | None = None,
    **options: Unpack[BabyAIUnlockLocalOptions],
) -> GymEnvPool:
    """BabyAI-UnlockLocal-v0, BabyAI-UnlockLocalDist-v0. Own options: env_name, distractors, agent_view_size, see_through_walls, obs, obs_tile_size, image_only, mission, highlight, max_steps, action_prob, random_action, no_death, death_cost, seeds, tile_size, agent_pov."""

@overload
def make_gym(
    task_id: BabyAIKeyInBoxTask,
    *,
    num_envs: int = 1,
    gym_reset_return_info: bool | None = None,
    **options: Unpack[BabyAIKeyInBoxOptions],
) -> GymEnvPool:
    """BabyAI-KeyInBox-v0. Own options: env_name, agent_view_size, see_through_walls, obs, obs_tile_size, image_only, mission, highlight, max_steps, action_prob, random_action, no_death, death_cost, seeds, tile_size, agent_pov."""

@overload
def make_gym(
    task_id: BabyAIUnlockPickupTask,
    *,
    num_envs: int = 1,
    gym_reset_return_info: bool | None = None,
    **options: Unpack[BabyAIUnlockPickupOptions],
) -> GymEnvPool:
    """BabyAI-UnlockPickup-v0, BabyAI-UnlockPickupDist-v0. Own options: env_name, distractors, agent_view_size, see_through_walls, obs, obs_tile_size, image_only, mission, highlight, max_steps, action_prob, random_action, no_death, death_cost, seeds, tile_size, agent_pov."""

@overload
def make_gym(
    task_id: BabyAIBlockedUnlockPickupTask,
    *,
    num_envs: int = 1,
    gym_reset_return_info: bool | None = None,
    **options: Unpack[BabyAIBlockedUnlockPickupOptions],
) -> GymEnvPool:
    """BabyAI-BlockedUnlockPickup-v0. Own options: env_name, agent_view_size, see_through_walls, obs, obs_tile_size, image_only, mission, highlight, max_steps, action_prob, random_action, no_death, death_cost, seeds, tile_size, agent_pov."""

@overload
def make_gym(
    task_id: BabyAIUnlockToUnlockTask,
    *,
    num_envs: int = 1,
    gym_reset_return_info: bool | None = None,
    **options: Unpack[BabyAIUnlockToUnlockOptions],
) -> GymEnvPool:
    """BabyAI-UnlockToUnlock-v0. Own options: env_name, agent_view_size, see_through_walls, obs, obs_tile_size, image_only, mission, highlight, max_steps, action_prob, random_action, no_death, death_cost, seeds, tile_size, agent_pov."""

@overload
def make_gym(
    task_id: BabyAIActionObjDoorTask,
    *,
    num_envs: int = 1,
    gym_reset_return_info: bool | None = None,
    **options: Unpack[BabyAIActionObjDoorOptions],
) -> GymEnvPool:
    """BabyAI-ActionObjDoor-v0. Own options: env_name, agent_view_size, see_through_walls, obs, obs_tile_size, image_only, mission, highlight, max_steps, action_prob, random_action, no_death, death_cost, seeds, tile_size, agent_pov."""

@overload
def make_gym(
    task_id: BabyAIFindObjS5Task,
    *,
    num_envs: int = 1,
    gym_reset_return_info: bool | None = None,
    **options: Unpack[BabyAIFindObjS5Options],
) -> GymEnvPool:
    """BabyAI-FindObjS5-v0, BabyAI-FindObjS6-v0, BabyAI-FindObjS7-v0. Own options: env_name, room_size, agent_view_size, see_through_walls, obs, obs_tile_size, image_only, mission, highlight, max_steps, action_prob, random_action, no_death, death_cost, seeds, tile_size, agent_pov."""

@overload
def make_gym(
    task_id: BabyAIKeyCorridorTask,
    *,
    num_envs: int = 1,
    gym_reset_return_info: bool | None = None,
    **options: Unpack[BabyAIKeyCorridorOptions],
) -> GymEnvPool:
    """BabyAI-KeyCorridor-v0, BabyAI-KeyCorridorS3R1-v0, BabyAI-KeyCorridorS3R2-v0 and 4 more. Own options: env_name, room_size, num_rows, obj_type, agent_view_size, see_through_walls, obs, obs_tile_size, image_only, mission, highlight, max_steps, action_prob, random_action, no_death, death_cost, seeds, tile_size, agent_pov."""

@overload
def make_gym(
    task_id: BabyAIOneRoomS8Task,
    *,
    num_envs: int = 1,
    gym_reset_return_info: bool | None = None,
    **options: Unpack[BabyAIOneRoomS8Options],
) -> GymEnvPool:
    """BabyAI-OneRoomS8-v0, BabyAI-OneRoomS12-v0, BabyAI-OneRoomS16-v0 and 1 more. Own options: env_name, room_size, agent_view_size, see_through_walls, obs, obs_tile_size, image_only, mission, highlight, max_steps, action_prob, random_action, no_death, death_cost, seeds, tile_size, agent_pov."""

@overload
def make_gym(
    task_id: BabyAIGoToSeqTask,
    *,
    num_envs: int = 1,
    gym_reset_return_info: bool | None = None,
    **options: Unpack[BabyAIGoToSeqOptions],
) -> GymEnvPool:
    """BabyAI-GoToSeq-v0, BabyAI-GoToSeqS5R2-v0. Own options: env_name, room_size, num_rows, num_cols, num_dists, locked_room_prob, locations, unblocking, implicit_unlock, action_kinds, instr_kinds, agent_view_size, see_through_walls, obs, obs_tile_size, image_only, mission, highlight, max_steps, action_prob, random_action, no_death, death_cost, seeds, tile_size, agent_pov."""

@overload
def make_gym(
    task_id: BabyAISynthTask,
    *,
    num_envs: int = 1,
    gym_reset_return_info: bool | None = None,
    **options: Unpack[BabyAISynthOptions],
) -> GymEnvPool:
    """BabyAI-Synth-v0, BabyAI-SynthS5R2-v0. Own options: env_name, room_size, num_rows, num_cols, num_dists, locked_room_prob, locations, unblocking, implicit_unlock, action_kinds, instr_kinds, agent_view_size, see_through_walls, obs, obs_tile_size, image_only, mission, highlight, max_steps, action_prob, random_action, no_death, death_cost, seeds, tile_size, agent_pov."""

@overload
def make_gym(
    task_id: BabyAISynthLocTask,
    *,
    num_envs: int = 1,
    gym_reset_return_info: bool | None = None,
    **options: Unpack[BabyAISynthLocOptions],
) -> GymEnvPool:
    """BabyAI-SynthLoc-v0. Own options: env_name, room_size, num_rows, num_cols, num_dists, locked_room_prob, locations, unblocking, implicit_unlock, action_kinds, instr_kinds, agent_view_size, see_through_walls, obs, obs_tile_size, image_only, mission, highlight, max_steps, action_prob, random_action, no_death, death_cost, seeds, tile_size, agent_pov."""

@overload
def make_gym(
    task_id: BabyAISynthSeqTask,
    *,
    num_envs: int = 1,
    gym_reset_return_info: bool | None = None,
    **options: Unpack[BabyAISynthSeqOptions],
) -> GymEnvPool:
    """BabyAI-SynthSeq-v0. Own options: env_name, room_size, num_rows, num_cols, num_dists, locked_room_prob, locations, unblocking, implicit_unlock, action_kinds, instr_kinds, agent_view_size, see_through_walls, obs, obs_tile_size, image_only, mission, highlight, max_steps, action_prob, random_action, no_death, death_cost, seeds, tile_size, agent_pov."""

@overload
def make_gym(
    task_id: BabyAIPickupLocTask,
    *,
    num_envs: int = 1,
    gym_reset_return_info: bool | None = None,
    **options: Unpack[BabyAIPickupLocOptions],
) -> GymEnvPool:
    """BabyAI-PickupLoc-v0. Own options: env_name, room_size, num_rows, num_cols, num_dists, locked_room_prob, locations, unblocking, implicit_unlock, action_kinds, instr_kinds, agent_view_size, see_through_walls, obs, obs_tile_size, image_only, mission, highlight, max_steps, action_prob, random_action, no_death, death_cost, seeds, tile_size, agent_pov."""

@overload
def make_gym(
    task_id: BabyAIMiniBossLevelTask,
    *,
    num_envs: int = 1,
    gym_reset_return_info: bool | None = None,
    **options: Unpack[BabyAIMiniBossLevelOptions],
) -> GymEnvPool:
    """BabyAI-MiniBossLevel-v0. Own options: env_name, room_size, num_rows, num_cols, num_dists, locked_room_prob, locations, unblocking, implicit_unlock, action_kinds, instr_kinds, agent_view_size, see_through_walls, obs, obs_tile_size, image_only, mission, highlight, max_steps, action_prob, random_action, no_death, death_cost, seeds, tile_size, agent_pov."""

@overload
def make_gym(
    task_id: BabyAIBossLevelTask,
    *,
    num_envs: int = 1,
    gym_reset_return_info: bool | None = None,
    **options: Unpack[BabyAIBossLevelOptions],
) -> GymEnvPool:
    """BabyAI-BossLevel-v0. Own options: env_name, room_size, num_rows, num_cols, num_dists, locked_room_prob, locations, unblocking, implicit_unlock, action_kinds, instr_kinds, agent_view_size, see_through_walls, obs, obs_tile_size, image_only, mission, highlight, max_steps, action_prob, random_action, no_death, death_cost, seeds, tile_size, agent_pov."""

@overload
def make_gym(
    task_id: BabyAIBossLevelNoUnlockTask,
    *,
    num_envs: int = 1,
    gym_reset_return_info: bool | None = None,
    **options: Unpack[BabyAIBossLevelNoUnlockOptions],
) -> GymEnvPool:
    """BabyAI-BossLevelNoUnlock-v0. Own options: env_name, room_size, num_rows, num_cols, num_dists, locked_room_prob, locations, unblocking, implicit_unlock, action_kinds, instr_kinds, agent_view_size, see_through_walls, obs, obs_tile_size, image_only, mission, highlight, max_steps, action_prob, random_action, no_death, death_cost, seeds, tile_size, agent_pov."""

@overload
def make_gym(
    task_id: AntTask, *, num_envs: int = 1, gym_reset_return_info: bool | None = None, **options: Unpack[AntOptions]
) -> GymEnvPool:
    """Ant-v5. Own options: xml_file, xml_dir, frame_skip, frame_stack, physics, post_constraint, forward_reward_weight, ctrl_cost_weight, contact_cost_weight, main_body, healthy_z_range, healthy_z_min, healthy_z_max, contact_force_range, contact_force_min, contact_force_max, reset_noise_scale, exclude_current_positions_from_observation, include_cfrc_ext_in_observation, use_contact_force, exclude_worldbody_contact_forces, healthy_reward, terminate_when_unhealthy, legacy_healthy_reward, from_pixels, camera_name, default_camera, gymnasium_v5_render_camera, camera_lookat, camera_distance, camera_azimuth, camera_elevation, camera_orthographic, max_geom, visual_options, render_shadows, render_shadow_size, render_reflections, render_skybox, render_haze, render_textures, render_multisamples, width, height, camera_id, default_camera_config."""

@overload
def make_gym(
    task_id: AntV4Task, *, num_envs: int = 1, gym_reset_return_info: bool | None = None, **options: Unpack[AntV4Options]
) -> GymEnvPool:
    """Ant-v4, Ant-v3. Own options: xml_file, xml_dir, frame_skip, frame_stack, physics, post_constraint, forward_reward_weight, ctrl_cost_weight, contact_cost_weight, main_body, healthy_z_range, healthy_z_min, healthy_z_max, contact_force_range, contact_force_min, contact_force_max, reset_noise_scale, exclude_current_positions_from_observation, use_contact_forces, use_contact_force, exclude_worldbody_contact_forces, healthy_reward, terminate_when_unhealthy, legacy_healthy_reward, from_pixels, camera_name, default_camera, gymnasium_v5_render_camera, camera_lookat, camera_distance, camera_azimuth, camera_elevation, camera_orthographic, max_geom, visual_options, render_shadows, render_shadow_size, render_reflections, render_skybox, render_haze, render_textures, render_multisamples, width, height, camera_id, default_camera_config."""

@overload
def make_gym(
    task_id: HalfCheetahTask,
    *,
    num_envs: int = 1,
    gym_reset_return_info: bool | None = None,
    **options: Unpack[HalfCheetahOptions],
) -> GymEnvPool:
    """HalfCheetah-v5, HalfCheetah-v4, HalfCheetah-v3 and 3 more. Own options: xml_file, xml_dir, frame_skip, frame_stack, physics, post_constraint, forward_reward_weight, ctrl_cost_weight, reset_noise_scale, exclude_current_positions_from_observation, from_pixels, camera_name, default_camera, gymnasium_v5_render_camera, camera_lookat, camera_distance, camera_azimuth, camera_elevation, camera_orthographic, max_geom, visual_options, render_shadows, render_shadow_size, render_reflections, render_skybox, render_haze, render_textures, render_multisamples, width, height, camera_id, default_camera_config."""

@overload
def make_gym(
    task_id: HopperTask,
    *,
    num_envs: int = 1,
    gym_reset_return_info: bool | None = None,
    **options: Unpack[HopperOptions],
) -> GymEnvPool:
    """Hopper-v5, Hopper-v4, Hopper-v3. Own options: xml_file, xml_dir, frame_skip, frame_stack, physics, post_constraint, forward_reward_weight, ctrl_cost_weight, healthy_reward, terminate_when_unhealthy, legacy_healthy_reward, healthy_state_range, healthy_state_min, healthy_state_max, healthy_z_range, healthy_z_min, healthy_angle_range, healthy_angle_min, healthy_angle_max, velocity_min, velocity_max, reset_noise_scale, exclude_current_positions_from_observation, from_pixels, camera_name, default_camera, gymnasium_v5_render_camera, camera_lookat, camera_distance, camera_azimuth, camera_elevation, camera_orthographic, max_geom, visual_options, render_shadows, render_shadow_size, render_reflections, render_skybox, render_haze, render_textures, render_multisamples, width, height, camera_id, default_camera_config."""

@overload
def make_gym(
    task_id: HumanoidTask,
    *,
    num_envs: int = 1,
    gym_reset_return_info: bool | None = None,
    **options: Unpack[HumanoidOptions],
) -> GymEnvPool:
    """Humanoid-v5, Humanoid-v4, Humanoid-v3. Own options: xml_file, xml_dir, frame_skip, frame_stack, physics, post_constraint, forward_reward_weight, ctrl_cost_weight, contact_cost_weight, contact_cost_range, contact_cost_max, use_contact_force, healthy_reward, terminate_when_unhealthy, legacy_healthy_reward, healthy_z_range, healthy_z_min, healthy_z_max, reset_noise_scale, exclude_current_positions_from_observation, include_cinert_in_observation, include_cvel_in_observation, include_qfrc_actuator_in_observation, include_cfrc_ext_in_observation, exclude_worldbody_observations, exclude_root_actuator_forces, from_pixels, camera_name, default_camera, gymnasium_v5_render_camera, camera_lookat, camera_distance, camera_azimuth, camera_elevation, camera_orthographic, max_geom, visual_options, render_shadows, render_shadow_size, render_reflections, render_skybox, render_haze, render_textures, render_multisamples, width, height, camera_id, default_camera_config."""

@overload
def make_gym(
    task_id: HumanoidStandupTask,
    *,
    num_envs: int = 1,
    gym_reset_return_info: bool | None = None,
    **options: Unpack[HumanoidStandupOptions],
) -> GymEnvPool:
    """HumanoidStandup-v5, HumanoidStandup-v4, HumanoidStandup-v2. Own options: xml_file, xml_dir, frame_skip, frame_stack, physics, post_constraint, uph_cost_weight, ctrl_cost_weight, impact_cost_weight, forward_reward_weight, healthy_reward, contact_cost_weight, impact_cost_range, contact_cost_max, reset_noise_scale, exclude_current_positions_from_observation, include_cinert_in_observation, include_cvel_in_observation, include_qfrc_actuator_in_observation, include_cfrc_ext_in_observation, exclude_worldbody_observations, exclude_root_actuator_forces, from_pixels, camera_name, default_camera, gymnasium_v5_render_camera, camera_lookat, camera_distance, camera_azimuth, camera_elevation, camera_orthographic, max_geom, visual_options, render_shadows, render_shadow_size, render_reflections, render_skybox, render_haze, render_textures, render_multisamples, width, height, camera_id, default_camera_config."""

@overload
def make_gym(
    task_id: InvertedDoublePendulumTask,
    *,
    num_envs: int = 1,
    gym_reset_return_info: bool | None = None,
    **options: Unpack[InvertedDoublePendulumOptions],
) -> GymEnvPool:
    """InvertedDoublePendulum-v5, InvertedDoublePendulum-v4, InvertedDoublePendulum-v2. Own options: xml_file, xml_dir, frame_skip, frame_stack, physics, post_constraint, healthy_reward, healthy_z_max, reward_if_not_terminated, observation_min, observation_max, constraint_obs_dim, reset_noise_scale, from_pixels, camera_name, default_camera, gymnasium_v5_render_camera, camera_lookat, camera_distance, camera_azimuth, camera_elevation, camera_orthographic, max_geom, visual_options, render_shadows, render_shadow_size, render_reflections, render_skybox, render_haze, render_textures, render_multisamples, width, height, camera_id, default_camera_config."""

@overload
def make_gym(
    task_id: InvertedPendulumTask,
    *,
    num_envs: int = 1,
    gym_reset_return_info: bool | None = None,
    **options: Unpack[InvertedPendulumOptions],
) -> GymEnvPool:
    """InvertedPendulum-v5, InvertedPendulum-v4, InvertedPendulum-v2. Own options: xml_file, xml_dir, frame_skip, frame_stack, physics, post_constraint, healthy_reward, healthy_z_range, healthy_z_min, healthy_z_max, reward_if_not_terminated, reset_noise_scale, from_pixels, camera_name, default_camera, gymnasium_v5_render_camera, camera_lookat, camera_distance, camera_azimuth, camera_elevation, camera_orthographic, max_geom, visual_options, render_shadows, render_shadow_size, render_reflections, render_skybox, render_haze, render_textures, render_multisamples, width, height, camera_id, default_camera_config."""

@overload
def make_gym(
    task_id: PusherTask,
    *,
    num_envs: int = 1,
    gym_reset_return_info: bool | None = None,
    **options: Unpack[PusherOptions],
) -> GymEnvPool:
    """Pusher-v5, Pusher-v4, Pusher-v2. Own options: xml_file, xml_dir, frame_skip, frame_stack, physics, post_constraint, reward_near_weight, reward_dist_weight, reward_control_weight, near_cost_weight, dist_cost_weight, ctrl_cost_weight, reward_after_step, weighted_reward_info, reset_qvel_scale, cylinder_x_min, cylinder_x_max, cylinder_y_min, cylinder_y_max, cylinder_dist_min, from_pixels, camera_name, default_camera, gymnasium_v5_render_camera, camera_lookat, camera_distance, camera_azimuth, camera_elevation, camera_orthographic, max_geom, visual_options, render_shadows, render_shadow_size, render_reflections, render_skybox, render_haze, render_textures, render_multisamples, width, height, camera_id, default_camera_config."""

@overload
def make_gym(
    task_id: ReacherTask,
    *,
    num_envs: int = 1,
    gym_reset_return_info: bool | None = None,
    **options: Unpack[ReacherOptions],
) -> GymEnvPool:
    """Reacher-v5, Reacher-v4, Reacher-v2. Own options: xml_file, xml_dir, frame_skip, frame_stack, physics, post_constraint, reward_dist_weight, reward_control_weight, dist_cost_weight, ctrl_cost_weight, reward_after_step, obs_include_z_distance, reset_qpos_scale, reset_qvel_scale, reset_goal_scale, from_pixels, camera_name, default_camera, gymnasium_v5_render_camera, camera_lookat, camera_distance, camera_azimuth, camera_elevation, camera_orthographic, max_geom, visual_options, render_shadows, render_shadow_size, render_reflections, render_skybox, render_haze, render_textures, render_multisamples, width, height, camera_id, default_camera_config."""

@overload
def make_gym(
    task_id: Walker2dTask,
    *,
    num_envs: int = 1,
    gym_reset_return_info: bool | None = None,
    **options: Unpack[Walker2dOptions],
) -> GymEnvPool:
    """Walker2d-v5, Walker2d-v4, Walker2d-v3. Own options: xml_file, xml_dir, frame_skip, frame_stack, physics, post_constraint, forward_reward_weight, ctrl_cost_weight, healthy_reward, terminate_when_unhealthy, legacy_healthy_reward, healthy_z_range, healthy_z_min, healthy_z_max, healthy_angle_range, healthy_angle_min, healthy_angle_max, velocity_min, velocity_max, reset_noise_scale, exclude_current_positions_from_observation, from_pixels, camera_name, default_camera, gymnasium_v5_render_camera, camera_lookat, camera_distance, camera_azimuth, camera_elevation, camera_orthographic, max_geom, visual_options, render_shadows, render_shadow_size, render_reflections, render_skybox, render_haze, render_textures, render_multisamples, width, height, camera_id, default_camera_config."""

@overload
def make_gym(
    task_id: LunarLanderTask,
    *,
    num_envs: int = 1,
    gym_reset_return_info: bool | None = None,
    **options: Unpack[LunarLanderOptions],
) -> GymEnvPool:
    """LunarLander-v3, LunarLanderContinuous-v3, LunarLander-v2 and 1 more. Own options: continuous, gravity, enable_wind, wind_power, turbulence_power."""

@overload
def make_gym(
    task_id: BipedalWalkerTask,
    *,
    num_envs: int = 1,
    gym_reset_return_info: bool | None = None,
    **options: Unpack[BipedalWalkerOptions],
) -> GymEnvPool:
    """BipedalWalker-v3, BipedalWalkerHardcore-v3. Own options: hardcore."""

@overload
def make_gym(
    task_id: CarRacingTask,
    *,
    num_envs: int = 1,
    gym_reset_return_info: bool | None = None,
    **options: Unpack[CarRacingOptions],
) -> GymEnvPool:
    """CarRacing-v3, CarRacing-v2. Own options: verbose, lap_complete_percent, domain_randomize, continuous."""

@overload
def make_gym(
    task_id: AcrobotSwingupTask,
    *,
    num_envs: int = 1,
    gym_reset_return_info: bool | None = None,
    **options: Unpack[AcrobotSwingupOptions],
) -> GymEnvPool:
    """AcrobotSwingup-v1, dm_control/acrobot-swingup, AcrobotSwingupSparse-v1 and 1 more. Own options: task_name, suite_dir, frame_skip, n_sub_steps, frame_stack, time_limit, flat_observation, domain_keys, physics, visualize_reward, legacy_step, from_pixels, camera_name, camera_lookat, camera_distance, camera_azimuth, camera_elevation, camera_orthographic, max_geom, visual_options, render_shadows, render_shadow_size, render_reflections, render_skybox, render_haze, render_textures, render_multisamples, width, height, camera_id."""

@overload
def make_gym(
    task_id: BallInCupCatchTask,
    *,
    num_envs: int = 1,
    gym_reset_return_info: bool | None = None,
    **options: Unpack[BallInCupCatchOptions],
) -> GymEnvPool:
    """BallInCupCatch-v1, dm_control/ball_in_cup-catch. Own options: task_name, suite_dir, frame_skip, n_sub_steps, frame_stack, time_limit, flat_observation, domain_keys, physics, visualize_reward, legacy_step, from_pixels, camera_name, camera_lookat, camera_distance, camera_azimuth, camera_elevation, camera_orthographic, max_geom, visual_options, render_shadows, render_shadow_size, render_reflections, render_skybox, render_haze, render_textures, render_multisamples, width, height, camera_id."""

@overload
def make_gym(
    task_id: CartpoleBalanceTask,
    *,
    num_envs: int = 1,
    gym_reset_return_info: bool | None = None,
    **options: Unpack[CartpoleBalanceOptions],
) -> GymEnvPool:
    """CartpoleBalance-v1, dm_control/cartpole-balance, CartpoleBalanceSparse-v1 and 9 more. Own options: task_name, suite_dir, frame_skip, n_sub_steps, frame_stack, time_limit, flat_observation, domain_keys, physics, visualize_reward, legacy_step, num_poles, sparse, from_pixels, camera_name, camera_lookat, camera_distance, camera_azimuth, camera_elevation, camera_orthographic, max_geom, visual_options, render_shadows, render_shadow_size, render_reflections, render_skybox, render_haze, render_textures, render_multisamples, width, height, camera_id."""

@overload
def make_gym(
    task_id: CheetahRunTask,
    *,
    num_envs: int = 1,
    gym_reset_return_info: bool | None = None,
    **options: Unpack[CheetahRunOptions],
) -> GymEnvPool:
    """CheetahRun-v1, dm_control/cheetah-run. Own options: task_name, suite_dir, frame_skip, n_sub_steps, frame_stack, time_limit, flat_observation, domain_keys, physics, visualize_reward, legacy_step, from_pixels, camera_name, camera_lookat, camera_distance, camera_azimuth, camera_elevation, camera_orthographic, max_geom, visual_options, render_shadows, render_shadow_size, render_reflections, render_skybox, render_haze, render_textures, render_multisamples, width, height, camera_id."""

@overload
def make_gym(
    task_id: DogStandTask,
    *,
    num_envs: int = 1,
    gym_reset_return_info: bool | None = None,
    **options: Unpack[DogStandOptions],
) -> GymEnvPool:
    """DogStand-v1, dm_control/dog-stand, DogWalk-v1 and 7 more. Own options: task_name, suite_dir, frame_skip, n_sub_steps, frame_stack, time_limit, flat_observation, domain_keys, physics, visualize_reward, legacy_step, from_pixels, camera_name, camera_lookat, camera_distance, camera_azimuth, camera_elevation, camera_orthographic, max_geom, visual_options, render_shadows, render_shadow_size, render_reflections, render_skybox, render_haze, render_textures, render_multisamples, width, height, camera_id."""

@overload
def make_gym(
    task_id: FingerSpinTask,
    *,
    num_envs: int = 1,
    gym_reset_return_info: bool | None = None,
    **options: Unpack[FingerSpinOptions],
) -> GymEnvPool:
    """FingerSpin-v1, dm_control/finger-spin, FingerTurnEasy-v1 and 3 more. Own options: task_name, suite_dir, frame_skip, n_sub_steps, frame_stack, time_limit, flat_observation, domain_keys, physics, visualize_reward, legacy_step, from_pixels, camera_name, camera_lookat, camera_distance, camera_azimuth, camera_elevation, camera_orthographic, max_geom, visual_options, render_shadows, render_shadow_size, render_reflections, render_skybox, render_haze, render_textures, render_multisamples, width, height, camera_id."""

@overload
def make_gym(
    task_id: FishUprightTask,
    *,
    num_envs: int = 1,
    gym_reset_return_info: bool | None = None,
    **options: Unpack[FishUprightOptions],
) -> GymEnvPool:
    """FishUpright-v1, dm_control/fish-upright, FishSwim-v1 and 1 more. Own options: task_name, suite_dir, frame_skip, n_sub_steps, frame_stack, time_limit, flat_observation, domain_keys, physics, visualize_reward, legacy_step, from_pixels, camera_name, camera_lookat, camera_distance, camera_azimuth, camera_elevation, camera_orthographic, max_geom, visual_options, render_shadows, render_shadow_size, render_reflections, render_skybox, render_haze, render_textures, render_multisamples, width, height, camera_id."""

@overload
def make_gym(
    task_id: HopperStandTask,
    *,
    num_envs: int = 1,
    gym_reset_return_info: bool | None = None,
    **options: Unpack[HopperStandOptions],
) -> GymEnvPool:
    """HopperStand-v1, dm_control/hopper-stand, HopperHop-v1 and 1 more. Own options: task_name, suite_dir, frame_skip, n_sub_steps, frame_stack, time_limit, flat_observation, domain_keys, physics, visualize_reward, legacy_step, from_pixels, camera_name, camera_lookat, camera_distance, camera_azimuth, camera_elevation, camera_orthographic, max_geom, visual_options, render_shadows, render_shadow_size, render_reflections, render_skybox, render_haze, render_textures, render_multisamples, width, height, camera_id."""

@overload
def make_gym(
    task_id: HumanoidStandTask,
    *,
    num_envs: int = 1,
    gym_reset_return_info: bool | None = None,
    **options: Unpack[HumanoidStandOptions],
) -> GymEnvPool:
    """HumanoidStand-v1, dm_control/humanoid-stand, HumanoidWalk-v1 and 5 more. Own options: task_name, suite_dir, frame_skip, n_sub_steps, frame_stack, time_limit, flat_observation, domain_keys, physics, visualize_reward, legacy_step, from_pixels, camera_name, camera_lookat, camera_distance, camera_azimuth, camera_elevation, camera_orthographic, max_geom, visual_options, render_shadows, render_shadow_size, render_reflections, render_skybox, render_haze, render_textures, render_multisamples, width, height, camera_id."""

@overload
def make_gym(
    task_id: HumanoidCMUStandTask,
    *,
    num_envs: int = 1,
    gym_reset_return_info: bool | None = None,
    **options: Unpack[HumanoidCMUStandOptions],
) -> GymEnvPool:
    """HumanoidCMUStand-v1, dm_control/humanoid_CMU-stand, HumanoidCMUWalk-v1 and 9 more. Own options: task_name, suite_dir, frame_skip, n_sub_steps, frame_stack, time_limit, flat_observation, domain_keys, physics, visualize_reward, legacy_step, from_pixels, camera_name, camera_lookat, camera_distance, camera_azimuth, camera_elevation, camera_orthographic, max_geom, visual_options, render_shadows, render_shadow_size, render_reflections, render_skybox, render_haze, render_textures, render_multisamples, width, height, camera_id."""

@overload
def make_gym(
    task_id: LqrLqr21Task,
    *,
    num_envs: int = 1,
    gym_reset_return_info: bool | None = None,
    **options: Unpack[LqrLqr21Options],
) -> GymEnvPool:
    """LqrLqr21-v1, dm_control/lqr-lqr_2_1, LqrLqr62-v1 and 1 more. Own options: task_name, suite_dir, frame_skip, n_sub_steps, frame_stack, time_limit, flat_observation, domain_keys, physics, visualize_reward, legacy_step, from_pixels, camera_name, camera_lookat, camera_distance, camera_azimuth, camera_elevation, camera_orthographic, max_geom, visual_options, render_shadows, render_shadow_size, render_reflections, render_skybox, render_haze, render_textures, render_multisamples, width, height, camera_id."""

@overload
def make_gym(
    task_id: ManipulatorBringBallTask,
    *,
    num_envs: int = 1,
    gym_reset_return_info: bool | None = None,
    **options: Unpack[ManipulatorBringBallOptions],
) -> GymEnvPool:
    """ManipulatorBringBall-v1, dm_control/manipulator-bring_ball, ManipulatorBringPeg-v1 and 5 more. Own options: task_name, suite_dir, frame_skip, n_sub_steps, frame_stack, time_limit, flat_observation, domain_keys, physics, visualize_reward, legacy_step, fully_observable, from_pixels, camera_name, camera_lookat, camera_distance, camera_azimuth, camera_elevation, camera_orthographic, max_geom, visual_options, render_shadows, render_shadow_size, render_reflections, render_skybox, render_haze, render_textures, render_multisamples, width, height, camera_id."""

@overload
def make_gym(
    task_id: PendulumSwingupTask,
    *,
    num_envs: int = 1,
    gym_reset_return_info: bool | None = None,
    **options: Unpack[PendulumSwingupOptions],
) -> GymEnvPool:
    """PendulumSwingup-v1, dm_control/pendulum-swingup. Own options: task_name, suite_dir, frame_skip, n_sub_steps, frame_stack, time_limit, flat_observation, domain_keys, physics, visualize_reward, legacy_step, from_pixels, camera_name, camera_lookat, camera_distance, camera_azimuth, camera_elevation, camera_orthographic, max_geom, visual_options, render_shadows, render_shadow_size, render_reflections, render_skybox, render_haze, render_textures, render_multisamples, width, height, camera_id."""

@overload
def make_gym(
    task_id: PointMassEasyTask,
    *,
    num_envs: int = 1,
    gym_reset_return_info: bool | None = None,
    **options: Unpack[PointMassEasyOptions],
) -> GymEnvPool:
    """PointMassEasy-v1, dm_control/point_mass-easy, PointMassHard-v1 and 5 more. Own options: task_name, suite_dir, frame_skip, n_sub_steps, frame_stack, time_limit, flat_observation, domain_keys, physics, visualize_reward, legacy_step, from_pixels, camera_name, camera_lookat, camera_distance, camera_azimuth, camera_elevation, camera_orthographic, max_geom, visual_options, render_shadows, render_shadow_size, render_reflections, render_skybox, render_haze, render_textures, render_multisamples, width, height, camera_id."""

@overload
def make_gym(
    task_id: QuadrupedWalkTask,
    *,
    num_envs: int = 1,
    gym_reset_return_info: bool | None = None,
    **options: Unpack[QuadrupedWalkOptions],
) -> GymEnvPool:
    """QuadrupedWalk-v1, dm_control/quadruped-walk, QuadrupedRun-v1 and 5 more. Own options: task_name, suite_dir, frame_skip, n_sub_steps, frame_stack, time_limit, flat_observation, domain_keys, physics, visualize_reward, legacy_step, from_pixels, camera_name, camera_lookat, camera_distance, camera_azimuth, camera_elevation, camera_orthographic, max_geom, visual_options, render_shadows, render_shadow_size, render_reflections, render_skybox, render_haze, render_textures, render_multisamples, width, height, camera_id."""

@overload
def make_gym(
    task_id: StackerStack2Task,
    *,
    num_envs: int = 1,
    gym_reset_return_info: bool | None = None,
    **options: Unpack[StackerStack2Options],
) -> GymEnvPool:
    """StackerStack2-v1, dm_control/stacker-stack_2, StackerStack4-v1 and 1 more. Own options: task_name, suite_dir, frame_skip, n_sub_steps, frame_stack, time_limit, flat_observation, domain_keys, physics, visualize_reward, legacy_step, fully_observable, from_pixels, camera_name, camera_lookat, camera_distance, camera_azimuth, camera_elevation, camera_orthographic, max_geom, visual_options, render_shadows, render_shadow_size, render_reflections, render_skybox, render_haze, render_textures, render_multisamples, width, height, camera_id."""

@overload
def make_gym(
    task_id: SwimmerSwimmer6Task,
    *,
    num_envs: int = 1,
    gym_reset_return_info: bool | None = None,
    **options: Unpack[SwimmerSwimmer6Options],
) -> GymEnvPool:
    """SwimmerSwimmer6-v1, dm_control/swimmer-swimmer6, SwimmerSwimmer15-v1 and 1 more. Own options: task_name, suite_dir, frame_skip, n_sub_steps, frame_stack, time_limit, flat_observation, domain_keys, physics, visualize_reward, legacy_step, n_links, from_pixels, camera_name, camera_lookat, camera_distance, camera_azimuth, camera_elevation, camera_orthographic, max_geom, visual_options, render_shadows, render_shadow_size, render_reflections, render_skybox, render_haze, render_textures, render_multisamples, width, height, camera_id."""

@overload
def make_gym(
    task_id: EnvPoolVizdoomTask,
    *,
    num_envs: int = 1,
    gym_reset_return_info: bool | None = None,
    **options: Unpack[EnvPoolVizdoomOptions],
) -> GymEnvPool:
    """D1Basic-v1, D2Navigation-v1, D3Battle-v1 and 18 more. Own options: scenario, img_height, img_width, stack_num, frame_skip, use_inter_area_resize, episodic_life, use_combined_action, force_speed, lmp_save_dir, reward_config, reward_metric, selected_weapon_reward_config, weapon_duration, delta_button_config, cfg_path, wad_path, iwad_path, vzd_path, game_args, map_id, assets_dir, vizdoom_dir, engine_timeout, restart, fast_palette_copy."""

@overload
def make_gym(
    task_id: VizdoomTask,
    *,
    num_envs: int = 1,
    gym_reset_return_info: bool | None = None,
    **options: Unpack[VizdoomOptions],
) -> GymEnvPool:
    """VizdoomBasic-v1, VizdoomBasic-MultiBinary-v1, VizdoomBasicAudio-v1 and 701 more. Own options: scenario_config_file, frame_skip, max_buttons_pressed, treat_episode_timeout_as_truncation, use_multi_binary_action_space, vizdoom_dir, engine_timeout, restart, fast_palette_copy, available_buttons, available_game_variables, doom_game_path, doom_scenario_path, doom_config_path, vizdoom_path, doom_map, doom_skill, game_args, mode, ticrate, episode_start_time, episode_timeout, living_reward, death_penalty, death_reward, map_exit_reward, kill_reward, item_reward, secret_reward, frag_reward, hit_reward, hit_taken_reward, hit_taken_penalty, damage_made_reward, damage_taken_reward, damage_taken_penalty, health_reward, armor_reward, screen_resolution, screen_format, depth_buffer_enabled, labels_buffer_enabled, automap_buffer_enabled, audio_buffer_enabled, notifications_buffer_enabled, objects_info_enabled, sectors_info_enabled, automap_mode, automap_rotate, automap_render_textures, automap_render_objects_as_sprites, audio_sampling_rate, audio_buffer_size, notifications_buffer_size, render_hud, render_minimal_hud, render_weapon, render_crosshair, render_decals, render_particles, render_effects_sprites, render_messages, render_corpses, render_screen_flashes, render_all_frames, sound_enabled, console_enabled, window_visible."""

@overload
@deprecated("not all of these are options of this task: see `python -m envpool_rs info TASK`")
def make_gym(
    task_id: KnownTask, *, num_envs: int = 1, gym_reset_return_info: bool | None = None, **options: Unpack[AnyOptions]
) -> NoSuchOption: ...
@overload
def make_gym(
    task_id: TaskId, *, num_envs: int = 1, gym_reset_return_info: bool | None = None, **options: Unpack[AnyOptions]
) -> GymEnvPool: ...
@overload
def make_dm(
    task_id: CartPoleTask,
    *,
    num_envs: int = 1,
    gym_reset_return_info: Literal[True] | None = None,
    **options: Unpack[CartPoleOptions],
) -> DMEnvPool:
    """CartPole-v0, CartPole-v1. Own options: sutton_barto_reward."""

@overload
def make_dm(
    task_id: MountainCarTask,
    *,
    num_envs: int = 1,
    gym_reset_return_info: Literal[True] | None = None,
    **options: Unpack[MountainCarOptions],
) -> DMEnvPool:
    """MountainCar-v0, MountainCarContinuous-v0. Own options: goal_velocity."""

@overload
def make_dm(
    task_id: PendulumTask,
    *,
    num_envs: int = 1,
    gym_reset_return_info: Literal[True] | None = None,
    **options: Unpack[PendulumOptions],
) -> DMEnvPool:
    """Pendulum-v0, Pendulum-v1. Own options: g, version."""

@overload
def make_dm(
    task_id: AcrobotTask,
    *,
    num_envs: int = 1,
    gym_reset_return_info: Literal[True] | None = None,
    **options: Unpack[PoolOptions],
) -> DMEnvPool:
    """Acrobot-v1. Own options: none."""

@overload
def make_dm(
    task_id: FrozenLakeTask,
    *,
    num_envs: int = 1,
    gym_reset_return_info: Literal[True] | None = None,
    **options: Unpack[FrozenLakeOptions],
) -> DMEnvPool:
    """FrozenLake-v1, FrozenLake8x8-v1. Own options: desc, map_name, is_slippery, success_rate, reward_schedule, size."""

@overload
def make_dm(
    task_id: TaxiTask,
    *,
    num_envs: int = 1,
    gym_reset_return_info: Literal[True] | None = None,
    **options: Unpack[TaxiOptions],
) -> DMEnvPool:
    """Taxi-v3. Own options: is_rainy, fickle_passenger."""

@overload
def make_dm(
    task_id: TaxiV4Task,
    *,
    num_envs: int = 1,
    gym_reset_return_info: Literal[True] | None = None,
    **options: Unpack[TaxiV4Options],
) -> DMEnvPool:
    """Taxi-v4. Own options: is_rainy, fickle_passenger, rainy_probability, fickle_probability."""

@overload
def make_dm(
    task_id: CliffWalkingTask,
    *,
    num_envs: int = 1,
    gym_reset_return_info: Literal[True] | None = None,
    **options: Unpack[CliffWalkingOptions],
) -> DMEnvPool:
    """CliffWalking-v0, CliffWalking-v1, CliffWalkingSlippery-v1. Own options: is_slippery."""

@overload
def make_dm(
    task_id: BlackjackTask,
    *,
    num_envs: int = 1,
    gym_reset_return_info: Literal[True] | None = None,
    **options: Unpack[BlackjackOptions],
) -> DMEnvPool:
    """Blackjack-v1. Own options: natural, sab."""

@overload
def make_dm(
    task_id: NChainTask,
    *,
    num_envs: int = 1,
    gym_reset_return_info: Literal[True] | None = None,
    **options: Unpack[NChainOptions],
) -> DMEnvPool:
    """NChain-v0. Own options: n, slip, small, large."""

@overload
def make_dm(
    task_id: AtariTask,
    *,
    num_envs: int = 1,
    gym_reset_return_info: Literal[True] | None = None,
    **options: Unpack[AtariOptions],
) -> DMEnvPool:
    """Adventure-v5, AirRaid-v5, Alien-v5 and 101 more. Own options: rom_dir, stack_num, frame_skip, noop_max, zero_discount_on_life_loss, episodic_life, reward_clip, use_fire_reset, img_height, img_width, task, mode, difficulty, full_action_space, repeat_action_probability, use_inter_area_resize, gray_scale, translate."""

@overload
def make_dm(
    task_id: AleAtariTask,
    *,
    num_envs: int = 1,
    gym_reset_return_info: Literal[True] | None = None,
    **options: Unpack[AleAtariOptions],
) -> DMEnvPool:
    """ALE/Adventure-v5, ALE/AirRaid-v5, ALE/Alien-v5 and 101 more. Own options: rom_dir, game, mode, difficulty, obs_type, frameskip, repeat_action_probability, full_action_space, continuous, continuous_action_threshold, max_num_frames_per_episode, preprocessing, noop_max, frame_skip, screen_size, terminal_on_life_loss, grayscale_obs, grayscale_newaxis, scale_obs, stack_size, padding_type, translate."""

@overload
def make_dm(
    task_id: CatchTask,
    *,
    num_envs: int = 1,
    gym_reset_return_info: Literal[True] | None = None,
    **options: Unpack[CatchOptions],
) -> DMEnvPool:
    """Catch-v0. Own options: rows, columns, height, width."""

@overload
def make_dm(
    task_id: SimpleSpreadTask,
    *,
    num_envs: int = 1,
    gym_reset_return_info: Literal[True] | None = None,
    **options: Unpack[SimpleSpreadOptions],
) -> DMEnvPool:
    """SimpleSpread-v3. Own options: N, local_ratio, curriculum, terminate_on_success, num_agent_neighbors, num_landmark_neighbors, continuous_actions, benchmark_data, max_cycles, dynamic_rescaling."""

@overload
def make_dm(
    task_id: SimpleSpeakerListenerTask,
    *,
    num_envs: int = 1,
    gym_reset_return_info: Literal[True] | None = None,
    **options: Unpack[SimpleSpeakerListenerOptions],
) -> DMEnvPool:
    """SimpleSpeakerListener-v4. Own options: continuous_actions, benchmark_data, max_cycles, dynamic_rescaling."""

@overload
def make_dm(
    task_id: MiniGridEmpty5x5Task,
    *,
    num_envs: int = 1,
    gym_reset_return_info: Literal[True] | None = None,
    **options: Unpack[MiniGridEmpty5x5Options],
) -> DMEnvPool:
    """MiniGrid-Empty-5x5-v0, MiniGrid-Empty-Random-5x5-v0, MiniGrid-Empty-6x6-v0 and 3 more. Own options: env_name, size, agent_start_pos, agent_start_dir, agent_view_size, see_through_walls, obs, obs_tile_size, image_only, mission, highlight, max_steps, action_prob, random_action, no_death, death_cost, seeds, tile_size, agent_pov."""

@overload
def make_dm(
    task_id: MiniGridDoorKey5x5Task,
    *,
    num_envs: int = 1,
    gym_reset_return_info: Literal[True] | None = None,
    **options: Unpack[MiniGridDoorKey5x5Options],
) -> DMEnvPool:
    """MiniGrid-DoorKey-5x5-v0, MiniGrid-DoorKey-6x6-v0, MiniGrid-DoorKey-8x8-v0 and 1 more. Own options: env_name, size, agent_view_size, see_through_walls, obs, obs_tile_size, image_only, mission, highlight, max_steps, action_prob, random_action, no_death, death_cost, seeds, tile_size, agent_pov."""

@overload
def make_dm(
    task_id: MiniGridLavaCrossingS9N1Task,
    *,
    num_envs: int = 1,
    gym_reset_return_info: Literal[True] | None = None,
    **options: Unpack[MiniGridLavaCrossingS9N1Options],
) -> DMEnvPool:
    """MiniGrid-LavaCrossingS9N1-v0, MiniGrid-LavaCrossingS9N2-v0, MiniGrid-LavaCrossingS9N3-v0 and 5 more. Own options: env_name, size, num_crossings, obstacle_type, agent_view_size, see_through_walls, obs, obs_tile_size, image_only, mission, highlight, max_steps, action_prob, random_action, no_death, death_cost, seeds, tile_size, agent_pov."""

@overload
def make_dm(
    task_id: MiniGridDistShift1Task,
    *,
    num_envs: int = 1,
    gym_reset_return_info: Literal[True] | None = None,
    **options: Unpack[MiniGridDistShift1Options],
) -> DMEnvPool:
    """MiniGrid-DistShift1-v0, MiniGrid-DistShift2-v0. Own options: env_name, width, height, strip2_row, agent_start_pos, agent_start_dir, agent_view_size, see_through_walls, obs, obs_tile_size, image_only, mission, highlight, max_steps, action_prob, random_action, no_death, death_cost, seeds, tile_size, agent_pov."""

@overload
def make_dm(
    task_id: MiniGridLavaGapS5Task,
    *,
    num_envs: int = 1,
    gym_reset_return_info: Literal[True] | None = None,
    **options: Unpack[MiniGridLavaGapS5Options],
) -> DMEnvPool:
    """MiniGrid-LavaGapS5-v0, MiniGrid-LavaGapS6-v0, MiniGrid-LavaGapS7-v0. Own options: env_name, size, obstacle_type, agent_view_size, see_through_walls, obs, obs_tile_size, image_only, mission, highlight, max_steps, action_prob, random_action, no_death, death_cost, seeds, tile_size, agent_pov."""

@overload
def make_dm(
    task_id: MiniGridDynamicObstacles5x5Task,
    *,
    num_envs: int = 1,
    gym_reset_return_info: Literal[True] | None = None,
    **options: Unpack[MiniGridDynamicObstacles5x5Options],
) -> DMEnvPool:
    """MiniGrid-Dynamic-Obstacles-5x5-v0, MiniGrid-Dynamic-Obstacles-Random-5x5-v0, MiniGrid-Dynamic-Obstacles-6x6-v0 and 3 more. Own options: env_name, size, n_obstacles, agent_start_pos, agent_start_dir, agent_view_size, see_through_walls, obs, obs_tile_size, image_only, mission, highlight, max_steps, action_prob, random_action, no_death, death_cost, seeds, tile_size, agent_pov."""

@overload
def make_dm(
    task_id: MiniGridFetch5x5N2Task,
    *,
    num_envs: int = 1,
    gym_reset_return_info: Literal[True] | None = None,
    **options: Unpack[MiniGridFetch5x5N2Options],
) -> DMEnvPool:
    """MiniGrid-Fetch-5x5-N2-v0, MiniGrid-Fetch-6x6-N2-v0, MiniGrid-Fetch-8x8-N3-v0. Own options: env_name, size, numObjs, num_objs, agent_view_size, see_through_walls, obs, obs_tile_size, image_only, mission, highlight, max_steps, action_prob, random_action, no_death, death_cost, seeds, tile_size, agent_pov."""

@overload
def make_dm(
    task_id: MiniGridFourRoomsTask,
    *,
    num_envs: int = 1,
    gym_reset_return_info: Literal[True] | None = None,
    **options: Unpack[MiniGridFourRoomsOptions],
) -> DMEnvPool:
    """MiniGrid-FourRooms-v0. Own options: env_name, agent_pos, goal_pos, agent_view_size, see_through_walls, obs, obs_tile_size, image_only, mission, highlight, max_steps, action_prob, random_action, no_death, death_cost, seeds, tile_size, agent_pov."""

@overload
def make_dm(
    task_id: MiniGridGoToDoor5x5Task,
    *,
    num_envs: int = 1,
    gym_reset_return_info: Literal[True] | None = None,
    **options: Unpack[MiniGridGoToDoor5x5Options],
) -> DMEnvPool:
    """MiniGrid-GoToDoor-5x5-v0, MiniGrid-GoToDoor-6x6-v0, MiniGrid-GoToDoor-8x8-v0. Own options: env_name, size, agent_view_size, see_through_walls, obs, obs_tile_size, image_only, mission, highlight, max_steps, action_prob, random_action, no_death, death_cost, seeds, tile_size, agent_pov."""

@overload
def make_dm(
    task_id: MiniGridGoToObject6x6N2Task,
    *,
    num_envs: int = 1,
    gym_reset_return_info: Literal[True] | None = None,
    **options: Unpack[MiniGridGoToObject6x6N2Options],
) -> DMEnvPool:
    """MiniGrid-GoToObject-6x6-N2-v0, MiniGrid-GoToObject-8x8-N2-v0. Own options: env_name, size, numObjs, num_objs, agent_view_size, see_through_walls, obs, obs_tile_size, image_only, mission, highlight, max_steps, action_prob, random_action, no_death, death_cost, seeds, tile_size, agent_pov."""

@overload
def make_dm(
    task_id: MiniGridKeyCorridorS3R1Task,
    *,
    num_envs: int = 1,
    gym_reset_return_info: Literal[True] | None = None,
    **options: Unpack[MiniGridKeyCorridorS3R1Options],
) -> DMEnvPool:
    """MiniGrid-KeyCorridorS3R1-v0, MiniGrid-KeyCorridorS3R2-v0, MiniGrid-KeyCorridorS3R3-v0 and 3 more. Own options: env_name, num_rows, room_size, obj_type, agent_view_size, see_through_walls, obs, obs_tile_size, image_only, mission, highlight, max_steps, action_prob, random_action, no_death, death_cost, seeds, tile_size, agent_pov."""

@overload
def make_dm(
    task_id: MiniGridLockedRoomTask,
    *,
    num_envs: int = 1,
    gym_reset_return_info: Literal[True] | None = None,
    **options: Unpack[MiniGridLockedRoomOptions],
) -> DMEnvPool:
    """MiniGrid-LockedRoom-v0. Own options: env_name, size, agent_view_size, see_through_walls, obs, obs_tile_size, image_only, mission, highlight, max_steps, action_prob, random_action, no_death, death_cost, seeds, tile_size, agent_pov."""

@overload
def make_dm(
    task_id: MiniGridMemoryS17RandomTask,
    *,
    num_envs: int = 1,
    gym_reset_return_info: Literal[True] | None = None,
    **options: Unpack[MiniGridMemoryS17RandomOptions],
) -> DMEnvPool:
    """MiniGrid-MemoryS17Random-v0, MiniGrid-MemoryS13Random-v0, MiniGrid-MemoryS13-v0 and 3 more. Own options: env_name, size, random_length, agent_view_size, see_through_walls, obs, obs_tile_size, image_only, mission, highlight, max_steps, action_prob, random_action, no_death, death_cost, seeds, tile_size, agent_pov."""

@overload
def make_dm(
    task_id: MiniGridMultiRoomN2S4Task,
    *,
    num_envs: int = 1,
    gym_reset_return_info: Literal[True] | None = None,
    **options: Unpack[MiniGridMultiRoomN2S4Options],
) -> DMEnvPool:
    """MiniGrid-MultiRoom-N2-S4-v0, MiniGrid-MultiRoom-N4-S5-v0, MiniGrid-MultiRoom-N4-S5-v1 and 1 more. Own options: env_name, minNumRooms, min_num_rooms, maxNumRooms, max_num_rooms, maxRoomSize, max_room_size, width, height, agent_view_size, see_through_walls, obs, obs_tile_size, image_only, mission, highlight, max_steps, action_prob, random_action, no_death, death_cost, seeds, tile_size, agent_pov."""

@overload
def make_dm(
    task_id: MiniGridObstructedMaze1DlTask,
    *,
    num_envs: int = 1,
    gym_reset_return_info: Literal[True] | None = None,
    **options: Unpack[MiniGridObstructedMaze1DlOptions],
) -> DMEnvPool:
    """MiniGrid-ObstructedMaze-1Dl-v0, MiniGrid-ObstructedMaze-1Dlh-v0, MiniGrid-ObstructedMaze-1Dlhb-v0. Own options: env_name, key_in_box, blocked, agent_view_size, see_through_walls, obs, obs_tile_size, image_only, mission, highlight, max_steps, action_prob, random_action, no_death, death_cost, seeds, tile_size, agent_pov."""

@overload
def make_dm(
    task_id: MiniGridObstructedMaze2DlTask,
    *,
    num_envs: int = 1,
    gym_reset_return_info: Literal[True] | None = None,
    **options: Unpack[MiniGridObstructedMaze2DlOptions],
) -> DMEnvPool:
    """MiniGrid-ObstructedMaze-2Dl-v0, MiniGrid-ObstructedMaze-2Dlh-v0, MiniGrid-ObstructedMaze-2Dlhb-v0 and 3 more. Own options: env_name, agent_room, key_in_box, blocked, num_quarters, num_rooms_visited, agent_view_size, see_through_walls, obs, obs_tile_size, image_only, mission, highlight, max_steps, action_prob, random_action, no_death, death_cost, seeds, tile_size, agent_pov."""

@overload
def make_dm(
    task_id: MiniGridObstructedMaze2DlhbTask,
    *,
    num_envs: int = 1,
    gym_reset_return_info: Literal[True] | None = None,
    **options: Unpack[MiniGridObstructedMaze2DlhbOptions],
) -> DMEnvPool:
    """MiniGrid-ObstructedMaze-2Dlhb-v1, MiniGrid-ObstructedMaze-1Q-v1, MiniGrid-ObstructedMaze-2Q-v1 and 1 more. Own options: env_name, agent_room, key_in_box, blocked, num_quarters, num_rooms_visited, agent_view_size, see_through_walls, obs, obs_tile_size, image_only, mission, highlight, max_steps, action_prob, random_action, no_death, death_cost, seeds, tile_size, agent_pov."""

@overload
def make_dm(
    task_id: MiniGridPlaygroundTask,
    *,
    num_envs: int = 1,
    gym_reset_return_info: Literal[True] | None = None,
    **options: Unpack[MiniGridPlaygroundOptions],
) -> DMEnvPool:
    """MiniGrid-Playground-v0. Own options: env_name, agent_view_size, see_through_walls, obs, obs_tile_size, image_only, mission, highlight, max_steps, action_prob, random_action, no_death, death_cost, seeds, tile_size, agent_pov."""

@overload
def make_dm(
    task_id: MiniGridPutNear6x6N2Task,
    *,
    num_envs: int = 1,
    gym_reset_return_info: Literal[True] | None = None,
    **options: Unpack[MiniGridPutNear6x6N2Options],
) -> DMEnvPool:
    """MiniGrid-PutNear-6x6-N2-v0, MiniGrid-PutNear-8x8-N3-v0. Own options: env_name, size, numObjs, num_objs, agent_view_size, see_through_walls, obs, obs_tile_size, image_only, mission, highlight, max_steps, action_prob, random_action, no_death, death_cost, seeds, tile_size, agent_pov."""

@overload
def make_dm(
    task_id: MiniGridRedBlueDoors6x6Task,
    *,
    num_envs: int = 1,
    gym_reset_return_info: Literal[True] | None = None,
    **options: Unpack[MiniGridRedBlueDoors6x6Options],
) -> DMEnvPool:
    """MiniGrid-RedBlueDoors-6x6-v0, MiniGrid-RedBlueDoors-8x8-v0. Own options: env_name, size, agent_view_size, see_through_walls, obs, obs_tile_size, image_only, mission, highlight, max_steps, action_prob, random_action, no_death, death_cost, seeds, tile_size, agent_pov."""

@overload
def make_dm(
    task_id: MiniGridUnlockTask,
    *,
    num_envs: int = 1,
    gym_reset_return_info: Literal[True] | None = None,
    **options: Unpack[MiniGridUnlockOptions],
) -> DMEnvPool:
    """MiniGrid-Unlock-v0. Own options: env_name, agent_view_size, see_through_walls, obs, obs_tile_size, image_only, mission, highlight, max_steps, action_prob, random_action, no_death, death_cost, seeds, tile_size, agent_pov."""

@overload
def make_dm(
    task_id: MiniGridUnlockPickupTask,
    *,
    num_envs: int = 1,
    gym_reset_return_info: Literal[True] | None = None,
    **options: Unpack[MiniGridUnlockPickupOptions],
) -> DMEnvPool:
    """MiniGrid-UnlockPickup-v0. Own options: env_name, agent_view_size, see_through_walls, obs, obs_tile_size, image_only, mission, highlight, max_steps, action_prob, random_action, no_death, death_cost, seeds, tile_size, agent_pov."""

@overload
def make_dm(
    task_id: MiniGridBlockedUnlockPickupTask,
    *,
    num_envs: int = 1,
    gym_reset_return_info: Literal[True] | None = None,
    **options: Unpack[MiniGridBlockedUnlockPickupOptions],
) -> DMEnvPool:
    """MiniGrid-BlockedUnlockPickup-v0. Own options: env_name, agent_view_size, see_through_walls, obs, obs_tile_size, image_only, mission, highlight, max_steps, action_prob, random_action, no_death, death_cost, seeds, tile_size, agent_pov."""

@overload
def make_dm(
    task_id: MiniGridWFCMazeSimpleTask,
    *,
    num_envs: int = 1,
    gym_reset_return_info: Literal[True] | None = None,
    **options: Unpack[MiniGridWFCMazeSimpleOptions],
) -> DMEnvPool:
    """MiniGrid-WFC-MazeSimple-v0, MiniGrid-WFC-DungeonMazeScaled-v0, MiniGrid-WFC-RoomsFabric-v0 and 3 more. Own options: env_name, wfc_config, wfc_preset, size, ensure_connected, agent_view_size, see_through_walls, obs, obs_tile_size, image_only, mission, highlight, max_steps, action_prob, random_action, no_death, death_cost, seeds, tile_size, agent_pov."""

@overload
def make_dm(
    task_id: BabyAIGoToRedBallGreyTask,
    *,
    num_envs: int = 1,
    gym_reset_return_info: Literal[True] | None = None,
    **options: Unpack[BabyAIGoToRedBallGreyOptions],
) -> DMEnvPool:
    """BabyAI-GoToRedBallGrey-v0. Own options: env_name, room_size, num_dists, agent_view_size, see_through_walls, obs, obs_tile_size, image_only, mission, highlight, max_steps, action_prob, random_action, no_death, death_cost, seeds, tile_size, agent_pov."""

@overload
def make_dm(
    task_id: BabyAIGoToRedBallTask,
    *,
    num_envs: int = 1,
    gym_reset_return_info: Literal[True] | None = None,
    **options: Unpack[BabyAIGoToRedBallOptions],
) -> DMEnvPool:
    """BabyAI-GoToRedBall-v0. Own options: env_name, room_size, num_dists, agent_view_size, see_through_walls, obs, obs_tile_size, image_only, mission, highlight, max_steps, action_prob, random_action, no_death, death_cost, seeds, tile_size, agent_pov."""

@overload
def make_dm(
    task_id: BabyAIGoToObjTask,
    *,
    num_envs: int = 1,
    gym_reset_return_info: Literal[True] | None = None,
    **options: Unpack[BabyAIGoToObjOptions],
) -> DMEnvPool:
    """BabyAI-GoToObj-v0, BabyAI-GoToObjS4-v0, BabyAI-GoToObjS6-v1. Own options: env_name, room_size, agent_view_size, see_through_walls, obs, obs_tile_size, image_only, mission, highlight, max_steps, action_prob, random_action, no_death, death_cost, seeds, tile_size, agent_pov."""

@overload
def make_dm(
    task_id: BabyAIGoToLocalTask,
    *,
    num_envs: int = 1,
    gym_reset_return_info: Literal[True] | None = None,
    **options: Unpack[BabyAIGoToLocalOptions],
) -> DMEnvPool:
    """BabyAI-GoToLocal-v0, BabyAI-GoToLocalS5N2-v0, BabyAI-GoToLocalS6N2-v0 and 10 more. Own options: env_name, room_size, num_dists, agent_view_size, see_through_walls, obs, obs_tile_size, image_only, mission, highlight, max_steps, action_prob, random_action, no_death, death_cost, seeds, tile_size, agent_pov."""

@overload
def make_dm(
    task_id: BabyAIGoToTask,
    *,
    num_envs: int = 1,
    gym_reset_return_info: Literal[True] | None = None,
    **options: Unpack[BabyAIGoToOptions],
) -> DMEnvPool:
    """BabyAI-GoTo-v0, BabyAI-GoToOpen-v0, BabyAI-GoToObjMaze-v0 and 6 more. Own options: env_name, room_size, num_rows, num_cols, num_dists, doors_open, agent_view_size, see_through_walls, obs, obs_tile_size, image_only, mission, highlight, max_steps, action_prob, random_action, no_death, death_cost, seeds, tile_size, agent_pov."""

@overload
def make_dm(
    task_id: BabyAIGoToImpUnlockTask,
    *,
    num_envs: int = 1,
    gym_reset_return_info: Literal[True] | None = None,
    **options: Unpack[BabyAIGoToImpUnlockOptions],
) -> DMEnvPool:
    """BabyAI-GoToImpUnlock-v0. Own options: env_name, room_size, num_rows, num_cols, agent_view_size, see_through_walls, obs, obs_tile_size, image_only, mission, highlight, max_steps, action_prob, random_action, no_death, death_cost, seeds, tile_size, agent_pov."""

@overload
def make_dm(
    task_id: BabyAIGoToRedBlueBallTask,
    *,
    num_envs: int = 1,
    gym_reset_return_info: Literal[True] | None = None,
    **options: Unpack[BabyAIGoToRedBlueBallOptions],
) -> DMEnvPool:
    """BabyAI-GoToRedBlueBall-v0. Own options: env_name, room_size, num_dists, agent_view_size, see_through_walls, obs, obs_tile_size, image_only, mission, highlight, max_steps, action_prob, random_action, no_death, death_cost, seeds, tile_size, agent_pov."""

@overload
def make_dm(
    task_id: BabyAIGoToDoorTask,
    *,
    num_envs: int = 1,
    gym_reset_return_info: Literal[True] | None = None,
    **options: Unpack[BabyAIGoToDoorOptions],
) -> DMEnvPool:
    """BabyAI-GoToDoor-v0. Own options: env_name, agent_view_size, see_through_walls, obs, obs_tile_size, image_only, mission, highlight, max_steps, action_prob, random_action, no_death, death_cost, seeds, tile_size, agent_pov."""

@overload
def make_dm(
    task_id: BabyAIGoToObjDoorTask,
    *,
    num_envs: int = 1,
    gym_reset_return_info: Literal[True] | None = None,
    **options: Unpack[BabyAIGoToObjDoorOptions],
) -> DMEnvPool:
    """BabyAI-GoToObjDoor-v0. Own options: env_name, agent_view_size, see_through_walls, obs, obs_tile_size, image_only, mission, highlight, max_steps, action_prob, random_action, no_death, death_cost, seeds, tile_size, agent_pov."""

@overload
def make_dm(
    task_id: BabyAIGoToRedBallNoDistsTask,
    *,
    num_envs: int = 1,
    gym_reset_return_info: Literal[True] | None = None,
    **options: Unpack[BabyAIGoToRedBallNoDistsOptions],
) -> DMEnvPool:
    """BabyAI-GoToRedBallNoDists-v0. Own options: env_name, agent_view_size, see_through_walls, obs, obs_tile_size, image_only, mission, highlight, max_steps, action_prob, random_action, no_death, death_cost, seeds, tile_size, agent_pov."""

@overload
def make_dm(
    task_id: BabyAIOpenTask,
    *,
    num_envs: int = 1,
    gym_reset_return_info: Literal[True] | None = None,
    **options: Unpack[BabyAIOpenOptions],
) -> DMEnvPool:
    """BabyAI-Open-v0. Own options: env_name, room_size, num_rows, num_cols, agent_view_size, see_through_walls, obs, obs_tile_size, image_only, mission, highlight, max_steps, action_prob, random_action, no_death, death_cost, seeds, tile_size, agent_pov."""

@overload
def make_dm(
    task_id: BabyAIOpenRedDoorTask,
    *,
    num_envs: int = 1,
    gym_reset_return_info: Literal[True] | None = None,
    **options: Unpack[BabyAIOpenRedDoorOptions],
) -> DMEnvPool:
    """BabyAI-OpenRedDoor-v0. Own options: env_name, agent_view_size, see_through_walls, obs, obs_tile_size, image_only, mission, highlight, max_steps, action_prob, random_action, no_death, death_cost, seeds, tile_size, agent_pov."""

@overload
def make_dm(
    task_id: BabyAIOpenDoorTask,
    *,
    num_envs: int = 1,
    gym_reset_return_info: Literal[True] | None = None,
    **options: Unpack[BabyAIOpenDoorOptions],
) -> DMEnvPool:
    """BabyAI-OpenDoor-v0, BabyAI-OpenDoorDebug-v0, BabyAI-OpenDoorColor-v0 and 1 more. Own options: env_name, debug, select_by, agent_view_size, see_through_walls, obs, obs_tile_size, image_only, mission, highlight, max_steps, action_prob, random_action, no_death, death_cost, seeds, tile_size, agent_pov."""

@overload
def make_dm(
    task_id: BabyAIOpenTwoDoorsTask,
    *,
    num_envs: int = 1,
    gym_reset_return_info: Literal[True] | None = None,
    **options: Unpack[BabyAIOpenTwoDoorsOptions],
) -> DMEnvPool:
    """BabyAI-OpenTwoDoors-v0, BabyAI-OpenRedBlueDoors-v0, BabyAI-OpenRedBlueDoorsDebug-v0. Own options: env_name, first_color, second_color, strict, agent_view_size, see_through_walls, obs, obs_tile_size, image_only, mission, highlight, max_steps, action_prob, random_action, no_death, death_cost, seeds, tile_size, agent_pov."""

@overload
def make_dm(
    task_id: BabyAIOpenDoorsOrderN2Task,
    *,
    num_envs: int = 1,
    gym_reset_return_info: Literal[True] | None = None,
    **options: Unpack[BabyAIOpenDoorsOrderN2Options],
) -> DMEnvPool:
    """BabyAI-OpenDoorsOrderN2-v0, BabyAI-OpenDoorsOrderN4-v0, BabyAI-OpenDoorsOrderN2Debug-v0 and 1 more. Own options: env_name, num_doors, debug, agent_view_size, see_through_walls, obs, obs_tile_size, image_only, mission, highlight, max_steps, action_prob, random_action, no_death, death_cost, seeds, tile_size, agent_pov."""

@overload
def make_dm(
    task_id: BabyAIPickupTask,
    *,
    num_envs: int = 1,
    gym_reset_return_info: Literal[True] | None = None,
    **options: Unpack[BabyAIPickupOptions],
) -> DMEnvPool:
    """BabyAI-Pickup-v0. Own options: env_name, room_size, num_rows, num_cols, agent_view_size, see_through_walls, obs, obs_tile_size, image_only, mission, highlight, max_steps, action_prob, random_action, no_death, death_cost, seeds, tile_size, agent_pov."""

@overload
def make_dm(
    task_id: BabyAIUnblockPickupTask,
    *,
    num_envs: int = 1,
    gym_reset_return_info: Literal[True] | None = None,
    **options: Unpack[BabyAIUnblockPickupOptions],
) -> DMEnvPool:
    """BabyAI-UnblockPickup-v0. Own options: env_name, room_size, num_rows, num_cols, agent_view_size, see_through_walls, obs, obs_tile_size, image_only, mission, highlight, max_steps, action_prob, random_action, no_death, death_cost, seeds, tile_size, agent_pov."""

@overload
def make_dm(
    task_id: BabyAIPickupDistTask,
    *,
    num_envs: int = 1,
    gym_reset_return_info: Literal[True] | None = None,
    **options: Unpack[BabyAIPickupDistOptions],
) -> DMEnvPool:
    """BabyAI-PickupDist-v0, BabyAI-PickupDistDebug-v0. Own options: env_name, debug, agent_view_size, see_through_walls, obs, obs_tile_size, image_only, mission, highlight, max_steps, action_prob, random_action, no_death, death_cost, seeds, tile_size, agent_pov."""

@overload
def make_dm(
    task_id: BabyAIPickupAboveTask,
    *,
    num_envs: int = 1,
    gym_reset_return_info: Literal[True] | None = None,
    **options: Unpack[BabyAIPickupAboveOptions],
) -> DMEnvPool:
    """BabyAI-PickupAbove-v0. Own options: env_name, agent_view_size, see_through_walls, obs, obs_tile_size, image_only, mission, highlight, max_steps, action_prob, random_action, no_death, death_cost, seeds, tile_size, agent_pov."""

@overload
def make_dm(
    task_id: BabyAIPutNextLocalTask,
    *,
    num_envs: int = 1,
    gym_reset_return_info: Literal[True] | None = None,
    **options: Unpack[BabyAIPutNextLocalOptions],
) -> DMEnvPool:
    """BabyAI-PutNextLocal-v0, BabyAI-PutNextLocalS5N3-v0, BabyAI-PutNextLocalS6N4-v0. Own options: env_name, room_size, num_objs, agent_view_size, see_through_walls, obs, obs_tile_size, image_only, mission, highlight, max_steps, action_prob, random_action, no_death, death_cost, seeds, tile_size, agent_pov."""

@overload
def make_dm(
    task_id: BabyAIPutNextS4N1Task,
    *,
    num_envs: int = 1,
    gym_reset_return_info: Literal[True] | None = None,
    **options: Unpack[BabyAIPutNextS4N1Options],
) -> DMEnvPool:
    """BabyAI-PutNextS4N1-v0, BabyAI-PutNextS5N2-v0, BabyAI-PutNextS5N1-v0 and 5 more. Own options: env_name, room_size, objs_per_room, start_carrying, agent_view_size, see_through_walls, obs, obs_tile_size, image_only, mission, highlight, max_steps, action_prob, random_action, no_death, death_cost, seeds, tile_size, agent_pov."""

@overload
def make_dm(
    task_id: BabyAIMoveTwoAcrossS5N2Task,
    *,
    num_envs: int = 1,
    gym_reset_return_info: Literal[True] | None = None,
    **options: Unpack[BabyAIMoveTwoAcrossS5N2Options],
) -> DMEnvPool:
    """BabyAI-MoveTwoAcrossS5N2-v0, BabyAI-MoveTwoAcrossS8N9-v0. Own options: env_name, room_size, objs_per_room, agent_view_size, see_through_walls, obs, obs_tile_size, image_only, mission, highlight, max_steps, action_prob, random_action, no_death, death_cost, seeds, tile_size, agent_pov."""

@overload
def make_dm(
    task_id: BabyAIUnlockTask,
    *,
    num_envs: int = 1,
    gym_reset_return_info: Literal[True] | None = None,
    **options: Unpack[BabyAIUnlockOptions],
) -> DMEnvPool:
    """BabyAI-Unlock-v0. Own options: env_name, room_size, num_rows, num_cols, agent_view_size, see_through_walls, obs, obs_tile_size, image_only, mission, highlight, max_steps, action_prob, random_action, no_death, death_cost, seeds, tile_size, agent_pov."""

@overload
def make_dm(
    task_id: BabyAIUnlockLocalTask,
    *,
    num_envs: int = 1,
    gym_reset_return_info: Literal[True] | None = None,
    **options: Unpack[BabyAIUnlockLocalOptions],
) -> DMEnvPool:
    """BabyAI-UnlockLocal-v0, BabyAI-UnlockLocalDist-v0. Own options: env_name, distractors, agent_view_size, see_through_walls, obs, obs_tile_size, image_only, mission, highlight, max_steps, action_prob, random_action, no_death, death_cost, seeds, tile_size, agent_pov."""

@overload
def make_dm(
    task_id: BabyAIKeyInBoxTask,
    *,
    num_envs: int = 1,
    gym_reset_return_info: Literal[True] | None = None,
    **options: Unpack[BabyAIKeyInBoxOptions],
) -> DMEnvPool:
    """BabyAI-KeyInBox-v0. Own options: env_name, agent_view_size, see_through_walls, obs, obs_tile_size, image_only, mission, highlight, max_steps, action_prob, random_action, no_death, death_cost, seeds, tile_size, agent_pov."""

@overload
def make_dm(
    task_id: BabyAIUnlockPickupTask,
    *,
    num_envs: int = 1,
    gym_reset_return_info: Literal[True] | None = None,
    **options: Unpack[BabyAIUnlockPickupOptions],
) -> DMEnvPool:
    """BabyAI-UnlockPickup-v0, BabyAI-UnlockPickupDist-v0. Own options: env_name, distractors, agent_view_size, see_through_walls, obs, obs_tile_size, image_only, mission, highlight, max_steps, action_prob, random_action, no_death, death_cost, seeds, tile_size, agent_pov."""

@overload
def make_dm(
    task_id: BabyAIBlockedUnlockPickupTask,
    *,
    num_envs: int = 1,
    gym_reset_return_info: Literal[True] | None = None,
    **options: Unpack[BabyAIBlockedUnlockPickupOptions],
) -> DMEnvPool:
    """BabyAI-BlockedUnlockPickup-v0. Own options: env_name, agent_view_size, see_through_walls, obs, obs_tile_size, image_only, mission, highlight, max_steps, action_prob, random_action, no_death, death_cost, seeds, tile_size, agent_pov."""

@overload
def make_dm(
    task_id: BabyAIUnlockToUnlockTask,
    *,
    num_envs: int = 1,
    gym_reset_return_info: Literal[True] | None = None,
    **options: Unpack[BabyAIUnlockToUnlockOptions],
) -> DMEnvPool:
    """BabyAI-UnlockToUnlock-v0. Own options: env_name, agent_view_size, see_through_walls, obs, obs_tile_size, image_only, mission, highlight, max_steps, action_prob, random_action, no_death, death_cost, seeds, tile_size, agent_pov."""

@overload
def make_dm(
    task_id: BabyAIActionObjDoorTask,
    *,
    num_envs: int = 1,
    gym_reset_return_info: Literal[True] | None = None,
    **options: Unpack[BabyAIActionObjDoorOptions],
) -> DMEnvPool:
    """BabyAI-ActionObjDoor-v0. Own options: env_name, agent_view_size, see_through_walls, obs, obs_tile_size, image_only, mission, highlight, max_steps, action_prob, random_action, no_death, death_cost, seeds, tile_size, agent_pov."""

@overload
def make_dm(
    task_id: BabyAIFindObjS5Task,
    *,
    num_envs: int = 1,
    gym_reset_return_info: Literal[True] | None = None,
    **options: Unpack[BabyAIFindObjS5Options],
) -> DMEnvPool:
    """BabyAI-FindObjS5-v0, BabyAI-FindObjS6-v0, BabyAI-FindObjS7-v0. Own options: env_name, room_size, agent_view_size, see_through_walls, obs, obs_tile_size, image_only, mission, highlight, max_steps, action_prob, random_action, no_death, death_cost, seeds, tile_size, agent_pov."""

@overload
def make_dm(
    task_id: BabyAIKeyCorridorTask,
    *,
    num_envs: int = 1,
    gym_reset_return_info: Literal[True] | None = None,
    **options: Unpack[BabyAIKeyCorridorOptions],
) -> DMEnvPool:
    """BabyAI-KeyCorridor-v0, BabyAI-KeyCorridorS3R1-v0, BabyAI-KeyCorridorS3R2-v0 and 4 more. Own options: env_name, room_size, num_rows, obj_type, agent_view_size, see_through_walls, obs, obs_tile_size, image_only, mission, highlight, max_steps, action_prob, random_action, no_death, death_cost, seeds, tile_size, agent_pov."""

@overload
def make_dm(
    task_id: BabyAIOneRoomS8Task,
    *,
    num_envs: int = 1,
    gym_reset_return_info: Literal[True] | None = None,
    **options: Unpack[BabyAIOneRoomS8Options],
) -> DMEnvPool:
    """BabyAI-OneRoomS8-v0, BabyAI-OneRoomS12-v0, BabyAI-OneRoomS16-v0 and 1 more. Own options: env_name, room_size, agent_view_size, see_through_walls, obs, obs_tile_size, image_only, mission, highlight, max_steps, action_prob, random_action, no_death, death_cost, seeds, tile_size, agent_pov."""

@overload
def make_dm(
    task_id: BabyAIGoToSeqTask,
    *,
    num_envs: int = 1,
    gym_reset_return_info: Literal[True] | None = None,
    **options: Unpack[BabyAIGoToSeqOptions],
) -> DMEnvPool:
    """BabyAI-GoToSeq-v0, BabyAI-GoToSeqS5R2-v0. Own options: env_name, room_size, num_rows, num_cols, num_dists, locked_room_prob, locations, unblocking, implicit_unlock, action_kinds, instr_kinds, agent_view_size, see_through_walls, obs, obs_tile_size, image_only, mission, highlight, max_steps, action_prob, random_action, no_death, death_cost, seeds, tile_size, agent_pov."""

@overload
def make_dm(
    task_id: BabyAISynthTask,
    *,
    num_envs: int = 1,
    gym_reset_return_info: Literal[True] | None = None,
    **options: Unpack[BabyAISynthOptions],
) -> DMEnvPool:
    """BabyAI-Synth-v0, BabyAI-SynthS5R2-v0. Own options: env_name, room_size, num_rows, num_cols, num_dists, locked_room_prob, locations, unblocking, implicit_unlock, action_kinds, instr_kinds, agent_view_size, see_through_walls, obs, obs_tile_size, image_only, mission, highlight, max_steps, action_prob, random_action, no_death, death_cost, seeds, tile_size, agent_pov."""

@overload
def make_dm(
    task_id: BabyAISynthLocTask,
    *,
    num_envs: int = 1,
    gym_reset_return_info: Literal[True] | None = None,
    **options: Unpack[BabyAISynthLocOptions],
) -> DMEnvPool:
    """BabyAI-SynthLoc-v0. Own options: env_name, room_size, num_rows, num_cols, num_dists, locked_room_prob, locations, unblocking, implicit_unlock, action_kinds, instr_kinds, agent_view_size, see_through_walls, obs, obs_tile_size, image_only, mission, highlight, max_steps, action_prob, random_action, no_death, death_cost, seeds, tile_size, agent_pov."""

@overload
def make_dm(
    task_id: BabyAISynthSeqTask,
    *,
    num_envs: int = 1,
    gym_reset_return_info: Literal[True] | None = None,
    **options: Unpack[BabyAISynthSeqOptions],
) -> DMEnvPool:
    """BabyAI-SynthSeq-v0. Own options: env_name, room_size, num_rows, num_cols, num_dists, locked_room_prob, locations, unblocking, implicit_unlock, action_kinds, instr_kinds, agent_view_size, see_through_walls, obs, obs_tile_size, image_only, mission, highlight, max_steps, action_prob, random_action, no_death, death_cost, seeds, tile_size, agent_pov."""

@overload
def make_dm(
    task_id: BabyAIPickupLocTask,
    *,
    num_envs: int = 1,
    gym_reset_return_info: Literal[True] | None = None,
    **options: Unpack[BabyAIPickupLocOptions],
) -> DMEnvPool:
    """BabyAI-PickupLoc-v0. Own options: env_name, room_size, num_rows, num_cols, num_dists, locked_room_prob, locations, unblocking, implicit_unlock, action_kinds, instr_kinds, agent_view_size, see_through_walls, obs, obs_tile_size, image_only, mission, highlight, max_steps, action_prob, random_action, no_death, death_cost, seeds, tile_size, agent_pov."""

@overload
def make_dm(
    task_id: BabyAIMiniBossLevelTask,
    *,
    num_envs: int = 1,
    gym_reset_return_info: Literal[True] | None = None,
    **options: Unpack[BabyAIMiniBossLevelOptions],
) -> DMEnvPool:
    """BabyAI-MiniBossLevel-v0. Own options: env_name, room_size, num_rows, num_cols, num_dists, locked_room_prob, locations, unblocking, implicit_unlock, action_kinds, instr_kinds, agent_view_size, see_through_walls, obs, obs_tile_size, image_only, mission, highlight, max_steps, action_prob, random_action, no_death, death_cost, seeds, tile_size, agent_pov."""

@overload
def make_dm(
    task_id: BabyAIBossLevelTask,
    *,
    num_envs: int = 1,
    gym_reset_return_info: Literal[True] | None = None,
    **options: Unpack[BabyAIBossLevelOptions],
) -> DMEnvPool:
    """BabyAI-BossLevel-v0. Own options: env_name, room_size, num_rows, num_cols, num_dists, locked_room_prob, locations, unblocking, implicit_unlock, action_kinds, instr_kinds, agent_view_size, see_through_walls, obs, obs_tile_size, image_only, mission, highlight, max_steps, action_prob, random_action, no_death, death_cost, seeds, tile_size, agent_pov."""

@overload
def make_dm(
    task_id: BabyAIBossLevelNoUnlockTask,
    *,
    num_envs: int = 1,
    gym_reset_return_info: Literal[True] | None = None,
    **options: Unpack[BabyAIBossLevelNoUnlockOptions],
) -> DMEnvPool:
    """BabyAI-BossLevelNoUnlock-v0. Own options: env_name, room_size, num_rows, num_cols, num_dists, locked_room_prob, locations, unblocking, implicit_unlock, action_kinds, instr_kinds, agent_view_size, see_through_walls, obs, obs_tile_size, image_only, mission, highlight, max_steps, action_prob, random_action, no_death, death_cost, seeds, tile_size, agent_pov."""

@overload
def make_dm(
    task_id: AntTask,
    *,
    num_envs: int = 1,
    gym_reset_return_info: Literal[True] | None = None,
    **options: Unpack[AntOptions],
) -> DMEnvPool:
    """Ant-v5. Own options: xml_file, xml_dir, frame_skip, frame_stack, physics, post_constraint, forward_reward_weight, ctrl_cost_weight, contact_cost_weight, main_body, healthy_z_range, healthy_z_min, healthy_z_max, contact_force_range, contact_force_min, contact_force_max, reset_noise_scale, exclude_current_positions_from_observation, include_cfrc_ext_in_observation, use_contact_force, exclude_worldbody_contact_forces, healthy_reward, terminate_when_unhealthy, legacy_healthy_reward, from_pixels, camera_name, default_camera, gymnasium_v5_render_camera, camera_lookat, camera_distance, camera_azimuth, camera_elevation, camera_orthographic, max_geom, visual_options, render_shadows, render_shadow_size, render_reflections, render_skybox, render_haze, render_textures, render_multisamples, width, height, camera_id, default_camera_config."""

@overload
def make_dm(
    task_id: AntV4Task,
    *,
    num_envs: int = 1,
    gym_reset_return_info: Literal[True] | None = None,
    **options: Unpack[AntV4Options],
) -> DMEnvPool:
    """Ant-v4, Ant-v3. Own options: xml_file, xml_dir, frame_skip, frame_stack, physics, post_constraint, forward_reward_weight, ctrl_cost_weight, contact_cost_weight, main_body, healthy_z_range, healthy_z_min, healthy_z_max, contact_force_range, contact_force_min, contact_force_max, reset_noise_scale, exclude_current_positions_from_observation, use_contact_forces, use_contact_force, exclude_worldbody_contact_forces, healthy_reward, terminate_when_unhealthy, legacy_healthy_reward, from_pixels, camera_name, default_camera, gymnasium_v5_render_camera, camera_lookat, camera_distance, camera_azimuth, camera_elevation, camera_orthographic, max_geom, visual_options, render_shadows, render_shadow_size, render_reflections, render_skybox, render_haze, render_textures, render_multisamples, width, height, camera_id, default_camera_config."""

@overload
def make_dm(
    task_id: HalfCheetahTask,
    *,
    num_envs: int = 1,
    gym_reset_return_info: Literal[True] | None = None,
    **options: Unpack[HalfCheetahOptions],
) -> DMEnvPool:
    """HalfCheetah-v5, HalfCheetah-v4, HalfCheetah-v3 and 3 more. Own options: xml_file, xml_dir, frame_skip, frame_stack, physics, post_constraint, forward_reward_weight, ctrl_cost_weight, reset_noise_scale, exclude_current_positions_from_observation, from_pixels, camera_name, default_camera, gymnasium_v5_render_camera, camera_lookat, camera_distance, camera_azimuth, camera_elevation, camera_orthographic, max_geom, visual_options, render_shadows, render_shadow_size, render_reflections, render_skybox, render_haze, render_textures, render_multisamples, width, height, camera_id, default_camera_config."""

@overload
def make_dm(
    task_id: HopperTask,
    *,
    num_envs: int = 1,
    gym_reset_return_info: Literal[True] | None = None,
    **options: Unpack[HopperOptions],
) -> DMEnvPool:
    """Hopper-v5, Hopper-v4, Hopper-v3. Own options: xml_file, xml_dir, frame_skip, frame_stack, physics, post_constraint, forward_reward_weight, ctrl_cost_weight, healthy_reward, terminate_when_unhealthy, legacy_healthy_reward, healthy_state_range, healthy_state_min, healthy_state_max, healthy_z_range, healthy_z_min, healthy_angle_range, healthy_angle_min, healthy_angle_max, velocity_min, velocity_max, reset_noise_scale, exclude_current_positions_from_observation, from_pixels, camera_name, default_camera, gymnasium_v5_render_camera, camera_lookat, camera_distance, camera_azimuth, camera_elevation, camera_orthographic, max_geom, visual_options, render_shadows, render_shadow_size, render_reflections, render_skybox, render_haze, render_textures, render_multisamples, width, height, camera_id, default_camera_config."""

@overload
def make_dm(
    task_id: HumanoidTask,
    *,
    num_envs: int = 1,
    gym_reset_return_info: Literal[True] | None = None,
    **options: Unpack[HumanoidOptions],
) -> DMEnvPool:
    """Humanoid-v5, Humanoid-v4, Humanoid-v3. Own options: xml_file, xml_dir, frame_skip, frame_stack, physics, post_constraint, forward_reward_weight, ctrl_cost_weight, contact_cost_weight, contact_cost_range, contact_cost_max, use_contact_force, healthy_reward, terminate_when_unhealthy, legacy_healthy_reward, healthy_z_range, healthy_z_min, healthy_z_max, reset_noise_scale, exclude_current_positions_from_observation, include_cinert_in_observation, include_cvel_in_observation, include_qfrc_actuator_in_observation, include_cfrc_ext_in_observation, exclude_worldbody_observations, exclude_root_actuator_forces, from_pixels, camera_name, default_camera, gymnasium_v5_render_camera, camera_lookat, camera_distance, camera_azimuth, camera_elevation, camera_orthographic, max_geom, visual_options, render_shadows, render_shadow_size, render_reflections, render_skybox, render_haze, render_textures, render_multisamples, width, height, camera_id, default_camera_config."""

@overload
def make_dm(
    task_id: HumanoidStandupTask,
    *,
    num_envs: int = 1,
    gym_reset_return_info: Literal[True] | None = None,
    **options: Unpack[HumanoidStandupOptions],
) -> DMEnvPool:
    """HumanoidStandup-v5, HumanoidStandup-v4, HumanoidStandup-v2. Own options: xml_file, xml_dir, frame_skip, frame_stack, physics, post_constraint, uph_cost_weight, ctrl_cost_weight, impact_cost_weight, forward_reward_weight, healthy_reward, contact_cost_weight, impact_cost_range, contact_cost_max, reset_noise_scale, exclude_current_positions_from_observation, include_cinert_in_observation, include_cvel_in_observation, include_qfrc_actuator_in_observation, include_cfrc_ext_in_observation, exclude_worldbody_observations, exclude_root_actuator_forces, from_pixels, camera_name, default_camera, gymnasium_v5_render_camera, camera_lookat, camera_distance, camera_azimuth, camera_elevation, camera_orthographic, max_geom, visual_options, render_shadows, render_shadow_size, render_reflections, render_skybox, render_haze, render_textures, render_multisamples, width, height, camera_id, default_camera_config."""

@overload
def make_dm(
    task_id: InvertedDoublePendulumTask,
    *,
    num_envs: int = 1,
    gym_reset_return_info: Literal[True] | None = None,
    **options: Unpack[InvertedDoublePendulumOptions],
) -> DMEnvPool:
    """InvertedDoublePendulum-v5, InvertedDoublePendulum-v4, InvertedDoublePendulum-v2. Own options: xml_file, xml_dir, frame_skip, frame_stack, physics, post_constraint, healthy_reward, healthy_z_max, reward_if_not_terminated, observation_min, observation_max, constraint_obs_dim, reset_noise_scale, from_pixels, camera_name, default_camera, gymnasium_v5_render_camera, camera_lookat, camera_distance, camera_azimuth, camera_elevation, camera_orthographic, max_geom, visual_options, render_shadows, render_shadow_size, render_reflections, render_skybox, render_haze, render_textures, render_multisamples, width, height, camera_id, default_camera_config."""

@overload
def make_dm(
    task_id: InvertedPendulumTask,
    *,
    num_envs: int = 1,
    gym_reset_return_info: Literal[True] | None = None,
    **options: Unpack[InvertedPendulumOptions],
) -> DMEnvPool:
    """InvertedPendulum-v5, InvertedPendulum-v4, InvertedPendulum-v2. Own options: xml_file, xml_dir, frame_skip, frame_stack, physics, post_constraint, healthy_reward, healthy_z_range, healthy_z_min, healthy_z_max, reward_if_not_terminated, reset_noise_scale, from_pixels, camera_name, default_camera, gymnasium_v5_render_camera, camera_lookat, camera_distance, camera_azimuth, camera_elevation, camera_orthographic, max_geom, visual_options, render_shadows, render_shadow_size, render_reflections, render_skybox, render_haze, render_textures, render_multisamples, width, height, camera_id, default_camera_config."""

@overload
def make_dm(
    task_id: PusherTask,
    *,
    num_envs: int = 1,
    gym_reset_return_info: Literal[True] | None = None,
    **options: Unpack[PusherOptions],
) -> DMEnvPool:
    """Pusher-v5, Pusher-v4, Pusher-v2. Own options: xml_file, xml_dir, frame_skip, frame_stack, physics, post_constraint, reward_near_weight, reward_dist_weight, reward_control_weight, near_cost_weight, dist_cost_weight, ctrl_cost_weight, reward_after_step, weighted_reward_info, reset_qvel_scale, cylinder_x_min, cylinder_x_max, cylinder_y_min, cylinder_y_max, cylinder_dist_min, from_pixels, camera_name, default_camera, gymnasium_v5_render_camera, camera_lookat, camera_distance, camera_azimuth, camera_elevation, camera_orthographic, max_geom, visual_options, render_shadows, render_shadow_size, render_reflections, render_skybox, render_haze, render_textures, render_multisamples, width, height, camera_id, default_camera_config."""

@overload
def make_dm(
    task_id: ReacherTask,
    *,
    num_envs: int = 1,
    gym_reset_return_info: Literal[True] | None = None,
    **options: Unpack[ReacherOptions],
) -> DMEnvPool:
    """Reacher-v5, Reacher-v4, Reacher-v2. Own options: xml_file, xml_dir, frame_skip, frame_stack, physics, post_constraint, reward_dist_weight, reward_control_weight, dist_cost_weight, ctrl_cost_weight, reward_after_step, obs_include_z_distance, reset_qpos_scale, reset_qvel_scale, reset_goal_scale, from_pixels, camera_name, default_camera, gymnasium_v5_render_camera, camera_lookat, camera_distance, camera_azimuth, camera_elevation, camera_orthographic, max_geom, visual_options, render_shadows, render_shadow_size, render_reflections, render_skybox, render_haze, render_textures, render_multisamples, width, height, camera_id, default_camera_config."""

@overload
def make_dm(
    task_id: Walker2dTask,
    *,
    num_envs: int = 1,
    gym_reset_return_info: Literal[True] | None = None,
    **options: Unpack[Walker2dOptions],
) -> DMEnvPool:
    """Walker2d-v5, Walker2d-v4, Walker2d-v3. Own options: xml_file, xml_dir, frame_skip, frame_stack, physics, post_constraint, forward_reward_weight, ctrl_cost_weight, healthy_reward, terminate_when_unhealthy, legacy_healthy_reward, healthy_z_range, healthy_z_min, healthy_z_max, healthy_angle_range, healthy_angle_min, healthy_angle_max, velocity_min, velocity_max, reset_noise_scale, exclude_current_positions_from_observation, from_pixels, camera_name, default_camera, gymnasium_v5_render_camera, camera_lookat, camera_distance, camera_azimuth, camera_elevation, camera_orthographic, max_geom, visual_options, render_shadows, render_shadow_size, render_reflections, render_skybox, render_haze, render_textures, render_multisamples, width, height, camera_id, default_camera_config."""

@overload
def make_dm(
    task_id: LunarLanderTask,
    *,
    num_envs: int = 1,
    gym_reset_return_info: Literal[True] | None = None,
    **options: Unpack[LunarLanderOptions],
) -> DMEnvPool:
    """LunarLander-v3, LunarLanderContinuous-v3, LunarLander-v2 and 1 more. Own options: continuous, gravity, enable_wind, wind_power, turbulence_power."""

@overload
def make_dm(
    task_id: BipedalWalkerTask,
    *,
    num_envs: int = 1,
    gym_reset_return_info: Literal[True] | None = None,
    **options: Unpack[BipedalWalkerOptions],
) -> DMEnvPool:
    """BipedalWalker-v3, BipedalWalkerHardcore-v3. Own options: hardcore."""

@overload
def make_dm(
    task_id: CarRacingTask,
    *,
    num_envs: int = 1,
    gym_reset_return_info: Literal[True] | None = None,
    **options: Unpack[CarRacingOptions],
) -> DMEnvPool:
    """CarRacing-v3, CarRacing-v2. Own options: verbose, lap_complete_percent, domain_randomize, continuous."""

@overload
def make_dm(
    task_id: AcrobotSwingupTask,
    *,
    num_envs: int = 1,
    gym_reset_return_info: Literal[True] | None = None,
    **options: Unpack[AcrobotSwingupOptions],
) -> DMEnvPool:
    """AcrobotSwingup-v1, dm_control/acrobot-swingup, AcrobotSwingupSparse-v1 and 1 more. Own options: task_name, suite_dir, frame_skip, n_sub_steps, frame_stack, time_limit, flat_observation, domain_keys, physics, visualize_reward, legacy_step, from_pixels, camera_name, camera_lookat, camera_distance, camera_azimuth, camera_elevation, camera_orthographic, max_geom, visual_options, render_shadows, render_shadow_size, render_reflections, render_skybox, render_haze, render_textures, render_multisamples, width, height, camera_id."""

@overload
def make_dm(
    task_id: BallInCupCatchTask,
    *,
    num_envs: int = 1,
    gym_reset_return_info: Literal[True] | None = None,
    **options: Unpack[BallInCupCatchOptions],
) -> DMEnvPool:
    """BallInCupCatch-v1, dm_control/ball_in_cup-catch. Own options: task_name, suite_dir, frame_skip, n_sub_steps, frame_stack, time_limit, flat_observation, domain_keys, physics, visualize_reward, legacy_step, from_pixels, camera_name, camera_lookat, camera_distance, camera_azimuth, camera_elevation, camera_orthographic, max_geom, visual_options, render_shadows, render_shadow_size, render_reflections, render_skybox, render_haze, render_textures, render_multisamples, width, height, camera_id."""

@overload
def make_dm(
    task_id: CartpoleBalanceTask,
    *,
    num_envs: int = 1,
    gym_reset_return_info: Literal[True] | None = None,
    **options: Unpack[CartpoleBalanceOptions],
) -> DMEnvPool:
    """CartpoleBalance-v1, dm_control/cartpole-balance, CartpoleBalanceSparse-v1 and 9 more. Own options: task_name, suite_dir, frame_skip, n_sub_steps, frame_stack, time_limit, flat_observation, domain_keys, physics, visualize_reward, legacy_step, num_poles, sparse, from_pixels, camera_name, camera_lookat, camera_distance, camera_azimuth, camera_elevation, camera_orthographic, max_geom, visual_options, render_shadows, render_shadow_size, render_reflections, render_skybox, render_haze, render_textures, render_multisamples, width, height, camera_id."""

@overload
def make_dm(
    task_id: CheetahRunTask,
    *,
    num_envs: int = 1,
    gym_reset_return_info: Literal[True] | None = None,
    **options: Unpack[CheetahRunOptions],
) -> DMEnvPool:
    """CheetahRun-v1, dm_control/cheetah-run. Own options: task_name, suite_dir, frame_skip, n_sub_steps, frame_stack, time_limit, flat_observation, domain_keys, physics, visualize_reward, legacy_step, from_pixels, camera_name, camera_lookat, camera_distance, camera_azimuth, camera_elevation, camera_orthographic, max_geom, visual_options, render_shadows, render_shadow_size, render_reflections, render_skybox, render_haze, render_textures, render_multisamples, width, height, camera_id."""

@overload
def make_dm(
    task_id: DogStandTask,
    *,
    num_envs: int = 1,
    gym_reset_return_info: Literal[True] | None = None,
    **options: Unpack[DogStandOptions],
) -> DMEnvPool:
    """DogStand-v1, dm_control/dog-stand, DogWalk-v1 and 7 more. Own options: task_name, suite_dir, frame_skip, n_sub_steps, frame_stack, time_limit, flat_observation, domain_keys, physics, visualize_reward, legacy_step, from_pixels, camera_name, camera_lookat, camera_distance, camera_azimuth, camera_elevation, camera_orthographic, max_geom, visual_options, render_shadows, render_shadow_size, render_reflections, render_skybox, render_haze, render_textures, render_multisamples, width, height, camera_id."""

@overload
def make_dm(
    task_id: FingerSpinTask,
    *,
    num_envs: int = 1,
    gym_reset_return_info: Literal[True] | None = None,
    **options: Unpack[FingerSpinOptions],
) -> DMEnvPool:
    """FingerSpin-v1, dm_control/finger-spin, FingerTurnEasy-v1 and 3 more. Own options: task_name, suite_dir, frame_skip, n_sub_steps, frame_stack, time_limit, flat_observation, domain_keys, physics, visualize_reward, legacy_step, from_pixels, camera_name, camera_lookat, camera_distance, camera_azimuth, camera_elevation, camera_orthographic, max_geom, visual_options, render_shadows, render_shadow_size, render_reflections, render_skybox, render_haze, render_textures, render_multisamples, width, height, camera_id."""

@overload
def make_dm(
    task_id: FishUprightTask,
    *,
    num_envs: int = 1,
    gym_reset_return_info: Literal[True] | None = None,
    **options: Unpack[FishUprightOptions],
) -> DMEnvPool:
    """FishUpright-v1, dm_control/fish-upright, FishSwim-v1 and 1 more. Own options: task_name, suite_dir, frame_skip, n_sub_steps, frame_stack, time_limit, flat_observation, domain_keys, physics, visualize_reward, legacy_step, from_pixels, camera_name, camera_lookat, camera_distance, camera_azimuth, camera_elevation, camera_orthographic, max_geom, visual_options, render_shadows, render_shadow_size, render_reflections, render_skybox, render_haze, render_textures, render_multisamples, width, height, camera_id."""

@overload
def make_dm(
    task_id: HopperStandTask,
    *,
    num_envs: int = 1,
    gym_reset_return_info: Literal[True] | None = None,
    **options: Unpack[HopperStandOptions],
) -> DMEnvPool:
    """HopperStand-v1, dm_control/hopper-stand, HopperHop-v1 and 1 more. Own options: task_name, suite_dir, frame_skip, n_sub_steps, frame_stack, time_limit, flat_observation, domain_keys, physics, visualize_reward, legacy_step, from_pixels, camera_name, camera_lookat, camera_distance, camera_azimuth, camera_elevation, camera_orthographic, max_geom, visual_options, render_shadows, render_shadow_size, render_reflections, render_skybox, render_haze, render_textures, render_multisamples, width, height, camera_id."""

@overload
def make_dm(
    task_id: HumanoidStandTask,
    *,
    num_envs: int = 1,
    gym_reset_return_info: Literal[True] | None = None,
    **options: Unpack[HumanoidStandOptions],
) -> DMEnvPool:
    """HumanoidStand-v1, dm_control/humanoid-stand, HumanoidWalk-v1 and 5 more. Own options: task_name, suite_dir, frame_skip, n_sub_steps, frame_stack, time_limit, flat_observation, domain_keys, physics, visualize_reward, legacy_step, from_pixels, camera_name, camera_lookat, camera_distance, camera_azimuth, camera_elevation, camera_orthographic, max_geom, visual_options, render_shadows, render_shadow_size, render_reflections, render_skybox, render_haze, render_textures, render_multisamples, width, height, camera_id."""

@overload
def make_dm(
    task_id: HumanoidCMUStandTask,
    *,
    num_envs: int = 1,
    gym_reset_return_info: Literal[True] | None = None,
    **options: Unpack[HumanoidCMUStandOptions],
) -> DMEnvPool:
    """HumanoidCMUStand-v1, dm_control/humanoid_CMU-stand, HumanoidCMUWalk-v1 and 9 more. Own options: task_name, suite_dir, frame_skip, n_sub_steps, frame_stack, time_limit, flat_observation, domain_keys, physics, visualize_reward, legacy_step, from_pixels, camera_name, camera_lookat, camera_distance, camera_azimuth, camera_elevation, camera_orthographic, max_geom, visual_options, render_shadows, render_shadow_size, render_reflections, render_skybox, render_haze, render_textures, render_multisamples, width, height, camera_id."""

@overload
def make_dm(
    task_id: LqrLqr21Task,
    *,
    num_envs: int = 1,
    gym_reset_return_info: Literal[True] | None = None,
    **options: Unpack[LqrLqr21Options],
) -> DMEnvPool:
    """LqrLqr21-v1, dm_control/lqr-lqr_2_1, LqrLqr62-v1 and 1 more. Own options: task_name, suite_dir, frame_skip, n_sub_steps, frame_stack, time_limit, flat_observation, domain_keys, physics, visualize_reward, legacy_step, from_pixels, camera_name, camera_lookat, camera_distance, camera_azimuth, camera_elevation, camera_orthographic, max_geom, visual_options, render_shadows, render_shadow_size, render_reflections, render_skybox, render_haze, render_textures, render_multisamples, width, height, camera_id."""

@overload
def make_dm(
    task_id: ManipulatorBringBallTask,
    *,
    num_envs: int = 1,
    gym_reset_return_info: Literal[True] | None = None,
    **options: Unpack[ManipulatorBringBallOptions],
) -> DMEnvPool:
    """ManipulatorBringBall-v1, dm_control/manipulator-bring_ball, ManipulatorBringPeg-v1 and 5 more. Own options: task_name, suite_dir, frame_skip, n_sub_steps, frame_stack, time_limit, flat_observation, domain_keys, physics, visualize_reward, legacy_step, fully_observable, from_pixels, camera_name, camera_lookat, camera_distance, camera_azimuth, camera_elevation, camera_orthographic, max_geom, visual_options, render_shadows, render_shadow_size, render_reflections, render_skybox, render_haze, render_textures, render_multisamples, width, height, camera_id."""

@overload
def make_dm(
    task_id: PendulumSwingupTask,
    *,
    num_envs: int = 1,
    gym_reset_return_info: Literal[True] | None = None,
    **options: Unpack[PendulumSwingupOptions],
) -> DMEnvPool:
    """PendulumSwingup-v1, dm_control/pendulum-swingup. Own options: task_name, suite_dir, frame_skip, n_sub_steps, frame_stack, time_limit, flat_observation, domain_keys, physics, visualize_reward, legacy_step, from_pixels, camera_name, camera_lookat, camera_distance, camera_azimuth, camera_elevation, camera_orthographic, max_geom, visual_options, render_shadows, render_shadow_size, render_reflections, render_skybox, render_haze, render_textures, render_multisamples, width, height, camera_id."""

@overload
def make_dm(
    task_id: PointMassEasyTask,
    *,
    num_envs: int = 1,
    gym_reset_return_info: Literal[True] | None = None,
    **options: Unpack[PointMassEasyOptions],
) -> DMEnvPool:
    """PointMassEasy-v1, dm_control/point_mass-easy, PointMassHard-v1 and 5 more. Own options: task_name, suite_dir, frame_skip, n_sub_steps, frame_stack, time_limit, flat_observation, domain_keys, physics, visualize_reward, legacy_step, from_pixels, camera_name, camera_lookat, camera_distance, camera_azimuth, camera_elevation, camera_orthographic, max_geom, visual_options, render_shadows, render_shadow_size, render_reflections, render_skybox, render_haze, render_textures, render_multisamples, width, height, camera_id."""

@overload
def make_dm(
    task_id: QuadrupedWalkTask,
    *,
    num_envs: int = 1,
    gym_reset_return_info: Literal[True] | None = None,
    **options: Unpack[QuadrupedWalkOptions],
) -> DMEnvPool:
    """QuadrupedWalk-v1, dm_control/quadruped-walk, QuadrupedRun-v1 and 5 more. Own options: task_name, suite_dir, frame_skip, n_sub_steps, frame_stack, time_limit, flat_observation, domain_keys, physics, visualize_reward, legacy_step, from_pixels, camera_name, camera_lookat, camera_distance, camera_azimuth, camera_elevation, camera_orthographic, max_geom, visual_options, render_shadows, render_shadow_size, render_reflections, render_skybox, render_haze, render_textures, render_multisamples, width, height, camera_id."""

@overload
def make_dm(
    task_id: StackerStack2Task,
    *,
    num_envs: int = 1,
    gym_reset_return_info: Literal[True] | None = None,
    **options: Unpack[StackerStack2Options],
) -> DMEnvPool:
    """StackerStack2-v1, dm_control/stacker-stack_2, StackerStack4-v1 and 1 more. Own options: task_name, suite_dir, frame_skip, n_sub_steps, frame_stack, time_limit, flat_observation, domain_keys, physics, visualize_reward, legacy_step, fully_observable, from_pixels, camera_name, camera_lookat, camera_distance, camera_azimuth, camera_elevation, camera_orthographic, max_geom, visual_options, render_shadows, render_shadow_size, render_reflections, render_skybox, render_haze, render_textures, render_multisamples, width, height, camera_id."""

@overload
def make_dm(
    task_id: SwimmerSwimmer6Task,
    *,
    num_envs: int = 1,
    gym_reset_return_info: Literal[True] | None = None,
    **options: Unpack[SwimmerSwimmer6Options],
) -> DMEnvPool:
    """SwimmerSwimmer6-v1, dm_control/swimmer-swimmer6, SwimmerSwimmer15-v1 and 1 more. Own options: task_name, suite_dir, frame_skip, n_sub_steps, frame_stack, time_limit, flat_observation, domain_keys, physics, visualize_reward, legacy_step, n_links, from_pixels, camera_name, camera_lookat, camera_distance, camera_azimuth, camera_elevation, camera_orthographic, max_geom, visual_options, render_shadows, render_shadow_size, render_reflections, render_skybox, render_haze, render_textures, render_multisamples, width, height, camera_id."""

@overload
def make_dm(
    task_id: EnvPoolVizdoomTask,
    *,
    num_envs: int = 1,
    gym_reset_return_info: Literal[True] | None = None,
    **options: Unpack[EnvPoolVizdoomOptions],
) -> DMEnvPool:
    """D1Basic-v1, D2Navigation-v1, D3Battle-v1 and 18 more. Own options: scenario, img_height, img_width, stack_num, frame_skip, use_inter_area_resize, episodic_life, use_combined_action, force_speed, lmp_save_dir, reward_config, reward_metric, selected_weapon_reward_config, weapon_duration, delta_button_config, cfg_path, wad_path, iwad_path, vzd_path, game_args, map_id, assets_dir, vizdoom_dir, engine_timeout, restart, fast_palette_copy."""

@overload
def make_dm(
    task_id: VizdoomTask,
    *,
    num_envs: int = 1,
    gym_reset_return_info: Literal[True] | None = None,
    **options: Unpack[VizdoomOptions],
) -> DMEnvPool:
    """VizdoomBasic-v1, VizdoomBasic-MultiBinary-v1, VizdoomBasicAudio-v1 and 701 more. Own options: scenario_config_file, frame_skip, max_buttons_pressed, treat_episode_timeout_as_truncation, use_multi_binary_action_space, vizdoom_dir, engine_timeout, restart, fast_palette_copy, available_buttons, available_game_variables, doom_game_path, doom_scenario_path, doom_config_path, vizdoom_path, doom_map, doom_skill, game_args, mode, ticrate, episode_start_time, episode_timeout, living_reward, death_penalty, death_reward, map_exit_reward, kill_reward, item_reward, secret_reward, frag_reward, hit_reward, hit_taken_reward, hit_taken_penalty, damage_made_reward, damage_taken_reward, damage_taken_penalty, health_reward, armor_reward, screen_resolution, screen_format, depth_buffer_enabled, labels_buffer_enabled, automap_buffer_enabled, audio_buffer_enabled, notifications_buffer_enabled, objects_info_enabled, sectors_info_enabled, automap_mode, automap_rotate, automap_render_textures, automap_render_objects_as_sprites, audio_sampling_rate, audio_buffer_size, notifications_buffer_size, render_hud, render_minimal_hud, render_weapon, render_crosshair, render_decals, render_particles, render_effects_sprites, render_messages, render_corpses, render_screen_flashes, render_all_frames, sound_enabled, console_enabled, window_visible."""

@overload
@deprecated("not all of these are options of this task: see `python -m envpool_rs info TASK`")
def make_dm(
    task_id: KnownTask, *, num_envs: int = 1, gym_reset_return_info: bool | None = None, **options: Unpack[AnyOptions]
) -> NoSuchOption: ...
@overload
def make_dm(
    task_id: TaskId,
    *,
    num_envs: int = 1,
    gym_reset_return_info: Literal[True] | None = None,
    **options: Unpack[AnyOptions],
) -> DMEnvPool: ...
@overload
def make_spec(
    task_id: CartPoleTask,
    *,
    num_envs: int = 1,
    gym_reset_return_info: Literal[True] | None = None,
    **options: Unpack[CartPoleOptions],
) -> EnvSpec:
    """CartPole-v0, CartPole-v1. Own options: sutton_barto_reward."""

@overload
def make_spec(
    task_id: MountainCarTask,
    *,
    num_envs: int = 1,
    gym_reset_return_info: Literal[True] | None = None,
    **options: Unpack[MountainCarOptions],
) -> EnvSpec:
    """MountainCar-v0, MountainCarContinuous-v0. Own options: goal_velocity."""

@overload
def make_spec(
    task_id: PendulumTask,
    *,
    num_envs: int = 1,
    gym_reset_return_info: Literal[True] | None = None,
    **options: Unpack[PendulumOptions],
) -> EnvSpec:
    """Pendulum-v0, Pendulum-v1. Own options: g, version."""

@overload
def make_spec(
    task_id: AcrobotTask,
    *,
    num_envs: int = 1,
    gym_reset_return_info: Literal[True] | None = None,
    **options: Unpack[PoolOptions],
) -> EnvSpec:
    """Acrobot-v1. Own options: none."""

@overload
def make_spec(
    task_id: FrozenLakeTask,
    *,
    num_envs: int = 1,
    gym_reset_return_info: Literal[True] | None = None,
    **options: Unpack[FrozenLakeOptions],
) -> EnvSpec:
    """FrozenLake-v1, FrozenLake8x8-v1. Own options: desc, map_name, is_slippery, success_rate, reward_schedule, size."""

@overload
def make_spec(
    task_id: TaxiTask,
    *,
    num_envs: int = 1,
    gym_reset_return_info: Literal[True] | None = None,
    **options: Unpack[TaxiOptions],
) -> EnvSpec:
    """Taxi-v3. Own options: is_rainy, fickle_passenger."""

@overload
def make_spec(
    task_id: TaxiV4Task,
    *,
    num_envs: int = 1,
    gym_reset_return_info: Literal[True] | None = None,
    **options: Unpack[TaxiV4Options],
) -> EnvSpec:
    """Taxi-v4. Own options: is_rainy, fickle_passenger, rainy_probability, fickle_probability."""

@overload
def make_spec(
    task_id: CliffWalkingTask,
    *,
    num_envs: int = 1,
    gym_reset_return_info: Literal[True] | None = None,
    **options: Unpack[CliffWalkingOptions],
) -> EnvSpec:
    """CliffWalking-v0, CliffWalking-v1, CliffWalkingSlippery-v1. Own options: is_slippery."""

@overload
def make_spec(
    task_id: BlackjackTask,
    *,
    num_envs: int = 1,
    gym_reset_return_info: Literal[True] | None = None,
    **options: Unpack[BlackjackOptions],
) -> EnvSpec:
    """Blackjack-v1. Own options: natural, sab."""

@overload
def make_spec(
    task_id: NChainTask,
    *,
    num_envs: int = 1,
    gym_reset_return_info: Literal[True] | None = None,
    **options: Unpack[NChainOptions],
) -> EnvSpec:
    """NChain-v0. Own options: n, slip, small, large."""

@overload
def make_spec(
    task_id: AtariTask,
    *,
    num_envs: int = 1,
    gym_reset_return_info: Literal[True] | None = None,
    **options: Unpack[AtariOptions],
) -> EnvSpec:
    """Adventure-v5, AirRaid-v5, Alien-v5 and 101 more. Own options: rom_dir, stack_num, frame_skip, noop_max, zero_discount_on_life_loss, episodic_life, reward_clip, use_fire_reset, img_height, img_width, task, mode, difficulty, full_action_space, repeat_action_probability, use_inter_area_resize, gray_scale, translate."""

@overload
def make_spec(
    task_id: AleAtariTask,
    *,
    num_envs: int = 1,
    gym_reset_return_info: Literal[True] | None = None,
    **options: Unpack[AleAtariOptions],
) -> EnvSpec:
    """ALE/Adventure-v5, ALE/AirRaid-v5, ALE/Alien-v5 and 101 more. Own options: rom_dir, game, mode, difficulty, obs_type, frameskip, repeat_action_probability, full_action_space, continuous, continuous_action_threshold, max_num_frames_per_episode, preprocessing, noop_max, frame_skip, screen_size, terminal_on_life_loss, grayscale_obs, grayscale_newaxis, scale_obs, stack_size, padding_type, translate."""

@overload
def make_spec(
    task_id: CatchTask,
    *,
    num_envs: int = 1,
    gym_reset_return_info: Literal[True] | None = None,
    **options: Unpack[CatchOptions],
) -> EnvSpec:
    """Catch-v0. Own options: rows, columns, height, width."""

@overload
def make_spec(
    task_id: SimpleSpreadTask,
    *,
    num_envs: int = 1,
    gym_reset_return_info: Literal[True] | None = None,
    **options: Unpack[SimpleSpreadOptions],
) -> EnvSpec:
    """SimpleSpread-v3. Own options: N, local_ratio, curriculum, terminate_on_success, num_agent_neighbors, num_landmark_neighbors, continuous_actions, benchmark_data, max_cycles, dynamic_rescaling."""

@overload
def make_spec(
    task_id: SimpleSpeakerListenerTask,
    *,
    num_envs: int = 1,
    gym_reset_return_info: Literal[True] | None = None,
    **options: Unpack[SimpleSpeakerListenerOptions],
) -> EnvSpec:
    """SimpleSpeakerListener-v4. Own options: continuous_actions, benchmark_data, max_cycles, dynamic_rescaling."""

@overload
def make_spec(
    task_id: MiniGridEmpty5x5Task,
    *,
    num_envs: int = 1,
    gym_reset_return_info: Literal[True] | None = None,
    **options: Unpack[MiniGridEmpty5x5Options],
) -> EnvSpec:
    """MiniGrid-Empty-5x5-v0, MiniGrid-Empty-Random-5x5-v0, MiniGrid-Empty-6x6-v0 and 3 more. Own options: env_name, size, agent_start_pos, agent_start_dir, agent_view_size, see_through_walls, obs, obs_tile_size, image_only, mission, highlight, max_steps, action_prob, random_action, no_death, death_cost, seeds, tile_size, agent_pov."""

@overload
def make_spec(
    task_id: MiniGridDoorKey5x5Task,
    *,
    num_envs: int = 1,
    gym_reset_return_info: Literal[True] | None = None,
    **options: Unpack[MiniGridDoorKey5x5Options],
) -> EnvSpec:
    """MiniGrid-DoorKey-5x5-v0, MiniGrid-DoorKey-6x6-v0, MiniGrid-DoorKey-8x8-v0 and 1 more. Own options: env_name, size, agent_view_size, see_through_walls, obs, obs_tile_size, image_only, mission, highlight, max_steps, action_prob, random_action, no_death, death_cost, seeds, tile_size, agent_pov."""

@overload
def make_spec(
    task_id: MiniGridLavaCrossingS9N1Task,
    *,
    num_envs: int = 1,
    gym_reset_return_info: Literal[True] | None = None,
    **options: Unpack[MiniGridLavaCrossingS9N1Options],
) -> EnvSpec:
    """MiniGrid-LavaCrossingS9N1-v0, MiniGrid-LavaCrossingS9N2-v0, MiniGrid-LavaCrossingS9N3-v0 and 5 more. Own options: env_name, size, num_crossings, obstacle_type, agent_view_size, see_through_walls, obs, obs_tile_size, image_only, mission, highlight, max_steps, action_prob, random_action, no_death, death_cost, seeds, tile_size, agent_pov."""

@overload
def make_spec(
    task_id: MiniGridDistShift1Task,
    *,
    num_envs: int = 1,
    gym_reset_return_info: Literal[True] | None = None,
    **options: Unpack[MiniGridDistShift1Options],
) -> EnvSpec:
    """MiniGrid-DistShift1-v0, MiniGrid-DistShift2-v0. Own options: env_name, width, height, strip2_row, agent_start_pos, agent_start_dir, agent_view_size, see_through_walls, obs, obs_tile_size, image_only, mission, highlight, max_steps, action_prob, random_action, no_death, death_cost, seeds, tile_size, agent_pov."""

@overload
def make_spec(
    task_id: MiniGridLavaGapS5Task,
    *,
    num_envs: int = 1,
    gym_reset_return_info: Literal[True] | None = None,
    **options: Unpack[MiniGridLavaGapS5Options],
) -> EnvSpec:
    """MiniGrid-LavaGapS5-v0, MiniGrid-LavaGapS6-v0, MiniGrid-LavaGapS7-v0. Own options: env_name, size, obstacle_type, agent_view_size, see_through_walls, obs, obs_tile_size, image_only, mission, highlight, max_steps, action_prob, random_action, no_death, death_cost, seeds, tile_size, agent_pov."""

@overload
def make_spec(
    task_id: MiniGridDynamicObstacles5x5Task,
    *,
    num_envs: int = 1,
    gym_reset_return_info: Literal[True] | None = None,
    **options: Unpack[MiniGridDynamicObstacles5x5Options],
) -> EnvSpec:
    """MiniGrid-Dynamic-Obstacles-5x5-v0, MiniGrid-Dynamic-Obstacles-Random-5x5-v0, MiniGrid-Dynamic-Obstacles-6x6-v0 and 3 more. Own options: env_name, size, n_obstacles, agent_start_pos, agent_start_dir, agent_view_size, see_through_walls, obs, obs_tile_size, image_only, mission, highlight, max_steps, action_prob, random_action, no_death, death_cost, seeds, tile_size, agent_pov."""

@overload
def make_spec(
    task_id: MiniGridFetch5x5N2Task,
    *,
    num_envs: int = 1,
    gym_reset_return_info: Literal[True] | None = None,
    **options: Unpack[MiniGridFetch5x5N2Options],
) -> EnvSpec:
    """MiniGrid-Fetch-5x5-N2-v0, MiniGrid-Fetch-6x6-N2-v0, MiniGrid-Fetch-8x8-N3-v0. Own options: env_name, size, numObjs, num_objs, agent_view_size, see_through_walls, obs, obs_tile_size, image_only, mission, highlight, max_steps, action_prob, random_action, no_death, death_cost, seeds, tile_size, agent_pov."""

@overload
def make_spec(
    task_id: MiniGridFourRoomsTask,
    *,
    num_envs: int = 1,
    gym_reset_return_info: Literal[True] | None = None,
    **options: Unpack[MiniGridFourRoomsOptions],
) -> EnvSpec:
    """MiniGrid-FourRooms-v0. Own options: env_name, agent_pos, goal_pos, agent_view_size, see_through_walls, obs, obs_tile_size, image_only, mission, highlight, max_steps, action_prob, random_action, no_death, death_cost, seeds, tile_size, agent_pov."""

@overload
def make_spec(
    task_id: MiniGridGoToDoor5x5Task,
    *,
    num_envs: int = 1,
    gym_reset_return_info: Literal[True] | None = None,
    **options: Unpack[MiniGridGoToDoor5x5Options],
) -> EnvSpec:
    """MiniGrid-GoToDoor-5x5-v0, MiniGrid-GoToDoor-6x6-v0, MiniGrid-GoToDoor-8x8-v0. Own options: env_name, size, agent_view_size, see_through_walls, obs, obs_tile_size, image_only, mission, highlight, max_steps, action_prob, random_action, no_death, death_cost, seeds, tile_size, agent_pov."""

@overload
def make_spec(
    task_id: MiniGridGoToObject6x6N2Task,
    *,
    num_envs: int = 1,
    gym_reset_return_info: Literal[True] | None = None,
    **options: Unpack[MiniGridGoToObject6x6N2Options],
) -> EnvSpec:
    """MiniGrid-GoToObject-6x6-N2-v0, MiniGrid-GoToObject-8x8-N2-v0. Own options: env_name, size, numObjs, num_objs, agent_view_size, see_through_walls, obs, obs_tile_size, image_only, mission, highlight, max_steps, action_prob, random_action, no_death, death_cost, seeds, tile_size, agent_pov."""

@overload
def make_spec(
    task_id: MiniGridKeyCorridorS3R1Task,
    *,
    num_envs: int = 1,
    gym_reset_return_info: Literal[True] | None = None,
    **options: Unpack[MiniGridKeyCorridorS3R1Options],
) -> EnvSpec:
    """MiniGrid-KeyCorridorS3R1-v0, MiniGrid-KeyCorridorS3R2-v0, MiniGrid-KeyCorridorS3R3-v0 and 3 more. Own options: env_name, num_rows, room_size, obj_type, agent_view_size, see_through_walls, obs, obs_tile_size, image_only, mission, highlight, max_steps, action_prob, random_action, no_death, death_cost, seeds, tile_size, agent_pov."""

@overload
def make_spec(
    task_id: MiniGridLockedRoomTask,
    *,
    num_envs: int = 1,
    gym_reset_return_info: Literal[True] | None = None,
    **options: Unpack[MiniGridLockedRoomOptions],
) -> EnvSpec:
    """MiniGrid-LockedRoom-v0. Own options: env_name, size, agent_view_size, see_through_walls, obs, obs_tile_size, image_only, mission, highlight, max_steps, action_prob, random_action, no_death, death_cost, seeds, tile_size, agent_pov."""

@overload
def make_spec(
    task_id: MiniGridMemoryS17RandomTask,
    *,
    num_envs: int = 1,
    gym_reset_return_info: Literal[True] | None = None,
    **options: Unpack[MiniGridMemoryS17RandomOptions],
) -> EnvSpec:
    """MiniGrid-MemoryS17Random-v0, MiniGrid-MemoryS13Random-v0, MiniGrid-MemoryS13-v0 and 3 more. Own options: env_name, size, random_length, agent_view_size, see_through_walls, obs, obs_tile_size, image_only, mission, highlight, max_steps, action_prob, random_action, no_death, death_cost, seeds, tile_size, agent_pov."""

@overload
def make_spec(
    task_id: MiniGridMultiRoomN2S4Task,
    *,
    num_envs: int = 1,
    gym_reset_return_info: Literal[True] | None = None,
    **options: Unpack[MiniGridMultiRoomN2S4Options],
) -> EnvSpec:
    """MiniGrid-MultiRoom-N2-S4-v0, MiniGrid-MultiRoom-N4-S5-v0, MiniGrid-MultiRoom-N4-S5-v1 and 1 more. Own options: env_name, minNumRooms, min_num_rooms, maxNumRooms, max_num_rooms, maxRoomSize, max_room_size, width, height, agent_view_size, see_through_walls, obs, obs_tile_size, image_only, mission, highlight, max_steps, action_prob, random_action, no_death, death_cost, seeds, tile_size, agent_pov."""

@overload
def make_spec(
    task_id: MiniGridObstructedMaze1DlTask,
    *,
    num_envs: int = 1,
    gym_reset_return_info: Literal[True] | None = None,
    **options: Unpack[MiniGridObstructedMaze1DlOptions],
) -> EnvSpec:
    """MiniGrid-ObstructedMaze-1Dl-v0, MiniGrid-ObstructedMaze-1Dlh-v0, MiniGrid-ObstructedMaze-1Dlhb-v0. Own options: env_name, key_in_box, blocked, agent_view_size, see_through_walls, obs, obs_tile_size, image_only, mission, highlight, max_steps, action_prob, random_action, no_death, death_cost, seeds, tile_size, agent_pov."""

@overload
def make_spec(
    task_id: MiniGridObstructedMaze2DlTask,
    *,
    num_envs: int = 1,
    gym_reset_return_info: Literal[True] | None = None,
    **options: Unpack[MiniGridObstructedMaze2DlOptions],
) -> EnvSpec:
    """MiniGrid-ObstructedMaze-2Dl-v0, MiniGrid-ObstructedMaze-2Dlh-v0, MiniGrid-ObstructedMaze-2Dlhb-v0 and 3 more. Own options: env_name, agent_room, key_in_box, blocked, num_quarters, num_rooms_visited, agent_view_size, see_through_walls, obs, obs_tile_size, image_only, mission, highlight, max_steps, action_prob, random_action, no_death, death_cost, seeds, tile_size, agent_pov."""

@overload
def make_spec(
    task_id: MiniGridObstructedMaze2DlhbTask,
    *,
    num_envs: int = 1,
    gym_reset_return_info: Literal[True] | None = None,
    **options: Unpack[MiniGridObstructedMaze2DlhbOptions],
) -> EnvSpec:
    """MiniGrid-ObstructedMaze-2Dlhb-v1, MiniGrid-ObstructedMaze-1Q-v1, MiniGrid-ObstructedMaze-2Q-v1 and 1 more. Own options: env_name, agent_room, key_in_box, blocked, num_quarters, num_rooms_visited, agent_view_size, see_through_walls, obs, obs_tile_size, image_only, mission, highlight, max_steps, action_prob, random_action, no_death, death_cost, seeds, tile_size, agent_pov."""

@overload
def make_spec(
    task_id: MiniGridPlaygroundTask,
    *,
    num_envs: int = 1,
    gym_reset_return_info: Literal[True] | None = None,
    **options: Unpack[MiniGridPlaygroundOptions],
) -> EnvSpec:
    """MiniGrid-Playground-v0. Own options: env_name, agent_view_size, see_through_walls, obs, obs_tile_size, image_only, mission, highlight, max_steps, action_prob, random_action, no_death, death_cost, seeds, tile_size, agent_pov."""

@overload
def make_spec(
    task_id: MiniGridPutNear6x6N2Task,
    *,
    num_envs: int = 1,
    gym_reset_return_info: Literal[True] | None = None,
    **options: Unpack[MiniGridPutNear6x6N2Options],
) -> EnvSpec:
    """MiniGrid-PutNear-6x6-N2-v0, MiniGrid-PutNear-8x8-N3-v0. Own options: env_name, size, numObjs, num_objs, agent_view_size, see_through_walls, obs, obs_tile_size, image_only, mission, highlight, max_steps, action_prob, random_action, no_death, death_cost, seeds, tile_size, agent_pov."""

@overload
def make_spec(
    task_id: MiniGridRedBlueDoors6x6Task,
    *,
    num_envs: int = 1,
    gym_reset_return_info: Literal[True] | None = None,
    **options: Unpack[MiniGridRedBlueDoors6x6Options],
) -> EnvSpec:
    """MiniGrid-RedBlueDoors-6x6-v0, MiniGrid-RedBlueDoors-8x8-v0. Own options: env_name, size, agent_view_size, see_through_walls, obs, obs_tile_size, image_only, mission, highlight, max_steps, action_prob, random_action, no_death, death_cost, seeds, tile_size, agent_pov."""

@overload
def make_spec(
    task_id: MiniGridUnlockTask,
    *,
    num_envs: int = 1,
    gym_reset_return_info: Literal[True] | None = None,
    **options: Unpack[MiniGridUnlockOptions],
) -> EnvSpec:
    """MiniGrid-Unlock-v0. Own options: env_name, agent_view_size, see_through_walls, obs, obs_tile_size, image_only, mission, highlight, max_steps, action_prob, random_action, no_death, death_cost, seeds, tile_size, agent_pov."""

@overload
def make_spec(
    task_id: MiniGridUnlockPickupTask,
    *,
    num_envs: int = 1,
    gym_reset_return_info: Literal[True] | None = None,
    **options: Unpack[MiniGridUnlockPickupOptions],
) -> EnvSpec:
    """MiniGrid-UnlockPickup-v0. Own options: env_name, agent_view_size, see_through_walls, obs, obs_tile_size, image_only, mission, highlight, max_steps, action_prob, random_action, no_death, death_cost, seeds, tile_size, agent_pov."""

@overload
def make_spec(
    task_id: MiniGridBlockedUnlockPickupTask,
    *,
    num_envs: int = 1,
    gym_reset_return_info: Literal[True] | None = None,
    **options: Unpack[MiniGridBlockedUnlockPickupOptions],
) -> EnvSpec:
    """MiniGrid-BlockedUnlockPickup-v0. Own options: env_name, agent_view_size, see_through_walls, obs, obs_tile_size, image_only, mission, highlight, max_steps, action_prob, random_action, no_death, death_cost, seeds, tile_size, agent_pov."""

@overload
def make_spec(
    task_id: MiniGridWFCMazeSimpleTask,
    *,
    num_envs: int = 1,
    gym_reset_return_info: Literal[True] | None = None,
    **options: Unpack[MiniGridWFCMazeSimpleOptions],
) -> EnvSpec:
    """MiniGrid-WFC-MazeSimple-v0, MiniGrid-WFC-DungeonMazeScaled-v0, MiniGrid-WFC-RoomsFabric-v0 and 3 more. Own options: env_name, wfc_config, wfc_preset, size, ensure_connected, agent_view_size, see_through_walls, obs, obs_tile_size, image_only, mission, highlight, max_steps, action_prob, random_action, no_death, death_cost, seeds, tile_size, agent_pov."""

@overload
def make_spec(
    task_id: BabyAIGoToRedBallGreyTask,
    *,
    num_envs: int = 1,
    gym_reset_return_info: Literal[True] | None = None,
    **options: Unpack[BabyAIGoToRedBallGreyOptions],
) -> EnvSpec:
    """BabyAI-GoToRedBallGrey-v0. Own options: env_name, room_size, num_dists, agent_view_size, see_through_walls, obs, obs_tile_size, image_only, mission, highlight, max_steps, action_prob, random_action, no_death, death_cost, seeds, tile_size, agent_pov."""

@overload
def make_spec(
    task_id: BabyAIGoToRedBallTask,
    *,
    num_envs: int = 1,
    gym_reset_return_info: Literal[True] | None = None,
    **options: Unpack[BabyAIGoToRedBallOptions],
) -> EnvSpec:
    """BabyAI-GoToRedBall-v0. Own options: env_name, room_size, num_dists, agent_view_size, see_through_walls, obs, obs_tile_size, image_only, mission, highlight, max_steps, action_prob, random_action, no_death, death_cost, seeds, tile_size, agent_pov."""

@overload
def make_spec(
    task_id: BabyAIGoToObjTask,
    *,
    num_envs: int = 1,
    gym_reset_return_info: Literal[True] | None = None,
    **options: Unpack[BabyAIGoToObjOptions],
) -> EnvSpec:
    """BabyAI-GoToObj-v0, BabyAI-GoToObjS4-v0, BabyAI-GoToObjS6-v1. Own options: env_name, room_size, agent_view_size, see_through_walls, obs, obs_tile_size, image_only, mission, highlight, max_steps, action_prob, random_action, no_death, death_cost, seeds, tile_size, agent_pov."""

@overload
def make_spec(
    task_id: BabyAIGoToLocalTask,
    *,
    num_envs: int = 1,
    gym_reset_return_info: Literal[True] | None = None,
    **options: Unpack[BabyAIGoToLocalOptions],
) -> EnvSpec:
    """BabyAI-GoToLocal-v0, BabyAI-GoToLocalS5N2-v0, BabyAI-GoToLocalS6N2-v0 and 10 more. Own options: env_name, room_size, num_dists, agent_view_size, see_through_walls, obs, obs_tile_size, image_only, mission, highlight, max_steps, action_prob, random_action, no_death, death_cost, seeds, tile_size, agent_pov."""

@overload
def make_spec(
    task_id: BabyAIGoToTask,
    *,
    num_envs: int = 1,
    gym_reset_return_info: Literal[True] | None = None,
    **options: Unpack[BabyAIGoToOptions],
) -> EnvSpec:
    """BabyAI-GoTo-v0, BabyAI-GoToOpen-v0, BabyAI-GoToObjMaze-v0 and 6 more. Own options: env_name, room_size, num_rows, num_cols, num_dists, doors_open, agent_view_size, see_through_walls, obs, obs_tile_size, image_only, mission, highlight, max_steps, action_prob, random_action, no_death, death_cost, seeds, tile_size, agent_pov."""

@overload
def make_spec(
    task_id: BabyAIGoToImpUnlockTask,
    *,
    num_envs: int = 1,
    gym_reset_return_info: Literal[True] | None = None,
    **options: Unpack[BabyAIGoToImpUnlockOptions],
) -> EnvSpec:
    """BabyAI-GoToImpUnlock-v0. Own options: env_name, room_size, num_rows, num_cols, agent_view_size, see_through_walls, obs, obs_tile_size, image_only, mission, highlight, max_steps, action_prob, random_action, no_death, death_cost, seeds, tile_size, agent_pov."""

@overload
def make_spec(
    task_id: BabyAIGoToRedBlueBallTask,
    *,
    num_envs: int = 1,
    gym_reset_return_info: Literal[True] | None = None,
    **options: Unpack[BabyAIGoToRedBlueBallOptions],
) -> EnvSpec:
    """BabyAI-GoToRedBlueBall-v0. Own options: env_name, room_size, num_dists, agent_view_size, see_through_walls, obs, obs_tile_size, image_only, mission, highlight, max_steps, action_prob, random_action, no_death, death_cost, seeds, tile_size, agent_pov."""

@overload
def make_spec(
    task_id: BabyAIGoToDoorTask,
    *,
    num_envs: int = 1,
    gym_reset_return_info: Literal[True] | None = None,
    **options: Unpack[BabyAIGoToDoorOptions],
) -> EnvSpec:
    """BabyAI-GoToDoor-v0. Own options: env_name, agent_view_size, see_through_walls, obs, obs_tile_size, image_only, mission, highlight, max_steps, action_prob, random_action, no_death, death_cost, seeds, tile_size, agent_pov."""

@overload
def make_spec(
    task_id: BabyAIGoToObjDoorTask,
    *,
    num_envs: int = 1,
    gym_reset_return_info: Literal[True] | None = None,
    **options: Unpack[BabyAIGoToObjDoorOptions],
) -> EnvSpec:
    """BabyAI-GoToObjDoor-v0. Own options: env_name, agent_view_size, see_through_walls, obs, obs_tile_size, image_only, mission, highlight, max_steps, action_prob, random_action, no_death, death_cost, seeds, tile_size, agent_pov."""

@overload
def make_spec(
    task_id: BabyAIGoToRedBallNoDistsTask,
    *,
    num_envs: int = 1,
    gym_reset_return_info: Literal[True] | None = None,
    **options: Unpack[BabyAIGoToRedBallNoDistsOptions],
) -> EnvSpec:
    """BabyAI-GoToRedBallNoDists-v0. Own options: env_name, agent_view_size, see_through_walls, obs, obs_tile_size, image_only, mission, highlight, max_steps, action_prob, random_action, no_death, death_cost, seeds, tile_size, agent_pov."""

@overload
def make_spec(
    task_id: BabyAIOpenTask,
    *,
    num_envs: int = 1,
    gym_reset_return_info: Literal[True] | None = None,
    **options: Unpack[BabyAIOpenOptions],
) -> EnvSpec:
    """BabyAI-Open-v0. Own options: env_name, room_size, num_rows, num_cols, agent_view_size, see_through_walls, obs, obs_tile_size, image_only, mission, highlight, max_steps, action_prob, random_action, no_death, death_cost, seeds, tile_size, agent_pov."""

@overload
def make_spec(
    task_id: BabyAIOpenRedDoorTask,
    *,
    num_envs: int = 1,
    gym_reset_return_info: Literal[True] | None = None,
    **options: Unpack[BabyAIOpenRedDoorOptions],
) -> EnvSpec:
    """BabyAI-OpenRedDoor-v0. Own options: env_name, agent_view_size, see_through_walls, obs, obs_tile_size, image_only, mission, highlight, max_steps, action_prob, random_action, no_death, death_cost, seeds, tile_size, agent_pov."""

@overload
def make_spec(
    task_id: BabyAIOpenDoorTask,
    *,
    num_envs: int = 1,
    gym_reset_return_info: Literal[True] | None = None,
    **options: Unpack[BabyAIOpenDoorOptions],
) -> EnvSpec:
    """BabyAI-OpenDoor-v0, BabyAI-OpenDoorDebug-v0, BabyAI-OpenDoorColor-v0 and 1 more. Own options: env_name, debug, select_by, agent_view_size, see_through_walls, obs, obs_tile_size, image_only, mission, highlight, max_steps, action_prob, random_action, no_death, death_cost, seeds, tile_size, agent_pov."""

@overload
def make_spec(
    task_id: BabyAIOpenTwoDoorsTask,
    *,
    num_envs: int = 1,
    gym_reset_return_info: Literal[True] | None = None,
    **options: Unpack[BabyAIOpenTwoDoorsOptions],
) -> EnvSpec:
    """BabyAI-OpenTwoDoors-v0, BabyAI-OpenRedBlueDoors-v0, BabyAI-OpenRedBlueDoorsDebug-v0. Own options: env_name, first_color, second_color, strict, agent_view_size, see_through_walls, obs, obs_tile_size, image_only, mission, highlight, max_steps, action_prob, random_action, no_death, death_cost, seeds, tile_size, agent_pov."""

@overload
def make_spec(
    task_id: BabyAIOpenDoorsOrderN2Task,
    *,
    num_envs: int = 1,
    gym_reset_return_info: Literal[True] | None = None,
    **options: Unpack[BabyAIOpenDoorsOrderN2Options],
) -> EnvSpec:
    """BabyAI-OpenDoorsOrderN2-v0, BabyAI-OpenDoorsOrderN4-v0, BabyAI-OpenDoorsOrderN2Debug-v0 and 1 more. Own options: env_name, num_doors, debug, agent_view_size, see_through_walls, obs, obs_tile_size, image_only, mission, highlight, max_steps, action_prob, random_action, no_death, death_cost, seeds, tile_size, agent_pov."""

@overload
def make_spec(
    task_id: BabyAIPickupTask,
    *,
    num_envs: int = 1,
    gym_reset_return_info: Literal[True] | None = None,
    **options: Unpack[BabyAIPickupOptions],
) -> EnvSpec:
    """BabyAI-Pickup-v0. Own options: env_name, room_size, num_rows, num_cols, agent_view_size, see_through_walls, obs, obs_tile_size, image_only, mission, highlight, max_steps, action_prob, random_action, no_death, death_cost, seeds, tile_size, agent_pov."""

@overload
def make_spec(
    task_id: BabyAIUnblockPickupTask,
    *,
    num_envs: int = 1,
    gym_reset_return_info: Literal[True] | None = None,
    **options: Unpack[BabyAIUnblockPickupOptions],
) -> EnvSpec:
    """BabyAI-UnblockPickup-v0. Own options: env_name, room_size, num_rows, num_cols, agent_view_size, see_through_walls, obs, obs_tile_size, image_only, mission, highlight, max_steps, action_prob, random_action, no_death, death_cost, seeds, tile_size, agent_pov."""

@overload
def make_spec(
    task_id: BabyAIPickupDistTask,
    *,
    num_envs: int = 1,
    gym_reset_return_info: Literal[True] | None = None,
    **options: Unpack[BabyAIPickupDistOptions],
) -> EnvSpec:
    """BabyAI-PickupDist-v0, BabyAI-PickupDistDebug-v0. Own options: env_name, debug, agent_view_size, see_through_walls, obs, obs_tile_size, image_only, mission, highlight, max_steps, action_prob, random_action, no_death, death_cost, seeds, tile_size, agent_pov."""

@overload
def make_spec(
    task_id: BabyAIPickupAboveTask,
    *,
    num_envs: int = 1,
    gym_reset_return_info: Literal[True] | None = None,
    **options: Unpack[BabyAIPickupAboveOptions],
) -> EnvSpec:
    """BabyAI-PickupAbove-v0. Own options: env_name, agent_view_size, see_through_walls, obs, obs_tile_size, image_only, mission, highlight, max_steps, action_prob, random_action, no_death, death_cost, seeds, tile_size, agent_pov."""

@overload
def make_spec(
    task_id: BabyAIPutNextLocalTask,
    *,
    num_envs: int = 1,
    gym_reset_return_info: Literal[True] | None = None,
    **options: Unpack[BabyAIPutNextLocalOptions],
) -> EnvSpec:
    """BabyAI-PutNextLocal-v0, BabyAI-PutNextLocalS5N3-v0, BabyAI-PutNextLocalS6N4-v0. Own options: env_name, room_size, num_objs, agent_view_size, see_through_walls, obs, obs_tile_size, image_only, mission, highlight, max_steps, action_prob, random_action, no_death, death_cost, seeds, tile_size, agent_pov."""

@overload
def make_spec(
    task_id: BabyAIPutNextS4N1Task,
    *,
    num_envs: int = 1,
    gym_reset_return_info: Literal[True] | None = None,
    **options: Unpack[BabyAIPutNextS4N1Options],
) -> EnvSpec:
    """BabyAI-PutNextS4N1-v0, BabyAI-PutNextS5N2-v0, BabyAI-PutNextS5N1-v0 and 5 more. Own options: env_name, room_size, objs_per_room, start_carrying, agent_view_size, see_through_walls, obs, obs_tile_size, image_only, mission, highlight, max_steps, action_prob, random_action, no_death, death_cost, seeds, tile_size, agent_pov."""

@overload
def make_spec(
    task_id: BabyAIMoveTwoAcrossS5N2Task,
    *,
    num_envs: int = 1,
    gym_reset_return_info: Literal[True] | None = None,
    **options: Unpack[BabyAIMoveTwoAcrossS5N2Options],
) -> EnvSpec:
    """BabyAI-MoveTwoAcrossS5N2-v0, BabyAI-MoveTwoAcrossS8N9-v0. Own options: env_name, room_size, objs_per_room, agent_view_size, see_through_walls, obs, obs_tile_size, image_only, mission, highlight, max_steps, action_prob, random_action, no_death, death_cost, seeds, tile_size, agent_pov."""

@overload
def make_spec(
    task_id: BabyAIUnlockTask,
    *,
    num_envs: int = 1,
    gym_reset_return_info: Literal[True] | None = None,
    **options: Unpack[BabyAIUnlockOptions],
) -> EnvSpec:
    """BabyAI-Unlock-v0. Own options: env_name, room_size, num_rows, num_cols, agent_view_size, see_through_walls, obs, obs_tile_size, image_only, mission, highlight, max_steps, action_prob, random_action, no_death, death_cost, seeds, tile_size, agent_pov."""

@overload
def make_spec(
    task_id: BabyAIUnlockLocalTask,
    *,
    num_envs: int = 1,
    gym_reset_return_info: Literal[True] | None = None,
    **options: Unpack[BabyAIUnlockLocalOptions],
) -> EnvSpec:
    """BabyAI-UnlockLocal-v0, BabyAI-UnlockLocalDist-v0. Own options: env_name, distractors, agent_view_size, see_through_walls, obs, obs_tile_size, image_only, mission, highlight, max_steps, action_prob, random_action, no_death, death_cost, seeds, tile_size, agent_pov."""

@overload
def make_spec(
    task_id: BabyAIKeyInBoxTask,
    *,
    num_envs: int = 1,
    gym_reset_return_info: Literal[True] | None = None,
    **options: Unpack[BabyAIKeyInBoxOptions],
) -> EnvSpec:
    """BabyAI-KeyInBox-v0. Own options: env_name, agent_view_size, see_through_walls, obs, obs_tile_size, image_only, mission, highlight, max_steps, action_prob, random_action, no_death, death_cost, seeds, tile_size, agent_pov."""

@overload
def make_spec(
    task_id: BabyAIUnlockPickupTask,
    *,
    num_envs: int = 1,
    gym_reset_return_info: Literal[True] | None = None,
    **options: Unpack[BabyAIUnlockPickupOptions],
) -> EnvSpec:
    """BabyAI-UnlockPickup-v0, BabyAI-UnlockPickupDist-v0. Own options: env_name, distractors, agent_view_size, see_through_walls, obs, obs_tile_size, image_only, mission, highlight, max_steps, action_prob, random_action, no_death, death_cost, seeds, tile_size, agent_pov."""

@overload
def make_spec(
    task_id: BabyAIBlockedUnlockPickupTask,
    *,
    num_envs: int = 1,
    gym_reset_return_info: Literal[True] | None = None,
    **options: Unpack[BabyAIBlockedUnlockPickupOptions],
) -> EnvSpec:
    """BabyAI-BlockedUnlockPickup-v0. Own options: env_name, agent_view_size, see_through_walls, obs, obs_tile_size, image_only, mission, highlight, max_steps, action_prob, random_action, no_death, death_cost, seeds, tile_size, agent_pov."""

@overload
def make_spec(
    task_id: BabyAIUnlockToUnlockTask,
    *,
    num_envs: int = 1,
    gym_reset_return_info: Literal[True] | None = None,
    **options: Unpack[BabyAIUnlockToUnlockOptions],
) -> EnvSpec:
    """BabyAI-UnlockToUnlock-v0. Own options: env_name, agent_view_size, see_through_walls, obs, obs_tile_size, image_only, mission, highlight, max_steps, action_prob, random_action, no_death, death_cost, seeds, tile_size, agent_pov."""

@overload
def make_spec(
    task_id: BabyAIActionObjDoorTask,
    *,
    num_envs: int = 1,
    gym_reset_return_info: Literal[True] | None = None,
    **options: Unpack[BabyAIActionObjDoorOptions],
) -> EnvSpec:
    """BabyAI-ActionObjDoor-v0. Own options: env_name, agent_view_size, see_through_walls, obs, obs_tile_size, image_only, mission, highlight, max_steps, action_prob, random_action, no_death, death_cost, seeds, tile_size, agent_pov."""

@overload
def make_spec(
    task_id: BabyAIFindObjS5Task,
    *,
    num_envs: int = 1,
    gym_reset_return_info: Literal[True] | None = None,
    **options: Unpack[BabyAIFindObjS5Options],
) -> EnvSpec:
    """BabyAI-FindObjS5-v0, BabyAI-FindObjS6-v0, BabyAI-FindObjS7-v0. Own options: env_name, room_size, agent_view_size, see_through_walls, obs, obs_tile_size, image_only, mission, highlight, max_steps, action_prob, random_action, no_death, death_cost, seeds, tile_size, agent_pov."""

@overload
def make_spec(
    task_id: BabyAIKeyCorridorTask,
    *,
    num_envs: int = 1,
    gym_reset_return_info: Literal[True] | None = None,
    **options: Unpack[BabyAIKeyCorridorOptions],
) -> EnvSpec:
    """BabyAI-KeyCorridor-v0, BabyAI-KeyCorridorS3R1-v0, BabyAI-KeyCorridorS3R2-v0 and 4 more. Own options: env_name, room_size, num_rows, obj_type, agent_view_size, see_through_walls, obs, obs_tile_size, image_only, mission, highlight, max_steps, action_prob, random_action, no_death, death_cost, seeds, tile_size, agent_pov."""

@overload
def make_spec(
    task_id: BabyAIOneRoomS8Task,
    *,
    num_envs: int = 1,
    gym_reset_return_info: Literal[True] | None = None,
    **options: Unpack[BabyAIOneRoomS8Options],
) -> EnvSpec:
    """BabyAI-OneRoomS8-v0, BabyAI-OneRoomS12-v0, BabyAI-OneRoomS16-v0 and 1 more. Own options: env_name, room_size, agent_view_size, see_through_walls, obs, obs_tile_size, image_only, mission, highlight, max_steps, action_prob, random_action, no_death, death_cost, seeds, tile_size, agent_pov."""

@overload
def make_spec(
    task_id: BabyAIGoToSeqTask,
    *,
    num_envs: int = 1,
    gym_reset_return_info: Literal[True] | None = None,
    **options: Unpack[BabyAIGoToSeqOptions],
) -> EnvSpec:
    """BabyAI-GoToSeq-v0, BabyAI-GoToSeqS5R2-v0. Own options: env_name, room_size, num_rows, num_cols, num_dists, locked_room_prob, locations, unblocking, implicit_unlock, action_kinds, instr_kinds, agent_view_size, see_through_walls, obs, obs_tile_size, image_only, mission, highlight, max_steps, action_prob, random_action, no_death, death_cost, seeds, tile_size, agent_pov."""

@overload
def make_spec(
    task_id: BabyAISynthTask,
    *,
    num_envs: int = 1,
    gym_reset_return_info: Literal[True] | None = None,
    **options: Unpack[BabyAISynthOptions],
) -> EnvSpec:
    """BabyAI-Synth-v0, BabyAI-SynthS5R2-v0. Own options: env_name, room_size, num_rows, num_cols, num_dists, locked_room_prob, locations, unblocking, implicit_unlock, action_kinds, instr_kinds, agent_view_size, see_through_walls, obs, obs_tile_size, image_only, mission, highlight, max_steps, action_prob, random_action, no_death, death_cost, seeds, tile_size, agent_pov."""

@overload
def make_spec(
    task_id: BabyAISynthLocTask,
    *,
    num_envs: int = 1,
    gym_reset_return_info: Literal[True] | None = None,
    **options: Unpack[BabyAISynthLocOptions],
) -> EnvSpec:
    """BabyAI-SynthLoc-v0. Own options: env_name, room_size, num_rows, num_cols, num_dists, locked_room_prob, locations, unblocking, implicit_unlock, action_kinds, instr_kinds, agent_view_size, see_through_walls, obs, obs_tile_size, image_only, mission, highlight, max_steps, action_prob, random_action, no_death, death_cost, seeds, tile_size, agent_pov."""

@overload
def make_spec(
    task_id: BabyAISynthSeqTask,
    *,
    num_envs: int = 1,
    gym_reset_return_info: Literal[True] | None = None,
    **options: Unpack[BabyAISynthSeqOptions],
) -> EnvSpec:
    """BabyAI-SynthSeq-v0. Own options: env_name, room_size, num_rows, num_cols, num_dists, locked_room_prob, locations, unblocking, implicit_unlock, action_kinds, instr_kinds, agent_view_size, see_through_walls, obs, obs_tile_size, image_only, mission, highlight, max_steps, action_prob, random_action, no_death, death_cost, seeds, tile_size, agent_pov."""

@overload
def make_spec(
    task_id: BabyAIPickupLocTask,
    *,
    num_envs: int = 1,
    gym_reset_return_info: Literal[True] | None = None,
    **options: Unpack[BabyAIPickupLocOptions],
) -> EnvSpec:
    """BabyAI-PickupLoc-v0. Own options: env_name, room_size, num_rows, num_cols, num_dists, locked_room_prob, locations, unblocking, implicit_unlock, action_kinds, instr_kinds, agent_view_size, see_through_walls, obs, obs_tile_size, image_only, mission, highlight, max_steps, action_prob, random_action, no_death, death_cost, seeds, tile_size, agent_pov."""

@overload
def make_spec(
    task_id: BabyAIMiniBossLevelTask,
    *,
    num_envs: int = 1,
    gym_reset_return_info: Literal[True] | None = None,
    **options: Unpack[BabyAIMiniBossLevelOptions],
) -> EnvSpec:
    """BabyAI-MiniBossLevel-v0. Own options: env_name, room_size, num_rows, num_cols, num_dists, locked_room_prob, locations, unblocking, implicit_unlock, action_kinds, instr_kinds, agent_view_size, see_through_walls, obs, obs_tile_size, image_only, mission, highlight, max_steps, action_prob, random_action, no_death, death_cost, seeds, tile_size, agent_pov."""

@overload
def make_spec(
    task_id: BabyAIBossLevelTask,
    *,
    num_envs: int = 1,
    gym_reset_return_info: Literal[True] | None = None,
    **options: Unpack[BabyAIBossLevelOptions],
) -> EnvSpec:
    """BabyAI-BossLevel-v0. Own options: env_name, room_size, num_rows, num_cols, num_dists, locked_room_prob, locations, unblocking, implicit_unlock, action_kinds, instr_kinds, agent_view_size, see_through_walls, obs, obs_tile_size, image_only, mission, highlight, max_steps, action_prob, random_action, no_death, death_cost, seeds, tile_size, agent_pov."""

@overload
def make_spec(
    task_id: BabyAIBossLevelNoUnlockTask,
    *,
    num_envs: int = 1,
    gym_reset_return_info: Literal[True] | None = None,
    **options: Unpack[BabyAIBossLevelNoUnlockOptions],
) -> EnvSpec:
    """BabyAI-BossLevelNoUnlock-v0. Own options: env_name, room_size, num_rows, num_cols, num_dists, locked_room_prob, locations, unblocking, implicit_unlock, action_kinds, instr_kinds, agent_view_size, see_through_walls, obs, obs_tile_size, image_only, mission, highlight, max_steps, action_prob, random_action, no_death, death_cost, seeds, tile_size, agent_pov."""

@overload
def make_spec(
    task_id: AntTask,
    *,
    num_envs: int = 1,
    gym_reset_return_info: Literal[True] | None = None,
    **options: Unpack[AntOptions],
) -> EnvSpec:
    """Ant-v5. Own options: xml_file, xml_dir, frame_skip, frame_stack, physics, post_constraint, forward_reward_weight, ctrl_cost_weight, contact_cost_weight, main_body, healthy_z_range, healthy_z_min, healthy_z_max, contact_force_range, contact_force_min, contact_force_max, reset_noise_scale, exclude_current_positions_from_observation, include_cfrc_ext_in_observation, use_contact_force, exclude_worldbody_contact_forces, healthy_reward, terminate_when_unhealthy, legacy_healthy_reward, from_pixels, camera_name, default_camera, gymnasium_v5_render_camera, camera_lookat, camera_distance, camera_azimuth, camera_elevation, camera_orthographic, max_geom, visual_options, render_shadows, render_shadow_size, render_reflections, render_skybox, render_haze, render_textures, render_multisamples, width, height, camera_id, default_camera_config."""

@overload
def make_spec(
    task_id: AntV4Task,
    *,
    num_envs: int = 1,
    gym_reset_return_info: Literal[True] | None = None,
    **options: Unpack[AntV4Options],
) -> EnvSpec:
    """Ant-v4, Ant-v3. Own options: xml_file, xml_dir, frame_skip, frame_stack, physics, post_constraint, forward_reward_weight, ctrl_cost_weight, contact_cost_weight, main_body, healthy_z_range, healthy_z_min, healthy_z_max, contact_force_range, contact_force_min, contact_force_max, reset_noise_scale, exclude_current_positions_from_observation, use_contact_forces, use_contact_force, exclude_worldbody_contact_forces, healthy_reward, terminate_when_unhealthy, legacy_healthy_reward, from_pixels, camera_name, default_camera, gymnasium_v5_render_camera, camera_lookat, camera_distance, camera_azimuth, camera_elevation, camera_orthographic, max_geom, visual_options, render_shadows, render_shadow_size, render_reflections, render_skybox, render_haze, render_textures, render_multisamples, width, height, camera_id, default_camera_config."""

@overload
def make_spec(
    task_id: HalfCheetahTask,
    *,
    num_envs: int = 1,
    gym_reset_return_info: Literal[True] | None = None,
    **options: Unpack[HalfCheetahOptions],
) -> EnvSpec:
    """HalfCheetah-v5, HalfCheetah-v4, HalfCheetah-v3 and 3 more. Own options: xml_file, xml_dir, frame_skip, frame_stack, physics, post_constraint, forward_reward_weight, ctrl_cost_weight, reset_noise_scale, exclude_current_positions_from_observation, from_pixels, camera_name, default_camera, gymnasium_v5_render_camera, camera_lookat, camera_distance, camera_azimuth, camera_elevation, camera_orthographic, max_geom, visual_options, render_shadows, render_shadow_size, render_reflections, render_skybox, render_haze, render_textures, render_multisamples, width, height, camera_id, default_camera_config."""

@overload
def make_spec(
    task_id: HopperTask,
    *,
    num_envs: int = 1,
    gym_reset_return_info: Literal[True] | None = None,
    **options: Unpack[HopperOptions],
) -> EnvSpec:
    """Hopper-v5, Hopper-v4, Hopper-v3. Own options: xml_file, xml_dir, frame_skip, frame_stack, physics, post_constraint, forward_reward_weight, ctrl_cost_weight, healthy_reward, terminate_when_unhealthy, legacy_healthy_reward, healthy_state_range, healthy_state_min, healthy_state_max, healthy_z_range, healthy_z_min, healthy_angle_range, healthy_angle_min, healthy_angle_max, velocity_min, velocity_max, reset_noise_scale, exclude_current_positions_from_observation, from_pixels, camera_name, default_camera, gymnasium_v5_render_camera, camera_lookat, camera_distance, camera_azimuth, camera_elevation, camera_orthographic, max_geom, visual_options, render_shadows, render_shadow_size, render_reflections, render_skybox, render_haze, render_textures, render_multisamples, width, height, camera_id, default_camera_config."""

@overload
def make_spec(
    task_id: HumanoidTask,
    *,
    num_envs: int = 1,
    gym_reset_return_info: Literal[True] | None = None,
    **options: Unpack[HumanoidOptions],
) -> EnvSpec:
    """Humanoid-v5, Humanoid-v4, Humanoid-v3. Own options: xml_file, xml_dir, frame_skip, frame_stack, physics, post_constraint, forward_reward_weight, ctrl_cost_weight, contact_cost_weight, contact_cost_range, contact_cost_max, use_contact_force, healthy_reward, terminate_when_unhealthy, legacy_healthy_reward, healthy_z_range, healthy_z_min, healthy_z_max, reset_noise_scale, exclude_current_positions_from_observation, include_cinert_in_observation, include_cvel_in_observation, include_qfrc_actuator_in_observation, include_cfrc_ext_in_observation, exclude_worldbody_observations, exclude_root_actuator_forces, from_pixels, camera_name, default_camera, gymnasium_v5_render_camera, camera_lookat, camera_distance, camera_azimuth, camera_elevation, camera_orthographic, max_geom, visual_options, render_shadows, render_shadow_size, render_reflections, render_skybox, render_haze, render_textures, render_multisamples, width, height, camera_id, default_camera_config."""

@overload
def make_spec(
    task_id: HumanoidStandupTask,
    *,
    num_envs: int = 1,
    gym_reset_return_info: Literal[True] | None = None,
    **options: Unpack[HumanoidStandupOptions],
) -> EnvSpec:
    """HumanoidStandup-v5, HumanoidStandup-v4, HumanoidStandup-v2. Own options: xml_file, xml_dir, frame_skip, frame_stack, physics, post_constraint, uph_cost_weight, ctrl_cost_weight, impact_cost_weight, forward_reward_weight, healthy_reward, contact_cost_weight, impact_cost_range, contact_cost_max, reset_noise_scale, exclude_current_positions_from_observation, include_cinert_in_observation, include_cvel_in_observation, include_qfrc_actuator_in_observation, include_cfrc_ext_in_observation, exclude_worldbody_observations, exclude_root_actuator_forces, from_pixels, camera_name, default_camera, gymnasium_v5_render_camera, camera_lookat, camera_distance, camera_azimuth, camera_elevation, camera_orthographic, max_geom, visual_options, render_shadows, render_shadow_size, render_reflections, render_skybox, render_haze, render_textures, render_multisamples, width, height, camera_id, default_camera_config."""

@overload
def make_spec(
    task_id: InvertedDoublePendulumTask,
    *,
    num_envs: int = 1,
    gym_reset_return_info: Literal[True] | None = None,
    **options: Unpack[InvertedDoublePendulumOptions],
) -> EnvSpec:
    """InvertedDoublePendulum-v5, InvertedDoublePendulum-v4, InvertedDoublePendulum-v2. Own options: xml_file, xml_dir, frame_skip, frame_stack, physics, post_constraint, healthy_reward, healthy_z_max, reward_if_not_terminated, observation_min, observation_max, constraint_obs_dim, reset_noise_scale, from_pixels, camera_name, default_camera, gymnasium_v5_render_camera, camera_lookat, camera_distance, camera_azimuth, camera_elevation, camera_orthographic, max_geom, visual_options, render_shadows, render_shadow_size, render_reflections, render_skybox, render_haze, render_textures, render_multisamples, width, height, camera_id, default_camera_config."""

@overload
def make_spec(
    task_id: InvertedPendulumTask,
    *,
    num_envs: int = 1,
    gym_reset_return_info: Literal[True] | None = None,
    **options: Unpack[InvertedPendulumOptions],
) -> EnvSpec:
    """InvertedPendulum-v5, InvertedPendulum-v4, InvertedPendulum-v2. Own options: xml_file, xml_dir, frame_skip, frame_stack, physics, post_constraint, healthy_reward, healthy_z_range, healthy_z_min, healthy_z_max, reward_if_not_terminated, reset_noise_scale, from_pixels, camera_name, default_camera, gymnasium_v5_render_camera, camera_lookat, camera_distance, camera_azimuth, camera_elevation, camera_orthographic, max_geom, visual_options, render_shadows, render_shadow_size, render_reflections, render_skybox, render_haze, render_textures, render_multisamples, width, height, camera_id, default_camera_config."""

@overload
def make_spec(
    task_id: PusherTask,
    *,
    num_envs: int = 1,
    gym_reset_return_info: Literal[True] | None = None,
    **options: Unpack[PusherOptions],
) -> EnvSpec:
    """Pusher-v5, Pusher-v4, Pusher-v2. Own options: xml_file, xml_dir, frame_skip, frame_stack, physics, post_constraint, reward_near_weight, reward_dist_weight, reward_control_weight, near_cost_weight, dist_cost_weight, ctrl_cost_weight, reward_after_step, weighted_reward_info, reset_qvel_scale, cylinder_x_min, cylinder_x_max, cylinder_y_min, cylinder_y_max, cylinder_dist_min, from_pixels, camera_name, default_camera, gymnasium_v5_render_camera, camera_lookat, camera_distance, camera_azimuth, camera_elevation, camera_orthographic, max_geom, visual_options, render_shadows, render_shadow_size, render_reflections, render_skybox, render_haze, render_textures, render_multisamples, width, height, camera_id, default_camera_config."""

@overload
def make_spec(
    task_id: ReacherTask,
    *,
    num_envs: int = 1,
    gym_reset_return_info: Literal[True] | None = None,
    **options: Unpack[ReacherOptions],
) -> EnvSpec:
    """Reacher-v5, Reacher-v4, Reacher-v2. Own options: xml_file, xml_dir, frame_skip, frame_stack, physics, post_constraint, reward_dist_weight, reward_control_weight, dist_cost_weight, ctrl_cost_weight, reward_after_step, obs_include_z_distance, reset_qpos_scale, reset_qvel_scale, reset_goal_scale, from_pixels, camera_name, default_camera, gymnasium_v5_render_camera, camera_lookat, camera_distance, camera_azimuth, camera_elevation, camera_orthographic, max_geom, visual_options, render_shadows, render_shadow_size, render_reflections, render_skybox, render_haze, render_textures, render_multisamples, width, height, camera_id, default_camera_config."""

@overload
def make_spec(
    task_id: Walker2dTask,
    *,
    num_envs: int = 1,
    gym_reset_return_info: Literal[True] | None = None,
    **options: Unpack[Walker2dOptions],
) -> EnvSpec:
    """Walker2d-v5, Walker2d-v4, Walker2d-v3. Own options: xml_file, xml_dir, frame_skip, frame_stack, physics, post_constraint, forward_reward_weight, ctrl_cost_weight, healthy_reward, terminate_when_unhealthy, legacy_healthy_reward, healthy_z_range, healthy_z_min, healthy_z_max, healthy_angle_range, healthy_angle_min, healthy_angle_max, velocity_min, velocity_max, reset_noise_scale, exclude_current_positions_from_observation, from_pixels, camera_name, default_camera, gymnasium_v5_render_camera, camera_lookat, camera_distance, camera_azimuth, camera_elevation, camera_orthographic, max_geom, visual_options, render_shadows, render_shadow_size, render_reflections, render_skybox, render_haze, render_textures, render_multisamples, width, height, camera_id, default_camera_config."""

@overload
def make_spec(
    task_id: LunarLanderTask,
    *,
    num_envs: int = 1,
    gym_reset_return_info: Literal[True] | None = None,
    **options: Unpack[LunarLanderOptions],
) -> EnvSpec:
    """LunarLander-v3, LunarLanderContinuous-v3, LunarLander-v2 and 1 more. Own options: continuous, gravity, enable_wind, wind_power, turbulence_power."""

@overload
def make_spec(
    task_id: BipedalWalkerTask,
    *,
    num_envs: int = 1,
    gym_reset_return_info: Literal[True] | None = None,
    **options: Unpack[BipedalWalkerOptions],
) -> EnvSpec:
    """BipedalWalker-v3, BipedalWalkerHardcore-v3. Own options: hardcore."""

@overload
def make_spec(
    task_id: CarRacingTask,
    *,
    num_envs: int = 1,
    gym_reset_return_info: Literal[True] | None = None,
    **options: Unpack[CarRacingOptions],
) -> EnvSpec:
    """CarRacing-v3, CarRacing-v2. Own options: verbose, lap_complete_percent, domain_randomize, continuous."""

@overload
def make_spec(
    task_id: AcrobotSwingupTask,
    *,
    num_envs: int = 1,
    gym_reset_return_info: Literal[True] | None = None,
    **options: Unpack[AcrobotSwingupOptions],
) -> EnvSpec:
    """AcrobotSwingup-v1, dm_control/acrobot-swingup, AcrobotSwingupSparse-v1 and 1 more. Own options: task_name, suite_dir, frame_skip, n_sub_steps, frame_stack, time_limit, flat_observation, domain_keys, physics, visualize_reward, legacy_step, from_pixels, camera_name, camera_lookat, camera_distance, camera_azimuth, camera_elevation, camera_orthographic, max_geom, visual_options, render_shadows, render_shadow_size, render_reflections, render_skybox, render_haze, render_textures, render_multisamples, width, height, camera_id."""

@overload
def make_spec(
    task_id: BallInCupCatchTask,
    *,
    num_envs: int = 1,
    gym_reset_return_info: Literal[True] | None = None,
    **options: Unpack[BallInCupCatchOptions],
) -> EnvSpec:
    """BallInCupCatch-v1, dm_control/ball_in_cup-catch. Own options: task_name, suite_dir, frame_skip, n_sub_steps, frame_stack, time_limit, flat_observation, domain_keys, physics, visualize_reward, legacy_step, from_pixels, camera_name, camera_lookat, camera_distance, camera_azimuth, camera_elevation, camera_orthographic, max_geom, visual_options, render_shadows, render_shadow_size, render_reflections, render_skybox, render_haze, render_textures, render_multisamples, width, height, camera_id."""

@overload
def make_spec(
    task_id: CartpoleBalanceTask,
    *,
    num_envs: int = 1,
    gym_reset_return_info: Literal[True] | None = None,
    **options: Unpack[CartpoleBalanceOptions],
) -> EnvSpec:
    """CartpoleBalance-v1, dm_control/cartpole-balance, CartpoleBalanceSparse-v1 and 9 more. Own options: task_name, suite_dir, frame_skip, n_sub_steps, frame_stack, time_limit, flat_observation, domain_keys, physics, visualize_reward, legacy_step, num_poles, sparse, from_pixels, camera_name, camera_lookat, camera_distance, camera_azimuth, camera_elevation, camera_orthographic, max_geom, visual_options, render_shadows, render_shadow_size, render_reflections, render_skybox, render_haze, render_textures, render_multisamples, width, height, camera_id."""

@overload
def make_spec(
    task_id: CheetahRunTask,
    *,
    num_envs: int = 1,
    gym_reset_return_info: Literal[True] | None = None,
    **options: Unpack[CheetahRunOptions],
) -> EnvSpec:
    """CheetahRun-v1, dm_control/cheetah-run. Own options: task_name, suite_dir, frame_skip, n_sub_steps, frame_stack, time_limit, flat_observation, domain_keys, physics, visualize_reward, legacy_step, from_pixels, camera_name, camera_lookat, camera_distance, camera_azimuth, camera_elevation, camera_orthographic, max_geom, visual_options, render_shadows, render_shadow_size, render_reflections, render_skybox, render_haze, render_textures, render_multisamples, width, height, camera_id."""

@overload
def make_spec(
    task_id: DogStandTask,
    *,
    num_envs: int = 1,
    gym_reset_return_info: Literal[True] | None = None,
    **options: Unpack[DogStandOptions],
) -> EnvSpec:
    """DogStand-v1, dm_control/dog-stand, DogWalk-v1 and 7 more. Own options: task_name, suite_dir, frame_skip, n_sub_steps, frame_stack, time_limit, flat_observation, domain_keys, physics, visualize_reward, legacy_step, from_pixels, camera_name, camera_lookat, camera_distance, camera_azimuth, camera_elevation, camera_orthographic, max_geom, visual_options, render_shadows, render_shadow_size, render_reflections, render_skybox, render_haze, render_textures, render_multisamples, width, height, camera_id."""

@overload
def make_spec(
    task_id: FingerSpinTask,
    *,
    num_envs: int = 1,
    gym_reset_return_info: Literal[True] | None = None,
    **options: Unpack[FingerSpinOptions],
) -> EnvSpec:
    """FingerSpin-v1, dm_control/finger-spin, FingerTurnEasy-v1 and 3 more. Own options: task_name, suite_dir, frame_skip, n_sub_steps, frame_stack, time_limit, flat_observation, domain_keys, physics, visualize_reward, legacy_step, from_pixels, camera_name, camera_lookat, camera_distance, camera_azimuth, camera_elevation, camera_orthographic, max_geom, visual_options, render_shadows, render_shadow_size, render_reflections, render_skybox, render_haze, render_textures, render_multisamples, width, height, camera_id."""

@overload
def make_spec(
    task_id: FishUprightTask,
    *,
    num_envs: int = 1,
    gym_reset_return_info: Literal[True] | None = None,
    **options: Unpack[FishUprightOptions],
) -> EnvSpec:
    """FishUpright-v1, dm_control/fish-upright, FishSwim-v1 and 1 more. Own options: task_name, suite_dir, frame_skip, n_sub_steps, frame_stack, time_limit, flat_observation, domain_keys, physics, visualize_reward, legacy_step, from_pixels, camera_name, camera_lookat, camera_distance, camera_azimuth, camera_elevation, camera_orthographic, max_geom, visual_options, render_shadows, render_shadow_size, render_reflections, render_skybox, render_haze, render_textures, render_multisamples, width, height, camera_id."""

@overload
def make_spec(
    task_id: HopperStandTask,
    *,
    num_envs: int = 1,
    gym_reset_return_info: Literal[True] | None = None,
    **options: Unpack[HopperStandOptions],
) -> EnvSpec:
    """HopperStand-v1, dm_control/hopper-stand, HopperHop-v1 and 1 more. Own options: task_name, suite_dir, frame_skip, n_sub_steps, frame_stack, time_limit, flat_observation, domain_keys, physics, visualize_reward, legacy_step, from_pixels, camera_name, camera_lookat, camera_distance, camera_azimuth, camera_elevation, camera_orthographic, max_geom, visual_options, render_shadows, render_shadow_size, render_reflections, render_skybox, render_haze, render_textures, render_multisamples, width, height, camera_id."""

@overload
def make_spec(
    task_id: HumanoidStandTask,
    *,
    num_envs: int = 1,
    gym_reset_return_info: Literal[True] | None = None,
    **options: Unpack[HumanoidStandOptions],
) -> EnvSpec:
    """HumanoidStand-v1, dm_control/humanoid-stand, HumanoidWalk-v1 and 5 more. Own options: task_name, suite_dir, frame_skip, n_sub_steps, frame_stack, time_limit, flat_observation, domain_keys, physics, visualize_reward, legacy_step, from_pixels, camera_name, camera_lookat, camera_distance, camera_azimuth, camera_elevation, camera_orthographic, max_geom, visual_options, render_shadows, render_shadow_size, render_reflections, render_skybox, render_haze, render_textures, render_multisamples, width, height, camera_id."""

@overload
def make_spec(
    task_id: HumanoidCMUStandTask,
    *,
    num_envs: int = 1,
    gym_reset_return_info: Literal[True] | None = None,
    **options: Unpack[HumanoidCMUStandOptions],
) -> EnvSpec:
    """HumanoidCMUStand-v1, dm_control/humanoid_CMU-stand, HumanoidCMUWalk-v1 and 9 more. Own options: task_name, suite_dir, frame_skip, n_sub_steps, frame_stack, time_limit, flat_observation, domain_keys, physics, visualize_reward, legacy_step, from_pixels, camera_name, camera_lookat, camera_distance, camera_azimuth, camera_elevation, camera_orthographic, max_geom, visual_options, render_shadows, render_shadow_size, render_reflections, render_skybox, render_haze, render_textures, render_multisamples, width, height, camera_id."""

@overload
def make_spec(
    task_id: LqrLqr21Task,
    *,
    num_envs: int = 1,
    gym_reset_return_info: Literal[True] | None = None,
    **options: Unpack[LqrLqr21Options],
) -> EnvSpec:
    """LqrLqr21-v1, dm_control/lqr-lqr_2_1, LqrLqr62-v1 and 1 more. Own options: task_name, suite_dir, frame_skip, n_sub_steps, frame_stack, time_limit, flat_observation, domain_keys, physics, visualize_reward, legacy_step, from_pixels, camera_name, camera_lookat, camera_distance, camera_azimuth, camera_elevation, camera_orthographic, max_geom, visual_options, render_shadows, render_shadow_size, render_reflections, render_skybox, render_haze, render_textures, render_multisamples, width, height, camera_id."""

@overload
def make_spec(
    task_id: ManipulatorBringBallTask,
    *,
    num_envs: int = 1,
    gym_reset_return_info: Literal[True] | None = None,
    **options: Unpack[ManipulatorBringBallOptions],
) -> EnvSpec:
    """ManipulatorBringBall-v1, dm_control/manipulator-bring_ball, ManipulatorBringPeg-v1 and 5 more. Own options: task_name, suite_dir, frame_skip, n_sub_steps, frame_stack, time_limit, flat_observation, domain_keys, physics, visualize_reward, legacy_step, fully_observable, from_pixels, camera_name, camera_lookat, camera_distance, camera_azimuth, camera_elevation, camera_orthographic, max_geom, visual_options, render_shadows, render_shadow_size, render_reflections, render_skybox, render_haze, render_textures, render_multisamples, width, height, camera_id."""

@overload
def make_spec(
    task_id: PendulumSwingupTask,
    *,
    num_envs: int = 1,
    gym_reset_return_info: Literal[True] | None = None,
    **options: Unpack[PendulumSwingupOptions],
) -> EnvSpec:
    """PendulumSwingup-v1, dm_control/pendulum-swingup. Own options: task_name, suite_dir, frame_skip, n_sub_steps, frame_stack, time_limit, flat_observation, domain_keys, physics, visualize_reward, legacy_step, from_pixels, camera_name, camera_lookat, camera_distance, camera_azimuth, camera_elevation, camera_orthographic, max_geom, visual_options, render_shadows, render_shadow_size, render_reflections, render_skybox, render_haze, render_textures, render_multisamples, width, height, camera_id."""

@overload
def make_spec(
    task_id: PointMassEasyTask,
    *,
    num_envs: int = 1,
    gym_reset_return_info: Literal[True] | None = None,
    **options: Unpack[PointMassEasyOptions],
) -> EnvSpec:
    """PointMassEasy-v1, dm_control/point_mass-easy, PointMassHard-v1 and 5 more. Own options: task_name, suite_dir, frame_skip, n_sub_steps, frame_stack, time_limit, flat_observation, domain_keys, physics, visualize_reward, legacy_step, from_pixels, camera_name, camera_lookat, camera_distance, camera_azimuth, camera_elevation, camera_orthographic, max_geom, visual_options, render_shadows, render_shadow_size, render_reflections, render_skybox, render_haze, render_textures, render_multisamples, width, height, camera_id."""

@overload
def make_spec(
    task_id: QuadrupedWalkTask,
    *,
    num_envs: int = 1,
    gym_reset_return_info: Literal[True] | None = None,
    **options: Unpack[QuadrupedWalkOptions],
) -> EnvSpec:
    """QuadrupedWalk-v1, dm_control/quadruped-walk, QuadrupedRun-v1 and 5 more. Own options: task_name, suite_dir, frame_skip, n_sub_steps, frame_stack, time_limit, flat_observation, domain_keys, physics, visualize_reward, legacy_step, from_pixels, camera_name, camera_lookat, camera_distance, camera_azimuth, camera_elevation, camera_orthographic, max_geom, visual_options, render_shadows, render_shadow_size, render_reflections, render_skybox, render_haze, render_textures, render_multisamples, width, height, camera_id."""

@overload
def make_spec(
    task_id: StackerStack2Task,
    *,
    num_envs: int = 1,
    gym_reset_return_info: Literal[True] | None = None,
    **options: Unpack[StackerStack2Options],
) -> EnvSpec:
    """StackerStack2-v1, dm_control/stacker-stack_2, StackerStack4-v1 and 1 more. Own options: task_name, suite_dir, frame_skip, n_sub_steps, frame_stack, time_limit, flat_observation, domain_keys, physics, visualize_reward, legacy_step, fully_observable, from_pixels, camera_name, camera_lookat, camera_distance, camera_azimuth, camera_elevation, camera_orthographic, max_geom, visual_options, render_shadows, render_shadow_size, render_reflections, render_skybox, render_haze, render_textures, render_multisamples, width, height, camera_id."""

@overload
def make_spec(
    task_id: SwimmerSwimmer6Task,
    *,
    num_envs: int = 1,
    gym_reset_return_info: Literal[True] | None = None,
    **options: Unpack[SwimmerSwimmer6Options],
) -> EnvSpec:
    """SwimmerSwimmer6-v1, dm_control/swimmer-swimmer6, SwimmerSwimmer15-v1 and 1 more. Own options: task_name, suite_dir, frame_skip, n_sub_steps, frame_stack, time_limit, flat_observation, domain_keys, physics, visualize_reward, legacy_step, n_links, from_pixels, camera_name, camera_lookat, camera_distance, camera_azimuth, camera_elevation, camera_orthographic, max_geom, visual_options, render_shadows, render_shadow_size, render_reflections, render_skybox, render_haze, render_textures, render_multisamples, width, height, camera_id."""

@overload
def make_spec(
    task_id: EnvPoolVizdoomTask,
    *,
    num_envs: int = 1,
    gym_reset_return_info: Literal[True] | None = None,
    **options: Unpack[EnvPoolVizdoomOptions],
) -> EnvSpec:
    """D1Basic-v1, D2Navigation-v1, D3Battle-v1 and 18 more. Own options: scenario, img_height, img_width, stack_num, frame_skip, use_inter_area_resize, episodic_life, use_combined_action, force_speed, lmp_save_dir, reward_config, reward_metric, selected_weapon_reward_config, weapon_duration, delta_button_config, cfg_path, wad_path, iwad_path, vzd_path, game_args, map_id, assets_dir, vizdoom_dir, engine_timeout, restart, fast_palette_copy."""

@overload
def make_spec(
    task_id: VizdoomTask,
    *,
    num_envs: int = 1,
    gym_reset_return_info: Literal[True] | None = None,
    **options: Unpack[VizdoomOptions],
) -> EnvSpec:
    """VizdoomBasic-v1, VizdoomBasic-MultiBinary-v1, VizdoomBasicAudio-v1 and 701 more. Own options: scenario_config_file, frame_skip, max_buttons_pressed, treat_episode_timeout_as_truncation, use_multi_binary_action_space, vizdoom_dir, engine_timeout, restart, fast_palette_copy, available_buttons, available_game_variables, doom_game_path, doom_scenario_path, doom_config_path, vizdoom_path, doom_map, doom_skill, game_args, mode, ticrate, episode_start_time, episode_timeout, living_reward, death_penalty, death_reward, map_exit_reward, kill_reward, item_reward, secret_reward, frag_reward, hit_reward, hit_taken_reward, hit_taken_penalty, damage_made_reward, damage_taken_reward, damage_taken_penalty, health_reward, armor_reward, screen_resolution, screen_format, depth_buffer_enabled, labels_buffer_enabled, automap_buffer_enabled, audio_buffer_enabled, notifications_buffer_enabled, objects_info_enabled, sectors_info_enabled, automap_mode, automap_rotate, automap_render_textures, automap_render_objects_as_sprites, audio_sampling_rate, audio_buffer_size, notifications_buffer_size, render_hud, render_minimal_hud, render_weapon, render_crosshair, render_decals, render_particles, render_effects_sprites, render_messages, render_corpses, render_screen_flashes, render_all_frames, sound_enabled, console_enabled, window_visible."""

@overload
@deprecated("not all of these are options of this task: see `python -m envpool_rs info TASK`")
def make_spec(
    task_id: KnownTask, *, num_envs: int = 1, gym_reset_return_info: bool | None = None, **options: Unpack[AnyOptions]
) -> NoSuchOption: ...
@overload
def make_spec(
    task_id: TaskId,
    *,
    num_envs: int = 1,
    gym_reset_return_info: Literal[True] | None = None,
    **options: Unpack[AnyOptions],
) -> EnvSpec: ...
@overload
def make_vec(
    task_id: CartPoleTask,
    num_envs: int | None = None,
    vectorization_mode: Literal["native"] | None = None,
    vector_kwargs: Mapping[str, Any] | None = None,
    wrappers: None = None,
    **options: Unpack[CartPoleOptions],
) -> VectorEnv[Array]:
    """CartPole-v0, CartPole-v1. Own options: sutton_barto_reward."""

@overload
def make_vec(
    task_id: MountainCarTask,
    num_envs: int | None = None,
    vectorization_mode: Literal["native"] | None = None,
    vector_kwargs: Mapping[str, Any] | None = None,
    wrappers: None = None,
    **options: Unpack[MountainCarOptions],
) -> VectorEnv[Array]:
    """MountainCar-v0, MountainCarContinuous-v0. Own options: goal_velocity."""

@overload
def make_vec(
    task_id: PendulumTask,
    num_envs: int | None = None,
    vectorization_mode: Literal["native"] | None = None,
    vector_kwargs: Mapping[str, Any] | None = None,
    wrappers: None = None,
    **options: Unpack[PendulumOptions],
) -> VectorEnv[Array]:
    """Pendulum-v0, Pendulum-v1. Own options: g, version."""

@overload
def make_vec(
    task_id: AcrobotTask,
    num_envs: int | None = None,
    vectorization_mode: Literal["native"] | None = None,
    vector_kwargs: Mapping[str, Any] | None = None,
    wrappers: None = None,
    **options: Unpack[PoolOptions],
) -> VectorEnv[Array]:
    """Acrobot-v1. Own options: none."""

@overload
def make_vec(
    task_id: FrozenLakeTask,
    num_envs: int | None = None,
    vectorization_mode: Literal["native"] | None = None,
    vector_kwargs: Mapping[str, Any] | None = None,
    wrappers: None = None,
    **options: Unpack[FrozenLakeOptions],
) -> VectorEnv[Array]:
    """FrozenLake-v1, FrozenLake8x8-v1. Own options: desc, map_name, is_slippery, success_rate, reward_schedule, size."""

@overload
def make_vec(
    task_id: TaxiTask,
    num_envs: int | None = None,
    vectorization_mode: Literal["native"] | None = None,
    vector_kwargs: Mapping[str, Any] | None = None,
    wrappers: None = None,
    **options: Unpack[TaxiOptions],
) -> VectorEnv[Array]:
    """Taxi-v3. Own options: is_rainy, fickle_passenger."""

@overload
def make_vec(
    task_id: TaxiV4Task,
    num_envs: int | None = None,
    vectorization_mode: Literal["native"] | None = None,
    vector_kwargs: Mapping[str, Any] | None = None,
    wrappers: None = None,
    **options: Unpack[TaxiV4Options],
) -> VectorEnv[Array]:
    """Taxi-v4. Own options: is_rainy, fickle_passenger, rainy_probability, fickle_probability."""

@overload
def make_vec(
    task_id: CliffWalkingTask,
    num_envs: int | None = None,
    vectorization_mode: Literal["native"] | None = None,
    vector_kwargs: Mapping[str, Any] | None = None,
    wrappers: None = None,
    **options: Unpack[CliffWalkingOptions],
) -> VectorEnv[Array]:
    """CliffWalking-v0, CliffWalking-v1, CliffWalkingSlippery-v1. Own options: is_slippery."""

@overload
def make_vec(
    task_id: BlackjackTask,
    num_envs: int | None = None,
    vectorization_mode: Literal["native"] | None = None,
    vector_kwargs: Mapping[str, Any] | None = None,
    wrappers: None = None,
    **options: Unpack[BlackjackOptions],
) -> VectorEnv[tuple[Array, Array, Array]]:
    """Blackjack-v1. Own options: natural, sab."""

@overload
def make_vec(
    task_id: NChainTask,
    num_envs: int | None = None,
    vectorization_mode: Literal["native"] | None = None,
    vector_kwargs: Mapping[str, Any] | None = None,
    wrappers: None = None,
    **options: Unpack[NChainOptions],
) -> VectorEnv[Array]:
    """NChain-v0. Own options: n, slip, small, large."""

@overload
def make_vec(
    task_id: AtariTask,
    num_envs: int | None = None,
    vectorization_mode: Literal["native"] | None = None,
    vector_kwargs: Mapping[str, Any] | None = None,
    wrappers: None = None,
    **options: Unpack[AtariOptions],
) -> VectorEnv[Array]:
    """Adventure-v5, AirRaid-v5, Alien-v5 and 101 more. Own options: rom_dir, stack_num, frame_skip, noop_max, zero_discount_on_life_loss, episodic_life, reward_clip, use_fire_reset, img_height, img_width, task, mode, difficulty, full_action_space, repeat_action_probability, use_inter_area_resize, gray_scale, translate."""

@overload
def make_vec(
    task_id: AleAtariTask,
    num_envs: int | None = None,
    vectorization_mode: Literal["native"] | None = None,
    vector_kwargs: Mapping[str, Any] | None = None,
    wrappers: None = None,
    **options: Unpack[AleAtariOptions],
) -> VectorEnv[Array]:
    """ALE/Adventure-v5, ALE/AirRaid-v5, ALE/Alien-v5 and 101 more. Own options: rom_dir, game, mode, difficulty, obs_type, frameskip, repeat_action_probability, full_action_space, continuous, continuous_action_threshold, max_num_frames_per_episode, preprocessing, noop_max, frame_skip, screen_size, terminal_on_life_loss, grayscale_obs, grayscale_newaxis, scale_obs, stack_size, padding_type, translate."""

@overload
def make_vec(
    task_id: CatchTask,
    num_envs: int | None = None,
    vectorization_mode: Literal["native"] | None = None,
    vector_kwargs: Mapping[str, Any] | None = None,
    wrappers: None = None,
    **options: Unpack[CatchOptions],
) -> VectorEnv[Array]:
    """Catch-v0. Own options: rows, columns, height, width."""

@overload
def make_vec(
    task_id: SimpleSpreadTask,
    num_envs: int | None = None,
    vectorization_mode: Literal["native"] | None = None,
    vector_kwargs: Mapping[str, Any] | None = None,
    wrappers: None = None,
    **options: Unpack[SimpleSpreadOptions],
) -> VectorEnv[Array]:
    """SimpleSpread-v3. Own options: N, local_ratio, curriculum, terminate_on_success, num_agent_neighbors, num_landmark_neighbors, continuous_actions, benchmark_data, max_cycles, dynamic_rescaling."""

@overload
def make_vec(
    task_id: SimpleSpeakerListenerTask,
    num_envs: int | None = None,
    vectorization_mode: Literal["native"] | None = None,
    vector_kwargs: Mapping[str, Any] | None = None,
    wrappers: None = None,
    **options: Unpack[SimpleSpeakerListenerOptions],
) -> VectorEnv[dict[str, Array]]:
    """SimpleSpeakerListener-v4. Own options: continuous_actions, benchmark_data, max_cycles, dynamic_rescaling."""

@overload
def make_vec(
    task_id: MiniGridEmpty5x5Task,
    num_envs: int | None = None,
    vectorization_mode: Literal["native"] | None = None,
    vector_kwargs: Mapping[str, Any] | None = None,
    wrappers: None = None,
    **options: Unpack[MiniGridEmpty5x5Options],
) -> VectorEnv[dict[str, Array | tuple[str, ...]]]:
    """MiniGrid-Empty-5x5-v0, MiniGrid-Empty-Random-5x5-v0, MiniGrid-Empty-6x6-v0 and 3 more. Own options: env_name, size, agent_start_pos, agent_start_dir, agent_view_size, see_through_walls, obs, obs_tile_size, image_only, mission, highlight, max_steps, action_prob, random_action, no_death, death_cost, seeds, tile_size, agent_pov."""

@overload
def make_vec(
    task_id: MiniGridDoorKey5x5Task,
    num_envs: int | None = None,
    vectorization_mode: Literal["native"] | None = None,
    vector_kwargs: Mapping[str, Any] | None = None,
    wrappers: None = None,
    **options: Unpack[MiniGridDoorKey5x5Options],
) -> VectorEnv[dict[str, Array | tuple[str, ...]]]:
    """MiniGrid-DoorKey-5x5-v0, MiniGrid-DoorKey-6x6-v0, MiniGrid-DoorKey-8x8-v0 and 1 more. Own options: env_name, size, agent_view_size, see_through_walls, obs, obs_tile_size, image_only, mission, highlight, max_steps, action_prob, random_action, no_death, death_cost, seeds, tile_size, agent_pov."""

@overload
def make_vec(
    task_id: MiniGridLavaCrossingS9N1Task,
    num_envs: int | None = None,
    vectorization_mode: Literal["native"] | None = None,
    vector_kwargs: Mapping[str, Any] | None = None,
    wrappers: None = None,
    **options: Unpack[MiniGridLavaCrossingS9N1Options],
) -> VectorEnv[dict[str, Array | tuple[str, ...]]]:
    """MiniGrid-LavaCrossingS9N1-v0, MiniGrid-LavaCrossingS9N2-v0, MiniGrid-LavaCrossingS9N3-v0 and 5 more. Own options: env_name, size, num_crossings, obstacle_type, agent_view_size, see_through_walls, obs, obs_tile_size, image_only, mission, highlight, max_steps, action_prob, random_action, no_death, death_cost, seeds, tile_size, agent_pov."""

@overload
def make_vec(
    task_id: MiniGridDistShift1Task,
    num_envs: int | None = None,
    vectorization_mode: Literal["native"] | None = None,
    vector_kwargs: Mapping[str, Any] | None = None,
    wrappers: None = None,
    **options: Unpack[MiniGridDistShift1Options],
) -> VectorEnv[dict[str, Array | tuple[str, ...]]]:
    """MiniGrid-DistShift1-v0, MiniGrid-DistShift2-v0. Own options: env_name, width, height, strip2_row, agent_start_pos, agent_start_dir, agent_view_size, see_through_walls, obs, obs_tile_size, image_only, mission, highlight, max_steps, action_prob, random_action, no_death, death_cost, seeds, tile_size, agent_pov."""

@overload
def make_vec(
    task_id: MiniGridLavaGapS5Task,
    num_envs: int | None = None,
    vectorization_mode: Literal["native"] | None = None,
    vector_kwargs: Mapping[str, Any] | None = None,
    wrappers: None = None,
    **options: Unpack[MiniGridLavaGapS5Options],
) -> VectorEnv[dict[str, Array | tuple[str, ...]]]:
    """MiniGrid-LavaGapS5-v0, MiniGrid-LavaGapS6-v0, MiniGrid-LavaGapS7-v0. Own options: env_name, size, obstacle_type, agent_view_size, see_through_walls, obs, obs_tile_size, image_only, mission, highlight, max_steps, action_prob, random_action, no_death, death_cost, seeds, tile_size, agent_pov."""

@overload
def make_vec(
    task_id: MiniGridDynamicObstacles5x5Task,
    num_envs: int | None = None,
    vectorization_mode: Literal["native"] | None = None,
    vector_kwargs: Mapping[str, Any] | None = None,
    wrappers: None = None,
    **options: Unpack[MiniGridDynamicObstacles5x5Options],
) -> VectorEnv[dict[str, Array | tuple[str, ...]]]:
    """MiniGrid-Dynamic-Obstacles-5x5-v0, MiniGrid-Dynamic-Obstacles-Random-5x5-v0, MiniGrid-Dynamic-Obstacles-6x6-v0 and 3 more. Own options: env_name, size, n_obstacles, agent_start_pos, agent_start_dir, agent_view_size, see_through_walls, obs, obs_tile_size, image_only, mission, highlight, max_steps, action_prob, random_action, no_death, death_cost, seeds, tile_size, agent_pov."""

@overload
def make_vec(
    task_id: MiniGridFetch5x5N2Task,
    num_envs: int | None = None,
    vectorization_mode: Literal["native"] | None = None,
    vector_kwargs: Mapping[str, Any] | None = None,
    wrappers: None = None,
    **options: Unpack[MiniGridFetch5x5N2Options],
) -> VectorEnv[dict[str, Array | tuple[str, ...]]]:
    """MiniGrid-Fetch-5x5-N2-v0, MiniGrid-Fetch-6x6-N2-v0, MiniGrid-Fetch-8x8-N3-v0. Own options: env_name, size, numObjs, num_objs, agent_view_size, see_through_walls, obs, obs_tile_size, image_only, mission, highlight, max_steps, action_prob, random_action, no_death, death_cost, seeds, tile_size, agent_pov."""

@overload
def make_vec(
    task_id: MiniGridFourRoomsTask,
    num_envs: int | None = None,
    vectorization_mode: Literal["native"] | None = None,
    vector_kwargs: Mapping[str, Any] | None = None,
    wrappers: None = None,
    **options: Unpack[MiniGridFourRoomsOptions],
) -> VectorEnv[dict[str, Array | tuple[str, ...]]]:
    """MiniGrid-FourRooms-v0. Own options: env_name, agent_pos, goal_pos, agent_view_size, see_through_walls, obs, obs_tile_size, image_only, mission, highlight, max_steps, action_prob, random_action, no_death, death_cost, seeds, tile_size, agent_pov."""

@overload
def make_vec(
    task_id: MiniGridGoToDoor5x5Task,
    num_envs: int | None = None,
    vectorization_mode: Literal["native"] | None = None,
    vector_kwargs: Mapping[str, Any] | None = None,
    wrappers: None = None,
    **options: Unpack[MiniGridGoToDoor5x5Options],
) -> VectorEnv[dict[str, Array | tuple[str, ...]]]:
    """MiniGrid-GoToDoor-5x5-v0, MiniGrid-GoToDoor-6x6-v0, MiniGrid-GoToDoor-8x8-v0. Own options: env_name, size, agent_view_size, see_through_walls, obs, obs_tile_size, image_only, mission, highlight, max_steps, action_prob, random_action, no_death, death_cost, seeds, tile_size, agent_pov."""

@overload
def make_vec(
    task_id: MiniGridGoToObject6x6N2Task,
    num_envs: int | None = None,
    vectorization_mode: Literal["native"] | None = None,
    vector_kwargs: Mapping[str, Any] | None = None,
    wrappers: None = None,
    **options: Unpack[MiniGridGoToObject6x6N2Options],
) -> VectorEnv[dict[str, Array | tuple[str, ...]]]:
    """MiniGrid-GoToObject-6x6-N2-v0, MiniGrid-GoToObject-8x8-N2-v0. Own options: env_name, size, numObjs, num_objs, agent_view_size, see_through_walls, obs, obs_tile_size, image_only, mission, highlight, max_steps, action_prob, random_action, no_death, death_cost, seeds, tile_size, agent_pov."""

@overload
def make_vec(
    task_id: MiniGridKeyCorridorS3R1Task,
    num_envs: int | None = None,
    vectorization_mode: Literal["native"] | None = None,
    vector_kwargs: Mapping[str, Any] | None = None,
    wrappers: None = None,
    **options: Unpack[MiniGridKeyCorridorS3R1Options],
) -> VectorEnv[dict[str, Array | tuple[str, ...]]]:
    """MiniGrid-KeyCorridorS3R1-v0, MiniGrid-KeyCorridorS3R2-v0, MiniGrid-KeyCorridorS3R3-v0 and 3 more. Own options: env_name, num_rows, room_size, obj_type, agent_view_size, see_through_walls, obs, obs_tile_size, image_only, mission, highlight, max_steps, action_prob, random_action, no_death, death_cost, seeds, tile_size, agent_pov."""

@overload
def make_vec(
    task_id: MiniGridLockedRoomTask,
    num_envs: int | None = None,
    vectorization_mode: Literal["native"] | None = None,
    vector_kwargs: Mapping[str, Any] | None = None,
    wrappers: None = None,
    **options: Unpack[MiniGridLockedRoomOptions],
) -> VectorEnv[dict[str, Array | tuple[str, ...]]]:
    """MiniGrid-LockedRoom-v0. Own options: env_name, size, agent_view_size, see_through_walls, obs, obs_tile_size, image_only, mission, highlight, max_steps, action_prob, random_action, no_death, death_cost, seeds, tile_size, agent_pov."""

@overload
def make_vec(
    task_id: MiniGridMemoryS17RandomTask,
    num_envs: int | None = None,
    vectorization_mode: Literal["native"] | None = None,
    vector_kwargs: Mapping[str, Any] | None = None,
    wrappers: None = None,
    **options: Unpack[MiniGridMemoryS17RandomOptions],
) -> VectorEnv[dict[str, Array | tuple[str, ...]]]:
    """MiniGrid-MemoryS17Random-v0, MiniGrid-MemoryS13Random-v0, MiniGrid-MemoryS13-v0 and 3 more. Own options: env_name, size, random_length, agent_view_size, see_through_walls, obs, obs_tile_size, image_only, mission, highlight, max_steps, action_prob, random_action, no_death, death_cost, seeds, tile_size, agent_pov."""

@overload
def make_vec(
    task_id: MiniGridMultiRoomN2S4Task,
    num_envs: int | None = None,
    vectorization_mode: Literal["native"] | None = None,
    vector_kwargs: Mapping[str, Any] | None = None,
    wrappers: None = None,
    **options: Unpack[MiniGridMultiRoomN2S4Options],
) -> VectorEnv[dict[str, Array | tuple[str, ...]]]:
    """MiniGrid-MultiRoom-N2-S4-v0, MiniGrid-MultiRoom-N4-S5-v0, MiniGrid-MultiRoom-N4-S5-v1 and 1 more. Own options: env_name, minNumRooms, min_num_rooms, maxNumRooms, max_num_rooms, maxRoomSize, max_room_size, width, height, agent_view_size, see_through_walls, obs, obs_tile_size, image_only, mission, highlight, max_steps, action_prob, random_action, no_death, death_cost, seeds, tile_size, agent_pov."""

@overload
def make_vec(
    task_id: MiniGridObstructedMaze1DlTask,
    num_envs: int | None = None,
    vectorization_mode: Literal["native"] | None = None,
    vector_kwargs: Mapping[str, Any] | None = None,
    wrappers: None = None,
    **options: Unpack[MiniGridObstructedMaze1DlOptions],
) -> VectorEnv[dict[str, Array | tuple[str, ...]]]:
    """MiniGrid-ObstructedMaze-1Dl-v0, MiniGrid-ObstructedMaze-1Dlh-v0, MiniGrid-ObstructedMaze-1Dlhb-v0. Own options: env_name, key_in_box, blocked, agent_view_size, see_through_walls, obs, obs_tile_size, image_only, mission, highlight, max_steps, action_prob, random_action, no_death, death_cost, seeds, tile_size, agent_pov."""

@overload
def make_vec(
    task_id: MiniGridObstructedMaze2DlTask,
    num_envs: int | None = None,
    vectorization_mode: Literal["native"] | None = None,
    vector_kwargs: Mapping[str, Any] | None = None,
    wrappers: None = None,
    **options: Unpack[MiniGridObstructedMaze2DlOptions],
) -> VectorEnv[dict[str, Array | tuple[str, ...]]]:
    """MiniGrid-ObstructedMaze-2Dl-v0, MiniGrid-ObstructedMaze-2Dlh-v0, MiniGrid-ObstructedMaze-2Dlhb-v0 and 3 more. Own options: env_name, agent_room, key_in_box, blocked, num_quarters, num_rooms_visited, agent_view_size, see_through_walls, obs, obs_tile_size, image_only, mission, highlight, max_steps, action_prob, random_action, no_death, death_cost, seeds, tile_size, agent_pov."""

@overload
def make_vec(
    task_id: MiniGridObstructedMaze2DlhbTask,
    num_envs: int | None = None,
    vectorization_mode: Literal["native"] | None = None,
    vector_kwargs: Mapping[str, Any] | None = None,
    wrappers: None = None,
    **options: Unpack[MiniGridObstructedMaze2DlhbOptions],
) -> VectorEnv[dict[str, Array | tuple[str, ...]]]:
    """MiniGrid-ObstructedMaze-2Dlhb-v1, MiniGrid-ObstructedMaze-1Q-v1, MiniGrid-ObstructedMaze-2Q-v1 and 1 more. Own options: env_name, agent_room, key_in_box, blocked, num_quarters, num_rooms_visited, agent_view_size, see_through_walls, obs, obs_tile_size, image_only, mission, highlight, max_steps, action_prob, random_action, no_death, death_cost, seeds, tile_size, agent_pov."""

@overload
def make_vec(
    task_id: MiniGridPlaygroundTask,
    num_envs: int | None = None,
    vectorization_mode: Literal["native"] | None = None,
    vector_kwargs: Mapping[str, Any] | None = None,
    wrappers: None = None,
    **options: Unpack[MiniGridPlaygroundOptions],
) -> VectorEnv[dict[str, Array | tuple[str, ...]]]:
    """MiniGrid-Playground-v0. Own options: env_name, agent_view_size, see_through_walls, obs, obs_tile_size, image_only, mission, highlight, max_steps, action_prob, random_action, no_death, death_cost, seeds, tile_size, agent_pov."""

@overload
def make_vec(
    task_id: MiniGridPutNear6x6N2Task,
    num_envs: int | None = None,
    vectorization_mode: Literal["native"] | None = None,
    vector_kwargs: Mapping[str, Any] | None = None,
    wrappers: None = None,
    **options: Unpack[MiniGridPutNear6x6N2Options],
) -> VectorEnv[dict[str, Array | tuple[str, ...]]]:
    """MiniGrid-PutNear-6x6-N2-v0, MiniGrid-PutNear-8x8-N3-v0. Own options: env_name, size, numObjs, num_objs, agent_view_size, see_through_walls, obs, obs_tile_size, image_only, mission, highlight, max_steps, action_prob, random_action, no_death, death_cost, seeds, tile_size, agent_pov."""

@overload
def make_vec(
    task_id: MiniGridRedBlueDoors6x6Task,
    num_envs: int | None = None,
    vectorization_mode: Literal["native"] | None = None,
    vector_kwargs: Mapping[str, Any] | None = None,
    wrappers: None = None,
    **options: Unpack[MiniGridRedBlueDoors6x6Options],
) -> VectorEnv[dict[str, Array | tuple[str, ...]]]:
    """MiniGrid-RedBlueDoors-6x6-v0, MiniGrid-RedBlueDoors-8x8-v0. Own options: env_name, size, agent_view_size, see_through_walls, obs, obs_tile_size, image_only, mission, highlight, max_steps, action_prob, random_action, no_death, death_cost, seeds, tile_size, agent_pov."""

@overload
def make_vec(
    task_id: MiniGridUnlockTask,
    num_envs: int | None = None,
    vectorization_mode: Literal["native"] | None = None,
    vector_kwargs: Mapping[str, Any] | None = None,
    wrappers: None = None,
    **options: Unpack[MiniGridUnlockOptions],
) -> VectorEnv[dict[str, Array | tuple[str, ...]]]:
    """MiniGrid-Unlock-v0. Own options: env_name, agent_view_size, see_through_walls, obs, obs_tile_size, image_only, mission, highlight, max_steps, action_prob, random_action, no_death, death_cost, seeds, tile_size, agent_pov."""

@overload
def make_vec(
    task_id: MiniGridUnlockPickupTask,
    num_envs: int | None = None,
    vectorization_mode: Literal["native"] | None = None,
    vector_kwargs: Mapping[str, Any] | None = None,
    wrappers: None = None,
    **options: Unpack[MiniGridUnlockPickupOptions],
) -> VectorEnv[dict[str, Array | tuple[str, ...]]]:
    """MiniGrid-UnlockPickup-v0. Own options: env_name, agent_view_size, see_through_walls, obs, obs_tile_size, image_only, mission, highlight, max_steps, action_prob, random_action, no_death, death_cost, seeds, tile_size, agent_pov."""

@overload
def make_vec(
    task_id: MiniGridBlockedUnlockPickupTask,
    num_envs: int | None = None,
    vectorization_mode: Literal["native"] | None = None,
    vector_kwargs: Mapping[str, Any] | None = None,
    wrappers: None = None,
    **options: Unpack[MiniGridBlockedUnlockPickupOptions],
) -> VectorEnv[dict[str, Array | tuple[str, ...]]]:
    """MiniGrid-BlockedUnlockPickup-v0. Own options: env_name, agent_view_size, see_through_walls, obs, obs_tile_size, image_only, mission, highlight, max_steps, action_prob, random_action, no_death, death_cost, seeds, tile_size, agent_pov."""

@overload
def make_vec(
    task_id: MiniGridWFCMazeSimpleTask,
    num_envs: int | None = None,
    vectorization_mode: Literal["native"] | None = None,
    vector_kwargs: Mapping[str, Any] | None = None,
    wrappers: None = None,
    **options: Unpack[MiniGridWFCMazeSimpleOptions],
) -> VectorEnv[dict[str, Array | tuple[str, ...]]]:
    """MiniGrid-WFC-MazeSimple-v0, MiniGrid-WFC-DungeonMazeScaled-v0, MiniGrid-WFC-RoomsFabric-v0 and 3 more. Own options: env_name, wfc_config, wfc_preset, size, ensure_connected, agent_view_size, see_through_walls, obs, obs_tile_size, image_only, mission, highlight, max_steps, action_prob, random_action, no_death, death_cost, seeds, tile_size, agent_pov."""

@overload
def make_vec(
    task_id: BabyAIGoToRedBallGreyTask,
    num_envs: int | None = None,
    vectorization_mode: Literal["native"] | None = None,
    vector_kwargs: Mapping[str, Any] | None = None,
    wrappers: None = None,
    **options: Unpack[BabyAIGoToRedBallGreyOptions],
) -> VectorEnv[dict[str, Array | tuple[str, ...]]]:
    """BabyAI-GoToRedBallGrey-v0. Own options: env_name, room_size, num_dists, agent_view_size, see_through_walls, obs, obs_tile_size, image_only, mission, highlight, max_steps, action_prob, random_action, no_death, death_cost, seeds, tile_size, agent_pov."""

@overload
def make_vec(
    task_id: BabyAIGoToRedBallTask,
    num_envs: int | None = None,
    vectorization_mode: Literal["native"] | None = None,
    vector_kwargs: Mapping[str, Any] | None = None,
    wrappers: None = None,
    **options: Unpack[BabyAIGoToRedBallOptions],
) -> VectorEnv[dict[str, Array | tuple[str, ...]]]:
    """BabyAI-GoToRedBall-v0. Own options: env_name, room_size, num_dists, agent_view_size, see_through_walls, obs, obs_tile_size, image_only, mission, highlight, max_steps, action_prob, random_action, no_death, death_cost, seeds, tile_size, agent_pov."""

@overload
def make_vec(
    task_id: BabyAIGoToObjTask,
    num_envs: int | None = None,
    vectorization_mode: Literal["native"] | None = None,
    vector_kwargs: Mapping[str, Any] | None = None,
    wrappers: None = None,
    **options: Unpack[BabyAIGoToObjOptions],
) -> VectorEnv[dict[str, Array | tuple[str, ...]]]:
    """BabyAI-GoToObj-v0, BabyAI-GoToObjS4-v0, BabyAI-GoToObjS6-v1. Own options: env_name, room_size, agent_view_size, see_through_walls, obs, obs_tile_size, image_only, mission, highlight, max_steps, action_prob, random_action, no_death, death_cost, seeds, tile_size, agent_pov."""

@overload
def make_vec(
    task_id: BabyAIGoToLocalTask,
    num_envs: int | None = None,
    vectorization_mode: Literal["native"] | None = None,
    vector_kwargs: Mapping[str, Any] | None = None,
    wrappers: None = None,
    **options: Unpack[BabyAIGoToLocalOptions],
) -> VectorEnv[dict[str, Array | tuple[str, ...]]]:
    """BabyAI-GoToLocal-v0, BabyAI-GoToLocalS5N2-v0, BabyAI-GoToLocalS6N2-v0 and 10 more. Own options: env_name, room_size, num_dists, agent_view_size, see_through_walls, obs, obs_tile_size, image_only, mission, highlight, max_steps, action_prob, random_action, no_death, death_cost, seeds, tile_size, agent_pov."""

@overload
def make_vec(
    task_id: BabyAIGoToTask,
    num_envs: int | None = None,
    vectorization_mode: Literal["native"] | None = None,
    vector_kwargs: Mapping[str, Any] | None = None,
    wrappers: None = None,
    **options: Unpack[BabyAIGoToOptions],
) -> VectorEnv[dict[str, Array | tuple[str, ...]]]:
    """BabyAI-GoTo-v0, BabyAI-GoToOpen-v0, BabyAI-GoToObjMaze-v0 and 6 more. Own options: env_name, room_size, num_rows, num_cols, num_dists, doors_open, agent_view_size, see_through_walls, obs, obs_tile_size, image_only, mission, highlight, max_steps, action_prob, random_action, no_death, death_cost, seeds, tile_size, agent_pov."""

@overload
def make_vec(
    task_id: BabyAIGoToImpUnlockTask,
    num_envs: int | None = None,
    vectorization_mode: Literal["native"] | None = None,
    vector_kwargs: Mapping[str, Any] | None = None,
    wrappers: None = None,
    **options: Unpack[BabyAIGoToImpUnlockOptions],
) -> VectorEnv[dict[str, Array | tuple[str, ...]]]:
    """BabyAI-GoToImpUnlock-v0. Own options: env_name, room_size, num_rows, num_cols, agent_view_size, see_through_walls, obs, obs_tile_size, image_only, mission, highlight, max_steps, action_prob, random_action, no_death, death_cost, seeds, tile_size, agent_pov."""

@overload
def make_vec(
    task_id: BabyAIGoToRedBlueBallTask,
    num_envs: int | None = None,
    vectorization_mode: Literal["native"] | None = None,
    vector_kwargs: Mapping[str, Any] | None = None,
    wrappers: None = None,
    **options: Unpack[BabyAIGoToRedBlueBallOptions],
) -> VectorEnv[dict[str, Array | tuple[str, ...]]]:
    """BabyAI-GoToRedBlueBall-v0. Own options: env_name, room_size, num_dists, agent_view_size, see_through_walls, obs, obs_tile_size, image_only, mission, highlight, max_steps, action_prob, random_action, no_death, death_cost, seeds, tile_size, agent_pov."""

@overload
def make_vec(
    task_id: BabyAIGoToDoorTask,
    num_envs: int | None = None,
    vectorization_mode: Literal["native"] | None = None,
    vector_kwargs: Mapping[str, Any] | None = None,
    wrappers: None = None,
    **options: Unpack[BabyAIGoToDoorOptions],
) -> VectorEnv[dict[str, Array | tuple[str, ...]]]:
    """BabyAI-GoToDoor-v0. Own options: env_name, agent_view_size, see_through_walls, obs, obs_tile_size, image_only, mission, highlight, max_steps, action_prob, random_action, no_death, death_cost, seeds, tile_size, agent_pov."""

@overload
def make_vec(
    task_id: BabyAIGoToObjDoorTask,
    num_envs: int | None = None,
    vectorization_mode: Literal["native"] | None = None,
    vector_kwargs: Mapping[str, Any] | None = None,
    wrappers: None = None,
    **options: Unpack[BabyAIGoToObjDoorOptions],
) -> VectorEnv[dict[str, Array | tuple[str, ...]]]:
    """BabyAI-GoToObjDoor-v0. Own options: env_name, agent_view_size, see_through_walls, obs, obs_tile_size, image_only, mission, highlight, max_steps, action_prob, random_action, no_death, death_cost, seeds, tile_size, agent_pov."""

@overload
def make_vec(
    task_id: BabyAIGoToRedBallNoDistsTask,
    num_envs: int | None = None,
    vectorization_mode: Literal["native"] | None = None,
    vector_kwargs: Mapping[str, Any] | None = None,
    wrappers: None = None,
    **options: Unpack[BabyAIGoToRedBallNoDistsOptions],
) -> VectorEnv[dict[str, Array | tuple[str, ...]]]:
    """BabyAI-GoToRedBallNoDists-v0. Own options: env_name, agent_view_size, see_through_walls, obs, obs_tile_size, image_only, mission, highlight, max_steps, action_prob, random_action, no_death, death_cost, seeds, tile_size, agent_pov."""

@overload
def make_vec(
    task_id: BabyAIOpenTask,
    num_envs: int | None = None,
    vectorization_mode: Literal["native"] | None = None,
    vector_kwargs: Mapping[str, Any] | None = None,
    wrappers: None = None,
    **options: Unpack[BabyAIOpenOptions],
) -> VectorEnv[dict[str, Array | tuple[str, ...]]]:
    """BabyAI-Open-v0. Own options: env_name, room_size, num_rows, num_cols, agent_view_size, see_through_walls, obs, obs_tile_size, image_only, mission, highlight, max_steps, action_prob, random_action, no_death, death_cost, seeds, tile_size, agent_pov."""

@overload
def make_vec(
    task_id: BabyAIOpenRedDoorTask,
    num_envs: int | None = None,
    vectorization_mode: Literal["native"] | None = None,
    vector_kwargs: Mapping[str, Any] | None = None,
    wrappers: None = None,
    **options: Unpack[BabyAIOpenRedDoorOptions],
) -> VectorEnv[dict[str, Array | tuple[str, ...]]]:
    """BabyAI-OpenRedDoor-v0. Own options: env_name, agent_view_size, see_through_walls, obs, obs_tile_size, image_only, mission, highlight, max_steps, action_prob, random_action, no_death, death_cost, seeds, tile_size, agent_pov."""

@overload
def make_vec(
    task_id: BabyAIOpenDoorTask,
    num_envs: int | None = None,
    vectorization_mode: Literal["native"] | None = None,
    vector_kwargs: Mapping[str, Any] | None = None,
    wrappers: None = None,
    **options: Unpack[BabyAIOpenDoorOptions],
) -> VectorEnv[dict[str, Array | tuple[str, ...]]]:
    """BabyAI-OpenDoor-v0, BabyAI-OpenDoorDebug-v0, BabyAI-OpenDoorColor-v0 and 1 more. Own options: env_name, debug, select_by, agent_view_size, see_through_walls, obs, obs_tile_size, image_only, mission, highlight, max_steps, action_prob, random_action, no_death, death_cost, seeds, tile_size, agent_pov."""

@overload
def make_vec(
    task_id: BabyAIOpenTwoDoorsTask,
    num_envs: int | None = None,
    vectorization_mode: Literal["native"] | None = None,
    vector_kwargs: Mapping[str, Any] | None = None,
    wrappers: None = None,
    **options: Unpack[BabyAIOpenTwoDoorsOptions],
) -> VectorEnv[dict[str, Array | tuple[str, ...]]]:
    """BabyAI-OpenTwoDoors-v0, BabyAI-OpenRedBlueDoors-v0, BabyAI-OpenRedBlueDoorsDebug-v0. Own options: env_name, first_color, second_color, strict, agent_view_size, see_through_walls, obs, obs_tile_size, image_only, mission, highlight, max_steps, action_prob, random_action, no_death, death_cost, seeds, tile_size, agent_pov."""

@overload
def make_vec(
    task_id: BabyAIOpenDoorsOrderN2Task,
    num_envs: int | None = None,
    vectorization_mode: Literal["native"] | None = None,
    vector_kwargs: Mapping[str, Any] | None = None,
    wrappers: None = None,
    **options: Unpack[BabyAIOpenDoorsOrderN2Options],
) -> VectorEnv[dict[str, Array | tuple[str, ...]]]:
    """BabyAI-OpenDoorsOrderN2-v0, BabyAI-OpenDoorsOrderN4-v0, BabyAI-OpenDoorsOrderN2Debug-v0 and 1 more. Own options: env_name, num_doors, debug, agent_view_size, see_through_walls, obs, obs_tile_size, image_only, mission, highlight, max_steps, action_prob, random_action, no_death, death_cost, seeds, tile_size, agent_pov."""

@overload
def make_vec(
    task_id: BabyAIPickupTask,
    num_envs: int | None = None,
    vectorization_mode: Literal["native"] | None = None,
    vector_kwargs: Mapping[str, Any] | None = None,
    wrappers: None = None,
    **options: Unpack[BabyAIPickupOptions],
) -> VectorEnv[dict[str, Array | tuple[str, ...]]]:
    """BabyAI-Pickup-v0. Own options: env_name, room_size, num_rows, num_cols, agent_view_size, see_through_walls, obs, obs_tile_size, image_only, mission, highlight, max_steps, action_prob, random_action, no_death, death_cost, seeds, tile_size, agent_pov."""

@overload
def make_vec(
    task_id: BabyAIUnblockPickupTask,
    num_envs: int | None = None,
    vectorization_mode: Literal["native"] | None = None,
    vector_kwargs: Mapping[str, Any] | None = None,
    wrappers: None = None,
    **options: Unpack[BabyAIUnblockPickupOptions],
) -> VectorEnv[dict[str, Array | tuple[str, ...]]]:
    """BabyAI-UnblockPickup-v0. Own options: env_name, room_size, num_rows, num_cols, agent_view_size, see_through_walls, obs, obs_tile_size, image_only, mission, highlight, max_steps, action_prob, random_action, no_death, death_cost, seeds, tile_size, agent_pov."""

@overload
def make_vec(
    task_id: BabyAIPickupDistTask,
    num_envs: int | None = None,
    vectorization_mode: Literal["native"] | None = None,
    vector_kwargs: Mapping[str, Any] | None = None,
    wrappers: None = None,
    **options: Unpack[BabyAIPickupDistOptions],
) -> VectorEnv[dict[str, Array | tuple[str, ...]]]:
    """BabyAI-PickupDist-v0, BabyAI-PickupDistDebug-v0. Own options: env_name, debug, agent_view_size, see_through_walls, obs, obs_tile_size, image_only, mission, highlight, max_steps, action_prob, random_action, no_death, death_cost, seeds, tile_size, agent_pov."""

@overload
def make_vec(
    task_id: BabyAIPickupAboveTask,
    num_envs: int | None = None,
    vectorization_mode: Literal["native"] | None = None,
    vector_kwargs: Mapping[str, Any] | None = None,
    wrappers: None = None,
    **options: Unpack[BabyAIPickupAboveOptions],
) -> VectorEnv[dict[str, Array | tuple[str, ...]]]:
    """BabyAI-PickupAbove-v0. Own options: env_name, agent_view_size, see_through_walls, obs, obs_tile_size, image_only, mission, highlight, max_steps, action_prob, random_action, no_death, death_cost, seeds, tile_size, agent_pov."""

@overload
def make_vec(
    task_id: BabyAIPutNextLocalTask,
    num_envs: int | None = None,
    vectorization_mode: Literal["native"] | None = None,
    vector_kwargs: Mapping[str, Any] | None = None,
    wrappers: None = None,
    **options: Unpack[BabyAIPutNextLocalOptions],
) -> VectorEnv[dict[str, Array | tuple[str, ...]]]:
    """BabyAI-PutNextLocal-v0, BabyAI-PutNextLocalS5N3-v0, BabyAI-PutNextLocalS6N4-v0. Own options: env_name, room_size, num_objs, agent_view_size, see_through_walls, obs, obs_tile_size, image_only, mission, highlight, max_steps, action_prob, random_action, no_death, death_cost, seeds, tile_size, agent_pov."""

@overload
def make_vec(
    task_id: BabyAIPutNextS4N1Task,
    num_envs: int | None = None,
    vectorization_mode: Literal["native"] | None = None,
    vector_kwargs: Mapping[str, Any] | None = None,
    wrappers: None = None,
    **options: Unpack[BabyAIPutNextS4N1Options],
) -> VectorEnv[dict[str, Array | tuple[str, ...]]]:
    """BabyAI-PutNextS4N1-v0, BabyAI-PutNextS5N2-v0, BabyAI-PutNextS5N1-v0 and 5 more. Own options: env_name, room_size, objs_per_room, start_carrying, agent_view_size, see_through_walls, obs, obs_tile_size, image_only, mission, highlight, max_steps, action_prob, random_action, no_death, death_cost, seeds, tile_size, agent_pov."""

@overload
def make_vec(
    task_id: BabyAIMoveTwoAcrossS5N2Task,
    num_envs: int | None = None,
    vectorization_mode: Literal["native"] | None = None,
    vector_kwargs: Mapping[str, Any] | None = None,
    wrappers: None = None,
    **options: Unpack[BabyAIMoveTwoAcrossS5N2Options],
) -> VectorEnv[dict[str, Array | tuple[str, ...]]]:
    """BabyAI-MoveTwoAcrossS5N2-v0, BabyAI-MoveTwoAcrossS8N9-v0. Own options: env_name, room_size, objs_per_room, agent_view_size, see_through_walls, obs, obs_tile_size, image_only, mission, highlight, max_steps, action_prob, random_action, no_death, death_cost, seeds, tile_size, agent_pov."""

@overload
def make_vec(
    task_id: BabyAIUnlockTask,
    num_envs: int | None = None,
    vectorization_mode: Literal["native"] | None = None,
    vector_kwargs: Mapping[str, Any] | None = None,
    wrappers: None = None,
    **options: Unpack[BabyAIUnlockOptions],
) -> VectorEnv[dict[str, Array | tuple[str, ...]]]:
    """BabyAI-Unlock-v0. Own options: env_name, room_size, num_rows, num_cols, agent_view_size, see_through_walls, obs, obs_tile_size, image_only, mission, highlight, max_steps, action_prob, random_action, no_death, death_cost, seeds, tile_size, agent_pov."""

@overload
def make_vec(
    task_id: BabyAIUnlockLocalTask,
    num_envs: int | None = None,
    vectorization_mode: Literal["native"] | None = None,
    vector_kwargs: Mapping[str, Any] | None = None,
    wrappers: None = None,
    **options: Unpack[BabyAIUnlockLocalOptions],
) -> VectorEnv[dict[str, Array | tuple[str, ...]]]:
    """BabyAI-UnlockLocal-v0, BabyAI-UnlockLocalDist-v0. Own options: env_name, distractors, agent_view_size, see_through_walls, obs, obs_tile_size, image_only, mission, highlight, max_steps, action_prob, random_action, no_death, death_cost, seeds, tile_size, agent_pov."""

@overload
def make_vec(
    task_id: BabyAIKeyInBoxTask,
    num_envs: int | None = None,
    vectorization_mode: Literal["native"] | None = None,
    vector_kwargs: Mapping[str, Any] | None = None,
    wrappers: None = None,
    **options: Unpack[BabyAIKeyInBoxOptions],
) -> VectorEnv[dict[str, Array | tuple[str, ...]]]:
    """BabyAI-KeyInBox-v0. Own options: env_name, agent_view_size, see_through_walls, obs, obs_tile_size, image_only, mission, highlight, max_steps, action_prob, random_action, no_death, death_cost, seeds, tile_size, agent_pov."""

@overload
def make_vec(
    task_id: BabyAIUnlockPickupTask,
    num_envs: int | None = None,
    vectorization_mode: Literal["native"] | None = None,
    vector_kwargs: Mapping[str, Any] | None = None,
    wrappers: None = None,
    **options: Unpack[BabyAIUnlockPickupOptions],
) -> VectorEnv[dict[str, Array | tuple[str, ...]]]:
    """BabyAI-UnlockPickup-v0, BabyAI-UnlockPickupDist-v0. Own options: env_name, distractors, agent_view_size, see_through_walls, obs, obs_tile_size, image_only, mission, highlight, max_steps, action_prob, random_action, no_death, death_cost, seeds, tile_size, agent_pov."""

@overload
def make_vec(
    task_id: BabyAIBlockedUnlockPickupTask,
    num_envs: int | None = None,
    vectorization_mode: Literal["native"] | None = None,
    vector_kwargs: Mapping[str, Any] | None = None,
    wrappers: None = None,
    **options: Unpack[BabyAIBlockedUnlockPickupOptions],
) -> VectorEnv[dict[str, Array | tuple[str, ...]]]:
    """BabyAI-BlockedUnlockPickup-v0. Own options: env_name, agent_view_size, see_through_walls, obs, obs_tile_size, image_only, mission, highlight, max_steps, action_prob, random_action, no_death, death_cost, seeds, tile_size, agent_pov."""

@overload
def make_vec(
    task_id: BabyAIUnlockToUnlockTask,
    num_envs: int | None = None,
    vectorization_mode: Literal["native"] | None = None,
    vector_kwargs: Mapping[str, Any] | None = None,
    wrappers: None = None,
    **options: Unpack[BabyAIUnlockToUnlockOptions],
) -> VectorEnv[dict[str, Array | tuple[str, ...]]]:
    """BabyAI-UnlockToUnlock-v0. Own options: env_name, agent_view_size, see_through_walls, obs, obs_tile_size, image_only, mission, highlight, max_steps, action_prob, random_action, no_death, death_cost, seeds, tile_size, agent_pov."""

@overload
def make_vec(
    task_id: BabyAIActionObjDoorTask,
    num_envs: int | None = None,
    vectorization_mode: Literal["native"] | None = None,
    vector_kwargs: Mapping[str, Any] | None = None,
    wrappers: None = None,
    **options: Unpack[BabyAIActionObjDoorOptions],
) -> VectorEnv[dict[str, Array | tuple[str, ...]]]:
    """BabyAI-ActionObjDoor-v0. Own options: env_name, agent_view_size, see_through_walls, obs, obs_tile_size, image_only, mission, highlight, max_steps, action_prob, random_action, no_death, death_cost, seeds, tile_size, agent_pov."""

@overload
def make_vec(
    task_id: BabyAIFindObjS5Task,
    num_envs: int | None = None,
    vectorization_mode: Literal["native"] | None = None,
    vector_kwargs: Mapping[str, Any] | None = None,
    wrappers: None = None,
    **options: Unpack[BabyAIFindObjS5Options],
) -> VectorEnv[dict[str, Array | tuple[str, ...]]]:
    """BabyAI-FindObjS5-v0, BabyAI-FindObjS6-v0, BabyAI-FindObjS7-v0. Own options: env_name, room_size, agent_view_size, see_through_walls, obs, obs_tile_size, image_only, mission, highlight, max_steps, action_prob, random_action, no_death, death_cost, seeds, tile_size, agent_pov."""

@overload
def make_vec(
    task_id: BabyAIKeyCorridorTask,
    num_envs: int | None = None,
    vectorization_mode: Literal["native"] | None = None,
    vector_kwargs: Mapping[str, Any] | None = None,
    wrappers: None = None,
    **options: Unpack[BabyAIKeyCorridorOptions],
) -> VectorEnv[dict[str, Array | tuple[str, ...]]]:
    """BabyAI-KeyCorridor-v0, BabyAI-KeyCorridorS3R1-v0, BabyAI-KeyCorridorS3R2-v0 and 4 more. Own options: env_name, room_size, num_rows, obj_type, agent_view_size, see_through_walls, obs, obs_tile_size, image_only, mission, highlight, max_steps, action_prob, random_action, no_death, death_cost, seeds, tile_size, agent_pov."""

@overload
def make_vec(
    task_id: BabyAIOneRoomS8Task,
    num_envs: int | None = None,
    vectorization_mode: Literal["native"] | None = None,
    vector_kwargs: Mapping[str, Any] | None = None,
    wrappers: None = None,
    **options: Unpack[BabyAIOneRoomS8Options],
) -> VectorEnv[dict[str, Array | tuple[str, ...]]]:
    """BabyAI-OneRoomS8-v0, BabyAI-OneRoomS12-v0, BabyAI-OneRoomS16-v0 and 1 more. Own options: env_name, room_size, agent_view_size, see_through_walls, obs, obs_tile_size, image_only, mission, highlight, max_steps, action_prob, random_action, no_death, death_cost, seeds, tile_size, agent_pov."""

@overload
def make_vec(
    task_id: BabyAIGoToSeqTask,
    num_envs: int | None = None,
    vectorization_mode: Literal["native"] | None = None,
    vector_kwargs: Mapping[str, Any] | None = None,
    wrappers: None = None,
    **options: Unpack[BabyAIGoToSeqOptions],
) -> VectorEnv[dict[str, Array | tuple[str, ...]]]:
    """BabyAI-GoToSeq-v0, BabyAI-GoToSeqS5R2-v0. Own options: env_name, room_size, num_rows, num_cols, num_dists, locked_room_prob, locations, unblocking, implicit_unlock, action_kinds, instr_kinds, agent_view_size, see_through_walls, obs, obs_tile_size, image_only, mission, highlight, max_steps, action_prob, random_action, no_death, death_cost, seeds, tile_size, agent_pov."""

@overload
def make_vec(
    task_id: BabyAISynthTask,
    num_envs: int | None = None,
    vectorization_mode: Literal["native"] | None = None,
    vector_kwargs: Mapping[str, Any] | None = None,
    wrappers: None = None,
    **options: Unpack[BabyAISynthOptions],
) -> VectorEnv[dict[str, Array | tuple[str, ...]]]:
    """BabyAI-Synth-v0, BabyAI-SynthS5R2-v0. Own options: env_name, room_size, num_rows, num_cols, num_dists, locked_room_prob, locations, unblocking, implicit_unlock, action_kinds, instr_kinds, agent_view_size, see_through_walls, obs, obs_tile_size, image_only, mission, highlight, max_steps, action_prob, random_action, no_death, death_cost, seeds, tile_size, agent_pov."""

@overload
def make_vec(
    task_id: BabyAISynthLocTask,
    num_envs: int | None = None,
    vectorization_mode: Literal["native"] | None = None,
    vector_kwargs: Mapping[str, Any] | None = None,
    wrappers: None = None,
    **options: Unpack[BabyAISynthLocOptions],
) -> VectorEnv[dict[str, Array | tuple[str, ...]]]:
    """BabyAI-SynthLoc-v0. Own options: env_name, room_size, num_rows, num_cols, num_dists, locked_room_prob, locations, unblocking, implicit_unlock, action_kinds, instr_kinds, agent_view_size, see_through_walls, obs, obs_tile_size, image_only, mission, highlight, max_steps, action_prob, random_action, no_death, death_cost, seeds, tile_size, agent_pov."""

@overload
def make_vec(
    task_id: BabyAISynthSeqTask,
    num_envs: int | None = None,
    vectorization_mode: Literal["native"] | None = None,
    vector_kwargs: Mapping[str, Any] | None = None,
    wrappers: None = None,
    **options: Unpack[BabyAISynthSeqOptions],
) -> VectorEnv[dict[str, Array | tuple[str, ...]]]:
    """BabyAI-SynthSeq-v0. Own options: env_name, room_size, num_rows, num_cols, num_dists, locked_room_prob, locations, unblocking, implicit_unlock, action_kinds, instr_kinds, agent_view_size, see_through_walls, obs, obs_tile_size, image_only, mission, highlight, max_steps, action_prob, random_action, no_death, death_cost, seeds, tile_size, agent_pov."""

@overload
def make_vec(
    task_id: BabyAIPickupLocTask,
    num_envs: int | None = None,
    vectorization_mode: Literal["native"] | None = None,
    vector_kwargs: Mapping[str, Any] | None = None,
    wrappers: None = None,
    **options: Unpack[BabyAIPickupLocOptions],
) -> VectorEnv[dict[str, Array | tuple[str, ...]]]:
    """BabyAI-PickupLoc-v0. Own options: env_name, room_size, num_rows, num_cols, num_dists, locked_room_prob, locations, unblocking, implicit_unlock, action_kinds, instr_kinds, agent_view_size, see_through_walls, obs, obs_tile_size, image_only, mission, highlight, max_steps, action_prob, random_action, no_death, death_cost, seeds, tile_size, agent_pov."""

@overload
def make_vec(
    task_id: BabyAIMiniBossLevelTask,
    num_envs: int | None = None,
    vectorization_mode: Literal["native"] | None = None,
    vector_kwargs: Mapping[str, Any] | None = None,
    wrappers: None = None,
    **options: Unpack[BabyAIMiniBossLevelOptions],
) -> VectorEnv[dict[str, Array | tuple[str, ...]]]:
    """BabyAI-MiniBossLevel-v0. Own options: env_name, room_size, num_rows, num_cols, num_dists, locked_room_prob, locations, unblocking, implicit_unlock, action_kinds, instr_kinds, agent_view_size, see_through_walls, obs, obs_tile_size, image_only, mission, highlight, max_steps, action_prob, random_action, no_death, death_cost, seeds, tile_size, agent_pov."""

@overload
def make_vec(
    task_id: BabyAIBossLevelTask,
    num_envs: int | None = None,
    vectorization_mode: Literal["native"] | None = None,
    vector_kwargs: Mapping[str, Any] | None = None,
    wrappers: None = None,
    **options: Unpack[BabyAIBossLevelOptions],
) -> VectorEnv[dict[str, Array | tuple[str, ...]]]:
    """BabyAI-BossLevel-v0. Own options: env_name, room_size, num_rows, num_cols, num_dists, locked_room_prob, locations, unblocking, implicit_unlock, action_kinds, instr_kinds, agent_view_size, see_through_walls, obs, obs_tile_size, image_only, mission, highlight, max_steps, action_prob, random_action, no_death, death_cost, seeds, tile_size, agent_pov."""

@overload
def make_vec(
    task_id: BabyAIBossLevelNoUnlockTask,
    num_envs: int | None = None,
    vectorization_mode: Literal["native"] | None = None,
    vector_kwargs: Mapping[str, Any] | None = None,
    wrappers: None = None,
    **options: Unpack[BabyAIBossLevelNoUnlockOptions],
) -> VectorEnv[dict[str, Array | tuple[str, ...]]]:
    """BabyAI-BossLevelNoUnlock-v0. Own options: env_name, room_size, num_rows, num_cols, num_dists, locked_room_prob, locations, unblocking, implicit_unlock, action_kinds, instr_kinds, agent_view_size, see_through_walls, obs, obs_tile_size, image_only, mission, highlight, max_steps, action_prob, random_action, no_death, death_cost, seeds, tile_size, agent_pov."""

@overload
def make_vec(
    task_id: AntTask,
    num_envs: int | None = None,
    vectorization_mode: Literal["native"] | None = None,
    vector_kwargs: Mapping[str, Any] | None = None,
    wrappers: None = None,
    **options: Unpack[AntOptions],
) -> VectorEnv[Array]:
    """Ant-v5. Own options: xml_file, xml_dir, frame_skip, frame_stack, physics, post_constraint, forward_reward_weight, ctrl_cost_weight, contact_cost_weight, main_body, healthy_z_range, healthy_z_min, healthy_z_max, contact_force_range, contact_force_min, contact_force_max, reset_noise_scale, exclude_current_positions_from_observation, include_cfrc_ext_in_observation, use_contact_force, exclude_worldbody_contact_forces, healthy_reward, terminate_when_unhealthy, legacy_healthy_reward, from_pixels, camera_name, default_camera, gymnasium_v5_render_camera, camera_lookat, camera_distance, camera_azimuth, camera_elevation, camera_orthographic, max_geom, visual_options, render_shadows, render_shadow_size, render_reflections, render_skybox, render_haze, render_textures, render_multisamples, width, height, camera_id, default_camera_config."""

@overload
def make_vec(
    task_id: AntV4Task,
    num_envs: int | None = None,
    vectorization_mode: Literal["native"] | None = None,
    vector_kwargs: Mapping[str, Any] | None = None,
    wrappers: None = None,
    **options: Unpack[AntV4Options],
) -> VectorEnv[Array]:
    """Ant-v4, Ant-v3. Own options: xml_file, xml_dir, frame_skip, frame_stack, physics, post_constraint, forward_reward_weight, ctrl_cost_weight, contact_cost_weight, main_body, healthy_z_range, healthy_z_min, healthy_z_max, contact_force_range, contact_force_min, contact_force_max, reset_noise_scale, exclude_current_positions_from_observation, use_contact_forces, use_contact_force, exclude_worldbody_contact_forces, healthy_reward, terminate_when_unhealthy, legacy_healthy_reward, from_pixels, camera_name, default_camera, gymnasium_v5_render_camera, camera_lookat, camera_distance, camera_azimuth, camera_elevation, camera_orthographic, max_geom, visual_options, render_shadows, render_shadow_size, render_reflections, render_skybox, render_haze, render_textures, render_multisamples, width, height, camera_id, default_camera_config."""

@overload
def make_vec(
    task_id: HalfCheetahTask,
    num_envs: int | None = None,
    vectorization_mode: Literal["native"] | None = None,
    vector_kwargs: Mapping[str, Any] | None = None,
    wrappers: None = None,
    **options: Unpack[HalfCheetahOptions],
) -> VectorEnv[Array]:
    """HalfCheetah-v5, HalfCheetah-v4, HalfCheetah-v3 and 3 more. Own options: xml_file, xml_dir, frame_skip, frame_stack, physics, post_constraint, forward_reward_weight, ctrl_cost_weight, reset_noise_scale, exclude_current_positions_from_observation, from_pixels, camera_name, default_camera, gymnasium_v5_render_camera, camera_lookat, camera_distance, camera_azimuth, camera_elevation, camera_orthographic, max_geom, visual_options, render_shadows, render_shadow_size, render_reflections, render_skybox, render_haze, render_textures, render_multisamples, width, height, camera_id, default_camera_config."""

@overload
def make_vec(
    task_id: HopperTask,
    num_envs: int | None = None,
    vectorization_mode: Literal["native"] | None = None,
    vector_kwargs: Mapping[str, Any] | None = None,
    wrappers: None = None,
    **options: Unpack[HopperOptions],
) -> VectorEnv[Array]:
    """Hopper-v5, Hopper-v4, Hopper-v3. Own options: xml_file, xml_dir, frame_skip, frame_stack, physics, post_constraint, forward_reward_weight, ctrl_cost_weight, healthy_reward, terminate_when_unhealthy, legacy_healthy_reward, healthy_state_range, healthy_state_min, healthy_state_max, healthy_z_range, healthy_z_min, healthy_angle_range, healthy_angle_min, healthy_angle_max, velocity_min, velocity_max, reset_noise_scale, exclude_current_positions_from_observation, from_pixels, camera_name, default_camera, gymnasium_v5_render_camera, camera_lookat, camera_distance, camera_azimuth, camera_elevation, camera_orthographic, max_geom, visual_options, render_shadows, render_shadow_size, render_reflections, render_skybox, render_haze, render_textures, render_multisamples, width, height, camera_id, default_camera_config."""

@overload
def make_vec(
    task_id: HumanoidTask,
    num_envs: int | None = None,
    vectorization_mode: Literal["native"] | None = None,
    vector_kwargs: Mapping[str, Any] | None = None,
    wrappers: None = None,
    **options: Unpack[HumanoidOptions],
) -> VectorEnv[Array]:
    """Humanoid-v5, Humanoid-v4, Humanoid-v3. Own options: xml_file, xml_dir, frame_skip, frame_stack, physics, post_constraint, forward_reward_weight, ctrl_cost_weight, contact_cost_weight, contact_cost_range, contact_cost_max, use_contact_force, healthy_reward, terminate_when_unhealthy, legacy_healthy_reward, healthy_z_range, healthy_z_min, healthy_z_max, reset_noise_scale, exclude_current_positions_from_observation, include_cinert_in_observation, include_cvel_in_observation, include_qfrc_actuator_in_observation, include_cfrc_ext_in_observation, exclude_worldbody_observations, exclude_root_actuator_forces, from_pixels, camera_name, default_camera, gymnasium_v5_render_camera, camera_lookat, camera_distance, camera_azimuth, camera_elevation, camera_orthographic, max_geom, visual_options, render_shadows, render_shadow_size, render_reflections, render_skybox, render_haze, render_textures, render_multisamples, width, height, camera_id, default_camera_config."""

@overload
def make_vec(
    task_id: HumanoidStandupTask,
    num_envs: int | None = None,
    vectorization_mode: Literal["native"] | None = None,
    vector_kwargs: Mapping[str, Any] | None = None,
    wrappers: None = None,
    **options: Unpack[HumanoidStandupOptions],
) -> VectorEnv[Array]:
    """HumanoidStandup-v5, HumanoidStandup-v4, HumanoidStandup-v2. Own options: xml_file, xml_dir, frame_skip, frame_stack, physics, post_constraint, uph_cost_weight, ctrl_cost_weight, impact_cost_weight, forward_reward_weight, healthy_reward, contact_cost_weight, impact_cost_range, contact_cost_max, reset_noise_scale, exclude_current_positions_from_observation, include_cinert_in_observation, include_cvel_in_observation, include_qfrc_actuator_in_observation, include_cfrc_ext_in_observation, exclude_worldbody_observations, exclude_root_actuator_forces, from_pixels, camera_name, default_camera, gymnasium_v5_render_camera, camera_lookat, camera_distance, camera_azimuth, camera_elevation, camera_orthographic, max_geom, visual_options, render_shadows, render_shadow_size, render_reflections, render_skybox, render_haze, render_textures, render_multisamples, width, height, camera_id, default_camera_config."""

@overload
def make_vec(
    task_id: InvertedDoublePendulumTask,
    num_envs: int | None = None,
    vectorization_mode: Literal["native"] | None = None,
    vector_kwargs: Mapping[str, Any] | None = None,
    wrappers: None = None,
    **options: Unpack[InvertedDoublePendulumOptions],
) -> VectorEnv[Array]:
    """InvertedDoublePendulum-v5, InvertedDoublePendulum-v4, InvertedDoublePendulum-v2. Own options: xml_file, xml_dir, frame_skip, frame_stack, physics, post_constraint, healthy_reward, healthy_z_max, reward_if_not_terminated, observation_min, observation_max, constraint_obs_dim, reset_noise_scale, from_pixels, camera_name, default_camera, gymnasium_v5_render_camera, camera_lookat, camera_distance, camera_azimuth, camera_elevation, camera_orthographic, max_geom, visual_options, render_shadows, render_shadow_size, render_reflections, render_skybox, render_haze, render_textures, render_multisamples, width, height, camera_id, default_camera_config."""

@overload
def make_vec(
    task_id: InvertedPendulumTask,
    num_envs: int | None = None,
    vectorization_mode: Literal["native"] | None = None,
    vector_kwargs: Mapping[str, Any] | None = None,
    wrappers: None = None,
    **options: Unpack[InvertedPendulumOptions],
) -> VectorEnv[Array]:
    """InvertedPendulum-v5, InvertedPendulum-v4, InvertedPendulum-v2. Own options: xml_file, xml_dir, frame_skip, frame_stack, physics, post_constraint, healthy_reward, healthy_z_range, healthy_z_min, healthy_z_max, reward_if_not_terminated, reset_noise_scale, from_pixels, camera_name, default_camera, gymnasium_v5_render_camera, camera_lookat, camera_distance, camera_azimuth, camera_elevation, camera_orthographic, max_geom, visual_options, render_shadows, render_shadow_size, render_reflections, render_skybox, render_haze, render_textures, render_multisamples, width, height, camera_id, default_camera_config."""

@overload
def make_vec(
    task_id: PusherTask,
    num_envs: int | None = None,
    vectorization_mode: Literal["native"] | None = None,
    vector_kwargs: Mapping[str, Any] | None = None,
    wrappers: None = None,
    **options: Unpack[PusherOptions],
) -> VectorEnv[Array]:
    """Pusher-v5, Pusher-v4, Pusher-v2. Own options: xml_file, xml_dir, frame_skip, frame_stack, physics, post_constraint, reward_near_weight, reward_dist_weight, reward_control_weight, near_cost_weight, dist_cost_weight, ctrl_cost_weight, reward_after_step, weighted_reward_info, reset_qvel_scale, cylinder_x_min, cylinder_x_max, cylinder_y_min, cylinder_y_max, cylinder_dist_min, from_pixels, camera_name, default_camera, gymnasium_v5_render_camera, camera_lookat, camera_distance, camera_azimuth, camera_elevation, camera_orthographic, max_geom, visual_options, render_shadows, render_shadow_size, render_reflections, render_skybox, render_haze, render_textures, render_multisamples, width, height, camera_id, default_camera_config."""

@overload
def make_vec(
    task_id: ReacherTask,
    num_envs: int | None = None,
    vectorization_mode: Literal["native"] | None = None,
    vector_kwargs: Mapping[str, Any] | None = None,
    wrappers: None = None,
    **options: Unpack[ReacherOptions],
) -> VectorEnv[Array]:
    """Reacher-v5, Reacher-v4, Reacher-v2. Own options: xml_file, xml_dir, frame_skip, frame_stack, physics, post_constraint, reward_dist_weight, reward_control_weight, dist_cost_weight, ctrl_cost_weight, reward_after_step, obs_include_z_distance, reset_qpos_scale, reset_qvel_scale, reset_goal_scale, from_pixels, camera_name, default_camera, gymnasium_v5_render_camera, camera_lookat, camera_distance, camera_azimuth, camera_elevation, camera_orthographic, max_geom, visual_options, render_shadows, render_shadow_size, render_reflections, render_skybox, render_haze, render_textures, render_multisamples, width, height, camera_id, default_camera_config."""

@overload
def make_vec(
    task_id: Walker2dTask,
    num_envs: int | None = None,
    vectorization_mode: Literal["native"] | None = None,
    vector_kwargs: Mapping[str, Any] | None = None,
    wrappers: None = None,
    **options: Unpack[Walker2dOptions],
) -> VectorEnv[Array]:
    """Walker2d-v5, Walker2d-v4, Walker2d-v3. Own options: xml_file, xml_dir, frame_skip, frame_stack, physics, post_constraint, forward_reward_weight, ctrl_cost_weight, healthy_reward, terminate_when_unhealthy, legacy_healthy_reward, healthy_z_range, healthy_z_min, healthy_z_max, healthy_angle_range, healthy_angle_min, healthy_angle_max, velocity_min, velocity_max, reset_noise_scale, exclude_current_positions_from_observation, from_pixels, camera_name, default_camera, gymnasium_v5_render_camera, camera_lookat, camera_distance, camera_azimuth, camera_elevation, camera_orthographic, max_geom, visual_options, render_shadows, render_shadow_size, render_reflections, render_skybox, render_haze, render_textures, render_multisamples, width, height, camera_id, default_camera_config."""

@overload
def make_vec(
    task_id: LunarLanderTask,
    num_envs: int | None = None,
    vectorization_mode: Literal["native"] | None = None,
    vector_kwargs: Mapping[str, Any] | None = None,
    wrappers: None = None,
    **options: Unpack[LunarLanderOptions],
) -> VectorEnv[Array]:
    """LunarLander-v3, LunarLanderContinuous-v3, LunarLander-v2 and 1 more. Own options: continuous, gravity, enable_wind, wind_power, turbulence_power."""

@overload
def make_vec(
    task_id: BipedalWalkerTask,
    num_envs: int | None = None,
    vectorization_mode: Literal["native"] | None = None,
    vector_kwargs: Mapping[str, Any] | None = None,
    wrappers: None = None,
    **options: Unpack[BipedalWalkerOptions],
) -> VectorEnv[Array]:
    """BipedalWalker-v3, BipedalWalkerHardcore-v3. Own options: hardcore."""

@overload
def make_vec(
    task_id: CarRacingTask,
    num_envs: int | None = None,
    vectorization_mode: Literal["native"] | None = None,
    vector_kwargs: Mapping[str, Any] | None = None,
    wrappers: None = None,
    **options: Unpack[CarRacingOptions],
) -> VectorEnv[Array]:
    """CarRacing-v3, CarRacing-v2. Own options: verbose, lap_complete_percent, domain_randomize, continuous."""

@overload
def make_vec(
    task_id: AcrobotSwingupTask,
    num_envs: int | None = None,
    vectorization_mode: Literal["native"] | None = None,
    vector_kwargs: Mapping[str, Any] | None = None,
    wrappers: None = None,
    **options: Unpack[AcrobotSwingupOptions],
) -> VectorEnv[dict[str, Array]]:
    """AcrobotSwingup-v1, dm_control/acrobot-swingup, AcrobotSwingupSparse-v1 and 1 more. Own options: task_name, suite_dir, frame_skip, n_sub_steps, frame_stack, time_limit, flat_observation, domain_keys, physics, visualize_reward, legacy_step, from_pixels, camera_name, camera_lookat, camera_distance, camera_azimuth, camera_elevation, camera_orthographic, max_geom, visual_options, render_shadows, render_shadow_size, render_reflections, render_skybox, render_haze, render_textures, render_multisamples, width, height, camera_id."""

@overload
def make_vec(
    task_id: BallInCupCatchTask,
    num_envs: int | None = None,
    vectorization_mode: Literal["native"] | None = None,
    vector_kwargs: Mapping[str, Any] | None = None,
    wrappers: None = None,
    **options: Unpack[BallInCupCatchOptions],
) -> VectorEnv[dict[str, Array]]:
    """BallInCupCatch-v1, dm_control/ball_in_cup-catch. Own options: task_name, suite_dir, frame_skip, n_sub_steps, frame_stack, time_limit, flat_observation, domain_keys, physics, visualize_reward, legacy_step, from_pixels, camera_name, camera_lookat, camera_distance, camera_azimuth, camera_elevation, camera_orthographic, max_geom, visual_options, render_shadows, render_shadow_size, render_reflections, render_skybox, render_haze, render_textures, render_multisamples, width, height, camera_id."""

@overload
def make_vec(
    task_id: CartpoleBalanceTask,
    num_envs: int | None = None,
    vectorization_mode: Literal["native"] | None = None,
    vector_kwargs: Mapping[str, Any] | None = None,
    wrappers: None = None,
    **options: Unpack[CartpoleBalanceOptions],
) -> VectorEnv[dict[str, Array]]:
    """CartpoleBalance-v1, dm_control/cartpole-balance, CartpoleBalanceSparse-v1 and 9 more. Own options: task_name, suite_dir, frame_skip, n_sub_steps, frame_stack, time_limit, flat_observation, domain_keys, physics, visualize_reward, legacy_step, num_poles, sparse, from_pixels, camera_name, camera_lookat, camera_distance, camera_azimuth, camera_elevation, camera_orthographic, max_geom, visual_options, render_shadows, render_shadow_size, render_reflections, render_skybox, render_haze, render_textures, render_multisamples, width, height, camera_id."""

@overload
def make_vec(
    task_id: CheetahRunTask,
    num_envs: int | None = None,
    vectorization_mode: Literal["native"] | None = None,
    vector_kwargs: Mapping[str, Any] | None = None,
    wrappers: None = None,
    **options: Unpack[CheetahRunOptions],
) -> VectorEnv[dict[str, Array]]:
    """CheetahRun-v1, dm_control/cheetah-run. Own options: task_name, suite_dir, frame_skip, n_sub_steps, frame_stack, time_limit, flat_observation, domain_keys, physics, visualize_reward, legacy_step, from_pixels, camera_name, camera_lookat, camera_distance, camera_azimuth, camera_elevation, camera_orthographic, max_geom, visual_options, render_shadows, render_shadow_size, render_reflections, render_skybox, render_haze, render_textures, render_multisamples, width, height, camera_id."""

@overload
def make_vec(
    task_id: DogStandTask,
    num_envs: int | None = None,
    vectorization_mode: Literal["native"] | None = None,
    vector_kwargs: Mapping[str, Any] | None = None,
    wrappers: None = None,
    **options: Unpack[DogStandOptions],
) -> VectorEnv[dict[str, Array]]:
    """DogStand-v1, dm_control/dog-stand, DogWalk-v1 and 7 more. Own options: task_name, suite_dir, frame_skip, n_sub_steps, frame_stack, time_limit, flat_observation, domain_keys, physics, visualize_reward, legacy_step, from_pixels, camera_name, camera_lookat, camera_distance, camera_azimuth, camera_elevation, camera_orthographic, max_geom, visual_options, render_shadows, render_shadow_size, render_reflections, render_skybox, render_haze, render_textures, render_multisamples, width, height, camera_id."""

@overload
def make_vec(
    task_id: FingerSpinTask,
    num_envs: int | None = None,
    vectorization_mode: Literal["native"] | None = None,
    vector_kwargs: Mapping[str, Any] | None = None,
    wrappers: None = None,
    **options: Unpack[FingerSpinOptions],
) -> VectorEnv[dict[str, Array]]:
    """FingerSpin-v1, dm_control/finger-spin, FingerTurnEasy-v1 and 3 more. Own options: task_name, suite_dir, frame_skip, n_sub_steps, frame_stack, time_limit, flat_observation, domain_keys, physics, visualize_reward, legacy_step, from_pixels, camera_name, camera_lookat, camera_distance, camera_azimuth, camera_elevation, camera_orthographic, max_geom, visual_options, render_shadows, render_shadow_size, render_reflections, render_skybox, render_haze, render_textures, render_multisamples, width, height, camera_id."""

@overload
def make_vec(
    task_id: FishUprightTask,
    num_envs: int | None = None,
    vectorization_mode: Literal["native"] | None = None,
    vector_kwargs: Mapping[str, Any] | None = None,
    wrappers: None = None,
    **options: Unpack[FishUprightOptions],
) -> VectorEnv[dict[str, Array]]:
    """FishUpright-v1, dm_control/fish-upright, FishSwim-v1 and 1 more. Own options: task_name, suite_dir, frame_skip, n_sub_steps, frame_stack, time_limit, flat_observation, domain_keys, physics, visualize_reward, legacy_step, from_pixels, camera_name, camera_lookat, camera_distance, camera_azimuth, camera_elevation, camera_orthographic, max_geom, visual_options, render_shadows, render_shadow_size, render_reflections, render_skybox, render_haze, render_textures, render_multisamples, width, height, camera_id."""

@overload
def make_vec(
    task_id: HopperStandTask,
    num_envs: int | None = None,
    vectorization_mode: Literal["native"] | None = None,
    vector_kwargs: Mapping[str, Any] | None = None,
    wrappers: None = None,
    **options: Unpack[HopperStandOptions],
) -> VectorEnv[dict[str, Array]]:
    """HopperStand-v1, dm_control/hopper-stand, HopperHop-v1 and 1 more. Own options: task_name, suite_dir, frame_skip, n_sub_steps, frame_stack, time_limit, flat_observation, domain_keys, physics, visualize_reward, legacy_step, from_pixels, camera_name, camera_lookat, camera_distance, camera_azimuth, camera_elevation, camera_orthographic, max_geom, visual_options, render_shadows, render_shadow_size, render_reflections, render_skybox, render_haze, render_textures, render_multisamples, width, height, camera_id."""

@overload
def make_vec(
    task_id: HumanoidStandTask,
    num_envs: int | None = None,
    vectorization_mode: Literal["native"] | None = None,
    vector_kwargs: Mapping[str, Any] | None = None,
    wrappers: None = None,
    **options: Unpack[HumanoidStandOptions],
) -> VectorEnv[dict[str, Array]]:
    """HumanoidStand-v1, dm_control/humanoid-stand, HumanoidWalk-v1 and 5 more. Own options: task_name, suite_dir, frame_skip, n_sub_steps, frame_stack, time_limit, flat_observation, domain_keys, physics, visualize_reward, legacy_step, from_pixels, camera_name, camera_lookat, camera_distance, camera_azimuth, camera_elevation, camera_orthographic, max_geom, visual_options, render_shadows, render_shadow_size, render_reflections, render_skybox, render_haze, render_textures, render_multisamples, width, height, camera_id."""

@overload
def make_vec(
    task_id: HumanoidCMUStandTask,
    num_envs: int | None = None,
    vectorization_mode: Literal["native"] | None = None,
    vector_kwargs: Mapping[str, Any] | None = None,
    wrappers: None = None,
    **options: Unpack[HumanoidCMUStandOptions],
) -> VectorEnv[dict[str, Array]]:
    """HumanoidCMUStand-v1, dm_control/humanoid_CMU-stand, HumanoidCMUWalk-v1 and 9 more. Own options: task_name, suite_dir, frame_skip, n_sub_steps, frame_stack, time_limit, flat_observation, domain_keys, physics, visualize_reward, legacy_step, from_pixels, camera_name, camera_lookat, camera_distance, camera_azimuth, camera_elevation, camera_orthographic, max_geom, visual_options, render_shadows, render_shadow_size, render_reflections, render_skybox, render_haze, render_textures, render_multisamples, width, height, camera_id."""

@overload
def make_vec(
    task_id: LqrLqr21Task,
    num_envs: int | None = None,
    vectorization_mode: Literal["native"] | None = None,
    vector_kwargs: Mapping[str, Any] | None = None,
    wrappers: None = None,
    **options: Unpack[LqrLqr21Options],
) -> VectorEnv[dict[str, Array]]:
    """LqrLqr21-v1, dm_control/lqr-lqr_2_1, LqrLqr62-v1 and 1 more. Own options: task_name, suite_dir, frame_skip, n_sub_steps, frame_stack, time_limit, flat_observation, domain_keys, physics, visualize_reward, legacy_step, from_pixels, camera_name, camera_lookat, camera_distance, camera_azimuth, camera_elevation, camera_orthographic, max_geom, visual_options, render_shadows, render_shadow_size, render_reflections, render_skybox, render_haze, render_textures, render_multisamples, width, height, camera_id."""

@overload
def make_vec(
    task_id: ManipulatorBringBallTask,
    num_envs: int | None = None,
    vectorization_mode: Literal["native"] | None = None,
    vector_kwargs: Mapping[str, Any] | None = None,
    wrappers: None = None,
    **options: Unpack[ManipulatorBringBallOptions],
) -> VectorEnv[dict[str, Array]]:
    """ManipulatorBringBall-v1, dm_control/manipulator-bring_ball, ManipulatorBringPeg-v1 and 5 more. Own options: task_name, suite_dir, frame_skip, n_sub_steps, frame_stack, time_limit, flat_observation, domain_keys, physics, visualize_reward, legacy_step, fully_observable, from_pixels, camera_name, camera_lookat, camera_distance, camera_azimuth, camera_elevation, camera_orthographic, max_geom, visual_options, render_shadows, render_shadow_size, render_reflections, render_skybox, render_haze, render_textures, render_multisamples, width, height, camera_id."""

@overload
def make_vec(
    task_id: PendulumSwingupTask,
    num_envs: int | None = None,
    vectorization_mode: Literal["native"] | None = None,
    vector_kwargs: Mapping[str, Any] | None = None,
    wrappers: None = None,
    **options: Unpack[PendulumSwingupOptions],
) -> VectorEnv[dict[str, Array]]:
    """PendulumSwingup-v1, dm_control/pendulum-swingup. Own options: task_name, suite_dir, frame_skip, n_sub_steps, frame_stack, time_limit, flat_observation, domain_keys, physics, visualize_reward, legacy_step, from_pixels, camera_name, camera_lookat, camera_distance, camera_azimuth, camera_elevation, camera_orthographic, max_geom, visual_options, render_shadows, render_shadow_size, render_reflections, render_skybox, render_haze, render_textures, render_multisamples, width, height, camera_id."""

@overload
def make_vec(
    task_id: PointMassEasyTask,
    num_envs: int | None = None,
    vectorization_mode: Literal["native"] | None = None,
    vector_kwargs: Mapping[str, Any] | None = None,
    wrappers: None = None,
    **options: Unpack[PointMassEasyOptions],
) -> VectorEnv[dict[str, Array]]:
    """PointMassEasy-v1, dm_control/point_mass-easy, PointMassHard-v1 and 5 more. Own options: task_name, suite_dir, frame_skip, n_sub_steps, frame_stack, time_limit, flat_observation, domain_keys, physics, visualize_reward, legacy_step, from_pixels, camera_name, camera_lookat, camera_distance, camera_azimuth, camera_elevation, camera_orthographic, max_geom, visual_options, render_shadows, render_shadow_size, render_reflections, render_skybox, render_haze, render_textures, render_multisamples, width, height, camera_id."""

@overload
def make_vec(
    task_id: QuadrupedWalkTask,
    num_envs: int | None = None,
    vectorization_mode: Literal["native"] | None = None,
    vector_kwargs: Mapping[str, Any] | None = None,
    wrappers: None = None,
    **options: Unpack[QuadrupedWalkOptions],
) -> VectorEnv[dict[str, Array]]:
    """QuadrupedWalk-v1, dm_control/quadruped-walk, QuadrupedRun-v1 and 5 more. Own options: task_name, suite_dir, frame_skip, n_sub_steps, frame_stack, time_limit, flat_observation, domain_keys, physics, visualize_reward, legacy_step, from_pixels, camera_name, camera_lookat, camera_distance, camera_azimuth, camera_elevation, camera_orthographic, max_geom, visual_options, render_shadows, render_shadow_size, render_reflections, render_skybox, render_haze, render_textures, render_multisamples, width, height, camera_id."""

@overload
def make_vec(
    task_id: StackerStack2Task,
    num_envs: int | None = None,
    vectorization_mode: Literal["native"] | None = None,
    vector_kwargs: Mapping[str, Any] | None = None,
    wrappers: None = None,
    **options: Unpack[StackerStack2Options],
) -> VectorEnv[dict[str, Array]]:
    """StackerStack2-v1, dm_control/stacker-stack_2, StackerStack4-v1 and 1 more. Own options: task_name, suite_dir, frame_skip, n_sub_steps, frame_stack, time_limit, flat_observation, domain_keys, physics, visualize_reward, legacy_step, fully_observable, from_pixels, camera_name, camera_lookat, camera_distance, camera_azimuth, camera_elevation, camera_orthographic, max_geom, visual_options, render_shadows, render_shadow_size, render_reflections, render_skybox, render_haze, render_textures, render_multisamples, width, height, camera_id."""

@overload
def make_vec(
    task_id: SwimmerSwimmer6Task,
    num_envs: int | None = None,
    vectorization_mode: Literal["native"] | None = None,
    vector_kwargs: Mapping[str, Any] | None = None,
    wrappers: None = None,
    **options: Unpack[SwimmerSwimmer6Options],
) -> VectorEnv[dict[str, Array]]:
    """SwimmerSwimmer6-v1, dm_control/swimmer-swimmer6, SwimmerSwimmer15-v1 and 1 more. Own options: task_name, suite_dir, frame_skip, n_sub_steps, frame_stack, time_limit, flat_observation, domain_keys, physics, visualize_reward, legacy_step, n_links, from_pixels, camera_name, camera_lookat, camera_distance, camera_azimuth, camera_elevation, camera_orthographic, max_geom, visual_options, render_shadows, render_shadow_size, render_reflections, render_skybox, render_haze, render_textures, render_multisamples, width, height, camera_id."""

@overload
def make_vec(
    task_id: EnvPoolVizdoomTask,
    num_envs: int | None = None,
    vectorization_mode: Literal["native"] | None = None,
    vector_kwargs: Mapping[str, Any] | None = None,
    wrappers: None = None,
    **options: Unpack[EnvPoolVizdoomOptions],
) -> VectorEnv[Array]:
    """D1Basic-v1, D2Navigation-v1, D3Battle-v1 and 18 more. Own options: scenario, img_height, img_width, stack_num, frame_skip, use_inter_area_resize, episodic_life, use_combined_action, force_speed, lmp_save_dir, reward_config, reward_metric, selected_weapon_reward_config, weapon_duration, delta_button_config, cfg_path, wad_path, iwad_path, vzd_path, game_args, map_id, assets_dir, vizdoom_dir, engine_timeout, restart, fast_palette_copy."""

@overload
def make_vec(
    task_id: VizdoomTask,
    num_envs: int | None = None,
    vectorization_mode: Literal["native"] | None = None,
    vector_kwargs: Mapping[str, Any] | None = None,
    wrappers: None = None,
    **options: Unpack[VizdoomOptions],
) -> VectorEnv[dict[str, Array]]:
    """VizdoomBasic-v1, VizdoomBasic-MultiBinary-v1, VizdoomBasicAudio-v1 and 701 more. Own options: scenario_config_file, frame_skip, max_buttons_pressed, treat_episode_timeout_as_truncation, use_multi_binary_action_space, vizdoom_dir, engine_timeout, restart, fast_palette_copy, available_buttons, available_game_variables, doom_game_path, doom_scenario_path, doom_config_path, vizdoom_path, doom_map, doom_skill, game_args, mode, ticrate, episode_start_time, episode_timeout, living_reward, death_penalty, death_reward, map_exit_reward, kill_reward, item_reward, secret_reward, frag_reward, hit_reward, hit_taken_reward, hit_taken_penalty, damage_made_reward, damage_taken_reward, damage_taken_penalty, health_reward, armor_reward, screen_resolution, screen_format, depth_buffer_enabled, labels_buffer_enabled, automap_buffer_enabled, audio_buffer_enabled, notifications_buffer_enabled, objects_info_enabled, sectors_info_enabled, automap_mode, automap_rotate, automap_render_textures, automap_render_objects_as_sprites, audio_sampling_rate, audio_buffer_size, notifications_buffer_size, render_hud, render_minimal_hud, render_weapon, render_crosshair, render_decals, render_particles, render_effects_sprites, render_messages, render_corpses, render_screen_flashes, render_all_frames, sound_enabled, console_enabled, window_visible."""

@overload
@deprecated("not all of these are options of this task: see `python -m envpool_rs info TASK`")
def make_vec(
    task_id: KnownTask,
    num_envs: int | None = None,
    vectorization_mode: Literal["native"] | None = None,
    vector_kwargs: Mapping[str, Any] | None = None,
    wrappers: None = None,
    **options: Any,
) -> NoSuchOption: ...
@overload
def make_vec(
    task_id: str | GymnasiumEnvSpec,
    num_envs: int | None = None,
    *,
    vectorization_mode: Literal["shared_memory"],
    vector_kwargs: Mapping[str, Any] | None = None,
    wrappers: Sequence[Callable[[Any], Any]] | None = None,
    **options: Any,
) -> PythonVectorEnv: ...
@overload
def make_vec(
    task_id: TaskId,
    num_envs: int | None = None,
    *,
    vectorization_mode: Literal["native"],
    vector_kwargs: Mapping[str, Any] | None = None,
    wrappers: Sequence[Callable[[Any], Any]] | None = None,
    **options: Any,
) -> VectorEnv: ...
@overload
def make_vec(
    task_id: list[str] | tuple[str, ...],
    num_envs: int | None = None,
    vectorization_mode: None = None,
    vector_kwargs: Mapping[str, Any] | None = None,
    wrappers: Sequence[Callable[[Any], Any]] | None = None,
    **options: Any,
) -> VectorEnv: ...
@overload
def make_vec(
    task_id: EnvFn | list[EnvFn] | tuple[EnvFn, ...],
    num_envs: int | None = None,
    vectorization_mode: Literal["async", "shared_memory"] | None = None,
    vector_kwargs: Mapping[str, Any] | None = None,
    wrappers: Sequence[Callable[[Any], Any]] | None = None,
    **options: Any,
) -> PythonVectorEnv: ...
@overload
def make_vec(
    task_id: EnvFn | list[EnvFn] | tuple[EnvFn, ...],
    num_envs: int | None = None,
    *,
    vectorization_mode: Literal["sync"],
    vector_kwargs: Mapping[str, Any] | None = None,
    wrappers: Sequence[Callable[[Any], Any]] | None = None,
    **options: Any,
) -> SyncVectorEnv[Any, Any]: ...
@overload
def make_vec(
    task_id: TaskId | GymnasiumEnvSpec,
    num_envs: int | None = None,
    vectorization_mode: None = None,
    vector_kwargs: Mapping[str, Any] | None = None,
    wrappers: Sequence[Callable[[Any], Any]] | None = None,
    **options: Any,
) -> VectorEnv | PythonVectorEnv: ...
@overload
def make_vec(
    task_id: TaskId | GymnasiumEnvSpec | Sequence[EnvFn] | None = None,
    num_envs: int | None = None,
    vectorization_mode: VectorizeMode | str | None = None,
    vector_kwargs: Mapping[str, Any] | None = None,
    wrappers: Sequence[Callable[[Any], Any]] | None = None,
    **options: Any,
) -> Any: ...
