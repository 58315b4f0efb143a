//! Writes error messages and other strings into buffers of the pool.

use std::ffi::c_char;

/// Writes `text` with a final zero byte into a buffer of `size` bytes. A longer text is cut between two characters.
///
/// # Safety
/// `out` is null, or valid for writing `size` bytes.
pub unsafe fn write_text(out: *mut c_char, size: u64, text: &str) {
    let Some(room) = usize::try_from(size).ok().and_then(|size| size.checked_sub(1)).filter(|_| !out.is_null()) else { return };
    // Zero bytes are replaced, because a zero byte would end the C string early.
    let text = text.replace('\0', "\\0");
    let end = text.floor_char_boundary_at(room);
    // SAFETY: `end` is at most `room`, and the buffer has another byte for the final zero.
    unsafe {
        std::ptr::copy_nonoverlapping(text.as_ptr(), out.cast::<u8>(), end);
        out.add(end).write(0);
    }
}

/// Cuts a string between two characters. The standard library's method of this kind requires a newer compiler than this crate.
trait CharBoundary {
    /// Returns the last boundary between two characters at or before `index`.
    fn floor_char_boundary_at(&self, index: usize) -> usize;
}

impl CharBoundary for str {
    fn floor_char_boundary_at(&self, index: usize) -> usize {
        (0..=index.min(self.len())).rev().find(|end| self.is_char_boundary(*end)).unwrap_or(0)
    }
}
