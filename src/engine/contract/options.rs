//! Options of a task (`g=9.8`, `map_name="8x8"`) and of a reset (`low=-0.1`), checked against the task's declarations.

mod option_spec;
mod reset;

use std::any::Any;
use std::fmt;
use std::ops::RangeInclusive;
use std::sync::Arc;

pub use self::reset::{ResetOptions, reset_option_names};
use crate::contract::error::{Error, Result};
use crate::contract::value::{Distribution, Value};

/// Largest integer below which every integer has an exact float64 representation.
const MAX_EXACT_INTEGER: i64 = 1 << 53;

/// Restriction of the values that an option accepts. An option whose default is `None` always accepts `None`.
#[derive(Debug, Clone, PartialEq)]
pub enum OptionConstraint {
    /// All values of the option's type. The environment may reject some of them.
    All,
    /// Integers in this range.
    Integers(RangeInclusive<i64>),
    /// Integers in this range, or pairs of them.
    IntegerOrPair(RangeInclusive<i64>),
    /// Integers and floats in this range.
    Numbers(RangeInclusive<f64>),
    /// Numbers from 0 to 1, such as probabilities.
    Probability,
    /// Only the listed strings.
    Texts(&'static [&'static str]),
    /// Pairs of a lower and an upper bound, which may be infinite.
    Bounds,
}

/// Alternative name of an option.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct OptionAlias {
    /// Alternative name of the keyword argument.
    pub name: &'static str,
    /// Library that uses this name, such as `EnvPool`.
    pub library: &'static str,
}

/// Declaration of an option of a task: name, default value, accepted types and values, and one line of documentation.
#[derive(Debug, Clone, PartialEq)]
pub struct OptionSpec {
    /// Name of the keyword argument.
    pub name: &'static str,
    /// Default value. Its type is the type of values that the option accepts.
    pub default: Value,
    /// Example of a second accepted type, for instance `Value::Lines(vec![])` if the default is `None`.
    pub or: Option<Value>,
    /// Restriction of the accepted values.
    pub constraint: OptionConstraint,
    /// Effect of the option, with units.
    pub doc: &'static str,
    /// Whether the value is only the path of a file or folder. If so, snapshots do not depend on the value.
    pub is_path: bool,
    /// Whether the option may be drawn again for each episode from a [`Distribution`].
    pub per_episode: bool,
    /// Name of this option in another library. The Python package renames such keyword arguments.
    pub alias: Option<OptionAlias>,
}

impl Distribution {
    /// Converts the values of this distribution to the type of an option.
    ///
    /// # Errors
    /// `Value` for bounds without any value between them, and for an option that cannot be drawn for each episode; `Type` for
    /// values of another type.
    pub(crate) fn convert(&self, spec: &OptionSpec) -> Result<Self> {
        if !spec.per_episode {
            let allowed = "one value, or a list with one for each environment: it cannot change from episode to episode";
            return Err(Error::value(spec.name, self, allowed));
        }
        let as_float = |number: f64| spec.convert(&Value::Float(number));
        match self {
            Self::Uniform(low, high) if low.is_finite() && high.is_finite() && low < high && (high - low).is_finite() => {
                as_float(*low)?;
                as_float(*high)?;
                Ok(self.clone())
            }
            Self::Uniform(..) => Err(Error::value(spec.name, self, "finite bounds, the first below the second")),
            Self::Integers(low, high) if -MAX_EXACT_INTEGER <= *low && low < high && *high <= MAX_EXACT_INTEGER => {
                match spec.convert(&Value::Int(*low))? {
                    Value::Int(_) => spec.convert(&Value::Int(*high - 1)).map(|_| self.clone()),
                    other => Err(Error::Type(format!("{}={self}: expected a distribution of {}s", spec.name, other.kind()))),
                }
            }
            Self::Integers(..) => {
                Err(Error::value(spec.name, self, "integers of less than 2**53, the first below the second, which is excluded"))
            }
            Self::Choice(values) if values.is_empty() => Err(Error::value(spec.name, self, "one value or more to choose from")),
            Self::Choice(values) => {
                let values: Result<Vec<_>> = values.iter().map(|value| spec.convert(value)).collect();
                Ok(Self::Choice(values?))
            }
        }
    }
}

/// Reference to a static value by which an environment type distinguishes the tasks that use it.
#[derive(Clone, Copy)]
pub(crate) struct Variant(pub(crate) &'static (dyn Any + Send + Sync));

impl PartialEq for Variant {
    /// Returns whether two references have equal addresses and types. Addresses alone do not suffice: zero-sized values of
    /// different types may share one.
    fn eq(&self, other: &Self) -> bool {
        std::ptr::addr_eq(self.0, other.0) && self.0.type_id() == other.0.type_id()
    }
}

impl fmt::Debug for Variant {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "Variant({:p})", self.0)
    }
}

/// Values of all options of a task. Each value was given by the user or preset by the task id, or is the default.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Options {
    values: Vec<(&'static str, Value)>,
    pub(crate) variant: Option<Variant>,
    /// Declarations of the options of a task; `None` for options that were resolved without a task, which never change.
    pub(crate) specs: Option<Arc<[OptionSpec]>>,
}

impl Options {
    /// Resolves `specs`: defaults, overridden by `presets`, overridden by the user's values.
    ///
    /// # Errors
    /// `Value` for an unknown option (naming the nearest option) or a value that is not allowed, `Type` for a value of another
    /// type.
    pub fn resolve(specs: &[OptionSpec], presets: &[(&'static str, Value)], given: &[(String, Value)]) -> Result<Self> {
        let mut values: Vec<_> = specs.iter().map(|spec| (spec.name, spec.default.clone())).collect();
        for (name, value) in
            presets.iter().map(|(name, value)| (*name, value)).chain(given.iter().map(|(name, value)| (name.as_str(), value)))
        {
            let Some(index) = specs.iter().position(|spec| spec.name == name) else {
                let names: Vec<_> = specs.iter().map(|spec| spec.name).collect();
                return Err(Error::Value(format!("unknown option {name:?}{}", suggestion(name, &names))));
            };
            values[index].1 = specs[index].convert(value)?;
        }
        Ok(Self { values, variant: None, specs: None })
    }

    /// Returns the static value that the task set with [`crate::tasks::registry::Task::variant`], or `None` if it set none or one
    /// of another type.
    pub fn variant<T: Any>(&self) -> Option<&'static T> {
        self.variant.and_then(|variant| (variant.0 as &dyn Any).downcast_ref())
    }

    /// Returns the names and values of all options, in declaration order.
    pub fn iter(&self) -> impl Iterator<Item = (&'static str, &Value)> {
        self.values.iter().map(|(name, value)| (*name, value))
    }

    /// Returns the options that are drawn for each episode, each with its distribution.
    pub(crate) fn distributions(&self) -> Vec<(&'static str, Distribution)> {
        let drawn = self.values.iter().filter_map(|(name, value)| match value {
            Value::Distribution(draw) => Some((*name, draw.clone())),
            _ => None,
        });
        drawn.collect()
    }

    /// Returns a copy with the values of some options replaced.
    #[must_use]
    pub fn with_values(&self, values: &[(&'static str, Value)]) -> Self {
        let value = |(name, value): &(&'static str, Value)| {
            let other = values.iter().find(|(changed, _)| changed == name);
            (*name, other.map_or(value, |(_, other)| other).clone())
        };
        Self { values: self.values.iter().map(value).collect(), variant: self.variant, specs: self.specs.clone() }
    }

    /// Converts values that options may take in later episodes to the types of the options.
    ///
    /// # Errors
    /// `Type` for an unknown option and for a value of another type; `Value` for an option that is fixed when the pool is made, and for a
    /// value that is not allowed.
    pub fn convert_changes(&self, given: &[(String, Value)]) -> Result<Vec<(&'static str, Value)>> {
        let specs = self.specs();
        let convert = |(name, value): &(String, Value)| {
            let Some(spec) = specs.iter().find(|spec| spec.name == name) else {
                let names: Vec<_> = specs.iter().filter(|spec| spec.per_episode).map(|spec| spec.name).collect();
                return Err(Error::Type(format!("unknown option {name:?}{}", suggestion(name, &names))));
            };
            if !spec.per_episode {
                let fixed = "no change: the spaces, or state that outlasts an episode, depend on this option; make a new pool";
                return Err(Error::value(spec.name, value, fixed));
            }
            Ok((spec.name, spec.convert(value)?))
        };
        given.iter().map(convert).collect()
    }

    /// Returns the declarations of the options; empty for options that were resolved without a task.
    pub fn specs(&self) -> &[OptionSpec] {
        self.specs.as_deref().unwrap_or_default()
    }

    /// Returns the names of the options that may change from episode to episode.
    pub fn names_per_episode(&self) -> impl Iterator<Item = &'static str> {
        self.specs().iter().filter(|spec| spec.per_episode).map(|spec| spec.name)
    }

    /// Returns the value of an option, or `None` if the option was not declared.
    pub fn find(&self, name: &str) -> Option<&Value> {
        self.values.iter().find(|(key, _)| *key == name).map(|(_, value)| value)
    }

    /// Returns the value of a declared option.
    ///
    /// # Panics
    /// If the task did not declare `name`: a mistake in the environment, not of its user.
    pub fn get(&self, name: &str) -> &Value {
        self.find(name).unwrap_or_else(|| panic!("option {name:?} is not declared"))
    }

    /// Returns the value of a declared `bool` option.
    pub fn bool(&self, name: &str) -> bool {
        match self.get(name) {
            Value::Bool(value) => *value,
            other => panic!("option {name:?} is a {}, not a bool", other.kind()),
        }
    }

    /// Returns the value of a declared `int` option.
    pub fn int(&self, name: &str) -> i64 {
        match self.get(name) {
            Value::Int(value) => *value,
            other => panic!("option {name:?} is a {}, not an int", other.kind()),
        }
    }

    /// Returns the value of a declared `float` option.
    pub fn float(&self, name: &str) -> f64 {
        match self.get(name) {
            Value::Float(value) => *value,
            other => panic!("option {name:?} is a {}, not a float", other.kind()),
        }
    }

    /// Returns the value of a declared `str` option; `None` if the option has no value.
    pub fn text(&self, name: &str) -> Option<&str> {
        match self.get(name) {
            Value::Text(value) => Some(value),
            Value::None => None,
            other => panic!("option {name:?} is a {}, not a str", other.kind()),
        }
    }
}

/// Formats `"; did you mean …?"` with up to three names near `name`, or else a list of up to 40 names.
pub fn suggestion(name: &str, names: &[&str]) -> String {
    let lower = name.to_lowercase();
    let mut near: Vec<_> = names
        .iter()
        .map(|candidate| (strsim::damerau_levenshtein(&lower, &candidate.to_lowercase()), *candidate))
        .filter(|(distance, candidate)| *distance <= candidate.len().max(lower.len()) / 3 || is_abbreviation(&lower, candidate))
        .collect();
    near.sort_unstable();
    let quoted: Vec<_> = near.iter().take(3).map(|(_, candidate)| format!("{candidate:?}")).collect();
    if !quoted.is_empty() {
        format!("; did you mean {}?", quoted.join(" or "))
    } else if names.is_empty() {
        "; there are none".to_owned()
    } else if names.len() <= 40 {
        format!("; there are: {}", names.join(", "))
    } else {
        String::new()
    }
}

/// Returns whether the words of `name` begin words of `candidate`, in order: `norm_obs` abbreviates `normalize_obs`.
fn is_abbreviation(name: &str, candidate: &str) -> bool {
    let mut words = candidate.split('_');
    name.contains('_') && name.split('_').all(|word| word.len() > 1 && words.any(|other| other.starts_with(word)))
}

#[cfg(test)]
mod tests;
