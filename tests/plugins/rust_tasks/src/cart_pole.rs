//! gymnasium's CartPole, implemented with each of the traits `Env` and `Kernel`. Both give the same numbers as the built-in
//! CartPole-v1.

use envpool_rs::engine::{
    Action, Dtype, Env, EnvSpec, Error, InfoSpec, Kernel, OptionSpec, Options, ResetOptions, Result, Row, Scheduling, Space,
};
use envpool_rs::math::sin_cos_near_zero;
use envpool_rs::random::Generator;
use serde::{Deserialize, Serialize};

/// Gravity, in m/s².
const GRAVITY: f64 = 9.8;
/// Mass of the pole, in kg.
const POLE_MASS: f64 = 0.1;
/// Mass of cart and pole, in kg.
const TOTAL_MASS: f64 = POLE_MASS + 1.0;
/// Half the pole's length, in m.
const LENGTH: f64 = 0.5;
/// Duration of a step, in seconds.
const TAU: f64 = 0.02;
/// Bounds of the position, in m, and of the angle, in rad.
const THRESHOLDS: [f64; 2] = [2.4, 12.0 * 2.0 * std::f64::consts::PI / 360.0];

/// CartPole that steps one lane at a time. Info `angle`: float64, the pole's angle in rad.
pub struct EnvCartPole {
    gravity: f64,
}

/// CartPole that steps blocks of lanes in vector registers.
pub struct KernelCartPole;

/// State: position, velocity, angle and angular velocity.
#[derive(Serialize, Deserialize)]
pub struct State([f64; 4]);

fn spec() -> EnvSpec {
    let high = [THRESHOLDS[0] * 2.0, f64::INFINITY, THRESHOLDS[1] * 2.0, f64::INFINITY];
    EnvSpec::new(Space::vector(&high.map(|high| -high), &high), Space::discrete(2))
}

/// Returns the accelerations of the cart in m/s² and of the pole in rad/s².
#[inline(always)]
fn accelerations(gravity: f64, push: bool, theta_dot: f64, sin: f64, cos: f64) -> (f64, f64) {
    let force = if push { 10.0 } else { -10.0 };
    let pushed = (force + POLE_MASS * LENGTH * (theta_dot * theta_dot) * sin) / TOTAL_MASS;
    let theta_acceleration = (gravity * sin - cos * pushed) / (LENGTH * (4.0 / 3.0 - POLE_MASS * (cos * cos) / TOTAL_MASS));
    (pushed - POLE_MASS * LENGTH * theta_acceleration * cos / TOTAL_MASS, theta_acceleration)
}

impl Env for EnvCartPole {
    type State = State;
    type Random = Generator;
    const SCHEDULING: Scheduling = Scheduling::Uniform;
    const RESET_OPTIONS: &'static [&'static str] = &["low", "high"];

    fn options() -> Vec<OptionSpec> {
        vec![OptionSpec::new("gravity", GRAVITY, "acceleration of the fall, in m/s2").numbers(0.0..=100.0)]
    }

    fn new(options: &Options) -> Result<Self> {
        Ok(Self { gravity: options.float("gravity") })
    }

    fn spec(&self) -> EnvSpec {
        EnvSpec { info: vec![InfoSpec::new("angle", Dtype::F64, &[])], ..spec() }
    }

    fn create(&self, _lane: usize) -> Result<State> {
        Ok(State([0.0; 4]))
    }

    fn check_reset(&self, options: &ResetOptions) -> Result<()> {
        options.bounds(-0.05, 0.05).map(|_| ())
    }

    fn reset(&self, state: &mut State, options: &ResetOptions, random: &mut Generator) {
        let (low, high) = options.bounds(-0.05, 0.05).unwrap_or_else(|error: Error| error.raise());
        state.0.fill_with(|| random.uniform(low, high));
    }

    fn step(&self, State(fields): &mut State, action: &Action<'_>, rewards: &mut [f64], _random: &mut Generator) -> bool {
        let [x, x_dot, theta, theta_dot] = fields;
        let (sin, cos) = theta.sin_cos();
        let (x_acceleration, theta_acceleration) = accelerations(self.gravity, action.discrete() == 1, *theta_dot, sin, cos);
        *x += TAU * *x_dot;
        *x_dot += TAU * x_acceleration;
        *theta += TAU * *theta_dot;
        *theta_dot += TAU * theta_acceleration;
        rewards[0] = 1.0;
        x.abs() > THRESHOLDS[0] || theta.abs() > THRESHOLDS[1]
    }

    fn observe(&self, state: &State, out: &mut Row<'_>) {
        out.write(0, &state.0);
    }

    fn info(&self, state: &State, out: &mut Row<'_>) {
        out.scalar(0, state.0[2]);
    }
}

impl Kernel for KernelCartPole {
    type Action = i32;
    type Fields<const W: usize> = [[f64; W]; 4];
    type Observation<const W: usize> = [[f32; W]; 4];

    fn new(_options: &Options) -> Result<Self> {
        Ok(Self)
    }

    fn spec(&self) -> EnvSpec {
        spec()
    }

    fn reset(&self, fields: &mut [f64], _options: &ResetOptions, random: &mut Generator) {
        fields.fill_with(|| random.uniform(-0.05, 0.05));
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
        for i in 0..W {
            let (x_acceleration, theta_acceleration) = accelerations(GRAVITY, action[i] == 1, theta_dot[i], sin[i], cos[i]);
            x[i] += TAU * x_dot[i];
            x_dot[i] += TAU * x_acceleration;
            theta[i] += TAU * theta_dot[i];
            theta_dot[i] += TAU * theta_acceleration;
            terminated[i] = (x[i].abs() > THRESHOLDS[0]) | (theta[i].abs() > THRESHOLDS[1]);
            reward[i] = 1.0;
        }
    }
}
