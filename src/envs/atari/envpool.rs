//! EnvPool 1.2.5's Atari tasks (`Pong-v5`): frame skip, gray, resize, frame stack, episodic life.

use super::{
    checked_options::{self, MAX_FRAMES_PER_STEP, MAX_SIDE, MAX_STACK},
    console_setup::{ConsoleSetup, translate_option},
    names::camel_case,
    preprocessor::{PixelFormat, Preprocessor},
    screen,
};
use envpool_rs_engine::{
    Action, AssetCache, Dtype, Env, EnvPoolClass, EnvSpec, EpisodeEnd, Frame, InfoSpec, LaneState, OptionSpec, Options,
    RenderSpec, ResetOptions, Result, Row, Space, Task, Value, read_value, refused_state, write_value,
};
use envpool_rs_numeric::random::StdMt19937;
use envpool_rs_pictures::FrameStack;
use envpool_rs_pictures::resize::Interpolation;
use envpool_rs_sim_atari::{Action as Input, Console, Game};

/// Number of screen rows that are observed, even if the game's screen has more.
const OBSERVED_ROWS: usize = 210;
/// Value of the options `mode` and `difficulty` that stands for the game's default.
const DEFAULT_CODE: i64 = -1;

/// EnvPool's Atari environment.
///
/// - Observation: uint8 `(stack_num * channels, img_height, img_width)`, the oldest frame first.
/// - Action: `Discrete`, the game's minimal set or all 18.
/// - Reward: the points scored in the frames of the step, or their sign with `reward_clip=True`.
/// - Infos after the step: `lives`, `reward` (not clipped), `terminated` (whether the game is over), `ram` `(128,)`.
///
/// Rules:
///
/// - A frame is the maximum of the last two screens. If the game ends in the second-to-last frame of the step, the observed
///   frame is the screen of this frame. If the game ends earlier, the previous observed frame is repeated.
/// - A reset plays between 1 and `noop_max` NOOPs. FIRE replaces the last one if `use_fire_reset` is set and the game's actions
///   include it.
/// - With `episodic_life`, losing a life other than the last ends an episode but not the game. The next episode continues the
///   game, and `elapsed_step` continues to count. An explicit reset starts a new game.
/// - `noop_max=0` means no NOOPs. In EnvPool it has no meaning.
/// - The number of NOOPs is drawn as in EnvPool, from a `std::mt19937` with the environment's seed.
#[derive(Debug)]
pub struct EnvPoolAtari {
    setup: ConsoleSetup,
    preprocessor: Preprocessor,
    stack_num: usize,
    stack_once: bool,
    frame_skip: u32,
    noop_max: usize,
    starts_with_fire: bool,
    zero_discount_on_life_loss: bool,
    episodic_life: bool,
    reward_clip: bool,
    shape: [usize; 3],
}

/// State of one EnvPool environment.
#[derive(Debug)]
pub struct EpisodeState {
    console: Box<Console>,
    stack: FrameStack,
    lives: i32,
    reward: f32,
    /// Whether the player gained or lost a life in the last step.
    lives_changed: bool,
}

/// Class of the tasks in EnvPool.
static CLASS: EnvPoolClass = EnvPoolClass::new("atari", "Atari", "Pong-v5").selected_by(&["task"]);

/// Returns EnvPool's task of a game, such as `Pong-v5`.
pub fn task(game: &'static Game) -> Task {
    let id = format!("{}-v5", camel_case(game, false)).leak();
    Task::env::<EnvPoolAtari>(id).envpool_class(&CLASS).preset("task", game.name).max_episode_steps(27_000)
}

impl EnvPoolAtari {
    /// Returns the number of screen rows in rendered pictures, at most [`OBSERVED_ROWS`], as in EnvPool.
    fn visible_rows(&self) -> u16 {
        self.setup.game.visible_picture().rows.min(OBSERVED_ROWS as u16)
    }

    /// Starts an episode, in a new game or in the current one.
    fn start_episode(&self, state: &mut EpisodeState, random: &mut StdMt19937, new_game: bool, console_seed: Option<u32>) {
        let noops = match self.noop_max {
            0 => 0,
            most => random.uniform_int(0, most as i64 - 1) + 1 - i64::from(self.starts_with_fire),
        };
        let mut fills = new_game;
        if new_game {
            self.setup.reset(&mut state.console, console_seed);
        }
        let console = &mut state.console;
        for _ in 0..noops {
            play_one_frame(console, Input::Noop);
            if console.game_over() {
                self.setup.reset(console, None);
                fills = true;
            }
        }
        if self.starts_with_fire {
            play_one_frame(console, Input::Fire);
        }
        state.stack.push(|frame| self.preprocessor.convert([console.screen()], frame));
        if fills {
            state.stack.fill_with_newest();
        }
        (state.lives, state.reward, state.lives_changed) = (console.lives(), 0.0, false);
    }

    /// Pushes the observed frame of a step to the frame stack. `played` is the number of frames that the step has played.
    fn push_frame(&self, console: &Console, played: u32, stack: &mut FrameStack) {
        let (last, before) = (console.screen(), console.previous_screen());
        match self.frame_skip - played {
            0 if self.frame_skip > 1 => stack.push(|frame| self.preprocessor.convert([before, last], frame)),
            0 | 1 => stack.push(|frame| self.preprocessor.convert([last], frame)),
            _ => stack.repeat_newest(),
        }
    }
}

/// Plays an action for one frame. If the game is over, plays no frame and only draws the random number that a frame draws.
fn play_one_frame(console: &mut Console, action: Input) {
    match console.is_over() {
        true => console.skip_frames(action, 1),
        false => {
            console.play(action, 1, 1);
        }
    }
}

impl Env for EnvPoolAtari {
    type State = EpisodeState;
    type Random = StdMt19937;
    const TRUNCATION_WINS: bool = true;

    fn options() -> Vec<OptionSpec> {
        vec![
            OptionSpec::path("rom_dir", "folder with the cartridges' images, pong.bin and so on, or with atari/roms/pong.bin"),
            OptionSpec::new("stack_num", 4, "frames in an observation").integers(1..=MAX_STACK),
            OptionSpec::new("frame_skip", 4, "frames for which an action is repeated")
                .integers(1..=MAX_FRAMES_PER_STEP)
                .per_episode(),
            OptionSpec::new("noop_max", 30, "a reset plays 1 to this many NOOPs, or none")
                .integers(0..=MAX_FRAMES_PER_STEP)
                .per_episode(),
            OptionSpec::new("zero_discount_on_life_loss", false, "whether the discount is 0 when a life is lost").per_episode(),
            OptionSpec::new("episodic_life", false, "whether losing a life ends the episode, but not the game").per_episode(),
            OptionSpec::new("reward_clip", false, "whether rewards are -1, 0 or 1").per_episode(),
            OptionSpec::new("use_fire_reset", true, "whether a reset presses FIRE in games that have it").per_episode(),
            OptionSpec::new("img_height", 84, "rows of an observation").integers(1..=MAX_SIDE),
            OptionSpec::new("img_width", 84, "columns of an observation").integers(1..=MAX_SIDE),
            OptionSpec::new("task", "pong", "the game"),
            OptionSpec::new("mode", DEFAULT_CODE, "the game's mode; -1: its default").or(Value::None),
            OptionSpec::new("difficulty", DEFAULT_CODE, "the game's difficulty; -1: its default").or(Value::None),
            OptionSpec::new("full_action_space", false, "whether the action set has all 18 actions"),
            OptionSpec::new("repeat_action_probability", 0.0, "probability that a frame repeats the previous action")
                .probability(),
            OptionSpec::new("use_inter_area_resize", true, "OpenCV's INTER_AREA, or else INTER_LINEAR"),
            OptionSpec::new("gray_scale", true, "whether frames are gray; coloured ones have three channels"),
            translate_option(),
            checked_options::stack_once_option(),
        ]
    }

    fn new(options: &Options) -> Result<Self> {
        let setup = ConsoleSetup::new(checked_options::game(options, "task")?, options, Some(DEFAULT_CODE))?;
        let to = (checked_options::non_negative(options, "img_height"), checked_options::non_negative(options, "img_width"));
        let method = if options.bool("use_inter_area_resize") { Interpolation::Area } else { Interpolation::Linear };
        let format = if options.bool("gray_scale") { PixelFormat::Gray } else { PixelFormat::RgbPlanes };
        let preprocessor = Preprocessor::new(OBSERVED_ROWS, to, method, format, setup.game.visible_picture().pal);
        let stack_num = checked_options::non_negative(options, "stack_num");
        checked_options::check_size("stack_num", stack_num, stack_num * preprocessor.frame_size())?;
        Ok(Self {
            starts_with_fire: options.bool("use_fire_reset") && setup.actions.contains(&Input::Fire),
            setup,
            preprocessor,
            stack_num,
            stack_once: options.bool("stack_once"),
            frame_skip: checked_options::non_negative(options, "frame_skip") as u32,
            noop_max: checked_options::non_negative(options, "noop_max"),
            zero_discount_on_life_loss: options.bool("zero_discount_on_life_loss"),
            episodic_life: options.bool("episodic_life"),
            reward_clip: options.bool("reward_clip"),
            shape: [if options.bool("stack_once") { 1 } else { stack_num } * format.channels(), to.0, to.1],
        })
    }

    fn load(&mut self, store: &AssetCache) -> Result<()> {
        self.setup.load(store)
    }

    fn spec(&self) -> EnvSpec {
        let observation = Space::uniform(0.0, 255.0, &self.shape, Dtype::U8);
        let mut spec = EnvSpec::new(observation, Space::discrete(self.setup.actions.len() as i64));
        spec.action_hint = self.setup.action_hint();
        spec.option_decisions = self.setup.decided();
        spec.info = vec![
            InfoSpec::new("lives", Dtype::I64, &[]),
            InfoSpec::new("reward", Dtype::F64, &[]),
            InfoSpec::new("terminated", Dtype::I64, &[]).with_envpool_range(0, 1),
            InfoSpec::new("ram", Dtype::U8, &[128]),
        ];
        let age = InfoSpec::new("stack_age", Dtype::I64, &[]);
        spec.info.push(if self.stack_once { age } else { age.hidden() });
        spec
    }

    fn heap_bytes(&self) -> usize {
        Console::BYTES + self.stack_num * self.preprocessor.frame_size()
    }

    fn create(&self, _lane: usize) -> Result<EpisodeState> {
        let stack = FrameStack::new(self.stack_num, self.preprocessor.frame_size());
        Ok(EpisodeState { console: self.setup.console(0), stack, lives: 0, reward: 0.0, lives_changed: false })
    }

    fn reset(&self, state: &mut EpisodeState, options: &ResetOptions, random: &mut StdMt19937) {
        self.start_episode(state, random, true, options.seed().map(|seed| seed as u32));
    }

    fn next_episode(&self, state: &mut EpisodeState, ended: EpisodeEnd, random: &mut StdMt19937) -> i32 {
        let new_game = !self.episodic_life || ended.at_limit || state.console.game_over();
        self.start_episode(state, random, new_game, None);
        if new_game { 0 } else { ended.elapsed }
    }

    fn step(&self, state: &mut EpisodeState, action: &Action<'_>, rewards: &mut [f64], _random: &mut StdMt19937) -> bool {
        let action = self.setup.actions[action.discrete() as usize];
        let console = &mut state.console;
        let mut played = console.play(action, self.frame_skip, 2);
        if played.frames == 0 {
            // If NOOPs or FIRE have ended the game before the first step, EnvPool plays a frame without effect, which draws a
            // random number.
            console.skip_frames(action, 1);
            played.frames = 1;
        }
        self.push_frame(console, played.frames, &mut state.stack);
        let lives = console.lives();
        state.reward = played.reward as f32;
        rewards[0] = f64::from(if self.reward_clip { played.reward.signum() } else { played.reward });
        let life_lost = self.episodic_life && 0 < lives && lives < state.lives;
        state.lives_changed = lives != state.lives;
        state.lives = lives;
        console.game_over() || life_lost
    }

    fn has_zero_discount(&self, state: &EpisodeState) -> bool {
        self.zero_discount_on_life_loss && state.lives_changed
    }

    fn observe(&self, state: &EpisodeState, out: &mut Row<'_>) {
        if self.stack_once {
            out.write_at(0, 0, state.stack.newest_frame());
            return;
        }
        let [older, newer] = state.stack.as_slices();
        out.write_at(0, 0, older);
        out.write_at(0, older.len(), newer);
    }

    fn info(&self, state: &EpisodeState, out: &mut Row<'_>) {
        out.scalar(0, state.lives);
        out.scalar(1, state.reward);
        out.scalar(2, i32::from(state.console.game_over()));
        out.write(3, state.console.ram().as_slice());
        out.scalar(4, i64::from(state.stack.age()));
    }

    fn render_spec(&self) -> RenderSpec {
        screen::rendering(self.visible_rows())
    }

    fn render_frame(&self, state: &EpisodeState, _size: (u32, u32)) -> Frame {
        screen::picture(self.setup.game, &state.console, self.visible_rows())
    }
}

/// Serialized fields of the state of an EnvPool environment: frame stack, lives, reward, and whether a life was gained or lost.
/// The console is saved separately.
type SavedFields = (FrameStack, i32, f32, bool);

impl LaneState<EnvPoolAtari> for EpisodeState {
    fn save(&self, _env: &EnvPoolAtari, bytes: &mut Vec<u8>) -> Result<()> {
        write_value(bytes, &self.console.snapshot())?;
        write_value(bytes, &(&self.stack, self.lives, self.reward, self.lives_changed))
    }

    fn load(env: &EnvPoolAtari, bytes: &mut &[u8]) -> Result<Self> {
        let console = env.setup.restore(&read_value(bytes)?)?;
        let (stack, lives, reward, lives_changed): SavedFields = read_value(bytes)?;
        match stack.has_shape(env.stack_num, env.preprocessor.frame_size()) {
            true => Ok(Self { console, stack, lives, reward, lives_changed }),
            false => Err(refused_state("its frames have another number or size")),
        }
    }
}

#[cfg(test)]
mod tests;
