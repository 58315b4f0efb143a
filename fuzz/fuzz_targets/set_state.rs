//! Fuzz target: restores damaged snapshots and plays them. Run `cargo +nightly fuzz run set_state`.

#![no_main]

#[path = "../../tests/support/damaged_state.rs"]
mod damaged_state;

use std::sync::LazyLock;

use envpool_rs::engine::Pool;

static POOLS: LazyLock<Vec<(Pool, Vec<u8>)>> = LazyLock::new(|| damaged_state::pools(&envpool_rs::envs::registry()));

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| damaged_state::restore_and_play(&POOLS, bytes));
