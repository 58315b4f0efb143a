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

use envpool_rs_engine::Task;

/// Returns the tasks of this family.
pub fn tasks() -> Vec<Task> {
    [frozen_lake::tasks(), taxi::tasks(), cliff_walking::tasks(), blackjack::tasks(), n_chain::tasks()]
        .into_iter()
        .flatten()
        .collect()
}

/// Text in a terminal's colours, by the codes that the terminal knows for them.
fn colored(text: &str, codes: &str) -> String {
    format!("\x1b[{codes}m{text}\x1b[0m")
}
