//! Quadruped: a robot with four legs that must walk, run, leave a bowl, or bring a ball to a target.

use std::f64::consts::{PI, SQRT_2};

use super::joints;
use super::suite::prelude::*;
use super::terrain::Terrain;
use crate::mujoco_env::native_lanes::without_warning;
use crate::vector::{distance_xy, sub};
use envpool_rs_sim_mujoco::model_overrides::HFIELD_DATA;

/// Target speed of walking, in m/s; `RUNNING` is the target speed of running.
const WALKING: f64 = 0.5;
const RUNNING: f64 = 5.0;
/// Distance between adjacent bumps of the escape task's terrain, in m.
const BUMP: f64 = 2.0;
/// Largest deviation from the upright posture that gets the full reward in the bowl, in degrees.
const MAX_TILT_IN_BOWL: f64 = 20.0;
/// Number of hinge joints of the robot.
const HINGES: usize = 16;
/// Lower and upper control limits of the three actuators of each leg.
const LEG: [[f64; 2]; 3] = [[-1.0, 1.0], [-1.0, 1.1], [-0.8, 0.8]];
const INERTIAL: [&str; 2] = ["imu_accel", "imu_gyro"];
const TOES: [&str; 8] = [
    "force_toe_front_left",
    "force_toe_front_right",
    "force_toe_back_right",
    "force_toe_back_left",
    "torque_toe_front_left",
    "torque_toe_front_right",
    "torque_toe_back_right",
    "torque_toe_back_left",
];
/// Numbers of rows and columns in the robot's array of rangefinder sensors.
const RANGEFINDERS: [usize; 2] = [4, 5];
/// Value of a rangefinder whose ray hits nothing.
const NOTHING: f64 = -1.0;
/// Maximum number of initial heights, `RISE` metres apart, that are tried to find one without contacts.
const TRIES: usize = 10_000;
const RISE: f64 = 0.01;
/// Initial height of the ball in m; `BALL_SPEED` is its initial speed in m/s.
const BALL_HEIGHT: f64 = 2.0;
const BALL_SPEED: f64 = 5.0;

made! {
    /// Quadruped domain, `dm_control/suite/quadruped.py`.
    #[derive(Debug)]
    pub struct Quadruped by Bind::bind(task: &str, _options: &Options, names: Names<'_>) with {
        let max_tilt: f64 = if task == "escape" { MAX_TILT_IN_BOWL } else { 0.0 };
        let min_cosine = numpy_ufuncs::cos(max_tilt * (PI / 180.0));
        let (angles, speeds) = joints::hinges(names.0);
    } {
        goal: Goal = Goal::bind(task, names)?,
        upright: Tolerance = Tolerance::from(min_cosine).with_sigmoid(Sigmoid::Linear, 1.0 + min_cosine, 0.0),
        torso: usize = names.body("torso")?,
        workspace: usize = names.site("workspace")?,
        /// Index of the root's position in `qpos`; `moving` is the index of its velocity in `qvel`.
        root: usize = names.position("root")?,
        moving: usize = names.velocity("root")?,
        /// Indices in `qpos` of the hinge joints' positions; `speeds` has the indices in `qvel` of their velocities.
        angles: Vec<usize> = angles,
        speeds: Vec<usize> = speeds,
        velocity: usize = names.sensor("velocimeter")?.start,
        inertial: Vec<usize> = names.sensors(&INERTIAL)?,
        toes: Vec<usize> = names.sensors(&TOES)?,
    }
}

#[derive(Debug)]
enum Goal {
    /// The robot must move forward at the speed that the [`Tolerance`] rewards.
    Move(Tolerance),
    /// The robot must escape from the bowl: its distance from the terrain's centre is rewarded.
    Escape { terrain: Terrain, away: Tolerance, finders: Vec<usize> },
    /// The robot must reach the ball, and bring it to the target.
    Fetch(Box<Fetch>),
}

#[derive(Debug)]
struct Fetch {
    /// Largest initial distance of the robot and of the ball from the centre of the floor, in m.
    radius: f64,
    reached: Tolerance,
    fetched: Tolerance,
    ball: usize,
    target: usize,
    /// Index of the ball's position in `qpos`; `moving` is the index of its velocity in `qvel`.
    root: usize,
    moving: usize,
}

impl Goal {
    fn bind(task: &str, names: Names<'_>) -> Result<Self> {
        let moving = |speed: f64| Self::Move(Tolerance::from(speed).with_sigmoid(Sigmoid::Linear, speed, 0.5));
        Ok(match task {
            "walk" => moving(WALKING),
            "run" => moving(RUNNING),
            "escape" => {
                let (side, size) = (names.0.hfield_nrow()[0] as usize, names.0.hfield_size()[0]);
                let finders = (0..RANGEFINDERS[0] * RANGEFINDERS[1])
                    .map(|index| format!("rf_{}{}", index / RANGEFINDERS[1], index % RANGEFINDERS[1]));
                let finders: Vec<String> = finders.collect();
                Self::Escape {
                    terrain: Terrain::new(side, (2.0 * size / BUMP) as usize),
                    away: Tolerance::from(size).with_sigmoid(Sigmoid::Linear, size, 0.0),
                    finders: names.sensors(&finders.iter().map(String::as_str).collect::<Vec<_>>())?,
                }
            }
            _ => {
                let (sizes, sites) = (names.0.geom_size(), names.0.site_size());
                let (floor, ball, target) = (names.geom("floor")?, names.geom("ball")?, names.site("target")?);
                let arena = sizes[3 * floor] * SQRT_2;
                let within = |room: f64| Tolerance::new(0.0, room).with_sigmoid(Sigmoid::Linear, arena, 0.0);
                Self::Fetch(Box::new(Fetch {
                    radius: 0.9 * sizes[3 * floor],
                    reached: within(sites[3 * names.site("workspace")?] + sizes[3 * ball]),
                    fetched: within(sites[3 * target]),
                    ball: names.body("ball")?,
                    target,
                    root: names.position("ball_root")?,
                    moving: names.velocity("ball_root")?,
                }))
            }
        })
    }
}

impl Quadruped {
    /// Places the robot, with this orientation and horizontal position, at the lowest height without contacts.
    fn place(&self, physics: &mut Physics, orientation: [f64; 4], [x, y]: [f64; 2]) -> Result<(), Fault> {
        let set = |physics: &mut Physics, height: f64| {
            let root = &mut physics.qpos_mut()[self.root..][..7];
            root[..3].copy_from_slice(&[x, y, height]);
            root[3..].copy_from_slice(&orientation);
        };
        let mut height = 0.0;
        for _ in 0..TRIES {
            // Contacts depend only on positions. All other derived quantities are computed once, for the final height.
            physics.reset()?;
            set(physics, height);
            without_warning(physics.forward_positions())?;
            if physics.ncon() == 0 {
                physics.restart()?;
                set(physics, height);
                return without_warning(physics.forward_unactuated());
            }
            height += RISE;
        }
        Err(Fault::MujocoError(format!("something touches at each of {TRIES} heights")))
    }

    fn frame<'a>(&self, physics: &'a Physics) -> &'a [f64] {
        &physics.xmat()[9 * self.torso..][..9]
    }
}

impl DomainClass for Quadruped {
    const INFO: DomainInfo = DomainInfo {
        name: "quadruped",
        tasks: &["walk", "run", "escape", "fetch"],
        timestep: 0.005,
        sub_steps: 4,
        time_limit: 20.0,
    };
    const KEYS_IN_ORDER: &'static [&'static str] = &[
        "egocentric_state",
        "torso_velocity",
        "torso_upright",
        "imu",
        "force_torque",
        "origin",
        "rangefinder",
        "ball_state",
        "target_position",
    ];

    fn task_spec(task: &str, _options: &Options) -> Result<TaskSpec> {
        let mut observation = vec![
            Block::new("egocentric_state", 2 * HINGES + 4 * LEG.len()),
            Block::new("torso_velocity", 3),
            Block::number("torso_upright"),
            Block::new("imu", 3 * INERTIAL.len()),
            Block::new("force_torque", 3 * TOES.len()),
        ];
        // dm_control generates the model by a function with four arguments: the floor's size, and whether there are bumps,
        // rangefinders, and walls with a ball.
        let (mut of_escape, mut of_fetch) = (
            vec![Block::new("origin", 3), Block::new("rangefinder", RANGEFINDERS[0] * RANGEFINDERS[1])],
            vec![Block::new("ball_state", 9), Block::new("target_position", 3)],
        );
        let made_with = match task {
            "walk" => "10.0 False False False",
            "run" => "100 False False False",
            "escape" => {
                observation.append(&mut of_escape);
                "40 True True False"
            }
            _ => {
                observation.append(&mut of_fetch);
                "None False False True"
            }
        };
        Ok(TaskSpec {
            generator_arguments: Some(made_with.to_owned()),
            other_tasks_blocks: [of_escape, of_fetch].concat(),
            // The escape task changes its model in each episode.
            required_stage: (task != "escape").then_some(Stage::Acc),
            first_reward: if task == "escape" { FirstReward::OfModel } else { FirstReward::OfStartState },
            ..TaskSpec::new(observation, LEG.repeat(4))
        })
    }
}

impl Domain for Quadruped {
    fn initialize_episode(&self, physics: &mut Physics, random: &mut RandomState, _is_first: bool) -> Result<(), Fault> {
        if let Goal::Escape { terrain, .. } = &self.goal {
            terrain.draw(random, physics.model_array_mut(HFIELD_DATA));
        }
        let Goal::Fetch(fetch) = &self.goal else {
            let orientation = joints::direction([(); 4].map(|()| random.standard_normal()));
            return self.place(physics, orientation, [0.0; 2]);
        };
        let azimuth = random.uniform(0.0, 2.0 * PI);
        let orientation = [numpy_ufuncs::cos(azimuth / 2.0), 0.0, 0.0, numpy_ufuncs::sin(azimuth / 2.0)];
        let anywhere = |random: &mut RandomState| [(); 2].map(|()| random.uniform(-fetch.radius, fetch.radius));
        self.place(physics, orientation, anywhere(random))?;
        let [x, y] = anywhere(random);
        physics.qpos_mut()[fetch.root..][..3].copy_from_slice(&[x, y, BALL_HEIGHT]);
        physics.qvel_mut()[fetch.moving..][..2].fill_with(|| BALL_SPEED * random.standard_normal());
        Ok(())
    }

    fn observe(&self, physics: &Physics, to: &mut Vec<f64>) {
        let (positions, velocities, sensors) = (physics.qpos(), physics.qvel(), physics.sensordata());
        to.extend(self.angles.iter().map(|index| positions[*index]));
        to.extend(self.speeds.iter().map(|index| velocities[*index]));
        to.extend_from_slice(physics.act());
        to.extend_from_slice(&sensors[self.velocity..][..3]);
        to.push(physics.axes(self.torso, ZZ));
        to.extend(self.inertial.iter().map(|index| sensors[*index]));
        to.extend(self.toes.iter().map(|index| numpy_ufuncs::arcsinh(sensors[*index])));
        match &self.goal {
            Goal::Move(_) => {}
            Goal::Escape { finders, .. } => {
                to.extend(in_frame(&physics.body(self.torso), self.frame(physics)).map(|value| -value));
                let range = |index: &usize| if sensors[*index] == NOTHING { 1.0 } else { numpy_ufuncs::tanh(sensors[*index]) };
                to.extend(finders.iter().map(range));
            }
            Goal::Fetch(fetch) => {
                let relative = [0, 1, 2].map(|axis| velocities[fetch.moving + axis] - velocities[self.moving + axis]);
                let turning = [3, 4, 5].map(|axis| velocities[fetch.moving + axis]);
                let (frame, torso) = (self.frame(physics), physics.body(self.torso));
                // As in dm_control, the three vectors are rotated into the torso's frame as rows of one matrix, because numpy
                // sums matrix products differently from products of vectors.
                for row in [sub(physics.body(fetch.ball), torso), relative, turning] {
                    to.extend([0, 1, 2].map(|axis| numpy::matrix_dot(&row, &[frame[axis], frame[3 + axis], frame[6 + axis]])));
                }
                to.extend(in_frame(&sub(physics.site(fetch.target), torso), frame));
            }
        }
    }

    fn get_reward(&self, physics: &Physics) -> f64 {
        let upright_reward = self.upright.of(physics.axes(self.torso, ZZ));
        match &self.goal {
            Goal::Move(moving) => upright_reward * moving.of(physics.sensordata()[self.velocity]),
            Goal::Escape { away, .. } => upright_reward * away.of(numpy::norm(&physics.site(self.workspace))),
            Goal::Fetch(fetch) => {
                let ball = physics.body(fetch.ball);
                let reached = fetch.reached.of(distance_xy(&physics.site(self.workspace), &ball));
                let fetched = fetch.fetched.of(distance_xy(&physics.site(fetch.target), &ball));
                upright_reward * (reached * (0.5 + 0.5 * fetched))
            }
        }
    }
}
