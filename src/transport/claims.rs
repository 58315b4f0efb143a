//! Whose an environment's line, slots and rows are: values that only their owner has.
//!
//! A claim is taken by exchanging the state, so that of all threads of all processes one gets it, and its slots and rows are reached
//! through it alone. So what would race does not compile, or is refused.

use std::sync::atomic::{AtomicU64, Ordering};

use super::block::Block;
use super::control::{Completion, HELD_FINISHED, HELD_IDLE, LineState, Operation, flags};
use super::layout::RowSet;
use super::spill::Direction;
use super::{Error, Result};

/// An idle or finished environment, in the hands of one thread of the caller's. Dropped, it is as it was before.
pub struct Held<'a> {
    block: &'a Block,
    env: usize,
    was: LineState,
    /// Of the message that was written for the next request.
    request_bytes: u64,
}

/// A request that is being played, in the hands of one thread of the environment's process. Dropped, the request has failed.
pub struct Playing<'a> {
    block: &'a Block,
    env: usize,
    reply_bytes: u64,
}

/// Changes an environment's state from one to the other, if it is the one.
fn exchange(block: &Block, env: usize, from: u32, to: u32) -> bool {
    // Acquired: what the last owner wrote is seen by the next.
    block.env(env).state.compare_exchange(from, to, Ordering::Acquire, Ordering::Relaxed).is_ok()
}

impl Block {
    /// Takes an environment that is idle.
    #[must_use]
    pub fn hold_idle(&self, env: usize) -> Option<Held<'_>> {
        self.hold(env, LineState::Idle)
    }

    /// Takes an environment whose request is finished, and whose answer has not been taken.
    #[must_use]
    pub fn hold_finished(&self, env: usize) -> Option<Held<'_>> {
        self.hold(env, LineState::Finished)
    }

    /// Takes an environment of which nothing is being asked: what it answered last may be looked at.
    ///
    /// # Errors
    /// `Index` where there is no such environment, `State` while its process plays, or another thread holds it.
    pub fn hold_quiet(&self, env: usize) -> Result<Held<'_>> {
        if env >= self.num_envs() {
            return Err(Error::Index(format!("env_id {env}: expected 0 to {}", self.num_envs() - 1)));
        }
        self.hold_idle(env).or_else(|| self.hold_finished(env)).ok_or_else(|| {
            let why = match self.state(env) {
                LineState::Idle | LineState::Finished => "another thread uses what it answered",
                LineState::Requested | LineState::Running => "it may be writing its answer",
            };
            Error::State(format!("env_id {env} is in flight: {why}"))
        })
    }

    fn hold(&self, env: usize, was: LineState) -> Option<Held<'_>> {
        let held = if was == LineState::Idle { HELD_IDLE } else { HELD_FINISHED };
        exchange(self, env, was as u32, held).then(|| Held { block: self, env, was, request_bytes: 0 })
    }

    /// Takes up what is asked of an environment; `None` where nothing is, or somebody else has taken it up.
    #[must_use]
    pub fn take_up(&self, env: usize) -> Option<Playing<'_>> {
        exchange(self, env, LineState::Requested as u32, LineState::Running as u32).then(|| Playing {
            block: self,
            env,
            reply_bytes: 0,
        })
    }

    /// Asks an idle environment for what was [set aside](Held::set_aside) for it; false where it is not idle.
    pub fn post_set_aside(&self, env: usize) -> bool {
        // Acquired and released: what was set aside is seen by whoever takes it up.
        let (from, to) = (LineState::Idle as u32, LineState::Requested as u32);
        self.env(env).state.compare_exchange(from, to, Ordering::AcqRel, Ordering::Relaxed).is_ok()
    }

    /// Takes over what is asked of an environment, also if it has been taken up.
    ///
    /// # Safety
    /// Whoever has taken it up is dead.
    pub(super) unsafe fn take_over(&self, env: usize) -> Option<Playing<'_>> {
        self.take_up(env)
            .or_else(|| (self.state(env) == LineState::Running).then(|| Playing { block: self, env, reply_bytes: 0 }))
    }
}

impl<'a> Held<'a> {
    /// The environment.
    #[must_use]
    pub fn env(&self) -> usize {
        self.env
    }

    /// What came of its last request.
    #[must_use]
    pub fn completion(&self) -> Completion {
        self.block.completion(self.env)
    }

    /// Shows the message of its last answer to `read`; an empty one where there is none. A long one is gone after that.
    ///
    /// # Errors
    /// `State` where the length is none that could have been written, `System` where memory is short.
    pub fn read_reply<T>(&self, read: impl FnOnce(&[u8]) -> T) -> Result<T> {
        let bytes = self.block.env(self.env).reply_bytes.load(Ordering::Relaxed);
        // SAFETY: the environment is ours, and so are its messages.
        unsafe { self.block.read_message(self.env, Direction::Reply, bytes, read) }
    }

    /// A row of its last observation, or of its last final one; `None` where there is none.
    #[must_use]
    pub fn row(&self, leaf: usize, set: RowSet) -> Option<&[u8]> {
        let (begin, bytes) = self.block.row(self.env, leaf, set)?;
        // SAFETY: the row is as long as that, and nobody writes into it while the environment is ours.
        Some(unsafe { std::slice::from_raw_parts(begin.as_ptr(), bytes) })
    }

    /// Writes the next request's message, made of `head` and `body`, one after the other.
    ///
    /// # Errors
    /// `Value` where it is longer than 4 GiB (or than a slot, on systems without sparse files), `System` where memory is short.
    pub fn write_request(&mut self, head: &[u8], body: &[u8]) -> Result<()> {
        // SAFETY: the environment is ours, and so are its messages.
        unsafe { self.block.write_message(self.env, Direction::Request, head, body)? };
        self.request_bytes = (head.len() + body.len()) as u64;
        Ok(())
    }

    /// Asks for something, with the message that was written; the worker notices when it is rung for
    /// ([`Caller::ring`](super::Caller::ring)).
    pub fn post(self, operation: Operation) {
        self.write_down(operation);
        self.become_state(LineState::Requested);
    }

    /// Writes down what to ask for, with the message that was written, and lets the environment be idle, until that is
    /// [posted](Block::post_set_aside), or something else is written in its place.
    pub fn set_aside(self, operation: Operation) {
        self.write_down(operation);
        self.become_state(LineState::Idle);
    }

    fn write_down(&self, operation: Operation) {
        let line = self.block.env(self.env);
        line.request_bytes.store(self.request_bytes, Ordering::Relaxed);
        operation.store(line);
    }

    /// Makes the environment idle: what it answered has been taken.
    pub fn release(self) {
        self.become_state(LineState::Idle);
    }

    fn become_state(self, state: LineState) {
        self.block.env(self.env).state.store(state as u32, Ordering::Release);
        std::mem::forget(self);
    }
}

impl Drop for Held<'_> {
    fn drop(&mut self) {
        self.block.env(self.env).state.store(self.was as u32, Ordering::Release);
    }
}

impl<'a> Playing<'a> {
    /// The environment.
    #[must_use]
    pub fn env(&self) -> usize {
        self.env
    }

    /// What is asked of it.
    #[must_use]
    pub fn operation(&self) -> Operation {
        Operation::load(self.block.env(self.env))
    }

    /// Shows the request's message to `read`; an empty one where there is none. A long one is gone after that.
    ///
    /// # Errors
    /// `State` where the length is none that could have been written, `System` where memory is short.
    pub fn read_request<T>(&self, read: impl FnOnce(&[u8]) -> T) -> Result<T> {
        let bytes = self.block.env(self.env).request_bytes.load(Ordering::Relaxed);
        // SAFETY: the environment is ours, and so are its messages.
        unsafe { self.block.read_message(self.env, Direction::Request, bytes, read) }
    }

    /// Writes the answer's message.
    ///
    /// # Errors
    /// As [`Held::write_request`].
    pub fn write_reply(&mut self, message: &[u8]) -> Result<()> {
        // SAFETY: the environment is ours, and so are its messages.
        unsafe { self.block.write_message(self.env, Direction::Reply, message, &[])? };
        self.reply_bytes = message.len() as u64;
        Ok(())
    }

    /// A row to write the observation into, or the final one; `None` where there is none.
    #[must_use]
    pub fn row_mut(&mut self, leaf: usize, set: RowSet) -> Option<&mut [u8]> {
        let (begin, bytes) = self.block.row(self.env, leaf, set)?;
        // SAFETY: the row is as long as that, no other overlaps it, and it is reached through this one value while the request is
        // played.
        Some(unsafe { std::slice::from_raw_parts_mut(begin.as_ptr(), bytes) })
    }

    /// Publishes what came of the request, and wakes the caller if that is what it waits for.
    pub fn finish(self, completion: Completion) {
        self.publish(completion);
        std::mem::forget(self);
    }

    fn publish(&self, completion: Completion) {
        let reply_bytes: &AtomicU64 = &self.block.env(self.env).reply_bytes;
        reply_bytes.store(self.reply_bytes, Ordering::Relaxed);
        self.block.finish(self.env, completion);
    }
}

impl Drop for Playing<'_> {
    fn drop(&mut self) {
        self.reply_bytes = 0;
        self.publish(Completion { flags: flags::FAILED, ..Completion::default() });
    }
}
