//! Tests the recovery of environments after the loss of their host.

use envpool_rs_engine::{LaneError, Payload, RecoveryConfig, RecoveryPolicy, SeedDerivation};

use super::envs::{COUNT, END, WAIT};
use super::fake::{FakeControl, Pace, backend_spec};
use super::*;

const OUTPUTS: Outputs = Outputs { dialect: Dialect::Gymnasium, format: Format::Gymnasium };

fn pool(config: PoolConfig, pace: Pace, recovery: RecoveryConfig) -> (Pool, FakeControl) {
    let stage = FakeControl::new(config.num_envs, pace);
    let form = envpool_rs_engine::BackendSpec { recovery, ..backend_spec(config.num_envs) };
    let pool = Pool::with_backend(stage.together(), form, config, OUTPUTS).unwrap();
    (pool, stage)
}

fn reset_pool_with(config: PoolConfig, pace: Pace, recovery: RecoveryConfig) -> (Pool, FakeControl) {
    let (pool, stage) = pool(config, pace, recovery);
    reset(&pool, None).unwrap();
    (pool, stage)
}

const NEW_EPISODE: RecoveryConfig = RecoveryConfig {
    policy: RecoveryPolicy::NewEpisode,
    max_consecutive_losses: 2,
    seed_derivation: SeedDerivation::Short,
    repeats_episode: false,
};

fn resume(every: u32) -> RecoveryConfig {
    RecoveryConfig { policy: RecoveryPolicy::Resume { snapshot_interval: every }, max_consecutive_losses: 100, ..NEW_EPISODE }
}

/// Steps all environments, then simulates the loss of the host of the environments `lost`, whose actions must block their steps.
/// Returns the result of `recv`.
fn step_and_lose(pool: &Pool, stage: &FakeControl, actions: &[i32], lost: &[u32]) -> Result<Box<Batch>> {
    send(pool, None, actions).unwrap();
    stage.lose_host(7, lost);
    recv(pool)
}

fn drawn(batch: &Batch, row: usize) -> f64 {
    numbers(batch, Role::Observation(0))[2 * row]
}

#[test]
fn a_lost_step_reports_the_truncated_and_the_new_episode() {
    for (mode, counts_after) in [(AutoresetMode::NextStep, 0.0), (AutoresetMode::SameStep, 1.0)] {
        let config = PoolConfig { autoreset_mode: mode, ..config(4) };
        let (pool, stage) = reset_pool_with(config, Pace::AtOnce, NEW_EPISODE);
        step(&pool, None, &[COUNT; 4]).unwrap();
        let batch = step_and_lose(&pool, &stage, &[COUNT, WAIT, COUNT, COUNT], &[1, 2]).unwrap();
        assert_eq!(counts(&batch), [2.0, 0.0, 2.0, 2.0], "2 had answered before it was lost");
        assert_eq!(numbers(&batch, Role::Truncated), [0.0, 1.0, 0.0, 0.0]);
        assert_eq!(numbers(&batch, Role::Reward), [2.0, 0.0, 2.0, 2.0]);
        assert_eq!(batch.restarted, [1]);
        let batch = step(&pool, None, &[COUNT; 4]).unwrap();
        assert_eq!(counts(&batch), [3.0, counts_after, 0.0, 3.0], "{mode:?}: 2 is reported now");
        assert_eq!(numbers(&batch, Role::Truncated), [0.0, 0.0, 1.0, 0.0]);
        assert_eq!(batch.restarted, [2]);
        assert_eq!(stage.restarts(), [7]);
    }
}

#[test]
fn a_lost_request_is_resent_and_the_next_request_restarts_a_lost_host() {
    let retry = RecoveryConfig { policy: RecoveryPolicy::Retry, ..NEW_EPISODE };
    let (pool, stage) = reset_pool_with(config(2), Pace::AtOnce, retry);
    send(&pool, None, &[COUNT, WAIT]).unwrap();
    stage.lose_host(7, &[1]);
    let batch = pool
        .recv(&mut None, &mut || {
            stage.open();
            false
        })
        .unwrap();
    assert_eq!((batch.restarted.clone(), stage.restarts()), (vec![], vec![7]));
    assert_eq!(numbers(&batch, Role::Truncated), [0.0, 0.0]);
    stage.lose_host_times(1, 2);
    let Err(Error::Failed(failed)) = step(&pool, None, &[COUNT; 2]) else { panic!("expected a failure") };
    assert!(matches!(failed.fault, LaneError::HostLost { consecutive_losses: 2, .. }), "{failed:?}");
    recv(&pool).unwrap();
    reset(&pool, Some(&[1])).unwrap();
    assert_eq!(stage.restarts().len(), 3, "by the loss, by the loss in a row that did not give it up, by the next request");
}

#[test]
fn without_autoreset_the_caller_resets_restarted_lanes() {
    let config = PoolConfig { autoreset_mode: AutoresetMode::Disabled, ..config(2) };
    let (pool, stage) = reset_pool_with(config, Pace::AtOnce, NEW_EPISODE);
    step_and_lose(&pool, &stage, &[COUNT, WAIT], &[1]).unwrap();
    assert!(message(step(&pool, None, &[COUNT; 2])).starts_with("environment 1 has finished its episode"));
    reset(&pool, Some(&[1])).unwrap();
    step(&pool, None, &[COUNT; 2]).unwrap();
}

#[test]
fn the_new_seed_is_derived_from_the_last_seed_and_the_loss_count() {
    // These seeds are `numpy.random.SeedSequence([43, 1]).generate_state(1)[0] >> 1`, and its 64-bit variant `>> 2`.
    assert_eq!((SeedDerivation::Short.derive(43, 1), SeedDerivation::Long.derive(43, 1)), (SHORT, LONG));
    for (mix, seed) in [(SeedDerivation::Short, SHORT), (SeedDerivation::Long, LONG)] {
        let (pool, stage) = reset_pool_with(config(2), Pace::AtOnce, RecoveryConfig { seed_derivation: mix, ..NEW_EPISODE });
        let batch = step_and_lose(&pool, &stage, &[COUNT, WAIT], &[1]).unwrap();
        let (other, _stage) = self::pool(config(2), Pace::AtOnce, NEW_EPISODE);
        let seeded =
            other.reset(None, vec![None, Some(seed)], ResetOptions::default()).unwrap().run(&mut None, &mut never).unwrap();
        assert_eq!(drawn(&batch, 1), drawn(&seeded, 1));
    }
}

const SHORT: u64 = 1_214_034_184;
const LONG: u64 = 4_526_208_159_729_997_956;

#[test]
fn the_lost_episode_restarts_if_repeats_episode_is_set() {
    for repeats in [true, false] {
        let (pool, stage) = reset_pool_with(config(2), Pace::AtOnce, RecoveryConfig { repeats_episode: repeats, ..NEW_EPISODE });
        let reported = step_and_lose(&pool, &stage, &[COUNT, WAIT], &[1]).unwrap();
        let started = step(&pool, None, &[COUNT; 2]).unwrap();
        assert_eq!(counts(&started)[1], 0.0);
        assert_eq!(drawn(&reported, 1) == drawn(&started, 1), repeats);
        assert_eq!(counts(&step(&pool, None, &[COUNT; 2]).unwrap())[1], 1.0);
    }
}

#[test]
fn a_reset_reports_a_loss_without_a_truncation() {
    let (pool, stage) = reset_pool_with(config(2), Pace::AtOnce, NEW_EPISODE);
    stage.lose_host(0, &[0]);
    // A waiting pool checks for lost hosts before it calls the interrupt hook.
    send(&pool, Some(&[1]), &[WAIT]).unwrap();
    pool.recv(&mut None, &mut || {
        stage.open();
        false
    })
    .unwrap();
    let batch = reset(&pool, None).unwrap();
    assert_eq!((batch.restarted.clone(), counts(&batch)), (vec![0], vec![0.0; 2]));
}

#[test]
fn a_host_that_is_lost_repeatedly_is_given_up() {
    for patience in [2, 3] {
        let (pool, stage) =
            reset_pool_with(config(2), Pace::AtOnce, RecoveryConfig { max_consecutive_losses: patience, ..NEW_EPISODE });
        step(&pool, None, &[COUNT; 2]).unwrap();
        stage.lose_host_of(1);
        let Err(Error::Failed(failed)) = step(&pool, None, &[COUNT; 2]) else { panic!("expected a failure") };
        assert!(
            matches!(failed.fault, LaneError::HostLost { consecutive_losses, .. } if consecutive_losses == patience),
            "{failed:?}"
        );
        assert_eq!(stage.restarts().len() as u32, patience - 1);
        recv(&pool).unwrap();
        assert!(matches!(pool.step(None), Err(Error::HostLost(_))));
        step(&pool, Some(&[0]), &[COUNT]).unwrap();
    }
}

#[test]
fn the_backend_reports_a_host_that_does_not_restart() {
    let (pool, stage) = reset_pool_with(config(2), Pace::AtOnce, NEW_EPISODE);
    stage.forbid_restarts();
    let Err(Error::Failed(failed)) = step_and_lose(&pool, &stage, &[COUNT, WAIT], &[1]) else { panic!("expected a failure") };
    assert_eq!(failed.fault, LaneError::host_lost("it would not come back", vec![7]));
}

#[test]
fn lost_calls_are_reported_and_not_resent() {
    let (pool, stage) = reset_pool_with(config(2), Pace::AtOnce, NEW_EPISODE);
    let mut is_first = true;
    let answers = pool.call_lanes(
        None,
        &[Payload::from(&b"wait"[..])],
        &mut || {
            if std::mem::take(&mut is_first) {
                stage.lose_host(1, &[1]);
                stage.open();
            }
            false
        },
        None,
    );
    let answers = answers.unwrap();
    assert!(answers[0].is_ok());
    assert_eq!(answers[1], Err(LaneError::host_lost("place 1 was lost", vec![1])));
}

#[test]
fn the_loss_of_an_abandoned_call_is_not_reported() {
    let (pool, stage) = reset_pool_with(config(2), Pace::AtOnce, NEW_EPISODE);
    for _ in 0..2 {
        let mut looks = 0;
        let interrupted = pool.call_lanes(
            Some(&[1]),
            &[Payload::from(&b"wait"[..])],
            &mut || {
                looks += 1;
                looks > 1
            },
            None,
        );
        assert!(matches!(interrupted, Err(Error::Interrupted)));
        stage.lose_host(1, &[1]);
        // A waiting pool checks for lost hosts before it calls the interrupt hook.
        send(&pool, Some(&[0]), &[WAIT]).unwrap();
        let mut stays = 3;
        pool.recv(&mut None, &mut || {
            stays -= 1;
            if stays == 0 {
                stage.open();
            }
            false
        })
        .unwrap();
        stage.shut();
    }
    assert_eq!(stage.restarts(), [1], "the second loss came without an answer in between");
    assert!(matches!(step(&pool, Some(&[1]), &[COUNT]), Err(Error::HostLost(_))));
}

#[test]
fn a_reset_that_is_lost_repeatedly_keeps_its_seed() {
    let patient = RecoveryConfig { max_consecutive_losses: 4, ..NEW_EPISODE };
    let (pool, stage) = reset_pool_with(config(2), Pace::AtOnce, patient);
    stage.lose_host_times(1, 2);
    let batch = pool.reset(None, vec![None, Some(77)], ResetOptions::default()).unwrap().run(&mut None, &mut never).unwrap();
    assert_eq!(stage.restarts().len(), 2);
    let (other, _stage) = self::pool(config(2), Pace::AtOnce, NEW_EPISODE);
    let seeded = other.reset(None, vec![None, Some(77)], ResetOptions::default()).unwrap().run(&mut None, &mut never).unwrap();
    assert_eq!(drawn(&batch, 1), drawn(&seeded, 1));
}

#[test]
fn resumed_environments_continue_their_trajectories() {
    for every in [1, 3, 1000] {
        for pace in [Pace::AtOnce, Pace::OutOfOrder(5)] {
            let (pool, stage) = reset_pool_with(config(3), pace, resume(every));
            let (calm, _stage) = reset_pool_with(config(3), pace, resume(every));
            for round in 0..30 {
                let action = |lane: i32| if (round + lane) % 5 == 0 { END } else { COUNT };
                let mut actions = [action(0), action(1), action(2)];
                if round % 4 == 1 {
                    stage.lose_host(0, &[0, 1]); // the lanes are idle
                }
                let is_lost = round % 4 == 3 && actions[1] == COUNT;
                if is_lost {
                    actions[1] = WAIT;
                }
                send(&pool, None, &actions).unwrap();
                if is_lost {
                    stage.lose_host(0, &[0, 1]); // the step of lane 1 is blocked
                    stage.open();
                }
                let (ours, theirs) =
                    (recv(&pool).unwrap(), step(&calm, None, &actions.map(|a| if a == WAIT { COUNT } else { a })));
                let theirs = theirs.unwrap();
                for column in &ours.layout().columns {
                    let values = numbers(&ours, column.role);
                    assert_eq!(values, numbers(&theirs, column.role), "{:?} round {round} every {every} {pace:?}", column.role);
                }
                assert!(ours.restarted.is_empty());
                stage.shut();
            }
            assert!(!stage.restarts().is_empty() || every == 1, "snapshots are taken where losses would strike");
        }
    }
}

#[test]
fn environments_resume_from_states_that_were_set() {
    let (pool, stage) = reset_pool_with(config(2), Pace::AtOnce, resume(1000));
    step(&pool, None, &[COUNT; 2]).unwrap();
    let states = pool.get_state(None).unwrap();
    step(&pool, None, &[COUNT; 2]).unwrap();
    pool.set_state(&states, None).unwrap();
    send(&pool, None, &[COUNT, WAIT]).unwrap();
    stage.lose_host(0, &[0, 1]);
    stage.open();
    let batch = recv(&pool).unwrap();
    assert_eq!(counts(&batch), [2.0; 2]);
}
