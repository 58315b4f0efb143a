//! Environment of a Shadow hand task: its options, model, episodes and observations.

use super::HandSpec;
use super::fingers::{ACTION, Fingers, JOINTS, REACH_START, TOUCH_SENSORS, TOUCH_TYPES, Touch};
use super::goal::{Distance, FINGERS_GOAL, GoalRules, OBJECT_GOAL};
use super::manipulate::{self, Manipulate, ObjectRules};
use super::reach::{INITIAL_QPOS, Reach, ReachStart};
use crate::errors::to_error;
use crate::goals::{self, REWARD_TYPES, RewardType};
use crate::mujoco_env::{Family, Inputs, MujocoEnv, NativeStep, Reset, Step, Stepped};
use crate::names::Names;
use crate::render_setup::{CameraPreset, ENVPOOL_ORDER};
use crate::robot::{Writer, flag};
use crate::robotics::{self, ModelFile};
use crate::snapshot_checks::{check_finite, check_len};
use crate::stepper_choice::StepperChoice;
use envpool_rs_engine::{Action, AssetCache, AssetRef, Dtype, EnvSpec, OptionSpec, Options, Result, Row, Space, Task, Value};
use envpool_rs_numeric::random::Generator;
use envpool_rs_sim_mujoco::model_overrides::{GEOM_RGBA, SITE_POS, SITE_RGBA};
use envpool_rs_sim_mujoco::{Data, Derived, Fault, Library, Model, Stepper};
use serde::{Deserialize, Serialize};

const FRAME_SKIP: i64 = 20;
/// Maximum length in metres, and maximum angle in radians, that options take.
const MAX_THRESHOLD: f64 = 1e6;
const TOUCH_COLOURS: [&str; 3] = ["on_touch", "off", "always"];
const ORDER: &str = "frame_skip frame_stack xml_file reward_type relative_control distance_threshold rotation_threshold \
    target_position target_rotation target_position_low0 target_position_high0 target_position_low1 target_position_high1 \
    target_position_low2 target_position_high2 randomize_initial_position randomize_initial_rotation ignore_z_target_rotation \
    touch_visualisation";

/// Offset of the shown goal along the axis x in metres, where positions of goals do not matter.
const SHOWN_OFFSET: f64 = 0.15;
/// Colours in pictures of touch sensors with a force, and of others.
const TOUCH_RGBA: [[f32; 4]; 2] = [[1.0, 0.0, 0.0, 0.5], [0.0, 0.5, 0.0, 0.2]];

pub struct HandEnv {
    spec: &'static HandSpec,
    rules: GoalRules,
    object_rules: Option<ObjectRules>,
    is_relative: bool,
    /// Positions of joints before the first episode, by name.
    initial_qpos: Vec<(String, Vec<f64>)>,
    touch: Touch,
    touch_colours: String,
    model: ModelFile,
    frame_skip: u32,
    bound: Option<Bound>,
}

#[derive(Serialize, Deserialize)]
pub struct HandMemory {
    goal: Vec<f64>,
    /// Distance between achieved goal and desired goal after the last step or reset.
    distance: Distance,
}

struct Bound {
    fingers: Fingers,
    kind: Kind,
    start: AssetRef<Start>,
}

/// Objects of the two kinds of tasks.
enum Kind {
    /// The fingers must reach positions.
    Reach(Reach),
    /// An object must reach a position and an orientation.
    Manipulate(Manipulate),
}

/// State of a simulation before the first episode.
struct Start {
    state: Vec<f64>,
    qpos: Vec<f64>,
    reach: Option<ReachStart>,
}

impl HandEnv {
    /// Creates the task `id` with the defaults that `spec` holds, and with the render options.
    pub fn task(id: &'static str, spec: &'static HandSpec) -> Task {
        let threshold = |name, default, doc| OptionSpec::new(name, default, doc).numbers(0.0..=MAX_THRESHOLD);
        let mut options = robotics::model_options(FRAME_SKIP, spec.xml_file);
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
        let order = ORDER.split(' ').chain(["touch_get_obs"]).filter(|name| names.contains(name)).chain(ENVPOOL_ORDER);
        MujocoEnv::<Self>::task(id, options, Self::CAMERA).variant(spec).envpool_order(order.collect())
    }

    fn bound(&self) -> &Bound {
        self.bound.as_ref().expect("lanes are made of a loaded model")
    }

    fn goal_len(&self) -> usize {
        if self.spec.has_object { OBJECT_GOAL } else { FINGERS_GOAL }
    }

    /// Returns the number of values of an observation without the goals.
    fn observed(&self) -> usize {
        let object = if self.spec.has_object { 6 } else { 0 };
        let touch = if self.touch == Touch::Off { 0 } else { TOUCH_SENSORS };
        2 * JOINTS + object + self.goal_len() + touch
    }

    /// Writes the observed frame: observation, achieved goal and desired goal. Updates the distance.
    fn capture(&self, data: &Data, memory: &mut HandMemory, frame: &mut [f64]) {
        let Bound { fingers, kind, .. } = self.bound();
        let mut to = Writer::new(frame);
        fingers.observe(data, &mut to);
        memory.distance = match kind {
            Kind::Reach(objects) => {
                let achieved = objects.achieved(data);
                to.add(&achieved);
                to.add(&achieved);
                self.rules.distance(&achieved, &memory.goal)
            }
            Kind::Manipulate(objects) => {
                let achieved = objects.achieved(data);
                objects.observe(data, &mut to);
                if self.touch != Touch::Off {
                    fingers.observe_touch(data, self.touch, &mut to);
                }
                to.add(&achieved);
                self.rules.distance(&achieved, &memory.goal)
            }
        };
        to.add(&memory.goal);
    }

    /// Shows goal and fingertips at the sites of the model, and computes derived quantities (`_render_callback` of reach.py).
    fn show_fingers(names: Names<'_>, data: &mut Data, shown: &[f64]) -> Result<(), Fault> {
        data.forward()?;
        let places = ["finger", "target"].into_iter().zip(shown.chunks_exact(shown.len() / 2));
        for (name, places) in places {
            for (finger, place) in places.chunks_exact(3).enumerate() {
                let Ok(site) = names.site(&format!("{name}{finger}")) else { continue };
                let now = data.site(site);
                for axis in 0..3 {
                    let position = &mut data.model_array_mut(SITE_POS)[3 * site + axis];
                    *position = place[axis] - (now[axis] - *position);
                }
            }
        }
        data.forward()
    }

    /// Shows the goal at the body of the model, and computes derived quantities (`_render_callback` of manipulate.py).
    fn show_object(
        &self,
        names: Names<'_>,
        data: &mut Data,
        goal: &[f64],
        (place, velocity): (usize, usize),
    ) -> Result<(), Fault> {
        data.qpos_mut()[place..][..goal.len()].copy_from_slice(goal);
        if self.rules.ignores_position {
            data.qpos_mut()[place] += SHOWN_OFFSET;
        }
        data.qvel_mut()[velocity..][..6].fill(0.0);
        if let Ok(hidden) = names.geom("object_hidden") {
            data.model_array_mut(GEOM_RGBA)[4 * hidden + 3] = 1.0;
        }
        data.forward()
    }

    /// Colours the touch sensors (`_render_callback` of manipulate_touch_sensors.py).
    fn show_touch(&self, model: &Model, data: &mut Data) {
        for sensor in self.bound().fingers.touch.clone() {
            let site = model.sensor_objid()[sensor] as usize;
            let has_force = data.sensordata()[sensor] != 0.0;
            let colour = &mut data.model_array_mut(SITE_RGBA)[4 * site..][..4];
            match &*self.touch_colours {
                "off" => colour[3] = 0.0,
                "on_touch" => colour.copy_from_slice(&TOUCH_RGBA[usize::from(!has_force)]),
                _ => {}
            }
        }
    }
}

impl Family for HandEnv {
    type Memory = HandMemory;
    type Random = Generator;
    const CAMERA: CameraPreset = robotics::camera([1.0, 0.96, 0.14], 0.5, -25.0, 55.0);

    fn new(options: &Options) -> Result<Self> {
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
                _ => REACH_START.iter().map(|(joint, position)| ((*joint).to_owned(), vec![*position])).collect(),
            },
            touch: Touch::of(touch_option("touch_get_obs")).expect("the option takes no other values"),
            touch_colours: touch_option("touch_visualisation").to_owned(),
            model: ModelFile::new(options),
            frame_skip: options.int("frame_skip") as u32,
            bound: None,
        })
    }

    fn model_name(&self) -> Result<String> {
        Ok(self.model.name("the Shadow hand"))
    }

    fn compile(&self, library: &'static Library) -> Result<Model> {
        self.model.compile(library)
    }

    fn bind(&mut self, model: &Model, store: &AssetCache) -> Result<()> {
        let names = Names(model);
        let fingers = Fingers::new(names, self.spec.has_touch_sensors, self.is_relative)?;
        let kind = match self.spec.has_object {
            true => Kind::Manipulate(Manipulate::new(names)?),
            false => Kind::Reach(Reach::new(names, &self.initial_qpos)?),
        };
        let start = store.get_or_load(&format!("{} from {:?}", self.model_name()?, self.initial_qpos), || {
            let start = find_start(model, &kind).map_err(to_error)?;
            let bytes = size_of_val(&*start.state) + size_of_val(&*start.qpos);
            Ok((start, bytes))
        })?;
        self.bound = Some(Bound { fingers, kind, start });
        Ok(())
    }

    fn native_step(&mut self, stepper: Option<&Stepper>) -> NativeStep {
        let touch = if self.touch == Touch::Off { 0..0 } else { self.bound().fingers.touch.clone() };
        let knows = |by: &Stepper| by.knows_touch() && touch.clone().all(|adr| by.is_touch(adr));
        match touch.is_empty() || stepper.is_some_and(knows) {
            true => NativeStep::Arrays(
                Derived::SITE_XPOS.when(!self.spec.has_object) | Derived::TOUCH_SENSORDATA.when(!touch.is_empty()),
            ),
            // MuJoCo's library computes the touch sensors, in the last simulation step.
            false => NativeStep::States { library_steps: 1, keeps_positions: false },
        }
    }

    fn spec(&self, _model: Option<&Model>, frame_stack: usize) -> EnvSpec {
        let observation = goals::observation_space(self.observed(), self.goal_len(), frame_stack);
        goals::same_spec(observation, Space::uniform(-1.0, 1.0, &[ACTION], Dtype::F32), robotics::goal_infos())
    }

    fn frame_len(&self) -> usize {
        self.observed() + 2 * self.goal_len()
    }

    fn initial_state(&self) -> Option<&[f64]> {
        Some(&self.bound().start.state)
    }

    fn create(&self) -> HandMemory {
        let goal = vec![0.0; self.goal_len()];
        HandMemory { distance: self.rules.distance(&goal, &goal), goal }
    }

    fn memory_bytes(&self, _model: Option<&Model>) -> usize {
        self.goal_len() * size_of::<f64>()
    }

    fn reset(&self, data: &mut Data, reset: &mut Reset<'_, Self>) -> Result<(), Fault> {
        let Reset { memory, frame, random, .. } = reset;
        let Bound { fingers, kind, start } = self.bound();
        match (kind, &self.object_rules, &start.reach) {
            (Kind::Manipulate(objects), Some(rules), _) => {
                objects.reset(data, (fingers, self.frame_skip), rules, &start.qpos, random)?;
                memory.goal.copy_from_slice(&objects.draw_goal(data, rules, random));
            }
            (Kind::Reach(objects), _, Some(start)) => {
                objects.reset(data, start)?;
                memory.goal.copy_from_slice(&objects.draw_goal(start, random));
            }
            _ => unreachable!("tasks of objects have rules for them, and other tasks have a start of the fingers"),
        }
        self.capture(data, memory, frame);
        Ok(())
    }

    fn act(&self, inputs: &mut impl Inputs, action: &Action<'_>, _memory: &mut HandMemory, _frame: &[f64]) {
        let controls = self.bound().fingers.controls(inputs.qpos_mut(), action.continuous(0, ACTION));
        inputs.ctrl_mut().copy_from_slice(&controls);
    }

    fn evaluate(&self, data: &mut Data, _stepped: Stepped<'_>, step: &mut Step<'_, Self>) -> Result<bool, Fault> {
        self.capture(data, step.memory, step.frame);
        step.rewards[0] = self.rules.reward(step.memory.distance);
        Ok(false)
    }

    fn observe(&self, frames: &[f64], out: &mut Row<'_>) {
        goals::write_frames(frames, self.observed(), self.goal_len(), out);
    }

    fn info(&self, memory: &HandMemory, out: &mut Row<'_>) {
        out.scalar(0, u8::from(self.rules.is_success(memory.distance)));
        out.scalar(1, memory.distance.sum());
    }

    fn show(&self, data: &mut Data, memory: &HandMemory, frames: &[f64]) -> Result<(), Fault> {
        let model = data.model().clone();
        match &self.bound().kind {
            Kind::Reach(_) => Self::show_fingers(Names(&model), data, &frames[frames.len() - 2 * self.goal_len()..]),
            Kind::Manipulate(objects) => {
                self.show_object(Names(&model), data, &memory.goal, objects.target)?;
                self.show_touch(&model, data);
                Ok(())
            }
        }
    }

    fn check(&self, memory: &HandMemory, _frames: &[f64]) -> Result<()> {
        check_len("goal", memory.goal.len(), self.goal_len())?;
        check_finite(&memory.goal)
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
