//! Rows in vector registers.

use std::arch::x86_64::*;

use super::{FROM, Gray, REGISTERS, RESULT, Rows, Source, Sums, TO, Tables, UNITS, USED};

/// AVX2, and look-up by the table's rows of 16 bytes.
pub(super) struct Avx2;
/// AVX2, and look-up by AVX-512's byte permutations.
pub(super) struct Avx512;

/// # Safety
/// The processor has these instructions.
#[target_feature(enable = "avx2,fma")]
pub(super) unsafe fn run_avx2(tables: &Tables, source: &impl Source, out: &mut [u8; RESULT]) {
    // SAFETY: passed on to the caller.
    unsafe { tables.run::<Avx2>(source, out) }
}

/// # Safety
/// The processor has these instructions.
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vbmi,avx2,fma")]
pub(super) unsafe fn run_avx512(tables: &Tables, source: &impl Source, out: &mut [u8; RESULT]) {
    // SAFETY: passed on to the caller.
    unsafe { tables.run::<Avx512>(source, out) }
}

impl Rows for Avx2 {
    #[inline(always)]
    unsafe fn gray(one: &[u8; FROM.1], other: &[u8; FROM.1], table: &[u8; 256], out: &mut Gray) {
        // SAFETY: passed on to the caller.
        unsafe { gray_avx2(one, other, table, out) }
    }

    #[inline(always)]
    unsafe fn sum(tables: &Tables, gray: &Gray) -> Sums {
        // SAFETY: passed on to the caller.
        unsafe { sum(tables, gray) }
    }

    #[inline(always)]
    unsafe fn round(twice: [&Sums; 2], once: &Sums, out: &mut [u8; TO.1]) -> [u16; REGISTERS] {
        // SAFETY: passed on to the caller.
        unsafe { round(twice, once, out) }
    }
}

impl Rows for Avx512 {
    #[inline(always)]
    unsafe fn gray(one: &[u8; FROM.1], other: &[u8; FROM.1], table: &[u8; 256], out: &mut Gray) {
        // SAFETY: passed on to the caller.
        unsafe { gray_avx512(one, other, table, out) }
    }

    #[inline(always)]
    unsafe fn sum(tables: &Tables, gray: &Gray) -> Sums {
        // SAFETY: passed on to the caller.
        unsafe { sum(tables, gray) }
    }

    #[inline(always)]
    unsafe fn round(twice: [&Sums; 2], once: &Sums, out: &mut [u8; TO.1]) -> [u16; REGISTERS] {
        // SAFETY: passed on to the caller.
        unsafe { round(twice, once, out) }
    }
}

/// # Safety
/// The processor has these instructions.
#[inline]
#[target_feature(enable = "avx2")]
unsafe fn sum(tables: &Tables, gray: &Gray) -> Sums {
    let mut sums = Sums::default();
    for (halves, sums) in tables.halves.chunks_exact(2).zip(&mut sums) {
        let [one, other] = [&halves[0], &halves[1]];
        // SAFETY: the last half begins at pixel 146, and a row of `Gray` has 192 bytes; the rest are whole arrays.
        unsafe {
            let load = |one: *const u8, other: *const u8| _mm256_loadu2_m128i(other.cast(), one.cast());
            let pixels = load(gray.as_ptr().add(one.first), gray.as_ptr().add(other.first));
            let step = |i: usize| {
                let picked = _mm256_shuffle_epi8(pixels, load(one.picks[i].as_ptr(), other.picks[i].as_ptr()));
                _mm256_maddubs_epi16(picked, load(one.weights[i].as_ptr().cast(), other.weights[i].as_ptr().cast()))
            };
            _mm256_storeu_si256(sums.as_mut_ptr().cast(), _mm256_add_epi16(step(0), step(1)));
        }
    }
    sums
}

/// # Safety
/// The processor has these instructions.
#[inline]
#[target_feature(enable = "avx2")]
unsafe fn round(twice: [&Sums; 2], once: &Sums, out: &mut [u8; TO.1]) -> [u16; REGISTERS] {
    let mut marked = [0; REGISTERS];
    // An eighth byte is overwritten by the next seven, and the last one falls beyond the row.
    let mut bytes = [0_u8; TO.1 + 8 - USED];
    for (register, marked) in marked.iter_mut().enumerate() {
        // SAFETY: whole arrays; the last store ends with `bytes`.
        unsafe {
            let load = |sums: &Sums| _mm256_loadu_si256(sums[register].as_ptr().cast());
            let doubled = _mm256_slli_epi16::<1>(_mm256_add_epi16(load(twice[0]), load(twice[1])));
            let half = _mm256_set1_epi16(UNITS as i16 / 2);
            let sum = _mm256_add_epi16(_mm256_add_epi16(doubled, load(once)), half);
            // 41,944 / 2^20 is so near to 8 / 200 that no quotient of a sum up to 51,100 is another.
            let eighth = _mm256_srli_epi16::<3>(sum);
            let quotient = _mm256_srli_epi16::<4>(_mm256_mulhi_epu16(eighth, _mm256_set1_epi16(41_944_u16 as i16)));
            let product = _mm256_mullo_epi16(quotient, _mm256_set1_epi16(UNITS as i16));
            let halfway = _mm256_cmpeq_epi16(product, sum);
            let packed = _mm256_packus_epi16(quotient, quotient);
            let at = bytes.as_mut_ptr().add(2 * register * USED);
            _mm_storel_epi64(at.cast(), _mm256_castsi256_si128(packed));
            _mm_storel_epi64(at.add(USED).cast(), _mm256_extracti128_si256::<1>(packed));
            let halves = _mm_packs_epi16(_mm256_castsi256_si128(halfway), _mm256_extracti128_si256::<1>(halfway));
            *marked = _mm_movemask_epi8(halves) as u16;
        }
    }
    out.copy_from_slice(&bytes[..TO.1]);
    marked
}

/// # Safety
/// The processor has these instructions.
#[inline]
#[target_feature(enable = "avx2")]
unsafe fn gray_avx2(one: &[u8; FROM.1], other: &[u8; FROM.1], table: &[u8; 256], out: &mut Gray) {
    for at in (0..FROM.1).step_by(32) {
        // SAFETY: 160 is a multiple of 32.
        unsafe {
            let colours = [one, other].map(|row| _mm256_loadu_si256(row.as_ptr().add(at).cast()));
            let mut gray = look_up(colours[0], table);
            if _mm256_movemask_epi8(_mm256_cmpeq_epi8(colours[0], colours[1])) != -1 {
                gray = _mm256_max_epu8(gray, look_up(colours[1], table));
            }
            _mm256_storeu_si256(out.as_mut_ptr().add(at).cast(), gray);
        }
    }
}

/// Looks up 32 colours, hue by hue: there are seldom many beside each other.
///
/// # Safety
/// The processor has these instructions.
#[inline]
#[target_feature(enable = "avx2")]
unsafe fn look_up(colours: __m256i, table: &[u8; 256]) -> __m256i {
    let low = _mm256_set1_epi8(15);
    let luminances = _mm256_and_si256(colours, low);
    let hues = _mm256_andnot_si256(low, colours);
    let mut gray = _mm256_setzero_si256();
    let mut left = u32::MAX;
    let mut bytes = [0_u8; 32];
    // SAFETY: 32 bytes.
    unsafe { _mm256_storeu_si256(bytes.as_mut_ptr().cast(), hues) };
    while left != 0 {
        let hue = bytes[left.trailing_zeros() as usize];
        // SAFETY: a hue is a multiple of 16, and 16 bytes of the table are its own.
        let row = unsafe { _mm_loadu_si128(table.as_ptr().add(usize::from(hue)).cast()) };
        let found = _mm256_shuffle_epi8(_mm256_broadcastsi128_si256(row), luminances);
        let is_hue = _mm256_cmpeq_epi8(hues, _mm256_set1_epi8(hue as i8));
        gray = _mm256_blendv_epi8(gray, found, is_hue);
        left &= !(_mm256_movemask_epi8(is_hue) as u32);
    }
    gray
}

/// # Safety
/// The processor has these instructions.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vbmi")]
unsafe fn gray_avx512(one: &[u8; FROM.1], other: &[u8; FROM.1], table: &[u8; 256], out: &mut Gray) {
    // SAFETY: 256 bytes.
    let table: [__m512i; 4] = std::array::from_fn(|i| unsafe { _mm512_loadu_epi8(table.as_ptr().add(64 * i).cast()) });
    let look_up = |colours: __m512i| {
        let upper = _mm512_movepi8_mask(colours);
        let low = _mm512_permutex2var_epi8(table[0], colours, table[1]);
        _mm512_mask_blend_epi8(upper, low, _mm512_permutex2var_epi8(table[2], colours, table[3]))
    };
    for at in (0..FROM.1).step_by(64) {
        let inside = if at + 64 <= FROM.1 { u64::MAX } else { u64::MAX >> (at + 64 - FROM.1) };
        // SAFETY: bytes beyond the row are masked, and `out` has 192 bytes.
        unsafe {
            let [one, other] = [one, other].map(|row| look_up(_mm512_maskz_loadu_epi8(inside, row.as_ptr().add(at).cast())));
            _mm512_storeu_epi8(out.as_mut_ptr().add(at).cast(), _mm512_max_epu8(one, other));
        }
    }
}
