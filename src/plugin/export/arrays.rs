//! Describes the spaces and infos of an environment as arrays of the C interface.

use std::ffi::CString;

use envpool_rs_engine::{Dtype, EnvSpec, InfoSpec, InfoTiming, Leaf, LeafTarget, Result, Space};

use super::guard::unsupported;
use crate::abi;

/// Descriptions of an environment's arrays, and the memory that they point at.
#[derive(Default)]
pub struct Arrays {
    /// Descriptions of the observation space's leaves.
    pub observation: Vec<abi::Array>,
    /// Descriptions of the action space's leaves.
    pub action: Vec<abi::Array>,
    /// Descriptions of the infos' arrays.
    pub info: Vec<abi::Array>,
    texts: Vec<CString>,
    shapes: Vec<Vec<u64>>,
    bounds: Vec<Vec<f64>>,
    counts: Vec<Vec<i64>>,
}

// SAFETY: the pointers lead to memory that this `Arrays` owns and never changes.
unsafe impl Send for Arrays {}
// SAFETY: the pointers lead to memory that this `Arrays` owns and never changes.
unsafe impl Sync for Arrays {}

impl Arrays {
    /// Describes the spaces and infos of `spec`.
    ///
    /// # Errors
    /// `State`, naming a property for which the interface has no field.
    pub fn new(spec: &EnvSpec) -> Result<Self> {
        refuse_envpool_properties(spec)?;
        let mut arrays = Self::default();
        arrays.observation = arrays.leaves("observation", &spec.observation)?;
        arrays.action = arrays.leaves("action", &spec.action)?;
        arrays.info = spec.info.iter().map(|info| arrays.info(info)).collect::<Result<_>>()?;
        Ok(arrays)
    }

    fn leaves(&mut self, role: &str, space: &Space) -> Result<Vec<abi::Array>> {
        refuse_composites(role, space)?;
        space.leaves().iter().map(|leaf| self.leaf(role, leaf)).collect()
    }

    fn leaf(&mut self, role: &str, Leaf { path, space }: &Leaf<'_>) -> Result<abi::Array> {
        let subject = if path.is_empty() { role.to_owned() } else { format!("{role} {path:?}") };
        let mut array = self.array(path, kind(space), space.shape(), dtype(&subject, space.dtype())?);
        match space {
            Space::Box { low, high, .. } => {
                if low.len() != high.len() {
                    return Err(unsupported(&subject, "as many lower as upper bounds"));
                }
                array.bounds = low.len() as u64;
                (array.low, array.high) = (self.numbers(low), self.numbers(high));
            }
            Space::Discrete { n, start, .. } => {
                array.start = *start;
                array.n = self.integers(&[*n]);
            }
            Space::MultiDiscrete { counts, .. } => array.n = self.integers(counts),
            Space::Text { charset, .. } => array.charset = self.text(charset),
            _ => {}
        }
        Ok(array)
    }

    fn info(&mut self, info: &InfoSpec) -> Result<abi::Array> {
        let subject = format!("info {:?}", info.key);
        if !info.in_gymnasium || !info.in_envpool {
            return Err(unsupported(&subject, "an info of both dialects"));
        }
        if info.envpool_dtype != info.dtype.narrow() || info.envpool_range.is_some() {
            return Err(unsupported(&subject, "no element type or range of its own for EnvPool"));
        }
        let mut array = self.array(info.key, abi::BOX, &info.shape, dtype(&subject, info.dtype)?);
        array.flags = match info.timing {
            InfoTiming::Always => 0,
            InfoTiming::Steps => abi::AFTER_STEPS,
            InfoTiming::Terminations => abi::AFTER_TERMINATIONS,
        };
        Ok(array)
    }

    /// Returns the C interface's description of an array, without minimum and maximum values.
    fn array(&mut self, name: &str, kind: u64, shape: &[usize], dtype: u64) -> abi::Array {
        let mut array = abi::Array::zeroed();
        (array.size, array.kind, array.dtype) = (size_of::<abi::Array>() as u64, kind, dtype);
        array.name = self.text(name);
        array.dims = shape.len() as u64;
        self.shapes.push(shape.iter().map(|side| *side as u64).collect());
        array.shape = self.shapes.last().expect("just added").as_ptr();
        array
    }

    fn text(&mut self, text: &str) -> *const std::ffi::c_char {
        self.texts.push(c_text(text));
        self.texts.last().expect("just added").as_ptr()
    }

    fn numbers(&mut self, numbers: &[f64]) -> *const f64 {
        self.bounds.push(numbers.to_vec());
        self.bounds.last().expect("just added").as_ptr()
    }

    fn integers(&mut self, integers: &[i64]) -> *const i64 {
        self.counts.push(integers.to_vec());
        self.counts.last().expect("just added").as_ptr()
    }
}

/// Converts a string to a C string. Omits zero bytes, which would end the C string early.
pub fn c_text(text: &str) -> CString {
    CString::new(text.replace('\0', "")).expect("text without zero bytes")
}

/// Returns the memory layout of each output array: element type and number of elements, without an address.
pub fn targets<'a>(arrays: impl Iterator<Item = (Dtype, &'a [usize])>, rows: usize) -> Vec<LeafTarget> {
    let target = |(dtype, shape): (Dtype, &[usize])| LeafTarget {
        data: std::ptr::null_mut(),
        stride: 0,
        dtype,
        len: rows * shape.iter().product::<usize>(),
    };
    arrays.map(target).collect()
}

/// Rejects an environment whose spec has properties of EnvPool's interface. For libraries, the pool derives these properties by
/// fixed rules.
fn refuse_envpool_properties(spec: &EnvSpec) -> Result<()> {
    if spec.envpool_observation.is_some() || spec.envpool_key.is_some() {
        return Err(unsupported("envpool_observation", "None, for the narrowed observation space"));
    }
    if spec.envpool_action.is_some() {
        return Err(unsupported("envpool_action", "None, for the narrowed action space"));
    }
    if spec.envpool_reward != Dtype::F32 {
        return Err(unsupported("envpool_reward", "float32"));
    }
    Ok(())
}

/// Rejects composite spaces that cannot be described by arrays whose names contain dots.
fn refuse_composites(role: &str, space: &Space) -> Result<()> {
    match space {
        Space::Tuple(_) => Err(unsupported(role, "a Dict instead of a Tuple")),
        Space::Dict(parts) => parts.iter().try_for_each(|(key, part)| {
            if key.is_empty() || key.contains('.') {
                return Err(unsupported(&format!("{role}, key {key:?}"), "a key without a dot"));
            }
            refuse_composites(role, part)
        }),
        _ => Ok(()),
    }
}

/// Returns the C interface's number for the kind of a space (box, discrete, ...). The space must be a single array.
fn kind(space: &Space) -> u64 {
    match space {
        Space::Discrete { .. } => abi::DISCRETE,
        Space::MultiDiscrete { .. } => abi::MULTI_DISCRETE,
        Space::MultiBinary { .. } => abi::MULTI_BINARY,
        Space::Text { .. } => abi::TEXT,
        Space::Box { .. } | Space::Dict(_) | Space::Tuple(_) => abi::BOX,
    }
}

/// Returns the number that the C interface uses for an element type.
fn dtype(subject: &str, dtype: Dtype) -> Result<u64> {
    Ok(match dtype {
        Dtype::Bool => abi::BOOL,
        Dtype::U8 => abi::UINT8,
        Dtype::I8 => abi::INT8,
        Dtype::I16 => abi::INT16,
        Dtype::I32 => abi::INT32,
        Dtype::I64 => abi::INT64,
        Dtype::F32 => abi::FLOAT32,
        Dtype::F64 => abi::FLOAT64,
        Dtype::Raw(_) => return Err(unsupported(subject, "numbers, not raw bytes")),
    })
}
