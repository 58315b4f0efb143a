//! Waits that are interrupted, thrown away or cut short.

use std::time::Duration;

use super::envs::{COUNT, GATE, LINGER, WAIT, counter};
use super::*;

/// A sync and an async pool whose environments are played by workers.
fn pools() -> [Pool; 2] {
    [config(4), config(4).batch_size(2).unwrap()].map(|config| reset_pool(&counter(), config.num_threads(4).unwrap()))
}

#[test]
fn an_interrupted_wait_loses_nothing() {
    for pool in pools() {
        GATE.closed(|| {
            send(&pool, None, &[WAIT; 4]).unwrap();
            let_workers_take_everything();
            assert_eq!(pool.recv(&mut None, &mut || true).err(), Some(Error::Interrupted));
            GATE.open();
            let received: usize = (0..4 / pool.config().batch_size).map(|_| recv(&pool).unwrap().rows()).sum();
            assert_eq!(received, 4);
        });
    }
}

/// Waits until workers hold every chunk. Whoever waits for results helps with what is still queued, and would stand at the gate
/// instead of looking for interrupts.
fn let_workers_take_everything() {
    std::thread::sleep(Duration::from_millis(100));
}

#[test]
fn draining_throws_results_away_and_frees_the_environments() {
    for pool in pools() {
        send(&pool, None, &[LINGER; 4]).unwrap();
        pool.drain(&mut never).unwrap();
        assert!(matches!(recv(&pool), Err(Error::State(_))));
        send(&pool, None, &[COUNT; 4]).unwrap();
        let rows: Vec<_> = (0..4 / pool.config().batch_size).flat_map(|_| counts(&recv(&pool).unwrap())).collect();
        assert_eq!(rows, [2.0; 4], "what was thrown away had been played");
    }
}

#[test]
fn an_interrupted_drain_can_be_taken_up_again() {
    for pool in pools() {
        GATE.closed(|| {
            send(&pool, None, &[WAIT; 4]).unwrap();
            let_workers_take_everything();
            assert_eq!(pool.drain(&mut || true).err(), Some(Error::Interrupted));
            assert_eq!(pool.drain(&mut || true).err(), Some(Error::Interrupted), "it is still being played");
            GATE.open();
            pool.drain(&mut never).unwrap();
            assert_eq!(pool.get_state(None).unwrap().len(), 4);
        });
    }
}

#[test]
fn closing_ends_a_wait_and_refuses_everything_after() {
    for pool in pools() {
        GATE.closed(|| {
            send(&pool, None, &[WAIT; 4]).unwrap();
            let_workers_take_everything();
            std::thread::scope(|scope| {
                let waiting = scope.spawn(|| message(recv(&pool)));
                std::thread::sleep(Duration::from_millis(20));
                pool.close();
                assert_eq!(waiting.join().unwrap(), "this pool is closed");
            });
            pool.close();
            assert_eq!(message(step(&pool, None, &[COUNT; 4])), "this pool is closed");
            assert_eq!(message(pool.get_state(None)), "this pool is closed");
            assert!(pool.is_closed());
        });
    }
}

#[test]
fn a_pool_may_be_dropped_with_work_under_way() {
    for pool in pools() {
        send(&pool, None, &[LINGER; 4]).unwrap();
        drop(pool);
    }
}
