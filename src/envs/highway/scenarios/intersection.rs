//! `intersection-v0`, `intersection-v1` and `intersection-multi-agent-v0`: an intersection with priorities, which vehicles
//! enter all the time.

use std::f64::consts::PI;

use envpool_rs_engine::{OptionSpec, Options, Result, Value};
use envpool_rs_numeric::random::Generator;
use envpool_rs_sim_highway::LineType::{Continuous, None as NoLine, Striped};
use envpool_rs_sim_highway::math::{Vector, clip, lmap, norm, radians, sub};
use envpool_rs_sim_highway::{IdmParameters, Kind, Lane, NetworkBuilder, RoadModel, Vehicle};

use crate::action::{ActionDefaults, VehicleAction};
use crate::observation::ObservationDefaults;
use crate::picture::View;
use crate::scenario::{
    CONNECTED, Core, Scenario, ScenarioClass, World, agent_options, common_options, normalization, randomize_behavior,
    range_option, reward_option, weighted_sum,
};

/// `intersection-v0`: the agent chooses among three speeds.
pub static INTERSECTION: ScenarioClass = ScenarioClass {
    tasks: &[("intersection-v0", &[], None), ("Intersection-v0", &[], None), ("intersection-v2", CONNECTED, None)],
    options: || options(false, None),
    new: |options| Ok(Box::new(Intersection::new(options)?)),
    reward_names: &["collision_reward", "high_speed_reward", "arrived_reward", "on_road_reward"],
};

/// `intersection-v1`: the agent controls throttle and steering of a vehicle with friction.
pub static CONTINUOUS_INTERSECTION: ScenarioClass = ScenarioClass {
    tasks: &[("intersection-v1", &[], None), ("Intersection-v1", &[], None)],
    options: || options(true, None),
    new: INTERSECTION.new,
    reward_names: INTERSECTION.reward_names,
};

/// `intersection-multi-agent-v0`: two agents with one reward.
pub static MULTI_AGENT_INTERSECTION: ScenarioClass = ScenarioClass {
    tasks: &[("intersection-multi-agent-v0", &[], None), ("IntersectionMultiAgent-v0", &[], None)],
    options: || options(false, Some(false)),
    new: INTERSECTION.new,
    reward_names: INTERSECTION.reward_names,
};

/// `intersection-multi-agent-v1`: two agents with their own rewards.
pub static INDIVIDUAL_INTERSECTION: ScenarioClass = ScenarioClass {
    tasks: &[
        ("intersection-multi-agent-v1", &[], None),
        ("IntersectionMultiAgent-v1", &[], None),
        ("intersection-multi-agent-v2", CONNECTED, None),
    ],
    options: || options(false, Some(true)),
    new: INTERSECTION.new,
    reward_names: INTERSECTION.reward_names,
};

/// Returns the options; `individual` is whether each of two agents has its own reward, `None` for one agent.
fn options(is_continuous: bool, individual: Option<bool>) -> Vec<OptionSpec> {
    let mut options = vec![
        OptionSpec::new("destination", "o1", "node to reach: o0 south, o1 west, o2 north, o3 east; None: a random one")
            .or(Value::None)
            .one_of(&["o0", "o1", "o2", "o3"])
            .per_episode(),
        OptionSpec::new("initial_vehicle_count", 10, "vehicles that may be there at the start").integers(1..=100).per_episode(),
        OptionSpec::new("spawn_probability", 0.6, "probability that a vehicle enters in a step").probability().per_episode(),
        reward_option("collision_reward", -5.0, "reward of a collision"),
        reward_option("high_speed_reward", 1.0, "reward of the full speed; less at lower speeds"),
        reward_option("arrived_reward", 1.0, "reward of an arrival, instead of the others"),
        OptionSpec::new("reward_speed_range", vec![7.0, 9.0], "speeds without and with the whole reward, in m/s").per_episode(),
        OptionSpec::new("normalized_reward", false, "whether rewards are mapped to 0..1").per_episode(),
        OptionSpec::new("offroad_terminal", false, "whether an episode ends off the road").per_episode(),
    ];
    options.extend(agent_options(if individual.is_some() { 2 } else { 1 }, 8, individual.is_some()));
    let own = individual.unwrap_or(false);
    options.push(OptionSpec::new("individual_rewards", own, "whether each agent gets its own reward, instead of the mean"));
    options.extend(common_options(15, 1.0, Some(13.0), &View { size: (600, 600), scaling: 5.5 * 1.3, centering: [0.5, 0.6] }));
    let features: &[&str] = match is_continuous {
        false => &["presence", "x", "y", "vx", "vy", "cos_h", "sin_h"],
        true => &["presence", "x", "y", "vx", "vy", "long_off", "lat_off", "ang_off"],
    };
    let observation = ObservationDefaults {
        vehicles_count: if is_continuous { 5 } else { 15 },
        features,
        features_range: &[("x", 100.0), ("y", 100.0), ("vx", 20.0), ("vy", 20.0)],
        absolute: true,
        ..ObservationDefaults::KINEMATICS
    };
    options.extend(observation.options());
    let action = match is_continuous {
        false => ActionDefaults { lateral: false, ..ActionDefaults::META },
        true => {
            let steering_range = [-PI / 3.0, PI / 3.0];
            ActionDefaults { kind: "ContinuousAction", steering_range, dynamical: true, ..ActionDefaults::META }
        }
    };
    options.extend(ActionDefaults { target_speeds: [0.0, 4.5, 9.0], ..action }.options());
    options
}

struct Intersection {
    destination: Option<String>,
    controlled: usize,
    initial_vehicles: usize,
    spawn_probability: f64,
    weights: [f64; 3],
    speed_range: [f64; 2],
    normalization: Option<[f64; 2]>,
    offroad_terminal: bool,
}

impl Intersection {
    fn new(options: &Options) -> Result<Self> {
        let weights = ["collision_reward", "high_speed_reward", "arrived_reward"].map(|name| options.float(name));
        Ok(Self {
            destination: options.text("destination").map(str::to_owned),
            controlled: options.int("controlled_vehicles") as usize,
            initial_vehicles: options.int("initial_vehicle_count") as usize,
            spawn_probability: options.float("spawn_probability"),
            weights,
            speed_range: range_option(options, "reward_speed_range")?,
            normalization: normalization(options, weights[0], weights[2])?,
            offroad_terminal: options.bool("offroad_terminal"),
        })
    }
}

fn network() -> NetworkBuilder {
    const WIDTH: f64 = 4.0;
    const RIGHT_RADIUS: f64 = WIDTH + 5.0;
    const LEFT_RADIUS: f64 = RIGHT_RADIUS + WIDTH;
    const OUTER: f64 = RIGHT_RADIUS + WIDTH / 2.0;
    const ACCESS: f64 = 50.0 + 50.0;
    let mut network = NetworkBuilder::default();
    for corner in 0..4 {
        let angle = radians(90.0 * f64::from(corner));
        let priority = if corner % 2 == 1 { 3 } else { 1 };
        let (c, s) = (angle.cos(), angle.sin());
        let rotated = |x: f64, y: f64| -> Vector { [c * x + -s * y, s * x + c * y] };
        let (outer, inner) = (format!("o{corner}"), format!("ir{corner}"));
        let exit = |turn: i32| format!("il{}", (corner + turn).rem_euclid(4));
        let mut add = |from: &str, to: &str, lane: Lane, left, right, priority| {
            network.add(from, to, lane.lines(left, right).prior(priority).limit(10.0));
        };
        let (start, end) = (rotated(WIDTH / 2.0, ACCESS + OUTER), rotated(WIDTH / 2.0, OUTER));
        add(&outer, &inner, Lane::straight(start, end), Striped, Continuous, priority);
        let (from, to) = (angle + radians(180.0), angle + radians(270.0));
        let right = Lane::circular(rotated(OUTER, OUTER), RIGHT_RADIUS, from, to, true);
        add(&inner, &exit(-1), right, NoLine, Continuous, priority);
        let center = rotated(-LEFT_RADIUS + WIDTH / 2.0, LEFT_RADIUS - WIDTH / 2.0);
        let left = Lane::circular(center, LEFT_RADIUS, angle + radians(0.0), angle + radians(-90.0), false);
        add(&inner, &exit(1), left, NoLine, NoLine, priority - 1);
        let straight = Lane::straight(rotated(WIDTH / 2.0, OUTER), rotated(WIDTH / 2.0, -OUTER));
        add(&inner, &exit(2), straight, Striped, NoLine, priority);
        let (start, end) = (rotated(ACCESS + OUTER, WIDTH / 2.0), rotated(OUTER, WIDTH / 2.0));
        let last = format!("o{}", (corner - 1).rem_euclid(4));
        add(&exit(-1), &last, Lane::straight(end, start), NoLine, Continuous, priority);
    }
    network
}

/// A vehicle that may enter the road.
struct Spawn {
    longitudinal: f64,
    position_deviation: f64,
    speed_deviation: f64,
    probability: f64,
    goes_straight: bool,
}

impl Spawn {
    fn at(longitudinal: f64, probability: f64) -> Self {
        Self { longitudinal, position_deviation: 1.0, speed_deviation: 1.0, probability, goes_straight: false }
    }

    fn run(&self, core: &Core, world: &mut World, rng: &mut Generator) {
        if rng.random() > self.probability {
            return;
        }
        let route = rng.choice_without_replacement(4, 2);
        let destination = if self.goes_straight { (route[0] + 2) % 4 } else { route[1] };
        let network = &core.model.network;
        let lane = network.road(&format!("o{}", route[0]), &format!("ir{}", route[0])).first;
        let longitudinal = self.longitudinal + 5.0 + rng.standard_normal() * self.position_deviation;
        let speed = 8.0 + rng.standard_normal() * self.speed_deviation;
        let mut vehicle = Vehicle::on_lane(network, Kind::Idm, lane, longitudinal, speed);
        if world.road.vehicles.iter().any(|other| norm(sub(other.position, vehicle.position)) < 15.0) {
            return;
        }
        vehicle.plan_route_to(network, &format!("o{destination}"));
        randomize_behavior(&mut vehicle, rng);
        world.road.vehicles.push(vehicle);
    }
}

/// Returns whether a vehicle is on a lane that leaves the intersection, at least `distance` metres from its start.
fn is_leaving(core: &Core, vehicle: &Vehicle, distance: impl Fn(f64) -> f64) -> bool {
    let network = &core.model.network;
    let road = network.road_of(vehicle.lane);
    network.node_name(road.from).contains("il")
        && network.node_name(road.to).contains('o')
        && vehicle.local[0] >= distance(network.lane(vehicle.lane).length)
}

fn has_arrived(core: &Core, vehicle: &Vehicle) -> bool {
    is_leaving(core, vehicle, |_| 25.0)
}

impl Intersection {
    /// Returns the reward of one controlled vehicle, and its components.
    fn agent_reward(&self, core: &Core, vehicle: &Vehicle) -> (f64, [f64; 4]) {
        let arrived = has_arrived(core, vehicle);
        let components = [
            f64::from(u8::from(vehicle.crashed)),
            clip(lmap(vehicle.speed, self.speed_range, [0.0, 1.0]), 0.0, 1.0),
            f64::from(u8::from(arrived)),
            f64::from(u8::from(vehicle.is_on_road(&core.model.network))),
        ];
        let mut reward = if arrived { self.weights[2] } else { weighted_sum(&components, &self.weights) };
        reward *= components[3];
        if let Some(range) = self.normalization {
            reward = lmap(reward, range, [0.0, 1.0]);
        }
        (reward, components)
    }
}

impl Scenario for Intersection {
    fn model(&self) -> RoadModel {
        let idm = IdmParameters::new(7.0, 6.0, -3.0);
        RoadModel { network: network().build(), idm, is_regulated: true, ..RoadModel::default() }
    }

    fn create_vehicles(&self, core: &Core, world: &mut World, rng: &mut Generator) {
        let step = 80.0 / (self.initial_vehicles as f64 - 1.0);
        for number in 0..self.initial_vehicles - 1 {
            Spawn::at(number as f64 * step, 0.6).run(core, world, rng);
        }
        for _ in 0..3 * core.config.simulation_frequency {
            core.model.act(&mut world.road);
            core.model.step(&mut world.road, 1.0 / core.config.simulation_frequency as f64);
        }
        let challenger = Spawn { position_deviation: 0.1, speed_deviation: 0.0, goes_straight: true, ..Spawn::at(60.0, 1.0) };
        challenger.run(core, world, rng);
        let network = &core.model.network;
        for number in 0..self.controlled {
            let corner = number % 4;
            let lane = network.lane(network.road(&format!("o{corner}"), &format!("ir{corner}")).first);
            let destination = match &self.destination {
                Some(destination) => destination.clone(),
                None => format!("o{}", rng.integers(1, 4)),
            };
            let position = lane.position(60.0 + 5.0 * rng.normal(1.0, 1.0), 0.0);
            let mut ego = core.action.vehicle(&core.model, position, lane.heading_at(60.0), lane.speed_limit);
            if ego.is_controlled() {
                ego.plan_route_to(network, &destination);
            }
            let position = ego.position;
            world.add_controlled(ego);
            world.retain(|vehicle| norm(sub(vehicle.position, position)) >= 20.0);
        }
    }

    fn reward(&self, core: &Core, world: &mut World, _action: Option<VehicleAction<'_>>) -> f64 {
        let count = world.controlled.len() as f64;
        let (mut reward, mut sums) = (0.0, [0.0; 4]);
        for number in &world.controlled {
            let (own, components) = self.agent_reward(core, &world.road.vehicles[*number as usize]);
            reward += own;
            sums.iter_mut().zip(components).for_each(|(sum, component)| *sum += component);
        }
        world.set_rewards(&sums.map(|sum| sum / count));
        reward / count
    }

    fn has_agent_results(&self) -> bool {
        true
    }

    fn agent_result(&self, core: &Core, world: &World, agent: usize) -> (f64, bool) {
        let vehicle = &world.road.vehicles[world.controlled[agent] as usize];
        (self.agent_reward(core, vehicle).0, vehicle.crashed || has_arrived(core, vehicle))
    }

    fn is_terminated(&self, core: &Core, world: &World) -> bool {
        let mut controlled = world.controlled.iter().map(|number| &world.road.vehicles[*number as usize]);
        controlled.clone().any(|vehicle| vehicle.crashed)
            || controlled.all(|vehicle| has_arrived(core, vehicle))
            || self.offroad_terminal && !world.vehicle().is_on_road(&core.model.network)
    }

    fn after_step(&self, core: &Core, world: &mut World, rng: &mut Generator) {
        world.retain(|vehicle| !is_leaving(core, vehicle, |length| length - 4.0 * Vehicle::LENGTH));
        Spawn::at(0.0, self.spawn_probability).run(core, world, rng);
    }
}
