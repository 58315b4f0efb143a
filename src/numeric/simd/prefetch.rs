//! Hints to load memory into the processor's cache.

/// Size of a cache line in bytes.
#[cfg(target_arch = "x86_64")]
const CACHE_LINE: usize = 64;

/// Starts to load the elements of a slice into the cache, without waiting for them. Does nothing on processors other than x86-64.
#[inline(always)]
pub fn prefetch<T>(elements: &[T]) {
    #[cfg(target_arch = "x86_64")]
    {
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};

        let (start, size) = (elements.as_ptr().cast::<i8>(), size_of_val(elements));
        for at in (0..size).step_by(CACHE_LINE).chain(size.checked_sub(1)) {
            // SAFETY: a prefetch neither reads nor writes memory.
            unsafe { _mm_prefetch::<_MM_HINT_T0>(start.wrapping_add(at)) };
        }
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = elements;
}
