//! Lists all tasks, and describes their options.

use std::collections::HashMap;

use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple};

use super::option_values::to_python;
use super::pool_options::PYTHON_OPTIONS;
use crate::raise::OrRaise;
use envpool_rs::envs;
use envpool_rs_engine::{
    EnvPoolClass, EnvPoolOption, OptionAlias, OptionConstraint, OptionSpec, Registry, Task, Value, reset_option_names,
};
use envpool_rs_sync::ForkLazy;

/// Registry of all tasks, created when it is first used.
pub static REGISTRY: ForkLazy<Registry> = ForkLazy::new(envs::registry);

/// Returns descriptions of the tasks of this release, in order of registration; tasks of libraries are not included.
#[pyfunction]
pub fn tasks(py: Python<'_>) -> PyResult<Vec<Bound<'_, PyDict>>> {
    REGISTRY.tasks().iter().map(|task| describe_task(py, task)).collect()
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

/// Returns what a family names: lists of names by subject.
#[pyfunction]
pub fn family_names(family: &str) -> HashMap<&'static str, Vec<&'static str>> {
    envs::names(family).into_iter().collect()
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

/// Returns EnvPool's classes of tasks: module, name, task with the defaults, task of a configuration, and the options that select
/// the task, and the tasks, each with its values of these options.
#[pyfunction]
pub fn envpool_classes<'py>(py: Python<'py>) -> PyResult<Vec<Bound<'py, PyTuple>>> {
    let mut classes: Vec<(&EnvPoolClass, Bound<'py, PyDict>)> = Vec::new();
    for task in REGISTRY.tasks() {
        let Some(class) = task.envpool_class else { continue };
        let values = task.resolve(&[]).or_raise()?;
        let selecting: Vec<_> = class.selectors.iter().map(|name| to_python(py, values.get(name))).collect::<PyResult<_>>()?;
        let known = classes.iter().position(|(known, _)| *known == class).unwrap_or_else(|| {
            classes.push((class, PyDict::new(py)));
            classes.len() - 1
        });
        classes[known].1.set_item(task.id, PyTuple::new(py, selecting)?)?;
    }
    let describe = |(class, tasks): (&EnvPoolClass, Bound<'py, PyDict>)| {
        let selectors = PyTuple::new(py, class.selectors)?;
        (class.module, class.name, class.defaults, class.task, selectors, tasks).into_pyobject(py)
    };
    classes.into_iter().map(describe).collect()
}

/// Options of EnvPool's that select a task, or set several options: by name, default value and the tasks that the values select.
#[pyfunction]
pub fn envpool_options(task_id: &str) -> PyResult<Vec<(&'static str, i64, &'static [&'static str])>> {
    let options = REGISTRY.task(task_id).or_raise()?.envpool_options;
    Ok(options.iter().map(|option| (option.name, option.default, option.tasks)).collect())
}

/// Description of an option of a task, as Python reads it.
#[derive(IntoPyObject)]
struct Description<'py> {
    name: &'static str,
    default: Bound<'py, PyAny>,
    kind: String,
    allowed: Option<String>,
    values: &'static [&'static str],
    each_episode: bool,
    doc: String,
}

impl<'py> Description<'py> {
    fn option(py: Python<'py>, option: &OptionSpec, default: &Value) -> PyResult<Self> {
        let kinds = [Some(&option.default), option.or.as_ref()].into_iter().flatten();
        Ok(Self {
            name: option.name,
            default: to_python(py, default)?,
            kind: kinds.map(Value::kind).collect::<Vec<_>>().join(" or "),
            allowed: option.allowed_text(),
            values: if let OptionConstraint::Texts(texts) = option.constraint { texts } else { &[] },
            each_episode: option.per_episode,
            doc: option.doc.to_owned(),
        })
    }

    /// Describes a name that another library gives to options of this task. `None` leaves the options unchanged.
    fn foreign(py: Python<'py>, name: &'static str, kind: &str, doc: String) -> Self {
        let default = py.None().into_bound(py);
        Self { name, default, kind: format!("{kind} or None"), allowed: None, values: &[], each_episode: false, doc }
    }

    fn alias(py: Python<'py>, option: &OptionSpec, other: OptionAlias) -> Self {
        let kind = [Some(&option.default), option.or.as_ref()].into_iter().flatten().find(|value| **value != Value::None);
        Self::foreign(py, other.name, kind.map_or("None", Value::kind), format!("{}'s name for {}", other.library, option.name))
    }

    fn envpool(py: Python<'py>, option: &'static EnvPoolOption) -> PyResult<Self> {
        let default = option.default.into_pyobject(py)?.into_any();
        let allowed = Some(option.allowed.to_owned());
        Ok(Self { default, kind: "int".to_owned(), allowed, ..Self::foreign(py, option.name, "int", option.doc.to_owned()) })
    }
}

/// Describes the options of a task, other libraries' names for them, but not the options that every task takes.
fn describe_options<'py>(py: Python<'py>, task: &Task) -> PyResult<Vec<Description<'py>>> {
    let defaults = task.resolve(&[]).or_raise()?;
    let own = task.options.iter().filter(|option| PYTHON_OPTIONS.iter().all(|other| other.name != option.name));
    let mut all: Vec<_> =
        own.map(|option| Description::option(py, option, defaults.get(option.name))).collect::<PyResult<_>>()?;
    all.extend(task.options.iter().filter_map(|option| Some(Description::alias(py, option, option.alias?))));
    for option in task.envpool_options {
        all.push(Description::envpool(py, option)?);
    }
    if defaults.find("default_camera").is_some() {
        let doc = "gymnasium's option: lookat, distance and so on of a free camera".to_owned();
        all.push(Description::foreign(py, "default_camera_config", "dict", doc));
    }
    if defaults.find("neighbour_vehicles_connected_lanes").is_some() {
        let doc = "highway-env's configuration; its dicts observation and action replace those of the task".to_owned();
        all.push(Description::foreign(py, "config", "dict", doc));
    }
    Ok(all)
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
    dict.set_item("options", describe_options(py, task)?)?;
    dict.set_item("reset_options", reset_option_names(task.reset_options))?;
    Ok(dict)
}
