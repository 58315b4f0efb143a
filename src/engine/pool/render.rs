//! Rendering methods of the pool: images and text of its environments.

use std::panic::{AssertUnwindSafe, catch_unwind};

use crate::contract::error::{Error, Result};
use crate::contract::frame::{Frame, FrameBatch, RenderArgs, RenderParams, RenderSpec};
use crate::contract::memory::{check_fits, check_headroom, refused_memory};
use crate::exec::batch_env::BatchEnv;
use crate::exec::chunk::panic_message;
use crate::exec::lane_table::Phase;
use crate::exec::per_lane::{LaneId, LaneMut};
use crate::pool::pool::Pool;
use crate::pool::request::Request;
use crate::threads::float_mode::FloatModeGuard;
use crate::threads::interrupt_poller::Interrupt;
use crate::threads::interrupt_poller::InterruptPoller;

/// Largest number of bytes for each pixel that drawing one picture needs at a time: several pictures in colour, and depth.
const PIXEL_BYTES: usize = 32;

impl Pool {
    /// Returns the rendering capabilities of the environments.
    pub fn rendering(&self) -> RenderSpec {
        self.core.rendering
    }

    /// Renders images of the environments `ids` (`None`: all).
    ///
    /// # Errors
    /// `Index`, `Value` or `InFlight` for ids that are out of range, repeated or in flight; `State` if the task renders no
    /// images, or if an environment has never been reset or has failed; `Value` for a size out of bounds, `Index` for an unknown
    /// camera; `Memory` if the images do not fit into memory; `Interrupted`.
    pub fn render(&self, ids: Option<&[i64]>, shot: RenderArgs, interrupt: Interrupt<'_>) -> Result<FrameBatch> {
        let view = self.rendering().validate(shot)?;
        let (width, height) = (view.width, view.height);
        let count = ids.map_or(self.config().num_envs, <[i64]>::len);
        let bytes = count as u128 * u128::from(width) * u128::from(height) * if view.depth { 7 } else { 3 };
        check_fits(bytes, &format!("drawing {count} pictures of {width} x {height} pixels"))?;
        let area = width as usize * height as usize;
        let (mut pixels, mut depth) = (Vec::new(), Vec::new());
        let refused = || refused_memory(bytes as usize, "pictures");
        pixels.try_reserve_exact(count * area * 3).map_err(|_| refused())?;
        depth.try_reserve_exact(if view.depth { count * area } else { 0 }).map_err(|_| refused())?;
        self.show(ids, interrupt, |env, lane| {
            // An environment may draw in this size or in its own, which the engine does not know.
            check_headroom(area * PIXEL_BYTES, || format!("a picture of {width} x {height} pixels"))?;
            let picture = self.picture(env, lane, &view)?;
            depth.extend_from_slice(picture.depth());
            match picture.size() == (width, height) {
                true => pixels.extend_from_slice(picture.pixels()),
                false => {
                    let start = pixels.len();
                    pixels.resize(start + area * 3, 0);
                    picture.scale_into(width, height, &mut pixels[start..]);
                }
            }
            Ok(())
        })?;
        Ok(FrameBatch { count, width, height, pixels, depth })
    }

    /// Renders one lane: in the requested size if the environment has cameras, otherwise in its own size.
    fn picture(&self, env: Option<&dyn BatchEnv>, lane: LaneMut<'_>, params: &RenderParams) -> Result<Frame> {
        match env {
            Some(env) => env.render_view(lane, params),
            None => Ok(self.backend()?.render(lane.number(), params)),
        }
    }

    /// Returns the environments `ids` (`None`: all) as text.
    ///
    /// # Errors
    /// `Index`, `Value` or `InFlight` for ids that are out of range, repeated or in flight; `State` if the task renders no text,
    /// or if an environment has never been reset or has failed; `Interrupted`.
    pub fn render_text(&self, ids: Option<&[i64]>, interrupt: Interrupt<'_>) -> Result<Vec<String>> {
        let no_text = || Error::State("this task does not describe itself in text".into());
        if self.has_backend() || !self.rendering().has_text {
            return Err(no_text());
        }
        let mut texts = Vec::new();
        self.show(ids, interrupt, |env, lane| {
            texts.push(env.ok_or_else(no_text)?.render_text(lane));
            Ok(())
        })?;
        Ok(texts)
    }

    /// Calls `show` with access to each of the lanes in turn. No lane may be in flight, and each must have been reset.
    fn show(
        &self,
        ids: Option<&[i64]>,
        interrupt: Interrupt<'_>,
        mut show: impl FnMut(Option<&dyn BatchEnv>, LaneMut<'_>) -> Result<()>,
    ) -> Result<()> {
        let _standard = FloatModeGuard::enter();
        let mut call = self.prepare(ids)?;
        let (Request { lanes, .. }, mut guard, env) = call.sender.claim_env();
        (0..lanes.len()).try_for_each(|index| self.check_visible(guard.id(index)))?;
        let mut interrupts = InterruptPoller::new(interrupt);
        for index in 0..lanes.len() {
            interrupts.check()?;
            let lane = lanes.get(index);
            catch_unwind(AssertUnwindSafe(|| show(env, guard.lane(index))))
                .map_err(|panic| Error::State(format!("drawing environment {lane} failed: {}", panic_message(&*panic))))??;
        }
        Ok(())
    }

    fn check_visible(&self, lane: LaneId<'_>) -> Result<()> {
        let (phase, lane) = (self.core.table.phase.get(lane), lane.number());
        let why = match phase {
            Phase::Running | Phase::Finished => return Ok(()),
            Phase::Fresh => return Err(Error::NeverReset { lane, before: "it is drawn" }),
            Phase::Failed | Phase::Recreating => "has failed",
        };
        Err(Error::State(format!("environment {lane} {why}: reset it before it is drawn")))
    }
}
