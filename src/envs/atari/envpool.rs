//! Atari games as EnvPool 1.2.5 has them (`Pong-v5`): frames skipped, gray, resized, stacked; optionally with lives as episodes.

use serde::{Deserialize, Serialize};

use super::{
    arguments::{self, MOST_FRAMES, MOST_PIXELS, MOST_STACKED},
    camel_case,
    console_slot::ConsoleSlot,
    frame_stack::FrameStack,
    preprocessor::{Form, Preprocessor},
    resize::Method,
    seeded::EnvPoolSeeded,
    setup::Setup,
};
use crate::{
    engine::{
        Action, Dtype, Ended, Env, EnvSpec, InfoSpec, OptionSpec, Options, Picture, Rendering, ResetOptions, Result, Row, Space,
        Task, Value,
    },
    sim::atari::{self, Game},
};

/// Rows of the screen that are looked at, also where there are more.
const ROWS: usize = 210;
/// The number that stands for the default mode and difficulty.
const ABSENT: i64 = -1;

/// The environment. Observation uint8 `(stack_num * channels, img_height, img_width)`, the oldest frame first; action `Discrete`, the
/// game's own or all 18; reward the points of the frames, or their sign. Infos: `lives`, `reward` (not clipped), `terminated`
/// (whether the game is over) and `ram` `(128,)` as they are after the step.
///
/// - A frame is the brighter of the last two screens. If the game ends in the last but one, it is that screen; if earlier, the
///   frame before is shown again.
/// - A reset plays between 1 and `noop_max` NOOPs, of which FIRE takes the place of the last where `use_fire_reset` and the
///   game's actions have it.
/// - With `episodic_life`, losing a life that is not the last one ends an episode but not the game: the next episode goes on, and
///   `elapsed_step` with it. A reset that is asked for begins a new game.
/// - `noop_max=0` means no NOOPs. In EnvPool it has no meaning.
///
/// EnvPool draws the number of NOOPs from a generator of the C++ library, which is not imitated.
#[derive(Debug)]
pub struct EnvPoolAtari {
    setup: Setup,
    preprocessor: Preprocessor,
    stack_num: usize,
    frame_skip: u32,
    noop_max: usize,
    starts_with_fire: bool,
    zero_discount_on_life_loss: bool,
    episodic_life: bool,
    reward_clip: bool,
    shape: [usize; 3],
}

/// One game being played.
#[derive(Debug, Serialize, Deserialize)]
pub struct Play {
    console: ConsoleSlot,
    stack: FrameStack,
    lives: i32,
    reward: f32,
    /// Whether the last step had other lives than the one before.
    lives_changed: bool,
}

/// The task of a game.
pub fn task(game: &'static Game) -> Task {
    let id = format!("{}-v5", camel_case(game, false)).leak();
    Task::env::<EnvPoolAtari>(id).preset("task", game.name).max_episode_steps(27_000)
}

fn skips_of(options: &Options) -> Result<u32> {
    arguments::integer(options, "frame_skip", 1..=MOST_FRAMES).map(|frames| frames as u32)
}

impl EnvPoolAtari {
    /// Begins an episode, in a new game or where the game stands.
    fn begin(&self, state: &mut Play, random: &mut EnvPoolSeeded, new_game: bool) {
        let random = &mut random.0;
        let noops = match self.noop_max {
            0 => 0,
            most => random.generator.integers(0, most as i64) + 1 - i64::from(self.starts_with_fire),
        };
        let mut fills = new_game;
        if new_game {
            self.setup.reset(&mut state.console, random);
        }
        for _ in 0..noops {
            let console = state.console.console_mut();
            advance(console, atari::Action::Noop);
            if console.game_over() {
                self.setup.reset(&mut state.console, random);
                fills = true;
            }
        }
        let console = state.console.console_mut();
        if self.starts_with_fire {
            advance(console, atari::Action::Fire);
        }
        state.stack.push(|frame| self.preprocessor.one(console.screen(), frame));
        if fills {
            state.stack.fill_with_newest();
        }
        (state.lives, state.reward, state.lives_changed) = (console.lives(), 0.0, false);
    }

    /// Adds the frame of a step of which so many frames were played.
    fn see(&self, console: &atari::Console, played: u32, stack: &mut FrameStack) {
        let (last, before) = (console.screen(), console.previous_screen());
        match self.frame_skip - played {
            0 if self.frame_skip > 1 => stack.push(|frame| self.preprocessor.two(before, last, frame)),
            0 | 1 => stack.push(|frame| self.preprocessor.one(last, frame)),
            _ => stack.push_newest(),
        }
    }
}

/// Plays an action for a frame; if the game is over, only chance goes on.
fn advance(console: &mut atari::Console, action: atari::Action) {
    match console.is_over() {
        true => console.pass(action, 1),
        false => {
            console.play(action, 1, 1);
        }
    }
}

impl Env for EnvPoolAtari {
    type State = Play;
    type Random = EnvPoolSeeded;
    const LIMIT_FIRST: bool = true;

    fn options() -> Vec<OptionSpec> {
        vec![
            OptionSpec::place("rom_dir", "folder with the cartridges' images, pong.bin and so on, or with atari/roms/pong.bin"),
            OptionSpec::new("stack_num", 4, "frames in an observation"),
            OptionSpec::new("frame_skip", 4, "frames that an action is played for"),
            OptionSpec::new("noop_max", 30, "a reset plays 1 to this many NOOPs, or none"),
            OptionSpec::new("zero_discount_on_life_loss", false, "whether the discount is 0 where a life is lost"),
            OptionSpec::new("episodic_life", false, "whether losing a life ends the episode, but not the game"),
            OptionSpec::new("reward_clip", false, "whether rewards are -1, 0 or 1"),
            OptionSpec::new("use_fire_reset", true, "whether a reset presses FIRE in games that have it"),
            OptionSpec::new("img_height", 84, "rows of an observation"),
            OptionSpec::new("img_width", 84, "columns of an observation"),
            OptionSpec::new("task", "pong", "the game"),
            OptionSpec::new("mode", ABSENT, "the game's mode; -1: its default").or(Value::None),
            OptionSpec::new("difficulty", ABSENT, "the game's difficulty; -1: its default").or(Value::None),
            OptionSpec::new("full_action_space", false, "whether there are all 18 actions"),
            OptionSpec::new("repeat_action_probability", 0.0, "probability that a frame repeats the action before"),
            OptionSpec::new("use_inter_area_resize", true, "OpenCV's INTER_AREA, or else INTER_LINEAR"),
            OptionSpec::new("gray_scale", true, "whether frames are gray; coloured ones have three channels"),
        ]
    }

    fn new(options: &Options) -> Result<Self> {
        let setup = Setup::new(arguments::game(options, "task")?, options, Some(ABSENT))?;
        let side = |name| arguments::integer(options, name, 1..=MOST_PIXELS);
        let to = (side("img_height")?, side("img_width")?);
        let method = if options.bool("use_inter_area_resize") { Method::Area } else { Method::Linear };
        let form = if options.bool("gray_scale") { Form::Gray } else { Form::RgbPlanes };
        let preprocessor = Preprocessor::new(ROWS, to, method, form, setup.game.shown().pal);
        let stack_num = arguments::integer(options, "stack_num", 1..=MOST_STACKED)?;
        arguments::check_size("stack_num", stack_num, stack_num * preprocessor.frame_size())?;
        Ok(Self {
            starts_with_fire: options.bool("use_fire_reset") && setup.actions.contains(&atari::Action::Fire),
            setup,
            preprocessor,
            stack_num,
            frame_skip: skips_of(options)?,
            noop_max: arguments::integer(options, "noop_max", 0..=MOST_FRAMES)?,
            zero_discount_on_life_loss: options.bool("zero_discount_on_life_loss"),
            episodic_life: options.bool("episodic_life"),
            reward_clip: options.bool("reward_clip"),
            shape: [stack_num * form.channels(), to.0, to.1],
        })
    }

    fn prepare(&mut self) -> Result<()> {
        self.setup.plug_in()
    }

    fn spec(&self) -> EnvSpec {
        let observation = Space::uniform(0.0, 255.0, &self.shape, Dtype::U8);
        let mut spec = EnvSpec::new(observation, Space::discrete(self.setup.actions.len() as i64));
        let info =
            |key, dtype, shape: &[usize]| InfoSpec { in_gymnasium: true, in_envpool: true, key, dtype, shape: shape.to_vec() };
        spec.info = vec![
            info("lives", Dtype::I64, &[]),
            info("reward", Dtype::F64, &[]),
            info("terminated", Dtype::I64, &[]),
            info("ram", Dtype::U8, &[128]),
        ];
        spec
    }

    fn rendering(&self) -> Rendering {
        self.setup.rendering()
    }

    fn draw(&self, state: &Play) -> Picture {
        self.setup.draw(state.console.console())
    }

    fn create(&self) -> Play {
        let stack = FrameStack::new(self.stack_num, self.preprocessor.frame_size());
        Play { console: ConsoleSlot::Empty, stack, lives: 0, reward: 0.0, lives_changed: false }
    }

    fn reset(&self, state: &mut Play, _options: &ResetOptions, random: &mut EnvPoolSeeded) {
        self.begin(state, random, true);
    }

    fn next_episode(&self, state: &mut Play, ended: Ended, random: &mut EnvPoolSeeded) -> i32 {
        let new_game = !self.episodic_life || ended.at_limit || state.console.console().game_over();
        self.begin(state, random, new_game);
        if new_game { 0 } else { ended.elapsed }
    }

    fn step(&self, state: &mut Play, action: &Action<'_>, rewards: &mut [f64], _random: &mut EnvPoolSeeded) -> bool {
        let action = self.setup.actions[action.discrete() as usize];
        let console = state.console.console_mut();
        let mut played = console.play(action, self.frame_skip, 2);
        if played.frames == 0 {
            // A game that NOOPs or FIRE have ended before it began: EnvPool plays a frame in vain.
            console.pass(action, 1);
            played.frames = 1;
        }
        self.see(console, played.frames, &mut state.stack);
        let lives = console.lives();
        state.reward = played.reward as f32;
        rewards[0] = f64::from(if self.reward_clip { played.reward.signum() } else { played.reward });
        let life_lost = self.episodic_life && 0 < lives && lives < state.lives;
        state.lives_changed = lives != state.lives;
        state.lives = lives;
        console.game_over() || life_lost
    }

    fn discounts_all(&self, state: &Play) -> bool {
        self.zero_discount_on_life_loss && state.lives_changed
    }

    fn observe(&self, state: &Play, out: &mut Row<'_>) {
        let [older, newer] = state.stack.pieces();
        out.write_at(0, 0, older);
        out.write_at(0, older.len(), newer);
    }

    fn info(&self, state: &Play, out: &mut Row<'_>) {
        out.scalar(0, state.lives);
        out.scalar(1, state.reward);
        let console = state.console.console();
        out.scalar(2, i32::from(console.game_over()));
        out.write(3, console.ram());
    }

    fn adopt(&self, state: &mut Play) -> bool {
        state.stack.is_like(self.stack_num, self.preprocessor.frame_size()) && state.console.adopt(|| self.setup.console(0))
    }
}
