"""Tests rendered images and texts: selected environments, every interface, comparison with the references."""

import copy
import pickle
import sys
import types

import envpool_rs
import gymnasium
import numpy as np
import pytest
from envpool_rs import _core
from envpool_rs._facades import rendering
from gymnasium.wrappers import vector as wrappers

SIZES = {
    "CartPole-v0": (600, 400, 50),
    "CartPole-v1": (600, 400, 50),
    "MountainCar-v0": (600, 400, 30),
    "MountainCarContinuous-v0": (600, 400, 30),
    "Pendulum-v0": (500, 500, 30),
    "Pendulum-v1": (500, 500, 30),
    "Acrobot-v1": (500, 500, 15),
    "FrozenLake-v1": (256, 256, 4),
    "FrozenLake8x8-v1": (512, 512, 4),
    "Taxi-v3": (536, 456, 4),
    "Taxi-v4": (536, 456, 4),
    "CliffWalking-v0": (768, 256, 4),
    "CliffWalking-v1": (768, 256, 4),
    "CliffWalkingSlippery-v1": (768, 256, 4),
    "Blackjack-v1": (384, 376, 4),
    "SimpleSpread-v3": (700, 700, 10),
    "SimpleSpeakerListener-v4": (700, 700, 10),
    "SimpleTag-v3": (700, 700, 10),
    "SimpleLine-v1": (700, 700, 10),
    "CollectTreasure-v1": (700, 700, 10),
    "Foraging-v3": (384, 384, 5),
    "rware-v2": (480, 528, 10),
    "Overcooked-v0": (240, 192, 5),
}
"""Width, height and frames per second of images: of gymnasium, of mpe2, and of this package for grids."""
TEXTS = ["FrozenLake-v1", "FrozenLake8x8-v1", "Taxi-v4", "CliffWalking-v1", "CliffWalkingSlippery-v1"]
CARTPOLE = "CartPole-v1"


def played(task, num_envs=2, steps=4, **options):
    """Returns a vector environment after some random steps."""
    env = envpool_rs.make_vec(task, num_envs, seed=5, **options)
    env.reset(seed=5)
    env.action_space.seed(0)
    for _ in range(steps):
        env.step(env.action_space.sample())
    return env


@pytest.mark.parametrize("task", SIZES)
def test_pictures_have_the_references_size_and_rate(task):
    width, height, rate = SIZES[task]
    env = played(task, render_mode="rgb_array")
    pictures = env.render()
    assert isinstance(pictures, tuple) and len(pictures) == 2
    for picture in pictures:
        assert picture.shape == (height, width, 3) and picture.dtype == np.uint8 and picture.flags.writeable
    assert env.metadata["render_fps"] == rate
    assert env.render_mode == "rgb_array" and "rgb_array" in env.metadata["render_modes"]


@pytest.mark.parametrize("task", SIZES)
def test_pictures_depend_only_on_the_state(task):
    one, other = (played(task, 3, render_mode="rgb_array") for _ in range(2))
    before = np.array(one.render())
    assert (before == one.render()).all() and (before == other.render()).all()
    other.set_state(one.get_state())
    assert (before == other.render()).all()
    for _ in range(5):
        one.step(one.action_space.sample())
    assert (before != one.render()).any()


def test_pictures_follow_the_order_of_the_requested_environments():
    env = envpool_rs.make(CARTPOLE, num_envs=4, render_mode="rgb_array", render_env_id=2)
    env.reset()
    all_of_them = env.render(np.arange(4))
    assert all_of_them.shape == (4, 400, 600, 3)
    assert (env.render() == all_of_them[[2]]).all()
    assert (env.render(1) == all_of_them[[1]]).all()
    assert (env.render([3, 0], camera_id=-1) == all_of_them[[3, 0]]).all()
    assert env.render([]).shape == (0, 400, 600, 3)
    assert len({picture.tobytes() for picture in all_of_them}) == 4


def test_pictures_have_the_requested_size():
    env = played(CARTPOLE, render_mode="rgb_array", render_width=90, render_height=np.int32(60))
    large = played(CARTPOLE, render_mode="rgb_array").render()[0].astype(float)
    small = env.render()[0]
    assert small.shape == (60, 90, 3)
    # Equal means show that the smaller image has the same content as the larger one.
    assert abs(small.mean() - large.mean()) < 0.5
    assert played(CARTPOLE, render_mode="rgb_array", render_height=1000).render()[0].shape == (1000, 600, 3)


@pytest.mark.parametrize("task", ["Acrobot-v1", "Taxi-v4", "CliffWalking-v1"])
def test_pictures_of_another_size_are_drawn_in_that_size(task):
    whole = played(task, 1, 0, render_mode="rgb_array").render([0])[0]
    height, width = (side // 2 for side in whole.shape[:2])
    half = played(task, 1, 0, render_mode="rgb_array", render_width=width, render_height=height).render([0])[0]
    scaled = whole.reshape(height, 2, width, 2, 3).mean((1, 3))
    # The shapes are the same, and their edges are sharp: scaling of the default size gives many more colours.
    assert np.abs(half - scaled).mean() < 8
    colours = [len(np.unique(picture.reshape(-1, 3), axis=0)) for picture in (half, whole)]
    assert colours[0] <= 2 * colours[1] + 64


@pytest.mark.parametrize("task", TEXTS)
def test_text_equals_gymnasiums(task):
    theirs = gymnasium.make(task, render_mode="ansi")
    ours = envpool_rs.make_vec(task, 1, render_mode="ansi", seed=7, autoreset_mode="disabled")
    theirs.reset(seed=7)
    ours.reset(seed=7)
    theirs.action_space.seed(0)
    episodes = 0
    for _ in range(600):
        assert ours.render() == (theirs.render(),)
        action = theirs.action_space.sample()
        *_, terminated, truncated, _ = theirs.step(action)
        ours.step(np.array([action]))
        if terminated or truncated:
            episodes += 1
            assert ours.render() == (theirs.render(),)
            theirs.reset()
            ours.reset()
    assert episodes > 0 or task.startswith("Cliff")


def test_text_shows_custom_maps():
    options = {"desc": ["SHF", "FFG"], "is_slippery": False}
    theirs = gymnasium.make("FrozenLake-v1", render_mode="ansi", **options)
    ours = envpool_rs.make("FrozenLake-v1", num_envs=1, render_mode="ansi", **options)
    theirs.reset()
    ours.reset()
    for action in (1, 2, 2):
        theirs.step(action)
        ours.step(np.array([action]))
        assert ours.render() == [theirs.render()]


@pytest.mark.parametrize("rows", [["S" + "F" * 599], ["S"] + ["H"] * 70, ["S" * 20] * 20])
def test_maps_of_any_shape_fit_their_picture(rows):
    env = envpool_rs.make("FrozenLake-v1", render_mode="rgb_array", desc=rows)
    env.reset()
    expected = tuple(min(64 * cells, 512) for cells in (len(rows), len(rows[0])))
    assert env.render().shape == (1, *expected, 3)


def test_cards_equal_those_of_gymnasiums_pictures():
    # The open card's suit and face are drawn from the environment's generator: equal suits give equal images.
    pictures = {}
    for seed in range(40):
        theirs = gymnasium.make("Blackjack-v1", render_mode="rgb_array").unwrapped
        theirs.reset(seed=seed)
        ours = envpool_rs.make_vec("Blackjack-v1", 1, render_mode="rgb_array")
        ours.reset(seed=seed)
        card = theirs.dealer_top_card_value_str + theirs.dealer_top_card_suit
        pictures.setdefault(card, set()).add(ours.render()[0][72:184, 96:176].tobytes())
    assert all(len(each) == 1 for each in pictures.values())
    assert len({next(iter(each)) for each in pictures.values()}) == len(pictures) > 15


@pytest.mark.parametrize("game", ["Pong", "AirRaid"])
def test_an_atari_games_picture_is_its_screen(game):
    ale_py = pytest.importorskip("ale_py")
    gymnasium.register_envs(ale_py)
    theirs = gymnasium.make(f"ALE/{game}-v5", render_mode="rgb_array")
    ours = envpool_rs.make_vec(f"ALE/{game}-v5", 1, render_mode="rgb_array", obs_type="ram", autoreset_mode="disabled")
    stacked = envpool_rs.make(f"{game}-v5", num_envs=2, render_mode="rgb_array")
    theirs.reset(seed=3)
    ours.reset(seed=3)
    theirs.action_space.seed(0)
    for _ in range(30):
        action = theirs.action_space.sample()
        theirs.step(action)
        ours.step(np.array([action]))
        assert (ours.render()[0] == theirs.render()).all()
    stacked.reset()
    # EnvPool renders only the 210 rows of its observations, although AirRaid's screen has 250 rows.
    assert stacked.render().shape == (1, 210, 160, 3)
    assert (ours.metadata["render_fps"], ours.metadata["render_modes"]) == (30, ["human", "rgb_array"])


def test_every_interface_draws():
    for make in (envpool_rs.make_gymnasium, envpool_rs.make_gym, envpool_rs.make_dm):
        env = make(CARTPOLE, num_envs=2, render_mode="rgb_array")
        env.reset()
        assert env.render([0, 1]).shape == (2, 400, 600, 3)
        assert env.render_mode == "rgb_array"
    gym = envpool_rs.make_gym("FrozenLake-v1")
    gym.reset()
    assert gym.render(mode="rgb_array").shape == (1, 256, 256, 3)
    assert gym.render("ansi") == ["\n\x1b[41mS\x1b[0mFFF\nFHFH\nFFFH\nHFFG\n"]
    assert gym.metadata["render.modes"] == gym.metadata["render_modes"] == ["human", "rgb_array", "ansi"]
    with pytest.raises(ValueError, match="mode='svg': expected 'human', 'rgb_array' or 'ansi'"):
        gym.render(mode="svg")


def test_gymnasiums_functions_make_environments_that_draw():
    env = gymnasium.make("envpool_rs/Taxi-v4", render_mode="ansi")
    env.reset(seed=1)
    assert env.render().startswith("+---------+\n")
    env = gymnasium.make("envpool_rs/CartPole-v1", render_mode="rgb_array_list")
    env.reset(seed=1)
    env.step(0)
    assert [picture.shape for picture in env.render()] == [(400, 600, 3)] * 2
    vector = gymnasium.make_vec("envpool_rs/CartPole-v1", 3, render_mode="rgb_array", render_width=60, render_height=40)
    vector.reset()
    assert np.shape(vector.render()) == np.shape(vector.call("render")) == (3, 40, 60, 3)
    assert vector.get_attr("render_mode") == ("rgb_array",) * 3
    assert vector.spec.kwargs["render_mode"] == "rgb_array"


def test_copies_render_the_pictures_of_their_originals():
    env = played(CARTPOLE, render_mode="rgb_array", render_width=50)
    for other in (pickle.loads(pickle.dumps(env)), copy.deepcopy(env)):
        assert np.shape(other.render()) == (2, 400, 50, 3) and (np.array(other.render()) == env.render()).all()


def test_an_async_pool_draws_idle_environments():
    env = envpool_rs.make(CARTPOLE, num_envs=4, batch_size=2, render_mode="rgb_array")
    env.reset()
    with pytest.raises(RuntimeError, match="in flight"):
        env.render([0, 1, 2, 3])
    env.recv()
    assert env.render([0, 1, 2, 3]).shape[0] == 4


def refused(call):
    with pytest.raises(Exception) as caught:
        call()
    return caught.type, str(caught.value)


@pytest.mark.parametrize(
    ("options", "error", "says"),
    [
        ({"render_mode": "ansi"}, ValueError, "render_mode='ansi': expected None, 'human' or 'rgb_array'"),
        ({"render_mode": "rgb_array_list"}, ValueError, "expected None, 'human' or 'rgb_array'"),
        ({"render_mode": ["rgb_array"]}, ValueError, "render_mode=['rgb_array']"),
        ({"render_width": -1}, ValueError, "render_width=-1: expected 1 to 4096, or 0 for the task's own 600"),
        ({"render_height": 4097}, ValueError, "render_height=4097: expected 1 to 4096"),
        ({"render_width": 10**30}, ValueError, "render_width"),
        ({"render_width": 84.0}, TypeError, "render_width=84.0: expected an int"),
        ({"render_env_id": 2}, ValueError, "render_env_id=2: expected 0 to 1"),
        ({"render_env_id": -1}, ValueError, "render_env_id=-1: expected 0 to 1"),
        ({"render_camera_id": 0}, ValueError, "render_camera_id=0: expected None or -1 (there are no cameras)"),
    ],
)
def test_invalid_options_are_refused_by_name(options, error, says):
    for make in (envpool_rs.make, envpool_rs.make_vec):
        kind, message = refused(lambda make=make: make(CARTPOLE, num_envs=2, **options))
        assert issubclass(kind, error) and says in message, message


def test_tasks_without_pictures_refuse_rendering():
    for make in (envpool_rs.make, envpool_rs.make_vec):
        assert make("NChain-v0").metadata["render_modes"] == []
        with pytest.raises(ValueError, match=r"render_mode='rgb_array': expected None \(NChain-v0 draws no pictures\)"):
            make("NChain-v0", render_mode="rgb_array")
        with pytest.raises(NotImplementedError, match="NChain-v0 draws no pictures"):
            make("NChain-v0").render()


def test_invalid_render_calls_are_refused_by_name():
    env = envpool_rs.make(CARTPOLE, num_envs=3, render_mode="rgb_array")
    kind, says = refused(env.render)
    assert issubclass(kind, RuntimeError) and issubclass(kind, gymnasium.error.ResetNeeded)
    assert says == "environment 0 has never been reset: reset it before it is drawn"
    env.reset()
    assert refused(lambda: env.render(3)) == (IndexError, "env_id[0]=3: expected 0 to 2")
    assert refused(lambda: env.render([0, -1]))[0] is IndexError
    assert refused(lambda: env.render([1, 1]))[0] is ValueError
    assert refused(lambda: env.render([0.5]))[0] is TypeError
    assert refused(lambda: env.render([[0]]))[0] is ValueError
    assert refused(lambda: env.render("all"))[0] is TypeError
    assert refused(lambda: env.render(camera_id=1))[0] is ValueError
    env.send(np.zeros(3, int))
    kind, says = refused(lambda: env.render(1))
    assert issubclass(kind, RuntimeError) and issubclass(kind, gymnasium.error.AlreadyPendingCallError)
    assert says == "env_id 1 is in flight: its result has to be received first"
    env.recv()
    env.render([0, 1, 2])
    env.close()
    assert issubclass(refused(env.render)[0], RuntimeError)
    without = envpool_rs.make_vec(CARTPOLE, 2)
    without.reset()
    assert refused(without.render) == (
        RuntimeError,
        "render(): this pool was made without render_mode; give 'human' or 'rgb_array' when it is made",
    )


def test_the_extension_refuses_invalid_sizes():
    pool = envpool_rs.make(CARTPOLE, num_envs=2)
    pool.reset()
    for width in (-1, 10**30, 4097):
        assert refused(lambda width=width: pool.draw_pictures(None, width, 0))[0] is ValueError
    for wrong in (None, "8", 8.5):
        assert refused(lambda wrong=wrong: pool.draw_pictures(None, wrong, 0))[0] is TypeError
    assert refused(pool.draw_texts) == (RuntimeError, "this task does not describe itself in text")


def test_external_states_with_any_numbers_are_drawn():
    env = envpool_rs.make(CARTPOLE, num_envs=1, render_mode="rgb_array")
    for extreme in (1e6, 1e30, 3e38):
        env.reset(options={"low": extreme, "high": extreme})
        assert env.render().shape == (1, 400, 600, 3)
    pendulum = envpool_rs.make("Pendulum-v1", num_envs=1, render_mode="rgb_array")
    pendulum.reset(options={"x_init": 1e300, "y_init": 1e300})
    pendulum.step(np.array([[3e38]], np.float32))
    pendulum.render()


def test_record_video_gets_a_frame_of_every_environment_and_step(tmp_path):
    pytest.importorskip("moviepy")
    env = played(CARTPOLE, 3, 0, render_mode="rgb_array")
    recorder = wrappers.RecordVideo(env, str(tmp_path / "videos"), video_length=5, step_trigger=lambda step: step == 0)
    recorder.reset(seed=0)
    for _ in range(8):
        recorder.step(recorder.action_space.sample())
    recorder.close()
    assert [path.suffix for path in (tmp_path / "videos").iterdir()] == [".mp4"]


def test_frames_of_a_vector_environment_are_collected_like_record_videos():
    env = played(CARTPOLE, 3, 0, render_mode="rgb_array")
    frames = []
    for _ in range(3):
        env.step(env.action_space.sample())
        shown = env.render()
        # `gymnasium.wrappers.vector.RecordVideo` and `HumanRendering` require a frame for each environment.
        assert len(shown) == env.num_envs and all(isinstance(frame, np.ndarray) for frame in shown)
        frames.append(np.array(shown, np.uint8))
    assert np.stack(frames).shape == (3, 3, 400, 600, 3) and (frames[0] != frames[2]).any()


def test_gymnasiums_human_rendering_shows_our_pictures(monkeypatch):
    pygame = pytest.importorskip("pygame")
    pytest.importorskip("cv2")
    monkeypatch.setenv("SDL_VIDEODRIVER", "dummy")
    ours = played(CARTPOLE, 2, 0, render_mode="rgb_array")
    env = wrappers.HumanRendering(
        ours, screen_size=(1200, 400)
    )  # the screen shows two frames of the pool next to each other
    env.reset(seed=0)
    for _ in range(2):
        env.step(env.action_space.sample())
        shown = pygame.surfarray.array3d(env.window).swapaxes(0, 1)
        np.testing.assert_array_equal(shown, np.concatenate(ours.render(), axis=1))
    env.close()


class PretendTk(types.ModuleType):
    """Replacement for tkinter with the functions that a window needs; it stores the shown images."""

    class TclError(Exception):
        pass

    def __init__(self):
        super().__init__("tkinter")
        self.shown, self.destroyed, self.has_screen = [], 0, True

    def Tk(self, className):  # noqa: N802, N803
        if not self.has_screen:
            raise self.TclError("no display name")
        return types.SimpleNamespace(title=lambda text: None, update=lambda: None, destroy=self.destroy)

    def destroy(self):
        self.destroyed += 1

    def Label(self, root, borderwidth):  # noqa: N802
        return types.SimpleNamespace(pack=lambda: None, configure=lambda image: None)

    def PhotoImage(self, master, data, format):  # noqa: N802
        self.shown.append(data)
        return data


@pytest.fixture
def tk(monkeypatch):
    module = PretendTk()
    monkeypatch.setitem(sys.modules, "tkinter", module)
    return module


def test_a_window_shows_the_requested_environments(tk):
    env = envpool_rs.make(CARTPOLE, num_envs=2, render_mode="human")
    env.reset()
    assert env.render([1]) is None and env.render([0, 1]) is None
    assert tk.shown[0].startswith(b"P6 600 400 255 ") and len(tk.shown[0]) == 15 + 600 * 400 * 3
    assert len(tk.shown) == 2 and tk.shown[0] != tk.shown[1]
    pickle.loads(pickle.dumps(env)).close()
    assert tk.destroyed == 0
    env.close()
    assert tk.destroyed == 1


def test_a_window_displays_all_environments_of_a_vector_environment(tk):
    env = played(CARTPOLE, 4, 0, render_mode="human", render_width=60, render_height=40)
    assert env.render() is None and env.call("render") == (None,) * 4
    assert tk.shown[0].startswith(b"P6 120 80 255 ")


@pytest.mark.parametrize("make", [envpool_rs.make_gymnasium, envpool_rs.make_vec])
def test_rllibs_interface_displays_environments_in_a_window(make, tk):
    from envpool_rs.rllib import PoolBaseEnv

    env = PoolBaseEnv(make(CARTPOLE, num_envs=2, render_mode="human"))
    env.poll()
    assert env.try_render() == {0: None, 1: None} and env.try_render(1) is None
    assert len(tk.shown) == 2
    env.stop()


def test_a_single_environment_displays_every_step(tk):
    env = gymnasium.make("envpool_rs/CartPole-v1", render_mode="human")
    env.reset(seed=0)
    env.step(0)
    assert len(tk.shown) == 2
    env.close()


def test_without_a_display_a_window_raises_an_error(tk):
    tk.has_screen = False
    env = envpool_rs.make(CARTPOLE, render_mode="human")
    env.reset()
    with pytest.raises(RuntimeError, match="needs a screen: no display name"):
        env.render()


def test_without_tkinter_a_window_raises_an_import_error(monkeypatch):
    monkeypatch.setitem(sys.modules, "tkinter", None)
    env = envpool_rs.make(CARTPOLE, render_mode="human")
    env.reset()
    with pytest.raises(ImportError, match="python3-tk"):
        env.render()


def test_tiled_pictures_contain_every_picture():
    pictures = np.arange(5, dtype=np.uint8)[:, None, None, None] * np.ones((5, 4, 6, 3), np.uint8) + 1
    page = rendering.tiled(pictures)
    values, counts = np.unique(page[page > 0], return_counts=True)
    assert list(values) == [1, 2, 3, 4, 5] and set(counts) == {4 * 6 * 3}
    assert rendering.tiled(np.zeros((200, 400, 600, 3), np.uint8)).shape[0] <= 900
    assert rendering.ppm(page).startswith(b"P6 %d %d 255 " % (page.shape[1], page.shape[0]))


def test_a_spec_reports_the_render_modes_of_a_task():
    spec = envpool_rs.make_spec("FrozenLake8x8-v1", render_mode="ansi")
    assert spec.rendering.mode == "ansi"
    assert isinstance(spec.pool, _core.Spec)
    assert (spec.pool.picture_size, spec.pool.has_text, spec.pool.render_fps) == ((512, 512), True, 4)
    assert "render_mode" not in spec.config_dict()
