//! Pictures of a game: the cells around the player, darkened at night, with the player's items below them.
//!
//! Every byte equals that of the package crafter, which draws with numpy and Pillow; this includes the random noise at night.

mod layout;
mod light;
mod renderer;
mod texture;
mod tiles;

pub use layout::{Layout, LayoutError};
pub use renderer::{PictureRenderer, Scratch};
pub use texture::{TextureError, TextureSet};
