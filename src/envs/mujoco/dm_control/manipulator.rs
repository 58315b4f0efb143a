//! Manipulator: a planar arm that must bring a ball or a peg to its target, which may be a cup or a slot.

use std::f64::consts::PI;

use super::arm::{Arm, distance, pose};
use super::suite::prelude::*;
use envpool_rs_sim_mujoco::model_overrides::{BODY_POS, BODY_QUAT};

/// Largest distance, in m, at which two of the [`RewardSites`] count as close.
const CLOSE: f64 = 0.01;
/// Probabilities that the object starts in the hand, at its target, or anywhere.
const START_PROBABILITIES: [f64; 3] = [0.1, 0.1, 1.0 - 0.1 - 0.1];

made! {
    /// Manipulator domain, `dm_control/suite/manipulator.py`.
    #[derive(Debug)]
    pub struct Manipulator by Bind::bind(task: &str, options: &Options, names: Names<'_>) with {
        let (object, target, receptacle) =
            if task.ends_with("peg") { ("peg", "target_peg", "slot") } else { ("ball", "target_ball", "cup") };
        let pair = |first: &str, second: &str| -> Result<_> { Ok([names.site(first)?, names.site(second)?]) };
        let joints = ["x", "z", "y"].map(|axis| format!("{object}_{axis}"));
    } {
        arm: Arm = Arm::bind(options, names)?,
        close: Tolerance = Tolerance::new(0.0, CLOSE).with_margin(2.0 * CLOSE),
        object: usize = names.body(object)?,
        target: usize = names.body(target)?,
        /// Body id of the cup or the slot; `None` in tasks without a cup or slot.
        receptacle: Option<usize> = if task.starts_with("insert") { Some(names.body(receptacle)?) } else { None },
        /// Indices in `qpos` of the object's positions along x and z and about y; `velocities`: in `qvel`.
        positions: Vec<usize> = joints.iter().map(|joint| names.position(joint)).collect::<Result<_>>()?,
        velocities: Vec<usize> = joints.iter().map(|joint| names.velocity(joint)).collect::<Result<_>>()?,
        grasp: usize = names.site("grasp")?,
        worth: RewardSites = match object {
            "ball" => RewardSites::Ball(pair("ball", "target_ball")?),
            _ => RewardSites::Peg {
                held: [pair("peg_grasp", "grasp")?, pair("peg_pinch", "pinch")?],
                brought: [pair("peg", "target_peg")?, pair("target_peg_tip", "peg_tip")?],
            },
        },
    }
}

/// Ids of the pairs of sites (reference points of bodies) whose distances determine the reward.
#[derive(Debug)]
enum RewardSites {
    Ball([usize; 2]),
    Peg { held: [[usize; 2]; 2], brought: [[usize; 2]; 2] },
}

impl Manipulator {
    fn mean_worth(&self, physics: &Physics, pairs: [[usize; 2]; 2]) -> f64 {
        let [first, second] = pairs.map(|[one, other]| self.close.of(distance(physics, one, other)));
        (first + second) / 2.0
    }

    /// Draws random initial positions of arm, object and target.
    fn scatter(&self, physics: &mut Physics, random: &mut RandomState) -> Result<(), Fault> {
        self.arm.randomize(physics, random);
        let [x, z] = [random.uniform(-0.4, 0.4), random.uniform(0.1, 0.4)];
        let most = if self.receptacle.is_some() { PI / 3.0 } else { PI };
        let angle = random.uniform(-most, most);
        let direction = [numpy_ufuncs::cos(angle / 2.0), numpy_ufuncs::sin(angle / 2.0)];
        for body in self.receptacle.into_iter().chain([self.target]) {
            let position = &mut physics.model_array_mut(BODY_POS)[3 * body..];
            (position[0], position[2]) = (x, z);
            let quaternion = &mut physics.model_array_mut(BODY_QUAT)[4 * body..];
            [quaternion[0], quaternion[2]] = direction;
        }
        let object = match random.choice_weighted(&START_PROBABILITIES) {
            0 => {
                physics.forward_unactuated()?;
                let (grasp, axes) = (physics.site(self.grasp), &physics.site_xmat()[9 * self.grasp..]);
                [grasp[0], grasp[2], PI - numpy_ufuncs::arctan2(axes[6], axes[0])]
            }
            1 => [x, z, angle],
            _ => {
                let anywhere = [random.uniform(-0.5, 0.5), random.uniform(0.0, 0.7), random.uniform(0.0, 2.0 * PI)];
                physics.qvel_mut()[self.velocities[0]] = random.uniform(-5.0, 5.0);
                anywhere
            }
        };
        for (position, value) in self.positions.iter().zip(object) {
            physics.qpos_mut()[*position] = value;
        }
        physics.forward_unactuated()
    }
}

impl DomainClass for Manipulator {
    const INFO: DomainInfo = DomainInfo {
        name: "manipulator",
        tasks: &["bring_ball", "bring_peg", "insert_ball", "insert_peg"],
        timestep: 0.001,
        sub_steps: 10,
        time_limit: 10.0,
    };

    fn options() -> Vec<OptionSpec> {
        Arm::options()
    }

    fn task_spec(task: &str, options: &Options) -> Result<TaskSpec> {
        let others = vec![Block::new("object_pos", 4), Block::new("object_vel", 3), Block::new("target_pos", 4)];
        // dm_control generates the model by a function with two arguments: whether there is a peg, and whether there is a
        // receptacle (cup or slot).
        let made_with = match task {
            "bring_ball" => "False False",
            "bring_peg" => "True False",
            "insert_ball" => "False True",
            _ => "True True",
        };
        Ok(TaskSpec {
            generator_arguments: Some(made_with.to_owned()),
            moves_bodies: true,
            ..TaskSpec::new(Arm::observation(options, others), unit_controls(5)).up_to(Stage::Acc)
        })
    }
}

impl Domain for Manipulator {
    fn initialize_episode(&self, physics: &mut Physics, random: &mut RandomState, _is_first: bool) -> Result<(), Fault> {
        let model = physics.model().clone();
        repeat_until(&model, (CHEAP_ATTEMPTS, "start states without contacts"), || {
            self.scatter(physics, random)?;
            Ok(physics.ncon() == 0)
        })
    }

    fn observe(&self, physics: &Physics, to: &mut Vec<f64>) {
        self.arm.observe(physics, to);
        if self.arm.is_all_seen {
            to.extend(pose(physics, self.object));
            to.extend(self.velocities.iter().map(|velocity| physics.qvel()[*velocity]));
            to.extend(pose(physics, self.target));
        }
    }

    fn get_reward(&self, physics: &Physics) -> f64 {
        match self.worth {
            RewardSites::Ball([ball, target]) => self.close.of(distance(physics, ball, target)),
            RewardSites::Peg { held, brought } => {
                let held = self.mean_worth(physics, held);
                self.mean_worth(physics, brought).max(held / 3.0)
            }
        }
    }
}
