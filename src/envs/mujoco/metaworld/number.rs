//! Scalars with numpy's promotion rules, for rewards that are float32 in the reference.

use std::cmp::Ordering;
use std::ops::{Add, Div, Mul, Sub};

use envpool_rs_numeric::numpy;
use serde::{Deserialize, Serialize};

/// Scalar of a reward function: a Python float, or a float of numpy.
///
/// In numpy 2, the result of a Python float and a float32 is a float32. In numpy 1 it is a float64; [`Number::single`] then
/// gives a float64.
#[derive(Debug, Clone, Copy, Serialize, Deserialize)]
pub enum Number {
    /// A Python float, which takes the type of the other operand.
    Python(f64),
    /// A `np.float64`.
    Double(f64),
    /// A `np.float32`.
    Single(f32),
}

impl Number {
    /// Creates the scalar that the reference computes from the element `value` of a float32 action.
    pub fn single(value: f32) -> Self {
        if numpy::keeps_float32() { Self::Single(value) } else { Self::Double(f64::from(value)) }
    }

    /// Returns the value as float64.
    pub fn value(self) -> f64 {
        match self {
            Self::Python(value) | Self::Double(value) => value,
            Self::Single(value) => f64::from(value),
        }
    }

    /// Returns `np.square(self)`, which is a scalar of numpy.
    #[must_use]
    pub fn square(self) -> Self {
        match self {
            Self::Python(value) | Self::Double(value) => Self::Double(value * value),
            Self::Single(value) => Self::Single(value * value),
        }
    }

    /// Returns `np.sqrt(self)`, which is a scalar of numpy.
    #[must_use]
    pub fn sqrt(self) -> Self {
        match self {
            Self::Python(value) | Self::Double(value) => Self::Double(value.sqrt()),
            Self::Single(value) => Self::Single(value.sqrt()),
        }
    }

    /// Computes a result in the type to which numpy promotes both operands.
    fn promote(self, other: Self, single: impl Fn(f32, f32) -> f32, double: impl Fn(f64, f64) -> f64) -> Self {
        match (self, other) {
            (Self::Single(first), Self::Single(second)) => Self::Single(single(first, second)),
            (Self::Single(first), Self::Python(second)) => Self::Single(single(first, second as f32)),
            (Self::Python(first), Self::Single(second)) => Self::Single(single(first as f32, second)),
            (Self::Python(first), Self::Python(second)) => Self::Python(double(first, second)),
            _ => Self::Double(double(self.value(), other.value())),
        }
    }

    /// Compares two scalars in the type to which numpy promotes both; `None` if one of them is NaN.
    fn compare(self, other: Self) -> Option<Ordering> {
        match (self, other) {
            (Self::Single(first), Self::Python(second)) => first.partial_cmp(&(second as f32)),
            (Self::Python(first), Self::Single(second)) => (first as f32).partial_cmp(&second),
            _ => self.value().partial_cmp(&other.value()),
        }
    }

    /// Returns Python's `max(self, other)`: `other` only if it is larger.
    #[must_use]
    pub fn max(self, other: impl Into<Self>) -> Self {
        let other = other.into();
        if other.compare(self) == Some(Ordering::Greater) { other } else { self }
    }

    /// Returns Python's `min(self, other)`: `other` only if it is smaller.
    #[must_use]
    pub fn min(self, other: impl Into<Self>) -> Self {
        let other = other.into();
        if other.compare(self) == Some(Ordering::Less) { other } else { self }
    }
}

impl From<f64> for Number {
    fn from(value: f64) -> Self {
        Self::Python(value)
    }
}

macro_rules! operators {
    ($($trait:ident $method:ident $operator:tt),*) => {
        $(
            impl<N: Into<Number>> $trait<N> for Number {
                type Output = Self;

                fn $method(self, other: N) -> Self {
                    self.promote(other.into(), |first, second| first $operator second, |first, second| first $operator second)
                }
            }

            impl $trait<Number> for f64 {
                type Output = Number;

                fn $method(self, other: Number) -> Number {
                    Number::Python(self).$method(other)
                }
            }
        )*
    };
}
operators!(Add add +, Sub sub -, Mul mul *, Div div /);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_of_python_floats_and_float32_are_float32() {
        let third = Number::Single(1.0 / 3.0);
        assert_eq!((third * 0.1).value(), f64::from(1.0_f32 / 3.0 * 0.1));
        assert_eq!((0.1 + third).value(), f64::from(0.1_f32 + 1.0 / 3.0));
        assert_eq!((third - Number::Double(0.1)).value(), f64::from(1.0_f32 / 3.0) - 0.1);
        assert_eq!((Number::from(0.3) / 0.1).value(), 0.3 / 0.1);
        assert!(matches!(third.max(0.5), Number::Python(_)) && matches!(third.min(0.5), Number::Single(_)));
    }
}
