//! Pendulum: swing a pendulum upright with a motor too weak to lift it.
//!
//! `Pendulum-v1` follows gymnasium 1.4.0, `classic_control/pendulum.py`. `Pendulum-v0` follows gym 0.20.0, the last release
//! that had this version.
//!
//! The types of numbers decide how results are rounded. Angle and velocity are float64; the torque and its products with Python
//! floats are float32. `**` of numpy scalars calls the C library's `pow`.

use std::f64::consts::{FRAC_PI_2, PI, TAU};

use super::positive;
use envpool_rs_engine::{
    Dtype, EnvPoolClass, EnvPoolOption, EnvSpec, Error, Frame, Kernel, OptionSpec, Options, RenderSpec, ResetOptions, Result,
    Space, Task,
};
use envpool_rs_numeric::math::{pow2, pow2_f32, remainder, sin, sin_cos_rounded};
use envpool_rs_numeric::random::Generator;
use envpool_rs_pictures::into_picture;
use envpool_rs_pictures::raster::{BLACK, Canvas, Color, Point, WHITE, rotate};

const MAX_SPEED: f64 = 8.0;
const MAX_TORQUE: f32 = 2.0;
/// Duration of a step, in seconds.
const TIME_STEP: f64 = 0.05;
/// Default bounds of angle and angular velocity after a reset.
const RESET_BOUNDS: [(&str, f64); 2] = [("x_init", PI), ("y_init", 1.0)];

/// `Pendulum-v0` (`VERSION` 0) and `Pendulum-v1` (`VERSION` 1).
///
/// - State: angle from upright in rad, angular velocity in rad/s.
/// - Observation (float32): cosine and sine of the angle, angular velocity.
/// - Action: torque in `[-2, 2]` N m, float32 of shape `(1,)`; torques out of range are clipped.
/// - Reward: `-(angle² + 0.1 * velocity² + 0.001 * torque²)` of the state before the step, with the angle normalized to -π..π.
/// - Never terminates.
/// - Reset options: `x_init` and `y_init`, the bounds of the absolute initial angle and velocity.
///
/// Version 0 integrates the angle with the velocity that is not yet clipped to 8 rad/s, and computes `-sin(angle + π)` instead
/// of version 1's `sin(angle)`. It follows gym 0.20 under numpy 2, except for gym's seeding (a legacy `RandomState` without
/// reset options). The initial states of both versions are those that gymnasium 1.4.0 draws.
#[derive(Debug, Clone)]
pub struct Pendulum<const VERSION: u8> {
    /// Angular acceleration by gravity at a horizontal rod, `3 * g / (2 * l)`.
    pull: f64,
    /// Angular acceleration by a torque of 1 N m, `3 / (m * l**2)`.
    push: f32,
}

impl<const VERSION: u8> Kernel for Pendulum<VERSION> {
    type Action = f32;
    /// State of `W` lanes (one environment each): angle, angular velocity, and the last torque (0 after a reset), which is used
    /// only for rendering.
    type Fields<const W: usize> = [[f64; W]; 3];
    type Observation<const W: usize> = [[f32; W]; 3];
    const RESET_OPTIONS: &'static [&'static str] = &["x_init", "y_init"];

    fn options() -> Vec<OptionSpec> {
        vec![
            OptionSpec::new("g", 10.0, "gravity in m/s²").per_episode(),
            positive("m", 1.0, "mass of the rod in kg"),
            positive("l", 1.0, "length of the rod in m"),
        ]
    }

    fn new(options: &Options) -> Result<Self> {
        let [gravity, mass, length] = ["g", "m", "l"].map(|name| options.float(name));
        let [square] = pow2(&[length]);
        // numpy rounds the Python float to the torque's float32.
        Ok(Self { pull: 3.0 * gravity / (2.0 * length), push: (3.0 / (mass * square)) as f32 })
    }

    fn spec(&self) -> EnvSpec {
        let high = [1.0, 1.0, MAX_SPEED];
        let torque = f64::from(MAX_TORQUE);
        EnvSpec::new(Space::vector(&high.map(|high| -high), &high), Space::uniform(-torque, torque, &[1], Dtype::F32))
    }

    fn check_reset(&self, options: &ResetOptions) -> Result<()> {
        for (name, default) in RESET_BOUNDS {
            let bound = options.get_or(name, default);
            if !(bound >= 0.0 && (2.0 * bound).is_finite()) {
                return Err(Error::value(name, format!("{bound:?}"), "a finite number of at least 0"));
            }
        }
        Ok(())
    }

    fn reset(&self, fields: &mut [f64], options: &ResetOptions, rng: &mut Generator) {
        for (field, (name, default)) in fields.iter_mut().zip(RESET_BOUNDS) {
            let bound = options.get_or(name, default);
            *field = rng.uniform(-bound, bound);
        }
        fields[2] = 0.0;
    }

    #[inline(always)]
    fn step<const W: usize>(
        &self,
        fields: &mut [[f64; W]],
        action: &[f32; W],
        reward: &mut [f64; W],
        terminated: &mut [bool; W],
    ) {
        let [angle, velocity, last_torque] = fields else { unreachable!("Pendulum has three fields") };
        let torque = action.map(|torque| torque.clamp(-MAX_TORQUE, MAX_TORQUE));
        *reward = costs(angle, velocity, &torque).map(|cost| -cost);
        let pull = self.gravity_acceleration(angle);
        for i in 0..W {
            let moved = velocity[i] + (pull[i] + f64::from(self.push * torque[i])) * TIME_STEP;
            velocity[i] = moved.clamp(-MAX_SPEED, MAX_SPEED);
            angle[i] += if VERSION == 0 { moved } else { velocity[i] } * TIME_STEP;
            last_torque[i] = f64::from(torque[i]);
            terminated[i] = false;
        }
    }

    #[inline(always)]
    fn observe<const W: usize>(&self, fields: &[[f64; W]], out: &mut [[f32; W]]) {
        let (sin, cos) = sin_cos_rounded(&fields[0]);
        out.copy_from_slice(&[cos, sin, fields[1].map(|velocity| velocity as f32)]);
    }

    fn render_spec(&self) -> RenderSpec {
        RenderSpec::with_frame_size(500, 500, 30)
    }

    fn render_frame(&self, fields: &[f64], size: (u32, u32)) -> Frame {
        const SCALE: f64 = 500.0 / 4.4;
        const ROD: Color = Color::rgb(204, 77, 77);
        const MIDDLE: Point = (250.0, 250.0);
        let (angle, half) = (fields[0] + FRAC_PI_2, 0.1 * SCALE);
        let mut canvas = Canvas::y_up((500, 500), size, WHITE);
        canvas.polygon(&rotate(&[(0.0, -half), (0.0, half), (SCALE, half), (SCALE, -half)], angle, MIDDLE), ROD);
        for end in rotate(&[(0.0, 0.0), (SCALE, 0.0)], angle, MIDDLE) {
            canvas.circle(end, half, ROD);
        }
        draw_torque(&mut canvas, MIDDLE, fields[2], SCALE / 2.0);
        canvas.circle(MIDDLE, 0.05 * SCALE, BLACK);
        into_picture(canvas)
    }
}

/// Draws the torque as three quarters of a circle with an arrow head; its size is proportional to the torque's magnitude.
fn draw_torque(canvas: &mut Canvas, middle: Point, torque: f64, scale: f64) {
    let size = torque.abs() * scale;
    let direction = torque.signum();
    let at = |angle: f64, radius: f64| (middle.0 - direction * radius * angle.sin(), middle.1 + radius * angle.cos());
    let arc: Vec<_> = (0..=36).map(|k| at(f64::from(k) / 36.0 * 1.5 * PI, 0.47 * size)).collect();
    canvas.lines(&arc, 0.03 * size, BLACK);
    let tip = at(1.56 * PI, 0.47 * size);
    canvas.polygon(&[tip, at(1.45 * PI, 0.53 * size), at(1.45 * PI, 0.41 * size)], BLACK);
}

impl<const VERSION: u8> Pendulum<VERSION> {
    /// Returns the angular acceleration that gravity causes, in rad/s².
    #[inline(always)]
    fn gravity_acceleration<const W: usize>(&self, angle: &[f64; W]) -> [f64; W] {
        if VERSION == 0 {
            sin(&angle.map(|angle| angle + PI)).map(|sin| -self.pull * sin)
        } else {
            sin(angle).map(|sin| self.pull * sin)
        }
    }
}

/// Returns the cost `angle_normalize(angle)**2 + 0.1 * velocity**2 + 0.001 * torque**2`, with the last product in float32.
#[inline(always)]
fn costs<const W: usize>(angle: &[f64; W], velocity: &[f64; W], torque: &[f32; W]) -> [f64; W] {
    let turned = remainder(&angle.map(|angle| angle + PI), TAU);
    let (angle, velocity, torque) = (pow2(&turned.map(|angle| angle - PI)), pow2(velocity), pow2_f32(torque));
    let mut cost = [0.0; W];
    for i in 0..W {
        cost[i] = angle[i] + 0.1 * velocity[i] + f64::from(0.001_f32 * torque[i]);
    }
    cost
}

/// Class of the tasks in EnvPool.
static CLASS: EnvPoolClass = EnvPoolClass::new("classic_control", "Pendulum", "Pendulum-v0").making("Pendulum-v1");

/// Returns EnvPool's option that selects the task.
const fn version(default: i64) -> EnvPoolOption {
    EnvPoolOption {
        name: "version",
        default,
        allowed: "0 or 1",
        doc: "EnvPool's name for the task: 0 is Pendulum-v0, 1 is Pendulum-v1",
        tasks: &["Pendulum-v0", "Pendulum-v1"],
    }
}

/// Returns the tasks `Pendulum-v0` and `Pendulum-v1`.
pub fn tasks() -> Vec<Task> {
    let task = |task: Task, options| task.envpool_class(&CLASS).envpool_options(options).max_episode_steps(200);
    vec![
        task(Task::kernel::<Pendulum<0>>("Pendulum-v0"), const { &[version(0)] }),
        task(Task::kernel::<Pendulum<1>>("Pendulum-v1"), const { &[version(1)] }),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::classic_control::golden;

    #[test]
    fn pendulum_equals_gymnasiums() {
        golden::replay::<Pendulum<1>>("Pendulum-v1");
    }

    #[test]
    fn pendulum_with_other_gravity_equals_gymnasiums() {
        golden::replay::<Pendulum<1>>("Pendulum-v1-g");
    }

    #[test]
    fn pendulum_version_0_equals_gyms() {
        golden::replay::<Pendulum<0>>("Pendulum-v0");
    }

    #[test]
    fn bounds_that_are_negative_or_infinite_are_refused() {
        golden::refuses::<Pendulum<1>>(&[("x_init", -0.1)]);
        golden::refuses::<Pendulum<1>>(&[("y_init", f64::NAN)]);
        golden::refuses::<Pendulum<1>>(&[("y_init", 1e308)]);
    }
}
