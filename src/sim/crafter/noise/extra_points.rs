//! The two extra lattice points that contribute to the OpenSimplex noise of a point. The extra points depend on the corners of
//! the lattice cube that are nearest to the point.

use super::pack;
use envpool_rs_sync::ForkOnce;

/// First index in the table of extra points ([`extra_points`]) for points in the tetrahedron at the cube's corner (1, 1, 1).
pub(super) const FAR: usize = 8;
/// First index in the table of extra points ([`extra_points`]) for points in the octahedron between the two tetrahedra.
pub(super) const BETWEEN: usize = 16;
/// Number of keys (indices) of the table of extra points.
const KEYS: usize = BETWEEN + 64;

/// Displacement along each axis that a lattice step along one axis causes, because the lattice is stretched.
pub(super) const SQUISH: f64 = 1.0 / 3.0;

/// Extra lattice point, relative to the cube that contains the point: its lattice offset, and the data from which its
/// displacement is computed.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct ExtraPoint {
    /// Offset along each axis in lattice steps, modulo 256.
    pub(super) lattice: [u8; 3],
    /// Offset along each axis as float64, packed by [`pack`].
    pub(super) offsets: u64,
    /// Number that is subtracted from each component of the displacement, in addition to `offsets`.
    pub(super) shift: f64,
    /// Whether `shift` is subtracted before `offsets`; the two orders round differently.
    pub(super) is_shift_first: bool,
}

impl ExtraPoint {
    fn new(offsets: [i8; 3]) -> Self {
        let steps: i8 = offsets.iter().sum();
        Self {
            lattice: offsets.map(|offset| offset as u8),
            offsets: pack(offsets.map(f64::from)),
            shift: f64::from(steps) * SQUISH,
            is_shift_first: false,
        }
    }
}

/// Returns the table of the two extra points of each key. A key is
/// - in the tetrahedron at (0, 0, 0): the nearest corner if the origin is nearer than the second nearest corner, else the union
///   of the bits of the two nearest corners;
/// - in the tetrahedron at (1, 1, 1): [`FAR`], plus the nearest corner if (1, 1, 1) is nearer than the second nearest corner,
///   else plus the common bits of the two nearest corners;
/// - in the octahedron: [`BETWEEN`], plus 8 times one of the two near corners, plus the other near corner.
///
/// A corner is a number whose bits 0, 1 and 2 are its coordinates x, y and z.
pub(super) fn extra_points() -> &'static [[ExtraPoint; 2]; KEYS] {
    static TABLE: ForkOnce<[[ExtraPoint; 2]; KEYS]> = ForkOnce::new();
    TABLE.get_or_init(|| {
        std::array::from_fn(|key| match key {
            FAR..BETWEEN => far_points(key - FAR),
            BETWEEN.. => between_points((key - BETWEEN) / 8, (key - BETWEEN) % 8),
            _ => near_points(key),
        })
    })
}

/// Returns whether a corner has coordinate 1 along an axis.
fn has(corner: usize, axis: usize) -> bool {
    corner >> axis & 1 != 0
}

/// Returns the first axis along which a corner has coordinate 1 (or 0 if `is_one` is false). If there is no such axis, returns
/// the last axis.
fn first_axis(corner: usize, is_one: bool) -> usize {
    (0..2).find(|axis| has(corner, *axis) == is_one).unwrap_or(2)
}

fn with(mut point: [i8; 3], axis: usize, coordinate: i8) -> [i8; 3] {
    point[axis] = coordinate;
    point
}

fn corner(bits: usize) -> [i8; 3] {
    std::array::from_fn(|axis| i8::from(has(bits, axis)))
}

fn points(one: [i8; 3], other: [i8; 3]) -> [ExtraPoint; 2] {
    [ExtraPoint::new(one), ExtraPoint::new(other)]
}

/// Returns the two extra lattice points for a key (see [`extra_points`]) of the tetrahedron at (0, 0, 0).
fn near_points(bits: usize) -> [ExtraPoint; 2] {
    let nearest = corner(bits);
    match bits.count_ones() {
        // The key is one nearest corner. The extra points are this corner with -1 along one of the other two axes each.
        1 => {
            let others: Vec<_> = (0..3).filter(|axis| !has(bits, *axis)).collect();
            points(with(nearest, others[0], -1), with(nearest, others[1], -1))
        }
        // The key is two nearest corners. One extra point is their sum; the other is their sum with -1 along the axis along
        // which both have coordinate 0.
        _ => points(nearest, with(nearest, first_axis(bits, false), -1)),
    }
}

/// Returns the two extra lattice points for a key (see [`extra_points`]) of the tetrahedron at (1, 1, 1).
fn far_points(bits: usize) -> [ExtraPoint; 2] {
    let nearest = corner(bits);
    match bits.count_ones() {
        // The key is a nearest corner with coordinate 1 along two axes. The extra points are this corner with 2 along one of
        // these axes each.
        2 => {
            let axes: Vec<_> = (0..3).filter(|axis| has(bits, *axis)).collect();
            points(with(nearest, axes[0], 2), with(nearest, axes[1], 2))
        }
        // The two nearest corners both have coordinate 1 along exactly one axis. The extra points have 1 and 2 along this axis.
        _ => {
            let axis = first_axis(bits, true);
            points(with([0; 3], axis, 1), with([0; 3], axis, 2))
        }
    }
}

/// Returns the two extra lattice points for a key (see [`extra_points`]) of the octahedron between the two tetrahedra.
fn between_points(one: usize, other: usize) -> [ExtraPoint; 2] {
    let is_far = |corner: usize| corner.count_ones() == 2;
    match (is_far(one), is_far(other)) {
        (true, true) => points([1; 3], with([0; 3], first_axis(one & other, true), 2)),
        (false, false) => points([0; 3], with([1; 3], first_axis(one | other, false), -1)),
        (one_is_far, _) => {
            let (far, near) = if one_is_far { (one, other) } else { (other, one) };
            let doubled = with([0; 3], first_axis(near, true), 2);
            let second = ExtraPoint { is_shift_first: true, ..ExtraPoint::new(doubled) };
            [ExtraPoint::new(with([1; 3], first_axis(far, false), -1)), second]
        }
    }
}
