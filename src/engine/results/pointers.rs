//! Addresses of a batch's columns, for writing rows.

use std::sync::Arc;

use crate::contract::row::LeafTarget;
use crate::contract::space::Dtype;
use crate::contract::spec::InfoTiming;
use crate::results::aligned_buffer::AlignedBuffer;
use crate::results::layout::{Layout, LeafSpan, Role};
use crate::results::row_slot::Transition;

/// Addresses of a batch's columns, by role; null if the layout has no such column.
#[derive(Debug)]
pub struct BatchPointers {
    pub leaves: Vec<LeafTarget>,
    pub infos: Vec<LeafTarget>,
    pub final_leaves: Vec<LeafTarget>,
    pub final_infos: Vec<LeafTarget>,
    pub reward: *mut u8,
    pub reward_is_f64: bool,
    pub players: usize,
    pub terminated: *mut u8,
    pub truncated: *mut u8,
    pub done: *mut u8,
    pub discount: *mut f32,
    pub step_type: *mut i32,
    /// Presence flags of the infos. For each info: the address of its column, and after which resets and steps the info is
    /// emitted.
    pub info_present: Vec<(*mut u8, InfoTiming)>,
    /// Infos that are set to zero in the rows that do not report them: the index in `infos`, and the timing.
    pub conditional_infos: Vec<(usize, InfoTiming)>,
    /// Whether rows of ended episodes hold the next episode's first observation (same-step autoreset).
    pub has_final_columns: bool,
    pub env_id: *mut i32,
    pub player_env_id: *mut i32,
    pub elapsed_step: *mut i32,
    pub episode_return: *mut f64,
    pub episode_length: *mut i64,
    pub episode_time: *mut f64,
    /// Lane of each row.
    pub lane: *mut u32,
}

// SAFETY: `BatchPointers` only holds addresses. Rows are written through `RowSlot`, whose constructor requires exclusive access.
unsafe impl Send for BatchPointers {}
// SAFETY: shared access only copies addresses. Rows are written through `RowSlot`, whose constructor requires exclusive access.
unsafe impl Sync for BatchPointers {}

impl BatchPointers {
    pub fn new(layout: &Layout, memory: &[Arc<AlignedBuffer>], lane: *mut u32) -> Self {
        const NULL: *mut u8 = std::ptr::null_mut();
        let absent = LeafTarget { data: NULL, stride: 0, dtype: Dtype::F32, len: 0 };
        let reward = layout.index(Role::Reward).map(|index| &layout.columns[index]);
        let mut pointers = Self {
            leaves: vec![absent; layout.leaves.len()],
            infos: vec![absent; layout.infos.len()],
            final_leaves: vec![absent; layout.final_leaves.len()],
            final_infos: vec![absent; layout.final_infos.len()],
            reward: NULL,
            reward_is_f64: reward.is_some_and(|column| column.dtype == Dtype::F64),
            players: reward.map_or(1, |column| column.rows),
            terminated: NULL,
            truncated: NULL,
            done: NULL,
            discount: NULL.cast(),
            step_type: NULL.cast(),
            info_present: layout.info_timings.iter().map(|occasion| (NULL, *occasion)).collect(),
            conditional_infos: layout.conditional_infos.clone(),
            has_final_columns: !layout.final_leaves.is_empty(),
            env_id: NULL.cast(),
            player_env_id: NULL.cast(),
            elapsed_step: NULL.cast(),
            episode_return: NULL.cast(),
            episode_length: NULL.cast(),
            episode_time: NULL.cast(),
            lane,
        };
        for (column, memory) in memory.iter().enumerate() {
            pointers.set_column(layout, column, memory.data());
        }
        pointers
    }

    /// Returns whether the row of a transition shows the first observation of an episode.
    #[inline(always)]
    pub fn shows_reset(&self, transition: &Transition) -> bool {
        transition.begins_episode | (self.has_final_columns & transition.is_done())
    }

    /// Sets the addresses of column number `column`, and of the leaves in it, to memory that starts at `data`.
    pub fn set_column(&mut self, layout: &Layout, column: usize, data: *mut u8) {
        match layout.column(column).role {
            Role::Observation(_) | Role::RawObservation => {
                set_leaf_targets(&mut self.leaves, layout.leaves.iter().map(Some), layout, column, data);
            }
            Role::FinalObservation(_) | Role::RawFinalObservation => {
                set_leaf_targets(&mut self.final_leaves, layout.final_leaves.iter().map(Some), layout, column, data);
            }
            Role::Info(_) => set_leaf_targets(&mut self.infos, layout.infos.iter().map(Option::as_ref), layout, column, data),
            Role::FinalInfo(_) => {
                set_leaf_targets(&mut self.final_infos, layout.final_infos.iter().map(Option::as_ref), layout, column, data);
            }
            Role::InfoPresent(_) => {
                let before = layout.columns[..column].iter().filter(|column| matches!(column.role, Role::InfoPresent(_)));
                self.info_present[before.count()].0 = data;
            }
            Role::Reward => self.reward = data,
            Role::Terminated => self.terminated = data,
            Role::Truncated => self.truncated = data,
            Role::Done => self.done = data,
            Role::Discount => self.discount = data.cast(),
            Role::StepType => self.step_type = data.cast(),
            Role::EnvId => self.env_id = data.cast(),
            Role::PlayerEnvId => self.player_env_id = data.cast(),
            Role::ElapsedStep => self.elapsed_step = data.cast(),
            Role::EpisodeReturn => self.episode_return = data.cast(),
            Role::EpisodeLength => self.episode_length = data.cast(),
            Role::EpisodeTime => self.episode_time = data.cast(),
        }
    }
}

/// Sets the addresses of the `targets` that belong to column number `column` to memory that starts at `data`.
fn set_leaf_targets<'a>(
    targets: &mut [LeafTarget],
    places: impl Iterator<Item = Option<&'a LeafSpan>>,
    layout: &Layout,
    column: usize,
    data: *mut u8,
) {
    let (dtype, stride) = (layout.column(column).dtype, layout.column(column).stride());
    for (target, place) in targets.iter_mut().zip(places) {
        if let Some(place) = place.filter(|place| place.column == column) {
            // SAFETY: `Layout` places each leaf inside the column's row, so that the offset is inside the first row.
            let data = unsafe { data.add(place.offset) };
            *target = LeafTarget { data, stride, dtype, len: place.len };
        }
    }
}
