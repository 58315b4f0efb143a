//! Results: batches as tuples, dicts and arrays, which are reused while they have no other holder.
//!
//! A [`RecycledResult`] is a batch together with its Python objects. Before the engine writes into the batch again,
//! [`RecycledResult::release`] gives up every object that another holder can see. A held array stays with its holder, and the
//! batch gets fresh memory for its successor; a dict that was changed or is held is replaced, too. So a loop that drops its
//! results allocates nothing, and a loop that keeps every observation costs one array per step.

use std::sync::{Arc, Mutex, PoisonError};

use numpy::{PyArray1, PyArrayDescr, PyUntypedArray, PyUntypedArrayMethods};
use pyo3::gc::{PyTraverseError, PyVisit};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList, PyString, PyTuple};

use super::arrays::{Array, descriptor, elements};
use super::contents::Container;
use super::outside::{FinalRows, ResultAdapter};
use super::refcount;
use super::transport::structure::LeafTree as Nested;
use envpool_rs_engine::{Batch, Dialect, Format, InfoTiming, Layout, Role, Space};

/// Description of a pool's results: which arrays they hold, and how these nest.
pub struct ResultSchema {
    layout: Arc<Layout>,
    format: Format,
    dialect: Dialect,
    /// Columns of the observation, nested as the space.
    observation: ColumnTree,
    final_observation: Option<ColumnTree>,
    /// Columns that follow the observation in a step's tuple.
    flags: Vec<usize>,
    /// Columns of the info dict, with their keys, in order.
    infos: Vec<(Py<PyString>, usize)>,
    /// Columns of the last infos of ended episodes: key, column, and the mask's column if the mask is not `done`.
    final_infos: Vec<(Py<PyString>, usize, Option<usize>)>,
    /// Key of the dict of player ids, the ids' key in it, and their column.
    players: Option<(Py<PyString>, Py<PyString>, usize)>,
    truncated: Option<(Py<PyString>, usize)>,
    episode: Option<Episode>,
    done: Option<usize>,
    finish: Option<Py<PyAny>>,
    timestep_type: Option<Py<PyAny>>,
    observation_type: Option<Py<PyAny>>,
    /// For each column, whether it is an entry of the info dict (or of a dict in it).
    in_info: Vec<bool>,
    /// numpy's dtype of each column.
    descriptors: Vec<Py<PyArrayDescr>>,
    /// Conversion of payloads, for pools whose environments run in worker processes.
    adapter: Option<Arc<ResultAdapter>>,
    /// Whether the environments are those of native pools in other processes, whose losses infos report.
    is_remote: bool,
    /// Size in bytes above which the arrays of a result, except infos, are read-only.
    read_only: usize,
}

/// Tree of columns in the structure of a space.
pub enum ColumnTree {
    /// One column.
    Column(usize),
    /// A column of characters, returned as a tuple of `str`; and the strings returned last, which most rows repeat.
    Text(usize, Mutex<Vec<Py<PyString>>>),
    /// Entries by key.
    Dict(Vec<(Py<PyAny>, ColumnTree)>),
    /// Entries by position.
    Tuple(Vec<ColumnTree>),
}

struct Episode {
    total: usize,
    length: usize,
    time: usize,
}

/// Kind of a returned result.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum ResultKind {
    /// Result of a step.
    Step,
    /// Result of a reset.
    Reset {
        /// Whether the result includes the info.
        with_info: bool,
    },
    /// The batch's arrays as a list, each with its name.
    Columns,
}

/// A batch and its Python objects.
pub struct RecycledResult {
    /// `None` while the engine holds the batch.
    batch: Option<Box<Batch>>,
    /// One per column.
    arrays: Vec<Option<Array>>,
    info: Option<Container>,
    players: Option<Container>,
    step: Option<Py<PyTuple>>,
    /// Dicts and tuples of the step's observation.
    containers: Vec<Container>,
    rows: usize,
    /// Arguments of the Python conversion, until that succeeds.
    deferred: Option<Py<PyTuple>>,
}

/// Python callables that results are passed to.
pub struct Callables {
    /// Whether the step that ends an episode returns the next episode's first observation, and the last one as final observation.
    pub is_same_step: bool,
    pub finish: Option<Py<PyAny>>,
    pub timestep_type: Option<Py<PyAny>>,
    pub observation_type: Option<Py<PyAny>>,
}

impl ColumnTree {
    /// Builds the tree of a space, taking a column for each leaf.
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

    /// Builds the tree of an observation structure; leaf `i` has column `first + i`.
    pub fn from_leaf_tree(py: Python<'_>, nested: &Nested, first: usize) -> Self {
        match nested {
            Nested::Leaf(leaf) => Self::Column(first + leaf),
            Nested::Dict(parts) => {
                Self::Dict(parts.iter().map(|(key, part)| (key.clone_ref(py), Self::from_leaf_tree(py, part, first))).collect())
            }
            Nested::Tuple(parts) => Self::Tuple(parts.iter().map(|part| Self::from_leaf_tree(py, part, first)).collect()),
        }
    }

    /// Returns whether the tree contains texts, which are created for each result.
    fn has_text(&self) -> bool {
        match self {
            Self::Column(_) => false,
            Self::Text(..) => true,
            Self::Tuple(parts) => parts.iter().any(Self::has_text),
            Self::Dict(parts) => parts.iter().any(|(_, part)| part.has_text()),
        }
    }

    fn build(&self, py: Python<'_>, arrays: &[Option<Array>]) -> PyResult<Py<PyAny>> {
        self.build_from(py, arrays, &mut Vec::new())
    }

    /// Builds the nested object; appends each created dict and tuple to `containers`.
    fn build_from(&self, py: Python<'_>, arrays: &[Option<Array>], containers: &mut Vec<Container>) -> PyResult<Py<PyAny>> {
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

/// Returns the rows of an array of characters as strings, without the padding zeros. Rows equal to those in `last` reuse its
/// objects: a mission stays the same for a whole episode.
fn text_rows(array: &Bound<'_, PyAny>, last: &Mutex<Vec<Py<PyString>>>) -> PyResult<Py<PyAny>> {
    let py = array.py();
    let array = array.cast::<PyUntypedArray>()?;
    let length = array.shape()[1].max(1);
    let characters = elements::<u8>(array).expect("results are contiguous");
    // Taken out: Python objects are created without the mutex, as the garbage collector may run code that makes results.
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
    drop(replaced); // without the mutex
    Ok(PyTuple::new(py, texts)?.into_any().unbind())
}

/// Returns Python's name of a column.
pub fn column_name(role: Role) -> &'static str {
    match role {
        Role::Observation(_) => "observation",
        Role::FinalObservation(_) => "final_observation",
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

fn intern(py: Python<'_>, text: &str) -> Py<PyString> {
    PyString::intern(py, text).unbind()
}

fn object(arrays: &[Option<Array>], column: usize) -> &Py<PyAny> {
    arrays[column].as_ref().expect("arrays are made before they are put together").object()
}

impl ResultSchema {
    /// Describes the results of a native pool whose batches have `layout`.
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

    /// Describes the results of a pool whose environments run in worker processes.
    pub fn for_workers(
        py: Python<'_>,
        layout: &Arc<Layout>,
        shown: Arc<ResultAdapter>,
        outputs: (Dialect, Format),
        callables: Callables,
    ) -> Self {
        let structure = |role: fn(usize) -> Role| match (&shown.structure, layout.index(role(0))) {
            (Some(nested), first) => ColumnTree::from_leaf_tree(py, nested, first.unwrap_or(0)),
            // Observations travel as payloads, or the space has no leaves.
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

    /// Visits the callables, for the garbage collector.
    pub fn traverse(&self, visit: &PyVisit<'_>) -> Result<(), PyTraverseError> {
        visit.call(&self.finish)?;
        visit.call(&self.timestep_type)?;
        visit.call(&self.observation_type)
    }

    /// Reports lost environments in results, and makes the arrays of results of more than `read_only` bytes read-only.
    pub fn remote(self, read_only: usize) -> Self {
        Self { is_remote: true, read_only, ..self }
    }

    /// Returns whether an array of a result of `rows` rows is read-only.
    fn is_read_only(&self, role: Role, rows: usize) -> bool {
        let shown = |role: Role| matches!(role, Role::Observation(_) | Role::Reward | Role::Terminated | Role::Truncated);
        let columns = self.layout.columns.iter().filter(|column| shown(column.role));
        self.read_only < usize::MAX && shown(role) && columns.map(|column| column.stride() * rows).sum::<usize>() > self.read_only
    }

    /// Returns a mask of the rows that report a loss.
    fn restarted<'py>(&self, py: Python<'py>, batch: &Batch) -> Bound<'py, PyArray1<bool>> {
        let mut mask = vec![false; batch.rows()];
        batch.restarted.iter().chain(&batch.resumed).for_each(|row| mask[*row as usize] = true);
        PyArray1::from_vec(py, mask)
    }

    /// Returns whether a result needs more than the batch's arrays: payloads, losses or final observations.
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

    /// Returns whether the next step may overwrite observations that are still held.
    pub fn overwrites_observations(&self) -> bool {
        self.adapter.as_ref().is_some_and(|shown| !shown.copy)
    }

    fn has_autoreset(&self, batch: &Batch) -> bool {
        self.final_observation.is_some() && self.done.is_some_and(|done| batch.bytes(done).contains(&1))
    }

    fn time_step_types(&self) -> PyResult<(&Py<PyAny>, &Py<PyAny>)> {
        let both = self.timestep_type.as_ref().zip(self.observation_type.as_ref());
        both.ok_or_else(|| pyo3::exceptions::PyTypeError::new_err("layout \"dm\" needs timestep_type and observation_type"))
    }

    /// Returns whether a step's result can be returned again. Results whose dict changes from step to step cannot.
    fn is_reusable(&self) -> bool {
        self.format != Format::Dm && self.episode.is_none() && self.final_observation.is_none() && !self.observation.has_text()
    }
}

impl RecycledResult {
    /// Creates a result for a batch, or for one that the engine holds.
    pub fn new(shape: &ResultSchema, batch: Option<Box<Batch>>) -> Self {
        let arrays = shape.layout.columns.iter().map(|_| None).collect();
        Self { batch, arrays, info: None, players: None, step: None, containers: Vec::new(), rows: 0, deferred: None }
    }

    /// Returns whether the batch is here, and its last result is unchanged and without other holders.
    #[inline]
    pub fn is_untouched(&self, py: Python<'_>) -> bool {
        let (Some(step), Some(info)) = (&self.step, &self.info) else { return false };
        refcount::is_exact()
            && self.batch.is_some()
            && refcount::count(step.as_ptr()) == 1
            && self.info_is_untouched(py, info, 2)
            && self.containers.iter().all(|container| container.is_untouched(py, 2))
            && self.arrays.iter().flatten().all(|array| array.is_untouched(2))
    }

    #[inline]
    fn info_is_untouched(&self, py: Python<'_>, info: &Container, owners: u32) -> bool {
        info.is_untouched(py, owners) && self.players.as_ref().is_none_or(|players| players.is_untouched(py, 2))
    }

    /// Takes the batch of an untouched result out, for the engine to write into.
    #[inline]
    pub fn take(&mut self) -> Box<Batch> {
        self.batch.take().expect("an untouched result has its batch")
    }

    /// Takes the batch out, for the engine to write into. Objects with other holders stay with these.
    pub fn release(&mut self, py: Python<'_>, shape: &ResultSchema) -> Box<Batch> {
        self.release_shared(py, shape);
        self.take()
    }

    /// Gives up every object that has another holder or was changed.
    #[cold]
    fn release_shared(&mut self, py: Python<'_>, shape: &ResultSchema) {
        self.step = None;
        self.containers.clear();
        let exact = refcount::is_exact();
        let info_owned = |result: &Self| result.info.as_ref().is_some_and(|info| result.info_is_untouched(py, info, 1));
        let in_info = |result: &Self, column: usize| shape.in_info[column] && result.info.is_some();
        let entries_owned = |result: &Self| {
            let entries = result.arrays.iter().enumerate().filter(|(column, _)| shape.in_info[*column]);
            entries.map(|(_, array)| array).all(|array| array.as_ref().is_some_and(|array| array.is_untouched(2)))
        };
        if !(exact && info_owned(self) && entries_owned(self)) {
            (self.info, self.players) = (None, None);
        }
        let shares = shape.overwrites_observations();
        for column in 0..self.arrays.len() {
            if shares && matches!(shape.layout.columns[column].role, Role::Observation(_)) {
                continue; // documented: the next step overwrites it, even if it is held
            }
            let owners = if in_info(self, column) { 2 } else { 1 };
            let keep = exact && self.arrays[column].as_ref().is_some_and(|array| array.is_untouched(owners));
            if !keep && self.arrays[column].take().is_some() {
                self.batch.as_mut().expect("only results with a batch are released").replace(column);
            }
        }
    }

    /// Stores a filled batch and returns its result.
    pub fn wrap(&mut self, py: Python<'_>, shape: &ResultSchema, batch: Box<Batch>, method: ResultKind) -> PyResult<Py<PyAny>> {
        let rows = batch.rows();
        self.batch = Some(batch);
        self.assemble(py, shape, rows, method)
    }

    /// Stores a filled batch if the last result shows it, too: a step's result with the same number of rows. Takes the batch
    /// then.
    #[inline]
    pub fn reuse(&mut self, py: Python<'_>, batch: &mut Option<Box<Batch>>) -> Option<Py<PyAny>> {
        let step = self.step.as_ref()?;
        if batch.as_ref()?.rows() != self.rows {
            return None;
        }
        self.batch = batch.take();
        Some(step.clone_ref(py).into_any())
    }

    #[inline(never)]
    fn assemble(&mut self, py: Python<'_>, shape: &ResultSchema, rows: usize, method: ResultKind) -> PyResult<Py<PyAny>> {
        self.make_arrays(py, shape, rows)?;
        if method == ResultKind::Columns {
            self.step = None;
            self.containers.clear();
            let columns = shape.layout.columns.iter().zip(&self.arrays);
            let named = columns
                .map(|(column, array)| (column_name(column.role), array.as_ref().map(|array| array.object().clone_ref(py))));
            return Ok(PyList::new(py, named.collect::<Vec<_>>())?.into_any().unbind());
        }
        if shape.format == Format::Dm && shape.adapter.is_none() {
            return self.timestep(py, shape);
        }
        self.containers.clear();
        let observation = shape.observation.build_from(py, &self.arrays, &mut self.containers)?;
        if !shape.has_extras(self.batch.as_ref().expect("the batch to show")) {
            let info = self.info_dict(py, shape, method, false)?.into_any();
            return self.result(py, shape, method, observation, info);
        }
        // Objects with extras belong to this result alone and are not reused.
        (self.step, self.info, self.players) = (None, None, None);
        self.containers.clear();
        let info = self.info_dict(py, shape, method, true)?;
        if let Some(shown) = &shape.adapter {
            self.deferred = Some(self.arguments(py, shape, shown, (observation, info.into_any()))?);
            return self.convert_deferred(py, shape, method);
        }
        let restarted = shape.restarted(py, self.batch.as_ref().expect("the batch to show"));
        info.bind(py).set_item("restarted", &restarted)?;
        if shape.dialect == Dialect::Gymnasium {
            info.bind(py).set_item("_restarted", restarted.call_method0("copy")?)?;
        }
        self.result(py, shape, method, observation, info.into_any())
    }

    /// Converts the payloads in Python, and makes the result. If Python raises, the call can be repeated.
    pub fn convert_deferred(&mut self, py: Python<'_>, shape: &ResultSchema, method: ResultKind) -> PyResult<Py<PyAny>> {
        let (shown, untold) = (shape.adapter.as_ref(), self.deferred.as_ref());
        let (shown, untold) = shown.zip(untold).expect("something was told");
        let (observation, info) = shown.augment(py, untold)?;
        self.deferred = None;
        self.result(py, shape, method, observation, info)
    }

    /// Combines observation, flags and info.
    fn result(
        &mut self,
        py: Python<'_>,
        shape: &ResultSchema,
        method: ResultKind,
        observation: Py<PyAny>,
        info: Py<PyAny>,
    ) -> PyResult<Py<PyAny>> {
        if shape.format == Format::Dm {
            return self.timestep_of(py, shape, observation, info);
        }
        if let ResultKind::Reset { with_info } = method {
            self.step = None;
            return match with_info {
                true => Ok((observation, info).into_pyobject(py)?.into_any().unbind()),
                false => Ok(observation),
            };
        }
        let flags = shape.flags.iter().map(|column| object(&self.arrays, *column).clone_ref(py));
        let parts: Vec<_> = std::iter::once(observation).chain(flags).chain([info]).collect();
        let step = PyTuple::new(py, parts)?;
        if shape.is_reusable() && self.info.is_some() {
            self.step = Some(step.clone().unbind());
        }
        Ok(step.into_any().unbind())
    }

    /// Creates the missing arrays, or all of them if the number of rows has changed.
    fn make_arrays(&mut self, py: Python<'_>, shape: &ResultSchema, rows: usize) -> PyResult<()> {
        if rows != self.rows {
            (self.info, self.players, self.step) = (None, None, None);
            self.containers.clear();
            self.arrays.iter_mut().for_each(|array| *array = None);
            self.rows = rows;
        }
        let batch = self.batch.as_ref().expect("the batch to show");
        for (index, column) in shape.layout.columns.iter().enumerate() {
            if self.arrays[index].is_none() {
                let sizes: Vec<_> = std::iter::once(rows * column.rows).chain(column.shape.iter().copied()).collect();
                let array = Array::new(batch.memory(index), shape.descriptors[index].bind(py), &sizes)?;
                self.arrays[index] = Some(if shape.is_read_only(column.role, rows) { array.read_only() } else { array });
            }
        }
        Ok(())
    }

    /// Returns the arguments of the Python conversion: the result's arrays, payloads, and final observations.
    fn arguments(
        &self,
        py: Python<'_>,
        shape: &ResultSchema,
        shown: &ResultAdapter,
        result: (Py<PyAny>, Py<PyAny>),
    ) -> PyResult<Py<PyTuple>> {
        let batch = self.batch.as_ref().expect("the batch to show");
        let ended = match (&shape.final_observation, shape.done) {
            (Some(structure), Some(done)) if shape.has_autoreset(batch) => {
                let mask = batch.bytes(done).iter().enumerate();
                let rows = mask.filter(|(row, done)| **done != 0 && !batch.restarted.contains(&(*row as u32)));
                Some(FinalRows { rows: rows.map(|(row, _)| row).collect(), observation: structure.build(py, &self.arrays)? })
            }
            _ => None,
        };
        shown.arguments(py, batch, ended, result)
    }

    fn info_dict(&mut self, py: Python<'_>, shape: &ResultSchema, method: ResultKind, tells: bool) -> PyResult<Py<PyDict>> {
        if let (Some(info), ResultKind::Step, true) = (&self.info, method, shape.is_reusable()) {
            return Ok(info.object(py).cast_into::<PyDict>()?.unbind());
        }
        let info = PyDict::new(py);
        for (position, (key, column)) in shape.infos.iter().enumerate() {
            info.set_item(key, object(&self.arrays, *column))?;
            if let (0, Some((outer, inner, column))) = (position, &shape.players) {
                let players = PyDict::new(py);
                players.set_item(inner, object(&self.arrays, *column))?;
                info.set_item(outer, &players)?;
                self.players = Some(Container::dict(&players));
            }
        }
        if let (Some((key, column)), ResultKind::Step) = (&shape.truncated, method) {
            info.set_item(key, object(&self.arrays, *column))?;
        }
        if method == ResultKind::Step {
            self.add_ended_episodes(py, shape, &info)?;
        }
        let keeps = shape.is_reusable() && method == ResultKind::Step && !tells;
        self.info = keeps.then(|| Container::dict(&info));
        if !keeps {
            self.players = None;
        }
        Ok(info.unbind())
    }

    /// Adds statistics, last observations and last infos if an episode has ended.
    fn add_ended_episodes(&self, py: Python<'_>, shape: &ResultSchema, info: &Bound<'_, PyDict>) -> PyResult<()> {
        let Some(done) = shape.done else { return Ok(()) };
        // Rows of lost environments ended no episode.
        let ended = |batch: &Batch| match &batch.restarted[..] {
            [] => batch.bytes(done).contains(&1),
            lost => batch.bytes(done).iter().enumerate().any(|(row, done)| *done == 1 && !lost.contains(&(row as u32))),
        };
        if !self.batch.as_deref().is_some_and(ended) {
            return Ok(());
        }
        let mask = object(&self.arrays, done);
        if let Some(Episode { total, length, time }) = shape.episode {
            let episode = PyDict::new(py);
            for (key, column) in [("r", total), ("l", length), ("t", time)] {
                episode.set_item(key, object(&self.arrays, column))?;
            }
            info.set_item("episode", episode)?;
            let mask = mask.call_method0(py, "copy")?;
            for row in self.batch.iter().flat_map(|batch| &batch.restarted) {
                mask.bind(py).set_item(row, false)?; // lost, not ended
            }
            info.set_item("_episode", mask)?;
        }
        let (Some(finish), Some(structure)) = (&shape.finish, &shape.final_observation) else { return Ok(()) };
        let last = PyDict::new(py);
        for (key, column, own) in &shape.final_infos {
            last.set_item(key, object(&self.arrays, *column))?;
            if shape.dialect == Dialect::Gymnasium {
                let mask = own.map_or(mask, |own| object(&self.arrays, own));
                last.set_item(format!("_{key}"), mask.call_method0(py, "copy")?)?;
            }
        }
        // A copy: gym's old format returns the flags themselves, too.
        finish.call1(py, (info, mask.call_method0(py, "copy")?, structure.build(py, &self.arrays)?, last))?;
        Ok(())
    }

    /// Makes a dm_env time step from a converted observation and info.
    fn timestep_of(&self, py: Python<'_>, shape: &ResultSchema, observation: Py<PyAny>, info: Py<PyAny>) -> PyResult<Py<PyAny>> {
        let (timestep_type, observation_type) = shape.time_step_types()?;
        let flags = shape.flags.iter().map(|index| object(&self.arrays, *index).clone_ref(py));
        let observation = observation_type.call1(py, (observation, info))?;
        timestep_type.call1(py, PyTuple::new(py, flags.chain([observation]).collect::<Vec<_>>())?)
    }

    /// Makes a dm_env time step from the arrays.
    fn timestep(&self, py: Python<'_>, shape: &ResultSchema) -> PyResult<Py<PyAny>> {
        let (timestep_type, observation_type) = shape.time_step_types()?;
        let column = |column: usize| object(&self.arrays, column).clone_ref(py);
        let by_role = |role| shape.layout.index(role).map(column);
        let mut fields: Vec<Py<PyAny>> = [Role::EnvId, Role::PlayerEnvId].into_iter().filter_map(by_role).collect();
        match &shape.observation {
            ColumnTree::Column(index) | ColumnTree::Text(index, _) => fields.push(column(*index)),
            ColumnTree::Tuple(parts) => {
                for part in parts {
                    fields.push(part.build(py, &self.arrays)?);
                }
            }
            ColumnTree::Dict(parts) => {
                for (_, part) in parts {
                    fields.push(part.build(py, &self.arrays)?);
                }
            }
        }
        let infos = shape.layout.columns.iter().enumerate().filter(|(_, column)| matches!(column.role, Role::Info(_)));
        fields.extend(infos.map(|(index, _)| column(index)));
        if let (true, Some(batch)) = (shape.is_remote, &self.batch) {
            fields.push(shape.restarted(py, batch).into_any().unbind());
        }
        let observation = observation_type.call1(py, PyTuple::new(py, fields)?)?;
        let flags = shape.flags.iter().map(|index| column(*index));
        timestep_type.call1(py, PyTuple::new(py, flags.chain([observation]).collect::<Vec<_>>())?)
    }

    /// Returns whether the batch is here: neither in the engine nor waiting for its conversion.
    pub fn has_batch(&self) -> bool {
        self.batch.is_some() && self.deferred.is_none()
    }

    /// Returns whether the batch still waits for its conversion in Python.
    pub fn is_deferred(&self) -> bool {
        self.deferred.is_some()
    }

    /// Gives up a result before its conversion. Dropping the returned arguments may run Python code.
    pub fn take_deferred(&mut self) -> Option<Py<PyTuple>> {
        self.deferred.take()
    }

    /// Takes back a batch that was not needed or whose results are discarded.
    pub fn put_back(&mut self, batch: Box<Batch>) {
        self.batch = Some(batch);
    }
}
