//! Tests that pools either reject damaged snapshots or load and step them, without a panic. The fuzzer (`nox -s fuzz`) runs the
//! same test for longer.

#[path = "../support/damaged_state.rs"]
mod damaged_state;

use envpool_rs::random::Generator;

/// Number of damaged snapshots per test. With `ENVPOOL_RS_ALL_TESTS=1`, which `make test-all` sets, tests use three times this
/// number.
const ROUNDS: usize = 1_700;

/// Restores randomly damaged snapshots of all tasks in turn, and steps the environments whose snapshots were accepted.
fn damage_snapshots(seed: u64) {
    let pools = damaged_state::pools(&envpool_rs::envs::registry());
    let mut random = Generator::new(seed);
    let runs_all = std::env::var("ENVPOOL_RS_ALL_TESTS").is_ok_and(|value| !matches!(value.as_str(), "" | "0"));
    let rounds = if runs_all { 3 * ROUNDS } else { ROUNDS };
    for round in 0..rounds {
        // Most rounds change only one or two bytes of a snapshot, because snapshots with more changes rarely pass the parser.
        let changes = 1 + random.integers(0, 3) as usize * random.integers(0, 2) as usize;
        let mut bytes: Vec<u8> = (0..1 + 3 * changes).map(|_| random.integers(0, 256) as u8).collect();
        bytes[0] = (round % pools.len()) as u8;
        damaged_state::restore_and_play(&pools, &bytes);
    }
}

// Each of these tests damages snapshots with another seed. They are separate tests, so that they run in parallel.

#[test]
fn damaged_snapshots_of_stream_1_do_not_panic() {
    damage_snapshots(1);
}

#[test]
fn damaged_snapshots_of_stream_2_do_not_panic() {
    damage_snapshots(2);
}

#[test]
fn damaged_snapshots_of_stream_3_do_not_panic() {
    damage_snapshots(3);
}

#[test]
fn damaged_snapshots_of_stream_4_do_not_panic() {
    damage_snapshots(4);
}
