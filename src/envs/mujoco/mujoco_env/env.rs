//! Implements the engine's [`Env`] and snapshots for [`MujocoEnv`].

use std::cell::Cell;

use super::{EpisodeState, Family, MujocoEnv, NativeStep, SharedModel, Simulation};
use crate::errors::to_error;
use crate::render_setup::RenderSetup;
use crate::snapshot_checks::{check_finite, check_len};
use crate::stepper_choice::StepperChoice;
use envpool_rs_engine::{
    Action, AssetCache, Env, EnvSpec, Frame, LaneReset, LaneState, LaneStep, Options, RenderParams, RenderSpec, ResetOptions,
    Result, Row, Scheduling, read_value, refused_state, write_value,
};
use envpool_rs_sim_mujoco::{self as mujoco, Data, Derived, DetachedOverrides, Fault, Model, SavedOverrides, Stepper};

/// Bytes of stack for drawing in a step: drivers that draw by software compile shaders in the calling thread.
const DRAWING_STACK_BYTES: usize = 3 << 19;

impl<F: Family> Env for MujocoEnv<F> {
    type State = EpisodeState<F::Memory>;
    type Random = F::Random;
    const SPEC_NEEDS_LOAD: bool = F::SPEC_NEEDS_LOAD;
    const TRUNCATION_WINS: bool = F::TRUNCATION_WINS;
    const RESET_OPTIONS: &'static [&'static str] = F::RESET_OPTIONS;

    fn new(options: &Options) -> Result<Self> {
        let family = F::new(options)?;
        Ok(Self {
            frame_skip: F::frame_skip(options),
            frame_stack: options.int("frame_stack") as usize,
            frame_len: family.frame_len(),
            shared: SharedModel::default(),
            pictures: None,
            stepper_choice: StepperChoice::new(options),
            needs_library: false,
            native_step: NativeStep::Arrays(Derived::default()),
            setup: RenderSetup::new(options, family.camera_preset())?,
            family,
        })
    }

    fn load(&mut self, store: &AssetCache) -> Result<()> {
        let Some(library) = mujoco::installed().filter(|_| !self.family.is_nowhere()) else {
            return if self.family.needs_no_model() { Ok(()) } else { self.shared.loaded().map(|_| ()) };
        };
        let name = self.family.model_name()?;
        let model = self.shared.load(store, &name, || self.family.compile(library))?.clone();
        self.family.bind(&model, store)?;
        self.frame_len = self.family.frame_len();
        if F::HAS_PHYSICS_MODEL {
            self.pictures = Some(std::mem::take(&mut self.shared));
            self.shared.load(store, &format!("steps of {name}"), || Ok(self.family.compile_physics(library, &model)))?;
        }
        let obstacle = self.family.obstacle(&model, self.setup.is_observed);
        self.stepper_choice.choose(store, &name, &model, obstacle)?;
        let supports = |stepper: &Stepper| stepper.supports_values(self.family.own_values());
        self.needs_library = !self.stepper_choice.stepper().is_none_or(supports);
        self.native_step = self.family.native_step(self.stepper_choice.stepper());
        self.setup.load(&model, store)
    }

    fn is_slow_to_load(&self, store: &AssetCache) -> bool {
        self.family.model_name().is_ok_and(|name| !SharedModel::is_in(store, &name))
    }

    fn spec(&self) -> EnvSpec {
        let option_decisions = self.stepper_choice.decided();
        let spec = EnvSpec { option_decisions, ..self.family.spec(self.shared.model(), self.frame_stack) };
        if !self.setup.is_observed {
            return spec;
        }
        let pixels = self.setup.space();
        let envpool_observation = Some(pixels.clone());
        EnvSpec { observation: pixels, written: None, envpool_observation, envpool_key: Some("pixels"), ..spec }
    }

    fn heap_bytes(&self) -> usize {
        let memory = self.family.memory_bytes(self.shared.model());
        let states = if F::REPEATS_STEPS { 2 } else { 1 } * self.shared.state_bytes();
        let simulation = if self.family.owns_simulations() { self.shared.thread_bytes() } else { states };
        simulation + memory + self.frame_len * self.frame_stack * size_of::<f64>() + self.setup.observed_len()
    }

    fn shared_bytes(&self) -> usize {
        self.family.shared_bytes()
    }

    fn thread_bytes(&self) -> usize {
        let simulation = if self.family.owns_simulations() { 0 } else { self.shared.thread_bytes() };
        simulation + self.stepper_choice.thread_bytes() + self.setup.thread_bytes()
    }

    fn stack_bytes(&self) -> usize {
        let drawing = if self.setup.is_observed { DRAWING_STACK_BYTES } else { 0 };
        self.stepper_choice.stack_bytes().max(drawing)
    }

    fn create(&self, lane: usize) -> Result<Self::State> {
        let loaded = self.shared.loaded()?;
        if self.setup.is_observed && lane == 0 {
            // `check` reports a missing GL library when the environment is created, not only at the first reset.
            self.setup.check()?;
        }
        let simulation = match self.family.owns_simulations() {
            true => {
                let mut data = Data::new(&loaded.model).map_err(to_error)?;
                data.ctrl_mut().fill(0.0);
                Simulation::Own(data)
            }
            false => {
                let state = self.family.initial_state().unwrap_or(&loaded.state).to_vec();
                Simulation::Shared(state, DetachedOverrides::default())
            }
        };
        Ok(EpisodeState {
            simulation,
            start: Vec::new(),
            frames: vec![0.0; self.frame_len * self.frame_stack],
            memory: self.family.create(),
            pixels: vec![0; self.setup.observed_len()],
            lookat: Cell::new(None),
        })
    }

    fn reset_options(&self) -> &[&'static str] {
        self.family.reset_options()
    }

    fn check_reset(&self, options: &ResetOptions) -> Result<()> {
        self.family.check_reset(options)
    }

    fn reset(&self, state: &mut Self::State, options: &ResetOptions, random: &mut F::Random) {
        let mut lane = [LaneReset { state, random, options: options.clone(), error: None }];
        self.reset_lanes(&mut lane);
        let [LaneReset { error, .. }] = lane;
        if let Some(error) = error {
            error.raise();
        }
    }

    fn resets_together(&self) -> bool {
        self.family.reset_steps() > 0 && self.stepper_choice.stepper().is_some()
    }

    fn reset_lanes(&self, lanes: &mut [LaneReset<'_, Self>]) {
        match self.stepper_choice.stepper().filter(|_| self.family.reset_steps() > 0) {
            Some(stepper) => self.reset_natively(stepper, lanes),
            None => lanes.iter_mut().for_each(|lane| lane.error = self.reset_by_library(lane).err().map(to_error)),
        }
        for LaneReset { state, error, .. } in lanes.iter_mut().filter(|lane| lane.error.is_none()) {
            let stacked = state.frames.len() - self.frame_len;
            let (older, newest) = state.frames.split_at_mut(stacked);
            older.chunks_exact_mut(newest.len().max(1)).for_each(|frame| frame.copy_from_slice(newest));
            *error = self.capture(state, true).err();
        }
    }

    fn step(&self, state: &mut Self::State, action: &Action<'_>, rewards: &mut [f64], random: &mut F::Random) -> bool {
        let mut lane = [LaneStep { state, random, action: *action, rewards, terminated: false, error: None }];
        self.step_lanes(&mut lane);
        let [LaneStep { terminated, error, .. }] = lane;
        error.map_or(terminated, |error| error.raise())
    }

    fn scheduling(&self) -> Scheduling {
        self.stepper_choice.scheduling(Self::SCHEDULING)
    }

    fn step_lanes(&self, lanes: &mut [LaneStep<'_, Self>]) {
        match self.stepper_choice.stepper().filter(|_| !self.needs_library && !self.family.owns_simulations()) {
            Some(stepper) => self.step_natively(stepper, lanes),
            None => {
                for lane in lanes.iter_mut() {
                    match self.step_by_library(lane) {
                        Ok(terminates) => lane.terminated = terminates,
                        Err(fault) => lane.error = Some(to_error(fault)),
                    }
                }
            }
        }
        for LaneStep { state, error, .. } in lanes.iter_mut().filter(|lane| lane.error.is_none()) {
            *error = self.capture(state, false).err();
        }
    }

    fn has_zero_discount(&self, state: &Self::State) -> bool {
        self.family.has_zero_discount(&state.memory)
    }

    fn observe(&self, state: &Self::State, out: &mut Row<'_>) {
        match self.setup.is_observed {
            true => out.write(0, &state.pixels),
            false => self.family.observe(&state.frames, out),
        }
    }

    fn info(&self, state: &Self::State, out: &mut Row<'_>) {
        self.family.info(&state.memory, out);
    }

    fn render_spec(&self) -> RenderSpec {
        let seconds = self.shared.model().map_or(self.family.timestep(), Model::timestep) * f64::from(self.frame_skip);
        let rate = (1.0 / seconds).round_ties_even();
        RenderSpec::with_frame_size(self.setup.width, self.setup.height, rate as u32).with_cameras()
    }

    fn render_view(&self, state: &Self::State, view: &RenderParams) -> Result<Frame> {
        let seen = self.view(state, |data| self.setup.picture(data, &state.lookat, view));
        seen.unwrap_or_else(|fault| Err(to_error(fault)))
    }
}

/// Contents of a snapshot: state, changes of the model, start of the last step and frames, pictures, `lookat`, memory.
type Saved<M> = (Vec<f64>, SavedOverrides, [Vec<f64>; 2], Vec<u8>, Option<[f64; 3]>, M);

impl<F: Family> LaneState<MujocoEnv<F>> for EpisodeState<F::Memory> {
    fn save(&self, env: &MujocoEnv<F>, bytes: &mut Vec<u8>) -> Result<()> {
        let Self { simulation, start, frames, memory, pixels, lookat } = self;
        let (state, changes) = match simulation {
            Simulation::Own(data) => {
                let mut state = vec![0.0; data.model().state_len()];
                data.get_state(&mut state);
                (state, data.changes())
            }
            Simulation::Shared(state, changed) => (state.clone(), changed.all()),
        };
        let fingerprint = env.shared.workspace().model().fingerprint();
        write_value(bytes, &(fingerprint, (state, changes, [start, frames], pixels, lookat.get(), memory)))
    }

    fn load(env: &MujocoEnv<F>, bytes: &mut &[u8]) -> Result<Self> {
        let (fingerprint, (state, changes, [start, frames], pixels, lookat, memory)): (u64, Saved<F::Memory>) =
            read_value(bytes)?;
        let model = &env.shared.loaded()?.model;
        if fingerprint != model.fingerprint() {
            return Err(refused_state("it is of another model"));
        }
        for state in [&state, &start].into_iter().take(if start.is_empty() { 1 } else { 2 }) {
            check_len("state", state.len(), model.state_len())?;
            if !F::GOES_ON_AFTER_WARNINGS {
                check_finite(state)?;
            }
        }
        check_len("observation", frames.len(), env.frame_len * env.frame_stack)?;
        check_len("pictures", pixels.len(), env.setup.observed_len())?;
        if !F::GOES_ON_AFTER_WARNINGS {
            check_finite(lookat.iter().flatten())?;
        }
        env.family.check(&memory, &frames)?;
        if !F::CHANGES_MODEL && !changes.is_empty() {
            return Err(refused_state("its model has changes"));
        }
        let restored = || {
            if changes.is_empty() && !env.family.owns_simulations() {
                return Ok(Simulation::Shared(state, DetachedOverrides::default()));
            }
            let mut data = Data::new(model)?;
            data.set_changes(&changes)?;
            if env.family.owns_simulations() {
                data.set_state(&state)?;
                data.step1()?;
                return Ok(Simulation::Own(data));
            }
            let mut changed = DetachedOverrides::default();
            data.exchange(&mut changed);
            Ok(Simulation::Shared(state, changed))
        };
        let simulation = restored().map_err(|fault: Fault| refused_state(&fault.to_string()))?;
        Ok(Self { simulation, start, frames, memory, pixels, lookat: Cell::new(lookat) })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dm_control::{suite::Suite, tasks};
    use envpool_rs_engine::DEFAULT_STACK_BYTES;

    #[test]
    fn pictures_as_observations_need_the_stack_of_the_renderer() {
        let stack_bytes = [false, true].map(|is_observed| {
            let options = tasks()[0].resolve(&[("from_pixels".into(), is_observed.into())]).expect("known options");
            MujocoEnv::<Suite>::new(&options).expect("the default size").stack_bytes()
        });
        assert_eq!(stack_bytes, [DEFAULT_STACK_BYTES, DRAWING_STACK_BYTES]);
    }
}
