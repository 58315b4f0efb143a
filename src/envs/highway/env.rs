//! The environment that plays all scenarios.

use envpool_rs_engine::{Action, Dtype, Env, EnvSpec, InfoSpec, Options, ResetOptions, Result, Row, Scheduling, Task};
use envpool_rs_numeric::random::Generator;

use super::action::{ActionType, VehicleAction};
use super::observation::{Kinematics, Observation};
use super::scenario::{Config, Core, Preset, Scenario, ScenarioClass, World};

/// A HighwayEnv environment.
///
/// - Observation: that of the option `observation_type`, by default kinematics of the vehicle and the closest others.
/// - Action: that of the option `action_type`, by default lane changes and target speeds.
/// - Infos: `speed`, `crashed`, the components of the reward, and `action_mask` for meta-actions.
pub struct HighwayEnv {
    class: &'static ScenarioClass,
    core: Core,
    scenario: Box<dyn Scenario>,
}

/// Returns the tasks of a class.
pub fn tasks_of(class: &'static ScenarioClass) -> Vec<Task> {
    let task = |(id, presets, limit): &(&'static str, &[(&'static str, Preset)], Option<u32>)| {
        let mut task = Task::env::<HighwayEnv>(id).options((class.options)()).variant(class);
        for (name, value) in *presets {
            task = match value {
                Preset::Flag(value) => task.preset(name, *value),
                Preset::Integer(value) => task.preset(name, *value),
                Preset::Number(value) => task.preset(name, *value),
            };
        }
        match limit {
            Some(limit) => task.max_episode_steps(*limit),
            None => task,
        }
    };
    class.tasks.iter().map(task).collect()
}

impl HighwayEnv {
    /// Observes the road, for all controlled vehicles.
    fn record_observation(&self, world: &mut World, rng: &mut Generator) {
        let mut observation = std::mem::take(&mut world.observation);
        observation.clear();
        for agent in 0..self.core.agents {
            self.core.observation.observe(&self.core, world, agent, rng, &mut observation);
        }
        world.observation = observation;
    }

    /// Lets the first controlled vehicle act, and simulates one step.
    fn simulate(&self, world: &mut World, action: VehicleAction<'_>) {
        let Core { model, action: action_type, config, .. } = &self.core;
        for frame in 0..config.frames {
            if frame == 0 {
                let vehicle = &mut world.road.vehicles[world.controlled[0] as usize];
                action_type.act(model, vehicle, action);
            }
            model.act(&mut world.road);
            model.step(&mut world.road, 1.0 / config.simulation_frequency as f64);
        }
    }
}

impl Env for HighwayEnv {
    type State = World;
    type Random = Generator;
    const SCHEDULING: Scheduling = Scheduling::OneByOne;

    fn new(options: &Options) -> Result<Self> {
        let class = options.variant::<ScenarioClass>().expect("the task has its class");
        let scenario = (class.new)(options)?;
        let action = ActionType::new(options)?;
        let mut model = scenario.model();
        model.connects_lanes = options.bool("neighbour_vehicles_connected_lanes");
        model.target_speeds.clone_from(&action.target_speeds);
        let config = Config::new(options)?;
        let core = Core { model, action, observation: Observation::new(options, &config)?, config, agents: 1 };
        Ok(Self { class, core, scenario })
    }

    fn spec(&self) -> EnvSpec {
        let mut spec = EnvSpec::new(self.core.observation.space(), self.core.action.space());
        spec.info = vec![InfoSpec::new("speed", Dtype::F64, &[]), InfoSpec::new("crashed", Dtype::Bool, &[])];
        spec.info.extend(self.class.reward_names.iter().map(|name| InfoSpec::new(name, Dtype::F64, &[])));
        if self.core.action.meta_actions() > 0 {
            spec.info.push(InfoSpec::new("action_mask", Dtype::I8, &[self.core.action.meta_actions()]));
        }
        spec
    }

    fn heap_bytes(&self) -> usize {
        // Vehicles, and the order of vehicles on each lane.
        100 * size_of::<envpool_rs_sim_highway::Vehicle>() + 64 * self.core.model.network.lanes().len() * 16
    }

    fn create(&self, _lane: usize) -> Result<World> {
        // A snapshot of a pool before its first reset also holds a world that can be stepped.
        let mut world = World::default();
        self.reset(&mut world, &ResetOptions::default(), &mut Generator::new(0));
        Ok(world)
    }

    fn reset(&self, world: &mut World, _options: &ResetOptions, rng: &mut Generator) {
        world.road.clear();
        world.controlled.clear();
        world.time = 0.0;
        self.scenario.create_vehicles(&self.core, world, rng);
        let World { road, controlled, lateral_bounds, .. } = world;
        lateral_bounds.clear();
        let bound = |number: &u32| Kinematics::lateral_bound(&self.core.model, &road.vehicles[*number as usize]);
        lateral_bounds.extend(controlled.iter().map(bound));
        self.record_observation(world, rng);
        self.scenario.reward(&self.core, world, -1);
    }

    fn step(&self, world: &mut World, action: &Action<'_>, rewards: &mut [f64], rng: &mut Generator) -> bool {
        world.time += self.core.config.period;
        let number = match self.core.action.continuous_components() {
            Some(components) => {
                self.simulate(world, VehicleAction::Components(action.continuous(0, components)));
                -1
            }
            None => {
                self.simulate(world, VehicleAction::Number(action.discrete() as usize));
                i64::from(action.discrete())
            }
        };
        self.record_observation(world, rng);
        rewards[0] = self.scenario.reward(&self.core, world, number);
        let is_terminated = self.scenario.is_terminated(&self.core, world);
        self.scenario.after_step(&self.core, world, rng);
        is_terminated
    }

    fn is_truncated(&self, world: &World) -> bool {
        self.scenario.is_truncated(&self.core, world)
    }

    fn observe(&self, world: &World, out: &mut Row<'_>) {
        let leaves = self.core.observation.leaves();
        for (leaf, values) in world.observation.chunks(world.observation.len() / leaves).enumerate() {
            out.write(leaf, values);
        }
    }

    fn info(&self, world: &World, out: &mut Row<'_>) {
        let vehicle = world.vehicle();
        out.scalar(0, vehicle.speed);
        out.scalar(1, u8::from(vehicle.crashed));
        for (index, reward) in world.rewards.iter().enumerate() {
            out.scalar(2 + index, *reward);
        }
        if self.core.action.meta_actions() > 0 {
            let mut mask = Vec::with_capacity(5);
            self.core.action.write_mask(&self.core.model, vehicle, &mut mask);
            out.write(2 + world.rewards.len(), &mask);
        }
    }

    fn is_valid(&self, world: &World) -> bool {
        let network = &self.core.model.network;
        let spec = self.core.observation.space().size();
        !world.controlled.is_empty()
            && world.controlled.iter().all(|number| (*number as usize) < world.road.vehicles.len())
            && (self.core.observation.leaves() == 1 || world.road.objects.len() >= self.core.agents)
            && world.lateral_bounds.len() == world.controlled.len()
            && world.rewards.len() == self.class.reward_names.len()
            && world.observation.len() == spec * self.core.agents
            && world.controlled.len() >= self.core.agents
            && world.road.vehicles.iter().chain(&world.road.objects).all(|vehicle| vehicle.is_valid(network))
    }
}
