//! Connections that carry frames between a driver and its actors: one TCP stream to each actor.

use std::net::TcpStream;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use pyo3::exceptions::{PyRuntimeError, PyValueError};
use pyo3::gc::{PyTraverseError, PyVisit};
use pyo3::prelude::*;
use pyo3::pybacked::PyBackedBytes;
use pyo3::types::{PyBytes, PyDict};

use crate::convert::to_bytes;
use crate::raise::{OrRaise, Raise};
use crate::signals::Signals;
use envpool_rs_transport::stream::{Connection, FrameKind, Listener, Role, wait_until};
use envpool_rs_transport::{Error, Result};

/// Maximum duration of a wait, so that a deadline is a valid time.
const MAX_WAIT: f64 = 1e6;

/// Seconds after which a call that sends returns, if the actor does not read. Waits for the reply also send.
const SEND_PATIENCE: f64 = 1.0;

fn duration(seconds: f64) -> Duration {
    Duration::from_secs_f64(if seconds > 0.0 { seconds.min(MAX_WAIT) } else { 0.0 })
}

fn deadline(seconds: f64) -> Instant {
    Instant::now() + duration(seconds)
}

/// Calls a function that waits, without the interpreter's lock. Signal handlers run meanwhile; an exception of one ends the wait.
fn waiting<T: Send>(py: Python<'_>, call: impl FnOnce(&mut dyn FnMut() -> bool) -> Result<T> + Send) -> PyResult<T> {
    let mut signals = Signals::default();
    let result = py.detach(|| call(&mut || signals.interrupted()));
    result.map_err(|error| match (error, signals.raised()) {
        (Error::Interrupted, Some(raised)) => raised,
        (error, _) => error.into_py_err(),
    })
}

/// Socket at which an actor waits for its driver.
#[pyclass(frozen, module = "envpool_rs._core")]
pub struct FrameListener {
    listener: Listener,
}

#[pymethods]
impl FrameListener {
    /// Opens a socket at any free port of one of this computer's addresses.
    #[new]
    fn new(host: &str) -> PyResult<Self> {
        Ok(Self { listener: Listener::bind(host).or_raise()? })
    }

    /// The socket's address: host and port.
    #[getter]
    fn address(&self) -> (String, u16) {
        let address = self.listener.address();
        (address.ip().to_string(), address.port())
    }

    /// Waits for a driver that knows the key, and returns the connection to it. Other clients are refused.
    fn accept(&self, py: Python<'_>, key: PyBackedBytes, seconds: f64, patience: f64) -> PyResult<FrameConnection> {
        let connection =
            waiting(py, |interrupted| self.listener.accept(&key, deadline(seconds), duration(patience), interrupted))?;
        Ok(FrameConnection { connection: Arc::new(connection), stream: Mutex::default() })
    }
}

/// One end of a connection.
#[pyclass(frozen, subclass, module = "envpool_rs._core")]
pub struct FrameConnection {
    connection: Arc<Connection>,
    /// Stream that is connected, but not authenticated yet.
    stream: Mutex<Option<TcpStream>>,
}

#[pymethods]
impl FrameConnection {
    /// Creates a driver's end, which is not connected. Calls are queued until it is.
    #[new]
    fn new() -> Self {
        Self { connection: Arc::new(Connection::new()), stream: Mutex::default() }
    }

    /// Connects to a listener; `authenticate` must follow.
    fn connect(&self, py: Python<'_>, host: &str, port: u16, seconds: f64) -> PyResult<()> {
        let stream = waiting(py, |interrupted| Connection::connect(host, port, deadline(seconds), interrupted))?;
        *self.stream.lock().unwrap_or_else(PoisonError::into_inner) = Some(stream);
        Ok(())
    }

    /// Authenticates both ends of the connection by a common key; returns whether the other end knows the key. Sends queued calls.
    fn authenticate(&self, py: Python<'_>, key: PyBackedBytes, seconds: f64) -> PyResult<bool> {
        let stream = self.stream.lock().unwrap_or_else(PoisonError::into_inner).take();
        let stream = stream.ok_or_else(|| PyRuntimeError::new_err("the connection has no stream: call connect first"))?;
        waiting(py, |interrupted| self.connection.authenticate(stream, &key, Role::Driver, deadline(seconds), interrupted))
    }

    /// Whether the connection is made, and has not ended.
    #[getter]
    fn is_open(&self) -> bool {
        self.connection.is_open()
    }

    /// Reason why the connection has ended, or `None`.
    #[getter]
    fn end(&self) -> Option<&str> {
        self.connection.end()
    }

    /// Ends the connection for a reason. Other threads stop to wait for its frames.
    #[pyo3(signature = (reason=None))]
    fn close(&self, reason: Option<String>) {
        if let Some(reason) = reason {
            self.connection.end_with(reason);
        }
        self.connection.close();
    }

    /// Sends a request. Stores the call in `calls` at `number` before an interrupt can end the sending.
    #[pyo3(signature = (message, calls=None, number=None))]
    fn send_call<'py>(
        slf: &Bound<'py, Self>,
        message: PyBackedBytes,
        calls: Option<&Bound<'py, PyDict>>,
        number: Option<u64>,
    ) -> PyResult<Bound<'py, FrameCall>> {
        let (py, connection) = (slf.py(), &slf.get().connection);
        let sent = py.detach(|| connection.try_send(FrameKind::Message, Box::new(message))).or_raise()?;
        let call = Bound::new(py, FrameCall { owner: slf.clone().unbind(), number: sent })?;
        if let Some(calls) = calls {
            calls.set_item(number, &call)?;
        }
        slf.get().flush(py, SEND_PATIENCE)?;
        Ok(call)
    }

    /// Sends the rest of requests that an interrupt has left unsent, at most for `seconds`; waits for replies send what is left.
    #[pyo3(signature = (seconds=1.0))]
    fn flush(&self, py: Python<'_>, seconds: f64) -> PyResult<()> {
        waiting(py, |interrupted| self.connection.flush(deadline(seconds), interrupted))
    }

    /// Whether `take_elsewhere` returns a number.
    #[getter]
    fn has_elsewhere(&self) -> bool {
        self.connection.has_elsewhere()
    }

    /// Returns the number of the last call to which the actor replied elsewhere, once; otherwise `None`.
    fn take_elsewhere(&self) -> Option<u64> {
        self.connection.take_elsewhere()
    }

    /// Returns whether a call has a reply that was not discarded.
    fn has_reply(&self, number: u64) -> bool {
        self.connection.arrival(number).is_some()
    }

    /// Returns whether `next` returns a request at once.
    fn has_next(&self, py: Python<'_>) -> bool {
        py.detach(|| self.connection.has_next())
    }

    /// Waits for the next request and returns it; `None` if the connection has ended.
    fn next<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyBytes>>> {
        let frame = waiting(py, |interrupted| self.connection.next(interrupted))?;
        let Some(frame) = frame else { return Ok(None) };
        let request = to_bytes(py, &frame.payload);
        if request.is_err() {
            self.connection.end_with("no memory for a request"); // the numbers of later requests would be wrong
            self.connection.close();
        }
        request.map(Some)
    }

    /// Sends a reply. If the connection has ended, `next` reports this.
    fn reply(&self, py: Python<'_>, kind: u8, message: PyBackedBytes) -> PyResult<()> {
        let kinds = [FrameKind::Message, FrameKind::Failure, FrameKind::Elsewhere];
        let found = kinds.into_iter().find(|each| *each as u8 == kind);
        let kind = found.ok_or_else(|| PyValueError::new_err(format!("kind={kind}: expected 1, 2 or 3")))?;
        py.detach(|| self.connection.try_send(kind, Box::new(message))).or_raise()?;
        self.flush(py, MAX_WAIT)
    }
}

/// Call of an actor over a connection. The reply is discarded with this object.
#[pyclass(frozen, module = "envpool_rs._core")]
pub struct FrameCall {
    owner: Py<FrameConnection>,
    number: u64,
}

#[pymethods]
impl FrameCall {
    /// Connection over which the call was sent.
    #[getter]
    fn connection(&self, py: Python<'_>) -> Py<FrameConnection> {
        self.owner.clone_ref(py)
    }

    /// Position of the call among the connection's calls.
    #[getter]
    fn number(&self) -> u64 {
        self.number
    }

    /// Kind and bytes of the reply; `None` if it has not arrived.
    fn reply<'py>(&self, py: Python<'py>) -> PyResult<Option<(u8, Bound<'py, PyBytes>)>> {
        let connection = &self.owner.get().connection;
        connection.with_frame(self.number, |frame| Ok((frame.kind as u8, to_bytes(py, &frame.payload)?))).transpose()
    }

    fn __traverse__(&self, visit: PyVisit<'_>) -> Result<(), PyTraverseError> {
        visit.call(&self.owner)
    }
}

impl Drop for FrameCall {
    fn drop(&mut self) {
        self.owner.get().connection.forget(self.number);
    }
}

/// Waits until `at_least` calls have a reply or a connection that has ended, at most `seconds`. Returns the positions of these calls
/// in `calls`, in order of arrival. Also returns if an actor has replied elsewhere over one of the connections. If `at_least` is 0,
/// receives what has arrived.
#[pyfunction]
pub fn wait_for_replies(
    py: Python<'_>,
    connections: Vec<Py<FrameConnection>>,
    calls: Vec<Py<FrameCall>>,
    at_least: usize,
    seconds: f64,
) -> PyResult<Vec<usize>> {
    let connections: Vec<&Connection> = connections.iter().map(|each| &*each.get().connection).collect();
    let calls: Vec<(&Connection, u64)> =
        calls.iter().map(|call| (&*call.get().owner.get().connection, call.get().number)).collect();
    let is_over = |(connection, number): &(&Connection, u64)| connection.end().is_some() || connection.arrival(*number).is_some();
    let is_done = || {
        let is_elsewhere = || connections.iter().any(|connection| connection.has_elsewhere());
        at_least > 0 && (calls.iter().filter(|call| is_over(call)).count() >= at_least || is_elsewhere())
    };
    let until = deadline(if at_least > 0 { seconds } else { 0.0 });
    waiting(py, |interrupted| wait_until(&connections, is_done, until, interrupted))?;
    let mut over: Vec<usize> = (0..calls.len()).filter(|index| is_over(&calls[*index])).collect();
    over.sort_by_key(|index| calls[*index].0.arrival(calls[*index].1));
    Ok(over)
}
