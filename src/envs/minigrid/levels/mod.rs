//! MiniGrid's levels, a file for each class: its options, its tasks, its worlds and what ends an episode in them.

mod crossing;
mod dist_shift;
mod door_key;
mod dynamic_obstacles;
mod empty;
mod fetch;
mod four_rooms;
mod go_to_door;
mod go_to_object;
mod key_corridor;
mod lava_gap;
mod locked_room;
mod memory;
mod multi_room;
mod obstructed_maze;
mod playground;
mod put_near;
mod red_blue_doors;
mod unlock;
mod wfc;

use super::level::Class;

pub use key_corridor::{corridor, wanted};

/// All classes.
pub static CLASSES: [&Class; 24] = [
    &empty::CLASS,
    &door_key::CLASS,
    &crossing::CLASS,
    &dist_shift::CLASS,
    &lava_gap::CLASS,
    &dynamic_obstacles::CLASS,
    &fetch::CLASS,
    &four_rooms::CLASS,
    &go_to_door::CLASS,
    &go_to_object::CLASS,
    &key_corridor::CLASS,
    &locked_room::CLASS,
    &memory::CLASS,
    &multi_room::CLASS,
    &obstructed_maze::ONE_DOOR,
    &obstructed_maze::FULL,
    &obstructed_maze::FULL_1,
    &playground::CLASS,
    &put_near::CLASS,
    &red_blue_doors::CLASS,
    &unlock::UNLOCK,
    &unlock::PICK_UP,
    &unlock::BLOCKED,
    &wfc::CLASS,
];
