//! Particle world of the multi-agent particle environments: agents, action forces, collisions, integration.
//!
//! Source: `mpe2` 1.1.1, `_mpe_utils/core.py` and `_mpe_utils/simple_env.py`; the world of Mordatch & Abbeel, "Emergence of
//! Grounded Compositional Language in Multi-Agent Populations" (2017), and Lowe et al., "Multi-Agent Actor-Critic for Mixed
//! Cooperative-Competitive Environments" (2017).
//!
//! One step of the world, for agents of mass 1 in the plane:
//! 1. each agent's action becomes its force ([`discrete_action_force`], [`continuous_action_force`]);
//! 2. agents that touch, or nearly touch, repel each other ([`apply_environment_force`]);
//! 3. every agent moves: `position += velocity * dt`, then `velocity = velocity * (1 - damping) + force * dt`
//!    ([`integrate_state`]).
//!
//! mpe2's worlds also support motor noise and communication noise. No task uses these features.
//!
//! All numbers are float64, and every expression has the reference's order of operations.

use serde::{Deserialize, Serialize};

use envpool_rs_numeric::random::Generator;

/// Point or vector in the plane: x to the right, y up.
pub type Vector = [f64; 2];

/// Duration of a step, in seconds.
const TIME_STEP: f64 = 0.1;
/// Share of the velocity lost in each step.
const DAMPING: f64 = 0.25;
/// Contact force per unit of overlap of two agents.
const CONTACT_FORCE: f64 = 1e2;
/// Distance over which the contact force increases smoothly from zero (the scale of the softplus function), in units of the
/// plane.
const CONTACT_MARGIN: f64 = 1e-3;
/// Magnitude of the force of an action with full strength, of agents without an acceleration of their own.
pub const SENSITIVITY: f64 = 5.0;
/// Overlap of two agents, in contact margins, below which their contact force is zero, because the softplus function's `exp`
/// underflows below -745.14.
const MIN_DEPTH: f64 = -746.0;
/// Number below which `log1p(x)` equals `x` to the last bit: 2**-54.
const LOG1P_LINEAR: f64 = f64::EPSILON / 4.0;

/// Number of elements of a moving agent's continuous action.
pub const CONTINUOUS_ACTION_SIZE: usize = 5;

/// Agent that moves in the plane.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
pub struct Agent {
    /// Position of the agent, which starts in the square from -1 to 1.
    pub position: Vector,
    /// Velocity, in units of the plane per second.
    pub velocity: Vector,
    /// Force on the agent in the current step; not part of the saved state.
    #[serde(skip)]
    pub force: Vector,
}

impl Agent {
    /// Returns an agent at rest at a random position.
    pub fn at_random_position(rng: &mut Generator) -> Self {
        Self { position: random_position(rng), ..Self::default() }
    }
}

/// Draws a point uniformly from the square from -1 to 1, as `np_random.uniform(-1, +1, 2)` does.
pub fn random_position(rng: &mut Generator) -> Vector {
    position_within(1.0, rng)
}

/// Draws a point uniformly from the square from `-side` to `side`.
pub fn position_within(side: f64, rng: &mut Generator) -> Vector {
    [rng.uniform(-side, side), rng.uniform(-side, side)]
}

/// Returns the vector from `from` to `to`.
#[inline]
pub fn offset(to: Vector, from: Vector) -> Vector {
    [to[0] - from[0], to[1] - from[1]]
}

/// Returns the squared distance between two points, `np.sum(np.square(a - b))`.
#[inline]
pub fn squared_distance(a: Vector, b: Vector) -> f64 {
    let [x, y] = offset(a, b);
    x * x + y * y
}

/// Returns the distance between two points, `np.sqrt(np.sum(np.square(a - b)))`.
#[inline]
pub fn distance(a: Vector, b: Vector) -> f64 {
    squared_distance(a, b).sqrt()
}

/// Returns the force of a discrete action: 0 none, 1 left, 2 right, 3 down, 4 up.
#[inline]
pub fn discrete_action_force(action: i32, sensitivity: f64) -> Vector {
    match action {
        1 => [-sensitivity, 0.0],
        2 => [sensitivity, 0.0],
        3 => [0.0, -sensitivity],
        4 => [0.0, sensitivity],
        _ => [0.0, 0.0],
    }
}

/// Returns the force of a continuous action: idle (without effect), left, right, down, up.
///
/// The action's elements are clipped to 0..1 as PettingZoo's `ClipOutOfBoundsWrapper` does. The force is computed from their
/// differences in float32, the type of the action.
#[inline]
pub fn continuous_action_force(action: &[f32], sensitivity: f64) -> Vector {
    let element = |index: usize| clip(action[index]);
    [element(2) - element(1), element(4) - element(3)].map(|difference| f64::from(difference) * sensitivity)
}

/// Clips an element of a continuous action to its bounds.
#[inline]
pub fn clip(value: f32) -> f32 {
    value.clamp(0.0, 1.0)
}

/// Adds the contact forces of all pairs of agents.
///
/// `contact_distance` is the distance between the centres of two agents whose surfaces touch.
#[inline]
pub fn apply_environment_force(bodies: &mut [Agent], contact_distance: f64) {
    for second in 1..bodies.len() {
        let (before, rest) = bodies.split_at_mut(second);
        for first in before {
            apply_collision_force(first, &mut rest[0], contact_distance);
        }
    }
}

#[inline]
fn apply_collision_force(first: &mut Agent, second: &mut Agent, contact_distance: f64) {
    let force = contact_force(first.position, second.position, contact_distance);
    for (axis, force) in force.into_iter().enumerate() {
        first.force[axis] += force;
        second.force[axis] -= force;
    }
}

/// Returns the contact force on a body at `first`, which a body at `second` receives in the opposite direction.
#[inline]
pub fn contact_force(first: Vector, second: Vector, contact_distance: f64) -> Vector {
    let apart = offset(first, second);
    let distance = (apart[0] * apart[0] + apart[1] * apart[1]).sqrt();
    let depth = -(distance - contact_distance) / CONTACT_MARGIN;
    if depth < MIN_DEPTH {
        return [0.0; 2];
    }
    let penetration = softplus(depth) * CONTACT_MARGIN;
    apart.map(|component| CONTACT_FORCE * component / distance * penetration)
}

/// Returns `np.logaddexp(0, x)`, computed by numpy's formula with the C library's `exp` and `log1p`.
#[inline]
fn softplus(x: f64) -> f64 {
    let tail = (-x.abs()).exp();
    x.max(0.0) + if tail < LOG1P_LINEAR { tail } else { tail.ln_1p() }
}

/// Moves all agents by one step.
#[inline]
pub fn integrate_state(bodies: &mut [Agent]) {
    bodies.iter_mut().for_each(update_body);
}

/// Moves one agent by one step.
#[inline]
pub fn update_body(body: &mut Agent) {
    for axis in 0..2 {
        body.position[axis] += body.velocity[axis] * TIME_STEP;
        body.velocity[axis] = body.velocity[axis] * (1.0 - DAMPING) + body.force[axis] * TIME_STEP;
    }
}

/// Returns a velocity, shortened to the speed `most` if it is faster.
#[inline]
pub fn limited_speed(velocity: Vector, most: f64) -> Vector {
    let speed = (velocity[0] * velocity[0] + velocity[1] * velocity[1]).sqrt();
    if speed > most { velocity.map(|component| component / speed * most) } else { velocity }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(x: f64, y: f64) -> Agent {
        Agent { position: [x, y], ..Agent::default() }
    }

    #[test]
    fn softplus_is_numpys_logaddexp_with_zero() {
        // Values of `np.logaddexp(0, x)`, computed with numpy 2.4.6.
        let known = [(0.0, std::f64::consts::LN_2), (1.0, 1.313_261_687_518_222_8), (-2.5, 0.078_889_734_292_549_63)];
        for (x, expected) in known {
            assert_eq!(softplus(x).to_bits(), f64::to_bits(expected), "softplus({x})");
        }
        assert_eq!((softplus(300.0), softplus(-746.0)), (300.0, 0.0));
    }

    #[test]
    fn only_touching_bodies_repel_each_other() {
        let mut bodies = [at(0.0, 0.0), at(0.25, 0.0), at(2.0, 0.0)];
        apply_environment_force(&mut bodies, 0.3);
        assert!((bodies[1].force[0] - 5.0).abs() < 1e-9, "100 per unit of an overlap of 0.05");
        assert_eq!(bodies[0].force[0], -bodies[1].force[0]);
        assert_eq!(bodies[2].force, [0.0, 0.0]);
    }

    #[test]
    fn a_tick_applies_the_old_velocity_before_updating_the_velocity() {
        let mut body = Agent { position: [1.0, 2.0], velocity: [4.0, -8.0], force: [5.0, 0.0] };
        integrate_state(std::slice::from_mut(&mut body));
        assert_eq!((body.position, body.velocity), ([1.4, 1.2], [3.5, -6.0]));
    }

    #[test]
    fn continuous_actions_are_clipped_to_their_bounds() {
        assert_eq!(continuous_action_force(&[9.0, -3.0, 7.0, 0.25, 0.5], SENSITIVITY), [5.0, 1.25]);
    }
}
