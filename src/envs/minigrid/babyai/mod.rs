//! BabyAI's levels, whose missions are English sentences.
//!
//! Each file holds a group of level classes. A level class has a table row and a function that generates a mission.

mod go_to;
mod level_gen;
mod open;
mod other;
mod pick_up;
mod put_next;
mod room_grid_level;
mod unlock;

use super::level::LevelClass;

/// All classes of BabyAI levels, in one group per file.
pub static CLASSES: [&[LevelClass]; 7] = [
    &go_to::CLASSES,
    &open::CLASSES,
    &pick_up::CLASSES,
    &put_next::CLASSES,
    &unlock::CLASSES,
    &other::CLASSES,
    &level_gen::CLASSES,
];
