//! Worker threads that replace worker processes in tests, with environments that count their steps.

use std::collections::VecDeque;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex};
use std::thread::JoinHandle;
use std::time::Instant;

use super::{DIE, END, MESSAGE, RAISE, ROW, WAIT};
use envpool_rs_engine::{HostLoss, LaneError};
use envpool_rs_interop::workers::ProcessSupervisor;
use envpool_rs_transport::{Completion, LeafSize, Operation, RowLayout, RowSet, ShmSegment, Worker, WorkerClaim, flags};

/// Gate at which steps with the action `WAIT` block until it is opened.
#[derive(Default)]
pub(super) struct Gate(pub(super) Mutex<bool>, pub(super) Condvar);

impl Gate {
    pub(super) fn open(&self) {
        *self.0.lock().unwrap() = true;
        self.1.notify_all();
    }

    fn pass(&self) {
        drop(self.1.wait_while(self.0.lock().unwrap(), |open| !*open).unwrap());
    }
}

/// Environment whose observation holds its last seed (-1 for none), its episode number, and the number of steps in the episode.
#[derive(Clone, Copy)]
pub(super) struct Counter {
    pub(super) seed: i64,
    pub(super) episode: i64,
    pub(super) steps: i64,
}

impl Counter {
    fn show(&self, playing: &mut WorkerClaim<'_>, set: RowSet) {
        let values = [self.seed, self.episode, self.steps].map(i64::to_ne_bytes);
        playing.row_mut(0, set).unwrap().copy_from_slice(values.as_flattened());
        // If the rows hold rewards of players, the rewards of the two players are written.
        if let Some(row) = playing.row_mut(1, set) {
            let steps = self.steps as f64;
            row.copy_from_slice([steps, -steps].map(f64::to_ne_bytes).as_flattened());
        }
    }

    pub(super) fn reset(&mut self, seed: Option<i64>) {
        (self.seed, self.episode, self.steps) = (seed.unwrap_or(self.seed), self.episode + 1, 0);
    }

    /// Executes a step of an environment. Returns `None` if the worker must die.
    pub(super) fn step(
        &mut self,
        playing: &mut WorkerClaim<'_>,
        truncate: bool,
        autoreset: bool,
        gate: &Gate,
    ) -> Option<Completion> {
        let message = playing.read_request(<[u8]>::to_vec).unwrap();
        assert_eq!(message[..4], *b"head");
        let mut completion = Completion { flags: flags::OBSERVATION_IN_ROW, ..Completion::default() };
        match message[4] {
            DIE => return None,
            RAISE => {
                playing.write_reply(b"it was asked to").unwrap();
                return Some(Completion { flags: flags::FAILED | flags::MESSAGE, ..completion });
            }
            MESSAGE => {
                playing.write_reply(&[message[4], self.steps as u8]).unwrap();
                completion.flags |= flags::MESSAGE;
            }
            WAIT => gate.pass(),
            _ => {}
        }
        self.steps += 1;
        completion.reward = self.steps as f64;
        completion.terminated = message[4] == END;
        if (completion.terminated || truncate) && autoreset {
            self.show(playing, RowSet::Final);
            self.reset(None);
            completion.flags |= flags::FINAL | flags::FINAL_IN_ROW;
        }
        self.show(playing, RowSet::Current);
        Some(completion)
    }

    fn answer(&mut self, playing: &mut WorkerClaim<'_>, gate: &Gate) -> Option<Completion> {
        match playing.operation() {
            Operation::Step { truncate, autoreset } => self.step(playing, truncate, autoreset, gate),
            Operation::Reset { seed, .. } => {
                let keywords = playing.read_request(<[u8]>::to_vec).unwrap();
                self.reset(seed);
                self.show(playing, RowSet::Current);
                playing.write_reply(&keywords).unwrap();
                let message = if keywords.is_empty() { 0 } else { flags::MESSAGE };
                Some(Completion { flags: flags::OBSERVATION_IN_ROW | message, ..Completion::default() })
            }
            Operation::Call => {
                let mut payload = playing.read_request(<[u8]>::to_vec).unwrap();
                payload.reverse();
                playing.write_reply(&payload).unwrap();
                Some(Completion { flags: flags::CALL | flags::MESSAGE, ..Completion::default() })
            }
        }
    }
}

pub(super) fn layout(lanes: usize, players: Option<usize>) -> RowLayout {
    let leaves = [Some(ROW), players.map(|players| players * size_of::<f64>())];
    let leaves: Vec<_> = leaves.into_iter().flatten().map(|bytes| LeafSize { bytes }).collect();
    RowLayout::new(&vec![leaves; lanes], true, true).unwrap()
}

/// Starts and ends the threads that replace worker processes in tests.
#[derive(Clone)]
pub(super) struct Threads(pub(super) Arc<Inner>);

pub(super) struct Inner {
    pub(super) block: Arc<ShmSegment>,
    pub(super) gate: Arc<Gate>,
    pub(super) threads: Mutex<Vec<Option<JoinHandle<()>>>>,
    pub(super) lost: Mutex<VecDeque<usize>>,
    pub(super) is_restarted: AtomicBool,
    pub(super) ended_by_force: Mutex<Vec<bool>>,
    /// Number of players whose rewards the rows hold.
    pub(super) players: Option<usize>,
}

impl Threads {
    pub(super) fn start(&self, worker: usize) {
        let theirs = ShmSegment::attach(self.0.block.file().try_clone().unwrap()).unwrap();
        theirs.map_rows(layout(theirs.num_envs(), self.0.players), theirs.num_envs()).unwrap();
        let (inner, gate) = (Arc::downgrade(&self.0), Arc::clone(&self.0.gate));
        let thread = std::thread::spawn(move || {
            let mut envs = vec![Counter { seed: -1, episode: 0, steps: 0 }; theirs.num_envs()];
            let mut player = Worker::new(&theirs, worker).unwrap();
            while let Some(mut playing) = player.next() {
                match envs[playing.env()].answer(&mut playing, &gate) {
                    Some(completion) => playing.finish(completion),
                    None => {
                        // The claim is leaked, so that the request stays unfinished, as when a process dies.
                        std::mem::forget(playing);
                        drop(player);
                        if let Some(inner) = inner.upgrade() {
                            inner.lost.lock().unwrap().push_back(worker);
                        }
                        return;
                    }
                }
            }
        });
        self.0.threads.lock().unwrap()[worker] = Some(thread);
    }

    fn join(&self, worker: usize) {
        let thread = self.0.threads.lock().unwrap()[worker].take();
        thread.into_iter().for_each(|thread| thread.join().unwrap());
    }
}

// SAFETY: a worker is reported as lost only after its thread was joined, and the thread has then released its claims on the
// shared memory.
unsafe impl ProcessSupervisor for Threads {
    fn next_loss(&self) -> Option<HostLoss> {
        let worker = self.0.lost.lock().unwrap().pop_front()?;
        self.join(worker);
        Some(HostLoss { host: worker, fault: LaneError::host_lost(format!("worker {worker} died"), vec![worker as u8]) })
    }

    fn restart(&self, worker: usize) -> std::result::Result<(), LaneError> {
        self.0.is_restarted.store(true, Ordering::SeqCst);
        self.start(worker);
        Ok(())
    }

    fn end(&self, block: &ShmSegment, _until: Instant, by_force: bool) -> Vec<LaneError> {
        self.0.gate.open();
        block.close();
        (0..block.num_workers()).for_each(|worker| self.join(worker));
        self.0.ended_by_force.lock().unwrap().push(by_force);
        Vec::new()
    }
}
