//! `merge-v0` and `merge-generic-v0`: a highway that vehicles on a ramp join.

use std::f64::consts::PI;

use envpool_rs_engine::{OptionSpec, Options, Result};
use envpool_rs_numeric::random::Generator;
use envpool_rs_sim_highway::LineType::{ContinuousLine, None as NoLine, Striped};
use envpool_rs_sim_highway::math::lmap;
use envpool_rs_sim_highway::{Kind, Lane, NetworkBuilder, RoadModel, Vehicle};

use crate::action::{ActionDefaults, VehicleAction};
use crate::observation::ObservationDefaults;
use crate::picture::View;
use crate::scenario::{
    CONNECTED, Core, Scenario, ScenarioClass, World, common_options, idm_vehicle, normalization, range_option, reward_option,
    weighted_sum,
};

/// `merge-v0`: two lanes, and four other vehicles.
pub static MERGE: ScenarioClass = ScenarioClass {
    tasks: &[("merge-v0", &[], None), ("Merge-v0", &[], None), ("merge-v1", CONNECTED, None)],
    options,
    new: |options| Ok(Box::new(Merge::new(options, None)?)),
    reward_names: &["collision_reward", "right_lane_reward", "high_speed_reward", "lane_change_reward", "merging_speed_reward"],
};

/// `merge-generic-v0`: any number of lanes and vehicles.
pub static MERGE_GENERIC: ScenarioClass = ScenarioClass {
    tasks: &[("merge-generic-v0", &[], None), ("merge-generic-v1", CONNECTED, None)],
    options: || {
        let mut options = options();
        let length = |name, default: f64, least: f64, doc| OptionSpec::new(name, default, doc).numbers(least..=1e4).per_episode();
        options.extend([
            OptionSpec::new("lanes_count", 2, "number of lanes").integers(1..=50).per_episode(),
            OptionSpec::new("vehicles_count", 3, "number of other vehicles on the highway").integers(0..=500).per_episode(),
            length("before_merge_length", 150.0, f64::MIN_POSITIVE, "length before the ramp in metres"),
            length("converge_merge_length", 80.0, f64::MIN_POSITIVE, "length of the ramp in metres"),
            length("parallel_merge_length", 80.0, f64::MIN_POSITIVE, "length of the lane at which the ramp joins, in metres"),
            length("after_merge_length", 150.0, 90.0, "length after that lane in metres"),
        ]);
        options
    },
    new: |options| {
        let lengths = ["before_merge_length", "converge_merge_length", "parallel_merge_length", "after_merge_length"];
        let lengths = lengths.map(|name| options.float(name));
        let counts = ["lanes_count", "vehicles_count"].map(|name| options.int(name) as usize);
        Ok(Box::new(Merge::new(options, Some(Generic { lengths, lanes: counts[0], vehicles: counts[1] }))?))
    },
    reward_names: MERGE.reward_names,
};

/// Amplitude of the ramp's curve in metres.
const AMPLITUDE: f64 = 3.25;

fn options() -> Vec<OptionSpec> {
    let mut options = vec![
        reward_option("collision_reward", -1.0, "reward of a collision"),
        reward_option("right_lane_reward", 0.1, "reward of each lane to the right"),
        reward_option("high_speed_reward", 0.2, "reward of the full speed; less at lower speeds"),
        OptionSpec::new("reward_speed_range", vec![20.0, 30.0], "speeds without and with the whole reward, in m/s").per_episode(),
        reward_option("merging_speed_reward", -0.5, "reward for the share of speed that a vehicle on the ramp lacks"),
        reward_option("lane_change_reward", -0.05, "reward of the actions 0 and 2"),
    ];
    options.extend(common_options(15, 1.0, None, &View::WIDE));
    options.extend(ObservationDefaults::KINEMATICS.options());
    options.extend(ActionDefaults::NUMBERED.options());
    options
}

/// Sizes of `merge-generic-v0`.
struct Generic {
    /// Lengths of the four sections in metres.
    lengths: [f64; 4],
    lanes: usize,
    vehicles: usize,
}

struct Merge {
    generic: Option<Generic>,
    weights: [f64; 5],
    speed_range: [f64; 2],
    normalization: [f64; 2],
    end_position: f64,
}

impl Merge {
    fn new(options: &Options, generic: Option<Generic>) -> Result<Self> {
        let weights = MERGE.reward_names.iter().map(|name| options.float(name)).collect::<Vec<_>>();
        let weights: [f64; 5] = weights.try_into().expect("five rewards");
        let normalization = normalization(options, weights[0] + weights[4], weights[2] + weights[1])?;
        Ok(Self {
            weights,
            speed_range: range_option(options, "reward_speed_range")?,
            normalization: normalization.expect("rewards are always normalised"),
            end_position: generic.as_ref().map_or(370.0, |Generic { lengths: [before, converge, parallel, after], .. }| {
                before + converge + parallel + after - 90.0
            }),
            generic,
        })
    }
}

fn plain_network() -> NetworkBuilder {
    let mut network = NetworkBuilder::default();
    for (y, lines, merging) in [(0.0, (ContinuousLine, Striped), Striped), (4.0, (NoLine, ContinuousLine), Striped)] {
        let lane = |from: f64, to: f64| Lane::straight([from, y], [to, y]);
        network.add("a", "b", lane(0.0, 230.0).lines(lines.0, lines.1));
        network.add("b", "c", lane(230.0, 310.0).lines(lines.0, merging));
        network.add("c", "d", lane(310.0, 460.0).lines(lines.0, lines.1));
    }
    let before = Lane::straight([0.0, 14.5], [150.0, 14.5]).lines(ContinuousLine, ContinuousLine).forbid();
    let (from, to) = (before.position(150.0, -AMPLITUDE), before.position(230.0, -AMPLITUDE));
    let ramp = Lane::sine(from, to, AMPLITUDE, 2.0 * PI / (2.0 * 80.0), PI / 2.0).lines(ContinuousLine, ContinuousLine).forbid();
    let [x, y] = ramp.position(80.0, 0.0);
    let joining = Lane::straight([x, y], [x + 80.0, y + 0.0]).lines(NoLine, ContinuousLine).forbid();
    network.add("j", "k", before);
    network.add("k", "b", ramp);
    network.add("b", "c", joining);
    network
}

fn generic_network(Generic { lengths: [before, converge, parallel, after], lanes, .. }: &Generic) -> NetworkBuilder {
    let mut network = NetworkBuilder::default();
    network.add_straight(("a", "b"), *lanes, 0.0, before + converge, 30.0);
    network.add_straight(("b", "c"), *lanes, before + converge, *parallel, 30.0);
    network.add_straight(("c", "d"), *lanes, before + converge + parallel, *after, 30.0);
    let y = *lanes as f64 * 4.0;
    let approach = y + 2.0 * AMPLITUDE;
    let end = before + converge;
    let access = Lane::straight([0.0, approach], [*before, approach]).lines(ContinuousLine, ContinuousLine);
    let (from, to) = ([*before, y + AMPLITUDE], [end, y + AMPLITUDE]);
    let ramp = Lane::sine(from, to, AMPLITUDE, 2.0 * PI / (2.0 * converge), PI / 2.0).lines(ContinuousLine, ContinuousLine);
    let joining = Lane::straight([end, y], [end + parallel, y]).lines(Striped, ContinuousLine);
    for (from, to, lane) in [("j", "k", access), ("k", "b", ramp), ("b", "c", joining)] {
        network.add(from, to, lane.forbid().limit(30.0));
    }
    network
}

impl Scenario for Merge {
    fn model(&self) -> RoadModel {
        let network = self.generic.as_ref().map_or_else(plain_network, generic_network);
        RoadModel { network: network.build(), ..RoadModel::default() }
    }

    fn create_vehicles(&self, core: &Core, world: &mut World, rng: &mut Generator) {
        let network = &core.model.network;
        let highway = network.road("a", "b");
        let parallel = network.road("b", "c");
        let joining = network.lane(parallel.lane(usize::from(parallel.count) - 1));
        let length = self.generic.as_ref().map_or(80.0, |generic| generic.lengths[2]);
        world.road.objects.push(Vehicle::new(network, Kind::Obstacle, joining.position(length, 0.0), 0.0, 0.0));
        let own_lane = usize::from(highway.count) - 1;
        let position = network.lane(highway.lane(own_lane)).position(30.0, 0.0);
        world.add_controlled(core.action.vehicle(&core.model, position, 0.0, 30.0));
        match &self.generic {
            None => {
                for (place, speed) in [(90.0, 29.0), (70.0, 31.0), (5.0, 31.5)] {
                    let lane = network.lane(highway.lane(rng.integers(0, 2) as usize));
                    let position = lane.position(place + rng.uniform(-5.0, 5.0), 0.0);
                    let speed = speed + rng.uniform(-1.0, 1.0);
                    world.road.vehicles.push(idm_vehicle(&core.model, position, 0.0, speed));
                }
            }
            Some(generic) => {
                let most = generic.lengths[0] + generic.lengths[1] + generic.lengths[2];
                let mut places = vec![Vec::new(); generic.lanes];
                places[own_lane].push(30.0);
                for _ in 0..generic.vehicles {
                    for _ in 0..10 {
                        let lane = rng.integers(0, generic.lanes as i64) as usize;
                        let place = rng.uniform(0.0, most);
                        if places[lane].iter().all(|other: &f64| (place - other).abs() > 15.0) {
                            let position = network.lane(highway.lane(lane)).position(place, 0.0);
                            let speed = 30.0 + rng.uniform(-2.0, 2.0);
                            world.road.vehicles.push(idm_vehicle(&core.model, position, 0.0, speed));
                            places[lane].push(place);
                            break;
                        }
                    }
                }
            }
        }
        let place = if self.generic.is_some() { 60.0 } else { 110.0 };
        let position = network.lane(network.road("j", "k").first).position(place, 0.0);
        let mut merging = idm_vehicle(&core.model, position, 0.0, 20.0);
        merging.target_speed = 30.0;
        world.road.vehicles.push(merging);
    }

    fn reward(&self, core: &Core, world: &mut World, action: Option<VehicleAction<'_>>) -> f64 {
        let network = &core.model.network;
        let vehicle = world.vehicle();
        let parallel = network.road("b", "c");
        let third = (parallel.count > 2).then(|| parallel.lane(2));
        let merging = world.road.vehicles.iter().filter(|other| Some(other.lane) == third && other.is_controlled());
        let components = [
            f64::from(u8::from(vehicle.crashed)),
            network.index_of(vehicle.lane) as f64,
            lmap(vehicle.speed, self.speed_range, [0.0, 1.0]),
            f64::from(u8::from(matches!(action, Some(VehicleAction::Number(0 | 2))))),
            merging.fold(0.0, |sum, other| sum + (other.target_speed - other.speed) / other.target_speed),
        ];
        world.set_rewards(&components);
        lmap(weighted_sum(&components, &self.weights), self.normalization, [0.0, 1.0])
    }

    fn is_terminated(&self, _core: &Core, world: &World) -> bool {
        let vehicle = world.vehicle();
        vehicle.crashed || vehicle.position[0] > self.end_position
    }
}
