//! BabyAI's levels: what is to be done is said in words. A file for each group of classes; each class is a plan and a row.

mod go_to;
mod lesson;
mod level_gen;
mod open;
mod other;
mod pick_up;
mod put_next;
mod unlock;

use super::level::Class;

/// All classes, group by group.
pub static CLASSES: [&[Class]; 7] = [
    &go_to::CLASSES,
    &open::CLASSES,
    &pick_up::CLASSES,
    &put_next::CLASSES,
    &unlock::CLASSES,
    &other::CLASSES,
    &level_gen::CLASSES,
];
