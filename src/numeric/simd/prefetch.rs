//! Hints to load memory into the processor's cache.

/// Size of a cache line in bytes.
#[cfg(target_arch = "x86_64")]
const CACHE_LINE: usize = 64;

/// Starts to load the elements of a slice into the cache, without waiting for them. Does nothing on processors other than x86-64.
#[inline(always)]
pub fn prefetch<T: Copy>(elements: &[T]) {
    #[cfg(target_arch = "x86_64")]
    {
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};

        let step = (CACHE_LINE / size_of::<T>().max(1)).max(1);
        for element in elements.iter().step_by(step).chain(elements.last()) {
            // SAFETY: the prefetched address is the address of an element of the slice, and a prefetch neither reads nor
            // writes memory.
            unsafe { _mm_prefetch::<_MM_HINT_T0>(std::ptr::from_ref(element).cast()) };
        }
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = elements;
}
