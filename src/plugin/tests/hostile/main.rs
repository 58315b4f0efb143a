//! Tests libraries with one mistake each (`fixtures/hostile.c`): every mistake causes an error that names library, task, field
//! and value.

#[path = "../support/mod.rs"]
mod support;
mod tables;

use std::collections::HashSet;
use std::path::PathBuf;
use std::sync::{LazyLock, Mutex, PoisonError};

use envpool_rs_engine::{
    Batch, Dialect, Error, Format, Outputs, Pool, PoolConfig, Registry, RenderArgs, ResetOptions, Result, Task, Value,
};
use envpool_rs_plugin::host::load_file;

/// Tasks of the small families, whose names libraries cannot have.
static REGISTRY: LazyLock<Registry> = LazyLock::new(|| {
    let mut registry = Registry::default();
    envpool_rs_envs_classic::add_tasks(&mut registry);
    registry
});

/// Path of the compiled fixture.
static LIBRARY: LazyLock<PathBuf> = LazyLock::new(|| support::library("hostile", "hostile", &["-ldl"]));

/// Number of lanes of each pool.
const LANES: usize = 3;

/// Stage of a library's use at which an error is reported.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Stage {
    Load,
    Make,
    Reset,
    ResetOption,
    Step,
    Save,
    Restore,
    Render,
    RenderText,
}

/// Mistakes whose copies exist: tests of one process share them, because a loaded file must not change.
static COPIED: LazyLock<Mutex<HashSet<String>>> = LazyLock::new(Mutex::default);

/// Copies the library to a file whose name selects the mistake, and loads the copy.
fn load(mistake: &str) -> Result<&'static Task> {
    let copy = LIBRARY.with_file_name(format!("libhostile_{mistake}.so"));
    let mut copied = COPIED.lock().unwrap_or_else(PoisonError::into_inner);
    if copied.insert(mistake.to_owned()) {
        let unfinished = copy.with_extension(std::process::id().to_string());
        std::fs::copy(&*LIBRARY, &unfinished)
            .and_then(|_| std::fs::rename(&unfinished, &copy))
            .expect("target can be written to");
    }
    drop(copied);
    // SAFETY: the library breaks only rules that the host checks.
    let info = unsafe { load_file(&copy, &REGISTRY, &["num_envs", "seed"]) }?;
    REGISTRY.task(info.ids[0])
}

fn never() -> bool {
    false
}

/// Receives the rows of environments that have not failed, and drops them.
fn drain(pool: &Pool) {
    while pool.recv(&mut None, &mut never).is_ok() {}
}

fn reset(pool: &Pool, options: ResetOptions) -> Result<Box<Batch>> {
    drain(pool);
    pool.reset(None, vec![Some(3); LANES], options)?.run(&mut None, &mut never)
}

fn step(pool: &Pool) -> Result<Box<Batch>> {
    let mut call = pool.step(None)?;
    call.set_action(0, &[0, 1, 2])?;
    call.run(&mut None, &mut never)
}

/// Uses a library through all functions of a pool, and returns the first failure with its stage.
fn play(mistake: &str, check: bool) -> Option<(Stage, Error)> {
    let task = match load(mistake) {
        Ok(task) => task,
        Err(error) => return Some((Stage::Load, error)),
    };
    let outputs = Outputs { dialect: Dialect::Gymnasium, format: Format::Gymnasium };
    let config = PoolConfig { max_episode_steps: task.max_episode_steps, ..PoolConfig::new(LANES as i64).unwrap() };
    let options = task.resolve(&[("check".to_owned(), Value::Bool(check))]).unwrap();
    let pool = match Pool::new(task, &options, config, outputs) {
        Ok(pool) => pool,
        Err(error) => return Some((Stage::Make, error)),
    };
    let start = |value| ResetOptions::new(vec![("start".to_owned(), value)]);
    let stages: [(Stage, &dyn Fn() -> Result<()>); 7] = [
        (Stage::Reset, &|| reset(&pool, ResetOptions::default()).map(drop)),
        (Stage::ResetOption, &|| reset(&pool, start(0.5)).map(drop)),
        (Stage::Step, &|| (0..30).try_for_each(|_| step(&pool).map(drop))),
        (Stage::Save, &|| pool.get_state(None).map(drop)),
        (Stage::Restore, &|| pool.get_state(None).and_then(|states| pool.set_state(&states, None))),
        (Stage::Render, &|| pool.render(None, RenderArgs::default(), &mut never).map(drop)),
        (Stage::RenderText, &|| pool.render_text(None, &mut never).map(drop)),
    ];
    stages.iter().find_map(|(stage, run)| run().err().map(|error| (*stage, error)))
}

/// Uses libraries with these mistakes. Each must fail at the given stage with the given text, and the error must name the library
/// and the task.
fn refuse(mistakes: &[(&str, Stage, &str)], check: bool) {
    for (mistake, stage, expected) in mistakes {
        let failure = play(mistake, check);
        let (found, error) = failure.unwrap_or_else(|| panic!("{mistake}: no error"));
        let text = error.to_string();
        assert!(text.contains(expected), "{mistake}: expected {expected:?}: {found:?} failed by {text:?}");
        assert_eq!(found, *stage, "{mistake}: {text}");
        assert!(text.contains("hostile"), "{mistake}: {text} does not name the library");
        if found != Stage::Load {
            assert!(text.contains(&format!("task hostile/{mistake}-v0")), "{mistake}: {text} does not name the task");
        }
    }
}

#[test]
fn the_fixture_without_mistakes_does_not_fail() {
    assert!(play("none", false).is_none());
    assert!(play("nothing", true).is_none());
    let pool_error = |check: bool| {
        let task = REGISTRY.task("hostile/none-v0").unwrap();
        let outputs = Outputs { dialect: Dialect::Gymnasium, format: Format::Gymnasium };
        let options = task.resolve(&[("check".to_owned(), Value::Bool(check))]).unwrap();
        let pool = Pool::new(task, &options, PoolConfig::new(LANES as i64).unwrap(), outputs).unwrap();
        reset(&pool, ResetOptions::new(vec![("start".to_owned(), 9.0)])).unwrap_err().to_string()
    };
    for check in [false, true] {
        let error = pool_error(check);
        assert!(error.contains("start: expected at most 5"), "{error}");
    }
}

#[test]
fn wrong_tables_are_refused_when_they_are_loaded() {
    refuse(tables::LOADED, false);
}

#[test]
fn failures_of_functions_are_errors_with_the_librarys_message() {
    refuse(tables::PLAYED, false);
}

#[test]
fn mistakes_that_only_checks_find_are_findings() {
    refuse(tables::CHECKED, true);
}

#[test]
fn mistakes_that_a_pool_survives_without_checks_do_not_end_the_process() {
    for mistake in tables::SURVIVED {
        let failure = play(mistake, false);
        assert!(failure.is_none(), "{mistake}: {failure:?}");
    }
}

#[test]
fn a_failed_lane_is_usable_after_its_reset() {
    let task = load("lane_fails").unwrap();
    let outputs = Outputs { dialect: Dialect::Gymnasium, format: Format::Gymnasium };
    let pool = Pool::new(task, &task.resolve(&[]).unwrap(), PoolConfig::new(LANES as i64).unwrap(), outputs).unwrap();
    for _ in 0..3 {
        reset(&pool, ResetOptions::default()).unwrap();
        let error = step(&pool).unwrap_err();
        let Error::Failed(failure) = &error else { panic!("{error}") };
        assert_eq!((failure.lane, failure.others.len(), failure.rows_pending), (1, 0, LANES - 1));
    }
}
