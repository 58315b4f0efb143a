//! `u-turn-v0`: a turn around slow vehicles.

use envpool_rs_engine::{OptionSpec, Options, Result};
use envpool_rs_numeric::random::Generator;
use envpool_rs_sim_highway::LineType::{Continuous, ContinuousLine, None as NoLine, Striped};
use envpool_rs_sim_highway::math::{clip, lmap, radians};
use envpool_rs_sim_highway::{Kind, Lane, NetworkBuilder, RoadModel, Vehicle};

use crate::action::{ActionDefaults, VehicleAction};
use crate::observation::ObservationDefaults;
use crate::picture::View;
use crate::scenario::{
    CONNECTED, Core, Scenario, ScenarioClass, World, common_options, normalization, randomize_behavior, range_option,
    reward_option, weighted_sum,
};

/// `u-turn-v0`.
pub static U_TURN: ScenarioClass = ScenarioClass {
    tasks: &[("u-turn-v0", &[], None), ("UTurn-v0", &[], None), ("u-turn-v1", CONNECTED, None)],
    options,
    new: |options| Ok(Box::new(UTurn::new(options)?)),
    reward_names: &["collision_reward", "left_lane_reward", "high_speed_reward", "on_road_reward"],
};

fn options() -> Vec<OptionSpec> {
    let mut options = vec![
        reward_option("collision_reward", -1.0, "reward of a collision"),
        reward_option("left_lane_reward", 0.1, "reward of the leftmost lane in driving direction"),
        reward_option("high_speed_reward", 0.4, "reward of the full speed; less at lower speeds"),
        OptionSpec::new("reward_speed_range", vec![8.0, 24.0], "speeds without and with the whole reward, in m/s").per_episode(),
        OptionSpec::new("normalized_reward", true, "whether rewards are mapped to 0..1").per_episode(),
        OptionSpec::new("offroad_terminal", false, "without effect, as in the package").per_episode(),
    ];
    options.extend(common_options(15, 1.0, Some(10.0), &View { size: (789, 289), ..View::WIDE }));
    options.extend(ObservationDefaults { kind: "TimeToCollision", horizon: 16, ..ObservationDefaults::KINEMATICS }.options());
    options.extend(
        ActionDefaults { kinds: &["DiscreteMetaAction"], target_speeds: [8.0, 16.0, 24.0], ..ActionDefaults::META }.options(),
    );
    options
}

struct UTurn {
    weights: [f64; 3],
    speed_range: [f64; 2],
    normalization: Option<[f64; 2]>,
}

impl UTurn {
    fn new(options: &Options) -> Result<Self> {
        let weights = ["collision_reward", "left_lane_reward", "high_speed_reward"].map(|name| options.float(name));
        Ok(Self {
            weights,
            speed_range: range_option(options, "reward_speed_range")?,
            normalization: normalization(options, weights[0], weights[2] + weights[1])?,
        })
    }
}

impl Scenario for UTurn {
    fn model(&self) -> RoadModel {
        const LENGTH: f64 = 128.0;
        let mut network = NetworkBuilder::default();
        network.add("c", "d", Lane::straight([LENGTH, 4.0], [0.0, 4.0]).lines(ContinuousLine, Striped));
        network.add("c", "d", Lane::straight([LENGTH, 0.0], [0.0, 0.0]).lines(NoLine, ContinuousLine));
        for (radius, left, right) in [(20.0, Continuous, Striped), (24.0, NoLine, Continuous)] {
            let arc = Lane::circular([LENGTH, 24.0], radius, radians(90.0), radians(-90.0), false);
            network.add("b", "c", arc.lines(left, right));
        }
        network.add("a", "b", Lane::straight([0.0, 44.0], [LENGTH, 44.0]).lines(ContinuousLine, Striped));
        network.add("a", "b", Lane::straight([0.0, 48.0], [LENGTH, 48.0]).lines(NoLine, ContinuousLine));
        RoadModel { network: network.build(), ..RoadModel::default() }
    }

    fn create_vehicles(&self, core: &Core, world: &mut World, rng: &mut Generator) {
        let network = &core.model.network;
        let position = network.lane(network.road("a", "b").first).position(0.0, 0.0);
        let mut ego = core.action.vehicle(&core.model, position, 0.0, 16.0);
        if ego.is_controlled() {
            ego.plan_route_to(network, "d");
        }
        world.add_controlled(ego);
        let places = [
            ("a", "b", 0, 25.0, 13.5),
            ("a", "b", 1, 56.0, 14.5),
            ("b", "c", 1, 0.5, 4.5),
            ("b", "c", 0, 17.5, 5.5),
            ("c", "d", 0, 1.0, 3.5),
            ("c", "d", 1, 30.0, 5.5),
        ];
        for (number, (from, to, lane, place, speed)) in places.into_iter().enumerate() {
            let longitudinal = place + rng.standard_normal() * 2.0;
            let speed = speed + rng.standard_normal() * 2.0;
            let lane = network.road(from, to).lane(lane);
            let mut vehicle = Vehicle::on_lane(network, Kind::Idm, lane, longitudinal, speed);
            vehicle.plan_route_to(network, "d");
            if number == 0 {
                randomize_behavior(&mut vehicle, rng);
            }
            world.road.vehicles.push(vehicle);
        }
    }

    fn reward(&self, core: &Core, world: &mut World, _action: Option<VehicleAction<'_>>) -> f64 {
        let network = &core.model.network;
        let vehicle = world.vehicle();
        let lanes = f64::from(network.road_of(vehicle.lane).count);
        let components = [
            f64::from(u8::from(vehicle.crashed)),
            network.index_of(vehicle.lane) as f64 / (lanes - 1.0).max(1.0),
            clip(lmap(vehicle.speed, self.speed_range, [0.0, 1.0]), 0.0, 1.0),
            f64::from(u8::from(vehicle.is_on_road(network))),
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
