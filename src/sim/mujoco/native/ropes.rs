//! Spatial tendons that run straight between two sites, with length limits.

use super::algebra::{TINY, dot, scaled, sub};
use super::rows::{Constraint, Rows, impedance, moved, passed, resistance};
use super::smooth::Motion;
use super::tables::{DOFS, Rope, Tables};
use envpool_rs_numeric::simd::Float64Lanes;

/// Computes `ten_velocity` from sparse moments (degree of freedom and coefficient, ascending) and `qvel`.
pub(super) fn velocity(along: &[(usize, f64)], velocities: &[f64; DOFS], has_dense_tendons: bool, dofs: usize) -> f64 {
    if has_dense_tendons {
        let mut all = [0.0; DOFS];
        along.iter().for_each(|(dof, share)| all[*dof] = *share);
        return dot(&all, velocities, dofs);
    }
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
pub(super) fn places<V: Float64Lanes>(rope: &Rope, motion: &Motion<V>) -> [[V; 3]; 2] {
    let [one, other] = &rope.ends;
    [motion.fixed(one.body, &one.frame), motion.fixed(other.body, &other.frame)]
}

/// Computes `ten_length`.
#[inline(always)]
pub(super) fn length<V: Float64Lanes>(rope: &Rope, motion: &Motion<V>) -> V {
    let [one, other] = places(rope, motion);
    let apart = sub(one, other);
    (apart[0] * apart[0] + apart[1] * apart[1] + apart[2] * apart[2]).sqrt()
}

/// Returns the unit vector from the first site to the second, as `mju_normalize3`.
#[inline(always)]
fn way<V: Float64Lanes>(rope: &Rope, motion: &Motion<V>) -> [V; 3] {
    let (none, one) = (V::all(0.0), V::all(1.0));
    let [start, end] = places(rope, motion);
    let way = sub(end, start);
    let length = (way[0] * way[0] + way[1] * way[1] + way[2] * way[2]).sqrt();
    let is_nothing = length.lt(V::all(TINY));
    let way = scaled(way, one / length);
    [V::select(is_nothing, one, way[0]), V::select(is_nothing, none, way[1]), V::select(is_nothing, none, way[2])]
}

/// Computes the tendon's row of `ten_J`, as `mj_tendon`.
#[inline(always)]
fn jacobian<V: Float64Lanes>(rope: &Rope, motion: &Motion<V>, way: &[V; 3], to: &mut [V; DOFS]) {
    let (none, places) = (V::all(0.0), places(rope, motion));
    for side in 0..2 {
        let offset = sub(places[side], motion.tree_centres[rope.roots[side]]);
        for &dof in &rope.chains[side] {
            let [x, y, z] = moved(&motion.motions[dof], &offset);
            let [x, y, z] = if side == 0 { [-x, -y, -z] } else { [x, y, z] };
            to[dof] = none + x * way[0] + y * way[1] + z * way[2];
        }
    }
}

/// Adds the row of a tendon limit, as `mj_instantiateLimit`. Returns the lanes that have to fall back to MuJoCo, as bits.
#[inline(always)]
pub(super) fn find<V: Float64Lanes>(rope: &Rope, tables: &Tables, motion: &Motion<V>, rows: &mut Rows<V>, number: usize) -> u32 {
    let way = way(rope, motion);
    let taut = &mut rows.ropes[number];
    jacobian(rope, motion, &way, &mut taut.along);
    (taut.lanes, taut.row) = (0, rows.count);
    let Some(limit) = &rope.limit else { return 0 };
    let (is_below, is_on, distance) = passed([limit.low, limit.high, limit.margin], length(rope, motion));
    if !V::any(is_on) {
        return 0;
    }
    let (none, one, dofs) = (V::all(0.0), V::all(1.0), tables.dofs.len());
    let impedance = impedance(&limit.softness, distance);
    let sign = V::select(is_below, one, -one);
    rows.ropes[number].lanes = V::bits(is_on);
    rows.ropes[number].pull = [way[0] * sign, way[1] * sign, way[2] * sign];
    let along = rows.ropes[number].along;
    let room = rows.room(dofs, 1);
    let mut pulled = [V::mask(0); 2];
    for (chain, is_pulled) in rope.chains.iter().zip(&mut pulled) {
        for &dof in chain {
            *is_pulled = V::either(*is_pulled, along[dof].ne(none));
            room[dof] = (along[dof] * sign).keep(is_on);
        }
    }
    // The row does not bind the tree of an end that has only zeros in it.
    let first = if rope.chains[0].is_empty() { V::ALL } else { V::bits(pulled[0]) };
    let second = if rope.chains[1].is_empty() { V::ALL } else { V::bits(pulled[1]) };
    let constraint = Constraint {
        lanes: is_on,
        resistance: resistance(impedance, limit.weight),
        impedance,
        softness: &limit.softness,
        distance,
        only: 0,
        support: tables.pairs.len() + number,
    };
    rows.take(motion, (dofs, 1), rope.trees(), &constraint);
    V::bits(is_on) & !(first & second)
}
