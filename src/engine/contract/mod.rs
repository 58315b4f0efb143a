//! Interface between environments and the pool: spaces, options, actions, rows, frames, and the traits `Env` and `Kernel`.

pub mod actions;
pub mod asset_cache;
pub mod backend_spec;
pub mod config;
pub mod env;
pub mod error;
pub mod foreign;
pub mod frame;
pub mod kernel;
pub mod lane_error;
pub mod memory;
pub mod normalization;
pub mod options;
pub mod row;
pub mod row_buffer;
pub mod space;
pub mod spec;
pub mod state;
pub mod value;
