//! Environment that fails in the function and at the actions that its options name.

use envpool_rs::engine::{Action, Dtype, Env, EnvSpec, Error, OptionSpec, Options, ResetOptions, Result, Row, Space};
use envpool_rs::plugin::export::ExportedTask;
use envpool_rs::random::RandomState;
use serde::{Deserialize, Serialize};

/// Environment that fails in the function that the option `at` names. Action 1 panics, action 2 raises an error, and action 0
/// increments a counter.
///
/// The random stream is numpy's legacy `RandomState`, which is stored in the state. Observation: the last number drawn, and the
/// counter.
pub struct Failures {
    at: Option<String>,
}

/// Returns the tasks of this module.
pub fn tasks() -> Vec<ExportedTask> {
    vec![ExportedTask::env::<Failures>("RustFailures-v0")]
}

/// Number of steps, and the last number drawn.
#[derive(Serialize, Deserialize)]
pub struct State {
    count: i64,
    drawn: f64,
}

impl Failures {
    /// Fails if option `at` names this function.
    fn fail_at(&self, function: &str) {
        if self.at.as_deref() == Some(function) {
            panic!("{function} was asked to fail");
        }
    }
}

impl Env for Failures {
    type State = State;
    type Random = RandomState;

    fn options() -> Vec<OptionSpec> {
        const PLACES: &[&str] = &["", "new", "create", "reset", "observe", "is_valid"];
        vec![OptionSpec::new("at", "", "function that fails").one_of(PLACES)]
    }

    fn new(options: &Options) -> Result<Self> {
        match options.text("at") {
            Some("new") => Err(Error::value("at", "new", "another function")),
            at => Ok(Self { at: at.map(str::to_owned) }),
        }
    }

    fn spec(&self) -> EnvSpec {
        EnvSpec::new(Space::uniform(0.0, 1e6, &[2], Dtype::F64), Space::discrete(3))
    }

    fn create(&self, lane: usize) -> Result<State> {
        if self.at.as_deref() == Some("create") {
            return Err(Error::State(format!("lane {lane} has no licence")));
        }
        Ok(State { count: 0, drawn: 0.0 })
    }

    fn reset(&self, state: &mut State, _options: &ResetOptions, random: &mut RandomState) {
        self.fail_at("reset");
        *state = State { count: 0, drawn: random.uniform(0.0, 1.0) };
    }

    fn step(&self, state: &mut State, action: &Action<'_>, rewards: &mut [f64], random: &mut RandomState) -> bool {
        match action.discrete() {
            1 => panic!("the pole broke"),
            2 => Error::State("the track ended".to_owned()).raise(),
            _ => {}
        }
        *state = State { count: state.count + 1, drawn: random.uniform(0.0, 1.0) };
        rewards[0] = state.drawn;
        state.count == 10
    }

    fn observe(&self, state: &State, out: &mut Row<'_>) {
        self.fail_at("observe");
        out.write(0, &[state.drawn, state.count as f64]);
    }

    fn is_valid(&self, state: &State) -> bool {
        self.fail_at("is_valid");
        (0..=10).contains(&state.count)
    }
}
