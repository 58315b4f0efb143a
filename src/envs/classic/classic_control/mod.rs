//! Classic control environments, whose results equal those of gymnasium 1.4.0 under numpy 2, bit for bit.
//!
//! Exactness includes numpy's type promotion. Whether a value is a Python float, a numpy float64 or a numpy float32 decides how
//! each operation rounds; each file explains where the type matters. Operations follow Python's evaluation order and must not
//! be contracted (fused) or reordered.

pub mod acrobot;
pub mod cart_pole;
pub mod mountain_car;
pub mod mountain_car_continuous;
mod mountain_car_picture;
pub mod pendulum;

#[cfg(test)]
mod golden;

use envpool_rs_engine::{Error, OptionSpec, ResetOptions, Result, Task};

/// Checks the reset options `low` and `high` as gymnasium's `maybe_parse_reset_bounds` and numpy's `uniform` do.
fn check_bounds(options: &ResetOptions, low: f64, high: f64) -> Result<()> {
    let (low, high) = options.bounds(low, high)?;
    if (high - low).is_finite() {
        Ok(())
    } else {
        Err(Error::Value(format!("reset options low={low:?}, high={high:?}: expected a finite range")))
    }
}

/// Declares a physical quantity, which may change from episode to episode.
fn physical(name: &'static str, default: f64, doc: &'static str) -> OptionSpec {
    OptionSpec::new(name, default, doc).per_episode()
}

/// Declares a physical quantity above 0, such as a mass, which may change from episode to episode.
fn positive(name: &'static str, default: f64, doc: &'static str) -> OptionSpec {
    physical(name, default, doc).numbers(f64::MIN_POSITIVE..=f64::MAX)
}

/// Returns the classic control tasks.
pub fn tasks() -> Vec<Task> {
    [cart_pole::tasks(), mountain_car::tasks(), mountain_car_continuous::tasks(), pendulum::tasks(), acrobot::tasks()]
        .into_iter()
        .flatten()
        .collect()
}
