//! Observations of a vehicle, by the option `observation_type`.

mod attributes;
mod goal;
mod grayscale;
mod kinematics;
mod lidar;
mod occupancy_grid;
mod options;
mod time_to_collision;

use envpool_rs_engine::{Options, Result, Space};
use envpool_rs_numeric::random::Generator;

use self::attributes::Attributes;
use self::goal::Goal;
use self::grayscale::Grayscale;
use self::lidar::Lidar;
use self::occupancy_grid::OccupancyGrid;
use self::time_to_collision::TimeToCollision;
use crate::scenario::{Config, Core, World};

pub use self::goal::goal_features;
pub use self::kinematics::Kinematics;
pub use self::options::ObservationDefaults;

/// How a vehicle observes the road.
#[derive(Debug, Clone)]
pub enum Observation {
    /// Vehicles as rows of features.
    Kinematics(Kinematics),
    /// Cells around the vehicle.
    OccupancyGrid(OccupancyGrid),
    /// Times until collisions, for each speed and lane.
    TimeToCollision(TimeToCollision),
    /// Distances and speeds of obstacles, by direction.
    Lidar(Lidar),
    /// The vehicle's own features, and those of its goal.
    Goal(Goal),
    /// Attributes of the environment.
    Attributes(Attributes),
    /// Stacked grey pictures.
    Grayscale(Grayscale),
}

impl Observation {
    /// Reads the options that begin with `observation_`.
    ///
    /// # Errors
    /// `Value` for options that contradict each other.
    pub fn new(given: &Options, config: &Config) -> Result<Self> {
        options::check(given)?;
        Ok(match given.text("observation_type") {
            Some("OccupancyGrid") => Self::OccupancyGrid(OccupancyGrid::new(given)?),
            Some("TimeToCollision") => Self::TimeToCollision(TimeToCollision::new(given, config)?),
            Some("LidarObservation") => Self::Lidar(Lidar::new(given)),
            Some("KinematicsGoal") => Self::Goal(Goal::new(given)?),
            Some("GrayscaleObservation") => Self::Grayscale(Grayscale::new(given)?),
            Some("AttributesObservation") => Self::Attributes(Attributes::new(given)?),
            _ => Self::Kinematics(Kinematics::new(given)?),
        })
    }

    /// Returns the space of one vehicle's observations.
    pub fn space(&self) -> Space {
        match self {
            Self::Kinematics(kinematics) => kinematics.space(),
            Self::OccupancyGrid(grid) => grid.space(),
            Self::TimeToCollision(times) => times.space(),
            Self::Lidar(lidar) => lidar.space(),
            Self::Goal(goal) => goal.space(),
            Self::Attributes(attributes) => attributes.space(),
            Self::Grayscale(pictures) => pictures.space(),
        }
    }

    /// Returns the number of arrays of an observation, which have equal sizes.
    pub fn leaves(&self) -> usize {
        match self {
            Self::Goal(_) => 3,
            Self::Attributes(attributes) => attributes.count(),
            _ => 1,
        }
    }

    /// Draws the noise of an observation, if it has noise.
    pub fn draw_noise(&self, core: &Core, world: &World, rng: &mut Generator) {
        if let Self::Attributes(attributes) = self {
            attributes.observe(&core.model, world, rng, &mut Vec::new());
        }
    }

    /// Appends the observation of controlled vehicle number `agent` to `out`, unless it is a picture.
    pub fn observe(&self, core: &Core, world: &World, agent: usize, rng: &mut Generator, out: &mut Vec<f64>) {
        let observer = world.controlled[agent] as usize;
        let (model, road) = (&core.model, &world.road);
        match self {
            Self::Kinematics(kinematics) => {
                kinematics.observe(model, road, (observer, world.lateral_bounds[agent]), rng, out);
            }
            Self::OccupancyGrid(grid) => grid.observe(model, road, observer, out),
            Self::TimeToCollision(times) => times.observe(model, road, observer, out),
            Self::Lidar(lidar) => lidar.observe(road, observer, out),
            Self::Goal(goal) => goal.observe(model, &road.vehicles[observer], &road.objects[agent], out),
            Self::Attributes(attributes) => attributes.observe(model, world, rng, out),
            Self::Grayscale(_) => {}
        }
    }
}
