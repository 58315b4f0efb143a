//! Compares the CartPole example in C with the built-in CartPole.

use std::sync::LazyLock;

use envpool_rs_engine::{AutoresetMode, Dialect, FirstStepPolicy, Pool, PoolConfig, ResetOptions, Role};

use crate::{columns, load, never, pool, reset, step, support};

const MODES: [AutoresetMode; 3] = [AutoresetMode::NextStep, AutoresetMode::SameStep, AutoresetMode::Disabled];
const DIALECTS: [Dialect; 2] = [Dialect::EnvPool, Dialect::Gymnasium];

/// Loads the library in both state layouts, and returns the ids of both tasks.
pub fn tasks() -> [&'static str; 2] {
    static LOADED: LazyLock<[&str; 2]> = LazyLock::new(|| {
        let rows = load(&support::library("cart_pole", "cart_pole", &[])).unwrap();
        let columns = load(&support::library("cart_pole", "column_cart_pole", &["-DIN_COLUMNS"])).unwrap();
        [rows.ids[0], columns.ids[0]]
    });
    *LOADED
}

/// Returns the action of a lane at a step: 0 or 1 with about equal frequency, computed by a hash.
pub fn action(lane: usize, step: usize) -> i32 {
    let mixed = (lane as u64 + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ (step as u64 + 1).wrapping_mul(0xd1b5_4a32_d192_ed03);
    ((mixed ^ mixed >> 29).wrapping_mul(0xbf58_476d_1ce4_e5b9) >> 40 & 1) as i32
}

fn config(lanes: i64, mode: AutoresetMode, dialect: Dialect) -> PoolConfig {
    let mut config = PoolConfig::new(lanes).unwrap();
    (config.autoreset_mode, config.max_episode_steps, config.episode_statistics) = (mode, Some(40), false);
    if dialect == Dialect::Gymnasium {
        config.first_step = FirstStepPolicy::Reject;
    }
    config
}

/// Steps both pools with the same actions, and compares all columns of all results.
fn compare(one: &Pool, other: &Pool, steps: usize) -> usize {
    let lanes = one.config().num_envs;
    let mut ended = 0;
    let first = [one, other].map(|pool| columns(&reset(pool, None, ResetOptions::default()).unwrap()));
    assert!(first[0] == first[1], "reset");
    for number in 0..steps {
        let actions: Vec<_> = (0..lanes).map(|lane| action(lane, number)).collect();
        let results = [one, other].map(|pool| step(pool, None, &actions).unwrap());
        let [expected, found] = [&results[0], &results[1]].map(|batch| columns(batch));
        assert!(expected == found, "step {number}");
        let flags = |role| results[0].values::<u8>(role).unwrap();
        let done = flags(Role::Terminated).iter().zip(flags(Role::Truncated)).map(|(over, cut)| over | cut);
        let done: Vec<_> = (0..lanes as i64).zip(done).filter(|(_, done)| *done != 0).map(|(lane, _)| lane).collect();
        ended += done.len();
        if one.config().autoreset_mode == AutoresetMode::Disabled && !done.is_empty() {
            let results = [one, other].map(|pool| columns(&reset(pool, Some(&done), ResetOptions::default()).unwrap()));
            assert!(results[0] == results[1], "reset after step {number}");
        }
    }
    ended
}

#[test]
fn the_plugin_equals_the_built_in_for_ten_thousand_steps() {
    let config = || config(64, AutoresetMode::NextStep, Dialect::Gymnasium);
    let [rows, _] = tasks();
    let pools = ["CartPole-v1", rows].map(|id| pool(id, &[], config(), Dialect::Gymnasium));
    assert!(compare(&pools[0], &pools[1], 10_000) > 20_000);
}

#[test]
fn both_layouts_equal_the_built_in_in_every_mode_and_dialect() {
    for id in tasks() {
        for (mode, dialect) in MODES.into_iter().flat_map(|mode| DIALECTS.map(|dialect| (mode, dialect))) {
            for lanes in [1, 37, 300] {
                let pools = ["CartPole-v1", id].map(|id| pool(id, &[], config(lanes, mode, dialect), dialect));
                assert!(compare(&pools[0], &pools[1], 300) > 0, "{id}, {mode:?}, {dialect:?}, {lanes} lanes");
            }
        }
    }
}

#[test]
fn asynchronous_batches_equal_the_built_in_lane_by_lane() {
    let (lanes, size) = (24, 8);
    for id in tasks() {
        let histories = ["CartPole-v1", id].map(|id| {
            let config =
                config(lanes, AutoresetMode::NextStep, Dialect::EnvPool).batch_size(size).unwrap().num_threads(2).unwrap();
            let pool = pool(id, &[], config, Dialect::EnvPool);
            pool.reset(None, Vec::new(), ResetOptions::default()).unwrap().send(None).unwrap();
            let mut history = vec![Vec::new(); lanes as usize];
            for _ in 0..600 {
                let batch = pool.recv(&mut None, &mut never).unwrap();
                let ids: Vec<_> = batch.values::<i32>(Role::EnvId).unwrap().iter().map(|id| i64::from(*id)).collect();
                for (role, bytes) in columns(&batch) {
                    for (id, row) in ids.iter().zip(bytes.chunks(bytes.len() / ids.len())) {
                        history[*id as usize].push((role, row.to_vec()));
                    }
                }
                let count = columns(&batch).len();
                let action = |id: &i64| action(*id as usize, history[*id as usize].len() / count);
                let mut call = pool.step(Some(&ids)).unwrap();
                call.set_action(0, &ids.iter().map(action).collect::<Vec<_>>()).unwrap();
                call.send(None).unwrap();
            }
            history
        });
        for (lane, (expected, found)) in histories[0].iter().zip(&histories[1]).enumerate() {
            let both = expected.len().min(found.len());
            assert!(both > 0, "lane {lane} was never received");
            assert!(expected[..both] == found[..both], "{id}, lane {lane}");
        }
    }
}

#[test]
fn reset_options_and_seeds_equal_the_built_in() {
    let [rows, _] = tasks();
    let pools =
        ["CartPole-v1", rows].map(|id| pool(id, &[], config(5, AutoresetMode::NextStep, Dialect::Gymnasium), Dialect::Gymnasium));
    let options = || ResetOptions::new(vec![("low".into(), -0.2), ("high".into(), -0.1)]);
    let seeds = vec![Some(3), None, Some(1 << 40), None, None];
    let results = pools.each_ref().map(|pool| {
        reset(pool, None, ResetOptions::default()).unwrap();
        columns(&pool.reset(None, seeds.clone(), options()).unwrap().run(&mut None, &mut never).unwrap())
    });
    assert!(results[0] == results[1]);
    let wrong = ResetOptions::new(vec![("low".into(), 1.0)]);
    let error = pools[1].reset(None, Vec::new(), wrong).err().unwrap().to_string();
    assert!(
        error.starts_with("library cart_pole 1.0 (") && error.ends_with("task CCartPole-v1: low must not exceed high"),
        "{error}"
    );
}

#[test]
fn snapshots_continue_in_another_pool_bit_for_bit() {
    for id in tasks() {
        let pools = [(); 2].map(|()| pool(id, &[], config(20, AutoresetMode::SameStep, Dialect::Gymnasium), Dialect::Gymnasium));
        pools.iter().for_each(|pool| _ = reset(pool, None, ResetOptions::default()).unwrap());
        (0..7).for_each(|number| _ = step(&pools[0], None, &[action(0, number); 20]).unwrap());
        pools[1].set_state(&pools[0].get_state(None).unwrap(), None).unwrap();
        for number in 0..100 {
            let actions: Vec<_> = (0..20).map(|lane| action(lane, number)).collect();
            let [one, other] = pools.each_ref().map(|pool| columns(&step(pool, None, &actions).unwrap()));
            assert!(one == other, "{id}, step {number}");
        }
    }
}
