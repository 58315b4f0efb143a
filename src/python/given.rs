//! Parses the keyword arguments of a pool: one value for all environments, one for each, or a distribution.

use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList, PyString, PyTuple};

use super::convert::{entries, entry_count, refuse_masked, repr, small_integer, value, wrong_type};
use super::pool_options::POOL_OPTIONS;
use super::task_list::{REGISTRY, tasks_with_option};
use crate::raise::{OrRaise, Raise};
use envpool_rs_engine::{Distribution, Error, Group, OptionSpec, Task, Value, suggestion};

/// Keyword arguments that have not been parsed. Parsing an argument removes it from the list.
pub struct Kwargs<'py>(Vec<(String, Bound<'py, PyAny>)>);

impl<'py> Kwargs<'py> {
    pub fn new(options: &Bound<'py, PyDict>) -> PyResult<Self> {
        options.iter().map(|(name, value)| Ok((name.extract()?, value))).collect::<PyResult<_>>().map(Self)
    }

    pub fn take(&mut self, name: &str) -> Option<Bound<'py, PyAny>> {
        self.0.iter().position(|(given, _)| given == name).map(|index| self.0.remove(index).1)
    }

    pub fn take_some(&mut self, name: &str) -> Option<Bound<'py, PyAny>> {
        self.take(name).filter(|value| !value.is_none())
    }

    pub fn take_int(&mut self, name: &str, default: i64) -> PyResult<i64> {
        self.take(name).map_or(Ok(default), |value| small_integer(name, &value))
    }
}

/// A task of a pool, together with the options that were given for this task alone. Options that are given for all tasks override
/// them.
pub struct NamedTask<'py> {
    pub task: &'static Task,
    /// Number of steps after which an episode is truncated, unless a limit for all tasks is given.
    max_episode_steps: Option<u32>,
    /// Mean return per episode at which the task counts as solved.
    pub reward_threshold: Option<f64>,
    own: Kwargs<'py>,
}

impl<'py> NamedTask<'py> {
    /// Parses a task id, or a list of pairs of an id and a dict of options.
    ///
    /// # Errors
    /// `ValueError` for an unknown task and for an empty list.
    pub fn parse_all(given: &Bound<'py, PyAny>) -> PyResult<Vec<Self>> {
        if given.is_instance_of::<PyString>() {
            return Ok(vec![Self::new(&given.extract::<String>()?, Kwargs(Vec::new()))?]);
        }
        let pairs: Vec<(String, Bound<'py, PyDict>)> = given.extract()?;
        if pairs.is_empty() {
            return Err(PyValueError::new_err("task_id=[]: expected a task, or a list of one or more"));
        }
        pairs.iter().map(|(id, own)| Self::new(id, Kwargs::new(own)?)).collect()
    }

    fn new(id: &str, mut own: Kwargs<'py>) -> PyResult<Self> {
        let task = REGISTRY.task(id).or_raise()?;
        let limit = own.take_some("max_episode_steps").map(|limit| time_limit(small_integer("max_episode_steps", &limit)?));
        let threshold = own.take_some("reward_threshold").map(|threshold| threshold.extract());
        Ok(Self {
            task,
            max_episode_steps: limit.transpose()?,
            reward_threshold: threshold.transpose()?.or(task.reward_threshold),
            own,
        })
    }
}

/// Value of an option: one value for all environments, or one for each.
pub enum OptionValues {
    Same(Value),
    Each(Vec<Value>),
}

impl OptionValues {
    /// Returns the value of environment number `env`.
    pub fn get(&self, env: usize) -> &Value {
        match self {
            Self::Same(value) => value,
            Self::Each(values) => &values[env],
        }
    }
}

/// Environments of a pool, divided into groups.
pub struct PoolGroups {
    /// Groups of consecutive environments with equal task, options and time limit.
    pub groups: Vec<Group<'static>>,
    /// Names of the options for which each environment got its own value.
    pub varying_options: Vec<String>,
}

/// Divides the environments of a pool into groups. With several tasks, each task gets an equal number of consecutive
/// environments, in the order of the tasks.
///
/// # Errors
/// `TypeError` for options that one of the tasks does not have, or of the wrong kind; `ValueError` for values that are not
/// allowed, and for sequences whose length is not the number of environments.
pub fn pool_groups(named: &[NamedTask<'_>], mut given: Kwargs<'_>, num_envs: usize) -> PyResult<PoolGroups> {
    if !num_envs.is_multiple_of(named.len()) {
        return Err(
            Error::value("num_envs", num_envs, format_args!("a multiple of {}, the number of tasks", named.len())).into_py_err()
        );
    }
    let limits = given.take_some("max_episode_steps").map(|limits| time_limits(&limits, num_envs)).transpose()?;
    let options: Vec<_> = named.iter().map(|named| options_of(named, &given, num_envs)).collect::<PyResult<_>>()?;
    let share = num_envs / named.len();
    let mut groups: Vec<Group<'static>> = Vec::new();
    for (number, (named, options)) in named.iter().zip(&options).enumerate() {
        let limit = |env: usize| match &limits {
            Some(limits) => limits[env.min(limits.len() - 1)].or(named.max_episode_steps),
            None => named.max_episode_steps,
        };
        let envs = number * share..(number + 1) * share;
        for env in envs.clone() {
            let is_like = |other: usize| {
                limit(env) == limit(other) && options.iter().all(|(_, values)| values.get(env) == values.get(other))
            };
            if env > envs.start && is_like(env - 1) {
                groups.last_mut().expect("the environment before is in it").num_envs += 1;
            } else {
                let values: Vec<_> = options.iter().map(|(name, values)| (name.clone(), values.get(env).clone())).collect();
                let options = named.task.resolve(&values).or_raise()?;
                let max_episode_steps = limit(env).or_else(|| named.task.step_limit(&options));
                groups.push(Group { task: named.task, options, max_episode_steps, num_envs: 1 });
            }
        }
    }
    let is_each = |(_, values): &&(String, OptionValues)| matches!(values, OptionValues::Each(_));
    let mut given_for_each: Vec<_> = options[0].iter().filter(is_each).map(|(name, _)| name.clone()).collect();
    given_for_each.extend(limits.filter(|limits| limits.len() > 1).map(|_| "max_episode_steps".to_owned()));
    let drawn = draw_fixed_values(&mut groups).into_iter().filter(|name| !given_for_each.iter().any(|other| other == name));
    let drawn: Vec<_> = drawn.map(str::to_owned).collect();
    given_for_each.extend(drawn);
    Ok(PoolGroups { groups, varying_options: given_for_each })
}

/// Replaces fixed option values by distributions with one choice, if other groups draw the option for each episode. Infos then
/// report the option for all environments. Returns the names of the options whose values were replaced.
fn draw_fixed_values(groups: &mut [Group<'static>]) -> Vec<&'static str> {
    let is_drawn = |group: &Group<'_>, name: &str| matches!(group.options.find(name), Some(Value::Distribution(_)));
    let all_options = |group: &Group<'static>| group.options.iter().map(|(name, _)| name).collect::<Vec<_>>();
    let mut names: Vec<_> = groups.first().map_or_else(Vec::new, all_options);
    names.retain(|name| {
        let drawn = groups.iter().filter(|group| is_drawn(group, name)).count();
        0 < drawn && drawn < groups.len()
    });
    for group in groups {
        let fixed = names.iter().filter(|name| !is_drawn(group, name)).filter_map(|name| {
            let value = group.options.find(name)?.clone();
            Some((*name, Value::Distribution(Distribution::Choice(vec![value]))))
        });
        let fixed: Vec<_> = fixed.collect();
        group.options = group.options.with_values(&fixed);
    }
    names
}

/// Returns the values of a task's options: the options given for the task alone, followed by those given for all tasks.
fn options_of(named: &NamedTask<'_>, given: &Kwargs<'_>, num_envs: usize) -> PyResult<Vec<(String, OptionValues)>> {
    let values = |(name, object): &(String, Bound<'_, PyAny>)| {
        let option = named.task.options.iter().find(|option| option.name == name).ok_or_else(|| unknown(named.task, name))?;
        Ok((name.clone(), values(option, object, num_envs, "num_envs=")?))
    };
    let overridden = |name: &str| given.0.iter().any(|(other, _)| other == name);
    named.own.0.iter().filter(|(name, _)| !overridden(name)).chain(&given.0).map(values).collect()
}

/// Converts options to the engine's values, without the types of a task.
///
/// # Errors
/// `TypeError` for values of another kind.
pub fn option_values(options: &Bound<'_, PyDict>) -> PyResult<Vec<(String, Value)>> {
    let convert = |(name, object): &(String, Bound<'_, PyAny>)| Ok((name.clone(), value(name, object)?));
    Kwargs::new(options)?.0.iter().map(convert).collect()
}

fn unknown(task: &Task, name: &str) -> PyErr {
    let all: Vec<_> =
        POOL_OPTIONS.iter().map(|option| option.name).chain(task.options.iter().map(|option| option.name)).collect();
    let hint = suggestion(name, &all);
    let others = if hint.contains("did you mean") { String::new() } else { alternatives_to(task, name) };
    PyTypeError::new_err(format!("{} has no option {name:?}{others}{hint}", task.id))
}

/// Returns which tasks have an option that `task` lacks, and what else changes the physics of a MuJoCo task.
fn alternatives_to(task: &Task, name: &str) -> String {
    const MOST: usize = 3;
    let tasks: Vec<_> = tasks_with_option(name).into_iter().filter(|id| !id.starts_with("test/")).collect();
    let more = if tasks.len() > MOST { ", ..." } else { "" };
    let mut text = match tasks.len() {
        0 => String::new(),
        _ => format!("; tasks that have it: {}{more}", tasks[..tasks.len().min(MOST)].join(", ")),
    };
    if task.options.iter().any(|option| option.name == "physics") {
        text += "; envpool_rs.Batch steps a model with any fields changed (docs/batch.md)";
    }
    text
}

/// Returns an option's value in each environment. A value that the option itself accepts applies to all environments. `counted`
/// precedes their number in messages.
pub fn values(option: &OptionSpec, object: &Bound<'_, PyAny>, num_envs: usize, counted: &str) -> PyResult<OptionValues> {
    refuse_masked(option.name, object)?;
    let Some(sequence) = as_sequence(object) else { return Ok(OptionValues::Same(value_or_draw(option.name, object)?)) };
    if starts_with_text(object) && !option.accepts_text() {
        let expected = r#"a value, or a tuple that begins with "uniform", "integers" or "choice""#;
        return Err(PyValueError::new_err(format!("{}={}: expected {expected}", option.name, repr(object))));
    }
    if option.accepts_list() && !is_list_of_values(option, &sequence, num_envs) {
        return Ok(OptionValues::Same(value(option.name, object)?));
    }
    let each = entries(&sequence, num_envs, |entry| value_or_draw(option.name, &entry?))?;
    match each.len() == num_envs {
        true => Ok(OptionValues::Each(each)),
        false => {
            let got = entry_count(each.len(), num_envs);
            Err(PyValueError::new_err(format!("{} has {got}: expected one value, or {counted}{num_envs} of them", option.name)))
        }
    }
}

/// Returns whether a sequence holds one value per environment, for an option whose values are lists. Some entries are then
/// lists or `None` or, in an array, single numbers that the option accepts.
fn is_list_of_values(option: &OptionSpec, sequence: &Bound<'_, PyAny>, num_envs: usize) -> bool {
    let is_list =
        |entry: Bound<'_, PyAny>| entry.is_none() || self::as_sequence(&entry).is_some() || distribution_name(&entry).is_some();
    let holds_lists = || {
        let mut entries = sequence.try_iter().into_iter().flatten().take(num_envs);
        entries.any(|entry| entry.is_ok_and(is_list))
    };
    let first = || sequence.get_item(0).and_then(|first| value(option.name, &first)).ok();
    let is_number = || first().is_some_and(|value| option.accepts(&value));
    holds_lists() || (is_array(sequence) && sequence.len().is_ok_and(|len| len == num_envs) && is_number())
}

/// Returns the object as a sequence, if it is a list or tuple that is not a distribution, or an array of more than one element.
fn as_sequence<'py>(object: &Bound<'py, PyAny>) -> Option<Bound<'py, PyAny>> {
    let is_list = || object.is_instance_of::<PyTuple>() || object.is_instance_of::<PyList>();
    let is_array = || is_array(object) && !is_single(object);
    (distribution_name(object).is_none() && (is_list() || is_array())).then(|| object.clone())
}

fn is_array(object: &Bound<'_, PyAny>) -> bool {
    object.hasattr("ndim").unwrap_or(false)
}

fn is_single(array: &Bound<'_, PyAny>) -> bool {
    array.getattr("size").and_then(|size| size.extract::<usize>()).unwrap_or(1) == 1
}

/// Returns the first entry of a list or tuple, without calling an overridden `__iter__`.
fn first<'py>(object: &Bound<'py, PyAny>) -> Option<Bound<'py, PyAny>> {
    match object.cast::<PyTuple>() {
        Ok(tuple) => tuple.get_item(0).ok(),
        Err(_) => object.cast::<PyList>().ok()?.get_item(0).ok(),
    }
}

fn starts_with_text(object: &Bound<'_, PyAny>) -> bool {
    object.is_instance_of::<PyTuple>() && first(object).is_some_and(|first| first.is_instance_of::<PyString>())
}

/// Returns the distribution's name, if the object is a tuple (or a list, because JSON has no tuples) that starts with such a
/// name.
fn distribution_name(object: &Bound<'_, PyAny>) -> Option<String> {
    first(object)?.extract::<String>().ok().filter(|name| ["uniform", "integers", "choice"].contains(&name.as_str()))
}

/// Returns the entries that follow the name in a distribution.
fn arguments<'py>(distribution: &Bound<'py, PyAny>) -> Vec<Bound<'py, PyAny>> {
    match distribution.cast::<PyTuple>() {
        Ok(tuple) => tuple.iter().skip(1).collect(),
        Err(_) => distribution.cast::<PyList>().map_or_else(|_| Vec::new(), |list| list.iter().skip(1).collect()),
    }
}

fn value_or_draw(name: &str, object: &Bound<'_, PyAny>) -> PyResult<Value> {
    let Some(distribution) = distribution_name(object) else { return value(name, object) };
    let arguments = arguments(object);
    let draw = match (distribution.as_str(), arguments.as_slice()) {
        ("choice", values) => Distribution::Choice(values.iter().map(|entry| value(name, entry)).collect::<PyResult<_>>()?),
        ("uniform", [low, high]) => Distribution::Uniform(bound(name, low)?, bound(name, high)?),
        ("integers", [low, high]) => Distribution::Integers(small_integer(name, low)?, small_integer(name, high)?),
        _ => {
            let text = repr(object);
            return Err(PyValueError::new_err(format!("{name}={text}: expected a low and a high bound after {distribution:?}")));
        }
    };
    Ok(Value::Distribution(draw))
}

fn bound(name: &str, object: &Bound<'_, PyAny>) -> PyResult<f64> {
    object.extract().map_err(|_| wrong_type(name, object, "a float as a bound"))
}

/// Parses one time limit for all environments, or one for each. `None` selects the task's own limit.
fn time_limits(object: &Bound<'_, PyAny>, num_envs: usize) -> PyResult<Vec<Option<u32>>> {
    const NAME: &str = "max_episode_steps";
    refuse_masked(NAME, object)?;
    let limit = |steps: Bound<'_, PyAny>| match steps.is_none() {
        true => Ok(None),
        false => time_limit(small_integer(NAME, &steps)?).map(Some),
    };
    let Some(sequence) = as_sequence(object) else {
        let is_single = is_array(object) && is_single(object);
        let single = if is_single { object.call_method0("item") } else { Ok(object.clone()) };
        return Ok(vec![limit(single.unwrap_or_else(|_| object.clone()))?]);
    };
    let limits = entries(&sequence, num_envs, |entry| limit(entry?))?;
    match limits.len() == num_envs {
        true => Ok(limits),
        false => {
            let got = entry_count(limits.len(), num_envs);
            Err(PyValueError::new_err(format!("{NAME} has {got}: expected one value, or num_envs={num_envs} of them")))
        }
    }
}

fn time_limit(steps: i64) -> PyResult<u32> {
    match u32::try_from(steps) {
        Ok(steps) if (1..=i32::MAX as u32).contains(&steps) => Ok(steps),
        _ => Err(Error::value("max_episode_steps", steps, format_args!("1 to {}", i32::MAX)).into_py_err()),
    }
}
