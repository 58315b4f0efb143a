//! The sending side of a pool: checks ids and reuses requests.

use std::collections::VecDeque;
use std::sync::Arc;
use std::time::Instant;

use crate::contract::actions::ActionKey;
use crate::contract::error::Result;
use crate::contract::row::ActionColumn;
use crate::exec::batch_env::BatchEnv;
use crate::exec::lane_table::{LaneTable, Phase};
use crate::exec::per_lane::LanesGuard;
use crate::exec::request_kind::{LaneList, RequestKind};
use crate::pool::id_checker::IdChecker;
use crate::pool::ledger::Ledger;
use crate::pool::request::Request;
use crate::pool::workers::LocalEnv;

/// State of the sending side, used by one sender at a time.
pub struct Sender {
    /// The request being built. Its buffers are reused.
    request: Box<Request>,
    /// Requests that were sent. The memory of a request is reused after no other thread refers to the request.
    queued_requests: VecDeque<Arc<Request>>,
    ids: IdChecker,
    pub last_call: Instant,
    pub streak: u32,
    /// Total number of lanes that an async pool has queued since its creation.
    pub queued: u64,
    pub calls: u32,
    /// Environments that run in this process; `None` if a backend runs them, and after the pool was closed.
    local: Option<Arc<LocalEnv>>,
}

impl Sender {
    /// Creates the sending side of a pool of `lanes` lanes.
    pub fn new(lanes: usize, keys: &[ActionKey], local: Option<Arc<LocalEnv>>) -> Self {
        Self {
            request: empty_request(keys),
            queued_requests: VecDeque::new(),
            ids: IdChecker::new(lanes),
            last_call: Instant::now(),
            streak: 0,
            queued: 0,
            calls: 0,
            local,
        }
    }

    /// Returns the environments of a pool that runs them in this process.
    #[inline]
    pub fn shared_local(&self) -> &Arc<LocalEnv> {
        self.local.as_ref().expect("an open pool without a backend has its environments")
    }

    /// Returns the environments of a pool that runs them in this process.
    #[inline]
    pub fn local(&self) -> &LocalEnv {
        self.shared_local()
    }

    /// Returns the environments; `None` if a backend runs them.
    #[inline]
    pub fn env(&self) -> Option<&dyn BatchEnv> {
        self.local.as_ref().map(|local| &*local.env)
    }

    /// Returns the request being built.
    #[inline]
    pub fn request(&self) -> &Request {
        &self.request
    }

    /// Returns the request being built, mutably.
    #[inline]
    pub fn request_mut(&mut self) -> &mut Request {
        &mut self.request
    }

    /// Starts a request for the environments `ids`, in the buffers of an earlier request. Rejects lanes in flight.
    ///
    /// # Errors
    /// `Index`, `Value` or `InFlight` for ids that are out of range, repeated or in flight; the request is then empty.
    #[inline]
    pub fn start(&mut self, ids: Option<&[i64]>, ledger: &Ledger) -> Result<()> {
        // The columns are cleared, so that this request cannot use those of an earlier one.
        self.request.actions.iter_mut().for_each(ActionColumn::clear);
        self.request.only_resets.clear();
        let earlier = std::mem::replace(&mut self.request.lanes, LaneList::All(0));
        let lanes = self.ids.check(ids, earlier)?;
        ledger.check_not_in_flight(&lanes)?;
        self.request.lanes = lanes;
        Ok(())
    }

    /// Returns the request being built, with exclusive access to its lanes.
    #[inline]
    pub fn claim(&mut self) -> (&Request, LanesGuard<'_>) {
        let (request, guard, _) = self.claim_env();
        (request, guard)
    }

    /// Returns what [`Sender::claim`] returns, and the environments, as [`Sender::env`] does.
    #[inline]
    pub fn claim_env(&mut self) -> (&Request, LanesGuard<'_>, Option<&dyn BatchEnv>) {
        let lanes = &self.request.lanes;
        // SAFETY: `IdChecker::check` lists each lane once, and `start` found none of them in flight. Only the owner of the sender
        // marks lanes as sent, `&mut self` borrows the sender exclusively, and no other thread accesses lanes that are not in
        // flight.
        let guard = unsafe { LanesGuard::new(lanes, 0..lanes.len()) };
        (&self.request, guard, self.env())
    }

    /// Changes failed lanes that the request resets to the phase `revived`. Called after all checks, so that a rejected reset
    /// leaves the lanes failed.
    #[inline]
    pub fn clear_failures(&mut self, table: &LaneTable, revived: Phase) {
        if matches!(self.request.kind, RequestKind::Step) {
            return;
        }
        let (request, guard) = self.claim();
        for index in (0..request.lanes.len()).filter(|index| !request.kind.is_peek(*index)) {
            if table.phase.get(guard.id(index)) == Phase::Failed {
                table.set_phase(guard.id(index), revived);
            }
        }
    }

    /// Returns the request being built as a shared request, and starts an empty one. The buffers of earlier requests are reused.
    pub fn publish(&mut self, keys: &[ActionKey]) -> Arc<Request> {
        let mut next = self.reclaim(keys);
        next.lanes.clear(); // a reused request still lists the lanes of its earlier use
        let request: Arc<Request> = Arc::from(std::mem::replace(&mut self.request, next));
        self.queued_requests.push_back(Arc::clone(&request));
        request
    }

    #[cold]
    fn reclaim(&mut self, keys: &[ActionKey]) -> Box<Request> {
        let Some(oldest) = self.queued_requests.pop_front() else { return empty_request(keys) };
        match Arc::try_unwrap(oldest) {
            Ok(request) => Box::new(request),
            Err(busy) => {
                self.queued_requests.push_back(busy); // checked again after the other queued requests, because it is in use
                empty_request(keys)
            }
        }
    }

    /// Drops all requests, so that the pool's memory can be freed. Returns the environments, which the caller drops.
    pub fn clear(&mut self) -> Option<Arc<LocalEnv>> {
        self.request = empty_request(&[]);
        self.queued_requests.clear();
        self.local.take()
    }
}

/// Creates an empty request with one column for each action key.
fn empty_request(keys: &[ActionKey]) -> Box<Request> {
    Box::new(Request::new(keys.iter().map(ActionKey::column).collect()))
}
