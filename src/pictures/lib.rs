//! Produces the pictures of environments: software rendering, resizing, and stacks of frames.

mod canvas_picture;
mod frame_stack;
pub mod raster;
pub mod resize;

pub use canvas_picture::into_picture;
pub use frame_stack::FrameStack;
