//! Closes the environments of worker processes before the processes are ended.

use std::collections::BTreeSet;
use std::time::Duration;

use envpool_rs_transport::{Caller, CallerClaim, Operation, RequestState, ShmSegment, flags};

/// Sends a close call to each environment as soon as its pending request has finished, and collects the replies.
pub struct EnvCloser<'a> {
    segment: &'a ShmSegment,
    request: &'a [u8],
    unsent: BTreeSet<usize>,
    sent: BTreeSet<usize>,
    replies: Vec<(usize, Vec<u8>)>,
}

impl<'a> EnvCloser<'a> {
    /// Creates a closer for all environments of `segment`. `request` is the message of the close call.
    #[must_use]
    pub fn new(segment: &'a ShmSegment, request: &'a [u8]) -> Self {
        Self { segment, request, unsent: (0..segment.num_envs()).collect(), sent: BTreeSet::new(), replies: Vec::new() }
    }

    /// Returns the environments whose earlier request is still pending.
    #[must_use]
    pub fn busy(&self) -> Vec<usize> {
        let is_busy = |env: &usize| !matches!(self.segment.state(*env), RequestState::Idle | RequestState::Finished);
        (0..self.segment.num_envs()).filter(is_busy).collect()
    }

    /// Stops waiting for the replies of the environments for which `predicate` is true.
    pub fn give_up(&mut self, predicate: impl Fn(usize) -> bool) {
        self.unsent.retain(|env| !predicate(*env));
        self.sent.retain(|env| !predicate(*env));
    }

    /// Sends the close call to environments that have become idle. Returns whether the closer still waits for any environment.
    pub fn send(&mut self) -> bool {
        let (segment, request) = (self.segment, self.request);
        let sent: Vec<usize> = self.unsent.iter().copied().filter(|env| send_to(segment, *env, request)).collect();
        for env in &sent {
            self.unsent.remove(env);
            self.sent.insert(*env);
        }
        Caller::new(segment).ring_doorbell(&sent);
        !self.is_done()
    }

    /// Returns whether every environment has replied to the close call or was given up.
    #[must_use]
    pub fn is_done(&self) -> bool {
        self.unsent.is_empty() && self.sent.is_empty()
    }

    /// Returns whether all environments have finished their requests, except environments that are closed or given up.
    #[must_use]
    pub fn has_finished(&self) -> bool {
        let remaining = self.remaining();
        Caller::new(self.segment).has_finished(Some(&remaining), remaining.len())
    }

    /// Waits for the remaining environments to finish their requests, for at most `limit`. Then collects their replies.
    pub fn wait(&mut self, limit: Duration) {
        let remaining = self.remaining();
        Caller::new(self.segment).wait(Some(&remaining), remaining.len(), limit);
        let finished = |env: &usize| Some((*env, self.segment.claim_finished(*env)?));
        let finished: Vec<_> = self.sent.iter().filter_map(finished).collect();
        for (env, held) in finished {
            self.sent.remove(&env);
            if held.completion().flags & flags::LOST == 0 {
                self.replies.extend(held.read_reply(<[u8]>::to_vec).ok().map(|reply| (env, reply)));
            }
            held.release();
        }
    }

    fn remaining(&self) -> Vec<usize> {
        self.unsent.union(&self.sent).copied().collect()
    }

    /// Returns the environments that have closed, each with the message of its reply to the close call.
    #[must_use]
    pub fn into_replies(self) -> Vec<(usize, Vec<u8>)> {
        self.replies
    }
}

/// Posts a close call for an environment, after dropping a reply of the environment that was not taken. Returns false while the
/// environment is in use.
fn send_to(segment: &ShmSegment, env: usize, request: &[u8]) -> bool {
    segment.claim_finished(env).into_iter().for_each(CallerClaim::release);
    let Some(mut held) = segment.claim_idle(env) else { return false };
    if held.write_request(request, &[]).is_err() {
        return false; // No memory for the message: the worker process closes its environments when it ends.
    }
    held.post(Operation::Call);
    true
}

#[cfg(test)]
mod tests {
    use envpool_rs_transport::{Completion, WakeStrategy, Worker};

    use super::*;

    const CALL: Completion = Completion { flags: flags::CALL | flags::MESSAGE, reward: 0.0, terminated: false, truncated: false };

    fn block_of(workers: &[u32]) -> ShmSegment {
        let workers: Vec<_> = workers.iter().copied().map(Some).collect();
        ShmSegment::create(&workers, 64, WakeStrategy::best()).unwrap()
    }

    #[test]
    fn environments_are_closed_once_their_requests_have_finished() {
        let segment = block_of(&[0, 0, 0]);
        Caller::new(&segment).post(&[1, 2], Operation::STEP).unwrap();
        let running = segment.claim_requested(1).unwrap();
        segment.claim_requested(2).unwrap().finish(Completion::default());
        let mut closer = EnvCloser::new(&segment, b"close");
        assert_eq!(closer.busy(), [1]);
        assert!(closer.send() && closer.unsent == BTreeSet::from([1]));
        running.finish(Completion::default());
        assert!(closer.send() && closer.unsent.is_empty() && !closer.has_finished());
        for env in 0..3 {
            let mut playing = segment.claim_requested(env).unwrap();
            assert_eq!(playing.operation(), Operation::Call);
            playing.read_request(|request| assert_eq!(request, b"close")).unwrap();
            playing.write_reply(&[env as u8]).unwrap();
            playing.finish(CALL);
        }
        closer.wait(Duration::from_secs(60));
        assert!(closer.is_done() && !closer.send());
        assert_eq!(closer.into_replies(), [(0, vec![0]), (1, vec![1]), (2, vec![2])]);
    }

    #[test]
    fn environments_of_lost_workers_are_not_awaited() {
        let segment = block_of(&[0, 1]);
        let mut closer = EnvCloser::new(&segment, b"close");
        assert!(closer.send());
        closer.give_up(|env| segment.worker_of(env) == Some(0));
        assert!(closer.send());
        // SAFETY: no worker process uses this shared memory.
        unsafe { Caller::new(&segment).lose_worker(1) }.unwrap();
        closer.wait(Duration::from_secs(60));
        assert!(closer.is_done() && closer.into_replies().is_empty());
    }

    #[test]
    fn a_wait_ends_after_its_limit() {
        let segment = block_of(&[0]);
        let mut closer = EnvCloser::new(&segment, b"close");
        assert!(closer.send());
        closer.wait(Duration::from_millis(1));
        assert!(!closer.is_done());
    }

    #[test]
    fn a_sleeping_worker_is_woken_to_close() {
        let segment = block_of(&[0]);
        std::thread::scope(|scope| {
            scope.spawn(|| {
                let mut worker = Worker::new(&segment, 0).unwrap();
                while let Some(mut playing) = worker.next() {
                    playing.write_reply(b"closed").unwrap();
                    playing.finish(CALL);
                }
            });
            std::thread::sleep(Duration::from_millis(20));
            let mut closer = EnvCloser::new(&segment, b"close");
            while closer.send() {
                closer.wait(Duration::from_secs(60));
            }
            segment.close();
            assert_eq!(closer.into_replies(), [(0, b"closed".to_vec())]);
        });
    }
}
