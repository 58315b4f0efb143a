//! [`Outside`] implementation for lanes with one process each. Requests go to all lanes at once, and the receiving thread drives
//! them.

use std::collections::VecDeque;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use crate::contract::error::Result;
use crate::contract::fault::{Fault, Message};
use crate::contract::picture::{Picture, View};
use crate::outside::exchange::{Answer, Asked};
use crate::outside::process_lane::ProcessLane;
use crate::outside::row_out::RowOut;
use crate::outside::traits::{Outside, Wanted};

/// Maximum sleep on one process while another process may need its next message or may complete the wait.
const SLICE: Duration = Duration::from_millis(1);
/// Maximum sleep on one process after 64 ms without completion, as during the start of processes.
const LONG_SLICE: Duration = Duration::from_millis(4);

/// Lanes with one process each.
pub struct ProcessLanes {
    lanes: Vec<Mutex<Slot>>,
    /// Lanes with a sent operation and no collected reply, in the order of requests.
    sent: Mutex<VecDeque<u32>>,
}

struct Slot {
    lane: Box<dyn ProcessLane>,
    is_sent: bool,
    is_answered: bool,
}

impl Slot {
    /// Advances the lane's exchange and returns whether its reply is complete.
    fn look(&mut self) -> bool {
        self.is_answered = self.is_sent && (self.is_answered || self.lane.advance());
        self.is_answered
    }
}

impl ProcessLanes {
    /// Creates the backend from idle lanes.
    pub fn new(lanes: Vec<Box<dyn ProcessLane>>) -> Self {
        let slot = |lane| Mutex::new(Slot { lane, is_sent: false, is_answered: false });
        Self { lanes: lanes.into_iter().map(slot).collect(), sent: Mutex::default() }
    }

    /// Locks a lane's slot. Only threads that check for losses or close the pool contend for it.
    fn slot(&self, lane: usize) -> MutexGuard<'_, Slot> {
        self.lanes[lane].lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn sent(&self) -> MutexGuard<'_, VecDeque<u32>> {
        self.sent.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Outside for ProcessLanes {
    fn begin(&self, lane: usize, asked: Asked<'_>) -> Result<()> {
        self.slot(lane).lane.begin(asked)
    }

    fn ring(&self, lanes: &[u32]) {
        self.sent().extend(lanes);
        for lane in lanes {
            let mut slot = self.slot(*lane as usize);
            (slot.is_sent, slot.is_answered) = (true, false);
            slot.lane.send();
        }
    }

    fn has_answered(&self, lane: usize) -> bool {
        self.slot(lane).look()
    }

    fn first_answered(&self, most: usize, found: &mut Vec<u32>) {
        let sent = self.sent();
        found.extend(sent.iter().copied().filter(|lane| self.slot(*lane as usize).look()).take(most));
    }

    fn wait(&self, wanted: Wanted<'_>, until: Instant) -> Result<()> {
        let considered: Vec<u32> = match wanted.lanes {
            Some(lanes) => lanes.to_vec(),
            None => self.sent().iter().copied().collect(),
        };
        let began = Instant::now();
        loop {
            let (mut answered, mut first, mut is_last_to_be_asked) = (0, None, true);
            for lane in considered.iter().copied() {
                let mut slot = self.slot(lane as usize);
                if slot.look() {
                    answered += 1;
                } else if slot.is_sent {
                    // Steps end before episodes start, so wait for lanes first that need no further message.
                    let is_at_last = slot.lane.is_at_last();
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
            let all_are_wanted = wanted.count >= considered.len();
            let slice = if now - began < 16 * LONG_SLICE { SLICE } else { LONG_SLICE };
            let slice = if all_are_wanted && is_last_to_be_asked { until } else { until.min(now + slice) };
            self.slot(first as usize).lane.wait(slice);
        }
    }

    fn finish(&self, lane: usize, out: &mut RowOut<'_>) -> Answer {
        self.sent().retain(|other| *other as usize != lane);
        let mut slot = self.slot(lane);
        (slot.is_sent, slot.is_answered) = (false, false);
        slot.lane.finish(out)
    }

    fn cancel(&self, lane: usize) -> bool {
        let is_idle = {
            let mut slot = self.slot(lane);
            let is_idle = slot.lane.cancel();
            if is_idle {
                (slot.is_sent, slot.is_answered) = (false, false);
            }
            is_idle
        };
        if is_idle {
            self.sent().retain(|other| *other as usize != lane);
        }
        is_idle
    }

    fn show(&self, lane: usize, out: &mut RowOut<'_>) -> Option<Message> {
        self.slot(lane).lane.show(out);
        None
    }

    fn paint(&self, lane: usize, view: &View) -> Picture {
        self.slot(lane).lane.paint(view)
    }

    fn notice(&self) {
        for lane in &self.lanes {
            // A locked slot belongs to a thread that waits for the lane and checks it itself.
            if let Ok(mut slot) = lane.try_lock()
                && slot.is_sent
                && !slot.is_answered
            {
                slot.lane.notice();
            }
        }
    }

    fn close(&self, _until: Instant, _by_force: bool) -> Vec<Fault> {
        (0..self.lanes.len()).for_each(|lane| self.slot(lane).lane.begin_to_end());
        (0..self.lanes.len()).for_each(|lane| self.slot(lane).lane.end());
        Vec::new()
    }
}
