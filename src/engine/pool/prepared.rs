//! A step or reset that is about to be played or sent.

use std::sync::Arc;
use std::time::Duration;

use crate::play::kind::Kind;
use crate::play::lanes::Phase;
use crate::pool::request::Request;
use crate::pool::sender::Sender;
use crate::pool::shared::{Shared, WORTH_WAKING};

/// Steps in a row, without a pause between them, after which a worker is woken for less: it will find more to do.
const STREAK: u32 = 16;

/// Lanes of a chunk where steps are uniform: at least so many, and a multiple of it.
const UNIFORM_CHUNK: usize = 32;

/// Beyond this a thread takes no more items at a time, unless a chunk has to be larger.
const MOST_AT_ONCE: usize = 1024;

/// A request that is complete, and the sender's turn that it takes to send it.
pub struct Prepared<'a> {
    pub shared: &'a Arc<Shared>,
    pub sender: &'a mut Sender,
    /// Taken out when it is queued.
    pub request: &'a mut Option<Box<Request>>,
}

/// Items that a thread takes at a time of a share of so many, where chunks of `grain` items are the smallest.
fn piece(share: usize, grain: usize) -> usize {
    share.min(MOST_AT_ONCE).max(grain).next_multiple_of(grain)
}

/// The same where steps are uniform.
pub fn uniform_chunk(share: usize) -> usize {
    piece(share, UNIFORM_CHUNK)
}

impl Prepared<'_> {
    #[inline]
    pub fn request(&self) -> &Request {
        self.request.as_ref().expect("a call has its request until it is queued")
    }

    /// Environments that it is for.
    #[inline]
    pub fn lanes(&self) -> usize {
        self.request().lanes.len()
    }

    /// Lets environments that failed be created anew, where this is their reset. Done last, so that a reset which is
    /// refused leaves them failed.
    #[inline]
    pub fn revive(&self) {
        let Kind::Reset { only, .. } = &self.request().kind else { return };
        for (index, lane) in self.request().lanes.iter().enumerate() {
            // SAFETY: the lane is not in flight and this is the only sender, so nobody else is at it.
            unsafe {
                if only.as_ref().is_none_or(|only| only[index]) && *self.shared.table.phase.get(lane) == Phase::Failed {
                    self.shared.table.set_phase(lane, self.shared.phase_of_the_revived());
                }
            }
        }
    }

    /// Takes the request out.
    pub fn take_request(&mut self) -> Box<Request> {
        self.request.take().expect("a call has its request until it is queued")
    }

    /// Lets other threads see the request, whose buffers are used again afterwards.
    pub fn publish(&mut self, request: Box<Request>) -> Arc<Request> {
        let request: Arc<Request> = Arc::from(request);
        self.sender.queued_requests.push_back(Arc::clone(&request));
        request
    }

    /// Threads besides the caller that should take part in a synchronous step.
    pub fn helpers(&self) -> usize {
        let cpus = if self.shared.is_uniform() { self.shared.cpus - 1 } else { usize::MAX };
        self.shared.config.num_threads.min(cpus)
    }

    /// Whether so much work is worth waking a sleeping worker for.
    pub fn is_worth_waking(&self, work: Duration) -> bool {
        work > WORTH_WAKING || self.sender.streak >= STREAK
    }
}

#[cfg(test)]
mod tests {
    use super::piece;

    #[test]
    fn pieces_are_whole_chunks_however_large_those_are() {
        assert_eq!([piece(5, 32), piece(70, 32), piece(5000, 32), piece(5000, 48)], [32, 96, 1024, 1056]);
        assert_eq!([piece(5, 2000), piece(5000, 2000)], [2000, 2000], "a chunk of more than is taken at once as a rule");
    }
}
