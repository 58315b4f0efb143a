//! Failures that could not be reported to the XLA runtime. The next call of any program fails with their message.

use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};

use super::xla_error::{Code, Result, XlaError};

static MESSAGE: Mutex<Option<String>> = Mutex::new(None);
static HAS_MESSAGE: AtomicBool = AtomicBool::new(false);

/// Records the message of a failed call whose results remain unwritten, and prints it.
pub fn record(message: String) {
    eprintln!("envpool_rs: {message}");
    // Waiting for the lock could last forever in a forked child, because another thread of the parent may have held it.
    if let Ok(mut last) = MESSAGE.try_lock() {
        *last = Some(message);
        HAS_MESSAGE.store(true, Ordering::Release);
    }
}

/// Reports a recorded failure, once.
///
/// # Errors
/// If an earlier call failed without an error of the runtime.
#[inline]
pub fn check() -> Result<()> {
    if !HAS_MESSAGE.load(Ordering::Acquire) {
        return Ok(());
    }
    let recorded = MESSAGE.try_lock().ok().and_then(|mut last| {
        HAS_MESSAGE.store(false, Ordering::Release);
        last.take()
    });
    recorded.map_or(Ok(()), |message| {
        Err(XlaError::new(Code::FailedPrecondition, format!("an earlier call failed, and its results are undefined: {message}")))
    })
}
