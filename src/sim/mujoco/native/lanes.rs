//! Numbers of several simulations side by side: one, four in an AVX2 register, eight in an AVX-512 register.
//!
//! Every operation rounds each lane by itself, so that a lane's bits do not depend on how many there are. Nothing is ever fused.

use std::ops::{Add, Div, Mul, Neg, Sub};

/// A number of each lane.
pub(super) trait Lanes:
    Copy + Add<Output = Self> + Sub<Output = Self> + Mul<Output = Self> + Div<Output = Self> + Neg<Output = Self> + 'static
{
    /// How many there are.
    const COUNT: usize;
    /// Yes or no for each lane.
    type Mask: Copy;

    /// The same number in all lanes.
    fn all(value: f64) -> Self;
    fn sqrt(self) -> Self;
    fn abs(self) -> Self;
    fn lt(self, other: Self) -> Self::Mask;
    fn le(self, other: Self) -> Self::Mask;
    fn ne(self, other: Self) -> Self::Mask;
    /// `yes` where the mask says so, `no` elsewhere.
    fn select(mask: Self::Mask, yes: Self, no: Self) -> Self;
    /// Itself where the mask says so, 0 elsewhere.
    fn keep(self, mask: Self::Mask) -> Self;
    fn both(one: Self::Mask, other: Self::Mask) -> Self::Mask;
    fn either(one: Self::Mask, other: Self::Mask) -> Self::Mask;
    fn differ(one: Self::Mask, other: Self::Mask) -> Self::Mask;
    /// Bit `i` is lane `i`'s.
    fn bits(mask: Self::Mask) -> u32;
    fn mask(bits: u32) -> Self::Mask;
    fn get(self, lane: usize) -> f64;
    fn set(&mut self, lane: usize, value: f64);
    /// As the C library gives them.
    fn sin_cos(self) -> (Self, Self);
    /// Runs `work`, compiled for the instructions that this type is made of.
    fn enter<W: Work>(work: W) -> W::Output;

    /// The mask of all lanes, as bits.
    const ALL: u32 = ((1_u64 << Self::COUNT) - 1) as u32;

    #[inline(always)]
    fn gt(self, other: Self) -> Self::Mask {
        other.lt(self)
    }

    #[inline(always)]
    fn ge(self, other: Self) -> Self::Mask {
        other.le(self)
    }

    /// The larger, lane by lane; `self` where they are equal.
    #[inline(always)]
    fn max(self, other: Self) -> Self {
        Self::select(self.ge(other), self, other)
    }

    /// Whether a mask holds for any lane.
    #[inline(always)]
    fn any(mask: Self::Mask) -> bool {
        Self::bits(mask) != 0
    }

    /// A number for each lane.
    #[inline(always)]
    fn each(mut value: impl FnMut(usize) -> f64) -> Self {
        let mut lanes = Self::all(0.0);
        for lane in 0..Self::COUNT {
            lanes.set(lane, value(lane));
        }
        lanes
    }
}

/// Something to be computed with lanes, whose `run` has to be `#[inline(always)]`, and all that it calls: see [`Lanes::enter`].
pub(super) trait Work {
    type Output;
    fn run(self) -> Self::Output;
}

impl Lanes for f64 {
    const COUNT: usize = 1;
    type Mask = bool;

    #[inline(always)]
    fn all(value: f64) -> Self {
        value
    }
    #[inline(always)]
    fn sqrt(self) -> Self {
        f64::sqrt(self)
    }
    #[inline(always)]
    fn abs(self) -> Self {
        f64::abs(self)
    }
    #[inline(always)]
    fn lt(self, other: Self) -> bool {
        self < other
    }
    #[inline(always)]
    fn le(self, other: Self) -> bool {
        self <= other
    }
    #[inline(always)]
    fn ne(self, other: Self) -> bool {
        self != other
    }
    #[inline(always)]
    fn select(mask: bool, yes: Self, no: Self) -> Self {
        if mask { yes } else { no }
    }
    #[inline(always)]
    fn keep(self, mask: bool) -> Self {
        if mask { self } else { 0.0 }
    }
    #[inline(always)]
    fn both(one: bool, other: bool) -> bool {
        one & other
    }
    #[inline(always)]
    fn either(one: bool, other: bool) -> bool {
        one | other
    }
    #[inline(always)]
    fn differ(one: bool, other: bool) -> bool {
        one ^ other
    }
    #[inline(always)]
    fn bits(mask: bool) -> u32 {
        u32::from(mask)
    }
    #[inline(always)]
    fn mask(bits: u32) -> bool {
        bits & 1 != 0
    }
    #[inline(always)]
    fn get(self, _lane: usize) -> f64 {
        self
    }
    #[inline(always)]
    fn set(&mut self, _lane: usize, value: f64) {
        *self = value;
    }
    #[inline(always)]
    fn sin_cos(self) -> (Self, Self) {
        (self.sin(), self.cos())
    }
    /// Compiles each stage as a function of its own, as the vector types do: inlined, all solvers became one function that took minutes
    /// to optimise.
    #[inline(always)]
    fn enter<W: Work>(work: W) -> W::Output {
        #[inline(never)]
        fn run_stage<W: Work>(work: W) -> W::Output {
            work.run()
        }
        run_stage(work)
    }
}

#[cfg(target_arch = "x86_64")]
pub(super) use self::vectors::{Eight, Four};

#[cfg(target_arch = "x86_64")]
mod vectors {
    use std::arch::x86_64::*;
    use std::ops::{Add, Div, Mul, Neg, Sub};

    use super::{Lanes, Work};

    /// Four lanes. Only to be used where the processor has AVX2 and FMA: whoever steps lanes of this type has asked it.
    #[derive(Clone, Copy)]
    #[repr(transparent)]
    pub(in super::super) struct Four(__m256d);

    /// Eight lanes. Only to be used where the processor has AVX-512 (F, DQ, VL, BW).
    #[derive(Clone, Copy)]
    #[repr(transparent)]
    pub(in super::super) struct Eight(__m512d);

    macro_rules! operators {
        ($lanes:ident: $($operator:ident $method:ident $instruction:ident),*) => {
            $(impl $operator for $lanes {
                type Output = Self;
                #[inline(always)]
                fn $method(self, other: Self) -> Self {
                    // SAFETY: the type's promise: the processor has these instructions.
                    unsafe { Self($instruction(self.0, other.0)) }
                }
            })*
        };
    }
    operators!(Four: Add add _mm256_add_pd, Sub sub _mm256_sub_pd, Mul mul _mm256_mul_pd, Div div _mm256_div_pd);
    operators!(Eight: Add add _mm512_add_pd, Sub sub _mm512_sub_pd, Mul mul _mm512_mul_pd, Div div _mm512_div_pd);

    impl Neg for Four {
        type Output = Self;
        #[inline(always)]
        fn neg(self) -> Self {
            // SAFETY: the type's promise.
            unsafe { Self(_mm256_xor_pd(self.0, _mm256_set1_pd(-0.0))) }
        }
    }

    impl Neg for Eight {
        type Output = Self;
        #[inline(always)]
        fn neg(self) -> Self {
            // SAFETY: the type's promise.
            unsafe { Self(_mm512_xor_pd(self.0, _mm512_set1_pd(-0.0))) }
        }
    }

    /// Methods whose bodies are instructions.
    macro_rules! methods {
        ($(fn $name:ident($($argument:tt)*) $(-> $result:ty)? { $($body:tt)* })*) => {
            $(#[inline(always)]
            fn $name($($argument)*) $(-> $result)? {
                // SAFETY: the type's promise: the processor has these instructions.
                unsafe { $($body)* }
            })*
        };
    }

    impl Lanes for Four {
        const COUNT: usize = 4;
        type Mask = __m256d;

        methods! {
            fn all(value: f64) -> Self { Self(_mm256_set1_pd(value)) }
            fn sqrt(self) -> Self { Self(_mm256_sqrt_pd(self.0)) }
            fn abs(self) -> Self { Self(_mm256_andnot_pd(_mm256_set1_pd(-0.0), self.0)) }
            fn lt(self, other: Self) -> __m256d { _mm256_cmp_pd::<_CMP_LT_OQ>(self.0, other.0) }
            fn le(self, other: Self) -> __m256d { _mm256_cmp_pd::<_CMP_LE_OQ>(self.0, other.0) }
            fn ne(self, other: Self) -> __m256d { _mm256_cmp_pd::<_CMP_NEQ_UQ>(self.0, other.0) }
            fn select(mask: __m256d, yes: Self, no: Self) -> Self { Self(_mm256_blendv_pd(no.0, yes.0, mask)) }
            fn keep(self, mask: __m256d) -> Self { Self(_mm256_and_pd(self.0, mask)) }
            fn both(one: __m256d, other: __m256d) -> __m256d { _mm256_and_pd(one, other) }
            fn either(one: __m256d, other: __m256d) -> __m256d { _mm256_or_pd(one, other) }
            fn differ(one: __m256d, other: __m256d) -> __m256d { _mm256_xor_pd(one, other) }
            fn bits(mask: __m256d) -> u32 { _mm256_movemask_pd(mask) as u32 }
            fn mask(bits: u32) -> __m256d {
                let bit = _mm256_set_epi64x(8, 4, 2, 1);
                _mm256_castsi256_pd(_mm256_cmpeq_epi64(_mm256_and_si256(_mm256_set1_epi64x(i64::from(bits)), bit), bit))
            }
            fn get(self, lane: usize) -> f64 { std::mem::transmute::<__m256d, [f64; 4]>(self.0)[lane] }
            fn set(&mut self, lane: usize, value: f64) { (*std::ptr::from_mut(self).cast::<[f64; 4]>())[lane] = value }
        }

        #[inline(always)]
        fn sin_cos(self) -> (Self, Self) {
            // SAFETY: both are four numbers.
            let angles: [f64; 4] = unsafe { std::mem::transmute(self) };
            let (sines, cosines) = envpool_rs_numeric::math::sin_cos(&angles);
            // SAFETY: both are four numbers.
            unsafe { (std::mem::transmute::<[f64; 4], Self>(sines), std::mem::transmute::<[f64; 4], Self>(cosines)) }
        }

        #[inline(always)]
        fn enter<W: Work>(work: W) -> W::Output {
            #[target_feature(enable = "avx2,fma")]
            #[inline(never)]
            fn entered<W: Work>(work: W) -> W::Output {
                work.run()
            }
            // SAFETY: the type's promise.
            unsafe { entered(work) }
        }
    }

    impl Lanes for Eight {
        const COUNT: usize = 8;
        type Mask = __mmask8;

        methods! {
            fn all(value: f64) -> Self { Self(_mm512_set1_pd(value)) }
            fn sqrt(self) -> Self { Self(_mm512_sqrt_pd(self.0)) }
            fn abs(self) -> Self { Self(_mm512_abs_pd(self.0)) }
            fn lt(self, other: Self) -> __mmask8 { _mm512_cmp_pd_mask::<_CMP_LT_OQ>(self.0, other.0) }
            fn le(self, other: Self) -> __mmask8 { _mm512_cmp_pd_mask::<_CMP_LE_OQ>(self.0, other.0) }
            fn ne(self, other: Self) -> __mmask8 { _mm512_cmp_pd_mask::<_CMP_NEQ_UQ>(self.0, other.0) }
            fn select(mask: __mmask8, yes: Self, no: Self) -> Self { Self(_mm512_mask_blend_pd(mask, no.0, yes.0)) }
            fn keep(self, mask: __mmask8) -> Self { Self(_mm512_maskz_mov_pd(mask, self.0)) }
            fn get(self, lane: usize) -> f64 { std::mem::transmute::<__m512d, [f64; 8]>(self.0)[lane] }
            fn set(&mut self, lane: usize, value: f64) { (*std::ptr::from_mut(self).cast::<[f64; 8]>())[lane] = value }
        }

        #[inline(always)]
        fn both(one: __mmask8, other: __mmask8) -> __mmask8 {
            one & other
        }
        #[inline(always)]
        fn either(one: __mmask8, other: __mmask8) -> __mmask8 {
            one | other
        }
        #[inline(always)]
        fn differ(one: __mmask8, other: __mmask8) -> __mmask8 {
            one ^ other
        }
        #[inline(always)]
        fn bits(mask: __mmask8) -> u32 {
            u32::from(mask)
        }
        #[inline(always)]
        fn mask(bits: u32) -> __mmask8 {
            bits as u8
        }

        #[inline(always)]
        fn sin_cos(self) -> (Self, Self) {
            // SAFETY: both are eight numbers.
            let angles: [f64; 8] = unsafe { std::mem::transmute(self) };
            let (sines, cosines) = envpool_rs_numeric::math::sin_cos(&angles);
            // SAFETY: both are eight numbers.
            unsafe { (std::mem::transmute::<[f64; 8], Self>(sines), std::mem::transmute::<[f64; 8], Self>(cosines)) }
        }

        #[inline(always)]
        fn enter<W: Work>(work: W) -> W::Output {
            #[target_feature(enable = "avx512f,avx512dq,avx512vl,avx512bw,avx2,fma")]
            #[inline(never)]
            fn entered<W: Work>(work: W) -> W::Output {
                work.run()
            }
            // SAFETY: the type's promise.
            unsafe { entered(work) }
        }
    }
}
