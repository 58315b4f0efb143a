//! Ends waits and long work early, when the caller's interrupt hook returns true or a deadline passes.

use std::time::{Duration, Instant};

use crate::contract::error::{Error, Result};

/// Interrupt hook of a caller, called about every 20 milliseconds while waiting. If it returns true, the wait ends with
/// [`Error::Interrupted`].
pub type Interrupt<'a> = &'a mut dyn FnMut() -> bool;

/// Time between two calls of the interrupt hook.
pub const POLL_INTERVAL: Duration = Duration::from_millis(20);

/// Calls the caller's interrupt hook every 20 milliseconds, and checks the optional deadline of a call.
pub struct InterruptPoller<'a> {
    interrupt: Interrupt<'a>,
    deadline: Option<Instant>,
    /// Time of the last call of the hook, or of the start of the wait. `None` before, so that calls that never wait do not read the
    /// clock.
    last_poll: Option<Instant>,
}

impl<'a> InterruptPoller<'a> {
    /// Creates a poller without a deadline. The first call of the hook is 20 milliseconds after the first check or
    /// [`start`](Self::start).
    pub fn new(interrupt: Interrupt<'a>) -> Self {
        Self::with_deadline(interrupt, None)
    }

    /// Creates a poller that calls `interrupt` and checks an optional deadline.
    #[inline]
    pub fn with_deadline(interrupt: Interrupt<'a>, deadline: Option<Instant>) -> Self {
        Self { interrupt, deadline, last_poll: None }
    }

    /// Returns whether a deadline limits the wait.
    pub fn has_deadline(&self) -> bool {
        self.deadline.is_some()
    }

    /// Counts the time until the next call of the hook from `now`, unless it is already counted.
    pub fn start(&mut self, now: Instant) {
        self.last_poll.get_or_insert(now);
    }

    /// Returns the time of the next call of the hook.
    pub fn next_poll(&mut self) -> Instant {
        *self.last_poll.get_or_insert_with(Instant::now) + POLL_INTERVAL
    }

    /// Returns the time of the next check, until which a caller may wait: the next call of the hook, or the deadline if it is
    /// earlier.
    pub fn wait_limit(&mut self) -> Instant {
        let next = self.next_poll();
        self.deadline.map_or(next, |deadline| deadline.min(next))
    }

    /// Calls the hook if its next call is due. Long work must call this method periodically.
    ///
    /// # Errors
    /// `Interrupted` if the hook returns true.
    pub fn check(&mut self) -> Result<()> {
        if Instant::now() < self.next_poll() {
            return Ok(());
        }
        self.last_poll = Some(Instant::now());
        self.check_now()
    }

    /// Calls the interrupt hook immediately.
    ///
    /// # Errors
    /// `Interrupted` if the hook returns true.
    pub fn check_now(&mut self) -> Result<()> {
        if (self.interrupt)() { Err(Error::Interrupted) } else { Ok(()) }
    }

    /// Returns an error if the deadline has passed.
    ///
    /// # Errors
    /// `Timeout` with an empty list of lanes, which the caller fills in.
    pub fn check_deadline(&self) -> Result<()> {
        match self.deadline {
            Some(deadline) if Instant::now() >= deadline => Err(Error::Timeout { lanes: Vec::new() }),
            _ => Ok(()),
        }
    }

    /// Checks the deadline, then calls the interrupt hook immediately.
    ///
    /// # Errors
    /// `Timeout` if the deadline has passed; otherwise `Interrupted` if the hook returns true.
    pub fn check_all(&mut self) -> Result<()> {
        self.check_deadline()?;
        self.check_now()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_passed_deadline_comes_before_the_hook() {
        let mut asked = 0;
        let mut hook = || {
            asked += 1;
            true
        };
        let mut interrupts = InterruptPoller::with_deadline(&mut hook, Some(Instant::now()));
        assert_eq!(interrupts.check_all(), Err(Error::Timeout { lanes: Vec::new() }));
        assert_eq!(InterruptPoller::with_deadline(&mut hook, None).check_all(), Err(Error::Interrupted));
        assert_eq!(asked, 1);
    }

    #[test]
    fn a_wait_lasts_until_the_deadline_or_the_next_poll() {
        let now = Instant::now();
        let mut hook = || false;
        assert_eq!(InterruptPoller::with_deadline(&mut hook, Some(now)).wait_limit(), now);
        let mut interrupts = InterruptPoller::with_deadline(&mut hook, Some(now + Duration::from_secs(60)));
        assert_eq!(interrupts.wait_limit(), interrupts.next_poll());
        assert!(interrupts.check_all().is_ok());
    }
}
