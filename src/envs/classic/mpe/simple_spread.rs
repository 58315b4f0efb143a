//! SimpleSpread-v3: N agents learn to cover N landmarks without bumping into each other.
//!
//! Source: `mpe2` 1.1.1, `simple_spread/simple_spread.py`. All players share one space.
//!
//! | | shape of one player | elements |
//! |---|---|---|
//! | observation | float32 `(6 N,)` | own velocity, own position, landmarks, other agents (both relative to it), 2 zeros per other agent |
//! | action, discrete | int64 `()` | 0 none, 1 left, 2 right, 3 down, 4 up |
//! | action, continuous | float32 `(5,)` in 0..1 | idle (without effect), left, right, down, up |
//!
//! The zeros are what the others say: nobody here can speak.
//!
//! Reward of each player: `global * (1 - local_ratio) + local * local_ratio`, where `global` is minus the sum over the landmarks
//! of the distance to the nearest agent and `local` is -1 for each agent that it overlaps.
//!
//! mpe2's curriculum should charge for collisions from stage 1 on, but version 1.1.1 never gets there: `advance_curriculum` and
//! `set_curriculum_stage` write to a property of the base class that forgets what is written. So `curriculum` means stage 0, as
//! there, and stage 1 is an environment without it.

use serde::{Deserialize, Serialize};

use super::picture::{self, Entity};
use super::world::{Body, LEVERS, Vector, advance, distance, offset, push_apart, scatter, squared_distance};
use super::world::{thrust_of_levers, thrust_of_move};
use envpool_rs_engine::{
    Action, Dtype, Env, EnvSpec, InfoSpec, OptionSpec, Options, Picture, Rendering, ResetOptions, Result, Row, Scheduling, Space,
    Task, Value,
};
use envpool_rs_numeric::random::Generator;

/// Radius of a landmark, in pictures.
const LANDMARK_SIZE: f64 = 0.05;
/// Radius of an agent.
const AGENT_SIZE: f64 = 0.15;
/// Distance below which two agents overlap.
const REACH: f64 = AGENT_SIZE + AGENT_SIZE;
/// Distance below which an agent covers a landmark.
const CAPTURE_RADIUS: f64 = 0.1;
/// Most agents, and most neighbours to be seen: with so many, one environment's observation takes 25 MB.
const MOST: f64 = 1024.0;
/// Numbers of `benchmark_data` for each player.
const BENCHMARK: usize = 4;

/// The tasks of this file.
pub fn tasks() -> Vec<Task> {
    vec![Task::env::<SimpleSpread>("SimpleSpread-v3").max_episode_steps(25)]
}

/// What all environments of a pool share.
#[derive(Debug, Clone, PartialEq)]
pub struct SimpleSpread {
    agents: usize,
    local_ratio: f64,
    continuous: bool,
    /// Whether collisions cost nothing.
    curriculum: bool,
    terminate_on_success: bool,
    /// How many other agents each sees; all where `None`.
    agent_neighbors: Option<usize>,
    /// How many landmarks each sees; all where `None`.
    landmark_neighbors: Option<usize>,
    benchmark: bool,
    dynamic_rescaling: bool,
}

/// One environment while it is played.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct State {
    agents: Vec<Body>,
    landmarks: Vec<Vector>,
    /// How far everything reached at the reset: the scale of pictures.
    first_reach: f64,
}

impl Env for SimpleSpread {
    type State = State;
    type Random = Generator;

    const SCHEDULING: Scheduling = Scheduling::Uniform;
    const LIMIT_FIRST: bool = true;

    fn options() -> Vec<OptionSpec> {
        let mut options = vec![
            OptionSpec::new("N", 3, "number of agents, and of landmarks").numbers(1.0..=MOST),
            OptionSpec::new("local_ratio", 0.5, "weight of the local reward; the global reward has the rest")
                .numbers(0.0..=1.0)
                .each_episode(),
            OptionSpec::new("curriculum", false, "whether collisions cost nothing: stage 0, which mpe2 1.1.1 never leaves")
                .each_episode(),
            OptionSpec::new("terminate_on_success", false, "whether an episode ends once all landmarks are covered within 0.1")
                .each_episode(),
            OptionSpec::optional("num_agent_neighbors", 1, "how many other agents each sees, the nearest first; None: all")
                .numbers(1.0..=MOST),
            OptionSpec::optional("num_landmark_neighbors", 1, "how many landmarks each sees, the nearest first; None: all")
                .numbers(1.0..=MOST),
        ];
        options.extend(super::options());
        options
    }

    fn new(options: &Options) -> Result<Self> {
        super::check_declined(options)?;
        Ok(Self {
            agents: options.int("N") as usize,
            local_ratio: options.float("local_ratio"),
            continuous: options.bool("continuous_actions"),
            curriculum: options.bool("curriculum"),
            terminate_on_success: options.bool("terminate_on_success"),
            agent_neighbors: neighbors(options, "num_agent_neighbors"),
            landmark_neighbors: neighbors(options, "num_landmark_neighbors"),
            benchmark: options.bool("benchmark_data"),
            dynamic_rescaling: options.bool("dynamic_rescaling"),
        })
    }

    fn spec(&self) -> EnvSpec {
        let observation = Space::uniform(f64::NEG_INFINITY, f64::INFINITY, &[self.observation_size()], Dtype::F32);
        let action =
            if self.continuous { Space::uniform(0.0, 1.0, &[LEVERS], Dtype::F32) } else { Space::discrete(LEVERS as i64) };
        let info = if self.benchmark { vec![self.benchmark_spec()] } else { vec![] };
        EnvSpec { players: self.agents, info, ..EnvSpec::new(observation, action) }
    }

    fn create(&self, _lane: usize) -> Result<State> {
        Ok(State { agents: vec![Body::default(); self.agents], landmarks: vec![[0.0; 2]; self.agents], first_reach: 0.0 })
    }

    fn reset(&self, state: &mut State, _options: &ResetOptions, rng: &mut Generator) {
        state.agents.fill_with(|| Body::scatter(rng));
        state.landmarks.fill_with(|| scatter(rng));
        state.first_reach = picture::reach(state.positions());
    }

    fn step(&self, state: &mut State, action: &Action<'_>, rewards: &mut [f64], _rng: &mut Generator) -> bool {
        self.start_motors(&mut state.agents, action);
        push_apart(&mut state.agents, REACH);
        advance(&mut state.agents);
        if !self.curriculum {
            for_each_collision(&state.agents, |player| rewards[player] -= 1.0);
        }
        let global = 0.0 - state.uncovered();
        for reward in rewards {
            *reward = global * (1.0 - self.local_ratio) + *reward * self.local_ratio;
        }
        self.terminate_on_success && state.is_covered()
    }

    fn observe(&self, state: &State, out: &mut Row<'_>) {
        let mut sheet = Sheet { row: out, written: 0 };
        for player in 0..self.agents {
            self.observe_player(state, player, &mut sheet);
        }
    }

    fn info(&self, state: &State, out: &mut Row<'_>) {
        if !self.benchmark {
            return;
        }
        for player in 0..self.agents {
            out.write_at(0, player * BENCHMARK, &state.benchmark(player));
        }
    }

    fn is_valid(&self, state: &State) -> bool {
        state.agents.len() == self.agents && state.landmarks.len() == self.agents
    }

    fn rendering(&self) -> Rendering {
        picture::RENDERING
    }

    fn paint(&self, state: &State) -> Picture {
        let agent = |body: &Body| Entity { position: body.position, size: AGENT_SIZE, color: [0.35, 0.35, 0.85] };
        let landmark = |position: &Vector| Entity { position: *position, size: LANDMARK_SIZE, color: [0.25; 3] };
        let entities: Vec<_> = state.agents.iter().map(agent).chain(state.landmarks.iter().map(landmark)).collect();
        picture::picture(&entities, self.dynamic_rescaling.then_some(state.first_reach), &[])
    }
}

impl SimpleSpread {
    fn others_seen(&self) -> usize {
        self.agent_neighbors.unwrap_or(self.agents - 1)
    }

    fn landmarks_seen(&self) -> usize {
        self.landmark_neighbors.unwrap_or(self.agents)
    }

    fn observation_size(&self) -> usize {
        2 + 2 + 2 * self.landmarks_seen() + 4 * self.others_seen()
    }

    /// `benchmark_data`, float64 `(N, 4)`: for each player its collisions and the uncovered distance as a negative reward,
    /// its collisions, the uncovered distance, the landmarks covered. After a reset, where mpe2 has no such info, it describes
    /// the first state.
    fn benchmark_spec(&self) -> InfoSpec {
        let shape = vec![self.agents, BENCHMARK];
        InfoSpec::new("benchmark_data", Dtype::F64, &shape)
    }

    #[inline]
    fn start_motors(&self, agents: &mut [Body], action: &Action<'_>) {
        if self.continuous {
            let levers = action.continuous(0, agents.len() * LEVERS);
            agents.iter_mut().zip(levers.chunks_exact(LEVERS)).for_each(|(agent, own)| agent.force = thrust_of_levers(own));
        } else {
            let moves = action.discretes(0, agents.len());
            agents.iter_mut().zip(moves).for_each(|(agent, own)| agent.force = thrust_of_move(*own));
        }
    }

    #[inline]
    fn observe_player(&self, state: &State, player: usize, sheet: &mut Sheet<'_, '_>) {
        let own = &state.agents[player];
        sheet.put(own.velocity);
        sheet.put(own.position);
        let landmark = |index: usize| offset(state.landmarks[index], own.position);
        let other = |index: usize| offset(state.agents[index + usize::from(index >= player)].position, own.position);
        sheet.put_offsets(self.agents, self.landmark_neighbors, landmark);
        sheet.put_offsets(self.agents - 1, self.agent_neighbors, other);
        for _ in 0..self.others_seen() {
            sheet.put([0.0, 0.0]);
        }
    }
}

impl State {
    fn positions(&self) -> impl Iterator<Item = Vector> {
        self.agents.iter().map(|agent| agent.position).chain(self.landmarks.iter().copied())
    }

    /// Sum over the landmarks of the distance to the nearest agent.
    #[inline]
    fn uncovered(&self) -> f64 {
        self.landmarks.iter().map(|landmark| self.nearest(*landmark)).sum()
    }

    /// Distance from a landmark to the nearest agent. The root grows with what is under it, so one for the smallest is enough.
    #[inline]
    fn nearest(&self, landmark: Vector) -> f64 {
        let squares = self.agents.iter().map(|agent| squared_distance(agent.position, landmark));
        squares.reduce(|least, square| if square < least { square } else { least }).unwrap_or(f64::INFINITY).sqrt()
    }

    fn is_covered(&self) -> bool {
        !self.landmarks.iter().any(|landmark| self.nearest(*landmark) >= CAPTURE_RADIUS)
    }

    fn benchmark(&self, player: usize) -> [f64; BENCHMARK] {
        let uncovered = self.uncovered();
        let (mut reward, mut collisions) = (-uncovered, 0.0);
        for_each_collision(&self.agents, |other| {
            if other == player {
                reward -= 1.0;
                collisions += 1.0;
            }
        });
        let covered = self.landmarks.iter().filter(|landmark| self.nearest(**landmark) < CAPTURE_RADIUS).count();
        [reward, collisions, uncovered, covered as f64]
    }
}

/// Calls `hit` with both agents of each pair that overlaps.
#[inline]
fn for_each_collision(agents: &[Body], mut hit: impl FnMut(usize)) {
    for second in 1..agents.len() {
        for first in 0..second {
            if distance(agents[first].position, agents[second].position) < REACH {
                hit(first);
                hit(second);
            }
        }
    }
}

/// The observation array, filled from its start.
struct Sheet<'a, 'b> {
    row: &'a mut Row<'b>,
    written: usize,
}

impl Sheet<'_, '_> {
    #[inline]
    fn put(&mut self, vector: Vector) {
        self.row.write_at(0, self.written, &vector);
        self.written += 2;
    }

    /// All of `count` offsets in order, or those of the `nearest` so many, the nearest first, padded with zeros.
    #[inline]
    fn put_offsets(&mut self, count: usize, nearest: Option<usize>, offset: impl Fn(usize) -> Vector) {
        let Some(seen) = nearest else {
            return (0..count).for_each(|index| self.put(offset(index)));
        };
        let mut last = None;
        for place in 0..seen {
            last = if place < count { next_nearest(count, last, &offset) } else { None };
            self.put(last.map_or([0.0, 0.0], |(_, index)| offset(index)));
        }
    }
}

/// The nearest of `count` offsets that comes after `last`, with its distance. Of equally near ones the first comes first, which
/// numpy's argsort does not promise; no allocation, for few of them cheaper than sorting.
fn next_nearest(count: usize, last: Option<(f64, usize)>, offset: impl Fn(usize) -> Vector) -> Option<(f64, usize)> {
    let order = |a: &(f64, usize), b: &(f64, usize)| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1));
    (0..count)
        .map(|index| (distance(offset(index), [0.0, 0.0]), index))
        .filter(|candidate| last.is_none_or(|last| order(candidate, &last).is_gt()))
        .min_by(order)
}

fn neighbors(options: &Options, name: &str) -> Option<usize> {
    match options.get(name) {
        Value::Int(value) => Some(*value as usize),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::super::trace::{build, replay};
    use super::*;

    macro_rules! golden {
        ($($test:ident: $trace:literal),*) => {$(
            #[test]
            fn $test() {
                let trace = include_str!(concat!("../../../../tests/data/mpe/", $trace, ".jsonl"));
                assert!(replay::<SimpleSpread>(trace.as_bytes()) > 25);
            }
        )*};
    }
    golden!(
        three_agents_that_choose_moves_do_as_in_mpe2: "spread_discrete",
        three_agents_at_the_levers_do_as_in_mpe2: "spread_continuous",
        one_agent_alone_does_as_in_mpe2: "spread_alone",
        a_crowd_and_its_benchmark_data_are_as_in_mpe2: "spread_crowd",
        near_sighted_agents_see_what_they_see_in_mpe2: "spread_near_sighted",
        collisions_cost_nothing_in_the_curriculum: "spread_curriculum",
        success_terminates_where_it_does_in_mpe2: "spread_success"
    );

    fn message(given: &[(&str, Value)]) -> String {
        build::<SimpleSpread>(given).unwrap_err().to_string()
    }

    #[test]
    fn impossible_options_are_refused_by_name() {
        assert_eq!(message(&[("N", Value::Int(0))]), "N=0: expected 1 to 1024");
        assert_eq!(message(&[("N", Value::Int(1025))]), "N=1025: expected 1 to 1024");
        assert_eq!(message(&[("local_ratio", Value::Float(f64::NAN))]), "local_ratio=NaN: expected finite numbers");
        assert_eq!(message(&[("local_ratio", Value::Float(1.5))]), "local_ratio=1.5: expected 0 to 1");
        assert_eq!(message(&[("num_agent_neighbors", Value::Int(0))]), "num_agent_neighbors=0: expected 1 to 1024");
        assert!(message(&[("max_cycles", Value::Int(50))]).contains("max_episode_steps"));
    }

    #[test]
    fn states_of_another_number_of_agents_are_refused() {
        let [three, five] = [3, 5].map(|agents| build::<SimpleSpread>(&[("N", Value::Int(agents))]).unwrap());
        assert!(three.is_valid(&three.create(0).unwrap()));
        assert!(!three.is_valid(&five.create(0).unwrap()));
        assert!(!three.is_valid(&State { landmarks: vec![], ..three.create(0).unwrap() }));
    }

    #[test]
    fn a_state_restored_from_its_bytes_plays_on_alike() {
        let env = build::<SimpleSpread>(&[]).unwrap();
        let (mut state, mut rng) = (env.create(0).unwrap(), Generator::new(7));
        env.reset(&mut state, &ResetOptions::default(), &mut rng);
        let columns = [envpool_rs_engine::ActionColumn::I32(vec![1, 2, 4])];
        let mut play = |state: &mut State| {
            let mut rewards = [0.0; 3];
            env.step(state, &Action::new(&columns, 0), &mut rewards, &mut rng);
            rewards
        };
        play(&mut state);
        let mut restored: State = postcard::from_bytes(&postcard::to_stdvec(&state).unwrap()).unwrap();
        for _ in 0..10 {
            assert_eq!(play(&mut restored), play(&mut state));
        }
        assert_eq!(restored, state);
    }

    #[test]
    fn the_spaces_are_mpe2s() {
        let spec = build::<SimpleSpread>(&[]).unwrap().spec();
        assert_eq!((spec.players, spec.shared_spaces, spec.observation.shape()), (3, true, &[18][..]));
        assert_eq!(spec.action, Space::discrete(5));
        let given = [("N", Value::Int(5)), ("num_agent_neighbors", Value::Int(2)), ("num_landmark_neighbors", Value::Int(7))];
        let sighted = build::<SimpleSpread>(&given).unwrap().spec();
        assert_eq!(sighted.observation.shape(), [2 + 2 + 14 + 4 + 4]);
        let levers = build::<SimpleSpread>(&[("continuous_actions", Value::Bool(true))]).unwrap().spec();
        assert_eq!(levers.action, Space::uniform(0.0, 1.0, &[5], Dtype::F32));
    }
}
