//! Tests that an environment that panics does not affect other environments.

use super::envs::{BURST, COUNT, PANIC, SPOIL, alive, counter, counters_of, until};
use super::*;

/// Runs `test` without printing the panics that it causes.
pub fn quietly<T>(test: impl FnOnce() -> T) -> T {
    std::panic::set_hook(Box::new(|info| {
        if !info.to_string().contains("it was asked to") {
            eprintln!("{info}");
        }
    }));
    test()
}

#[test]
fn a_panic_names_its_environment_and_recv_returns_the_remaining_results() {
    quietly(|| {
        let pool = reset_pool(&counter(), config(4));
        let error = message(step(&pool, None, &[COUNT, COUNT, PANIC, COUNT]));
        let expected =
            "environment 2 panicked: it was asked to. Reset it to go on with it; recv() gives the results of the other 3";
        assert_eq!(error, expected);
        let rest = recv(&pool).unwrap();
        assert_eq!((ids(&rest), counts(&rest)), (vec![0.0, 1.0, 3.0], vec![1.0; 3]));
    });
}

#[test]
fn deferred_results_stay_in_flight_until_they_are_received() {
    quietly(|| {
        let pool = reset_pool(&counter(), config(3));
        step(&pool, None, &[PANIC, COUNT, COUNT]).unwrap_err();
        assert_eq!(message(step(&pool, Some(&[1]), &[COUNT])), "env_id 1 is in flight: its result has to be received first");
        reset(&pool, Some(&[0])).unwrap_err(); // rejected, because results of an earlier call are pending
        recv(&pool).unwrap();
        reset(&pool, Some(&[0])).unwrap();
        assert_eq!(counts(&step(&pool, None, &[COUNT; 3]).unwrap()), [1.0, 2.0, 2.0]);
    });
}

#[test]
fn a_failed_environment_is_refused_until_its_reset() {
    quietly(|| {
        let pool = reset_pool(&counter(), config(2));
        step(&pool, Some(&[1]), &[PANIC]).unwrap_err();
        assert_eq!(message(step(&pool, None, &[COUNT; 2])), "environment 1 has failed: reset it before the next step");
        assert_eq!(message(pool.get_state(Some(&[1]))), "environment 1 has failed: reset it before taking its state");
        step(&pool, Some(&[0]), &[COUNT]).unwrap();
        reset(&pool, Some(&[1])).unwrap();
        assert_eq!(counts(&step(&pool, None, &[COUNT; 2]).unwrap()), [2.0, 1.0]);
    });
}

#[test]
fn failures_in_workers_reach_the_receiver_of_an_async_pool() {
    quietly(|| {
        let pool = reset_pool(&counter(), config(4).batch_size(2).unwrap());
        send(&pool, None, &[COUNT, PANIC, COUNT, COUNT]).unwrap();
        let (mut seen, mut errors) = (Vec::new(), Vec::new());
        for _ in 0..3 {
            match recv(&pool) {
                Ok(batch) => seen.extend(ids(&batch)),
                Err(error) => errors.push(error.to_string()),
            }
        }
        seen.sort_by(f64::total_cmp);
        assert_eq!(seen, [0.0, 2.0, 3.0]);
        assert_eq!(errors.len(), 1);
        assert!(errors[0].starts_with("environment 1 panicked: it was asked to."), "{errors:?}");
    });
}

#[test]
fn a_batch_of_failures_leaves_nothing_to_receive() {
    quietly(|| {
        let pool = reset_pool(&counter(), config(2));
        let error = message(step(&pool, None, &[PANIC; 2]));
        assert_eq!(error, "environment 0 panicked (and 1 more): it was asked to. Reset it to go on with it");
        assert_eq!(message(recv(&pool)), "recv: nothing has been sent");
        assert_eq!(counts(&reset(&pool, None).unwrap()), [0.0; 2]);
    });
}

#[test]
fn a_valid_state_revives_an_environment_and_an_invalid_state_does_not() {
    quietly(|| {
        let pool = reset_pool(&counter(), config(2));
        let good = pool.get_state(None).unwrap();
        step(&pool, Some(&[1]), &[SPOIL]).unwrap();
        let spoiled = pool.get_state(Some(&[1])).unwrap().remove(0);
        step(&pool, Some(&[0]), &[PANIC]).unwrap_err();
        // The pool rejects the truncated state before any environment changes. The environment rejects the second bad state,
        // after environment 0 has loaded its good state.
        for bad in [&good[1][..5], &spoiled] {
            pool.set_state(&[&good[0][..], bad], None).unwrap_err();
            assert_eq!(message(step(&pool, None, &[COUNT; 2])), "environment 0 has failed: reset it before the next step");
        }
        pool.set_state(&good, None).unwrap();
        assert_eq!(counts(&step(&pool, None, &[COUNT; 2]).unwrap()), [1.0; 2]);
    });
}

#[test]
fn a_reset_that_is_refused_revives_no_lane() {
    quietly(|| {
        let pool = reset_pool(&counter(), config(3));
        step(&pool, Some(&[0]), &[PANIC]).unwrap_err();
        step(&pool, Some(&[1]), &[PANIC]).unwrap_err();
        drop(pool.reset(Some(&[0]), Vec::new(), ResetOptions::default()).unwrap());
        let only = vec![true, false, true];
        assert!(pool.reset_masked(only, Vec::new(), ResetOptions::default()).is_err(), "environment 1 shows nothing");
        send(&pool, Some(&[2]), &[COUNT]).unwrap();
        reset(&pool, Some(&[0])).unwrap_err(); // rejected, because the result of an earlier send is pending
        assert_eq!(message(step(&pool, Some(&[0]), &[COUNT])), "environment 0 has failed: reset it before the next step");
        recv(&pool).unwrap();
        assert_eq!(reset(&pool, Some(&[0, 1])).unwrap().rows(), 2);
        assert_eq!(counts(&step(&pool, None, &[COUNT; 3]).unwrap()), [1.0, 1.0, 2.0]);
    });
}

#[test]
fn a_panic_that_ends_a_worker_closes_the_pool_and_frees_its_environments() {
    quietly(|| {
        let (counters, pool) = counters_of(|| reset_pool(&counter(), config(4).batch_size(2).unwrap().num_threads(2).unwrap()));
        send(&pool, None, &[COUNT, BURST, COUNT, COUNT]).unwrap();
        until(|| pool.is_closed());
        assert_eq!(recv(&pool).unwrap_err(), Error::Closed);
        drop(pool);
        until(|| alive(&counters) == 0);
    });
}
