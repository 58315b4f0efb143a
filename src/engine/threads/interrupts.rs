//! Ends a caller's waits and long work early: by its interrupt hook, or at a deadline.

use std::time::{Duration, Instant};

use crate::contract::error::{Error, Result};

/// Interrupt hook, called about every 20 milliseconds of a wait. Returning true ends the wait with [`Error::Interrupted`].
pub type Interrupt<'a> = &'a mut dyn FnMut() -> bool;

/// Time between two calls of the interrupt hook.
pub const INTERVAL: Duration = Duration::from_millis(20);

/// The caller's interrupt hook, called every 20 milliseconds, and the optional deadline of its call.
pub struct Interrupts<'a> {
    interrupt: Interrupt<'a>,
    deadline: Option<Instant>,
    /// Time of the last call of the hook. `None` until the first check, so that calls that never wait never read the clock.
    asked: Option<Instant>,
}

impl<'a> Interrupts<'a> {
    /// Creates interrupts without a deadline. The first call of the hook is 20 milliseconds after the first check.
    pub fn new(interrupt: Interrupt<'a>) -> Self {
        Self::until(interrupt, None)
    }

    /// Creates interrupts with an optional deadline.
    #[inline]
    pub fn until(interrupt: Interrupt<'a>, deadline: Option<Instant>) -> Self {
        Self { interrupt, deadline, asked: None }
    }

    /// Returns the time of the next call of the hook.
    pub fn next(&mut self) -> Instant {
        *self.asked.get_or_insert_with(Instant::now) + INTERVAL
    }

    /// Returns the time until which to wait before the next check.
    pub fn limit(&mut self) -> Instant {
        let next = self.next();
        self.deadline.map_or(next, |deadline| deadline.min(next))
    }

    /// Calls the hook if its next call is due. Long work calls this periodically.
    ///
    /// # Errors
    /// `Interrupted` if the hook returns true.
    pub fn check(&mut self) -> Result<()> {
        if Instant::now() < self.next() {
            return Ok(());
        }
        self.asked = Some(Instant::now());
        self.check_now()
    }

    /// Calls the hook now.
    ///
    /// # Errors
    /// `Interrupted` if the hook returns true.
    pub fn check_now(&mut self) -> Result<()> {
        if (self.interrupt)() { Err(Error::Interrupted) } else { Ok(()) }
    }

    /// Checks whether the deadline has passed.
    ///
    /// # Errors
    /// `Late` without lanes; the caller adds them.
    pub fn check_deadline(&self) -> Result<()> {
        match self.deadline {
            Some(deadline) if Instant::now() >= deadline => Err(Error::Late { lanes: Vec::new() }),
            _ => Ok(()),
        }
    }

    /// Calls the hook now, unless the deadline has passed.
    ///
    /// # Errors
    /// Those of [`Interrupts::check_deadline`], then those of [`Interrupts::check`].
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
        let mut interrupts = Interrupts::until(&mut hook, Some(Instant::now()));
        assert_eq!(interrupts.check_all(), Err(Error::Late { lanes: Vec::new() }));
        assert_eq!(Interrupts::until(&mut hook, None).check_all(), Err(Error::Interrupted));
        assert_eq!(asked, 1);
    }

    #[test]
    fn a_wait_lasts_until_the_deadline_or_the_next_question() {
        let now = Instant::now();
        let mut hook = || false;
        assert_eq!(Interrupts::until(&mut hook, Some(now)).limit(), now);
        let mut interrupts = Interrupts::until(&mut hook, Some(now + Duration::from_secs(60)));
        assert_eq!(interrupts.limit(), interrupts.next());
        assert!(interrupts.check_all().is_ok());
    }
}
