//! Writers that a backend fills with the data of its replies.

use crate::backend::lane_op::LaneReply;
use crate::contract::row::{LeafTarget, Row};
use crate::exec::request_kind::LaneList;
use crate::results::batch::Batch;
use crate::results::row_slot::RowSlot;

/// Writer for the reply of one environment.
///
/// Leaves (arrays of the observation or info) are written by number, or as bytes of the array's own type ([`Row::bytes`]). Leaves
/// that were not requested are skipped.
pub struct RowWriter<'a> {
    /// Reward of each player; initially zero.
    pub rewards: &'a mut [f64],
    pub(crate) row: RowSlot<'a>,
    /// Numbers of the info arrays that the environment did not provide.
    pub(crate) absent_infos: &'a mut Vec<u32>,
}

impl RowWriter<'_> {
    /// Returns the leaves of the observation, in the order of the backend's spec.
    #[inline]
    pub fn observation(&mut self) -> Row<'_> {
        self.row.observation()
    }

    /// Returns the info arrays, in the order of the backend's spec.
    #[inline]
    pub fn infos(&mut self) -> Row<'_> {
        self.row.info()
    }

    /// Returns the row's final observation: the last observation of the episode that ended, if the next one started in the same
    /// reply.
    #[inline]
    pub fn final_observation(&mut self) -> Row<'_> {
        self.row.final_observation()
    }

    /// Returns the row's final infos: the last infos of the episode that ended, if the next one started in the same reply.
    #[inline]
    pub fn final_infos(&mut self) -> Row<'_> {
        self.row.final_info()
    }

    /// Marks info number `info` as not provided: its element is unspecified, and its presence flag is false.
    pub fn mark_info_absent(&mut self, info: usize) {
        self.absent_infos.push(info as u32);
    }
}

/// Writes the replies that the receiver currently waits for into one batch. Each lane has one row, to which this value has
/// exclusive access.
pub struct BatchRowWriter<'a> {
    pub(crate) lanes: &'a LaneList,
    pub(crate) batch: &'a mut Batch,
    /// Returns the number of the row for a lane's reply; `None` unless the receiver waits for the reply and has not collected it.
    pub(crate) row_of: &'a dyn Fn(usize) -> Option<usize>,
    pub(crate) on_reply: OnReply<'a>,
    pub(crate) rewards: &'a mut [f64],
    pub(crate) absent_infos: &'a mut Vec<u32>,
}

/// Applies the reply of a lane. Arguments: lane, row, slot of the row, reply, rewards, numbers of missing infos.
pub(crate) type OnReply<'a> = &'a mut dyn FnMut(usize, usize, RowSlot<'_>, LaneReply, &mut [f64], &[u32]);

/// Consecutive rows of a [`BatchRowWriter`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RowRange {
    first: usize,
    count: usize,
}

impl<'a> BatchRowWriter<'a> {
    /// Returns the lanes of the request, in the order of their rows.
    pub fn lanes(&self) -> impl Iterator<Item = usize> + use<'a> {
        self.lanes.iter()
    }

    /// Returns whether the receiver waits for this lane's reply and has not collected it.
    #[inline]
    pub fn is_awaited(&self, lane: usize) -> bool {
        (self.row_of)(lane).is_some()
    }

    /// Collects the reply of a lane if the receiver waits for it. `finish` writes the reply into the row, as
    /// `LaneBackend::collect` does.
    #[inline]
    pub fn collect(&mut self, lane: usize, finish: impl FnOnce(&mut RowWriter<'_>) -> LaneReply) {
        let Some(row) = (self.row_of)(lane) else { return };
        self.rewards.fill(0.0);
        self.absent_infos.clear();
        let mut slot = self.batch.row(row);
        let answer = finish(&mut RowWriter { rewards: self.rewards, row: slot.reborrow(), absent_infos: self.absent_infos });
        (self.on_reply)(lane, row, slot, answer, self.rewards, self.absent_infos);
    }

    /// Returns the consecutive rows of `lanes`, or `None` if a reply is not wanted or the rows are not consecutive in this order.
    ///
    /// Columns that the caller writes for the whole range need not be written again when the replies are collected.
    pub fn row_range(&self, lanes: &[u32]) -> Option<RowRange> {
        let first = (self.row_of)(*lanes.first()? as usize)?;
        let follows = |(row, lane): (usize, &u32)| (self.row_of)(*lane as usize) == Some(row);
        (first..).zip(lanes).all(follows).then_some(RowRange { first, count: lanes.len() })
    }

    /// Writes one observation leaf of each row in a range. `elements` holds bytes in the array's own type, row after row.
    pub fn write_observations(&mut self, run: RowRange, leaf: usize, elements: &[u8]) {
        self.copy_rows(self.batch.pointers.leaves[leaf], run, elements);
    }

    /// Writes one info array of each row in a range; `elements` holds bytes in the array's own type, row after row.
    pub fn write_infos(&mut self, run: RowRange, info: usize, elements: &[u8]) {
        self.copy_rows(self.batch.pointers.infos[info], run, elements);
    }

    /// Writes one leaf of the final observation of each row in a range; `elements` holds bytes in the array's own type, row after
    /// row.
    pub fn write_final_observations(&mut self, run: RowRange, leaf: usize, elements: &[u8]) {
        self.copy_rows(self.batch.pointers.final_leaves[leaf], run, elements);
    }

    /// Writes one final info array of each row in a range; `elements` holds bytes in the array's own type, row after row.
    pub fn write_final_infos(&mut self, run: RowRange, info: usize, elements: &[u8]) {
        self.copy_rows(self.batch.pointers.final_infos[info], run, elements);
    }

    /// Copies `elements`, which hold row after row in the column's own type, into a range of rows of a column.
    fn copy_rows(&mut self, target: LeafTarget, RowRange { first, count }: RowRange, elements: &[u8]) {
        let bytes = target.len * target.dtype.size();
        if target.data.is_null() || bytes == 0 {
            return;
        }
        assert!(first + count <= self.lanes.len() && elements.len() == count * bytes, "elements for the rows that there are");
        // SAFETY: `BackendExecutor` creates this value with one exclusive row for each lane, and the assertion bounds the range
        // by the number of lanes. Rows are `stride` bytes apart and hold `bytes` bytes each; `elements` has `bytes` bytes for
        // each row of the range.
        unsafe {
            let to = target.data.add(first * target.stride);
            if target.stride == bytes {
                std::ptr::copy_nonoverlapping(elements.as_ptr(), to, elements.len());
                return;
            }
            for (row, elements) in elements.chunks_exact(bytes).enumerate() {
                std::ptr::copy_nonoverlapping(elements.as_ptr(), to.add(row * target.stride), bytes);
            }
        }
    }
}
