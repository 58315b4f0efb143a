//! SimpleSpeakerListener-v4: a speaker that cannot move names one of three landmarks to a listener that cannot speak.
//!
//! Source: `mpe2` 1.1.1, `simple_speaker_listener/simple_speaker_listener.py`. The two players have different spaces.
//!
//! | player | observation (float32) | action, discrete (int64) | action, continuous (float32, 0..1) |
//! |---|---|---|---|
//! | `speaker_0` | `(3,)`: colour of the landmark to go to | which of 3 words to say | `(3,)`: loudness of each word |
//! | `listener_0` | `(11,)`: velocity, positions of the landmarks relative to the listener, message of the speaker | 0 none, 1 left, 2 right, 3 down, 4 up | `(5,)`: idle (without effect), left, right, down, up |
//!
//! Reward of both players: minus the squared distance from the listener to the landmark to go to. Episodes do not terminate.

use serde::{Deserialize, Serialize};

use super::picture::{self, Entity};
use super::world::{
    Agent, CONTINUOUS_ACTION_SIZE, SENSITIVITY, Vector, clip, continuous_action_force, discrete_action_force, integrate_state,
    offset, random_position, squared_distance,
};
use super::{CommonOptions, vector_space};
use envpool_rs_engine::{
    Action, Dtype, Env, EnvSpec, Frame, InfoSpec, OptionSpec, Options, RenderSpec, ResetOptions, Result, Row, Scheduling, Space,
    Task,
};
use envpool_rs_numeric::random::Generator;

/// Number of landmarks, and of words that name them.
const LANDMARKS: usize = 3;
/// Radius of the agents in world units, used only when a picture is drawn; `LANDMARK_SIZE` is that of the landmarks.
const AGENT_SIZE: f64 = 0.075;
const LANDMARK_SIZE: f64 = 0.04;
/// Colours of the landmarks, each as red, green and blue.
const COLORS: [[f64; 3]; LANDMARKS] = [[0.65, 0.15, 0.15], [0.15, 0.65, 0.15], [0.15, 0.15, 0.65]];
/// Number of elements of the listener's observation.
const LISTENER_OBSERVATION: usize = 2 + 2 * LANDMARKS + LANDMARKS;
/// Player number of the speaker; `LISTENER` is the player number of the listener. A player's number is also the index of its
/// observation array and of its action key.
const SPEAKER: usize = 0;
const LISTENER: usize = 1;

/// Returns the task of the environment SimpleSpeakerListener.
pub fn tasks() -> Vec<Task> {
    vec![Task::env::<SimpleSpeakerListener>("SimpleSpeakerListener-v4").max_episode_steps(25)]
}

/// Options of SimpleSpeakerListener, shared by all environments of a pool.
#[derive(Debug, Clone, PartialEq)]
pub struct SimpleSpeakerListener {
    common: CommonOptions,
}

/// State of one SimpleSpeakerListener environment.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct State {
    listener: Agent,
    landmarks: [Vector; LANDMARKS],
    /// Number of the landmark that the listener should go to.
    goal: usize,
    /// Speaker's message: the loudness of each word. With continuous actions, each loudness is rounded to float32.
    utterance: [f64; LANDMARKS],
    /// Position of the speaker, which is used only for rendering.
    speaker: Vector,
    /// Largest absolute coordinate of all entities at the reset ([`extent`](picture::extent)), which scales pictures.
    initial_extent: f64,
}

impl Env for SimpleSpeakerListener {
    type State = State;
    type Random = Generator;

    const SCHEDULING: Scheduling = Scheduling::Uniform;

    fn options() -> Vec<OptionSpec> {
        super::options(Vec::new(), true)
    }

    fn new(options: &Options) -> Result<Self> {
        Ok(Self { common: CommonOptions::new(options)? })
    }

    fn spec(&self) -> EnvSpec {
        let action = |size: usize| match self.common.continuous {
            true => Space::uniform(0.0, 1.0, &[size], Dtype::F32),
            false => Space::discrete(size as i64),
        };
        EnvSpec {
            players: 2,
            shared_spaces: false,
            info: if self.common.benchmark { vec![benchmark_spec()] } else { vec![] },
            ..EnvSpec::new(
                by_player(vector_space(LANDMARKS), vector_space(LISTENER_OBSERVATION)),
                by_player(action(LANDMARKS), action(CONTINUOUS_ACTION_SIZE)),
            )
        }
    }

    fn create(&self, _lane: usize) -> Result<State> {
        Ok(State {
            listener: Agent::default(),
            landmarks: [[0.0; 2]; LANDMARKS],
            goal: 0,
            utterance: [0.0; LANDMARKS],
            speaker: [0.0; 2],
            initial_extent: 0.0,
        })
    }

    fn reset(&self, state: &mut State, _options: &ResetOptions, rng: &mut Generator) {
        state.goal = rng.integers(0, LANDMARKS as i64) as usize;
        state.speaker = random_position(rng);
        state.listener = Agent::at_random_position(rng);
        state.landmarks.fill_with(|| random_position(rng));
        state.utterance = [0.0; LANDMARKS];
        state.initial_extent = picture::extent(state.landmarks.into_iter().chain([state.speaker, state.listener.position]));
    }

    fn step(&self, state: &mut State, action: &Action<'_>, rewards: &mut [f64], _rng: &mut Generator) -> bool {
        state.utterance = self.utterance(action);
        state.listener.force = self.action_force(action);
        integrate_state(std::slice::from_mut(&mut state.listener));
        rewards.fill(state.reward());
        false
    }

    fn observe(&self, state: &State, out: &mut Row<'_>) {
        out.write(SPEAKER, &COLORS[state.goal]);
        out.write(LISTENER, &state.listener_observation());
    }

    fn info(&self, state: &State, out: &mut Row<'_>) {
        if self.common.benchmark {
            out.write(0, &[state.reward(); 2]);
        }
    }

    fn is_valid(&self, state: &State) -> bool {
        state.goal < LANDMARKS
    }

    fn render_spec(&self) -> RenderSpec {
        picture::RENDERING
    }

    fn render_frame(&self, state: &State, size: (u32, u32)) -> Frame {
        let speaker = Entity { position: state.speaker, size: AGENT_SIZE, color: [0.25; 3] };
        let color = COLORS[state.goal].map(|part| part + 0.45);
        let listener = Entity { position: state.listener.position, size: AGENT_SIZE, color };
        let landmark = |(position, color): (Vector, _)| Entity { position, size: LANDMARK_SIZE, color };
        let landmarks = state.landmarks.into_iter().zip(COLORS).map(landmark);
        let entities: Vec<_> = [speaker, listener].into_iter().chain(landmarks).collect();
        let message = picture::message("speaker_0", &state.utterance, self.common.continuous);
        self.common.picture(&entities, state.initial_extent, &[message], size)
    }
}

impl SimpleSpeakerListener {
    #[inline]
    fn utterance(&self, action: &Action<'_>) -> [f64; LANDMARKS] {
        if self.common.continuous {
            let words = action.continuous(SPEAKER, LANDMARKS);
            std::array::from_fn(|word| f64::from(clip(words[word])) + 0.0)
        } else {
            let spoken = action.discretes(SPEAKER, 1)[0] as usize;
            std::array::from_fn(|word| f64::from(u8::from(word == spoken)))
        }
    }

    #[inline]
    fn action_force(&self, action: &Action<'_>) -> Vector {
        if self.common.continuous {
            continuous_action_force(action.continuous(LISTENER, CONTINUOUS_ACTION_SIZE), SENSITIVITY)
        } else {
            discrete_action_force(action.discretes(LISTENER, 1)[0], SENSITIVITY)
        }
    }
}

impl State {
    /// Returns the reward of both players.
    ///
    /// The distance is subtracted from zero, so that the reward at the landmark is 0.0 instead of -0.0.
    #[inline]
    fn reward(&self) -> f64 {
        0.0 - squared_distance(self.listener.position, self.landmarks[self.goal])
    }

    /// Returns the listener's observation.
    #[inline]
    fn listener_observation(&self) -> [f64; LISTENER_OBSERVATION] {
        let [red, green, blue] = self.landmarks.map(|landmark| offset(landmark, self.listener.position));
        let [vx, vy] = self.listener.velocity;
        let [a, b, c] = self.utterance;
        [vx, vy, red[0], red[1], green[0], green[1], blue[0], blue[1], a, b, c]
    }
}

/// Returns the specification of the info `benchmark_data`, float64 `(2,)`, which is the reward of each player.
///
/// After a reset, mpe2 does not return this info; this crate returns the rewards of the initial state.
fn benchmark_spec() -> InfoSpec {
    InfoSpec::new("benchmark_data", Dtype::F64, &[2])
}

fn by_player(speaker: Space, listener: Space) -> Space {
    Space::Dict(vec![("speaker_0".to_owned(), speaker), ("listener_0".to_owned(), listener)])
}

#[cfg(test)]
mod tests {
    use super::super::trace::{build, replay};
    use super::*;
    use envpool_rs_engine::Value;

    #[test]
    fn discrete_actions_equal_mpe2s() {
        let trace = include_str!("../../../../tests/data/mpe/listener_discrete.jsonl");
        assert_eq!(replay::<SimpleSpeakerListener>(trace.as_bytes()), 78);
    }

    #[test]
    fn continuous_actions_and_benchmark_data_equal_mpe2s() {
        let trace = include_str!("../../../../tests/data/mpe/listener_continuous.jsonl");
        assert_eq!(replay::<SimpleSpeakerListener>(trace.as_bytes()), 78);
    }

    #[test]
    fn each_player_has_its_own_spaces() {
        let spec = build::<SimpleSpeakerListener>(&[]).unwrap().spec();
        let leaves = |space: &Space| space.leaves().iter().map(|leaf| (leaf.path.clone(), leaf.space.size())).collect::<Vec<_>>();
        let expected = [("speaker_0".to_owned(), 3), ("listener_0".to_owned(), 11)];
        assert_eq!((spec.players, spec.shared_spaces, leaves(&spec.observation)), (2, false, expected.to_vec()));
        assert_eq!(spec.action, by_player(Space::discrete(3), Space::discrete(5)));
        let levers = build::<SimpleSpeakerListener>(&[("continuous_actions", Value::Bool(true))]).unwrap().spec();
        assert_eq!(leaves(&levers.action), [("speaker_0".to_owned(), 3), ("listener_0".to_owned(), 5)]);
    }

    #[test]
    fn a_goal_outside_the_landmarks_is_refused() {
        let env = build::<SimpleSpeakerListener>(&[]).unwrap();
        assert!(env.is_valid(&State { goal: 2, ..env.create(0).unwrap() }));
        assert!(!env.is_valid(&State { goal: 3, ..env.create(0).unwrap() }));
    }
}
