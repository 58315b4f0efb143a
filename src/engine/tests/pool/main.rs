//! Tests of the pool through its public API, with test environments.

mod autoreset;
mod borrowed;
mod callers;
mod children;
mod closing;
mod configs;
mod contract;
mod envs;
mod episodes;
mod failures;
mod fake;
mod families;
mod floats;
mod games;
mod kernels;
mod mixed;
mod order;
mod outside;
mod per_lane;
mod recovery;
mod rendering;
mod shortcuts;
mod snapshots;
mod threads;
mod trajectories;
mod waiting;

use envpool_rs_engine::{
    AutoresetMode, Batch, Dialect, Dtype, Error, Format, Options, Outputs, Pool, PoolConfig, Registry, ResetOptions, Result,
    Role, Task,
};

/// Returns a registry with the tasks of the small environment families.
fn classic() -> Registry {
    let mut registry = Registry::default();
    envpool_rs_envs_classic::add_tasks(&mut registry);
    registry
}

/// Creates a pool of `task` with EnvPool's arrays and gymnasium's flags.
fn pool_of(task: &Task, config: PoolConfig) -> Pool {
    let outputs = Outputs { dialect: Dialect::EnvPool, format: Format::Gymnasium };
    Pool::new(task, &task.resolve(&[]).unwrap(), config, outputs).expect("the task takes its defaults")
}

fn config(num_envs: i64) -> PoolConfig {
    PoolConfig::new(num_envs).unwrap()
}

/// Creates a pool, resets all its environments, and receives the results.
fn reset_pool(task: &Task, config: PoolConfig) -> Pool {
    let pool = pool_of(task, config);
    let (all, size) = (pool.config().num_envs, pool.config().batch_size);
    pool.reset(None, Vec::new(), ResetOptions::default()).unwrap().send(None).unwrap();
    (0..all / size).for_each(|_| _ = recv(&pool).unwrap());
    pool
}

/// Steps the environments `ids` once and receives one result.
fn step(pool: &Pool, ids: Option<&[i64]>, actions: &[i32]) -> Result<Box<Batch>> {
    let mut call = pool.step(ids)?;
    call.set_action(0, actions)?;
    call.run(&mut None, &mut never)
}

/// Sends a step of the environments `ids` without receiving.
fn send(pool: &Pool, ids: Option<&[i64]>, actions: &[i32]) -> Result<()> {
    let mut call = pool.step(ids)?;
    call.set_action(0, actions)?;
    call.send(None)
}

/// Resets the environments `ids` and receives one result.
fn reset(pool: &Pool, ids: Option<&[i64]>) -> Result<Box<Batch>> {
    pool.reset(ids, Vec::new(), ResetOptions::default())?.run(&mut None, &mut never)
}

fn recv(pool: &Pool) -> Result<Box<Batch>> {
    pool.recv(&mut None, &mut never)
}

fn never() -> bool {
    false
}

/// Returns the message of the error that `result` must hold.
fn message<T>(result: Result<T>) -> String {
    result.err().expect("an error").to_string()
}

/// Returns all values of a batch's column, as float64.
fn numbers(batch: &Batch, role: Role) -> Vec<f64> {
    let index = batch.layout().index(role).expect("the layout has this column");
    let dtype = batch.layout().columns[index].dtype;
    let number = |bytes: &[u8]| match dtype {
        Dtype::Bool | Dtype::U8 => f64::from(bytes[0]),
        Dtype::I8 => f64::from(bytes[0] as i8),
        Dtype::I16 => f64::from(i16::from_ne_bytes(bytes.try_into().unwrap())),
        Dtype::I32 => f64::from(i32::from_ne_bytes(bytes.try_into().unwrap())),
        Dtype::I64 => i64::from_ne_bytes(bytes.try_into().unwrap()) as f64,
        Dtype::F32 => f64::from(f32::from_ne_bytes(bytes.try_into().unwrap())),
        Dtype::F64 => f64::from_ne_bytes(bytes.try_into().unwrap()),
        Dtype::Raw(_) => panic!("no numbers"),
    };
    batch.bytes(index).chunks(dtype.size()).map(number).collect()
}

fn ids(batch: &Batch) -> Vec<f64> {
    numbers(batch, Role::EnvId)
}

/// Returns the number of steps of each environment since its last reset.
fn counts(batch: &Batch) -> Vec<f64> {
    numbers(batch, Role::Observation(0)).chunks(2).map(|row| row[1]).collect()
}
