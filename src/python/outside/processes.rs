//! Supervises worker processes, which Python's `multiprocessing` starts and ends.

use std::time::{Duration, Instant};

use pyo3::exceptions::PyException;
use pyo3::prelude::*;

use super::failures::{PendingException, raised_error};
use super::inside::ReentrancyFlag;
use super::objects::ObjectTable;
use crate::callbacks;
use crate::convert::to_bytes;
use crate::transport::EnvHost;
use envpool_rs_engine::{Error, HostLoss, LaneError, Payload, Result};
use envpool_rs_interop::workers::{EnvCloser, LossSearch, ProcessSupervisor, WorkerPayload};
use envpool_rs_transport::{ShmSegment, flags};

/// Interval between two checks for signals and dead processes while environments close.
const POLL_INTERVAL: Duration = Duration::from_millis(20);

/// State that a backend shares with the Python object of the pool.
#[derive(Clone, Default)]
pub struct BackendContext {
    /// Exception raised by Python code that the backend called.
    pub pending: PendingException,
    /// Objects that were read from payloads.
    pub objects: ObjectTable,
    /// Flag that marks the thread that runs Python code while the pool is locked.
    pub reentrancy: ReentrancyFlag,
}

/// Supervises Python's worker processes, and runs the environments that the calling process hosts itself.
pub struct PythonSupervisor {
    /// Python object with the methods `lost(known)`, `renew(worker)`, `failure_to_renew(worker)`, `unreadable(env_id, error)`,
    /// `close_request()`, `dead_workers()`, `terminate(env_ids)` and `end(seconds, replies)`.
    overseer: Py<PyAny>,
    /// Python callable `pickle.loads`. It is written in C, so no signal handler runs inside it.
    loads: Py<PyAny>,
    host: Option<Py<EnvHost>>,
    raised: PendingException,
    objects: ObjectTable,
    losses: LossSearch,
    reentrancy: ReentrancyFlag,
    /// Whether messages are unpickled when they are collected.
    unpickles: bool,
}

impl PythonSupervisor {
    /// Creates the supervisor. `overseer` starts and ends the processes; `host` runs the environments of the calling process.
    pub fn new(overseer: Py<PyAny>, loads: Py<PyAny>, host: Option<Py<EnvHost>>, shared: BackendContext) -> Self {
        let BackendContext { pending: raised, objects, reentrancy: inside } = shared;
        Self { overseer, loads, host, raised, objects, reentrancy: inside, losses: LossSearch::default(), unpickles: true }
    }

    /// Returns this supervisor, configured to return messages as bytes instead of unpickling them.
    pub fn without_unpickling(self) -> Self {
        Self { unpickles: false, ..self }
    }

    /// Calls Python code and returns its result. If the code raises, stores the exception for the waiting caller and returns
    /// `None`.
    fn call<T>(&self, ask: impl FnOnce(&Bound<'_, PyAny>) -> PyResult<T>) -> Option<T> {
        self.raised.call(&self.overseer, ask)
    }

    /// Closes the environments until the deadline `until`. With `by_force`, closes only environments that are not in flight.
    /// Returns the replies of the environments.
    fn close_envs(&self, segment: &ShmSegment, until: Instant, by_force: bool) -> Vec<(usize, Vec<u8>)> {
        let request = self.call(|overseer| overseer.call_method0("close_request")?.extract::<Option<Vec<u8>>>());
        let Some(request) = request.flatten() else { return Vec::new() };
        let mut closer = EnvCloser::new(segment, &request);
        if by_force {
            let busy = closer.busy();
            self.call(|overseer| overseer.call_method1("terminate", (&busy,)).map(drop));
            // Stops waiting for environments of the calling process that have a pending request, because no other process
            // executes these requests.
            closer.give_up(|env| busy.contains(&env) && segment.worker_of(env).is_none());
        }
        loop {
            let dead = self.call(|overseer| overseer.call_method0("dead_workers")?.extract::<Vec<usize>>());
            let Some(dead) = dead else { break };
            closer.give_up(|env| segment.worker_of(env).is_some_and(|worker| dead.contains(&worker)));
            let left = until.saturating_duration_since(Instant::now());
            if !closer.send() || left.is_zero() || self.run_local(segment, &|| closer.has_finished()).is_err() {
                break;
            }
            closer.wait(left.min(POLL_INTERVAL));
            if let Some(Err(interrupt)) = Python::try_attach(|py| py.check_signals()) {
                self.raised.store(interrupt);
                break;
            }
        }
        closer.into_replies()
    }
}

// SAFETY: `lost` returns only workers for which the overseer has waited: their processes no longer exist.
unsafe impl ProcessSupervisor for PythonSupervisor {
    fn next_loss(&self) -> Option<HostLoss> {
        self.losses.next(|known| {
            self.call(|overseer| overseer.call_method1("lost", (known,))?.extract::<Option<(usize, String, Vec<u8>)>>())?
        })
    }

    fn restart(&self, worker: usize) -> Result<(), LaneError> {
        let _inside = self.reentrancy.enter();
        let failure = self.call(|overseer| match overseer.call_method1("renew", (worker,)) {
            Ok(failure) => failure.extract::<Option<(String, Vec<u8>)>>(),
            // Interrupts are handled before or after the restart of a process, not during it.
            Err(error) => {
                self.raised.store(error);
                overseer.call_method1("failure_to_renew", (worker,))?.extract()
            }
        });
        match failure {
            Some(None) => {
                self.losses.forget(worker);
                Ok(())
            }
            Some(Some((text, payload))) => Err(LaneError::host_lost(text, payload)),
            None => Err(LaneError::host_lost("its process could not be restarted", Vec::new())),
        }
    }

    fn run_local(&self, _block: &ShmSegment, enough: &dyn Fn() -> bool) -> Result<()> {
        let Some(host) = &self.host else { return Ok(()) };
        match Python::attach(|py| host.get().run_requests_until(py, enough)) {
            None => Ok(()),
            Some(raised) => {
                self.raised.store(raised);
                Err(Error::Interrupted)
            }
        }
    }

    fn decode_message(&self, env: usize, payload: WorkerPayload<'_>) -> Result<Result<Payload, LaneError>> {
        if !self.unpickles || payload.flags & flags::PLAIN_INFO != 0 {
            return payload.encode().map(Ok); // an info of numbers, which becomes columns
        }
        let _inside = self.reentrancy.enter();
        let raw = || payload.encode().map(Ok);
        let read = Python::try_attach(|py| {
            let _entered = callbacks::enter(py);
            let overseer = self.overseer.bind(py);
            let read = to_bytes(py, payload.bytes).and_then(|bytes| self.loads.bind(py).call1((bytes,)));
            match read {
                Ok(object) => WorkerPayload { bytes: &self.objects.insert(env, object.unbind()), ..payload }.encode().map(Ok),
                Err(error) if !error.is_instance_of::<PyException>(py) => {
                    self.raised.store(error); // an interrupt; the message is read again with its batch
                    raw()
                }
                Err(error) => match overseer.call_method1("unreadable", (env, error.value(py))) {
                    Ok(failure) => Ok(Err(raised_error("it failed", &failure.extract::<Vec<u8>>().unwrap_or_default()))),
                    Err(error) => {
                        self.raised.store(error);
                        raw()
                    }
                },
            }
        });
        read.unwrap_or_else(raw)
    }

    fn end(&self, segment: &ShmSegment, until: Instant, by_force: bool) -> Vec<LaneError> {
        let replies = self.close_envs(segment, until, by_force);
        let seconds = until.saturating_duration_since(Instant::now()).min(Duration::from_secs(1 << 30)).as_secs_f64();
        let failures = self.call(|overseer| {
            let ended = overseer.call_method1("end", (seconds, replies))?;
            ended.extract::<Vec<Vec<u8>>>()
        });
        failures.into_iter().flatten().map(|failure| raised_error("it failed", &failure)).collect()
    }
}
