//! ALE's Atari tasks (`ALE/Pong-v5`), as in the gymnasium environment of `ale_py` 0.12.1.
//!
//! Observations are the screen or the RAM, with sticky actions. Options apply gymnasium 1.4.0's wrappers `AtariPreprocessing`
//! and `FrameStackObservation`.

mod episode_state;

pub use episode_state::EpisodeState;

use super::{
    atari_preprocessing::{self, AtariPreprocessing},
    checked_options::{self, MAX_FRAMES_PER_STEP, MAX_STACK},
    console_setup::{ConsoleSetup, translate_option},
    continuous::ContinuousActions,
    names::camel_case,
    obs_type::{ObsType, RAM_BYTES},
    preprocessor::SCREEN_WIDTH,
    random::{AleRandom, console_seed},
    screen,
};
use envpool_rs_engine::{
    Action, AssetCache, Dtype, Env, EnvSpec, Frame, InfoSpec, LaneState, OptionSpec, Options, RenderSpec, ResetOptions, Result,
    Row, Space, Task, Value, read_value, refused_state, write_value,
};
use envpool_rs_numeric::random::Generator;
use envpool_rs_pictures::FrameStack;
use envpool_rs_sim_atari::{Action as Input, Console, Game};

/// Number of frames after which episodes of the registered tasks are truncated: half an hour at 60 frames per second.
const MAX_EPISODE_FRAMES: i64 = 108_000;

/// ALE's Atari environment.
///
/// | option | observation |
/// |---|---|
/// | `obs_type="rgb"` | uint8 `(rows, 160, 3)`, with 210 rows or the game's number of rows |
/// | `obs_type="grayscale"` | uint8 `(rows, 160)` |
/// | `obs_type="ram"` | uint8 `(128,)` |
/// | `preprocessing=True` | uint8 `(84, 84)`, changed by `screen_size`, `grayscale_obs`, `grayscale_newaxis`, `scale_obs` |
/// | `stack_size=4` | with an additional first axis of length 4, the oldest frame first |
///
/// - Action: `Discrete`, the game's minimal set or all 18; with `continuous=True`, a float32 `Box` of radius, angle and fire.
/// - Reward: the points scored in the frames of the step.
/// - Infos: `lives`, `episode_frame_number`, `frame_number`.
/// - Truncates after `max_num_frames_per_episode` frames.
///
/// A reset with a seed creates a new console. A reset without a seed continues the old console, whose RAM is never cleared.
/// `ale_py`'s info `seeds` and its sound are not supported.
#[derive(Debug)]
pub struct AleAtari {
    setup: ConsoleSetup,
    obs_type: ObsType,
    /// Bounds of the number of frames per step: at least the first bound and less than the second. If both bounds are equal,
    /// each step plays this number of frames.
    frameskip: (u32, u32),
    continuous: Option<ContinuousActions>,
    preprocessing: Option<AtariPreprocessing>,
    stack_size: Option<usize>,
    stack_once: bool,
    pad_with_zeros: bool,
}

/// Returns ALE's task of a game, such as `ALE/Pong-v5`.
pub fn task(game: &'static Game) -> Task {
    let id = format!("ALE/{}-v5", camel_case(game, true)).leak();
    Task::env::<AleAtari>(id).preset("game", game.name)
}

impl AleAtari {
    fn draw_frameskip(&self, random: &mut Generator) -> u32 {
        match self.frameskip {
            (low, high) if low == high => low,
            (low, high) => random.integers(i64::from(low), i64::from(high)) as u32,
        }
    }

    /// Steps the ALE environment inside of `AtariPreprocessing`. For frames after the end of an episode, it only draws the
    /// random numbers that the console would draw.
    fn step_ale(&self, console: &mut Console, action: Input, random: &mut Generator) -> i32 {
        let frames = self.draw_frameskip(random);
        let played = console.play(action, frames, 1);
        if played.frames < frames {
            console.skip_frames(action, frames - played.frames);
        }
        played.reward
    }

    /// Resets the environment as `AtariPreprocessing` does: if a NOOP ends the episode, resets the console again with the same
    /// seed.
    fn reset_preprocessed(
        &self,
        wrapper: &AtariPreprocessing,
        state: &mut EpisodeState,
        seed: Option<u32>,
        random: &mut Generator,
    ) {
        let before = random.clone();
        let console = &mut state.console;
        self.setup.reset(console, seed);
        let noops = match wrapper.noop_max {
            0 => 0,
            most => random.integers(1, most as i64 + 1),
        };
        for _ in 0..noops {
            self.step_ale(console, Input::Noop, random);
            if console.is_over() {
                if seed.is_some() {
                    *random = before.clone();
                }
                self.setup.reset(console, seed);
            }
        }
        state.stack.push(|frame| wrapper.preprocessor.convert([console.screen()], frame));
    }

    /// Steps the environment as `AtariPreprocessing` does: repeats the action until `frame_skip` frames are played or the
    /// episode ends.
    fn step_preprocessed(
        &self,
        wrapper: &AtariPreprocessing,
        state: &mut EpisodeState,
        action: Input,
        random: &mut Generator,
    ) -> i32 {
        let console = &mut state.console;
        if wrapper.frame_skip == 1 {
            let reward = self.step_ale(console, action, random);
            state.update_lives(wrapper);
            let over = state.is_over();
            state.push_single_frame(wrapper, over);
            return reward;
        }
        state.previous_screens[0].clear();
        state.previous_screens[0].extend_from_slice(console.screen());
        state.previous_screens[1].clear();
        state.previous_screens[1].extend_from_slice(console.previous_screen());
        let played = state.play_frames(wrapper, action);
        state.push_pooled_frame(wrapper, played.frames);
        played.reward
    }

    fn frame_size(&self) -> usize {
        match (&self.preprocessing, self.obs_type) {
            (Some(wrapper), _) => wrapper.preprocessor.frame_size(),
            (None, ObsType::Ram) => RAM_BYTES,
            (None, ObsType::Grayscale) => self.pixels(),
            (None, ObsType::Rgb) => 3 * self.pixels(),
        }
    }

    fn pixels(&self) -> usize {
        usize::from(self.setup.game.visible_picture().rows) * SCREEN_WIDTH
    }

    /// Returns the number of frames in the stack; 0 if observations are taken from the console without a stack.
    fn stack_depth(&self) -> usize {
        self.stack_size.unwrap_or(usize::from(self.preprocessing.is_some()))
    }

    fn space(&self) -> Space {
        let rows = usize::from(self.setup.game.visible_picture().rows);
        let bytes = |shape: &[usize]| Space::uniform(0.0, 255.0, shape, Dtype::U8);
        match (&self.preprocessing, self.obs_type) {
            (Some(wrapper), _) => wrapper.space(),
            (None, ObsType::Ram) => bytes(&[RAM_BYTES]),
            (None, ObsType::Grayscale) => bytes(&[rows, SCREEN_WIDTH]),
            (None, ObsType::Rgb) => bytes(&[rows, SCREEN_WIDTH, 3]),
        }
    }
}

impl Env for AleAtari {
    type State = EpisodeState;
    type Random = AleRandom;

    fn options() -> Vec<OptionSpec> {
        let mut options = vec![
            OptionSpec::path("rom_dir", "folder with the cartridges' images, pong.bin and so on, or with atari/roms/pong.bin"),
            OptionSpec::new("game", "pong", "the game"),
            OptionSpec::optional("mode", 0, "the game's mode; None: its default"),
            OptionSpec::optional("difficulty", 0, "the game's difficulty; None: its default"),
            OptionSpec::new("obs_type", "rgb", "the screen in colour, in gray, or the RAM").one_of(&["rgb", "grayscale", "ram"]),
            OptionSpec::new("frameskip", 4, "frames per step, or bounds from which it is drawn, the upper excluded")
                .integer_or_pair(1..=MAX_FRAMES_PER_STEP)
                .per_episode(),
            OptionSpec::new("repeat_action_probability", 0.25, "probability that a frame repeats the previous action")
                .probability(),
            OptionSpec::new("full_action_space", false, "whether the action set has all 18 actions"),
            OptionSpec::new("continuous", false, "whether actions are radius, angle and fire"),
            OptionSpec::new(
                "continuous_action_threshold",
                0.5,
                "threshold above which an axis is a direction, or the button is FIRE",
            )
            .per_episode(),
            OptionSpec::new(
                "max_num_frames_per_episode",
                MAX_EPISODE_FRAMES,
                "frames after which an episode is truncated; 0 or None: never",
            )
            .or(Value::None)
            .integers(0..=i64::from(i32::MAX)),
        ];
        options.extend(atari_preprocessing::options());
        options.extend([
            OptionSpec::optional("stack_size", 4, "observations per stack, as gymnasium's FrameStackObservation; None: no stack")
                .integers(1..=MAX_STACK),
            OptionSpec::new("padding_type", "reset", "padding of the stack at a reset: the first observation, or zeros")
                .one_of(&["reset", "zero"]),
            translate_option(),
            checked_options::stack_once_option(),
        ]);
        options
    }

    fn new(options: &Options) -> Result<Self> {
        let game = checked_options::game(options, "game")?;
        let setup = ConsoleSetup::new(game, options, None)?.max_episode_frames(checked_options::max_frames(options));
        let preprocessing = AtariPreprocessing::new(options, game)?;
        let obs_type = ObsType::new(options);
        let frameskip = checked_options::frameskip(options)?;
        let continuous = ContinuousActions::new(options);
        if let Some(wrapper) = &preprocessing {
            wrapper.check_env(options, setup.actions[0].name())?;
        }
        let stack_size = checked_options::stack_size(options);
        let stack_once = checked_options::stack_once(options, stack_size)?;
        let pad_with_zeros = checked_options::pad_with_zeros(options, stack_size)?;
        let env = Self { setup, obs_type, frameskip, continuous, preprocessing, stack_size, stack_once, pad_with_zeros };
        checked_options::check_size("stack_size", options.get("stack_size"), env.stack_depth() * env.frame_size())?;
        Ok(env)
    }

    fn load(&mut self, store: &AssetCache) -> Result<()> {
        self.setup.load(store)
    }

    fn spec(&self) -> EnvSpec {
        let mut observation = self.space();
        if let (Some(depth), Space::Box { shape, .. }) = (self.stack_size.filter(|_| !self.stack_once), &mut observation) {
            shape.insert(0, depth);
        }
        let action = match self.continuous {
            Some(_) => ContinuousActions::space(),
            None => Space::discrete(self.setup.actions.len() as i64),
        };
        let info = |key| InfoSpec::new(key, Dtype::I64, &[]);
        let mut spec = EnvSpec::new(observation, action);
        spec.action_hint = if self.continuous.is_some() { "" } else { self.setup.action_hint() };
        spec.option_decisions = self.setup.decided();
        spec.info = ["lives", "episode_frame_number", "frame_number"].map(info).to_vec();
        let age = self.stack_size.map(|_| info("stack_age"));
        spec.info.extend(age.map(|age| if self.stack_once { age } else { age.hidden() }));
        spec
    }

    fn heap_bytes(&self) -> usize {
        let screens = if self.preprocessing.is_some() { 2 * self.pixels() } else { 0 };
        Console::BYTES + self.stack_depth() * self.frame_size() + screens
    }

    fn create(&self, _lane: usize) -> Result<EpisodeState> {
        let stack = match self.stack_depth() {
            0 => FrameStack::default(),
            depth => FrameStack::new(depth, self.frame_size()),
        };
        let (console, previous_screens) = (self.setup.console(0), Default::default());
        Ok(EpisodeState { console, stack, lives: 0, is_after_reset: true, life_lost: false, previous_screens })
    }

    fn reset(&self, state: &mut EpisodeState, options: &ResetOptions, random: &mut AleRandom) {
        let seed = options.seed().map(console_seed);
        match &self.preprocessing {
            Some(wrapper) => self.reset_preprocessed(wrapper, state, seed, &mut random.0),
            None => {
                let console = &mut state.console;
                self.setup.reset(console, seed);
                if self.stack_size.is_some() {
                    state.stack.push(|frame| self.obs_type.write(console, frame));
                }
            }
        }
        match self.stack_depth() {
            0 => {}
            _ if self.pad_with_zeros => state.stack.zero_older(),
            _ => state.stack.fill_with_newest(),
        }
        (state.lives, state.life_lost, state.is_after_reset) = (state.console.lives(), false, true);
    }

    fn step(&self, state: &mut EpisodeState, action: &Action<'_>, rewards: &mut [f64], random: &mut AleRandom) -> bool {
        let action = match &self.continuous {
            Some(continuous) => {
                let (action, strength) = continuous.action(action.continuous(0, 3));
                state.console.set_paddle_strength(strength);
                action
            }
            None => self.setup.actions[action.discrete() as usize],
        };
        let reward = match &self.preprocessing {
            Some(wrapper) => self.step_preprocessed(wrapper, state, action, &mut random.0),
            None => {
                let console = &mut state.console;
                let reward = self.step_ale(console, action, &mut random.0);
                if self.stack_size.is_some() {
                    state.stack.push(|frame| self.obs_type.write(console, frame));
                }
                reward
            }
        };
        rewards[0] = f64::from(reward);
        state.life_lost || state.console.game_over()
    }

    fn is_truncated(&self, state: &EpisodeState) -> bool {
        state.console.is_truncated()
    }

    fn observe(&self, state: &EpisodeState, out: &mut Row<'_>) {
        let mut start = 0;
        let mut write = |piece: &[u8]| {
            out.write_at(0, start, piece);
            start += piece.len();
        };
        if self.stack_depth() == 0 {
            self.obs_type.for_each_piece(&state.console, write);
        } else if self.preprocessing.as_ref().is_some_and(|wrapper| wrapper.scale_obs) {
            let frames = if self.stack_once { [state.stack.newest_frame(), &[]] } else { state.stack.as_slices() };
            frames.into_iter().fold(0, |start, frames| atari_preprocessing::write_scaled(out, start, frames));
        } else if self.stack_once {
            write(state.stack.newest_frame());
        } else {
            state.stack.as_slices().into_iter().for_each(&mut write);
        }
    }

    fn info(&self, state: &EpisodeState, out: &mut Row<'_>) {
        out.scalar(0, state.console.lives());
        out.scalar(1, i64::from(state.console.episode_frames()));
        out.scalar(2, i64::from(state.console.frames()));
        if self.stack_size.is_some() {
            out.scalar(3, i64::from(state.stack.age()));
        }
    }

    fn render_spec(&self) -> RenderSpec {
        screen::rendering(self.setup.game.visible_picture().rows)
    }

    fn render_frame(&self, state: &EpisodeState, _size: (u32, u32)) -> Frame {
        screen::picture(self.setup.game, &state.console, self.setup.game.visible_picture().rows)
    }
}

/// Serialized fields of the state of an ALE environment: frame stack, lives, `is_after_reset` and `life_lost`. The console is
/// saved separately; buffers that only one step uses are not saved.
type SavedFields = (FrameStack, i32, bool, bool);

impl LaneState<AleAtari> for EpisodeState {
    fn save(&self, _env: &AleAtari, bytes: &mut Vec<u8>) -> Result<()> {
        write_value(bytes, &self.console.snapshot())?;
        write_value(bytes, &(&self.stack, self.lives, self.is_after_reset, self.life_lost))
    }

    fn load(env: &AleAtari, bytes: &mut &[u8]) -> Result<Self> {
        let console = env.setup.restore(&read_value(bytes)?)?;
        let (stack, lives, is_after_reset, life_lost): SavedFields = read_value(bytes)?;
        let fits = match env.stack_depth() {
            0 => stack.has_shape(0, 0),
            depth => stack.has_shape(depth, env.frame_size()),
        };
        match fits {
            true => Ok(Self { console, stack, lives, is_after_reset, life_lost, previous_screens: Default::default() }),
            false => Err(refused_state("its frames have another number or size")),
        }
    }
}

#[cfg(test)]
mod tests;
