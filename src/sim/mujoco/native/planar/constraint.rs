//! Types for the constraint rows of planar robots.

use crate::native::model::NativeModel;
use crate::native::planar::model::PlanarModel;
use envpool_rs_numeric::simd::Float64Lanes;

/// Values of one constraint row, in all lanes, that change while the solver runs.
#[derive(Clone, Copy)]
pub(super) struct RowState<V: Float64Lanes> {
    pub(super) efc_aref: V,
    /// Residual of the row for the solver's current `qacc`: `Jaref = J * qacc - aref`.
    pub(super) jaref: V,
    /// Change of the row's `Jaref` per unit step length: `Jv = J * search`.
    pub(super) jv: V,
    /// Coefficients of the row's quadratic cost along the line search's direction, as `Constraints::quad` has them.
    pub(super) quad: [V; 4],
    pub(super) quadratic: V::Mask,
    pub(super) was_quadratic: V::Mask,
}

/// Constraint row of a joint limit in some lanes (`mjCNSTR_LIMIT_JOINT`).
#[derive(Clone, Copy)]
pub(super) struct LimitRow<V: Float64Lanes> {
    pub(super) dof: usize,
    /// Value of the row's only non-zero entry in `efc_J`.
    pub(super) sign: V,
    pub(super) efc_d: V,
    pub(super) line: RowState<V>,
}

/// Frictional contact in some lanes, with the four rows of its pyramid (`mjCNSTR_CONTACT_PYRAMIDAL`).
#[derive(Clone, Copy)]
pub(super) struct PyramidContact<V: Float64Lanes, const W: usize> {
    /// Index of the leg whose degrees of freedom move the contact.
    pub(super) leg: usize,
    pub(super) efc_j: [[V; W]; 4],
    pub(super) efc_d: V,
    pub(super) lines: [RowState<V>; 4],
    pub(super) equal_rows: EqualRows,
    pub(super) geometry: ContactGeometry<V>,
}

/// Rows of a pyramid whose tangent is orthogonal to the plane: the first counts twice, the second is not computed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum EqualRows {
    None,
    /// The first tangent is orthogonal to the plane, so rows 0 and 1 are equal.
    First,
    /// The second tangent is orthogonal to the plane, so rows 2 and 3 are equal.
    Last,
}

/// Position and normal of a contact (`mjContact.pos`, `mjContact.frame`) in all lanes, which touch sensors read.
#[derive(Clone, Copy)]
pub(super) struct ContactGeometry<V> {
    pub(super) pair: usize,
    pub(super) pos: [V; 3],
    pub(super) normal: [V; 3],
}

/// Repeats a block of code for each computed row of a contact. In the block, the macro's first identifier is the row's index,
/// and the second says whether the row counts twice.
macro_rules! each_row {
    ($contact:expr, |$row:ident, $is_twice:ident| $body:block) => {
        let equal_rows = $contact.equal_rows;
        each_row!(@ $row, $is_twice, $body, 0, equal_rows == EqualRows::First);
        if equal_rows != EqualRows::First {
            each_row!(@ $row, $is_twice, $body, 1, false);
        }
        each_row!(@ $row, $is_twice, $body, 2, equal_rows == EqualRows::Last);
        if equal_rows != EqualRows::Last {
            each_row!(@ $row, $is_twice, $body, 3, false);
        }
    };
    (@ $row:ident, $is_twice:ident, $body:block, $number:literal, $counts_twice:expr) => {
        {
            const $row: usize = $number;
            let $is_twice = $counts_twice;
            $body
        }
    };
}
pub(super) use each_row;

/// Frictionless contact of two geoms in some lanes (`mjCNSTR_CONTACT_FRICTIONLESS`).
#[derive(Clone, Copy)]
pub(super) struct FrictionlessContact<V: Float64Lanes, const W: usize> {
    pub(super) leg: usize,
    pub(super) efc_j: [V; W],
    pub(super) efc_d: V,
    pub(super) line: RowState<V>,
    pub(super) geometry: ContactGeometry<V>,
}

/// All constraint rows of a batch of planar simulations.
pub(super) struct PlanarConstraints<V: Float64Lanes, const W: usize> {
    pub(super) limits: Vec<LimitRow<V>>,
    pub(super) contacts: Vec<PyramidContact<V, W>>,
    pub(super) singles: Vec<FrictionlessContact<V, W>>,
    /// Bit mask of the lanes that have any constraint row.
    pub(super) lanes: u32,
    /// Identifiers of the rows that became active or inactive, for each lane.
    pub(super) changed: [Vec<RowId>; 8],
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum RowId {
    Limit(u16),
    /// Row of a contact: index of the contact, and index of the row among the contact's rows.
    Contact(u16, u16),
    Single(u16),
}

impl<V: Float64Lanes> RowState<V> {
    pub(super) fn new(efc_aref: V) -> Self {
        let (none, never) = (V::splat(0.0), V::mask(0));
        Self { efc_aref, jaref: none, jv: none, quad: [none; 4], quadratic: never, was_quadratic: never }
    }
}

impl<V: Float64Lanes, const W: usize> PlanarConstraints<V, W> {
    pub(super) fn new(model: &NativeModel, planar_model: &PlanarModel) -> Self {
        let limits = model.joints.iter().filter(|joint| joint.limit.is_some()).count();
        Self {
            limits: Vec::with_capacity(limits),
            contacts: Vec::with_capacity(2 * (planar_model.grounds.len() + planar_model.rounds.len())),
            singles: Vec::with_capacity(2 * planar_model.rounds.len()),
            lanes: 0,
            changed: Default::default(),
        }
    }
}
