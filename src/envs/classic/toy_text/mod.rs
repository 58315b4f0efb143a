//! gymnasium's toy text environments and gym's NChain: small transition tables and a card game.
//!
//! All of them draw random numbers from numpy's [`envpool_rs_numeric::random::Generator`]. Where the reference draws a number
//! for a certain outcome, this crate draws it too, because each draw advances the random stream.

pub mod blackjack;
pub mod cliff_walking;
pub mod frozen_lake;
pub mod n_chain;
mod pictures;
pub mod taxi;

#[cfg(test)]
pub(crate) mod replay;
mod transitions;

/// Returns the string `text` between the terminal escape sequences that start and end the colour codes `codes`.
fn colored(text: &str, codes: &str) -> String {
    format!("\x1b[{codes}m{text}\x1b[0m")
}
