//! Interface between environments and the pool: spaces, options, actions, rows, frames, and the traits `Env` and `Kernel`.

pub mod actions;
pub mod config;
pub mod env;
pub mod error;
pub mod fault;
pub mod form;
pub mod kernel;
pub mod options;
pub mod picture;
pub mod row;
pub mod row_buffer;
pub mod space;
pub mod spec;
pub mod state;
pub mod store;
pub mod value;
