//! Constraint rows: the `efc_` arrays of `mjData`, and the functions that fill them.
//!
//! For the Newton solver, a row of some lanes exists in all lanes: in the others it is zero, which changes no sum, since the
//! solver's sums over rows run from row to row. The sums of PGS do not, so each lane has its own rows there: see
//! [`super::compact`].

use super::algebra::{TINY, dot};
use super::compact::Compact;
use super::cones::{Cone, Rub};
use super::dialect::Solver;
use super::smooth::Motion;
use super::tables::{DOFS, Softness, Tables};
use envpool_rs_numeric::simd::Float64Lanes;

/// Spatial tendon in all lanes, at a limit or not.
pub(super) struct Taut<V> {
    /// Row of `ten_J`.
    pub(super) along: [V; DOFS],
    /// Lanes in which the tendon is at a limit, as bits.
    pub(super) lanes: u32,
    /// Index of the limit's row.
    pub(super) row: usize,
    /// Direction in which a positive force of the row moves the second end.
    pub(super) pull: [V; 3],
}

impl<V: Float64Lanes> Taut<V> {
    pub(super) fn new() -> Self {
        let none = V::all(0.0);
        Self { along: [none; DOFS], lanes: 0, row: 0, pull: [none; 3] }
    }
}

/// Contact in some lanes (`mjContact`).
#[derive(Clone, Copy)]
pub(super) struct Contact<V> {
    pub(super) pair: usize,
    /// Lanes of the contact, as bits.
    pub(super) lanes: u32,
    /// Index of its first row, by lane (`efc_address`).
    pub(super) rows: [u16; 8],
    pub(super) point: [V; 3],
    pub(super) normal: [V; 3],
    pub(super) tangents: [[V; 3]; 2],
}

/// Constraint rows with the solver's values for each: the `efc_` arrays.
pub(super) struct Rows<V: Float64Lanes> {
    /// Number of rows, `nefc`.
    pub(super) count: usize,
    /// Number of equality rows `ne`, which come first and are always active.
    pub(super) equal: usize,
    /// Lanes with any row, as bits.
    pub(super) lanes: u32,
    /// Trees with any row, as bits.
    pub(super) trees: u64,
    /// `efc_J`, dense, row by row.
    pub(super) jacobian: Vec<V>,
    /// Index plus 1 of the degree of freedom of a row with a single entry; 0 for other rows.
    pub(super) only: Vec<u8>,
    /// Index in [`Tables::supports`] of the non-zero entries of a row with several.
    pub(super) support: Vec<u16>,
    /// Trees that a row connects and lanes that have it, both as bits.
    pub(super) bound: Vec<(u64, u32)>,
    pub(super) ropes: Vec<Taut<V>>,
    /// Rows of `dof_frictionloss`, which follow the equalities.
    pub(super) rubs: Vec<Rub>,
    /// Contacts with elliptic cones.
    pub(super) cones: Vec<Cone<V>>,
    /// `efc_force`, stored only if there are friction losses or elliptic cones.
    pub(super) forces: Vec<V>,
    /// `efc_D`.
    pub(super) weight: Vec<V>,
    /// `efc_aref`: reference accelerations.
    pub(super) wanted: Vec<V>,
    /// `Jaref = J * qacc - aref`.
    pub(super) excess: Vec<V>,
    /// `Jv = J * search`, the change of `Jaref` per unit step length.
    pub(super) change: Vec<V>,
    /// Coefficients of the rows' costs on a search line (`quad`), by powers of the step length. The fourth is the cost at the
    /// start, if costs are relative to it.
    pub(super) costs: [Vec<V>; 4],
    /// Lanes in which a row's state is `mjCNSTRSTATE_QUADRATIC`.
    pub(super) active: Vec<V::Mask>,
    /// The value of `active` before the last step of the solver.
    pub(super) was_active: Vec<V::Mask>,
    /// Rows that became active or inactive, by lane.
    pub(super) changed: [Vec<u16>; 8],
    /// Rows of each lane, for PGS.
    pub(super) compact: Option<Box<Compact<V>>>,
    /// Contacts, stored if `keeps`.
    pub(super) contacts: Vec<Contact<V>>,
    /// Whether the caller requests contact forces.
    pub(super) keeps: bool,
    /// Lanes that have to fall back to MuJoCo, as bits.
    pub(super) alarms: u32,
}

/// Maximum number of rows of one contact.
const ROWS: usize = 4;

/// Properties that all rows of a contact or limit share.
pub(super) struct Constraint<'a, V: Float64Lanes> {
    pub(super) lanes: V::Mask,
    pub(super) resistance: V,
    pub(super) impedance: V,
    pub(super) softness: &'a Softness,
    pub(super) distance: V,
    /// Value for [`Rows::only`].
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

    /// Returns memory for the next `count` rows of `efc_J`, filled with zeros.
    #[inline(always)]
    pub(super) fn room(&mut self, dofs: usize, count: usize) -> &mut [V] {
        let first = if self.compact.is_some() { 0 } else { self.count };
        let room = &mut self.jacobian[first * dofs..][..count * dofs];
        room.fill(V::all(0.0));
        room
    }

    /// Adds rows that were written into [`Rows::room`], as `mj_addConstraint`, with their `efc_D` and `efc_aref`.
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

    /// Returns `efc_vel` of a row, `J * qvel`.
    #[inline(always)]
    pub(super) fn velocity(&self, motion: &Motion<V>, row: usize, dofs: usize) -> V {
        let jacobian = &self.jacobian[row * dofs..][..dofs];
        match self.only[row] {
            0 => dot(jacobian, &motion.velocities, dofs),
            dof => jacobian[dof as usize - 1] * motion.velocities[dof as usize - 1],
        }
    }

    /// Adds the rows of a contact that were written into [`Rows::room`], with its friction coefficient, if any.
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

    /// Adds the three rows of a contact with an elliptic cone.
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
            // Tangential rows have no position term.
            let velocity = self.velocity(motion, row, dofs);
            self.wanted[row] = (V::all(-softness.damping) * velocity - V::all(0.0)).keep(lanes);
        }
        self.cones.push(Cone::new(first, friction, regular));
    }

    /// Stores a contact before its rows are added.
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

    /// Returns `efc_force` of a row in a lane, after the solver.
    pub(super) fn force_in(&self, row: usize, lane: usize) -> f64 {
        match &self.compact {
            Some(compact) => compact.force_in(row, lane),
            None => self.force(row).get(lane),
        }
    }
}

/// Computes the reference acceleration `efc_aref` of a row, as `mj_referenceConstraint`.
#[inline(always)]
pub(super) fn reference_acceleration<V: Float64Lanes>(softness: &Softness, velocity: V, impedance: V, distance: V) -> V {
    V::all(-softness.damping) * velocity - V::all(softness.stiffness) * impedance * distance
}

/// Computes the impedance `d(r)` from `solimp` with power 2, as `mj_makeImpedance`.
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

/// Computes the regularizer `efc_R = max(mjMINVAL, (1 - imp) / imp * diagApprox)`.
#[inline(always)]
pub(super) fn resistance<V: Float64Lanes>(impedance: V, weight: f64) -> V {
    V::all(TINY).larger((V::all(1.0) - impedance) * V::all(weight) / impedance)
}

/// Compares a position with a range and margin. Returns the lanes at the lower limit, the lanes at any limit, and the distance
/// from it.
///
/// No position can be at both limits.
#[inline(always)]
pub(super) fn passed<V: Float64Lanes>([low, high, margin]: [f64; 3], at: V) -> (V::Mask, V::Mask, V) {
    let (below, above, margin) = (-(V::all(low) - at), V::all(high) - at, V::all(margin));
    let is_below = below.lt(margin);
    (is_below, V::either(is_below, above.lt(margin)), V::select(is_below, below, above) - margin)
}

/// Returns the Jacobian column of a point, from `cdof` and the offset from its reference point, as `mj_jac`.
#[inline(always)]
pub(super) fn moved<V: Float64Lanes>(motion: &[V; 6], offset: &[V; 3]) -> [V; 3] {
    [
        motion[3] + (motion[1] * offset[2] - motion[2] * offset[1]),
        motion[4] + (motion[2] * offset[0] - motion[0] * offset[2]),
        motion[5] + (motion[0] * offset[1] - motion[1] * offset[0]),
    ]
}
