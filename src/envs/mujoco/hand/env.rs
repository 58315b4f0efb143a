//! Environment of a Shadow hand task: its options, model and episode starts.

use super::HandSpec;
use super::fingers::{Fingers, JOINTS, TOUCH_SENSORS, TOUCH_TYPES, Touch};
use super::goal::{Distance, FINGERS_GOAL, GoalRules, OBJECT_GOAL};
use super::manipulate::{self, Manipulate, ObjectRules};
use super::reach::{self, INITIAL_QPOS, Reach, ReachStart};
use crate::goals::{REWARD_TYPES, RewardType};
use crate::names::Names;
use crate::rendered::{CameraPreset, ENVPOOL_ORDER, Rendered};
use crate::robot::{Writer, flag};
use crate::robotics::{self, ROBOTICS_DIR};
use crate::simulated::shared_model::SharedModel;
use crate::simulated::{shift_frames, to_error};
use crate::who_steps::StepperChoice;
use envpool_rs_engine::{AssetRef, OptionSpec, Options, Result, Task, Value};
use envpool_rs_numeric::random::Generator;
use envpool_rs_sim_mujoco::{Data, Fault, Library, Model, render::FreeCamera};

/// Default number of simulation steps per environment step.
const FRAME_SKIP: i64 = 20;
/// Maximum length in metres, and maximum angle in radians, that options take.
const MAX_THRESHOLD: f64 = 1e6;
/// Values of the option `touch_visualisation`.
const TOUCH_COLOURS: [&str; 3] = ["on_touch", "off", "always"];
/// Names of the options in the order of EnvPool's configuration.
const ORDER: [&str; 19] = [
    "frame_skip",
    "frame_stack",
    "xml_file",
    "reward_type",
    "relative_control",
    "distance_threshold",
    "rotation_threshold",
    "target_position",
    "target_rotation",
    "target_position_low0",
    "target_position_high0",
    "target_position_low1",
    "target_position_high1",
    "target_position_low2",
    "target_position_high2",
    "randomize_initial_position",
    "randomize_initial_rotation",
    "ignore_z_target_rotation",
    "touch_visualisation",
];

/// Camera of Gymnasium-Robotics' pictures.
pub const CAMERA: CameraPreset = CameraPreset::Robot(FreeCamera {
    lookat: Some([1.0, 0.96, 0.14]),
    distance: Some(0.5),
    elevation: Some(-25.0),
    azimuth: Some(55.0),
    orthographic: None,
    uses_model_default: false,
});

/// Environment of a Shadow hand task.
pub struct HandEnv {
    pub(super) spec: &'static HandSpec,
    pub(super) rules: GoalRules,
    object_rules: Option<ObjectRules>,
    is_relative: bool,
    /// Positions of joints before the first episode, by name.
    initial_qpos: Vec<(String, Vec<f64>)>,
    pub(super) touch: Touch,
    /// Value of the option `touch_visualisation`.
    pub(super) touch_colours: String,
    xml_file: String,
    folder: Option<String>,
    pub(super) frame_skip: u32,
    pub(super) frame_stack: usize,
    pub(super) shared: SharedModel,
    pub(super) who_steps: StepperChoice,
    bound: Option<Bound>,
}

/// Parts of the environment that depend on the model.
struct Bound {
    fingers: Fingers,
    kind: Kind,
    start: AssetRef<Start>,
}

/// Objects of the two kinds of tasks.
pub enum Kind {
    /// The fingers must reach positions.
    Reach(Reach),
    /// An object must reach a position and an orientation.
    Manipulate(Manipulate),
}

/// State of a simulation before the first episode.
pub struct Start {
    /// State vector (`mjSTATE_INTEGRATION`).
    pub state: Vec<f64>,
    qpos: Vec<f64>,
    reach: Option<ReachStart>,
}

impl HandEnv {
    /// Creates the task `id` with the defaults that `spec` holds, and with the render options.
    pub fn task(id: &'static str, spec: &'static HandSpec) -> Task {
        let threshold = |name, default, doc| OptionSpec::new(name, default, doc).numbers(0.0..=MAX_THRESHOLD);
        let mut options = robotics::model_options(FRAME_SKIP, spec.xml_file).to_vec();
        options.extend([
            StepperChoice::option(),
            OptionSpec::new("reward_type", "sparse", "sparse: -1 until the goal is reached, then 0; dense: by distances")
                .one_of(&REWARD_TYPES),
            flag(
                "relative_control",
                false,
                "whether actions are relative to the positions of the joints, not to the control ranges",
            ),
            threshold("distance_threshold", spec.threshold, "distance in m at which a goal is reached"),
        ]);
        if spec.has_object {
            options.push(threshold("rotation_threshold", 0.1, "angle in radians at which a goal is reached"));
            options.extend(manipulate::options(spec.turns_object, spec.ignores_z));
        } else {
            let doc = "positions in radians before the first episode, by joint; None: Gymnasium-Robotics' start";
            options.push(OptionSpec::optional(INITIAL_QPOS, Value::Table(Vec::new()), doc));
        }
        if spec.has_touch_sensors {
            options.extend([
                OptionSpec::new("touch_visualisation", "on_touch", "when pictures show the touch sensors").one_of(&TOUCH_COLOURS),
                OptionSpec::new(
                    "touch_get_obs",
                    "sensordata",
                    "what observations show of forces; log: log(force + 1); off: nothing",
                )
                .one_of(&TOUCH_TYPES),
            ]);
        }
        let names: Vec<_> = options.iter().map(|option| option.name).collect();
        let order = ORDER.into_iter().chain(["touch_get_obs"]).filter(|name| names.contains(name)).chain(ENVPOOL_ORDER);
        Rendered::<Self>::task(id, options, CAMERA).variant(spec).envpool_order(order.collect())
    }

    /// Creates the environment from the values of its options.
    ///
    /// # Errors
    /// `Value`, with the name of the option whose value is invalid.
    pub(super) fn from_options(options: &Options) -> Result<Self> {
        let spec = options.variant::<HandSpec>().expect("`HandEnv::task` says which task it is");
        let text = |name| options.text(name).expect("it has a default");
        let object_rules = if spec.has_object { Some(ObjectRules::new(options)?) } else { None };
        let rules = GoalRules {
            reward_type: RewardType::of(text("reward_type")).expect("the option takes no other values"),
            threshold: options.float("distance_threshold"),
            angle_threshold: if spec.has_object { options.float("rotation_threshold") } else { 0.0 },
            ignores_position: object_rules.as_ref().is_some_and(ObjectRules::ignores_position),
            ignores_rotation: object_rules.as_ref().is_some_and(ObjectRules::ignores_rotation),
            ignores_z: spec.has_object && options.bool("ignore_z_target_rotation"),
        };
        let touch_option = |name| if spec.has_touch_sensors { text(name) } else { "off" };
        Ok(Self {
            spec,
            rules,
            object_rules,
            is_relative: options.bool("relative_control"),
            initial_qpos: match options.find(INITIAL_QPOS) {
                Some(Value::Table(positions)) => positions.clone(),
                _ => reach::default_positions(),
            },
            touch: Touch::of(touch_option("touch_get_obs")).expect("the option takes no other values"),
            touch_colours: touch_option("touch_visualisation").to_owned(),
            xml_file: text("xml_file").to_owned(),
            folder: options.text(ROBOTICS_DIR).map(str::to_owned),
            frame_skip: options.int("frame_skip") as u32,
            frame_stack: options.int("frame_stack") as usize,
            shared: SharedModel::default(),
            who_steps: StepperChoice::new(options),
            bound: None,
        })
    }

    /// Returns the key under which the pool's store holds the model.
    pub(super) fn model_name(&self) -> String {
        format!("{} in {:?} for the Shadow hand", self.xml_file, self.folder)
    }

    /// Compiles the model.
    ///
    /// # Errors
    /// `NotFound` if there is no such file, `Value` if MuJoCo rejects it.
    pub(super) fn compile(&self, library: &'static Library) -> Result<Model> {
        let path = robotics::model_path(self.folder.as_deref(), &self.xml_file)?;
        Model::from_xml(library, &path, &[]).map_err(to_error)
    }

    /// Looks up the objects of the model, and takes the start of episodes from the pool's store.
    ///
    /// # Errors
    /// `Value` if the model lacks an object, `State` if MuJoCo reports an error.
    pub(super) fn bind(&mut self, model: &Model, store: &envpool_rs_engine::AssetCache) -> Result<()> {
        let names = Names(model);
        let fingers = Fingers::new(names, self.spec.has_touch_sensors, self.is_relative)?;
        let kind = match self.spec.has_object {
            true => Kind::Manipulate(Manipulate::new(names)?),
            false => Kind::Reach(Reach::new(names, &self.initial_qpos)?),
        };
        let start = store.get_or_load(&format!("{} from {:?}", self.model_name(), self.initial_qpos), || {
            let start = find_start(model, &kind).map_err(to_error)?;
            let bytes = size_of_val(&*start.state) + size_of_val(&*start.qpos);
            Ok((start, bytes))
        })?;
        self.bound = Some(Bound { fingers, kind, start });
        Ok(())
    }

    /// Returns the number of simulation steps of an environment step that may be native steps: all of them, or all but the last
    /// one, in which MuJoCo computes the touch sensors.
    pub(super) fn native_steps(&self) -> u32 {
        self.frame_skip - u32::from(self.touch != Touch::Off)
    }

    fn bound(&self) -> &Bound {
        self.bound.as_ref().expect("lanes are made of a loaded model")
    }

    pub(super) fn kind(&self) -> &Kind {
        &self.bound().kind
    }

    pub(super) fn fingers(&self) -> &Fingers {
        &self.bound().fingers
    }

    pub(super) fn start(&self) -> &Start {
        &self.bound().start
    }

    /// Returns the number of values of a goal.
    pub(super) fn goal_len(&self) -> usize {
        if self.spec.has_object { OBJECT_GOAL } else { FINGERS_GOAL }
    }

    /// Returns the number of values of an observation without the goals.
    pub(super) fn observed(&self) -> usize {
        let object = if self.spec.has_object { 6 } else { 0 };
        let touch = if self.touch == Touch::Off { 0 } else { TOUCH_SENSORS };
        2 * JOINTS + object + self.goal_len() + touch
    }

    /// Returns the number of values of an observation frame.
    pub(super) fn frame(&self) -> usize {
        self.observed() + 2 * self.goal_len()
    }

    /// Resets the simulation, and draws a goal.
    pub(super) fn start_episode(&self, data: &mut Data, goal: &mut [f64], random: &mut Generator) -> Result<(), Fault> {
        let Bound { fingers, kind, start } = self.bound();
        match (kind, &self.object_rules, &start.reach) {
            (Kind::Manipulate(objects), Some(rules), _) => {
                objects.reset(data, (fingers, self.frame_skip), rules, &start.qpos, random)?;
                goal.copy_from_slice(&objects.draw_goal(data, rules, random));
            }
            (Kind::Reach(objects), _, Some(start)) => {
                objects.reset(data, start)?;
                goal.copy_from_slice(&objects.draw_goal(start, random));
            }
            _ => unreachable!("tasks of objects have rules for them, and other tasks have a start of the fingers"),
        }
        Ok(())
    }

    /// Advances the simulation by a step of the environment.
    pub(super) fn advance(&self, data: &mut Data, action: &[f32]) -> Result<(), Fault> {
        let controls = self.fingers().controls(data.qpos(), action);
        data.ctrl_mut().copy_from_slice(&controls);
        data.step(self.frame_skip, false)
    }

    /// Drops the oldest of the stacked observation frames, and appends the newest frame. Returns the distance to the goal.
    pub(super) fn capture(&self, data: &Data, goal: &[f64], frames: &mut [f64]) -> Distance {
        let mut to = Writer::new(shift_frames(frames, self.frame()));
        self.fingers().observe(data, &mut to);
        let distance = match self.kind() {
            Kind::Reach(objects) => {
                let achieved = objects.achieved(data);
                to.add(&achieved);
                to.add(&achieved);
                self.rules.distance(&achieved, goal)
            }
            Kind::Manipulate(objects) => {
                let achieved = objects.achieved(data);
                objects.observe(data, &mut to);
                if self.touch != Touch::Off {
                    self.fingers().observe_touch(data, self.touch, &mut to);
                }
                to.add(&achieved);
                self.rules.distance(&achieved, goal)
            }
        };
        to.add(goal);
        distance
    }
}

/// Computes the state of a new simulation before its first episode.
fn find_start(model: &Model, kind: &Kind) -> Result<Start, Fault> {
    let mut data = Data::new(model)?;
    let reach = match kind {
        Kind::Reach(objects) => Some(objects.find_start(&mut data)?),
        Kind::Manipulate(_) => {
            data.forward()?;
            None
        }
    };
    let mut state = vec![0.0; model.state_len()];
    data.get_state(&mut state);
    Ok(Start { state, qpos: data.qpos().to_vec(), reach })
}
