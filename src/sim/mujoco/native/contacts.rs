//! Contact rows, as `mj_instantiateContact`: of geoms with planes, and of spheres and capsules with one another.

use super::algebra::{TINY, cross, scaled, sub};
use super::collide::{Found, collide};
use super::rows::{Constraint, Rows, impedance, moved, resistance};
use super::smooth::Motion;
use super::tables::{Ground, Round, Tables};
use envpool_rs_numeric::simd::Float64Lanes;

/// Returns `efc_R` of the rows of a friction pyramid, `2 * mu * mu * R`; without a pyramid returns `plain`, which is `R`.
#[inline(always)]
fn with_friction<V: Float64Lanes>(tables: &Tables, plain: V, friction: Option<f64>) -> V {
    let Some(friction) = friction.filter(|_| !tables.has_cones) else { return plain };
    let mut scaled = V::all(friction);
    if tables.impedance_ratio != 1.0 {
        scaled = scaled * (plain / V::all(tables.impedance_ratio) / plain).sqrt();
    }
    V::all(2.0) * scaled * scaled * plain
}

/// Adds the contacts of a sphere or capsule with a plane, as `mjc_PlaneSphere` and `mjc_PlaneCapsule`.
#[inline(always)]
pub(super) fn find_ground<V: Float64Lanes>(
    tables: &Tables,
    motion: &Motion<V>,
    rows: &mut Rows<V>,
    (pair, ground): (usize, &Ground),
) {
    let (none, one, two) = (V::all(0.0), V::all(1.0), V::all(2.0));
    let shape = &motion.shapes[tables.pairs[pair].shapes[1]];
    let below = V::all(ground.height);
    let is_near = (shape.place[2] - below).le(V::all(ground.near));
    if !V::any(is_near) {
        return;
    }
    let (margin, radius) = (V::all(ground.margin), V::all(ground.radius));
    let axis = shape.axis;
    let half = V::all(ground.half.unwrap_or(0.0));
    let along = [half * axis[0], half * axis[1], half * axis[2]];
    for end in 0..(if ground.half.is_some() { 2 } else { 1 }) {
        let place = match (ground.half, end) {
            (None, _) => shape.place,
            (_, 0) => [shape.place[0] + along[0], shape.place[1] + along[1], shape.place[2] + along[2]],
            _ => [shape.place[0] - along[0], shape.place[1] - along[1], shape.place[2] - along[2]],
        };
        let above = place[2] - below;
        let gap = above - radius;
        let is_hit = above.le(V::all(ground.margin + ground.radius));
        let is_on = V::both(V::both(is_near, is_hit), gap.lt(margin));
        if !V::any(is_on) {
            continue;
        }
        let [x, y] = if ground.half.is_some() {
            let length = (axis[0] * axis[0] + axis[1] * axis[1]).sqrt();
            let is_upright = length.lt(V::all(TINY));
            let by = one / length;
            [V::select(is_upright, one, axis[0] * by), V::select(is_upright, none, axis[1] * by)]
        } else {
            [none, one]
        };
        let (x, y) = (x.keep(is_on), y.keep(is_on));
        let height = place[2] + (-gap / two - radius);
        touch_ground(tables, motion, rows, (pair, ground), (is_on, gap, [place[0], place[1], height]), [x, y]);
    }
}

/// Adds a contact with a plane; the first tangent is given by its x and y coordinates.
#[inline(always)]
pub(super) fn touch_ground<V: Float64Lanes>(
    tables: &Tables,
    motion: &Motion<V>,
    rows: &mut Rows<V>,
    (pair, ground): (usize, &Ground),
    (is_on, gap, point): (V::Mask, V, [V; 3]),
    [x, y]: [V; 2],
) {
    let (none, one, dofs) = (V::all(0.0), V::all(1.0), tables.dofs.len());
    let distance = gap - V::all(ground.margin);
    let impedance = impedance(&ground.softness, distance);
    let plain = resistance(impedance, ground.weight);
    let resistance = with_friction(tables, plain, ground.friction);
    let centre = &motion.tree_centres[tables.bodies[tables.pairs[pair].bodies[1]].root];
    let offset = sub(point, *centre);
    let count = tables.rows_of(ground.friction);
    rows.note(pair, is_on, point, [[none, none, one], [x, y, none], [-y, x, none]]);
    let jacobian = rows.room(dofs, count);
    for &dof in &ground.chain {
        let [along_x, along_y, along_z] = moved(&motion.motions[dof], &offset);
        let along_z = along_z.keep(is_on);
        let Some(friction) = ground.friction else {
            jacobian[dof] = along_z;
            continue;
        };
        let (one, other) = (along_x * x + along_y * y, along_x * -y + along_y * x);
        if tables.has_cones {
            (jacobian[dof], jacobian[dofs + dof], jacobian[2 * dofs + dof]) = (along_z, one, other);
            continue;
        }
        let (one, other) = (one * V::all(friction), other * V::all(friction));
        jacobian[dof] = along_z + one;
        jacobian[dofs + dof] = along_z - one;
        jacobian[2 * dofs + dof] = along_z + other;
        jacobian[3 * dofs + dof] = along_z - other;
    }
    let softness = &ground.softness;
    let constraint = Constraint { lanes: is_on, resistance, impedance, softness, distance, only: 0, support: pair };
    rows.take_contact(motion, (tables, 1 << ground.tree), ground.friction, &constraint);
}

/// Adds the contacts of two spheres or capsules.
#[inline(always)]
pub(super) fn find_round<V: Float64Lanes>(
    tables: &Tables,
    motion: &Motion<V>,
    rows: &mut Rows<V>,
    (pair, round): (usize, &Round),
) {
    let shapes = tables.pairs[pair].shapes.map(|shape| &motion.shapes[shape]);
    let dofs = tables.dofs.len();
    let Some((found, alarms)) = collide(round, shapes, tables.dialect.nearest) else { return };
    rows.alarms |= alarms;
    for Found { lanes, distance, normal, point } in found {
        let is_on = V::both(V::mask(lanes), distance.lt(V::all(round.margin)));
        if !V::any(is_on) {
            continue;
        }
        // MuJoCo normalizes the normal a second time.
        let length = (normal[0] * normal[0] + normal[1] * normal[1] + normal[2] * normal[2]).sqrt();
        let by = V::all(1.0) / length;
        let normal = [normal[0] * by, normal[1] * by, normal[2] * by];
        let distance = distance - V::all(round.margin);
        let impedance = impedance(&round.softness, distance);
        let [one, other] = round.roots;
        let offsets = [sub(point, motion.tree_centres[one]), sub(point, motion.tree_centres[other])];
        let count = tables.rows_of(round.friction);
        let tangents = if round.friction.is_some() { tangents(&normal) } else { [[V::all(0.0); 3]; 2] };
        rows.note(pair, is_on, point, [normal, tangents[0], tangents[1]]);
        let jacobian = rows.room(dofs, count);
        for (side, chain) in round.chains.iter().enumerate() {
            for &dof in chain {
                let [x, y, z] = moved(&motion.motions[dof], &offsets[side]);
                let way = if side == 0 { [-x, -y, -z] } else { [x, y, z] };
                let along = |axis: &[V; 3]| way[0] * axis[0] + way[1] * axis[1] + way[2] * axis[2];
                let upright = along(&normal).keep(is_on);
                let Some(friction) = round.friction else {
                    jacobian[dof] = upright;
                    continue;
                };
                let (one, other) = (along(&tangents[0]), along(&tangents[1]));
                if tables.has_cones {
                    jacobian[dof] = upright;
                    (jacobian[dofs + dof], jacobian[2 * dofs + dof]) = (one.keep(is_on), other.keep(is_on));
                    continue;
                }
                let (one, other) = ((one * V::all(friction)).keep(is_on), (other * V::all(friction)).keep(is_on));
                jacobian[dof] = upright + one;
                jacobian[dofs + dof] = upright - one;
                jacobian[2 * dofs + dof] = upright + other;
                jacobian[3 * dofs + dof] = upright - other;
            }
        }
        let resistance = with_friction(tables, resistance(impedance, round.weight), round.friction);
        let softness = &round.softness;
        let constraint = Constraint { lanes: is_on, resistance, impedance, softness, distance, only: 0, support: pair };
        rows.take_contact(motion, (tables, tables.pairs[pair].trees()), round.friction, &constraint);
    }
}

/// Returns two tangents of a normal, orthogonal to each other, as `mju_makeFrame`.
#[inline(always)]
fn tangents<V: Float64Lanes>(normal: &[V; 3]) -> [[V; 3]; 2] {
    let (none, one) = (V::all(0.0), V::all(1.0));
    // The first tangent starts from y, or from z if the normal is near y.
    let is_far = normal[1].abs().lt(V::all(0.5));
    let (y, z) = (one.keep(is_far), V::select(is_far, none, one));
    let along = V::select(is_far, normal[1], normal[2]);
    let rest = sub([none, y, z], scaled(*normal, along));
    let length = (rest[0] * rest[0] + rest[1] * rest[1] + rest[2] * rest[2]).sqrt();
    let first = scaled(rest, one / length);
    [first, cross(*normal, first)]
}
