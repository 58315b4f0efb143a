//! What the pool calls: many lanes of one environment behind one virtual call per chunk.

use crate::contract::env::Scheduling;
use crate::contract::error::Result;
use crate::contract::options::ResetOptions;
use crate::contract::picture::{Picture, Rendering, View};
use crate::play::lanes::LaneMut;
use crate::play::work::{ChunkGuard, Work};
use envpool_rs_numeric::random::Pcg64;

/// Many lanes of one environment. Implemented by [`EachLane`](super::each_lane::EachLane) and
/// [`EachBlock`](super::each_block::EachBlock) for everything that environments are written as.
pub trait BatchEnv: Send + Sync {
    /// Steps or resets the lanes of a chunk from its `progress` on, and writes their results.
    fn run(&self, work: &Work<'_>, guard: &mut ChunkGuard<'_>);

    /// How its lanes are handed out to threads.
    fn scheduling(&self) -> Scheduling;

    /// Names that reset options may have.
    fn reset_options(&self) -> &[&'static str];

    /// Refuses reset options that make no sense together.
    ///
    /// # Errors
    /// `Value`, naming the option.
    fn check_reset(&self, options: &ResetOptions) -> Result<()>;

    /// Gives a lane a new random stream.
    fn seed(&self, lane: LaneMut<'_>, seed: u64);

    /// A copy of the bit generator of a lane's random stream, where that is numpy's `PCG64`.
    fn pcg64(&self, lane: LaneMut<'_>) -> Option<Pcg64>;

    /// Appends a lane's state and random stream to `bytes`.
    fn save(&self, lane: LaneMut<'_>, bytes: &mut Vec<u8>);

    /// Replaces a lane's state and random stream by what `save` wrote.
    ///
    /// # Errors
    /// `Value` where the bytes are not such a state; the lane is then unchanged.
    fn load(&self, lane: LaneMut<'_>, bytes: &[u8]) -> Result<()>;

    /// What its lanes can show of themselves.
    fn rendering(&self) -> Rendering;

    /// Paints a lane that has been reset.
    ///
    /// # Errors
    /// Those of [`Env::show`](crate::contract::env::Env::show).
    fn show(&self, lane: LaneMut<'_>, view: &View) -> Result<Picture>;

    /// Describes a lane that has been reset.
    fn text(&self, lane: LaneMut<'_>) -> String;
}
