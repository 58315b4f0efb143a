//! Atari games as `ale_py` 0.12.1's own gymnasium environment has them (`ALE/Pong-v5`): the screen or the memory as it is,
//! sticky actions; with gymnasium 1.4.0's `AtariPreprocessing` and `FrameStackObservation` as options.

use serde::{Deserialize, Serialize};

use super::{
    arguments::{self, MOST_FRAMES, MOST_STACKED},
    camel_case,
    console_slot::ConsoleSlot,
    continuous::Continuous,
    frame_stack::FrameStack,
    preprocessing::{self, Preprocessing},
    preprocessor::COLUMNS,
    seeded::{AleSeeded, Seeded},
    setup::Setup,
};
use crate::{
    engine::{
        Action, Dtype, Env, EnvSpec, Error, InfoSpec, OptionSpec, Options, Picture, Rendering, ResetOptions, Result, Row, Space,
        Task, Value,
    },
    sim::atari::{self, Console, Game, palette},
};

/// Frames after which episodes of the registered tasks are truncated: half an hour.
const MAX_FRAMES: i64 = 108_000;
/// Bytes of memory.
const RAM: usize = 128;

/// The environment.
///
/// | option | observation |
/// |---|---|
/// | `obs_type="rgb"` | uint8 `(rows, 160, 3)`, of 210 rows or what the game has |
/// | `obs_type="grayscale"` | uint8 `(rows, 160)` |
/// | `obs_type="ram"` | uint8 `(128,)` |
/// | `preprocessing=True` | uint8 `(84, 84)`, or as `screen_size`, `grayscale_obs`, `grayscale_newaxis`, `scale_obs` say |
/// | `stack_size=4` | with a first axis of 4, the oldest first |
///
/// Action `Discrete`, the game's own or all 18; with `continuous=True` a float32 `Box` of radius, angle and fire. Reward: the points
/// of the frames. Infos: `lives`, `episode_frame_number`, `frame_number`. Truncated after `max_num_frames_per_episode` frames.
///
/// A reset with a seed begins with a new console, one without goes on with the old one, whose memory is never cleared.
/// `ale_py`'s info `seeds` and its sound are left out.
#[derive(Debug)]
pub struct AleAtari {
    setup: Setup,
    view: View,
    /// Frames of a step: from the first number to the second, which is not one of them unless it is the first.
    frameskip: (u32, u32),
    continuous: Option<Continuous>,
    preprocessing: Option<Preprocessing>,
    stack_size: Option<usize>,
    pads_with_zeros: bool,
}

/// What is observed of the console.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum View {
    Rgb,
    Grayscale,
    Ram,
}

/// One game being played.
#[derive(Debug, Serialize, Deserialize)]
pub struct Play {
    console: ConsoleSlot,
    /// Empty where the observation is taken from the console.
    stack: FrameStack,
    lives: i32,
    /// Whether no step was played since the reset.
    is_fresh: bool,
    /// Whether the last step has lost a life that ends the episode.
    lost: bool,
    /// Both screens as they were before a step.
    #[serde(skip)]
    before: [Vec<u8>; 2],
}

/// The task of a game.
pub fn task(game: &'static Game) -> Task {
    let id = format!("ALE/{}-v5", camel_case(game, true)).leak();
    Task::env::<AleAtari>(id).preset("game", game.name)
}

/// What one step of the environment below the wrappers was.
struct Stepped {
    reward: i32,
    frames: u32,
}

impl AleAtari {
    fn frames_of_a_step(&self, random: &mut Seeded) -> u32 {
        match self.frameskip {
            (low, high) if low == high => low,
            (low, high) => random.generator.integers(i64::from(low), i64::from(high)) as u32,
        }
    }

    /// A step as the environment below the wrappers plays it: what it has left to play after the end draws from chance.
    fn play(&self, console: &mut Console, action: atari::Action, random: &mut Seeded) -> i32 {
        let frames = self.frames_of_a_step(random);
        let played = console.play(action, frames, 1);
        if played.frames < frames {
            console.pass(action, frames - played.frames);
        }
        played.reward
    }

    /// As `AtariPreprocessing` resets: where NOOPs end the episode, the same reset is made again.
    fn reset_preprocessed(&self, wrapper: &Preprocessing, state: &mut Play, random: &mut Seeded) {
        let before = random.clone();
        self.setup.reset(&mut state.console, random);
        let noops = match wrapper.noop_max {
            0 => 0,
            most => random.generator.integers(1, most as i64 + 1),
        };
        for _ in 0..noops {
            let console = state.console.console_mut();
            self.play(console, atari::Action::Noop, random);
            if console.is_over() {
                if before.is_new {
                    *random = before.clone();
                }
                self.setup.reset(&mut state.console, random);
            }
        }
        let console = state.console.console();
        state.stack.push(|frame| wrapper.preprocessor.one(console.screen(), frame));
    }

    /// As `AtariPreprocessing` steps: until frames are played or the episode ends.
    fn step_preprocessed(&self, wrapper: &Preprocessing, state: &mut Play, action: atari::Action, random: &mut Seeded) -> i32 {
        let console = state.console.console_mut();
        if wrapper.frame_skip == 1 {
            let reward = self.play(console, action, random);
            state.lose_lives(wrapper);
            let over = state.is_over();
            state.see_single(wrapper, over);
            return reward;
        }
        state.before[0].clear();
        state.before[0].extend_from_slice(console.screen());
        state.before[1].clear();
        state.before[1].extend_from_slice(console.previous_screen());
        let stepped = state.play_frames(wrapper, action);
        state.see_pooled(wrapper, stepped.frames);
        stepped.reward
    }

    fn frame_size(&self) -> usize {
        match (&self.preprocessing, self.view) {
            (Some(wrapper), _) => wrapper.preprocessor.frame_size(),
            (None, View::Ram) => RAM,
            (None, View::Grayscale) => self.pixels(),
            (None, View::Rgb) => 3 * self.pixels(),
        }
    }

    fn pixels(&self) -> usize {
        usize::from(self.setup.game.shown().rows) * COLUMNS
    }

    /// Frames that are kept: none where what is observed is in the console.
    fn kept(&self) -> usize {
        self.stack_size.unwrap_or(usize::from(self.preprocessing.is_some()))
    }

    fn space(&self) -> Space {
        let rows = usize::from(self.setup.game.shown().rows);
        let bytes = |shape: &[usize]| Space::uniform(0.0, 255.0, shape, Dtype::U8);
        match (&self.preprocessing, self.view) {
            (Some(wrapper), _) => wrapper.space(),
            (None, View::Ram) => bytes(&[RAM]),
            (None, View::Grayscale) => bytes(&[rows, COLUMNS]),
            (None, View::Rgb) => bytes(&[rows, COLUMNS, 3]),
        }
    }
}

impl Play {
    fn is_over(&self) -> bool {
        self.lost || self.console.console().is_over()
    }

    /// Plays frames until the episode ends.
    fn play_frames(&mut self, wrapper: &Preprocessing, action: atari::Action) -> Stepped {
        let console = self.console.console_mut();
        if !wrapper.terminal_on_life_loss {
            let played = console.play(action, wrapper.frame_skip, 2);
            return Stepped { reward: played.reward, frames: played.frames };
        }
        let mut stepped = Stepped { reward: 0, frames: 0 };
        while stepped.frames < wrapper.frame_skip && !self.is_over() {
            stepped.reward += self.console.console_mut().play(action, 1, 1).reward;
            stepped.frames += 1;
            self.lose_lives(wrapper);
        }
        stepped
    }

    fn lose_lives(&mut self, wrapper: &Preprocessing) {
        if wrapper.terminal_on_life_loss {
            let lives = self.console.console().lives();
            self.lost = lives < self.lives;
            self.lives = lives;
        }
    }

    /// Adds the frame of a step without pooling. The end of an episode is not seen.
    fn see_single(&mut self, wrapper: &Preprocessing, over: bool) {
        let console = self.console.console();
        match over {
            true => self.stack.push_newest(),
            false => self.stack.push(|frame| wrapper.preprocessor.one(console.screen(), frame)),
        }
    }

    /// Adds the frame of a step. The last screen of an episode is not seen: in its place stands what the step before has shown,
    /// unless the episode ends so soon that there is nothing new at all.
    fn see_pooled(&mut self, wrapper: &Preprocessing, played: u32) {
        let over = self.is_over();
        let was_fresh = std::mem::take(&mut self.is_fresh);
        let Self { console, before: [last, previous], stack, .. } = self;
        let console = console.console();
        let see = &wrapper.preprocessor;
        if !over {
            stack.push(|frame| see.two(console.previous_screen(), console.screen(), frame));
        } else if played < wrapper.frame_skip {
            stack.push_newest();
        } else if was_fresh {
            stack.push(|frame| see.two(last, console.previous_screen(), frame));
        } else {
            stack.push(|frame| see.all(&[last, previous, console.previous_screen()], frame));
        }
    }
}

impl View {
    fn new(options: &Options) -> Result<Self> {
        match options.text("obs_type") {
            Some("rgb") => Ok(Self::Rgb),
            Some("grayscale") => Ok(Self::Grayscale),
            Some("ram") => Ok(Self::Ram),
            _ => Err(Error::value("obs_type", options.get("obs_type"), r#""rgb", "grayscale" or "ram""#)),
        }
    }

    /// Hands out the console as it is seen, piece by piece.
    fn show(self, console: &Console, mut piece: impl FnMut(&[u8])) {
        let pal = console.picture().pal;
        match self {
            Self::Ram => piece(console.ram()),
            Self::Grayscale => {
                for line in console.screen().chunks_exact(COLUMNS) {
                    let mut grays = [0; COLUMNS];
                    grays.iter_mut().zip(line).for_each(|(gray, pixel)| *gray = palette::gray(pal)[usize::from(*pixel)]);
                    piece(&grays);
                }
            }
            Self::Rgb => {
                for line in console.screen().chunks_exact(COLUMNS) {
                    let mut colours = [[0; 3]; COLUMNS];
                    colours.iter_mut().zip(line).for_each(|(colour, pixel)| *colour = palette::rgb(pal)[usize::from(*pixel)]);
                    piece(colours.as_flattened());
                }
            }
        }
    }

    fn draw(self, console: &Console, frame: &mut [u8]) {
        let mut rest = frame;
        self.show(console, |piece| {
            let (now, later) = std::mem::take(&mut rest).split_at_mut(piece.len());
            now.copy_from_slice(piece);
            rest = later;
        });
    }
}

fn frameskip(options: &Options) -> Result<(u32, u32)> {
    let (low, high) = arguments::integer_or_pair(options, "frameskip", 1..=MOST_FRAMES)?;
    if matches!(options.get("frameskip"), Value::Ints(_)) && low >= high {
        return Err(Error::value("frameskip", options.get("frameskip"), "two integers of which the first is the smaller"));
    }
    Ok((low as u32, high as u32))
}

fn max_frames(options: &Options) -> Result<Option<u32>> {
    let name = "max_num_frames_per_episode";
    match options.get(name) {
        Value::Int(_) => {
            let frames = arguments::integer(options, name, 0..=i64::from(i32::MAX))? as u32;
            Ok(Some(frames).filter(|frames| *frames > 0))
        }
        _ => Ok(None),
    }
}

fn stack_size(options: &Options) -> Result<Option<usize>> {
    match options.get("stack_size") {
        Value::Int(_) => arguments::integer(options, "stack_size", 1..=MOST_STACKED).map(Some),
        _ => Ok(None),
    }
}

fn pads_with_zeros(options: &Options, stack_size: Option<usize>) -> Result<bool> {
    match (options.text("padding_type"), stack_size) {
        (Some("reset"), _) => Ok(false),
        (Some("zero"), Some(_)) => Ok(true),
        (_, None) => Err(Error::value("padding_type", options.get("padding_type"), r#""reset", without stack_size"#)),
        _ => Err(Error::value("padding_type", options.get("padding_type"), r#""reset" or "zero""#)),
    }
}

impl Env for AleAtari {
    type State = Play;
    type Random = AleSeeded;

    fn options() -> Vec<OptionSpec> {
        let mut options = vec![
            OptionSpec::place("rom_dir", "folder with the cartridges' images, pong.bin and so on, or with atari/roms/pong.bin"),
            OptionSpec::new("game", "pong", "the game"),
            OptionSpec::optional("mode", 0, "the game's mode; None: its default"),
            OptionSpec::optional("difficulty", 0, "the game's difficulty; None: its default"),
            OptionSpec::new("obs_type", "rgb", "\"rgb\", \"grayscale\" or \"ram\""),
            OptionSpec::new("frameskip", 4, "frames of a step, or bounds between which it is drawn, the upper excluded")
                .or(vec![2_i64, 5]),
            OptionSpec::new("repeat_action_probability", 0.25, "probability that a frame repeats the action before"),
            OptionSpec::new("full_action_space", false, "whether there are all 18 actions"),
            OptionSpec::new("continuous", false, "whether actions are radius, angle and fire"),
            OptionSpec::new("continuous_action_threshold", 0.5, "what exceeds it is a direction, or fire"),
            OptionSpec::new(
                "max_num_frames_per_episode",
                MAX_FRAMES,
                "frames after which an episode is truncated; 0 or None: never",
            )
            .or(Value::None),
        ];
        options.extend(preprocessing::options());
        options.extend([
            OptionSpec::optional(
                "stack_size",
                4,
                "observations in one, as gymnasium's FrameStackObservation; None: it is not applied",
            ),
            OptionSpec::new("padding_type", "reset", "what fills the stack at a reset: \"reset\" or \"zero\""),
        ]);
        options
    }

    fn new(options: &Options) -> Result<Self> {
        let game = arguments::game(options, "game")?;
        let setup = Setup::new(game, options, None)?.max_episode_frames(max_frames(options)?);
        let preprocessing = Preprocessing::new(options, game)?;
        let view = View::new(options)?;
        let frameskip = frameskip(options)?;
        let continuous = Continuous::new(options);
        if let Some(wrapper) = &preprocessing {
            wrapper.check(options, setup.actions[0].name())?;
        }
        let stack_size = stack_size(options)?;
        let pads_with_zeros = pads_with_zeros(options, stack_size)?;
        let env = Self { setup, view, frameskip, continuous, preprocessing, stack_size, pads_with_zeros };
        arguments::check_size("stack_size", options.get("stack_size"), env.kept() * env.frame_size())?;
        Ok(env)
    }

    fn prepare(&mut self) -> Result<()> {
        self.setup.plug_in()
    }

    fn spec(&self) -> EnvSpec {
        let mut observation = self.space();
        if let (Some(depth), Space::Box { shape, .. }) = (self.stack_size, &mut observation) {
            shape.insert(0, depth);
        }
        let action = match self.continuous {
            Some(_) => Continuous::space(),
            None => Space::discrete(self.setup.actions.len() as i64),
        };
        let info = |key| InfoSpec { key, dtype: Dtype::I64, shape: vec![], in_gymnasium: true, in_envpool: true };
        let mut spec = EnvSpec::new(observation, action);
        spec.info = ["lives", "episode_frame_number", "frame_number"].map(info).to_vec();
        spec
    }

    fn rendering(&self) -> Rendering {
        self.setup.rendering()
    }

    fn draw(&self, state: &Play) -> Picture {
        self.setup.draw(state.console.console())
    }

    fn create(&self) -> Play {
        let stack = match self.kept() {
            0 => FrameStack::default(),
            depth => FrameStack::new(depth, self.frame_size()),
        };
        Play { console: ConsoleSlot::Empty, stack, lives: 0, is_fresh: true, lost: false, before: Default::default() }
    }

    fn reset(&self, state: &mut Play, _options: &ResetOptions, random: &mut AleSeeded) {
        match &self.preprocessing {
            Some(wrapper) => self.reset_preprocessed(wrapper, state, &mut random.0),
            None => {
                let console = self.setup.reset(&mut state.console, &mut random.0);
                if self.stack_size.is_some() {
                    state.stack.push(|frame| self.view.draw(console, frame));
                }
            }
        }
        match self.kept() {
            0 => {}
            _ if self.pads_with_zeros => state.stack.blacken_others(),
            _ => state.stack.fill_with_newest(),
        }
        (state.lives, state.lost, state.is_fresh) = (state.console.console().lives(), false, true);
    }

    fn step(&self, state: &mut Play, action: &Action<'_>, rewards: &mut [f64], random: &mut AleSeeded) -> bool {
        let action = match &self.continuous {
            Some(continuous) => {
                let (action, strength) = continuous.action(action.continuous(0, 3));
                state.console.console_mut().set_paddle_strength(strength);
                action
            }
            None => self.setup.actions[action.discrete() as usize],
        };
        let reward = match &self.preprocessing {
            Some(wrapper) => self.step_preprocessed(wrapper, state, action, &mut random.0),
            None => {
                let console = state.console.console_mut();
                let reward = self.play(console, action, &mut random.0);
                if self.stack_size.is_some() {
                    state.stack.push(|frame| self.view.draw(console, frame));
                }
                reward
            }
        };
        rewards[0] = f64::from(reward);
        state.lost || state.console.console().game_over()
    }

    fn is_truncated(&self, state: &Play) -> bool {
        state.console.console().is_truncated()
    }

    fn observe(&self, state: &Play, out: &mut Row<'_>) {
        let mut start = 0;
        let mut write = |piece: &[u8]| {
            out.write_at(0, start, piece);
            start += piece.len();
        };
        if self.kept() == 0 {
            self.view.show(state.console.console(), write);
        } else if self.preprocessing.as_ref().is_some_and(|wrapper| wrapper.scales) {
            let scaled: Vec<f32> = state.stack.pieces().concat().iter().map(|value| f32::from(*value) / 255.0).collect();
            out.write(0, &scaled);
        } else {
            state.stack.pieces().into_iter().for_each(&mut write);
        }
    }

    fn info(&self, state: &Play, out: &mut Row<'_>) {
        let console = state.console.console();
        out.scalar(0, console.lives());
        out.scalar(1, i64::from(console.episode_frames()));
        out.scalar(2, i64::from(console.frames()));
    }

    fn adopt(&self, state: &mut Play) -> bool {
        let fits = match self.kept() {
            0 => state.stack.is_like(0, 0),
            depth => state.stack.is_like(depth, self.frame_size()),
        };
        fits && state.console.adopt(|| self.setup.console(0))
    }
}
