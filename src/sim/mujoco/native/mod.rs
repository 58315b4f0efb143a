//! Native implementation of `mj_step` that steps several simulations at once, one per SIMD lane. Every sum runs in MuJoCo's
//! order, so the results are bit-identical to MuJoCo's.
//!
//! The implementation was derived from MuJoCo's sources, and its results were compared with those of four versions, 3.6 to 4.0, on
//! x86-64. All differences between these versions are in `dialect`. MuJoCo is compiled without fused multiply-add and without
//! permission to reorder sums, so each expression is evaluated as written. The only sums that do not run from left to right are
//! MuJoCo's hand-written loops: dense dot products (`mju::dot`), products with rows of the factored mass matrix
//! (`inertia::solve_ld`), products of forces and motions (`mju::dot6`), and, since version 4.0, quaternion functions.
//!
//! MuJoCo's [`Data`](crate::Data) still owns a simulation's state: a native step reads the state from it and writes the new state to it. A
//! simulation can therefore fall back to MuJoCo at any step, and does so for events that have no native implementation: a bad
//! number (NaN, or beyond `mjMAXVAL`), or two geoms of a pair without a native collider (see `collision::pairs`) that might touch.

// Loops over vector components use indices, because the formulas in MuJoCo's sources do so.
#![allow(clippy::needless_range_loop)]

mod constraint;
mod data;
mod dialect;
mod integrate;
mod lane_fields;
mod mju;
mod model;
mod muscle;
mod outlined;
mod passive;
mod planar;
mod smooth;
pub mod state;
mod step;
mod stepper;
mod tendon;
#[cfg(test)]
mod tests;
mod transmission;
pub mod verify;
mod wrap;

mod actuation;
mod collision;
mod inertia;
mod kinematics;
mod sensor;
mod solver;

use std::cell::Cell;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::ops::Deref;
use std::sync::{Arc, OnceLock};

use envpool_rs_numeric::simd::{Float64Kernel, Float64Lanes, SimdLevel};
use thread_local::ThreadLocal;

use self::data::NativeData;
use self::dialect::Solver;
use self::lane_fields::BaseFields;
pub use self::lane_fields::{LaneField, LaneFields};
use self::model::NativeModel;
use self::planar::PlanarModel;
use self::state::StateLayout;
pub use self::state::{Derived, Lane};
use self::step::{Batch, PGS_NV};
use self::stepper::{AnyBatch, Batches};
pub use self::stepper::{LaneOutcome, saved_values};
use crate::model::Model;
use crate::native::collision::library_contacts::NarrowPhase;
use crate::native::model::read::read_model;
use crate::native::model::reader::Reader;
use crate::native::sensor::final_pass::{SubtreeSensor, read_subtree_sensors};
use crate::native::sensor::library_sensors::{Sensors, read_sensors};
use crate::native::sensor::touch_sensors::{TouchSensor, has_other_forces, read_touch_sensors};

/// Number of simulations that the native stepper steps together: the `f64` lanes of the widest SIMD registers.
pub const STEPPER_LANES: usize = 8;

/// Bytes of stack that a step may use, which holds matrices of SIMD vectors. The models of dm_control's quadrupeds and of
/// gymnasium's humanoids need between 0.5 and 0.75 MiB, and between 3 and 4 MiB without optimisation.
pub const STEPPER_STACK_BYTES: usize = if cfg!(debug_assertions) { 6 << 20 } else { 3 << 19 };

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
    /// Parts of `mjData` that all sensors read, or the reason why MuJoCo must take the last step if `sensordata` is requested.
    sensors: Result<Sensors, String>,
    /// Whether any sensor of the acceleration stage is not a touch sensor.
    has_other_forces: bool,
    layout: StateLayout,
    base_fields: BaseFields,
    level: SimdLevel,
    model: Model,
    /// Fraction of the compared steps that MuJoCo had to take instead of the native stepper; unset until the comparison has run.
    fallback_share: OnceLock<f64>,
    /// Result of the comparison in which lanes have own values of model fields; unset until it has run.
    fields_verdict: OnceLock<Result<(), String>>,
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
    /// Batches of the vector types that steps have needed so far.
    batches: Vec<Box<dyn AnyBatch>>,
}

impl Stepper {
    /// Creates a stepper that has not been compared with MuJoCo: see [`Stepper::verified`].
    ///
    /// # Errors
    /// Returns the reason why MuJoCo must step the model instead of the native stepper.
    pub fn new(model: &Model) -> Result<Self, String> {
        let tables = read_model(model).map_err(|mut refusals| refusals.swap_remove(0))?;
        let touch_sensors = read_touch_sensors(&Reader(model));
        let touch = touch_sensors.as_deref().unwrap_or_default();
        let sensors = touch_sensors.as_ref().map_err(String::clone).and_then(|_| read_sensors(&Reader(model), &tables));
        let has_other_forces = has_other_forces(&Reader(model))?;
        // The planar form does not count rows.
        let planar = PlanarModel::new(&tables)
            .filter(|_| tables.max_nefc <= tables.arena_rows && model.shaped().is_empty())
            .map(|planar| planar.with_touch(&tables, touch));
        let subtree_sensors = read_subtree_sensors(&Reader(model));
        let is_solved = tables.solver == Solver::Newton || tables.dofs.len() == PGS_NV;
        if !is_solved && tables.max_nefc > 0 {
            return Err(format!("{} degrees of freedom, and the solver PGS", tables.dofs.len()));
        }
        let (layout, level) = (StateLayout::probe(model)?, SimdLevel::detect());
        let base_fields = BaseFields::read(&Reader(model), &tables, !touch.is_empty())?;
        let (model, fallback_share, scratch) = (model.clone(), OnceLock::new(), ThreadLocal::new());
        let stepper = Self(Arc::new(Shared {
            native_model: tables,
            planar,
            touch_sensors,
            subtree_sensors,
            sensors,
            has_other_forces,
            layout,
            base_fields,
            level,
            model,
            fallback_share,
            fields_verdict: OnceLock::new(),
            scratch,
        }));
        match stepper.thread_bytes() {
            bytes if bytes > MAX_THREAD_BYTES => {
                Err(format!("{} MiB of memory for each thread: at most {}", bytes >> 20, MAX_THREAD_BYTES >> 20))
            }
            _ => Ok(stepper),
        }
    }
}

impl Shared {
    /// Returns a hash of all data on which the results of a step depend; it identifies the model in the list of verified
    /// models.
    ///
    /// The hash covers the whole `mjModel`, because MuJoCo's step may depend on fields that no table contains.
    fn fingerprint(&self) -> u64 {
        let mut hasher = DefaultHasher::new();
        (self.model.fingerprint(), self.model.shaped(), self.model.library().version(), self.level.name()).hash(&mut hasher);
        hasher.finish()
    }

    /// Returns the fraction of compared steps that MuJoCo had to take; `None` if the stepper was not compared.
    #[must_use]
    pub fn fallback_share(&self) -> Option<f64> {
        self.fallback_share.get().copied()
    }

    /// Returns whether all sensors of the acceleration stage are touch sensors that are computed natively.
    #[must_use]
    pub fn knows_touch(&self) -> bool {
        self.touch_sensors.is_ok() && !self.has_other_forces
    }

    /// Returns whether the value at `adr` in `sensordata` is that of a touch sensor that is computed natively.
    #[must_use]
    pub fn is_touch(&self, adr: usize) -> bool {
        self.touch_sensors.iter().flatten().any(|sensor| sensor.sensor_adr == adr)
    }

    /// Returns the reason why MuJoCo must take the last step if `sensordata` is requested; `None` if the native stepper takes it.
    #[must_use]
    pub fn obstacle_of_sensors(&self) -> Option<&str> {
        self.sensors.as_ref().err().map(String::as_str)
    }

    /// Returns the range of a state vector (`mjSTATE_INTEGRATION`) that holds the field `name` of `mjData`; `None` for fields
    /// that a native step does not write to the state.
    pub fn state_range(&self, name: &str) -> Option<std::ops::Range<usize>> {
        self.layout.range(name)
    }

    /// Returns whether the native stepper computes the requested arrays.
    #[must_use]
    pub fn knows(&self, arrays: Derived) -> bool {
        !arrays.has(Derived::FINAL_SUBTREE_LINVEL) || self.subtree_sensors.is_ok()
    }

    /// Returns the range of the controls in a state.
    pub fn control_range(&self) -> std::ops::Range<usize> {
        self.state_range("ctrl").expect("a native step writes the controls")
    }

    fn sensors(&self) -> (&[TouchSensor], &[SubtreeSensor], Sensors) {
        let sensors = self.sensors.clone().unwrap_or_default();
        (self.touch_sensors.as_deref().unwrap_or_default(), self.subtree_sensors.as_deref().unwrap_or_default(), sensors)
    }

    fn new_batch<V: Float64Lanes>(&self) -> Batch<V> {
        let Self { native_model, planar, model, .. } = self;
        let mut batch = Batch::<V>::new(native_model, planar.as_ref(), self.sensors());
        if native_model.may_search() {
            batch.rows.narrow = NarrowPhase::new(model, &native_model.dialect);
        }
        batch
    }

    /// Returns the size of the scratch memory of one thread, in bytes.
    pub fn thread_bytes(&self) -> usize {
        let rows = self.native_model.max_nefc * (self.native_model.dofs.len() + ROW_VALUES);
        // For models with constraint islands, the scratch memory has a second copy of the solver's arrays, and one for single lanes.
        let single = size_of::<NativeData<f64>>() + 8 * rows;
        let together = self.lanes_together() / STEPPER_LANES;
        let (copies, single) = if self.native_model.can_have_islands { (2, 2 * single) } else { (together, 0) };
        let heights = if self.base_fields.has_own_heights { STEPPER_LANES * size_of_val(self.model.hfield_data()) } else { 0 };
        let simulation = if self.native_model.may_search() { self.layout.simulation_bytes + heights } else { 0 };
        simulation + single + copies * self.level.run_float64(STEPPER_LANES, BatchBytes { rows })
    }
}

/// Kernel that returns the size of the batches of the vector type `V` and of the narrower types, in bytes.
struct BatchBytes {
    /// Number of float64 values of one lane in the solver's arrays.
    rows: usize,
}

impl Float64Kernel for BatchBytes {
    type Output = usize;

    #[inline(always)]
    fn run<V: Float64Lanes>(self) -> usize {
        let types = if V::COUNT > 4 { 2 } else { 1 };
        types * (size_of::<NativeData<V>>() + size_of::<V>() * self.rows)
    }
}

/// Kernel that creates a stepper's batch of the vector type `V`.
struct NewBatch<'a>(&'a Shared);

impl Float64Kernel for NewBatch<'_> {
    type Output = Box<dyn AnyBatch>;

    #[inline(always)]
    fn run<V: Float64Lanes>(self) -> Box<dyn AnyBatch> {
        Box::new(Batches::<V>(vec![self.0.new_batch()]))
    }
}

/// Largest accepted scratch memory of one thread, in bytes.
const MAX_THREAD_BYTES: usize = 128 << 20;

const ROW_VALUES: usize = 10;
