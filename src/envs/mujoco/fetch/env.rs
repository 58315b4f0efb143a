//! Environment of the Fetch robot: its model, simulations, stacked frames and snapshots.

use super::FetchSpec;
use super::arm::{Arm, BodyPose, Placement, Start, free_welds};
use super::goal::{self, GoalRules, Point};
use crate::rendered::{CameraPreset, Rendered};
use crate::robot::{Writer, flag};
use crate::robotics::{self, ROBOTICS_DIR};
use crate::simulated::shared_model::SharedModel;
use crate::simulated::{shift_frames, to_error};
use crate::who_steps::StepperChoice;
use envpool_rs_engine::{AssetRef, OptionSpec, Options, Result, Task};
use envpool_rs_sim_mujoco::{Data, Library, Model, render::FreeCamera};

/// Number of values of a goal: a position.
pub(super) const GOAL: usize = 3;
/// Default number of simulation steps per environment step.
const FRAME_SKIP: i64 = 20;
/// Maximum absolute value of the start's coordinates in metres.
const MAX_COORDINATE: f64 = 100.0;
/// Names of the options in the order of EnvPool's configuration.
const ENVPOOL_ORDER: [&str; 19] = [
    "frame_skip",
    "frame_stack",
    "xml_file",
    "reward_type",
    "has_object",
    "block_gripper",
    "target_in_the_air",
    "gripper_extra_height",
    "target_offset_x",
    "target_offset_y",
    "target_offset_z",
    "obj_range",
    "target_range",
    "distance_threshold",
    SLIDES[0],
    SLIDES[1],
    SLIDES[2],
    OBJECT[0],
    OBJECT[1],
];
const SLIDES: [&str; 3] = ["initial_slide0", "initial_slide1", "initial_slide2"];
const OBJECT: [&str; 3] = ["initial_object_x", "initial_object_y", "initial_object_z"];

/// Camera of Gymnasium-Robotics' pictures.
pub(super) const CAMERA: CameraPreset = CameraPreset::Robot(FreeCamera {
    lookat: Some([1.3, 0.75, 0.55]),
    distance: Some(2.5),
    elevation: Some(-14.0),
    azimuth: Some(132.0),
    orthographic: None,
    uses_model_default: false,
});

/// Environment of the Fetch robot.
pub struct FetchEnv {
    pub(super) rules: GoalRules,
    pub(super) has_object: bool,
    pub(super) blocks_gripper: bool,
    xml_file: String,
    folder: Option<String>,
    placement: Placement,
    pub(super) frame_skip: u32,
    pub(super) frame_stack: usize,
    pub(super) shared: SharedModel,
    pub(super) who_steps: StepperChoice,
    /// Start of all episodes; `None` before the model is loaded.
    pub(super) start: Option<AssetRef<Start>>,
    pub(super) arm: Arm,
}

/// Episode state of a lane, which is one environment of a pool.
pub struct EpisodeState {
    /// MuJoCo's state vector of the lane (`mjSTATE_INTEGRATION`).
    pub(super) state: Vec<f64>,
    /// Position and orientation of the gripper's body after the last step or reset; the next action is relative to them.
    pub(super) pose: BodyPose,
    /// Stacked observation frames, oldest first. Each holds the observation, the achieved goal and the desired goal.
    pub(super) frames: Vec<f64>,
    /// Desired goal in metres.
    pub(super) goal: Point,
    /// Distance between achieved goal and desired goal after the last step or reset, in metres.
    pub(super) distance: f64,
}

/// A lane's buffers and quantities that a step reads and writes in addition to the simulation's state.
pub(super) struct LaneBuffers<'a> {
    pub(super) pose: &'a mut BodyPose,
    frames: &'a mut [f64],
    goal: &'a Point,
    distance: &'a mut f64,
}

impl EpisodeState {
    /// Returns mutable borrows of the state vector and of the other fields.
    pub(super) fn parts(&mut self) -> (&mut [f64], LaneBuffers<'_>) {
        let Self { state, pose, frames, goal, distance } = self;
        (state, LaneBuffers { pose, frames, goal, distance })
    }
}

/// Fields of [`EpisodeState`] in a snapshot.
pub(super) type Saved = ([Vec<f64>; 2], BodyPose, Point, f64);

impl FetchEnv {
    /// Creates the task `id` with the defaults that `spec` holds, and with the render options.
    pub fn task(id: &'static str, spec: &'static FetchSpec) -> Task {
        let place = |name, default: f64, doc| OptionSpec::new(name, default, doc).numbers(-MAX_COORDINATE..=MAX_COORDINATE);
        let mut options = robotics::model_options(FRAME_SKIP, spec.xml_file).to_vec();
        options.push(StepperChoice::option());
        options.extend([
            flag("has_object", spec.has_object, "whether goals are goals of the object in the model, not of the gripper"),
            flag("block_gripper", spec.blocks_gripper, "whether the gripper's fingers stay closed"),
            place("gripper_extra_height", spec.extra_height, "height of the gripper's start above its height at the table in m"),
        ]);
        options.extend(goal::options(spec));
        let base = [spec.slide, 0.48, 0.0];
        for (name, (default, doc)) in SLIDES.into_iter().zip(base.into_iter().zip([
            "position of the robot's base in m, along the axis x",
            "the same along the axis y",
            "the same along the axis z",
        ])) {
            options.push(place(name, default, doc));
        }
        for (name, (default, doc)) in OBJECT.into_iter().zip(spec.object.into_iter().zip([
            "position of the object before the first episode in m, along the axis x",
            "the same along the axis y",
            "the same along the axis z",
        ])) {
            options.push(place(name, default, doc));
        }
        let order = ENVPOOL_ORDER.into_iter().chain([OBJECT[2]]).collect();
        Rendered::<Self>::task(id, options, CAMERA).variant(spec).envpool_order(order)
    }

    /// Creates the environment from the values of its options.
    ///
    /// # Errors
    /// `Value`, with the name of the option whose value is invalid.
    pub(super) fn from_options(options: &Options) -> Result<Self> {
        let has_object = options.bool("has_object");
        Ok(Self {
            rules: GoalRules::new(options, has_object)?,
            has_object,
            blocks_gripper: options.bool("block_gripper"),
            xml_file: options.text("xml_file").expect("it has a default").to_owned(),
            folder: options.text(ROBOTICS_DIR).map(str::to_owned),
            placement: Placement {
                slides: SLIDES.map(|name| options.float(name)),
                object: OBJECT.map(|name| options.float(name)),
                extra_height: options.float("gripper_extra_height"),
            },
            frame_skip: options.int("frame_skip") as u32,
            frame_stack: options.int("frame_stack") as usize,
            shared: SharedModel::default(),
            who_steps: StepperChoice::new(options),
            start: None,
            arm: Arm::default(),
        })
    }

    /// Returns the key under which the pool's store holds the model.
    pub(super) fn model_name(&self) -> String {
        format!("{} in {:?} for Fetch", self.xml_file, self.folder)
    }

    /// Returns the key under which the pool's store holds the start of episodes.
    pub(super) fn start_name(&self) -> String {
        format!("{} from {:?}, {}, {}", self.model_name(), self.placement, self.has_object, self.frame_skip)
    }

    /// Compiles the model.
    ///
    /// # Errors
    /// `NotFound` if there is no such file, `Value` if MuJoCo rejects it.
    pub(super) fn compile(&self, library: &'static Library) -> Result<Model> {
        let path = robotics::model_path(self.folder.as_deref(), &self.xml_file)?;
        let mut model = Model::from_xml(library, &path, &[]).map_err(to_error)?;
        free_welds(&mut model).map_err(to_error)?;
        Ok(model)
    }

    /// Computes the start of episodes. Also returns its size in bytes.
    ///
    /// # Errors
    /// `State` if MuJoCo reports an error.
    pub(super) fn find_start(&self, model: &Model) -> Result<(Start, usize)> {
        let sizes = model.sizes();
        let bytes = (sizes.nq + sizes.nv) * size_of::<f64>();
        let mut data = Data::new(model).map_err(to_error)?;
        Ok((self.arm.find_start(&mut data, &self.placement, self.frame_skip).map_err(to_error)?, bytes))
    }

    /// Returns the number of values of an observation frame.
    pub(super) fn frame(&self) -> usize {
        Arm::observation_len(self.has_object) + 2 * GOAL
    }

    /// Returns the duration of a step in simulated seconds.
    pub(super) fn step_seconds(&self, timestep: f64) -> f64 {
        f64::from(self.frame_skip) * timestep
    }

    /// Computes observation and reward after the simulation's step.
    pub(super) fn evaluate(&self, data: &Data, rewards: &mut [f64], lane: &mut LaneBuffers<'_>) {
        *lane.pose = self.arm.pose(data);
        *lane.distance = self.capture(data, lane.goal, lane.frames);
        rewards[0] = goal::reward(self.rules.reward_type, *lane.distance, self.rules.threshold);
    }

    /// Drops the oldest of the stacked observation frames, and appends the newest frame. Returns the distance to the goal.
    pub(super) fn capture(&self, data: &Data, goal: &Point, frames: &mut [f64]) -> f64 {
        let mut to = Writer::new(shift_frames(frames, self.frame()));
        let achieved = self.arm.achieved(data);
        self.arm.observe(data, self.step_seconds(data.model().timestep()), &mut to);
        to.add(&achieved);
        to.add(goal);
        goal::distance(&achieved, goal)
    }
}
