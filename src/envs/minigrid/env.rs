//! Any level as an environment.

use super::{
    arguments::integer,
    babyai,
    level::{Class, Level},
    levels,
    observation::{self, Observation},
};
use envpool_rs_engine::{
    Action, Dtype, Env, EnvSpec, Error, InfoSpec, MAX_SIDE, OptionSpec, Options, Picture, Rendering, ResetOptions, Result, Row,
    Scheduling, Space, Store, Task, Value,
};
use envpool_rs_numeric::random::Generator;
use envpool_rs_sim_grid_world::{Act, Kind, Outcome, Site, Tiles, Unmade, World, of_view, of_world, view};
use serde::{Deserialize, Serialize};

/// The environment. Observation a dict of `direction` int64 `()`, `image` uint8 `(7, 7, 3)` (kind, colour and state of each cell that
/// the agent sees) and `mission`, a text; action `Discrete(7)`: left, right, forward, pick up, drop, toggle, done; reward
/// `1 - 0.9 * steps / max_steps` for what was to be done, which ends the episode. Infos in EnvPool's dialect: `agent_pos` `(2,)` and
/// `mission_id`.
///
/// - A step that ends the episode at its last step is both terminated and truncated.
/// - Levels that cannot be made (more objects than cells) fail; the reference would try for ever.
pub struct MiniGrid {
    level: Box<dyn Level>,
    observation: Observation,
    /// Steps of an episode, where the user says so.
    max_steps: Option<u32>,
    /// Pixels on each side of a cell in pictures.
    tile_size: usize,
    agent_pov: bool,
    /// Probability that an action is played as it is, and what is played otherwise; `None`: anything.
    chance: Option<(f64, Option<Act>)>,
    /// What the agent survives, and what it costs.
    no_death: Vec<Kind>,
    death_cost: f64,
    /// Seeds of episodes, over and over.
    seeds: Vec<u64>,
    size: (i32, i32),
}

/// What one environment remembers.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub struct Play {
    world: World,
    /// Which of the fixed seeds comes next.
    next_seed: usize,
}

fn classes() -> impl Iterator<Item = &'static Class> {
    levels::CLASSES.into_iter().chain(babyai::CLASSES.into_iter().flatten())
}

/// The tasks of every class.
pub fn tasks() -> Vec<Task> {
    let task = |class: &'static Class, (id, presets): &(&'static str, &'static [(&'static str, super::level::Preset)])| {
        let task = Task::env::<MiniGrid>(id).options(options(class)).variant(class);
        presets.iter().fold(task, |task, (name, value)| task.preset(name, *value))
    };
    classes().flat_map(|class| class.tasks.iter().map(move |row| task(class, row))).collect()
}

/// All options of a class.
fn options(class: &'static Class) -> Vec<OptionSpec> {
    let name = OptionSpec::new("env_name", class.name, "the class of levels, by EnvPool's name");
    let mut all = vec![name.one_of(std::slice::from_ref(&class.name))];
    all.extend((class.options)());
    all.extend(observation::options());
    all.extend([
        OptionSpec::optional("max_steps", 100, "steps of an episode, which rewards depend on; None: as the level has it")
            .integers(1..=i64::from(u32::MAX))
            .each_episode(),
        OptionSpec::optional("action_prob", 0.9, "probability that an action is played as it is").probability().each_episode(),
        OptionSpec::optional("random_action", 0, "what is played otherwise; None: any action").integers(0..=6).each_episode(),
        OptionSpec::new("no_death", Vec::<String>::new(), "kinds of cells that do not end an episode: \"lava\", \"ball\", ...")
            .each_episode(),
        OptionSpec::new("death_cost", -1.0, "reward for what would have ended the episode").each_episode(),
        OptionSpec::new("seeds", Vec::<i64>::new(), "seeds of the episodes, over and over: a fixed set of worlds"),
        OptionSpec::new("tile_size", 32, "pixels on each side of a cell in pictures").integers(1..=64),
        OptionSpec::new("agent_pov", false, "whether pictures show what the agent sees, not the whole world"),
    ]);
    all
}

/// Kinds of cells by their names.
fn kinds(options: &Options) -> Result<Vec<Kind>> {
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

    /// What the action is that is played for one that was asked for.
    fn played(&self, asked: i32, random: &mut Generator) -> Act {
        let act = Act::ALL[asked as usize % Act::ALL.len()];
        match self.chance {
            Some((probability, other)) if random.random() >= probability => {
                other.unwrap_or_else(|| Act::ALL[random.integers(0, self.level.actions()) as usize])
            }
            _ => act,
        }
    }

    /// A step of an agent that some cells do not kill.
    fn step_undying(&self, world: &mut World, act: Act, random: &mut Generator) -> Outcome {
        let kills = |world: &World, cell| self.no_death.iter().any(|kind| world.grid.look(cell).is_a(*kind));
        let goes_to_death = act == Act::Forward && kills(world, world.agent.front());
        let outcome = self.level.step(world, act, self.margin(), random);
        match outcome.terminated && (goes_to_death || kills(world, world.agent.place)) {
            true => Outcome { reward: outcome.reward + self.death_cost, terminated: false },
            false => outcome,
        }
    }
}

impl Env for MiniGrid {
    type State = Play;
    type Random = Generator;
    const SCHEDULING: Scheduling = Scheduling::Uniform;

    fn scheduling(&self) -> Scheduling {
        if self.level.resets_fast() { Self::SCHEDULING } else { Scheduling::OneByOne }
    }

    fn new(options: &Options) -> Result<Self> {
        let class = options.variant::<Class>().expect("the task has its class");
        let level = (class.level)(options)?;
        let size = level.size();
        let observation = Observation::new(options, size, level.sees_through_walls(), class.mission_bytes)?;
        let tile_size = options.int("tile_size") as usize;
        let agent_pov = options.bool("agent_pov");
        let longest = if agent_pov { observation.side } else { size.0.max(size.1) as usize };
        if tile_size * longest > MAX_SIDE as usize {
            return Err(Error::value("tile_size", tile_size, format_args!("pictures of at most {MAX_SIDE} pixels a side")));
        }
        let other = match options.get("random_action") {
            Value::Int(action) if *action >= level.actions() => {
                return Err(Error::value("random_action", action, format_args!("0 to {}, or None", level.actions() - 1)));
            }
            Value::Int(action) => Some(Act::ALL[*action as usize]),
            _ => None,
        };
        let chance = match options.get("action_prob") {
            Value::Float(probability) => Some((*probability, other)),
            _ if other.is_some() => {
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
            chance,
            no_death: kinds(options)?,
            death_cost: options.float("death_cost"),
            seeds: seeds(options)?,
            size,
        })
    }

    fn load(&mut self, store: &Store) -> Result<()> {
        if let Some(size) = self.observation.tile_size() {
            let draw = || {
                let tiles = Tiles::all(size);
                let bytes = tiles.bytes();
                Ok((tiles, bytes))
            };
            let tiles = store.get_or_load(&format!("tiles of {size} pixels"), draw)?;
            self.observation.tiles = Some(Tiles::clone(&tiles));
        }
        Ok(())
    }

    fn spec(&self) -> EnvSpec {
        let mut spec = EnvSpec::new(self.observation.space(), Space::discrete(self.level.actions()));
        let most = i64::from(self.size.0.max(self.size.1).max(25));
        spec.info = vec![
            InfoSpec::new("agent_pos", Dtype::I64, &[2]).only_in_envpool().in_envpool_from(0, most),
            InfoSpec::new("mission_id", Dtype::I64, &[]).only_in_envpool().in_envpool_from(-1, 1024),
        ];
        spec
    }

    fn heap_bytes(&self) -> usize {
        let (columns, rows, margin) = (self.size.0 as usize, self.size.1 as usize, 2 * self.margin() as usize);
        (columns + margin) * (rows + margin) + 2 * columns * rows + 1024
    }

    fn create(&self, _lane: usize) -> Result<Play> {
        let mut play = Play::default();
        play.world.clear(self.size.0, self.size.1, self.margin());
        play.world.agent.place = Default::default();
        play.world.max_steps = 1;
        Ok(play)
    }

    fn reset(&self, play: &mut Play, _options: &ResetOptions, random: &mut Generator) {
        if let Some(seed) = self.seeds.get(play.next_seed) {
            *random = Generator::new(*seed);
            play.next_seed = (play.next_seed + 1) % self.seeds.len();
        }
        let world = &mut play.world;
        world.max_steps = self.level.max_steps();
        if let Err(why) = self.level.make(&mut Site::new(world, random, self.margin())) {
            let why = match why {
                Unmade::Rejected => "the reference gives up here, too",
                Unmade::Impossible => "there may be more objects than cells or kinds, or no way to place them",
            };
            Error::State(format!("no world could be made of these options: {why}")).raise();
        }
        if let Some(steps) = self.max_steps {
            world.max_steps = steps;
        }
        let (letters, most) = (world.mission.len(), self.observation.most_letters());
        if letters > most {
            Error::State(format!("a mission of {letters} letters, where observations have room for {most}")).raise();
        }
    }

    #[inline]
    fn step(&self, play: &mut Play, action: &Action<'_>, rewards: &mut [f64], random: &mut Generator) -> bool {
        let act = self.played(action.discrete(), random);
        let outcome = match self.no_death.is_empty() {
            true => self.level.step(&mut play.world, act, self.margin(), random),
            false => self.step_undying(&mut play.world, act, random),
        };
        rewards[0] = outcome.reward;
        outcome.terminated
    }

    #[inline]
    fn is_truncated(&self, play: &Play) -> bool {
        play.world.steps >= play.world.max_steps
    }

    #[inline]
    fn observe(&self, play: &Play, out: &mut Row<'_>) {
        self.observation.write(&play.world, out);
    }

    #[inline]
    fn info(&self, play: &Play, out: &mut Row<'_>) {
        let place = play.world.agent.place;
        out.write(0, &[place.x, place.y]);
        out.scalar(1, play.world.mission_id);
    }

    fn rendering(&self) -> Rendering {
        let tile = self.tile_size as u32;
        let (columns, rows) = match self.agent_pov {
            true => (self.observation.side as u32, self.observation.side as u32),
            false => (self.size.0 as u32, self.size.1 as u32),
        };
        Rendering::pictures(columns * tile, rows * tile, 10).and_text()
    }

    fn paint(&self, play: &Play) -> Picture {
        let Observation { side, through_walls, highlight, .. } = self.observation;
        let scene = match self.agent_pov {
            true => of_view(&view(&play.world, side, through_walls)),
            false => of_world(&play.world, side, through_walls, highlight),
        };
        let (width, height) = self.rendering().picture.expect("it draws");
        let mut pixels = vec![0; width as usize * height as usize * 3];
        Tiles::of(self.tile_size, &scene).draw(&scene, &mut pixels);
        Picture::new(width, height, pixels)
    }

    fn text(&self, play: &Play) -> String {
        play.world.text()
    }

    fn is_valid(&self, play: &Play) -> bool {
        let world = &play.world;
        world.is_valid(self.margin())
            && (world.grid.width(), world.grid.height()) == self.size
            && world.mission.is_ascii()
            && world.mission.len() <= self.observation.most_letters()
            && play.next_seed < self.seeds.len().max(1)
    }
}

#[cfg(test)]
#[path = "env_tests.rs"]
mod tests;
