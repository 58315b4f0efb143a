//! Simulator of Crafter's worlds: generation, rules and pictures, with the same results as the Python package crafter 1.8.3.
//!
//! Crafter is described in Hafner, "Benchmarking the Spectrum of Agent Capabilities" (2021). The package stores the objects of
//! a chunk in a set ordered by memory address, so two of its runs differ. This crate stores these objects in order of arrival.
//! Worlds, random draws, rewards and pictures equal those of the package with this one change.
//!
//! | module | contents |
//! |---|---|
//! | `vocabulary` | materials, items, achievements and actions, by the package's names |
//! | `random` | the random stream of an environment: one per episode |
//! | `noise` | OpenSimplex noise of the package opensimplex, several points at once |
//! | `world` | cells, objects and chunks; generation of a world; balance of the creatures |
//! | `rules` | steps of the player and the creatures |
//! | `picture` | textures, layout, light and noise of pictures |

mod noise;
mod picture;
mod random;
mod rules;
mod vocabulary;
mod world;

#[cfg(test)]
mod tests;

pub use noise::OpenSimplex;
pub use picture::{Layout, LayoutError, PictureRenderer, Scratch, TextureError, TextureSet};
pub use random::EpisodeRandom;
pub use rules::{Game, Outcome};
pub use vocabulary::{ACHIEVEMENTS, ACTIONS, Achievement, Action, ITEMS, Inventory, Item, MATERIALS, Material};
pub use world::{Area, Direction, Kind, MAX_AREA_SIDE, Object, Point, World};
