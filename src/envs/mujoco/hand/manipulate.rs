//! Starts and goals of the tasks in which the Shadow hand turns and moves an object.

use std::f64::consts::{FRAC_PI_2, PI};

use super::fingers::Fingers;
use super::goal::OBJECT_GOAL;
use crate::attempts::repeat_until;
use crate::names::Names;
use crate::robot::Writer;
use crate::rotations::{Quaternion, euler_to_quaternion, multiply, normalised, turn};
use envpool_rs_engine::{Error, OptionSpec, Options, Result};
use envpool_rs_numeric::random::Generator;
use envpool_rs_sim_mujoco::{Data, Fault, JointKind};

const POSITIONS: [&str; 3] = ["ignore", "fixed", "random"];
const ROTATIONS: [&str; 5] = ["ignore", "fixed", "xyz", "z", "parallel"];
/// Names of the options for the range of goals around the object, with their defaults in metres.
const RANGE: [(&str, f64); 6] = [
    ("target_position_low0", -0.04),
    ("target_position_high0", 0.04),
    ("target_position_low1", -0.06),
    ("target_position_high1", 0.02),
    ("target_position_low2", 0.0),
    ("target_position_high2", 0.06),
];
/// Maximum absolute value of the range of goals in metres.
const MAX_LENGTH: f64 = 100.0;
/// Standard deviation of the object's start along each axis, in metres.
const DEVIATION: f64 = 0.005;
/// Number of environment steps of a reset, in which the object settles.
const SETTLING_STEPS: usize = 10;
/// Number of attempts to find a start state in which the object lies on the palm.
const ATTEMPTS: u32 = 500;
/// Height in metres above which the object is on the palm.
const PALM_HEIGHT: f64 = 0.04;
/// Orientations in which the faces of a block are parallel to the axes, as Euler angles in quarter turns.
const PARALLEL: [[f64; 3]; 24] = [
    [0.0, 0.0, 0.0],
    [0.0, 0.0, 1.0],
    [0.0, 0.0, -1.0],
    [0.0, 0.0, 2.0],
    [0.0, 1.0, 0.0],
    [0.0, 1.0, 1.0],
    [0.0, 1.0, -1.0],
    [0.0, 1.0, 2.0],
    [0.0, -1.0, 0.0],
    [0.0, -1.0, 1.0],
    [0.0, -1.0, -1.0],
    [0.0, -1.0, 2.0],
    [2.0, 0.0, 2.0],
    [2.0, 0.0, -1.0],
    [2.0, 0.0, 1.0],
    [2.0, 0.0, -0.0],
    [1.0, 0.0, 0.0],
    [1.0, 0.0, 1.0],
    [1.0, 0.0, -1.0],
    [1.0, 0.0, 2.0],
    [-1.0, 0.0, 2.0],
    [-1.0, 0.0, -1.0],
    [-1.0, 0.0, 1.0],
    [-1.0, 0.0, -0.0],
];

/// Rule by which the orientation of a goal is drawn.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Rotation {
    /// The orientation of goals does not matter. Starts are turned about any axis.
    Ignore,
    /// Goals have the orientation of the object, and the object is not turned.
    Fixed,
    /// About any axis.
    Xyz,
    /// About the vertical axis.
    Z,
    /// About the vertical axis, from an orientation in which the object's faces are parallel to the axes.
    Parallel,
}

/// Rules for the starts and goals of the object.
#[derive(Debug, Clone)]
pub struct ObjectRules {
    position: &'static str,
    rotation: Rotation,
    /// Lowest and highest offset of a goal from the object along each axis, in metres.
    range: [[f64; 2]; 3],
    moves_object: bool,
    turns_object: bool,
}

/// Returns the specifications of the options for starts and goals.
pub fn options(turns_object: bool, ignores_z: bool) -> Vec<OptionSpec> {
    let mut options = vec![
        OptionSpec::new(
            "target_position",
            "random",
            "position of goals; ignore: positions do not count; fixed: the object's; random: near the object",
        )
        .one_of(&POSITIONS),
        OptionSpec::new(
            "target_rotation",
            "xyz",
            "axes about which goals are turned; parallel: z, and faces along the axes; ignore: turns do not count; fixed: none",
        )
        .one_of(&ROTATIONS),
    ];
    let bounds = |(name, default)| {
        let doc = "bound of the offset of goals from the object in m, along the axis x (0), y (1) or z (2)";
        OptionSpec::new(name, default, doc).numbers(-MAX_LENGTH..=MAX_LENGTH)
    };
    options.extend(RANGE.map(bounds));
    options.extend([
        OptionSpec::new("randomize_initial_position", true, "whether the object starts at a random position"),
        OptionSpec::new("randomize_initial_rotation", turns_object, "whether the object starts with a random orientation"),
        OptionSpec::new("ignore_z_target_rotation", ignores_z, "whether turns of the object about its axis z do not count"),
    ]);
    options
}

impl ObjectRules {
    /// Creates the rules from the values of their options. Fails with `Value` if a lower bound exceeds its upper bound.
    pub fn new(options: &Options) -> Result<Self> {
        let text = |name| options.text(name).expect("it has a default");
        let bound = |index: usize| options.float(RANGE[index].0);
        let range = [0, 2, 4].map(|index| [bound(index), bound(index + 1)]);
        if let Some(axis) = range.iter().position(|[low, high]| low > high) {
            let (name, _) = RANGE[2 * axis];
            return Err(Error::value(
                name,
                range[axis][0],
                format!("{} or less, which is {}", range[axis][1], RANGE[2 * axis + 1].0),
            ));
        }
        Ok(Self {
            position: POSITIONS
                .into_iter()
                .find(|each| *each == text("target_position"))
                .expect("the option takes no other values"),
            rotation: match text("target_rotation") {
                "ignore" => Rotation::Ignore,
                "fixed" => Rotation::Fixed,
                "z" => Rotation::Z,
                "parallel" => Rotation::Parallel,
                _ => Rotation::Xyz,
            },
            range,
            moves_object: options.bool("randomize_initial_position"),
            turns_object: options.bool("randomize_initial_rotation"),
        })
    }

    pub fn ignores_position(&self) -> bool {
        self.position == "ignore"
    }

    pub fn ignores_rotation(&self) -> bool {
        self.rotation == Rotation::Ignore
    }

    fn draw_turn(&self, random: &mut Generator) -> Option<Quaternion> {
        const VERTICAL: [f64; 3] = [0.0, 0.0, 1.0];
        if self.rotation == Rotation::Fixed {
            return None;
        }
        let angle = random.uniform(-PI, PI);
        Some(match self.rotation {
            Rotation::Z => turn(angle, VERTICAL),
            Rotation::Parallel => {
                let quarters = PARALLEL[random.integers(0, PARALLEL.len() as i64) as usize];
                multiply(&turn(angle, VERTICAL), &euler_to_quaternion(&quarters.map(|quarter| quarter * FRAC_PI_2)))
            }
            _ => turn(angle, [0; 3].map(|_| random.uniform(-1.0, 1.0))),
        })
    }

    fn draw_orientation(&self, random: &mut Generator) -> Option<Quaternion> {
        if self.ignores_rotation() { None } else { self.draw_turn(random) }
    }
}

#[derive(Debug, Clone)]
pub struct Manipulate {
    /// Index of the object's first position, and of its first velocity.
    object: (usize, usize),
    /// Index of the first position of the body that shows the goal in pictures, and of its first velocity.
    pub target: (usize, usize),
    center: usize,
}

impl Manipulate {
    pub fn new(names: Names<'_>) -> Result<Self> {
        let free = |name: &str| {
            if names.0.joint_kind(names.joint(name)?) != JointKind::Free {
                return Err(Error::Value(format!(
                    "xml_file is a model without a free joint {name}: expected one of the Shadow hand"
                )));
            }
            Ok((names.position(name)?, names.velocity(name)?))
        };
        Ok(Self { object: free("object:joint")?, target: free("target:joint")?, center: names.site("object:center")? })
    }

    /// Returns the achieved goal: position and orientation of the object.
    pub fn achieved(&self, data: &Data) -> [f64; OBJECT_GOAL] {
        data.qpos()[self.object.0..][..OBJECT_GOAL].try_into().expect("seven values")
    }

    /// Writes the velocity of the object, then its position and orientation.
    pub fn observe(&self, data: &Data, to: &mut Writer<'_>) {
        to.add(&data.qvel()[self.object.1..][..6]);
        to.add(&self.achieved(data));
    }

    /// Resets the simulation until the object lies on the palm (`_reset_sim`); `qpos` holds the positions of a new simulation.
    ///
    /// As in Gymnasium-Robotics, the controls and MuJoCo's initial guess of accelerations are not reset.
    pub fn reset(
        &self,
        data: &mut Data,
        (fingers, frame_skip): (&Fingers, u32),
        rules: &ObjectRules,
        qpos: &[f64],
        random: &mut Generator,
    ) -> Result<(), Fault> {
        let model = data.model().clone();
        repeat_until(&model, (ATTEMPTS, "an object that comes to rest on the palm"), || {
            *data.time_mut() = 0.0;
            data.qpos_mut().copy_from_slice(qpos);
            data.qvel_mut().fill(0.0);
            data.forward()?;
            let [mut x, mut y, mut z, rotation @ ..] = self.achieved(data);
            let mut rotation: Quaternion = rotation;
            if let Some(turn) = rules.turns_object.then(|| rules.draw_turn(random)).flatten() {
                rotation = multiply(&rotation, &turn);
            }
            if rules.moves_object && rules.position != "fixed" {
                [x, y, z] = [x, y, z].map(|value| value + random.normal(0.0, DEVIATION));
            }
            let object = &mut data.qpos_mut()[self.object.0..][..OBJECT_GOAL];
            object[..3].copy_from_slice(&[x, y, z]);
            object[3..].copy_from_slice(&normalised(rotation));
            for _ in 0..SETTLING_STEPS {
                fingers.rest(data);
                data.step(frame_skip, false)?;
            }
            data.forward()?;
            Ok(data.site(self.center)[2] > PALM_HEIGHT)
        })
    }

    pub fn draw_goal(&self, data: &Data, rules: &ObjectRules, random: &mut Generator) -> [f64; OBJECT_GOAL] {
        let mut goal = self.achieved(data);
        if rules.position == "random" {
            for (value, [low, high]) in goal.iter_mut().zip(rules.range) {
                *value += random.uniform(low, high);
            }
        }
        let rotation = rules.draw_orientation(random).unwrap_or_else(|| goal[3..].try_into().expect("four values"));
        goal[3..].copy_from_slice(&normalised(rotation));
        goal
    }
}
