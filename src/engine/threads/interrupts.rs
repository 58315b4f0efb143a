//! Ends the waits and the long work of a caller early: by its interrupt hook, or at a deadline.

use std::time::{Duration, Instant};

use crate::contract::error::{Error, Result};

/// Called every 20 milliseconds or so while waiting; returning true ends the wait with [`Error::Interrupted`].
pub type Interrupt<'a> = &'a mut dyn FnMut() -> bool;

/// How often the caller is asked.
pub const INTERVAL: Duration = Duration::from_millis(20);

/// The caller's hook, asked every 20 milliseconds, and the deadline of its call, if it has one.
pub struct Interrupts<'a> {
    interrupt: Interrupt<'a>,
    deadline: Option<Instant>,
    /// When the hook was last asked. Absent until the first look: calls that never wait never look at the clock.
    asked: Option<Instant>,
}

impl<'a> Interrupts<'a> {
    /// Creates one without a deadline, which asks for the first time in 20 milliseconds.
    pub fn new(interrupt: Interrupt<'a>) -> Self {
        Self::until(interrupt, None)
    }

    /// Creates one with a deadline, if there is one.
    #[inline]
    pub fn until(interrupt: Interrupt<'a>, deadline: Option<Instant>) -> Self {
        Self { interrupt, deadline, asked: None }
    }

    /// When the caller will be asked next.
    pub fn next(&mut self) -> Instant {
        *self.asked.get_or_insert_with(Instant::now) + INTERVAL
    }

    /// Until when to wait before looking again.
    pub fn limit(&mut self) -> Instant {
        let next = self.next();
        self.deadline.map_or(next, |deadline| deadline.min(next))
    }

    /// To be called now and then: asks if it is time.
    ///
    /// # Errors
    /// `Interrupted` where the caller does not want to go on.
    pub fn check(&mut self) -> Result<()> {
        if Instant::now() < self.next() {
            return Ok(());
        }
        self.asked = Some(Instant::now());
        self.check_now()
    }

    /// To be called where it is the last time.
    ///
    /// # Errors
    /// As [`Interrupts::check`].
    pub fn check_now(&mut self) -> Result<()> {
        if (self.interrupt)() { Err(Error::Interrupted) } else { Ok(()) }
    }

    /// Looks whether the deadline has passed.
    ///
    /// # Errors
    /// `Late`, which names no lanes: whoever knows them adds them.
    pub fn check_deadline(&self) -> Result<()> {
        match self.deadline {
            Some(deadline) if Instant::now() >= deadline => Err(Error::Late { lanes: Vec::new() }),
            _ => Ok(()),
        }
    }

    /// Asks now, unless the deadline has passed.
    ///
    /// # Errors
    /// As [`Interrupts::check_deadline`], then as [`Interrupts::check`].
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
