//! Environment of an agent in a maze: its model, goals, episodes and observations.

use std::path::PathBuf;

use super::goal::{self, GoalRules};
use super::map::{self, GOAL_CELL, GOAL_RADIUS, Maze, Point, RESET_CELL};
use crate::agent::{Agent, AgentMemory};
use crate::attempts::CHEAP_ATTEMPTS;
use crate::errors::to_error;
use crate::goals;
use crate::mujoco_env::shared_model::path_in_folder;
use crate::mujoco_env::{Family, Inputs, MujocoEnv, Reset, Step, Stepped, step_options};
use crate::names::Names;
use crate::render_setup::{CameraPreset, robot_camera};
use crate::robot::{Range, RobotSpec, Writer};
use crate::robotics;
use crate::snapshot_checks::check_finite;
use crate::stepper_choice::StepperChoice;
use crate::vector::distance_xy;
use envpool_rs_engine::{
    Action, AssetCache, Dtype, EnvSpec, Error, InfoSpec, OptionSpec, Options, ResetOptions, Result, Row, Space, Task, Value,
};
use envpool_rs_numeric::random::Generator;
use envpool_rs_sim_mujoco::{Data, Fault, Library, Model, model_overrides::SITE_POS};
use serde::{Deserialize, Serialize};

const ENVPOOL_ORDER: &str = "frame_skip frame_stack maze_map reward_type continuing_task reset_target maze_size_scaling \
    maze_height position_noise_range";
/// Number of values of a goal: its coordinates x and y.
const GOAL: usize = 2;
/// Agent options that maze environments fix: the position is observed, and the start state has no noise.
const FIXED: [(&str, Value); 2] =
    [("exclude_current_positions_from_observation", Value::Bool(false)), ("reset_noise_scale", Value::Float(0.0))];
/// Largest number of rows of a maze that counts as small. The default camera is further away from larger mazes.
const SMALL_MAZE: usize = 8;
/// Option that names the folder of the agent's model.
const XML_DIR: &str = "xml_dir";

/// Agent of a maze, and the defaults of the maze's options.
pub struct MazeSpec {
    pub(super) agent: RobotSpec,
    /// MJCF text of the agent, to which the maze's elements are added; `None` if the agent's model is a file of gymnasium.
    pub(super) model: Option<&'static str>,
    /// Number of leading values of the agent's observation that a maze observation omits: the achieved goal.
    pub(super) skipped: usize,
    /// Whether the task has the goal rules of Gymnasium-Robotics' `maze.py`, which AntMaze uses before version 4.
    pub(super) is_legacy: bool,
    /// Default side length of a maze cell in metres.
    pub(super) scale: f64,
    /// Default height of the maze's walls, as a multiple of `scale`.
    pub(super) height: f64,
    /// Limit of the agent's velocity along each axis in m/s, with which actions are clipped, too; `None` if there is no limit.
    pub(super) max_speed: Option<f64>,
    /// Distance of the default camera in metres: first for small mazes, second for large mazes.
    pub(super) distances: [f64; 2],
}

pub struct MazeEnv {
    spec: &'static MazeSpec,
    agent: Agent,
    maze: Maze,
    rules: GoalRules,
    /// Folder that contains the agent's model; `None` if the model is not a file.
    folder: Option<String>,
    /// Id of the site that marks the goal in the model.
    target: usize,
}

#[derive(Serialize, Deserialize)]
pub struct MazeMemory {
    agent: AgentMemory,
    /// Goal that the agent must reach in the next step, in metres.
    goal: Point,
    /// Distance between agent and goal after the last step or reset, in metres.
    distance: f64,
}

/// Returns the options with which the agent is created: the maze environment's options of the same names, and [`FIXED`]
/// values. Fails with `Value` or `Type` if the agent refuses a value.
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
        let mut options = step_options(spec.agent.model.frame_skip).to_vec();
        options.push(StepperChoice::option());
        options.extend(map::options(spec.scale, spec.height));
        options.extend(goal::options(spec.is_legacy));
        if spec.model.is_none() {
            options.push(OptionSpec::path(XML_DIR, "folder of the agent's model; None: that of the installed gymnasium"));
        }
        let is_fixed = |option: &OptionSpec| FIXED.iter().any(|(name, _)| *name == option.name);
        options.extend((spec.agent.options)().into_iter().filter(|option| !is_fixed(option)));
        let [near, _] = spec.distances;
        MujocoEnv::<Self>::task(id, options, robot_camera(Some(near), None, None))
            .variant(spec)
            .envpool_order(ENVPOOL_ORDER.split(' ').filter(|name| !spec.is_legacy || *name != goal::RESET_TARGET).collect())
    }

    /// Returns the path of the agent's model, and the MJCF text of the agent in the maze. Fails if the file cannot be read.
    fn text(&self) -> Result<(PathBuf, String)> {
        const END: &str = "</worldbody>";
        let file = self.spec.agent.model.xml_file;
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

    /// Returns the number of values of the agent's observation, without the maze's goals.
    fn observed(&self) -> usize {
        self.agent.robot.observation_len(&self.spec.agent.model.sizes) - self.spec.skipped
    }

    /// Writes the observed frame: the agent's observation, the achieved goal and the desired goal.
    fn capture(&self, data: &Data, goal: &Point, frame: &mut [f64]) {
        let (own, goals) = frame.split_at_mut(self.observed());
        if self.spec.skipped == 0 {
            self.agent.robot.observe(data, &mut Writer::new(own));
        } else {
            let mut whole = vec![0.0; self.spec.skipped + own.len()];
            self.agent.robot.observe(data, &mut Writer::new(&mut whole));
            own.copy_from_slice(&whole[self.spec.skipped..]);
        }
        let mut goals = Writer::new(goals);
        goals.add(&achieved(data));
        goals.add(goal);
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

impl Family for MazeEnv {
    type Memory = MazeMemory;
    type Random = Generator;
    const RESET_OPTIONS: &'static [&'static str] = &[GOAL_CELL[0], GOAL_CELL[1], RESET_CELL[0], RESET_CELL[1]];
    const REPEATS_STEPS: bool = true;

    fn new(options: &Options) -> Result<Self> {
        let spec = options.variant::<MazeSpec>().expect("`MazeEnv::task` says which agent it is");
        let maze = Maze::new(options, spec.is_legacy)?;
        let robot = (spec.agent.new)(&agent_options(spec, options)?)?;
        Ok(Self {
            spec,
            rules: GoalRules::new(options, &maze)?,
            maze,
            folder: options.find(XML_DIR).and_then(|_| options.text(XML_DIR)).map(str::to_owned),
            agent: Agent::new(robot, options.int("frame_skip") as u32, true, &spec.agent.model.sizes),
            target: 0,
        })
    }

    fn camera_preset(&self) -> CameraPreset {
        let [near, far] = self.spec.distances;
        robot_camera(Some(if self.maze.rows.len() > SMALL_MAZE { far } else { near }), None, None)
    }

    fn timestep(&self) -> f64 {
        self.spec.agent.timestep
    }

    fn model_name(&self) -> Result<String> {
        Ok(format!("{} of {:?} in {:?}", self.spec.agent.model.xml_file, self.folder, self.maze))
    }

    fn compile(&self, library: &'static Library) -> Result<Model> {
        let (path, text) = self.text()?;
        Model::from_text(library, &path, &text, self.spec.agent.model.without).map_err(to_error)
    }

    fn bind(&mut self, model: &Model, _store: &AssetCache) -> Result<()> {
        self.target = Names(model).site("target")?;
        self.agent.bind(model)
    }

    fn agent(&self) -> Option<&Agent> {
        Some(&self.agent)
    }

    fn spec(&self, _model: Option<&Model>, frame_stack: usize) -> EnvSpec {
        let observation = goals::observation_space(self.observed(), GOAL, frame_stack);
        let default = &self.spec.agent.model;
        let action = Space::uniform(-default.control, default.control, &[default.sizes.nu], Dtype::F32);
        let success = InfoSpec::new("success", Dtype::Bool, &[]).with_envpool_dtype(Dtype::F64);
        let mut info = self.agent.robot.infos(&default.sizes);
        if !self.spec.is_legacy {
            info.push(success);
        }
        info.push(robotics::distance_info());
        goals::same_spec(observation, action, info)
    }

    fn frame_len(&self) -> usize {
        self.observed() + 2 * GOAL
    }

    fn create(&self) -> MazeMemory {
        MazeMemory { agent: self.agent.create(), goal: [0.0; GOAL], distance: 0.0 }
    }

    fn check_reset(&self, options: &ResetOptions) -> Result<()> {
        self.maze.given_cells(options).map(|_| ())
    }

    fn reset(&self, data: &mut Data, reset: &mut Reset<'_, Self>) -> Result<(), Fault> {
        let Reset { memory, frame, options, random } = reset;
        let [goal_cell, reset_cell] = self.maze.given_cells(options).unwrap_or_else(|error| error.raise());
        memory.goal = self.maze.draw_goal(goal_cell, random);
        let place = self.maze.draw_start(reset_cell, &memory.goal, random);
        data.reset()?;
        data.qpos_mut()[..GOAL].copy_from_slice(&place);
        data.forward()?;
        self.agent.begin(data, &mut memory.agent);
        memory.distance = distance_xy(&achieved(data), &memory.goal);
        self.capture(data, &memory.goal, frame);
        Ok(())
    }

    /// Sets the controls to the action. For agents with a limited velocity, clips the velocity and the action.
    ///
    /// Gymnasium-Robotics then calls `mj_forward`, which changes nothing that the step reads.
    fn act(&self, inputs: &mut impl Inputs, action: &Action<'_>, _memory: &mut MazeMemory, _frame: &[f64]) {
        let default = &self.spec.agent.model;
        let action = action.continuous(0, default.sizes.nu);
        for (control, value) in inputs.ctrl_mut().iter_mut().zip(action) {
            *control = f64::from(*value);
        }
        if let Some(limit) = self.spec.max_speed {
            let clip = |values: &mut [f64], bound: f64| {
                let bounds = Range { low: -bound, high: bound };
                values.iter_mut().for_each(|value| *value = bounds.clip(*value));
            };
            clip(inputs.ctrl_mut(), default.control);
            clip(inputs.qvel_mut(), limit);
        }
    }

    fn evaluate(&self, data: &mut Data, _stepped: Stepped<'_>, step: &mut Step<'_, Self>) -> Result<bool, Fault> {
        let (data, MazeMemory { agent, goal, distance: from_goal }) = (&*data, &mut *step.memory);
        self.agent.evaluate(data, data.ctrl(), agent);
        self.capture(data, goal, step.frame);
        let place = achieved(data);
        *from_goal = distance_xy(&place, goal);
        let is_at_goal = *from_goal <= GOAL_RADIUS;
        if self.spec.is_legacy {
            // Before version 4, the environments draw the next goal before they compute the reward.
            self.update_goal(&place, goal, step.random);
        }
        step.rewards[0] = goal::reward(self.rules.reward_type, &place, goal);
        if !self.spec.is_legacy {
            self.update_goal(&place, goal, step.random);
        }
        Ok(!self.rules.is_continuing && is_at_goal)
    }

    fn observe(&self, frames: &[f64], out: &mut Row<'_>) {
        goals::write_frames(frames, self.observed(), GOAL, out);
    }

    fn info(&self, memory: &MazeMemory, out: &mut Row<'_>) {
        let mut leaf = self.agent.write_infos(&memory.agent, out);
        if !self.spec.is_legacy {
            out.scalar(leaf, u8::from(memory.distance <= GOAL_RADIUS));
            leaf += 1;
        }
        out.scalar(leaf, memory.distance);
    }

    fn show(&self, data: &mut Data, _memory: &MazeMemory, frames: &[f64]) -> Result<(), Fault> {
        // The picture shows the goal of the newest observation, because the goal of the next step may differ.
        let (_, goal) = frames.split_at(frames.len() - GOAL);
        let target = [goal[0], goal[1], self.maze.target_height()];
        data.model_array_mut(SITE_POS)[3 * self.target..][..3].copy_from_slice(&target);
        Ok(())
    }

    fn check(&self, memory: &MazeMemory, _frames: &[f64]) -> Result<()> {
        self.agent.check(&memory.agent)?;
        check_finite(&memory.goal)
    }
}

/// Returns the goal that the agent has achieved: the agent's position.
fn achieved(data: &Data) -> Point {
    [data.qpos()[0], data.qpos()[1]]
}
