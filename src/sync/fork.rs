//! Detects that the process was forked. Other threads do not exist in the child, so a pool is unusable there.

#[cfg(unix)]
use std::sync::atomic::AtomicBool;
use std::sync::atomic::{AtomicU32, Ordering};

/// Number of forks between this process and the first process that installed the handler. The handler writes it in the child
/// before `fork` returns, when the child has one thread, so relaxed loads suffice.
static GENERATION: AtomicU32 = AtomicU32::new(0);

/// Returns this process's fork count, which differs from the parent's in a forked child.
#[inline]
pub fn generation() -> u32 {
    GENERATION.load(Ordering::Relaxed)
}

/// Installs the fork handler; called before the first pool is created.
#[cfg(unix)]
pub fn install_handler() {
    static IS_INSTALLED: AtomicBool = AtomicBool::new(false);
    extern "C" fn in_child() {
        GENERATION.fetch_add(1, Ordering::Relaxed);
    }
    // No lock is used, because a fork could copy it locked. If two threads install the handler at the same time, a fork counts
    // twice, and the generations differ all the same.
    if !IS_INSTALLED.load(Ordering::Acquire) {
        // SAFETY: the handler is async-signal-safe, because it only adds to an atomic. If registration fails (out of memory),
        // forks are not detected.
        unsafe { libc::pthread_atfork(None, None, Some(in_child)) };
        IS_INSTALLED.store(true, Ordering::Release);
    }
}

/// Does nothing: this system has no forks.
#[cfg(not(unix))]
pub fn install_handler() {}
