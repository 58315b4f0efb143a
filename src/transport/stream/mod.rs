//! Authenticated TCP connections that carry frames between two processes, possibly on different computers.
//!
//! A [`Connection`] sends and receives frames without blocking; functions that wait have a deadline and ask a closure whether to
//! stop, so that a signal ends the wait. Frames that were queued or received in part stay in the connection, and the next call
//! continues. An interrupt therefore loses no frame.
//!
//! The two ends run the same version and know a common key, which [`Connection::authenticate`] checks before the first frame.
//!
//! ```
//! use std::time::{Duration, Instant};
//! use envpool_rs_transport::stream::{Connection, FrameKind, Listener, Role, wait_until};
//!
//! let soon = Instant::now() + Duration::from_secs(20);
//! let listener = Listener::bind("127.0.0.1").unwrap();
//! let address = listener.address();
//! let actor = std::thread::spawn(move || {
//!     let connection = listener.accept(b"key", soon, Duration::from_secs(5), &mut || false).unwrap();
//!     let request = connection.next(&mut || false).unwrap().unwrap();
//!     connection.send(FrameKind::Message, Box::new(request.payload));
//!     connection.flush(soon, &mut || false).unwrap();
//! });
//! let connection = Connection::new();
//! let stream = Connection::connect("127.0.0.1", address.port(), soon, &mut || false).unwrap();
//! assert!(connection.authenticate(stream, b"key", Role::Driver, soon, &mut || false).unwrap());
//! let number = connection.send(FrameKind::Message, Box::new(vec![1, 2, 3]));
//! assert!(wait_until(&[&connection], || connection.arrival(number).is_some(), soon, &mut || false).unwrap());
//! assert_eq!(connection.frame(number).unwrap().payload, [1, 2, 3]);
//! actor.join().unwrap();
//! ```

mod connection;
mod frame;
mod handshake;
mod listener;
mod readiness;

pub use connection::{Connection, Payload, wait_until};
pub use frame::{Frame, FrameKind, FrameParser, HEADER_BYTES, MAX_PAYLOAD};
pub use handshake::Role;
pub use listener::Listener;
