//! Reads fields of `mjModel` by name.

use crate::fields::{at, integer};
use crate::layout::{Field, Kind};
use crate::model::Model;
use crate::model_table::{Role, entry};
use crate::native::model::Unsupported;

pub(in crate::native) fn triple(values: &[f64], index: usize) -> [f64; 3] {
    [values[3 * index], values[3 * index + 1], values[3 * index + 2]]
}

pub(in crate::native) fn quadruple(values: &[f64], index: usize) -> [f64; 4] {
    [values[4 * index], values[4 * index + 1], values[4 * index + 2], values[4 * index + 3]]
}

/// Returns the values of several reads, or the first refusal.
pub(in crate::native) fn all<T, const N: usize>(read: [Result<T, Unsupported>; N]) -> Result<[T; N], Unsupported> {
    let values = read.into_iter().collect::<Result<Vec<T>, _>>()?;
    Ok(values.try_into().unwrap_or_else(|_| unreachable!("{N} values")))
}

/// Reader of the fields of one `mjModel`, by name.
pub(in crate::native) struct Reader<'a>(pub(in crate::native) &'a Model);

impl Reader<'_> {
    /// Copies the array of `len` elements that a field of `mjModel` points to.
    fn array<T: Copy>(&self, name: &str, kind: Kind, len: usize) -> Result<Vec<T>, Unsupported> {
        let field = self.field(name, &[kind])?;
        if len == 0 {
            return Ok(Vec::new());
        }
        // SAFETY: `self.field` has checked by the layout table that the field points to elements of this type, and MuJoCo's
        // documentation gives their number. `Model` keeps the memory alive and immutable.
        Ok(unsafe { std::slice::from_raw_parts(*at::<*const T>(self.0.raw(), field), len) }.to_vec())
    }

    fn field(&self, name: &str, kinds: &[Kind]) -> Result<Field, Unsupported> {
        debug_assert!(
            entry(name).is_some_and(|fields| !matches!(fields.role, Role::Unused(_) | Role::Collision)),
            "{name} is read, and the table of fields says that it is not"
        );
        self.0.library().layout().field(&format!("mjModel.{name}"), kinds).map_err(|fault| fault.to_string())
    }

    /// Returns whether `mjModel` has the field `name` in the MuJoCo version in use.
    pub(in crate::native) fn has(&self, name: &str) -> bool {
        self.0.library().layout().any_field(&format!("mjModel.{name}")).is_some()
    }

    /// Reads `len` elements of a field of any type.
    pub(in crate::native) fn numbers(&self, name: &str, len: usize) -> Result<Vec<f64>, Unsupported> {
        let field = self.field(name, &Kind::ALL)?;
        let floats = |values: Vec<i64>| values.into_iter().map(|value| value as f64).collect();
        match field.kind {
            Kind::Float64s => self.floats(name, len),
            Kind::Float32s => self.singles(name, len),
            Kind::Int32s => self.integers(name, len).map(floats),
            Kind::Bytes => Ok(self.bytes(name, len)?.into_iter().map(f64::from).collect()),
            Kind::Float64 => (0..len).map(|index| self.float(name, index)).collect(),
            // SAFETY: `self.field` has found that the field is a byte of `mjModel`.
            Kind::Byte => Ok(vec![f64::from(unsafe { *at::<u8>(self.0.raw(), field) })]),
            Kind::Int32 | Kind::Int64 => Ok(vec![self.integer(name)? as f64]),
            Kind::Float32 => Err(format!("{name} is a single float32")),
        }
    }

    pub(in crate::native) fn floats(&self, name: &str, len: usize) -> Result<Vec<f64>, Unsupported> {
        self.array(name, Kind::Float64s, len)
    }

    /// Reads an array of 4-byte floats.
    pub(in crate::native) fn singles(&self, name: &str, len: usize) -> Result<Vec<f64>, Unsupported> {
        Ok(self.array::<f32>(name, Kind::Float32s, len)?.into_iter().map(f64::from).collect())
    }

    pub(in crate::native) fn integers(&self, name: &str, len: usize) -> Result<Vec<i64>, Unsupported> {
        Ok(self.array::<i32>(name, Kind::Int32s, len)?.into_iter().map(i64::from).collect())
    }

    /// Reads an array of indices. Negative indices, which mean `none` in MuJoCo, become 0.
    pub(in crate::native) fn indices(&self, name: &str, len: usize) -> Result<Vec<usize>, Unsupported> {
        Ok(self.array::<i32>(name, Kind::Int32s, len)?.into_iter().map(|index| index.max(0) as usize).collect())
    }

    pub(in crate::native) fn bytes(&self, name: &str, len: usize) -> Result<Vec<u8>, Unsupported> {
        self.array(name, Kind::Bytes, len)
    }

    /// Reads a size of the model, such as `nbody`. A negative number, which MuJoCo treats like 0, becomes 0.
    pub(in crate::native) fn size(&self, name: &str) -> Result<usize, Unsupported> {
        Ok(self.integer(name)?.max(0) as usize)
    }

    pub(in crate::native) fn integer(&self, name: &str) -> Result<i64, Unsupported> {
        let field = self.field(name, &[Kind::Int32, Kind::Int64])?;
        // SAFETY: `self.field` has checked that the field is an integer field of `mjModel`.
        Ok(unsafe { integer(self.0.raw(), field) })
    }

    /// Reads one element of a float64 field that is stored in the struct `mjModel` itself, not behind a pointer.
    pub(in crate::native) fn float(&self, name: &str, index: usize) -> Result<f64, Unsupported> {
        let field = self.field(name, &[Kind::Float64])?;
        assert!(index < field.count, "{name} has {} numbers", field.count);
        // SAFETY: the field of `mjModel` has `field.count` float64 elements, and `index` is less than `field.count`, as
        // asserted above.
        Ok(unsafe { *at::<f64>(self.0.raw(), field).add(index) })
    }

    pub(in crate::native) fn vector(&self, name: &str) -> Result<[f64; 3], Unsupported> {
        Ok([self.float(name, 0)?, self.float(name, 1)?, self.float(name, 2)?])
    }
}
