//! MetaWorld's tasks, one file for each, or for tasks in the same scene.

mod drawer;
mod handle;
mod lever_pull;
mod peg;
mod pick_out_of_hole;
mod pick_place;
mod plate_slide;
mod puck;
mod push;
mod reach;
mod shelf_place;
mod soccer;
mod stick;
mod sweep;
mod window;

use super::task::TaskSpec;

/// All tasks, in alphabetical order of their names.
pub static ALL: [&TaskSpec; 29] = [
    &drawer::CLOSE,
    &drawer::OPEN,
    &handle::PRESS,
    &handle::PRESS_SIDE,
    &handle::PULL,
    &handle::PULL_SIDE,
    &lever_pull::PULL,
    &peg::INSERT,
    &peg::UNPLUG,
    &pick_out_of_hole::PICK,
    &pick_place::PICK_PLACE,
    &pick_place::PICK_PLACE_WALL,
    &plate_slide::SLIDE,
    &plate_slide::SLIDE_BACK,
    &plate_slide::SLIDE_BACK_SIDE,
    &plate_slide::SLIDE_SIDE,
    &push::PUSH,
    &push::PUSH_BACK,
    &push::PUSH_WALL,
    &reach::REACH,
    &reach::REACH_WALL,
    &shelf_place::PLACE,
    &soccer::SOCCER,
    &stick::PULL,
    &stick::PUSH,
    &sweep::SWEEP,
    &sweep::SWEEP_INTO,
    &window::CLOSE,
    &window::OPEN,
];
