//! Simulators: machines and physics that environments are built on. They know neither the engine nor the environments.

pub mod atari;
pub mod box2d;
pub mod grid_world;
pub mod mujoco;
pub mod raster;
pub mod vizdoom;
