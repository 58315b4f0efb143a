//! Columns of results that arrays of the caller can receive: their names, dtypes and shapes.

use std::sync::Arc;

use numpy::PyArrayDescr;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyString, PyTuple};

use super::{ColumnTree, ResultSchema, column_name};
use envpool_rs_engine::{Layout, Role};

/// Function that returns the caller's array for a column; `None` if the caller has none.
type ArrayOf<'a, 'py> = &'a dyn Fn(usize) -> Option<PyResult<Bound<'py, PyAny>>>;

impl ResultSchema {
    /// Returns the layout of the pool's batches.
    pub fn layout(&self) -> &Arc<Layout> {
        &self.layout
    }

    /// Returns numpy's dtype of a column.
    pub fn descriptor<'py>(&self, py: Python<'py>, column: usize) -> &Bound<'py, PyArrayDescr> {
        self.descriptors[column].bind(py)
    }

    /// Returns the shape of a column for `rows` environments.
    pub fn shape(&self, column: usize, rows: usize) -> impl Iterator<Item = usize> + Clone + use<'_> {
        let column = &self.layout.columns[column];
        std::iter::once(rows * column.rows).chain(column.shape.iter().copied())
    }

    /// Returns the column of a flag or of the reward.
    pub fn flag(&self, name: &str) -> Option<usize> {
        self.flags.iter().copied().find(|column| self.flag_name(*column) == name)
    }

    /// Returns the names of the reward and the flags.
    pub fn flag_names(&self) -> impl Iterator<Item = &'static str> {
        self.flags.iter().map(|column| self.flag_name(*column))
    }

    fn flag_name(&self, column: usize) -> &'static str {
        column_name(self.layout.columns[column].role)
    }

    /// Returns the key and the column number of each info.
    pub fn info_columns<'a, 'py: 'a>(&'a self, py: Python<'py>) -> impl Iterator<Item = (&'a Bound<'py, PyString>, usize)> {
        self.infos.iter().chain(&self.truncated).map(move |(key, column)| (key.bind(py), *column))
    }

    /// Returns the key of the players' dict in the info, the key of the ids in that dict, and their column.
    pub fn players<'py>(&self, py: Python<'py>) -> Option<(&Bound<'py, PyString>, &Bound<'py, PyString>, usize)> {
        self.players.as_ref().map(|(players, id, column)| (players.bind(py), id.bind(py), *column))
    }

    /// Returns the columns that arrays of the caller can receive, including infos if `infos` is true.
    pub fn out_columns(&self, infos: bool) -> Vec<usize> {
        let mut columns = Vec::new();
        add_columns(&self.observation, &mut columns);
        columns.extend(&self.flags);
        if !infos {
            return columns;
        }
        columns.extend(self.infos.iter().chain(&self.truncated).map(|(_, column)| *column));
        columns.extend(self.players.iter().map(|(_, _, column)| *column));
        columns
    }

    /// Returns the columns that a recording copies, each with its name: observations (`obs`), `reward`, `terminated`, `truncated`,
    /// the selected infos (`info:NAME`), and in the same-step mode also `final_obs` and `final_info:NAME`.
    ///
    /// # Errors
    /// `ValueError` for observations without arrays, and for an unknown info. Strings have no array.
    pub fn recorded_columns(&self, py: Python<'_>, infos: &[String]) -> PyResult<Vec<(usize, String)>> {
        let mut columns = Vec::new();
        let mut leaves = Vec::new();
        add_columns(&self.observation, &mut leaves);
        if leaves.is_empty() {
            return Err(PyValueError::new_err(
                "env has observations that are no arrays of numbers: expected one whose observations are",
            ));
        }
        columns.extend(leaves.into_iter().map(|column| (column, "obs".to_owned())));
        let flags = [Role::Reward, Role::Terminated, Role::Truncated];
        let flag = |role| self.layout.index_of_all(role).map(|column| (column, column_name(role).to_owned()));
        columns.extend(flags.into_iter().filter_map(flag));
        let mut finals = Vec::new();
        if let Some(tree) = &self.final_observation {
            add_columns(tree, &mut finals);
        }
        columns.extend(finals.into_iter().map(|column| (column, "final_obs".to_owned())));
        for name in infos {
            let known = self.infos.iter().find(|(key, _)| key.bind(py).to_str().is_ok_and(|key| key == name));
            let Some((_, column)) = known else {
                let keys: Vec<_> = self.infos.iter().map(|(key, _)| key.bind(py).to_string()).collect();
                let expected = if keys.is_empty() {
                    "no names, because it has no infos that are arrays".to_owned()
                } else {
                    format!("some of {}", keys.join(", "))
                };
                return Err(PyValueError::new_err(format!("infos has the name {name:?}: expected {expected}")));
            };
            columns.push((*column, format!("info:{name}")));
            let last = self.final_infos.iter().find(|(key, ..)| key.bind(py).to_str().is_ok_and(|key| key == name));
            columns.extend(last.map(|(_, column, _)| (*column, format!("final_info:{name}"))));
        }
        Ok(columns)
    }

    /// Returns the observation, whose arrays are replaced by their position in `columns`.
    pub fn recorded_structure<'py>(&self, py: Python<'py>, columns: &[(usize, String)]) -> PyResult<Bound<'py, PyAny>> {
        let position = |column: usize| {
            let position = columns.iter().position(|(other, _)| *other == column)?;
            Some(position.into_pyobject(py).map(Bound::into_any).map_err(Into::into))
        };
        Ok(tree_of(py, &self.observation, &position)?.expect("recorded observations have arrays"))
    }

    /// Returns the name of a column in the argument `out`, for messages.
    pub fn out_name(&self, column: usize) -> String {
        Python::attach(|py| {
            if let Some(path) = path(py, &self.observation, column) {
                return format!("out[\"obs\"]{path}");
            }
            if self.flags.contains(&column) {
                return format!("out[{:?}]", self.flag_name(column));
            }
            match self.info_columns(py).find(|(_, other)| *other == column) {
                Some((key, _)) => format!("out[\"info\"][{:?}]", key.to_string()),
                None => "out[\"info\"][\"players\"][\"env_id\"]".to_owned(),
            }
        })
    }

    /// Returns a dict with an array for each column, nested like the results of a step.
    pub fn out_arrays<'py>(&self, py: Python<'py>, array: ArrayOf<'_, 'py>) -> PyResult<Bound<'py, PyDict>> {
        let (all, info) = (PyDict::new(py), PyDict::new(py));
        if let Some(observation) = tree_of(py, &self.observation, array)? {
            all.set_item("obs", observation)?;
        }
        for column in &self.flags {
            array(*column).map_or(Ok(()), |array| all.set_item(self.flag_name(*column), array?))?;
        }
        for (key, column) in self.info_columns(py) {
            array(column).map_or(Ok(()), |array| info.set_item(key, array?))?;
        }
        if let Some((key, id, column)) = self.players(py)
            && let Some(array) = array(column)
        {
            let players = PyDict::new(py);
            players.set_item(id, array?)?;
            info.set_item(key, players)?;
        }
        all.set_item("info", info)?;
        Ok(all)
    }
}

/// Appends the numbers of all columns of a tree, except columns of strings.
fn add_columns(tree: &ColumnTree, columns: &mut Vec<usize>) {
    match tree {
        ColumnTree::Column(column) => columns.push(*column),
        ColumnTree::Text(..) => {}
        ColumnTree::Dict(parts) => parts.iter().for_each(|(_, part)| add_columns(part, columns)),
        ColumnTree::Tuple(parts) => parts.iter().for_each(|part| add_columns(part, columns)),
    }
}

/// Returns the subscripts that lead to a column of a tree.
fn path(py: Python<'_>, tree: &ColumnTree, column: usize) -> Option<String> {
    match tree {
        ColumnTree::Column(other) => (*other == column).then(String::new),
        ColumnTree::Text(..) => None,
        ColumnTree::Dict(parts) => parts.iter().find_map(|(key, part)| {
            let key = || key.bind(py).repr().map_or_else(|_| "...".to_owned(), |key| key.to_string());
            path(py, part, column).map(|rest| format!("[{}]{rest}", key()))
        }),
        ColumnTree::Tuple(parts) => {
            let mut parts = parts.iter().enumerate();
            parts.find_map(|(index, part)| path(py, part, column).map(|rest| format!("[{index}]{rest}")))
        }
    }
}

/// Returns arrays with the structure of a tree. Strings have none: their key is missing in dicts, and `None` in tuples.
fn tree_of<'py>(py: Python<'py>, tree: &ColumnTree, array: ArrayOf<'_, 'py>) -> PyResult<Option<Bound<'py, PyAny>>> {
    match tree {
        ColumnTree::Column(column) => array(*column).transpose(),
        ColumnTree::Text(..) => Ok(None),
        ColumnTree::Dict(parts) => {
            let dict = PyDict::new(py);
            for (key, part) in parts {
                tree_of(py, part, array)?.map_or(Ok(()), |part| dict.set_item(key, part))?;
            }
            Ok(Some(dict.into_any()))
        }
        ColumnTree::Tuple(parts) if parts.is_empty() => Ok(None),
        ColumnTree::Tuple(parts) => {
            let parts: Vec<_> = parts.iter().map(|part| tree_of(py, part, array)).collect::<PyResult<_>>()?;
            Ok(Some(PyTuple::new(py, parts)?.into_any()))
        }
    }
}
