//! Checks that pools refuse or play damaged snapshots without a panic. `make fuzz` searches longer.

#[path = "support/damaged_state.rs"]
mod damaged_state;

use envpool_rs::random::Generator;

#[test]
fn no_damage_to_a_snapshot_makes_a_pool_panic() {
    let pools = damaged_state::pools(&envpool_rs::envs::registry());
    let mut random = Generator::new(1);
    for round in 0..20_000 {
        // Usually one or two changed bytes: snapshots with more changes rarely pass the parser.
        let changes = 1 + random.integers(0, 3) as usize * random.integers(0, 2) as usize;
        let mut bytes: Vec<u8> = (0..1 + 3 * changes).map(|_| random.integers(0, 256) as u8).collect();
        bytes[0] = (round % pools.len()) as u8;
        damaged_state::restore_and_play(&pools, &bytes);
    }
}
