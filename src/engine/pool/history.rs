//! The turns of lanes, as long as one of them may have to be played again.

use std::sync::Arc;

use crate::play::episodes::Due;
use crate::pool::request::Request;
use crate::pool::turn::{Plan, Turn};

/// The open turn of each lane, and closed ones, back to where it was last saved. What a request asked is kept once, however many lanes
/// it is for; each of its items knows where its lane's turn before lies. Whether the newest turn of a lane is open, the pool's ledger says.
pub struct History {
    requests: Vec<Option<Kept>>,
    /// Free places among those.
    free: Vec<u32>,
    lanes: Vec<LaneTurns>,
}

/// A request that somebody may be asked again.
struct Kept {
    request: Arc<Request>,
    /// Of each item.
    dues: Vec<Due>,
    /// Likewise; none at all where all are asked as ever.
    plans: Vec<Plan>,
    before: Before,
    /// Items that are turns of a lane's.
    users: usize,
}

/// Where the turns before lie of the lanes of a request.
enum Before {
    /// They are items of one request, each of the same number.
    Same(u32),
    Each(Vec<Link>),
}

/// Item `item` of the request kept in place `request`.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Link {
    request: u32,
    item: u32,
}

#[derive(Clone, Copy)]
struct LaneTurns {
    /// Means nothing where there is neither an open turn nor a closed one.
    newest: Link,
    closed: u32,
    /// See [`History::set_aside`].
    is_aside: bool,
}

impl History {
    /// Of lanes that have not been asked anything.
    pub fn new(lanes: usize) -> Self {
        let newest = |item| Link { request: u32::MAX, item };
        let none = |lane| LaneTurns { newest: newest(lane), closed: 0, is_aside: false };
        Self { requests: Vec::new(), free: Vec::new(), lanes: (0..lanes as u32).map(none).collect() }
    }

    /// Notes what a request has asked of its lanes, but for those that only show themselves; `plans` says how, unless all are asked as
    /// ever. None of the lanes has an open turn.
    pub fn open(&mut self, request: &Arc<Request>, dues: &[Due], plans: &[Plan]) {
        let place = self.free.pop().unwrap_or_else(|| {
            self.requests.push(None);
            self.requests.len() as u32 - 1
        });
        let newest = || request.lanes.iter().map(|lane| self.lanes[lane].newest);
        let same = newest().next().map_or(0, |link| link.request);
        let before = match (0..).zip(newest()).all(|(item, link)| link == Link { request: same, item }) {
            true => Before::Same(same),
            false => Before::Each(newest().collect()),
        };
        let mut users = 0;
        for ((item, due), lane) in (0..).zip(dues).zip(request.lanes.iter()) {
            if *due != Due::Show {
                self.lanes[lane].newest = Link { request: place, item };
                users += 1;
            }
        }
        let (request, dues, plans) = (Arc::clone(request), dues.to_vec(), plans.to_vec());
        match users {
            0 => self.free.push(place),
            _ => self.requests[place as usize] = Some(Kept { request, dues, plans, before, users }),
        }
    }

    /// Says that something is to be looked at with each of a lane's turns, or no more.
    pub fn set_aside(&mut self, lane: usize, is_aside: bool) {
        self.lanes[lane].is_aside = is_aside;
    }

    /// Whether there is nothing to be looked at, and no more than `most` turns are closed.
    #[inline]
    pub fn is_plain(&self, lane: usize, most: usize) -> bool {
        let turns = &self.lanes[lane];
        !turns.is_aside && (turns.closed as usize) < most
    }

    /// Whether the newest turn of a lane, which is open, was asked as ever, and there is nothing to be looked at.
    #[inline]
    pub fn is_newest_plain(&self, lane: usize) -> bool {
        let turns = &self.lanes[lane];
        !turns.is_aside && self.kept(turns.newest).plans.is_empty()
    }

    /// How many turns of a lane are closed.
    pub fn closed(&self, lane: usize) -> usize {
        self.lanes[lane].closed as usize
    }

    /// The newest turn of a lane that has one.
    pub fn newest(&self, lane: usize) -> Turn {
        self.turn(self.lanes[lane].newest)
    }

    /// Changes how the open turn of a lane is asked.
    pub fn plan_anew(&mut self, lane: usize, plan: Plan) {
        let Link { request, item } = self.lanes[lane].newest;
        let Kept { dues, plans, .. } = self.requests[request as usize].as_mut().expect("it has a user");
        plans.resize(dues.len(), Plan::default());
        plans[item as usize] = plan;
    }

    /// Closes the open turn of a lane, and forgets it where it is not to be kept.
    #[inline]
    pub fn close(&mut self, lane: usize, is_kept: bool) {
        let turns = &mut self.lanes[lane];
        if is_kept {
            turns.closed += 1;
            return;
        }
        let newest = turns.newest;
        self.lanes[lane].newest = self.before(newest);
        self.leave(newest.request);
    }

    /// Forgets the closed turns of a lane, whose newest `is_open` or not.
    pub fn forget(&mut self, lane: usize, is_open: bool) {
        let newest = self.lanes[lane].newest;
        let count = std::mem::take(&mut self.lanes[lane].closed);
        let mut link = newest;
        for turn in 0..count + u32::from(is_open) {
            let before = self.before(link);
            if !(is_open && turn == 0) {
                self.leave(link.request);
            }
            link = before;
        }
    }

    /// The closed turns of a lane, oldest first; its newest `is_open` or not.
    pub fn turns(&self, lane: usize, is_open: bool) -> Vec<Turn> {
        let LaneTurns { newest, closed, .. } = self.lanes[lane];
        let (mut link, mut turns) = (newest, Vec::with_capacity(closed as usize));
        for turn in 0..closed + u32::from(is_open) {
            turns.extend((!(is_open && turn == 0)).then(|| self.turn(link)));
            link = self.before(link);
        }
        turns.reverse();
        turns
    }

    /// Where a lane's turn before another one lies.
    #[inline]
    fn before(&self, link: Link) -> Link {
        match &self.kept(link).before {
            Before::Same(request) => Link { request: *request, ..link },
            Before::Each(links) => links[link.item as usize],
        }
    }

    #[inline]
    fn kept(&self, link: Link) -> &Kept {
        self.requests[link.request as usize].as_ref().expect("it has a user")
    }

    fn turn(&self, link: Link) -> Turn {
        let Kept { request, dues, plans, .. } = self.kept(link);
        let index = link.item as usize;
        Turn { request: Arc::clone(request), index, due: dues[index], plan: plans.get(index).copied().unwrap_or_default() }
    }

    /// Lets go of one item of a request.
    fn leave(&mut self, place: u32) {
        let request = &mut self.requests[place as usize];
        let kept = request.as_mut().expect("it has a user");
        kept.users -= 1;
        if kept.users == 0 {
            *request = None;
            self.free.push(place);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::play::kind::LaneList;

    fn request(lanes: &[u32]) -> Arc<Request> {
        let mut request = Request::new(Vec::new());
        request.lanes = LaneList::Some(lanes.to_vec());
        Arc::new(request)
    }

    fn step(elapsed: i32) -> Due {
        Due::Step { cut: false, elapsed }
    }

    /// What each closed turn of a lane asked.
    fn dues(history: &History, lane: usize, is_open: bool) -> Vec<(usize, Due)> {
        history.turns(lane, is_open).iter().map(|turn| (turn.index, turn.due)).collect()
    }

    #[test]
    fn each_lane_has_its_own_turns_and_requests_go_with_the_last_of_them() {
        let mut history = History::new(3);
        let requests = [request(&[2, 0]), request(&[0]), request(&[0, 1, 2])];
        history.open(&requests[0], &[step(1), step(2)], &[]);
        [0, 2].into_iter().for_each(|lane| history.close(lane, true));
        history.open(&requests[1], &[step(3)], &[]);
        history.close(0, true);
        history.open(&requests[2], &[step(4), Due::Show, step(5)], &[]);
        assert_eq!(dues(&history, 0, true), [(1, step(2)), (0, step(3))], "the last is open");
        assert_eq!(history.newest(0).due, step(4));
        assert!(dues(&history, 1, false).is_empty(), "it only showed itself");
        history.forget(0, true);
        assert_eq!((dues(&history, 0, true), dues(&history, 2, true)), (vec![], vec![(0, step(1))]));
        assert_eq!(requests.each_ref().map(Arc::strong_count), [2, 1, 2]);
        [0, 2].into_iter().for_each(|lane| history.close(lane, true));
        assert_eq!((dues(&history, 0, false), dues(&history, 2, false)), (vec![(0, step(4))], vec![(0, step(1)), (2, step(5))]));
        [0, 2].into_iter().for_each(|lane| history.forget(lane, false));
        assert_eq!(requests.each_ref().map(Arc::strong_count), [1, 1, 1]);
        assert_eq!(history.free.len(), history.requests.len());
    }

    #[test]
    fn a_turn_that_is_not_kept_is_forgotten_and_another_plan_is_its_own() {
        let mut history = History::new(2);
        let asked = request(&[0, 1]);
        history.open(&asked, &[step(1), step(1)], &[]);
        let anew = Plan { anew: true, ..Plan::default() };
        history.plan_anew(1, anew);
        assert_eq!([0, 1].map(|lane| history.newest(lane).plan), [Plan::default(), anew]);
        history.close(0, false);
        assert!(dues(&history, 0, false).is_empty() && history.closed(0) == 0);
        history.close(1, false);
        assert_eq!(Arc::strong_count(&asked), 1);
    }
}
