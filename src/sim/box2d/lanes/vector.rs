//! Sixteen float32s at once, in the vector registers of x86-64.

use std::arch::x86_64::{
    __m256, __m512, __mmask16, _CMP_GE_OQ, _CMP_LT_OQ, _mm256_add_ps, _mm256_and_ps, _mm256_and_si256, _mm256_andnot_ps,
    _mm256_blendv_ps, _mm256_castsi256_ps, _mm256_cmp_ps, _mm256_cmpeq_epi32, _mm256_loadu_ps, _mm256_max_ps, _mm256_min_ps,
    _mm256_mul_ps, _mm256_or_ps, _mm256_set1_epi32, _mm256_set1_ps, _mm256_setr_epi32, _mm256_storeu_ps, _mm256_sub_ps,
    _mm256_xor_ps, _mm512_add_ps, _mm512_castps_si512, _mm512_castsi512_ps, _mm512_cmp_ps_mask, _mm512_loadu_ps,
    _mm512_mask_blend_ps, _mm512_max_ps, _mm512_min_ps, _mm512_mul_ps, _mm512_set1_epi32, _mm512_set1_ps, _mm512_storeu_ps,
    _mm512_sub_ps, _mm512_xor_si512,
};

/// Worlds in a vector.
pub const WIDTH: usize = 16;

/// A number of each world.
#[derive(Debug, Clone, Copy, PartialEq)]
#[repr(align(64))]
pub struct Row(pub [f32; WIDTH]);

impl Default for Row {
    fn default() -> Self {
        Self([0.0; WIDTH])
    }
}

/// Numbers of sixteen worlds in registers.
///
/// Nobody but functions that are compiled for these instructions may use it; [`super::solve`] calls them where the processor has them. Each
/// operation rounds as the same one of a single number does.
pub trait Vector: Copy {
    /// A truth for each world.
    type Mask: Copy;

    /// The same number for all.
    fn splat(number: f32) -> Self;
    /// From memory.
    fn load(row: &Row) -> Self;
    /// Into memory.
    fn store(self, row: &mut Row);
    /// Sum.
    fn add(self, other: Self) -> Self;
    /// Difference.
    fn sub(self, other: Self) -> Self;
    /// Product.
    fn mul(self, other: Self) -> Self;
    /// With the other sign.
    fn neg(self) -> Self;
    /// The smaller; the other where one is no number.
    fn min(self, other: Self) -> Self;
    /// The greater; the other where one is no number.
    fn max(self, other: Self) -> Self;
    /// Whether it is less.
    fn lt(self, other: Self) -> Self::Mask;
    /// Whether it is not less, and both are numbers.
    fn ge(self, other: Self) -> Self::Mask;
    /// This where it holds, else the other.
    fn select(mask: Self::Mask, this: Self, other: Self) -> Self;
    /// The worlds whose bits are set.
    fn mask(bits: u16) -> Self::Mask;
    /// Both.
    fn and(a: Self::Mask, b: Self::Mask) -> Self::Mask;
    /// Either.
    fn or(a: Self::Mask, b: Self::Mask) -> Self::Mask;
    /// The first without the second.
    fn without(a: Self::Mask, b: Self::Mask) -> Self::Mask;
}

/// One register of AVX-512.
#[derive(Debug, Clone, Copy)]
pub struct Wide(__m512);

/// Two registers of AVX2, one of which is computed while the other waits.
#[derive(Debug, Clone, Copy)]
pub struct Pair(__m256, __m256);

/// A truth for each half of a [`Pair`].
#[derive(Debug, Clone, Copy)]
pub struct PairMask(__m256, __m256);

macro_rules! wide {
    ($($name:ident $intrinsic:ident),*) => {
        $(#[inline(always)]
        fn $name(self, other: Self) -> Self {
            // SAFETY: only called where the processor has AVX-512: see [`Vector`].
            Self(unsafe { $intrinsic(self.0, other.0) })
        })*
    };
}

impl Vector for Wide {
    type Mask = __mmask16;

    wide!(add _mm512_add_ps, sub _mm512_sub_ps, mul _mm512_mul_ps, min _mm512_min_ps, max _mm512_max_ps);

    #[inline(always)]
    fn splat(number: f32) -> Self {
        // SAFETY: only called where the processor has AVX-512: see [`Vector`].
        Self(unsafe { _mm512_set1_ps(number) })
    }

    #[inline(always)]
    fn load(row: &Row) -> Self {
        // SAFETY: only called where the processor has AVX-512: see [`Vector`]. A row has sixteen numbers.
        Self(unsafe { _mm512_loadu_ps(row.0.as_ptr()) })
    }

    #[inline(always)]
    fn store(self, row: &mut Row) {
        // SAFETY: only called where the processor has AVX-512: see [`Vector`]. A row has sixteen numbers.
        unsafe { _mm512_storeu_ps(row.0.as_mut_ptr(), self.0) }
    }

    #[inline(always)]
    fn neg(self) -> Self {
        // SAFETY: only called where the processor has AVX-512: see [`Vector`].
        Self(unsafe { _mm512_castsi512_ps(_mm512_xor_si512(_mm512_castps_si512(self.0), _mm512_set1_epi32(i32::MIN))) })
    }

    #[inline(always)]
    fn lt(self, other: Self) -> Self::Mask {
        // SAFETY: only called where the processor has AVX-512: see [`Vector`].
        unsafe { _mm512_cmp_ps_mask::<_CMP_LT_OQ>(self.0, other.0) }
    }

    #[inline(always)]
    fn ge(self, other: Self) -> Self::Mask {
        // SAFETY: only called where the processor has AVX-512: see [`Vector`].
        unsafe { _mm512_cmp_ps_mask::<_CMP_GE_OQ>(self.0, other.0) }
    }

    #[inline(always)]
    fn select(mask: Self::Mask, this: Self, other: Self) -> Self {
        // SAFETY: only called where the processor has AVX-512: see [`Vector`].
        Self(unsafe { _mm512_mask_blend_ps(mask, other.0, this.0) })
    }

    #[inline(always)]
    fn mask(bits: u16) -> Self::Mask {
        bits
    }

    #[inline(always)]
    fn and(a: Self::Mask, b: Self::Mask) -> Self::Mask {
        a & b
    }

    #[inline(always)]
    fn or(a: Self::Mask, b: Self::Mask) -> Self::Mask {
        a | b
    }

    #[inline(always)]
    fn without(a: Self::Mask, b: Self::Mask) -> Self::Mask {
        a & !b
    }
}

macro_rules! pair {
    ($($name:ident $intrinsic:ident),*) => {
        $(#[inline(always)]
        fn $name(self, other: Self) -> Self {
            // SAFETY: only called where the processor has AVX2: see [`Vector`].
            unsafe { Self($intrinsic(self.0, other.0), $intrinsic(self.1, other.1)) }
        })*
    };
}

/// Eight worlds whose bits are set.
#[inline(always)]
fn eight(bits: i32) -> __m256 {
    // SAFETY: only called where the processor has AVX2: see [`Vector`].
    unsafe {
        let each = _mm256_setr_epi32(1, 2, 4, 8, 16, 32, 64, 128);
        _mm256_castsi256_ps(_mm256_cmpeq_epi32(_mm256_and_si256(_mm256_set1_epi32(bits), each), each))
    }
}

impl Vector for Pair {
    type Mask = PairMask;

    pair!(add _mm256_add_ps, sub _mm256_sub_ps, mul _mm256_mul_ps, min _mm256_min_ps, max _mm256_max_ps);

    #[inline(always)]
    fn splat(number: f32) -> Self {
        // SAFETY: only called where the processor has AVX2: see [`Vector`].
        unsafe { Self(_mm256_set1_ps(number), _mm256_set1_ps(number)) }
    }

    #[inline(always)]
    fn load(row: &Row) -> Self {
        // SAFETY: only called where the processor has AVX2: see [`Vector`]. A row has sixteen numbers.
        unsafe { Self(_mm256_loadu_ps(row.0.as_ptr()), _mm256_loadu_ps(row.0.as_ptr().add(8))) }
    }

    #[inline(always)]
    fn store(self, row: &mut Row) {
        // SAFETY: only called where the processor has AVX2: see [`Vector`]. A row has sixteen numbers.
        unsafe {
            _mm256_storeu_ps(row.0.as_mut_ptr(), self.0);
            _mm256_storeu_ps(row.0.as_mut_ptr().add(8), self.1);
        }
    }

    #[inline(always)]
    fn neg(self) -> Self {
        // SAFETY: only called where the processor has AVX2: see [`Vector`].
        unsafe {
            let sign = _mm256_set1_ps(-0.0);
            Self(_mm256_xor_ps(self.0, sign), _mm256_xor_ps(self.1, sign))
        }
    }

    #[inline(always)]
    fn lt(self, other: Self) -> PairMask {
        // SAFETY: only called where the processor has AVX2: see [`Vector`].
        unsafe { PairMask(_mm256_cmp_ps::<_CMP_LT_OQ>(self.0, other.0), _mm256_cmp_ps::<_CMP_LT_OQ>(self.1, other.1)) }
    }

    #[inline(always)]
    fn ge(self, other: Self) -> PairMask {
        // SAFETY: only called where the processor has AVX2: see [`Vector`].
        unsafe { PairMask(_mm256_cmp_ps::<_CMP_GE_OQ>(self.0, other.0), _mm256_cmp_ps::<_CMP_GE_OQ>(self.1, other.1)) }
    }

    #[inline(always)]
    fn select(mask: PairMask, this: Self, other: Self) -> Self {
        // SAFETY: only called where the processor has AVX2: see [`Vector`].
        unsafe { Self(_mm256_blendv_ps(other.0, this.0, mask.0), _mm256_blendv_ps(other.1, this.1, mask.1)) }
    }

    #[inline(always)]
    fn mask(bits: u16) -> PairMask {
        PairMask(eight(i32::from(bits & 0xFF)), eight(i32::from(bits >> 8)))
    }

    #[inline(always)]
    fn and(a: PairMask, b: PairMask) -> PairMask {
        // SAFETY: only called where the processor has AVX2: see [`Vector`].
        unsafe { PairMask(_mm256_and_ps(a.0, b.0), _mm256_and_ps(a.1, b.1)) }
    }

    #[inline(always)]
    fn or(a: PairMask, b: PairMask) -> PairMask {
        // SAFETY: only called where the processor has AVX2: see [`Vector`].
        unsafe { PairMask(_mm256_or_ps(a.0, b.0), _mm256_or_ps(a.1, b.1)) }
    }

    #[inline(always)]
    fn without(a: PairMask, b: PairMask) -> PairMask {
        // SAFETY: only called where the processor has AVX2: see [`Vector`].
        unsafe { PairMask(_mm256_andnot_ps(b.0, a.0), _mm256_andnot_ps(b.1, a.1)) }
    }
}
