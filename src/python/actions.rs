//! Parses actions from Python and fills a step with them: arrays of any number type, alone or in a dict.

use numpy::{PyArrayDescrMethods, PyUntypedArray, PyUntypedArrayMethods};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyDict;

use super::arrays::elements;
use super::convert::{array, brief_repr, env_ids, refuse_masked, repr};
use crate::raise::OrRaise;
use envpool_rs_engine::{ActionKey, ActionScalar, RequestBuilder, suggestion};

/// The parsed `action` argument: an array for each key, and the environment ids.
pub struct Actions<'py> {
    single: Option<Bound<'py, PyAny>>,
    by_key: Vec<(String, Bound<'py, PyAny>)>,
    /// Environment ids, from the argument `env_id` or from the action dict.
    pub ids: Option<Vec<i64>>,
    player_ids: Option<Vec<i64>>,
}

impl<'py> Actions<'py> {
    /// Splits `action` into arrays by key, and environment ids.
    #[inline]
    pub fn new(action: &Bound<'py, PyAny>, env_id: Option<&Bound<'py, PyAny>>) -> PyResult<Self> {
        let ids = env_id.filter(|ids| !ids.is_none()).map(env_ids).transpose()?;
        match action.cast::<PyDict>() {
            Err(_) => Ok(Self { single: Some(action.clone()), by_key: Vec::new(), ids, player_ids: None }),
            Ok(dict) => Self::from_dict(dict, ids),
        }
    }

    fn from_dict(dict: &Bound<'py, PyDict>, ids: Option<Vec<i64>>) -> PyResult<Self> {
        let mut actions = Self { single: None, by_key: Vec::new(), ids, player_ids: None };
        for (name, value) in dict {
            let name: String = name
                .extract()
                .map_err(|_| PyTypeError::new_err(format!("action has the key {}: expected a str", repr(&name))))?;
            match name.as_str() {
                "env_id" if actions.ids.is_some() => {
                    return Err(PyValueError::new_err("env_id is given twice: in the action and as an argument"));
                }
                "env_id" => actions.ids = Some(env_ids(&value)?),
                "players.env_id" => actions.player_ids = Some(env_ids(&value)?),
                "players" => {
                    let players = value.cast::<PyDict>()?.get_item("env_id")?;
                    actions.player_ids = players.as_ref().map(env_ids).transpose()?;
                }
                _ => actions.by_key.push((name, value)),
            }
        }
        Ok(actions)
    }

    /// Fills the action arrays of the prepared step with these actions.
    #[inline]
    pub fn fill(&self, request: &mut RequestBuilder<'_>, keys: &[ActionKey], players: usize) -> PyResult<()> {
        match (&self.single, keys) {
            (Some(action), [key]) => fill(request, 0, key, action),
            _ => self.fill_by_key(request, keys, players),
        }
    }

    #[cold]
    fn fill_by_key(&self, request: &mut RequestBuilder<'_>, keys: &[ActionKey], players: usize) -> PyResult<()> {
        let names: Vec<_> = keys.iter().map(|key| key.name.as_str()).collect();
        if let Some(action) = &self.single {
            let kind = action.get_type().name()?;
            let expected = names.join(", ");
            return Err(PyTypeError::new_err(format!("action is a {kind}: expected a dict with the keys {expected}")));
        }
        for (name, _) in &self.by_key {
            if !names.contains(&name.as_str()) {
                let near = suggestion(name, &names);
                return Err(PyValueError::new_err(format!("action has the unknown key {name:?}{near}")));
            }
        }
        for (index, key) in keys.iter().enumerate() {
            let Some((_, value)) = self.by_key.iter().find(|(name, _)| *name == key.name) else {
                return Err(PyValueError::new_err(format!("action lacks the key {:?}", key.name)));
            };
            fill(request, index, key, value)?;
        }
        self.check_players(request, players)
    }

    /// Rejects a dict of actions whose player ids are in another order than the environments to which the players belong.
    fn check_players(&self, request: &RequestBuilder<'_>, players: usize) -> PyResult<()> {
        let Some(given) = &self.player_ids else { return Ok(()) };
        let expected = request.env_ids().flat_map(|id| std::iter::repeat_n(id as i64, players));
        if given.iter().copied().eq(expected) {
            return Ok(());
        }
        Err(PyValueError::new_err(format!(
            "players.env_id={given:?}: expected each env_id {players} time(s) in a row, in the order of env_id"
        )))
    }
}

/// Fills the action array of a space that has one key; returns `None` for other spaces.
#[inline]
pub fn fill_single(
    request: &mut RequestBuilder<'_>,
    keys: &[ActionKey],
    action: &Bound<'_, PyUntypedArray>,
) -> Option<PyResult<()>> {
    match keys {
        [key] => Some(fill_array(request, 0, key, action)),
        _ => None,
    }
}

/// Fills one action array of a step from any array-like object.
#[inline]
fn fill(request: &mut RequestBuilder<'_>, index: usize, key: &ActionKey, action: &Bound<'_, PyAny>) -> PyResult<()> {
    match action.cast::<PyUntypedArray>() {
        Ok(array) => {
            refuse_masked(&key.name, array)?;
            fill_array(request, index, key, array)
        }
        Err(_) if action.is_none() => Err(PyTypeError::new_err(format!("{} is None: expected an array", key.name))),
        Err(_) => fill_array(request, index, key, &array(&key.name, action)?),
    }
}

#[inline]
fn fill_array(
    request: &mut RequestBuilder<'_>,
    index: usize,
    key: &ActionKey,
    array: &Bound<'_, PyUntypedArray>,
) -> PyResult<()> {
    check_shape(request, key, array)?;
    if let Some(done) = fill_typed::<i64>(request, index, array) {
        return done;
    }
    if let Some(done) = fill_typed::<f32>(request, index, array).or_else(|| fill_typed::<i32>(request, index, array)) {
        return done;
    }
    fill_converted(request, index, key, array)
}

#[inline]
fn check_shape(request: &RequestBuilder<'_>, key: &ActionKey, array: &Bound<'_, PyUntypedArray>) -> PyResult<()> {
    let rows = request.lanes() * key.rows;
    match array.shape().split_first() {
        // The shapes are compared element by element: they are so short that a call to memcmp would take longer.
        Some((first, rest)) if *first == rows && rest.len() == key.shape.len() && rest.iter().eq(&key.shape) => Ok(()),
        _ => Err(wrong_shape(rows, key, array)),
    }
}

#[cold]
fn wrong_shape(rows: usize, key: &ActionKey, array: &Bound<'_, PyUntypedArray>) -> PyErr {
    let show = |shape: &mut dyn Iterator<Item = usize>| {
        let sizes: Vec<_> = shape.map(|size| size.to_string()).collect();
        if sizes.len() == 1 { format!("({},)", sizes[0]) } else { format!("({})", sizes.join(", ")) }
    };
    let got = show(&mut array.shape().iter().copied());
    let expected = show(&mut std::iter::once(rows).chain(key.shape.iter().copied()));
    PyValueError::new_err(format!("{} has shape {got}: expected {expected}", key.name))
}

/// Fills an action array from a C-contiguous array of exactly this element type. Returns `None` for any other array.
#[inline]
fn fill_typed<T: ActionScalar + numpy::Element>(
    request: &mut RequestBuilder<'_>,
    index: usize,
    array: &Bound<'_, PyUntypedArray>,
) -> Option<PyResult<()>> {
    elements::<T>(array).map(|values| request.set_action(index, values).or_raise())
}

/// Fills an action array from an array of any other number type or memory order, through a copy.
#[cold]
fn fill_converted(
    request: &mut RequestBuilder<'_>,
    index: usize,
    key: &ActionKey,
    array: &Bound<'_, PyUntypedArray>,
) -> PyResult<()> {
    let to = match array.dtype().kind() {
        b'b' => "uint8",
        b'i' => "int64",
        b'u' => "uint64",
        b'f' if key.discrete.is_none() && array.dtype().itemsize() <= 4 => "float32",
        b'f' => "float64",
        _ => {
            let dtype = array.dtype();
            // Ints beyond 64 bits, for example: numpy keeps them as objects.
            let got = match dtype.kind() {
                b'O' => format!("; got {}", brief_repr(&array.call_method0("tolist")?)),
                _ => String::new(),
            };
            let name = &key.name;
            return Err(PyTypeError::new_err(format!("{name} has dtype {dtype}: expected integers, bools or floats{got}")));
        }
    };
    let copy = array.call_method1("astype", (to, "C"))?;
    let copy = copy.cast::<PyUntypedArray>()?;
    fill_typed::<u8>(request, index, copy)
        .or_else(|| fill_typed::<i64>(request, index, copy))
        .or_else(|| fill_typed::<u64>(request, index, copy))
        .or_else(|| fill_typed::<f32>(request, index, copy))
        .or_else(|| fill_typed::<f64>(request, index, copy))
        .unwrap_or_else(|| Err(PyTypeError::new_err(format!("{} is not an array of numbers", key.name))))
}
