//! Observations of a vehicle, by the option `observation_type`.

mod kinematics;
mod time_to_collision;

use envpool_rs_engine::{Dtype, OptionSpec, Options, Result, Space};
use envpool_rs_numeric::random::Generator;
use envpool_rs_sim_highway::Vehicle;

pub use self::kinematics::{Kinematics, ObservationDefaults};
pub use self::time_to_collision::TimeToCollision;
use crate::scenario::{Config, Core, World};

/// How a vehicle observes the road.
#[derive(Debug, Clone)]
pub enum Observation {
    /// Vehicles as rows of features.
    Kinematics(Kinematics),
    /// Times until collisions, for each speed and lane.
    TimeToCollision(TimeToCollision),
    /// The vehicle's own features, and those of its goal.
    KinematicsGoal,
}

/// Scales of the features of [`Observation::KinematicsGoal`].
const GOAL_SCALES: [f64; 6] = [100.0, 100.0, 5.0, 5.0, 1.0, 1.0];

/// Returns the declaration of `observation_type` for environments with one type.
pub fn type_option(kind: &'static str, kinds: &'static [&'static str]) -> OptionSpec {
    OptionSpec::new("observation_type", kind, "type of observations").one_of(kinds)
}

impl Observation {
    /// Reads the options that begin with `observation_`.
    ///
    /// # Errors
    /// `Value` for options that contradict each other.
    pub fn new(options: &Options, config: &Config) -> Result<Self> {
        Ok(match options.text("observation_type") {
            Some("TimeToCollision") => Self::TimeToCollision(TimeToCollision::new(options, config)?),
            Some("KinematicsGoal") => Self::KinematicsGoal,
            _ => Self::Kinematics(Kinematics::new(options)?),
        })
    }

    /// Returns the space of one vehicle's observations.
    pub fn space(&self) -> Space {
        match self {
            Self::Kinematics(kinematics) => kinematics.space(),
            Self::TimeToCollision(times) => times.space(),
            Self::KinematicsGoal => {
                let space = Space::uniform(f64::NEG_INFINITY, f64::INFINITY, &[6], Dtype::F64);
                let names = ["achieved_goal", "desired_goal", "observation"];
                Space::Dict(names.map(|name| (name.to_owned(), space.clone())).to_vec())
            }
        }
    }

    /// Returns the number of arrays of an observation, which have equal sizes.
    pub fn leaves(&self) -> usize {
        if matches!(self, Self::KinematicsGoal) { 3 } else { 1 }
    }

    /// Appends the observation of controlled vehicle number `agent` to `out`.
    pub fn observe(&self, core: &Core, world: &World, agent: usize, rng: &mut Generator, out: &mut Vec<f64>) {
        let observer = world.controlled[agent] as usize;
        let vehicle = &world.road.vehicles[observer];
        match self {
            Self::Kinematics(kinematics) => {
                kinematics.observe(&core.model, &world.road, (observer, world.lateral_bounds[agent]), rng, out);
            }
            Self::TimeToCollision(times) => times.observe(&core.model, &world.road, observer, out),
            Self::KinematicsGoal => {
                let [achieved, desired] = goal_features(vehicle, &world.road.objects[agent]);
                out.extend(achieved.into_iter().chain(desired).chain(achieved));
            }
        }
    }
}

/// Returns the scaled features of a vehicle and of its goal.
pub fn goal_features(vehicle: &Vehicle, goal: &Vehicle) -> [[f64; 6]; 2] {
    let scaled = |body: &Vehicle, velocity: [f64; 2]| {
        let features = [body.position[0], body.position[1], velocity[0], velocity[1], body.direction[0], body.direction[1]];
        std::array::from_fn(|index| features[index] / GOAL_SCALES[index])
    };
    [scaled(vehicle, vehicle.velocity()), scaled(goal, [0.0; 2])]
}
