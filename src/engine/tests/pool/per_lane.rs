//! Tests methods that wait for replies and collect them lane by lane.

use envpool_rs_engine::{FirstStepPolicy, LaneError, LaneReplies, Payload, RecoveryConfig, RecoveryPolicy};

use super::envs::{COUNT, END, WAIT, counter};
use super::fake::{FakeControl, Pace, backend_spec};
use super::*;

const OUTPUTS: Outputs = Outputs { dialect: Dialect::Gymnasium, format: Format::Gymnasium };

fn pool(num_envs: i64, policy: RecoveryPolicy) -> (Pool, FakeControl) {
    let config = PoolConfig { autoreset_mode: AutoresetMode::Disabled, first_step: FirstStepPolicy::Allow, ..config(num_envs) };
    let stage = FakeControl::new(config.num_envs, Pace::AtOnce);
    let recovery = RecoveryConfig { policy, ..RecoveryConfig::default() };
    let form = envpool_rs_engine::BackendSpec { recovery, ..backend_spec(config.num_envs) };
    let pool = Pool::with_backend(stage.together(), form, config, OUTPUTS).unwrap();
    pool.reset(None, Vec::new(), ResetOptions::default()).unwrap().submit().unwrap();
    wait(&pool, None, usize::MAX);
    pool.collect_lanes(None).unwrap();
    (pool, stage)
}

fn submit(pool: &Pool, ids: &[i64], actions: &[i32]) {
    let mut call = pool.step(Some(ids)).unwrap();
    call.set_action(0, actions).unwrap();
    call.submit().unwrap();
}

fn wait(pool: &Pool, ids: Option<&[i64]>, count: usize) {
    pool.wait_lanes(ids, count, &mut never, None).unwrap();
}

#[test]
fn each_lane_is_awaited_and_collected_separately() {
    let (pool, stage) = pool(3, RecoveryPolicy::Raise);
    submit(&pool, &[2, 0], &[COUNT, WAIT]);
    pool.submit_calls(Some(&[1]), &[Payload::from(&b"call"[..])]).unwrap();
    wait(&pool, None, 2);
    let mut completed = pool.completed_lanes(None).unwrap();
    completed.sort_unstable();
    assert_eq!((completed, pool.lanes_in_flight().unwrap()), (vec![1, 2], vec![0, 1, 2]));
    assert!(matches!(pool.step(Some(&[2])), Err(Error::InFlight { lane: 2 })));
    let LaneReplies { batch, values, failures: faults } = pool.collect_lanes(Some(&[1, 2])).unwrap();
    assert_eq!((counts(&batch)[1], values.len(), values[0].0, faults.len()), (1.0, 1, 0, 0));
    for _ in 0..2 {
        submit(&pool, &[2], &[COUNT]);
        wait(&pool, Some(&[2]), 1);
        pool.collect_lanes(Some(&[2])).unwrap();
    }
    assert_eq!(message(pool.collect_lanes(Some(&[0]))), "env_id 0 has no result to be taken");
    pool.wait_lanes(None, 1, &mut never, Some(std::time::Instant::now())).unwrap();
    stage.open();
    wait(&pool, None, usize::MAX);
    assert_eq!(counts(&pool.collect_lanes(Some(&[0])).unwrap().batch), [1.0]);
    assert!(pool.lanes_in_flight().unwrap().is_empty());
}

#[test]
fn replies_overwrite_the_batch_of_an_earlier_call() {
    let (pool, _stage) = pool(2, RecoveryPolicy::Raise);
    let mut last = None;
    for expected in 1..4 {
        submit(&pool, &[0, 1], &[COUNT, COUNT]);
        wait(&pool, None, 2);
        let LaneReplies { batch, .. } = pool.collect_lanes_into(None, last.take()).unwrap();
        assert_eq!(counts(&batch), [f64::from(expected); 2]);
        last = Some(batch);
    }
    let (other, _stage) = self::pool(2, RecoveryPolicy::Raise);
    submit(&other, &[0, 1], &[COUNT, COUNT]);
    wait(&other, None, 2);
    assert_eq!(message(other.collect_lanes_into(None, last)), "the batch does not come from this pool");
    assert_eq!(counts(&other.collect_lanes(None).unwrap().batch), [1.0; 2], "nothing was taken");
}

#[test]
fn episodes_start_only_on_request_and_failed_lanes_can_be_stepped() {
    let (pool, stage) = pool(2, RecoveryPolicy::Raise);
    stage.panic_at(1);
    submit(&pool, &[0, 1], &[END, COUNT]);
    wait(&pool, None, 2);
    let LaneReplies { batch, failures: faults, .. } = pool.collect_lanes(None).unwrap();
    assert_eq!(numbers(&batch, Role::Terminated), [1.0, 0.0]);
    assert!(matches!(&faults[..], [(1, LaneError::Panicked(_))]), "{faults:?}");
    submit(&pool, &[0, 1], &[COUNT, COUNT]);
    wait(&pool, None, 2);
    let LaneReplies { batch, failures: faults, .. } = pool.collect_lanes(None).unwrap();
    assert_eq!((counts(&batch)[0], faults.len()), (2.0, 0));
}

#[test]
fn a_loss_in_a_discarded_reply_is_reported_again() {
    let (pool, stage) = pool(2, RecoveryPolicy::NewEpisode);
    submit(&pool, &[0, 1], &[COUNT, WAIT]);
    stage.lose_host(7, &[1]);
    wait(&pool, None, 2);
    pool.discard_lanes(None).unwrap();
    submit(&pool, &[0, 1], &[COUNT, COUNT]);
    wait(&pool, None, 2);
    let batch = pool.collect_lanes(None).unwrap().batch;
    assert_eq!((batch.restarted.clone(), numbers(&batch, Role::Truncated)), (vec![1], vec![0.0, 1.0]));
}

#[test]
fn ids_and_payloads_are_checked_before_anything_is_sent() {
    let (pool, _stage) = pool(2, RecoveryPolicy::Raise);
    assert!(message(pool.collect_lanes(Some(&[2]))).starts_with("env_id[0]=2: expected 0 to 1"));
    assert!(message(pool.completed_lanes(Some(&[0, 0]))).starts_with("env_id[1]=0: expected each id once"));
    assert!(message(pool.submit_calls(None, &[Payload::default()])).starts_with("payloads=[1 values]"));
    assert!(pool.lanes_in_flight().unwrap().is_empty());
    assert!(message(pool_of(&counter(), config(1)).collect_lanes(None)).contains("expected a pool over a backend"));
}
