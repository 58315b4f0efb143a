//! Replays recorded games of the reference implementations and compares every number.
//!
//! `tests/golden/toy_text.py` records them; what it recorded lies in `tests/data/toy_text`. To compare longer games than those,
//! let it write to another directory and name that in the environment variable `TOY_TEXT_GAMES`.

use std::{env, fs, path::PathBuf};

use serde::Deserialize;
use serde_json::Value as Json;

use envpool_rs_engine::{Action, ActionColumn, Dtype, Env, EnvSpec, Registry, ResetOptions, Result, Row, RowBuffer, Value};
use envpool_rs_numeric::random::RandomStream;

/// One environment played for a while, with any number of resets in between.
#[derive(Deserialize)]
struct Game {
    options: serde_json::Map<String, Json>,
    seed: u64,
    turns: Vec<Turn>,
}

/// A step, or a reset where there is no action; then what came back: numbers in the order of the leaves and infos.
#[derive(Deserialize)]
struct Turn(Option<i32>, Vec<f64>, f64, bool, Vec<f64>);

/// Plays the games recorded of the task `id`.
pub(crate) fn replays_like_the_reference<E: Env>(id: &str) {
    let games = games(id);
    assert!(!games.is_empty(), "no games of {id}");
    let turns: usize = games.iter().map(|game| replay::<E>(id, game)).sum();
    println!("{id}: {} games, {turns} resets and steps compared, 0 differences", games.len());
}

/// The environment behind the task `id`, with `options` other than its presets.
pub(crate) fn with_options<E: Env>(id: &str, options: &[(&str, Value)]) -> Result<E> {
    let given: Vec<_> = options.iter().map(|(name, value)| ((*name).to_owned(), value.clone())).collect();
    let mut registry = Registry::default();
    crate::add_tasks(&mut registry);
    E::new(&registry.task(id)?.resolve(&given)?)
}

fn games(id: &str) -> Vec<Game> {
    let recorded = || PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../../tests/data/toy_text");
    let directory = env::var_os("TOY_TEXT_GAMES").map_or_else(recorded, PathBuf::from);
    let path = directory.join(format!("{id}.json"));
    let text = fs::read(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    serde_json::from_slice(&text).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// An environment without a pool.
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

    /// Plays a step, or a reset where there is no action: the reward, and whether the episode terminated.
    fn play(&mut self, action: Option<i32>) -> (f64, bool) {
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

/// What `write` writes into leaves of these lengths, as float64.
fn numbers(lengths: Vec<usize>, write: impl FnOnce(&mut Row<'_>)) -> Vec<f64> {
    RowBuffer::new(Dtype::F64, &lengths).bits(write).into_iter().map(f64::from_bits).collect()
}

fn replay<E: Env>(id: &str, game: &Game) -> usize {
    let options: Vec<_> = game.options.iter().map(|(name, value)| (name.as_str(), option_value(value))).collect();
    let mut lane = Lane::new(with_options::<E>(id, &options).unwrap(), game.seed);
    for (index, Turn(action, observation, reward, terminated, info)) in game.turns.iter().enumerate() {
        let place = format!("{id} {:?} seed {} turn {index}", game.options, game.seed);
        assert_eq!(lane.play(*action), (*reward, *terminated), "reward and end of {place}");
        assert_eq!(lane.observation(), *observation, "observation of {place}");
        assert_eq!(lane.info(), *info, "infos of {place}");
        assert!(lane.env.is_valid(&lane.state), "validity of {place}");
    }
    game.turns.len()
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
