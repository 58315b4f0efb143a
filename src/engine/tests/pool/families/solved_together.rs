//! Test environment that resets and steps up to eight worlds together.
//!
//! A step is one expensive call for all of them, as in a physics solver that simulates one world in each vector lane.

use std::cell::RefCell;
use std::time::{Duration, Instant};

use envpool_rs_engine::{
    Action, AutoresetMode, Env, EnvSpec, LaneReset, LaneStep, Options, RequestBuilder, Row, Scheduling, Space,
};
use envpool_rs_numeric::random::Generator;
use serde::{Deserialize, Serialize};

use super::*;

/// Largest number of worlds that one call steps.
const WORLDS: usize = 8;
/// Duration of one call, independent of the number of worlds.
const SOLUTION: Duration = Duration::from_micros(50);

const GO_ON: i32 = 0;
const END: i32 = 1;
const PANIC: i32 = 2;
const FAIL: i32 = 3;

/// Environment whose worlds are solved together. Observation float64 `(2,)`: a number drawn at the reset, and the steps. Reward:
/// the steps. No infos. The reset option `fail` is the number of a lane whose reset fails, or -1 for a panic; `first` is the number of steps that an
/// episode starts with. `TOGETHER` is whether worlds are reset together.
struct Worlds<const TOGETHER: bool>;

thread_local! {
    /// Numbers of worlds that this thread has reset together.
    static RESETS: RefCell<Vec<usize>> = const { RefCell::new(Vec::new()) };
}

#[derive(Serialize, Deserialize)]
struct World {
    lane: usize,
    drawn: f64,
    steps: u32,
}

impl<const TOGETHER: bool> Env for Worlds<TOGETHER> {
    type State = World;
    type Random = Generator;
    const SCHEDULING: Scheduling = Scheduling::Batched(WORLDS);
    const RESET_OPTIONS: &'static [&'static str] = &["fail", "first"];

    fn new(_options: &Options) -> Result<Self> {
        Ok(Self)
    }

    fn spec(&self) -> EnvSpec {
        EnvSpec::new(Space::uniform(0.0, f64::INFINITY, &[2], Dtype::F64), Space::discrete(4))
    }

    fn create(&self, lane: usize) -> Result<World> {
        Ok(World { lane, drawn: 0.0, steps: 0 })
    }

    fn reset(&self, state: &mut World, options: &ResetOptions, rng: &mut Generator) {
        *state = World { lane: state.lane, drawn: rng.random(), steps: options.get("first").unwrap_or(0.0) as u32 };
    }

    fn resets_together(&self) -> bool {
        TOGETHER
    }

    fn reset_lanes(&self, lanes: &mut [LaneReset<'_, Self>]) {
        assert!((1..=WORLDS).contains(&lanes.len()), "{} worlds", lanes.len());
        RESETS.with_borrow_mut(|resets| resets.push(lanes.len()));
        assert!(lanes[0].options.get("fail") != Some(-1.0), "it was asked to");
        for world in lanes {
            self.reset(world.state, &world.options, world.random);
            if world.options.get("fail") == Some(world.state.lane as f64) {
                world.error = Some(Error::State("its reset was asked to fail".into()));
            }
        }
    }

    fn step(&self, _: &mut World, _: &Action<'_>, _: &mut [f64], _: &mut Generator) -> bool {
        unreachable!("worlds are never solved one by one")
    }

    fn step_lanes(&self, lanes: &mut [LaneStep<'_, Self>]) {
        assert!((1..=WORLDS).contains(&lanes.len()), "{} worlds", lanes.len());
        let start = Instant::now();
        while start.elapsed() < SOLUTION {
            std::hint::spin_loop();
        }
        for world in lanes {
            assert!(world.action.discrete() != PANIC, "it was asked to");
            if world.action.discrete() == FAIL {
                world.error = Some(Error::State("it was asked to fail".into()));
                continue;
            }
            let _moves_the_stream_on = world.random.random();
            world.state.steps += 1;
            world.rewards[0] = f64::from(world.state.steps);
            world.terminated = world.action.discrete() == END;
        }
    }

    fn observe(&self, state: &World, out: &mut Row<'_>) {
        out.write(0, &[state.drawn, f64::from(state.steps)]);
    }
}

pub fn task() -> Task {
    Task::env::<Worlds<true>>("Worlds-v0")
}

/// Runs 20 worlds for `steps` steps, and returns the rows of each world. Some worlds end their episodes on the way.
fn trajectories(config: PoolConfig, steps: usize) -> Vec<Vec<Vec<f64>>> {
    let lanes = config.num_envs;
    let pool = pool_of(&task(), config);
    pool.reset(None, Vec::new(), ResetOptions::default()).unwrap().send(None).unwrap();
    let mut rows = vec![Vec::new(); lanes];
    while rows.iter().any(|rows| rows.len() < steps) {
        let batch = recv(&pool).unwrap();
        let ids: Vec<_> = ids(&batch).iter().map(|id| *id as i64).collect();
        let observations = numbers(&batch, Role::Observation(0));
        let (rewards, done) = (numbers(&batch, Role::Reward), numbers(&batch, Role::Terminated));
        for (row, id) in ids.iter().enumerate() {
            rows[*id as usize].push([&observations[2 * row..][..2], &[rewards[row], done[row]]].concat());
        }
        let actions: Vec<_> =
            ids.iter().map(|id| i32::from((rows[*id as usize].len() + *id as usize).is_multiple_of(5))).collect();
        send(&pool, Some(&ids), &actions).unwrap();
    }
    rows.iter_mut().for_each(|rows| rows.truncate(steps));
    rows
}

#[test]
fn jointly_solved_worlds_do_not_depend_on_their_grouping() {
    for mode in [AutoresetMode::NextStep, AutoresetMode::SameStep] {
        let alone = trajectories(PoolConfig { num_threads: 0, autoreset_mode: mode, ..config(20) }, 12);
        let shared = trajectories(PoolConfig { num_threads: 2, autoreset_mode: mode, ..config(20) }, 12);
        let first_come = config(20).batch_size(7).unwrap();
        let first_come = trajectories(PoolConfig { num_threads: 2, autoreset_mode: mode, ..first_come }, 12);
        assert!(alone.iter().flatten().any(|row| row[3] == 1.0) && alone[0].len() == 12);
        assert_eq!(alone, shared);
        assert_eq!(alone, first_come);
    }
}

#[test]
fn a_panic_fails_only_the_jointly_solved_environments() {
    let pool = reset_pool(&task(), PoolConfig { num_threads: 0, ..config(20) });
    let mut actions = [GO_ON; 20];
    actions[10] = PANIC;
    let error = message(step(&pool, None, &actions));
    assert!(error.starts_with("environment 8 panicked (and 7 more): it was asked to"), "{error}");
    let others = recv(&pool).unwrap();
    assert_eq!(ids(&others), (0..8).chain(16..20).map(f64::from).collect::<Vec<_>>());
    reset(&pool, Some(&[8, 9, 10, 11, 12, 13, 14, 15])).unwrap();
    assert_eq!(step(&pool, None, &[GO_ON; 20]).unwrap().rows(), 20);
}

#[test]
fn a_single_failure_affects_no_other_environment() {
    for num_threads in [0, 2] {
        let pool = reset_pool(&task(), PoolConfig { num_threads, ..config(20) });
        let mut actions = [GO_ON; 20];
        (actions[10], actions[13]) = (FAIL, FAIL);
        let error = message(step(&pool, None, &actions));
        assert!(error.starts_with("environment 10: it was asked to fail") || error.contains("it was asked to fail"), "{error}");
        let others = recv(&pool).unwrap();
        let expected: Vec<_> = (0..20).filter(|id| ![10, 13].contains(id)).map(f64::from).collect();
        assert_eq!((ids(&others), numbers(&others, Role::Reward)), (expected, vec![1.0; 18]));
        reset(&pool, Some(&[10, 13])).unwrap();
        assert_eq!(step(&pool, None, &[GO_ON; 20]).unwrap().rows(), 20);
    }
}

#[test]
fn worlds_are_reset_together() {
    let resets = || RESETS.take();
    let pool = reset_pool(&task(), PoolConfig { num_threads: 0, ..config(20) });
    assert_eq!(resets(), [8, 8, 4]);
    let mut actions = [GO_ON; 20];
    for lane in [1, 10, 13] {
        actions[lane] = END;
    }
    let before = numbers(&step(&pool, None, &actions).unwrap(), Role::Observation(0));
    let batch = step(&pool, None, &[GO_ON; 20]).unwrap();
    assert_eq!(resets(), [1, 2]);
    let after = numbers(&batch, Role::Observation(0));
    for (lane, (before, after)) in before.chunks(2).zip(after.chunks(2)).enumerate() {
        let is_reset = [1, 10, 13].contains(&lane);
        assert_eq!((before[0] != after[0], after[1]), (is_reset, if is_reset { 0.0 } else { 2.0 }), "lane {lane}");
    }
}

/// Returns the observations of requests that reset and step some of 20 worlds, with seeds and with options for each world.
fn observations_after_resets(task: &Task) -> Vec<Vec<f64>> {
    let pool = reset_pool(task, PoolConfig { num_threads: 0, autoreset_mode: AutoresetMode::NextStep, ..config(20) });
    let mut seen = Vec::new();
    let mut run = |call: Result<RequestBuilder<'_>>| {
        seen.push(numbers(&call.unwrap().run(&mut None, &mut never).unwrap(), Role::Observation(0)));
    };
    let step = |actions: &[i32]| {
        let mut call = pool.step(None).unwrap();
        call.set_action(0, actions).unwrap();
        Ok(call)
    };
    let actions: Vec<_> = (0..20).map(|lane| if lane % 3 == 0 { END } else { GO_ON }).collect();
    run(step(&actions));
    run(step(&actions)); // one world in three is reset, the others are stepped
    let first = |values: &[f64]| ResetOptions::default().with_rows(vec![("first".into(), values.to_vec())]);
    let ids = [2, 3, 5, 7, 8, 11, 12, 13, 14, 15, 19];
    let seeds = (0..11).map(|item| (item % 2 == 0).then_some(40 + item)).collect();
    run(pool.reset(Some(&ids), seeds, first(&[3.0, f64::NAN, 5.0, 7.0, 1.0, f64::NAN, 2.0, 9.0, 4.0, 6.0, 8.0])));
    run(step(&[GO_ON; 20]));
    run(pool.reset(None, (0..20).map(|lane| (lane > 16).then_some(lane)).collect(), ResetOptions::default()));
    run(step(&[GO_ON; 20]));
    seen
}

#[test]
fn worlds_reset_together_have_the_results_of_single_resets() {
    let together = observations_after_resets(&task());
    assert_eq!(together, observations_after_resets(&Task::env::<Worlds<false>>("SingleWorlds-v0")));
    assert_eq!([together[1][1], together[1][3], together[2][1], together[2][5]], [0.0, 2.0, 3.0, 5.0]);
}

#[test]
fn a_panic_in_a_reset_fails_only_the_environments_that_were_reset_together() {
    let pool = reset_pool(&task(), PoolConfig { num_threads: 0, ..config(20) });
    let options = ResetOptions::new(vec![("fail".into(), -1.0)]);
    let error = message(pool.reset(Some(&[0, 1, 2]), Vec::new(), options).unwrap().run(&mut None, &mut never));
    assert!(error.starts_with("environment 0 panicked (and 2 more): it was asked to"), "{error}");
    assert_eq!(recv(&pool).err().map(|error| error.to_string()), Some("recv: nothing has been sent".into()));
    reset(&pool, Some(&[0, 1, 2])).unwrap();
    assert_eq!(step(&pool, None, &[GO_ON; 20]).unwrap().rows(), 20);
}

#[test]
fn recreated_worlds_are_reset_with_others() {
    let pool = reset_pool(&task(), PoolConfig { num_threads: 0, ..config(20) });
    let mut actions = [GO_ON; 20];
    actions[10] = FAIL;
    message(step(&pool, None, &actions));
    recv(&pool).unwrap();
    RESETS.take();
    let batch = reset(&pool, None).unwrap();
    assert_eq!((batch.rows(), RESETS.take()), (20, vec![8, 7, 4]), "world 10 is recreated and reset alone");
    assert_eq!(step(&pool, None, &[GO_ON; 20]).unwrap().rows(), 20);
}

#[test]
fn a_failed_reset_affects_no_other_environment() {
    let pool = reset_pool(&task(), PoolConfig { num_threads: 0, ..config(20) });
    let options = ResetOptions::new(vec![("fail".into(), 10.0)]);
    let error = message(pool.reset(None, Vec::new(), options).unwrap().run(&mut None, &mut never));
    assert!(error.starts_with("environment 10 failed: its reset was asked to fail"), "{error}");
    assert_eq!(ids(&recv(&pool).unwrap()), (0..20).filter(|id| *id != 10).map(f64::from).collect::<Vec<_>>());
    reset(&pool, Some(&[10])).unwrap();
    assert_eq!(step(&pool, None, &[GO_ON; 20]).unwrap().rows(), 20);
}

#[test]
fn the_time_limit_and_statistics_hold_for_worlds_solved_together() {
    let limited = PoolConfig { max_episode_steps: Some(2), episode_statistics: true, num_threads: 0, ..config(9) };
    let pool = reset_pool(&task(), limited);
    step(&pool, None, &[GO_ON; 9]).unwrap();
    let batch = step(&pool, None, &[GO_ON; 9]).unwrap();
    assert_eq!(numbers(&batch, Role::Truncated), [1.0; 9]);
    assert_eq!((numbers(&batch, Role::EpisodeReturn), numbers(&batch, Role::EpisodeLength)), (vec![3.0; 9], vec![2.0; 9]));
}
