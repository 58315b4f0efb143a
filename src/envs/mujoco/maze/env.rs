//! Environment of an agent in a maze: its model, simulations, goals, stacked frames and snapshots.

mod lanes;

use std::path::PathBuf;

use super::goal::{self, GoalRules};
use super::map::{self, GOAL_RADIUS, Maze, Point, distance};
use crate::attempts::CHEAP_ATTEMPTS;
use crate::rendered::{Rendered, robot_camera};
use crate::robot::{Range, Robot, RobotSpec, StepMemory, StepOutcome, Writer};
use crate::simulated::shared_model::{SharedModel, path_in_folder};
use crate::simulated::{MAX_SKIPPED, MAX_STACKED, shift_frames};
use crate::who_steps::StepperChoice;
use envpool_rs_engine::{Action, Error, InfoSpec, OptionSpec, Options, Result, Task, Value};
use envpool_rs_numeric::random::Generator;
use envpool_rs_sim_mujoco::{Data, Derived, Fault};

/// Names of the options that only maze environments have, in the order of EnvPool's configuration.
const ENVPOOL_ORDER: [&str; 9] = [
    "frame_skip",
    "frame_stack",
    "maze_map",
    "reward_type",
    "continuing_task",
    "reset_target",
    "maze_size_scaling",
    "maze_height",
    "position_noise_range",
];
/// Number of values of a goal: its coordinates x and y.
const GOAL: usize = 2;
/// Agent options that maze environments fix: the observation includes the agent's position, and the start state has no
/// noise.
const FIXED: [(&str, Value); 2] =
    [("exclude_current_positions_from_observation", Value::Bool(false)), ("reset_noise_scale", Value::Float(0.0))];
/// Option that names the folder of the agent's model.
const XML_DIR: &str = "xml_dir";

/// Agent of a maze, and the defaults of the maze's options.
pub struct MazeSpec {
    pub(super) agent: RobotSpec,
    /// MJCF text of the agent, to which the maze's elements are added; `None` if the agent's model is a file of gymnasium.
    pub(super) model: Option<&'static str>,
    /// Number of leading values of the agent's observation that a maze observation omits, because they are the achieved
    /// goal.
    pub(super) skipped: usize,
    /// Whether the task has the goal rules of Gymnasium-Robotics' `maze.py`, which AntMaze uses before version 4.
    pub(super) is_legacy: bool,
    /// Default side length of a maze cell in metres.
    pub(super) scale: f64,
    /// Default height of the maze's walls, as a multiple of `scale`.
    pub(super) height: f64,
    /// Limit of the agent's velocity along each axis at the start of a step, in m/s. With a limit, actions are clipped, too.
    /// `None` if there is no limit.
    pub(super) max_speed: Option<f64>,
    /// Distance of the default camera in metres: first for small mazes, second for large mazes.
    pub(super) distances: [f64; 2],
}

/// Environment of an agent in a maze.
pub struct MazeEnv {
    spec: &'static MazeSpec,
    robot: Box<dyn Robot>,
    maze: Maze,
    rules: GoalRules,
    /// Folder that contains the agent's model; `None` if the model is not a file.
    folder: Option<String>,
    frame_skip: u32,
    frame_stack: usize,
    outer_forces: bool,
    shared: SharedModel,
    who_steps: StepperChoice,
    /// Id of the site that marks the goal in the model.
    target: usize,
    /// Number of values of each of the agent's infos.
    info_lens: Vec<usize>,
    /// Number of values in the infos that resets write. These infos come before the infos that only steps write.
    reset_infos: usize,
}

/// Episode state of a lane, which is one environment of a pool.
pub struct EpisodeState {
    /// MuJoCo's state vector of the lane (`mjSTATE_INTEGRATION`).
    state: Vec<f64>,
    /// State vector before the last step, from which rendering replays the step; empty after a reset.
    start: Vec<f64>,
    /// Stacked observation frames, oldest first. Each holds the agent's observation, the achieved goal and the desired goal.
    frames: Vec<f64>,
    /// Values of the agent's infos.
    infos: Vec<f64>,
    /// Quantities that the agent stored in the last step, from which the next step computes its infos.
    before: StepMemory,
    /// Goal that the agent must reach in the next step, in metres.
    goal: Point,
    /// Distance between agent and goal after the last step or reset, in metres.
    distance: f64,
}

/// Fields of [`EpisodeState`] in a snapshot.
type Saved = ([Vec<f64>; 4], StepMemory, Point, f64);

/// A lane's buffers and quantities that a step reads and writes in addition to the simulation's state.
struct LaneBuffers<'a> {
    frames: &'a mut [f64],
    infos: &'a mut [f64],
    before: &'a mut StepMemory,
    goal: &'a mut Point,
    distance: &'a mut f64,
}

impl EpisodeState {
    /// Prepares a step: saves the current state vector as `start`, then returns mutable borrows of the state vector and of the
    /// other fields.
    fn start_step(&mut self) -> (&mut [f64], LaneBuffers<'_>) {
        let Self { state, start, frames, infos, before, goal, distance } = self;
        start.clone_from(state);
        (state, LaneBuffers { frames, infos, before, goal, distance })
    }
}

/// Returns the options with which the agent is created: the maze environment's options of the same names, and [`FIXED`]
/// values.
///
/// # Errors
/// `Value` or `Type` if the agent refuses a value.
fn agent_options(spec: &MazeSpec, options: &Options) -> Result<Options> {
    let specs = (spec.agent.options)();
    let fixed: Vec<_> = FIXED.into_iter().filter(|(name, _)| specs.iter().any(|spec| spec.name == *name)).collect();
    let given = options.iter().filter(|(name, value)| **value != Value::None && specs.iter().any(|spec| spec.name == *name));
    let given: Vec<_> = given.map(|(name, value)| (name.to_owned(), value.clone())).collect();
    Options::resolve(&specs, &fixed, &given)
}

impl MazeEnv {
    /// Creates the task `id` of the agent that `spec` describes in a maze, with the render options.
    pub fn task(id: &'static str, spec: &'static MazeSpec) -> Task {
        let mut options = vec![
            OptionSpec::new("frame_skip", spec.agent.body.frame_skip, "simulation steps per step").integers(1..=MAX_SKIPPED),
            OptionSpec::new("frame_stack", 1, "number of stacked observations, the newest last; 1 adds no axis")
                .integers(1..=MAX_STACKED),
        ];
        options.push(StepperChoice::option());
        options.extend(map::options(spec.scale, spec.height));
        options.extend(goal::options(spec.is_legacy));
        if spec.model.is_none() {
            options.push(OptionSpec::path(XML_DIR, "folder of the agent's model; None: that of the installed gymnasium"));
        }
        let is_fixed = |option: &OptionSpec| FIXED.iter().any(|(name, _)| *name == option.name);
        options.extend((spec.agent.options)().into_iter().filter(|option| !is_fixed(option)));
        let [near, _] = spec.distances;
        Rendered::<Self>::task(id, options, robot_camera(Some(near), None, None))
            .variant(spec)
            .envpool_order(ENVPOOL_ORDER.into_iter().filter(|name| !spec.is_legacy || *name != goal::RESET_TARGET).collect())
    }

    /// Returns the path of the agent's model, and the MJCF text of the agent in the maze.
    ///
    /// # Errors
    /// `NotFound` if the file of the agent's model cannot be read.
    fn text(&self) -> Result<(PathBuf, String)> {
        const END: &str = "</worldbody>";
        let file = self.spec.agent.body.xml_file;
        let (path, model) = match self.spec.model {
            Some(text) => (PathBuf::from(file), text.to_owned()),
            None => {
                let path = path_in_folder(XML_DIR, self.folder.as_deref(), file, "the agent's model")?;
                let text = std::fs::read_to_string(&path)
                    .map_err(|error| Error::NotFound(format!("{XML_DIR}: {} cannot be read ({error})", path.display())))?;
                (path, text)
            }
        };
        match model.split_once(END) {
            Some((before, after)) => Ok((path, format!("{before}{}{END}{after}", self.maze.elements()))),
            None => Err(Error::Value(format!("{}: expected a model with {END}", path.display()))),
        }
    }

    /// Returns the key under which the pool's store holds the model.
    fn model_name(&self) -> String {
        format!("{} of {:?} in {:?}", self.spec.agent.body.xml_file, self.folder, self.maze)
    }

    /// Returns the number of values of the agent's observation, without the maze's goals.
    fn observed(&self) -> usize {
        self.robot.observation_len(&self.spec.agent.body.sizes) - self.spec.skipped
    }

    /// Returns the specifications of the agent's infos.
    fn agent_infos(&self) -> Vec<InfoSpec> {
        self.robot.infos(&self.spec.agent.body.sizes)
    }

    /// Returns the number of values of an observation frame.
    fn frame(&self) -> usize {
        self.observed() + 2 * GOAL
    }

    /// Clips velocities to the agent's limit, if it has one.
    ///
    /// Gymnasium-Robotics then calls `mj_forward`, which changes nothing that the step reads.
    fn limit_speed(&self, velocities: &mut [f64]) {
        if let Some(limit) = self.spec.max_speed {
            let bounds = Range { low: -limit, high: limit };
            velocities.iter_mut().for_each(|velocity| *velocity = bounds.clip(*velocity));
        }
    }

    /// Returns the control of a step: the action, which agents with a limited velocity clip to the range of controls.
    fn control(&self, action: &Action<'_>) -> Vec<f64> {
        let body = &self.spec.agent.body;
        let action = action.continuous(0, body.sizes.nu).iter().map(|value| f64::from(*value));
        match self.spec.max_speed {
            Some(_) => {
                let bounds = Range { low: -body.control, high: body.control };
                action.map(|value| bounds.clip(value)).collect()
            }
            None => action.collect(),
        }
    }

    /// Advances a simulation by one step of the environment on MuJoCo's library.
    fn advance(&self, data: &mut Data, action: &[f64]) -> std::result::Result<(), Fault> {
        self.limit_speed(data.qvel_mut());
        data.ctrl_mut().copy_from_slice(action);
        data.step(self.frame_skip, self.outer_forces)
    }

    /// Returns the number of simulation steps per environment step, and the derived arrays that the agent reads after these
    /// steps.
    fn step_args(&self) -> (u32, Derived) {
        (self.frame_skip, Derived { cfrc_ext: self.outer_forces, ..self.robot.derived() })
    }

    /// Computes reward, infos, observation and the next goal after the simulation's step. Returns whether the episode
    /// terminates.
    fn evaluate(&self, data: &Data, action: &[f64], rewards: &mut [f64], lane: LaneBuffers<'_>, random: &mut Generator) -> bool {
        let LaneBuffers { frames, infos, before, goal, distance: from_goal } = lane;
        self.write_infos(data, action, before, infos);
        self.capture(data, goal, frames);
        let place = achieved(data);
        *from_goal = distance(&place, goal);
        let is_at_goal = *from_goal <= GOAL_RADIUS;
        if self.spec.is_legacy {
            // Before version 4, the environments draw the next goal before they compute the reward.
            self.update_goal(&place, goal, random);
        }
        rewards[0] = goal::reward(self.rules.reward_type, &place, goal);
        if !self.spec.is_legacy {
            self.update_goal(&place, goal, random);
        }
        self.rules.ends_at_goal() && is_at_goal
    }

    /// Drops the oldest of the stacked observation frames, and appends the newest frame.
    fn capture(&self, data: &Data, goal: &Point, frames: &mut [f64]) {
        let (own, goals) = shift_frames(frames, self.frame()).split_at_mut(self.observed());
        if self.spec.skipped == 0 {
            self.robot.observe(data, &mut Writer::new(own));
        } else {
            let mut whole = vec![0.0; self.spec.skipped + own.len()];
            self.robot.observe(data, &mut Writer::new(&mut whole));
            own.copy_from_slice(&whole[self.spec.skipped..]);
        }
        let mut goals = Writer::new(goals);
        goals.add(&achieved(data));
        goals.add(goal);
    }

    /// Computes the agent's infos after a step, and writes them to the lane's buffer.
    fn write_infos(&self, data: &Data, action: &[f64], before: &mut StepMemory, infos: &mut [f64]) {
        let after = self.robot.step_memory(data);
        let seconds = data.model().timestep() * f64::from(self.frame_skip);
        let mut infos = Writer::new(infos);
        self.robot.write_reset_infos(data, &mut infos);
        self.robot.evaluate(&StepOutcome { data, before: *before, after, action, seconds }, &mut infos);
        *before = after;
    }

    /// Draws another goal if the agent at the position `place` has reached `goal`, and the task continues with another goal.
    fn update_goal(&self, place: &Point, goal: &mut Point, random: &mut Generator) {
        for _ in 0..CHEAP_ATTEMPTS {
            if !self.rules.needs_new_goal(place, goal) {
                return;
            }
            *goal = self.maze.draw_goal(None, random);
            if self.spec.is_legacy {
                return;
            }
        }
        let text = "maze_map: expected cells for goals that are away from the agent; add one, or pass continuing_task=False";
        Error::Value(text.to_owned()).raise()
    }
}

/// Returns the goal that the agent has achieved: the agent's position.
fn achieved(data: &Data) -> Point {
    [data.qpos()[0], data.qpos()[1]]
}
