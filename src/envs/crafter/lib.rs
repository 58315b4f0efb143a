//! Crafter: an open world in which an agent gathers, crafts, fights and sleeps.
//!
//! Follows the Python package crafter 1.8.3 (Hafner, "Benchmarking the Spectrum of Agent Capabilities", 2021).
//! [`envpool_rs_sim_crafter`] implements the rules. The user provides the textures, as the installed package or a copy of its
//! folder; see [`files`].

mod env;
pub mod files;

pub use env::{Crafter, tasks};

/// Returns the names of items, achievements and actions, in the order of the infos and actions.
pub fn names() -> Vec<(&'static str, Vec<&'static str>)> {
    use envpool_rs_sim_crafter::{ACHIEVEMENTS, ACTIONS, ITEMS};

    vec![("items", ITEMS.to_vec()), ("achievements", ACHIEVEMENTS.to_vec()), ("actions", ACTIONS.to_vec())]
}
