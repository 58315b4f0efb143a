//! Implements the engine's [`Env`], [`Renderable`], and snapshots for [`MetaworldEnv`].

use super::super::names::NAMES;
use super::super::random::{GoalSource, GoalStream, Goals};
use super::super::sawyer::Hand;
use super::super::wrappers::Wrappers;
use super::{
    EPISODES_DIFFER, EpisodeState, HALF, INFOS, METAWORLD_DIR, MetaworldEnv, Names, OBSERVATION, Saved, Switches, TIMESTEP,
    TaskSpec,
};
use crate::rendered::{CameraPreset, Renderable, robot_camera};
use crate::robot::step_info;
use crate::simulated::shared_model::{SharedModel, restored_changes};
use crate::snapshot_checks::check_len;
use crate::who_steps::StepperChoice;
use envpool_rs_engine::{
    Action, AssetCache, Dtype, Env, EnvSpec, Error, InfoSpec, LaneReset, LaneState, LaneStep, Options, ResetOptions, Result, Row,
    Scheduling, Space, refused_state,
};
use envpool_rs_sim_mujoco::{self as mujoco, Data, DetachedOverrides, Fault, Model};

impl Env for MetaworldEnv {
    type State = EpisodeState;
    type Random = GoalStream;
    const RESET_OPTIONS: &'static [&'static str] = &["sample_tasks", "sample_tasks_on_reset", "terminate_on_success"];

    fn new(options: &Options) -> Result<Self> {
        let spec = options.variant::<TaskSpec>().expect("`MetaworldEnv::task` says which task it is");
        let has_first_version = options.text("reward_function_version") == Some("v1");
        let (place, num_tasks) = (options.int("env_id"), options.int("num_tasks"));
        if place >= num_tasks {
            return Err(Error::value("env_id", place, format_args!("less than num_tasks={num_tasks}")));
        }
        let mut one_hot = if options.bool("use_one_hot") { vec![0.0; num_tasks as usize] } else { Vec::new() };
        one_hot.iter_mut().skip(place as usize).take(1).for_each(|value| *value = 1.0);
        Ok(Self {
            spec,
            folder: options.text(METAWORLD_DIR).map(str::to_owned),
            frame_skip: options.int("frame_skip") as u32,
            frame_stack: options.int("frame_stack") as usize,
            hides_goal: options.bool("partially_observable"),
            has_common_space: options.text("goal_space") == Some("all"),
            one_hot,
            wrappers: Wrappers::new(options),
            goals: GoalSource::new(spec, options)?,
            has_first_version,
            initial: Switches {
                samples_on_reset: options.bool("sample_tasks_on_reset"),
                ends_at_success: options.bool("terminate_on_success"),
            },
            shared: SharedModel::default(),
            who_steps: StepperChoice::new(options),
            hand: Hand::default(),
            stored: None,
            task_id: NAMES.iter().position(|name| *name == spec.name).map_or(-1, |place| place as i32),
            rules: None,
        })
    }

    fn load(&mut self, store: &AssetCache) -> Result<()> {
        let Some(library) = mujoco::installed() else { return self.shared.loaded().map(|_| ()) };
        let name = self.model_name();
        let mut shared = std::mem::take(&mut self.shared);
        let model = shared.load(store, &name, || self.compile(library))?;
        let names = Names(model);
        self.hand = Hand::bind(names)?;
        self.rules = Some((self.spec.bind)(names)?);
        if !EPISODES_DIFFER.contains(&self.spec.name) {
            let name = format!("{name}: {} in steps of {}", self.spec.name, self.frame_skip);
            self.stored = Some(store.get_or_load(&name, || self.store_hand(model))?);
        }
        self.who_steps.choose(store, &name, model, None)?;
        self.shared = shared;
        Ok(())
    }

    fn is_slow_to_load(&self, store: &AssetCache) -> bool {
        !SharedModel::is_in(store, &self.model_name())
    }

    fn spec(&self) -> EnvSpec {
        let [low, high] = self.space_bounds();
        let shape = if self.frame_stack == 1 { vec![self.width()] } else { vec![self.frame_stack, self.width()] };
        // The reference's space of observations with one-hot vectors or wrappers has gymnasium's default dtype.
        let is_single = !self.one_hot.is_empty() || self.wrappers.change_observations();
        let dtype = if is_single { Dtype::F32 } else { Dtype::F64 };
        let task_id = InfoSpec::new("task_id", Dtype::I32, &[]).only_in_envpool();
        let unbounded = Space::uniform(f64::NEG_INFINITY, f64::INFINITY, &shape, dtype);
        EnvSpec {
            envpool_observation: Some(unbounded),
            info: INFOS.into_iter().map(step_info).chain([task_id]).collect(),
            option_decisions: self.who_steps.decided(),
            ..EnvSpec::new(Space::Box { low, high, shape, dtype }, Space::uniform(-1.0, 1.0, &[4], Dtype::F32))
        }
    }

    fn heap_bytes(&self) -> usize {
        let changed = self.shared.model().map_or(0, |model| 3 * (model.sizes().nbody + model.sizes().nsite));
        let statistics = if self.wrappers.change_observations() { 2 * self.width() } else { 0 };
        let values = changed + self.width() * self.frame_stack + statistics;
        self.shared.state_bytes() + values * size_of::<f64>() + Goals::heap_bytes(&self.goals)
    }

    fn thread_bytes(&self) -> usize {
        self.shared.thread_bytes() + self.who_steps.thread_bytes()
    }

    fn create(&self, _lane: usize) -> Result<EpisodeState> {
        Ok(EpisodeState {
            state: self.shared.loaded()?.state.clone(),
            changed: DetachedOverrides::default(),
            episode: super::Episode::default(),
            before: [0.0; HALF],
            frames: [&[0.0; OBSERVATION][..], &self.one_hot, &vec![0.0; self.wrappers.added_len()]]
                .concat()
                .repeat(self.frame_stack),
            infos: [0.0; INFOS.len()],
            goals: Goals::default(),
            switches: self.initial,
            wrapped: self.wrappers.create(self.width()),
        })
    }

    fn reset(&self, play: &mut EpisodeState, options: &ResetOptions, random: &mut GoalStream) {
        if self.resets_together() {
            let mut lane = [LaneReset { state: play, random, options: options.clone(), error: None }];
            self.reset_together(&mut lane);
            let [LaneReset { error, .. }] = lane;
            return error.map_or((), |error| error.raise());
        }
        self.begin_episode(play, options, random);
        let (state, changed, mut buffers) = play.parts_mut();
        self.simulate(state, changed, |sim| {
            self.start(sim, buffers.episode)?;
            self.finish_reset(sim, &mut buffers);
            Ok(())
        });
    }

    fn step(&self, play: &mut EpisodeState, action: &Action<'_>, rewards: &mut [f64], _random: &mut GoalStream) -> bool {
        self.step_one(play, action, rewards)
    }

    fn stack_bytes(&self) -> usize {
        self.who_steps.stack_bytes()
    }

    fn scheduling(&self) -> Scheduling {
        self.who_steps.scheduling(Self::SCHEDULING)
    }

    fn step_lanes(&self, lanes: &mut [LaneStep<'_, Self>]) {
        self.step_together(lanes);
    }

    fn resets_together(&self) -> bool {
        self.stored.is_none() && self.who_steps.stepper().is_some()
    }

    fn reset_lanes(&self, lanes: &mut [LaneReset<'_, Self>]) {
        self.reset_together(lanes);
    }

    fn observe(&self, play: &EpisodeState, out: &mut Row<'_>) {
        out.write(0, &play.frames);
    }

    fn info(&self, play: &EpisodeState, out: &mut Row<'_>) {
        for (leaf, value) in play.infos.iter().enumerate() {
            out.scalar(leaf, *value);
        }
        out.scalar(INFOS.len(), self.task_id);
    }
}

impl Renderable for MetaworldEnv {
    fn camera_preset(&self) -> CameraPreset {
        robot_camera(None, None, None)
    }

    fn model(&self) -> Option<&Model> {
        self.shared.model()
    }

    fn view<T>(&self, play: &EpisodeState, look: impl FnOnce(&Data) -> T) -> Result<T, Fault> {
        let show = |data: &mut Data| {
            data.set_changes(&play.changed.all())?;
            data.forward()
        };
        self.shared.view(&play.state, show, look)
    }

    fn seconds(&self) -> f64 {
        self.model().map_or(TIMESTEP, Model::timestep) * f64::from(self.frame_skip)
    }
}

impl LaneState<MetaworldEnv> for EpisodeState {
    fn save(&self, env: &MetaworldEnv, bytes: &mut Vec<u8>) -> Result<()> {
        let Self { state, changed, episode, before, frames, infos, goals, switches, wrapped } = self;
        let numbers = [&before[..], frames];
        env.shared.save(&(state, changed.all(), episode, numbers, infos, goals, switches, wrapped), bytes)
    }

    fn load(env: &MetaworldEnv, bytes: &mut &[u8]) -> Result<Self> {
        let (state, changes, episode, [before, frames], infos, goals, switches, wrapped): Saved = env.shared.restore(bytes)?;
        let model = env.shared.check_state(&state)?;
        check_len("last observation", before.len(), HALF)?;
        let before: [f64; HALF] = before.try_into().expect("the length is checked");
        check_len("observation", frames.len(), env.width() * env.frame_stack)?;
        if !goals.fit(&env.goals) {
            return Err(refused_state("it is of other goals"));
        }
        if !(before.iter().all(|value| value.is_finite()) && episode.is_finite()) {
            return Err(refused_state("its values are out of range"));
        }
        let fits = match (&wrapped, env.wrappers.create(env.width())) {
            (Some(wrapped), Some(expected)) => wrapped.fits(&expected),
            (wrapped, expected) => wrapped.is_none() && expected.is_none(),
        };
        if !fits {
            return Err(refused_state("its wrappers are others"));
        }
        let changed = restored_changes(model, &changes)?;
        Ok(Self { state, changed, episode, before, frames, infos, goals, switches, wrapped })
    }
}
