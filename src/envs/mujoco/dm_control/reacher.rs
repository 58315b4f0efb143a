//! Reacher (`dm_control/suite/reacher.py`): a planar arm with two links that must reach a target.

use std::f64::consts::PI;

use super::joints;
use super::suite::prelude::*;
use envpool_rs_sim_mujoco::model_overrides::{GEOM_POS, GEOM_SIZE};

made! {
    #[derive(Debug)]
    pub struct Reacher by Bind::bind(task: &str, _options: &Options, names: Names<'_>) with {
        let (target, finger) = (names.geom("target")?, names.geom("finger")?);
        let target_size = if task == "easy" { 0.05 } else { 0.015 };
    } {
        target_size: f64 = target_size,
        near: Tolerance = Tolerance::new(0.0, target_size + names.0.geom_size()[3 * finger]),
        target: usize = target,
        finger: usize = finger,
    }
}

impl Reacher {
    fn to_target(&self, physics: &Physics) -> [f64; 2] {
        let (target, finger) = (physics.geom(self.target), physics.geom(self.finger));
        [target[0] - finger[0], target[1] - finger[1]]
    }
}

impl DomainClass for Reacher {
    const INFO: DomainInfo =
        DomainInfo { name: "reacher", tasks: &["easy", "hard"], timestep: 0.02, sub_steps: 1, time_limit: 20.0 };

    fn task_spec(_task: &str, _options: &Options) -> Result<TaskSpec> {
        let observation = vec![Block::new("position", 2), Block::new("to_target", 2), Block::new("velocity", 2)];
        Ok(TaskSpec::new(observation, unit_controls(2)).up_to(Stage::Pos))
    }
}

impl Domain for Reacher {
    fn initialize_episode(&self, physics: &mut Physics, random: &mut RandomState, _is_first: bool) -> Result<(), Fault> {
        physics.model_array_mut(GEOM_SIZE)[3 * self.target] = self.target_size;
        joints::randomize(physics, random);
        let angle = random.uniform(0.0, 2.0 * PI);
        let radius = random.uniform(0.05, 0.2);
        let position = &mut physics.model_array_mut(GEOM_POS)[3 * self.target..];
        position[0] = radius * numpy_ufuncs::sin(angle);
        position[1] = radius * numpy_ufuncs::cos(angle);
        Ok(())
    }

    fn observe(&self, physics: &Physics, to: &mut Vec<f64>) {
        to.extend_from_slice(physics.qpos());
        to.extend(self.to_target(physics));
        to.extend_from_slice(physics.qvel());
    }

    fn get_reward(&self, physics: &Physics) -> f64 {
        self.near.of(numpy::norm(&self.to_target(physics)))
    }
}
