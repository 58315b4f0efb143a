//! MountainCar: drive an underpowered car up a hill by swinging back and forth.
//!
//! Follows gymnasium 1.4.0, `classic_control/mountain_car.py`, which follows Moore (1990).
//!
//! The state is always float64; `math.cos` calls the C library.

use super::mountain_car_picture::{self, MAX_POSITION, MIN_POSITION};
use super::{check_bounds, physical};
use envpool_rs_engine::{
    EnvPoolClass, EnvSpec, Frame, Kernel, OptionSpec, Options, RenderSpec, ResetOptions, Result, Space, Task,
};
use envpool_rs_numeric::math::cos;
use envpool_rs_numeric::random::Generator;

const MAX_SPEED: f64 = 0.07;
const GOAL_POSITION: f64 = 0.5;
/// Default bounds of the initial position.
const RESET_BOUNDS: (f64, f64) = (-0.6, -0.4);

/// `MountainCar-v0`.
///
/// - State and observation (float32): position and velocity.
/// - Action: 0 accelerates to the left, 1 not at all, 2 to the right.
/// - Reward: -1 for every step.
/// - Terminates at positions of at least 0.5 with a velocity of at least `goal_velocity`.
/// - Reset options: `low` and `high`, the bounds of the initial position.
#[derive(Debug, Clone)]
pub struct MountainCar {
    goal_velocity: f64,
    force: f64,
    gravity: f64,
}

impl Kernel for MountainCar {
    type Action = i32;
    type Fields<const W: usize> = [[f64; W]; 2];
    type Observation<const W: usize> = [[f32; W]; 2];
    const RESET_OPTIONS: &'static [&'static str] = &["low", "high"];

    fn options() -> Vec<OptionSpec> {
        vec![
            physical("goal_velocity", 0.0, "velocity needed at the goal, per step"),
            physical("force", 0.001, "acceleration by the engine, per step²"),
            physical("gravity", 0.0025, "acceleration by gravity on a slope of 45 degrees, per step²"),
        ]
    }

    fn new(options: &Options) -> Result<Self> {
        let [goal_velocity, force, gravity] = ["goal_velocity", "force", "gravity"].map(|name| options.float(name));
        Ok(Self { goal_velocity, force, gravity })
    }

    fn spec(&self) -> EnvSpec {
        EnvSpec::new(Space::vector(&[MIN_POSITION, -MAX_SPEED], &[MAX_POSITION, MAX_SPEED]), Space::discrete(3))
    }

    fn check_reset(&self, options: &ResetOptions) -> Result<()> {
        check_bounds(options, RESET_BOUNDS.0, RESET_BOUNDS.1)
    }

    fn reset(&self, fields: &mut [f64], options: &ResetOptions, rng: &mut Generator) {
        let (low, high) = (options.get_or("low", RESET_BOUNDS.0), options.get_or("high", RESET_BOUNDS.1));
        fields.copy_from_slice(&[rng.uniform(low, high), 0.0]);
    }

    #[inline(always)]
    fn step<const W: usize>(
        &self,
        fields: &mut [[f64; W]],
        action: &[i32; W],
        reward: &mut [f64; W],
        terminated: &mut [bool; W],
    ) {
        let [position, velocity] = fields else { unreachable!("MountainCar has two fields") };
        let slope = cos(&position.map(|position| 3.0 * position));
        for i in 0..W {
            let push = f64::from(action[i] - 1) * self.force;
            let speed = clip(velocity[i] + (push + slope[i] * -self.gravity), -MAX_SPEED, MAX_SPEED);
            position[i] = clip(position[i] + speed, MIN_POSITION, MAX_POSITION);
            velocity[i] = if (position[i] == MIN_POSITION) & (speed < 0.0) { 0.0 } else { speed };
            terminated[i] = (position[i] >= GOAL_POSITION) & (velocity[i] >= self.goal_velocity);
            reward[i] = -1.0;
        }
    }

    fn render_spec(&self) -> RenderSpec {
        mountain_car_picture::RENDERING
    }

    fn render_frame(&self, fields: &[f64], size: (u32, u32)) -> Frame {
        mountain_car_picture::picture(fields[0], GOAL_POSITION, size)
    }
}

/// Limits a number to `low..=high`, as `np.clip(value, low, high)` does.
#[inline(always)]
fn clip(value: f64, low: f64, high: f64) -> f64 {
    let value = if value < low { low } else { value };
    if value > high { high } else { value }
}

/// Class of the tasks in EnvPool.
static CLASS: EnvPoolClass = EnvPoolClass::new("classic_control", "MountainCar", "MountainCar-v0");

/// Returns the task `MountainCar-v0`.
pub fn tasks() -> Vec<Task> {
    vec![Task::kernel::<MountainCar>("MountainCar-v0").envpool_class(&CLASS).max_episode_steps(200).reward_threshold(-110.0)]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::classic_control::golden;

    #[test]
    fn mountain_car_equals_gymnasiums() {
        golden::replay::<MountainCar>("MountainCar-v0");
    }

    #[test]
    fn mountain_car_with_a_goal_velocity_equals_gymnasiums() {
        golden::replay::<MountainCar>("MountainCar-v0-goal_velocity");
    }

    #[test]
    fn bounds_without_a_finite_range_are_refused() {
        golden::refuses::<MountainCar>(&[("low", 0.1)]);
        golden::refuses::<MountainCar>(&[("high", f64::INFINITY)]);
    }
}
