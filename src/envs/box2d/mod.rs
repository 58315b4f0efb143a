//! gymnasium's environments on Box2D, exact to gymnasium 1.4.0 with PyPI's wheel `box2d` 2.3.10: see [`crate::sim::box2d`].

pub mod bipedal_walker;
mod drawing;
pub mod lunar_lander;
mod terrain;
mod together;
mod walker_picture;
pub use together::WORLDS;

use crate::engine::Task;

/// All of them.
pub fn tasks() -> Vec<Task> {
    [lunar_lander::tasks(), bipedal_walker::tasks()].concat()
}
