//! Options of a task (`g=9.8`, `map_name="8x8"`) and of a reset (`low=-0.1`), checked against the task's declarations.

use std::any::Any;
use std::fmt;
use std::ops::RangeInclusive;

use crate::contract::error::{Error, Result, shortened};
use crate::contract::lane_error::Payload;
use crate::contract::value::{Distribution, Value};

/// Largest integer up to which every integer is a float64.
const MAX_EXACT_INTEGER: i64 = 1 << 53;

/// Values of its type that an option accepts. An optional option always accepts `None`.
#[derive(Debug, Clone, PartialEq)]
pub enum OptionConstraint {
    /// All values; the environment may check further.
    All,
    /// Integers in this range.
    Integers(RangeInclusive<i64>),
    /// Integers in this range, or pairs of them.
    IntegerOrPair(RangeInclusive<i64>),
    /// Integers and floats in this range.
    Numbers(RangeInclusive<f64>),
    /// Probabilities.
    Probability,
    /// One of these strings.
    Texts(&'static [&'static str]),
    /// A lower and an upper bound, which may be infinite.
    Bounds,
}

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

/// Alternative name of an option.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct OptionAlias {
    /// Name of the keyword argument.
    pub name: &'static str,
    /// Library that uses this name, such as `EnvPool`.
    pub library: &'static str,
}

/// Declaration of a task option: name, default (which fixes the type) and one line of documentation.
#[derive(Debug, Clone, PartialEq)]
pub struct OptionSpec {
    /// Name of the keyword argument.
    pub name: &'static str,
    /// Value if not given. Its type is the accepted type.
    pub default: Value,
    /// Example of a second accepted type (`Value::Lines(vec![])` with a default of `None`).
    pub or: Option<Value>,
    /// Accepted values of these types.
    pub constraint: OptionConstraint,
    /// Effect of the option, with units.
    pub doc: &'static str,
    /// Whether the option is only a path. Snapshots do not depend on it.
    pub is_path: bool,
    /// Whether it may be drawn again for each episode.
    pub per_episode: bool,
    /// Name of this option in another library. The Python package renames such keyword arguments.
    pub alias: Option<OptionAlias>,
}

impl OptionSpec {
    /// Declares an option of the default's type.
    pub fn new(name: &'static str, default: impl Into<Value>, doc: &'static str) -> Self {
        let (default, allowed) = (default.into(), OptionConstraint::All);
        Self { name, default, or: None, constraint: allowed, doc, is_path: false, per_episode: false, alias: None }
    }

    /// Declares an option of the example's type whose default is `None`.
    pub fn optional(name: &'static str, example: impl Into<Value>, doc: &'static str) -> Self {
        Self::new(name, Value::None, doc).or(example)
    }

    /// Accepts values of the example's type, too.
    #[must_use]
    pub fn or(self, example: impl Into<Value>) -> Self {
        Self { or: Some(example.into()), ..self }
    }

    /// Declares an optional path of a file or folder.
    pub fn path(name: &'static str, doc: &'static str) -> Self {
        Self { is_path: true, ..Self::optional(name, "", doc) }
    }

    /// Allows this option to be drawn again for each episode.
    ///
    /// Use it only if neither the spaces nor any state beyond an episode depends on the option. The engine then constructs the
    /// [`crate::contract::env::Env`] again for each episode, by `new`.
    #[must_use]
    pub fn per_episode(self) -> Self {
        Self { per_episode: true, ..self }
    }

    /// Sets the name of this option in another library.
    #[must_use]
    pub fn with_alias(self, whose: &'static str, name: &'static str) -> Self {
        Self { alias: Some(OptionAlias { name, library: whose }), ..self }
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

    /// Restricts the option to a pair of a lower and an upper bound, which may be infinite.
    #[must_use]
    pub fn bounds(self) -> Self {
        Self { constraint: OptionConstraint::Bounds, ..self }
    }

    /// Describes the accepted values in words; `None` if the type alone determines them.
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
            OptionConstraint::Numbers(range) => Some(format!("{} to {}", range.start(), range.end())),
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
        let is_list = |value: &Value| matches!(value, Value::Lines(_) | Value::Floats(_) | Value::Ints(_));
        is_list(&self.default) || self.or.as_ref().is_some_and(is_list)
    }

    /// Returns whether the option accepts text.
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
            // EnvPool accepts 0 and 1 for bool, and programs for EnvPool use them.
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
            Some(allowed) => Err(Error::value(self.name, value, allowed)),
            None => Ok(converted),
        }
    }
}

impl Distribution {
    /// Converts this distribution to the type of an option.
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

/// Static value that distinguishes tasks that share an environment type.
#[derive(Clone, Copy)]
pub(crate) struct Variant(pub(crate) &'static (dyn Any + Send + Sync));

impl PartialEq for Variant {
    /// Compares addresses, and also types, because zero-sized values may share an address.
    fn eq(&self, other: &Self) -> bool {
        std::ptr::addr_eq(self.0, other.0) && self.0.type_id() == other.0.type_id()
    }
}

impl fmt::Debug for Variant {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "Variant({:p})", self.0)
    }
}

/// All options of a task with their values: given by the user, preset by the task id, or the default.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Options {
    values: Vec<(&'static str, Value)>,
    pub(crate) variant: Option<Variant>,
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
        Ok(Self { values, variant: None })
    }

    /// Returns the value given to [`crate::tasks::registry::Task::variant`]; `None` without one, or for another type.
    pub fn variant<T: Any>(&self) -> Option<&'static T> {
        self.variant.and_then(|variant| (variant.0 as &dyn Any).downcast_ref())
    }

    /// Returns all names and values, in declaration order.
    pub fn iter(&self) -> impl Iterator<Item = (&'static str, &Value)> {
        self.values.iter().map(|(name, value)| (*name, value))
    }

    /// Returns the options that are drawn for each episode, with their distributions.
    pub(crate) fn distributions(&self) -> Vec<(&'static str, Distribution)> {
        let drawn = self.values.iter().filter_map(|(name, value)| match value {
            Value::Distribution(draw) => Some((*name, draw.clone())),
            _ => None,
        });
        drawn.collect()
    }

    /// Returns a copy with some values replaced.
    #[must_use]
    pub fn with_values(&self, values: &[(&'static str, Value)]) -> Self {
        let value = |(name, value): &(&'static str, Value)| {
            let other = values.iter().find(|(changed, _)| changed == name);
            (*name, other.map_or(value, |(_, other)| other).clone())
        };
        Self { values: self.values.iter().map(value).collect(), variant: self.variant }
    }

    /// Returns the value of an option, or `None` if it was not declared.
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

    /// Returns a declared `bool` option.
    pub fn bool(&self, name: &str) -> bool {
        match self.get(name) {
            Value::Bool(value) => *value,
            other => panic!("option {name:?} is a {}, not a bool", other.kind()),
        }
    }

    /// Returns a declared `int` option.
    pub fn int(&self, name: &str) -> i64 {
        match self.get(name) {
            Value::Int(value) => *value,
            other => panic!("option {name:?} is a {}, not an int", other.kind()),
        }
    }

    /// Returns a declared `float` option.
    pub fn float(&self, name: &str) -> f64 {
        match self.get(name) {
            Value::Float(value) => *value,
            other => panic!("option {name:?} is a {}, not a float", other.kind()),
        }
    }

    /// Returns a declared `str` option; `None` if it is absent.
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
        .filter(|(distance, candidate)| *distance <= candidate.len().max(lower.len()) / 3)
        .collect();
    near.sort_unstable();
    let quoted: Vec<_> = near.iter().take(3).map(|(_, candidate)| format!("{candidate:?}")).collect();
    if !quoted.is_empty() {
        format!("; did you mean {}?", quoted.join(" or "))
    } else if names.len() <= 40 {
        format!("; there are: {}", names.join(", "))
    } else {
        String::new()
    }
}

/// Options of one reset (gymnasium's `reset(options={"low": -0.1})`): numbers by name, an opaque payload, and the seed.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct ResetOptions {
    numbers: Vec<(String, f64)>,
    payload: Option<Payload>,
    seed: Option<u64>,
}

impl ResetOptions {
    /// Creates reset options from names and values.
    pub fn new(values: Vec<(String, f64)>) -> Self {
        Self { numbers: values, payload: None, seed: None }
    }

    /// Creates reset options of any structure, for backend environments.
    pub fn from_payload(message: Payload) -> Self {
        Self { numbers: Vec::new(), payload: Some(message), seed: None }
    }

    /// Returns the payload given to `from_payload`.
    pub fn message(&self) -> Option<&Payload> {
        self.payload.as_ref()
    }

    /// Returns a copy with a seed.
    #[must_use]
    pub fn with_seed(self, seed: u64) -> Self {
        Self { seed: Some(seed), ..self }
    }

    /// Returns the seed of the lane's random stream at this reset; `None` if the stream continues.
    ///
    /// The seed was given to the reset or, for the first reset, to the pool. Environments that have a random stream of their own
    /// (a console, a game engine) use it.
    pub fn seed(&self) -> Option<u64> {
        self.seed
    }

    /// Returns all names given.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.numbers.iter().map(|(name, _)| name.as_str())
    }

    /// Returns the value given for `name`.
    pub fn get(&self, name: &str) -> Option<f64> {
        self.numbers.iter().find(|(key, _)| key == name).map(|(_, value)| *value)
    }

    /// Returns the value given for `name`, or else `default`.
    pub fn get_or(&self, name: &str, default: f64) -> f64 {
        self.get(name).unwrap_or(default)
    }

    /// Returns `low` and `high`, or their defaults (gymnasium's `maybe_parse_reset_bounds`).
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

#[cfg(test)]
mod tests {
    use super::*;

    fn refusal(option: &OptionSpec, value: impl Into<Value>) -> String {
        option.convert(&value.into()).unwrap_err().to_string()
    }

    #[test]
    fn integers_are_drawn_from_a_range_that_has_some() {
        let skip = OptionSpec::new("frame_skip", 4, "").integers(1..=9).per_episode();
        let drawn = |low, high| Value::Distribution(Distribution::Integers(low, high));
        assert_eq!(skip.convert(&drawn(4, 5)), Ok(drawn(4, 5)));
        assert!(refusal(&skip, drawn(4, 4)).contains("the first below the second"));
        assert!(refusal(&skip, drawn(4, 11)).contains("frame_skip=10"));
    }

    #[test]
    fn options_take_what_they_declare() {
        let size = OptionSpec::new("size", 4, "").integer_or_pair(1..=9);
        assert_eq!(size.convert(&Value::Int(9)), Ok(Value::Int(9)));
        assert_eq!(size.convert(&Value::Ints(vec![1, 9])), Ok(Value::Ints(vec![1, 9])));
        assert_eq!(refusal(&size, 10), "size=10: expected an integer from 1 to 9, or two of them");
        assert_eq!(refusal(&size, vec![4_i64, 0]), "size=[4, 0]: expected an integer from 1 to 9, or two of them");
        assert_eq!(refusal(&size, vec![4_i64, 4, 4]), "size=[4, 4, 4]: expected an integer from 1 to 9, or two of them");
        let share = OptionSpec::new("share", 0.5, "").numbers(-1.0..=1.5);
        assert_eq!(share.convert(&Value::Int(1)), Ok(Value::Float(1.0)));
        assert_eq!(refusal(&share, -1.25), "share=-1.25: expected -1 to 1.5");
        let most = OptionSpec::optional("most", 1, "").integers(0..=3);
        assert_eq!(refusal(&most, 4), "most=4: expected an integer from 0 to 3 or None");
        assert_eq!(refusal(&OptionSpec::new("p", 0.5, "").probability(), 2), "p=2: expected a probability, from 0 to 1");
        let kind = OptionSpec::optional("kind", "a", "").one_of(&["a", "b"]);
        assert_eq!(kind.convert(&Value::None), Ok(Value::None));
        assert_eq!(refusal(&kind, "c"), r#"kind="c": expected "a" or "b" or None"#);
        let flag = OptionSpec::new("flag", false, "");
        assert_eq!([0, 1].map(|number| flag.convert(&Value::Int(number)).unwrap()), [Value::Bool(false), Value::Bool(true)]);
        assert_eq!(refusal(&flag, 2), "flag=2: expected bool, not int");
    }

    #[test]
    fn bounds_are_two_and_may_be_infinite() {
        let range = OptionSpec::optional("range", Vec::<f64>::new(), "").bounds();
        assert_eq!(range.convert(&Value::Floats(vec![0.5, f64::INFINITY])), Ok(Value::Floats(vec![0.5, f64::INFINITY])));
        assert_eq!(range.convert(&Value::None), Ok(Value::None));
        for bad in [vec![], vec![1.0], vec![1.0, 0.0], vec![0.0, 1.0, 2.0], vec![f64::NAN, 1.0], vec![0.0, f64::NAN]] {
            let refusal = range.convert(&Value::Floats(bad)).unwrap_err().to_string();
            assert!(refusal.ends_with("expected two numbers, the first not above the second or None"), "{refusal}");
        }
    }

    #[test]
    fn nothing_is_drawn_that_is_not_allowed() {
        let count = OptionSpec::new("count", 4, "").integers(1..=9).per_episode();
        let drawn = |low, high| count.convert(&Value::Distribution(Distribution::Integers(low, high)));
        assert!(drawn(1, 10).is_ok());
        assert_eq!(drawn(1, 11).unwrap_err().to_string(), "count=10: expected an integer from 1 to 9");
        assert_eq!(drawn(0, 10).unwrap_err().to_string(), "count=0: expected an integer from 1 to 9");
    }
}
