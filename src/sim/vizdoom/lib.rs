//! Controls ViZDoom's engine: one process per game, with which commands and state are exchanged through shared memory.
//!
//! The engine is the program `vizdoom` of the Python package `vizdoom`. This crate implements the same protocol as the
//! controller in this package: two message queues in shared memory (Boost's `message_queue`) and one block of state, input and
//! buffers. `docs/vizdoom.md` documents the protocol.
//!
//! | module | contents |
//! |---|---|
//! | [`config`] | configurations, from `.cfg` files and options |
//! | [`buttons`], [`game_variables`] | names and numbers of buttons and game variables |
//! | [`wad`] | reads palette and maps from `.wad` files |
//! | `pk3`, `pk3_cache` | optimized archive for a faster start, and its cache |
//! | `vfork`, `spawner`, `engine` | starts and ends engine processes |
//! | `message_queue`, `shared_files`, [`shared_memory`] | shared memory of an engine |
//! | [`game`], `journal`, `engine_fault` | the protocol, replay and errors |
//! | `screen_copy` | patch of the routine with which known engines copy their screen |
//!
//! Everything except configurations and files needs Linux with glibc on x86-64, because the engine is built for this platform.

pub mod buttons;
pub mod config;
#[cfg(all(target_os = "linux", target_env = "gnu", target_arch = "x86_64"))]
mod engine;
#[cfg(all(target_os = "linux", target_env = "gnu", target_arch = "x86_64"))]
mod engine_fault;
#[cfg(all(target_os = "linux", target_env = "gnu", target_arch = "x86_64"))]
pub mod game;
#[cfg(all(target_os = "linux", target_env = "gnu", target_arch = "x86_64"))]
mod journal;
#[cfg(all(target_os = "linux", target_env = "gnu", target_arch = "x86_64"))]
mod message_queue;
#[cfg(all(target_os = "linux", target_env = "gnu", target_arch = "x86_64"))]
mod pk3;
#[cfg(all(target_os = "linux", target_env = "gnu", target_arch = "x86_64"))]
mod pk3_cache;
#[cfg(all(target_os = "linux", target_env = "gnu", target_arch = "x86_64"))]
mod screen_copy;
#[cfg(all(target_os = "linux", target_env = "gnu", target_arch = "x86_64"))]
mod shared_files;
#[cfg(all(target_os = "linux", target_env = "gnu", target_arch = "x86_64"))]
pub mod shared_memory;
#[cfg(all(target_os = "linux", target_env = "gnu", target_arch = "x86_64"))]
mod spawner;
#[cfg(all(target_os = "linux", target_env = "gnu", target_arch = "x86_64"))]
mod vfork;

pub mod game_variables;
#[cfg(all(test, target_os = "linux", target_env = "gnu", target_arch = "x86_64"))]
mod tests;
pub mod wad;

#[cfg(all(target_os = "linux", target_env = "gnu", target_arch = "x86_64"))]
pub use spawner::Spawner;

/// Shared pointer to a value that several games use.
pub type Shared<T> = std::sync::Arc<T>;
