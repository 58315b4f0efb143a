//! Environments of one task that differ in the values of options that may change from episode to episode.

use std::collections::HashMap;
use std::ops::Deref;
use std::sync::{Arc, PoisonError, RwLock};

use envpool_rs_engine::{OptionSpec, Options, Result, Value};

use super::lanes::Lanes;

/// Largest number of environments that are kept for later calls. With more different values, environments are made again.
const MOST: usize = 1 << 14;

/// Returns whether the values of an option are passed with each call: those that may change from episode to episode, of numbers.
pub fn is_drawn(option: &OptionSpec) -> bool {
    option.per_episode && matches!(option.default, Value::Bool(_) | Value::Int(_) | Value::Float(_))
}

/// Environment with the options that a table was made with, and environments with other values.
pub struct Variants<E> {
    pub base: E,
    options: Options,
    /// Options that may change from episode to episode, with their values in `base`.
    drawn: Vec<(OptionSpec, f64)>,
    make: fn(&Options) -> Result<E>,
    others: RwLock<HashMap<Box<[u64]>, Arc<E>>>,
}

/// An environment of a [`Variants`].
pub enum Variant<'a, E> {
    Base(&'a E),
    Other(Arc<E>),
}

impl<E> Deref for Variant<'_, E> {
    type Target = E;

    #[inline(always)]
    fn deref(&self) -> &E {
        match self {
            Self::Base(env) => env,
            Self::Other(env) => env,
        }
    }
}

impl<E> Variants<E> {
    /// Wraps the environment `base` with these options. `make` makes others.
    pub fn new(base: E, options: &Options, make: fn(&Options) -> Result<E>) -> Self {
        let number = |name| match options.get(name) {
            Value::Bool(flag) => f64::from(u8::from(*flag)),
            Value::Int(integer) => *integer as f64,
            Value::Float(number) => *number,
            _ => f64::NAN,
        };
        let drawn = options.specs().iter().filter(|option| is_drawn(option)).map(|option| (option.clone(), number(option.name)));
        Self { base, drawn: drawn.collect(), options: options.clone(), make, others: RwLock::default() }
    }

    /// Returns the environment that runs the episode of item `index`. Raises the error of an environment that cannot be made.
    #[inline(always)]
    pub fn of(&self, lanes: &Lanes, index: usize) -> Variant<'_, E> {
        if self.drawn.is_empty() {
            return Variant::Base(&self.base);
        }
        let values = lanes.options(index, self.drawn.len());
        match values.iter().zip(&self.drawn).all(|(value, (_, own))| value.to_bits() == own.to_bits()) {
            true => Variant::Base(&self.base),
            false => Variant::Other(self.other(values).unwrap_or_else(|error| error.raise())),
        }
    }

    /// Returns the number of the first item after `start` whose environment is another one.
    pub fn run_end(&self, lanes: &Lanes, start: usize) -> usize {
        if self.drawn.is_empty() {
            return lanes.count();
        }
        let values = |index| lanes.options(index, self.drawn.len());
        (start + 1..lanes.count()).find(|index| values(*index) != values(start)).unwrap_or(lanes.count())
    }

    /// Returns the environment with these values, which is made if there is none.
    fn other(&self, values: &[f64]) -> Result<Arc<E>> {
        let key: Box<[u64]> = values.iter().map(|value| value.to_bits()).collect();
        if let Some(env) = self.others.read().unwrap_or_else(PoisonError::into_inner).get(&key) {
            return Ok(Arc::clone(env));
        }
        let value = |((option, _), number): (&(OptionSpec, f64), &f64)| {
            let value = match option.default {
                Value::Bool(_) => Value::Bool(*number != 0.0),
                Value::Int(_) => Value::Int(*number as i64),
                _ => Value::Float(*number),
            };
            (option.name, value)
        };
        let changed: Vec<_> = self.drawn.iter().zip(values).map(value).collect();
        let env = Arc::new((self.make)(&self.options.with_values(&changed))?);
        let mut others = self.others.write().unwrap_or_else(PoisonError::into_inner);
        if others.len() >= MOST {
            others.clear();
        }
        Ok(Arc::clone(others.entry(key).or_insert(env)))
    }
}
