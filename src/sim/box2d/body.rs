//! Bodies, and the shapes that they are made of.

use std::ops::Range;

use serde::{Deserialize, Serialize};

use super::math::{Sweep, Transform, Vec2, vec2};
use super::shape::{Form, MassData, Shape};

/// A body's number in its world.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct BodyId(pub u32);

/// A fixture's number in its world.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct FixtureId(pub u32);

/// What a body is to be made of.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct FixtureDef {
    /// Its shape, in the body's coordinates.
    pub shape: Shape,
    /// Mass per area in kg/m².
    pub density: f32,
    /// Coefficient of friction.
    pub friction: f32,
    /// How much it bounces.
    pub restitution: f32,
    /// Which kinds it is of.
    pub category: u16,
    /// Which kinds it touches.
    pub mask: u16,
    /// Whether it only tells that it is touched.
    pub is_sensor: bool,
}

impl FixtureDef {
    /// Box2D's defaults: without mass, of kind 1, touched by all.
    pub fn new(shape: Shape) -> Self {
        Self { shape, density: 0.0, friction: 0.2, restitution: 0.0, category: 1, mask: 0xFFFF, is_sensor: false }
    }
}

/// A shape that is part of a body.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Fixture {
    pub(super) body: u32,
    pub(super) form: Form,
    pub(super) density: f32,
    pub(super) friction: f32,
    pub(super) restitution: f32,
    pub(super) category: u16,
    pub(super) mask: u16,
    pub(super) is_sensor: bool,
    /// Its leaf in the tree of boxes.
    pub(super) leaf: u32,
}

impl Fixture {
    /// The body that it is part of.
    pub fn body(&self) -> BodyId {
        BodyId(self.body)
    }

    /// Which kinds it is of.
    pub fn category(&self) -> u16 {
        self.category
    }

    /// Whether two may touch by their kinds.
    #[inline(always)]
    pub(super) fn may_touch(&self, other: &Self) -> bool {
        self.mask & other.category != 0 && self.category & other.mask != 0
    }
}

/// A rigid body.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Body {
    pub(super) is_dynamic: bool,
    pub(super) is_awake: bool,
    /// Whether it has been found to be part of an island.
    pub(super) in_island: bool,
    /// Its number in the island.
    pub(super) island_index: u32,
    pub(super) transform: Transform,
    pub(super) sweep: Sweep,
    pub(super) velocity: Vec2,
    pub(super) angular_velocity: f32,
    pub(super) force: Vec2,
    pub(super) torque: f32,
    pub(super) mass: f32,
    pub(super) inverse_mass: f32,
    pub(super) inverse_inertia: f32,
    /// How long it has been still, in seconds.
    pub(super) sleep_time: f32,
    /// Its fixtures, as long as it is there.
    pub(super) fixtures: Range<u32>,
}

impl Body {
    pub(super) fn new(is_dynamic: bool, position: Vec2, angle: f32) -> Self {
        let transform = Transform { p: position, q: super::math::Rot::of(angle) };
        Self {
            is_dynamic,
            is_awake: true,
            in_island: false,
            island_index: 0,
            transform,
            sweep: Sweep { c0: position, c: position, a0: angle, a: angle, ..Sweep::default() },
            velocity: vec2(0.0, 0.0),
            angular_velocity: 0.0,
            force: vec2(0.0, 0.0),
            torque: 0.0,
            mass: if is_dynamic { 1.0 } else { 0.0 },
            inverse_mass: if is_dynamic { 1.0 } else { 0.0 },
            inverse_inertia: 0.0,
            sleep_time: 0.0,
            fixtures: 0..0,
        }
    }

    /// Mass and centre from those of its fixtures, the last first.
    pub(super) fn set_mass(&mut self, parts: impl Iterator<Item = MassData>) {
        if !self.is_dynamic {
            return;
        }
        let (mut mass, mut center, mut inertia) = (0.0, vec2(0.0, 0.0), 0.0);
        for part in parts {
            mass += part.mass;
            center += part.mass * part.center;
            inertia += part.inertia;
        }
        (self.mass, self.inverse_mass) = (1.0, 1.0);
        if mass > 0.0 {
            (self.mass, self.inverse_mass) = (mass, 1.0 / mass);
            center = self.inverse_mass * center;
        }
        self.inverse_inertia = 0.0;
        if inertia > 0.0 {
            inertia -= self.mass * center.dot(center);
            self.inverse_inertia = 1.0 / inertia;
        }
        self.sweep.local_center = center;
        self.sweep.c = self.transform.to_world(center);
        self.sweep.c0 = self.sweep.c;
    }

    /// Where its origin is and how it is turned.
    pub fn transform(&self) -> &Transform {
        &self.transform
    }

    /// Where its origin is.
    pub fn position(&self) -> Vec2 {
        self.transform.p
    }

    /// Its angle in radians, with all turns.
    pub fn angle(&self) -> f32 {
        self.sweep.a
    }

    /// Velocity of its centre of mass.
    pub fn velocity(&self) -> Vec2 {
        self.velocity
    }

    /// Angular velocity in rad/s.
    pub fn angular_velocity(&self) -> f32 {
        self.angular_velocity
    }

    /// Whether it moves or may move.
    pub fn is_awake(&self) -> bool {
        self.is_awake
    }

    /// Its fixtures' numbers, in the order in which they were made.
    pub fn fixtures(&self) -> impl DoubleEndedIterator<Item = FixtureId> + use<> {
        self.fixtures.clone().map(FixtureId)
    }

    /// A push on its centre of mass until the end of the next step, which wakes it.
    pub fn apply_force_to_center(&mut self, force: Vec2) {
        if self.is_dynamic {
            self.wake();
            self.force += force;
        }
    }

    /// A twist until the end of the next step, which wakes it.
    pub fn apply_torque(&mut self, torque: f32) {
        if self.is_dynamic {
            self.wake();
            self.torque += torque;
        }
    }

    /// A blow at a point of the world, which wakes it.
    pub fn apply_linear_impulse(&mut self, impulse: Vec2, point: Vec2) {
        if self.is_dynamic {
            self.wake();
            self.velocity += self.inverse_mass * impulse;
            self.angular_velocity += self.inverse_inertia * (point - self.sweep.c).cross(impulse);
        }
    }

    /// Wakes it up.
    #[inline(always)]
    pub fn wake(&mut self) {
        if !self.is_awake {
            self.is_awake = true;
            self.sleep_time = 0.0;
        }
    }

    pub(super) fn fall_asleep(&mut self) {
        self.is_awake = false;
        self.sleep_time = 0.0;
        self.velocity = vec2(0.0, 0.0);
        self.angular_velocity = 0.0;
        self.force = vec2(0.0, 0.0);
        self.torque = 0.0;
    }

    /// Whether it moves by itself.
    #[inline(always)]
    pub(super) fn is_active(&self) -> bool {
        self.is_awake && self.is_dynamic
    }

    #[inline(always)]
    pub(super) fn synchronize_transform(&mut self) {
        self.transform = Transform::around(self.sweep.c, self.sweep.a, self.sweep.local_center);
    }

    /// Moves it to where it is at `alpha` of the step.
    pub(super) fn advance(&mut self, alpha: f32) {
        self.sweep.advance(alpha);
        (self.sweep.c, self.sweep.a) = (self.sweep.c0, self.sweep.a0);
        self.synchronize_transform();
    }
}
