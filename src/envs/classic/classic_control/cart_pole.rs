//! CartPole: balance a pole on a cart by pushing the cart left or right.
//!
//! Follows gymnasium 1.4.0, `classic_control/cartpole.py`, which follows Barto, Sutton and Anderson (1983).
//!
//! The state is always float64. `np.square` multiplies a number by itself; `np.sin` and `np.cos` of float64 call the C library.

use super::{check_bounds, physical, positive};
use envpool_rs_engine::{
    EnvPoolClass, EnvSpec, Frame, Kernel, OptionSpec, Options, RenderSpec, ResetOptions, Result, Space, Task,
};
use envpool_rs_numeric::math::sin_cos_near_zero;
use envpool_rs_numeric::random::Generator;
use envpool_rs_pictures::into_picture;
use envpool_rs_pictures::raster::{BLACK, Canvas, Color, WHITE, rotate};

/// Duration of a step, in seconds.
const TAU: f64 = 0.02;
/// Distance from the middle of the track beyond which an episode ends, in m.
const X_THRESHOLD: f64 = 2.4;
/// Angle from upright beyond which an episode ends, in rad: 12 degrees.
const THETA_THRESHOLD: f64 = 12.0 * 2.0 * std::f64::consts::PI / 360.0;
/// Default bounds of each element of the initial state.
const RESET_BOUNDS: (f64, f64) = (-0.05, 0.05);

/// `CartPole-v0` and `CartPole-v1`, which differ in their time limits.
///
/// - State and observation (float32): position in m, velocity in m/s, angle in rad, angular velocity in rad/s.
/// - Action: 0 pushes left, 1 pushes right.
/// - Reward: 1 for every step; with `sutton_barto_reward`, -1 for the step that ends the episode, 0 for every other step.
/// - Terminates beyond 2.4 m or 12 degrees.
/// - Reset options: `low` and `high`, the bounds of each number of the initial state.
/// - Options `gravity`, `masscart`, `masspole`, `length`, `force_mag`: attributes of the reference, from which its constructor
///   computes `total_mass` and `polemass_length`.
#[derive(Debug, Clone)]
pub struct CartPole {
    sutton_barto_reward: bool,
    /// Gravitational acceleration, in m/s².
    gravity: f64,
    /// Mass of the pole, in kg.
    masspole: f64,
    /// Mass of cart and pole together, in kg.
    total_mass: f64,
    /// Half the pole's length, in m.
    length: f64,
    polemass_length: f64,
    /// Force of a push on the cart, in N.
    force_mag: f64,
}

impl Kernel for CartPole {
    type Action = i32;
    type Fields<const W: usize> = [[f64; W]; 4];
    type Observation<const W: usize> = [[f32; W]; 4];
    const RESET_OPTIONS: &'static [&'static str] = &["low", "high"];

    fn options() -> Vec<OptionSpec> {
        vec![
            OptionSpec::new("sutton_barto_reward", false, "reward 0 per step and -1 for the last, instead of 1 per step")
                .per_episode(),
            physical("gravity", 9.8, "gravitational acceleration in m/s²"),
            positive("masscart", 1.0, "mass of the cart in kg"),
            positive("masspole", 0.1, "mass of the pole in kg"),
            positive("length", 0.5, "half the pole's length in m"),
            physical("force_mag", 10.0, "force of a push in N"),
        ]
    }

    fn new(options: &Options) -> Result<Self> {
        let [gravity, masscart, masspole, length, force_mag] =
            ["gravity", "masscart", "masspole", "length", "force_mag"].map(|name| options.float(name));
        Ok(Self {
            sutton_barto_reward: options.bool("sutton_barto_reward"),
            gravity,
            masspole,
            total_mass: masspole + masscart,
            length,
            polemass_length: masspole * length,
            force_mag,
        })
    }

    fn spec(&self) -> EnvSpec {
        let high = [X_THRESHOLD * 2.0, f64::INFINITY, THETA_THRESHOLD * 2.0, f64::INFINITY];
        EnvSpec::new(Space::vector(&high.map(|high| -high), &high), Space::discrete(2))
    }

    fn check_reset(&self, options: &ResetOptions) -> Result<()> {
        check_bounds(options, RESET_BOUNDS.0, RESET_BOUNDS.1)
    }

    fn reset(&self, fields: &mut [f64], options: &ResetOptions, rng: &mut Generator) {
        let (low, high) = (options.get_or("low", RESET_BOUNDS.0), options.get_or("high", RESET_BOUNDS.1));
        fields.fill_with(|| rng.uniform(low, high));
    }

    #[inline(always)]
    fn step<const W: usize>(
        &self,
        fields: &mut [[f64; W]],
        action: &[i32; W],
        reward: &mut [f64; W],
        terminated: &mut [bool; W],
    ) {
        let [x, x_dot, theta, theta_dot] = fields else { unreachable!("CartPole has four fields") };
        let (sin, cos) = sin_cos_near_zero(theta);
        let last_reward = if self.sutton_barto_reward { -1.0 } else { 1.0 };
        let other_reward = if self.sutton_barto_reward { 0.0 } else { 1.0 };
        for i in 0..W {
            let force = if action[i] == 1 { self.force_mag } else { -self.force_mag };
            let (x_acceleration, theta_acceleration) = self.accelerations(force, theta_dot[i], sin[i], cos[i]);
            x[i] += TAU * x_dot[i];
            x_dot[i] += TAU * x_acceleration;
            theta[i] += TAU * theta_dot[i];
            theta_dot[i] += TAU * theta_acceleration;
            terminated[i] =
                (x[i] < -X_THRESHOLD) | (x[i] > X_THRESHOLD) | (theta[i] < -THETA_THRESHOLD) | (theta[i] > THETA_THRESHOLD);
            reward[i] = if terminated[i] { last_reward } else { other_reward };
        }
    }

    fn render_spec(&self) -> RenderSpec {
        RenderSpec::with_frame_size(600, 400, 50)
    }

    fn render_frame(&self, fields: &[f64], size: (u32, u32)) -> Frame {
        const PIXELS_PER_METRE: f64 = 600.0 / (2.0 * X_THRESHOLD);
        const POLE: Color = Color::rgb(202, 152, 101);
        const AXLE: Color = Color::rgb(129, 132, 203);
        let (x, theta) = (fields[0] * PIXELS_PER_METRE + 300.0, fields[2]);
        let axle = (x, 107.5);
        let pole_end = PIXELS_PER_METRE * 2.0 * self.length - 5.0;
        let mut canvas = Canvas::y_up((600, 400), size, WHITE);
        canvas.rectangle((x - 25.0, 85.0), (50.0, 30.0), BLACK);
        canvas.polygon(&rotate(&[(-5.0, -5.0), (-5.0, pole_end), (5.0, pole_end), (5.0, -5.0)], -theta, axle), POLE);
        canvas.circle(axle, 5.0, AXLE);
        canvas.rectangle((0.0, 100.0), (600.0, 1.0), BLACK);
        into_picture(canvas)
    }
}

impl CartPole {
    /// Returns the acceleration of the cart in m/s² and the angular acceleration of the pole in rad/s².
    #[inline(always)]
    fn accelerations(&self, force: f64, theta_dot: f64, sin: f64, cos: f64) -> (f64, f64) {
        let Self { gravity, masspole, total_mass, length, polemass_length, .. } = self;
        let pushed = (force + polemass_length * (theta_dot * theta_dot) * sin) / total_mass;
        let theta_acceleration = (gravity * sin - cos * pushed) / (length * (4.0 / 3.0 - masspole * (cos * cos) / total_mass));
        (pushed - polemass_length * theta_acceleration * cos / total_mass, theta_acceleration)
    }
}

/// Class of the tasks in EnvPool.
static CLASS: EnvPoolClass = EnvPoolClass::new("classic_control", "CartPole", "CartPole-v0").making("CartPole-v1");

/// Returns the tasks `CartPole-v0` and `CartPole-v1`.
pub fn tasks() -> Vec<Task> {
    vec![
        Task::kernel::<CartPole>("CartPole-v0").envpool_class(&CLASS).max_episode_steps(200).reward_threshold(195.0),
        Task::kernel::<CartPole>("CartPole-v1").envpool_class(&CLASS).max_episode_steps(500).reward_threshold(475.0),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::classic_control::golden;

    #[test]
    fn cart_pole_equals_gymnasiums() {
        golden::replay::<CartPole>("CartPole-v1");
    }

    #[test]
    fn cart_pole_with_sutton_barto_rewards_equals_gymnasiums() {
        golden::replay::<CartPole>("CartPole-v1-sutton_barto_reward");
    }

    #[test]
    fn bounds_without_a_finite_range_are_refused() {
        golden::refuses::<CartPole>(&[("low", 0.1)]);
        golden::refuses::<CartPole>(&[("high", f64::NAN)]);
        golden::refuses::<CartPole>(&[("low", -1e308), ("high", 1e308)]);
    }
}
