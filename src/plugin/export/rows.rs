//! Gives environments access to the rows of the pool's output arrays.

use envpool_rs_engine::{LeafTarget, Row};

use super::lanes::Lanes;

/// Number of arrays up to which their addresses are stored without allocating memory.
const FEW: usize = 8;

/// Calls `write` with the row of each lane in the output arrays of a call. `models` has their element types and lengths.
///
/// # Safety
/// The call has an output array for each of `models`.
#[inline(always)]
pub unsafe fn with_rows(lanes: &Lanes, models: &[LeafTarget], mut write: impl FnMut(usize, &mut Row<'_>)) {
    let mut few = [EMPTY; FEW];
    let mut many = Vec::new();
    let targets = if models.len() <= FEW {
        &mut few[..models.len()]
    } else {
        many.resize(models.len(), EMPTY);
        &mut many[..]
    };
    for (number, (target, model)) in targets.iter_mut().zip(models).enumerate() {
        *target = lanes.target(number, *model);
    }
    for index in 0..lanes.count() {
        // SAFETY: the pool's arrays have a row of the declared type and length for each lane of the call, which no other thread
        // uses until the call returns.
        write(index, &mut unsafe { Row::new(targets, index) });
    }
}

/// Placeholder for an unused array: it has no memory, so no data is written.
const EMPTY: LeafTarget = LeafTarget { data: std::ptr::null_mut(), stride: 0, dtype: envpool_rs_engine::Dtype::U8, len: 0 };
