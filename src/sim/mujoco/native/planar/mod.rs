//! Stepper for planar robots, whose bodies slide along x and z and rotate about y. For kinematic trees that are known at compile
//! time, it skips the components that are always zero.
//!
//! | module | contents |
//! |---|---|
//! | `tree` | kinematic trees, and sums along them |
//! | `model` | conversion of a model to its planar form |
//! | `lines`, `plane` | types of constraint rows and of simulations |
//! | `fields` | values of model fields, which can differ between lanes |
//! | `kinematics` | poses, centre of mass and motion axes |
//! | `smooth` | smooth dynamics, without constraints |
//! | `rows` | builds constraint rows: joint limits, capsules on the ground |
//! | `newton` | Newton solver |
//! | `euler` | Euler integrator |
//! | `touch` | touch sensors |
//! | `final_pass` | velocity of the centre of mass at the end of a step |
//!
//! The stepper skips products with exact zeros, and their contributions to sums. The second tangent of a contact is orthogonal
//! to the plane, so the last two of the contact's four constraint rows are equal: they are computed once, and counted twice.
//!
//! A planar step computes only positions, velocities, `qfrc_constraint`, touch sensors whose sites are spheres, and the final
//! velocity of the root's subtree. All other derived arrays need the skipped components. If one of these arrays is requested,
//! it is computed in three dimensions, and for the state before the step, so is the step.

// Loops that the macro `each` unrolls contain comparisons between constants, which these lints would report.
#![allow(clippy::absurd_extreme_comparisons, clippy::reversed_empty_ranges)]

mod euler;
mod fields;
mod final_pass;
mod kinematics;
mod lines;
mod newton;
mod plane;
mod rows;
mod smooth;
mod tables;
mod touch;
mod tree;

use std::marker::PhantomData;

use self::euler::Euler;
use self::final_pass::RootLinvel;
use self::newton::Newton;
pub(super) use self::plane::StepArgs;
use self::plane::{LoadFields, PlanarData};
use self::rows::MakeConstraint;
use self::smooth::Smooth;
pub(super) use self::tables::PlanarModel;
use self::tables::TreeShape;
use self::touch::NormalForces;
use self::tree::{Leg, LongLeg, TwoLegs};
use super::feelers::TouchSensor;
use super::lane_fields::FieldSource;
use super::tables::NativeModel;
use envpool_rs_numeric::simd::Float64Lanes;

/// Batch of simulations of a planar model with one of the known kinematic trees.
pub(super) struct Planes<V: Float64Lanes>(Kind<V>);

enum Kind<V: Float64Lanes> {
    Leg(Box<PlanarData<V, 6, 6>>),
    LongLeg(Box<PlanarData<V, 7, 7>>),
    TwoLegs(Box<PlanarData<V, 9, 6>>),
}

macro_rules! for_tree {
    ($planes:expr, $step:expr, $work:ident) => {
        match &mut $planes.0 {
            Kind::Leg(plane) => V::enter($work::<V, Leg, 6, 6>(plane, $step, PhantomData)),
            Kind::LongLeg(plane) => V::enter($work::<V, LongLeg, 7, 7>(plane, $step, PhantomData)),
            Kind::TwoLegs(plane) => V::enter($work::<V, TwoLegs, 9, 6>(plane, $step, PhantomData)),
        }
    };
}

impl<V: Float64Lanes> Planes<V> {
    pub(super) fn new(model: &NativeModel, planar_model: &PlanarModel) -> Self {
        Self(match planar_model.known {
            TreeShape::Leg => Kind::Leg(PlanarData::new(model, planar_model)),
            TreeShape::LongLeg => Kind::LongLeg(PlanarData::new(model, planar_model)),
            TreeShape::TwoLegs => Kind::TwoLegs(PlanarData::new(model, planar_model)),
        })
    }

    /// Reads the values of model fields, for the next steps, from `fields`.
    pub(super) fn load_fields(&mut self, model: &NativeModel, fields: impl FieldSource<V>) {
        match &mut self.0 {
            Kind::Leg(plane) => V::enter(LoadFields { plane, model, fields }),
            Kind::LongLeg(plane) => V::enter(LoadFields { plane, model, fields }),
            Kind::TwoLegs(plane) => V::enter(LoadFields { plane, model, fields }),
        }
    }

    /// Computes accelerations, as `mj_forward` does. Returns a bit mask of the lanes that MuJoCo must step instead of the
    /// native stepper. Returns `None` if geoms may collide outside the plane, so that the step must be computed in three
    /// dimensions.
    pub(super) fn forward(&mut self, mut step: StepArgs<'_, V>) -> Option<u32> {
        let mut left = for_tree!(self, &mut step, Smooth);
        let (alarms, has_rows) = for_tree!(self, &mut step, MakeConstraint)?;
        left |= alarms;
        Some(if has_rows { left | for_tree!(self, &mut step, Newton) } else { left })
    }

    /// Advances positions and velocities by Euler's method, after [`Planes::forward`]. Returns a bit mask of the lanes that
    /// MuJoCo must step instead of the native stepper.
    pub(super) fn euler(&mut self, mut step: StepArgs<'_, V>) -> u32 {
        for_tree!(self, &mut step, Euler)
    }

    /// Computes `subtree_linvel` of the root body for the present state.
    pub(super) fn root_linvel(&mut self, mut step: StepArgs<'_, V>) -> [V; 3] {
        let [x, z] = for_tree!(self, &mut step, RootLinvel);
        [x, V::splat(0.0), z]
    }

    /// Computes the normal forces of all contacts, which [`Planes::touch_sensordata`] reads, after [`Planes::forward`].
    pub(super) fn normal_forces(&mut self) {
        match &mut self.0 {
            Kind::Leg(plane) => V::enter(NormalForces(plane)),
            Kind::LongLeg(plane) => V::enter(NormalForces(plane)),
            Kind::TwoLegs(plane) => V::enter(NormalForces(plane)),
        }
    }

    /// Computes the values of touch sensors in one lane after [`Planes::normal_forces`], as `mj_sensorAcc` does.
    pub(super) fn touch_sensordata(&self, model: &NativeModel, sensors: &[TouchSensor], lane: usize, values: &mut [f64]) {
        match &self.0 {
            Kind::Leg(plane) => plane.touch_sensordata(model, sensors, lane, values),
            Kind::LongLeg(plane) => plane.touch_sensordata(model, sensors, lane, values),
            Kind::TwoLegs(plane) => plane.touch_sensordata(model, sensors, lane, values),
        }
    }
}
