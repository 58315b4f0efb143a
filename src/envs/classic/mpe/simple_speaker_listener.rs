//! SimpleSpeakerListener-v4: a speaker that cannot move tells a listener that cannot speak which of three landmarks to go to.
//!
//! Source: `mpe2` 1.1.1, `simple_speaker_listener/simple_speaker_listener.py`. The two players' spaces differ.
//!
//! | player | observation (float32) | action, discrete (int64) | action, continuous (float32, 0..1) |
//! |---|---|---|---|
//! | `speaker_0` | `(3,)`: colour of the landmark to go to | which of 3 words to say | `(3,)`: loudness of each word |
//! | `listener_0` | `(11,)`: velocity, the landmarks relative to it, what the speaker says | 0 none, 1 left, 2 right, 3 down, 4 up | `(5,)`: idle (without effect), left, right, down, up |
//!
//! Reward of both players: minus the squared distance from the listener to that landmark. Episodes do not terminate.

use serde::{Deserialize, Serialize};

use super::picture::{self, Entity};
use super::world::{Body, LEVERS, Vector, advance, clip, offset, scatter, squared_distance, thrust_of_levers, thrust_of_move};
use envpool_rs_engine::{
    Action, Dtype, Env, EnvSpec, InfoSpec, OptionSpec, Options, Picture, Rendering, ResetOptions, Result, Row, Scheduling, Space,
    Task,
};
use envpool_rs_numeric::random::Generator;

/// Landmarks, and words to tell them apart by.
const LANDMARKS: usize = 3;
/// Radius of the speaker and the listener, and of a landmark, in pictures.
const SPEAKER_SIZE: f64 = 0.075;
const LANDMARK_SIZE: f64 = 0.04;
/// Colours of the landmarks: red, green and blue.
const COLORS: [[f64; 3]; LANDMARKS] = [[0.65, 0.15, 0.15], [0.15, 0.65, 0.15], [0.15, 0.15, 0.65]];
/// Elements of the listener's observation.
const HEARD: usize = 2 + 2 * LANDMARKS + LANDMARKS;
/// Numbers of the players, which are those of their observation leaves and action keys too.
const SPEAKER: usize = 0;
const LISTENER: usize = 1;

/// The tasks of this file.
pub fn tasks() -> Vec<Task> {
    vec![Task::env::<SimpleSpeakerListener>("SimpleSpeakerListener-v4").max_episode_steps(25)]
}

/// What all environments of a pool share.
#[derive(Debug, Clone, PartialEq)]
pub struct SimpleSpeakerListener {
    continuous: bool,
    benchmark: bool,
    dynamic_rescaling: bool,
}

/// One environment while it is played.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct State {
    listener: Body,
    landmarks: [Vector; LANDMARKS],
    /// Number of the landmark to go to.
    goal: usize,
    /// What the speaker says, a loudness for each word; float32 numbers in a continuous world.
    speech: [f64; LANDMARKS],
    /// Where the speaker stands, which only pictures show.
    speaker: Vector,
    /// How far everything reached at the reset: the scale of pictures.
    first_reach: f64,
}

impl Env for SimpleSpeakerListener {
    type State = State;
    type Random = Generator;

    const SCHEDULING: Scheduling = Scheduling::Uniform;

    fn options() -> Vec<OptionSpec> {
        super::options()
    }

    fn new(options: &Options) -> Result<Self> {
        super::check_declined(options)?;
        Ok(Self {
            continuous: options.bool("continuous_actions"),
            benchmark: options.bool("benchmark_data"),
            dynamic_rescaling: options.bool("dynamic_rescaling"),
        })
    }

    fn spec(&self) -> EnvSpec {
        let unbounded = |size| Space::uniform(f64::NEG_INFINITY, f64::INFINITY, &[size], Dtype::F32);
        let action = |size: usize| match self.continuous {
            true => Space::uniform(0.0, 1.0, &[size], Dtype::F32),
            false => Space::discrete(size as i64),
        };
        EnvSpec {
            players: 2,
            shared_spaces: false,
            info: if self.benchmark { vec![benchmark_spec()] } else { vec![] },
            ..EnvSpec::new(by_player(unbounded(LANDMARKS), unbounded(HEARD)), by_player(action(LANDMARKS), action(LEVERS)))
        }
    }

    fn create(&self, _lane: usize) -> Result<State> {
        Ok(State {
            listener: Body::default(),
            landmarks: [[0.0; 2]; LANDMARKS],
            goal: 0,
            speech: [0.0; LANDMARKS],
            speaker: [0.0; 2],
            first_reach: 0.0,
        })
    }

    fn reset(&self, state: &mut State, _options: &ResetOptions, rng: &mut Generator) {
        state.goal = rng.integers(0, LANDMARKS as i64) as usize;
        state.speaker = scatter(rng);
        state.listener = Body::scatter(rng);
        state.landmarks.fill_with(|| scatter(rng));
        state.speech = [0.0; LANDMARKS];
        state.first_reach = picture::reach(state.landmarks.into_iter().chain([state.speaker, state.listener.position]));
    }

    fn step(&self, state: &mut State, action: &Action<'_>, rewards: &mut [f64], _rng: &mut Generator) -> bool {
        state.speech = self.speech(action);
        state.listener.force = self.thrust(action);
        advance(std::slice::from_mut(&mut state.listener));
        rewards.fill(state.reward());
        false
    }

    fn observe(&self, state: &State, out: &mut Row<'_>) {
        out.write(SPEAKER, &COLORS[state.goal]);
        out.write(LISTENER, &state.heard());
    }

    fn info(&self, state: &State, out: &mut Row<'_>) {
        if self.benchmark {
            out.write(0, &[state.reward(); 2]);
        }
    }

    fn is_valid(&self, state: &State) -> bool {
        state.goal < LANDMARKS
    }

    fn rendering(&self) -> Rendering {
        picture::RENDERING
    }

    fn paint(&self, state: &State) -> Picture {
        let speaker = Entity { position: state.speaker, size: SPEAKER_SIZE, color: [0.25; 3] };
        let color = COLORS[state.goal].map(|part| part + 0.45);
        let listener = Entity { position: state.listener.position, size: SPEAKER_SIZE, color };
        let landmark = |(position, color): (Vector, _)| Entity { position, size: LANDMARK_SIZE, color };
        let landmarks = state.landmarks.into_iter().zip(COLORS).map(landmark);
        let entities: Vec<_> = [speaker, listener].into_iter().chain(landmarks).collect();
        let said = format!("speaker_0 sends {}", self.word(&state.speech));
        picture::picture(&entities, self.dynamic_rescaling.then_some(state.first_reach), &[said])
    }
}

impl SimpleSpeakerListener {
    /// What the speaker says, as pictures show it.
    fn word(&self, speech: &[f64; LANDMARKS]) -> String {
        match speech.iter().zip(["A", "B", "C"]).rev().max_by(|a, b| a.0.total_cmp(b.0)) {
            Some((loudness, _)) if *loudness == 0.0 => "_".to_owned(),
            _ if self.continuous => format!("[{}]", speech.map(|loudness| format!("{loudness:.2}")).join(",")),
            loudest => loudest.map_or(String::new(), |(_, word)| word.to_owned()),
        }
    }

    #[inline]
    fn speech(&self, action: &Action<'_>) -> [f64; LANDMARKS] {
        if self.continuous {
            let words = action.continuous(SPEAKER, LANDMARKS);
            std::array::from_fn(|word| f64::from(clip(words[word])) + 0.0)
        } else {
            let spoken = action.discretes(SPEAKER, 1)[0] as usize;
            std::array::from_fn(|word| f64::from(u8::from(word == spoken)))
        }
    }

    #[inline]
    fn thrust(&self, action: &Action<'_>) -> Vector {
        if self.continuous {
            thrust_of_levers(action.continuous(LISTENER, LEVERS))
        } else {
            thrust_of_move(action.discretes(LISTENER, 1)[0])
        }
    }
}

impl State {
    /// Of both players. Subtracted from zero, so that it is no negative zero on the landmark.
    #[inline]
    fn reward(&self) -> f64 {
        0.0 - squared_distance(self.listener.position, self.landmarks[self.goal])
    }

    /// What the listener observes.
    #[inline]
    fn heard(&self) -> [f64; HEARD] {
        let [red, green, blue] = self.landmarks.map(|landmark| offset(landmark, self.listener.position));
        let [vx, vy] = self.listener.velocity;
        let [a, b, c] = self.speech;
        [vx, vy, red[0], red[1], green[0], green[1], blue[0], blue[1], a, b, c]
    }
}

/// `benchmark_data`, float64 `(2,)`: each player's reward; after a reset, where mpe2 has no such info, that of the first state.
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
    fn a_speaker_and_a_listener_that_choose_do_as_in_mpe2() {
        let trace = include_str!("../../../../tests/data/mpe/listener_discrete.jsonl");
        assert_eq!(replay::<SimpleSpeakerListener>(trace.as_bytes()), 78);
    }

    #[test]
    fn a_speaker_and_a_listener_at_the_levers_and_their_benchmark_data_are_as_in_mpe2() {
        let trace = include_str!("../../../../tests/data/mpe/listener_continuous.jsonl");
        assert_eq!(replay::<SimpleSpeakerListener>(trace.as_bytes()), 78);
    }

    #[test]
    fn each_player_has_spaces_of_its_own() {
        let spec = build::<SimpleSpeakerListener>(&[]).unwrap().spec();
        let leaves = |space: &Space| space.leaves().iter().map(|leaf| (leaf.path.clone(), leaf.space.size())).collect::<Vec<_>>();
        let expected = [("speaker_0".to_owned(), 3), ("listener_0".to_owned(), 11)];
        assert_eq!((spec.players, spec.shared_spaces, leaves(&spec.observation)), (2, false, expected.to_vec()));
        assert_eq!(spec.action, by_player(Space::discrete(3), Space::discrete(5)));
        let levers = build::<SimpleSpeakerListener>(&[("continuous_actions", Value::Bool(true))]).unwrap().spec();
        assert_eq!(leaves(&levers.action), [("speaker_0".to_owned(), 3), ("listener_0".to_owned(), 5)]);
    }

    #[test]
    fn a_goal_that_is_no_landmark_is_refused() {
        let env = build::<SimpleSpeakerListener>(&[]).unwrap();
        assert!(env.is_valid(&State { goal: 2, ..env.create(0).unwrap() }));
        assert!(!env.is_valid(&State { goal: 3, ..env.create(0).unwrap() }));
    }
}
