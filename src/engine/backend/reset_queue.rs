//! Queue of resets of an environment that runs in a process of its own.

use std::collections::VecDeque;

use serde::{Deserialize, Serialize};

use crate::contract::error::Result;
use crate::contract::lane_error::Payload;
use crate::contract::state::{read_value, write_value};

/// Call of a [`ResetQueue`], which the pool sends as [`LaneOp::Call`](super::lane_op::LaneOp::Call).
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum QueueCall {
    /// Appends resets: their seeds, or `None` where the random stream continues.
    Append(Vec<Option<u64>>),
    /// Counts the resets.
    Count,
    /// Removes all resets.
    Clear,
}

impl QueueCall {
    /// Encodes the call for a lane.
    ///
    /// # Errors
    /// `Memory` if the system refuses the memory.
    pub(crate) fn payload(&self) -> Result<Payload> {
        let mut bytes = Vec::new();
        write_value(&mut bytes, self)?;
        Ok(Payload::from(bytes))
    }
}

/// Seeds of the next resets of an environment, each of which a reset without a seed takes.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ResetQueue(VecDeque<Option<u64>>);

impl ResetQueue {
    /// Takes the next reset out of the queue: its seed, or `None` if the random stream continues.
    pub fn take(&mut self) -> Option<Option<u64>> {
        self.0.pop_front()
    }

    /// Executes a call of the pool, and returns the reply.
    ///
    /// # Errors
    /// `Value` for a call of another kind.
    pub fn answer(&mut self, call: &Payload) -> Result<Vec<u8>> {
        match read_value(&mut call.bytes())? {
            QueueCall::Append(seeds) => self.0.extend(seeds),
            QueueCall::Count => {}
            QueueCall::Clear => self.0.clear(),
        }
        Ok((self.0.len() as u64).to_le_bytes().to_vec())
    }
}
