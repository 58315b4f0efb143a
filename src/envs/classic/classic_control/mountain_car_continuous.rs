//! MountainCarContinuous: the mountain car with a continuous throttle.
//!
//! Follows gymnasium 1.4.0, `classic_control/continuous_mountain_car.py`.
//!
//! The types of numbers decide how results are rounded. The state is float64 in the first step of an episode and float32
//! afterwards; the throttle is float32. A velocity or position that is clipped to its limit becomes a Python float. A Python
//! float has float64 precision, but numpy converts it to float32 in an operation with a float32. The step computes both cases
//! and selects one.

use super::{check_bounds, mountain_car_picture, physical};
use envpool_rs_engine::{
    Dtype, EnvPoolClass, EnvSpec, Frame, Kernel, OptionSpec, Options, RenderSpec, ResetOptions, Result, Space, Task,
};
use envpool_rs_numeric::math::cos;
use envpool_rs_numeric::random::Generator;

const MAX_ACTION: f64 = 1.0;
const MIN_POSITION: f64 = -1.2;
const MAX_POSITION: f64 = 0.6;
const MAX_SPEED: f64 = 0.07;
const GOAL_POSITION: f64 = 0.45;
const GRAVITY: f64 = 0.0025;
/// Default bounds of the initial position.
const RESET_BOUNDS: (f64, f64) = (-0.6, -0.4);

/// `MountainCarContinuous-v0`.
///
/// - State and observation (float32): position and velocity.
/// - Action: throttle in `[-1, 1]`, float32 of shape `(1,)`. Throttles out of range are clipped, but the reward uses the
///   unclipped throttle.
/// - Reward: minus a tenth of the throttle's square, plus 100 for reaching the goal.
/// - Terminates at positions of at least 0.45 with a velocity of at least `goal_velocity`.
/// - Reset options: `low` and `high`, the bounds of the initial position.
#[derive(Debug, Clone)]
pub struct MountainCarContinuous {
    goal_velocity: f64,
    power: f64,
}

impl Kernel for MountainCarContinuous {
    type Action = f32;
    /// State of `W` lanes (one environment each): position, velocity, and a flag that is 1 right after a reset (float64 state),
    /// else 0.
    type Fields<const W: usize> = [[f64; W]; 3];
    type Observation<const W: usize> = [[f32; W]; 2];
    const RESET_OPTIONS: &'static [&'static str] = &["low", "high"];

    fn options() -> Vec<OptionSpec> {
        vec![
            physical("goal_velocity", 0.0, "velocity needed at the goal, per step"),
            physical("power", 0.0015, "acceleration by the full throttle, per step²"),
        ]
    }

    fn new(options: &Options) -> Result<Self> {
        Ok(Self { goal_velocity: options.float("goal_velocity"), power: options.float("power") })
    }

    fn spec(&self) -> EnvSpec {
        EnvSpec::new(
            Space::vector(&[MIN_POSITION, -MAX_SPEED], &[MAX_POSITION, MAX_SPEED]),
            Space::uniform(-MAX_ACTION, MAX_ACTION, &[1], Dtype::F32),
        )
    }

    fn check_reset(&self, options: &ResetOptions) -> Result<()> {
        check_bounds(options, RESET_BOUNDS.0, RESET_BOUNDS.1)
    }

    fn reset(&self, fields: &mut [f64], options: &ResetOptions, rng: &mut Generator) {
        let (low, high) = (options.get_or("low", RESET_BOUNDS.0), options.get_or("high", RESET_BOUNDS.1));
        fields.copy_from_slice(&[rng.uniform(low, high), 0.0, 1.0]);
    }

    #[inline(always)]
    fn step<const W: usize>(
        &self,
        fields: &mut [[f64; W]],
        action: &[f32; W],
        reward: &mut [f64; W],
        terminated: &mut [bool; W],
    ) {
        let [position, velocity, first] = fields else { unreachable!("MountainCarContinuous has three fields") };
        let mut angle = [0.0; W];
        for i in 0..W {
            angle[i] = Precision { is_double: first[i] != 0.0 }.round(3.0 * position[i]);
        }
        let slope = cos(&angle);
        for i in 0..W {
            let width = Precision { is_double: first[i] != 0.0 };
            let car = integrate(width, position[i], velocity[i], acceleration(self.power, action[i], slope[i]));
            terminated[i] = car.is_at_goal(width, self.goal_velocity);
            let price = f64::from(action[i]) * f64::from(action[i]) * 0.1;
            reward[i] = if terminated[i] { 100.0 - price } else { 0.0 - price };
            position[i] = f64::from(car.position as f32);
            velocity[i] = f64::from(car.velocity as f32);
            first[i] = 0.0;
        }
    }

    fn render_spec(&self) -> RenderSpec {
        mountain_car_picture::RENDERING
    }

    fn render_frame(&self, fields: &[f64], size: (u32, u32)) -> Frame {
        mountain_car_picture::picture(fields[0], GOAL_POSITION, size)
    }
}

/// Floating-point type in which numpy computes: float64 in an episode's first step, float32 in later steps.
///
/// Sums and products of two float32 numbers are computed in float64 and rounded to float32. A float64 has enough bits (53) that
/// the rounded result equals that of float32 arithmetic.
#[derive(Clone, Copy)]
struct Precision {
    is_double: bool,
}

impl Precision {
    #[inline(always)]
    fn round(self, value: f64) -> f64 {
        if self.is_double { value } else { f64::from(value as f32) }
    }
}

/// Returns the change of velocity that throttle, by its power, and slope cause in one step: a float32 number if the throttle is within its
/// range, else a Python float.
#[inline(always)]
fn acceleration(power: f64, action: f32, slope: f64) -> f64 {
    let pull = GRAVITY * slope;
    let within = f64::from(action * power as f32 - pull as f32);
    let limit = if action > 0.0 { MAX_ACTION } else { -MAX_ACTION };
    let beyond = limit * power - pull;
    if f64::from(action).abs() > MAX_ACTION { beyond } else { within }
}

/// Position and velocity at the end of a step, before rounding to float32.
struct CarState {
    position: f64,
    velocity: f64,
    /// Whether the velocity was clipped, which makes it a Python float.
    velocity_is_python_float: bool,
}

#[inline(always)]
fn integrate(width: Precision, position: f64, velocity: f64, acceleration: f64) -> CarState {
    let velocity = width.round(velocity + width.round(acceleration));
    let too_fast = velocity.abs() > width.round(MAX_SPEED);
    let velocity = if too_fast { MAX_SPEED.copysign(velocity) } else { velocity };
    let position = width.round(position + width.round(velocity));
    let position = if position > width.round(MAX_POSITION) { MAX_POSITION } else { position };
    let stopped = (position <= width.round(MIN_POSITION)) & (velocity < 0.0);
    CarState {
        position: if position < width.round(MIN_POSITION) { MIN_POSITION } else { position },
        velocity: if stopped { 0.0 } else { velocity },
        velocity_is_python_float: too_fast | stopped,
    }
}

impl CarState {
    #[inline(always)]
    fn is_at_goal(&self, width: Precision, goal_velocity: f64) -> bool {
        let goal_velocity = if self.velocity_is_python_float { goal_velocity } else { width.round(goal_velocity) };
        (self.position >= width.round(GOAL_POSITION)) & (self.velocity >= goal_velocity)
    }
}

/// Class of the tasks in EnvPool.
static CLASS: EnvPoolClass = EnvPoolClass::new("classic_control", "MountainCarContinuous", "MountainCarContinuous-v0");

/// Returns the task `MountainCarContinuous-v0`.
pub fn tasks() -> Vec<Task> {
    let task = Task::kernel::<MountainCarContinuous>("MountainCarContinuous-v0").envpool_class(&CLASS);
    vec![task.max_episode_steps(999).reward_threshold(90.0)]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::classic_control::golden;

    #[test]
    fn mountain_car_continuous_equals_gymnasiums() {
        golden::replay::<MountainCarContinuous>("MountainCarContinuous-v0");
    }

    #[test]
    fn mountain_car_continuous_with_a_goal_velocity_equals_gymnasiums() {
        golden::replay::<MountainCarContinuous>("MountainCarContinuous-v0-goal_velocity");
    }

    #[test]
    fn bounds_without_a_finite_range_are_refused() {
        golden::refuses::<MountainCarContinuous>(&[("low", 0.1)]);
        golden::refuses::<MountainCarContinuous>(&[("high", f64::INFINITY)]);
    }
}
