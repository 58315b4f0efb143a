//! Environment for all Procgen games, with the interface of EnvPool or of the Python package procgen.

use std::cell::RefCell;

use envpool_rs_engine::{
    Action, AssetCache, AssetRef, Dtype, Env, EnvPoolClass, EnvSpec, Frame, InfoSpec, LaneState, OptionSpec, Options, RenderSpec,
    ResetOptions, Result, Row, ScratchPool, Space, Task, read_value, refused_state, write_value,
};
use envpool_rs_numeric::random::StdMt19937;
use envpool_rs_sim_procgen::{Canvas, Game, GameName, GameOptions, LevelRange, SIDE, Screen, Setup};

use crate::game_options::{self, EXPLORATION, FIRST_ENV, mode_number};
use crate::level_seeds::stream_seed;
use crate::pictures::PictureFolder;

/// Number of actions: eight directions, no movement, and six keys.
const NUM_ACTIONS: i64 = 15;
const FRAMES_PER_SECOND: u32 = 15;
/// Estimated heap memory of one environment in bytes: canvases, cells and entities.
const LANE_BYTES: usize = 128 << 10;

/// Library whose interface a task has: EnvPool, or the Python package procgen.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Reference {
    EnvPool,
    Package,
}

/// Environment of one of procgen's games.
///
/// - Observation: uint8 `(3, 64, 64)` or `(64, 64, 3)`; the package's tasks have the latter.
/// - Action: `Discrete(15)`: actions 0 to 8 move left, not at all or right (three actions each), combined with down, no or up;
///   actions 9 to 14 are six keys.
/// - Reward: the reward that the game's rules give.
/// - Infos: `level_seed`, `prev_level_seed`, `prev_level_complete`.
///
/// Rules:
///
/// - EnvPool's tasks: the rules terminate an episode, and the task's time limit truncates it. `use_sequential_levels` has no
///   effect, as in EnvPool.
/// - The package's tasks: the rules terminate an episode, and the game's time limit truncates it. With `use_sequential_levels`,
///   the step that completes a level also starts the next level.
/// - Environment `i` of a pool with seed `s` draws the same levels as environment `i` of a procgen instance with `rand_seed=s`.
///   With `first_env=k`, the pool's environments are number `k`, `k + 1`, ..., and have the seeds `s + k`, `s + k + 1`, ... of
///   the instance's pool.
#[derive(Debug)]
pub struct Procgen {
    reference: Reference,
    game: GameName,
    options: GameOptions,
    levels: LevelRange,
    channel_first: bool,
    /// Number of the pool's first environment in the larger pool of which it is a part.
    first_env: usize,
    folder: PictureFolder,
    setup: AssetRef<Setup>,
    canvases: ScratchPool<Canvas>,
}

/// State of one Procgen environment: its game, its picture, and the outcome of the last step.
#[derive(Debug)]
pub struct EpisodeState {
    game: Game,
    /// Number of the environment in its pool, or in the larger pool of which its pool is a part.
    number: usize,
    /// Whether the last step reached the game's time limit without being terminated by the rules.
    is_truncated: bool,
    screen: RefCell<Screen>,
}

/// Class of the tasks in EnvPool.
static CLASS: EnvPoolClass =
    EnvPoolClass::new("procgen", "Procgen", "BigfishHard-v0").selected_by(&["env_name", "distribution_mode"]);

/// Returns EnvPool's tasks, followed by the Python package's tasks.
pub fn tasks() -> Vec<Task> {
    let envpool = Task::env::<Procgen>("").options(game_options::envpool()).envpool_class(&CLASS).variant(&Reference::EnvPool);
    let package = Task::env::<Procgen>("").options(game_options::package()).variant(&Reference::Package);
    let games = GameName::ALL.iter().copied();
    games.clone().flat_map(|game| envpool_tasks(&envpool, game)).chain(games.map(|game| package_task(&package, game))).collect()
}

fn envpool_tasks(base: &Task, game: GameName) -> Vec<Task> {
    let modes = game.modes().iter().map(|mode| (capitalized(mode.name()), mode_number(*mode)));
    let exploration = game.exploration_level().map(|_| ("Exploration".to_owned(), EXPLORATION));
    let task = |(mode, number): (String, i64)| {
        let id = format!("{}{mode}-v0", capitalized(game.name())).leak();
        let task = base.with_id(id).preset("env_name", game.name()).preset("distribution_mode", number);
        task.max_episode_steps(game.timeout())
    };
    modes.chain(exploration).map(task).collect()
}

fn package_task(base: &Task, game: GameName) -> Task {
    base.with_id(format!("procgen-{}-v0", game.name()).leak()).preset("env_name", game.name())
}

fn capitalized(name: &str) -> String {
    name[..1].to_uppercase() + &name[1..]
}

impl Procgen {
    /// Draws the environment's picture, and calls `take` with it.
    fn draw(&self, state: &EpisodeState, take: impl FnOnce(&Canvas)) {
        let drawn = self.canvases.with(
            || Ok(Canvas::default()),
            |canvas| {
                state.game.draw(&mut state.screen.borrow_mut(), canvas);
                take(canvas);
            },
        );
        if let Err(error) = drawn {
            error.raise();
        }
    }

    fn start_episode(&self, state: &mut EpisodeState) {
        if self.reference == Reference::EnvPool {
            state.game.clear_outcome();
        }
        state.game.reset(self.levels);
        state.is_truncated = false;
    }
}

impl Env for Procgen {
    type State = EpisodeState;
    type Random = StdMt19937;
    const TRUNCATION_WINS: bool = true;

    fn options() -> Vec<OptionSpec> {
        game_options::envpool()
    }

    fn new(options: &Options) -> Result<Self> {
        let reference = *options.variant::<Reference>().expect("the task has its reference");
        let game = game_options::game(options);
        let (game_options, levels) = game_options::read(options, game)?;
        Ok(Self {
            reference,
            game,
            options: game_options,
            levels,
            channel_first: reference == Reference::EnvPool && options.bool("channel_first"),
            first_env: options.int(FIRST_ENV) as usize,
            folder: PictureFolder::new(game, options),
            setup: AssetRef::default(),
            canvases: ScratchPool::default(),
        })
    }

    fn load(&mut self, store: &AssetCache) -> Result<()> {
        let assets = self.folder.load(store)?;
        self.setup = AssetRef::new(Setup { options: self.options.clone(), assets });
        Ok(())
    }

    fn is_slow_to_load(&self, store: &AssetCache) -> bool {
        self.folder.is_missing_in(store)
    }

    fn spec(&self) -> EnvSpec {
        let side = SIDE as usize;
        let shape = if self.channel_first { [3, side, side] } else { [side, side, 3] };
        let mut spec = EnvSpec::new(Space::uniform(0.0, 255.0, &shape, Dtype::U8), Space::discrete(NUM_ACTIONS));
        spec.info = vec![
            InfoSpec::new("prev_level_seed", Dtype::I32, &[]),
            InfoSpec::new("prev_level_complete", Dtype::U8, &[]).with_envpool_dtype(Dtype::I32),
            InfoSpec::new("level_seed", Dtype::I32, &[]),
        ];
        spec
    }

    fn heap_bytes(&self) -> usize {
        LANE_BYTES
    }

    fn create(&self, lane: usize) -> Result<EpisodeState> {
        let game = Game::new(self.game, AssetRef::clone(&self.setup), 0);
        Ok(EpisodeState { game, number: self.first_env + lane, is_truncated: false, screen: RefCell::default() })
    }

    fn reset(&self, state: &mut EpisodeState, options: &ResetOptions, _random: &mut StdMt19937) {
        if let Some(seed) = options.seed() {
            state.game.seed(stream_seed(seed, state.number));
        }
        self.start_episode(state);
    }

    fn step(&self, state: &mut EpisodeState, action: &Action<'_>, rewards: &mut [f64], _random: &mut StdMt19937) -> bool {
        state.screen.get_mut().prefetch();
        let outcome = state.game.step(action.discrete());
        rewards[0] = f64::from(outcome.reward);
        match self.reference {
            Reference::EnvPool => outcome.terminated || outcome.timed_out,
            Reference::Package if self.options.use_sequential_levels && outcome.level_complete => {
                state.game.reset(self.levels);
                false
            }
            Reference::Package => {
                state.is_truncated = outcome.timed_out && !outcome.terminated;
                outcome.terminated
            }
        }
    }

    fn is_truncated(&self, state: &EpisodeState) -> bool {
        state.is_truncated
    }

    fn observe(&self, state: &EpisodeState, out: &mut Row<'_>) {
        let Some(bytes) = out.bytes(0) else { return };
        self.draw(state, |canvas| match self.channel_first {
            true => canvas.write_planes(bytes),
            false => canvas.write_rgb(bytes),
        });
    }

    fn info(&self, state: &EpisodeState, out: &mut Row<'_>) {
        out.scalar(0, state.game.prev_level_seed());
        out.scalar(1, i32::from(state.game.prev_level_complete()));
        out.scalar(2, state.game.level_seed());
    }

    fn render_spec(&self) -> RenderSpec {
        RenderSpec::with_frame_size(SIDE as u32, SIDE as u32, FRAMES_PER_SECOND)
    }

    fn render_frame(&self, state: &EpisodeState, _size: (u32, u32)) -> Frame {
        let mut pixels = vec![0; 3 * (SIDE * SIDE) as usize];
        self.draw(state, |canvas| canvas.write_rgb(&mut pixels));
        Frame::new(SIDE as u32, SIDE as u32, pixels)
    }
}

impl LaneState<Procgen> for EpisodeState {
    fn save(&self, _env: &Procgen, bytes: &mut Vec<u8>) -> Result<()> {
        write_value(bytes, &(&self.game, self.is_truncated))
    }

    fn load(env: &Procgen, bytes: &mut &[u8]) -> Result<Self> {
        let (mut game, is_truncated): (Game, bool) = read_value(bytes)?;
        game.attach(AssetRef::clone(&env.setup));
        match game.name() == env.game && game.is_valid() {
            true => Ok(Self { game, number: 0, is_truncated, screen: RefCell::default() }),
            false => Err(refused_state("it is of another game, or its values are out of range")),
        }
    }

    fn inherit(&mut self, previous: &mut Self) {
        self.number = previous.number;
    }
}
