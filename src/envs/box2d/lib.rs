//! gymnasium's Box2D environments. Their results equal those of gymnasium 1.4.0 with the PyPI wheel `box2d` 2.3.10;
//! [`envpool_rs_sim_box2d`] is the physics engine.
//!
//! # Adding an environment
//! Add one file with an `Env` and its state, which contains a [`World`](envpool_rs_sim_box2d::World) and implements
//! [`physics::HasWorld`]. Its `step` applies the action, steps the world with [`physics::Physics`] and computes reward and
//! termination; `step_together` does the same for several lanes.

pub mod bipedal_walker;
mod car;
pub mod car_racing;
mod drawing;
pub mod lunar_lander;
pub mod physics;
mod race_renderer;
mod terrain;
mod track;
mod walker_renderer;

use envpool_rs_engine::Task;

/// Returns all Box2D tasks.
pub fn tasks() -> Vec<Task> {
    [lunar_lander::tasks(), bipedal_walker::tasks(), car_racing::tasks()].into_iter().flatten().collect()
}
