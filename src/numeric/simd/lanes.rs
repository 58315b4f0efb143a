//! SIMD vectors of several lanes, and the scalar case with a single lane.

use std::ops::{Add, Div, Mul, Neg, Sub};

/// Computation that is compiled separately for each SIMD level. The `run` method, and all functions that this method calls,
/// must be `#[inline(always)]`.
pub trait SimdKernel {
    /// Type of the computation's result.
    type Output;

    /// Runs the computation.
    fn run(self) -> Self::Output;
}

/// Computation that is compiled separately for each vector type of float64 lanes. Functions must be inlined as those of a
/// [`SimdKernel`].
pub trait Float64Kernel {
    /// Type of the computation's result.
    type Output;

    /// Runs the computation with vectors of type `V`.
    fn run<V: Float64Lanes>(self) -> Self::Output;
}

/// Computation that is compiled separately for each vector type of sixteen float32 lanes, or of the first eight of them. Functions
/// must be inlined as those of a [`SimdKernel`].
pub trait Float32Kernel {
    /// Type of the computation's result.
    type Output;

    /// Runs the computation with vectors of type `V`.
    fn run<V: Lanes<Number = f32, Array = [f32; 16]>>(self) -> Self::Output;
}

/// SIMD vector with one number per lane.
///
/// Every operation rounds each lane separately, so that the bits of a lane do not depend on the number of lanes. Multiplications
/// and additions are never fused. Operations are fast only inside of [`Lanes::enter`], which runs all kernels of vector types.
pub trait Lanes:
    Copy + Send + Add<Output = Self> + Sub<Output = Self> + Mul<Output = Self> + Div<Output = Self> + Neg<Output = Self> + 'static
{
    /// Number of lanes of the vector.
    const COUNT: usize;
    /// Number type of a lane: `f64` or `f32`.
    type Number: Copy;
    /// Array type that holds all lanes in memory.
    type Array: Copy;
    /// Mask type, with one bool per lane.
    type Mask: Copy + Send;

    /// Returns a vector with the same number in all lanes.
    fn splat(value: Self::Number) -> Self;
    /// Loads all lanes from an array.
    fn load(array: &Self::Array) -> Self;
    /// Stores all lanes to an array.
    fn store(self, array: &mut Self::Array);
    /// Returns the square root of each lane.
    fn sqrt(self) -> Self;
    /// Returns the absolute value of each lane.
    fn abs(self) -> Self;
    /// Returns the smaller number of each lane. If the numbers are equal or one is NaN, returns the number of `other`.
    fn min(self, other: Self) -> Self;
    /// Returns the larger number of each lane. If the numbers are equal or one is NaN, returns the number of `other`.
    fn max(self, other: Self) -> Self;
    /// Returns the mask of the lanes in which `self < other`.
    fn lt(self, other: Self) -> Self::Mask;
    /// Returns the mask of the lanes in which `self <= other`.
    fn le(self, other: Self) -> Self::Mask;
    /// Returns the mask of the lanes in which `self != other`. NaN is not equal to any number.
    fn ne(self, other: Self) -> Self::Mask;
    /// Returns `yes` in the lanes in which the mask is true, and `no` in the other lanes.
    fn select(mask: Self::Mask, yes: Self, no: Self) -> Self;
    /// Returns `self` in the lanes in which the mask is true, and 0 in the other lanes.
    fn select_or_zero(self, mask: Self::Mask) -> Self;
    /// Returns the mask of the lanes that are true in both masks.
    fn mask_and(one: Self::Mask, other: Self::Mask) -> Self::Mask;
    /// Returns the mask of the lanes that are true in at least one mask.
    fn mask_or(one: Self::Mask, other: Self::Mask) -> Self::Mask;
    /// Returns the mask of the lanes that are true in exactly one mask.
    fn mask_xor(one: Self::Mask, other: Self::Mask) -> Self::Mask;
    /// Converts a mask to bits: bit `i` belongs to lane `i`.
    fn bits(mask: Self::Mask) -> u32;
    /// Converts bits to a mask: bit `i` belongs to lane `i`.
    fn mask(bits: u32) -> Self::Mask;
    /// Returns the number in lane `lane`.
    fn get(self, lane: usize) -> Self::Number;
    /// Replaces the number in lane `lane`.
    fn set(&mut self, lane: usize, value: Self::Number);
    /// Runs the computation `work` in code that is compiled for the instructions of this vector type.
    fn enter<W: SimdKernel>(work: W) -> W::Output;

    /// Bits of the mask that is true in all lanes.
    const ALL: u32 = ((1_u64 << Self::COUNT) - 1) as u32;

    /// Returns the mask of the lanes in which `self > other`.
    #[inline(always)]
    fn gt(self, other: Self) -> Self::Mask {
        other.lt(self)
    }

    /// Returns the mask of the lanes in which `self >= other`.
    #[inline(always)]
    fn ge(self, other: Self) -> Self::Mask {
        other.le(self)
    }

    /// Returns the larger number of each lane. If the numbers are equal, returns the number of `self`. If one is NaN, returns
    /// the number of `other`.
    #[inline(always)]
    fn larger(self, other: Self) -> Self {
        Self::select(self.ge(other), self, other)
    }

    /// Returns whether a mask is true in any lane.
    #[inline(always)]
    fn any(mask: Self::Mask) -> bool {
        Self::bits(mask) != 0
    }
}

/// Vector of float64 lanes.
pub trait Float64Lanes: Lanes<Number = f64> {
    /// Returns the sine and cosine of each lane, bit-identical to the C library's.
    fn sin_cos(self) -> (Self, Self);

    /// Returns the numbers of all lanes of vectors, vector by vector. Copies of single lanes read and write it, because
    /// [`Lanes::get`] with an index that the compiler does not know stores the whole vector first.
    fn numbers(vectors: &[Self]) -> &[f64];
    /// Returns the numbers of all lanes of vectors, vector by vector.
    fn numbers_mut(vectors: &mut [Self]) -> &mut [f64];

    /// Returns four sums of products, one for each position in blocks of four numbers. The products are added in the order of the
    /// blocks. Both lists must have the same length; sums of no blocks are 0.
    fn sum_products(a: &[[f64; 4]], b: &[[f64; 4]]) -> [f64; 4];

    /// Returns a vector whose lane `lane` is `value(lane)`.
    #[inline(always)]
    fn from_fn(mut value: impl FnMut(usize) -> f64) -> Self {
        let mut lanes = Self::splat(0.0);
        for lane in 0..Self::COUNT {
            lanes.set(lane, value(lane));
        }
        lanes
    }
}

/// Defines methods of [`Lanes`] for a scalar type; each body is a single expression.
macro_rules! expressions {
    ($(fn $name:ident($($argument:tt)*) $(-> $result:ty)? { $($body:tt)* })*) => {
        $(#[inline(always)]
        fn $name($($argument)*) $(-> $result)? { $($body)* })*
    };
}

#[cfg(target_arch = "x86_64")]
pub(super) use expressions;

impl Lanes for f64 {
    const COUNT: usize = 1;
    type Number = f64;
    type Array = [f64; 1];
    type Mask = bool;

    expressions! {
        fn splat(value: f64) -> Self { value }
        fn load(array: &[f64; 1]) -> Self { array[0] }
        fn store(self, array: &mut [f64; 1]) { array[0] = self }
        fn sqrt(self) -> Self { f64::sqrt(self) }
        fn abs(self) -> Self { f64::abs(self) }
        fn min(self, other: Self) -> Self { if self < other { self } else { other } }
        fn max(self, other: Self) -> Self { if self > other { self } else { other } }
        fn lt(self, other: Self) -> bool { self < other }
        fn le(self, other: Self) -> bool { self <= other }
        fn ne(self, other: Self) -> bool { self != other }
        fn select(mask: bool, yes: Self, no: Self) -> Self { if mask { yes } else { no } }
        fn select_or_zero(self, mask: bool) -> Self { if mask { self } else { 0.0 } }
        fn mask_and(one: bool, other: bool) -> bool { one & other }
        fn mask_or(one: bool, other: bool) -> bool { one | other }
        fn mask_xor(one: bool, other: bool) -> bool { one ^ other }
        fn bits(mask: bool) -> u32 { u32::from(mask) }
        fn mask(bits: u32) -> bool { bits & 1 != 0 }
        fn get(self, _lane: usize) -> f64 { self }
        fn set(&mut self, _lane: usize, value: f64) { *self = value }
    }

    /// Runs the computation `work` in a function that is not inlined, as the register types do.
    ///
    /// If it were inlined, all MuJoCo solvers of this project would become one function, which takes minutes to optimise.
    #[inline(always)]
    fn enter<W: SimdKernel>(work: W) -> W::Output {
        #[inline(never)]
        fn run_stage<W: SimdKernel>(work: W) -> W::Output {
            work.run()
        }
        run_stage(work)
    }
}

impl Float64Lanes for f64 {
    #[inline(always)]
    fn sin_cos(self) -> (Self, Self) {
        (self.sin(), self.cos())
    }

    #[inline(always)]
    fn numbers(vectors: &[Self]) -> &[f64] {
        vectors
    }

    #[inline(always)]
    fn numbers_mut(vectors: &mut [Self]) -> &mut [f64] {
        vectors
    }

    #[inline(always)]
    fn sum_products(a: &[[f64; 4]], b: &[[f64; 4]]) -> [f64; 4] {
        let (mut sums, mut blocks) = ([0.0; 4], a.iter().zip(b));
        if let Some((a, b)) = blocks.next() {
            sums = [a[0] * b[0], a[1] * b[1], a[2] * b[2], a[3] * b[3]];
        }
        for (a, b) in blocks {
            for part in 0..4 {
                sums[part] += a[part] * b[part];
            }
        }
        sums
    }
}
