//! [`LaneBackend`] implementation for environments that run in one process each. Requests go to all processes at once, and the
//! thread that receives the results also drives the exchange of messages.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use crate::backend::lane_op::{LaneOp, LaneReply};
use crate::backend::process_lane::ProcessLane;
use crate::backend::row_writer::RowWriter;
use crate::backend::traits::{BackendWaiter, HostLoss, LaneBackend, WaitTarget};
use crate::contract::error::Result;
use crate::contract::frame::{Frame, RenderParams};
use crate::contract::lane_error::{LaneError, Payload};

/// Longest time to wait for a message of one process, if other processes may need a message or may send the last reply that the
/// receiver needs.
const WAIT_SLICE: Duration = Duration::from_millis(1);
/// Longest time to wait for a message of one process after 64 ms without enough replies, for example while processes start.
/// Replaces [`WAIT_SLICE`].
const LONG_WAIT_SLICE: Duration = Duration::from_millis(4);

/// Backend that runs each lane in a separate process.
pub struct ProcessBackend {
    lanes: Arc<ProcessLanes>,
    /// Number of operations that were sent.
    sent: u64,
}

/// The lanes, which the thread that waits for replies uses, too.
struct ProcessLanes(Vec<Mutex<LaneSlot>>);

struct LaneSlot {
    lane: Box<dyn ProcessLane>,
    /// Number of the operation that was sent and whose reply was not collected yet.
    sent: Option<u64>,
    is_completed: bool,
}

impl LaneSlot {
    /// Advances the exchange of messages with the lane's process. Returns whether the reply is complete.
    fn poll(&mut self) -> bool {
        self.is_completed = self.sent.is_some() && (self.is_completed || self.lane.advance());
        self.is_completed
    }
}

impl ProcessBackend {
    /// Creates the backend from lanes without a pending operation.
    pub fn new(lanes: Vec<Box<dyn ProcessLane>>) -> Self {
        let slot = |lane| Mutex::new(LaneSlot { lane, sent: None, is_completed: false });
        Self { lanes: Arc::new(ProcessLanes(lanes.into_iter().map(slot).collect())), sent: 0 }
    }
}

impl ProcessLanes {
    /// Locks the slot of a lane. Other threads hold this lock only while they wait, check for lost processes or close the pool.
    fn slot(&self, lane: usize) -> MutexGuard<'_, LaneSlot> {
        self.0[lane].lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns the lanes whose operation was sent and whose reply was not collected yet, in the order of requests.
    fn sent(&self) -> Vec<u32> {
        let number = |lane: u32| self.slot(lane as usize).sent.map(|number| (number, lane));
        let mut sent: Vec<_> = (0..self.0.len() as u32).filter_map(number).collect();
        sent.sort_unstable();
        sent.into_iter().map(|(_, lane)| lane).collect()
    }
}

impl LaneBackend for ProcessBackend {
    fn waiter(&self) -> Arc<dyn BackendWaiter> {
        Arc::<ProcessLanes>::clone(&self.lanes)
    }

    fn stage(&mut self, lane: usize, asked: LaneOp<'_>) -> Result<()> {
        self.lanes.slot(lane).lane.stage(asked)
    }

    fn submit(&mut self, lanes: &[u32]) {
        for lane in lanes {
            let mut slot = self.lanes.slot(*lane as usize);
            (slot.sent, slot.is_completed) = (Some(self.sent), false);
            self.sent += 1;
            slot.lane.send();
        }
    }

    fn is_completed(&mut self, lane: usize) -> bool {
        self.lanes.slot(lane).poll()
    }

    fn completed_lanes(&mut self, most: usize, found: &mut Vec<u32>) {
        found.extend(self.lanes.sent().into_iter().filter(|lane| self.lanes.slot(*lane as usize).poll()).take(most));
    }

    fn collect(&mut self, lane: usize, out: &mut RowWriter<'_>) -> LaneReply {
        let mut slot = self.lanes.slot(lane);
        (slot.sent, slot.is_completed) = (None, false);
        slot.lane.collect(out)
    }

    fn cancel(&mut self, lane: usize) -> bool {
        let mut slot = self.lanes.slot(lane);
        let is_idle = slot.lane.cancel();
        if is_idle {
            (slot.sent, slot.is_completed) = (None, false);
        }
        is_idle
    }

    fn peek(&mut self, lane: usize, out: &mut RowWriter<'_>) -> Option<Payload> {
        self.lanes.slot(lane).lane.peek(out);
        None
    }
}

impl BackendWaiter for ProcessLanes {
    fn render_view(&self, lane: usize, params: &RenderParams) -> Frame {
        self.slot(lane).lane.render_view(params)
    }

    fn wait(&self, wanted: WaitTarget<'_>, until: Instant) -> Result<()> {
        let considered: Vec<u32> = match wanted.lanes {
            Some(lanes) => lanes.to_vec(),
            None => self.sent(),
        };
        let began = Instant::now();
        loop {
            let (mut answered, mut first, mut is_last_to_be_asked) = (0, None, true);
            for lane in considered.iter().copied() {
                let mut slot = self.slot(lane as usize);
                if slot.poll() {
                    answered += 1;
                } else if slot.sent.is_some() {
                    // The thread waits first for lanes that need no further message, such as steps: a step ends earlier than the
                    // start of an episode.
                    let is_at_last = slot.lane.is_last_exchange();
                    is_last_to_be_asked &= is_at_last;
                    if first.is_none_or(|(_, other): (u32, bool)| is_at_last && !other) {
                        first = Some((lane, is_at_last));
                    }
                }
            }
            let Some((first, _)) = first else { return Ok(()) };
            let now = Instant::now();
            if answered >= wanted.count || now >= until {
                return Ok(());
            }
            let waits_for_all = wanted.count >= considered.len();
            let slice = if now - began < 16 * LONG_WAIT_SLICE { WAIT_SLICE } else { LONG_WAIT_SLICE };
            let slice = if waits_for_all && is_last_to_be_asked { until } else { until.min(now + slice) };
            self.slot(first as usize).lane.wait(slice);
        }
    }

    /// Checks the processes of pending operations. The operation of a lost process fails, so no loss is returned.
    fn next_loss(&self) -> Option<HostLoss> {
        for lane in &self.0 {
            // If the slot is locked, another thread waits for this lane and detects the loss of the lane's process itself.
            if let Ok(mut slot) = lane.try_lock()
                && slot.sent.is_some()
                && !slot.is_completed
            {
                slot.lane.probe();
            }
        }
        None
    }

    fn close(&self, _until: Instant, _by_force: bool) -> Vec<LaneError> {
        (0..self.0.len()).for_each(|lane| self.slot(lane).lane.start_shutdown());
        (0..self.0.len()).for_each(|lane| self.slot(lane).lane.shutdown());
        Vec::new()
    }
}
