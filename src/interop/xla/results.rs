//! Writes the rows of a batch into the result arrays of a call.

use super::c_api::data_type;
use super::call_frame::{Buffer, CallFrame};
use super::xla_error::{Result, XlaError};
use envpool_rs_engine::{Batch, Column, Dtype, Pool, Role};

/// Rejects a call whose results after the handle are not arrays for `rows` environments. Call this function before any
/// environment is stepped.
pub fn check(frame: CallFrame<'_>, pool: &Pool, columns: &[usize], rows: usize) -> Result<()> {
    if frame.results() != columns.len() + 1 {
        return Err(XlaError::invalid_frame(format!("{} results: expected {}", frame.results(), columns.len() + 1)));
    }
    for (index, column) in columns.iter().enumerate() {
        let (column, result) = (&pool.layout().columns[*column], frame.result(index + 1)?);
        if result.len() != rows * column.len() {
            let (got, expected) = (result.len(), rows * column.len());
            return Err(XlaError::invalid_frame(format!("result {} has {got} elements: expected {expected}", index + 1)));
        }
        if data_type_of(column.dtype) != result.dtype() && narrowed(column.dtype) != Some(result.dtype()) {
            return Err(XlaError::invalid_frame(format!("result {} is not of type {}", index + 1, column.dtype.name())));
        }
    }
    Ok(())
}

/// Writes the columns of a batch into the result arrays of a call, whose number, sizes and types [`check`] has verified.
pub fn write(frame: CallFrame<'_>, columns: &[usize], batch: &mut Batch) -> Result<()> {
    zero_running_episodes(columns, batch);
    for (index, column) in columns.iter().enumerate() {
        write_column(&batch.layout().columns[*column], batch, *column, frame.result(index + 1)?);
    }
    Ok(())
}

/// Zeroes the columns for ended episodes (final observations and infos) in the rows of all other episodes. Otherwise these rows
/// would contain values of earlier episodes.
fn zero_running_episodes(columns: &[usize], batch: &mut Batch) {
    let of_ended = |role| matches!(role, Role::FinalObservation(_) | Role::FinalInfo(_));
    let finals: Vec<_> = columns.iter().copied().filter(|column| of_ended(batch.layout().columns[*column].role)).collect();
    if finals.is_empty() {
        return;
    }
    let Some(ended) = batch.values::<u8>(Role::Done).map(<[u8]>::to_vec) else { return };
    for column in finals {
        batch.zero_rows(column, |row| ended[row] == 0);
    }
}

fn write_column(column: &Column, batch: &Batch, index: usize, result: Buffer<'_>) {
    if data_type_of(column.dtype) == result.dtype() {
        return result.copy(batch.bytes(index), column.dtype.size());
    }
    // The program uses 32-bit types instead of 64-bit types, which is jax's default.
    if let Some(values) = batch.values::<f64>(column.role) {
        result.write(values.iter().map(|value| *value as f32));
    } else if let Some(values) = batch.values::<i64>(column.role) {
        result.write(values.iter().map(|value| *value as i32));
    }
}

fn data_type_of(dtype: Dtype) -> i32 {
    match dtype {
        Dtype::Bool => data_type::PRED,
        Dtype::U8 => data_type::U8,
        Dtype::I8 => data_type::S8,
        Dtype::I16 => data_type::S16,
        Dtype::I32 => data_type::S32,
        Dtype::I64 => data_type::S64,
        Dtype::F32 => data_type::F32,
        Dtype::F64 => data_type::F64,
        Dtype::Raw(_) => data_type::INVALID,
    }
}

/// Returns the 32-bit type that replaces a 64-bit type in programs without 64-bit types; `None` for other types.
fn narrowed(dtype: Dtype) -> Option<i32> {
    match dtype {
        Dtype::I64 => Some(data_type::S32),
        Dtype::F64 => Some(data_type::F32),
        _ => None,
    }
}
