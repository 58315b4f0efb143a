//! Pools used from several threads.

use super::envs::{COUNT, block_counter, both, counter};
use super::*;

#[test]
fn one_thread_may_send_while_another_receives() {
    for task in both() {
        let pool = reset_pool(&task, config(64).batch_size(16).unwrap().num_threads(2).unwrap());
        let (give, take) = std::sync::mpsc::channel::<Vec<i64>>();
        give.send((0..64).collect()).unwrap();
        std::thread::scope(|scope| {
            scope.spawn(|| {
                for ids in take {
                    send(&pool, Some(&ids), &vec![COUNT; ids.len()]).unwrap();
                }
            });
            for _ in 0..500 {
                // Until the sender has sent, there may be too little in flight; that is no more than an error.
                let batch = std::iter::repeat_with(|| recv(&pool)).find_map(Result::ok).unwrap();
                assert_eq!(counts(&batch), numbers(&batch, Role::ElapsedStep));
                give.send(ids(&batch).iter().map(|id| *id as i64).collect()).unwrap();
            }
            drop(give);
        });
        pool.drain(&mut never).unwrap();
    }
}

#[test]
fn a_second_sender_is_told_so_instead_of_waiting() {
    let pool = reset_pool(&counter(), config(2));
    let call = pool.step(None).unwrap();
    assert_eq!(message(pool.step(None)), "this pool is in use by another thread");
    drop(call);
    step(&pool, None, &[COUNT; 2]).unwrap();
}

#[test]
fn thousands_of_lanes_shared_with_workers_are_each_played_once() {
    let pool = reset_pool(&block_counter(), config(30_001).num_threads(3).unwrap());
    for round in 1..=50 {
        let batch = step(&pool, None, &vec![COUNT; 30_001]).unwrap();
        assert!(counts(&batch).iter().all(|count| *count == f64::from(round)), "round {round}");
    }
}
