//! Computes the noise of several points at once, in vector registers.
//!
//! Every lane computes one point: the contributions of all corners of the point's lattice cube, of which it uses those of the
//! point's region. In each region, contributions are added in the same order as in the package opensimplex.

use envpool_rs_numeric::simd::{Float64Kernel, Float64Lanes};

use super::OpenSimplex;
use super::extra_points::{BETWEEN, ExtraPoint, FAR, SQUISH, extra_points};

/// Largest number of lanes (points that are computed at once).
pub(super) const MAX_LANES: usize = 8;

/// Corners of a cube in the order in which their contributions are added; bits 0, 1 and 2 are the coordinates x, y and z.
const CORNERS: [usize; 8] = [0b000, 0b001, 0b010, 0b100, 0b011, 0b101, 0b110, 0b111];

/// Constant whose addition rounds a number to an integer; the integer is then in the low bits of the sum.
const INTEGER_BITS: f64 = 6_755_399_441_055_744.0;

/// SIMD kernel that computes the noise of several points with the same `z`. All vector types give the same results.
pub(super) struct Noise3<'a> {
    pub(super) simplex: &'a OpenSimplex,
    pub(super) xs: &'a [f64],
    pub(super) ys: &'a [f64],
    pub(super) z: f64,
    pub(super) out: &'a mut [f64],
}

impl Float64Kernel for Noise3<'_> {
    type Output = ();

    #[inline(always)]
    fn run<V: Float64Lanes>(self) {
        let Noise3 { simplex, xs, ys, z, out } = self;
        let extras = extra_points();
        let points = xs.chunks(V::COUNT).zip(ys.chunks(V::COUNT)).zip(out.chunks_mut(V::COUNT));
        for ((xs, ys), out) in points {
            let (mut x, mut y) = ([0.0; MAX_LANES], [0.0; MAX_LANES]);
            x[..xs.len()].copy_from_slice(xs);
            y[..ys.len()].copy_from_slice(ys);
            let noise = noise3::<V>(simplex, extras, load::<V>(&x), load::<V>(&y), V::splat(z));
            out.copy_from_slice(&store(noise)[..out.len()]);
        }
    }
}

#[inline(always)]
fn load<V: Float64Lanes>(numbers: &[f64; MAX_LANES]) -> V {
    V::from_fn(|lane| numbers[lane])
}

#[inline(always)]
fn store<V: Float64Lanes>(lanes: V) -> [f64; MAX_LANES] {
    std::array::from_fn(|lane| if lane < V::COUNT { lanes.get(lane) } else { 0.0 })
}

/// Returns the greatest integers that do not exceed `numbers`, whose absolute values must be below 2**51.
#[inline(always)]
fn floor<V: Float64Lanes>(numbers: V) -> V {
    let rounded = (numbers + V::splat(INTEGER_BITS)) - V::splat(INTEGER_BITS);
    rounded - V::splat(1.0).select_or_zero(rounded.gt(numbers))
}

/// Returns `integers` modulo 256, as bytes.
#[inline(always)]
fn bytes<V: Float64Lanes>(integers: V) -> [u8; MAX_LANES] {
    store(integers + V::splat(INTEGER_BITS)).map(|sum| sum.to_bits() as u8)
}

/// The lattice cubes that contain the points of all lanes.
struct Cell<V> {
    /// Lattice coordinates of the cube's corner (0, 0, 0), modulo 256, for each axis.
    base: [[u8; MAX_LANES]; 3],
    /// Coordinates of each point inside its cube, from 0 to 1.
    inside: [V; 3],
    /// Displacement of each point from the corner (0, 0, 0) of its cube.
    displacement: [V; 3],
}

#[inline(always)]
fn cell_of<V: Float64Lanes>(point: [V; 3]) -> Cell<V> {
    let stretch = (point[0] + point[1] + point[2]) * V::splat(-1.0 / 6.0);
    let stretched = point.map(|coordinate| coordinate + stretch);
    let base = stretched.map(floor);
    let squish = (base[0] + base[1] + base[2]) * V::splat(SQUISH);
    let axes = [0, 1, 2];
    Cell {
        base: base.map(bytes),
        inside: axes.map(|axis| stretched[axis] - base[axis]),
        displacement: axes.map(|axis| point[axis] - (base[axis] + squish)),
    }
}

#[inline(always)]
fn noise3<V: Float64Lanes>(simplex: &OpenSimplex, extras: &[[ExtraPoint; 2]], x: V, y: V, z: V) -> V {
    let Cell { base, inside, displacement } = cell_of([x, y, z]);
    let sum = inside[0] + inside[1] + inside[2];
    let is_near = sum.le(V::splat(1.0));
    let is_far = sum.ge(V::splat(2.0));
    let all = V::mask(V::ALL);
    let is_not = |mask| V::mask_xor(mask, all);
    // `contributes[n]` is the mask of the lanes in which the corners with `n` coordinates equal to 1 contribute to the noise.
    let contributes = [is_near, is_not(is_far), is_not(is_near), is_far];

    let keys = extra_keys(inside, sum, is_near, is_far);
    let mut corner_gradients = [[0; MAX_LANES]; CORNERS.len()];
    let mut extra = [ExtraLanes::new(), ExtraLanes::new()];
    for lane in 0..V::COUNT {
        let base = base.map(|axis| axis[lane]);
        simplex.corner_gradients(base, lane, &mut corner_gradients);
        for (extra, point) in extra.iter_mut().zip(&extras[keys[lane]]) {
            extra.set(lane, point, simplex.gradient(base, point.lattice));
        }
    }

    let mut value = V::splat(0.0);
    for (corner, gradients) in CORNERS.into_iter().zip(&corner_gradients) {
        let steps = corner.count_ones();
        let shift = V::splat(f64::from(steps) * SQUISH);
        let at = [0, 1, 2].map(|axis| {
            let offset = if corner >> axis & 1 == 0 { 0.0 } else { 1.0 };
            displacement[axis] - V::splat(offset) - shift
        });
        value = value + contribution(at, gradients, contributes[steps as usize]);
    }
    for extra in &extra {
        let (shift, shift_first) = (load::<V>(&extra.shift), V::mask(extra.shift_first));
        let offsets = unpacked::<V>(&extra.offsets);
        let at = [0, 1, 2].map(|axis| {
            let first = V::select(shift_first, shift, offsets[axis]);
            let second = V::select(shift_first, offsets[axis], shift);
            displacement[axis] - first - second
        });
        value = value + contribution(at, &extra.gradients, all);
    }
    value / V::splat(103.0)
}

/// One of OpenSimplex's two extra lattice points ([`ExtraPoint`]) for each lane, with the gradients of these points.
struct ExtraLanes {
    offsets: [u64; MAX_LANES],
    gradients: [u64; MAX_LANES],
    shift: [f64; MAX_LANES],
    /// Bit mask of the lanes in which `shift` is subtracted before `offsets`.
    shift_first: u32,
}

impl ExtraLanes {
    #[inline(always)]
    fn new() -> Self {
        Self { offsets: [0; MAX_LANES], gradients: [0; MAX_LANES], shift: [0.0; MAX_LANES], shift_first: 0 }
    }

    #[inline(always)]
    fn set(&mut self, lane: usize, point: &ExtraPoint, gradient: u64) {
        self.offsets[lane] = point.offsets;
        self.gradients[lane] = gradient;
        self.shift[lane] = point.shift;
        self.shift_first |= u32::from(point.is_shift_first) << lane;
    }
}

impl OpenSimplex {
    #[inline(always)]
    fn entry(&self, index: u8) -> u8 {
        self.permutation[usize::from(index)]
    }

    /// Returns the packed gradient of a lattice point.
    #[inline(always)]
    fn gradient(&self, base: [u8; 3], offset: [u8; 3]) -> u64 {
        let [x, y, z] = [0, 1, 2].map(|axis| base[axis].wrapping_add(offset[axis]));
        let hash = self.entry(self.entry(x).wrapping_add(y)).wrapping_add(z);
        self.gradients[usize::from(hash)]
    }

    /// Writes the packed gradients of a cube's corners as lane number `lane`, in the order of [`CORNERS`].
    #[inline(always)]
    fn corner_gradients(&self, base: [u8; 3], lane: usize, out: &mut [[u64; MAX_LANES]; CORNERS.len()]) {
        let next = |start: u8, is_one: usize| start.wrapping_add(is_one as u8);
        let by_x = [0, 1].map(|x| self.entry(next(base[0], x)));
        let by_xy = [0, 1, 2, 3].map(|xy| self.entry(next(by_x[xy & 1].wrapping_add(base[1]), xy >> 1)));
        for (corner, out) in CORNERS.into_iter().zip(out) {
            let hash = next(by_xy[corner & 3].wrapping_add(base[2]), corner >> 2);
            out[lane] = self.gradients[usize::from(hash)];
        }
    }
}

/// Returns the three numbers of each lane that [`pack`](super::pack) has packed.
#[inline(always)]
fn unpacked<V: Float64Lanes>(packed: &[u64; MAX_LANES]) -> [V; 3] {
    const UPPER: u64 = 0xffff << 48;
    [0, 16, 32].map(|shift| {
        let numbers = packed.map(|packed| f64::from_bits(packed << shift & UPPER));
        load::<V>(&numbers)
    })
}

/// Returns the contribution of a lattice point to the noise at displacement `at`, in the lanes of `mask`; 0 in all other lanes.
#[inline(always)]
fn contribution<V: Float64Lanes>(at: [V; 3], gradients: &[u64; MAX_LANES], mask: V::Mask) -> V {
    let attenuation = V::splat(2.0) - at[0] * at[0] - at[1] * at[1] - at[2] * at[2];
    let gradient = unpacked::<V>(gradients);
    let slope = gradient[0] * at[0] + gradient[1] * at[1] + gradient[2] * at[2];
    let square = attenuation * attenuation;
    let contributes = V::mask_and(attenuation.gt(V::splat(0.0)), mask);
    (square * square * slope).select_or_zero(contributes)
}

/// Returns the key of each lane's extra points in the table [`extra_points`].
#[inline(always)]
fn extra_keys<V: Float64Lanes>(inside: [V; 3], sum: V, is_near: V::Mask, is_far: V::Mask) -> [usize; MAX_LANES] {
    let key = V::select(is_near, near_key(inside, sum), V::select(is_far, far_key(inside, sum), between_key(inside)));
    bytes(key).map(usize::from)
}

/// Returns the keys of extra points for lanes whose point is in the tetrahedron at (0, 0, 0).
#[inline(always)]
fn near_key<V: Float64Lanes>([x, y, z]: [V; 3], sum: V) -> V {
    let is_x_first = x.ge(y);
    let replaces_y = V::mask_and(is_x_first, z.gt(y));
    let replaces_x = V::mask_and(x.lt(y), z.gt(x));
    let (a, a_corner) = (V::select(replaces_x, z, x), V::select(replaces_x, V::splat(4.0), V::splat(1.0)));
    let (b, b_corner) = (V::select(replaces_y, z, y), V::select(replaces_y, V::splat(4.0), V::splat(2.0)));
    let origin = V::splat(1.0) - sum;
    let is_origin_near = V::mask_or(origin.gt(a), origin.gt(b));
    V::select(is_origin_near, V::select(b.gt(a), b_corner, a_corner), a_corner + b_corner)
}

/// Returns the keys of extra points for lanes whose point is in the tetrahedron at (1, 1, 1).
#[inline(always)]
fn far_key<V: Float64Lanes>([x, y, z]: [V; 3], sum: V) -> V {
    let replaces_y = V::mask_and(x.le(y), z.lt(y));
    let replaces_x = V::mask_and(x.gt(y), z.lt(x));
    let (a, a_corner) = (V::select(replaces_x, z, x), V::select(replaces_x, V::splat(3.0), V::splat(6.0)));
    let (b, b_corner) = (V::select(replaces_y, z, y), V::select(replaces_y, V::splat(3.0), V::splat(5.0)));
    let opposite = V::splat(3.0) - sum;
    let is_opposite_near = V::mask_or(opposite.lt(a), opposite.lt(b));
    // The two nearest corners each have two coordinates equal to 1. Because they differ, they share exactly one such axis, and
    // `a_corner + b_corner` is 7 plus this axis's bit.
    let common = a_corner + b_corner - V::splat(7.0);
    V::splat(FAR as f64) + V::select(is_opposite_near, V::select(b.lt(a), b_corner, a_corner), common)
}

/// Returns the keys of extra points for lanes whose point is in the octahedron.
#[inline(always)]
fn between_key<V: Float64Lanes>([x, y, z]: [V; 3]) -> V {
    // For a pair of opposite corners, `nearer` returns the point's distance from the middle between them, and the nearer
    // corner.
    let nearer = |sum: V, far: f64, near: f64| {
        let one = V::splat(1.0);
        ((sum - one).abs(), V::select(sum.gt(one), V::splat(far), V::splat(near)))
    };
    let (a, mut a_corner) = nearer(x + y, 3.0, 4.0);
    let (b, mut b_corner) = nearer(x + z, 5.0, 2.0);
    let (c, c_corner) = nearer(y + z, 6.0, 1.0);
    a_corner = V::select(V::mask_and(a.le(b), a.lt(c)), c_corner, a_corner);
    b_corner = V::select(V::mask_and(a.gt(b), b.lt(c)), c_corner, b_corner);
    V::splat(BETWEEN as f64) + V::splat(8.0) * a_corner + b_corner
}
