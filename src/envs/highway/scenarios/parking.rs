//! `parking-v0`: a car park with a goal, and optionally other parked cars.

use std::f64::consts::PI;

use envpool_rs_engine::{Error, OptionSpec, Options, Result, Value};
use envpool_rs_numeric::random::Generator;
use envpool_rs_sim_highway::LineType::Continuous;
use envpool_rs_sim_highway::{Kind, Lane, NetworkBuilder, RoadModel, Vehicle};

use crate::action::{ActionDefaults, VehicleAction};
use crate::observation::{ObservationDefaults, goal_features};
use crate::picture::View;
use crate::scenario::{Core, Preset, Scenario, ScenarioClass, World, common_options, reward_option};

/// `parking-v0`.
pub static PARKING: ScenarioClass = ScenarioClass {
    tasks: &[
        ("parking-v0", &[], None),
        ("Parking-v0", &[], None),
        ("parking-ActionRepeat-v0", REPEATED, None),
        ("ParkingActionRepeat-v0", REPEATED, None),
        ("parking-parked-v0", PARKED, None),
        ("ParkingParked-v0", PARKED, None),
    ],
    options,
    new: |options| Ok(Box::new(Parking::new(options)?)),
    reward_names: &["is_success"],
};

const REPEATED: &[(&str, Preset)] = &[("policy_frequency", Preset::Number(1.0)), ("duration", Preset::Number(20.0))];
const PARKED: &[(&str, Preset)] = &[("vehicles_count", Preset::Integer(10))];

fn options() -> Vec<OptionSpec> {
    let weights = vec![1.0, 0.3, 0.0, 0.0, 0.02, 0.02];
    let mut options = vec![
        OptionSpec::new("reward_weights", weights, "weights of the distances of the six features from those of the goal")
            .per_episode(),
        OptionSpec::new("success_goal_reward", 0.12, "distance from the goal below which the episode ends").per_episode(),
        reward_option("collision_reward", -5.0, "reward of a collision"),
        OptionSpec::new("controlled_vehicles", 1, "vehicles of the controlled kind; actions control the first").integers(1..=4),
        OptionSpec::new("vehicles_count", 0, "number of parked vehicles").integers(0..=26).per_episode(),
        OptionSpec::new("add_walls", true, "whether walls surround the car park").per_episode(),
    ];
    options.extend(common_options(15, 5.0, Some(100.0), &View { size: (600, 300), scaling: 7.0, centering: [0.5, 0.5] }));
    let observation = ObservationDefaults {
        kind: "KinematicsGoal",
        kinds: &["KinematicsGoal", "Kinematics", "OccupancyGrid", "LidarObservation", "GrayscaleObservation"],
        features: &["x", "y", "vx", "vy", "cos_h", "sin_h"],
        ..ObservationDefaults::KINEMATICS
    };
    options.extend(observation.options());
    let kinds = &["ContinuousAction", "DiscreteAction"];
    options.extend(ActionDefaults { kind: "ContinuousAction", kinds, ..ActionDefaults::META }.options());
    options
}

struct Parking {
    weights: [f64; 6],
    success: f64,
    collision_reward: f64,
    controlled: usize,
    vehicles: usize,
    add_walls: bool,
}

impl Parking {
    fn new(options: &Options) -> Result<Self> {
        let weights = match options.get("reward_weights") {
            Value::Floats(weights) => weights.clone().try_into().ok(),
            _ => None,
        };
        let weights: Option<[f64; 6]> = weights.filter(|weights: &[f64; 6]| weights.iter().all(|weight| *weight >= 0.0));
        Ok(Self {
            weights: weights
                .ok_or_else(|| Error::value("reward_weights", options.get("reward_weights"), "six numbers from 0"))?,
            success: options.float("success_goal_reward"),
            collision_reward: options.float("collision_reward"),
            controlled: options.int("controlled_vehicles") as usize,
            vehicles: options.int("vehicles_count") as usize,
            add_walls: options.bool("add_walls"),
        })
    }

    /// Returns the reward for the distance from the goal: 0 at the goal, otherwise negative.
    fn goal_reward(&self, world: &World) -> f64 {
        let [achieved, desired] = [world.vehicle(), &world.road.objects[0]].map(goal_features);
        let distance = (0..6).fold(0.0, |sum, index| sum + (achieved[index] - desired[index]).abs() * self.weights[index]);
        -distance.sqrt()
    }
}

/// Returns the number of controlled vehicles that have crashed.
fn crashes(world: &World) -> usize {
    world.controlled.iter().filter(|number| world.road.vehicles[**number as usize].crashed).count()
}

impl Scenario for Parking {
    fn colors_controlled(&self) -> bool {
        true
    }

    fn model(&self) -> RoadModel {
        let mut network = NetworkBuilder::default();
        for spot in 0..14 {
            let x = f64::from(spot + 1 - 7) * 4.0 - 2.0;
            let lane = |end: f64, start: f64| Lane::straight([x, start], [x, end]).lines(Continuous, Continuous);
            network.add("a", "b", lane(18.0, 10.0));
            network.add("b", "c", lane(-18.0, -10.0));
        }
        RoadModel { network: network.build(), ..RoadModel::default() }
    }

    fn create_vehicles(&self, core: &Core, world: &mut World, rng: &mut Generator) {
        let network = &core.model.network;
        let mut empty: Vec<u16> = (0..network.lanes().len() as u16).collect();
        for number in 0..self.controlled {
            let x = (number as f64 - (self.controlled / 2) as f64) * 10.0;
            let ego = core.action.vehicle(&core.model, [x, 0.0], 2.0 * PI * rng.uniform(0.0, 1.0), 0.0);
            empty.retain(|lane| *lane != ego.lane);
            world.add_controlled(ego);
        }
        for _ in 0..self.controlled {
            let lane = network.lane(empty.remove(rng.choice(empty.len())));
            let position = lane.position(lane.length / 2.0, 0.0);
            world.road.objects.push(Vehicle::new(network, Kind::Landmark, position, lane.heading_at(0.0), 0.0));
        }
        for _ in 0..self.vehicles.min(empty.len()) {
            let lane = empty.remove(rng.choice(empty.len()));
            world.road.vehicles.push(Vehicle::on_lane(network, Kind::Kinematic, lane, 4.0, 0.0));
        }
        if self.add_walls {
            let walls = [
                ([0.0, -21.0], 0.0, 70.0),
                ([0.0, 21.0], 0.0, 70.0),
                ([-35.0, 0.0], PI / 2.0, 42.0),
                ([35.0, 0.0], PI / 2.0, 42.0),
            ];
            for (position, heading, length) in walls {
                let wall = Vehicle::new(network, Kind::Obstacle, position, heading, 0.0);
                world.road.objects.push(wall.of_size(length, 1.0));
            }
        }
    }

    fn reward(&self, _core: &Core, world: &mut World, _action: Option<VehicleAction<'_>>) -> f64 {
        let reward = self.goal_reward(world);
        world.set_rewards(&[f64::from(u8::from(reward > -self.success))]);
        reward + self.collision_reward * crashes(world) as f64
    }

    fn is_terminated(&self, _core: &Core, world: &World) -> bool {
        crashes(world) > 0 || world.rewards[0] > 0.0
    }
}
