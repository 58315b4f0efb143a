//! Constraints as rows of a matrix: joints at their limits, and shapes that touch.
//!
//! For Newton's method a row that only some lanes have is there for all: where it is not a lane's own, it is nothing but zeros, which
//! change no sum that the solver forms, since all its sums over rows go from row to row. For the other solver, whose sums over rows do not,
//! each lane has rows of its own: see [`super::compact`].

use super::algebra::{TINY, cross, dot, scaled, sub};
use super::collide::{Found, collide};
use super::compact::Compact;
use super::dialect::Solver;
use super::lanes::{Lanes, Work};
use super::smooth::Motion;
use super::tables::{DOFS, Ground, Round, Softness, Tables, Touch};
use super::watch::alarms;

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

impl<V: Lanes> Taut<V> {
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
pub(super) struct Rows<V: Lanes> {
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
    keeps: bool,
    /// Lanes, as bits, that have to be left to the library.
    alarms: u32,
}

/// Rows of one contact, at most.
const ROWS: usize = 4;

/// What rows have in common that stand for one contact, or limit.
pub(super) struct Constraint<'a, V: Lanes> {
    pub(super) lanes: V::Mask,
    pub(super) resistance: V,
    pub(super) impedance: V,
    pub(super) softness: &'a Softness,
    pub(super) distance: V,
    /// As [`Rows::only`].
    pub(super) only: u8,
    pub(super) support: usize,
}

impl<V: Lanes> Rows<V> {
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
        let stiffness = V::all(softness.stiffness) * impedance;
        if let Some(compact) = &mut self.compact {
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
            let jacobian = &self.jacobian[row * dofs..][..dofs];
            let velocity = match only {
                0 => dot(jacobian, &motion.velocities, dofs),
                dof => jacobian[dof as usize - 1] * motion.velocities[dof as usize - 1],
            };
            self.wanted[row] = (V::all(-softness.damping) * velocity - stiffness * distance).keep(lanes);
        }
        self.count += count;
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

/// How hard a constraint is, at some distance.
#[inline(always)]
pub(super) fn impedance<V: Lanes>(softness: &Softness, distance: V) -> V {
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
pub(super) fn resistance<V: Lanes>(impedance: V, weight: f64) -> V {
    V::all(TINY).max((V::all(1.0) - impedance) * V::all(weight) / impedance)
}

/// The same of the rows that stand for a contact with friction.
#[inline(always)]
fn with_friction<V: Lanes>(tables: &Tables, plain: V, friction: Option<f64>) -> V {
    let Some(friction) = friction else { return plain };
    let mut scaled = V::all(friction);
    if tables.impedance_ratio != 1.0 {
        scaled = scaled * (plain / V::all(tables.impedance_ratio) / plain).sqrt();
    }
    V::all(2.0) * scaled * scaled * plain
}

/// Finds the rows of all lanes.
pub(super) struct FindRows<'a, V: Lanes> {
    pub(super) tables: &'a Tables,
    pub(super) motion: &'a Motion<V>,
    pub(super) rows: &'a mut Rows<V>,
    /// Whether contacts are kept.
    pub(super) keeps: bool,
}

impl<V: Lanes> Work for FindRows<'_, V> {
    /// The lanes, as bits, that have to be left to the library.
    type Output = u32;

    #[inline(always)]
    fn run(self) -> u32 {
        let Self { tables, motion, rows, keeps } = self;
        (rows.count, rows.lanes, rows.trees, rows.alarms, rows.keeps) = (0, 0, 0, 0, keeps);
        rows.contacts.clear();
        if let Some(compact) = &mut rows.compact {
            compact.counts.fill(0);
        }
        find_equalities(tables, motion, rows);
        find_limits(tables, motion, rows);
        for (number, rope) in tables.ropes().enumerate() {
            rows.alarms |= rope.find(tables, motion, rows, number);
        }
        for (number, pair) in tables.pairs.iter().enumerate() {
            match &pair.touch {
                Touch::Ground(ground) => find_ground(tables, motion, rows, (number, ground)),
                Touch::Round(round) => find_round(tables, motion, rows, (number, round)),
                Touch::Solid(ground, solid) => solid.find(tables, motion, rows, (number, ground)),
                _ => rows.alarms |= alarms(tables, pair, motion),
            }
        }
        rows.alarms
    }
}

#[inline(always)]
fn find_equalities<V: Lanes>(tables: &Tables, motion: &Motion<V>, rows: &mut Rows<V>) {
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

#[inline(always)]
fn find_limits<V: Lanes>(tables: &Tables, motion: &Motion<V>, rows: &mut Rows<V>) {
    let dofs = tables.dofs.len();
    for joint in &tables.joints {
        let Some(limit) = &joint.limit else { continue };
        let position = motion.positions[joint.position];
        let (below, above) = (-(V::all(limit.low) - position), V::all(limit.high) - position);
        let margin = V::all(limit.margin);
        let is_below = below.lt(margin);
        let is_on = V::either(is_below, above.lt(margin));
        if !V::any(is_on) {
            continue;
        }
        let distance = V::select(is_below, below, above) - margin;
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

/// How a point moves with a degree of freedom.
#[inline(always)]
pub(super) fn moved<V: Lanes>(motion: &[V; 6], offset: &[V; 3]) -> [V; 3] {
    [
        motion[3] + (motion[1] * offset[2] - motion[2] * offset[1]),
        motion[4] + (motion[2] * offset[0] - motion[0] * offset[2]),
        motion[5] + (motion[0] * offset[1] - motion[1] * offset[0]),
    ]
}

#[inline(always)]
fn find_ground<V: Lanes>(tables: &Tables, motion: &Motion<V>, rows: &mut Rows<V>, (pair, ground): (usize, &Ground)) {
    let (none, one, two) = (V::all(0.0), V::all(1.0), V::all(2.0));
    let shape = &motion.shapes[tables.pairs[pair].shapes[1]];
    let below = V::all(ground.height);
    let is_near = (shape.place[2] - below).le(V::all(ground.near));
    if !V::any(is_near) {
        return;
    }
    let (margin, radius) = (V::all(ground.margin), V::all(ground.radius));
    let axis = shape.axis;
    let half = V::all(ground.half.unwrap_or(0.0));
    let along = [half * axis[0], half * axis[1], half * axis[2]];
    for end in 0..(if ground.half.is_some() { 2 } else { 1 }) {
        let place = match (ground.half, end) {
            (None, _) => shape.place,
            (_, 0) => [shape.place[0] + along[0], shape.place[1] + along[1], shape.place[2] + along[2]],
            _ => [shape.place[0] - along[0], shape.place[1] - along[1], shape.place[2] - along[2]],
        };
        let above = place[2] - below;
        let gap = above - radius;
        let is_hit = above.le(V::all(ground.margin + ground.radius));
        let is_on = V::both(V::both(is_near, is_hit), gap.lt(margin));
        if !V::any(is_on) {
            continue;
        }
        let [x, y] = if ground.half.is_some() {
            let length = (axis[0] * axis[0] + axis[1] * axis[1]).sqrt();
            let is_upright = length.lt(V::all(TINY));
            let by = one / length;
            [V::select(is_upright, one, axis[0] * by), V::select(is_upright, none, axis[1] * by)]
        } else {
            [none, one]
        };
        let (x, y) = (x.keep(is_on), y.keep(is_on));
        let height = place[2] + (-gap / two - radius);
        touch_ground(tables, motion, rows, (pair, ground), (is_on, gap, [place[0], place[1], height]), [x, y]);
    }
}

/// Takes in a point that touches the ground, with the first tangent's coordinates along x and y.
#[inline(always)]
pub(super) fn touch_ground<V: Lanes>(
    tables: &Tables,
    motion: &Motion<V>,
    rows: &mut Rows<V>,
    (pair, ground): (usize, &Ground),
    (is_on, gap, point): (V::Mask, V, [V; 3]),
    [x, y]: [V; 2],
) {
    let (none, one, dofs) = (V::all(0.0), V::all(1.0), tables.dofs.len());
    let distance = gap - V::all(ground.margin);
    let impedance = impedance(&ground.softness, distance);
    let plain = resistance(impedance, ground.weight);
    let resistance = with_friction(tables, plain, ground.friction);
    let centre = &motion.tree_centres[tables.bodies[tables.pairs[pair].bodies[1]].root];
    let offset = sub(point, *centre);
    let count = if ground.friction.is_some() { 4 } else { 1 };
    rows.note(pair, is_on, point, [[none, none, one], [x, y, none], [-y, x, none]]);
    let jacobian = rows.room(dofs, count);
    for &dof in &ground.chain {
        let [along_x, along_y, along_z] = moved(&motion.motions[dof], &offset);
        let along_z = along_z.keep(is_on);
        let Some(friction) = ground.friction else {
            jacobian[dof] = along_z;
            continue;
        };
        let one = (along_x * x + along_y * y) * V::all(friction);
        let other = (along_x * -y + along_y * x) * V::all(friction);
        jacobian[dof] = along_z + one;
        jacobian[dofs + dof] = along_z - one;
        jacobian[2 * dofs + dof] = along_z + other;
        jacobian[3 * dofs + dof] = along_z - other;
    }
    let softness = &ground.softness;
    let constraint = Constraint { lanes: is_on, resistance, impedance, softness, distance, only: 0, support: pair };
    rows.take(motion, (dofs, count), 1 << ground.tree, &constraint);
}

#[inline(always)]
fn find_round<V: Lanes>(tables: &Tables, motion: &Motion<V>, rows: &mut Rows<V>, (pair, round): (usize, &Round)) {
    let shapes = tables.pairs[pair].shapes.map(|shape| &motion.shapes[shape]);
    let dofs = tables.dofs.len();
    let Some((found, alarms)) = collide(round, shapes, tables.dialect.nearest) else { return };
    rows.alarms |= alarms;
    for Found { lanes, distance, normal, point } in found {
        let is_on = V::both(V::mask(lanes), distance.lt(V::all(round.margin)));
        if !V::any(is_on) {
            continue;
        }
        // The library brings normals to length 1 once more.
        let length = (normal[0] * normal[0] + normal[1] * normal[1] + normal[2] * normal[2]).sqrt();
        let by = V::all(1.0) / length;
        let normal = [normal[0] * by, normal[1] * by, normal[2] * by];
        let distance = distance - V::all(round.margin);
        let impedance = impedance(&round.softness, distance);
        let [one, other] = round.roots;
        let offsets = [sub(point, motion.tree_centres[one]), sub(point, motion.tree_centres[other])];
        let count = if round.friction.is_some() { 4 } else { 1 };
        let tangents = if round.friction.is_some() { tangents(&normal) } else { [[V::all(0.0); 3]; 2] };
        rows.note(pair, is_on, point, [normal, tangents[0], tangents[1]]);
        let jacobian = rows.room(dofs, count);
        for (side, chain) in round.chains.iter().enumerate() {
            for &dof in chain {
                let [x, y, z] = moved(&motion.motions[dof], &offsets[side]);
                let way = if side == 0 { [-x, -y, -z] } else { [x, y, z] };
                let along = |axis: &[V; 3]| way[0] * axis[0] + way[1] * axis[1] + way[2] * axis[2];
                let upright = along(&normal).keep(is_on);
                let Some(friction) = round.friction else {
                    jacobian[dof] = upright;
                    continue;
                };
                let one = (along(&tangents[0]) * V::all(friction)).keep(is_on);
                let other = (along(&tangents[1]) * V::all(friction)).keep(is_on);
                jacobian[dof] = upright + one;
                jacobian[dofs + dof] = upright - one;
                jacobian[2 * dofs + dof] = upright + other;
                jacobian[3 * dofs + dof] = upright - other;
            }
        }
        let resistance = with_friction(tables, resistance(impedance, round.weight), round.friction);
        let softness = &round.softness;
        let constraint = Constraint { lanes: is_on, resistance, impedance, softness, distance, only: 0, support: pair };
        rows.take(motion, (dofs, count), tables.pairs[pair].trees(), &constraint);
    }
}

/// Two directions across another, each across both others.
#[inline(always)]
fn tangents<V: Lanes>(normal: &[V; 3]) -> [[V; 3]; 2] {
    let (none, one) = (V::all(0.0), V::all(1.0));
    // Along y, unless that is too near: then along z.
    let is_far = normal[1].abs().lt(V::all(0.5));
    let (y, z) = (one.keep(is_far), V::select(is_far, none, one));
    let along = V::select(is_far, normal[1], normal[2]);
    let rest = sub([none, y, z], scaled(*normal, along));
    let length = (rest[0] * rest[0] + rest[1] * rest[1] + rest[2] * rest[2]).sqrt();
    let first = scaled(rest, one / length);
    [first, cross(*normal, first)]
}
