//! Builds the constraint rows of planar robots, as `mj_makeConstraint` does: joint limits, contacts of capsules with the
//! ground, and contacts between geoms of one leg.

use crate::native::collision::guards::{filter_segments, near_lanes};
use crate::native::collision::round_colliders::{PreContact, collide};
use crate::native::constraint::contacts::make_frame;
use crate::native::constraint::{get_impedance, limit_distance, make_impedance, reference_constraint};
use crate::native::mju::MJMINVAL;
use crate::native::model::{Collider, GeomPair, RoundPair};
use crate::native::planar::constraint::{
    ContactGeometry, EqualRows, FrictionlessContact, LimitRow, PyramidContact, RowState, each_row,
};
use crate::native::planar::data::{Kernel, PlanarGeomPose};
use crate::native::planar::fields::PlanarFriction;
use crate::native::planar::model::{PlanarGround, PlanarGuard, PlanarRound};
use crate::native::planar::tree::{Tree, dot_leg, each};
use envpool_rs_numeric::simd::{Float64Lanes, SimdKernel};

/// SIMD kernel that builds the constraint rows of all lanes, as `mj_makeConstraint` does.
pub(super) struct MakeConstraint;

impl<V: Float64Lanes, T: Tree<N, W>, const N: usize, const W: usize> SimdKernel for Kernel<'_, '_, MakeConstraint, V, T, N, W> {
    /// Lanes that MuJoCo must step, and whether there are rows; `None` if geoms may collide outside the plane.
    type Output = Option<(u32, bool)>;

    #[inline(always)]
    fn run(self) -> Option<(u32, bool)> {
        let Self(planar, step, _) = self;
        let (model, planar_model) = (step.model, &planar.model);
        for PlanarGuard { geoms, near, halves, reach } in &planar_model.out_of_plane {
            let poses = geoms.map(|geom| &step.data.geom_poses[geom]);
            if V::any(filter_segments(poses, *near, *halves, *reach)) {
                return None;
            }
        }
        for &pair in &planar_model.library_pairs {
            let GeomPair { geoms, collider, .. } = &model.pairs[pair];
            if let Collider::Library(library) = collider
                && near_lanes(model, (&library.guard, *geoms), step.data) != 0
            {
                return None;
            }
        }
        let rows = &mut planar.rows;
        rows.lanes = 0;
        rows.limits.clear();
        rows.contacts.clear();
        rows.singles.clear();
        for (dof, joint) in model.joints.iter().enumerate() {
            let Some(limit) = &joint.limit else { continue };
            let at = step.data.qpos[joint.qposadr];
            let (is_below, is_on, pos_minus_margin) = limit_distance([limit.low, limit.high, limit.margin], at);
            if !V::any(is_on) {
                continue;
            }
            let impedance = get_impedance(&limit.sol, pos_minus_margin);
            let sign = V::select(is_below, V::splat(1.0), V::splat(-1.0)).select_or_zero(is_on);
            let efc_r = make_impedance(impedance, planar.fields.limits[dof]);
            let efc_aref =
                reference_constraint(&limit.sol, sign * step.data.qvel[dof], impedance, pos_minus_margin).select_or_zero(is_on);
            rows.lanes |= V::bits(is_on);
            rows.limits.push(LimitRow {
                dof,
                sign,
                efc_d: (V::splat(1.0) / efc_r).select_or_zero(is_on),
                line: RowState::new(efc_aref),
            });
        }
        let mut fallback = 0;
        let mut qvel = [V::splat(0.0); N];
        qvel.copy_from_slice(&step.data.qvel[..N]);
        for (ground, friction) in planar_model.grounds.iter().zip(&planar.fields.grounds) {
            let geom_pose = planar.geom_poses[ground.geom];
            let is_near = geom_pose.pos[1].le(V::splat(ground.near));
            if !V::any(is_near) {
                continue;
            }
            for sign in [1.0, -1.0] {
                let moved = (&planar.cdof, &planar.subtree_com, &qvel);
                if let Some(([lanes, uncertain], contact)) =
                    pyramid_contact::<V, T, N, W>((ground, friction), &geom_pose, is_near, sign, moved)
                {
                    rows.lanes |= lanes;
                    fallback |= uncertain;
                    rows.contacts.push(contact);
                }
            }
        }
        for (planar_round, friction) in planar_model.rounds.iter().zip(&planar.fields.rounds) {
            let pair = &model.pairs[planar_round.pair];
            let Collider::Round(round) = &pair.collider else { continue };
            let geoms = [&step.data.geom_poses[pair.geoms[0]], &step.data.geom_poses[pair.geoms[1]]];
            let Some((found, uncertain)) = collide(round, geoms, model.dialect.nearest) else { continue };
            fallback |= uncertain;
            for found in &found {
                let is_on = V::mask_and(V::mask(found.lanes), found.dist.lt(V::splat(round.contact.margin)));
                fallback |=
                    round.contact.slack[0].uncertain_lanes(is_on, V::splat(round.contact.margin) - found.dist, &found.pos);
                let moved = (&planar.cdof, &planar.subtree_com, &qvel);
                if planar_round.has_friction {
                    if let Some((lanes, contact)) =
                        frictional_contact::<V, T, N, W>((planar_round, friction), round, found, moved)
                    {
                        rows.lanes |= lanes;
                        rows.contacts.push(contact);
                    }
                } else if let Some((lanes, single)) =
                    frictionless_contact::<V, T, N, W>((planar_round, friction), round, found, moved)
                {
                    rows.lanes |= lanes;
                    rows.singles.push(single);
                }
            }
        }
        for &pair in &planar_model.guarded_pairs {
            let GeomPair { geoms, collider, .. } = &model.pairs[pair];
            if let Collider::Guard(guard) = collider {
                fallback |= near_lanes(model, (guard, *geoms), step.data);
            }
        }
        let has_rows = rows.lanes != 0;
        if !has_rows {
            for dof in 0..N {
                step.qacc[dof] = planar.qacc_smooth[dof];
                step.qfrc_constraint[dof] = V::splat(0.0);
            }
        }
        Some((fallback, has_rows))
    }
}

/// Returns the contact of a capsule's end with the ground, and bit masks of its lanes and of those in which MuJoCo may drop it.
#[inline(always)]
fn pyramid_contact<V: Float64Lanes, T: Tree<N, W>, const N: usize, const W: usize>(
    (ground, friction): (&PlanarGround, &PlanarFriction<V>),
    geom_pose: &PlanarGeomPose<V>,
    is_near: V::Mask,
    sign: f64,
    (cdofs, subtree_com, qvel): (&[[V; 3]; N], &[V; 2], &[V; N]),
) -> Option<([u32; 2], PyramidContact<V, W>)> {
    let (none, one, two) = (V::splat(0.0), V::splat(1.0), V::splat(2.0));
    let (margin, radius, half) = (V::splat(ground.margin), V::splat(ground.radius), V::splat(sign * ground.half));
    let axis = geom_pose.axis;
    let pos = [geom_pose.pos[0] + half * axis[0], geom_pose.pos[1] + half * axis[2]];
    let dist = pos[1] - radius;
    let is_hit = pos[1].le(V::splat(ground.margin + ground.radius));
    let is_on = V::mask_and(V::mask_and(is_near, is_hit), dist.lt(margin));
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
    let height = pos[1] + (-dist / two - radius);
    let pos_minus_margin = dist - margin;
    let impedance = get_impedance(&ground.sol, pos_minus_margin);
    let plain = make_impedance(impedance, friction.diag_approx);
    let friction = friction.sliding;
    let efc_r = two * friction * friction * plain;
    let offset = [pos[0] - subtree_com[0], height - subtree_com[1]];
    let mut efc_j = [[none; W]; 4];
    let leg = ground.leg;
    each!(K < W, {
        if K < ground.len {
            let cdof = &cdofs[T::LEGS[leg][K]];
            let along_x = cdof[1] + cdof[0] * offset[1];
            let along_z = (cdof[2] + (none - cdof[0] * offset[0])).select_or_zero(is_on);
            let along = along_x * tangent * friction;
            efc_j[0][K] = along_z + along;
            efc_j[1][K] = along_z - along;
            if ground.is_level {
                efc_j[2][K] = along_z;
            } else {
                let other = along_x * -across * friction;
                efc_j[2][K] = along_z + other;
                efc_j[3][K] = along_z - other;
            }
        }
    });
    let efc_d = (one / efc_r).select_or_zero(is_on);
    let mut contact = PyramidContact {
        leg,
        efc_j,
        efc_d,
        lines: [RowState::new(none); 4],
        equal_rows: if ground.is_level { EqualRows::Last } else { EqualRows::None },
        geometry: ContactGeometry { pair: ground.pair, pos: [pos[0], half * axis[1], height], normal: [none, none, one] },
    };
    each_row!(contact, |ROW, _is_twice| {
        let velocity = dot_leg::<T, V, N, W>(leg, &efc_j[ROW], qvel);
        contact.lines[ROW].efc_aref =
            reference_constraint(&ground.sol, velocity, impedance, pos_minus_margin).select_or_zero(is_on);
    });
    let uncertain = ground.slack.uncertain_lanes(is_on, margin - dist, &contact.geometry.pos);
    Some(([V::bits(is_on), uncertain], contact))
}

/// Returns the frictionless contact of two geoms, and a bit mask of the lanes in which the geoms touch.
#[inline(always)]
fn frictionless_contact<V: Float64Lanes, T: Tree<N, W>, const N: usize, const W: usize>(
    (planar_round, friction): (&PlanarRound, &PlanarFriction<V>),
    round: &RoundPair,
    PreContact { lanes, dist: pos_minus_margin, normal, pos: pos_between }: &PreContact<V>,
    (cdofs, subtree_com, qvel): (&[[V; 3]; N], &[V; 2], &[V; N]),
) -> Option<(u32, FrictionlessContact<V, W>)> {
    let is_on = V::mask_and(V::mask(*lanes), pos_minus_margin.lt(V::splat(round.contact.margin)));
    if !V::any(is_on) {
        return None;
    }
    let normal = normalized(normal);
    let pos_minus_margin = *pos_minus_margin - V::splat(round.contact.margin);
    let impedance = get_impedance(&round.contact.sol, pos_minus_margin);
    let offset = [pos_between[0] - subtree_com[0], pos_between[2] - subtree_com[1]];
    let mut efc_j = [V::splat(0.0); W];
    each!(K < W, {
        if planar_round.signs[K] != 0 {
            let jacp = jac_dif(&cdofs[T::LEGS[planar_round.leg][K]], &offset, planar_round.signs[K]);
            efc_j[K] = along(&jacp, &normal).select_or_zero(is_on);
        }
    });
    let velocity = dot_leg::<T, V, N, W>(planar_round.leg, &efc_j, qvel);
    let line =
        RowState::new(reference_constraint(&round.contact.sol, velocity, impedance, pos_minus_margin).select_or_zero(is_on));
    let efc_d = (V::splat(1.0) / make_impedance(impedance, friction.diag_approx)).select_or_zero(is_on);
    let geometry = ContactGeometry { pair: planar_round.pair, pos: *pos_between, normal };
    Some((V::bits(is_on), FrictionlessContact { leg: planar_round.leg, efc_j, efc_d, line, geometry }))
}

/// Returns the contact of two geoms with friction, and a bit mask of the lanes in which the geoms touch.
#[inline(always)]
fn frictional_contact<V: Float64Lanes, T: Tree<N, W>, const N: usize, const W: usize>(
    (planar_round, friction): (&PlanarRound, &PlanarFriction<V>),
    round: &RoundPair,
    PreContact { lanes, dist: pos_minus_margin, normal, pos: pos_between }: &PreContact<V>,
    (cdofs, subtree_com, qvel): (&[[V; 3]; N], &[V; 2], &[V; N]),
) -> Option<(u32, PyramidContact<V, W>)> {
    let is_on = V::mask_and(V::mask(*lanes), pos_minus_margin.lt(V::splat(round.contact.margin)));
    if !V::any(is_on) {
        return None;
    }
    let normal = normalized(normal);
    let tangents = make_frame(&normal);
    // The normal is orthogonal to the plane in lanes in which the axes of the capsules intersect.
    let is_level = !V::any(V::mask_and(is_on, normal[1].abs().gt(V::splat(0.0))));
    let pos_minus_margin = *pos_minus_margin - V::splat(round.contact.margin);
    let (impedance, diag_approx, friction) =
        (get_impedance(&round.contact.sol, pos_minus_margin), friction.diag_approx, friction.sliding);
    let offset = [pos_between[0] - subtree_com[0], pos_between[2] - subtree_com[1]];
    let (leg, sol) = (planar_round.leg, &round.contact.sol);
    let mut efc_j = [[V::splat(0.0); W]; 4];
    each!(K < W, {
        if planar_round.signs[K] != 0 {
            let jacp = jac_dif(&cdofs[T::LEGS[leg][K]], &offset, planar_round.signs[K]);
            let normal_part = along(&jacp, &normal).select_or_zero(is_on);
            if is_level {
                efc_j[0][K] = normal_part;
            } else {
                let part = (along(&jacp, &tangents[0]) * friction).select_or_zero(is_on);
                efc_j[0][K] = normal_part + part;
                efc_j[1][K] = normal_part - part;
            }
            let part = (along(&jacp, &tangents[1]) * friction).select_or_zero(is_on);
            efc_j[2][K] = normal_part + part;
            efc_j[3][K] = normal_part - part;
        }
    });
    let efc_r = V::splat(2.0) * friction * friction * make_impedance(impedance, diag_approx);
    let mut contact = PyramidContact {
        leg,
        efc_j,
        efc_d: (V::splat(1.0) / efc_r).select_or_zero(is_on),
        lines: [RowState::new(V::splat(0.0)); 4],
        equal_rows: if is_level { EqualRows::First } else { EqualRows::None },
        geometry: ContactGeometry { pair: planar_round.pair, pos: *pos_between, normal },
    };
    each_row!(contact, |ROW, _is_twice| {
        let velocity = dot_leg::<T, V, N, W>(leg, &efc_j[ROW], qvel);
        contact.lines[ROW].efc_aref = reference_constraint(sol, velocity, impedance, pos_minus_margin).select_or_zero(is_on);
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
fn jac_dif<V: Float64Lanes>(cdof: &[V; 3], offset: &[V; 2], sign: i8) -> [V; 2] {
    let (x, z) = (cdof[1] + cdof[0] * offset[1], cdof[2] + (V::splat(0.0) - cdof[0] * offset[0]));
    if sign > 0 { [x, z] } else { [-x, -z] }
}

/// Returns the dot product of a direction in the plane and an axis.
#[inline(always)]
fn along<V: Float64Lanes>(jacp: &[V; 2], axis: &[V; 3]) -> V {
    jacp[0] * axis[0] + jacp[1] * axis[2]
}
