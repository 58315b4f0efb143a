//! A model's fields by name.

use super::super::fields::{at, integer};
use super::super::layout::Kind;
use super::super::model::Model;
use super::tables::Refusal;

pub(super) fn triple(values: &[f64], index: usize) -> [f64; 3] {
    [values[3 * index], values[3 * index + 1], values[3 * index + 2]]
}

pub(super) fn quadruple(values: &[f64], index: usize) -> [f64; 4] {
    [values[4 * index], values[4 * index + 1], values[4 * index + 2], values[4 * index + 3]]
}

/// A model's fields by name.
pub(super) struct Reader<'a>(pub(super) &'a Model);

impl Reader<'_> {
    /// The address of an array, which may be of no length.
    fn array<T: Copy>(&self, name: &str, kind: Kind, len: usize) -> Result<Vec<T>, Refusal> {
        let field = self.field(name, &[kind])?;
        if len == 0 {
            return Ok(Vec::new());
        }
        // SAFETY: the library's own description says that the field is the address of numbers of this kind, and its documentation how
        // many there are; the model lives and does not change.
        Ok(unsafe { std::slice::from_raw_parts(*at::<*const T>(self.0.raw(), field), len) }.to_vec())
    }

    fn field(&self, name: &str, kinds: &[Kind]) -> Result<super::super::layout::Field, Refusal> {
        self.0.library().layout().field(&format!("mjModel.{name}"), kinds).map_err(|fault| fault.to_string())
    }

    /// Whether the library's version has such a field.
    pub(super) fn has(&self, name: &str, kind: Kind) -> bool {
        self.field(name, &[kind]).is_ok()
    }

    pub(super) fn floats(&self, name: &str, len: usize) -> Result<Vec<f64>, Refusal> {
        self.array(name, Kind::Float64s, len)
    }

    pub(super) fn integers(&self, name: &str, len: usize) -> Result<Vec<i64>, Refusal> {
        Ok(self.array::<i32>(name, Kind::Int32s, len)?.into_iter().map(i64::from).collect())
    }

    /// Integers that number something.
    pub(super) fn indices(&self, name: &str, len: usize) -> Result<Vec<usize>, Refusal> {
        Ok(self.array::<i32>(name, Kind::Int32s, len)?.into_iter().map(|index| index.max(0) as usize).collect())
    }

    pub(super) fn bytes(&self, name: &str, len: usize) -> Result<Vec<u8>, Refusal> {
        self.array(name, Kind::Bytes, len)
    }

    /// A number of things.
    pub(super) fn size(&self, name: &str) -> Result<usize, Refusal> {
        Ok(self.integer(name)? as usize)
    }

    pub(super) fn integer(&self, name: &str) -> Result<i64, Refusal> {
        let field = self.field(name, &[Kind::Int32, Kind::Int64])?;
        // SAFETY: the field is an integer of the model.
        Ok(unsafe { integer(self.0.raw(), field) })
    }

    /// One of the floats that lie in the model itself.
    pub(super) fn float(&self, name: &str, index: usize) -> Result<f64, Refusal> {
        let field = self.field(name, &[Kind::Float64])?;
        assert!(index < field.count, "{name} has {} numbers", field.count);
        // SAFETY: the field is so many floats of the model.
        Ok(unsafe { *at::<f64>(self.0.raw(), field).add(index) })
    }

    pub(super) fn vector(&self, name: &str) -> Result<[f64; 3], Refusal> {
        Ok([self.float(name, 0)?, self.float(name, 1)?, self.float(name, 2)?])
    }
}
