//! The row that an answer from outside is written into.

use crate::engine::contract::row::Row;
use crate::engine::results::batch::RowPlace;

/// Where one environment's answer goes. Leaves are written by number, or as bytes that are there already ([`Row::bytes`]); those that
/// nobody asked for are passed over.
pub struct RowOut<'a> {
    /// The reward of each player; zero at first.
    pub rewards: &'a mut [f64],
    pub(in crate::engine) place: RowPlace<'a>,
    /// Infos that the environment did not give.
    pub(in crate::engine) missing: &'a mut Vec<u32>,
}

impl RowOut<'_> {
    /// The observation's leaves, in the order of the form.
    #[inline]
    pub fn observation(&mut self) -> Row<'_> {
        // SAFETY: whoever made this value owns the row, which is borrowed as long as the result lives.
        unsafe { self.place.pointers.observation(self.place.row) }
    }

    /// The infos, in the order of the form.
    #[inline]
    pub fn infos(&mut self) -> Row<'_> {
        // SAFETY: as above.
        unsafe { self.place.pointers.info(self.place.row) }
    }

    /// The last observation of an episode that ended, where the next one began in the same answer.
    #[inline]
    pub fn final_observation(&mut self) -> Row<'_> {
        // SAFETY: as above.
        unsafe { self.place.pointers.final_observation(self.place.row) }
    }

    /// The last infos of an episode that ended, where the next one began in the same answer.
    #[inline]
    pub fn final_infos(&mut self) -> Row<'_> {
        // SAFETY: as above.
        unsafe { self.place.pointers.final_info(self.place.row) }
    }

    /// Says that the environment did not give info number `info`: its element is meaningless, and its presence false.
    pub fn leave_out(&mut self, info: usize) {
        self.missing.push(info as u32);
    }
}
