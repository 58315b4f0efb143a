//! Detects that the process was forked, and delays forks during calls that other threads must not leave half done. Other threads
//! do not exist in the child, so a pool is unusable there.

#[cfg(unix)]
use std::cell::Cell;
#[cfg(unix)]
use std::mem::ManuallyDrop;
#[cfg(unix)]
use std::sync::atomic::AtomicBool;
use std::sync::atomic::{AtomicU32, Ordering};
#[cfg(unix)]
use std::sync::{PoisonError, RwLock, RwLockWriteGuard};

/// Number of forks between this process and the first process that installed the handler. The handler writes it in the child
/// before `fork` returns, when the child has one thread, so relaxed loads suffice.
static GENERATION: AtomicU32 = AtomicU32::new(0);

/// Returns this process's fork count, which differs from the parent's in a forked child.
#[inline]
pub fn generation() -> u32 {
    GENERATION.load(Ordering::Relaxed)
}

/// Lock that a thread holds while it forks, and that others share during [`without_forks`].
#[cfg(unix)]
static FORKS: RwLock<()> = RwLock::new(());

#[cfg(unix)]
thread_local! {
    /// Guard of [`FORKS`] while this thread forks. It has no destructor, so that a thread may fork while it ends.
    static FORKING: Cell<ManuallyDrop<Option<RwLockWriteGuard<'static, ()>>>> = const { Cell::new(ManuallyDrop::new(None)) };
}

/// Calls `work`. Forks of this process wait meanwhile, as long as `work` runs.
///
/// `work` starts a thread, or calls a library that locks locks of its own. It must neither fork, nor call this function, nor wait
/// for a lock that a thread may hold while it forks, such as Python's.
///
/// glibc 2.36 (`get_cached_stack`) frees the thread-local memory of the stack that a new thread reuses, and forgets the addresses
/// afterwards, without a lock. A child that is forked in between would free this memory again when it starts a thread: "double free
/// or corruption". Of 20,000 children of a C program that starts threads, 26 ended so.
#[cfg(unix)]
pub fn without_forks<T>(work: impl FnOnce() -> T) -> T {
    install_handler();
    let _no_fork = FORKS.read().unwrap_or_else(PoisonError::into_inner);
    work()
}

/// Calls `work`. This system has no forks.
#[cfg(not(unix))]
pub fn without_forks<T>(work: impl FnOnce() -> T) -> T {
    work()
}

/// Installs the fork handlers; called before the first pool is created.
#[cfg(unix)]
pub fn install_handler() {
    static IS_INSTALLED: AtomicBool = AtomicBool::new(false);
    extern "C" fn before() {
        let held = ManuallyDrop::into_inner(FORKING.take());
        let held = held.unwrap_or_else(|| FORKS.write().unwrap_or_else(PoisonError::into_inner));
        FORKING.set(ManuallyDrop::new(Some(held)));
    }
    extern "C" fn in_parent() {
        drop(ManuallyDrop::into_inner(FORKING.take()));
    }
    extern "C" fn in_child() {
        in_parent();
        GENERATION.fetch_add(1, Ordering::Relaxed);
    }
    // No lock is used, because a fork could copy it locked. If two threads install the handlers at the same time, a fork counts
    // twice, and the generations differ all the same; the forking thread takes the lock once.
    if !IS_INSTALLED.load(Ordering::Acquire) {
        // SAFETY: the handlers take and release a lock, and add to an atomic. The thread that releases the lock in the child is
        // the one that has taken it, and threads that hold it do not fork. If registration fails (out of memory), forks are not
        // detected.
        unsafe { libc::pthread_atfork(Some(before), Some(in_parent), Some(in_child)) };
        IS_INSTALLED.store(true, Ordering::Release);
    }
}

/// Does nothing: this system has no forks.
#[cfg(not(unix))]
pub fn install_handler() {}

#[cfg(all(test, unix))]
mod tests {
    use std::sync::atomic::AtomicBool;
    use std::sync::mpsc::channel;
    use std::thread;
    use std::time::Duration;

    use super::*;

    #[test]
    fn a_fork_waits_until_a_call_ends() {
        static IS_STARTED: AtomicBool = AtomicBool::new(false);
        let (starting, is_starting) = channel();
        let starter = thread::spawn(move || {
            without_forks(|| {
                starting.send(()).unwrap();
                thread::sleep(Duration::from_millis(50));
                IS_STARTED.store(true, Ordering::SeqCst);
            });
        });
        is_starting.recv().unwrap();
        let forks = generation();
        assert!(crate::is_true_in_a_child(|| {
            let is_started = IS_STARTED.load(Ordering::SeqCst);
            is_started && generation() > forks && without_forks(|| thread::spawn(|| 7)).join().is_ok_and(|number| number == 7)
        }));
        starter.join().unwrap();
        assert!(without_forks(|| true), "the parent's lock is free");
    }
}
