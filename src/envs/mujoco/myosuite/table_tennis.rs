//! Task in which an arm with a paddle returns a ball of table tennis (`TableTennisEnvV0`).

use std::hint::black_box;
use std::ops::Range as Indices;

use super::task::{
    Bounds, Class, Late, ModelSpec, Outcome, Rules, Scene, bounds, box_of, first_keyframe, interval, interval_of, length,
    positions_with_ranges, touching, uniform,
};
use crate::names::{Names, bound};
use crate::robot::{Range, Writer, flag};
use crate::vector::{Vec3, sub};
use envpool_rs_engine::{Error, OptionSpec, Options, Result, Value};
use envpool_rs_numeric::numpy_ufuncs::exp;
use envpool_rs_numeric::random::Generator;
use envpool_rs_sim_mujoco::model_overrides::{BODY_MASS, GEOM_FRICTION};
use envpool_rs_sim_mujoco::{Data, Fault};

/// Time in seconds after which an episode terminates.
const MAX_TIME: f64 = 3.0;
/// Height of the ball in metres below which an episode terminates.
const DROPPED: f64 = 0.3;
/// Velocity of the ball at the start of an episode in m/s, unless it is drawn.
const SERVE: Vec3 = [5.6, 1.6, 0.1];
/// Bounds of the places on the table's near half in metres where a drawn ball bounces.
const BOUNCE: [[f64; 2]; 2] = [[0.5, -0.60], [1.35, 0.70]];
const TABLE_HEIGHT: f64 = 0.785;
const GRAVITY: f64 = 9.81;
/// Height in metres from which a ball can fall on the table.
const LOWEST: f64 = 0.786;
/// Number of the last joints, which are those of the ball and of the paddle.
const FREE_JOINTS: usize = 2;
/// Names of the options with the bounds of the ball's first place, and with the interval of the joints' changes.
const BALL: &str = "ball_xyz_range";
const NOISE: &str = "qpos_noise_range";
/// Largest vertical velocity of a drawn ball in m/s.
const RISE: f64 = 0.1;
/// Orientation of the paddle that is rewarded, as scipy 1.17 converts the Euler angles -0.3, 1.57 and 0.
const ORIENTATION: [f64; 4] = [0.6994450614237633, -0.10571078187807806, 0.6988882962338909, 0.10562663504969944];

/// Arguments of a task.
pub struct TableTennis {
    /// Bounds of the ball's place at the start of an episode in metres.
    pub ball: Option<[Vec3; 2]>,
    /// Whether the ball's velocity is drawn so that it bounces on the near half of the table.
    pub is_speed_drawn: bool,
    /// Bounds of the paddle's mass in kg.
    pub paddle_mass: Option<Range>,
    /// Bounds of the ball's friction.
    pub friction: Option<[Vec3; 2]>,
}

impl Class for TableTennis {
    fn options(&self) -> Vec<OptionSpec> {
        let ball = self.ball.iter().flat_map(|place| {
            let speed = flag(
                "ball_qvel",
                self.is_speed_drawn,
                "whether the ball's velocity is drawn so that it bounces on the near half",
            );
            [bounds(BALL, place, "bounds of the ball's first place in metres"), speed.per_episode()]
        });
        let mass = self.paddle_mass.map(|range| interval("paddle_mass_range", range, "interval of the paddle's mass in kg"));
        let friction =
            self.friction.map(|range| bounds("ball_friction_range", &range, "bounds of the ball's coefficients of friction"));
        let about = "interval of the changes of the joints' first positions, as parts of their ranges; None: no changes";
        let noise = OptionSpec::optional(NOISE, Vec::<f64>::new(), about).bounds().per_episode();
        ball.chain(mass).chain(friction).chain([noise]).collect()
    }

    fn reward_keys(&self) -> &'static [&'static str] {
        &["reach_dist", "palm_dist", "paddle_quat", "torso_up", "act_reg"]
    }

    /// Python sums them, not numpy.
    fn weights(&self) -> Vec<(&'static str, f64)> {
        let ends = [("sparse", 100.0), ("solved", 1000.0), ("done", -10.0)];
        let poses = [("reach_dist", 1.0), ("palm_dist", 1.0), ("paddle_quat", 2.0), ("act_reg", 0.5), ("torso_up", 2.0)];
        [&poses[..], &ends].concat()
    }

    fn observed(&self, model: &ModelSpec) -> usize {
        let free_joints = 2 * (7 + 6);
        model.nq + model.nv - free_joints + 6 * 3 + ORIENTATION.len() + OBJECTS
    }

    fn goal_len(&self, _model: &ModelSpec) -> usize {
        FLIGHT_LEN
    }

    fn obstacle(&self) -> Option<&'static str> {
        self.friction.map(|_| "episodes draw the ball's friction, which the library reads")
    }

    fn scales_motors(&self) -> bool {
        true
    }

    fn create(&'static self, options: &Options) -> Result<Box<dyn Rules>> {
        let ball = self.ball.map(|_| box_of(options, BALL)).transpose()?;
        let is_speed_drawn = self.ball.is_some() && options.bool("ball_qvel");
        if is_speed_drawn && ball.is_some_and(|[low, _]: Bounds<3>| low[2] < LOWEST) {
            return Err(Error::value(
                BALL,
                options.get(BALL),
                format!("places above {LOWEST} m, from which the ball falls on the table"),
            ));
        }
        let task = Self {
            ball,
            is_speed_drawn,
            paddle_mass: self.paddle_mass.map(|_| interval_of(options, "paddle_mass_range")).transpose()?,
            friction: self.friction.map(|_| box_of(options, "ball_friction_range")).transpose()?,
        };
        let noise = (*options.get(NOISE) != Value::None).then(|| interval_of(options, NOISE)).transpose()?;
        Ok(Box::new(TableTennisRules { task, noise, bound: Late::NONE }))
    }
}

/// Number of kinds of objects that the ball can touch.
const OBJECTS: usize = 6;
// Places of these kinds among observed values; net, ground and others follow.
const PADDLE: usize = 0;
const NEAR_HALF: usize = 1;
const FAR_HALF: usize = 2;

struct TableTennisRules {
    task: TableTennis,
    /// Interval of the changes of the joints' first positions, as parts of their ranges.
    noise: Option<Range>,
    bound: Late<Bound>,
}

bound! {
    /// Ids of the model's objects.
    struct Bound {
        pelvis: site("pelvis"),
        paddle: site("paddle"),
        ball: site("pingpong"),
        palm: site("S_grasp"),
        paddle_body: body("paddle"),
        ball_geom: geom("pingpong"),
        torso: position("flex_extension"),
        /// First coordinates of the paddle's and the ball's free joints.
        paddle_place: position("paddle_freejoint"),
        paddle_speed: velocity("paddle_freejoint"),
        ball_place: position("pingpong_freejoint"),
        ball_speed: velocity("pingpong_freejoint");
        ball_sensor: Indices<usize>,
        paddle_sensor: Indices<usize>,
        /// Geoms of the paddle, the near and the far half of the table, the net and the ground.
        objects: [usize; OBJECTS - 1],
        /// First positions of the other joints, with their ranges.
        joints: Vec<(usize, Range)>,
    }
}

// Places of a lane's values, which describe the flight of the ball: whether it has hit the paddle, left it, and bounced on the near
// half; in how many steps it touched that half, and whether it has left it; how the flight has ended.
const HIT: usize = 0;
const RETURNED: usize = 1;
const BOUNCED: usize = 2;
const CONTACTS: usize = 3;
const ROSE: usize = 4;
const END: usize = 5;
const FLIGHT_LEN: usize = 6;
/// Value of a flight that ended on the far half after the paddle's hit; that of one that ended otherwise is `FAULT`.
const WON: f64 = 1.0;
const FAULT: f64 = 2.0;

/// Follows the ball by a step (`evaluate_pingpong_trajectory`).
fn follow(flight: &mut [f64], touching: &[f64; OBJECTS]) {
    if flight[END] != 0.0 {
        return;
    }
    let touches = |kind: usize| touching[kind] != 0.0;
    let has = |flight: &[f64], part: usize| flight[part] != 0.0;
    if has(flight, HIT) && !touches(PADDLE) {
        flight[RETURNED] = 1.0;
    }
    if touches(PADDLE) {
        if has(flight, RETURNED) {
            flight[END] = FAULT;
            return;
        }
        flight[HIT] = 1.0;
    }
    if touches(NEAR_HALF) {
        flight[BOUNCED] = 1.0;
        flight[CONTACTS] += 1.0;
        if has(flight, ROSE) || flight[CONTACTS] > 2.0 {
            flight[END] = FAULT;
            return;
        }
    } else if has(flight, BOUNCED) {
        flight[ROSE] = 1.0;
    }
    if touches(FAR_HALF) {
        flight[END] = if has(flight, HIT) { WON } else { FAULT };
    }
}

/// Draws a velocity with which the ball from `place` bounces on the near half of the table (`cal_ball_qvel`).
fn serve(place: Vec3, random: &mut Generator) -> Vec3 {
    let rise = random.uniform(-RISE, RISE);
    let fall = -0.5 * GRAVITY;
    // Python computes powers by the C library.
    let discriminant = rise.powf(black_box(2.0)) - 4.0 * fall * (place[2] - TABLE_HEIGHT);
    let seconds = (-rise - discriminant.powf(black_box(0.5))) / (2.0 * fall);
    let mut speed = |axis: usize| {
        let [low, high] = BOUNCE.map(|bound| (bound[axis] - place[axis]) / seconds);
        random.uniform(low, high)
    };
    let [along, across] = [speed(0), speed(1)];
    [along, across, random.uniform(rise, rise)]
}

impl Rules for TableTennisRules {
    fn bind(&mut self, names: Names<'_>, start: &mut [f64]) -> Result<()> {
        start.copy_from_slice(first_keyframe(names)?);
        let [paddle, near, far, net, ground] =
            ["pad", "coll_own_half", "coll_opponent_half", "coll_net", "ground"].map(|geom| names.geom(geom));
        let (ball, speed) = (names.sensor("pingpong_vel_sensor")?, names.sensor("paddle_vel_sensor")?);
        let mut joints = positions_with_ranges(names);
        joints.truncate(joints.len().saturating_sub(FREE_JOINTS));
        self.bound = Bound::bind(names, ball, speed, [paddle?, near?, far?, net?, ground?], joints)?.into();
        Ok(())
    }

    fn start(&self, data: &mut Data, goal: &mut [f64], random: &mut Generator) -> Result<(), Fault> {
        let (bound, task) = (&*self.bound, &self.task);
        goal.fill(0.0);
        if let Some(Range { low, high }) = task.paddle_mass {
            data.model_array_mut(BODY_MASS)[bound.paddle_body] = random.uniform(low, high);
        }
        if let Some(bounds) = &task.friction {
            data.model_array_mut(GEOM_FRICTION)[3 * bound.ball_geom..][..3].copy_from_slice(&uniform(random, bounds));
        }
        let place = task.ball.map(|bounds| uniform(random, &bounds));
        if let Some(place) = place {
            data.qpos_mut()[bound.ball_place..][..3].copy_from_slice(&place);
        }
        if let Some(Range { low, high }) = self.noise {
            let drawn: Vec<_> = (0..bound.joints.len() + FREE_JOINTS).map(|_| random.uniform(low, high)).collect();
            for ((place, range), part) in bound.joints.iter().zip(drawn) {
                let position = &mut data.qpos_mut()[*place];
                *position = range.clip(*position + part * (range.high - range.low));
            }
        }
        let velocity = place.filter(|_| task.is_speed_drawn).map_or(SERVE, |place| serve(place, random));
        data.qvel_mut()[bound.ball_speed..][..3].copy_from_slice(&velocity);
        Ok(())
    }

    fn evaluate(
        &self,
        data: &mut Data,
        goal: &mut [f64],
        scene: &Scene,
        [frame, rewards]: [&mut Writer<'_>; 2],
    ) -> Result<Outcome, Fault> {
        let bound = &*self.bound;
        data.kinematics_and_sensors()?;
        let kind = |geoms: [usize; 2]| bound.objects.iter().position(|object| geoms.contains(object)).unwrap_or(OBJECTS - 1);
        let touching: [_; OBJECTS] = touching(data, |geoms| geoms.contains(&bound.ball_geom).then(|| kind(geoms)))?;
        let (ball, paddle) = (data.site(bound.ball), data.site(bound.paddle));
        let orientation = &data.xquat()[4 * bound.paddle_body..][..4];
        let approach = sub(paddle, ball);
        frame.add(&data.site(bound.pelvis));
        frame.add(&data.qpos()[..bound.paddle_place]);
        frame.add(&data.qvel()[..bound.paddle_speed]);
        frame.add(&ball);
        frame.add(&data.sensordata()[bound.ball_sensor.clone()]);
        frame.add(&paddle);
        frame.add(&data.sensordata()[bound.paddle_sensor.clone()]);
        frame.add(orientation);
        frame.add(&approach);
        frame.add(&touching);

        follow(goal, &touching);
        let is_solved = goal[END] == WON;
        let mut is_done = scene.time > MAX_TIME;
        if !is_done && ball[2] < DROPPED {
            scene.shown_time.set(MAX_TIME);
            is_done = true;
        }
        is_done |= is_solved;
        let turns: Vec<_> = orientation.iter().zip(ORIENTATION).map(|(part, wanted)| part - wanted).collect();
        let reach = exp(-length(&approach));
        let palm = exp(-5.0 * length(&sub(data.site(bound.palm), paddle)));
        let orientation = exp(-5.0 * length(&turns));
        let upright = exp(-5.0 * data.qpos()[bound.torso].abs());
        rewards.add(&[reach, palm, orientation, upright, -scene.effort]);
        Ok(Outcome { sparse: touching[PADDLE], is_solved, is_done })
    }
}
