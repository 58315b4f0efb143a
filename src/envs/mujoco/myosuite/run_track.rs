//! Tasks in which legs, one of which is a powered prosthesis, run along a track (`RunTrack`, `MyoOSLController`).

use super::env::MYOSUITE_DIR;
use super::streams::Streams;
use super::task::{
    Class, HURTING, Late, ModelSpec, Outcome, Rules, Scene, choice, each, first_keyframe, forward_observed, list, numbers_of,
    pain,
};
use super::terrain::{TRACK_LEN, TrackField, check_heights};
use super::walk::{SEEN, set_keyframe};
use crate::names::{Names, bound};
use crate::robot::{Writer, number};
use crate::rotations::Quaternion;
use crate::vector::Vec3;
use envpool_rs_engine::{Error, OptionSpec, Options, Result};
use envpool_rs_numeric::random::Generator;
use envpool_rs_numeric::{numpy, numpy_ufuncs};
use envpool_rs_sim_mujoco::model_overrides::HFIELD_DATA;
use envpool_rs_sim_mujoco::{Data, Fault, ObjectKind};
use std::f64::consts::{FRAC_PI_2, PI};
use std::path::{Path, PathBuf};

/// Joints whose positions and velocities are observed.
const JOINTS: &str = "hip_adduction_l hip_flexion_l hip_rotation_l hip_adduction_r hip_flexion_r hip_rotation_r knee_angle_l \
    knee_angle_l_beta_rotation1 knee_angle_l_beta_translation1 knee_angle_l_beta_translation2 knee_angle_l_rotation2 \
    knee_angle_l_rotation3 knee_angle_l_translation1 knee_angle_l_translation2 mtp_angle_l ankle_angle_l subtalar_angle_l";
/// Number of these joints.
const JOINTS_LEN: usize = 17;
/// Muscles in the order of observations.
const MUSCLES: &str = "addbrev_l addbrev_r addlong_l addlong_r addmagDist_l addmagIsch_l addmagMid_l addmagProx_l bflh_l bfsh_l \
    edl_l ehl_l fdl_l fhl_l gaslat_l gasmed_l glmax1_l glmax1_r glmax2_l glmax2_r glmax3_l glmax3_r glmed1_l glmed1_r glmed2_l \
    glmed2_r glmed3_l glmed3_r glmin1_l glmin1_r glmin2_l glmin2_r glmin3_l glmin3_r grac_l iliacus_l iliacus_r perbrev_l \
    perlong_l piri_l piri_r psoas_l psoas_r recfem_l sart_l semimem_l semiten_l soleus_l tfl_l tibant_l tibpost_l vasint_l \
    vaslat_l vasmed_l";
/// Distance in metres behind the start at which an episode terminates.
const BEHIND: f64 = 2.0;
/// Height in metres of the head, above the ground and above the feet, below which legs have fallen.
const FALLEN: f64 = 0.2;
/// Height in metres of the lowest foot at the start.
const GROUND: f64 = 0.005;
/// Bounds of the direction at the start, in degrees.
const TURNS: [f64; 2] = [-125.0, -60.0];
/// Names of the options with the difficulties of stairs, hills and noise.
const DIFFICULTIES: [&str; 3] = ["stairs_difficulties", "hills_difficulties", "rough_difficulties"];
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
/// Orientation at the last start from a gait.
const FACING: usize = 6;

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
        let ground =
            "ground: flat, or with stairs, hills or noise: of one kind, or of a kind that is drawn for each of 24 patches";
        let start = "start of episodes: a random step, standing, or a row of a gait";
        let mut options = vec![
            choice("terrain", self.terrain, &["flat", "random", "random_mixed"], ground),
            choice("reset_type", "random", &["random", "init", "none", "osl_init"], start),
            number("start_pos", self.start, "y of a random start, which is 1 m before it, in metres"),
            number("end_pos", self.end, "y in metres below which the task is solved"),
            number("real_width", 1.0, "largest distance in metres from the middle of the track").numbers(0.0..=1e9),
            OptionSpec::path("init_pose_path", "file of a gait with 247 rows, as CSV; None: the package's"),
        ];
        let lists = DIFFICULTIES.iter().zip(&self.difficulties);
        let about = "heights in metres of the patches of a kind of ground, from the start; the last one is flat";
        options.extend(lists.map(|(name, values)| list(name, values, about)));
        options
    }

    fn reward_keys(&self) -> &'static [&'static str] {
        &["act_reg", "pain"]
    }

    fn weights(&self) -> Vec<(&'static str, f64)> {
        vec![("sparse", 1.0), ("solved", 10.0)]
    }

    fn observed(&self, model: &ModelSpec) -> usize {
        2 * JOINTS_LEN + 10 + 3 * model.na
    }

    /// Phase and sensors of the prosthesis, and an orientation.
    fn goal_len(&self, _model: &ModelSpec) -> usize {
        FACING + 4
    }

    fn terrain_height(&self) -> Option<f64> {
        Some(GROUND)
    }

    /// Knee and ankle of the prosthesis.
    fn own_controls(&self) -> usize {
        TORQUES.len()
    }

    fn create(&'static self, options: &Options) -> Result<Box<dyn Rules>> {
        let [terrain, starts] = ["terrain", "reset_type"].map(|name| options.text(name).expect("it has a default"));
        let path = options.text("init_pose_path").map(PathBuf::from).unwrap_or_else(|| {
            Path::new(options.text(MYOSUITE_DIR).unwrap_or_default()).join("envs/myo/assets/leg/sample_gait_cycle.csv")
        });
        let difficulties = DIFFICULTIES.map(|name| numbers_of(options, name).to_vec());
        let track = (terrain != "flat").then(|| TrackField::new(difficulties, terrain == "random_mixed"));
        let track = track.transpose().map_err(|(kind, expected)| {
            let name = DIFFICULTIES[kind];
            Error::value(name, options.get(name), expected)
        })?;
        Ok(Box::new(RunRules {
            task: self,
            track,
            starts: starts.to_owned(),
            gait: (starts == "osl_init").then_some(path),
            start: options.float("start_pos"),
            end: options.float("end_pos"),
            width: options.float("real_width"),
            bound: Late::NONE,
        }))
    }
}

struct RunRules {
    task: &'static RunTrack,
    track: Option<TrackField>,
    /// Start of episodes (`reset_type`).
    starts: String,
    /// File of a gait, if episodes start from its rows.
    gait: Option<PathBuf>,
    start: f64,
    end: f64,
    /// Largest distance in metres from the middle of the track.
    width: f64,
    bound: Late<(Bound, Body, Option<Gait>)>,
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
    /// Orientation of the standing pelvis.
    facing: [f64; 4],
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
            positions: each(JOINTS, |joint| names.position(joint))?,
            velocities: each(JOINTS, |joint| names.velocity(joint))?,
            hurting: each(HURTING, |joint| names.joint(joint))?,
            muscles: each(MUSCLES, actuator)?,
            soles: each("r_heel_btm r_toe_btm l_heel_btm l_toe_btm", |site| names.site(site))?,
            feet: names.sensors(&["l_foot", "l_toes"])?,
            load: names.sensor("r_osl_load")?.start + 1,
            facing: first_keyframe(names)?[3..7].try_into().expect("four values"),
            motors: [motor("osl_knee_torque_actuator")?, motor("osl_ankle_torque_actuator")?],
        })
    }
}

impl Rules for RunRules {
    fn bind(&mut self, names: Names<'_>, _start: &mut [f64]) -> Result<()> {
        if names.0.key_qpos(STARTS as usize - 1).is_none() {
            return Err(Error::Value("the model has no keyframes of running".to_owned()));
        }
        check_heights(names.0, TRACK_LEN)?;
        let gait = self.gait.as_deref().map(|path| Gait::read(path, names)).transpose()?;
        self.bound = Late::from((Bound::bind(names)?, Body::bind(names)?, gait));
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

    /// The package resets twice where it corrects the height.
    fn fatigue_draws(&self) -> usize {
        if self.starts == "init" { 1 } else { 2 }
    }

    fn draw_at_creation(&self, goal: &mut [f64], _random: &mut Generator) {
        goal[FACING..].copy_from_slice(&self.bound.1.facing);
    }

    fn start(&self, data: &mut Data, goal: &mut [f64], random: &mut Generator) -> Result<(), Fault> {
        let key = if self.starts == "random" { random.integers(0, STARTS) as usize } else { 0 };
        set_keyframe(data, key);
        goal[PHASE] = PHASE_OF_START[key] as f64;
        if self.starts == "random" {
            let x = random.uniform(-self.width * 0.8, self.width * 0.8);
            let [low, high] = TURNS.map(radians);
            let direction = random.uniform(low, high);
            let positions = data.qpos_mut();
            positions[..2].copy_from_slice(&[x, self.start + 1.0]);
            let [roll, pitch, _] = to_euler(positions[3..7].try_into().expect("four values"));
            positions[3..7].copy_from_slice(&from_euler([roll, pitch, direction]));
            let speed = numpy::norm(&data.qvel()[..2]);
            data.qvel_mut()[..2].copy_from_slice(&[numpy_ufuncs::cos(direction) * speed, numpy_ufuncs::sin(direction) * speed]);
        }
        if let Some(gait) = &self.bound.2 {
            goal[PHASE] = gait.start(data, &mut goal[FACING..], random) as f64;
        }
        if self.starts == "init" {
            return Ok(());
        }
        data.kinematics()?;
        let lowest = self.bound.1.soles.iter().map(|sole| data.site(*sole)[2]).fold(100.0, f64::min);
        data.qpos_mut()[2] += GROUND - lowest;
        Ok(())
    }

    /// The package takes the controls for normalised ones, and does not scale them back.
    fn control(&self, goal: &mut [f64], controls: &mut [f64]) {
        let body = &self.bound.1;
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
        let (bound, body, _) = &*self.bound;
        let (positions, velocities) = (data.qpos(), data.qvel());
        let sensors = [bound.knee, bound.ankle].map(|place| positions[place]);
        let speeds = [bound.knee_velocity, bound.ankle_velocity].map(|place| velocities[place]);
        goal[1..FACING].copy_from_slice(&[sensors[0], speeds[0], sensors[1], speeds[1], -data.sensordata()[body.load]]);

        body.positions.iter().for_each(|place| frame.add(&[positions[*place]]));
        body.velocities.iter().for_each(|place| frame.add(&[velocities[*place] * scene.seconds]));
        body.feet.iter().for_each(|place| frame.add(&[data.sensordata()[*place]]));
        frame.add(&data.xquat()[4 * bound.pelvis..][..4]);
        frame.add(&positions[..2]);
        frame.add(&velocities[..2]);
        body.muscles.iter().for_each(|muscle| frame.add(&[data.actuator_length()[*muscle]]));
        body.muscles.iter().for_each(|muscle| frame.add_clipped(&[data.actuator_velocity()[*muscle]], SEEN));
        body.muscles.iter().for_each(|muscle| frame.add_clipped(&[data.actuator_force()[*muscle] / 1000.0], SEEN));

        rewards.add(&[numpy::sum_of_squares(data.act()) / data.act().len() as f64, pain(data, &body.hurting)]);
        let (head, feet) = (data.site(bound.head)[2], (data.body(bound.left)[2] + data.body(bound.right)[2]) / 2.0);
        let has_fallen = head - feet < FALLEN || head < FALLEN;
        let is_lost = positions[0].abs() > self.width || positions[1] > self.start + BEHIND || has_fallen;
        let is_solved = positions[1] < self.end;
        if is_lost {
            scene.shown_time.set(scene.seconds * self.task.steps);
        }
        Ok(Outcome { sparse: -velocities[1], is_solved, is_done: is_lost || is_solved })
    }
}

/// Gait of which episodes start in a row.
struct Gait {
    /// Values of the columns, for each row.
    rows: Vec<Vec<f64>>,
    /// Columns with joints, and the joints' places among the positions.
    joints: Vec<(usize, usize)>,
    /// Columns with roll, pitch and yaw of the pelvis, and with its velocity in its own frame.
    euler: [usize; 3],
    velocity: [usize; 3],
}

impl Gait {
    /// First rows of late swing, early stance and late stance, before which early swing is, and the number of rows.
    const PHASES: [usize; 3] = [48, 99, 183];
    const ROWS: usize = 247;

    /// Reads the file `path`.
    fn read(path: &Path, names: Names<'_>) -> Result<Self> {
        let refused = |expected: &str| Error::value("init_pose_path", format_args!("{path:?}"), expected);
        let text = std::fs::read_to_string(path).map_err(|error| Error::NotFound(format!("init_pose_path={path:?}: {error}")))?;
        let mut lines = text.lines();
        let columns: Vec<_> = lines.next().unwrap_or_default().split(',').map(str::trim).collect();
        let row = |line: &str| line.split(',').map(|value| value.trim().parse()).collect::<Result<Vec<f64>, _>>();
        let rows: Vec<_> =
            lines.map(row).collect::<Result<_, _>>().map_err(|_| refused("rows of numbers after a row of names"))?;
        if rows.len() != Self::ROWS || rows.iter().any(|row| row.len() != columns.len()) {
            return Err(refused("247 rows of numbers, one for each name, of whose phases the package knows"));
        }
        let find = |name: String| columns.iter().position(|column| *column == name);
        let find = |name: String| find(name.clone()).ok_or_else(|| refused(&format!("a column {name}")));
        let three = |start: &str, ends: [&str; 3]| -> Result<[usize; 3]> {
            let [x, y, z] = ends.map(|end| find(format!("{start}_{end}")));
            Ok([x?, y?, z?])
        };
        let is_joint = |(_, name): &(usize, &str)| !["pelvis_", "l_foot_", "r_foot_"].iter().any(|start| name.starts_with(start));
        let joints = columns.iter().copied().enumerate().filter(is_joint);
        let joints = joints.map(|(column, joint)| Ok((column, names.position(joint)?)));
        Ok(Self {
            joints: joints.collect::<Result<_>>()?,
            euler: three("pelvis_euler", ["roll", "pitch", "yaw"])?,
            velocity: three("pelvis_vel", ["X", "Y", "Z"])?,
            rows,
        })
    }

    /// Changes a standing start to that of a drawn row, and returns its phase. `facing` is the orientation of the last start, in which
    /// the package turns the velocity.
    fn start(&self, data: &mut Data, facing: &mut [f64], random: &mut Generator) -> usize {
        let row = random.integers(0, Self::ROWS as i64) as usize;
        let value = |column: usize| self.rows[row][column];
        self.joints.iter().for_each(|(column, place)| data.qpos_mut()[*place] = value(*column));
        let [_, _, yaw] = to_euler((&*facing).try_into().expect("four values"));
        facing.copy_from_slice(&from_euler(self.euler.map(value)));
        data.qpos_mut()[3..7].copy_from_slice(facing);
        let ([x, y, z], sine, cosine) = (self.velocity.map(value), numpy_ufuncs::sin(yaw), numpy_ufuncs::cos(yaw));
        data.qvel_mut().fill(0.0);
        data.qvel_mut()[..3].copy_from_slice(&[cosine * x - sine * y, sine * x + cosine * y, z]);
        (2 + Self::PHASES.iter().filter(|first| row >= **first).count()) % PHASES.len()
    }
}

/// Computes `np.deg2rad`.
fn radians(degrees: f64) -> f64 {
    degrees * (PI / 180.0)
}

/// Returns roll, pitch and yaw of an orientation (`quat2euler_intrinsic`).
fn to_euler([w, x, y, z]: Quaternion) -> Vec3 {
    let roll = numpy_ufuncs::arctan2(2.0 * (w * x + y * z), 1.0 - 2.0 * (x * x + y * y));
    let sine = 2.0 * (w * y - z * x);
    let pitch = if sine.abs() >= 1.0 { FRAC_PI_2.copysign(sine) } else { numpy_ufuncs::arcsin(sine) };
    [roll, pitch, numpy_ufuncs::arctan2(2.0 * (w * z + x * y), 1.0 - 2.0 * (y * y + z * z))]
}

/// Returns the orientation of roll, pitch and yaw (`intrinsic_euler2quat`).
fn from_euler(angles: Vec3) -> Quaternion {
    let halves = angles.map(|angle| angle * 0.5);
    let [sr, sp, sy] = halves.map(numpy_ufuncs::sin);
    let [cr, cp, cy] = halves.map(numpy_ufuncs::cos);
    [cr * cp * cy + sr * sp * sy, sr * cp * cy - cr * sp * sy, cr * sp * cy + sr * cp * sy, cr * cp * sy - sr * sp * cy]
}
