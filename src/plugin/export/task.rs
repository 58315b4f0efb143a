//! Tasks that a library exports, and the table that describes them.

use std::ffi::{CString, c_char};

use envpool_rs_engine::{Env, Error, Kernel, OptionSpec, Options, Result, Task, Value};

use super::arrays::c_text;
use super::guard::{guarded, unsupported};
use super::options::{OptionTable, given_values};
use super::{env_table, kernel_table};
use crate::abi;

/// Function that fills in the table of an environment whose options are fixed.
type Make = fn(&Options, &mut abi::Env) -> Result<()>;

/// A task of a library: an environment that implements [`Env`] or [`Kernel`], its registered options and its episode limits.
pub struct ExportedTask {
    task: Task,
    make: Make,
}

impl ExportedTask {
    /// Creates a task for an [`Env`].
    pub fn env<E: Env>(id: &'static str) -> Self {
        Self { task: Task::env::<E>(id), make: env_table::make::<E> }
    }

    /// Creates a task for a [`Kernel`].
    pub fn kernel<K: Kernel>(id: &'static str) -> Self {
        Self { task: Task::kernel::<K>(id), make: kernel_table::make::<K> }
    }

    /// Truncates episodes after `steps` steps.
    #[must_use]
    pub fn max_episode_steps(self, steps: u32) -> Self {
        self.map(|task| task.max_episode_steps(steps))
    }

    /// Sets the mean return per episode at which the task counts as solved.
    #[must_use]
    pub fn reward_threshold(self, threshold: f64) -> Self {
        self.map(|task| task.reward_threshold(threshold))
    }

    /// Presets the value of an option, instead of the environment's default.
    #[must_use]
    pub fn preset(self, name: &'static str, value: impl Into<Value>) -> Self {
        self.map(|task| task.preset(name, value))
    }

    /// Replaces the environment's options: for one [`Env`] type that implements many environments with individual options.
    #[must_use]
    pub fn options(self, options: Vec<OptionSpec>) -> Self {
        self.map(|task| task.options(options))
    }

    /// Sets a value that the environment reads with [`Options::variant`]: for one [`Env`] type that implements many environments.
    #[must_use]
    pub fn variant(self, variant: &'static (dyn std::any::Any + Send + Sync)) -> Self {
        self.map(|task| task.variant(variant))
    }

    /// Converts the task to a task of the engine, for pools in the same program, such as in a crate's tests.
    pub fn into_task(self) -> Task {
        self.task
    }

    fn map(self, change: impl FnOnce(Task) -> Task) -> Self {
        Self { task: change(self.task), ..self }
    }
}

/// A task and the memory of its table. The memory lives until the process ends.
struct TaskMemory {
    task: Task,
    make: Make,
    options: OptionTable,
    /// Error for a task with options for which the C interface has no field; `None` for other tasks.
    refused: Option<Error>,
    id: CString,
    reset_options: Vec<CString>,
}

/// Returns the table of a library. The table lives until the process ends.
pub fn library(name: &str, version: &str, tasks: Vec<ExportedTask>) -> *const abi::Library {
    let tables: Vec<*const abi::Task> = tasks.into_iter().map(|task| Box::into_raw(Box::new(table(task))).cast_const()).collect();
    let tables = Vec::leak(tables);
    let library = abi::Library {
        size: size_of::<abi::Library>() as u64,
        name: c_text(name).into_raw(),
        version: c_text(version).into_raw(),
        tasks: tables.len() as u64,
        task: tables.as_ptr(),
    };
    Box::into_raw(Box::new(library))
}

fn table(ExportedTask { task, make }: ExportedTask) -> abi::Task {
    let options = task.resolve(&[]).and_then(|values| OptionTable::new(&task.options, &values));
    let (options, refused) = match options {
        Ok(options) => (options, None),
        Err(error) => (OptionTable::default(), Some(error)),
    };
    let reset_options = task.reset_options.iter().map(|name| c_text(name)).collect();
    let memory = Box::leak(Box::new(TaskMemory { id: c_text(task.id), task, make, options, refused, reset_options }));
    let names: Vec<*const c_char> = memory.reset_options.iter().map(|name| name.as_ptr()).collect();
    let names = Vec::leak(names);
    abi::Task {
        size: size_of::<abi::Task>() as u64,
        id: memory.id.as_ptr(),
        max_episode_steps: u64::from(memory.task.max_episode_steps.unwrap_or(0)),
        reward_threshold: memory.task.reward_threshold.unwrap_or(f64::NAN),
        options: memory.options.options.len() as u64,
        option: memory.options.options.as_ptr(),
        reset_options: names.len() as u64,
        reset_option: names.as_ptr(),
        data: (&raw const *memory).cast(),
        make: Some(make_env),
    }
}

unsafe extern "C" fn make_env(
    task: *const abi::Task,
    values: *const abi::Value,
    env: *mut abi::Env,
    error: *mut c_char,
    error_size: u64,
) -> i64 {
    // SAFETY: the pool passes the table of `table`, a value for each of its options, and memory for an `epr_env` and an error
    // message.
    unsafe {
        guarded(error, error_size, || {
            let memory = &*(*task).data.cast::<TaskMemory>();
            if let Some(refused) = &memory.refused {
                return Err(refused.clone());
            }
            let options = memory.task.resolve(&given_values(&memory.task.options, values))?;
            if memory.task.step_limit(&options) != memory.task.max_episode_steps {
                return Err(unsupported("step_limit_from", "a time limit that does not depend on options"));
            }
            (memory.make)(&options, &mut *env)
        })
    }
}
