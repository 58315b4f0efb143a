//! Tests the order of rows, and requests that the pool rejects.

use super::envs::{COUNT, GATE, LINGER, WAIT, both, counter};
use super::*;

#[test]
fn rows_are_in_the_order_of_the_requested_ids() {
    for task in both() {
        let pool = reset_pool(&task, config(50));
        let asked: Vec<i64> = (0..50).rev().filter(|id| id % 3 == 0).collect();
        let batch = step(&pool, Some(&asked), &vec![COUNT; asked.len()]).unwrap();
        assert_eq!(ids(&batch), asked.iter().map(|id| *id as f64).collect::<Vec<_>>());
    }
}

#[test]
fn a_step_affects_only_the_requested_environments() {
    for task in both() {
        let pool = reset_pool(&task, config(40));
        step(&pool, Some(&[39, 0, 17]), &[COUNT; 3]).unwrap();
        step(&pool, Some(&[17]), &[COUNT]).unwrap();
        let mut expected = vec![1.0; 40];
        (expected[39], expected[0], expected[17]) = (2.0, 2.0, 3.0);
        assert_eq!(counts(&step(&pool, None, &[COUNT; 40]).unwrap()), expected);
    }
}

#[test]
fn each_environment_draws_from_the_stream_of_its_seed() {
    for task in both() {
        let all = reset(&pool_of(&task, config(33)), None).unwrap();
        for id in [0, 8, 32] {
            let alone = reset(&pool_of(&task, config(1).seed(42 + id).unwrap()), None).unwrap();
            let row = 2 * id as usize;
            assert_eq!(numbers(&all, Role::Observation(0))[row], numbers(&alone, Role::Observation(0))[0]);
        }
    }
}

#[test]
fn several_synchronous_requests_are_answered_one_by_one_in_the_order_sent() {
    let pool = reset_pool(&counter(), config(6).num_threads(2).unwrap());
    send(&pool, Some(&[5, 4]), &[LINGER, COUNT]).unwrap();
    send(&pool, Some(&[0]), &[COUNT]).unwrap();
    send(&pool, Some(&[2, 1, 3]), &[COUNT; 3]).unwrap();
    let received: Vec<_> = (0..3).map(|_| ids(&recv(&pool).unwrap())).collect();
    assert_eq!(received, [vec![5.0, 4.0], vec![0.0], vec![2.0, 1.0, 3.0]]);
}

#[test]
fn an_async_pool_returns_the_first_finished_environments() {
    let pool = reset_pool(&counter(), config(4).batch_size(2).unwrap().num_threads(3).unwrap());
    GATE.closed(|| {
        send(&pool, Some(&[0, 2]), &[WAIT; 2]).unwrap();
        GATE.holds(2);
        for _ in 0..2 {
            send(&pool, Some(&[1, 3]), &[COUNT; 2]).unwrap();
            let mut first = ids(&recv(&pool).unwrap());
            first.sort_by(f64::total_cmp);
            assert_eq!(first, [1.0, 3.0], "the slow ones are still at it");
        }
        GATE.open();
        let mut last = ids(&recv(&pool).unwrap());
        last.sort_by(f64::total_cmp);
        assert_eq!(last, [0.0, 2.0]);
    });
}

#[test]
fn ids_are_checked_before_anything_is_played() {
    let pool = reset_pool(&counter(), config(4));
    assert_eq!(message(step(&pool, Some(&[0, 4]), &[COUNT; 2])), "env_id[1]=4: expected 0 to 3");
    assert_eq!(message(step(&pool, Some(&[-1]), &[COUNT])), "env_id[0]=-1: expected 0 to 3");
    assert_eq!(message(step(&pool, Some(&[1, 0, 1]), &[COUNT; 3])), "env_id[2]=1: expected each id once at most");
    assert_eq!(counts(&step(&pool, None, &[COUNT; 4]).unwrap()), [1.0; 4]);
}

#[test]
fn an_environment_in_flight_is_not_queued_twice() {
    let pool = reset_pool(&counter(), config(4));
    send(&pool, Some(&[2]), &[COUNT]).unwrap();
    let expected = "env_id 2 is in flight: its result has to be received first";
    assert_eq!(message(send(&pool, None, &[COUNT; 4])), expected);
    assert_eq!(message(reset(&pool, Some(&[2]))), expected);
    assert_eq!(message(pool.get_state(None)), expected);
    assert_eq!(ids(&recv(&pool).unwrap()), [2.0]);
    send(&pool, None, &[COUNT; 4]).unwrap();
}

#[test]
fn receiving_more_rows_than_were_sent_is_an_error() {
    let pool = reset_pool(&counter(), config(4));
    assert_eq!(message(recv(&pool)), "recv: nothing has been sent");
    let pool = reset_pool(&counter(), config(4).batch_size(2).unwrap());
    send(&pool, Some(&[1]), &[COUNT]).unwrap();
    assert_eq!(message(recv(&pool)), "recv: 1 environments are in flight, fewer than batch_size=2: send first");
}

#[test]
fn actions_outside_the_space_or_missing_are_refused() {
    let pool = reset_pool(&counter(), config(2));
    assert_eq!(message(step(&pool, None, &[COUNT, 7])), "action[1] is 7: expected an integer from 0 to 6");
    assert_eq!(message(step(&pool, None, &[COUNT])), "action=[1 values]: expected 2 values");
    let unfilled = pool.step(None).unwrap().run(&mut None, &mut never);
    assert_eq!(message(unfilled), "a step needs all its action arrays filled");
}

#[test]
fn memory_of_another_pool_is_refused() {
    for size in [4, 2] {
        let pool = reset_pool(&counter(), config(4).batch_size(size).unwrap());
        let small = || Some(reset_pool(&counter(), config(1)).batch(0).unwrap());
        let mut call = pool.step(None).unwrap();
        call.set_action(0, &[COUNT; 4]).unwrap();
        let expected = "the batch does not come from this pool";
        assert_eq!(message(call.run(&mut small(), &mut never)), expected);
        let mut call = pool.step(None).unwrap();
        call.set_action(0, &[COUNT; 4]).unwrap();
        assert_eq!(message(call.send(small())), expected);
        send(&pool, None, &[COUNT; 4]).unwrap();
        assert_eq!(message(pool.recv(&mut small(), &mut never)), expected);
        assert_eq!(recv(&pool).unwrap().rows(), size as usize, "a refusal loses nothing");
    }
}
