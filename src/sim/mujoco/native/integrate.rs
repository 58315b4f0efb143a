//! Integrators: `mj_integratePos`, `mj_Euler` and `mj_RungeKutta`.

use super::algebra::{TINY, cross, normalized, quaternion_product};
use super::smooth::{Motion, factorize, solve};
use super::tables::{Activation, DOFS, JointKind, POSITIONS, Tables};
use envpool_rs_numeric::simd::{Float64Lanes, Work};

/// Bad-number threshold, `mjMAXVAL`.
const LARGEST: f64 = 1e10;

/// Returns the lanes with a bad number (NaN, or beyond [`LARGEST`]), as bits; see `mju_isBad`.
#[inline(always)]
pub(super) fn bad<V: Float64Lanes>(values: &[V]) -> u32 {
    let mut good = V::mask(V::ALL);
    for value in values {
        good = V::both(good, value.abs().le(V::all(LARGEST)));
    }
    !V::bits(good) & V::ALL
}

/// Integrates positions over one timestep at constant velocities, as `mj_integratePos`.
#[inline(always)]
pub(super) fn integrate<V: Float64Lanes>(tables: &Tables, positions: &mut [V; POSITIONS], velocities: &[V; DOFS]) {
    let (none, one, time) = (V::all(0.0), V::all(1.0), V::all(tables.timestep));
    let in_pairs = tables.dialect.sums_in_pairs;
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
        let turn = normalized([positions[at + 3], positions[at + 4], positions[at + 5], positions[at + 6]], in_pairs);
        positions[at + 3..][..4].copy_from_slice(&quaternion_product(&turn, &by, in_pairs));
    }
}

/// Semi-implicit Euler integrator, `mj_Euler`: velocities advance before positions.
pub(super) struct Euler<'a, V: Float64Lanes> {
    pub(super) tables: &'a Tables,
    pub(super) motion: &'a mut Motion<V>,
    /// `qacc_warmstart` for the next step.
    pub(super) warm: &'a mut [V; DOFS],
    pub(super) accelerations: &'a [V; DOFS],
    pub(super) constraint_forces: &'a [V; DOFS],
}

impl<V: Float64Lanes> Work for Euler<'_, V> {
    /// Lanes that have to fall back to MuJoCo, as bits.
    type Output = u32;

    #[inline(always)]
    fn run(self) -> u32 {
        let Self { tables, motion, warm, accelerations: found, constraint_forces } = self;
        let dofs = tables.dofs.len();
        let mut accelerations = *found;
        let mut left = 0;
        if tables.has_damping {
            let (matrix, len) = (&mut motion.damped, tables.columns.len());
            matrix[..len].copy_from_slice(&motion.mass[..len]);
            for dof in &tables.dofs {
                let at = dof.diagonal();
                matrix[at] = matrix[at] + V::all(tables.timestep * dof.damping);
            }
            let mut inverse = [V::all(0.0); DOFS];
            left = factorize(tables, matrix, &mut inverse);
            for (dof, value) in accelerations[..dofs].iter_mut().enumerate() {
                *value = motion.forces[dof] + constraint_forces[dof];
            }
            solve(tables, matrix, &inverse, &mut accelerations[..dofs]);
        }
        for motor in &tables.motors {
            if let Some(Activation { number, .. }) = motor.activation {
                let change = motion.activating[number] * V::all(tables.timestep);
                motion.activations[number] = motion.activations[number] + change;
            }
        }
        for dof in 0..dofs {
            motion.velocities[dof] = motion.velocities[dof] + accelerations[dof] * V::all(tables.timestep);
        }
        integrate(tables, &mut motion.positions, &motion.velocities);
        *warm = *found;
        left
    }
}

/// State at the start of an `mj_RungeKutta` step, with velocities and accelerations of its stages.
pub(super) struct Stages<V> {
    positions: [V; POSITIONS],
    velocities: [[V; DOFS]; STAGES],
    accelerations: [[V; DOFS]; STAGES],
}

impl<V: Float64Lanes> Stages<V> {
    pub(super) fn new() -> Self {
        let none = V::all(0.0);
        Self { positions: [none; POSITIONS], velocities: [[none; DOFS]; STAGES], accelerations: [[none; DOFS]; STAGES] }
    }
}

/// Number of stages of a Runge-Kutta step.
pub(super) const STAGES: usize = 4;

/// Returns the weighted mean of all stages.
#[inline(always)]
fn weighed<V: Float64Lanes>(of: &[[V; DOFS]; STAGES], dof: usize) -> V {
    let (outer, inner) = (V::all(1.0 / 6.0), V::all(1.0 / 3.0));
    of[0][dof] * outer + of[1][dof] * inner + of[2][dof] * inner + of[3][dof] * outer
}

/// Transition after Runge-Kutta stage `after`: to the next stage's positions and velocities, or to the end of the step.
pub(super) struct RungeKutta<'a, V: Float64Lanes> {
    pub(super) tables: &'a Tables,
    pub(super) motion: &'a mut Motion<V>,
    pub(super) stages: &'a mut Stages<V>,
    /// `qacc_warmstart` for the next step.
    pub(super) warm: &'a mut [V; DOFS],
    pub(super) accelerations: &'a [V; DOFS],
    pub(super) after: usize,
}

impl<V: Float64Lanes> Work for RungeKutta<'_, V> {
    /// Lanes that have to fall back to MuJoCo, as bits.
    type Output = u32;

    #[inline(always)]
    fn run(self) -> u32 {
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
            let velocities = &mut stages.velocities[after + 1];
            *velocities = motion.velocities;
            let mut left = 0;
            if tables.dialect.corrects_turning {
                for joint in tables.joints.iter().filter(|joint| joint.kind == JointKind::Free) {
                    left |= !corrected(&mut velocities[joint.dof + 3..][..3], &mean[joint.dof + 3..][..3], time);
                }
            }
            return left & V::ALL;
        }
        for dof in 0..dofs {
            mean[dof] = weighed(&stages.velocities, dof);
            motion.velocities[dof] = stages.velocities[0][dof] + weighed(&stages.accelerations, dof) * time;
        }
        integrate(tables, &mut motion.positions, &mean);
        *warm = *accelerations;
        0
    }
}

/// Polynomial coefficients of [`corrected`] in the squared angle, highest power first.
const CORRECTION: [f64; 9] = [
    1.230_313_397_310_169e-14,
    3.161_551_550_077_822e-13,
    1.345_548_595_105_788_8e-11,
    5.282_849_430_384_459e-10,
    2.087_690_064_203_914_2e-8,
    8.267_194_907_152_073e-7,
    3.306_878_309_443_32e-5,
    0.001_388_888_888_885_975_5,
    0.083_333_333_333_333_38,
];

/// Squared angle from which on MuJoCo computes the correction without the polynomial.
const NARROW: f64 = 3.0625;

/// Corrects a stage's angular velocity for the rotation that the stage applied (Munthe-Kaas).
///
/// Rotations do not add up as vectors do. `mean` is the angular velocity of that rotation. Returns the lanes, as bits, in which the polynomial was valid.
#[inline(always)]
fn corrected<V: Float64Lanes>(turning: &mut [V], mean: &[V], time: V) -> u32 {
    let angle = [mean[0] * time, mean[1] * time, mean[2] * time];
    let square = angle[0] * angle[0] + angle[1] * angle[1] + angle[2] * angle[2];
    let mut factor = V::all(CORRECTION[0]);
    for term in 1..CORRECTION.len() {
        factor = square * factor + V::all(CORRECTION[term]);
    }
    let across = cross(angle, [turning[0], turning[1], turning[2]]);
    let twice = cross(angle, across);
    for axis in 0..3 {
        turning[axis] = factor * twice[axis] + (V::all(0.5) * across[axis] + turning[axis]);
    }
    V::bits(square.lt(V::all(NARROW)))
}
