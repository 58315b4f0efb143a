//! Velocity and position iterations of up to sixteen worlds at once, with one world per SIMD lane.
//!
//! The iterations of one world are a chain of dependent operations, so most of the CPU's execution units are idle. Sixteen worlds
//! in SIMD lanes take the time of two single worlds. Each lane performs the same operations in the same order as
//! [`Island::solve_velocities`] and [`Island::solve_positions`], so results are equal bit by bit. Where worlds take different branches (joint limits, number of
//! contact points, cases of the complementarity problem), all branches are computed. Each lane then selects the result of the
//! branch that its world takes.

mod contact_lanes;
mod joint_lanes;
mod lane_array;
mod lone_body;
mod schedule;
mod vec2_lanes;

use envpool_rs_numeric::simd::{Float32Kernel, SimdLevel};

use self::contact_lanes::ContactLanes;
use self::joint_lanes::JointLanes;
pub(super) use self::lane_array::LANES;
use self::lane_array::{LaneArray, WorldLanes};
pub(super) use self::lone_body::solve_lone_body;
use self::schedule::{Row, Schedule};
use self::vec2_lanes::PositionLanes;
use super::contact_solver::ContactConstraint;
use super::math::LINEAR_SLOP;
use super::revolute_joint::JointConstraint;
use super::workspace::{Island, Workspace};

/// Slot (index in the list of velocities) that all static bodies share.
const STATIC_SLOT: usize = 0;

/// Solves the first islands of several worlds, one world per SIMD lane.
#[derive(Debug, Default)]
pub(super) struct LaneSolver {
    /// Velocities (x, y and angular) of the islands' bodies. Each element (slot) contains the velocities of one body of each
    /// world.
    velocities: Vec<[LaneArray; 3]>,
    /// Positions (x, y and angle) of the islands' bodies in the same slots, without those of static bodies.
    positions: Vec<[LaneArray; 3]>,
    /// Positions at the end of each world's last iteration.
    solved_positions: Vec<[LaneArray; 3]>,
    joints: Vec<JointLanes>,
    joint_count: usize,
    contacts: Vec<ContactLanes>,
    contact_count: usize,
    /// Index of each lane's world in the batch.
    worlds: Vec<usize>,
    /// For each lane, the slots of the bodies of its world's first island. `rows` has the index in `contacts` of each of
    /// its contacts, and the slots of the contact's bodies.
    slots: [Vec<usize>; LANES],
    rows: [Vec<(usize, [usize; 2])>; LANES],
    schedule: Schedule,
    /// Whether rows contain contacts of different bodies.
    shares_rows: bool,
    /// Bit mask of the worlds whose islands are loaded. `position_lanes` is the bit mask of those whose positions are also solved
    /// in lanes, and `solved_lanes` of those whose position errors are within tolerance.
    lanes: u32,
    position_lanes: u32,
    solved_lanes: u32,
}

/// SIMD kernel that runs the velocity iterations of the loaded islands.
struct VelocityIterations<'a> {
    solvers: &'a mut [LaneSolver],
    iterations: u32,
}

impl Float32Kernel for VelocityIterations<'_> {
    type Output = ();

    /// Runs the iterations in the order of the solvers' schedules. The processor overlaps the operations of several solvers, which
    /// are independent.
    #[inline(always)]
    fn run<V: WorldLanes>(self) {
        let count = |count: fn(&Schedule) -> u32| self.solvers.iter().map(|solver| count(&solver.schedule)).max().unwrap_or(0);
        let (steps, stages) = (count(|schedule| schedule.steps.len() as u32), count(|schedule| schedule.stages));
        for round in 0..self.iterations + stages {
            for index in 0..steps as usize {
                for LaneSolver { velocities, joints, contacts, schedule, .. } in &mut *self.solvers {
                    match schedule.steps.get(index) {
                        // Rounds before an iteration's first stage wrap around.
                        Some(step) if round.wrapping_sub(step.stage) < self.iterations => match step.row {
                            Row::Joint(row) => joints[row].solve::<V>(velocities),
                            Row::Contact(row) => contacts[row].solve::<V>(velocities),
                        },
                        _ => {}
                    }
                }
            }
        }
    }
}

/// SIMD kernel that runs the position iterations of the loaded islands. Worlds whose errors are within tolerance keep the
/// positions that they have then.
struct PositionIterations<'a> {
    solvers: &'a mut [LaneSolver],
    iterations: u32,
}

impl Float32Kernel for PositionIterations<'_> {
    type Output = ();

    #[inline(always)]
    fn run<V: WorldLanes>(self) {
        for iteration in 0..self.iterations {
            let is_last = iteration + 1 == self.iterations;
            let mut is_done = true;
            for solver in &mut *self.solvers {
                if solver.solved_lanes != solver.position_lanes {
                    solver.solve_positions_once::<V>(is_last);
                    is_done = false;
                }
            }
            if is_done {
                return;
            }
        }
    }
}

/// Number of solvers whose operations are interleaved.
const INTERLEAVED: usize = 2;

/// Runs the velocity iterations of the worlds that the solvers have loaded.
pub(super) fn solve_velocities(solvers: &mut [LaneSolver], iterations: u32, level: SimdLevel) {
    solvers.iter_mut().for_each(LaneSolver::plan);
    for solvers in solvers.chunks_mut(INTERLEAVED) {
        level.run_float32(width(solvers, |solver| solver.lanes), VelocityIterations { solvers, iterations });
    }
}

/// Runs the position iterations of the worlds whose positions the solvers have loaded.
pub(super) fn solve_positions(solvers: &mut [LaneSolver], iterations: u32, level: SimdLevel) {
    for solvers in solvers.chunks_mut(INTERLEAVED) {
        level.run_float32(width(solvers, |solver| solver.position_lanes), PositionIterations { solvers, iterations });
    }
}

/// Returns the number of lanes that the solvers need; `lanes` is the bit mask of a solver's lanes.
fn width(solvers: &[LaneSolver], lanes: impl Fn(&LaneSolver) -> u32) -> usize {
    solvers.iter().map(|solver| u32::BITS - lanes(solver).leading_zeros()).max().unwrap_or(0) as usize
}

impl LaneSolver {
    /// Loads the first islands of those of the worlds `members` (indices in `worlds`) whose joints connect the same slots, if there are
    /// at least two. Returns a bit mask of these worlds.
    ///
    /// If `shares_rows`, rows contain contacts of different bodies, so that there are fewer rows, but more of them depend on each other:
    /// this is faster only if another solver's rows lie between them.
    pub fn load(&mut self, worlds: &[Workspace], members: impl IntoIterator<Item = usize>, shares_rows: bool) -> u32 {
        self.shares_rows = shares_rows;
        let mut lanes = std::mem::take(&mut self.worlds);
        lanes.clear();
        lanes.extend(members);
        self.lanes = self.load_islands(worlds, &lanes);
        self.worlds = lanes;
        if self.lanes.count_ones() < 2 {
            (self.lanes, self.joint_count, self.contact_count) = (0, 0, 0);
        }
        self.lanes
    }

    /// Plans the order of the velocity iterations' rows.
    fn plan(&mut self) {
        self.schedule.clear(self.velocities.len());
        for (row, joint) in self.joints[..self.joint_count].iter().enumerate() {
            self.schedule.add(Row::Joint(row), joint.slots().into_iter());
        }
        for (row, contact) in self.contacts[..self.contact_count].iter().enumerate() {
            self.schedule.add(Row::Contact(row), contact.slots());
        }
        self.schedule.finish();
    }

    /// Returns the lane and the index of each world whose bit in the mask `lanes` is `bit`.
    pub fn worlds(&self, lanes: u32, bit: bool) -> impl Iterator<Item = (usize, usize)> + use<'_> {
        self.worlds.iter().copied().enumerate().filter(move |(lane, _)| (lanes >> lane & 1 == 1) == bit)
    }

    /// Returns the indices of the loaded worlds whose position errors are not within tolerance.
    pub fn unsolved(&self) -> impl Iterator<Item = usize> + use<'_> {
        self.worlds(self.position_lanes & !self.solved_lanes, true).map(|(_, world)| world)
    }

    /// Stores velocities and impulses in the islands of the loaded worlds.
    pub fn store(&self, worlds: &mut [Workspace]) {
        for (lane, world) in self.worlds(self.lanes, true) {
            self.store_island(lane, &mut worlds[world].islands[0]);
        }
    }

    /// Loads the positions of the loaded worlds whose constraints all have a position iteration in lanes. Returns a bit mask of
    /// these worlds.
    pub fn load_positions(&mut self, worlds: &[Workspace]) -> u32 {
        (self.position_lanes, self.solved_lanes) = (0, 0);
        if self.joints[..self.joint_count].iter().any(|joint| joint.slots().contains(&STATIC_SLOT)) {
            return 0;
        }
        self.positions.clear();
        self.positions.resize(self.velocities.len(), [LaneArray::default(); 3]);
        for (lane, world) in self.worlds.iter().enumerate().filter(|(lane, _)| self.lanes >> lane & 1 == 1) {
            let island = &worlds[*world].islands[0];
            if !island.joint_constraints.iter().all(JointConstraint::has_position_lanes)
                || !island.contact_constraints.iter().all(ContactConstraint::has_position_lanes)
            {
                continue;
            }
            self.position_lanes |= 1 << lane;
            for (position, slot) in island.positions.iter().zip(&self.slots[lane]) {
                let [x, y, a] = &mut self.positions[*slot];
                (x.0[lane], y.0[lane], a.0[lane]) = (position.c.x, position.c.y, position.a);
            }
            for ((row, _), contact) in self.rows[lane].iter().zip(&island.contact_constraints) {
                let starts = [contact.index_a, contact.index_b].map(|body| island.positions[body as usize]);
                self.contacts[*row].set_manifold(lane, contact, starts);
            }
        }
        self.solved_positions.clone_from(&self.positions);
        self.position_lanes
    }

    /// Runs one position iteration. Saves the positions of the worlds that it solves, and of all unsolved worlds if it is the last.
    #[inline(always)]
    fn solve_positions_once<V: WorldLanes>(&mut self, is_last: bool) {
        let (positions, unsolved) = (&mut self.positions, self.position_lanes & !self.solved_lanes);
        let mut least = V::splat(0.0);
        for contact in &self.contacts[..self.contact_count] {
            least = contact.solve_position(positions, unsolved, least);
        }
        let mut solved = least.ge(V::splat(-3.0 * LINEAR_SLOP));
        for joint in &self.joints[..self.joint_count] {
            solved = V::mask_and(solved, joint.solve_position::<V>(positions, unsolved));
        }
        let solved = unsolved & V::bits(solved);
        self.solved_lanes |= solved;
        let ended = if is_last { unsolved } else { solved };
        if ended != 0 {
            for (row, saved) in positions.iter().zip(&mut self.solved_positions) {
                let ended = V::mask(ended);
                PositionLanes::<V>::select(ended, PositionLanes::load(row), PositionLanes::load(saved)).store(saved);
            }
        }
    }

    /// Stores positions, and whether the errors are within tolerance, in the islands of the worlds whose positions are loaded.
    pub fn store_positions(&self, worlds: &mut [Workspace]) {
        for (lane, world) in self.worlds(self.position_lanes, true) {
            let island = &mut worlds[world].islands[0];
            island.is_solved = self.solved_lanes >> lane & 1 == 1;
            for (position, slot) in island.positions.iter_mut().zip(&self.slots[lane]) {
                if *slot != STATIC_SLOT {
                    let [x, y, a] = &self.solved_positions[*slot];
                    (position.c.x, position.c.y, position.a) = (x.0[lane], y.0[lane], a.0[lane]);
                }
            }
        }
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

    fn load_islands(&mut self, worlds: &[Workspace], lanes: &[usize]) -> u32 {
        let islands = || lanes.iter().enumerate().filter_map(|(lane, world)| Some((lane, worlds[*world].first_island()?)));
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
        self.rows[lane].clear();
        for contact in &island.contact_constraints {
            let slots = [contact.index_a, contact.index_b].map(|body| self.slots[lane][body as usize]);
            let row = self.find_row(lane, slots);
            self.contacts[row].set(lane, slots, contact);
            self.rows[lane].push((row, slots));
        }
    }

    /// Returns the row of contacts for the next contact of a world, or adds one: a row behind the rows of the world's other contacts
    /// of the same moving bodies. So each world solves the contacts of each body in its order.
    fn find_row(&mut self, lane: usize, slots: [usize; 2]) -> usize {
        let shares_body =
            |(_, others): &&(usize, [usize; 2])| others.iter().any(|slot| *slot != STATIC_SLOT && slots.contains(slot));
        let first = self.rows[lane].iter().filter(shares_body).map(|(row, _)| row + 1).max().unwrap_or(0);
        let row = (first..self.contact_count)
            .find(|row| self.contacts[*row].accepts(lane, slots, self.shares_rows))
            .unwrap_or(self.contact_count);
        if row == self.contact_count {
            if row == self.contacts.len() {
                self.contacts.push(ContactLanes::default());
            }
            self.contacts[row].clear(slots);
            self.contact_count += 1;
        }
        row
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
        for ((row, _), contact) in self.rows[lane].iter().zip(&mut island.contact_constraints) {
            self.contacts[*row].get(lane, contact);
        }
    }
}
