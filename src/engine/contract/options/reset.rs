//! Options of one reset.

use super::{OptionSpec, suggestion};
use crate::contract::error::{Error, Result};
use crate::contract::lane_error::Payload;
use crate::contract::value::Value;
use std::borrow::Cow;

/// Options of one reset (gymnasium's `reset(options={"low": -0.1})`): numbers by name or an opaque payload, and a seed.
///
/// The components of an option that is a list have the names `name[0]`, `name[1]`, ...; the entries of a dict have the names
/// `name.key`.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct ResetOptions {
    numbers: Vec<(String, f64)>,
    /// Numbers that differ between the environments of a request: one for each item of the request, NaN for an item without it.
    rows: Vec<(String, Vec<f64>)>,
    /// Names of options whose value is `None`.
    absent: Vec<String>,
    payload: Option<Payload>,
    seed: Option<u64>,
    /// Values of the task's options, for the episode that this reset starts.
    values: Vec<(String, Value)>,
}

impl ResetOptions {
    /// Creates reset options from names and values.
    pub fn new(values: Vec<(String, f64)>) -> Self {
        Self { numbers: values, ..Self::default() }
    }

    /// Creates reset options of any structure, for backend environments.
    pub fn from_payload(message: Payload) -> Self {
        Self { payload: Some(message), ..Self::default() }
    }

    /// Returns a copy of these reset options with further numbers, which differ between the environments of a request: one for
    /// each item of the request, NaN for an item without it.
    #[must_use]
    pub fn with_rows(self, rows: Vec<(String, Vec<f64>)>) -> Self {
        Self { rows, ..self }
    }

    /// Returns these reset options with further numbers besides those of [`Self::with_rows`].
    #[must_use]
    pub fn with_more_rows(mut self, rows: Vec<(String, Vec<f64>)>) -> Self {
        self.rows.extend(rows);
        self
    }

    /// Returns the names of the options that differ between the environments of a request, and the numbers of each.
    pub fn rows(&self) -> impl Iterator<Item = (&str, &[f64])> {
        self.rows.iter().map(|(name, numbers)| (base(name), &numbers[..]))
    }

    /// Returns a copy of these reset options with the names of options whose value is `None`.
    #[must_use]
    pub fn with_absent(self, absent: Vec<String>) -> Self {
        Self { absent, ..self }
    }

    /// Returns a copy of these reset options with values of the task's own options, for the episode that this reset starts.
    #[must_use]
    pub fn with_values(self, values: Vec<(String, Value)>) -> Self {
        Self { values, ..self }
    }

    /// Returns the values of the task's own options, for the episode that this reset starts.
    pub fn values(&self) -> &[(String, Value)] {
        &self.values
    }

    /// Returns whether any option differs between the environments of a request.
    pub fn has_rows(&self) -> bool {
        !self.rows.is_empty()
    }

    /// Returns the name of an option that differs between the environments of a request; `None` if all are the same.
    pub(crate) fn name_of_rows(&self) -> Option<&str> {
        self.rows.first().map(|(name, _)| base(name))
    }

    /// Returns whether no option was given.
    pub(crate) fn is_empty(&self) -> bool {
        self.numbers.is_empty() && self.rows.is_empty() && self.payload.is_none() && self.values.is_empty()
    }

    /// Returns a copy of these reset options for a request with `count` items, in which item `index` of this request is item
    /// `items[index]`.
    #[must_use]
    pub fn scattered(mut self, items: &[i64], count: usize) -> Self {
        for (_, values) in &mut self.rows {
            let mut all = vec![f64::NAN; count];
            items.iter().zip(&*values).for_each(|(item, value)| all[*item as usize] = *value);
            *values = all;
        }
        self
    }

    /// Returns the reset options of item `index` of a request, copied only if any option differs between items.
    pub fn for_item(&self, index: usize) -> Cow<'_, Self> {
        if self.has_rows() { Cow::Owned(self.of_item(index)) } else { Cow::Borrowed(self) }
    }

    /// Returns a copy of the reset options of item `index` of a request.
    #[must_use]
    pub fn of_item(&self, index: usize) -> Self {
        let given = self.rows.iter().filter_map(|(name, values)| values.get(index).map(|value| (name.clone(), *value)));
        let numbers = self.numbers.iter().cloned().chain(given.filter(|(_, value)| !value.is_nan())).collect();
        Self { numbers, payload: self.payload.clone(), seed: self.seed, values: self.values.clone(), ..Self::default() }
    }

    /// Checks the names of the options, and the number of values of options that differ between environments. Messages also name
    /// those of the task's `options` that a reset accepts.
    ///
    /// # Errors
    /// `Value` for a name that is not in `known`, and for a number of values other than `items`.
    pub(crate) fn check_names(&self, known: &[&'static str], options: &[OptionSpec], items: usize) -> Result<()> {
        let names = self.names().chain(self.rows.iter().map(|(name, _)| name.as_str()));
        if let Some(name) = names.into_iter().find(|name| !known.contains(name)) {
            let parts = known.iter().filter(|other| other.contains('[') && base(other) == base(name)).count();
            if parts > 0 {
                return Err(Error::Value(format!("{}: expected {parts} numbers", base(name))));
            }
            if known.contains(&base(name)) {
                return Err(Error::Value(format!("{}: expected one number for all environments", base(name))));
            }
            let mut names = reset_option_names(known);
            names.extend(options.iter().filter(|option| option.per_episode).map(|option| option.name));
            let near = match base(name).split_once('.') {
                Some((_, key)) if names.contains(&key) => format!("; give {key:?} itself, outside a dict"),
                _ => suggestion(base(name), &names),
            };
            return Err(Error::Value(format!("unknown reset option {:?}{near}", base(name))));
        }
        let is_known =
            |name: &String| known.iter().any(|each| each.strip_prefix(&**name).is_some_and(|rest| rest.starts_with(['[', '.'])));
        if let Some(name) = self.absent.iter().find(|name| !is_known(name)) {
            return Err(Error::Value(format!("reset option {name}=None: expected a number")));
        }
        self.check_rows(items)
    }

    /// Checks the number of values of options that differ between environments.
    ///
    /// # Errors
    /// `Value` for a number of values other than `items`.
    pub(crate) fn check_rows(&self, items: usize) -> Result<()> {
        match self.rows.iter().find(|(_, values)| values.len() != items) {
            None => Ok(()),
            Some((name, values)) => {
                let got = format_args!("[{} values]", values.len()).to_string();
                Err(Error::value(base(name), got, format_args!("one for each of the {items} environments")))
            }
        }
    }

    /// Returns the payload, if these options were created by `from_payload`.
    pub fn message(&self) -> Option<&Payload> {
        self.payload.as_ref()
    }

    /// Returns a copy of these reset options with a seed.
    #[must_use]
    pub fn with_seed(self, seed: u64) -> Self {
        Self { seed: Some(seed), ..self }
    }

    /// Returns the seed of the lane's random stream at this reset; `None` if the stream continues.
    ///
    /// The seed was given to the reset or, for the first reset, to the pool. Environments that have a random stream of their own
    /// (a console, a game engine) use this seed.
    pub fn seed(&self) -> Option<u64> {
        self.seed
    }

    /// Returns the names of the numeric reset options that were given.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.numbers.iter().map(|(name, _)| name.as_str())
    }

    /// Returns the names and values of the numeric reset options that were given.
    pub fn iter(&self) -> impl Iterator<Item = (&str, f64)> {
        self.numbers.iter().map(|(name, value)| (name.as_str(), *value))
    }

    /// Returns the number given for the reset option `name`; `None` if there is none.
    pub fn get(&self, name: &str) -> Option<f64> {
        self.numbers.iter().find(|(key, _)| key == name).map(|(_, value)| *value)
    }

    /// Returns the number given for the reset option `name`, or else `default`.
    pub fn get_or(&self, name: &str, default: f64) -> f64 {
        self.get(name).unwrap_or(default)
    }

    /// Returns the reset options `low` and `high`, or the given defaults (gymnasium's `maybe_parse_reset_bounds`).
    ///
    /// # Errors
    /// `Value` if `low > high`.
    pub fn bounds(&self, low: f64, high: f64) -> Result<(f64, f64)> {
        let (low, high) = (self.get_or("low", low), self.get_or("high", high));
        if low > high {
            return Err(Error::Value(format!("reset options low={low:?}, high={high:?}: low must not exceed high")));
        }
        Ok((low, high))
    }
}

/// Returns the names that callers of a reset use for the options `known`: each option with several components once, without the
/// number of a component.
pub fn reset_option_names(known: &[&'static str]) -> Vec<&'static str> {
    let mut names: Vec<&'static str> = Vec::new();
    for name in known.iter().map(|name| base(name)) {
        if !names.contains(&name) {
            names.push(name);
        }
    }
    names
}

/// Returns the name of an option without the number of a component: `name` of `name[0]`.
fn base(name: &str) -> &str {
    name.split('[').next().unwrap_or_default()
}
