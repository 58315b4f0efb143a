//! Reusable memory for a step of a world: islands of bodies, contacts and joints.

use envpool_rs_numeric::simd::SimdLevel;

use super::contact_solver::{ContactConstraint, Position, Velocity};
use super::math::{LINEAR_SLOP, min};
use super::revolute_joint::JointConstraint;
use super::step::BAUMGARTE;
use super::time_of_impact::SweptBounds;

/// Island: bodies that contacts and joints connect, which are solved together (`b2Island`).
#[derive(Debug, Default)]
pub(super) struct Island {
    pub bodies: Vec<u32>,
    /// Indices of the island's contacts in the world's list.
    pub contacts: Vec<u32>,
    pub joints: Vec<u32>,
    pub positions: Vec<Position>,
    pub velocities: Vec<Velocity>,
    pub contact_constraints: Vec<ContactConstraint>,
    pub joint_constraints: Vec<JointConstraint>,
    /// Whether the position errors are within tolerance after the position iterations.
    pub is_solved: bool,
    /// Bit patterns of the velocities and contact impulses at the last call of [`Self::save_bits`].
    saved_bits: Vec<[u32; 4]>,
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

    /// Returns the bit patterns of the island's velocities and contact impulses.
    fn bits(&self) -> impl Iterator<Item = [u32; 4]> {
        let velocities = self.velocities.iter().map(|velocity| {
            let [x, y, w] = velocity.bits();
            [x, y, w, 0]
        });
        let impulses = self.contact_constraints.iter().map(|contact| {
            let [[a, b], [c, d]] = contact.impulse_bits();
            [a, b, c, d]
        });
        velocities.chain(impulses)
    }

    /// Saves the current bit patterns of the island's velocities and contact impulses.
    pub fn save_bits(&mut self) {
        let mut saved = std::mem::take(&mut self.saved_bits);
        saved.clear();
        saved.extend(self.bits());
        self.saved_bits = saved;
    }

    /// Returns whether the bit patterns of velocities and contact impulses equal those that [`Self::save_bits`] saved.
    pub fn matches_saved_bits(&self) -> bool {
        self.saved_bits.iter().copied().eq(self.bits())
    }

    /// Runs all velocity iterations of the island.
    pub fn solve_velocities(&mut self, iterations: u32) {
        for _ in 0..iterations {
            for joint in &mut self.joint_constraints {
                joint.solve_velocity_constraints(&mut self.velocities);
            }
            for contact in &mut self.contact_constraints {
                contact.solve_velocity_constraint(&mut self.velocities);
            }
        }
    }

    /// Runs position iterations until all position errors are within tolerance, at most `iterations` times.
    pub fn solve_positions(&mut self, iterations: u32) {
        self.is_solved = false;
        for _ in 0..iterations {
            let mut least = 0.0;
            for contact in &self.contact_constraints {
                least = min(least, contact.solve_position_constraint(&mut self.positions, BAUMGARTE, [true; 2]));
            }
            self.is_solved = least >= -3.0 * LINEAR_SLOP;
            for joint in &self.joint_constraints {
                self.is_solved &= joint.solve_position_constraints(&mut self.positions);
            }
            if self.is_solved {
                return;
            }
        }
    }
}

/// Velocity iterations of an island that remain, without those that cannot change the result.
///
/// If velocities and impulses return to an earlier state bit by bit, the iterations form a cycle, and complete cycles are skipped.
/// Brent's algorithm finds the cycle.
pub(super) struct IterationCycle {
    /// Number of iterations to run.
    pub remaining: u32,
    /// Number of iterations since the state was saved, and the number after which it is saved again.
    elapsed: u32,
    power: u32,
}

impl IterationCycle {
    pub fn new(island: &mut Island, iterations: u32) -> Self {
        island.save_bits();
        Self { remaining: iterations, elapsed: 0, power: 1 }
    }

    /// Counts an iteration. One that has not changed the velocity, which `has_moved` says, probably starts a cycle of a single iteration.
    #[inline(always)]
    pub fn finish_iteration(&mut self, island: &mut Island, has_moved: bool) {
        self.remaining -= 1;
        self.elapsed += 1;
        if island.matches_saved_bits() {
            // The iterations form a cycle of `elapsed` iterations.
            self.remaining %= self.elapsed;
        } else if self.elapsed == self.power || !has_moved {
            island.save_bits();
            self.power *= if self.elapsed == self.power { 2 } else { 1 };
            self.elapsed = 0;
        }
    }
}

/// Reusable memory for a step, so that later steps allocate no memory. Any world may use any workspace.
#[derive(Debug, Default)]
pub struct Workspace {
    /// Islands of the current step. The first `island_count` elements are in use; the others are reusable memory.
    pub(super) islands: Vec<Island>,
    pub(super) island_count: usize,
    pub(super) stack: Vec<u32>,
    pub(super) pairs: Vec<(u32, u32)>,
    pub(super) toi_island: Island,
    /// Boxes of the polygons of moving bodies during the current step.
    pub(super) swept: Vec<SweptBounds>,
    /// Vector instructions that the step may use.
    pub(super) level: SimdLevel,
}

impl Workspace {
    /// Adds an empty island. Returns the island, and an empty stack of body indices for the search that fills the island.
    pub(super) fn add_island(&mut self) -> (&mut Island, &mut Vec<u32>) {
        if self.island_count == self.islands.len() {
            self.islands.push(Island::default());
        }
        let island = &mut self.islands[self.island_count];
        self.island_count += 1;
        island.clear();
        self.stack.clear();
        (island, &mut self.stack)
    }

    /// Returns the first island of the current step; `None` if there is none.
    #[cfg(target_arch = "x86_64")]
    pub(super) fn first_island(&self) -> Option<&Island> {
        self.islands[..self.island_count].first()
    }

    /// Returns all islands of the current step.
    pub(super) fn islands_mut(&mut self) -> &mut [Island] {
        &mut self.islands[..self.island_count]
    }
}
