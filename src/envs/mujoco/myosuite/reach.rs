//! Tasks in which sites must reach positions (`ReachEnvV0` of `reach_v0` and of `walk_v0`).

use super::task::{
    Bounds, Class, ModelSpec, Outcome, Rules, Scene, Sites, UNUSED, bonus, bounds_of, first_keyframe, flag, interval,
    interval_of, length, list, observe_joints, positions_with_ranges, uniform,
};
use crate::names::Names;
use crate::robot::{Range, Writer, number};
use crate::vector::{Vec3, add};
use envpool_rs_engine::{Error, OptionSpec, Options, Result};
use envpool_rs_numeric::random::Generator;
use envpool_rs_sim_mujoco::{Data, Fault};

/// Name of the option with the bounds of the sites' targets.
const TARGETS: &str = "target_reach_range";
/// Name of the option with the interval of the changes of a standing model's positions.
const CHANGES: &str = "joint_random_range";

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
        let far = number("far_th", self.far, "distance in metres for each site beyond which an episode ends");
        let changes =
            self.standing.map(|range| interval(CHANGES, range, "interval of the changes of the joints' first positions"));
        [far, list(TARGETS, &bounds, about)].into_iter().chain(changes).collect()
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

    fn create(&'static self, options: &Options) -> Result<Box<dyn Rules>> {
        let standing = self.standing.map(|_| interval_of(options, CHANGES)).transpose()?;
        if standing.is_some_and(|Range { low, high }| low == high) {
            let expected = "two different numbers: MyoSuite draws targets where the episode before ended, if no start is drawn";
            return Err(Error::value(CHANGES, options.get(CHANGES), expected));
        }
        Ok(Box::new(ReachRules {
            task: self,
            standing,
            targets: bounds_of(options, TARGETS, 3 * self.sites.len())?,
            far: options.float("far_th") * self.sites.len() as f64,
            sites: Sites::default(),
            start: Vec::new(),
            joints: Vec::new(),
        }))
    }
}

struct ReachRules {
    task: &'static Reach,
    /// Interval of the changes of a standing model's positions.
    standing: Option<Range>,
    /// Bounds of each site's target.
    targets: Vec<Bounds<3>>,
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
        if self.standing.is_some() {
            let key = first_keyframe(names)?;
            start.copy_from_slice(key);
            self.start = key.to_vec();
            self.joints = positions_with_ranges(names);
        }
        Ok(())
    }

    fn start(&self, data: &mut Data, goal: &mut [f64], random: &mut Generator) -> Result<(), Fault> {
        if let Some(changes) = self.standing {
            self.stand(data, changes, random);
            data.kinematics()?;
        }
        let targets = goal.as_chunks_mut::<3>().0.iter_mut().zip(&self.sites.tips);
        for ((goal, tip), bounds) in targets.zip(&self.targets) {
            let center = if self.standing.is_some() { data.site(*tip) } else { [0.0; 3] };
            *goal = add(center, uniform(random, bounds));
        }
        if let Some(changes) = self.standing {
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
        let (near, reach, effort) = match self.standing {
            None => (count * 0.0125, -distance, -scene.effort),
            Some(_) => {
                let velocities: Vec<_> = data.qvel().iter().map(|velocity| velocity * scene.seconds).collect();
                let speed = length(&velocities);
                (count * 0.050, 10.0 - distance - 10.0 * speed, -100.0 * scene.effort)
            }
        };
        let bonus = bonus(distance, [2.0 * near, near]);
        rewards.add(&[reach, bonus, effort, -flag(is_done)]);
        Ok(Outcome { sparse: -distance, is_solved: distance < near, is_done })
    }

    fn shown(&self, _data: &mut Data, goal: &[f64]) -> Result<Vec<(usize, [f64; 3])>, Fault> {
        Ok(self.sites.targets.iter().copied().zip(goal.as_chunks().0.iter().copied()).collect())
    }
}
