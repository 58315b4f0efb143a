//! Values of options, and distributions from which they are drawn for each episode.

use envpool_rs_numeric::random::RandomStream;
use serde::{Deserialize, Serialize};

/// Value of an option.
#[derive(Debug, Clone, PartialEq)]
pub enum Value {
    /// No value (`None` in Python).
    None,
    /// `bool`.
    Bool(bool),
    /// `int`.
    Int(i64),
    /// Integer outside of the range of int64, accepted only for `float` options.
    Big(i128),
    /// `float`; options of this type also accept an `int`.
    Float(f64),
    /// `str`.
    Text(String),
    /// List of strings, such as the rows of a map, or `None`.
    Lines(Vec<String>),
    /// A list of numbers.
    Floats(Vec<f64>),
    /// A list of integers, such as a pair or a size.
    Ints(Vec<i64>),
    /// Numbers or lists of numbers by name (a `dict` in Python).
    Table(Vec<(String, Vec<f64>)>),
    /// A value that is drawn for each episode.
    Distribution(Distribution),
}

impl Value {
    /// Returns Python's name of the value's type.
    pub const fn kind(&self) -> &'static str {
        match self {
            Self::None => "None",
            Self::Bool(_) => "bool",
            Self::Int(_) | Self::Big(_) => "int",
            Self::Float(_) => "float",
            Self::Text(_) => "str",
            Self::Lines(_) => "list of str",
            Self::Floats(_) => "list of float",
            Self::Ints(_) => "list of int",
            Self::Table(_) => "dict of numbers",
            Self::Distribution(_) => "distribution",
        }
    }
}

impl Value {
    /// Returns the floats of a list or table option; empty for other values.
    pub(crate) fn numbers(&self) -> &[f64] {
        match self {
            Self::Float(number) => std::slice::from_ref(number),
            Self::Floats(numbers) => numbers,
            _ => &[],
        }
    }
}

impl std::fmt::Display for Value {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::None => write!(f, "None"),
            Self::Bool(value) => write!(f, "{}", if *value { "True" } else { "False" }),
            Self::Int(value) => write!(f, "{value}"),
            Self::Big(value) => write!(f, "{value}"),
            Self::Float(value) => write!(f, "{value:?}"),
            Self::Text(value) => write!(f, "{value:?}"),
            Self::Lines(value) => write!(f, "{value:?}"),
            Self::Floats(value) => write!(f, "{value:?}"),
            Self::Ints(value) => write!(f, "{value:?}"),
            Self::Table(entries) => {
                let numbers = |numbers: &[f64]| match numbers {
                    [number] => format!("{number:?}"),
                    _ => format!("{numbers:?}"),
                };
                let entries: Vec<_> = entries.iter().map(|(name, values)| format!("{name:?}: {}", numbers(values))).collect();
                write!(f, "{{{}}}", entries.join(", "))
            }
            Self::Distribution(draw) => write!(f, "{draw}"),
        }
    }
}

macro_rules! value_from {
    ($($from:ty => $variant:ident),*) => {$(
        impl From<$from> for Value {
            fn from(value: $from) -> Self {
                Self::$variant(value.into())
            }
        }
    )*};
}
value_from!(bool => Bool, i64 => Int, f64 => Float, &str => Text, String => Text, Vec<String> => Lines, Vec<f64> => Floats, Vec<i64> => Ints);

/// Distribution of an option's values, sampled by numpy's algorithms.
#[derive(Debug, Clone, PartialEq)]
pub enum Distribution {
    /// `rng.uniform(low, high)`: floats from `low` to `high`.
    Uniform(f64, f64),
    /// `rng.integers(low, high)`: integers from `low` to `high - 1`.
    Integers(i64, i64),
    /// One of the listed values, each with equal probability: `values[rng.integers(0, len(values))]`.
    Choice(Vec<Value>),
}

impl Distribution {
    /// Draws a number that represents an option value: the value itself, or its index in the list of choices.
    pub(crate) fn draw(&self, random: &mut impl RandomStream) -> f64 {
        match self {
            Self::Uniform(low, high) => random.float_between(*low, *high),
            Self::Integers(low, high) => random.integer_between(*low, *high) as f64,
            Self::Choice(values) => random.integer_between(0, values.len() as i64) as f64,
        }
    }

    /// Returns the option value that a drawn number represents; `None` if the distribution cannot produce the number.
    pub(crate) fn value(&self, number: f64) -> Option<Value> {
        let integer = || Some(number as i64).filter(|integer| *integer as f64 == number);
        match self {
            Self::Uniform(low, high) => (*low <= number && number <= *high).then_some(Value::Float(number)),
            Self::Integers(low, high) => integer().filter(|integer| (*low..*high).contains(integer)).map(Value::Int),
            Self::Choice(values) => integer().and_then(|index| values.get(usize::try_from(index).ok()?)).cloned(),
        }
    }

    /// Returns the extreme numbers that can be drawn: the bounds, or all choices. If the option accepts these, it accepts all
    /// draws.
    pub(crate) fn extremes(&self) -> Vec<f64> {
        match self {
            Self::Uniform(low, high) => vec![*low, *high],
            Self::Integers(low, high) => vec![*low as f64, (*high - 1) as f64],
            Self::Choice(values) => (0..values.len()).map(|index| index as f64).collect(),
        }
    }

    /// Returns whether every value of the distribution is a float.
    pub(crate) fn is_float(&self) -> bool {
        match self {
            Self::Uniform(..) => true,
            Self::Integers(..) => false,
            Self::Choice(values) => values.iter().all(|value| matches!(value, Value::Float(_))),
        }
    }

    /// Returns the number that infos report for a drawn value: the value, or its index if some choices are not numeric.
    pub(crate) fn info_value(&self, number: f64) -> f64 {
        let is_number = |value: &Value| matches!(value, Value::Float(_) | Value::Int(_) | Value::Bool(_));
        if matches!(self, Self::Choice(values) if !values.iter().all(is_number)) {
            return number;
        }
        match self.value(number) {
            Some(Value::Float(value)) => value,
            Some(Value::Int(value)) => value as f64,
            Some(Value::Bool(value)) => f64::from(u8::from(value)),
            _ => number,
        }
    }
}

impl std::fmt::Display for Distribution {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Uniform(low, high) => write!(f, "(\"uniform\", {low:?}, {high:?})"),
            Self::Integers(low, high) => write!(f, "(\"integers\", {low}, {high})"),
            Self::Choice(values) => {
                let values: Vec<_> = values.iter().map(Value::to_string).collect();
                write!(f, "(\"choice\", {})", values.join(", "))
            }
        }
    }
}

/// Value of an option in snapshots and messages. Its depth is limited, so that damaged bytes cannot exhaust the stack.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub enum SavedValue {
    /// A value that is not drawn.
    Plain(PlainValue),
    /// See [`Distribution::Uniform`].
    Uniform(f64, f64),
    /// See [`Distribution::Integers`].
    Integers(i64, i64),
    /// See [`Distribution::Choice`].
    Choice(Vec<PlainValue>),
}

/// A [`SavedValue`] that is not drawn.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub enum PlainValue {
    None,
    Bool(bool),
    Int(i64),
    Float(f64),
    Text(String),
    Lines(Vec<String>),
    Floats(Vec<f64>),
    Ints(Vec<i64>),
    Table(Vec<(String, Vec<f64>)>),
}

impl From<&Value> for PlainValue {
    fn from(value: &Value) -> Self {
        match value {
            Value::None | Value::Distribution(_) => Self::None, // a choice contains no distributions
            Value::Bool(value) => Self::Bool(*value),
            Value::Int(value) => Self::Int(*value),
            Value::Big(value) => Self::Float(*value as f64),
            Value::Float(value) => Self::Float(*value),
            Value::Text(value) => Self::Text(value.clone()),
            Value::Lines(value) => Self::Lines(value.clone()),
            Value::Floats(value) => Self::Floats(value.clone()),
            Value::Ints(value) => Self::Ints(value.clone()),
            Value::Table(value) => Self::Table(value.clone()),
        }
    }
}

impl From<PlainValue> for Value {
    fn from(value: PlainValue) -> Self {
        match value {
            PlainValue::None => Self::None,
            PlainValue::Bool(value) => Self::Bool(value),
            PlainValue::Int(value) => Self::Int(value),
            PlainValue::Float(value) => Self::Float(value),
            PlainValue::Text(value) => Self::Text(value),
            PlainValue::Lines(value) => Self::Lines(value),
            PlainValue::Floats(value) => Self::Floats(value),
            PlainValue::Ints(value) => Self::Ints(value),
            PlainValue::Table(value) => Self::Table(value),
        }
    }
}

impl From<&Value> for SavedValue {
    fn from(value: &Value) -> Self {
        match value {
            Value::Distribution(Distribution::Uniform(low, high)) => Self::Uniform(*low, *high),
            Value::Distribution(Distribution::Integers(low, high)) => Self::Integers(*low, *high),
            Value::Distribution(Distribution::Choice(values)) => Self::Choice(values.iter().map(PlainValue::from).collect()),
            value => Self::Plain(value.into()),
        }
    }
}

impl From<SavedValue> for Value {
    fn from(value: SavedValue) -> Self {
        match value {
            SavedValue::Plain(value) => value.into(),
            SavedValue::Uniform(low, high) => Self::Distribution(Distribution::Uniform(low, high)),
            SavedValue::Integers(low, high) => Self::Distribution(Distribution::Integers(low, high)),
            SavedValue::Choice(values) => Self::Distribution(Distribution::Choice(values.into_iter().map(Value::from).collect())),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn choices_that_are_not_all_numbers_are_reported_by_index() {
        let mixed = Distribution::Choice(vec![Value::Int(4), Value::Ints(vec![2, 5]), Value::Int(1)]);
        assert_eq!([0.0, 1.0, 2.0].map(|number| mixed.info_value(number)), [0.0, 1.0, 2.0]);
        let numbers = Distribution::Choice(vec![Value::Int(4), Value::Int(1)]);
        assert_eq!([0.0, 1.0].map(|number| numbers.info_value(number)), [4.0, 1.0]);
    }
}
