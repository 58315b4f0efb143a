//! The environment that plays all scenarios.

use envpool_rs_engine::{
    Action, Dtype, Env, EnvSpec, Frame, InfoSpec, Options, RenderSpec, ResetOptions, Result, Row, Scheduling, Task, Value,
};
use envpool_rs_numeric::random::Generator;

use super::action::ActionType;
use super::observation::{Kinematics, Observation};
use super::picture::{View, draw};
use super::scenario::{Config, Core, Preset, Scenario, ScenarioClass, World, agents};

/// A HighwayEnv environment.
///
/// - Observation: that of the option `observation_type`, by default kinematics of the vehicle and the closest others.
/// - Action: that of the option `action_type`, by default lane changes and target speeds.
/// - Infos: `speed`, `crashed`, the components of the reward, and `action_mask` for meta-actions.
pub struct HighwayEnv {
    class: &'static ScenarioClass,
    core: Core,
    scenario: Box<dyn Scenario>,
    /// Whether each agent gets its own reward.
    has_own_rewards: bool,
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
        if let Observation::Grayscale(pictures) = &self.core.observation {
            return pictures.add(&self.core, world);
        }
        let mut observation = std::mem::take(&mut world.observation);
        observation.clear();
        for agent in 0..self.core.agents {
            self.core.observation.observe(&self.core, world, agent, rng, &mut observation);
        }
        world.observation = observation;
    }

    /// Lets the agents' vehicles act.
    fn act(&self, world: &mut World, action: &Action<'_>) {
        let Core { model, action: action_type, agents, .. } = &self.core;
        for agent in 0..*agents {
            let vehicle = &mut world.road.vehicles[world.controlled[agent] as usize];
            action_type.act(model, vehicle, action_type.of_agent(action, agent, *agents));
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
        let observation = Observation::new(options, &config)?;
        let colors_controlled = scenario.colors_controlled();
        let view = View::new(options)?;
        let core = Core { model, action, observation, config, agents: agents(options)?, view, colors_controlled };
        let has_own_rewards = options.find("individual_rewards") == Some(&Value::Bool(true)) && core.agents > 1;
        Ok(Self { class, core, scenario, has_own_rewards })
    }

    fn spec(&self) -> EnvSpec {
        let players = self.core.agents;
        let mut spec = EnvSpec { players, ..EnvSpec::new(self.core.observation.space(), self.core.action.space()) };
        spec.info = vec![InfoSpec::new("speed", Dtype::F64, &[]), InfoSpec::new("crashed", Dtype::Bool, &[])];
        spec.info.extend(self.class.reward_names.iter().map(|name| InfoSpec::new(name, Dtype::F64, &[])));
        let own = |size: usize| if players > 1 { vec![players, size] } else { vec![size] };
        if self.core.action.meta_actions() > 0 {
            spec.info.push(InfoSpec::new("action_mask", Dtype::I8, &own(self.core.action.meta_actions())));
        }
        if players > 1 && self.scenario.has_agent_results() {
            spec.info.push(InfoSpec::new("agents_rewards", Dtype::F64, &[players]));
            spec.info.push(InfoSpec::new("agents_terminated", Dtype::Bool, &[players]));
        }
        spec
    }

    fn heap_bytes(&self) -> usize {
        // Vehicles, the order of vehicles on each lane, and the observation.
        100 * size_of::<envpool_rs_sim_highway::Vehicle>()
            + 64 * self.core.model.network.lanes().len() * 16
            + 8 * self.core.observation.space().size() * self.core.agents
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
        world.observation.clear();
        self.scenario.create_vehicles(&self.core, world, rng);
        let World { road, controlled, lateral_bounds, .. } = world;
        lateral_bounds.clear();
        let bound = |number: &u32| Kinematics::lateral_bound(&self.core.model, &road.vehicles[*number as usize]);
        lateral_bounds.extend(controlled.iter().map(bound));
        self.record_observation(world, rng);
        self.scenario.reward(&self.core, world, None);
    }

    fn step(&self, world: &mut World, action: &Action<'_>, rewards: &mut [f64], rng: &mut Generator) -> bool {
        let Core { model, action: action_type, config, agents, .. } = &self.core;
        world.time += config.period;
        self.scenario.before_step(&self.core, world);
        self.act(world, action);
        let is_early = self.scenario.observes_before_moving();
        if is_early {
            self.record_observation(world, rng);
        }
        for _ in 0..config.frames {
            model.act(&mut world.road);
            model.step(&mut world.road, 1.0 / config.simulation_frequency as f64);
        }
        if !is_early {
            self.record_observation(world, rng);
        }
        rewards.fill(self.scenario.reward(&self.core, world, Some(action_type.of_all(action, *agents))));
        if self.has_own_rewards {
            for (agent, reward) in rewards.iter_mut().enumerate() {
                *reward = self.scenario.agent_result(&self.core, world, agent).0;
            }
        }
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
            match &self.core.observation {
                Observation::Lidar(lidar) => out.write(leaf, &lidar.normalized(values)),
                _ => out.write(leaf, values),
            }
        }
    }

    fn info(&self, world: &World, out: &mut Row<'_>) {
        let vehicle = world.vehicle();
        out.scalar(0, vehicle.speed);
        out.scalar(1, u8::from(vehicle.crashed));
        for (index, reward) in world.rewards.iter().enumerate() {
            out.scalar(2 + index, *reward);
        }
        let mut leaf = 2 + world.rewards.len();
        let agents = self.core.agents;
        if self.core.action.meta_actions() > 0 {
            let mut mask = Vec::with_capacity(5 * agents);
            for number in &world.controlled[..agents] {
                self.core.action.write_mask(&self.core.model, &world.road.vehicles[*number as usize], &mut mask);
            }
            out.write(leaf, &mask);
            leaf += 1;
        }
        if agents > 1 && self.scenario.has_agent_results() {
            for agent in 0..agents {
                let (reward, is_terminated) = self.scenario.agent_result(&self.core, world, agent);
                out.write_at(leaf, agent, &[reward]);
                out.write_at(leaf + 1, agent, &[u8::from(is_terminated)]);
            }
        }
    }

    fn render_spec(&self) -> RenderSpec {
        let (width, height) = self.core.view.size;
        // The package draws what a lidar saw before the vehicle moved.
        match &self.core.observation {
            Observation::Lidar(_) if self.scenario.observes_before_moving() => RenderSpec::default(),
            _ => RenderSpec::with_frame_size(width, height, (2.0 / self.core.config.period).round().max(1.0) as u32),
        }
    }

    fn render_frame(&self, world: &World, size: (u32, u32)) -> Frame {
        let mut picture = draw(&self.core, world, &self.core.view.resized(size), world.vehicle());
        if let (Observation::Lidar(lidar), 1) = (&self.core.observation, self.core.agents) {
            picture.draw_outline(&lidar.outline(world.vehicle().position, &world.observation));
        }
        Frame::new(size.0, size.1, picture.surface.into_rgb())
    }

    fn is_valid(&self, world: &World) -> bool {
        let network = &self.core.model.network;
        let spec = self.core.observation.space().size();
        !world.controlled.is_empty()
            && world.controlled.iter().all(|number| (*number as usize) < world.road.vehicles.len())
            && (!matches!(self.core.observation, Observation::Goal(_)) || world.road.objects.len() >= self.core.agents)
            && world.lateral_bounds.len() == world.controlled.len()
            && world.rewards.len() == self.class.reward_names.len()
            && world.observation.len() == spec * self.core.agents
            && world.controlled.len() >= self.core.agents
            && usize::from(world.reference_lane) < network.lanes().len()
            && world.road.vehicles.iter().chain(&world.road.objects).all(|vehicle| vehicle.is_valid(network))
    }
}
