//! Catch: move a paddle along the bottom to where the ball comes down. Follows bsuite 0.3.6 (`bsuite.environments.catch`), whose
//! random stream is a `numpy.random.RandomState(seed)` with one `randint(columns)` per episode.

use serde::{Deserialize, Serialize};

use envpool_rs_engine::{Action, Dtype, Env, EnvSpec, OptionSpec, Options, ResetOptions, Result, Row, Scheduling, Space, Task};
use envpool_rs_numeric::random::RandomState;

/// Largest number of rows or columns: 4 MiB per observation.
const MAX_SIDE: i64 = 1024;

/// Boards of up to so many cells (the default has 50) are copied from a table of at most 32 KiB, which fits the L1 cache: a step
/// takes 20.6 ns so, and 24.4 ns with a cleared board in which two cells are set and which the copy then has to wait for.
const SMALL_BOARD: usize = 64;

/// The environment: observation float32 `(rows, columns)`, 1 where the ball or the paddle is; action `Discrete(3)`: left, stay,
/// right; reward 1 or -1 when the ball reaches the bottom row, which ends the episode after `rows - 1` steps.
#[derive(Debug)]
pub struct Catch {
    rows: u16,
    columns: u16,
    /// For each distance between two cells `2 * cells - 1` numbers, zero but for two ones that far apart, the first of them in
    /// the middle: any board is a window of one of these. Empty for large boards.
    windows: Vec<f32>,
}

/// Where ball and paddle are.
#[derive(Debug, Clone, Copy, Default, Serialize, Deserialize)]
pub struct Court {
    ball_row: u16,
    ball_column: u16,
    paddle_column: u16,
}

/// The tasks built on it.
pub fn tasks() -> Vec<Task> {
    vec![Task::env::<Catch>("Catch-v0")]
}

impl Catch {
    fn cells(&self) -> usize {
        usize::from(self.rows) * usize::from(self.columns)
    }

    fn cell(&self, row: u16, column: u16) -> usize {
        usize::from(row) * usize::from(self.columns) + usize::from(column)
    }

    /// The cells of ball and paddle, in ascending order.
    #[inline]
    fn occupied(&self, court: &Court) -> (usize, usize) {
        let ball = self.cell(court.ball_row, court.ball_column);
        let paddle = self.cell(self.rows - 1, court.paddle_column);
        (ball.min(paddle), ball.max(paddle))
    }
}

fn windows(cells: usize) -> Vec<f32> {
    let mut windows = vec![0.0; cells * (2 * cells - 1)];
    for (distance, window) in windows.chunks_exact_mut(2 * cells - 1).enumerate() {
        window[cells - 1] = 1.0;
        window[cells - 1 + distance] = 1.0;
    }
    windows
}

impl Env for Catch {
    type State = Court;
    type Random = RandomState;
    const SCHEDULING: Scheduling = Scheduling::Uniform;

    fn options() -> Vec<OptionSpec> {
        vec![
            OptionSpec::new("rows", 10, "rows of the board").integers(2..=MAX_SIDE).called("EnvPool", "height"),
            OptionSpec::new("columns", 5, "columns of the board").integers(1..=MAX_SIDE).called("EnvPool", "width"),
        ]
    }

    fn new(options: &Options) -> Result<Self> {
        let (rows, columns) = (options.int("rows") as u16, options.int("columns") as u16);
        let mut env = Self { rows, columns, windows: Vec::new() };
        if env.cells() <= SMALL_BOARD {
            env.windows = windows(env.cells());
        }
        Ok(env)
    }

    fn spec(&self) -> EnvSpec {
        let shape = [usize::from(self.rows), usize::from(self.columns)];
        EnvSpec::new(Space::uniform(0.0, 1.0, &shape, Dtype::F32), Space::discrete(3))
    }

    fn create(&self, _lane: usize) -> Result<Court> {
        Ok(Court::default())
    }

    #[inline]
    fn reset(&self, state: &mut Court, _options: &ResetOptions, rng: &mut RandomState) {
        let ball_column = rng.randint(0, i64::from(self.columns)) as u16;
        *state = Court { ball_row: 0, ball_column, paddle_column: self.columns / 2 };
    }

    #[inline]
    fn step(&self, state: &mut Court, action: &Action<'_>, rewards: &mut [f64], _rng: &mut RandomState) -> bool {
        state.paddle_column = match action.discrete() {
            0 => state.paddle_column.saturating_sub(1),
            1 => state.paddle_column,
            _ => (state.paddle_column + 1).min(self.columns - 1),
        };
        // The ball stays on the board even where a restored snapshot goes on after the end.
        state.ball_row = (state.ball_row + 1).min(self.rows - 1);
        if state.ball_row < self.rows - 1 {
            return false;
        }
        rewards[0] = if state.paddle_column == state.ball_column { 1.0 } else { -1.0 };
        true
    }

    #[inline]
    fn observe(&self, state: &Court, out: &mut Row<'_>) {
        let cells = self.cells();
        let (first, second) = self.occupied(state);
        if cells <= SMALL_BOARD {
            let window = (second - first) * (2 * cells - 1);
            out.write(0, &self.windows[window + cells - 1 - first..][..cells]);
        } else {
            let mut board = vec![0.0_f32; cells];
            board[first] = 1.0;
            board[second] = 1.0;
            out.write(0, &board);
        }
    }

    fn is_valid(&self, state: &Court) -> bool {
        state.ball_row < self.rows && state.ball_column < self.columns && state.paddle_column < self.columns
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::toy_text::replay::{replays_like_the_reference, with_options};

    #[test]
    fn catch_plays_as_in_bsuite() {
        replays_like_the_reference::<Catch>("Catch-v0");
    }

    #[test]
    fn boards_without_room_to_fall_are_refused_by_name() {
        for (name, value) in [("rows", 1), ("columns", 0), ("rows", 1025)] {
            let error = with_options::<Catch>("Catch-v0", &[(name, value.into())]).unwrap_err();
            assert!(error.to_string().starts_with(&format!("{name}={value}: expected an integer")), "{error}");
        }
    }

    #[test]
    fn snapshots_off_the_board_are_refused() {
        let env = with_options::<Catch>("Catch-v0", &[]).unwrap();
        assert!(env.is_valid(&Court { ball_row: 9, ball_column: 4, paddle_column: 4 }));
        assert!(!env.is_valid(&Court { ball_row: 10, ..Court::default() }));
        assert!(!env.is_valid(&Court { ball_column: 5, ..Court::default() }));
        assert!(!env.is_valid(&Court { paddle_column: 5, ..Court::default() }));
    }
}
