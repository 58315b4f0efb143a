//! Worlds of cells: walls, doors, keys, balls and boxes, an agent that sees what is ahead of it, and instructions in words. Exact to
//! the rules, random draws and pictures of the Python package minigrid 3.2.0.
//!
//! | module | |
//! |---|---|
//! | `look` | what stands in a cell |
//! | `grid` | cells |
//! | `world` | a world being played |
//! | `view` | what the agent sees |
//! | `site` | a world while it is made: draws, placing |
//! | `rooms` | worlds that are grids of rooms |
//! | `instruction` | what watches over an errand |
//! | `errand` | what BabyAI's missions say, and when they are done |
//! | `tiles` | pictures |

mod errand;
mod grid;
mod instruction;
mod look;
mod rooms;
mod site;
mod tiles;
mod view;
mod world;

pub use errand::{Deed, Errand, Part, Progress, Side, Wanted};
pub use grid::{Area, Grid, Id, MOST_CELLS, Point, WAYS, at};
pub use instruction::Instruction;
pub use look::{Colour, Kind, Look};
pub use rooms::{Passage, RoomAt, Rooms, Shape, THINGS};
pub use site::{Made, Site, Tries, Unmade};
pub use tiles::{Scene, Tiles, of_view, of_world};
pub use view::{MOST_SEEN, View, cell_in_world, image, view};
pub use world::{Act, Agent, MOST_OBJECTS, Object, Outcome, Quest, World};
