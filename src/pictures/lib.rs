//! Pictures of environments: software drawing, resizing, frame stacks.

mod drawing;
mod frame_stack;
pub mod raster;
pub mod resize;

pub use drawing::into_picture;
pub use frame_stack::FrameStack;
