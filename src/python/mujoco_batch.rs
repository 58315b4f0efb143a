//! `MujocoBatch`: many simulations of one MuJoCo model. The Python class that wraps it converts arguments to arrays and checks
//! names; `MujocoBatch` checks dtypes, shapes and memory of arrays.

mod arguments;

use std::ops::Range;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use numpy::{PyArrayDescrMethods, PyUntypedArray, PyUntypedArrayMethods, dtype};
use pyo3::exceptions::{PyRuntimeError, PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyBytes;

use self::arguments::{Refused, allocate, ids_of, rows, stage_of};
use crate::arrays::{PinnedArray, elements};
use crate::convert::to_bytes;
use crate::signals::Signals;
use envpool_rs_engine::{AlignedBuffer, DEFAULT_STACK_BYTES, Dtype, Error, ParallelLoop, usable_cpus};
use envpool_rs_sim_mujoco::batch::{
    BatchArrays, BatchConfig, ChangedField, ModelFields, Operation, Rays, Record, Rows, Simulations, Source,
};
use envpool_rs_sim_mujoco::render::{Camera, FreeCamera, RenderOptions, RenderTarget, Renderer};
use envpool_rs_sim_mujoco::{Data, Fault, Model, STEPPER_LANES, STEPPER_STACK_BYTES, Stepper, installed};

/// Largest number of simulations that a thread of a [`ParallelLoop`] takes at once.
const MAX_PIECE: usize = 64;

/// Simulations of one MuJoCo model, on several threads.
#[pyclass(frozen, module = "envpool_rs._core")]
pub struct MujocoBatch {
    batch: Mutex<Simulations>,
    loops: ParallelLoop,
    model: Model,
    /// Memory that the simulations refer to and that numpy arrays share.
    memory: Mutex<Vec<Arc<AlignedBuffer>>>,
    fixed: [Py<PyAny>; 3],
    nsim: usize,
    /// Whether the native stepper steps the simulations, unless bound fields or changed model fields need MuJoCo's library.
    is_native: bool,
    /// Number of simulations that a thread steps together.
    lanes_together: usize,
    refusals: Vec<String>,
    /// Python callable that returns an array with shape and dtype of the field of `mjData` of a name.
    template: Py<PyAny>,
    renderer: Renderer,
    /// Fields of `mjModel` that `mj_setConst` may change.
    constants: OnceLock<ModelFields>,
}

fn raise(fault: Fault) -> PyErr {
    match fault {
        Fault::Library(text) => PyValueError::new_err(text),
        fault => PyRuntimeError::new_err(fault.to_string()),
    }
}

impl MujocoBatch {
    /// Releases the interpreter's lock and runs `work` with exclusive access to the simulations.
    fn with_batch<R: Send>(&self, py: Python<'_>, work: impl FnOnce(&mut Simulations) -> R + Send) -> PyResult<R> {
        let ran = py.detach(|| self.batch.try_lock().ok().map(|mut batch| work(&mut batch)));
        ran.ok_or_else(|| PyRuntimeError::new_err("this batch is in use by another thread: use one thread, or a batch for each"))
    }

    /// Divides `ids` into pieces, and calls `work` with each piece, on several threads. Returns the number of simulations that failed.
    fn for_each(
        &self,
        py: Python<'_>,
        ids: &[usize],
        work: impl Fn(&Simulations, Range<usize>, &mut dyn FnMut() -> bool) + Sync + Send,
    ) -> PyResult<usize> {
        let threads = self.loops.threads();
        // Native steps take fewer lanes at once than they could if there would be no piece for some threads.
        let lanes = if self.is_native { STEPPER_LANES } else { 1 };
        let least = self.lanes_together.min(ids.len().div_ceil(threads).next_multiple_of(lanes)).max(lanes);
        let piece = (ids.len() / (8 * threads)).next_multiple_of(lanes).clamp(least, MAX_PIECE);
        let mut signals = Signals::default();
        let ran = self.with_batch(py, |batch| {
            let body = |range: Range<usize>, is_cancelled: &mut dyn FnMut() -> bool| work(batch, range, is_cancelled);
            self.loops.run(ids.len(), piece, &body, &mut || signals.interrupted()).map(|()| batch.count_failed(ids))
        })?;
        ran.map_err(|error| signals.into_exception(error))
    }

    /// Runs an operation on simulations, and returns the number of those that failed.
    fn run(&self, py: Python<'_>, ids: &[usize], operation: &Operation) -> PyResult<usize> {
        self.for_each(py, ids, |batch, range, is_cancelled| {
            // SAFETY: `ids_of` has checked that the ids differ, the loop gives each simulation to one thread, and `with_batch`
            // excludes other calls. The callers of `run` have checked the arrays of `operation`, and hold their owners.
            unsafe { batch.run(operation, range.start, &ids[range], is_cancelled) };
        })
    }

    /// Returns an array with the shape and dtype of the field `name` of `mjData`, which the `mujoco` package describes.
    fn template<'py>(&self, py: Python<'py>, name: &str) -> PyResult<Bound<'py, PyUntypedArray>> {
        Ok(self.template.bind(py).call1((name,))?.cast_into::<PyUntypedArray>()?)
    }

    fn keep(&self, memory: Arc<AlignedBuffer>) {
        self.memory.lock().unwrap_or_else(PoisonError::into_inner).push(memory);
    }
}

#[pymethods]
impl MujocoBatch {
    /// Creates simulations of the model in the bytes `model`, which `mj_saveModel` wrote.
    #[new]
    #[expect(clippy::too_many_arguments, reason = "the arguments of the Python class, and the model")]
    fn new(
        py: Python<'_>,
        model: &[u8],
        nsim: usize,
        nthread: usize,
        persistent: bool,
        physics: &str,
        raises_unstable: bool,
        cpus: Vec<usize>,
        template: Py<PyAny>,
    ) -> PyResult<Self> {
        let library = installed().ok_or_else(|| PyRuntimeError::new_err("MuJoCo's library is not open"))?;
        let loaded = py.detach(|| Model::from_bytes(library, model)).map_err(raise)?;
        let is_asked = physics != "library" && !persistent;
        let chosen = py.detach(|| is_asked.then(|| Stepper::verified(&loaded)));
        let refusals = match &chosen {
            Some(Err(_)) => py.detach(|| Stepper::refusals(&loaded)),
            _ => Vec::new(),
        };
        let stepper = chosen.and_then(Result::ok);
        let (nstate, warnings) = (loaded.state_len(), Simulations::warning_count(&loaded));
        let (state, state_array) = allocate(py, Dtype::F64, &[nsim, nstate], 8)?;
        let (warning, warning_array) = allocate(py, Dtype::I32, &[nsim, warnings, 2], 4)?;
        let (status, status_array) = allocate(py, Dtype::I32, &[nsim], 4)?;
        let is_native = stepper.is_some();
        let lanes_together = stepper.as_ref().map_or(1, |stepper| stepper.lanes_together());
        let config = BatchConfig { nsim, is_persistent: persistent, raises_unstable };
        // SAFETY: the arrays of states, warnings and status have a row of these sizes for each simulation, and `memory` keeps the
        // arrays alive. Other Python threads may write to the arrays during a call: a step then uses old or new values.
        let batch = unsafe {
            let arrays = BatchArrays {
                state: Rows::new(state.data(), 8 * nstate),
                warnings: Rows::new(warning.data(), 8 * warnings),
                status: Rows::new(status.data(), 4),
            };
            py.detach(|| Simulations::new(&loaded, config, arrays, stepper)).map_err(raise)?
        };
        let renderer = Renderer::new(&loaded, RenderOptions::default());
        Ok(Self {
            batch: Mutex::new(batch),
            loops: ParallelLoop::new(
                if nthread == 0 { usable_cpus() } else { nthread },
                if is_native { STEPPER_STACK_BYTES } else { DEFAULT_STACK_BYTES },
            )
            .on_cpus(cpus),
            model: loaded,
            memory: Mutex::new(vec![state, warning, status]),
            fixed: [state_array, warning_array, status_array],
            nsim,
            is_native,
            lanes_together,
            refusals,
            template,
            renderer,
            constants: OnceLock::new(),
        })
    }

    /// Arrays of states, warning counters and status, with a row for each simulation.
    fn arrays(&self, py: Python<'_>) -> [Py<PyAny>; 3] {
        self.fixed.each_ref().map(|array| array.clone_ref(py))
    }

    /// Number of threads that step simulations, including the calling thread if its stack is large enough.
    #[getter]
    fn nthread(&self) -> usize {
        self.loops.threads()
    }

    /// Whether the native stepper steps the simulations, unless bound fields or changed model fields need MuJoCo's library.
    #[getter]
    fn is_native(&self) -> bool {
        self.is_native
    }

    /// Returns whether the native stepper takes the steps of the next call that it supports.
    fn steps_natively(&self, py: Python<'_>) -> PyResult<bool> {
        self.with_batch(py, |batch| batch.steps_natively())
    }

    /// Reasons why the native stepper refuses the model.
    #[getter]
    fn refusals(&self) -> Vec<String> {
        self.refusals.clone()
    }

    /// Returns the reasons other than the model why MuJoCo's library, not the native stepper, steps this batch.
    fn obstacles(&self, py: Python<'_>) -> PyResult<Vec<String>> {
        self.with_batch(py, |batch| batch.reasons())
    }

    /// Returns the number of steps, summed over simulations, that MuJoCo's library has taken.
    fn library_steps(&self, py: Python<'_>) -> PyResult<u64> {
        self.with_batch(py, |batch| batch.library_steps())
    }

    /// Returns the error message of a simulation's last call; empty if the call succeeded.
    fn error(&self, py: Python<'_>, sim: usize) -> PyResult<String> {
        self.with_batch(py, |batch| batch.error(sim))
    }

    /// Makes each later call copy a field of `mjData`, of `size` bytes, into a new array, and returns this array of bytes.
    fn bind(&self, py: Python<'_>, name: &str, size: usize) -> PyResult<Py<PyAny>> {
        let stride = size.next_multiple_of(8);
        let (memory, array) = allocate(py, Dtype::U8, &[self.nsim, stride], 1)?;
        // SAFETY: `memory` has a row of `stride` bytes for each simulation, and `keep` below stores it as long as the batch.
        let rows = unsafe { Rows::new(memory.data(), stride) };
        // SAFETY: `envpool_rs.batch`, the only caller of `bind`, passes the size of the field in the `mujoco` package's `MjData`
        // for the same model and library version. The array's rows are at least as large.
        let bind = |batch: &mut Simulations| unsafe { batch.bind(name, size, rows) };
        self.with_batch(py, bind)?.map_err(raise)?;
        self.keep(memory);
        Ok(array)
    }

    /// Gives each simulation its own value of a field of `mjModel`, of `size` bytes; returns the array of these values as bytes.
    fn expand(&self, py: Python<'_>, name: &str, size: usize) -> PyResult<Py<PyAny>> {
        let stride = size.next_multiple_of(8);
        let (memory, array) = allocate(py, Dtype::U8, &[self.nsim, stride], 1)?;
        // SAFETY: `memory` has a row of `stride` bytes for each simulation, and `keep` below stores it as long as the batch.
        let rows = unsafe { Rows::new(memory.data(), stride) };
        // SAFETY: `envpool_rs.batch`, the only caller of `expand`, passes the size of the field in the `mujoco` package's
        // `MjModel` for the same model and library version. The array's rows are at least as large.
        let expand = |batch: &mut Simulations| unsafe { batch.expand(name, size, rows) };
        self.with_batch(py, expand)?.map_err(raise)?;
        self.keep(memory);
        Ok(array)
    }

    /// Makes simulation `i` use the model with index `indices[i]` in `models`. Without models, all simulations use the batch's
    /// model.
    fn set_models(&self, py: Python<'_>, models: Vec<Vec<u8>>, indices: Vec<usize>) -> PyResult<()> {
        let library = installed().ok_or_else(|| PyRuntimeError::new_err("MuJoCo's library is not open"))?;
        let load = || models.iter().map(|bytes| Model::from_bytes(library, bytes)).collect::<Result<Vec<_>, _>>();
        let models = py.detach(load).map_err(raise)?;
        if models.iter().any(|model| model.state_len() != self.model.state_len()) {
            return Err(PyValueError::new_err("models: expected models with the batch's sizes"));
        }
        let chosen: Option<Vec<_>> = indices.iter().map(|index| models.get(*index).cloned()).collect();
        let chosen = chosen.filter(|chosen| chosen.is_empty() || chosen.len() == self.nsim);
        let chosen = chosen.ok_or_else(|| PyValueError::new_err("models: expected one for each simulation"))?;
        self.with_batch(py, |batch| batch.set_models(chosen))
    }

    /// Takes `nstep` steps of each simulation, then computes the stages of MuJoCo's pipeline up to `stage`; returns the number of
    /// simulations that failed.
    fn step(&self, py: Python<'_>, ids: Option<&Bound<'_, PyUntypedArray>>, nstep: u32, stage: i32) -> PyResult<usize> {
        let operation = Operation::Step { count: nstep, stage: stage_of(stage)? };
        let mut ids = ids_of(ids, self.nsim)?;
        self.with_batch(py, |batch| batch.sort_for_step(&mut ids))?;
        self.run(py, &ids, &operation)
    }

    /// Computes the stages of MuJoCo's pipeline up to `stage` without a step; returns the number of simulations that failed.
    fn forward(&self, py: Python<'_>, ids: Option<&Bound<'_, PyUntypedArray>>, stage: i32) -> PyResult<usize> {
        let operation = Operation::Forward(stage_of(stage)?);
        self.run(py, &ids_of(ids, self.nsim)?, &operation)
    }

    /// Resets simulations to keyframes, -1 for the model's defaults; returns the number of those that failed.
    fn reset(
        &self,
        py: Python<'_>,
        ids: Option<&Bound<'_, PyUntypedArray>>,
        keyframes: Option<Vec<i32>>,
        stage: i32,
    ) -> PyResult<usize> {
        let ids = ids_of(ids, self.nsim)?;
        if keyframes.as_ref().is_some_and(|keyframes| keyframes.len() != ids.len()) {
            return Err(PyValueError::new_err("keyframe: expected one for each simulation of the call"));
        }
        self.run(py, &ids, &Operation::Reset { keyframes, stage: stage_of(stage)? })
    }

    /// Takes `nstep` steps with inputs for each step, `(n, nstep, size)`, and records fields or states after each step; returns the
    /// number of simulations that failed.
    ///
    /// `control_spec` are the bits of `mjtState` of the inputs. Each record has three parts: the name of a field (`None` for a
    /// state), the bits that select a state's parts, and the array `(n, nstep, ...)`.
    fn rollout(
        &self,
        py: Python<'_>,
        ids: Option<&Bound<'_, PyUntypedArray>>,
        nstep: u32,
        control: Option<Bound<'_, PyUntypedArray>>,
        control_spec: i32,
        records: Vec<(Option<String>, i32, Bound<'_, PyAny>)>,
    ) -> PyResult<usize> {
        let library = installed().ok_or_else(|| PyRuntimeError::new_err("MuJoCo's library is not open"))?;
        let (ids, numbers) = (ids_of(ids, self.nsim)?, dtype::<f64>(py));
        let state_size = |bits| self.model.state_size(bits).map_err(|fault| PyValueError::new_err(fault.to_string()));
        let mut pinned = PinnedArray::all(&control)?;
        let control = control.map(|array| {
            let size = state_size(control_spec)?;
            let rows = rows(&array, "control", &numbers, &[ids.len(), nstep as usize, size], false);
            Ok::<_, PyErr>((rows.map_err(Refused::into_value_error)?, size, control_spec))
        });
        let mut read = |(field, bits, array): (Option<String>, i32, Bound<'_, PyAny>)| {
            let name = field.as_ref().map_or_else(|| format!("out[{bits}]"), |field| format!("out['{field}']"));
            let array = array.cast_into::<PyUntypedArray>();
            let array = array.map_err(|_| PyValueError::new_err(format!("{name}: expected an array")))?;
            pinned.push(PinnedArray::new(&array)?);
            let mut shape = vec![ids.len(), nstep as usize];
            let (source, descr, bytes) = match field {
                Some(field) => {
                    let template = self.template(py, &field)?;
                    shape.extend(template.shape());
                    let bytes = template.len() * template.dtype().itemsize();
                    (Source::field(library, &field, bytes).map_err(raise)?, template.dtype(), bytes)
                }
                None => {
                    shape.push(state_size(bits)?);
                    (Source::State(bits), numbers.clone(), 8 * shape[2])
                }
            };
            Ok::<_, PyErr>(Record {
                source,
                bytes,
                rows: rows(&array, &name, &descr, &shape, true).map_err(Refused::into_value_error)?,
            })
        };
        let records = records.into_iter().map(&mut read).collect::<PyResult<_>>()?;
        self.run(py, &ids, &Operation::Rollout { count: nstep, control: control.transpose()?, records })
    }

    /// Computes Jacobians `(n, 3, nv)` of points `(n, 3)` on bodies (int32 `(n,)`); returns the number of simulations that failed.
    fn jac(
        &self,
        py: Python<'_>,
        ids: Option<&Bound<'_, PyUntypedArray>>,
        bodies: &Bound<'_, PyUntypedArray>,
        points: &Bound<'_, PyUntypedArray>,
        jacp: Option<&Bound<'_, PyUntypedArray>>,
        jacr: Option<&Bound<'_, PyUntypedArray>>,
    ) -> PyResult<usize> {
        let (ids, numbers) = (ids_of(ids, self.nsim)?, dtype::<f64>(py));
        let _pinned = PinnedArray::all([Some(points), jacp, jacr].into_iter().flatten())?;
        let (nbody, nv) = (self.model.sizes().nbody, self.model.sizes().nv);
        rows(bodies, "body", &dtype::<i32>(py), &[ids.len()], false)?;
        let bodies =
            elements::<i32>(bodies).ok_or_else(|| PyTypeError::new_err("body: expected a contiguous array of int32"))?.to_vec();
        if bodies.iter().any(|body| usize::try_from(*body).map_or(true, |body| body >= nbody)) {
            return Err(PyValueError::new_err(format!("body: expected numbers in [0, {nbody})")));
        }
        let points = rows(points, "point", &numbers, &[ids.len(), 3], false)?;
        let matrix = |array: Option<&Bound<'_, PyUntypedArray>>, name: &str| {
            array.map(|array| rows(array, name, &numbers, &[ids.len(), 3, nv], true)).transpose()
        };
        let jacobians = [matrix(jacp, "jacp")?, matrix(jacr, "jacr")?];
        self.run(py, &ids, &Operation::Jacobian { bodies, points, jacobians })
    }

    /// Intersects `count` rays of each simulation with its geoms; returns the number of simulations that failed.
    #[expect(clippy::too_many_arguments, reason = "mj_ray's")]
    fn ray(
        &self,
        py: Python<'_>,
        ids: Option<&Bound<'_, PyUntypedArray>>,
        count: usize,
        lines: [Bound<'_, PyUntypedArray>; 2],
        groups: Option<Vec<u8>>,
        hits_static: bool,
        excluded: &Bound<'_, PyUntypedArray>,
        distances: &Bound<'_, PyUntypedArray>,
        geoms: &Bound<'_, PyUntypedArray>,
        normals: Option<&Bound<'_, PyUntypedArray>>,
    ) -> PyResult<usize> {
        const GROUPS: usize = 6;
        let ids = ids_of(ids, self.nsim)?;
        let _pinned = PinnedArray::all(lines.iter().chain([excluded, distances, geoms]).chain(normals))?;
        if groups.as_ref().is_some_and(|groups| groups.len() != GROUPS) {
            return Err(PyValueError::new_err(format!("geomgroup: expected {GROUPS} numbers")));
        }
        let (numbers, integers) = (dtype::<f64>(py), dtype::<i32>(py));
        let (one, three) = ([ids.len(), count], [ids.len(), count, 3]);
        let [from, along] = lines.each_ref().map(|array| rows(array, "pnt, vec", &numbers, &three, false));
        let rays = Rays {
            count,
            lines: [from?, along?],
            groups,
            hits_static,
            excluded: rows(excluded, "bodyexclude", &integers, &one, false)?,
            distances: rows(distances, "dist", &numbers, &one, true)?,
            geoms: rows(geoms, "geomid", &integers, &one, true)?,
            normals: normals.map(|array| rows(array, "normal", &numbers, &three, true)).transpose()?,
        };
        self.run(py, &ids, &Operation::Rays(Box::new(rays)))
    }

    /// Computes the constants of the simulations' models (`mj_setConst`). Returns the number of simulations that failed, and the
    /// values that differ from the model's, of fields that are not expanded. Each value has three parts: simulation, name of the
    /// field, bytes. `fields` returns names and sizes of all fields that may change, and is called once for a batch.
    #[expect(clippy::type_complexity, reason = "the parts of a change")]
    fn set_const(
        &self,
        py: Python<'_>,
        ids: Option<&Bound<'_, PyUntypedArray>>,
        fields: &Bound<'_, PyAny>,
    ) -> PyResult<(usize, Vec<(usize, String, Py<PyBytes>)>)> {
        let library = installed().ok_or_else(|| PyRuntimeError::new_err("MuJoCo's library is not open"))?;
        let ids = ids_of(ids, self.nsim)?;
        if self.constants.get().is_none() {
            let mut constants = ModelFields::default();
            for (name, size) in fields.call0()?.extract::<Vec<(String, usize)>>()? {
                // SAFETY: the sizes are those of the fields in the `mujoco` package's `MjModel` for the same model and library
                // version, as in `expand`.
                unsafe { constants.add(library, &name, size) };
            }
            // Another thread may have set equal fields meanwhile.
            _ = self.constants.set(constants);
        }
        let compared = self.constants.get().ok_or_else(|| PyRuntimeError::new_err("the fields of the model are unknown"))?;
        let changed = Mutex::new(Vec::new());
        let failed = self.for_each(py, &ids, |batch, range, is_cancelled| {
            // SAFETY: `ids_of` has checked that the ids differ, the loop gives each simulation to one thread, and `with_batch`
            // excludes other calls.
            let found = unsafe { batch.set_const(&ids[range], compared, is_cancelled) };
            changed.lock().unwrap_or_else(PoisonError::into_inner).extend(found);
        })?;
        let changed = changed.into_inner().unwrap_or_else(PoisonError::into_inner);
        let to_python = |ChangedField { sim, name, bytes }| Ok((sim, name, to_bytes(py, &bytes)?.unbind()));
        let changed = changed.into_iter().map(to_python).collect::<PyResult<_>>()?;
        Ok((failed, changed))
    }

    /// Stores values that `set_const` returned, after the caller has expanded their fields.
    fn set_expanded(&self, py: Python<'_>, changed: Vec<(usize, String, Vec<u8>)>) -> PyResult<()> {
        self.with_batch(py, |batch| {
            let changes = changed.into_iter().map(|(sim, name, bytes)| ChangedField { sim, name, bytes });
            changes.for_each(|change| batch.set_expanded(&change));
        })
    }

    /// Renders simulations with these states, `(n, nstate)`, and with these models, in the bytes of `mj_saveModel`; without models,
    /// with the batch's model. A camera of -1 is the free camera. Returns pictures `(n, height, width * 3)`.
    fn render(
        &self,
        py: Python<'_>,
        states: &Bound<'_, PyUntypedArray>,
        models: Vec<Vec<u8>>,
        camera: i32,
        width: u32,
        height: u32,
    ) -> PyResult<Py<PyAny>> {
        let library = installed().ok_or_else(|| PyRuntimeError::new_err("MuJoCo's library is not open"))?;
        let states =
            elements::<f64>(states).ok_or_else(|| PyTypeError::new_err("states: expected a contiguous array of float64"))?;
        let (states, size) = (states.to_vec(), self.model.state_len());
        let count = states.len() / size.max(1);
        if !models.is_empty() && models.len() != count {
            return Err(PyValueError::new_err("models: expected one for each state"));
        }
        let camera = match usize::try_from(camera) {
            Ok(id) if id < self.model.cameras() => Camera::Fixed(id),
            Ok(id) => return Err(PyValueError::new_err(format!("camera={id}: expected -1 to {}", self.model.cameras()))),
            Err(_) => Camera::Free(FreeCamera { uses_model_default: true, ..FreeCamera::DEFAULT }),
        };
        let pixels = 3 * width as usize * height as usize;
        let (frames, array) = allocate(py, Dtype::U8, &[count, height as usize, 3 * width as usize], 1)?;
        let mut signals = Signals::default();
        let draw = |model: &Model, renderer: &Renderer, state: &[f64], frame: &mut [u8]| {
            let mut data = Data::new(model)?;
            data.set_state(state)?;
            data.forward()?;
            renderer.draw(&data, &camera, &mut RenderTarget::new(width, height, frame, None))
        };
        for (index, state) in states.chunks_exact(size.max(1)).enumerate() {
            py.detach(|| {
                // SAFETY: `frames` has `count` rows of `pixels` bytes, and no other code has seen its address.
                let frame = unsafe { std::slice::from_raw_parts_mut(frames.data().add(index * pixels), pixels) };
                match models.get(index) {
                    Some(bytes) => {
                        let model = Model::from_bytes(library, bytes)?;
                        draw(&model, &Renderer::new(&model, RenderOptions::default()), state, frame)
                    }
                    None => draw(&self.model, &self.renderer, state, frame),
                }
            })
            .map_err(raise)?;
            if signals.interrupted() {
                return Err(signals.into_exception(Error::Interrupted));
            }
        }
        Ok(array)
    }

    /// Copies a simulation's data to the `mjData` struct at `address`.
    fn copy_data(&self, py: Python<'_>, sim: usize, address: usize) -> PyResult<usize> {
        if sim >= self.nsim {
            return Err(PyValueError::new_err(format!("sim={sim}: expected a number in [0, {})", self.nsim)));
        }
        // The address is that of a `mujoco.MjData` of the same model, which the caller holds.
        self.run(py, &[sim], &Operation::CopyData(address))
    }
}
