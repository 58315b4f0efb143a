//! Environments that are played by processes of their own, one for each lane: what they implement.

use std::time::Instant;

use crate::contract::error::Result;
use crate::contract::options::{OptionSpec, Options};
use crate::contract::picture::{Picture, Rendering, View};
use crate::contract::spec::EnvSpec;
use crate::contract::store::Store;
use crate::outside::exchange::{Answer, Asked};
use crate::outside::row_out::RowOut;

/// An environment whose lanes are played by a process each: its options, fixed, and what it says of itself. As
/// [`Env`](crate::contract::env::Env) is for environments that the engine's threads play.
pub trait ProcessEnv: Sized + Send + Sync + 'static {
    /// The options that tasks built on it take.
    fn options() -> Vec<OptionSpec>;

    /// The environment with its options fixed.
    ///
    /// # Errors
    /// `Value` or `Type`, naming the option, its value and what is allowed.
    fn new(options: &Options) -> Result<Self>;

    /// Whether it has to be loaded before it can be described.
    fn is_described_by_files(&self) -> bool {
        false
    }

    /// Looks for what it takes to play, and reads what is the same for all lanes.
    ///
    /// # Errors
    /// `NotFound` or `Value`, naming the file.
    fn load(&mut self, store: &Store) -> Result<()>;

    /// Spaces, players and infos.
    fn spec(&self) -> EnvSpec;

    /// What it can show of itself.
    fn rendering(&self) -> Rendering {
        Rendering::default()
    }

    /// Bytes that a lane takes in this process.
    fn lane_bytes(&self) -> usize;

    /// Lane number `lane` of a pool. No process need run before it is asked something.
    ///
    /// # Errors
    /// Any: the pool is not made.
    fn lane(&self, lane: usize) -> Result<Box<dyn ProcessLane>>;
}

/// A lane, and the process that plays it. It is asked one thing at a time, and each answer is taken once.
pub trait ProcessLane: Send {
    /// Begins its random stream, before it is asked anything.
    fn seed(&mut self, seed: u64);

    /// Writes down what it is asked. What is never [sent](Self::send) is forgotten.
    ///
    /// # Errors
    /// Where that cannot be asked.
    fn begin(&mut self, asked: Asked<'_>) -> Result<()>;

    /// Sends what was written down. What cannot be sent is the answer's to tell.
    fn send(&mut self);

    /// Takes what has come from the process, sends what follows from it, and says whether there is an answer. It never waits.
    fn advance(&mut self) -> bool;

    /// Whether nothing will be left to send once the process has answered, so that nobody need look after it meanwhile.
    fn is_at_last(&self) -> bool;

    /// Sleeps until something has come from the process, or `until`, or for no reason.
    fn wait(&mut self, until: Instant);

    /// Looks whether the process is there and answers. Its loss is an answer, a failure.
    fn notice(&mut self);

    /// Takes the answer, and writes what belongs into the row.
    fn finish(&mut self, out: &mut RowOut<'_>) -> Answer;

    /// Gives up what was sent and has not been finished. Says whether the lane is idle then, as it was before it was asked.
    fn cancel(&mut self) -> bool;

    /// Writes what it showed last, while it is idle.
    fn show(&mut self, out: &mut RowOut<'_>);

    /// A picture of it, while it is idle: in the size of `view`, or in its own, which is scaled then.
    fn paint(&mut self, _view: &View) -> Picture {
        Picture::default()
    }

    /// Begins to end the process.
    fn begin_to_end(&mut self);

    /// Ends it, by force if need be, and waits for that.
    fn end(&mut self);
}
