//! Tests that trajectories of environments do not depend on how their items are divided among requests.

use proptest::prelude::*;

use super::envs::{COUNT, END, block_counter, counter};
use super::*;

/// Values in one row of an environment: observation, reward, terminated, truncated, elapsed steps.
type RowValues = Vec<f64>;

const LANES: usize = 24;

fn rows(batch: &Batch) -> Vec<(usize, RowValues)> {
    let columns = [Role::Reward, Role::Terminated, Role::Truncated, Role::ElapsedStep].map(|role| numbers(batch, role));
    let observation = numbers(batch, Role::Observation(0));
    let row = |(row, id): (usize, &f64)| {
        let rest = columns.iter().map(|column| column[row]);
        (*id as usize, observation[2 * row..2 * row + 2].iter().copied().chain(rest).collect())
    };
    ids(batch).iter().enumerate().map(row).collect()
}

fn with_limit(config: PoolConfig, mode: AutoresetMode) -> PoolConfig {
    PoolConfig { max_episode_steps: Some(5), autoreset_mode: mode, ..config }
}

/// Returns the action of environment `id` at step `number`, by a fixed arbitrary rule: [`END`] or [`COUNT`].
fn action(id: usize, number: usize) -> i32 {
    if (id * 31 + number * 17).is_multiple_of(11) { END } else { COUNT }
}

/// Runs environment `id` in a pool of one environment, and returns its first `steps` rows.
fn alone(task: &Task, mode: AutoresetMode, id: usize, steps: usize) -> Vec<RowValues> {
    let pool = reset_pool(task, with_limit(config(1).seed(42 + id as i128).unwrap(), mode));
    (0..steps).map(|number| rows(&step(&pool, None, &[action(id, number)]).unwrap()).remove(0).1).collect()
}

/// Sends requests for the environments that `choices` selects, and receives results in between. Returns the rows of each
/// environment.
fn in_portions(task: &Task, mode: AutoresetMode, config: PoolConfig, choices: &[(u32, bool)]) -> Vec<Vec<RowValues>> {
    let pool = reset_pool(task, with_limit(config, mode));
    let mut shown = vec![Vec::new(); LANES];
    let mut free: Vec<i64> = (0..LANES as i64).collect();
    let mut flying = 0;
    for (choice, then_receive) in choices {
        let portion: Vec<_> = free.iter().copied().filter(|id| (choice >> id) & 1 == 1).collect();
        if !portion.is_empty() {
            let actions: Vec<_> = portion.iter().map(|id| action(*id as usize, shown[*id as usize].len())).collect();
            send(&pool, Some(&portion), &actions).unwrap();
            free.retain(|id| !portion.contains(id));
            flying += portion.len();
        }
        let enough = if pool.is_async() { flying >= pool.config().batch_size } else { flying > 0 };
        if *then_receive && enough {
            for (id, row) in rows(&recv(&pool).unwrap()) {
                shown[id].push(row);
                free.push(id as i64);
                flying -= 1;
            }
        }
    }
    shown
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 48, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_order_of_sends_and_receives_gives_the_single_trajectories(
        blocks: bool,
        same_step: bool,
        batch_size in proptest::sample::select(vec![1_i64, 2, 3, 4, 6, 8, 12, 24]),
        threads in 1..4_i64,
        choices in proptest::collection::vec((0..1_u32 << LANES, proptest::bool::weighted(0.8)), 1..40),
    ) {
        let task = if blocks { block_counter() } else { counter() };
        let mode = if same_step { AutoresetMode::SameStep } else { AutoresetMode::NextStep };
        let size = config(LANES as i64).batch_size(batch_size).unwrap().num_threads(threads).unwrap();
        for (id, shown) in in_portions(&task, mode, size, &choices).into_iter().enumerate() {
            prop_assert_eq!(&shown, &alone(&task, mode, id, shown.len()), "environment {}", id);
        }
    }
}
