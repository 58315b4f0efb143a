//! The rows that answers from outside are written into.

use crate::contract::row::{Row, Target};
use crate::outside::exchange::Answer;
use crate::play::kind::LaneList;
use crate::results::batch::Batch;
use crate::results::row_slot::RowSlot;

/// Where one environment's answer goes. Leaves are written by number, or as bytes that are there already ([`Row::bytes`]); those that
/// nobody asked for are passed over.
pub struct RowOut<'a> {
    /// The reward of each player; zero at first.
    pub rewards: &'a mut [f64],
    pub(crate) row: RowSlot<'a>,
    /// Infos that the environment did not give.
    pub(crate) missing: &'a mut Vec<u32>,
}

impl RowOut<'_> {
    /// The observation's leaves, in the order of the form.
    #[inline]
    pub fn observation(&mut self) -> Row<'_> {
        self.row.observation()
    }

    /// The infos, in the order of the form.
    #[inline]
    pub fn infos(&mut self) -> Row<'_> {
        self.row.info()
    }

    /// The last observation of an episode that ended, where the next one began in the same answer.
    #[inline]
    pub fn final_observation(&mut self) -> Row<'_> {
        self.row.final_observation()
    }

    /// The last infos of an episode that ended, where the next one began in the same answer.
    #[inline]
    pub fn final_infos(&mut self) -> Row<'_> {
        self.row.final_info()
    }

    /// Says that the environment did not give info number `info`: its element is meaningless, and its presence false.
    pub fn leave_out(&mut self, info: usize) {
        self.missing.push(info as u32);
    }
}

/// Where the answers go that are waited for together: each lane has a row, which nobody else is at as long as this value lives.
pub struct RowsOut<'a> {
    pub(crate) lanes: &'a LaneList,
    pub(crate) batch: &'a mut Batch,
    /// The row of a lane that is waited for.
    pub(crate) row_of: &'a dyn Fn(usize) -> Option<usize>,
    pub(crate) on_reply: OnReply<'a>,
    pub(crate) rewards: &'a mut [f64],
    pub(crate) missing: &'a mut Vec<u32>,
}

/// Applies the reply of a lane that is waited for: lane, row and its slot, what the row does not hold, rewards,
/// infos that are missing.
pub(crate) type OnReply<'a> = &'a mut dyn FnMut(usize, usize, RowSlot<'_>, Answer, &mut [f64], &[u32]);

/// Rows of lanes that are waited for, one behind the other.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RowRun {
    first: usize,
    count: usize,
}

impl<'a> RowsOut<'a> {
    /// The lanes that were asked together, in the order of their rows.
    pub fn lanes(&self) -> impl Iterator<Item = usize> + use<'a> {
        self.lanes.iter()
    }

    /// Whether a lane is one of these, and its answer has not been taken.
    #[inline]
    pub fn is_wanted(&self, lane: usize) -> bool {
        (self.row_of)(lane).is_some()
    }

    /// Takes the answer of a lane: `finish` is what `Outside::finish` is, and is not called for lanes that
    /// are not waited for.
    #[inline]
    pub fn take(&mut self, lane: usize, finish: impl FnOnce(&mut RowOut<'_>) -> Answer) {
        let Some(row) = (self.row_of)(lane) else { return };
        self.rewards.fill(0.0);
        self.missing.clear();
        let mut slot = self.batch.row(row);
        let answer = finish(&mut RowOut { rewards: self.rewards, row: slot.reborrow(), missing: self.missing });
        (self.on_reply)(lane, row, slot, answer, self.rewards, self.missing);
    }

    /// The rows of these lanes, if all of them are waited for and their rows follow each other in this order. What is written into them
    /// need not be written when their answers are taken.
    pub fn run(&self, lanes: &[u32]) -> Option<RowRun> {
        let first = (self.row_of)(*lanes.first()? as usize)?;
        let follows = |(row, lane): (usize, &u32)| (self.row_of)(*lane as usize) == Some(row);
        (first..).zip(lanes).all(follows).then_some(RowRun { first, count: lanes.len() })
    }

    /// Writes a leaf of the observation of each of these rows: elements in the array's own type, row after row.
    pub fn observations(&mut self, run: RowRun, leaf: usize, elements: &[u8]) {
        self.copy(self.batch.pointers.leaves[leaf], run, elements);
    }

    /// Likewise, infos.
    pub fn infos(&mut self, run: RowRun, info: usize, elements: &[u8]) {
        self.copy(self.batch.pointers.infos[info], run, elements);
    }

    /// Likewise, last observations of episodes that ended.
    pub fn final_observations(&mut self, run: RowRun, leaf: usize, elements: &[u8]) {
        self.copy(self.batch.pointers.final_leaves[leaf], run, elements);
    }

    /// Likewise, last infos of episodes that ended.
    pub fn final_infos(&mut self, run: RowRun, info: usize, elements: &[u8]) {
        self.copy(self.batch.pointers.final_infos[info], run, elements);
    }

    /// Copies the elements of some rows to where they belong.
    fn copy(&mut self, target: Target, RowRun { first, count }: RowRun, elements: &[u8]) {
        let bytes = target.len * target.dtype.size();
        if target.data.is_null() || bytes == 0 {
            return;
        }
        assert!(first + count <= self.lanes.len() && elements.len() == count * bytes, "elements for the rows that there are");
        // SAFETY: there are as many rows as lanes, and they belong to whoever has this value; `stride` bytes lie from one to the next,
        // each of which holds `bytes` bytes, as many as there are elements for.
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
