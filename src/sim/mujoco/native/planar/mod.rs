//! Robots in a plane, whose bodies slide along x and z and turn about y: the same step without the numbers that are zero, for trees that
//! are known when this is compiled.
//!
//! | module | |
//! |---|---|
//! | `tree` | the trees, and sums along them |
//! | `tables` | a model in the plane, or that it is none |
//! | `lines`, `plane` | what there is of rows, and of simulations |
//! | `smooth` | accelerations without constraints |
//! | `rows` | joints at their limits, capsules on the ground |
//! | `newton` | Newton's method |
//! | `euler` | from accelerations to positions |
//!
//! What is left out are products with exact zeros, and what is added to sums by them. The second tangent of a contact lies across the plane,
//! so that the last two of its four rows are the same: they are computed once, and count twice.
//!
//! All that is shown of a simulation but its positions, velocities and forces of constraints needs the other numbers, too: steps after which it is
//! asked for are not stepped here.

// Loops that are written out compare numbers that are known.
#![allow(clippy::absurd_extreme_comparisons, clippy::reversed_empty_ranges)]

mod euler;
mod lines;
mod newton;
mod plane;
mod rows;
mod smooth;
mod tables;
mod tree;

use std::marker::PhantomData;

use self::euler::Euler;
use self::newton::Newton;
use self::plane::Plane;
pub(super) use self::plane::Step;
use self::rows::FindRows;
use self::smooth::Smooth;
pub(super) use self::tables::Flat;
use self::tables::Known;
use self::tree::{Leg, LongLeg, TwoLegs};
use super::tables::Tables;
use envpool_rs_numeric::simd::Float64Lanes;

/// Simulations of a model whose tree is known.
pub(super) struct Planes<V: Float64Lanes>(Kind<V>);

enum Kind<V: Float64Lanes> {
    Leg(Box<Plane<V, 6, 6>>),
    LongLeg(Box<Plane<V, 7, 7>>),
    TwoLegs(Box<Plane<V, 9, 6>>),
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
    pub(super) fn new(tables: &Tables, flat: &Flat) -> Self {
        Self(match flat.known {
            Known::Leg => Kind::Leg(Plane::new(tables, flat)),
            Known::LongLeg => Kind::LongLeg(Plane::new(tables, flat)),
            Known::TwoLegs => Kind::TwoLegs(Plane::new(tables, flat)),
        })
    }

    /// Accelerations. Returns the lanes, as bits, that have to be left to the library; or nothing, where shapes are near one another that
    /// may touch in a way that is not of the plane.
    pub(super) fn forward(&mut self, mut step: Step<'_, V>) -> Option<u32> {
        let mut left = for_tree!(self, &mut step, Smooth);
        let (alarms, has_rows) = for_tree!(self, &mut step, FindRows)?;
        left |= alarms;
        Some(if has_rows { left | for_tree!(self, &mut step, Newton) } else { left })
    }

    /// Euler's method, after [`Planes::forward`]. Returns the lanes, as bits, that have to be left to the library.
    pub(super) fn euler(&mut self, mut step: Step<'_, V>) -> u32 {
        for_tree!(self, &mut step, Euler)
    }
}
