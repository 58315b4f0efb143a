//! Constraints as rows of a matrix: joints at their limits, and shapes that touch.
//!
//! For Newton's method a row that only some lanes have is there for all: where it is not a lane's own, it is nothing but zeros, which
//! change no sum that the solver forms, since all its sums over rows go from row to row. For the other solver, whose sums over rows do not,
//! each lane has rows of its own: see [`super::compact`].

use super::algebra::{TINY, dot};
use super::compact::Compact;
use super::cones::{Cone, Rub};
use super::dialect::Solver;
use super::smooth::Motion;
use super::tables::{DOFS, Softness, Tables};
use envpool_rs_numeric::simd::Float64Lanes;

/// A rope in all lanes, whether it is as long as it can be or not.
pub(super) struct Taut<V> {
    /// How its length changes along the degrees of freedom.
    pub(super) along: [V; DOFS],
    /// The lanes, as bits, in which it is as long, or as short, as it can be; and its row.
    pub(super) lanes: u32,
    pub(super) row: usize,
    /// Which way a force of its row moves its end.
    pub(super) pull: [V; 3],
}

impl<V: Float64Lanes> Taut<V> {
    pub(super) fn new() -> Self {
        let none = V::all(0.0);
        Self { along: [none; DOFS], lanes: 0, row: 0, pull: [none; 3] }
    }
}

/// Two shapes that touch, in some lanes.
#[derive(Clone, Copy)]
pub(super) struct Contact<V> {
    pub(super) pair: usize,
    /// The lanes, as bits.
    pub(super) lanes: u32,
    /// The first of its rows, by lane.
    pub(super) rows: [u16; 8],
    pub(super) point: [V; 3],
    pub(super) normal: [V; 3],
    pub(super) tangents: [[V; 3]; 2],
}

/// The rows, and what the solver keeps of each.
pub(super) struct Rows<V: Float64Lanes> {
    pub(super) count: usize,
    /// How many of them, the first, are equalities, which are always active.
    pub(super) equal: usize,
    /// The lanes, as bits, that have any.
    pub(super) lanes: u32,
    /// Trees that have any, as bits.
    pub(super) trees: u64,
    /// As many numbers a row as there are degrees of freedom.
    pub(super) jacobian: Vec<V>,
    /// 1 and the degree of freedom of a row that has but one number; 0 of others.
    pub(super) only: Vec<u8>,
    /// Which of [`Tables::supports`] another row has.
    pub(super) support: Vec<u16>,
    /// The trees that a row binds together, as bits, and the lanes that have it.
    pub(super) bound: Vec<(u64, u32)>,
    pub(super) ropes: Vec<Taut<V>>,
    /// Friction in joints: the rows after the equalities.
    pub(super) rubs: Vec<Rub>,
    /// Contacts in elliptic cones.
    pub(super) cones: Vec<Cone<V>>,
    /// Forces, where there is any of both.
    pub(super) forces: Vec<V>,
    pub(super) weight: Vec<V>,
    /// The accelerations along the rows that the constraints ask for.
    pub(super) wanted: Vec<V>,
    /// By how much they are exceeded.
    pub(super) excess: Vec<V>,
    /// How that changes with a step of the solver.
    pub(super) change: Vec<V>,
    /// The cost along a step of the solver, by powers of its length; and that at its beginning, where costs are counted from there.
    pub(super) costs: [Vec<V>; 4],
    pub(super) active: Vec<V::Mask>,
    pub(super) was_active: Vec<V::Mask>,
    /// Rows that came or went, by lane.
    pub(super) changed: [Vec<u16>; 8],
    /// Rows lane by lane, for the solver that wants them so.
    pub(super) compact: Option<Box<Compact<V>>>,
    /// Kept where somebody wants to know the forces.
    pub(super) contacts: Vec<Contact<V>>,
    /// Whether somebody does.
    pub(super) keeps: bool,
    /// Lanes, as bits, that have to be left to the library.
    pub(super) alarms: u32,
}

/// Rows of one contact, at most.
const ROWS: usize = 4;

/// What rows have in common that stand for one contact, or limit.
pub(super) struct Constraint<'a, V: Float64Lanes> {
    pub(super) lanes: V::Mask,
    pub(super) resistance: V,
    pub(super) impedance: V,
    pub(super) softness: &'a Softness,
    pub(super) distance: V,
    /// As [`Rows::only`].
    pub(super) only: u8,
    pub(super) support: usize,
}

impl<V: Float64Lanes> Rows<V> {
    pub(super) fn new(tables: &Tables) -> Self {
        let is_compact = tables.solver == Solver::GaussSeidel;
        let rows = if is_compact { 0 } else { tables.rows };
        let numbers = || vec![V::all(0.0); rows];
        let masks = || vec![V::mask(0); rows];
        Self {
            count: 0,
            equal: 0,
            lanes: 0,
            trees: 0,
            jacobian: vec![V::all(0.0); rows.max(ROWS) * tables.dofs.len()],
            only: vec![0; rows],
            support: vec![0; rows],
            bound: vec![(0, 0); rows],
            ropes: tables.ropes().map(|_| Taut::new()).collect(),
            rubs: Vec::new(),
            cones: Vec::new(),
            forces: numbers(),
            weight: numbers(),
            wanted: numbers(),
            excess: numbers(),
            change: numbers(),
            costs: [numbers(), numbers(), numbers(), numbers()],
            active: masks(),
            was_active: masks(),
            changed: Default::default(),
            compact: is_compact.then(|| Box::new(Compact::new(tables))),
            contacts: Vec::new(),
            keeps: false,
            alarms: 0,
        }
    }

    /// Where the next `count` rows are to be written, all zero.
    #[inline(always)]
    pub(super) fn room(&mut self, dofs: usize, count: usize) -> &mut [V] {
        let first = if self.compact.is_some() { 0 } else { self.count };
        let room = &mut self.jacobian[first * dofs..][..count * dofs];
        room.fill(V::all(0.0));
        room
    }

    /// Takes in rows that were written into [`Rows::room`].
    #[inline(always)]
    pub(super) fn take(&mut self, motion: &Motion<V>, (dofs, count): (usize, usize), trees: u64, constraint: &Constraint<'_, V>) {
        let Constraint { lanes, resistance, impedance, softness, distance, only, support } = *constraint;
        let bits = V::bits(lanes);
        self.lanes |= bits;
        if let Some(compact) = &mut self.compact {
            let stiffness = V::all(softness.stiffness) * impedance;
            for row in self.jacobian[..count * dofs].chunks_exact(dofs) {
                self.alarms |= compact.push(bits, row, [resistance, stiffness, distance], -softness.damping);
            }
            return;
        }
        self.trees |= trees;
        let weight = (V::all(1.0) / resistance).keep(lanes);
        for row in self.count..self.count + count {
            self.weight[row] = weight;
            self.only[row] = only;
            self.support[row] = support as u16;
            self.bound[row] = (trees, bits);
            let velocity = self.velocity(motion, row, dofs);
            self.wanted[row] = reference_acceleration(softness, velocity, impedance, distance).keep(lanes);
        }
        self.count += count;
    }

    /// How fast it goes along a row.
    #[inline(always)]
    pub(super) fn velocity(&self, motion: &Motion<V>, row: usize, dofs: usize) -> V {
        let jacobian = &self.jacobian[row * dofs..][..dofs];
        match self.only[row] {
            0 => dot(jacobian, &motion.velocities, dofs),
            dof => jacobian[dof as usize - 1] * motion.velocities[dof as usize - 1],
        }
    }

    /// Takes in the rows of a contact that were written into [`Rows::room`], with this coefficient of friction, if it has any.
    #[inline(always)]
    pub(super) fn take_contact(
        &mut self,
        motion: &Motion<V>,
        (tables, trees): (&Tables, u64),
        friction: Option<f64>,
        constraint: &Constraint<'_, V>,
    ) {
        match friction.filter(|_| tables.has_cones) {
            Some(friction) => self.take_cone(motion, (tables, trees), friction, constraint),
            None => self.take(motion, (tables.dofs.len(), tables.rows_of(friction)), trees, constraint),
        }
    }

    /// The same of a cone's three rows.
    #[inline(always)]
    fn take_cone(&mut self, motion: &Motion<V>, (tables, trees): (&Tables, u64), friction: f64, constraint: &Constraint<'_, V>) {
        let Constraint { lanes, resistance, softness, .. } = *constraint;
        let (dofs, first) = (tables.dofs.len(), self.count);
        self.take(motion, (dofs, 3), trees, constraint);
        let rubbing = resistance / V::all(tables.impedance_ratio.max(TINY));
        let coefficient = V::all(friction);
        let regular = V::select(lanes, coefficient * (rubbing / resistance).sqrt(), coefficient);
        let other = rubbing * coefficient * coefficient / (coefficient * coefficient);
        for (row, resistance) in [(first + 1, rubbing), (first + 2, other)] {
            self.weight[row] = (V::all(1.0) / resistance).keep(lanes);
            // What is along the surface is not pushed back.
            let velocity = self.velocity(motion, row, dofs);
            self.wanted[row] = (V::all(-softness.damping) * velocity - V::all(0.0)).keep(lanes);
        }
        self.cones.push(Cone::new(first, friction, regular));
    }

    /// Notes a contact, whose rows are about to come.
    #[inline(always)]
    pub(super) fn note(&mut self, pair: usize, lanes: V::Mask, point: [V; 3], [normal, one, other]: [[V; 3]; 3]) {
        if !self.keeps {
            return;
        }
        let rows = match &self.compact {
            Some(compact) => compact.counts.map(|count| count as u16),
            None => [self.count as u16; 8],
        };
        self.contacts.push(Contact { pair, lanes: V::bits(lanes), rows, point, normal, tangents: [one, other] });
    }

    /// The force of a row in a lane, after the solver.
    pub(super) fn force_in(&self, row: usize, lane: usize) -> f64 {
        match &self.compact {
            Some(compact) => compact.force_in(row, lane),
            None => self.force(row).get(lane),
        }
    }
}

/// Computes the reference acceleration `aref` of a row.
#[inline(always)]
pub(super) fn reference_acceleration<V: Float64Lanes>(softness: &Softness, velocity: V, impedance: V, distance: V) -> V {
    V::all(-softness.damping) * velocity - V::all(softness.stiffness) * impedance * distance
}

/// How hard a constraint is, at some distance.
#[inline(always)]
pub(super) fn impedance<V: Float64Lanes>(softness: &Softness, distance: V) -> V {
    if softness.least == softness.most {
        return V::all(0.5 * (softness.least + softness.most));
    }
    let one = V::all(1.0);
    let x = (distance / V::all(softness.width)).abs();
    let rest = one - x;
    let below = V::all(1.0 / softness.middle) * (x * x);
    let above = one - V::all(1.0 / (1.0 - softness.middle)) * (rest * rest);
    let share = V::select(x.le(V::all(softness.middle)), below, above);
    let between = V::all(softness.least) + share * V::all(softness.most - softness.least);
    let bounded = V::select(x.ge(one), V::all(softness.most), between);
    V::select(x.le(V::all(0.0)), V::all(softness.least), bounded)
}

/// How much a constraint gives.
#[inline(always)]
pub(super) fn resistance<V: Float64Lanes>(impedance: V, weight: f64) -> V {
    V::all(TINY).larger((V::all(1.0) - impedance) * V::all(weight) / impedance)
}

/// By how much limits are passed that let something be from `low` to `high`: the lanes in which it is at its lower one, and in which it is
/// at any (it cannot be at both), and how far it is from there.
#[inline(always)]
pub(super) fn passed<V: Float64Lanes>([low, high, margin]: [f64; 3], at: V) -> (V::Mask, V::Mask, V) {
    let (below, above, margin) = (-(V::all(low) - at), V::all(high) - at, V::all(margin));
    let is_below = below.lt(margin);
    (is_below, V::either(is_below, above.lt(margin)), V::select(is_below, below, above) - margin)
}

/// How a point moves with a degree of freedom.
#[inline(always)]
pub(super) fn moved<V: Float64Lanes>(motion: &[V; 6], offset: &[V; 3]) -> [V; 3] {
    [
        motion[3] + (motion[1] * offset[2] - motion[2] * offset[1]),
        motion[4] + (motion[2] * offset[0] - motion[0] * offset[2]),
        motion[5] + (motion[0] * offset[1] - motion[1] * offset[0]),
    ]
}
