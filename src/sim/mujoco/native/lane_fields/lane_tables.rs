//! Values of model fields in SIMD vectors, with one value for each lane.

use crate::native::collision::pairs::{MJMINMU, diag_approx_of};
use crate::native::lane_fields::field::{BaseFields, COUNT, LaneField, LaneFields};
use crate::native::mju::first;
use crate::native::model::{FrictionSource, GeomPair, NativeModel};
use crate::native::outlined::outlined;
use envpool_rs_numeric::simd::Float64Lanes;

/// Values of all lane fields in all lanes, and the constants that depend on them.
pub(in crate::native) struct LaneTables<V: Float64Lanes> {
    /// Values of each field, in the order of the field's array in `mjModel`.
    pub(super) values: [Vec<V>; COUNT],
    /// For each field, whether `values` has values of lanes that are not the model's.
    are_own: [bool; COUNT],
    /// Whether the present lanes have any own values.
    pub(in crate::native) is_used: bool,
    /// Whether a step's result depends on the present lanes' own values.
    pub(in crate::native) change_steps: bool,
    /// Whether a planar step can use the present lanes' values.
    pub(in crate::native) are_planar: bool,
    /// Bit mask of the lanes with damping in any joint.
    pub(super) damped: u32,
    pub(super) frictions: Vec<PairFriction<V>>,
    /// For each pair, a bit mask of the lanes in which a body of the pair has another inertial frame than in the model. MuJoCo
    /// keeps bounding volumes in this frame, so its mid phase may then drop contacts.
    pub(super) uncertain: Vec<u32>,
}

pub(super) struct PairFriction<V> {
    pub(super) coefficients: [V; 5],
    /// Approximate diagonal of `J * inv(M) * J'` for the contact's first row (`efc_diagApprox`).
    pub(super) diag_approx: V,
}

impl<V: Float64Lanes> LaneTables<V> {
    pub(in crate::native) fn new(model: &NativeModel, base: &BaseFields) -> Self {
        let values = [const { Vec::new() }; COUNT];
        let mut tables = Self {
            values,
            are_own: [true; COUNT],
            is_used: false,
            change_steps: false,
            are_planar: true,
            damped: 0,
            frictions: Vec::new(),
            uncertain: Vec::new(),
        };
        for field in LaneField::ALL {
            tables.values[field as usize] = vec![V::splat(0.0); base.values[field as usize].len()];
        }
        tables.load(model, base, &[LaneFields::default()]);
        tables
    }

    #[inline(always)]
    pub(super) fn number(&self, field: LaneField, at: usize) -> V {
        self.values[field as usize][at]
    }

    #[inline(always)]
    pub(super) fn vector<const N: usize>(&self, field: LaneField, id: usize) -> [V; N] {
        first(&self.values[field as usize][N * id..])
    }

    pub(in crate::native) fn site_pos(&self, site: usize, lane: usize) -> [f64; 3] {
        self.vector::<3>(LaneField::SitePos, site).map(|part| part.get(lane))
    }

    pub(in crate::native) fn friction_in(&self, pair: usize, lane: usize) -> [f64; 5] {
        self.frictions[pair].coefficients.map(|part| part.get(lane))
    }

    /// Loads the values of lanes. Unused lanes get those of the first lane.
    pub(in crate::native) fn load(&mut self, model: &NativeModel, base: &BaseFields, lanes: &[LaneFields<'_>]) {
        (self.is_used, self.change_steps) = (true, lanes.iter().any(LaneFields::change_steps));
        self.are_planar = lanes.iter().all(LaneFields::are_planar);
        let mut is_changed = [false; COUNT];
        for field in LaneField::ALL {
            let at = field as usize;
            let is_ignored = field == LaneField::Gravity && base.is_weightless;
            let is_own = !is_ignored && lanes.iter().any(|fields| fields.get(field).is_some());
            if !is_own && !self.are_own[at] {
                continue;
            }
            (self.are_own[at], is_changed[at]) = (is_own, true);
            for lane in 0..V::COUNT {
                let own = lanes.get(lane).or(lanes.first()).and_then(|fields| fields.get(field)).filter(|_| is_own);
                for (to, from) in self.values[at].iter_mut().zip(own.unwrap_or(&base.values[at])) {
                    to.set(lane, *from);
                }
            }
        }
        if is_changed[LaneField::BodyIpos as usize] {
            let frames = &base.values[LaneField::BodyIpos as usize];
            let is_moved = |lane: usize, body: usize| {
                let own = lanes.get(lane).and_then(|fields| fields.get(LaneField::BodyIpos));
                own.is_some_and(|own| own[3 * body..][..3] != frames[3 * body..][..3])
            };
            let moved = |body: usize| (0..V::COUNT).fold(0, |lanes, lane| lanes | u32::from(is_moved(lane, body)) << lane);
            self.uncertain = model.pairs.iter().map(|pair| moved(pair.bodies[0]) | moved(pair.bodies[1])).collect();
        }
        if is_changed[LaneField::DofDamping as usize] {
            find_damped(self);
        }
        if is_changed[LaneField::GeomFriction as usize] || is_changed[LaneField::BodyInvweight0 as usize] {
            mix_frictions(model, self);
        }
    }

    /// Mixes the friction of two geoms, as `mj_contactParam` does, and returns it with the contacts' `efc_diagApprox`.
    #[inline(always)]
    fn pair_friction(&self, model: &NativeModel, pair: &GeomPair) -> PairFriction<V> {
        let (field, [one, other]) = (LaneField::GeomFriction, pair.ids);
        let (one, other): ([V; 3], [V; 3]) = (self.vector(field, one), self.vector(field, other));
        let mut mixed = if pair.source == FrictionSource::Second { other } else { one };
        for kind in 0..3 {
            if pair.source == FrictionSource::Mixed {
                mixed[kind] = mixed[kind].larger(other[kind]);
            }
            mixed[kind] = mixed[kind].larger(V::splat(MJMINMU));
        }
        let mut coefficients = [mixed[0], mixed[0], mixed[1], mixed[2], mixed[2]];
        if pair.source == FrictionSource::Pair {
            for (own, base) in coefficients.iter_mut().zip(pair.friction().coefficients) {
                *own = V::splat(base);
            }
        }
        let weights = pair.bodies.map(|body| self.number(LaneField::BodyInvweight0, 2 * body));
        let is_pyramid = pair.friction().condim > 1 && !model.is_elliptic;
        let diag_approx = diag_approx_of(weights, is_pyramid.then_some(coefficients[0]));
        PairFriction { coefficients, diag_approx }
    }
}

outlined!(
    /// Finds the lanes with a damped degree of freedom.
    fn find_damped<V: Float64Lanes>(tables: &mut LaneTables<V>) {
        tables.damped = 0;
        for value in &tables.values[LaneField::DofDamping as usize] {
            tables.damped |= V::bits(value.gt(V::splat(0.0)));
        }
    }
);

outlined!(
    /// Computes the friction of all pairs' contacts.
    fn mix_frictions<V: Float64Lanes>(model: &NativeModel, tables: &mut LaneTables<V>) {
        let mut frictions = std::mem::take(&mut tables.frictions);
        frictions.clear();
        for pair in &model.pairs {
            frictions.push(tables.pair_friction(model, pair));
        }
        tables.frictions = frictions;
    }
);
