//! gymnasium's toy text environments and gym's NChain: small transition tables and a card game.
//!
//! All of these environments draw random numbers from numpy's [`envpool_rs_numeric::random::Generator`]. If the reference
//! draws a random number for an outcome that is certain, this crate draws the number too, because each draw advances the
//! random stream.

pub mod blackjack;
pub mod cliff_walking;
pub mod frozen_lake;
pub mod n_chain;
mod pictures;
pub mod taxi;

#[cfg(test)]
pub(crate) mod replay;
mod transitions;

use envpool_rs_engine::Task;

/// Returns the string `text` between the terminal escape sequences that start and end the colour codes `codes`.
fn colored(text: &str, codes: &str) -> String {
    format!("\x1b[{codes}m{text}\x1b[0m")
}

/// Returns the toy text tasks.
pub fn tasks() -> Vec<Task> {
    [frozen_lake::tasks(), taxi::tasks(), cliff_walking::tasks(), blackjack::tasks(), n_chain::tasks()]
        .into_iter()
        .flatten()
        .collect()
}
