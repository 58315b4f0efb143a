//! Task in which legs and a torso kick a ball into a goal with a keeper (`SoccerEnvV0`).

use super::brown_noise;
use super::task::{
    Class, HURTING, Late, ModelSpec, Outcome, Rules, Scene, UNUSED, choice, each, first_keyframe, interval, interval_of, list,
    pain, probabilities_of,
};
use super::walk::add_muscles;
use crate::names::{Names, bound};
use crate::robot::{Range, Writer, number};
use crate::vector::Vec3;
use envpool_rs_engine::{Error, OptionSpec, Options, Result};
use envpool_rs_numeric::numpy;
use envpool_rs_numeric::random::Generator;
use envpool_rs_sim_mujoco::{Data, Fault};

/// Place of the goal's line and bounds of the goal along y and z in metres.
const GOAL_LINE: f64 = 50.0;
const GOAL_WIDTH: Range = Range { low: -3.3, high: 3.3 };
const GOAL_HEIGHT: Range = Range { low: 0.0, high: 2.2 };
/// Height of the pelvis in metres below which an episode terminates.
const FALLEN: f64 = 0.2;
/// Interval of the keeper's greatest speed in m/s, unless it is an option.
const KEEPER_SPEED: Range = Range { low: 1.0, high: 5.0 };
/// Names of the options with that interval, and with the probabilities of the kinds of keepers.
const SPEEDS: &str = "random_vel_range";
const PROBABILITIES: &str = "goalkeeper_probabilities";
/// Sensors of the forces on the feet.
const FEET: [&str; 4] = ["r_foot", "r_toes", "l_foot", "l_toes"];
/// Joints of the body but its root, in the order in which they are observed.
const JOINTS: &str = "Abs_r3 Abs_t1 Abs_t2 L1_L2_AR L1_L2_FE L1_L2_LB L2_L3_AR L2_L3_FE L2_L3_LB L3_L4_AR L3_L4_FE L3_L4_LB L4_L5_AR \
    L4_L5_FE L4_L5_LB ankle_angle_l ankle_angle_r axial_rotation flex_extension hip_adduction_l hip_adduction_r \
    hip_flexion_l hip_flexion_r hip_rotation_l hip_rotation_r knee_angle_l knee_angle_l_beta_rotation1 \
    knee_angle_l_beta_translation1 knee_angle_l_beta_translation2 knee_angle_l_rotation2 knee_angle_l_rotation3 \
    knee_angle_l_translation1 knee_angle_l_translation2 knee_angle_r knee_angle_r_beta_rotation1 \
    knee_angle_r_beta_translation1 knee_angle_r_beta_translation2 knee_angle_r_rotation2 knee_angle_r_rotation3 \
    knee_angle_r_translation1 knee_angle_r_translation2 lat_bending mtp_angle_l mtp_angle_r subtalar_angle_l \
    subtalar_angle_r";
/// Number of these joints.
const JOINTS_LEN: usize = 46;

/// Arguments of a task.
pub struct Soccer {
    /// Start of episodes: `none` or `random`.
    pub reset_type: &'static str,
    /// Probabilities of a keeper that blocks the ball, that moves randomly, and that stands.
    pub keepers: [f64; 3],
}

impl Class for Soccer {
    fn options(&self) -> Vec<OptionSpec> {
        vec![
            number("max_time_sec", 10.0, "time in seconds after which an episode ends"),
            number("rnd_pos_noise", 1.0, "largest change of the body's first place in metres, if it is drawn"),
            number("rnd_joint_noise", 0.02, "largest change of the joints' first positions in radians, if they are drawn"),
            choice(
                "reset_type",
                self.reset_type,
                &["none", "init", "random"],
                "start of episodes: standing, or a changed place and pose",
            ),
            interval(SPEEDS, KEEPER_SPEED, "interval of the keeper's greatest speed in m/s, from 0"),
            list(PROBABILITIES, &self.keepers, "probabilities of a keeper that blocks the ball, moves randomly, or stands"),
        ]
    }

    fn reward_keys(&self) -> &'static [&'static str] {
        &["goal_scored", "time_cost", "act_reg", "pain"]
    }

    fn weights(&self) -> Vec<(&'static str, f64)> {
        vec![("goal_scored", 1000.0), ("time_cost", -0.01), ("act_reg", -100.0), ("pain", -10.0)]
    }

    fn observed(&self, model: &ModelSpec) -> usize {
        2 * JOINTS_LEN + FEET.len() + 4 + 3 + 7 + 6 + 3 * model.nu
    }

    fn goal_len(&self, _model: &ModelSpec) -> usize {
        SERIES + NOISES
    }

    fn terrain_height(&self) -> Option<f64> {
        Some(UNUSED)
    }

    fn create(&'static self, options: &Options) -> Result<Box<dyn Rules>> {
        let names = ["rnd_pos_noise", "rnd_joint_noise"];
        if let Some(name) = names.into_iter().find(|name| !(2.0 * options.float(name)).is_finite()) {
            return Err(Error::value(name, options.float(name), "at most half of the largest float in absolute value"));
        }
        let speed = interval_of(options, SPEEDS)?;
        if speed.low < 0.0 {
            return Err(Error::value(SPEEDS, options.get(SPEEDS), "bounds from 0"));
        }
        let keepers = probabilities_of(options, PROBABILITIES, self.keepers.len())?;
        Ok(Box::new(SoccerRules {
            starts_randomly: options.text("reset_type") == Some("random"),
            keepers: keepers.to_vec(),
            speed,
            max_time: options.float("max_time_sec"),
            noise: names.map(|name| options.float(name).abs()),
            bound: Late::NONE,
        }))
    }
}

// Places of a lane's values: the ball's and the keeper's places along y, the keeper's kind and greatest speed, and the noise of a
// randomly moving keeper: the factor, the number of used values, and the values.
const BALL: usize = 0;
const KEEPER: usize = 1;
const KIND: usize = 2;
const SPEED: usize = 3;
const FACTOR: usize = 4;
const USED: usize = 5;
const SERIES: usize = 6;
/// Number of values that are drawn together.
const NOISES: usize = 10;
// Kinds of keepers.
const BLOCKING: usize = 0;
const RANDOM: usize = 1;

struct SoccerRules {
    starts_randomly: bool,
    /// Probabilities of the kinds of keepers.
    keepers: Vec<f64>,
    /// Interval of the keeper's greatest speed in m/s.
    speed: Range,
    max_time: f64,
    /// Largest changes of the first place and of the joints' first positions.
    noise: [f64; 2],
    bound: Late<Bound>,
}

bound! {
    /// Ids of the model's objects.
    struct Bound {
        ball: body("soccer_ball"),
        pelvis: body("pelvis"),
        torso: body("torso"),
        root_place: position("root"),
        root_speed: velocity("root");
        /// First coordinates of the joints.
        places: Vec<usize>,
        speeds: Vec<usize>,
        hurting: Vec<usize>,
        feet: Vec<usize>,
    }
}

impl SoccerRules {
    fn draw_speed(&self, random: &mut Generator) -> f64 {
        random.uniform(self.speed.low, self.speed.high)
    }
}

fn draw_noise(goal: &mut [f64], random: &mut Generator) {
    let mut noise = [0.0; 2 * NOISES];
    brown_noise::draw(&mut noise, random);
    goal[SERIES..].copy_from_slice(&noise[..NOISES]);
    goal[USED] = 0.0;
}

/// Computes the quantities that are observed: those of a simulation that has no warm start, and in which alone the keeper moves.
/// The state of the simulation stays the same.
fn observe(data: &mut Data, keeper: f64) -> Result<(), Fault> {
    let (warm_start, place) = (data.qacc_warmstart().to_vec(), data.mocap_pos().to_vec());
    data.qacc_warmstart_mut().fill(0.0);
    data.mocap_pos_mut()[1] = keeper;
    data.forward()?;
    data.qacc_warmstart_mut().copy_from_slice(&warm_start);
    data.mocap_pos_mut().copy_from_slice(&place);
    Ok(())
}

impl Rules for SoccerRules {
    fn bind(&mut self, names: Names<'_>, start: &mut [f64]) -> Result<()> {
        start.copy_from_slice(first_keyframe(names)?);
        let (places, speeds) = (each(JOINTS, |joint| names.position(joint))?, each(JOINTS, |joint| names.velocity(joint))?);
        let (hurting, feet) = (each(HURTING, |joint| names.joint(joint))?, names.sensors(&FEET)?);
        self.bound = Bound::bind(names, places, speeds, hurting, feet)?.into();
        Ok(())
    }

    fn draw_at_creation(&self, goal: &mut [f64], random: &mut Generator) {
        goal.fill(0.0);
        self.draw_speed(random);
        draw_noise(goal, random);
        random.random(); // the keeper's kind and place, which the first reset draws again
        random.random();
        goal[SPEED] = self.draw_speed(random);
    }

    fn start(&self, data: &mut Data, goal: &mut [f64], random: &mut Generator) -> Result<(), Fault> {
        let bound = &*self.bound;
        if self.starts_randomly {
            let [far, turned] = self.noise;
            let positions = data.qpos_mut();
            bound.places.iter().for_each(|place| positions[*place] += random.uniform(-turned, turned));
            positions[bound.root_place] += random.uniform(-far, 0.0);
            positions[bound.root_place + 1] += random.uniform(-far, far);
        }
        goal[FACTOR] = goal[SPEED];
        draw_noise(goal, random);
        let drawn = random.random();
        let mut total = 0.0;
        let kind = self.keepers.iter().position(|probability| {
            total += probability;
            drawn < total
        });
        goal[KIND] = kind.map_or(goal[KIND], |kind| kind as f64);
        goal[KEEPER] = random.uniform(GOAL_WIDTH.low, GOAL_WIDTH.high);
        goal[SPEED] = self.draw_speed(random);
        Ok(())
    }

    /// Moves the keeper.
    fn advance(&self, goal: &mut [f64], random: &mut Generator, seconds: f64) {
        let reach = Range { low: -goal[SPEED], high: goal[SPEED] };
        let speed = match goal[KIND] as usize {
            BLOCKING => reach.clip(GOAL_WIDTH.clip(goal[BALL]) - goal[KEEPER]),
            RANDOM => {
                if goal[USED] as usize >= NOISES {
                    draw_noise(goal, random);
                }
                let value = goal[FACTOR] * goal[SERIES + goal[USED] as usize];
                goal[USED] += 1.0;
                reach.clip(value)
            }
            _ => 0.0,
        };
        goal[KEEPER] = GOAL_WIDTH.clip(goal[KEEPER] + seconds * speed);
    }

    fn evaluate(
        &self,
        data: &mut Data,
        goal: &mut [f64],
        scene: &Scene,
        [frame, rewards]: [&mut Writer<'_>; 2],
    ) -> Result<Outcome, Fault> {
        let bound = &*self.bound;
        observe(data, goal[KEEPER])?;
        let ball: Vec3 = data.body(bound.ball);
        goal[BALL] = ball[1];
        let at = |values: &[f64], indices: &[usize]| -> Vec<f64> { indices.iter().map(|index| values[*index]).collect() };
        frame.add(&at(data.qpos(), &bound.places));
        frame.add_mapped(&at(data.qvel(), &bound.speeds), |speed| speed * scene.seconds);
        frame.add(&at(data.sensordata(), &bound.feet));
        frame.add(&data.xquat()[4 * bound.torso..][..4]);
        frame.add(&ball);
        frame.add(&data.qpos()[bound.root_place..][..7]);
        frame.add(&data.qvel()[bound.root_speed..][..6]);
        add_muscles(data, frame);

        let within = |range: Range, value: f64| range.low <= value && value <= range.high;
        let is_goal = ball[0] >= GOAL_LINE && within(GOAL_WIDTH, ball[1]) && within(GOAL_HEIGHT, ball[2]);
        let effort = numpy::sum_of_squares(data.act()) / data.act().len() as f64;
        let is_done = is_goal || scene.time >= self.max_time || data.body(bound.pelvis)[2] < FALLEN;
        let [scored, done] = [is_goal, is_done].map(|is| f64::from(u8::from(is)));
        rewards.add(&[scored, scene.time, effort, pain(data, &bound.hurting)]);
        Ok(Outcome { sparse: done, is_solved: is_goal, is_done })
    }
}
