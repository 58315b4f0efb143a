//! Wrapper that adds pictures to a MuJoCo environment: on demand, or as observations.
//!
//! `Rendered::<MyEnv>::task` creates a task of `MyEnv` with cameras, the options of `setup.rs`, and `from_pixels`. The
//! environment itself provides only its simulation and its default camera ([`Renderable`]).

mod setup;

use std::cell::Cell;

use crate::snapshot_checks::{check_finite, check_len};
use envpool_rs_engine::{
    Action, AssetCache, Env, EnvSpec, EpisodeEnd, Frame, LaneReset, LaneState, LaneStep, OptionSpec, Options, RenderParams,
    RenderSpec, ResetOptions, Result, Row, Scheduling, Task, read_value, write_value,
};
use envpool_rs_sim_mujoco::{Data, Fault, Model};

pub use self::setup::{CameraPreset, ENVPOOL_ORDER, robot_camera};
use self::setup::{RenderSetup, to_error};

/// Bytes of stack for drawing in a step: drivers that draw by software compile shaders in the calling thread.
const DRAWING_STACK_BYTES: usize = 3 << 19;

/// Environment with a MuJoCo simulation that can be rendered.
pub trait Renderable: Env {
    /// Returns the environment's default camera.
    fn camera_preset(&self) -> CameraPreset;

    /// Returns the environment's model; `None` before it is loaded.
    fn model(&self) -> Option<&Model>;

    /// Calls the function `look` with a lane's simulation, in the state after the lane's last step or reset.
    ///
    /// # Errors
    /// The error that MuJoCo reports, as [`envpool_rs_engine::Error`].
    fn view<T>(&self, state: &Self::State, look: impl FnOnce(&Data) -> T) -> std::result::Result<T, Fault>;

    /// Notifies the environment that each step will be rendered.
    fn enable_step_rendering(&mut self) {}

    /// Returns the duration of an environment step, in simulated seconds.
    fn seconds(&self) -> f64;
}

/// Reason, in messages for users, why environments that render each step cannot use native steps.
pub const RENDER_OBSTACLE: &str = "pictures are observed, which show what only the library computes";

/// Environment `E` that also renders pictures, with the render options.
pub struct Rendered<E> {
    env: E,
    setup: RenderSetup,
}

/// Lane state of the environment `E`, with the lane's observed pictures.
pub struct RenderedState<S> {
    state: S,
    /// Observed frames, oldest first. Each holds three planes: red, green and blue.
    pixels: Vec<u8>,
    /// Point that a free camera looks at, which is computed for the lane's first picture.
    lookat: Cell<Option<[f64; 3]>>,
}

impl<E: Renderable> Rendered<E> {
    /// Creates a task with the options of `E` and the render options. `preset` must equal the result of
    /// [`Renderable::camera_preset`].
    pub fn task(id: &'static str, mut options: Vec<OptionSpec>, preset: CameraPreset) -> Task {
        options.extend(RenderSetup::options(preset));
        Task::env::<Self>(id).options(options)
    }

    /// Renders a picture of the lane as its newest observation frame, if observations are pictures.
    fn capture(&self, shown: &mut RenderedState<E::State>, is_first: bool) -> Result<()> {
        if !self.setup.is_observed {
            return Ok(());
        }
        let RenderedState { state, pixels, lookat } = shown;
        let seen = self.env.view(state, |data| self.setup.take(data, lookat, pixels, is_first));
        seen.unwrap_or_else(|fault| Err(to_error(&fault)))
    }
}

// The clippy lint `missing_trait_methods` ensures that the wrapper forwards each method. Without it, a default method of the
// trait could replace `E`'s method.
#[deny(clippy::missing_trait_methods)]
impl<E: Renderable> Env for Rendered<E> {
    type State = RenderedState<E::State>;
    type Random = E::Random;
    const SCHEDULING: Scheduling = E::SCHEDULING;
    const SPEC_NEEDS_LOAD: bool = E::SPEC_NEEDS_LOAD;
    const TRUNCATION_WINS: bool = E::TRUNCATION_WINS;
    const RESET_OPTIONS: &'static [&'static str] = E::RESET_OPTIONS;

    fn options() -> Vec<OptionSpec> {
        E::options()
    }

    fn reset_options(&self) -> &[&'static str] {
        self.env.reset_options()
    }

    fn new(options: &Options) -> Result<Self> {
        let mut env = E::new(options)?;
        let setup = RenderSetup::new(options, env.camera_preset())?;
        if setup.is_observed {
            env.enable_step_rendering();
        }
        Ok(Self { env, setup })
    }

    fn load(&mut self, store: &AssetCache) -> Result<()> {
        self.env.load(store)?;
        self.env.model().map_or(Ok(()), |model| self.setup.load(model, store))
    }

    fn is_slow_to_load(&self, store: &AssetCache) -> bool {
        self.env.is_slow_to_load(store)
    }

    fn spec(&self) -> EnvSpec {
        let spec = self.env.spec();
        if !self.setup.is_observed {
            return spec;
        }
        let pixels = self.setup.space();
        let envpool_observation = Some(pixels.clone());
        EnvSpec { observation: pixels, written: None, envpool_observation, envpool_key: Some("pixels"), ..spec }
    }

    fn heap_bytes(&self) -> usize {
        self.env.heap_bytes() + self.setup.observed_len()
    }

    fn shared_bytes(&self) -> usize {
        self.env.shared_bytes()
    }

    fn thread_bytes(&self) -> usize {
        self.env.thread_bytes() + self.setup.thread_bytes()
    }

    fn stack_bytes(&self) -> usize {
        let drawing = if self.setup.is_observed { DRAWING_STACK_BYTES } else { 0 };
        self.env.stack_bytes().max(drawing)
    }

    fn create(&self, lane: usize) -> Result<RenderedState<E::State>> {
        let state = self.env.create(lane)?;
        if self.setup.is_observed && lane == 0 {
            // `check` reports a missing GL library when the environment is created, not only at the first reset.
            self.setup.check()?;
        }
        Ok(RenderedState { state, pixels: vec![0; self.setup.observed_len()], lookat: Cell::new(None) })
    }

    fn close(&self, shown: RenderedState<E::State>) {
        self.env.close(shown.state);
    }

    fn check_reset(&self, options: &ResetOptions) -> Result<()> {
        self.env.check_reset(options)
    }

    fn reset(&self, shown: &mut RenderedState<E::State>, options: &ResetOptions, random: &mut E::Random) {
        self.env.reset(&mut shown.state, options, random);
        self.capture(shown, true).unwrap_or_else(|error| error.raise());
    }

    fn next_episode(&self, shown: &mut RenderedState<E::State>, ended: EpisodeEnd, random: &mut E::Random) -> i32 {
        let elapsed = self.env.next_episode(&mut shown.state, ended, random);
        self.capture(shown, true).unwrap_or_else(|error| error.raise());
        elapsed
    }

    fn step(
        &self,
        shown: &mut RenderedState<E::State>,
        action: &Action<'_>,
        rewards: &mut [f64],
        random: &mut E::Random,
    ) -> bool {
        let terminated = self.env.step(&mut shown.state, action, rewards, random);
        self.capture(shown, false).unwrap_or_else(|error| error.raise());
        terminated
    }

    fn scheduling(&self) -> Scheduling {
        self.env.scheduling()
    }

    fn step_lanes(&self, lanes: &mut [LaneStep<'_, Self>]) {
        let inner = lanes.iter_mut().map(|lane| LaneStep {
            state: &mut lane.state.state,
            random: &mut *lane.random,
            action: lane.action,
            rewards: &mut *lane.rewards,
            terminated: false,
            error: None,
        });
        let mut inner: Vec<LaneStep<'_, E>> = inner.collect();
        self.env.step_lanes(&mut inner);
        let ends: Vec<_> = inner.into_iter().map(|lane| (lane.terminated, lane.error)).collect();
        for (lane, (terminated, failure)) in lanes.iter_mut().zip(ends) {
            lane.terminated = terminated;
            lane.error = failure.or_else(|| self.capture(lane.state, false).err());
        }
    }

    fn resets_together(&self) -> bool {
        self.env.resets_together()
    }

    fn reset_lanes(&self, lanes: &mut [LaneReset<'_, Self>]) {
        let inner = lanes.iter_mut().map(|lane| LaneReset {
            state: &mut lane.state.state,
            random: &mut *lane.random,
            options: std::mem::take(&mut lane.options),
            error: None,
        });
        let mut inner: Vec<LaneReset<'_, E>> = inner.collect();
        self.env.reset_lanes(&mut inner);
        let errors: Vec<_> = inner.into_iter().map(|lane| lane.error).collect();
        for (lane, error) in lanes.iter_mut().zip(errors) {
            lane.error = error.or_else(|| self.capture(lane.state, true).err());
        }
    }

    fn is_truncated(&self, shown: &RenderedState<E::State>) -> bool {
        self.env.is_truncated(&shown.state)
    }

    fn has_zero_discount(&self, shown: &RenderedState<E::State>) -> bool {
        self.env.has_zero_discount(&shown.state)
    }

    fn observe(&self, shown: &RenderedState<E::State>, out: &mut Row<'_>) {
        match self.setup.is_observed {
            true => out.write(0, &shown.pixels),
            false => self.env.observe(&shown.state, out),
        }
    }

    fn info(&self, shown: &RenderedState<E::State>, out: &mut Row<'_>) {
        self.env.info(&shown.state, out);
    }

    fn render_spec(&self) -> RenderSpec {
        let rate = (1.0 / self.env.seconds()).round_ties_even();
        let pictures = RenderSpec::with_frame_size(self.setup.width, self.setup.height, rate as u32).with_cameras();
        RenderSpec { has_text: self.env.render_spec().has_text, ..pictures }
    }

    fn render_frame(&self, shown: &RenderedState<E::State>, size: (u32, u32)) -> Frame {
        self.env.render_frame(&shown.state, size)
    }

    fn render_view(&self, shown: &RenderedState<E::State>, view: &RenderParams) -> Result<Frame> {
        let seen = self.env.view(&shown.state, |data| self.setup.picture(data, &shown.lookat, view));
        seen.unwrap_or_else(|fault| Err(to_error(&fault)))
    }

    fn render_text(&self, shown: &RenderedState<E::State>) -> String {
        self.env.render_text(&shown.state)
    }

    fn is_valid(&self, shown: &RenderedState<E::State>) -> bool {
        self.env.is_valid(&shown.state)
    }
}

impl<E: Renderable> LaneState<Rendered<E>> for RenderedState<E::State> {
    fn save(&self, rendered: &Rendered<E>, bytes: &mut Vec<u8>) -> Result<()> {
        self.state.save(&rendered.env, bytes)?;
        write_value(bytes, &(&self.pixels, self.lookat.get()))
    }

    fn load(rendered: &Rendered<E>, bytes: &mut &[u8]) -> Result<Self> {
        let state = E::State::load(&rendered.env, bytes)?;
        let (pixels, lookat): (Vec<u8>, Option<[f64; 3]>) = read_value(bytes)?;
        check_len("pictures", pixels.len(), rendered.setup.observed_len())?;
        check_finite(lookat.iter().flatten())?;
        Ok(Self { state, pixels, lookat: Cell::new(lookat) })
    }
}

#[cfg(test)]
mod tests;
