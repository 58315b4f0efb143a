//! Tests that pools reject configurations whose public fields were set to invalid values.

use super::*;

#[test]
fn the_pool_refuses_invalid_configurations_built_without_setters() {
    let registry = classic();
    let task = registry.task("CartPole-v1").unwrap();
    let nonsense: [fn(&mut PoolConfig); 6] = [
        |config| config.num_envs = 0,
        |config| config.batch_size = 0,
        |config| config.batch_size = 5,
        |config| config.seeds.push(1),
        |config| config.seeds[3] = 1 << 63,
        |config| config.max_episode_steps = Some(0),
    ];
    for spoil in nonsense {
        let mut config = config(4);
        spoil(&mut config);
        let outputs = Outputs { dialect: Dialect::EnvPool, format: Format::Gymnasium };
        let refused = Pool::new(task, &task.resolve(&[]).unwrap(), config.clone(), outputs);
        assert!(matches!(refused, Err(Error::Value(_))), "{config:?}");
    }
}
