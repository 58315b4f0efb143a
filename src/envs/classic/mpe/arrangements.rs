//! Scenarios `simple_formation_v1` and `simple_line_v1` of `mpe2` 1.1.1: agents arrange themselves on a circle or a line.
//!
//! All agents have the same reward: the negative mean of their distances from the targets that are assigned to them.

use serde::{Deserialize, Serialize};
use std::f64::consts::PI;

use super::assignment::assign;
use super::numpy_functions::numpy;
use super::picture::{self, Entity};
use super::scenarios::{MAX_ENTITIES, set_forces};
use super::world::{Agent, SENSITIVITY, Vector, apply_environment_force, distance, integrate_state, offset, position_within};
use super::writer::Writer;
use super::{CommonOptions, action_space, vector_space};
use envpool_rs_engine::{
    Action, Env, EnvSpec, Frame, OptionSpec, Options, RenderSpec, ResetOptions, Result, Row, Scheduling, Task,
};
use envpool_rs_numeric::random::Generator;

const RADIUS: f64 = 0.5;
/// Distance of the ends of the line.
const LENGTH: f64 = 1.25;
/// Turn of the line while an end lies outside of the plane.
const TURN: f64 = 5.0 * (PI / 180.0);
/// Distance from its target at which an agent has arrived.
const ARRIVAL: f64 = 0.05;
/// Largest distance that counts in rewards.
const MAX_DISTANCE: f64 = 2.0;

/// Form that the agents take.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Form {
    Circle,
    Line,
}

static FORMS: [(&str, Form); 2] = [("SimpleFormation-v1", Form::Circle), ("SimpleLine-v1", Form::Line)];

/// Returns the tasks of both scenarios.
pub fn tasks() -> Vec<Task> {
    let task = |(id, form): &'static (&'static str, Form)| Task::env::<Arrangement>(id).variant(form).max_episode_steps(25);
    FORMS.iter().map(task).collect()
}

/// Options of a scenario, shared by all environments of a pool.
#[derive(Debug, Clone, PartialEq)]
pub struct Arrangement {
    form: Form,
    agents: usize,
    terminates: bool,
    common: CommonOptions,
}

/// State of one environment.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct State {
    agents: Vec<Agent>,
    landmarks: Vec<Vector>,
    /// Targets on the line.
    targets: Vec<Vector>,
    /// Largest absolute coordinate of all entities at the reset ([`extent`](picture::extent)), which scales pictures.
    initial_extent: f64,
}

impl Env for Arrangement {
    type State = State;
    type Random = Generator;

    const SCHEDULING: Scheduling = Scheduling::Uniform;
    const TRUNCATION_WINS: bool = true;

    fn options() -> Vec<OptionSpec> {
        let own = vec![
            OptionSpec::new("N", 4, "number of agents").integers(1..=MAX_ENTITIES),
            OptionSpec::new("terminate_on_success", false, "whether an episode ends once all agents are at their targets")
                .per_episode(),
        ];
        super::options(own, false)
    }

    fn new(options: &Options) -> Result<Self> {
        Ok(Self {
            form: *options.variant::<Form>().unwrap_or(&Form::Circle),
            agents: options.int("N") as usize,
            terminates: options.bool("terminate_on_success"),
            common: CommonOptions::new(options)?,
        })
    }

    fn spec(&self) -> EnvSpec {
        let observation = vector_space(4 + 2 * self.landmarks());
        EnvSpec { players: self.agents, ..EnvSpec::new(observation, action_space(self.common.continuous)) }
    }

    fn heap_bytes(&self) -> usize {
        self.agents * (size_of::<Agent>() + size_of::<Vector>()) + self.landmarks() * size_of::<Vector>()
    }

    fn create(&self, _lane: usize) -> Result<State> {
        let at_center = |count| vec![[0.0; 2]; count];
        Ok(State {
            agents: vec![Agent::default(); self.agents],
            landmarks: at_center(self.landmarks()),
            targets: at_center(self.targets()),
            initial_extent: 0.0,
        })
    }

    fn reset(&self, state: &mut State, _options: &ResetOptions, rng: &mut Generator) {
        state.agents.fill_with(|| Agent::at_random_position(rng));
        self.place_landmarks(state, rng);
        state.initial_extent = picture::extent(state.positions());
    }

    fn step(&self, state: &mut State, action: &Action<'_>, rewards: &mut [f64], _rng: &mut Generator) -> bool {
        set_forces(&mut state.agents, self.common.continuous, SENSITIVITY, action, 0);
        apply_environment_force(&mut state.agents, 2.0 * self.size());
        integrate_state(&mut state.agents);
        let distances = self.distances(state);
        let clipped: Vec<_> = distances.iter().map(|distance| distance.clamp(0.0, MAX_DISTANCE)).collect();
        rewards.fill(0.0 - sum(&clipped) / self.agents as f64);
        self.terminates && distances.iter().all(|distance| *distance < ARRIVAL)
    }

    fn observe(&self, state: &State, out: &mut Row<'_>) {
        let mut writer = Writer::new(out);
        for agent in &state.agents {
            writer.vectors([agent.velocity, agent.position]);
            writer.vectors(state.landmarks.iter().map(|landmark| offset(*landmark, agent.position)));
        }
    }

    fn render_spec(&self) -> RenderSpec {
        picture::RENDERING
    }

    fn render_frame(&self, state: &State, size: (u32, u32)) -> Frame {
        let landmark = if self.form == Form::Circle { 0.03 } else { 0.02 };
        let agents = std::iter::repeat_n((self.size(), [0.35, 0.35, 0.85]), state.agents.len());
        let kinds = agents.chain(std::iter::repeat((landmark, [0.25; 3])));
        let entity = |(position, (size, color))| Entity { position, size, color };
        let entities: Vec<_> = state.positions().zip(kinds).map(entity).collect();
        self.common.picture(&entities, state.initial_extent, &[], size)
    }

    fn is_valid(&self, state: &State) -> bool {
        state.agents.len() == self.agents && state.landmarks.len() == self.landmarks() && state.targets.len() == self.targets()
    }
}

impl State {
    fn positions(&self) -> impl Iterator<Item = Vector> + '_ {
        self.agents.iter().map(|agent| agent.position).chain(self.landmarks.iter().copied())
    }
}

impl Arrangement {
    fn place_landmarks(&self, state: &mut State, rng: &mut Generator) {
        if self.form == Form::Circle {
            state.landmarks[0] = position_within(0.5, rng);
            return;
        }
        let start = position_within(0.25, rng);
        let mut angle = rng.uniform(0.0, 2.0 * PI);
        let (direction, end) = loop {
            let direction = [(numpy().cos)(angle), (numpy().sin)(angle)];
            let end = along(start, LENGTH, direction);
            if end.iter().all(|coordinate| coordinate.abs() < 1.0) {
                break (direction, end);
            }
            angle += TURN;
        };
        let step = if self.agents > 1 { LENGTH / (self.agents - 1) as f64 } else { 0.0 };
        state.landmarks.copy_from_slice(&[start, end]);
        for (number, target) in state.targets.iter_mut().enumerate() {
            *target = along(start, number as f64 * step, direction);
        }
    }

    fn landmarks(&self) -> usize {
        if self.form == Form::Circle { 1 } else { 2 }
    }

    fn targets(&self) -> usize {
        if self.form == Form::Circle { 0 } else { self.agents }
    }

    fn size(&self) -> f64 {
        if self.form == Form::Circle { 0.05 } else { 0.03 }
    }

    /// Returns the distance of each agent from its target; NaN if positions have overflowed, so that there is no assignment.
    fn distances(&self, state: &State) -> Vec<f64> {
        let circle;
        let targets = match self.form {
            Form::Line => &state.targets,
            Form::Circle => {
                circle = self.circle(state);
                &circle
            }
        };
        let places = state.agents.iter().map(|agent| agent.position);
        let costs: Vec<_> = places.flat_map(|place| targets.iter().map(move |target| distance(place, *target))).collect();
        let Some(chosen) = assign(&costs, self.agents) else { return vec![f64::NAN; self.agents] };
        chosen.into_iter().enumerate().map(|(agent, target)| costs[agent * self.agents + target]).collect()
    }

    /// Returns the targets on the circle, the first of which is at the smallest angle of an agent.
    fn circle(&self, state: &State) -> Vec<Vector> {
        let center = state.landmarks[0];
        let angles = state.agents.iter().map(|agent| {
            let [x, y] = offset(agent.position, center);
            let angle = (numpy().arctan2)(y, x);
            if angle < 0.0 { angle + 2.0 * PI } else { angle }
        });
        let first = angles.fold(f64::INFINITY, f64::min);
        let between = 2.0 * PI / self.agents as f64;
        let target = |number: usize| {
            let angle = first + number as f64 * between;
            along(center, RADIUS, [(numpy().cos)(angle), (numpy().sin)(angle)])
        };
        (0..self.agents).map(target).collect()
    }
}

/// Returns the point at a distance from `start` in a direction.
fn along(start: Vector, distance: f64, direction: Vector) -> Vector {
    [start[0] + distance * direction[0], start[1] + distance * direction[1]]
}

/// Returns numpy's sum of at most 128 numbers: eight sums side by side, from eight numbers on.
fn sum(values: &[f64]) -> f64 {
    let (blocks, rest) = values.as_chunks::<8>();
    let Some((first, blocks)) = blocks.split_first() else { return rest.iter().sum() };
    let mut sums = *first;
    for block in blocks {
        sums.iter_mut().zip(block).for_each(|(sum, value)| *sum += value);
    }
    let [a, b, c, d, e, f, g, h] = sums;
    rest.iter().fold(((a + b) + (c + d)) + ((e + f) + (g + h)), |sum, value| sum + value)
}
