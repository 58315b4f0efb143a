//! What there is of rows.

use super::super::tables::Tables;
use super::tables::Flat;
use envpool_rs_numeric::simd::Float64Lanes;

/// What the solver keeps of a row.
#[derive(Clone, Copy)]
pub(super) struct Line<V: Float64Lanes> {
    /// The acceleration along the row that the constraint asks for.
    pub(super) wanted: V,
    /// By how much it is exceeded.
    pub(super) excess: V,
    /// How that changes with a step of the solver.
    pub(super) change: V,
    /// The cost along a step of the solver, by powers of its length; and that at its beginning, where costs are counted from there.
    pub(super) costs: [V; 4],
    pub(super) active: V::Mask,
    pub(super) was_active: V::Mask,
}

/// A joint at its limit, in some lanes.
#[derive(Clone, Copy)]
pub(super) struct Limited<V: Float64Lanes> {
    pub(super) dof: usize,
    /// The row's only number.
    pub(super) sign: V,
    pub(super) weight: V,
    pub(super) line: Line<V>,
}

/// A contact, in some lanes: its four rows.
#[derive(Clone, Copy)]
pub(super) struct Contact<V: Float64Lanes, const W: usize> {
    /// The leg whose degrees of freedom move it.
    pub(super) leg: usize,
    pub(super) jacobian: [[V; W]; 4],
    pub(super) weight: V,
    pub(super) lines: [Line<V>; 4],
    /// Whether the last two are the same: then the fourth one does not count, and the third one twice.
    pub(super) is_twin: bool,
}

/// Does something with each row of a contact that is to be computed, written out, and says whether it counts twice.
macro_rules! each_row {
    ($contact:expr, |$row:ident, $is_twice:ident| $body:block) => {
        each_row!(@ $contact, $row, $is_twice, $body, 0 1);
        {
            const $row: usize = 2;
            let $is_twice = $contact.is_twin;
            $body
        }
        if !$contact.is_twin {
            each_row!(@ $contact, $row, $is_twice, $body, 3);
        }
    };
    (@ $contact:expr, $row:ident, $is_twice:ident, $body:block, $($number:literal)*) => {
        $({
            const $row: usize = $number;
            let $is_twice = false;
            $body
        })*
    };
}
pub(super) use each_row;

/// A contact without friction of two shapes, in some lanes.
#[derive(Clone, Copy)]
pub(super) struct Single<V: Float64Lanes, const W: usize> {
    pub(super) leg: usize,
    pub(super) jacobian: [V; W],
    pub(super) weight: V,
    pub(super) line: Line<V>,
}

/// All rows.
pub(super) struct Rows<V: Float64Lanes, const W: usize> {
    pub(super) limits: Vec<Limited<V>>,
    pub(super) contacts: Vec<Contact<V, W>>,
    pub(super) singles: Vec<Single<V, W>>,
    /// The lanes, as bits, that have any.
    pub(super) lanes: u32,
    /// Rows that came or went, by lane.
    pub(super) changed: [Vec<Number>; 8],
}

/// Which row.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Number {
    Limit(u16),
    /// Of a contact, and of its lines.
    Contact(u16, u16),
    Single(u16),
}

impl<V: Float64Lanes> Line<V> {
    pub(super) fn new(wanted: V) -> Self {
        let (none, never) = (V::all(0.0), V::mask(0));
        Self { wanted, excess: none, change: none, costs: [none; 4], active: never, was_active: never }
    }
}

impl<V: Float64Lanes, const W: usize> Rows<V, W> {
    pub(super) fn new(tables: &Tables, flat: &Flat) -> Self {
        let limits = tables.joints.iter().filter(|joint| joint.limit.is_some()).count();
        Self {
            limits: Vec::with_capacity(limits),
            contacts: Vec::with_capacity(2 * flat.grounds.len()),
            singles: Vec::with_capacity(2 * flat.rounds.len()),
            lanes: 0,
            changed: Default::default(),
        }
    }
}
