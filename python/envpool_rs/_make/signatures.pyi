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
    render_mode: Literal["human", "rgb_array", "ansi"] | None
    """What render() gives: a window, pictures, or text (toy text) ("human", "rgb_array" or "ansi" or None; default None)."""
    render_env_id: int | None
    """The environment that EnvPool's render() shows unless told otherwise (int or None; default 0)."""
    render_width: int | None
    """Width of pictures in pixels (int or None; default 0: the task's)."""
    render_height: int | None
    """Height of pictures in pixels (int or None; default 0: the task's)."""
    render_camera_id: int | None
    """EnvPool's; None or -1, since there are no cameras (int or None; default None)."""

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
    post_constraint: ForEach[bool]
    """Whether outer forces on bodies are computed after steps; False: they are 0 (bool; default True)."""
    forward_reward_weight: ForEach[float | Uniform | Choice[float]]
    """Weight of the speed along x in the reward (float; default 1.0)."""
    ctrl_cost_weight: ForEach[float | Uniform | Choice[float]]
    """Weight of the action's squares in the cost (float; default 0.5)."""
    contact_cost_weight: ForEach[float | Uniform | Choice[float]]
    """Weight of the squares of outer forces in the cost (float; default 0.0005)."""
    main_body: ForEach[int | str]
    """The body whose speed counts, by number or name (an integer from 0 to 1048576; default 1)."""
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
    post_constraint: ForEach[bool]
    """Whether outer forces on bodies are computed after steps; False: they are 0 (bool; default True)."""
    forward_reward_weight: ForEach[float | Uniform | Choice[float]]
    """Weight of the speed along x in the reward (float; default 1.0)."""
    ctrl_cost_weight: ForEach[float | Uniform | Choice[float]]
    """Weight of the action's squares in the cost (float; default 0.5)."""
    contact_cost_weight: ForEach[float | Uniform | Choice[float]]
    """Weight of the squares of outer forces in the cost (float; default 0.0005)."""
    main_body: ForEach[int | str]
    """The body whose speed counts, by number or name (an integer from 0 to 1048576; default 1)."""
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
    post_constraint: ForEach[bool]
    """Whether outer forces on bodies are computed after steps; False: they are 0 (bool; default True)."""
    uph_cost_weight: ForEach[float | Uniform | Choice[float]]
    """Without effect, as in gymnasium (float; default 1.0)."""
    ctrl_cost_weight: ForEach[float | Uniform | Choice[float]]
    """Weight of the controls' squares in the cost (float; default 0.1)."""
    impact_cost_weight: ForEach[float | Uniform | Choice[float]]
    """Weight of the squares of outer forces in the cost (float; default 5e-07)."""
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
)

class AnyOptions(PoolOptions, total=False):
    """Options of all tasks, for names that only the running program knows."""

    N: ForEach[int]
    """See SimpleSpreadOptions."""
    benchmark_data: ForEach[bool]
    """See SimpleSpreadOptions."""
    columns: ForEach[int]
    """See CatchOptions."""
    constraint_obs_dim: ForEach[int]
    """See InvertedDoublePendulumOptions."""
    contact_cost_max: ForEach[float | Uniform | Choice[float]]
    """See HumanoidOptions."""
    contact_cost_range: ForEach[Sequence[float] | None]
    """See HumanoidOptions."""
    contact_cost_weight: ForEach[float | Uniform | Choice[float]]
    """See AntOptions."""
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
    desc: ForEach[list[str] | tuple[str, ...] | Choice[list[str] | tuple[str, ...] | None] | None]
    """See FrozenLakeOptions."""
    difficulty: ForEach[int | None]
    """See AtariOptions."""
    dist_cost_weight: ForEach[float | None]
    """See PusherOptions."""
    domain_randomize: ForEach[bool | Choice[bool]]
    """See CarRacingOptions."""
    dynamic_rescaling: ForEach[bool]
    """See SimpleSpreadOptions."""
    enable_wind: ForEach[bool | Choice[bool]]
    """See LunarLanderOptions."""
    episodic_life: ForEach[bool | Choice[bool]]
    """See AtariOptions."""
    exclude_current_positions_from_observation: ForEach[bool]
    """See AntOptions."""
    exclude_root_actuator_forces: ForEach[bool]
    """See HumanoidOptions."""
    exclude_worldbody_contact_forces: ForEach[bool]
    """See AntOptions."""
    exclude_worldbody_observations: ForEach[bool]
    """See HumanoidOptions."""
    fickle_passenger: ForEach[bool | Choice[bool]]
    """See TaxiOptions."""
    fickle_probability: ForEach[float | Uniform | Choice[float]]
    """See TaxiV4Options."""
    forward_reward_weight: ForEach[float | Uniform | Choice[float]]
    """See AntOptions."""
    frame_skip: ForEach[int | Integers | Choice[int]] | ForEach[int]
    """See AtariOptions and AleAtariOptions."""
    frame_stack: ForEach[int]
    """See AntOptions."""
    frameskip: ForEach[int | Sequence[int] | Integers | Choice[int | Sequence[int]]]
    """See AleAtariOptions."""
    full_action_space: ForEach[bool]
    """See AtariOptions."""
    g: ForEach[float | Uniform | Choice[float]]
    """See PendulumOptions."""
    game: ForEach[str]
    """See AleAtariOptions."""
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
    hardcore: ForEach[bool | Choice[bool]]
    """See BipedalWalkerOptions."""
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
    height: ForEach[int]
    """See CatchOptions."""
    img_height: ForEach[int]
    """See AtariOptions."""
    img_width: ForEach[int]
    """See AtariOptions."""
    impact_cost_range: ForEach[Sequence[float] | None]
    """See HumanoidStandupOptions."""
    impact_cost_weight: ForEach[float | Uniform | Choice[float]]
    """See HumanoidStandupOptions."""
    include_cfrc_ext_in_observation: ForEach[bool]
    """See AntOptions."""
    include_cinert_in_observation: ForEach[bool]
    """See HumanoidOptions."""
    include_cvel_in_observation: ForEach[bool]
    """See HumanoidOptions."""
    include_qfrc_actuator_in_observation: ForEach[bool]
    """See HumanoidOptions."""
    is_rainy: ForEach[bool | Choice[bool]]
    """See TaxiOptions."""
    is_slippery: ForEach[bool | Choice[bool]]
    """See FrozenLakeOptions."""
    lap_complete_percent: ForEach[float | Uniform | Choice[float]]
    """See CarRacingOptions."""
    large: ForEach[float | Uniform | Choice[float]]
    """See NChainOptions."""
    legacy_healthy_reward: ForEach[bool]
    """See AntOptions."""
    local_ratio: ForEach[float | Uniform | Choice[float]]
    """See SimpleSpreadOptions."""
    main_body: ForEach[int | str]
    """See AntOptions."""
    map_name: ForEach[str | None]
    """See FrozenLakeOptions."""
    max_cycles: ForEach[int | None]
    """See SimpleSpreadOptions."""
    max_num_frames_per_episode: ForEach[int | None]
    """See AleAtariOptions."""
    mode: ForEach[int | None]
    """See AtariOptions."""
    n: ForEach[int]
    """See NChainOptions."""
    natural: ForEach[bool | Choice[bool]]
    """See BlackjackOptions."""
    near_cost_weight: ForEach[float | None]
    """See PusherOptions."""
    noop_max: ForEach[int | Integers | Choice[int]]
    """See AtariOptions."""
    num_agent_neighbors: ForEach[int | None]
    """See SimpleSpreadOptions."""
    num_landmark_neighbors: ForEach[int | None]
    """See SimpleSpreadOptions."""
    obs_include_z_distance: ForEach[bool]
    """See ReacherOptions."""
    obs_type: ForEach[Literal["rgb", "grayscale", "ram"]]
    """See AleAtariOptions."""
    observation_max: ForEach[float | Uniform | Choice[float]]
    """See InvertedDoublePendulumOptions."""
    observation_min: ForEach[float | Uniform | Choice[float]]
    """See InvertedDoublePendulumOptions."""
    padding_type: ForEach[Literal["reset", "zero"]]
    """See AleAtariOptions."""
    post_constraint: ForEach[bool]
    """See AntOptions."""
    preprocessing: ForEach[bool]
    """See AleAtariOptions."""
    rainy_probability: ForEach[float | Uniform | Choice[float]]
    """See TaxiV4Options."""
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
    reward_after_step: ForEach[bool]
    """See PusherOptions."""
    reward_clip: ForEach[bool | Choice[bool]]
    """See AtariOptions."""
    reward_control_weight: ForEach[float | Uniform | Choice[float]]
    """See PusherOptions."""
    reward_dist_weight: ForEach[float | Uniform | Choice[float]]
    """See PusherOptions."""
    reward_if_not_terminated: ForEach[bool]
    """See InvertedDoublePendulumOptions."""
    reward_near_weight: ForEach[float | Uniform | Choice[float]]
    """See PusherOptions."""
    reward_schedule: ForEach[Sequence[float] | Choice[Sequence[float]]]
    """See FrozenLakeOptions."""
    rom_dir: ForEach[str | None]
    """See AtariOptions."""
    rows: ForEach[int]
    """See CatchOptions."""
    sab: ForEach[bool | Choice[bool]]
    """See BlackjackOptions."""
    scale_obs: ForEach[bool]
    """See AleAtariOptions."""
    screen_size: ForEach[int | Sequence[int]]
    """See AleAtariOptions."""
    size: ForEach[int]
    """See FrozenLakeOptions."""
    slip: ForEach[float | Uniform | Choice[float]]
    """See NChainOptions."""
    small: ForEach[float | Uniform | Choice[float]]
    """See NChainOptions."""
    stack_num: ForEach[int]
    """See AtariOptions."""
    stack_size: ForEach[int | None]
    """See AleAtariOptions."""
    success_rate: ForEach[float | Uniform | Choice[float]]
    """See FrozenLakeOptions."""
    sutton_barto_reward: ForEach[bool | Choice[bool]]
    """See CartPoleOptions."""
    task: ForEach[str]
    """See AtariOptions."""
    terminal_on_life_loss: ForEach[bool | Choice[bool]]
    """See AleAtariOptions."""
    terminate_on_success: ForEach[bool | Choice[bool]]
    """See SimpleSpreadOptions."""
    terminate_when_unhealthy: ForEach[bool]
    """See AntOptions."""
    turbulence_power: ForEach[float | Uniform | Choice[float]]
    """See LunarLanderOptions."""
    uph_cost_weight: ForEach[float | Uniform | Choice[float]]
    """See HumanoidStandupOptions."""
    use_contact_force: ForEach[bool | None] | ForEach[bool]
    """See AntOptions and HumanoidOptions."""
    use_contact_forces: ForEach[bool]
    """See AntV4Options."""
    use_fire_reset: ForEach[bool | Choice[bool]]
    """See AtariOptions."""
    use_inter_area_resize: ForEach[bool]
    """See AtariOptions."""
    velocity_max: ForEach[float | Uniform | Choice[float]]
    """See HopperOptions."""
    velocity_min: ForEach[float | Uniform | Choice[float]]
    """See HopperOptions."""
    verbose: ForEach[bool]
    """See CarRacingOptions."""
    version: ForEach[int]
    """See PendulumOptions."""
    weighted_reward_info: ForEach[bool]
    """See PusherOptions."""
    width: ForEach[int]
    """See CatchOptions."""
    wind_power: ForEach[float | Uniform | Choice[float]]
    """See LunarLanderOptions."""
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
    """Adventure-v5, AirRaid-v5, Alien-v5 and 101 more. Own options: rom_dir, stack_num, frame_skip, noop_max, zero_discount_on_life_loss, episodic_life, reward_clip, use_fire_reset, img_height, img_width, task, mode, difficulty, full_action_space, repeat_action_probability, use_inter_area_resize, gray_scale."""

@overload
def make(
    task_id: AtariTask,
    env_type: Literal["gym"],
    *,
    num_envs: int = 1,
    gym_reset_return_info: bool | None = None,
    **options: Unpack[AtariOptions],
) -> GymEnvPool:
    """Adventure-v5, AirRaid-v5, Alien-v5 and 101 more. Own options: rom_dir, stack_num, frame_skip, noop_max, zero_discount_on_life_loss, episodic_life, reward_clip, use_fire_reset, img_height, img_width, task, mode, difficulty, full_action_space, repeat_action_probability, use_inter_area_resize, gray_scale."""

@overload
def make(
    task_id: AtariTask,
    env_type: Literal["dm"],
    *,
    num_envs: int = 1,
    gym_reset_return_info: Literal[True] | None = None,
    **options: Unpack[AtariOptions],
) -> DMEnvPool:
    """Adventure-v5, AirRaid-v5, Alien-v5 and 101 more. Own options: rom_dir, stack_num, frame_skip, noop_max, zero_discount_on_life_loss, episodic_life, reward_clip, use_fire_reset, img_height, img_width, task, mode, difficulty, full_action_space, repeat_action_probability, use_inter_area_resize, gray_scale."""

@overload
def make(
    task_id: AleAtariTask,
    env_type: Literal["gymnasium"] = "gymnasium",
    *,
    num_envs: int = 1,
    gym_reset_return_info: Literal[True] | None = None,
    **options: Unpack[AleAtariOptions],
) -> GymnasiumEnvPool[Array]:
    """ALE/Adventure-v5, ALE/AirRaid-v5, ALE/Alien-v5 and 101 more. Own options: rom_dir, game, mode, difficulty, obs_type, frameskip, repeat_action_probability, full_action_space, continuous, continuous_action_threshold, max_num_frames_per_episode, preprocessing, noop_max, frame_skip, screen_size, terminal_on_life_loss, grayscale_obs, grayscale_newaxis, scale_obs, stack_size, padding_type."""

@overload
def make(
    task_id: AleAtariTask,
    env_type: Literal["gym"],
    *,
    num_envs: int = 1,
    gym_reset_return_info: bool | None = None,
    **options: Unpack[AleAtariOptions],
) -> GymEnvPool:
    """ALE/Adventure-v5, ALE/AirRaid-v5, ALE/Alien-v5 and 101 more. Own options: rom_dir, game, mode, difficulty, obs_type, frameskip, repeat_action_probability, full_action_space, continuous, continuous_action_threshold, max_num_frames_per_episode, preprocessing, noop_max, frame_skip, screen_size, terminal_on_life_loss, grayscale_obs, grayscale_newaxis, scale_obs, stack_size, padding_type."""

@overload
def make(
    task_id: AleAtariTask,
    env_type: Literal["dm"],
    *,
    num_envs: int = 1,
    gym_reset_return_info: Literal[True] | None = None,
    **options: Unpack[AleAtariOptions],
) -> DMEnvPool:
    """ALE/Adventure-v5, ALE/AirRaid-v5, ALE/Alien-v5 and 101 more. Own options: rom_dir, game, mode, difficulty, obs_type, frameskip, repeat_action_probability, full_action_space, continuous, continuous_action_threshold, max_num_frames_per_episode, preprocessing, noop_max, frame_skip, screen_size, terminal_on_life_loss, grayscale_obs, grayscale_newaxis, scale_obs, stack_size, padding_type."""

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
    task_id: AntTask,
    env_type: Literal["gymnasium"] = "gymnasium",
    *,
    num_envs: int = 1,
    gym_reset_return_info: Literal[True] | None = None,
    **options: Unpack[AntOptions],
) -> GymnasiumEnvPool[Array]:
    """Ant-v5. Own options: xml_file, xml_dir, frame_skip, frame_stack, post_constraint, forward_reward_weight, ctrl_cost_weight, contact_cost_weight, main_body, healthy_z_range, healthy_z_min, healthy_z_max, contact_force_range, contact_force_min, contact_force_max, reset_noise_scale, exclude_current_positions_from_observation, include_cfrc_ext_in_observation, use_contact_force, exclude_worldbody_contact_forces, healthy_reward, terminate_when_unhealthy, legacy_healthy_reward."""

@overload
def make(
    task_id: AntTask,
    env_type: Literal["gym"],
    *,
    num_envs: int = 1,
    gym_reset_return_info: bool | None = None,
    **options: Unpack[AntOptions],
) -> GymEnvPool:
    """Ant-v5. Own options: xml_file, xml_dir, frame_skip, frame_stack, post_constraint, forward_reward_weight, ctrl_cost_weight, contact_cost_weight, main_body, healthy_z_range, healthy_z_min, healthy_z_max, contact_force_range, contact_force_min, contact_force_max, reset_noise_scale, exclude_current_positions_from_observation, include_cfrc_ext_in_observation, use_contact_force, exclude_worldbody_contact_forces, healthy_reward, terminate_when_unhealthy, legacy_healthy_reward."""

@overload
def make(
    task_id: AntTask,
    env_type: Literal["dm"],
    *,
    num_envs: int = 1,
    gym_reset_return_info: Literal[True] | None = None,
    **options: Unpack[AntOptions],
) -> DMEnvPool:
    """Ant-v5. Own options: xml_file, xml_dir, frame_skip, frame_stack, post_constraint, forward_reward_weight, ctrl_cost_weight, contact_cost_weight, main_body, healthy_z_range, healthy_z_min, healthy_z_max, contact_force_range, contact_force_min, contact_force_max, reset_noise_scale, exclude_current_positions_from_observation, include_cfrc_ext_in_observation, use_contact_force, exclude_worldbody_contact_forces, healthy_reward, terminate_when_unhealthy, legacy_healthy_reward."""

@overload
def make(
    task_id: AntV4Task,
    env_type: Literal["gymnasium"] = "gymnasium",
    *,
    num_envs: int = 1,
    gym_reset_return_info: Literal[True] | None = None,
    **options: Unpack[AntV4Options],
) -> GymnasiumEnvPool[Array]:
    """Ant-v4, Ant-v3. Own options: xml_file, xml_dir, frame_skip, frame_stack, post_constraint, forward_reward_weight, ctrl_cost_weight, contact_cost_weight, main_body, healthy_z_range, healthy_z_min, healthy_z_max, contact_force_range, contact_force_min, contact_force_max, reset_noise_scale, exclude_current_positions_from_observation, use_contact_forces, use_contact_force, exclude_worldbody_contact_forces, healthy_reward, terminate_when_unhealthy, legacy_healthy_reward."""

@overload
def make(
    task_id: AntV4Task,
    env_type: Literal["gym"],
    *,
    num_envs: int = 1,
    gym_reset_return_info: bool | None = None,
    **options: Unpack[AntV4Options],
) -> GymEnvPool:
    """Ant-v4, Ant-v3. Own options: xml_file, xml_dir, frame_skip, frame_stack, post_constraint, forward_reward_weight, ctrl_cost_weight, contact_cost_weight, main_body, healthy_z_range, healthy_z_min, healthy_z_max, contact_force_range, contact_force_min, contact_force_max, reset_noise_scale, exclude_current_positions_from_observation, use_contact_forces, use_contact_force, exclude_worldbody_contact_forces, healthy_reward, terminate_when_unhealthy, legacy_healthy_reward."""

@overload
def make(
    task_id: AntV4Task,
    env_type: Literal["dm"],
    *,
    num_envs: int = 1,
    gym_reset_return_info: Literal[True] | None = None,
    **options: Unpack[AntV4Options],
) -> DMEnvPool:
    """Ant-v4, Ant-v3. Own options: xml_file, xml_dir, frame_skip, frame_stack, post_constraint, forward_reward_weight, ctrl_cost_weight, contact_cost_weight, main_body, healthy_z_range, healthy_z_min, healthy_z_max, contact_force_range, contact_force_min, contact_force_max, reset_noise_scale, exclude_current_positions_from_observation, use_contact_forces, use_contact_force, exclude_worldbody_contact_forces, healthy_reward, terminate_when_unhealthy, legacy_healthy_reward."""

@overload
def make(
    task_id: HalfCheetahTask,
    env_type: Literal["gymnasium"] = "gymnasium",
    *,
    num_envs: int = 1,
    gym_reset_return_info: Literal[True] | None = None,
    **options: Unpack[HalfCheetahOptions],
) -> GymnasiumEnvPool[Array]:
    """HalfCheetah-v5, HalfCheetah-v4, HalfCheetah-v3 and 3 more. Own options: xml_file, xml_dir, frame_skip, frame_stack, post_constraint, forward_reward_weight, ctrl_cost_weight, reset_noise_scale, exclude_current_positions_from_observation."""

@overload
def make(
    task_id: HalfCheetahTask,
    env_type: Literal["gym"],
    *,
    num_envs: int = 1,
    gym_reset_return_info: bool | None = None,
    **options: Unpack[HalfCheetahOptions],
) -> GymEnvPool:
    """HalfCheetah-v5, HalfCheetah-v4, HalfCheetah-v3 and 3 more. Own options: xml_file, xml_dir, frame_skip, frame_stack, post_constraint, forward_reward_weight, ctrl_cost_weight, reset_noise_scale, exclude_current_positions_from_observation."""

@overload
def make(
    task_id: HalfCheetahTask,
    env_type: Literal["dm"],
    *,
    num_envs: int = 1,
    gym_reset_return_info: Literal[True] | None = None,
    **options: Unpack[HalfCheetahOptions],
) -> DMEnvPool:
    """HalfCheetah-v5, HalfCheetah-v4, HalfCheetah-v3 and 3 more. Own options: xml_file, xml_dir, frame_skip, frame_stack, post_constraint, forward_reward_weight, ctrl_cost_weight, reset_noise_scale, exclude_current_positions_from_observation."""

@overload
def make(
    task_id: HopperTask,
    env_type: Literal["gymnasium"] = "gymnasium",
    *,
    num_envs: int = 1,
    gym_reset_return_info: Literal[True] | None = None,
    **options: Unpack[HopperOptions],
) -> GymnasiumEnvPool[Array]:
    """Hopper-v5, Hopper-v4, Hopper-v3. Own options: xml_file, xml_dir, frame_skip, frame_stack, post_constraint, forward_reward_weight, ctrl_cost_weight, healthy_reward, terminate_when_unhealthy, legacy_healthy_reward, healthy_state_range, healthy_state_min, healthy_state_max, healthy_z_range, healthy_z_min, healthy_angle_range, healthy_angle_min, healthy_angle_max, velocity_min, velocity_max, reset_noise_scale, exclude_current_positions_from_observation."""

@overload
def make(
    task_id: HopperTask,
    env_type: Literal["gym"],
    *,
    num_envs: int = 1,
    gym_reset_return_info: bool | None = None,
    **options: Unpack[HopperOptions],
) -> GymEnvPool:
    """Hopper-v5, Hopper-v4, Hopper-v3. Own options: xml_file, xml_dir, frame_skip, frame_stack, post_constraint, forward_reward_weight, ctrl_cost_weight, healthy_reward, terminate_when_unhealthy, legacy_healthy_reward, healthy_state_range, healthy_state_min, healthy_state_max, healthy_z_range, healthy_z_min, healthy_angle_range, healthy_angle_min, healthy_angle_max, velocity_min, velocity_max, reset_noise_scale, exclude_current_positions_from_observation."""

@overload
def make(
    task_id: HopperTask,
    env_type: Literal["dm"],
    *,
    num_envs: int = 1,
    gym_reset_return_info: Literal[True] | None = None,
    **options: Unpack[HopperOptions],
) -> DMEnvPool:
    """Hopper-v5, Hopper-v4, Hopper-v3. Own options: xml_file, xml_dir, frame_skip, frame_stack, post_constraint, forward_reward_weight, ctrl_cost_weight, healthy_reward, terminate_when_unhealthy, legacy_healthy_reward, healthy_state_range, healthy_state_min, healthy_state_max, healthy_z_range, healthy_z_min, healthy_angle_range, healthy_angle_min, healthy_angle_max, velocity_min, velocity_max, reset_noise_scale, exclude_current_positions_from_observation."""

@overload
def make(
    task_id: HumanoidTask,
    env_type: Literal["gymnasium"] = "gymnasium",
    *,
    num_envs: int = 1,
    gym_reset_return_info: Literal[True] | None = None,
    **options: Unpack[HumanoidOptions],
) -> GymnasiumEnvPool[Array]:
    """Humanoid-v5, Humanoid-v4, Humanoid-v3. Own options: xml_file, xml_dir, frame_skip, frame_stack, post_constraint, forward_reward_weight, ctrl_cost_weight, contact_cost_weight, contact_cost_range, contact_cost_max, use_contact_force, healthy_reward, terminate_when_unhealthy, legacy_healthy_reward, healthy_z_range, healthy_z_min, healthy_z_max, reset_noise_scale, exclude_current_positions_from_observation, include_cinert_in_observation, include_cvel_in_observation, include_qfrc_actuator_in_observation, include_cfrc_ext_in_observation, exclude_worldbody_observations, exclude_root_actuator_forces."""

@overload
def make(
    task_id: HumanoidTask,
    env_type: Literal["gym"],
    *,
    num_envs: int = 1,
    gym_reset_return_info: bool | None = None,
    **options: Unpack[HumanoidOptions],
) -> GymEnvPool:
    """Humanoid-v5, Humanoid-v4, Humanoid-v3. Own options: xml_file, xml_dir, frame_skip, frame_stack, post_constraint, forward_reward_weight, ctrl_cost_weight, contact_cost_weight, contact_cost_range, contact_cost_max, use_contact_force, healthy_reward, terminate_when_unhealthy, legacy_healthy_reward, healthy_z_range, healthy_z_min, healthy_z_max, reset_noise_scale, exclude_current_positions_from_observation, include_cinert_in_observation, include_cvel_in_observation, include_qfrc_actuator_in_observation, include_cfrc_ext_in_observation, exclude_worldbody_observations, exclude_root_actuator_forces."""

@overload
def make(
    task_id: HumanoidTask,
    env_type: Literal["dm"],
    *,
    num_envs: int = 1,
    gym_reset_return_info: Literal[True] | None = None,
    **options: Unpack[HumanoidOptions],
) -> DMEnvPool:
    """Humanoid-v5, Humanoid-v4, Humanoid-v3. Own options: xml_file, xml_dir, frame_skip, frame_stack, post_constraint, forward_reward_weight, ctrl_cost_weight, contact_cost_weight, contact_cost_range, contact_cost_max, use_contact_force, healthy_reward, terminate_when_unhealthy, legacy_healthy_reward, healthy_z_range, healthy_z_min, healthy_z_max, reset_noise_scale, exclude_current_positions_from_observation, include_cinert_in_observation, include_cvel_in_observation, include_qfrc_actuator_in_observation, include_cfrc_ext_in_observation, exclude_worldbody_observations, exclude_root_actuator_forces."""

@overload
def make(
    task_id: HumanoidStandupTask,
    env_type: Literal["gymnasium"] = "gymnasium",
    *,
    num_envs: int = 1,
    gym_reset_return_info: Literal[True] | None = None,
    **options: Unpack[HumanoidStandupOptions],
) -> GymnasiumEnvPool[Array]:
    """HumanoidStandup-v5, HumanoidStandup-v4, HumanoidStandup-v2. Own options: xml_file, xml_dir, frame_skip, frame_stack, post_constraint, uph_cost_weight, ctrl_cost_weight, impact_cost_weight, impact_cost_range, contact_cost_max, reset_noise_scale, exclude_current_positions_from_observation, include_cinert_in_observation, include_cvel_in_observation, include_qfrc_actuator_in_observation, include_cfrc_ext_in_observation, exclude_worldbody_observations, exclude_root_actuator_forces."""

@overload
def make(
    task_id: HumanoidStandupTask,
    env_type: Literal["gym"],
    *,
    num_envs: int = 1,
    gym_reset_return_info: bool | None = None,
    **options: Unpack[HumanoidStandupOptions],
) -> GymEnvPool:
    """HumanoidStandup-v5, HumanoidStandup-v4, HumanoidStandup-v2. Own options: xml_file, xml_dir, frame_skip, frame_stack, post_constraint, uph_cost_weight, ctrl_cost_weight, impact_cost_weight, impact_cost_range, contact_cost_max, reset_noise_scale, exclude_current_positions_from_observation, include_cinert_in_observation, include_cvel_in_observation, include_qfrc_actuator_in_observation, include_cfrc_ext_in_observation, exclude_worldbody_observations, exclude_root_actuator_forces."""

@overload
def make(
    task_id: HumanoidStandupTask,
    env_type: Literal["dm"],
    *,
    num_envs: int = 1,
    gym_reset_return_info: Literal[True] | None = None,
    **options: Unpack[HumanoidStandupOptions],
) -> DMEnvPool:
    """HumanoidStandup-v5, HumanoidStandup-v4, HumanoidStandup-v2. Own options: xml_file, xml_dir, frame_skip, frame_stack, post_constraint, uph_cost_weight, ctrl_cost_weight, impact_cost_weight, impact_cost_range, contact_cost_max, reset_noise_scale, exclude_current_positions_from_observation, include_cinert_in_observation, include_cvel_in_observation, include_qfrc_actuator_in_observation, include_cfrc_ext_in_observation, exclude_worldbody_observations, exclude_root_actuator_forces."""

@overload
def make(
    task_id: InvertedDoublePendulumTask,
    env_type: Literal["gymnasium"] = "gymnasium",
    *,
    num_envs: int = 1,
    gym_reset_return_info: Literal[True] | None = None,
    **options: Unpack[InvertedDoublePendulumOptions],
) -> GymnasiumEnvPool[Array]:
    """InvertedDoublePendulum-v5, InvertedDoublePendulum-v4, InvertedDoublePendulum-v2. Own options: xml_file, xml_dir, frame_skip, frame_stack, post_constraint, healthy_reward, healthy_z_max, reward_if_not_terminated, observation_min, observation_max, constraint_obs_dim, reset_noise_scale."""

@overload
def make(
    task_id: InvertedDoublePendulumTask,
    env_type: Literal["gym"],
    *,
    num_envs: int = 1,
    gym_reset_return_info: bool | None = None,
    **options: Unpack[InvertedDoublePendulumOptions],
) -> GymEnvPool:
    """InvertedDoublePendulum-v5, InvertedDoublePendulum-v4, InvertedDoublePendulum-v2. Own options: xml_file, xml_dir, frame_skip, frame_stack, post_constraint, healthy_reward, healthy_z_max, reward_if_not_terminated, observation_min, observation_max, constraint_obs_dim, reset_noise_scale."""

@overload
def make(
    task_id: InvertedDoublePendulumTask,
    env_type: Literal["dm"],
    *,
    num_envs: int = 1,
    gym_reset_return_info: Literal[True] | None = None,
    **options: Unpack[InvertedDoublePendulumOptions],
) -> DMEnvPool:
    """InvertedDoublePendulum-v5, InvertedDoublePendulum-v4, InvertedDoublePendulum-v2. Own options: xml_file, xml_dir, frame_skip, frame_stack, post_constraint, healthy_reward, healthy_z_max, reward_if_not_terminated, observation_min, observation_max, constraint_obs_dim, reset_noise_scale."""

@overload
def make(
    task_id: InvertedPendulumTask,
    env_type: Literal["gymnasium"] = "gymnasium",
    *,
    num_envs: int = 1,
    gym_reset_return_info: Literal[True] | None = None,
    **options: Unpack[InvertedPendulumOptions],
) -> GymnasiumEnvPool[Array]:
    """InvertedPendulum-v5, InvertedPendulum-v4, InvertedPendulum-v2. Own options: xml_file, xml_dir, frame_skip, frame_stack, post_constraint, healthy_reward, healthy_z_range, healthy_z_min, healthy_z_max, reward_if_not_terminated, reset_noise_scale."""

@overload
def make(
    task_id: InvertedPendulumTask,
    env_type: Literal["gym"],
    *,
    num_envs: int = 1,
    gym_reset_return_info: bool | None = None,
    **options: Unpack[InvertedPendulumOptions],
) -> GymEnvPool:
    """InvertedPendulum-v5, InvertedPendulum-v4, InvertedPendulum-v2. Own options: xml_file, xml_dir, frame_skip, frame_stack, post_constraint, healthy_reward, healthy_z_range, healthy_z_min, healthy_z_max, reward_if_not_terminated, reset_noise_scale."""

@overload
def make(
    task_id: InvertedPendulumTask,
    env_type: Literal["dm"],
    *,
    num_envs: int = 1,
    gym_reset_return_info: Literal[True] | None = None,
    **options: Unpack[InvertedPendulumOptions],
) -> DMEnvPool:
    """InvertedPendulum-v5, InvertedPendulum-v4, InvertedPendulum-v2. Own options: xml_file, xml_dir, frame_skip, frame_stack, post_constraint, healthy_reward, healthy_z_range, healthy_z_min, healthy_z_max, reward_if_not_terminated, reset_noise_scale."""

@overload
def make(
    task_id: PusherTask,
    env_type: Literal["gymnasium"] = "gymnasium",
    *,
    num_envs: int = 1,
    gym_reset_return_info: Literal[True] | None = None,
    **options: Unpack[PusherOptions],
) -> GymnasiumEnvPool[Array]:
    """Pusher-v5, Pusher-v4, Pusher-v2. Own options: xml_file, xml_dir, frame_skip, frame_stack, post_constraint, reward_near_weight, reward_dist_weight, reward_control_weight, near_cost_weight, dist_cost_weight, ctrl_cost_weight, reward_after_step, weighted_reward_info, reset_qvel_scale, cylinder_x_min, cylinder_x_max, cylinder_y_min, cylinder_y_max, cylinder_dist_min."""

@overload
def make(
    task_id: PusherTask,
    env_type: Literal["gym"],
    *,
    num_envs: int = 1,
    gym_reset_return_info: bool | None = None,
    **options: Unpack[PusherOptions],
) -> GymEnvPool:
    """Pusher-v5, Pusher-v4, Pusher-v2. Own options: xml_file, xml_dir, frame_skip, frame_stack, post_constraint, reward_near_weight, reward_dist_weight, reward_control_weight, near_cost_weight, dist_cost_weight, ctrl_cost_weight, reward_after_step, weighted_reward_info, reset_qvel_scale, cylinder_x_min, cylinder_x_max, cylinder_y_min, cylinder_y_max, cylinder_dist_min."""

@overload
def make(
    task_id: PusherTask,
    env_type: Literal["dm"],
    *,
    num_envs: int = 1,
    gym_reset_return_info: Literal[True] | None = None,
    **options: Unpack[PusherOptions],
) -> DMEnvPool:
    """Pusher-v5, Pusher-v4, Pusher-v2. Own options: xml_file, xml_dir, frame_skip, frame_stack, post_constraint, reward_near_weight, reward_dist_weight, reward_control_weight, near_cost_weight, dist_cost_weight, ctrl_cost_weight, reward_after_step, weighted_reward_info, reset_qvel_scale, cylinder_x_min, cylinder_x_max, cylinder_y_min, cylinder_y_max, cylinder_dist_min."""

@overload
def make(
    task_id: ReacherTask,
    env_type: Literal["gymnasium"] = "gymnasium",
    *,
    num_envs: int = 1,
    gym_reset_return_info: Literal[True] | None = None,
    **options: Unpack[ReacherOptions],
) -> GymnasiumEnvPool[Array]:
    """Reacher-v5, Reacher-v4, Reacher-v2. Own options: xml_file, xml_dir, frame_skip, frame_stack, post_constraint, reward_dist_weight, reward_control_weight, dist_cost_weight, ctrl_cost_weight, reward_after_step, obs_include_z_distance, reset_qpos_scale, reset_qvel_scale, reset_goal_scale."""

@overload
def make(
    task_id: ReacherTask,
    env_type: Literal["gym"],
    *,
    num_envs: int = 1,
    gym_reset_return_info: bool | None = None,
    **options: Unpack[ReacherOptions],
) -> GymEnvPool:
    """Reacher-v5, Reacher-v4, Reacher-v2. Own options: xml_file, xml_dir, frame_skip, frame_stack, post_constraint, reward_dist_weight, reward_control_weight, dist_cost_weight, ctrl_cost_weight, reward_after_step, obs_include_z_distance, reset_qpos_scale, reset_qvel_scale, reset_goal_scale."""

@overload
def make(
    task_id: ReacherTask,
    env_type: Literal["dm"],
    *,
    num_envs: int = 1,
    gym_reset_return_info: Literal[True] | None = None,
    **options: Unpack[ReacherOptions],
) -> DMEnvPool:
    """Reacher-v5, Reacher-v4, Reacher-v2. Own options: xml_file, xml_dir, frame_skip, frame_stack, post_constraint, reward_dist_weight, reward_control_weight, dist_cost_weight, ctrl_cost_weight, reward_after_step, obs_include_z_distance, reset_qpos_scale, reset_qvel_scale, reset_goal_scale."""

@overload
def make(
    task_id: Walker2dTask,
    env_type: Literal["gymnasium"] = "gymnasium",
    *,
    num_envs: int = 1,
    gym_reset_return_info: Literal[True] | None = None,
    **options: Unpack[Walker2dOptions],
) -> GymnasiumEnvPool[Array]:
    """Walker2d-v5, Walker2d-v4, Walker2d-v3. Own options: xml_file, xml_dir, frame_skip, frame_stack, post_constraint, forward_reward_weight, ctrl_cost_weight, healthy_reward, terminate_when_unhealthy, legacy_healthy_reward, healthy_z_range, healthy_z_min, healthy_z_max, healthy_angle_range, healthy_angle_min, healthy_angle_max, velocity_min, velocity_max, reset_noise_scale, exclude_current_positions_from_observation."""

@overload
def make(
    task_id: Walker2dTask,
    env_type: Literal["gym"],
    *,
    num_envs: int = 1,
    gym_reset_return_info: bool | None = None,
    **options: Unpack[Walker2dOptions],
) -> GymEnvPool:
    """Walker2d-v5, Walker2d-v4, Walker2d-v3. Own options: xml_file, xml_dir, frame_skip, frame_stack, post_constraint, forward_reward_weight, ctrl_cost_weight, healthy_reward, terminate_when_unhealthy, legacy_healthy_reward, healthy_z_range, healthy_z_min, healthy_z_max, healthy_angle_range, healthy_angle_min, healthy_angle_max, velocity_min, velocity_max, reset_noise_scale, exclude_current_positions_from_observation."""

@overload
def make(
    task_id: Walker2dTask,
    env_type: Literal["dm"],
    *,
    num_envs: int = 1,
    gym_reset_return_info: Literal[True] | None = None,
    **options: Unpack[Walker2dOptions],
) -> DMEnvPool:
    """Walker2d-v5, Walker2d-v4, Walker2d-v3. Own options: xml_file, xml_dir, frame_skip, frame_stack, post_constraint, forward_reward_weight, ctrl_cost_weight, healthy_reward, terminate_when_unhealthy, legacy_healthy_reward, healthy_z_range, healthy_z_min, healthy_z_max, healthy_angle_range, healthy_angle_min, healthy_angle_max, velocity_min, velocity_max, reset_noise_scale, exclude_current_positions_from_observation."""

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
    """Adventure-v5, AirRaid-v5, Alien-v5 and 101 more. Own options: rom_dir, stack_num, frame_skip, noop_max, zero_discount_on_life_loss, episodic_life, reward_clip, use_fire_reset, img_height, img_width, task, mode, difficulty, full_action_space, repeat_action_probability, use_inter_area_resize, gray_scale."""

@overload
def make_gymnasium(
    task_id: AleAtariTask,
    *,
    num_envs: int = 1,
    gym_reset_return_info: Literal[True] | None = None,
    **options: Unpack[AleAtariOptions],
) -> GymnasiumEnvPool[Array]:
    """ALE/Adventure-v5, ALE/AirRaid-v5, ALE/Alien-v5 and 101 more. Own options: rom_dir, game, mode, difficulty, obs_type, frameskip, repeat_action_probability, full_action_space, continuous, continuous_action_threshold, max_num_frames_per_episode, preprocessing, noop_max, frame_skip, screen_size, terminal_on_life_loss, grayscale_obs, grayscale_newaxis, scale_obs, stack_size, padding_type."""

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
    task_id: AntTask,
    *,
    num_envs: int = 1,
    gym_reset_return_info: Literal[True] | None = None,
    **options: Unpack[AntOptions],
) -> GymnasiumEnvPool[Array]:
    """Ant-v5. Own options: xml_file, xml_dir, frame_skip, frame_stack, post_constraint, forward_reward_weight, ctrl_cost_weight, contact_cost_weight, main_body, healthy_z_range, healthy_z_min, healthy_z_max, contact_force_range, contact_force_min, contact_force_max, reset_noise_scale, exclude_current_positions_from_observation, include_cfrc_ext_in_observation, use_contact_force, exclude_worldbody_contact_forces, healthy_reward, terminate_when_unhealthy, legacy_healthy_reward."""

@overload
def make_gymnasium(
    task_id: AntV4Task,
    *,
    num_envs: int = 1,
    gym_reset_return_info: Literal[True] | None = None,
    **options: Unpack[AntV4Options],
) -> GymnasiumEnvPool[Array]:
    """Ant-v4, Ant-v3. Own options: xml_file, xml_dir, frame_skip, frame_stack, post_constraint, forward_reward_weight, ctrl_cost_weight, contact_cost_weight, main_body, healthy_z_range, healthy_z_min, healthy_z_max, contact_force_range, contact_force_min, contact_force_max, reset_noise_scale, exclude_current_positions_from_observation, use_contact_forces, use_contact_force, exclude_worldbody_contact_forces, healthy_reward, terminate_when_unhealthy, legacy_healthy_reward."""

@overload
def make_gymnasium(
    task_id: HalfCheetahTask,
    *,
    num_envs: int = 1,
    gym_reset_return_info: Literal[True] | None = None,
    **options: Unpack[HalfCheetahOptions],
) -> GymnasiumEnvPool[Array]:
    """HalfCheetah-v5, HalfCheetah-v4, HalfCheetah-v3 and 3 more. Own options: xml_file, xml_dir, frame_skip, frame_stack, post_constraint, forward_reward_weight, ctrl_cost_weight, reset_noise_scale, exclude_current_positions_from_observation."""

@overload
def make_gymnasium(
    task_id: HopperTask,
    *,
    num_envs: int = 1,
    gym_reset_return_info: Literal[True] | None = None,
    **options: Unpack[HopperOptions],
) -> GymnasiumEnvPool[Array]:
    """Hopper-v5, Hopper-v4, Hopper-v3. Own options: xml_file, xml_dir, frame_skip, frame_stack, post_constraint, forward_reward_weight, ctrl_cost_weight, healthy_reward, terminate_when_unhealthy, legacy_healthy_reward, healthy_state_range, healthy_state_min, healthy_state_max, healthy_z_range, healthy_z_min, healthy_angle_range, healthy_angle_min, healthy_angle_max, velocity_min, velocity_max, reset_noise_scale, exclude_current_positions_from_observation."""

@overload
def make_gymnasium(
    task_id: HumanoidTask,
    *,
    num_envs: int = 1,
    gym_reset_return_info: Literal[True] | None = None,
    **options: Unpack[HumanoidOptions],
) -> GymnasiumEnvPool[Array]:
    """Humanoid-v5, Humanoid-v4, Humanoid-v3. Own options: xml_file, xml_dir, frame_skip, frame_stack, post_constraint, forward_reward_weight, ctrl_cost_weight, contact_cost_weight, contact_cost_range, contact_cost_max, use_contact_force, healthy_reward, terminate_when_unhealthy, legacy_healthy_reward, healthy_z_range, healthy_z_min, healthy_z_max, reset_noise_scale, exclude_current_positions_from_observation, include_cinert_in_observation, include_cvel_in_observation, include_qfrc_actuator_in_observation, include_cfrc_ext_in_observation, exclude_worldbody_observations, exclude_root_actuator_forces."""

@overload
def make_gymnasium(
    task_id: HumanoidStandupTask,
    *,
    num_envs: int = 1,
    gym_reset_return_info: Literal[True] | None = None,
    **options: Unpack[HumanoidStandupOptions],
) -> GymnasiumEnvPool[Array]:
    """HumanoidStandup-v5, HumanoidStandup-v4, HumanoidStandup-v2. Own options: xml_file, xml_dir, frame_skip, frame_stack, post_constraint, uph_cost_weight, ctrl_cost_weight, impact_cost_weight, impact_cost_range, contact_cost_max, reset_noise_scale, exclude_current_positions_from_observation, include_cinert_in_observation, include_cvel_in_observation, include_qfrc_actuator_in_observation, include_cfrc_ext_in_observation, exclude_worldbody_observations, exclude_root_actuator_forces."""

@overload
def make_gymnasium(
    task_id: InvertedDoublePendulumTask,
    *,
    num_envs: int = 1,
    gym_reset_return_info: Literal[True] | None = None,
    **options: Unpack[InvertedDoublePendulumOptions],
) -> GymnasiumEnvPool[Array]:
    """InvertedDoublePendulum-v5, InvertedDoublePendulum-v4, InvertedDoublePendulum-v2. Own options: xml_file, xml_dir, frame_skip, frame_stack, post_constraint, healthy_reward, healthy_z_max, reward_if_not_terminated, observation_min, observation_max, constraint_obs_dim, reset_noise_scale."""

@overload
def make_gymnasium(
    task_id: InvertedPendulumTask,
    *,
    num_envs: int = 1,
    gym_reset_return_info: Literal[True] | None = None,
    **options: Unpack[InvertedPendulumOptions],
) -> GymnasiumEnvPool[Array]:
    """InvertedPendulum-v5, InvertedPendulum-v4, InvertedPendulum-v2. Own options: xml_file, xml_dir, frame_skip, frame_stack, post_constraint, healthy_reward, healthy_z_range, healthy_z_min, healthy_z_max, reward_if_not_terminated, reset_noise_scale."""

@overload
def make_gymnasium(
    task_id: PusherTask,
    *,
    num_envs: int = 1,
    gym_reset_return_info: Literal[True] | None = None,
    **options: Unpack[PusherOptions],
) -> GymnasiumEnvPool[Array]:
    """Pusher-v5, Pusher-v4, Pusher-v2. Own options: xml_file, xml_dir, frame_skip, frame_stack, post_constraint, reward_near_weight, reward_dist_weight, reward_control_weight, near_cost_weight, dist_cost_weight, ctrl_cost_weight, reward_after_step, weighted_reward_info, reset_qvel_scale, cylinder_x_min, cylinder_x_max, cylinder_y_min, cylinder_y_max, cylinder_dist_min."""

@overload
def make_gymnasium(
    task_id: ReacherTask,
    *,
    num_envs: int = 1,
    gym_reset_return_info: Literal[True] | None = None,
    **options: Unpack[ReacherOptions],
) -> GymnasiumEnvPool[Array]:
    """Reacher-v5, Reacher-v4, Reacher-v2. Own options: xml_file, xml_dir, frame_skip, frame_stack, post_constraint, reward_dist_weight, reward_control_weight, dist_cost_weight, ctrl_cost_weight, reward_after_step, obs_include_z_distance, reset_qpos_scale, reset_qvel_scale, reset_goal_scale."""

@overload
def make_gymnasium(
    task_id: Walker2dTask,
    *,
    num_envs: int = 1,
    gym_reset_return_info: Literal[True] | None = None,
    **options: Unpack[Walker2dOptions],
) -> GymnasiumEnvPool[Array]:
    """Walker2d-v5, Walker2d-v4, Walker2d-v3. Own options: xml_file, xml_dir, frame_skip, frame_stack, post_constraint, forward_reward_weight, ctrl_cost_weight, healthy_reward, terminate_when_unhealthy, legacy_healthy_reward, healthy_z_range, healthy_z_min, healthy_z_max, healthy_angle_range, healthy_angle_min, healthy_angle_max, velocity_min, velocity_max, reset_noise_scale, exclude_current_positions_from_observation."""

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
    """Adventure-v5, AirRaid-v5, Alien-v5 and 101 more. Own options: rom_dir, stack_num, frame_skip, noop_max, zero_discount_on_life_loss, episodic_life, reward_clip, use_fire_reset, img_height, img_width, task, mode, difficulty, full_action_space, repeat_action_probability, use_inter_area_resize, gray_scale."""

@overload
def make_gym(
    task_id: AleAtariTask,
    *,
    num_envs: int = 1,
    gym_reset_return_info: bool | None = None,
    **options: Unpack[AleAtariOptions],
) -> GymEnvPool:
    """ALE/Adventure-v5, ALE/AirRaid-v5, ALE/Alien-v5 and 101 more. Own options: rom_dir, game, mode, difficulty, obs_type, frameskip, repeat_action_probability, full_action_space, continuous, continuous_action_threshold, max_num_frames_per_episode, preprocessing, noop_max, frame_skip, screen_size, terminal_on_life_loss, grayscale_obs, grayscale_newaxis, scale_obs, stack_size, padding_type."""

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
    task_id: AntTask, *, num_envs: int = 1, gym_reset_return_info: bool | None = None, **options: Unpack[AntOptions]
) -> GymEnvPool:
    """Ant-v5. Own options: xml_file, xml_dir, frame_skip, frame_stack, post_constraint, forward_reward_weight, ctrl_cost_weight, contact_cost_weight, main_body, healthy_z_range, healthy_z_min, healthy_z_max, contact_force_range, contact_force_min, contact_force_max, reset_noise_scale, exclude_current_positions_from_observation, include_cfrc_ext_in_observation, use_contact_force, exclude_worldbody_contact_forces, healthy_reward, terminate_when_unhealthy, legacy_healthy_reward."""

@overload
def make_gym(
    task_id: AntV4Task, *, num_envs: int = 1, gym_reset_return_info: bool | None = None, **options: Unpack[AntV4Options]
) -> GymEnvPool:
    """Ant-v4, Ant-v3. Own options: xml_file, xml_dir, frame_skip, frame_stack, post_constraint, forward_reward_weight, ctrl_cost_weight, contact_cost_weight, main_body, healthy_z_range, healthy_z_min, healthy_z_max, contact_force_range, contact_force_min, contact_force_max, reset_noise_scale, exclude_current_positions_from_observation, use_contact_forces, use_contact_force, exclude_worldbody_contact_forces, healthy_reward, terminate_when_unhealthy, legacy_healthy_reward."""

@overload
def make_gym(
    task_id: HalfCheetahTask,
    *,
    num_envs: int = 1,
    gym_reset_return_info: bool | None = None,
    **options: Unpack[HalfCheetahOptions],
) -> GymEnvPool:
    """HalfCheetah-v5, HalfCheetah-v4, HalfCheetah-v3 and 3 more. Own options: xml_file, xml_dir, frame_skip, frame_stack, post_constraint, forward_reward_weight, ctrl_cost_weight, reset_noise_scale, exclude_current_positions_from_observation."""

@overload
def make_gym(
    task_id: HopperTask,
    *,
    num_envs: int = 1,
    gym_reset_return_info: bool | None = None,
    **options: Unpack[HopperOptions],
) -> GymEnvPool:
    """Hopper-v5, Hopper-v4, Hopper-v3. Own options: xml_file, xml_dir, frame_skip, frame_stack, post_constraint, forward_reward_weight, ctrl_cost_weight, healthy_reward, terminate_when_unhealthy, legacy_healthy_reward, healthy_state_range, healthy_state_min, healthy_state_max, healthy_z_range, healthy_z_min, healthy_angle_range, healthy_angle_min, healthy_angle_max, velocity_min, velocity_max, reset_noise_scale, exclude_current_positions_from_observation."""

@overload
def make_gym(
    task_id: HumanoidTask,
    *,
    num_envs: int = 1,
    gym_reset_return_info: bool | None = None,
    **options: Unpack[HumanoidOptions],
) -> GymEnvPool:
    """Humanoid-v5, Humanoid-v4, Humanoid-v3. Own options: xml_file, xml_dir, frame_skip, frame_stack, post_constraint, forward_reward_weight, ctrl_cost_weight, contact_cost_weight, contact_cost_range, contact_cost_max, use_contact_force, healthy_reward, terminate_when_unhealthy, legacy_healthy_reward, healthy_z_range, healthy_z_min, healthy_z_max, reset_noise_scale, exclude_current_positions_from_observation, include_cinert_in_observation, include_cvel_in_observation, include_qfrc_actuator_in_observation, include_cfrc_ext_in_observation, exclude_worldbody_observations, exclude_root_actuator_forces."""

@overload
def make_gym(
    task_id: HumanoidStandupTask,
    *,
    num_envs: int = 1,
    gym_reset_return_info: bool | None = None,
    **options: Unpack[HumanoidStandupOptions],
) -> GymEnvPool:
    """HumanoidStandup-v5, HumanoidStandup-v4, HumanoidStandup-v2. Own options: xml_file, xml_dir, frame_skip, frame_stack, post_constraint, uph_cost_weight, ctrl_cost_weight, impact_cost_weight, impact_cost_range, contact_cost_max, reset_noise_scale, exclude_current_positions_from_observation, include_cinert_in_observation, include_cvel_in_observation, include_qfrc_actuator_in_observation, include_cfrc_ext_in_observation, exclude_worldbody_observations, exclude_root_actuator_forces."""

@overload
def make_gym(
    task_id: InvertedDoublePendulumTask,
    *,
    num_envs: int = 1,
    gym_reset_return_info: bool | None = None,
    **options: Unpack[InvertedDoublePendulumOptions],
) -> GymEnvPool:
    """InvertedDoublePendulum-v5, InvertedDoublePendulum-v4, InvertedDoublePendulum-v2. Own options: xml_file, xml_dir, frame_skip, frame_stack, post_constraint, healthy_reward, healthy_z_max, reward_if_not_terminated, observation_min, observation_max, constraint_obs_dim, reset_noise_scale."""

@overload
def make_gym(
    task_id: InvertedPendulumTask,
    *,
    num_envs: int = 1,
    gym_reset_return_info: bool | None = None,
    **options: Unpack[InvertedPendulumOptions],
) -> GymEnvPool:
    """InvertedPendulum-v5, InvertedPendulum-v4, InvertedPendulum-v2. Own options: xml_file, xml_dir, frame_skip, frame_stack, post_constraint, healthy_reward, healthy_z_range, healthy_z_min, healthy_z_max, reward_if_not_terminated, reset_noise_scale."""

@overload
def make_gym(
    task_id: PusherTask,
    *,
    num_envs: int = 1,
    gym_reset_return_info: bool | None = None,
    **options: Unpack[PusherOptions],
) -> GymEnvPool:
    """Pusher-v5, Pusher-v4, Pusher-v2. Own options: xml_file, xml_dir, frame_skip, frame_stack, post_constraint, reward_near_weight, reward_dist_weight, reward_control_weight, near_cost_weight, dist_cost_weight, ctrl_cost_weight, reward_after_step, weighted_reward_info, reset_qvel_scale, cylinder_x_min, cylinder_x_max, cylinder_y_min, cylinder_y_max, cylinder_dist_min."""

@overload
def make_gym(
    task_id: ReacherTask,
    *,
    num_envs: int = 1,
    gym_reset_return_info: bool | None = None,
    **options: Unpack[ReacherOptions],
) -> GymEnvPool:
    """Reacher-v5, Reacher-v4, Reacher-v2. Own options: xml_file, xml_dir, frame_skip, frame_stack, post_constraint, reward_dist_weight, reward_control_weight, dist_cost_weight, ctrl_cost_weight, reward_after_step, obs_include_z_distance, reset_qpos_scale, reset_qvel_scale, reset_goal_scale."""

@overload
def make_gym(
    task_id: Walker2dTask,
    *,
    num_envs: int = 1,
    gym_reset_return_info: bool | None = None,
    **options: Unpack[Walker2dOptions],
) -> GymEnvPool:
    """Walker2d-v5, Walker2d-v4, Walker2d-v3. Own options: xml_file, xml_dir, frame_skip, frame_stack, post_constraint, forward_reward_weight, ctrl_cost_weight, healthy_reward, terminate_when_unhealthy, legacy_healthy_reward, healthy_z_range, healthy_z_min, healthy_z_max, healthy_angle_range, healthy_angle_min, healthy_angle_max, velocity_min, velocity_max, reset_noise_scale, exclude_current_positions_from_observation."""

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
    """Adventure-v5, AirRaid-v5, Alien-v5 and 101 more. Own options: rom_dir, stack_num, frame_skip, noop_max, zero_discount_on_life_loss, episodic_life, reward_clip, use_fire_reset, img_height, img_width, task, mode, difficulty, full_action_space, repeat_action_probability, use_inter_area_resize, gray_scale."""

@overload
def make_dm(
    task_id: AleAtariTask,
    *,
    num_envs: int = 1,
    gym_reset_return_info: Literal[True] | None = None,
    **options: Unpack[AleAtariOptions],
) -> DMEnvPool:
    """ALE/Adventure-v5, ALE/AirRaid-v5, ALE/Alien-v5 and 101 more. Own options: rom_dir, game, mode, difficulty, obs_type, frameskip, repeat_action_probability, full_action_space, continuous, continuous_action_threshold, max_num_frames_per_episode, preprocessing, noop_max, frame_skip, screen_size, terminal_on_life_loss, grayscale_obs, grayscale_newaxis, scale_obs, stack_size, padding_type."""

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
    task_id: AntTask,
    *,
    num_envs: int = 1,
    gym_reset_return_info: Literal[True] | None = None,
    **options: Unpack[AntOptions],
) -> DMEnvPool:
    """Ant-v5. Own options: xml_file, xml_dir, frame_skip, frame_stack, post_constraint, forward_reward_weight, ctrl_cost_weight, contact_cost_weight, main_body, healthy_z_range, healthy_z_min, healthy_z_max, contact_force_range, contact_force_min, contact_force_max, reset_noise_scale, exclude_current_positions_from_observation, include_cfrc_ext_in_observation, use_contact_force, exclude_worldbody_contact_forces, healthy_reward, terminate_when_unhealthy, legacy_healthy_reward."""

@overload
def make_dm(
    task_id: AntV4Task,
    *,
    num_envs: int = 1,
    gym_reset_return_info: Literal[True] | None = None,
    **options: Unpack[AntV4Options],
) -> DMEnvPool:
    """Ant-v4, Ant-v3. Own options: xml_file, xml_dir, frame_skip, frame_stack, post_constraint, forward_reward_weight, ctrl_cost_weight, contact_cost_weight, main_body, healthy_z_range, healthy_z_min, healthy_z_max, contact_force_range, contact_force_min, contact_force_max, reset_noise_scale, exclude_current_positions_from_observation, use_contact_forces, use_contact_force, exclude_worldbody_contact_forces, healthy_reward, terminate_when_unhealthy, legacy_healthy_reward."""

@overload
def make_dm(
    task_id: HalfCheetahTask,
    *,
    num_envs: int = 1,
    gym_reset_return_info: Literal[True] | None = None,
    **options: Unpack[HalfCheetahOptions],
) -> DMEnvPool:
    """HalfCheetah-v5, HalfCheetah-v4, HalfCheetah-v3 and 3 more. Own options: xml_file, xml_dir, frame_skip, frame_stack, post_constraint, forward_reward_weight, ctrl_cost_weight, reset_noise_scale, exclude_current_positions_from_observation."""

@overload
def make_dm(
    task_id: HopperTask,
    *,
    num_envs: int = 1,
    gym_reset_return_info: Literal[True] | None = None,
    **options: Unpack[HopperOptions],
) -> DMEnvPool:
    """Hopper-v5, Hopper-v4, Hopper-v3. Own options: xml_file, xml_dir, frame_skip, frame_stack, post_constraint, forward_reward_weight, ctrl_cost_weight, healthy_reward, terminate_when_unhealthy, legacy_healthy_reward, healthy_state_range, healthy_state_min, healthy_state_max, healthy_z_range, healthy_z_min, healthy_angle_range, healthy_angle_min, healthy_angle_max, velocity_min, velocity_max, reset_noise_scale, exclude_current_positions_from_observation."""

@overload
def make_dm(
    task_id: HumanoidTask,
    *,
    num_envs: int = 1,
    gym_reset_return_info: Literal[True] | None = None,
    **options: Unpack[HumanoidOptions],
) -> DMEnvPool:
    """Humanoid-v5, Humanoid-v4, Humanoid-v3. Own options: xml_file, xml_dir, frame_skip, frame_stack, post_constraint, forward_reward_weight, ctrl_cost_weight, contact_cost_weight, contact_cost_range, contact_cost_max, use_contact_force, healthy_reward, terminate_when_unhealthy, legacy_healthy_reward, healthy_z_range, healthy_z_min, healthy_z_max, reset_noise_scale, exclude_current_positions_from_observation, include_cinert_in_observation, include_cvel_in_observation, include_qfrc_actuator_in_observation, include_cfrc_ext_in_observation, exclude_worldbody_observations, exclude_root_actuator_forces."""

@overload
def make_dm(
    task_id: HumanoidStandupTask,
    *,
    num_envs: int = 1,
    gym_reset_return_info: Literal[True] | None = None,
    **options: Unpack[HumanoidStandupOptions],
) -> DMEnvPool:
    """HumanoidStandup-v5, HumanoidStandup-v4, HumanoidStandup-v2. Own options: xml_file, xml_dir, frame_skip, frame_stack, post_constraint, uph_cost_weight, ctrl_cost_weight, impact_cost_weight, impact_cost_range, contact_cost_max, reset_noise_scale, exclude_current_positions_from_observation, include_cinert_in_observation, include_cvel_in_observation, include_qfrc_actuator_in_observation, include_cfrc_ext_in_observation, exclude_worldbody_observations, exclude_root_actuator_forces."""

@overload
def make_dm(
    task_id: InvertedDoublePendulumTask,
    *,
    num_envs: int = 1,
    gym_reset_return_info: Literal[True] | None = None,
    **options: Unpack[InvertedDoublePendulumOptions],
) -> DMEnvPool:
    """InvertedDoublePendulum-v5, InvertedDoublePendulum-v4, InvertedDoublePendulum-v2. Own options: xml_file, xml_dir, frame_skip, frame_stack, post_constraint, healthy_reward, healthy_z_max, reward_if_not_terminated, observation_min, observation_max, constraint_obs_dim, reset_noise_scale."""

@overload
def make_dm(
    task_id: InvertedPendulumTask,
    *,
    num_envs: int = 1,
    gym_reset_return_info: Literal[True] | None = None,
    **options: Unpack[InvertedPendulumOptions],
) -> DMEnvPool:
    """InvertedPendulum-v5, InvertedPendulum-v4, InvertedPendulum-v2. Own options: xml_file, xml_dir, frame_skip, frame_stack, post_constraint, healthy_reward, healthy_z_range, healthy_z_min, healthy_z_max, reward_if_not_terminated, reset_noise_scale."""

@overload
def make_dm(
    task_id: PusherTask,
    *,
    num_envs: int = 1,
    gym_reset_return_info: Literal[True] | None = None,
    **options: Unpack[PusherOptions],
) -> DMEnvPool:
    """Pusher-v5, Pusher-v4, Pusher-v2. Own options: xml_file, xml_dir, frame_skip, frame_stack, post_constraint, reward_near_weight, reward_dist_weight, reward_control_weight, near_cost_weight, dist_cost_weight, ctrl_cost_weight, reward_after_step, weighted_reward_info, reset_qvel_scale, cylinder_x_min, cylinder_x_max, cylinder_y_min, cylinder_y_max, cylinder_dist_min."""

@overload
def make_dm(
    task_id: ReacherTask,
    *,
    num_envs: int = 1,
    gym_reset_return_info: Literal[True] | None = None,
    **options: Unpack[ReacherOptions],
) -> DMEnvPool:
    """Reacher-v5, Reacher-v4, Reacher-v2. Own options: xml_file, xml_dir, frame_skip, frame_stack, post_constraint, reward_dist_weight, reward_control_weight, dist_cost_weight, ctrl_cost_weight, reward_after_step, obs_include_z_distance, reset_qpos_scale, reset_qvel_scale, reset_goal_scale."""

@overload
def make_dm(
    task_id: Walker2dTask,
    *,
    num_envs: int = 1,
    gym_reset_return_info: Literal[True] | None = None,
    **options: Unpack[Walker2dOptions],
) -> DMEnvPool:
    """Walker2d-v5, Walker2d-v4, Walker2d-v3. Own options: xml_file, xml_dir, frame_skip, frame_stack, post_constraint, forward_reward_weight, ctrl_cost_weight, healthy_reward, terminate_when_unhealthy, legacy_healthy_reward, healthy_z_range, healthy_z_min, healthy_z_max, healthy_angle_range, healthy_angle_min, healthy_angle_max, velocity_min, velocity_max, reset_noise_scale, exclude_current_positions_from_observation."""

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
    """Adventure-v5, AirRaid-v5, Alien-v5 and 101 more. Own options: rom_dir, stack_num, frame_skip, noop_max, zero_discount_on_life_loss, episodic_life, reward_clip, use_fire_reset, img_height, img_width, task, mode, difficulty, full_action_space, repeat_action_probability, use_inter_area_resize, gray_scale."""

@overload
def make_spec(
    task_id: AleAtariTask,
    *,
    num_envs: int = 1,
    gym_reset_return_info: Literal[True] | None = None,
    **options: Unpack[AleAtariOptions],
) -> EnvSpec:
    """ALE/Adventure-v5, ALE/AirRaid-v5, ALE/Alien-v5 and 101 more. Own options: rom_dir, game, mode, difficulty, obs_type, frameskip, repeat_action_probability, full_action_space, continuous, continuous_action_threshold, max_num_frames_per_episode, preprocessing, noop_max, frame_skip, screen_size, terminal_on_life_loss, grayscale_obs, grayscale_newaxis, scale_obs, stack_size, padding_type."""

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
    task_id: AntTask,
    *,
    num_envs: int = 1,
    gym_reset_return_info: Literal[True] | None = None,
    **options: Unpack[AntOptions],
) -> EnvSpec:
    """Ant-v5. Own options: xml_file, xml_dir, frame_skip, frame_stack, post_constraint, forward_reward_weight, ctrl_cost_weight, contact_cost_weight, main_body, healthy_z_range, healthy_z_min, healthy_z_max, contact_force_range, contact_force_min, contact_force_max, reset_noise_scale, exclude_current_positions_from_observation, include_cfrc_ext_in_observation, use_contact_force, exclude_worldbody_contact_forces, healthy_reward, terminate_when_unhealthy, legacy_healthy_reward."""

@overload
def make_spec(
    task_id: AntV4Task,
    *,
    num_envs: int = 1,
    gym_reset_return_info: Literal[True] | None = None,
    **options: Unpack[AntV4Options],
) -> EnvSpec:
    """Ant-v4, Ant-v3. Own options: xml_file, xml_dir, frame_skip, frame_stack, post_constraint, forward_reward_weight, ctrl_cost_weight, contact_cost_weight, main_body, healthy_z_range, healthy_z_min, healthy_z_max, contact_force_range, contact_force_min, contact_force_max, reset_noise_scale, exclude_current_positions_from_observation, use_contact_forces, use_contact_force, exclude_worldbody_contact_forces, healthy_reward, terminate_when_unhealthy, legacy_healthy_reward."""

@overload
def make_spec(
    task_id: HalfCheetahTask,
    *,
    num_envs: int = 1,
    gym_reset_return_info: Literal[True] | None = None,
    **options: Unpack[HalfCheetahOptions],
) -> EnvSpec:
    """HalfCheetah-v5, HalfCheetah-v4, HalfCheetah-v3 and 3 more. Own options: xml_file, xml_dir, frame_skip, frame_stack, post_constraint, forward_reward_weight, ctrl_cost_weight, reset_noise_scale, exclude_current_positions_from_observation."""

@overload
def make_spec(
    task_id: HopperTask,
    *,
    num_envs: int = 1,
    gym_reset_return_info: Literal[True] | None = None,
    **options: Unpack[HopperOptions],
) -> EnvSpec:
    """Hopper-v5, Hopper-v4, Hopper-v3. Own options: xml_file, xml_dir, frame_skip, frame_stack, post_constraint, forward_reward_weight, ctrl_cost_weight, healthy_reward, terminate_when_unhealthy, legacy_healthy_reward, healthy_state_range, healthy_state_min, healthy_state_max, healthy_z_range, healthy_z_min, healthy_angle_range, healthy_angle_min, healthy_angle_max, velocity_min, velocity_max, reset_noise_scale, exclude_current_positions_from_observation."""

@overload
def make_spec(
    task_id: HumanoidTask,
    *,
    num_envs: int = 1,
    gym_reset_return_info: Literal[True] | None = None,
    **options: Unpack[HumanoidOptions],
) -> EnvSpec:
    """Humanoid-v5, Humanoid-v4, Humanoid-v3. Own options: xml_file, xml_dir, frame_skip, frame_stack, post_constraint, forward_reward_weight, ctrl_cost_weight, contact_cost_weight, contact_cost_range, contact_cost_max, use_contact_force, healthy_reward, terminate_when_unhealthy, legacy_healthy_reward, healthy_z_range, healthy_z_min, healthy_z_max, reset_noise_scale, exclude_current_positions_from_observation, include_cinert_in_observation, include_cvel_in_observation, include_qfrc_actuator_in_observation, include_cfrc_ext_in_observation, exclude_worldbody_observations, exclude_root_actuator_forces."""

@overload
def make_spec(
    task_id: HumanoidStandupTask,
    *,
    num_envs: int = 1,
    gym_reset_return_info: Literal[True] | None = None,
    **options: Unpack[HumanoidStandupOptions],
) -> EnvSpec:
    """HumanoidStandup-v5, HumanoidStandup-v4, HumanoidStandup-v2. Own options: xml_file, xml_dir, frame_skip, frame_stack, post_constraint, uph_cost_weight, ctrl_cost_weight, impact_cost_weight, impact_cost_range, contact_cost_max, reset_noise_scale, exclude_current_positions_from_observation, include_cinert_in_observation, include_cvel_in_observation, include_qfrc_actuator_in_observation, include_cfrc_ext_in_observation, exclude_worldbody_observations, exclude_root_actuator_forces."""

@overload
def make_spec(
    task_id: InvertedDoublePendulumTask,
    *,
    num_envs: int = 1,
    gym_reset_return_info: Literal[True] | None = None,
    **options: Unpack[InvertedDoublePendulumOptions],
) -> EnvSpec:
    """InvertedDoublePendulum-v5, InvertedDoublePendulum-v4, InvertedDoublePendulum-v2. Own options: xml_file, xml_dir, frame_skip, frame_stack, post_constraint, healthy_reward, healthy_z_max, reward_if_not_terminated, observation_min, observation_max, constraint_obs_dim, reset_noise_scale."""

@overload
def make_spec(
    task_id: InvertedPendulumTask,
    *,
    num_envs: int = 1,
    gym_reset_return_info: Literal[True] | None = None,
    **options: Unpack[InvertedPendulumOptions],
) -> EnvSpec:
    """InvertedPendulum-v5, InvertedPendulum-v4, InvertedPendulum-v2. Own options: xml_file, xml_dir, frame_skip, frame_stack, post_constraint, healthy_reward, healthy_z_range, healthy_z_min, healthy_z_max, reward_if_not_terminated, reset_noise_scale."""

@overload
def make_spec(
    task_id: PusherTask,
    *,
    num_envs: int = 1,
    gym_reset_return_info: Literal[True] | None = None,
    **options: Unpack[PusherOptions],
) -> EnvSpec:
    """Pusher-v5, Pusher-v4, Pusher-v2. Own options: xml_file, xml_dir, frame_skip, frame_stack, post_constraint, reward_near_weight, reward_dist_weight, reward_control_weight, near_cost_weight, dist_cost_weight, ctrl_cost_weight, reward_after_step, weighted_reward_info, reset_qvel_scale, cylinder_x_min, cylinder_x_max, cylinder_y_min, cylinder_y_max, cylinder_dist_min."""

@overload
def make_spec(
    task_id: ReacherTask,
    *,
    num_envs: int = 1,
    gym_reset_return_info: Literal[True] | None = None,
    **options: Unpack[ReacherOptions],
) -> EnvSpec:
    """Reacher-v5, Reacher-v4, Reacher-v2. Own options: xml_file, xml_dir, frame_skip, frame_stack, post_constraint, reward_dist_weight, reward_control_weight, dist_cost_weight, ctrl_cost_weight, reward_after_step, obs_include_z_distance, reset_qpos_scale, reset_qvel_scale, reset_goal_scale."""

@overload
def make_spec(
    task_id: Walker2dTask,
    *,
    num_envs: int = 1,
    gym_reset_return_info: Literal[True] | None = None,
    **options: Unpack[Walker2dOptions],
) -> EnvSpec:
    """Walker2d-v5, Walker2d-v4, Walker2d-v3. Own options: xml_file, xml_dir, frame_skip, frame_stack, post_constraint, forward_reward_weight, ctrl_cost_weight, healthy_reward, terminate_when_unhealthy, legacy_healthy_reward, healthy_z_range, healthy_z_min, healthy_z_max, healthy_angle_range, healthy_angle_min, healthy_angle_max, velocity_min, velocity_max, reset_noise_scale, exclude_current_positions_from_observation."""

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
    """Adventure-v5, AirRaid-v5, Alien-v5 and 101 more. Own options: rom_dir, stack_num, frame_skip, noop_max, zero_discount_on_life_loss, episodic_life, reward_clip, use_fire_reset, img_height, img_width, task, mode, difficulty, full_action_space, repeat_action_probability, use_inter_area_resize, gray_scale."""

@overload
def make_vec(
    task_id: AleAtariTask,
    num_envs: int | None = None,
    vectorization_mode: Literal["native"] | None = None,
    vector_kwargs: Mapping[str, Any] | None = None,
    wrappers: None = None,
    **options: Unpack[AleAtariOptions],
) -> VectorEnv[Array]:
    """ALE/Adventure-v5, ALE/AirRaid-v5, ALE/Alien-v5 and 101 more. Own options: rom_dir, game, mode, difficulty, obs_type, frameskip, repeat_action_probability, full_action_space, continuous, continuous_action_threshold, max_num_frames_per_episode, preprocessing, noop_max, frame_skip, screen_size, terminal_on_life_loss, grayscale_obs, grayscale_newaxis, scale_obs, stack_size, padding_type."""

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
    task_id: AntTask,
    num_envs: int | None = None,
    vectorization_mode: Literal["native"] | None = None,
    vector_kwargs: Mapping[str, Any] | None = None,
    wrappers: None = None,
    **options: Unpack[AntOptions],
) -> VectorEnv[Array]:
    """Ant-v5. Own options: xml_file, xml_dir, frame_skip, frame_stack, post_constraint, forward_reward_weight, ctrl_cost_weight, contact_cost_weight, main_body, healthy_z_range, healthy_z_min, healthy_z_max, contact_force_range, contact_force_min, contact_force_max, reset_noise_scale, exclude_current_positions_from_observation, include_cfrc_ext_in_observation, use_contact_force, exclude_worldbody_contact_forces, healthy_reward, terminate_when_unhealthy, legacy_healthy_reward."""

@overload
def make_vec(
    task_id: AntV4Task,
    num_envs: int | None = None,
    vectorization_mode: Literal["native"] | None = None,
    vector_kwargs: Mapping[str, Any] | None = None,
    wrappers: None = None,
    **options: Unpack[AntV4Options],
) -> VectorEnv[Array]:
    """Ant-v4, Ant-v3. Own options: xml_file, xml_dir, frame_skip, frame_stack, post_constraint, forward_reward_weight, ctrl_cost_weight, contact_cost_weight, main_body, healthy_z_range, healthy_z_min, healthy_z_max, contact_force_range, contact_force_min, contact_force_max, reset_noise_scale, exclude_current_positions_from_observation, use_contact_forces, use_contact_force, exclude_worldbody_contact_forces, healthy_reward, terminate_when_unhealthy, legacy_healthy_reward."""

@overload
def make_vec(
    task_id: HalfCheetahTask,
    num_envs: int | None = None,
    vectorization_mode: Literal["native"] | None = None,
    vector_kwargs: Mapping[str, Any] | None = None,
    wrappers: None = None,
    **options: Unpack[HalfCheetahOptions],
) -> VectorEnv[Array]:
    """HalfCheetah-v5, HalfCheetah-v4, HalfCheetah-v3 and 3 more. Own options: xml_file, xml_dir, frame_skip, frame_stack, post_constraint, forward_reward_weight, ctrl_cost_weight, reset_noise_scale, exclude_current_positions_from_observation."""

@overload
def make_vec(
    task_id: HopperTask,
    num_envs: int | None = None,
    vectorization_mode: Literal["native"] | None = None,
    vector_kwargs: Mapping[str, Any] | None = None,
    wrappers: None = None,
    **options: Unpack[HopperOptions],
) -> VectorEnv[Array]:
    """Hopper-v5, Hopper-v4, Hopper-v3. Own options: xml_file, xml_dir, frame_skip, frame_stack, post_constraint, forward_reward_weight, ctrl_cost_weight, healthy_reward, terminate_when_unhealthy, legacy_healthy_reward, healthy_state_range, healthy_state_min, healthy_state_max, healthy_z_range, healthy_z_min, healthy_angle_range, healthy_angle_min, healthy_angle_max, velocity_min, velocity_max, reset_noise_scale, exclude_current_positions_from_observation."""

@overload
def make_vec(
    task_id: HumanoidTask,
    num_envs: int | None = None,
    vectorization_mode: Literal["native"] | None = None,
    vector_kwargs: Mapping[str, Any] | None = None,
    wrappers: None = None,
    **options: Unpack[HumanoidOptions],
) -> VectorEnv[Array]:
    """Humanoid-v5, Humanoid-v4, Humanoid-v3. Own options: xml_file, xml_dir, frame_skip, frame_stack, post_constraint, forward_reward_weight, ctrl_cost_weight, contact_cost_weight, contact_cost_range, contact_cost_max, use_contact_force, healthy_reward, terminate_when_unhealthy, legacy_healthy_reward, healthy_z_range, healthy_z_min, healthy_z_max, reset_noise_scale, exclude_current_positions_from_observation, include_cinert_in_observation, include_cvel_in_observation, include_qfrc_actuator_in_observation, include_cfrc_ext_in_observation, exclude_worldbody_observations, exclude_root_actuator_forces."""

@overload
def make_vec(
    task_id: HumanoidStandupTask,
    num_envs: int | None = None,
    vectorization_mode: Literal["native"] | None = None,
    vector_kwargs: Mapping[str, Any] | None = None,
    wrappers: None = None,
    **options: Unpack[HumanoidStandupOptions],
) -> VectorEnv[Array]:
    """HumanoidStandup-v5, HumanoidStandup-v4, HumanoidStandup-v2. Own options: xml_file, xml_dir, frame_skip, frame_stack, post_constraint, uph_cost_weight, ctrl_cost_weight, impact_cost_weight, impact_cost_range, contact_cost_max, reset_noise_scale, exclude_current_positions_from_observation, include_cinert_in_observation, include_cvel_in_observation, include_qfrc_actuator_in_observation, include_cfrc_ext_in_observation, exclude_worldbody_observations, exclude_root_actuator_forces."""

@overload
def make_vec(
    task_id: InvertedDoublePendulumTask,
    num_envs: int | None = None,
    vectorization_mode: Literal["native"] | None = None,
    vector_kwargs: Mapping[str, Any] | None = None,
    wrappers: None = None,
    **options: Unpack[InvertedDoublePendulumOptions],
) -> VectorEnv[Array]:
    """InvertedDoublePendulum-v5, InvertedDoublePendulum-v4, InvertedDoublePendulum-v2. Own options: xml_file, xml_dir, frame_skip, frame_stack, post_constraint, healthy_reward, healthy_z_max, reward_if_not_terminated, observation_min, observation_max, constraint_obs_dim, reset_noise_scale."""

@overload
def make_vec(
    task_id: InvertedPendulumTask,
    num_envs: int | None = None,
    vectorization_mode: Literal["native"] | None = None,
    vector_kwargs: Mapping[str, Any] | None = None,
    wrappers: None = None,
    **options: Unpack[InvertedPendulumOptions],
) -> VectorEnv[Array]:
    """InvertedPendulum-v5, InvertedPendulum-v4, InvertedPendulum-v2. Own options: xml_file, xml_dir, frame_skip, frame_stack, post_constraint, healthy_reward, healthy_z_range, healthy_z_min, healthy_z_max, reward_if_not_terminated, reset_noise_scale."""

@overload
def make_vec(
    task_id: PusherTask,
    num_envs: int | None = None,
    vectorization_mode: Literal["native"] | None = None,
    vector_kwargs: Mapping[str, Any] | None = None,
    wrappers: None = None,
    **options: Unpack[PusherOptions],
) -> VectorEnv[Array]:
    """Pusher-v5, Pusher-v4, Pusher-v2. Own options: xml_file, xml_dir, frame_skip, frame_stack, post_constraint, reward_near_weight, reward_dist_weight, reward_control_weight, near_cost_weight, dist_cost_weight, ctrl_cost_weight, reward_after_step, weighted_reward_info, reset_qvel_scale, cylinder_x_min, cylinder_x_max, cylinder_y_min, cylinder_y_max, cylinder_dist_min."""

@overload
def make_vec(
    task_id: ReacherTask,
    num_envs: int | None = None,
    vectorization_mode: Literal["native"] | None = None,
    vector_kwargs: Mapping[str, Any] | None = None,
    wrappers: None = None,
    **options: Unpack[ReacherOptions],
) -> VectorEnv[Array]:
    """Reacher-v5, Reacher-v4, Reacher-v2. Own options: xml_file, xml_dir, frame_skip, frame_stack, post_constraint, reward_dist_weight, reward_control_weight, dist_cost_weight, ctrl_cost_weight, reward_after_step, obs_include_z_distance, reset_qpos_scale, reset_qvel_scale, reset_goal_scale."""

@overload
def make_vec(
    task_id: Walker2dTask,
    num_envs: int | None = None,
    vectorization_mode: Literal["native"] | None = None,
    vector_kwargs: Mapping[str, Any] | None = None,
    wrappers: None = None,
    **options: Unpack[Walker2dOptions],
) -> VectorEnv[Array]:
    """Walker2d-v5, Walker2d-v4, Walker2d-v3. Own options: xml_file, xml_dir, frame_skip, frame_stack, post_constraint, forward_reward_weight, ctrl_cost_weight, healthy_reward, terminate_when_unhealthy, legacy_healthy_reward, healthy_z_range, healthy_z_min, healthy_z_max, healthy_angle_range, healthy_angle_min, healthy_angle_max, velocity_min, velocity_max, reset_noise_scale, exclude_current_positions_from_observation."""

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
