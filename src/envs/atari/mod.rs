//! Atari games.

pub mod resize;
