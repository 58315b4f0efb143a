//! Detects that the process was forked. Worker threads do not exist in the child, so a pool is unusable there.

use std::sync::Once;
use std::sync::atomic::{AtomicU32, Ordering};

/// Number of forks between this process and the first process that used the engine. The fork handler writes it in the child
/// before `fork` returns, when the child has one thread, so relaxed loads suffice.
static GENERATION: AtomicU32 = AtomicU32::new(0);

/// Returns this process's fork count, which differs from the parent's in a forked child.
#[inline]
pub fn generation() -> u32 {
    GENERATION.load(Ordering::Relaxed)
}

/// Installs the fork handler; called before the first pool is created.
pub fn install_handler() {
    static INSTALLED: Once = Once::new();
    INSTALLED.call_once(install);
}

#[cfg(unix)]
fn install() {
    extern "C" fn in_child() {
        GENERATION.fetch_add(1, Ordering::Relaxed);
    }
    // SAFETY: the handler is async-signal-safe, because it only adds to an atomic. If registration fails (out of memory), forks
    // are not detected.
    unsafe { libc::pthread_atfork(None, None, Some(in_child)) };
}

#[cfg(not(unix))]
fn install() {}
