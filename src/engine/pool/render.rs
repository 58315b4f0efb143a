//! Environments of a pool as pictures and as text.

use std::panic::{AssertUnwindSafe, catch_unwind};

use crate::engine::contract::error::{Error, Result};
use crate::engine::contract::picture::{Picture, Pictures, Rendering};
use crate::engine::play::lanes::Phase;
use crate::engine::play::work::panic_message;
use crate::engine::pool::pool::Pool;
use crate::engine::tasks::memory;
use crate::engine::threads::float_mode::StandardFloats;
use crate::engine::threads::interrupts::Interrupt;
use crate::engine::threads::interrupts::Interrupts;

impl Pool {
    /// What its environments can show of themselves.
    pub fn rendering(&self) -> Rendering {
        self.shared.rendering
    }

    /// Pictures of the environments `ids` (all of them for `None`), `width` by `height` pixels; 0 stands for the task's own.
    ///
    /// # Errors
    /// As [`Pool::step`] for the ids; `State` where the task draws no pictures, or an environment has never been reset or has
    /// failed; `Value` for a size out of bounds; `Memory` where so many pictures do not fit; `Interrupted`.
    pub fn render(&self, ids: Option<&[i64]>, width: i64, height: i64, interrupt: Interrupt<'_>) -> Result<Pictures> {
        let (width, height) = self.rendering().size(width, height)?;
        let count = ids.map_or(self.config().num_envs, <[i64]>::len);
        let bytes = count as u128 * u128::from(width) * u128::from(height) * 3;
        memory::check_fits(bytes, &format!("drawing {count} pictures of {width} x {height} pixels"))?;
        let mut pixels = Vec::with_capacity(bytes as usize);
        // SAFETY: `show` passes lanes that belong to this call.
        self.show(ids, interrupt, |lane| match unsafe { self.shared.env().paint(lane) } {
            picture if picture.size() == (width, height) => pixels.extend_from_slice(picture.pixels()),
            picture => pixels.extend_from_slice(Picture::scaled(&picture, width, height).pixels()),
        })?;
        Ok(Pictures { count, width, height, pixels })
    }

    /// The environments `ids` (all of them for `None`) in text.
    ///
    /// # Errors
    /// As [`Pool::render`]; `State` where the task has no text.
    pub fn render_text(&self, ids: Option<&[i64]>, interrupt: Interrupt<'_>) -> Result<Vec<String>> {
        if !self.rendering().text {
            return Err(Error::State("this task does not describe itself in text".into()));
        }
        let mut texts = Vec::new();
        // SAFETY: `show` passes lanes that belong to this call.
        self.show(ids, interrupt, |lane| texts.push(unsafe { self.shared.env().text(lane) }))?;
        Ok(texts)
    }

    /// Calls `show` for each of these lanes, none of which is in flight and all of which have something to show.
    fn show(&self, ids: Option<&[i64]>, interrupt: Interrupt<'_>, mut show: impl FnMut(usize)) -> Result<()> {
        let _standard = StandardFloats::enter();
        let call = self.prepare(ids)?;
        let lanes = &call.request().lanes;
        lanes.iter().try_for_each(|lane| self.check_visible(lane))?;
        let mut interrupts = Interrupts::new(interrupt);
        for lane in lanes.iter() {
            interrupts.check()?;
            catch_unwind(AssertUnwindSafe(|| show(lane)))
                .map_err(|panic| Error::State(format!("drawing environment {lane} failed: {}", panic_message(&*panic))))?;
        }
        Ok(())
    }

    fn check_visible(&self, lane: usize) -> Result<()> {
        let why = match self.phase(lane) {
            Phase::Running | Phase::Finished => return Ok(()),
            Phase::Fresh => return Err(Error::NeverReset { lane, before: "it is drawn" }),
            Phase::Failed | Phase::Revived => "has failed",
        };
        Err(Error::State(format!("environment {lane} {why}: reset it before it is drawn")))
    }
}
