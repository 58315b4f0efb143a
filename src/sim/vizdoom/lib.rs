//! ViZDoom's engine, driven from here: processes, the shared memory by which they are told what to do, and what they show there.
//!
//! The engine is the program `vizdoom` of Python's package of that name, one process for each game. Its protocol is that of the
//! package's own controller: two queues in shared memory (Boost's `message_queue`), and a block of state, input and pictures. It is
//! written down in `docs/vizdoom.md`.
//!
//! | module | |
//! |---|---|
//! | [`config`] | configurations of a game, as files and as options |
//! | [`buttons`], [`variables`] | what is pressed, and what is told |
//! | [`wad`] | the palette and the maps in the files of the game |
//! | `archive`, `cache` | what engines start faster with, and where it is kept |
//! | `queue`, `memory`, `child`, `starter`, `engine`, `fault`, `journal`, [`game`] | the protocol: on Linux with glibc on x86-64 alone, as the engine is built |

#[cfg(all(target_os = "linux", target_env = "gnu", target_arch = "x86_64"))]
mod archive;
pub mod buttons;
#[cfg(all(target_os = "linux", target_env = "gnu", target_arch = "x86_64"))]
mod cache;
#[cfg(all(target_os = "linux", target_env = "gnu", target_arch = "x86_64"))]
mod child;
pub mod config;
#[cfg(all(target_os = "linux", target_env = "gnu", target_arch = "x86_64"))]
mod engine;
#[cfg(all(target_os = "linux", target_env = "gnu", target_arch = "x86_64"))]
mod fault;
#[cfg(all(target_os = "linux", target_env = "gnu", target_arch = "x86_64"))]
pub mod game;
#[cfg(all(target_os = "linux", target_env = "gnu", target_arch = "x86_64"))]
mod journal;
#[cfg(all(target_os = "linux", target_env = "gnu", target_arch = "x86_64"))]
pub mod memory;
#[cfg(all(target_os = "linux", target_env = "gnu", target_arch = "x86_64"))]
mod palette_copy;
#[cfg(all(target_os = "linux", target_env = "gnu", target_arch = "x86_64"))]
mod queue;
#[cfg(all(target_os = "linux", target_env = "gnu", target_arch = "x86_64"))]
mod starter;

#[cfg(all(test, target_os = "linux", target_env = "gnu", target_arch = "x86_64"))]
mod tests;
pub mod variables;
pub mod wad;

#[cfg(all(target_os = "linux", target_env = "gnu", target_arch = "x86_64"))]
pub use starter::Starter;

/// What several games have in common.
pub type Shared<T> = std::sync::Arc<T>;
