//! Test environment whose state is memory of a C-like library: behind a pointer, created by a call that can fail.
//!
//! Saving and loading a state needs the library's model, and a call releases the state. The model is loaded once. Each thread has
//! a copy of the model, into which it writes a number that depends on the lane before each step.

use std::ptr::NonNull;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use envpool_rs_engine::{
    Action, AssetCache, AutoresetMode, Env, EnvSpec, EpisodeEnd, Group, LaneState, OptionSpec, Options, Row, ScratchPool, Space,
    read_value, refused_state, write_value,
};
use envpool_rs_numeric::random::Generator;

use super::super::envs::until;
use super::*;

/// Action that ends the episode.
const END: i32 = 1;
/// Action with which the library rejects the step.
const FAIL: i32 = 2;
/// Error message of the library.
pub const REFUSAL: &str = "the library refuses this step";
/// Action after which the library rejects the next reset.
const FAIL_AT_RESET: i32 = 3;

static LOADED: AtomicUsize = AtomicUsize::new(0);
static ALIVE: AtomicUsize = AtomicUsize::new(0);
/// Lock that serializes tests that check counters of the whole process.
static TURN: std::sync::Mutex<()> = std::sync::Mutex::new(());

/// Data of one simulation in the library.
struct Data {
    lane: usize,
    seed: u64,
    /// Number of steps since the reset, plus the sum of the fractions of all actions.
    steps: f64,
    fails: bool,
}

/// Owning pointer to [`Data`], valid from `new` to `delete`.
#[derive(Debug)]
struct DataPointer(NonNull<Data>);

// SAFETY: the pointer owns a `Data` value, which has no thread affinity.
unsafe impl Send for DataPointer {}

impl DataPointer {
    fn new(data: Data) -> Self {
        ALIVE.fetch_add(1, Ordering::SeqCst);
        Self(NonNull::from(Box::leak(Box::new(data))))
    }

    fn data(&self) -> &Data {
        // SAFETY: the `Data` value lives until `delete`, which consumes the pointer.
        unsafe { self.0.as_ref() }
    }

    fn data_mut(&mut self) -> &mut Data {
        // SAFETY: the `Data` value lives until `delete`, which consumes the pointer; `&mut self` makes the access exclusive.
        unsafe { self.0.as_mut() }
    }

    fn delete(self) {
        ALIVE.fetch_sub(1, Ordering::SeqCst);
        // SAFETY: `new` leaked the `Data` value from a box, and `self` is consumed, so the value is freed once.
        drop(unsafe { Box::from_raw(self.0.as_ptr()) });
    }
}

/// Default gain of the model.
const GAIN: f64 = 2.0;

/// Model that the library loads: a factor by which observations are multiplied.
struct Model {
    gain: f64,
}

/// Environment of the library. Observation float64 `(4,)`: lane, seed, steps times the model's gain, and the number in the
/// thread's copy of the model. Action float64 `(1,)`: the integer part selects the operation, the fraction is added to the steps.
struct CLibrary {
    fails_at: i64,
    lingers: u64,
    model: Option<Arc<Model>>,
    threads: ScratchPool<Model>,
}

impl Env for CLibrary {
    type State = DataPointer;
    type Random = Generator;
    const SPEC_NEEDS_LOAD: bool = true;

    fn options() -> Vec<OptionSpec> {
        let fails_at = OptionSpec::new("fails_at", -1, "the lane that cannot be created; -1: none");
        let lingers = OptionSpec::new("lingers", 0, "milliseconds that each creation takes");
        vec![fails_at, lingers, OptionSpec::new("gain", GAIN, "of the model").per_episode()]
    }

    fn new(options: &Options) -> Result<Self> {
        let lingers = options.int("lingers") as u64;
        Ok(Self { fails_at: options.int("fails_at"), lingers, model: None, threads: ScratchPool::default() })
    }

    fn load(&mut self, store: &AssetCache) -> Result<()> {
        let load = || {
            LOADED.fetch_add(1, Ordering::SeqCst);
            Ok((Model { gain: GAIN }, size_of::<Model>()))
        };
        self.model = Some(store.get_or_load("model", load)?);
        Ok(())
    }

    fn spec(&self) -> EnvSpec {
        assert!(self.model.is_some(), "described before it was loaded");
        let observation = Space::uniform(f64::NEG_INFINITY, f64::INFINITY, &[4], Dtype::F64);
        let action = Space::uniform(0.0, 4.0, &[1], Dtype::F64);
        EnvSpec { envpool_observation: Some(observation.clone()), ..EnvSpec::new(observation, action) }
    }

    fn create(&self, lane: usize) -> Result<DataPointer> {
        std::thread::sleep(std::time::Duration::from_millis(self.lingers));
        match lane as i64 == self.fails_at {
            true => Err(Error::NotFound(format!("the library has no place for lane {lane}"))),
            false => Ok(DataPointer::new(Data { lane, seed: 0, steps: 0.0, fails: false })),
        }
    }

    fn close(&self, state: DataPointer) {
        state.delete();
    }

    fn reset(&self, state: &mut DataPointer, options: &ResetOptions, _rng: &mut Generator) {
        let data = state.data_mut();
        if std::mem::take(&mut data.fails) {
            Error::State("the library refuses this reset".into()).raise();
        }
        (data.seed, data.steps) = (options.seed().unwrap_or(data.seed), 0.0);
    }

    fn next_episode(&self, state: &mut DataPointer, _ended: EpisodeEnd, rng: &mut Generator) -> i32 {
        self.reset(state, &ResetOptions::default(), rng);
        0
    }

    fn step(&self, state: &mut DataPointer, action: &Action<'_>, rewards: &mut [f64], _rng: &mut Generator) -> bool {
        let asked = action.doubles(0, 1)[0];
        if asked as i32 == FAIL {
            Error::State(REFUSAL.into()).raise();
        }
        let data = state.data_mut();
        data.fails = asked as i32 == FAIL_AT_RESET;
        data.steps += 1.0 + asked.fract();
        rewards[0] = data.steps;
        asked as i32 == END
    }

    fn observe(&self, state: &DataPointer, out: &mut Row<'_>) {
        let (data, model) = (state.data(), self.model.as_ref().expect("loaded"));
        let patched = self.threads.with(
            || Ok(Model { gain: model.gain }),
            |own| {
                own.gain = model.gain + data.lane as f64;
                own.gain
            },
        );
        out.write(
            0,
            &[data.lane as f64, data.seed as f64, data.steps * model.gain, patched.unwrap_or_else(|error| error.raise())],
        );
    }
}

impl LaneState<CLibrary> for DataPointer {
    fn save(&self, env: &CLibrary, bytes: &mut Vec<u8>) -> Result<()> {
        let (data, model) = (self.data(), env.model.as_ref().expect("loaded"));
        write_value(bytes, &(data.lane, data.seed, data.steps * model.gain))
    }

    fn load(env: &CLibrary, bytes: &mut &[u8]) -> Result<Self> {
        let (lane, seed, gained): (usize, u64, f64) = read_value(bytes)?;
        match gained >= 0.0 {
            true => Ok(Self::new(Data { lane, seed, steps: gained / env.model.as_ref().expect("loaded").gain, fails: false })),
            false => Err(refused_state("the library knows no negative steps")),
        }
    }
}

pub fn task() -> Task {
    Task::env::<CLibrary>("CLibrary-v0")
}

/// Returns the number of steps of each environment since its last reset.
pub fn counts(batch: &Batch) -> Vec<f64> {
    numbers(batch, Role::Observation(0)).chunks(4).map(|row| row[2] / GAIN).collect()
}

fn pool(given: &[(&str, envpool_rs_engine::Value)], config: PoolConfig) -> Result<Pool> {
    let task = task();
    let given: Vec<_> = given.iter().map(|(name, value)| ((*name).to_owned(), value.clone())).collect();
    let outputs = Outputs { dialect: Dialect::Gymnasium, format: Format::Gymnasium };
    Pool::new(&task, &task.resolve(&given)?, config, outputs)
}

/// Waits until all environments of earlier tests are closed, and returns a lock guard for an exclusive test. The last worker that
/// exits closes a pool's environments.
pub fn turn() -> std::sync::MutexGuard<'static, ()> {
    let turn = TURN.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
    until(|| ALIVE.load(Ordering::SeqCst) == 0);
    turn
}

#[test]
fn lanes_have_their_ids_and_raw_seeds_and_share_one_model() {
    let _turn = turn();
    let before = LOADED.load(Ordering::SeqCst);
    let pool = pool(&[], config(6).seeds(vec![7, 8, 9, 10, 11, 12]).unwrap()).unwrap();
    assert_eq!(LOADED.load(Ordering::SeqCst), before + 1);
    let batch = reset(&pool, None).unwrap();
    let rows = numbers(&batch, Role::Observation(0));
    let expected: Vec<_> = (0..6).flat_map(|lane| [f64::from(lane), f64::from(lane) + 7.0, 0.0, f64::from(lane) + 2.0]).collect();
    assert_eq!(rows, expected);
    let again = pool.reset(Some(&[4, 2]), vec![Some(99), None], ResetOptions::default()).unwrap();
    let batch = again.run(&mut None, &mut never).unwrap();
    assert_eq!(numbers(&batch, Role::Observation(0))[..2], [4.0, 99.0]);
    assert_eq!(numbers(&batch, Role::Observation(0))[4..6], [2.0, 9.0], "it goes on with its own");
}

#[test]
fn double_precision_numbers_survive_the_round_trip_in_both_dialects() {
    let _turn = turn();
    let (seed, fraction) = ((1 << 24) + 1, 0.1);
    for dialect in [Dialect::Gymnasium, Dialect::EnvPool] {
        let outputs = Outputs { dialect, format: Format::Gymnasium };
        let task = task();
        let pool = Pool::new(&task, &task.resolve(&[]).unwrap(), config(1).seed(seed).unwrap(), outputs).unwrap();
        reset(&pool, None).unwrap();
        let mut call = pool.step(None).unwrap();
        call.set_action(0, &[fraction]).unwrap();
        let batch = call.run(&mut None, &mut never).unwrap();
        assert_eq!(numbers(&batch, Role::Observation(0)), [0.0, seed as f64, (1.0 + fraction) * GAIN, GAIN], "{dialect:?}");
    }
}

#[test]
fn a_failed_lane_creation_destroys_the_partially_built_pool() {
    let _turn = turn();
    for threads in [0, 1, 3] {
        let before = ALIVE.load(Ordering::SeqCst);
        let threaded = PoolConfig { num_threads: threads, ..config(8) };
        let error = pool(&[("fails_at", 5.into())], threaded).err().unwrap();
        assert_eq!(error, Error::NotFound("the library has no place for lane 5".into()));
        assert_eq!(ALIVE.load(Ordering::SeqCst), before);
    }
}

#[test]
fn pool_construction_is_interruptible_between_environments() {
    let _turn = turn();
    let task = task();
    let options = task.resolve(&[("lingers".to_owned(), 10.into())]).unwrap();
    let group = Group { task: &task, options, max_episode_steps: None, num_envs: 1000 };
    let outputs = Outputs { dialect: Dialect::Gymnasium, format: Format::Gymnasium };
    for threads in [1, 3] {
        let before = ALIVE.load(Ordering::SeqCst);
        let threaded = PoolConfig { num_threads: threads, ..config(1000) };
        let mut most = 0;
        let mut interrupt = || {
            most = ALIVE.load(Ordering::SeqCst) - before;
            most > 0 // on a slow machine, the interrupt may come before any state exists
        };
        let made = Pool::with_groups_interruptible(std::slice::from_ref(&group), threaded, outputs, &mut interrupt);
        assert_eq!((made.err(), ALIVE.load(Ordering::SeqCst)), (Some(Error::Interrupted), before));
        assert!((1..1000).contains(&most), "{most} had been created");
    }
}

#[test]
fn all_created_states_are_destroyed_in_order() {
    let _turn = turn();
    let before = ALIVE.load(Ordering::SeqCst);
    let pool = pool(&[], PoolConfig { num_threads: 2, ..config(5) }).unwrap();
    assert_eq!(ALIVE.load(Ordering::SeqCst), before + 5);
    reset(&pool, None).unwrap();
    assert!(step(&pool, None, &[0, 0, FAIL, 0, 0]).is_err());
    recv(&pool).unwrap();
    reset(&pool, Some(&[2])).unwrap();
    let states = pool.get_state(None).unwrap();
    pool.set_state(&states, None).unwrap();
    assert_eq!(ALIVE.load(Ordering::SeqCst), before + 5, "a state goes where another comes");
    drop(pool);
    until(|| ALIVE.load(Ordering::SeqCst) == before); // the last worker that exits closes the environment
}

#[test]
fn a_library_error_is_reported_and_the_lane_recreated_with_its_seed() {
    let _turn = turn();
    let pool = pool(&[], config(3).seed(20).unwrap()).unwrap();
    reset(&pool, None).unwrap();
    let error = message(step(&pool, None, &[0, FAIL, 0]));
    assert!(error.starts_with(&format!("environment 1 failed: {REFUSAL}")), "{error}");
    assert_eq!(recv(&pool).unwrap().rows(), 2);
    let batch = reset(&pool, Some(&[1])).unwrap();
    assert_eq!(numbers(&batch, Role::Observation(0))[..3], [1.0, 21.0, 0.0]);
    step(&pool, None, &[0, FAIL_AT_RESET, 0]).unwrap();
    let error = message(reset(&pool, Some(&[1])));
    assert!(error.starts_with("environment 1 failed: the library refuses this reset"), "{error}");
    assert_eq!(numbers(&reset(&pool, Some(&[1])).unwrap(), Role::Observation(0))[..3], [1.0, 21.0, 0.0]);
}

#[test]
fn states_are_saved_and_loaded_through_the_model() {
    let _turn = turn();
    let pool = pool(&[], config(2)).unwrap();
    reset(&pool, None).unwrap();
    step(&pool, None, &[0, 0]).unwrap();
    let states = pool.get_state(None).unwrap();
    let expected = numbers(&step(&pool, None, &[0, END]).unwrap(), Role::Observation(0));
    pool.set_state(&states, None).unwrap();
    assert_eq!(numbers(&step(&pool, None, &[0, END]).unwrap(), Role::Observation(0)), expected);
}

#[test]
fn groups_and_episodes_with_different_options_share_loaded_assets() {
    let _turn = turn();
    let task = task();
    let drawn = envpool_rs_engine::Value::Distribution(envpool_rs_engine::Distribution::Uniform(1.0, 3.0));
    let options = [vec![], vec![("gain".to_owned(), drawn.clone())], vec![("gain".to_owned(), drawn)]];
    let before = LOADED.load(Ordering::SeqCst);
    let group = |given: &[(String, envpool_rs_engine::Value)]| Group {
        task: &task,
        options: task.resolve(given).unwrap(),
        max_episode_steps: None,
        num_envs: 2,
    };
    let groups: Vec<_> = options[1..].iter().map(|given| group(given)).collect();
    let outputs = Outputs { dialect: Dialect::Gymnasium, format: Format::Gymnasium };
    let config = PoolConfig { autoreset_mode: AutoresetMode::SameStep, ..config(4) };
    let pool = Pool::with_groups(&groups, config, outputs).unwrap();
    reset(&pool, None).unwrap();
    for _ in 0..3 {
        step(&pool, None, &[END; 4]).unwrap();
    }
    assert_eq!(LOADED.load(Ordering::SeqCst), before + 1);
}
