//! Maps the columns of a batch to Python objects: trees of arrays, names, and the schema of results.

use pyo3::prelude::*;
use std::sync::{Arc, Mutex, PoisonError};

use super::super::arrays::{Array, descriptor, elements};
use super::super::contents::Container;
use super::super::outside::ResultAdapter;
use super::super::transport::structure::LeafTree as Nested;
use super::{Callables, ColumnTree, Episode, ResultSchema};
use envpool_rs_engine::{Batch, Dialect, Format, InfoTiming, Layout, Role, Space};
use numpy::{PyArray1, PyUntypedArray, PyUntypedArrayMethods};
use pyo3::gc::{PyTraverseError, PyVisit};
use pyo3::types::{PyDict, PyString, PyTuple};

impl ColumnTree {
    /// Builds the tree for a space, taking the next column for each leaf.
    pub fn new(py: Python<'_>, space: &Space, columns: &mut impl Iterator<Item = usize>) -> Self {
        match space {
            Space::Dict(parts) => {
                let part = |(key, part): &(String, Space)| (intern(py, key).into_any(), Self::new(py, part, columns));
                Self::Dict(parts.iter().map(part).collect())
            }
            Space::Tuple(parts) => Self::Tuple(parts.iter().map(|part| Self::new(py, part, columns)).collect()),
            Space::Text { .. } => Self::Text(columns.next().expect("a column for each leaf"), Mutex::default()),
            Space::Box { .. } | Space::Discrete { .. } | Space::MultiBinary { .. } | Space::MultiDiscrete { .. } => {
                Self::Column(columns.next().expect("a column for each leaf"))
            }
        }
    }

    /// Builds the tree for an observation structure; leaf `i` has column `first + i`.
    pub fn from_leaf_tree(py: Python<'_>, nested: &Nested, first: usize) -> Self {
        match nested {
            Nested::Leaf(leaf) => Self::Column(first + leaf),
            Nested::Dict(parts) => {
                Self::Dict(parts.iter().map(|(key, part)| (key.clone_ref(py), Self::from_leaf_tree(py, part, first))).collect())
            }
            Nested::Tuple(parts) => Self::Tuple(parts.iter().map(|part| Self::from_leaf_tree(py, part, first)).collect()),
        }
    }

    /// Returns whether the tree contains columns of strings, whose Python objects are created for each result.
    fn has_text(&self) -> bool {
        match self {
            Self::Column(_) => false,
            Self::Text(..) => true,
            Self::Tuple(parts) => parts.iter().any(Self::has_text),
            Self::Dict(parts) => parts.iter().any(|(_, part)| part.has_text()),
        }
    }

    pub(super) fn build(&self, py: Python<'_>, arrays: &[Option<Array>]) -> PyResult<Py<PyAny>> {
        self.build_from(py, arrays, &mut Vec::new())
    }

    /// Builds the nested object from the arrays. Appends each dict and tuple that it creates to `containers`.
    pub(super) fn build_from(
        &self,
        py: Python<'_>,
        arrays: &[Option<Array>],
        containers: &mut Vec<Container>,
    ) -> PyResult<Py<PyAny>> {
        match self {
            Self::Column(column) => Ok(object(arrays, *column).clone_ref(py)),
            Self::Text(column, last) => text_rows(object(arrays, *column).bind(py), last),
            Self::Tuple(parts) => {
                let parts: PyResult<Vec<_>> = parts.iter().map(|part| part.build_from(py, arrays, containers)).collect();
                let tuple = PyTuple::new(py, parts?)?;
                containers.push(Container::tuple(&tuple));
                Ok(tuple.into_any().unbind())
            }
            Self::Dict(parts) => {
                let dict = PyDict::new(py);
                for (key, part) in parts {
                    dict.set_item(key, part.build_from(py, arrays, containers)?)?;
                }
                containers.push(Container::dict(&dict));
                Ok(dict.into_any().unbind())
            }
        }
    }
}

/// Returns the rows of an array of characters as strings, without the padding zeros. Rows that equal a string in `last` reuse
/// that string object, because a string such as MiniGrid's mission usually stays the same for an episode.
pub(super) fn text_rows(array: &Bound<'_, PyAny>, last: &Mutex<Vec<Py<PyString>>>) -> PyResult<Py<PyAny>> {
    let py = array.py();
    let array = array.cast::<PyUntypedArray>()?;
    let length = array.shape()[1].max(1);
    let characters = elements::<u8>(array).expect("results are contiguous");
    // The strings are taken out, so that Python objects are created while the mutex is not locked: the garbage collector may run
    // code that creates results.
    let mut recent = std::mem::take(&mut *last.lock().unwrap_or_else(PoisonError::into_inner));
    let text = |(index, row): (usize, &[u8])| {
        let end = row.iter().position(|character| *character == 0).unwrap_or(row.len());
        match recent.get_mut(index) {
            Some(known) if known.bind(py).to_str().is_ok_and(|known| known.as_bytes() == &row[..end]) => known.clone_ref(py),
            known => {
                let new = PyString::new(py, &String::from_utf8_lossy(&row[..end])).unbind();
                match known {
                    Some(known) => *known = new.clone_ref(py),
                    None => recent.push(new.clone_ref(py)),
                }
                new
            }
        }
    };
    let texts: Vec<_> = characters.chunks(length).enumerate().map(text).collect();
    let replaced = std::mem::replace(&mut *last.lock().unwrap_or_else(PoisonError::into_inner), recent);
    drop(replaced); // dropped while the mutex of the strings is not locked
    Ok(PyTuple::new(py, texts)?.into_any().unbind())
}

/// Returns the name by which Python refers to a column.
pub fn column_name(role: Role) -> &'static str {
    match role {
        Role::Observation(_) | Role::RawObservation => "observation",
        Role::FinalObservation(_) | Role::RawFinalObservation => "final_observation",
        Role::Info(_) => "info",
        Role::FinalInfo(_) => "final_info",
        Role::InfoPresent(_) => "present",
        Role::Reward => "reward",
        Role::Terminated => "terminated",
        Role::Truncated => "truncated",
        Role::Done => "done",
        Role::Discount => "discount",
        Role::StepType => "step_type",
        Role::EnvId => "env_id",
        Role::PlayerEnvId => "player_env_id",
        Role::ElapsedStep => "elapsed_step",
        Role::EpisodeReturn => "episode_return",
        Role::EpisodeLength => "episode_length",
        Role::EpisodeTime => "episode_time",
    }
}

pub(super) fn intern(py: Python<'_>, text: &str) -> Py<PyString> {
    PyString::intern(py, text).unbind()
}

pub(super) fn object(arrays: &[Option<Array>], column: usize) -> &Py<PyAny> {
    arrays[column].as_ref().expect("arrays are made before they are put together").object()
}

impl ResultSchema {
    /// Creates the schema of a pool whose environments run in this process, in batches with this layout.
    pub fn new(
        py: Python<'_>,
        layout: &Arc<Layout>,
        observation: &Space,
        info_keys: &[&str],
        outputs: (Dialect, Format),
        callables: Callables,
    ) -> Self {
        let columns = |role: fn(usize) -> Role| (0..).map_while(move |leaf| layout.index(role(leaf)));
        let structure = |role| ColumnTree::new(py, observation, &mut columns(role));
        Self::with_tree(py, layout, structure, info_keys, outputs, callables)
    }

    /// Creates the schema of a pool whose environments run in worker processes.
    pub fn for_workers(
        py: Python<'_>,
        layout: &Arc<Layout>,
        shown: Arc<ResultAdapter>,
        outputs: (Dialect, Format),
        callables: Callables,
    ) -> Self {
        let structure = |role: fn(usize) -> Role| match (&shown.structure, layout.index(role(0))) {
            (Some(nested), first) => ColumnTree::from_leaf_tree(py, nested, first.unwrap_or(0)),
            // Observations without leaves: they are sent as payloads, or their space has no leaves. The tree is empty.
            (None, _) => ColumnTree::Tuple(Vec::new()),
        };
        let mut shape = Self::with_tree(py, layout, structure, &[], outputs, callables);
        for (column, descr) in layout.columns.iter().zip(&mut shape.descriptors) {
            if let Role::Observation(leaf) | Role::FinalObservation(leaf) = column.role {
                *descr = shown.descriptors[leaf].clone_ref(py);
            }
        }
        Self { adapter: Some(shown), ..shape }
    }

    fn with_tree(
        py: Python<'_>,
        layout: &Arc<Layout>,
        structure: impl Fn(fn(usize) -> Role) -> ColumnTree,
        info_keys: &[&str],
        (dialect, format): (Dialect, Format),
        callables: Callables,
    ) -> Self {
        let find = |role| layout.index(role);
        let mut infos = Vec::new();
        if let Some(column) = find(Role::EnvId) {
            infos.push((intern(py, "env_id"), column));
        }
        let mut final_infos = Vec::new();
        for (index, key) in info_keys.iter().enumerate() {
            infos.extend(find(Role::Info(index)).map(|column| (intern(py, key), column)));
            infos.extend(find(Role::InfoPresent(index)).map(|column| (intern(py, &format!("_{key}")), column)));
            let occasion = find(Role::InfoPresent(index)).and_then(|_| layout.info_timing(index));
            let mask = occasion.filter(|occasion| *occasion == InfoTiming::Terminations).and_then(|_| find(Role::Terminated));
            final_infos.extend(find(Role::FinalInfo(index)).map(|column| (intern(py, key), column, mask)));
        }
        // EnvPool's order of infos, which is that of the columns, may differ from gymnasium's; a presence flag follows its info.
        if dialect == Dialect::EnvPool {
            infos.sort_by_key(|(_, column)| *column);
        }
        infos.extend(find(Role::ElapsedStep).map(|column| (intern(py, "elapsed_step"), column)));
        let players = find(Role::PlayerEnvId).map(|column| (intern(py, "players"), intern(py, "env_id"), column));
        let truncated = (format == Format::Gym).then(|| find(Role::Truncated)).flatten();
        let truncated = truncated.map(|column| (intern(py, "TimeLimit.truncated"), column));
        let flags: &[Role] = match format {
            Format::Gymnasium => &[Role::Reward, Role::Terminated, Role::Truncated],
            Format::Gym => &[Role::Reward, Role::Done],
            Format::Dm => &[Role::StepType, Role::Reward, Role::Discount],
        };
        let in_dicts = infos.iter().map(|(_, column)| *column).chain(players.iter().map(|(_, _, column)| *column));
        let in_dicts: Vec<_> = in_dicts.chain(truncated.iter().map(|(_, column)| *column)).collect();
        let final_observation = find(Role::Done).is_some() && callables.is_same_step;
        Self {
            layout: Arc::clone(layout),
            format,
            dialect,
            observation: structure(Role::Observation),
            final_observation: final_observation.then(|| structure(Role::FinalObservation)),
            flags: flags.iter().filter_map(|role| find(*role)).collect(),
            in_info: (0..layout.columns.len()).map(|column| in_dicts.contains(&column)).collect(),
            infos,
            final_infos,
            players,
            truncated,
            episode: find(Role::EpisodeReturn).map(|total| Episode { total, length: total + 1, time: total + 2 }),
            done: find(Role::Done),
            finish: callables.finish,
            timestep_type: callables.timestep_type,
            observation_type: callables.observation_type,
            descriptors: layout.columns.iter().map(|column| descriptor(py, column.dtype).unbind()).collect(),
            adapter: None,
            is_remote: false,
            read_only: usize::MAX,
        }
    }

    /// Visits the Python callables of the schema, for the garbage collector.
    pub fn traverse(&self, visit: &PyVisit<'_>) -> Result<(), PyTraverseError> {
        visit.call(&self.finish)?;
        visit.call(&self.timestep_type)?;
        visit.call(&self.observation_type)
    }

    /// Returns this schema, configured for remote pools: results report lost environments, and arrays of results of more than
    /// `read_only` bytes are read-only.
    pub fn remote(self, read_only: usize) -> Self {
        Self { is_remote: true, read_only, ..self }
    }

    /// Returns whether the array of role `role` is read-only in a result of `rows` rows.
    pub(super) fn is_read_only(&self, role: Role, rows: usize) -> bool {
        let shown = |role: Role| matches!(role, Role::Observation(_) | Role::Reward | Role::Terminated | Role::Truncated);
        let columns = self.layout.columns.iter().filter(|column| shown(column.role));
        self.read_only < usize::MAX && shown(role) && columns.map(|column| column.stride() * rows).sum::<usize>() > self.read_only
    }

    /// Returns a mask of the rows that report the loss of an environment.
    pub(super) fn restarted<'py>(&self, py: Python<'py>, batch: &Batch) -> Bound<'py, PyArray1<bool>> {
        let mut mask = vec![false; batch.rows()];
        batch.restarted.iter().chain(&batch.resumed).for_each(|row| mask[*row as usize] = true);
        PyArray1::from_vec(py, mask)
    }

    /// Returns whether a result needs data besides the batch's arrays: payloads, reports of lost environments, or final
    /// observations.
    #[inline]
    pub fn has_extras(&self, batch: &Batch) -> bool {
        (self.is_remote || self.adapter.is_some()) && self.has_batch_extras(batch)
    }

    #[inline(never)]
    fn has_batch_extras(&self, batch: &Batch) -> bool {
        if !batch.restarted.is_empty() || !batch.resumed.is_empty() {
            return true;
        }
        self.adapter
            .as_ref()
            .is_some_and(|shown| shown.always_augments || !batch.payloads.is_empty() || self.has_autoreset(batch))
    }

    /// Returns whether the next step may overwrite observations that the caller still holds.
    pub fn overwrites_observations(&self) -> bool {
        self.adapter.as_ref().is_some_and(|shown| !shown.copy)
    }

    /// Returns whether episodes of the batch have ended, so that it has final observations.
    pub fn has_autoreset(&self, batch: &Batch) -> bool {
        self.final_observation.is_some() && self.done.is_some_and(|done| batch.bytes(done).contains(&1))
    }

    pub(super) fn time_step_types(&self) -> PyResult<(&Py<PyAny>, &Py<PyAny>)> {
        let both = self.timestep_type.as_ref().zip(self.observation_type.as_ref());
        both.ok_or_else(|| pyo3::exceptions::PyTypeError::new_err("layout \"dm\" needs timestep_type and observation_type"))
    }

    /// Returns whether the result object of a step can be returned again. It cannot be returned again if its info dict changes
    /// from step to step.
    pub(super) fn is_reusable(&self) -> bool {
        self.format != Format::Dm && self.episode.is_none() && self.final_observation.is_none() && !self.observation.has_text()
    }
}
