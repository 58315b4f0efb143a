//! What is computed for a block of lanes side by side, and its way between lanes, registers and rows.

use crate::play::lanes::{Lanes, Phase};
use crate::results::batch::{Pointers, Transition};

/// What a step made of a block.
pub struct LaneBlock<const W: usize> {
    pub reward: [f64; W],
    pub terminated: [bool; W],
    pub truncated: [bool; W],
    pub elapsed: [i32; W],
    pub lanes: [usize; W],
}

impl<const W: usize> LaneBlock<W> {
    #[inline(always)]
    fn done(&self) -> [bool; W] {
        std::array::from_fn(|i| self.terminated[i] | self.truncated[i])
    }

    /// The phases in which the lanes are left, without autoreset in the same step.
    #[inline(always)]
    pub fn phases(&self) -> [Phase; W] {
        self.done().map(|done| if done { Phase::Finished } else { Phase::Running })
    }

    /// Whether an episode has ended in any of them.
    #[inline(always)]
    pub fn is_any_done(&self) -> bool {
        self.done().iter().fold(false, |any, done| any | done)
    }

    /// What the engine's columns say of lane number `i`.
    pub fn transition(&self, i: usize) -> Transition {
        Transition {
            lane: self.lanes[i] as u32,
            elapsed: self.elapsed[i],
            terminated: self.terminated[i],
            truncated: self.truncated[i],
            begins_episode: false,
            is_news: true,
            zero_discount: false,
        }
    }
}

impl Pointers {
    /// Writes the engine's columns of `W` rows that were stepped.
    ///
    /// # Safety
    /// The rows must exist and belong to the caller alone.
    #[inline(always)]
    pub unsafe fn write_block<const W: usize>(&self, row: usize, block: &LaneBlock<W>) {
        let ids: [i32; W] = std::array::from_fn(|i| block.lanes[i] as i32);
        // SAFETY: the rows are the caller's; null columns are skipped; `bool` is one byte, 0 or 1.
        unsafe {
            if self.reward_is_f64 {
                write_all(self.reward.cast(), row, block.reward);
            } else {
                write_all(self.reward.cast(), row, block.reward.map(|reward| reward as f32));
            }
            write_all(self.terminated.cast(), row, block.terminated);
            write_all(self.truncated.cast(), row, block.truncated);
            write_all(self.env_id, row, ids);
            write_all(self.player_env_id, row, ids);
            write_all(self.lane.cast(), row, ids);
            write_all(self.elapsed_step, row, block.elapsed);
            write_all(self.done.cast(), row, block.done());
            write_all(self.discount, row, block.done().map(|done| f32::from(u8::from(!done))));
            write_all(self.step_type, row, block.done().map(|done| 1 + i32::from(done)));
            if !self.info_present.is_empty() {
                (0..W).for_each(|i| self.write_present(row + i, &block.transition(i)));
            }
        }
    }
}

/// Writes `W` observations, one after the other, from row `row` on.
///
/// # Safety
/// The rows must exist and belong to the caller alone.
#[inline(always)]
pub unsafe fn write_observation<const W: usize>(out: *mut f32, row: usize, observation: &[[f32; W]]) {
    let len = observation.len();
    for i in 0..W {
        for (k, column) in observation.iter().enumerate() {
            // SAFETY: promised by the caller.
            unsafe { out.add((row + i) * len + k).write(column[i]) };
        }
    }
}

/// # Safety
/// `column` is null or has `W` elements from `row` on that belong to the caller alone.
#[inline(always)]
unsafe fn write_all<T, const W: usize>(column: *mut T, row: usize, values: [T; W]) {
    if !column.is_null() {
        // SAFETY: promised by the caller.
        unsafe { column.add(row).cast::<[T; W]>().write_unaligned(values) };
    }
}

/// The elements of these lanes; `IN_ORDER` where they are consecutive.
///
/// # Safety
/// The lanes must belong to the caller alone.
#[inline(always)]
pub unsafe fn load<T: Copy, const W: usize, const IN_ORDER: bool>(from: &Lanes<T>, lanes: &[usize; W]) -> [T; W] {
    // SAFETY: passed on to the caller.
    unsafe { if IN_ORDER { *from.block(lanes[0]) } else { std::array::from_fn(|i| *from.get(lanes[i])) } }
}

/// Puts elements back into these lanes; `IN_ORDER` where they are consecutive.
///
/// # Safety
/// The lanes must belong to the caller alone.
#[inline(always)]
pub unsafe fn store<T: Copy, const W: usize, const IN_ORDER: bool>(to: &Lanes<T>, lanes: &[usize; W], values: &[T; W]) {
    // SAFETY: passed on to the caller.
    unsafe {
        if IN_ORDER {
            *to.block(lanes[0]) = *values;
        } else {
            for i in 0..W {
                *to.get(lanes[i]) = values[i];
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::contract::config::PoolConfig;
    use crate::contract::spec::{EnvSpec, InfoSpec, Occasion};
    use crate::results::batch::Batch;
    use crate::results::layout::{Dialect, Format, Layout, Outputs, Role};
    use crate::{Dtype, Space};

    #[test]
    fn a_block_writes_which_infos_are_present() {
        let mut spec = EnvSpec::new(Space::uniform(-1.0, 1.0, &[1], Dtype::F32), Space::discrete(2));
        spec.info = vec![InfoSpec { occasion: Occasion::Terminations, ..InfoSpec::new("last", Dtype::F32, &[]) }];
        let outputs = Outputs { dialect: Dialect::Gymnasium, format: Format::Gymnasium };
        let layout = Arc::new(Layout::new(&spec, outputs, &PoolConfig::new(2).unwrap()));
        let mut batch = Batch::new(&layout, 2, 0);
        batch.rows = 2;
        let block =
            LaneBlock { reward: [0.0; 2], terminated: [true, false], truncated: [false; 2], elapsed: [1; 2], lanes: [0, 1] };
        // SAFETY: the batch has two rows, which no one else uses.
        unsafe { batch.pointers.write_block(0, &block) };
        assert_eq!(batch.values::<u8>(Role::InfoPresent(0)), Some(&[1, 0][..]));
    }
}
