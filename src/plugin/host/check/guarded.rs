//! Buffers with guard bytes for a library's results, and a search for values outside of their space.

use envpool_rs_engine::{Dtype, Space};

/// Number of guard bytes before and after each row.
pub const GUARD: usize = 64;

/// Value of guard bytes, and of all bytes in rows before the first call.
pub const PATTERN: u8 = 0xa5;

/// Value of all bytes in rows before the second call.
pub const OTHER_PATTERN: u8 = 0x5a;

/// Rows of equal size with guard bytes before, between and after them.
pub struct GuardedRows {
    /// Memory of the rows and guard bytes, as 8-byte words, so that every element type is aligned.
    words: Vec<u64>,
    /// Number of bytes of a row, without guard bytes.
    size: usize,
    count: usize,
    /// Value of all guard bytes.
    guard: u8,
}

impl GuardedRows {
    /// Creates `count` rows of `size` bytes, all of which have the value `pattern`.
    pub fn new(count: usize, size: usize, pattern: u8) -> Self {
        Self::with_guard(count, size, pattern, PATTERN)
    }

    /// Creates rows as [`Self::new`] does, with guard bytes of the value `guard`.
    pub fn with_guard(count: usize, size: usize, pattern: u8, guard: u8) -> Self {
        let stride = size.next_multiple_of(8) + GUARD;
        let words = vec![u64::from_ne_bytes([guard; 8]); (GUARD + count * stride) / 8];
        let mut rows = Self { words, size, count, guard };
        (0..count).for_each(|index| rows.row_mut(index).fill(pattern));
        rows
    }

    /// Returns the number of bytes from one row to the next.
    pub fn stride(&self) -> usize {
        self.size.next_multiple_of(8) + GUARD
    }

    /// Returns the address of the first row, which follows the first guard bytes.
    pub fn data(&mut self) -> *mut u8 {
        self.words.as_mut_ptr().cast::<u8>().wrapping_add(GUARD)
    }

    fn bytes(&self) -> &[u8] {
        // SAFETY: the words are initialised integers, any bytes of which are valid.
        unsafe { std::slice::from_raw_parts(self.words.as_ptr().cast(), self.words.len() * 8) }
    }

    /// Returns row number `index`.
    pub fn row(&self, index: usize) -> &[u8] {
        &self.bytes()[GUARD + index * self.stride()..][..self.size]
    }

    /// Returns row number `index` for writing.
    pub fn row_mut(&mut self, index: usize) -> &mut [u8] {
        let (start, size) = (GUARD + index * self.stride(), self.size);
        // SAFETY: the words are initialised integers, any bytes of which are valid, and they are borrowed mutably.
        let bytes = unsafe { std::slice::from_raw_parts_mut(self.words.as_mut_ptr().cast::<u8>(), self.words.len() * 8) };
        &mut bytes[start..][..size]
    }

    /// Returns the index of a row next to which a guard byte was changed; `None` if no guard byte was changed.
    pub fn broken(&self) -> Option<usize> {
        let stride = self.stride();
        let whole = [self.guard; GUARD + 8];
        let is_broken = |range: std::ops::Range<usize>| self.bytes()[range.clone()] != whole[..range.len()];
        if is_broken(0..GUARD) {
            return Some(0);
        }
        (0..self.count).find(|index| is_broken(GUARD + index * stride + self.size..GUARD + (index + 1) * stride))
    }
}

/// Returns the index of the first element that no call has written: this element holds `PATTERN` in one row and `OTHER_PATTERN`
/// in the other.
pub fn unwritten(one: &[u8], other: &[u8], element: usize) -> Option<usize> {
    let is_kept =
        |(one, other): (&[u8], &[u8])| one.iter().all(|byte| *byte == PATTERN) && other.iter().all(|byte| *byte == OTHER_PATTERN);
    if !one.contains(&PATTERN) {
        return None;
    }
    one.chunks(element).zip(other.chunks(element)).position(is_kept)
}

/// Returns the elements of a row as float64. Large integers are rounded.
pub fn numbers(row: &[u8], dtype: Dtype) -> Vec<f64> {
    let number = |bytes: &[u8]| match dtype {
        Dtype::Bool | Dtype::U8 => f64::from(bytes[0]),
        Dtype::I8 => f64::from(bytes[0] as i8),
        Dtype::I16 => f64::from(i16::from_ne_bytes(bytes.try_into().expect("two bytes"))),
        Dtype::I32 => f64::from(i32::from_ne_bytes(bytes.try_into().expect("four bytes"))),
        Dtype::I64 => i64::from_ne_bytes(bytes.try_into().expect("eight bytes")) as f64,
        Dtype::F32 => f64::from(f32::from_ne_bytes(bytes.try_into().expect("four bytes"))),
        Dtype::F64 => f64::from_ne_bytes(bytes.try_into().expect("eight bytes")),
        Dtype::Raw(_) => unreachable!("spaces are made of numbers"),
    };
    row.chunks_exact(dtype.size()).map(number).collect()
}

/// Returns a sentence about the first element of a row that is outside of its space. The row holds the elements of all players.
pub fn outside(row: &[u8], space: &Space) -> Option<String> {
    let elements = space.size().max(1);
    let wrong = |position: usize, value: &dyn std::fmt::Display, expected: String| {
        let player = if position >= elements { format!(" of player {}", position / elements) } else { String::new() };
        Some(format!("element {}{player} is {value}: expected {expected}", position % elements))
    };
    if let Space::Text { charset, .. } = space {
        for (line, text) in row.chunks(elements).enumerate() {
            let end = text.iter().position(|byte| *byte == 0).unwrap_or(text.len());
            let is_wrong = |(index, byte): &(usize, &u8)| {
                if *index < end { !charset.as_bytes().contains(byte) } else { **byte != 0 }
            };
            if let Some((index, byte)) = text.iter().enumerate().find(is_wrong) {
                let expected = if index < end { format!("one of {charset:?}") } else { "0 after the text".to_owned() };
                return wrong(line * elements + index, byte, expected);
            }
        }
        return None;
    }
    let dtype = space.dtype();
    if dtype == Dtype::Bool
        && let Some(position) = row.iter().position(|byte| *byte > 1)
    {
        return wrong(position, &row[position], "a bool of 0 or 1".to_owned());
    }
    for (position, value) in numbers(row, dtype).into_iter().enumerate() {
        let index = position % elements;
        let (low, high) = match space {
            Space::Box { low, high, .. } => (low[index % low.len()], high[index % high.len()]),
            Space::Discrete { n, start, .. } => (*start as f64, (*start + n - 1) as f64),
            Space::MultiDiscrete { counts, .. } => (0.0, (counts[index] - 1) as f64),
            _ => (0.0, 1.0),
        };
        // Bounds are rounded to the element type, because a float32 may equal the rounded bound.
        let (low, high) = if dtype == Dtype::F32 { (f64::from(low as f32), f64::from(high as f32)) } else { (low, high) };
        if !(low..=high).contains(&value) {
            return wrong(position, &value, format!("{low} to {high}"));
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_write_beyond_a_row_is_detected_and_a_full_row_is_not() {
        let mut rows = GuardedRows::new(3, 5, 0);
        (0..3).for_each(|index| rows.row_mut(index).fill(7));
        assert_eq!(rows.broken(), None);
        let beyond = rows.data().wrapping_add(rows.stride() + 5);
        // SAFETY: the byte after row 1 is a guard byte inside the buffer.
        unsafe { *beyond = 0 };
        assert_eq!(rows.broken(), Some(1));
    }

    #[test]
    fn values_outside_of_each_kind_of_space_are_detected() {
        let bytes = |values: &[f32]| values.iter().flat_map(|value| value.to_ne_bytes()).collect::<Vec<_>>();
        let unit = Space::uniform(-1.0, 1.0, &[2], Dtype::F32);
        assert_eq!(outside(&bytes(&[1.0, -1.0]), &unit), None);
        assert_eq!(outside(&bytes(&[0.0, 1.5]), &unit).unwrap(), "element 1 is 1.5: expected -1 to 1");
        assert_eq!(outside(&bytes(&[0.0, 0.0, f32::NAN, 0.0]), &unit).unwrap(), "element 0 of player 1 is NaN: expected -1 to 1");
        assert!(outside(&[2], &Space::uniform(0.0, 1.0, &[], Dtype::Bool)).is_some());
        assert!(outside(&3_i64.to_ne_bytes(), &Space::discrete(3)).is_some());
        assert_eq!(outside(b"ab\0", &Space::text(3, "abc")), None);
        assert!(outside(b"ad\0", &Space::text(3, "abc")).is_some() && outside(b"a\0b", &Space::text(3, "abc")).is_some());
    }

    #[test]
    fn an_element_that_keeps_both_patterns_is_reported_as_unwritten() {
        let (one, other) = ([[1, 1], [PATTERN; 2]].concat(), [[1, 1], [OTHER_PATTERN; 2]].concat());
        assert_eq!(unwritten(&one, &other, 2), Some(1));
        assert_eq!(unwritten(&one, &one, 2), None);
    }
}
