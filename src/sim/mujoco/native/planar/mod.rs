//! Stepper for planar robots, whose bodies slide along x and z and rotate about y. For kinematic trees that are known at compile
//! time, it skips the components that are always zero.
//!
//! The stepper skips products with exact zeros, and their contributions to sums. The second tangent of a contact is orthogonal
//! to the plane, so the last two of the contact's four constraint rows are equal: they are computed once, and counted twice.
//!
//! A planar step computes only positions, velocities, `qfrc_constraint`, touch sensors whose sites are spheres, and the final
//! velocity of the root's subtree. All other derived arrays need the skipped components. If one of these arrays is requested,
//! it is computed in three dimensions, and for the state before the step, so is the step.

// Loops that the macro `each` unrolls contain comparisons between constants, which these lints would report.
#![allow(clippy::absurd_extreme_comparisons, clippy::reversed_empty_ranges)]

mod constraint;
mod data;
mod fields;
mod final_pass;
mod integrate;
mod kinematics;
mod make_constraint;
mod model;
mod newton;
mod smooth;
mod touch_sensors;
mod tree;

use std::marker::PhantomData;

pub(super) use self::data::StepArgs;
use self::data::{Kernel, LoadFields, PlanarData};
use self::final_pass::RootLinvel;
use self::integrate::Euler;
use self::make_constraint::MakeConstraint;
pub(super) use self::model::PlanarModel;
use self::model::TreeShape;
use self::newton::Newton;
use self::smooth::FwdSmooth;
use self::touch_sensors::NormalForces;
use self::tree::{Leg, LongLeg, TwoLegs};
use crate::native::lane_fields::FieldSource;
use crate::native::model::NativeModel;
use crate::native::sensor::touch_sensors::TouchSensor;
use envpool_rs_numeric::simd::Float64Lanes;

/// Batch of simulations of a planar model with one of the known kinematic trees.
pub(super) struct PlanarBatch<V: Float64Lanes>(Kind<V>);

enum Kind<V: Float64Lanes> {
    Leg(Box<PlanarData<V, 6, 6>>),
    LongLeg(Box<PlanarData<V, 7, 7>>),
    TwoLegs(Box<PlanarData<V, 9, 6>>),
}

macro_rules! for_tree {
    ($planes:expr, $step:expr, $work:ident) => {
        match &mut $planes.0 {
            Kind::Leg(planar) => V::enter(Kernel::<$work, V, Leg, 6, 6>(planar, $step, PhantomData)),
            Kind::LongLeg(planar) => V::enter(Kernel::<$work, V, LongLeg, 7, 7>(planar, $step, PhantomData)),
            Kind::TwoLegs(planar) => V::enter(Kernel::<$work, V, TwoLegs, 9, 6>(planar, $step, PhantomData)),
        }
    };
    ($planes:expr, $planar:ident => $work:expr) => {
        match $planes {
            Kind::Leg($planar) => $work,
            Kind::LongLeg($planar) => $work,
            Kind::TwoLegs($planar) => $work,
        }
    };
}

impl<V: Float64Lanes> PlanarBatch<V> {
    pub(super) fn new(model: &NativeModel, planar_model: &PlanarModel) -> Self {
        Self(match planar_model.tree_shape {
            TreeShape::Leg => Kind::Leg(PlanarData::new(model, planar_model)),
            TreeShape::LongLeg => Kind::LongLeg(PlanarData::new(model, planar_model)),
            TreeShape::TwoLegs => Kind::TwoLegs(PlanarData::new(model, planar_model)),
        })
    }

    pub(super) fn load_fields(&mut self, model: &NativeModel, fields: impl FieldSource<V>) {
        for_tree!(&mut self.0, planar => V::enter(LoadFields { planar, model, fields }))
    }

    /// Computes accelerations, as `mj_forward` does. Returns a bit mask of the lanes that MuJoCo must step instead of the
    /// native stepper. Returns `None` if geoms may collide outside the plane, so that the step must be computed in three
    /// dimensions.
    pub(super) fn forward(&mut self, mut step: StepArgs<'_, V>) -> Option<u32> {
        let mut fallback = for_tree!(self, &mut step, FwdSmooth);
        let (uncertain, has_rows) = for_tree!(self, &mut step, MakeConstraint)?;
        fallback |= uncertain;
        Some(if has_rows { fallback | for_tree!(self, &mut step, Newton) } else { fallback })
    }

    /// Advances by Euler's method after [`PlanarBatch::forward`]. Returns a bit mask of the lanes that MuJoCo must step.
    pub(super) fn euler(&mut self, mut step: StepArgs<'_, V>) -> u32 {
        for_tree!(self, &mut step, Euler)
    }

    /// Computes `subtree_linvel` of the root body for the present state.
    pub(super) fn root_linvel(&mut self, mut step: StepArgs<'_, V>) -> [V; 3] {
        let [x, z] = for_tree!(self, &mut step, RootLinvel);
        [x, V::splat(0.0), z]
    }

    /// Computes the normal forces of all contacts, which [`PlanarBatch::touch_sensordata`] reads, after [`PlanarBatch::forward`].
    pub(super) fn normal_forces(&mut self) {
        for_tree!(&mut self.0, planar => V::enter(NormalForces(planar)))
    }

    /// Computes the values of touch sensors in one lane after [`PlanarBatch::normal_forces`], as `mj_sensorAcc` does.
    pub(super) fn touch_sensordata(&self, model: &NativeModel, sensors: &[TouchSensor], lane: usize, values: &mut [f64]) {
        for_tree!(&self.0, planar => planar.touch_sensordata(model, sensors, lane, values))
    }
}
