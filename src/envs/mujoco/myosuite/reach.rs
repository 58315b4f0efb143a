//! Tasks in which sites must reach positions (`ReachEnvV0` of `reach_v0` and of `walk_v0`).

use super::task::{
    Class, ModelSpec, Outcome, Rules, Scene, Sites, UNUSED, bonus, check_bounds, flag, length, numbers_of, observe_joints,
};
use crate::names::Names;
use crate::robot::{Range, Writer, number};
use crate::vector::Vec3;
use envpool_rs_engine::{Error, OptionSpec, Options, Result};
use envpool_rs_numeric::random::Generator;
use envpool_rs_sim_mujoco::{Data, Fault};

/// Name of the option with the bounds of the sites' targets.
const TARGETS: &str = "target_reach_range";

/// Arguments of a task.
pub struct Reach {
    /// Sites, each with the bounds of its target's coordinates: in the world, or around the site for a standing model.
    pub sites: &'static [(&'static str, [Vec3; 2])],
    /// Distance in metres for each site beyond which an episode terminates.
    pub far: f64,
    /// Interval from which changes of a standing model's positions are drawn; `None` for other models.
    pub standing: Option<Range>,
}

impl Class for Reach {
    fn options(&self) -> Vec<OptionSpec> {
        let bounds: Vec<_> = self.sites.iter().flat_map(|(_, bounds)| bounds.concat()).collect();
        let about = "lower bounds of x, y, z, then upper bounds, of the target of each site";
        vec![
            number("far_th", self.far, "distance in metres for each site beyond which an episode ends"),
            OptionSpec::new(TARGETS, bounds, about),
        ]
    }

    fn check(&self, options: &Options) -> Result<()> {
        check_bounds(options, TARGETS, 6 * self.sites.len(), 3)
    }

    fn reward_keys(&self) -> &'static [&'static str] {
        &["reach", "bonus", "act_reg", "penalty"]
    }

    fn weights(&self) -> Vec<(&'static str, f64)> {
        let mut weights = vec![("reach", 1.0), ("bonus", 4.0), ("penalty", 50.0)];
        weights.extend(self.standing.map(|_| ("act_reg", 1.0)));
        weights
    }

    fn observed(&self, model: &ModelSpec) -> usize {
        model.nq + model.nv + 6 * self.sites.len()
    }

    fn goal_len(&self, _model: &ModelSpec) -> usize {
        3 * self.sites.len()
    }

    fn terrain_height(&self) -> Option<f64> {
        self.standing.map(|_| UNUSED)
    }

    fn create(&'static self, options: &Options) -> Box<dyn Rules> {
        let far = options.float("far_th") * self.sites.len() as f64;
        let targets = numbers_of(options, TARGETS).as_chunks::<6>().0.to_vec();
        Box::new(ReachRules { task: self, targets, far, sites: Sites::default(), start: Vec::new(), joints: Vec::new() })
    }
}

struct ReachRules {
    task: &'static Reach,
    /// Bounds of each site's target: lower ones of x, y, z, then upper ones.
    targets: Vec<[f64; 6]>,
    /// Distance beyond which an episode terminates.
    far: f64,
    sites: Sites,
    /// Positions from which a standing model's differ.
    start: Vec<f64>,
    /// First position of each joint, with the joint's range.
    joints: Vec<(usize, Range)>,
}

impl ReachRules {
    /// Draws the positions of a standing model.
    fn stand(&self, data: &mut Data, changes: Range, random: &mut Generator) {
        let drawn: Vec<_> = self.start.iter().map(|_| random.uniform(changes.low, changes.high)).collect();
        data.qpos_mut().copy_from_slice(&self.start);
        for (index, range) in &self.joints {
            data.qpos_mut()[*index] = range.clip(self.start[*index] + drawn[*index]);
        }
    }
}

impl Rules for ReachRules {
    fn bind(&mut self, names: Names<'_>, start: &mut [f64]) -> Result<()> {
        let sites: Vec<_> = self.task.sites.iter().map(|(site, _)| *site).collect();
        self.sites = Sites::bind(names, &sites)?;
        if self.task.standing.is_some() {
            let key = names.0.key_qpos(0).ok_or_else(|| Error::Value("the model has no keyframe".to_owned()))?;
            start.copy_from_slice(key);
            self.start = key.to_vec();
            let ranges = names.0.jnt_range().as_chunks::<2>().0.iter().map(|[low, high]| Range { low: *low, high: *high });
            self.joints = names.0.jnt_qposadr().iter().map(|index| *index as usize).zip(ranges).collect();
        }
        Ok(())
    }

    fn start(&self, data: &mut Data, goal: &mut [f64], random: &mut Generator) -> Result<(), Fault> {
        if let Some(changes) = self.task.standing {
            self.stand(data, changes, random);
            data.kinematics()?;
        }
        let targets = goal.as_chunks_mut::<3>().0.iter_mut().zip(&self.sites.tips);
        for ((goal, tip), bounds) in targets.zip(&self.targets) {
            let [low, high] = [&bounds[..3], &bounds[3..]];
            let center = if self.task.standing.is_some() { data.site(*tip) } else { [0.0; 3] };
            *goal = std::array::from_fn(|axis| center[axis] + random.uniform(low[axis], high[axis]));
        }
        if let Some(changes) = self.task.standing {
            self.stand(data, changes, random);
        }
        Ok(())
    }

    fn evaluate(
        &self,
        data: &mut Data,
        goal: &mut [f64],
        scene: &Scene,
        [frame, rewards]: [&mut Writer<'_>; 2],
    ) -> Result<Outcome, Fault> {
        data.kinematics()?;
        let tips: Vec<_> = self.sites.tips.iter().flat_map(|tip| data.site(*tip)).collect();
        let errors: Vec<_> = goal.iter().zip(&tips).map(|(goal, tip)| goal - tip).collect();
        observe_joints(data, scene, frame, [0, 0]);
        frame.add(&tips);
        frame.add(&errors);
        let distance = length(&errors);
        let is_done = scene.time > 2.0 * scene.seconds && distance > self.far;
        let count = self.sites.tips.len() as f64;
        let (near, reach, effort) = match self.task.standing {
            None => (count * 0.0125, -distance, -scene.effort),
            Some(_) => {
                let velocities: Vec<_> = data.qvel().iter().map(|velocity| velocity * scene.seconds).collect();
                let speed = length(&velocities);
                (count * 0.050, 10.0 - distance - 10.0 * speed, -100.0 * scene.effort)
            }
        };
        let bonus = bonus(distance, [2.0 * near, near]);
        rewards.add(&[reach, bonus, effort, -flag(is_done)]);
        Ok(Outcome { dense: None, sparse: -distance, is_solved: distance < near, is_done })
    }

    fn shown(&self, _data: &mut Data, goal: &[f64]) -> Result<Vec<(usize, [f64; 3])>, Fault> {
        Ok(self.sites.targets.iter().copied().zip(goal.as_chunks().0.iter().copied()).collect())
    }
}
