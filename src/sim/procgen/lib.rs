//! Procgen's games: rules, level generators and pictures.
//!
//! Rules, random draws and pictures equal those of the library in the package procgen-mirror 0.10.7 (after Cobbe et al.,
//! "Leveraging Procedural Generation to Benchmark Reinforcement Learning", 2020), bit for bit. That library draws its pictures
//! with Qt 5.9.7. Geometry is float32 where procgen uses float32, with the same order of operations.
//!
//! | module | contents |
//! |---|---|
//! | `game` | one environment: levels, episodes |
//! | `games` | the rules of each game |
//! | `rules` | the methods in which games differ; `step`: movement, collisions; `painter`, `still`, `visible_cells`: pictures |
//! | `spawn`, `world`, `entity`, `grid` | state of a world, and placement in it |
//! | `maze_gen`, `room_gen` | generators of mazes and caves |
//! | `canvas`, `sampling`, `rotate`, `line`, `strip`, `mask`, `blend`, `rect`, `avx2`, `avx512` | Qt's raster engine without antialiasing |
//! | `assets`, `image`, `known_pictures` | PNG files of procgen-mirror |

mod assets;
#[cfg(target_arch = "x86_64")]
mod avx2;
#[cfg(target_arch = "x86_64")]
mod avx512;
mod blend;
mod canvas;
mod entity;
mod game;
mod games;
mod grid;
mod image;
mod known_pictures;
mod line;
mod mask;
mod maze_gen;
mod object_ids;
mod options;
mod random;
mod rect;
mod room_gen;
mod rotate;
mod rules;
mod sampling;
mod spawn;
mod strip;
mod world;

pub use assets::Assets;
pub use canvas::{AREA, Canvas, SIDE};
pub use game::{Game, LevelRange, Outcome, Screen};
pub use games::GameName;
pub use image::AssetError;
pub use options::{DistributionMode, GameOptions};
pub use random::RandGen;
pub use world::Setup;
