//! `racetrack-v0`, `racetrack-large-v0` and `racetrack-oval-v0`: closed tracks with several lanes.

use envpool_rs_engine::{Error, OptionSpec, Options, Result};
use envpool_rs_numeric::random::Generator;
use envpool_rs_sim_highway::LineType::{self, Continuous, Striped};
use envpool_rs_sim_highway::math::{Vector, lmap, norm, pow2, radians, sub};
use envpool_rs_sim_highway::{Kind, Lane, LaneId, NetworkBuilder, RoadModel, RoadNetwork, Shape, Vehicle};

use crate::action::{ActionDefaults, Norm, VehicleAction};
use crate::observation::ObservationDefaults;
use crate::picture::View;
use crate::scenario::{
    CONNECTED, Core, Scenario, ScenarioClass, World, agent_options, agents, common_options, idm_vehicle, reward_option,
    weighted_sum,
};

/// `racetrack-v0`.
pub static RACETRACK: ScenarioClass = ScenarioClass {
    tasks: &[("racetrack-v0", &[], None), ("Racetrack-v0", &[], ENVPOOL_LIMIT), ("racetrack-v1", CONNECTED, None)],
    options: || options(vec![]),
    new: |options| Ok(Box::new(Racetrack::new(options, Track::Small)?)),
    reward_names: &["lane_centering_reward", "action_reward", "collision_reward", "on_road_reward"],
};

/// `racetrack-large-v0`: a longer track with three lanes.
pub static RACETRACK_LARGE: ScenarioClass = ScenarioClass {
    tasks: &[
        ("racetrack-large-v0", &[], None),
        ("RacetrackLarge-v0", &[], ENVPOOL_LIMIT),
        ("racetrack-large-v1", CONNECTED, None),
    ],
    options: || options(vec![]),
    new: |options| Ok(Box::new(Racetrack::new(options, Track::Large(options.float("speed_limit")))?)),
    reward_names: RACETRACK.reward_names,
};

/// `racetrack-oval-v0`: an oval of any length and number of lanes, optionally with roadblocks.
pub static RACETRACK_OVAL: ScenarioClass = ScenarioClass {
    tasks: &[("racetrack-oval-v0", &[], None), ("RacetrackOval-v0", &[], ENVPOOL_LIMIT), ("racetrack-oval-v1", CONNECTED, None)],
    options: || {
        options(vec![
            OptionSpec::new("length", 100.0, "length of the straight parts in m").numbers(1.0..=10_000.0).per_episode(),
            OptionSpec::new("no_lanes", 3, "number of lanes").integers(2..=20).per_episode(),
            OptionSpec::new("block_lane", false, "whether obstacles block the second lane").per_episode(),
            OptionSpec::new("force_decision", false, "whether obstacles block the first and the third lane").per_episode(),
        ])
    },
    new: |options| {
        let track = Track::Oval {
            length: options.float("length"),
            lanes: options.int("no_lanes") as usize,
            block_lane: options.bool("block_lane"),
            force_decision: options.bool("force_decision"),
        };
        Ok(Box::new(Racetrack::new(options, track)?))
    },
    reward_names: RACETRACK.reward_names,
};

/// EnvPool ends episodes after this number of steps. The package needs one step more, because its sum of 0.2 s rounds down.
const ENVPOOL_LIMIT: Option<u32> = Some(1500);

fn options(own: Vec<OptionSpec>) -> Vec<OptionSpec> {
    let mut options = vec![
        reward_option("collision_reward", -1.0, "reward of a collision"),
        OptionSpec::new("lane_centering_cost", 4.0, "weight of the squared distance from the lane's centre").per_episode(),
        reward_option("lane_centering_reward", 1.0, "reward of the lane's centre; less on its sides"),
        reward_option("action_reward", -0.3, "reward of the action's norm"),
        OptionSpec::new(
            "other_vehicles",
            1,
            "one more than the largest number of vehicles besides the one in front; 0: none at all",
        )
        .integers(0..=500)
        .per_episode(),
        OptionSpec::new("terminate_off_road", true, "whether an episode ends off the road").per_episode(),
    ];
    let limit = "speed limit of racetrack-large-v0 in m/s; without effect elsewhere, as in the package";
    options.push(OptionSpec::new("speed_limit", 10.0, limit).numbers(0.1..=1000.0).per_episode());
    options.extend(own);
    options.extend(agent_options(1, 50, false));
    options.extend(common_options(15, 5.0, Some(300.0), &View { size: (600, 600), centering: [0.5, 0.5], ..View::WIDE }));
    let observation =
        ObservationDefaults { kind: "OccupancyGrid", features: &["presence", "on_road"], ..ObservationDefaults::KINEMATICS };
    options.extend(observation.options());
    let action = ActionDefaults {
        kind: "ContinuousAction",
        kinds: &["ContinuousAction", "DiscreteAction"],
        longitudinal: false,
        target_speeds: [0.0, 5.0, 10.0],
        ..ActionDefaults::META
    };
    options.extend(action.options());
    options
}

/// Largest number of agents. The norm of more than 31 components of actions is rounded differently by each processor.
const MOST_AGENTS: usize = 15;

enum Track {
    Small,
    /// With the speed limit.
    Large(f64),
    Oval {
        length: f64,
        lanes: usize,
        block_lane: bool,
        force_decision: bool,
    },
}

struct Racetrack {
    track: Track,
    /// Weights of the lane's centre, the action and a collision.
    weights: [f64; 3],
    centering_cost: f64,
    controlled: usize,
    other_vehicles: i64,
    terminate_off_road: bool,
}

impl Racetrack {
    fn new(options: &Options, track: Track) -> Result<Self> {
        let weights = ["lane_centering_reward", "action_reward", "collision_reward"].map(|name| options.float(name));
        if weights[2] == 1.0 {
            return Err(Error::value("collision_reward", 1.0, "a number other than 1, the reward that is mapped to 1"));
        }
        if agents(options)? > MOST_AGENTS {
            let allowed = format_args!("at most {MOST_AGENTS} with multi_agent=True");
            return Err(Error::value("controlled_vehicles", options.int("controlled_vehicles"), allowed));
        }
        Ok(Self {
            track,
            weights,
            centering_cost: options.float("lane_centering_cost"),
            controlled: options.int("controlled_vehicles") as usize,
            other_vehicles: options.int("other_vehicles"),
            terminate_off_road: options.bool("terminate_off_road"),
        })
    }
}

const WIDTH: f64 = 5.0;

fn segment(start: Vector, end: Vector) -> Lane {
    Lane::straight(start, end).wide(WIDTH)
}

/// Returns an arc between two angles in degrees, which runs clockwise in pictures if the second one is greater.
fn arc(center: Vector, radius: f64, start: f64, end: f64) -> Lane {
    Lane::circular(center, radius, radians(start), radians(end), end > start).wide(WIDTH)
}

/// Lines on the left and right side of a lane.
type Lines = (LineType, LineType);

/// Adds the lanes of a road, whose name has two letters.
fn add(network: &mut NetworkBuilder, road: &str, speed_limit: f64, lanes: impl IntoIterator<Item = (Lane, Lines)>) {
    for (lane, (left, right)) in lanes {
        network.add(&road[..1], &road[1..], lane.lines(left, right).limit(speed_limit));
    }
}

fn small() -> NetworkBuilder {
    let mut network = NetworkBuilder::default();
    let mut add = |road: &str, lanes: [Lane; 2]| {
        let lines = match road {
            "ab" => [(Continuous, Striped), (Striped, Continuous)],
            "ef" | "ia" => [(Continuous, Striped), (LineType::None, Continuous)],
            _ => [(Continuous, LineType::None), (Striped, Continuous)],
        };
        add(&mut network, road, 10.0, lanes.into_iter().zip(lines));
    };
    add("ab", [0.0, 5.0].map(|y| segment([42.0, y], [100.0, y])));
    add("bc", [20.0, 25.0].map(|radius| arc([100.0, -20.0], radius, 90.0, -1.0)));
    add("cd", [120.0, 125.0].map(|x| segment([x, -20.0], [x, -30.0])));
    add("de", [15.0, 20.0].map(|radius| arc([105.0, -30.0], radius, 0.0, -181.0)));
    add("ef", [(20.0, 136.0), (15.0, 137.0)].map(|(radius, end)| arc([70.0, -30.0], radius, 0.0, end)));
    add("fg", [segment([55.7, -15.7], [35.7, -35.7]), segment([59.3934, -19.2], [39.3934, -39.2])]);
    add("gh", [(25.0, 170.0), (30.0, 165.0)].map(|(radius, end)| arc([18.1, -18.1], radius, 315.0, end)));
    add("hi", [(25.0, 56.0), (30.0, 58.0)].map(|(radius, end)| arc([18.1, -18.1], radius, 170.0, end)));
    add("ia", [(23.5, 240.0, 270.0), (18.5, 238.0, 268.0)].map(|(radius, start, end)| arc([43.2, 23.4], radius, start, end)));
    network
}

fn large(speed_limit: f64) -> NetworkBuilder {
    let mut network = NetworkBuilder::default();
    let mut add = |road: &str, lanes: [Lane; 3]| {
        let first = if road == "ab" { Striped } else { LineType::None };
        let lines = [(Continuous, first), (Striped, Striped), (LineType::None, Continuous)];
        add(&mut network, road, speed_limit, lanes.into_iter().zip(lines));
    };
    add("ab", [0.0, 5.0, 10.0].map(|y| segment([42.0, y], [200.0, y])));
    add("bc", [20.0, 25.0, 30.0].map(|radius| arc([200.0, -20.0], radius, 90.0, -1.0)));
    add("cd", [220.0, 225.0, 230.0].map(|x| segment([x, -20.0], [x, -61.0])));
    add("de", [15.0, 20.0, 25.0].map(|radius| arc([205.0, -60.0], radius, 0.0, -181.0)));
    add("ef", [(20.0, 136.0), (15.0, 137.0), (10.0, 137.0)].map(|(radius, end)| arc([170.0, -60.0], radius, 0.0, end)));
    let extended = |x: f64, y: f64| [x + -30.0, y + -30.0];
    let [starts, ends] = [[[155.7, -45.7], [159.3934, -49.2]], [extended(135.7, -65.7), extended(139.3934, -69.2)]]
        .map(|[first, second]: [Vector; 2]| [first, second, [0, 1].map(|axis| first[axis] + 2.0 * (second[axis] - first[axis]))]);
    add("fg", [0, 1, 2].map(|lane| segment(starts[lane], ends[lane])));
    let (center, turn) = (extended(118.1, -48.1), 205.0);
    let radii = [25.0, 30.0, 35.0];
    add("gh", [0, 1, 2].map(|lane| arc(center, radii[lane], 317.0, if lane == 0 { turn - 3.0 } else { turn })));
    let (away, last): (f64, f64) = (radians(turn), radians(30.0));
    let ends = [15.0, 20.0, 25.0].map(|radius| [42.0 - radius * last.cos(), -15.0 - radius * last.sin()]);
    let start = |radius: f64| [center[0] + radius * away.cos(), center[1] + radius * away.sin()];
    add("hi", [0, 1, 2].map(|lane| segment(start(radii[lane]), ends[lane])));
    let arcs = [(15.0, 210.0, 88.0), (20.0, 210.0, 90.0), (25.0, 212.0, 88.0)];
    add("ia", arcs.map(|(radius, start, end)| arc([42.0, -15.0], radius, start, end)));
    network
}

fn oval(length: f64, lanes: usize) -> NetworkBuilder {
    let mut network = NetworkBuilder::default();
    let mut add = |road: &str, lane: &dyn Fn(f64) -> Lane| {
        let lines = |number: usize| match number {
            0 => (Continuous, if road == "ab" { Striped } else { LineType::None }),
            _ if number + 1 == lanes || road == "ha" => (Striped, Continuous),
            _ => (Striped, LineType::None),
        };
        add(&mut network, road, 10.0, (0..lanes).map(|number| (lane(number as f64 * 5.0), lines(number))));
    };
    add("ab", &|side| segment([0.0, side], [length + 1.0, side]));
    add("bc", &|side| arc([length, -20.0], 20.0 + side, 90.0, 0.0));
    add("cd", &|side| segment([length + 20.0 + side, -20.0], [length + 20.0 + side, -50.0]));
    add("de", &|side| arc([length + 5.0, -50.0], 15.0 + side, 0.0, -90.0));
    add("ef", &|side| segment([length + 5.0, -(65.0 + side)], [-5.0, -(65.0 + side)]));
    add("fg", &|side| arc([-5.0, -50.0], 15.0 + side, -90.0, -180.0));
    add("gh", &|side| segment([-20.0 - side, -50.0], [-20.0 - side, -20.0]));
    add("ha", &|side| arc([0.0, -20.0], 20.0 + side, 180.0, 90.0));
    network
}

/// Draws a lane (`random_lane_index`).
fn random_lane(network: &RoadNetwork, rng: &mut Generator) -> LaneId {
    // Each node has one road.
    let road = &network.roads()[rng.choice(network.roads().len())];
    road.lane(rng.integers(0, i64::from(road.count)) as usize)
}

impl Scenario for Racetrack {
    fn model(&self) -> RoadModel {
        let network = match self.track {
            Track::Small => small(),
            Track::Large(speed_limit) => large(speed_limit),
            Track::Oval { length, lanes, .. } => oval(length, lanes),
        };
        RoadModel { network: network.build(), ..RoadModel::default() }
    }

    fn create_vehicles(&self, core: &Core, world: &mut World, rng: &mut Generator) {
        let network = &core.model.network;
        if let Track::Oval { length, block_lane, force_decision, .. } = self.track {
            let blocked = [40.0, 43.0, 46.0, 49.0].into_iter().flat_map(|back| [[length - back, 3.75], [length - back, 6.25]]);
            let forced = [-1.25, 1.25, 8.85, 11.25].into_iter().map(|y| [length - 90.0, y]);
            let places = blocked.filter(|_| block_lane).chain(forced.filter(|_| force_decision));
            world.road.objects.extend(places.map(|place| Vehicle::new(network, Kind::Obstacle, place, 0.0, 0.0)));
        }
        // The package never chooses the third lane of the larger track.
        let lanes = if let Track::Oval { lanes, .. } = self.track { lanes as i64 } else { 2 };
        let mut index = 0;
        for controlled in 0..self.controlled {
            let lane = match controlled {
                0 => network.road("a", "b").lane(rng.integers(0, lanes) as usize),
                _ => random_lane(network, rng),
            };
            index = network.index_of(lane);
            let (lane, place) = (network.lane(lane), rng.uniform(20.0, 50.0));
            let (position, heading) = (lane.position(place, 0.0), lane.heading_at(place));
            world.add_controlled(core.action.vehicle(&core.model, position, heading, lane.speed_limit));
        }
        if self.other_vehicles == 0 {
            return;
        }
        let other = |lane: LaneId, length: f64, rng: &mut Generator| {
            let (lane, place) = (network.lane(lane), rng.uniform(0.0, length));
            let speed = 6.0 + rng.uniform(0.0, 3.0);
            idm_vehicle(&core.model, lane.position(place, 0.0), lane.heading_at(place), speed)
        };
        let turn = network.road("b", "c");
        world.road.vehicles.push(other(turn.lane(index), network.lane(turn.first).length, rng));
        for _ in 0..rng.integers(0, self.other_vehicles) {
            let lane = random_lane(network, rng);
            let vehicle = other(lane, network.lane(lane).length, rng);
            if !world.road.vehicles.iter().any(|each| norm(sub(vehicle.position, each.position)) < 20.0) {
                world.road.vehicles.push(vehicle);
            }
        }
    }

    fn reward(&self, core: &Core, world: &mut World, action: Option<VehicleAction<'_>>) -> f64 {
        let network = &core.model.network;
        let vehicle = world.vehicle();
        let is_on_road = vehicle.is_on_road(network);
        let centering = 1.0 / (1.0 + self.centering_cost * pow2(vehicle.local[1]));
        let crash = f64::from(u8::from(vehicle.crashed));
        let [centering_weight, action_weight, collision_weight] = self.weights;
        let is_straight = matches!(network.lane(vehicle.lane).shape, Shape::Straight { .. });
        let norm = action.map_or(Norm::Double(0.0), VehicleAction::norm);
        let (norm, sum) = match norm {
            // The package adds numbers of Python and float32 of numpy in float32, and those of arcs in float64.
            Norm::Single(norm) => {
                let own = action_weight as f32 * norm;
                let sum = match is_straight {
                    true => f64::from((centering_weight * centering) as f32 + own + (collision_weight * crash) as f32),
                    false => centering_weight * centering + f64::from(own) + collision_weight * crash,
                };
                (f64::from(norm), sum)
            }
            Norm::Double(norm) => (norm, weighted_sum(&[centering, norm, crash], &self.weights)),
        };
        world.set_rewards(&[centering, norm, crash, f64::from(u8::from(is_on_road))]);
        lmap(sum, [collision_weight, 1.0], [0.0, 1.0]) * f64::from(u8::from(is_on_road))
    }

    fn is_terminated(&self, core: &Core, world: &World) -> bool {
        let vehicle = world.vehicle();
        vehicle.crashed || self.terminate_off_road && !vehicle.is_on_road(&core.model.network)
    }
}
