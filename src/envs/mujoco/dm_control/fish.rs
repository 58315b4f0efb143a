//! Fish (`dm_control/suite/fish.py`): a body with fins that must swim upright, or to a target.

use super::joints::direction;
use super::suite::prelude::*;
use envpool_rs_sim_mujoco::model_overrides::{GEOM_POS, GEOM_RGBA};

const JOINTS: [&str; 7] = ["tail1", "tail_twist", "tail2", "finright_roll", "finright_pitch", "finleft_roll", "finleft_pitch"];

made! {
    #[derive(Debug)]
    pub struct Fish by Bind::bind(task: &str, _options: &Options, names: Names<'_>) with {
        let (mouth, target) = (names.geom("mouth")?, names.geom("target")?);
        let radii = names.0.geom_size()[3 * mouth] + names.0.geom_size()[3 * target];
    } {
        is_swim_task: bool = task == "swim",
        upright: Tolerance = Tolerance::new(1.0, 1.0).with_margin(1.0),
        near: Tolerance = Tolerance::new(0.0, radii).with_margin(2.0 * radii),
        root: usize = names.position("root")?,
        joints: Vec<usize> = JOINTS.into_iter().map(|joint| names.position(joint)).collect::<Result<_>>()?,
        torso: usize = names.body("torso")?,
        mouth: usize = mouth,
        target: usize = target,
    }
}

impl Fish {
    /// Returns the vector from the mouth to the target, in the mouth's frame.
    fn to_target(&self, physics: &Physics) -> [f64; 3] {
        let (target, mouth) = (physics.geom(self.target), physics.geom(self.mouth));
        in_frame(&[0, 1, 2].map(|axis| target[axis] - mouth[axis]), &physics.geom_xmat()[9 * self.mouth..][..9])
    }
}

impl DomainClass for Fish {
    const INFO: DomainInfo =
        DomainInfo { name: "fish", tasks: &["upright", "swim"], timestep: 0.004, sub_steps: 10, time_limit: 40.0 };
    const KEYS_IN_ORDER: &'static [&'static str] = &["joint_angles", "upright", "velocity", "target"];

    fn task_spec(task: &str, _options: &Options) -> Result<TaskSpec> {
        let mut observation = vec![Block::new("joint_angles", JOINTS.len()), Block::number("upright")];
        let mut other_tasks_blocks = vec![Block::new("target", 3)];
        if task == "swim" {
            observation.append(&mut other_tasks_blocks);
        }
        observation.push(Block::new("velocity", 13));
        Ok(TaskSpec { other_tasks_blocks, ..TaskSpec::new(observation, unit_controls(5)).up_to(Stage::Vel) })
    }
}

impl Domain for Fish {
    fn initialize_episode(&self, physics: &mut Physics, random: &mut RandomState, _is_first: bool) -> Result<(), Fault> {
        let quaternion = direction([(); 4].map(|()| random.standard_normal()));
        physics.qpos_mut()[self.root + 3..][..4].copy_from_slice(&quaternion);
        for joint in &self.joints {
            physics.qpos_mut()[*joint] = random.uniform(-0.2, 0.2);
        }
        if self.is_swim_task {
            let position = [random.uniform(-0.4, 0.4), random.uniform(-0.4, 0.4), random.uniform(0.1, 0.3)];
            physics.model_array_mut(GEOM_POS)[3 * self.target..][..3].copy_from_slice(&position);
        } else {
            // In the task `upright`, the target is made invisible.
            physics.model_array_mut(GEOM_RGBA)[4 * self.target + 3] = 0.0;
        }
        Ok(())
    }

    fn observe(&self, physics: &Physics, to: &mut Vec<f64>) {
        to.extend(self.joints.iter().map(|joint| physics.qpos()[*joint]));
        to.push(physics.axes(self.torso, ZZ));
        if self.is_swim_task {
            to.extend(self.to_target(physics));
        }
        to.extend_from_slice(physics.qvel());
    }

    fn get_reward(&self, physics: &Physics) -> f64 {
        let upright = physics.axes(self.torso, ZZ);
        if !self.is_swim_task {
            return self.upright.of(upright);
        }
        let near = self.near.of(numpy::norm(&self.to_target(physics)));
        (7.0 * near + 0.5 * (upright + 1.0)) / 8.0
    }
}
