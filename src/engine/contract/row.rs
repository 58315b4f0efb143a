//! Views by which environments read their action and write their row of the output arrays, whatever the arrays' element types.

use crate::contract::space::Dtype;

/// One action array of a batch, converted to the engine's types: int32 for discrete actions, float32 for continuous ones.
#[derive(Debug, Clone, PartialEq)]
pub enum ActionColumn {
    /// Discrete values, a fixed number for each environment.
    I32(Vec<i32>),
    /// Continuous values, a fixed number for each environment.
    F32(Vec<f32>),
    /// Continuous values of double precision, a fixed number for each environment.
    F64(Vec<f64>),
    /// Elements of any other type, a fixed number of bytes for each environment.
    Raw(Vec<u8>),
    /// Serialized objects, one for each environment.
    Payloads {
        /// Bytes of all payloads in sequence.
        bytes: Vec<u8>,
        /// End offset of each payload in `bytes`.
        ends: Vec<usize>,
    },
}

impl ActionColumn {
    /// Returns the number of values in the column: numbers, bytes or payloads.
    pub fn len(&self) -> usize {
        match self {
            Self::I32(values) => values.len(),
            Self::F32(values) => values.len(),
            Self::F64(values) => values.len(),
            Self::Raw(bytes) => bytes.len(),
            Self::Payloads { ends, .. } => ends.len(),
        }
    }

    /// Returns whether the column has no values.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Removes all values from the column, and keeps its memory for reuse.
    #[inline]
    pub fn clear(&mut self) {
        match self {
            Self::I32(values) => values.clear(),
            Self::F32(values) => values.clear(),
            Self::F64(values) => values.clear(),
            Self::Raw(bytes) => bytes.clear(),
            Self::Payloads { bytes, ends } => {
                bytes.clear();
                ends.clear();
            }
        }
    }
}

/// View of the action of one environment in a batch.
#[derive(Debug, Clone, Copy)]
pub struct Action<'a> {
    pub(crate) columns: &'a [ActionColumn],
    pub(crate) row: usize,
}

impl<'a> Action<'a> {
    /// Creates a view of the action in row `row` of a batch's action arrays.
    pub fn new(columns: &'a [ActionColumn], row: usize) -> Self {
        Self { columns, row }
    }

    /// Returns the value of a single discrete action. For single-player environments with action space `Discrete`.
    #[inline]
    pub fn discrete(&self) -> i32 {
        match &self.columns[0] {
            ActionColumn::I32(values) => values[self.row],
            _ => panic!("the action is not discrete"),
        }
    }

    /// Returns all discrete values of action key number `key`: one for each player and element.
    #[inline]
    pub fn discretes(&self, key: usize, width: usize) -> &'a [i32] {
        match &self.columns[key] {
            ActionColumn::I32(values) => &values[self.row * width..][..width],
            _ => panic!("action {key} is not discrete"),
        }
    }

    /// Returns all continuous values of action key number `key`: one for each player and element.
    #[inline]
    pub fn continuous(&self, key: usize, width: usize) -> &'a [f32] {
        match &self.columns[key] {
            ActionColumn::F32(values) => &values[self.row * width..][..width],
            _ => panic!("action {key} is not continuous"),
        }
    }

    /// Returns all double-precision values of action key number `key`: one for each player and element.
    #[inline]
    pub fn doubles(&self, key: usize, width: usize) -> &'a [f64] {
        match &self.columns[key] {
            ActionColumn::F64(values) => &values[self.row * width..][..width],
            _ => panic!("action {key} is not of double precision"),
        }
    }

    /// Returns whether action key number `key` holds serialized objects instead of numbers.
    #[inline]
    pub fn is_payload(&self, key: usize) -> bool {
        matches!(&self.columns[key], ActionColumn::Payloads { .. })
    }

    /// Returns the bytes of action key number `key`: a fixed number of bytes for raw elements, any number for a payload.
    #[inline]
    pub fn bytes(&self, key: usize, width: usize) -> &'a [u8] {
        match &self.columns[key] {
            ActionColumn::Raw(bytes) => &bytes[self.row * width..][..width],
            ActionColumn::Payloads { bytes, ends } => {
                let start = self.row.checked_sub(1).map_or(0, |before| ends[before]);
                &bytes[start..ends[self.row]]
            }
            _ => panic!("action {key} is made of numbers"),
        }
    }
}

/// Memory of one observation or info array in a batch.
#[derive(Debug, Clone, Copy)]
pub struct LeafTarget {
    /// First element of the first environment's row; null if the array was not requested.
    pub data: *mut u8,
    /// Bytes from one environment's row to the next.
    pub stride: usize,
    /// Element type of the output array.
    pub dtype: Dtype,
    /// Number of elements of one environment's row.
    pub len: usize,
}

/// One environment's row in the output arrays. Methods select an array by its number (`leaf`).
#[derive(Debug)]
pub struct Row<'a> {
    targets: &'a [LeafTarget],
    row: usize,
}

mod sealed {
    /// Supertrait that restricts [`super::Element`] to the types below, because `Row` accesses memory as elements of `DTYPE`.
    pub trait Sealed {}
}

/// A scalar that can be written into an array of any element type, converted by C's rules.
pub trait Element: Copy + sealed::Sealed {
    /// Returns the value as float64.
    fn to_f64(self) -> f64;
    /// Returns the value as int64.
    fn to_i64(self) -> i64;
    /// Element type of the arrays that store values of this type unchanged.
    const DTYPE: Dtype;
}

macro_rules! element {
    ($($type:ty => $dtype:ident),*) => {$(
        impl sealed::Sealed for $type {}

        impl Element for $type {
            #[inline(always)]
            fn to_f64(self) -> f64 {
                self as f64
            }
            #[inline(always)]
            fn to_i64(self) -> i64 {
                self as i64
            }
            const DTYPE: Dtype = Dtype::$dtype;
        }
    )*};
}
element!(f32 => F32, f64 => F64, i64 => I64, i32 => I32, i16 => I16, i8 => I8, u8 => U8);

impl<'a> Row<'a> {
    /// Creates a view of row number `row` of the arrays in `targets`.
    ///
    /// # Safety
    /// Every non-null target must point at arrays of its element type, with more than `row` rows of `len` elements `stride` bytes
    /// apart. No other thread or reference may read or write this row during the lifetime of the value.
    #[inline(always)]
    pub unsafe fn new(targets: &'a [LeafTarget], row: usize) -> Self {
        Self { targets, row }
    }

    /// Writes `values` as leaf number `leaf`, converting to the array's element type.
    ///
    /// # Panics
    /// If the number of values differs from the number of the leaf's elements.
    #[inline(always)]
    pub fn write<T: Element>(&mut self, leaf: usize, values: &[T]) {
        let target = self.targets[leaf];
        assert!(target.data.is_null() || values.len() == target.len, "leaf {leaf}: wrong number of values");
        self.write_at(leaf, 0, values);
    }

    /// Writes `values` into leaf number `leaf`, starting at element `start`, for leaves that are written in parts.
    ///
    /// # Panics
    /// If the values extend beyond the end of the leaf.
    #[inline(always)]
    pub fn write_at<T: Element>(&mut self, leaf: usize, start: usize, values: &[T]) {
        let target = self.targets[leaf];
        if target.data.is_null() {
            return;
        }
        assert!(start <= target.len && values.len() <= target.len - start, "leaf {leaf}: values beyond its end");
        // SAFETY: guaranteed by the contract of `Row::new`: the row exists, holds `len` elements of `dtype` and is exclusive to
        // this value. The assertion above bounds `start + values.len()` by `len`.
        unsafe {
            let data = target.data.add(self.row * target.stride);
            match target.dtype {
                Dtype::F32 => copy(values, data.cast::<f32>().add(start), |value| value.to_f64() as f32),
                Dtype::F64 => copy(values, data.cast::<f64>().add(start), Element::to_f64),
                Dtype::I32 => copy(values, data.cast::<i32>().add(start), |value| value.to_i64() as i32),
                Dtype::I64 => copy(values, data.cast::<i64>().add(start), Element::to_i64),
                Dtype::I16 => copy(values, data.cast::<i16>().add(start), |value| value.to_i64() as i16),
                Dtype::I8 => copy(values, data.cast::<i8>().add(start), |value| value.to_i64() as i8),
                // Images (uint8 to uint8) are copied explicitly, because the compiler does not always turn the conversion loop
                // below into a copy.
                Dtype::U8 if T::DTYPE == Dtype::U8 => {
                    std::ptr::copy_nonoverlapping(values.as_ptr().cast::<u8>(), data.add(start), values.len());
                }
                Dtype::U8 => copy(values, data.cast::<u8>().add(start), |value| value.to_i64() as u8),
                Dtype::Bool => copy(values, data.cast::<u8>().add(start), |value| u8::from(value.to_f64() != 0.0)),
                Dtype::Raw(_) => refuse_numbers(leaf),
            }
        }
    }

    /// Returns the memory of leaf number `leaf` in the array's own element type; `None` for a leaf that was not requested.
    #[inline]
    pub fn bytes(&mut self, leaf: usize) -> Option<&mut [u8]> {
        let target = self.targets[leaf];
        // SAFETY: guaranteed by the contract of `Row::new`: the row exists, holds `len` initialised elements of `dtype` and is
        // exclusive to this value.
        (!target.data.is_null()).then(|| unsafe {
            std::slice::from_raw_parts_mut(target.data.add(self.row * target.stride), target.len * target.dtype.size())
        })
    }

    /// Returns the element type of leaf number `leaf` in the output array.
    pub fn dtype(&self, leaf: usize) -> Dtype {
        self.targets[leaf].dtype
    }

    /// Writes `text` as leaf number `leaf`, padded with zeros: a [`Space::Text`](super::space::Space::Text).
    ///
    /// # Panics
    /// If the leaf is shorter than the text.
    pub fn text(&mut self, leaf: usize, text: &str) {
        self.write_at(leaf, 0, text.as_bytes());
        let target = self.targets[leaf];
        (text.len()..target.len).for_each(|index| self.write_at(leaf, index, &[0_u8]));
    }

    /// Writes one scalar as leaf number `leaf`, converted to the array's element type.
    #[inline(always)]
    pub fn scalar<T: Element>(&mut self, leaf: usize, value: T) {
        self.write(leaf, &[value]);
    }
}

/// Panics for a leaf of raw bytes. This is a separate function, so that methods which write numbers stay small enough to be
/// inlined.
#[cold]
#[inline(never)]
fn refuse_numbers(leaf: usize) -> ! {
    panic!("leaf {leaf} is made of raw bytes, not of numbers")
}

/// Copies the elements of `from` to `to`, after converting each by `convert`.
///
/// # Safety
/// `to` must be valid for writing `from.len()` elements.
#[inline(always)]
unsafe fn copy<T: Copy, U>(from: &[T], to: *mut U, convert: impl Fn(T) -> U) {
    for (index, value) in from.iter().enumerate() {
        // SAFETY: `index < from.len()`, and the caller guarantees that `to` is valid for `from.len()` elements.
        unsafe { to.add(index).write(convert(*value)) };
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::contract::row_buffer::RowBuffer;

    #[test]
    fn pieces_of_a_leaf_are_written_at_their_offset() {
        let mut buffer = RowBuffer::new(Dtype::I8, &[1, 5]);
        let bits = buffer.bits(|row| {
            row.write_at(1, 3, &[7.0, -1.0]);
            row.write_at(1, 0, &[3]);
        });
        assert_eq!(bits, [0, 3, 0, 0, 7, 255]);
    }

    #[test]
    fn a_short_text_overwrites_a_longer_one() {
        let mut buffer = RowBuffer::new(Dtype::U8, &[3]);
        buffer.bits(|row| row.text(0, "abc"));
        assert_eq!(buffer.bits(|row| row.text(0, "d")), [u64::from(b'd'), 0, 0]);
    }

    #[test]
    #[should_panic(expected = "leaf 0: values beyond its end")]
    fn a_piece_that_leaves_its_leaf_is_refused() {
        RowBuffer::new(Dtype::F32, &[5]).bits(|row| row.write_at(0, 4, &[1.0, 2.0]));
    }

    #[test]
    #[should_panic(expected = "leaf 0: wrong number of values")]
    fn a_whole_write_must_cover_the_leaf() {
        RowBuffer::new(Dtype::F32, &[5]).bits(|row| row.write(0, &[1.0, 2.0]));
    }
}
