//! The particle world that the multi-agent particle environments share: bodies, motors, contacts, motion.
//!
//! Source: `mpe2` 1.1.1, `_mpe_utils/core.py` and `_mpe_utils/simple_env.py`; the world of Mordatch & Abbeel, "Emergence of
//! Grounded Compositional Language in Multi-Agent Populations" (2017), and Lowe et al., "Multi-Agent Actor-Critic for Mixed
//! Cooperative-Competitive Environments" (2017).
//!
//! One tick of the world, for bodies of mass 1 in the plane:
//! 1. each body's force becomes its motor's thrust ([`thrust_of_move`], [`thrust_of_levers`]);
//! 2. bodies that touch, or nearly, push each other apart ([`push_apart`]);
//! 3. everything moves: `position += velocity * dt`, then `velocity = velocity * (1 - damping) + force * dt` ([`advance`]).
//!
//! mpe2's worlds can also have motor and communication noise, speed limits and accelerations of their own; the tasks here use
//! none of them.
//!
//! All numbers are float64, and every expression keeps the reference's order of operations.

use serde::{Deserialize, Serialize};

use envpool_rs_numeric::random::Generator;

/// A point or an arrow in the plane: x to the right, y up.
pub type Vector = [f64; 2];

/// Time between two ticks, in seconds.
const TIME_STEP: f64 = 0.1;
/// Share of the velocity lost in each tick.
const DAMPING: f64 = 0.25;
/// Force per unit of penetration.
const CONTACT_FORCE: f64 = 1e2;
/// Width of the zone in which a contact sets in softly.
const CONTACT_MARGIN: f64 = 1e-3;
/// Thrust of a motor at full power.
const SENSITIVITY: f64 = 5.0;
/// Depths, in margins, at which `exp` has underflowed to zero (it does below -745.14) and with it the contact force.
const OUT_OF_TOUCH: f64 = -746.0;
/// Below it `log1p(x)` is `x` to the last bit (2**-54).
const LINEAR: f64 = f64::EPSILON / 4.0;

/// Elements of a continuous action of a body that moves.
pub const LEVERS: usize = 5;

/// A body that moves.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
pub struct Body {
    /// Where it is; starts in the square from -1 to 1.
    pub position: Vector,
    /// Per second.
    pub velocity: Vector,
    /// What acts on it in the current tick; no part of its state between ticks.
    #[serde(skip)]
    pub force: Vector,
}

impl Body {
    /// A body at rest somewhere in the starting square.
    pub fn scatter(rng: &mut Generator) -> Self {
        Self { position: scatter(rng), ..Self::default() }
    }
}

/// A uniformly random point of the square from -1 to 1: `np_random.uniform(-1, +1, 2)`.
pub fn scatter(rng: &mut Generator) -> Vector {
    [rng.uniform(-1.0, 1.0), rng.uniform(-1.0, 1.0)]
}

/// The arrow to `to` from `from`.
#[inline]
pub fn offset(to: Vector, from: Vector) -> Vector {
    [to[0] - from[0], to[1] - from[1]]
}

/// `np.sum(np.square(a - b))`.
#[inline]
pub fn squared_distance(a: Vector, b: Vector) -> f64 {
    let [x, y] = offset(a, b);
    x * x + y * y
}

/// `np.sqrt(np.sum(np.square(a - b)))`.
#[inline]
pub fn distance(a: Vector, b: Vector) -> f64 {
    squared_distance(a, b).sqrt()
}

/// Thrust of a discrete action: 0 none, 1 left, 2 right, 3 down, 4 up.
#[inline]
pub fn thrust_of_move(action: i32) -> Vector {
    match action {
        1 => [-SENSITIVITY, 0.0],
        2 => [SENSITIVITY, 0.0],
        3 => [0.0, -SENSITIVITY],
        4 => [0.0, SENSITIVITY],
        _ => [0.0, 0.0],
    }
}

/// Thrust of a continuous action: idle (without effect), left, right, down and up, clipped to 0..1 as PettingZoo's
/// `ClipOutOfBoundsWrapper` does. The differences are taken in float32, the type of the action.
#[inline]
pub fn thrust_of_levers(levers: &[f32]) -> Vector {
    let lever = |index: usize| clip(levers[index]);
    [lever(2) - lever(1), lever(4) - lever(3)].map(|difference| f64::from(difference) * SENSITIVITY)
}

/// An element of a continuous action inside its bounds.
#[inline]
pub fn clip(value: f32) -> f32 {
    value.clamp(0.0, 1.0)
}

/// Adds to the forces of all bodies those by which each pair repels each other. `reach` is the distance between two centres at
/// which the surfaces touch.
#[inline]
pub fn push_apart(bodies: &mut [Body], reach: f64) {
    for second in 1..bodies.len() {
        let (before, rest) = bodies.split_at_mut(second);
        for first in before {
            repel(first, &mut rest[0], reach);
        }
    }
}

#[inline]
fn repel(first: &mut Body, second: &mut Body, reach: f64) {
    let apart = offset(first.position, second.position);
    let distance = (apart[0] * apart[0] + apart[1] * apart[1]).sqrt();
    let depth = -(distance - reach) / CONTACT_MARGIN;
    if depth < OUT_OF_TOUCH {
        return;
    }
    let penetration = softplus(depth) * CONTACT_MARGIN;
    for (axis, component) in apart.into_iter().enumerate() {
        let force = CONTACT_FORCE * component / distance * penetration;
        first.force[axis] += force;
        second.force[axis] -= force;
    }
}

/// `np.logaddexp(0, x)`, by numpy's formula on the same `exp` and `log1p` of the C library.
#[inline]
fn softplus(x: f64) -> f64 {
    let tail = (-x.abs()).exp();
    x.max(0.0) + if tail < LINEAR { tail } else { tail.ln_1p() }
}

/// Moves all bodies by one tick.
#[inline]
pub fn advance(bodies: &mut [Body]) {
    for body in bodies {
        for axis in 0..2 {
            body.position[axis] += body.velocity[axis] * TIME_STEP;
            body.velocity[axis] = body.velocity[axis] * (1.0 - DAMPING) + body.force[axis] * TIME_STEP;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(x: f64, y: f64) -> Body {
        Body { position: [x, y], ..Body::default() }
    }

    #[test]
    fn softplus_is_numpys_logaddexp_with_zero() {
        // np.logaddexp(0, x) of numpy 2.4.6.
        let known = [(0.0, std::f64::consts::LN_2), (1.0, 1.313_261_687_518_222_8), (-2.5, 0.078_889_734_292_549_63)];
        for (x, expected) in known {
            assert_eq!(softplus(x).to_bits(), f64::to_bits(expected), "softplus({x})");
        }
        assert_eq!((softplus(300.0), softplus(-746.0)), (300.0, 0.0));
    }

    #[test]
    fn bodies_that_touch_push_each_other_apart_and_far_ones_do_not() {
        let mut bodies = [at(0.0, 0.0), at(0.25, 0.0), at(2.0, 0.0)];
        push_apart(&mut bodies, 0.3);
        assert!((bodies[1].force[0] - 5.0).abs() < 1e-9, "100 per unit of an overlap of 0.05");
        assert_eq!(bodies[0].force[0], -bodies[1].force[0]);
        assert_eq!(bodies[2].force, [0.0, 0.0]);
    }

    #[test]
    fn a_tick_moves_by_the_old_velocity_and_then_changes_it() {
        let mut body = Body { position: [1.0, 2.0], velocity: [4.0, -8.0], force: [5.0, 0.0] };
        advance(std::slice::from_mut(&mut body));
        assert_eq!((body.position, body.velocity), ([1.4, 1.2], [3.5, -6.0]));
    }

    #[test]
    fn levers_beyond_their_bounds_count_as_at_them() {
        assert_eq!(thrust_of_levers(&[9.0, -3.0, 7.0, 0.25, 0.5]), [5.0, 1.25]);
    }
}
