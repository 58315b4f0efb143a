//! A world: bodies, what holds them together, and what is close to what.

use serde::{Deserialize, Serialize};

use super::body::{Body, BodyId, Fixture, FixtureDef, FixtureId};
use super::broad_phase::BroadPhase;
use super::contact::{Contact, ContactEvent};
use super::joint::{Joint, JointId, RevoluteJointDef};
use super::math::{Transform, Vec2};
use super::shape::{Form, Polygon, Ray, Shape, ShapeRef};

/// Bodies, joints and contacts, and all that the next step depends on.
///
/// Contacts, joints and bodies are gone through from the last to the first, as Box2D's lists are, which begin with what was added last.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct World {
    pub(super) gravity: Vec2,
    pub(super) bodies: Vec<Body>,
    /// Those of them that move.
    pub(super) dynamic: Vec<u32>,
    pub(super) fixtures: Vec<Fixture>,
    pub(super) polygons: Vec<Polygon>,
    pub(super) joints: Vec<Joint>,
    pub(super) contacts: Vec<Contact>,
    pub(super) broad_phase: BroadPhase,
    /// The last step's frequency; 0 before the first.
    pub(super) inverse_dt: f32,
    pub(super) has_new_fixtures: bool,
    /// What the last step brought.
    #[serde(skip)]
    pub(super) events: Vec<ContactEvent>,
}

impl World {
    /// An empty world with this gravity in m/s².
    pub fn new(gravity: Vec2) -> Self {
        Self {
            gravity,
            bodies: Vec::new(),
            dynamic: Vec::new(),
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

    /// Makes it a new world with this gravity. It keeps its memory.
    pub fn renew(&mut self, gravity: Vec2) {
        self.forget_bodies();
        self.broad_phase.clear();
        (self.gravity, self.inverse_dt, self.has_new_fixtures) = (gravity, 0.0, false);
    }

    /// Destroys all bodies, those in `order` in this order: the numbers of leaves that are handed out afterwards depend on it. What was
    /// touching is not told.
    pub fn destroy_bodies(&mut self, order: impl IntoIterator<Item = BodyId>) {
        for body in order {
            let fixtures = std::mem::take(&mut self.bodies[body.0 as usize].fixtures);
            self.destroy_leaves(fixtures);
        }
        for body in 0..self.bodies.len() {
            let fixtures = std::mem::take(&mut self.bodies[body].fixtures);
            self.destroy_leaves(fixtures);
        }
        self.forget_bodies();
    }

    fn destroy_leaves(&mut self, fixtures: std::ops::Range<u32>) {
        for fixture in fixtures.rev() {
            self.broad_phase.destroy(self.fixtures[fixture as usize].leaf);
        }
    }

    fn forget_bodies(&mut self) {
        self.bodies.clear();
        self.dynamic.clear();
        self.fixtures.clear();
        self.polygons.clear();
        self.joints.clear();
        self.contacts.clear();
        self.events.clear();
    }

    /// A body that never moves.
    pub fn create_static(&mut self, fixtures: &[FixtureDef]) -> BodyId {
        self.create(Body::new(false, Vec2::default(), 0.0), fixtures)
    }

    /// A body that moves, with its origin at `position`.
    pub fn create_dynamic(&mut self, position: Vec2, angle: f32, fixtures: &[FixtureDef]) -> BodyId {
        self.dynamic.push(self.bodies.len() as u32);
        self.create(Body::new(true, position, angle), fixtures)
    }

    fn create(&mut self, mut body: Body, fixtures: &[FixtureDef]) -> BodyId {
        let (id, first) = (self.bodies.len() as u32, self.fixtures.len() as u32);
        for def in fixtures {
            let form = match def.shape {
                Shape::Circle { center, radius } => Form::Circle(center, radius),
                Shape::Edge(v1, v2) => Form::Edge([v1, v2]),
                Shape::Polygon(polygon) => {
                    self.polygons.push(polygon);
                    Form::Polygon(self.polygons.len() as u32 - 1)
                }
            };
            let FixtureDef { density, friction, restitution, category, mask, is_sensor, .. } = *def;
            let mut fixture = Fixture { body: id, form, density, friction, restitution, category, mask, is_sensor, leaf: 0 };
            let bounds = shape(&self.polygons, &fixture).bounds(&body.transform);
            fixture.leaf = self.broad_phase.create(&bounds, self.fixtures.len() as u32);
            self.fixtures.push(fixture);
        }
        body.fixtures = first..self.fixtures.len() as u32;
        let solid = self.fixtures[first as usize..].iter().rev().filter(|fixture| fixture.density != 0.0);
        body.set_mass(solid.map(|fixture| shape(&self.polygons, fixture).mass(fixture.density)));
        self.bodies.push(body);
        self.has_new_fixtures = true;
        BodyId(id)
    }

    /// Joins two bodies, which no longer touch each other. Their angle as they are turned now is the joint's 0.
    pub fn create_joint(&mut self, def: &RevoluteJointDef) -> JointId {
        self.joints.push(Joint::new(def, self.body(def.body_a), self.body(def.body_b)));
        JointId(self.joints.len() as u32 - 1)
    }

    /// A body.
    #[inline(always)]
    pub fn body(&self, id: BodyId) -> &Body {
        &self.bodies[id.0 as usize]
    }

    /// A body, to be pushed.
    #[inline(always)]
    pub fn body_mut(&mut self, id: BodyId) -> &mut Body {
        &mut self.bodies[id.0 as usize]
    }

    /// How many bodies there are.
    pub fn count(&self) -> usize {
        self.bodies.len()
    }

    /// How many joints there are.
    pub fn joint_count(&self) -> usize {
        self.joints.len()
    }

    /// A fixture.
    pub fn fixture(&self, id: FixtureId) -> &Fixture {
        &self.fixtures[id.0 as usize]
    }

    /// A fixture's shape.
    pub fn shape(&self, id: FixtureId) -> ShapeRef<'_> {
        shape(&self.polygons, self.fixture(id))
    }

    /// The angle between a joint's bodies.
    pub fn joint_angle(&self, id: JointId) -> f32 {
        let joint = &self.joints[id.0 as usize];
        joint.angle(&self.bodies[joint.body_a as usize], &self.bodies[joint.body_b as usize])
    }

    /// How fast a joint turns in rad/s.
    pub fn joint_speed(&self, id: JointId) -> f32 {
        let joint = &self.joints[id.0 as usize];
        self.bodies[joint.body_b as usize].angular_velocity - self.bodies[joint.body_a as usize].angular_velocity
    }

    /// Sets a joint's motor to a speed in rad/s, and to a torque if one is given. Wakes both bodies.
    pub fn set_motor(&mut self, id: JointId, speed: f32, max_torque: Option<f32>) {
        let joint = &mut self.joints[id.0 as usize];
        joint.set_motor(speed, max_torque);
        let (a, b) = (joint.body_a, joint.body_b);
        self.bodies[a as usize].wake();
        self.bodies[b as usize].wake();
    }

    /// Who began and ended to touch whom in the last step, in order.
    pub fn events(&self) -> &[ContactEvent] {
        &self.events
    }

    /// Where a ray from `p1` to `p2` first meets a fixture that is `seen`, as a fraction of the way; 1 where it meets none.
    #[inline]
    pub fn cast(&self, p1: Vec2, p2: Vec2, mut seen: impl FnMut(&Fixture) -> bool) -> f32 {
        let mut closest = 1.0;
        self.broad_phase.cast(&Ray { p1, p2, max_fraction: 1.0 }, |ray, number| {
            let fixture = &self.fixtures[number as usize];
            if !seen(fixture) {
                return None;
            }
            let hit = shape(&self.polygons, fixture).cast(ray, &self.bodies[fixture.body as usize].transform)?;
            closest = hit;
            Some(hit)
        });
        closest
    }

    /// Whether a world that came from elsewhere can be stepped: whether all that is numbered is there.
    pub fn is_valid(&self) -> bool {
        let body = |number: u32| (number as usize) < self.bodies.len();
        let fixture = |number: u32| (number as usize) < self.fixtures.len();
        let mut next = 0;
        let in_order = self.bodies.iter().enumerate().all(|(number, it)| {
            let range = it.fixtures.clone();
            let is_next = range.start == next && range.end >= next && range.end as usize <= self.fixtures.len();
            next = range.end;
            is_next && range.into_iter().all(|fixture| self.fixtures[fixture as usize].body == number as u32)
        });
        let forms = self.fixtures.iter().all(|fixture| match fixture.form {
            Form::Polygon(number) => self.polygons.get(number as usize).is_some_and(Polygon::is_valid),
            Form::Circle(..) | Form::Edge(_) => true,
        });
        let contacts = self.contacts.iter().all(|contact| {
            fixture(contact.fixture_a)
                && fixture(contact.fixture_b)
                && self.fixtures[contact.fixture_a as usize].body == contact.body_a
                && self.fixtures[contact.fixture_b as usize].body == contact.body_b
                && contact.body_a != contact.body_b
                && contact.manifold.count <= 2
        });
        let moving = (0..self.bodies.len() as u32).filter(|number| self.bodies[*number as usize].is_dynamic);
        in_order
            && next as usize == self.fixtures.len()
            && forms
            && contacts
            && moving.eq(self.dynamic.iter().copied())
            && self.joints.iter().all(|joint| body(joint.body_a) && body(joint.body_b) && joint.body_a != joint.body_b)
            && self.broad_phase.is_valid(self.fixtures.len(), |number| Some(self.fixtures.get(number as usize)?.leaf))
    }
}

/// The shape of a fixture.
#[inline(always)]
pub(super) fn shape<'a>(polygons: &'a [Polygon], fixture: &'a Fixture) -> ShapeRef<'a> {
    match &fixture.form {
        Form::Circle(center, radius) => ShapeRef::Circle(center, *radius),
        Form::Edge(ends) => ShapeRef::Edge(ends),
        Form::Polygon(number) => ShapeRef::Polygon(&polygons[*number as usize]),
    }
}

/// Tells the tree of boxes where a body's fixtures are now, and were at the beginning of its way.
pub(super) fn synchronize(body: &Body, fixtures: &[Fixture], polygons: &[Polygon], broad_phase: &mut BroadPhase) {
    let before = Transform::around(body.sweep.c0, body.sweep.a0, body.sweep.local_center);
    let now = body.transform;
    for fixture in fixtures[body.fixtures.start as usize..body.fixtures.end as usize].iter().rev() {
        let shape = shape(polygons, fixture);
        let bounds = super::math::Aabb::around(&shape.bounds(&before), &shape.bounds(&now));
        broad_phase.move_leaf(fixture.leaf, &bounds, now.p - before.p);
    }
}
