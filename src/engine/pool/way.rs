//! How a pool's lanes are played and its results come: the three kinds of pools.

use std::time::Instant;

use crate::contract::error::{Error, Result};
use crate::pool::first_come::FirstCome;
use crate::pool::flight::Flight;
use crate::pool::on_the_spot::OnTheSpot;
use crate::threads::interrupts::Interrupt;

/// The kinds of pools.
pub enum Way {
    /// Synchronous, played by its callers and workers.
    OnTheSpot(OnTheSpot),
    /// Asynchronous, played by workers.
    FirstCome(FirstCome),
    /// Played outside of the engine, synchronous or not.
    Outside(Box<Flight>),
}

/// Does something that waits until it is interrupted, or until the deadline.
///
/// # Errors
/// `Late` with what `late` says where the deadline came first; otherwise as `wait`.
pub fn with_deadline<T>(
    interrupt: Interrupt<'_>,
    deadline: Option<Instant>,
    late: impl FnOnce() -> Vec<u32>,
    wait: impl FnOnce(Interrupt<'_>) -> Result<T>,
) -> Result<T> {
    let Some(deadline) = deadline else { return wait(interrupt) };
    let mut is_late = false;
    let done = wait(&mut || {
        is_late = Instant::now() >= deadline;
        is_late || interrupt()
    });
    match done {
        Err(Error::Interrupted) if is_late => Err(Error::Late { lanes: late() }),
        done => done,
    }
}
