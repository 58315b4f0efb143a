//! Creates numpy arrays over the memory of a batch.

use pyo3::prelude::*;

use super::{RecycledResult, ResultSchema};
use crate::arrays::Array;

impl RecycledResult {
    /// Drops all objects if the number of rows has changed.
    pub(super) fn set_rows(&mut self, rows: usize) {
        if rows != self.rows {
            (self.info, self.players, self.step) = (None, None, None);
            self.containers.clear();
            self.arrays.iter_mut().for_each(|array| *array = None);
            self.rows = rows;
        }
    }

    /// Creates the arrays that are missing, or all arrays if the number of rows has changed.
    pub(super) fn make_arrays(&mut self, py: Python<'_>, schema: &ResultSchema, rows: usize) -> PyResult<()> {
        self.set_rows(rows);
        (0..self.arrays.len()).try_for_each(|column| self.make_array(py, schema, column))
    }

    /// Creates the array of a column over the batch's memory if it is missing.
    pub(super) fn make_array(&mut self, py: Python<'_>, schema: &ResultSchema, column: usize) -> PyResult<()> {
        if self.arrays[column].is_some() {
            return Ok(());
        }
        let (batch, rows) = (self.batch.as_ref().expect("the batch to show"), self.rows);
        let sizes: Vec<_> = schema.shape(column, rows).collect();
        let array = Array::new(batch.memory(column), schema.descriptors[column].bind(py), &sizes)?;
        let is_read_only = schema.is_read_only(schema.layout.columns[column].role, rows);
        self.arrays[column] = Some(if is_read_only { array.read_only() } else { array });
        Ok(())
    }
}
