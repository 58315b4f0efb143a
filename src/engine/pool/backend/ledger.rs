//! What a backend pool keeps of its lanes and requests, behind one lock.

use std::collections::VecDeque;
use std::sync::Arc;

use crate::contract::fault::{Fault, Message};
use crate::contract::form::Form;
use crate::outside::row_out::RowOut;
use crate::play::episodes::Due;
use crate::pool::ledger::LaneState;
use crate::pool::request::Request;
use crate::pool::revivals::Revivals;
use crate::pool::turn::Plan;
use crate::results::batch::Batch;

/// Lanes and requests of a backend pool. Locked by whoever sends, takes replies or handles losses; never while waiting.
///
/// What each lane is at, the pool's [`Ledger`](crate::pool::ledger::Ledger) says; here is what goes with it.
pub struct BackendLedger {
    pub lanes: Vec<LaneEntry>,
    /// What to seed the first reset of each lane with, until it has been reset.
    pub first_seeds: Vec<Option<u64>>,
    /// How many lanes have a `fault`.
    pub faults: usize,
    /// How many hosts were lost for good.
    pub dead_hosts: usize,
    /// How many lanes are at calls that nobody waits for any more.
    pub abandoned: usize,
    /// How many lanes are at calls whose replies are collected lane by lane.
    pub called: usize,
    /// What it takes to recover lanes; absent where they are not.
    pub revivals: Option<Revivals>,
    /// Synchronous requests not yet received, oldest first.
    pub sent: VecDeque<SentRequest>,
    /// Rows of the batch that an asynchronous pool is filling.
    pub rows: usize,
    /// What was told with these rows.
    pub extras: BatchExtras,
    /// Lanes that have replied without the backend, in an asynchronous pool: by a `fault`, or by their last row once more.
    pub replied: Vec<u32>,
    /// Scratch memory, used again and again.
    pub scratch: Scratch,
    /// All lanes.
    pub all_lanes: Vec<u32>,
}

/// What goes with the state of one lane.
#[derive(Debug, Clone)]
pub struct LaneEntry {
    /// What was due of its episode; meaningful while it is sent.
    pub due: Due,
    /// Which item of its request that is.
    pub item: u32,
    /// The reply in place of one that will never come.
    pub fault: Option<Box<Fault>>,
    /// Why it cannot be asked anything any more.
    pub dead: Option<Box<Fault>>,
}

/// Memory that is used again and again.
pub struct Scratch {
    /// One row, for replies that nobody looks at; for whoever has locked the ledger.
    pub row: Batch,
    /// The reward of each player.
    pub rewards: Vec<f64>,
    /// Infos that an environment did not give.
    pub missing: Vec<u32>,
    pub lanes: Vec<u32>,
    /// What was due of each item of the request that is being sent.
    pub dues: Vec<Due>,
    /// How each is executed; none at all where they are steps, and all executed as ever.
    pub plans: Vec<Plan>,
}

impl Scratch {
    /// Where to take a reply to whose row nobody looks at.
    pub fn unread_row(&mut self) -> RowOut<'_> {
        RowOut { rewards: &mut self.rewards, row: self.row.row(0), missing: &mut self.missing }
    }
}

/// What a reply brings besides its row.
#[derive(Default)]
pub struct RowExtras {
    pub message: Option<Message>,
    pub restarted: bool,
    pub resumed: bool,
}

/// The same for all rows of a batch.
#[derive(Default)]
pub struct BatchExtras {
    messages: Vec<(u32, Message)>,
    restarted: Vec<u32>,
    resumed: Vec<u32>,
}

impl BatchExtras {
    /// Keeps what came with a row.
    pub fn record(&mut self, row: usize, extras: RowExtras) {
        self.messages.extend(extras.message.map(|message| (row as u32, message)));
        self.restarted.extend(extras.restarted.then_some(row as u32));
        self.resumed.extend(extras.resumed.then_some(row as u32));
    }

    /// Forgets all of it.
    pub fn clear(&mut self) {
        self.messages.clear();
        self.restarted.clear();
        self.resumed.clear();
    }

    /// Moves all of it into a batch, in place of what that had.
    pub fn move_to(&mut self, batch: &mut Batch) {
        batch.forget_messages();
        batch.messages.append(&mut self.messages);
        batch.restarted.append(&mut self.restarted);
        batch.resumed.append(&mut self.resumed);
    }
}

/// A synchronous request on its way.
pub struct SentRequest {
    pub request: Arc<Request>,
    pub batch: Box<Batch>,
    /// What was told with its rows.
    pub extras: BatchExtras,
    /// How many rows have not been written: those of lanes that are still at it.
    pub left: usize,
}

impl SentRequest {
    /// Nothing of it has been received.
    pub fn new(request: Arc<Request>, mut batch: Box<Batch>) -> Self {
        batch.forget_messages();
        let left = request.lanes.len();
        Self { request, batch, extras: BatchExtras::default(), left }
    }
}

impl BackendLedger {
    /// Creates the ledger of `lanes` idle lanes as `form` describes them; `row` is one row of a batch.
    pub fn new(form: &Form, lanes: usize, row: Batch) -> Self {
        let first_seed = |lane: usize| form.seeds.get(lane).copied().flatten();
        let entry = LaneEntry { due: Due::Reset, item: 0, fault: None, dead: None };
        Self {
            lanes: vec![entry; lanes],
            first_seeds: (0..lanes).map(first_seed).collect(),
            faults: 0,
            dead_hosts: 0,
            abandoned: 0,
            called: 0,
            revivals: Revivals::new(form.recovery, (0..lanes).map(first_seed)),
            sent: VecDeque::new(),
            rows: 0,
            extras: BatchExtras::default(),
            replied: Vec::new(),
            scratch: Scratch {
                row,
                rewards: vec![0.0; form.players],
                missing: Vec::new(),
                lanes: Vec::new(),
                dues: Vec::new(),
                plans: Vec::new(),
            },
            all_lanes: (0..lanes as u32).collect(),
        }
    }

    /// Whether no lane has to do something else before what it was asked.
    pub fn is_plain(&self) -> bool {
        self.revivals.as_ref().is_none_or(|revivals| revivals.preludes == 0)
    }

    /// Whether a lane that is at `state` has a reply that does not come from the backend.
    pub fn has_own_reply(&self, lane: usize, state: LaneState) -> bool {
        let entry = &self.lanes[lane];
        entry.fault.is_some() || (state == LaneState::Sent && entry.due == Due::Show)
    }

    /// Whether the replay log has an open item of a lane that is at `state`: it has none of rows that are repeated.
    pub fn is_logged(&self, lane: usize, state: LaneState) -> bool {
        state == LaneState::Sent && self.lanes[lane].due != Due::Show
    }

    /// Gives a lane a reply in place of one that will never come.
    pub fn set_fault(&mut self, lane: usize, fault: Fault) {
        self.lanes[lane].fault = Some(Box::new(fault));
        self.faults += 1;
    }

    /// Takes the reply in place of one that will never come.
    pub fn take_fault(&mut self, lane: usize) -> Option<Fault> {
        let fault = self.lanes[lane].fault.take()?;
        self.faults -= 1;
        Some(*fault)
    }
}
