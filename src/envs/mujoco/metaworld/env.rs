//! Environment of a MetaWorld task: its model, simulations, goals, stacked frames and snapshots.

mod lanes;
mod resets;
mod steps;

use super::random::{GoalSource, Goals};
use super::sawyer::{Hand, Sawyer};
use super::task::{Episode, OBSERVATION, Rules, TaskSpec};
use super::tasks;
use super::vector::Vec3;
use super::wrappers::{WrapperState, Wrappers};
use crate::names::Names;
use crate::rendered::{ENVPOOL_ORDER, Rendered, robot_camera};
use crate::simulated::shared_model::{SharedModel, path_in_folder};
use crate::simulated::{MAX_SKIPPED, MAX_STACKED, shift_frames, to_error};
use crate::who_steps::StepperChoice;
use envpool_rs_engine::{AssetRef, OptionSpec, Result, Task};
use envpool_rs_numeric::random::RandomState;
use envpool_rs_sim_mujoco::{Data, DetachedOverrides, Fault, Library, Model, SavedOverrides};
use serde::{Deserialize, Serialize};

/// Name of the option that holds the folder of MetaWorld's models.
pub const METAWORLD_DIR: &str = "metaworld_dir";
/// Simulation steps per control step.
const FRAME_SKIP: i64 = 5;
/// Timestep of all models, in seconds.
const TIMESTEP: f64 = 0.0025;
/// Number of values that an observation has of the present, and of the previous step.
const HALF: usize = 18;
/// Maximum length of one-hot vectors.
const MAX_TASKS: i64 = 1 << 16;
/// Bounds of the hand's position in observations (`_HAND_SPACE`).
const HAND_SPACE: [Vec3; 2] = [[-0.525, 0.348, -0.0525], [0.525, 1.025, 0.7]];
/// Parameters that MetaWorld gives to weld constraints, which attach the hand to the mocap body.
const WELD_DATA: [f64; 11] = [0.0, 0.0, 0.0, 0.0, 0.0, 0.0, -1.0, 0.0, 0.0, 0.0, 5.0];
/// Keys of the infos, in MetaWorld's order.
const INFOS: [&str; 7] =
    ["success", "near_object", "grasp_success", "grasp_reward", "in_place_reward", "obj_to_target", "unscaled_reward"];

/// Tasks in which the state of the objects after the hand's reset differs between episodes in some bits. In all other tasks the
/// state is the same in each episode, so one state is stored for all resets.
const EPISODES_DIFFER: [&str; 10] = [
    "box-close-v3",
    "disassemble-v3",
    "door-lock-v3",
    "door-unlock-v3",
    "handle-press-side-v3",
    "handle-press-v3",
    "handle-pull-side-v3",
    "handle-pull-v3",
    "lever-pull-v3",
    "peg-unplug-side-v3",
];

/// State vector one simulation step before the hand has reached its initial position.
pub struct StoredHand(Vec<f64>);

/// Environment of a MetaWorld task.
pub struct MetaworldEnv {
    spec: &'static TaskSpec,
    folder: Option<String>,
    frame_skip: u32,
    frame_stack: usize,
    /// Whether observations have zeros instead of the goal.
    hides_goal: bool,
    /// Whether the observation space has the bounds of all tasks' goals.
    has_common_space: bool,
    /// Values at the end of observations, which distinguish tasks; empty without them.
    one_hot: Vec<f64>,
    wrappers: Wrappers,
    goals: GoalSource,
    /// Whether rewards are those of version 1.
    has_first_version: bool,
    initial: Switches,
    /// EnvPool's number of the task.
    task_id: i32,
    shared: SharedModel,
    who_steps: StepperChoice,
    hand: Hand,
    /// State that each reset starts from; `None` for tasks of [`EPISODES_DIFFER`].
    stored: Option<AssetRef<StoredHand>>,
    rules: Option<Box<dyn Rules>>,
}

/// Settings of a lane that `reset(options=...)` can change.
#[derive(Debug, Clone, Copy, Serialize, Deserialize)]
pub struct Switches {
    /// Whether each reset chooses a goal.
    samples_on_reset: bool,
    /// Whether episodes end when the task is solved.
    ends_at_success: bool,
}

/// Episode state of a lane, which is one environment of a pool.
pub struct EpisodeState {
    /// MuJoCo's state vector of the lane (`mjSTATE_INTEGRATION`).
    state: Vec<f64>,
    /// Positions of bodies and sites in the lane's model.
    changed: DetachedOverrides,
    episode: Episode,
    /// Observed values of the previous step (`_prev_obs`), not clipped.
    before: [f64; HALF],
    /// Stacked observations, oldest first.
    frames: Vec<f64>,
    infos: [f64; INFOS.len()],
    goals: Goals,
    switches: Switches,
    /// State of the wrappers; `None` without wrappers.
    wrapped: Option<Box<WrapperState>>,
}

/// Fields of [`EpisodeState`] in a snapshot.
type Saved = (Vec<f64>, SavedOverrides, Episode, [Vec<f64>; 2], [f64; INFOS.len()], Goals, Switches, Option<Box<WrapperState>>);

impl MetaworldEnv {
    /// Creates the task that `spec` describes, with the render options.
    pub fn task(spec: &'static TaskSpec) -> Task {
        let mut options = vec![
            OptionSpec::path(METAWORLD_DIR, "folder of the models; None: that of the installed metaworld"),
            OptionSpec::new("frame_skip", FRAME_SKIP, "simulation steps per step").integers(1..=MAX_SKIPPED),
            OptionSpec::new("frame_stack", 1, "number of stacked observations, the newest last; 1 adds no axis")
                .integers(1..=MAX_STACKED),
            StepperChoice::option(),
            OptionSpec::new("partially_observable", true, "whether observations have zeros instead of the goal"),
            OptionSpec::new("terminate_on_success", false, "whether episodes end when the task is solved"),
            OptionSpec::new("reward_function_version", "v2", "version of the reward function").one_of(&["v1", "v2"]),
            OptionSpec::new("use_one_hot", false, "whether observations end with a one-hot vector of env_id, and are float32"),
            OptionSpec::new("env_id", 0, "index of the one in the one-hot vector").integers(0..=MAX_TASKS - 1),
            OptionSpec::new("num_tasks", 1, "length of the one-hot vector").integers(1..=MAX_TASKS),
            OptionSpec::new("goal_space", "task", "whose goals bound the observation space: the task's, or all tasks'")
                .one_of(&["task", "all"]),
        ];
        options.extend(Wrappers::options());
        options.extend(GoalSource::options());
        let order = [&["frame_skip", "frame_stack", "partially_observable"][..], &ENVPOOL_ORDER].concat();
        let task = Rendered::<Self>::task(spec.id, options, robot_camera(None, None, None));
        task.variant(spec).envpool_order(order).max_episode_steps(500).step_limit_from(Wrappers::step_limit)
    }

    fn rules(&self) -> &dyn Rules {
        self.rules.as_deref().expect("lanes are made of a loaded model")
    }

    /// Returns the key under which the pool's store holds the model.
    fn model_name(&self) -> String {
        format!("MetaWorld's {} in {:?}", self.spec.model, self.folder)
    }

    /// Compiles the model, and sets the parameters of its weld constraints (`reset_mocap_welds`).
    fn compile(&self, library: &'static Library) -> Result<Model> {
        let owner = "in the folder assets of the package metaworld";
        let path = path_in_folder(METAWORLD_DIR, self.folder.as_deref(), self.spec.model, owner)?;
        let mut model = Model::from_xml(library, &path, &[]).map_err(to_error)?;
        for weld in model.welds().collect::<Vec<_>>() {
            model.set_equality(weld, &WELD_DATA).map_err(to_error)?;
        }
        Ok(model)
    }

    /// Calls `work` with the thread's simulation in the state of a lane and with the lane's changes of the model.
    ///
    /// # Panics
    /// If MuJoCo reports an error; the panic message is MuJoCo's.
    fn simulate<R>(
        &self,
        state: &mut [f64],
        changed: &mut DetachedOverrides,
        work: impl FnOnce(&mut Sawyer<'_>) -> Result<R, Fault>,
    ) -> R {
        self.shared.simulate_changed(state, changed, |data| work(&mut self.sawyer(data)))
    }

    fn sawyer<'a>(&'a self, data: &'a mut Data) -> Sawyer<'a> {
        Sawyer { data, hand: &self.hand, frame_skip: self.frame_skip, fault: None, has_contacts: false }
    }

    /// Computes the state that each reset starts from. Also returns its size in bytes.
    ///
    /// The bodies are placed for a goal first, as in each reset: at their positions in the model file they can touch the robot.
    fn store_hand(&self, model: &Model) -> Result<(StoredHand, usize)> {
        let mut data = Data::new(model).map_err(to_error)?;
        let mut sim = self.sawyer(&mut data);
        let mut episode = Episode { random: self.spec.draw(&mut RandomState::new(0)), ..Episode::default() };
        let placed = self.rules().reset(&mut sim, &mut episode);
        let state = placed.and_then(|()| sim.state_before_hand(self.spec.hand_init)).map_err(to_error)?;
        let bytes = size_of_val(&*state);
        Ok((StoredHand(state), bytes))
    }

    /// Returns the observed values of the present state (`_get_curr_obs_combined_no_goal`).
    fn present(&self, sim: &Sawyer<'_>) -> [f64; HALF] {
        let mut values = [0.0; HALF];
        values[..3].copy_from_slice(&sim.endeff());
        values[3] = sim.opened();
        values[4..].copy_from_slice(self.rules().objects(sim).values());
        values
    }

    /// Returns the observation of the present state, after the previous state `before`.
    fn observation(&self, sim: &Sawyer<'_>, episode: &Episode, before: &[f64; HALF]) -> [f64; OBSERVATION] {
        let mut values = [0.0; OBSERVATION];
        values[..HALF].copy_from_slice(&self.present(sim));
        values[HALF..2 * HALF].copy_from_slice(before);
        if !self.hides_goal {
            values[2 * HALF..].copy_from_slice(&self.rules().goal(sim, episode));
        }
        values
    }

    /// Returns lower and upper bounds of observations, given the bounds of visible goals.
    fn bounds(&self, goals: &[Vec3; 2]) -> [[f64; OBSERVATION]; 2] {
        [(0, f64::NEG_INFINITY, -1.0), (1, f64::INFINITY, 1.0)].map(|(end, infinite, gripper)| {
            let mut bounds = [infinite; OBSERVATION];
            for start in [0, HALF] {
                bounds[start..start + 3].copy_from_slice(&HAND_SPACE[end]);
                bounds[start + 3] = gripper;
            }
            let goal = if self.hides_goal { [0.0; 3] } else { goals[end] };
            bounds[2 * HALF..].copy_from_slice(&goal);
            bounds
        })
    }

    /// Returns lower and upper bounds of the observation space.
    fn space_bounds(&self) -> [Vec<f64>; 2] {
        if self.wrappers.change_observations() {
            return [f64::NEG_INFINITY, f64::INFINITY].map(|bound| vec![bound; self.width() * self.frame_stack]);
        }
        let goals = if self.has_common_space { common_goals() } else { self.spec.goal };
        let [low, high] = self.bounds(&goals);
        let one_hot = |value| vec![value; self.one_hot.len()];
        [
            [&low[..], &one_hot(0.0)].concat().repeat(self.frame_stack),
            [&high[..], &one_hot(1.0)].concat().repeat(self.frame_stack),
        ]
    }

    /// Returns the number of values of an observation, without stacking.
    fn width(&self) -> usize {
        OBSERVATION + self.one_hot.len() + self.wrappers.added_len()
    }

    /// Drops the oldest of the stacked observations, and appends the newest one, with the changes of the wrappers.
    fn push(&self, frames: &mut [f64], observation: &[f64; OBSERVATION], wrapped: Option<&mut WrapperState>) {
        let newest = shift_frames(frames, self.width());
        newest[..OBSERVATION].copy_from_slice(observation);
        if let Some(wrapped) = wrapped {
            newest[OBSERVATION..][..self.one_hot.len()].copy_from_slice(&self.one_hot);
            self.wrappers.observe(wrapped, newest);
        }
    }
}

/// Returns bounds within which all tasks' goals are.
fn common_goals() -> [Vec3; 2] {
    let bounds = |end: usize, pick: fn(f64, f64) -> f64| {
        std::array::from_fn(|axis| tasks::ALL.iter().map(|task| task.goal[end][axis]).reduce(pick).expect("there are tasks"))
    };
    [bounds(0, f64::min), bounds(1, f64::max)]
}
