//! Tests of pools over libraries, which are compiled from `fixtures`.

mod cart_pole;
mod duel;
mod faults;
mod mixed;
mod refusals;
#[path = "../support/mod.rs"]
mod support;

use std::path::Path;
use std::sync::LazyLock;

use envpool_rs_engine::{Batch, Dialect, Format, Outputs, Pool, PoolConfig, Registry, ResetOptions, Result, Role, Task, Value};
use envpool_rs_plugin::host::{LibraryInfo, load_file};

/// Registry of the tasks of the small families, and of all libraries that this program loads.
static REGISTRY: LazyLock<Registry> = LazyLock::new(|| {
    let mut registry = Registry::default();
    envpool_rs_envs_classic::add_tasks(&mut registry);
    registry
});

fn load(path: &Path) -> Result<LibraryInfo> {
    // SAFETY: fixtures follow the rules of the header, except for rules that the host checks.
    unsafe { load_file(path, &REGISTRY, &["num_envs", "seed"]) }
}

fn task(id: &str) -> &'static Task {
    REGISTRY.task(id).unwrap()
}

fn outputs(dialect: Dialect) -> Outputs {
    Outputs { dialect, format: Format::Gymnasium }
}

fn pool(id: &str, options: &[(&str, Value)], config: PoolConfig, dialect: Dialect) -> Pool {
    let options: Vec<_> = options.iter().map(|(name, value)| ((*name).to_owned(), value.clone())).collect();
    Pool::new(task(id), &task(id).resolve(&options).unwrap(), config, outputs(dialect)).unwrap()
}

fn never() -> bool {
    false
}

/// Resets environments of a pool, and returns the batch of results.
fn reset(pool: &Pool, ids: Option<&[i64]>, options: ResetOptions) -> Result<Box<Batch>> {
    pool.reset(ids, Vec::new(), options)?.run(&mut None, &mut never)
}

/// Steps environments of a pool, and returns the batch of results.
fn step(pool: &Pool, ids: Option<&[i64]>, actions: &[i32]) -> Result<Box<Batch>> {
    let mut call = pool.step(ids)?;
    call.set_action(0, actions)?;
    call.run(&mut None, &mut never)
}

/// Returns the error message of a call that must fail.
fn message<T>(result: Result<T>) -> String {
    result.err().expect("an error").to_string()
}

/// Returns the role and the bytes of each column of a batch.
fn columns(batch: &Batch) -> Vec<(Role, Vec<u8>)> {
    batch.layout().columns.iter().enumerate().map(|(index, column)| (column.role, batch.bytes(index).to_vec())).collect()
}
