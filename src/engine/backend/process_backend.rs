//! [`LaneBackend`] implementation for environments that run in one process each. Requests go to all processes at once, and the
//! thread that receives the results also drives the exchange of messages.

use std::collections::VecDeque;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use crate::backend::lane_op::{LaneOp, LaneReply};
use crate::backend::process_lane::ProcessLane;
use crate::backend::row_writer::RowWriter;
use crate::backend::traits::{LaneBackend, WaitTarget};
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
    lanes: Vec<Mutex<LaneSlot>>,
    /// Lanes whose operation was sent and whose reply was not collected yet, in the order of requests.
    sent: Mutex<VecDeque<u32>>,
}

struct LaneSlot {
    lane: Box<dyn ProcessLane>,
    is_sent: bool,
    is_completed: bool,
}

impl LaneSlot {
    /// Advances the exchange of messages with the lane's process. Returns whether the reply is complete.
    fn poll(&mut self) -> bool {
        self.is_completed = self.is_sent && (self.is_completed || self.lane.advance());
        self.is_completed
    }
}

impl ProcessBackend {
    /// Creates the backend from lanes without a pending operation.
    pub fn new(lanes: Vec<Box<dyn ProcessLane>>) -> Self {
        let slot = |lane| Mutex::new(LaneSlot { lane, is_sent: false, is_completed: false });
        Self { lanes: lanes.into_iter().map(slot).collect(), sent: Mutex::default() }
    }

    /// Locks the slot of a lane. Other threads hold this lock only while they check for lost processes or close the pool.
    fn slot(&self, lane: usize) -> MutexGuard<'_, LaneSlot> {
        self.lanes[lane].lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn sent_lanes(&self) -> MutexGuard<'_, VecDeque<u32>> {
        self.sent.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl LaneBackend for ProcessBackend {
    fn stage(&self, lane: usize, asked: LaneOp<'_>) -> Result<()> {
        self.slot(lane).lane.stage(asked)
    }

    fn submit(&self, lanes: &[u32]) {
        self.sent_lanes().extend(lanes);
        for lane in lanes {
            let mut slot = self.slot(*lane as usize);
            (slot.is_sent, slot.is_completed) = (true, false);
            slot.lane.send();
        }
    }

    fn is_completed(&self, lane: usize) -> bool {
        self.slot(lane).poll()
    }

    fn completed_lanes(&self, most: usize, found: &mut Vec<u32>) {
        let sent = self.sent_lanes();
        found.extend(sent.iter().copied().filter(|lane| self.slot(*lane as usize).poll()).take(most));
    }

    fn wait(&self, wanted: WaitTarget<'_>, until: Instant) -> Result<()> {
        let considered: Vec<u32> = match wanted.lanes {
            Some(lanes) => lanes.to_vec(),
            None => self.sent_lanes().iter().copied().collect(),
        };
        let began = Instant::now();
        loop {
            let (mut answered, mut first, mut is_last_to_be_asked) = (0, None, true);
            for lane in considered.iter().copied() {
                let mut slot = self.slot(lane as usize);
                if slot.poll() {
                    answered += 1;
                } else if slot.is_sent {
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

    fn collect(&self, lane: usize, out: &mut RowWriter<'_>) -> LaneReply {
        self.sent_lanes().retain(|other| *other as usize != lane);
        let mut slot = self.slot(lane);
        (slot.is_sent, slot.is_completed) = (false, false);
        slot.lane.collect(out)
    }

    fn cancel(&self, lane: usize) -> bool {
        let is_idle = {
            let mut slot = self.slot(lane);
            let is_idle = slot.lane.cancel();
            if is_idle {
                (slot.is_sent, slot.is_completed) = (false, false);
            }
            is_idle
        };
        if is_idle {
            self.sent_lanes().retain(|other| *other as usize != lane);
        }
        is_idle
    }

    fn peek(&self, lane: usize, out: &mut RowWriter<'_>) -> Option<Payload> {
        self.slot(lane).lane.peek(out);
        None
    }

    fn render_view(&self, lane: usize, params: &RenderParams) -> Frame {
        self.slot(lane).lane.render_view(params)
    }

    fn probe_hosts(&self) {
        for lane in &self.lanes {
            // If the slot is locked, another thread waits for this lane and detects the loss of the lane's process itself.
            if let Ok(mut slot) = lane.try_lock()
                && slot.is_sent
                && !slot.is_completed
            {
                slot.lane.probe();
            }
        }
    }

    fn close(&self, _until: Instant, _by_force: bool) -> Vec<LaneError> {
        (0..self.lanes.len()).for_each(|lane| self.slot(lane).lane.start_shutdown());
        (0..self.lanes.len()).for_each(|lane| self.slot(lane).lane.shutdown());
        Vec::new()
    }
}
