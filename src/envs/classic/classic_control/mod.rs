//! Classic control: carts, cars and pendulums of a few equations each, exact to gymnasium 1.4.0 under numpy 2.
//!
//! "Exact" includes what numpy does with types: which values are Python floats, numpy float64 or numpy float32 decides about
//! the rounding of each operation, and each file says where that matters. Operations stand in the order in which Python
//! evaluates them; none may be contracted or reordered.

pub mod acrobot;
pub mod cart_pole;
mod hill;
pub mod mountain_car;
pub mod mountain_car_continuous;
pub mod pendulum;

#[cfg(test)]
mod golden;

use envpool_rs_engine::{Error, ResetOptions, Result};

/// Checks the reset options `low` and `high` as gymnasium's `maybe_parse_reset_bounds` and numpy's `uniform` do.
fn check_bounds(options: &ResetOptions, low: f64, high: f64) -> Result<()> {
    let (low, high) = options.bounds(low, high)?;
    if (high - low).is_finite() {
        Ok(())
    } else {
        Err(Error::Value(format!("reset options low={low:?}, high={high:?}: expected a finite range")))
    }
}
