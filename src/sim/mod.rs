// Written by tools/families.py (`make generate`) from src/envs/**/family.toml.
//! Simulators: machines and physics engines that environments are built on.
//!
//! The simulators depend neither on the pool engine nor on the environments.

#[doc(inline)]
#[cfg(feature = "pictures")]
pub use envpool_rs_pictures::raster;
#[doc(inline)]
#[cfg(feature = "atari")]
pub use envpool_rs_sim_atari as atari;
#[doc(inline)]
#[cfg(feature = "box2d")]
pub use envpool_rs_sim_box2d as box2d;
#[doc(inline)]
#[cfg(feature = "crafter")]
pub use envpool_rs_sim_crafter as crafter;
#[doc(inline)]
#[cfg(feature = "minigrid")]
pub use envpool_rs_sim_grid_world as grid_world;
#[doc(inline)]
#[cfg(feature = "highway")]
pub use envpool_rs_sim_highway as highway;
#[doc(inline)]
#[cfg(feature = "mujoco")]
pub use envpool_rs_sim_mujoco as mujoco;
#[doc(inline)]
#[cfg(feature = "procgen")]
pub use envpool_rs_sim_procgen as procgen;
#[doc(inline)]
#[cfg(feature = "vizdoom")]
pub use envpool_rs_sim_vizdoom as vizdoom;
