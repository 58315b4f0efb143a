//! Reinforcement-learning environments in vectorized pools, with an environment API and simulators in Rust.
//!
//! | module | contents | crate | feature |
//! |---|---|---|---|
//! | [`engine`] | the pool: lanes, batches, queue, workers, autoreset, snapshots, registry | `envpool_rs_engine` | |
//! | [`envs`] | the environments and the registry of their tasks | `envpool_rs_envs_*` | one per family |
//! | [`random`], [`math`], [`simd`] | numpy's random streams, exact elementary functions in SIMD lanes, the SIMD layer | `envpool_rs_numeric` | |
//! | [`sim`] | simulators of the families, such as the Atari 2600, Box2D and MuJoCo; drawing | `envpool_rs_sim_*` | one per family |
//! | `plugin` | environments as shared libraries for pools of other programs | `envpool_rs_plugin` | `plugin`, not on by default |
//! | [`transport`] | shared memory and wake-ups between processes | `envpool_rs_transport` | `interop` |
//! | [`remote`] | environments of pools in other processes, as lanes of a pool | `envpool_rs_interop` | `interop` |
//! | [`workers`] | environments of worker processes, as lanes of a pool | `envpool_rs_interop` | `interop` |
//! | [`xla`] | pools inside XLA programs | `envpool_rs_interop` | `interop` |
//!
//! All other features are on by default. A program that embeds one family selects it:
//! `envpool_rs = { version = "0.1", default-features = false, features = ["classic_control"] }`.

#[doc(inline)]
pub use envpool_rs_engine as engine;
#[doc(inline)]
#[cfg(feature = "interop")]
pub use envpool_rs_interop::{remote, workers, xla};
#[doc(inline)]
pub use envpool_rs_numeric::{math, random, simd};
#[doc(inline)]
#[cfg(feature = "plugin")]
pub use envpool_rs_plugin as plugin;
#[cfg(feature = "plugin")]
pub use envpool_rs_plugin::plugin;
#[doc(inline)]
#[cfg(feature = "interop")]
pub use envpool_rs_transport as transport;

pub mod envs;
pub mod sim;

/// Doctests of the README's Rust examples.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
