//! Texts in buffers of the pool.

use std::ffi::c_char;

/// Writes `text` with a final zero byte, cut at a character to the size of the buffer.
///
/// # Safety
/// `out` is null, or valid for writing `size` bytes.
pub unsafe fn write_text(out: *mut c_char, size: u64, text: &str) {
    let Some(room) = usize::try_from(size).ok().and_then(|size| size.checked_sub(1)).filter(|_| !out.is_null()) else { return };
    // A zero byte would end the text early.
    let text = text.replace('\0', "\\0");
    let end = text.floor_char_boundary_at(room);
    // SAFETY: `end` is at most `room`, and one more byte is there for the zero.
    unsafe {
        std::ptr::copy_nonoverlapping(text.as_ptr(), out.cast::<u8>(), end);
        out.add(end).write(0);
    }
}

/// Cuts text at characters. The standard library's method of this kind is newer than this crate's oldest compiler.
trait CharBoundary {
    /// Returns the last boundary of a character at or before `index`.
    fn floor_char_boundary_at(&self, index: usize) -> usize;
}

impl CharBoundary for str {
    fn floor_char_boundary_at(&self, index: usize) -> usize {
        (0..=index.min(self.len())).rev().find(|end| self.is_char_boundary(*end)).unwrap_or(0)
    }
}
