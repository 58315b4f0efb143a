//! Tests pools that contain both built-in environments and environments of libraries.

use envpool_rs_engine::{Dialect, Group, Pool, PoolConfig, ResetOptions, Value};

use crate::{cart_pole, columns, outputs, reset, step, task};

#[test]
fn a_pool_mixes_built_in_environments_and_two_libraries() {
    let [rows, in_columns] = cart_pole::tasks();
    let group = |id: &str, num_envs: usize| Group {
        task: task(id),
        options: task(id).resolve(&[]).unwrap(),
        max_episode_steps: Some(15),
        num_envs,
    };
    let mixed = [group("CartPole-v1", 5), group(rows, 40), group(in_columns, 7), group(rows, 1)];
    let plain = [group("CartPole-v1", 53)];
    let pools = [&mixed[..], &plain[..]]
        .map(|groups| Pool::with_groups(groups, PoolConfig::new(53).unwrap(), outputs(Dialect::EnvPool)).unwrap());
    let first = pools.each_ref().map(|pool| columns(&reset(pool, None, ResetOptions::default()).unwrap()));
    assert!(first[0] == first[1]);
    for number in 0..100 {
        let actions: Vec<_> = (0..53).map(|lane| cart_pole::action(lane, number)).collect();
        let results = pools.each_ref().map(|pool| columns(&step(pool, None, &actions).unwrap()));
        assert!(results[0] == results[1], "step {number}");
    }
    // Some lanes of every group, not in ascending order.
    let ids = [50, 3, 44, 45, 6, 0, 52];
    for number in 0..50 {
        let actions: Vec<_> = ids.iter().map(|lane| cart_pole::action(*lane as usize, number)).collect();
        let results = pools.each_ref().map(|pool| columns(&step(pool, Some(&ids), &actions).unwrap()));
        assert!(results[0] == results[1], "step {number} of some lanes");
    }
    let states = pools[0].get_state(Some(&[44])).unwrap();
    let error = crate::message(pools[0].set_state(&states, Some(&[46])));
    assert!(
        error.contains("it is of CCartPole-v1(gravity=9.8) of the library cart_pole 1.0, the pool plays ColumnCartPole"),
        "{error}"
    );
}

#[test]
fn lanes_of_a_library_have_their_own_options() {
    let [rows, _] = cart_pole::tasks();
    let group = |id: &str, gravity: f64| Group {
        task: task(id),
        options: task(id).resolve(&[("gravity".to_owned(), Value::Float(gravity))]).unwrap(),
        max_episode_steps: None,
        num_envs: 3,
    };
    let groups = [9.8, 1.6].map(|gravity| group(rows, gravity));
    let pool = Pool::with_groups(&groups, PoolConfig::new(6).unwrap(), outputs(Dialect::Gymnasium)).unwrap();
    pool.reset(None, vec![Some(4); 6], ResetOptions::default()).unwrap().run(&mut None, &mut crate::never).unwrap();
    let batch = step(&pool, None, &[1; 6]).unwrap();
    let rows: Vec<_> = batch.values::<f32>(envpool_rs_engine::Role::Observation(0)).unwrap().chunks(4).collect();
    assert!(rows[0] == rows[2] && rows[3] == rows[5] && rows[0] != rows[3], "{rows:?}");
}
