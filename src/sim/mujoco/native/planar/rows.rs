//! Builds the constraint rows of planar robots, as `mj_makeConstraint` does: joint limits, contacts of capsules with the
//! ground, and contacts between geoms of one leg.

use std::marker::PhantomData;

use super::super::algebra::MJMINVAL;
use super::super::collide::{PreContact, collide};
use super::super::contacts::make_frame;
use super::super::rows::{efc_r, impedance, limit_distance, reference_acceleration};
use super::super::smooth::NativeData;
use super::super::tables::{Collider, GeomPair, RoundPair};
use super::super::watch::{near_lanes, segments_within};
use super::fields::PlanarFriction;
use super::lines::{ContactPlace, EqualRows, FrictionlessContact, LimitRow, PyramidContact, RowState, each_row};
use super::plane::{Placed, PlanarData, StepArgs};
use super::tables::{PlanarGround, PlanarGuard, PlanarRound};
use super::tree::{Tree, dot_leg, each};
use envpool_rs_numeric::simd::{Float64Lanes, SimdKernel};

/// SIMD kernel that builds the constraint rows of all lanes, as `mj_makeConstraint` does.
pub(super) struct MakeConstraint<'a, 'b, V: Float64Lanes, T, const N: usize, const W: usize>(
    pub(super) &'a mut PlanarData<V, N, W>,
    pub(super) &'a mut StepArgs<'b, V>,
    pub(super) PhantomData<T>,
);

impl<V: Float64Lanes, T: Tree<N, W>, const N: usize, const W: usize> SimdKernel for MakeConstraint<'_, '_, V, T, N, W> {
    /// The kernel's output has a bit mask of the lanes that MuJoCo must step instead of the native stepper, and whether there
    /// are any constraint rows. The output is `None` if geoms may collide outside the plane.
    type Output = Option<(u32, bool)>;

    #[inline(always)]
    fn run(self) -> Option<(u32, bool)> {
        let Self(plane, step, _) = self;
        let (model, planar_model) = (step.model, &plane.model);
        for other in &planar_model.others {
            if are_near_any_lane(other, step.motion) {
                return None;
            }
        }
        for &pair in &planar_model.solids {
            let GeomPair { geoms, collider, .. } = &model.pairs[pair];
            if let Collider::Library(library) = collider
                && near_lanes(model, (&library.guard, *geoms), step.motion) != 0
            {
                return None;
            }
        }
        let rows = &mut plane.rows;
        rows.lanes = 0;
        rows.limits.clear();
        rows.contacts.clear();
        rows.singles.clear();
        for (dof, joint) in model.joints.iter().enumerate() {
            let Some(limit) = &joint.limit else { continue };
            let at = step.motion.qpos[joint.qposadr];
            let (is_below, is_on, distance) = limit_distance([limit.low, limit.high, limit.margin], at);
            if !V::any(is_on) {
                continue;
            }
            let impedance = impedance(&limit.sol, distance);
            let sign = V::select(is_below, V::splat(1.0), V::splat(-1.0)).select_or_zero(is_on);
            let resistance = efc_r(impedance, plane.fields.limits[dof]);
            let wanted =
                reference_acceleration(&limit.sol, sign * step.motion.qvel[dof], impedance, distance).select_or_zero(is_on);
            rows.lanes |= V::bits(is_on);
            rows.limits.push(LimitRow {
                dof,
                sign,
                efc_d: (V::splat(1.0) / resistance).select_or_zero(is_on),
                line: RowState::new(wanted),
            });
        }
        let mut left = 0;
        let mut velocities = [V::splat(0.0); N];
        velocities.copy_from_slice(&step.motion.qvel[..N]);
        for (ground, friction) in planar_model.grounds.iter().zip(&plane.fields.grounds) {
            let placed = plane.shapes[ground.shape];
            let is_near = placed.place[1].le(V::splat(ground.near));
            if !V::any(is_near) {
                continue;
            }
            for sign in [1.0, -1.0] {
                let moved = (&plane.cdof, &plane.subtree_com, &velocities);
                if let Some(([lanes, uncertain], contact)) =
                    pyramid_contact::<V, T, N, W>((ground, friction), &placed, is_near, sign, moved)
                {
                    rows.lanes |= lanes;
                    left |= uncertain;
                    rows.contacts.push(contact);
                }
            }
        }
        for (flat_round, friction) in planar_model.rounds.iter().zip(&plane.fields.rounds) {
            let pair = &model.pairs[flat_round.pair];
            let Collider::Round(round) = &pair.collider else { continue };
            let shapes = [&step.motion.geom_poses[pair.geoms[0]], &step.motion.geom_poses[pair.geoms[1]]];
            let Some((found, alarms)) = collide(round, shapes, model.dialect.nearest) else { continue };
            left |= alarms;
            for found in &found {
                let is_on = V::mask_and(V::mask(found.lanes), found.dist.lt(V::splat(round.contact.margin)));
                left |= round.contact.slack.uncertain_lanes(is_on, V::splat(round.contact.margin) - found.dist, &found.pos);
                let moved = (&plane.cdof, &plane.subtree_com, &velocities);
                if flat_round.has_friction {
                    if let Some((lanes, contact)) = frictional_contact::<V, T, N, W>((flat_round, friction), round, found, moved)
                    {
                        rows.lanes |= lanes;
                        rows.contacts.push(contact);
                    }
                } else if let Some((lanes, single)) =
                    frictionless_contact::<V, T, N, W>((flat_round, friction), round, found, moved)
                {
                    rows.lanes |= lanes;
                    rows.singles.push(single);
                }
            }
        }
        for &pair in &planar_model.watched {
            let GeomPair { geoms, collider, .. } = &model.pairs[pair];
            if let Collider::Guard(guard) = collider {
                left |= near_lanes(model, (guard, *geoms), step.motion);
            }
        }
        let has_rows = rows.lanes != 0;
        if !has_rows {
            for dof in 0..N {
                step.qacc[dof] = plane.qacc_smooth[dof];
                step.qfrc_constraint[dof] = V::splat(0.0);
            }
        }
        Some((left, has_rows))
    }
}

/// Returns whether the two geoms of the guarded pair are near each other in any lane.
#[inline(always)]
fn are_near_any_lane<V: Float64Lanes>(other: &PlanarGuard, motion: &NativeData<V>) -> bool {
    let [one, two] = [&motion.geom_poses[other.shapes[0]], &motion.geom_poses[other.shapes[1]]];
    V::any(segments_within([one, two], other.near, other.halves, other.reach))
}

/// Returns the contact of one end of a capsule with the ground, a bit mask of the lanes in which the end touches the ground, and
/// one of the lanes in which MuJoCo may drop the contact.
#[inline(always)]
fn pyramid_contact<V: Float64Lanes, T: Tree<N, W>, const N: usize, const W: usize>(
    (ground, friction): (&PlanarGround, &PlanarFriction<V>),
    placed: &Placed<V>,
    is_near: V::Mask,
    sign: f64,
    (motions, centre, velocities): (&[[V; 3]; N], &[V; 2], &[V; N]),
) -> Option<([u32; 2], PyramidContact<V, W>)> {
    let (none, one, two) = (V::splat(0.0), V::splat(1.0), V::splat(2.0));
    let (margin, radius, half) = (V::splat(ground.margin), V::splat(ground.radius), V::splat(sign * ground.half));
    let axis = placed.axis;
    let place = [placed.place[0] + half * axis[0], placed.place[1] + half * axis[2]];
    let gap = place[1] - radius;
    let is_hit = place[1].le(V::splat(ground.margin + ground.radius));
    let is_on = V::mask_and(V::mask_and(is_near, is_hit), gap.lt(margin));
    if !V::any(is_on) {
        return None;
    }
    // The y component of the axis is only a rounding error, which matters if the other components are nearly zero.
    let square = axis[0] * axis[0];
    let length = if ground.is_level { square } else { square + axis[1] * axis[1] }.sqrt();
    let is_upright = length.lt(V::splat(MJMINVAL));
    let by = one / length;
    let tangent = V::select(is_upright, one, axis[0] * by).select_or_zero(is_on);
    let across = if ground.is_level { none } else { V::select(is_upright, none, axis[1] * by).select_or_zero(is_on) };
    let height = place[1] + (-gap / two - radius);
    let distance = gap - margin;
    let impedance = impedance(&ground.softness, distance);
    let plain = efc_r(impedance, friction.diag_approx);
    let friction = friction.sliding;
    let resistance = two * friction * friction * plain;
    let offset = [place[0] - centre[0], height - centre[1]];
    let mut jacobian = [[none; W]; 4];
    let leg = ground.leg;
    each!(K < W, {
        if K < ground.len {
            let motion = &motions[T::LEGS[leg][K]];
            let along_x = motion[1] + motion[0] * offset[1];
            let along_z = (motion[2] + (none - motion[0] * offset[0])).select_or_zero(is_on);
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
    let weight = (one / resistance).select_or_zero(is_on);
    let mut contact = PyramidContact {
        leg,
        efc_j: jacobian,
        efc_d: weight,
        lines: [RowState::new(none); 4],
        equal_rows: if ground.is_level { EqualRows::Last } else { EqualRows::None },
        place: ContactPlace { pair: ground.pair, point: [place[0], half * axis[1], height], normal: [none, none, one] },
    };
    each_row!(contact, |ROW, _is_twice| {
        let velocity = dot_leg::<T, V, N, W>(leg, &jacobian[ROW], velocities);
        contact.lines[ROW].efc_aref =
            reference_acceleration(&ground.softness, velocity, impedance, distance).select_or_zero(is_on);
    });
    let uncertain = ground.slack.uncertain_lanes(is_on, margin - gap, &contact.place.point);
    Some(([V::bits(is_on), uncertain], contact))
}

/// Returns the frictionless contact of two geoms, and a bit mask of the lanes in which the geoms touch.
#[inline(always)]
fn frictionless_contact<V: Float64Lanes, T: Tree<N, W>, const N: usize, const W: usize>(
    (planar_round, friction): (&PlanarRound, &PlanarFriction<V>),
    round: &RoundPair,
    PreContact { lanes, dist: distance, normal, pos: point }: &PreContact<V>,
    (motions, centre, velocities): (&[[V; 3]; N], &[V; 2], &[V; N]),
) -> Option<(u32, FrictionlessContact<V, W>)> {
    let is_on = V::mask_and(V::mask(*lanes), distance.lt(V::splat(round.contact.margin)));
    if !V::any(is_on) {
        return None;
    }
    let normal = normalized(normal);
    let distance = *distance - V::splat(round.contact.margin);
    let impedance = impedance(&round.contact.sol, distance);
    let offset = [point[0] - centre[0], point[2] - centre[1]];
    let mut jacobian = [V::splat(0.0); W];
    each!(K < W, {
        if planar_round.signs[K] != 0 {
            let way = relative_way(&motions[T::LEGS[planar_round.leg][K]], &offset, planar_round.signs[K]);
            jacobian[K] = along(&way, &normal).select_or_zero(is_on);
        }
    });
    let velocity = dot_leg::<T, V, N, W>(planar_round.leg, &jacobian, velocities);
    let line = RowState::new(reference_acceleration(&round.contact.sol, velocity, impedance, distance).select_or_zero(is_on));
    let weight = (V::splat(1.0) / efc_r(impedance, friction.diag_approx)).select_or_zero(is_on);
    let place = ContactPlace { pair: planar_round.pair, point: *point, normal };
    Some((V::bits(is_on), FrictionlessContact { leg: planar_round.leg, efc_j: jacobian, efc_d: weight, line, place }))
}

/// Returns the contact of two geoms with friction, and a bit mask of the lanes in which the geoms touch.
#[inline(always)]
fn frictional_contact<V: Float64Lanes, T: Tree<N, W>, const N: usize, const W: usize>(
    (planar_round, friction): (&PlanarRound, &PlanarFriction<V>),
    round: &RoundPair,
    PreContact { lanes, dist: distance, normal, pos: point }: &PreContact<V>,
    (motions, centre, velocities): (&[[V; 3]; N], &[V; 2], &[V; N]),
) -> Option<(u32, PyramidContact<V, W>)> {
    let is_on = V::mask_and(V::mask(*lanes), distance.lt(V::splat(round.contact.margin)));
    if !V::any(is_on) {
        return None;
    }
    let normal = normalized(normal);
    let tangents = make_frame(&normal);
    // The normal is orthogonal to the plane in lanes in which the axes of the capsules intersect.
    let is_level = !V::any(V::mask_and(is_on, normal[1].abs().gt(V::splat(0.0))));
    let distance = *distance - V::splat(round.contact.margin);
    let (impedance, diag_approx, friction) = (impedance(&round.contact.sol, distance), friction.diag_approx, friction.sliding);
    let offset = [point[0] - centre[0], point[2] - centre[1]];
    let (leg, softness) = (planar_round.leg, &round.contact.sol);
    let mut jacobian = [[V::splat(0.0); W]; 4];
    each!(K < W, {
        if planar_round.signs[K] != 0 {
            let way = relative_way(&motions[T::LEGS[leg][K]], &offset, planar_round.signs[K]);
            let upright = along(&way, &normal).select_or_zero(is_on);
            if is_level {
                jacobian[0][K] = upright;
            } else {
                let part = (along(&way, &tangents[0]) * friction).select_or_zero(is_on);
                jacobian[0][K] = upright + part;
                jacobian[1][K] = upright - part;
            }
            let part = (along(&way, &tangents[1]) * friction).select_or_zero(is_on);
            jacobian[2][K] = upright + part;
            jacobian[3][K] = upright - part;
        }
    });
    let resistance = V::splat(2.0) * friction * friction * efc_r(impedance, diag_approx);
    let mut contact = PyramidContact {
        leg,
        efc_j: jacobian,
        efc_d: (V::splat(1.0) / resistance).select_or_zero(is_on),
        lines: [RowState::new(V::splat(0.0)); 4],
        equal_rows: if is_level { EqualRows::First } else { EqualRows::None },
        place: ContactPlace { pair: planar_round.pair, point: *point, normal },
    };
    each_row!(contact, |ROW, _is_twice| {
        let velocity = dot_leg::<T, V, N, W>(leg, &jacobian[ROW], velocities);
        contact.lines[ROW].efc_aref = reference_acceleration(softness, velocity, impedance, distance).select_or_zero(is_on);
    });
    Some((V::bits(is_on), contact))
}

/// Normalizes a contact normal a second time, as MuJoCo does.
#[inline(always)]
fn normalized<V: Float64Lanes>(normal: &[V; 3]) -> [V; 3] {
    let length = (normal[0] * normal[0] + normal[1] * normal[1] + normal[2] * normal[2]).sqrt();
    let by = V::splat(1.0) / length;
    [normal[0] * by, normal[1] * by, normal[2] * by]
}

/// Returns the direction, along x and z, in which a degree of freedom moves the second geom relative to the first at a point.
/// `sign` is the degree of freedom's entry in [`PlanarRound::signs`].
#[inline(always)]
fn relative_way<V: Float64Lanes>(motion: &[V; 3], offset: &[V; 2], sign: i8) -> [V; 2] {
    let (x, z) = (motion[1] + motion[0] * offset[1], motion[2] + (V::splat(0.0) - motion[0] * offset[0]));
    if sign > 0 { [x, z] } else { [-x, -z] }
}

/// Returns the dot product of a direction in the plane and an axis.
#[inline(always)]
fn along<V: Float64Lanes>(way: &[V; 2], axis: &[V; 3]) -> V {
    way[0] * axis[0] + way[1] * axis[2]
}
