//! `exit-v0`: a highway that the agent must leave in time.

use std::f64::consts::PI;

use envpool_rs_engine::{OptionSpec, Options, Result};
use envpool_rs_numeric::random::Generator;
use envpool_rs_sim_highway::math::{clip, lmap};
use envpool_rs_sim_highway::{Lane, NetworkBuilder, RoadModel, Vehicle};

use super::highway::create_random;
use crate::action::{ActionDefaults, VehicleAction};
use crate::observation::ObservationDefaults;
use crate::picture::View;
use crate::scenario::{
    CONNECTED, Core, Scenario, ScenarioClass, World, agent_options, common_options, idm_vehicle, normalization, range_option,
    reward_option, weighted_sum,
};

/// `exit-v0`.
pub static EXIT: ScenarioClass = ScenarioClass {
    tasks: &[("exit-v0", &[], None), ("Exit-v0", &[], None), ("exit-v1", CONNECTED, None)],
    options,
    new: |options| Ok(Box::new(Exit::new(options)?)),
    reward_names: &["collision_reward", "goal_reward", "high_speed_reward", "right_lane_reward"],
};

fn options() -> Vec<OptionSpec> {
    let mut options = vec![
        OptionSpec::new("lanes_count", 6, "number of lanes").integers(2..=8).per_episode(),
        OptionSpec::new("vehicles_count", 20, "number of other vehicles").integers(0..=500).per_episode(),
        OptionSpec::new("ego_spacing", 2.0, "distance of the controlled vehicle from the one behind, relative to others'")
            .numbers(0.0..=100.0)
            .per_episode(),
        OptionSpec::new("vehicles_density", 1.5, "density of vehicles").numbers(0.01..=100.0).per_episode(),
        reward_option("collision_reward", 0.0, "reward of a collision"),
        reward_option("goal_reward", 1.0, "reward of the lane of the exit"),
        reward_option("high_speed_reward", 0.1, "reward of the full speed; less at lower speeds"),
        reward_option("right_lane_reward", 0.0, "reward of each lane to the right"),
        OptionSpec::new("reward_speed_range", vec![20.0, 30.0], "speeds without and with the whole reward, in m/s").per_episode(),
        OptionSpec::new("normalized_reward", true, "whether rewards are mapped to 0..1, and clipped").per_episode(),
    ];
    const UNUSED: &str = "without effect, as in the package";
    options.push(OptionSpec::optional("initial_lane_id", 0, UNUSED).per_episode());
    options.push(reward_option("lane_change_reward", 0.0, UNUSED));
    options.push(OptionSpec::new("offroad_terminal", false, UNUSED).per_episode());
    options.extend(agent_options(1, 50, false));
    options.extend(common_options(5, 1.0, Some(18.0), &View { scaling: 5.0, ..View::WIDE }));
    let features = &["presence", "x", "y", "vx", "vy", "cos_h", "sin_h"];
    let observation = ObservationDefaults {
        kind: "ExitObservation",
        kinds: &["ExitObservation", "Kinematics", "OccupancyGrid", "TimeToCollision", "LidarObservation"],
        vehicles_count: 15,
        features,
        clip: false,
        ..ObservationDefaults::KINEMATICS
    };
    options.extend(observation.options());
    options.extend(ActionDefaults { target_speeds: [18.0, 24.0, 30.0], ..ActionDefaults::META }.options());
    options
}

struct Exit {
    lanes: usize,
    vehicles: usize,
    controlled: usize,
    ego_spacing: f64,
    density: f64,
    weights: [f64; 4],
    speed_range: [f64; 2],
    normalization: Option<[f64; 2]>,
}

impl Exit {
    fn new(options: &Options) -> Result<Self> {
        let weights: Vec<f64> = EXIT.reward_names.iter().map(|name| options.float(name)).collect();
        let weights: [f64; 4] = weights.try_into().expect("four rewards");
        Ok(Self {
            lanes: options.int("lanes_count") as usize,
            vehicles: options.int("vehicles_count") as usize,
            controlled: options.int("controlled_vehicles") as usize,
            ego_spacing: options.float("ego_spacing"),
            density: options.float("vehicles_density"),
            weights,
            speed_range: range_option(options, "reward_speed_range")?,
            normalization: normalization(options, weights[0], weights[1])?,
        })
    }
}

impl Scenario for Exit {
    fn model(&self) -> RoadModel {
        let mut network = NetworkBuilder::default();
        for (nodes, lanes, start, length) in [
            (("0", "1"), self.lanes, 0.0, 400.0),
            (("1", "2"), self.lanes + 1, 400.0, 100.0),
            (("2", "3"), self.lanes, 500.0, 500.0),
        ] {
            network.add_straight_with(nodes, lanes, start, length, |lane| 26.0 - 3.4 * lane as f64);
        }
        let center = [500.0, self.lanes as f64 * 4.0 + 150.0];
        network.add("2", "exit", Lane::circular(center, 150.0, 3.0 * PI / 2.0, 2.0 * PI, true).forbid());
        RoadModel { network: network.build(), ..RoadModel::default() }
    }

    fn create_vehicles(&self, core: &Core, world: &mut World, rng: &mut Generator) {
        let model = &core.model;
        let road = model.network.road("0", "1");
        for _ in 0..self.controlled {
            let (position, heading, speed) = create_random(model, world, (road, Some(0), Some(25.0)), self.ego_spacing, rng);
            world.add_controlled(core.action.vehicle(model, position, heading, speed));
        }
        let sum = (self.lanes * (self.lanes - 1) / 2) as f64;
        let probabilities: Vec<f64> = (0..self.lanes).map(|lane| lane as f64 / sum).collect();
        for _ in 0..self.vehicles {
            let lane = rng.choice_weighted(&probabilities);
            let limit = model.network.lane(road.lane(lane)).speed_limit;
            let at = (road, Some(lane), Some(limit));
            let (position, heading, speed) = create_random(model, world, at, 1.0 / self.density, rng);
            let mut vehicle = idm_vehicle(model, position, heading, speed);
            vehicle.plan_route_to(&model.network, "3");
            vehicle.changes_lanes = false;
            world.road.vehicles.push(vehicle);
        }
    }

    fn reward(&self, core: &Core, world: &mut World, _action: Option<VehicleAction<'_>>) -> f64 {
        let network = &core.model.network;
        let vehicle: &Vehicle = world.vehicle();
        let lane = if vehicle.is_controlled() { vehicle.target_lane } else { vehicle.lane };
        let is_success = lane == network.road("1", "2").lane(self.lanes) || lane == network.road("2", "exit").first;
        let components = [
            f64::from(u8::from(vehicle.crashed)),
            f64::from(u8::from(is_success)),
            clip(lmap(vehicle.speed, self.speed_range, [0.0, 1.0]), 0.0, 1.0),
            network.index_of(lane) as f64,
        ];
        world.set_rewards(&components);
        let reward = weighted_sum(&components, &self.weights);
        match self.normalization {
            Some(range) => clip(lmap(reward, range, [0.0, 1.0]), 0.0, 1.0),
            None => reward,
        }
    }

    fn is_terminated(&self, _core: &Core, world: &World) -> bool {
        world.vehicle().crashed
    }
}
