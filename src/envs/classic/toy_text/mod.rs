//! gymnasium's toy text environments, and gym's chain: small tables of transitions and a card game.
//!
//! All of them draw from numpy's [`envpool_rs_numeric::random::Generator`], and exactly what their reference draws: also where the outcome
//! is certain, because the draw moves the stream along.

pub mod blackjack;
pub mod cliff_walking;
pub mod frozen_lake;
pub mod n_chain;
mod pictures;
pub mod taxi;

#[cfg(test)]
pub(crate) mod replay;
mod transitions;

/// Text in a terminal's colours, by the codes that the terminal knows for them.
fn colored(text: &str, codes: &str) -> String {
    format!("\x1b[{codes}m{text}\x1b[0m")
}
