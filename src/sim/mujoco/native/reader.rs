//! Reads fields of `mjModel` by name.

use super::super::fields::{at, integer};
use super::super::layout::Kind;
use super::super::model::Model;
use super::tables::Unsupported;

pub(super) fn triple(values: &[f64], index: usize) -> [f64; 3] {
    [values[3 * index], values[3 * index + 1], values[3 * index + 2]]
}

pub(super) fn quadruple(values: &[f64], index: usize) -> [f64; 4] {
    [values[4 * index], values[4 * index + 1], values[4 * index + 2], values[4 * index + 3]]
}

/// Reader of the fields of one `mjModel`, by name.
pub(super) struct Reader<'a>(pub(super) &'a Model);

impl Reader<'_> {
    /// Copies the array of `len` elements that a field of `mjModel` points to.
    ///
    /// # Errors
    /// Returns the reason if the field is missing or has another type.
    fn array<T: Copy>(&self, name: &str, kind: Kind, len: usize) -> Result<Vec<T>, Unsupported> {
        let field = self.field(name, &[kind])?;
        if len == 0 {
            return Ok(Vec::new());
        }
        // SAFETY: `self.field` has checked by the layout table that the field points to elements of this type, and MuJoCo's
        // documentation gives their number. `Model` keeps the memory alive and immutable.
        Ok(unsafe { std::slice::from_raw_parts(*at::<*const T>(self.0.raw(), field), len) }.to_vec())
    }

    fn field(&self, name: &str, kinds: &[Kind]) -> Result<super::super::layout::Field, Unsupported> {
        self.0.library().layout().field(&format!("mjModel.{name}"), kinds).map_err(|fault| fault.to_string())
    }

    /// Returns whether `mjModel` has the field `name` in the MuJoCo version in use.
    pub(super) fn has(&self, name: &str, kind: Kind) -> bool {
        self.field(name, &[kind]).is_ok()
    }

    pub(super) fn floats(&self, name: &str, len: usize) -> Result<Vec<f64>, Unsupported> {
        self.array(name, Kind::Float64s, len)
    }

    /// Reads an array of 4-byte floats.
    pub(super) fn singles(&self, name: &str, len: usize) -> Result<Vec<f64>, Unsupported> {
        Ok(self.array::<f32>(name, Kind::Float32s, len)?.into_iter().map(f64::from).collect())
    }

    pub(super) fn integers(&self, name: &str, len: usize) -> Result<Vec<i64>, Unsupported> {
        Ok(self.array::<i32>(name, Kind::Int32s, len)?.into_iter().map(i64::from).collect())
    }

    /// Reads an array of indices. Negative indices, which mean `none` in MuJoCo, become 0.
    pub(super) fn indices(&self, name: &str, len: usize) -> Result<Vec<usize>, Unsupported> {
        Ok(self.array::<i32>(name, Kind::Int32s, len)?.into_iter().map(|index| index.max(0) as usize).collect())
    }

    pub(super) fn bytes(&self, name: &str, len: usize) -> Result<Vec<u8>, Unsupported> {
        self.array(name, Kind::Bytes, len)
    }

    /// Reads a size of the model, such as `nbody`.
    pub(super) fn size(&self, name: &str) -> Result<usize, Unsupported> {
        Ok(self.integer(name)? as usize)
    }

    pub(super) fn integer(&self, name: &str) -> Result<i64, Unsupported> {
        let field = self.field(name, &[Kind::Int32, Kind::Int64])?;
        // SAFETY: `self.field` has checked that the field is an integer field of `mjModel`.
        Ok(unsafe { integer(self.0.raw(), field) })
    }

    /// Reads one element of a float64 field that is stored in the struct `mjModel` itself, not behind a pointer.
    pub(super) fn float(&self, name: &str, index: usize) -> Result<f64, Unsupported> {
        let field = self.field(name, &[Kind::Float64])?;
        assert!(index < field.count, "{name} has {} numbers", field.count);
        // SAFETY: the field of `mjModel` has `field.count` float64 elements, and `index` is less than `field.count`, as
        // asserted above.
        Ok(unsafe { *at::<f64>(self.0.raw(), field).add(index) })
    }

    pub(super) fn vector(&self, name: &str) -> Result<[f64; 3], Unsupported> {
        Ok([self.float(name, 0)?, self.float(name, 1)?, self.float(name, 2)?])
    }
}

/// Value of MuJoCo's enumerator `mjtDisableBit.mjDSBL_CONSTRAINT`.
pub(super) const MJDSBL_CONSTRAINT: i64 = 1;
/// Value of MuJoCo's enumerator `mjtDisableBit.mjDSBL_LIMIT`.
pub(super) const MJDSBL_LIMIT: i64 = 1 << 3;
/// Value of MuJoCo's enumerator `mjtDisableBit.mjDSBL_CONTACT`.
pub(super) const MJDSBL_CONTACT: i64 = 1 << 4;
/// Value of MuJoCo's enumerator `mjtDisableBit.mjDSBL_GRAVITY`.
pub(super) const MJDSBL_GRAVITY: i64 = 1 << 7;
