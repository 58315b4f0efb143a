//! SimpleSpread-v3: N agents learn to cover N landmarks without bumping into each other.
//!
//! Source: `mpe2` 1.1.1, `simple_spread/simple_spread.py`. All players share one space.
//!
//! | | shape of one player | elements |
//! |---|---|---|
//! | observation | float32 `(6 N,)` | own velocity, own position, landmarks and other agents (both relative to the agent), 2 zeros per other agent |
//! | action, discrete | int64 `()` | 0 none, 1 left, 2 right, 3 down, 4 up |
//! | action, continuous | float32 `(5,)` in 0..1 | idle (without effect), left, right, down, up |
//!
//! The zeros stand for the other agents' messages: no agent of this environment communicates.
//!
//! Reward of each player: `global * (1 - local_ratio) + local * local_ratio`. `global` is minus the sum over the landmarks of the
//! distance to the nearest agent; `local` is -1 for each agent that the player overlaps.
//!
//! mpe2's curriculum should penalize collisions from stage 1 on, but version 1.1.1 never leaves stage 0. The reason is that
//! `advance_curriculum` and `set_curriculum_stage` write to a property that discards the value. So `curriculum` means stage 0,
//! as in mpe2. Stage 1 is an environment without `curriculum`.

use serde::{Deserialize, Serialize};

use super::picture::{self, Entity};
use super::world::{
    Agent, CONTINUOUS_ACTION_SIZE, SENSITIVITY, Vector, apply_environment_force, distance, integrate_state, offset,
    random_position, squared_distance,
};
use super::world::{continuous_action_force, discrete_action_force};
use envpool_rs_engine::{
    Action, Dtype, Env, EnvSpec, Frame, InfoSpec, OptionSpec, Options, RenderSpec, ResetOptions, Result, Row, Scheduling, Space,
    Task, Value,
};
use envpool_rs_numeric::random::Generator;

/// Radius of a landmark in world units, used only when a picture is drawn.
const LANDMARK_SIZE: f64 = 0.05;
/// Radius of an agent, for collisions and pictures.
const AGENT_SIZE: f64 = 0.15;
/// Distance between centres below which two agents collide.
const COLLISION_DISTANCE: f64 = AGENT_SIZE + AGENT_SIZE;
/// Distance below which an agent covers a landmark.
const CAPTURE_RADIUS: f64 = 0.1;
/// Largest number of agents and of observed neighbours. With this number, the observations of an environment take 25 MB.
const MAX_AGENTS: f64 = 1024.0;
/// Number of values per player in the info `benchmark_data`.
const BENCHMARK_SIZE: usize = 4;

/// Returns the task of the environment SimpleSpread.
pub fn tasks() -> Vec<Task> {
    vec![Task::env::<SimpleSpread>("SimpleSpread-v3").max_episode_steps(25)]
}

/// Options of SimpleSpread, shared by all environments of a pool.
#[derive(Debug, Clone, PartialEq)]
pub struct SimpleSpread {
    agents: usize,
    local_ratio: f64,
    continuous: bool,
    /// Whether mpe2's curriculum is enabled. It stays in stage 0, in which collisions are not penalized.
    curriculum: bool,
    terminate_on_success: bool,
    /// Number of other agents that each agent observes; `None` if it observes all agents.
    agent_neighbors: Option<usize>,
    /// Number of landmarks that each agent observes; `None` if it observes all landmarks.
    landmark_neighbors: Option<usize>,
    benchmark: bool,
    dynamic_rescaling: bool,
}

/// State of one SimpleSpread environment.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct State {
    agents: Vec<Agent>,
    landmarks: Vec<Vector>,
    /// Largest absolute coordinate of all entities at the reset ([`extent`](picture::extent)), which scales pictures.
    initial_extent: f64,
}

impl Env for SimpleSpread {
    type State = State;
    type Random = Generator;

    const SCHEDULING: Scheduling = Scheduling::Uniform;
    const TRUNCATION_WINS: bool = true;

    fn options() -> Vec<OptionSpec> {
        let mut options = vec![
            OptionSpec::new("N", 3, "number of agents, and of landmarks").numbers(1.0..=MAX_AGENTS),
            OptionSpec::new("local_ratio", 0.5, "weight of the local reward; the global reward has the rest")
                .numbers(0.0..=1.0)
                .per_episode(),
            OptionSpec::new("curriculum", false, "whether collisions are not penalized: stage 0, which mpe2 1.1.1 never leaves")
                .per_episode(),
            OptionSpec::new("terminate_on_success", false, "whether an episode ends once all landmarks are covered within 0.1")
                .per_episode(),
            OptionSpec::optional("num_agent_neighbors", 1, "number of other agents that each observes, nearest first; None: all")
                .numbers(1.0..=MAX_AGENTS),
            OptionSpec::optional("num_landmark_neighbors", 1, "number of landmarks that each observes, nearest first; None: all")
                .numbers(1.0..=MAX_AGENTS),
        ];
        options.extend(super::options());
        options
    }

    fn new(options: &Options) -> Result<Self> {
        super::reject_unsupported_options(options)?;
        Ok(Self {
            agents: options.int("N") as usize,
            local_ratio: options.float("local_ratio"),
            continuous: options.bool("continuous_actions"),
            curriculum: options.bool("curriculum"),
            terminate_on_success: options.bool("terminate_on_success"),
            agent_neighbors: neighbor_count(options, "num_agent_neighbors"),
            landmark_neighbors: neighbor_count(options, "num_landmark_neighbors"),
            benchmark: options.bool("benchmark_data"),
            dynamic_rescaling: options.bool("dynamic_rescaling"),
        })
    }

    fn spec(&self) -> EnvSpec {
        let observation = Space::uniform(f64::NEG_INFINITY, f64::INFINITY, &[self.observation_size()], Dtype::F32);
        let action = if self.continuous {
            Space::uniform(0.0, 1.0, &[CONTINUOUS_ACTION_SIZE], Dtype::F32)
        } else {
            Space::discrete(CONTINUOUS_ACTION_SIZE as i64)
        };
        let info = if self.benchmark { vec![self.benchmark_spec()] } else { vec![] };
        EnvSpec { players: self.agents, info, ..EnvSpec::new(observation, action) }
    }

    fn create(&self, _lane: usize) -> Result<State> {
        Ok(State { agents: vec![Agent::default(); self.agents], landmarks: vec![[0.0; 2]; self.agents], initial_extent: 0.0 })
    }

    fn reset(&self, state: &mut State, _options: &ResetOptions, rng: &mut Generator) {
        state.agents.fill_with(|| Agent::at_random_position(rng));
        state.landmarks.fill_with(|| random_position(rng));
        state.initial_extent = picture::extent(state.positions());
    }

    fn step(&self, state: &mut State, action: &Action<'_>, rewards: &mut [f64], _rng: &mut Generator) -> bool {
        self.set_action_forces(&mut state.agents, action);
        apply_environment_force(&mut state.agents, COLLISION_DISTANCE);
        integrate_state(&mut state.agents);
        if !self.curriculum {
            for_each_collision(&state.agents, |player| rewards[player] -= 1.0);
        }
        let global = 0.0 - state.landmark_distance_sum();
        for reward in rewards {
            *reward = global * (1.0 - self.local_ratio) + *reward * self.local_ratio;
        }
        self.terminate_on_success && state.all_landmarks_covered()
    }

    fn observe(&self, state: &State, out: &mut Row<'_>) {
        let mut writer = ObservationWriter { row: out, written: 0 };
        for player in 0..self.agents {
            self.observe_player(state, player, &mut writer);
        }
    }

    fn info(&self, state: &State, out: &mut Row<'_>) {
        if !self.benchmark {
            return;
        }
        for player in 0..self.agents {
            out.write_at(0, player * BENCHMARK_SIZE, &state.benchmark(player));
        }
    }

    fn is_valid(&self, state: &State) -> bool {
        state.agents.len() == self.agents && state.landmarks.len() == self.agents
    }

    fn render_spec(&self) -> RenderSpec {
        picture::RENDERING
    }

    fn render_frame(&self, state: &State, size: (u32, u32)) -> Frame {
        let agent = |body: &Agent| Entity { position: body.position, size: AGENT_SIZE, color: [0.35, 0.35, 0.85] };
        let landmark = |position: &Vector| Entity { position: *position, size: LANDMARK_SIZE, color: [0.25; 3] };
        let entities: Vec<_> = state.agents.iter().map(agent).chain(state.landmarks.iter().map(landmark)).collect();
        picture::picture(&entities, self.dynamic_rescaling.then_some(state.initial_extent), &[], size)
    }
}

impl SimpleSpread {
    fn observed_agents(&self) -> usize {
        self.agent_neighbors.unwrap_or(self.agents - 1)
    }

    fn observed_landmarks(&self) -> usize {
        self.landmark_neighbors.unwrap_or(self.agents)
    }

    fn observation_size(&self) -> usize {
        2 + 2 + 2 * self.observed_landmarks() + 4 * self.observed_agents()
    }

    /// Returns the specification of the info `benchmark_data`, float64 `(N, 4)`.
    ///
    /// Each player's four values: minus the sum of collisions and total landmark distance, the number of collisions, the total
    /// landmark distance, and the number of covered landmarks. After a reset, mpe2 does not return this info; this crate
    /// returns the values of the initial state.
    fn benchmark_spec(&self) -> InfoSpec {
        let shape = vec![self.agents, BENCHMARK_SIZE];
        InfoSpec::new("benchmark_data", Dtype::F64, &shape)
    }

    #[inline]
    fn set_action_forces(&self, agents: &mut [Agent], action: &Action<'_>) {
        if self.continuous {
            let levers = action.continuous(0, agents.len() * CONTINUOUS_ACTION_SIZE);
            agents
                .iter_mut()
                .zip(levers.chunks_exact(CONTINUOUS_ACTION_SIZE))
                .for_each(|(agent, own)| agent.force = continuous_action_force(own, SENSITIVITY));
        } else {
            let moves = action.discretes(0, agents.len());
            agents.iter_mut().zip(moves).for_each(|(agent, own)| agent.force = discrete_action_force(*own, SENSITIVITY));
        }
    }

    #[inline]
    fn observe_player(&self, state: &State, player: usize, writer: &mut ObservationWriter<'_, '_>) {
        let own = &state.agents[player];
        writer.write(own.velocity);
        writer.write(own.position);
        let landmark = |index: usize| offset(state.landmarks[index], own.position);
        let other = |index: usize| offset(state.agents[index + usize::from(index >= player)].position, own.position);
        writer.write_offsets(self.agents, self.landmark_neighbors, landmark);
        writer.write_offsets(self.agents - 1, self.agent_neighbors, other);
        for _ in 0..self.observed_agents() {
            writer.write([0.0, 0.0]);
        }
    }
}

impl State {
    fn positions(&self) -> impl Iterator<Item = Vector> {
        self.agents.iter().map(|agent| agent.position).chain(self.landmarks.iter().copied())
    }

    /// Returns the sum over the landmarks of the distance to the nearest agent.
    #[inline]
    fn landmark_distance_sum(&self) -> f64 {
        self.landmarks.iter().map(|landmark| self.distance_to_nearest_agent(*landmark)).sum()
    }

    /// Returns the distance from a landmark to the nearest agent.
    ///
    /// One square root of the smallest squared distance is enough, since the root is monotonic.
    #[inline]
    fn distance_to_nearest_agent(&self, landmark: Vector) -> f64 {
        let squares = self.agents.iter().map(|agent| squared_distance(agent.position, landmark));
        squares.reduce(|least, square| if square < least { square } else { least }).unwrap_or(f64::INFINITY).sqrt()
    }

    fn all_landmarks_covered(&self) -> bool {
        !self.landmarks.iter().any(|landmark| self.distance_to_nearest_agent(*landmark) >= CAPTURE_RADIUS)
    }

    fn benchmark(&self, player: usize) -> [f64; BENCHMARK_SIZE] {
        let uncovered = self.landmark_distance_sum();
        let (mut reward, mut collisions) = (-uncovered, 0.0);
        for_each_collision(&self.agents, |other| {
            if other == player {
                reward -= 1.0;
                collisions += 1.0;
            }
        });
        let covered =
            self.landmarks.iter().filter(|landmark| self.distance_to_nearest_agent(**landmark) < CAPTURE_RADIUS).count();
        [reward, collisions, uncovered, covered as f64]
    }
}

/// Calls `hit` twice for each pair of colliding agents: with the index of the first and with the index of the second agent.
#[inline]
fn for_each_collision(agents: &[Agent], mut hit: impl FnMut(usize)) {
    for second in 1..agents.len() {
        for first in 0..second {
            if distance(agents[first].position, agents[second].position) < COLLISION_DISTANCE {
                hit(first);
                hit(second);
            }
        }
    }
}

/// Writer that fills an observation array from its start.
struct ObservationWriter<'a, 'b> {
    row: &'a mut Row<'b>,
    written: usize,
}

impl ObservationWriter<'_, '_> {
    #[inline]
    fn write(&mut self, vector: Vector) {
        self.row.write_at(0, self.written, &vector);
        self.written += 2;
    }

    /// Writes `count` vectors from the agent to other entities, as `offset` returns them. If `nearest` is given, writes only
    /// the `nearest` shortest vectors, in ascending order of length, padded with zeros.
    #[inline]
    fn write_offsets(&mut self, count: usize, nearest: Option<usize>, offset: impl Fn(usize) -> Vector) {
        let Some(seen) = nearest else {
            return (0..count).for_each(|index| self.write(offset(index)));
        };
        let mut last = None;
        for rank in 0..seen {
            last = if rank < count { next_nearest(count, last, &offset) } else { None };
            self.write(last.map_or([0.0, 0.0], |(_, index)| offset(index)));
        }
    }
}

/// Returns the index and distance of the entity that follows `last` in ascending order of distance from the agent; the first
/// one if `last` is `None`.
///
/// If distances are equal, the lower index comes first; the order of numpy's argsort is unspecified then. For few entities,
/// this function is cheaper than sorting, because it allocates no memory.
fn next_nearest(count: usize, last: Option<(f64, usize)>, offset: impl Fn(usize) -> Vector) -> Option<(f64, usize)> {
    let order = |a: &(f64, usize), b: &(f64, usize)| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1));
    (0..count)
        .map(|index| (distance(offset(index), [0.0, 0.0]), index))
        .filter(|candidate| last.is_none_or(|last| order(candidate, &last).is_gt()))
        .min_by(order)
}

fn neighbor_count(options: &Options, name: &str) -> Option<usize> {
    match options.get(name) {
        Value::Int(value) => Some(*value as usize),
        _ => None,
    }
}

#[cfg(test)]
mod tests;
