//! Contacts: pairs of fixtures whose boxes overlap.

use serde::{Deserialize, Serialize};

use super::body::{BodyId, Fixture, FixtureId};
use super::manifold::Manifold;
use super::math::max;
use super::shape::Form;

/// Two fixtures began to touch each other, or ended it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ContactEvent {
    /// Whether they touch from now on.
    pub begins: bool,
    /// The fixtures.
    pub fixtures: [FixtureId; 2],
    /// Their bodies.
    pub bodies: [BodyId; 2],
}

/// Two fixtures that are close.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Contact {
    pub(super) fixture_a: u32,
    pub(super) fixture_b: u32,
    pub(super) body_a: u32,
    pub(super) body_b: u32,
    pub(super) is_sensor: bool,
    pub(super) is_touching: bool,
    pub(super) is_enabled: bool,
    pub(super) in_island: bool,
    /// When they meet, as far as it is known.
    pub(super) toi: Option<f32>,
    /// How often they have met within the step.
    pub(super) toi_count: u32,
    pub(super) friction: f32,
    pub(super) restitution: f32,
    pub(super) manifold: Manifold,
}

impl Contact {
    /// A contact between two fixtures, in the order of their shapes; none where both are edges.
    pub(super) fn new((number_a, a): (u32, &Fixture), (number_b, b): (u32, &Fixture)) -> Option<Self> {
        let rank = |fixture: &Fixture| match fixture.form {
            Form::Edge(_) => 0,
            Form::Polygon(_) => 1,
            Form::Circle(..) => 2,
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

    pub(super) fn joins(&self, a: u32, b: u32) -> bool {
        (self.fixture_a, self.fixture_b) == (a, b) || (self.fixture_a, self.fixture_b) == (b, a)
    }

    pub(super) fn has(&self, body: u32) -> bool {
        self.body_a == body || self.body_b == body
    }

    /// The body that is not this one.
    pub(super) fn other(&self, body: u32) -> u32 {
        if self.body_a == body { self.body_b } else { self.body_a }
    }

    pub(super) fn event(&self, begins: bool) -> ContactEvent {
        ContactEvent {
            begins,
            fixtures: [FixtureId(self.fixture_a), FixtureId(self.fixture_b)],
            bodies: [BodyId(self.body_a), BodyId(self.body_b)],
        }
    }
}
