//! Checks action arrays against the action space and converts them to the engine's types.

use crate::contract::error::{Error, Result};
use crate::contract::row::ActionColumn;
use crate::contract::space::{Dtype, Leaf, Space};
use crate::contract::spec::EnvSpec;

/// Name, shape and range of one action array that a pool expects.
#[derive(Debug, Clone, PartialEq)]
pub struct ActionKey {
    /// Name of the array: `action`, or the key in the action space's `Dict`.
    pub name: String,
    /// Shape of one row of the array.
    pub shape: Vec<usize>,
    /// Rows of the array for each environment: 1, or the environment's number of players.
    pub rows: usize,
    /// For discrete actions: the smallest value, and the number of values. `None` for continuous actions.
    pub discrete: Option<(i64, i64)>,
    /// For `MultiDiscrete` spaces whose elements differ: the number of values of each element. Otherwise empty.
    pub counts: Vec<i64>,
    /// Whether continuous actions are encoded as float64 instead of float32.
    pub is_f64: bool,
    /// Encoding in which the pool passes the actions to the environment.
    pub encoding: ActionEncoding,
    /// Text appended to the error message of an invalid action; may be empty.
    pub hint: &'static str,
}

/// Encoding of the actions that the pool passes to the environment.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum ActionEncoding {
    /// Numbers that the engine checks against the action space: int32 for discrete actions, float32 or float64 for continuous
    /// ones.
    #[default]
    Numbers,
    /// Raw elements of this number of bytes each. The engine does not validate them; the caller must.
    Raw(usize),
    /// One opaque payload for each environment. A payload can hold an action of any structure.
    Payloads,
}

impl ActionKey {
    /// Returns the action arrays that an environment with this spec expects.
    pub fn from_spec(spec: &EnvSpec) -> Vec<Self> {
        let doubles = |space: &Space| matches!(space, Space::Box { dtype: Dtype::F64, .. });
        let envpool = spec.envpool_action.as_ref().map_or_else(Vec::new, |space| space.leaves());
        let key = |(index, leaf): (usize, Leaf<'_>)| Self {
            // Actions are float64 if either gymnasium or EnvPool uses float64.
            is_f64: doubles(leaf.space) || envpool.get(index).is_some_and(|leaf| doubles(leaf.space)),
            counts: match leaf.space {
                Space::MultiDiscrete { counts, .. } => counts.clone(),
                _ => Vec::new(),
            },
            name: if leaf.path.is_empty() { "action".to_owned() } else { leaf.path },
            shape: leaf.space.shape().to_vec(),
            rows: spec.rows(),
            discrete: match leaf.space {
                Space::Discrete { n, start, .. } => Some((*start, *n)),
                Space::MultiBinary { .. } => Some((0, 2)),
                Space::MultiDiscrete { counts, .. } => Some((0, counts.iter().copied().max().unwrap_or(1))),
                _ => None,
            },
            encoding: ActionEncoding::Numbers,
            hint: spec.action_hint,
        };
        spec.action.leaves().into_iter().enumerate().map(key).collect()
    }

    /// Returns the number of values in one environment's row: scalars, bytes of raw elements, or 1 for a payload.
    pub fn values_per_row(&self) -> usize {
        let scalars = self.rows * self.shape.iter().product::<usize>();
        match self.encoding {
            ActionEncoding::Numbers => scalars,
            ActionEncoding::Raw(bytes) => scalars * bytes,
            ActionEncoding::Payloads => 1,
        }
    }

    /// Returns an empty column of the type in which the engine passes this key's actions.
    pub fn column(&self) -> ActionColumn {
        match (self.encoding, self.discrete) {
            (ActionEncoding::Numbers, Some(_)) => ActionColumn::I32(Vec::new()),
            (ActionEncoding::Numbers, None) if self.is_f64 => ActionColumn::F64(Vec::new()),
            (ActionEncoding::Numbers, None) => ActionColumn::F32(Vec::new()),
            (ActionEncoding::Raw(_), _) => ActionColumn::Raw(Vec::new()),
            (ActionEncoding::Payloads, _) => ActionColumn::Payloads { bytes: Vec::new(), ends: Vec::new() },
        }
    }

    #[cold]
    fn refuse(&self, index: usize, value: impl std::fmt::Display) -> Error {
        let row = index / self.shape.iter().product::<usize>().max(1);
        let expected = match self.discrete {
            Some((start, n)) => {
                let n = if self.counts.is_empty() { n } else { self.counts[index % self.counts.len()] };
                format!("an integer from {start} to {}", start + n - 1)
            }
            None if self.is_f64 => "a finite number".to_owned(),
            None => "a finite number that fits float32".to_owned(),
        };
        Error::Value(format!("{}[{row}] is {value}: expected {expected}{}", self.name, self.hint))
    }
}

/// Scalar type of user-supplied action arrays.
pub trait ActionScalar: Copy + std::fmt::Display {
    /// Returns the value as an integer, or `None` if it is not integral or does not fit int64.
    fn to_integer(self) -> Option<i64>;
    /// Returns the value as float32, rounded.
    fn to_f32(self) -> f32;
    /// Returns the value as float64.
    fn to_f64(self) -> f64;
}

macro_rules! action_scalar {
    ($($type:ty),*) => {$(
        impl ActionScalar for $type {
            #[inline(always)]
            fn to_integer(self) -> Option<i64> {
                i64::try_from(self).ok()
            }
            #[inline(always)]
            fn to_f32(self) -> f32 {
                self as f32
            }
            #[inline(always)]
            fn to_f64(self) -> f64 {
                self as f64
            }
        }
    )*};
}
action_scalar!(i8, i16, i32, i64, u8, u16, u32, u64);

macro_rules! action_float {
    ($($type:ty),*) => {$(
        impl ActionScalar for $type {
            #[inline(always)]
            fn to_integer(self) -> Option<i64> {
                let integer = self as i64; // `as` saturates, and converts NaN to 0
                (integer as $type == self && (self as f64) < 9.0e18).then_some(integer)
            }
            #[inline(always)]
            fn to_f32(self) -> f32 {
                self as f32
            }
            #[inline(always)]
            fn to_f64(self) -> f64 {
                self as f64
            }
        }
    )*};
}
action_float!(f32, f64);

impl ActionColumn {
    /// Replaces the content of the column by `values`. On error, the column is left empty.
    ///
    /// # Errors
    /// `Value` if a value is out of range, not integral (discrete) or not finite (continuous); the message names the first such
    /// row. `Type` if the column holds raw elements or payloads.
    pub fn fill<T: ActionScalar>(&mut self, key: &ActionKey, values: &[T]) -> Result<()> {
        let filled = match self {
            Self::I32(column) => fill_discrete(column, key, values),
            Self::F32(column) => fill_continuous(column, key, values, T::to_f32, |value| value.is_finite()),
            Self::F64(column) => fill_continuous(column, key, values, T::to_f64, |value| value.is_finite()),
            Self::Raw(_) | Self::Payloads { .. } => Err(Error::Type(format!("{}: expected bytes, not numbers", key.name))),
        };
        if filled.is_err() {
            self.clear(); // a rejected action must never be executed
        }
        filled
    }
}

#[inline]
fn fill_discrete<T: ActionScalar>(column: &mut Vec<i32>, key: &ActionKey, values: &[T]) -> Result<()> {
    let (start, n) = key.discrete.expect("a discrete column belongs to a discrete key");
    column.clear();
    let mut good = true;
    column.extend(values.iter().map(|value| {
        let integer = value.to_integer().unwrap_or(i64::MIN);
        good &= (integer.wrapping_sub(start) as u64) < n as u64;
        integer as i32
    }));
    if good && key.counts.is_empty() {
        return Ok(());
    }
    if good {
        return check_counts(column, key);
    }
    let bad = |value: T| value.to_integer().is_none_or(|integer| !(start..start + n).contains(&integer));
    Err(refuse_first(key, values, bad))
}

/// Rejects values of a `MultiDiscrete` space that are not below the number of values of their element.
fn check_counts(column: &[i32], key: &ActionKey) -> Result<()> {
    let counts = key.counts.iter().cycle();
    match column.iter().zip(counts).position(|(value, count)| i64::from(*value) >= *count) {
        None => Ok(()),
        Some(index) => Err(key.refuse(index, column[index])),
    }
}

#[inline]
fn fill_continuous<T: ActionScalar, F: Copy>(
    column: &mut Vec<F>,
    key: &ActionKey,
    values: &[T],
    convert: impl Fn(T) -> F,
    is_finite: impl Fn(F) -> bool,
) -> Result<()> {
    column.clear();
    let mut good = true;
    column.extend(values.iter().map(|value| {
        let converted = convert(*value);
        good &= is_finite(converted);
        converted
    }));
    if good {
        return Ok(());
    }
    Err(refuse_first(key, values, |value| !is_finite(convert(value))))
}

/// Returns the error for the first invalid value. Each value is read once, because another thread may write to the array.
#[cold]
fn refuse_first<T: ActionScalar>(key: &ActionKey, values: &[T], bad: impl Fn(T) -> bool) -> Error {
    match values.iter().copied().enumerate().find(|(_, value)| bad(*value)) {
        Some((index, value)) => key.refuse(index, value),
        None => Error::Value(format!("{} changed during the call: expected an array that no other thread writes to", key.name)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn key(space: Space) -> ActionKey {
        ActionKey::from_spec(&EnvSpec::new(Space::discrete(2), space)).remove(0)
    }

    fn fill<T: ActionScalar>(key: &ActionKey, values: &[T]) -> Result<ActionColumn> {
        let mut column = key.column();
        column.fill(key, values).map(|()| column)
    }

    #[test]
    fn integral_floats_are_discrete_actions_and_fractions_are_not() {
        let key = key(Space::discrete(3));
        assert_eq!(fill(&key, &[0.0, 2.0]), Ok(ActionColumn::I32(vec![0, 2])));
        for bad in [0.5, -1.0, 3.0, f64::NAN, f64::INFINITY, 1e300, -1e300, 9.3e18] {
            let error = fill(&key, &[0.0, bad]).unwrap_err().to_string();
            assert!(error.starts_with("action[1] is ") && error.ends_with("expected an integer from 0 to 2"), "{error}");
        }
    }

    /// Test value that reads as another number each time, as if another thread overwrote the caller's action array.
    #[derive(Clone, Copy)]
    struct Changing<'a>(&'a std::cell::Cell<bool>);

    impl std::fmt::Display for Changing<'_> {
        fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
            formatter.write_str("changing")
        }
    }

    impl ActionScalar for Changing<'_> {
        fn to_integer(self) -> Option<i64> {
            if self.0.replace(true) { Some(0) } else { None }
        }
        fn to_f32(self) -> f32 {
            if self.0.replace(true) { 0.0 } else { f32::NAN }
        }
        fn to_f64(self) -> f64 {
            f64::from(self.to_f32())
        }
    }

    #[test]
    fn an_array_that_changes_between_two_scans_is_refused() {
        for space in
            [Space::discrete(3), Space::uniform(-1.0, 1.0, &[1], Dtype::F32), Space::uniform(-1.0, 1.0, &[1], Dtype::F64)]
        {
            let looked = std::cell::Cell::new(false);
            let error = fill(&key(space), &[Changing(&looked)]).unwrap_err().to_string();
            assert!(error.starts_with("action changed during the call"), "{error}");
        }
    }

    #[test]
    fn huge_unsigned_actions_do_not_wrap_into_range() {
        assert!(fill(&key(Space::discrete(3)), &[u64::MAX, 1 << 63]).is_err());
        assert!(fill(&key(Space::discrete(3)), &[1u64 << 32]).is_err());
    }

    #[test]
    fn continuous_actions_are_rounded_and_must_fit_float32() {
        let key = key(Space::uniform(-1.0, 1.0, &[2], Dtype::F32));
        assert_eq!(fill(&key, &[0.1, 7.0]), Ok(ActionColumn::F32(vec![0.1, 7.0])));
        assert_eq!(fill(&key, &[3u8, 4]), Ok(ActionColumn::F32(vec![3.0, 4.0])));
        for bad in [f64::NAN, f64::NEG_INFINITY, 1e39] {
            assert!(fill(&key, &[0.0, 0.0, 0.0, bad]).unwrap_err().to_string().starts_with("action[1] is "));
        }
    }

    #[test]
    fn double_precision_actions_keep_their_precision_in_both_dialects() {
        let double = Space::uniform(-1.0, 1.0, &[1], Dtype::F64);
        let mut spec = EnvSpec::new(Space::discrete(2), Space::uniform(-1.0, 1.0, &[1], Dtype::F32));
        spec.envpool_action = Some(double.clone());
        for key in [key(double), ActionKey::from_spec(&spec).remove(0)] {
            assert_eq!(fill(&key, &[0.1]), Ok(ActionColumn::F64(vec![0.1])));
            assert_eq!(fill(&key, &[0.1_f32]), Ok(ActionColumn::F64(vec![f64::from(0.1_f32)])));
            assert_eq!(fill(&key, &[1e39]), Ok(ActionColumn::F64(vec![1e39])));
            let error = fill(&key, &[0.0, f64::NAN]).unwrap_err().to_string();
            assert_eq!(error, "action[1] is NaN: expected a finite number");
        }
    }

    #[test]
    fn each_element_of_multi_discrete_and_multi_binary_actions_has_bounds() {
        let several = key(Space::multi_discrete(&[2, 5]));
        assert_eq!((several.shape.clone(), fill(&several, &[1, 4, 0, 0])), (vec![2], Ok(ActionColumn::I32(vec![1, 4, 0, 0]))));
        let error = fill(&several, &[0, 0, 2, 4]).unwrap_err().to_string();
        assert_eq!(error, "action[1] is 2: expected an integer from 0 to 1");
        let error = fill(&several, &[0, 5]).unwrap_err().to_string();
        assert_eq!(error, "action[0] is 5: expected an integer from 0 to 4");
        let flags = key(Space::multi_binary(3));
        assert_eq!(fill(&flags, &[1_i8, 0, 1]), Ok(ActionColumn::I32(vec![1, 0, 1])));
        assert_eq!(fill(&flags, &[1, 0, 2]).unwrap_err().to_string(), "action[0] is 2: expected an integer from 0 to 1");
    }

    proptest! {
        #[test]
        fn exactly_the_values_of_the_space_are_accepted(start in -5i64..5, n in 1i64..10, value in -20i64..20) {
            let key = key(Space::Discrete { n, start, dtype: Dtype::I64 });
            let inside = (start..start + n).contains(&value);
            prop_assert_eq!(fill(&key, &[value]).is_ok(), inside);
            prop_assert_eq!(fill(&key, &[value as f32]).is_ok(), inside);
            prop_assert_eq!(fill(&key, &[value as i8]).is_ok(), inside);
        }
    }
}
