//! Causes of rows that result from resets or repeat an observation. The sender passes them to the receiver, whose normalisation
//! needs them.

use crate::exec::request_kind::RequestKind;
use crate::pool::request::Request;
use crate::results::normalize::RowCause;
use crate::results::sync::{AtomicU8, AtomicUsize, Ordering};

/// Cause of each lane's pending row, that is the row that was requested and not yet received.
///
/// The sender records causes before it sends a request, and the receiver takes them with the rows. A lane has at most one row in
/// flight. Relaxed accesses suffice, because the hand-over of a lane also orders accesses to its cause.
pub struct RowCauses {
    causes: Box<[AtomicU8]>,
    /// Number of lanes whose recorded cause is not `RowCause::Step`.
    count: AtomicUsize,
}

impl RowCauses {
    /// Creates the causes of `lanes` lanes without pending rows.
    pub fn new(lanes: usize) -> Self {
        Self { causes: (0..lanes).map(|_| AtomicU8::new(RowCause::Step as u8)).collect(), count: AtomicUsize::new(0) }
    }

    /// Records the causes of a request's rows.
    pub fn record(&self, request: &Request) {
        if request.kind == RequestKind::Step {
            return;
        }
        for (index, lane) in request.lanes.iter().enumerate() {
            let cause = if request.kind.is_peek(index) { RowCause::Peek } else { RowCause::Reset };
            self.causes[lane].store(cause as u8, Ordering::Relaxed);
        }
        self.count.fetch_add(request.lanes.len(), Ordering::Relaxed);
    }

    /// Takes the causes of the pending rows of `lanes`, and returns them in the memory of `out`; `None` if all rows are steps.
    pub fn take<'a>(&self, lanes: &[u32], out: &'a mut Vec<RowCause>) -> Option<&'a [RowCause]> {
        if self.count.load(Ordering::Relaxed) == 0 {
            return None;
        }
        out.clear();
        out.extend(lanes.iter().map(|lane| self.take_one(*lane as usize)));
        Some(out)
    }

    /// Takes the cause of a lane's pending row, and resets the record to `RowCause::Step`.
    pub fn take_one(&self, lane: usize) -> RowCause {
        let cause = [RowCause::Step, RowCause::Reset, RowCause::Peek][self.causes[lane].load(Ordering::Relaxed) as usize];
        if cause != RowCause::Step {
            self.causes[lane].store(RowCause::Step as u8, Ordering::Relaxed);
            self.count.fetch_sub(1, Ordering::Relaxed);
        }
        cause
    }
}
