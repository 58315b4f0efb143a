//! Shows how a Rust program uses pools without Python: synchronous steps, asynchronous steps, snapshots.
//!
//! ```sh
//! cargo run --release --example embed
//! ```

use std::time::{Duration, Instant};

use envpool_rs::engine::{Batch, Dialect, Format, Outputs, Pool, PoolConfig, ResetOptions, Result, Role, Task};
use envpool_rs::envs::registry;

/// Format of results: EnvPool's arrays (float32 rewards, and the environment id of each row) with gymnasium's flags `terminated`
/// and `truncated`.
const OUTPUTS: Outputs = Outputs { dialect: Dialect::EnvPool, format: Format::Gymnasium };

/// Returns whether the user has interrupted the program. A real program would read a flag that its signal handler sets.
fn interrupt() -> bool {
    false
}

fn main() -> Result<()> {
    let registry = registry();
    let task = registry.task("CartPole-v1")?;
    step_synchronously(task)?;
    step_asynchronously(task)?;
    branch_an_episode(task)
}

/// Steps 1024 environments at a time with a policy that pushes the cart towards the pole's side.
fn step_synchronously(task: &Task) -> Result<()> {
    let pool = make(task, 1024, 1024)?;
    // Each call reuses the memory of the previous batch, so that steps do not allocate.
    let mut batch = pool.reset(None, Vec::new(), ResetOptions::default())?.run(&mut None, &mut interrupt)?;
    let (mut steps, mut episodes, start) = (0, 0, Instant::now());
    while start.elapsed() < Duration::from_millis(200) {
        let actions = balance(&batch);
        let mut call = pool.step(None)?;
        call.set_action(0, &actions)?;
        batch = call.run(&mut Some(batch), &mut interrupt)?;
        episodes += count_ended(&batch);
        steps += pool.config().num_envs;
    }
    let rate = steps as f64 / start.elapsed().as_secs_f64() / 1e6;
    println!(
        "together:          {rate:5.1} million steps/s, mean episode {:.0} steps",
        steps as f64 / f64::from(episodes.max(1))
    );
    Ok(())
}

/// Keeps 64 environments busy, and repeatedly receives the results of the first 16 environments that finish.
fn step_asynchronously(task: &Task) -> Result<()> {
    let pool = make(task, 64, 16)?;
    pool.reset(None, Vec::new(), ResetOptions::default())?.send(None)?;
    let mut spare = None;
    let mut served = [0_u32; 64];
    for _ in 0..400 {
        let batch = pool.recv(&mut spare, &mut interrupt)?;
        let ids = batch_ids(&batch);
        ids.iter().for_each(|id| served[*id as usize] += 1);
        let mut call = pool.step(Some(&ids))?;
        call.set_action(0, &balance(&batch))?;
        call.send(None)?;
        spare = Some(batch);
    }
    println!("first come served: 400 batches of 16, each environment {} to {} times", min(&served), max(&served));
    Ok(())
}

/// Saves the state of an episode, and steps the episode twice from this state. The same actions give the same results, including
/// random draws.
fn branch_an_episode(task: &Task) -> Result<()> {
    let pool = make(task, 1, 1)?;
    pool.reset(None, vec![Some(7)], ResetOptions::default())?.run(&mut None, &mut interrupt)?;
    push(&pool, 5)?;
    let middle = pool.get_state(None)?;
    let first = push(&pool, 20)?;
    pool.set_state(&middle, None)?;
    let second = push(&pool, 20)?;
    assert_eq!(first, second, "a restored environment plays on as it would have");
    println!("snapshots:         {} bytes; after 20 more steps the cart is at {:+.4} m, both times", middle[0].len(), second[0]);
    Ok(())
}

/// Pushes the cart `steps` times, alternately to the left and right, and returns the last observation.
fn push(pool: &Pool, steps: i32) -> Result<Vec<f32>> {
    let mut last = Vec::new();
    for step in 0..steps {
        let mut call = pool.step(None)?;
        call.set_action(0, &[step % 2])?;
        last = observation(&*call.run(&mut None, &mut interrupt)?).to_vec();
    }
    Ok(last)
}

/// Creates a pool with the task's default options.
///
/// To set an option, pass it to `resolve`: `resolve(&[("sutton_barto_reward".into(), true.into())])`.
fn make(task: &Task, num_envs: i64, batch_size: i64) -> Result<Pool> {
    let mut config = PoolConfig::new(num_envs)?.batch_size(batch_size)?.seed(42)?;
    config.max_episode_steps = task.max_episode_steps;
    Pool::new(task, &task.resolve(&[])?, config, OUTPUTS)
}

/// Returns an action for each environment: a push to the right if the pole leans or falls to the right, otherwise to the left.
fn balance(batch: &Batch) -> Vec<i32> {
    observation(batch).chunks(4).map(|row| i32::from(row[2] + row[3] > 0.0)).collect()
}

fn observation(batch: &Batch) -> &[f32] {
    batch.values(Role::Observation(0)).expect("CartPole's observations are float32")
}

fn count_ended(batch: &Batch) -> u32 {
    let flags = |role| batch.values::<u8>(role).expect("the format has both flags");
    let both = flags(Role::Terminated).iter().zip(flags(Role::Truncated));
    both.map(|(terminated, truncated)| u32::from(terminated | truncated)).sum()
}

fn batch_ids(batch: &Batch) -> Vec<i64> {
    let ids: &[i32] = batch.values(Role::EnvId).expect("EnvPool's arrays include it");
    ids.iter().map(|id| i64::from(*id)).collect()
}

fn min(counts: &[u32]) -> u32 {
    counts.iter().copied().min().unwrap_or(0)
}

fn max(counts: &[u32]) -> u32 {
    counts.iter().copied().max().unwrap_or(0)
}
