//! Notices that the process has been forked: worker threads do not survive into the child, so a pool is of no use there.

use std::sync::Once;
use std::sync::atomic::{AtomicU32, Ordering};

/// How many forks lie between this process and the first one that used the engine. Written by the handler in the child,
/// before `fork` returns there and while it has one thread; so relaxed loads see it.
static GENERATION: AtomicU32 = AtomicU32::new(0);

/// This process's generation; different from the parent's in a forked child.
#[inline]
pub fn generation() -> u32 {
    GENERATION.load(Ordering::Relaxed)
}

/// Installs the fork handler; called before the first pool is made.
pub fn watch() {
    static INSTALLED: Once = Once::new();
    INSTALLED.call_once(install);
}

#[cfg(unix)]
fn install() {
    extern "C" fn in_child() {
        GENERATION.fetch_add(1, Ordering::Relaxed);
    }
    // SAFETY: the handler is async-signal-safe: it adds to an atomic. Where registration fails (out of memory), forks go
    // unnoticed, which is what happens without it.
    unsafe { libc::pthread_atfork(None, None, Some(in_child)) };
}

#[cfg(not(unix))]
fn install() {}
