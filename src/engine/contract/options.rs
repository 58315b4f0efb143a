//! Options of a task (`g=9.8`, `map_name="8x8"`) and of a reset (`low=-0.1`), checked against what the task declares.

use crate::engine::contract::error::{Error, Result, shortened};
use crate::engine::contract::fault::Message;
use crate::engine::contract::value::{Distribution, Value};

/// Integers beyond this are not all float64s.
const MOST: i64 = 1 << 53;

/// An option that a task takes: its name, default (which fixes its type) and one line of explanation.
#[derive(Debug, Clone, PartialEq)]
pub struct OptionSpec {
    /// Keyword argument's name.
    pub name: &'static str,
    /// Value when not given. Its kind is the kind accepted.
    pub default: Value,
    /// A further kind accepted, by example (`Value::Lines(vec![])` beside a default of `None`).
    pub or: Option<Value>,
    /// What it does, with units.
    pub doc: &'static str,
    /// Whether it only says where something lies. Snapshots do not depend on it.
    pub is_place: bool,
    /// Whether it may be drawn anew for each episode.
    pub each_episode: bool,
}

impl OptionSpec {
    /// An option of the default's kind.
    pub fn new(name: &'static str, default: impl Into<Value>, doc: &'static str) -> Self {
        Self { name, default: default.into(), or: None, doc, is_place: false, each_episode: false }
    }

    /// An option that is `None` unless given, and then of the example's kind.
    pub fn optional(name: &'static str, example: impl Into<Value>, doc: &'static str) -> Self {
        Self::new(name, Value::None, doc).or(example)
    }

    /// The same option, accepting values of the example's kind too.
    #[must_use]
    pub fn or(self, example: impl Into<Value>) -> Self {
        Self { or: Some(example.into()), ..self }
    }

    /// An optional path of a file or folder.
    pub fn place(name: &'static str, doc: &'static str) -> Self {
        Self { is_place: true, ..Self::optional(name, "", doc) }
    }

    /// The same option, which may be drawn anew for each episode: for those that neither spaces nor anything that outlives
    /// an episode depend on. A [`crate::engine::contract::env::Env`] is then made anew for each, by `new`.
    #[must_use]
    pub fn each_episode(self) -> Self {
        Self { each_episode: true, ..self }
    }

    /// Whether a list may be its value.
    pub fn takes_lists(&self) -> bool {
        let is_list = |value: &Value| matches!(value, Value::Lines(_) | Value::Floats(_) | Value::Ints(_));
        is_list(&self.default) || self.or.as_ref().is_some_and(is_list)
    }

    /// Whether text may be its value.
    pub fn takes_text(&self) -> bool {
        let is_text = |value: &Value| matches!(value, Value::Text(_) | Value::Lines(_));
        is_text(&self.default) || self.or.as_ref().is_some_and(is_text)
    }

    /// Whether a value is of its kind.
    pub fn accepts(&self, value: &Value) -> bool {
        self.convert(value).is_ok()
    }

    /// The value, converted to the option's kind.
    pub(in crate::engine) fn convert(&self, value: &Value) -> Result<Value> {
        if let Value::Drawn(draw) = value {
            return Ok(Value::Drawn(draw.converted(self)?));
        }
        if value.numbers().iter().any(|number| !number.is_finite()) {
            return Err(Error::value(self.name, value, "finite numbers"));
        }
        let fits = |model: &Value| match (model, value) {
            (Value::Float(_), Value::Int(value)) => Some(Value::Float(*value as f64)),
            (Value::Floats(_), Value::Lines(lines)) if lines.is_empty() => Some(Value::Floats(vec![])),
            (Value::Ints(_), Value::Lines(lines)) if lines.is_empty() => Some(Value::Ints(vec![])),
            (Value::Lines(_), Value::Floats(values)) if values.is_empty() => Some(Value::Lines(vec![])),
            (Value::Floats(_), Value::Ints(values)) => Some(Value::Floats(values.iter().map(|value| *value as f64).collect())),
            (model, value) if model.kind() == value.kind() => Some(value.clone()),
            _ => None,
        };
        fits(&self.default).or_else(|| self.or.as_ref().and_then(fits)).ok_or_else(|| {
            let kinds = match &self.or {
                Some(or) => format!("{} or {}", self.default.kind(), or.kind()),
                None => self.default.kind().to_owned(),
            };
            Error::Type(format!("{}={}: expected {kinds}, not {}", self.name, shortened(value), value.kind()))
        })
    }
}

impl Distribution {
    /// This distribution for values of an option, converted to its kind.
    ///
    /// # Errors
    /// `Value` for bounds without anything between them, and for an option that is not drawn anew; `Type` for values of another kind.
    pub(in crate::engine) fn converted(&self, spec: &OptionSpec) -> Result<Self> {
        if !spec.each_episode {
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
            Self::Integers(low, high) if -MOST <= *low && low < high && *high <= MOST => {
                match spec.convert(&Value::Int(*low))? {
                    Value::Int(_) => Ok(self.clone()),
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

/// All options of a task, each with its value: given, preset by the task id, or the default.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Options(Vec<(&'static str, Value)>);

impl Options {
    /// Fills `specs` with `presets`, then with what the user gave.
    ///
    /// # Errors
    /// `Value` for an option the task does not have (naming the nearest), `Type` for one of another kind.
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
        Ok(Self(values))
    }

    /// All names and values, in the order declared.
    pub fn iter(&self) -> impl Iterator<Item = (&'static str, &Value)> {
        self.0.iter().map(|(name, value)| (*name, value))
    }

    /// The options that are drawn anew for each episode, and from what.
    pub(in crate::engine) fn draws(&self) -> Vec<(&'static str, Distribution)> {
        let drawn = self.0.iter().filter_map(|(name, value)| match value {
            Value::Drawn(draw) => Some((*name, draw.clone())),
            _ => None,
        });
        drawn.collect()
    }

    /// The same with other values for some.
    #[must_use]
    pub fn with(&self, values: &[(&'static str, Value)]) -> Self {
        let value = |(name, value): &(&'static str, Value)| {
            let other = values.iter().find(|(changed, _)| changed == name);
            (*name, other.map_or(value, |(_, other)| other).clone())
        };
        Self(self.0.iter().map(value).collect())
    }

    /// The value of an option, if it was declared.
    pub fn find(&self, name: &str) -> Option<&Value> {
        self.0.iter().find(|(key, _)| *key == name).map(|(_, value)| value)
    }

    /// The value of a declared option.
    ///
    /// # Panics
    /// Where the task did not declare `name`: a mistake in the environment, not of its user.
    pub fn get(&self, name: &str) -> &Value {
        self.find(name).unwrap_or_else(|| panic!("option {name:?} is not declared"))
    }

    /// A declared `bool` option.
    pub fn bool(&self, name: &str) -> bool {
        match self.get(name) {
            Value::Bool(value) => *value,
            other => panic!("option {name:?} is a {}, not a bool", other.kind()),
        }
    }

    /// A declared `int` option.
    pub fn int(&self, name: &str) -> i64 {
        match self.get(name) {
            Value::Int(value) => *value,
            other => panic!("option {name:?} is a {}, not an int", other.kind()),
        }
    }

    /// A declared `float` option.
    pub fn float(&self, name: &str) -> f64 {
        match self.get(name) {
            Value::Float(value) => *value,
            other => panic!("option {name:?} is a {}, not a float", other.kind()),
        }
    }

    /// A declared `str` option; `None` where it is absent.
    pub fn text(&self, name: &str) -> Option<&str> {
        match self.get(name) {
            Value::Text(value) => Some(value),
            Value::None => None,
            other => panic!("option {name:?} is a {}, not a str", other.kind()),
        }
    }
}

/// `"; did you mean …?"` with up to three names near `name`, or what there is.
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

/// Options of one reset (gymnasium's `reset(options={"low": -0.1})`): numbers by name.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct ResetOptions {
    numbers: Vec<(String, f64)>,
    message: Option<Message>,
}

impl ResetOptions {
    /// From names and values.
    pub fn new(values: Vec<(String, f64)>) -> Self {
        Self { numbers: values, message: None }
    }

    /// Options of any kind, for environments that are played outside of the engine.
    pub fn opaque(message: Message) -> Self {
        Self { numbers: Vec::new(), message: Some(message) }
    }

    /// What `opaque` was given.
    pub fn message(&self) -> Option<&Message> {
        self.message.as_ref()
    }

    /// All names given.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.numbers.iter().map(|(name, _)| name.as_str())
    }

    /// The value given for `name`.
    pub fn get(&self, name: &str) -> Option<f64> {
        self.numbers.iter().find(|(key, _)| key == name).map(|(_, value)| *value)
    }

    /// The value given for `name`, or else `default`.
    pub fn get_or(&self, name: &str, default: f64) -> f64 {
        self.get(name).unwrap_or(default)
    }

    /// gymnasium's `maybe_parse_reset_bounds`: `low` and `high`, or their defaults.
    ///
    /// # Errors
    /// `Value` where `low > high`.
    pub fn bounds(&self, low: f64, high: f64) -> Result<(f64, f64)> {
        let (low, high) = (self.get_or("low", low), self.get_or("high", high));
        if low > high {
            return Err(Error::Value(format!("reset options low={low:?}, high={high:?}: low must not exceed high")));
        }
        Ok((low, high))
    }
}
