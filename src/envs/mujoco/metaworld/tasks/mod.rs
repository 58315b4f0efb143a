//! MetaWorld's tasks, one file for each, or for tasks in the same scene.

mod drawer;
mod pick_place;
mod puck;
mod push;
mod reach;

use super::task::TaskSpec;

/// All tasks, in alphabetical order of their names.
pub static ALL: [&TaskSpec; 9] = [
    &drawer::CLOSE,
    &drawer::OPEN,
    &pick_place::PICK_PLACE,
    &pick_place::PICK_PLACE_WALL,
    &push::PUSH,
    &push::PUSH_BACK,
    &push::PUSH_WALL,
    &reach::REACH,
    &reach::REACH_WALL,
];
