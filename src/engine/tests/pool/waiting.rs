//! Tests waits that an interrupt or a deadline ends, and calls that are abandoned.

use std::sync::mpsc;

use super::envs::{COUNT, GATE, LINGER, PATIENCE, WAIT, alive, counter, counters_of, until};
use super::*;

/// Returns configurations of a synchronous and an asynchronous pool whose environments run on workers.
fn configs() -> [PoolConfig; 2] {
    [config(4), config(4).batch_size(2).unwrap()].map(|config| config.num_threads(4).unwrap())
}

/// Returns a pool for each configuration that [`configs`] returns, after a reset.
fn pools() -> [Pool; 2] {
    configs().map(|config| reset_pool(&counter(), config))
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

/// Waits until workers have taken every item. Otherwise, a receiving thread would run an item itself and
/// block at the closed gate instead of checking for interrupts.
fn let_workers_take_everything() {
    GATE.holds(4);
}

#[test]
fn draining_discards_results_and_frees_the_environments() {
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
fn an_interrupted_drain_can_be_resumed() {
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
fn closing_ends_a_wait_and_refuses_later_calls() {
    for pool in pools() {
        GATE.closed(|| {
            send(&pool, None, &[WAIT; 4]).unwrap();
            let_workers_take_everything();
            std::thread::scope(|scope| {
                let (waits, looks_around) = mpsc::channel();
                let pool = &pool;
                let waiting = scope.spawn(move || message(pool.recv(&mut None, &mut || waits.send(()).is_err())));
                looks_around.recv_timeout(PATIENCE).expect("it waits, and looks for interrupts meanwhile");
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
fn a_pool_may_be_dropped_with_requests_in_flight() {
    for config in configs() {
        GATE.closed(|| {
            let (counters, pool) = counters_of(|| reset_pool(&counter(), config));
            send(&pool, None, &[WAIT; 4]).unwrap();
            let_workers_take_everything();
            let (sender, receiver) = mpsc::channel();
            std::thread::spawn(move || {
                drop(pool);
                sender.send(())
            });
            receiver.recv_timeout(PATIENCE).expect("dropping a pool waits for no thread");
            assert_eq!(alive(&counters), 1, "the workers play it");
            GATE.open();
            until(|| alive(&counters) == 0); // workers keep references to the environments until they end
        });
    }
}

#[test]
fn an_interrupt_hook_that_panics_loses_nothing() {
    for pool in pools() {
        GATE.closed(|| {
            let wait = || {
                let mut call = pool.step(None).unwrap();
                call.set_action(0, &[WAIT; 4]).unwrap();
                call.run(&mut None, &mut || panic!("the hook was asked to"))
            };
            std::panic::catch_unwind(std::panic::AssertUnwindSafe(wait)).unwrap_err();
            let refused = message(pool.step(Some(&[1])));
            assert!(refused.contains("in flight"), "a worker may be at it: {refused}");
            GATE.open();
            let received: usize = (0..4 / pool.config().batch_size).map(|_| recv(&pool).unwrap().rows()).sum();
            assert_eq!(received, 4);
        });
    }
}

#[test]
fn steps_before_a_panic_of_the_interrupt_hook_are_counted() {
    let pool = reset_pool(&counter(), PoolConfig { num_threads: 0, ..config(2) });
    let play = || {
        let mut call = pool.step(None).unwrap();
        call.set_action(0, &[LINGER; 2]).unwrap();
        call.run(&mut None, &mut || panic!("the hook was asked to"))
    };
    std::panic::catch_unwind(std::panic::AssertUnwindSafe(play)).unwrap_err();
    let mut patience = 20;
    let received = pool.recv(&mut None, &mut || {
        patience -= 1;
        patience == 0
    });
    assert_eq!(received.unwrap().rows(), 2);
}
