//! Traits of a backend: the interface to environments that run outside of the engine's threads.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::time::Instant;

use crate::backend::lane_op::{LaneOp, LaneReply};
use crate::backend::row_writer::{BatchRowWriter, RowWriter};
use crate::backend::steps::StagedSteps;
use crate::contract::error::Result;
use crate::contract::frame::{Frame, RenderParams};
use crate::contract::lane_error::{LaneError, Payload};
use crate::exec::chunk::panic_message;

/// Condition that ends a wait: the number of replies, and the lanes that they may come from.
#[derive(Debug, Clone, Copy)]
pub struct WaitTarget<'a> {
    /// Lanes to wait for, none of which has a reply when the wait starts. `None`: all lanes.
    pub lanes: Option<&'a [u32]>,
    /// Number of lanes that must have replied before the wait ends.
    pub count: usize,
}

/// Report that a host (a process or a machine), which runs some of the lanes, was lost.
#[derive(Debug, Clone, PartialEq)]
pub struct HostLoss {
    /// Number of the lost host, for [`LaneBackend::lose_host`] and [`LaneBackend::restart_host`].
    pub host: usize,
    /// Error that the pool reports for the lost host: a [`LaneError::HostLost`].
    pub fault: LaneError,
}

/// Lanes of a lost host.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct LostLanes {
    /// All lanes of the host.
    pub lanes: Vec<u32>,
    /// Lanes of the host whose replies will never arrive. Completed replies of the other lanes can still be collected.
    pub lost: Vec<u32>,
}

/// A backend: lanes that run in other processes, or on other machines. The pool starts steps for some lanes and collects the
/// replies as they complete; no thread is blocked in between.
///
/// The pool guarantees the protocol: it tracks the pending operation of each lane, requests one operation at a time from each,
/// and collects each reply once. It owns the backend together with this state, under one lock. The [`waiter`](Self::waiter) is
/// used without that lock.
///
/// Therefore a method may take a lock of its own (an interpreter's), provided that no thread calls the pool while it holds that
/// lock. Code that may call back into the pool (an interpreter's signal handlers, its garbage collector) belongs into the methods
/// of the waiter.
pub trait LaneBackend: Send {
    /// Returns the part of the backend that threads use concurrently with the methods of this trait. Called once.
    fn waiter(&self) -> Arc<dyn BackendWaiter>;

    /// Stages an operation of a lane. The next [`submit`](Self::submit) that names the lane sends the operation; staging again
    /// replaces the operation.
    ///
    /// # Errors
    /// Any error that prevents staging (too long, out of memory). The pool then sends no operation of the request.
    fn stage(&mut self, lane: usize, asked: LaneOp<'_>) -> Result<()>;

    /// Sends the staged operations of these lanes. If sending fails, the backend reports a failed lane or a lost host.
    fn submit(&mut self, lanes: &[u32]);

    /// Stages each step, as [`stage`](Self::stage) does. Backends override this method if staging many steps at once is cheaper.
    ///
    /// # Errors
    /// Any error that prevents staging (too long, out of memory). The pool then sends no step of the request.
    fn stage_steps(&mut self, steps: &StagedSteps<'_>) -> Result<()> {
        (0..steps.lanes().len()).try_for_each(|item| self.stage(steps.lanes()[item] as usize, steps.op(item)))
    }

    /// Sends the steps that the last [`stage_steps`](Self::stage_steps) staged. The pool stages no other operation between the
    /// two calls.
    fn submit_steps(&mut self, steps: &StagedSteps<'_>) {
        self.submit(steps.lanes());
    }

    /// Returns whether a lane has completed its operation, and its reply has not been collected.
    fn is_completed(&mut self, lane: usize) -> bool;

    /// Appends to `found` up to `most` lanes that have completed, in the order of completion.
    fn completed_lanes(&mut self, most: usize, found: &mut Vec<u32>);

    /// Collects a lane's reply, and writes its data into the row. The lane is idle afterwards. A panic becomes the failure of the
    /// lane.
    fn collect(&mut self, lane: usize, out: &mut RowWriter<'_>) -> LaneReply;

    /// Collects all replies that have arrived and that the receiver waits for, with [`BatchRowWriter::collect`]. Backends
    /// override this method if collecting many replies at once is cheaper.
    fn collect_rows(&mut self, rows: &mut BatchRowWriter<'_>) {
        for lane in rows.lanes() {
            if rows.is_awaited(lane) && self.is_completed(lane) {
                rows.collect(lane, |out| collect_caught(self, lane, out));
            }
        }
    }

    /// Cancels a method call whose caller no longer waits. Returns whether the lane is idle afterwards, in the state before the
    /// call; if not, the call's reply arrives later and is discarded.
    fn cancel(&mut self, _lane: usize) -> bool {
        false
    }

    /// Writes the last row of an idle lane and returns its payload.
    fn peek(&mut self, lane: usize, out: &mut RowWriter<'_>) -> Option<Payload>;

    /// Marks the pending operations of a lost host as lost, and returns the host's lanes. Called once for each loss that
    /// [`BackendWaiter::next_loss`] returns. The lanes are then idle, except for replies that can still be collected.
    fn lose_host(&mut self, _host: usize) -> LostLanes {
        LostLanes::default()
    }

    /// Restarts a lost host, with its environments in their initial state. May return before the host is ready.
    ///
    /// # Errors
    /// A [`LaneError::HostLost`] to report for the host's lanes if a restart is impossible.
    fn restart_host(&mut self, _host: usize) -> Result<(), LaneError> {
        Err(LaneError::host_lost("the host cannot be restarted", Vec::new()))
    }
}

/// The part of a backend that waits. Threads call its methods concurrently, and while other threads use the [`LaneBackend`]. The
/// pool holds no lock during a call.
pub trait BackendWaiter: Send + Sync {
    /// Waits until the wanted number of lanes has completed, or until the time `until`. May return early.
    ///
    /// The thread that receives the results calls this method, so the backend may run lanes in this thread, or spin.
    ///
    /// # Errors
    /// Any error to report at once that is not the failure of a lane. No reply is lost: the next wait continues.
    fn wait(&self, wanted: WaitTarget<'_>, until: Instant) -> Result<()>;

    /// Checks for lost hosts, and returns one that was lost since its last start; `None` if there is none. Each loss is returned
    /// once. Called until it returns `None`, every 20 ms while the pool waits and about every 100 ms while it is used.
    fn next_loss(&self) -> Option<HostLoss> {
        None
    }

    /// Renders an idle lane, in the size of `view` or in the environment's own size. The pool scales an image of another size.
    /// Called only if the environments declare images.
    fn render_view(&self, _lane: usize, _view: &RenderParams) -> Frame {
        Frame::default()
    }

    /// Shuts down all hosts: gracefully until the deadline `until` and by force afterwards, or by force at once if `by_force`.
    /// Called once, at any time; pending waits must return soon. Returns the errors of the shutdown.
    fn close(&self, until: Instant, by_force: bool) -> Vec<LaneError>;
}

/// Calls [`LaneBackend::collect`], and returns a panic as the failure of the lane.
pub fn collect_caught<O: LaneBackend + ?Sized>(outside: &mut O, lane: usize, out: &mut RowWriter<'_>) -> LaneReply {
    let answer = catch_unwind(AssertUnwindSafe(|| outside.collect(lane, out)));
    answer.unwrap_or_else(|panic| LaneReply::Failed(LaneError::Panicked(panic_message(&*panic))))
}
