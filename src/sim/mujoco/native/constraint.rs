//! Constraint rows: the `efc_` arrays of `mjData`, and the functions that fill them.
//!
//! For the Newton solver, a row that only some lanes need exists in all lanes. In the other lanes, the row is zero. Zero rows
//! change no sum, because the solver adds rows one after the other. PGS sums rows in blocks, so each lane has its own rows: see
//! [`crate::native::solver::pgs`].

pub(super) mod body_equalities;
pub(super) mod contacts;
pub(super) mod make_constraint;

use crate::native::collision::hulls::SeparatingPlane;
use crate::native::collision::library_contacts::NarrowPhase;
use crate::native::data::{NativeData, arrays};
use crate::native::dialect::Solver;
use crate::native::mju::{MJMINVAL, add3, cross, cross_motion, dot, sub3};
use crate::native::model::{ContactFriction, GeomPair, JointKind, NativeModel, SolParams};
use crate::native::outlined::outlined;
use crate::native::solver::cones::EllipticCone;
use crate::native::solver::constraint_update::FrictionRow;
use crate::native::solver::hessian::{ROWS_AT_ONCE, SolverMemory};
use crate::native::solver::pgs::DualRows;
use crate::native::tendon::TendonRow;
use envpool_rs_numeric::simd::Float64Lanes;

/// Contact of two geoms (`mjContact`) in some lanes.
#[derive(Clone, Copy)]
pub(super) struct Contact<V> {
    pub(super) pair: usize,
    /// Bit mask of the lanes in which the geoms touch.
    pub(super) lanes: u32,
    /// Index of the contact's first constraint row in each lane (`efc_address`).
    pub(super) rows: [u16; 8],
    pub(super) pos: [V; 3],
    pub(super) normal: [V; 3],
    pub(super) tangents: [[V; 3]; 2],
}

arrays! {
    /// Constraint rows of all lanes, with the solver's values for each row: the `efc_` arrays.
    pub(super) struct Constraints(model, none) -> Self {
        let is_dual = model.solver == Solver::Pgs;
        let rows = if is_dual { 0 } else { model.max_nefc };
        let numbers = || vec![none; rows];
        let masks = || vec![V::mask(0); rows];
    }
    nefc: usize = 0;
    /// Number of equality rows (`ne`), which come first and are always active.
    ne: usize = 0;
    /// Bit mask of the lanes that have any constraint row.
    lanes: u32 = 0;
    /// Bit mask of the kinematic trees that any constraint row acts on.
    trees: u64 = 0;
    /// Constraint Jacobian `efc_J`, dense, row by row.
    efc_j: Vec<V> = vec![none; rows.max(MAX_CONTACT_ROWS) * model.dofs.len()];
    /// For each row with a single non-zero entry, the index of its degree of freedom plus 1; 0 for other rows.
    single_dof: Vec<u8> = vec![0; rows];
    /// For each row with several non-zero entries (`efc_J_rownnz`), the index in [`NativeModel::efc_colind`] of the list of their columns.
    /// Like `efc_id`, the index identifies the pair of geoms, tendon, joint or equality of the row.
    colind: Vec<u16> = vec![0; rows];
    /// For each row, the number of rows from it that were added together, with the same columns: at most [`ROWS_AT_ONCE`].
    /// MuJoCo's `efc_J_rowsuper` counts such rows without the first.
    alike: Vec<u8> = vec![0; rows];
    /// For each row, two bit masks: the kinematic trees that the row connects (those that `treeNext` returns), and the lanes in
    /// which the row exists.
    tree_edges: Vec<(u64, u32)> = vec![(0, 0); rows];
    /// For each tendon, its row of friction loss and that of its limit (`tendon_efcadr`).
    tendon_rows: Vec<[TendonRow<V>; 2]> =
        vec![[TendonRow { lanes: 0, rows: [0; 8], sign: V::splat(1.0) }; 2]; model.tendons.len()];
    /// Rows of friction loss (`dof_frictionloss`, `tendon_frictionloss`), which follow the equality rows.
    friction_rows: Vec<FrictionRow<V>> = Vec::new();
    cones: Vec<EllipticCone<V>> = Vec::new();
    /// Constraint forces (`efc_force`), stored only if there are friction losses or elliptic cones.
    efc_force: Vec<V> = numbers();
    efc_d: Vec<V> = numbers();
    /// Reference acceleration of each row (`efc_aref`).
    efc_aref: Vec<V> = numbers();
    /// Residual of each row for the solver's current `qacc`: `Jaref = J * qacc - aref`.
    jaref: Vec<V> = numbers();
    /// Change of `Jaref` of each row per unit step length: `Jv = J * search`.
    jv: Vec<V> = numbers();
    /// Coefficients of each row's quadratic cost along the line search's direction (MuJoCo's `quad`). Entries 0 to 2 belong to
    /// the powers 0 to 2 of the step length. Entry 3 is used only if the search computes costs relative to the cost at step
    /// length 0 (`Dialect::relative_cost`). If the row is `quadratic` at step length 0, entry 3 then holds its cost there, and
    /// entry 0 is 0.
    quad: [Vec<V>; 4] = [numbers(), numbers(), numbers(), numbers()];
    /// For each row, a mask of the lanes in which the row's state (`efc_state`, `iefc_state`) is `mjCNSTRSTATE_QUADRATIC`.
    quadratic: Vec<V::Mask> = masks();
    /// Copy of `quadratic` from before the last iteration of the solver.
    was_quadratic: Vec<V::Mask> = masks();
    /// Indices of the rows that became active or inactive, for each lane.
    changed: [Vec<u16>; 8] = Default::default();
    memory: SolverMemory<V> = SolverMemory::default();
    /// Constraint rows of the PGS solver. Each lane has its own list of rows.
    dual: Option<Box<DualRows<V>>> = is_dual.then(|| Box::new(DualRows::new(model)));
    /// Contacts of all lanes, stored only if `stores_contacts` is set.
    contacts: Vec<Contact<V>> = Vec::new();
    /// Whether the caller requests contact forces.
    stores_contacts: bool = false;
    /// Bit mask of the lanes that MuJoCo must step instead of the native stepper.
    fallback: u32 = 0;
    /// Bit mask of the lanes in which MuJoCo's broad or mid phase may drop the two geoms whose contacts were added last.
    uncertain: u32 = 0;
    /// Two bodies, and a bit mask of the lanes in which a contact proves that the broad phase keeps them.
    overlapping: ([usize; 2], u32) = ([0; 2], 0);
    /// MuJoCo's collision functions, for models whose pairs need them.
    narrow: Option<Box<NarrowPhase>> = None;
    /// For each pair of geoms, the plane that separated their hulls in the last step; for models without such pairs, empty.
    planes: Vec<SeparatingPlane<V>> =
        vec![SeparatingPlane::new(); if model.pairs.iter().any(GeomPair::has_hulls) { model.pairs.len() } else { 0 }];
    /// Number of constraint rows of contacts that MuJoCo's collision functions found.
    library_nefc: usize = 0;
    /// Results of the model's box filters: whether any lane's tree is near the box.
    near_boxes: Vec<bool> = Vec::new();
}

const MAX_CONTACT_ROWS: usize = 10;

/// Properties that all rows of one contact or limit share.
pub(super) struct RowSpec<'a, V: Float64Lanes> {
    pub(super) lanes: V::Mask,
    pub(super) efc_r: V,
    /// Impedance, the third number of `efc_KBIP`; `sol` has the first two.
    pub(super) impedance: V,
    pub(super) sol: &'a SolParams,
    /// Violation of the constraint: `efc_pos - efc_margin` (`getposdim`).
    pub(super) pos_minus_margin: V,
    /// Value of [`Constraints::single_dof`] for all rows of the contact or limit.
    pub(super) single_dof: u8,
    pub(super) colind: usize,
}

impl<'a, V: Float64Lanes> RowSpec<'a, V> {
    /// Returns the properties of a row with several non-zero entries in the first list of columns.
    #[inline(always)]
    pub(super) fn new(sol: &'a SolParams, lanes: V::Mask, diag_approx: V, pos_minus_margin: V) -> Self {
        let impedance = get_impedance(sol, pos_minus_margin);
        let efc_r = make_impedance(impedance, diag_approx);
        Self { lanes, efc_r, impedance, sol, pos_minus_margin, single_dof: 0, colind: 0 }
    }
}

impl<V: Float64Lanes> Constraints<V> {
    pub(super) fn max_rows(&self) -> usize {
        self.dual.as_ref().map_or(self.nefc, |dual| dual.counts.into_iter().max().unwrap_or(0))
    }

    /// Returns a bit mask of the lanes in which the broad phase certainly keeps two bodies, because contacts of them are deep.
    #[inline(always)]
    pub(super) fn overlapping_lanes(&self, [one, other]: [usize; 2]) -> u32 {
        if self.overlapping.0 == [one.min(other), one.max(other)] { self.overlapping.1 } else { 0 }
    }

    #[inline(always)]
    pub(super) fn add_overlapping(&mut self, bodies @ [one, other]: [usize; 2], lanes: u32) {
        self.overlapping = ([one.min(other), one.max(other)], self.overlapping_lanes(bodies) | lanes);
    }

    /// Appends `count` zeroed rows to `efc_J`, and returns the memory of these rows.
    #[inline(always)]
    pub(super) fn alloc_rows(&mut self, dofs: usize, count: usize) -> &mut [V] {
        let first = if self.dual.is_some() { 0 } else { self.nefc };
        let room = &mut self.efc_j[first * dofs..][..count * dofs];
        room.fill(V::splat(0.0));
        room
    }

    /// Adds rows of [`Constraints::alloc_rows`], and computes `efc_D` and `efc_aref`, as `mj_addConstraint` does.
    #[inline(always)]
    pub(super) fn add_constraint(
        &mut self,
        data: &NativeData<V>,
        (dofs, count): (usize, usize),
        trees: u64,
        spec: &RowSpec<'_, V>,
    ) {
        append_constraint(self, data, dofs, count, trees, spec);
    }

    /// Returns the velocity of a row: `efc_vel = J * qvel`.
    #[inline(always)]
    pub(super) fn velocity(&self, data: &NativeData<V>, row: usize, dofs: usize) -> V {
        let jacobian = &self.efc_j[row * dofs..][..dofs];
        match self.single_dof[row] {
            0 => dot(jacobian, &data.qvel, dofs),
            dof => jacobian[dof as usize - 1] * data.qvel[dof as usize - 1],
        }
    }

    /// Adds the rows of a contact of [`Constraints::alloc_rows`], with its friction and the coefficients in all lanes.
    #[inline(always)]
    pub(super) fn add_contact(
        &mut self,
        data: &NativeData<V>,
        (model, trees): (&NativeModel, u64),
        friction: (ContactFriction, &[V; 5]),
        spec: &RowSpec<'_, V>,
    ) {
        if model.is_elliptic && friction.0.condim > 1 {
            append_cone(self, data, model, trees, friction, spec);
        } else {
            self.add_constraint(data, (model.dofs.len(), friction.0.rows(model.is_elliptic)), trees, spec);
        }
    }

    /// Stores a contact in [`Constraints::contacts`]; the contact's rows must be added afterwards.
    #[inline(always)]
    pub(super) fn store_contact(&mut self, pair: usize, lanes: V::Mask, pos: [V; 3], [normal, one, other]: [[V; 3]; 3]) {
        if !self.stores_contacts {
            return;
        }
        let rows = self.next_rows();
        self.contacts.push(Contact { pair, lanes: V::bits(lanes), rows, pos, normal, tangents: [one, other] });
    }

    #[inline(always)]
    pub(super) fn next_rows(&self) -> [u16; 8] {
        match &self.dual {
            Some(dual) => dual.counts.map(|count| count as u16),
            None => [self.nefc as u16; 8],
        }
    }

    /// Returns the constraint force (`efc_force`) of a row in a lane, after the solver has run.
    pub(super) fn force_in(&self, row: usize, lane: usize) -> f64 {
        match &self.dual {
            Some(dual) => dual.force_in(row, lane),
            None => self.force(row).get(lane),
        }
    }
}

outlined!(
    fn append_constraint<V: Float64Lanes>(
        rows: &mut Constraints<V>,
        data: &NativeData<V>,
        dofs: usize,
        count: usize,
        trees: u64,
        spec: &RowSpec<'_, V>,
    ) {
        let RowSpec { lanes, efc_r, impedance, sol, pos_minus_margin, single_dof, colind } = *spec;
        let bits = V::bits(lanes);
        rows.lanes |= bits;
        if let Some(dual) = &mut rows.dual {
            let k_imp = V::splat(sol.k) * impedance;
            for row in rows.efc_j[..count * dofs].chunks_exact(dofs) {
                rows.fallback |= dual.push(bits, row, [efc_r, k_imp, pos_minus_margin], -sol.b);
            }
            return;
        }
        rows.trees |= trees;
        let efc_d = (V::splat(1.0) / efc_r).select_or_zero(lanes);
        let end = rows.nefc + count;
        for row in rows.nefc..end {
            rows.alike[row] = (end - row).min(ROWS_AT_ONCE) as u8;
            rows.efc_d[row] = efc_d;
            rows.single_dof[row] = single_dof;
            rows.colind[row] = colind as u16;
            rows.tree_edges[row] = (trees, bits);
            let velocity = rows.velocity(data, row, dofs);
            rows.efc_aref[row] = reference_constraint(sol, velocity, impedance, pos_minus_margin).select_or_zero(lanes);
        }
        rows.nefc = end;
    }
);

outlined!(
    /// Adds the rows of a contact with an elliptic cone, one for each dimension of the contact.
    fn append_cone<V: Float64Lanes>(
        rows: &mut Constraints<V>,
        data: &NativeData<V>,
        model: &NativeModel,
        trees: u64,
        friction: (ContactFriction, &[V; 5]),
        spec: &RowSpec<'_, V>,
    ) {
        let (friction, coefficients) = friction;
        let RowSpec { lanes, efc_r, sol, .. } = *spec;
        let (dofs, first) = (model.dofs.len(), rows.nefc);
        rows.add_constraint(data, (dofs, friction.condim), trees, spec);
        let tangential = efc_r / V::splat(model.impratio.max(MJMINVAL));
        let coefficient = coefficients[0];
        let mu = V::select(lanes, coefficient * (tangential / efc_r).sqrt(), coefficient);
        for axis in 1..friction.condim {
            let (row, own) = (first + axis, coefficients[axis - 1]);
            // Not a closure, which would be compiled without the instructions of the vectors.
            let efc_r = if axis == 1 { tangential } else { tangential * coefficient * coefficient / (own * own) };
            rows.efc_d[row] = (V::splat(1.0) / efc_r).select_or_zero(lanes);
            // The tangential rows of an elliptic cone have no position term in `efc_aref`.
            let velocity = rows.velocity(data, row, dofs);
            rows.efc_aref[row] = (V::splat(-sol.b) * velocity - V::splat(0.0)).select_or_zero(lanes);
        }
        rows.cones.push(EllipticCone::new(first, friction.condim, (*coefficients, mu)));
    }
);

/// Computes the reference acceleration `efc_aref` of a row, as `mj_referenceConstraint` does.
#[inline(always)]
pub(super) fn reference_constraint<V: Float64Lanes>(sol: &SolParams, velocity: V, impedance: V, pos_minus_margin: V) -> V {
    V::splat(-sol.b) * velocity - V::splat(sol.k) * impedance * pos_minus_margin
}

/// Computes the impedance `d(r)` from `solimp`, as `mj_makeImpedance` (`getimpedance`) does.
#[inline(always)]
pub(super) fn get_impedance<V: Float64Lanes>(sol: &SolParams, pos_minus_margin: V) -> V {
    if sol.is_flat() {
        return V::splat(0.5 * (sol.dmin + sol.dmax));
    }
    let one = V::splat(1.0);
    let x = (pos_minus_margin / V::splat(sol.width)).abs();
    let share = if sol.power == 1.0 {
        x
    } else if sol.power == 2.0 {
        let rest = one - x;
        let below = V::splat(1.0 / sol.midpoint) * (x * x);
        let above = one - V::splat(1.0 / (1.0 - sol.midpoint)) * (rest * rest);
        V::select(x.le(V::splat(sol.midpoint)), below, above)
    } else {
        sigmoid(sol, x)
    };
    let between = V::splat(sol.dmin) + share * V::splat(sol.dmax - sol.dmin);
    let bounded = V::select(x.ge(one), V::splat(sol.dmax), between);
    V::select(x.le(V::splat(0.0)), V::splat(sol.dmin), bounded)
}

/// Returns the share of the sigmoid of the impedance at `x`, lane by lane, for powers other than 1 and 2.
#[cold]
#[inline(never)]
fn sigmoid<V: Float64Lanes>(sol: &SolParams, x: V) -> V {
    let SolParams { midpoint, power, .. } = *sol;
    // As in MuJoCo, powers of 1 and 2 are products.
    let raised = |base: f64, power: f64| match power {
        1.0 => base,
        2.0 => base * base,
        power => base.powf(power),
    };
    let mut share = x;
    for lane in 0..V::COUNT {
        let x = x.get(lane);
        share.set(
            lane,
            if x <= midpoint {
                1.0 / raised(midpoint, power - 1.0) * raised(x, power)
            } else {
                1.0 - 1.0 / raised(1.0 - midpoint, power - 1.0) * raised(1.0 - x, power)
            },
        );
    }
    share
}

/// Computes the regularizer `efc_R = max(mjMINVAL, (1 - imp) / imp * diagApprox)`.
#[inline(always)]
pub(super) fn make_impedance<V: Float64Lanes>(impedance: V, diag_approx: V) -> V {
    V::splat(MJMINVAL).larger((V::splat(1.0) - impedance) * diag_approx / impedance)
}

/// Compares a joint position or tendon length with its limits and margin. Returns a mask of the lanes at the lower limit, a
/// mask of the lanes at any limit, and the distance from the limit.
///
/// No position is at both limits at the same time.
#[inline(always)]
pub(super) fn limit_distance<V: Float64Lanes>([low, high, margin]: [f64; 3], at: V) -> (V::Mask, V::Mask, V) {
    let (below, above, margin) = (-(V::splat(low) - at), V::splat(high) - at, V::splat(margin));
    let is_below = below.lt(margin);
    (is_below, V::mask_or(is_below, above.lt(margin)), V::select(is_below, below, above) - margin)
}

/// Returns the linear velocity of a point of a body with the velocity `cvel`, as `mj_objectVelocity` (`mju_transformSpatial`) does.
/// `offset` is from the reference point of `cvel`.
#[inline(always)]
pub(super) fn object_velocity<V: Float64Lanes>(cvel: &[V; 6], offset: [V; 3]) -> [V; 3] {
    sub3([cvel[3], cvel[4], cvel[5]], cross(offset, [cvel[0], cvel[1], cvel[2]]))
}

/// Returns a column of the time derivatives of a point's translational and rotational Jacobians, as `mj_jacDot` does. `offset` is
/// from the reference point of `cdof`, and `velocity` is the point's.
#[inline(always)]
pub(super) fn jac_dot<V: Float64Lanes>(
    model: &NativeModel,
    data: &NativeData<V>,
    dof: usize,
    [offset, velocity]: [[V; 3]; 2],
) -> [[V; 3]; 2] {
    let body = &model.bodies[model.dofs[dof].body];
    let joint = model.joints[body.joints.clone()].iter().rfind(|joint| joint.dofadr <= dof);
    let is_quat = joint.is_some_and(|joint| match joint.kind {
        JointKind::Free => dof >= joint.dofadr + 3,
        kind => kind == JointKind::Ball,
    });
    let cdof = &data.cdof[dof];
    // For rotations of a free or ball joint, MuJoCo uses the velocity after the joint's motion.
    let c = if is_quat { cross_motion(&data.cvel[model.dofs[dof].body], cdof) } else { data.cdof_dot[dof] };
    let rotation = [c[0], c[1], c[2]];
    let moved = add3([c[3], c[4], c[5]], cross(rotation, offset));
    [add3(moved, cross([cdof[0], cdof[1], cdof[2]], velocity)), rotation]
}

/// Returns a column of a point's translational Jacobian, as `mj_jac` does; `offset` is from the reference point of `cdof`.
#[inline(always)]
pub(super) fn jac_point<V: Float64Lanes>(cdof: &[V; 6], offset: &[V; 3]) -> [V; 3] {
    [
        cdof[3] + (cdof[1] * offset[2] - cdof[2] * offset[1]),
        cdof[4] + (cdof[2] * offset[0] - cdof[0] * offset[2]),
        cdof[5] + (cdof[0] * offset[1] - cdof[1] * offset[0]),
    ]
}
