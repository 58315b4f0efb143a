//! Tasks in which a hand turns two balls (`BaodingEnvV1`).

use std::f64::consts::PI;

use super::task::{
    Class, Late, ModelSpec, Outcome, Rules, Scene, changes_of, choice, interval, interval_of, length, list, open_hand,
};
use crate::names::{Names, bound};
use crate::robot::{Range, Writer, number};
use crate::vector::sub;
use envpool_rs_engine::{Error, OptionSpec, Options, Result};
use envpool_rs_numeric::numpy_ufuncs::{cos, sin};
use envpool_rs_numeric::random::Generator;
use envpool_rs_sim_mujoco::model_overrides::{BODY_MASS, GEOM_FRICTION, GEOM_SIZE, SITE_POS};
use envpool_rs_sim_mujoco::{Data, Fault};

/// Number of positions of a ball.
const BALL: usize = 7;
/// Middle of the targets' ellipse in the palm's frame, in metres.
const CENTER: [f64; 2] = [-0.0125, -0.07];
/// Angle in radians at which the first ball's target starts.
const START: f64 = PI / 4.0;
/// Period in seconds of the targets before the first episode.
const FIRST_PERIOD: f64 = 6.0;
/// Least bound of a period in seconds, in absolute value, by which a time in an episode can be divided.
const SHORTEST: f64 = 1e-300;
/// Number of tasks: hold the balls, turn them clockwise, turn them counterclockwise.
const TASKS: usize = 3;
/// The last one, unless it is drawn.
const COUNTERCLOCKWISE: usize = 2;

/// Arguments of a task.
pub struct Baoding {
    /// Interval of the period in seconds in which the targets turn.
    pub period: Range,
    /// Intervals of the half axes of the targets' ellipse in metres.
    pub radii: [Range; 2],
    /// Height in metres below which a ball has dropped.
    pub drop_th: f64,
    /// Distance in metres of each ball from its target below which the task is solved.
    pub proximity_th: f64,
    /// Properties of the balls that episodes draw, if any.
    pub balls: Option<Balls>,
    /// Whether episodes draw the direction in which the balls turn, and the first angle: `random` or `fixed`.
    pub choice: &'static str,
}

/// Intervals of the balls' properties.
pub struct Balls {
    /// Radius in metres.
    pub size: Range,
    /// Mass in kg.
    pub mass: Range,
    /// Largest changes of the coefficients of friction.
    pub friction_change: [f64; 3],
}

impl Class for Baoding {
    fn options(&self) -> Vec<OptionSpec> {
        let [x, y] = self.radii;
        let mut options = vec![
            interval("goal_time_period", self.period, "interval of the period in seconds in which the targets turn"),
            interval("goal_xrange", x, "interval of the half axis along x of the targets' ellipse in metres"),
            interval("goal_yrange", y, "interval of the half axis along y of the targets' ellipse in metres"),
            number("drop_th", self.drop_th, "height in metres below which a ball has dropped, which ends an episode"),
            number("proximity_th", self.proximity_th, "distance in metres from its target below which a ball is there"),
            choice(
                "task_choice",
                self.choice,
                &["fixed", "random"],
                "whether episodes draw how the targets turn, and where they start",
            ),
        ];
        if let Some(Balls { size, mass, friction_change }) = &self.balls {
            options.extend([
                interval("obj_size_range", *size, "interval of the balls' radii in metres"),
                interval("obj_mass_range", *mass, "interval of the balls' masses in kg"),
                list("obj_friction_change", friction_change, "largest changes of the balls' coefficients of friction"),
            ]);
        }
        options
    }

    fn reward_keys(&self) -> &'static [&'static str] {
        &["pos_dist_1", "pos_dist_2", "act_reg"]
    }

    fn weights(&self) -> Vec<(&'static str, f64)> {
        vec![("pos_dist_1", 5.0), ("pos_dist_2", 5.0)]
    }

    fn observed(&self, model: &ModelSpec) -> usize {
        model.nq - 2 * BALL + 24
    }

    fn goal_len(&self, _model: &ModelSpec) -> usize {
        GOAL_LEN
    }

    fn shaped(&self) -> &'static [&'static str] {
        if self.balls.is_some() { &["ball1", "ball2"] } else { &[] }
    }

    fn create(&'static self, options: &Options) -> Result<Box<dyn Rules>> {
        const PERIOD: &str = "goal_time_period";
        let period = interval_of(options, PERIOD)?;
        if [period.low, period.high].iter().any(|bound| bound.abs() < SHORTEST) {
            return Err(Error::value(PERIOD, options.get(PERIOD), "bounds other than 0, by which the package divides"));
        }
        let balls = self.balls.as_ref().map(|_| -> Result<_> {
            let [size, mass] = ["obj_size_range", "obj_mass_range"].map(|name| interval_of(options, name));
            Ok(Balls { size: size?, mass: mass?, friction_change: changes_of(options, "obj_friction_change")? })
        });
        let task = Self {
            period,
            radii: [interval_of(options, "goal_xrange")?, interval_of(options, "goal_yrange")?],
            drop_th: options.float("drop_th"),
            proximity_th: options.float("proximity_th"),
            balls: balls.transpose()?,
            choice: if options.text("task_choice") == Some("random") { "random" } else { "fixed" },
        };
        Ok(Box::new(BaodingRules { task, bound: Late::NONE }))
    }
}

struct BaodingRules {
    task: Baoding,
    bound: Late<Bound>,
}

bound! {
    /// Ids of the model's objects.
    struct Bound {
        first_body: body("ball1"),
        second_body: body("ball2"),
        first_shape: geom("ball1"),
        second_shape: geom("ball2"),
        first: site("ball1_site"),
        second: site("ball2_site"),
        first_target: site("target1_site"),
        second_target: site("target2_site");
        /// Friction of the first ball.
        friction: [f64; 3],
    }
}

/// Number of values of a [`Path`].
const GOAL_LEN: usize = 10;

/// Path of the targets, which is an episode's goal. A reset leaves the targets where they are until the first step.
struct Path {
    /// Direction: 0, -1 or 1.
    sign: f64,
    /// Angle at which the first ball's target starts.
    start: f64,
    radii: [f64; 2],
    period: f64,
    /// Number of steps of the episode, -1 before the start.
    steps: f64,
    /// Coordinates of the targets in the palm's frame.
    targets: [f64; 4],
}

impl Path {
    fn read(goal: &[f64]) -> Self {
        let [sign, start, x, y, period, steps, ref targets @ ..] = *goal else { unreachable!("it has `GOAL_LEN` values") };
        Self { sign, start, radii: [x, y], period, steps, targets: targets.try_into().expect("four coordinates") }
    }

    fn write(&self, goal: &mut [f64]) {
        let [x, y] = self.radii;
        goal[..6].copy_from_slice(&[self.sign, self.start, x, y, self.period, self.steps]);
        goal[6..].copy_from_slice(&self.targets);
    }

    /// Moves the targets to their places `steps` steps after the start.
    fn turn(&mut self, steps: f64, seconds: f64) {
        let turned = self.sign * 2.0 * PI * (steps * seconds / self.period);
        let angles = [turned + self.start, turned + (self.start - PI)];
        let place = |angle: f64| [self.radii[0] * cos(angle) + CENTER[0], self.radii[1] * sin(angle) + CENTER[1]];
        let [first, second] = angles.map(place);
        self.targets = [first[0], first[1], second[0], second[1]];
    }
}

impl Rules for BaodingRules {
    fn bind(&mut self, names: Names<'_>, start: &mut [f64]) -> Result<()> {
        let ball = names.geom("ball1")?;
        let friction = names.0.array(GEOM_FRICTION)[3 * ball..][..3].try_into().expect("three coefficients");
        self.bound = Bound::bind(names, friction)?.into();
        open_hand(start, 2 * BALL, -1.57);
        Ok(())
    }

    fn draw_at_creation(&self, goal: &mut [f64], random: &mut Generator) {
        let task = if self.task.choice == "random" { random.choice(TASKS) } else { COUNTERCLOCKWISE };
        let radii = self.task.radii.map(|range| random.uniform(range.low, range.high));
        let (period, steps, targets) = (FIRST_PERIOD, -1.0, [0.0; 4]);
        let mut path = Path { sign: sign(task), start: START, radii, period, steps, targets };
        path.turn(0.0, 1.0);
        path.write(goal);
    }

    fn start(&self, data: &mut Data, goal: &mut [f64], random: &mut Generator) -> Result<(), Fault> {
        let (task, bound) = (&self.task, &*self.bound);
        let mut path = Path::read(goal);
        if task.choice == "random" {
            path.sign = sign(random.choice(TASKS));
            path.start = random.uniform(0.0, 2.0 * PI);
        }
        let mut draw = |range: Range| random.uniform(range.low, range.high);
        path.radii = task.radii.map(&mut draw);
        path.period = draw(task.period);
        path.steps = -1.0;
        path.write(goal);
        if let Some(Balls { size, mass, friction_change }) = &task.balls {
            for ball in [bound.first_body, bound.second_body] {
                data.model_array_mut(BODY_MASS)[ball] = draw(*mass);
            }
            let shapes = [bound.first_shape, bound.second_shape];
            for shape in shapes {
                for (kind, (value, by)) in bound.friction.iter().zip(friction_change).enumerate() {
                    data.model_array_mut(GEOM_FRICTION)[3 * shape + kind] = draw(Range { low: value - by, high: value + by });
                }
            }
            for shape in shapes {
                let radius = draw(*size);
                data.model_array_mut(GEOM_SIZE)[3 * shape..][..3].fill(radius);
            }
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
        let bound = &*self.bound;
        let mut path = Path::read(goal);
        if path.steps >= 0.0 {
            path.turn(path.steps, scene.seconds);
        }
        path.steps += 1.0;
        path.write(goal);
        let targets = [bound.first_target, bound.second_target];
        for (target, place) in targets.iter().zip(path.targets.chunks(2)) {
            data.model_array_mut(SITE_POS)[3 * target..][..2].copy_from_slice(place);
        }
        data.kinematics()?;
        let [balls, targets] = [[bound.first, bound.second], targets].map(|sites| sites.map(|site| data.site(site)));
        let errors = [sub(targets[0], balls[0]), sub(targets[1], balls[1])];
        frame.add(&data.qpos()[..data.qpos().len() - 2 * BALL]);
        for (ball, place) in balls.iter().enumerate() {
            frame.add(place);
            let first = data.qvel().len() - 6 * (2 - ball);
            frame.add_mapped(&data.qvel()[first..first + 3], |velocity| velocity * scene.seconds);
        }
        frame.add(targets.as_flattened());
        frame.add(errors.as_flattened());
        let [one, other] = errors.map(|error| length(&error));
        let is_done = balls.iter().any(|ball| ball[2] < self.task.drop_th);
        rewards.add(&[-one, -other, -scene.effort]);
        let is_solved = [one, other].iter().all(|distance| *distance < self.task.proximity_th) && !is_done;
        Ok(Outcome { sparse: -(one + other), is_solved, is_done })
    }
}

/// Returns the direction in which the balls turn in a task.
fn sign(task: usize) -> f64 {
    [0.0, -1.0, 1.0][task]
}
