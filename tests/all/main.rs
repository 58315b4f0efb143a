//! Tests of several crates together, in one program: each program would link all crates for several seconds.

mod atari_translation;
mod box2d_memory;
mod damaged_states;
mod mujoco_needs;
mod remote;
