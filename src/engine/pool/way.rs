//! How a pool's lanes are played and its results come: the three kinds of pools.

use crate::pool::backend::executor::BackendExecutor;
use crate::pool::first_come::FirstCome;
use crate::pool::on_the_spot::OnTheSpot;

/// The kinds of pools.
pub enum Way {
    /// Synchronous, played by its callers and workers.
    OnTheSpot(OnTheSpot),
    /// Asynchronous, played by workers.
    FirstCome(FirstCome),
    /// Played outside of the engine, synchronous or not.
    Outside(Box<BackendExecutor>),
}
