//! Options that are drawn anew for each episode.

use super::{Error, OptionSpec, Result, Value};
use crate::random::RandomStream;

/// Integers beyond this are not all float64s.
const MOST: i64 = 1 << 53;

/// A distribution of an option's values, drawn from as numpy's generators do.
#[derive(Debug, Clone, PartialEq)]
pub enum Draw {
    /// `rng.uniform(low, high)`: floats from `low` to `high`.
    Uniform(f64, f64),
    /// `rng.integers(low, high)`: integers from `low` to `high - 1`.
    Integers(i64, i64),
    /// `values[rng.integers(0, len(values))]`.
    Choice(Vec<Value>),
}

impl Draw {
    /// This distribution for values of an option, converted to its kind.
    ///
    /// # Errors
    /// `Value` for bounds without anything between them, and for an option that is not drawn anew; `Type` for values of another kind.
    pub(super) fn converted(&self, spec: &OptionSpec) -> Result<Self> {
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

    /// A number that stands for the value drawn: itself, or its place in the choice.
    pub(super) fn draw(&self, random: &mut impl RandomStream) -> f64 {
        match self {
            Self::Uniform(low, high) => random.float_between(*low, *high),
            Self::Integers(low, high) => random.integer_between(*low, *high) as f64,
            Self::Choice(values) => random.integer_between(0, values.len() as i64) as f64,
        }
    }

    /// The value that such a number stands for; `None` if it is none of this distribution's.
    pub(super) fn value(&self, number: f64) -> Option<Value> {
        let integer = || Some(number as i64).filter(|integer| *integer as f64 == number);
        match self {
            Self::Uniform(low, high) => (*low <= number && number <= *high).then_some(Value::Float(number)),
            Self::Integers(low, high) => integer().filter(|integer| (*low..*high).contains(integer)).map(Value::Int),
            Self::Choice(values) => integer().and_then(|index| values.get(usize::try_from(index).ok()?)).cloned(),
        }
    }

    /// Numbers whose values an environment has to accept, so that it accepts all: bounds, and all that there is to choose from.
    pub(super) fn extremes(&self) -> Vec<f64> {
        match self {
            Self::Uniform(low, high) => vec![*low, *high],
            Self::Integers(low, high) => vec![*low as f64, (*high - 1) as f64],
            Self::Choice(values) => (0..values.len()).map(|index| index as f64).collect(),
        }
    }

    /// Whether its values are numbers with a fraction.
    pub(super) fn is_float(&self) -> bool {
        match self {
            Self::Uniform(..) => true,
            Self::Integers(..) => false,
            Self::Choice(values) => values.iter().all(|value| matches!(value, Value::Float(_))),
        }
    }

    /// What infos tell of a value drawn: the number itself, or its place where not all that there is to choose from are numbers.
    pub(super) fn told(&self, number: f64) -> f64 {
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

impl std::fmt::Display for Draw {
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn choices_that_are_not_all_numbers_are_told_by_their_places() {
        let mixed = Draw::Choice(vec![Value::Int(4), Value::Ints(vec![2, 5]), Value::Int(1)]);
        assert_eq!([0.0, 1.0, 2.0].map(|number| mixed.told(number)), [0.0, 1.0, 2.0]);
        let numbers = Draw::Choice(vec![Value::Int(4), Value::Int(1)]);
        assert_eq!([0.0, 1.0].map(|number| numbers.told(number)), [4.0, 1.0]);
    }
}
