//! Controls of the actuators for an action, and what changes them: fatigue and the transfer of a tendon.

use crate::names::Names;
use envpool_rs_engine::Result;
use envpool_rs_numeric::numpy_ufuncs::{exp, exp_f32};
use envpool_rs_numeric::random::Generator;
use envpool_rs_sim_mujoco::{Model, ObjectKind};

/// Coefficients of the model of fatigue 3CC-r: fatigue, recovery, and the factor of recovery during rest.
const FATIGUE: f64 = 0.00912;
const RECOVERY: f64 = 0.1 * 0.00094;
const REST: f64 = 150.0;
/// Number of parameters of an actuator's activation (`mjNDYN`).
const PARAMETERS: usize = 10;

/// Shares of a muscle that are active, resting and fatigued.
pub type Shares = [f64; 3];
/// Shares of a muscle that has rested.
pub const RESTED: Shares = [0.0, 1.0, 0.0];

/// Actuators of a model.
pub struct Muscles {
    /// Indices of the muscles.
    indices: Vec<usize>,
    /// Middle and width of each actuator's control range.
    ranges: Vec<[f64; 2]>,
    /// Motors whose actions are scaled to their ranges, in a model with muscles.
    scaled: Vec<usize>,
    /// Time constants of activation and deactivation of each muscle, in seconds.
    times: Vec<[f64; 2]>,
    /// Duration of a step in seconds.
    seconds: f64,
    /// Whether the package computes in float64, as for actions to which it appends controls.
    is_double: bool,
    /// Actuators of the thumb's and of the index finger's extensor, the second of which moves the thumb (`reafferentation`).
    transfer: Option<[usize; 2]>,
}

impl Muscles {
    /// Reads the actuators of a model, and whether motors are scaled and whether the package computes in float64. Fails with `Value`
    /// if there is no tendon to transfer.
    pub fn bind(model: &Model, condition: &str, (scales_motors, is_double): (bool, bool), seconds: f64) -> Result<Self> {
        let (indices, motors): (Vec<_>, Vec<_>) = (0..model.sizes().nu).partition(|actuator| model.is_muscle(*actuator));
        let parameters = model.actuator_dynprm();
        let actuator = |name| Names(model).id(ObjectKind::Actuator, name);
        Ok(Self {
            ranges: model.actuator_ctrlrange().as_chunks().0.iter().map(|[low, high]| [(low + high) / 2.0, high - low]).collect(),
            times: indices.iter().map(|muscle| [0, 1].map(|index| parameters[PARAMETERS * muscle + index])).collect(),
            transfer: if condition == "reafferentation" { Some([actuator("EPL")?, actuator("EIP")?]) } else { None },
            indices,
            scaled: if scales_motors { motors } else { Vec::new() },
            seconds,
            is_double,
        })
    }

    /// Sets the shares of the muscles after the step with the action 0 that the package takes when it makes an environment.
    pub fn construct(&self, shares: &mut [Shares]) {
        shares.fill(RESTED);
        let load = 1.0 / (1.0 + exp(-5.0 * (0.0 - 0.5)));
        shares.iter_mut().zip(&self.times).for_each(|(shares, times)| tire(shares, load, *times, self.seconds));
    }

    /// Writes the controls for the action `given`. `shares` are those of the muscles, which tire; empty if they do not.
    pub fn control(&self, given: &[f32], shares: &mut [Shares], controls: &mut [f64]) {
        let scaled = |actuator: usize| {
            let [middle, width] = self.ranges[actuator];
            middle + f64::from(given[actuator]) * width / 2.0
        };
        if self.indices.is_empty() {
            controls.iter_mut().enumerate().for_each(|(actuator, control)| *control = scaled(actuator));
            return;
        }
        let mut action: Vec<_> = given.iter().map(|value| f64::from(*value)).collect();
        self.scaled.iter().for_each(|motor| action[*motor] = f64::from(scaled(*motor) as f32));
        let mut loads = self.loads(&action);
        for ((load, shares), times) in loads.iter_mut().zip(shares).zip(&self.times) {
            tire(shares, *load, *times, self.seconds);
            *load = if self.is_double { shares[0] } else { f64::from(shares[0] as f32) };
        }
        self.indices.iter().zip(&loads).for_each(|(muscle, load)| action[*muscle] = *load);
        if let Some([thumb, finger]) = self.transfer {
            (action[thumb], action[finger]) = (action[finger], 0.0);
        }
        controls.iter_mut().zip(&action).for_each(|(control, value)| *control = *value);
    }

    /// Returns the sigmoid of the muscles' actions.
    fn loads(&self, action: &[f64]) -> Vec<f64> {
        if self.is_double {
            return self.indices.iter().map(|muscle| 1.0 / (1.0 + exp(-5.0 * (action[*muscle] - 0.5)))).collect();
        }
        let mut loads: Vec<_> = self.indices.iter().map(|muscle| -5.0 * (action[*muscle] as f32 - 0.5)).collect();
        exp_f32(&mut loads);
        loads.iter().map(|load| f64::from(1.0 / (1.0 + *load))).collect()
    }
}

/// Advances the shares of a muscle by a step with the target load `load` (`compute_act`).
fn tire([active, resting, fatigued]: &mut Shares, load: f64, [rise, fall]: [f64; 2], seconds: f64) {
    let is_rising = *active < load;
    let missing = load - *active;
    let transfer = match is_rising {
        true => 1.0 / rise * (0.5 + 1.5 * *active) * if *resting > missing { missing } else { *resting },
        false => (0.5 + 1.5 * *active) / fall * missing,
    };
    let recovery = if is_rising { RECOVERY } else { REST * RECOVERY };
    let (tiring, recovering) = (FATIGUE * *active, recovery * *fatigued);
    let least = (-*active / seconds + tiring).max((*resting - 1.0) / seconds + recovering);
    let most = ((1.0 - *active) / seconds + tiring).min(*resting / seconds + recovering);
    let transfer = transfer.max(least).min(most);
    *active += (transfer - tiring) * seconds;
    *resting += (-transfer + recovering) * seconds;
    *fatigued += (tiring - recovering) * seconds;
}

/// Draws the shares of all muscles at the start of an episode (`fatigue_reset_random`).
pub fn draw(shares: &mut [Shares], random: &mut Generator) {
    let fresh: Vec<_> = shares.iter().map(|_| random.random()).collect();
    for (shares, fresh) in shares.iter_mut().zip(fresh) {
        let active = random.random();
        *shares = [fresh * active, fresh * (1.0 - active), 1.0 - fresh];
    }
}
