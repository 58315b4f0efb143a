//! Constraint solvers: `mj_solNewton`, `mj_solPGS` and constraint islands (`mj_island`).

mod cone_turns;
pub(super) mod cones;
mod constraint_update;
pub(super) mod friction_row;
pub(super) mod island;
mod line_search;
pub(super) mod newton;
pub(super) mod pgs;
mod pgs_shuffled;
