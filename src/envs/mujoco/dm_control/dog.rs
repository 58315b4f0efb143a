//! Dog (`dm_control/suite/dog.py`): a skeleton with muscles that must stand, move in three gaits, or fetch a ball.

use std::f64::consts::PI;

use super::joints;
use super::suite::prelude::*;
use crate::errors::to_error;
use crate::vector::{distance, sub};
use envpool_rs_sim_mujoco::{Data, ObjectKind};

/// Target speed of walking, in m/s; `TROTTING` and `RUNNING` are the target speeds of the other gaits.
const WALKING: f64 = 1.0;
const TROTTING: f64 = 3.0;
const RUNNING: f64 = 9.0;
/// Largest deviation from the upright posture that gets the full reward, in degrees.
const MAX_TILT: f64 = 30.0;
/// Fraction of the initial height at which the dog counts as standing.
const STANDING: f64 = 0.9;
const HINGES: usize = 73;
const MUSCLES: usize = 38;
const FEET: [&str; 4] = ["foot_L", "foot_R", "hand_L", "hand_R"];
const SOLES: [&str; 4] = ["palm_L", "palm_R", "sole_L", "sole_R"];
const INERTIAL: [&str; 3] = ["accelerometer", "velocimeter", "gyro"];

#[derive(Debug)]
pub struct Dog {
    goal: Goal,
    /// Rewards for the heights of the torso and the pelvis.
    standing: [Tolerance; 2],
    upright: Tolerance,
    touching: Tolerance,
    skull: usize,
    torso: usize,
    pelvis: usize,
    /// Index in `qpos` of the first component of the root's orientation.
    root: usize,
    /// Indices in `qpos` of the hinge joints' positions; `speeds` has the indices in `qvel` of their velocities.
    angles: Vec<usize>,
    speeds: Vec<usize>,
    velocity: usize,
    inertial: Vec<usize>,
    feet: Vec<usize>,
    soles: Vec<usize>,
}

#[derive(Debug)]
enum Goal {
    Stand,
    /// The dog must move forward at the speed that the [`Tolerance`] rewards.
    Move(Tolerance),
    Fetch(Box<Fetch>),
}

#[derive(Debug)]
struct Fetch {
    /// Initial distance of the ball from the centre of the floor, in m.
    radius: f64,
    /// Gravitational acceleration of the model, in m/s².
    gravity: f64,
    reached: Tolerance,
    fetched: Tolerance,
    /// Distance between ball and target, in m, up to which the dog gets the full reward even without the ball in its mouth.
    at_target: f64,
    ball: usize,
    target: usize,
    head: usize,
    bites: [usize; 2],
    /// Index of the ball's position in `qpos`; `moving` is the index of its velocity in `qvel`.
    root: usize,
    moving: usize,
}

impl Goal {
    fn bind(task: &str, names: Names<'_>) -> Result<Self> {
        let moving =
            |speed: f64| Self::Move(Tolerance::new(speed, 2.0 * speed).with_sigmoid(Sigmoid::Linear, speed.max(1.0), 0.0));
        Ok(match task {
            "stand" => Self::Stand,
            "walk" => moving(WALKING),
            "trot" => moving(TROTTING),
            "run" => moving(RUNNING),
            _ => {
                let sizes = names.0.geom_size();
                let (floor, target) = (sizes[3 * names.geom("floor")?], names.geom("target")?);
                let bites = [names.site("upper_bite")?, names.site("lower_bite")?];
                let within = |room: f64, margin: f64| Tolerance::new(0.0, room).with_sigmoid(Sigmoid::Reciprocal, margin, 0.1);
                Self::Fetch(Box::new(Fetch {
                    radius: 0.75 * floor,
                    gravity: -names.0.gravity()[2],
                    reached: within(names.0.site_size()[3 * bites[0]], 2.0),
                    fetched: within(sizes[3 * target], floor),
                    at_target: 2.0 * sizes[3 * target],
                    ball: names.geom("ball")?,
                    target,
                    head: names.site("head")?,
                    bites,
                    root: names.position("ball_root")?,
                    moving: names.velocity("ball_root")?,
                }))
            }
        })
    }
}

impl Fetch {
    /// Places the ball at a random position, and gives it a velocity approximately towards the centre.
    fn begin(&self, physics: &mut Physics, random: &mut RandomState) {
        let azimuth = random.uniform(0.0, 2.0 * PI);
        let (sine, cosine) = (numpy_ufuncs::sin(azimuth), numpy_ufuncs::cos(azimuth));
        let position = [self.radius * sine, self.radius * cosine, 0.05];
        physics.qpos_mut()[self.root..][..3].copy_from_slice(&position);
        let up = (2.0 * self.gravity * random.uniform(0.0, 3.0)).sqrt();
        let speed = random.uniform(0.0, 5.0);
        let direction = [-sine + 0.05 * random.standard_normal(), -cosine + 0.05 * random.standard_normal()];
        let velocity = [speed * direction[0], speed * direction[1], up];
        physics.qvel_mut()[self.moving..][..3].copy_from_slice(&velocity);
    }

    fn observe(&self, physics: &Physics, to: &mut Vec<f64>) {
        let axes = &physics.site_xmat()[9 * self.head..][..9];
        let (head, ball, target) = (physics.site(self.head), physics.geom(self.ball), physics.geom(self.target));
        let velocities = [(ObjectKind::Geom, self.ball), (ObjectKind::Site, self.head)];
        let [moving, nodding] = velocities.map(|(kind, id)| physics.velocity(kind, id));
        for (to_what, from) in [(ball, head), (moving, nodding), (target, head)] {
            to.extend(in_frame(&sub(to_what, from), axes));
        }
    }

    /// Returns two rewards: for having the ball in the mouth, and for having the ball near its target.
    fn worth(&self, physics: &Physics) -> [f64; 2] {
        let ball = physics.geom(self.ball);
        let [upper, lower] = self.bites.map(|site| distance(ball, physics.site(site)));
        let to_target = distance(ball, physics.geom(self.target));
        let reached = (6.0 * self.reached.of(0.5 * (upper + lower)) + 1.0) / 7.0;
        let fetched = (self.fetched.of(to_target) + 1.0) / 2.0;
        [if to_target < self.at_target { 1.0 } else { reached }, fetched]
    }
}

impl Dog {
    /// Returns the velocity of the centre of mass in the torso's frame.
    fn velocity(&self, physics: &Physics) -> [f64; 3] {
        let velocity = physics.sensordata()[self.velocity..][..3].try_into().expect("three numbers");
        in_frame(velocity, &physics.xmat()[9 * self.torso..][..9])
    }

    fn heights(&self, data: &Data) -> [f64; 2] {
        [self.torso, self.pelvis].map(|body| data.body(body)[2])
    }
}

impl DomainClass for Dog {
    const INFO: DomainInfo = DomainInfo {
        name: "dog",
        tasks: &["stand", "walk", "trot", "run", "fetch"],
        timestep: 0.005,
        sub_steps: 3,
        time_limit: 15.0,
    };

    fn task_spec(task: &str, _options: &Options) -> Result<TaskSpec> {
        let mut observation = vec![
            Block::new("joint_angles", HINGES),
            // The key `joint_velocites` is misspelled as in dm_control.
            Block::new("joint_velocites", HINGES),
            Block::new("torso_pelvis_height", 2),
            Block::new("z_projection", 9),
            Block::new("torso_com_velocity", 3),
            Block::new("inertial_sensors", 3 * INERTIAL.len()),
            Block::new("foot_forces", 3 * FEET.len()),
            Block::new("touch_sensors", SOLES.len()),
            Block::new("actuator_state", MUSCLES),
        ];
        // dm_control generates the model by a function with two arguments: the floor's size, and whether the ball is removed.
        let mut other_tasks_blocks = vec![Block::new("ball_state", 6), Block::new("target_position", 3)];
        let made_with = match task {
            "stand" | "walk" => "15 True",
            "trot" => "45 True",
            "run" => "135 True",
            _ => {
                observation.append(&mut other_tasks_blocks);
                "10 False"
            }
        };
        Ok(TaskSpec {
            generator_arguments: Some(made_with.to_owned()),
            other_tasks_blocks,
            first_reward: FirstReward::None,
            ..TaskSpec::new(observation, unit_controls(MUSCLES))
        })
    }
}

impl Bind for Dog {
    fn bind(task: &str, _options: &Options, names: Names<'_>) -> Result<Self> {
        let torso = names.body("torso")?;
        let min_cosine = numpy_ufuncs::cos(MAX_TILT * (PI / 180.0));
        let weight = -names.0.gravity()[2] * names.0.body_subtreemass()[torso];
        let (angles, speeds) = joints::hinges(names.0);
        let mut dog = Self {
            goal: Goal::bind(task, names)?,
            standing: [Tolerance::new(0.0, 0.0); 2],
            upright: Tolerance::from(min_cosine).with_sigmoid(Sigmoid::Linear, min_cosine + 1.0, 0.0),
            touching: Tolerance::from(weight).with_sigmoid(Sigmoid::Linear, weight, 0.9),
            skull: names.body("skull")?,
            torso,
            pelvis: names.body("pelvis")?,
            root: names.position("root")? + 3,
            angles,
            speeds,
            velocity: names.sensor("torso_linvel")?.start,
            inertial: names.sensors(&INERTIAL)?,
            feet: names.sensors(&FEET)?,
            soles: names.sensors(&SOLES)?,
        };
        // In all episodes, the height of the standing dog is the dog's height in the model's initial state, so this height
        // is computed once.
        let mut data = Data::new(names.0).map_err(to_error)?;
        data.reset().and_then(|()| data.forward_unactuated()).map_err(to_error)?;
        dog.standing = dog.heights(&data).map(|height| height * STANDING).map(|high| Tolerance::from(high).with_margin(high));
        Ok(dog)
    }
}

impl Domain for Dog {
    fn initialize_episode(&self, physics: &mut Physics, random: &mut RandomState, _is_first: bool) -> Result<(), Fault> {
        let azimuth = random.uniform(0.0, 2.0 * PI);
        let orientation = [numpy_ufuncs::cos(azimuth / 2.0), 0.0, 0.0, numpy_ufuncs::sin(azimuth / 2.0)];
        physics.qpos_mut()[self.root..][..4].copy_from_slice(&orientation);
        for axis in [0, 1, 5] {
            physics.qvel_mut()[axis] = 2.0 * random.standard_normal();
        }
        let model = physics.model().clone();
        for (state, [low, high]) in physics.act_mut().iter_mut().zip(model.actuator_ctrlrange().as_chunks().0) {
            *state = random.uniform(*low, *high);
        }
        if let Goal::Fetch(fetch) = &self.goal {
            fetch.begin(physics, random);
        }
        Ok(())
    }

    fn observe(&self, physics: &Physics, to: &mut Vec<f64>) {
        let sensors = physics.sensordata();
        to.extend(self.angles.iter().map(|index| physics.qpos()[*index]));
        to.extend(self.speeds.iter().map(|index| physics.qvel()[*index]));
        to.extend(self.heights(physics));
        for body in [self.skull, self.torso, self.pelvis] {
            to.extend_from_slice(&physics.xmat()[9 * body + 6..][..3]);
        }
        to.extend(self.velocity(physics));
        for indices in [&self.inertial, &self.feet, &self.soles] {
            to.extend(indices.iter().map(|index| sensors[*index]));
        }
        to.extend_from_slice(physics.act());
        if let Goal::Fetch(fetch) = &self.goal {
            fetch.observe(physics, to);
        }
    }

    fn get_reward(&self, physics: &Physics) -> f64 {
        let heights = self.heights(physics);
        let touches: f64 = self.soles.iter().map(|index| physics.sensordata()[*index]).sum();
        let standing = [0, 1].map(|part| self.standing[part].of(heights[part]));
        let upright = [self.skull, self.torso, self.pelvis].map(|body| self.upright.of_element(physics.axes(body, ZZ)));
        let worth: f64 = standing.into_iter().chain(upright).product();
        let worth = worth * self.touching.of(touches);
        match &self.goal {
            Goal::Stand => worth,
            Goal::Move(moving) => worth * ((4.0 * moving.of(self.velocity(physics)[0]) + 1.0) / 5.0),
            Goal::Fetch(fetch) => fetch.worth(physics).into_iter().fold(worth, |worth, factor| worth * factor),
        }
    }
}
