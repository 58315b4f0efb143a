//! Seven scenarios of `mpe2` 1.1.1: a common world, in which they differ by entities, draws, rewards and observations.
//!
//! | task | players, in order | aim |
//! |---|---|---|
//! | Simple-v3 | `agent_0` | go to the landmark |
//! | SimpleAdversary-v3 | `adversary_0`, `agent_0`, ... | agents go to the goal and hide from the adversary which landmark it is |
//! | SimpleCrypto-v3 | `eve_0`, `bob_0`, `alice_0` | Alice sends a message with a key to Bob, which Eve should not understand |
//! | SimplePush-v3 | `adversary_0`, `agent_0` | the agent goes to the goal, and the adversary pushes it away |
//! | SimpleReference-v3 | `agent_0`, `agent_1` | each tells the other one its goal |
//! | SimpleTag-v3 | `adversary_0`, ..., `agent_0`, ... | slow adversaries catch fast agents |
//! | SimpleWorldComm-v3 | `leadadversary_0`, `adversary_0`, ..., `agent_0`, ... | tag with food, forests that hide agents, and a leader that speaks |
//!
//! A discrete action of a player that moves and speaks is `move + 5 * word`; a continuous one has five numbers of the move, then
//! one for each word.

use serde::{Deserialize, Serialize};

use super::numpy_functions::numpy;
use super::picture::{self, Entity, Rgb};
use super::world::{
    Agent, CONTINUOUS_ACTION_SIZE, SENSITIVITY, Vector, clip, contact_force, continuous_action_force, discrete_action_force,
    distance, limited_speed, offset, position_within, squared_distance, update_body,
};
use super::writer::{Writer, by_distance};
use super::{CommonOptions, neighbor_count, neighbor_options, vector_space};
use envpool_rs_engine::{
    Action, Dtype, Env, EnvSpec, Frame, InfoSpec, OptionSpec, Options, RenderSpec, ResetOptions, Result, Row, Scheduling, Space,
    Task, Value,
};
use envpool_rs_numeric::random::Generator;

/// Largest number of agents of a kind, of landmarks, and of observed neighbours.
pub(super) const MAX_ENTITIES: i64 = 64;
/// Radius of agents and landmarks for which mpe2 sets none.
const SIZE: f64 = 0.05;

/// Colours of agents and landmarks, of which some are brighter in one part.
const GRAY: Rgb = [0.25; 3];
const RED: Rgb = [0.75, 0.25, 0.25];
/// Player number of the receiver of messages in SimpleCrypto.
const BOB: usize = 1;

/// Scenario of a task.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Simple,
    Adversary,
    Crypto,
    Push,
    Reference,
    Tag,
    WorldComm,
}

/// Scenarios of the tasks, by task.
static KINDS: [(&str, Kind); 7] = [
    ("Simple-v3", Kind::Simple),
    ("SimpleAdversary-v3", Kind::Adversary),
    ("SimpleCrypto-v3", Kind::Crypto),
    ("SimplePush-v3", Kind::Push),
    ("SimpleReference-v3", Kind::Reference),
    ("SimpleTag-v3", Kind::Tag),
    ("SimpleWorldComm-v3", Kind::WorldComm),
];

/// Returns the tasks of all scenarios.
pub fn tasks() -> Vec<Task> {
    let task = |(id, kind): &'static (&'static str, Kind)| {
        Task::env::<Scenario>(id).options(options_of(*kind)).variant(kind).max_episode_steps(25)
    };
    KINDS.iter().map(task).collect()
}

fn options_of(kind: Kind) -> Vec<OptionSpec> {
    let count = |name, default: i64, doc| OptionSpec::new(name, default, doc).integers(1..=MAX_ENTITIES);
    let mut options = match kind {
        Kind::Simple | Kind::Crypto | Kind::Push => vec![],
        Kind::Adversary => vec![count("N", 2, "number of good agents, and of landmarks")],
        Kind::Reference => vec![
            OptionSpec::new("local_ratio", 0.5, "weight of the local reward; the global reward has the rest").numbers(0.0..=1.0),
        ],
        Kind::Tag | Kind::WorldComm => {
            let is_tag = kind == Kind::Tag;
            vec![
                count("num_good", if is_tag { 1 } else { 2 }, "number of good agents"),
                count("num_adversaries", if is_tag { 3 } else { 4 }, "number of adversaries"),
                OptionSpec::new("num_obstacles", if is_tag { 2 } else { 1 }, "number of landmarks that block agents")
                    .integers(0..=MAX_ENTITIES),
            ]
        }
    };
    if kind == Kind::WorldComm {
        options.push(count("num_food", 2, "number of landmarks that reward good agents"));
        options.push(OptionSpec::new("num_forests", 2, "number of landmarks that hide agents").integers(0..=MAX_ENTITIES));
    }
    if kind == Kind::Tag {
        options.push(
            OptionSpec::new("terminate_on_success", false, "whether an episode ends once all good agents are caught")
                .per_episode(),
        );
    }
    if matches!(kind, Kind::Adversary | Kind::Tag) {
        options.extend(neighbor_options(MAX_ENTITIES));
    }
    super::options(options, matches!(kind, Kind::Adversary | Kind::Crypto | Kind::Tag | Kind::WorldComm))
}

/// Constant properties of an agent or a landmark.
#[derive(Debug, Clone, PartialEq)]
struct Body {
    name: String,
    size: f64,
    collides: bool,
    moves: bool,
    speaks: bool,
    acceleration: f64,
    max_speed: Option<f64>,
    is_adversary: bool,
    color: Rgb,
}

impl Body {
    fn agent(name: impl Into<String>, size: f64, color: Rgb) -> Self {
        Self {
            name: name.into(),
            size,
            collides: false,
            moves: true,
            speaks: false,
            acceleration: SENSITIVITY,
            max_speed: None,
            is_adversary: false,
            color,
        }
    }

    fn landmark(size: f64, collides: bool, color: Rgb) -> Self {
        Self { collides, moves: false, ..Self::agent("", size, color) }
    }
}

/// Options of a scenario, shared by all environments of a pool.
#[derive(Debug, Clone, PartialEq)]
pub struct Scenario {
    kind: Kind,
    agents: Vec<Body>,
    landmarks: Vec<Body>,
    /// Number of words of an agent that speaks.
    words: usize,
    /// Number of food landmarks, which follow the obstacles; forests follow them.
    food: usize,
    forests: usize,
    local_ratio: f64,
    terminates: bool,
    common: CommonOptions,
    agent_neighbors: Option<usize>,
    landmark_neighbors: Option<usize>,
}

/// State of one environment.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct State {
    agents: Vec<Agent>,
    landmarks: Vec<Vector>,
    /// Numbers of landmarks: the goal and the key, or the goal of each agent.
    goals: [usize; 2],
    /// Loudness of each word of each agent.
    messages: Vec<f64>,
    /// Largest absolute coordinate of all entities at the reset ([`extent`](picture::extent)), which scales pictures.
    initial_extent: f64,
}

impl Env for Scenario {
    type State = State;
    type Random = Generator;

    const SCHEDULING: Scheduling = Scheduling::Uniform;
    const TRUNCATION_WINS: bool = true;

    fn options() -> Vec<OptionSpec> {
        Vec::new() // `tasks` declares those of each scenario
    }

    fn new(options: &Options) -> Result<Self> {
        let kind = *options.variant::<Kind>().unwrap_or(&Kind::Simple);
        let count = |name| options.find(name).map_or(0, |_| options.int(name) as usize);
        let (agents, landmarks, words) = entities(kind, &count);
        Ok(Self {
            kind,
            agents,
            landmarks,
            words,
            food: count("num_food"),
            forests: count("num_forests"),
            local_ratio: options.find("local_ratio").map_or(0.0, |_| options.float("local_ratio")),
            terminates: options.find("terminate_on_success") == Some(&Value::Bool(true)),
            common: CommonOptions::new(options)?,
            agent_neighbors: neighbor_count(options, "num_agent_neighbors"),
            landmark_neighbors: neighbor_count(options, "num_landmark_neighbors"),
        })
    }

    fn spec(&self) -> EnvSpec {
        let observations: Vec<_> = (0..self.agents.len()).map(|agent| vector_space(self.observation_size(agent))).collect();
        let actions: Vec<_> = self.agents.iter().map(|agent| self.action_space(agent)).collect();
        let players = self.agents.len();
        if self.shares_spaces() {
            return EnvSpec { players, ..EnvSpec::new(observations[0].clone(), actions[0].clone()) };
        }
        let names = || self.agents.iter().map(|agent| agent.name.clone());
        let (observations, actions) = (names().zip(observations).collect(), names().zip(actions).collect());
        let shape = [&[players][..], &self.benchmark_shape()].concat();
        let info = self.common.benchmark.then(|| InfoSpec::new("benchmark_data", Dtype::F64, &shape)).into_iter().collect();
        EnvSpec { players, shared_spaces: false, info, ..EnvSpec::new(Space::Dict(observations), Space::Dict(actions)) }
    }

    fn heap_bytes(&self) -> usize {
        let agent = size_of::<Agent>() + self.words * size_of::<f64>();
        self.agents.len() * agent + self.landmarks.len() * size_of::<Vector>()
    }

    fn create(&self, _lane: usize) -> Result<State> {
        Ok(State {
            agents: vec![Agent::default(); self.agents.len()],
            landmarks: vec![[0.0; 2]; self.landmarks.len()],
            goals: [0; 2],
            messages: vec![0.0; self.agents.len() * self.words],
            initial_extent: 0.0,
        })
    }

    fn reset(&self, state: &mut State, _options: &ResetOptions, rng: &mut Generator) {
        let draws = match self.kind {
            Kind::Adversary | Kind::Push => 1,
            Kind::Crypto | Kind::Reference => 2,
            _ => 0,
        };
        for goal in &mut state.goals[..draws] {
            *goal = rng.integers(0, self.landmarks.len() as i64) as usize;
        }
        state.messages.fill(0.0);
        state.agents.fill_with(|| Agent::at_random_position(rng));
        let side = if matches!(self.kind, Kind::Tag | Kind::WorldComm) { 0.9 } else { 1.0 };
        state.landmarks.fill_with(|| position_within(side, rng));
        // mpe2 draws food and forests twice.
        let obstacles = self.landmarks.len() - self.food - self.forests;
        state.landmarks[obstacles..].fill_with(|| position_within(side, rng));
        state.initial_extent = picture::extent(state.positions());
    }

    fn step(&self, state: &mut State, action: &Action<'_>, rewards: &mut [f64], _rng: &mut Generator) -> bool {
        self.set_actions(state, action);
        self.apply_contact_forces(state);
        for (agent, body) in state.agents.iter_mut().zip(&self.agents).filter(|(_, body)| body.moves) {
            update_body(agent);
            if let Some(most) = body.max_speed {
                agent.velocity = limited_speed(agent.velocity, most);
            }
        }
        for (agent, reward) in rewards.iter_mut().enumerate() {
            *reward = self.reward(state, agent);
        }
        self.terminates && self.good_agents().all(|good| self.adversaries().any(|bad| self.agents_touch(state, good, bad)))
    }

    fn observe(&self, state: &State, out: &mut Row<'_>) {
        let mut writer = Writer::new(out);
        for agent in 0..self.agents.len() {
            if !self.shares_spaces() {
                writer.start(agent);
            }
            self.observe_agent(state, agent, &mut writer);
        }
    }

    /// Writes mpe2's metrics; after a reset, for which mpe2 has none, those of the initial state.
    fn info(&self, state: &State, out: &mut Row<'_>) {
        if self.common.benchmark {
            let size: usize = self.benchmark_shape().iter().product();
            for agent in 0..self.agents.len() {
                out.write_at(0, agent * size, &self.benchmark_data(state, agent));
            }
        }
    }

    fn render_spec(&self) -> RenderSpec {
        picture::RENDERING
    }

    fn render_frame(&self, state: &State, size: (u32, u32)) -> Frame {
        let agents = (0..self.agents.len()).map(|agent| self.agent_color(state, agent));
        let landmarks = (0..self.landmarks.len()).map(|landmark| self.landmark_color(state, landmark));
        let bodies = self.agents.iter().chain(&self.landmarks).zip(agents.chain(landmarks));
        let entity = |(position, (body, color)): (Vector, (&Body, Rgb))| Entity { position, size: body.size, color };
        let entities: Vec<_> = state.positions().zip(bodies).map(entity).collect();
        let speakers = self.agents.iter().enumerate().filter(|(_, agent)| agent.speaks);
        let message = |(number, agent): (usize, &Body)| {
            picture::message(&agent.name, &state.messages[number * self.words..][..self.words], self.common.continuous)
        };
        self.common.picture(&entities, state.initial_extent, &speakers.map(message).collect::<Vec<_>>(), size)
    }

    fn is_valid(&self, state: &State) -> bool {
        state.agents.len() == self.agents.len()
            && state.landmarks.len() == self.landmarks.len()
            && state.messages.len() == self.agents.len() * self.words
            && state.goals.iter().all(|goal| *goal < self.landmarks.len().max(1))
    }
}

/// Returns the agents, the landmarks and the number of words of a scenario. `count` returns the value of an option.
fn entities(kind: Kind, count: &impl Fn(&'static str) -> usize) -> (Vec<Body>, Vec<Body>, usize) {
    let landmarks = |colors: &[Rgb]| colors.iter().map(|color| Body::landmark(SIZE, false, *color)).collect();
    match kind {
        Kind::Simple => (vec![Body::agent("agent_0", SIZE, GRAY)], landmarks(&[RED]), 0),
        Kind::Adversary => {
            let mut agents = vec![Body { is_adversary: true, ..Body::agent("adversary_0", 0.15, [0.85, 0.35, 0.35]) }];
            agents.extend((0..count("N")).map(|number| Body::agent(format!("agent_{number}"), 0.15, [0.35, 0.35, 0.85])));
            (agents, vec![Body::landmark(0.08, false, [0.15; 3]); count("N")], 0)
        }
        Kind::Crypto => {
            let agent = |(name, color): (&str, _)| Body {
                moves: false,
                speaks: true,
                is_adversary: name == "eve_0",
                ..Body::agent(name, SIZE, color)
            };
            let agents = [("eve_0", RED), ("bob_0", GRAY), ("alice_0", GRAY)].map(agent);
            (agents.into(), landmarks(&[[1.0, 0.0, 0.0], [0.0, 1.0, 0.0]]), 4)
        }
        Kind::Push => {
            let agent = |(name, color): (&str, _)| Body {
                collides: true,
                is_adversary: name == "adversary_0",
                ..Body::agent(name, SIZE, color)
            };
            let agents = [("adversary_0", RED), ("agent_0", GRAY)].map(agent);
            (agents.into(), landmarks(&[1, 2].map(|part| brightened([0.1; 3], part, 0.8))), 0)
        }
        Kind::Reference => {
            let agent = |name: &str| Body { speaks: true, ..Body::agent(name, SIZE, GRAY) };
            let landmarks = landmarks(&[0, 1, 2].map(|part| brightened(GRAY, part, 0.5)));
            (["agent_0", "agent_1"].map(agent).into(), landmarks, 10)
        }
        Kind::Tag | Kind::WorldComm => {
            let has_leader = kind == Kind::WorldComm;
            let adversary = |number: usize| Body {
                collides: true,
                speaks: has_leader && number == 0,
                acceleration: 3.0,
                max_speed: Some(1.0),
                is_adversary: true,
                ..Body::agent(
                    match number {
                        0 if has_leader => "leadadversary_0".to_owned(),
                        _ => format!("adversary_{}", number - usize::from(has_leader)),
                    },
                    0.075,
                    match number {
                        0 if has_leader => [0.95, 0.45, 0.45].map(|part| part - 0.3),
                        _ if has_leader => [0.95, 0.45, 0.45],
                        _ => [0.85, 0.35, 0.35],
                    },
                )
            };
            let (size, color) = if has_leader { (0.045, [0.45, 0.95, 0.45]) } else { (0.05, [0.35, 0.85, 0.35]) };
            let good = |number: usize| Body {
                collides: true,
                acceleration: 4.0,
                max_speed: Some(1.3),
                ..Body::agent(format!("agent_{number}"), size, color)
            };
            let agents = (0..count("num_adversaries")).map(adversary).chain((0..count("num_good")).map(good)).collect();
            let mut landmarks = vec![Body::landmark(0.2, true, GRAY); count("num_obstacles")];
            landmarks.extend(vec![Body::landmark(0.03, false, [0.15, 0.15, 0.65]); count("num_food")]);
            landmarks.extend(vec![Body::landmark(0.3, false, [0.6, 0.9, 0.6]); count("num_forests")]);
            (agents, landmarks, if has_leader { 4 } else { 0 })
        }
    }
}

impl State {
    fn positions(&self) -> impl Iterator<Item = Vector> + '_ {
        self.agents.iter().map(|agent| agent.position).chain(self.landmarks.iter().copied())
    }
}

impl Scenario {
    /// Returns the colour of an agent, which tells its goal in some scenarios.
    fn agent_color(&self, state: &State, agent: usize) -> Rgb {
        let own = self.agents[agent].color;
        match (self.kind, agent) {
            (Kind::Crypto, BOB) => self.landmarks[state.goals[0]].color,
            (Kind::Push, 1) => brightened(own, state.goals[0] + 1, 0.5),
            (Kind::Reference, _) => self.landmarks[state.goals[1 - agent]].color,
            _ => own,
        }
    }

    /// Returns the colour of a landmark, which tells in one scenario whether it is the goal.
    fn landmark_color(&self, state: &State, landmark: usize) -> Rgb {
        let is_shown = self.kind == Kind::Adversary && landmark == state.goals[0];
        if is_shown { [0.15, 0.65, 0.15] } else { self.landmarks[landmark].color }
    }

    fn shares_spaces(&self) -> bool {
        matches!(self.kind, Kind::Simple | Kind::Reference)
    }

    fn good_agents(&self) -> impl Iterator<Item = usize> + Clone + '_ {
        (0..self.agents.len()).filter(|agent| !self.agents[*agent].is_adversary)
    }

    fn adversaries(&self) -> impl Iterator<Item = usize> + Clone + '_ {
        (0..self.agents.len()).filter(|agent| self.agents[*agent].is_adversary)
    }

    /// Returns the numbers of a continuous action: those of the move, then those of the words.
    fn continuous_size(&self, agent: &Body) -> usize {
        usize::from(agent.moves) * CONTINUOUS_ACTION_SIZE + usize::from(agent.speaks) * self.words
    }

    fn action_space(&self, agent: &Body) -> Space {
        if self.common.continuous {
            return Space::uniform(0.0, 1.0, &[self.continuous_size(agent)], Dtype::F32);
        }
        let (moves, words) = (if agent.moves { CONTINUOUS_ACTION_SIZE } else { 1 }, if agent.speaks { self.words } else { 1 });
        Space::discrete((moves * words) as i64)
    }

    /// Sets the forces and messages of all agents.
    fn set_actions(&self, state: &mut State, action: &Action<'_>) {
        for (number, body) in self.agents.iter().enumerate() {
            let (key, row) = if self.shares_spaces() { (0, number) } else { (number, 0) };
            let message = &mut state.messages[number * self.words..][..self.words];
            let force = &mut state.agents[number].force;
            *force = [0.0; 2];
            if self.common.continuous {
                let size = self.continuous_size(body);
                let players = if self.shares_spaces() { self.agents.len() } else { 1 };
                let own = &action.continuous(key, players * size)[row * size..][..size];
                let (levers, words) = own.split_at(if body.moves { CONTINUOUS_ACTION_SIZE } else { 0 });
                if body.moves {
                    *force = continuous_action_force(levers, body.acceleration);
                }
                message.iter_mut().zip(words).for_each(|(word, loudness)| *word = f64::from(clip(*loudness)) + 0.0);
            } else {
                let players = if self.shares_spaces() { self.agents.len() } else { 1 };
                let mut own = action.discretes(key, players)[row];
                if body.moves {
                    *force = discrete_action_force(own % CONTINUOUS_ACTION_SIZE as i32, body.acceleration);
                    own /= CONTINUOUS_ACTION_SIZE as i32;
                }
                if body.speaks {
                    message.fill(0.0);
                    message[own as usize] = 1.0;
                }
            }
        }
    }

    fn apply_contact_forces(&self, state: &mut State) {
        if !self.agents.iter().any(|agent| agent.collides) {
            return;
        }
        for first in 0..self.agents.len() {
            for second in first + 1..self.agents.len() {
                let reach = self.agents[first].size + self.agents[second].size;
                let force = contact_force(state.agents[first].position, state.agents[second].position, reach);
                push(&mut state.agents[first], force);
                push(&mut state.agents[second], force.map(|component| -component));
            }
            for (place, landmark) in state.landmarks.iter().zip(&self.landmarks).filter(|(_, landmark)| landmark.collides) {
                let force = contact_force(state.agents[first].position, *place, self.agents[first].size + landmark.size);
                push(&mut state.agents[first], force);
            }
        }
    }

    fn agents_touch(&self, state: &State, first: usize, second: usize) -> bool {
        let reach = self.agents[first].size + self.agents[second].size;
        distance(state.agents[first].position, state.agents[second].position) < reach
    }

    fn touches_landmark(&self, state: &State, agent: usize, landmark: usize) -> bool {
        let reach = self.agents[agent].size + self.landmarks[landmark].size;
        distance(state.agents[agent].position, state.landmarks[landmark]) < reach
    }

    /// Returns the landmarks that are food, and those that are forests.
    fn food_and_forests(&self) -> (std::ops::Range<usize>, std::ops::Range<usize>) {
        let count = self.landmarks.len();
        (count - self.food - self.forests..count - self.forests, count - self.forests..count)
    }

    fn reward(&self, state: &State, agent: usize) -> f64 {
        let own = state.agents[agent].position;
        let to_goal = |agent: usize| distance(state.agents[agent].position, state.landmarks[state.goals[0]]);
        let is_adversary = self.agents[agent].is_adversary;
        match self.kind {
            Kind::Simple => -squared_distance(own, state.landmarks[0]),
            Kind::Adversary if is_adversary => -to_goal(agent),
            Kind::Adversary => {
                let adversaries: f64 = self.adversaries().map(to_goal).fold(0.0, |sum, distance| sum + distance);
                -least(self.good_agents().map(to_goal)) + adversaries
            }
            Kind::Push if is_adversary => least(self.good_agents().map(to_goal)) - to_goal(agent),
            Kind::Push => -to_goal(agent),
            Kind::Crypto if is_adversary => 0.0 - self.misunderstanding(state, agent),
            Kind::Crypto => self.misunderstanding(state, 0) + (0.0 - self.misunderstanding(state, 1)),
            Kind::Reference => {
                let local = |agent: usize| -distance(state.agents[1 - agent].position, state.landmarks[state.goals[agent]]);
                let global = (0.0 + local(0) + local(1)) / 2.0;
                global * (1.0 - self.local_ratio) + local(agent) * self.local_ratio
            }
            Kind::Tag | Kind::WorldComm => self.chase_reward(state, agent),
        }
    }

    /// Returns the squared distance of an agent's message from the goal's colour; 0 for silence.
    fn misunderstanding(&self, state: &State, agent: usize) -> f64 {
        let message = &state.messages[agent * self.words..][..self.words];
        if message.iter().all(|loudness| *loudness == 0.0) {
            return 0.0;
        }
        let colors = (0..self.words).map(|word| f64::from(u8::from(word == state.goals[0])));
        let squares = message.iter().zip(colors).map(|(loudness, color)| (loudness - color) * (loudness - color));
        squares.reduce(|sum, square| sum + square).unwrap_or(0.0)
    }

    fn chase_reward(&self, state: &State, agent: usize) -> f64 {
        let own = state.agents[agent].position;
        let is_world = self.kind == Kind::WorldComm;
        let catch = if is_world { 5.0 } else { 10.0 };
        let mut reward = 0.0;
        if self.agents[agent].is_adversary {
            if is_world {
                reward -= 0.1 * least(self.good_agents().map(|good| distance(state.agents[good].position, own)));
            }
            // As in mpe2, each touch is a sum of its own: behind a distance, sums of several are rounded each time.
            for good in self.good_agents() {
                self.adversaries().filter(|bad| self.agents_touch(state, good, *bad)).for_each(|_| reward += catch);
            }
            return reward;
        }
        self.adversaries().filter(|bad| self.agents_touch(state, *bad, agent)).for_each(|_| reward -= catch);
        for coordinate in own {
            let penalty = boundary_penalty(coordinate.abs());
            reward -= if is_world { 2.0 * penalty } else { penalty };
        }
        if is_world {
            let (food, _) = self.food_and_forests();
            food.clone().filter(|food| self.touches_landmark(state, agent, *food)).for_each(|_| reward += 2.0);
            reward -= 0.05 * least(food.map(|food| distance(state.landmarks[food], own)));
        }
        reward
    }

    /// Returns the shape of one agent's metrics.
    fn benchmark_shape(&self) -> Vec<usize> {
        match self.kind {
            Kind::Adversary => vec![self.landmarks.len() + 1],
            Kind::Crypto => vec![2, self.words],
            _ => vec![],
        }
    }

    /// Returns an agent's metrics: squared distances from landmarks and the goal, for an adversary that from the goal and zeros;
    /// its message and the goal's colour; or the number of good agents that an adversary touches.
    fn benchmark_data(&self, state: &State, agent: usize) -> Vec<f64> {
        let is_adversary = self.agents[agent].is_adversary;
        match self.kind {
            Kind::Adversary => {
                let to = |landmark: usize| squared_distance(state.agents[agent].position, state.landmarks[landmark]);
                let landmarks = 0..self.landmarks.len();
                match is_adversary {
                    true => std::iter::once(to(state.goals[0])).chain(landmarks.map(|_| 0.0)).collect(),
                    false => landmarks.chain([state.goals[0]]).map(to).collect(),
                }
            }
            Kind::Crypto => {
                let color = (0..self.words).map(|word| f64::from(u8::from(word == state.goals[0])));
                state.messages[agent * self.words..][..self.words].iter().copied().chain(color).collect()
            }
            _ if is_adversary => vec![self.good_agents().filter(|good| self.agents_touch(state, *good, agent)).count() as f64],
            _ => vec![0.0],
        }
    }

    fn observation_size(&self, agent: usize) -> usize {
        let (agents, landmarks) = (self.agents.len(), self.landmarks.len());
        let others = self.agent_neighbors.unwrap_or(agents - 1);
        let marks = self.landmark_neighbors.unwrap_or(landmarks);
        let is_adversary = self.agents[agent].is_adversary;
        match self.kind {
            Kind::Simple => 4,
            Kind::Adversary => 2 * (others + marks + usize::from(!is_adversary)),
            Kind::Crypto => {
                if is_adversary {
                    4
                } else {
                    8
                }
            }
            Kind::Push => {
                if is_adversary {
                    8
                } else {
                    19
                }
            }
            Kind::Reference => 2 + 2 * landmarks + 3 + self.words,
            Kind::Tag => {
                let good = self.good_agents().filter(|other| *other != agent).count();
                4 + 2 * (marks + others + self.agent_neighbors.unwrap_or(good))
            }
            Kind::WorldComm => {
                let good = self.good_agents().filter(|other| *other != agent).count();
                4 + 2 * (landmarks + others + good) + self.forests + if is_adversary { self.words } else { 0 }
            }
        }
    }

    fn observe_agent(&self, state: &State, agent: usize, writer: &mut Writer<'_, '_>) {
        let Agent { position: own, velocity, .. } = state.agents[agent];
        let is_adversary = self.agents[agent].is_adversary;
        let message = |agent: usize| &state.messages[agent * self.words..][..self.words];
        let mark = |landmark: usize| offset(state.landmarks[landmark], own);
        let marks = || (0..self.landmarks.len()).map(mark);
        let others = || (0..self.agents.len()).filter(move |other| *other != agent);
        let color = |word: usize| [0, 1, 2, 3].map(|place| f64::from(u8::from(place == word)));
        match self.kind {
            Kind::Simple => writer.vectors([velocity].into_iter().chain(marks())),
            Kind::Adversary => {
                if !is_adversary {
                    writer.write(&mark(state.goals[0]));
                }
                writer.nearest(self.landmark_neighbors, marks());
                writer.nearest(self.agent_neighbors, others().map(|other| offset(state.agents[other].position, own)));
            }
            Kind::Crypto => match agent {
                0 => writer.write(message(2)),
                1 => {
                    writer.write(&color(state.goals[1]));
                    writer.write(message(2));
                }
                _ => {
                    writer.write(&color(state.goals[0]));
                    writer.write(&color(state.goals[1]));
                }
            },
            Kind::Push => {
                writer.write(&velocity);
                if !is_adversary {
                    writer.write(&mark(state.goals[0]));
                    writer.write(&self.agent_color(state, agent));
                }
                writer.vectors(marks());
                if !is_adversary {
                    self.landmarks.iter().for_each(|landmark| writer.write(&landmark.color));
                }
                writer.vectors(others().map(|other| offset(state.agents[other].position, own)));
            }
            Kind::Reference => {
                writer.vectors([velocity].into_iter().chain(marks()));
                writer.write(&self.landmarks[state.goals[agent]].color);
                writer.write(message(1 - agent));
            }
            Kind::Tag => {
                writer.vectors([velocity, own]);
                writer.nearest(self.landmark_neighbors, marks());
                let positions = others().map(|other| offset(state.agents[other].position, own));
                writer.nearest(self.agent_neighbors, positions.clone());
                match self.agent_neighbors {
                    None => writer.vectors(
                        others().filter(|other| !self.agents[*other].is_adversary).map(|other| state.agents[other].velocity),
                    ),
                    Some(count) => {
                        let others: Vec<_> = others().collect();
                        let order = by_distance(positions);
                        let seen = order.iter().take(count).map(|index| match self.agents[others[*index]].is_adversary {
                            true => [0.0; 2],
                            false => state.agents[others[*index]].velocity,
                        });
                        writer.vectors(seen.chain(std::iter::repeat([0.0; 2])).take(count));
                    }
                }
            }
            Kind::WorldComm => self.observe_world(state, agent, writer),
        }
    }

    /// Writes an observation of SimpleWorldComm: agents in other forests are hidden, except from the leader.
    fn observe_world(&self, state: &State, agent: usize, writer: &mut Writer<'_, '_>) {
        let Agent { position: own, velocity, .. } = state.agents[agent];
        let is_adversary = self.agents[agent].is_adversary;
        let (_, forests) = self.food_and_forests();
        let is_in = |agent: usize, forest: usize| self.touches_landmark(state, agent, forest);
        let is_outside = |agent: usize| !forests.clone().any(|forest| is_in(agent, forest));
        let is_seen = |other: usize| {
            let shares_forest = forests.clone().any(|forest| is_in(agent, forest) && is_in(other, forest));
            shares_forest || (is_outside(agent) && is_outside(other)) || self.agents[agent].speaks
        };
        let others = || (0..self.agents.len()).filter(|other| *other != agent);
        let shown = |other: usize, vector: Vector| if is_seen(other) { vector } else { [0.0; 2] };
        let velocities = others().filter(|other| !self.agents[*other].is_adversary);
        let velocities = velocities.map(|other| shown(other, state.agents[other].velocity));
        let flags = forests.clone().map(|forest| if is_in(agent, forest) { 1.0 } else { -1.0 });
        writer.vectors([velocity, own]);
        writer.vectors(state.landmarks.iter().map(|landmark| offset(*landmark, own)));
        writer.vectors(others().map(|other| shown(other, offset(state.agents[other].position, own))));
        if is_adversary {
            writer.vectors(velocities);
            flags.for_each(|flag| writer.write(&[flag]));
            writer.write(&state.messages[..self.words]);
        } else {
            flags.for_each(|flag| writer.write(&[flag]));
            writer.vectors(velocities);
        }
    }
}

/// Sets the forces of agents that only move, which have the rows of action array number `key`.
#[inline]
pub(super) fn set_forces(agents: &mut [Agent], is_continuous: bool, acceleration: f64, action: &Action<'_>, key: usize) {
    let count = agents.len();
    if is_continuous {
        let rows = action.continuous(key, count * CONTINUOUS_ACTION_SIZE).chunks_exact(CONTINUOUS_ACTION_SIZE);
        agents.iter_mut().zip(rows).for_each(|(agent, row)| agent.force = continuous_action_force(row, acceleration));
    } else {
        let rows = action.discretes(key, count);
        agents.iter_mut().zip(rows).for_each(|(agent, row)| agent.force = discrete_action_force(*row, acceleration));
    }
}

/// Returns a colour of which one part is brighter.
fn brightened(mut color: Rgb, part: usize, amount: f64) -> Rgb {
    color[part] += amount;
    color
}

/// Adds a force to those on an agent.
fn push(agent: &mut Agent, force: Vector) {
    agent.force.iter_mut().zip(force).for_each(|(sum, component)| *sum += component);
}

/// Returns the smallest of some distances.
pub(super) fn least(distances: impl Iterator<Item = f64>) -> f64 {
    distances.reduce(|least, other| if other < least { other } else { least }).unwrap_or(0.0)
}

/// Returns the penalty of a coordinate's absolute value near the border of the plane and outside of it.
fn boundary_penalty(coordinate: f64) -> f64 {
    if coordinate < 0.9 {
        0.0
    } else if coordinate < 1.0 {
        (coordinate - 0.9) * 10.0
    } else {
        (numpy().exp)(2.0 * coordinate - 2.0).min(10.0)
    }
}
