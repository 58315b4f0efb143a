//! Vehicles and objects: their state, and how they are created.

use super::math::{Vector, clip, direction, modulo, sub};
use super::network::{LaneId, RoadNetwork};
use serde::{Deserialize, Serialize};
use std::f64::consts::PI;

/// Largest speed of a vehicle, forwards and backwards, in metres per second.
pub const MAX_SPEED: f64 = 40.0;
/// Exponent of the speed in the Intelligent Driver Model, unless it is drawn.
pub const DELTA: f64 = 4.0;

/// What a vehicle or object is, and thereby how it moves.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Kind {
    /// `IDMVehicle`: drives by IDM and MOBIL.
    Idm,
    /// `MDPVehicle`: follows its target lane and one of several target speeds.
    Mdp,
    /// `Vehicle`: keeps steering and acceleration.
    Kinematic,
    /// `BicycleVehicle`: a kinematic vehicle with friction of tires.
    Bicycle,
    /// `Obstacle`: stands still.
    Obstacle,
    /// `Landmark`: marks a place.
    Landmark,
}

/// Step of a planned route.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct RouteStep {
    /// First lane of the road to follow.
    pub road: LaneId,
    /// Number of the lane on that road; `None` for any.
    pub index: Option<u16>,
}

/// High-level action of an [`Kind::Mdp`] vehicle.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MetaAction {
    /// Change to the lane on the left.
    LaneLeft,
    /// Keep lane and speed.
    Idle,
    /// Change to the lane on the right.
    LaneRight,
    /// Choose the next higher target speed.
    Faster,
    /// Choose the next lower target speed.
    Slower,
}

/// A vehicle or object on a road.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Vehicle {
    /// What it is.
    pub kind: Kind,
    /// Position of the centre in metres.
    pub position: Vector,
    /// Angle in radians.
    pub heading: f64,
    /// Speed in metres per second.
    pub speed: f64,
    /// Cosine and sine of the heading.
    pub direction: Vector,
    /// Length, width and diagonal in metres.
    pub size: [f64; 3],
    /// The closest lane.
    pub lane: LaneId,
    /// Coordinates on the closest lane.
    pub local: Vector,
    /// The lane to follow.
    pub target_lane: LaneId,
    /// The speed to reach; 0 for vehicles that follow none.
    pub target_speed: f64,
    /// Index of the target speed among the allowed ones.
    pub speed_index: i64,
    /// Steering angle in radians.
    pub steering: f64,
    /// Acceleration in metres per square second.
    pub acceleration: f64,
    /// Whether the vehicle has crashed, or whether a vehicle has reached the landmark.
    pub crashed: bool,
    /// Displacement by a collision, which takes place in the next frame.
    pub impact: Option<Vector>,
    /// Whether the vehicle looks for its own collisions.
    pub checks_collisions: bool,
    /// Seconds since the last decision about a lane change.
    pub timer: f64,
    /// Exponent of the speed in the Intelligent Driver Model.
    pub delta: f64,
    /// Whether the vehicle changes lanes by itself.
    pub changes_lanes: bool,
    /// Planned route.
    pub route: Vec<RouteStep>,
    /// Whether the vehicle yields at an intersection, and for how many checks of the rules.
    pub yields: Option<f64>,
    /// Lateral speed of a bicycle model in metres per second.
    pub lateral_speed: f64,
    /// Yaw rate of a bicycle model in radians per second.
    pub yaw_rate: f64,
    /// Range of speeds.
    pub speed_range: [f64; 2],
}

impl Vehicle {
    /// Length of a vehicle in metres.
    pub const LENGTH: f64 = 5.0;
    /// Width of a vehicle in metres.
    pub const WIDTH: f64 = 2.0;

    /// Creates a vehicle or object on the closest lane.
    pub fn new(network: &RoadNetwork, kind: Kind, position: Vector, heading: f64, speed: f64) -> Self {
        let (lane, local) = network.closest_lane(position, heading, 0);
        let is_controlled = matches!(kind, Kind::Idm | Kind::Mdp);
        let size = if matches!(kind, Kind::Obstacle | Kind::Landmark) { [2.0, 2.0] } else { [Self::LENGTH, Self::WIDTH] };
        Self {
            kind,
            position,
            heading,
            speed,
            direction: direction(heading),
            size: sized(size),
            lane,
            local,
            target_lane: lane,
            target_speed: if is_controlled { speed } else { 0.0 },
            speed_index: 0,
            steering: 0.0,
            acceleration: 0.0,
            crashed: false,
            impact: None,
            checks_collisions: true,
            timer: modulo((position[0] + position[1]) * PI, 1.0),
            delta: DELTA,
            changes_lanes: true,
            route: Vec::new(),
            yields: None,
            lateral_speed: 0.0,
            yaw_rate: 0.0,
            speed_range: [-MAX_SPEED, MAX_SPEED],
        }
    }

    /// Creates a vehicle at the centre of a lane.
    pub fn on_lane(network: &RoadNetwork, kind: Kind, lane: LaneId, longitudinal: f64, speed: f64) -> Self {
        let lane = network.lane(lane);
        Self::new(network, kind, lane.position(longitudinal, 0.0), lane.heading_at(longitudinal), speed)
    }

    /// Sets length and width in metres.
    #[must_use]
    pub fn of_size(self, length: f64, width: f64) -> Self {
        Self { size: sized([length, width]), ..self }
    }

    /// Plans a route to a node.
    pub fn plan_route_to(&mut self, network: &RoadNetwork, destination: &str) {
        self.route = network.route_to(self.lane, destination);
    }

    /// Chooses the target speed with the index closest to the speed of a new [`Kind::Mdp`] vehicle.
    pub fn choose_target_speed(&mut self, speed: f64, target_speeds: &[f64]) {
        self.speed_index = speed_to_index(speed, target_speeds);
        self.target_speed = target_speeds[self.speed_index as usize];
    }

    /// Whether the vehicle follows a target lane.
    #[inline]
    pub fn is_controlled(&self) -> bool {
        matches!(self.kind, Kind::Idm | Kind::Mdp)
    }

    /// Returns the velocity vector in metres per second.
    #[inline]
    pub fn velocity(&self) -> Vector {
        [self.speed * self.direction[0], self.speed * self.direction[1]]
    }

    /// Returns the signed distance to another vehicle along this vehicle's lane, in metres.
    #[inline]
    pub fn lane_distance_to(&self, network: &RoadNetwork, other: &Self) -> f64 {
        network.lane(self.lane).longitudinal(other.position) - self.local[0]
    }

    /// Returns the distance to another vehicle in the direction of this one, in metres.
    pub fn front_distance_to(&self, other: &Self) -> f64 {
        super::math::dot(self.direction, sub(other.position, self.position))
    }

    /// Returns whether the vehicle is on its lane.
    pub fn is_on_road(&self, network: &RoadNetwork) -> bool {
        network.lane(self.lane).is_on(self.local, 0.0)
    }

    /// Finds the closest lane after a change of position and heading.
    #[inline]
    pub(crate) fn update_lane(&mut self, network: &RoadNetwork) {
        (self.lane, self.local) = network.closest_lane(self.position, self.heading, self.lane);
    }

    /// Whether indices of lanes are in range, for a vehicle that was read from a snapshot.
    pub fn is_valid(&self, network: &RoadNetwork) -> bool {
        let exists = |lane: LaneId| usize::from(lane) < network.lanes().len();
        exists(self.lane)
            && exists(self.target_lane)
            && self.route.iter().all(|step| exists(step.road) && exists(step.road.saturating_add(step.index.unwrap_or(0))))
    }
}

/// Returns length, width and diagonal.
fn sized([length, width]: [f64; 2]) -> [f64; 3] {
    [length, width, (length * length + width * width).sqrt()]
}

/// Returns the index of the target speed closest to a speed, on the assumption of equal distances.
pub fn speed_to_index(speed: f64, target_speeds: &[f64]) -> i64 {
    let last = target_speeds.len() - 1;
    let share = (speed - target_speeds[0]) / (target_speeds[last] - target_speeds[0]);
    clip((share * last as f64).round_ties_even(), 0.0, last as f64) as i64
}
