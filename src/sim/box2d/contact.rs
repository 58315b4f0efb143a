//! Contacts: pairs of fixtures whose fat bounding boxes overlap.

use serde::{Deserialize, Serialize};

use super::body::{BodyId, Fixture, FixtureId};
use super::manifold::Manifold;
use super::math::max;
use super::shape::StoredShape;

/// Event that two fixtures started or stopped touching (`BeginContact`, `EndContact`).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ContactEvent {
    /// Whether the fixtures started touching; `false` if they stopped.
    pub is_begin: bool,
    /// The two fixtures that started or stopped touching.
    pub fixtures: [FixtureId; 2],
    /// The bodies to which the two fixtures belong.
    pub bodies: [BodyId; 2],
}

/// A pair of fixtures whose fat bounding boxes overlap (`b2Contact`).
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Contact {
    pub(super) fixture_a: u32,
    pub(super) fixture_b: u32,
    pub(super) body_a: u32,
    pub(super) body_b: u32,
    pub(super) is_sensor: bool,
    pub(super) is_touching: bool,
    pub(super) is_enabled: bool,
    pub(super) in_island: bool,
    /// Cached time of impact as a fraction of the step (`m_toi`).
    pub(super) toi: Option<f32>,
    /// Number of impacts of the contact that have been solved in this step (`m_toiCount`).
    pub(super) toi_count: u32,
    pub(super) friction: f32,
    pub(super) restitution: f32,
    pub(super) manifold: Manifold,
}

impl Contact {
    /// Creates a contact between two fixtures, which are ordered by shape: edge, polygon, circle. Returns `None` for two edges.
    pub(super) fn new((number_a, a): (u32, &Fixture), (number_b, b): (u32, &Fixture)) -> Option<Self> {
        let rank = |fixture: &Fixture| match fixture.shape {
            StoredShape::Edge(_) => 0,
            StoredShape::Polygon(_) => 1,
            StoredShape::Circle(..) => 2,
        };
        if rank(b) < rank(a) {
            return Self::new((number_b, b), (number_a, a));
        }
        (rank(b) != 0).then(|| Self {
            fixture_a: number_a,
            fixture_b: number_b,
            body_a: a.body,
            body_b: b.body,
            is_sensor: a.is_sensor || b.is_sensor,
            is_touching: false,
            is_enabled: true,
            in_island: false,
            toi: None,
            toi_count: 0,
            friction: (a.friction * b.friction).sqrt(),
            restitution: max(a.restitution, b.restitution),
            manifold: Manifold::default(),
        })
    }

    pub(super) fn is_between(&self, a: u32, b: u32) -> bool {
        (self.fixture_a, self.fixture_b) == (a, b) || (self.fixture_a, self.fixture_b) == (b, a)
    }

    pub(super) fn has_body(&self, body: u32) -> bool {
        self.body_a == body || self.body_b == body
    }

    /// Returns the index of the contact's other body, given the index of one of its two bodies.
    pub(super) fn other_body(&self, body: u32) -> u32 {
        if self.body_a == body { self.body_b } else { self.body_a }
    }

    pub(super) fn event(&self, begins: bool) -> ContactEvent {
        ContactEvent {
            is_begin: begins,
            fixtures: [FixtureId(self.fixture_a), FixtureId(self.fixture_b)],
            bodies: [BodyId(self.body_a), BodyId(self.body_b)],
        }
    }
}
