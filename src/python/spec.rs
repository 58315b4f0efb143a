//! `Spec`: a task of which all options have been checked.

mod normalization;
mod parse;

use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList, PyTuple};

use self::normalization::{set_items, take_normalization};
use self::parse::{array, check_players, default_seed, space_descriptor};
pub use self::parse::{parse_autoreset_mode, parse_dialect, parse_format};
use super::convert::{small_integer, wrong_type};
use super::given::{Kwargs, NamedTask, PoolGroups, pool_groups};
use super::maker_seeds::{MakerSeeds, SeedOption};
use super::option_values::{DecisionParts, decision_parts, to_python};
use super::signals::Signals;
use crate::raise::OrRaise;
use envpool_rs_engine::{
    ActionKey, AutoresetMode, Dialect, Dtype, EnvSpec, FirstStepPolicy, Group, InfoTiming, OptionDecision, PoolConfig,
    RenderSpec, Space, common_spec, dialect_action, dialect_infos, dialect_observation, dialect_reward, reset_option_names,
};
/// A task of which all options have been checked, before any environment is created.
#[pyclass(frozen, module = "envpool_rs._core")]
pub struct Spec {
    /// Groups of consecutive environments with equal task, options and time limit.
    pub groups: Vec<Group<'static>>,
    pub dialect: Dialect,
    pub pool: PoolConfig,
    task_id: String,
    env: EnvSpec,
    /// Observation space of results.
    observation: Space,
    rendering: RenderSpec,
    /// Options whose values were decided at load time, for each group.
    decided: Vec<Vec<OptionDecision>>,
    seed: SeedOption,
    thread_affinity_offset: i64,
    reward_threshold: Option<f64>,
    reset_options: Vec<&'static str>,
    given_for_each: Vec<String>,
    /// Names of the environments' options, in the order in which a configuration lists them.
    option_names: Vec<&'static str>,
}

/// Returns the value if all values are equal, otherwise `None`.
fn common_value<T: PartialEq>(mut values: impl Iterator<Item = Option<T>>) -> Option<T> {
    let first = values.next()??;
    values.all(|value| value.as_ref() == Some(&first)).then_some(first)
}

#[pymethods]
impl Spec {
    #[new]
    fn new(py: Python<'_>, task_id: &Bound<'_, PyAny>, dialect: &str, options: &Bound<'_, PyDict>) -> PyResult<Self> {
        let named = NamedTask::parse_all(task_id)?;
        let dialect = parse_dialect(dialect)?;
        let mut given = Kwargs::new(options)?;
        let affinity = given.take_int("thread_affinity_offset", -1)?;
        let mut pool = PoolConfig::new(given.take_int("num_envs", named.len() as i64)?)
            .or_raise()?
            .batch_size(given.take_int("batch_size", 0)?)
            .or_raise()?
            .num_threads(given.take_int("num_threads", 0)?)
            .or_raise()?
            .thread_affinity_offset(affinity)
            .or_raise()?;
        let seeds = match given.take_some("seed") {
            Some(seed) => MakerSeeds::parse(&seed, pool.num_envs)?,
            None => MakerSeeds::consecutive(default_seed(dialect), pool.num_envs).or_raise()?,
        };
        pool.seeds = seeds.per_env;
        pool.autoreset_mode =
            given.take("autoreset_mode").map_or(Ok(AutoresetMode::NextStep), |mode| parse_autoreset_mode(&mode))?;
        pool.first_step = match dialect {
            Dialect::EnvPool => FirstStepPolicy::Reset,
            Dialect::Gymnasium => FirstStepPolicy::Reject,
        };
        pool.episode_statistics = match given.take("record_episode_statistics") {
            None => false,
            Some(flag) => flag.extract().map_err(|_| wrong_type("record_episode_statistics", &flag, "a bool"))?,
        };
        pool.normalization = take_normalization(&mut given)?;
        let reward_threshold = match given.take_some("reward_threshold") {
            None => common_value(named.iter().map(|named| named.reward_threshold)),
            Some(threshold) => {
                Some(threshold.extract().map_err(|_| wrong_type("reward_threshold", &threshold, "a float or None"))?)
            }
        };
        let players = given.take_some("max_num_players");
        let PoolGroups { groups, varying_options: given_for_each } = pool_groups(&named, given, pool.num_envs)?;
        pool.max_episode_steps = groups[0].max_episode_steps;
        let mut signals = Signals::default();
        let common = py.detach(|| common_spec(&groups, &mut || signals.interrupted()));
        let (env, rendering, decided) = common.map_err(|error| signals.into_exception(error))?;
        let observation = pool.normalization.observation_space(dialect_observation(&env, dialect)).or_raise()?;
        if let Some(players) = players {
            check_players(small_integer("max_num_players", &players)?, &env)?;
        }
        let is_common = |name: &&&'static str| named.iter().all(|named| named.task.reset_options.contains(name));
        Ok(Self {
            dialect,
            pool,
            env,
            observation,
            rendering,
            decided,
            seed: seeds.option,
            thread_affinity_offset: affinity,
            reward_threshold,
            reset_options: reset_option_names(&named[0].task.reset_options.iter().filter(is_common).copied().collect::<Vec<_>>()),
            option_names: match (dialect, &named[..]) {
                (Dialect::EnvPool, [one]) => one.task.names_in_envpool_order(),
                _ => named[0].task.options.iter().map(|option| option.name).collect(),
            },
            task_id: named.iter().map(|named| named.task.id).collect::<Vec<_>>().join(", "),
            groups,
            given_for_each,
        })
    }

    #[getter]
    fn task_id(&self) -> &str {
        &self.task_id
    }

    #[getter]
    fn dialect(&self) -> &str {
        match self.dialect {
            Dialect::EnvPool => "envpool",
            Dialect::Gymnasium => "gymnasium",
        }
    }

    #[getter]
    fn picture_size(&self) -> Option<(u32, u32)> {
        self.rendering.frame_size
    }

    /// Returns the size of rendered frames for the requested size `width` by `height`.
    fn picture_size_for(&self, width: &Bound<'_, PyAny>, height: &Bound<'_, PyAny>) -> PyResult<(u32, u32)> {
        self.rendering.size(small_integer("render_width", width)?, small_integer("render_height", height)?).or_raise()
    }

    #[getter]
    fn has_text(&self) -> bool {
        self.rendering.has_text
    }

    #[getter]
    fn has_cameras(&self) -> bool {
        self.rendering.has_cameras
    }

    #[getter]
    fn render_fps(&self) -> u32 {
        self.rendering.frames_per_second
    }

    #[getter]
    fn players(&self) -> usize {
        self.env.players
    }

    #[getter]
    fn shared_spaces(&self) -> bool {
        self.env.shared_spaces
    }

    #[getter]
    fn config<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let config = PyDict::new(py);
        let mode = match self.pool.autoreset_mode {
            AutoresetMode::NextStep => "next_step",
            AutoresetMode::SameStep => "same_step",
            AutoresetMode::Disabled => "disabled",
        };
        config.set_item("num_envs", self.pool.num_envs)?;
        config.set_item("batch_size", self.pool.batch_size)?;
        config.set_item("num_threads", self.pool.num_threads)?;
        config.set_item("max_num_players", self.env.players)?;
        config.set_item("thread_affinity_offset", self.thread_affinity_offset)?;
        config.set_item("seed", self.seed.to_python(py)?)?;
        config.set_item(
            "max_episode_steps",
            self.for_each_env(py, |_, group| group.max_episode_steps.into_pyobject(py).map_err(Into::into))?,
        )?;
        config.set_item("reward_threshold", self.reward_threshold)?;
        config.set_item("autoreset_mode", mode)?;
        config.set_item("record_episode_statistics", self.pool.episode_statistics)?;
        set_items(&config, &self.pool.normalization)?;
        let shared = |name: &str| self.groups.iter().all(|group| group.options.find(name).is_some());
        for &name in self.option_names.iter().filter(|name| shared(name)) {
            let values =
                self.for_each_env(py, |number, group| match self.decided[number].iter().find(|decided| decided.option == name) {
                    Some(decided) => to_python(py, &decided.value),
                    None => to_python(py, group.options.get(name)),
                });
            config.set_item(name, values?)?;
        }
        Ok(config)
    }

    /// Options whose values were decided at load time, each with its value and the reason.
    #[getter]
    fn decided<'py>(&self, py: Python<'py>) -> PyResult<Vec<DecisionParts<'py>>> {
        let mut different: Vec<&OptionDecision> = Vec::new();
        for decided in self.decided.iter().flatten() {
            if !different.contains(&decided) {
                different.push(decided);
            }
        }
        different.into_iter().map(|decided| decision_parts(py, decided)).collect()
    }

    #[getter]
    fn observation<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        space_descriptor(py, &self.observation)
    }

    #[getter]
    fn action<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        space_descriptor(py, &dialect_action(&self.env, self.dialect))
    }

    #[getter]
    fn info<'py>(&self, py: Python<'py>) -> PyResult<Vec<Bound<'py, PyTuple>>> {
        let infos = dialect_infos(&self.env, self.dialect).into_iter();
        infos
            .map(|(index, dtype)| array(py, self.env.info[index].key, dtype.name(), &self.env.info[index].shape, false))
            .collect()
    }

    #[getter]
    fn state_arrays<'py>(&self, py: Python<'py>) -> PyResult<Vec<Bound<'py, PyTuple>>> {
        let mut arrays = Vec::new();
        let reward = dialect_reward(&self.env, self.dialect).name();
        for (name, dtype, per_player) in [
            ("info:env_id", "int32", false),
            ("info:players.env_id", "int32", true),
            ("elapsed_step", "int32", false),
            ("done", "bool", false),
            ("reward", reward, true),
            ("discount", "float32", true),
            ("step_type", "int32", false),
            ("trunc", "bool", false),
        ] {
            arrays.push(array(py, name, dtype, &[], per_player)?);
        }
        // EnvPool's environments declare a single number as an array with a row per player, even with one player.
        let rows = self.env.rows() > 1;
        for leaf in self.observation.leaves() {
            let name = match (leaf.path.is_empty(), self.env.envpool_key.filter(|_| self.dialect == Dialect::EnvPool)) {
                // EnvPool separates the keys of nested dicts by colons.
                (false, _) if self.dialect == Dialect::EnvPool => format!("obs:{}", leaf.path.replace('.', ":")),
                (false, _) => format!("obs:{}", leaf.path),
                (true, Some(key)) => format!("obs:{key}"),
                (true, None) => "obs".to_owned(),
            };
            let shape = leaf.space.shape();
            // A single float64 inside a dict or tuple of observations is an exception: EnvPool declares it without a row per
            // player.
            let is_alone = leaf.path.is_empty() || leaf.space.dtype() != Dtype::F64;
            arrays.push(array(py, &name, leaf.space.dtype().name(), shape, rows || (is_alone && self.is_row(shape)))?);
        }
        for (index, dtype) in dialect_infos(&self.env, self.dialect) {
            let info = &self.env.info[index];
            arrays.push(array(py, &format!("info:{}", info.key), dtype.name(), &info.shape, self.is_row(&info.shape))?);
        }
        Ok(arrays)
    }

    /// Keys of the infos that are reported only after steps that terminate an episode.
    #[getter]
    fn infos_of_terminations(&self) -> Vec<&'static str> {
        let infos = dialect_infos(&self.env, self.dialect).into_iter().map(|(index, _)| &self.env.info[index]);
        infos.filter(|info| info.timing == InfoTiming::Terminations).map(|info| info.key).collect()
    }

    /// Bounds of infos in EnvPool's specification, for infos whose bounds are narrower than the dtype.
    #[getter]
    fn info_ranges<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let ranges = PyDict::new(py);
        for info in &self.env.info {
            info.envpool_range.map_or(Ok(()), |range| ranges.set_item(info.key, range))?;
        }
        Ok(ranges)
    }

    #[getter]
    fn action_arrays<'py>(&self, py: Python<'py>) -> PyResult<Vec<Bound<'py, PyTuple>>> {
        let mut arrays = vec![array(py, "env_id", "int32", &[], false)?, array(py, "players.env_id", "int32", &[], true)?];
        let space = dialect_action(&self.env, self.dialect);
        for (key, leaf) in ActionKey::from_spec(&self.env).iter().zip(space.leaves()) {
            let name = if leaf.path.is_empty() { "action".to_owned() } else { format!("action:{}", key.name) };
            // EnvPool's discrete actions have one row per player even in environments with one player.
            arrays.push(array(py, &name, leaf.space.dtype().name(), leaf.space.shape(), self.env.shared_spaces)?);
        }
        Ok(arrays)
    }

    /// Returns the options that differ between environments, each with a list of `num_envs` values.
    fn given_for_each<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let given = PyDict::new(py);
        for name in &self.given_for_each {
            let value = |group: &Group<'static>| match group.options.find(name) {
                Some(value) => to_python(py, value),
                None => group.max_episode_steps.into_pyobject(py).map_err(Into::into),
            };
            given.set_item(name, self.per_env_list(py, &self.groups.iter().map(value).collect::<PyResult<Vec<_>>>()?)?)?;
        }
        Ok(given)
    }

    /// Names of the options that may change from episode to episode.
    #[getter]
    fn episode_options(&self) -> Vec<&str> {
        self.groups[0].options.names_per_episode().collect()
    }

    #[getter]
    fn reset_options(&self) -> Vec<&str> {
        self.reset_options.clone()
    }
}

impl Spec {
    /// Returns the result of `value` if it is equal for all groups; otherwise a list with one result for each environment.
    fn for_each_env<'py>(
        &self,
        py: Python<'py>,
        value: impl Fn(usize, &Group<'static>) -> PyResult<Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let values: PyResult<Vec<_>> = self.groups.iter().enumerate().map(|(number, group)| value(number, group)).collect();
        let values = values?;
        for other in &values[1..] {
            if !values[0].eq(other)? {
                return Ok(self.per_env_list(py, &values)?.into_any());
            }
        }
        Ok(values.into_iter().next().expect("a pool has a group"))
    }

    /// Converts a list with one value per group to a list with one value per environment.
    fn per_env_list<'py>(&self, py: Python<'py>, values: &[Bound<'py, PyAny>]) -> PyResult<Bound<'py, PyList>> {
        let each = values.iter().zip(&self.groups).flat_map(|(value, group)| std::iter::repeat_n(value, group.num_envs));
        PyList::new(py, each.collect::<Vec<_>>())
    }

    /// Returns whether an array of this shape is a row of one number for each player in EnvPool's specification.
    fn is_row(&self, shape: &[usize]) -> bool {
        self.dialect == Dialect::EnvPool && self.env.shared_spaces && shape.is_empty()
    }

    /// Returns the environment's specification.
    pub fn env(&self) -> &EnvSpec {
        &self.env
    }
}
