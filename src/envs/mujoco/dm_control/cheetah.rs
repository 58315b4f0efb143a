//! Cheetah: a planar half cheetah that has to run.

use super::{
    names::Names,
    rewards::{Sigmoid, Tolerance},
    suite::{Block, Body, Domain, DomainClass, Needs, Outline, Physics, unit_controls},
};
use envpool_rs_engine::{Options, Result};
use envpool_rs_numeric::random::RandomState;
use envpool_rs_sim_mujoco::Fault;

/// Speed of full reward, in m/s.
const SPEED: f64 = 10.0;
/// Number of steps in which it settles before an episode.
const SETTLING: u32 = 200;

/// `dm_control/suite/cheetah.py`.
#[derive(Debug)]
pub struct Cheetah {
    fast: Tolerance,
    /// Joints that have limits, with these limits.
    limited: Vec<(usize, [f64; 2])>,
    velocity: usize,
}

impl DomainClass for Cheetah {
    const BODY: Body = Body { name: "cheetah", tasks: &["run"], timestep: 0.01, sub_steps: 1, time_limit: 10.0 };

    fn outline(_task: &str, _options: &Options) -> Result<Outline> {
        Ok(Outline::new(vec![Block::new("position", 8), Block::new("velocity", 9)], unit_controls(6)))
    }

    fn needs(_task: &str) -> Option<Needs> {
        Some(Needs::Motions)
    }

    fn bind(_task: &str, _options: &Options, names: Names<'_>) -> Result<Self> {
        let ranges = names.0.jnt_range().as_chunks::<2>().0.iter().enumerate();
        Ok(Self {
            fast: Tolerance::from(SPEED).falling(Sigmoid::Linear, SPEED, 0.0),
            limited: ranges
                .filter(|(joint, _)| names.0.jnt_limited()[*joint] == 1)
                .map(|(joint, range)| (joint, *range))
                .collect(),
            velocity: names.sensor("torso_subtreelinvel")?.start,
        })
    }
}

impl Domain for Cheetah {
    fn begin(&self, physics: &mut Physics, random: &mut RandomState, _is_first: bool) -> Result<(), Fault> {
        for (joint, [low, high]) in &self.limited {
            physics.qpos_mut()[*joint] = random.uniform(*low, *high);
        }
        physics.advance(SETTLING)?;
        *physics.time_mut() = 0.0;
        Ok(())
    }

    /// Appends the observation, without the horizontal position.
    fn observe(&self, physics: &Physics, to: &mut Vec<f64>) {
        to.extend_from_slice(&physics.qpos()[1..]);
        to.extend_from_slice(physics.qvel());
    }

    fn reward(&self, physics: &Physics) -> f64 {
        self.fast.of(physics.sensordata()[self.velocity])
    }
}
