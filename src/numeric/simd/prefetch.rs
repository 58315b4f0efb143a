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

/// Starts to load the `bytes` bytes at `address` into the second-level cache, without waiting for them. The address may be any,
/// because a prefetch neither reads nor writes memory and never faults. Does nothing on processors other than x86-64.
#[inline(always)]
pub fn prefetch_into_l2(address: *const u8, bytes: usize) {
    #[cfg(target_arch = "x86_64")]
    {
        use std::arch::x86_64::{_MM_HINT_T1, _mm_prefetch};

        for offset in (0..bytes).step_by(CACHE_LINE) {
            // SAFETY: a prefetch accepts every address, and neither reads nor writes memory.
            unsafe { _mm_prefetch::<_MM_HINT_T1>(address.wrapping_add(offset).cast()) };
        }
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = (address, bytes);
}
