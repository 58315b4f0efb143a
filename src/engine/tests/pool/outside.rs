//! Tests pools of backend environments, with the fake backend.

use std::time::Instant;

use envpool_rs_engine::{LaneError, Payload};

use super::envs::{COUNT, END, PANIC, WAIT, counter};
use super::fake::{FakeControl, Pace, TELL, backend_spec, payloads};
use super::*;

const OUTPUTS: Outputs = Outputs { dialect: Dialect::EnvPool, format: Format::Gymnasium };

fn pool(config: PoolConfig, pace: Pace) -> (Pool, FakeControl) {
    let stage = FakeControl::new(config.num_envs, pace);
    let pool = Pool::with_backend(stage.outside(), backend_spec(config.num_envs), config, OUTPUTS).unwrap();
    (pool, stage)
}

fn reset_fakes(config: PoolConfig, pace: Pace) -> (Pool, FakeControl) {
    let (pool, stage) = pool(config, pace);
    let rounds = pool.config().num_envs / pool.config().batch_size;
    pool.reset(None, Vec::new(), ResetOptions::default()).unwrap().send(None).unwrap();
    (0..rounds).for_each(|_| _ = recv(&pool).unwrap());
    (pool, stage)
}

fn run_until(pool: &Pool, ids: Option<&[i64]>, actions: &[i32], deadline: Instant) -> Result<Box<Batch>> {
    let mut call = pool.step(ids)?;
    call.set_action(0, actions)?;
    call.run_until(&mut None, &mut never, Some(deadline))
}

#[test]
fn external_episodes_equal_those_of_an_engine_environment() {
    for mode in [AutoresetMode::NextStep, AutoresetMode::SameStep] {
        let paces = [Pace::AtOnce, Pace::OutOfOrder(1), Pace::Twice(2)];
        for (pace, together) in paces.into_iter().flat_map(|pace| [(pace, false), (pace, true)]) {
            let config = PoolConfig {
                autoreset_mode: mode,
                episode_statistics: true,
                max_episode_steps: Some(5),
                seeds: (42..48).collect(),
                ..config(6)
            };
            // gymnasium's dialect does not narrow element types.
            let outputs = Outputs { dialect: Dialect::Gymnasium, ..OUTPUTS };
            let stage = FakeControl::new(6, pace);
            let outside = if together { stage.together() } else { stage.outside() };
            let ours = Pool::with_backend(outside, backend_spec(6), config.clone(), outputs).unwrap();
            let theirs = Pool::new(&counter(), &Options::default(), config, outputs).unwrap();
            assert_eq!(counts(&reset(&ours, None).unwrap()), counts(&reset(&theirs, None).unwrap()));
            for round in 0..20 {
                let actions: Vec<_> = (0..6).map(|lane| if (lane + round) % 4 == 0 { END } else { COUNT }).collect();
                let (a, b) = (step(&ours, None, &actions).unwrap(), step(&theirs, None, &actions).unwrap());
                let ended = numbers(&a, Role::Done);
                for (index, column) in a.layout().columns.iter().enumerate() {
                    let of_ended = matches!(column.role, Role::FinalObservation(_) | Role::FinalInfo(_));
                    if column.role == Role::EpisodeTime || (of_ended && !ended.contains(&1.0)) {
                        continue;
                    }
                    let (x, y) = (numbers(&a, column.role), numbers(&b, column.role));
                    let width = x.len() / 6;
                    for row in (0..6).filter(|row| !of_ended || ended[*row] == 1.0) {
                        let cells = row * width..(row + 1) * width;
                        assert_eq!(
                            x[cells.clone()],
                            y[cells],
                            "{mode:?} {pace:?} column {index} {:?} round {round}",
                            column.role
                        );
                    }
                }
            }
        }
    }
}

#[test]
fn a_panic_while_a_reply_is_collected_fails_its_lane() {
    for batch_size in [4, 2] {
        let (pool, stage) = reset_fakes(config(4).batch_size(batch_size).unwrap(), Pace::AtOnce);
        stage.panic_at(1);
        send(&pool, None, &[COUNT; 4]).unwrap();
        let refused = super::failures::quietly(|| recv(&pool));
        let Err(Error::Failed(failed)) = refused else { panic!("expected a failure") };
        assert_eq!((failed.lane, failed.rows_pending), (1, batch_size as usize - 1));
        assert_eq!(failed.fault, LaneError::Panicked("it was asked to".into()));
        let others: usize = (0..4 / batch_size).map(|_| recv(&pool).unwrap().rows()).sum();
        assert_eq!(others, 3, "no caller waits for missing replies");
        pool.drain(&mut never).unwrap();
        pool.reset(Some(&[1]), Vec::new(), ResetOptions::default()).unwrap().send(None).unwrap();
        pool.drain(&mut never).unwrap();
        pool.step(Some(&[1])).unwrap();
    }
}

#[test]
fn a_failed_lane_is_named_and_keeps_its_payload() {
    let (pool, _stage) = reset_fakes(config(4), Pace::OutOfOrder(3));
    let Err(Error::Failed(failed)) = step(&pool, None, &[COUNT, PANIC, COUNT, PANIC]) else { panic!("expected a failure") };
    assert_eq!((failed.lane, &failed.others[..], failed.rows_pending), (1, &[3][..], 2));
    assert_eq!(failed.fault, LaneError::raised("it was asked to", vec![1]));
    assert_eq!(
        failed.remedy(),
        "environment 1 (and 1 more) failed: reset it to go on with it; recv() gives the results of the other 2"
    );
    assert_eq!(message(step(&pool, Some(&[0]), &[COUNT])), "env_id 0 is in flight: its result has to be received first");
    let rest = recv(&pool).unwrap();
    assert_eq!((ids(&rest), counts(&rest)), (vec![0.0, 2.0], vec![1.0; 2]));
    assert_eq!(message(step(&pool, None, &[COUNT; 4])), "environment 1 has failed: reset it before the next step");
    reset(&pool, Some(&[1, 3])).unwrap();
    assert_eq!(counts(&step(&pool, None, &[COUNT; 4]).unwrap()), [2.0, 1.0, 2.0, 1.0]);
}

#[test]
fn payloads_stay_with_their_rows_if_failed_rows_are_removed() {
    for size in [4, 2] {
        let (pool, _stage) = reset_fakes(config(4).batch_size(size).unwrap(), Pace::OutOfOrder(5));
        send(&pool, None, &[TELL, PANIC, COUNT, TELL]).unwrap();
        let mut all = std::collections::HashMap::new();
        for _ in 0..5 {
            if let Ok(batch) = recv(&pool) {
                all.extend(payloads(&batch));
            }
        }
        assert_eq!(all, [(0, vec![0, 1]), (3, vec![3, 1])].into());
        reset(&pool, Some(&[1])).map(|_| ()).unwrap_or(());
    }
}

#[test]
fn a_timeout_names_the_late_lanes_and_loses_no_result() {
    for size in [4, 2] {
        let (pool, stage) = reset_fakes(config(4).batch_size(size).unwrap(), Pace::AtOnce);
        send(&pool, None, &[COUNT, WAIT, WAIT, WAIT]).unwrap();
        let late = pool.recv_until(&mut None, &mut never, Some(Instant::now()));
        assert_eq!(late.err(), Some(Error::Timeout { lanes: vec![1, 2, 3] }));
        assert!(message(step(&pool, Some(&[0]), &[COUNT])).contains("in flight"), "its row is kept");
        assert_eq!(stage.at_gate(), 3);
        stage.open();
        let rows: usize = (0..4 / size).map(|_| recv(&pool).unwrap().rows()).sum();
        assert_eq!(rows, 4);
        assert_eq!(pool.get_counts(), vec![2.0; 4]);
    }
}

/// Extension trait that steps every environment of a pool and returns the counts.
trait Counts {
    fn get_counts(&self) -> Vec<f64>;
}

impl Counts for Pool {
    fn get_counts(&self) -> Vec<f64> {
        send(self, None, &vec![COUNT; self.config().num_envs]).unwrap();
        let batches = self.config().num_envs / self.config().batch_size;
        (0..batches).flat_map(|_| counts(&recv(self).unwrap())).collect()
    }
}

#[test]
fn a_timed_out_call_remains_a_sent_request() {
    let (pool, stage) = reset_fakes(config(3), Pace::AtOnce);
    let late = run_until(&pool, None, &[COUNT, WAIT, COUNT], Instant::now()).err().unwrap();
    assert_eq!(late.to_string(), "environment 1 has not finished in time: recv() goes on waiting");
    assert_eq!(message(step(&pool, None, &[COUNT; 3])), "env_id 0 is in flight: its result has to be received first");
    stage.open();
    assert_eq!(counts(&recv(&pool).unwrap()), [1.0; 3]);
    assert_eq!(counts(&step(&pool, None, &[COUNT; 3]).unwrap()), [2.0; 3]);
}

#[test]
fn an_interrupted_wait_keeps_the_received_replies() {
    for size in [4, 2] {
        let (pool, stage) = reset_fakes(config(4).batch_size(size).unwrap(), Pace::OutOfOrder(7));
        send(&pool, None, &[TELL, WAIT, WAIT, WAIT]).unwrap();
        assert_eq!(pool.recv(&mut None, &mut || true).err(), Some(Error::Interrupted));
        stage.open();
        let mut all = std::collections::HashMap::new();
        for _ in 0..4 / size {
            all.extend(payloads(&recv(&pool).unwrap()));
        }
        assert_eq!(all, [(0, vec![0, 1])].into());
    }
}

#[test]
fn a_hook_that_panics_loses_nothing() {
    for size in [2, 1] {
        let (pool, stage) = reset_fakes(config(2).batch_size(size).unwrap(), Pace::AtOnce);
        let wait = || {
            let mut call = pool.step(None).unwrap();
            call.set_action(0, &[WAIT; 2]).unwrap();
            call.run(&mut None, &mut || panic!("it was asked to"))
        };
        super::failures::quietly(|| std::panic::catch_unwind(std::panic::AssertUnwindSafe(wait)).unwrap_err());
        stage.open();
        let received: usize = (0..2 / size).map(|_| recv(&pool).unwrap().rows()).sum();
        assert_eq!(received, 2);
    }
}

#[test]
fn an_unencodable_action_sends_nothing() {
    let (pool, stage) = reset_fakes(config(4), Pace::AtOnce);
    stage.take_submitted();
    stage.refuse(2);
    assert_eq!(message(step(&pool, None, &[COUNT; 4])), "action: too long");
    assert!(stage.take_submitted().is_empty());
    assert_eq!(counts(&step(&pool, None, &[COUNT; 4]).unwrap()), [1.0; 4]);
}

#[test]
fn lanes_of_a_lost_host_fail_and_are_refused_afterwards() {
    for size in [4, 2] {
        let (pool, stage) = reset_fakes(config(4).batch_size(size).unwrap(), Pace::AtOnce);
        send(&pool, None, &[COUNT, WAIT, WAIT, COUNT]).unwrap();
        stage.lose_host(1, &[1, 2]);
        let (mut rows, mut failures) = (0, Vec::new());
        for _ in 0..3 {
            match recv(&pool) {
                Ok(batch) => rows += batch.rows(),
                Err(Error::Failed(failed)) => failures.push(*failed),
                Err(other) => assert!(other.to_string().starts_with("recv: "), "{other}"),
            }
        }
        assert_eq!(rows, 2);
        assert_eq!(failures[0].lane, 1);
        assert_eq!(failures[0].fault, LaneError::host_lost("place 1 was lost", vec![1]));
        let Err(Error::HostLost(refused)) = send(&pool, None, &[COUNT; 4]) else { panic!("expected a refusal") };
        assert_eq!((refused.lane, refused.fault.to_string()), (1, "place 1 was lost".to_owned()));
        send(&pool, Some(&[0, 3]), &[COUNT; 2]).unwrap();
    }
}

#[test]
fn a_masked_reset_repeats_the_last_rows_of_unmasked_lanes() {
    let (pool, _stage) = reset_fakes(PoolConfig { autoreset_mode: AutoresetMode::Disabled, ..config(3) }, Pace::OutOfOrder(11));
    step(&pool, None, &[COUNT, END, COUNT]).unwrap();
    let batch =
        pool.reset_masked(vec![false, true, false], vec![None; 3], ResetOptions::default()).unwrap().run(&mut None, &mut never);
    let batch = batch.unwrap();
    assert_eq!((counts(&batch), numbers(&batch, Role::ElapsedStep)), (vec![1.0, 0.0, 1.0], vec![1.0, 0.0, 1.0]));
    assert_eq!(numbers(&batch, Role::Reward), [0.0; 3]);
    assert_eq!(counts(&step(&pool, None, &[COUNT; 3]).unwrap()), [2.0, 1.0, 2.0]);
}

#[test]
fn draining_waits_for_all_results_and_discards_them() {
    for size in [4, 2] {
        for pace in [Pace::AtOnce, Pace::OutOfOrder(13), Pace::Twice(17)] {
            let (pool, stage) = reset_fakes(config(4).batch_size(size).unwrap(), pace);
            send(&pool, None, &[COUNT, WAIT, PANIC, COUNT]).unwrap();
            assert_eq!(pool.drain(&mut || true).err(), Some(Error::Interrupted));
            stage.open();
            pool.drain(&mut never).unwrap();
            assert!(message(recv(&pool)).starts_with("recv: "));
            assert_eq!(message(send(&pool, None, &[COUNT; 4])), "environment 2 has failed: reset it before the next step");
            send(&pool, Some(&[0, 1, 3]), &[COUNT; 3]).unwrap();
            pool.drain(&mut never).unwrap();
        }
    }
}

#[test]
fn initial_seeds_apply_to_the_first_reset_of_each_environment() {
    let (pool, _stage) = pool(config(2), Pace::AtOnce);
    let drawn = |batch: &Batch| numbers(batch, Role::Observation(0))[0];
    let given = pool.reset(None, vec![Some(7), None], ResetOptions::default()).unwrap().run(&mut None, &mut never).unwrap();
    let (other, _stage) = self::pool(config(2), Pace::AtOnce);
    let first = reset(&other, None).unwrap();
    assert_ne!(drawn(&given), drawn(&first), "the seed that was given");
    let second = |batch: &Batch| numbers(batch, Role::Observation(0))[2];
    assert_eq!(second(&given), second(&first), "the first seed");
    assert_ne!(second(&reset(&pool, None).unwrap()), second(&first), "it counts once");
}

#[test]
fn reset_options_are_forwarded_unparsed() {
    let (pool, _stage) = pool(config(2), Pace::AtOnce);
    let options = ResetOptions::from_payload(Payload::from(vec![1, 2, 3]));
    let batch = pool.reset(None, Vec::new(), options.clone()).unwrap().run(&mut None, &mut never).unwrap();
    assert_eq!(payloads(&batch), [(0, vec![1, 2, 3]), (1, vec![1, 2, 3])].into());
    let native = pool_of(&counter(), config(2));
    assert_eq!(message(native.reset(None, Vec::new(), options)), "reset options are numbers by name");
}

#[test]
fn calls_return_in_order_with_separate_failures() {
    let (pool, _stage) = pool(config(3), Pace::OutOfOrder(19));
    let payloads: Vec<_> = [&b"a"[..], b"fail", b"c"].map(Payload::from).into();
    let answers = pool.call_lanes(Some(&[2, 0, 1]), &payloads, &mut never, None).unwrap();
    let texts: Vec<_> = answers.iter().map(|answer| answer.as_ref().map(|message| message.bytes().to_vec())).collect();
    assert_eq!(texts, [Ok(vec![b'a', 2]), Err(&LaneError::raised("it was asked to", b"fail".to_vec())), Ok(vec![b'c', 1])]);
    assert_eq!(reset(&pool, None).unwrap().rows(), 3, "it goes on");
    assert_eq!(message(pool.call_lanes(None, &[], &mut never, None)), "payloads=[0 values]: expected one, or one for each of 3");
    let native = pool_of(&counter(), config(2));
    assert!(message(native.call_lanes(None, &payloads, &mut never, None)).contains("run in the engine"));
}

#[test]
fn the_reply_to_an_abandoned_call_is_dropped() {
    for size in [3, 1] {
        let (pool, stage) = reset_fakes(config(3).batch_size(size).unwrap(), Pace::AtOnce);
        let asked = pool.call_lanes(Some(&[1]), &[Payload::from(&b"wait"[..])], &mut || true, None);
        assert_eq!(asked.err(), Some(Error::Interrupted));
        let busy = "env_id 1 is in flight: its result has to be received first";
        assert_eq!(message(send(&pool, None, &[COUNT; 3])), busy);
        send(&pool, Some(&[0]), &[COUNT]).unwrap();
        stage.open();
        assert_eq!(counts(&recv(&pool).unwrap()), [1.0]);
        send(&pool, Some(&[1]), &[COUNT]).unwrap();
        assert_eq!(counts(&recv(&pool).unwrap()), [1.0]);
    }
}

#[test]
fn closing_ends_a_wait_and_reports_its_error_once() {
    let (pool, stage) = reset_fakes(config(2), Pace::AtOnce);
    send(&pool, None, &[WAIT; 2]).unwrap();
    std::thread::scope(|scope| {
        let waiting = scope.spawn(|| message(recv(&pool)));
        let wrong = pool.close_until(Instant::now(), false);
        assert_eq!(wrong, [LaneError::raised("it would not end", Vec::new())]);
        assert_eq!(waiting.join().unwrap(), "this pool is closed");
    });
    assert_eq!(pool.close_until(Instant::now(), true), []);
    drop(pool);
    assert_eq!(stage.closed(), [false]);
}

#[test]
fn replies_to_the_closing_call_are_read_by_the_closing_thread() {
    for size in [2, 1] {
        let (pool, stage) = reset_fakes(config(2).batch_size(size).unwrap(), Pace::AtOnce);
        send(&pool, None, &[WAIT; 2]).unwrap();
        let mut close = || {
            pool.close_until(Instant::now(), false);
            false
        };
        assert_eq!(pool.recv(&mut None, &mut close).err(), Some(Error::Closed));
        assert_eq!(stage.answered(), 2);
    }
}

#[test]
fn a_dropped_pool_terminates_its_environments() {
    let (pool, stage) = reset_fakes(config(2), Pace::AtOnce);
    send(&pool, None, &[WAIT; 2]).unwrap();
    drop(pool);
    assert_eq!(stage.closed(), [true]);
}

#[test]
fn one_thread_may_send_while_another_receives_external_results() {
    let (pool, _stage) = reset_fakes(config(16).batch_size(4).unwrap(), Pace::OutOfOrder(23));
    let (give, take) = std::sync::mpsc::channel::<Vec<i64>>();
    give.send((0..16).collect()).unwrap();
    std::thread::scope(|scope| {
        scope.spawn(|| {
            for ids in take {
                send(&pool, Some(&ids), &vec![COUNT; ids.len()]).unwrap();
            }
        });
        for _ in 0..300 {
            let batch = std::iter::repeat_with(|| recv(&pool)).find_map(Result::ok).unwrap();
            assert_eq!(counts(&batch), numbers(&batch, Role::ElapsedStep));
            give.send(ids(&batch).iter().map(|id| *id as i64).collect()).unwrap();
        }
        drop(give);
    });
    pool.drain(&mut never).unwrap();
}

/// Limits the memory that this process may still reserve to `bytes`.
#[cfg(target_os = "linux")]
fn limit_memory(bytes: u64) {
    let pages: u64 = std::fs::read_to_string("/proc/self/statm").unwrap().split(' ').next().unwrap().parse().unwrap();
    // SAFETY: both calls only read their arguments.
    unsafe {
        let most = pages * libc::sysconf(libc::_SC_PAGESIZE) as u64 + bytes;
        let limit = libc::rlimit { rlim_cur: most, rlim_max: libc::RLIM_INFINITY };
        assert_eq!(libc::setrlimit(libc::RLIMIT_AS, &limit), 0);
    }
}

#[test]
#[cfg(target_os = "linux")]
fn an_environment_whose_rollback_is_refused_memory_has_failed() {
    const IS_LIMITED: &str = "ENVPOOL_RS_TEST_IS_LIMITED";
    if std::env::var_os(IS_LIMITED).is_none() {
        // The limit applies to a whole process.
        let name = "outside::an_environment_whose_rollback_is_refused_memory_has_failed";
        let mut alone = std::process::Command::new(std::env::current_exe().unwrap());
        assert!(alone.args([name, "--exact"]).env(IS_LIMITED, "1").status().unwrap().success());
        return;
    }
    let (pool, stage) = reset_fakes(config(2), Pace::AtOnce);
    let states = pool.get_state(None).unwrap();
    step(&pool, None, &[COUNT; 2]).unwrap();
    // The old states can be saved, in 64 MiB, but that of environment 0 cannot be loaded again, which takes four copies of 32 MiB.
    stage.enlarge_states(32 << 20, 1);
    limit_memory(170 << 20);
    assert!(message(pool.set_state(&states, None)).contains("it rejects states"));
    limit_memory(u64::MAX >> 1);
    assert_eq!(message(step(&pool, None, &[COUNT; 2])), "environment 0 has failed: reset it before the next step");
    assert_eq!(counts(&step(&pool, Some(&[1]), &[COUNT]).unwrap()), [2.0], "it rejected the state");
    assert_eq!(counts(&reset(&pool, Some(&[0])).unwrap()), [0.0]);
}
