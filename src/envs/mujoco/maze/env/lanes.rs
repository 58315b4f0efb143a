//! Implements the engine's [`Env`], [`Renderable`], and snapshots for [`MazeEnv`].

use super::super::goal::GoalRules;
use super::super::map::{GOAL_CELL, GOAL_RADIUS, Maze, RESET_CELL, distance};
use super::{EpisodeState, GOAL, MazeEnv, MazeSpec, Saved, XML_DIR, achieved, agent_options};
use crate::goals;
use crate::rendered::{CameraPreset, Renderable, robot_camera};
use crate::robot::{StepMemory, Writer};
use crate::robotics;
use crate::simulated::shared_model::{SharedModel, repeat_step};
use crate::simulated::to_error;
use crate::snapshot_checks::{check_finite, check_len};
use crate::who_steps::StepperChoice;
use envpool_rs_engine::{
    Action, AssetCache, Dtype, Env, EnvSpec, InfoSpec, InfoTiming, LaneState, LaneStep, Options, ResetOptions, Result, Row,
    Scheduling, Space,
};
use envpool_rs_numeric::random::Generator;
use envpool_rs_sim_mujoco::{self as mujoco, Data, Fault, Lane, Model, ObjectKind, model_overrides::SITE_POS};

/// Largest number of rows of a maze that counts as small. The default camera is further away from larger mazes.
const SMALL_MAZE: usize = 8;
impl Env for MazeEnv {
    type State = EpisodeState;
    type Random = Generator;
    const RESET_OPTIONS: &'static [&'static str] = &[GOAL_CELL[0], GOAL_CELL[1], RESET_CELL[0], RESET_CELL[1]];

    fn new(options: &Options) -> Result<Self> {
        let spec = options.variant::<MazeSpec>().expect("`MazeEnv::task` says which agent it is");
        let maze = Maze::new(options, spec.is_legacy)?;
        let robot = (spec.agent.new)(&agent_options(spec, options)?)?;
        let mut env = Self {
            spec,
            rules: GoalRules::new(options, &maze)?,
            maze,
            folder: options.find(XML_DIR).and_then(|_| options.text(XML_DIR)).map(str::to_owned),
            outer_forces: robot.needs_outer_forces(),
            robot,
            frame_skip: options.int("frame_skip") as u32,
            frame_stack: options.int("frame_stack") as usize,
            shared: SharedModel::default(),
            who_steps: StepperChoice::new(options),
            target: 0,
            info_lens: Vec::new(),
            reset_infos: 0,
        };
        let infos = env.agent_infos();
        let len = |info: &InfoSpec| info.shape.iter().product::<usize>();
        env.info_lens = infos.iter().map(len).collect();
        env.reset_infos = infos.iter().filter(|info| info.timing == InfoTiming::Always).map(len).sum();
        Ok(env)
    }

    fn load(&mut self, store: &AssetCache) -> Result<()> {
        let Some(library) = mujoco::installed() else { return self.shared.loaded().map(|_| ()) };
        let name = self.model_name();
        let mut shared = std::mem::take(&mut self.shared);
        let model = shared.load(store, &name, || {
            let (path, text) = self.text()?;
            Model::from_text(library, &path, &text, self.spec.agent.body.without).map_err(to_error)
        })?;
        self.robot.bind(model)?;
        self.target = model.id(ObjectKind::Site, "target").expect("the maze has a target");
        // Pictures repeat the last step on MuJoCo's library, so they do not prevent native steps.
        self.who_steps.choose(store, &name, model, None)?;
        self.shared = shared;
        Ok(())
    }

    fn is_slow_to_load(&self, store: &AssetCache) -> bool {
        !SharedModel::is_in(store, &self.model_name())
    }

    fn spec(&self) -> EnvSpec {
        let observation = goals::observation_space(self.observed(), GOAL, self.frame_stack);
        let body = &self.spec.agent.body;
        let action = Space::uniform(-body.control, body.control, &[body.sizes.nu], Dtype::F32);
        let success = InfoSpec::new("success", Dtype::Bool, &[]).with_envpool_dtype(Dtype::F64);
        let mut info = self.agent_infos();
        if !self.spec.is_legacy {
            info.push(success);
        }
        info.push(robotics::distance_info());
        let decided = self.who_steps.decided();
        EnvSpec {
            envpool_observation: Some(observation.clone()),
            info,
            option_decisions: decided,
            ..EnvSpec::new(observation, action)
        }
    }

    fn heap_bytes(&self) -> usize {
        let numbers = self.frame() * self.frame_stack + self.info_lens.iter().sum::<usize>();
        2 * self.shared.state_bytes() + numbers * size_of::<f64>()
    }

    fn shared_bytes(&self) -> usize {
        size_of_val(&*self.robot)
    }

    fn thread_bytes(&self) -> usize {
        self.shared.thread_bytes() + self.who_steps.thread_bytes()
    }

    fn create(&self, _lane: usize) -> Result<EpisodeState> {
        Ok(EpisodeState {
            state: self.shared.loaded()?.state.clone(),
            start: Vec::new(),
            frames: vec![0.0; self.frame() * self.frame_stack],
            infos: vec![0.0; self.info_lens.iter().sum()],
            before: StepMemory::default(),
            goal: [0.0; GOAL],
            distance: 0.0,
        })
    }

    fn check_reset(&self, options: &ResetOptions) -> Result<()> {
        self.maze.given_cells(options).map(|_| ())
    }

    fn reset(&self, play: &mut EpisodeState, options: &ResetOptions, random: &mut Generator) {
        let EpisodeState { state, start, frames, infos, before, goal, distance: from_goal } = play;
        let [goal_cell, reset_cell] = self.maze.given_cells(options).unwrap_or_else(|error| error.raise());
        *goal = self.maze.draw_goal(goal_cell, random);
        let place = self.maze.draw_start(reset_cell, goal, random);
        start.clear();
        self.shared.simulate(state, |data| {
            data.reset()?;
            data.qpos_mut()[..GOAL].copy_from_slice(&place);
            data.forward()?;
            self.robot.write_reset_infos(data, &mut Writer::new(infos));
            infos[self.reset_infos..].fill(0.0);
            *before = self.robot.step_memory(data);
            *from_goal = distance(&achieved(data), goal);
            (0..self.frame_stack).for_each(|_| self.capture(data, goal, frames));
            Ok(())
        });
    }

    fn step(&self, play: &mut EpisodeState, action: &Action<'_>, rewards: &mut [f64], random: &mut Generator) -> bool {
        let control = self.control(action);
        let (state, buffers) = play.start_step();
        self.shared.simulate(state, |data| {
            self.advance(data, &control)?;
            Ok(self.evaluate(data, &control, rewards, buffers, random))
        })
    }

    fn stack_bytes(&self) -> usize {
        self.who_steps.stack_bytes()
    }

    fn scheduling(&self) -> Scheduling {
        self.who_steps.scheduling(Self::SCHEDULING)
    }

    fn step_lanes(&self, lanes: &mut [LaneStep<'_, Self>]) {
        let stepper = self.who_steps.stepper().expect("lanes are only stepped together where there is a stepper");
        let controls: Vec<_> = lanes.iter().map(|lane| self.control(&lane.action)).collect();
        let (mut simulated, mut others) = (Vec::with_capacity(lanes.len()), Vec::with_capacity(lanes.len()));
        for (LaneStep { state, rewards, terminated, error, random, .. }, control) in lanes.iter_mut().zip(&controls) {
            let (state, buffers) = state.start_step();
            self.limit_speed(&mut state[stepper.velocity_range()]);
            simulated.push(Lane { state, control });
            others.push((Some(buffers), rewards, random, terminated, error));
        }
        stepper.step(self.shared.workspace(), &mut simulated, self.step_args(), |lane, stepped| {
            let (buffers, rewards, random, terminated, error) = &mut others[lane];
            match (stepped, buffers.take()) {
                (Ok(data), Some(buffers)) => {
                    **terminated = self.evaluate(data, &controls[lane], rewards, buffers, random);
                }
                (Err(fault), _) => **error = Some(to_error(fault)),
                (Ok(_), None) => unreachable!("each lane is stepped once"),
            }
        });
    }

    fn observe(&self, play: &EpisodeState, out: &mut Row<'_>) {
        goals::write_frames(&play.frames, self.observed(), GOAL, out);
    }

    fn info(&self, play: &EpisodeState, out: &mut Row<'_>) {
        let (mut start, mut leaf) = (0, self.info_lens.len());
        for (index, len) in self.info_lens.iter().enumerate() {
            out.write(index, &play.infos[start..start + len]);
            start += len;
        }
        if !self.spec.is_legacy {
            out.scalar(leaf, u8::from(play.distance <= GOAL_RADIUS));
            leaf += 1;
        }
        out.scalar(leaf, play.distance);
    }
}

impl Renderable for MazeEnv {
    fn camera_preset(&self) -> CameraPreset {
        let [near, far] = self.spec.distances;
        robot_camera(Some(if self.maze.len() > SMALL_MAZE { far } else { near }), None, None)
    }

    fn model(&self) -> Option<&Model> {
        self.shared.model()
    }

    fn view<T>(&self, play: &EpisodeState, look: impl FnOnce(&Data) -> T) -> std::result::Result<T, Fault> {
        let show_goal = |data: &mut Data| {
            // The picture shows the goal of the newest observation, because the goal of the next step may differ.
            let (_, goal) = play.frames.split_at(play.frames.len() - GOAL);
            let target = [goal[0], goal[1], self.maze.target_height()];
            data.model_array_mut(SITE_POS)[3 * self.target..][..3].copy_from_slice(&target);
            repeat_step(data, &play.start, |data, action| self.advance(data, action))
        };
        self.shared.view(&play.state, show_goal, look)
    }

    fn seconds(&self) -> f64 {
        self.model().map_or(self.spec.agent.timestep, Model::timestep) * f64::from(self.frame_skip)
    }
}

impl LaneState<MazeEnv> for EpisodeState {
    fn save(&self, env: &MazeEnv, bytes: &mut Vec<u8>) -> Result<()> {
        let Self { state, start, frames, infos, before, goal, distance } = self;
        env.shared.save(&([state, start, frames, infos], before, goal, distance), bytes)
    }

    fn load(env: &MazeEnv, bytes: &mut &[u8]) -> Result<Self> {
        let ([state, start, frames, infos], before, goal, distance): Saved = env.shared.restore(bytes)?;
        env.shared.check_states(&state, &start)?;
        check_len("observation", frames.len(), env.frame() * env.frame_stack)?;
        check_len("infos", infos.len(), env.info_lens.iter().sum())?;
        check_finite(&goal)?;
        Ok(Self { state, start, frames, infos, before, goal, distance })
    }
}
