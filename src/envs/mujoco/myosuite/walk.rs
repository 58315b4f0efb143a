//! Tasks in which legs walk (`WalkEnvV0`, `TerrainEnvV0`).

use super::task::{Class, Late, ModelSpec, Outcome, Rules, Scene, UNUSED, choice, list_of};
use super::terrain::{SQUARE_LEN, WalkTerrain, check_heights};
use crate::names::{Names, bound};
use crate::robot::{Range, Writer, add_normal, number};
use crate::rotations::quaternion_to_matrix;
use crate::vector::sub;
use envpool_rs_engine::{Error, OptionSpec, Options, Result, Value};
use envpool_rs_numeric::random::Generator;
use envpool_rs_numeric::{numpy, numpy_ufuncs};
use envpool_rs_sim_mujoco::model_overrides::{BODY_MASS, HFIELD_DATA};
use envpool_rs_sim_mujoco::{Data, Fault};
use std::f64::consts::PI;

/// Keyframes: standing, and steps with the left and the right leg.
pub const STANDING: usize = 0;
pub const STEPPING: [usize; 2] = [2, 3];
/// Standard deviation of the changes of a random start's positions.
const NOISE: f64 = 0.02;
/// Height in metres of the centre of mass above the feet below which the legs kneel.
const KNEELING: f64 = 0.61;
/// Limits of observed velocities, and of forces in kN.
pub const SEEN: Range = Range { low: -100.0, high: 100.0 };

/// Name of the option with the desired orientation of the pelvis.
const TARGET_ROT: &str = "target_rot";

/// Arguments of a task.
pub struct Walk {
    /// Terrain of the height field, if legs walk on it: `rough`, `hilly` or `stairs`.
    pub terrain: Option<&'static str>,
    /// Whether the heights of hills and stairs are the same in all episodes.
    pub is_fixed: bool,
    /// Start of episodes: `init`, `random` or `none`.
    pub reset_type: &'static str,
    /// Height of the centre of mass in metres below which an episode terminates.
    pub min_height: f64,
    /// First element of the rotation matrix of the pelvis, in absolute value, beyond which an episode terminates.
    pub max_rot: f64,
    /// Number of steps of a cycle of the hips.
    pub hip_period: f64,
    /// Desired velocities of the centre of mass along x and y, in m/s.
    pub target: [f64; 2],
}

impl Class for Walk {
    fn options(&self) -> Vec<OptionSpec> {
        let start = "start of episodes: a step, a random step, or standing";
        let mut options = vec![
            choice("reset_type", self.reset_type, &["init", "random", "none"], start),
            number("min_height", self.min_height, "height of the centre of mass in metres below which an episode ends"),
            number("max_rot", self.max_rot, "x of the pelvis' x axis, in absolute value, beyond which an episode ends"),
            number("hip_period", self.hip_period, "number of steps of a cycle of the hips").numbers(f64::MIN_POSITIVE..=f64::MAX),
            number("target_x_vel", self.target[0], "desired velocity along x in m/s"),
            number("target_y_vel", self.target[1], "desired velocity along y in m/s"),
            OptionSpec::optional(TARGET_ROT, Vec::<f64>::new(), "desired quaternion of the pelvis; None: that of standing")
                .per_episode(),
        ];
        if let Some(terrain) = self.terrain {
            let variant = if self.is_fixed { "fixed" } else { "" };
            options.extend([
                choice("terrain", terrain, &["rough", "hilly", "stairs"], "shape of the ground"),
                choice(
                    "variant",
                    variant,
                    &["", "fixed"],
                    "whether hills and stairs are fixed; else each episode draws their height",
                ),
            ]);
        }
        options
    }

    fn reward_keys(&self) -> &'static [&'static str] {
        &["vel_reward", "cyclic_hip", "ref_rot", "joint_angle_rew", "act_mag"]
    }

    fn weights(&self) -> Vec<(&'static str, f64)> {
        let (fall, parts) = (("done", -100.0), [("cyclic_hip", -10.0), ("ref_rot", 10.0), ("joint_angle_rew", 5.0)]);
        [&[("vel_reward", 5.0), fall][..], &parts].concat()
    }

    fn observed(&self, model: &ModelSpec) -> usize {
        model.nq - 2 + model.nv + 16 + 3 * model.nu
    }

    /// The number of steps of the episode.
    fn goal_len(&self, _model: &ModelSpec) -> usize {
        1
    }

    fn terrain_height(&self) -> Option<f64> {
        Some(if self.terrain.is_some() { 0.0 } else { UNUSED })
    }

    fn create(&'static self, options: &Options) -> Result<Box<dyn Rules>> {
        let terrain = self.terrain.and_then(|_| options.text("terrain"));
        Ok(Box::new(WalkRules {
            terrain: terrain.map(|kind| WalkTerrain::new(kind, options.text("variant") == Some("fixed"))),
            starts: match options.text("reset_type") {
                Some("random") => Starts::Random,
                Some("init") => Starts::At(STEPPING[0]),
                _ => Starts::At(STANDING),
            },
            min_height: options.float("min_height"),
            max_rot: options.float("max_rot"),
            hip_period: options.float("hip_period"),
            target: ["target_x_vel", "target_y_vel"].map(|name| options.float(name)),
            upright: (*options.get(TARGET_ROT) != Value::None).then(|| list_of(options, TARGET_ROT)).transpose()?,
            bound: Late::NONE,
        }))
    }
}

struct WalkRules {
    terrain: Option<WalkTerrain>,
    starts: Starts,
    min_height: f64,
    max_rot: f64,
    hip_period: f64,
    target: [f64; 2],
    /// Desired orientation of the pelvis, unless it is that of standing.
    upright: Option<[f64; 4]>,
    bound: Late<Bound>,
}

/// Start of episodes.
#[derive(Clone, Copy)]
enum Starts {
    /// A keyframe.
    At(usize),
    /// A changed keyframe.
    Random,
}

bound! {
    /// Ids of the model's objects, and indices of positions.
    struct Bound {
        torso: body("torso"),
        pelvis: body("pelvis"),
        left: body("talus_l"),
        right: body("talus_r"),
        flexion_left: position("hip_flexion_l"),
        flexion_right: position("hip_flexion_r"),
        adduction_left: position("hip_adduction_l"),
        adduction_right: position("hip_adduction_r"),
        rotation_left: position("hip_rotation_l"),
        rotation_right: position("hip_rotation_r");
        /// Desired orientation of the pelvis.
        upright: [f64; 4],
    }
}

impl Rules for WalkRules {
    fn bind(&mut self, names: Names<'_>, _start: &mut [f64]) -> Result<()> {
        let keys = names.0.key_qpos(STANDING).filter(|_| names.0.key_qpos(STEPPING[1]).is_some());
        let upright = keys.and_then(|key| key.get(3..7)?.try_into().ok());
        if self.terrain.is_some() {
            check_heights(names.0, SQUARE_LEN)?;
        }
        let upright = upright.ok_or_else(|| Error::Value("the model has no keyframes of walking".to_owned()))?;
        self.bound = Bound::bind(names, self.upright.unwrap_or(upright))?.into();
        Ok(())
    }

    fn start(&self, data: &mut Data, goal: &mut [f64], random: &mut Generator) -> Result<(), Fault> {
        goal[0] = -1.0;
        if let Some(terrain) = &self.terrain {
            terrain.draw(data.model_array_mut(HFIELD_DATA), random);
        }
        match self.starts {
            Starts::At(key) => set_keyframe(data, key),
            Starts::Random => random_keyframe(data, random),
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
        data.forward_actuation()?;
        let bound = &*self.bound;
        let phase = goal[0].max(0.0) / self.hip_period % 1.0;
        goal[0] += 1.0;
        let mass = data.model_array(BODY_MASS);
        let velocity: [f64; 2] = mean_by_mass(mass, data.cvel(), 6, [3, 4], -1.0);
        let [height] = mean_by_mass(mass, data.xipos(), 3, [2], 1.0);
        let feet = [bound.left, bound.right].map(|foot| data.body(foot));
        frame.add(&data.qpos()[2..]);
        frame.add_mapped(data.qvel(), |velocity| velocity * scene.seconds);
        frame.add(&velocity);
        frame.add(&data.xquat()[4 * bound.torso..][..4]);
        frame.add(&feet.map(|foot| foot[2]));
        frame.add(&[height]);
        feet.iter().for_each(|foot| frame.add(&sub(*foot, data.body(bound.pelvis))));
        frame.add(&[phase]);
        add_muscles(data, frame);

        let positions = data.qpos();
        let wanted = [phase * 2.0 * PI + PI, phase * 2.0 * PI].map(|angle| f64::from((0.8 * numpy_ufuncs::cos(angle)) as f32));
        let flexions = [bound.flexion_left, bound.flexion_right].map(|place| positions[place]);
        let cyclic = numpy::norm(&[wanted[0] - flexions[0], wanted[1] - flexions[1]]);
        let turned: [f64; 4] = std::array::from_fn(|axis| 5.0 * (positions[3 + axis] - bound.upright[axis]));
        let ref_rot = numpy_ufuncs::exp(-numpy::norm(&turned));
        let angles = [bound.adduction_left, bound.adduction_right, bound.rotation_left, bound.rotation_right];
        let joints = numpy_ufuncs::exp(-5.0 * (numpy::sum(&angles.map(|place| positions[place].abs())) / 4.0));
        let near = |wanted: f64, velocity: f64| numpy_ufuncs::exp(-((wanted - velocity) * (wanted - velocity)));
        let speed = near(self.target[1], velocity[1]) + near(self.target[0], velocity[0]);
        let quaternion = positions[3..7].try_into().expect("four values");
        let is_kneeling = self.terrain.is_some() && height - (feet[0][2] + feet[1][2]) / 2.0 < KNEELING;
        let is_done = height < self.min_height || quaternion_to_matrix(&quaternion)[0].abs() > self.max_rot || is_kneeling;
        rewards.add(&[speed, cyclic, ref_rot, joints, scene.effort]);
        Ok(Outcome { sparse: speed, is_solved: speed >= 1.0, is_done })
    }
}

/// Sets positions and velocities to those of a keyframe.
pub fn set_keyframe(data: &mut Data, key: usize) {
    let model = data.model().clone();
    data.qpos_mut().copy_from_slice(model.key_qpos(key).expect("`bind` has found the keyframe"));
    data.qvel_mut().copy_from_slice(model.key_qvel(key).expect("`bind` has found the keyframe"));
}

/// Sets positions and velocities to those of a random step, with noise on all positions but the height.
pub fn random_keyframe(data: &mut Data, random: &mut Generator) {
    set_keyframe(data, STEPPING[usize::from(random.random() >= 0.5)]);
    let height = data.qpos()[2];
    add_normal(data.qpos_mut(), NOISE, random);
    data.qpos_mut()[2] = height;
}

/// Writes lengths, velocities and forces of the muscles to an observation.
pub fn add_muscles(data: &Data, frame: &mut Writer<'_>) {
    frame.add(data.actuator_length());
    frame.add_clipped(data.actuator_velocity(), SEEN);
    frame.add_mapped(data.actuator_force(), |force| SEEN.clip(force / 1000.0));
}

/// Returns the mean over bodies, weighted by their masses, of some of the `width` values of each, times `sign`.
fn mean_by_mass<const COUNT: usize>(
    mass: &[f64],
    values: &[f64],
    width: usize,
    which: [usize; COUNT],
    sign: f64,
) -> [f64; COUNT] {
    let total = numpy::sum(mass);
    let value = |body: usize, index: usize| mass[body] * (sign * values[width * body + index]);
    which.map(|index| (0..mass.len()).fold(0.0, |sum, body| sum + value(body, index)) / total)
}
