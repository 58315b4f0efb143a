//! Lists all tasks, and describes their options.

use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList};

use super::option_values::to_python;
use crate::raise::OrRaise;
use envpool_rs::envs;
use envpool_rs_engine::{OptionAlias, OptionConstraint, OptionSpec, Registry, Task, Value, reset_option_names};
use envpool_rs_sync::ForkLazy;

/// Registry of all tasks, created when it is first used.
pub static REGISTRY: ForkLazy<Registry> = ForkLazy::new(envs::registry);

/// Returns descriptions of all tasks, in order of registration.
#[pyfunction]
pub fn tasks(py: Python<'_>) -> PyResult<Vec<Bound<'_, PyDict>>> {
    REGISTRY.all_tasks().into_iter().map(|task| describe_task(py, task)).collect()
}

/// Returns the description of one task: its options, limits and players.
#[pyfunction]
pub fn task<'py>(py: Python<'py>, task_id: &str) -> PyResult<Bound<'py, PyDict>> {
    describe_task(py, REGISTRY.task(task_id).or_raise()?)
}

/// Returns the time limit and the reward threshold of each task, by task id. gymnasium's registration needs only these two
/// values, and describing options and spaces would take longer.
#[pyfunction]
pub fn task_limits(py: Python<'_>) -> PyResult<Bound<'_, PyDict>> {
    let limits = PyDict::new(py);
    for task in REGISTRY.all_tasks() {
        limits.set_item(task.id, (task.max_episode_steps, task.reward_threshold))?;
    }
    Ok(limits)
}

/// Returns the tasks that have the option `option`.
#[pyfunction]
pub fn tasks_with_option(name: &str) -> Vec<&'static str> {
    let has_option = |task: &&Task| task.options.iter().any(|option| option.name == name);
    REGISTRY.all_tasks().into_iter().filter(has_option).map(|task| task.id).collect()
}

/// Returns the aliases of a task's options in other libraries, each with the option's name in this package and the library.
#[pyfunction]
pub fn other_names<'py>(py: Python<'py>, task_id: &str) -> PyResult<Bound<'py, PyDict>> {
    let names = PyDict::new(py);
    for option in REGISTRY.task(task_id).or_raise()?.options.iter() {
        option.alias.map_or(Ok(()), |other| names.set_item(other.name, (option.name, other.library)))?;
    }
    Ok(names)
}

/// Describes an alias of an option. The default of the alias is `None`, which leaves the option unchanged.
fn describe_alias<'py>(py: Python<'py>, option: &OptionSpec, other: OptionAlias) -> PyResult<Bound<'py, PyDict>> {
    let entry = PyDict::new(py);
    entry.set_item("name", other.name)?;
    entry.set_item("default", py.None())?;
    let kind = [Some(&option.default), option.or.as_ref()].into_iter().flatten().find(|value| **value != Value::None);
    entry.set_item("kind", format!("{} or None", kind.map_or("None", Value::kind)))?;
    entry.set_item("allowed", None::<&str>)?;
    entry.set_item("values", PyList::empty(py))?;
    entry.set_item("each_episode", false)?;
    entry.set_item("doc", format!("{}'s name for {}", other.library, option.name))?;
    Ok(entry)
}

fn describe_task<'py>(py: Python<'py>, task: &Task) -> PyResult<Bound<'py, PyDict>> {
    let defaults = task.resolve(&[]).or_raise()?;
    let dict = PyDict::new(py);
    dict.set_item("id", task.id)?;
    dict.set_item("max_episode_steps", task.max_episode_steps)?;
    dict.set_item("reward_threshold", task.reward_threshold)?;
    // The interpreter's lock is released, because a plugin library may need it to create environments.
    let players = py.detach(|| task.factory(&defaults).map(|factory| factory.spec().players));
    dict.set_item("players", players.or_raise()?)?;
    let options = PyList::empty(py);
    for option in task.options.iter() {
        let entry = PyDict::new(py);
        entry.set_item("name", option.name)?;
        entry.set_item("default", to_python(py, defaults.get(option.name))?)?;
        let kinds = [Some(&option.default), option.or.as_ref()];
        entry.set_item("kind", kinds.into_iter().flatten().map(Value::kind).collect::<Vec<_>>().join(" or "))?;
        entry.set_item("allowed", option.allowed_text())?;
        let values: &[&str] = if let OptionConstraint::Texts(texts) = option.constraint { texts } else { &[] };
        entry.set_item("values", values)?;
        entry.set_item("each_episode", option.per_episode)?;
        entry.set_item("doc", option.doc)?;
        options.append(entry)?;
    }
    for option in task.options.iter() {
        option.alias.map_or(Ok(()), |other| options.append(describe_alias(py, option, other)?))?;
    }
    dict.set_item("options", options)?;
    dict.set_item("reset_options", reset_option_names(task.reset_options))?;
    Ok(dict)
}
