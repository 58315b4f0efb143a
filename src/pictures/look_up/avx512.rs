//! Looks up 64 bytes at a time with AVX-512 and the byte permutations of VBMI.

use std::arch::x86_64::*;

/// Loads a table into four registers.
#[inline]
#[target_feature(enable = "avx512f,avx512bw")]
pub(crate) fn load(table: &[u8; 256]) -> [__m512i; 4] {
    // SAFETY: `table` has 256 bytes, the size of the four loads.
    std::array::from_fn(|i| unsafe { _mm512_loadu_epi8(table.as_ptr().add(64 * i).cast()) })
}

/// Looks up 64 bytes in a table.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vbmi")]
pub(crate) fn look_up(table: &[__m512i; 4], numbers: __m512i) -> __m512i {
    let upper = _mm512_movepi8_mask(numbers);
    let low = _mm512_permutex2var_epi8(table[0], numbers, table[1]);
    _mm512_mask_blend_epi8(upper, low, _mm512_permutex2var_epi8(table[2], numbers, table[3]))
}

/// Looks up the pixels of all screens, and writes the pixelwise maximum of the results to `out`, whose length each screen has.
#[target_feature(enable = "avx512f,avx512bw,avx512vbmi")]
pub(super) fn look_up_maximum(screens: &[&[u8]], table: &[u8; 256], out: &mut [u8]) {
    let table = load(table);
    for at in (0..out.len()).step_by(64) {
        let inside = u64::MAX >> 64_usize.saturating_sub(out.len() - at);
        let mut most = _mm512_setzero_si512();
        for screen in screens {
            // SAFETY: the mask limits the load to bytes of the screen, which is as long as `out`.
            let numbers = unsafe { _mm512_maskz_loadu_epi8(inside, screen.as_ptr().add(at).cast()) };
            most = _mm512_max_epu8(most, look_up(&table, numbers));
        }
        // SAFETY: the mask limits the store to bytes of `out`.
        unsafe { _mm512_mask_storeu_epi8(out.as_mut_ptr().add(at).cast(), inside, most) };
    }
}
