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
use super::scenarios::set_forces;
use super::world::{
    Agent, SENSITIVITY, Vector, apply_environment_force, distance, integrate_state, offset, random_position, squared_distance,
};
use super::writer::Writer;
use super::{CommonOptions, action_space, neighbor_count, neighbor_options, vector_space};
use envpool_rs_engine::{
    Action, Dtype, Env, EnvSpec, Frame, InfoSpec, OptionSpec, Options, RenderSpec, ResetOptions, Result, Row, Scheduling, Task,
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
const MAX_AGENTS: i64 = 1024;
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
    common: CommonOptions,
    /// Whether mpe2's curriculum is enabled. It stays in stage 0, in which collisions are not penalized.
    curriculum: bool,
    terminate_on_success: bool,
    /// Number of other agents that each agent observes; `None` if it observes all agents.
    agent_neighbors: Option<usize>,
    /// Number of landmarks that each agent observes; `None` if it observes all landmarks.
    landmark_neighbors: Option<usize>,
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
        let mut own = vec![
            OptionSpec::new("N", 3, "number of agents, and of landmarks").integers(1..=MAX_AGENTS),
            OptionSpec::new("local_ratio", 0.5, "weight of the local reward; the global reward has the rest")
                .numbers(0.0..=1.0)
                .per_episode(),
            OptionSpec::new("curriculum", false, "whether collisions are not penalized: stage 0, which mpe2 1.1.1 never leaves")
                .per_episode(),
            OptionSpec::new("terminate_on_success", false, "whether an episode ends once all landmarks are covered within 0.1")
                .per_episode(),
        ];
        own.extend(neighbor_options(MAX_AGENTS));
        super::options(own, true)
    }

    fn new(options: &Options) -> Result<Self> {
        Ok(Self {
            agents: options.int("N") as usize,
            local_ratio: options.float("local_ratio"),
            common: CommonOptions::new(options)?,
            curriculum: options.bool("curriculum"),
            terminate_on_success: options.bool("terminate_on_success"),
            agent_neighbors: neighbor_count(options, "num_agent_neighbors"),
            landmark_neighbors: neighbor_count(options, "num_landmark_neighbors"),
        })
    }

    fn spec(&self) -> EnvSpec {
        let info = if self.common.benchmark { vec![self.benchmark_spec()] } else { vec![] };
        EnvSpec {
            players: self.agents,
            info,
            ..EnvSpec::new(vector_space(self.observation_size()), action_space(self.common.continuous))
        }
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
        set_forces(&mut state.agents, self.common.continuous, SENSITIVITY, action, 0);
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
        let mut writer = Writer::new(out);
        for player in 0..self.agents {
            self.observe_player(state, player, &mut writer);
        }
    }

    fn info(&self, state: &State, out: &mut Row<'_>) {
        if !self.common.benchmark {
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
        self.common.picture(&entities, state.initial_extent, &[], size)
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
    fn observe_player(&self, state: &State, player: usize, writer: &mut Writer<'_, '_>) {
        let own = &state.agents[player];
        let others = (0..self.agents - 1).map(|index| state.agents[index + usize::from(index >= player)].position);
        writer.vectors([own.velocity, own.position]);
        writer.nearest(self.landmark_neighbors, state.landmarks.iter().map(|landmark| offset(*landmark, own.position)));
        writer.nearest(self.agent_neighbors, others.map(|other| offset(other, own.position)));
        writer.vectors((0..self.observed_agents()).map(|_| [0.0; 2]));
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

#[cfg(test)]
mod tests;
