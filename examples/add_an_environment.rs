//! Walkthrough of adding an environment, from its rules to a pool that steps it.
//!
//! The game is to guess a secret number from 0 to 15. A wrong guess costs 1 and is answered by "higher" or "lower"; the right
//! guess pays 10 and ends the episode.
//!
//! ```sh
//! cargo run --example add_an_environment
//! ```
//!
//! In this repository the environment would be `src/envs/<family>/guess_number.rs` with `pub fn tasks()`, and one line in
//! `src/envs/<family>/lib.rs`. A separate program needs only the code below.

use envpool_rs::engine::{
    Action, Batch, Dialect, Dtype, Env, EnvSpec, Error, Format, OptionSpec, Options, Outputs, Pool, PoolConfig, Registry,
    ResetOptions, Result, Role, Row, Scheduling, Space, Task,
};
use envpool_rs::random::Generator;
use serde::{Deserialize, Serialize};

/// The environment: its options, which all environments of a pool share.
///
/// - Observation: int8 `(1,)`: 0 before the first guess, 1 for "higher", -1 for "lower".
/// - Action: the guess, `Discrete(range)`.
/// - Reward: -1 for a wrong guess, 10 for the right one, which terminates.
struct GuessNumber {
    range: i64,
}

/// State of one environment. The engine stores the random generator.
#[derive(Serialize, Deserialize)]
struct State {
    secret: i64,
    answer: i8,
}

impl Env for GuessNumber {
    type State = State;
    /// Random stream of gymnasium's environments. The same seed gives the same games as in Python.
    type Random = Generator;
    /// All steps are cheap and take about the same time, so worker threads take many environments at a time.
    const SCHEDULING: Scheduling = Scheduling::Uniform;

    fn options() -> Vec<OptionSpec> {
        vec![OptionSpec::new("range", 16, "how many numbers there are to guess from")]
    }

    fn new(options: &Options) -> Result<Self> {
        let range = options.int("range");
        // `new` checks the options once, so that actions and states are in range in all other methods.
        if !(2..=1 << 20).contains(&range) {
            return Err(Error::value("range", range, "2 to 1048576 numbers"));
        }
        Ok(Self { range })
    }

    fn spec(&self) -> EnvSpec {
        EnvSpec::new(Space::uniform(-1.0, 1.0, &[1], Dtype::I8), Space::discrete(self.range))
    }

    fn create(&self, _lane: usize) -> Result<State> {
        Ok(State { secret: 0, answer: 0 })
    }

    fn reset(&self, state: &mut State, _options: &ResetOptions, rng: &mut Generator) {
        *state = State { secret: rng.integers(0, self.range), answer: 0 };
    }

    fn step(&self, state: &mut State, action: &Action<'_>, rewards: &mut [f64], _rng: &mut Generator) -> bool {
        let guess = i64::from(action.discrete());
        state.answer = (state.secret - guess).signum() as i8;
        rewards[0] = if state.answer == 0 { 10.0 } else { -1.0 };
        state.answer == 0
    }

    fn observe(&self, state: &State, out: &mut Row<'_>) {
        out.scalar(0, state.answer);
    }

    /// Checks a state from a snapshot, which may come from an untrusted file.
    fn is_valid(&self, state: &State) -> bool {
        (0..self.range).contains(&state.secret) && (-1..=1).contains(&state.answer)
    }
}

/// Returns the tasks, each with its name, its time limit and preset options.
fn tasks() -> Vec<Task> {
    vec![
        Task::env::<GuessNumber>("GuessNumber-v0").max_episode_steps(10).reward_threshold(7.5),
        Task::env::<GuessNumber>("GuessNumberLarge-v0").max_episode_steps(30).preset("range", 1024),
    ]
}

fn main() -> Result<()> {
    let mut registry = Registry::default();
    registry.add(tasks());
    for task in registry.tasks() {
        let (episodes, mean) = play(task)?;
        println!("{:<20} {episodes} episodes by bisection, mean return {mean:+.2}", task.id);
    }
    Ok(())
}

/// Plays 32 environments by bisection, for a fixed number of steps. Returns the number of episodes won and the mean return.
fn play(task: &Task) -> Result<(u32, f64)> {
    const ENVS: usize = 32;
    let options = task.resolve(&[])?;
    let config = PoolConfig { max_episode_steps: task.max_episode_steps, ..PoolConfig::new(ENVS as i64)? };
    let outputs = Outputs { dialect: Dialect::Gymnasium, format: Format::Gymnasium };
    let pool = Pool::new(task, &options, config, outputs)?;
    let mut batch = pool.reset(None, Vec::new(), ResetOptions::default())?.run(&mut None, &mut || false)?;
    let mut players = vec![Bisection::new(options.int("range")); ENVS];
    let (mut episodes, mut total) = (0, 0.0);
    for _ in 0..1000 {
        let guesses: Vec<_> = players.iter().map(Bisection::guess).collect();
        let mut call = pool.step(None)?;
        call.set_action(0, &guesses)?;
        batch = call.run(&mut Some(batch), &mut || false)?;
        for (lane, player) in players.iter_mut().enumerate() {
            total += rewards(&batch)[lane];
            match ended(&batch)[lane] {
                0 => player.update(answers(&batch)[lane]),
                _ => {
                    episodes += 1;
                    *player = Bisection::new(options.int("range"));
                }
            }
        }
    }
    Ok((episodes, total / f64::from(episodes)))
}

fn answers(batch: &Batch) -> &[i8] {
    batch.values(Role::Observation(0)).expect("int8")
}

fn rewards(batch: &Batch) -> &[f64] {
    batch.values(Role::Reward).expect("gymnasium's rewards are float64")
}

fn ended(batch: &Batch) -> &[u8] {
    batch.values(Role::Terminated).expect("gymnasium's format has the flag")
}

/// Range of numbers that may still be the secret.
#[derive(Clone)]
struct Bisection {
    low: i64,
    high: i64,
}

impl Bisection {
    fn new(range: i64) -> Self {
        Self { low: 0, high: range - 1 }
    }

    fn guess(&self) -> i64 {
        (self.low + self.high) / 2
    }

    /// Narrows the range by the answer to the guess in its middle.
    ///
    /// After a win, the next step only resets (next-step autoreset), and its observation is 0 instead of an answer.
    fn update(&mut self, answer: i8) {
        match answer {
            1 => self.low = self.guess() + 1,
            -1 => self.high = self.guess() - 1,
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bisection_wins_an_episode_with_one_guess_per_bit() {
        for (task, range) in tasks().iter().zip([16, 1024]) {
            let (episodes, mean) = play(task).unwrap();
            let guesses: Vec<_> = (0..range).map(|secret| guesses_for(secret, range)).collect();
            let expected = 11.0 - guesses.iter().sum::<u32>() as f64 / range as f64;
            assert!(episodes > 1000 && (mean - expected).abs() < 0.2, "{}: {episodes} {mean} {expected}", task.id);
        }
    }

    fn guesses_for(secret: i64, range: i64) -> u32 {
        let mut player = Bisection::new(range);
        let mut guesses = 1;
        while player.guess() != secret {
            player.update((secret - player.guess()).signum() as i8);
            guesses += 1;
        }
        guesses
    }

    #[test]
    fn a_range_without_a_choice_is_refused() {
        let task = &tasks()[0];
        let error = task.factory(&task.resolve(&[("range".into(), 1.into())]).unwrap()).err().unwrap();
        assert_eq!(error.to_string(), "range=1: expected 2 to 1048576 numbers");
    }
}
