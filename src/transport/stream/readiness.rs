//! Waits until sockets are readable or writable, or until a deadline or an interrupt.

use std::io;
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::io::Errno;

use crate::error::{Error, Result};

/// Time after which a wait asks whether to stop, because a signal may have been delivered to another thread.
const CHECK_INTERVAL: Duration = Duration::from_millis(100);

/// Waits of one call, which asks whether to stop also while sockets stay ready.
pub(super) struct Waits {
    asked: Instant,
}

impl Waits {
    pub(super) fn start() -> Self {
        Self { asked: Instant::now() }
    }

    /// Waits until one of `sockets` is ready, at most until `deadline` and for [`CHECK_INTERVAL`]. Returns whether one is ready.
    ///
    /// # Errors
    /// [`Error::Interrupted`] if `interrupted` returns true; [`Error::System`] if the system fails to wait.
    pub(super) fn wait(
        &mut self,
        sockets: &mut [PollFd<'_>],
        deadline: Instant,
        interrupted: &mut dyn FnMut() -> bool,
    ) -> Result<bool> {
        let wait = deadline.saturating_duration_since(Instant::now()).min(CHECK_INTERVAL);
        let polled = if sockets.is_empty() {
            std::thread::sleep(wait);
            Ok(0)
        } else {
            poll(sockets, Some(&Timespec { tv_sec: 0, tv_nsec: wait.as_nanos() as _ }))
        };
        let is_ready = match polled {
            Ok(count) => count > 0,
            Err(Errno::INTR) => false,
            Err(error) => return Err(Error::system("waiting for a connection failed")(error.into())),
        };
        // A poll of length zero only looks, and its caller continues to wait in another call.
        let asks = if is_ready { self.asked.elapsed() >= CHECK_INTERVAL } else { !wait.is_zero() };
        if asks {
            self.asked = Instant::now();
            if interrupted() {
                return Err(Error::Interrupted);
            }
        }
        Ok(is_ready)
    }
}

/// Repeats a call on a non-blocking socket while the call would block.
///
/// # Errors
/// [`Error::Interrupted`]; [`Error::System`] at the deadline, or if the call fails.
pub(super) fn repeat<T>(
    socket: &impl AsSocket,
    flags: PollFlags,
    deadline: Instant,
    interrupted: &mut dyn FnMut() -> bool,
    mut call: impl FnMut() -> io::Result<T>,
) -> Result<T> {
    let mut waits = Waits::start();
    loop {
        match call() {
            Ok(value) => return Ok(value),
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) if error.kind() != io::ErrorKind::WouldBlock => return Err(Error::system("the connection failed")(error)),
            Err(_) if Instant::now() >= deadline => {
                return Err(Error::system("the other end did not answer in time")(io::ErrorKind::TimedOut.into()));
            }
            Err(_) => {
                waits.wait(&mut [poll_fd(socket, flags)], deadline, interrupted)?;
            }
        }
    }
}

#[cfg(unix)]
pub(super) use std::os::fd::AsFd as AsSocket;
#[cfg(windows)]
pub(super) use std::os::windows::io::AsSocket;

/// Returns the request to wait for a socket.
pub(super) fn poll_fd(socket: &impl AsSocket, flags: PollFlags) -> PollFd<'_> {
    #[cfg(unix)]
    return PollFd::from_borrowed_fd(socket.as_fd(), flags);
    #[cfg(windows)]
    return PollFd::from_borrowed_fd(socket.as_socket(), flags);
}
