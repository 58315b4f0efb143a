//! Implements the engine's [`Env`], [`Renderable`], and snapshots for [`MetaworldEnv`].

use super::super::names::NAMES;
use super::super::random::GoalStream;
use super::super::sawyer::Hand;
use super::{
    EPISODES_DIFFER, EpisodeState, HALF, INFOS, METAWORLD_DIR, MetaworldEnv, Names, OBSERVATION, Saved, Step, TIMESTEP, TaskSpec,
    infos,
};
use crate::rendered::{CameraPreset, Renderable, robot_camera};
use crate::robot::step_info;
use crate::simulated::shared_model::{SharedModel, restored_changes};
use envpool_rs_engine::{
    Action, AssetCache, Dtype, Env, EnvSpec, InfoSpec, LaneState, Options, ResetOptions, Result, Row, Space, read_value,
    refused_state, write_value,
};
use envpool_rs_sim_mujoco::{self as mujoco, Data, DetachedOverrides, Fault, Model, SavedOverrides, numeric};

impl Env for MetaworldEnv {
    type State = EpisodeState;
    type Random = GoalStream;

    fn new(options: &Options) -> Result<Self> {
        let spec = options.variant::<TaskSpec>().expect("`MetaworldEnv::task` says which task it is");
        Ok(Self {
            spec,
            folder: options.text(METAWORLD_DIR).map(str::to_owned),
            frame_skip: options.int("frame_skip") as u32,
            frame_stack: options.int("frame_stack") as usize,
            hides_goal: options.bool("partially_observable"),
            ends_at_success: options.bool("terminate_on_success"),
            shared: SharedModel::default(),
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
        self.shared = shared;
        Ok(())
    }

    fn is_slow_to_load(&self, store: &AssetCache) -> bool {
        !SharedModel::is_in(store, &self.model_name())
    }

    fn spec(&self) -> EnvSpec {
        let [low, high] = self.bounds().map(|bounds| bounds.repeat(self.frame_stack));
        let shape = if self.frame_stack == 1 { vec![OBSERVATION] } else { vec![self.frame_stack, OBSERVATION] };
        let task_id = InfoSpec::new("task_id", Dtype::I32, &[]).only_in_envpool();
        let unbounded = Space::uniform(f64::NEG_INFINITY, f64::INFINITY, &shape, Dtype::F64);
        EnvSpec {
            envpool_observation: Some(unbounded),
            info: INFOS.into_iter().map(step_info).chain([task_id]).collect(),
            ..EnvSpec::new(Space::Box { low, high, shape, dtype: Dtype::F64 }, Space::uniform(-1.0, 1.0, &[4], Dtype::F32))
        }
    }

    fn heap_bytes(&self) -> usize {
        let changed = self.shared.model().map_or(0, |model| 3 * (model.sizes().nbody + model.sizes().nsite));
        self.shared.state_bytes() + (changed + OBSERVATION * self.frame_stack) * size_of::<f64>()
    }

    fn thread_bytes(&self) -> usize {
        self.shared.thread_bytes()
    }

    fn create(&self, _lane: usize) -> Result<EpisodeState> {
        Ok(EpisodeState {
            state: self.shared.loaded()?.state.clone(),
            changed: DetachedOverrides::default(),
            episode: super::Episode::default(),
            before: [0.0; HALF],
            frames: vec![0.0; OBSERVATION * self.frame_stack],
            infos: [0.0; INFOS.len()],
        })
    }

    fn reset(&self, play: &mut EpisodeState, _options: &ResetOptions, random: &mut GoalStream) {
        let EpisodeState { state, changed, episode, before, frames, infos } = play;
        episode.random = random.choose(|stream| self.draw(stream));
        infos.fill(0.0);
        self.simulate(state, changed, |sim| {
            // The reference places everything twice: before and after it resets the simulation.
            self.place(sim, episode)?;
            if self.stored.is_none() {
                sim.data.reset()?;
            }
            self.place(sim, episode)?;
            *before = self.present(sim);
            let observation = self.observation(sim, episode, before);
            (0..self.frame_stack).for_each(|_| Self::push(frames, &observation));
            Ok(())
        });
    }

    fn step(&self, play: &mut EpisodeState, action: &Action<'_>, rewards: &mut [f64], _random: &mut GoalStream) -> bool {
        let EpisodeState { state, changed, episode, before, frames, infos: shown } = play;
        let action: [f32; 4] = action.continuous(0, 4).try_into().expect("four values");
        let outcome = self.simulate(state, changed, |sim| {
            self.advance(sim, action)?;
            let mut observation = self.observation(sim, episode, before);
            before.copy_from_slice(&observation[..HALF]);
            let [low, high] = self.bounds();
            for (value, (low, high)) in observation.iter_mut().zip(low.iter().zip(&high)) {
                *value = numeric::clip(*value, *low, *high);
            }
            Self::push(frames, &observation);
            let outcome = self.rules().evaluate(&mut Step { sim, action, observation }, episode)?;
            sim.fault.take().map_or(Ok(outcome), Err)
        });
        *shown = infos(&outcome);
        rewards[0] = outcome.reward.value();
        self.ends_at_success && outcome.is_success
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
        self.shared.workspace().with_state(&mut play.state.clone(), |data| {
            data.set_changes(&play.changed.all())?;
            data.forward()?;
            let seen = look(data);
            data.set_changes(&SavedOverrides::new())?;
            Ok(seen)
        })
    }

    fn seconds(&self) -> f64 {
        self.model().map_or(TIMESTEP, Model::timestep) * f64::from(self.frame_skip)
    }
}

impl LaneState<MetaworldEnv> for EpisodeState {
    fn save(&self, env: &MetaworldEnv, bytes: &mut Vec<u8>) {
        let Self { state, changed, episode, before, frames, infos } = self;
        let numbers = [before.to_vec(), frames.clone()];
        let fingerprint = env.shared.fingerprint();
        let saved: Saved = (fingerprint, state.clone(), changed.all(), episode.clone(), numbers, *infos);
        write_value(bytes, &saved);
    }

    fn load(env: &MetaworldEnv, bytes: &mut &[u8]) -> Result<Self> {
        let (fingerprint, state, changes, episode, [before, frames], infos): Saved = read_value(bytes)?;
        let model = env.shared.check_snapshot(fingerprint, &[&state])?;
        let Ok(before) = <[f64; HALF]>::try_from(before) else { return Err(refused_state("it shows another number of numbers")) };
        if frames.len() != OBSERVATION * env.frame_stack {
            return Err(refused_state("it shows another number of numbers"));
        }
        if !(before.iter().all(|value| value.is_finite()) && episode.is_finite()) {
            return Err(refused_state("its values are out of range"));
        }
        let changed = restored_changes(model, &changes)?;
        Ok(Self { state, changed, episode, before, frames, infos })
    }
}
