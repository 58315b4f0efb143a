//! The sending side of a pool: ids into lanes, and requests used again.

use std::collections::VecDeque;
use std::sync::Arc;
use std::time::Instant;

use crate::contract::actions::ActionKey;
use crate::contract::error::{Error, Result};
use crate::play::kind::LaneList;
use crate::pool::request::Request;

/// What only one sender at a time may use.
pub struct Sender {
    /// A request whose buffers can be used again.
    pub spare: Option<Box<Request>>,
    /// Requests that were queued, to be used again once nobody else holds them.
    pub queued_requests: VecDeque<Arc<Request>>,
    /// `mark[lane] == epoch`: seen in the ids at hand.
    mark: Vec<u32>,
    epoch: u32,
    pub last_call: Instant,
    pub streak: u32,
    /// Lanes queued in all, in an async pool.
    pub queued: u64,
    pub calls: u32,
}

impl Sender {
    /// For a pool of `lanes` lanes.
    pub fn new(lanes: usize) -> Self {
        Self {
            spare: None,
            queued_requests: VecDeque::new(),
            mark: vec![0; lanes],
            epoch: 0,
            last_call: Instant::now(),
            streak: 0,
            queued: 0,
            calls: 0,
        }
    }

    /// A request to be filled, with buffers of an earlier one where there is one.
    #[inline]
    pub fn request(&mut self, keys: &[ActionKey]) -> Box<Request> {
        self.spare.take().unwrap_or_else(|| self.reclaim(keys))
    }

    #[cold]
    fn reclaim(&mut self, keys: &[ActionKey]) -> Box<Request> {
        let fresh = || Request::new(keys.iter().map(ActionKey::column).collect());
        let Some(oldest) = self.queued_requests.pop_front() else { return Box::new(fresh()) };
        Box::new(Arc::try_unwrap(oldest).unwrap_or_else(|busy| {
            self.queued_requests.push_back(busy); // looked at again when its turn comes
            fresh()
        }))
    }

    /// Checks ids and turns them into lanes.
    #[inline]
    pub fn collect_lanes(&mut self, lanes: &mut LaneList, ids: Option<&[i64]>) -> Result<()> {
        let count = self.mark.len();
        let Some(ids) = ids else {
            *lanes = LaneList::All(count);
            return Ok(());
        };
        if ids.len() == count && ids.iter().enumerate().all(|(index, id)| *id == index as i64) {
            *lanes = LaneList::All(count);
            return Ok(());
        }
        let mut list = match std::mem::replace(lanes, LaneList::All(0)) {
            LaneList::Some(mut list) => {
                list.clear();
                list
            }
            LaneList::All(_) => Vec::with_capacity(ids.len()),
        };
        self.next_epoch();
        for (index, id) in ids.iter().enumerate() {
            let lane = usize::try_from(*id).ok().filter(|lane| *lane < count);
            let lane = lane.ok_or_else(|| Error::Index(format!("env_id[{index}]={id}: expected 0 to {}", count - 1)))?;
            if std::mem::replace(&mut self.mark[lane], self.epoch) == self.epoch {
                return Err(Error::value(&format!("env_id[{index}]"), id, "each id once at most"));
            }
            list.push(lane as u32);
        }
        *lanes = LaneList::Some(list);
        Ok(())
    }

    fn next_epoch(&mut self) {
        if self.epoch == u32::MAX {
            self.mark.fill(0);
            self.epoch = 0;
        }
        self.epoch += 1;
    }
}
