//! Environment that plays any MiniGrid or BabyAI level.

use super::{
    babyai,
    level::{Level, LevelClass, TaskRow},
    levels,
    observation::{self, Observation},
    shared_options::integer,
};
use envpool_rs_engine::{
    Action, AssetCache, Dtype, Env, EnvPoolClass, EnvSpec, Error, Frame, InfoSpec, MAX_SIDE, OptionSpec, Options, RenderSpec,
    ResetOptions, Result, Row, Scheduling, Space, Task, Value,
};
use envpool_rs_numeric::random::Generator;
use envpool_rs_sim_grid_world::{Actions, GenError, Kind, Outcome, TileSet, World, WorldBuilder, full_scene, pov_scene, view};
use serde::{Deserialize, Serialize};

/// Largest size of a cell in rendered pictures, in pixels.
const MAX_TILE_SIZE: u32 = 64;

/// MiniGrid and BabyAI environment.
///
/// - Observation: a dict of `direction`, int64 `()`; `image`, uint8 `(7, 7, 3)`: kind, colour and state of each visible cell;
///   `mission`, a string.
/// - Action: `Discrete(7)`: left, right, forward, pickup, drop, toggle, done.
/// - Reward: `1 - 0.9 * steps / max_steps` for a success, which terminates the episode; otherwise 0.
/// - Infos in EnvPool's interface: `agent_pos` `(2,)` and `mission_id`.
///
/// If the last step before the time limit ends the episode, it is both terminated and truncated. A reset fails if a level
/// cannot be generated, for example with more objects than cells. In this case, minigrid would loop forever.
pub struct MiniGrid {
    level: Box<dyn Level>,
    observation: Observation,
    /// Time limit that the caller has set, in steps; `None` if the level's limit applies.
    max_steps: Option<u32>,
    /// Width and height of a cell in rendered pictures, in pixels.
    tile_size: usize,
    agent_pov: bool,
    /// Probability that the requested action is played, and the action that is played otherwise (`None` for a random action).
    action_prob: Option<(f64, Option<Actions>)>,
    /// Kinds of cells that do not end the episode when the agent enters them (minigrid's wrapper `NoDeath`); `death_cost` is
    /// added to the reward instead.
    no_death: Vec<Kind>,
    death_cost: f64,
    /// Seeds of consecutive episodes; after the last seed, the first one is used again.
    seeds: Vec<u64>,
    size: (i32, i32),
}

/// State of one MiniGrid or BabyAI environment.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub struct EpisodeState {
    world: World,
    /// Index of the next episode's seed in `seeds`.
    next_seed: usize,
}

fn classes() -> impl Iterator<Item = &'static LevelClass> {
    levels::CLASSES.into_iter().chain(babyai::CLASSES.into_iter().flatten())
}

/// Class of the tasks in EnvPool.
static CLASS: EnvPoolClass = EnvPoolClass::new("minigrid", "MiniGrid", "MiniGrid-Empty-8x8-v0").selected_by(&["env_name"]);

/// Returns the tasks of all classes of levels.
pub fn tasks() -> Vec<Task> {
    classes().flat_map(tasks_of).collect()
}

/// Returns the tasks of a class of levels.
pub fn tasks_of(class: &'static LevelClass) -> Vec<Task> {
    let task = |(id, presets): &TaskRow| {
        let task = Task::env::<MiniGrid>(id).options(options(class)).variant(class).envpool_class(&CLASS);
        presets.iter().fold(task, |task, (name, value)| task.preset(name, *value))
    };
    class.tasks.iter().map(task).collect()
}

/// Returns all options of a class of levels.
fn options(class: &'static LevelClass) -> Vec<OptionSpec> {
    let name = OptionSpec::new("env_name", class.name, "class of levels, by EnvPool's name");
    let mut all = vec![name.one_of(std::slice::from_ref(&class.name))];
    all.extend((class.options)());
    all.extend(observation::options());
    all.extend([
        OptionSpec::optional("max_steps", 100, "time limit in steps, on which rewards depend; None: the level's")
            .integers(1..=i64::from(u32::MAX))
            .per_episode(),
        OptionSpec::optional("action_prob", 0.9, "probability that the requested action is played").probability().per_episode(),
        OptionSpec::optional("random_action", 0, "action played otherwise; None: a random one").integers(0..=6).per_episode(),
        OptionSpec::new("no_death", Vec::<String>::new(), "kinds of cells that do not end an episode: \"lava\", \"ball\", ...")
            .per_episode(),
        OptionSpec::new("death_cost", -1.0, "reward added instead of ending the episode").per_episode(),
        OptionSpec::new("seeds", Vec::<i64>::new(), "seeds of the episodes, in a cycle: a fixed set of worlds"),
        OptionSpec::new("tile_size", 32, "pixels on each side of a cell in pictures").integers(1..=i64::from(MAX_TILE_SIZE)),
        OptionSpec::new("agent_pov", false, "whether pictures show the agent's view instead of the whole world"),
    ]);
    all
}

/// Returns the kinds of cells that the option `no_death` lists.
fn no_death_kinds(options: &Options) -> Result<Vec<Kind>> {
    let value = options.get("no_death");
    let named = |name: &String| {
        let all = [Kind::Wall, Kind::Floor, Kind::ClosedDoor, Kind::Key, Kind::Ball, Kind::Box, Kind::Lava];
        all.into_iter().find(|kind| kind.name() == name)
    };
    let kinds = match value {
        Value::Lines(names) => names.iter().map(named).collect(),
        _ => Some(Vec::new()),
    };
    kinds.ok_or_else(|| {
        Error::value("no_death", value, "a list of \"wall\", \"floor\", \"door\", \"key\", \"ball\", \"box\" and \"lava\"")
    })
}

fn seeds(options: &Options) -> Result<Vec<u64>> {
    let value = options.get("seeds");
    let seeds = match value {
        Value::Ints(seeds) => seeds.iter().map(|seed| u64::try_from(*seed).ok()).collect(),
        _ => Some(Vec::new()),
    };
    seeds.ok_or_else(|| Error::value("seeds", value, "a list of integers from 0 on"))
}

impl MiniGrid {
    fn margin(&self) -> i32 {
        self.observation.side as i32 - 1
    }

    /// Returns the columns and rows of cells in rendered pictures.
    fn pictured_cells(&self) -> (u32, u32) {
        match self.agent_pov {
            true => (self.observation.side as u32, self.observation.side as u32),
            false => (self.size.0 as u32, self.size.1 as u32),
        }
    }

    /// Returns the size of the tiles of which the engine scales a picture to `size` pixels: the smallest that need not grow, or
    /// the largest that the option `tile_size` allows.
    fn pictured_tile(&self, size: (u32, u32)) -> u32 {
        let (columns, rows) = self.pictured_cells();
        let largest = MAX_TILE_SIZE.min(MAX_SIDE / columns.max(rows)).max(1);
        size.0.div_ceil(columns).max(size.1.div_ceil(rows)).min(largest)
    }

    /// Draws the action to play: the action `requested` with the probability in `action_prob`, otherwise the replacement.
    fn sample_action(&self, requested: i32, random: &mut Generator) -> Actions {
        let action = Actions::ALL[requested as usize % Actions::ALL.len()];
        match self.action_prob {
            Some((probability, random_action)) if random.random() >= probability => {
                random_action.unwrap_or_else(|| Actions::ALL[random.integers(0, self.level.num_actions()) as usize])
            }
            _ => action,
        }
    }

    /// Steps the level, but does not end the episode if the agent enters a kind of cell in `no_death` (minigrid's wrapper
    /// `NoDeath`).
    fn step_no_death(&self, world: &mut World, action: Actions, random: &mut Generator) -> Outcome {
        let kills = |world: &World, pos| self.no_death.iter().any(|kind| world.grid.get(pos).is_a(*kind));
        let goes_to_death = action == Actions::Forward && kills(world, world.agent.front_pos());
        let outcome = self.level.step(world, action, self.margin(), random);
        match outcome.terminated && (goes_to_death || kills(world, world.agent.pos)) {
            true => Outcome { reward: outcome.reward + self.death_cost, terminated: false },
            false => outcome,
        }
    }
}

impl Env for MiniGrid {
    type State = EpisodeState;
    type Random = Generator;
    const SCHEDULING: Scheduling = Scheduling::Uniform;

    fn scheduling(&self) -> Scheduling {
        if self.level.has_fast_reset() { Self::SCHEDULING } else { Scheduling::OneByOne }
    }

    fn new(options: &Options) -> Result<Self> {
        let class = options.variant::<LevelClass>().expect("the task has its class");
        let level = (class.level)(options)?;
        let size = level.size();
        let observation = Observation::new(options, size, level.sees_through_walls(), class.mission_bytes)?;
        let tile_size = options.int("tile_size") as usize;
        let agent_pov = options.bool("agent_pov");
        let longest = if agent_pov { observation.side } else { size.0.max(size.1) as usize };
        if tile_size * longest > MAX_SIDE as usize {
            return Err(Error::value("tile_size", tile_size, format_args!("pictures of at most {MAX_SIDE} pixels a side")));
        }
        let random_action = match options.get("random_action") {
            Value::Int(action) if *action >= level.num_actions() => {
                return Err(Error::value("random_action", action, format_args!("0 to {}, or None", level.num_actions() - 1)));
            }
            Value::Int(action) => Some(Actions::ALL[*action as usize]),
            _ => None,
        };
        let action_prob = match options.get("action_prob") {
            Value::Float(probability) => Some((*probability, random_action)),
            _ if random_action.is_some() => {
                return Err(Error::value("random_action", options.get("random_action"), "None without action_prob"));
            }
            _ => None,
        };
        Ok(Self {
            level,
            observation,
            max_steps: matches!(options.get("max_steps"), Value::Int(_)).then(|| integer(options, "max_steps") as u32),
            tile_size,
            agent_pov,
            action_prob,
            no_death: no_death_kinds(options)?,
            death_cost: options.float("death_cost"),
            seeds: seeds(options)?,
            size,
        })
    }

    fn load(&mut self, store: &AssetCache) -> Result<()> {
        if let Some(size) = self.observation.tile_size() {
            let render = || {
                let tiles = TileSet::all(size);
                let bytes = tiles.bytes();
                Ok((tiles, bytes))
            };
            let tiles = store.get_or_load(&format!("tiles of {size} pixels"), render)?;
            self.observation.tiles = Some(TileSet::clone(&tiles));
        }
        Ok(())
    }

    fn spec(&self) -> EnvSpec {
        let mut spec = EnvSpec::new(self.observation.space(), Space::discrete(self.level.num_actions()));
        let max_pos = i64::from(self.size.0.max(self.size.1).max(25));
        spec.info = vec![
            InfoSpec::new("agent_pos", Dtype::I64, &[2]).only_in_envpool().with_envpool_range(0, max_pos),
            InfoSpec::new("mission_id", Dtype::I64, &[]).only_in_envpool().with_envpool_range(-1, 1024),
        ];
        spec
    }

    fn heap_bytes(&self) -> usize {
        let (columns, rows, margin) = (self.size.0 as usize, self.size.1 as usize, 2 * self.margin() as usize);
        (columns + margin) * (rows + margin) + 2 * columns * rows + 1024
    }

    fn create(&self, _lane: usize) -> Result<EpisodeState> {
        let mut state = EpisodeState::default();
        state.world.clear(self.size.0, self.size.1, self.margin());
        state.world.agent.pos = Default::default();
        state.world.max_steps = 1;
        Ok(state)
    }

    fn reset(&self, state: &mut EpisodeState, _options: &ResetOptions, random: &mut Generator) {
        if let Some(seed) = self.seeds.get(state.next_seed) {
            *random = Generator::new(*seed);
            state.next_seed = (state.next_seed + 1) % self.seeds.len();
        }
        let world = &mut state.world;
        world.max_steps = self.level.max_steps();
        if let Err(reason) = self.level.gen_grid(&mut WorldBuilder::new(world, random, self.margin())) {
            let reason = match reason {
                GenError::Rejected => "minigrid rejects them, too",
                GenError::Impossible => "there may be more objects than cells or kinds, or no free position for one",
            };
            Error::State(format!("no world can be generated with these options: {reason}")).raise();
        }
        if let Some(steps) = self.max_steps {
            world.max_steps = steps;
        }
        let (letters, max_letters) = (world.mission.len(), self.observation.max_letters());
        if letters > max_letters {
            Error::State(format!("a mission of {letters} letters: observations hold at most {max_letters}")).raise();
        }
    }

    #[inline]
    fn step(&self, state: &mut EpisodeState, action: &Action<'_>, rewards: &mut [f64], random: &mut Generator) -> bool {
        let action = self.sample_action(action.discrete(), random);
        let outcome = match self.no_death.is_empty() {
            true => self.level.step(&mut state.world, action, self.margin(), random),
            false => self.step_no_death(&mut state.world, action, random),
        };
        rewards[0] = outcome.reward;
        outcome.terminated
    }

    #[inline]
    fn is_truncated(&self, state: &EpisodeState) -> bool {
        state.world.step_count >= state.world.max_steps
    }

    #[inline]
    fn observe(&self, state: &EpisodeState, out: &mut Row<'_>) {
        self.observation.write(&state.world, out);
    }

    #[inline]
    fn info(&self, state: &EpisodeState, out: &mut Row<'_>) {
        let pos = state.world.agent.pos;
        out.write(0, &[pos.x, pos.y]);
        out.scalar(1, state.world.mission_id);
    }

    fn render_spec(&self) -> RenderSpec {
        let ((columns, rows), tile) = (self.pictured_cells(), self.tile_size as u32);
        RenderSpec::with_frame_size(columns * tile, rows * tile, 10).with_text()
    }

    fn render_frame(&self, state: &EpisodeState, size: (u32, u32)) -> Frame {
        let Observation { side, see_through_walls, highlight, .. } = self.observation;
        let scene = match self.agent_pov {
            true => pov_scene(&view(&state.world, side, see_through_walls)),
            false => full_scene(&state.world, side, see_through_walls, highlight),
        };
        let ((columns, rows), tile) = (self.pictured_cells(), self.pictured_tile(size));
        let (width, height) = (columns * tile, rows * tile);
        let mut pixels = vec![0; width as usize * height as usize * 3];
        TileSet::of(tile as usize, &scene).draw(&scene, &mut pixels);
        Frame::new(width, height, pixels)
    }

    fn render_text(&self, state: &EpisodeState) -> String {
        state.world.pprint_grid()
    }

    fn is_valid(&self, state: &EpisodeState) -> bool {
        let world = &state.world;
        world.is_valid(self.margin())
            && (world.grid.width(), world.grid.height()) == self.size
            && world.mission.is_ascii()
            && world.mission.len() <= self.observation.max_letters()
            && state.next_seed < self.seeds.len().max(1)
    }
}

#[cfg(test)]
#[path = "env_tests.rs"]
mod tests;
