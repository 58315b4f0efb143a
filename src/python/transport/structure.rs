//! Structure of an observation whose leaves are arrays.

use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyInt, PyTuple};

/// Structure of an observation: a leaf, or structures by key or by position.
pub enum LeafTree {
    /// The leaf with this index in the observation.
    Leaf(usize),
    /// Structures by key of a dict.
    Dict(Vec<(Py<PyAny>, LeafTree)>),
    /// Structures by position in a tuple.
    Tuple(Vec<LeafTree>),
}

impl LeafTree {
    /// Parses a structure: an int (a leaf), a dict or a tuple of structures.
    pub fn new(object: &Bound<'_, PyAny>) -> PyResult<Self> {
        if object.is_instance_of::<PyInt>() {
            Ok(Self::Leaf(object.extract()?))
        } else if let Ok(dict) = object.cast::<PyDict>() {
            Ok(Self::Dict(dict.iter().map(|(key, value)| Ok((key.unbind(), Self::new(&value)?))).collect::<PyResult<_>>()?))
        } else if let Ok(tuple) = object.cast::<PyTuple>() {
            Ok(Self::Tuple(tuple.iter().map(|value| Self::new(&value)).collect::<PyResult<_>>()?))
        } else {
            Err(PyTypeError::new_err("structure: expected an int, a dict or a tuple"))
        }
    }

    /// Returns the number of leaves in the structure.
    pub fn leaves(&self) -> usize {
        match self {
            Self::Leaf(_) => 1,
            Self::Dict(entries) => entries.iter().map(|(_, structure)| structure.leaves()).sum(),
            Self::Tuple(structures) => structures.iter().map(Self::leaves).sum(),
        }
    }

    /// Passes each leaf of an observation to `store`. Returns false if the observation has another structure or `store` returns
    /// false.
    pub fn visit_leaves<'py>(
        &self,
        observation: &Bound<'py, PyAny>,
        store: &mut impl FnMut(usize, &Bound<'py, PyAny>) -> bool,
    ) -> PyResult<bool> {
        match self {
            Self::Leaf(leaf) => Ok(store(*leaf, observation)),
            Self::Dict(entries) => {
                let Ok(dict) = observation.cast::<PyDict>() else { return Ok(false) };
                if dict.len() != entries.len() {
                    return Ok(false);
                }
                for (key, structure) in entries {
                    let Some(value) = dict.get_item(key)? else { return Ok(false) };
                    if !structure.visit_leaves(&value, store)? {
                        return Ok(false);
                    }
                }
                Ok(true)
            }
            Self::Tuple(structures) => {
                let Ok(tuple) = observation.cast::<PyTuple>() else { return Ok(false) };
                if tuple.len() != structures.len() {
                    return Ok(false);
                }
                for (index, structure) in structures.iter().enumerate() {
                    if !structure.visit_leaves(&tuple.get_item(index)?, store)? {
                        return Ok(false);
                    }
                }
                Ok(true)
            }
        }
    }
}
