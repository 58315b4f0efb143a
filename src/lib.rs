//! Reinforcement-learning environments stepped in bulk.
//!
//! | module | what it holds | what it knows |
//! |---|---|---|
//! | [`engine`] | the pool: lanes, batches, queue, workers, autoreset, snapshots, registry | neither environments nor Python |
//! | [`envs`] | the environments, one file each | the engine's traits, no threads |
//! | [`random`] | numpy's random streams, bit for bit | nothing else here |
//! | [`math`] | exact vectorised elementary functions | nothing else here |
//! | [`sim`] | simulators: the Atari console, and what drives MuJoCo and ViZDoom's engine | `random` |
//! | [`transport`] | shared memory and wake-ups between processes | nothing else here |
//! | [`remote`] | environments of pools elsewhere as lanes of a pool | the engine |
//! | [`workers`] | environments of worker processes as lanes of a pool | the engine, the transport |
//! | [`xla`] | pools inside XLA programs | the engine |
//! | `python` | the extension module (feature `python`) | everything above |

pub mod engine;
pub mod envs;
pub mod math;
#[cfg(feature = "python")]
mod python;
pub mod random;
pub mod remote;
pub mod sim;
pub mod transport;
pub mod workers;
pub mod xla;

/// The README's Rust examples, compiled and run with the documentation's.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
