//! What is known of environments so that they can outlive what plays them.

use std::collections::VecDeque;
use std::sync::Arc;

use crate::engine::contract::fault::Message;
use crate::engine::contract::form::{Policy, Recovery};
use crate::engine::outside::traits::Asked;
use crate::engine::play::episodes::Due;
use crate::engine::play::kind::Kind;
use crate::engine::pool::losses::{Fate, Losses};
use crate::engine::pool::request::Request;

/// The books of a policy other than [`Policy::Raise`].
pub struct Revivals {
    recovery: Recovery,
    losses: Losses,
    pub lives: Vec<Life>,
    /// Lanes that are being brought to where they have to be before they can do what they were asked.
    pub preludes: usize,
}

/// What is known of one lane's life.
#[derive(Default)]
pub struct Life {
    /// It was brought back to where it was, which its next row has to tell.
    pub returned: bool,
    /// The seed with which the episode begins once more that a row showed the beginning of when it told of a loss.
    again: Option<u64>,
    /// What it has been asked.
    pub current: Option<Current>,
    /// The state from which its log goes on; none: as it was made.
    saved: Option<Message>,
    /// Turns that it has played since.
    log: Vec<Logged>,
    /// What has to be done before it can do what it was asked; the first is under way.
    prelude: VecDeque<Prelude>,
}

/// A turn that a lane was asked for.
#[derive(Clone)]
pub struct Turn {
    pub request: Arc<Request>,
    pub index: usize,
    pub due: Due,
    pub plan: Plan,
}

/// The same in little memory, of which every lane has many.
struct Logged {
    request: Arc<Request>,
    index: u32,
    due: Due,
    /// Most are asked for as ever.
    plan: Option<Box<Plan>>,
}

impl Logged {
    fn new(turn: Turn) -> Self {
        let Turn { request, index, due, plan } = turn;
        Self { request, index: index as u32, due, plan: (plan != Plan::default()).then(|| Box::new(plan)) }
    }

    fn turn(&self) -> Turn {
        let plan = self.plan.as_deref().copied().unwrap_or_default();
        Turn { request: Arc::clone(&self.request), index: self.index as usize, due: self.due, plan }
    }
}

/// What a lane has been asked.
#[derive(Clone)]
pub enum Current {
    Turn(Turn),
    Call(Message),
    Save,
    Load(Message),
}

impl Current {
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

/// Something to be done before a lane can do what it was asked.
pub enum Prelude {
    Save,
    Load(Message),
    Turn(Turn),
}

/// Whether a row tells of a loss.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Tells {
    /// It does not.
    #[default]
    Nothing,
    /// It answers a reset.
    InReset,
    /// It answers a step, which ended the episode that was lost.
    InStep,
    /// That the environment is back where it was.
    Return,
}

impl Tells {
    /// How the turn that was lost, or is the first after a loss, tells of it: a step that is the first reset has no episode to lose.
    fn of_loss(kind: &Kind, due: Due) -> Self {
        if matches!(kind, Kind::Reset { .. }) || due == Due::Reset { Self::InReset } else { Self::InStep }
    }
}

/// How a turn is asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Plan {
    /// Of a reset.
    pub seed: Option<u64>,
    /// As a reset, whatever is due.
    pub anew: bool,
    pub tells: Tells,
    /// Something has to be done before.
    pub waits: bool,
}

impl Revivals {
    /// For lanes that are seeded so by their first reset; `None` where nothing is brought back.
    pub fn new(recovery: Recovery, seeds: impl Iterator<Item = Option<u64>>) -> Option<Self> {
        let seeds: Vec<_> = seeds.collect();
        let lives = seeds.iter().map(|_| Life::default()).collect();
        let losses = Losses::new(recovery, seeds.into_iter());
        (recovery.policy != Policy::Raise).then(|| Self { recovery, losses, lives, preludes: 0 })
    }

    /// Whether lanes go on where they were.
    pub fn resumes(&self) -> bool {
        matches!(self.recovery.policy, Policy::Resume { .. })
    }

    /// How to ask for a turn that is due; `first_seed` is the seed of a first reset.
    pub fn plan(&self, lane: usize, kind: &Kind, due: Due, given: Option<u64>, first_seed: Option<u64>) -> Plan {
        let life = &self.lives[lane];
        let seed = given.or(first_seed);
        if let Policy::Resume { every } = self.recovery.policy {
            let is_due = life.log.len() >= every.max(1) as usize && matches!(due, Due::Step { .. } | Due::NextEpisode(_));
            return Plan { seed, waits: self.losses.is_owed(lane) || is_due, ..Plan::default() };
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

    /// Notes that a lane has been asked for a turn; what is to be done before, if anything, is then the first of its prelude.
    pub fn note_turn(&mut self, lane: usize, turn: Turn) {
        let resumes = self.resumes();
        let life = &mut self.lives[lane];
        if let Some(seed) = turn.request.kind.seed(turn.index) {
            self.losses.note_seed(lane, seed);
        }
        if !matches!(turn.due, Due::Step { .. }) {
            life.again = None;
        }
        if turn.plan.waits {
            match self.losses.is_owed(lane) {
                true => life.retrace(),
                false => life.prelude.push_back(Prelude::Save),
            }
            self.preludes += usize::from(!life.prelude.is_empty());
        }
        if !resumes || turn.plan.waits {
            self.losses.set_owed(lane, false);
        }
        life.current = Some(Current::Turn(turn));
    }

    /// Notes that a lane has been asked something else, for which it has to be where it was.
    pub fn note_other(&mut self, lane: usize, current: Current) {
        let life = &mut self.lives[lane];
        life.current = Some(current);
        if self.losses.is_owed(lane) && self.recovery.policy != Policy::NewEpisode {
            self.losses.set_owed(lane, false);
            life.retrace();
            self.preludes += usize::from(!life.prelude.is_empty());
        }
    }

    /// Whether a lane has to do something before what it was asked, and what.
    pub fn first_prelude(&self, lane: usize) -> Option<&Prelude> {
        self.lives[lane].prelude.front()
    }

    /// Takes in what the first prelude gave.
    pub fn finish_prelude(&mut self, lane: usize, saved: Option<Message>) {
        let life = &mut self.lives[lane];
        let done = life.prelude.pop_front();
        if let (Some(Prelude::Save), Some(state)) = (&done, saved) {
            life.saved = Some(state);
            life.log.clear();
        }
        self.preludes -= usize::from(done.is_some() && life.prelude.is_empty());
    }

    /// Gives up what a lane had to do before what it was asked, which has failed; it is to be tried again with what comes next.
    pub fn drop_prelude(&mut self, lane: usize) {
        let life = &mut self.lives[lane];
        if !life.prelude.is_empty() {
            life.prelude.clear();
            self.losses.set_owed(lane, true);
            self.preludes -= 1;
        }
    }

    /// Notes that a lane has answered what it was asked, well or not.
    pub fn note_answer(&mut self, lane: usize, is_well: bool) {
        let resumes = self.resumes();
        self.losses.note_answer(lane);
        let life = &mut self.lives[lane];
        match life.current.take() {
            Some(Current::Turn(turn)) if resumes => life.log.push(Logged::new(turn)),
            Some(Current::Turn(turn)) if turn.plan.tells == Tells::InStep && self.recovery.repeats => life.again = turn.plan.seed,
            Some(Current::Load(state)) if is_well => {
                life.log.clear();
                (life.saved, life.again) = (Some(state), None);
                self.losses.set_owed(lane, false);
            }
            _ => {}
        }
    }

    /// Notes that a place was lost in which these lanes lived.
    pub fn note_loss(&mut self, place: usize, lanes: &[u32]) -> Fate {
        let resumes = self.resumes();
        for lane in lanes {
            let life = &mut self.lives[*lane as usize];
            life.returned = resumes;
            self.preludes -= usize::from(!life.prelude.is_empty());
            life.prelude.clear();
        }
        self.losses.note_loss(place, lanes)
    }

    /// A lane's request was lost, and its place is back: what it is to be asked in its stead. Nothing where it cannot be asked again.
    pub fn again(&mut self, lane: usize) -> Option<Turn> {
        let (resumes, mixed) = (self.resumes(), self.losses.next_seed(lane));
        let life = &mut self.lives[lane];
        let Some(Current::Turn(turn)) = &mut life.current else {
            life.current = None;
            return None;
        };
        if !resumes {
            let tells = Tells::of_loss(&turn.request.kind, turn.due);
            // A reset keeps the seed that it was given, or that was its own before there was any loss.
            let given = turn.request.kind.seed(turn.index);
            let own = turn.plan.seed.filter(|_| tells == Tells::InReset && turn.plan.tells == Tells::Nothing);
            turn.plan = Plan { seed: given.or(own).or(mixed), anew: true, tells, waits: false };
        }
        let turn = turn.clone();
        self.losses.set_owed(lane, false);
        if resumes {
            life.retrace();
            self.preludes += usize::from(!self.lives[lane].prelude.is_empty());
        }
        Some(turn)
    }
}

impl Life {
    /// Has it brought to where it was before what it is asked now.
    fn retrace(&mut self) {
        self.prelude.clear();
        self.prelude.extend(self.saved.clone().map(Prelude::Load));
        self.prelude.extend(self.log.iter().map(|logged| Prelude::Turn(logged.turn())));
    }
}
