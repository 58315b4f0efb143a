//! Cheetah (`dm_control/suite/cheetah.py`): a planar half cheetah that must run.

use super::suite::prelude::*;

/// Smallest running speed at which the reward is 1, in m/s.
const SPEED: f64 = 10.0;
/// Number of simulation steps before an episode starts, during which the robot comes to rest on the ground.
const SETTLING: u32 = 200;

made! {
    #[derive(Debug)]
    pub struct Cheetah by Bind::bind(_task: &str, _options: &Options, names: Names<'_>) with {
        let ranges = names.0.jnt_range().as_chunks::<2>().0.iter().enumerate();
    } {
        fast: Tolerance = Tolerance::from(SPEED).with_sigmoid(Sigmoid::Linear, SPEED, 0.0),
        /// Joints that have limits: index of the joint's position, with its lower and upper limit.
        limited: Vec<(usize, [f64; 2])> = ranges
            .filter(|(joint, _)| names.0.jnt_limited()[*joint] == 1)
            .map(|(joint, range)| (joint, *range))
            .collect(),
        velocity: usize = names.sensor("torso_subtreelinvel")?.start,
    }
}

impl DomainClass for Cheetah {
    const INFO: DomainInfo = DomainInfo { name: "cheetah", tasks: &["run"], timestep: 0.01, sub_steps: 1, time_limit: 10.0 };

    fn task_spec(_task: &str, _options: &Options) -> Result<TaskSpec> {
        Ok(TaskSpec::new(vec![Block::new("position", 8), Block::new("velocity", 9)], unit_controls(6))
            .up_to(Stage::Vel)
            .with_arrays(Derived::FINAL_SUBTREE_LINVEL))
    }
}

impl Domain for Cheetah {
    fn initialize_episode(&self, physics: &mut Physics, random: &mut RandomState, _is_first: bool) -> Result<(), Fault> {
        for (joint, [low, high]) in &self.limited {
            physics.qpos_mut()[*joint] = random.uniform(*low, *high);
        }
        Ok(())
    }

    fn settling_steps(&self) -> u32 {
        SETTLING
    }

    /// Appends the observation, which omits the robot's horizontal position.
    fn observe(&self, physics: &Physics, to: &mut Vec<f64>) {
        to.extend_from_slice(&physics.qpos()[1..]);
        to.extend_from_slice(physics.qvel());
    }

    fn get_reward(&self, physics: &Physics) -> f64 {
        self.fast.of(physics.sensordata()[self.velocity])
    }
}
