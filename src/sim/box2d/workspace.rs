//! Memory for solving, which worlds borrow while they are stepped.

use super::joint::JointConstraint;
use super::solver::{ContactConstraint, Position, Velocity};

/// Bodies that touch or are joined, while they are solved.
#[derive(Debug, Default)]
pub(super) struct Island {
    pub bodies: Vec<u32>,
    /// Positions in the world's list.
    pub contacts: Vec<u32>,
    pub joints: Vec<u32>,
    pub positions: Vec<Position>,
    pub velocities: Vec<Velocity>,
    pub contact_constraints: Vec<ContactConstraint>,
    pub joint_constraints: Vec<JointConstraint>,
    /// The bits of velocities and of contacts' impulses some sweeps ago.
    before: Vec<[u32; 4]>,
}

impl Island {
    pub fn clear(&mut self) {
        self.bodies.clear();
        self.contacts.clear();
        self.joints.clear();
        self.positions.clear();
        self.velocities.clear();
        self.contact_constraints.clear();
        self.joint_constraints.clear();
    }

    /// What sweeps over contacts change, in bits.
    fn bits(&self) -> impl Iterator<Item = [u32; 4]> {
        let velocities = self.velocities.iter().map(|velocity| {
            let [x, y, w] = velocity.bits();
            [x, y, w, 0]
        });
        let impulses = self.contact_constraints.iter().map(|contact| {
            let [[a, b], [c, d]] = contact.numbers();
            [a, b, c, d]
        });
        velocities.chain(impulses)
    }

    /// Keeps velocities and impulses to be compared with.
    pub fn remember(&mut self) {
        let mut before = std::mem::take(&mut self.before);
        before.clear();
        before.extend(self.bits());
        self.before = before;
    }

    /// Whether velocities and impulses are what they were when they were kept.
    pub fn is_as_remembered(&self) -> bool {
        self.before.iter().copied().eq(self.bits())
    }

    /// All sweeps over the velocities.
    pub fn solve_velocities(&mut self, sweeps: u32) {
        for _ in 0..sweeps {
            for joint in &mut self.joint_constraints {
                joint.solve_velocity(&mut self.velocities);
            }
            for contact in &mut self.contact_constraints {
                contact.solve_velocity(&mut self.velocities);
            }
        }
    }
}

/// Memory that steps take, so that none is allocated once it has been used. Any world may use any.
#[derive(Debug, Default)]
pub struct Workspace {
    /// The first `count` of them are in use.
    pub(super) islands: Vec<Island>,
    pub(super) count: usize,
    pub(super) stack: Vec<u32>,
    pub(super) pairs: Vec<(u32, u32)>,
    pub(super) impact: Island,
}

impl Workspace {
    /// An empty island, and the stack of bodies that are still to be looked at.
    pub(super) fn next_island(&mut self) -> (&mut Island, &mut Vec<u32>) {
        if self.count == self.islands.len() {
            self.islands.push(Island::default());
        }
        let island = &mut self.islands[self.count];
        self.count += 1;
        island.clear();
        self.stack.clear();
        (island, &mut self.stack)
    }

    /// The first island in use.
    #[cfg(target_arch = "x86_64")]
    pub(super) fn first(&self) -> Option<&Island> {
        self.islands[..self.count].first()
    }

    /// The islands in use.
    pub(super) fn islands_mut(&mut self) -> &mut [Island] {
        &mut self.islands[..self.count]
    }
}
