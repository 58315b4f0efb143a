//! Write access to rows of a batch.

use crate::contract::row::{LeafTarget, Row};
use crate::contract::spec::InfoTiming;
use crate::results::pointers::BatchPointers;
use crate::results::row_span::RowSpan;

/// Values that the engine itself writes into an environment's row after a step or reset.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Transition {
    pub lane: u32,
    pub elapsed: i32,
    pub terminated: bool,
    pub truncated: bool,
    /// Whether this row starts an episode by a reset instead of a step.
    pub begins_episode: bool,
    /// Whether the lane was stepped or reset; false if the row only repeats the last observation.
    pub did_act: bool,
    /// Whether the discount of later rewards is 0 although the episode may continue.
    pub zero_discount: bool,
}

impl Transition {
    /// Creates the data of a row that starts an episode, to which `elapsed` steps already count.
    #[inline(always)]
    pub fn started(lane: usize, elapsed: i32) -> Self {
        let lane = lane as u32;
        Self { lane, elapsed, terminated: false, truncated: false, begins_episode: true, did_act: true, zero_discount: false }
    }

    /// Creates the data of a row that repeats the last observation.
    #[inline(always)]
    pub fn peeked(lane: usize, elapsed: i32) -> Self {
        Self { begins_episode: false, did_act: false, ..Self::started(lane, elapsed) }
    }

    /// Returns whether the lane's episode has ended.
    #[inline(always)]
    pub fn is_done(&self) -> bool {
        self.terminated || self.truncated
    }
}

/// Results of one step of `W` lanes, with one array for each kind of value.
pub struct TransitionBlock<const W: usize> {
    pub reward: [f64; W],
    pub terminated: [bool; W],
    pub truncated: [bool; W],
    pub elapsed: [i32; W],
    pub lanes: [usize; W],
}

impl<const W: usize> TransitionBlock<W> {
    /// Returns for each lane whether its episode has ended.
    #[inline(always)]
    pub fn done(&self) -> [bool; W] {
        std::array::from_fn(|i| self.terminated[i] | self.truncated[i])
    }

    /// Returns whether any lane's episode has ended.
    #[inline(always)]
    pub fn is_any_done(&self) -> bool {
        self.done().iter().fold(false, |any, done| any | done)
    }

    /// Returns the results of lane number `i` of the block.
    pub fn transition(&self, i: usize) -> Transition {
        Transition {
            lane: self.lanes[i] as u32,
            elapsed: self.elapsed[i],
            terminated: self.terminated[i],
            truncated: self.truncated[i],
            begins_episode: false,
            did_act: true,
            zero_discount: false,
        }
    }
}

/// Write access to one row of a batch: a span of one row.
pub struct RowSlot<'a> {
    pub(super) pointers: &'a BatchPointers,
    pub(super) row: usize,
}

impl<'a> RowSlot<'a> {
    /// Creates access to row number `row`.
    ///
    /// # Safety
    /// The row exists, and the caller has exclusive access to it for the lifetime of the value.
    #[inline(always)]
    pub unsafe fn new(pointers: &'a BatchPointers, row: usize) -> Self {
        Self { pointers, row }
    }

    /// Returns this row as a span.
    #[inline(always)]
    fn span(&mut self) -> RowSpan<'_> {
        RowSpan { pointers: self.pointers, row: self.row, count: 1 }
    }

    /// Borrows this access to the row for a shorter lifetime.
    #[inline(always)]
    pub fn reborrow(&mut self) -> RowSlot<'_> {
        RowSlot { pointers: self.pointers, row: self.row }
    }

    #[inline(always)]
    fn part<'s>(&'s mut self, targets: &'s [LeafTarget]) -> Row<'s> {
        // SAFETY: `new` requires that the row exists, `&mut self` makes access to the row exclusive, and `targets` are columns of
        // the same batch.
        unsafe { Row::new(targets, self.row) }
    }

    /// Returns this row of the observation columns, for writing.
    #[inline(always)]
    pub fn observation(&mut self) -> Row<'_> {
        let pointers = self.pointers;
        self.part(&pointers.leaves)
    }

    /// Returns this row of the info columns, for writing.
    #[inline(always)]
    pub fn info(&mut self) -> Row<'_> {
        let pointers = self.pointers;
        self.part(&pointers.infos)
    }

    /// Returns this row of the final observation columns, for writing, for an episode that just ended.
    pub fn final_observation(&mut self) -> Row<'_> {
        let pointers = self.pointers;
        self.part(&pointers.final_leaves)
    }

    /// Returns this row of the final info columns, for writing, for an episode that just ended.
    pub fn final_info(&mut self) -> Row<'_> {
        let pointers = self.pointers;
        self.part(&pointers.final_infos)
    }

    /// Writes the engine's columns (reward, flags, ids), with one reward per player.
    #[inline(always)]
    pub fn write(&mut self, transition: Transition, rewards: &[f64]) {
        self.span().write_each(|_| transition, |player| rewards[player]);
    }

    /// Sets the infos that the row does not report to zero, after the environment wrote all infos.
    #[inline(always)]
    pub fn clear_absent_infos(&mut self, transition: &Transition) {
        let to = self.pointers;
        if !to.conditional_infos.is_empty() {
            clear_absent(&mut self.info(), &to.conditional_infos, transition.terminated, to.shows_reset(transition));
        }
    }

    /// Sets the final infos that an episode does not report to zero. `terminated`: whether it ended by termination.
    pub fn clear_absent_final_infos(&mut self, terminated: bool) {
        let to = self.pointers;
        clear_absent(&mut self.final_info(), &to.conditional_infos, terminated, false);
    }

    /// Clears the presence flags of these infos in the row.
    pub fn mark_infos_absent(&mut self, infos: &[u32]) {
        let to = self.pointers;
        for (present, _) in infos.iter().filter_map(|info| to.info_present.get(*info as usize)) {
            self.span().put(*present, 1, |_| 0);
        }
    }

    /// Writes the statistics of the ended episode: return, length and duration.
    #[inline]
    pub fn write_episode(&mut self, total: f64, length: i64, seconds: f64) {
        let to = self.pointers;
        self.span().put(to.episode_return, 1, |_| total);
        self.span().put(to.episode_length, 1, |_| length);
        self.span().put(to.episode_time, 1, |_| seconds);
    }
}

fn clear_absent(row: &mut Row<'_>, infos: &[(usize, InfoTiming)], terminated: bool, is_reset: bool) {
    for (info, timing) in infos {
        if !timing.is_reported(terminated, is_reset)
            && let Some(bytes) = row.bytes(*info)
        {
            bytes.fill(0);
        }
    }
}

/// Write access to `W` consecutive rows of a batch, column by column. The environments must have one player.
pub struct RowBlock<'a, const W: usize> {
    pointers: &'a BatchPointers,
    row: usize,
}

impl<'a, const W: usize> RowBlock<'a, W> {
    /// Creates access to the `W` rows that start at row `row`.
    ///
    /// # Safety
    /// The rows exist, and the caller has exclusive access to them for the lifetime of the value.
    #[inline(always)]
    pub unsafe fn new(pointers: &'a BatchPointers, row: usize) -> Self {
        Self { pointers, row }
    }

    /// Writes the engine's columns (reward, flags, ids) of all rows.
    #[inline(always)]
    pub fn write(&mut self, block: &TransitionBlock<W>) {
        let to = self.pointers;
        let ids: [i32; W] = std::array::from_fn(|i| block.lanes[i] as i32);
        match to.reward_is_f64 {
            true => self.put(to.reward.cast(), block.reward),
            false => self.put(to.reward.cast(), block.reward.map(|reward| reward as f32)),
        }
        self.put(to.terminated.cast(), block.terminated);
        self.put(to.truncated.cast(), block.truncated);
        self.put(to.env_id, ids);
        self.put(to.player_env_id, ids);
        self.put(to.lane.cast(), ids);
        self.put(to.elapsed_step, block.elapsed);
        self.put(to.done.cast(), block.done());
        self.put(to.discount, block.done().map(|done| f32::from(u8::from(!done))));
        self.put(to.step_type, block.done().map(|done| 1 + i32::from(done)));
        if !to.info_present.is_empty() {
            RowSpan { pointers: to, row: self.row, count: W }.write_present(&|i| block.transition(i));
        }
    }

    /// Writes one element for each row into `column`. Does nothing if the column is null.
    #[inline(always)]
    fn put<T>(&mut self, column: *mut T, values: [T; W]) {
        if !column.is_null() {
            // SAFETY: `column` is a column of the batch and has an element of this type for each of these rows, to which `new`
            // requires exclusive access. `bool` is one byte, 0 or 1.
            unsafe { column.add(self.row).cast::<[T; W]>().write_unaligned(values) };
        }
    }

    /// Writes the observation of each row, a float32 vector.
    ///
    /// # Panics
    /// If the batch's observations have another shape.
    #[inline(always)]
    pub fn write_observation(&mut self, observation: &[[f32; W]]) {
        let (target, len) = (&self.pointers.leaves[0], observation.len());
        assert!(target.len == len && target.stride == len * size_of::<f32>(), "an observation of another shape");
        let out = target.data.cast::<f32>();
        for i in 0..W {
            for (k, column) in observation.iter().enumerate() {
                // SAFETY: `new` requires exclusive access to the rows, which hold `len` elements each (asserted above).
                // `SimdBatchEnv::new` checks that the observations of a kernel's blocks are float32.
                unsafe { out.add((self.row + i) * len + k).write(column[i]) };
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::contract::config::PoolConfig;
    use crate::contract::spec::{EnvSpec, InfoSpec};
    use crate::results::batch::Batch;
    use crate::results::layout::{Dialect, Format, Layout, Outputs, Role};
    use crate::{Dtype, Space};

    fn batch() -> Batch {
        let mut spec = EnvSpec::new(Space::uniform(-1.0, 1.0, &[1], Dtype::F32), Space::discrete(2));
        spec.info = vec![InfoSpec { timing: InfoTiming::Terminations, ..InfoSpec::new("last", Dtype::F32, &[]) }];
        let outputs = Outputs { dialect: Dialect::Gymnasium, format: Format::Gymnasium };
        let layout = Arc::new(Layout::new(&spec, outputs, &PoolConfig::new(2).unwrap()));
        let mut batch = Batch::new(&layout, 2, 0).unwrap();
        batch.rows = 2;
        batch
    }

    fn block() -> TransitionBlock<2> {
        TransitionBlock { reward: [0.5, 2.0], terminated: [true, false], truncated: [false; 2], elapsed: [1; 2], lanes: [0, 1] }
    }

    #[test]
    fn a_block_writes_which_infos_are_present() {
        let batch = batch();
        // SAFETY: the batch has two rows, and no other code accesses it.
        unsafe { RowBlock::new(&batch.pointers, 0) }.write(&block());
        assert_eq!(batch.values::<u8>(Role::InfoPresent(0)), Some(&[1, 0][..]));
    }

    #[test]
    fn a_block_writes_the_same_bytes_as_its_rows() {
        let (together, mut alone) = (batch(), batch());
        // SAFETY: the batch has two rows, and no other code accesses it.
        unsafe { RowBlock::new(&together.pointers, 0) }.write(&block());
        (0..2).for_each(|row| alone.row(row).write(block().transition(row), &[block().reward[row]]));
        let columns = 0..together.layout().columns.len();
        columns.for_each(|column| assert_eq!(together.bytes(column), alone.bytes(column), "column {column}"));
    }

    #[test]
    #[should_panic(expected = "an observation of another shape")]
    fn a_block_refuses_observations_of_another_shape() {
        let batch = batch();
        // SAFETY: the batch has two rows, and no other code accesses it.
        unsafe { RowBlock::<2>::new(&batch.pointers, 0) }.write_observation(&[[0.0; 2]; 3]);
    }
}
