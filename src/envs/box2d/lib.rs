//! gymnasium's environments on Box2D, exact to gymnasium 1.4.0 with PyPI's wheel `box2d` 2.3.10: see [`envpool_rs_sim_box2d`].
//!
//! # Adding an environment on Box2D
//! One file: a state with a [`World`](envpool_rs_sim_box2d::World) in it ([`together::Landscape`]), and an `Env` whose `step` pushes bodies, lets
//! [`together::Physics`] step the world, and judges what came of it; `step_together` does the same for several lanes.

pub mod bipedal_walker;
mod car;
pub mod car_racing;
mod drawing;
pub mod lunar_lander;
mod race_picture;
mod terrain;
pub mod together;
mod track;
mod walker_picture;

use envpool_rs_engine::Task;

/// All of them.
pub fn tasks() -> Vec<Task> {
    [lunar_lander::tasks(), bipedal_walker::tasks(), car_racing::tasks()].into_iter().flatten().collect()
}
