//! `highway-v0` and `highway-fast-v0`: a straight road with several lanes.

use envpool_rs_engine::{OptionSpec, Options, Result, Value};
use envpool_rs_numeric::random::Generator;
use envpool_rs_sim_highway::math::{clip, lmap};
use envpool_rs_sim_highway::{Kind, NetworkBuilder, RoadModel, Vehicle};

use crate::action::{ActionDefaults, VehicleAction};
use crate::observation::ObservationDefaults;
use crate::picture::View;
use crate::scenario::{
    Core, Scenario, ScenarioClass, World, agent_options, common_options, idm_vehicle, normalization, randomize_behavior,
    range_option, reward_option, weighted_sum,
};

/// `highway-v0`.
pub static HIGHWAY: ScenarioClass = ScenarioClass {
    tasks: &[("highway-v0", &[], None), ("Highway-v0", &[], None)],
    options: || options(4, 50, 2.0, (15, 40.0)),
    new: |options| Ok(Box::new(Highway::new(options, false)?)),
    reward_names: &["collision_reward", "right_lane_reward", "high_speed_reward", "on_road_reward"],
};

/// `highway-fast-v0`: fewer vehicles and frames, and only the controlled vehicle looks for collisions.
pub static HIGHWAY_FAST: ScenarioClass = ScenarioClass {
    tasks: &[("highway-fast-v0", &[], None), ("HighwayFast-v0", &[], None)],
    options: || options(3, 20, 1.5, (5, 30.0)),
    new: |options| Ok(Box::new(Highway::new(options, true)?)),
    reward_names: HIGHWAY.reward_names,
};

fn options(lanes: i64, vehicles: i64, spacing: f64, (frequency, duration): (i64, f64)) -> Vec<OptionSpec> {
    let mut options = vec![
        OptionSpec::new("lanes_count", lanes, "number of lanes").integers(1..=50).per_episode(),
        OptionSpec::new("vehicles_count", vehicles, "number of other vehicles").integers(0..=500).per_episode(),
        OptionSpec::optional("initial_lane_id", 0, "lane of the controlled vehicles at the start; None: a random one")
            .integers(0..=49)
            .per_episode(),
        OptionSpec::new("ego_spacing", spacing, "distance of the controlled vehicle from the one behind, relative to others'")
            .numbers(0.0..=100.0)
            .per_episode(),
        OptionSpec::new("vehicles_density", 1.0, "density of vehicles").numbers(0.01..=100.0).per_episode(),
        reward_option("collision_reward", -1.0, "reward of a collision"),
        reward_option("right_lane_reward", 0.1, "reward of the rightmost lane; less on other lanes"),
        reward_option("high_speed_reward", 0.4, "reward of the full speed; less at lower speeds"),
        reward_option("lane_change_reward", 0.0, "without effect, as in the package"),
        OptionSpec::new("reward_speed_range", vec![20.0, 30.0], "speeds without and with the whole reward, in m/s").per_episode(),
        OptionSpec::new("normalized_reward", true, "whether rewards are mapped to 0..1").per_episode(),
        OptionSpec::new("offroad_terminal", false, "whether an episode ends off the road").per_episode(),
    ];
    options.extend(agent_options(1, 50, false));
    options.extend(common_options(frequency, 1.0, Some(duration), &View::WIDE));
    options.extend(ObservationDefaults::KINEMATICS.options());
    options.extend(ActionDefaults::META.options());
    options
}

struct Highway {
    lanes: usize,
    vehicles: usize,
    controlled: usize,
    initial_lane: Option<usize>,
    ego_spacing: f64,
    density: f64,
    weights: [f64; 3],
    speed_range: [f64; 2],
    normalization: Option<[f64; 2]>,
    offroad_terminal: bool,
    is_fast: bool,
}

impl Highway {
    fn new(options: &Options, is_fast: bool) -> Result<Self> {
        let weights = ["collision_reward", "right_lane_reward", "high_speed_reward"].map(|name| options.float(name));
        let lanes = options.int("lanes_count") as usize;
        let initial_lane = match options.get("initial_lane_id") {
            Value::Int(lane) if *lane >= lanes as i64 => {
                return Err(envpool_rs_engine::Error::value("initial_lane_id", lane, format_args!("0 to {}", lanes - 1)));
            }
            Value::Int(lane) => Some(*lane as usize),
            _ => None,
        };
        Ok(Self {
            lanes,
            vehicles: options.int("vehicles_count") as usize,
            controlled: options.int("controlled_vehicles") as usize,
            initial_lane,
            ego_spacing: options.float("ego_spacing"),
            density: options.float("vehicles_density"),
            weights,
            speed_range: range_option(options, "reward_speed_range")?,
            normalization: normalization(options, weights[0], weights[2] + weights[1])?,
            offroad_terminal: options.bool("offroad_terminal"),
            is_fast,
        })
    }
}

/// Draws the place of a vehicle in front of all others, on a random lane unless one is given, and its speed.
pub fn create_random(
    model: &RoadModel,
    world: &World,
    (road, lane, speed): (&envpool_rs_sim_highway::RoadEdge, Option<usize>, Option<f64>),
    spacing: f64,
    rng: &mut Generator,
) -> ([f64; 2], f64, f64) {
    let lane = model.network.lane(road.lane(lane.unwrap_or_else(|| rng.choice(usize::from(road.count)))));
    let speed = speed.unwrap_or_else(|| rng.uniform(0.7 * lane.speed_limit, 0.8 * lane.speed_limit));
    let offset = spacing * (12.0 + 1.0 * speed) * (-5.0 / 40.0 * f64::from(road.count)).exp();
    let along = world.road.vehicles.iter().map(|vehicle| lane.longitudinal(vehicle.position));
    let mut x = along.reduce(f64::max).unwrap_or(3.0 * offset);
    x += offset * rng.uniform(0.9, 1.1);
    (lane.position(x, 0.0), lane.heading_at(x), speed)
}

impl Scenario for Highway {
    fn model(&self) -> RoadModel {
        let mut network = NetworkBuilder::default();
        network.add_straight(("0", "1"), self.lanes, 0.0, 10000.0, 30.0);
        RoadModel { network: network.build(), ..RoadModel::default() }
    }

    fn create_vehicles(&self, core: &Core, world: &mut World, rng: &mut Generator) {
        let model = &core.model;
        let road = &model.network.roads()[0];
        for controlled in 0..self.controlled {
            let at = (road, self.initial_lane, Some(25.0));
            let (position, heading, speed) = create_random(model, world, at, self.ego_spacing, rng);
            world.add_controlled(core.action.vehicle(model, position, heading, speed));
            let others = self.vehicles / self.controlled + usize::from(controlled < self.vehicles % self.controlled);
            for _ in 0..others {
                let (position, heading, speed) = create_random(model, world, (road, None, None), 1.0 / self.density, rng);
                let mut vehicle = idm_vehicle(model, position, heading, speed);
                randomize_behavior(&mut vehicle, rng);
                vehicle.checks_collisions = !self.is_fast;
                world.road.vehicles.push(vehicle);
            }
        }
    }

    fn reward(&self, core: &Core, world: &mut World, _action: Option<VehicleAction<'_>>) -> f64 {
        let network = &core.model.network;
        let vehicle = world.vehicle();
        let lane = if vehicle.is_controlled() { vehicle.target_lane } else { vehicle.lane };
        let lanes = f64::from(network.road_of(vehicle.lane).count);
        let forward_speed = vehicle.speed * vehicle.direction[0];
        let components = [
            f64::from(u8::from(vehicle.crashed)),
            network.index_of(lane) as f64 / (lanes - 1.0).max(1.0),
            clip(lmap(forward_speed, self.speed_range, [0.0, 1.0]), 0.0, 1.0),
            f64::from(u8::from(vehicle.is_on_road(network))),
        ];
        world.set_rewards(&components);
        let mut reward = weighted_sum(&components, &self.weights);
        if let Some(range) = self.normalization {
            reward = lmap(reward, range, [0.0, 1.0]);
        }
        reward * components[3]
    }

    fn is_terminated(&self, core: &Core, world: &World) -> bool {
        let vehicle: &Vehicle = world.vehicle();
        debug_assert!(vehicle.kind != Kind::Obstacle);
        vehicle.crashed || self.offroad_terminal && !vehicle.is_on_road(&core.model.network)
    }
}
