//! The world: bodies, fixtures, joints, contacts and broad phase (`b2World`).

use serde::{Deserialize, Serialize};

use super::body::{Body, BodyId, Fixture, FixtureDef, FixtureId};
use super::broad_phase::BroadPhase;
use super::contact::{Contact, ContactEvent};
use super::math::{Transform, Vec2};
use super::revolute_joint::{JointId, RevoluteJoint, RevoluteJointDef};
use super::shape::{Polygon, RayCastInput, Shape, ShapeRef, StoredShape};
use super::time_of_impact::SweptBounds;

/// Bodies, joints, contacts and all other state of a simulation.
///
/// Contacts, joints and bodies are visited from last to first, because Box2D stores them in linked lists and inserts at the
/// head.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct World {
    pub(super) gravity: Vec2,
    pub(super) bodies: Vec<Body>,
    /// Indices of the dynamic bodies, in ascending order.
    pub(super) dynamic_bodies: Vec<u32>,
    pub(super) fixtures: Vec<Fixture>,
    pub(super) polygons: Vec<Polygon>,
    pub(super) joints: Vec<RevoluteJoint>,
    pub(super) contacts: Vec<Contact>,
    pub(super) broad_phase: BroadPhase,
    /// Inverse of the last step's `dt` in Hz; 0 before the first step (`m_inv_dt0`).
    pub(super) inverse_dt: f32,
    pub(super) has_new_fixtures: bool,
    /// Contacts that started or ended in the last step.
    #[serde(skip)]
    pub(super) events: Vec<ContactEvent>,
}

impl World {
    /// Creates an empty world with the gravity `gravity` in m/s².
    pub fn new(gravity: Vec2) -> Self {
        Self {
            gravity,
            bodies: Vec::new(),
            dynamic_bodies: Vec::new(),
            fixtures: Vec::new(),
            polygons: Vec::new(),
            joints: Vec::new(),
            contacts: Vec::new(),
            broad_phase: BroadPhase::default(),
            inverse_dt: 0.0,
            has_new_fixtures: false,
            events: Vec::new(),
        }
    }

    /// Resets the world to the state of a new world with the gravity `gravity`. Keeps its allocated memory.
    pub fn reset(&mut self, gravity: Vec2) {
        self.clear_bodies();
        self.broad_phase.clear();
        (self.gravity, self.inverse_dt, self.has_new_fixtures) = (gravity, 0.0, false);
    }

    /// Destroys all bodies without recording contact events: first the bodies in `order`, then the remaining bodies in order of
    /// creation.
    ///
    /// The order decides which broad-phase proxy ids are reused first, and therefore the order of later contacts.
    pub fn destroy_bodies(&mut self, order: impl IntoIterator<Item = BodyId>) {
        for body in order {
            let fixtures = std::mem::take(&mut self.bodies[body.0 as usize].fixtures);
            self.destroy_proxies(fixtures);
        }
        for body in 0..self.bodies.len() {
            let fixtures = std::mem::take(&mut self.bodies[body].fixtures);
            self.destroy_proxies(fixtures);
        }
        self.clear_bodies();
    }

    fn destroy_proxies(&mut self, fixtures: std::ops::Range<u32>) {
        for fixture in fixtures.rev() {
            self.broad_phase.destroy_proxy(self.fixtures[fixture as usize].proxy);
        }
    }

    fn clear_bodies(&mut self) {
        self.bodies.clear();
        self.dynamic_bodies.clear();
        self.fixtures.clear();
        self.polygons.clear();
        self.joints.clear();
        self.contacts.clear();
        self.events.clear();
    }

    /// Creates a static body at the origin.
    pub fn create_static(&mut self, fixtures: &[FixtureDef]) -> BodyId {
        self.create_body(Body::new(false, Vec2::default(), 0.0), fixtures)
    }

    /// Creates a dynamic body with its origin at `position`, rotated by `angle` in radians.
    pub fn create_dynamic(&mut self, position: Vec2, angle: f32, fixtures: &[FixtureDef]) -> BodyId {
        self.dynamic_bodies.push(self.bodies.len() as u32);
        self.create_body(Body::new(true, position, angle), fixtures)
    }

    fn create_body(&mut self, mut body: Body, fixtures: &[FixtureDef]) -> BodyId {
        let (id, first) = (self.bodies.len() as u32, self.fixtures.len() as u32);
        for def in fixtures {
            let shape = match def.shape {
                Shape::Circle { center, radius } => StoredShape::Circle(center, radius),
                Shape::Edge(v1, v2) => StoredShape::Edge([v1, v2]),
                Shape::Polygon(polygon) => {
                    self.polygons.push(polygon);
                    StoredShape::Polygon(self.polygons.len() as u32 - 1)
                }
            };
            let FixtureDef { density, friction, restitution, category_bits, mask_bits, is_sensor, .. } = *def;
            let mut fixture =
                Fixture { body: id, shape, density, friction, restitution, category_bits, mask_bits, is_sensor, proxy: 0 };
            let bounds = fixture_shape(&self.polygons, &fixture).compute_aabb(&body.transform);
            fixture.proxy = self.broad_phase.create_proxy(&bounds, self.fixtures.len() as u32);
            self.fixtures.push(fixture);
        }
        body.fixtures = first..self.fixtures.len() as u32;
        let massive = self.fixtures[first as usize..].iter().rev().filter(|fixture| fixture.density != 0.0);
        body.reset_mass_data(massive.map(|fixture| fixture_shape(&self.polygons, fixture).compute_mass(fixture.density)));
        self.bodies.push(body);
        self.has_new_fixtures = true;
        BodyId(id)
    }

    /// Creates a revolute joint. The joint's angle is 0 at the current angles of its two bodies. The two bodies no longer
    /// collide with each other.
    pub fn create_joint(&mut self, def: &RevoluteJointDef) -> JointId {
        self.joints.push(RevoluteJoint::new(def, self.body(def.body_a), self.body(def.body_b)));
        JointId(self.joints.len() as u32 - 1)
    }

    /// Returns the body with the id `id`.
    #[inline(always)]
    pub fn body(&self, id: BodyId) -> &Body {
        &self.bodies[id.0 as usize]
    }

    /// Returns the body with the id `id`, mutably, so that forces and impulses can be applied.
    #[inline(always)]
    pub fn body_mut(&mut self, id: BodyId) -> &mut Body {
        &mut self.bodies[id.0 as usize]
    }

    /// Returns the number of bodies in the world.
    pub fn body_count(&self) -> usize {
        self.bodies.len()
    }

    /// Returns the number of joints in the world.
    pub fn joint_count(&self) -> usize {
        self.joints.len()
    }

    /// Returns the fixture with the id `id`.
    pub fn fixture(&self, id: FixtureId) -> &Fixture {
        &self.fixtures[id.0 as usize]
    }

    /// Returns the shape of a fixture.
    pub fn shape(&self, id: FixtureId) -> ShapeRef<'_> {
        fixture_shape(&self.polygons, self.fixture(id))
    }

    /// Returns the angle of a joint's body B relative to its body A in radians (`GetJointAngle`).
    pub fn joint_angle(&self, id: JointId) -> f32 {
        let joint = &self.joints[id.0 as usize];
        joint.angle(&self.bodies[joint.body_a as usize], &self.bodies[joint.body_b as usize])
    }

    /// Returns the angular velocity of a joint's body B relative to its body A in rad/s (`GetJointSpeed`).
    pub fn joint_speed(&self, id: JointId) -> f32 {
        let joint = &self.joints[id.0 as usize];
        self.bodies[joint.body_b as usize].angular_velocity - self.bodies[joint.body_a as usize].angular_velocity
    }

    /// Sets a joint's motor speed in rad/s and, if given, its maximum torque in N m. Wakes the joint's two bodies.
    pub fn set_motor(&mut self, id: JointId, speed: f32, max_torque: Option<f32>) {
        let joint = &mut self.joints[id.0 as usize];
        joint.set_motor(speed, max_torque);
        let (a, b) = (joint.body_a, joint.body_b);
        self.bodies[a as usize].wake();
        self.bodies[b as usize].wake();
    }

    /// Returns the contact events of the last step, in the order in which they occurred.
    pub fn events(&self) -> &[ContactEvent] {
        &self.events
    }

    /// Casts a ray from `p1` to `p2` against fixtures for which `filter` is true. Returns the fraction of the ray's length at
    /// which it first hits a fixture, or 1 if it hits none.
    #[inline]
    pub fn ray_cast(&self, p1: Vec2, p2: Vec2, mut filter: impl FnMut(&Fixture) -> bool) -> f32 {
        let mut closest = 1.0;
        self.broad_phase.ray_cast(&RayCastInput { p1, p2, max_fraction: 1.0 }, |ray, index| {
            let fixture = &self.fixtures[index as usize];
            if !filter(fixture) {
                return None;
            }
            let hit = fixture_shape(&self.polygons, fixture).ray_cast(ray, &self.bodies[fixture.body as usize].transform)?;
            closest = hit;
            Some(hit)
        });
        closest
    }

    /// Returns whether all indices in the world's state are in range and consistent. Worlds from untrusted snapshots must pass
    /// this check.
    pub fn is_valid(&self) -> bool {
        let body = |index: u32| (index as usize) < self.bodies.len();
        let fixture = |index: u32| (index as usize) < self.fixtures.len();
        let mut next = 0;
        let fixtures_in_order = self.bodies.iter().enumerate().all(|(index, it)| {
            let range = it.fixtures.clone();
            let is_next = range.start == next && range.end >= next && range.end as usize <= self.fixtures.len();
            next = range.end;
            is_next && range.into_iter().all(|fixture| self.fixtures[fixture as usize].body == index as u32)
        });
        let shapes_valid = self.fixtures.iter().all(|fixture| match fixture.shape {
            StoredShape::Polygon(index) => self.polygons.get(index as usize).is_some_and(Polygon::is_valid),
            StoredShape::Circle(..) | StoredShape::Edge(_) => true,
        });
        let contacts = self.contacts.iter().all(|contact| {
            fixture(contact.fixture_a)
                && fixture(contact.fixture_b)
                && self.fixtures[contact.fixture_a as usize].body == contact.body_a
                && self.fixtures[contact.fixture_b as usize].body == contact.body_b
                && contact.body_a != contact.body_b
                && contact.manifold.point_count <= 2
        });
        let dynamic = (0..self.bodies.len() as u32).filter(|index| self.bodies[*index as usize].is_dynamic);
        fixtures_in_order
            && next as usize == self.fixtures.len()
            && shapes_valid
            && contacts
            && dynamic.eq(self.dynamic_bodies.iter().copied())
            && self.joints.iter().all(|joint| body(joint.body_a) && body(joint.body_b) && joint.body_a != joint.body_b)
            && self.broad_phase.is_valid(self.fixtures.len(), |index| Some(self.fixtures.get(index as usize)?.proxy))
    }
}

/// Returns the shape of a fixture.
#[inline(always)]
pub(super) fn fixture_shape<'a>(polygons: &'a [Polygon], fixture: &'a Fixture) -> ShapeRef<'a> {
    match &fixture.shape {
        StoredShape::Circle(center, radius) => ShapeRef::Circle(center, *radius),
        StoredShape::Edge(ends) => ShapeRef::Edge(ends),
        StoredShape::Polygon(index) => ShapeRef::Polygon(&polygons[*index as usize]),
    }
}

/// Updates the proxies of a body's fixtures so that their boxes contain both ends of the body's sweep
/// (`b2Body::SynchronizeFixtures`). Writes the boxes of polygons to `swept`.
pub(super) fn synchronize_fixtures(
    body: &Body,
    fixtures: &[Fixture],
    polygons: &[Polygon],
    broad_phase: &mut BroadPhase,
    swept: &mut Vec<SweptBounds>,
) {
    let before = Transform::from_center(body.sweep.c0, body.sweep.a0, body.sweep.local_center);
    let now = body.transform;
    for index in body.fixtures.clone().rev() {
        let fixture = &fixtures[index as usize];
        let shape = fixture_shape(polygons, fixture);
        let bounds = super::math::Aabb::combine(&shape.compute_aabb(&before), &shape.compute_aabb(&now));
        if let ShapeRef::Polygon(polygon) = shape {
            let new = SweptBounds::new(index, polygon, &body.sweep, bounds);
            match swept.iter_mut().find(|swept| swept.fixture == index) {
                Some(old) => *old = new,
                None => swept.push(new),
            }
        }
        broad_phase.move_proxy(fixture.proxy, &bounds, now.p - before.p);
    }
}
