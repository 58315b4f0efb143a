//! Normalises a pool's received batches, and gives access to the running statistics of normalisation.

use crate::contract::error::{Error, Result};
use crate::exec::lane_table::Phase;
use crate::exec::snapshot::Snapshot;
use crate::pool::pool::Pool;
use crate::pool::pool_core::PoolCore;
use crate::pool::receiver::Receiver;
use crate::results::batch::Batch;
use crate::results::normalize::{LaneReturns, NormalizationState, RowCause, SavedNormalization};

impl Receiver {
    /// Normalises a batch that is about to be returned to the caller.
    #[inline(always)]
    pub fn finish(&mut self, core: &PoolCore, batch: Box<Batch>) -> Box<Batch> {
        if self.normalizer.is_some() { self.normalize(core, batch) } else { batch }
    }

    #[inline(never)]
    fn normalize(&mut self, core: &PoolCore, mut batch: Box<Batch>) -> Box<Batch> {
        if let (Some(normalizer), Some(causes)) = (&mut self.normalizer, &core.row_causes) {
            let causes = causes.take(batch.lanes(), &mut self.causes);
            normalizer.apply(&mut batch, causes);
        }
        batch
    }

    /// Takes the causes of the rows in flight, which are discarded before they are received, and starts new returns in the lanes
    /// that were reset.
    pub fn discard_causes(&mut self, core: &PoolCore) {
        let (Some(normalizer), Some(causes)) = (&mut self.normalizer, &core.row_causes) else { return };
        for lane in core.ledger.lanes_in_flight().into_iter().map(|lane| lane as usize) {
            if causes.take_one(lane) == RowCause::Reset {
                normalizer.clear_lane(lane);
            }
        }
    }
}

impl Pool {
    /// Returns the statistics of normalisation; `None` if the pool normalises nothing.
    ///
    /// # Errors
    /// `State` if the pool cannot be used, or another thread is receiving.
    pub fn normalization(&self) -> Result<Option<NormalizationState>> {
        self.check_usable()?;
        let receiver = self.receiver.try_lock().ok_or_else(|| self.busy_error())?;
        Ok(receiver.normalizer.as_ref().map(|normalizer| normalizer.state()))
    }

    /// Replaces the statistics of normalisation.
    ///
    /// # Errors
    /// `State` if the pool cannot be used, if another thread is receiving, or if the pool normalises nothing. `Value` for
    /// statistics of another size, or that are no means, variances and counts. After an error, the statistics are unchanged.
    pub fn set_normalization(&self, state: &NormalizationState) -> Result<()> {
        self.check_usable()?;
        let mut receiver = self.receiver.try_lock().ok_or_else(|| self.busy_error())?;
        match &mut receiver.normalizer {
            Some(normalizer) => normalizer.set_state(state),
            None => Err(Error::State("this pool normalises nothing: make it with normalize_obs or normalize_reward".into())),
        }
    }

    /// Adds each lane's discounted returns to the lane's snapshot. If `is_whole` (the snapshots are of all lanes), adds the
    /// statistics to the first snapshot.
    pub(super) fn add_normalization(
        receiver: Option<&Receiver>,
        snapshots: &mut [Snapshot<'_>],
        lanes: impl Iterator<Item = usize>,
        is_whole: bool,
    ) {
        let Some(normalizer) = receiver.and_then(|receiver| receiver.normalizer.as_ref()) else { return };
        for (index, (snapshot, lane)) in snapshots.iter_mut().zip(lanes).enumerate() {
            let statistics = (is_whole && index == 0).then(|| normalizer.state());
            let statistics = statistics.map(|state| NormalizationState { discounted_returns: Vec::new(), ..state });
            snapshot.normalization = Some(SavedNormalization { lane: normalizer.lane(lane), statistics });
        }
    }

    /// Checks that the statistics in snapshots fit the pool.
    ///
    /// # Errors
    /// `Value` if the statistics have another size.
    pub(super) fn check_normalization(receiver: Option<&Receiver>, snapshots: &[Snapshot<'_>]) -> Result<()> {
        let Some(normalizer) = receiver.and_then(|receiver| receiver.normalizer.as_ref()) else { return Ok(()) };
        statistics_of(snapshots).map_or(Ok(()), |statistics| normalizer.check_statistics(statistics))
    }

    /// Restores each lane's discounted returns from the lane's snapshot. If `is_whole` (the snapshots are of all lanes), also
    /// restores the statistics.
    pub(super) fn restore_normalization(
        receiver: Option<&mut Receiver>,
        snapshots: &[Snapshot<'_>],
        lanes: impl Iterator<Item = usize>,
        is_whole: bool,
    ) -> Result<()> {
        let Some(normalizer) = receiver.and_then(|receiver| receiver.normalizer.as_mut()) else { return Ok(()) };
        for (snapshot, lane) in snapshots.iter().zip(lanes) {
            match &snapshot.normalization {
                Some(saved) => normalizer.set_lane(lane, &saved.lane),
                None => {
                    let has_ended = snapshot.phase == Phase::Finished as u8;
                    normalizer.set_lane(lane, &LaneReturns { returns: Vec::new(), has_ended });
                }
            }
        }
        match statistics_of(snapshots).filter(|_| is_whole) {
            Some(statistics) => normalizer.set_statistics(statistics),
            None => Ok(()),
        }
    }
}

/// Returns the normalisation statistics that one of the snapshots contains; `None` if none does.
fn statistics_of<'a>(snapshots: &'a [Snapshot<'_>]) -> Option<&'a NormalizationState> {
    snapshots.iter().find_map(|snapshot| snapshot.normalization.as_ref()?.statistics.as_ref())
}
