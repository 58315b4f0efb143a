//! Executor of pools whose lanes run in a backend.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use crate::backend::traits::{BackendWaiter, LaneBackend};
use crate::contract::backend_spec::BackendSpec;
use crate::contract::error::{Error, Result};
use crate::contract::frame::{Frame, RenderParams};
use crate::contract::lane_error::{BatchFailure, LaneError};
use crate::contract::options::ResetOptions;
use crate::exec::request_kind::LaneList;
use crate::pool::backend::ledger::BackendLedger;
use crate::pool::pool_core::PoolCore;
use crate::pool::receiver::Receiver;
use crate::results::batch::Batch;
use crate::results::batch_ring::BatchRing;
use crate::threads::owned_mutex::{OwnedMutex, OwnedMutexGuard};

/// Interval between checks for lost hosts while the pool is used. A waiting pool checks whenever it checks for interrupts.
const PROBE_INTERVAL: Duration = Duration::from_millis(100);

/// Executor that sends requests to a backend, applies the replies, and records the state of each lane.
pub struct BackendExecutor {
    pub(super) core: Arc<PoolCore>,
    /// The part of the backend that is used without the ledger's lock.
    pub(super) waiter: Arc<dyn BackendWaiter>,
    /// Ring buffer of asynchronous results. The receiver is the only writer.
    pub(super) ring: Option<BatchRing>,
    /// Whether the backend runs the lanes in nested pools. The saved state of a lane is then already a complete snapshot.
    pub passes_snapshots: bool,
    /// Whether the lanes accept reset options, which the pool passes on without checks.
    pub takes_options: bool,
    /// Whether to check for lost hosts before sending a request.
    probes_before_sending: bool,
    pub(super) no_options: ResetOptions,
    ledger: OwnedMutex<BackendLedger>,
    /// Time of the last check for lost hosts.
    last_probe: Mutex<Instant>,
}

impl BackendExecutor {
    /// Creates the executor of `backend`, whose lanes have no pending operations. `ring` is the ring buffer of an asynchronous
    /// pool.
    ///
    /// # Errors
    /// `Memory` if the system refuses the memory of a row.
    pub fn new(core: Arc<PoolCore>, backend: Box<dyn LaneBackend>, spec: &BackendSpec, ring: Option<BatchRing>) -> Result<Self> {
        let row = Batch::new(&core.layout, 1, usize::MAX)?;
        Ok(Self {
            waiter: backend.waiter(),
            ring,
            passes_snapshots: spec.nested_pools.is_some(),
            takes_options: true,
            probes_before_sending: spec.probes_before_send,
            no_options: ResetOptions::default(),
            ledger: OwnedMutex::new(BackendLedger::new(backend, spec, core.config.num_envs, row)),
            last_probe: Mutex::new(Instant::now()),
            core,
        })
    }

    /// Returns this executor, configured to reject reset options.
    #[must_use]
    pub fn without_reset_options(self) -> Self {
        Self { takes_options: false, ..self }
    }

    /// Locks the backend ledger, and returns its guard.
    pub(super) fn lock(&self) -> OwnedMutexGuard<'_, BackendLedger> {
        self.ledger.lock()
    }

    /// Locks the backend ledger of an open pool. After `close`, replies belong to the thread that closes the pool.
    ///
    /// # Errors
    /// `Closed`.
    pub(super) fn lock_open(&self) -> Result<OwnedMutexGuard<'_, BackendLedger>> {
        let ledger = self.lock();
        match self.core.is_closed() {
            true => Err(Error::Closed),
            false => Ok(ledger),
        }
    }

    /// Lets the first resets of lanes continue with the seeds of the snapshots that were loaded into them.
    pub fn forget_first_seeds(&self, lanes: impl Iterator<Item = usize>) {
        let mut ledger = self.lock();
        lanes.for_each(|lane| ledger.first_seeds[lane] = None);
    }

    /// Checks for lost hosts if `PROBE_INTERVAL` has elapsed. The caller must not hold the ledger's lock.
    pub(super) fn probe_if_due(&self) {
        let is_due = self.last_probe.lock().unwrap_or_else(PoisonError::into_inner).elapsed() >= PROBE_INTERVAL;
        if is_due {
            self.probe();
        }
    }

    /// Checks for lost hosts and handles them. The caller must not hold the ledger's lock.
    pub(super) fn probe(&self) {
        *self.last_probe.lock().unwrap_or_else(PoisonError::into_inner) = Instant::now();
        if self.core.is_closed() {
            return; // `close` ends the hosts, so they are not lost
        }
        while let Some(loss) = self.waiter.next_loss() {
            let Ok(mut ledger) = self.lock_open() else { return };
            self.handle_loss(&mut ledger, loss);
        }
    }

    /// Rejects lanes whose host is permanently lost, and lanes with a pending call.
    ///
    /// # Errors
    /// `HostLost` for the first lane whose host is permanently lost; `InFlight` for the first lane with a pending call; `Closed`.
    pub fn check_free(&self, lanes: &LaneList) -> Result<()> {
        if self.probes_before_sending {
            self.probe_if_due();
        }
        let ledger = &mut *self.lock_open()?;
        if ledger.abandoned > 0 {
            self.discard_stray_replies(ledger);
        }
        if ledger.lost_hosts + ledger.abandoned + ledger.called == 0 {
            return Ok(()); // no lane has a lost host or a pending call
        }
        for lane in lanes.iter() {
            if ledger.lanes[lane].host_loss.is_some() {
                self.retry_host(ledger, lane);
            }
            if let Some(fault) = &ledger.lanes[lane].host_loss {
                return Err(Error::HostLost(Box::new(BatchFailure {
                    lane,
                    fault: (**fault).clone(),
                    others: Vec::new(),
                    rows_pending: 0,
                })));
            }
            if self.core.ledger.state(lane).is_pending() {
                return Err(Error::InFlight { lane });
            }
        }
        Ok(())
    }

    /// Renders a lane that has no pending operation, without the ledger's lock: other threads can use the pool meanwhile.
    pub fn render(&self, lane: usize, params: &RenderParams) -> Frame {
        self.waiter.render_view(lane, params)
    }

    /// Releases all memory for results.
    pub fn release(&self, _receiver: &mut Receiver) {
        self.lock().sent.clear();
        if let Some(ring) = &self.ring {
            // SAFETY: only the holder of the receiver guard writes into the ring, and the caller holds this guard (`&mut
            // Receiver`).
            unsafe { ring.free_batches() };
        }
    }

    /// Shuts down the backend of a pool that is marked as closed. Returns the errors of the shutdown.
    pub fn close(&self, until: Instant, by_force: bool) -> Vec<LaneError> {
        // Waits until no other thread takes replies with the ledger locked. This thread may hold the lock itself, in a signal
        // handler.
        self.ledger.wait_for_others();
        self.waiter.close(until, by_force)
    }
}
