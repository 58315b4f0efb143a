//! `roundabout-v0` and `roundabout-generic-v0`: a roundabout with four accesses.

use std::f64::consts::PI;

use envpool_rs_engine::{OptionSpec, Options, Result, Value};
use envpool_rs_numeric::random::Generator;
use envpool_rs_sim_highway::LineType::{Continuous, None as NoLine, Striped};
use envpool_rs_sim_highway::math::{Vector, lmap, norm, radians, sub};
use envpool_rs_sim_highway::vehicle::speed_to_index;
use envpool_rs_sim_highway::{Kind, Lane, LineType, NetworkBuilder, RoadModel, Vehicle};

use crate::action::{ActionDefaults, VehicleAction};
use crate::observation::ObservationDefaults;
use crate::picture::View;
use crate::scenario::{
    CONNECTED, Core, Scenario, ScenarioClass, World, common_options, normalization, randomize_behavior, reward_option,
    weighted_sum,
};

/// `roundabout-v0`: two lanes, and four other vehicles.
pub static ROUNDABOUT: ScenarioClass = ScenarioClass {
    tasks: &[("roundabout-v0", &[], None), ("Roundabout-v0", &[], None), ("roundabout-v1", CONNECTED, None)],
    options: || options(11.0, 2),
    new: |options| Ok(Box::new(Roundabout::new(options, None)?)),
    reward_names: &["collision_reward", "high_speed_reward", "lane_change_reward", "on_road_reward"],
};

/// `roundabout-generic-v0`: any radius, and any number of lanes and vehicles.
pub static ROUNDABOUT_GENERIC: ScenarioClass = ScenarioClass {
    tasks: &[("roundabout-generic-v0", &[], None), ("roundabout-generic-v1", CONNECTED, None)],
    options: || {
        let mut options = options(17.0, 3);
        options.extend([
            OptionSpec::new("roundabout_radius", 20.0, "radius of the innermost lane in metres")
                .numbers(10.0..=1000.0)
                .per_episode(),
            OptionSpec::new("roundabout_lanes", 2, "number of lanes").integers(1..=20).per_episode(),
            OptionSpec::new("vehicles_count", 5, "number of other vehicles").integers(0..=500).per_episode(),
        ]);
        options
    },
    new: |options| {
        let generic = Generic {
            radius: options.float("roundabout_radius"),
            lanes: options.int("roundabout_lanes") as usize,
            vehicles: options.int("vehicles_count") as usize,
        };
        Ok(Box::new(Roundabout::new(options, Some(generic))?))
    },
    reward_names: ROUNDABOUT.reward_names,
};

fn options(duration: f64, last_destination: i64) -> Vec<OptionSpec> {
    let mut options = vec![
        OptionSpec::optional("incoming_vehicle_destination", 0, "exit of other vehicles: east, south, north, west; None: random")
            .integers(0..=last_destination)
            .per_episode(),
        reward_option("collision_reward", -1.0, "reward of a collision"),
        reward_option("high_speed_reward", 0.2, "reward of the largest target speed; less for others"),
        reward_option("right_lane_reward", 0.0, "without effect, as in the package"),
        reward_option("lane_change_reward", -0.05, "reward of the actions 0 and 2"),
        OptionSpec::new("normalized_reward", true, "whether rewards are mapped to 0..1").per_episode(),
    ];
    options.extend(common_options(15, 1.0, Some(duration), &View { size: (600, 600), centering: [0.5, 0.6], ..View::WIDE }));
    let ranges = &[("x", 100.0), ("y", 100.0), ("vx", 15.0), ("vy", 15.0)];
    options.extend(ObservationDefaults { absolute: true, features_range: ranges, ..ObservationDefaults::KINEMATICS }.options());
    options.extend(ActionDefaults { target_speeds: [0.0, 8.0, 16.0], ..ActionDefaults::NUMBERED }.options());
    options
}

/// Sizes of `roundabout-generic-v0`.
struct Generic {
    radius: f64,
    lanes: usize,
    vehicles: usize,
}

struct Roundabout {
    generic: Option<Generic>,
    destination: Option<usize>,
    weights: [f64; 3],
    normalization: Option<[f64; 2]>,
}

/// Angle between an axis and the accesses next to it, in degrees.
const ALPHA: f64 = 24.0;
/// Nodes of the circle: (s)outh, (e)ast, (n)orth, (w)est (e)ntry or e(x)it; and the angles between them in degrees.
const NODES: [&str; 9] = ["se", "ex", "ee", "nx", "ne", "wx", "we", "sx", "se"];
const ANGLES: [(f64, f64); 8] = [
    (90.0 - ALPHA, ALPHA),
    (ALPHA, -ALPHA),
    (-ALPHA, -90.0 + ALPHA),
    (-90.0 + ALPHA, -90.0 - ALPHA),
    (-90.0 - ALPHA, -180.0 + ALPHA),
    (-180.0 + ALPHA, -180.0 - ALPHA),
    (180.0 - ALPHA, 90.0 + ALPHA),
    (90.0 + ALPHA, 90.0 - ALPHA),
];

impl Roundabout {
    fn new(options: &Options, generic: Option<Generic>) -> Result<Self> {
        let weights = ["collision_reward", "high_speed_reward", "lane_change_reward"].map(|name| options.float(name));
        let destination = match options.get("incoming_vehicle_destination") {
            Value::Int(index) => Some(*index as usize),
            _ => None,
        };
        Ok(Self { generic, destination, weights, normalization: normalization(options, weights[0], weights[1])? })
    }
}

fn add_circle(network: &mut NetworkBuilder, radius: f64, lanes: usize) {
    for lane in 0..lanes {
        let lines = match lane {
            _ if lanes == 1 => (Continuous, Continuous),
            0 => (Continuous, Striped),
            _ if lane == lanes - 1 => (NoLine, Continuous),
            _ => (NoLine, Striped),
        };
        for (part, (from, to)) in ANGLES.into_iter().enumerate() {
            let arc = Lane::circular([0.0, 0.0], radius + 4.0 * lane as f64, radians(from), radians(to), false);
            network.add(NODES[part], NODES[part + 1], arc.lines(lines.0, lines.1));
        }
    }
}

/// An access: nodes of a straight lane, nodes of a curve, and their ends.
type Access = ((&'static str, &'static str), (Vector, Vector), (&'static str, &'static str), (Vector, Vector));

fn plain_network() -> NetworkBuilder {
    let mut network = NetworkBuilder::default();
    add_circle(&mut network, 20.0, 2);
    let (access, dev, a) = (170.0, 85.0, 5.0);
    let start = 0.2 * dev;
    let end = dev - start;
    let w = 2.0 * PI / dev;
    let half = dev / 2.0;
    let entries: [Access; 4] = [
        (("ser", "ses"), ([2.0, access], [2.0, half]), ("ses", "se"), ([2.0 + a, half], [2.0 + a, half - start])),
        (("eer", "ees"), ([access, -2.0], [half, -2.0]), ("ees", "ee"), ([half, -2.0 - a], [half - start, -2.0 - a])),
        (("ner", "nes"), ([-2.0, -access], [-2.0, -half]), ("nes", "ne"), ([-2.0 - a, -half], [-2.0 - a, -half + start])),
        (("wer", "wes"), ([-access, 2.0], [-half, 2.0]), ("wes", "we"), ([-half, 2.0 + a], [-half + start, 2.0 + a])),
    ];
    let exits: [Access; 4] = [
        (("sxs", "sxr"), ([-2.0, half], [-2.0, access]), ("sx", "sxs"), ([-2.0 - a, -half + end], [-2.0 - a, half])),
        (("exs", "exr"), ([half, 2.0], [access, 2.0]), ("ex", "exs"), ([-half + end, 2.0 + a], [half, 2.0 + a])),
        (("nxs", "nxr"), ([2.0, -half], [2.0, -access]), ("nx", "nxs"), ([2.0 + a, half - end], [2.0 + a, -half])),
        (("wxs", "wxr"), ([-half, -2.0], [-access, -2.0]), ("wx", "wxs"), ([half - end, -2.0 - a], [-half, -2.0 - a])),
    ];
    for (entry, exit) in entries.into_iter().zip(exits) {
        let curve = |(from, to): (Vector, Vector), phase| Lane::sine(from, to, a, w, phase).lines(Continuous, Continuous);
        let (straight, ends, nodes, curve_ends) = entry;
        network.add(straight.0, straight.1, Lane::straight(ends.0, ends.1).lines(Striped, Continuous));
        network.add(nodes.0, nodes.1, curve(curve_ends, -PI / 2.0));
        let (straight, ends, nodes, curve_ends) = exit;
        network.add(nodes.0, nodes.1, curve(curve_ends, -PI / 2.0 + w * end));
        network.add(straight.0, straight.1, Lane::straight(ends.0, ends.1).lines(NoLine, Continuous));
    }
    network
}

fn straight(network: &mut NetworkBuilder, nodes: (&str, &str), ends: (Vector, Vector), left: LineType) {
    network.add(nodes.0, nodes.1, Lane::straight(ends.0, ends.1).lines(left, Continuous));
}

/// Adds half a wave of amplitude `a` and a length in metres.
fn curve(network: &mut NetworkBuilder, nodes: (&str, &str), ends: (Vector, Vector), a: f64, length: f64) {
    let lane = Lane::sine(ends.0, ends.1, a, PI / length, -PI / 2.0);
    network.add(nodes.0, nodes.1, lane.lines(Continuous, Continuous));
}

fn generic_network(generic: &Generic) -> NetworkBuilder {
    let mut network = NetworkBuilder::default();
    add_circle(&mut network, generic.radius, generic.lanes);
    let outer = generic.radius + 4.0 * (generic.lanes as f64 - 1.0);
    let point = |degrees: f64| {
        let angle = radians(degrees);
        [outer * angle.cos(), outer * angle.sin()]
    };
    let dev = f64::max(100.0, 2.0 * outer + 40.0);
    let (access, half) = (dev + 40.0, dev / 2.0);
    // Nodes are added in the package's order, because equally close lanes are ranked by it.
    let [se, sx] = [90.0 - ALPHA, 90.0 + ALPHA].map(point);
    let [ee, ex] = [-ALPHA, ALPHA].map(point);
    let [ne, nx] = [-90.0 - ALPHA, -90.0 + ALPHA].map(point);
    let [we, wx] = [180.0 - ALPHA, -180.0 + ALPHA].map(point);
    straight(&mut network, ("ser", "ses"), ([2.0, access], [2.0, half]), Striped);
    let a = (se[0] - 2.0) / 2.0;
    curve(&mut network, ("ses", "se"), ([2.0 + a, half], [2.0 + a, se[1]]), a, half - se[1]);
    let a = (sx[0] + 2.0) / 2.0;
    curve(&mut network, ("sx", "sxs"), ([sx[0] - a, sx[1]], [sx[0] - a, half]), a, half - sx[1]);
    straight(&mut network, ("sxs", "sxr"), ([-2.0, half], [-2.0, access]), NoLine);
    straight(&mut network, ("eer", "ees"), ([access, -2.0], [half, -2.0]), Striped);
    let a = (-2.0 - ee[1]) / 2.0;
    curve(&mut network, ("ees", "ee"), ([half, -2.0 - a], [ee[0], -2.0 - a]), a, half - ee[0]);
    let a = (2.0 - ex[1]) / 2.0;
    curve(&mut network, ("ex", "exs"), ([ex[0], ex[1] + a], [half, ex[1] + a]), a, half - ex[0]);
    straight(&mut network, ("exs", "exr"), ([half, 2.0], [access, 2.0]), NoLine);
    straight(&mut network, ("ner", "nes"), ([-2.0, -access], [-2.0, -half]), Striped);
    let a = (-2.0 - ne[0]) / 2.0;
    curve(&mut network, ("nes", "ne"), ([-2.0 - a, -half], [-2.0 - a, ne[1]]), a, ne[1] - -half);
    let a = (2.0 - nx[0]) / 2.0;
    curve(&mut network, ("nx", "nxs"), ([nx[0] + a, nx[1]], [nx[0] + a, -half]), a, nx[1] - -half);
    straight(&mut network, ("nxs", "nxr"), ([2.0, -half], [2.0, -access]), NoLine);
    straight(&mut network, ("wer", "wes"), ([-access, 2.0], [-half, 2.0]), Striped);
    let a = (we[1] - 2.0) / 2.0;
    curve(&mut network, ("wes", "we"), ([-half, 2.0 + a], [we[0], 2.0 + a]), a, we[0] - -half);
    let a = (wx[1] + 2.0) / 2.0;
    curve(&mut network, ("wx", "wxs"), ([wx[0], wx[1] - a], [-half, wx[1] - a]), a, wx[0] - -half);
    straight(&mut network, ("wxs", "wxr"), ([-half, -2.0], [-access, -2.0]), NoLine);
    network
}

const DESTINATIONS: [&str; 4] = ["exr", "sxr", "nxr", "wxr"];

impl Roundabout {
    fn add_vehicle(
        &self,
        core: &Core,
        world: &mut World,
        (road, lane, longitudinal): ((&str, &str), usize, f64),
        speed: f64,
        destination: impl FnOnce(&mut Generator) -> usize,
        rng: &mut Generator,
    ) {
        let network = &core.model.network;
        let lane = network.road(road.0, road.1).lane(lane);
        let mut vehicle = Vehicle::on_lane(network, Kind::Idm, lane, longitudinal, speed);
        vehicle.plan_route_to(network, DESTINATIONS[destination(rng)]);
        randomize_behavior(&mut vehicle, rng);
        world.road.vehicles.push(vehicle);
    }

    fn create_plain(&self, core: &Core, world: &mut World, rng: &mut Generator) {
        let places = [("we", "sx", 1, 5.0), ("we", "sx", 0, 20.0), ("we", "sx", 0, -20.0), ("eer", "ees", 0, 50.0)];
        for (number, (from, to, lane, place)) in places.into_iter().enumerate() {
            let longitudinal = place + rng.standard_normal() * 2.0;
            let speed = 16.0 + rng.standard_normal() * 2.0;
            // The option decides for the first vehicle only, as in the package.
            let fixed = self.destination.filter(|_| number == 0);
            let destination = |rng: &mut Generator| fixed.unwrap_or_else(|| rng.choice(3));
            self.add_vehicle(core, world, ((from, to), lane, longitudinal), speed, destination, rng);
        }
    }

    fn create_generic(&self, core: &Core, world: &mut World, vehicles: usize, rng: &mut Generator) {
        const LANES: [(&str, &str); 7] =
            [("we", "sx"), ("sx", "se"), ("ee", "nx"), ("nx", "ne"), ("eer", "ees"), ("ner", "nes"), ("wer", "wes")];
        let network = &core.model.network;
        let mut points = vec![world.vehicle().position];
        for _ in 0..vehicles {
            for _ in 0..10 {
                let nodes = LANES[rng.integers(0, 7) as usize];
                let road = network.road(nodes.0, nodes.1);
                let index = rng.integers(0, i64::from(road.count)) as usize;
                let lane = network.lane(road.lane(index));
                let far = lane.length - 5.0;
                let longitudinal = rng.uniform(5.0, if far > 5.0 { far } else { 5.0 });
                let position = lane.position(longitudinal, 0.0);
                if points.iter().any(|point| norm(sub(position, *point)) < 7.0) {
                    continue;
                }
                let speed = 14.0 + rng.standard_normal() * 2.0;
                let destination = |rng: &mut Generator| self.destination.unwrap_or_else(|| rng.integers(0, 4) as usize);
                self.add_vehicle(core, world, (nodes, index, longitudinal), speed, destination, rng);
                points.push(position);
                break;
            }
        }
    }
}

impl Scenario for Roundabout {
    fn model(&self) -> RoadModel {
        let network = self.generic.as_ref().map_or_else(plain_network, generic_network);
        RoadModel { network: network.build(), ..RoadModel::default() }
    }

    fn create_vehicles(&self, core: &Core, world: &mut World, rng: &mut Generator) {
        let network = &core.model.network;
        let lane = network.lane(network.road("ser", "ses").first);
        let (place, heading_place) = if self.generic.is_some() { (lane.length - 2.5, lane.length - 2.5) } else { (125.0, 140.0) };
        let heading = lane.heading_at(heading_place);
        let mut ego = core.action.vehicle(&core.model, lane.position(place, 0.0), heading, 8.0);
        if ego.is_controlled() {
            ego.plan_route_to(network, "nxs");
        }
        world.add_controlled(ego);
        match &self.generic {
            None => self.create_plain(core, world, rng),
            Some(generic) => self.create_generic(core, world, generic.vehicles, rng),
        }
    }

    fn reward(&self, core: &Core, world: &mut World, action: Option<VehicleAction<'_>>) -> f64 {
        let vehicle = world.vehicle();
        let index =
            if vehicle.is_controlled() { vehicle.speed_index } else { speed_to_index(vehicle.speed, &[20.0, 25.0, 30.0]) };
        let components = [
            f64::from(u8::from(vehicle.crashed)),
            index as f64 / 2.0,
            f64::from(u8::from(matches!(action, Some(VehicleAction::Number(0 | 2))))),
            f64::from(u8::from(vehicle.is_on_road(&core.model.network))),
        ];
        world.set_rewards(&components);
        let mut reward = weighted_sum(&components, &self.weights);
        if let Some(range) = self.normalization {
            reward = lmap(reward, range, [0.0, 1.0]);
        }
        reward * components[3]
    }

    fn is_terminated(&self, _core: &Core, world: &World) -> bool {
        world.vehicle().crashed
    }
}
