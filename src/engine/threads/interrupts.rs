//! Work of the caller's that may take long, and asks now and then whether to go on.

use std::time::{Duration, Instant};

use crate::contract::error::{Error, Result};

/// Called every 20 milliseconds or so while waiting; returning true ends the wait with [`Error::Interrupted`].
pub type Interrupt<'a> = &'a mut dyn FnMut() -> bool;

/// How often the caller is asked.
pub const INTERVAL: Duration = Duration::from_millis(20);

/// The caller's answer, asked for every 20 milliseconds.
pub struct Interrupts<'a> {
    interrupt: Interrupt<'a>,
    asked: Instant,
}

impl<'a> Interrupts<'a> {
    /// Asks for the first time in 20 milliseconds.
    pub fn new(interrupt: Interrupt<'a>) -> Self {
        Self { interrupt, asked: Instant::now() }
    }

    /// When the caller will be asked next.
    pub fn next(&self) -> Instant {
        self.asked + INTERVAL
    }

    /// To be called now and then.
    ///
    /// # Errors
    /// `Interrupted` where the caller does not want to go on.
    pub fn check(&mut self) -> Result<()> {
        if self.asked.elapsed() < INTERVAL {
            return Ok(());
        }
        self.asked = Instant::now();
        self.check_now()
    }

    /// To be called where it is the last time.
    ///
    /// # Errors
    /// As [`Interrupts::check`].
    pub fn check_now(&mut self) -> Result<()> {
        if (self.interrupt)() { Err(Error::Interrupted) } else { Ok(()) }
    }
}
