//! MetaWorld's tasks, one file for each, or for tasks in the same scene.

mod drawer_open;
mod pick_place;
mod reach;

use super::task::TaskSpec;

/// All tasks, in alphabetical order of their names.
pub static ALL: [&TaskSpec; 3] = [&drawer_open::SPEC, &pick_place::SPEC, &reach::SPEC];
