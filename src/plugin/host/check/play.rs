//! Runs a task of a library with random actions, and collects the mistakes that are found.

use crate::host::check::findings::{Finding, collect};
use crate::host::env::CHECK_OPTION;
use envpool_rs_engine::{
    AutoresetMode, Batch, Dialect, Error, Format, Options, Outputs, Pool, PoolConfig, ResetOptions, Result, Space, Task, Value,
};
use envpool_rs_numeric::random::Generator;

/// Numbers of lanes of the pools in which a task is checked.
const SIZES: [i64; 2] = [1, 256];

/// Number of lanes of the pools whose results are compared between different numbers of threads.
const THREAD_LANES: i64 = 256;

/// Maximum number of steps when results are compared between different numbers of threads.
const THREAD_STEPS: usize = 200;

/// Bound of the interval, symmetric around 0, from which unbounded continuous actions are drawn.
const UNBOUNDED: f64 = 10.0;

/// Runs a task for `steps` steps in pools with 1 and with 256 environments. Returns the mistakes that are found: the first one of
/// each check.
///
/// # Errors
/// `Value`, `Type` for options that the task refuses; `Memory`.
pub fn check_task(task: &'static Task, given: &[(String, Value)], steps: usize) -> Result<Vec<Finding>> {
    let checked: Vec<_> = given.iter().cloned().chain([(CHECK_OPTION.to_owned(), Value::Bool(true))]).collect();
    let (options, checked) = (task.resolve(given)?, task.resolve(&checked)?);
    let mut failures = Vec::new();
    let mut findings = Vec::new();
    for lanes in SIZES {
        let pool = pool_of(task, &checked, lanes, 0)?;
        let more = collect(|| failures.extend(play(&pool, task, &checked, steps).err()));
        findings.extend(more);
    }
    let mut find = |check, text| findings.push(Finding { task: task.id.to_owned(), check, text });
    failures.into_iter().for_each(|error| find("failure", error.to_string()));
    // Compares results, by unchecked calls, only if no mistake was found: a library that writes outside of its memory could end
    // the process.
    if findings.is_empty() {
        let text = compare_threads(task, &options, steps.min(THREAD_STEPS))?;
        findings.extend(text.map(|text| Finding { task: task.id.to_owned(), check: "threads", text }));
        let text = compare_snapshots(task, &options)?;
        findings.extend(text.map(|text| Finding { task: task.id.to_owned(), check: "snapshot", text }));
    }
    let mut seen = Vec::new();
    findings.retain(|finding| !seen.contains(&finding.check) && (seen.push(finding.check), true).1);
    Ok(findings)
}

/// Creates a pool. If `threads` is 0, the caller runs all lanes.
fn pool_of(task: &Task, options: &Options, lanes: i64, threads: usize) -> Result<Pool> {
    let mut config = PoolConfig::new(lanes)?;
    config.num_threads = threads;
    config.max_episode_steps = task.step_limit(options);
    config.autoreset_mode = AutoresetMode::NextStep;
    Pool::new(task, options, config, Outputs { dialect: Dialect::Gymnasium, format: Format::Gymnasium })
}

/// Resets a pool and steps it with random actions. Resets failed lanes. Returns the first failure as an error.
fn play(pool: &Pool, task: &Task, options: &Options, steps: usize) -> Result<()> {
    let mut actions = RandomActions::new(task, options)?;
    let lanes = pool.config().num_envs;
    let mut first = run(pool.reset(None, Vec::new(), ResetOptions::default())?).err();
    for _ in 0..steps {
        let mut call = match pool.step(None) {
            Ok(call) => call,
            Err(_) => {
                // Failed lanes must be reset before the next step.
                first = first.or(run(pool.reset(None, Vec::new(), ResetOptions::default())?).err());
                continue;
            }
        };
        actions.fill(lanes, |key, values| call.set_action(key, values))?;
        if let Err(error) = run(call) {
            first = first.or(Some(error));
            _ = pool.drain(&mut || false);
        }
    }
    first.map_or(Ok(()), Err)
}

fn run(call: envpool_rs_engine::RequestBuilder<'_>) -> Result<Box<Batch>> {
    call.run(&mut None, &mut || false)
}

/// Steps a pool with one thread and a pool with two threads, and returns a sentence if their results differ.
fn compare_threads(task: &Task, options: &Options, steps: usize) -> Result<Option<String>> {
    let pools = [pool_of(task, options, THREAD_LANES, 0)?, pool_of(task, options, THREAD_LANES, 2)?];
    let mut actions = RandomActions::new(task, options)?;
    let mut values = Vec::new();
    for number in 0..=steps {
        values.clear();
        if number > 0 {
            actions.fill(THREAD_LANES as usize, |_, drawn| {
                values.push(drawn.to_vec());
                Ok(())
            })?;
        }
        let results = pools.each_ref().map(|pool| {
            let mut call = if number == 0 { pool.reset(None, Vec::new(), ResetOptions::default())? } else { pool.step(None)? };
            values.iter().enumerate().try_for_each(|(key, values)| call.set_action(key, values))?;
            run(call)
        });
        let [Ok(one), Ok(other)] = results else { return Ok(None) }; // the environment failed, which `play` reports
        let columns = 0..one.layout().columns.len();
        if let Some(column) = columns.into_iter().find(|column| one.bytes(*column) != other.bytes(*column)) {
            let role = one.layout().columns[column].role;
            return Ok(Some(format!("with two threads, step {number} of {THREAD_LANES} environments has another {role:?}")));
        }
    }
    Ok(None)
}

/// Restores a snapshot in a second pool, and returns a sentence if the second pool's results differ from the first pool's.
fn compare_snapshots(task: &Task, options: &Options) -> Result<Option<String>> {
    let pools = [pool_of(task, options, 4, 0)?, pool_of(task, options, 4, 0)?];
    let mut actions = RandomActions::new(task, options)?;
    let mut step = |pools: &[&Pool]| {
        let mut values = Vec::new();
        actions.fill(4, |_, drawn| {
            values.push(drawn.to_vec());
            Ok(())
        })?;
        let step = |pool: &&Pool| {
            let mut call = pool.step(None)?;
            values.iter().enumerate().try_for_each(|(key, values)| call.set_action(key, values))?;
            run(call)
        };
        pools.iter().map(step).collect::<Result<Vec<_>>>()
    };
    for pool in &pools {
        if run(pool.reset(None, Vec::new(), ResetOptions::default())?).is_err() {
            return Ok(None); // the environment failed, which `play` reports
        }
    }
    for _ in 0..5 {
        if step(&[&pools[0]]).is_err() {
            return Ok(None);
        }
    }
    let Ok(states) = pools[0].get_state(None) else { return Ok(None) }; // the library cannot save states
    if let Err(error) = pools[1].set_state(&states, None) {
        return Ok(Some(format!("a second pool refuses a snapshot: {error}")));
    }
    for number in 0..10 {
        let Ok(results) = step(&[&pools[0], &pools[1]]) else { return Ok(None) };
        let columns = 0..results[0].layout().columns.len();
        if columns.into_iter().any(|column| results[0].bytes(column) != results[1].bytes(column)) {
            return Ok(Some(format!("step {} after a snapshot differs between the pool and its copy", number + 1)));
        }
    }
    Ok(None)
}

/// Generator of random actions for a task.
struct RandomActions {
    spaces: Vec<Space>,
    rows: usize,
    random: Generator,
}

impl RandomActions {
    fn new(task: &Task, options: &Options) -> Result<Self> {
        let spec = task.factory(options)?.spec();
        let spaces = spec.action.leaves().into_iter().map(|leaf| leaf.space.clone()).collect();
        Ok(Self { spaces, rows: spec.rows(), random: Generator::new(0) })
    }

    /// Draws the actions of `lanes` lanes, and passes each array to `set`.
    fn fill(&mut self, lanes: usize, mut set: impl FnMut(usize, &[f64]) -> Result<(), Error>) -> Result<()> {
        for (key, space) in self.spaces.iter().enumerate() {
            let elements = space.size();
            let random = &mut self.random;
            let values: Vec<f64> = (0..lanes * self.rows * elements).map(|index| draw(space, index % elements, random)).collect();
            set(key, &values)?;
        }
        Ok(())
    }
}

/// Draws one element of an action space.
fn draw(space: &Space, element: usize, random: &mut Generator) -> f64 {
    match space {
        Space::Discrete { n, start, .. } => (start + random.integers(0, *n)) as f64,
        Space::MultiDiscrete { counts, .. } => random.integers(0, counts[element]) as f64,
        Space::Box { low, high, dtype, .. } => {
            let bound = |bounds: &[f64], unbounded: f64| {
                let bound = bounds[element % bounds.len()];
                if bound.is_finite() && bound.abs() < 1e30 { bound } else { unbounded }
            };
            let drawn = random.uniform(bound(low, -UNBOUNDED), bound(high, UNBOUNDED));
            let is_float = matches!(dtype, envpool_rs_engine::Dtype::F32 | envpool_rs_engine::Dtype::F64);
            if is_float { drawn } else { drawn.round() }
        }
        _ => random.integers(0, 2) as f64,
    }
}
