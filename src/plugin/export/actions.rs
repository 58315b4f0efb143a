//! Actions of a call in the form that environments read.

use envpool_rs_engine::{ActionColumn, ActionKey};

use super::lanes::Lanes;

/// Copies the actions of a call into columns, which [`Action`] reads.
///
/// # Safety
/// `lanes` belongs to a call of `step`, which passes an array for each of `keys`.
pub unsafe fn copy_actions(keys: &[ActionKey], lanes: &Lanes, columns: &mut Vec<ActionColumn>) {
    columns.truncate(keys.len());
    for (number, key) in keys.iter().enumerate() {
        let empty = key.column();
        match columns.get_mut(number) {
            None => columns.push(empty),
            // The column still has the type of another environment's actions, which this thread stepped before.
            Some(column) if std::mem::discriminant(column) != std::mem::discriminant(&empty) => *column = empty,
            Some(column) => column.clear(),
        }
        let width = key.values_per_row();
        for index in 0..lanes.count() {
            let row = lanes.action(number, index);
            // SAFETY: the row holds the number of values that the environment declared, in the interface's type for this action
            // key.
            unsafe {
                match &mut columns[number] {
                    ActionColumn::I32(values) => values.extend_from_slice(std::slice::from_raw_parts(row.cast(), width)),
                    ActionColumn::F32(values) => values.extend_from_slice(std::slice::from_raw_parts(row.cast(), width)),
                    ActionColumn::F64(values) => values.extend_from_slice(std::slice::from_raw_parts(row.cast(), width)),
                    ActionColumn::Raw(_) | ActionColumn::Payloads { .. } => unreachable!("actions of a spec are numbers"),
                }
            }
        }
    }
}
