//! Tests which steps the calling thread of a synchronous pool executes itself.

use std::time::{Duration, Instant};

use envpool_rs_engine::{Action, DEFAULT_STACK_BYTES, Env, EnvSpec, Group, Options, Row, Scheduling, Space};
use envpool_rs_numeric::random::Generator;

use super::envs::{A_WHILE, PATIENCE, thread_number};
use super::*;

/// Action of a step that takes less than a microsecond.
const SHORT: i32 = 0;
/// Action of a step that takes [`A_WHILE`].
const LONG: i32 = 1;

/// Environment that records the thread that steps it. Observation: the number of that thread, and the steps since the reset.
/// `TOGETHER` lanes are stepped in one call, which may use `STACK` bytes of stack.
struct Recorder<const TOGETHER: usize, const STACK: usize>;

impl<const TOGETHER: usize, const STACK: usize> Env for Recorder<TOGETHER, STACK> {
    type State = [u32; 2];
    type Random = Generator;
    const SCHEDULING: Scheduling = if TOGETHER == 1 { Scheduling::OneByOne } else { Scheduling::Batched(TOGETHER) };

    fn new(_options: &Options) -> Result<Self> {
        Ok(Self)
    }

    fn spec(&self) -> EnvSpec {
        EnvSpec::new(Space::uniform(0.0, f64::INFINITY, &[2], Dtype::F64), Space::discrete(2))
    }

    fn stack_bytes(&self) -> usize {
        STACK
    }

    fn create(&self, _lane: usize) -> Result<Self::State> {
        Ok([0; 2])
    }

    fn reset(&self, state: &mut Self::State, _options: &ResetOptions, _rng: &mut Generator) {
        *state = [thread_number(), 0];
    }

    fn step(&self, state: &mut Self::State, action: &Action<'_>, _rewards: &mut [f64], _rng: &mut Generator) -> bool {
        if action.discrete() == LONG {
            std::thread::sleep(A_WHILE);
        }
        *state = [thread_number(), state[1] + 1];
        false
    }

    fn observe(&self, state: &Self::State, out: &mut Row<'_>) {
        out.write(0, &state.map(f64::from));
    }
}

/// Number of lanes of every pool of these tests.
const LANES: usize = 16;

/// Returns tasks whose lanes are stepped one by one, and four at a time.
fn tasks() -> [Task; 2] {
    [Task::env::<Recorder<1, DEFAULT_STACK_BYTES>>("Recorder-v0"), Task::env::<Recorder<4, DEFAULT_STACK_BYTES>>("Recorders-v0")]
}

/// Returns for each lane of a batch whether the calling thread stepped it.
fn own_lanes(batch: &Batch) -> Vec<bool> {
    let rows = numbers(batch, Role::Observation(0));
    rows.chunks(2).map(|row| row[0] == f64::from(thread_number())).collect()
}

/// Steps all lanes for a short time each, until the pool estimates that steps are short. On a busy machine, single steps may seem
/// long. Returns whether the calling thread stepped all lanes in some step.
fn steps_all_lanes_itself(pool: &Pool) -> bool {
    let start = Instant::now();
    let mut steps = 0;
    while steps < 1_000 || start.elapsed() < Duration::from_millis(100) {
        steps += 1;
        if own_lanes(&step(pool, None, &[SHORT; LANES]).unwrap()).iter().all(|own| *own) {
            return true;
        }
        assert!(start.elapsed() < PATIENCE);
    }
    false
}

#[test]
fn the_caller_is_the_only_thread_of_a_pool_with_one_thread_and_short_steps() {
    for task in tasks() {
        let pool = reset_pool(&task, config(LANES as i64).num_threads(1).unwrap());
        assert!(steps_all_lanes_itself(&pool));
    }
}

#[test]
fn workers_execute_all_steps_if_the_stack_of_the_caller_is_small() {
    let test = || {
        for (task, few) in tasks().into_iter().zip([1, 4]) {
            for lanes in [few, LANES] {
                let pool = reset_pool(&task, config(lanes as i64).num_threads(1).unwrap());
                for _ in 0..200 {
                    assert_eq!(own_lanes(&step(&pool, None, &vec![SHORT; lanes]).unwrap()), vec![false; lanes]);
                }
            }
        }
    };
    std::thread::Builder::new().stack_size(DEFAULT_STACK_BYTES / 2).spawn(test).unwrap().join().unwrap();
}

#[test]
fn workers_execute_all_steps_of_a_pool_in_which_an_environment_needs_more_stack() {
    let (large, [small, _]) = (Task::env::<Recorder<1, { 1 << 40 }>>("LargeRecorder-v0"), tasks());
    let group = |task| Group { task, options: Options::default(), max_episode_steps: None, num_envs: LANES / 2 };
    let groups = [group(&small), group(&large)];
    let outputs = Outputs { dialect: Dialect::EnvPool, format: Format::Gymnasium };
    let config = config(LANES as i64).num_threads(1).unwrap();
    let mixed = Pool::with_groups(&groups, config.clone(), outputs).unwrap();
    reset(&mixed, None).unwrap();
    for pool in [mixed, reset_pool(&large, config)] {
        assert!(!steps_all_lanes_itself(&pool));
    }
}

#[test]
fn workers_execute_resets_and_the_steps_after_long_ones() {
    for task in tasks() {
        let pool = reset_pool(&task, config(LANES as i64).num_threads(1).unwrap());
        assert!(steps_all_lanes_itself(&pool));
        assert_eq!(own_lanes(&reset(&pool, None).unwrap()), [false; LANES]);
        step(&pool, None, &[LONG; LANES]).unwrap();
        assert_eq!(own_lanes(&step(&pool, None, &[SHORT; LANES]).unwrap()), [false; LANES]);
    }
}

#[test]
fn workers_execute_steps_with_a_deadline() {
    for task in tasks() {
        let pool = reset_pool(&task, config(LANES as i64).num_threads(1).unwrap());
        assert!(steps_all_lanes_itself(&pool));
        let mut call = pool.step(None).unwrap();
        call.set_action(0, &[SHORT; LANES]).unwrap();
        let batch = call.run_until(&mut None, &mut never, Some(Instant::now() + PATIENCE)).unwrap();
        assert_eq!(own_lanes(&batch), [false; LANES]);
    }
}

#[test]
fn workers_execute_all_steps_if_they_are_pinned_to_cpus() {
    for task in tasks() {
        let pool = reset_pool(&task, config(LANES as i64).num_threads(1).unwrap().thread_affinity_offset(0).unwrap());
        assert!(!steps_all_lanes_itself(&pool));
    }
}

#[test]
fn an_interrupt_between_unexpectedly_long_steps_leaves_the_rest_to_a_worker() {
    for task in tasks() {
        let pool = reset_pool(&task, config(LANES as i64).num_threads(1).unwrap());
        let lanes_after_interrupt = || {
            assert!(steps_all_lanes_itself(&pool));
            let mut call = pool.step(None).unwrap();
            call.set_action(0, &[LONG; LANES]).unwrap();
            assert_eq!(call.run(&mut None, &mut || true).err(), Some(Error::Interrupted));
            own_lanes(&recv(&pool).unwrap())
        };
        // On a busy machine, even the last of the short steps may have seemed long; then only the worker steps.
        let own = std::iter::repeat_with(lanes_after_interrupt).take(20).find(|own| own.contains(&true));
        assert!(own.expect("the calling thread steps some lanes").contains(&false));
    }
}

#[test]
fn lanes_can_be_stepped_while_an_interrupted_request_of_the_others_runs() {
    let [task, _] = tasks();
    let pool = reset_pool(&task, config(3).num_threads(3).unwrap());
    for _ in 0..20 {
        (0..200).for_each(|_| drop(step(&pool, None, &[SHORT; 3]).unwrap()));
        std::thread::sleep(Duration::from_millis(1)); // workers fall asleep
        let mut call = pool.step(Some(&[0, 1])).unwrap();
        call.set_action(0, &[LONG; 2]).unwrap();
        assert_eq!(call.run(&mut None, &mut || true).err(), Some(Error::Interrupted));
        send(&pool, Some(&[2]), &[SHORT]).unwrap();
        assert_eq!([recv(&pool).unwrap().rows(), recv(&pool).unwrap().rows()], [2, 1]);
    }
}
