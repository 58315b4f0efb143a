//! Simulator of MiniGrid's and BabyAI's grid worlds: rules, partial views, world generation, missions and rendering.
//!
//! Rules, random draws and pictures equal those of the Python package minigrid 3.2.0, bit for bit.
//!
//! | module | contents |
//! |---|---|
//! | `cell` | kind and colour of a cell |
//! | `grid` | grid of a world's cells |
//! | `world` | state of an episode and its actions |
//! | `view` | the agent's partial view |
//! | `builder` | generation of a world: random draws, placement of objects |
//! | `room_grid` | worlds that are grids of rooms |
//! | `verifier` | checks of a BabyAI mission: the state between steps |
//! | `instr` | BabyAI's instructions: text and checks |
//! | `tiles` | rendering of pictures |

mod builder;
mod cell;
mod grid;
mod instr;
mod room_grid;
mod tiles;
mod verifier;
mod view;
mod world;

pub use builder::{GenError, GenResult, MaxTries, WorldBuilder};
pub use cell::{Cell, Color, Kind};
pub use grid::{Area, DIR_TO_VEC, Grid, MAX_GRID_SIDE, ObjectId, Point, at};
pub use instr::{ActionInstr, AndInstr, Instr, Loc, ObjDesc, Progress};
pub use room_grid::{OBJECT_KINDS, Passage, RoomGrid, RoomGridShape, RoomIndex};
pub use tiles::{Scene, TileSet, full_scene, pov_scene};
pub use verifier::Verifier;
pub use view::{MAX_VIEW_SIZE, View, image, view, view_to_world};
pub use world::{Actions, Agent, MAX_OBJECTS, Object, Outcome, Target, World};
