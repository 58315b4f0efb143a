//! `mj_step` for a batch of simulations.

use super::super::data::Data;
use super::compact::GaussSeidel;
use super::feelers::{Feeler, Place, Pressure};
use super::find::FindRows;
use super::integrate::{Euler, RungeKutta, STAGES, Stages, bad};
use super::islands::{Bound, Choose, Give, Part, Take};
use super::newton::{Counts, Newton};
use super::planar::{Flat, Planes, Step};
use super::ropes::{length, places, velocity};
use super::rows::Rows;
use super::smooth::{Motion, Smooth};
use super::state::{Derived, Lane, Parts};
use super::tables::{DOFS, Integrator, POSITIONS, Tables, Tendon};
use envpool_rs_numeric::simd::{Float64Lanes, Lanes, Work};

/// Batch of simulations, one per lane, with the memory to step them.
pub(super) struct Group<V: Float64Lanes> {
    pub(super) motion: Box<Motion<V>>,
    pub(super) rows: Rows<V>,
    /// `qacc_warmstart`.
    pub(super) warm: [V; DOFS],
    /// `qacc`.
    pub(super) accelerations: [V; DOFS],
    /// `qfrc_constraint`.
    pub(super) constraint_forces: [V; DOFS],
    pub(super) stages: Box<Stages<V>>,
    /// Scratch memory for islands that are solved separately.
    part: Option<Box<Part<V>>>,
    /// Positions of the last `mj_forward`, for models with tendons.
    seen_positions: [V; POSITIONS],
    /// Velocities of the last `mj_forward`, for models with tendons.
    seen_velocities: [V; DOFS],
    /// Planar form of the batch; `None` if the model is not planar.
    planes: Option<Planes<V>>,
    feelers: Vec<Feeler>,
    pub(super) counts: Counts,
}

/// Passes the numbers of degrees of freedom for which the Newton solver is compiled to a macro, after other arguments.
macro_rules! newton_sizes {
    ($then:ident $(, $argument:tt)*) => {
        $then!($($argument,)* 1 2 3 4 5 6 7 8 9 14 17 22 27)
    };
}

/// Passes the numbers of degrees of freedom for which PGS is compiled to a macro, after other arguments.
macro_rules! pgs_sizes {
    ($then:ident $(, $argument:tt)*) => {
        $then!($($argument,)* 23)
    };
}

macro_rules! list {
    ($($count:literal)*) => {
        &[$($count),*]
    };
}

/// Numbers of degrees of freedom for which the Newton solver is compiled.
pub(super) const NEWTON_NV: &[usize] = newton_sizes!(list);

/// Numbers of degrees of freedom for which PGS is compiled.
pub(super) const PGS_NV: &[usize] = pgs_sizes!(list);

/// Runs the solver that is compiled for the model's number of degrees of freedom.
macro_rules! solve_for {
    ($solver:ident, $lanes:ident, $tables:ident, $fields:tt, $($count:literal)*) => {
        match $tables.dofs.len() {
            $($count => <$lanes as Lanes>::enter($solver::<$lanes, $count> $fields),)*
            count => unreachable!("{count} degrees of freedom"),
        }
    };
}

/// Check for bad numbers in positions and velocities, as `mj_checkPos` and `mj_checkVel`.
struct Check<'a, V>(&'a Motion<V>, &'a Tables)
where
    V: Float64Lanes;

impl<V: Float64Lanes> Work for Check<'_, V> {
    type Output = u32;

    #[inline(always)]
    fn run(self) -> u32 {
        let Self(motion, tables) = self;
        bad(&motion.positions[..tables.positions]) | bad(&motion.velocities[..tables.dofs.len()])
    }
}

/// Check for bad numbers in accelerations, as `mj_checkAcc`.
struct CheckAccelerations<'a, V>(&'a [V]);

impl<V: Float64Lanes> Work for CheckAccelerations<'_, V> {
    type Output = u32;

    #[inline(always)]
    fn run(self) -> u32 {
        bad(self.0)
    }
}

/// Copies the numbers of one lane.
#[inline(always)]
fn put<V: Float64Lanes>(to: &mut [f64], from: &[V], lane: usize) {
    for (to, from) in to.iter_mut().zip(from) {
        *to = from.get(lane);
    }
}

impl<V: Float64Lanes> Group<V> {
    pub(super) fn new(tables: &Tables, flat: Option<&Flat>, feelers: &[Feeler]) -> Self {
        let none = [V::all(0.0); DOFS];
        Self {
            motion: Motion::new(),
            rows: Rows::new(tables),
            warm: none,
            accelerations: none,
            constraint_forces: none,
            stages: Box::new(Stages::new()),
            part: None,
            seen_positions: [V::all(0.0); POSITIONS],
            seen_velocities: none,
            planes: if const { V::COUNT > 1 } { flat.map(|flat| Planes::new(tables, flat)) } else { None },
            feelers: feelers.to_vec(),
            counts: Counts::default(),
        }
    }

    /// Steps up to [`Lanes::COUNT`] simulations. Returns the lanes that have to fall back to MuJoCo, as bits; their states are
    /// unchanged.
    pub(super) fn step(
        &mut self,
        (tables, parts): (&Tables, &Parts),
        lanes: &mut [Lane<'_>],
        count: u32,
        derived: Derived,
    ) -> u32 {
        let used = (1 << lanes.len()) - 1;
        self.take(parts, lanes);
        let mut left = 0;
        for step in 0..count {
            let is_last = step + 1 == count;
            left |= V::enter(Check(&self.motion, tables));
            let is_flat = self.planes.is_some() && !(is_last && derived.needs_all_axes());
            left |= self.advance(tables, is_flat, is_last && (derived.outer_forces || derived.touches));
            if left & used == used {
                return used;
            }
        }
        left |= V::enter(Check(&self.motion, tables));
        for (lane, to) in lanes.iter_mut().enumerate().filter(|(lane, _)| left >> lane & 1 == 0) {
            self.give((tables, parts), lane, to.state, count);
        }
        left & used
    }

    /// Advances by one step, as `mj_step`. Returns the lanes that have to fall back to MuJoCo, as bits.
    fn advance(&mut self, tables: &Tables, is_flat: bool, keeps: bool) -> u32 {
        match tables.integrator {
            Integrator::Euler => {
                let (mut left, was_flat) = self.forward(tables, is_flat, keeps);
                left |= self.check_accelerations(tables);
                if const { V::COUNT > 1 } && was_flat {
                    return left | self.in_plane(tables, Planes::euler);
                }
                let Self { motion, warm, accelerations, constraint_forces, .. } = self;
                left |= V::enter(Euler { tables, motion, warm, accelerations, constraint_forces });
                left
            }
            Integrator::RungeKutta => {
                let mut left = 0;
                for after in 0..STAGES {
                    left |= self.forward(tables, is_flat, keeps && after + 1 == STAGES).0 | self.check_accelerations(tables);
                    let Self { motion, stages, warm, accelerations, .. } = &mut *self;
                    left |= V::enter(RungeKutta { tables, motion, stages, warm, accelerations, after });
                }
                left
            }
        }
    }

    fn check_accelerations(&self, tables: &Tables) -> u32 {
        V::enter(CheckAccelerations(&self.accelerations[..tables.dofs.len()]))
    }

    /// Computes accelerations, as `mj_forward`. Returns the lanes that have to fall back to MuJoCo, as bits, and whether the
    /// planar form was used.
    fn forward(&mut self, tables: &Tables, is_flat: bool, keeps: bool) -> (u32, bool) {
        if const { V::COUNT > 1 }
            && is_flat
            && let Some(left) = self.in_plane(tables, Planes::forward)
        {
            return (left, true);
        }
        (self.forward_along_all_axes(tables, keeps), false)
    }

    /// Computes accelerations in three dimensions. Returns the lanes that have to fall back to MuJoCo, as bits.
    fn forward_along_all_axes(&mut self, tables: &Tables, keeps: bool) -> u32 {
        if !tables.tendons.is_empty() {
            self.seen_positions = self.motion.positions;
            self.seen_velocities = self.motion.velocities;
        }
        let singular = V::enter(Smooth { tables, motion: &mut self.motion });
        let left = singular | V::enter(FindRows { tables, motion: &self.motion, rows: &mut self.rows, keeps });
        if self.rows.lanes == 0 {
            self.accelerations = self.motion.smooth;
            self.constraint_forces.fill(V::all(0.0));
            return left;
        }
        let Self { motion, rows, warm, accelerations, constraint_forces: forces, counts, .. } = self;
        if let Some(compact) = &mut rows.compact {
            let lanes = rows.lanes;
            pgs_sizes!(solve_for, GaussSeidel, V, tables, { tables, motion, rows: compact, lanes, warm, accelerations, forces });
            return left;
        }
        let is_begun = false;
        if !tables.islands.is_empty() {
            let bound = Bound::of(rows);
            let is_whole =
                |(trees, lanes): &(u64, u32)| *lanes == rows.lanes && tables.dofs.iter().all(|dof| trees >> dof.tree & 1 != 0);
            if !matches!(bound.sets(), [set] if is_whole(set)) {
                return left | self.solve_islands(tables, &bound);
            }
        }
        left | newton_sizes!(solve_for, Newton, V, tables, { tables, motion, rows, warm, is_begun, accelerations, forces, counts })
    }

    /// Solves each island separately. Returns the lanes that have to fall back to MuJoCo, as bits.
    fn solve_islands(&mut self, tables: &Tables, bound: &Bound) -> u32 {
        let Self { motion, rows, warm, accelerations, constraint_forces: forces, counts, part, .. } = self;
        let part = part.get_or_insert_with(|| Box::new(Part::new(tables)));
        *accelerations = motion.smooth;
        forces.fill(V::all(0.0));
        V::enter(Choose { tables, motion, rows, warm, part });
        let mut left = 0;
        for &(trees, lanes) in bound.sets() {
            let island = tables.islands.iter().find(|island| island.trees == trees).expect("islands that there can be");
            V::enter(Take { island, lanes, motion, rows, part });
            let Part { motion, rows: own, begin: warm, accelerations: found, forces: pushed, .. } = &mut **part;
            let (tables, is_begun) = (&island.tables, true);
            left |= {
                let (rows, accelerations, forces, counts) = (own, found, pushed, &mut *counts);
                newton_sizes!(solve_for, Newton, V, tables, { tables, motion, rows, warm, is_begun, accelerations, forces, counts })
            };
            V::enter(Give { island, lanes, rows, part, accelerations, forces });
        }
        left
    }

    /// Calls `work` with the planar form of the batch.
    fn in_plane<T>(&mut self, tables: &Tables, work: impl FnOnce(&mut Planes<V>, Step<'_, V>) -> T) -> T {
        let Self { motion, warm, accelerations, constraint_forces: forces, planes, counts, .. } = self;
        let planes = planes.as_mut().expect("it was looked at before");
        work(planes, Step { tables, motion, warm, accelerations, constraint_forces: forces, counts })
    }

    /// Loads the states of simulations. Unused lanes get a copy of the first lane.
    fn take(&mut self, parts: &Parts, lanes: &[Lane<'_>]) {
        for lane in 0..V::COUNT {
            let Lane { state, control } = &lanes[if lane < lanes.len() { lane } else { 0 }];
            let motion = &mut *self.motion;
            for (to, from) in [
                (&mut motion.positions[..], &state[parts.positions.clone()]),
                (&mut motion.velocities[..], &state[parts.velocities.clone()]),
                (&mut motion.controls[..], control),
                (&mut motion.activations[..], &state[parts.activations.clone()]),
                (&mut self.warm[..], &state[parts.warm.clone()]),
            ] {
                for (to, from) in to.iter_mut().zip(from) {
                    to.set(lane, *from);
                }
            }
        }
    }

    /// Stores the state of a lane.
    fn give(&self, (tables, parts): (&Tables, &Parts), lane: usize, state: &mut [f64], count: u32) {
        let motion = &*self.motion;
        put(&mut state[parts.positions.clone()], &motion.positions, lane);
        put(&mut state[parts.velocities.clone()], &motion.velocities, lane);
        put(&mut state[parts.warm.clone()], &self.warm, lane);
        put(&mut state[parts.activations.clone()], &motion.activations, lane);
        let time = &mut state[parts.time];
        for _ in 0..count {
            *time += tables.timestep;
        }
    }

    /// Writes the results of a lane, as requested by `derived`, into a simulation in any state.
    pub(super) fn show(&self, tables: &Tables, lane: usize, control: &[f64], data: &mut Data, derived: Derived) {
        let motion = &*self.motion;
        put(data.qpos_mut(), &motion.positions, lane);
        put(data.qvel_mut(), &motion.velocities, lane);
        data.ctrl_mut().copy_from_slice(control);
        put(data.act_mut(), &motion.activations, lane);
        let bodies = 1..tables.bodies.len();
        if derived.body_places {
            put(&mut data.xpos_mut()[3..], motion.places[bodies.clone()].as_flattened(), lane);
        }
        if derived.body_motions {
            put(&mut data.xipos_mut()[3..], motion.centres[bodies.clone()].as_flattened(), lane);
            put(&mut data.cinert_mut()[10..], motion.inertias[bodies.clone()].as_flattened(), lane);
            put(&mut data.cvel_mut()[6..], motion.body_velocities[bodies].as_flattened(), lane);
            put(data.qfrc_actuator_mut(), &motion.actuator_forces, lane);
        }
        if derived.site_places {
            for (site, to) in tables.sites.iter().zip(data.site_xpos_mut().as_chunks_mut::<3>().0) {
                *to = motion.fixed_in(lane, site.body, &site.frame);
            }
        }
        if derived.constraint_forces {
            put(data.qfrc_constraint_mut(), &self.constraint_forces, lane);
        }
        if derived.tendons {
            let velocities = self.seen_velocities.map(|velocity| velocity.get(lane));
            let mut ropes = 0;
            for (number, tendon) in tables.tendons.iter().enumerate() {
                let (length, along): (f64, Vec<_>) = match tendon {
                    Tendon::Sum(sum) => {
                        let seen = |position: usize| self.seen_positions[position].get(lane);
                        let length = sum.parts.iter().fold(0.0, |sum, (position, _, share)| sum + share * seen(*position));
                        (length, sum.parts.iter().map(|(_, dof, share)| (*dof, *share)).collect())
                    }
                    Tendon::Rope(rope) => {
                        let along = &self.rows.ropes[ropes].along;
                        ropes += 1;
                        let support = rope.support().into_iter();
                        (length(rope, motion).get(lane), support.map(|dof| (dof, along[dof].get(lane))).collect())
                    }
                };
                data.ten_length_mut()[number] = length;
                data.ten_velocity_mut()[number] =
                    velocity(&along, &velocities, tables.dialect.has_dense_tendons, tables.dofs.len());
            }
        }
        if derived.outer_forces {
            self.outer_forces(tables, lane, data.cfrc_ext_mut());
        }
        if derived.touches {
            self.touches(tables, lane, data.sensordata_mut());
        }
    }

    /// Computes the values of touch sensors, as `mj_sensorAcc`.
    fn touches(&self, tables: &Tables, lane: usize, sensors: &mut [f64]) {
        for feeler in &self.feelers {
            let site = &tables.sites[feeler.site];
            let place = Place {
                centre: self.motion.fixed_in(lane, site.body, &site.frame),
                matrix: self.motion.turned_in(lane, site.body, &site.frame, tables.dialect.sums_in_pairs),
            };
            let mut sum = 0.0;
            for contact in self.rows.contacts.iter().filter(|contact| contact.lanes >> lane & 1 != 0) {
                let pair = &tables.pairs[contact.pair];
                if !pair.bodies.contains(&feeler.body) {
                    continue;
                }
                let first = usize::from(contact.rows[lane]);
                // Only the first row of an elliptic cone has a normal force; all rows of a pyramid have one.
                let count = if tables.has_cones { 1 } else { tables.rows_of(pair.friction()) };
                let force = (0..count).fold(0.0, |sum, row| sum + self.rows.force_in(first + row, lane));
                let [point, normal] = [contact.point, contact.normal].map(|vector| vector.map(|part| part.get(lane)));
                let is_on_second = pair.bodies[1] == feeler.body;
                sum += feeler.felt(&place, &Pressure { point, normal, force, is_on_second });
            }
            sensors[feeler.place] = sum;
        }
    }

    /// Computes `cfrc_ext`: the forces of contacts and tendon limits on bodies, about `subtree_com` of their roots, as
    /// `mj_rnePostConstraint`.
    fn outer_forces(&self, tables: &Tables, lane: usize, forces: &mut [f64]) {
        forces.fill(0.0);
        for contact in self.rows.contacts.iter().filter(|contact| contact.lanes >> lane & 1 != 0) {
            let pair = &tables.pairs[contact.pair];
            let first = usize::from(contact.rows[lane]);
            let row = |row: usize| self.rows.force_in(first + row, lane);
            let (upright, along, across) = match pair.friction() {
                None => (row(0), 0.0, 0.0),
                Some(_) if tables.has_cones => (row(0), row(1), row(2)),
                Some(friction) => {
                    (0.0 + row(0) + row(1) + row(2) + row(3), (row(0) - row(1)) * friction, (row(2) - row(3)) * friction)
                }
            };
            let frame = [contact.normal, contact.tangents[0], contact.tangents[1]].map(|axis| axis.map(|part| part.get(lane)));
            let force = [0, 1, 2].map(|axis| frame[0][axis] * upright + frame[1][axis] * along + frame[2][axis] * across);
            let point = contact.point.map(|part| part.get(lane));
            for (body, sign) in pair.bodies.into_iter().zip([-1.0, 1.0]) {
                self.push(tables, lane, (body, sign), (point, force), forces);
            }
        }
        if !tables.dialect.counts_ropes {
            return;
        }
        for (rope, taut) in tables.ropes().zip(&self.rows.ropes).filter(|(_, taut)| taut.lanes >> lane & 1 != 0) {
            let tension = self.rows.force_in(taut.row, lane);
            let force = taut.pull.map(|part| part.get(lane) * tension);
            for ((end, place), sign) in rope.ends.iter().zip(places(rope, &self.motion)).zip([-1.0, 1.0]) {
                self.push(tables, lane, (end.body, sign), (place.map(|part| part.get(lane)), force), forces);
            }
        }
    }

    /// Adds the wrench of a force at a point of a body, about `subtree_com` of the body's root.
    fn push(
        &self,
        tables: &Tables,
        lane: usize,
        (body, sign): (usize, f64),
        (point, force): ([f64; 3], [f64; 3]),
        forces: &mut [f64],
    ) {
        if body == 0 {
            return;
        }
        let centre = self.motion.tree_centres[tables.bodies[body].root].map(|part| part.get(lane));
        let arm: [f64; 3] = [0, 1, 2].map(|axis| centre[axis] - point[axis]);
        let torque =
            [arm[1] * force[2] - arm[2] * force[1], arm[2] * force[0] - arm[0] * force[2], arm[0] * force[1] - arm[1] * force[0]];
        let sum = &mut forces[6 * body..][..6];
        for axis in 0..3 {
            sum[axis] += sign * (0.0 - torque[axis]);
            sum[3 + axis] += sign * force[axis];
        }
    }
}
