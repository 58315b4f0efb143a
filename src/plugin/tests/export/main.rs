//! Exports environments of this repository with the functions behind `plugin!`, loads the exported tables, and compares the
//! exported environments with the originals in pools.

mod failures;
mod families;
mod plain;
mod refusals;

use std::sync::LazyLock;

use envpool_rs_engine::{
    ActionColumn, ActionKey, AutoresetMode, Batch, Dialect, Format, Options, Outputs, Pool, PoolConfig, Registry, ResetOptions,
    Result, Role, Task,
};
use envpool_rs_numeric::random::Generator;
use envpool_rs_plugin::export::{ExportedTask, library};
use envpool_rs_plugin::host::load_table;

/// Registry of all tasks that the tests load from exported tables.
static REGISTRY: LazyLock<Registry> = LazyLock::new(Registry::default);

/// Loads a library of these tasks into [`REGISTRY`].
fn load(tasks: Vec<ExportedTask>) -> Result<()> {
    let table = library("exported", "1.0.0", tasks);
    // SAFETY: `library` follows the rules of the interface, and its tables live until the process ends.
    unsafe { load_table(table as usize, "a test", &REGISTRY, &[]) }.map(|_| ())
}

/// Loads a library of one task, and returns the task as it is registered after loading.
fn loaded(id: &'static str, task: ExportedTask) -> &'static Task {
    load(vec![task]).unwrap();
    REGISTRY.task(id).unwrap()
}

/// Returns the options of a task: the values `given`, and defaults for all others.
fn options(task: &Task, given: &[(&str, envpool_rs_engine::Value)]) -> Options {
    let given: Vec<_> = given.iter().map(|(name, value)| ((*name).to_owned(), value.clone())).collect();
    task.resolve(&given).unwrap()
}

/// Returns a pool's configuration with consecutive seeds, starting at 7.
fn config(lanes: i64, mode: AutoresetMode) -> PoolConfig {
    PoolConfig {
        autoreset_mode: mode,
        seeds: envpool_rs_engine::consecutive_seeds(7, lanes as usize).unwrap(),
        episode_statistics: true,
        ..PoolConfig::new(lanes).unwrap()
    }
}

fn never() -> bool {
    false
}

/// Fills a request's actions with random values of their spaces.
fn fill_actions(keys: &[ActionKey], columns: &mut [ActionColumn], lanes: usize, random: &mut Generator) {
    for (key, column) in keys.iter().zip(columns) {
        column.clear();
        for index in 0..lanes * key.values_per_row() {
            match column {
                ActionColumn::I32(values) => {
                    let (start, n) = key.discrete.unwrap();
                    let n = if key.counts.is_empty() { n } else { key.counts[index % key.counts.len()] };
                    values.push(random.integers(start, start + n) as i32);
                }
                ActionColumn::F32(values) => values.push(random.uniform(-1.0, 1.0) as f32),
                ActionColumn::F64(values) => values.push(random.uniform(-1.0, 1.0)),
                _ => unreachable!("actions of these environments are numbers"),
            }
        }
    }
}

/// Returns the bytes of all columns of a batch, except the times of episodes.
fn bytes(batch: &Batch) -> Vec<&[u8]> {
    let columns = batch.layout().columns.iter().enumerate();
    columns.filter(|(_, column)| column.role != Role::EpisodeTime).map(|(index, _)| batch.bytes(index)).collect()
}

fn reset(pool: &Pool, seeds: Vec<Option<u64>>, options: ResetOptions) -> Box<Batch> {
    pool.reset(None, seeds, options).unwrap().run(&mut None, &mut never).unwrap()
}

fn step(pool: &Pool, random: &mut Generator) -> Result<Box<Batch>> {
    let mut call = pool.step(None)?;
    let lanes = call.lanes();
    fill_actions(pool.action_keys(), call.actions(), lanes, random);
    call.run(&mut None, &mut never)
}

/// Steps two pools with the same actions, and compares all columns of all batches.
fn compare_pools(pools: [&Pool; 2], steps: usize, seed: u64, context: &str) {
    let mut randoms = [Generator::new(seed), Generator::new(seed)];
    for number in 0..steps {
        let batches: Vec<_> = pools.iter().zip(&mut randoms).map(|(pool, random)| step(pool, random).unwrap()).collect();
        for (column, (native, exported)) in bytes(&batches[0]).into_iter().zip(bytes(&batches[1])).enumerate() {
            let role = &batches[0].layout().columns[column];
            assert_eq!(native, exported, "{context}: step {number}, {role:?}");
        }
    }
}

/// Compares a task with its exported form: spaces, episodes in both dialects, snapshots and pictures.
fn compare(native: &Task, exported: &Task, steps: usize) {
    let modes = [AutoresetMode::NextStep, AutoresetMode::SameStep];
    for (mode, dialect) in modes.into_iter().flat_map(|mode| [(mode, Dialect::Gymnasium), (mode, Dialect::EnvPool)]) {
        let outputs = Outputs { dialect, format: Format::Gymnasium };
        let limit = native.max_episode_steps.or(Some(40));
        let pool = |task: &Task, lanes| {
            let config = PoolConfig { max_episode_steps: limit, ..config(lanes, mode) };
            Pool::new(task, &options(task, &[]), config, outputs).unwrap()
        };
        let context = format!("{} {mode:?} {dialect:?}", native.id);
        let (first, second) = (pool(native, 37), pool(exported, 37));
        assert_eq!(first.layout(), second.layout(), "{context}");
        let seeds: Vec<_> = (0..37).map(|lane| (lane % 3 != 0).then_some(1000 + lane)).collect();
        let batches = [&first, &second].map(|pool| reset(pool, seeds.clone(), ResetOptions::default()));
        assert_eq!(bytes(&batches[0]), bytes(&batches[1]), "{context}: reset");
        compare_pools([&first, &second], steps, 3, &context);
        let saved = second.get_state(None).unwrap();
        let random = Generator::new(9);
        let after = |pool: &Pool| bytes(&step(pool, &mut random.clone()).unwrap()).concat();
        let expected = after(&second);
        second.set_state(&saved, None).unwrap();
        assert_eq!(after(&second), expected, "{context}: after a snapshot");
    }
    compare_pictures(native, exported);
}

/// Compares the pictures that two tasks render of their initial states.
fn compare_pictures(native: &Task, exported: &Task) {
    let outputs = Outputs { dialect: Dialect::Gymnasium, format: Format::Gymnasium };
    let drawn = |task: &Task| {
        let pool = Pool::new(task, &options(task, &[]), config(2, AutoresetMode::NextStep), outputs).unwrap();
        reset(&pool, Vec::new(), ResetOptions::default());
        let size = pool.rendering().frame_size;
        let picture = size.map(|_| pool.render(None, envpool_rs_engine::RenderArgs::default(), &mut never).unwrap());
        let text = pool.rendering().has_text.then(|| pool.render_text(None, &mut never).unwrap());
        (size, picture.map(|frames| format!("{frames:?}")), text)
    };
    assert_eq!(drawn(native), drawn(exported), "{}: pictures", native.id);
}
