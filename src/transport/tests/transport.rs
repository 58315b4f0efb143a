//! Tests the transport over shared memory. Instead of processes, threads attach to the block as workers.

use std::collections::HashSet;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

use envpool_rs_transport::{
    Caller, CallerClaim, Completion, Error, LeafSize, Operation, RequestState, RowLayout, RowSet, ShmSegment, WakeStrategy,
    Worker, flags,
};
use proptest::prelude::*;

/// Maps a block a second time, as another process does.
fn attach(segment: &ShmSegment) -> ShmSegment {
    ShmSegment::attach(segment.file().try_clone().unwrap()).unwrap()
}

/// Runs a worker until the block closes. The worker replies to each message with the reversed message; the reward is the
/// message's length.
fn serve(segment: &ShmSegment, worker: usize) {
    let mut worker = Worker::new(segment, worker).unwrap();
    while let Some(mut playing) = worker.next() {
        let mut message = playing.read_request(<[u8]>::to_vec).unwrap();
        message.reverse();
        playing.write_reply(&message).unwrap();
        let completion = Completion { reward: message.len() as f64, flags: flags::MESSAGE, ..Completion::default() };
        playing.finish(completion);
    }
}

/// Guard that closes a block when a test ends or panics, so that its workers end.
struct Closing<'a>(&'a ShmSegment);

impl Drop for Closing<'_> {
    fn drop(&mut self) {
        self.0.close();
    }
}

fn wait_for(caller: &Caller<'_>, count: usize) -> Vec<usize> {
    let start = Instant::now();
    while !caller.wait(None, count, Duration::from_millis(50)) {
        assert!(start.elapsed() < Duration::from_secs(300), "no answer"); // a long limit, because the machine may be busy
    }
    caller.finished(None, count)
}

fn run_rounds(wake_up: WakeStrategy, worker_of: &[Option<u32>], rounds: &[Vec<(usize, Vec<u8>)>]) {
    let segment = ShmSegment::create(worker_of, 100, wake_up).unwrap();
    let caller = Caller::new(&segment);
    std::thread::scope(|scope| {
        let _closing = Closing(&segment);
        for worker in 0..segment.num_workers() {
            let theirs = attach(&segment);
            scope.spawn(move || serve(&theirs, worker));
        }
        for round in rounds {
            let envs: Vec<usize> = round.iter().map(|(env, _)| *env).collect();
            for (mut held, (_, message)) in caller.claim_idle(&envs).unwrap().into_iter().zip(round) {
                held.write_request(message, &[]).unwrap();
                held.post(Operation::STEP);
            }
            caller.ring_doorbell(&envs);
            let mut finished = wait_for(&caller, envs.len());
            finished.sort_unstable();
            let mut expected = envs.clone();
            expected.sort_unstable();
            assert_eq!(finished, expected);
            for (env, message) in round {
                let answer = segment.claim_finished(*env).unwrap();
                let mut reply = answer.read_reply(<[u8]>::to_vec).unwrap();
                reply.reverse();
                assert_eq!(&reply, message);
                assert_eq!(answer.completion().reward, message.len() as f64);
                answer.release();
            }
        }
    });
}

fn rounds(num_envs: usize) -> impl Strategy<Value = Vec<Vec<(usize, Vec<u8>)>>> {
    let length = prop_oneof![Just(0_usize), 1_usize..90, 90_usize..70_000];
    let message = (length, any::<u8>()).prop_map(|(length, first)| (0..length).map(|at| (at * 31) as u8 ^ first).collect());
    let round = prop::collection::btree_map(0..num_envs, message, 1..=num_envs);
    prop::collection::vec(round.prop_map(|round| round.into_iter().collect()), 1..20)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn messages_of_any_size_reach_their_environment_and_return(rounds in rounds(7), workers in 1_u32..4, poll: bool) {
        let worker_of: Vec<_> = (0..7).map(|env| Some(env % workers)).collect();
        run_rounds(if poll { WakeStrategy::Poll } else { WakeStrategy::best() }, &worker_of, &rounds);
    }
}

#[test]
fn many_short_rounds_lose_no_wake_up() {
    let round: Vec<(usize, Vec<u8>)> = (0..4).map(|env| (env, vec![env as u8; 3])).collect();
    run_rounds(WakeStrategy::best(), &[Some(0), Some(0), Some(1), Some(2)], &vec![round; 20_000]);
}

#[test]
fn finished_environments_are_returned_in_order_of_completion() {
    let segment = ShmSegment::create(&[Some(0); 5], 64, WakeStrategy::best()).unwrap();
    let caller = Caller::new(&segment);
    for order in [[3, 1, 4, 0, 2], [0, 1, 2, 3, 4], [4, 3, 2, 1, 0]] {
        caller.post(&[0, 1, 2, 3, 4], Operation::STEP).unwrap();
        for env in order {
            segment.claim_requested(env).unwrap().finish(Completion::default());
        }
        assert_eq!(caller.finished(None, 5), order);
        assert_eq!(caller.finished(None, 2), order[..2]);
        assert_eq!(caller.finished(Some(&[2, 0]), 5).len(), 2);
        caller.claim_finished(&[0, 1, 2, 3, 4]).unwrap().into_iter().for_each(CallerClaim::release);
    }
}

#[test]
fn a_slow_environment_does_not_delay_other_workers() {
    let segment = ShmSegment::create(&[Some(0), Some(1)], 64, WakeStrategy::best()).unwrap();
    let (slow, quick) = (attach(&segment), attach(&segment));
    let (caller, go) = (Caller::new(&segment), AtomicBool::new(false));
    std::thread::scope(|scope| {
        let _closing = Closing(&segment);
        scope.spawn(|| {
            let mut worker = Worker::new(&slow, 0).unwrap();
            while let Some(playing) = worker.next() {
                while !go.load(Ordering::SeqCst) && !slow.is_closing() {
                    std::thread::yield_now();
                }
                playing.finish(Completion::default());
            }
        });
        scope.spawn(|| serve(&quick, 1));
        caller.post(&[0, 1], Operation::STEP).unwrap();
        assert_eq!(wait_for(&caller, 1), [1]);
        for _ in 0..10 {
            segment.claim_finished(1).unwrap().release();
            caller.post(&[1], Operation::STEP).unwrap();
            assert_eq!(wait_for(&caller, 1), [1]);
        }
        go.store(true, Ordering::SeqCst);
        assert_eq!(wait_for(&caller, 2), [1, 0]);
    });
}

#[test]
fn a_dead_worker_loses_only_its_own_requests() {
    let segment = ShmSegment::create(&[Some(0), Some(0), Some(1), None], 64, WakeStrategy::best()).unwrap();
    let caller = Caller::new(&segment);
    caller.post(&[0, 1, 2, 3], Operation::STEP).unwrap();
    // The worker finishes the first request, and dies during the second.
    segment.claim_requested(0).unwrap().finish(Completion { reward: 5.0, ..Completion::default() });
    std::mem::forget(segment.claim_requested(1).unwrap());
    // SAFETY: no worker process was started, so none can access the block.
    let lose = || unsafe { caller.lose_worker(0) }.unwrap();
    assert_eq!(lose(), [1]);
    assert_eq!((segment.completion(0).reward, segment.completion(0).flags), (5.0, 0));
    assert_eq!(segment.completion(1).flags, flags::LOST);
    assert_eq!((segment.state(2), segment.state(3)), (RequestState::Requested, RequestState::Requested));
    assert!(lose().is_empty());
    caller.prepare_restart(0);
    segment.claim_finished(1).unwrap().release();
    caller.post(&[1], Operation::Reset { seed: Some(-3), is_discarded: true }).unwrap();
    let theirs = attach(&segment);
    let playing = Worker::new(&theirs, 0).unwrap().next().unwrap();
    assert_eq!((playing.env(), playing.operation()), (1, Operation::Reset { seed: Some(-3), is_discarded: true }));
}

#[test]
fn a_wait_for_more_replies_than_requests_ends_at_its_limit() {
    let segment = ShmSegment::create(&[Some(0); 2], 64, WakeStrategy::best()).unwrap();
    let caller = Caller::new(&segment);
    caller.post(&[1], Operation::Call).unwrap();
    assert!(!caller.wait(None, 2, Duration::from_millis(20)));
}

#[test]
fn misuse_is_refused_and_changes_nothing() {
    let segment = ShmSegment::create(&[Some(0); 3], 64, WakeStrategy::best()).unwrap();
    let caller = Caller::new(&segment);
    assert!(matches!(caller.post(&[0, 3], Operation::STEP), Err(Error::Index(text)) if text == "env_id 3: expected 0 to 2"));
    assert!(matches!(caller.post(&[0, 2, 0], Operation::STEP), Err(Error::Value(text)) if text == "env_id 0 is given twice"));
    assert_eq!(segment.state(0), RequestState::Idle);
    caller.post(&[2], Operation::STEP).unwrap();
    assert!(matches!(caller.post(&[1, 2], Operation::STEP), Err(Error::State(_))));
    assert_eq!(segment.state(1), RequestState::Idle);
    assert!(Worker::new(&segment, 1).is_err());
    assert!(matches!(ShmSegment::create(&[], 64, WakeStrategy::best()), Err(Error::Value(_))));
    assert!(matches!(ShmSegment::create(&[None], usize::MAX, WakeStrategy::best()), Err(Error::Value(_))));
}

#[test]
fn only_a_shared_memory_segment_can_be_attached() {
    let file = std::fs::File::open(std::env::current_exe().unwrap()).unwrap();
    assert!(ShmSegment::attach(file).is_err());
    assert!(ShmSegment::attach(std::fs::File::open("/dev/null").unwrap()).is_err());
}

#[test]
fn every_mapping_shows_the_same_rows() {
    let segment = ShmSegment::create(&[Some(0); 2], 64, WakeStrategy::best()).unwrap();
    let leaves = vec![vec![LeafSize { bytes: 3 }, LeafSize { bytes: 8 }]; 2];
    let layout = || RowLayout::new(&leaves, true, true).unwrap();
    let theirs = attach(&segment);
    for each in [&segment, &theirs] {
        each.map_rows(layout(), 2).unwrap();
    }
    let mut addresses = HashSet::new();
    for (env, leaves) in leaves.iter().enumerate() {
        for (leaf, LeafSize { bytes: expected }) in leaves.iter().enumerate() {
            for set in [RowSet::Current, RowSet::Final] {
                Caller::new(&segment).post(&[env], Operation::STEP).unwrap();
                let mut playing = theirs.claim_requested(env).unwrap();
                playing.row_mut(leaf, set).unwrap().fill(env as u8 + 1);
                playing.finish(Completion::default());
                let answer = segment.claim_finished(env).unwrap();
                let row = answer.row(leaf, set).unwrap();
                assert_eq!(row, vec![env as u8 + 1; *expected]);
                assert!(addresses.insert(row.as_ptr()));
                assert!(answer.row(2, set).is_none());
                answer.release();
            }
        }
    }
    assert!(matches!(segment.map_rows(layout(), 2), Err(Error::State(_))));
    assert!(matches!(attach(&segment).map_rows(layout(), 3), Err(Error::Value(_))));
    let other = RowLayout::new(&leaves, false, true).unwrap();
    assert!(matches!(attach(&segment).map_rows(other, 2), Err(Error::Value(text)) if text.contains("laid out otherwise")));
}

#[test]
fn a_damaged_length_is_an_error() {
    let segment = ShmSegment::create(&[Some(0)], 64, WakeStrategy::best()).unwrap();
    // Offset of environment 0's control words, which follow the header (3 lines of 64 bytes) and the worker's line.
    use std::os::unix::fs::FileExt;
    let mut page = vec![0xff; 4096 - 256];
    page[..4].copy_from_slice(&3_u32.to_ne_bytes());
    segment.file().write_all_at(&page, 256).unwrap();
    assert!(segment.claim_finished(0).unwrap().read_reply(<[u8]>::len).is_err());
    segment.file().write_all_at(&1_u32.to_ne_bytes(), 256).unwrap();
    assert!(segment.claim_requested(0).unwrap().read_request(<[u8]>::len).is_err());
}

#[test]
fn an_environment_has_one_owner_at_a_time() {
    let segment = ShmSegment::create(&[Some(0); 2], 64, WakeStrategy::best()).unwrap();
    let (theirs, caller) = (attach(&segment), Caller::new(&segment));
    let held = segment.claim_idle(0).unwrap();
    assert!(theirs.claim_idle(0).is_none() && theirs.claim_finished(0).is_none() && theirs.claim_requested(0).is_none());
    assert!(matches!(caller.post(&[1, 0], Operation::STEP), Err(Error::State(_))));
    assert_eq!((segment.state(0), segment.state(1)), (RequestState::Idle, RequestState::Idle));
    held.post(Operation::STEP);
    let playing = theirs.claim_requested(0).unwrap();
    assert!(segment.claim_requested(0).is_none() && segment.claim_idle(0).is_none() && segment.claim_finished(0).is_none());
    playing.finish(Completion::default());
    let answer = segment.claim_finished(0).unwrap();
    assert!(segment.claim_idle(0).is_none() && segment.claim_finished(0).is_none());
    assert!(matches!(caller.claim_finished(&[0]), Err(Error::State(text)) if text.contains("no result")));
    drop(answer);
    assert!(matches!(caller.claim_finished(&[0, 0]), Err(Error::Value(_))));
    segment.claim_finished(0).unwrap().release();
    assert_eq!(segment.state(0), RequestState::Idle);
}

#[test]
fn a_dropped_request_fails() {
    let segment = ShmSegment::create(&[Some(0)], 64, WakeStrategy::best()).unwrap();
    Caller::new(&segment).post(&[0], Operation::Call).unwrap();
    drop(segment.claim_requested(0).unwrap());
    let answer = segment.claim_finished(0).unwrap();
    assert_eq!(answer.completion().flags, flags::FAILED);
    assert!(answer.read_reply(<[u8]>::is_empty).unwrap());
}

#[test]
fn a_local_worker_can_be_neither_duplicated_nor_marked_lost() {
    let segment = ShmSegment::create(&[Some(0)], 64, WakeStrategy::best()).unwrap();
    let worker = Worker::new(&segment, 0).unwrap();
    assert!(matches!(Worker::new(&segment, 0), Err(Error::State(_))));
    // SAFETY: `lose_worker` returns an error before it accesses memory, because the worker is a thread of this process.
    assert!(matches!(unsafe { Caller::new(&segment).lose_worker(0) }, Err(Error::State(_))));
    drop(worker);
    // SAFETY: the worker's thread has ended, and no other worker exists.
    assert!(unsafe { Caller::new(&segment).lose_worker(0) }.unwrap().is_empty());
    assert!(Worker::new(&segment, 0).is_ok());
}

#[test]
fn competing_threads_see_whole_messages_and_rows() {
    const ROUNDS: u64 = 20_000;
    let segment = ShmSegment::create(&[Some(0)], 64, WakeStrategy::best()).unwrap();
    let layout = || RowLayout::new(&[vec![LeafSize { bytes: 48 }]], false, true).unwrap();
    segment.map_rows(layout(), 1).unwrap();
    let theirs = attach(&segment);
    theirs.map_rows(layout(), 1).unwrap();
    let whole = |bytes: &[u8]| bytes.iter().all(|byte| *byte == bytes[0]);
    let posted = AtomicU64::new(0);
    std::thread::scope(|scope| {
        let _closing = Closing(&segment);
        scope.spawn(|| {
            let mut worker = Worker::new(&theirs, 0).unwrap();
            while let Some(mut playing) = worker.next() {
                let number = playing.read_request(|bytes| if whole(bytes) { bytes[0] } else { panic!("torn") }).unwrap();
                playing.row_mut(0, RowSet::Current).unwrap().fill(number);
                playing.write_reply(&[number; 40]).unwrap();
                playing.finish(Completion::default());
            }
        });
        let threads = [1_u8, 2, 3].map(|number| {
            let (segment, posted) = (&segment, &posted);
            scope.spawn(move || {
                while posted.load(Ordering::Relaxed) < ROUNDS {
                    if let Some(held) = segment.claim_idle(0).or_else(|| segment.claim_finished(0)) {
                        assert!(whole(held.row(0, RowSet::Current).unwrap()));
                        assert!(held.read_reply(|bytes| bytes.is_empty() || whole(bytes)).unwrap());
                    }
                    if let Some(held) = segment.claim_finished(0) {
                        held.release();
                    }
                    if let Some(mut held) = segment.claim_idle(0) {
                        held.write_request(&[number; 24], &[number; 24]).unwrap();
                        held.post(Operation::STEP);
                        Caller::new(segment).ring_doorbell(&[0]);
                        posted.fetch_add(1, Ordering::Relaxed);
                    }
                    std::thread::yield_now();
                }
            })
        });
        threads.into_iter().for_each(|thread| thread.join().unwrap());
    });
}
