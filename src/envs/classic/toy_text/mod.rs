//! gymnasium's toy text environments and gym's NChain: small transition tables and a card game.
//!
//! All of them draw from numpy's [`envpool_rs_numeric::random::Generator`], exactly as their reference does. They draw even if
//! the outcome is certain, because each draw advances the random stream.

pub mod blackjack;
pub mod cliff_walking;
pub mod frozen_lake;
pub mod n_chain;
mod pictures;
pub mod taxi;

#[cfg(test)]
pub(crate) mod replay;
mod transitions;

/// Returns a string in the terminal's escape sequence for these colour codes.
fn colored(text: &str, codes: &str) -> String {
    format!("\x1b[{codes}m{text}\x1b[0m")
}
