//! Locks and lazily made values of a process that stay usable in its forked children.
//!
//! A fork copies the memory of a process, but only the thread that forks. A lock that another thread holds at that moment stays
//! locked in the child forever, and a value that another thread makes at that moment is never made. So statics, and memory that
//! pools of parent and child share, use the types of this crate instead of [`std::sync`]'s. They compare the [`fork::generation`]
//! of the process with that of the holder.

mod append_list;
pub mod fork;
mod fork_mutex;
mod fork_once;

pub use append_list::AppendList;
pub use fork_mutex::{ForkMutex, ForkMutexGuard};
pub use fork_once::{ForkLazy, ForkOnce};

/// Forks, runs `body` in the child, and returns whether it returned true within a minute.
#[cfg(all(test, unix))]
fn is_true_in_a_child(body: impl FnOnce() -> bool) -> bool {
    // SAFETY: the child calls `body`, which takes locks of this crate and allocates (glibc's allocator works in a forked child),
    // and ends by `_exit`.
    unsafe {
        let child = libc::fork();
        assert!(child >= 0, "fork failed");
        if child == 0 {
            libc::alarm(60); // ends a child that waits for a lock
            libc::_exit(i32::from(!body()));
        }
        let mut status = 0;
        assert_eq!(libc::waitpid(child, &raw mut status, 0), child);
        libc::WIFEXITED(status) && libc::WEXITSTATUS(status) == 0
    }
}
