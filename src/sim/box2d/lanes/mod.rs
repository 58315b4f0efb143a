//! Sweeps over the velocities of up to sixteen worlds at once, a world in each lane of vector registers.
//!
//! A sweep is a chain of operations each of which waits for the one before: a world alone leaves most of the processor idle. Sixteen are
//! solved in the time of two. Each lane does what [`Island::solve_velocities`] does, operation by operation, so that the bits are the same;
//! where worlds differ (limits, points of contact, cases) all ways are gone, and each takes its own.

mod contacts;
mod joints;
mod plane;
mod vector;

use std::marker::PhantomData;

use envpool_rs_numeric::simd::{F32x8, F32x16, Lanes, Pair, SimdLevel, Work};

use self::contacts::Contacts;
use self::joints::Joints;
use self::vector::{Row, Vector, WIDTH};
use super::workspace::{Island, Workspace};

/// The slot of all that never moves.
const STILL: usize = 0;

/// Memory for solving islands together.
#[derive(Debug, Default)]
pub(super) struct Group {
    /// Slot by slot, the velocity of the body that each world has there.
    speeds: Vec<[Row; 3]>,
    joints: Vec<Joints>,
    joint_count: usize,
    contacts: Vec<Contacts>,
    contact_count: usize,
    /// World by world, body by body of the island, its slot.
    slots: [Vec<usize>; WIDTH],
}

/// Sweeps over the velocities that a group has taken in.
struct Sweeps<'a, V> {
    group: &'a mut Group,
    count: u32,
    lanes: PhantomData<V>,
}

impl<'a, V: Vector> Sweeps<'a, V> {
    fn new(group: &'a mut Group, count: u32) -> Self {
        Self { group, count, lanes: PhantomData }
    }
}

impl<V: Vector> Work for Sweeps<'_, V> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        let Group { speeds, joints, joint_count, contacts, contact_count, .. } = self.group;
        for _ in 0..self.count {
            for joint in &mut joints[..*joint_count] {
                joint.solve::<V>(speeds);
            }
            for contact in &mut contacts[..*contact_count] {
                contact.solve::<V>(speeds);
            }
        }
    }
}

impl Group {
    /// Solves the first islands of these worlds together, as far as they are alike, and says of which ones: none without registers.
    pub fn solve(&mut self, worlds: &mut [Workspace], sweeps: u32, level: SimdLevel) -> u16 {
        let alike = self.take_in(worlds);
        if alike.count_ones() < 2 {
            return 0;
        }
        match level {
            SimdLevel::Avx512(_) => F32x16::enter(Sweeps::<F32x16>::new(self, sweeps)),
            SimdLevel::Avx2(_) => Pair::<F32x8>::enter(Sweeps::<Pair<F32x8>>::new(self, sweeps)),
            SimdLevel::Baseline | SimdLevel::Scalar => return 0,
        }
        for (lane, world) in worlds.iter_mut().enumerate().take(WIDTH) {
            if alike >> lane & 1 == 1 {
                self.give_back(lane, &mut world.islands[0]);
            }
        }
        alike
    }

    /// Gives bodies their slots: those of joints in their order, then those of contacts, so that worlds which are built alike have the same.
    fn assign(slots: &mut Vec<usize>, island: &Island) -> usize {
        slots.clear();
        slots.resize(island.velocities.len(), STILL);
        let mut last = STILL;
        let mut give = |body: u32, moves: bool| {
            let slot = &mut slots[body as usize];
            if *slot == STILL && moves {
                last += 1;
                *slot = last;
            }
        };
        for joint in &island.joint_constraints {
            give(joint.index_a, joint.ma != 0.0 || joint.ia != 0.0);
            give(joint.index_b, joint.mb != 0.0 || joint.ib != 0.0);
        }
        for contact in &island.contact_constraints {
            give(contact.index_a, contact.ma != 0.0 || contact.ia != 0.0);
            give(contact.index_b, contact.mb != 0.0 || contact.ib != 0.0);
        }
        last + 1
    }

    fn take_in(&mut self, worlds: &[Workspace]) -> u16 {
        let islands = || worlds.iter().enumerate().take(WIDTH).filter_map(|(lane, world)| Some((lane, world.first()?)));
        let Some((first_lane, first)) = islands().next() else { return 0 };
        (self.joint_count, self.contact_count) = (first.joint_constraints.len(), 0);
        let mut alike = 0;
        for (lane, island) in islands() {
            let count = Self::assign(&mut self.slots[lane], island);
            if self.speeds.len() < count {
                self.speeds.resize(count, [Row::default(); 3]);
            }
            if self.are_alike((first_lane, first), (lane, island)) {
                alike |= 1 << lane;
            }
        }
        if self.joints.len() < self.joint_count {
            self.joints.resize_with(self.joint_count, Joints::default);
        }
        let slots = &self.slots[first_lane];
        for (joints, joint) in self.joints.iter_mut().zip(&first.joint_constraints) {
            joints.clear(slots[joint.index_a as usize], slots[joint.index_b as usize]);
        }
        for (lane, island) in islands().filter(|(lane, _)| alike >> lane & 1 == 1) {
            self.fill(lane, island);
        }
        alike
    }

    /// Whether two worlds' joints are between the same slots.
    fn are_alike(&self, (lane, island): (usize, &Island), (other_lane, other): (usize, &Island)) -> bool {
        let (slots, other_slots) = (&self.slots[lane], &self.slots[other_lane]);
        island.joint_constraints.len() == other.joint_constraints.len()
            && island.joint_constraints.iter().zip(&other.joint_constraints).all(|(one, other)| {
                slots[one.index_a as usize] == other_slots[other.index_a as usize]
                    && slots[one.index_b as usize] == other_slots[other.index_b as usize]
            })
    }

    fn fill(&mut self, lane: usize, island: &Island) {
        for (velocity, slot) in island.velocities.iter().zip(&self.slots[lane]) {
            let speed = &mut self.speeds[*slot];
            (speed[0].0[lane], speed[1].0[lane], speed[2].0[lane]) = (velocity.v.x, velocity.v.y, velocity.w);
        }
        let still = &mut self.speeds[STILL];
        still.iter_mut().for_each(|row| row.0[lane] = 0.0);
        for (joints, joint) in self.joints.iter_mut().zip(&island.joint_constraints) {
            joints.set(lane, joint);
        }
        let count = island.contact_constraints.len();
        if self.contacts.len() < count {
            self.contacts.resize_with(count, Contacts::default);
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

    fn give_back(&self, lane: usize, island: &mut Island) {
        for (velocity, slot) in island.velocities.iter_mut().zip(&self.slots[lane]) {
            if *slot != STILL {
                let [x, y, w] = &self.speeds[*slot];
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
