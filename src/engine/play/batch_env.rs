//! What the pool calls: many lanes of one environment behind one virtual call per chunk.

use crate::contract::env::Scheduling;
use crate::contract::error::Result;
use crate::contract::options::ResetOptions;
use crate::contract::picture::{Picture, Rendering, View};
use crate::play::work::Work;
use envpool_rs_numeric::random::Pcg64;

/// Many lanes of one environment. Implemented by [`EachLane`](super::each_lane::EachLane) and
/// [`EachBlock`](super::each_block::EachBlock) for everything that environments are written as.
pub trait BatchEnv: Send + Sync {
    /// Steps or resets the lanes of a chunk from its `progress` on, and writes their results.
    ///
    /// # Safety
    /// The lanes of the chunk, and the rows of its sink, must belong to the caller alone.
    unsafe fn run(&self, work: &Work<'_>);

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
    ///
    /// # Safety
    /// The lane must belong to the caller alone.
    unsafe fn seed(&self, lane: usize, seed: u64);

    /// A copy of the bit generator of a lane's random stream, where that is numpy's `PCG64`.
    ///
    /// # Safety
    /// The lane must belong to the caller alone.
    unsafe fn pcg64(&self, lane: usize) -> Option<Pcg64>;

    /// Appends a lane's state and random stream to `bytes`.
    ///
    /// # Safety
    /// The lane must belong to the caller alone.
    unsafe fn save(&self, lane: usize, bytes: &mut Vec<u8>);

    /// Replaces a lane's state and random stream by what `save` wrote.
    ///
    /// # Errors
    /// `Value` where the bytes are not such a state; the lane is then unchanged.
    ///
    /// # Safety
    /// The lane must belong to the caller alone.
    unsafe fn load(&self, lane: usize, bytes: &[u8]) -> Result<()>;

    /// What its lanes can show of themselves.
    fn rendering(&self) -> Rendering;

    /// Paints a lane that has been reset.
    ///
    /// # Errors
    /// Those of [`Env::show`](crate::contract::env::Env::show).
    ///
    /// # Safety
    /// The lane must belong to the caller alone.
    unsafe fn show(&self, lane: usize, view: &View) -> Result<Picture>;

    /// Describes a lane that has been reset.
    ///
    /// # Safety
    /// The lane must belong to the caller alone.
    unsafe fn text(&self, lane: usize) -> String;
}
