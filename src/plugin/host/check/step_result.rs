//! Results and arguments of a library's step, which a check repeats and compares.

use crate::host::check::guarded::GuardedRows;

/// Results of a step: rewards, bits of `end`, and the states of the lanes afterwards.
#[derive(PartialEq)]
pub struct StepResult {
    pub rewards: Vec<u64>,
    pub ends: Vec<u8>,
    pub lanes: Option<Vec<Vec<u8>>>,
}

/// Copies the first `count` rows of the buffer `rows` into a new buffer, whose guard bytes are `guard`.
pub fn copy_of(rows: &GuardedRows, count: usize, guard: u8) -> GuardedRows {
    let mut copy = GuardedRows::with_guard(count, rows.row(0).len(), 0, guard);
    (0..count).for_each(|row| copy.row_mut(row).copy_from_slice(rows.row(row)));
    copy
}

/// Copies row `row` of the buffer `rows` into a new buffer.
pub fn one_row(rows: &GuardedRows, row: usize) -> GuardedRows {
    let mut copy = GuardedRows::new(1, rows.row(row).len(), 0);
    copy.row_mut(0).copy_from_slice(rows.row(row));
    copy
}

/// Returns which results of two steps differ: the rewards, the bits of `end`, or the states afterwards.
pub fn difference(one: &StepResult, other: &StepResult) -> &'static str {
    match () {
        () if one.rewards != other.rewards => "the rewards",
        () if one.ends != other.ends => "the ends",
        () => "the states or random streams afterwards",
    }
}
