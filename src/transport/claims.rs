//! Claims: exclusive access to the control words, slots and rows of one environment.
//!
//! A claim is acquired by an atomic exchange of the environment's state, which succeeds in only one thread of all processes.
//! Slots and rows are accessed only through claims. A conflicting access therefore does not compile, or its claim fails.

use std::sync::atomic::{AtomicU64, Ordering};

use super::Result;
use super::control::{CLAIMED_FINISHED, CLAIMED_IDLE, Completion, Operation, RequestState, flags};
use super::layout::RowSet;
use super::shm_segment::ShmSegment;
use super::spill::Direction;

/// The caller's claim on an idle or finished environment. Dropping it restores the previous state.
pub struct CallerClaim<'a> {
    segment: &'a ShmSegment,
    env: usize,
    previous: RequestState,
    /// Length in bytes of the message that was written for the next request.
    request_bytes: u64,
}

/// A worker's claim on a running request. Dropping it fails the request.
pub struct WorkerClaim<'a> {
    segment: &'a ShmSegment,
    env: usize,
    reply_bytes: u64,
}

/// Changes an environment's state from `from` to `to`. Returns false if the state was not `from`.
fn exchange(segment: &ShmSegment, env: usize, from: u32, to: u32) -> bool {
    // Acquire ordering: the new owner sees all writes of the previous owner.
    segment.env(env).state.compare_exchange(from, to, Ordering::Acquire, Ordering::Relaxed).is_ok()
}

impl ShmSegment {
    /// Claims an idle environment.
    #[must_use]
    pub fn claim_idle(&self, env: usize) -> Option<CallerClaim<'_>> {
        self.claim(env, RequestState::Idle)
    }

    /// Claims a finished environment whose reply has not been taken.
    #[must_use]
    pub fn claim_finished(&self, env: usize) -> Option<CallerClaim<'_>> {
        self.claim(env, RequestState::Finished)
    }

    fn claim(&self, env: usize, was: RequestState) -> Option<CallerClaim<'_>> {
        let held = if was == RequestState::Idle { CLAIMED_IDLE } else { CLAIMED_FINISHED };
        exchange(self, env, was as u32, held).then(|| CallerClaim { segment: self, env, previous: was, request_bytes: 0 })
    }

    /// Claims an environment's pending request; `None` if the environment has no request, or another thread has claimed the
    /// request.
    #[must_use]
    pub fn claim_requested(&self, env: usize) -> Option<WorkerClaim<'_>> {
        exchange(self, env, RequestState::Requested as u32, RequestState::Running as u32).then(|| WorkerClaim {
            segment: self,
            env,
            reply_bytes: 0,
        })
    }

    /// Posts the request that was [staged](CallerClaim::stage) for an idle environment. Returns false if the environment is not
    /// idle.
    pub fn post_staged(&self, env: usize) -> bool {
        // Acquire and release ordering: the worker that claims the request sees the staged data.
        let (from, to) = (RequestState::Idle as u32, RequestState::Requested as u32);
        self.env(env).state.compare_exchange(from, to, Ordering::AcqRel, Ordering::Relaxed).is_ok()
    }

    /// Claims an environment's request, even if a worker has claimed it.
    ///
    /// # Safety
    /// The worker that may have claimed the request is dead.
    pub(super) unsafe fn claim_orphaned(&self, env: usize) -> Option<WorkerClaim<'_>> {
        self.claim_requested(env)
            .or_else(|| (self.state(env) == RequestState::Running).then(|| WorkerClaim { segment: self, env, reply_bytes: 0 }))
    }
}

impl<'a> CallerClaim<'a> {
    /// Returns the number of the claimed environment.
    #[must_use]
    pub fn env(&self) -> usize {
        self.env
    }

    /// Returns the completion of the environment's last request.
    #[must_use]
    pub fn completion(&self) -> Completion {
        self.segment.completion(self.env)
    }

    /// Passes the message of the environment's last reply to `read`: empty bytes if the reply has no message. Afterwards,
    /// releases the memory of a long message.
    ///
    /// # Errors
    /// `State` if no message can have the stored length, `System` if the system provides no memory.
    pub fn read_reply<T>(&self, read: impl FnOnce(&[u8]) -> T) -> Result<T> {
        let bytes = self.segment.env(self.env).reply_bytes.load(Ordering::Relaxed);
        // SAFETY: this claim excludes all other accesses to the environment's messages.
        unsafe { self.segment.read_message(self.env, Direction::Reply, bytes, read) }
    }

    /// Returns a row of the environment's last observation, or of its last final observation; `None` if the row does not exist.
    #[must_use]
    pub fn row(&self, leaf: usize, set: RowSet) -> Option<&[u8]> {
        let (begin, bytes) = self.segment.row(self.env, leaf, set)?;
        // SAFETY: `ShmSegment::row` returns a range inside the mapping, and this claim excludes writes by other threads and
        // processes.
        Some(unsafe { std::slice::from_raw_parts(begin.as_ptr(), bytes) })
    }

    /// Writes the message of the next request: `head` followed by `body`.
    ///
    /// # Errors
    /// `Value` if the message is longer than 4 GiB (or than a slot, on systems without sparse files), `System` if the system
    /// provides no memory.
    pub fn write_request(&mut self, head: &[u8], body: &[u8]) -> Result<()> {
        // SAFETY: this claim excludes all other accesses to the environment's messages.
        unsafe { self.segment.write_message(self.env, Direction::Request, head, body)? };
        self.request_bytes = (head.len() + body.len()) as u64;
        Ok(())
    }

    /// Posts a request with the message that was written. [`Caller::ring_doorbell`](super::Caller::ring_doorbell) wakes the
    /// worker.
    pub fn post(self, operation: Operation) {
        self.write_operation(operation);
        self.release_as(RequestState::Requested);
    }

    /// Stages a request with the message that was written, and leaves the environment idle. [`ShmSegment::post_staged`] posts the
    /// request. Staging again replaces the staged request.
    pub fn stage(self, operation: Operation) {
        self.write_operation(operation);
        self.release_as(RequestState::Idle);
    }

    fn write_operation(&self, operation: Operation) {
        let line = self.segment.env(self.env);
        line.request_bytes.store(self.request_bytes, Ordering::Relaxed);
        operation.store(line);
    }

    /// Ends the claim and makes the environment idle, after its reply was read.
    pub fn release(self) {
        self.release_as(RequestState::Idle);
    }

    fn release_as(self, state: RequestState) {
        self.segment.env(self.env).state.store(state as u32, Ordering::Release);
        std::mem::forget(self);
    }
}

impl Drop for CallerClaim<'_> {
    fn drop(&mut self) {
        self.segment.env(self.env).state.store(self.previous as u32, Ordering::Release);
    }
}

impl<'a> WorkerClaim<'a> {
    /// Returns the number of the claimed environment.
    #[must_use]
    pub fn env(&self) -> usize {
        self.env
    }

    /// Returns the operation of the claimed request.
    #[must_use]
    pub fn operation(&self) -> Operation {
        Operation::load(self.segment.env(self.env))
    }

    /// Passes the message of the request to `read`: empty bytes if the request has no message. Afterwards, releases the memory of
    /// a long message.
    ///
    /// # Errors
    /// `State` if no message can have the stored length, `System` if the system provides no memory.
    pub fn read_request<T>(&self, read: impl FnOnce(&[u8]) -> T) -> Result<T> {
        let bytes = self.segment.env(self.env).request_bytes.load(Ordering::Relaxed);
        // SAFETY: this claim excludes all other accesses to the environment's messages.
        unsafe { self.segment.read_message(self.env, Direction::Request, bytes, read) }
    }

    /// Writes the message of the reply.
    ///
    /// # Errors
    /// `Value` if the message is longer than 4 GiB (or than a slot, on systems without sparse files), `System` if the system
    /// provides no memory.
    pub fn write_reply(&mut self, message: &[u8]) -> Result<()> {
        // SAFETY: this claim excludes all other accesses to the environment's messages.
        unsafe { self.segment.write_message(self.env, Direction::Reply, message, &[])? };
        self.reply_bytes = message.len() as u64;
        Ok(())
    }

    /// Returns a row in which to write the observation or the final observation; `None` if the row does not exist.
    #[must_use]
    pub fn row_mut(&mut self, leaf: usize, set: RowSet) -> Option<&mut [u8]> {
        let (begin, bytes) = self.segment.row(self.env, leaf, set)?;
        // SAFETY: `ShmSegment::row` returns a range inside the mapping that overlaps no other row. While the request runs, this
        // claim, which is borrowed mutably, is the only access to the row.
        Some(unsafe { std::slice::from_raw_parts_mut(begin.as_ptr(), bytes) })
    }

    /// Publishes the completion of the request. Wakes the caller if the number of completions reaches the number that the caller
    /// waits for.
    pub fn finish(self, completion: Completion) {
        self.publish(completion);
        std::mem::forget(self);
    }

    fn publish(&self, completion: Completion) {
        let reply_bytes: &AtomicU64 = &self.segment.env(self.env).reply_bytes;
        reply_bytes.store(self.reply_bytes, Ordering::Relaxed);
        self.segment.finish(self.env, completion);
    }
}

impl Drop for WorkerClaim<'_> {
    fn drop(&mut self) {
        self.reply_bytes = 0;
        self.publish(Completion { flags: flags::FAILED, ..Completion::default() });
    }
}
