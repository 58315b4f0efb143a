//! Listens for the connection of one driver.

use std::io::{self, ErrorKind};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::time::{Duration, Instant};

use rustix::event::PollFlags;

use super::connection::Connection;
use super::handshake::Role;
use super::readiness::repeat;
use crate::error::{Error, Result};

/// Socket at which an actor waits for its driver.
#[derive(Debug)]
pub struct Listener {
    listener: TcpListener,
    address: SocketAddr,
}

impl Listener {
    /// Opens a socket at any free port of one of this computer's addresses.
    ///
    /// # Errors
    /// [`Error::System`] if the address is not one of this computer's.
    pub fn bind(host: &str) -> Result<Self> {
        let open = || {
            let listener = TcpListener::bind((host, 0))?;
            listener.set_nonblocking(true)?;
            let address = listener.local_addr()?;
            Ok(Self { listener, address })
        };
        open().map_err(Error::system(format!("cannot listen at {host}")))
    }

    /// Returns the socket's address.
    #[must_use]
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// Waits for a driver that knows the key. Other clients are refused, each after at most `patience`.
    ///
    /// # Errors
    /// [`Error::System`] at the deadline; [`Error::Interrupted`].
    pub fn accept(
        &self,
        key: &[u8],
        deadline: Instant,
        patience: Duration,
        interrupted: &mut dyn FnMut() -> bool,
    ) -> Result<Connection> {
        loop {
            let (stream, _) = repeat(&self.listener, PollFlags::IN, deadline, interrupted, || self.accept_any(deadline))?;
            let connection = Connection::new();
            if stream.set_nonblocking(true).is_err() {
                continue;
            }
            let until = deadline.min(Instant::now() + patience);
            match connection.authenticate(stream, key, Role::Actor, until, interrupted) {
                Ok(true) => return Ok(connection),
                Err(Error::Interrupted) => return Err(Error::Interrupted),
                _ => {} // another client, or the driver has closed the connection
            }
        }
    }

    /// Accepts any client before the deadline. A client that has reset its connection is the same as none.
    fn accept_any(&self, deadline: Instant) -> io::Result<(TcpStream, SocketAddr)> {
        if Instant::now() >= deadline {
            return Err(ErrorKind::WouldBlock.into());
        }
        self.listener.accept().map_err(|error| match error.kind() {
            ErrorKind::ConnectionAborted | ErrorKind::ConnectionReset => ErrorKind::Interrupted.into(),
            _ => error,
        })
    }
}
