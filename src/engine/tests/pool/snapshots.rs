//! Tests saving snapshots of environments, and loading them.

use super::envs::{COUNT, END, SPOIL, both, counter};
use super::*;

/// Steps a pool a few times, so that its environments are at different points of their episodes.
fn stir(pool: &Pool) {
    for round in 0..3 {
        let actions: Vec<_> = (0..20).map(|id| if (id + round) % 7 == 0 { END } else { COUNT }).collect();
        step(pool, None, &actions).unwrap();
    }
}

fn observations(pool: &Pool) -> Vec<f64> {
    numbers(&step(pool, None, &[END; 20]).unwrap(), Role::Observation(0))
}

#[test]
fn a_restored_pool_continues_like_the_original() {
    for task in both() {
        let pool = reset_pool(&task, config(20));
        stir(&pool);
        let states = pool.get_state(None).unwrap();
        let expected: Vec<_> = (0..5).map(|_| observations(&pool)).collect();
        let other = pool_of(&task, config(20).seed(7).unwrap());
        other.set_state(&states, None).unwrap();
        assert_eq!((0..5).map(|_| observations(&other)).collect::<Vec<_>>(), expected);
    }
}

#[test]
fn a_state_may_move_to_another_environment_of_the_pool() {
    for task in both() {
        let pool = reset_pool(&task, config(20));
        stir(&pool);
        let state = pool.get_state(Some(&[11])).unwrap();
        pool.set_state(&state, Some(&[2])).unwrap();
        for _ in 0..4 {
            let rows = observations(&pool);
            assert_eq!(rows[4..6], rows[22..24]);
        }
    }
}

#[test]
fn one_bad_state_among_many_changes_nothing() {
    for task in both() {
        let pool = reset_pool(&task, config(20));
        stir(&pool);
        let before = pool.get_state(None).unwrap();
        let mut others = reset_and_stirred_states(&task);
        *others[13].last_mut().unwrap() ^= 1;
        assert!(message(pool.set_state(&others, None)).contains("it is damaged"));
        assert_eq!(pool.get_state(None).unwrap(), before);
    }
}

#[test]
fn a_refused_state_rolls_back_the_preceding_states() {
    let pool = reset_pool(&counter(), config(20));
    stir(&pool);
    let before = pool.get_state(None).unwrap();
    let mut others = reset_and_stirred_states(&counter());
    let spoiled = reset_pool(&counter(), config(1));
    step(&spoiled, None, &[SPOIL]).unwrap();
    // The bytes of the last state are intact, but its values are invalid. Only the environment that loads it, the last of 14,
    // detects this.
    others[13] = spoiled.get_state(None).unwrap().remove(0);
    assert!(message(pool.set_state(&others, None)).contains("its values are out of range"));
    assert_eq!(pool.get_state(None).unwrap(), before);
}

#[test]
fn a_failed_rollback_does_not_prevent_further_rollbacks() {
    let pool = reset_pool(&counter(), config(3));
    // After this step, the state of environment 0 can be saved, but not loaded.
    step(&pool, None, &[SPOIL, COUNT, COUNT]).unwrap();
    let spoiled = pool.get_state(Some(&[0])).unwrap().remove(0);
    let before = pool.get_state(Some(&[1, 2])).unwrap();
    let others = reset_pool(&counter(), config(3).seed(1000).unwrap()).get_state(None).unwrap();
    assert!(message(pool.set_state(&[&others[0], &spoiled, &others[2]], None)).contains("its values are out of range"));
    assert_eq!(pool.get_state(Some(&[1, 2])).unwrap(), before);
    assert_eq!(message(step(&pool, None, &[COUNT; 3])), "environment 0 has failed: reset it before the next step");
    reset(&pool, Some(&[0])).unwrap();
    step(&pool, None, &[COUNT; 3]).unwrap();
}

fn reset_and_stirred_states(task: &Task) -> Vec<Vec<u8>> {
    let pool = reset_pool(task, config(20).seed(1000).unwrap());
    stir(&pool);
    pool.get_state(None).unwrap()
}

#[test]
fn states_of_another_task_and_the_wrong_number_of_states_are_refused() {
    let [lanes, blocks] = both();
    let foreign = reset_pool(&blocks, config(1)).get_state(None).unwrap();
    let pool = reset_pool(&lanes, config(1));
    let error = message(pool.set_state(&foreign, None));
    assert!(error.contains("it is of BlockCounter-v0(), the pool plays Counter-v0()"), "{error}");
    let none: [Vec<u8>; 0] = [];
    assert_eq!(
        message(pool.set_state(&none, None)),
        "state=[0 values]: expected one for each of the 1 environments".replace("values", "states")
    );
}

#[test]
fn the_time_limit_counts_from_the_restored_step() {
    let limited = |limit| PoolConfig { max_episode_steps: Some(limit), ..config(1) };
    let pool = reset_pool(&counter(), limited(100));
    for _ in 0..3 {
        step(&pool, None, &[COUNT]).unwrap();
    }
    let other = pool_of(&counter(), limited(4));
    other.set_state(&pool.get_state(None).unwrap(), None).unwrap();
    let batch = step(&other, None, &[COUNT]).unwrap();
    assert_eq!((numbers(&batch, Role::Truncated), numbers(&batch, Role::ElapsedStep)), (vec![1.0], vec![4.0]));
}
