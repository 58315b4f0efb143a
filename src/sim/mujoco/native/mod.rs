//! Native implementation of `mj_step` that steps several simulations at once, one per SIMD lane. Every sum runs in MuJoCo's
//! order, so the results are bit-identical to MuJoCo's.
//!
//! | module | contents |
//! |---|---|
//! | `tables` | the parts of `mjModel` that a step reads |
//! | `dialect` | differences between MuJoCo versions |
//! | `read`, `read_equalities`, `read_motors`, `read_tendons`, `reader` | conversion of an `mjModel`, and the reasons to fall back to MuJoCo |
//! | `refusals` | list of all these reasons for a model |
//! | `boxes`, `hulls`, `pairs`, `watch` | collision filters (`mj_collision`), and guards for pairs that have no native collider |
//! | [`state`] | layout of simulation states, and the derived arrays that callers may request |
//! | `algebra` | `mju_` vector, quaternion and spatial functions, with sums in MuJoCo's order |
//! | `smooth` | `mj_kinematics`, `mj_comPos`, `mj_crb`, `mj_factorM`, `mj_comVel`, `mj_rne`, `mj_passive`, `mj_fwdActuation` |
//! | `find`, `rows` | `mj_makeConstraint` and the `efc_` arrays |
//! | `welds` | rows of equality constraints of two bodies (`mjEQ_CONNECT`, `mjEQ_WELD`) |
//! | `contacts`, `ropes`, `solids` | contact rows; spatial tendons and their limits; ellipsoids, cylinders and boxes on planes |
//! | `cones`, `friction` | `mj_constraintUpdate` for `dof_frictionloss` and for elliptic friction cones |
//! | `islands` | constraint islands (`mj_island`) |
//! | `collide`, `narrow`, `library_contacts` | sphere and capsule colliders; MuJoCo's collision functions for other geoms |
//! | `newton`, `line_search` | `mj_solNewton`: primal solver and line search |
//! | `planar` | the same stages for planar robots, without the components that are always zero |
//! | `feelers` | touch sensors (`mjSENS_TOUCH`) |
//! | `final_pass` | poses and velocities of the state at the end of a step |
//! | `compact`, `drawn` | `mj_solPGS`: projected Gauss-Seidel, in row order and in shuffled order |
//! | `integrate` | `mj_Euler`, `mj_RungeKutta` and `mj_implicit` |
//! | `group`, `lane_outcome` | `mj_step` for a batch of simulations; outcomes of a lane's steps, and steps that MuJoCo takes instead |
//! | [`trust`] | verification that native steps are bit-identical to MuJoCo's, on this machine and for this model |
//!
//! The implementation was derived from MuJoCo's sources, and its results were compared with those of versions 3.5 to 4.0 on
//! x86-64. All differences between these versions are in `dialect`. MuJoCo is compiled without fused multiply-add and without
//! permission to reorder sums, so each expression is evaluated as written. The only sums that do not run from left to right are
//! MuJoCo's hand-written loops: dense dot products (`algebra::dot`), products with rows of the factored mass matrix
//! (`smooth::solve`), products of forces and motions (`algebra::power`), and, since version 4.0, quaternion functions.
//!
//! MuJoCo's [`Data`] still owns a simulation's state: a native step reads the state from it and writes the new state to it. A
//! simulation can therefore fall back to MuJoCo at any step, and does so for events that have no native implementation: a bad
//! number (NaN, or beyond `mjMAXVAL`), or two geoms of a pair without a native collider (see `pairs`) that might touch.

// Loops over vector components use indices, because the formulas in MuJoCo's sources do so.
#![allow(clippy::needless_range_loop)]

mod algebra;
mod boxes;
mod collide;
mod compact;
mod cones;
mod contacts;
mod dialect;
mod drawn;
mod feelers;
mod final_pass;
mod find;
mod friction;
mod friction_row;
mod group;
mod hulls;
mod integrate;
mod islands;
mod lane_outcome;
mod library_contacts;
mod line_search;
mod narrow;
mod newton;
mod pairs;
mod planar;
mod read;
mod read_equalities;
mod read_motors;
mod read_tendons;
mod reader;
mod refusals;
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
mod welds;

use std::cell::Cell;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::ops::Deref;
use std::sync::{Arc, OnceLock};

#[cfg(target_arch = "x86_64")]
use envpool_rs_numeric::simd::{F64x4, F64x8};
use envpool_rs_numeric::simd::{Float64Lanes, SimdLevel};
use thread_local::ThreadLocal;

use self::dialect::Solver;
use self::feelers::{TouchSensor, read_touch_sensors};
pub use self::final_pass::FinalArrays;
use self::final_pass::{SubtreeSensor, read_subtree_sensors};
use self::group::{Batch, PGS_NV};
pub use self::lane_outcome::LaneOutcome;
use self::lane_outcome::step_with_library;
use self::narrow::NarrowPhase;
use self::planar::PlanarModel;
use self::read::read_model;
use self::reader::Reader;
use self::smooth::NativeData;
pub use self::state::{Derived, Lane};
use self::state::{StateLayout, poison_unrequested};
use self::tables::NativeModel;
use super::data::Data;
use super::faults::Fault;
use super::model::Model;
use super::workspace::Workspace;

/// Number of simulations that the native stepper steps together: the `f64` lanes of the widest SIMD registers.
pub const STEPPER_LANES: usize = 8;

/// Native stepper for one model. Clones share their data.
#[derive(Clone)]
pub struct Stepper(Arc<Shared>);

/// Data that all clones of a [`Stepper`] share.
pub struct Shared {
    native_model: NativeModel,
    /// Planar form of the model, in which only the x and z axes are computed; `None` if the model is not planar.
    planar: Option<PlanarModel>,
    /// Touch sensors, or the reason why MuJoCo must compute the sensors.
    touch_sensors: Result<Vec<TouchSensor>, String>,
    /// Sensors of subtrees' linear velocities, or the reason why MuJoCo must compute them.
    subtree_sensors: Result<Vec<SubtreeSensor>, String>,
    layout: StateLayout,
    level: SimdLevel,
    model: Model,
    /// Fraction of the compared steps that MuJoCo had to take instead of the native stepper; unset until the comparison has run.
    fallback_share: OnceLock<f64>,
    scratch: ThreadLocal<Cell<Option<Box<Scratch>>>>,
}

impl Deref for Stepper {
    type Target = Shared;

    fn deref(&self) -> &Shared {
        &self.0
    }
}

/// Scratch memory of one thread for native steps.
#[derive(Default)]
struct Scratch {
    /// Number of steps that MuJoCo had to take instead of the native stepper, summed over simulations.
    fallbacks: u64,
    one: Option<Box<Batch<f64>>>,
    #[cfg(target_arch = "x86_64")]
    four: Option<Box<Batch<F64x4>>>,
    #[cfg(target_arch = "x86_64")]
    eight: Option<Box<Batch<F64x8>>>,
}

impl Stepper {
    /// Creates a stepper that has not been compared with MuJoCo: see [`Stepper::verified`].
    ///
    /// # Errors
    /// Returns the reason why MuJoCo must step the model instead of the native stepper.
    pub fn new(model: &Model) -> Result<Self, String> {
        let tables = read_model(model)?;
        let feelers = read_touch_sensors(&Reader(model));
        let touch = feelers.as_deref().unwrap_or_default();
        let flat = PlanarModel::new(&tables).map(|flat| flat.with_touch(&tables, touch));
        let subtree_sensors = read_subtree_sensors(&Reader(model));
        let is_solved = tables.solver == Solver::Newton || PGS_NV.contains(&tables.dofs.len());
        if !is_solved && tables.max_nefc > 0 {
            return Err(format!("{} degrees of freedom, and the solver PGS", tables.dofs.len()));
        }
        let (parts, level) = (StateLayout::probe(model)?, SimdLevel::detect());
        let (model, left, memories) = (model.clone(), OnceLock::new(), ThreadLocal::new());
        Ok(Self(Arc::new(Shared {
            native_model: tables,
            planar: flat,
            touch_sensors: feelers,
            subtree_sensors,
            layout: parts,
            level,
            model,
            fallback_share: left,
            scratch: memories,
        })))
    }
}

impl Shared {
    /// Returns a hash of all data on which the results of a step depend; it identifies the model in the list of verified
    /// models.
    fn fingerprint(&self) -> u64 {
        let mut hasher = DefaultHasher::new();
        // The `Debug` output distinguishes models, because it formats different floats as different strings.
        let (sensors, version) = ((&self.touch_sensors, &self.subtree_sensors), self.model.library().version());
        format!("{:?} {sensors:?} {:?} {version}", self.native_model, self.level.name()).hash(&mut hasher);
        if self.native_model.max_library_nefc > 0 {
            // MuJoCo's collision functions read sizes, meshes and options of the model that no table contains.
            self.model.fingerprint().hash(&mut hasher);
        }
        hasher.finish()
    }

    /// Returns the fraction of the compared steps that MuJoCo had to take instead of the native stepper; `None` if the stepper
    /// was not compared.
    #[must_use]
    pub fn fallback_share(&self) -> Option<f64> {
        self.fallback_share.get().copied()
    }

    /// Returns whether all sensors of the acceleration stage are touch sensors that are computed natively.
    #[must_use]
    pub fn knows_touch(&self) -> bool {
        self.touch_sensors.is_ok()
    }

    /// Returns the range of a state vector (`mjSTATE_INTEGRATION`) that holds the field `name` of `mjData`; `None` for fields
    /// that a native step does not write to the state.
    pub fn state_range(&self, name: &str) -> Option<std::ops::Range<usize>> {
        self.layout.range(name)
    }

    /// Returns the range of the velocities in a state.
    pub fn velocity_range(&self) -> std::ops::Range<usize> {
        self.state_range("qvel").expect("a native step writes the velocities")
    }

    /// Returns whether the native stepper computes the requested arrays.
    #[must_use]
    pub fn knows_final_arrays(&self, arrays: FinalArrays) -> bool {
        !arrays.subtree_linvel || self.subtree_sensors.is_ok()
    }

    /// Returns the range of the controls in a state.
    pub fn control_range(&self) -> std::ops::Range<usize> {
        self.state_range("ctrl").expect("a native step writes the controls")
    }

    fn sensors(&self) -> (&[TouchSensor], &[SubtreeSensor]) {
        (self.touch_sensors.as_deref().unwrap_or_default(), self.subtree_sensors.as_deref().unwrap_or_default())
    }

    fn group<V: Float64Lanes>(&self) -> Batch<V> {
        let mut batch = Batch::new(&self.native_model, self.planar.as_ref(), self.sensors());
        if self.native_model.max_library_nefc > 0 {
            batch.rows.narrow = NarrowPhase::new(&self.model, &self.native_model.dialect);
        }
        batch
    }

    /// Returns the size of the scratch memory of one thread, in bytes.
    pub fn thread_bytes(&self) -> usize {
        let rows = self.native_model.max_nefc * (self.native_model.dofs.len() + ROW_VALUES);
        // For models with constraint islands, the scratch memory has a second copy of the solver's arrays.
        let copies = if self.native_model.islands.is_empty() { 1 } else { 2 };
        let simulation = if self.native_model.max_library_nefc > 0 { self.layout.simulation_bytes } else { 0 };
        simulation
            + copies
                * match self.level {
                    #[cfg(target_arch = "x86_64")]
                    SimdLevel::Avx2(_) => size_of::<NativeData<F64x4>>() + 32 * rows,
                    #[cfg(target_arch = "x86_64")]
                    SimdLevel::Avx512(_) => 2 * (size_of::<NativeData<F64x8>>() + 64 * rows),
                    _ => size_of::<NativeData<f64>>() + 8 * rows,
                }
    }

    /// Advances each lane by `count` steps, and calls the function `show` with the lane's result.
    ///
    /// The result is the state that MuJoCo would compute, bit for bit, in the thread's simulation of `workspace`. If the native
    /// stepper cannot step a lane, MuJoCo has computed the state. If a simulation fails, `show` receives the fault, and the
    /// lane's state is unchanged.
    ///
    /// The simulation passed to `show` has valid positions, velocities and controls, and the arrays requested by `derived`.
    /// `show` may overwrite this simulation, for example to compute further quantities.
    ///
    /// # Panics
    /// If `derived` combines final arrays with arrays that they overwrite.
    pub fn step(
        &self,
        workspace: &Workspace,
        lanes: &mut [Lane<'_>],
        how: (u32, Derived),
        mut show: impl FnMut(usize, Result<&mut Data, Fault>),
    ) {
        self.step_or_leave(Some(workspace), lanes, how, |number, lane, stepped| match stepped {
            LaneOutcome::Written(data) => show(number, Ok(data)),
            LaneOutcome::Failed(fault) => show(number, Err(fault)),
            LaneOutcome::Left => step_with_library(workspace, number, lane, how, &mut show),
            LaneOutcome::Advanced => unreachable!("there is a workspace"),
        });
    }

    /// Advances each lane by `count` steps as [`Shared::step`], but leaves the steps that MuJoCo must take to the caller.
    ///
    /// Without a workspace, results are written to the lanes' states only, and no derived array is available.
    ///
    /// # Panics
    /// If `derived` combines final arrays with arrays that they overwrite.
    pub fn step_or_leave(
        &self,
        workspace: Option<&Workspace>,
        lanes: &mut [Lane<'_>],
        (count, derived): (u32, Derived),
        mut show: impl FnMut(usize, &mut Lane<'_>, LaneOutcome<'_>),
    ) {
        let cell = self.scratch.get_or_default();
        // The scratch memory is moved out of its thread-local cell during the step. If the step panics, the scratch memory
        // is dropped, so later steps do not use it.
        let mut memory = cell.take().unwrap_or_default();
        let mut start = 0;
        while start < lanes.len() {
            let own = lanes[start..].iter().take_while(|lane| self.layout.has_only_stepped_parts(lane.state)).count();
            let used = match own {
                0 => 1,
                own => {
                    self.step_some(&mut memory, (workspace, start), &mut lanes[start..start + own], (count, derived), &mut show)
                }
            };
            if own == 0 {
                memory.fallbacks += u64::from(count);
                show(start, &mut lanes[start], LaneOutcome::Left);
            }
            start += used;
        }
        cell.set(Some(memory));
    }

    /// Steps as many lanes from the start of the list as fit into a SIMD register, and returns the number of stepped lanes.
    fn step_some(
        &self,
        memory: &mut Scratch,
        to: (Option<&Workspace>, usize),
        lanes: &mut [Lane<'_>],
        how: (u32, Derived),
        show: OnOutcome<'_>,
    ) -> usize {
        let left = &mut memory.fallbacks;
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

    /// Steps one batch of simulations, and returns the number of steps that MuJoCo had to take instead of the native stepper.
    fn step_group<V: Float64Lanes>(
        &self,
        group: &mut Batch<V>,
        (workspace, start): (Option<&Workspace>, usize),
        lanes: &mut [Lane<'_>],
        (count, derived): (u32, Derived),
        show: OnOutcome<'_>,
    ) -> u64 {
        let left = group.step((&self.native_model, &self.layout), lanes, count, derived);
        for (lane, own) in lanes.iter_mut().enumerate() {
            if left >> lane & 1 != 0 {
                show(start + lane, own, LaneOutcome::Left);
                continue;
            }
            own.state[self.layout.control.clone()].copy_from_slice(own.control);
            let Some(workspace) = workspace else {
                show(start + lane, own, LaneOutcome::Advanced);
                continue;
            };
            let shown = workspace.with_scratch(|data| {
                if cfg!(debug_assertions) {
                    poison_unrequested(data, derived);
                }
                group.write_results(&self.native_model, lane, own.control, data, derived);
                show(start + lane, own, LaneOutcome::Written(data));
                Ok(())
            });
            if let Err(fault) = shown {
                show(start + lane, own, LaneOutcome::Failed(fault));
            }
        }
        u64::from(count) * u64::from(left.count_ones())
    }
}

/// Function that receives the outcome of each lane.
type OnOutcome<'a> = &'a mut dyn FnMut(usize, &mut Lane<'_>, LaneOutcome<'_>);

/// Number of float64 values per constraint row that the solver stores.
const ROW_VALUES: usize = 10;
