//! `mj_makeConstraint`: instantiates equalities, friction loss, limits and contacts for all lanes.

use super::cones::Rub;
use super::contacts::{find_ground, find_round};
use super::ropes;
use super::rows::{Constraint, Rows, impedance, passed, resistance};
use super::smooth::Motion;
use super::solids;
use super::tables::{Tables, Touch};
use super::watch::alarms;
use envpool_rs_numeric::simd::{Float64Lanes, Work};

/// Builds the constraint rows of all lanes, as `mj_makeConstraint`.
pub(super) struct FindRows<'a, V: Float64Lanes> {
    pub(super) tables: &'a Tables,
    pub(super) motion: &'a Motion<V>,
    pub(super) rows: &'a mut Rows<V>,
    /// Whether to store the contacts.
    pub(super) keeps: bool,
}

impl<V: Float64Lanes> Work for FindRows<'_, V> {
    /// Lanes that have to fall back to MuJoCo, as bits.
    type Output = u32;

    #[inline(always)]
    fn run(self) -> u32 {
        let Self { tables, motion, rows, keeps } = self;
        (rows.count, rows.lanes, rows.trees, rows.alarms, rows.keeps) = (0, 0, 0, 0, keeps);
        rows.contacts.clear();
        rows.cones.clear();
        if let Some(compact) = &mut rows.compact {
            compact.counts.fill(0);
        }
        find_equalities(tables, motion, rows);
        find_frictions(tables, motion, rows);
        find_limits(tables, motion, rows);
        for (number, rope) in tables.ropes().enumerate() {
            rows.alarms |= ropes::find(rope, tables, motion, rows, number);
        }
        for (number, pair) in tables.pairs.iter().enumerate() {
            match &pair.touch {
                Touch::Ground(ground) => find_ground(tables, motion, rows, (number, ground)),
                Touch::Round(round) => find_round(tables, motion, rows, (number, round)),
                Touch::Solid(ground, solid) => solids::find(*solid, tables, motion, rows, (number, ground)),
                _ => rows.alarms |= alarms(tables, pair, motion),
            }
        }
        rows.alarms
    }
}

/// Adds the rows of tendon equalities, which all lanes have, as `mj_instantiateEquality`.
#[inline(always)]
fn find_equalities<V: Float64Lanes>(tables: &Tables, motion: &Motion<V>, rows: &mut Rows<V>) {
    let dofs = tables.dofs.len();
    for (number, equality) in tables.equalities.iter().enumerate() {
        let room = rows.room(dofs, 1);
        let mut length = V::all(0.0);
        for (position, dof, share) in tables.parts_of(equality) {
            length = length + V::all(*share) * motion.positions[*position];
            room[*dof] = V::all(*share);
        }
        let distance = length - V::all(equality.rest) - V::all(equality.offset);
        let impedance = impedance(&equality.softness, distance);
        let constraint = Constraint {
            lanes: V::mask(V::ALL),
            resistance: resistance(impedance, equality.weight),
            impedance,
            softness: &equality.softness,
            distance,
            only: 0,
            support: tables.supports.len() - tables.equalities.len() + number,
        };
        rows.take(motion, (dofs, 1), 1 << equality.tree, &constraint);
    }
    rows.equal = tables.equalities.len();
}

/// Adds the rows of `dof_frictionloss`, which all lanes have, as `mj_instantiateFriction`.
#[inline(always)]
fn find_frictions<V: Float64Lanes>(tables: &Tables, motion: &Motion<V>, rows: &mut Rows<V>) {
    let (none, dofs) = (V::all(0.0), tables.dofs.len());
    rows.rubs.clear();
    for friction in &tables.frictions {
        let impedance = impedance(&friction.softness, none);
        let resistance = resistance(impedance, friction.weight);
        rows.room(dofs, 1)[friction.dof] = V::all(1.0);
        let constraint = Constraint {
            lanes: V::mask(V::ALL),
            resistance,
            impedance,
            softness: &friction.softness,
            distance: none,
            only: friction.dof as u8 + 1,
            support: 0,
        };
        rows.rubs.push(Rub { loss: friction.loss, resistance: resistance.get(0) });
        rows.take(motion, (dofs, 1), 1 << tables.dofs[friction.dof].tree, &constraint);
    }
}

/// Adds the rows of joint limits, as `mj_instantiateLimit`.
#[inline(always)]
fn find_limits<V: Float64Lanes>(tables: &Tables, motion: &Motion<V>, rows: &mut Rows<V>) {
    let dofs = tables.dofs.len();
    for joint in &tables.joints {
        let Some(limit) = &joint.limit else { continue };
        let (is_below, is_on, distance) = passed([limit.low, limit.high, limit.margin], motion.positions[joint.position]);
        if !V::any(is_on) {
            continue;
        }
        let impedance = impedance(&limit.softness, distance);
        rows.room(dofs, 1)[joint.dof] = V::select(is_below, V::all(1.0), V::all(-1.0)).keep(is_on);
        let constraint = Constraint {
            lanes: is_on,
            resistance: resistance(impedance, limit.weight),
            impedance,
            softness: &limit.softness,
            distance,
            only: joint.dof as u8 + 1,
            support: 0,
        };
        rows.take(motion, (dofs, 1), 1 << tables.dofs[joint.dof].tree, &constraint);
    }
}
