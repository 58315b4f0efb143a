//! What distinguishes the environments: road, vehicles, rewards and ends of episodes.

use envpool_rs_engine::{Error, OptionSpec, Options, Result, Value};
use envpool_rs_numeric::random::Generator;
use envpool_rs_sim_highway::{Kind, LaneId, Road, RoadModel, Vehicle};
use serde::{Deserialize, Serialize};

use super::action::{ActionType, VehicleAction};
use super::observation::Observation;
use super::picture::View;

/// Task of a class: its id, options that it presets, and the time limit that gymnasium sets.
pub type TaskRow = (&'static str, &'static [(&'static str, Preset)], Option<u32>);

/// Value of a preset option.
#[derive(Debug, Clone, Copy)]
pub enum Preset {
    /// A flag.
    Flag(bool),
    /// An integer.
    Integer(i64),
    /// A number.
    Number(f64),
}

/// Presets of tasks whose vehicles see others beyond the ends of their lane.
pub const CONNECTED: &[(&str, Preset)] = &[("neighbour_vehicles_connected_lanes", Preset::Flag(true))];

/// Class of environments with the same options.
pub struct ScenarioClass {
    /// Ids of the tasks.
    pub tasks: &'static [TaskRow],
    /// Declarations of all options.
    pub options: fn() -> Vec<OptionSpec>,
    /// Creates the scenario from options.
    pub new: fn(&Options) -> Result<Box<dyn Scenario>>,
    /// Names of the components of the reward, which infos report.
    pub reward_names: &'static [&'static str],
}

/// Everything that never changes during an episode, except the scenario.
pub struct Core {
    /// Road network and behaviour of vehicles.
    pub model: RoadModel,
    /// Actions of controlled vehicles.
    pub action: ActionType,
    /// Observations of controlled vehicles.
    pub observation: Observation,
    /// Limits and frequencies.
    pub config: Config,
    /// Number of vehicles that actions control and that observe the road.
    pub agents: usize,
    /// Size and scale of pictures.
    pub view: View,
    /// Whether pictures show controlled vehicles in their colour even after a crash, and whatever kind they are.
    pub colors_controlled: bool,
}

/// Frequencies and the duration of an episode.
#[derive(Debug, Clone, Copy)]
pub struct Config {
    /// Frames of the simulation per second.
    pub simulation_frequency: i64,
    /// Frames per step.
    pub frames: u32,
    /// Length of a step in seconds.
    pub period: f64,
    /// Length of an episode in seconds.
    pub duration: f64,
}

/// State of one environment.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct World {
    /// Vehicles and objects.
    pub road: Road,
    /// Numbers of the controlled vehicles.
    pub controlled: Vec<u32>,
    /// Seconds since the start of the episode.
    pub time: f64,
    /// Observation after the last step, with all controlled vehicles.
    pub observation: Vec<f64>,
    /// Bound of lateral positions in observations, for each controlled vehicle.
    pub lateral_bounds: Vec<f64>,
    /// Components of the last reward.
    pub rewards: Vec<f64>,
    /// The lane to keep, in lane keeping.
    pub reference_lane: LaneId,
}

impl World {
    /// Returns the first controlled vehicle.
    pub fn vehicle(&self) -> &Vehicle {
        &self.road.vehicles[self.controlled[0] as usize]
    }

    /// Records the components of a reward.
    pub fn set_rewards(&mut self, components: &[f64]) {
        self.rewards.clear();
        self.rewards.extend_from_slice(components);
    }

    /// Adds a vehicle that actions control.
    pub fn add_controlled(&mut self, vehicle: Vehicle) {
        self.controlled.push(self.road.vehicles.len() as u32);
        self.road.vehicles.push(vehicle);
    }

    /// Removes the vehicles for which `keeps` is false, except controlled ones.
    pub fn retain(&mut self, keeps: impl Fn(&Vehicle) -> bool) {
        let (mut number, mut kept) = (0, 0);
        let controlled = &mut self.controlled;
        self.road.vehicles.retain(|vehicle| {
            let own = controlled.iter_mut().find(|own| **own == number);
            number += 1;
            let keep = own.is_some() || keeps(vehicle);
            if let Some(own) = own {
                *own = kept;
            }
            kept += u32::from(keep);
            keep
        });
    }
}

/// Road, vehicles, rewards and ends of episodes of an environment.
pub trait Scenario: Send + Sync {
    /// Returns [`Core::colors_controlled`].
    fn colors_controlled(&self) -> bool {
        false
    }

    /// Returns the road network, and the behaviour of vehicles; the engine adds what common options decide.
    fn model(&self) -> RoadModel;

    /// Creates the vehicles of an episode on an empty road.
    fn create_vehicles(&self, core: &Core, world: &mut World, rng: &mut Generator);

    /// Returns the reward of a step, and writes its components into `world.rewards`. `action` is that of all agents; `None`
    /// after a reset.
    fn reward(&self, core: &Core, world: &mut World, action: Option<VehicleAction<'_>>) -> f64;

    /// Returns whether [`Self::agent_result`] differs between agents.
    fn has_agent_results(&self) -> bool {
        false
    }

    /// Returns an agent's own reward, and whether the episode is over for it.
    fn agent_result(&self, _core: &Core, _world: &World, _agent: usize) -> (f64, bool) {
        (0.0, false)
    }

    /// Returns whether the episode has ended.
    fn is_terminated(&self, core: &Core, world: &World) -> bool;

    /// Prepares a step, before the vehicles act.
    fn before_step(&self, _core: &Core, _world: &mut World) {}

    /// Returns whether a step observes the road after the vehicles have acted, before they move.
    fn observes_before_moving(&self) -> bool {
        false
    }

    /// Changes the road after a step has been observed and rewarded.
    fn after_step(&self, _core: &Core, _world: &mut World, _rng: &mut Generator) {}

    /// Returns whether the time of an episode is over.
    fn is_truncated(&self, core: &Core, world: &World) -> bool {
        world.time >= core.config.duration
    }
}

/// Returns the options that all scenarios have. `duration` is `None` for scenarios without a limit; `view` has the defaults of
/// pictures.
pub fn common_options(simulation_frequency: i64, policy_frequency: f64, duration: Option<f64>, view: &View) -> Vec<OptionSpec> {
    let mut options = view.options();
    options.extend([
        OptionSpec::new("simulation_frequency", simulation_frequency, "frames per second").integers(2..=1000).per_episode(),
        OptionSpec::new("policy_frequency", policy_frequency, "steps per second").numbers(0.1..=1000.0).per_episode(),
        OptionSpec::new("neighbour_vehicles_connected_lanes", false, "whether vehicles see others beyond the ends of their lane")
            .per_episode(),
    ]);
    if let Some(duration) = duration {
        options.push(
            OptionSpec::new("duration", duration, "length of an episode in seconds")
                .numbers(f64::MIN_POSITIVE..=1e6)
                .per_episode(),
        );
    }
    options
}

impl Config {
    /// Reads the options of [`common_options`].
    ///
    /// # Errors
    /// `Value` for a policy that is faster than the simulation.
    pub fn new(options: &Options) -> Result<Self> {
        let (simulation, policy) = (options.int("simulation_frequency"), options.float("policy_frequency"));
        let frames = (simulation as f64 / policy).floor();
        if frames < 1.0 {
            return Err(Error::value("policy_frequency", policy, format_args!("at most simulation_frequency={simulation}")));
        }
        let duration = match options.find("duration") {
            Some(Value::Float(duration)) => *duration,
            _ => f64::INFINITY,
        };
        Ok(Self { simulation_frequency: simulation, frames: frames as u32, period: 1.0 / policy, duration })
    }
}

/// Returns the declarations of the options of scenarios with several controlled vehicles.
pub fn agent_options(controlled: i64, most: i64, multi_agent: bool) -> Vec<OptionSpec> {
    vec![
        OptionSpec::new("controlled_vehicles", controlled, "vehicles of the controlled kind").integers(1..=most),
        OptionSpec::new("multi_agent", multi_agent, "whether each of them is an agent, instead of the first one alone"),
    ]
}

/// Returns the number of agents.
///
/// # Errors
/// `Value` for a single agent among several.
pub fn agents(options: &Options) -> Result<usize> {
    if options.find("multi_agent") != Some(&Value::Bool(true)) {
        return Ok(1);
    }
    match options.int("controlled_vehicles") {
        1 => Err(Error::value("controlled_vehicles", 1, "2 or more with multi_agent=True")),
        agents => Ok(agents as usize),
    }
}

/// Declares a reward, which may be drawn for each episode.
pub fn reward_option(name: &'static str, default: f64, doc: &'static str) -> OptionSpec {
    OptionSpec::new(name, default, doc).per_episode()
}

/// Returns the range of an option that is a pair of different numbers.
///
/// # Errors
/// `Value` for other values.
pub fn range_option(options: &Options, name: &'static str) -> Result<[f64; 2]> {
    match options.get(name) {
        Value::Floats(range) if range.len() == 2 && range[0] != range[1] => Ok([range[0], range[1]]),
        value => Err(Error::value(name, value, "two different numbers")),
    }
}

/// Returns the rewards that a normalised reward maps to 0 and 1.
///
/// # Errors
/// `Value` if they are equal, unless rewards are not normalised.
pub fn normalization(options: &Options, least: f64, most: f64) -> Result<Option<[f64; 2]>> {
    let is_on = options.find("normalized_reward").is_none_or(|value| *value == Value::Bool(true));
    if is_on && least == most {
        let remedy = "rewards whose least and largest sum differ; or set normalized_reward=False";
        return Err(Error::value("collision_reward", options.float("collision_reward"), remedy));
    }
    Ok(is_on.then_some([least, most]))
}

/// Returns the sum of the components of a reward, each times its weight, in order, as Python's `sum` does.
pub fn weighted_sum(components: &[f64], weights: &[f64]) -> f64 {
    components.iter().zip(weights).fold(0.0, |sum, (component, weight)| sum + weight * component)
}

/// Creates an IDM vehicle.
pub fn idm_vehicle(model: &RoadModel, position: [f64; 2], heading: f64, speed: f64) -> Vehicle {
    Vehicle::new(&model.network, Kind::Idm, position, heading, speed)
}

/// Draws the exponent of an IDM vehicle's speed (`randomize_behavior`).
pub fn randomize_behavior(vehicle: &mut Vehicle, rng: &mut Generator) {
    vehicle.delta = rng.uniform(3.5, 4.5);
}
