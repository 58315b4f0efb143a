//! `KinematicsGoal`: features of a vehicle and of its goal.

use envpool_rs_engine::{Dtype, Error, Options, Result, Space};
use envpool_rs_sim_highway::{RoadModel, Vehicle};

use super::kinematics::{Feature, feature_value, features_or};
use crate::options::numbers_or;

/// Features that also goals have.
const FEATURES: [Feature; 9] = [
    Feature::Presence,
    Feature::X,
    Feature::Y,
    Feature::Vx,
    Feature::Vy,
    Feature::CosH,
    Feature::SinH,
    Feature::CosD,
    Feature::SinD,
];

/// Which features are observed, and their scales.
#[derive(Debug, Clone)]
pub struct Goal {
    features: Vec<Feature>,
    scales: Vec<f64>,
}

impl Goal {
    /// Reads the options that begin with `observation_`.
    ///
    /// # Errors
    /// `Value` for features that goals do not have, and scales that do not fit the features.
    pub fn new(options: &Options) -> Result<Self> {
        let features = features_or(options, &FEATURES[..5])?;
        if !features.iter().all(|feature| FEATURES.contains(feature)) {
            let allowed = "a list of presence, x, y, vx, vy, cos_h, sin_h, cos_d, sin_d, the features of goals";
            return Err(Error::value("observation_features", options.get("observation_features"), allowed));
        }
        let scales = numbers_or(options, "observation_scales", &[]);
        if scales.len() != features.len() || scales.contains(&0.0) {
            let allowed = format!("{} numbers other than 0, one for each of observation_features", features.len());
            return Err(Error::value("observation_scales", options.get("observation_scales"), allowed));
        }
        Ok(Self { features, scales })
    }

    /// Returns the space: achieved goal, desired goal and observation.
    pub fn space(&self) -> Space {
        let space = Space::uniform(f64::NEG_INFINITY, f64::INFINITY, &[self.features.len()], Dtype::F64);
        Space::Dict(["achieved_goal", "desired_goal", "observation"].map(|name| (name.to_owned(), space.clone())).to_vec())
    }

    /// Appends the arrays of the space to `out`.
    pub fn observe(&self, model: &RoadModel, vehicle: &Vehicle, goal: &Vehicle, out: &mut Vec<f64>) {
        for body in [vehicle, goal, vehicle] {
            let scaled = self.features.iter().zip(&self.scales);
            out.extend(scaled.map(|(feature, scale)| feature_value(model, body, *feature, true) / scale));
        }
    }
}

/// Returns the features that rewards compare, of a vehicle or its goal: x, y, vx, vy and the direction, scaled.
pub fn goal_features(body: &Vehicle) -> [f64; 6] {
    let (velocity, [c, s]) = (body.velocity(), body.direction);
    [body.position[0] / 100.0, body.position[1] / 100.0, velocity[0] / 5.0, velocity[1] / 5.0, c / 1.0, s / 1.0]
}
