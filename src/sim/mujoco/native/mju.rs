//! `mju_` functions for vectors, quaternions and spatial vectors, whose sums run in MuJoCo's order. Each number is a SIMD
//! vector with one element per lane.
//!
//! Code that is generic over lanes, here and in other modules, does not pass closures to functions of other crates, such as
//! `Iterator::map`. Such functions and their closures would be compiled without vector instructions, so that each vector
//! operation would become a function call.

use envpool_rs_numeric::simd::Float64Lanes;

/// Smallest number that MuJoCo divides by (`mjMINVAL`).
pub(super) const MJMINVAL: f64 = 1e-15;

#[inline(always)]
pub(super) fn splat3<V: Float64Lanes>(values: &[f64; 3]) -> [V; 3] {
    [V::splat(values[0]), V::splat(values[1]), V::splat(values[2])]
}

#[inline(always)]
pub(super) fn splat4<V: Float64Lanes>(values: &[f64; 4]) -> [V; 4] {
    [V::splat(values[0]), V::splat(values[1]), V::splat(values[2]), V::splat(values[3])]
}

/// Returns the sum of two vectors of three numbers, as `mju_add3` and `mju_addTo3` do.
#[inline(always)]
pub(super) fn add3<V: Float64Lanes>(a: [V; 3], b: [V; 3]) -> [V; 3] {
    [a[0] + b[0], a[1] + b[1], a[2] + b[2]]
}

/// Returns the difference of two vectors of three numbers, as `mju_sub3` and `mju_subFrom3` do.
#[inline(always)]
pub(super) fn sub3<V: Float64Lanes>(a: [V; 3], b: [V; 3]) -> [V; 3] {
    [a[0] - b[0], a[1] - b[1], a[2] - b[2]]
}

/// Quaternion without rotation (`mju_unit4`).
pub(super) const IDENTITY_QUAT: [f64; 4] = [1.0, 0.0, 0.0, 0.0];

/// Returns the dot product of two vectors of three numbers, as `mju_dot3` does.
#[inline(always)]
pub(super) fn dot3<V: Float64Lanes>(a: &[V; 3], b: &[V; 3]) -> V {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

#[inline(always)]
pub(super) fn first<V: Float64Lanes, const N: usize>(values: &[V]) -> [V; N] {
    let mut some = [V::splat(0.0); N];
    some.copy_from_slice(&values[..N]);
    some
}

#[inline(always)]
pub(super) fn scl3<V: Float64Lanes>(a: [V; 3], by: V) -> [V; 3] {
    [a[0] * by, a[1] * by, a[2] * by]
}

/// Returns the sum of two spatial vectors (six numbers each), element by element (`mju_addTo`).
#[inline(always)]
pub(super) fn add6<V: Float64Lanes>(a: &[V; 6], b: &[V; 6]) -> [V; 6] {
    [a[0] + b[0], a[1] + b[1], a[2] + b[2], a[3] + b[3], a[4] + b[4], a[5] + b[5]]
}

#[inline(always)]
pub(super) fn cross<V: Float64Lanes>(a: [V; 3], b: [V; 3]) -> [V; 3] {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}

/// Multiplies a row-major 3x3 matrix by a vector, as `mju_mulMatVec3` does.
#[inline(always)]
pub(super) fn mul_mat_vec3<V: Float64Lanes>(m: &[V; 9], a: [V; 3]) -> [V; 3] {
    [m[0] * a[0] + m[1] * a[1] + m[2] * a[2], m[3] * a[0] + m[4] * a[1] + m[5] * a[2], m[6] * a[0] + m[7] * a[1] + m[8] * a[2]]
}

/// Multiplies the transpose of a row-major 3x3 matrix by a vector, as `mju_mulMatTVec3` does.
#[inline(always)]
pub(super) fn mul_mat_t_vec3<V: Float64Lanes>(m: &[V; 9], a: [V; 3]) -> [V; 3] {
    [m[0] * a[0] + m[3] * a[1] + m[6] * a[2], m[1] * a[0] + m[4] * a[1] + m[7] * a[2], m[2] * a[0] + m[5] * a[1] + m[8] * a[2]]
}

/// Multiplies two quaternions, as `mju_mulQuat` does. The sums run from left to right, or pairwise if `in_pairs` is set.
#[inline(always)]
pub(super) fn mul_quat<V: Float64Lanes>(a: &[V; 4], b: &[V; 4], in_pairs: bool) -> [V; 4] {
    if in_pairs {
        return [
            (a[0] * b[0] - a[1] * b[1]) + (-a[2] * b[2] - a[3] * b[3]),
            (a[0] * b[1] + a[1] * b[0]) + (a[2] * b[3] - a[3] * b[2]),
            (a[0] * b[2] - a[1] * b[3]) + (a[2] * b[0] + a[3] * b[1]),
            (a[0] * b[3] + a[1] * b[2]) + (-a[2] * b[1] + a[3] * b[0]),
        ];
    }
    [
        a[0] * b[0] - a[1] * b[1] - a[2] * b[2] - a[3] * b[3],
        a[0] * b[1] + a[1] * b[0] + a[2] * b[3] - a[3] * b[2],
        a[0] * b[2] - a[1] * b[3] + a[2] * b[0] + a[3] * b[1],
        a[0] * b[3] + a[1] * b[2] - a[2] * b[1] + a[3] * b[0],
    ]
}

/// Rotates a vector by a quaternion, as `mju_rotVecQuat` does.
#[inline(always)]
pub(super) fn rot_vec_quat<V: Float64Lanes>(v: [V; 3], q: &[V; 4]) -> [V; 3] {
    let t = [
        q[0] * v[0] + q[2] * v[2] - q[3] * v[1],
        q[0] * v[1] + q[3] * v[0] - q[1] * v[2],
        q[0] * v[2] + q[1] * v[1] - q[2] * v[0],
    ];
    turned_by(v, t, q)
}

#[inline(always)]
fn turned_by<V: Float64Lanes>(v: [V; 3], t: [V; 3], q: &[V; 4]) -> [V; 3] {
    let two = V::splat(2.0);
    [v[0] + two * (q[2] * t[2] - q[3] * t[1]), v[1] + two * (q[3] * t[0] - q[1] * t[2]), v[2] + two * (q[1] * t[1] - q[2] * t[0])]
}

/// As [`rot_vec_quat`] for a unit vector along an axis, of either sign, without products with exact zeros.
#[inline(always)]
pub(super) fn rot_vec_quat_axis<V: Float64Lanes>((along, sign): (usize, f64), q: &[V; 4]) -> [V; 3] {
    let (s, none) = (V::splat(sign), V::splat(0.0));
    match along {
        0 => turned_by([s, none, none], [q[0] * s, q[3] * s, -(q[2] * s)], q),
        1 => turned_by([none, s, none], [-(q[3] * s), q[0] * s, q[1] * s], q),
        _ => turned_by([none, none, s], [q[2] * s, -(q[1] * s), q[0] * s], q),
    }
}

/// Multiplies a quaternion by a rotation about a coordinate axis, as `mju_mulQuat` does, but without products with exact zeros.
#[inline(always)]
pub(super) fn mul_quat_axis<V: Float64Lanes>(along: usize, q: &[V; 4], cosine: V, sine: V) -> [V; 4] {
    let (c, s) = (cosine, sine);
    match along {
        0 => [q[0] * c - q[1] * s, q[0] * s + q[1] * c, q[2] * c + q[3] * s, q[3] * c - q[2] * s],
        1 => [q[0] * c - q[2] * s, q[1] * c - q[3] * s, q[0] * s + q[2] * c, q[3] * c + q[1] * s],
        _ => [q[0] * c - q[3] * s, q[1] * c + q[2] * s, q[2] * c - q[1] * s, q[0] * s + q[3] * c],
    }
}

/// Converts a quaternion to a matrix (`mju_quat2Mat`), whose diagonal sums run left to right, or pairwise if `in_pairs`.
#[inline(always)]
pub(super) fn quat_to_mat<V: Float64Lanes>(q: &[V; 4], in_pairs: bool) -> [V; 9] {
    let two = V::splat(2.0);
    let (a, b, c, d) = (q[0] * q[0], q[0] * q[1], q[0] * q[2], q[0] * q[3]);
    let (e, f, g, h, i, j) = (q[1] * q[1], q[1] * q[2], q[1] * q[3], q[2] * q[2], q[2] * q[3], q[3] * q[3]);
    let diagonal = if in_pairs {
        [(a - h) + (e - j), (a + h) - (e + j), (a - h) - (e - j)]
    } else {
        [a + e - h - j, a - e + h - j, a - e - h + j]
    };
    [
        diagonal[0],
        two * (f - d),
        two * (g + c),
        two * (f + d),
        diagonal[1],
        two * (i - b),
        two * (g - c),
        two * (i + b),
        diagonal[2],
    ]
}

/// Normalizes a vector, and returns it with its length, as `mju_normalize3` does. A vector without length becomes the x axis.
#[inline(always)]
pub(super) fn normalize3<V: Float64Lanes>(v: [V; 3]) -> ([V; 3], V) {
    let (none, one) = (V::splat(0.0), V::splat(1.0));
    let length = dot3(&v, &v).sqrt();
    let is_nothing = length.lt(V::splat(MJMINVAL));
    let by = one / length;
    let unit =
        [V::select(is_nothing, one, v[0] * by), V::select(is_nothing, none, v[1] * by), V::select(is_nothing, none, v[2] * by)];
    (unit, length)
}

/// Converts the quaternion of a rotation to the angular velocity that rotates by it in one second, as `mju_quat2Vel` does.
#[inline(always)]
pub(super) fn quat_to_vel<V: Float64Lanes>(q: &[V; 4]) -> [V; 3] {
    let (axis, sine) = normalize3([q[1], q[2], q[3]]);
    let mut angle = V::splat(0.0);
    for lane in 0..V::COUNT {
        angle.set(lane, sine.get(lane).atan2(q[0].get(lane)));
    }
    let speed = V::splat(2.0) * angle;
    // A rotation by more than half a turn goes the other way.
    let is_far = speed.gt(V::splat(std::f64::consts::PI));
    scl3(axis, V::select(is_far, speed - V::splat(2.0 * std::f64::consts::PI), speed))
}

/// Returns the inverse of a unit quaternion, as `mju_negQuat` does.
#[inline(always)]
pub(super) fn conjugate<V: Float64Lanes>(q: [V; 4]) -> [V; 4] {
    [q[0], -q[1], -q[2], -q[3]]
}

/// Returns the velocity that rotates `other` to `one` in one second, as `mju_subQuat` does.
#[inline(always)]
pub(super) fn sub_quat<V: Float64Lanes>(one: &[V; 4], other: &[V; 4], in_pairs: bool) -> [V; 3] {
    quat_to_vel(&mul_quat(&conjugate(*other), one, in_pairs))
}

/// Normalizes a quaternion unless its length is nearly 1, as `mju_normalize4` does; one without length becomes the identity. The
/// squares are summed from left to right, or pairwise if `in_pairs` is set.
#[inline(always)]
pub(super) fn normalize4<V: Float64Lanes>(q: [V; 4], in_pairs: bool) -> [V; 4] {
    let one = V::splat(1.0);
    let squares = [q[0] * q[0], q[1] * q[1], q[2] * q[2], q[3] * q[3]];
    let first = squares[0] + squares[1];
    let length = if in_pairs { first + (squares[2] + squares[3]) } else { first + squares[2] + squares[3] }.sqrt();
    let is_off = (length - one).abs().gt(V::splat(MJMINVAL));
    // Nearly always. The branch is predicted, so that nothing waits for the root.
    if !V::any(is_off) {
        return q;
    }
    let factor = V::select(is_off, one / length, one);
    let is_short = length.lt(V::splat(MJMINVAL));
    let mut unit = [q[0] * factor, q[1] * factor, q[2] * factor, q[3] * factor];
    for part in 0..4 {
        unit[part] = V::select(is_short, V::splat(IDENTITY_QUAT[part]), unit[part]);
    }
    unit
}

/// Multiplies an inertia (six moments, mass times centre, mass) by a motion vector, as `mju_mulInertVec` does.
#[inline(always)]
pub(super) fn mul_inert_vec<V: Float64Lanes>(i: &[V; 10], v: &[V; 6]) -> [V; 6] {
    [
        i[0] * v[0] + i[3] * v[1] + i[4] * v[2] - i[8] * v[4] + i[7] * v[5],
        i[3] * v[0] + i[1] * v[1] + i[5] * v[2] + i[8] * v[3] - i[6] * v[5],
        i[4] * v[0] + i[5] * v[1] + i[2] * v[2] - i[7] * v[3] + i[6] * v[4],
        i[8] * v[1] - i[7] * v[2] + i[9] * v[3],
        i[6] * v[2] - i[8] * v[0] + i[9] * v[4],
        i[7] * v[0] - i[6] * v[1] + i[9] * v[5],
    ]
}

/// Returns the dot product of a force and a motion vector, summed in the same order as `mju_dot` for six numbers.
#[inline(always)]
pub(super) fn dot6<V: Float64Lanes>(a: &[V; 6], b: &[V; 6]) -> V {
    ((a[0] * b[0] + a[2] * b[2]) + (a[1] * b[1] + a[3] * b[3])) + (a[4] * b[4] + a[5] * b[5])
}

/// Computes the cross product of two motion vectors, as `mju_crossMotion` does.
#[inline(always)]
pub(super) fn cross_motion<V: Float64Lanes>(a: &[V; 6], v: &[V; 6]) -> [V; 6] {
    [
        a[1] * v[2] - a[2] * v[1],
        a[2] * v[0] - a[0] * v[2],
        a[0] * v[1] - a[1] * v[0],
        (a[1] * v[5] - a[2] * v[4]) + (a[4] * v[2] - a[5] * v[1]),
        (a[2] * v[3] - a[0] * v[5]) + (a[5] * v[0] - a[3] * v[2]),
        (a[0] * v[4] - a[1] * v[3]) + (a[3] * v[1] - a[4] * v[0]),
    ]
}

/// Computes the cross product of a motion and a force vector, as `mju_crossForce` does.
#[inline(always)]
pub(super) fn cross_force<V: Float64Lanes>(a: &[V; 6], f: &[V; 6]) -> [V; 6] {
    [
        (a[1] * f[2] - a[2] * f[1]) + (a[4] * f[5] - a[5] * f[4]),
        (a[2] * f[0] - a[0] * f[2]) + (a[5] * f[3] - a[3] * f[5]),
        (a[0] * f[1] - a[1] * f[0]) + (a[3] * f[4] - a[4] * f[3]),
        a[1] * f[5] - a[2] * f[4],
        a[2] * f[3] - a[0] * f[5],
        a[0] * f[4] - a[1] * f[3],
    ]
}

/// Factors a symmetric matrix of `n` rows, given by its lower triangle row by row, into `L L'` in place, as `mju_cholFactor` does.
#[inline(always)]
pub(super) fn chol_factor<V: Float64Lanes>(matrix: &mut [V], n: usize, clears_columns: bool) {
    for j in 0..n {
        let (above, below) = matrix.split_at_mut((j + 1) * n);
        let row = &mut above[j * n..];
        let square = if j > 0 { row[j] - dot(row, row, j) } else { row[j] };
        let is_lost = square.lt(V::splat(MJMINVAL));
        let diagonal = V::select(is_lost, V::splat(MJMINVAL), square).sqrt();
        row[j] = diagonal;
        let by = V::splat(1.0) / diagonal;
        for other in below.chunks_exact_mut(n) {
            let value = if j > 0 { other[j] - dot(other, row, j) } else { other[j] };
            other[j] = value * by;
            if clears_columns {
                other[j] = V::select(is_lost, V::splat(0.0), other[j]);
            }
        }
    }
}

/// Returns the dot product of the first `len` numbers of `a` and `b`, summed in the same order as `mju_dot`. Blocks of four are
/// added in four partial sums; the sum of the remaining numbers is added last.
#[inline(always)]
pub(super) fn dot<V: Float64Lanes>(a: &[V], b: &[V], len: usize) -> V {
    // Expressions instead of a closure: the compiler does not always inline closures, which then lack the SIMD instructions.
    let (a, b) = (&a[..len], &b[..len]);
    let (mut at, mut sum) = (0, V::splat(0.0));
    if len >= 4 {
        let mut sums = [a[0] * b[0], a[1] * b[1], a[2] * b[2], a[3] * b[3]];
        at = 4;
        while at + 4 <= len {
            sums = [
                sums[0] + a[at] * b[at],
                sums[1] + a[at + 1] * b[at + 1],
                sums[2] + a[at + 2] * b[at + 2],
                sums[3] + a[at + 3] * b[at + 3],
            ];
            at += 4;
        }
        sum = (sums[0] + sums[2]) + (sums[1] + sums[3]);
    }
    match len - at {
        1 => sum + a[at] * b[at],
        2 => sum + (a[at] * b[at] + a[at + 1] * b[at + 1]),
        3 => sum + (a[at] * b[at] + a[at + 1] * b[at + 1] + a[at + 2] * b[at + 2]),
        _ => sum,
    }
}

/// Limits a value to a range, as `mju_clip` (and `clampVec` or `mju_clampVec` each element) does.
#[inline(always)]
pub(super) fn clip<V: Float64Lanes>(value: V, [low, high]: [f64; 2]) -> V {
    let (low, high) = (V::splat(low), V::splat(high));
    V::select(value.lt(low), low, V::select(value.gt(high), high, value))
}
