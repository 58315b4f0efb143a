//! Robot of the kitchen: the start of episodes, controls, and the noise of observations.

use crate::names::Names;
use envpool_rs_engine::{Error, Result};
use envpool_rs_numeric::numpy;
use envpool_rs_numeric::random::Generator;
use envpool_rs_sim_mujoco::{Data, Fault, Model};

/// Number of the robot's joints, which is the number of values of an action.
pub const JOINTS: usize = 9;
/// Number of the model's joint positions (`nq`).
const NQ: usize = 30;
/// Number of the model's degrees of freedom (`nv`).
const NV: usize = 29;
/// Number of values of an observation: positions and velocities of the robot, then of the objects.
pub const OBSERVED: usize = NQ + NV;
/// Names of joints, and their indices in `qpos`, that a model of the kitchen has.
const PLACES: [(&str, usize); 4] =
    [("robot:panda0_joint1", 0), ("robot:panda0_finger_joint2", JOINTS - 1), ("microwave", 22), ("kettle", 23)];
/// Joint positions at the start of episodes.
const START: [f64; NQ] = [
    1.48388023e-01,
    -1.76848573e00,
    1.84390296e00,
    -2.47685760e00,
    2.60252026e-01,
    7.12533105e-01,
    1.59515394e00,
    4.79267505e-02,
    3.71350919e-02,
    -2.66279850e-04,
    -5.18043486e-05,
    3.12877220e-05,
    -4.51199853e-05,
    -3.90842156e-06,
    -4.22629655e-05,
    6.28065475e-05,
    4.04984708e-05,
    4.62730939e-04,
    -2.26906415e-04,
    -4.65501369e-04,
    -6.44129196e-03,
    -1.77048263e-03,
    1.08009684e-03,
    -2.69397440e-01,
    3.50383255e-01,
    1.61944683e00,
    1.00618764e00,
    4.06395120e-03,
    -6.62095997e-03,
    -2.68278933e-04,
];
const COMPARED_STEPS: u32 = 100;
/// Velocity that the action 1 requests, in radians or metres per second.
const FASTEST: f64 = 2.0;
/// Bounds of the robot's joint positions in controls (`pos_bound` of `franka_config.xml`).
const BOUNDS: [[f64; 2]; JOINTS] =
    [[-2.9, 2.9], [-1.8, 1.8], [-2.9, 2.9], [-3.1, 0.0], [-2.9, 2.9], [0.0, 3.8], [-2.9, 2.9], [0.0, 0.04], [0.0, 0.04]];
/// Amplitude of the noise of the robot's positions and velocities.
const ROBOT_NOISE: f64 = 0.1;
/// Amplitudes of the noise of the objects, in the order of observations: each holds for a number of values.
///
/// Amplitudes of positions begin at the entry `qpos8` of `franka_config.xml`, those of velocities at `qpos9`.
const OBJECT_NOISE: [(usize, f64); 11] =
    [(1, 0.1), (2, 0.005), (6, 0.0005), (3, 0.005), (3, 0.1), (3, 0.005), (3, 0.1), (11, 0.005), (3, 0.1), (3, 0.005), (3, 0.1)];

/// Start of all episodes, before noise.
pub struct Start {
    pub state: Vec<f64>,
    pub qpos: Vec<f64>,
    pub qvel: Vec<f64>,
}

/// Checks that a model has the kitchen's joints and the robot's actuators. Fails with `Value` if it lacks some of them.
pub fn check_model(model: &Model) -> Result<()> {
    let sizes = model.sizes();
    let found = (sizes.nq, sizes.nv, sizes.nu);
    if found != (NQ, NV, JOINTS) {
        let expected = format!("expected nq={NQ}, nv={NV} and nu={JOINTS}, found {}, {} and {}", found.0, found.1, found.2);
        return Err(Error::Value(format!("xml_file is no model of the kitchen: {expected}")));
    }
    for (joint, place) in PLACES {
        if Names(model).position(joint)? != place {
            return Err(Error::Value(format!(
                "xml_file is no model of the kitchen: expected the joint {joint:?} at qpos {place}"
            )));
        }
    }
    Ok(())
}

pub fn find_start(model: &Model) -> Result<Start, Fault> {
    let mut data = Data::new(model)?;
    data.reset()?;
    data.qpos_mut().copy_from_slice(&START);
    data.qvel_mut().fill(0.0);
    data.forward()?;
    let mut state = vec![0.0; model.state_len()];
    data.get_state(&mut state);
    Ok(Start { state, qpos: data.qpos().to_vec(), qvel: data.qvel().to_vec() })
}

/// Returns whether simulation steps from the start of episodes have the same results in both models, bit for bit.
pub fn steps_equally(models: [&Model; 2], start: &Start) -> Result<bool, Fault> {
    let [first, other] = models.map(|model| -> Result<Vec<u64>, Fault> {
        let mut data = Data::new(model)?;
        data.set_state(&start.state)?;
        data.step(COMPARED_STEPS, false)?;
        let mut state = vec![0.0; model.state_len()];
        data.get_state(&mut state);
        Ok(state.into_iter().map(f64::to_bits).collect())
    });
    Ok(first? == other?)
}

/// Computes the controls for an action, given the robot's last observed positions, and the duration of a step in seconds.
pub fn controls(action: &[f64], observed: &[f64], seconds: f64) -> [f64; JOINTS] {
    std::array::from_fn(|joint| {
        let velocity = numpy::clip(action[joint], -1.0, 1.0) * FASTEST;
        let [low, high] = BOUNDS[joint];
        numpy::clip(observed[joint] + velocity * seconds, low, high)
    })
}

/// Noise of observations: maximum deviation of each value.
pub struct Noise([f64; OBSERVED]);

impl Noise {
    /// Creates the noise from the options `robot_noise_ratio` and `object_noise_ratio`.
    pub fn new(robot: f64, objects: f64) -> Self {
        let amplitudes = OBJECT_NOISE.into_iter().flat_map(|(count, amplitude)| std::iter::repeat_n(objects * amplitude, count));
        let mut scales = std::iter::repeat_n(robot * ROBOT_NOISE, 2 * JOINTS).chain(amplitudes);
        Self(std::array::from_fn(|_| scales.next().expect("an amplitude for each observed value")))
    }

    /// Writes an observation of the positions and velocities given to `to`, with noise.
    pub fn observe(&self, qpos: &[f64], qvel: &[f64], random: &mut Generator, to: &mut [f64]) {
        let parts = [&qpos[..JOINTS], &qvel[..JOINTS], &qpos[JOINTS..], &qvel[JOINTS..]];
        for ((to, value), scale) in to.iter_mut().zip(parts.into_iter().flatten()).zip(self.0) {
            *to = value + scale * random.uniform(-1.0, 1.0);
        }
    }
}
