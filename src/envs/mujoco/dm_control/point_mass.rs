//! Point mass (`dm_control/suite/point_mass.py`): a planar mass that two tendons pull, and that must come to rest in the centre.

use super::hopper::mean_reward;
use super::joints::{self, direction};
use super::suite::prelude::*;
use envpool_rs_sim_mujoco::model_overrides::WRAP_PRM;

made! {
    #[derive(Debug)]
    pub struct PointMass by Bind::bind(task: &str, _options: &Options, names: Names<'_>) with {
        let target = names.geom("target")?;
        let size = names.0.geom_size()[3 * target];
    } {
        /// Whether the directions in which the tendons pull are random.
        is_skewed: bool = task == "hard",
        near: Tolerance = Tolerance::new(0.0, size).with_margin(size),
        small_control: Tolerance = Tolerance::new(0.0, 0.0).with_sigmoid(Sigmoid::Quadratic, 1.0, 0.0),
        target: usize = target,
        mass: usize = names.geom("pointmass")?,
    }
}

impl DomainClass for PointMass {
    const INFO: DomainInfo =
        DomainInfo { name: "point_mass", tasks: &["easy", "hard"], timestep: 0.02, sub_steps: 1, time_limit: 20.0 };

    fn task_spec(task: &str, _options: &Options) -> Result<TaskSpec> {
        let spec = TaskSpec::new(vec![Block::new("position", 2), Block::new("velocity", 2)], unit_controls(2));
        Ok(TaskSpec { required_stage: (task == "easy").then_some(Stage::Pos), ..spec })
    }
}

impl Domain for PointMass {
    fn initialize_episode(&self, physics: &mut Physics, random: &mut RandomState, _is_first: bool) -> Result<(), Fault> {
        joints::randomize(physics, random);
        if self.is_skewed {
            let mut draw = || direction([(); 2].map(|()| random.standard_normal()));
            let first = draw();
            let second = loop {
                let second = draw();
                if numpy::dot(&first, &second).abs() <= 0.9 {
                    break second;
                }
            };
            physics.model_array_mut(WRAP_PRM)[..4].copy_from_slice(&[first, second].concat());
        }
        Ok(())
    }

    fn get_reward(&self, physics: &Physics) -> f64 {
        let (target, mass) = (physics.geom(self.target), physics.geom(self.mass));
        let near = self.near.of(numpy::norm(&[0, 1, 2].map(|axis| target[axis] - mass[axis])));
        near * ((mean_reward(&self.small_control, physics.ctrl()) + 4.0) / 5.0)
    }
}
