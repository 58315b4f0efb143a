//! Handlers of XLA's foreign function interface, with which XLA programs step a [`Pool`].
//!
//! XLA calls a handler with a *call frame*: C structs that describe argument, result and attribute buffers. `c_api` declares the
//! structs, `call_frame` checks and reads them, `exposed_pools` finds the pool that a program's handle refers to, and `calls`
//! executes the call. `cuda_calls` executes calls whose arrays are in the memory of a GPU, with `cuda_driver`. These modules
//! do not use Python, so the interpreter's lock is never needed, and XLA may call from any thread.
//!
//! [`Pool`]: envpool_rs_engine::Pool

mod built_frame;
mod c_api;
mod call_frame;
mod calls;
mod cuda_calls;
mod cuda_driver;
#[cfg(all(test, target_os = "linux"))]
mod cuda_tests;
mod entry;
mod exposed_pools;
mod results;
#[cfg(test)]
mod test_frame;
#[cfg(test)]
mod tests;
mod xla_error;

pub use c_api::Handler;
pub use entry::{HANDLERS, NamedHandler, OTHER_PLATFORMS};
pub use exposed_pools::{ExposedPool, HANDLE_BYTES};
