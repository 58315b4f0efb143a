//! Start states that are drawn until one is valid, with a bound on the number of attempts.

use envpool_rs_sim_mujoco::{Fault, Model};

/// Number of attempts to draw a start state that costs no simulation steps.
pub const CHEAP_ATTEMPTS: u32 = 20_000;

/// Repeats `attempt` until it returns true, at most `most` times. `wanted` describes the wanted start state.
///
/// # Errors
/// The errors of `attempt`, and `OtherModel` with the model's file after `most` attempts.
pub fn repeat_until(
    model: &Model,
    (most, wanted): (u32, &str),
    mut attempt: impl FnMut() -> Result<bool, Fault>,
) -> Result<(), Fault> {
    for _ in 0..most {
        if attempt()? {
            return Ok(());
        }
    }
    let file = model.path().map_or_else(|| "the model".to_owned(), |path| path.display().to_string());
    Err(Fault::OtherModel(format!("{file}: expected a model with {wanted}; {most} random start states were none")))
}
