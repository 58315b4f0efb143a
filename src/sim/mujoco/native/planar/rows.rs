//! `mj_makeConstraint` for planar robots: joint limits, capsules on the ground, and geoms of one leg.

use std::marker::PhantomData;

use super::super::algebra::TINY;
use super::super::collide::{Found, collide};
use super::super::rows::{impedance, passed, reference_acceleration, resistance};
use super::super::smooth::Motion;
use super::super::tables::{Round, Touch};
use super::super::watch::{alarms, are_near};
use super::lines::{Contact, Limited, Line, Single, each_row};
use super::plane::{Placed, Plane, Step};
use super::tables::{FlatGround, FlatOther, FlatRound};
use super::tree::{Tree, dot_leg, each};
use envpool_rs_numeric::simd::{Float64Lanes, Work};

/// Builds the constraint rows of all lanes, as `mj_makeConstraint`.
pub(super) struct FindRows<'a, 'b, V: Float64Lanes, T, const N: usize, const W: usize>(
    pub(super) &'a mut Plane<V, N, W>,
    pub(super) &'a mut Step<'b, V>,
    pub(super) PhantomData<T>,
);

impl<V: Float64Lanes, T: Tree<N, W>, const N: usize, const W: usize> Work for FindRows<'_, '_, V, T, N, W> {
    /// Lanes that have to fall back to MuJoCo, as bits, and whether there are any rows. `None` if geoms may collide outside the
    /// plane.
    type Output = Option<(u32, bool)>;

    #[inline(always)]
    fn run(self) -> Option<(u32, bool)> {
        let Self(plane, step, _) = self;
        let (tables, flat) = (step.tables, &plane.flat);
        for other in &flat.others {
            if reached(other, step.motion) {
                return None;
            }
        }
        let rows = &mut plane.rows;
        rows.lanes = 0;
        rows.limits.clear();
        rows.contacts.clear();
        rows.singles.clear();
        for (dof, joint) in tables.joints.iter().enumerate() {
            let Some(limit) = &joint.limit else { continue };
            let at = step.motion.positions[joint.position];
            let (is_below, is_on, distance) = passed([limit.low, limit.high, limit.margin], at);
            if !V::any(is_on) {
                continue;
            }
            let impedance = impedance(&limit.softness, distance);
            let sign = V::select(is_below, V::all(1.0), V::all(-1.0)).keep(is_on);
            let resistance = resistance(impedance, limit.weight);
            let wanted =
                reference_acceleration(&limit.softness, sign * step.motion.velocities[dof], impedance, distance).keep(is_on);
            rows.lanes |= V::bits(is_on);
            rows.limits.push(Limited { dof, sign, weight: (V::all(1.0) / resistance).keep(is_on), line: Line::new(wanted) });
        }
        let mut velocities = [V::all(0.0); N];
        velocities.copy_from_slice(&step.motion.velocities[..N]);
        for ground in &flat.grounds {
            let placed = plane.shapes[ground.shape];
            let is_near = placed.place[1].le(V::all(ground.near));
            if !V::any(is_near) {
                continue;
            }
            for sign in [1.0, -1.0] {
                let moved = (&plane.motions, &plane.centre, &velocities);
                if let Some((lanes, contact)) = contact::<V, T, N, W>(ground, &placed, is_near, sign, moved) {
                    rows.lanes |= lanes;
                    rows.contacts.push(contact);
                }
            }
        }
        let mut left = 0;
        for flat_round in &flat.rounds {
            let pair = &tables.pairs[flat_round.pair];
            let Touch::Round(round) = &pair.touch else { continue };
            let shapes = [&step.motion.shapes[pair.shapes[0]], &step.motion.shapes[pair.shapes[1]]];
            let Some((found, alarms)) = collide(round, shapes, tables.dialect.nearest) else { continue };
            left |= alarms;
            for found in &found {
                let moved = (&plane.motions, &plane.centre, &velocities);
                if let Some((lanes, single)) = single::<V, T, N, W>(flat_round, round, found, moved) {
                    rows.lanes |= lanes;
                    rows.singles.push(single);
                }
            }
        }
        for pair in &flat.watched {
            left |= alarms(tables, &tables.pairs[*pair], step.motion);
        }
        let has_rows = rows.lanes != 0;
        if !has_rows {
            for dof in 0..N {
                step.accelerations[dof] = plane.smooth[dof];
                step.constraint_forces[dof] = V::all(0.0);
            }
        }
        Some((left, has_rows))
    }
}

/// Returns whether two geoms are near each other in any lane.
#[inline(always)]
fn reached<V: Float64Lanes>(other: &FlatOther, motion: &Motion<V>) -> bool {
    let [one, two] = [&motion.shapes[other.shapes[0]], &motion.shapes[other.shapes[1]]];
    V::any(are_near([one, two], other.near, other.halves, other.reach))
}

/// Returns the contact of one end of a capsule, and its lanes as bits.
#[inline(always)]
fn contact<V: Float64Lanes, T: Tree<N, W>, const N: usize, const W: usize>(
    ground: &FlatGround,
    placed: &Placed<V>,
    is_near: V::Mask,
    sign: f64,
    (motions, centre, velocities): (&[[V; 3]; N], &[V; 2], &[V; N]),
) -> Option<(u32, Contact<V, W>)> {
    let (none, one, two) = (V::all(0.0), V::all(1.0), V::all(2.0));
    let (margin, radius, half) = (V::all(ground.margin), V::all(ground.radius), V::all(sign * ground.half));
    let axis = placed.axis;
    let place = [placed.place[0] + half * axis[0], placed.place[1] + half * axis[2]];
    let gap = place[1] - radius;
    let is_hit = place[1].le(V::all(ground.margin + ground.radius));
    let is_on = V::both(V::both(is_near, is_hit), gap.lt(margin));
    if !V::any(is_on) {
        return None;
    }
    // The y component is at most rounding noise; it only counts if the others are nearly zero.
    let square = axis[0] * axis[0];
    let length = if ground.is_level { square } else { square + axis[1] * axis[1] }.sqrt();
    let is_upright = length.lt(V::all(TINY));
    let by = one / length;
    let tangent = V::select(is_upright, one, axis[0] * by).keep(is_on);
    let across = if ground.is_level { none } else { V::select(is_upright, none, axis[1] * by).keep(is_on) };
    let height = place[1] + (-gap / two - radius);
    let distance = gap - margin;
    let impedance = impedance(&ground.softness, distance);
    let plain = resistance(impedance, ground.weight);
    let friction = V::all(ground.friction);
    let resistance = two * friction * friction * plain;
    let offset = [place[0] - centre[0], height - centre[1]];
    let mut jacobian = [[none; W]; 4];
    let leg = ground.leg;
    each!(K < W, {
        if K < ground.len {
            let motion = &motions[T::LEGS[leg][K]];
            let along_x = motion[1] + motion[0] * offset[1];
            let along_z = (motion[2] + (none - motion[0] * offset[0])).keep(is_on);
            let along = along_x * tangent * friction;
            jacobian[0][K] = along_z + along;
            jacobian[1][K] = along_z - along;
            if ground.is_level {
                jacobian[2][K] = along_z;
            } else {
                let other = along_x * -across * friction;
                jacobian[2][K] = along_z + other;
                jacobian[3][K] = along_z - other;
            }
        }
    });
    let weight = (one / resistance).keep(is_on);
    let mut contact = Contact { leg, jacobian, weight, lines: [Line::new(none); 4], is_twin: ground.is_level };
    each_row!(contact, |ROW, _is_twice| {
        let velocity = dot_leg::<T, V, N, W>(leg, &jacobian[ROW], velocities);
        contact.lines[ROW].wanted = reference_acceleration(&ground.softness, velocity, impedance, distance).keep(is_on);
    });
    Some((V::bits(is_on), contact))
}

/// Returns the frictionless contact of two geoms, and its lanes as bits.
#[inline(always)]
fn single<V: Float64Lanes, T: Tree<N, W>, const N: usize, const W: usize>(
    flat: &FlatRound,
    round: &Round,
    Found { lanes, distance, normal, point }: &Found<V>,
    (motions, centre, velocities): (&[[V; 3]; N], &[V; 2], &[V; N]),
) -> Option<(u32, Single<V, W>)> {
    let is_on = V::both(V::mask(*lanes), distance.lt(V::all(round.margin)));
    if !V::any(is_on) {
        return None;
    }
    // MuJoCo normalizes the normal a second time.
    let length = (normal[0] * normal[0] + normal[1] * normal[1] + normal[2] * normal[2]).sqrt();
    let by = V::all(1.0) / length;
    let normal = [normal[0] * by, normal[2] * by];
    let distance = *distance - V::all(round.margin);
    let impedance = impedance(&round.softness, distance);
    let offset = [point[0] - centre[0], point[2] - centre[1]];
    let mut jacobian = [V::all(0.0); W];
    each!(K < W, {
        if flat.signs[K] != 0 {
            let motion = &motions[T::LEGS[flat.leg][K]];
            let (x, z) = (motion[1] + motion[0] * offset[1], motion[2] + (V::all(0.0) - motion[0] * offset[0]));
            let along = if flat.signs[K] > 0 { x * normal[0] + z * normal[1] } else { -x * normal[0] + -z * normal[1] };
            jacobian[K] = along.keep(is_on);
        }
    });
    let velocity = dot_leg::<T, V, N, W>(flat.leg, &jacobian, velocities);
    let line = Line::new(reference_acceleration(&round.softness, velocity, impedance, distance).keep(is_on));
    let weight = (V::all(1.0) / resistance(impedance, round.weight)).keep(is_on);
    Some((V::bits(is_on), Single { leg: flat.leg, jacobian, weight, line }))
}
