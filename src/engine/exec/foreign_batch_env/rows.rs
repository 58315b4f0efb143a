//! Output rows of a [`ForeignBatchEnv`]: the memory of the batch, or a copy in the environment's dtype that is converted
//! afterwards.

use crate::contract::error::Result;
use crate::contract::foreign::{LaneSet, OutputRows};
use crate::contract::row::{Element, Row};
use crate::contract::space::Dtype;
use crate::exec::foreign_batch_env::{ForeignBatchEnv, OutputArray};
use crate::results::row_span::{RowPart, RowSpan};

/// Addresses of the output arrays of a call, and memory for rows that are converted afterwards.
#[derive(Default)]
pub struct OutputBuffers {
    data: Vec<*mut u8>,
    strides: Vec<u64>,
    /// Rows of each converted array, in words of 8 bytes, so that every element type is aligned.
    converted: Vec<Vec<u64>>,
    /// Positions of the arrays that are converted after the call.
    pending: Vec<usize>,
}

impl OutputBuffers {
    /// Calls the environment to write one part of the rows (observations or infos) of some lanes.
    ///
    /// # Errors
    /// The environment's error, if it cannot write the rows.
    pub fn write(&mut self, env: &ForeignBatchEnv, lanes: &LaneSet<'_>, rows: &mut RowSpan<'_>, part: RowPart) -> Result<()> {
        let arrays = match part {
            RowPart::Observation | RowPart::FinalObservation => &env.leaves,
            RowPart::Info | RowPart::FinalInfo => &env.infos,
        };
        if arrays.is_empty() {
            return Ok(());
        }
        self.locate(arrays, rows, part);
        // SAFETY: each array is an array of the batch that has the environment's dtype and length, or a buffer of that size, and
        // has a row for each lane. `rows` and `self` are borrowed exclusively.
        let mut outputs = unsafe { OutputRows::new(&self.data, &self.strides) };
        match part {
            RowPart::Observation | RowPart::FinalObservation => env.lanes.observe(lanes, &mut outputs)?,
            RowPart::Info | RowPart::FinalInfo => env.lanes.inform(lanes, &mut outputs)?,
        }
        self.convert(arrays, rows, part);
        Ok(())
    }

    /// Sets the address and stride of each output array.
    fn locate(&mut self, arrays: &[OutputArray], rows: &mut RowSpan<'_>, part: RowPart) {
        self.data.clear();
        self.strides.clear();
        self.pending.clear();
        let count = rows.len();
        for (index, (array, target)) in arrays.iter().zip(rows.targets(part)).enumerate() {
            assert!(target.data.is_null() || target.len == array.len, "an array of another length");
            if target.data.is_null() || target.dtype == array.dtype {
                self.data.push(target.data);
                self.strides.push(target.stride as u64);
                continue;
            }
            if self.converted.len() <= index {
                self.converted.resize_with(index + 1, Vec::new);
            }
            let stride = array.bytes().next_multiple_of(8);
            let memory = &mut self.converted[index];
            memory.resize(memory.len().max(count * stride / 8), 0);
            self.pending.push(index);
            self.data.push(memory.as_mut_ptr().cast());
            self.strides.push(stride as u64);
        }
    }

    /// Converts the rows that the environment wrote into buffers, and writes them into the batch.
    fn convert(&self, arrays: &[OutputArray], rows: &mut RowSpan<'_>, part: RowPart) {
        for &index in &self.pending {
            let OutputArray { dtype, len } = arrays[index];
            for i in 0..rows.len() {
                let words = &self.converted[index][i * arrays[index].bytes().div_ceil(8)..];
                let mut slot = rows.slot(i);
                let mut row = match part {
                    RowPart::Observation => slot.observation(),
                    RowPart::Info => slot.info(),
                    RowPart::FinalObservation => slot.final_observation(),
                    RowPart::FinalInfo => slot.final_info(),
                };
                match dtype {
                    Dtype::Bool | Dtype::U8 => write_elements::<u8>(&mut row, index, words, len),
                    Dtype::I8 => write_elements::<i8>(&mut row, index, words, len),
                    Dtype::I16 => write_elements::<i16>(&mut row, index, words, len),
                    Dtype::I32 => write_elements::<i32>(&mut row, index, words, len),
                    Dtype::I64 => write_elements::<i64>(&mut row, index, words, len),
                    Dtype::F32 => write_elements::<f32>(&mut row, index, words, len),
                    Dtype::F64 => write_elements::<f64>(&mut row, index, words, len),
                    Dtype::Raw(_) => unreachable!("spaces are made of numbers"),
                }
            }
        }
    }
}

/// Writes the first `len` elements in `words` as an array of the row.
fn write_elements<T: Element>(row: &mut Row<'_>, array: usize, words: &[u64], len: usize) {
    assert!(len * size_of::<T>() <= size_of_val(words), "elements beyond the memory");
    // SAFETY: the memory has `len` elements (asserted), is aligned to 8 bytes, and initialised; all bits are valid numbers.
    row.write(array, unsafe { std::slice::from_raw_parts(words.as_ptr().cast::<T>(), len) });
}
