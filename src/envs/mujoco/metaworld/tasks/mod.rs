//! MetaWorld's tasks, one file for each, or for tasks in the same scene.

mod basketball;
mod bin_picking;
mod box_close;
mod button;
mod coffee;
mod dial;
mod door;
mod door_lock;
mod drawer;
mod faucet;
mod hammer;
mod hand_insert;
mod handle;
mod lever_pull;
mod nut;
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

/// Names that most tasks use.
mod prelude {
    pub use crate::metaworld::first_version::*;
    pub use crate::metaworld::number::Number;
    pub use crate::metaworld::rewards::*;
    pub use crate::metaworld::sawyer::Sawyer;
    pub use crate::metaworld::task::*;
    pub use crate::names::Names;
    pub(in crate::metaworld) use crate::names::bound;
    pub use crate::vector::*;
    pub use envpool_rs_engine::Result;
    pub use envpool_rs_numeric::{numpy, numpy_ufuncs};
    pub use envpool_rs_sim_mujoco::Fault;
}

/// All tasks in the package's order (`ALL_V3_ENVIRONMENTS`). The place of a task is EnvPool's info `task_id`.
pub static ALL: [&TaskSpec; 50] = [
    &nut::ASSEMBLE,
    &basketball::BASKETBALL,
    &bin_picking::PICK,
    &box_close::CLOSE,
    &button::TOPDOWN,
    &button::TOPDOWN_WALL,
    &button::PRESS,
    &button::PRESS_WALL,
    &coffee::BUTTON,
    &coffee::PULL,
    &coffee::PUSH,
    &dial::TURN,
    &nut::DISASSEMBLE,
    &door::CLOSE,
    &door_lock::LOCKS,
    &door::OPEN,
    &door_lock::UNLOCKS,
    &hand_insert::INSERT,
    &drawer::CLOSE,
    &drawer::OPEN,
    &faucet::OPEN,
    &faucet::CLOSE,
    &hammer::HAMMER,
    &handle::PRESS_SIDE,
    &handle::PRESS,
    &handle::PULL_SIDE,
    &handle::PULL,
    &lever_pull::PULL,
    &pick_place::PICK_PLACE_WALL,
    &pick_out_of_hole::PICK,
    &pick_place::PICK_PLACE,
    &plate_slide::SLIDE,
    &plate_slide::SLIDE_SIDE,
    &plate_slide::SLIDE_BACK,
    &plate_slide::SLIDE_BACK_SIDE,
    &peg::INSERT,
    &peg::UNPLUG,
    &soccer::SOCCER,
    &stick::PUSH,
    &stick::PULL,
    &push::PUSH,
    &push::PUSH_WALL,
    &push::PUSH_BACK,
    &reach::REACH,
    &reach::REACH_WALL,
    &shelf_place::PLACE,
    &sweep::SWEEP_INTO,
    &sweep::SWEEP,
    &window::OPEN,
    &window::CLOSE,
];
