//! Extension module `envpool_rs._core`. The methods only convert arguments, call the engine and map errors.

mod actions;
mod agent_actions;
mod agent_rows;
mod arrays;
mod atari;
mod callbacks;
mod closing;
mod contents;
mod convert;
mod given;
mod goals;
mod losses;
mod maker_seeds;
mod mujoco;
mod mujoco_batch;
mod normalization;
mod option_values;
mod outside;
mod plugin;
mod pool;
mod pool_options;
mod raise;
mod recording;
mod recycled_results;
mod refcount;
mod results;
mod signals;
mod spec;
mod task_list;
mod transport;
mod under_lock;
mod xla;

use pyo3::exceptions::{
    PyFileNotFoundError, PyImportError, PyIndexError, PyKeyboardInterrupt, PyMemoryError, PyRuntimeError, PyTimeoutError,
    PyTypeError, PyValueError,
};
use pyo3::ffi;
use pyo3::prelude::*;
use pyo3::types::PyType;

use envpool_rs_engine::{BatchFailure, Error};
use envpool_rs_numeric::simd::SimdLevel;

use raise::Raise;

impl Raise for Error {
    fn into_py_err(self) -> PyErr {
        let text = self.to_string();
        match self {
            Error::Value(_) | Error::UnknownTask(_) => PyValueError::new_err(text),
            Error::Type(_) => PyTypeError::new_err(text),
            Error::NotFound(_) => PyFileNotFoundError::new_err(text),
            Error::Index(_) => PyIndexError::new_err(text),
            Error::State(_) | Error::HostLost(_) | Error::Backend(_) => PyRuntimeError::new_err(text),
            Error::Closed => gymnasium_error("ClosedPoolError", text),
            Error::NeverReset { .. } => gymnasium_error("NeverResetError", text),
            Error::InFlight { .. } => gymnasium_error("PendingCallError", text),
            Error::Failed(failed) => with_details(PyRuntimeError::new_err(text), &failed),
            Error::Timeout { .. } => PyTimeoutError::new_err(text),
            Error::Memory(_) => PyMemoryError::new_err(text),
            // `pool::Signals` replaces this exception by the exception that the signal handler raised.
            Error::Interrupted => PyKeyboardInterrupt::new_err(()),
            _ => PyRuntimeError::new_err(text),
        }
    }
}

/// Creates one of gymnasium's exceptions that are also a `RuntimeError`.
fn gymnasium_error(name: &str, text: String) -> PyErr {
    let found = Python::attach(|py| {
        let class = py.import("envpool_rs._errors")?.getattr(name)?.cast_into::<PyType>()?;
        Ok(PyErr::from_type(class, text))
    });
    found.unwrap_or_else(|error: PyErr| error)
}

/// Returns the ids of all environments that failed in a batch.
fn failed_env_ids(failed: &BatchFailure) -> Vec<usize> {
    [failed.lane].into_iter().chain(failed.others.iter().map(|lane| *lane as usize)).collect()
}

/// Sets the attributes `env_ids`, `reason` and `others` of an exception, which contain the information in the exception's message
/// as data.
fn with_details(error: PyErr, failed: &BatchFailure) -> PyErr {
    let noted = Python::attach(|py| {
        let value = error.value(py);
        value.setattr("env_ids", failed_env_ids(failed))?;
        value.setattr("reason", failed.fault.to_string())?;
        value.setattr("others", failed.rows_pending)
    });
    noted.map_or_else(|other| other, |()| error)
}

/// Returns the vector instructions that this process uses: `avx512`, `avx2`, `baseline` or `scalar`.
#[pyfunction]
fn vector_instructions() -> &'static str {
    SimdLevel::detect().name()
}

/// Rejects subinterpreters: threads of pools attach to the main interpreter, and its state is shared by the whole process.
fn require_main_interpreter() -> PyResult<()> {
    // SAFETY: the module's initialisation runs attached to an interpreter.
    let number = unsafe { ffi::PyInterpreterState_GetID(ffi::PyInterpreterState_Get()) };
    match number {
        0 => Ok(()),
        _ => Err(PyImportError::new_err("envpool_rs needs the main interpreter: expected no import in a subinterpreter")),
    }
}

/// The Rust extension: tasks, checked specifications, and the pool that steps environments.
///
/// A free-threaded interpreter enables its global lock while this module is loaded, or fails to import the module: `GilCell` and
/// `arrays::elements` rely on the lock.
#[pymodule(gil_used = true)]
fn _core(module: &Bound<'_, PyModule>) -> PyResult<()> {
    require_main_interpreter()?;
    SimdLevel::check_variable().map_err(PyValueError::new_err)?;
    refcount::require_lock(module.py())?;
    refcount::detect(module.py())?;
    callbacks::register(module)?;
    mujoco::register(module)?;
    {
        use envpool_rs_numeric::numpy_ufuncs::{arctan2, cos, exp, sin};
        envpool_rs::envs::mpe::use_functions(envpool_rs::envs::mpe::NumpyFunctions { exp, sin, cos, arctan2 });
    }
    module.add("EXACT_REFERENCE_COUNTS", refcount::is_exact())?;
    module.add("__version__", env!("CARGO_PKG_VERSION"))?;
    module.add_function(wrap_pyfunction!(pool_options::pool_options, module)?)?;
    module.add_function(wrap_pyfunction!(pool_options::options_of_python, module)?)?;
    module.add_function(wrap_pyfunction!(maker_seeds::maker_seeds, module)?)?;
    module.add_function(wrap_pyfunction!(mujoco::numpy_kernels, module)?)?;
    module.add_function(wrap_pyfunction!(mujoco::adopt_numpy_kernels, module)?)?;
    module.add_function(wrap_pyfunction!(mujoco::make_models_with, module)?)?;
    module.add_function(wrap_pyfunction!(mujoco::picture_backend, module)?)?;
    module.add_function(wrap_pyfunction!(atari::atari_game, module)?)?;
    module.add_function(wrap_pyfunction!(goals::fetch_rewards, module)?)?;
    module.add_function(wrap_pyfunction!(goals::hand_rewards, module)?)?;
    module.add_function(wrap_pyfunction!(goals::kitchen_completions, module)?)?;
    module.add_function(wrap_pyfunction!(goals::maze_rewards, module)?)?;
    module.add_function(wrap_pyfunction!(task_list::tasks, module)?)?;
    module.add_function(wrap_pyfunction!(task_list::task, module)?)?;
    module.add_function(wrap_pyfunction!(task_list::task_limits, module)?)?;
    module.add_function(wrap_pyfunction!(task_list::other_names, module)?)?;
    module.add_function(wrap_pyfunction!(task_list::tasks_with_option, module)?)?;
    module.add_function(wrap_pyfunction!(task_list::envpool_classes, module)?)?;
    module.add_function(wrap_pyfunction!(task_list::envpool_options, module)?)?;
    module.add_function(wrap_pyfunction!(task_list::family_names, module)?)?;
    module.add_function(wrap_pyfunction!(goals::kitchen_goal_sizes, module)?)?;
    module.add_function(wrap_pyfunction!(plugin::check_plugin, module)?)?;
    module.add_function(wrap_pyfunction!(plugin::load_plugin, module)?)?;
    module.add_function(wrap_pyfunction!(plugin::load_plugin_table, module)?)?;
    module.add_function(wrap_pyfunction!(plugin::plugin_layouts, module)?)?;
    module.add_function(wrap_pyfunction!(plugin::numba_functions, module)?)?;
    module.add_function(wrap_pyfunction!(plugin::record_plugin_calls, module)?)?;
    module.add_function(wrap_pyfunction!(plugin::plugin_libraries, module)?)?;
    module.add_function(wrap_pyfunction!(agent_actions::only_actions, module)?)?;
    module.add_function(wrap_pyfunction!(agent_actions::only_action_arrays, module)?)?;
    module.add_function(wrap_pyfunction!(normalization::normalization_state, module)?)?;
    module.add_function(wrap_pyfunction!(normalization::set_normalization_state, module)?)?;
    module.add_function(wrap_pyfunction!(normalization::merge_moments, module)?)?;
    module.add_function(wrap_pyfunction!(vector_instructions, module)?)?;
    module.add_function(wrap_pyfunction!(xla::xla_handlers, module)?)?;
    module.add_function(wrap_pyfunction!(xla::xla_exposure, module)?)?;
    module.add_class::<agent_rows::AgentRows>()?;
    module.add_class::<mujoco_batch::MujocoBatch>()?;
    module.add_class::<losses::Losses>()?;
    module.add_class::<spec::Spec>()?;
    module.add_class::<pool::Pool>()?;
    module.add_class::<results::RolloutBuffer>()?;
    module.add_class::<transport::SharedBlock>()?;
    module.add_class::<transport::FrameListener>()?;
    module.add_class::<transport::FrameConnection>()?;
    module.add_class::<transport::FrameCall>()?;
    module.add_function(wrap_pyfunction!(transport::wait_for_replies, module)?)?;
    module.add_class::<transport::EnvHost>()?;
    module.add_class::<outside::Workers>()?;
    module.add_class::<outside::OutsideSpec>()?;
    module.add_class::<outside::WorkerClient>()?;
    module.add_class::<outside::RemoteSpec>()?;
    module.add_class::<outside::RemoteHost>()
}
