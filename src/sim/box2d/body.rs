//! Rigid bodies and the fixtures that give them their shapes.

use std::ops::Range;

use serde::{Deserialize, Serialize};

use super::math::{Sweep, Transform, Vec2, vec2};
use super::shape::{MassData, Shape, StoredShape};

/// Index of a body in its world.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct BodyId(pub u32);

/// Index of a fixture in its world.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct FixtureId(pub u32);

/// Definition of a fixture (`b2FixtureDef`).
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct FixtureDef {
    /// Shape of the fixture in local coordinates of the body.
    pub shape: Shape,
    /// Density of the fixture in kg/m².
    pub density: f32,
    /// Coefficient of friction of the fixture.
    pub friction: f32,
    /// Coefficient of restitution: 0 does not bounce, 1 bounces fully.
    pub restitution: f32,
    /// Bit mask of the fixture's collision categories (`filter.categoryBits`).
    pub category_bits: u16,
    /// Bit mask of the categories that the fixture collides with (`filter.maskBits`).
    pub mask_bits: u16,
    /// Whether the fixture is a sensor: it reports contacts, but bodies pass through it.
    pub is_sensor: bool,
}

impl FixtureDef {
    /// Creates a definition with Box2D's defaults: density 0, category 1, colliding with all categories.
    pub fn new(shape: Shape) -> Self {
        Self { shape, density: 0.0, friction: 0.2, restitution: 0.0, category_bits: 1, mask_bits: 0xFFFF, is_sensor: false }
    }
}

/// A shape attached to a body (`b2Fixture`).
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Fixture {
    pub(super) body: u32,
    pub(super) shape: StoredShape,
    pub(super) density: f32,
    pub(super) friction: f32,
    pub(super) restitution: f32,
    pub(super) category_bits: u16,
    pub(super) mask_bits: u16,
    pub(super) is_sensor: bool,
    /// Id of the fixture's proxy in the dynamic tree.
    pub(super) proxy: u32,
}

impl Fixture {
    /// Returns the body that the fixture belongs to.
    pub fn body(&self) -> BodyId {
        BodyId(self.body)
    }

    /// Returns the bit mask of the fixture's collision categories.
    pub fn category_bits(&self) -> u16 {
        self.category_bits
    }

    /// Returns whether the filters of two fixtures allow a collision (`b2ContactFilter::ShouldCollide`).
    #[inline(always)]
    pub(super) fn should_collide(&self, other: &Self) -> bool {
        self.mask_bits & other.category_bits != 0 && self.category_bits & other.mask_bits != 0
    }
}

/// A rigid body (`b2Body`).
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Body {
    pub(super) is_dynamic: bool,
    pub(super) is_awake: bool,
    /// Whether the body has already been added to an island (a group of bodies that are solved together) in this step
    /// (`e_islandFlag`).
    pub(super) in_island: bool,
    /// Index of the body in the arrays of its island.
    pub(super) island_index: u32,
    pub(super) transform: Transform,
    pub(super) sweep: Sweep,
    pub(super) linear_velocity: Vec2,
    pub(super) angular_velocity: f32,
    pub(super) force: Vec2,
    pub(super) torque: f32,
    pub(super) mass: f32,
    pub(super) inverse_mass: f32,
    pub(super) inverse_inertia: f32,
    /// Time since the body last exceeded a sleep tolerance (linear or angular speed), in seconds.
    pub(super) sleep_time: f32,
    /// Indices of the body's fixtures in the world's list of fixtures.
    pub(super) fixtures: Range<u32>,
}

impl Body {
    pub(super) fn new(is_dynamic: bool, position: Vec2, angle: f32) -> Self {
        let transform = Transform { p: position, q: super::math::Rot::from_angle(angle) };
        Self {
            is_dynamic,
            is_awake: true,
            in_island: false,
            island_index: 0,
            transform,
            sweep: Sweep { c0: position, c: position, a0: angle, a: angle, ..Sweep::default() },
            linear_velocity: vec2(0.0, 0.0),
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

    /// Computes mass, centre of mass and inertia of the body from `parts`, the mass data of its fixtures, starting with the
    /// last fixture (`b2Body::ResetMassData`).
    pub(super) fn reset_mass_data(&mut self, parts: impl Iterator<Item = MassData>) {
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

    /// Returns the transform from the body's local coordinates to world coordinates.
    pub fn transform(&self) -> &Transform {
        &self.transform
    }

    /// Returns the world position of the body's origin.
    pub fn position(&self) -> Vec2 {
        self.transform.p
    }

    /// Returns the angle of the body in radians, without wrapping at full turns.
    pub fn angle(&self) -> f32 {
        self.sweep.a
    }

    /// Returns the velocity of the body's centre of mass in m/s.
    pub fn linear_velocity(&self) -> Vec2 {
        self.linear_velocity
    }

    /// Returns the angular velocity of the body in rad/s.
    pub fn angular_velocity(&self) -> f32 {
        self.angular_velocity
    }

    /// Returns whether the body is awake. Sleeping bodies are not simulated.
    pub fn is_awake(&self) -> bool {
        self.is_awake
    }

    /// Returns the ids of the body's fixtures in order of creation.
    pub fn fixtures(&self) -> impl DoubleEndedIterator<Item = FixtureId> + use<> {
        self.fixtures.clone().map(FixtureId)
    }

    /// Applies a force in N to the centre of mass for the next step, and wakes the body.
    pub fn apply_force_to_center(&mut self, force: Vec2) {
        if self.is_dynamic {
            self.wake();
            self.force += force;
        }
    }

    /// Applies a torque in N m for the next step, and wakes the body.
    pub fn apply_torque(&mut self, torque: f32) {
        if self.is_dynamic {
            self.wake();
            self.torque += torque;
        }
    }

    /// Applies an impulse in N s at a point in world coordinates, and wakes the body.
    pub fn apply_linear_impulse(&mut self, impulse: Vec2, point: Vec2) {
        if self.is_dynamic {
            self.wake();
            self.linear_velocity += self.inverse_mass * impulse;
            self.angular_velocity += self.inverse_inertia * (point - self.sweep.c).cross(impulse);
        }
    }

    /// Wakes the body and resets its sleep time.
    #[inline(always)]
    pub fn wake(&mut self) {
        if !self.is_awake {
            self.is_awake = true;
            self.sleep_time = 0.0;
        }
    }

    pub(super) fn put_to_sleep(&mut self) {
        self.is_awake = false;
        self.sleep_time = 0.0;
        self.linear_velocity = vec2(0.0, 0.0);
        self.angular_velocity = 0.0;
        self.force = vec2(0.0, 0.0);
        self.torque = 0.0;
    }

    /// Returns whether the body is dynamic and awake.
    #[inline(always)]
    pub(super) fn is_awake_dynamic(&self) -> bool {
        self.is_awake && self.is_dynamic
    }

    #[inline(always)]
    pub(super) fn synchronize_transform(&mut self) {
        self.transform = Transform::from_center(self.sweep.c, self.sweep.a, self.sweep.local_center);
    }

    /// Moves the body along its sweep to the fraction `alpha` of the step (`b2Body::Advance`).
    pub(super) fn advance(&mut self, alpha: f32) {
        self.sweep.advance(alpha);
        (self.sweep.c, self.sweep.a) = (self.sweep.c0, self.sweep.a0);
        self.synchronize_transform();
    }
}
