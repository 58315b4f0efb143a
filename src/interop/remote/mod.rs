//! Pools whose environments run on remote hosts. Each host runs a part of the pool's lanes (environments) in a local pool.
//!
//! A [`pool`] with a [`LaneBackend`](envpool_rs_engine::LaneBackend) sends each host one request with all operations that are due
//! for its lanes, and copies rows from the replies. A [`RemoteHost`] executes the requests. Requests and replies are bytes, which
//! a [`HostTransport`] transports.

mod bytes;
mod host;
mod host_reply;
mod host_transport;
mod remote_backend;
mod request;
mod wire_columns;

pub use host::RemoteHost;
pub use host_transport::{Delivery, HostTransport};
pub use remote_backend::pool;
pub use wire_columns::WireColumns;
