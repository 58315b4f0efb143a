//! Checks ids of environments, and converts them to lanes.

use crate::contract::error::{Error, Result};
use crate::exec::request_kind::LaneList;

/// Checks that ids are in range and occur at most once.
pub struct IdChecker {
    /// Epoch at which each lane was last seen: equal to `epoch` if the lane occurs in the ids that are being checked.
    seen_epoch: Vec<u32>,
    epoch: u32,
}

impl IdChecker {
    /// Creates the checker of a pool of `lanes` lanes.
    pub fn new(lanes: usize) -> Self {
        Self { seen_epoch: vec![0; lanes], epoch: 0 }
    }

    /// Converts ids (`None`: all) to lanes, each at most once, in the memory of the list `earlier`.
    ///
    /// # Errors
    /// `Index` or `Value` for ids that are out of range or repeated.
    #[inline]
    pub fn check(&mut self, ids: Option<&[i64]>, earlier: LaneList) -> Result<LaneList> {
        let count = self.seen_epoch.len();
        let Some(ids) = ids else { return Ok(LaneList::All(count)) };
        if ids.len() == count && ids.iter().enumerate().all(|(index, id)| *id == index as i64) {
            return Ok(LaneList::All(count));
        }
        let mut lanes = match earlier {
            LaneList::Some(lanes) => lanes,
            LaneList::All(_) => Vec::with_capacity(ids.len()),
        };
        lanes.clear();
        self.next_epoch();
        for (index, id) in ids.iter().enumerate() {
            let lane = usize::try_from(*id).ok().filter(|lane| *lane < count);
            let lane = lane.ok_or_else(|| Error::Index(format!("env_id[{index}]={id}: expected 0 to {}", count - 1)))?;
            if std::mem::replace(&mut self.seen_epoch[lane], self.epoch) == self.epoch {
                return Err(Error::value(&format!("env_id[{index}]"), id, "each id once at most"));
            }
            lanes.push(lane as u32);
        }
        Ok(LaneList::Some(lanes))
    }

    fn next_epoch(&mut self) {
        if self.epoch == u32::MAX {
            self.seen_epoch.fill(0);
            self.epoch = 0;
        }
        self.epoch += 1;
    }
}
