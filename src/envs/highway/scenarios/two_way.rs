//! `two-way-v0`: a road with oncoming traffic.

use envpool_rs_engine::{OptionSpec, Options, Result};
use envpool_rs_numeric::random::Generator;
use envpool_rs_sim_highway::LineType::{ContinuousLine, None as NoLine, Striped};
use envpool_rs_sim_highway::{Kind, Lane, NetworkBuilder, RoadModel, Vehicle};

use crate::action::{ActionDefaults, VehicleAction};
use crate::observation::ObservationDefaults;
use crate::picture::View;
use crate::scenario::{Core, Scenario, ScenarioClass, World, common_options, reward_option, weighted_sum};

/// `two-way-v0`.
pub static TWO_WAY: ScenarioClass = ScenarioClass {
    tasks: &[("two-way-v0", &[], Some(15)), ("TwoWay-v0", &[], Some(15))],
    options,
    new: |options| Ok(Box::new(TwoWay::new(options)?)),
    reward_names: &["high_speed_reward", "left_lane_reward"],
};

fn options() -> Vec<OptionSpec> {
    let mut options = vec![
        reward_option("collision_reward", 0.0, "without effect, as in the package"),
        reward_option("left_lane_constraint", 1.0, "without effect, as in the package"),
        reward_option("left_lane_reward", 0.2, "reward of the leftmost lane"),
        reward_option("high_speed_reward", 0.8, "reward of the largest target speed; less for others"),
    ];
    options.extend(common_options(15, 1.0, None, &View::WIDE));
    options.extend(ObservationDefaults { kind: "TimeToCollision", horizon: 5, ..ObservationDefaults::KINEMATICS }.options());
    options.extend(ActionDefaults { kinds: &["DiscreteMetaAction"], ..ActionDefaults::META }.options());
    options
}

struct TwoWay {
    weights: [f64; 2],
}

impl TwoWay {
    fn new(options: &Options) -> Result<Self> {
        Ok(Self { weights: ["high_speed_reward", "left_lane_reward"].map(|name| options.float(name)) })
    }
}

impl Scenario for TwoWay {
    fn model(&self) -> RoadModel {
        const LENGTH: f64 = 800.0;
        let mut network = NetworkBuilder::default();
        network.add("a", "b", Lane::straight([0.0, 0.0], [LENGTH, 0.0]).lines(ContinuousLine, Striped));
        network.add("a", "b", Lane::straight([0.0, 4.0], [LENGTH, 4.0]).lines(NoLine, ContinuousLine));
        network.add("b", "a", Lane::straight([LENGTH, 0.0], [0.0, 0.0]).lines(NoLine, NoLine));
        RoadModel { network: network.build(), ..RoadModel::default() }
    }

    fn create_vehicles(&self, core: &Core, world: &mut World, rng: &mut Generator) {
        let network = &core.model.network;
        let [own, oncoming] = [network.road("a", "b").lane(1), network.road("b", "a").first];
        let position = network.lane(own).position(30.0, 0.0);
        world.add_controlled(core.action.vehicle(&core.model, position, 0.0, 30.0));
        let mut add = |lane, place: f64, heading_place, (speed, deviation): (f64, f64)| {
            let position = network.lane(lane).position(place + 10.0 * rng.standard_normal(), 0.0);
            let speed = speed + deviation * rng.standard_normal();
            let heading = network.lane(lane).heading_at(heading_place);
            let mut vehicle = Vehicle::new(network, Kind::Idm, position, heading, speed);
            vehicle.changes_lanes = false;
            if lane == oncoming {
                vehicle.target_lane = lane;
            }
            world.road.vehicles.push(vehicle);
        };
        for number in 0..3 {
            let place = 70.0 + 40.0 * f64::from(number);
            add(own, place, place, (24.0, 2.0));
        }
        for number in 0..2 {
            let place = 200.0 + 100.0 * f64::from(number);
            add(oncoming, place, place, (20.0, 5.0));
        }
    }

    fn reward(&self, core: &Core, world: &mut World, _action: Option<VehicleAction<'_>>) -> f64 {
        let network = &core.model.network;
        let vehicle = world.vehicle();
        // On the single oncoming lane, the package divides by zero.
        let others = f64::from(network.road_of(vehicle.lane).count) - 1.0;
        let components = [
            vehicle.speed_index as f64 / (core.model.target_speeds.len() as f64 - 1.0),
            (others - network.index_of(vehicle.target_lane) as f64) / others,
        ];
        world.set_rewards(&components);
        weighted_sum(&components, &self.weights)
    }

    fn is_terminated(&self, _core: &Core, world: &World) -> bool {
        world.vehicle().crashed
    }
}
