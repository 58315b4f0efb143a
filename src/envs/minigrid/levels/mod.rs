//! MiniGrid's levels. Each file holds a level class: options, tasks, world generation and the rules that end an episode.

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

use super::level::LevelClass;

pub use key_corridor::{gen_corridor, obj_kind};

/// All classes of MiniGrid levels.
pub static CLASSES: [&LevelClass; 24] = [
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
    &obstructed_maze::FULL_V1,
    &playground::CLASS,
    &put_near::CLASS,
    &red_blue_doors::CLASS,
    &unlock::UNLOCK,
    &unlock::UNLOCK_PICKUP,
    &unlock::BLOCKED_UNLOCK_PICKUP,
    &wfc::CLASS,
];
