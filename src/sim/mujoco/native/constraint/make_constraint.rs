//! Builds the constraint rows (`mj_addConstraint`, `efc_type`) of all lanes, as `mj_makeConstraint` does: equalities, friction
//! loss, limits and contacts.

use crate::native::collision::guards::{apply_box_filters, near_lanes};
use crate::native::collision::library_contacts::{add_library_contacts, dropped_lanes};
use crate::native::collision::plane_colliders;
use crate::native::constraint::body_equalities::add_body_equality;
use crate::native::constraint::contacts::{add_round_contacts, plane_round};
use crate::native::constraint::{Constraints, RowSpec, limit_distance};
use crate::native::data::NativeData;
use crate::native::lane_fields::FieldSource;
use crate::native::mju::{first, normalize3, normalize4, quat_to_vel};
use crate::native::model::{Collider, Equality, Joint, JointKind, Limit, NativeModel};
use crate::native::outlined::outlined;
use crate::native::solver::constraint_update::FrictionRow;
use crate::native::tendon::{TendonRow, add_tendon_row, instantiate_tendon_limit, pulled_lanes};
use envpool_rs_numeric::simd::Float64Lanes;

outlined!(
    /// Builds the constraint rows of all lanes, as `mj_makeConstraint` does. `stores_contacts` says whether to store the contacts, from
    /// which contact forces and touch sensors are computed. Returns a bit mask of the lanes that MuJoCo must step.
    pub(in crate::native) fn make_constraint<V: Float64Lanes, F: FieldSource<V>>(
        model: &NativeModel,
        fields: F,
        data: &NativeData<V>,
        rows: &mut Constraints<V>,
        stores_contacts: bool,
    ) -> u32 {
        (rows.nefc, rows.lanes, rows.trees, rows.fallback, rows.stores_contacts) = (0, 0, 0, 0, stores_contacts);
        rows.contacts.clear();
        rows.cones.clear();
        rows.library_nefc = 0;
        rows.overlapping.1 = 0;
        rows.narrow.iter_mut().for_each(|narrow| narrow.found.fill(None));
        if let Some(dual) = &mut rows.dual {
            dual.counts.fill(0);
        }
        instantiate_equality(model, data, rows);
        instantiate_friction((model, fields), data, rows);
        instantiate_limit((model, fields), data, rows);
        let mut limited = 0;
        for (number, tendon) in model.tendons.iter().enumerate() {
            if let Some(limit) = &tendon.limit {
                rows.fallback |= instantiate_tendon_limit(number, (limited, limit), model, data, rows);
                limited += 1;
            }
        }
        let mut near = std::mem::take(&mut rows.near_boxes);
        apply_box_filters(model, data, &mut near);
        for (number, filter) in model.pair_filters.iter().enumerate() {
            // The filters hold for the model's positions of bodies.
            if !F::IS_OWN && filter.is_some_and(|filter| !near[filter]) {
                continue;
            }
            let (pair, source) = (&model.pairs[number], (model, fields));
            match &pair.collider {
                Collider::Ground(ground) => plane_round(source, data, rows, (number, ground)),
                Collider::Round(round) => add_round_contacts(source, data, rows, (number, round)),
                Collider::Solid(ground, solid) => {
                    plane_colliders::add_plane_contacts(*solid, source, data, rows, (number, ground))
                }
                Collider::Library(library) => add_library_contacts(source, data, rows, (number, library)),
                Collider::Guard(guard) => rows.fallback |= near_lanes(model, (guard, pair.geoms), data),
            }
            let uncertain = std::mem::take(&mut rows.uncertain) & !rows.fallback;
            if uncertain != 0 {
                rows.fallback |= dropped_lanes(fields, data, &mut rows.narrow, pair.ids, uncertain);
            }
        }
        rows.near_boxes = near;
        rows.fallback
    }
);

outlined!(
    /// Adds the constraint rows of equalities, as `mj_instantiateEquality` does. All lanes have these rows.
    fn instantiate_equality<V: Float64Lanes>(model: &NativeModel, data: &NativeData<V>, rows: &mut Constraints<V>) {
        let dofs = model.dofs.len();
        for (number, equality) in model.equalities.iter().enumerate() {
            let colind = model.efc_colind.len() - model.equalities.len() + number;
            let equality = match equality {
                Equality::Length(equality) => equality,
                Equality::Bodies(equality) => {
                    add_body_equality(model, data, rows, (colind, equality));
                    continue;
                }
            };
            let room = rows.alloc_rows(dofs, 1);
            let mut length = V::splat(0.0);
            for (position, dof, coef) in &equality.parts {
                length = length + V::splat(*coef) * data.qpos[*position];
                room[*dof] = room[*dof] + V::splat(*coef);
            }
            let mut pos_minus_margin = length - V::splat(equality.length0) - V::splat(equality.offset);
            if let Some(second_joint) = &equality.second_joint {
                let moved = data.qpos[second_joint.qposadr] - V::splat(second_joint.qpos0);
                let [a, b, c, d] = second_joint.polycoef;
                pos_minus_margin = pos_minus_margin
                    - (V::splat(a) * moved
                        + V::splat(b) * moved * moved
                        + V::splat(c) * moved * moved * moved
                        + V::splat(d) * moved * moved * moved * moved);
                let slope = V::splat(a)
                    + V::splat(2.0 * b) * moved
                    + V::splat(3.0 * c) * moved * moved
                    + V::splat(4.0 * d) * moved * moved * moved;
                room[second_joint.dofadr] = room[second_joint.dofadr] - slope;
            }
            let spec = RowSpec::new(&equality.sol, V::mask(V::ALL), V::splat(equality.diag_approx), pos_minus_margin);
            let spec = RowSpec { colind, ..spec };
            rows.add_constraint(data, (dofs, 1), equality.trees, &spec);
        }
        rows.ne = rows.nefc;
    }
);

/// Adds the rows of friction of joints and tendons (`mj_instantiateFriction`), which all lanes have unless nothing moves.
#[inline(always)]
fn instantiate_friction<V: Float64Lanes>(
    (model, fields): (&NativeModel, impl FieldSource<V>),
    data: &NativeData<V>,
    rows: &mut Constraints<V>,
) {
    let (none, dofs) = (V::splat(0.0), model.dofs.len());
    rows.friction_rows.clear();
    for friction in &model.frictions {
        rows.alloc_rows(dofs, 1)[friction.dof] = V::splat(1.0);
        let diag_approx = fields.dof_invweight0(friction.dof, friction.diag_approx);
        let spec = RowSpec::new(&friction.sol, V::mask(V::ALL), diag_approx, none);
        let spec = RowSpec { single_dof: friction.dof as u8 + 1, ..spec };
        let frictionloss = fields.dof_frictionloss(friction.dof, friction.frictionloss);
        rows.friction_rows.push(FrictionRow::new(frictionloss, spec.efc_r));
        rows.add_constraint(data, (dofs, 1), 1 << model.dofs[friction.dof].tree, &spec);
    }
    let (one, mut colind) = (V::splat(1.0), model.limited_tendons().count());
    for (number, tendon) in model.tendons.iter().enumerate() {
        let Some(friction) = &tendon.friction else { continue };
        let [lanes, _] = pulled_lanes(tendon, data);
        let spec = RowSpec::new(&friction.sol, V::mask(lanes), V::splat(tendon.invweight0), none);
        let spec = RowSpec { colind, ..spec };
        rows.friction_rows.push(FrictionRow::new(V::splat(friction.frictionloss), spec.efc_r));
        rows.tendon_rows[number][0] = TendonRow { lanes, rows: rows.next_rows(), sign: one };
        rows.fallback |= add_tendon_row(tendon, one, (model, data), rows, spec);
        colind += 1;
    }
}

/// Adds the constraint rows of joint limits, as `mj_instantiateLimit` does, in the lanes that are at a limit.
#[inline(always)]
fn instantiate_limit<V: Float64Lanes>(
    (model, fields): (&NativeModel, impl FieldSource<V>),
    data: &NativeData<V>,
    rows: &mut Constraints<V>,
) {
    let (dofs, mut balls) = (model.dofs.len(), 0);
    for joint in &model.joints {
        let Some(limit) = &joint.limit else { continue };
        if joint.kind == JointKind::Ball {
            add_ball_limit((model, fields), data, rows, (joint, limit, balls));
            balls += 1;
            continue;
        }
        let (is_below, is_on, pos_minus_margin) = limit_distance([limit.low, limit.high, limit.margin], data.qpos[joint.qposadr]);
        if !V::any(is_on) {
            continue;
        }
        rows.alloc_rows(dofs, 1)[joint.dofadr] = V::select(is_below, V::splat(1.0), V::splat(-1.0)).select_or_zero(is_on);
        let diag_approx = fields.dof_invweight0(joint.dofadr, limit.diag_approx);
        let spec = RowSpec::new(&limit.sol, is_on, diag_approx, pos_minus_margin);
        let spec = RowSpec { single_dof: joint.dofadr as u8 + 1, ..spec };
        rows.add_constraint(data, (dofs, 1), 1 << model.dofs[joint.dofadr].tree, &spec);
    }
}

/// Adds the row of a ball joint's limit (`mj_instantiateLimit`); `number` is its index among limited ball joints.
#[inline(always)]
fn add_ball_limit<V: Float64Lanes>(
    (model, fields): (&NativeModel, impl FieldSource<V>),
    data: &NativeData<V>,
    rows: &mut Constraints<V>,
    (joint, limit, number): (&Joint, &Limit, usize),
) {
    let dofs = model.dofs.len();
    let turn = normalize4(first(&data.qpos[joint.qposadr..]), model.dialect.pairwise_quat);
    let (axis, angle) = normalize3(quat_to_vel(&turn));
    let pos_minus_margin = V::splat(limit.high) - angle;
    let is_on = pos_minus_margin.lt(V::splat(limit.margin));
    if !V::any(is_on) {
        return;
    }
    let pos_minus_margin = pos_minus_margin - V::splat(limit.margin);
    let room = rows.alloc_rows(dofs, 1);
    for part in 0..3 {
        room[joint.dofadr + part] = (axis[part] * V::splat(-1.0)).select_or_zero(is_on);
    }
    let diag_approx = fields.dof_invweight0(joint.dofadr, limit.diag_approx);
    let spec = RowSpec::new(&limit.sol, is_on, diag_approx, pos_minus_margin);
    let colind = model.efc_colind.len() - model.equalities.len() - model.limited_balls().count() + number;
    let spec = RowSpec { colind, ..spec };
    rows.add_constraint(data, (dofs, 1), 1 << model.dofs[joint.dofadr].tree, &spec);
}
