//! Environments for pools of envpool_rs, as a shared library.
//!
//! In `TreasureHunt-v0`, a player searches a square grid for a treasure.

use envpool_rs::engine::{
    Action, Dtype, Env, EnvSpec, InfoSpec, OptionSpec, Options, RenderSpec, ResetOptions, Result, Row, Scheduling, Space,
};
use envpool_rs::random::Generator;
use serde::{Deserialize, Serialize};

/// Data that all environments of a pool share: the options.
///
/// - Observation: int32 `(4,)`: row and column of the player, row and column of the treasure.
/// - Action: `Discrete(4)`: up, right, down, left. Walls stop the player.
/// - Reward: 1 for the treasure, which terminates the episode; otherwise `-step_cost`.
/// - Info `distance`: int64, the number of steps that the player needs at least.
struct TreasureHunt {
    size: i64,
    step_cost: f64,
}

/// State of one environment. The pool stores the random generator.
#[derive(Serialize, Deserialize)]
struct State {
    player: [i64; 2],
    treasure: [i64; 2],
}

impl State {
    fn distance(&self) -> i64 {
        (self.player[0] - self.treasure[0]).abs() + (self.player[1] - self.treasure[1]).abs()
    }
}

impl Env for TreasureHunt {
    type State = State;
    /// The random stream is numpy's `Generator`: the same seed gives the same draws as in Python.
    type Random = Generator;
    /// All steps are cheap and take about the same time, so a thread takes many environments at a time.
    const SCHEDULING: Scheduling = Scheduling::Uniform;

    fn options() -> Vec<OptionSpec> {
        vec![
            OptionSpec::new("size", 5, "rows and columns of the grid").integers(2..=100),
            OptionSpec::new("step_cost", 0.01, "subtracted from the reward of each step").numbers(0.0..=1.0),
        ]
    }

    fn new(options: &Options) -> Result<Self> {
        Ok(Self { size: options.int("size"), step_cost: options.float("step_cost") })
    }

    fn spec(&self) -> EnvSpec {
        let cells = Space::uniform(0.0, (self.size - 1) as f64, &[4], Dtype::I32);
        EnvSpec { info: vec![InfoSpec::new("distance", Dtype::I64, &[])], ..EnvSpec::new(cells, Space::discrete(4)) }
    }

    fn create(&self, _lane: usize) -> Result<State> {
        Ok(State { player: [0, 0], treasure: [0, 0] })
    }

    fn reset(&self, state: &mut State, _options: &ResetOptions, random: &mut Generator) {
        state.player = [random.integers(0, self.size), random.integers(0, self.size)];
        loop {
            state.treasure = [random.integers(0, self.size), random.integers(0, self.size)];
            if state.treasure != state.player {
                break;
            }
        }
    }

    fn step(&self, state: &mut State, action: &Action<'_>, rewards: &mut [f64], _random: &mut Generator) -> bool {
        let (axis, change) = [(0, -1), (1, 1), (0, 1), (1, -1)][action.discrete() as usize];
        state.player[axis] = (state.player[axis] + change).clamp(0, self.size - 1);
        let found = state.player == state.treasure;
        rewards[0] = if found { 1.0 } else { -self.step_cost };
        found
    }

    fn observe(&self, state: &State, out: &mut Row<'_>) {
        out.write_at(0, 0, &state.player);
        out.write_at(0, 2, &state.treasure);
    }

    fn info(&self, state: &State, out: &mut Row<'_>) {
        out.scalar(0, state.distance());
    }

    fn render_spec(&self) -> RenderSpec {
        RenderSpec::default().with_text()
    }

    fn render_text(&self, state: &State) -> String {
        let cell = |row, column| match [row, column] {
            place if place == state.player => '@',
            place if place == state.treasure => '$',
            _ => '.',
        };
        let line = |row| (0..self.size).map(|column| cell(row, column)).chain(['\n']).collect::<String>();
        (0..self.size).map(line).collect()
    }

    /// Checks a state from a snapshot, which may come from an untrusted file.
    fn is_valid(&self, state: &State) -> bool {
        state.player.iter().chain(&state.treasure).all(|cell| (0..self.size).contains(cell))
    }
}

envpool_rs::plugin! {
    "my_envs",
    env TreasureHunt: "TreasureHunt-v0" max_episode_steps(50) reward_threshold(0.95),
    env TreasureHunt: "TreasureHuntLarge-v0" max_episode_steps(500) preset("size", 20),
}

#[cfg(test)]
mod tests {
    use super::*;

    fn env() -> TreasureHunt {
        TreasureHunt { size: 5, step_cost: 0.25 }
    }

    #[test]
    fn the_shortest_path_takes_one_step_per_unit_of_distance() {
        let (env, mut random) = (env(), Generator::new(7));
        let mut state = env.create(0).unwrap();
        for _ in 0..100 {
            env.reset(&mut state, &ResetOptions::default(), &mut random);
            let distance = state.distance();
            let mut steps = 0;
            loop {
                let action = match (state.treasure[0] - state.player[0], state.treasure[1] - state.player[1]) {
                    (row, _) if row < 0 => 0,
                    (row, _) if row > 0 => 2,
                    (_, column) if column > 0 => 1,
                    _ => 3,
                };
                let mut rewards = [0.0];
                let columns = [envpool_rs::engine::ActionColumn::I32(vec![action])];
                steps += 1;
                if env.step(&mut state, &Action::new(&columns, 0), &mut rewards, &mut random) {
                    assert_eq!(rewards, [1.0]);
                    break;
                }
                assert_eq!(rewards, [-0.25]);
            }
            assert_eq!(steps, distance);
        }
    }

    #[test]
    fn names_are_registered_once() {
        let tasks: Vec<_> = envpool_rs_tasks().into_iter().map(|task| task.into_task()).collect();
        assert_eq!(tasks.iter().map(|task| task.id).collect::<Vec<_>>(), ["TreasureHunt-v0", "TreasureHuntLarge-v0"]);
        assert_eq!(tasks[1].resolve(&[]).unwrap().int("size"), 20);
    }
}
