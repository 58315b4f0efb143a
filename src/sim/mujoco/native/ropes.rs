//! Tendons: spatial tendons that run straight between two sites, and length limits of spatial and fixed tendons.

use super::algebra::{MJMINVAL, scaled, sub};
use super::outlined::outlined;
use super::rows::{Constraints, RowSpec, efc_r, impedance, jac_point, limit_distance};
use super::smooth::NativeData;
use super::tables::{FixedTendon, MAX_NV, NativeModel, SpatialTendon, TendonLimit};
use envpool_rs_numeric::simd::Float64Lanes;

/// Computes the tendon's velocity (`ten_velocity`): the product of a sparse row of `ten_J` and `qvel`. `along` lists the
/// non-zero entries of the row: degrees of freedom in ascending order, with their coefficients.
pub(super) fn ten_velocity(along: &[(usize, f64)], velocities: &[f64; MAX_NV]) -> f64 {
    let product = |at: usize| along[at].1 * velocities[along[at].0];
    let whole = along.len() / 4 * 4;
    let mut sum = 0.0;
    if whole > 0 {
        let mut sums = [product(0), product(1), product(2), product(3)];
        for at in 4..whole {
            sums[at % 4] += product(at);
        }
        sum = (sums[0] + sums[2]) + (sums[1] + sums[3]);
    }
    (whole..along.len()).fold(sum, |sum, at| sum + product(at))
}

/// Returns the world positions of a tendon's two sites.
pub(super) fn site_positions<V: Float64Lanes>(rope: &SpatialTendon, motion: &NativeData<V>) -> [[V; 3]; 2] {
    let [one, other] = &rope.sites;
    [motion.frame_xpos(one.body, &one.frame), motion.frame_xpos(other.body, &other.frame)]
}

/// Computes the tendon's length (`ten_length`), the distance between its two sites.
#[inline(always)]
pub(super) fn ten_length<V: Float64Lanes>(rope: &SpatialTendon, motion: &NativeData<V>) -> V {
    let [one, other] = site_positions(rope, motion);
    let apart = sub(one, other);
    (apart[0] * apart[0] + apart[1] * apart[1] + apart[2] * apart[2]).sqrt()
}

/// Returns the unit vector from the tendon's first site to the second, as `mju_normalize3` does.
#[inline(always)]
fn direction<V: Float64Lanes>(rope: &SpatialTendon, motion: &NativeData<V>) -> [V; 3] {
    let (none, one) = (V::splat(0.0), V::splat(1.0));
    let [start, end] = site_positions(rope, motion);
    let way = sub(end, start);
    let length = (way[0] * way[0] + way[1] * way[1] + way[2] * way[2]).sqrt();
    let is_nothing = length.lt(V::splat(MJMINVAL));
    let way = scaled(way, one / length);
    [V::select(is_nothing, one, way[0]), V::select(is_nothing, none, way[1]), V::select(is_nothing, none, way[2])]
}

/// Computes the tendon's row of the Jacobian `ten_J`, as `mj_tendon` does.
#[inline(always)]
fn ten_j<V: Float64Lanes>(rope: &SpatialTendon, motion: &NativeData<V>, way: &[V; 3], to: &mut [V; MAX_NV]) {
    let (none, places) = (V::splat(0.0), site_positions(rope, motion));
    for side in 0..2 {
        let offset = sub(places[side], motion.subtree_com[rope.roots[side]]);
        for &dof in &rope.chains[side] {
            let [x, y, z] = jac_point(&motion.cdof[dof], &offset);
            let [x, y, z] = if side == 0 { [-x, -y, -z] } else { [x, y, z] };
            to[dof] = none + x * way[0] + y * way[1] + z * way[2];
        }
    }
}

outlined! {
    /// Adds the constraint row of a tendon limit, as `mj_instantiateLimit` does. Returns a bit mask of the lanes that MuJoCo must
    /// step instead of the native stepper.
    pub(super) fn instantiate_tendon_limit<'a, V>(
        rope: &'a SpatialTendon,
        tables: &'a NativeModel,
        motion: &'a NativeData<V>,
        rows: &'a mut Constraints<V>,
        number: usize,
    ) -> u32 = add_tendon_limit
}

#[inline(always)]
fn add_tendon_limit<V: Float64Lanes>(
    rope: &SpatialTendon,
    tables: &NativeModel,
    motion: &NativeData<V>,
    rows: &mut Constraints<V>,
    number: usize,
) -> u32 {
    let way = direction(rope, motion);
    let taut = &mut rows.tendon_rows[number];
    ten_j(rope, motion, &way, &mut taut.ten_j);
    (taut.lanes, taut.row) = (0, rows.nefc);
    let Some(limit) = &rope.limit else { return 0 };
    let (is_below, is_on, distance) = limit_distance([limit.low, limit.high, limit.margin], ten_length(rope, motion));
    if !V::any(is_on) {
        return 0;
    }
    let (none, one, dofs) = (V::splat(0.0), V::splat(1.0), tables.dofs.len());
    let impedance = impedance(&limit.sol, distance);
    let sign = V::select(is_below, one, -one);
    rows.tendon_rows[number].lanes = V::bits(is_on);
    rows.tendon_rows[number].direction = [way[0] * sign, way[1] * sign, way[2] * sign];
    let along = rows.tendon_rows[number].ten_j;
    let room = rows.alloc_rows(dofs, 1);
    let mut pulled = [V::mask(0); 2];
    for (chain, is_pulled) in rope.chains.iter().zip(&mut pulled) {
        for &dof in chain {
            *is_pulled = V::mask_or(*is_pulled, along[dof].ne(none));
            room[dof] = (along[dof] * sign).select_or_zero(is_on);
        }
    }
    // If the Jacobian of one of the tendon's ends has only zeros, the constraint row does not act on the kinematic tree of this
    // end.
    let first = if rope.chains[0].is_empty() { V::ALL } else { V::bits(pulled[0]) };
    let second = if rope.chains[1].is_empty() { V::ALL } else { V::bits(pulled[1]) };
    let constraint = RowSpec {
        lanes: is_on,
        efc_r: efc_r(impedance, V::splat(limit.diag_approx)),
        impedance,
        sol: &limit.sol,
        distance,
        single_dof: 0,
        colind: tables.pairs.len() + number,
    };
    rows.add_constraint(motion, (dofs, 1), rope.trees(), &constraint);
    V::bits(is_on) & !(first & second)
}

outlined! {
    /// Adds the constraint row of a fixed tendon's limit, as `mj_instantiateLimit` does, in the lanes that are at a limit. `number`
    /// is the tendon's index among the fixed tendons with limits.
    pub(super) fn instantiate_fixed_limit<'a, V>(
        tendon: (&'a FixedTendon, &'a TendonLimit),
        model: &'a NativeModel,
        motion: &'a NativeData<V>,
        rows: &'a mut Constraints<V>,
        number: usize,
    ) = add_fixed_limit
}

#[inline(always)]
fn add_fixed_limit<V: Float64Lanes>(
    (tendon, limit): (&FixedTendon, &TendonLimit),
    model: &NativeModel,
    motion: &NativeData<V>,
    rows: &mut Constraints<V>,
    number: usize,
) {
    let (one, dofs) = (V::splat(1.0), model.dofs.len());
    let mut length = V::splat(0.0);
    for (position, _, share) in &tendon.parts {
        length = length + V::splat(*share) * motion.qpos[*position];
    }
    let (is_below, is_on, distance) = limit_distance([limit.low, limit.high, limit.margin], length);
    if !V::any(is_on) {
        return;
    }
    let impedance = impedance(&limit.sol, distance);
    let sign = V::select(is_below, one, -one);
    let room = rows.alloc_rows(dofs, 1);
    for (_, dof, share) in &tendon.parts {
        room[*dof] = (V::splat(*share) * sign).select_or_zero(is_on);
    }
    let constraint = RowSpec {
        lanes: is_on,
        efc_r: efc_r(impedance, V::splat(limit.diag_approx)),
        impedance,
        sol: &limit.sol,
        distance,
        single_dof: if let [(_, dof, _)] = tendon.parts[..] { dof as u8 + 1 } else { 0 },
        colind: model.pairs.len() + rows.tendon_rows.len() + number,
    };
    rows.add_constraint(motion, (dofs, 1), tendon.trees, &constraint);
}
