//! Acrobot: swing up a two-link pendulum by torque on the joint between its links.
//!
//! Follows gymnasium 1.4.0, `classic_control/acrobot.py`, which follows Sutton (1996) with the equations of Sutton and Barto's
//! book.
//!
//! Steps integrate the float64 state by one fourth-order Runge-Kutta step. A reset rounds the state to float32. Only the
//! observation of a reset uses numpy's float32 sine and cosine. `**` of numpy scalars calls the C library's `pow`.

use std::f64::consts::{FRAC_PI_2, PI, TAU};

use super::{check_bounds, positive};
use envpool_rs_engine::{
    Dtype, EnvPoolClass, EnvSpec, Frame, InfoSpec, Kernel, OptionSpec, Options, RenderSpec, ResetOptions, Result, Row, Space,
    Task,
};
use envpool_rs_numeric::math::{approximate_sin_cos, cos, numpy_cos_f32, numpy_sin_f32, pow2, sin_cos, sin_cos_rounded};
use envpool_rs_numeric::random::Generator;
use envpool_rs_pictures::into_picture;
use envpool_rs_pictures::raster::{BLACK, Canvas, Color, WHITE, rotate};

/// Duration of a step, in seconds.
const TIME_STEP: f64 = 0.2;
/// Limits of the angular velocities, in rad/s.
const MAX_VELOCITY: [f64; 2] = [4.0 * PI, 9.0 * PI];
const GRAVITY: f64 = 9.8;
/// Names of the physical options: the reference's attributes in lower case.
const ATTRIBUTES: [&str; 6] = ["link_length_1", "link_mass_1", "link_mass_2", "link_com_pos_1", "link_com_pos_2", "link_moi"];
/// Default bounds of each element of the initial state.
const RESET_BOUNDS: (f64, f64) = (-0.1, 0.1);
/// Minimum difference between the tip's height and the goal's height at which approximate cosines suffice to decide the
/// termination, in link lengths.
const HEIGHT_TOLERANCE: f64 = 1e-12;
/// Number of revolutions above which an angle is wrapped by division.
///
/// The reference subtracts one revolution at a time. Above this limit, the reference's loop takes seconds, or does not end
/// because the subtraction no longer changes the angle.
const MAX_REVOLUTIONS: f64 = 1e6;

/// `Acrobot-v1`.
///
/// - State: `theta1`, the angle of the first link from hanging down; `theta2`, the angle of the second link relative to the
///   first, both in rad; their velocities in rad/s.
/// - Observation (float32): cosine and sine of `theta1`, cosine and sine of `theta2`, both angular velocities.
/// - Action: torque on the joint: 0 for -1 N m, 1 for none, 2 for 1 N m.
/// - Reward: -1 for every step, except 0 for the step that reaches the goal.
/// - Terminates when the tip is more than one link above the fixed joint.
/// - Reset options: `low` and `high`, the bounds of each number of the initial state.
/// - Info (EnvPool's only): `state`, both angles.
/// - Options: the reference's attributes `LINK_LENGTH_1` and so on.
#[derive(Debug, Clone)]
pub struct Acrobot {
    /// `m1 * lc1**2`, with the names of the reference's equations.
    inertia_1: f64,
    /// `l1**2 + lc2**2`.
    squares: f64,
    /// `lc2**2`.
    square_2: f64,
    /// `l1 * lc2`.
    arm: f64,
    /// `2 * l1 * lc2`.
    twice_arm: f64,
    mass_2: f64,
    moment: f64,
    /// `m2 * l1 * lc2`.
    mass_arm: f64,
    /// `2 * m2 * l1 * lc2`.
    twice_mass_arm: f64,
    /// `m2 * lc2 * g`.
    weight_2: f64,
    /// `(m1 * lc1 + m2 * l1) * g`.
    weight_1: f64,
    /// `m2 * lc2**2 + I2`.
    inertia_2: f64,
}

impl Kernel for Acrobot {
    type Action = i32;
    /// State of `W` lanes (one environment each): two angles, two angular velocities, and a flag that is 1 right after a reset,
    /// else 0.
    type Fields<const W: usize> = [[f64; W]; 5];
    type Observation<const W: usize> = [[f32; W]; 6];
    const RESET_OPTIONS: &'static [&'static str] = &["low", "high"];

    fn options() -> Vec<OptionSpec> {
        let [length_1, mass_1, mass_2, com_1, com_2, moi] = ATTRIBUTES;
        vec![
            positive(length_1, 1.0, "length of the first link in m"),
            positive(mass_1, 1.0, "mass of the first link in kg"),
            positive(mass_2, 1.0, "mass of the second link in kg"),
            positive(com_1, 0.5, "distance of the first link's centre of mass from its joint in m"),
            positive(com_2, 0.5, "distance of the second link's centre of mass from its joint in m"),
            positive(moi, 1.0, "moment of inertia of each link in kg m²"),
        ]
    }

    fn new(options: &Options) -> Result<Self> {
        let [l1, m1, m2, lc1, lc2, moment] = ATTRIBUTES.map(|name| options.float(name));
        let [l1_squared, lc1_squared, lc2_squared] = pow2(&[l1, lc1, lc2]);
        Ok(Self {
            inertia_1: m1 * lc1_squared,
            squares: l1_squared + lc2_squared,
            square_2: lc2_squared,
            arm: l1 * lc2,
            twice_arm: 2.0 * l1 * lc2,
            mass_2: m2,
            moment,
            mass_arm: m2 * l1 * lc2,
            twice_mass_arm: 2.0 * m2 * l1 * lc2,
            weight_2: m2 * lc2 * GRAVITY,
            weight_1: (m1 * lc1 + m2 * l1) * GRAVITY,
            inertia_2: m2 * lc2_squared + moment,
        })
    }

    fn spec(&self) -> EnvSpec {
        let high = [1.0, 1.0, 1.0, 1.0, MAX_VELOCITY[0], MAX_VELOCITY[1]];
        let state = InfoSpec::new("state", Dtype::F64, &[2]).only_in_envpool();
        EnvSpec { info: vec![state], ..EnvSpec::new(Space::vector(&high.map(|high| -high), &high), Space::discrete(3)) }
    }

    fn check_reset(&self, options: &ResetOptions) -> Result<()> {
        check_bounds(options, RESET_BOUNDS.0, RESET_BOUNDS.1)
    }

    fn reset(&self, fields: &mut [f64], options: &ResetOptions, rng: &mut Generator) {
        let (low, high) = (options.get_or("low", RESET_BOUNDS.0), options.get_or("high", RESET_BOUNDS.1));
        fields[..4].fill_with(|| f64::from(rng.uniform(low, high) as f32));
        fields[4] = 1.0;
    }

    #[inline(always)]
    fn step<const W: usize>(
        &self,
        fields: &mut [[f64; W]],
        action: &[i32; W],
        reward: &mut [f64; W],
        terminated: &mut [bool; W],
    ) {
        let [theta1, theta2, dtheta1, dtheta2, first] = fields else { unreachable!("Acrobot has five fields") };
        let torque = action.map(|action| f64::from(action - 1));
        let next = self.rk4(&[*theta1, *theta2, *dtheta1, *dtheta2], &torque);
        *theta1 = wrap(next[0]);
        *theta2 = wrap(next[1]);
        *dtheta1 = next[2].map(|velocity| bound(velocity, MAX_VELOCITY[0]));
        *dtheta2 = next[3].map(|velocity| bound(velocity, MAX_VELOCITY[1]));
        *first = [0.0; W];
        *terminated = is_terminal(theta1, theta2);
        *reward = terminated.map(|terminated| if terminated { 0.0 } else { -1.0 });
    }

    #[inline(always)]
    fn observe<const W: usize>(&self, fields: &[[f64; W]], out: &mut [[f32; W]]) {
        let (sin_1, cos_1) = sin_cos_rounded(&fields[0]);
        let (sin_2, cos_2) = sin_cos_rounded(&fields[1]);
        let velocities = [fields[2], fields[3]].map(|velocity| velocity.map(|value| value as f32));
        out.copy_from_slice(&[cos_1, sin_1, cos_2, sin_2, velocities[0], velocities[1]]);
        if fields[4].iter().fold(false, |any, first| any | (*first != 0.0)) {
            observe_after_reset(fields, out);
        }
    }

    fn info(&self, index: usize, fields: &[f64], out: &mut Row<'_>) {
        out.write(index, &fields[..2]);
    }

    fn render_spec(&self) -> RenderSpec {
        RenderSpec::with_frame_size(500, 500, 15)
    }

    fn render_frame(&self, fields: &[f64], size: (u32, u32)) -> Frame {
        const SCALE: f64 = 500.0 / 4.4;
        const LINK: Color = Color::rgb(0, 204, 204);
        const JOINT: Color = Color::rgb(204, 204, 0);
        let mut canvas = Canvas::y_up((500, 500), size, WHITE);
        canvas.rectangle((0.0, (250.0 + SCALE).floor()), (500.0, 1.0), BLACK);
        let hanging = fields[0] - FRAC_PI_2;
        let mut joint = (250.0, 250.0);
        for angle in [hanging, hanging + fields[1]] {
            let half = 0.1 * SCALE;
            canvas.polygon(&rotate(&[(0.0, -half), (0.0, half), (SCALE, half), (SCALE, -half)], angle, joint), LINK);
            canvas.circle(joint, half, JOINT);
            [joint] = rotate(&[(SCALE, 0.0)], angle, joint);
        }
        into_picture(canvas)
    }
}

/// Overwrites the cosines and sines in the observations of the lanes that were just reset, with numpy's float32 functions.
#[cold]
#[inline(never)]
fn observe_after_reset<const W: usize>(fields: &[[f64; W]], out: &mut [[f32; W]]) {
    for i in (0..W).filter(|i| fields[4][*i] != 0.0) {
        let angles = [fields[0][i] as f32, fields[1][i] as f32];
        for (pair, angle) in angles.into_iter().enumerate() {
            out[2 * pair][i] = numpy_cos_f32(angle);
            out[2 * pair + 1][i] = numpy_sin_f32(angle);
        }
    }
}

/// Two angles and two angular velocities for each of `W` lanes, or the time derivatives of these four quantities.
type StateVector<const W: usize> = [[f64; W]; 4];

/// Returns `start + factor * slope`, element by element.
#[inline(always)]
fn add_scaled<const W: usize>(start: &StateVector<W>, factor: f64, slope: &StateVector<W>) -> StateVector<W> {
    let mut end = *start;
    for k in 0..4 {
        for i in 0..W {
            end[k][i] += factor * slope[k][i];
        }
    }
    end
}

impl Acrobot {
    /// Integrates the state over one step by the classical fourth-order Runge-Kutta method.
    #[inline(always)]
    fn rk4<const W: usize>(&self, start: &StateVector<W>, torque: &[f64; W]) -> StateVector<W> {
        let half = TIME_STEP / 2.0;
        let slope_1 = self.dsdt(start, torque);
        let slope_2 = self.dsdt(&add_scaled(start, half, &slope_1), torque);
        let slope_3 = self.dsdt(&add_scaled(start, half, &slope_2), torque);
        let slope_4 = self.dsdt(&add_scaled(start, TIME_STEP, &slope_3), torque);
        let mut sum = slope_1;
        for k in 0..4 {
            for i in 0..W {
                sum[k][i] = slope_1[k][i] + 2.0 * slope_2[k][i] + 2.0 * slope_3[k][i] + slope_4[k][i];
            }
        }
        add_scaled(start, TIME_STEP / 6.0, &sum)
    }

    /// Returns the time derivative of the state by the equations of Sutton and Barto's book.
    #[inline(always)]
    fn dsdt<const W: usize>(&self, state: &StateVector<W>, torque: &[f64; W]) -> StateVector<W> {
        let [theta1, theta2, dtheta1, dtheta2] = state;
        let (mut upright_1, mut upright_2, mut d1, mut d2) = ([0.0; W], [0.0; W], [0.0; W], [0.0; W]);
        let (sin_2, cos_2) = sin_cos(theta2);
        for i in 0..W {
            upright_1[i] = theta1[i] - FRAC_PI_2;
            upright_2[i] = theta1[i] + theta2[i] - FRAC_PI_2;
            let turned = self.mass_2 * (self.squares + self.twice_arm * cos_2[i]);
            d1[i] = self.inertia_1 + turned + self.moment + self.moment;
            d2[i] = self.mass_2 * (self.square_2 + self.arm * cos_2[i]) + self.moment;
        }
        let (cos_upright_1, cos_upright_2) = (cos(&upright_1), cos(&upright_2));
        let (square_1, square_2, square_d2) = (pow2(dtheta1), pow2(dtheta2), pow2(&d2));
        let (mut acceleration_1, mut acceleration_2) = ([0.0; W], [0.0; W]);
        for i in 0..W {
            let phi2 = self.weight_2 * cos_upright_2[i];
            let centrifugal = -self.mass_arm * square_2[i] * sin_2[i];
            let coriolis = self.twice_mass_arm * dtheta2[i] * dtheta1[i] * sin_2[i];
            let phi1 = centrifugal - coriolis + self.weight_1 * cos_upright_1[i] + phi2;
            let ratio = d2[i] / d1[i];
            acceleration_2[i] = (torque[i] + ratio * phi1 - self.mass_arm * square_1[i] * sin_2[i] - phi2)
                / (self.inertia_2 - square_d2[i] / d1[i]);
            acceleration_1[i] = -(d2[i] * acceleration_2[i] + phi1) / d1[i];
        }
        [*dtheta1, *dtheta2, acceleration_1, acceleration_2]
    }
}

/// Wraps angles to -π..π by whole revolutions.
///
/// In nearly all steps, at most one revolution is subtracted, because a step turns a link by at most 28 rad/s * 0.2 s.
#[inline(always)]
fn wrap<const W: usize>(mut angle: [f64; W]) -> [f64; W] {
    let mut outside = false;
    for angle in &mut angle {
        *angle = if *angle > PI { *angle - TAU } else { *angle };
        *angle = if *angle < -PI { *angle + TAU } else { *angle };
        outside |= (*angle > PI) | (*angle < -PI);
    }
    if outside {
        wrap_far(&mut angle);
    }
    angle
}

#[cold]
#[inline(never)]
fn wrap_far(angles: &mut [f64]) {
    for angle in angles {
        if angle.abs() > MAX_REVOLUTIONS * TAU {
            *angle %= TAU;
        }
        while *angle > PI {
            *angle -= TAU;
        }
        while *angle < -PI {
            *angle += TAU;
        }
    }
}

/// Limits a number to `-limit..=limit`, as Python's `min(max(value, -limit), limit)` does.
#[inline(always)]
fn bound(value: f64, limit: f64) -> f64 {
    let value = if -limit > value { -limit } else { value };
    if limit < value { limit } else { value }
}

/// Returns whether the tip is more than one link above the fixed joint.
#[inline(always)]
fn is_terminal<const W: usize>(theta1: &[f64; W], theta2: &[f64; W]) -> [bool; W] {
    if W == 1 {
        return [tip_height(theta1[0], theta2[0]) > 1.0; W];
    }
    let (mut above, mut near) = ([false; W], [false; W]);
    for i in 0..W {
        let (_, cos_1, reliable_1) = approximate_sin_cos(theta1[i]);
        let (_, cos_2, reliable_2) = approximate_sin_cos(theta2[i] + theta1[i]);
        let height = -cos_1 - cos_2;
        above[i] = height > 1.0;
        near[i] = !(reliable_1 & reliable_2 & ((height - 1.0).abs() > HEIGHT_TOLERANCE));
    }
    if near.iter().fold(false, |any, near| any | near) {
        recheck_near_goal(theta1, theta2, &near, &mut above);
    }
    above
}

#[cold]
#[inline(never)]
fn recheck_near_goal(theta1: &[f64], theta2: &[f64], near: &[bool], above: &mut [bool]) {
    for i in (0..above.len()).filter(|i| near[*i]) {
        above[i] = tip_height(theta1[i], theta2[i]) > 1.0;
    }
}

/// Returns the height of the tip above the fixed joint, in link lengths.
fn tip_height(theta1: f64, theta2: f64) -> f64 {
    -theta1.cos() - (theta2 + theta1).cos()
}

/// Class of the tasks in EnvPool.
static CLASS: EnvPoolClass = EnvPoolClass::new("classic_control", "Acrobot", "Acrobot-v1");

/// Returns the task `Acrobot-v1`.
pub fn tasks() -> Vec<Task> {
    vec![Task::kernel::<Acrobot>("Acrobot-v1").envpool_class(&CLASS).max_episode_steps(500).reward_threshold(-100.0)]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::classic_control::golden;

    #[test]
    fn acrobot_equals_gymnasiums() {
        golden::replay::<Acrobot>("Acrobot-v1");
    }

    #[test]
    fn acrobot_from_any_angle_equals_gymnasiums() {
        golden::replay::<Acrobot>("Acrobot-v1-anywhere");
    }

    #[test]
    fn angles_are_wrapped_like_the_reference_in_bounded_time() {
        let mut turned = 40.0;
        while turned > PI {
            turned -= TAU;
        }
        assert_eq!(wrap([40.0, -40.0, 1.0]), [turned, -turned, 1.0]);
        assert!(wrap([1e300])[0].abs() <= PI);
        assert!(wrap([f64::INFINITY])[0].is_nan());
    }

    #[test]
    fn bounds_without_a_finite_range_are_refused() {
        golden::refuses::<Acrobot>(&[("low", 0.2)]);
        golden::refuses::<Acrobot>(&[("high", f64::INFINITY)]);
    }
}
