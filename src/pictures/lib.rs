//! Produces the pictures of environments: software rendering, resizing, and stacks of frames.

mod canvas_picture;
mod frame_stack;
mod look_up;
pub mod raster;
pub mod resize;

pub use canvas_picture::into_picture;
pub use frame_stack::FrameStack;
pub use look_up::{interleave, look_up_maximum};
