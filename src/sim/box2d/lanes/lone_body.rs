//! Velocity iterations of an island with a single moving body, in which predicted branches shorten the chain of operations.

use std::hint::black_box;

use envpool_rs_numeric::simd::{Float32Kernel, SimdLevel};

use super::super::contact_solver::{ContactConstraint, Velocity, VelocityConstraintPoint};
use super::super::math::{Vec2, cross, vec2};
use super::super::workspace::{Island, IterationCycle};
use super::lane_array::WorldLanes;
use super::vec2_lanes::{Vec2Lanes, VelocityLanes};

/// Runs velocity iterations of an island in which only the body `moving` moves. Results are those of
/// [`ContactConstraint::solve_velocities`]. Returns `None` and does nothing if `level` has no vectors.
///
/// The iterations are a chain of dependent operations. Branches limit the impulses, instead of minima and maxima: contacts seldom
/// change between sticking, sliding and separating, so the processor predicts the branches, and an impulse at its limit does not wait
/// for the velocity. Numbers are in lane 0 of vectors, because compilers would otherwise put both components of plane vectors into one
/// register, and exchange them between operations.
pub(in super::super) fn solve_lone_body(island: &mut Island, moving: usize, iterations: u32, level: SimdLevel) -> Option<()> {
    level.run_float32(1, LoneBody { island, moving, iterations })
}

/// SIMD kernel that runs the velocity iterations.
struct LoneBody<'a> {
    island: &'a mut Island,
    moving: usize,
    iterations: u32,
}

impl Float32Kernel for LoneBody<'_> {
    type Output = ();

    #[inline(always)]
    fn run<V: WorldLanes>(self) {
        let Self { island, moving, iterations } = self;
        let Velocity { v, w } = island.velocities[moving];
        let mut body = VelocityLanes::<V> { v: splat(v), w: V::splat(w) };
        let mut cycle = IterationCycle::new(island, iterations);
        while cycle.remaining > 0 {
            for contact in &mut island.contact_constraints {
                solve(contact, &mut body);
            }
            let VelocityLanes { v, w } = body;
            let before =
                std::mem::replace(&mut island.velocities[moving], Velocity { v: vec2(v.x.get(0), v.y.get(0)), w: w.get(0) });
            cycle.finish_iteration(island, before.bits() != island.velocities[moving].bits());
        }
    }
}

#[inline(always)]
fn splat<V: WorldLanes>(v: Vec2) -> Vec2Lanes<V> {
    Vec2Lanes { x: V::splat(v.x), y: V::splat(v.y) }
}

#[inline(always)]
fn splat_3<V: WorldLanes>([a, b, c]: [f32; 3]) -> [V; 3] {
    [V::splat(a), V::splat(b), V::splat(c)]
}

/// Returns lane 0 of a mask.
#[inline(always)]
fn is<V: WorldLanes>(mask: V::Mask) -> bool {
    V::bits(mask) & 1 != 0
}

/// Returns `this` if `condition` is true, otherwise `other`, by a branch that the processor predicts.
#[inline(always)]
fn branch<T>(condition: bool, this: T, other: T) -> T {
    if condition {
        this
    } else {
        black_box(()); // Compilers replace branches that only select a value.
        other
    }
}

/// Returns the velocity of the moving body relative to a static one at a contact point.
#[inline(always)]
fn relative_velocity<V: WorldLanes>(body: VelocityLanes<V>, point: &VelocityConstraintPoint) -> Vec2Lanes<V> {
    // The velocity of the static body's point is a zero whose sign matters. The result does not depend on the order of the operations.
    body.v.sub(splat(cross(0.0, point.ra))).add(body.cross(splat(point.rb)))
}

/// Runs one velocity iteration of a contact of a static body A with the body `body`.
#[inline(always)]
fn solve<V: WorldLanes>(contact: &mut ContactConstraint, body: &mut VelocityLanes<V>) {
    let (mass, inertia, friction) = (V::splat(contact.mb), V::splat(contact.ib), V::splat(contact.friction));
    let (normal, tangent) = (splat::<V>(contact.normal), splat::<V>(contact.normal.cross_scalar(1.0)));
    for point in &mut contact.points[..contact.count as usize] {
        let speed = relative_velocity(*body, point).dot(tangent);
        let old = V::splat(point.tangent_impulse);
        let sum = old.add(V::splat(point.tangent_mass).mul(speed.neg()));
        let most = friction.mul(V::splat(point.normal_impulse));
        let new = branch(is::<V>(sum.lt(most)), sum, most);
        let new = branch(is::<V>(most.neg().gt(new)), most.neg(), new);
        point.tangent_impulse = new.get(0);
        let p = tangent.scale(new.sub(old));
        body.v = body.v.add(p.scale(mass));
        body.w = body.w.add(inertia.mul(splat(point.rb).cross(p)));
    }
    if contact.count == 1 {
        let point = &mut contact.points[0];
        let speed = relative_velocity(*body, point).dot(normal);
        let old = V::splat(point.normal_impulse);
        let sum = old.add(V::splat(point.normal_mass).neg().mul(speed.sub(V::splat(point.velocity_bias))));
        let new = branch(is::<V>(sum.gt(V::splat(0.0))), sum, V::splat(0.0));
        point.normal_impulse = new.get(0);
        let p = normal.scale(new.sub(old));
        body.v = body.v.add(p.scale(mass));
        body.w = body.w.add(inertia.mul(splat(point.rb).cross(p)));
    } else {
        let [point_1, point_2] = &mut contact.points;
        let a = splat::<V>(vec2(point_1.normal_impulse, point_2.normal_impulse));
        let [k11, k12, k22] = splat_3::<V>(contact.k);
        let b = Vec2Lanes {
            x: relative_velocity(*body, point_1).dot(normal).sub(V::splat(point_1.velocity_bias)),
            y: relative_velocity(*body, point_2).dot(normal).sub(V::splat(point_2.velocity_bias)),
        };
        let b = b.sub(Vec2Lanes { x: k11.mul(a.x).add(k12.mul(a.y)), y: k12.mul(a.x).add(k22.mul(a.y)) });
        let masses = splat(vec2(point_1.normal_mass, point_2.normal_mass));
        let Some(x) = solve_lcp(splat_3(contact.inverse_k), k12, masses, b) else { return };
        (point_1.normal_impulse, point_2.normal_impulse) = (x.x.get(0), x.y.get(0));
        let d = x.sub(a);
        let (p1, p2) = (normal.scale(d.x), normal.scale(d.y));
        body.v = body.v.add(p1.add(p2).scale(mass));
        body.w = body.w.add(inertia.mul(splat(point_1.rb).cross(p1).add(splat(point_2.rb).cross(p2))));
    }
}

/// Solves the linear complementarity problem of two contact points, given elements of the inverse of their matrix, its element `k12`
/// and the points' masses.
#[inline(always)]
fn solve_lcp<V: WorldLanes>([i11, i12, i22]: [V; 3], k12: V, masses: Vec2Lanes<V>, b: Vec2Lanes<V>) -> Option<Vec2Lanes<V>> {
    let zero = V::splat(0.0);
    let x = Vec2Lanes { x: i11.mul(b.x).add(i12.mul(b.y)).neg(), y: i12.mul(b.x).add(i22.mul(b.y)).neg() };
    if is::<V>(x.x.ge(zero)) && is::<V>(x.y.ge(zero)) {
        return Some(x);
    }
    black_box(());
    let x = masses.x.neg().mul(b.x);
    if is::<V>(x.ge(zero)) && is::<V>(k12.mul(x).add(b.y).ge(zero)) {
        return Some(Vec2Lanes { x, y: zero });
    }
    black_box(());
    let y = masses.y.neg().mul(b.y);
    if is::<V>(y.ge(zero)) && is::<V>(k12.mul(y).add(b.x).ge(zero)) {
        return Some(Vec2Lanes { x: zero, y });
    }
    black_box(());
    if is::<V>(b.x.ge(zero)) && is::<V>(b.y.ge(zero)) { Some(Vec2Lanes { x: zero, y: zero }) } else { None }
}
