//! Replays recordings of gymnasium's and gym's toy text environments, and compares every number.
//!
//! `tools/golden/toy_text.py` writes the recordings to `tests/data/toy_text`. To replay longer recordings, let the script write
//! to another directory and set the environment variable `TOY_TEXT_GAMES` to that directory.

use std::{env, fs, path::PathBuf};

use serde::Deserialize;
use serde_json::Value as Json;

use envpool_rs_engine::{Action, ActionColumn, Dtype, Env, EnvSpec, Registry, ResetOptions, Result, Row, RowBuffer, Value};
use envpool_rs_numeric::random::RandomStream;

/// Recording of one environment: its options, its seed, and the steps of any number of episodes.
#[derive(Deserialize)]
struct Recording {
    options: serde_json::Map<String, Json>,
    seed: u64,
    turns: Vec<RecordedStep>,
}

/// Recorded step (or reset, if it has no action) and its results.
///
/// Fields: action, observation, reward, whether the episode terminated, infos. Numbers are in the order of the observation's
/// arrays and of the infos.
#[derive(Deserialize)]
struct RecordedStep(Option<i32>, Vec<f64>, f64, bool, Vec<f64>);

/// Replays the recordings of the task `id` and checks that all numbers are equal.
pub(crate) fn replays_like_the_reference<E: Env>(id: &str) {
    let recordings = load_recordings(id);
    assert!(!recordings.is_empty(), "no recordings of {id}");
    let turns: usize = recordings.iter().map(|recording| replay_recording::<E>(id, recording)).sum();
    println!("{id}: {} recordings, {turns} resets and steps compared, 0 differences", recordings.len());
}

/// Creates the environment of the task `id` with `options` on top of its presets.
pub(crate) fn with_options<E: Env>(id: &str, options: &[(&str, Value)]) -> Result<E> {
    let given: Vec<_> = options.iter().map(|(name, value)| ((*name).to_owned(), value.clone())).collect();
    let mut registry = Registry::default();
    crate::add_tasks(&mut registry);
    E::new(&registry.task(id)?.resolve(&given)?)
}

fn load_recordings(id: &str) -> Vec<Recording> {
    let recorded = || PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../../tests/data/toy_text");
    let directory = env::var_os("TOY_TEXT_GAMES").map_or_else(recorded, PathBuf::from);
    let path = directory.join(format!("{id}.json"));
    let text = fs::read(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    serde_json::from_slice(&text).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// One environment with its state and random stream, outside of a pool.
struct Lane<E: Env> {
    env: E,
    spec: EnvSpec,
    state: E::State,
    rng: E::Random,
}

impl<E: Env> Lane<E> {
    fn new(env: E, seed: u64) -> Self {
        Self { spec: env.spec(), state: env.create(0).unwrap(), rng: E::Random::from_seed(seed), env }
    }

    /// Plays a recorded step, or a reset if there is no action. Returns the reward and whether the episode terminated.
    fn apply(&mut self, action: Option<i32>) -> (f64, bool) {
        let Some(action) = action else {
            self.env.reset(&mut self.state, &ResetOptions::default(), &mut self.rng);
            return (0.0, false);
        };
        let columns = [ActionColumn::I32(vec![action])];
        let mut reward = [0.0];
        let terminated = self.env.step(&mut self.state, &Action::new(&columns, 0), &mut reward, &mut self.rng);
        (reward[0], terminated)
    }

    fn observation(&self) -> Vec<f64> {
        let lengths = self.spec.observation.leaves().iter().map(|leaf| leaf.space.size()).collect();
        numbers(lengths, |row| self.env.observe(&self.state, row))
    }

    fn info(&self) -> Vec<f64> {
        let lengths = self.spec.info.iter().map(|info| info.shape.iter().product()).collect();
        numbers(lengths, |row| self.env.info(&self.state, row))
    }
}

/// Calls `write` with a row of arrays of the lengths `lengths`, and returns all values that `write` has written, as float64.
fn numbers(lengths: Vec<usize>, write: impl FnOnce(&mut Row<'_>)) -> Vec<f64> {
    RowBuffer::new(Dtype::F64, &lengths).bits(write).into_iter().map(f64::from_bits).collect()
}

fn replay_recording<E: Env>(id: &str, recording: &Recording) -> usize {
    let options: Vec<_> = recording.options.iter().map(|(name, value)| (name.as_str(), option_value(value))).collect();
    let mut lane = Lane::new(with_options::<E>(id, &options).unwrap(), recording.seed);
    for (index, RecordedStep(action, observation, reward, terminated, info)) in recording.turns.iter().enumerate() {
        let context = format!("{id} {:?} seed {} turn {index}", recording.options, recording.seed);
        assert_eq!(lane.apply(*action), (*reward, *terminated), "reward and end of {context}");
        assert_eq!(lane.observation(), *observation, "observation of {context}");
        assert_eq!(lane.info(), *info, "infos of {context}");
        assert!(lane.env.is_valid(&lane.state), "validity of {context}");
    }
    recording.turns.len()
}

fn option_value(json: &Json) -> Value {
    match json {
        Json::Null => Value::None,
        Json::Bool(value) => Value::Bool(*value),
        Json::Number(value) if value.is_i64() => Value::Int(value.as_i64().unwrap()),
        Json::Number(value) => Value::Float(value.as_f64().unwrap()),
        Json::String(value) => Value::Text(value.clone()),
        Json::Array(items) if items[0].is_string() => {
            Value::Lines(items.iter().map(|item| item.as_str().unwrap().to_owned()).collect())
        }
        Json::Array(items) => Value::Floats(items.iter().map(|item| item.as_f64().unwrap()).collect()),
        Json::Object(_) => panic!("{json}: not an option"),
    }
}
