//! Methods with which tests control the fake backend: pace, lost hosts, rejected operations and panics.

use std::collections::{HashMap, VecDeque};
use std::sync::{Arc, Condvar, Mutex, MutexGuard};

use super::batched::BatchedFakeBackend;
use super::{FakeBackend, FakeControl, FakeLane, Inner, Pace};
use envpool_rs_engine::{LaneBackend, LaneError};
use envpool_rs_numeric::random::{Generator, RandomStream};

impl FakeControl {
    pub fn new(lanes: usize, pace: Pace) -> Self {
        let seed = match pace {
            Pace::AtOnce => 0,
            Pace::OutOfOrder(seed) | Pace::Twice(seed) => seed,
        };
        let inner = Inner {
            lanes: vec![FakeLane::default(); lanes],
            answered: VecDeque::new(),
            in_transit: Vec::new(),
            at_gate: Vec::new(),
            is_open: false,
            pace,
            random: Generator::from_seed(seed),
            losses: VecDeque::new(),
            hosts: HashMap::new(),
            lost: VecDeque::new(),
            restarts: Vec::new(),
            doomed: None,
            is_renewable: true,
            closed: Vec::new(),
            refused: None,
            padding: 0,
            rejecting: None,
            panics: None,
            submitted: Vec::new(),
        };
        Self(Arc::new((Mutex::new(inner), Condvar::new())))
    }

    pub fn outside(&self) -> Box<dyn LaneBackend> {
        Box::new(FakeBackend(self.clone()))
    }

    /// Returns the backend variant that stages and collects the operations of many lanes with one call.
    pub fn together(&self) -> Box<dyn LaneBackend> {
        Box::new(BatchedFakeBackend(FakeBackend(self.clone())))
    }

    pub(super) fn lock(&self) -> MutexGuard<'_, Inner> {
        self.0.0.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
    }

    /// Completes the blocked steps, and lets all later steps run.
    pub fn open(&self) {
        let mut inner = self.lock();
        inner.is_open = true;
        let held = std::mem::take(&mut inner.at_gate);
        inner.answered.extend(held);
        self.0.1.notify_all();
    }

    /// Makes all later steps with the action [`WAIT`](super::super::envs::WAIT) block.
    pub fn shut(&self) {
        self.lock().is_open = false;
    }

    /// Returns the number of lanes whose step is blocked.
    pub fn at_gate(&self) -> usize {
        self.lock().at_gate.len()
    }

    /// Makes the backend reject this lane's next operation as too long.
    pub fn refuse(&self, lane: u32) {
        self.lock().refused = Some(lane);
    }

    /// Makes all lanes save states that are `padding` bytes longer, and lane `rejecting` reject states.
    pub fn enlarge_states(&self, padding: usize, rejecting: u32) {
        let mut inner = self.lock();
        (inner.padding, inner.rejecting) = (padding, Some(rejecting));
    }

    /// Makes the collection of this lane's next reply panic.
    pub fn panic_at(&self, lane: u32) {
        self.lock().panics = Some(lane);
    }

    /// Returns the lanes whose operations were sent since the last call.
    pub fn take_submitted(&self) -> Vec<u32> {
        std::mem::take(&mut self.lock().submitted)
    }

    /// Simulates the loss of host number `host`, which runs these lanes, together with their pending operations.
    pub fn lose_host(&self, host: usize, lanes: &[u32]) {
        let mut inner = self.lock();
        let is_lost =
            |lane: &u32| !inner.answered.contains(lane) && (inner.at_gate.contains(lane) || inner.in_transit.contains(lane));
        let lost: Vec<_> = lanes.iter().copied().filter(is_lost).collect();
        inner.at_gate.retain(|lane| !lost.contains(lane));
        inner.in_transit.retain(|lane| !lost.contains(lane));
        let fault = LaneError::host_lost(format!("place {host} was lost"), vec![host as u8]);
        inner.record_loss(host, lanes.to_vec(), lost, fault);
        self.0.1.notify_all();
    }

    /// Returns the restarted hosts, in order.
    pub fn restarts(&self) -> Vec<usize> {
        self.lock().restarts.clone()
    }

    /// Simulates the loss of this lane's host, which runs no other lane, at each operation of the lane.
    pub fn lose_host_of(&self, lane: u32) {
        self.lose_host_times(lane, usize::MAX);
    }

    /// Simulates the loss of this lane's host at the next `times` operations of the lane.
    pub fn lose_host_times(&self, lane: u32, times: usize) {
        self.lock().doomed = Some((lane, times));
    }

    /// Makes restarts of hosts fail from now on.
    pub fn forbid_restarts(&self) {
        self.lock().is_renewable = false;
    }

    /// Returns the number of lanes with a reply that has not been collected.
    pub fn answered(&self) -> usize {
        self.lock().answered.len()
    }

    /// Returns for each call of `close` whether it was by force.
    pub fn closed(&self) -> Vec<bool> {
        self.lock().closed.clone()
    }
}
