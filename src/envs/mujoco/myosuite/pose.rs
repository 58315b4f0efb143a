//! Tasks in which joints must reach positions (`PoseEnvV0`, `TorsoEnvV0`).

use super::task::{
    Class, ModelSpec, Outcome, Rules, Scene, Sites, bonus, bounds_of, choice, flag, interval, interval_of, length, list,
    observe_joints, sized_list_of, uniform,
};
use crate::names::Names;
use crate::robot::{Range, Writer, number};
use envpool_rs_engine::{OptionSpec, Options, Result};
use envpool_rs_numeric::random::Generator;
use envpool_rs_sim_mujoco::model_overrides::{BODY_MASS, GEOM_SIZE};
use envpool_rs_sim_mujoco::{Data, Fault};

/// Names of the options with the bounds of the joints' targets, and with fixed targets.
const TARGETS: &str = "target_jnt_range";
const FIXED: &str = "target_jnt_value";

/// Arguments of a task.
pub struct Pose {
    pub target: Target,
    /// Start of episodes: `init` or `random`.
    pub reset_type: &'static str,
    /// Largest norm of the error in radians at which the task is solved.
    pub threshold: f64,
    /// Norm of the error in radians beyond which an episode terminates.
    pub far: f64,
    /// Weight of the reward's part `act_reg`.
    pub effort_weight: f64,
    /// Sites that pictures show in the target pose.
    pub sites: &'static [&'static str],
    /// Body whose mass in kg is drawn from an interval, if any.
    pub weight: Option<(&'static str, Range)>,
}

/// Target positions of the first joints, usually of all.
pub enum Target {
    Fixed(&'static [f64]),
    /// Bounds of each joint's target, which is drawn at each reset.
    Drawn(&'static [Range]),
}

impl Class for Pose {
    fn options(&self) -> Vec<OptionSpec> {
        let mut options = vec![
            number("pose_thd", self.threshold, "norm of the error in radians below which the pose is reached"),
            choice(
                "reset_type",
                self.reset_type,
                &["init", "random"],
                "start of episodes: the model's positions, or random ones",
            ),
        ];
        options.push(match self.target {
            Target::Fixed(values) => list(FIXED, values, "target of each joint"),
            Target::Drawn(ranges) => {
                let bounds: Vec<_> = ranges.iter().flat_map(|range| [range.low, range.high]).collect();
                list(TARGETS, &bounds, "lower and upper bound of the target of each joint")
            }
        });
        if let Some((_, range)) = self.weight {
            options.push(interval("weight_range", range, "interval of the carried mass in kg"));
        }
        options
    }

    fn reward_keys(&self) -> &'static [&'static str] {
        &["pose", "bonus", "penalty", "act_reg"]
    }

    fn weights(&self) -> Vec<(&'static str, f64)> {
        vec![("pose", 1.0), ("bonus", 4.0), ("act_reg", self.effort_weight), ("penalty", 50.0)]
    }

    fn observed(&self, model: &ModelSpec) -> usize {
        model.nq + model.nv + self.goal_len(model)
    }

    fn goal_len(&self, _model: &ModelSpec) -> usize {
        match self.target {
            Target::Fixed(values) => values.len(),
            Target::Drawn(ranges) => ranges.len(),
        }
    }

    fn create(&'static self, options: &Options) -> Result<Box<dyn Rules>> {
        Ok(Box::new(PoseRules {
            targets: match self.target {
                Target::Fixed(values) => {
                    let values = sized_list_of(options, FIXED, values.len())?;
                    values.iter().map(|value| [[*value]; 2]).collect()
                }
                Target::Drawn(ranges) => bounds_of(options, TARGETS, ranges.len())?,
            },
            task: self,
            threshold: options.float("pose_thd"),
            starts_randomly: options.text("reset_type") == Some("random"),
            sites: Sites::default(),
            ranges: Vec::new(),
            weights: self.weight.map(|_| interval_of(options, "weight_range")).transpose()?,
            weight: None,
        }))
    }
}

struct PoseRules {
    task: &'static Pose,
    /// Bounds of the targets that episodes draw; fixed targets are both bounds.
    targets: Vec<[[f64; 1]; 2]>,
    threshold: f64,
    starts_randomly: bool,
    sites: Sites,
    /// Ranges of the joints.
    ranges: Vec<[f64; 2]>,
    /// Interval of the mass that is drawn, if any.
    weights: Option<Range>,
    /// Body whose mass is drawn, its first geom, and the interval.
    weight: Option<(usize, usize, Range)>,
}

impl Rules for PoseRules {
    fn bind(&mut self, names: Names<'_>, _start: &mut [f64]) -> Result<()> {
        self.sites = Sites::bind(names, self.task.sites)?;
        self.ranges = names.0.jnt_range().as_chunks().0.to_vec();
        if let (Some((body, _)), Some(range)) = (self.task.weight, self.weights) {
            let id = names.body(body)?;
            self.weight = Some((id, names.0.body_geomadr()[id] as usize, range));
        }
        Ok(())
    }

    fn start(&self, data: &mut Data, goal: &mut [f64], random: &mut Generator) -> Result<(), Fault> {
        if let Some((body, geom, Range { low, high })) = self.weight {
            let weight = random.uniform(low, high);
            data.model_array_mut(BODY_MASS)[body] = weight;
            // No step depends on the size: the elbow turns the weight about one axis, on which nothing is in its way.
            data.model_array_mut(GEOM_SIZE)[3 * geom] = 0.01 + 2.5 * weight / 100.0;
        }
        let is_drawn = matches!(self.task.target, Target::Drawn(_));
        for (goal, bounds) in goal.iter_mut().zip(&self.targets) {
            [*goal] = if is_drawn { uniform(random, bounds) } else { bounds[0] };
        }
        if self.starts_randomly {
            let positions = data.qpos_mut().iter_mut().zip(&self.ranges);
            positions.for_each(|(position, [low, high])| *position = random.uniform(*low, *high));
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
        let errors: Vec<_> = goal.iter().zip(data.qpos()).map(|(goal, position)| goal - position).collect();
        observe_joints(data, scene, frame, [0, 0]);
        frame.add(&errors);
        let distance = length(&errors);
        let is_done = distance > self.task.far;
        let bonus = bonus(distance, [self.threshold, 1.5 * self.threshold]);
        rewards.add(&[-distance, bonus, -flag(is_done), -scene.effort]);
        Ok(Outcome { sparse: -distance, is_solved: distance < self.threshold, is_done })
    }

    fn shown(&self, data: &mut Data, goal: &[f64]) -> Result<Vec<(usize, [f64; 3])>, Fault> {
        let own = data.qpos().to_vec();
        data.qpos_mut()[..goal.len()].copy_from_slice(goal);
        data.kinematics()?;
        data.qpos_mut().copy_from_slice(&own);
        Ok(self.sites.targets.iter().zip(&self.sites.tips).map(|(target, tip)| (*target, data.site(*tip))).collect())
    }
}
