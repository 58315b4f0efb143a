//! Scenario `collect_treasure_v1` of `mpe2` 1.1.1: collectors pick treasures up, and bring them to the deposits of their kinds.

use serde::{Deserialize, Serialize};

use super::picture::{self, Entity, Rgb};
use super::scenarios::{MAX_ENTITIES, least, set_forces};
use super::world::{Agent, Vector, distance, limited_speed, offset, position_within, update_body};
use super::writer::{Writer, by_distance};
use super::{CommonOptions, action_space, vector_space};
use envpool_rs_engine::{
    Action, Dtype, Env, EnvSpec, Frame, InfoSpec, OptionSpec, Options, RenderSpec, ResetOptions, Result, Row, Scheduling, Space,
    Task,
};
use envpool_rs_numeric::random::Generator;

/// Colours of the kinds of treasures and their deposits.
const COLORS: [Rgb; 6] = [
    [0.212, 0.408, 0.776],
    [0.945, 0.553, 0.0],
    [0.169, 0.627, 0.173],
    [0.839, 0.149, 0.157],
    [0.580, 0.404, 0.741],
    [0.549, 0.337, 0.294],
];
/// Colour of a collector without a treasure.
const COLLECTOR_COLOR: Rgb = [0.85; 3];
const COLLECTOR_SIZE: f64 = 0.05;
const DEPOSIT_SIZE: f64 = 0.075;
const TREASURE_SIZE: f64 = 0.025;
const DEPOSIT_MASS: f64 = 2.25;
const ACCELERATION: f64 = 1.5;
const MAX_SPEED: f64 = 1.0;
/// Reward of a treasure that is picked up or delivered, and penalty of two collectors that overlap.
const EVENT_REWARD: f64 = 5.0;
const TREASURE_BOUND: f64 = 0.95;

/// Returns the task of the scenario.
pub fn tasks() -> Vec<Task> {
    vec![Task::env::<CollectTreasure>("CollectTreasure-v1").max_episode_steps(25)]
}

/// Options of the scenario, shared by all environments of a pool.
#[derive(Debug, Clone, PartialEq)]
pub struct CollectTreasure {
    collectors: usize,
    deposits: usize,
    treasures: usize,
    common: CommonOptions,
}

/// State of one environment.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct State {
    /// Collectors, then deposits.
    agents: Vec<Agent>,
    /// Kind of the treasure that each collector holds.
    held: Vec<Option<u8>>,
    treasures: Vec<Treasure>,
    /// Stream of new treasures: as in mpe2, a copy of the reset's stream from before its draws.
    respawns: Option<Generator>,
    /// Largest absolute coordinate of all entities at the reset ([`extent`](picture::extent)), which scales pictures.
    initial_extent: f64,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
struct Treasure {
    position: Vector,
    kind: u8,
    /// Whether the treasure lies in the plane.
    is_alive: bool,
}

impl Env for CollectTreasure {
    type State = State;
    type Random = Generator;

    const SCHEDULING: Scheduling = Scheduling::Uniform;
    const TRUNCATION_WINS: bool = true;

    fn options() -> Vec<OptionSpec> {
        let own = vec![
            OptionSpec::new("num_collectors", 6, "number of collectors").integers(1..=MAX_ENTITIES),
            OptionSpec::new("num_deposits", 2, "number of deposits, each for treasures of a kind")
                .integers(1..=COLORS.len() as i64),
            OptionSpec::new("num_treasures", 6, "number of treasures").integers(1..=MAX_ENTITIES),
        ];
        super::options(own, true)
    }

    fn new(options: &Options) -> Result<Self> {
        Ok(Self {
            collectors: options.int("num_collectors") as usize,
            deposits: options.int("num_deposits") as usize,
            treasures: options.int("num_treasures") as usize,
            common: CommonOptions::new(options)?,
        })
    }

    fn spec(&self) -> EnvSpec {
        let name = |number: usize| match number.checked_sub(self.collectors) {
            Some(deposit) => format!("deposit_{deposit}"),
            None => format!("collector_{number}"),
        };
        let players = self.agents();
        let observations = (0..players).map(|number| (name(number), vector_space(self.observation_size(number)))).collect();
        let actions = (0..players).map(|number| (name(number), action_space(self.common.continuous))).collect();
        let benchmark = self.common.benchmark.then(|| InfoSpec::new("benchmark_data", Dtype::F64, &[players, 2]));
        let spec = EnvSpec::new(Space::Dict(observations), Space::Dict(actions));
        EnvSpec { players, shared_spaces: false, info: benchmark.into_iter().collect(), ..spec }
    }

    fn heap_bytes(&self) -> usize {
        self.agents() * size_of::<Agent>() + self.collectors * size_of::<Option<u8>>() + self.treasures * size_of::<Treasure>()
    }

    fn create(&self, _lane: usize) -> Result<State> {
        Ok(State {
            agents: vec![Agent::default(); self.agents()],
            held: vec![None; self.collectors],
            treasures: vec![Treasure::default(); self.treasures],
            respawns: None,
            initial_extent: 0.0,
        })
    }

    fn reset(&self, state: &mut State, _options: &ResetOptions, rng: &mut Generator) {
        state.respawns = Some(rng.clone());
        state.held.fill(None);
        state.agents.fill_with(|| Agent::at_random_position(rng));
        for treasure in &mut state.treasures {
            let kind = rng.integers(0, self.deposits as i64) as u8;
            *treasure = Treasure { position: position_within(TREASURE_BOUND, rng), kind, is_alive: true };
        }
        let agents = state.agents.iter().map(|agent| agent.position);
        state.initial_extent = picture::extent(agents.chain(state.treasures.iter().map(|treasure| treasure.position)));
    }

    fn step(&self, state: &mut State, action: &Action<'_>, rewards: &mut [f64], _rng: &mut Generator) -> bool {
        for (number, agent) in state.agents.iter_mut().enumerate() {
            set_forces(std::slice::from_mut(agent), self.common.continuous, ACCELERATION, action, number);
            if number >= self.collectors {
                agent.force = agent.force.map(|force| force / DEPOSIT_MASS);
            }
            update_body(agent);
            agent.velocity = limited_speed(agent.velocity, MAX_SPEED);
        }
        let events = self.collect(state);
        let team = self.deliver(state, events);
        for (number, reward) in rewards.iter_mut().enumerate() {
            *reward = self.own_reward(state, number) + team;
        }
        false
    }

    fn observe(&self, state: &State, out: &mut Row<'_>) {
        let mut writer = Writer::new(out);
        for number in 0..self.agents() {
            writer.start(number);
            self.observe_agent(state, number, &mut writer);
        }
    }

    /// Writes mpe2's pairs: the kind that a collector holds, -1 for none, or the number of collectors with a deposit's kind; and
    /// the number of treasures in the plane.
    fn info(&self, state: &State, out: &mut Row<'_>) {
        if self.common.benchmark {
            let alive = state.treasures.iter().filter(|treasure| treasure.is_alive).count();
            for number in 0..self.agents() {
                let own = match number.checked_sub(self.collectors) {
                    Some(deposit) => self.carriers(state, deposit).count() as f64,
                    None => state.held[number].map_or(-1.0, f64::from),
                };
                out.write_at(0, 2 * number, &[own, alive as f64]);
            }
        }
    }

    fn render_spec(&self) -> RenderSpec {
        picture::RENDERING
    }

    fn render_frame(&self, state: &State, size: (u32, u32)) -> Frame {
        let darker = |kind: usize, part: f64| COLORS[kind].map(|color| color * part);
        let agent = |(number, agent): (usize, &Agent)| {
            let (size, color) = match number.checked_sub(self.collectors) {
                Some(deposit) => (DEPOSIT_SIZE, darker(deposit, 0.35)),
                None => (COLLECTOR_SIZE, state.held[number].map_or(COLLECTOR_COLOR, |kind| darker(kind.into(), 0.85))),
            };
            Entity { position: agent.position, size, color }
        };
        let treasure = |treasure: &Treasure| {
            let color = COLORS[usize::from(treasure.kind)];
            treasure.is_alive.then_some(Entity { position: treasure.position, size: TREASURE_SIZE, color })
        };
        let agents = state.agents.iter().enumerate().map(agent);
        let entities: Vec<_> = agents.chain(state.treasures.iter().filter_map(treasure)).collect();
        self.common.picture(&entities, state.initial_extent, &[], size)
    }

    fn is_valid(&self, state: &State) -> bool {
        let is_kind = |kind: u8| usize::from(kind) < self.deposits;
        state.agents.len() == self.agents()
            && state.held.len() == self.collectors
            && state.held.iter().flatten().all(|kind| is_kind(*kind))
            && state.treasures.len() == self.treasures
            && state.treasures.iter().all(|treasure| is_kind(treasure.kind))
    }
}

impl CollectTreasure {
    fn agents(&self) -> usize {
        self.collectors + self.deposits
    }

    fn observation_size(&self, number: usize) -> usize {
        let held = if number < self.collectors { self.deposits } else { 0 };
        4 + held + (self.agents() - 1) * (4 + 2 * self.deposits) + self.treasures * (2 + self.deposits)
    }

    /// Lets collectors pick treasures up, and places those again that were picked up before. Returns the number of pickups.
    fn collect(&self, state: &mut State) -> usize {
        let mut pickups = 0;
        let State { agents, held, treasures, respawns, .. } = state;
        for treasure in treasures {
            if treasure.is_alive {
                let is_near = |agent: &Agent| distance(treasure.position, agent.position) < TREASURE_SIZE + COLLECTOR_SIZE;
                let found = held.iter_mut().zip(&*agents).find(|(held, agent)| held.is_none() && is_near(agent));
                if let Some((held, _)) = found {
                    *held = Some(treasure.kind);
                    treasure.is_alive = false;
                    pickups += 1;
                }
            } else if let Some(rng) = respawns {
                rng.uniform(0.0, 1.0); // mpe2 compares this number with a probability of 1
                treasure.position = position_within(TREASURE_BOUND, rng);
                treasure.kind = rng.integers(0, self.deposits as i64) as u8;
                treasure.is_alive = true;
            }
        }
        pickups
    }

    /// Lets collectors deliver treasures, and returns the team's reward for deliveries and `pickups`.
    fn deliver(&self, state: &mut State, pickups: usize) -> f64 {
        let mut deliveries = 0;
        for (held, agent) in state.held.iter_mut().zip(&state.agents) {
            let Some(kind) = *held else { continue };
            let deposit = state.agents[self.collectors + usize::from(kind)].position;
            if distance(agent.position, deposit) < COLLECTOR_SIZE + DEPOSIT_SIZE {
                *held = None;
                deliveries += 1;
            }
        }
        EVENT_REWARD * pickups as f64 + EVENT_REWARD * deliveries as f64
    }

    /// Returns the collectors that hold a treasure of a deposit's kind.
    fn carriers<'a>(&self, state: &'a State, deposit: usize) -> impl Iterator<Item = &'a Agent> {
        let holds = move |held: &Option<u8>| held.is_some_and(|kind| usize::from(kind) == deposit);
        state.agents.iter().zip(&state.held).filter(move |(_, held)| holds(held)).map(|(agent, _)| agent)
    }

    fn own_reward(&self, state: &State, number: usize) -> f64 {
        let own = state.agents[number].position;
        let collectors = &state.agents[..self.collectors];
        let mut reward = 0.0;
        if let Some(deposit) = number.checked_sub(self.collectors) {
            let mut carriers = self.carriers(state, deposit).map(|agent| distance(agent.position, own)).peekable();
            if carriers.peek().is_some() {
                return reward - 0.1 * least(carriers);
            }
            let count = self.collectors as f64;
            let sums = collectors.iter().map(|agent| agent.position).reduce(|sum, place| [sum[0] + place[0], sum[1] + place[1]]);
            return reward - 0.1 * distance(sums.unwrap_or_default().map(|sum| sum / count), own);
        }
        for (other, agent) in collectors.iter().enumerate() {
            if other != number && distance(own, agent.position) < 2.0 * COLLECTOR_SIZE {
                reward -= EVENT_REWARD;
            }
        }
        match state.held[number] {
            Some(kind) => reward - 0.1 * distance(state.agents[self.collectors + usize::from(kind)].position, own),
            None => {
                let alive = state.treasures.iter().filter(|treasure| treasure.is_alive);
                reward - 0.1 * least(alive.map(|treasure| distance(treasure.position, own)))
            }
        }
    }

    fn observe_agent(&self, state: &State, number: usize, writer: &mut Writer<'_, '_>) {
        let own = state.agents[number];
        let write_kind = |kind: Option<usize>, writer: &mut Writer<'_, '_>| {
            (0..self.deposits).for_each(|other| writer.write(&[f64::from(u8::from(kind == Some(other)))]));
        };
        let held = |collector: usize| state.held.get(collector).copied().flatten().map(usize::from);
        writer.vectors([own.position, own.velocity]);
        if number < self.collectors {
            write_kind(held(number), writer);
        }
        let others: Vec<_> = (0..self.agents()).filter(|other| *other != number).collect();
        for place in by_distance(others.iter().map(|other| offset(state.agents[*other].position, own.position))) {
            let other = others[place];
            writer.vectors([offset(state.agents[other].position, own.position), state.agents[other].velocity]);
            write_kind(other.checked_sub(self.collectors), writer);
            write_kind(held(other), writer);
        }
        let alive: Vec<_> = state.treasures.iter().filter(|treasure| treasure.is_alive).collect();
        for place in by_distance(alive.iter().map(|treasure| offset(treasure.position, own.position))) {
            writer.vectors([offset(alive[place].position, own.position)]);
            write_kind(Some(usize::from(alive[place].kind)), writer);
        }
        for _ in alive.len()..self.treasures {
            writer.vectors([[0.0; 2]]);
            write_kind(None, writer);
        }
    }
}
