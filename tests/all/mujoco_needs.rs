//! Tests that MuJoCo tasks read only the fields of `mjData` that they declare. In debug builds, the native stepper sets all other
//! fields to NaN.
//!
//! `nox -s mujoco_needs` passes paths in environment variables: MuJoCo's library (`ENVPOOL_RS_MUJOCO`, a file written by
//! `envpool-rs mujoco-library FILE`), gymnasium's models (`ENVPOOL_RS_MUJOCO_MODELS`), dm_control's suite (`ENVPOOL_RS_SUITE`)
//! and a Python interpreter with dm_control (`ENVPOOL_RS_PYTHON`). Tests whose variables are not set are skipped.

use std::collections::{BTreeSet, HashMap};
use std::path::Path;
use std::process::Command;
use std::sync::Mutex;

use envpool_rs::engine::{
    AssetCache, Batch, Dialect, Distribution, Format, OptionSpec, Options, Outputs, Pool, PoolConfig, ResetOptions, Result, Task,
    Value,
};
use envpool_rs::envs::{dm_control, mujoco};
use envpool_rs::sim::mujoco::{Data, Model, install_described, model_generator};

/// Number of environments: a group of eight, which fills a vector register, and a second group of one.
const ENVS: i64 = 9;
const STEPS: usize = 40;
/// Time limit of episodes in steps, so small that a second episode starts.
const EPISODE: u32 = 25;

/// Prefixes of the ids of tasks that only MuJoCo's library can step.
const LIBRARY_ONLY_TASKS: [&str; 8] = [
    "dm_control/dog",
    "dm_control/humanoid_CMU",
    "dm_control/lqr",
    "dm_control/manipulator",
    "dm_control/point_mass-hard",
    "dm_control/quadruped-escape",
    "dm_control/quadruped-fetch",
    "dm_control/stacker",
];

fn variable(name: &str) -> Option<String> {
    let value = std::env::var(name).ok();
    if value.is_none() {
        eprintln!("skipped: {name} is not set; see `nox -s mujoco_needs`");
    }
    value
}

/// Registers the Python interpreter `python` as the generator of models that have no file. Each model is generated once.
fn generate_models_with(python: String) {
    let made = Mutex::new(HashMap::new());
    let make = move |name: &str| {
        let script = "import sys; from envpool_rs._spec.assets import _made; sys.stdout.buffer.write(_made(sys.argv[1]))";
        let made = Command::new(&python).args(["-c", script, name]).output().map_err(|error| error.to_string())?;
        if made.status.success() { Ok(made.stdout) } else { Err(String::from_utf8_lossy(&made.stderr).into_owned()) }
    };
    model_generator::set_generator(Box::new(move |name| {
        made.lock().unwrap().entry(name.to_owned()).or_insert_with(|| make(name)).clone()
    }));
}

/// Options with which only MuJoCo's library can step a task.
const LIBRARY_ONLY_OPTIONS: [&str; 2] = ["from_pixels", "legacy_step"];

/// Returns the task's boolean options with inverted values, except paths and `LIBRARY_ONLY_OPTIONS`.
fn flipped(task: &Task) -> Vec<(String, Value)> {
    let flags = task.resolve(&[]).unwrap();
    let flip = |option: &OptionSpec| match flags.get(option.name) {
        Value::Bool(value) if !option.is_path && !LIBRARY_ONLY_OPTIONS.contains(&option.name) => {
            Some((option.name.to_owned(), Value::Bool(!value)))
        }
        _ => None,
    };
    task.options.iter().filter_map(flip).collect()
}

/// Returns an action between -1.5 and 1.5, sometimes a bound. Such actions are large enough to cause falls and contacts.
fn action(step: usize, index: usize) -> f64 {
    let wave = (1.3 * step as f64 + 2.7 * index as f64 + (step * index % 17) as f64).sin();
    if step % 10 < 5 { 1.5 * wave } else { wave.signum() }
}

/// Runs a task. Returns whether the native stepper stepped the task, and the bytes of all columns after the reset and after each
/// step.
fn play(task: &Task, options: &Options) -> Result<(bool, Vec<Vec<u8>>)> {
    let config = PoolConfig { num_threads: 1, max_episode_steps: Some(EPISODE), ..PoolConfig::new(ENVS)?.seed(7)? };
    let pool = Pool::new(task, options, config, Outputs { dialect: Dialect::Gymnasium, format: Format::Gymnasium })?;
    let bytes = |batch: &Batch| (0..batch.layout().columns.len()).flat_map(|column| batch.bytes(column)).copied().collect();
    let len = ENVS as usize * pool.action_keys()[0].shape.iter().product::<usize>();
    let mut batch = pool.reset(None, Vec::new(), ResetOptions::default())?.run(&mut None, &mut || false)?;
    let mut seen = vec![bytes(&batch)];
    for step in 0..STEPS {
        let mut call = pool.step(None)?;
        call.set_action(0, &(0..len).map(|index| action(step, index)).collect::<Vec<_>>())?;
        batch = call.run(&mut Some(batch), &mut || false)?;
        seen.push(bytes(&batch));
    }
    Ok((pool.decided().iter().any(|decided| decided.value == "native".into()), seen))
}

/// Runs `task` with the native stepper and with MuJoCo's library, and adds differences to `differing`. Returns whether the native
/// stepper can step the task.
fn compare(task: &Task, given: &[(String, Value)], differing: &mut Vec<String>) -> bool {
    let by = |physics: &str| {
        let given = [given, &[("physics".to_owned(), physics.into())]].concat();
        play(task, &task.resolve(&given).unwrap()).unwrap_or_else(|error| panic!("{}: {error}", task.id))
    };
    let (is_native, ours) = by("auto");
    if is_native {
        let step = ours.iter().zip(&by("libmujoco").1).position(|(ours, theirs)| ours != theirs);
        differing.extend(step.map(|step| format!("{} {given:?} in step {step}", task.id)));
    }
    is_native
}

/// Compares each task with default flags and with inverted flags. Panics if results differ, or if only MuJoCo's library can step
/// a task.
fn compare_all(tasks: &[Task], place: &str, folder: &str) {
    if !cfg!(debug_assertions) {
        panic!("expected a debug build: only debug builds hide undeclared fields");
    }
    let (mut left, mut differing) = (BTreeSet::new(), Vec::new());
    for task in tasks {
        for flags in [Vec::new(), flipped(task)] {
            let given = [flags, vec![(place.to_owned(), folder.into())]].concat();
            if !compare(task, &given, &mut differing) {
                left.insert(task.id);
            }
        }
    }
    assert!(differing.is_empty(), "tasks read fields that they have not declared: {differing:#?}");
    assert!(left.is_empty(), "only the library steps {left:?}");
}

#[test]
fn robots_read_only_the_fields_that_they_declare() {
    let (Some(file), Some(folder)) = (variable("ENVPOOL_RS_MUJOCO"), variable("ENVPOOL_RS_MUJOCO_MODELS")) else { return };
    // SAFETY: `envpool-rs mujoco-library` wrote the file from the description of the library in the Python package `mujoco`.
    unsafe { install_described(Path::new(&file)) }.unwrap();
    // Versions 3 and 2 of a robot are aliases of version 4, except Ant-v3, which includes contact forces.
    let mut tasks = mujoco::tasks();
    tasks.retain(|task| task.id == "Ant-v3" || task.id.ends_with("-v4") || task.id.ends_with("-v5"));
    assert_eq!(tasks.len(), 23);
    compare_all(&tasks, "xml_dir", &folder);
}

#[test]
fn memory_of_a_pool_with_drawn_options_includes_one_simulation_per_thread() {
    let (Some(file), Some(folder)) = (variable("ENVPOOL_RS_MUJOCO"), variable("ENVPOOL_RS_MUJOCO_MODELS")) else { return };
    // SAFETY: `envpool-rs mujoco-library` wrote the file from the description of the library in the Python package `mujoco`.
    let library = unsafe { install_described(Path::new(&file)) }.unwrap();
    let model = Model::from_xml(library, &Path::new(&folder).join("hopper.xml"), &[]).unwrap();
    let simulation = Data::new(&model).unwrap().bytes();
    let tasks = mujoco::tasks();
    let hopper = tasks.iter().find(|task| task.id == "Hopper-v5").unwrap();
    let noise = Value::Distribution(Distribution::Uniform(0.0, 0.1));
    for physics in ["native", "libmujoco"] {
        let given = [("xml_dir", folder.as_str().into()), ("physics", physics.into()), ("reset_noise_scale", noise.clone())];
        let options = hopper.resolve(&given.map(|(name, value)| (name.to_owned(), value))).unwrap();
        let mut blueprint = hopper.factory(&options).unwrap();
        assert!(blueprint.thread_bytes() < simulation, "{physics}: nothing is known of its model yet");
        blueprint.load(&AssetCache::default()).unwrap();
        assert!(blueprint.thread_bytes() >= simulation, "{physics}");
    }
}

#[test]
fn domains_read_only_the_fields_that_they_declare() {
    let (Some(file), Some(folder)) = (variable("ENVPOOL_RS_MUJOCO"), variable("ENVPOOL_RS_SUITE")) else { return };
    let Some(python) = variable("ENVPOOL_RS_PYTHON") else { return };
    // SAFETY: `envpool-rs mujoco-library` wrote the file from the description of the library in the Python package `mujoco`.
    unsafe { install_described(Path::new(&file)) }.unwrap();
    generate_models_with(python);
    let is_ours = |id: &str| id.starts_with("dm_control/") && !LIBRARY_ONLY_TASKS.iter().any(|start| id.starts_with(start));
    let mut tasks = dm_control::tasks();
    tasks.retain(|task| is_ours(task.id));
    assert_eq!(tasks.len(), 32);
    compare_all(&tasks, "suite_dir", &folder);
}
