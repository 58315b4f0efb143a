//! Pools whose lanes run in other pools: an [`Outside`](envpool_rs_engine::Outside) over hosts. Each host runs a share of the
//! lanes with a pool of its own.
//!
//! A [`pool`] sends each host one request with all operations that are due there, and takes rows from the replies. A
//! [`RemoteHost`] executes the requests. Requests and replies are bytes, which a [`Carrier`] transports.

mod alone;
mod bytes;
mod carrier;
mod host;
mod parts;
mod remote_lanes;
mod request;
mod response;

pub use carrier::{Arrival, Carrier};
pub use host::RemoteHost;
pub use parts::Parts;
pub use remote_lanes::pool;
