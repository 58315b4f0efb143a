//! Recovery state of lanes whose host may be lost.

use std::collections::VecDeque;
use std::sync::Arc;

use crate::contract::fault::Message;
use crate::contract::form::{Policy, Recovery};
use crate::outside::exchange::Asked;
use crate::play::episodes::Due;
use crate::play::kind::{Kind, LaneList};
use crate::pool::history::History;
use crate::pool::losses::{Fate, Losses};
use crate::pool::request::Request;
use crate::pool::turn::{Plan, Tells, Turn};

/// Recovery state of all lanes, for every policy but [`Policy::Raise`].
pub struct Revivals {
    recovery: Recovery,
    losses: Losses,
    lives: Vec<Life>,
    /// Log of request items; with [`Policy::Resume`] back to each lane's last snapshot. A lane is flagged in it if its next items
    /// need bookkeeping here, so that other lanes take the fast path.
    history: History,
    /// Number of lanes with a replay queue: operations to execute before the pending one.
    pub preludes: usize,
}

/// Recovery state of one lane.
#[derive(Default)]
struct Life {
    /// Whether the lane was restored after a loss, which its next row has to report.
    returned: bool,
    /// Seed of the episode whose first observation a loss row showed; the next reset repeats that episode.
    again: Option<u64>,
    /// Pending operation that is not a request item.
    other: Option<Todo>,
    /// Snapshot from which the logged items continue; `None`: the newly created environment.
    saved: Option<Message>,
    /// Replay queue: operations to execute before the pending one. The first is in flight.
    prelude: VecDeque<Todo>,
}

/// An operation that a lane executes again after a loss.
pub enum Todo {
    Turn(Turn),
    Call(Message),
    Save,
    Load(Message),
}

impl Todo {
    /// Copies a call, save or load; `None` for steps and resets.
    pub fn of(asked: &Asked<'_>) -> Option<Self> {
        match asked {
            Asked::Call(payload) => Some(Self::Call((*payload).clone())),
            Asked::Save => Some(Self::Save),
            Asked::Load(state) => Some(Self::Load(Message::from(*state))),
            _ => None,
        }
    }
}

impl Revivals {
    /// Creates the state of lanes whose first resets use `seeds`; `None` if the policy restarts no host.
    pub fn new(recovery: Recovery, seeds: impl Iterator<Item = Option<u64>>) -> Option<Self> {
        if recovery.policy == Policy::Raise {
            return None;
        }
        let seeds: Vec<_> = seeds.collect();
        let lives: Vec<_> = seeds.iter().map(|_| Life::default()).collect();
        let history = History::new(lives.len());
        Some(Self { recovery, losses: Losses::new(recovery, seeds.into_iter()), lives, history, preludes: 0 })
    }

    /// Whether recovered lanes continue from their state before the loss.
    fn resumes(&self) -> bool {
        matches!(self.recovery.policy, Policy::Resume { .. })
    }

    /// Whether lost operations are sent again unchanged.
    fn retries(&self) -> bool {
        self.recovery.policy == Policy::Retry
    }

    /// Returns the number of closed items after which a lane is saved.
    fn interval(&self) -> usize {
        match self.recovery.policy {
            Policy::Resume { every } => every.max(1) as usize,
            Policy::Raise | Policy::NewEpisode | Policy::Retry => usize::MAX,
        }
    }

    /// Whether the next items of all these lanes need no bookkeeping.
    pub fn are_plain(&self, lanes: &LaneList) -> bool {
        let interval = self.interval();
        lanes.iter().all(|lane| self.history.is_plain(lane, interval))
    }

    /// Plans an item that is due. `given` is the seed of the request, `first_seed` the seed of a first reset.
    pub fn plan(&self, lane: usize, kind: &Kind, due: Due, given: Option<u64>, first_seed: Option<u64>) -> Plan {
        let life = &self.lives[lane];
        let seed = given.or(first_seed);
        if self.resumes() {
            let is_due = self.history.closed(lane) >= self.interval() && matches!(due, Due::Step { .. } | Due::NextEpisode(_));
            return Plan { seed, waits: self.losses.is_owed(lane) || is_due, ..Plan::default() };
        }
        if self.retries() {
            return Plan { seed, ..Plan::default() };
        }
        if self.losses.is_owed(lane) {
            let tells = Tells::of_loss(kind, due);
            return Plan { seed: seed.or_else(|| self.losses.next_seed(lane)), anew: true, tells, waits: false };
        }
        match life.again {
            Some(again) if !matches!(due, Due::Step { .. }) => Plan { seed: seed.or(Some(again)), anew: true, ..Plan::default() },
            _ => Plan { seed, ..Plan::default() },
        }
    }

    /// Records the items of a request and their plans (see [`History::open`]). A lane whose plan `waits` gets a replay queue,
    /// whose first operation is to be executed next.
    pub fn note_turns(&mut self, request: &Arc<Request>, dues: &[Due], plans: &[Plan]) {
        self.history.open(request, dues, plans);
        let items = request.lanes.iter().zip(dues).zip(plans).enumerate();
        for (index, ((lane, due), plan)) in items.filter(|(_, ((_, due), _))| **due != Due::Show) {
            self.note_turn(lane, *due, *plan, request.kind.seed(index));
        }
    }

    fn note_turn(&mut self, lane: usize, due: Due, plan: Plan, given: Option<u64>) {
        if let Some(seed) = given {
            self.losses.note_seed(lane, seed);
        }
        if !matches!(due, Due::Step { .. }) {
            self.lives[lane].again = None;
        }
        if plan.waits {
            match self.losses.is_owed(lane) {
                true => self.retrace(lane, true),
                false => self.lives[lane].prelude.push_back(Todo::Save),
            }
            self.preludes += usize::from(!self.lives[lane].prelude.is_empty());
        }
        if !self.resumes() || plan.waits {
            self.losses.set_owed(lane, false);
        }
    }

    /// Records an operation that is not a request item. It needs the lane in its state before the loss.
    pub fn note_other(&mut self, lane: usize, other: Todo) {
        self.lives[lane].other = Some(other);
        if self.losses.is_owed(lane) && self.recovery.policy != Policy::NewEpisode {
            self.losses.set_owed(lane, false);
            self.retrace(lane, false);
            self.preludes += usize::from(!self.lives[lane].prelude.is_empty());
        }
    }

    /// Returns the first operation of a lane's replay queue, if it has one.
    pub fn first_prelude(&self, lane: usize) -> Option<&Todo> {
        self.lives[lane].prelude.front()
    }

    /// Returns the pending item of a lane, if its newest item `is_open`.
    pub fn turn(&self, lane: usize, is_open: bool) -> Option<Turn> {
        is_open.then(|| self.history.newest(lane))
    }

    /// Returns the pending operation of a lane that is not a request item.
    pub fn other(&self, lane: usize) -> Option<&Todo> {
        self.lives[lane].other.as_ref()
    }

    /// Applies the reply to the first operation of a lane's replay queue. `is_open` says whether the lane's newest item is open.
    pub fn finish_prelude(&mut self, lane: usize, is_open: bool, saved: Option<Message>) {
        let life = &mut self.lives[lane];
        let done = life.prelude.pop_front();
        self.preludes -= usize::from(done.is_some() && life.prelude.is_empty());
        if let (Some(Todo::Save), Some(state)) = (&done, saved) {
            life.saved = Some(state);
            self.history.forget(lane, is_open);
        }
    }

    /// Drops the replay queue of a lane after a failure. The next operation recovers the lane again.
    pub fn drop_prelude(&mut self, lane: usize) {
        let life = &mut self.lives[lane];
        if !life.prelude.is_empty() {
            life.prelude.clear();
            self.preludes -= 1;
            self.losses.set_owed(lane, true);
            self.history.set_aside(lane, true);
        }
    }

    /// Records the reply to a lane's pending operation, successful or not: to its newest item if that was open. Returns how the
    /// row reports a loss.
    #[inline]
    pub fn note_answer(&mut self, lane: usize, was_open: bool, is_well: bool) -> Tells {
        if was_open && self.history.is_newest_plain(lane) {
            self.history.close(lane, self.resumes());
            return Tells::Nothing;
        }
        self.note_special_answer(lane, was_open, is_well)
    }

    #[inline(never)]
    fn note_special_answer(&mut self, lane: usize, was_open: bool, is_well: bool) -> Tells {
        let (resumes, turn) = (self.resumes(), self.turn(lane, was_open));
        self.losses.note_answer(lane);
        let life = &mut self.lives[lane];
        let mut tells = Tells::Nothing;
        match (turn, life.other.take()) {
            (Some(Turn { plan, .. }), _) => {
                tells = match plan.tells {
                    Tells::Nothing if is_well && std::mem::take(&mut life.returned) => Tells::Return,
                    tells => tells,
                };
                if !resumes && plan.tells == Tells::InStep && self.recovery.repeats {
                    life.again = plan.seed;
                }
                self.history.close(lane, resumes);
            }
            (None, Some(Todo::Load(state))) if is_well => {
                (life.saved, life.again) = (Some(state), None);
                self.losses.set_owed(lane, false);
                self.history.forget(lane, false);
            }
            _ => {}
        }
        let life = &self.lives[lane];
        self.history.set_aside(lane, self.losses.is_owed(lane) || life.returned || life.again.is_some());
        tells
    }

    /// Records a lane's seed, from which the seeds of episodes after losses are derived.
    pub fn note_seed(&mut self, lane: usize, seed: u64) {
        self.losses.note_seed(lane, seed);
    }

    /// Makes a lane's next item report a loss whose row was discarded.
    pub fn owe(&mut self, lane: usize) {
        self.losses.set_owed(lane, true);
        self.history.set_aside(lane, true);
    }

    /// Records the loss of a host that ran `lanes`.
    pub fn note_loss(&mut self, place: usize, lanes: &[u32]) -> Fate {
        let resumes = self.resumes();
        for lane in lanes {
            let life = &mut self.lives[*lane as usize];
            life.returned = resumes;
            self.preludes -= usize::from(!life.prelude.is_empty());
            life.prelude.clear();
            self.history.set_aside(*lane as usize, true);
        }
        self.losses.note_loss(place, lanes)
    }

    /// Prepares a lane's lost operation for being sent again, on its restarted host. Returns false if it cannot be sent again.
    /// With most policies only the newest item can, if it `is_open`.
    pub fn again(&mut self, lane: usize, is_open: bool) -> bool {
        if self.retries() {
            self.losses.set_owed(lane, false);
            return is_open || self.lives[lane].other.is_some();
        }
        let Some(Turn { request, index, due, plan }) = self.turn(lane, is_open) else {
            self.lives[lane].other = None;
            return false;
        };
        self.losses.set_owed(lane, false);
        if self.resumes() {
            self.retrace(lane, true);
            self.preludes += usize::from(!self.lives[lane].prelude.is_empty());
            return true;
        }
        let tells = Tells::of_loss(&request.kind, due);
        // A reset keeps the seed of its request, or its own first seed if there was no earlier loss.
        let own = plan.seed.filter(|_| tells == Tells::InReset && plan.tells == Tells::Nothing);
        let seed = request.kind.seed(index).or(own).or(self.losses.next_seed(lane));
        self.history.plan_anew(lane, Plan { seed, anew: true, tells, waits: false });
        true
    }

    /// Returns the given-up host of a lane, with all lanes of that host, if the policy allows its restart.
    pub fn forgive(&mut self, lane: usize) -> Option<(usize, Vec<usize>)> {
        let place = if self.retries() { self.losses.forgive(lane)? } else { return None };
        Some((place, (0..self.lives.len()).filter(|lane| self.losses.place(*lane) == Some(place)).collect()))
    }

    /// Queues the replay that restores a lane's state before its pending operation, which is its newest item if that `is_open`.
    fn retrace(&mut self, lane: usize, is_open: bool) {
        let life = &mut self.lives[lane];
        life.prelude.clear();
        life.prelude.extend(life.saved.clone().map(Todo::Load));
        life.prelude.extend(self.history.turns(lane, is_open).into_iter().map(Todo::Turn));
    }
}
