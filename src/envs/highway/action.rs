//! Actions: meta-actions such as lane changes, and continuous or discrete throttle and steering.

use std::f64::consts::PI;

use envpool_rs_engine::{Action, Dtype, Error, OptionSpec, Options, Result, Space};
use envpool_rs_sim_highway::math::lmap_action;
use envpool_rs_sim_highway::{Kind, MetaAction, RoadModel, Vehicle};

use crate::options::{Keys, check_keys, count_or, flag_or, key, numbers_or};
use MetaAction::{Faster, Idle, LaneLeft, LaneRight, Slower};

const CONTROLS: &[&str] = &["ContinuousAction", "DiscreteAction"];

/// Options with the types of actions that read them.
const KEYS: Keys = &[
    ("action_target_speeds", &["DiscreteMetaAction"]),
    ("action_acceleration_range", CONTROLS),
    ("action_steering_range", CONTROLS),
    ("action_speed_range", &["ContinuousAction"]),
    ("action_dynamical", CONTROLS),
    ("action_clip", CONTROLS),
    ("action_actions_per_axis", &["DiscreteAction"]),
];

/// Defaults of the options that begin with `action_`, which differ between scenarios.
#[derive(Debug, Clone, Copy)]
pub struct ActionDefaults {
    /// Type of the action.
    pub kind: &'static str,
    /// Types that the scenario accepts.
    pub kinds: &'static [&'static str],
    /// Whether actions change the speed.
    pub longitudinal: bool,
    /// Whether actions change the lane, or steer.
    pub lateral: bool,
    /// Target speeds of meta-actions, in metres per second.
    pub target_speeds: [f64; 3],
    /// Range of steering angles in radians.
    pub steering_range: [f64; 2],
    /// Whether tires have friction.
    pub dynamical: bool,
}

impl ActionDefaults {
    /// Meta-actions: lane changes, and the speeds 20, 25 and 30 m/s.
    pub const META: Self = Self {
        kind: "DiscreteMetaAction",
        kinds: &["DiscreteMetaAction", "ContinuousAction", "DiscreteAction"],
        longitudinal: true,
        lateral: true,
        target_speeds: [20.0, 25.0, 30.0],
        steering_range: [-PI / 4.0, PI / 4.0],
        dynamical: false,
    };

    /// Meta-actions and grids of continuous ones: the package's rewards of changes of lanes compare numbers of actions.
    pub const NUMBERED: Self = Self { kinds: &["DiscreteMetaAction", "DiscreteAction"], ..Self::META };

    /// Returns the declarations of the options.
    pub fn options(self) -> Vec<OptionSpec> {
        vec![
            OptionSpec::new("action_type", self.kind, "type of actions").one_of(self.kinds),
            key("action_longitudinal", self.longitudinal, "whether actions change the speed"),
            key("action_lateral", self.lateral, "whether actions change the lane, or steer"),
            key("action_target_speeds", self.target_speeds.to_vec(), "target speeds of meta-actions in m/s"),
            key("action_acceleration_range", vec![-5.0, 5.0], "accelerations of the actions -1 and 1, in m/s²").bounds(),
            key("action_steering_range", self.steering_range.to_vec(), "angles of the actions -1 and 1, in radians").bounds(),
            OptionSpec::optional("action_speed_range", vec![0.0], "least and largest speed in m/s, with continuous actions")
                .bounds(),
            key("action_dynamical", self.dynamical, "whether tires have friction, with continuous actions"),
            key("action_clip", true, "whether continuous actions are clipped to -1 and 1"),
            key("action_actions_per_axis", 3, "values of each component of a discrete action").integers(2..=100),
        ]
    }
}

/// How actions control a vehicle.
#[derive(Debug, Clone)]
pub struct ActionType {
    form: Form,
    longitudinal: bool,
    lateral: bool,
    /// Target speeds of meta-actions.
    pub target_speeds: Vec<f64>,
    acceleration_range: [f64; 2],
    steering_range: [f64; 2],
    speed_range: Option<[f64; 2]>,
    dynamical: bool,
    clip: bool,
}

#[derive(Debug, Clone)]
enum Form {
    Meta(&'static [MetaAction]),
    Continuous,
    /// The continuous action of each discrete one.
    Discrete(Vec<[f32; 2]>),
}

/// The action of one vehicle, or of all agents.
#[derive(Debug, Clone, Copy)]
pub enum VehicleAction<'a> {
    /// Number of a discrete action.
    Number(usize),
    /// Throttle and steering, or one of them.
    Components(&'a [f32]),
    /// Numbers of several agents' discrete actions.
    Numbers(&'a [i32]),
}

impl VehicleAction<'_> {
    /// Returns `np.linalg.norm(action)`, which has the precision of the action.
    pub fn norm(self) -> Norm {
        match self {
            Self::Number(number) => Norm::Double(number as f64),
            Self::Numbers(numbers) => Norm::Double(numbers.iter().map(|number| f64::from(*number).powi(2)).sum::<f64>().sqrt()),
            // OpenBLAS adds products of float32 in float64, if there are fewer than 32.
            Self::Components(components) => {
                Norm::Single((components.iter().fold(0.0, |sum, part| sum + f64::from(part * part)) as f32).sqrt())
            }
        }
    }
}

/// Norm of an action.
#[derive(Debug, Clone, Copy)]
pub enum Norm {
    /// Of float32 components.
    Single(f32),
    /// Of a number.
    Double(f64),
}

impl ActionType {
    /// Reads the options that begin with `action_`.
    ///
    /// # Errors
    /// `Value` for options that contradict each other.
    pub fn new(options: &Options) -> Result<Self> {
        check_keys(options, KEYS, "action_type")?;
        let [longitudinal, lateral] = ["action_longitudinal", "action_lateral"].map(|name| flag_or(options, name, true));
        if !longitudinal && !lateral {
            return Err(Error::value("action_lateral", "False", "True if action_longitudinal is False"));
        }
        let target_speeds = numbers_or(options, "action_target_speeds", &[20.0, 25.0, 30.0]);
        if !(2..=100).contains(&target_speeds.len()) || target_speeds[0] == target_speeds[target_speeds.len() - 1] {
            let allowed = "2 to 100 speeds, the first other than the last";
            return Err(Error::value("action_target_speeds", options.get("action_target_speeds"), allowed));
        }
        let form = match options.text("action_type") {
            Some("ContinuousAction") => Form::Continuous,
            Some("DiscreteAction") => {
                let values = axis(count_or(options, "action_actions_per_axis", 3));
                Form::Discrete(match longitudinal && lateral {
                    true => values.iter().flat_map(|first| values.iter().map(|second| [*first, *second])).collect(),
                    false => values.iter().map(|value| [*value, 0.0]).collect(),
                })
            }
            _ => Form::Meta(match (longitudinal, lateral) {
                (true, true) => &[LaneLeft, Idle, LaneRight, Faster, Slower],
                (true, false) => &[Slower, Idle, Faster],
                _ => &[LaneLeft, Idle, LaneRight],
            }),
        };
        let is_meta = matches!(form, Form::Meta(_));
        let range = |name: &'static str, default: &[f64]| match numbers_or(options, name, default)[..] {
            [low, high] if low.abs() <= 1e6 && high.abs() <= 1e6 => Ok(Some([low, high])),
            [] => Ok(None),
            _ => Err(Error::value(name, options.get(name), "finite bounds of at most 1e6")),
        };
        let both = |name: &'static str, most: f64| range(name, &[-most, most]).map(Option::unwrap_or_default);
        Ok(Self {
            form,
            longitudinal,
            lateral,
            target_speeds,
            acceleration_range: both("action_acceleration_range", 5.0)?,
            steering_range: both("action_steering_range", PI / 4.0)?,
            speed_range: range("action_speed_range", &[])?,
            dynamical: flag_or(options, "action_dynamical", false) && !is_meta,
            clip: flag_or(options, "action_clip", true),
        })
    }

    /// Returns the kind of the vehicles that actions control.
    pub fn vehicle_kind(&self) -> Kind {
        match &self.form {
            Form::Meta(_) => Kind::Mdp,
            _ if self.dynamical => Kind::Bicycle,
            _ => Kind::Kinematic,
        }
    }

    /// Creates a vehicle that actions control.
    pub fn vehicle(&self, model: &RoadModel, position: [f64; 2], heading: f64, speed: f64) -> Vehicle {
        let mut vehicle = Vehicle::new(&model.network, self.vehicle_kind(), position, heading, speed);
        if vehicle.kind == Kind::Mdp {
            vehicle.choose_target_speed(speed, &self.target_speeds);
        }
        vehicle
    }

    /// Returns the space of a vehicle's actions.
    pub fn space(&self) -> Space {
        match &self.form {
            Form::Meta(actions) => Space::discrete(actions.len() as i64),
            Form::Discrete(actions) => Space::discrete(actions.len() as i64),
            Form::Continuous => Space::uniform(-1.0, 1.0, &[self.components()], Dtype::F32),
        }
    }

    /// Returns the action of one of several vehicles.
    pub fn of_agent<'a>(&self, action: &Action<'a>, agent: usize, agents: usize) -> VehicleAction<'a> {
        match self.form {
            Form::Continuous => {
                let width = self.components();
                VehicleAction::Components(&action.continuous(0, agents * width)[agent * width..][..width])
            }
            _ => VehicleAction::Number(action.discretes(0, agents)[agent] as usize),
        }
    }

    /// Returns the action of all agents.
    pub fn of_all<'a>(&self, action: &Action<'a>, agents: usize) -> VehicleAction<'a> {
        match self.form {
            _ if agents == 1 => self.of_agent(action, 0, 1),
            Form::Continuous => VehicleAction::Components(action.continuous(0, agents * self.components())),
            _ => VehicleAction::Numbers(action.discretes(0, agents)),
        }
    }

    /// Returns the number of meta-actions; 0 for other types.
    pub fn meta_actions(&self) -> usize {
        if let Form::Meta(actions) = &self.form { actions.len() } else { 0 }
    }

    fn components(&self) -> usize {
        if self.longitudinal && self.lateral { 2 } else { 1 }
    }

    /// Applies an action to a vehicle.
    pub fn act(&self, model: &RoadModel, vehicle: &mut Vehicle, action: VehicleAction<'_>) {
        let components: &[f32] = match (&self.form, action) {
            (Form::Meta(actions), VehicleAction::Number(number)) => {
                return model.act_controlled(vehicle, Some(actions[number]));
            }
            (Form::Discrete(actions), VehicleAction::Number(number)) => &actions[number],
            (_, VehicleAction::Components(components)) => components,
            _ => unreachable!("continuous actions have components, and each vehicle has its own action"),
        };
        if let Some(range) = self.speed_range {
            vehicle.speed_range = range;
        }
        let component = |index: usize| match self.clip {
            true => components[index].clamp(-1.0, 1.0),
            false => components[index],
        };
        vehicle.acceleration = if self.longitudinal { lmap_action(component(0), self.acceleration_range) } else { 0.0 };
        vehicle.steering =
            if self.lateral { lmap_action(component(usize::from(self.longitudinal)), self.steering_range) } else { 0.0 };
    }

    /// Writes 1 for each meta-action that has an effect on a vehicle, and 0 for others.
    pub fn write_mask(&self, model: &RoadModel, vehicle: &Vehicle, mask: &mut Vec<u8>) {
        let Form::Meta(actions) = &self.form else { return };
        let network = &model.network;
        let is_reachable = |side: bool| {
            let mut lanes = network.side_lanes(vehicle.lane).filter(|lane| (*lane > vehicle.lane) == side);
            lanes.any(|lane| network.lane(lane).is_reachable_from(vehicle.position))
        };
        mask.extend(actions.iter().map(|action| {
            u8::from(match action {
                Idle => true,
                LaneLeft => is_reachable(false),
                LaneRight => is_reachable(true),
                Faster => vehicle.speed_index < self.target_speeds.len() as i64 - 1,
                Slower => vehicle.speed_index > 0,
            })
        }));
    }
}

/// Returns `np.linspace(-1, 1, count)` of float32 numbers.
fn axis(count: usize) -> Vec<f32> {
    let step = 2.0 / (count as f32 - 1.0);
    let mut values: Vec<f32> = (0..count).map(|index| index as f32 * step - 1.0).collect();
    values[count - 1] = 1.0;
    values
}
