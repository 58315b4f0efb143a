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

    /// Records the causes of a request's rows. They replace causes whose rows never come, because the request was refused or the
    /// lane failed.
    pub fn record(&self, request: &Request) {
        let is_step = request.kind == RequestKind::Step;
        if is_step && self.count.load(Ordering::Relaxed) == 0 {
            return;
        }
        for (index, lane) in request.lanes.iter().enumerate() {
            self.set(
                lane,
                match request.kind.is_peek(index) {
                    _ if is_step => RowCause::Step,
                    true => RowCause::Peek,
                    false => RowCause::Reset,
                },
            );
        }
    }

    /// Replaces the cause of a lane's pending row, and returns the previous one.
    fn set(&self, lane: usize, cause: RowCause) -> RowCause {
        // Only the owner of the lane accesses its cause: the sender before it sends the lane, the receiver with the row.
        let before = [RowCause::Step, RowCause::Reset, RowCause::Peek][self.causes[lane].load(Ordering::Relaxed) as usize];
        if cause != before {
            self.causes[lane].store(cause as u8, Ordering::Relaxed);
            self.count.fetch_add(usize::from(before == RowCause::Step), Ordering::Relaxed);
            self.count.fetch_sub(usize::from(cause == RowCause::Step), Ordering::Relaxed);
        }
        before
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
        self.set(lane, RowCause::Step)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::contract::options::ResetOptions;
    use crate::exec::request_kind::LaneList;
    use crate::pool::backend::test_backend::{request_of, reset_of, step_of};

    #[test]
    fn a_request_replaces_causes_whose_rows_never_came() {
        let (causes, mut memory) = (RowCauses::new(3), Vec::new());
        causes.record(&reset_of(LaneList::All(3))); // refused, or failed
        causes.record(&step_of(LaneList::Some(vec![2, 0])));
        assert_eq!(causes.take(&[2, 0], &mut memory), Some(&[RowCause::Step; 2][..]));
        let mask = Some(vec![true, false, false]);
        causes.record(&request_of(
            LaneList::All(3),
            RequestKind::Reset { seeds: Vec::new(), options: ResetOptions::default(), mask },
        ));
        let [reset, peek] = [RowCause::Reset, RowCause::Peek];
        assert_eq!(causes.take(&[0, 1, 2], &mut memory), Some(&[reset, peek, peek][..]));
        causes.record(&step_of(LaneList::All(3)));
        assert_eq!(causes.take(&[0, 1, 2], &mut memory), None, "no cause is left over");
    }
}
