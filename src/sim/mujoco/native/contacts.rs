//! Adds the constraint rows of contacts, as `mj_instantiateContact` does, and the contacts of spheres and capsules with one
//! another and with planes.

use super::algebra::{MJMINVAL, cross, scaled, sub};
use super::collide::{PreContact, collide};
use super::lane_fields::FieldSource;
use super::rows::{Constraints, RowSpec, efc_r, impedance, jac_point};
use super::smooth::NativeData;
use super::tables::{ContactFriction, ContactParams, NativeModel, PlanePair, RoundPair};
use envpool_rs_numeric::simd::{Float64Lanes, SimdKernel};

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
pub(super) fn plane_round<V: Float64Lanes>(
    (model, fields): (&NativeModel, impl FieldSource<V>),
    motion: &NativeData<V>,
    rows: &mut Constraints<V>,
    (pair, ground): (usize, &PlanePair),
) {
    let (none, one, two) = (V::splat(0.0), V::splat(1.0), V::splat(2.0));
    let shape = &motion.geom_poses[model.pairs[pair].geoms[1]];
    let below = V::splat(ground.height);
    let is_near = (shape.pos[2] - below).le(V::splat(ground.near));
    if !V::any(is_near) {
        return;
    }
    let (margin, radius) = (V::splat(ground.margin), V::splat(ground.radius));
    let axis = shape.axis;
    let half = V::splat(ground.half.unwrap_or(0.0));
    let along = [half * axis[0], half * axis[1], half * axis[2]];
    for end in 0..(if ground.half.is_some() { 2 } else { 1 }) {
        let place = match (ground.half, end) {
            (None, _) => shape.pos,
            (_, 0) => [shape.pos[0] + along[0], shape.pos[1] + along[1], shape.pos[2] + along[2]],
            _ => [shape.pos[0] - along[0], shape.pos[1] - along[1], shape.pos[2] - along[2]],
        };
        let above = place[2] - below;
        let gap = above - radius;
        let is_hit = above.le(V::splat(ground.margin + ground.radius));
        let is_on = V::mask_and(V::mask_and(is_near, is_hit), gap.lt(margin));
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
        let height = place[2] + (-gap / two - radius);
        add_plane_contact((model, fields), motion, rows, (pair, ground), (is_on, gap, [place[0], place[1], height]), [x, y]);
    }
}

/// Values of the fields of a pair of geoms.
struct PairFields<V> {
    /// Friction coefficients.
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

/// Adds the constraint rows of a contact with a horizontal plane. The caller passes the x and y coordinates of the first
/// tangent.
#[inline(always)]
pub(super) fn add_plane_contact<V: Float64Lanes>(
    (model, fields): (&NativeModel, impl FieldSource<V>),
    motion: &NativeData<V>,
    rows: &mut Constraints<V>,
    (pair, ground): (usize, &PlanePair),
    (is_on, gap, point): (V::Mask, V, [V; 3]),
    [x, y]: [V; 2],
) {
    let fields = PairFields::read(fields, pair, (&ground.friction, ground.diag_approx));
    V::enter(AddPlaneContact { model, fields, motion, rows, pair, ground, contact: (is_on, gap, point), tangent: [x, y] });
}

/// SIMD kernel of [`add_plane_contact`].
struct AddPlaneContact<'a, V: Float64Lanes> {
    model: &'a NativeModel,
    fields: PairFields<V>,
    motion: &'a NativeData<V>,
    rows: &'a mut Constraints<V>,
    pair: usize,
    ground: &'a PlanePair,
    contact: (V::Mask, V, [V; 3]),
    tangent: [V; 2],
}

impl<V: Float64Lanes> SimdKernel for AddPlaneContact<'_, V> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        let Self { model, fields, motion, rows, pair, ground, contact: (is_on, gap, point), tangent: [x, y] } = self;
        let (none, one, dofs) = (V::splat(0.0), V::splat(1.0), model.dofs.len());
        rows.fallback |= V::bits(is_on) & fields.uncertain;
        rows.fallback |= ground.slack.uncertain_lanes(is_on, V::splat(ground.margin) - gap, &point);
        let distance = gap - V::splat(ground.margin);
        let impedance = impedance(&ground.sol, distance);
        let coefficients = &fields.friction;
        let (condim, sliding) = (ground.friction.condim, coefficients[0]);
        let plain = efc_r(impedance, fields.diag_approx);
        let resistance = pyramid_r(model, plain, (condim, sliding));
        let centre = &motion.subtree_com[model.bodies[model.pairs[pair].bodies[1]].root];
        let offset = sub(point, *centre);
        let count = ground.friction.rows(model.is_elliptic);
        rows.store_contact(pair, is_on, point, [[none, none, one], [x, y, none], [-y, x, none]]);
        let jacobian = rows.alloc_rows(dofs, count);
        for &dof in &ground.chain {
            let [along_x, along_y, along_z] = jac_point(&motion.cdof[dof], &offset);
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
        let softness = &ground.sol;
        let constraint =
            RowSpec { lanes: is_on, efc_r: resistance, impedance, sol: softness, distance, single_dof: 0, colind: pair };
        rows.add_contact(motion, (model, 1 << ground.tree), (ground.friction, coefficients), &constraint);
    }
}

/// Adds the contacts between two geoms, each of which is a sphere or a capsule.
#[inline(always)]
pub(super) fn add_round_contacts<V: Float64Lanes>(
    (model, fields): (&NativeModel, impl FieldSource<V>),
    motion: &NativeData<V>,
    rows: &mut Constraints<V>,
    (pair, round): (usize, &RoundPair),
) {
    let shapes = model.pairs[pair].geoms.map(|shape| &motion.geom_poses[shape]);
    let Some((found, alarms)) = collide(round, shapes, model.dialect.nearest) else { return };
    rows.fallback |= alarms;
    let contact = &round.contact;
    for PreContact { lanes, dist: distance, normal, pos: point } in found {
        let is_on = V::mask_and(V::mask(lanes), distance.lt(V::splat(contact.margin)));
        if !V::any(is_on) {
            continue;
        }
        rows.fallback |= contact.slack.uncertain_lanes(is_on, V::splat(contact.margin) - distance, &point);
        // As in MuJoCo, the contact normal is normalized a second time.
        let length = (normal[0] * normal[0] + normal[1] * normal[1] + normal[2] * normal[2]).sqrt();
        let by = V::splat(1.0) / length;
        let normal = [normal[0] * by, normal[1] * by, normal[2] * by];
        let tangents = if contact.friction.condim > 1 { make_frame(&normal) } else { [[V::splat(0.0); 3]; 2] };
        let frame = [normal, tangents[0], tangents[1]];
        add_contact((model, fields), motion, rows, (pair, contact), &LaneContacts { lanes: is_on, distance, point, frame });
    }
}

/// Contact of two geoms in some lanes.
pub(super) struct LaneContacts<V: Float64Lanes> {
    /// Mask of the lanes in which the contact exists.
    pub(super) lanes: V::Mask,
    /// Distance of the geoms' surfaces (`mjContact.dist`).
    pub(super) distance: V,
    pub(super) point: [V; 3],
    /// Normal and two tangents of the contact (`mjContact.frame`).
    pub(super) frame: [[V; 3]; 3],
}

/// Adds the constraint rows of a contact between two geoms, as `mj_instantiateContact` does.
#[inline(always)]
pub(super) fn add_contact<V: Float64Lanes>(
    (model, fields): (&NativeModel, impl FieldSource<V>),
    motion: &NativeData<V>,
    rows: &mut Constraints<V>,
    (pair, contact): (usize, &ContactParams),
    touch: &LaneContacts<V>,
) {
    let fields = PairFields::read(fields, pair, (&contact.friction, contact.diag_approx));
    V::enter(AddContact { model, fields, motion, rows, pair, contact, touch });
}

/// SIMD kernel of [`add_contact`].
struct AddContact<'a, V: Float64Lanes> {
    model: &'a NativeModel,
    fields: PairFields<V>,
    motion: &'a NativeData<V>,
    rows: &'a mut Constraints<V>,
    pair: usize,
    contact: &'a ContactParams,
    touch: &'a LaneContacts<V>,
}

impl<V: Float64Lanes> SimdKernel for AddContact<'_, V> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        let Self { model, fields, motion, rows, pair, contact, touch } = self;
        let source = (model, &fields);
        // The usual dimensions are constants, for which the compiler unrolls loops over the dimensions.
        match contact.friction.condim {
            1 => add_contact_of(source, motion, rows, (pair, contact, 1), touch),
            3 => add_contact_of(source, motion, rows, (pair, contact, 3), touch),
            condim => add_contact_of(source, motion, rows, (pair, contact, condim), touch),
        }
    }
}

/// Adds the constraint rows of a contact of dimension `condim`, as [`add_contact`].
#[inline(always)]
fn add_contact_of<V: Float64Lanes>(
    (model, fields): (&NativeModel, &PairFields<V>),
    motion: &NativeData<V>,
    rows: &mut Constraints<V>,
    (pair, contact, condim): (usize, &ContactParams, usize),
    touch: &LaneContacts<V>,
) {
    let LaneContacts { lanes: is_on, distance, point, frame } = *touch;
    let (friction, dofs) = (ContactFriction { condim, ..contact.friction }, model.dofs.len());
    let coefficients = &fields.friction;
    rows.fallback |= V::bits(is_on) & fields.uncertain;
    let distance = distance - V::splat(contact.margin);
    let impedance = impedance(&contact.sol, distance);
    let count = friction.rows(model.is_elliptic);
    rows.store_contact(pair, is_on, point, frame);
    let [one, other] = contact.roots;
    let offsets = [sub(point, motion.subtree_com[one]), sub(point, motion.subtree_com[other])];
    let jacobian = rows.alloc_rows(dofs, count);
    for (side, chain) in contact.chains.iter().enumerate() {
        for &dof in chain {
            let motion = &motion.cdof[dof];
            let [x, y, z] = jac_point(motion, &offsets[side]);
            let (way, turn) = match side {
                0 => ([-x, -y, -z], [-motion[0], -motion[1], -motion[2]]),
                _ => ([x, y, z], [motion[0], motion[1], motion[2]]),
            };
            let along = |way: &[V; 3], axis: &[V; 3]| way[0] * axis[0] + way[1] * axis[1] + way[2] * axis[2];
            let upright = along(&way, &frame[0]).select_or_zero(is_on);
            if friction.condim == 1 || model.is_elliptic {
                jacobian[dof] = upright;
            }
            // The component `axis` of the contact is a translation along the normal and the tangents, then a rotation about them.
            for axis in 1..friction.condim {
                let part = if axis < 3 { along(&way, &frame[axis]) } else { along(&turn, &frame[axis - 3]) };
                if model.is_elliptic {
                    jacobian[axis * dofs + dof] = part.select_or_zero(is_on);
                    continue;
                }
                let part = (part * coefficients[axis - 1]).select_or_zero(is_on);
                jacobian[(2 * axis - 2) * dofs + dof] = upright + part;
                jacobian[(2 * axis - 1) * dofs + dof] = upright - part;
            }
        }
    }
    let plain = efc_r(impedance, fields.diag_approx);
    let resistance = pyramid_r(model, plain, (condim, coefficients[0]));
    let softness = &contact.sol;
    let constraint = RowSpec { lanes: is_on, efc_r: resistance, impedance, sol: softness, distance, single_dof: 0, colind: pair };
    rows.add_contact(motion, (model, contact.trees), (friction, coefficients), &constraint);
}

/// Returns two tangents of a contact, orthogonal to the contact normal and to each other, as `mju_makeFrame` does.
#[inline(always)]
pub(super) fn make_frame<V: Float64Lanes>(normal: &[V; 3]) -> [[V; 3]; 2] {
    let (none, one) = (V::splat(0.0), V::splat(1.0));
    // The first tangent is derived from the y axis, or from the z axis if the normal is nearly parallel to y.
    let is_far = normal[1].abs().lt(V::splat(0.5));
    let (y, z) = (one.select_or_zero(is_far), V::select(is_far, none, one));
    let along = V::select(is_far, normal[1], normal[2]);
    let rest = sub([none, y, z], scaled(*normal, along));
    let length = (rest[0] * rest[0] + rest[1] * rest[1] + rest[2] * rest[2]).sqrt();
    let first = scaled(rest, one / length);
    [first, cross(*normal, first)]
}
