//! gymnasium's environments on Box2D, exact to gymnasium 1.4.0 with PyPI's wheel `box2d` 2.3.10: see [`crate::sim::box2d`].

mod drawing;
pub mod lunar_lander;
mod together;
pub use together::WORLDS;
