//! Test environment that steps up to eight worlds with one expensive call, as a physics solver does that simulates one world in
//! each vector lane.

use std::time::{Duration, Instant};

use envpool_rs_engine::{Action, AutoresetMode, Env, EnvSpec, LaneStep, Options, Row, Scheduling, Space};
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
/// the steps. No infos.
struct Worlds;

#[derive(Serialize, Deserialize)]
struct World {
    drawn: f64,
    steps: u32,
}

impl Env for Worlds {
    type State = World;
    type Random = Generator;
    const SCHEDULING: Scheduling = Scheduling::Batched(WORLDS);

    fn new(_options: &Options) -> Result<Self> {
        Ok(Self)
    }

    fn spec(&self) -> EnvSpec {
        EnvSpec::new(Space::uniform(0.0, f64::INFINITY, &[2], Dtype::F64), Space::discrete(4))
    }

    fn create(&self, _lane: usize) -> Result<World> {
        Ok(World { drawn: 0.0, steps: 0 })
    }

    fn reset(&self, state: &mut World, _options: &ResetOptions, rng: &mut Generator) {
        *state = World { drawn: rng.random(), steps: 0 };
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
    Task::env::<Worlds>("Worlds-v0")
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
fn the_time_limit_and_statistics_hold_for_worlds_solved_together() {
    let limited = PoolConfig { max_episode_steps: Some(2), episode_statistics: true, num_threads: 0, ..config(9) };
    let pool = reset_pool(&task(), limited);
    step(&pool, None, &[GO_ON; 9]).unwrap();
    let batch = step(&pool, None, &[GO_ON; 9]).unwrap();
    assert_eq!(numbers(&batch, Role::Truncated), [1.0; 9]);
    assert_eq!((numbers(&batch, Role::EpisodeReturn), numbers(&batch, Role::EpisodeLength)), (vec![3.0; 9], vec![2.0; 9]));
}
