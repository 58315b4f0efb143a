//! Tests the end of an episode in each of the three autoreset modes.

use super::envs::{COUNT, END, both};
use super::*;

fn config_with(mode: AutoresetMode) -> PoolConfig {
    PoolConfig { autoreset_mode: mode, episode_statistics: true, ..config(20) }
}

/// Returns the actions of a step: `END` for environment 3, and `COUNT` for all others.
fn third_ends() -> Vec<i32> {
    (0..20).map(|id| if id == 3 { END } else { COUNT }).collect()
}

/// Returns five values of environment 3 in a batch: count, reward, terminated, truncated and elapsed steps.
fn third(batch: &Batch) -> [f64; 5] {
    let of = |role| numbers(batch, role)[3];
    [counts(batch)[3], of(Role::Reward), of(Role::Terminated), of(Role::Truncated), of(Role::ElapsedStep)]
}

#[test]
fn next_step_mode_resets_at_the_following_step_and_discards_its_action() {
    for task in both() {
        let pool = reset_pool(&task, config_with(AutoresetMode::NextStep));
        assert_eq!(third(&step(&pool, None, &third_ends()).unwrap()), [1.0, 1.0, 1.0, 0.0, 1.0]);
        assert_eq!(third(&step(&pool, None, &third_ends()).unwrap()), [0.0, 0.0, 0.0, 0.0, 0.0]);
        let batch = step(&pool, None, &[COUNT; 20]).unwrap();
        assert_eq!(third(&batch), [1.0, 1.0, 0.0, 0.0, 1.0]);
        assert_eq!(counts(&batch)[4], 3.0);
    }
}

#[test]
fn same_step_mode_returns_the_final_and_the_first_observation() {
    for task in both() {
        let pool = reset_pool(&task, config_with(AutoresetMode::SameStep));
        let before = step(&pool, None, &[COUNT; 20]).unwrap();
        let batch = step(&pool, None, &third_ends()).unwrap();
        assert_eq!(third(&batch)[..4], [0.0, 2.0, 1.0, 0.0]);
        let last = numbers(&batch, Role::FinalObservation(0));
        let drawn = |batch: &Batch| numbers(batch, Role::Observation(0))[6];
        assert_eq!((last[6], last[7]), (drawn(&before), 2.0), "the ended episode's");
        assert_ne!(drawn(&batch), drawn(&before), "the new episode's");
        assert_eq!(numbers(&batch, Role::FinalInfo(0))[3], 2.0);
        assert_eq!(numbers(&batch, Role::Info(0))[3], 0.0);
        assert_eq!(third(&step(&pool, None, &[COUNT; 20]).unwrap()), [1.0, 1.0, 0.0, 0.0, 1.0]);
    }
}

#[test]
fn disabled_mode_requires_an_explicit_reset() {
    for task in both() {
        let pool = reset_pool(&task, config_with(AutoresetMode::Disabled));
        assert_eq!(third(&step(&pool, None, &third_ends()).unwrap()), [1.0, 1.0, 1.0, 0.0, 1.0]);
        let expected = "environment 3 has finished its episode (autoreset is disabled): reset it before the next step".to_owned();
        assert_eq!(message(step(&pool, None, &[COUNT; 20])), expected);
        step(&pool, Some(&[2, 4]), &[COUNT; 2]).unwrap();
        reset(&pool, Some(&[3])).unwrap();
        assert_eq!(third(&step(&pool, None, &[COUNT; 20]).unwrap()), [1.0, 1.0, 0.0, 0.0, 1.0]);
    }
}

#[test]
fn only_next_step_mode_resets_a_lane_at_its_first_step() {
    for task in both() {
        let pool = pool_of(&task, config_with(AutoresetMode::NextStep));
        assert_eq!(counts(&step(&pool, None, &[COUNT; 20]).unwrap()), [0.0; 20]);
        for mode in [AutoresetMode::SameStep, AutoresetMode::Disabled] {
            let error = message(step(&pool_of(&task, config_with(mode)), None, &[COUNT; 20]));
            assert_eq!(error, "environment 0 has never been reset: reset it before the next step");
        }
    }
}

#[test]
fn the_time_limit_truncates_and_a_reset_restarts_it() {
    for task in both() {
        let pool = reset_pool(&task, PoolConfig { max_episode_steps: Some(2), ..config(20) });
        step(&pool, None, &[COUNT; 20]).unwrap();
        reset(&pool, Some(&[5])).unwrap();
        let truncated = numbers(&step(&pool, None, &[COUNT; 20]).unwrap(), Role::Truncated);
        assert_eq!((truncated[4], truncated[5]), (1.0, 0.0));
        let both_at_once = step(&pool, Some(&[5]), &[END]).unwrap();
        assert_eq!((numbers(&both_at_once, Role::Terminated), numbers(&both_at_once, Role::Truncated)), (vec![1.0], vec![1.0]));
    }
}

#[test]
fn a_masked_reset_returns_all_lanes_and_resets_the_masked() {
    for task in both() {
        let pool = reset_pool(&task, config_with(AutoresetMode::Disabled));
        step(&pool, None, &third_ends()).unwrap();
        let mut only = vec![false; 20];
        only[3] = true;
        let batch = pool.reset_masked(only, vec![None; 20], ResetOptions::default()).unwrap().run(&mut None, &mut never).unwrap();
        let mut expected = vec![1.0; 20];
        expected[3] = 0.0;
        assert_eq!(counts(&batch), expected);
        assert_eq!(counts(&step(&pool, None, &[COUNT; 20]).unwrap())[2..5], [2.0, 1.0, 2.0]);
    }
}

#[test]
fn statistics_are_of_the_episode_that_ended() {
    for task in both() {
        for mode in [AutoresetMode::NextStep, AutoresetMode::SameStep, AutoresetMode::Disabled] {
            let pool = reset_pool(&task, config_with(mode));
            step(&pool, None, &[COUNT; 20]).unwrap();
            step(&pool, None, &[COUNT; 20]).unwrap();
            let batch = step(&pool, None, &third_ends()).unwrap();
            let of = |role| numbers(&batch, role)[2..5].to_vec();
            assert_eq!(of(Role::EpisodeReturn), [0.0, 1.0 + 2.0 + 3.0, 0.0]);
            assert_eq!(of(Role::EpisodeLength), [0.0, 3.0, 0.0]);
            assert!(of(Role::EpisodeTime)[1] > 0.0);
        }
    }
}
