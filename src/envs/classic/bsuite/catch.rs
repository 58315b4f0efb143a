//! Catch: the agent moves a paddle along the bottom row to catch a falling ball.
//!
//! Follows bsuite 0.3.6 (`bsuite.environments.catch`). Random numbers are those of `numpy.random.RandomState(seed)`, with one
//! `randint(columns)` per episode.

use serde::{Deserialize, Serialize};

use envpool_rs_engine::{
    Action, Dtype, Env, EnvPoolClass, EnvSpec, OptionSpec, Options, ResetOptions, Result, Row, Scheduling, Space, Task,
};
use envpool_rs_numeric::random::RandomState;

/// Maximum number of rows and of columns of a board. The observation of the largest board takes 4 MiB.
const MAX_SIDE: i64 = 1024;

/// Maximum number of cells of a board whose observations are copied from a precomputed table.
///
/// The table takes at most 32 KiB and fits the L1 cache. With the default board of 50 cells, a step takes 20.6 ns with the table
/// and 24.4 ns without it: a copy right after clearing the board and setting two cells must wait for those writes.
const MAX_TABLE_CELLS: usize = 64;

/// Catch environment.
///
/// - Observation: float32 `(rows, columns)`, 1 at the ball and at the paddle.
/// - Action: `Discrete(3)`: left, stay, right.
/// - Reward: 1 or -1 when the ball reaches the bottom row, which ends the episode after `rows - 1` steps.
#[derive(Debug)]
pub struct Catch {
    rows: u16,
    columns: u16,
    /// Precomputed boards; empty for large boards.
    ///
    /// For each distance between two occupied cells, the table has a row of `2 * cells - 1` numbers: 1 in the middle, 1 at the
    /// distance after the middle, and 0 elsewhere. Every board is a slice of one of these rows.
    board_table: Vec<f32>,
}

/// Positions of ball and paddle on the board.
#[derive(Debug, Clone, Copy, Default, Serialize, Deserialize)]
pub struct CatchState {
    ball_y: u16,
    ball_x: u16,
    paddle_x: u16,
}

/// Class of the tasks in EnvPool.
static CLASS: EnvPoolClass = EnvPoolClass::new("toy_text", "Catch", "Catch-v0");

/// Returns the task of the Catch environment.
pub fn tasks() -> Vec<Task> {
    vec![Task::env::<Catch>("Catch-v0").envpool_class(&CLASS)]
}

impl Catch {
    fn cells(&self) -> usize {
        usize::from(self.rows) * usize::from(self.columns)
    }

    fn cell(&self, row: u16, column: u16) -> usize {
        usize::from(row) * usize::from(self.columns) + usize::from(column)
    }

    /// Returns the cell indices of the ball and the paddle, in ascending order.
    #[inline]
    fn occupied(&self, state: &CatchState) -> (usize, usize) {
        let ball = self.cell(state.ball_y, state.ball_x);
        let paddle = self.cell(self.rows - 1, state.paddle_x);
        (ball.min(paddle), ball.max(paddle))
    }
}

fn board_table(cells: usize) -> Vec<f32> {
    let mut windows = vec![0.0; cells * (2 * cells - 1)];
    for (distance, window) in windows.chunks_exact_mut(2 * cells - 1).enumerate() {
        window[cells - 1] = 1.0;
        window[cells - 1 + distance] = 1.0;
    }
    windows
}

impl Env for Catch {
    type State = CatchState;
    type Random = RandomState;
    const SCHEDULING: Scheduling = Scheduling::Uniform;

    fn options() -> Vec<OptionSpec> {
        vec![
            OptionSpec::new("rows", 10, "rows of the board").integers(2..=MAX_SIDE).with_alias("EnvPool", "height"),
            OptionSpec::new("columns", 5, "columns of the board").integers(1..=MAX_SIDE).with_alias("EnvPool", "width"),
        ]
    }

    fn new(options: &Options) -> Result<Self> {
        let (rows, columns) = (options.int("rows") as u16, options.int("columns") as u16);
        let mut env = Self { rows, columns, board_table: Vec::new() };
        if env.cells() <= MAX_TABLE_CELLS {
            env.board_table = board_table(env.cells());
        }
        Ok(env)
    }

    fn spec(&self) -> EnvSpec {
        let shape = [usize::from(self.rows), usize::from(self.columns)];
        EnvSpec::new(Space::uniform(0.0, 1.0, &shape, Dtype::F32), Space::discrete(3))
    }

    fn create(&self, _lane: usize) -> Result<CatchState> {
        Ok(CatchState::default())
    }

    #[inline]
    fn reset(&self, state: &mut CatchState, _options: &ResetOptions, rng: &mut RandomState) {
        let ball_x = rng.randint(0, i64::from(self.columns)) as u16;
        *state = CatchState { ball_y: 0, ball_x, paddle_x: self.columns / 2 };
    }

    #[inline]
    fn step(&self, state: &mut CatchState, action: &Action<'_>, rewards: &mut [f64], _rng: &mut RandomState) -> bool {
        state.paddle_x = match action.discrete() {
            0 => state.paddle_x.saturating_sub(1),
            1 => state.paddle_x,
            _ => (state.paddle_x + 1).min(self.columns - 1),
        };
        // The ball stays on the board even if a restored snapshot steps past the end of its episode.
        state.ball_y = (state.ball_y + 1).min(self.rows - 1);
        if state.ball_y < self.rows - 1 {
            return false;
        }
        rewards[0] = if state.paddle_x == state.ball_x { 1.0 } else { -1.0 };
        true
    }

    #[inline]
    fn observe(&self, state: &CatchState, out: &mut Row<'_>) {
        let cells = self.cells();
        let (first, second) = self.occupied(state);
        if cells <= MAX_TABLE_CELLS {
            let window = (second - first) * (2 * cells - 1);
            out.write(0, &self.board_table[window + cells - 1 - first..][..cells]);
        } else {
            let mut board = vec![0.0_f32; cells];
            board[first] = 1.0;
            board[second] = 1.0;
            out.write(0, &board);
        }
    }

    fn is_valid(&self, state: &CatchState) -> bool {
        state.ball_y < self.rows && state.ball_x < self.columns && state.paddle_x < self.columns
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::toy_text::replay::{replays_like_the_reference, with_options};

    #[test]
    fn catch_equals_bsuites() {
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
        assert!(env.is_valid(&CatchState { ball_y: 9, ball_x: 4, paddle_x: 4 }));
        assert!(!env.is_valid(&CatchState { ball_y: 10, ..CatchState::default() }));
        assert!(!env.is_valid(&CatchState { ball_x: 5, ..CatchState::default() }));
        assert!(!env.is_valid(&CatchState { paddle_x: 5, ..CatchState::default() }));
    }
}
