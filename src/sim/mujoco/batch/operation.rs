//! Operations that [`Simulations::run`](crate::batch::Simulations::run) applies to each simulation by MuJoCo's library.

use std::ffi::c_int;
use std::sync::PoisonError;
use std::sync::atomic::Ordering;

use crate::batch::Simulations;
use crate::batch::rows::{Elements, Rows};
use crate::batch::stages::{Stage, compute_stages};
use crate::data::Data;
use crate::faults::{Fault, take_warning};
use crate::fields::{RawData, RawModel};
use crate::library::{Functions, Library};

/// Quantity that a record stores: a field of `mjData`, or components of the simulation's state.
#[derive(Debug, Clone)]
pub enum Source {
    /// Field of `mjData`.
    Field(Elements),
    /// Bits of `mjtState`.
    State(c_int),
}

impl Source {
    /// Finds the field `name` of `mjData`, whose elements have `bytes` bytes in total.
    ///
    /// # Errors
    /// `Library` if this version of MuJoCo has no such field.
    pub fn field(library: &Library, name: &str, bytes: usize) -> Result<Self, Fault> {
        Ok(Self::Field(Elements::find(library.layout(), "mjData", name, bytes)?))
    }
}

/// Quantity that a rollout records: one entry for each step of each simulation.
#[derive(Debug, Clone)]
pub struct Record {
    /// Quantity that an entry stores.
    pub source: Source,
    /// Size of an entry, in bytes.
    pub bytes: usize,
    /// Memory of the entries: a row for each simulation of the call, with its steps one after the other.
    pub rows: Rows,
}

/// Operation on each simulation of a call. Its arrays have a row for each simulation of the call (an entry of the call).
#[derive(Debug, Clone)]
pub enum Operation {
    /// Takes `count` steps (`mj_step`), then computes the stages of `mj_forward` up to `stage`.
    Step {
        /// Number of steps.
        count: u32,
        /// Last stage of `mj_forward` that is computed at the new state.
        stage: Stage,
    },
    /// Computes the stages of `mj_forward` up to the given stage.
    Forward(Stage),
    /// Resets the simulation to defaults or a keyframe, then computes the stages of `mj_forward` up to `stage`.
    Reset {
        /// Keyframe of each entry of the call; -1, and `None` for all entries, select the model's defaults.
        keyframes: Option<Vec<i32>>,
        /// Last stage of `mj_forward` that is computed after the reset.
        stage: Stage,
    },
    /// Takes steps with a control input for each step, and records quantities after each step. A rollout ends early if
    /// MuJoCo warns; its last records then fill the entries of the missing steps.
    Rollout {
        /// Number of steps.
        count: u32,
        /// Control inputs: rows that hold the inputs of each step one after the other, the number of values per step, and
        /// the bits of `mjtState` that name the inputs.
        control: Option<(Rows, usize, c_int)>,
        /// Records.
        records: Vec<Record>,
    },
    /// Computes the Jacobians of points on bodies (`mj_jac`).
    Jacobian {
        /// Body of each entry of the call.
        bodies: Vec<i32>,
        /// Points.
        points: Rows,
        /// Translational and rotational Jacobian of each entry: three rows of `nv` numbers each; `None` if it is not requested.
        jacobians: [Option<Rows>; 2],
    },
    /// Computes the intersections of rays with geoms (`mj_ray`).
    Rays(Box<Rays>),
    /// Copies a simulation's `mjData` to the `mjData` at this address.
    CopyData(usize),
}

/// Rays that a call intersects with the geoms of its simulations: the same number for each entry of the call.
#[derive(Debug, Clone)]
pub struct Rays {
    /// Number of rays of each entry of the call.
    pub count: usize,
    /// Origins and directions of the rays, three numbers for each ray.
    pub lines: [Rows; 2],
    /// For each geom group, whether rays can hit its geoms; `None` if rays can hit all groups.
    pub groups: Option<Vec<u8>>,
    /// Whether rays can hit geoms of static bodies.
    pub hits_static: bool,
    /// For each ray, the body whose geoms the ray cannot hit; -1 for none.
    pub excluded: Rows,
    /// Output: for each ray, the distance of the nearest geom that it hits.
    pub distances: Rows,
    /// Output: for each ray, the id of the nearest geom that it hits.
    pub geoms: Rows,
    /// Output: for each ray, the surface normal at the point that it hits; `None` if it is not requested.
    pub normals: Option<Rows>,
}

/// Simulation of a persistent batch.
pub(super) struct Persistent {
    data: Data,
    /// State after the last operation. If the caller's row differs from it, the next operation loads the row.
    state: Vec<f64>,
}

/// Number of simulation steps between two checks whether the call was cancelled.
const STEPS: u32 = 16;

/// Value of `lastinfo` in all warning counters when an operation starts. `mj_resetData` overwrites it.
const NO_INFO: i32 = i32::MIN;

/// Returns the warning counters after an operation (`lastinfo`, `number`), from those before it and those counted from 0.
fn sum_warnings(before: &[[i32; 2]], counted: &[[i32; 2]]) -> Vec<[i32; 2]> {
    let was_reset = counted.iter().any(|[last, number]| *number == 0 && *last != NO_INFO);
    let sum = |([old_last, old], [last, number]): (&[i32; 2], &[i32; 2])| match (was_reset, *number) {
        (true, 0) => [0, 0],
        (true, number) => [*last, number],
        (false, 0) => [*old_last, *old],
        (false, number) => [*last, old.saturating_add(number)],
    };
    before.iter().zip(counted).map(sum).collect()
}

/// One operation on one simulation of a batch.
pub(super) struct Run<'a> {
    pub(super) batch: &'a Simulations,
    pub(super) operation: &'a Operation,
    pub(super) entry: usize,
    pub(super) sim: usize,
    pub(super) is_cancelled: &'a mut dyn FnMut() -> bool,
}

/// What must be saved after an operation on a simulation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum End {
    /// The simulation's state and outputs must be saved.
    Saved,
    /// The operation changed no state, so nothing must be saved.
    Looked,
    /// It was cancelled.
    Cancelled,
}

impl Run<'_> {
    /// Runs the operation on the simulation (`mjData`) of the current thread. Returns false if the call was cancelled.
    pub(super) fn on_thread_data(&mut self) -> Result<bool, Fault> {
        let workspace = &self.batch.workspace;
        workspace.with_scratch(|data| self.on_data(data, true).map(|end| end != End::Cancelled))
    }

    /// Runs the operation on the `mjData` of a persistent batch. Returns false if the call was cancelled.
    pub(super) fn on_own_data(&mut self) -> Result<bool, Fault> {
        let mut own = self.batch.persistent[self.sim].lock().unwrap_or_else(PoisonError::into_inner);
        let Persistent { mut data, mut state } = match own.take() {
            Some(own) => own,
            None => Persistent { data: Data::new(&self.batch.model)?, state: Vec::new() },
        };
        // SAFETY: `Simulations::run` has checked that the id `self.sim` exists, and its caller guarantees exclusive access
        // to the simulation's row.
        let row = unsafe { self.batch.state(self.sim) };
        let is_changed = state.len() != row.len() || state.iter().zip(&*row).any(|(old, new)| old.to_bits() != new.to_bits());
        // If the row is not loaded, `mjData` keeps data that is not part of the state vector, such as which trees are
        // asleep.
        let end = self.on_data(&mut data, is_changed)?;
        if end != End::Cancelled {
            state.clear();
            state.extend_from_slice(row);
            *own = Some(Persistent { data, state });
        }
        Ok(end != End::Cancelled)
    }

    fn on_data(&mut self, data: &mut Data, loads: bool) -> Result<End, Fault> {
        // SAFETY: `Simulations::run` has checked that the id `self.sim` exists, and its caller guarantees exclusive access
        // to the simulation's row.
        let row = unsafe { self.batch.state(self.sim) };
        if loads && !matches!(self.operation, Operation::Reset { .. }) {
            data.set_state(row)?;
        }
        let batch = self.batch;
        // SAFETY: the caller of `Simulations::new` guarantees that each row of `arrays.warnings` has two numbers for each
        // of MuJoCo's warnings.
        let kept = unsafe { batch.arrays.warnings.numbers::<i32>(self.sim, 2 * Simulations::warning_count(&batch.model)) };
        let only_looks = matches!(self.operation, Operation::Jacobian { .. } | Operation::Rays(_) | Operation::CopyData(_));
        for (counter, kept) in data.warnings_mut().zip(kept.as_chunks::<2>().0) {
            *counter = if only_looks { *kept } else { [NO_INFO, 0] };
        }
        let end = batch.own_models.with_model(&batch.model, self.sim, |model| self.work(data, model))?;
        if end != End::Saved {
            return Ok(end);
        }
        let counted: Vec<_> = data.warnings_mut().map(|counter| *counter).collect();
        let warned = counted.iter().any(|[_, number]| *number > 0);
        let text = if warned { take_warning() } else { String::new() };
        if warned && batch.config.raises_unstable {
            return Err(Fault::MujocoWarning(if text.is_empty() { "numbers or memory gave out".to_owned() } else { text }));
        }
        let counts = sum_warnings(kept.as_chunks::<2>().0, &counted);
        kept.copy_from_slice(counts.as_flattened());
        data.get_state(row);
        batch.copy_outputs(self.sim, data);
        Ok(End::Saved)
    }

    fn work(&mut self, data: &mut Data, model: *const RawModel) -> Result<End, Fault> {
        let batch = self.batch;
        let library = batch.model.library();
        let compute = |data: &mut Data, stage: Stage| {
            // SAFETY: `model` and `mjData` are alive, and `mjData` was made for a model of these sizes.
            data.call_with(model, |functions, model, raw| unsafe { compute_stages(library, functions, (model, raw), stage) })
        };
        match self.operation {
            Operation::Step { count, stage } => {
                batch.library_steps.fetch_add(u64::from(*count), Ordering::Relaxed);
                if !self.step(data, model, *count)? {
                    return Ok(End::Cancelled);
                }
                compute(data, *stage)?;
            }
            Operation::Forward(stage) => compute(data, *stage)?,
            Operation::Reset { keyframes, stage } => {
                let keyframe = keyframes.as_ref().map_or(-1, |keyframes| keyframes[self.entry]);
                // SAFETY: `model` and `mjData` are alive, and `mjData` was made for a model of these sizes.
                data.call_with(model, |functions, model, raw| unsafe {
                    match keyframe {
                        -1 => (functions.mj_resetData)(model, raw),
                        _ => (functions.mj_resetDataKeyframe)(model, raw, keyframe),
                    }
                })?;
                compute(data, *stage)?;
            }
            Operation::Rollout { .. } => return self.rollout(data, model),
            Operation::Jacobian { .. } | Operation::Rays(_) | Operation::CopyData(_) => {
                // SAFETY: `model` and `mjData` are alive, and `mjData` was made for a model of these sizes. The caller of
                // `Simulations::run` guarantees that the operation's pointers are valid.
                data.call_with(model, |functions, model, raw| unsafe { self.look(functions, (model, raw)) })?;
                return Ok(End::Looked);
            }
        }
        Ok(End::Saved)
    }

    /// Advances the simulation by `count` steps. Returns false if the call was cancelled.
    fn step(&mut self, data: &mut Data, model: *const RawModel, count: u32) -> Result<bool, Fault> {
        let mut done = 0;
        while done < count {
            let some = STEPS.min(count - done);
            // SAFETY: `model` and `mjData` are alive, and `mjData` was made for a model of these sizes.
            data.call_with(model, |functions, model, raw| unsafe {
                for _ in 0..some {
                    (functions.mj_step)(model, raw);
                }
            })?;
            done += some;
            if done < count && (self.is_cancelled)() {
                return Ok(false);
            }
        }
        Ok(true)
    }

    fn rollout(&mut self, data: &mut Data, model: *const RawModel) -> Result<End, Fault> {
        let Operation::Rollout { count, control, records } = self.operation else { return Ok(End::Looked) };
        let number = |data: &mut Data| data.warnings_mut().fold(0_i32, |sum, [_, number]| sum.wrapping_add(*number));
        let before = number(data);
        for step in 0..*count as usize {
            if step > 0 && number(data) != before {
                self.repeat_records(records, step, *count as usize);
                break;
            }
            self.batch.library_steps.fetch_add(1, Ordering::Relaxed);
            // SAFETY: `model` and `mjData` are alive, and `mjData` was made for a model of these sizes. The caller of
            // `Simulations::run` guarantees that the input rows hold inputs for `count` steps.
            data.call_with(model, |functions, model, raw| unsafe {
                if let Some((rows, len, bits)) = control {
                    let inputs = rows.row(self.entry).cast::<f64>().add(step * len);
                    (functions.mj_setState)(model, raw, inputs, *bits);
                }
                (functions.mj_step)(model, raw);
                for Record { source, bytes, rows } in records {
                    let to = rows.row(self.entry).add(step * bytes);
                    match source {
                        Source::Field(field) => field.copy_to(raw, to),
                        Source::State(bits) => (functions.mj_getState)(model, raw, to.cast(), *bits),
                    }
                }
            })?;
            if (self.is_cancelled)() {
                return Ok(End::Cancelled);
            }
        }
        Ok(End::Saved)
    }

    /// Copies the records of the step before `step` to the entries of `step` and all later steps of the rollout.
    fn repeat_records(&self, records: &[Record], step: usize, count: usize) {
        for Record { bytes, rows, .. } in records {
            for later in step..count {
                // SAFETY: the caller of `Simulations::run` guarantees that each record row has entries for `count` steps.
                // `step` is at least 1, so the entry before it exists.
                unsafe {
                    let row = rows.row(self.entry);
                    std::ptr::copy_nonoverlapping(row.add((step - 1) * bytes), row.add(later * bytes), *bytes);
                }
            }
        }
    }

    /// Runs the operations that change no state: computes Jacobians or rays, or copies `mjData`.
    ///
    /// # Safety
    /// The model and `mjData` must be alive, `mjData` must have been made for a model of these sizes, and the operation's
    /// pointers must be valid.
    unsafe fn look(&self, functions: &Functions, (model, raw): (*const RawModel, *mut RawData)) {
        let entry = self.entry;
        // SAFETY: the caller of this function guarantees that the model, `mjData` and the operation's pointers are valid.
        unsafe {
            match self.operation {
                Operation::Jacobian { bodies, points, jacobians } => {
                    (functions.mj_kinematics)(model, raw);
                    (functions.mj_comPos)(model, raw);
                    let [turned, moved] =
                        [1, 0].map(|at: usize| jacobians[at].map_or(std::ptr::null_mut(), |rows| rows.row(entry).cast()));
                    (functions.mj_jac)(model, raw, moved, turned, points.row(entry).cast(), bodies[entry]);
                }
                Operation::Rays(rays) => {
                    (functions.mj_kinematics)(model, raw);
                    (functions.mj_flex)(model, raw);
                    let groups = rays.groups.as_ref().map_or(std::ptr::null(), |groups| groups.as_ptr());
                    for ray in 0..rays.count {
                        let [from, along] = rays.lines.map(|rows| rows.row(entry).cast::<f64>().add(3 * ray));
                        let excluded = *rays.excluded.row(entry).cast::<i32>().add(ray);
                        let geom = rays.geoms.row(entry).cast::<i32>().add(ray);
                        let normal = rays.normals.map_or(std::ptr::null_mut(), |rows| rows.row(entry).cast::<f64>().add(3 * ray));
                        let is_static = u8::from(rays.hits_static);
                        let distance = (functions.mj_ray)(model, raw, from, along, groups, is_static, excluded, geom, normal);
                        rays.distances.row(entry).cast::<f64>().add(ray).write(distance);
                    }
                }
                Operation::CopyData(to) => _ = (functions.mj_copyData)(std::ptr::with_exposed_provenance_mut(*to), model, raw),
                _ => {}
            }
        }
    }
}
