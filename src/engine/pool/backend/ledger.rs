//! Ledger of a backend pool: the state of its lanes and requests, behind one lock.

use std::collections::VecDeque;
use std::sync::Arc;

use crate::backend::lane_op::LaneReply;
use crate::backend::row_writer::RowWriter;
use crate::backend::traits::{LaneBackend, collect_caught};
use crate::contract::backend_spec::BackendSpec;
use crate::contract::lane_error::{LaneError, Payload};
use crate::exec::episode_tracker::ItemKind;
use crate::pool::ledger::LaneState;
use crate::pool::recovery_state::RecoveryState;
use crate::pool::request::Request;
use crate::pool::request_item::ItemPlan;
use crate::results::batch::Batch;

/// State of the lanes and requests of a backend pool. Threads lock it to send requests, take replies and handle lost hosts, and
/// never while they wait.
///
/// The pool's [`Ledger`](crate::pool::ledger::Ledger) holds the [`LaneState`] of each lane; this ledger holds the data needed in
/// each state.
pub struct BackendLedger {
    /// Backend that runs the lanes. Only the thread that has locked the ledger reaches it.
    pub backend: Box<dyn LaneBackend>,
    pub lanes: Vec<LaneEntry>,
    /// Seed for each lane's first reset; `None` after the lane has been reset.
    pub first_seeds: Vec<Option<u64>>,
    /// Number of lanes whose ledger entry has a `fault`.
    pub faults: usize,
    /// Number of hosts that are permanently lost.
    pub lost_hosts: usize,
    /// Number of lanes that run a call for which no caller waits any more.
    pub abandoned: usize,
    /// Number of lanes with calls whose replies are collected lane by lane.
    pub called: usize,
    /// Recovery state; `None` if lost hosts are not restarted.
    pub recovery: Option<RecoveryState>,
    /// Synchronous requests whose results have not been received, oldest first.
    pub sent: VecDeque<SentRequest>,
    /// Number of rows in the batch that an asynchronous pool is filling.
    pub rows: usize,
    /// Payloads, and reports of lost hosts, of the rows in the batch that an asynchronous pool is filling.
    pub extras: BatchExtras,
    /// Lanes of an asynchronous pool with a reply that does not come from the backend: a `fault`, or a repeated last row.
    pub replied: Vec<u32>,
    /// Reusable scratch memory.
    pub scratch: Scratch,
    /// Numbers of all lanes of the pool.
    pub all_lanes: Vec<u32>,
}

/// Data of one lane in the backend ledger.
#[derive(Debug, Clone)]
pub struct LaneEntry {
    /// Due operation of the lane's current item; meaningful while the lane is sent.
    pub kind: ItemKind,
    /// Index of the current item in its request.
    pub item: u32,
    /// Error that replaces the backend's reply, which will never arrive.
    pub fault: Option<Box<LaneError>>,
    /// Error with which the pool rejects every further operation of the lane, because its host is permanently lost.
    pub host_loss: Option<Box<LaneError>>,
}

/// Scratch memory of the backend ledger, which successive requests and replies reuse.
pub struct Scratch {
    /// Batch of one row that receives replies to be discarded; protected by the ledger lock.
    pub row: Batch,
    /// Scratch memory for the reward of each player.
    pub rewards: Vec<f64>,
    /// Scratch memory for the numbers of the infos that the environment did not provide.
    pub missing: Vec<u32>,
    pub lanes: Vec<u32>,
    /// Due operation of each item of the request that is being sent.
    pub kinds: Vec<ItemKind>,
    /// Plan of each item; empty if all items are steps with the default plan.
    pub plans: Vec<ItemPlan>,
}

/// Data of a reply in addition to its row: a payload, and flags that report a lost host.
#[derive(Default)]
pub struct RowExtras {
    pub message: Option<Payload>,
    pub restarted: bool,
    pub resumed: bool,
}

/// Payloads, and reports of lost hosts, of the rows of a batch ([`RowExtras`] of each row).
#[derive(Default)]
pub struct BatchExtras {
    messages: Vec<(u32, Payload)>,
    restarted: Vec<u32>,
    resumed: Vec<u32>,
}

impl BatchExtras {
    /// Records the payload of row `row`, and whether the row reports a lost host.
    pub fn record(&mut self, row: usize, extras: RowExtras) {
        self.messages.extend(extras.message.map(|message| (row as u32, message)));
        self.restarted.extend(extras.restarted.then_some(row as u32));
        self.resumed.extend(extras.resumed.then_some(row as u32));
    }

    /// Removes the payloads and reports of lost hosts of all rows.
    pub fn clear(&mut self) {
        self.messages.clear();
        self.restarted.clear();
        self.resumed.clear();
    }

    /// Replaces the payloads and reports of lost hosts in `batch` by these, and leaves this value empty.
    pub fn move_to(&mut self, batch: &mut Batch) {
        batch.clear_payloads();
        batch.payloads.append(&mut self.messages);
        batch.restarted.append(&mut self.restarted);
        batch.resumed.append(&mut self.resumed);
    }
}

/// A synchronous request that was sent and whose results have not been received.
pub struct SentRequest {
    pub request: Arc<Request>,
    pub batch: Box<Batch>,
    /// Payloads, and reports of lost hosts, of the rows that have been written.
    pub extras: BatchExtras,
    /// Number of rows of the request that are not yet written.
    pub left: usize,
}

impl SentRequest {
    /// Creates the entry of a request to which no lane has replied yet.
    pub fn new(request: Arc<Request>, mut batch: Box<Batch>) -> Self {
        batch.clear_payloads();
        let left = request.lanes.len();
        Self { request, batch, extras: BatchExtras::default(), left }
    }
}

impl BackendLedger {
    /// Creates the ledger of the `lanes` lanes of `backend`, without pending operations. `form` is the spec of the lanes. `row` is
    /// a batch of one row, which receives replies that are discarded.
    pub fn new(backend: Box<dyn LaneBackend>, form: &BackendSpec, lanes: usize, row: Batch) -> Self {
        let first_seed = |lane: usize| form.seeds.get(lane).copied().flatten();
        let entry = LaneEntry { kind: ItemKind::Reset, item: 0, fault: None, host_loss: None };
        Self {
            backend,
            lanes: vec![entry; lanes],
            first_seeds: (0..lanes).map(first_seed).collect(),
            faults: 0,
            lost_hosts: 0,
            abandoned: 0,
            called: 0,
            recovery: RecoveryState::new(form.recovery, (0..lanes).map(first_seed)),
            sent: VecDeque::new(),
            rows: 0,
            extras: BatchExtras::default(),
            replied: Vec::new(),
            scratch: Scratch {
                row,
                rewards: vec![0.0; form.players],
                missing: Vec::new(),
                lanes: Vec::new(),
                kinds: Vec::new(),
                plans: Vec::new(),
            },
            all_lanes: (0..lanes as u32).collect(),
        }
    }

    /// Collects a lane's reply, and discards its row.
    pub fn collect_unread(&mut self, lane: usize) -> LaneReply {
        let Scratch { row, rewards, missing, .. } = &mut self.scratch;
        collect_caught(&mut *self.backend, lane, &mut RowWriter { rewards, row: row.row(0), absent_infos: missing })
    }

    /// Returns whether all replay queues are empty: no lane must replay operations before its pending operation.
    pub fn is_replay_free(&self) -> bool {
        self.recovery.as_ref().is_none_or(|revivals| revivals.replaying == 0)
    }

    /// Returns whether a lane in `state` has a reply that does not come from the backend.
    pub fn has_local_reply(&self, lane: usize, state: LaneState) -> bool {
        let entry = &self.lanes[lane];
        entry.fault.is_some() || (state == LaneState::Sent && entry.kind == ItemKind::Peek)
    }

    /// Returns whether the replay log of a lane in `state` contains the lane's pending operation. Repeated rows are not logged.
    pub fn is_logged(&self, lane: usize, state: LaneState) -> bool {
        state == LaneState::Sent && self.lanes[lane].kind != ItemKind::Peek
    }

    /// Sets the error that the pool returns as a lane's reply, because the backend's reply will never arrive.
    pub fn set_fault(&mut self, lane: usize, fault: LaneError) {
        self.lanes[lane].fault = Some(Box::new(fault));
        self.faults += 1;
    }

    /// Takes the error that [`set_fault`](Self::set_fault) set as a lane's reply; `None` if there is none.
    pub fn take_fault(&mut self, lane: usize) -> Option<LaneError> {
        let fault = self.lanes[lane].fault.take()?;
        self.faults -= 1;
        Some(*fault)
    }
}
