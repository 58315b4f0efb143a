//! Atari games as `ale_py` 0.12.1's own gymnasium environment has them (`ALE/Pong-v5`): the screen or the memory as it is,
//! sticky actions; with gymnasium 1.4.0's `AtariPreprocessing` and `FrameStackObservation` as options.

use super::{
    arguments::{self, MOST_FRAMES, MOST_STACKED},
    continuous::Continuous,
    names::camel_case,
    preprocessing::{self, Preprocessing},
    preprocessor::COLUMNS,
    random::{AleStream, console_seed},
    screen,
    setup::{Setup, translate_option},
    view::{RAM, View},
};
use envpool_rs_engine::{
    Action, Dtype, Env, EnvSpec, InfoSpec, LaneState, OptionSpec, Options, Picture, Rendering, ResetOptions, Result, Row, Space,
    Store, Task, Value, read_value, refused_state, write_value,
};
use envpool_rs_numeric::random::Generator;
use envpool_rs_pictures::FrameStack;
use envpool_rs_sim_atari::{Action as Input, Console, Game};

/// Frames after which episodes of the registered tasks are truncated: half an hour.
const MAX_FRAMES: i64 = 108_000;

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

/// One game being played.
#[derive(Debug)]
pub struct Play {
    console: Box<Console>,
    /// Empty where the observation is taken from the console.
    stack: FrameStack,
    lives: i32,
    /// Whether no step was played since the reset.
    is_fresh: bool,
    /// Whether the last step has lost a life that ends the episode.
    lost: bool,
    /// Both screens as they were before a step.
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
    fn frames_of_a_step(&self, random: &mut Generator) -> u32 {
        match self.frameskip {
            (low, high) if low == high => low,
            (low, high) => random.integers(i64::from(low), i64::from(high)) as u32,
        }
    }

    /// A step as the environment below the wrappers plays it: what it has left to play after the end draws from chance.
    fn play(&self, console: &mut Console, action: Input, random: &mut Generator) -> i32 {
        let frames = self.frames_of_a_step(random);
        let played = console.play(action, frames, 1);
        if played.frames < frames {
            console.pass(action, frames - played.frames);
        }
        played.reward
    }

    /// As `AtariPreprocessing` resets: where NOOPs end the episode, the same reset is made again.
    fn reset_preprocessed(&self, wrapper: &Preprocessing, state: &mut Play, seed: Option<u32>, random: &mut Generator) {
        let before = random.clone();
        let console = &mut state.console;
        self.setup.reset(console, seed);
        let noops = match wrapper.noop_max {
            0 => 0,
            most => random.integers(1, most as i64 + 1),
        };
        for _ in 0..noops {
            self.play(console, Input::Noop, random);
            if console.is_over() {
                if seed.is_some() {
                    *random = before.clone();
                }
                self.setup.reset(console, seed);
            }
        }
        state.stack.push(|frame| wrapper.preprocessor.one(console.screen(), frame));
    }

    /// As `AtariPreprocessing` steps: until frames are played or the episode ends.
    fn step_preprocessed(&self, wrapper: &Preprocessing, state: &mut Play, action: Input, random: &mut Generator) -> i32 {
        let console = &mut state.console;
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
        self.lost || self.console.is_over()
    }

    /// Plays frames until the episode ends.
    fn play_frames(&mut self, wrapper: &Preprocessing, action: Input) -> Stepped {
        let console = &mut self.console;
        if !wrapper.terminal_on_life_loss {
            let played = console.play(action, wrapper.frame_skip, 2);
            return Stepped { reward: played.reward, frames: played.frames };
        }
        let mut stepped = Stepped { reward: 0, frames: 0 };
        while stepped.frames < wrapper.frame_skip && !self.is_over() {
            stepped.reward += self.console.play(action, 1, 1).reward;
            stepped.frames += 1;
            self.lose_lives(wrapper);
        }
        stepped
    }

    fn lose_lives(&mut self, wrapper: &Preprocessing) {
        if wrapper.terminal_on_life_loss {
            let lives = self.console.lives();
            self.lost = lives < self.lives;
            self.lives = lives;
        }
    }

    /// Adds the frame of a step without pooling. The end of an episode is not seen.
    fn see_single(&mut self, wrapper: &Preprocessing, over: bool) {
        let console = &self.console;
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

impl Env for AleAtari {
    type State = Play;
    type Random = AleStream;

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
                .integer_or_pair(1..=MOST_FRAMES)
                .each_episode(),
            OptionSpec::new("repeat_action_probability", 0.25, "probability that a frame repeats the action before")
                .probability(),
            OptionSpec::new("full_action_space", false, "whether there are all 18 actions"),
            OptionSpec::new("continuous", false, "whether actions are radius, angle and fire"),
            OptionSpec::new("continuous_action_threshold", 0.5, "what exceeds it is a direction, or fire").each_episode(),
            OptionSpec::new(
                "max_num_frames_per_episode",
                MAX_FRAMES,
                "frames after which an episode is truncated; 0 or None: never",
            )
            .or(Value::None)
            .integers(0..=i64::from(i32::MAX)),
        ];
        options.extend(preprocessing::options());
        options.extend([
            OptionSpec::optional(
                "stack_size",
                4,
                "observations in one, as gymnasium's FrameStackObservation; None: it is not applied",
            )
            .integers(1..=MOST_STACKED),
            OptionSpec::new("padding_type", "reset", "what fills the stack at a reset: the first observation, or zeros")
                .one_of(&["reset", "zero"]),
            translate_option(),
        ]);
        options
    }

    fn new(options: &Options) -> Result<Self> {
        let game = arguments::game(options, "game")?;
        let setup = Setup::new(game, options, None)?.max_episode_frames(arguments::max_frames(options));
        let preprocessing = Preprocessing::new(options, game)?;
        let view = View::new(options);
        let frameskip = arguments::frameskip(options)?;
        let continuous = Continuous::new(options);
        if let Some(wrapper) = &preprocessing {
            wrapper.check(options, setup.actions[0].name())?;
        }
        let stack_size = arguments::stack_size(options);
        let pads_with_zeros = arguments::pads_with_zeros(options, stack_size)?;
        let env = Self { setup, view, frameskip, continuous, preprocessing, stack_size, pads_with_zeros };
        arguments::check_size("stack_size", options.get("stack_size"), env.kept() * env.frame_size())?;
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
            Some(_) => Continuous::space(),
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
        Console::BYTES + self.kept() * self.frame_size() + screens
    }

    fn create(&self, _lane: usize) -> Result<Play> {
        let stack = match self.kept() {
            0 => FrameStack::default(),
            depth => FrameStack::new(depth, self.frame_size()),
        };
        let (console, before) = (self.setup.console(0), Default::default());
        Ok(Play { console, stack, lives: 0, is_fresh: true, lost: false, before })
    }

    fn reset(&self, state: &mut Play, options: &ResetOptions, random: &mut AleStream) {
        let seed = options.seed().map(console_seed);
        match &self.preprocessing {
            Some(wrapper) => self.reset_preprocessed(wrapper, state, seed, &mut random.0),
            None => {
                let console = &mut state.console;
                self.setup.reset(console, seed);
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
        (state.lives, state.lost, state.is_fresh) = (state.console.lives(), false, true);
    }

    fn step(&self, state: &mut Play, action: &Action<'_>, rewards: &mut [f64], random: &mut AleStream) -> bool {
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
                let reward = self.play(console, action, &mut random.0);
                if self.stack_size.is_some() {
                    state.stack.push(|frame| self.view.draw(console, frame));
                }
                reward
            }
        };
        rewards[0] = f64::from(reward);
        state.lost || state.console.game_over()
    }

    fn is_truncated(&self, state: &Play) -> bool {
        state.console.is_truncated()
    }

    fn observe(&self, state: &Play, out: &mut Row<'_>) {
        let mut start = 0;
        let mut write = |piece: &[u8]| {
            out.write_at(0, start, piece);
            start += piece.len();
        };
        if self.kept() == 0 {
            self.view.show(&state.console, write);
        } else if self.preprocessing.as_ref().is_some_and(|wrapper| wrapper.scales) {
            let scaled: Vec<f32> = state.stack.pieces().concat().iter().map(|value| f32::from(*value) / 255.0).collect();
            out.write(0, &scaled);
        } else {
            state.stack.pieces().into_iter().for_each(&mut write);
        }
    }

    fn info(&self, state: &Play, out: &mut Row<'_>) {
        out.scalar(0, state.console.lives());
        out.scalar(1, i64::from(state.console.episode_frames()));
        out.scalar(2, i64::from(state.console.frames()));
    }

    fn rendering(&self) -> Rendering {
        screen::rendering(self.setup.game.shown().rows)
    }

    fn paint(&self, state: &Play) -> Picture {
        screen::picture(self.setup.game, &state.console, self.setup.game.shown().rows)
    }
}

/// A state but for the console, and what is only looked at within a step.
type Beside = (FrameStack, i32, bool, bool);

impl LaneState<AleAtari> for Play {
    fn save(&self, _env: &AleAtari, bytes: &mut Vec<u8>) {
        write_value(bytes, &self.console.snapshot());
        write_value(bytes, &(&self.stack, self.lives, self.is_fresh, self.lost));
    }

    fn load(env: &AleAtari, bytes: &mut &[u8]) -> Result<Self> {
        let console = env.setup.restored(&read_value(bytes)?)?;
        let (stack, lives, is_fresh, lost): Beside = read_value(bytes)?;
        let fits = match env.kept() {
            0 => stack.is_like(0, 0),
            depth => stack.is_like(depth, env.frame_size()),
        };
        match fits {
            true => Ok(Self { console, stack, lives, is_fresh, lost, before: Default::default() }),
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
        env.setup.plug(rom()).unwrap();
        Lane::new(env, seed)
    }

    fn lane(given: &[(&str, Value)]) -> Lane<AleAtari> {
        let mut options = vec![("repeat_action_probability", 0.0.into())];
        options.extend(given.iter().cloned());
        with_seed(3, &options)
    }

    /// With preprocessing, four frames a step, no NOOPs.
    fn preprocessed(given: &[(&str, Value)]) -> Lane<AleAtari> {
        let mut options = vec![("preprocessing", true.into()), ("frameskip", 1.into()), ("noop_max", 0.into())];
        options.extend(given.iter().cloned());
        lane(&options)
    }

    /// What the program has counted.
    fn frames(lane: &Lane<AleAtari>) -> u8 {
        lane.state.console.ram()[super::super::testing::FRAMES]
    }

    /// The only value of an observation, or of each frame in it.
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
