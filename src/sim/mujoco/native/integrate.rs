//! From accelerations to positions.

use super::algebra::{TINY, normalized, quaternion_product};
use super::lanes::{Lanes, Work};
use super::smooth::{Motion, factorize, solve};
use super::tables::{DOFS, JointKind, POSITIONS, Tables};

/// Numbers beyond this are bad.
const LARGEST: f64 = 1e10;

/// The lanes, as bits, in which a number is bad.
#[inline(always)]
pub(super) fn bad<V: Lanes>(values: &[V]) -> u32 {
    let mut good = V::mask(V::ALL);
    for value in values {
        good = V::both(good, value.abs().le(V::all(LARGEST)));
    }
    !V::bits(good) & V::ALL
}

/// Moves positions on, at constant velocities.
#[inline(always)]
fn integrate<V: Lanes>(tables: &Tables, positions: &mut [V; POSITIONS], velocities: &[V; DOFS]) {
    let (none, one, time) = (V::all(0.0), V::all(1.0), V::all(tables.timestep));
    for joint in &tables.joints {
        let (at, dof) = (joint.position, joint.dof);
        if joint.kind != JointKind::Free {
            positions[at] = positions[at] + time * velocities[dof];
            continue;
        }
        for axis in 0..3 {
            positions[at + axis] = positions[at + axis] + time * velocities[dof + axis];
        }
        let w = [velocities[dof + 3], velocities[dof + 4], velocities[dof + 5]];
        let speed = (w[0] * w[0] + w[1] * w[1] + w[2] * w[2]).sqrt();
        let is_still = speed.lt(V::all(TINY));
        let by = one / speed;
        let axis =
            [V::select(is_still, one, w[0] * by), V::select(is_still, none, w[1] * by), V::select(is_still, none, w[2] * by)];
        let (sine, cosine) = (time * speed * V::all(0.5)).sin_cos();
        let by = [cosine, axis[0] * sine, axis[1] * sine, axis[2] * sine];
        let turn = normalized([positions[at + 3], positions[at + 4], positions[at + 5], positions[at + 6]]);
        positions[at + 3..][..4].copy_from_slice(&quaternion_product(&turn, &by));
    }
}

/// Euler's method, with velocities that are known before positions move.
pub(super) struct Euler<'a, V: Lanes> {
    pub(super) tables: &'a Tables,
    pub(super) motion: &'a mut Motion<V>,
    /// Accelerations that the next step begins with.
    pub(super) warm: &'a mut [V; DOFS],
    pub(super) accelerations: &'a [V; DOFS],
    pub(super) constraint_forces: &'a [V; DOFS],
}

impl<V: Lanes> Work for Euler<'_, V> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        let Self { tables, motion, warm, accelerations: found, constraint_forces } = self;
        let dofs = tables.dofs.len();
        let mut accelerations = *found;
        if tables.has_damping {
            let mut matrix = motion.mass;
            for dof in &tables.dofs {
                let at = dof.diagonal();
                matrix[at] = matrix[at] + V::all(tables.timestep * dof.damping);
            }
            let mut inverse = [V::all(0.0); DOFS];
            factorize(tables, &mut matrix, &mut inverse);
            for (dof, value) in accelerations[..dofs].iter_mut().enumerate() {
                *value = motion.forces[dof] + constraint_forces[dof];
            }
            solve(tables, &matrix, &inverse, &mut accelerations[..dofs]);
        }
        for dof in 0..dofs {
            motion.velocities[dof] = motion.velocities[dof] + accelerations[dof] * V::all(tables.timestep);
        }
        integrate(tables, &mut motion.positions, &motion.velocities);
        *warm = *found;
    }
}

/// Where a step of Runge's and Kutta's method began, and what its stages found.
pub(super) struct Stages<V> {
    positions: [V; POSITIONS],
    velocities: [[V; DOFS]; STAGES],
    accelerations: [[V; DOFS]; STAGES],
}

impl<V: Lanes> Stages<V> {
    pub(super) fn new() -> Self {
        let none = V::all(0.0);
        Self { positions: [none; POSITIONS], velocities: [[none; DOFS]; STAGES], accelerations: [[none; DOFS]; STAGES] }
    }
}

/// Stages of a step.
pub(super) const STAGES: usize = 4;

/// The mean of all stages.
#[inline(always)]
fn weighed<V: Lanes>(of: &[[V; DOFS]; STAGES], dof: usize) -> V {
    let (outer, inner) = (V::all(1.0 / 6.0), V::all(1.0 / 3.0));
    of[0][dof] * outer + of[1][dof] * inner + of[2][dof] * inner + of[3][dof] * outer
}

/// What comes after stage `after`: the next one's positions and velocities, or the step's end.
pub(super) struct RungeKutta<'a, V: Lanes> {
    pub(super) tables: &'a Tables,
    pub(super) motion: &'a mut Motion<V>,
    pub(super) stages: &'a mut Stages<V>,
    /// Accelerations that the next step begins with.
    pub(super) warm: &'a mut [V; DOFS],
    pub(super) accelerations: &'a [V; DOFS],
    pub(super) after: usize,
}

impl<V: Lanes> Work for RungeKutta<'_, V> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        let Self { tables, motion, stages, warm, accelerations, after } = self;
        let dofs = tables.dofs.len();
        let time = V::all(tables.timestep);
        if after == 0 {
            stages.positions = motion.positions;
            stages.velocities[0] = motion.velocities;
        }
        stages.accelerations[after] = *accelerations;
        motion.positions = stages.positions;
        let mut mean = [V::all(0.0); DOFS];
        if after + 1 < STAGES {
            let share = V::all(if after + 2 == STAGES { 1.0 } else { 0.5 });
            for dof in 0..dofs {
                mean[dof] = stages.velocities[after][dof] * share;
                let gained = stages.accelerations[after][dof] * share;
                motion.velocities[dof] = stages.velocities[0][dof] + gained * time;
            }
            integrate(tables, &mut motion.positions, &mean);
            stages.velocities[after + 1] = motion.velocities;
            return;
        }
        for dof in 0..dofs {
            mean[dof] = weighed(&stages.velocities, dof);
            motion.velocities[dof] = stages.velocities[0][dof] + weighed(&stages.accelerations, dof) * time;
        }
        integrate(tables, &mut motion.positions, &mean);
        *warm = *accelerations;
    }
}
