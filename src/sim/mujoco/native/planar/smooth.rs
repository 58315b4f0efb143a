//! Smooth dynamics of planar robots: from `qpos`, `qvel` and `ctrl` to `qacc_smooth`.

use std::marker::PhantomData;

use super::super::algebra::{TINY, matrix as whole_matrix};
use super::super::smooth::Motion;
use super::super::tables::DOFS;
use super::plane::{Placed, Plane, Step};
use super::tables::{Flat, FlatBody, Place, ShapeTurn};
use super::tree::{MOST, Tree, body_of, each, factorize, solve};
use envpool_rs_numeric::simd::{Float64Lanes, Work};

/// Smooth dynamics, `mj_kinematics` to `mj_fwdAcceleration`.
pub(super) struct Smooth<'a, 'b, V: Float64Lanes, T, const N: usize, const W: usize>(
    pub(super) &'a mut Plane<V, N, W>,
    pub(super) &'a mut Step<'b, V>,
    pub(super) PhantomData<T>,
);

/// World pose of a body.
#[derive(Clone, Copy)]
struct Pose<V> {
    place: [V; 2],
    turn: [V; 2],
    /// `xmat`, reduced to its corners: the first entry, which equals the last, and the third, which is minus the seventh.
    matrix: [V; 2],
    /// `xipos`: position of the body's centre of mass.
    centre: [V; 2],
    /// `ximat`, reduced to its corners.
    centre_matrix: [V; 2],
}

/// Motion of a body (`cvel`, `cacc`), and its inertial force (`cfrc_body`).
#[derive(Clone, Copy)]
struct Moving<V> {
    velocity: [V; 3],
    acceleration: [V; 2],
    force: [V; 3],
}

#[inline(always)]
fn all<V: Float64Lanes>(place: &Place) -> [V; 2] {
    [V::all(place[0]), V::all(place[1])]
}

/// Multiplies a matrix, given by its corners, by a vector.
#[inline(always)]
fn times<V: Float64Lanes>([same, other]: &[V; 2], a: [V; 2]) -> [V; 2] {
    [*same * a[0] + *other * a[1], *same * a[1] - *other * a[0]]
}

#[inline(always)]
fn add<V: Float64Lanes>(a: [V; 2], b: [V; 2]) -> [V; 2] {
    [a[0] + b[0], a[1] + b[1]]
}

/// Rotates a vector by a quaternion, as `mju_rotVecQuat`.
#[inline(always)]
fn turned<V: Float64Lanes>(v: [V; 2], q: &[V; 2]) -> [V; 2] {
    let two = V::all(2.0);
    let t = [q[0] * v[0] + q[1] * v[1], q[0] * v[1] - q[1] * v[0]];
    [v[0] + two * (q[1] * t[1]), v[1] - two * (q[1] * t[0])]
}

/// Returns the product of two quaternions about y, as `mju_mulQuat`.
#[inline(always)]
fn product<V: Float64Lanes>(a: &[V; 2], b: [V; 2]) -> [V; 2] {
    [a[0] * b[0] - a[1] * b[1], a[0] * b[1] + a[1] * b[0]]
}

/// Returns the product with a quaternion about any axis.
#[inline(always)]
fn tilted<V: Float64Lanes>([a, b]: &[V; 2], by: &[f64; 4]) -> [V; 4] {
    let [w, x, y, z] = [V::all(by[0]), V::all(by[1]), V::all(by[2]), V::all(by[3])];
    [*a * w - *b * y, *a * x + *b * z, *a * y + *b * w, *a * z - *b * x]
}

/// Returns the corners of a quaternion's matrix, as `mju_quat2Mat`.
#[inline(always)]
fn matrix<V: Float64Lanes>(q: &[V; 2]) -> [V; 2] {
    [q[0] * q[0] - q[1] * q[1], V::all(2.0) * (q[0] * q[1])]
}

impl<V: Float64Lanes, T: Tree<N, W>, const N: usize, const W: usize> Work for Smooth<'_, '_, V, T, N, W> {
    /// Lanes that have to fall back to MuJoCo, as bits.
    type Output = u32;

    #[inline(always)]
    fn run(self) -> u32 {
        let Self(plane, step, _) = self;
        let none = V::all(0.0);
        let (tables, flat) = (step.tables, &plane.flat);
        let still = Pose { place: [none; 2], turn: [none; 2], matrix: [none; 2], centre: [none; 2], centre_matrix: [none; 2] };
        let mut poses = [still; MOST];
        let mut anchors = [[none; 2]; MOST];
        // Moments of inertia about y.
        let mut inertias = [none; MOST];
        // A loop that is not unrolled, so that the code of `sin_cos` is inlined only once.
        let mut turns = [[none; 2]; MOST];
        for id in 1..N - 1 {
            let body = &flat.bodies[id];
            let moved = step.motion.positions[body.position] - V::all(body.rest);
            let (sine, cosine) = (moved * V::all(0.5)).sin_cos();
            turns[id] = [cosine, V::all(body.sign) * sine];
        }
        each!(B < N - 1, {
            if B > 0 {
                let turn = turns[B];
                let found = pose::<V, T, N, W, B>((flat, step), &poses, turn);
                (poses[B], anchors[B], inertias[B]) = found;
            }
        });
        place_shapes(flat, &mut plane.shapes, step, &poses);
        let motion = &*step.motion;
        // `subtree_com`, as `mj_comPos`.
        let mut centres = [[none; 2]; MOST];
        each!(B < N - 1, {
            let (mass, centre) = (V::all(flat.bodies[B].mass), &poses[B].centre);
            centres[B] = [centre[0] * mass, centre[1] * mass];
        });
        each!(B downwards from N - 1, {
            if B > 1 {
                let above = parent::<T, N, W>(B);
                centres[above] = add(centres[above], centres[B]);
            }
        });
        let by_mass = V::all(flat.by_tree_mass);
        let centre = [centres[1][0] * by_mass, centres[1][1] * by_mass];
        plane.centre = centre;
        // `cinert` about it: the moment about y, and mass times position along x and z.
        let mut moments = [[none; 3]; MOST];
        each!(B < N - 1, {
            if B > 0 {
                let (mass, own) = (V::all(flat.bodies[B].mass), &poses[B].centre);
                let d = [own[0] - centre[0], own[1] - centre[1]];
                moments[B] = [inertias[B] + mass * (d[0] * d[0] + d[1] * d[1]), mass * d[0], mass * d[1]];
            }
        });
        // `cdof`.
        each!(D < N, {
            plane.motions[D] = if let Some(slide) = flat.slides.get(D) {
                let mut motion = [none; 3];
                motion[1 + slide.axis] = V::all(slide.sign);
                motion
            } else {
                let (anchor, sign) = (&anchors[body_of(D)], V::all(flat.bodies[body_of(D)].sign));
                let offset = [centre[0] - anchor[0], centre[1] - anchor[1]];
                [sign, sign * offset[1], none - sign * offset[0]]
            };
        });
        // Inertia matrix, as `mj_crb`.
        let mut composites = moments;
        each!(B downwards from N - 1, {
            if B > 1 {
                let own = composites[B];
                let sum = &mut composites[parent::<T, N, W>(B)];
                *sum = [sum[0] + own[0], sum[1] + own[1], sum[2] + own[2]];
            }
        });
        each!(D < N, {
            let (composite, mass) = (&composites[body_of(D)], V::all(flat.bodies[body_of(D)].tree_mass));
            let own = &plane.motions[D];
            let moved = moved(composite, mass, own);
            let force = [composite[0] * own[0] + composite[2] * own[1] - composite[1] * own[2], moved[0], moved[1]];
            plane.mass[D][D] = V::all(tables.dofs[D].armature) + power(own, &force);
            for &k in T::ABOVE[D] {
                plane.mass[D][k] = power(&plane.motions[k], &force);
            }
        });
        plane.factor = plane.mass;
        let left = factorize::<T, V, N, W>(&mut plane.factor, &mut plane.inverse);
        // `cvel`, `cdof_dot` and `cfrc_body`, as `mj_comVel` and `mj_rne`.
        let mut bodies = [Moving { velocity: [none; 3], acceleration: [none; 2], force: [none; 3] }; MOST];
        bodies[0].acceleration = [V::all(-tables.gravity[0]), V::all(-tables.gravity[2])];
        each!(B < N - 1, {
            if B > 0 {
                let above = if B == 1 { 0 } else { parent::<T, N, W>(B) };
                bodies[B] = moving::<V, N, W, B>(plane, motion, &bodies[above], &moments[B]);
            }
        });
        each!(B downwards from N - 1, {
            if B > 1 {
                let own = bodies[B].force;
                let sum = &mut bodies[parent::<T, N, W>(B)].force;
                *sum = [sum[0] + own[0], sum[1] + own[1], sum[2] + own[2]];
            }
        });
        // `qfrc_smooth`, as `mj_passive`, `mj_rne` and `mj_fwdActuation`.
        let mut actuators = [none; DOFS];
        for (motor, control) in tables.motors.iter().zip(&motion.controls) {
            let (low, high) = (V::all(motor.low), V::all(motor.high));
            let control = V::select(control.lt(low), low, V::select(control.gt(high), high, *control));
            let force = V::all(motor.gain) * control;
            for (dof, share) in &motor.along {
                actuators[*dof] = actuators[*dof] + V::all(*share) * force;
            }
        }
        each!(D < N, {
            let (joint, dof) = (&tables.joints[D], &tables.dofs[D]);
            let mut passive = none;
            if joint.stiffness != 0.0 {
                passive = V::all(-joint.stiffness) * (motion.positions[joint.position] - V::all(joint.spring_rest));
            }
            passive = passive + V::all(-dof.damping) * motion.velocities[D];
            let bias = power(&plane.motions[D], &bodies[body_of(D)].force);
            plane.forces[D] = (passive - bias) + actuators[D];
        });
        plane.smooth = plane.forces;
        solve::<T, V, N, W>(&plane.factor, &plane.inverse, &mut plane.smooth);
        left
    }
}

/// Returns the pose of body `B`, its joint's anchor, and its moment of inertia about y. `turn` is the rotation of its joint.
///
/// One function per body instead of one for all: LLVM takes time quadratic in the calls that it inlines into one function.
#[inline(always)]
fn pose<V: Float64Lanes, T: Tree<N, W>, const N: usize, const W: usize, const B: usize>(
    (flat, step): (&Flat, &Step<'_, V>),
    poses: &[Pose<V>; MOST],
    by_joint: [V; 2],
) -> (Pose<V>, [V; 2], V) {
    let body = &flat.bodies[B];
    let (mut place, mut turn) = (all(&body.place), [V::all(1.0), V::all(0.0)]);
    if B == 1 {
        for slide in &flat.slides {
            let moved = step.motion.positions[slide.position] - V::all(slide.rest);
            place[slide.axis] = place[slide.axis] + V::all(slide.sign) * moved;
        }
    } else {
        let above = &poses[parent::<T, N, W>(B)];
        place = add(times(&above.matrix, place), above.place);
        turn = above.turn;
        if let Some(own) = &body.turn {
            turn = product(&turn, all(own));
        }
    }
    let anchor = match &body.pivot {
        None => place,
        Some(pivot) => add(turned(all(pivot), &turn), place),
    };
    turn = product(&turn, by_joint);
    if let Some(pivot) = &body.pivot {
        let arm = turned(all(pivot), &turn);
        place = [anchor[0] - arm[0], anchor[1] - arm[1]];
    }
    let length = (turn[0] * turn[0] + turn[1] * turn[1]).sqrt();
    let one = V::all(1.0);
    let factor = V::select((length - one).abs().gt(V::all(TINY)), one / length, one);
    turn = [turn[0] * factor, turn[1] * factor];
    let matrix = matrix(&turn);
    let centre = match &body.centre {
        None => place,
        Some(centre) => add(times(&matrix, all(centre)), place),
    };
    let (centre_matrix, inertia) = inertia_of(body, &turn, &matrix, step.tables.dialect.sums_in_pairs);
    (Pose { place, turn, matrix, centre, centre_matrix }, anchor, inertia)
}

/// Computes motion and inertial force of body `B`. `above` is its parent, and `moment` its inertia.
#[inline(always)]
fn moving<V: Float64Lanes, const N: usize, const W: usize, const B: usize>(
    plane: &Plane<V, N, W>,
    motion: &Motion<V>,
    above: &Moving<V>,
    moment: &[V; 3],
) -> Moving<V> {
    let mut velocity = above.velocity;
    let mut change = [V::all(0.0); 2];
    each!(D < N, {
        if body_of(D) == B {
            let (m, v) = (&plane.motions[D], motion.velocities[D]);
            let turning = [velocity[0] * m[2] - velocity[2] * m[0], velocity[1] * m[0] - velocity[0] * m[1]];
            velocity = [velocity[0] + m[0] * v, velocity[1] + m[1] * v, velocity[2] + m[2] * v];
            let part = [turning[0] * v, turning[1] * v];
            change = if D == 0 || B > 1 { part } else { add(change, part) };
        }
    });
    let acceleration = add(above.acceleration, change);
    let mass = V::all(plane.flat.bodies[B].mass);
    let momentum = moved(moment, mass, &velocity);
    let force = [
        (moment[2] * acceleration[0] - moment[1] * acceleration[1]) + (velocity[2] * momentum[0] - velocity[1] * momentum[1]),
        mass * acceleration[0] + velocity[0] * momentum[1],
        mass * acceleration[1] - velocity[0] * momentum[0],
    ];
    Moving { velocity, acceleration, force }
}

/// Returns the parent of a body other than the root.
#[inline(always)]
fn parent<T: Tree<N, W>, const N: usize, const W: usize>(body: usize) -> usize {
    let dofs = T::ABOVE[body + 1];
    body_of(dofs[dofs.len() - 1])
}

/// Returns the corners of `ximat` of a body, and its moment of inertia about y.
#[inline(always)]
fn inertia_of<V: Float64Lanes>(body: &FlatBody, turn: &[V; 2], of_body: &[V; 2], in_pairs: bool) -> ([V; 2], V) {
    let about_y = |q: &[V; 2]| q[0] * q[0] + q[1] * q[1];
    match &body.centre_turn {
        None => {
            let r = about_y(turn);
            (*of_body, r * (r * V::all(body.inertia[1])))
        }
        Some([w, x, y, z]) if *x == 0.0 && *z == 0.0 => {
            let q = product(turn, [V::all(*w), V::all(*y)]);
            let r = about_y(&q);
            (matrix(&q), r * (r * V::all(body.inertia[1])))
        }
        Some(of_centre) => {
            let matrix = whole_matrix(&tilted(turn, of_centre), in_pairs);
            let r = [matrix[3], matrix[4], matrix[5]];
            let i = [V::all(body.inertia[0]), V::all(body.inertia[1]), V::all(body.inertia[2])];
            // No geom uses the rotation of such an inertial frame.
            (*of_body, r[0] * (r[0] * i[0]) + r[1] * (r[1] * i[1]) + r[2] * (r[2] * i[2]))
        }
    }
}

/// Returns the linear momentum of an inertia that moves by `motion`, part of `mju_mulInertVec`.
#[inline(always)]
fn moved<V: Float64Lanes>(moment: &[V; 3], mass: V, motion: &[V; 3]) -> [V; 2] {
    [moment[2] * motion[0] + mass * motion[1], mass * motion[2] - moment[1] * motion[0]]
}

/// Returns the dot product of a force and a motion.
#[inline(always)]
fn power<V: Float64Lanes>(motion: &[V; 3], force: &[V; 3]) -> V {
    (motion[0] * force[0] + motion[1] * force[1]) + motion[2] * force[2]
}

#[inline(always)]
fn place_shapes<V: Float64Lanes>(flat: &Flat, shapes: &mut [Placed<V>], step: &mut Step<'_, V>, poses: &[Pose<V>; MOST]) {
    let in_pairs = step.tables.dialect.sums_in_pairs;
    for (number, shape) in flat.shapes.iter().enumerate() {
        let pose = &poses[shape.body];
        let place = match &shape.place {
            _ if shape.is_central => pose.centre,
            None => pose.place,
            Some(place) => add(times(&pose.matrix, all(place)), pose.place),
        };
        let level = |[same, other]: [V; 2]| [other, V::all(0.0), same];
        let axis = match shape.turn {
            ShapeTurn::Body => level(pose.matrix),
            ShapeTurn::Inertia => level(pose.centre_matrix),
            ShapeTurn::Own(turn) => level(matrix(&product(&pose.turn, all(&turn)))),
            ShapeTurn::Tilted(turn) => {
                let q = tilted(&pose.turn, &turn);
                let matrix = whole_matrix(&q, in_pairs);
                [matrix[2], matrix[5], matrix[8]]
            }
        };
        shapes[number] = Placed { place, axis };
        if !(flat.watched.is_empty() && flat.rounds.is_empty() && flat.others.is_empty()) {
            let to = &mut step.motion.shapes[number];
            (to.place, to.axis) = ([place[0], V::all(shape.across), place[1]], axis);
        }
    }
}
