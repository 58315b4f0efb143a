//! Makes threads that step environments.

use std::thread::Builder;

/// Size of a thread's stack in bytes; the system commits only the memory that is used. Simulations with many degrees of freedom keep
/// matrices of SIMD vectors on the stack: more than 2 MiB, the standard size, if they are compiled without optimisation.
const STACK_BYTES: usize = 16 << 20;

/// Returns a builder of a thread with the given name and a stack that is large enough for all environments.
pub fn worker_thread(name: &str) -> Builder {
    Builder::new().name(name.to_owned()).stack_size(STACK_BYTES)
}
