//! The sending side of a pool: ids into lanes, and requests used again.

use std::collections::VecDeque;
use std::sync::Arc;
use std::time::Instant;

use crate::contract::actions::ActionKey;
use crate::contract::error::{Error, Result};
use crate::contract::row::ActionColumn;
use crate::play::kind::{Kind, LaneList};
use crate::play::lane_table::{LaneTable, Phase};
use crate::play::lanes::LanesGuard;
use crate::pool::ledger::Ledger;
use crate::pool::request::Request;

/// What only one sender at a time may use.
pub struct Sender {
    /// The request that is being built, or whose buffers can be used again.
    request: Box<Request>,
    /// Requests that were queued, to be used again once nobody else holds them.
    queued_requests: VecDeque<Arc<Request>>,
    /// `mark[lane] == epoch`: seen in the ids at hand.
    mark: Vec<u32>,
    epoch: u32,
    pub last_call: Instant,
    pub streak: u32,
    /// Lanes queued in all, in an async pool.
    pub queued: u64,
    pub calls: u32,
}

impl Sender {
    /// Creates the sending side of a pool of `lanes` lanes.
    pub fn new(lanes: usize, keys: &[ActionKey]) -> Self {
        Self {
            request: fresh(keys),
            queued_requests: VecDeque::new(),
            mark: vec![0; lanes],
            epoch: 0,
            last_call: Instant::now(),
            streak: 0,
            queued: 0,
            calls: 0,
        }
    }

    /// The request that is being built.
    #[inline]
    pub fn request(&self) -> &Request {
        &self.request
    }

    /// The request that is being built.
    #[inline]
    pub fn request_mut(&mut self) -> &mut Request {
        &mut self.request
    }

    /// Begins a request for the environments `ids`, none of which may be in flight, in the buffers of an earlier one.
    ///
    /// # Errors
    /// `Index`, `Value`, `InFlight`; the request is for nothing then.
    #[inline]
    pub fn begin(&mut self, ids: Option<&[i64]>, ledger: &Ledger) -> Result<()> {
        // Those of an earlier request must not pass for this one's.
        self.request.actions.iter_mut().for_each(ActionColumn::clear);
        let mut lanes = std::mem::replace(&mut self.request.lanes, LaneList::All(0));
        self.collect_lanes(&mut lanes, ids)?;
        ledger.check_not_in_flight(&lanes)?;
        self.request.lanes = lanes;
        Ok(())
    }

    /// Claims the lanes of the request that is being built.
    #[inline]
    pub fn claim(&mut self) -> (&Request, LanesGuard<'_>) {
        let lanes = &self.request.lanes;
        // SAFETY: each lane is there once, and `begin` found none of them in flight. Lanes are put in flight by whoever has the sender, which
        // is borrowed exclusively, and nobody else reaches those that are not.
        (&self.request, unsafe { LanesGuard::new(lanes, 0..lanes.len()) })
    }

    /// Sets lanes that failed, and are reset by the request that is being built, to the phase `revived`. Done last, so that a reset which is
    /// refused leaves them failed.
    #[inline]
    pub fn revive(&mut self, table: &LaneTable, revived: Phase) {
        if matches!(self.request.kind, Kind::Step) {
            return;
        }
        let (request, guard) = self.claim();
        for index in (0..request.lanes.len()).filter(|index| !request.kind.only_shows(*index)) {
            if table.phase.get(guard.id(index)) == Phase::Failed {
                table.set_phase(guard.id(index), revived);
            }
        }
    }

    /// Lets other threads see the request that was built. Its buffers are used again afterwards.
    pub fn publish(&mut self, keys: &[ActionKey]) -> Arc<Request> {
        let mut next = self.reclaim(keys);
        next.lanes.clear(); // those of an earlier request
        let request: Arc<Request> = Arc::from(std::mem::replace(&mut self.request, next));
        self.queued_requests.push_back(Arc::clone(&request));
        request
    }

    #[cold]
    fn reclaim(&mut self, keys: &[ActionKey]) -> Box<Request> {
        let Some(oldest) = self.queued_requests.pop_front() else { return fresh(keys) };
        match Arc::try_unwrap(oldest) {
            Ok(request) => Box::new(request),
            Err(busy) => {
                self.queued_requests.push_back(busy); // looked at again when its turn comes
                fresh(keys)
            }
        }
    }

    /// Lets go of all requests, for good.
    pub fn clear(&mut self) {
        self.request = fresh(&[]);
        self.queued_requests.clear();
    }

    /// Checks ids and turns them into lanes.
    #[inline]
    fn collect_lanes(&mut self, lanes: &mut LaneList, ids: Option<&[i64]>) -> Result<()> {
        let count = self.mark.len();
        let Some(ids) = ids else {
            *lanes = LaneList::All(count);
            return Ok(());
        };
        if ids.len() == count && ids.iter().enumerate().all(|(index, id)| *id == index as i64) {
            *lanes = LaneList::All(count);
            return Ok(());
        }
        let mut list = match std::mem::replace(lanes, LaneList::All(0)) {
            LaneList::Some(mut list) => {
                list.clear();
                list
            }
            LaneList::All(_) => Vec::with_capacity(ids.len()),
        };
        self.next_epoch();
        for (index, id) in ids.iter().enumerate() {
            let lane = usize::try_from(*id).ok().filter(|lane| *lane < count);
            let lane = lane.ok_or_else(|| Error::Index(format!("env_id[{index}]={id}: expected 0 to {}", count - 1)))?;
            if std::mem::replace(&mut self.mark[lane], self.epoch) == self.epoch {
                return Err(Error::value(&format!("env_id[{index}]"), id, "each id once at most"));
            }
            list.push(lane as u32);
        }
        *lanes = LaneList::Some(list);
        Ok(())
    }

    fn next_epoch(&mut self) {
        if self.epoch == u32::MAX {
            self.mark.fill(0);
            self.epoch = 0;
        }
        self.epoch += 1;
    }
}

/// A request for nothing.
fn fresh(keys: &[ActionKey]) -> Box<Request> {
    Box::new(Request::new(keys.iter().map(ActionKey::column).collect()))
}
