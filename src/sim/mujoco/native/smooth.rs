//! Smooth dynamics of `mj_forward`: from `qpos`, `qvel` and `ctrl` to `qacc_smooth`.

use super::algebra::{
    NO_TURN, TINY, add, add6, all3, all4, axis_turned, cross, cross_force, cross_motion, matrix, momentum, normalized, power,
    quaternion_product, scaled, sub, times, turned, turned_about,
};
use super::tables::{
    Activation, BODIES, DOFS, Frame, Joint, JointKind, MASSES, POSITIONS, SHAPES, SameFrame, Shape, Tables, Tendon,
};
use envpool_rs_numeric::simd::{Float64Lanes, Work};

/// World position and z axis of a geom: `geom_xpos`, and the third column of `geom_xmat`.
#[derive(Clone, Copy)]
pub(super) struct Placed<V> {
    pub(super) place: [V; 3],
    pub(super) axis: [V; 3],
}

/// The arrays of `mjData` that a step uses, for a batch of simulations.
pub(super) struct Motion<V: Float64Lanes> {
    /// `qpos`.
    pub(super) positions: [V; POSITIONS],
    /// `qvel`.
    pub(super) velocities: [V; DOFS],
    /// `ctrl`.
    pub(super) controls: [V; DOFS],
    /// `act`.
    pub(super) activations: [V; DOFS],
    /// `act_dot`.
    pub(super) activating: [V; DOFS],
    /// `qfrc_smooth`: all forces but those of constraints.
    pub(super) forces: [V; DOFS],
    /// `qfrc_actuator`.
    pub(super) actuator_forces: [V; DOFS],
    /// `qacc_smooth`.
    pub(super) smooth: [V; DOFS],
    /// `M`: inertia matrix, lower triangle in CSR format.
    pub(super) mass: [V; MASSES],
    /// `qLD`: factor of the inertia matrix.
    pub(super) factor: [V; MASSES],
    /// `qLDiagInv`: reciprocal diagonal of the factor.
    pub(super) inverse: [V; DOFS],
    /// `qH`: inertia matrix with implicit damping, temporary.
    pub(super) damped: [V; MASSES],
    /// `xpos`.
    pub(super) places: [[V; 3]; BODIES],
    /// `xquat`.
    turns: [[V; 4]; BODIES],
    /// `xmat`.
    matrices: [[V; 9]; BODIES],
    /// `xipos`.
    pub(super) centres: [[V; 3]; BODIES],
    /// `ximat`.
    centre_matrices: [[V; 9]; BODIES],
    pub(super) shapes: [Placed<V>; SHAPES],
    /// `xanchor`.
    anchors: [[V; 3]; DOFS],
    /// `xaxis`.
    axes: [[V; 3]; DOFS],
    /// `subtree_com`, of which only the roots' entries are used.
    pub(super) tree_centres: [[V; 3]; BODIES],
    /// `cinert`.
    pub(super) inertias: [[V; 10]; BODIES],
    /// `crb`: composite rigid-body inertias.
    composites: [[V; 10]; BODIES],
    /// `cdof`.
    pub(super) motions: [[V; 6]; DOFS],
    /// `cdof_dot`.
    changes: [[V; 6]; DOFS],
    /// `cvel`.
    pub(super) body_velocities: [[V; 6]; BODIES],
    /// `cacc` without `qacc`, as `mj_rne` has it with `flg_acc` 0.
    accelerations: [[V; 6]; BODIES],
    /// `cfrc_body`.
    body_forces: [[V; 6]; BODIES],
}

impl<V: Float64Lanes> Motion<V> {
    pub(super) fn new() -> Box<Self> {
        let none = V::all(0.0);
        Box::new(Self {
            positions: [none; POSITIONS],
            velocities: [none; DOFS],
            controls: [none; DOFS],
            activations: [none; DOFS],
            activating: [none; DOFS],
            forces: [none; DOFS],
            actuator_forces: [none; DOFS],
            smooth: [none; DOFS],
            mass: [none; MASSES],
            factor: [none; MASSES],
            damped: [none; MASSES],
            inverse: [none; DOFS],
            places: [[none; 3]; BODIES],
            turns: [[none; 4]; BODIES],
            matrices: [[none; 9]; BODIES],
            centres: [[none; 3]; BODIES],
            centre_matrices: [[none; 9]; BODIES],
            shapes: [Placed { place: [none; 3], axis: [none; 3] }; SHAPES],
            anchors: [[none; 3]; DOFS],
            axes: [[none; 3]; DOFS],
            tree_centres: [[none; 3]; BODIES],
            inertias: [[none; 10]; BODIES],
            composites: [[none; 10]; BODIES],
            motions: [[none; 6]; DOFS],
            changes: [[none; 6]; DOFS],
            body_velocities: [[none; 6]; BODIES],
            accelerations: [[none; 6]; BODIES],
            body_forces: [[none; 6]; BODIES],
        })
    }

    /// Returns `geom_xmat` of a geom.
    #[inline(always)]
    pub(super) fn shape_matrix(&self, tables: &Tables, shape: usize) -> [V; 9] {
        let Shape { body, frame } = &tables.shapes[shape];
        matrix_of(frame, &self.turns[*body], [&self.matrices[*body], &self.centre_matrices[*body]], tables.dialect.sums_in_pairs)
    }

    /// Returns the world position of a frame that is fixed to a body, such as `site_xpos`.
    #[inline(always)]
    pub(super) fn fixed(&self, body: usize, frame: &Frame) -> [V; 3] {
        place_of(frame, (self.places[body], self.centres[body]), &self.matrices[body])
    }

    /// Returns the world position of a body-fixed frame in one lane, computed with scalars.
    pub(super) fn fixed_in(&self, lane: usize, body: usize, frame: &Frame) -> [f64; 3] {
        let (place, centre) = (in_lane(&self.places[body], lane), in_lane(&self.centres[body], lane));
        place_of(frame, (place, centre), &in_lane(&self.matrices[body], lane))
    }

    /// Returns the rotation matrix of a body-fixed frame in one lane, such as `site_xmat`.
    pub(super) fn turned_in(&self, lane: usize, body: usize, frame: &Frame, in_pairs: bool) -> [f64; 9] {
        let (matrix, centre) = (in_lane(&self.matrices[body], lane), in_lane(&self.centre_matrices[body], lane));
        matrix_of(frame, &in_lane(&self.turns[body], lane), [&matrix, &centre], in_pairs)
    }
}

/// Returns the numbers of one lane.
pub(super) fn in_lane<V: Float64Lanes, const N: usize>(numbers: &[V; N], lane: usize) -> [f64; N] {
    let mut own = [0.0; N];
    for (own, number) in own.iter_mut().zip(numbers) {
        *own = number.get(lane);
    }
    own
}

/// Returns the world position of a body-fixed frame, from `xpos`, `xipos` and `xmat`, as `mj_local2Global`.
#[inline(always)]
fn place_of<V: Float64Lanes>(frame: &Frame, (place, centre): ([V; 3], [V; 3]), matrix: &[V; 9]) -> [V; 3] {
    match frame.same {
        SameFrame::Body => place,
        SameFrame::Inertia => centre,
        _ => add(times(matrix, all3(&frame.place)), place),
    }
}

/// Returns the rotation matrix of a body-fixed frame, from `xquat`, `xmat` and `ximat`, as `mj_local2Global`.
#[inline(always)]
fn matrix_of<V: Float64Lanes>(frame: &Frame, turn: &[V; 4], [body, inertia]: [&[V; 9]; 2], in_pairs: bool) -> [V; 9] {
    match frame.same {
        SameFrame::Neither => matrix(&quaternion_product(turn, &all4(&frame.turn), in_pairs), in_pairs),
        SameFrame::Body | SameFrame::BodyRotation => *body,
        _ => *inertia,
    }
}

/// Smooth dynamics: `mj_fwdPosition` without collisions and constraints, `mj_fwdVelocity`, `mj_fwdActuation`, and
/// `mj_fwdAcceleration`.
pub(super) struct Smooth<'a, V: Float64Lanes> {
    pub(super) tables: &'a Tables,
    pub(super) motion: &'a mut Motion<V>,
}

impl<V: Float64Lanes> Work for Smooth<'_, V> {
    /// Lanes that have to fall back to MuJoCo, as bits.
    type Output = u32;

    #[inline(always)]
    fn run(self) -> u32 {
        let Self { tables, motion } = self;
        place_bodies(tables, motion);
        place_shapes(tables, motion);
        find_centres(tables, motion);
        find_masses(tables, motion);
        let (factor, mass) = (&mut motion.factor, &motion.mass);
        factor[..tables.columns.len()].copy_from_slice(&mass[..tables.columns.len()]);
        let left = factorize(tables, factor, &mut motion.inverse);
        find_velocities(tables, motion);
        find_forces(tables, motion);
        let dofs = tables.dofs.len();
        motion.smooth[..dofs].copy_from_slice(&motion.forces[..dofs]);
        solve(tables, &motion.factor, &motion.inverse, &mut motion.smooth[..dofs]);
        left
    }
}

/// Computes poses of bodies and joint frames, from the root on, as `mj_kinematics`.
#[inline(always)]
fn place_bodies<V: Float64Lanes>(tables: &Tables, motion: &mut Motion<V>) {
    let (none, one) = (V::all(0.0), V::all(1.0));
    let in_pairs = tables.dialect.sums_in_pairs;
    motion.turns[0] = [one, none, none, none];
    motion.matrices[0] = [one, none, none, none, one, none, none, none, one];
    motion.places[0] = [none; 3];
    for (id, body) in tables.bodies.iter().enumerate().skip(1) {
        let joints = &tables.joints[body.joints.clone()];
        let (mut place, mut turn);
        if let [joint @ Joint { kind: JointKind::Free, .. }] = joints {
            let q = &motion.positions[joint.position..][..7];
            place = [q[0], q[1], q[2]];
            turn = normalized([q[3], q[4], q[5], q[6]], in_pairs);
            motion.anchors[body.joints.start] = place;
        } else {
            let parent = body.parent;
            if parent > 0 {
                place = add(times(&motion.matrices[parent], all3(&body.place)), motion.places[parent]);
                turn = motion.turns[parent];
                if body.turn != NO_TURN {
                    turn = quaternion_product(&turn, &all4(&body.turn), in_pairs);
                }
            } else {
                place = all3(&body.place);
                turn = all4(&body.turn);
            }
            for (joint, number) in joints.iter().zip(body.joints.clone()) {
                let is_central = joint.place == [0.0; 3];
                let axis = match joint.along {
                    Some(along) => axis_turned(along, &turn),
                    None => turned(all3(&joint.axis), &turn),
                };
                let anchor = if is_central { place } else { add(turned(all3(&joint.place), &turn), place) };
                let moved = motion.positions[joint.position] - V::all(joint.rest);
                if joint.kind == JointKind::Slide {
                    place = [place[0] + axis[0] * moved, place[1] + axis[1] * moved, place[2] + axis[2] * moved];
                } else {
                    let (sine, cosine) = (moved * V::all(0.5)).sin_cos();
                    turn = match joint.along {
                        Some((along, sign)) => turned_about(along, &turn, cosine, V::all(sign) * sine),
                        None => {
                            let [x, y, z] = all3::<V>(&joint.axis);
                            quaternion_product(&turn, &[cosine, x * sine, y * sine, z * sine], in_pairs)
                        }
                    };
                    place = if is_central { anchor } else { sub(anchor, turned(all3(&joint.place), &turn)) };
                }
                motion.anchors[number] = anchor;
                motion.axes[number] = axis;
            }
        }
        turn = normalized(turn, in_pairs);
        motion.places[id] = place;
        motion.turns[id] = turn;
        motion.matrices[id] = matrix(&turn, in_pairs);
        motion.centres[id] = match body.centre.same {
            SameFrame::Body | SameFrame::Inertia => place,
            _ => add(times(&motion.matrices[id], all3(&body.centre.place)), place),
        };
        motion.centre_matrices[id] = match body.centre.same {
            SameFrame::Neither => matrix(&quaternion_product(&turn, &all4(&body.centre.turn), in_pairs), in_pairs),
            _ => motion.matrices[id],
        };
    }
}

/// Computes `geom_xpos` and the z axes of geoms, as `mj_kinematics`.
#[inline(always)]
fn place_shapes<V: Float64Lanes>(tables: &Tables, motion: &mut Motion<V>) {
    for (number, shape) in tables.shapes.iter().enumerate() {
        let place = motion.fixed(shape.body, &shape.frame);
        let matrix = motion.shape_matrix(tables, number);
        motion.shapes[number] = Placed { place, axis: [matrix[2], matrix[5], matrix[8]] };
    }
}

/// Computes `subtree_com`, `cinert` and `cdof`, as `mj_comPos`.
#[inline(always)]
fn find_centres<V: Float64Lanes>(tables: &Tables, motion: &mut Motion<V>) {
    let (none, one) = (V::all(0.0), V::all(1.0));
    for (id, body) in tables.bodies.iter().enumerate() {
        let mass = V::all(body.mass);
        motion.tree_centres[id] = if id == 0 { [none; 3] } else { scaled(motion.centres[id], mass) };
    }
    for (id, body) in tables.bodies.iter().enumerate().skip(1).rev() {
        motion.tree_centres[body.parent] = add(motion.tree_centres[body.parent], motion.tree_centres[id]);
    }
    for (id, body) in tables.bodies.iter().enumerate().skip(1) {
        if body.root == id {
            motion.tree_centres[id] = scaled(motion.tree_centres[id], V::all(body.by_tree_mass));
        }
        let centre = motion.tree_centres[body.root];
        let d = sub(motion.centres[id], centre);
        let (r, i, mass) = (&motion.centre_matrices[id], all3::<V>(&body.inertia), V::all(body.mass));
        let t =
            [r[0] * i[0], r[3] * i[0], r[6] * i[0], r[1] * i[1], r[4] * i[1], r[7] * i[1], r[2] * i[2], r[5] * i[2], r[8] * i[2]];
        motion.inertias[id] = [
            (r[0] * t[0] + r[1] * t[3] + r[2] * t[6]) + mass * (d[1] * d[1] + d[2] * d[2]),
            (r[3] * t[1] + r[4] * t[4] + r[5] * t[7]) + mass * (d[0] * d[0] + d[2] * d[2]),
            (r[6] * t[2] + r[7] * t[5] + r[8] * t[8]) + mass * (d[0] * d[0] + d[1] * d[1]),
            (r[0] * t[1] + r[1] * t[4] + r[2] * t[7]) - mass * d[0] * d[1],
            (r[0] * t[2] + r[1] * t[5] + r[2] * t[8]) - mass * d[0] * d[2],
            (r[3] * t[2] + r[4] * t[5] + r[5] * t[8]) - mass * d[1] * d[2],
            mass * d[0],
            mass * d[1],
            mass * d[2],
            mass,
        ];
        for (number, joint) in body.joints.clone().zip(&tables.joints[body.joints.clone()]) {
            let offset = sub(centre, motion.anchors[number]);
            let hinge = |axis: [V; 3]| {
                let moved = cross(axis, offset);
                [axis[0], axis[1], axis[2], moved[0], moved[1], moved[2]]
            };
            let dof = joint.dof;
            match joint.kind {
                JointKind::Free => {
                    let m = motion.matrices[id];
                    for axis in 0..3 {
                        motion.motions[dof + axis] = [none; 6];
                        motion.motions[dof + axis][3 + axis] = one;
                        motion.motions[dof + 3 + axis] = hinge([m[axis], m[axis + 3], m[axis + 6]]);
                    }
                }
                JointKind::Slide => {
                    let axis = motion.axes[number];
                    motion.motions[dof] = [none, none, none, axis[0], axis[1], axis[2]];
                }
                JointKind::Hinge => motion.motions[dof] = hinge(motion.axes[number]),
            }
        }
    }
}

/// Computes the inertia matrix by the composite rigid-body algorithm, as `mj_crb`.
#[inline(always)]
fn find_masses<V: Float64Lanes>(tables: &Tables, motion: &mut Motion<V>) {
    let bodies = tables.bodies.len();
    motion.composites[1..bodies].copy_from_slice(&motion.inertias[1..bodies]);
    for (id, body) in tables.bodies.iter().enumerate().skip(1).rev() {
        if body.parent > 0 {
            let own = motion.composites[id];
            for (sum, part) in motion.composites[body.parent].iter_mut().zip(own) {
                *sum = *sum + part;
            }
        }
    }
    for (number, dof) in tables.dofs.iter().enumerate() {
        let mut at = dof.diagonal();
        if let Some(mass) = dof.mass {
            motion.mass[at] = V::all(mass);
            continue;
        }
        let own = &motion.motions[number];
        let force = momentum(&motion.composites[dof.body], own);
        motion.mass[at] = V::all(dof.armature) + power(own, &force);
        let mut next = dof.parent;
        while let Some(above) = next {
            at -= 1;
            motion.mass[at] = power(&motion.motions[above], &force);
            next = tables.dofs[above].parent;
        }
    }
}

/// Factors a matrix with the inertia matrix's sparsity into `L'DL` in place, as `mj_factorM` (`mj_factorI`).
///
/// Returns the lanes with a pivot below `mjMINVAL`, as bits, in which MuJoCo warns.
#[inline(always)]
pub(super) fn factorize<V: Float64Lanes>(tables: &Tables, matrix: &mut [V; MASSES], inverse: &mut [V; DOFS]) -> u32 {
    let mut good = V::mask(V::ALL);
    for (number, dof) in tables.dofs.iter().enumerate().rev() {
        good = V::both(good, matrix[dof.diagonal()].ge(V::all(TINY)));
        let by = V::all(1.0) / matrix[dof.diagonal()];
        inverse[number] = by;
        let (above, own) = matrix.split_at_mut(dof.row);
        let row = &mut own[..dof.len - 1];
        for (at, column) in tables.columns_of(number)[..dof.len - 1].iter().enumerate().rev() {
            let scale = -row[at] * by;
            let other = &tables.dofs[*column];
            for (sum, part) in above[other.row..][..other.len].iter_mut().zip(row.iter()) {
                *sum = *sum + *part * scale;
            }
        }
        row.iter_mut().for_each(|part| *part = *part * by);
    }
    !V::bits(good) & V::ALL
}

/// Solves a factored system in place, as `mj_solveLD`.
#[inline(always)]
pub(super) fn solve<V: Float64Lanes>(tables: &Tables, factor: &[V; MASSES], inverse: &[V; DOFS], x: &mut [V]) {
    for number in (1..x.len()).rev() {
        let dof = &tables.dofs[number];
        let value = x[number];
        for (part, column) in factor[dof.row..][..dof.len - 1].iter().zip(tables.columns_of(number)) {
            x[*column] = x[*column] - *part * value;
        }
    }
    for (value, by) in x.iter_mut().zip(inverse) {
        *value = *value * *by;
    }
    for number in 1..x.len() {
        let dof = &tables.dofs[number];
        let rest = dof.len - 1;
        if rest == 0 {
            continue;
        }
        let (row, columns) = (&factor[dof.row..][..rest], &tables.columns_of(number)[..rest]);
        let product = |at: usize| row[at] * x[columns[at]];
        let (mut at, mut sum);
        if rest >= 4 {
            let mut sums = [product(0), product(1), product(2), product(3)];
            at = 4;
            while at + 4 <= rest {
                for (part, sum) in sums.iter_mut().enumerate() {
                    *sum = *sum + product(at + part);
                }
                at += 4;
            }
            sum = (sums[0] + sums[2]) + (sums[1] + sums[3]);
        } else {
            sum = product(0);
            at = 1;
        }
        while at < rest {
            sum = sum + product(at);
            at += 1;
        }
        x[number] = x[number] - sum;
    }
}

/// Computes `cvel` and `cdof_dot` as `mj_comVel`, then `cfrc_body` by recursive Newton-Euler as `mj_rne` with `flg_acc` 0.
#[inline(always)]
fn find_velocities<V: Float64Lanes>(tables: &Tables, motion: &mut Motion<V>) {
    let none = V::all(0.0);
    let [x, y, z] = tables.gravity;
    motion.accelerations[0] = [none, none, none, V::all(-x), V::all(-y), V::all(-z)];
    motion.body_velocities[0] = [none; 6];
    for (id, body) in tables.bodies.iter().enumerate().skip(1) {
        let mut velocity = motion.body_velocities[body.parent];
        let is_free = body.dofs.len() == 6;
        if is_free {
            let first = body.dofs.start;
            let (v, m) = (&motion.velocities[first..][..6], &motion.motions[first..][..6]);
            for part in 0..6 {
                velocity[part] = velocity[part] + (m[0][part] * v[0] + m[1][part] * v[1] + m[2][part] * v[2]);
            }
            let turning = [cross_motion(&velocity, &m[3]), cross_motion(&velocity, &m[4]), cross_motion(&velocity, &m[5])];
            for part in 0..6 {
                velocity[part] = velocity[part] + (m[3][part] * v[3] + m[4][part] * v[4] + m[5][part] * v[5]);
            }
            for axis in 0..3 {
                motion.changes[first + axis] = [none; 6];
                motion.changes[first + 3 + axis] = turning[axis];
            }
        } else {
            for dof in body.dofs.clone() {
                motion.changes[dof] = cross_motion(&velocity, &motion.motions[dof]);
                for part in 0..6 {
                    velocity[part] = velocity[part] + motion.motions[dof][part] * motion.velocities[dof];
                }
            }
        }
        motion.body_velocities[id] = velocity;
        let mut change = [none; 6];
        for (index, dof) in body.dofs.clone().enumerate() {
            for part in 0..6 {
                let product = motion.changes[dof][part] * motion.velocities[dof];
                change[part] = if index == 0 { product } else { change[part] + product };
            }
        }
        let above = &motion.accelerations[body.parent];
        let acceleration = add6(above, &change);
        motion.accelerations[id] = acceleration;
        let inertia = &motion.inertias[id];
        let force = momentum(inertia, &acceleration);
        let turning = cross_force(&velocity, &momentum(inertia, &velocity));
        motion.body_forces[id] = add6(&force, &turning);
    }
    for (id, body) in tables.bodies.iter().enumerate().skip(1).rev() {
        if body.parent > 0 {
            let own = motion.body_forces[id];
            for (sum, part) in motion.body_forces[body.parent].iter_mut().zip(own) {
                *sum = *sum + part;
            }
        }
    }
}

/// Computes `qfrc_smooth = qfrc_passive - qfrc_bias + qfrc_actuator`, as `mj_passive`, `mj_rne` and `mj_fwdActuation`.
#[inline(always)]
fn find_forces<V: Float64Lanes>(tables: &Tables, motion: &mut Motion<V>) {
    let none = V::all(0.0);
    let dofs = tables.dofs.len();
    let mut passive = [none; DOFS];
    for joint in &tables.joints {
        if joint.stiffness != 0.0 {
            passive[joint.dof] = V::all(-joint.stiffness) * (motion.positions[joint.position] - V::all(joint.spring_rest));
        }
    }
    for tendon in &tables.tendons {
        let Tendon::Sum(tendon) = tendon else { continue };
        let Some(spring) = &tendon.spring else { continue };
        let (low, high) = (V::all(spring.low), V::all(spring.high));
        let mut length = none;
        for (position, _, share) in &tendon.parts {
            length = length + V::all(*share) * motion.positions[*position];
        }
        let beyond = V::select(length.gt(high), high - length, V::select(length.lt(low), low - length, none));
        let force = V::all(spring.stiffness) * beyond;
        for (_, dof, share) in &tendon.parts {
            passive[*dof] = passive[*dof] + V::all(*share) * force;
        }
    }
    for (number, dof) in tables.dofs.iter().enumerate() {
        passive[number] = passive[number] + V::all(-dof.damping) * motion.velocities[number];
    }
    if tables.fluid.is_some() {
        let drag = drag(tables, motion);
        for number in 0..dofs {
            passive[number] = passive[number] + drag[number];
        }
    }
    let mut actuators = [none; DOFS];
    for (motor, control) in tables.motors.iter().zip(&motion.controls) {
        let (low, high) = (V::all(motor.low), V::all(motor.high));
        let control = V::select(control.lt(low), low, V::select(control.gt(high), high, *control));
        let mut drive = control;
        if let Some(Activation { number, time }) = motor.activation {
            drive = motion.activations[number];
            motion.activating[number] = match time {
                Some(time) => (control - drive) / V::all(time),
                None => control,
            };
        }
        let mut force = V::all(motor.gain) * drive;
        if let Some(bias) = &motor.bias {
            let mut length = none;
            for (position, share) in &bias.length {
                length = match share {
                    None => motion.positions[*position],
                    Some(share) => length + V::all(*share) * motion.positions[*position],
                };
            }
            force = force + (V::all(bias.constant) + V::all(bias.by_length) * (length * V::all(bias.gear)));
        }
        for (dof, share) in &motor.along {
            actuators[*dof] = actuators[*dof] + V::all(*share) * force;
        }
    }
    for (number, dof) in tables.dofs.iter().enumerate() {
        let bias = power(&motion.motions[number], &motion.body_forces[dof.body]);
        motion.forces[number] = (passive[number] - bias) + actuators[number];
        motion.actuator_forces[number] = actuators[number];
    }
}

/// Computes the fluid forces on each body's inertia box, along the degrees of freedom, as `mj_inertiaBoxFluidModel`.
#[inline(always)]
fn drag<V: Float64Lanes>(tables: &Tables, motion: &Motion<V>) -> [V; DOFS] {
    let mut drags = [V::all(0.0); DOFS];
    let (viscosity, density) = tables.fluid.unwrap_or_default();
    let pi = std::f64::consts::PI;
    for (id, body) in tables.bodies.iter().enumerate().skip(1) {
        if body.mass < TINY {
            continue;
        }
        let (sides, velocity, r) = (body.sides, &motion.body_velocities[id], &motion.centre_matrices[id]);
        let d = sub(motion.centres[id], motion.tree_centres[body.root]);
        let c = cross(d, [velocity[0], velocity[1], velocity[2]]);
        let at_centre = [velocity[0], velocity[1], velocity[2], velocity[3] - c[0], velocity[4] - c[1], velocity[5] - c[2]];
        let local = |first: usize, axis: usize| {
            r[axis] * at_centre[first] + r[3 + axis] * at_centre[first + 1] + r[6 + axis] * at_centre[first + 2]
        };
        let v = [local(0, 0), local(0, 1), local(0, 2), local(3, 0), local(3, 1), local(3, 2)];
        let mut force = [V::all(0.0); 6];
        if viscosity > 0.0 {
            let diameter = (sides[0] + sides[1] + sides[2]) / 3.0;
            let (turning, moving) = (-pi * diameter * diameter * diameter * viscosity, -3.0 * pi * diameter * viscosity);
            for axis in 0..3 {
                force[axis] = v[axis] * V::all(turning);
                force[3 + axis] = v[3 + axis] * V::all(moving);
            }
        }
        if density > 0.0 {
            let fourth = |side: f64| side * side * side * side;
            let moving =
                [0.5 * density * sides[1] * sides[2], 0.5 * density * sides[0] * sides[2], 0.5 * density * sides[0] * sides[1]];
            let turning = [
                density * sides[0] * (fourth(sides[1]) + fourth(sides[2])),
                density * sides[1] * (fourth(sides[0]) + fourth(sides[2])),
                density * sides[2] * (fourth(sides[0]) + fourth(sides[1])),
            ];
            for axis in 0..3 {
                force[3 + axis] = force[3 + axis] - V::all(moving[axis]) * v[3 + axis].abs() * v[3 + axis];
                force[axis] = force[axis] - V::all(turning[axis]) * v[axis].abs() * v[axis] / V::all(64.0);
            }
        }
        let torque = times(r, [force[0], force[1], force[2]]);
        let force = times(r, [force[3], force[4], force[5]]);
        let mut next = body.last_dof;
        while let Some(dof) = next {
            let m = &motion.motions[dof];
            let c = cross([m[0], m[1], m[2]], d);
            drags[dof] = drags[dof] + ((m[3] + c[0]) * force[0] + (m[4] + c[1]) * force[1] + (m[5] + c[2]) * force[2]);
            drags[dof] = drags[dof] + (m[0] * torque[0] + m[1] * torque[1] + m[2] * torque[2]);
            next = tables.dofs[dof].parent;
        }
    }
    drags
}

/// Returns the solver's cost scale: `1 / (meaninertia * nv)`, or the reciprocal trace of the inertia matrix.
#[inline(always)]
pub(super) fn scale<V: Float64Lanes>(tables: &Tables, mass: &[V], trees: u64) -> V {
    if !tables.has_islands && !tables.dialect.measures_by_trace {
        return V::all(1.0 / (tables.mean_inertia * tables.dofs.len() as f64));
    }
    let mut sum = V::all(0.0);
    for dof in &tables.dofs {
        if !tables.has_islands || trees >> dof.tree & 1 != 0 {
            sum = sum + mass[dof.diagonal()];
        }
    }
    V::all(1.0) / sum
}
