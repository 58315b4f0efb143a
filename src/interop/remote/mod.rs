//! Environments of pools elsewhere as the lanes of a pool: [`Outside`](envpool_rs_engine::Outside) over places, each of which plays a share of
//! the lanes with a pool of its own.
//!
//! A [`pool`] asks each place for everything that is due there in one request, and takes rows out of its answers; a [`RemoteHost`]
//! plays what is asked. Requests and answers are bytes, which whoever implements [`Carrier`] brings from one to the other.

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
