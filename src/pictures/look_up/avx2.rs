//! Looks up 32 bytes at a time with AVX2.

use std::arch::x86_64::*;

/// Looks up the pixels of all screens, and writes the pixelwise maximum of the results to `out`, whose length each screen has.
#[inline]
#[target_feature(enable = "avx2")]
pub(crate) fn look_up_maximum(screens: &[&[u8]], table: &[u8; 256], out: &mut [u8]) {
    let whole = out.len() / 32 * 32;
    for at in (0..whole).step_by(32) {
        // SAFETY: `at + 32` is at most the length of `out` and of each screen.
        let load = |screen: &[u8]| unsafe { _mm256_loadu_si256(screen.as_ptr().add(at).cast()) };
        let first = load(screens[0]);
        let mut most = look_up(first, table);
        for screen in &screens[1..] {
            let other = load(screen);
            if _mm256_movemask_epi8(_mm256_cmpeq_epi8(first, other)) != -1 {
                most = _mm256_max_epu8(most, look_up(other, table));
            }
        }
        // SAFETY: `at + 32` is at most the length of `out`.
        unsafe { _mm256_storeu_si256(out.as_mut_ptr().add(at).cast(), most) };
    }
    for (at, out) in out.iter_mut().enumerate().skip(whole) {
        *out = screens.iter().fold(0, |most, screen| table[usize::from(screen[at])].max(most));
    }
}

/// Looks up 32 bytes, all bytes with the same upper four bits (one hue of an Atari's colours) at a time. This is fast, because
/// adjacent pixels seldom have many hues.
#[inline]
#[target_feature(enable = "avx2")]
fn look_up(numbers: __m256i, table: &[u8; 256]) -> __m256i {
    let low = _mm256_set1_epi8(15);
    let luminances = _mm256_and_si256(numbers, low);
    let hues = _mm256_andnot_si256(low, numbers);
    let mut bytes = [0_u8; 32];
    // SAFETY: the array `bytes` has 32 bytes, the size of the store.
    unsafe { _mm256_storeu_si256(bytes.as_mut_ptr().cast(), hues) };
    let mut found = _mm256_setzero_si256();
    let mut left = u32::MAX;
    while left != 0 {
        let hue = bytes[left.trailing_zeros() as usize];
        // SAFETY: `hue` is a multiple of 16 below 256, and `table` has 256 bytes, so 16 bytes are readable from index `hue`.
        let row = unsafe { _mm_loadu_si128(table.as_ptr().add(usize::from(hue)).cast()) };
        let of_hue = _mm256_shuffle_epi8(_mm256_broadcastsi128_si256(row), luminances);
        let is_hue = _mm256_cmpeq_epi8(hues, _mm256_set1_epi8(hue as i8));
        found = _mm256_blendv_epi8(found, of_hue, is_hue);
        left &= !(_mm256_movemask_epi8(is_hue) as u32);
    }
    found
}
