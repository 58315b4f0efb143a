//! One end of a connection: queues frames to send, and stores received frames by number.

use std::collections::{BTreeMap, HashSet, VecDeque};
use std::fmt;
use std::io::{self, ErrorKind, IoSlice, Read};
use std::net::{Shutdown, TcpStream, ToSocketAddrs};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::time::{Duration, Instant};

use envpool_rs_sync::{ForkMutex, fork};
use rustix::event::PollFlags;
#[cfg(target_os = "linux")]
use rustix::net::{SendAncillaryBuffer, SendFlags, sendmsg};

use super::frame::{Frame, FrameKind, FrameParser, HEADER_BYTES, header};
use super::handshake::{Role, authenticate};
use super::readiness::{Waits, poll_fd};
use crate::error::{Error, Result};

/// Memory of a message to send.
pub type Payload = Box<dyn AsRef<[u8]> + Send + Sync>;

/// Time after which a thread that connects asks whether to stop.
const CONNECT_INTERVAL: Duration = Duration::from_millis(50);

/// Reason of an end that the other end or [`Connection::close`] has caused.
const CLOSED: &str = "the connection was closed";

/// Reason of the end in a forked child.
const FORKED: &str = "the connection belongs to the process from which this one was forked";

/// Number of frames that all connections of the process have received.
static ARRIVALS: AtomicU64 = AtomicU64::new(0);

/// One end of a connection.
///
/// Frames are numbered from 0 in each direction. Both ends reply to requests in order, so a reply has the number of its request.
/// Frames may be queued before the connection is made. Several threads may use a connection at the same time. In a forked child
/// the connection has ended, because the parent uses the same stream.
pub struct Connection {
    /// Value of [`fork::generation`] in the process that created the connection.
    generation: u32,
    stream: OnceLock<TcpStream>,
    /// Reason why no more data can be sent or received.
    end: OnceLock<String>,
    outbox: ForkMutex<Outbox>,
    parser: ForkMutex<FrameParser>,
    /// Locked after `parser` if both are.
    inbox: ForkMutex<Inbox>,
    /// Whether a frame of the kind [`FrameKind::Elsewhere`] has arrived that [`Connection::take_elsewhere`] did not return.
    is_elsewhere: AtomicBool,
}

#[derive(Default)]
struct Outbox {
    queue: VecDeque<Outgoing>,
    /// Number of frames that were queued so far.
    count: u64,
}

struct Outgoing {
    header: [u8; HEADER_BYTES],
    payload: Payload,
    /// Number of bytes that were sent, of the header and the payload.
    sent: usize,
}

#[derive(Default)]
struct Inbox {
    /// Received frames by number, with their position among the frames of all connections.
    frames: BTreeMap<u64, (u64, Frame)>,
    /// Number of frames that were received so far.
    count: u64,
    /// Frames that are not expected any more.
    forgotten: HashSet<u64>,
    elsewhere: Option<u64>,
}

impl fmt::Debug for Connection {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Connection").field("stream", &self.stream).field("end", &self.end).finish_non_exhaustive()
    }
}

impl Default for Connection {
    fn default() -> Self {
        fork::install_handler();
        Self {
            generation: fork::generation(),
            stream: OnceLock::new(),
            end: OnceLock::new(),
            outbox: ForkMutex::default(),
            parser: ForkMutex::default(),
            inbox: ForkMutex::default(),
            is_elsewhere: AtomicBool::new(false),
        }
    }
}

impl Connection {
    /// Creates a connection that is not made yet.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Connects to a listener.
    ///
    /// # Errors
    /// [`Error::System`] if the listener cannot be reached until the deadline; [`Error::Interrupted`].
    pub fn connect(host: &str, port: u16, deadline: Instant, interrupted: &mut dyn FnMut() -> bool) -> Result<TcpStream> {
        let (sender, receiver) = mpsc::channel();
        let address = (host.to_owned(), port);
        // The system's functions do not return at a signal, so another thread calls them.
        let failed = |error| Error::system(format!("cannot connect to {host} port {port}"))(error);
        let work = move || _ = sender.send(connect(&address, deadline));
        fork::without_forks(|| std::thread::Builder::new().spawn(work)).map_err(failed)?;
        loop {
            match receiver.recv_timeout(CONNECT_INTERVAL) {
                Ok(connected) => return connected.map_err(failed),
                Err(_) if interrupted() => return Err(Error::Interrupted),
                Err(RecvTimeoutError::Timeout) if Instant::now() < deadline => {}
                Err(_) => return Err(failed(ErrorKind::TimedOut.into())),
            }
        }
    }

    /// Authenticates the ends of a new stream to each other; then the connection is made. Returns whether the other end knows the
    /// key.
    ///
    /// # Errors
    /// [`Error::State`] if the other end has another version, or if the connection was made before; [`Error::System`] if it does not
    /// answer until the deadline; [`Error::Interrupted`].
    pub fn authenticate(
        &self,
        stream: TcpStream,
        key: &[u8],
        role: Role,
        deadline: Instant,
        interrupted: &mut dyn FnMut() -> bool,
    ) -> Result<bool> {
        let ready = stream.set_nonblocking(true).and_then(|()| stream.set_nodelay(true));
        ready.map_err(Error::system("the connection failed"))?;
        let is_known = authenticate(&stream, key, role, deadline, interrupted)?;
        if is_known {
            self.stream.set(stream).map_err(|_| Error::State("the connection was made before".into()))?;
            if self.end.get().is_some() {
                self.close(); // another thread has closed the connection
            }
            self.send_available();
        }
        Ok(is_known)
    }

    /// Returns whether the connection is made, and has not ended.
    #[must_use]
    pub fn is_open(&self) -> bool {
        self.open_stream().is_some()
    }

    /// Returns the reason why the connection has ended, if it has.
    #[must_use]
    pub fn end(&self) -> Option<&str> {
        self.check_process();
        self.end.get().map(String::as_str)
    }

    /// Ends the connection in a forked child.
    fn check_process(&self) {
        if self.generation != fork::generation() {
            self.end_with(FORKED);
        }
    }

    /// Ends the connection. Waits for its frames in other threads end.
    pub fn close(&self) {
        self.check_process();
        self.fail(CLOSED);
    }

    /// Ends the connection, so that the other end sees the end, too.
    fn fail(&self, reason: impl Into<String>) {
        self.end_with(reason);
        if let Some(stream) = self.stream.get().filter(|_| self.generation == fork::generation()) {
            _ = stream.shutdown(Shutdown::Both);
        }
    }

    /// Ends the connection for a reason that [`Connection::end`] returns.
    pub fn end_with(&self, reason: impl Into<String>) {
        _ = self.end.set(reason.into());
    }

    fn open_stream(&self) -> Option<&TcpStream> {
        self.check_process();
        self.stream.get().filter(|_| self.end.get().is_none())
    }

    /// Queues a frame, and sends as much as possible without blocking. Returns the frame's number.
    ///
    /// # Panics
    /// If the payload is larger than [`super::MAX_PAYLOAD`]; see [`Connection::try_send`].
    pub fn send(&self, kind: FrameKind, payload: Payload) -> u64 {
        self.try_send(kind, payload).expect("the payload is too large")
    }

    /// Queues a frame, and sends as much as possible without blocking. Returns the frame's number.
    ///
    /// # Errors
    /// [`Error::Value`] if the payload is larger than [`super::MAX_PAYLOAD`].
    pub fn try_send(&self, kind: FrameKind, payload: Payload) -> Result<u64> {
        let header = header(kind, (*payload).as_ref().len())?;
        let number = {
            let mut outbox = self.outbox.lock();
            outbox.queue.push_back(Outgoing { header, payload, sent: 0 });
            outbox.count += 1;
            outbox.count - 1
        };
        self.send_available();
        Ok(number)
    }

    /// Sends queued frames as far as possible without blocking. Returns whether all were sent, or cannot be sent any more.
    fn send_available(&self) -> bool {
        let Some(stream) = self.open_stream() else { return true };
        let mut outbox = self.outbox.lock();
        while let Some(front) = outbox.queue.front_mut() {
            let payload = (*front.payload).as_ref();
            let (head, body) = (front.sent.min(HEADER_BYTES), front.sent.saturating_sub(HEADER_BYTES));
            match write(stream, &[IoSlice::new(&front.header[head..]), IoSlice::new(&payload[body..])]) {
                Ok(count) => front.sent += count,
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(error) if error.kind() == ErrorKind::WouldBlock => return false,
                Err(error) => {
                    self.fail(error.to_string());
                    return true;
                }
            }
            if front.sent == HEADER_BYTES + payload.len() {
                outbox.queue.pop_front();
            }
        }
        true
    }

    /// Waits until all queued frames were sent, at most until `deadline`; later waits send the rest. Receives frames meanwhile,
    /// because the other end may first wait until its frames are received. Returns at once if the connection is not made, or has
    /// ended.
    ///
    /// # Errors
    /// [`Error::Interrupted`]; a later call continues.
    pub fn flush(&self, deadline: Instant, interrupted: &mut dyn FnMut() -> bool) -> Result<()> {
        let mut waits = Waits::start();
        while !self.send_available() && Instant::now() < deadline {
            let Some(stream) = self.open_stream() else { break };
            if waits.wait(&mut [poll_fd(stream, PollFlags::IN | PollFlags::OUT)], deadline, interrupted)? {
                self.receive_available();
            }
        }
        Ok(())
    }

    /// Receives available data without blocking, up to a megabyte.
    fn receive_available(&self) {
        let Some(mut stream) = self.open_stream() else { return };
        let mut parser = self.parser.lock();
        let received = parser.space().map(|space| stream.read(space));
        match received {
            Ok(Ok(0)) => self.fail(CLOSED),
            Ok(Ok(count)) => {
                parser.received(count);
                if let Err(error) = self.store_frames(&mut parser) {
                    self.fail(error.to_string());
                }
            }
            Ok(Err(error)) if matches!(error.kind(), ErrorKind::WouldBlock | ErrorKind::Interrupted) => {}
            Ok(Err(error)) => self.fail(error.to_string()),
            Err(error) => self.fail(error.to_string()),
        }
    }

    fn store_frames(&self, parser: &mut FrameParser) -> Result<()> {
        while let Some(frame) = parser.next_frame()? {
            let mut inbox = self.inbox.lock();
            let number = inbox.count;
            inbox.count += 1;
            if frame.kind == FrameKind::Elsewhere {
                inbox.elsewhere = Some(number);
                self.is_elsewhere.store(true, Ordering::Release);
            }
            if !inbox.forgotten.remove(&number) {
                inbox.frames.insert(number, (ARRIVALS.fetch_add(1, Ordering::Relaxed), frame));
            }
        }
        Ok(())
    }

    /// Returns the position of a received frame among the frames of all connections, in order of arrival; `None` if the frame has
    /// not arrived.
    #[must_use]
    pub fn arrival(&self, number: u64) -> Option<u64> {
        self.inbox.lock().frames.get(&number).map(|(order, _)| *order)
    }

    /// Returns a copy of a received frame; `None` if the frame has not arrived.
    #[must_use]
    pub fn frame(&self, number: u64) -> Option<Frame> {
        self.with_frame(number, Frame::clone)
    }

    /// Calls a function with a received frame; returns `None` if the frame has not arrived.
    pub fn with_frame<T>(&self, number: u64, call: impl FnOnce(&Frame) -> T) -> Option<T> {
        self.inbox.lock().frames.get(&number).map(|(_, frame)| call(frame))
    }

    /// Discards a frame, received already or later.
    pub fn forget(&self, number: u64) {
        let mut inbox = self.inbox.lock();
        if number >= inbox.count {
            inbox.forgotten.insert(number);
        } else {
            inbox.frames.remove(&number);
        }
    }

    /// Returns whether [`Connection::take_elsewhere`] returns a frame.
    #[must_use]
    pub fn has_elsewhere(&self) -> bool {
        self.is_elsewhere.load(Ordering::Acquire)
    }

    /// Returns the number of the last frame of the kind [`FrameKind::Elsewhere`], once.
    #[must_use]
    pub fn take_elsewhere(&self) -> Option<u64> {
        let mut inbox = self.inbox.lock();
        self.is_elsewhere.store(false, Ordering::Release);
        inbox.elsewhere.take()
    }

    /// Receives available data, and returns whether [`Connection::next`] returns a frame at once.
    #[must_use]
    pub fn has_next(&self) -> bool {
        if self.inbox.lock().frames.is_empty() {
            self.receive_available();
        }
        !self.inbox.lock().frames.is_empty()
    }

    /// Waits for the next frame, and takes it out of the connection. Returns `None` if the connection has ended.
    ///
    /// # Errors
    /// [`Error::Interrupted`]
    pub fn next(&self, interrupted: &mut dyn FnMut() -> bool) -> Result<Option<Frame>> {
        let mut waits = Waits::start();
        loop {
            let first = self.inbox.lock().frames.pop_first();
            if let Some((_, (_, frame))) = first {
                return Ok(Some(frame));
            }
            let Some(stream) = self.open_stream() else { return Ok(None) };
            let far = Instant::now() + Duration::from_secs(1);
            if waits.wait(&mut [poll_fd(stream, PollFlags::IN)], far, interrupted)? {
                self.receive_available();
            }
        }
    }
}

/// Writes to a stream. If the other end has closed it, this is an error, and no signal, which would end some programs.
fn write(stream: &TcpStream, parts: &[IoSlice<'_>]) -> io::Result<usize> {
    // `write_vectored` raises SIGPIPE on Linux; on other systems the standard library disables the signal for its sockets.
    #[cfg(target_os = "linux")]
    return Ok(sendmsg(stream, parts, &mut SendAncillaryBuffer::default(), SendFlags::NOSIGNAL)?);
    #[cfg(not(target_os = "linux"))]
    return io::Write::write_vectored(&mut &*stream, parts);
}

fn connect(address: &(String, u16), deadline: Instant) -> io::Result<TcpStream> {
    let mut last = io::Error::from(ErrorKind::NotFound);
    for each in address.to_socket_addrs()? {
        let left = deadline.saturating_duration_since(Instant::now()).max(Duration::from_millis(1));
        match TcpStream::connect_timeout(&each, left) {
            Ok(stream) => return Ok(stream),
            Err(error) => last = error,
        }
    }
    Err(last)
}

/// Sends and receives frames of `connections` until `is_done` returns true, at most until `deadline`. Returns whether `is_done`
/// has returned true.
///
/// # Errors
/// [`Error::Interrupted`]; [`Error::System`] if the system fails to wait.
pub fn wait_until(
    connections: &[&Connection],
    mut is_done: impl FnMut() -> bool,
    deadline: Instant,
    interrupted: &mut dyn FnMut() -> bool,
) -> Result<bool> {
    let mut waits = Waits::start();
    loop {
        if is_done() {
            return Ok(true);
        }
        let mut open = Vec::with_capacity(connections.len());
        let mut sockets = Vec::with_capacity(connections.len());
        for connection in connections {
            let flags = if connection.send_available() { PollFlags::IN } else { PollFlags::IN | PollFlags::OUT };
            if let Some(stream) = connection.open_stream() {
                open.push(connection);
                sockets.push(poll_fd(stream, flags));
            }
        }
        if waits.wait(&mut sockets, deadline, interrupted)? {
            for (connection, socket) in open.iter().zip(&sockets) {
                if !socket.revents().is_empty() && socket.revents() != PollFlags::OUT {
                    connection.receive_available();
                }
            }
        }
        if Instant::now() >= deadline {
            return Ok(is_done());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Write;
    use std::net::TcpListener;

    #[test]
    fn a_malformed_frame_ends_the_connection() {
        for bad in [[0; HEADER_BYTES], [255; HEADER_BYTES]] {
            let server = TcpListener::bind("127.0.0.1:0").unwrap();
            let stream = TcpStream::connect(server.local_addr().unwrap()).unwrap();
            stream.set_nonblocking(true).unwrap();
            let connection = Connection::new();
            connection.stream.set(stream).unwrap();
            let mut peer = server.accept().unwrap().0;
            peer.write_all(&[header(FrameKind::Failure, 0).unwrap(), bad].concat()).unwrap();
            let far = Instant::now() + Duration::from_secs(60);
            assert!(wait_until(&[&connection], || connection.end().is_some(), far, &mut || false).unwrap());
            assert!(connection.end().unwrap().contains("expected"), "{connection:?}");
            assert_eq!(connection.frame(0), Some(Frame { kind: FrameKind::Failure, payload: Vec::new() }));
            assert_eq!(connection.next(&mut || false).unwrap().map(|frame| frame.kind), Some(FrameKind::Failure));
            assert_eq!(connection.next(&mut || false).unwrap(), None);
        }
    }
}
