//! Pool with precomputed random actions, used by all Rust benchmarks.

#![allow(dead_code, reason = "each benchmark is a crate of its own and plays in its own ways")]

use envpool_rs::engine::{
    ActionKey, Batch, Dialect, Format, Options, Outputs, Pool, PoolConfig, RequestBuilder, ResetOptions, Role, Space, Task,
};
use envpool_rs::envs;
use envpool_rs::random::Generator;

/// Number of precomputed action arrays, which are used in turn, as `benches/python` does. The number is large enough that
/// episodes differ.
const ACTION_ARRAYS: usize = 16;

/// Values of one action array of the benchmarked pool.
enum ActionValues {
    Discrete(Vec<i64>),
    Continuous(Vec<f32>),
}

/// A pool with its action arrays and its last batch, whose memory is reused.
pub struct BenchPool {
    pub pool: Pool,
    actions: Vec<Vec<ActionValues>>,
    next_actions: usize,
    batch: Option<Box<Batch>>,
    ids: Vec<i64>,
}

/// Size, batch size and number of workers of a pool.
#[derive(Debug, Clone, Copy)]
pub struct PoolShape {
    pub num_envs: usize,
    pub batch_size: usize,
    /// Number of background workers; with 0, the caller's thread steps all environments.
    pub workers: usize,
}

impl PoolShape {
    /// Returns the sizes of a synchronous pool.
    pub fn sync(num_envs: usize, workers: usize) -> Self {
        Self { num_envs, batch_size: num_envs, workers }
    }
}

impl BenchPool {
    /// Creates a pool of a task with default options, and resets it.
    ///
    /// If the pool is asynchronous, all its environments are in flight afterwards.
    pub fn new(task: &str, shape: PoolShape) -> Self {
        let registry = envs::registry();
        let task = registry.task(task).expect("the task exists");
        let options = task.resolve(&[]).expect("defaults resolve");
        let pool = pool(task, &options, shape);
        let actions = random_actions(task, &options, &pool);
        let mut bench = Self { pool, actions, next_actions: 0, batch: None, ids: Vec::new() };
        match bench.pool.is_async() {
            true => bench.prepare_reset().send(None).expect("nothing is in flight"),
            false => bench.reset(),
        }
        bench
    }

    fn prepare_reset(&self) -> RequestBuilder<'_> {
        self.pool.reset(None, Vec::new(), ResetOptions::default()).expect("all environments can be reset")
    }

    /// Resets all environments of a synchronous pool.
    pub fn reset(&mut self) {
        let mut batch = self.batch.take();
        let done = self.prepare_reset().run(&mut batch, &mut || false).expect("no environment fails");
        self.batch = Some(done);
    }

    /// Steps all environments of a synchronous pool.
    pub fn step(&mut self) {
        self.next_actions = (self.next_actions + 1) % ACTION_ARRAYS;
        let mut batch = self.batch.take();
        let mut call = self.pool.step(None).expect("no environment is in flight");
        fill(&mut call, &self.actions[self.next_actions]);
        self.batch = Some(call.run(&mut batch, &mut || false).expect("no environment fails"));
    }

    /// Receives a batch of an asynchronous pool and sends its environments their next actions.
    pub fn receive_and_send(&mut self) {
        self.next_actions = (self.next_actions + 1) % ACTION_ARRAYS;
        let batch = self.pool.recv(&mut self.batch, &mut || false).expect("enough is in flight");
        self.ids.clear();
        self.ids.extend(env_ids(&batch));
        self.batch = Some(batch);
        let mut call = self.pool.step(Some(&self.ids)).expect("they have been received");
        fill(&mut call, &self.actions[self.next_actions]);
        call.send(None).expect("all actions are filled");
    }
}

fn pool(task: &Task, options: &Options, shape: PoolShape) -> Pool {
    let mut config = PoolConfig::new(shape.num_envs as i64).expect("a size in range");
    config = config.batch_size(shape.batch_size as i64).expect("a batch no larger than the pool");
    config.num_threads = shape.workers;
    config.max_episode_steps = task.max_episode_steps;
    let outputs = Outputs { dialect: Dialect::EnvPool, format: Format::Gymnasium };
    Pool::new(task, options, config, outputs).expect("defaults go together")
}

fn fill(request: &mut RequestBuilder<'_>, actions: &[ActionValues]) {
    for (key, values) in actions.iter().enumerate() {
        match values {
            ActionValues::Discrete(values) => request.set_action(key, values),
            ActionValues::Continuous(values) => request.set_action(key, values),
        }
        .expect("actions lie in their space");
    }
}

fn env_ids(batch: &Batch) -> impl Iterator<Item = i64> + '_ {
    let column = batch.layout().columns.iter().position(|column| column.role == Role::EnvId);
    let bytes = batch.bytes(column.expect("EnvPool's infos have env_id"));
    bytes.chunks_exact(4).map(|id| i64::from(i32::from_ne_bytes(id.try_into().expect("four bytes"))))
}

fn random_actions(task: &Task, options: &Options, pool: &Pool) -> Vec<Vec<ActionValues>> {
    let spec = task.factory(options).expect("defaults are accepted").spec();
    let mut random = Generator::new(0);
    let leaves = spec.action.leaves();
    let mut batch = || {
        let keys = pool.action_keys().iter().zip(&leaves);
        keys.map(|(key, leaf)| values(key, leaf.space, pool.config().batch_size, &mut random)).collect()
    };
    (0..ACTION_ARRAYS).map(|_| batch()).collect()
}

fn values(key: &ActionKey, space: &Space, lanes: usize, random: &mut Generator) -> ActionValues {
    let count = lanes * key.values_per_row();
    match (key.discrete, space) {
        (Some((start, n)), _) => ActionValues::Discrete((0..count).map(|_| random.integers(start, start + n)).collect()),
        (None, Space::Box { low, high, .. }) => {
            let (low, high) = (low[0].max(-1e3), high[0].min(1e3));
            ActionValues::Continuous((0..count).map(|_| random.uniform(low, high) as f32).collect())
        }
        (None, other) => unreachable!("continuous actions lie in a box, not in {other:?}"),
    }
}
