//! Runs uninterruptible work, such as another library's compiler, in a thread that its caller may abandon.

use std::panic::resume_unwind;
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::sync::{Arc, Mutex, PoisonError};

use crate::contract::error::{Error, Result};
use crate::threads::float_mode::FloatModeGuard;
use crate::threads::interrupt_poller::{InterruptPoller, POLL_INTERVAL};
use crate::threads::worker_thread::worker_thread;
use envpool_rs_sync::fork;

/// Runs `work` in a helper thread. If the caller is interrupted, it stops waiting, and the thread drops the result.
///
/// If the system refuses a thread, the caller runs `work` itself.
///
/// # Errors
/// Errors that `work` returns; `Interrupted` if the caller was interrupted; `State` in a process that was forked during the call,
/// because the thread does not exist there.
///
/// # Panics
/// If `work` panics, with the same payload.
pub fn run_interruptibly<T: Send + 'static>(
    interrupts: &mut InterruptPoller<'_>,
    work: impl FnOnce() -> Result<T> + Send + 'static,
) -> Result<T> {
    let generation = fork::generation();
    // If the system cannot start the thread, it drops the thread's closure. `work` is shared, so that the caller can still run
    // it.
    let shared = Arc::new(Mutex::new(Some(work)));
    let take = |shared: &Mutex<Option<_>>| shared.lock().unwrap_or_else(PoisonError::into_inner).take();
    let (running, ended) = channel::<()>();
    let taken = Arc::clone(&shared);
    let help = move || {
        let _running = running;
        let _standard = FloatModeGuard::enter();
        take(&taken).map(|work| work())
    };
    let started = fork::without_forks(|| worker_thread("helper").spawn(help));
    let Ok(helper) = started else {
        let work = take(&shared).expect("no thread has taken the work");
        return work();
    };
    while let Err(RecvTimeoutError::Timeout) = ended.recv_timeout(POLL_INTERVAL) {
        let goes_on = interrupts.check();
        if fork::generation() != generation {
            // The forked process leaks the thread's handle and its channel instead of dropping them. At the time of the fork, the
            // thread may have held the channel's locks.
            std::mem::forget((helper, ended));
            return Err(Error::State("the process was forked during this call: call again".into()));
        }
        goes_on?;
    }
    match helper.join() {
        Ok(result) => result.expect("no other thread took the work"),
        Err(panic) => resume_unwind(panic),
    }
}

#[cfg(test)]
mod tests {
    use std::panic::{AssertUnwindSafe, catch_unwind};
    use std::sync::mpsc::Receiver;
    use std::thread;
    use std::time::{Duration, Instant};

    use super::*;

    /// Sends the id of the current thread through a channel when it is dropped.
    struct DropProbe(std::sync::mpsc::Sender<thread::ThreadId>);

    impl Drop for DropProbe {
        fn drop(&mut self) {
            _ = self.0.send(thread::current().id());
        }
    }

    fn waiting(until: Receiver<()>) -> (impl FnOnce() -> Result<DropProbe> + Send, Receiver<thread::ThreadId>) {
        let (dropped, drops) = channel();
        let work = move || {
            _ = until.recv();
            Ok(DropProbe(dropped))
        };
        (work, drops)
    }

    #[test]
    fn the_caller_gets_the_result_error_or_panic_of_the_closure() {
        let mut never = || false;
        let mut interrupts = InterruptPoller::new(&mut never);
        let caller = thread::current().id();
        assert!(run_interruptibly(&mut interrupts, || Ok(thread::current().id())).unwrap() != caller);
        let error = Error::NotFound("a file".into());
        let refused = error.clone();
        assert_eq!(run_interruptibly::<()>(&mut interrupts, move || Err(refused)), Err(error));
        let panicked = catch_unwind(AssertUnwindSafe(|| run_interruptibly::<()>(&mut interrupts, || resume_unwind(Box::new(7)))));
        assert_eq!(panicked.unwrap_err().downcast_ref(), Some(&7));
    }

    #[test]
    fn an_interrupt_ends_the_wait_at_once_and_the_thread_drops_the_result() {
        let (go_on, until) = channel();
        let (work, drops) = waiting(until);
        let started = Instant::now();
        let mut asked = 0;
        let mut third = || {
            asked += 1;
            asked == 3
        };
        let interrupted = run_interruptibly(&mut InterruptPoller::new(&mut third), work);
        assert!(matches!(interrupted, Err(Error::Interrupted)));
        assert!(started.elapsed() < Duration::from_secs(5), "{:?}", started.elapsed());
        assert!(drops.try_recv().is_err(), "nothing was made yet");
        go_on.send(()).unwrap();
        assert_ne!(drops.recv().unwrap(), thread::current().id());
    }
}
