//! The library's step once more, for several simulations at once: every sum in the library's order, so that the bits are the same.
//!
//! | module | |
//! |---|---|
//! | `tables` | a model as it is stepped |
//! | `dialect` | what differs between versions of the library |
//! | `read`, `read_motors`, `read_tendons`, `reader` | how it is read, and what is left to the library |
//! | `pairs`, `watch` | which shapes may touch, and when that is the library's business |
//! | [`state`] | simulations' states, and what is shown of them |
//! | `algebra` | vectors, quaternions, dot products, each in the library's order |
//! | `smooth` | accelerations without constraints |
//! | `find`, `rows` | constraints as rows of a matrix: what is held, joints at their limits |
//! | `contacts`, `ropes`, `solids` | shapes that touch; tendons that constraints hold; ellipsoids and cylinders on the ground |
//! | `cones`, `friction` | friction in joints, and of contacts in elliptic cones |
//! | `islands` | trees of bodies that constraints bind together |
//! | `collide` | where round shapes touch one another |
//! | `newton`, `line_search` | Newton's method |
//! | `planar` | the same for robots in a plane, without the numbers that are zero |
//! | `feelers` | sensors of touch |
//! | `compact`, `drawn` | the other solver: forces row by row, again and again |
//! | `integrate` | Euler's method, Runge's and Kutta's |
//! | `group` | a step of simulations side by side |
//! | [`trust`] | whether it gives the library's bits, on this machine, for this model |
//!
//! What it rests on was found by comparing with the library's sources and bits, versions 3.5 to 4.0, on x86-64; what differs between
//! them is told in `dialect`, and nowhere else. The library is compiled without fused multiply-add and without leave to reorder sums, so
//! that an expression is what its text says. Its own loops by hand are the only sums that do not go from left to right: dense dot products
//! (`algebra::dot`), products with rows of the factored mass matrix (`smooth::solve`) and of forces with motions (`algebra::power`), and
//! from 4.0 on those of quaternions.
//!
//! A simulation's state stays the library's, in [`Data`]: it is taken from there before a step, and put back after it. So a simulation
//! can be left to the library at any step, and is wherever something happens that is not stepped here: a number that is bad, two shapes
//! that might touch in a way that is not among those of `pairs`.

// Formulas number their parts.
#![allow(clippy::needless_range_loop)]

mod algebra;
mod collide;
mod compact;
mod cones;
mod contacts;
mod dialect;
mod drawn;
mod feelers;
mod find;
mod friction;
mod group;
mod integrate;
mod islands;
mod line_search;
mod newton;
mod pairs;
mod planar;
mod read;
mod read_motors;
mod read_tendons;
mod reader;
mod ropes;
mod rows;
mod smooth;
mod solids;
pub mod state;
mod tables;
#[cfg(test)]
mod tests;
pub mod trust;
mod watch;

use std::cell::Cell;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::ops::Deref;
use std::sync::{Arc, OnceLock};

#[cfg(target_arch = "x86_64")]
use envpool_rs_numeric::simd::{F64x4, F64x8};
use envpool_rs_numeric::simd::{Float64Lanes, SimdLevel};
use thread_local::ThreadLocal;

use self::dialect::Solver;
use self::feelers::{Feeler, read_feelers};
use self::group::{Group, NEWTON_NV, PGS_NV};
use self::planar::Flat;
use self::read::read;
use self::reader::Reader;
use self::smooth::Motion;
use self::state::Parts;
pub use self::state::{Derived, Lane};
use self::tables::Tables;
use super::data::Data;
use super::faults::Fault;
use super::model::Model;
use super::workspace::Workspace;

/// A model that is stepped here. Copies are the same one.
#[derive(Clone)]
pub struct Stepper(Arc<Shared>);

/// What copies share.
pub struct Shared {
    tables: Tables,
    /// The same in a plane, where it is in one.
    flat: Option<Flat>,
    /// Sensors of touch, or why these are the library's.
    feelers: Result<Vec<Feeler>, String>,
    parts: Parts,
    level: SimdLevel,
    model: Model,
    /// The share of compared steps that was left to the library, once they were compared.
    left: OnceLock<f64>,
    memories: ThreadLocal<Cell<Option<Box<Memory>>>>,
}

impl Deref for Stepper {
    type Target = Shared;

    fn deref(&self) -> &Shared {
        &self.0
    }
}

/// What it takes to step, for one thread.
#[derive(Default)]
struct Memory {
    /// Steps of simulations that were left to the library.
    left: u64,
    one: Option<Box<Group<f64>>>,
    #[cfg(target_arch = "x86_64")]
    four: Option<Box<Group<F64x4>>>,
    #[cfg(target_arch = "x86_64")]
    eight: Option<Box<Group<F64x8>>>,
}

impl Stepper {
    /// A stepper for a model, which has not been compared with the library: see [`Stepper::trusted`].
    ///
    /// # Errors
    /// Why the model is left to the library.
    pub fn new(model: &Model) -> Result<Self, String> {
        let tables = read(model)?;
        let (flat, feelers) = (Flat::new(&tables), read_feelers(&Reader(model)));
        let solved = if tables.solver == Solver::Newton { NEWTON_NV } else { PGS_NV };
        let whole = if tables.islands.is_empty() { Some(&tables) } else { None };
        let unsolved = whole.into_iter().chain(tables.islands.iter().map(|island| &island.tables));
        let unsolved = unsolved.map(|tables| tables.dofs.len()).find(|dofs| !solved.contains(dofs));
        if let Some(dofs) = unsolved.filter(|_| tables.rows > 0) {
            return Err(format!("{dofs} degrees of freedom"));
        }
        let (parts, level) = (Parts::find(model)?, SimdLevel::detect());
        let (model, left, memories) = (model.clone(), OnceLock::new(), ThreadLocal::new());
        Ok(Self(Arc::new(Shared { tables, flat, feelers, parts, level, model, left, memories })))
    }
}

impl Shared {
    /// A number that tells models apart, by all that steps are made of.
    fn fingerprint(&self) -> u64 {
        let mut hasher = DefaultHasher::new();
        // Debug prints floats so that they can be told apart.
        format!("{:?} {:?} {:?} {}", self.tables, self.feelers, self.level.name(), self.model.library().version())
            .hash(&mut hasher);
        hasher.finish()
    }

    /// The share of the compared steps that was left to the library; `None` for a stepper that was not compared.
    #[must_use]
    pub fn share_left(&self) -> Option<f64> {
        self.left.get().copied()
    }

    /// Whether it is known what sensors of touch say, and there are no others of forces.
    #[must_use]
    pub fn feels(&self) -> bool {
        self.feelers.is_ok()
    }

    fn group<V: Float64Lanes>(&self) -> Group<V> {
        Group::new(&self.tables, self.flat.as_ref(), self.feelers.as_deref().unwrap_or_default())
    }

    /// Bytes that each thread takes.
    pub fn thread_bytes(&self) -> usize {
        let rows = self.tables.rows * (self.tables.dofs.len() + ROW);
        // Islands are copied.
        let copies = if self.tables.islands.is_empty() { 1 } else { 2 };
        copies
            * match self.level {
                #[cfg(target_arch = "x86_64")]
                SimdLevel::Avx2(_) => size_of::<Motion<F64x4>>() + 32 * rows,
                #[cfg(target_arch = "x86_64")]
                SimdLevel::Avx512(_) => 2 * (size_of::<Motion<F64x8>>() + 64 * rows),
                _ => size_of::<Motion<f64>>() + 8 * rows,
            }
    }

    /// Goes on by so many steps, for several simulations of the model, and shows each to `show`: where the library would have brought it,
    /// to the last bit; or where the library has brought it, in the thread's simulation of `workspace`. Or a simulation's failure, whose
    /// state is what it was.
    ///
    /// What is shown of a simulation are its positions, velocities and controls, and what is asked for by `derived`; it may be used to
    /// compute what follows from them.
    ///
    /// # Errors
    /// Those of `show`.
    pub fn step(
        &self,
        workspace: &Workspace,
        lanes: &mut [Lane<'_>],
        (count, derived): (u32, Derived),
        mut show: impl FnMut(usize, Result<&mut Data, Fault>),
    ) {
        let cell = self.memories.get_or_default();
        // Memory that something panics with is not used again.
        let mut memory = cell.take().unwrap_or_default();
        let mut start = 0;
        while start < lanes.len() {
            let own = lanes[start..].iter().take_while(|lane| self.parts.are_all_of(lane.state)).count();
            let used = match own {
                0 => 1,
                own => {
                    self.step_some(&mut memory, (workspace, start), &mut lanes[start..start + own], (count, derived), &mut show)
                }
            };
            if own == 0 {
                memory.left += u64::from(count);
                by_library(workspace, start, &mut lanes[start], (count, derived), &mut show);
            }
            start += used;
        }
        cell.set(Some(memory));
    }

    /// Steps as many as fit a register, and returns how many these were.
    fn step_some(
        &self,
        memory: &mut Memory,
        to: (&Workspace, usize),
        lanes: &mut [Lane<'_>],
        how: (u32, Derived),
        show: &mut dyn FnMut(usize, Result<&mut Data, Fault>),
    ) -> usize {
        let left = &mut memory.left;
        #[cfg(target_arch = "x86_64")]
        match (self.level, lanes.len()) {
            (SimdLevel::Avx512(_), 5..) => {
                let used = lanes.len().min(8);
                let group = memory.eight.get_or_insert_with(|| Box::new(self.group()));
                *left += self.step_group(group, to, &mut lanes[..used], how, show);
                return used;
            }
            (SimdLevel::Avx2(_) | SimdLevel::Avx512(_), 2..) => {
                let used = lanes.len().min(4);
                let group = memory.four.get_or_insert_with(|| Box::new(self.group()));
                *left += self.step_group(group, to, &mut lanes[..used], how, show);
                return used;
            }
            _ => {}
        }
        let group = memory.one.get_or_insert_with(|| Box::new(self.group()));
        *left += self.step_group(group, to, &mut lanes[..1], how, show);
        1
    }

    /// Returns how many steps were left to the library.
    fn step_group<V: Float64Lanes>(
        &self,
        group: &mut Group<V>,
        (workspace, start): (&Workspace, usize),
        lanes: &mut [Lane<'_>],
        (count, derived): (u32, Derived),
        show: &mut dyn FnMut(usize, Result<&mut Data, Fault>),
    ) -> u64 {
        let left = group.step((&self.tables, &self.parts), lanes, count, derived);
        for (lane, own) in lanes.iter_mut().enumerate() {
            if left >> lane & 1 != 0 {
                by_library(workspace, start + lane, own, (count, derived), show);
                continue;
            }
            let shown = workspace.anywhere(|data| {
                if cfg!(debug_assertions) {
                    hide(data, derived);
                }
                group.show(&self.tables, lane, own.control, data, derived);
                show(start + lane, Ok(data));
                Ok(())
            });
            own.state[self.parts.control.clone()].copy_from_slice(own.control);
            if let Err(fault) = shown {
                show(start + lane, Err(fault));
            }
        }
        u64::from(count) * u64::from(left.count_ones())
    }
}

/// Overwrites what `derived` does not ask for by NaN, so that a reader of it does not see another lane's numbers. The world's own rows stay,
/// and outer forces, which are 0 where they are not asked for.
fn hide(data: &mut Data, derived: Derived) {
    if !derived.body_places {
        data.xpos_mut()[3..].fill(f64::NAN);
    }
    if !derived.body_motions {
        data.xipos_mut()[3..].fill(f64::NAN);
        data.cinert_mut()[10..].fill(f64::NAN);
        data.cvel_mut()[6..].fill(f64::NAN);
        data.qfrc_actuator_mut().fill(f64::NAN);
    }
    if !derived.site_places {
        data.site_xpos_mut().fill(f64::NAN);
    }
    if !derived.constraint_forces {
        data.qfrc_constraint_mut().fill(f64::NAN);
    }
    if !derived.tendons {
        data.ten_length_mut().fill(f64::NAN);
        data.ten_velocity_mut().fill(f64::NAN);
    }
    if !derived.touches {
        data.sensordata_mut().fill(f64::NAN);
    }
}

/// Has the library step a simulation.
fn by_library(
    workspace: &Workspace,
    number: usize,
    lane: &mut Lane<'_>,
    (count, derived): (u32, Derived),
    show: &mut dyn FnMut(usize, Result<&mut Data, Fault>),
) {
    let stepped = workspace.at(lane.state, |data| {
        data.ctrl_mut().copy_from_slice(lane.control);
        data.step(count, derived.outer_forces)?;
        show(number, Ok(data));
        Ok(())
    });
    if let Err(fault) = stepped {
        show(number, Err(fault));
    }
}

/// Numbers that the solver keeps of each row.
const ROW: usize = 10;
