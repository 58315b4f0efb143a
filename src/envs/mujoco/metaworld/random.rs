//! Random stream of an environment, and the goals that it chooses among.

use super::task::{RANDOM, TaskSpec};
use super::tasks;
use envpool_rs_engine::{Error, OptionSpec, Options, Result, Value};
use envpool_rs_numeric::random::{Generator, Pcg64, RandomState, RandomStream};
use serde::{Deserialize, Serialize};

/// Maximum number of goals that are drawn for a task.
const MAX_GOALS: i64 = 1 << 15;

/// Random stream of an environment, which chooses one of the environment's goals at a reset.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct GoalStream {
    seed: u64,
    generator: Generator,
    /// Whether a goal was chosen since the stream was seeded.
    is_started: bool,
}

impl RandomStream for GoalStream {
    fn from_seed(seed: u64) -> Self {
        Self { seed, generator: Generator::from_seed(seed), is_started: false }
    }

    fn float_between(&mut self, low: f64, high: f64) -> f64 {
        self.generator.float_between(low, high)
    }

    fn integer_between(&mut self, low: i64, high: i64) -> i64 {
        self.generator.integer_between(low, high)
    }

    fn pcg64(&self) -> Option<&Pcg64> {
        self.generator.pcg64()
    }
}

/// How goals are drawn (`_make_tasks`) and chosen (`RandomTaskSelectWrapper`, `PseudoRandomTaskSelectWrapper`).
pub struct GoalSource {
    task: &'static TaskSpec,
    /// Tasks for which the stream draws goals first.
    earlier: Vec<&'static TaskSpec>,
    /// Number of goals that are drawn for each task.
    num_goals: usize,
    /// Indices of the drawn goals that the environment has.
    indices: Vec<u16>,
    /// Whether goals come in random order without repetition.
    is_pseudorandom: bool,
    /// Number that is subtracted from the environment's seed.
    seed_offset: u64,
    /// Number that is added to the seed of the stream that draws goals.
    goal_seed_offset: u64,
}

impl GoalSource {
    /// Returns the declarations of the options that describe an environment's goals.
    pub fn options() -> Vec<OptionSpec> {
        let selects = &["random", "pseudorandom"];
        vec![
            OptionSpec::new("task_select", "random", "how goals are chosen: any of them, or each once in random order")
                .one_of(selects),
            OptionSpec::new("sample_tasks_on_reset", true, "whether each reset chooses a goal; False: only the first reset"),
            OptionSpec::new("num_goals", 50, "number of goals that are drawn for each task").integers(1..=MAX_GOALS),
            OptionSpec::optional(
                "goal_slice",
                vec![0_i64, 50, 1],
                "start, stop and step of a slice of the goals; None: all goals",
            ),
            OptionSpec::optional("goals_after", vec![0_i64], "numbers of the tasks whose goals are drawn first"),
            OptionSpec::new("seed_offset", 0, "number that is subtracted from an environment's seed").integers(0..=1 << 31),
            OptionSpec::new("goal_seed_offset", 0, "number that is added to the seed by which goals are drawn")
                .integers(0..=1 << 31),
        ]
    }

    /// Reads the options. Fails with `Value` for a slice without goals, or the number of a task that does not exist.
    pub fn new(task: &'static TaskSpec, options: &Options) -> Result<Self> {
        let num_goals = options.int("num_goals") as usize;
        let earlier = match options.get("goals_after") {
            Value::Ints(numbers) => numbers.iter().map(|number| numbered(*number)).collect::<Result<_>>()?,
            _ => Vec::new(),
        };
        Ok(Self {
            task,
            earlier,
            num_goals,
            indices: slice(options.get("goal_slice"), num_goals)?,
            is_pseudorandom: options.text("task_select") == Some("pseudorandom"),
            seed_offset: options.int("seed_offset") as u64,
            goal_seed_offset: options.int("goal_seed_offset") as u64,
        })
    }

    /// Draws the goals of a stream's environment: random vectors.
    fn draw(&self, seed: u64) -> Vec<[f64; RANDOM]> {
        let mut random = RandomState::new(seed.wrapping_add(self.goal_seed_offset));
        for task in &self.earlier {
            (0..2 * self.num_goals).for_each(|_| _ = task.draw(&mut random));
        }
        // While the reference makes its goals, each reset draws two vectors, of which it keeps the second.
        let mut goal = || {
            self.task.draw(&mut random);
            self.task.draw(&mut random)
        };
        (0..self.num_goals).map(|_| goal()).collect()
    }
}

/// Returns the task with EnvPool's number `number`.
fn numbered(number: i64) -> Result<&'static TaskSpec> {
    let task = usize::try_from(number).ok().and_then(|number| tasks::ALL.get(number).copied());
    let last = tasks::ALL.len() - 1;
    task.ok_or_else(|| Error::value("goals_after", number, format_args!("numbers of tasks, from 0 to {last}")))
}

/// Returns the indices that a slice (start, stop, step) selects of `count` goals.
fn slice(value: &Value, count: usize) -> Result<Vec<u16>> {
    let refused = || Error::value("goal_slice", value, "start, stop and step of a slice with one or more goals");
    let (start, stop, step) = match value {
        Value::Ints(parts) => match parts[..] {
            [start, stop, step] if start >= 0 && step > 0 => (start as usize, stop.max(0) as usize, step as usize),
            _ => return Err(refused()),
        },
        _ => (0, count, 1),
    };
    let indices: Vec<_> = (start..stop.min(count)).step_by(step).map(|index| index as u16).collect();
    if indices.is_empty() { Err(refused()) } else { Ok(indices) }
}

/// Goals of a lane, and which of them it has.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub struct Goals {
    /// Random vectors of all drawn goals; empty before the first choice, and after a snapshot was loaded.
    #[serde(skip)]
    drawn: Vec<[f64; RANDOM]>,
    /// Indices of the lane's goals, in the order in which a pseudorandom choice takes them.
    order: Vec<u16>,
    /// Position in `order` of the episode's goal.
    current: Option<u16>,
}

impl Goals {
    /// Returns the random vector of an episode's goal. Chooses the goal if `is_sampling`, or if the lane has none.
    pub fn next(&mut self, source: &GoalSource, stream: &mut GoalStream, is_sampling: bool) -> [f64; RANDOM] {
        let seed = stream.seed.wrapping_sub(source.seed_offset);
        if !stream.is_started || self.order.is_empty() {
            *self = Self { order: source.indices.clone(), ..Self::default() };
            if source.seed_offset != 0 {
                stream.generator = Generator::from_seed(seed);
            }
            stream.is_started = true;
        }
        if self.drawn.is_empty() {
            self.drawn = source.draw(seed);
        }
        let place = match self.current {
            Some(place) if !is_sampling => place,
            previous if source.is_pseudorandom => {
                let place = previous.map_or(0, |place| (place + 1) % self.order.len() as u16);
                if place == 0 {
                    stream.generator.shuffle(&mut self.order);
                }
                place
            }
            _ => stream.generator.choice(self.order.len()) as u16,
        };
        self.current = Some(place);
        self.drawn[usize::from(self.order[usize::from(place)])]
    }

    /// Returns whether these are goals of an environment with this source.
    pub fn fit(&self, source: &GoalSource) -> bool {
        let mut order = self.order.clone();
        order.sort_unstable();
        let is_started = order == source.indices && self.current.is_none_or(|place| usize::from(place) < order.len());
        is_started || (self.order.is_empty() && self.current.is_none())
    }

    /// Returns the memory of the goals of one lane in bytes.
    pub fn heap_bytes(source: &GoalSource) -> usize {
        source.num_goals * size_of::<[f64; RANDOM]>() + size_of_val(&*source.indices)
    }
}
