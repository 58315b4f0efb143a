//! Velocity iterations of up to sixteen worlds at once, with one world per SIMD lane.
//!
//! The velocity iterations of one world are a chain of dependent operations, so most of the CPU's execution units are idle.
//! Sixteen worlds in SIMD lanes take the time of two single worlds. Each lane performs the same operations in the same order as
//! [`Island::solve_velocities`], so results are equal bit by bit. Where worlds take different branches (joint limits, number of
//! contact points, cases of the complementarity problem), all branches are computed. Each lane then selects the result of the
//! branch that its world takes.

mod contact_lanes;
mod joint_lanes;
mod lane_array;
mod vec2_lanes;

use envpool_rs_numeric::simd::{Float32Kernel, SimdLevel};

use self::contact_lanes::ContactLanes;
use self::joint_lanes::JointLanes;
use self::lane_array::{LANES, LaneArray, Lanes16};
use super::workspace::{Island, Workspace};

/// Slot (index in the list of velocities) that all static bodies share.
const STATIC_SLOT: usize = 0;

/// Solves the velocity iterations of the first islands of several worlds, one world per SIMD lane.
#[derive(Debug, Default)]
pub(super) struct LaneSolver {
    /// Velocities (x, y and angular) of the islands' bodies. Each element (slot) contains the velocities of one body of each
    /// world.
    velocities: Vec<[LaneArray; 3]>,
    joints: Vec<JointLanes>,
    joint_count: usize,
    contacts: Vec<ContactLanes>,
    contact_count: usize,
    /// For each world, the slots of the bodies of its first island.
    slots: [Vec<usize>; LANES],
}

/// SIMD kernel that runs the velocity iterations of the loaded islands.
struct Iterations<'a> {
    solver: &'a mut LaneSolver,
    iterations: u32,
}

impl Float32Kernel for Iterations<'_> {
    type Output = ();

    #[inline(always)]
    fn run<V: Lanes16>(self) {
        let LaneSolver { velocities, joints, joint_count, contacts, contact_count, .. } = self.solver;
        for _ in 0..self.iterations {
            for joint in &mut joints[..*joint_count] {
                joint.solve::<V>(velocities);
            }
            for contact in &mut contacts[..*contact_count] {
                contact.solve::<V>(velocities);
            }
        }
    }
}

impl LaneSolver {
    /// Solves the velocity iterations of the first islands of those worlds whose joints connect the same slots. Returns a bit
    /// mask of the solved worlds, which is 0 without AVX2.
    pub fn solve(&mut self, worlds: &mut [Workspace], iterations: u32, level: SimdLevel) -> u16 {
        let matching = self.load_islands(worlds);
        if matching.count_ones() < 2 {
            return 0;
        }
        if level.run_float32(Iterations { solver: self, iterations }).is_none() {
            return 0;
        }
        for (lane, world) in worlds.iter_mut().enumerate().take(LANES) {
            if matching >> lane & 1 == 1 {
                self.store_island(lane, &mut world.islands[0]);
            }
        }
        matching
    }

    /// Assigns slots to the bodies of an island: first in the order of the joints that connect them, then in the order of
    /// contacts. So corresponding bodies of similar worlds get the same slots. Returns the number of slots.
    fn assign_slots(slots: &mut Vec<usize>, island: &Island) -> usize {
        slots.clear();
        slots.resize(island.velocities.len(), STATIC_SLOT);
        let mut last_slot = STATIC_SLOT;
        let mut assign = |body: u32, moves: bool| {
            let slot = &mut slots[body as usize];
            if *slot == STATIC_SLOT && moves {
                last_slot += 1;
                *slot = last_slot;
            }
        };
        for joint in &island.joint_constraints {
            assign(joint.index_a, joint.ma != 0.0 || joint.ia != 0.0);
            assign(joint.index_b, joint.mb != 0.0 || joint.ib != 0.0);
        }
        for contact in &island.contact_constraints {
            assign(contact.index_a, contact.ma != 0.0 || contact.ia != 0.0);
            assign(contact.index_b, contact.mb != 0.0 || contact.ib != 0.0);
        }
        last_slot + 1
    }

    fn load_islands(&mut self, worlds: &[Workspace]) -> u16 {
        let islands = || worlds.iter().enumerate().take(LANES).filter_map(|(lane, world)| Some((lane, world.first_island()?)));
        let Some((first_lane, first)) = islands().next() else { return 0 };
        (self.joint_count, self.contact_count) = (first.joint_constraints.len(), 0);
        let mut matching = 0;
        for (lane, island) in islands() {
            let count = Self::assign_slots(&mut self.slots[lane], island);
            if self.velocities.len() < count {
                self.velocities.resize(count, [LaneArray::default(); 3]);
            }
            if self.joints_match((first_lane, first), (lane, island)) {
                matching |= 1 << lane;
            }
        }
        if self.joints.len() < self.joint_count {
            self.joints.resize_with(self.joint_count, JointLanes::default);
        }
        let slots = &self.slots[first_lane];
        for (joints, joint) in self.joints.iter_mut().zip(&first.joint_constraints) {
            joints.clear(slots[joint.index_a as usize], slots[joint.index_b as usize]);
        }
        for (lane, island) in islands().filter(|(lane, _)| matching >> lane & 1 == 1) {
            self.load_island(lane, island);
        }
        matching
    }

    /// Returns whether the joints of the islands of two worlds connect bodies in the same slots.
    fn joints_match(&self, (lane, island): (usize, &Island), (other_lane, other): (usize, &Island)) -> bool {
        let (slots, other_slots) = (&self.slots[lane], &self.slots[other_lane]);
        island.joint_constraints.len() == other.joint_constraints.len()
            && island.joint_constraints.iter().zip(&other.joint_constraints).all(|(one, other)| {
                slots[one.index_a as usize] == other_slots[other.index_a as usize]
                    && slots[one.index_b as usize] == other_slots[other.index_b as usize]
            })
    }

    fn load_island(&mut self, lane: usize, island: &Island) {
        for (velocity, slot) in island.velocities.iter().zip(&self.slots[lane]) {
            let speed = &mut self.velocities[*slot];
            (speed[0].0[lane], speed[1].0[lane], speed[2].0[lane]) = (velocity.v.x, velocity.v.y, velocity.w);
        }
        let static_velocity = &mut self.velocities[STATIC_SLOT];
        static_velocity.iter_mut().for_each(|row| row.0[lane] = 0.0);
        for (joints, joint) in self.joints.iter_mut().zip(&island.joint_constraints) {
            joints.set(lane, joint);
        }
        let count = island.contact_constraints.len();
        if self.contacts.len() < count {
            self.contacts.resize_with(count, ContactLanes::default);
        }
        while self.contact_count < count {
            self.contacts[self.contact_count].clear();
            self.contact_count += 1;
        }
        for (contacts, contact) in self.contacts.iter_mut().zip(&island.contact_constraints) {
            let slot = |body: u32| self.slots[lane][body as usize];
            contacts.set(lane, contact, (slot(contact.index_a), slot(contact.index_b)));
        }
    }

    fn store_island(&self, lane: usize, island: &mut Island) {
        for (velocity, slot) in island.velocities.iter_mut().zip(&self.slots[lane]) {
            if *slot != STATIC_SLOT {
                let [x, y, w] = &self.velocities[*slot];
                (velocity.v.x, velocity.v.y, velocity.w) = (x.0[lane], y.0[lane], w.0[lane]);
            }
        }
        for (joints, joint) in self.joints.iter().zip(&mut island.joint_constraints) {
            joints.get(lane, joint);
        }
        for (contacts, contact) in self.contacts.iter().zip(&mut island.contact_constraints) {
            contacts.get(lane, contact);
        }
    }
}
