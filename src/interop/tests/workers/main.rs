//! Tests pools whose environments run in worker processes. In these tests, the workers are threads that attach to the shared
//! memory.

mod threads;

use self::threads::{Inner, Threads, layout};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use envpool_rs_engine::{
    Action, ActionColumn, ActionEncoding, ActionKey, AutoresetMode, BackendSpec, Batch, Dialect, Dtype, EpisodeEnd, Error,
    Format, LaneBackend, LaneOp, LeafSpec, LostLanes, Outputs, Payload, Pool, PoolConfig, RecoveryConfig, RecoveryPolicy,
    ResetOptions, Result, Role, WaitTarget,
};
use envpool_rs_interop::workers::{ActionWireFormat, WorkerBackend, WorkerPayload};
use envpool_rs_transport::{ShmSegment, WakeStrategy, flags};

/// Action with which an environment adds 1 to its step count.
const COUNT: u8 = 0;
const END: u8 = 1;
const RAISE: u8 = 2;
const MESSAGE: u8 = 3;
/// Action with which the worker of the environment dies during the step.
const DIE: u8 = 4;
/// Action with which a step blocks until the test opens the gate.
const WAIT: u8 = 5;

/// Number of bytes in an observation: seed, episode number and step count, as int64.
const ROW: usize = 24;

fn key(carried: ActionEncoding) -> ActionKey {
    ActionKey {
        name: "action".into(),
        shape: vec![],
        rows: 1,
        discrete: None,
        counts: vec![],
        is_f64: false,
        encoding: carried,
        hint: "",
    }
}

/// Creates a backend of environments whose actions are one byte, together with the backend's worker threads. The lanes are
/// distributed among the worker threads.
fn lanes(lanes: usize, workers: u32) -> (WorkerBackend, Threads) {
    lanes_with_rewards(lanes, workers, None)
}

/// Creates the backend of environments whose rows also hold the rewards of `players` players.
fn lanes_with_rewards(lanes: usize, workers: u32, players: Option<usize>) -> (WorkerBackend, Threads) {
    let worker_of: Vec<_> = (0..lanes as u32).map(|lane| Some(lane * workers / lanes as u32)).collect();
    let block = Arc::new(ShmSegment::create(&worker_of, 64, WakeStrategy::best()).unwrap());
    block.map_rows(layout(lanes, players), lanes).unwrap();
    let threads = Threads(Arc::new(Inner {
        block: Arc::clone(&block),
        gate: Arc::default(),
        threads: Mutex::new((0..workers).map(|_| None).collect()),
        lost: Mutex::default(),
        is_restarted: AtomicBool::new(false),
        ended_by_force: Mutex::default(),
        players,
    }));
    (0..workers as usize).for_each(|worker| threads.start(worker));
    let action = ActionWireFormat::new(&key(ActionEncoding::Raw(1)), b"head").unwrap();
    let lanes = WorkerBackend::new(block, Box::new(threads.clone()), action, vec![LeafSpec::new(Dtype::I64, &[3])]).unwrap();
    (lanes, threads)
}

/// Creates a pool over a [`WorkerBackend`] with `workers` worker threads. The pool's observations have the dtype `leaf`.
fn pool_of(config: PoolConfig, workers: u32, leaf: Dtype, policy: RecoveryPolicy) -> (Pool, Threads) {
    let (outside, threads) = lanes(config.num_envs, workers);
    let form = BackendSpec {
        seeds: (0..config.num_envs as u64).map(|lane| Some(100 + lane)).collect(),
        recovery: RecoveryConfig { policy, ..RecoveryConfig::default() },
        ..BackendSpec::new(vec![LeafSpec::new(leaf, &[3])], vec![key(ActionEncoding::Raw(1))])
    };
    let outputs = Outputs { dialect: Dialect::Gymnasium, format: Format::Gymnasium };
    (Pool::with_backend(Box::new(outside), form, config, outputs).unwrap(), threads)
}

fn pool(config: PoolConfig, workers: u32) -> (Pool, Threads) {
    pool_of(config, workers, Dtype::I64, RecoveryPolicy::Raise)
}

fn config(num_envs: i64) -> PoolConfig {
    PoolConfig::new(num_envs).unwrap()
}

fn never() -> bool {
    false
}

fn reset(pool: &Pool) -> Box<Batch> {
    pool.reset(None, Vec::new(), ResetOptions::default()).unwrap().run(&mut None, &mut never).unwrap()
}

fn step(pool: &Pool, ids: Option<&[i64]>, actions: &[u8]) -> Result<Box<Batch>> {
    let mut call = pool.step(ids)?;
    call.set_raw_action(0, actions)?;
    call.run(&mut None, &mut never)
}

fn int64s(batch: &Batch, role: Role) -> Vec<Vec<i64>> {
    let column = batch.layout().index(role).unwrap();
    let values: Vec<_> = batch.bytes(column).chunks_exact(8).map(|bytes| i64::from_ne_bytes(bytes.try_into().unwrap())).collect();
    values.chunks(3).map(<[i64]>::to_vec).collect()
}

fn rows(batch: &Batch) -> Vec<Vec<i64>> {
    int64s(batch, Role::Observation(0))
}

fn bools(batch: &Batch, role: Role) -> Vec<bool> {
    batch.bytes(batch.layout().index(role).unwrap()).iter().map(|byte| *byte == 1).collect()
}

fn rewards(batch: &Batch) -> Vec<f64> {
    let column = batch.layout().index(Role::Reward).unwrap();
    batch.bytes(column).chunks_exact(8).map(|bytes| f64::from_ne_bytes(bytes.try_into().unwrap())).collect()
}

#[test]
fn rewards_of_players_are_read_from_rows() {
    let (outside, _threads) = lanes_with_rewards(2, 1, Some(2));
    let outside = outside.with_reward_leaf(2).unwrap();
    let leaves = vec![LeafSpec::new(Dtype::I64, &[3])];
    let form = BackendSpec { players: 2, ..BackendSpec::new(leaves, vec![key(ActionEncoding::Raw(1))]) };
    let outputs = Outputs { dialect: Dialect::Gymnasium, format: Format::Gymnasium };
    let config = PoolConfig { autoreset_mode: AutoresetMode::SameStep, ..config(2) };
    let pool = Pool::with_backend(Box::new(outside), form, config, outputs).unwrap();
    reset(&pool);
    assert_eq!(rewards(&step(&pool, None, &[COUNT, COUNT]).unwrap()), [1.0, -1.0, 1.0, -1.0]);
    // The step ends the episode of lane 1. The row has the rewards of the episode's last step, although it shows the next
    // episode's observation.
    let batch = step(&pool, None, &[COUNT, END]).unwrap();
    assert_eq!(rewards(&batch), [2.0, -2.0, 2.0, -2.0]);
    assert_eq!(rows(&batch)[1][2], 0);
    let (without, _threads) = lanes(2, 1);
    assert!(matches!(without.with_reward_leaf(2), Err(Error::State(_))));
}

#[test]
fn steps_and_episodes_equal_the_pools() {
    let (pool, _threads) = pool(PoolConfig { max_episode_steps: Some(3), ..config(3) }, 2);
    assert_eq!(rows(&reset(&pool)), [[100, 1, 0], [101, 1, 0], [102, 1, 0]]);
    let batch = step(&pool, None, &[COUNT, END, COUNT]).unwrap();
    assert_eq!(rows(&batch), [[100, 1, 1], [101, 1, 1], [102, 1, 1]]);
    assert_eq!((rewards(&batch), bools(&batch, Role::Terminated)), (vec![1.0; 3], vec![false, true, false]));
    // Environment 1, whose episode ended in the previous step, starts its next episode in this step.
    let batch = step(&pool, None, &[COUNT, END, COUNT]).unwrap();
    assert_eq!(rows(&batch), [[100, 1, 2], [101, 2, 0], [102, 1, 2]]);
    assert_eq!(rewards(&batch), [2.0, 0.0, 2.0]);
    // The pool enforces the time limit of three steps.
    let batch = step(&pool, None, &[COUNT; 3]).unwrap();
    assert_eq!(bools(&batch, Role::Truncated), [true, false, true]);
    assert_eq!(rows(&step(&pool, Some(&[2]), &[COUNT]).unwrap()), [[102, 2, 0]]);
}

#[test]
fn a_new_episode_starts_in_the_reply_that_ends_the_last() {
    let mode = AutoresetMode::SameStep;
    let (pool, _threads) = pool(PoolConfig { max_episode_steps: Some(2), autoreset_mode: mode, ..config(3) }, 3);
    reset(&pool);
    let batch = step(&pool, None, &[COUNT, END, COUNT]).unwrap();
    assert_eq!(rows(&batch), [[100, 1, 1], [101, 2, 0], [102, 1, 1]]);
    assert_eq!(int64s(&batch, Role::FinalObservation(0))[1], [101, 1, 1]);
    let batch = step(&pool, None, &[COUNT; 3]).unwrap();
    assert_eq!(rows(&batch), [[100, 2, 0], [101, 2, 1], [102, 2, 0]]);
    assert_eq!(bools(&batch, Role::Truncated), [true, false, true]);
    let last = int64s(&batch, Role::FinalObservation(0));
    assert_eq!((&last[0][..], &last[2][..]), (&[100, 1, 2][..], &[102, 1, 2][..]));
}

#[test]
fn numbers_are_converted_to_the_dtypes_of_the_pool() {
    let (pool, _threads) = pool_of(config(2), 1, Dtype::F32, RecoveryPolicy::Raise);
    let batch = reset(&pool);
    let column = batch.layout().index(Role::Observation(0)).unwrap();
    let values: Vec<_> = batch.bytes(column).chunks_exact(4).map(|bytes| f32::from_ne_bytes(bytes.try_into().unwrap())).collect();
    assert_eq!(values, [100.0, 1.0, 0.0, 101.0, 1.0, 0.0]);
}

#[test]
fn messages_arrive_with_the_batch() {
    let (pool, _threads) = pool(config(3), 2);
    let options = ResetOptions::from_payload(Payload::from(&b"keywords"[..]));
    let batch = pool.reset(None, Vec::new(), options).unwrap().run(&mut None, &mut never).unwrap();
    let payload = WorkerPayload { flags: flags::OBSERVATION_IN_ROW | flags::MESSAGE, bytes: b"keywords" };
    assert_eq!(batch.payloads.iter().map(|(_, message)| WorkerPayload::decode(message)).collect::<Vec<_>>(), [Some(payload); 3]);
    let batch = step(&pool, None, &[COUNT, MESSAGE, COUNT]).unwrap();
    let [(1, message)] = &batch.payloads[..] else { panic!("{:?}", batch.payloads) };
    assert_eq!(WorkerPayload::decode(message).unwrap().bytes, [MESSAGE, 0]);
    assert!(step(&pool, None, &[COUNT; 3]).unwrap().payloads.is_empty());
}

#[test]
fn a_failed_environment_is_reported_before_the_remaining_results() {
    let (pool, _threads) = pool(config(3), 2);
    reset(&pool);
    let Err(Error::Failed(failed)) = step(&pool, None, &[COUNT, RAISE, COUNT]) else { panic!("it was asked to fail") };
    assert_eq!((failed.lane, failed.others.len(), failed.rows_pending), (1, 0, 2));
    assert_eq!(WorkerPayload::decode(failed.fault.payload().unwrap()).unwrap().bytes, b"it was asked to");
    let others = pool.recv(&mut None, &mut never).unwrap();
    assert_eq!(rows(&others)[..2], [[100, 1, 1], [102, 1, 1]]);
    assert!(matches!(step(&pool, Some(&[1]), &[COUNT]), Err(Error::State(_))));
    pool.reset(Some(&[1]), Vec::new(), ResetOptions::default()).unwrap().run(&mut None, &mut never).unwrap();
    assert_eq!(rows(&step(&pool, Some(&[1]), &[COUNT]).unwrap()), [[101, 2, 1]]);
}

#[test]
fn replies_are_returned_in_order_of_arrival() {
    let (pool, threads) = pool(PoolConfig { batch_size: 2, ..config(4) }, 4);
    pool.reset(None, Vec::new(), ResetOptions::default()).unwrap().send(None).unwrap();
    (0..2).for_each(|_| _ = pool.recv(&mut None, &mut never).unwrap());
    let mut call = pool.step(None).unwrap();
    call.set_raw_action(0, &[WAIT, COUNT, WAIT, COUNT]).unwrap();
    call.send(None).unwrap();
    let mut steps = rows(&pool.recv(&mut None, &mut never).unwrap());
    steps.sort();
    assert_eq!(steps, [[101, 1, 1], [103, 1, 1]]);
    let late = pool.recv_until(&mut None, &mut never, Some(Instant::now() + Duration::from_millis(30)));
    assert_eq!(late.err(), Some(Error::Timeout { lanes: vec![0, 2] }));
    threads.0.gate.open();
    let mut steps = rows(&pool.recv(&mut None, &mut never).unwrap());
    steps.sort();
    assert_eq!(steps, [[100, 1, 1], [102, 1, 1]]);
}

#[test]
fn an_interrupted_wait_loses_nothing() {
    let (pool, threads) = pool(config(2), 1);
    reset(&pool);
    let mut call = pool.step(None).unwrap();
    call.set_raw_action(0, &[WAIT, COUNT]).unwrap();
    assert_eq!(call.run(&mut None, &mut || true).err(), Some(Error::Interrupted));
    assert!(matches!(step(&pool, None, &[COUNT; 2]), Err(Error::InFlight { .. })));
    threads.0.gate.open();
    assert_eq!(rows(&pool.recv(&mut None, &mut never).unwrap()), [[100, 1, 1], [101, 1, 1]]);
}

#[test]
fn a_dead_worker_loses_only_its_own_environments() {
    let (pool, failed) = loop {
        let (pool, _threads) = pool(config(4), 2);
        reset(&pool);
        let Err(Error::Failed(failed)) = step(&pool, None, &[COUNT, DIE, COUNT, COUNT]) else { panic!("its worker died") };
        if failed.others.is_empty() {
            break (pool, failed);
        }
        // The worker had received the requests of environments 0 and 1 before it died, so the environments 0 and 1 are both
        // reported as lost.
        assert_eq!((failed.lane, &failed.others[..]), (0, &[1][..]));
    };
    assert_eq!((failed.lane, failed.fault.payload()), (1, Some(&Payload::from(vec![0]))));
    assert_eq!(failed.fault.to_string(), "worker 0 died");
    // Results that were complete before the worker died can still be received.
    assert_eq!(rows(&pool.recv(&mut None, &mut never).unwrap())[..3], [[100, 1, 1], [102, 1, 1], [103, 1, 1]]);
    assert!(matches!(step(&pool, Some(&[0]), &[COUNT]), Err(Error::HostLost(_))));
    assert_eq!(rows(&step(&pool, Some(&[3, 2]), &[COUNT; 2]).unwrap()), [[103, 1, 2], [102, 1, 2]]);
}

#[test]
fn a_lost_host_is_reported_once_and_runs_again_after_its_restart() {
    let (mut lanes, threads) = lanes(2, 1);
    let waiter = lanes.waiter();
    let answers = |lanes: &mut WorkerBackend, lane: usize| {
        while !lanes.is_completed(lane) {
            waiter
                .wait(WaitTarget { lanes: Some(&[lane as u32]), count: 1 }, Instant::now() + Duration::from_millis(20))
                .unwrap();
        }
    };
    let action = [ActionColumn::Raw(vec![DIE])];
    lanes.stage(0, LaneOp::Step { action: Action::new(&action, 0), truncate: false, autoreset: false }).unwrap();
    lanes.submit(&[0]);
    let death = loop {
        if let Some(death) = waiter.next_loss() {
            break death;
        }
        std::thread::yield_now();
    };
    assert_eq!(death.host, 0);
    assert_eq!(lanes.lose_host(0), LostLanes { lanes: vec![0, 1], lost: vec![0] });
    assert_eq!(waiter.next_loss(), None);
    assert!(!lanes.is_completed(0));
    lanes.restart_host(0).unwrap();
    lanes.stage(0, LaneOp::Next { ended: EpisodeEnd { elapsed: 1, at_limit: false } }).unwrap();
    lanes.submit(&[0]);
    answers(&mut lanes, 0);
    assert!(threads.0.is_restarted.load(Ordering::SeqCst));
    assert!(waiter.close(Instant::now(), true).is_empty());
}

#[test]
fn a_restarted_worker_continues_with_new_episodes() {
    let (pool, threads) = pool_of(config(2), 1, Dtype::I64, RecoveryPolicy::NewEpisode);
    reset(&pool);
    let batch = step(&pool, None, &[DIE; 2]).unwrap(); // The worker may find either request first.
    assert!(threads.0.is_restarted.load(Ordering::SeqCst));
    // The steps that the worker did not finish report truncated episodes, and return the first observations of new episodes
    // with new seeds.
    assert_eq!(bools(&batch, Role::Truncated), [true; 2]);
    assert!(rows(&batch).iter().enumerate().all(|(lane, row)| row[1..] == [1, 0] && row[0] != 100 + lane as i64));
    step(&pool, None, &[COUNT; 2]).unwrap();
    assert!(rows(&step(&pool, None, &[COUNT; 2]).unwrap()).iter().all(|row| row[2] == 1));
}

#[test]
fn closing_ends_the_processes_once() {
    let (pool, threads) = pool(config(2), 2);
    reset(&pool);
    assert!(pool.close_until(Instant::now() + Duration::from_secs(5), false).is_empty());
    pool.close();
    assert_eq!(*threads.0.ended_by_force.lock().unwrap(), [false]);
    assert!(step(&pool, None, &[COUNT; 2]).is_err());
}

#[test]
fn misuse_is_refused() {
    assert!(matches!(ActionWireFormat::new(&key(ActionEncoding::Numbers), b""), Err(Error::Type(_))));
    let (pool, threads) = pool(config(2), 1);
    let block = Arc::clone(&threads.0.block);
    let form = ActionWireFormat::new(&key(ActionEncoding::Payloads), b"").unwrap();
    let other = vec![LeafSpec::new(Dtype::I64, &[4])];
    assert!(WorkerBackend::new(block, Box::new(threads.clone()), form, other).is_err());
    reset(&pool);
    let seeds = vec![Some(u64::MAX), None];
    assert!(pool.reset(None, seeds, ResetOptions::default()).unwrap().run(&mut None, &mut never).is_err());
    assert_eq!(rows(&reset(&pool)), [[100, 2, 0], [101, 2, 0]]);
}
