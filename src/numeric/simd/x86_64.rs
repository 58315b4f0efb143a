//! SIMD vectors in x86-64 registers, for AVX2 and AVX-512.
//!
//! The types are private to `simd`, and only [`SimdLevel`](super::SimdLevel) passes them to kernels: those types whose
//! instructions it has. This makes their safe methods sound.

use std::arch::x86_64::*;
use std::ops::{Add, Div, Mul, Neg, Sub};

use super::lanes::expressions;
use super::{Float64Lanes, Lanes, SimdKernel};

pub(super) use self::avx2::run_avx2;
pub(super) use self::avx512::run_avx512;

/// Entry into code for AVX2. It has a module of its own, because rustc compiles all kernels of a module on one core.
mod avx2 {
    use super::SimdKernel;

    /// Runs the computation `work` in code that is compiled for the instructions of
    /// [`SimdLevel::Avx2`](super::super::SimdLevel::Avx2).
    #[target_feature(enable = "avx2,fma,bmi1,bmi2,lzcnt")]
    #[inline(never)]
    pub(in super::super) fn run_avx2<W: SimdKernel>(work: W) -> W::Output {
        work.run()
    }
}

/// Entry into code for AVX-512, in a module of its own for the same reason.
mod avx512 {
    use super::SimdKernel;

    /// Runs the computation `work` in code that is compiled for the instructions of
    /// [`SimdLevel::Avx512`](super::super::SimdLevel::Avx512).
    #[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx2,fma,bmi1,bmi2,lzcnt")]
    #[inline(never)]
    pub(in super::super) fn run_avx512<W: SimdKernel>(work: W) -> W::Output {
        work.run()
    }
}

/// Defines methods whose bodies are SIMD intrinsics.
macro_rules! methods {
    ($(fn $name:ident($($argument:tt)*) $(-> $result:ty)? { $($body:tt)* })*) => {
        $(#[inline(always)]
        #[allow(unused_unsafe, reason = "masks that are bits need no instructions")]
        fn $name($($argument)*) $(-> $result)? {
            // SAFETY: only a `SimdLevel` that has the instructions passes a register type to kernels. Each array has as many
            // elements as the register has lanes.
            unsafe { $($body)* }
        })*
    };
}

macro_rules! operators {
    ($name:ident, $($operator:ident $method:ident $instruction:ident),*) => {
        $(impl $operator for $name {
            type Output = Self;
            methods! { fn $method(self, other: Self) -> Self { Self($instruction(self.0, other.0)) } }
        })*
    };
}

/// Defines a vector type that is one register, with its operators and the methods that all register types have.
macro_rules! register {
    (
        $(#[$doc:meta])*
        $name:ident($register:ident): $number:ident, $count:literal, $mask:ident, $run:ident;
        $add:ident $sub:ident $mul:ident $div:ident $neg:ident $sqrt:ident $min:ident $max:ident $all:ident $load:ident $store:ident;
        $($rest:tt)*
    ) => {
        $(#[$doc])*
        #[derive(Debug, Clone, Copy)]
        #[repr(transparent)]
        pub(super) struct $name($register);

        operators!($name, Add add $add, Sub sub $sub, Mul mul $mul, Div div $div);

        impl Neg for $name {
            type Output = Self;
            methods! { fn neg(self) -> Self { Self($neg(self.0, $all(-0.0))) } }
        }

        impl Lanes for $name {
            const COUNT: usize = $count;
            type Number = $number;
            type Array = [$number; $count];
            type Mask = $mask;

            methods! {
                fn splat(value: $number) -> Self { Self($all(value)) }
                fn load(array: &[$number; $count]) -> Self { Self($load(array.as_ptr())) }
                fn store(self, array: &mut [$number; $count]) { $store(array.as_mut_ptr(), self.0) }
                fn sqrt(self) -> Self { Self($sqrt(self.0)) }
                fn min(self, other: Self) -> Self { Self($min(self.0, other.0)) }
                fn max(self, other: Self) -> Self { Self($max(self.0, other.0)) }
                fn get(self, lane: usize) -> $number { std::mem::transmute::<$register, [$number; $count]>(self.0)[lane] }
                fn set(&mut self, lane: usize, value: $number) {
                    (*std::ptr::from_mut(self).cast::<[$number; $count]>())[lane] = value
                }
                $($rest)*
            }

            #[inline(always)]
            fn enter<W: SimdKernel>(work: W) -> W::Output {
                // SAFETY: only a `SimdLevel` that has the instructions passes a register type to kernels.
                unsafe { $run(work) }
            }
        }
    };
}

/// Defines the mask methods of AVX2, whose masks are vector registers.
macro_rules! avx2 {
    (
        $(#[$doc:meta])*
        $name:ident($register:ident): $number:ident, $count:literal; $($common:ident)*;
        $and:ident $andnot:ident $or:ident $xor:ident $cmp:ident $blend:ident $movemask:ident $mask:ident
    ) => {
        register! {
            $(#[$doc])*
            $name($register): $number, $count, $register, run_avx2;
            $($common)*;
            fn abs(self) -> Self { Self($andnot(Self::splat(-0.0).0, self.0)) }
            fn lt(self, other: Self) -> $register { $cmp::<_CMP_LT_OQ>(self.0, other.0) }
            fn le(self, other: Self) -> $register { $cmp::<_CMP_LE_OQ>(self.0, other.0) }
            fn ne(self, other: Self) -> $register { $cmp::<_CMP_NEQ_UQ>(self.0, other.0) }
            fn select(mask: $register, yes: Self, no: Self) -> Self { Self($blend(no.0, yes.0, mask)) }
            fn select_or_zero(self, mask: $register) -> Self { Self($and(self.0, mask)) }
            fn mask_and(one: $register, other: $register) -> $register { $and(one, other) }
            fn mask_or(one: $register, other: $register) -> $register { $or(one, other) }
            fn mask_xor(one: $register, other: $register) -> $register { $xor(one, other) }
            fn bits(mask: $register) -> u32 { $movemask(mask) as u32 }
            fn mask(bits: u32) -> $register { $mask(bits) }
        }
    };
}

/// Defines the mask methods of AVX-512, whose masks have one bit per lane.
macro_rules! avx512 {
    (
        $(#[$doc:meta])*
        $name:ident($register:ident): $number:ident, $count:literal, $mask:ident, $bits:ident; $($common:ident)*;
        $abs:ident $cmp:ident $blend:ident $keep:ident
    ) => {
        register! {
            $(#[$doc])*
            $name($register): $number, $count, $mask, run_avx512;
            $($common)*;
            fn abs(self) -> Self { Self($abs(self.0)) }
            fn lt(self, other: Self) -> $mask { $cmp::<_CMP_LT_OQ>(self.0, other.0) }
            fn le(self, other: Self) -> $mask { $cmp::<_CMP_LE_OQ>(self.0, other.0) }
            fn ne(self, other: Self) -> $mask { $cmp::<_CMP_NEQ_UQ>(self.0, other.0) }
            fn select(mask: $mask, yes: Self, no: Self) -> Self { Self($blend(mask, no.0, yes.0)) }
            fn select_or_zero(self, mask: $mask) -> Self { Self($keep(mask, self.0)) }
            fn mask_and(one: $mask, other: $mask) -> $mask { one & other }
            fn mask_or(one: $mask, other: $mask) -> $mask { one | other }
            fn mask_xor(one: $mask, other: $mask) -> $mask { one ^ other }
            fn bits(mask: $mask) -> u32 { u32::from(mask) }
            fn mask(bits: u32) -> $mask { bits as $bits }
        }
    };
}

avx2! {
    /// Vector of four float64 lanes in one AVX2 register.
    F64x4(__m256d): f64, 4;
    _mm256_add_pd _mm256_sub_pd _mm256_mul_pd _mm256_div_pd _mm256_xor_pd _mm256_sqrt_pd _mm256_min_pd _mm256_max_pd
    _mm256_set1_pd _mm256_loadu_pd _mm256_storeu_pd;
    _mm256_and_pd _mm256_andnot_pd _mm256_or_pd _mm256_xor_pd _mm256_cmp_pd _mm256_blendv_pd _mm256_movemask_pd mask_of_four
}

avx2! {
    /// Vector of eight float32 lanes in one AVX2 register.
    F32x8(__m256): f32, 8;
    _mm256_add_ps _mm256_sub_ps _mm256_mul_ps _mm256_div_ps _mm256_xor_ps _mm256_sqrt_ps _mm256_min_ps _mm256_max_ps
    _mm256_set1_ps _mm256_loadu_ps _mm256_storeu_ps;
    _mm256_and_ps _mm256_andnot_ps _mm256_or_ps _mm256_xor_ps _mm256_cmp_ps _mm256_blendv_ps _mm256_movemask_ps mask_of_eight
}

avx512! {
    /// Vector of eight float64 lanes in one AVX-512 register.
    F64x8(__m512d): f64, 8, __mmask8, u8;
    _mm512_add_pd _mm512_sub_pd _mm512_mul_pd _mm512_div_pd _mm512_xor_pd _mm512_sqrt_pd _mm512_min_pd _mm512_max_pd
    _mm512_set1_pd _mm512_loadu_pd _mm512_storeu_pd;
    _mm512_abs_pd _mm512_cmp_pd_mask _mm512_mask_blend_pd _mm512_maskz_mov_pd
}

avx512! {
    /// Vector of sixteen float32 lanes in one AVX-512 register.
    F32x16(__m512): f32, 16, __mmask16, u16;
    _mm512_add_ps _mm512_sub_ps _mm512_mul_ps _mm512_div_ps _mm512_xor_ps _mm512_sqrt_ps _mm512_min_ps _mm512_max_ps
    _mm512_set1_ps _mm512_loadu_ps _mm512_storeu_ps;
    _mm512_abs_ps _mm512_cmp_ps_mask _mm512_mask_blend_ps _mm512_maskz_mov_ps
}

/// Converts a mask with one bit per lane to an AVX2 mask of four 64-bit lanes, in which all bits of each selected lane are set.
#[inline]
#[target_feature(enable = "avx2")]
fn mask_of_four(bits: u32) -> __m256d {
    let bit = _mm256_set_epi64x(8, 4, 2, 1);
    _mm256_castsi256_pd(_mm256_cmpeq_epi64(_mm256_and_si256(_mm256_set1_epi64x(i64::from(bits)), bit), bit))
}

/// Converts a mask with one bit per lane to an AVX2 mask of eight 32-bit lanes, in which all bits of each selected lane are
/// set.
#[inline]
#[target_feature(enable = "avx2")]
fn mask_of_eight(bits: u32) -> __m256 {
    let bit = _mm256_setr_epi32(1, 2, 4, 8, 16, 32, 64, 128);
    _mm256_castsi256_ps(_mm256_cmpeq_epi32(_mm256_and_si256(_mm256_set1_epi32(bits as i32), bit), bit))
}

/// Implements [`Float64Lanes`] for a register type.
macro_rules! sin_cos {
    ($($name:ident)*) => {
        $(impl Float64Lanes for $name {
            #[inline(always)]
            fn sin_cos(self) -> (Self, Self) {
                let mut angles = [0.0; Self::COUNT];
                self.store(&mut angles);
                let (sines, cosines) = crate::math::sin_cos(&angles);
                (Self::load(&sines), Self::load(&cosines))
            }

            #[inline(always)]
            fn numbers(vectors: &[Self]) -> &[f64] {
                // SAFETY: a vector is a register of `COUNT` numbers, and nothing else.
                unsafe { std::slice::from_raw_parts(vectors.as_ptr().cast(), vectors.len() * Self::COUNT) }
            }

            #[inline(always)]
            fn numbers_mut(vectors: &mut [Self]) -> &mut [f64] {
                // SAFETY: as in `numbers`.
                unsafe { std::slice::from_raw_parts_mut(vectors.as_mut_ptr().cast(), vectors.len() * Self::COUNT) }
            }

            #[inline(always)]
            fn sum_products(a: &[[f64; 4]], b: &[[f64; 4]]) -> [f64; 4] {
                // Processors with AVX-512 have the instructions of `F64x4`, too.
                let (mut sums, mut blocks) = (F64x4::splat(0.0), a.iter().zip(b));
                if let Some((a, b)) = blocks.next() {
                    sums = F64x4::load(a) * F64x4::load(b);
                }
                for (a, b) in blocks {
                    sums = sums + F64x4::load(a) * F64x4::load(b);
                }
                let mut parts = [0.0; 4];
                sums.store(&mut parts);
                parts
            }
        })*
    };
}

sin_cos!(F64x4 F64x8);

/// Vector in one register, whose lanes are the first eight of an array of sixteen.
#[derive(Debug, Clone, Copy)]
pub(super) struct Single<V>(V);

/// Vector whose lanes lie in two registers. The processor executes the operations on the two registers in parallel.
#[derive(Debug, Clone, Copy)]
pub(super) struct Pair<V>(V, V);

/// Implements the operators of a vector type, which act on each of its registers, the fields `$field`.
macro_rules! operators_of_registers {
    ($name:ident $fields:tt; $($operator:ident $method:ident),*) => {
        $(operators_of_registers! { @one $name $fields $operator $method })*
    };
    (@one $name:ident ($($field:tt)*) $operator:ident $method:ident) => {
        impl<V: Lanes> $operator for $name<V> {
            type Output = Self;
            #[inline(always)]
            fn $method(self, other: Self) -> Self {
                Self($(self.$field.$method(other.$field)),*)
            }
        }
    };
}

/// Implements [`Lanes`] for a vector type with the registers `$field`, which apply each operation to each register.
macro_rules! lanes_of_registers {
    ($name:ident ($($field:tt)*) $count:literal: $mask:ty) => {
        operators_of_registers! { $name ($($field)*); Add add, Sub sub, Mul mul, Div div }

        impl<V: Lanes> Neg for $name<V> {
            type Output = Self;
            #[inline(always)]
            fn neg(self) -> Self {
                Self($(-self.$field),*)
            }
        }

        impl<V: Lanes<Array = [f32; 8], Number = f32>> Lanes for $name<V> {
            const COUNT: usize = $count * 8;
            type Number = f32;
            type Array = [f32; 16];
            type Mask = $mask;

            expressions! {
                fn splat(value: f32) -> Self { let part = V::splat(value); Self($(lanes_of_registers!(@same part $field)),*) }
                fn load(array: &[f32; 16]) -> Self { let parts = array.as_chunks().0; Self($(V::load(&parts[$field])),*) }
                fn store(self, array: &mut [f32; 16]) { let parts = array.as_chunks_mut().0; $(self.$field.store(&mut parts[$field]);)* }
                fn sqrt(self) -> Self { Self($(self.$field.sqrt()),*) }
                fn abs(self) -> Self { Self($(self.$field.abs()),*) }
                fn min(self, other: Self) -> Self { Self($(self.$field.min(other.$field)),*) }
                fn max(self, other: Self) -> Self { Self($(self.$field.max(other.$field)),*) }
                fn lt(self, other: Self) -> Self::Mask { ($(self.$field.lt(other.$field),)*) }
                fn le(self, other: Self) -> Self::Mask { ($(self.$field.le(other.$field),)*) }
                fn ne(self, other: Self) -> Self::Mask { ($(self.$field.ne(other.$field),)*) }
                fn select(mask: Self::Mask, yes: Self, no: Self) -> Self {
                    Self($(V::select(mask.$field, yes.$field, no.$field)),*)
                }
                fn select_or_zero(self, mask: Self::Mask) -> Self { Self($(self.$field.select_or_zero(mask.$field)),*) }
                fn mask_and(one: Self::Mask, other: Self::Mask) -> Self::Mask { ($(V::mask_and(one.$field, other.$field),)*) }
                fn mask_or(one: Self::Mask, other: Self::Mask) -> Self::Mask { ($(V::mask_or(one.$field, other.$field),)*) }
                fn mask_xor(one: Self::Mask, other: Self::Mask) -> Self::Mask { ($(V::mask_xor(one.$field, other.$field),)*) }
                fn bits(mask: Self::Mask) -> u32 { 0 $(| V::bits(mask.$field) << ($field * 8))* }
                fn mask(bits: u32) -> Self::Mask { ($(V::mask(bits >> ($field * 8) & V::ALL),)*) }
                fn get(self, lane: usize) -> f32 { [$(self.$field),*][lane / 8].get(lane % 8) }
                fn set(&mut self, lane: usize, value: f32) { [$(&mut self.$field),*][lane / 8].set(lane % 8, value) }
            }

            #[inline(always)]
            fn enter<W: SimdKernel>(work: W) -> W::Output {
                V::enter(work)
            }
        }
    };
    (@same $part:ident $field:tt) => {
        $part
    };
}

lanes_of_registers! { Single (0) 1: (V::Mask,) }
lanes_of_registers! { Pair (0 1) 2: (V::Mask, V::Mask) }
