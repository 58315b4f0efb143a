//! `lane-keeping-v0`: a vehicle with friction of tires that follows a wave.

use std::f64::consts::PI;

use envpool_rs_engine::{OptionSpec, Options, Result};
use envpool_rs_numeric::random::Generator;
use envpool_rs_sim_highway::math::pow2;
use envpool_rs_sim_highway::{Lane, LineType, NetworkBuilder, RoadModel};

use crate::action::{ActionDefaults, VehicleAction};
use crate::observation::ObservationDefaults;
use crate::picture::View;
use crate::scenario::{Core, Scenario, ScenarioClass, World, common_options};

/// `lane-keeping-v0`.
pub static LANE_KEEPING: ScenarioClass = ScenarioClass {
    tasks: &[("lane-keeping-v0", &[], Some(200)), ("LaneKeeping-v0", &[], Some(200))],
    options,
    new: |_: &Options| -> Result<Box<dyn Scenario>> { Ok(Box::new(LaneKeeping)) },
    reward_names: &[],
};

fn options() -> Vec<OptionSpec> {
    let mut options = vec![
        OptionSpec::new("state_noise", 0.05, "largest noise of the attribute state").numbers(0.0..=1e6).per_episode(),
        OptionSpec::new("derivative_noise", 0.05, "largest noise of the attribute derivative").numbers(0.0..=1e6).per_episode(),
    ];
    options.extend(common_options(10, 10.0, None, &View { size: (600, 250), scaling: 7.0, centering: [0.4, 0.5] }));
    let observation = ObservationDefaults {
        kind: "AttributesObservation",
        kinds: &["AttributesObservation", "Kinematics", "OccupancyGrid", "LidarObservation", "GrayscaleObservation"],
        ..ObservationDefaults::KINEMATICS
    };
    options.extend(observation.options());
    let action = ActionDefaults {
        kind: "ContinuousAction",
        kinds: &["ContinuousAction", "DiscreteAction"],
        longitudinal: false,
        steering_range: [-PI / 3.0, PI / 3.0],
        dynamical: true,
        ..ActionDefaults::META
    };
    options.extend(action.options());
    options
}

struct LaneKeeping;

impl Scenario for LaneKeeping {
    fn model(&self) -> RoadModel {
        let mut network = NetworkBuilder::default();
        network.add("a", "b", Lane::sine([0.0, 0.0], [500.0, 0.0], 5.0, 2.0 * PI / 100.0, 0.0).wide(10.0));
        network.add("c", "d", Lane::straight([50.0, 50.0], [115.0, 15.0]).wide(10.0));
        let end = [115.0 + 20.0, 15.0 + 20.0 * (15.0 - 50.0) / (115.0 - 50.0)];
        network.add("d", "a", Lane::straight([115.0, 15.0], end).lines(LineType::None, LineType::Striped).wide(10.0));
        RoadModel { network: network.build(), ..RoadModel::default() }
    }

    fn create_vehicles(&self, core: &Core, world: &mut World, rng: &mut Generator) {
        let network = &core.model.network;
        world.reference_lane = network.road("c", "d").first;
        let lane = network.lane(world.reference_lane);
        world.add_controlled(core.action.vehicle(&core.model, lane.position(50.0, -4.0), lane.heading_at(0.0), 8.3));
        // The package observes the road twice when it makes its spaces, and so draws noise of attributes.
        for _ in 0..2 {
            core.observation.draw_noise(core, world, rng);
        }
    }

    fn before_step(&self, core: &Core, world: &mut World) {
        let network = &core.model.network;
        let lane = network.lane(world.reference_lane);
        if !lane.is_on(lane.local_coordinates(world.vehicle().position), 0.0) {
            world.reference_lane = network.road("a", "b").first;
        }
    }

    fn observes_before_moving(&self) -> bool {
        true
    }

    fn reward(&self, core: &Core, world: &mut World, _action: Option<VehicleAction<'_>>) -> f64 {
        let lane = core.model.network.lane(world.reference_lane);
        1.0 - pow2(lane.local_coordinates(world.vehicle().position)[1] / lane.width)
    }

    fn is_terminated(&self, _core: &Core, _world: &World) -> bool {
        false
    }
}
