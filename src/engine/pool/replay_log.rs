//! Log of request items, which are replayed after the loss of a host.

use std::sync::Arc;

use crate::exec::episode_tracker::ItemKind;
use crate::pool::request::Request;
use crate::pool::request_item::{ItemPlan, RequestItem};

/// Log of each lane's open item, and of its closed items since its last snapshot. An item is *open* until its reply is recorded,
/// then *closed*.
///
/// Each request is stored once for all its lanes, and each item refers to the previous item of its lane. The pool's ledger
/// records whether the newest item of a lane is open.
pub struct ReplayLog {
    requests: Vec<Option<LoggedRequest>>,
    /// Indices of free entries of `requests`.
    free: Vec<u32>,
    lanes: Vec<LaneLog>,
}

/// Request in the log, shared by all its lanes.
struct LoggedRequest {
    request: Arc<Request>,
    /// Due operation of each item.
    kinds: Vec<ItemKind>,
    /// Plan of each item; empty if all plans are the default.
    plans: Vec<ItemPlan>,
    previous: PreviousItems,
    /// Number of items of the request to which lanes still refer.
    users: usize,
}

/// References from the items of a request to the previous items of their lanes.
enum PreviousItems {
    /// All previous items belong to the logged request with this index: the item before item `k` is item `k` of that request.
    OneRequest(u32),
    Each(Vec<LogRef>),
}

/// Reference to item `item` of the logged request at index `request`.
#[derive(Clone, Copy, PartialEq, Eq)]
struct LogRef {
    request: u32,
    item: u32,
}

#[derive(Clone, Copy)]
struct LaneLog {
    /// Newest item of the lane; unspecified if the log has no item of the lane.
    newest: LogRef,
    closed: u32,
    /// Whether the lane's next items need recovery work, see [`ReplayLog::set_flagged`].
    is_flagged: bool,
}

impl ReplayLog {
    /// Creates an empty log for `lanes` lanes.
    pub fn new(lanes: usize) -> Self {
        let newest = |item| LogRef { request: u32::MAX, item };
        let none = |lane| LaneLog { newest: newest(lane), closed: 0, is_flagged: false };
        Self { requests: Vec::new(), free: Vec::new(), lanes: (0..lanes as u32).map(none).collect() }
    }

    /// Records the items of a request, except repeated rows, as open items. `plans` is empty if all plans are the default. No
    /// lane may already have an open item.
    pub fn open(&mut self, request: &Arc<Request>, dues: &[ItemKind], plans: &[ItemPlan]) {
        let request_index = self.free.pop().unwrap_or_else(|| {
            self.requests.push(None);
            self.requests.len() as u32 - 1
        });
        let newest = || request.lanes.iter().map(|lane| self.lanes[lane].newest);
        let same = newest().next().map_or(0, |link| link.request);
        let before = match (0..).zip(newest()).all(|(item, link)| link == LogRef { request: same, item }) {
            true => PreviousItems::OneRequest(same),
            false => PreviousItems::Each(newest().collect()),
        };
        let mut users = 0;
        for ((item, due), lane) in (0..).zip(dues).zip(request.lanes.iter()) {
            if *due != ItemKind::Peek {
                self.lanes[lane].newest = LogRef { request: request_index, item };
                users += 1;
            }
        }
        let (request, dues, plans) = (Arc::clone(request), dues.to_vec(), plans.to_vec());
        match users {
            0 => self.free.push(request_index),
            _ => {
                self.requests[request_index as usize] =
                    Some(LoggedRequest { request, kinds: dues, plans, previous: before, users })
            }
        }
    }

    /// Sets whether the next items of a lane need work in the [`RecoveryState`](crate::pool::recovery_state::RecoveryState).
    pub fn set_flagged(&mut self, lane: usize, is_aside: bool) {
        self.lanes[lane].is_flagged = is_aside;
    }

    /// Returns whether a lane is not flagged and has fewer than `most` closed items.
    #[inline]
    pub fn is_unflagged(&self, lane: usize, most: usize) -> bool {
        let turns = &self.lanes[lane];
        !turns.is_flagged && (turns.closed as usize) < most
    }

    /// Returns whether a lane is not flagged and its newest item, which must be open, belongs to a request without plans.
    #[inline]
    pub fn is_newest_unflagged(&self, lane: usize) -> bool {
        let turns = &self.lanes[lane];
        !turns.is_flagged && self.logged(turns.newest).plans.is_empty()
    }

    /// Returns the number of closed items of a lane.
    pub fn closed(&self, lane: usize) -> usize {
        self.lanes[lane].closed as usize
    }

    /// Returns the newest item of a lane. The lane must have an item.
    pub fn newest(&self, lane: usize) -> RequestItem {
        self.item(self.lanes[lane].newest)
    }

    /// Replaces the plan of a lane's open item.
    pub fn replace_plan(&mut self, lane: usize, plan: ItemPlan) {
        let LogRef { request, item } = self.lanes[lane].newest;
        let LoggedRequest { kinds: dues, plans, .. } = self.requests[request as usize].as_mut().expect("it has a user");
        plans.resize(dues.len(), ItemPlan::default());
        plans[item as usize] = plan;
    }

    /// Closes the open item of a lane. Removes the item from the log unless `is_kept`.
    #[inline]
    pub fn close(&mut self, lane: usize, is_kept: bool) {
        let turns = &mut self.lanes[lane];
        if is_kept {
            turns.closed += 1;
            return;
        }
        let newest = turns.newest;
        self.lanes[lane].newest = self.previous(newest);
        self.release_item(newest.request);
    }

    /// Removes the closed items of a lane. `is_open`: whether the newest item is open and stays.
    pub fn remove_closed(&mut self, lane: usize, is_open: bool) {
        let newest = self.lanes[lane].newest;
        let count = std::mem::take(&mut self.lanes[lane].closed);
        let mut link = newest;
        for turn in 0..count + u32::from(is_open) {
            let before = self.previous(link);
            if !(is_open && turn == 0) {
                self.release_item(link.request);
            }
            link = before;
        }
    }

    /// Returns the closed items of a lane, oldest first. `is_open`: whether the newest item is open and excluded.
    pub fn closed_items(&self, lane: usize, is_open: bool) -> Vec<RequestItem> {
        let LaneLog { newest, closed, .. } = self.lanes[lane];
        let (mut link, mut turns) = (newest, Vec::with_capacity(closed as usize));
        for turn in 0..closed + u32::from(is_open) {
            turns.extend((!(is_open && turn == 0)).then(|| self.item(link)));
            link = self.previous(link);
        }
        turns.reverse();
        turns
    }

    /// Returns the item that precedes `link` in its lane's log.
    #[inline]
    fn previous(&self, link: LogRef) -> LogRef {
        match &self.logged(link).previous {
            PreviousItems::OneRequest(request) => LogRef { request: *request, ..link },
            PreviousItems::Each(links) => links[link.item as usize],
        }
    }

    #[inline]
    fn logged(&self, link: LogRef) -> &LoggedRequest {
        self.requests[link.request as usize].as_ref().expect("it has a user")
    }

    fn item(&self, link: LogRef) -> RequestItem {
        let LoggedRequest { request, kinds: dues, plans, .. } = self.logged(link);
        let index = link.item as usize;
        RequestItem {
            request: Arc::clone(request),
            index,
            kind: dues[index],
            plan: plans.get(index).copied().unwrap_or_default(),
        }
    }

    /// Releases one item of a request. Removes the request when its last item is released.
    fn release_item(&mut self, request_index: u32) {
        let request = &mut self.requests[request_index as usize];
        let kept = request.as_mut().expect("it has a user");
        kept.users -= 1;
        if kept.users == 0 {
            *request = None;
            self.free.push(request_index);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::exec::request_kind::LaneList;

    fn request(lanes: &[u32]) -> Arc<Request> {
        let mut request = Request::new(Vec::new());
        request.lanes = LaneList::Some(lanes.to_vec());
        Arc::new(request)
    }

    fn step(elapsed: i32) -> ItemKind {
        ItemKind::Step { truncate: false, elapsed }
    }

    /// Returns the index and the due operation of each closed item of a lane.
    fn dues(history: &ReplayLog, lane: usize, is_open: bool) -> Vec<(usize, ItemKind)> {
        history.closed_items(lane, is_open).iter().map(|turn| (turn.index, turn.kind)).collect()
    }

    #[test]
    fn each_lane_has_its_own_items_and_requests_are_freed_with_the_last() {
        let mut history = ReplayLog::new(3);
        let requests = [request(&[2, 0]), request(&[0]), request(&[0, 1, 2])];
        history.open(&requests[0], &[step(1), step(2)], &[]);
        [0, 2].into_iter().for_each(|lane| history.close(lane, true));
        history.open(&requests[1], &[step(3)], &[]);
        history.close(0, true);
        history.open(&requests[2], &[step(4), ItemKind::Peek, step(5)], &[]);
        assert_eq!(dues(&history, 0, true), [(1, step(2)), (0, step(3))], "the last is open");
        assert_eq!(history.newest(0).kind, step(4));
        assert!(dues(&history, 1, false).is_empty(), "it only showed itself");
        history.remove_closed(0, true);
        assert_eq!((dues(&history, 0, true), dues(&history, 2, true)), (vec![], vec![(0, step(1))]));
        assert_eq!(requests.each_ref().map(Arc::strong_count), [2, 1, 2]);
        [0, 2].into_iter().for_each(|lane| history.close(lane, true));
        assert_eq!((dues(&history, 0, false), dues(&history, 2, false)), (vec![(0, step(4))], vec![(0, step(1)), (2, step(5))]));
        [0, 2].into_iter().for_each(|lane| history.remove_closed(lane, false));
        assert_eq!(requests.each_ref().map(Arc::strong_count), [1, 1, 1]);
        assert_eq!(history.free.len(), history.requests.len());
    }

    #[test]
    fn a_closed_item_is_removed_and_plans_are_stored_per_lane() {
        let mut history = ReplayLog::new(2);
        let asked = request(&[0, 1]);
        history.open(&asked, &[step(1), step(1)], &[]);
        let with_reset = ItemPlan { forces_reset: true, ..ItemPlan::default() };
        history.replace_plan(1, with_reset);
        assert_eq!([0, 1].map(|lane| history.newest(lane).plan), [ItemPlan::default(), with_reset]);
        history.close(0, false);
        assert!(dues(&history, 0, false).is_empty() && history.closed(0) == 0);
        history.close(1, false);
        assert_eq!(Arc::strong_count(&asked), 1);
    }
}
