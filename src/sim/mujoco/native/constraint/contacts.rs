//! Adds rows of contacts (`mj_instantiateContact`), and contacts of spheres and capsules with each other and planes.

use crate::native::collision::round_colliders::{PreContact, collide};
use crate::native::constraint::{Constraints, RowSpec, get_impedance, jac_point, make_impedance};
use crate::native::data::NativeData;
use crate::native::lane_fields::FieldSource;
use crate::native::mju::{MJMINVAL, cross, scl3, sub3};
use crate::native::model::{ContactFriction, ContactParams, NativeModel, PlanePair, RoundPair};
use crate::native::outlined::outlined;
use envpool_rs_numeric::simd::Float64Lanes;

/// Returns `efc_R` of a contact's rows: `2 * mu * mu * R` for the rows of a friction pyramid, else `R`, which is `plain`.
#[inline(always)]
fn pyramid_r<V: Float64Lanes>(model: &NativeModel, plain: V, (condim, sliding): (usize, V)) -> V {
    if condim == 1 || model.is_elliptic {
        return plain;
    }
    let mut scaled = sliding;
    if model.impratio != 1.0 {
        scaled = scaled * (plain / V::splat(model.impratio) / plain).sqrt();
    }
    V::splat(2.0) * scaled * scaled * plain
}

/// Adds the contacts between a plane and a sphere or capsule, as `mjc_PlaneSphere` and `mjc_PlaneCapsule` do.
#[inline(always)]
pub(in crate::native) fn plane_round<V: Float64Lanes>(
    (model, fields): (&NativeModel, impl FieldSource<V>),
    data: &NativeData<V>,
    rows: &mut Constraints<V>,
    (pair, ground): (usize, &PlanePair),
) {
    let (none, one, two) = (V::splat(0.0), V::splat(1.0), V::splat(2.0));
    let geom = &data.geom_poses[model.pairs[pair].geoms[1]];
    let below = V::splat(ground.height);
    let is_near = (geom.pos[2] - below).le(V::splat(ground.near));
    if !V::any(is_near) {
        return;
    }
    let (includemargin, radius) = (V::splat(ground.contact.includemargin), V::splat(ground.radius));
    let axis = geom.axis;
    let half = V::splat(ground.half.unwrap_or(0.0));
    let along = [half * axis[0], half * axis[1], half * axis[2]];
    for end in 0..(if ground.half.is_some() { 2 } else { 1 }) {
        let pos = match (ground.half, end) {
            (None, _) => geom.pos,
            (_, 0) => [geom.pos[0] + along[0], geom.pos[1] + along[1], geom.pos[2] + along[2]],
            _ => [geom.pos[0] - along[0], geom.pos[1] - along[1], geom.pos[2] - along[2]],
        };
        let above = pos[2] - below;
        let dist = above - radius;
        let is_hit = above.le(V::splat(ground.contact.margin + ground.radius));
        let is_on = V::mask_and(V::mask_and(is_near, is_hit), dist.lt(includemargin));
        if !V::any(is_on) {
            continue;
        }
        let [x, y] = if ground.half.is_some() {
            let length = (axis[0] * axis[0] + axis[1] * axis[1]).sqrt();
            let is_upright = length.lt(V::splat(MJMINVAL));
            let by = one / length;
            [V::select(is_upright, one, axis[0] * by), V::select(is_upright, none, axis[1] * by)]
        } else {
            [none, one]
        };
        let (x, y) = (x.select_or_zero(is_on), y.select_or_zero(is_on));
        let height = pos[2] + (-dist / two - radius);
        add_plane_contact((model, fields), data, rows, (pair, ground), (is_on, dist, [pos[0], pos[1], height]), [x, y]);
    }
}

struct PairFields<V> {
    friction: [V; 5],
    /// Approximate diagonal of `J * inv(M) * J'` for the first row of a contact (`efc_diagApprox`).
    diag_approx: V,
    /// Bit mask of the lanes in which MuJoCo must take the step if the pair has contacts.
    uncertain: u32,
}

impl<V: Float64Lanes> PairFields<V> {
    #[inline(always)]
    fn read(fields: impl FieldSource<V>, pair: usize, (friction, diag_approx): (&ContactFriction, f64)) -> Self {
        Self {
            friction: fields.friction(pair, friction),
            diag_approx: fields.contact_diag_approx(pair, diag_approx),
            uncertain: fields.uncertain_lanes(pair),
        }
    }
}

/// Adds the rows of a contact with a horizontal plane, given x and y of the first tangent.
#[inline(always)]
pub(in crate::native) fn add_plane_contact<V: Float64Lanes>(
    (model, fields): (&NativeModel, impl FieldSource<V>),
    data: &NativeData<V>,
    rows: &mut Constraints<V>,
    (pair, ground): (usize, &PlanePair),
    contact: (V::Mask, V, [V; 3]),
    tangent: [V; 2],
) {
    let fields = PairFields::read(fields, pair, (&ground.contact.friction, ground.contact.diag_approx));
    instantiate_plane_contact(model, fields, data, rows, (pair, ground), contact, tangent);
}

outlined!(
    /// Adds the rows of a contact with a horizontal plane, whose geoms have the given parameters.
    fn instantiate_plane_contact<V: Float64Lanes>(
        model: &NativeModel,
        fields: PairFields<V>,
        data: &NativeData<V>,
        rows: &mut Constraints<V>,
        pair: (usize, &PlanePair),
        contact: (V::Mask, V, [V; 3]),
        tangent: [V; 2],
    ) {
        let ((pair, ground), (is_on, dist, pos), [x, y]) = (pair, contact, tangent);
        let params = &ground.contact;
        let (none, one, dofs) = (V::splat(0.0), V::splat(1.0), model.dofs.len());
        rows.fallback |= V::bits(is_on) & fields.uncertain;
        rows.uncertain |= params.uncertain_lanes(0, is_on, V::splat(params.margin) - dist, &pos);
        let pos_minus_margin = dist - V::splat(params.includemargin);
        let impedance = get_impedance(&params.sol, pos_minus_margin);
        let coefficients = &fields.friction;
        let (condim, sliding) = (params.friction.condim, coefficients[0]);
        let plain = make_impedance(impedance, fields.diag_approx);
        let efc_r = pyramid_r(model, plain, (condim, sliding));
        let subtree_com = &data.subtree_com[model.bodies[model.pairs[pair].bodies[1]].root];
        let offset = sub3(pos, *subtree_com);
        let count = params.friction.rows(model.is_elliptic);
        rows.store_contact(pair, is_on, pos, [[none, none, one], [x, y, none], [-y, x, none]]);
        let jacobian = rows.alloc_rows(dofs, count);
        for &dof in &params.chains[1] {
            let [along_x, along_y, along_z] = jac_point(&data.cdof[dof], &offset);
            let along_z = along_z.select_or_zero(is_on);
            if condim == 1 {
                jacobian[dof] = along_z;
                continue;
            }
            let (one, other) = (along_x * x + along_y * y, along_x * -y + along_y * x);
            if model.is_elliptic {
                (jacobian[dof], jacobian[dofs + dof], jacobian[2 * dofs + dof]) = (along_z, one, other);
                continue;
            }
            let (one, other) = (one * sliding, other * sliding);
            jacobian[dof] = along_z + one;
            jacobian[dofs + dof] = along_z - one;
            jacobian[2 * dofs + dof] = along_z + other;
            jacobian[3 * dofs + dof] = along_z - other;
        }
        let sol = &params.sol;
        let spec = RowSpec { lanes: is_on, efc_r, impedance, sol, pos_minus_margin, single_dof: 0, colind: pair };
        rows.add_contact(data, (model, params.trees), (params.friction, coefficients), &spec);
    }
);

/// Adds the contacts between two geoms, each of which is a sphere or a capsule.
#[inline(always)]
pub(in crate::native) fn add_round_contacts<V: Float64Lanes>(
    (model, fields): (&NativeModel, impl FieldSource<V>),
    data: &NativeData<V>,
    rows: &mut Constraints<V>,
    (pair, round): (usize, &RoundPair),
) {
    let geoms = model.pairs[pair].geoms.map(|geom| &data.geom_poses[geom]);
    let Some((found, fallback)) = collide(round, geoms, model.dialect.nearest) else { return };
    rows.fallback |= fallback;
    for pre_contact in found {
        add_pre_contact((model, fields), data, rows, (pair, &round.contact), pre_contact);
    }
}

/// Adds a contact that a native collider has found, as `mj_setContact` does, unless it has no rows.
#[inline(always)]
pub(in crate::native) fn add_pre_contact<V: Float64Lanes>(
    (model, fields): (&NativeModel, impl FieldSource<V>),
    data: &NativeData<V>,
    rows: &mut Constraints<V>,
    (pair, contact): (usize, &ContactParams),
    PreContact { lanes, dist, normal, pos }: PreContact<V>,
) {
    let is_on = V::mask_and(V::mask(lanes), dist.lt(V::splat(contact.includemargin)));
    if !V::any(is_on) {
        return;
    }
    let bodies = model.pairs[pair].bodies;
    let uncertain = contact.uncertain_lanes(rows.overlapping_lanes(bodies), is_on, V::splat(contact.margin) - dist, &pos);
    rows.uncertain |= uncertain;
    if contact.slack[0].fixed > 0.0 {
        rows.add_overlapping(bodies, V::bits(is_on) & !uncertain);
    }
    // As in MuJoCo, the contact normal is normalized a second time.
    let length = (normal[0] * normal[0] + normal[1] * normal[1] + normal[2] * normal[2]).sqrt();
    let by = V::splat(1.0) / length;
    let normal = [normal[0] * by, normal[1] * by, normal[2] * by];
    let tangents = if contact.friction.condim > 1 { make_frame(&normal) } else { [[V::splat(0.0); 3]; 2] };
    let frame = [normal, tangents[0], tangents[1]];
    add_contact((model, fields), data, rows, (pair, contact), &LaneContacts { lanes: is_on, dist, pos, frame });
}

/// Contact of two geoms in some lanes.
pub(in crate::native) struct LaneContacts<V: Float64Lanes> {
    pub(in crate::native) lanes: V::Mask,
    /// Distance of the geoms' surfaces (`mjContact.dist`).
    pub(in crate::native) dist: V,
    pub(in crate::native) pos: [V; 3],
    /// Normal and two tangents of the contact (`mjContact.frame`).
    pub(in crate::native) frame: [[V; 3]; 3],
}

/// Adds the constraint rows of a contact between two geoms, as `mj_instantiateContact` (`mj_contactJacobian`, `mj_jacDifPair`)
/// does.
#[inline(always)]
pub(in crate::native) fn add_contact<V: Float64Lanes>(
    (model, fields): (&NativeModel, impl FieldSource<V>),
    data: &NativeData<V>,
    rows: &mut Constraints<V>,
    (pair, contact): (usize, &ContactParams),
    lane_contacts: &LaneContacts<V>,
) {
    let fields = PairFields::read(fields, pair, (&contact.friction, contact.diag_approx));
    instantiate_contact(model, fields, data, rows, pair, contact, lane_contacts);
}

outlined!(
    fn instantiate_contact<V: Float64Lanes>(
        model: &NativeModel,
        fields: PairFields<V>,
        data: &NativeData<V>,
        rows: &mut Constraints<V>,
        pair: usize,
        contact: &ContactParams,
        lane_contacts: &LaneContacts<V>,
    ) {
        let source = (model, &fields);
        // The usual dimensions are constants, for which the compiler unrolls loops over the dimensions.
        match contact.friction.condim {
            1 => add_contact_of(source, data, rows, (pair, contact, 1), lane_contacts),
            3 => add_contact_of(source, data, rows, (pair, contact, 3), lane_contacts),
            condim => add_contact_of(source, data, rows, (pair, contact, condim), lane_contacts),
        }
    }
);

#[inline(always)]
fn add_contact_of<V: Float64Lanes>(
    (model, fields): (&NativeModel, &PairFields<V>),
    data: &NativeData<V>,
    rows: &mut Constraints<V>,
    (pair, contact, condim): (usize, &ContactParams, usize),
    lane_contacts: &LaneContacts<V>,
) {
    let LaneContacts { lanes: is_on, dist, pos, frame } = *lane_contacts;
    let (friction, dofs) = (ContactFriction { condim, ..contact.friction }, model.dofs.len());
    let coefficients = &fields.friction;
    rows.fallback |= V::bits(is_on) & fields.uncertain;
    let pos_minus_margin = dist - V::splat(contact.includemargin);
    let impedance = get_impedance(&contact.sol, pos_minus_margin);
    let count = friction.rows(model.is_elliptic);
    rows.store_contact(pair, is_on, pos, frame);
    let [one, other] = contact.roots;
    let offsets = [sub3(pos, data.subtree_com[one]), sub3(pos, data.subtree_com[other])];
    let jacobian = rows.alloc_rows(dofs, count);
    for (side, chain) in contact.chains.iter().enumerate() {
        for &dof in chain {
            let cdof = &data.cdof[dof];
            let [x, y, z] = jac_point(cdof, &offsets[side]);
            let (jacp, jacr) = match side {
                0 => ([-x, -y, -z], [-cdof[0], -cdof[1], -cdof[2]]),
                _ => ([x, y, z], [cdof[0], cdof[1], cdof[2]]),
            };
            let along = |jacp: &[V; 3], axis: &[V; 3]| jacp[0] * axis[0] + jacp[1] * axis[1] + jacp[2] * axis[2];
            let normal_part = along(&jacp, &frame[0]).select_or_zero(is_on);
            if friction.condim == 1 || model.is_elliptic {
                jacobian[dof] = normal_part;
            }
            // The component `axis` of the contact is a translation along the normal and the tangents, then a rotation about them.
            // It is a row of the contact's frame times the Jacobian (`mju_mulMatMat`).
            for axis in 1..friction.condim {
                let part = if axis < 3 { along(&jacp, &frame[axis]) } else { along(&jacr, &frame[axis - 3]) };
                if model.is_elliptic {
                    jacobian[axis * dofs + dof] = part.select_or_zero(is_on);
                    continue;
                }
                // Two edges of the friction pyramid (`mju_addScl`).
                let part = (part * coefficients[axis - 1]).select_or_zero(is_on);
                jacobian[(2 * axis - 2) * dofs + dof] = normal_part + part;
                jacobian[(2 * axis - 1) * dofs + dof] = normal_part - part;
            }
        }
    }
    let plain = make_impedance(impedance, fields.diag_approx);
    let efc_r = pyramid_r(model, plain, (condim, coefficients[0]));
    let sol = &contact.sol;
    let spec = RowSpec { lanes: is_on, efc_r, impedance, sol, pos_minus_margin, single_dof: 0, colind: pair };
    rows.add_contact(data, (model, contact.trees), (friction, coefficients), &spec);
}

/// Returns two tangents of a contact, orthogonal to the contact normal and to each other, as `mju_makeFrame` does.
#[inline(always)]
pub(in crate::native) fn make_frame<V: Float64Lanes>(normal: &[V; 3]) -> [[V; 3]; 2] {
    let (none, one) = (V::splat(0.0), V::splat(1.0));
    // The first tangent is derived from the y axis, or from the z axis if the normal is nearly parallel to y.
    let is_far = normal[1].abs().lt(V::splat(0.5));
    let (y, z) = (one.select_or_zero(is_far), V::select(is_far, none, one));
    let along = V::select(is_far, normal[1], normal[2]);
    let rest = sub3([none, y, z], scl3(*normal, along));
    let length = (rest[0] * rest[0] + rest[1] * rest[1] + rest[2] * rest[2]).sqrt();
    let first = scl3(rest, one / length);
    [first, cross(*normal, first)]
}
