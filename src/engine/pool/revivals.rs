//! What is known of environments so that they can outlive what plays them.

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

/// The books of a policy other than [`Policy::Raise`].
pub struct Revivals {
    recovery: Recovery,
    losses: Losses,
    lives: Vec<Life>,
    /// What lanes were asked; where they resume, back to their last snapshots. Set aside are those of which anything is to be noted with
    /// their turns: all others' lives need not be looked at.
    history: History,
    /// Lanes that are being brought to where they have to be before they can do what they were asked.
    pub preludes: usize,
}

/// What is known of one lane's life.
#[derive(Default)]
struct Life {
    /// It was brought back to where it was, which its next row has to tell.
    returned: bool,
    /// The seed with which the episode begins once more that a row showed the beginning of when it told of a loss.
    again: Option<u64>,
    /// What it has been asked that is no turn.
    other: Option<Todo>,
    /// The state from which its turns go on; none: as it was made.
    saved: Option<Message>,
    /// What has to be done before it can do what it was asked; the first is under way.
    prelude: VecDeque<Todo>,
}

/// What a lane has to do.
pub enum Todo {
    Turn(Turn),
    Call(Message),
    Save,
    Load(Message),
}

impl Todo {
    /// What is neither step nor reset, to be kept.
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
    /// For lanes that are seeded so by their first reset; `None` where nothing is brought back.
    pub fn new(recovery: Recovery, seeds: impl Iterator<Item = Option<u64>>) -> Option<Self> {
        if recovery.policy == Policy::Raise {
            return None;
        }
        let seeds: Vec<_> = seeds.collect();
        let lives: Vec<_> = seeds.iter().map(|_| Life::default()).collect();
        let history = History::new(lives.len());
        Some(Self { recovery, losses: Losses::new(recovery, seeds.into_iter()), lives, history, preludes: 0 })
    }

    /// Whether lanes go on where they were.
    fn resumes(&self) -> bool {
        matches!(self.recovery.policy, Policy::Resume { .. })
    }

    /// Whether requests that were lost are sent again as they were.
    fn retries(&self) -> bool {
        self.recovery.policy == Policy::Retry
    }

    /// Turns after which a lane is saved.
    fn interval(&self) -> usize {
        match self.recovery.policy {
            Policy::Resume { every } => every.max(1) as usize,
            Policy::Raise | Policy::NewEpisode | Policy::Retry => usize::MAX,
        }
    }

    /// Whether all of these lanes play their next steps as ever.
    pub fn are_plain(&self, lanes: &LaneList) -> bool {
        let interval = self.interval();
        lanes.iter().all(|lane| self.history.is_plain(lane, interval))
    }

    /// How to ask for a turn that is due; `first_seed` is the seed of a first reset.
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

    /// Notes that lanes have been asked for turns, and how (see [`History::open`]); what is to be done before, if anything, is then the
    /// first of a lane's prelude.
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

    /// Notes that a lane has been asked something else, for which it has to be where it was.
    pub fn note_other(&mut self, lane: usize, other: Todo) {
        self.lives[lane].other = Some(other);
        if self.losses.is_owed(lane) && self.recovery.policy != Policy::NewEpisode {
            self.losses.set_owed(lane, false);
            self.retrace(lane, false);
            self.preludes += usize::from(!self.lives[lane].prelude.is_empty());
        }
    }

    /// Whether a lane has to do something before what it was asked, and what.
    pub fn first_prelude(&self, lane: usize) -> Option<&Todo> {
        self.lives[lane].prelude.front()
    }

    /// The turn that a lane was asked for, where its newest one `is_open`.
    pub fn turn(&self, lane: usize, is_open: bool) -> Option<Turn> {
        is_open.then(|| self.history.newest(lane))
    }

    /// What else a lane was asked.
    pub fn other(&self, lane: usize) -> Option<&Todo> {
        self.lives[lane].other.as_ref()
    }

    /// Takes in what the first prelude of a lane gave, whose newest turn `is_open` or not.
    pub fn finish_prelude(&mut self, lane: usize, is_open: bool, saved: Option<Message>) {
        let life = &mut self.lives[lane];
        let done = life.prelude.pop_front();
        self.preludes -= usize::from(done.is_some() && life.prelude.is_empty());
        if let (Some(Todo::Save), Some(state)) = (&done, saved) {
            life.saved = Some(state);
            self.history.forget(lane, is_open);
        }
    }

    /// Gives up what a lane had to do before what it was asked, which has failed; it is to be tried again with what comes next.
    pub fn drop_prelude(&mut self, lane: usize) {
        let life = &mut self.lives[lane];
        if !life.prelude.is_empty() {
            life.prelude.clear();
            self.preludes -= 1;
            self.losses.set_owed(lane, true);
            self.history.set_aside(lane, true);
        }
    }

    /// Notes that a lane has answered what it was asked, well or not: its newest turn where that was open. Says whether its row tells of a
    /// loss.
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

    /// Records a lane's seed, from which those of episodes after losses follow.
    pub fn note_seed(&mut self, lane: usize, seed: u64) {
        self.losses.note_seed(lane, seed);
    }

    /// Has a lane's next turn report a loss that was reported to nobody.
    pub fn owe(&mut self, lane: usize) {
        self.losses.set_owed(lane, true);
        self.history.set_aside(lane, true);
    }

    /// Notes that a place was lost in which these lanes lived.
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

    /// What a lane was asked was lost, and its place is back: whether it can be asked again, and is about to be. It can be if that was its
    /// newest turn, which `is_open`.
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
        // A reset keeps the seed that it was given, or that was its own before there was any loss.
        let own = plan.seed.filter(|_| tells == Tells::InReset && plan.tells == Tells::Nothing);
        let seed = request.kind.seed(index).or(own).or(self.losses.next_seed(lane));
        self.history.plan_anew(lane, Plan { seed, anew: true, tells, waits: false });
        true
    }

    /// The lanes of the place that a lane was lost with, and its number, if it may be restarted although it was given up.
    pub fn forgive(&mut self, lane: usize) -> Option<(usize, Vec<usize>)> {
        let place = if self.retries() { self.losses.forgive(lane)? } else { return None };
        Some((place, (0..self.lives.len()).filter(|lane| self.losses.place(*lane) == Some(place)).collect()))
    }

    /// Has a lane brought to where it was before what it is asked now: its newest turn where that `is_open`.
    fn retrace(&mut self, lane: usize, is_open: bool) {
        let life = &mut self.lives[lane];
        life.prelude.clear();
        life.prelude.extend(life.saved.clone().map(Todo::Load));
        life.prelude.extend(self.history.turns(lane, is_open).into_iter().map(Todo::Turn));
    }
}
