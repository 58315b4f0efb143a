//! What whoever plays environments outside of the engine implements.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::Instant;

use crate::contract::error::Result;
use crate::contract::fault::{Fault, Message};
use crate::contract::picture::{Picture, View};
use crate::outside::exchange::{Answer, Asked};
use crate::outside::row_out::{RowOut, RowsOut};
use crate::outside::steps::Steps;
use crate::play::work::panic_message;

/// What a wait waits for: answers of so many lanes.
#[derive(Debug, Clone, Copy)]
pub struct Wanted<'a> {
    /// Of these, none of which has answered when the wait begins; `None`: of all.
    pub lanes: Option<&'a [u32]>,
    /// How many.
    pub count: usize,
}

/// The loss of what played some lanes: a process, a machine.
#[derive(Debug, Clone, PartialEq)]
pub struct Death {
    /// Number of the place that was lost, for [`Outside::renew`].
    pub place: usize,
    /// All lanes that lived there.
    pub lanes: Vec<u32>,
    /// Those of them whose answers will never come. What the others had answered can still be taken.
    pub lost: Vec<u32>,
    /// What to tell of it: a [`Fault::Lost`].
    pub fault: Fault,
}

/// Lanes that are played elsewhere: in other processes, on other machines. A step is *begun* for some lanes, and *finished* as their
/// answers come; nobody holds a thread meanwhile.
///
/// The pool keeps the contract: it knows which lanes have been asked something, asks each one thing at a time, and takes each answer
/// once. One thread at a time calls these methods, while it holds a lock of the pool's; only [`wait`](Self::wait),
/// [`notice`](Self::notice) and [`close`](Self::close) are called without that lock, beside the others. So a method that needs a lock of
/// its own (an interpreter's) may take it, provided that nobody calls the pool while holding that lock; and whatever may come to call
/// the pool (an interpreter's signal handlers, its collector of garbage) belongs into those three.
pub trait Outside: Send + Sync {
    /// Writes down what a lane is asked. It is on its way only with the next [`ring`](Self::ring) that names the lane: what is begun and
    /// never rung for is forgotten, and replaced by what is begun next.
    ///
    /// # Errors
    /// Where it cannot be written (too long, no memory). Nothing of the whole request is sent then.
    fn begin(&self, lane: usize, asked: Asked<'_>) -> Result<()>;

    /// Sends what was begun for these lanes. What cannot be sent any more is the lane's failure, or its place's death.
    fn ring(&self, lanes: &[u32]);

    /// As [`begin`](Self::begin) for each of these steps, for those to whom many at once are less work.
    ///
    /// # Errors
    /// As there.
    fn begin_steps(&self, steps: &Steps<'_>) -> Result<()> {
        (0..steps.lanes().len()).try_for_each(|item| self.begin(steps.lanes()[item] as usize, steps.asked(item)))
    }

    /// As [`ring`](Self::ring), for steps that were begun by [`begin_steps`](Self::begin_steps) and nothing else since.
    fn ring_steps(&self, steps: &Steps<'_>) {
        self.ring(steps.lanes());
    }

    /// Whether a lane has answered, and its answer has not been taken.
    fn has_answered(&self, lane: usize) -> bool;

    /// Appends up to `most` lanes that have answered, in the order in which they did.
    fn first_answered(&self, most: usize, found: &mut Vec<u32>);

    /// Returns when as many lanes have answered as are wanted, or at `until`, or earlier for no reason. Called by whoever receives, in
    /// his thread: so it may play lanes itself meanwhile, and may spin as it sees fit.
    ///
    /// # Errors
    /// Anything that has to be told at once and is no lane's failure. Nothing is lost then: the next wait goes on.
    fn wait(&self, wanted: Wanted<'_>, until: Instant) -> Result<()>;

    /// Takes a lane's answer, and writes what belongs into the row. The lane is idle then. A panic is the lane's failure.
    fn finish(&self, lane: usize, out: &mut RowOut<'_>) -> Answer;

    /// As [`finish`](Self::finish), by [`RowsOut::take`], for all those that have answered and are waited for, for those to whom many at
    /// once are less work.
    fn finish_rows(&self, rows: &mut RowsOut<'_>) {
        for lane in rows.lanes() {
            if rows.is_wanted(lane) && self.has_answered(lane) {
                rows.take(lane, |out| finished(self, lane, out));
            }
        }
    }

    /// Gives up a call that no caller waits for any more. Says whether the lane is idle then, as it was before the call; where not, its
    /// answer comes and is dropped.
    fn cancel(&self, _lane: usize) -> bool {
        false
    }

    /// Writes what a lane, which is idle, showed last.
    fn show(&self, lane: usize, out: &mut RowOut<'_>) -> Option<Message>;

    /// A picture of a lane, which is idle: of environments that promise pictures. In the size of `view`, or in its own, which is scaled
    /// then.
    fn paint(&self, _lane: usize, _view: &View) -> Picture {
        Picture::default()
    }

    /// Looks for the loss of places, to be told by [`look_around`](Self::look_around): called every 20 ms of a wait, and every 100 ms of
    /// use, in several threads at once where several use the pool.
    fn notice(&self) {}

    /// Tells of the loss of a place: called after each [`notice`](Self::notice), until there is no more to tell. Each loss is told once;
    /// the lanes that lived there are idle then, but for answers that can still be taken.
    fn look_around(&self) -> Option<Death> {
        None
    }

    /// Brings a place back that was lost, with its environments as they were made first. It need not wait for them.
    ///
    /// # Errors
    /// What to tell of the place's lanes where that is not possible: a [`Fault::Lost`].
    fn renew(&self, _place: usize) -> Result<(), Fault> {
        Err(Fault::lost("it cannot be brought back", Vec::new()))
    }

    /// Ends everything, in good order until the deadline and by force from then on, or `by_force` at once. Called once, at any time:
    /// waits that are under way are to return soon. Returns what went wrong.
    fn close(&self, until: Instant, by_force: bool) -> Vec<Fault>;
}

/// What [`Outside::finish`] gives; a panic is the lane's failure.
pub fn finished<O: Outside + ?Sized>(outside: &O, lane: usize, out: &mut RowOut<'_>) -> Answer {
    let answer = catch_unwind(AssertUnwindSafe(|| outside.finish(lane, out)));
    answer.unwrap_or_else(|panic| Answer::Failed(Fault::Panicked(panic_message(&*panic))))
}
