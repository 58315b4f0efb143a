//! Environment of the Fetch robot: its options, episodes and observations.

use super::FetchSpec;
use super::arm::{ACTION, Arm, BodyPose, Placement, Start, free_welds};
use super::goal::{self, GoalRules, Point};
use crate::errors::to_error;
use crate::goals;
use crate::mujoco_env::native_lanes::{compute_poses_of, pose_obstacle};
use crate::mujoco_env::{Family, Inputs, MujocoEnv, NativeStep, Reset, Step, Stepped};
use crate::render_setup::CameraPreset;
use crate::robot::{Writer, flag};
use crate::robotics::{self, ModelFile};
use crate::snapshot_checks::check_finite;
use crate::stepper_choice::StepperChoice;
use envpool_rs_engine::{Action, AssetCache, AssetRef, Dtype, EnvSpec, OptionSpec, Options, Result, Row, Space, Task};
use envpool_rs_numeric::random::Generator;
use envpool_rs_sim_mujoco::{Data, Fault, Library, Model, Stepper, model_overrides::SITE_POS};
use serde::{Deserialize, Serialize};

const GOAL: usize = 3;
const FRAME_SKIP: i64 = 20;
/// Maximum absolute value of the start's coordinates in metres.
const MAX_COORDINATE: f64 = 100.0;
const ENVPOOL_ORDER: &str = "frame_skip frame_stack xml_file reward_type has_object block_gripper target_in_the_air \
    gripper_extra_height target_offset_x target_offset_y target_offset_z obj_range target_range distance_threshold \
    initial_slide0 initial_slide1 initial_slide2 initial_object_x initial_object_y initial_object_z";
const SLIDES: [&str; 3] = ["initial_slide0", "initial_slide1", "initial_slide2"];
const OBJECT: [&str; 3] = ["initial_object_x", "initial_object_y", "initial_object_z"];

pub struct FetchEnv {
    rules: GoalRules,
    has_object: bool,
    blocks_gripper: bool,
    model: ModelFile,
    placement: Placement,
    frame_skip: u32,
    /// Start of all episodes; `None` before the model is loaded.
    start: Option<AssetRef<Start>>,
    arm: Arm,
}

#[derive(Default, Serialize, Deserialize)]
pub struct FetchMemory {
    /// Position and orientation of the gripper's body after the last step or reset; the next action is relative to them.
    pose: BodyPose,
    goal: Point,
    /// Distance between achieved goal and desired goal after the last step or reset, in metres.
    distance: f64,
}

impl FetchEnv {
    /// Creates the task `id` with the defaults that `spec` holds, and with the render options.
    pub fn task(id: &'static str, spec: &'static FetchSpec) -> Task {
        let place = |name, default: f64, doc| OptionSpec::new(name, default, doc).numbers(-MAX_COORDINATE..=MAX_COORDINATE);
        let mut options = robotics::model_options(FRAME_SKIP, spec.xml_file);
        options.push(StepperChoice::option());
        options.extend([
            flag("has_object", spec.has_object, "whether goals are goals of the object in the model, not of the gripper"),
            flag("block_gripper", spec.blocks_gripper, "whether the gripper's fingers stay closed"),
            place("gripper_extra_height", spec.extra_height, "height of the gripper's start above its height at the table in m"),
        ]);
        options.extend(goal::options(spec));
        let base = [spec.slide, 0.48, 0.0];
        for (names, values, x_doc) in [
            (SLIDES, base, "position of the robot's base in m, along the axis x"),
            (OBJECT, spec.object, "position of the object before the first episode in m, along the axis x"),
        ] {
            let docs = [x_doc, "the same along the axis y", "the same along the axis z"];
            options.extend((0..3).map(|axis| place(names[axis], values[axis], docs[axis])));
        }
        MujocoEnv::<Self>::task(id, options, Self::CAMERA).variant(spec).envpool_order(ENVPOOL_ORDER.split(' ').collect())
    }

    /// Writes the observed frame: observation, achieved goal and desired goal. Updates the gripper's pose, and the distance.
    fn capture(&self, data: &Data, memory: &mut FetchMemory, frame: &mut [f64]) {
        let mut to = Writer::new(frame);
        let achieved = self.arm.achieved(data);
        self.arm.observe(data, f64::from(self.frame_skip) * data.model().timestep(), &mut to);
        to.add(&achieved);
        to.add(&memory.goal);
        memory.pose = self.arm.pose(data);
        memory.distance = goal::distance(&achieved, &memory.goal);
    }
}

impl Family for FetchEnv {
    type Memory = FetchMemory;
    type Random = Generator;
    const CAMERA: CameraPreset = robotics::camera([1.3, 0.75, 0.55], 2.5, -14.0, 132.0);

    fn new(options: &Options) -> Result<Self> {
        let has_object = options.bool("has_object");
        Ok(Self {
            rules: GoalRules::new(options, has_object)?,
            has_object,
            blocks_gripper: options.bool("block_gripper"),
            model: ModelFile::new(options),
            placement: Placement {
                slides: SLIDES.map(|name| options.float(name)),
                object: OBJECT.map(|name| options.float(name)),
                extra_height: options.float("gripper_extra_height"),
            },
            frame_skip: options.int("frame_skip") as u32,
            start: None,
            arm: Arm::default(),
        })
    }

    fn model_name(&self) -> Result<String> {
        Ok(self.model.name("Fetch"))
    }

    fn compile(&self, library: &'static Library) -> Result<Model> {
        let mut model = self.model.compile(library)?;
        free_welds(&mut model).map_err(to_error)?;
        Ok(model)
    }

    fn bind(&mut self, model: &Model, store: &AssetCache) -> Result<()> {
        self.arm = Arm::new(model, self.has_object)?;
        let place = format!("{:?}, {}, {}", self.placement, self.has_object, self.frame_skip);
        let start = store.get_or_load(&format!("{} from {place}", self.model.name("Fetch")), || {
            let mut data = Data::new(model).map_err(to_error)?;
            let start = self.arm.find_start(&mut data, &self.placement, self.frame_skip).map_err(to_error)?;
            Ok((start, (model.sizes().nq + model.sizes().nv) * size_of::<f64>()))
        })?;
        self.start = Some(start);
        Ok(())
    }

    fn obstacle(&self, model: &Model, _is_rendered: bool) -> Option<&'static str> {
        // Pictures show the state at the end of a step, so they do not prevent native steps.
        pose_obstacle(model)
    }

    fn native_step(&mut self, _stepper: Option<&Stepper>) -> NativeStep {
        NativeStep::States { library_steps: 0, keeps_positions: !self.blocks_gripper }
    }

    fn spec(&self, _model: Option<&Model>, frame_stack: usize) -> EnvSpec {
        let observation = goals::observation_space(Arm::observation_len(self.has_object), GOAL, frame_stack);
        goals::same_spec(observation, Space::uniform(-1.0, 1.0, &[ACTION], Dtype::F32), robotics::goal_infos())
    }

    fn frame_len(&self) -> usize {
        Arm::observation_len(self.has_object) + 2 * GOAL
    }

    fn create(&self) -> FetchMemory {
        FetchMemory::default()
    }

    fn reset(&self, data: &mut Data, reset: &mut Reset<'_, Self>) -> Result<(), Fault> {
        let Reset { memory, frame, random, .. } = reset;
        let start = self.start.as_ref().expect("lanes are made of a loaded model");
        let place = self.has_object.then(|| self.rules.draw_object(&start.gripper, random));
        memory.goal = self.rules.draw_goal(&start.gripper, start.height, random);
        self.arm.reset(data, start, place)?;
        self.capture(data, memory, frame);
        Ok(())
    }

    fn act(&self, inputs: &mut impl Inputs, action: &Action<'_>, memory: &mut FetchMemory, _frame: &[f64]) {
        self.arm.act(inputs, action.continuous(0, ACTION), &memory.pose, self.blocks_gripper);
    }

    fn evaluate(&self, data: &mut Data, stepped: Stepped<'_>, step: &mut Step<'_, Self>) -> Result<bool, Fault> {
        match stepped {
            _ if self.blocks_gripper => self.arm.close_fingers(data)?,
            Stepped::ByLibrary => {}
            Stepped::Natively(positions) => compute_poses_of(positions, data)?,
        }
        self.capture(data, step.memory, step.frame);
        step.rewards[0] = goal::reward(self.rules.reward_type, step.memory.distance, self.rules.threshold);
        Ok(false)
    }

    fn observe(&self, frames: &[f64], out: &mut Row<'_>) {
        goals::write_frames(frames, Arm::observation_len(self.has_object), GOAL, out);
    }

    fn info(&self, memory: &FetchMemory, out: &mut Row<'_>) {
        out.scalar(0, u8::from(memory.distance < self.rules.threshold));
        out.scalar(1, memory.distance);
    }

    fn show(&self, data: &mut Data, memory: &FetchMemory, _frames: &[f64]) -> Result<(), Fault> {
        // The site's position is relative to its body, which does not move and does not turn.
        data.forward()?;
        let (target, place) = (self.arm.target, data.site(self.arm.target));
        for (axis, value) in place.iter().enumerate() {
            data.model_array_mut(SITE_POS)[3 * target + axis] += memory.goal[axis] - value;
        }
        data.forward()
    }

    fn check(&self, memory: &FetchMemory, _frames: &[f64]) -> Result<()> {
        check_finite(memory.pose.iter().chain(&memory.goal))
    }
}
