//! Wrappers for functions that a pool calls. They catch panics, and write error messages into the pool's buffer.

use std::cell::Cell;
use std::ffi::c_char;
use std::panic::{AssertUnwindSafe, catch_unwind};

use envpool_rs_engine::{Error, Result, panic_message};

use super::lanes::Lanes;
use crate::abi;
use crate::error_text::write_text;

/// Result of a successful call.
const OK: i64 = 0;
/// Result of a failed call.
const FAILED: i64 = 1;

/// Runs `act`. If `act` fails or panics, writes the message into a buffer of the pool, and returns `FAILED`.
///
/// # Safety
/// `error` is null, or valid for writing `error_size` bytes.
pub unsafe fn guarded(error: *mut c_char, error_size: u64, act: impl FnOnce() -> Result<()>) -> i64 {
    let text = match catch_unwind(AssertUnwindSafe(act)) {
        Ok(Ok(())) => return OK,
        Ok(Err(refused)) => refused.to_string(),
        Err(panic) => panic_message(&*panic),
    };
    // SAFETY: the caller guarantees that `error` is null, or valid for writing `error_size` bytes.
    unsafe { write_text(error, error_size, &text) };
    FAILED
}

/// Runs `act` on the lanes of a call. An error or a panic becomes the error of the call.
///
/// # Safety
/// `batch` points at lanes that belong to this thread during the call, as the interface requires.
pub unsafe fn guarded_batch(batch: *mut abi::Batch, act: impl FnOnce(&mut Lanes) -> Result<()>) -> i64 {
    // SAFETY: the caller guarantees that `batch` points at lanes that belong to this thread during the call.
    let mut lanes = unsafe { Lanes::new(batch) };
    let (error, error_size) = lanes.error();
    // SAFETY: `error` is the pool's buffer for the error message, which has `error_size` bytes.
    unsafe { guarded(error, error_size, || act(&mut lanes)) }
}

/// Runs `act` for each lane of a call. A panic, or an error that an environment raises, fails that lane alone.
pub fn each_lane(lanes: &mut Lanes, mut act: impl FnMut(&mut Lanes, usize)) {
    let next = Cell::new(0);
    while next.get() < lanes.count() {
        let run = || {
            for index in next.get()..lanes.count() {
                next.set(index);
                act(lanes, index);
            }
        };
        match catch_unwind(AssertUnwindSafe(run)) {
            Ok(()) => break,
            Err(panic) => lanes.fail(next.get(), &panic_message(&*panic)),
        }
        next.set(next.get() + 1);
    }
}

/// Copies bytes by the protocol of `save` and `render_text`: sets the length, and writes the bytes if they fit.
///
/// # Safety
/// `length` is valid for writing, and `out` for `room` bytes.
pub unsafe fn write_sized(bytes: &[u8], out: *mut u8, room: u64, length: *mut u64) {
    // SAFETY: the caller guarantees that `length`, and `room` bytes of `out`, are valid for writing. `bytes` is copied only if it
    // fits.
    unsafe {
        length.write(bytes.len() as u64);
        if bytes.len() as u64 <= room {
            std::ptr::copy_nonoverlapping(bytes.as_ptr(), out, bytes.len());
        }
    }
}

/// Returns the error for a property of an environment for which the C interface has no field.
pub fn unsupported(subject: &str, expected: &str) -> Error {
    Error::State(format!(
        "{subject}: expected {expected}; version {} of the plugin interface has no field for it",
        abi::ABI_VERSION
    ))
}
