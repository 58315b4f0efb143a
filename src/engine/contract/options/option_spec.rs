//! Constructors of an option's declaration, and checks of values against it.

use std::ops::RangeInclusive;

use super::{OptionAlias, OptionConstraint, OptionSpec};
use crate::contract::error::{Error, Result, shortened};
use crate::contract::value::Value;

impl OptionConstraint {
    fn allows(&self, value: &Value) -> bool {
        match (self, value) {
            (Self::Integers(range) | Self::IntegerOrPair(range), Value::Int(value)) => range.contains(value),
            (Self::IntegerOrPair(range), Value::Ints(pair)) => pair.len() == 2 && pair.iter().all(|value| range.contains(value)),
            (Self::Numbers(range), Value::Float(value)) => range.contains(value),
            (Self::Numbers(range), Value::Int(value)) => range.contains(&(*value as f64)),
            (Self::Probability, Value::Float(value)) => (0.0..=1.0).contains(value),
            (Self::Texts(texts), Value::Text(value)) => texts.contains(&value.as_str()),
            (Self::Bounds, Value::Floats(bounds)) => bounds.len() == 2 && bounds[0] <= bounds[1],
            _ => true,
        }
    }
}

impl OptionSpec {
    /// Declares an option that accepts values of the default's type.
    pub fn new(name: &'static str, default: impl Into<Value>, doc: &'static str) -> Self {
        let (default, allowed) = (default.into(), OptionConstraint::All);
        Self { name, default, or: None, constraint: allowed, doc, is_path: false, per_episode: false, alias: None }
    }

    /// Declares an option that accepts values of the example's type and whose default is `None`.
    pub fn optional(name: &'static str, example: impl Into<Value>, doc: &'static str) -> Self {
        Self::new(name, Value::None, doc).or(example)
    }

    /// Accepts values of the example's type in addition to the default's type.
    #[must_use]
    pub fn or(self, example: impl Into<Value>) -> Self {
        Self { or: Some(example.into()), ..self }
    }

    /// Declares an option that is the path of a file or folder and may be absent.
    pub fn path(name: &'static str, doc: &'static str) -> Self {
        Self { is_path: true, ..Self::optional(name, "", doc) }
    }

    /// Allows this option to be drawn again for each episode.
    ///
    /// Use this method only if neither the spaces nor any state beyond an episode depends on the option. The engine then
    /// constructs the [`crate::contract::env::Env`] again for each episode, by `new`.
    #[must_use]
    pub fn per_episode(self) -> Self {
        Self { per_episode: true, ..self }
    }

    /// Sets the name of this option in another library.
    #[must_use]
    pub fn with_alias(self, library: &'static str, name: &'static str) -> Self {
        Self { alias: Some(OptionAlias { name, library }), ..self }
    }

    /// Restricts the option to integers in a range.
    #[must_use]
    pub fn integers(self, range: RangeInclusive<i64>) -> Self {
        Self { constraint: OptionConstraint::Integers(range), ..self }
    }

    /// Restricts the option to integers in a range and pairs of them.
    #[must_use]
    pub fn integer_or_pair(self, range: RangeInclusive<i64>) -> Self {
        Self { constraint: OptionConstraint::IntegerOrPair(range), ..self.or(Vec::<i64>::new()) }
    }

    /// Restricts the option to numbers in a range.
    #[must_use]
    pub fn numbers(self, range: RangeInclusive<f64>) -> Self {
        Self { constraint: OptionConstraint::Numbers(range), ..self }
    }

    /// Restricts the option to probabilities.
    #[must_use]
    pub fn probability(self) -> Self {
        Self { constraint: OptionConstraint::Probability, ..self }
    }

    /// Restricts the option to the given strings.
    #[must_use]
    pub fn one_of(self, texts: &'static [&'static str]) -> Self {
        Self { constraint: OptionConstraint::Texts(texts), ..self }
    }

    /// Restricts the option to pairs of a lower and an upper bound, which may be infinite.
    #[must_use]
    pub fn bounds(self) -> Self {
        Self { constraint: OptionConstraint::Bounds, ..self }
    }

    /// Describes the accepted values in words; `None` if the type alone restricts them.
    pub fn allowed_text(&self) -> Option<String> {
        let none = if [&self.default].into_iter().chain(&self.or).any(|value| *value == Value::None) { " or None" } else { "" };
        match &self.constraint {
            OptionConstraint::All => None,
            OptionConstraint::Integers(range) => {
                let text = if matches!(self.or, Some(Value::Text(_))) { " or a str" } else { "" };
                Some(format!("an integer from {} to {}{text}{none}", range.start(), range.end()))
            }
            OptionConstraint::IntegerOrPair(range) => {
                Some(format!("an integer from {} to {}, or two of them", range.start(), range.end()))
            }
            OptionConstraint::Numbers(range) => Some(match (*range.start() == f64::MIN_POSITIVE, *range.end() == f64::MAX) {
                (true, true) => "above 0".to_owned(),
                (true, false) => format!("above 0, up to {}", range.end()),
                (false, true) => format!("{} or more", range.start()),
                (false, false) => format!("{} to {}", range.start(), range.end()),
            }),
            OptionConstraint::Bounds => Some(format!("two numbers, the first not above the second{none}")),
            OptionConstraint::Probability => Some(format!("a probability, from 0 to 1{none}")),
            OptionConstraint::Texts(texts) => {
                let quoted: Vec<_> = texts.iter().map(|text| format!("{text:?}")).collect();
                let (last, most) = quoted.split_last()?;
                let either = if most.is_empty() { last.clone() } else { format!("{} or {last}", most.join(", ")) };
                Some(either + none)
            }
        }
    }

    /// Returns whether the option accepts a list.
    pub fn accepts_list(&self) -> bool {
        is_list(&self.default) || self.or.as_ref().is_some_and(is_list)
    }

    /// Returns whether the option accepts a string.
    pub fn accepts_text(&self) -> bool {
        let is_text = |value: &Value| matches!(value, Value::Text(_) | Value::Lines(_));
        is_text(&self.default) || self.or.as_ref().is_some_and(is_text)
    }

    /// Returns whether the option accepts this value.
    pub fn accepts(&self, value: &Value) -> bool {
        self.convert(value).is_ok()
    }

    /// Converts a value to the option's type.
    ///
    /// # Errors
    /// `Type` for a value of another type, `Value` for a value that is not allowed.
    pub(crate) fn convert(&self, value: &Value) -> Result<Value> {
        if let Value::Distribution(draw) = value {
            return Ok(Value::Distribution(draw.convert(self)?));
        }
        if self.constraint != OptionConstraint::Bounds && value.numbers().iter().any(|number| !number.is_finite()) {
            return Err(Error::value(self.name, value, "finite numbers"));
        }
        let fits = |model: &Value| match (model, value) {
            (Value::Float(_), Value::Int(value)) => Some(Value::Float(*value as f64)),
            (Value::Float(_), Value::Big(value)) => Some(Value::Float(*value as f64)),
            // EnvPool accepts 0 and 1 for bool options, and programs written for EnvPool use them.
            (Value::Bool(_), Value::Int(value @ (0 | 1))) => Some(Value::Bool(*value == 1)),
            (Value::Floats(_), Value::Lines(lines)) if lines.is_empty() => Some(Value::Floats(vec![])),
            (Value::Ints(_), Value::Lines(lines)) if lines.is_empty() => Some(Value::Ints(vec![])),
            (Value::Lines(_), Value::Floats(values)) if values.is_empty() => Some(Value::Lines(vec![])),
            (Value::Floats(_), Value::Ints(values)) => Some(Value::Floats(values.iter().map(|value| *value as f64).collect())),
            (Value::Int(_), Value::Big(_)) => None,
            (model, value) if model.kind() == value.kind() => Some(value.clone()),
            _ => None,
        };
        let takes_integers = [&self.default].into_iter().chain(&self.or).any(|model| matches!(model, Value::Int(_)));
        if let Value::Big(_) = value
            && takes_integers
        {
            return Err(Error::value(self.name, value, self.allowed_text().as_deref().unwrap_or("an integer that fits 64 bits")));
        }
        let converted = fits(&self.default).or_else(|| self.or.as_ref().and_then(fits)).ok_or_else(|| {
            let kinds = match &self.or {
                Some(or) => format!("{} or {}", self.default.kind(), or.kind()),
                None => self.default.kind().to_owned(),
            };
            Error::Type(format!("{}={}: expected {kinds}, not {}", self.name, shortened(value), value.kind()))
        })?;
        match self.allowed_text().filter(|_| !self.constraint.allows(&converted)) {
            Some(allowed) if is_list(value) && matches!(self.default, Value::Int(_)) => {
                let each = "a list is one value for all environments, an array has one for each";
                Err(Error::value(self.name, value, format_args!("{allowed}; {each}")))
            }
            Some(allowed) => Err(Error::value(self.name, value, allowed)),
            None => Ok(converted),
        }
    }
}

/// Returns whether a value is a list.
fn is_list(value: &Value) -> bool {
    matches!(value, Value::Lines(_) | Value::Floats(_) | Value::Ints(_))
}
