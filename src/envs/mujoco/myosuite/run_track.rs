//! Tasks in which legs, one of which is a powered prosthesis, run along a track (`RunTrack`, `MyoOSLController`).

use super::streams::Streams;
use super::task::{Class, ModelSpec, Outcome, Rules, Scene, forward_observed};
use super::terrain::{TRACK_LEN, TrackField, check_heights};
use super::walk::{SEEN, set_keyframe};
use crate::names::{Names, bound};
use crate::robot::{Writer, number};
use crate::rotations::Quaternion;
use envpool_rs_engine::{Error, OptionSpec, Options, Result};
use envpool_rs_numeric::random::Generator;
use envpool_rs_numeric::{numpy, numpy_ufuncs};
use envpool_rs_sim_mujoco::model_overrides::HFIELD_DATA;
use envpool_rs_sim_mujoco::{Data, Fault, ObjectKind};
use std::f64::consts::{FRAC_PI_2, PI};

/// Joints whose positions and velocities are observed.
const JOINTS: [&str; 17] = [
    "hip_adduction_l",
    "hip_flexion_l",
    "hip_rotation_l",
    "hip_adduction_r",
    "hip_flexion_r",
    "hip_rotation_r",
    "knee_angle_l",
    "knee_angle_l_beta_rotation1",
    "knee_angle_l_beta_translation1",
    "knee_angle_l_beta_translation2",
    "knee_angle_l_rotation2",
    "knee_angle_l_rotation3",
    "knee_angle_l_translation1",
    "knee_angle_l_translation2",
    "mtp_angle_l",
    "ankle_angle_l",
    "subtalar_angle_l",
];
/// Joints whose limits hurt.
pub const HURTING: [&str; 12] = [
    "hip_adduction_l",
    "hip_adduction_r",
    "hip_flexion_l",
    "hip_flexion_r",
    "hip_rotation_l",
    "hip_rotation_r",
    "knee_angle_l",
    "knee_angle_l_rotation2",
    "knee_angle_l_rotation3",
    "mtp_angle_l",
    "ankle_angle_l",
    "subtalar_angle_l",
];
/// Muscles in the order of observations.
const MUSCLES: &str = "addbrev_l addbrev_r addlong_l addlong_r addmagDist_l addmagIsch_l addmagMid_l addmagProx_l bflh_l bfsh_l \
    edl_l ehl_l fdl_l fhl_l gaslat_l gasmed_l glmax1_l glmax1_r glmax2_l glmax2_r glmax3_l glmax3_r glmed1_l glmed1_r glmed2_l \
    glmed2_r glmed3_l glmed3_r glmin1_l glmin1_r glmin2_l glmin2_r glmin3_l glmin3_r grac_l iliacus_l iliacus_r perbrev_l \
    perlong_l piri_l piri_r psoas_l psoas_r recfem_l sart_l semimem_l semiten_l soleus_l tfl_l tibant_l tibpost_l vasint_l \
    vaslat_l vasmed_l";
/// Limit of a joint's force, in N or Nm, that hurts most.
const PAIN: f64 = 1000.0;
/// Largest distance in metres from the middle of the track.
const WIDTH: f64 = 1.0;
/// Distance in metres behind the start at which an episode terminates.
const BEHIND: f64 = 2.0;
/// Height in metres of the head, above the ground and above the feet, below which legs have fallen.
const FALLEN: f64 = 0.2;
/// Height in metres of the lowest foot at the start.
const GROUND: f64 = 0.005;
/// Bounds of the direction at the start, in degrees.
const TURNS: [f64; 2] = [-125.0, -60.0];
/// Number of keyframes from which episodes start.
const STARTS: i64 = 3;
const GRAVITY: f64 = 9.81;

/// Index of the prosthesis' phase among the values that a lane stores; its sensors follow.
const PHASE: usize = 0;
/// Sensors of the prosthesis: indices among the values that a lane stores.
#[derive(Clone, Copy)]
enum Sensor {
    KneeAngle = 1,
    KneeVelocity = 2,
    AnkleAngle = 3,
    Load = 5,
}
const STORED: usize = 6;

/// Phase of a gait, in which the prosthesis' joints are springs.
struct Phase {
    /// Stiffness, damping, and angle in degrees at rest of knee and ankle.
    springs: [[f64; 3]; 2],
    /// Limits, in degrees or in body weights, above (`true`) or below one of which the next phase starts.
    ends: &'static [(Sensor, f64, bool)],
}

/// Phases of a gait: early and late stance, early and late swing.
const PHASES: [Phase; 4] = [
    Phase {
        springs: [[99.372, 3.180, 5.0], [19.874, 0.0, -2.0]],
        ends: &[(Sensor::Load, 0.25, true), (Sensor::AnkleAngle, 6.0, true)],
    },
    Phase { springs: [[99.372, 1.272, 8.0], [79.498, 0.063, -20.0]], ends: &[(Sensor::Load, 0.15, false)] },
    Phase {
        springs: [[39.749, 0.063, 60.0], [7.949, 0.0, 25.0]],
        ends: &[(Sensor::KneeAngle, 50.0, true), (Sensor::KneeVelocity, 3.0, false)],
    },
    Phase {
        springs: [[15.899, 3.816, 5.0], [7.949, 0.0, 15.0]],
        ends: &[(Sensor::Load, 0.4, true), (Sensor::KneeAngle, 30.0, false)],
    },
];
/// Phases in which the keyframes are.
const PHASE_OF_START: [usize; STARTS as usize] = [0, 2, 0];
/// Largest torques of knee and ankle in Nm.
const TORQUES: [f64; 2] = [142.272, 168.192];

/// Arguments of a task.
pub struct RunTrack {
    /// Ground: `flat`, or `random` patches.
    pub terrain: &'static str,
    /// Difficulties of the patches, as [`TrackField::difficulties`].
    pub difficulties: [&'static [f64]; 3],
    /// Positions along y of the start and of the end, in metres.
    pub start: f64,
    pub end: f64,
    /// Number of steps after which the info `time` says that a lost episode ended.
    pub steps: f64,
}

impl Class for RunTrack {
    fn options(&self) -> Vec<OptionSpec> {
        vec![
            OptionSpec::new("terrain", self.terrain, "ground: flat, or with stairs, hills or noise, which are drawn")
                .one_of(&["flat", "random"]),
            number("start_pos", self.start, "y of the start in metres"),
            number("end_pos", self.end, "y in metres below which the task is solved"),
        ]
    }

    fn reward_keys(&self) -> &'static [&'static str] {
        &["act_reg", "pain"]
    }

    fn weights(&self) -> Vec<(&'static str, f64)> {
        vec![("sparse", 1.0), ("solved", 10.0)]
    }

    fn observed(&self, model: &ModelSpec) -> usize {
        2 * JOINTS.len() + 10 + 3 * model.na
    }

    /// Phase and sensors of the prosthesis.
    fn goal_len(&self, _model: &ModelSpec) -> usize {
        STORED
    }

    fn terrain_height(&self) -> Option<f64> {
        Some(GROUND)
    }

    /// Knee and ankle of the prosthesis.
    fn own_controls(&self) -> usize {
        TORQUES.len()
    }

    /// The package resets twice.
    fn fatigue_draws(&self) -> usize {
        2
    }

    fn create(&'static self, options: &Options) -> Box<dyn Rules> {
        let is_flat = options.text("terrain") == Some("flat");
        Box::new(RunRules {
            task: self,
            track: (!is_flat).then_some(TrackField { difficulties: self.difficulties }),
            start: options.float("start_pos"),
            end: options.float("end_pos"),
            bound: None,
        })
    }
}

struct RunRules {
    task: &'static RunTrack,
    track: Option<TrackField>,
    start: f64,
    end: f64,
    bound: Option<(Bound, Body)>,
}

bound! {
    /// Ids of the model's objects, and indices of positions and velocities.
    struct Bound {
        pelvis: body("pelvis"),
        head: site("head"),
        left: body("talus_l"),
        right: body("osl_foot_assembly"),
        knee: position("osl_knee_angle_r"),
        knee_velocity: velocity("osl_knee_angle_r"),
        ankle: position("osl_ankle_angle_r"),
        ankle_velocity: velocity("osl_ankle_angle_r"),
    }
}

/// Further properties of the model.
struct Body {
    /// Weight in N.
    weight: f64,
    positions: Vec<usize>,
    velocities: Vec<usize>,
    hurting: Vec<usize>,
    muscles: Vec<usize>,
    /// Sites under the feet.
    soles: Vec<usize>,
    /// Indices of the forces under the left foot, and of the prosthesis' load, in `sensordata`.
    feet: Vec<usize>,
    load: usize,
    /// Gear, and bounds of the control, of the prosthesis' motors.
    motors: [[f64; 3]; 2],
}

impl Body {
    fn bind(names: Names<'_>) -> Result<Self> {
        let model = names.0;
        let actuator = |name: &str| names.id(ObjectKind::Actuator, name);
        let motor = |name: &str| {
            let id = actuator(name)?;
            let [low, high] = [0, 1].map(|end| model.actuator_ctrlrange()[2 * id + end]);
            Ok::<_, Error>([model.actuator_gear()[6 * id], low, high])
        };
        Ok(Self {
            weight: numpy::sum(model.body_mass()) * GRAVITY,
            positions: JOINTS.iter().map(|joint| names.position(joint)).collect::<Result<_>>()?,
            velocities: JOINTS.iter().map(|joint| names.velocity(joint)).collect::<Result<_>>()?,
            hurting: HURTING.iter().map(|joint| names.joint(joint)).collect::<Result<_>>()?,
            muscles: MUSCLES.split_whitespace().map(actuator).collect::<Result<_>>()?,
            soles: ["r_heel_btm", "r_toe_btm", "l_heel_btm", "l_toe_btm"]
                .map(|site| names.site(site))
                .into_iter()
                .collect::<Result<_>>()?,
            feet: names.sensors(&["l_foot", "l_toes"])?,
            load: names.sensor("r_osl_load")?.start + 1,
            motors: [motor("osl_knee_torque_actuator")?, motor("osl_ankle_torque_actuator")?],
        })
    }
}

impl RunRules {
    fn bound(&self) -> &(Bound, Body) {
        self.bound.as_ref().expect("lanes are made of a loaded model")
    }
}

impl Rules for RunRules {
    fn bind(&mut self, names: Names<'_>, _start: &mut [f64]) -> Result<()> {
        if names.0.key_qpos(STARTS as usize - 1).is_none() {
            return Err(Error::Value("the model has no keyframes of running".to_owned()));
        }
        check_heights(names.0, TRACK_LEN)?;
        self.bound = Some((Bound::bind(names)?, Body::bind(names)?));
        Ok(())
    }

    fn begin(&self, data: &mut Data, goal: &mut [f64], random: &mut Streams) -> Result<(), Fault> {
        let heights = data.model_array_mut(HFIELD_DATA);
        heights.fill(0.0);
        if let Some(track) = &self.track {
            track.draw(heights, random);
        }
        self.start(data, goal, &mut random.environment)
    }

    fn start(&self, data: &mut Data, goal: &mut [f64], random: &mut Generator) -> Result<(), Fault> {
        let key = random.integers(0, STARTS) as usize;
        set_keyframe(data, key);
        goal[PHASE] = PHASE_OF_START[key] as f64;
        let x = random.uniform(-WIDTH * 0.8, WIDTH * 0.8);
        let [low, high] = TURNS.map(radians);
        let direction = random.uniform(low, high);
        let positions = data.qpos_mut();
        positions[..2].copy_from_slice(&[x, self.start + 1.0]);
        let turned = with_yaw(positions[3..7].try_into().expect("four values"), direction);
        positions[3..7].copy_from_slice(&turned);
        let speed = numpy::norm(&data.qvel()[..2]);
        data.qvel_mut()[..2].copy_from_slice(&[numpy_ufuncs::cos(direction) * speed, numpy_ufuncs::sin(direction) * speed]);
        data.kinematics()?;
        let lowest = self.bound().1.soles.iter().map(|sole| data.site(*sole)[2]).fold(100.0, f64::min);
        data.qpos_mut()[2] += GROUND - lowest;
        Ok(())
    }

    /// The package takes the controls for normalised ones, and does not scale them back.
    fn control(&self, goal: &mut [f64], controls: &mut [f64]) {
        let body = &self.bound().1;
        let phase = goal[PHASE] as usize % PHASES.len();
        let limit = |sensor, value| if let Sensor::Load = sensor { value * body.weight } else { radians(value) };
        let is_over = PHASES[phase].ends.iter().any(|(sensor, value, is_above)| {
            let (read, limit) = (goal[*sensor as usize], limit(*sensor, *value));
            if *is_above { read > limit } else { read < limit }
        });
        let phase = if is_over { (phase + 1) % PHASES.len() } else { phase };
        goal[PHASE] = phase as f64;
        for (joint, control) in controls.iter_mut().enumerate() {
            let [stiffness, damping, rest] = PHASES[phase].springs[joint];
            let (angle, velocity) = (goal[1 + 2 * joint], goal[2 + 2 * joint]);
            let torque = stiffness * (radians(rest) - angle) - damping * velocity;
            let [gear, low, high] = body.motors[joint];
            let wanted = numpy::clip(torque, -TORQUES[joint], TORQUES[joint]) / gear;
            *control = (numpy::clip(wanted, low, high) - (low + high) / 2.0) / ((high - low) / 2.0);
        }
    }

    fn evaluate(
        &self,
        data: &mut Data,
        goal: &mut [f64],
        scene: &Scene,
        [frame, rewards]: [&mut Writer<'_>; 2],
    ) -> Result<Outcome, Fault> {
        forward_observed(data)?;
        let (bound, body) = self.bound();
        let (positions, velocities) = (data.qpos(), data.qvel());
        let sensors = [bound.knee, bound.ankle].map(|place| positions[place]);
        let speeds = [bound.knee_velocity, bound.ankle_velocity].map(|place| velocities[place]);
        goal[1..].copy_from_slice(&[sensors[0], speeds[0], sensors[1], speeds[1], -data.sensordata()[body.load]]);

        body.positions.iter().for_each(|place| frame.add(&[positions[*place]]));
        body.velocities.iter().for_each(|place| frame.add(&[velocities[*place] * scene.seconds]));
        body.feet.iter().for_each(|place| frame.add(&[data.sensordata()[*place]]));
        frame.add(&data.xquat()[4 * bound.pelvis..][..4]);
        frame.add(&positions[..2]);
        frame.add(&velocities[..2]);
        body.muscles.iter().for_each(|muscle| frame.add(&[data.actuator_length()[*muscle]]));
        body.muscles.iter().for_each(|muscle| frame.add_clipped(&[data.actuator_velocity()[*muscle]], SEEN));
        body.muscles.iter().for_each(|muscle| frame.add_clipped(&[data.actuator_force()[*muscle] / 1000.0], SEEN));

        let pain = body.hurting.iter().fold(0.0, |sum, joint| sum + data.joint_limit_force(*joint).min(PAIN) / PAIN);
        rewards.add(&[numpy::sum_of_squares(data.act()) / data.act().len() as f64, pain / HURTING.len() as f64]);
        let (head, feet) = (data.site(bound.head)[2], (data.body(bound.left)[2] + data.body(bound.right)[2]) / 2.0);
        let has_fallen = head - feet < FALLEN || head < FALLEN;
        let is_lost = positions[0].abs() > WIDTH || positions[1] > self.start + BEHIND || has_fallen;
        let is_solved = positions[1] < self.end;
        if is_lost {
            scene.shown_time.set(scene.seconds * self.task.steps);
        }
        Ok(Outcome { dense: None, sparse: -velocities[1], is_solved, is_done: is_lost || is_solved })
    }
}

/// Computes `np.deg2rad`.
fn radians(degrees: f64) -> f64 {
    degrees * (PI / 180.0)
}

/// Returns an orientation with another yaw, of roll, pitch and yaw (`quat2euler_intrinsic`, `intrinsic_euler2quat`).
fn with_yaw([w, x, y, z]: Quaternion, yaw: f64) -> Quaternion {
    let roll = numpy_ufuncs::arctan2(2.0 * (w * x + y * z), 1.0 - 2.0 * (x * x + y * y));
    let sine = 2.0 * (w * y - z * x);
    let pitch = if sine.abs() >= 1.0 { FRAC_PI_2.copysign(sine) } else { numpy_ufuncs::arcsin(sine) };
    let halves = [roll * 0.5, pitch * 0.5, yaw * 0.5];
    let [sr, sp, sy] = halves.map(numpy_ufuncs::sin);
    let [cr, cp, cy] = halves.map(numpy_ufuncs::cos);
    [cr * cp * cy + sr * sp * sy, sr * cp * cy - cr * sp * sy, cr * sp * cy + sr * cp * sy, cr * cp * sy - sr * sp * cy]
}
