//! Threads: waiting, cost estimates, locks, stacks, floating-point mode, forks and interrupts.

pub mod cost;
pub mod float_mode;
pub mod interrupt_poller;
pub mod interruptible;
pub mod owned_mutex;
pub mod parallel_loop;
pub mod stack;
pub mod thread_pool;
pub mod try_lock;
pub mod wait_queue;
pub mod wake_counter;
pub mod worker_thread;
