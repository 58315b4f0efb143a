//! Makes threads that step environments, and checks whether other threads can.

use std::thread::Builder;

/// Size of a worker's stack in bytes; the system commits only the memory that is used.
const STACK_BYTES: usize = 16 << 20;

/// Number of bytes of the stack that a step or reset may use. Simulations with many degrees of freedom keep matrices of SIMD
/// vectors on the stack. The largest, dm_control's quadrupeds and gymnasium's humanoids, need between 0.5 and 0.75 MiB, and
/// between 3 and 4 MiB without optimisation.
const STEP_BYTES: usize = if cfg!(debug_assertions) { 6 << 20 } else { 3 << 19 };

/// Returns a builder of a thread with the given name and a stack that is large enough for all environments.
pub fn worker_thread(name: &str) -> Builder {
    Builder::new().name(name.to_owned()).stack_size(STACK_BYTES)
}

/// Returns whether the rest of the calling thread's stack is large enough for all environments, or its size is unknown.
#[inline]
pub fn has_stack_for_steps() -> bool {
    stacker::remaining_stack().is_none_or(|bytes| bytes >= STEP_BYTES)
}
