//! ALE's Atari tasks (`ALE/Pong-v5`), as in the gymnasium environment of `ale_py` 0.12.1.
//!
//! Observations are the screen or the RAM, with sticky actions. gymnasium 1.4.0's `AtariPreprocessing` and
//! `FrameStackObservation` are options.

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
    Action, Dtype, Env, EnvSpec, InfoSpec, LaneState, OptionSpec, Options, Picture, Rendering, ResetOptions, Result, Row, Space,
    Store, Task, Value, read_value, refused_state, write_value,
};
use envpool_rs_numeric::random::Generator;
use envpool_rs_pictures::FrameStack;
use envpool_rs_sim_atari::{Action as Input, Console, Game};

/// Frames after which episodes of the registered tasks are truncated: half an hour.
const MAX_EPISODE_FRAMES: i64 = 108_000;

/// ALE's Atari environment.
///
/// | option | observation |
/// |---|---|
/// | `obs_type="rgb"` | uint8 `(rows, 160, 3)`, of 210 rows or the game's number |
/// | `obs_type="grayscale"` | uint8 `(rows, 160)` |
/// | `obs_type="ram"` | uint8 `(128,)` |
/// | `preprocessing=True` | uint8 `(84, 84)`, changed by `screen_size`, `grayscale_obs`, `grayscale_newaxis`, `scale_obs` |
/// | `stack_size=4` | with a first axis of 4, the oldest first |
///
/// - Action: `Discrete`, the game's minimal set or all 18; with `continuous=True`, a float32 `Box` of radius, angle and fire.
/// - Reward: the points of the frames.
/// - Infos: `lives`, `episode_frame_number`, `frame_number`.
/// - Truncates after `max_num_frames_per_episode` frames.
///
/// A reset with a seed creates a new console. A reset without a seed continues the old console, whose RAM is never cleared.
/// `ale_py`'s info `seeds` and its sound are not supported.
#[derive(Debug)]
pub struct AleAtari {
    setup: ConsoleSetup,
    obs_type: ObsType,
    /// Frames of a step: drawn from the first number up to, but not including, the second; or both equal.
    frameskip: (u32, u32),
    continuous: Option<ContinuousActions>,
    preprocessing: Option<AtariPreprocessing>,
    stack_size: Option<usize>,
    pad_with_zeros: bool,
}

/// State of one environment.
#[derive(Debug)]
pub struct EpisodeState {
    console: Box<Console>,
    /// Frame stack; empty if observations are taken from the console.
    stack: FrameStack,
    lives: i32,
    /// Whether no step was played since the reset.
    is_after_reset: bool,
    /// Whether the last step lost a life, which ends the episode.
    life_lost: bool,
    /// Both screens before the step, used within a step only.
    previous_screens: [Vec<u8>; 2],
}

/// Returns the task of a game.
pub fn task(game: &'static Game) -> Task {
    let id = format!("ALE/{}-v5", camel_case(game, true)).leak();
    Task::env::<AleAtari>(id).preset("game", game.name)
}

/// Reward and number of frames of one step of the wrapped environment.
struct FramesPlayed {
    reward: i32,
    frames: u32,
}

impl AleAtari {
    fn draw_frameskip(&self, random: &mut Generator) -> u32 {
        match self.frameskip {
            (low, high) if low == high => low,
            (low, high) => random.integers(i64::from(low), i64::from(high)) as u32,
        }
    }

    /// Steps the wrapped environment: frames after the end of an episode only draw random numbers.
    fn step_ale(&self, console: &mut Console, action: Input, random: &mut Generator) -> i32 {
        let frames = self.draw_frameskip(random);
        let played = console.play(action, frames, 1);
        if played.frames < frames {
            console.pass(action, frames - played.frames);
        }
        played.reward
    }

    /// Resets as `AtariPreprocessing` does: if NOOPs end the episode, repeats the reset with the same seed.
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
        state.stack.push(|frame| wrapper.preprocessor.convert(console.screen(), frame));
    }

    /// Steps as `AtariPreprocessing` does, until all frames are played or the episode ends.
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
        usize::from(self.setup.game.shown().rows) * SCREEN_WIDTH
    }

    /// Returns the number of stored frames: 0 if observations are taken from the console.
    fn stack_depth(&self) -> usize {
        self.stack_size.unwrap_or(usize::from(self.preprocessing.is_some()))
    }

    fn space(&self) -> Space {
        let rows = usize::from(self.setup.game.shown().rows);
        let bytes = |shape: &[usize]| Space::uniform(0.0, 255.0, shape, Dtype::U8);
        match (&self.preprocessing, self.obs_type) {
            (Some(wrapper), _) => wrapper.space(),
            (None, ObsType::Ram) => bytes(&[RAM_BYTES]),
            (None, ObsType::Grayscale) => bytes(&[rows, SCREEN_WIDTH]),
            (None, ObsType::Rgb) => bytes(&[rows, SCREEN_WIDTH, 3]),
        }
    }
}

impl EpisodeState {
    fn is_over(&self) -> bool {
        self.life_lost || self.console.is_over()
    }

    /// Plays frames until the episode ends or the step is complete.
    fn play_frames(&mut self, wrapper: &AtariPreprocessing, action: Input) -> FramesPlayed {
        let console = &mut self.console;
        if !wrapper.terminal_on_life_loss {
            let played = console.play(action, wrapper.frame_skip, 2);
            return FramesPlayed { reward: played.reward, frames: played.frames };
        }
        let mut played = FramesPlayed { reward: 0, frames: 0 };
        while played.frames < wrapper.frame_skip && !self.is_over() {
            played.reward += self.console.play(action, 1, 1).reward;
            played.frames += 1;
            self.update_lives(wrapper);
        }
        played
    }

    fn update_lives(&mut self, wrapper: &AtariPreprocessing) {
        if wrapper.terminal_on_life_loss {
            let lives = self.console.lives();
            self.life_lost = lives < self.lives;
            self.lives = lives;
        }
    }

    /// Pushes the frame of a step without pooling; the end of an episode repeats the previous frame.
    fn push_single_frame(&mut self, wrapper: &AtariPreprocessing, over: bool) {
        let console = &self.console;
        match over {
            true => self.stack.repeat_newest(),
            false => self.stack.push(|frame| wrapper.preprocessor.convert(console.screen(), frame)),
        }
    }

    /// Pushes the pooled frame of a step.
    ///
    /// The last screen of an episode is not observed: the screens before the step replace it. If the episode ends before the
    /// step's last frame, the previous frame is repeated.
    fn push_pooled_frame(&mut self, wrapper: &AtariPreprocessing, played: u32) {
        let over = self.is_over();
        let was_after_reset = std::mem::take(&mut self.is_after_reset);
        let Self { console, previous_screens: [last, previous], stack, .. } = self;
        let preprocessor = &wrapper.preprocessor;
        if !over {
            stack.push(|frame| preprocessor.convert_max_of_two(console.previous_screen(), console.screen(), frame));
        } else if played < wrapper.frame_skip {
            stack.repeat_newest();
        } else if was_after_reset {
            stack.push(|frame| preprocessor.convert_max_of_two(last, console.previous_screen(), frame));
        } else {
            stack.push(|frame| preprocessor.convert_max(&[last, previous, console.previous_screen()], frame));
        }
    }
}

impl Env for AleAtari {
    type State = EpisodeState;
    type Random = AleRandom;

    fn options() -> Vec<OptionSpec> {
        let mut options = vec![
            OptionSpec::place("rom_dir", "folder with the cartridges' images, pong.bin and so on, or with atari/roms/pong.bin"),
            OptionSpec::new("game", "pong", "the game"),
            OptionSpec::optional("mode", 0, "the game's mode; None: its default"),
            OptionSpec::optional("difficulty", 0, "the game's difficulty; None: its default"),
            OptionSpec::new("obs_type", "rgb", "the screen in colour, in gray, or the memory").one_of(&[
                "rgb",
                "grayscale",
                "ram",
            ]),
            OptionSpec::new("frameskip", 4, "frames of a step, or bounds between which it is drawn, the upper excluded")
                .integer_or_pair(1..=MAX_FRAMES_PER_STEP)
                .each_episode(),
            OptionSpec::new("repeat_action_probability", 0.25, "probability that a frame repeats the action before")
                .probability(),
            OptionSpec::new("full_action_space", false, "whether there are all 18 actions"),
            OptionSpec::new("continuous", false, "whether actions are radius, angle and fire"),
            OptionSpec::new("continuous_action_threshold", 0.5, "what exceeds it is a direction, or fire").each_episode(),
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
            OptionSpec::optional(
                "stack_size",
                4,
                "observations in one, as gymnasium's FrameStackObservation; None: it is not applied",
            )
            .integers(1..=MAX_STACK),
            OptionSpec::new("padding_type", "reset", "what fills the stack at a reset: the first observation, or zeros")
                .one_of(&["reset", "zero"]),
            translate_option(),
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
        let pad_with_zeros = checked_options::pad_with_zeros(options, stack_size)?;
        let env = Self { setup, obs_type, frameskip, continuous, preprocessing, stack_size, pad_with_zeros };
        checked_options::check_size("stack_size", options.get("stack_size"), env.stack_depth() * env.frame_size())?;
        Ok(env)
    }

    fn load(&mut self, store: &Store) -> Result<()> {
        self.setup.load(store)
    }

    fn spec(&self) -> EnvSpec {
        let mut observation = self.space();
        if let (Some(depth), Space::Box { shape, .. }) = (self.stack_size, &mut observation) {
            shape.insert(0, depth);
        }
        let action = match self.continuous {
            Some(_) => ContinuousActions::space(),
            None => Space::discrete(self.setup.actions.len() as i64),
        };
        let info = |key| InfoSpec::new(key, Dtype::I64, &[]);
        let mut spec = EnvSpec::new(observation, action);
        spec.action_hint = if self.continuous.is_some() { "" } else { self.setup.action_hint() };
        spec.decided = self.setup.decided();
        spec.info = ["lives", "episode_frame_number", "frame_number"].map(info).to_vec();
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
            let scaled: Vec<f32> = state.stack.as_slices().concat().iter().map(|value| f32::from(*value) / 255.0).collect();
            out.write(0, &scaled);
        } else {
            state.stack.as_slices().into_iter().for_each(&mut write);
        }
    }

    fn info(&self, state: &EpisodeState, out: &mut Row<'_>) {
        out.scalar(0, state.console.lives());
        out.scalar(1, i64::from(state.console.episode_frames()));
        out.scalar(2, i64::from(state.console.frames()));
    }

    fn rendering(&self) -> Rendering {
        screen::rendering(self.setup.game.shown().rows)
    }

    fn paint(&self, state: &EpisodeState) -> Picture {
        screen::picture(self.setup.game, &state.console, self.setup.game.shown().rows)
    }
}

/// State without the console and without data used within a step only, as saved.
type SavedFields = (FrameStack, i32, bool, bool);

impl LaneState<AleAtari> for EpisodeState {
    fn save(&self, _env: &AleAtari, bytes: &mut Vec<u8>) {
        write_value(bytes, &self.console.snapshot());
        write_value(bytes, &(&self.stack, self.lives, self.is_after_reset, self.life_lost));
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
            false => Err(refused_state("its frames are others")),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::{Lane, colour, game, gray, rom, with_options};
    use super::*;
    use envpool_rs_sim_atari::palette;

    const NOOP: i32 = 0;
    const FIRE: i32 = 1;

    fn with_seed(seed: u64, given: &[(&str, Value)]) -> Lane<AleAtari> {
        let mut env: AleAtari = with_options(&task(game()), given).unwrap();
        env.setup.insert_cartridge(rom()).unwrap();
        Lane::new(env, seed)
    }

    fn lane(given: &[(&str, Value)]) -> Lane<AleAtari> {
        let mut options = vec![("repeat_action_probability", 0.0.into())];
        options.extend(given.iter().cloned());
        with_seed(3, &options)
    }

    /// Creates a lane with preprocessing, four frames per step and no NOOPs.
    fn preprocessed(given: &[(&str, Value)]) -> Lane<AleAtari> {
        let mut options = vec![("preprocessing", true.into()), ("frameskip", 1.into()), ("noop_max", 0.into())];
        options.extend(given.iter().cloned());
        lane(&options)
    }

    /// Returns the program's frame counter.
    fn frames(lane: &Lane<AleAtari>) -> u8 {
        lane.state.console.ram()[super::super::testing::FRAMES]
    }

    /// Returns the value of an observation, or of each frame in it, whose pixels are all equal.
    fn values(lane: &Lane<AleAtari>, frames: usize) -> Vec<u8> {
        let observation = lane.observation();
        let one = |frame: &[u64]| {
            assert!(frame.iter().all(|pixel| *pixel == frame[0]));
            frame[0] as u8
        };
        observation.chunks(observation.len() / frames).map(one).collect()
    }

    #[test]
    fn what_is_observed_is_the_last_screen_or_the_memory() {
        let mut lanes = ["rgb", "grayscale", "ram"].map(|kind| lane(&[("obs_type", kind.into())]));
        for lane in &mut lanes {
            assert!(!lane.step(NOOP));
            assert_eq!(lane.reward, 4.0);
        }
        let [rgb, grays, ram] = &lanes;
        assert_eq!(rgb.env.spec().observation.shape(), [210, 160, 3]);
        let expected = palette::rgb(false)[colour(frames(rgb))].map(u64::from);
        assert!(rgb.observation().chunks(3).all(|pixel| pixel == expected));
        assert_eq!(grays.env.spec().observation.shape(), [210, 160]);
        assert_eq!(values(grays, 1), [gray(frames(grays))]);
        assert_eq!(ram.observation(), ram.state.console.ram().map(u64::from));
    }

    #[test]
    fn an_episode_is_truncated_in_the_middle_of_a_step() {
        let mut lane = lane(&[("max_num_frames_per_episode", 6.into())]);
        assert!(!lane.step(NOOP) && !lane.env.is_truncated(&lane.state));
        assert!(!lane.step(NOOP) && lane.env.is_truncated(&lane.state));
        assert_eq!((lane.reward, lane.info()), (2.0, vec![3, 6, 6]));
    }

    #[test]
    fn a_reset_goes_on_with_the_console_unless_it_is_given_a_seed() {
        let mut lane = lane(&[]);
        lane.step(NOOP);
        lane.env.reset(&mut lane.state, &ResetOptions::default(), &mut lane.random);
        assert_eq!(lane.info(), [3, 0, 4]);
        lane.env.reset(&mut lane.state, &ResetOptions::default().with_seed(3), &mut lane.random);
        assert_eq!(lane.info(), [3, 0, 0]);
    }

    #[test]
    fn frames_of_a_step_are_drawn_between_bounds_of_which_the_upper_is_excluded() {
        let mut lane = lane(&[("frameskip", vec![2_i64, 5].into())]);
        let rewards: Vec<_> = (0..60).map(|_| (lane.step(NOOP), lane.reward).1 as i32).collect();
        assert!((2..5).all(|frames| rewards.contains(&frames)) && rewards.iter().all(|frames| (2..5).contains(frames)));
    }

    #[test]
    fn preprocessed_frames_are_the_brighter_of_two_and_a_reset_shows_one() {
        let mut lane = preprocessed(&[("stack_size", 2.into())]);
        let first = frames(&lane);
        assert_eq!(values(&lane, 2), [gray(first); 2]);
        assert!(!lane.step(NOOP));
        assert_eq!(values(&lane, 2), [gray(first), gray(first + 4).max(gray(first + 3))]);
    }

    #[test]
    fn the_last_screen_of_an_episode_is_not_seen() {
        let mut early = preprocessed(&[]);
        early.step(NOOP);
        let before = values(&early, 1);
        assert!(early.step(FIRE));
        assert_eq!((early.reward, values(&early, 1)), (3.0, before), "it ended before there was anything to see");

        let mut late = preprocessed(&[("max_num_frames_per_episode", 8.into())]);
        let first = frames(&late);
        late.step(NOOP);
        assert!(!late.step(NOOP) && late.env.is_truncated(&late.state));
        let seen = [first + 3, first + 4, first + 7].map(gray);
        assert_eq!(values(&late, 1), [seen.into_iter().max().unwrap()]);

        let mut fresh = preprocessed(&[("max_num_frames_per_episode", 4.into())]);
        fresh.step(NOOP);
        assert_eq!(values(&fresh, 1), [gray(first).max(gray(first + 3))]);
    }

    #[test]
    fn a_lost_life_ends_the_step_and_the_episode_where_it_is_asked_to() {
        let mut lane = preprocessed(&[("terminal_on_life_loss", true.into())]);
        assert!(!lane.step(NOOP));
        assert!(lane.step(FIRE));
        assert_eq!((lane.reward, lane.info()), (1.0, vec![2, 5, 5]));
        lane.env.reset(&mut lane.state, &ResetOptions::default(), &mut lane.random);
        assert!(!lane.step(NOOP));
    }

    #[test]
    fn stacks_are_filled_with_the_first_observation_or_with_zeros() {
        let first = |padding: &str| {
            let mut lane = lane(&[("obs_type", "ram".into()), ("stack_size", 3.into()), ("padding_type", padding.into())]);
            lane.step(NOOP);
            lane.env.reset(&mut lane.state, &ResetOptions::default(), &mut lane.random);
            assert_eq!(lane.env.spec().observation.shape(), [3, 128]);
            lane.observation()
        };
        let (filled, zeros) = (first("reset"), first("zero"));
        assert_eq!(filled[..128], filled[256..]);
        assert_eq!((zeros[..256].iter().sum::<u64>(), &zeros[256..]), (0, &filled[256..]));
    }

    #[test]
    fn scaled_frames_are_floats_from_0_to_1() {
        let lane = preprocessed(&[
            ("scale_obs", true.into()),
            ("grayscale_newaxis", true.into()),
            ("screen_size", vec![9_i64, 5].into()),
        ]);
        assert_eq!(lane.env.spec().observation, Space::uniform(0.0, 1.0, &[5, 9, 1], Dtype::F32));
        let expected = f32::from(gray(frames(&lane))) / 255.0;
        assert_eq!(lane.observation(), [u64::from(expected.to_bits()); 45]);
    }

    #[test]
    fn a_snapshot_goes_on_as_the_game_would_have() {
        for given in [&[][..], &[("frameskip", 1.into()), ("preprocessing", true.into()), ("stack_size", 4.into())]] {
            let mut lane = with_seed(9, given);
            lane.step(NOOP);
            let (state, random) = lane.saved_and_loaded().unwrap();
            let go_on = |lane: &mut Lane<AleAtari>| -> Vec<_> {
                [NOOP, NOOP, 2, FIRE].map(|action| (lane.step(action), lane.observation(), lane.info())).to_vec()
            };
            let expected = go_on(&mut lane);
            (lane.state, lane.random) = (state, random);
            assert_eq!(go_on(&mut lane), expected);
        }
    }

    #[test]
    fn a_state_that_was_never_reset_is_saved_loaded_and_reset() {
        let mut lane = lane(&[]);
        lane.state = lane.env.create(0).unwrap();
        (lane.state, lane.random) = lane.saved_and_loaded().unwrap();
        assert_eq!(lane.info()[1..], [0; 2]);
        lane.step(NOOP);
        lane.env.reset(&mut lane.state, &ResetOptions::default(), &mut lane.random);
        lane.step(NOOP);
        assert_eq!(lane.info()[..2], [3, 4]);
    }

    #[test]
    fn senseless_options_are_refused_by_name() {
        let refused = |name: &str, given: &[(&str, Value)]| {
            let error = with_options::<AleAtari>(&task(game()), given).unwrap_err().to_string();
            assert!(error.starts_with(&format!("{name}=")), "{error}");
        };
        refused("obs_type", &[("obs_type", "rbg".into())]);
        refused("mode", &[("mode", 1.into())]);
        refused("frameskip", &[("frameskip", 0.into())]);
        refused("frameskip", &[("frameskip", vec![5_i64, 2].into())]);
        refused("frameskip", &[("frameskip", vec![2_i64, 3, 4].into())]);
        refused("frameskip", &[("preprocessing", true.into())]);
        refused("noop_max", &[("noop_max", 3.into())]);
        refused("stack_size", &[("stack_size", 0.into())]);
        refused("padding_type", &[("padding_type", "zero".into())]);
        refused("padding_type", &[("padding_type", "custom".into()), ("stack_size", 2.into())]);
        refused("max_num_frames_per_episode", &[("max_num_frames_per_episode", (-1).into())]);
        let wrapped =
            |name: &'static str, value: Value| vec![("preprocessing", true.into()), ("frameskip", 1.into()), (name, value)];
        refused("obs_type", &wrapped("obs_type", "ram".into()));
        refused("screen_size", &wrapped("screen_size", 0.into()));
        refused("noop_max", &wrapped("continuous", true.into()));
        let backgammon = task(Game::named("backgammon").unwrap());
        let error = with_options::<AleAtari>(&backgammon, &wrapped("noop_max", 2.into())).unwrap_err().to_string();
        assert_eq!(error, "noop_max=2: expected 0 for a game whose first action is FIRE, not NOOP");
    }
}
