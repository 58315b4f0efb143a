//! Kinematic trees of planar robots. The trees are known at compile time, so that loops along them are unrolled.

use crate::native::mju::MJMINVAL;
use envpool_rs_numeric::simd::Float64Lanes;

pub(super) const MAX_PLANAR_NV: usize = 9;

/// Kinematic tree of a planar robot. The root body has three degrees of freedom, two slides and a hinge; every other body has one
/// hinge.
///
/// The world is body 0, the root is body 1, and the index of every other body is one less than that of its hinge.
///
/// `N` is the number of degrees of freedom, and `W` is the largest number of degrees of freedom that move one body.
pub(super) trait Tree<const N: usize, const W: usize>: 'static {
    /// Ancestors of each degree of freedom in the tree, in ascending order.
    const ABOVE: [&'static [usize]; N];
    /// Degrees of freedom that move the bodies of each leg: first the root body's degrees of freedom, then the leg's.
    const LEGS: &'static [[usize; W]];
}

/// Kinematic tree with one leg of three bodies, as hoppers have.
pub(super) struct Leg;

impl Tree<6, 6> for Leg {
    const ABOVE: [&'static [usize]; 6] = [&[], &[0], &[0, 1], &[0, 1, 2], &[0, 1, 2, 3], &[0, 1, 2, 3, 4]];
    const LEGS: &'static [[usize; 6]] = &[[0, 1, 2, 3, 4, 5]];
}

/// Kinematic tree with one leg of four bodies.
pub(super) struct LongLeg;

impl Tree<7, 7> for LongLeg {
    const ABOVE: [&'static [usize]; 7] = [&[], &[0], &[0, 1], &[0, 1, 2], &[0, 1, 2, 3], &[0, 1, 2, 3, 4], &[0, 1, 2, 3, 4, 5]];
    const LEGS: &'static [[usize; 7]] = &[[0, 1, 2, 3, 4, 5, 6]];
}

/// Kinematic tree with two legs of three bodies each, as walkers and cheetahs have.
pub(super) struct TwoLegs;

impl Tree<9, 6> for TwoLegs {
    const ABOVE: [&'static [usize]; 9] =
        [&[], &[0], &[0, 1], &[0, 1, 2], &[0, 1, 2, 3], &[0, 1, 2, 3, 4], &[0, 1, 2], &[0, 1, 2, 6], &[0, 1, 2, 6, 7]];
    const LEGS: &'static [[usize; 6]] = &[[0, 1, 2, 3, 4, 5], [0, 1, 2, 6, 7, 8]];
}

/// Repeats a block of code for each number below a bound of at most [`MAX_PLANAR_NV`], in ascending or descending order.
///
/// The macro unrolls the loop, because the compiler unrolls only short loops.
macro_rules! each {
    ($at:ident < $count:expr, $body:block) => { each!(@ $at $count, $body 0 1 2 3 4 5 6 7 8) };
    ($at:ident downwards from $count:expr, $body:block) => { each!(@ $at $count, $body 8 7 6 5 4 3 2 1 0) };
    (@ $at:ident $count:expr, $body:block $($number:literal)*) => {
        $(if const { $number < $count } {
            const $at: usize = $number;
            $body
        })*
    };
}
pub(super) use each;

/// Returns the index of the first body that a degree of freedom moves.
pub(super) const fn body_of(dof: usize) -> usize {
    if dof < 3 { 1 } else { dof - 1 }
}

/// Matrix with the kinematic tree's sparsity, of which the lower triangle is used.
pub(super) type Matrix<V, const N: usize> = [[V; N]; N];

/// Factors in place as `mj_factorI` does. Returns a bit mask of the lanes with a pivot below `mjMINVAL`.
#[inline(always)]
pub(super) fn factor_i<T: Tree<N, W>, V: Float64Lanes, const N: usize, const W: usize>(
    matrix: &mut Matrix<V, N>,
    inverse: &mut [V; N],
) -> u32 {
    let mut good = V::mask(V::ALL);
    each!(K downwards from N, {
        good = V::mask_and(good, matrix[K][K].ge(V::splat(MJMINVAL)));
        let by = V::splat(1.0) / matrix[K][K];
        inverse[K] = by;
        for &i in T::ABOVE[K].iter().rev() {
            let scale = -matrix[K][i] * by;
            for &k in T::ABOVE[i] {
                matrix[i][k] = matrix[i][k] + matrix[K][k] * scale;
            }
            matrix[i][i] = matrix[i][i] + matrix[K][i] * scale;
        }
        for &k in T::ABOVE[K] {
            matrix[K][k] = matrix[K][k] * by;
        }
    });
    !V::bits(good) & V::ALL
}

/// Solves a system with a matrix factored by [`factor_i`] in place, as `mj_solveLD` does.
#[inline(always)]
pub(super) fn solve_ld<T: Tree<N, W>, V: Float64Lanes, const N: usize, const W: usize>(
    factor: &Matrix<V, N>,
    inverse: &[V; N],
    x: &mut [V; N],
) {
    each!(K downwards from N, {
        for &k in T::ABOVE[K] {
            x[k] = x[k] - factor[K][k] * x[K];
        }
    });
    each!(K < N, {
        x[K] = x[K] * inverse[K];
    });
    each!(K < N, {
        let above = T::ABOVE[K];
        let product = |at: usize| factor[K][above[at]] * x[above[at]];
        if !above.is_empty() {
            let (mut at, mut sum) = (1, product(0));
            if above.len() >= 4 {
                let mut sums = [sum, product(1), product(2), product(3)];
                at = 4;
                while at + 4 <= above.len() {
                    sums =
                        [sums[0] + product(at), sums[1] + product(at + 1), sums[2] + product(at + 2), sums[3] + product(at + 3)];
                    at += 4;
                }
                sum = (sums[0] + sums[2]) + (sums[1] + sums[3]);
            }
            while at < above.len() {
                sum = sum + product(at);
                at += 1;
            }
            x[K] = x[K] - sum;
        }
    });
}

/// Multiplies a matrix with the tree's sparsity by a vector, as `mj_mulM` does.
#[inline(always)]
pub(super) fn mul_m<T: Tree<N, W>, V: Float64Lanes, const N: usize, const W: usize>(matrix: &Matrix<V, N>, v: &[V; N]) -> [V; N] {
    let mut result = [V::splat(0.0); N];
    each!(K < N, {
        let mut sum = matrix[K][K] * v[K];
        for &k in T::ABOVE[K].iter().rev() {
            sum = sum + matrix[K][k] * v[k];
            result[k] = result[k] + matrix[K][k] * v[K];
        }
        result[K] = sum;
    });
    result
}

/// Returns the dot product of two vectors summed in the same order as `mju_dot`.
#[inline(always)]
pub(super) fn dot<V: Float64Lanes, const N: usize>(a: &[V; N], b: &[V; N]) -> V {
    crate::native::mju::dot(a, b, N)
}

/// Returns a dot product in `mju_dot`'s order, whose second vector is zero except for leg `LEG`.
#[inline(always)]
fn dot_one<T: Tree<N, W>, V: Float64Lanes, const N: usize, const W: usize, const LEG: usize>(of_leg: &[V; W], b: &[V; N]) -> V {
    let mut sums = [None; 4];
    let mut rest = None;
    each!(K < W, {
        let at = T::LEGS[LEG][K];
        add_to(if at < N / 4 * 4 { &mut sums[at % 4] } else { &mut rest }, of_leg[K] * b[at]);
    });
    let blocks = both(both(sums[0], sums[2]), both(sums[1], sums[3]));
    both(blocks, rest).unwrap_or(V::splat(0.0))
}

/// Adds a term to a sum; a sum to which no term has been added yet is `None`.
#[inline(always)]
fn add_to<V: Float64Lanes>(sum: &mut Option<V>, part: V) {
    *sum = both(*sum, Some(part));
}

#[inline(always)]
fn both<V: Float64Lanes>(one: Option<V>, other: Option<V>) -> Option<V> {
    match (one, other) {
        (Some(one), Some(other)) => Some(one + other),
        (one, None) => one,
        (None, other) => other,
    }
}

/// Returns the dot product of a vector with a constraint row that is zero except for the degrees of freedom of a leg.
#[inline(always)]
pub(super) fn dot_leg<T: Tree<N, W>, V: Float64Lanes, const N: usize, const W: usize>(
    leg: usize,
    of_leg: &[V; W],
    b: &[V; N],
) -> V {
    if const { T::LEGS.len() == 1 } || leg == 0 {
        dot_one::<T, V, N, W, 0>(of_leg, b)
    } else {
        dot_one::<T, V, N, W, 1>(of_leg, b)
    }
}
